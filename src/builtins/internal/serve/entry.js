// internal/serve/entry -- a program whose first module has a server as its default export.

function isServer(value) {
  if (value === null || typeof value !== "object") return false;
  // A running server, which the program has started itself.
  if (typeof value.stop === "function" && typeof value.reload === "function") return false;
  return typeof value.fetch === "function" || typeof value.routes === "object";
}

function start(namespace) {
  const options = namespace.default;
  if (!isServer(options)) return;
  const server = require("bun:serve").serve(options);
  const kind = server.development ? "development server" : "server";
  console.debug(`Started ${kind}: ${`${server.url}`.replace(/\/$/, "")}`);
}

/** `promise`: of a module that awaits, or undefined. */
exports.run = function run(namespace, promise) {
  if (promise === undefined) start(namespace);
  else promise.then(() => start(namespace), () => {});
};
