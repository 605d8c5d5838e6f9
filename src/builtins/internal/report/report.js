// internal/report -- what happens to an exception that nobody caught, and to a rejection nobody
// handled.
//
// native: printError(text) writes to stderr; exit(code) ends the process at once;
//         sourceLine(url, line) -> string | undefined
let processModule;

/** node:process hands itself over when it loads: before that there can be no listeners. */
exports.setProcess = (value) => {
  processModule = value;
};

let isReporting = false;

let tellParent;

/** In a worker: an error that nobody caught goes to the parent instead of the terminal. */
exports.setWorker = (tell) => {
  tellParent = tell;
};

let taker;

/** The test runner: takes errors that no listener has taken; returns whether it did. */
exports.setTaker = (take) => {
  taker = take;
};

function printFatal(error) {
  if (tellParent !== undefined) {
    tellParent(error);
    return;
  }
  const { printUncaught } = require("internal/report/print");
  printUncaught(error);
}

function exitWith(code) {
  if (processModule === undefined) native.exit(code);
  processModule.exitAfterUncaught(code);
}

/** Calls the listeners of 'uncaughtException'.  Returns whether somebody took the error. */
function emitUncaught(error, origin) {
  if (processModule?.emitUncaught(error, origin)) return true;
  return taker !== undefined && taker(error);
}

/** Node ends with 6 when the program has put something else in the place of _fatalException. */
function checkHandler() {
  if (processModule?.hasLostHandler()) native.exit(6);
}

/** The exit code when a listener of 'uncaughtException' throws (Node, "Exit codes"). */
const failedHandlerCode = () => (tellParent === undefined ? 7 : 1);

/** Offers the error to the program's listeners: true when one of them took it. */
function offer(error, origin) {
  isReporting = true;
  try {
    return emitUncaught(error, origin);
  } catch (inner) {
    printFatal(inner);
    native.exit(failedHandlerCode());
  } finally {
    isReporting = false;
  }
}

function endProcess(error) {
  isReporting = true;
  printFatal(error);
  exitWith(1);
}

/**
 * Reports an exception that reached the top: listeners first, otherwise prints it and ends the
 * process with code 1 (6 when the program took `process._fatalException` away).  Returns only when
 * it was handled.
 * @param {unknown} error
 * @param {"uncaughtException" | "unhandledRejection"} origin
 */
exports.reportException = function reportException(error, origin = "uncaughtException") {
  if (isReporting) {
    printFatal(error);
    native.exit(failedHandlerCode());
  }
  checkHandler();
  if (!offer(error, origin)) endProcess(error);
};

/**
 * The same for what an event listener has thrown: the code that dispatched the event goes on, and
 * the process ends, if it must, when that is done.
 * @param {unknown} error
 */
exports.reportListenerException = function reportListenerException(error) {
  checkHandler();
  if (offer(error, "uncaughtException")) return;
  require("internal/tick").nextTick(() => endProcess(error));
};

// ---- Rejections
// ------------------------------------------------------------------------------------

const warned = new WeakSet();

function rejectionMode() {
  return native.rejectionMode();
}

function reportRejection(promise, reason) {
  const mode = rejectionMode();
  if (
    processModule !== undefined &&
    mode !== "strict" &&
    processModule.emitRejection(reason, promise)
  ) {
    return;
  }
  if (mode === "none") return;
  if (mode === "warn" || mode === "warn-with-error-code") {
    printFatal(reason);
    if (mode === "warn-with-error-code") {
      require("node:process"); // hands itself over
      processModule.setExitCode(1);
    }
    return;
  }
  exports.reportException(reason, "unhandledRejection");
}

/**
 * Called by C after ticks and microtasks are done, with the promises that were rejected since and
 * have no handler, as [promise, reason, promise, reason, ...].
 */
exports.processRejections = function processRejections(list) {
  for (let i = 0; i < list.length; i += 2) {
    warned.add(list[i]);
    try {
      reportRejection(list[i], list[i + 1]);
    } catch (error) {
      exports.reportException(error, "uncaughtException");
    }
  }
};

/** Called by C for promises that got their handler after they had been reported. */
exports.processLateHandled = function processLateHandled(list) {
  for (let i = 0; i < list.length; i++) {
    const promise = list[i];
    if (warned.delete(promise)) processModule?.emitLateHandled(promise);
  }
};

native.setReporter(
  exports.reportException,
  exports.processRejections,
  exports.processLateHandled,
);
