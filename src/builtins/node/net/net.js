// node:net -- what programs see of it (Node: net).
const addresses = require("node:net/addresses");
const { Socket, connect } = require("node:net/socket");
const { Server } = require("node:net/server");
const defaults = require("node:net/defaults");

function createServer(options, connectionListener) {
  return new Server(options, connectionListener);
}

Object.assign(exports, {
  _createServerHandle(address, port, addressType, fd, flags) {
    return require("node:net/server").createServerHandle(address, port, addressType, fd, flags);
  },
  _normalizeArgs: require("node:net/args").normalizeArgs,
  BlockList: addresses.BlockList,
  SocketAddress: addresses.SocketAddress,
  connect,
  createConnection: connect,
  createServer,
  isIP: addresses.isIP,
  isIPv4: addresses.isIPv4,
  isIPv6: addresses.isIPv6,
  Server,
  Socket,
  Stream: Socket,
  getDefaultAutoSelectFamily: defaults.getDefaultAutoSelectFamily,
  setDefaultAutoSelectFamily: defaults.setDefaultAutoSelectFamily,
  getDefaultAutoSelectFamilyAttemptTimeout: defaults.getDefaultAutoSelectFamilyAttemptTimeout,
  setDefaultAutoSelectFamilyAttemptTimeout: defaults.setDefaultAutoSelectFamilyAttemptTimeout,
});
