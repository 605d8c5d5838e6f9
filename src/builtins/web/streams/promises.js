// web/streams/promises -- promises as the Streams Standard uses them: what a program puts in place
// of Promise or its methods is not seen.
const { apply } = Reflect;
// The engine's own, also where the program has put another one under its name by now.
const P = (async () => {})().constructor;
const promiseThen = P.prototype.then;
const promiseResolve = P.resolve;
const promiseReject = P.reject;
const nop = () => {};

const then = (promise, onFulfilled, onRejected) =>
  apply(promiseThen, promise, [onFulfilled, onRejected]);

/** A promise resolved with a value; a promise of the engine is taken as it is. */
exports.resolved = (value) => apply(promiseResolve, P, [value]);
/** A new promise resolved with a value, which costs two more turns when that is a promise. */
exports.resolvedNew = (value) => new P((resolve) => resolve(value));
exports.rejected = (reason) => apply(promiseReject, P, [reason]);
// Assigning would fail where a program has put an accessor `then` on Object.prototype.
Object.defineProperty(exports, "then", { __proto__: null, value: then });

/** Its rejection is no unhandled one. */
exports.setHandled = (promise) => {
  apply(promiseThen, promise, [undefined, nop]);
  return promise;
};

const settled = P.resolve();

/** Calls fn in a microtask; it must not throw. */
exports.soon = (fn) => {
  apply(promiseThen, settled, [fn]);
};

/** Calls fn and makes a promise of what it returns or throws: a new one, as Web IDL has it. */
exports.invoke = (fn, self, args) => {
  try {
    const value = apply(fn, self, args);
    if (typeof value === "object" && value !== null) return new P((resolve) => resolve(value));
    return apply(promiseResolve, P, [value]);
  } catch (error) {
    return apply(promiseReject, P, [error]);
  }
};

/**
 * A promise that is made when somebody asks for it, and settled whether or not somebody did. Its
 * rejection is never an unhandled one.
 */
class LazyPromise {
  constructor() {
    // 0 pending, 1 fulfilled, 2 rejected
    this.state = 0;
    this.value = undefined;
    this.promise = null;
    this.resolveFn = null;
    this.rejectFn = null;
  }

  get() {
    if (this.promise !== null) return this.promise;
    if (this.state === 1) this.promise = exports.resolved(this.value);
    else if (this.state === 2) this.promise = exports.setHandled(exports.rejected(this.value));
    else {
      this.promise = new P((resolve, reject) => {
        this.resolveFn = resolve;
        this.rejectFn = reject;
      });
    }
    return this.promise;
  }

  isPending() {
    return this.state === 0;
  }

  resolve(value) {
    if (this.state !== 0) return;
    this.state = 1;
    this.value = value;
    if (this.resolveFn !== null) this.resolveFn(value);
  }

  reject(reason) {
    if (this.state !== 0) return;
    this.state = 2;
    this.value = reason;
    if (this.rejectFn === null) return;
    exports.setHandled(this.promise);
    this.rejectFn(reason);
  }

  /** Rejected from now on, whatever it was: a new promise unless it is still pending. */
  renew(reason) {
    if (this.state === 0) {
      this.reject(reason);
      return;
    }
    this.promise = null;
    this.resolveFn = this.rejectFn = null;
    this.state = 2;
    this.value = reason;
  }
}
exports.LazyPromise = LazyPromise;

/** Keeps what a program does to Object.prototype away from the objects of a class. */
exports.seal = (Class) => {
  Object.setPrototypeOf(Class.prototype, null);
  return Class;
};
exports.seal(LazyPromise);

exports.nop = nop;
