// @internal
// node:_http_server/upgrade -- which event a request that leaves HTTP is for, on both ways a server
// has (native and slow).

/** "connect" or "upgrade"; undefined: the server answers it as any other request. */
exports.upgradeEvent = function upgradeEvent(server, req) {
  if (req.method === "CONNECT") return "connect";
  const isWanted = server.shouldUpgradeCallback?.(req) ?? server.listenerCount("upgrade") > 0;
  return isWanted ? "upgrade" : undefined;
};
