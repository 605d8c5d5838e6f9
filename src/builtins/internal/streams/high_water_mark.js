// internal/streams/high_water_mark -- how much a stream buffers before it says stop.
const { validateInteger } = require("internal/validators");

let forBytes = 64 * 1024;
let forObjects = 16;

/** The option defaultEncoding, checked. */
exports.getDefaultEncoding = function getDefaultEncoding(options) {
  const encoding = options?.defaultEncoding;
  if (encoding === undefined || encoding === null) return "utf8";
  if (encoding === "utf8" || encoding === "utf-8") return "utf8";
  if (require("node:buffer").Buffer.isEncoding(encoding)) return encoding;
  const { ERR_UNKNOWN_ENCODING } = require("internal/errors");
  throw new ERR_UNKNOWN_ENCODING(encoding);
};

exports.getDefaultHighWaterMark = function getDefaultHighWaterMark(objectMode) {
  return objectMode ? forObjects : forBytes;
};

exports.setDefaultHighWaterMark = function setDefaultHighWaterMark(objectMode, value) {
  validateInteger(value, "value", 0);
  if (objectMode) forObjects = value;
  else forBytes = value;
};

/** The mark of one half: its own option (duplexes only) after the common one, else the default. */
exports.getHighWaterMark = function getHighWaterMark(state, options, key, isDuplex) {
  if (options !== undefined && options !== null) {
    const own = isDuplex ? options[key] : null;
    const mark = options.highWaterMark ?? own;
    if (mark !== undefined && mark !== null) {
      if (!Number.isInteger(mark) || mark < 0) {
        const { ERR_INVALID_ARG_VALUE } = require("internal/errors");
        const isOwn = options.highWaterMark === undefined || options.highWaterMark === null;
        throw new ERR_INVALID_ARG_VALUE(isOwn ? `options.${key}` : "options.highWaterMark", mark);
      }
      return mark;
    }
  }
  return state.objectMode ? forObjects : forBytes;
};
