// @global structuredClone
// web/structured_clone -- structuredClone (HTML Standard, "Safe passing of structured data").
//
// Cloning has two halves with a list of tokens between them. The writer walks the value, which may
// run getters and fail, and writes a token for every step; the reader makes the copy from the
// tokens and runs nothing of the program. Buffers are transferred in between, when nothing can
// fail any more.
//
// A token that is no object is the primitive value itself; objects are operations (OP in
// web/structured_clone/tokens), followed by their arguments. Nothing in a list refers to the
// original but the tokens behind SHARED, WASM and CUSTOM, so that bytes for another thread are made
// by writing each operation as a number (web/messaging/codec).
//
// native: kindOf(object) -> one of the kinds of structured_clone.c; shapeOf(object) -> js_shape.

const errors = require("internal/errors");

const { kindOf } = native;
const BUFFER = 9;
const isDetached = Object.getOwnPropertyDescriptor(ArrayBuffer.prototype, "detached").get;

/** The transfer list of StructuredSerializeOptions. */
function readTransfer(options) {
  const { converters, dictionary, sequence } = require("internal/webidl");
  const convert = dictionary("StructuredSerializeOptions", [
    { key: "transfer", converter: sequence(converters.object), defaultValue: () => [] },
  ]);
  return convert(options, { __proto__: null, context: "Options" }).transfer;
}

const isBuffer = (object) => typeof object !== "function" && kindOf(object) === BUFFER;

/** Throws for what cannot move (any more): a getter may have taken it between two looks. */
function checkTransfer(object, cloneError) {
  if (isBuffer(object)) {
    if (isDetached.call(object)) throw cloneError("An ArrayBuffer is detached");
    return;
  }
  const { isPort, isPortClosed } = require("web/messaging");
  if (!isPort(object)) throw cloneError("Value not transferable");
  if (isPortClosed(object)) throw cloneError("A MessagePort is detached");
}

/** The transfer list as a Map of object to place: buffers and ports. */
function checkTransfers(list, cloneError) {
  const places = new Map();
  for (let i = 0; i < list.length; i++) {
    const object = list[i];
    checkTransfer(object, cloneError);
    if (places.has(object)) throw cloneError("Transfer list contains duplicate objects");
    places.set(object, places.size);
  }
  return places;
}

function transferAll(places, cloneError) {
  const { transfer } = require("web/structured_clone/reader");
  const out = [];
  for (const object of places.keys()) {
    checkTransfer(object, cloneError);
    if (!isBuffer(object)) {
      out.push(require("web/messaging").move(object));
      continue;
    }
    try {
      out.push(transfer(object));
    } catch {
      throw cloneError("An ArrayBuffer could not be transferred");
    }
  }
  return out;
}

function structuredClone(value, options = undefined) {
  if (arguments.length === 0) throw new errors.ERR_MISSING_ARGS("value");
  const isSimple = typeof value !== "object" && typeof value !== "function" &&
    typeof value !== "symbol";
  if (options === undefined && (isSimple || value === null)) return value;
  const { Writer, cloneError } = require("web/structured_clone/writer");
  const { Reader } = require("web/structured_clone/reader");
  let places = null;
  if (options !== undefined) {
    const transfer = readTransfer(options);
    if (transfer.length > 0) places = checkTransfers(transfer, cloneError);
  }
  const writer = new Writer(native, places);
  writer.write(value);
  const transferred = places === null ? null : transferAll(places, cloneError);
  return new Reader(writer.tokens, transferred).read();
}

exports.structuredClone = structuredClone;
// For messages between threads.
exports.native = native;
