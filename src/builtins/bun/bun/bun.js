// @global Bun=* Cob=*
// @internal
// bun:bun -- the Bun object, also called Cob.  Members are made when they are first read.
//
// native: version() -> [bun, cob, revision]; nanoseconds(); sleepSync(ms); gc(isSync); shrink()
const { expectProperties, lazies } = require("internal/process_util");
const { ERR_INVALID_ARG_TYPE } = require("internal/errors");
const Bun = exports;
const [version, cobVersion, revision] = native.versions();
expectProperties(Bun);

Object.assign(Bun, {
  version,
  revision,
  version_with_sha: `v${version} (${revision})`,
  cobVersion,
  origin: "",
  isStandaloneExecutable: false,
});
Object.defineProperty(Bun, Symbol.toStringTag, { value: "Bun", configurable: true });

Object.defineProperty(Bun, "env", { get: () => process.env, enumerable: true, configurable: true });

// Each member that has a module of its own, by that module.
function load(name) {
  switch (name) {
    case "argv": return process.argv;
    case "main": return process.argv[1] ?? "";
    case "inspect": return makeInspect();
    case "Cookie": case "CookieMap": return require("bun:cookie")[name];
    case "file": case "mmap": return require("bun:file")[name];
    case "write": return require("bun:file/write").write;
    case "stdin": return require("bun:file").file(0);
    case "stdout": return require("bun:file").file(1);
    case "stderr": return require("bun:file").file(2);
    case "fetch": return require("web/fetch").fetch;
    case "connect": case "listen": return require("bun:socket")[name];
    case "udpSocket": return require("bun:udp").udpSocket;
    case "dns": return require("bun:dns");
    case "serve": return require("bun:serve").serve;
    case "Transpiler": return require("bun:transpiler").Transpiler;
    case "isMainThread": return require("internal/threads").isMainThread;
    case "hash": return require("bun:hash").hash;
    case "color": return require("bun:color").color;
    case "wrapAnsi": return require("bun:ansi").wrapAnsi;
    case "sliceAnsi": return require("bun:ansi/slice").sliceAnsi;
    case "Glob": case "peek": case "semver": return require("bun:glob")[name];
    case "fileURLToPath": case "pathToFileURL": return require("internal/file_url")[name];
    case "spawn": case "spawnSync": return require("bun:spawn")[name];
    case "$": return require("bun:shell").$;
    case "unsafe": return require("bun:bun/unsafe");
    case "jest": return require("bun:test").jestOf;
    case "enableANSIColors": return require("web/console").hasColors(1);
    case "password": return require("bun:password").password;
    case "embeddedFiles": return [];
    case "Archive": return require("bun:archive").Archive;
    case "Terminal": return require("bun:terminal").Terminal;
    case "JSONL": return require("bun:jsonl").JSONL;
    case "CSRF": return require("bun:csrf").CSRF;
    case "cron": return require("bun:cron").cron;
    case "FileSystemRouter": return require("bun:router").FileSystemRouter;
    case "FFI": return require("bun:ffi");
    case "plugin": return require("bun:plugin").plugin;
  }
}

lazies(
  Bun,
  [
    "embeddedFiles", "argv", "main", "inspect", "Cookie", "CookieMap", "file", "write", "mmap",
    "stdin", "stdout", "stderr", "fetch", "connect", "listen", "udpSocket", "dns", "serve",
    "Transpiler", "isMainThread", "hash", "color", "wrapAnsi", "sliceAnsi", "Glob", "peek",
    "semver", "fileURLToPath", "pathToFileURL", "spawn", "spawnSync", "Archive", "Terminal",
    "JSONL", "CSRF", "cron", "FileSystemRouter", "FFI", "$", "unsafe", "jest",
    "enableANSIColors", "password", "plugin",
  ],
  load,
);
lazies(
  Bun,
  [
    "allocUnsafe", "concatArrayBuffers", "deepEquals", "deepMatch", "escapeHTML", "indexOfLine",
    "randomUUIDv5", "randomUUIDv7", "stringWidth", "stripANSI", "which",
  ],
  (name) => require("bun:tools")[name],
);
lazies(
  Bun,
  ["TOML", "YAML", "JSONC", "JSON5", "XML"],
  (name) => require("internal/data")[name],
);
lazies(
  Bun,
  [
    "deflateSync", "gunzipSync", "gzipSync", "inflateSync", "zstdCompress", "zstdCompressSync",
    "zstdDecompress", "zstdDecompressSync",
  ],
  (name) => require("bun:zlib")[name],
);
lazies(
  Bun,
  [
    "ArrayBufferSink", "readableStreamToArray", "readableStreamToArrayBuffer",
    "readableStreamToBlob", "readableStreamToBytes", "readableStreamToFormData",
    "readableStreamToJSON", "readableStreamToText",
  ],
  (name) => require("bun:streams")[name],
);
lazies(
  Bun,
  [
    "CryptoHasher", "MD4", "MD5", "SHA1", "SHA224", "SHA256", "SHA384", "SHA512", "SHA512_256",
    "sha",
  ],
  (name) => require("bun:crypto")[name],
);

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
  // setTimeout takes what is too much for nothing; here it is a long time.
  return new Promise((resolve) => setTimeout(resolve, Math.min(Math.max(0, ms), 2 ** 31 - 1)));
};

/** Blocks the thread for that many milliseconds. */
Bun.sleepSync = function sleepSync(ms) {
  const wrong = (text) =>
    require("internal/errors").makeCoded("TypeError", "ERR_INVALID_ARG_TYPE", text);
  if (typeof ms !== "number") throw wrong("milliseconds must be a number");
  if (ms < 0) throw wrong(`argument to sleepSync must not be negative, got ${ms}`);
  if (ms > 0) native.sleepSync(ms);
};

Bun.cwd = function cwd() {
  return process.cwd();
};

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
