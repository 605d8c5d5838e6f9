// @global Bun=* Cob=*
// @internal
// bun:bun -- the Bun object, also called Cob.  Members are made when they are first read.
//
// native: version() -> [bun, cob, revision]; nanoseconds(); sleepSync(ms); gc(isSync); shrink()
const { lazy } = require("internal/process_util");
const { ERR_INVALID_ARG_TYPE } = require("internal/errors");
const Bun = exports;
const [version, cobVersion, revision] = native.versions();

Object.assign(Bun, {
  version,
  revision,
  version_with_sha: `v${version} (${revision})`,
  cobVersion,
  origin: "",
  isStandaloneExecutable: false,
});
lazy(Bun, "embeddedFiles", () => []);
Object.defineProperty(Bun, Symbol.toStringTag, { value: "Bun", configurable: true });

lazy(Bun, "argv", () => process.argv);
Object.defineProperty(Bun, "env", { get: () => process.env, enumerable: true, configurable: true });
lazy(Bun, "main", () => process.argv[1] ?? "");
lazy(Bun, "inspect", makeInspect);
lazy(Bun, "Cookie", () => require("bun:cookie").Cookie);
lazy(Bun, "CookieMap", () => require("bun:cookie").CookieMap);
lazy(Bun, "file", () => require("bun:file").file);
lazy(Bun, "write", () => require("bun:file/write").write);
lazy(Bun, "mmap", () => require("bun:file").mmap);
lazy(Bun, "stdin", () => require("bun:file").file(0));
lazy(Bun, "stdout", () => require("bun:file").file(1));
lazy(Bun, "stderr", () => require("bun:file").file(2));
lazy(Bun, "fetch", () => require("web/fetch").fetch);
lazy(Bun, "connect", () => require("bun:socket").connect);
lazy(Bun, "listen", () => require("bun:socket").listen);
lazy(Bun, "udpSocket", () => require("bun:udp").udpSocket);
lazy(Bun, "dns", () => require("bun:dns"));
lazy(Bun, "serve", () => require("bun:serve").serve);
lazy(Bun, "Transpiler", () => require("bun:transpiler").Transpiler);
lazy(Bun, "isMainThread", () => require("internal/threads").isMainThread);
lazy(Bun, "hash", () => require("bun:hash").hash);
lazy(Bun, "color", () => require("bun:color").color);
lazy(Bun, "wrapAnsi", () => require("bun:ansi").wrapAnsi);
lazy(Bun, "sliceAnsi", () => require("bun:ansi/slice").sliceAnsi);
for (const name of [
  "allocUnsafe", "concatArrayBuffers", "deepEquals", "deepMatch", "escapeHTML", "indexOfLine",
  "randomUUIDv5", "randomUUIDv7", "stringWidth", "stripANSI", "which",
]) {
  lazy(Bun, name, () => require("bun:tools")[name]);
}
for (const name of ["Glob", "peek", "semver"]) lazy(Bun, name, () => require("bun:glob")[name]);
for (const name of ["fileURLToPath", "pathToFileURL"]) {
  lazy(Bun, name, () => require("internal/file_url")[name]);
}
lazy(Bun, "spawn", () => require("bun:spawn").spawn);
lazy(Bun, "spawnSync", () => require("bun:spawn").spawnSync);
lazy(Bun, "Archive", () => require("bun:archive").Archive);
lazy(Bun, "Terminal", () => require("bun:terminal").Terminal);
lazy(Bun, "JSONL", () => require("bun:jsonl").JSONL);
lazy(Bun, "CSRF", () => require("bun:csrf").CSRF);
lazy(Bun, "cron", () => require("bun:cron").cron);
lazy(Bun, "FileSystemRouter", () => require("bun:router").FileSystemRouter);
lazy(Bun, "FFI", () => require("bun:ffi"));
lazy(Bun, "$", () => require("bun:shell").$);
lazy(Bun, "unsafe", () => require("bun:bun/unsafe"));
lazy(Bun, "jest", () => require("bun:test").jestOf);
lazy(Bun, "enableANSIColors", () => require("web/console").hasColors(1));

lazy(Bun, "password", () => require("bun:password").password);
lazy(Bun, "plugin", () => require("bun:plugin").plugin);
for (const name of ["TOML", "YAML", "JSONC", "JSON5", "XML"]) {
  lazy(Bun, name, () => require("internal/data")[name]);
}

function makeInspect() {
  const { bunInspect } = require("internal/inspect");
  function inspect(value, options, ...rest) {
    return bunInspect(value, options, ...rest);
  }
  inspect.custom = Symbol.for("nodejs.util.inspect.custom");
  inspect.table = (...args) => require("internal/inspect").inspectTable(...args);
  return inspect;
}

/** Nanoseconds since the program was started. */
Bun.nanoseconds = function nanoseconds() {
  return native.nanoseconds();
};

/** Collects garbage, with true before the call returns.  The result is the size of the heap. */
Bun.gc = function gc(isSync = false) {
  return native.gc(Boolean(isSync));
};

/** Gives unused memory back to the system. */
Bun.shrink = function shrink() {
  native.shrink();
};

/** Resolves after that many milliseconds, or at that Date. */
Bun.sleep = function sleep(time) {
  const ms = time instanceof Date ? time.getTime() - Date.now() : time;
  if (typeof ms !== "number") throw new ERR_INVALID_ARG_TYPE("ms", ["number", "Date"], time);
  return new Promise((resolve) => setTimeout(resolve, Math.max(0, ms)));
};

/** Blocks the thread for that many milliseconds. */
Bun.sleepSync = function sleepSync(ms) {
  if (typeof ms !== "number") throw new ERR_INVALID_ARG_TYPE("ms", "number", ms);
  if (ms > 0) native.sleepSync(ms);
};

Bun.cwd = function cwd() {
  return process.cwd();
};

for (const name of [
  "deflateSync", "gunzipSync", "gzipSync", "inflateSync", "zstdCompress", "zstdCompressSync",
  "zstdDecompress", "zstdDecompressSync",
]) {
  lazy(Bun, name, () => require("bun:zlib")[name]);
}

for (const name of [
  "ArrayBufferSink", "readableStreamToArray", "readableStreamToArrayBuffer",
  "readableStreamToBlob", "readableStreamToBytes", "readableStreamToFormData",
  "readableStreamToJSON", "readableStreamToText",
]) {
  lazy(Bun, name, () => require("bun:streams")[name]);
}

for (const name of [
  "CryptoHasher", "MD4", "MD5", "SHA1", "SHA224", "SHA256", "SHA384", "SHA512", "SHA512_256", "sha",
]) {
  lazy(Bun, name, () => require("bun:crypto")[name]);
}

/** What `specifier` means in the folder or file `from`: a path, or the name of a built-in. */
Bun.resolveSync = function resolveSync(specifier, from) {
  if (specifier === undefined) throw new TypeError("Expected a specifier and a from path");
  if (from === undefined) throw new TypeError("Expected a from path");
  return require("internal/esm").resolveFrom(specifier, from);
};

Bun.resolve = async function resolve(specifier, from) {
  return Bun.resolveSync(specifier, from);
};

// What is not there yet says so when it is called, instead of "undefined is not a function".
const missing = [
  "build", "generateHeapSnapshot", "openInEditor", "SQL",
  "RedisClient", "S3Client",
];
for (const name of missing) {
  Bun[name] = {
    [name]: function () {
      throw new Error(`not implemented: Bun.${name}`);
    },
  }[name];
}
