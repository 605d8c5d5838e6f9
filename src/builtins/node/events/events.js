// node:events -- EventEmitter (Node: events).  once/on and the other static helpers are in
// helpers.js.
//
// An emitter keeps `_events`, a null-prototype object of name -> function | function[]: code in the
// wild reads it, so the names and shapes are Node's.
const { ERR_INVALID_ARG_TYPE, ERR_OUT_OF_RANGE, ERR_UNHANDLED_ERROR } = require("internal/errors");
const { validateFunction, validateBoolean } = require("internal/validators");

const kCapture = Symbol("kCapture");
const kErrorMonitor = Symbol("events.errorMonitor");
const kRejection = Symbol.for("nodejs.rejection");
const { apply, ownKeys } = Reflect;
let defaultMaxListeners = 10;

/** new EventEmitter({ captureRejections }); also callable on an existing object, as old code does.
 * */
function EventEmitter(options) {
  EventEmitter.init.call(this, options);
}

EventEmitter.prototype._events = undefined;
EventEmitter.prototype._eventsCount = 0;
EventEmitter.prototype._maxListeners = undefined;
EventEmitter.usingDomains = false;
EventEmitter.captureRejectionSymbol = kRejection;
EventEmitter.errorMonitor = kErrorMonitor;
EventEmitter.EventEmitter = EventEmitter;

let captureByDefault = false;
Object.defineProperties(EventEmitter, {
  captureRejections: {
    get() {
      return captureByDefault;
    },
    set(value) {
      validateBoolean(value, "EventEmitter.captureRejections");
      captureByDefault = value;
      EventEmitter.prototype[kCapture] = value;
    },
    enumerable: true,
  },
  defaultMaxListeners: {
    get() {
      return defaultMaxListeners;
    },
    set(n) {
      checkMax(n, "defaultMaxListeners");
      defaultMaxListeners = n;
    },
    enumerable: true,
  },
});
Object.defineProperty(EventEmitter.prototype, kCapture, {
  __proto__: null,
  value: false,
  writable: true,
});

EventEmitter.init = function init(options) {
  if (this._events === undefined || this._events === Object.getPrototypeOf(this)._events) {
    this._events = { __proto__: null };
    this._eventsCount = 0;
  }
  this._maxListeners = this._maxListeners || undefined;
  if (options?.captureRejections) {
    validateBoolean(options.captureRejections, "options.captureRejections");
    this[kCapture] = Boolean(options.captureRejections);
  } else if (captureByDefault) {
    this[kCapture] = true;
  }
};

function checkMax(n, name) {
  if (typeof n !== "number") throw new ERR_INVALID_ARG_TYPE(name, "number", n);
  if (!(n >= 0)) throw new ERR_OUT_OF_RANGE(name, "a non-negative number", n);
}

function checkListener(listener) {
  if (typeof listener !== "function") validateFunction(listener, "listener");
}

EventEmitter.prototype.setMaxListeners = function setMaxListeners(n) {
  checkMax(n, "setMaxListeners");
  this._maxListeners = n;
  return this;
};

function maxListenersOf(emitter) {
  return emitter._maxListeners === undefined ? defaultMaxListeners : emitter._maxListeners;
}

EventEmitter.prototype.getMaxListeners = function getMaxListeners() {
  return maxListenersOf(this);
};

// ---- Emitting
// --------------------------------------------------------------------------------------

function throwUnhandledError(emitter, args) {
  const error = args[0];
  if (error instanceof Error) throw error;
  let text;
  try {
    text = require("internal/inspect").inspect(error);
  } catch {
    text = String(error);
  }
  const wrapped = new ERR_UNHANDLED_ERROR(text);
  wrapped.context = error;
  throw wrapped;
}

function onRejected(emitter, error, name, args) {
  const handler = emitter[kRejection];
  if (typeof handler === "function") {
    apply(handler, emitter, [error, name].concat(args));
    return;
  }
  const previous = emitter[kCapture];
  // A listener of 'error' that rejects again must not loop.
  try {
    emitter[kCapture] = false;
    emitter.emit("error", error);
  } finally {
    emitter[kCapture] = previous;
  }
}

function watchPromise(emitter, result, name, args) {
  if (result === undefined || result === null) return;
  try {
    const { then } = result;
    if (typeof then !== "function") return;
    then.call(result, undefined, (error) => {
      require("internal/tick").nextTick(onRejected, emitter, error, name, args);
    });
  } catch (error) {
    emitter.emit("error", error);
  }
}

const { call: functionCall } = Function.prototype;

// Most events have few arguments: without a list of them emit() costs a quarter.
const FEW = 3;

function callOne(emitter, listener, name, args) {
  const result = apply(listener, emitter, args);
  if (result !== undefined && emitter[kCapture]) watchPromise(emitter, result, name, args);
}

/** One listener and `n` arguments, FEW at most. */
function callFew(emitter, listener, name, n, a, b, c) {
  let result;
  if (listener.call !== functionCall) result = apply(listener, emitter, listOf(n, a, b, c));
  else if (n === 1) result = listener.call(emitter, a);
  else if (n === 2) result = listener.call(emitter, a, b);
  else if (n === 0) result = listener.call(emitter);
  else result = listener.call(emitter, a, b, c);
  if (result !== undefined && emitter[kCapture]) {
    watchPromise(emitter, result, name, listOf(n, a, b, c));
  }
}

function listOf(n, a, b, c) {
  const list = [a, b, c];
  list.length = n;
  return list;
}

function emitMany(emitter, handler, name, args) {
  if (typeof handler === "function") {
    callOne(emitter, handler, name, args);
    return;
  }
  const copy = handler.slice();
  for (let i = 0; i < copy.length; i++) callOne(emitter, copy[i], name, args);
}

/** 'error' with nobody who listens throws. */
function checkError(emitter, events, args) {
  if (events !== undefined && events[kErrorMonitor] !== undefined)
    apply(emitter.emit, emitter, [kErrorMonitor].concat(args));
  if (events === undefined || events.error === undefined) throwUnhandledError(emitter, args);
}

EventEmitter.prototype.emit = function emit(name, a = undefined, b = undefined, c = undefined) {
  const n = arguments.length - 1;
  const events = this._events;
  let all;
  if (n > FEW || name === "error") {
    all = [];
    for (let i = 1; i <= n; i++) all[i - 1] = arguments[i];
    if (name === "error") checkError(this, events, all);
  }
  if (events === undefined) return false;
  const handler = events[name];
  if (handler === undefined) return false;
  if (all !== undefined) {
    emitMany(this, handler, name, all);
  } else if (typeof handler === "function") {
    callFew(this, handler, name, n, a, b, c);
  } else {
    const copy = handler.slice();
    for (let i = 0; i < copy.length; i++) callFew(this, copy[i], name, n, a, b, c);
  }
  return true;
};

// ---- Adding
// ----------------------------------------------------------------------------------------

function warnAboutLeak(emitter, list, name) {
  list.warned = true;
  const kind = emitter.constructor?.name || "EventEmitter";
  const message =
    `Possible EventEmitter memory leak detected. ${list.length} ${String(name)} listeners ` +
    `added to [${kind}]. MaxListeners is ${maxListenersOf(emitter)}. Use ` +
    "emitter.setMaxListeners() to increase limit";
  const warning = new Error(message);
  warning.name = "MaxListenersExceededWarning";
  warning.emitter = emitter;
  warning.type = name;
  warning.count = list.length;
  process.emitWarning(warning);
}

function add(emitter, name, listener, isFirst) {
  checkListener(listener);
  let events = emitter._events;
  if (events === undefined) {
    events = emitter._events = { __proto__: null };
    emitter._eventsCount = 0;
  } else if (events.newListener !== undefined) {
    emitter.emit("newListener", name, listener.listener ?? listener);
    events = emitter._events;
  }
  const existing = events[name];
  if (existing === undefined) {
    events[name] = listener;
    emitter._eventsCount++;
    return emitter;
  }
  if (typeof existing === "function") {
    events[name] = isFirst ? [listener, existing] : [existing, listener];
  } else if (isFirst) {
    existing.unshift(listener);
  } else {
    existing.push(listener);
  }
  const list = events[name];
  const max = maxListenersOf(emitter);
  if (max > 0 && list.length > max && !list.warned) warnAboutLeak(emitter, list, name);
  return emitter;
}

EventEmitter.prototype.addListener = function addListener(name, listener) {
  return add(this, name, listener, false);
};
EventEmitter.prototype.on = EventEmitter.prototype.addListener;

EventEmitter.prototype.prependListener = function prependListener(name, listener) {
  return add(this, name, listener, true);
};

function makeOnce(emitter, name, listener) {
  const state = { fired: false };
  function wrapped(...args) {
    if (state.fired) return undefined;
    emitter.removeListener(name, wrapped);
    state.fired = true;
    return apply(listener, emitter, args);
  }
  wrapped.listener = listener;
  return wrapped;
}

EventEmitter.prototype.once = function once(name, listener) {
  checkListener(listener);
  return this.on(name, makeOnce(this, name, listener));
};

EventEmitter.prototype.prependOnceListener = function prependOnceListener(name, listener) {
  checkListener(listener);
  return this.prependListener(name, makeOnce(this, name, listener));
};

// ---- Removing
// --------------------------------------------------------------------------------------

function forget(emitter, name) {
  if (--emitter._eventsCount === 0) emitter._events = { __proto__: null };
  else delete emitter._events[name];
}

EventEmitter.prototype.removeListener = function removeListener(name, listener) {
  checkListener(listener);
  const events = this._events;
  const list = events?.[name];
  if (list === undefined) return this;
  if (list === listener || list.listener === listener) {
    forget(this, name);
  } else if (typeof list !== "function") {
    let at = list.length - 1;
    while (at >= 0 && list[at] !== listener && list[at].listener !== listener) at--;
    if (at < 0) return this;
    if (list.length === 2) events[name] = list[1 - at];
    else list.splice(at, 1);
  } else {
    return this;
  }
  if (events.removeListener !== undefined)
    this.emit("removeListener", name, listener.listener ?? listener);
  return this;
};
EventEmitter.prototype.off = EventEmitter.prototype.removeListener;

function removeAllOf(emitter, name) {
  const list = emitter._events[name];
  if (typeof list === "function") {
    emitter.removeListener(name, list);
  } else if (list !== undefined) {
    for (let i = list.length - 1; i >= 0; i--) emitter.removeListener(name, list[i]);
  }
}

EventEmitter.prototype.removeAllListeners = function removeAllListeners(name) {
  const events = this._events;
  if (events === undefined) return this;
  const isEverything = arguments.length === 0;
  if (events.removeListener === undefined) {
    if (isEverything) {
      this._events = { __proto__: null };
      this._eventsCount = 0;
    } else if (events[name] !== undefined) {
      forget(this, name);
    }
    return this;
  }
  if (!isEverything) {
    removeAllOf(this, name);
    return this;
  }
  for (let i = 0, all = ownKeys(events); i < all.length; i++) {
    const key = all[i];
    if (key !== "removeListener") removeAllOf(this, key);
  }
  removeAllOf(this, "removeListener");
  this._events = { __proto__: null };
  this._eventsCount = 0;
  return this;
};

// ---- Asking
// ----------------------------------------------------------------------------------------

function listenersOf(emitter, name, isRaw) {
  const list = emitter._events?.[name];
  if (list === undefined) return [];
  const all = typeof list === "function" ? [list] : list;
  return all.map((l) => (isRaw ? l : (l.listener ?? l)));
}

EventEmitter.prototype.listeners = function listeners(name) {
  return listenersOf(this, name, false);
};

EventEmitter.prototype.rawListeners = function rawListeners(name) {
  return listenersOf(this, name, true);
};

EventEmitter.prototype.listenerCount = function listenerCount(name, listener) {
  const list = this._events?.[name];
  if (list === undefined) return 0;
  if (listener === undefined || listener === null)
    return typeof list === "function" ? 1 : list.length;
  const all = typeof list === "function" ? [list] : list;
  return all.filter((l) => l === listener || l.listener === listener).length;
};

EventEmitter.prototype.eventNames = function eventNames() {
  return this._eventsCount > 0 ? ownKeys(this._events) : [];
};

// ---- Static helpers, loaded when first used
// ----------------------------------------------------------

for (let i = 0, all = [
  "once",
  "on",
  "getEventListeners",
  "getMaxListeners",
  "setMaxListeners",
  "listenerCount",
  "addAbortListener",
  "EventEmitterAsyncResource",
]; i < all.length; i++) {
  const name = all[i];
  Object.defineProperty(EventEmitter, name, {
    __proto__: null,
    get() {
      const value = require("internal/event_helpers")[name];
      Object.defineProperty(EventEmitter, name, {
        __proto__: null,
        value,
        writable: true,
        configurable: true,
        enumerable: true,
      });
      return value;
    },
    set(value) {
      Object.defineProperty(EventEmitter, name, {
        __proto__: null,
        value,
        writable: true,
        configurable: true,
        enumerable: true,
      });
    },
    configurable: true,
    enumerable: true,
  });
}

return EventEmitter;
