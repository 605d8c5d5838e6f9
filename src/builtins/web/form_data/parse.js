// web/form_data/parse -- multipart/form-data and application/x-www-form-urlencoded, both ways.
//
// native: multipart(bytes, boundary) -> [name, fileName or undefined, type, start, end, ...] or the
//   text of what is wrong
// Sources: RFC 7578, HTML "multipart/form-data encoding algorithm".

const errors = require("internal/errors");
const { makeBlob, makeFile, partsOf } = require("web/blob");
const { decode, encode } = require("web/blob/bytes");
const { isFormData, listOf, makeFormData } = require("web/form_data");

const kBoundary = /;\s*boundary=(?:"([^"]*)"|([^;\s]*))/i;
const BOUNDARY_MAX = 256;

function parseError(text) {
  return errors.makeCoded("TypeError", "ERR_FORMDATA_PARSE_ERROR", text);
}

function essenceOf(type) {
  const semicolon = type.indexOf(";");
  return (semicolon < 0 ? type : type.slice(0, semicolon)).trim().toLowerCase();
}

function parseMultipart(data, boundary) {
  const rows = native.multipart(data, boundary);
  if (typeof rows === "string") throw parseError(rows);
  const list = [];
  for (let i = 0; i < rows.length; i += 5) {
    const [name, fileName, type] = [rows[i], rows[i + 1], rows[i + 2]];
    const content = data.subarray(rows[i + 3], rows[i + 4]);
    if (fileName === undefined) {
      list.push(name, decode(content));
      continue;
    }
    const blob = makeBlob([content.slice()], content.byteLength, type);
    list.push(name, makeFile(blob, fileName));
  }
  return makeFormData(list);
}

/** { essence, boundary } of a content type that a form can have, else TypeError. */
function checkFormType(type) {
  const essence = essenceOf(type ?? "");
  if (essence === "application/x-www-form-urlencoded") return { essence, boundary: "" };
  const match = essence === "multipart/form-data" ? kBoundary.exec(type) : null;
  const boundary = match === null ? "" : (match[1] ?? match[2]);
  if (boundary === "" || boundary.length > BOUNDARY_MAX) {
    throw parseError(
      "Can't decode form data from body because of incorrect MIME type/boundary",
    );
  }
  return { essence, boundary };
}

/** The FormData that bytes with that content type mean. */
exports.parseFormData = function parseFormData(data, type) {
  const { boundary } = checkFormType(type);
  if (boundary === "") {
    const { URLSearchParams } = require("web/url/search_params");
    const list = [];
    // Here a byte order mark belongs to the first name (URL Standard, urlencoded parsing).
    const mark = data[0] === 0xef && data[1] === 0xbb && data[2] === 0xbf ? "\ufeff" : "";
    const params = new URLSearchParams(`?${mark}${decode(data)}`);
    for (const [name, value] of params) list.push(name, value);
    return makeFormData(list);
  }
  return parseMultipart(data, boundary);
};
exports.checkFormType = checkFormType;

const newLines = (text) => text.replace(/\r\n|\r|\n/g, "\r\n");
const quote = (text) =>
  text.replace(/\r/g, "%0D").replace(/\n/g, "%0A").replace(/"/g, "%22");

/** A Blob of type multipart/form-data with a boundary of its own. */
exports.encodeFormData = function encodeFormData(form) {
  if (!isFormData(form)) throw new errors.ERR_INVALID_ARG_TYPE("form", "FormData", form);
  const list = listOf(form);
  const boundary = `----WebKitFormBoundary${require("web/crypto").crypto
    .randomUUID().replaceAll("-", "")}`;
  const parts = [];
  let text = "";
  for (let i = 0; i < list.length; i += 2) {
    const value = list[i + 1];
    text += `--${boundary}\r\nContent-Disposition: form-data; name="${quote(newLines(list[i]))}"`;
    if (typeof value === "string") {
      text += `\r\n\r\n${newLines(value)}\r\n`;
      continue;
    }
    text += `; filename="${quote(value.name)}"\r\n`;
    text += `Content-Type: ${value.type || "application/octet-stream"}\r\n\r\n`;
    parts.push(encode(text), ...partsOf(value));
    text = "\r\n";
  }
  parts.push(encode(`${text}--${boundary}--\r\n`));
  let size = 0;
  for (const part of parts) size += part.byteLength ?? part.size;
  return makeBlob(parts, size, `multipart/form-data; boundary=${boundary}`);
};
