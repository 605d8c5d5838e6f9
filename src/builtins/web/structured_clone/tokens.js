// web/structured_clone/tokens -- what the writer and the reader of a clone agree on.

const { setOf } = require("internal/set_of");
/** An operation in a token list. Only objects are operations; primitives stand for themselves. */
const op = (name) => Object.freeze({ __proto__: null, name });

exports.OP = Object.freeze({
  __proto__: null,
  END: op("end"),
  HOLE: op("hole"),
  SEEN: op("seen"), // id
  OBJECT: op("object"), // (name, value)*, END
  ARRAY: op("array"), // length, then that many values or HOLEs
  SPARSE: op("sparse"), // length, (name, value)*, END
  MAP: op("map"), // 2 * size, (key, value)*
  SET: op("set"), // size, values
  DATE: op("date"), // time
  REGEXP: op("regexp"), // source, flags
  ERROR: op("error"), // name, message, stack, has a cause[, cause]
  BOXED: op("boxed"), // primitive
  BUFFER: op("buffer"), // ArrayBuffer (a copy), maxByteLength or -1
  TRANSFER: op("transfer"), // index into the transfer list
  SHARED: op("shared"), // SharedArrayBuffer
  VIEW: op("view"), // constructor, byteOffset, length or -1, buffer
  CUSTOM: op("custom"), // name in web/structured_clone/classes, data
  WASM: op("wasm"), // WebAssembly.Module
});

exports.ERROR_NAMES = setOf([
  "Error", "EvalError", "RangeError", "ReferenceError", "SyntaxError", "TypeError", "URIError",
]);
