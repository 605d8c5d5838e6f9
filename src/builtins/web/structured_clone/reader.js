// web/structured_clone/reader -- makes a value from the tokens of a clone.

const { OP } = require("web/structured_clone/tokens");

const { END, HOLE } = OP;
const { defineProperty } = Object;
const ObjectPrototype = Object.prototype;
const transferBuffer = ArrayBuffer.prototype.transfer;

const kErrors = {
  __proto__: null,
  Error, EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError,
};
const kViews = {
  __proto__: null,
  DataView, Int8Array, Uint8Array, Uint8ClampedArray, Int16Array, Uint16Array, Int32Array,
  Uint32Array, BigInt64Array, BigUint64Array, Float32Array, Float64Array,
};
if (typeof Float16Array === "function") kViews.Float16Array = Float16Array;

const NewMap = Map;
const NewSet = Set;
const NewDate = Date;
const NewRegExp = RegExp;
const mapSet = Map.prototype.set;
const setAdd = Set.prototype.add;
const resize = ArrayBuffer.prototype.resize;

/** CreateDataProperty: what the program has put on Object.prototype does not matter. */
function define(object, name, value) {
  if (name in ObjectPrototype) {
    defineProperty(object, name, {
      __proto__: null, value, configurable: true, enumerable: true, writable: true,
    });
  } else {
    object[name] = value;
  }
}

function defineHidden(object, name, value) {
  defineProperty(object, name, {
    __proto__: null, value, configurable: true, enumerable: false, writable: true,
  });
}

class Reader {
  #tokens;
  #at = 0;
  #made = [];
  #transferred;

  /** `transferred` has the new owner of each object of the transfer list. */
  constructor(tokens, transferred) {
    this.#tokens = tokens;
    this.#transferred = transferred;
  }

  #next() {
    return this.#tokens[this.#at++];
  }

  read() {
    const token = this.#next();
    if (typeof token !== "object" || token === null) return token;
    switch (token) {
      case OP.SEEN: return this.#made[this.#next()];
      case OP.OBJECT: return this.#readProperties(this.#keep({}));
      case OP.ARRAY: return this.#readArray();
      case OP.SPARSE: return this.#readProperties(this.#keep(new Array(this.#next())));
      case OP.MAP: return this.#readMap();
      case OP.SET: return this.#readSet();
      case OP.DATE: return this.#keep(new NewDate(this.#next()));
      case OP.REGEXP: return this.#keep(new NewRegExp(this.#next(), this.#next()));
      case OP.ERROR: return this.#readError();
      case OP.BOXED: return this.#keep(Object(this.#next()));
      case OP.BUFFER: return this.#readBuffer();
      case OP.TRANSFER: return this.#keep(this.#transferred[this.#next()]);
      case OP.SHARED: return this.#keep(this.#next());
      case OP.WASM: return this.#keep(require("web/messaging").copyModule(this.#next()));
      case OP.VIEW: return this.#readView();
      default: return this.#readCustom();
    }
  }

  /** Objects are numbered in the order in which the writer met them. */
  #keep(object) {
    this.#made.push(object);
    return object;
  }

  #readProperties(object) {
    const tokens = this.#tokens;
    for (let name = this.#next(); name !== END; name = this.#next()) {
      const token = tokens[this.#at];
      if (typeof token === "object" && token !== null) {
        define(object, name, this.read());
      } else {
        this.#at++;
        define(object, name, token);
      }
    }
    return object;
  }

  #readArray() {
    const length = this.#next();
    const array = this.#keep([]);
    for (let i = 0; i < length; i++) {
      if (this.#tokens[this.#at] === HOLE) this.#at++;
      else array[i] = this.read();
    }
    array.length = length;
    return array;
  }

  #readMap() {
    const n = this.#next();
    const map = this.#keep(new NewMap());
    for (let i = 0; i < n; i += 2) {
      const key = this.read();
      mapSet.call(map, key, this.read());
    }
    return map;
  }

  #readSet() {
    const n = this.#next();
    const set = this.#keep(new NewSet());
    for (let i = 0; i < n; i++) setAdd.call(set, this.read());
    return set;
  }

  #readError() {
    const Constructor = kErrors[this.#next()];
    const error = this.#keep(new Constructor());
    const message = this.#next();
    const stack = this.#next();
    if (message !== undefined) defineHidden(error, "message", message);
    if (stack !== undefined) defineHidden(error, "stack", stack);
    if (this.#next()) defineHidden(error, "cause", this.read());
    return error;
  }

  #readBuffer() {
    const copy = this.#next();
    const max = this.#next();
    if (max < 0) return this.#keep(copy);
    const buffer = new ArrayBuffer(copy.byteLength, { maxByteLength: max });
    new Uint8Array(buffer).set(new Uint8Array(copy));
    return this.#keep(buffer);
  }

  #readView() {
    const Constructor = kViews[this.#next()];
    const offset = this.#next();
    const length = this.#next();
    // The buffer is made after the view has got its number.
    const id = this.#made.push(null) - 1;
    const buffer = this.read();
    const view = new Constructor(buffer, offset, length < 0 ? undefined : length);
    this.#made[id] = view;
    return view;
  }

  #readCustom() {
    const { make } = require("web/structured_clone/classes").classOf(this.#next());
    return this.#keep(make(this.#next()));
  }
}

exports.Reader = Reader;
/** Moves the memory of a buffer to a new one; throws a TypeError if that cannot be done. */
exports.transfer = (buffer) => transferBuffer.call(buffer);
exports.resizeBuffer = (buffer, size) => resize.call(buffer, size);
