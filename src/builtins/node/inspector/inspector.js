// node:inspector -- no inspector is there yet (Node: inspector): nothing listens, url() says so.
exports.console = globalThis.console;
exports.url = function url() {
  return undefined;
};
exports.close = function close() {};
const { define } = require("internal/unavailable");
define(exports, "inspector", ["open", "waitForDebugger", "Session"]);

/** Reports to whoever inspects: nobody. */
function events(names) {
  const domain = {};
  for (const name of names) domain[name] = { [name]() {} }[name];
  return domain;
}
exports.Network = events([
  "requestWillBeSent", "responseReceived", "loadingFinished", "loadingFailed", "dataReceived",
  "dataSent", "webSocketCreated", "webSocketClosed", "webSocketHandshakeResponseReceived",
]);
exports.NetworkResources = events(["put"]);
exports.DOMStorage = events([
  "domStorageItemAdded", "domStorageItemRemoved", "domStorageItemUpdated", "domStorageItemsCleared",
  "registerStorage",
]);
