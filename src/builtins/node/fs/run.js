// @internal
// node:fs/run -- the three ways to run an operation of node:fs/ops.
const { setOf } = require("internal/set_of");
const { apply } = Reflect;
const binding = require("node:fs/binding");
const { inContext } = require("internal/tick");

/** A filter of cpSync() that returns a promise. */
function promiseError() {
  const { ERR_INVALID_RETURN_VALUE } = require("internal/errors");
  return new ERR_INVALID_RETURN_VALUE("boolean", "filter", Promise.resolve());
}

// Lists are taken apart without their iterators, which programs may have replaced.

/** What stands behind the operation in a step. */
const argumentsOf = (step) => step.slice(1);

/** Starts one operation; without `done` it is over when this returns. */
function perform(operation, done, args) {
  return apply(binding[operation], undefined, [done].concat(args));
}
exports.perform = perform;

/** Runs a generator of operations to its end, each at once. */
function runNow(steps) {
  let step = steps.next();
  while (!step.done) {
    const operation = step.value[0];
    let value;
    let error;
    let isThrown = false;
    try {
      if (operation === "await") throw promiseError();
      value = perform(operation, undefined, argumentsOf(step.value));
    } catch (e) {
      isThrown = true;
      error = e;
    }
    step = isThrown ? steps.throw(error) : steps.next(value);
  }
  return step.value;
}

/** The same on the loop; done(error, value) is called later, also when the first step throws. */
function runLater(steps, done) {
  function advance(error, value) {
    let step;
    try {
      step = error ? steps.throw(error) : steps.next(value);
    } catch (e) {
      done(e);
      return;
    }
    if (!step.done) call(step.value);
    else if (step.value === undefined) done(null);
    else done(null, step.value);
  }
  function call(step) {
    if (step[0] === "await") step[1].then((value) => advance(null, value), advance);
    else perform(step[0], advance, argumentsOf(step));
  }
  return call;
}

/**
 * Runs up to the first operation now, so that wrong arguments throw here, then goes on on the loop.
 */
function start(steps, done) {
  let first;
  try {
    first = steps.next();
  } catch (error) {
    if (error?.code !== "ABORT_ERR") throw error;
    require("internal/tick").nextTick(() => done(error));
    return;
  }
  if (first.done) {
    require("internal/tick").nextTick(() => done(null, first.value));
    return;
  }
  runLater(steps, done)(first.value);
}

// ---- Functions from rows ------------------------------------------------------------------------

function named(name, length, fn) {
  Object.defineProperty(fn, "name", { value: name, configurable: true });
  Object.defineProperty(fn, "length", { value: length, configurable: true });
  return fn;
}

exports.makeSync = function makeSync(row) {
  const { name, length, operation, prepare, finish, run } = row;
  if (run !== undefined) {
    return named(`${name}Sync`, length, (...args) => runNow(apply(run, undefined, args)));
  }
  const call = binding[operation];
  return named(`${name}Sync`, length, (a, b, c) => {
    const args = prepare(a, b, c);
    const value = call(undefined, args[0], args[1], args[2], args[3], args[4]);
    return finish === undefined ? value : finish(value, args);
  });
};

/** Takes the callback, the last function, out of the arguments; `at` is where it belongs. */
function takeCallback(args, at) {
  for (let i = args.length - 1; i > 0; i--) {
    if (typeof args[i] !== "function") continue;
    const callback = args[i];
    args.length = i;
    return inContext(callback);
  }
  return require("node:fs/args").toCallback(args[at]);
}

const kOptionsBehind = setOf(["stat", "lstat", "fstat", "statfs", "ftruncate"]);

exports.makeCallback = function makeCallback(row) {
  const { name, length, operation, prepare, finish, run } = row;
  const at = kOptionsBehind.has(name) ? length + 1 : length;
  return named(name, kOptionsBehind.has(name) ? length : length + 1, (...args) => {
    const callback = takeCallback(args, at);
    if (run !== undefined) {
      start(apply(run, undefined, args), callback);
      return;
    }
    const list = apply(prepare, undefined, args);
    const done =
      finish === undefined
        ? callback
        : (error, value) => (error ? callback(error) : callback(null, finish(value, list)));
    perform(operation, done, list);
  });
};

exports.makePromise = function makePromise(row) {
  const { name, length, operation, prepare, finish, run } = row;
  return named(name, length, async (...args) => {
    if (run !== undefined) {
      return new Promise((resolve, reject) => {
        const done = (error, value) => (error ? reject(error) : resolve(value));
        start(apply(run, undefined, args), done);
      });
    }
    const list = apply(prepare, undefined, args);
    const value = await call(operation, list);
    return finish === undefined ? value : finish(value, list);
  });
};

/** One operation of the binding as a promise. */
function call(operation, args) {
  return new Promise((resolve, reject) => {
    perform(operation, (error, value) => (error ? reject(error) : resolve(value)), args);
  });
}

exports.call = call;
exports.runNow = runNow;
exports.start = start;
exports.named = named;
