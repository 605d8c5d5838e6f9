// internal/webidl -- conversions of Web IDL.
//
// A converter is `(value, options) => converted`. `options.prefix` ("Failed to execute 'f' on 'I'")
// and `options.context` ("1st argument") name the value in the TypeError that a failed conversion
// throws. Source: https://webidl.spec.whatwg.org/#es-type-mapping

const { setOf } = require("internal/set_of");
/** A TypeError as failed conversions throw it, with a code that Node's have too. */
function makeException(message, options, code = "ERR_INVALID_ARG_TYPE") {
  const prefix = options?.prefix ? `${options.prefix}: ` : "";
  const err = new TypeError(`${prefix}${options?.context || "Value"} ${message}`);
  err.code = code;
  return err;
}

function toNumber(value, options) {
  if (typeof value === "bigint") {
    throw makeException("is a BigInt and cannot be converted to a number.", options);
  }
  if (typeof value === "symbol") {
    throw makeException("is a Symbol and cannot be converted to a number.", options);
  }
  return +value;
}

const dropSign = (n) => (n === 0 ? 0 : n);

/** x modulo 2^bits, into the signed range when asked. */
function wrap(x, bits, isSigned) {
  const size = 2 ** bits;
  let n = x % size;
  if (n < 0) n += size;
  if (isSigned && n >= size / 2) n -= size;
  return dropSign(n);
}

/** ConvertToInt(V, bits, signedness) with [EnforceRange] and [Clamp] from the options. */
function makeInteger(bits, isSigned) {
  // 64-bit types hold what a double can hold exactly.
  const max = bits === 64 ? Number.MAX_SAFE_INTEGER : 2 ** (isSigned ? bits - 1 : bits) - 1;
  let min = 0;
  if (isSigned) min = bits === 64 ? Number.MIN_SAFE_INTEGER : -(2 ** (bits - 1));
  return (value, options) => {
    let x = dropSign(toNumber(value, options));
    if (options?.enforceRange) {
      if (!Number.isFinite(x)) throw makeException("is not a finite number.", options);
      x = dropSign(Math.trunc(x));
      if (x < min || x > max) {
        throw makeException(
          `is outside the expected range of ${min} to ${max}.`,
          options,
          "ERR_OUT_OF_RANGE",
        );
      }
      return x;
    }
    if (options?.clamp && !Number.isNaN(x)) {
      return dropSign(roundToEven(Math.min(Math.max(x, min), max)));
    }
    if (!Number.isFinite(x) || x === 0) return 0;
    x = dropSign(Math.trunc(x));
    return x >= min && x <= max ? x : wrap(x, bits, isSigned);
  };
}

function roundToEven(x) {
  const floor = Math.floor(x);
  const rest = x - floor;
  if (rest < 0.5 || (rest === 0.5 && floor % 2 === 0)) return floor;
  return floor + 1;
}

function makeFloat(isRestricted, isSingle) {
  return (value, options) => {
    const x = toNumber(value, options);
    if (isRestricted && !Number.isFinite(x)) {
      throw makeException("is not a finite floating-point value.", options);
    }
    if (!isSingle) return x;
    const single = Math.fround(x);
    if (isRestricted && !Number.isFinite(single)) {
      throw makeException("is outside the range of a single-precision value.", options);
    }
    return single;
  };
}

function toDOMString(value, options) {
  if (typeof value === "string") return value;
  if (typeof value === "symbol") {
    throw makeException("is a Symbol and cannot be converted to a string.", options);
  }
  return String(value);
}

function toByteString(value, options) {
  const text = toDOMString(value, options);
  for (let i = 0; i < text.length; i++) {
    if (text.charCodeAt(i) > 255) {
      throw makeException("is not a valid ByteString: it has a character above 255.", options);
    }
  }
  return text;
}

exports.converters = {
  __proto__: null,
  any: (value) => value,
  boolean: (value) => !!value,
  byte: makeInteger(8, true),
  octet: makeInteger(8, false),
  short: makeInteger(16, true),
  "unsigned short": makeInteger(16, false),
  long: makeInteger(32, true),
  "unsigned long": makeInteger(32, false),
  "long long": makeInteger(64, true),
  "unsigned long long": makeInteger(64, false),
  float: makeFloat(true, true),
  "unrestricted float": makeFloat(false, true),
  double: makeFloat(true, false),
  "unrestricted double": makeFloat(false, false),
  DOMString: toDOMString,
  USVString: (value, options) => toDOMString(value, options).toWellFormed(),
  ByteString: toByteString,
  object(value, options) {
    if (value === null || (typeof value !== "object" && typeof value !== "function")) {
      throw makeException("is not an object.", options);
    }
    return value;
  },
};

/** T? : null and undefined become null. */
exports.nullable = (convert) => (value, options) =>
  value === null || value === undefined ? null : convert(value, options);

/** An enumeration of strings. */
exports.enumeration = (name, values) => {
  const set = setOf(values);
  return (value, options) => {
    const text = toDOMString(value, options);
    if (!set.has(text)) {
      throw makeException(
        `value '${text}' is not a valid enum value of type ${name}.`,
        options,
        "ERR_INVALID_ARG_VALUE",
      );
    }
    return text;
  };
};

/** An interface type: `isInstance(value)` must hold. */
exports.interfaceType = (name, isInstance) => (value, options) => {
  if (!isInstance(value)) throw makeException(`is not of type ${name}.`, options);
  return value;
};

/** sequence<T>: any iterable object, as an array. */
exports.sequence = (convert) => (value, options) => {
  if (value === null || (typeof value !== "object" && typeof value !== "function")) {
    throw makeException("cannot be converted to sequence.", options);
  }
  const method = value[Symbol.iterator];
  if (typeof method !== "function") {
    throw makeException("cannot be converted to sequence.", options);
  }
  const out = [];
  const iterable = { __proto__: null, [Symbol.iterator]: () => method.call(value) };
  for (const item of iterable) {
    const context = `${options?.context || "Value"}[${out.length}]`;
    out.push(convert(item, { __proto__: null, prefix: options?.prefix, context }));
  }
  return out;
};

/**
 * A dictionary: members [{ key, converter, required?, defaultValue? () }] in the order in which the
 * specification reads them (inherited first, then by name).
 */
exports.dictionary = (name, members) => (value, options) => {
  if (value !== undefined && value !== null && typeof value !== "object" &&
    typeof value !== "function") {
    throw makeException("cannot be converted to a dictionary", options);
  }
  const out = { __proto__: null };
  for (let i = 0; i < members.length; i++) {
    const { key, converter, required, defaultValue } = members[i];
    const member = value === undefined || value === null ? undefined : value[key];
    if (member !== undefined) {
      const context = `'${key}' in ${options?.context || "Value"}`;
      out[key] = converter(member, { __proto__: null, ...options, context });
    } else if (required) {
      throw makeException(
        `cannot be converted to '${name}' because '${key}' is required.`,
        options,
        "ERR_MISSING_OPTION",
      );
    } else if (defaultValue !== undefined) {
      out[key] = defaultValue();
    }
  }
  return out;
};

exports.makeException = makeException;
