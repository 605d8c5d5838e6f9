// internal/node_test/run -- run() of node:test: each file in a process of its own, whose events
// come over its channel.
const errors = require("internal/errors");
const { validateArray, validateObject } = require("internal/validators");

function failedFile(file, code, path) {
  const error = new errors.ERR_TEST_FAILURE("test failed", "testCodeFailure");
  error.exitCode = code;
  return {
    name: file, nesting: 0, testNumber: 1, file: path, line: 1, column: 1,
    details: { duration_ms: 0, type: "test", error },
  };
}

function reviveError(data) {
  const { error } = data.details ?? {};
  if (error === undefined) return;
  const revived = new Error(error.message);
  for (const name of ["code", "failureType", "stack", "name"]) {
    Object.defineProperty(revived, name, {
      value: error[name], writable: true, configurable: true, enumerable: name === "code",
    });
  }
  revived.failureType = error.failureType;
  data.details.error = revived;
}

function runFile(stream, file, options) {
  const path = require("node:path").resolve(options.cwd ?? process.cwd(), file);
  const { promise, resolve } = Promise.withResolvers();
  let hasFailed = false;
  const child = require("node:child_process").fork(path, options.argv ?? [], {
    silent: true,
    execArgv: options.execArgv ?? process.execArgv,
    cwd: options.cwd,
    env: { ...(options.env ?? process.env), NODE_TEST_CONTEXT: "child" },
    signal: options.signal,
  });
  const emit = (type, data) => stream.push({ type, data });
  child.stdout.on("data", (chunk) => emit("test:stdout", { file: path, message: `${chunk}` }));
  child.stderr.on("data", (chunk) => emit("test:stderr", { file: path, message: `${chunk}` }));
  child.on("message", ({ type, data }) => {
    if (typeof type !== "string" || !type.startsWith("test:")) return;
    reviveError(data);
    if (type === "test:fail") hasFailed = true;
    emit(type, data);
  });
  const timer = Number.isFinite(options.timeout)
    ? setTimeout(() => child.kill(), options.timeout)
    : undefined;
  child.on("error", () => {});
  child.on("close", (code) => {
    clearTimeout(timer);
    if (code !== 0 && !hasFailed) emit("test:fail", failedFile(file, code, path));
    resolve();
  });
  return promise;
}

exports.run = function run(options = {}) {
  validateObject(options, "options");
  const { files } = options;
  if (files === undefined) throw errors.notImplemented("run() without files");
  validateArray(files, "options.files");
  const { Readable } = require("node:stream");
  class TestsStream extends Readable {
    constructor() {
      super({ __proto__: null, objectMode: true, highWaterMark: 2 ** 30, read() {} });
    }

    push(event) {
      if (event !== null) this.emit(event.type, event.data);
      return super.push(event);
    }
  }
  const stream = new TestsStream();
  (async () => {
    await new Promise((resolve) => void setImmediate(resolve));
    options.setup?.(stream);
    for (const file of files) await runFile(stream, file, options);
    stream.push(null);
  })();
  return stream;
};
