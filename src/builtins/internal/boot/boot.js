// internal/boot -- defines the globals of the host where the engine cannot do it when they are
// touched (runtime/vm_globals.c).  Each is an accessor until it is first read or assigned: then its
// module is evaluated and the property becomes an ordinary one.
//
// native: globalNames() -> string[]; isEnumerable(name); loadGlobal(name) -> value
const { defineProperty } = Object;

function settle(name, value) {
  defineProperty(globalThis, name, {
    value,
    writable: true,
    configurable: true,
    enumerable: native.isEnumerable(name),
  });
  return value;
}

for (let i = 0, all = native.globalNames(); i < all.length; i++) {
  const name = all[i];
  defineProperty(globalThis, name, {
    get: () => settle(name, native.loadGlobal(name)),
    set: (value) => {
      settle(name, value);
    },
    configurable: true,
    enumerable: native.isEnumerable(name),
  });
}
settle("global", globalThis);
