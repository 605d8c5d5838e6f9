// node:http2/headers -- heads: from objects and lists to the text that the native half takes
// ("name\0value\0flag\0..."), and back (RFC 9113, 8; Node: http2, "Headers object").
// @internal
const errors = require("internal/errors");
const { _checkIsHttpToken, utcDate } = require("node:_http_common");
const { kSensitiveHeaders, kAuthority, kProtocol, kStrict, assertIsObject } =
  require("node:http2/shared");

const words = (text) => new Set(text.trim().split(/\s+/));
const kPseudo = words(":status :method :authority :scheme :path :protocol");
/** Fields that may be there only once. */
const kSingle = words(`
  :status :method :authority :scheme :path :protocol access-control-allow-credentials
  access-control-max-age access-control-request-method age authorization content-encoding
  content-language content-length content-location content-md5 content-range content-type date dnt
  etag expires from host if-match if-modified-since if-none-match if-range if-unmodified-since
  last-modified location max-forwards proxy-authorization range referer retry-after tk
  upgrade-insecure-requests user-agent x-content-type-options
`);
const kConnection = words(
  "connection upgrade http2-settings keep-alive proxy-connection transfer-encoding",
);
const kNoPayload = words("DELETE GET HEAD");

exports.isPayloadMeaningless = (method) => kNoPayload.has(method);

exports.assertRequestPseudo = function assertRequestPseudo(key) {
  if (!kPseudo.has(key)) throw new errors.ERR_HTTP2_INVALID_PSEUDOHEADER(key);
};

exports.assertResponsePseudo = function assertResponsePseudo(key) {
  if (key !== ":status") throw new errors.ERR_HTTP2_INVALID_PSEUDOHEADER(key);
};

exports.assertNoPseudo = function assertNoPseudo(key) {
  throw new errors.ERR_HTTP2_INVALID_PSEUDOHEADER(key);
};

function assertAllowed(key, value) {
  if (!_checkIsHttpToken(key)) throw new errors.ERR_INVALID_HTTP_TOKEN("Header name", key);
  if (kConnection.has(key) || (key === "te" && value !== "trailers")) {
    throw new errors.ERR_HTTP2_INVALID_CONNECTION_HEADERS(key);
  }
}

/** NUL is ours; what stands in its place is as wrong in a field as it is. */
function textOf(value) {
  const text = `${value}`;
  return text.includes("\0") ? text.replaceAll("\0", "\x01") : text;
}

/** A head under construction. */
class Head {
  pseudo = "";
  fields = "";
  seen = null;

  constructor(checkPseudo, isStrict, sensitive) {
    this.checkPseudo = checkPseudo;
    this.isStrict = isStrict;
    this.sensitive = sensitive === undefined || sensitive.length === 0 ? null :
      sensitive.map((name) => name.toLowerCase());
  }

  #checkSingle(key) {
    if (this.seen === null) this.seen = [key];
    else if (this.seen.includes(key)) throw new errors.ERR_HTTP2_HEADER_SINGLE_VALUE(key);
    else this.seen.push(key);
  }

  add(name, value) {
    if (value === undefined || name === "") return;
    const key = name.toLowerCase();
    const isSingle = kSingle.has(key);
    let values = value;
    if (!Array.isArray(value)) values = [value];
    else if (value.length === 0) return;
    else if (value.length > 1 && isSingle && this.isStrict) {
      throw new errors.ERR_HTTP2_HEADER_SINGLE_VALUE(key);
    }
    if (isSingle && this.isStrict) this.#checkSingle(key);
    const flag = this.sensitive !== null && this.sensitive.includes(key) ? "1" : "0";
    if (key.charCodeAt(0) === 58) {
      this.checkPseudo(key);
      this.pseudo += `${key}\0${textOf(value)}\0${flag}\0`;
      return;
    }
    if (!isSingle) assertAllowed(key, value);
    for (let i = 0; i < values.length; i++) {
      this.fields += `${key}\0${textOf(values[i])}\0${flag}\0`;
    }
  }

  text() {
    return this.pseudo + this.fields;
  }
}

/** The text of a head that is an object or a flat list of names and values. */
function headText(headers, checkPseudo, isStrict) {
  const head = new Head(checkPseudo, isStrict, headers[kSensitiveHeaders]);
  if (Array.isArray(headers)) {
    for (let i = 0; i < headers.length; i += 2) head.add(headers[i], headers[i + 1]);
  } else {
    for (const key of Object.keys(headers)) head.add(key, headers[key]);
  }
  return head.text();
}

exports.headText = headText;

/** [flat list, object] of a head that came in; flags: are there sensitive fields? */
exports.readHead = function readHead(text, hasSensitive) {
  const parts = text === "" ? [] : text.split("\0");
  const list = [];
  const object = { __proto__: null };
  const sensitive = [];
  for (let i = 0; i + 1 < parts.length; i += 3) {
    const name = parts[i];
    const value = parts[i + 1];
    list.push(name, value);
    if (hasSensitive && parts[i + 2] === "1") sensitive.push(name);
    const old = object[name];
    if (old === undefined) {
      object[name] = name === ":status" ? value | 0 : name === "set-cookie" ? [value] : value;
    } else if (name === "cookie") object[name] = `${old}; ${value}`;
    else if (name === "set-cookie") old.push(value);
    else if (!kSingle.has(name)) object[name] = `${old}, ${value}`;
  }
  object[kSensitiveHeaders] = sensitive;
  return [list, object];
};

/** :authority, or what HTTP/1 calls it. */
exports.getAuthority = function getAuthority(headers) {
  return headers[":authority"] !== undefined ? headers[":authority"] : headers.host;
};

// ---- Requests

function checkConnect(authority, scheme, path) {
  if (authority === undefined) throw new errors.ERR_HTTP2_CONNECT_AUTHORITY();
  if (scheme !== undefined) throw new errors.ERR_HTTP2_CONNECT_SCHEME();
  if (path !== undefined) throw new errors.ERR_HTTP2_CONNECT_PATH();
}

function requestOfObject(given, session) {
  const headers = Object.assign({ __proto__: null }, given);
  headers[":method"] ??= "GET";
  if (headers[":method"] !== "CONNECT" || headers[":protocol"] !== undefined) {
    if (exports.getAuthority(headers) === undefined) headers[":authority"] = session[kAuthority];
    if (headers[":scheme"] === undefined) headers[":scheme"] = session[kProtocol].slice(0, -1);
    if (headers[":path"] === undefined) headers[":path"] = "/";
  } else {
    checkConnect(headers[":authority"], headers[":scheme"], headers[":path"]);
  }
  return {
    headers,
    raw: undefined,
    scheme: headers[":scheme"],
    authority: exports.getAuthority(headers),
    method: headers[":method"],
  };
}

function pseudoOf(list) {
  const found = { __proto__: null };
  for (let i = 0; i < list.length; i += 2) {
    const name = `${list[i]}`.toLowerCase();
    if (name[0] === ":" || name === "host") found[name] = list[i + 1];
  }
  return found;
}

function requestOfList(list, session) {
  const found = pseudoOf(list);
  const added = [];
  const add = (name, value) => {
    added.push(name, value);
    found[name] = value;
  };
  if (found[":method"] === undefined) add(":method", "GET");
  if (found[":method"] !== "CONNECT" || found[":protocol"] !== undefined) {
    if (found[":authority"] === undefined && found.host === undefined) {
      add(":authority", session[kAuthority]);
    }
    if (found[":scheme"] === undefined) add(":scheme", session[kProtocol].slice(0, -1));
    if (found[":path"] === undefined) add(":path", "/");
  } else {
    checkConnect(found[":authority"], found[":scheme"], found[":path"]);
  }
  const raw = added.length > 0 ? added.concat(list) : list;
  if (list[kSensitiveHeaders] !== undefined) raw[kSensitiveHeaders] = list[kSensitiveHeaders];
  return {
    headers: undefined,
    raw,
    scheme: found[":scheme"],
    authority: found[":authority"] ?? found.host,
    method: found[":method"],
  };
}

/** Heads of requests, with what the session adds. */
exports.prepareRequest = function prepareRequest(given, session) {
  let request;
  if (Array.isArray(given)) request = requestOfList(given, session);
  else if (given === undefined) request = requestOfObject({}, session);
  else if (given !== null && typeof given === "object") request = requestOfObject(given, session);
  else throw new errors.ERR_INVALID_ARG_TYPE("headers", ["Object", "Array"], given);
  request.text = headText(
    request.headers ?? request.raw, exports.assertRequestPseudo, session[kStrict],
  );
  return request;
};

// ---- Responses

function checkResponse(headers, status) {
  if (status < 200 || status > 599) throw new errors.ERR_HTTP2_STATUS_INVALID(status);
  const sensitive = headers[kSensitiveHeaders];
  if (sensitive !== undefined && !Array.isArray(sensitive)) {
    throw new errors.ERR_INVALID_ARG_VALUE("headers[http2.neverIndex]", sensitive);
  }
}

const wantsDate = (options) => options.sendDate === undefined || options.sendDate === null ||
  options.sendDate;

/** A copy with :status and Date. */
exports.responseObject = function responseObject(given, options) {
  assertIsObject(given, "headers", ["Object", "Array"]);
  const headers = { __proto__: null };
  if (given !== undefined) {
    Object.assign(headers, given);
    headers[kSensitiveHeaders] = given[kSensitiveHeaders];
  }
  const status = headers[":status"] | 0 || 200;
  headers[":status"] = status;
  if ((headers.date === undefined || headers.date === null) && wantsDate(options)) {
    headers.date = utcDate();
  }
  checkResponse(headers, status);
  return { headers, status };
};

/** The list itself, with :status and Date. */
exports.responseList = function responseList(headers, options) {
  let status = 0;
  let hasDate = false;
  for (let i = 0; i < headers.length; i += 2) {
    const name = headers[i].toLowerCase();
    if (name === ":status") status = headers[i + 1] | 0;
    else if (name === "date") hasDate = true;
  }
  if (!status) {
    status = 200;
    headers.unshift(":status", status);
  }
  if (!hasDate && wantsDate(options)) headers.push("date", utcDate());
  checkResponse(headers, status);
  return { headers, status };
};

/** An object of a flat list: what sentHeaders shows. */
exports.objectOfList = function objectOfList(list) {
  const object = { __proto__: null };
  for (let i = 0; i < list.length; i += 2) {
    const old = object[list[i]];
    if (old === undefined) object[list[i]] = list[i + 1];
    else if (Array.isArray(old)) old.push(list[i + 1]);
    else object[list[i]] = [old, list[i + 1]];
  }
  if (list[kSensitiveHeaders] !== undefined) object[kSensitiveHeaders] = list[kSensitiveHeaders];
  return object;
};
