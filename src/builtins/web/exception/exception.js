// @global DOMException
// web/exception -- DOMException (https://webidl.spec.whatwg.org/#idl-DOMException).
//
// An instance is a real Error object of the engine, so that it has a stack and prints like one. Its
// three attributes live in private fields that are stamped onto that object.

const { ERR_INVALID_THIS } = require("internal/errors");
const { defineInterface } = require("internal/webidl");

/** Legacy codes; the constants' names follow from these, except where kConstantNames differs. */
const kCodes = {
  __proto__: null,
  IndexSizeError: 1, HierarchyRequestError: 3, WrongDocumentError: 4, InvalidCharacterError: 5,
  NoModificationAllowedError: 7, NotFoundError: 8, NotSupportedError: 9, InUseAttributeError: 10,
  InvalidStateError: 11, SyntaxError: 12, InvalidModificationError: 13, NamespaceError: 14,
  InvalidAccessError: 15, TypeMismatchError: 17, SecurityError: 18, NetworkError: 19,
  AbortError: 20, URLMismatchError: 21, QuotaExceededError: 22, TimeoutError: 23,
  InvalidNodeTypeError: 24, DataCloneError: 25,
};
const kConstants = {
  __proto__: null,
  INDEX_SIZE_ERR: 1, DOMSTRING_SIZE_ERR: 2, HIERARCHY_REQUEST_ERR: 3, WRONG_DOCUMENT_ERR: 4,
  INVALID_CHARACTER_ERR: 5, NO_DATA_ALLOWED_ERR: 6, NO_MODIFICATION_ALLOWED_ERR: 7,
  NOT_FOUND_ERR: 8, NOT_SUPPORTED_ERR: 9, INUSE_ATTRIBUTE_ERR: 10, INVALID_STATE_ERR: 11,
  SYNTAX_ERR: 12, INVALID_MODIFICATION_ERR: 13, NAMESPACE_ERR: 14, INVALID_ACCESS_ERR: 15,
  VALIDATION_ERR: 16, TYPE_MISMATCH_ERR: 17, SECURITY_ERR: 18, NETWORK_ERR: 19, ABORT_ERR: 20,
  URL_MISMATCH_ERR: 21, QUOTA_EXCEEDED_ERR: 22, TIMEOUT_ERR: 23, INVALID_NODE_TYPE_ERR: 24,
  DATA_CLONE_ERR: 25,
};

class Returned {
  constructor(object) {
    return object;
  }
}

/** The private part of an instance. */
class State extends Returned {
  #name;
  #message;

  constructor(object, message, name) {
    super(object);
    this.#message = message;
    this.#name = name;
  }

  static has(value) {
    return typeof value === "object" && value !== null && #name in value;
  }

  static name(value) {
    if (!State.has(value)) throw new ERR_INVALID_THIS("DOMException");
    return value.#name;
  }

  static message(value) {
    if (!State.has(value)) throw new ERR_INVALID_THIS("DOMException");
    return value.#message;
  }
}

class DOMException {
  constructor(message = "", options = "Error") {
    const text = `${message}`;
    const self = Reflect.construct(Error, [], new.target);
    if (options !== null && typeof options === "object") {
      const { name } = options;
      new State(self, text, name === undefined ? "Error" : `${name}`);
      if ("cause" in options) {
        Object.defineProperty(self, "cause", {
          __proto__: null, value: options.cause, configurable: true, writable: true,
          enumerable: false,
        });
      }
    } else {
      new State(self, text, `${options}`);
    }
    return self;
  }

  get name() {
    return State.name(this);
  }

  get message() {
    return State.message(this);
  }

  get code() {
    return kCodes[State.name(this)] ?? 0;
  }
}

/** For structuredClone: see kClone there. */
function cloneException([message, name, stack]) {
  const clone = new DOMException(message, name);
  if (stack !== undefined) {
    Object.defineProperty(clone, "stack", {
      __proto__: null, value: stack, configurable: true, writable: true, enumerable: false,
    });
  }
  return clone;
}

Object.setPrototypeOf(DOMException.prototype, Error.prototype);
defineInterface(DOMException, kConstants);

exports.DOMException = DOMException;
exports.isDOMException = State.has;
/** [function that makes the copy, its argument]. */
exports.cloneParts = (value) => {
  const { stack } = value;
  return [
    cloneException,
    [State.message(value), State.name(value), typeof stack === "string" ? stack : undefined],
  ];
};
