// internal/boot -- defines the globals of the host.  Each is an accessor until it is first read or
// assigned: then its module is evaluated and the property becomes an ordinary one.
//
// native: globalNames() -> string[]; loadGlobal(name) -> value
const { defineProperty } = Object;

// As in Bun: functions and a few objects are enumerable, classes are not.
const shown = new Set([
  "atob",
  "btoa",
  "clearImmediate",
  "clearInterval",
  "clearTimeout",
  "queueMicrotask",
  "setImmediate",
  "setInterval",
  "setTimeout",
  "structuredClone",
  "crypto",
  "performance",
  "process",
  "fetch",
  "navigator",
]);

function settle(name, value) {
  defineProperty(globalThis, name, {
    value,
    writable: true,
    configurable: true,
    enumerable: shown.has(name),
  });
  return value;
}

for (const name of native.globalNames()) {
  defineProperty(globalThis, name, {
    get: () => settle(name, native.loadGlobal(name)),
    set: (value) => {
      settle(name, value);
    },
    configurable: true,
    enumerable: shown.has(name),
  });
}
settle("global", globalThis);
