// bun:ffi -- functions of C libraries (https://bun.com/docs/runtime/ffi).
//
// native: open(path | null) -> library | text of the error; close(library); find(library, name);
// prepare(address, kinds, result) -> function; forget(function); call(function, ...args);
// openCallback(fn, kinds, result, isThreadsafe) -> [callback, address]; closeCallback(callback);
// ptr, read, cstring, view: see ffi.c.
const errors = require("internal/errors");

const types = {
  bool: 11, c_int: 5, c_uint: 6, char: 0, "char*": 12, double: 9, f32: 10, f64: 9, float: 10,
  i16: 3, i32: 5, i64: 7, i8: 1, int: 5, int16_t: 3, int32_t: 5, int64_t: 7, int8_t: 1, isize: 7,
  u16: 4, u32: 6, u64: 8, u8: 2, uint16_t: 4, uint32_t: 6, uint64_t: 8, uint8_t: 2, usize: 8,
  "void*": 12, ptr: 12, pointer: 12, void: 13, cstring: 14, i64_fast: 15, u64_fast: 16,
  function: 17, callback: 17, fn: 17, napi_env: 18, napi_value: 19, buffer: 20, buffer_length: 21,
  buffer_bytelength: 21,
};
const FFIType = {};
for (let i = 0; i <= 17; i++) FFIType[i] = i;
Object.assign(FFIType, types);

const VOID = 13;
const FUNCTION = 17;
const BUFFER = 20;
const BUFFER_LENGTH = 21;

const typeError = (text) => errors.makeCoded("TypeError", "ERR_INVALID_ARG_TYPE", text);

/** The number of a type's name; `what` is for messages. */
function kindOf(type, what) {
  const kind = typeof type === "number" ? type : FFIType[type];
  if (typeof type === "number" && !(Number.isInteger(type) && type >= 0 && type <= BUFFER_LENGTH)) {
    throw new Error("invalid ABI type");
  }
  if (kind === undefined) {
    throw errors.makeCoded("TypeError", "ERR_INVALID_ARG_VALUE", `Unknown ${what} ${type}`);
  }
  if (kind === types.napi_env || kind === types.napi_value) {
    throw typeError(
      "napi_env / napi_value are only supported in bun:ffi cc() (compiled C source), not in " +
        "dlopen/linkSymbols/CFunction/JSCallback",
    );
  }
  return kind;
}

/** { kinds, result } of { args, returns }. */
function signatureOf(definition) {
  const { args = [], returns = "void" } = definition ?? {};
  if (!Array.isArray(args)) throw typeError("args must be an array of types");
  const kinds = Uint8Array.from(args, (type) => {
    const kind = kindOf(type, "type");
    if (kind === VOID) throw typeError("void is no type of an argument");
    return kind;
  });
  const result = kindOf(returns, "return type");
  if (result === BUFFER || result === BUFFER_LENGTH) {
    throw typeError("buffer is a type of arguments only");
  }
  return { kinds, result };
}

function caller(fn, n) {
  const { call } = native;
  switch (n) {
    case 0:
      return () => call(fn);
    case 1:
      return (a) => call(fn, a);
    case 2:
      return (a, b) => call(fn, a, b);
    case 3:
      return (a, b, c) => call(fn, a, b, c);
    case 4:
      return (a, b, c, d) => call(fn, a, b, c, d);
  }
  return (...args) => call(fn, ...args);
}

/** A JavaScript function for the C function at `address`; `handles` gets what can be forgotten. */
function makeFunction(name, address, definition, handles) {
  const { kinds, result } = signatureOf(definition);
  const handle = native.prepare(address, kinds, result);
  handles.push(handle);
  const fn = caller(handle, kinds.length);
  Object.defineProperties(fn, {
    name: { value: name, configurable: true },
    length: { value: kinds.length, configurable: true },
    ptr: { value: address, configurable: true },
    native: { value: fn, configurable: true },
  });
  return fn;
}

function addressOf(definition, name) {
  const { ptr: address } = definition ?? {};
  const isPointer = typeof address === "number" || typeof address === "bigint";
  if (!isPointer || Number(address) === 0) {
    throw typeError(
      `Symbol "${name}" is missing a "ptr" field. When using linkSymbols() or CFunction(), you ` +
        'must provide a "ptr" field with the memory address of the native function.',
    );
  }
  return Number(address);
}

class FFI {
  #library;
  #handles;

  constructor(symbols, handles, library) {
    this.symbols = symbols;
    this.#library = library;
    this.#handles = handles;
    this.close = this.close.bind(this); // may be taken out of the object
    Object.defineProperty(this.close, "name", { value: "close", configurable: true });
  }

  close() {
    for (const handle of this.#handles) native.forget(handle);
    this.#handles = [];
    if (this.#library !== undefined) native.close(this.#library);
    this.#library = undefined;
  }

  [Symbol.dispose]() {
    this.close();
  }
}

function checkSymbols(symbols) {
  if (typeof symbols !== "object" || symbols === null) {
    throw typeError("Expected an options object with symbol names");
  }
  if (Object.keys(symbols).length === 0) throw typeError("Expected at least one symbol");
}

/** The library's path as a text; a file of the current folder is found without "./", too. */
function openLibrary(name) {
  const opened = native.open(name);
  if (typeof opened !== "string") return opened;
  let text = opened;
  if (name !== null && !name.startsWith("/")) {
    const second = native.open(require("node:path").resolve(name));
    if (typeof second !== "string") return second;
    text = second;
  }
  throw Object.assign(new Error(`Failed to open library "${name}": ${text}`), {
    code: "ERR_DLOPEN_FAILED",
  });
}

function pathOf(path) {
  if (path === null) return null;
  if (require("web/url").isURL(path)) return require("internal/file_url").fileURLToPath(path);
  if (path instanceof Blob && typeof path.name === "string") return path.name;
  const text = `${path}`;
  return text.startsWith("file:") ? require("internal/file_url").fileURLToPath(text) : text;
}

function dlopen(path, symbols) {
  checkSymbols(symbols);
  const name = pathOf(path);
  const library = openLibrary(name);
  const functions = {};
  const handles = [];
  try {
    for (const key of Object.keys(symbols)) {
      const definition = symbols[key];
      const given = definition?.ptr;
      const address = given === undefined ? native.find(library, key) : addressOf(definition, key);
      if (address === null) throw typeError(`Symbol "${key}" not found in "${name}"`);
      functions[key] = makeFunction(key, address, definition, handles);
    }
  } catch (error) {
    native.close(library);
    throw error;
  }
  return new FFI(functions, handles, library);
}

function linkSymbols(symbols) {
  checkSymbols(symbols);
  const functions = {};
  const handles = [];
  for (const key of Object.keys(symbols)) {
    functions[key] = makeFunction(key, addressOf(symbols[key], key), symbols[key], handles);
  }
  return new FFI(functions, handles);
}

/** With or without `new`: a function. */
function CFunction(definition) {
  const handles = [];
  const address = addressOf(definition, "CFunction");
  const fn = makeFunction("CFunction", address, definition, handles);
  const close = () => native.forget(handles[0]);
  Object.defineProperty(fn, "close", { value: close, configurable: true, writable: true });
  return fn;
}

class JSCallback {
  #callback;

  constructor(callback, definition) {
    if (typeof callback !== "function") throw typeError("Expected callback function");
    const { kinds, result } = signatureOf(definition);
    this.ptr = null;
    this.threadsafe = Boolean(definition?.threadsafe);
    [this.#callback, this.ptr] = native.openCallback(callback, kinds, result, this.threadsafe);
  }

  close() {
    this.ptr = null;
    native.closeCallback(this.#callback);
  }

  [Symbol.dispose]() {
    this.close();
  }

  [Symbol.toPrimitive]() {
    return this.ptr;
  }
}

// ---- Memory

function checkPointer(address) {
  if (typeof address !== "number" && typeof address !== "bigint") {
    throw typeError("Expected a pointer");
  }
  if (Number(address) === 0) throw typeError("ptr cannot be zero, that would segfault");
  if (!(Number(address) > 0)) throw typeError("Expected a pointer");
  return address;
}

function checkOffset(offset, name) {
  if (offset === undefined || offset === null) return 0;
  if (!Number.isSafeInteger(offset)) throw typeError(`${name} must be an integer`);
  return offset;
}

function checkLength(length) {
  if (length === undefined || length === null) return undefined;
  const number = Number(length);
  if (!(Number.isSafeInteger(number) && number >= 0)) {
    throw typeError("length must be a positive integer");
  }
  return number;
}

function ptr(view, byteOffset) {
  const address = native.ptr(view, checkOffset(byteOffset, "byteOffset"));
  if (address === null) throw typeError("Expected an ArrayBufferView or ArrayBuffer");
  if (address === -1) {
    throw typeError(
      "ArrayBufferView must have a length > 0. A pointer to empty memory doesn't work",
    );
  }
  if (address === -2) throw typeError("byteOffset out of bounds");
  return address;
}

/** (ptr, offset, length, context?, deallocator?); of one more argument it is the deallocator. */
function toArrayBuffer(address, byteOffset, byteLength, context, deallocator) {
  checkPointer(address);
  if (deallocator === undefined) [context, deallocator] = [undefined, context];
  const offset = checkOffset(byteOffset, "byteOffset");
  const length = checkLength(byteLength);
  return native.view(address, offset, length, pointerOf(context), pointerOf(deallocator));
}

/** An optional address, as a number or in an object that has one. */
function pointerOf(value) {
  const address = typeof value === "object" && value !== null ? value.ptr : value;
  if (address === undefined || address === null) return undefined;
  return checkPointer(address);
}

function toBuffer(...args) {
  return Buffer.from(toArrayBuffer(...args));
}

/** A string; with `new` a String object, since a function of JavaScript can make no other. */
function CString(address, byteOffset, byteLength) {
  let text = "";
  if (address !== null && address !== undefined && Number(address) !== 0) {
    checkPointer(address);
    const length = checkLength(byteLength);
    text = native.cstring(address, checkOffset(byteOffset, "byteOffset"), length);
  }
  return new.target === undefined ? text : new String(text);
}

const read = {};
const readable = { u8: 2, u16: 4, u32: 6, ptr: 12, i8: 1, i16: 3, i32: 5, i64: 7, u64: 8 };
for (const [name, kind] of Object.entries({ ...readable, intptr: 12, f32: 10, f64: 9 })) {
  read[name] = {
    [name]: (address, byteOffset) =>
      native.read(kind, checkPointer(address), checkOffset(byteOffset, "byteOffset")),
  }[name];
}

function cc() {
  throw errors.notImplemented("cc() of bun:ffi");
}

function viewSource() {
  throw errors.notImplemented("viewSource() of bun:ffi");
}

Object.assign(exports, {
  CFunction, CString, FFIType, JSCallback, cc, dlopen, linkSymbols, ptr, read, suffix: "so",
  toArrayBuffer, toBuffer, viewSource,
});
exports.native = { dlopen, callback: () => {} };
