// node:child_process -- starting programs (Node: child_process).
const errors = require("internal/errors");
const child = require("internal/subprocess");
const options_ = require("internal/subprocess/options");
const { ChildProcess } = require("internal/subprocess/process");
const { nextTick } = require("internal/tick");
const { validateAbortSignal, validateString } = require("internal/validators");

const MAX_BUFFER = 1024 * 1024;

// ---- spawn

function abort(process, killSignal, reason) {
  try {
    if (process.kill(killSignal)) {
      process.emit("error", new errors.AbortError(undefined, { cause: reason }));
    }
  } catch (error) {
    process.emit("error", error);
  }
}

function watchSignal(process, signal, killSignal) {
  if (signal.aborted) {
    nextTick(() => abort(process, killSignal, signal.reason));
    return;
  }
  const onAbort = () => abort(process, killSignal, signal.reason);
  require("internal/util/abort_listener").onAbort(signal, onAbort);
  process.once("exit", () => signal.removeEventListener("abort", onAbort));
}

function spawn(file, args, options) {
  const spec = options_.normalizeSpawn(file, args, options);
  options_.checkTimeout(spec.timeout);
  if (spec.signal !== undefined) validateAbortSignal(spec.signal, "options.signal");
  const killSignal = options_.killSignalOf(spec.killSignal);
  const process = new ChildProcess();
  process.spawn(spec);
  if (spec.timeout > 0) {
    let timer = setTimeout(() => {
      timer = undefined;
      try {
        process.kill(killSignal);
      } catch (error) {
        process.emit("error", error);
      }
    }, spec.timeout);
    process.once("exit", () => clearTimeout(timer));
  }
  if (spec.signal) watchSignal(process, spec.signal, killSignal);
  return process;
}

// ---- fork

function forkStdio(options) {
  const { stdio, silent } = options;
  if (typeof stdio === "string") {
    switch (stdio) {
      case "ignore":
      case "pipe":
      case "overlapped":
      case "inherit":
        return [stdio, stdio, stdio, "ipc"];
      default:
        throw new errors.ERR_INVALID_ARG_VALUE("stdio", stdio);
    }
  }
  if (!Array.isArray(stdio)) return forkStdio({ stdio: silent ? "pipe" : "inherit" });
  if (!stdio.includes("ipc")) throw new errors.ERR_CHILD_PROCESS_IPC_REQUIRED("options.stdio");
  return stdio;
}

function fork(modulePath, args, options) {
  modulePath = options_.pathOf(modulePath, "modulePath");
  if (modulePath === undefined) {
    throw new errors.ERR_INVALID_ARG_TYPE("modulePath", "string", modulePath);
  }
  options_.checkText(modulePath, "modulePath");
  if (args === undefined || args === null) {
    args = [];
  } else if (typeof args === "object" && !Array.isArray(args)) {
    options = args;
    args = [];
  } else if (!Array.isArray(args)) {
    throw new errors.ERR_INVALID_ARG_TYPE("args", "Array", args);
  }
  options_.checkTexts(args, "args");
  if (options !== undefined && options !== null) {
    require("internal/validators").validateObject(options, "options");
  }
  const copy = { ...options, shell: false };
  copy.execPath ||= process.execPath;
  validateString(copy.execPath, "options.execPath");
  options_.checkText(copy.execPath, "options.execPath");
  let execArgv = copy.execArgv ?? process.execArgv;
  if (!Array.isArray(execArgv)) {
    throw new errors.ERR_INVALID_ARG_TYPE("options.execArgv", "Array", execArgv);
  }
  options_.checkTexts(execArgv, "options.execArgv");
  // `-e text` was for this process.
  const at = execArgv.lastIndexOf(process._eval);
  if (execArgv === process.execArgv && process._eval !== undefined && at > 0) {
    execArgv = execArgv.toSpliced(at - 1, 2);
  }
  if (copy.serialization !== undefined) {
    const { validateOneOf } = require("internal/validators");
    validateOneOf(copy.serialization, "options.serialization", ["json", "advanced", undefined]);
  }
  copy.stdio = forkStdio(copy);
  return spawn(copy.execPath, [...execArgv, modulePath, ...args], copy);
}

// ---- exec and execFile

function failure(code, signal, name, child_, wasKilled, output) {
  const error = new Error(`Command failed: ${name}\n${output}`);
  error.code = code < 0 ? require("internal/errors/system").systemErrorName(code) : code;
  error.killed = child_.killed || wasKilled;
  error.signal = signal;
  error.cmd = name;
  return error;
}

// What one stream of a program writes, up to `max` characters or bytes.
class Collector {
  #chunks = [];
  #length = 0;

  constructor(stream, encoding, max, onFull) {
    this.encoding = encoding;
    this.stream = stream;
    if (stream === null) return;
    if (encoding !== undefined) stream.setEncoding(encoding);
    stream.on("data", (chunk) => {
      const of = stream.readableEncoding; // the program may have set it
      const size = of ? Buffer.byteLength(chunk, of) : chunk.length;
      this.#length += size;
      if (this.#length > max) {
        const room = max - (this.#length - size);
        this.#chunks.push(chunk.slice(0, room));
        onFull();
      } else {
        this.#chunks.push(chunk);
      }
    });
  }

  take() {
    if (this.encoding === undefined && !this.stream?.readableEncoding) {
      return Buffer.concat(this.#chunks);
    }
    return this.#chunks.join("");
  }
}

function execFileSetUp(file, args, options) {
  const spec = {
    encoding: "utf8",
    timeout: 0,
    maxBuffer: MAX_BUFFER,
    killSignal: "SIGTERM",
    cwd: null,
    env: null,
    shell: false,
    ...options,
  };
  options_.checkTimeout(spec.timeout);
  options_.checkMaxBuffer(spec.maxBuffer);
  spec.killSignal = options_.killSignalOf(spec.killSignal);
  const process = spawn(file, args, {
    cwd: spec.cwd,
    env: spec.env,
    gid: spec.gid,
    shell: spec.shell,
    signal: spec.signal,
    uid: spec.uid,
    argv0: spec.argv0,
    windowsHide: !!spec.windowsHide,
    windowsVerbatimArguments: !!spec.windowsVerbatimArguments,
  });
  let { encoding } = spec;
  if (encoding === "buffer" || !Buffer.isEncoding(encoding)) encoding = undefined;
  return { spec, process, encoding };
}

function execFile(file, ...rest) {
  const { args, options, callback } = options_.normalizeExecFile(file, ...rest);
  const { spec, process, encoding } = execFileSetUp(file, args, options);
  let wasKilled = false;
  let hasEnded = false;
  let error = null;
  let timer;

  const kill = () => {
    process.stdout?.destroy();
    process.stderr?.destroy();
    wasKilled = true;
    try {
      process.kill(spec.killSignal);
    } catch (reason) {
      error ??= reason;
      onExit();
    }
  };
  const full = (name) => () => {
    error = new errors.ERR_CHILD_PROCESS_STDIO_MAXBUFFER(name);
    kill();
  };
  const out = new Collector(process.stdout, encoding, spec.maxBuffer, full("stdout"));
  const err = new Collector(process.stderr, encoding, spec.maxBuffer, full("stderr"));

  function onExit(code, signal) {
    if (hasEnded) return;
    hasEnded = true;
    clearTimeout(timer);
    if (!callback) return;
    const stdout = out.take();
    const stderr = err.take();
    if (error === null && code === 0 && signal === null) {
      callback(null, stdout, stderr);
      return;
    }
    const name = args.length > 0 ? `${file} ${args.join(" ")}` : file;
    error ??= failure(code, signal, name, process, wasKilled, stderr);
    error.cmd ??= name;
    callback(error, stdout, stderr);
  }
  if (spec.timeout > 0) timer = setTimeout(kill, spec.timeout);
  process.addListener("close", onExit);
  process.addListener("error", (reason) => {
    error = reason;
    process.stdout?.destroy();
    process.stderr?.destroy();
    onExit();
  });
  return process;
}

function exec(command, options, callback) {
  const normal = options_.normalizeExec(command, options, callback);
  return execFile(normal.file, normal.options, normal.callback);
}

/** The promise form: { stdout, stderr }, and the child as a property of the promise. */
function promisified(start) {
  return (...args) => {
    const { promise, resolve, reject } = Promise.withResolvers();
    promise.child = start(...args, (error, stdout, stderr) => {
      if (error === null) {
        resolve({ stdout, stderr });
        return;
      }
      error.stdout = stdout;
      error.stderr = stderr;
      reject(error);
    });
    return promise;
  };
}
for (let i = 0, all = [exec, execFile]; i < all.length; i++) {
  const start = all[i];
  Object.defineProperty(start, Symbol.for("nodejs.util.promisify.custom"), {
    __proto__: null,
    enumerable: false,
    value: promisified(start),
  });
}

const sync = () => require("internal/subprocess/sync");

Object.assign(exports, {
  _forkChild(fd, mode) {
    require("internal/subprocess/ipc").setUpProcess(process, fd, mode);
  },
  ChildProcess,
  exec,
  execFile,
  execFileSync: function execFileSync(file, args, options) {
    return sync().execFileSync(file, args, options);
  },
  execSync: function execSync(command, options) {
    return sync().execSync(command, options);
  },
  fork,
  spawn,
  spawnSync: function spawnSync(file, args, options) {
    return sync().spawnSync(file, args, options);
  },
});
