// internal/process_util -- how node:process and Bun define their properties.
//
// native: expect(object), define(object, [name, get, set, ...]) -> false if it cannot

const { defineProperty } = Object;

/** An enumerable accessor. */
exports.define = function define(object, name, get, set) {
  defineProperty(object, name, { __proto__: null, get, set, enumerable: true, configurable: true });
};

function settle(object, name, value) {
  defineProperty(object, name, {
    __proto__: null, value, writable: true, enumerable: true, configurable: true,
  });
  return value;
}

/** A data property whose value is made when it is first read or is replaced by an assignment. */
exports.lazy = function lazy(object, name, make) {
  exports.lazies(object, [name], make);
};

/** Many of them; `load(name)` gives the value. */
exports.lazies = function lazies(object, names, load) {
  const list = [];
  for (let i = 0; i < names.length; i++) {
    const name = names[i];
    list[3 * i] = name;
    list[3 * i + 1] = () => settle(object, name, load(name));
    list[3 * i + 2] = (value) => settle(object, name, value);
  }
  if (native.define(object, list)) return;
  for (let i = 0; i < list.length; i += 3) {
    exports.define(object, list[i], list[i + 1], list[i + 2]);
  }
};

/** To be called for a fresh object that gets dozens of properties: makes that cheaper. */
exports.expectProperties = native.expect;
