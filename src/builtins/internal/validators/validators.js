// internal/validators -- argument checks with Node's error codes and texts (Node:
// lib/internal/validators).
// The errors are loaded by the first check that fails.
const errors = () => require("internal/errors");

const { isInteger, isNaN, MAX_SAFE_INTEGER, MIN_SAFE_INTEGER } = Number;

exports.validateFunction = function validateFunction(value, name) {
  if (typeof value !== "function") {
    throw new (errors().ERR_INVALID_ARG_TYPE)(name, "Function", value);
  }
};

exports.validateString = function validateString(value, name) {
  if (typeof value !== "string") throw new (errors().ERR_INVALID_ARG_TYPE)(name, "string", value);
};

exports.validateBoolean = function validateBoolean(value, name) {
  if (typeof value !== "boolean") throw new (errors().ERR_INVALID_ARG_TYPE)(name, "boolean", value);
};

/** A number within [min, max]; either bound may be undefined. */
exports.validateNumber = function validateNumber(value, name, min, max) {
  if (typeof value !== "number") throw new (errors().ERR_INVALID_ARG_TYPE)(name, "number", value);
  if (
    (min !== undefined && value < min) ||
    (max !== undefined && value > max) ||
    ((min !== undefined || max !== undefined) && isNaN(value))
  ) {
    const low = min === undefined ? "" : `>= ${min}`;
    const high = max === undefined ? "" : `<= ${max}`;
    const range = low && high ? `${low} && ${high}` : low + high;
    throw new (errors().ERR_OUT_OF_RANGE)(name, range, value);
  }
};

function checkInteger(value, name, min, max) {
  if (typeof value !== "number") throw new (errors().ERR_INVALID_ARG_TYPE)(name, "number", value);
  if (!isInteger(value)) throw new (errors().ERR_OUT_OF_RANGE)(name, "an integer", value);
  if (value < min || value > max)
    throw new (errors().ERR_OUT_OF_RANGE)(name, `>= ${min} && <= ${max}`, value);
}

exports.validateInteger = function validateInteger(
  value,
  name,
  min = MIN_SAFE_INTEGER,
  max = MAX_SAFE_INTEGER,
) {
  checkInteger(value, name, min, max);
};

exports.validateInt32 = function validateInt32(value, name, min = -2147483648, max = 2147483647) {
  checkInteger(value, name, min, max);
};

exports.validateUint32 = function validateUint32(value, name, isPositive = false) {
  if (typeof value !== "number") throw new (errors().ERR_INVALID_ARG_TYPE)(name, "number", value);
  if (!isInteger(value)) throw new (errors().ERR_OUT_OF_RANGE)(name, "an integer", value);
  const min = isPositive ? 1 : 0;
  if (value < min || value > 4294967295) {
    throw new (errors().ERR_OUT_OF_RANGE)(name, `>= ${min} && <= 4294967295`, value);
  }
};

exports.validateOneOf = function validateOneOf(value, name, oneOf) {
  if (oneOf.includes(value)) return;
  const list = oneOf.map((v) => (typeof v === "string" ? `'${v}'` : String(v))).join(", ");
  throw new (errors().ERR_INVALID_ARG_VALUE)(name, value, `must be one of: ${list}`);
};

/** Options: allowArray, allowFunction, nullable. */
exports.validateObject = function validateObject(value, name, options) {
  const isOk =
    value === null
      ? options?.nullable === true
      : Array.isArray(value)
        ? options?.allowArray === true
        : typeof value === "object" ||
          (typeof value === "function" && options?.allowFunction === true);
  if (!isOk) throw new (errors().ERR_INVALID_ARG_TYPE)(name, "Object", value);
};

exports.validateArray = function validateArray(value, name, minLength = 0) {
  if (!Array.isArray(value)) throw new (errors().ERR_INVALID_ARG_TYPE)(name, "Array", value);
  if (value.length < minLength) {
    throw new (errors().ERR_INVALID_ARG_VALUE)(name, value, `must be longer than ${minLength}`);
  }
};

/** undefined is fine; otherwise something with an `aborted` property. */
exports.validateAbortSignal = function validateAbortSignal(signal, name) {
  if (
    signal !== undefined &&
    (signal === null || typeof signal !== "object" || !("aborted" in signal))
  ) {
    throw new (errors().ERR_INVALID_ARG_TYPE)(name, "AbortSignal", signal);
  }
};

/** A port as number or text; returns the number. */
exports.validatePort = function validatePort(port, name = "Port", allowZero = true) {
  if (
    (typeof port !== "number" && typeof port !== "string") ||
    (typeof port === "string" && port.trim().length === 0) ||
    +port !== +port >>> 0 ||
    port > 0xffff ||
    (port === 0 && !allowZero)
  ) {
    throw new (errors().ERR_SOCKET_BAD_PORT)(name, port, allowZero);
  }
  return port | 0;
};
