// `cob install`, killed at any moment, leaves whole packages only, in node_modules and in the cache; the
// next run repairs. KILLS=200 in the environment is the long form.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import fs from "node:fs";
import { createServer } from "node:http";
import path from "node:path";
import { gzipSync } from "node:zlib";

const PACKAGES = 24;
const FILES = 12;
const kills = Number(process.argv[2]);
const home = process.cwd();
const docs = new Map();
const tarballs = new Map();
let seed = 12345;
let base = "";

function random(n) {
  seed = (seed * 1103515245 + 12345) % 2147483648;
  return Math.floor((seed / 2147483648) * n);
}

function entry(name, data) {
  const block = Buffer.alloc(512);
  const octal = (n, size) => n.toString(8).padStart(size - 1, "0") + "\0";
  block.write(name, 0);
  block.write(octal(0o644, 8), 100);
  block.write(octal(data.length, 12), 124);
  block.write(octal(0, 12), 136);
  block.write("        ", 148);
  block.write("0", 156);
  block.write("ustar\0" + "00", 257);
  block.write(octal(block.reduce((n, byte) => n + byte, 0), 7) + " ", 148);
  return Buffer.concat([block, data, Buffer.alloc((512 - (data.length % 512)) % 512)]);
}

function publish(name, version, dependencies) {
  const manifest = { name, version, dependencies };
  const parts = [entry("package/package.json", Buffer.from(JSON.stringify(manifest)))];
  for (let i = 0; i < FILES; i++) {
    const text = `${name}@${version} ${i}\n`.repeat(1 + ((i * 37) % 400));
    parts.push(entry(`package/lib/d${i % 3}/f${i}.js`, Buffer.from(text)));
  }
  const data = gzipSync(Buffer.concat([...parts, Buffer.alloc(1024)]));
  const integrity = `sha512-${createHash("sha512").update(data).digest("base64")}`;
  tarballs.set(`/${name}/-/${name}-${version}.tgz`, data);
  const doc = docs.get(name) ?? { name, "dist-tags": {}, versions: {} };
  doc.versions[version] = { ...manifest, dist: { integrity } };
  doc["dist-tags"].latest = version;
  docs.set(name, doc);
}

function fill() {
  for (let i = 0; i < PACKAGES; i++) {
    const needs = i + 1 < PACKAGES ? { [`p${i + 1}`]: i % 5 ? "^2.0.0" : "^1.0.0" } : {};
    publish(`p${i}`, "1.0.0", needs);
    publish(`p${i}`, "2.0.0", needs);
  }
}

function answer(req, res) {
  const url = decodeURIComponent(req.url);
  if (tarballs.has(url)) return res.end(tarballs.get(url));
  const doc = docs.get(url.slice(1));
  if (!doc) return res.writeHead(404).end("{}");
  const versions = Object.fromEntries(Object.entries(doc.versions).map(([version, m]) =>
    [version, { ...m, dist: { ...m.dist, tarball: `${base}/${doc.name}/-/${doc.name}-${version}.tgz` } }]));
  return res.end(JSON.stringify({ ...doc, versions }));
}

// Every file below, by path, without what belongs to other packages.
function filesOf(dir, isPackage, found = {}, prefix = "") {
  for (const e of fs.readdirSync(dir, { withFileTypes: true })) {
    if (isPackage && (e.name === "node_modules" || e.name === ".cob-files")) continue;
    const full = path.join(dir, e.name);
    if (e.isDirectory()) filesOf(full, isPackage, found, `${prefix}${e.name}/`);
    else found[prefix + e.name] = fs.readFileSync(full, "latin1");
  }
  return found;
}

function list(dir) {
  return fs.existsSync(dir) ? fs.readdirSync(dir).filter((name) => name[0] !== ".") : [];
}

function packagesBelow(dir, found = []) {
  for (const name of list(path.join(dir, "node_modules"))) {
    const place = path.join(dir, "node_modules", name);
    found.push(place);
    packagesBelow(place, found);
  }
  return found;
}

const whole = new Map(); // "name@version" -> its files as text

function isWhole(dir) {
  const files = filesOf(dir, true);
  let id;
  try {
    const { name, version } = JSON.parse(files["package.json"]);
    id = `${name}@${version}`;
  } catch {
    return false;
  }
  const text = JSON.stringify(Object.entries(files).sort());
  if (!whole.has(id)) whole.set(id, text);
  return whole.get(id) === text;
}

function brokenIn(dir) {
  const places = [...packagesBelow(dir), ...list(path.join(dir, "cache")).map((name) => path.join(dir, "cache", name))];
  return places.filter((place) => !isWhole(place));
}

function install(dir, killAfter) {
  const env = { ...process.env, COB_CONFIG_REGISTRY: base, COB_INSTALL_CACHE_DIR: `${dir}/cache` };
  const child = spawn(process.execPath, ["install", "--silent"], { cwd: dir, env, stdio: ["ignore", "ignore", "inherit"] });
  const timer = killAfter === undefined ? undefined : setTimeout(() => child.kill("SIGKILL"), killAfter);
  return new Promise((resolve) => child.on("exit", (code, signal) => {
    clearTimeout(timer);
    resolve(signal ?? code);
  }));
}

function remove(dir, names) {
  for (const name of names) fs.rmSync(path.join(dir, name), { recursive: true, force: true });
}

function project(name) {
  const dir = path.join(home, name);
  fs.mkdirSync(dir);
  fs.writeFileSync(path.join(dir, "package.json"), JSON.stringify({ name, dependencies: { p0: "2", p7: "1", p9: "2" } }));
  return dir;
}

async function killed(dir, round, longest) {
  if (round % 3 === 0) remove(dir, ["cache", "node_modules", "bun.lock"]);
  if (round % 3 === 1) remove(dir, ["node_modules"]);
  const how = await install(dir, random(longest));
  const broken = brokenIn(dir);
  for (const place of broken) console.log("broken:", path.relative(home, place), "after", how);
  if (how === 0 || how === "SIGKILL") return broken.length;
  console.log("ended with", how);
  return 1;
}

fill();
const server = createServer(answer).listen(0, "127.0.0.1", async () => {
  base = `http://127.0.0.1:${server.address().port}`;
  const right = project("right");
  const started = Date.now();
  console.log("first:", await install(right), brokenIn(right).length);
  const longest = Math.max(20, (Date.now() - started) * 1.2);
  const dir = project("killed");
  let broken = 0;
  for (let round = 0; round < kills; round++) broken += await killed(dir, round, longest);
  console.log("broken states:", broken);
  console.log("repaired:", await install(dir), brokenIn(dir).length);
  const expected = JSON.stringify(filesOf(path.join(right, "node_modules"), false));
  const got = filesOf(path.join(dir, "node_modules"), false);
  for (const name of Object.keys(got)) if (/(^|\/)\.[^/]*\.tmp-cob\//.test(name)) delete got[name];
  console.log("same tree:", JSON.stringify(Object.fromEntries(Object.entries(got).sort())) ===
    JSON.stringify(Object.fromEntries(Object.entries(JSON.parse(expected)).sort())));
  const locks = [right, dir].map((d) => fs.readFileSync(path.join(d, "bun.lock"), "utf8").replace(/"name": "(right|killed)"/, ""));
  console.log("same lockfile:", locks[0] === locks[1]);
  server.closeAllConnections();
  server.close();
});
