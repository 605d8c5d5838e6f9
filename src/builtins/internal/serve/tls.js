// @internal
// internal/serve/tls -- the option `tls` of Bun.serve(): certificates, one or several.

const http = require("internal/http_host").native;

const kAsksCert = 1;
const kNeedsCert = 2;
const kFiles = [["cert", "certFile"], ["key", "keyFile"], ["ca", "caFile"],
  ["dhparam", "dhParamsFile"]];

function isEmpty(value) {
  return value === undefined || value === null ||
    (typeof value === "string" && value === "") || (Array.isArray(value) && value.length === 0);
}

function isBytes(value) {
  return ArrayBuffer.isView(value) || value instanceof ArrayBuffer ||
    value instanceof SharedArrayBuffer;
}

/** Text or bytes of PEM; Bun.file()s are read. */
function readPem(value, name) {
  if (Array.isArray(value)) return value.map((one) => readPem(one, name));
  if (typeof value === "string" || isBytes(value)) return value;
  const { Blob } = globalThis;
  if (value instanceof Blob && typeof value.name === "string") {
    return require("node:fs").readFileSync(value.name);
  }
  if (typeof value === "object" && value !== null && value.pem !== undefined) return value;
  throw require("internal/errors").makeCoded(
    "TypeError", "ERR_INVALID_ARG_TYPE",
    `TLSOptions.${name} must be a string, an ArrayBuffer, a TypedArray, a BunFile or an array of ` +
      "these",
  );
}

function makeContext(options) {
  const out = { ...options };
  for (const [name, file] of kFiles) {
    if (isEmpty(out[name])) out[name] = undefined;
    else out[name] = readPem(out[name], name);
    if (!isEmpty(options[file])) out[name] = require("node:fs").readFileSync(options[file]);
  }
  if (options.lowMemoryMode !== undefined) delete out.lowMemoryMode;
  return require("node:tls/context").createSecureContext(out).context;
}

function nameOf(options) {
  const name = options.serverName ?? options.servername;
  return name === undefined || name === null ? "" : `${name}`;
}

function hasCertificate(options) {
  return ["cert", "certFile", "key", "keyFile", "pfx"].some((name) => !isEmpty(options[name]));
}

/**
 * New connections of the server use these certificates.
 * @returns false: there are none, the server is not to be encrypted
 */
exports.useTls = function useTls(sid, tls) {
  const list = Array.isArray(tls) ? tls : [tls];
  for (const one of list) {
    if (one === null || typeof one !== "object") {
      throw new TypeError("TLSOptions must be an object");
    }
  }
  const used = list.filter(hasCertificate);
  if (used.length === 0) return false;
  if (used.length > 1 && used.slice(1).some((one) => nameOf(one) === "")) {
    throw new TypeError("SNI tls object must have a serverName");
  }
  const [first, ...others] = used;
  const context = makeContext(first);
  for (const one of others) http.addTlsName(context, nameOf(one), makeContext(one));
  const { requestCert, rejectUnauthorized } = first;
  const asks = requestCert ? kAsksCert : 0;
  const needs = requestCert && (rejectUnauthorized ?? true) ? kNeedsCert : 0;
  http.setTls(sid, context, asks | needs);
  return true;
};
