// internal/tick -- process.nextTick, queueMicrotask and the order between them (Node:
// process/task_queues).
//
// After every callback that the loop makes, C asks `info[0]`: are there ticks?  If so it calls
// `processTicks`, which runs all ticks, then all microtasks, and repeats until both are empty.
// Otherwise C drains the microtasks by itself, without entering JavaScript.
//
// native: info -> Uint32Array(1) shared with C; drainMicrotasks(); setProcessTicks(fn)
const { validateFunction } = require("internal/validators");
const context = require("internal/async_context");
const info = native.info();
const drainMicrotasks = native.drainMicrotasks;

// The queue is a ring of a power-of-two size that doubles; a slot is two elements, callback and
// arguments.
let ring = new Array(64);
let mask = ring.length - 1;
let head = 0;
let tail = 0;

function grow() {
  const bigger = new Array(ring.length * 2);
  const count = ring.length;
  for (let i = 0; i < count; i++) bigger[i] = ring[(head + i) & mask];
  ring = bigger;
  mask = bigger.length - 1;
  head = 0;
  tail = count;
}

/** The callback as it runs in the asynchronous context of now, and not beyond it. */
function inFrame(callback) {
  const frame = context.frame;
  return (...args) => {
    const outer = context.frame;
    context.frame = frame;
    try {
      callback(...args);
    } catch (error) {
      // Whoever hears of it asks for the context of the callback.
      require("internal/report").reportException(error, "uncaughtException");
    }
    context.frame = outer;
  };
}

/** process.nextTick: runs callback before the loop goes on and before microtasks. */
exports.nextTick = function nextTick(callback, ...args) {
  validateFunction(callback, "callback");
  if (exports.isExiting()) return;
  ring[tail] = context.isUsed ? inFrame(callback) : callback;
  ring[tail + 1] = args.length === 0 ? undefined : args;
  tail = (tail + 2) & mask;
  if (tail === head) grow();
  info[0] = 1;
};

function runOne(callback, args) {
  try {
    if (args === undefined) callback();
    else callback(...args);
  } catch (error) {
    require("internal/report").reportException(error, "uncaughtException");
  }
}

/** Runs ticks and microtasks until none is left. */
function processTicks() {
  do {
    while (head !== tail) {
      const callback = ring[head];
      const args = ring[head + 1];
      ring[head] = ring[head + 1] = undefined;
      head = (head + 2) & mask;
      runOne(callback, args);
    }
    info[0] = 0;
    drainMicrotasks();
  } while (head !== tail);
}
exports.processTicks = processTicks;

/** What follows a callback made from JavaScript, as a timer is: ticks if any, then microtasks. */
exports.runNextTicks = function runNextTicks() {
  if (info[0] === 0) drainMicrotasks();
  if (info[0] !== 0) processTicks();
};

/** Set by node:process; ticks queued while the process exits never run. */
exports.isExiting = () => false;
native.setProcessTicks(processTicks);
