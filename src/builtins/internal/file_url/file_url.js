// internal/file_url -- files and URLs of them (Node: url.fileURLToPath, url.pathToFileURL).

const {
  ERR_INVALID_ARG_TYPE, ERR_INVALID_ARG_VALUE, ERR_INVALID_FILE_URL_HOST,
  ERR_INVALID_FILE_URL_PATH, ERR_INVALID_URL_SCHEME,
} = require("internal/errors");
const { validateString } = require("internal/validators");
const { isURL } = require("web/url");

const isLetter = (code) => (code | 32) >= 97 && (code | 32) <= 122;

/** The URL object of an argument of the two functions. */
function fileUrlOf(path) {
  const url = typeof path === "string" ? new URL(path) : path;
  if (!isURL(url)) throw new ERR_INVALID_ARG_TYPE("path", ["string", "URL"], path);
  if (url.protocol !== "file:") throw new ERR_INVALID_URL_SCHEME("file");
  return url;
}

function checkPosixHost(url) {
  if (url.hostname !== "") throw new ERR_INVALID_FILE_URL_HOST(process.platform);
}

function posixPath(url) {
  checkPosixHost(url);
  const { pathname } = url;
  if (!pathname.includes("%")) return pathname;
  if (/%2f/i.test(pathname)) {
    throw new ERR_INVALID_FILE_URL_PATH("must not include encoded / characters", url);
  }
  return decodeURIComponent(pathname);
}

function windowsPath(url) {
  const { pathname, hostname } = url;
  if (/%(?:2f|5c)/i.test(pathname)) {
    throw new ERR_INVALID_FILE_URL_PATH("must not include encoded \\ or / characters", url);
  }
  const path = decodeURIComponent(pathname.replaceAll("/", "\\"));
  if (hostname !== "") return `\\\\${require("web/url").domainToUnicode(hostname)}${path}`;
  if (!isLetter(path.charCodeAt(1)) || path[2] !== ":") {
    throw new ERR_INVALID_FILE_URL_PATH("must be absolute", url);
  }
  return path.slice(1);
}

/** Bytes of a text in which %XX stands for one. */
function decodeBytes(text) {
  const { Buffer } = require("node:buffer");
  const bytes = Buffer.from(text, "utf8");
  let n = 0;
  for (let i = 0; i < bytes.length; i++) {
    let byte = bytes[i];
    if (byte === 37 && i + 2 < bytes.length) {
      const value = Number(`0x${String.fromCharCode(bytes[i + 1], bytes[i + 2])}`);
      if (value === value) {
        byte = value;
        i += 2;
      }
    }
    bytes[n++] = byte;
  }
  return bytes.subarray(0, n);
}

function windowsPathBytes(url) {
  const { Buffer } = require("node:buffer");
  const path = decodeBytes(url.pathname.replaceAll("/", "\\"));
  if (url.hostname !== "") {
    const host = Buffer.from(`\\\\${require("web/url").domainToUnicode(url.hostname)}`, "utf8");
    return Buffer.concat([host, path]);
  }
  if (!isLetter(path[1]) || path[2] !== 58) {
    throw new ERR_INVALID_FILE_URL_PATH("must be absolute", url);
  }
  return path.subarray(1);
}

exports.fileURLToPath = function fileURLToPath(path, options = undefined) {
  const url = fileUrlOf(path);
  return options?.windows ? windowsPath(url) : posixPath(url);
};

exports.fileURLToPathBuffer = function fileURLToPathBuffer(path, options = undefined) {
  const url = fileUrlOf(path);
  if (options?.windows) return windowsPathBytes(url);
  checkPosixHost(url);
  return decodeBytes(url.pathname);
};

const kEncoded = /[\0-\x20"#%<>?[\\\]^`{|}~\x7f]/g;
const encodeChar = (c) => `%${c.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`;

/** What a URL parser would take for something else than a part of the path, and some more. */
const encodePath = (path) => path.replace(kEncoded, encodeChar);

function windowsUrl(path) {
  const { resolve } = require("node:path/win32");
  let full = path.startsWith("\\\\") ? path : resolve(path);
  const url = new URL("file:///");
  if (full.startsWith("\\\\")) {
    const start = full.startsWith("\\\\?\\UNC\\") ? 8 : 2;
    const end = full.indexOf("\\", start);
    if (end < 0) throw new ERR_INVALID_ARG_VALUE("path", full, "Missing UNC resource path");
    if (end === 2) throw new ERR_INVALID_ARG_VALUE("path", full, "Empty UNC servername");
    url.hostname = full.slice(start, end);
    full = full.slice(end);
  } else if (/[\\/]$/.test(path) && !full.endsWith("\\")) {
    full += "\\";
  }
  url.pathname = encodePath(full.replaceAll("\\", "/"));
  return url;
}

exports.pathToFileURL = function pathToFileURL(path, options) {
  validateString(path, "path");
  if (options?.windows) return windowsUrl(path);
  let full = require("node:path/posix").resolve(path);
  if (path.endsWith("/") && !full.endsWith("/")) full += "/";
  return new URL(`file://${encodePath(full)}`);
};
