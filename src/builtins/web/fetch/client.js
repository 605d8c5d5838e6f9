// web/fetch/client -- one request of the native client as a Task.
//
// native: see client.c. The handler is called with (task, event, ...), always from the loop.

const errors = require("internal/errors");

const HEAD = 0;
const DATA = 1;
const DONE = 2;
const FAIL = 3;
const DRAIN = 4;
const REDIRECTED = 1;
const HAS_BODY = 2;

const FLAGS = {
  __proto__: null,
  STREAMED: 1, RAW: 2, ONCE: 4, H1: 8, DIRECT: 16, UNVERIFIED: 32, MANUAL: 64, ERROR: 128,
};

const kTexts = {
  __proto__: null,
  ECONNREFUSED: "Unable to connect. Is the computer able to access the url?",
  ECONNRESET: "The socket connection was closed unexpectedly.",
  TooManyRedirects: "The response redirected too many times.",
};
const kHint =
  "For more information, pass `verbose: true` in the second argument to fetch()";

/** The error of a request as Bun words it. */
function makeError(url, rc, code, text, detail, isTls) {
  let name = code;
  if (code === "ConnectionClosed" || code === "EPIPE") name = "ECONNRESET";
  if (code === "RedirectURLInvalid") name = "UnsupportedRedirectProtocol";
  if (code.startsWith("EAI_")) return lookupError(url, code);
  if (code === "ETIMEDOUT") {
    const { DOMException } = require("web/exception");
    return new DOMException("The operation timed out.", "TimeoutError");
  }
  let message = `${name} fetching "${url}". ${kHint}`;
  if (isTls) message = text;
  else if (name === "ECONNREFUSED") message = `${name}: ${kTexts[name]}`;
  else if (kTexts[name] !== undefined) message = `${name}: ${kTexts[name]} ${kHint}`;
  const err = new TypeError(message);
  err.code = name;
  err.path = url;
  err.errno = 0;
  if (detail !== 0 && !isTls) err.cause = new Error(`${text} (${detail})`);
  return err;
}

function lookupError(url, code) {
  const { hostname } = new (require("web/url").URL)(url);
  const name = code === "EAI_NONAME" || code === "EAI_NODATA" ? "ENOTFOUND" : code;
  const err = new TypeError(`getaddrinfo ${name} ${hostname}`);
  return Object.assign(err, { code: name, path: url, syscall: "getaddrinfo", hostname, errno: 4 });
}

/** A request under way, and the body of its response (a source, see web/fetch/body). */
class Task {
  wrapper = null;
  url = "";
  /** Called once with the head, or with what went wrong before it. */
  onHead = null;
  onFail = null;
  onDrain = null;
  /** What it was aborted with; `isAborted` tells whether. */
  reason = undefined;
  isAborted = false;
  isOver = false;
  /** Called when it is over in whatever way. */
  onOver = null;
  error = null;
  resolve = null;
  reject = null;
  /** Where the body goes piece by piece, once something was asked of it. */
  sink = null;
  mode = 0; // how the body is read: 1 all at once, 2 piece by piece

  abort(reason) {
    if (this.isOver && this.mode === 0) return;
    this.reason = reason;
    this.isAborted = true;
    native.abort(this.wrapper);
    this.fail(reason);
  }

  fail(error) {
    this.error = error;
    this.over();
    const { onFail, reject, sink } = this;
    this.onHead = this.onFail = this.sink = null;
    this.resolve = this.reject = null;
    if (onFail !== null) onFail(error);
    if (reject !== null) reject(error);
    if (sink !== null) sink.error(error);
  }

  over() {
    this.isOver = true;
    const { onOver } = this;
    this.onOver = null;
    if (onOver !== null) onOver();
  }

  // ---- the body, as a source

  /** All bytes, now or as a promise; throws what has ended the request. */
  bytes() {
    if (this.error !== null) throw this.error;
    this.mode = 1;
    const data = native.collect(this.wrapper);
    if (typeof data === "object") {
      this.over();
      return data;
    }
    if (this.error !== null) throw this.error;
    return new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
  }

  stream() {
    this.mode = 2;
    return require("web/fetch/streams").makeStream(new TaskSource(this));
  }

  cancel() {
    native.abort(this.wrapper);
    this.over();
  }
}

/** The body of a response as a source of web/streams/source. */
class TaskSource {
  constructor(task) {
    this.task = task;
  }

  pull(sink) {
    const { task } = this;
    task.sink = sink;
    if (task.error !== null) {
      sink.error(task.error);
      return;
    }
    const data = native.next(task.wrapper);
    if (task.error !== null) sink.error(task.error);
    else if (data === null) {
      task.over();
      sink.close();
    } else if (typeof data === "object") sink.push(data);
    else {
      task.resolve = (bytes) => (bytes === null ? sink.close() : sink.push(bytes));
      task.reject = (error) => sink.error(error);
    }
  }

  takeAll() {
    return this.task.bytes();
  }

  cancel() {
    this.task.cancel();
  }
}

function settle(task, value) {
  const { resolve } = task;
  task.resolve = task.reject = null;
  if (resolve !== null) resolve(value);
}

/** Called by the native half. */
function handle(task, event, a, b, c, d, e) {
  switch (event) {
    case HEAD: {
      const { onHead } = task;
      task.onHead = task.onFail = null;
      if ((e & HAS_BODY) === 0) task.over();
      if (onHead !== null) onHead(a, b, c, d, (e & REDIRECTED) !== 0, (e & HAS_BODY) !== 0);
      break;
    }
    case DATA:
      settle(task, a);
      break;
    case DONE:
      task.over();
      settle(task, task.mode === 2 ? null : a);
      break;
    case FAIL:
      task.fail(makeError(task.url, a, b, c, d, e));
      break;
    case DRAIN: {
      const { onDrain } = task;
      task.onDrain = null;
      if (onDrain !== null) onDrain();
      break;
    }
    default:
      throw new Error("unknown event");
  }
}

let isSetUp = false;

/** Starts a request; throws when its URL is none. `task.onHead` and `onFail` must be set. */
function start(task, method, url, headers, body, flags, options) {
  if (!isSetUp) {
    isSetUp = true;
    native.setup(handle);
  }
  task.url = url;
  const wrapper = native.start(task, method, url, headers, body, flags, options);
  if (typeof wrapper === "number") {
    if (wrapper === -6012) throw errors.notImplemented("fetch through an https proxy");
    throw errors.makeCoded("TypeError", "ERR_INVALID_URL", "fetch() URL is invalid");
  }
  task.wrapper = wrapper;
}

exports.Task = Task;
exports.FLAGS = FLAGS;
exports.start = start;
exports.native = native;
