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
const { apply } = Reflect;
const info = native.info();
const drainMicrotasks = native.drainMicrotasks;

// The queue is a ring of a power-of-two size that doubles. A slot is callback, number of arguments
// and up to two of them; of more, the first is an array of all.
const kSlot = 4;
const kInlineMax = 2;
const kArray = kInlineMax + 1;
let ring = new Array(64 * kSlot).fill(undefined);
let mask = ring.length - 1;
let head = 0;
let tail = 0;

function grow() {
  const bigger = new Array(ring.length * 2).fill(undefined);
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
      apply(callback, undefined, args);
    } catch (error) {
      // Whoever hears of it asks for the context of the callback.
      require("internal/report").reportException(error, "uncaughtException");
    }
    context.frame = outer;
  };
}

/** For callbacks that natives keep until their work is done: see inFrame. */
exports.inContext = (callback) => (context.isUsed ? inFrame(callback) : callback);

/** process.nextTick: runs callback before the loop goes on and before microtasks. */
exports.nextTick = function nextTick(callback, a, b) {
  if (typeof callback !== "function") validateFunction(callback, "callback");
  if (exports.isExiting()) return;
  const n = arguments.length - 1;
  const at = tail;
  ring[at] = context.isUsed ? inFrame(callback) : callback;
  if (n <= kInlineMax) {
    ring[at + 1] = n;
    ring[at + 2] = a;
    ring[at + 3] = b;
  } else {
    ring[at + 1] = kArray;
    ring[at + 2] = Array.prototype.slice.call(arguments, 1);
  }
  tail = (at + kSlot) & mask;
  if (tail === head) grow();
  info[0] = 1;
};
Object.defineProperty(exports.nextTick, "length", { value: 1 });

/** Takes the first tick and runs it. */
function runOne() {
  const at = head;
  const callback = ring[at];
  const n = ring[at + 1];
  const a = ring[at + 2];
  const b = ring[at + 3];
  ring[at] = ring[at + 2] = ring[at + 3] = undefined;
  head = (at + kSlot) & mask;
  try {
    if (n === 0) callback();
    else if (n === 1) callback(a);
    else if (n === kInlineMax) callback(a, b);
    else apply(callback, undefined, a);
  } catch (error) {
    require("internal/report").reportException(error, "uncaughtException");
  }
}

/** Runs ticks and microtasks until none is left. */
function processTicks() {
  do {
    while (head !== tail) runOne();
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
