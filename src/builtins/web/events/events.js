// @global Event EventTarget
// web/events -- Event and EventTarget (https://dom.spec.whatwg.org/#events).
//
// There is no tree here: an event's path is its target alone. It still has the two passes of the
// standard (capturing listeners first), which matters when a listener adds or stops something.
//
// Events made by Cob itself come from `makeTrusted` and go out through `dispatch`.

const errors = require("internal/errors");
const { defineInterface } = require("internal/webidl/interface");
const { now } = require("internal/clock");

const { defineProperty } = Object;

const BUBBLES = 1;
const CANCELABLE = 2;
const COMPOSED = 4;
const CANCELED = 8;
const STOP = 16;
const STOP_IMMEDIATE = 32;
const IN_PASSIVE = 64;
const DISPATCHING = 128;
const TRUSTED = 256;

const NONE = 0;
const AT_TARGET = 2;

/**
 * A method under this key is told `(type, count)` after the number of listeners of a type changed:
 * message ports and abort signals live longer while somebody listens.
 */
const kListenersChanged = Symbol("listeners changed");

/** Option of addEventListener for built-ins: called even after stopImmediatePropagation. */
const kResist = Symbol("resist");

let isEvent;
let isDispatching;
let typeOf;
let dispatch;
let makeTrusted;
let isEventTarget;
let getListeners;
let addRecord;
let removeRecord;
let setSelf;

function checkOptions(options) {
  if (options !== undefined && options !== null && typeof options !== "object" &&
      typeof options !== "function") {
    throw new errors.ERR_INVALID_ARG_TYPE("options", "object", options);
  }
}

class Event {
  #type;
  #flags = 0;
  #time = now();
  #target = null;
  #currentTarget = null;
  #phase = NONE;

  constructor(type, options = undefined) {
    if (arguments.length === 0) throw new errors.ERR_MISSING_ARGS("type");
    this.#type = `${type}`;
    defineProperty(this, "isTrusted", kIsTrusted);
    if (options === undefined) return;
    checkOptions(options);
    if (options === null) return;
    const { bubbles, cancelable, composed } = options;
    this.#flags =
      (bubbles ? BUBBLES : 0) | (cancelable ? CANCELABLE : 0) | (composed ? COMPOSED : 0);
  }

  static #of(value) {
    if (typeof value !== "object" || value === null || !(#type in value)) {
      throw new errors.ERR_INVALID_THIS("Event");
    }
    return value;
  }

  get type() {
    return Event.#of(this).#type;
  }

  get target() {
    return Event.#of(this).#target;
  }

  get srcElement() {
    return Event.#of(this).#target;
  }

  get currentTarget() {
    return Event.#of(this).#currentTarget;
  }

  composedPath() {
    const target = Event.#of(this).#currentTarget;
    return target === null ? [] : [target];
  }

  get eventPhase() {
    return Event.#of(this).#phase;
  }

  stopPropagation() {
    Event.#of(this).#flags |= STOP;
  }

  get cancelBubble() {
    return (Event.#of(this).#flags & STOP) !== 0;
  }

  set cancelBubble(value) {
    if (value) Event.#of(this).#flags |= STOP;
    else Event.#of(this);
  }

  stopImmediatePropagation() {
    Event.#of(this).#flags |= STOP | STOP_IMMEDIATE;
  }

  get bubbles() {
    return (Event.#of(this).#flags & BUBBLES) !== 0;
  }

  get cancelable() {
    return (Event.#of(this).#flags & CANCELABLE) !== 0;
  }

  get returnValue() {
    return (Event.#of(this).#flags & CANCELED) === 0;
  }

  set returnValue(value) {
    Event.#of(this);
    if (!value) this.#cancel();
  }

  preventDefault() {
    Event.#of(this).#cancel();
  }

  get defaultPrevented() {
    return (Event.#of(this).#flags & CANCELED) !== 0;
  }

  get composed() {
    return (Event.#of(this).#flags & COMPOSED) !== 0;
  }

  get timeStamp() {
    return Event.#of(this).#time;
  }

  initEvent(type, bubbles = false, cancelable = false) {
    const event = Event.#of(this);
    if (arguments.length === 0) throw new errors.ERR_MISSING_ARGS("type");
    const name = `${type}`;
    if (event.#flags & DISPATCHING) return;
    event.#type = name;
    event.#target = null;
    event.#flags =
      (event.#flags & COMPOSED) | (bubbles ? BUBBLES : 0) | (cancelable ? CANCELABLE : 0);
  }

  #cancel() {
    if ((this.#flags & (CANCELABLE | IN_PASSIVE)) === CANCELABLE) this.#flags |= CANCELED;
  }

  /** One pass over the listeners ("inner invoke"). `list` may change under our feet. */
  static #invoke(event, target, list, isCapture) {
    const { records } = list;
    let isStopped = false;
    list.n_readers++;
    try {
      for (let i = 0; i < records.length; i++) {
        const record = records[i];
        if (record.isRemoved || record.isCapture !== isCapture) continue;
        if (isStopped && !record.isResistant) continue;
        if (record.isOnce) removeRecord(record);
        if (record.isPassive) event.#flags |= IN_PASSIVE;
        callListener(record.callback, event, target);
        event.#flags &= ~IN_PASSIVE;
        if (event.#flags & STOP_IMMEDIATE) isStopped = true;
        if (isStopped && !list.hasResistant) break;
      }
    } finally {
      list.n_readers--;
    }
  }

  static {
    isEvent = (value) => typeof value === "object" && value !== null && #type in value;
    isDispatching = (event) => (Event.#of(event).#flags & DISPATCHING) !== 0;
    typeOf = (event) => event.#type;

    dispatch = (event, target, list) => {
      event.#target = event.#currentTarget = target;
      event.#phase = AT_TARGET;
      event.#flags |= DISPATCHING;
      if (list !== undefined) {
        if (list.n_capture > 0 && !(event.#flags & STOP)) Event.#invoke(event, target, list, true);
        if (!(event.#flags & STOP)) Event.#invoke(event, target, list, false);
      }
      event.#currentTarget = null;
      event.#phase = NONE;
      event.#flags &= ~(DISPATCHING | STOP | STOP_IMMEDIATE);
      return (event.#flags & CANCELED) === 0;
    };

    makeTrusted = (event) => {
      event.#flags |= TRUSTED;
      return event;
    };

    Event.isTrusted = (value) => (Event.#of(value).#flags & TRUSTED) !== 0;
    Event.begin = (event) => {
      if (event.#flags & DISPATCHING) throw new errors.ERR_EVENT_RECURSION(event.#type);
      event.#flags &= ~TRUSTED;
      return event.#type;
    };
  }
}

// [LegacyUnforgeable]: an own accessor of every event, with one getter for all.
const { isTrusted: readTrusted, begin: beginDispatch } = Event;
delete Event.isTrusted;
delete Event.begin;
const kIsTrusted = {
  __proto__: null,
  get: { get isTrusted() { return readTrusted(this); } }.__lookupGetter__("isTrusted"),
  set: undefined,
  enumerable: true,
  configurable: false,
};

/** Calls a listener; what it throws is reported and does not stop the dispatch. */
function callListener(callback, event, target) {
  try {
    if (typeof callback === "function") {
      callback.call(target, event);
      return;
    }
    const { handleEvent } = callback;
    if (typeof handleEvent !== "function") {
      throw new TypeError("The listener's handleEvent is not a function");
    }
    handleEvent.call(callback, event);
  } catch (err) {
    require("internal/report").reportListenerException(err);
  }
}

/** One registered listener. `undo` detaches it from an abort signal. */
class Listener {
  constructor(target, type, callback) {
    this.target = target;
    this.type = type;
    this.callback = callback;
    this.isCapture = false;
    this.isOnce = false;
    this.isPassive = false;
    this.isResistant = false; // see kResist
    this.isRemoved = false;
    this.undo = null;
  }
}

/** `capture` of the third argument: a boolean or a dictionary. */
function readCapture(options) {
  if (options !== null && (typeof options === "object" || typeof options === "function")) {
    return !!options.capture;
  }
  return !!options;
}

/** Binds a listener to a signal without keeping listener or target alive through it. */
function bindSignal(record, signal) {
  const { addAlgorithm, removeAlgorithm } = require("web/abort");
  const weak = new WeakRef(record);
  const algorithm = () => {
    const listener = weak.deref();
    if (listener !== undefined) removeRecord(listener);
  };
  addAlgorithm(signal, algorithm, true);
  record.undo = () => removeAlgorithm(signal, algorithm);
}

function checkListener(listener) {
  if (listener === null || listener === undefined) return false;
  if (typeof listener !== "function" && typeof listener !== "object") {
    throw new errors.ERR_INVALID_ARG_TYPE("listener", "EventListener", listener);
  }
  return true;
}

class EventTarget {
  /** Map of type to { records, n_capture, n_readers }. */
  #lists = null;
  /** What events see as their target: this object, or the one it stands for. */
  #self = this;
  /** Map of name to { record, value } of the attributes on...; see defineEventHandler. */
  #handlers = null;

  static #of(value) {
    if (typeof value !== "object" || value === null || !(#lists in value)) {
      throw new errors.ERR_INVALID_THIS("EventTarget");
    }
    return value;
  }

  addEventListener(type, listener, options = undefined) {
    const target = EventTarget.#of(this);
    if (arguments.length < 2) throw new errors.ERR_MISSING_ARGS("type", "listener");
    const record = new Listener(target, `${type}`, listener);
    const isUsable = checkListener(listener);
    let signal;
    if (options !== undefined) {
      record.isCapture = readCapture(options);
      if (typeof options === "object" && options !== null) {
        record.isOnce = !!options.once;
        record.isPassive = !!options.passive;
        record.isResistant = options[kResist] === true;
        signal = options.signal;
      }
    }
    if (signal !== undefined) {
      if (!require("web/abort").isAbortSignal(signal)) {
        throw new errors.ERR_INVALID_ARG_TYPE("options.signal", "AbortSignal", signal);
      }
      if (signal.aborted) return;
    }
    if (isUsable && addRecord(record) && signal !== undefined) bindSignal(record, signal);
  }

  removeEventListener(type, listener, options = undefined) {
    const target = EventTarget.#of(this);
    if (arguments.length < 2) throw new errors.ERR_MISSING_ARGS("type", "listener");
    const name = `${type}`;
    if (!checkListener(listener)) return;
    const isCapture = readCapture(options);
    const records = target.#lists?.get(name)?.records ?? [];
    for (let i = 0; i < records.length; i++) {
      const record = records[i];
      if (record.callback === listener && record.isCapture === isCapture) {
        removeRecord(record);
        return;
      }
    }
  }

  dispatchEvent(event) {
    const target = EventTarget.#of(this);
    if (arguments.length === 0) throw new errors.ERR_MISSING_ARGS("event");
    if (!isEvent(event)) throw new errors.ERR_INVALID_ARG_TYPE("event", "Event", event);
    const type = beginDispatch(event);
    return dispatch(event, target.#self, target.#lists?.get(type));
  }

  static #addHandler(target, name) {
    const handler = { record: null, value: null };
    const record = new Listener(target, name, function callHandler(event) {
      if (typeof handler.value !== "function") return;
      const result = handler.value.call(target.#self, event);
      const isError = name === "error" && event instanceof require("web/events/kinds").ErrorEvent;
      if (isError ? result === true : result === false) event.preventDefault();
    });
    handler.record = record;
    target.#handlers ??= new Map();
    target.#handlers.set(name, handler);
    return handler;
  }

  static {
    isEventTarget = (value) => typeof value === "object" && value !== null && #lists in value;

    getListeners = (target, type) =>
      target.#lists?.get(type)?.records.map((record) => record.callback) ?? [];

    setSelf = (target, self) => {
      target.#self = self;
      return target;
    };

    addRecord = (record) => {
      const { target, type } = record;
      const lists = (target.#lists ??= new Map());
      let list = lists.get(type);
      if (list === undefined) {
        list = { records: [record], n_capture: 0, n_readers: 0, hasResistant: false };
        lists.set(type, list);
      } else {
        for (const other of list.records) {
          if (other.callback === record.callback && other.isCapture === record.isCapture) {
            return false;
          }
        }
        if (list.n_readers > 0) list.records = list.records.concat([record]);
        else list.records.push(record);
      }
      if (record.isCapture) list.n_capture++;
      if (record.isResistant) list.hasResistant = true;
      target[kListenersChanged]?.(type, list.records.length);
      return true;
    };

    removeRecord = (record) => {
      if (record.isRemoved) return;
      record.isRemoved = true;
      record.undo?.();
      const { target, type } = record;
      const list = target.#lists.get(type);
      if (list.n_readers > 0) list.records = list.records.filter((other) => other !== record);
      else list.records.splice(list.records.indexOf(record), 1);
      if (record.isCapture) list.n_capture--;
      if (list.records.length === 0 && list.n_readers === 0) target.#lists.delete(type);
      target[kListenersChanged]?.(type, list.records.length);
    };

    EventTarget.getHandler = (value, name) =>
      EventTarget.#of(value).#handlers?.get(name)?.value ?? null;

    EventTarget.setHandler = (value, name, callback) => {
      const target = EventTarget.#of(value);
      const isObject = typeof callback === "object" || typeof callback === "function";
      let handler = target.#handlers?.get(name);
      if (callback === null || !isObject) {
        if (handler === undefined || handler.value === null) return;
        handler.value = null;
        removeRecord(handler.record);
        target.#handlers.delete(name);
        return;
      }
      handler ??= EventTarget.#addHandler(target, name);
      const isNew = handler.value === null;
      handler.value = callback;
      if (isNew) addRecord(handler.record);
    };
    EventTarget.fire = (target, event) =>
      dispatch(event, target.#self, target.#lists?.get(typeOf(event)));
  }
}

const { getHandler, setHandler, fire } = EventTarget;
delete EventTarget.getHandler;
delete EventTarget.setHandler;
delete EventTarget.fire;

/**
 * Defines the event handler attribute `on${name}` of a class whose instances are event targets
 * (https://html.spec.whatwg.org/#event-handler-idl-attributes). A handler keeps its place among the
 * listeners while it is replaced, and loses it when it is set to null.
 */
function defineEventHandler(Class, name) {
  const key = `on${name}`;
  const accessors = {
    get [key]() {
      return getHandler(this, name);
    },
    set [key](value) {
      setHandler(this, name, value);
    },
  };
  const desc = Object.getOwnPropertyDescriptor(accessors, key);
  defineProperty(Class.prototype, key, desc);
}

defineInterface(Event, { NONE: 0, CAPTURING_PHASE: 1, AT_TARGET: 2, BUBBLING_PHASE: 3 });
defineInterface(EventTarget);

exports.Event = Event;
exports.EventTarget = EventTarget;
exports.isEvent = isEvent;
exports.isDispatching = isDispatching;
exports.isEventTarget = isEventTarget;
exports.checkEventOptions = checkOptions;
exports.defineEventHandler = defineEventHandler;
exports.kListenersChanged = kListenersChanged;
exports.kResist = kResist;
/** Marks an event as Cob's own (isTrusted) and returns it. */
exports.makeTrusted = makeTrusted;
/** Dispatches without checks, and without taking the trust away. Returns false when cancelled. */
exports.fire = fire;
/** The listeners of a type, in order. */
exports.getListeners = getListeners;
/** An event target whose events name `self` as their target; for the global object. */
exports.targetFor = (self) => setSelf(new EventTarget(), self);
