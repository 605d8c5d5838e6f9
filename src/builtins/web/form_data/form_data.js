// @global FormData
// web/form_data -- FormData (XMLHttpRequest Standard, section 4) with Bun's toJSON and length.
//
// The list is flat: name, value, name, value; a value is a string or a File.

const errors = require("internal/errors");
const { defineInterface } = require("internal/webidl/interface");
const { iterateEntries, makePairIterator } = require("internal/webidl/pairs");
const { isBlob, isFile, makeFile } = require("web/blob");

const kInspect = Symbol.for("nodejs.util.inspect.custom");

let isFormData;
let listOf;
let makeFormData;

const toUSVString = (value) => `${value}`.toWellFormed();

function missing(...args) {
  throw new errors.ERR_MISSING_ARGS(...args);
}

/** "Create an entry": the value that is kept. */
function toEntryValue(value, filename, hasFilename) {
  if (isBlob(value)) {
    if (hasFilename) return makeFile(value, toUSVString(filename), value.lastModified);
    if (isFile(value)) return value;
    // A file of Bun.file() keeps its name.
    const name = typeof value.name === "string" ? value.name : "blob";
    return makeFile(value, name);
  }
  if (hasFilename) throw new TypeError("Expected argument to be a Blob.");
  return toUSVString(value);
}

class FormData {
  #list = [];

  constructor(form = undefined) {
    if (form !== undefined && form !== null && typeof form === "object") {
      throw new TypeError("FormData cannot be made from a form: there are none here");
    }
  }

  static #of(value) {
    if (typeof value !== "object" || value === null || !(#list in value)) {
      throw new errors.ERR_INVALID_THIS("FormData");
    }
    return value;
  }

  append(name, value, filename = undefined) {
    const list = FormData.#of(this).#list;
    if (arguments.length < 2) missing("name", "value");
    const key = toUSVString(name);
    list.push(key, toEntryValue(value, filename, arguments.length > 2 && filename !== undefined));
  }

  delete(name) {
    const list = FormData.#of(this).#list;
    if (arguments.length < 1) missing("name");
    removeFrom(list, toUSVString(name), 0);
  }

  get(name) {
    const list = FormData.#of(this).#list;
    if (arguments.length < 1) missing("name");
    const key = toUSVString(name);
    for (let i = 0; i < list.length; i += 2) if (list[i] === key) return list[i + 1];
    return null;
  }

  getAll(name) {
    const list = FormData.#of(this).#list;
    if (arguments.length < 1) missing("name");
    const key = toUSVString(name);
    const out = [];
    for (let i = 0; i < list.length; i += 2) if (list[i] === key) out.push(list[i + 1]);
    return out;
  }

  has(name) {
    const list = FormData.#of(this).#list;
    if (arguments.length < 1) missing("name");
    const key = toUSVString(name);
    for (let i = 0; i < list.length; i += 2) if (list[i] === key) return true;
    return false;
  }

  set(name, value, filename = undefined) {
    const list = FormData.#of(this).#list;
    if (arguments.length < 2) missing("name", "value");
    const key = toUSVString(name);
    const kept = toEntryValue(value, filename, arguments.length > 2 && filename !== undefined);
    for (let i = 0; i < list.length; i += 2) {
      if (list[i] !== key) continue;
      list[i + 1] = kept;
      removeFrom(list, key, i + 2);
      return;
    }
    list.push(key, kept);
  }

  entries() {
    return new FormDataIterator(FormData.#of(this), "entries");
  }

  keys() {
    return new FormDataIterator(FormData.#of(this), "keys");
  }

  values() {
    return new FormDataIterator(FormData.#of(this), "values");
  }

  forEach(callback, thisArg = undefined) {
    const self = FormData.#of(this);
    if (typeof callback !== "function") {
      throw new errors.ERR_INVALID_ARG_TYPE("callback", "function", callback);
    }
    const list = self.#list;
    for (let i = 0; i < list.length; i += 2) callback.call(thisArg, list[i + 1], list[i], self);
  }

  toJSON() {
    const list = FormData.#of(this).#list;
    const out = {};
    for (let i = 0; i < list.length; i += 2) {
      const name = list[i];
      const old = Object.hasOwn(out, name) ? out[name] : undefined;
      let value = list[i + 1];
      if (Array.isArray(old)) value = [...old, value];
      else if (old !== undefined) value = [old, value];
      Object.defineProperty(out, name, {
        __proto__: null, value, configurable: true, enumerable: true, writable: true,
      });
    }
    return out;
  }

  get length() {
    return FormData.#of(this).#list.length / 2;
  }

  [kInspect](depth, options, inspect) {
    const list = FormData.#of(this).#list;
    const show = inspect ?? require("internal/inspect").inspect;
    if (typeof depth === "number" && depth < 0) return "[FormData]";
    return `FormData ${show(Object.fromEntries(pairsOf(list)), options)}`;
  }

  static {
    isFormData = (value) => typeof value === "object" && value !== null && #list in value;
    listOf = (form) => form.#list;
    makeFormData = (list) => {
      const form = new FormData();
      form.#list = list;
      return form;
    };
  }
}

function pairsOf(list) {
  const pairs = [];
  for (let i = 0; i < list.length; i += 2) pairs.push([list[i], list[i + 1]]);
  return pairs;
}

/** Takes out the entries of that name from index `start` on. */
function removeFrom(list, name, start) {
  let n = start;
  for (let i = start; i < list.length; i += 2) {
    if (list[i] === name) continue;
    list[n] = list[i];
    list[n + 1] = list[i + 1];
    n += 2;
  }
  list.length = n;
}

const FormDataIterator = makePairIterator("FormData", listOf);

defineInterface(FormData);
iterateEntries(FormData);
for (const key of ["toJSON", "length"]) {
  Object.defineProperty(FormData.prototype, key, { enumerable: false });
}

exports.FormData = FormData;
exports.isFormData = isFormData;
exports.listOf = listOf;
exports.makeFormData = makeFormData;
