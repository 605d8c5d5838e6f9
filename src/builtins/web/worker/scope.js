// web/worker/scope -- the global scope of a Web worker: postMessage, onmessage, close, name.
const { fire, makeTrusted } = require("web/events");

function define(name, value) {
  Object.defineProperty(globalThis, name, {
    __proto__: null,
    value,
    writable: true,
    enumerable: true,
    configurable: true,
  });
}

/** The port to the parent speaks through the global object. */
exports.prepare = function prepare(port, name) {
  const handlers = { message: null, messageerror: null };
  let isListening = false;
  const forward = (event) => {
    const { data, ports, type } = event;
    const copy = makeTrusted(new MessageEvent(type, { data, ports }));
    handlers[type]?.call(globalThis, copy);
    fire(target, copy);
  };
  const target = new EventTarget();
  const listen = () => {
    if (isListening) return;
    isListening = true;
    port.addEventListener("message", forward);
    port.addEventListener("messageerror", forward);
  };
  define("self", globalThis);
  define("name", name);
  define("postMessage", (value, options) => port.postMessage(value, options));
  define("close", () => process.exit(0));
  const isOurs = (type) => type === "message" || type === "messageerror";
  const { addEventListener, removeEventListener } = globalThis;
  define("addEventListener", (type, listener, options) => {
    if (!isOurs(type)) return addEventListener?.call(globalThis, type, listener, options);
    listen();
    target.addEventListener(type, listener, options);
  });
  define("removeEventListener", (type, listener, options) => {
    if (!isOurs(type)) return removeEventListener?.call(globalThis, type, listener, options);
    target.removeEventListener(type, listener, options);
  });
  for (const type of ["message", "messageerror"]) {
    Object.defineProperty(globalThis, `on${type}`, {
      __proto__: null,
      get: () => handlers[type],
      set(value) {
        handlers[type] = typeof value === "function" ? value : null;
        if (handlers[type] !== null) listen();
      },
      enumerable: true,
      configurable: true,
    });
  }
};
