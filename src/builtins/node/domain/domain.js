// node:domain -- errors of callbacks and of emitters, caught in one place (Node: domain;
// deprecated there, and used by old packages).
//
// A domain is entered around run(), bind(), intercept() and the events of emitters that were added
// to it; callbacks that are begun inside it keep it (as an asynchronous context). An exception that
// reaches the process while a domain is active becomes an 'error' event of the domain.
const EventEmitter = require("node:events");
const { AsyncLocalStorage } = require("node:async_hooks");

const stack = [];
const storage = new AsyncLocalStorage();
exports._stack = stack;

const active = {
  configurable: true,
  enumerable: true,
  get: () => stack[stack.length - 1] ?? storage.getStore() ?? null,
  set(value) {
    Object.defineProperty(this, "domain", { configurable: true, value, writable: true });
  },
};
Object.defineProperty(exports, "active", active);
Object.defineProperty(process, "domain", active);

function decorate(error, domain, members) {
  if ((typeof error !== "object" && typeof error !== "function") || error === null) return;
  Object.defineProperty(error, "domain", {
    configurable: true,
    enumerable: false,
    value: domain,
    writable: true,
  });
  Object.assign(error, members);
}

class Domain extends EventEmitter {
  constructor() {
    super();
    this.members = [];
    watchUncaught();
  }

  _disposed = undefined;

  enter() {
    stack.push(this);
  }

  exit() {
    const at = stack.lastIndexOf(this);
    if (at < 0) return;
    stack.splice(at);
  }

  add(emitter) {
    if (emitter.domain === this) return;
    if (emitter.domain) emitter.domain.remove(emitter);
    if (this.domain && emitter instanceof Domain) {
      for (let d = this.domain; d; d = d.domain) if (emitter === d) return;
    }
    Object.defineProperty(emitter, "domain", {
      configurable: true,
      enumerable: false,
      value: this,
      writable: true,
    });
    this.members.push(emitter);
    if (typeof emitter.emit === "function") wrapEmit(emitter);
  }

  remove(emitter) {
    emitter.domain = null;
    const at = this.members.indexOf(emitter);
    if (at >= 0) this.members.splice(at, 1);
  }

  run(fn, ...args) {
    return guard(this, fn, this, args);
  }

  bind(fn) {
    const domain = this;
    function bound(...args) {
      return guard(domain, fn, this, args);
    }
    Object.defineProperty(bound, "domain", { configurable: true, value: this, writable: true });
    return bound;
  }

  intercept(fn) {
    const domain = this;
    return function intercepted(error, ...args) {
      if (error && error instanceof Error) {
        decorate(error, domain, { domainBound: fn, domainThrown: false });
        domain.emit("error", error);
        return undefined;
      }
      return guard(domain, fn, this, args);
    };
  }

  dispose() {
    this.exit();
    this._disposed = true;
  }

  /** The domain takes an error. false: nobody listens. */
  _take(error) {
    decorate(error, this, { domainThrown: true });
    const at = stack.lastIndexOf(this);
    if (at >= 0) stack.splice(at);
    if (this.listenerCount("error") === 0) return false;
    // Its listeners are outside of it.
    storage.run(undefined, () => EventEmitter.prototype.emit.call(this, "error", error));
    return true;
  }
}

/** Calls inside the domain; what it throws goes on up, to the domain when nobody catches it. */
function guard(domain, fn, self, args) {
  if (domain._disposed) return undefined;
  domain.enter();
  const result = storage.run(domain, Reflect.apply, fn, self, args);
  domain.exit();
  return result;
}

const kWrapped = Symbol("domain.emit");

/** An emitter that was added: its 'error' without listeners is the domain's. */
function wrapEmit(emitter) {
  if (emitter[kWrapped] || emitter instanceof Domain) return;
  const { emit } = emitter;
  Object.defineProperty(emitter, kWrapped, { value: true });
  Object.defineProperty(emitter, "emit", {
    configurable: true,
    enumerable: false,
    writable: true,
    value: function (name, ...args) {
      const domain = this.domain;
      if (!domain) return Reflect.apply(emit, this, [name, ...args]);
      if (name === "error" && this.listenerCount("error") === 0) {
        // Nothing that says what went wrong: an error must be made of it.
        const error = args[0] || new Error("Unhandled error");
        decorate(error, domain, { domainEmitter: this, domainThrown: false });
        return domain.emit("error", error);
      }
      return guard(domain, emit, this, [name, ...args]);
    },
  });
}

let isWatching = false;

/** Exceptions that nobody caught, while a domain is active. */
function watchUncaught() {
  if (isWatching) return;
  isWatching = true;
  process.prependListener("uncaughtException", (error) => {
    const begun = storage.getStore(); // in a callback the stack is empty
    if (stack.length === 0 && begun !== undefined && begun._take(error)) return;
    while (stack.length > 0) {
      if (!stack[stack.length - 1]._take(error)) continue;
      stack.length = 0; // what was running inside them was left, too
      return;
    }
    if (process.listenerCount("uncaughtException") > 1) return;
    isWatching = false;
    process.removeAllListeners("uncaughtException");
    throw error;
  });
}

exports.Domain = Domain;
exports.createDomain = exports.create = function createDomain() {
  return new Domain();
};
