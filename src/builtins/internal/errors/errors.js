// internal/errors -- every error with a code that Cob makes, and the helpers around them.
//
// `throw new ERR_X(...)` gives what Node 24 gives: the base class's name, an own enumerable `code`,
// "TypeError [ERR_X]: text" as the head of `stack` and as the result of toString(). The texts are
// those of Node, programs match on them. A row of the table in internal/errors/codes is a base
// class and a text or a function that makes one. Loading this module costs next to nothing:
// constructors are made when they are first asked for, the table when the first error is thrown.
//
// Errors of system calls are in internal/errors/system.

const { defineProperty } = Object;
const { apply } = Reflect;

const bases = { __proto__: null, Error, TypeError, RangeError, SyntaxError, URIError };
const nodeClasses = { __proto__: null };

/**
 * The subclass of a built-in error whose instances carry a code. `constructor` stays the base, and
 * the head of the stack is what the engine finds under "%stackName%".
 */
function nodeClass(baseName) {
  const Base = bases[baseName];
  class NodeError extends Base {
    code = undefined;
    constructor(message, code) {
      super(message);
      this.code = code;
    }
    toString() {
      return `${this.name} [${this.code}]: ${this.message}`;
    }
    get "%stackName%"() {
      return `${this.name} [${this.code}]`;
    }
  }
  defineProperty(NodeError.prototype, "constructor", { value: Base, enumerable: false });
  // Bun's printer looks no further than the prototype for a name.
  defineProperty(NodeError.prototype, "name", {
    value: baseName, writable: true, configurable: true, enumerable: false,
  });
  nodeClasses[baseName] = NodeError;
  return NodeError;
}

/** An error of class `baseName` with code and text. */
function makeCoded(baseName, code, message) {
  const NodeError = nodeClasses[baseName] ?? nodeClass(baseName);
  return new NodeError(message, code);
}

function format(text, args) {
  if (args.length === 0) return text;
  let i = 0;
  return text.replace(/%s/g, () => {
    const arg = args[i++];
    if (typeof arg !== "object" || arg === null) return String(arg);
    return require("internal/inspect").format("%s", arg);
  });
}

function makeConstructor(code) {
  function NodeErrorConstructor(...args) {
    const { table } = code.startsWith("ERR_HTTP2_") ? require("internal/errors/codes_http2") :
      require("internal/errors/codes");
    const row = table[code];
    if (row === undefined) throw new Error(`no such error code: ${code}`);
    const text = row[1];
    const isMade = typeof text === "function";
    const message = isMade ? apply(text, undefined, args) : format(text, args);
    const err = makeCoded(row[0], code, message);
    if (row[2] !== undefined) row[2](err, args);
    return err;
  }
  defineProperty(NodeErrorConstructor, "name", { value: code });
  return NodeErrorConstructor;
}

// What a destructuring `const { ERR_X } = require("internal/errors")` finds: the constructor is
// made then, the table is only looked at when an error is thrown.
const lazyCodes = new Proxy(
  { __proto__: null },
  {
    __proto__: null,
    get(_, code) {
      if (typeof code !== "string" || !code.startsWith("ERR_")) return undefined;
      const value = makeConstructor(code);
      defineProperty(exports, code, { __proto__: null, value, enumerable: true });
      return value;
    },
  },
);

/**
 * Marks an argument checker whose errors seem to come from its caller. Stacks leave out the frames
 * of internal modules, which is where checkers live, so there is nothing to do.
 */
function hideStackFrames(fn) {
  fn.withoutStackTrace = fn;
  return fn;
}

/** What Node throws for an aborted operation outside the web APIs. */
class AbortError extends Error {
  constructor(message = "The operation was aborted", options = undefined) {
    if (options !== undefined && typeof options !== "object") {
      throw new exports.ERR_INVALID_ARG_TYPE("options", "Object", options);
    }
    super(message, options);
    this.code = "ABORT_ERR";
    this.name = "AbortError";
  }
}

/** `outer` when there is no `inner`; else an AggregateError of both, in Node's order. */
function aggregateTwoErrors(inner, outer) {
  if (!inner || !outer || inner === outer) return inner || outer;
  if (Array.isArray(outer.errors)) {
    outer.errors.push(inner);
    return outer;
  }
  const err = new AggregateError([outer, inner], outer.message);
  err.code = outer.code;
  return err;
}

/** AggregateError of several connection attempts: the code is the first one's. */
function aggregateErrors(errors, message, code) {
  const err = new AggregateError(errors, message);
  if (code !== undefined || errors[0]?.code !== undefined) err.code = code ?? errors[0].code;
  return err;
}

/** A plain Error with extra own properties. */
function genericNodeError(message, properties) {
  return Object.assign(new Error(message), properties);
}

function isStackOverflowError(err) {
  return err instanceof RangeError && err.message === "Maximum call stack size exceeded.";
}

/** For what does not exist yet. Never return a plausible value instead. */
function notImplemented(what) {
  const err = new Error(`not implemented: ${what}`);
  err.code = "ERR_NOT_IMPLEMENTED";
  return err;
}

exports.makeCoded = makeCoded;
exports.hideStackFrames = hideStackFrames;
exports.AbortError = AbortError;
exports.aggregateTwoErrors = aggregateTwoErrors;
exports.aggregateErrors = aggregateErrors;
exports.genericNodeError = genericNodeError;
exports.isStackOverflowError = isStackOverflowError;
exports.notImplemented = notImplemented;
exports.determineSpecificType = (value) =>
  require("internal/errors/codes").determineSpecificType(value);
Object.setPrototypeOf(exports, lazyCodes);
