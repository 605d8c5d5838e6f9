// node:_tls_wrap -- deprecated name of parts of node:tls (Node: DEP0192).
const { TLSSocket, Server, createServer, connect } = require("node:tls");

Object.assign(exports, { TLSSocket, Server, createServer, connect });
