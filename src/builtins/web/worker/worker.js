// @global Worker
// web/worker -- the Web's Worker (HTML, "Dedicated workers"), with Bun's additions.
const { defineEventHandler, fire, makeTrusted } = require("web/events");
const { defineInterface } = require("internal/webidl/interface");
const errors = require("internal/errors");
const threads = require("internal/threads");

class Worker extends EventTarget {
  #handle;

  constructor(filename, options = {}) {
    if (arguments.length === 0) throw new errors.ERR_MISSING_ARGS("scriptURL");
    super();
    const { ThreadHandle, programOf } = require("internal/threads/handle");
    const spec = {
      ...programOf(filename, false),
      argv: Array.from(options.argv ?? [], String),
      execArgv: process.execArgv,
      env: { ...(options.env ?? process.env) },
      name: `${options.name ?? ""}`,
      workerData: options.workerData ?? null,
      resourceLimits: {},
      environmentData: threads.environmentData,
      hasStdin: false,
      hasStdout: false,
      hasStderr: false,
      isWeb: true,
    };
    this.#handle = new ThreadHandle(spec, options.transferList ?? [], {
      online: () => fire(this, makeTrusted(new Event("open"))),
      error: (error) => this.#fail(error),
      output() {},
      exit: (code) => fire(this, makeTrusted(new CloseEvent("close", { code }))),
    });
    this.threadId = this.#handle.threadId;
    const { port } = this.#handle;
    const forward = (event) => {
      const { data, ports } = event;
      fire(this, makeTrusted(new MessageEvent(event.type, { data, ports })));
    };
    port.addEventListener("message", forward);
    port.addEventListener("messageerror", forward);
    port.unref();
    if (options.ref === false) this.unref();
  }

  #fail(error) {
    const message = error instanceof Error ? error.message : `${error}`;
    fire(this, makeTrusted(new ErrorEvent("error", { error, message, cancelable: true })));
  }

  postMessage(value, options) {
    if (arguments.length === 0) throw new errors.ERR_MISSING_ARGS("message");
    if (this.#handle.isRunning) this.#handle.port.postMessage(value, options);
  }

  terminate() {
    this.#handle.terminate();
  }

  ref() {
    this.#handle.setRef(true);
  }

  unref() {
    this.#handle.setRef(false);
  }
}
for (const name of ["message", "messageerror", "error", "open", "close"]) {
  defineEventHandler(Worker, name);
}
defineInterface(Worker);
exports.Worker = Worker;
