// A registry on loopback: packages are made here, and more by packages.mjs of the case, whose default
// function also gets `answers`: path -> (request, body) => [status, text].
// Runs `args` with its address and ends with them.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { createServer } from "node:http";
import { existsSync } from "node:fs";
import { gzipSync } from "node:zlib";

function tarEntry(name, text) {
  const data = Buffer.from(text);
  const block = Buffer.alloc(512);
  const octal = (n, size) => n.toString(8).padStart(size - 1, "0") + "\0";
  block.write(name, 0);
  block.write(octal(0o644, 8), 100);
  block.write(octal(data.length, 12), 124);
  block.write(octal(0, 12), 136);
  block.write("        ", 148);
  block.write("0", 156);
  block.write("ustar\0" + "00", 257);
  const sum = block.reduce((n, byte) => n + byte, 0);
  block.write(octal(sum, 7) + " ", 148);
  return Buffer.concat([block, data, Buffer.alloc((512 - (data.length % 512)) % 512)]);
}

function tarball(files) {
  const entries = Object.entries(files).map(([name, text]) => tarEntry(`package/${name}`, text));
  return gzipSync(Buffer.concat([...entries, Buffer.alloc(1024)]));
}

const packages = new Map();
const tarballs = new Map();
const answers = new Map();
let base = "";

function publish(manifest, files = {}) {
  const { name, version } = manifest;
  const data = tarball({ "package.json": JSON.stringify(manifest), "index.js":
    `module.exports = ${JSON.stringify(`${name}@${version}`)};\n`, ...files });
  const path = `/${name}/-/${name.split("/").pop()}-${version}.tgz`;
  tarballs.set(path, data);
  const integrity = `sha512-${createHash("sha512").update(data).digest("base64")}`;
  const doc = packages.get(name) ?? { name, "dist-tags": {}, versions: {} };
  doc.versions[version] = { ...manifest, dist: { integrity, path } };
  doc["dist-tags"].latest = version;
  packages.set(name, doc);
}

publish({ name: "leaf", version: "1.0.0" });
publish({ name: "leaf", version: "1.5.0" });
publish({ name: "leaf", version: "2.0.0" });
publish({ name: "@scope/tool", version: "3.1.0", bin: { tool: "./cli.js" },
  dependencies: { leaf: "^1.0.0" } }, { "cli.js": "#!/bin/sh\necho the tool runs\n" });
publish({ name: "middle", version: "1.0.0", dependencies: { leaf: "^2.0.0", "@scope/tool": "3" },
  peerDependencies: { peer: "*" } });
publish({ name: "peer", version: "0.1.0" });
publish({ name: "elsewhere", version: "1.0.0", os: ["darwin"] });
publish({ name: "forged", version: "1.0.0" });
packages.get("forged").versions["1.0.0"].dist.integrity = `sha512-${"A".repeat(86)}==`;
publish({ name: "evil", version: "1.0.0" }, { "../../escaped": "out" });

if (existsSync("packages.mjs"))
  (await import(`file://${process.cwd()}/packages.mjs`)).default({ publish, packages, answers });

const server = createServer((req, res) => {
  const path = decodeURIComponent(req.url);
  const answer = answers.get(path);
  if (answer) {
    const pieces = [];
    req.on("data", (piece) => pieces.push(piece));
    req.on("end", () => {
      const [status, text] = answer(req, Buffer.concat(pieces).toString());
      res.statusCode = status;
      res.end(text);
    });
    return undefined;
  }
  const data = tarballs.get(path);
  if (data) return res.end(data);
  const doc = packages.get(path.slice(1));
  if (!doc) {
    res.statusCode = 404;
    return res.end("{}");
  }
  const versions = Object.fromEntries(Object.entries(doc.versions).map(([version, manifest]) =>
    [version, { ...manifest, dist: { ...manifest.dist, tarball: base + manifest.dist.path } }]));
  return res.end(JSON.stringify({ ...doc, versions }));
});

server.listen(0, "127.0.0.1", () => {
  base = `http://127.0.0.1:${server.address().port}`;
  const env = { ...process.env, COB_CONFIG_REGISTRY: base, COB_INSTALL_CACHE_DIR: `${process.cwd()}/cache` };
  const child = spawn("sh", process.argv.slice(2), { env, stdio: "inherit" });
  child.on("exit", (code) => {
    server.closeAllConnections();
    server.close();
    process.exitCode = code;
  });
});
