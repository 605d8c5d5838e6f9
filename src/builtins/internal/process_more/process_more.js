// internal/process_more -- the parts of node:process that few programs touch (Node: process).
// native: see process_more.c.
const { ERR_INVALID_ARG_TYPE } = require("internal/errors");
const { validateString, validateObject } = require("internal/validators");

let made;

/** All of them at once, for the process object `self`; `kill` is the native of node:process. */
exports.make = function make(self, { kill }) {
  made ??= { ...usage(), ...identity(kill), ...rest(self), ...placeholders() };
  return made;
};

function notImplemented(name) {
  return {
    [name]() {
      throw new Error(`not implemented: process.${name}`);
    },
  }[name];
}

function checkPrevious(previous, name) {
  const value = previous[name];
  if (typeof value === "number" && value >= 0 && value <= Number.MAX_SAFE_INTEGER) return;
  validateObject(previous, "prevValue");
  require("internal/validators").validateNumber(value, `prevValue.${name}`);
  const { ERR_INVALID_ARG_VALUE_RANGE } = require("internal/errors");
  throw new ERR_INVALID_ARG_VALUE_RANGE(`prevValue.${name}`, value);
}

function usage() {
  function memoryUsage() {
    const { 0: rss, 1: heapTotal, 2: heapUsed, 3: external, 4: arrayBuffers } =
      native.memoryUsage();
    return { rss, heapTotal, heapUsed, external, arrayBuffers };
  }
  memoryUsage.rss = function rss() {
    return native.memoryUsage()[0];
  };
  const difference = (now, previous) => {
    if (!previous) return now;
    checkPrevious(previous, "user");
    checkPrevious(previous, "system");
    return { user: now.user - previous.user, system: now.system - previous.system };
  };
  return {
    memoryUsage,
    resourceUsage() {
      const v = native.resourceUsage();
      const names = [
        "userCPUTime",
        "systemCPUTime",
        "maxRSS",
        "sharedMemorySize",
        "unsharedDataSize",
        "unsharedStackSize",
        "minorPageFault",
        "majorPageFault",
        "swappedOut",
        "fsRead",
        "fsWrite",
        "ipcSent",
        "ipcReceived",
        "signalsCount",
        "voluntaryContextSwitches",
        "involuntaryContextSwitches",
      ];
      return Object.fromEntries(names.map((name, i) => [name, v[i]]));
    },
    cpuUsage(previous) {
      const v = native.resourceUsage();
      return difference({ user: v[0], system: v[1] }, previous);
    },
    threadCpuUsage(previous) {
      const v = native.threadUsage();
      return difference({ user: v[0], system: v[1] }, previous);
    },
    availableMemory() {
      return native.availableMemory();
    },
    constrainedMemory() {
      return native.constrainedMemory();
    },
  };
}

function checkId(id, name) {
  if (typeof id === "number") {
    require("internal/validators").validateUint32(id, name);
  } else if (typeof id !== "string") {
    throw new ERR_INVALID_ARG_TYPE(name, ["number", "string"], id);
  }
}

/** The number of a user ("User") or group ("Group"), given by number or name. */
function idOf(kind, id) {
  if (typeof id === "number") return id;
  const number = kind === "User" ? native.userId(id) : native.groupId(id);
  if (number >= 0) return number;
  const { ERR_UNKNOWN_CREDENTIAL } = require("internal/errors");
  throw new ERR_UNKNOWN_CREDENTIAL(kind, id);
}

function identity(kill) {
  const setter = (name, kind) =>
    ({
      [name](id) {
        checkId(id, "id");
        native.setId(name, idOf(kind, id));
      },
    })[name];
  return {
    getgroups() {
      const list = native.groups();
      const group = process.getegid();
      return list.includes(group) ? list : [...list, group];
    },
    setuid: setter("setuid", "User"),
    seteuid: setter("seteuid", "User"),
    setgid: setter("setgid", "Group"),
    setegid: setter("setegid", "Group"),
    setgroups(groups) {
      require("internal/validators").validateArray(groups, "groups");
      groups.forEach((group, i) => checkId(group, `groups[${i}]`));
      native.setGroups(groups.map((group) => idOf("Group", group)));
    },
    initgroups(user, extraGroup) {
      checkId(user, "user");
      checkId(extraGroup, "extraGroup");
      const group = idOf("Group", extraGroup);
      native.initGroups(typeof user === "number" ? nameOfUser(user) : user, group);
    },
    _kill(pid, signal) {
      return kill(pid | 0, signal);
    },
  };
}

/** initgroups wants a name. */
function nameOfUser(uid) {
  const { userInfo } = require("node:os");
  if (uid === process.getuid()) return userInfo().username;
  const { ERR_UNKNOWN_CREDENTIAL } = require("internal/errors");
  throw new ERR_UNKNOWN_CREDENTIAL("User", uid);
}

// ---- Warnings
// ----------------------------------------------------------------------------------------

let isHintShown = false;

/** How to find out where a warning comes from: said once. */
function hintFor(self, isDeprecation) {
  if (isHintShown) return "";
  isHintShown = true;
  const program = self.argv0.slice(self.argv0.lastIndexOf("/") + 1) || "cob";
  const flag = isDeprecation ? "--trace-deprecation" : "--trace-warnings";
  return `\n(Use \`${program} ${flag} ...\` to show where the warning was created)`;
}

/** Of NODE_OPTIONS, which is Node's, what is said about warnings counts here too. */
function isDisabled(self, flags, { code, name }) {
  const disabled = flags.disableWarnings;
  const more = /(?:^|\s)--disable-warning[= ](\S+)/g;
  const options = self.env.NODE_OPTIONS ?? "";
  for (let m; (m = more.exec(options)) !== null; ) disabled.push(m[1]);
  return disabled.includes(code) || disabled.includes(name);
}

exports.showWarning = function showWarning(self, warning) {
  const flags = native.flags();
  if (flags.noWarnings || self.env.NODE_NO_WARNINGS === "1") return;
  if (!(warning instanceof Error) || isDisabled(self, flags, warning)) return;
  const isDeprecation = warning.name === "DeprecationWarning";
  if (isDeprecation && self.noDeprecation) return;
  const isTraced =
    flags.traceWarnings ||
    self.traceProcessWarnings ||
    (isDeprecation && self.traceDeprecation);
  const code = warning.code ? `[${warning.code}] ` : "";
  const { toString = 0 } = warning;
  const shown = typeof toString === "function" ? toString : Error.prototype.toString;
  const body = isTraced && warning.stack ? warning.stack : shown.call(warning);
  const detail = typeof warning.detail === "string" ? `\n${warning.detail}` : "";
  const hint = isTraced ? "" : hintFor(self, isDeprecation);
  const text = `(${self.release.name}:${self.pid}) ${code}${body}${detail}${hint}\n`;
  const file = flags.redirectWarnings || self.env.NODE_REDIRECT_WARNINGS;
  if (!file || !native.appendText(file, text)) native.printError(text);
};

function makeWarning(warning, { type, code, detail, ctor }) {
  if (warning instanceof Error) return warning;
  const made = new Error(warning);
  made.name = String(type || "Warning");
  if (code !== undefined) made.code = code;
  if (detail !== undefined) made.detail = detail;
  Error.captureStackTrace(made, ctor || process.emitWarning);
  return made;
}

/** The forms (warning, type, code, ctor), (warning, options) and those with less. */
function readWarning({ 1: second, 2: third, 3: fourth }) {
  if (second !== null && typeof second === "object" && !Array.isArray(second)) {
    const { type, code, ctor, detail } = second;
    const text = typeof detail === "string" ? detail : undefined;
    return { type: type || "Warning", code, ctor, detail: text };
  }
  if (typeof second === "function") return { type: "Warning", ctor: second };
  if (typeof third === "function") return { type: second, ctor: third };
  return { type: second, code: third, ctor: fourth };
}

function emitWarning(self, args) {
  const { 0: warning, 1: second } = args;
  if (self.noDeprecation && second === "DeprecationWarning") return;
  const read = readWarning(args);
  if (read.type !== undefined) validateString(read.type, "type");
  if (read.code !== undefined) validateString(read.code, "code");
  if (typeof warning !== "string" && !(warning instanceof Error)) {
    throw new ERR_INVALID_ARG_TYPE("warning", ["Error", "string"], warning);
  }
  const made = makeWarning(warning, read);
  if (made.name === "DeprecationWarning") {
    if (self.noDeprecation) return;
    if (self.throwDeprecation) {
      self.nextTick(() => {
        throw made;
      });
      return;
    }
  }
  self.nextTick(() => self.emit("warning", made));
}

/** Becomes another program. */
function execve(execPath, args = [], env = process.env) {
  const { validateArray } = require("internal/validators");
  const { ERR_INVALID_ARG_VALUE } = require("internal/errors");
  const isText = (v) => typeof v === "string" && !v.includes("\0");
  validateString(execPath, "execPath");
  validateArray(args, "args");
  args.forEach((arg, i) => {
    if (isText(arg)) return;
    throw new ERR_INVALID_ARG_VALUE(`args[${i}]`, arg, "must be a string without null bytes");
  });
  validateObject(env, "env");
  const pairs = Object.entries(env);
  if (!pairs.every(({ 0: key, 1: value }) => isText(key) && isText(value))) {
    throw new ERR_INVALID_ARG_VALUE(
      "env",
      env,
      "must be an object with string keys and values without null bytes",
    );
  }
  native.execve(execPath, args, pairs.map(({ 0: key, 1: value }) => `${key}=${value}`));
}

// ---- Others
// ------------------------------------------------------------------------------------------------

function rest(self) {
  return {
    emitWarning(...args) {
      emitWarning(self, args);
    },
    getActiveResourcesInfo: notImplemented("getActiveResourcesInfo"),
    loadEnvFile(path = ".env") {
      const { parseEnv } = require("internal/util/parse_env");
      const found = parseEnv(native.readText(`${path}`));
      for (let i = 0, all = Object.keys(found); i < all.length; i++) {
        const key = all[i];
        if (self.env[key] === undefined) self.env[key] = found[key];
      }
    },
    assert(value, message) {
      if (value) return;
      const { ERR_ASSERTION } = require("internal/errors");
      throw new ERR_ASSERTION(message || "assertion error");
    },
    ref(target) {
      (target?.[Symbol.for("nodejs.ref")] ?? target?.ref)?.call(target);
    },
    unref(target) {
      (target?.[Symbol.for("nodejs.unref")] ?? target?.unref)?.call(target);
    },
    getBuiltinModule(id) {
      validateString(id, "id");
      return native.publicBuiltin(id);
    },
    sourceMapsEnabled: false,
    setSourceMapsEnabled(value) {
      require("internal/validators").validateBoolean(value, "val");
      self.sourceMapsEnabled = value;
    },
    openStdin() {
      self.stdin.resume();
      return self.stdin;
    },
    _rawDebug(...args) {
      native.printError(`${Reflect.apply(require("internal/inspect").format, undefined, args)}\n`);
    },
    debugPort: 9229,
  };
}

// Members that exist in Node and do nothing here, or say that they are missing.
function placeholders() {
  return {
    dlopen: require("internal/napi").dlopen,
    execve,
    binding(name) {
      return require("internal/process_more/bindings").binding(name);
    },
    _linkedBinding(name) {
      const error = new Error(`No such binding: ${name}`);
      error.code = "ERR_INVALID_MODULE";
      throw error;
    },
    _preload_modules: [],
    _tickCallback() {
      require("internal/tick").runNextTicks();
    },
    /** Did somebody take the error?  If not, the process ends. */
    _fatalException(error, fromPromise) {
      const origin = fromPromise ? "unhandledRejection" : "uncaughtException";
      require("internal/report").reportException(error, origin);
      return true;
    },
    _debugEnd: notImplemented("_debugEnd"),
    _debugProcess: notImplemented("_debugProcess"),
    // They do nothing in Node, either.
    _startProfilerIdleNotifier() {},
    _stopProfilerIdleNotifier() {},
    _getActiveHandles() {
      return [];
    },
    _getActiveRequests() {
      return [];
    },
    finalization: {
      register: notImplemented("finalization.register"),
      registerBeforeExit: notImplemented("finalization.registerBeforeExit"),
      unregister: notImplemented("finalization.unregister"),
    },
    report: {
      compact: false,
      directory: "",
      filename: "",
      reportOnFatalError: false,
      reportOnSignal: false,
      reportOnUncaughtException: false,
      signal: "SIGUSR2",
      excludeEnv: false,
      excludeNetwork: false,
      getReport(error) {
        if (error !== undefined) validateObject(error, "err");
        const { getReport } = require("internal/process_more/document");
        return getReport(error, native.libcVersion());
      },
      writeReport: notImplemented("report.writeReport"),
    },
  };
}
