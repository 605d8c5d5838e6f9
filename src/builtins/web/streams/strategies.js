// @global ByteLengthQueuingStrategy CountQueuingStrategy
// web/streams/strategies -- ByteLengthQueuingStrategy and CountQueuingStrategy (Streams Standard,
// 7).
const { invalidThis, isObject, typeError } = require("web/streams/checks");
const { defineInterface } = require("internal/webidl/interface");

const kInspect = Symbol.for("nodejs.util.inspect.custom");

// One function for all instances. Arrow functions: they are no constructors.
const byteLengthSize = (chunk) => chunk.byteLength;
const countSize = () => 1;
Object.defineProperty(byteLengthSize, "name", { __proto__: null, value: "size" });
Object.defineProperty(countSize, "name", { __proto__: null, value: "size" });

function toMark(init, argumentCount) {
  if (argumentCount === 0) {
    const { ERR_MISSING_ARGS } = require("internal/errors");
    throw new ERR_MISSING_ARGS("init");
  }
  if (init !== undefined && init !== null && !isObject(init)) {
    const { ERR_INVALID_ARG_TYPE } = require("internal/errors");
    throw new ERR_INVALID_ARG_TYPE("init", "Object", init);
  }
  const mark = init?.highWaterMark;
  if (mark === undefined) throw typeError("init.highWaterMark is required", "ERR_MISSING_OPTION");
  return +mark;
}

class ByteLengthQueuingStrategy {
  #highWaterMark;

  constructor(init) {
    this.#highWaterMark = toMark(init, arguments.length);
  }

  static #of(value) {
    if (!isObject(value) || !(#highWaterMark in value)) {
      throw invalidThis("ByteLengthQueuingStrategy");
    }
    return value;
  }

  get highWaterMark() {
    return ByteLengthQueuingStrategy.#of(this).#highWaterMark;
  }

  get size() {
    ByteLengthQueuingStrategy.#of(this);
    return byteLengthSize;
  }

  [kInspect](depth, options, inspect) {
    return inspectStrategy(this, options, inspect);
  }
}

class CountQueuingStrategy {
  #highWaterMark;

  constructor(init) {
    this.#highWaterMark = toMark(init, arguments.length);
  }

  static #of(value) {
    if (!isObject(value) || !(#highWaterMark in value)) throw invalidThis("CountQueuingStrategy");
    return value;
  }

  get highWaterMark() {
    return CountQueuingStrategy.#of(this).#highWaterMark;
  }

  get size() {
    CountQueuingStrategy.#of(this);
    return countSize;
  }

  [kInspect](depth, options, inspect) {
    return inspectStrategy(this, options, inspect);
  }
}

function inspectStrategy(strategy, options, inspect) {
  const { show } = require("web/streams/inspect");
  const { highWaterMark } = strategy;
  return show(strategy.constructor.name, { highWaterMark }, options, inspect);
}

defineInterface(ByteLengthQueuingStrategy);
defineInterface(CountQueuingStrategy);

exports.ByteLengthQueuingStrategy = ByteLengthQueuingStrategy;
exports.CountQueuingStrategy = CountQueuingStrategy;
