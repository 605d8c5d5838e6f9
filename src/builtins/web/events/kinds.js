// @global CustomEvent MessageEvent ErrorEvent CloseEvent
// web/events/kinds -- the subclasses of Event (DOM; HTML: comms; WebSockets).

const errors = require("internal/errors");
const { converters } = require("internal/webidl");
const { defineInterface } = require("internal/webidl/interface");
const { Event, isDispatching } = require("web/events");

const toUSVString = converters.USVString;
const toUnsignedLong = converters["unsigned long"];
const toUnsignedShort = converters["unsigned short"];

// Told by the module that owns MessagePort, once it is loaded: before that there are none.
let isMessagePort = () => false;

class CustomEvent extends Event {
  #detail = null;

  constructor(type, options = undefined) {
    if (arguments.length === 0) throw new errors.ERR_MISSING_ARGS("type");
    super(type, options);
    const detail = options?.detail;
    if (detail !== undefined) this.#detail = detail;
  }

  get detail() {
    if (!(#detail in Object(this))) throw new errors.ERR_INVALID_THIS("CustomEvent");
    return this.#detail;
  }

  initCustomEvent(type, bubbles = false, cancelable = false, detail = null) {
    if (!(#detail in Object(this))) throw new errors.ERR_INVALID_THIS("CustomEvent");
    if (arguments.length === 0) throw new errors.ERR_MISSING_ARGS("type");
    if (isDispatching(this)) return;
    super.initEvent(type, bubbles, cancelable);
    this.#detail = detail;
  }
}

const shown = (value) => require("internal/inspect").inspect(value);

function checkSource(value) {
  if (value === null || value === undefined || isMessagePort(value)) return value ?? null;
  throw new TypeError(
    `MessageEvent constructor: Expected eventInitDict.source ("${shown(value)}") ` +
      "to be an instance of MessagePort.",
  );
}

function checkPorts(value) {
  if (typeof value?.[Symbol.iterator] !== "function" || typeof value === "string") {
    throw new TypeError(
      `MessageEvent constructor: eventInitDict.ports (${shown(value)}) is not iterable.`,
    );
  }
  const ports = [...value];
  for (let i = 0; i < ports.length; i++) {
    if (isMessagePort(ports[i])) continue;
    throw new TypeError(
      `MessageEvent constructor: Expected eventInitDict.ports[${i}] ("${shown(ports[i])}") ` +
        "to be an instance of MessagePort.",
    );
  }
  return Object.freeze(ports);
}

class MessageEvent extends Event {
  #data = null;
  #origin = "";
  #lastEventId = "";
  #source = null;
  #ports = null;

  constructor(type, options = undefined) {
    if (arguments.length === 0) throw new errors.ERR_MISSING_ARGS("type");
    super(type, options);
    if (options === undefined || options === null) return;
    const { data, lastEventId, origin, ports, source } = options;
    if (data !== undefined) this.#data = data;
    if (lastEventId !== undefined) this.#lastEventId = `${lastEventId}`;
    if (origin !== undefined) this.#origin = toUSVString(origin);
    if (ports !== undefined) this.#ports = checkPorts(ports);
    if (source !== undefined) this.#source = checkSource(source);
  }

  static #of(value) {
    if (typeof value !== "object" || value === null || !(#data in value)) {
      throw new errors.ERR_INVALID_THIS("MessageEvent");
    }
    return value;
  }

  get data() {
    return MessageEvent.#of(this).#data;
  }

  get origin() {
    return MessageEvent.#of(this).#origin;
  }

  get lastEventId() {
    return MessageEvent.#of(this).#lastEventId;
  }

  get source() {
    return MessageEvent.#of(this).#source;
  }

  get ports() {
    const event = MessageEvent.#of(this);
    event.#ports ??= Object.freeze([]);
    return event.#ports;
  }

  initMessageEvent(
    type, bubbles = false, cancelable = false, data = null, origin = "", lastEventId = "",
    source = null, ports = [],
  ) {
    const event = MessageEvent.#of(this);
    if (arguments.length === 0) throw new errors.ERR_MISSING_ARGS("type");
    if (isDispatching(event)) return;
    const newOrigin = toUSVString(origin);
    const newId = `${lastEventId}`;
    const newSource = checkSource(source);
    const newPorts = checkPorts(ports);
    super.initEvent(type, bubbles, cancelable);
    event.#data = data;
    event.#origin = newOrigin;
    event.#lastEventId = newId;
    event.#source = newSource;
    event.#ports = newPorts;
  }
}

class ErrorEvent extends Event {
  #message = "";
  #filename = "";
  #lineno = 0;
  #colno = 0;
  #error;

  constructor(type, options = undefined) {
    if (arguments.length === 0) throw new errors.ERR_MISSING_ARGS("type");
    super(type, options);
    if (options === undefined || options === null) return;
    const { colno, error, filename, lineno, message } = options;
    if (colno !== undefined) this.#colno = toUnsignedLong(colno);
    this.#error = error;
    if (filename !== undefined) this.#filename = toUSVString(filename);
    if (lineno !== undefined) this.#lineno = toUnsignedLong(lineno);
    if (message !== undefined) this.#message = `${message}`;
  }

  static #of(value) {
    if (typeof value !== "object" || value === null || !(#message in value)) {
      throw new errors.ERR_INVALID_THIS("ErrorEvent");
    }
    return value;
  }

  get message() {
    return ErrorEvent.#of(this).#message;
  }

  get filename() {
    return ErrorEvent.#of(this).#filename;
  }

  get lineno() {
    return ErrorEvent.#of(this).#lineno;
  }

  get colno() {
    return ErrorEvent.#of(this).#colno;
  }

  get error() {
    return ErrorEvent.#of(this).#error;
  }
}

class CloseEvent extends Event {
  #wasClean = false;
  #code = 0;
  #reason = "";

  constructor(type, options = undefined) {
    if (arguments.length === 0) throw new errors.ERR_MISSING_ARGS("type");
    super(type, options);
    if (options === undefined || options === null) return;
    const { code, reason, wasClean } = options;
    if (code !== undefined) this.#code = toUnsignedShort(code);
    if (reason !== undefined) this.#reason = toUSVString(reason);
    this.#wasClean = !!wasClean;
  }

  static #of(value) {
    if (typeof value !== "object" || value === null || !(#code in value)) {
      throw new errors.ERR_INVALID_THIS("CloseEvent");
    }
    return value;
  }

  get wasClean() {
    return CloseEvent.#of(this).#wasClean;
  }

  get code() {
    return CloseEvent.#of(this).#code;
  }

  get reason() {
    return CloseEvent.#of(this).#reason;
  }
}

exports.CustomEvent = defineInterface(CustomEvent);
exports.MessageEvent = defineInterface(MessageEvent);
exports.ErrorEvent = defineInterface(ErrorEvent);
exports.CloseEvent = defineInterface(CloseEvent);
exports.setMessagePortCheck = (check) => {
  isMessagePort = check;
};
