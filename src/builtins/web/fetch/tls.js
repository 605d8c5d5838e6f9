// web/fetch/tls -- the option `tls` of fetch and WebSocket.
//
// native: context({ ca, cert, key, passphrase, ciphers }) -> wrapper, or [code, text]

const { decode } = require("web/blob/bytes");
const { isBlob, readAll } = require("web/blob");

// Contexts by what they were made from: connections are shared by those with the same context.
const CONTEXTS_MAX = 32;
const contexts = new Map();

function toPem(value) {
  if (typeof value === "string") return value;
  if (isBlob(value)) {
    const data = readAll(value);
    if (!ArrayBuffer.isView(data)) return require("node:fs").readFileSync(value.name, "utf8");
    return decode(data);
  }
  return decode(value);
}

const toPems = (value) => {
  if (value === undefined || value === null) return undefined;
  return (Array.isArray(value) ? value.flat() : [value]).map(toPem);
};

/** { context, serverName, isUnverified } of the option; context null: the default one. */
exports.readTls = function readTls(tls) {
  const isUnverified = tls.rejectUnauthorized === undefined
    ? process.env.NODE_TLS_REJECT_UNAUTHORIZED === "0" : !tls.rejectUnauthorized;
  const serverName = tls.serverName ?? tls.servername;
  const parts = {
    ca: toPems(tls.ca), cert: toPems(tls.cert), key: toPems(tls.key),
    passphrase: tls.passphrase, ciphers: tls.ciphers,
  };
  const isDefault = Object.values(parts).every((part) => part === undefined);
  if (isDefault) return { context: null, serverName, isUnverified };
  const key = JSON.stringify(parts);
  let context = contexts.get(key);
  if (context === undefined) {
    context = native.context(parts);
    if (Array.isArray(context)) {
      const err = new TypeError(context[1]);
      err.code = context[0];
      throw err;
    }
    if (contexts.size >= CONTEXTS_MAX) contexts.delete(contexts.keys().next().value);
    contexts.set(key, context);
  }
  return { context, serverName, isUnverified };
};
