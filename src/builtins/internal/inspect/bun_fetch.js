// internal/inspect/bun_fetch -- how the Bun flavour shows Response, Request, Blob and File.

const blobs = require("web/blob");
const { bodyOf, kinds } = require("web/fetch/body");
const { byteLength } = require("web/blob/bytes");

const UNITS = ["bytes", "KB", "MB", "GB", "TB"];
const BYTES_MAX = 512;

/** "12 bytes", "1.0 KB", "10.24 KB". */
function sizeText(size) {
  if (size === 0) return "0 KB";
  if (size < BYTES_MAX) return `${size} bytes`;
  let unit = 1;
  let value = size / 1000;
  while (value >= 1000 && unit < UNITS.length - 1) {
    value /= 1000;
    unit++;
  }
  // The second digit behind the point only when the first one is not 0.
  const digits = Math.trunc(value * 10) % 10 === 0 ? 1 : 2;
  return `${value.toFixed(digits)} ${UNITS[unit]}`;
}

function printFields(p, rows, tail) {
  const { quoteStrings } = p;
  p.quoteStrings = true;
  p.text(" {");
  p.indent++;
  p.depth++;
  rows.forEach(({ 0: key, 1: value }, i) => {
    p.newline();
    p.property(key, value);
    if (i < rows.length - 1 || tail === "comma") p.comma();
  });
  if (typeof tail === "function") tail();
  p.depth--;
  p.indent--;
  p.newline();
  p.text("}");
  p.quoteStrings = quoteStrings;
}

function printSize(p, name, size) {
  const { r, yellow } = p.c;
  p.text(`${r}${name}${r} (${yellow}${sizeText(size)}${r})`);
}

function printFile(p, file) {
  const { r, green, yellow } = p.c;
  const part = blobs.partsOf(file)[0];
  const shown = part.path === undefined
    ? `fd: ${yellow}${part.fd}${r}` : `${green}${JSON.stringify(part.path)}${r}`;
  p.text(`${r}FileRef${r} (${shown})`);
  const rows = [["type", file.type]];
  if (part.start > 0) rows.push(["offset", part.start]);
  printFields(p, rows);
}

function printBlob(p, blob) {
  if (require("bun:file").isBunFile(blob)) {
    printFile(p, blob);
    return;
  }
  if (blobs.isFile(blob)) {
    printSize(p, "File", blob.size);
    const rows = [["name", blob.name]];
    if (blob.type !== "") rows.push(["type", blob.type]);
    rows.push(["lastModified", blob.lastModified]);
    printFields(p, rows);
    return;
  }
  printSize(p, "Blob", blob.size);
  if (blob.type !== "") printFields(p, [["type", blob.type]]);
}

/** Bytes of a body, or undefined when they are not known. */
function bodySize({ kind, value }) {
  switch (kind) {
    case kinds.STRING: return byteLength(value);
    case kinds.BYTES: return value.byteLength;
    case kinds.BLOB: return require("bun:file").isBunFile(value) ? undefined : value.size;
    default: return 0;
  }
}

function printHead(p, name, body) {
  const size = bodySize(body);
  p.text(size === undefined ? name : `${name} (${sizeText(size)})`);
}

/** The body behind the fields. */
function bodyPrinter(p, body, needsComma) {
  const { kind, value } = body;
  const hasBody = kind !== kinds.NONE && kind !== kinds.USED && kind !== kinds.SOURCE;
  if (!hasBody) return undefined;
  return () => {
    if (needsComma) p.comma();
    p.newline();
    if (kind === kinds.STREAM) p.value(value);
    else if (kind === kinds.BLOB) printBlob(p, value);
    else printSize(p, "Blob", bodySize(body));
  };
}

function printResponse(p, response) {
  const body = bodyOf(response);
  printHead(p, "Response", body);
  printFields(p, [
    ["ok", response.ok], ["url", response.url], ["status", response.status],
    ["statusText", response.statusText], ["headers", response.headers],
    ["redirected", response.redirected], ["bodyUsed", response.bodyUsed],
  ], bodyPrinter(p, body, true));
}

function printRequest(p, request) {
  const body = bodyOf(request);
  printHead(p, "Request", body);
  printFields(p, [
    ["method", request.method], ["url", request.url], ["headers", request.headers],
  ], bodyPrinter(p, body, false));
}

function limited(name, print) {
  return (p, v) => {
    if (p.depth > p.depthMax) p.objectEllipsis(name);
    else print(p, v);
  };
}

exports.printBlob = limited("Blob", printBlob);
exports.printRequest = limited("Request", printRequest);
exports.printResponse = limited("Response", printResponse);
