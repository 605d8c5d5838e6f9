// @internal
// node:buffer/transcode -- from one encoding of text to another (Node: buffer.transcode, which is
// ICU's conversion: characters that the target lacks become "?").
const errors = require("internal/errors");
const { requireUint8Array } = require("node:buffer/bytes");
const text = require("node:buffer/text");

const { UTF8, UTF16, LATIN1, ASCII } = text;

const U_ILLEGAL_ARGUMENT_ERROR = 1;
const U_INVALID_CHAR_FOUND = 10;

function transcodeError(code, errno) {
  return errors.genericNodeError(`Unable to transcode Buffer [${code}]`, { code, errno });
}

/** The text of the source; bytes above 0x7f are no ASCII, except on the way to UTF-16. */
function read(source, from, to) {
  if (from !== ASCII) return text.decodeRange(source, from, 0, source.length);
  const string = text.decodeRange(source, LATIN1, 0, source.length);
  return to === UTF16 ? string : string.replace(/[\x80-\xff]/g, "\ufffd");
}

/** Strict conversions are those between UTF-8 and UTF-16. */
function checkWellFormed(source, string, from, to) {
  const isBad = from === UTF8 ? to === UTF16 && !text.isUtf8(source)
    : from === UTF16 && to === UTF8 && !string.isWellFormed();
  if (isBad) throw transcodeError("U_INVALID_CHAR_FOUND", U_INVALID_CHAR_FOUND);
}

function substitute(string, to) {
  if (to === LATIN1) return string.replace(/[^\0-\xff]/gu, "?");
  return to === ASCII ? string.replace(/[^\0-\x7f]/gu, "?") : string;
}

exports.transcode = function transcode(source, fromEncoding, toEncoding) {
  requireUint8Array(source, "source");
  if (source.length === 0) return require("node:buffer").Buffer.alloc(0);
  const from = text.optionalIdOf(fromEncoding);
  const to = text.optionalIdOf(toEncoding);
  if (from < UTF8 || from > ASCII || to < UTF8 || to > ASCII) {
    throw transcodeError("U_ILLEGAL_ARGUMENT_ERROR", U_ILLEGAL_ARGUMENT_ERROR);
  }
  const string = read(source, from, to);
  checkWellFormed(source, string, from, to);
  return require("node:buffer").Buffer.from(substitute(string, to), text.names[to]);
};
