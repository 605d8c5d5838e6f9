// node:async_hooks -- AsyncLocalStorage, AsyncResource and hooks (Node: async_hooks).
//
// All stores that have a value form a frame, an array [storage, value, storage, value, ...] that is
// never written to again except by disable().  The current one is `context.frame`
// (internal/async_context), which follows promises, timers and ticks.
//
// Ids are counted for AsyncResource only: what Cob starts itself has the id of nobody (0), and
// hooks hear of AsyncResources alone.
const context = require("internal/async_context");
const errors = require("internal/errors");
const {
  validateFunction,
  validateObject,
  validateString,
} = require("internal/validators");

const apply = Reflect.apply;

// ---- AsyncLocalStorage

function indexOf(frame, storage) {
  for (let i = 0; i < frame.length; i += 2) {
    if (frame[i] === storage) return i;
  }
  return -1;
}

/** The frame that has `value` for `storage` and is else the current one. */
function frameWith(storage, value) {
  const old = context.frame;
  if (old === undefined) return [storage, value];
  const frame = new Array(old.length);
  for (let i = 0; i < old.length; i++) frame[i] = old[i];
  const i = indexOf(frame, storage);
  if (i < 0) frame.push(storage, value);
  else frame[i + 1] = value;
  return frame;
}

function frameWithout(storage, frame) {
  const at = frame === undefined ? -1 : indexOf(frame, storage);
  if (at < 0) return frame;
  const rest = [];
  for (let i = 0; i < frame.length; i += 2) if (i !== at) rest.push(frame[i], frame[i + 1]);
  return rest.length === 0 ? undefined : rest;
}

/** After run(): the current frame, in which others may have entered, with what was before. */
function frameAfter(storage, outer) {
  const i = outer === undefined ? -1 : indexOf(outer, storage);
  return i < 0 ? frameWithout(storage, context.frame) : frameWith(storage, outer[i + 1]);
}

function callWithArguments(fn, ...args) {
  return apply(fn, undefined, args);
}

class AsyncLocalStorage {
  #defaultValue = undefined;
  #name = "";

  static bind(fn) {
    return AsyncResource.bind(fn);
  }

  static snapshot() {
    return AsyncResource.bind(callWithArguments);
  }

  constructor(options = { __proto__: null }) {
    validateObject(options, "options");
    this.#defaultValue = options.defaultValue;
    if (options.name !== undefined) {
      validateString(options.name, "options.name");
      this.#name = options.name;
    }
  }

  get name() {
    return this.#name;
  }

  disable() {
    context.frame = frameWithout(this, context.frame);
  }

  enterWith(store) {
    context.isUsed = true;
    context.frame = frameWith(this, store);
  }

  run(store, callback, ...args) {
    const outer = context.frame;
    const inner = frameWith(this, store);
    context.isUsed = true;
    context.frame = inner;
    try {
      return apply(callback, null, args);
    } finally {
      context.frame = context.frame === inner ? outer : frameAfter(this, outer);
    }
  }

  exit(callback, ...args) {
    return apply(this.run, this, [undefined, callback].concat(args));
  }

  getStore() {
    const frame = context.frame;
    if (frame !== undefined) {
      for (let i = 0; i < frame.length; i += 2) {
        if (frame[i] === this) return frame[i + 1];
      }
    }
    return this.#defaultValue;
  }
}

// ---- Ids and hooks

const ROOT_ID = 1;
let lastId = ROOT_ID;
const running = []; // AsyncResources whose callbacks run, innermost last
const rootResource = {};
let hooks = []; // enabled ones; replaced, never written to

function tell(event, ...args) {
  const list = hooks;
  for (let i = 0; i < list.length; i++) {
    const callback = list[i][event];
    if (callback === undefined) continue;
    try {
      apply(callback, undefined, args);
    } catch (error) {
      // Node: a hook that throws ends the process.
      require("internal/report").reportException(error, "uncaughtException");
    }
  }
}

/** Id of what runs: 1 for the first file and what has no AsyncResource. */
function executionAsyncId() {
  return running.length === 0 ? ROOT_ID : running[running.length - 1].asyncId();
}

function triggerAsyncId() {
  return running.length === 0 ? 0 : running[running.length - 1].triggerAsyncId();
}

function executionAsyncResource() {
  return running.length === 0 ? rootResource : running[running.length - 1];
}

const HOOK_EVENTS = ["init", "before", "after", "destroy", "promiseResolve"];

class AsyncHook {
  constructor(callbacks) {
    for (let i = 0; i < HOOK_EVENTS.length; i++) {
      const name = HOOK_EVENTS[i];
      const callback = callbacks[name];
      if (callback !== undefined && typeof callback !== "function") {
        throw new errors.ERR_ASYNC_CALLBACK(`hook.${name}`);
      }
      this[name] = callback;
    }
  }

  enable() {
    if (!hooks.includes(this)) hooks = hooks.concat([this]);
    return this;
  }

  disable() {
    hooks = hooks.filter((hook) => hook !== this);
    return this;
  }
}

function createHook(callbacks) {
  return new AsyncHook(callbacks);
}

// ---- AsyncResource

/** Sets a data property as defineProperty does, not writable. */
function defineConstant(object, name, value, isEnumerable) {
  Object.defineProperty(object, name, {
    __proto__: null,
    configurable: true,
    enumerable: isEnumerable,
    writable: false,
    value,
  });
}

let onCollected; // a FinalizationRegistry, when hooks want to hear of it

function watchForDestroy(resource, asyncId) {
  onCollected ??= new FinalizationRegistry(({ id, state }) => {
    if (!state.isDestroyed) tell("destroy", id);
  });
  const state = { isDestroyed: false };
  onCollected.register(resource, { id: asyncId, state });
  return state;
}

class AsyncResource {
  #asyncId;
  #triggerAsyncId;
  #frame;
  #state;

  constructor(type, options = { __proto__: null }) {
    validateString(type, "type");
    let trigger = options;
    let isManual = false;
    if (typeof options !== "number") {
      trigger = options.triggerAsyncId === undefined ? executionAsyncId() : options.triggerAsyncId;
      isManual = !!options.requireManualDestroy;
    }
    if (!Number.isSafeInteger(trigger) || trigger < -1) {
      throw new errors.ERR_INVALID_ASYNC_ID("triggerAsyncId", trigger);
    }
    this.#frame = context.frame;
    this.#asyncId = ++lastId;
    this.#triggerAsyncId = trigger;
    if (hooks.length === 0) return;
    if (type.length === 0) throw new errors.ERR_ASYNC_TYPE(type);
    if (!isManual) this.#state = watchForDestroy(this, this.#asyncId);
    tell("init", this.#asyncId, type, trigger, this);
  }

  runInAsyncScope(fn, thisArg, ...args) {
    const outer = context.frame;
    const depth = running.push(this);
    context.frame = this.#frame;
    if (hooks.length !== 0) tell("before", this.#asyncId);
    try {
      return apply(fn, thisArg, args);
    } finally {
      context.frame = outer;
      if (hooks.length !== 0) tell("after", this.#asyncId);
      running.length = depth - 1;
    }
  }

  emitDestroy() {
    if (this.#state !== undefined) this.#state.isDestroyed = true;
    tell("destroy", this.#asyncId);
    return this;
  }

  asyncId() {
    return this.#asyncId;
  }

  triggerAsyncId() {
    return this.#triggerAsyncId;
  }

  bind(fn, thisArg) {
    validateFunction(fn, "fn");
    const resource = this;
    const bound =
      thisArg === undefined
        ? function (...args) {
            return apply(resource.runInAsyncScope, resource, [fn, this].concat(args));
          }
        : resource.runInAsyncScope.bind(resource, fn, thisArg);
    defineConstant(bound, "length", fn.length, false);
    defineConstant(bound, "name", `bound ${resource.runInAsyncScope.name}`, false);
    defineConstant(bound, "asyncResource", resource, true);
    return bound;
  }

  static bind(fn, type, thisArg) {
    validateFunction(fn, "fn");
    return new AsyncResource(type || fn.name || "bound-anonymous-fn").bind(fn, thisArg);
  }
}

/** Names and numbers of the kinds of resources that Node has; for those who list them. */
const providers =
  "NONE DIRHANDLE DNSCHANNEL ELDHISTOGRAM FILEHANDLE FILEHANDLECLOSEREQ BLOBREADER FSEVENTWRAP " +
  "FSREQCALLBACK FSREQPROMISE GETADDRINFOREQWRAP GETNAMEINFOREQWRAP HEAPSNAPSHOT CPUHEAPPROFILE " +
  "HTTP2SESSION HTTP2STREAM HTTP2PING HTTP2SETTINGS HTTPINCOMINGMESSAGE HTTPCLIENTREQUEST " +
  "JSSTREAM JSUDPWRAP MESSAGEPORT PIPECONNECTWRAP PIPESERVERWRAP PIPEWRAP PROCESSWRAP PROMISE " +
  "QUERYWRAP SHUTDOWNWRAP SIGNALWRAP STATWATCHER STREAMPIPE TCPCONNECTWRAP TCPSERVERWRAP TCPWRAP " +
  "TTYWRAP UDPSENDWRAP UDPWRAP SIGINTWATCHDOG WORKER WORKERHEAPSNAPSHOT WRITEWRAP ZLIB";

Object.assign(exports, {
  AsyncLocalStorage,
  createHook,
  executionAsyncId,
  triggerAsyncId,
  executionAsyncResource,
  AsyncResource,
});
Object.defineProperty(exports, "asyncWrapProviders", {
  __proto__: null,
  enumerable: true,
  configurable: true,
  get: () =>
    Object.freeze(
      Object.assign(
        { __proto__: null },
        Object.fromEntries(providers.split(" ").map((name, i) => [name, i])),
      ),
    ),
});
