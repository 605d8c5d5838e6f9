// internal/process_util -- how node:process defines its properties.

/** An enumerable accessor. */
exports.define = function define(object, name, get, set) {
  Object.defineProperty(object, name, {
    __proto__: null,
    get,
    set,
    enumerable: true,
    configurable: true,
  });
};

/** A data property whose value is made when it is first read or is replaced by an assignment. */
exports.lazy = function lazy(object, name, make) {
  const settle = (value) => {
    Object.defineProperty(object, name, {
      __proto__: null,
      value,
      writable: true,
      enumerable: true,
      configurable: true,
    });
    return value;
  };
  exports.define(object, name, () => settle(make()), settle);
};
