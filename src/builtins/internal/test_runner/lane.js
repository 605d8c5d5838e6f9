// internal/test_runner/lane -- what runs step after step and may wait: a stack of generators, and
// the time until which it waits.
//
// A generator yields a promise to wait for it, or what `lane.enter(other)` returns to run another
// generator first, whose result or error it gets. Nothing that is no promise is waited for, so that
// thousands of synchronous tests run in one go; a promise costs one reaction. There is one native
// timer for all lanes; it is moved only when a lane's time ends before it.
const state = require("internal/test_runner/state");
const then = Function.prototype.call.bind(Promise.prototype.then);

const MS_MAX = 2 ** 31 - 1;
const waiting = new Set(); // lanes with a time limit, or that keep the program alive
let armedUntil = 0; // when the timer fires; 0: never

class Lane {
  /** @param {(lane: Lane) => void} onEnd */
  constructor(onEnd) {
    this.stack = [];
    this.turn = 0; // raised when a wait is given up: the old one finds that it is not its turn
    this.running = undefined; // the test or hook whose promise it waits for
    this.due = 0; // end of the time limit; 0: it does not wait for a test
    this.ms = 0; // the limit
    this.onEnd = onEnd;
  }

  /** Runs another generator before the one that yields this. */
  enter(steps) {
    this.stack.push(steps);
  }

  /** From now on a wait ends after `ms` (0: never), with `running.isTimedOut`. */
  limit(running, ms) {
    this.running = running;
    this.ms = ms;
    this.due = ms > 0 && ms < MS_MAX ? state.native.now() + ms : Infinity;
    waiting.add(this);
    if (armedUntil === 0 || armedUntil > this.due) arm(this.due);
  }

  /** Ends the wait for a test, as it has failed by other means. */
  interrupt() {
    if (this.due !== 0) start(this);
  }
}

function arm(due) {
  const now = state.native.now();
  const ms = Math.min(Math.max(due - now, 0), MS_MAX);
  armedUntil = now + ms;
  state.native.deadline(Math.ceil(ms));
}

/** A test whose time is over leaves no processes; of several tests nobody knows whose they are. */
function killChildren() {
  if (state.concurrent > 0) return;
  const n = state.native.killChildren();
  if (n === 0) return;
  const text = `killed ${n} dangling process${n === 1 ? "" : "es"}`;
  require("internal/test_runner/report").note(text);
}

exports.onDeadline = function onDeadline() {
  armedUntil = 0;
  const now = state.native.now();
  let next = Infinity;
  for (const lane of [...waiting]) {
    if (lane.due > now) {
      next = Math.min(next, lane.due);
      continue;
    }
    const { running } = lane;
    running.isTimedOut = true;
    running.timeoutMs = lane.ms;
    running.errors++;
    killChildren();
    start(lane);
  }
  if (waiting.size > 0 && (armedUntil === 0 || armedUntil > next)) arm(next);
};

/** One step of the innermost generator; errors go to the one outside. Undefined: it is over. */
function advance(lane, input, error) {
  const { stack } = lane;
  let thrown = error; // { value }
  while (stack.length > 0) {
    const steps = stack[stack.length - 1];
    let step;
    try {
      step = thrown === undefined ? steps.next(input) : steps.throw(thrown.value);
    } catch (value) {
      if (stack.pop() !== steps || stack.length === 0) throw value;
      thrown = { value };
      continue;
    }
    thrown = input = undefined;
    if (!step.done) {
      if (step.value !== undefined) return step.value;
      continue;
    }
    stack.pop();
    input = step.value;
  }
  return undefined;
}

async function drive(lane) {
  const turn = ++lane.turn;
  let error;
  for (;;) {
    const promise = advance(lane, undefined, error);
    if (promise === undefined) break;
    error = undefined;
    try {
      await promise;
    } catch (value) {
      error = { value };
    }
    if (lane.turn !== turn) return;
    if (lane.due !== 0) stopWaiting(lane);
  }
  lane.onEnd(lane);
}

function stopWaiting(lane) {
  lane.due = 0;
  lane.running = undefined;
  waiting.delete(lane);
}

function fatal(error) {
  require("internal/test_runner/report").betweenTests(error);
  state.native.end(1);
}

/** Starts a lane, or goes on with it without what it waits for. */
function start(lane) {
  if (lane.due !== 0) stopWaiting(lane);
  then(drive(lane), undefined, fatal);
}
Object.assign(exports, { Lane, start });
