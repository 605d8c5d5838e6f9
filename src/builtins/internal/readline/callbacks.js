// internal/readline/callbacks -- the functions of node:readline that move the cursor and clear
// (Node: readline.cursorTo, ...).
const { validateFunction } = require("internal/validators");
const { nextTick } = require("internal/tick");

const ESC = "\x1b[";

/** Writes the sequence; without one or a stream only the callback is called. */
function send(stream, sequence, callback) {
  if (callback !== undefined) validateFunction(callback, "callback");
  if (stream === null || stream === undefined || sequence === "") {
    if (typeof callback === "function") nextTick(callback, null);
    return true;
  }
  return stream.write(sequence, callback);
}

/** To column x (from 0), and row y if it is given. */
exports.cursorTo = function cursorTo(stream, x, y, callback) {
  const { ERR_INVALID_ARG_VALUE, ERR_INVALID_CURSOR_POS } = require("internal/errors");
  if (callback !== undefined) validateFunction(callback, "callback");
  const done = typeof y === "function" ? y : callback;
  const row = typeof y === "function" ? undefined : y;
  if (Number.isNaN(x)) throw new ERR_INVALID_ARG_VALUE("x", x);
  if (Number.isNaN(row)) throw new ERR_INVALID_ARG_VALUE("y", row);
  const isNowhere = typeof x !== "number" && typeof row !== "number";
  if (stream === null || stream === undefined || isNowhere) {
    if (typeof done === "function") nextTick(done, null);
    return true;
  }
  if (typeof x !== "number") throw new ERR_INVALID_CURSOR_POS();
  const sequence = typeof row === "number" ? `${ESC}${row + 1};${x + 1}H` : `${ESC}${x + 1}G`;
  return stream.write(sequence, done);
};

exports.moveCursor = function moveCursor(stream, dx, dy, callback) {
  let sequence = "";
  if (dx < 0) sequence += `${ESC}${-dx}D`;
  else if (dx > 0) sequence += `${ESC}${dx}C`;
  if (dy < 0) sequence += `${ESC}${-dy}A`;
  else if (dy > 0) sequence += `${ESC}${dy}B`;
  return send(stream, sequence, callback);
};

/** -1: what is left of the cursor, 1: right of it, 0: the whole line. */
exports.clearLine = function clearLine(stream, dir, callback) {
  const part = dir < 0 ? 1 : dir > 0 ? 0 : 2;
  return send(stream, `${ESC}${part}K`, callback);
};

exports.clearScreenDown = function clearScreenDown(stream, callback) {
  return send(stream, `${ESC}0J`, callback);
};
