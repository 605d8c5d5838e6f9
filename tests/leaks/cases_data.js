// Things that live in this process alone. See run.js.
"use strict";

const crypto = require("node:crypto");
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const v8 = require("node:v8");
const vm = require("node:vm");
const zlib = require("node:zlib");

const MB = 1 << 20;
const bytes = Buffer.alloc(MB, "some text that can be made smaller ");
const keys = crypto.generateKeyPairSync("ec", { namedCurve: "P-256" });
const pem = keys.privateKey.export({ type: "pkcs8", format: "pem" });

async function times(n, fn) {
  for (let i = 0; i < n; i++) await fn(i);
}

exports["zlib, sync"] = () => times(4, () => {
  for (const kind of ["gzip", "deflateRaw", "brotliCompress", "zstdCompress"]) {
    const options = kind.startsWith("brotli") ? { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 1 } } : {};
    zlib[`${kind}Sync`](bytes, options);
  }
  zlib.gunzipSync(zlib.gzipSync(bytes, { level: 1 }));
});

// A compressor has 256 KB; half of them are dropped in the middle of their work.
exports["zlib, streams"] = () => times(100, async (i) => {
  const stream = zlib.createGzip();
  stream.write("x");
  if (i % 2) return;
  stream.end(bytes.subarray(0, 1000));
  for await (const chunk of stream.pipe(zlib.createGunzip())) void chunk;
});

exports["CompressionStream"] = () => times(60, async (i) => {
  const stream = new CompressionStream("gzip");
  const writer = stream.writable.getWriter();
  void writer.write(bytes.subarray(0, 1000));
  if (i % 2) return;
  void writer.close();
  await new Response(stream.readable.pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
});

exports["crypto, hashes and ciphers"] = () => times(4000, (i) => {
  const hash = crypto.createHash("sha256").update("x");
  crypto.createHmac("sha512", "key").update("x");
  const cipher = crypto.createCipheriv("aes-256-gcm", Buffer.alloc(32), Buffer.alloc(12));
  cipher.update("x");
  if (i % 2) return;
  hash.copy().digest();
  cipher.final();
});

exports["crypto, keys and signatures"] = () => times(150, () => {
  const key = crypto.createPrivateKey(pem);
  const signature = crypto.sign("sha256", Buffer.from("x"), key);
  crypto.createVerify("sha256").update("x").verify(crypto.createPublicKey(key), signature);
  crypto.createSecretKey(Buffer.alloc(100000));
  crypto.createECDH("prime256v1").generateKeys();
});

exports["crypto, in the pool"] = async () => {
  await Promise.all(Array.from({ length: 60 }, () => Promise.all([
    new Promise((resolve) => crypto.randomBytes(MB / 4, resolve)),
    new Promise((resolve) => crypto.pbkdf2("x", "salt", 1, MB / 8, "sha256", resolve)),
    crypto.subtle.digest("SHA-256", bytes),
  ])));
};

exports["Buffer"] = () => times(40, () => {
  const copy = Buffer.from(bytes);
  Buffer.concat([copy, copy]).toString("latin1");
  new ArrayBuffer(MB).transfer(MB * 2);
  Buffer.from(copy.toString("base64"), "base64");
});

exports["structuredClone, v8 and MessageChannel"] = () => times(30, async () => {
  const { port1, port2 } = new MessageChannel();
  const got = new Promise((resolve) => (port2.onmessage = resolve));
  const moved = new ArrayBuffer(MB);
  port1.postMessage({ bytes, moved }, [moved]);
  await got;
  port1.postMessage(bytes);
  port1.close();
  structuredClone({ bytes, list: [new Map([[1, bytes]])] });
  v8.deserialize(v8.serialize({ bytes }));
});

exports["Blob and File"] = () => times(40, async () => {
  const blob = new Blob([bytes, "text", new Blob([bytes])]);
  await blob.slice(10, MB).arrayBuffer();
  new File([blob], "name");
  URL.revokeObjectURL(URL.createObjectURL(blob));
  for await (const chunk of blob.stream()) void chunk;
});

exports["vm"] = () => times(20, () => {
  const context = vm.createContext({ bytes });
  vm.runInContext("globalThis.list = Array.from({ length: 1000 }, (_, i) => ({ i }))", context);
  new vm.Script("x".repeat(100000));
});

exports["timers"] = async () => {
  const timers = Array.from({ length: 50000 }, () => setTimeout(() => {}, 1e6));
  timers.forEach(clearTimeout);
  await Promise.all(Array.from({ length: 20000 }, () => new Promise((resolve) => setTimeout(resolve, 1))));
  await Promise.all(Array.from({ length: 20000 }, () => new Promise(setImmediate)));
};

// ---- Files

const dir = fs.mkdtempSync(path.join(os.tmpdir(), "leaks-"));
process.on("exit", () => fs.rmSync(dir, { recursive: true, force: true }));
const file = path.join(dir, "file");
fs.writeFileSync(file, bytes);

exports["fs, whole files"] = () => times(15, async (i) => {
  const copy = path.join(dir, `copy${i}`);
  fs.writeFileSync(copy, fs.readFileSync(file));
  await fs.promises.writeFile(copy, await fs.promises.readFile(file, "latin1"), "latin1");
  await new Promise((resolve) => fs.readFile(copy, resolve));
  await Bun.write(copy, Bun.file(file));
  await Bun.file(copy).bytes();
});

exports["fs, handles, folders and errors"] = () => times(300, async () => {
  const handle = await fs.promises.open(file);
  await handle.read(Buffer.alloc(30000), 0, 30000, 0);
  await handle.stat();
  await handle.close();
  const folder = await fs.promises.opendir(dir);
  await folder.read();
  await folder.close();
  await fs.promises.readFile(path.join(dir, "none")).catch(() => {});
  await fs.promises.readdir(dir, { withFileTypes: true });
});

exports["fs, streams and watchers"] = () => times(40, async (i) => {
  const stream = fs.createReadStream(file, { highWaterMark: MB / 4 });
  if (i % 2) await new Promise((resolve) => stream.once("data", () => stream.destroy()).once("close", resolve));
  else for await (const chunk of stream) void chunk;
  const out = fs.createWriteStream(path.join(dir, "out"));
  await new Promise((resolve) => out.end(bytes.subarray(0, 100000), resolve));
  fs.watch(dir).close();
});
