// web/streams/from -- ReadableStream.from(iterable) (Streams Standard, 4.2.4).
const { ReadableState } = require("web/streams/core");
const { DefaultController } = require("web/streams/default_controller");
const { resolved, rejected, then } = require("web/streams/promises");
const { isObject, typeError } = require("web/streams/checks");

/** { iterator, next, isSync }: GetIterator(value, async) */
function getIterator(value) {
  const notIterable = (what) => {
    const { ERR_ARG_NOT_ITERABLE } = require("internal/errors");
    return new ERR_ARG_NOT_ITERABLE(what);
  };
  if (value === undefined || value === null) throw notIterable(String(value));
  let method = value[Symbol.asyncIterator];
  let isSync = false;
  if (method === undefined || method === null) {
    method = value[Symbol.iterator];
    isSync = true;
  }
  if (typeof method !== "function") throw notIterable("The value");
  const iterator = Reflect.apply(method, value, []);
  if (!isObject(iterator)) throw typeError("The iterator is not an object", "ERR_INVALID_STATE");
  return { iterator, next: iterator.next, isSync };
}

/** The values of a sync iterator may be promises. */
const settle = (result, isSync) => {
  if (!isSync) return resolved(result);
  return then(resolved(result.value), (value) => ({ done: result.done, value }));
};

class IterableSource {
  constructor(record) {
    this.record = record;
    this.controller = null;
  }

  pull() {
    const { iterator, next, isSync } = this.record;
    let promise;
    try {
      const result = Reflect.apply(next, iterator, []);
      if (isSync && !isObject(result)) throw notObject("next");
      promise = settle(result, isSync);
    } catch (error) {
      promise = rejected(error);
    }
    return then(promise, (result) => {
      if (!isObject(result)) throw notObject("next");
      if (result.done) this.controller.close();
      else this.controller.enqueue(result.value);
    });
  }

  cancel(reason) {
    const { iterator, isSync } = this.record;
    let promise;
    try {
      const method = iterator.return;
      if (method === undefined || method === null) return resolved(undefined);
      if (typeof method !== "function") throw typeError("return is not a function");
      const result = Reflect.apply(method, iterator, [reason]);
      if (isSync && !isObject(result)) throw notObject("return");
      promise = settle(result, isSync);
    } catch (error) {
      return rejected(error);
    }
    return then(promise, (result) => {
      if (!isObject(result)) throw notObject("return");
    });
  }
}

const notObject = (name) =>
  typeError(`The result of ${name}() is not an object`, "ERR_INVALID_STATE");

exports.from = function from(iterable) {
  const source = new IterableSource(getIterator(iterable));
  const rs = new ReadableState();
  source.controller = new DefaultController(rs, source, 0, undefined);
  source.controller.start(undefined);
  return require("web/streams/readable").wrap(rs);
};
