// internal/process_env/store -- process.env in threads that share it (Node: SHARE_ENV): the traps
// of its Proxy look into a store that all of them have.
//
// native: see store.c

/** A store with what `env` has. */
exports.make = function make(env) {
  const store = native.make();
  for (let i = 0, all = Object.keys(env); i < all.length; i++) {
    const name = all[i];
    native.set(store, name, env[name]);
  }
  return store;
};

/** The store with this number, or undefined. */
exports.open = (id) => native.open(id);
exports.idOf = (store) => native.id(store);

/** "NAME=value" of all. */
exports.pairsOf = function pairsOf(store) {
  const pairs = [];
  for (let i = 0, all = native.names(store); i < all.length; i++) {
    const name = all[i];
    const value = native.get(store, name);
    if (value !== undefined) pairs.push(`${name}=${value}`);
  }
  return pairs;
};

/** The traps that a Proxy of a shared environment has, beside those of any. */
exports.trapsOf = (store, set) => ({
  __proto__: null,
  get: (target, key) => (typeof key === "symbol" ? target[key] : native.get(store, key)),
  has: (target, key) => typeof key !== "symbol" && native.get(store, key) !== undefined,
  set(target, key, value) {
    const isSet = set(target, key, value); // checks, and makes a string of it
    if (key !== "") native.set(store, key, target[key]);
    return isSet;
  },
  deleteProperty(target, key) {
    if (typeof key !== "symbol") native.delete(store, key);
    return Reflect.deleteProperty(target, key);
  },
  ownKeys: () => native.names(store),
  getOwnPropertyDescriptor(target, key) {
    const value = typeof key === "symbol" ? undefined : native.get(store, key);
    if (value === undefined) return undefined;
    return { __proto__: null, value, writable: true, enumerable: true, configurable: true };
  },
});
