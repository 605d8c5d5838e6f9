// web/streams/checks -- arguments of the Streams Standard: dictionaries, sizes, receivers.
const errors = require("internal/errors");
const { rejected } = require("web/streams/promises");

const isObject = (value) =>
  (typeof value === "object" && value !== null) || typeof value === "function";
exports.isObject = isObject;

exports.invalidThis = (name) => new errors.ERR_INVALID_THIS(name);
exports.invalidState = (text) => new errors.ERR_INVALID_STATE_TYPE(text);
exports.rejectThis = (name) => rejected(new errors.ERR_INVALID_THIS(name));

function typeError(text, code = "ERR_INVALID_ARG_TYPE") {
  return errors.makeCoded("TypeError", code, text);
}
exports.typeError = typeError;

/** A dictionary argument: nothing, or an object. */
exports.toDictionary = (value, name) => {
  if (value === undefined || value === null) return {};
  if (!isObject(value)) throw typeError(`${name} must be an object`);
  return value;
};

/** An optional member that is a function. */
exports.memberFunction = (dict, key) => {
  const value = dict[key];
  if (value === undefined) return undefined;
  if (typeof value !== "function") throw typeError(`${key} must be a function`);
  return value;
};

/** [EnforceRange] unsigned long long */
exports.toCount = (value, name) => {
  const n = Math.trunc(Number(value));
  if (!(n >= 0 && n <= Number.MAX_SAFE_INTEGER)) {
    throw typeError(`${name} is out of range`, "ERR_OUT_OF_RANGE");
  }
  return n + 0;
};

/** QueuingStrategy: { highWaterMark, size }, each undefined when it is not given. */
exports.toStrategy = (strategy) => {
  const dict = exports.toDictionary(strategy, "strategy");
  const mark = dict.highWaterMark;
  const highWaterMark = mark === undefined ? undefined : +mark;
  return { highWaterMark, size: exports.memberFunction(dict, "size") };
};

/** ExtractHighWaterMark */
exports.extractMark = (strategy, otherwise) => {
  const mark = strategy.highWaterMark;
  if (mark === undefined) return otherwise;
  if (mark !== mark || mark < 0) {
    throw errors.makeCoded(
      "RangeError", "ERR_INVALID_ARG_VALUE",
      `The property 'strategy.highWaterMark' is invalid. Received ${String(mark)}`,
    );
  }
  return mark;
};

/** The size of a chunk as a strategy says it; only what is finite can be counted. */
exports.checkSize = (size) => {
  const n = Number(size);
  if (!(n >= 0) || n === Infinity) {
    throw errors.makeCoded(
      "RangeError", "ERR_INVALID_ARG_VALUE", "A chunk's size must be a finite, non-negative number",
    );
  }
  return n;
};
