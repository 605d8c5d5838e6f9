// internal/threads/routes -- messages from any thread to any other (Node: postMessageToThread).
//
// Threads are a tree. Each knows those below it and sends what is for others up; a message is
// { type: "route", isAnswer, target, source, id, value, transfer, result }.
const threads = require("internal/threads");

const below = new Map(); // id of a thread -> the ThreadHandle of ours that it is below, or is
const waiting = new Map(); // number of a message -> function(result)
let nextMessage = 1;

/** In a worker: sends to the parent. */
exports.up = undefined;

exports.add = function add(id, handle) {
  below.set(id, handle);
  exports.up?.({ type: "born", value: id });
};

/** A thread has ended, and with it those below it. */
exports.remove = function remove(handle) {
  for (const { 0: id, 1: other } of below) {
    if (other !== handle) continue;
    below.delete(id);
    exports.up?.({ type: "gone", value: id });
  }
};

exports.removeId = function removeId(id) {
  below.delete(id);
  exports.up?.({ type: "gone", value: id });
};

function answer(message, result) {
  const { source, target, id } = message;
  exports.pass({ type: "route", isAnswer: true, target: source, source: target, id, result });
}

function receive(message) {
  if (message.isAnswer) {
    waiting.get(message.id)?.(message.result);
    return;
  }
  let result = "failed";
  try {
    if (process.listenerCount("workerMessage") > 0) {
      result = "ok";
      process.emit("workerMessage", message.value, message.source);
    }
  } catch {
    result = "errored";
  }
  answer(message, result);
}

exports.pass = function pass(message) {
  if (message.target === threads.threadId) {
    receive(message);
    return;
  }
  const handle = below.get(message.target);
  const transfer = message.transfer ?? [];
  if (handle?.isRunning) handle.tell(message, transfer);
  else if (exports.up !== undefined) exports.up(message, transfer);
  else if (!message.isAnswer) answer(message, "failed");
};

/** A promise of the result: "ok", "failed", "errored" or "timeout". */
exports.send = function send(target, value, transfer, timeout) {
  return new Promise((resolve) => {
    const id = nextMessage++;
    // The answer is waited for.
    const timer = setTimeout(() => done("timeout"), timeout ?? 2 ** 31 - 1);
    const done = (result) => {
      clearTimeout(timer);
      waiting.delete(id);
      resolve(result);
    };
    waiting.set(id, done);
    exports.pass({ type: "route", target, source: threads.threadId, id, value, transfer });
  });
};
