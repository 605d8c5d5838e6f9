// internal/threads/handle -- a thread as its parent has it; node:worker_threads and the Web's
// Worker are made of it.
//
// Two ports lead to the child: `control` for us, and the program's, whose other end is the child's
// parentPort.  On `control` come { type: "online" | "error" | "stdout" | "stderr", value }.
const threads = require("internal/threads");
const messaging = require("web/messaging");

const AGAIN_MS = 20;
const LOOK_MS = 20;
const MB = 1 << 20;
// What the collector lets grow before it looks: twice what lives, and some more at the beginning.
const GARBAGE = 2;
const SLACK_MB = 48;
// The engine itself needs some of the stack.
const STACK_MIN_MB = 1;
const STACK_MAX_MB = 512;

class ThreadHandle {
  #thread;
  #control;
  #on;
  #again;
  #watch;
  #asked = [];

  /**
   * `spec` describes the program: { filename, source, kind: "file" | "script" | "module", ... };
   * `on` has online(), error(value), output(name, chunk), exit(code).
   */
  constructor(spec, transfer, on) {
    this.#on = on;
    const { 0: control, 1: childControl } = messaging.makePair();
    const channel = new MessageChannel();
    this.#control = control;
    this.port = channel.port1;
    this.threadId = threads.native.nextId();
    control.on("message", (message) => this.#onMessage(message));
    control.unref();
    control.postMessage({ ...spec, threadId: this.threadId, port: channel.port2 }, [
      channel.port2,
      ...transfer,
    ]);
    const { stackSizeMb = 0 } = spec.resourceLimits ?? {};
    const stackMb = Math.min(Math.max(stackSizeMb, STACK_MIN_MB), STACK_MAX_MB);
    const stackBytes = stackSizeMb > 0 ? Math.ceil(stackMb * MB) : 0;
    const onExit = require("internal/tick").inContext((code) => this.#onExit(code));
    const thread = threads.native.start(childControl, onExit, stackBytes);
    if (typeof thread === "number") {
      control.close();
      throw require("internal/errors/system").errnoException(thread, "pthread_create");
    }
    this.#thread = thread;
    this.#watchHeap(spec.resourceLimits);
    require("internal/threads/routes").add(this.threadId, this);
  }

  /**
   * Ends the thread when more lives in its heap than it may have. The engine has no such limit: its
   * heap is looked at from here, and what is garbage in it has to be guessed.
   */
  #watchHeap({ maxOldGenerationSizeMb: old = 0, maxYoungGenerationSizeMb: young = 0 } = {}) {
    if (old <= 0) return;
    const max = (GARBAGE * (old + Math.max(young, 0)) + SLACK_MB) * MB;
    this.#watch = setInterval(() => {
      if (threads.native.heapSize(this.#thread) <= max) return;
      clearInterval(this.#watch);
      this.terminate();
      const { ERR_WORKER_OUT_OF_MEMORY } = require("internal/errors");
      this.#on.error(new ERR_WORKER_OUT_OF_MEMORY());
    }, LOOK_MS);
    this.#watch.unref();
  }

  #onMessage(message) {
    const { type, value, name } = message;
    const routes = require("internal/threads/routes");
    switch (type) {
      case "output":
        return this.#on.output(name, value);
      case "route":
        return routes.pass(message);
      case "born":
        return routes.add(value, this);
      case "gone":
        return routes.removeId(value);
      case "cpu":
        return void this.#asked.shift()?.(value);
      default:
        return this.#on[type](value);
    }
  }

  /** What the thread has used: a promise of { user, system }, undefined when it has ended. */
  cpuUsage() {
    return new Promise((resolve) => {
      if (!this.isRunning) return resolve(undefined);
      this.#asked.push(resolve);
      return this.tell({ type: "cpu" });
    });
  }

  #onExit(code) {
    // What the child had sent before it ended comes first.
    messaging.drain(this.#control);
    messaging.drain(this.port);
    this.#thread = undefined;
    require("internal/threads/routes").remove(this);
    for (const resolve of this.#asked.splice(0)) resolve(undefined);
    clearInterval(this.#again);
    clearInterval(this.#watch);
    this.#control.close();
    this.port.close();
    this.#on.exit(code);
  }

  get isRunning() {
    return this.#thread !== undefined;
  }

  /** Something for the child's own machinery: input. */
  tell(message, transfer) {
    if (this.isRunning) this.#control.postMessage(message, transfer);
  }

  // What was thrown into a script may be lost in code of the engine: asked for until it is so.
  terminate() {
    if (!this.isRunning || this.#again !== undefined) return;
    threads.native.terminate(this.#thread);
    this.#again = setInterval(() => threads.native.terminate(this.#thread), AGAIN_MS);
  }

  setRef(isRef) {
    if (this.isRunning) threads.native.setRef(this.#thread, isRef);
  }
}

exports.ThreadHandle = ThreadHandle;

/** { kind, filename, source } of what `new Worker` is given. */
exports.programOf = function programOf(filename, isEval) {
  const { isURL } = require("web/url");
  if (isEval) return { kind: "script", filename: "[worker eval]", source: `${filename}` };
  const text = isURL(filename) ? filename.href : `${filename}`;
  if (text.startsWith("data:")) return { kind: "module", filename: text, source: dataText(text) };
  if (text.startsWith("blob:")) return { kind: "module", filename: text, source: blobText(text) };
  if (text.startsWith("file:")) {
    return { kind: "file", filename: require("internal/file_url").fileURLToPath(text) };
  }
  return { kind: "file", filename: require("node:path").resolve(text) };
};

/** The text of the Blob behind an object URL; one that is not in memory cannot be had at once. */
function blobText(url) {
  const blob = require("web/blob/object_url").find(url);
  if (blob === undefined) throw new TypeError(`Blob URL is missing: ${url}`);
  const bytes = require("web/blob").readAll(blob);
  if (bytes instanceof Promise) {
    throw require("internal/errors").notImplemented("Worker of a Blob of files");
  }
  return require("web/blob/bytes").decode(bytes);
}

function dataText(url) {
  const comma = url.indexOf(",");
  const isBase64 = /;base64$/i.test(url.slice(5, comma));
  const rest = url.slice(comma + 1);
  if (isBase64) return Buffer.from(decodeURIComponent(rest), "base64").toString();
  return decodeURIComponent(rest);
}
