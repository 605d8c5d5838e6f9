// internal/worker_main -- the beginning of a thread: loaded instead of a program's first file.
const threads = require("internal/threads");
const messaging = require("web/messaging");

const control = messaging.wrap(threads.native.ends());
const { message: spec } = messaging.receiveMessageOnPort(control);
let isOver = false;

function tell(message, transfer) {
  control.postMessage(message, transfer);
}

/** What the parent says besides input. */
function onControl(message) {
  if (message.type === "route") require("internal/threads/routes").pass(message);
  else if (message.type === "cpu") tell({ type: "cpu", value: process.threadCpuUsage() });
}

/** An error as the parent can have it: what cannot be cloned becomes text. */
function tellError(error) {
  if (isOver) return;
  isOver = true;
  try {
    tell({ type: "error", value: error });
  } catch {
    const { inspect } = require("internal/inspect");
    tell({ type: "error", value: error instanceof Error ? `${error}` : inspect(error) });
  }
}

/** A stream whose chunks go to the parent. */
function outputStream(name) {
  const { Writable } = require("node:stream");
  return new Writable({
    decodeStrings: false,
    write(chunk, encoding, callback) {
      const text = typeof chunk === "string" ? chunk : new Uint8Array(chunk);
      tell({ type: "output", name, value: text });
      callback();
    },
  });
}

function inputStream() {
  const { Readable } = require("node:stream");
  let isRead = false;
  const stream = new Readable({
    read() {
      if (isRead || !spec.hasStdin) return;
      isRead = true;
      control.ref(); // the thread waits for its input
    },
  });
  if (!spec.hasStdin) {
    stream.push(null);
    return stream;
  }
  control.on("message", ({ type, value }) => {
    if (type !== "stdin") return;
    stream.push(value === null ? null : Buffer.from(value));
    if (value === null) control.unref();
  });
  control.unref();
  return stream;
}

function unsupported(name) {
  return function () {
    const { ERR_WORKER_UNSUPPORTED_OPERATION } = require("internal/errors");
    throw new ERR_WORKER_UNSUPPORTED_OPERATION(`process.${name}`);
  };
}

function unsupportedFunction(name) {
  const fn = unsupported(`${name}()`);
  fn.disabled = true;
  return fn;
}

function set(object, name, value) {
  Object.defineProperty(object, name, {
    __proto__: null,
    value,
    writable: true,
    enumerable: true,
    configurable: true,
  });
}

/** The console of a thread whose output the parent reads. */
function redirectConsole() {
  const { stdout, stderr } = process;
  const other = new console.Console({ stdout, stderr });
  for (const name of ["log", "info", "debug", "warn", "error", "dir", "dirxml", "table", "trace",
    "group", "groupEnd", "count", "timeEnd", "timeLog", "assert"]) {
    set(console, name, other[name].bind(other));
  }
}

function prepareProcess() {
  const process = require("node:process");
  set(process, "argv", [process.execPath, spec.filename, ...spec.argv]);
  set(process, "execArgv", spec.execArgv);
  const { makeEnv, makeShared } = require("internal/process_env");
  if (typeof spec.env === "number") set(process, "env", makeShared(spec.env));
  else if (spec.env !== null) set(process, "env", makeEnv(spec.env));
  for (const name of ["abort", "chdir", "disconnect", "execve", "initgroups", "send", "setegid",
    "seteuid", "setgid", "setgroups", "setuid"]) {
    set(process, name, unsupportedFunction(name));
  }
  for (const name of ["channel", "connected"]) {
    const get = unsupported(name);
    Object.defineProperty(process, name, { get, set: get, configurable: true, enumerable: false });
  }
  const { umask } = process;
  set(process, "umask", function (mask) {
    if (mask === undefined) return umask();
    const { ERR_WORKER_UNSUPPORTED_OPERATION } = require("internal/errors");
    throw new ERR_WORKER_UNSUPPORTED_OPERATION("Setting process.umask()");
  });
  for (const name of ["_debugEnd", "_debugPause", "_debugProcess", "_startProfilerIdleNotifier",
    "_stopProfilerIdleNotifier"]) {
    delete process[name];
  }
  set(process, "stdin", inputStream());
  if (spec.hasStdout) set(process, "stdout", outputStream("stdout"));
  if (spec.hasStderr) set(process, "stderr", outputStream("stderr"));
  if (spec.hasStdout || spec.hasStderr) redirectConsole();
}

function prepareThreads() {
  const { port } = spec;
  threads.threadId = spec.threadId;
  threads.threadName = spec.name;
  require("internal/threads/routes").up = tell;
  control.on("message", onControl);
  control.unref();
  threads.workerData = spec.workerData;
  threads.parentPort = port;
  threads.resourceLimits = spec.resourceLimits;
  threads.environmentData = spec.environmentData;
  // The Web's names in the global scope.
  if (spec.isWeb) require("web/worker/scope").prepare(port, spec.name);
}

function run() {
  switch (spec.kind) {
    case "script":
    case "module":
      return require("internal/cjs").runText(spec.source, "[worker eval]", process.cwd());
    default:
      return threads.native.runFile(spec.filename);
  }
}

require("internal/report").setWorker(tellError);
prepareThreads();
prepareProcess();
tell({ type: "online" });
try {
  run();
} catch (error) {
  const isMissing = error?.code === "ENOENT" && error.path === spec.filename;
  const found = isMissing ? new Error(`Cannot find module '${spec.filename}'`) : error;
  if (isMissing) found.code = "MODULE_NOT_FOUND";
  require("internal/report").reportException(found, "uncaughtException");
}
