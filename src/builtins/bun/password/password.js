// @internal
// bun:password -- Bun.password: hashes of passwords by Argon2 and bcrypt (Bun: docs, hashing).

// The numbers of the native half.
const algorithms = { __proto__: null, argon2d: 0, argon2i: 1, argon2id: 2, bcrypt: 3 };
const kBcrypt = 3;
const failures = [, , "InvalidEncoding", "UnsupportedAlgorithm", "OutOfMemory",
  "WeakParameters"];
const kDefaultMemory = 65536;
const kDefaultPasses = 2;
const kDefaultCost = 10;
const kMemoryMax = 2 ** 22;

function typeError(message) {
  const error = new TypeError(message);
  error.code = "ERR_INVALID_ARG_TYPE";
  return error;
}

function failure(result, purpose) {
  const name = failures[result];
  const error = new Error(`Password ${purpose} failed with error "${name}"`);
  error.code = `PASSWORD_${name.replace(/(?<!^)[A-Z]/g, "_$&").toUpperCase()}`;
  return error;
}

function takeBytes(value, name) {
  if (typeof value === "string" || ArrayBuffer.isView(value)) return value;
  if (value instanceof ArrayBuffer || value instanceof SharedArrayBuffer) return value;
  throw typeError(`${name} must be a string, ArrayBuffer or ArrayBufferView`);
}

const isEmpty = (value) => (typeof value === "string" ? value.length : value.byteLength) === 0;

function takeName(name, purpose) {
  const algorithm = algorithms[name];
  if (algorithm !== undefined) return algorithm;
  throw typeError("Expected algorithm to be a unknown algorithm, expected one of: \"bcrypt\", " +
    `"argon2id", "argon2d", "argon2i" (default is "argon2id") for '${purpose}'.`);
}

function takeNumber(options, name, fallback) {
  const value = options[name];
  if (value === undefined || value === null) return fallback;
  if (typeof value !== "number") throw typeError(`Expected ${name} to be a number for 'hash'.`);
  return value;
}

function takeCost(options) {
  const cost = takeNumber(options, "cost", kDefaultCost);
  if (Number.isInteger(cost) && cost >= 4 && cost <= 31) return cost;
  throw typeError("Rounds must be an integer between 4 and 31");
}

function takePasses(options) {
  const passes = takeNumber(options, "timeCost", kDefaultPasses);
  if (!(passes > 0)) throw typeError("Time cost must be greater than 0");
  if (Number.isInteger(passes) && passes < 2 ** 32) return passes;
  throw typeError("Time cost must be an integer between 1 and 4294967295");
}

function takeMemory(options) {
  const memory = takeNumber(options, "memoryCost", kDefaultMemory);
  if (!(memory >= 8)) throw typeError("Memory cost must be at least 8");
  if (Number.isInteger(memory) && memory <= kMemoryMax) return memory;
  throw typeError(`Memory cost must be an integer between 8 and ${kMemoryMax}`);
}

/** [password, algorithm, memory, passes or cost] */
function hashArguments(password, options) {
  const bytes = takeBytes(password, "password");
  if (isEmpty(bytes)) throw typeError("password must not be empty");
  if (options === undefined || options === null) {
    return [bytes, algorithms.argon2id, kDefaultMemory, kDefaultPasses];
  }
  const isName = typeof options === "string";
  if (!isName && typeof options !== "object") {
    throw typeError("PasswordHashOptions must be an object");
  }
  if (!isName && typeof options.algorithm !== "string") {
    throw typeError("Expected options.algorithm to be a string for 'hash'.");
  }
  const settings = isName ? {} : options;
  const algorithm = takeName(isName ? options : options.algorithm, "hash");
  if (algorithm === kBcrypt) return [bytes, algorithm, 0, takeCost(settings)];
  return [bytes, algorithm, takeMemory(settings), takePasses(settings)];
}

/** [password, hash, algorithm], or undefined for what is never a match. */
function verifyArguments(password, hash, algorithm) {
  const bytes = takeBytes(password, "password");
  const known = takeBytes(hash, "hash");
  let kind;
  if (algorithm !== undefined && algorithm !== null) {
    if (typeof algorithm !== "string") throw typeError("algorithm must be a string");
    kind = takeName(algorithm, "verify");
  }
  return isEmpty(bytes) || isEmpty(known) ? undefined : [bytes, known, kind];
}

function hashed(result) {
  if (typeof result === "string") return result;
  throw failure(result, "hashing");
}

function verified(result) {
  if (result <= 1) return result === 1;
  throw failure(result, "verification");
}

const later = (native, args, convert) => new Promise((resolve, reject) => {
  native(...args, (result) => {
    try {
      resolve(convert(result));
    } catch (error) {
      reject(error);
    }
  });
});

// Arguments that are wrong are told at once, as Bun does; what is wrong with a hash is a rejection.
exports.password = {
  hash(password, options) {
    return later(native.hash, hashArguments(password, options), hashed);
  },
  hashSync(password, options) {
    return hashed(native.hash(...hashArguments(password, options)));
  },
  verify(password, hash, algorithm = undefined) {
    const args = verifyArguments(password, hash, algorithm);
    return args === undefined ? Promise.resolve(false) : later(native.verify, args, verified);
  },
  verifySync(password, hash, algorithm = undefined) {
    const args = verifyArguments(password, hash, algorithm);
    return args === undefined ? false : verified(native.verify(...args));
  },
};
