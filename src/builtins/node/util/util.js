// node:util -- (Node: util). Nearly every package loads this module and uses a function or two of
// it: each comes with its own module when it is first asked for.

const { lazies, lazy } = require("internal/process_util");

const from = (name, load) => lazy(exports, name, () => load()[name]);
const deprecateModule = () => require("internal/util/deprecate");
const systemErrors = () => require("internal/errors/system");

/** Sets up old-style inheritance of a constructor. */
exports.inherits = function inherits(ctor, superCtor) {
  const { ERR_INVALID_ARG_TYPE } = require("internal/errors");
  if (ctor === undefined || ctor === null) {
    throw new ERR_INVALID_ARG_TYPE("ctor", "Function", ctor);
  }
  if (superCtor === undefined || superCtor === null) {
    throw new ERR_INVALID_ARG_TYPE("superCtor", "Function", superCtor);
  }
  if (superCtor.prototype === undefined) {
    throw new ERR_INVALID_ARG_TYPE("superCtor.prototype", "Object", superCtor.prototype);
  }
  Object.defineProperty(ctor, "super_", {
    __proto__: null,
    value: superCtor,
    writable: true,
    configurable: true,
  });
  Object.setPrototypeOf(ctor.prototype, superCtor.prototype);
};

from("inspect", () => require("internal/inspect"));
from("format", () => require("internal/inspect"));
from("formatWithOptions", () => require("internal/inspect"));
lazy(exports, "TextEncoder", () => TextEncoder);
lazy(exports, "TextDecoder", () => TextDecoder);
from("types", () => require("internal/util/types"));
from("promisify", () => require("internal/util/promisify"));
from("callbackify", () => require("internal/util/promisify"));
from("debuglog", deprecateModule);
lazy(exports, "debug", () => deprecateModule().debuglog);
from("styleText", () => require("internal/util/style_text"));
from("stripVTControlCharacters", () => require("internal/util/style_text"));
from("parseArgs", () => require("internal/util/parse_args"));
from("MIMEType", () => require("internal/util/mime"));
from("MIMEParams", () => require("internal/util/mime"));
from("getCallSites", () => require("internal/util/call_sites"));
from("diff", () => require("internal/util/diff"));
from("parseEnv", () => require("internal/util/parse_env"));

exports.deprecate = function deprecate(fn, msg, code, { modifyPrototype } = {}) {
  return deprecateModule().deprecate(fn, msg, code, modifyPrototype);
};

exports.isDeepStrictEqual = function isDeepStrictEqual(a, b, skipPrototype) {
  return require("internal/deep_equal").isDeepStrictEqual(a, b, skipPrototype);
};

exports.toUSVString = function toUSVString(input) {
  return `${input}`.toWellFormed();
};

/** Adds the own properties of `source` if that is an object. Deprecated, like what follows. */
exports._extend = function _extend(target, source) {
  if (source === null || typeof source !== "object") return target;
  return Object.assign(target, source);
};

// Gone from Node, but old packages call them.
const gone = [
  "isArray", "isBoolean", "isBuffer", "isNull", "isNullOrUndefined", "isNumber", "isString",
  "isSymbol", "isUndefined", "isRegExp", "isObject", "isDate", "isError", "isFunction",
  "isPrimitive", "log",
];
lazies(exports, gone, (name) => require("internal/util/legacy")[name]);

// ---- Errors of the system -----------------------------------------------------------------------

function checkErrno(err) {
  require("internal/validators").validateNumber(err, "err");
  if (err < 0 && Number.isSafeInteger(err)) return;
  const { ERR_OUT_OF_RANGE } = require("internal/errors");
  throw new ERR_OUT_OF_RANGE("err", "a negative integer", err);
}

exports.getSystemErrorName = function getSystemErrorName(err) {
  checkErrno(err);
  return systemErrors().systemErrorName(err);
};

exports.getSystemErrorMessage = function getSystemErrorMessage(err) {
  checkErrno(err);
  return systemErrors().systemErrorMessage(err);
};

exports.getSystemErrorMap = function getSystemErrorMap() {
  return systemErrors().systemErrorMap();
};

exports._errnoException = function _errnoException(...args) {
  return Reflect.apply(systemErrors().errnoException, undefined, args);
};

exports._exceptionWithHostPort = function _exceptionWithHostPort(...args) {
  return Reflect.apply(systemErrors().exceptionWithHostPort, undefined, args);
};

/** 128 and the number of the signal: how a shell reports that a signal ended a program. */
exports.convertProcessSignalToExitCode = function convertProcessSignalToExitCode(signalCode) {
  const { signals } = require("node:os").constants;
  require("internal/validators").validateOneOf(signalCode, "signalCode", Object.keys(signals));
  return 128 + signals[signalCode];
};

// ---- Signals of AbortController -----------------------------------------------------------------

/** A rejection of the promise is nobody's concern. */
exports.markPromiseAsHandled = function markPromiseAsHandled(promise) {
  if (!exports.types.isPromise(promise)) {
    const { ERR_INVALID_ARG_TYPE } = require("internal/errors");
    throw new ERR_INVALID_ARG_TYPE("promise", "Promise", promise);
  }
  Promise.prototype.then.call(promise, undefined, () => {});
};

/** A promise that is fulfilled when the signal aborts, unless `resource` has been collected. */
exports.aborted = async function aborted(signal, resource) {
  const { validateAbortSignal } = require("internal/validators");
  const { ERR_INVALID_ARG_TYPE } = require("internal/errors");
  if (signal === undefined) throw new ERR_INVALID_ARG_TYPE("signal", "AbortSignal", signal);
  validateAbortSignal(signal, "signal");
  if (resource === null || (typeof resource !== "object" && typeof resource !== "function")) {
    throw new ERR_INVALID_ARG_TYPE("resource", "Object", resource);
  }
  if (signal.aborted) return undefined;
  const held = new WeakRef(resource);
  return new Promise((resolve) => {
    require("internal/util/abort_listener").onAbort(signal, () => {
      if (held.deref() !== undefined) resolve();
    });
  });
};

const kMissing = ["transferableAbortSignal", "transferableAbortController", "setTraceSigInt"];
for (let i = 0; i < kMissing.length; i++) {
  const name = kMissing[i];
  exports[name] = {
    [name]() {
      throw require("internal/errors").notImplemented(`util.${name}`);
    },
  }[name];
}
