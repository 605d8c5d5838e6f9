// internal/util/promisify -- util.promisify and util.callbackify.

const { validateFunction } = require("internal/validators");
const { apply } = Reflect;

const kCustom = Symbol.for("nodejs.util.promisify.custom");
// On a function: the names of what its callback gets behind the error, when the promise is to give
// an object of all of it (fs.read: bytesRead and buffer).
const kArgumentNames = Symbol("customPromisifyArgs");

function customOf(original) {
  const fn = original[kCustom];
  validateFunction(fn, "util.promisify.custom");
  return Object.defineProperty(fn, kCustom, { __proto__: null, value: fn, configurable: true });
}

function named(values, names) {
  const result = {};
  for (let i = 0; i < names.length; i++) result[names[i]] = values[i];
  return result;
}

function warnAboutPromise() {
  process.emitWarning(
    "Calling promisify on a function that returns a Promise is likely a mistake.",
    "DeprecationWarning",
    "DEP0174",
  );
}

exports.promisify = function promisify(original) {
  validateFunction(original, "original");
  if (original[kCustom]) return customOf(original);
  const names = original[kArgumentNames];
  function fn(...args) {
    return new Promise((resolve, reject) => {
      args[args.length] = (error, ...values) => {
        if (error) return reject(error);
        resolve(names !== undefined && values.length > 1 ? named(values, names) : values[0]);
        return undefined;
      };
      const result = apply(original, this, args);
      if (typeof result?.then === "function" && result instanceof Promise) warnAboutPromise();
    });
  }
  Object.setPrototypeOf(fn, Object.getPrototypeOf(original));
  Object.defineProperty(fn, kCustom, { __proto__: null, value: fn, configurable: true });
  return Object.defineProperties(fn, Object.getOwnPropertyDescriptors(original));
};
exports.promisify.custom = kCustom;
exports.kArgumentNames = kArgumentNames;

function onRejected(reason, callback) {
  if (reason) return callback(reason);
  const { ERR_FALSY_VALUE_REJECTION } = require("internal/errors");
  return callback(new ERR_FALSY_VALUE_REJECTION(reason));
}

exports.callbackify = function callbackify(original) {
  validateFunction(original, "original");
  function callbackified(...args) {
    const last = args.pop();
    validateFunction(last, "last argument");
    const callback = last.bind(this);
    const { nextTick } = process;
    // On a tick of their own, so that what the callback throws is no rejection.
    apply(original, this, args).then(
      (value) => nextTick(callback, null, value),
      (reason) => nextTick(onRejected, reason, callback),
    );
  }
  const own = Object.getOwnPropertyDescriptors(original);
  if (typeof own.length.value === "number") own.length.value++;
  if (typeof own.name.value === "string") own.name.value += "Callbackified";
  for (let i = 0, all = Reflect.ownKeys(own); i < all.length; i++) {
    const key = all[i];
    Object.setPrototypeOf(own[key], null);
  }
  return Object.defineProperties(callbackified, own);
};
