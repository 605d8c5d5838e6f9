// node:diagnostics_channel -- (Node: diagnostics_channel).
//
// A channel without subscribers does nothing at all when something is published: it is of another
// class than one with subscribers. Channels that nobody has subscribed to are held weakly.

const { ERR_INVALID_ARG_TYPE } = require("internal/errors");
const { validateFunction } = require("internal/validators");
const { apply, getPrototypeOf } = Reflect;

const channels = new Map(); // name -> WeakRef
const active = new Set(); // keeps channels with subscribers alive
const collected = new FinalizationRegistry((name) => {
  if (channels.get(name)?.deref() === undefined) channels.delete(name);
});

/** Ends the program as an exception that nobody catches, but lets the publisher go on. */
function throwLater(error) {
  process.nextTick(() => {
    throw error;
  });
}

class Channel {
  constructor(name) {
    this._subscribers = undefined;
    this._stores = undefined;
    this.name = name;
    channels.set(name, new WeakRef(this));
    collected.register(this, name);
  }

  static [Symbol.hasInstance](instance) {
    if (instance === null || typeof instance !== "object") return false;
    const proto = getPrototypeOf(instance);
    return proto === Channel.prototype || proto === ActiveChannel.prototype;
  }

  subscribe(subscription) {
    validateFunction(subscription, "subscription");
    activate(this);
    this.subscribe(subscription);
  }

  unsubscribe() {
    return false;
  }

  bindStore(store, transform) {
    activate(this);
    this.bindStore(store, transform);
  }

  unbindStore() {
    return false;
  }

  get hasSubscribers() {
    return false;
  }

  publish() {}

  runStores(data, fn, thisArg, ...args) {
    return apply(fn, thisArg, args);
  }
}

class ActiveChannel {
  subscribe(subscription) {
    validateFunction(subscription, "subscription");
    // A new array: one that is being gone through does not change.
    this._subscribers = this._subscribers.concat([subscription]);
  }

  unsubscribe(subscription) {
    const at = this._subscribers.indexOf(subscription);
    if (at < 0) return false;
    this._subscribers = this._subscribers.toSpliced(at, 1);
    deactivate(this);
    return true;
  }

  bindStore(store, transform) {
    this._stores.set(store, transform);
  }

  unbindStore(store) {
    if (!this._stores.delete(store)) return false;
    deactivate(this);
    return true;
  }

  get hasSubscribers() {
    return true;
  }

  publish(data) {
    const subscribers = this._subscribers;
    for (let i = 0; i < (subscribers?.length ?? 0); i++) {
      try {
        const onMessage = subscribers[i];
        onMessage(data, this.name);
      } catch (error) {
        throwLater(error);
      }
    }
  }

  runStores(data, fn, thisArg, ...args) {
    let run = () => {
      this.publish(data);
      return apply(fn, thisArg, args);
    };
    for (const { 0: store, 1: transform } of this._stores)
      run = within(store, transform, data, run);
    return run();
  }
}

function within(store, transform, data, next) {
  return () => {
    let value = data;
    try {
      if (transform !== undefined) value = transform(data);
    } catch (error) {
      throwLater(error);
      return next();
    }
    return store.run(value, next);
  };
}

function activate(channel) {
  Object.setPrototypeOf(channel, ActiveChannel.prototype);
  channel._subscribers = [];
  channel._stores = new Map();
  active.add(channel);
}

function deactivate(channel) {
  if (channel._subscribers.length > 0 || channel._stores.size > 0) return;
  Object.setPrototypeOf(channel, Channel.prototype);
  channel._subscribers = undefined;
  channel._stores = undefined;
  active.delete(channel);
}

function channel(name) {
  const found = channels.get(name)?.deref();
  if (found !== undefined) return found;
  if (typeof name !== "string" && typeof name !== "symbol") {
    throw new ERR_INVALID_ARG_TYPE("channel", ["string", "symbol"], name);
  }
  return new Channel(name);
}

// ---- Tracing ------------------------------------------------------------------------------------

const kEvents = ["start", "end", "asyncStart", "asyncEnd", "error"];

function channelOf(nameOrChannels, event) {
  if (typeof nameOrChannels === "string") return channel(`tracing:${nameOrChannels}:${event}`);
  if (typeof nameOrChannels === "object" && nameOrChannels !== null) {
    const found = nameOrChannels[event];
    if (found instanceof Channel) return found;
    throw new ERR_INVALID_ARG_TYPE(`nameOrChannels.${event}`, ["Channel"], found);
  }
  throw new ERR_INVALID_ARG_TYPE(
    "nameOrChannels",
    ["string", "object", "TracingChannel"],
    nameOrChannels,
  );
}

/** Calls `fn` and publishes what it throws; `end` comes in any case. */
function traced(self, context, fn) {
  try {
    return fn();
  } catch (error) {
    context.error = error;
    self.error.publish(context);
    throw error;
  } finally {
    self.end.publish(context);
  }
}

class TracingChannel {
  constructor(nameOrChannels) {
    for (const event of kEvents) {
      Object.defineProperty(this, event, {
        __proto__: null,
        value: channelOf(nameOrChannels, event),
      });
    }
  }

  get hasSubscribers() {
    return kEvents.some((event) => this[event]?.hasSubscribers);
  }

  subscribe(handlers) {
    for (const event of kEvents) if (handlers[event]) this[event]?.subscribe(handlers[event]);
  }

  unsubscribe(handlers) {
    let isDone = true;
    for (const event of kEvents) {
      if (handlers[event] && !this[event]?.unsubscribe(handlers[event])) isDone = false;
    }
    return isDone;
  }

  traceSync(fn, context = {}, thisArg, ...args) {
    if (!this.hasSubscribers) return apply(fn, thisArg, args);
    return this.start.runStores(context, () =>
      traced(this, context, () => {
        context.result = apply(fn, thisArg, args);
        return context.result;
      }),
    );
  }

  tracePromise(fn, context = {}, thisArg, ...args) {
    if (!this.hasSubscribers) return apply(fn, thisArg, args);
    const { asyncStart, asyncEnd, error } = this;
    const settle = () => {
      asyncStart.publish(context);
      asyncEnd.publish(context);
    };
    const onResolved = (result) => {
      context.result = result;
      settle();
      return result;
    };
    const onRejected = (reason) => {
      context.error = reason;
      error.publish(context);
      settle();
      return Promise.reject(reason);
    };
    return this.start.runStores(context, () =>
      traced(this, context, () => {
        const result = apply(fn, thisArg, args);
        const promise = result instanceof Promise ? result : Promise.resolve(result);
        return promise.then(onResolved, onRejected);
      }),
    );
  }

  traceCallback(fn, position = -1, context = {}, thisArg, ...args) {
    if (!this.hasSubscribers) return apply(fn, thisArg, args);
    const { asyncStart, asyncEnd, error } = this;
    const callback = args.at(position);
    validateFunction(callback, "callback");
    function wrapped(err, res) {
      if (err) {
        context.error = err;
        error.publish(context);
      } else {
        context.result = res;
      }
      asyncStart.runStores(context, () => {
        try {
          return apply(callback, this, arguments);
        } finally {
          asyncEnd.publish(context);
        }
      });
    }
    args.splice(position, 1, wrapped);
    return this.start.runStores(context, () =>
      traced(this, context, () => apply(fn, thisArg, args)),
    );
  }
}

exports.channel = channel;

exports.hasSubscribers = function hasSubscribers(name) {
  return channels.get(name)?.deref()?.hasSubscribers ?? false;
};

exports.subscribe = function subscribe(name, subscription) {
  return channel(name).subscribe(subscription);
};

exports.tracingChannel = function tracingChannel(nameOrChannels) {
  return new TracingChannel(nameOrChannels);
};

exports.unsubscribe = function unsubscribe(name, subscription) {
  return channel(name).unsubscribe(subscription);
};

exports.Channel = Channel;
