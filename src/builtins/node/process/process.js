// @global process=*
// node:process -- the process object (Node: process).
//
// native: see process.c.  Parts that few programs touch are in internal/process_* and load when
// used.
const EventEmitter = require("node:events");
const tick = require("internal/tick");
const report = require("internal/report");
const { ERR_INVALID_ARG_TYPE, ERR_UNKNOWN_SIGNAL } = require("internal/errors");
const { validateFunction, validateString } = require("internal/validators");

const { define, expectProperties, lazies, lazy } = require("internal/process_util");
const facts = native.facts(); // argv, execArgv, execPath, pid, ppid, versions, ...

function process() {}
const proto = Object.create(EventEmitter.prototype, {
  constructor: { value: process, writable: true, configurable: true },
});
process.prototype = proto;
const self = Object.create(proto);
expectProperties(self);
EventEmitter.call(self);
Object.defineProperty(self, Symbol.toStringTag, {
  __proto__: null, value: "process", writable: true,
});

let isExiting = false;
let exitCode;

Object.assign(self, {
  version: `v${facts.versions.node}`,
  versions: Object.freeze(facts.versions),
  arch: "x64",
  platform: "linux",
  release: { name: "node" },
  argv: facts.argv,
  execArgv: facts.execArgv,
  execPath: facts.execPath,
  argv0: facts.argv0,
  pid: facts.pid,
  ppid: facts.ppid,
  exiting: false,
  isBun: true,
  browser: false,
  revision: facts.revision,
  features: {
    inspector: false,
    debug: false,
    uv: true,
    ipv6: true,
    tls_alpn: true,
    tls_sni: true,
    tls_ocsp: true,
    tls: true,
    cached_builtins: true,
    openssl_is_boringssl: false,
    quic: false,
    require_module: true,
    typescript: "transform",
  },
  nextTick: tick.nextTick,
  moduleLoadList: [],
});
delete self.exiting;

// ---- Leaving
// -----------------------------------------------------------------------------------------

function checkCode(value, name) {
  if (value === undefined || value === null) return undefined;
  const n = typeof value === "string" && value !== "" ? Number(value) : value;
  // Text counts only if it is a whole number (Node: process.exitCode).
  if (typeof n !== "number" || (typeof value === "string" && !Number.isInteger(n))) {
    throw new ERR_INVALID_ARG_TYPE(name, "number", value);
  }
  if (!Number.isInteger(n)) {
    const { ERR_OUT_OF_RANGE } = require("internal/errors");
    throw new ERR_OUT_OF_RANGE(name, "an integer", value);
  }
  return n;
}

define(
  self,
  "exitCode",
  () => exitCode,
  (value) => {
    exitCode = checkCode(value, "code");
  },
);

/** Emits 'exit' once and returns the code that the listeners left. */
function emitExit(code) {
  if (!isExiting) {
    isExiting = true;
    if (exitCode === undefined) exitCode = code;
    self.emit("exit", exitCode ?? 0);
  }
  return exitCode ?? 0;
}

self.exit = function exit(code) {
  const checked = checkCode(code, "code");
  if (checked !== undefined) exitCode = checked;
  if (!isExiting) {
    isExiting = true;
    self.emit("exit", exitCode ?? 0);
  }
  self.reallyExit(exitCode ?? 0);
};

self.reallyExit = function reallyExit(code) {
  native.exit(code ?? 0);
};

Object.assign(self, {
  abort() {
    native.abort();
  },
});

define(
  self,
  "_exiting",
  () => isExiting,
  (value) => {
    isExiting = Boolean(value);
  },
);
tick.isExiting = () => isExiting;

native.setExitHooks(
  function beforeExit() {
    self.emit("beforeExit", exitCode ?? 0);
  },
  (code) => emitExit(code),
);

// ---- Uncaught exceptions and rejections
// ------------------------------------------------------------------

let captureCallback = null;

self.setUncaughtExceptionCaptureCallback = function setUncaughtExceptionCaptureCallback(fn) {
  if (fn !== null && typeof fn !== "function") {
    throw new ERR_INVALID_ARG_TYPE("fn", ["Function", "null"], fn);
  }
  if (fn !== null && captureCallback !== null) {
    const { ERR_UNCAUGHT_EXCEPTION_CAPTURE_ALREADY_SET } = require("internal/errors");
    throw new ERR_UNCAUGHT_EXCEPTION_CAPTURE_ALREADY_SET();
  }
  captureCallback = fn;
};

self.hasUncaughtExceptionCaptureCallback = function hasUncaughtExceptionCaptureCallback() {
  return captureCallback !== null;
};

report.setProcess({
  emitUncaught(error, origin) {
    if (captureCallback !== null) {
      captureCallback(error);
      return true;
    }
    self.emit("uncaughtExceptionMonitor", error, origin);
    return self.emit("uncaughtException", error, origin);
  },
  /** Has the program replaced _fatalException by something that is no function? */
  hasLostHandler() {
    const property = Object.getOwnPropertyDescriptor(self, "_fatalException");
    return property?.get === undefined && typeof property?.value !== "function";
  },
  emitRejection: (reason, promise) => self.emit("unhandledRejection", reason, promise),
  emitLateHandled: (promise) => self.emit("rejectionHandled", promise),
  setExitCode(code) {
    exitCode ??= code;
  },
  exitAfterUncaught(code) {
    try {
      if (!isExiting) {
        isExiting = true;
        exitCode = code;
        self.emit("exit", code);
      }
    } catch {
      // The first error has been printed; one in an exit listener cannot add to it.
    }
    native.exit(exitCode ?? code);
  },
});

// ---- Where and who
// ---------------------------------------------------------------------------------------

self.cwd = function cwd() {
  const dir = native.cwd();
  if (typeof dir === "string") return dir;
  const { uvException } = require("internal/errors/system");
  const error = uvException({ errno: dir, syscall: "uv_cwd" });
  if (error.code === "ENOENT") {
    error.message = "ENOENT: process.cwd failed with error no such file or directory, the " +
      "current working directory was likely removed without changing the working directory, " +
      "uv_cwd";
  }
  throw error;
};

self.chdir = function chdir(directory) {
  validateString(directory, "directory");
  const errno = native.chdir(directory);
  if (errno === 0) return;
  const { uvException } = require("internal/errors/system");
  throw uvException({ errno, syscall: "chdir", path: self.cwd(), dest: directory });
};

self.umask = function umask(mask) {
  if (mask === undefined) return native.umask(-1);
  const n = typeof mask === "string" ? parseInt(mask, 8) : mask;
  if (typeof mask === "string" && !/^[0-7]+$/.test(mask)) {
    const { ERR_INVALID_ARG_VALUE } = require("internal/errors");
    throw new ERR_INVALID_ARG_VALUE(
      "mask",
      mask,
      "must be a 32-bit unsigned integer or an octal string",
    );
  }
  require("internal/validators").validateUint32(n, "mask");
  return native.umask(n & 0o777);
};

for (let i = 0, all = ["getuid", "geteuid", "getgid", "getegid"]; i < all.length; i++) {
  const name = all[i];
  self[name] = {
    [name]() {
      return native.ids(name);
    },
  }[name];
}

self.uptime = function uptime() {
  return native.uptime();
};

// ---- Time
// ------------------------------------------------------------------------------------------------

self.hrtime = function hrtime(previous) {
  const now = native.hrtime(); // [seconds, nanoseconds]
  if (previous === undefined) return now;
  require("internal/validators").validateArray(previous, "time");
  if (previous.length !== 2) {
    const { ERR_OUT_OF_RANGE } = require("internal/errors");
    throw new ERR_OUT_OF_RANGE("time", 2, previous.length);
  }
  let seconds = now[0] - previous[0];
  let nanoseconds = now[1] - previous[1];
  if (nanoseconds < 0) {
    seconds--;
    nanoseconds += 1e9;
  }
  return [seconds, nanoseconds];
};
self.hrtime.bigint = function bigint() {
  return native.hrtimeBigint();
};

// ---- Signals
// -----------------------------------------------------------------------------------------------

self.kill = function kill(pid, signal = "SIGTERM") {
  if (pid != (pid | 0)) throw new ERR_INVALID_ARG_TYPE("pid", "number", pid);
  const number = signal === (signal | 0) ? signal : native.signals()[signal || "SIGTERM"];
  if (!number && number !== 0) throw new ERR_UNKNOWN_SIGNAL(signal);
  const errno = self._kill(pid, number);
  if (errno) throw require("internal/errors/system").errnoException(errno, "kill");
  return true;
};

const isSignal = (name) => typeof name === "string" && name.startsWith("SIG");

// Subscribing to a signal starts watching it.  Not done with 'newListener', which a program could
// see (process.eventNames) or remove.
function watchSignal(name) {
  if (!isSignal(name) || self.listenerCount(name) > 0) return;
  const number = native.signals()[name];
  if (number !== undefined) native.signalStart(number, () => self.emit(name, name, number));
}

function unwatchSignal(name) {
  if (!isSignal(name) || self.listenerCount(name) > 0) return;
  const number = native.signals()[name];
  if (number !== undefined) native.signalStop(number);
}

const kAdders = ["on", "addListener", "once", "prependListener", "prependOnceListener"];
for (let i = 0; i < kAdders.length; i++) {
  const name = kAdders[i];
  const base = EventEmitter.prototype[name];
  hidden(proto, name, function (event, listener) {
    if (isSignal(event)) watchSignal(event);
    return base.call(this, event, listener);
  });
}
for (let i = 0, all = ["off", "removeListener", "removeAllListeners"]; i < all.length; i++) {
  const name = all[i];
  const base = EventEmitter.prototype[name];
  hidden(proto, name, function (...args) {
    const before = args.length === 0 ? this.eventNames().filter(isSignal) : [args[0]];
    base.apply(this, args);
    before.forEach(unwatchSignal);
    return this;
  });
}

function hidden(object, name, value) {
  Object.defineProperty(value, "name", { value: name });
  Object.defineProperty(object, name, {
    value,
    writable: true,
    configurable: true,
    enumerable: false,
  });
}

// ---- The rest, made at first use
// ------------------------------------------------------------------------------

lazy(self, "env", () => require("internal/process_env").makeEnv());
lazy(self, "stdout", () => require("internal/stdio").makeWritable(1));
lazy(self, "stderr", () => require("internal/stdio").makeWritable(2));
lazy(self, "stdin", () => require("internal/stdio").makeReadable(0));
lazy(self, "config", () => ({
  target_defaults: {},
  variables: {
    napi_build_version: "10",
    node_module_version: Number(facts.versions.modules),
    asan: 0,
    v8_enable_i18n_support: 1,
  },
}));
define(self, "title", () => native.title(), (value) => native.setTitle(`${value}`));
lazy(self, "mainModule", () => require("internal/cjs").main);
// How warnings are shown is a listener like any other: programs remove it.
self.on("warning", function onWarning(warning) {
  require("internal/process_more").showWarning(self, warning);
});
for (let i = 0, all = Object.entries(native.flags()); i < all.length; i++) {
  const { 0: name, 1: isOn } = all[i];
  if (isOn) self[name] = true;
}
lazy(self, "allowedNodeEnvironmentFlags", () => new Set());
lazies(
  self,
  [
    "memoryUsage", "resourceUsage", "cpuUsage", "threadCpuUsage", "availableMemory",
    "constrainedMemory", "emitWarning", "getgroups", "setuid", "seteuid", "setgid", "setegid",
    "setgroups", "initgroups", "getActiveResourcesInfo", "loadEnvFile", "assert", "ref", "unref",
    "getBuiltinModule", "openStdin", "dlopen", "binding", "_linkedBinding", "_preload_modules",
    "_tickCallback", "_fatalException", "_debugEnd", "_debugProcess",
    "_startProfilerIdleNotifier", "_stopProfilerIdleNotifier", "_getActiveHandles",
    "_getActiveRequests", "setSourceMapsEnabled", "sourceMapsEnabled", "finalization", "report",
    "execve", "_rawDebug", "_kill", "debugPort",
  ],
  (name) => require("internal/process_more").make(self, native)[name],
);
if (facts.ipcFd >= 0) {
  require("internal/subprocess/ipc").setUpProcess(self, facts.ipcFd, facts.ipcMode);
}
return self;
