// web/fetch/schemes -- fetch() of URLs that need no network: data:, blob:, file:.

const errors = require("internal/errors");
const { kinds } = require("web/fetch/body");
const { makeResponse } = require("web/fetch/response");
const { makeBlob } = require("web/blob");

const kBase64End = /;[ ]*base64$/i;

/** Percent-decoding of ASCII text to bytes. */
function percentDecode(text) {
  const out = new Uint8Array(text.length);
  let n = 0;
  for (let i = 0; i < text.length; i++) {
    let code = text.charCodeAt(i);
    if (code === 0x25) {
      const hex = text.slice(i + 1, i + 3);
      if (/^[0-9a-f]{2}$/i.test(hex)) {
        code = parseInt(hex, 16);
        i += 2;
      }
    }
    out[n++] = code;
  }
  return out.subarray(0, n);
}

/** "data: URL processor" (Fetch Standard, section 6): { type, data } or undefined. */
function parseDataUrl(href) {
  const hash = href.indexOf("#");
  const text = href.slice(5, hash < 0 ? undefined : hash);
  const comma = text.indexOf(",");
  if (comma < 0) return undefined;
  let type = text.slice(0, comma).replace(/^[\t\n\f\r ]+|[\t\n\f\r ]+$/g, "");
  let data = percentDecode(text.slice(comma + 1));
  if (kBase64End.test(type)) {
    const { atob } = require("web/base64");
    let binary = "";
    for (let i = 0; i < data.length; i += 8192) {
      binary += String.fromCharCode(...data.subarray(i, i + 8192));
    }
    try {
      data = Uint8Array.from(atob(binary), (c) => c.charCodeAt(0));
    } catch {
      return undefined;
    }
    type = type.replace(kBase64End, "");
  }
  if (type.startsWith(";")) type = `text/plain${type}`;
  const { MIMEType } = require("internal/util/mime");
  let parsed;
  try {
    parsed = `${new MIMEType(type)}`;
  } catch {
    parsed = "text/plain;charset=US-ASCII";
  }
  return { type: parsed, data };
}

function respond(url, blob, type) {
  return makeResponse({
    status: 200, statusText: "OK", url, isRedirected: false, type: "basic",
    headers: type === "" ? [] : ["content-type", type], kind: kinds.BLOB, value: blob,
  });
}

async function fetchData({ url, method }) {
  const parsed = parseDataUrl(url);
  if (parsed === undefined) throw new TypeError("failed to fetch the data URL");
  const data = method === "HEAD" ? new Uint8Array(0) : parsed.data;
  return respond(url, makeBlob([data.slice()], data.byteLength, parsed.type), parsed.type);
}

async function fetchBlob({ url, method }) {
  const blob = require("web/blob/object_url").find(url);
  if (blob === undefined || method !== "GET") {
    throw new TypeError(`failed to fetch the blob URL ${url}`);
  }
  const response = respond(url, blob, blob.type);
  response.headers.set("content-length", `${blob.size}`);
  return response;
}

async function fetchFile({ url, method }) {
  if (method !== "GET" && method !== "HEAD") {
    throw new TypeError(`fetch() of a file: URL cannot have the method ${method}`);
  }
  const { fileURLToPath } = require("internal/file_url");
  const file = globalThis.Bun.file(fileURLToPath(url));
  return respond(url, file, file.type);
}

/** The Response of a URL that is not http. */
exports.fetchOther = function fetchOther(call) {
  const { url } = call;
  if (url.startsWith("data:")) return fetchData(call);
  if (url.startsWith("blob:")) return fetchBlob(call);
  if (url.startsWith("file:")) return fetchFile(call);
  if (url.startsWith("s3:")) throw errors.notImplemented("S3");
  throw errors.makeCoded(
    "TypeError", "ERR_INVALID_ARG_VALUE", "protocol must be http:, https: or s3:",
  );
};
exports.parseDataUrl = parseDataUrl;
