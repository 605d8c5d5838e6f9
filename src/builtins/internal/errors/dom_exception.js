// internal/errors/dom_exception -- DOMException (Web IDL Standard, section 2.8.1).
//
// An instance is a real Error object of the engine, so that it has a stack and prints like one. The
// class behind it inherits from Error; the public constructor does not (its prototype object does),
// so it is a function that shares the class's prototype. The file is internal so that stacks begin
// where the exception was thrown.

const errors = require("internal/errors");
const { defineInterface } = require("internal/webidl/interface");

/** Legacy codes by name. */
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

let isDOMException;

function checkReceiver(value) {
  if (!isDOMException(value)) throw new errors.ERR_INVALID_THIS("DOMException");
  return value;
}

class ErrorWithName extends Error {
  #message;
  #name;

  constructor(message, options) {
    super();
    this.#message = `${message}`;
    if (options === null || typeof options !== "object") {
      this.#name = `${options}`;
      return;
    }
    const { name } = options;
    this.#name = name === undefined ? "Error" : `${name}`;
    if ("cause" in options) {
      Object.defineProperty(this, "cause", {
        __proto__: null, value: options.cause, configurable: true, writable: true,
        enumerable: false,
      });
    }
  }

  get name() {
    return checkReceiver(this).#name;
  }

  get message() {
    return checkReceiver(this).#message;
  }

  get code() {
    return kCodes[checkReceiver(this).#name] ?? 0;
  }

  static {
    isDOMException = (value) => typeof value === "object" && value !== null && #name in value;
  }
}

function DOMException(message = "", options = "Error") {
  if (new.target === undefined) {
    throw new TypeError("Class constructor DOMException cannot be invoked without 'new'");
  }
  if (new.target === DOMException) return new ErrorWithName(message, options);
  return Reflect.construct(ErrorWithName, [message, options], new.target);
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

Object.defineProperty(DOMException, "prototype", {
  __proto__: null, value: ErrorWithName.prototype, writable: false,
});
Object.defineProperty(DOMException.prototype, "constructor", {
  __proto__: null, value: DOMException, writable: true, configurable: true, enumerable: false,
});
defineInterface(DOMException, kConstants);

const getterOf = (name) => Object.getOwnPropertyDescriptor(DOMException.prototype, name).get;
const getName = getterOf("name");
const getMessage = getterOf("message");

exports.DOMException = DOMException;
exports.isDOMException = isDOMException;
/** What a copy is made of. */
exports.cloneData = (value) => {
  const { stack } = value;
  return [getMessage.call(value), getName.call(value),
    typeof stack === "string" ? stack : undefined];
};
exports.cloning = { make: cloneException };
