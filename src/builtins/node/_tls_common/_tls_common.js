// node:_tls_common -- deprecated name of parts of node:tls (Node: DEP0192).
const { SecureContext, createSecureContext } = require("node:tls");

exports.SecureContext = SecureContext;
exports.createSecureContext = createSecureContext;
