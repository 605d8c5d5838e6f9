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

function usage() {
  function memoryUsage() {
    const [rss, heapTotal, heapUsed, external, arrayBuffers] = native.memoryUsage();
    return { rss, heapTotal, heapUsed, external, arrayBuffers };
  }
  memoryUsage.rss = function rss() {
    return native.memoryUsage()[0];
  };
  const difference = (now, previous) => {
    if (previous === undefined) return now;
    validateObject(previous, "prevValue");
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

function identity(kill) {
  const setter = (name) =>
    ({
      [name](id) {
        if (typeof id !== "number" && typeof id !== "string") {
          throw new ERR_INVALID_ARG_TYPE("id", ["number", "string"], id);
        }
        native.setId(name, id);
      },
    })[name];
  return {
    getgroups() {
      return native.groups();
    },
    setuid: setter("setuid"),
    seteuid: setter("seteuid"),
    setgid: setter("setgid"),
    setegid: setter("setegid"),
    setgroups: notImplemented("setgroups"),
    initgroups: notImplemented("initgroups"),
    _kill(pid, signal) {
      try {
        kill(pid, signal);
        return 0;
      } catch (error) {
        return error.errno;
      }
    },
  };
}

// ---- Warnings
// ----------------------------------------------------------------------------------------

function printWarning(self, warning) {
  if (native.flags().noWarnings) return;
  const code = warning.code ? `[${warning.code}] ` : "";
  const isTraced =
    self.traceWarnings || (warning.name === "DeprecationWarning" && self.traceDeprecation);
  const text =
    isTraced && warning.stack ? `${warning.stack}` : `${warning.name}: ${warning.message}`;
  const detail = typeof warning.detail === "string" ? `\n${warning.detail}` : "";
  native.printError(`(node:${self.pid}) ${code}${text}${detail}\n`);
}

function makeWarning(warning, type, code, detail) {
  if (warning instanceof Error) return warning;
  const made = new Error(warning);
  made.name = String(type || "Warning");
  if (code !== undefined) made.code = code;
  if (detail !== undefined) made.detail = detail;
  return made;
}

function emitWarning(self, [warning, typeOrOptions, codeOrCtor]) {
  let type = typeOrOptions;
  let code = codeOrCtor;
  let detail;
  if (type !== null && typeof type === "object" && !Array.isArray(type)) {
    ({ type, code, detail } = typeOrOptions);
  } else if (typeof type === "function") {
    type = "Warning";
    code = undefined;
  }
  if (type !== undefined) validateString(type, "type");
  if (typeof code === "function") code = undefined;
  else if (code !== undefined) validateString(code, "code");
  if (typeof warning !== "string" && !(warning instanceof Error)) {
    throw new ERR_INVALID_ARG_TYPE("warning", ["Error", "string"], warning);
  }
  const made = makeWarning(warning, type, code, typeof detail === "string" ? detail : undefined);
  if (made.name === "DeprecationWarning") {
    if (self.noDeprecation) return;
    if (self.throwDeprecation) {
      self.nextTick(() => {
        throw made;
      });
      return;
    }
  }
  self.nextTick(() => {
    printWarning(self, made);
    self.emit("warning", made);
  });
}

// ---- Others
// ------------------------------------------------------------------------------------------------

function parseEnv(text) {
  const found = {};
  const pattern = /^\s*(?:export\s+)?([\w.-]+)\s*=\s*("(?:\\.|[^"])*"|'[^']*'|`[^`]*`|[^#\n]*)/gm;
  for (const [, key, raw] of text.matchAll(pattern)) {
    const value = raw.trim();
    const quote = /^["'`]/.exec(value)?.[0];
    const bare = quote ? value.slice(1, -1) : value;
    found[key] = quote === '"' ? bare.replace(/\\n/g, "\n") : bare;
  }
  return found;
}

function rest(self) {
  return {
    emitWarning(...args) {
      emitWarning(self, args);
    },
    getActiveResourcesInfo: notImplemented("getActiveResourcesInfo"),
    loadEnvFile(path = ".env") {
      const found = parseEnv(native.readText(`${path}`));
      for (const key of Object.keys(found))
        if (self.env[key] === undefined) self.env[key] = found[key];
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
    openStdin() {
      self.stdin.resume();
      return self.stdin;
    },
    _rawDebug(...args) {
      native.printError(`${require("internal/inspect").format(...args)}\n`);
    },
    debugPort: 9229,
  };
}

// Members that exist in Node and do nothing here, or say that they are missing.
function placeholders() {
  return {
    dlopen: notImplemented("dlopen"),
    execve: notImplemented("execve"),
    binding(name) {
      throw new Error(`No such module: ${name}`);
    },
    _getActiveHandles() {
      return [];
    },
    _getActiveRequests() {
      return [];
    },
    setSourceMapsEnabled() {},
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
      getReport: notImplemented("report.getReport"),
      writeReport: notImplemented("report.writeReport"),
    },
  };
}
