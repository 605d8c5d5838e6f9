// node:worker_threads (Node: worker_threads).
const EventEmitter = require("node:events");
const errors = require("internal/errors");
const threads = require("internal/threads");
const messaging = require("web/messaging");
const { validateArray, validateObject, validateString } = require("internal/validators");

const SHARE_ENV = Symbol.for("nodejs.worker_threads.SHARE_ENV");
const LIMITS = [
  "maxYoungGenerationSizeMb", "maxOldGenerationSizeMb", "codeRangeSizeMb", "stackSizeMb",
];

function envOf(env) {
  if (env === SHARE_ENV) {
    void process.env; // made by now
    return require("internal/process_env").share();
  }
  if (env === undefined || env === null) return { ...process.env };
  if (typeof env !== "object") {
    throw new errors.ERR_INVALID_ARG_TYPE(
      "options.env", ["object", "undefined", "null", "worker_threads.SHARE_ENV"], env,
    );
  }
  return Object.fromEntries(Object.entries(env).map(({ 0: name, 1: value }) => [name, `${value}`]));
}

function checkFilename(filename, options) {
  const { isURL } = require("web/url");
  if (options.eval) {
    if (typeof filename === "string") return;
    throw new errors.ERR_INVALID_ARG_VALUE(
      "options.eval", options.eval, "must be false when 'filename' is not a string",
    );
  }
  if (isURL(filename)) {
    if (/^(?:file|data|blob):$/.test(filename.protocol)) return;
    throw new errors.ERR_INVALID_URL_SCHEME("file");
  }
  if (typeof filename !== "string") {
    throw new errors.ERR_INVALID_ARG_TYPE("filename", ["string", "URL"], filename);
  }
  const isPath = require("node:path").isAbsolute(filename) || /^\.\.?[\\/]/.test(filename);
  // As Bun has it, URLs of things that are in memory are fine as text, too.
  if (!isPath && !filename.startsWith("blob:")) throw new errors.ERR_WORKER_PATH(filename);
}

function specOf(filename, options) {
  const { programOf } = require("internal/threads/handle");
  const limits = {};
  for (const name of LIMITS) {
    if (typeof options.resourceLimits?.[name] === "number") {
      limits[name] = options.resourceLimits[name];
    }
  }
  return {
    ...programOf(filename, options.eval),
    argv: options.argv === undefined ? [] : Array.from(options.argv, String),
    execArgv: options.execArgv ?? process.execArgv,
    env: envOf(options.env),
    name: options.name ?? "",
    workerData: options.workerData,
    resourceLimits: limits,
    environmentData: threads.environmentData,
    hasStdin: !!options.stdin,
    hasStdout: !!options.stdout,
    hasStderr: !!options.stderr,
    isWeb: false,
  };
}

class Worker extends EventEmitter {
  #handle;
  #stdin = null;
  #stdout = null;
  #stderr = null;
  #exited;
  #limits;

  constructor(filename, options = {}) {
    super();
    options ??= {};
    validateObject(options, "options");
    checkFilename(filename, options);
    if (options.argv !== undefined) validateArray(options.argv, "options.argv");
    if (options.execArgv !== undefined) validateArray(options.execArgv, "options.execArgv");
    if (options.name !== undefined) validateString(options.name, "options.name");
    const spec = specOf(filename, options);
    this.#limits = spec.resourceLimits;
    const { ThreadHandle } = require("internal/threads/handle");
    this.#openStreams(options);
    this.#handle = new ThreadHandle(spec, options.transferList ?? [], {
      online: () => this.emit("online"),
      error: (value) => this.#fail(value),
      output: (name, value) => this.#output(name, value),
      exit: (code) => this.#onExit(code),
    });
    this.threadId = this.#handle.threadId;
    this.threadName = spec.name;
    const { port } = this.#handle;
    port.on("message", (message) => this.emit("message", message));
    port.on("messageerror", (error) => this.emit("messageerror", error));
    port.unref();
    process.nextTick(() => process.emit("worker", this));
  }

  #openStreams(options) {
    const { PassThrough, Writable } = require("node:stream");
    this.#stdout = new PassThrough();
    this.#stderr = new PassThrough();
    if (!options.stdin) return;
    this.#stdin = new Writable({
      write: (chunk, encoding, callback) => {
        this.#handle.tell({ type: "stdin", value: new Uint8Array(chunk) });
        callback();
      },
      final: (callback) => {
        this.#handle.tell({ type: "stdin", value: null });
        callback();
      },
    });
  }

  #output(name, value) {
    const stream = name === "stdout" ? this.#stdout : this.#stderr;
    stream.write(typeof value === "string" ? value : Buffer.from(value));
  }

  #fail(value) {
    this.emit("error", value);
  }

  #onExit(code) {
    this.#stdout.end();
    this.#stderr.end();
    this.threadId = -1;
    this.threadName = null;
    try {
      this.emit("exit", code);
    } finally {
      this.#exited?.resolve(code);
    }
  }

  postMessage(...args) {
    if (this.#handle.isRunning) this.#handle.port.postMessage(...args);
  }

  terminate(callback) {
    if (!this.#handle.isRunning) return Promise.resolve();
    if (typeof callback === "function") {
      process.emitWarning(
        "Passing a callback to worker.terminate() is deprecated. It returns a Promise instead.",
        "DeprecationWarning", "DEP0132",
      );
      this.once("exit", (code) => callback(null, code));
    }
    this.#exited ??= Promise.withResolvers();
    this.#handle.setRef(true);
    this.#handle.terminate();
    return this.#exited.promise;
  }

  async [Symbol.asyncDispose]() {
    await this.terminate();
  }

  ref() {
    this.#handle.setRef(true);
  }

  unref() {
    this.#handle.setRef(false);
  }

  get stdin() {
    return this.#stdin;
  }

  get stdout() {
    return this.#stdout;
  }

  get stderr() {
    return this.#stderr;
  }

  get resourceLimits() {
    return this.#handle.isRunning ? { ...this.#limits } : {};
  }

  get performance() {
    return { eventLoopUtilization: () => ({ idle: 0, active: 0, utilization: 0 }) };
  }

  cpuUsage(prev) {
    if (prev) {
      validateObject(prev, "prev");
      const { validateNumber } = require("internal/validators");
      validateNumber(prev.user, "prev.user", 0);
      validateNumber(prev.system, "prev.system", 0);
    }
    return this.#handle.cpuUsage().then((usage) => {
      if (usage === undefined) throw new errors.ERR_WORKER_NOT_RUNNING();
      if (!prev) return usage;
      return { user: usage.user - prev.user, system: usage.system - prev.system };
    });
  }

  getHeapSnapshot() {
    throw errors.notImplemented("worker.getHeapSnapshot");
  }
}

function setEnvironmentData(key, value) {
  if (value === undefined) threads.environmentData.delete(key);
  else threads.environmentData.set(key, value);
}

async function postMessageToThread(target, value, transferList, timeout) {
  if (typeof transferList === "number" && timeout === undefined) {
    [timeout, transferList] = [transferList, []];
  }
  if (timeout !== undefined) {
    require("internal/validators").validateNumber(timeout, "timeout", 0);
  }
  if (target === threads.threadId) throw new errors.ERR_WORKER_MESSAGING_SAME_THREAD();
  const { send } = require("internal/threads/routes");
  const result = await send(target, value, transferList ?? [], timeout);
  if (result === "failed") throw new errors.ERR_WORKER_MESSAGING_FAILED();
  if (result === "errored") throw new errors.ERR_WORKER_MESSAGING_ERRORED();
  if (result === "timeout") throw new errors.ERR_WORKER_MESSAGING_TIMEOUT();
}

Object.assign(exports, {
  isMainThread: threads.isMainThread,
  isInternalThread: false,
  MessagePort: messaging.MessagePort,
  MessageChannel: messaging.MessageChannel,
  BroadcastChannel: messaging.BroadcastChannel,
  markAsUntransferable: messaging.markAsUntransferable,
  isMarkedAsUntransferable: messaging.isMarkedAsUntransferable,
  markAsUncloneable: messaging.markAsUncloneable,
  moveMessagePortToContext(port) {
    if (messaging.isPort(port) && messaging.isPortClosed(port)) {
      throw new errors.ERR_CLOSED_MESSAGE_PORT();
    }
    throw errors.notImplemented("moveMessagePortToContext");
  },
  postMessageToThread,
  receiveMessageOnPort: messaging.receiveMessageOnPort,
  resourceLimits: threads.resourceLimits,
  threadId: threads.threadId,
  threadName: threads.threadName,
  SHARE_ENV,
  Worker,
  parentPort: threads.parentPort,
  workerData: threads.workerData,
  setEnvironmentData,
  getEnvironmentData: (key) => threads.environmentData.get(key),
});
