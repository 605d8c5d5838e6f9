// internal/inspect/node_print -- the printer behind util.inspect, in the format of Node 24.
//
// Every object becomes a *shape*: what stands before the bracket, the brackets, a function that
// prints the entries that are no properties, and the keys of the properties. node_shapes.js makes
// the shape for each kind of object, node_layout.js puts the printed entries onto lines.

const k = require("internal/inspect/slots");
const style = require("internal/inspect/node_style");
const { layOut } = require("internal/inspect/node_layout");
const { stringWidth } = require("internal/inspect/string_width");

const { getOwnPropertyDescriptor, getPrototypeOf, ownKeys, hasOwn, isEnumerable, slice } = k;
const { setAdd, setHas, setDelete, regexpExec, mapGet, mapSet, uncurry } = k;

const repeat = uncurry(String.prototype.repeat);
const split = uncurry(String.prototype.split);
const sort = uncurry(Array.prototype.sort);
const hasInstance = uncurry(Function.prototype[Symbol.hasInstance]);

const { assign, setPrototypeOf } = Object;

const kCustom = Symbol.for("nodejs.util.inspect.custom");

/** The options and their defaults; the object is inspect.defaultOptions. */
const defaults = Object.seal({
  showHidden: false,
  depth: 2,
  colors: false,
  customInspect: true,
  showProxy: false,
  maxArrayLength: 100,
  maxStringLength: 10000,
  breakLength: 80,
  compact: 3,
  sorted: false,
  getters: false,
  numericSeparator: false,
});

const OPTION_NAMES = k.keysOf(defaults);
const TEXT_MAX = 2 ** 27; // beyond this much output at one indentation, nothing deeper is printed
const SPLIT_MIN = 16; // shorter strings are never broken over lines
const NAME = /^[a-zA-Z_][a-zA-Z_0-9]*$/;

class Printer {
  /** @param {object} [given] Options by name; others are handed on to custom functions. */
  constructor(given) {
    for (let i = 0; i < OPTION_NAMES.length; i++) this[OPTION_NAMES[i]] = defaults[OPTION_NAMES[i]];
    this.stylize = style.stylizeNoColor;
    this.userOptions = undefined;
    this.indentationLvl = 0;
    this.currentDepth = 0;
    this.budget = new Map();
    this.open = new Set();
    this.circular = undefined;
    if (given !== undefined) this.takeOptions(given);
    if (this.colors) this.stylize = style.stylizeWithColor;
    this.maxArrayLength ??= Infinity;
    this.maxStringLength ??= Infinity;
  }

  takeOptions(given) {
    const keys = k.keysOf(given);
    for (let i = 0; i < keys.length; i++) {
      const key = keys[i];
      if (hasOwn(defaults, key) || key === "stylize") this[key] = given[key];
      else this.userOptions ??= given;
    }
  }

  isTooDeep(level) {
    return this.depth !== null && level > this.depth;
  }

  // ---- values

  /**
   * @param {unknown} v
   * @param {number} level Depth of `v`; 0 at the top.
   * @param {boolean} [isInTypedArray] A buffer is then printed by its size only.
   * @returns {string}
   */
  value(v, level, isInTypedArray) {
    if (v === null) return this.stylize("null", "null");
    if (typeof v !== "object" && typeof v !== "function") return this.primitive(v, this.stylize);
    const proxy = proxyOf(v);
    let target = v;
    if (proxy !== undefined) {
      if (proxy[0] === null) return this.stylize("<Revoked Proxy>", "special");
      if (this.showProxy) return this.proxy(proxy, level);
      target = innermost(proxy[0]);
      if (target === null) return this.stylize("<Revoked Proxy>", "special");
    }
    if (this.customInspect) {
      const text = this.custom(v, target, level);
      if (text !== undefined) return text;
    }
    if (setHas(this.open, target)) return this.circle(target);
    return this.object(target, level, isInTypedArray);
  }

  primitive(v, stylize) {
    switch (typeof v) {
      case "string":
        return this.string(v, stylize);
      case "number":
        return stylize(style.numberText(v, this.numericSeparator), "number");
      case "bigint":
        return stylize(style.bigintText(v, this.numericSeparator), "bigint");
      case "symbol":
        return stylize(k.symbolToString(v), "symbol");
      default:
        return stylize(`${v}`, typeof v);
    }
  }

  string(s, stylize) {
    let text = s;
    let trailer = "";
    if (s.length > this.maxStringLength) {
      const left = s.length - this.maxStringLength;
      text = slice(s, 0, this.maxStringLength);
      trailer = `... ${left} more character${left > 1 ? "s" : ""}`;
    }
    const room = this.breakLength - this.indentationLvl - 4;
    if (this.compact === true || text.length <= SPLIT_MIN || text.length <= room) {
      return stylize(style.quote(text), "string") + trailer;
    }
    const lines = split(text, "\n");
    const last = lines.length - 1;
    const glue = ` +\n${repeat(" ", this.indentationLvl + 2)}`;
    let out = "";
    for (let i = 0; i <= last; i++) {
      const line = i < last ? `${lines[i]}\n` : lines[i];
      if (i === last && i > 0 && line === "") break;
      out += (i > 0 ? glue : "") + stylize(style.quote(line), "string");
    }
    return out + trailer;
  }

  proxy(details, level) {
    if (this.isTooDeep(level)) return this.stylize("Proxy [Array]", "special");
    this.indentationLvl += 2;
    const entries = [this.value(details[0], level + 1), this.value(details[1], level + 1)];
    this.indentationLvl -= 2;
    const shape = { base: "", open: "Proxy [", close: "]", isList: true };
    return layOut(this, entries, shape, level + 1);
  }

  /** Result of the object's own function for this, or undefined if it has none. */
  custom(v, target, level) {
    const custom = target[kCustom];
    if (typeof custom !== "function") return undefined;
    const { inspect } = require("internal/inspect");
    if (custom === inspect || isPrototypeObject(target)) return undefined;
    const depth = this.depth === null ? null : this.depth - level;
    const isForeign = v !== target || !hasInstance(Object, v);
    const result = k.apply(custom, v, [depth, this.optionsForUser(isForeign), inspect]);
    if (result === v) return undefined;
    if (typeof result !== "string") return this.value(result, level);
    return indentText(result, this.indentationLvl);
  }

  /** What a custom function gets: all options, its own, and `stylize`. */
  optionsForUser(isForeign) {
    const options = { stylize: this.stylize };
    for (let i = 0; i < OPTION_NAMES.length; i++) options[OPTION_NAMES[i]] = this[OPTION_NAMES[i]];
    assign(options, this.userOptions);
    if (isForeign) isolate(options, this.stylize);
    return options;
  }

  /** A reference to an object that is still being printed; numbers it. */
  circle(v) {
    this.circular ??= new Map();
    let number = mapGet(this.circular, v);
    if (number === undefined) {
      number = k.mapSize(this.circular) + 1;
      mapSet(this.circular, v, number);
    }
    return this.stylize(`[Circular *${number}]`, "special");
  }

  // ---- objects

  object(v, level, isInTypedArray) {
    const { shapeOf } = require("internal/inspect/node_shapes");
    const shape = shapeOf(this, v, level, isInTypedArray);
    if (typeof shape === "string") return shape;
    if (this.isTooDeep(level)) {
      const name = slice(shape.name(), 0, -1);
      return this.stylize(shape.constructorName === null ? name : `[${name}]`, "special");
    }
    const { indentationLvl } = this;
    setAdd(this.open, v);
    this.currentDepth = level + 1;
    let entries;
    try {
      entries = this.entries(v, shape, level + 1);
    } catch (error) {
      if (!isStackOverflow(error)) throw error;
      setDelete(this.open, v);
      this.indentationLvl = indentationLvl;
      const what = slice(shape.name(), 0, -1);
      const text = "Inspection interrupted prematurely. Maximum call stack size exceeded.";
      return this.stylize(`[${what}: ${text}]`, "special");
    }
    setDelete(this.open, v);
    this.markReference(v, shape);
    if (this.sorted) this.sortEntries(entries, shape);
    return this.spend(layOut(this, entries, shape, level + 1));
  }

  entries(v, shape, level) {
    const out = shape.entries === undefined ? [] : shape.entries(this, v, level);
    const { extraKeys, keys, protoEntries } = shape;
    if (extraKeys !== undefined) {
      for (let i = 0; i < extraKeys.length; i++) {
        out[out.length] = this.extra(v, extraKeys[i], level, isInTypedArrayOf(shape));
      }
    }
    for (let i = 0; i < keys.length; i++) {
      out[out.length] = shape.property(this, v, keys[i], level);
    }
    if (protoEntries !== undefined) {
      for (let i = 0; i < protoEntries.length; i++) out[out.length] = protoEntries[i];
    }
    return out;
  }

  markReference(v, shape) {
    const number = this.circular === undefined ? undefined : mapGet(this.circular, v);
    if (number === undefined) return;
    const reference = this.stylize(`<ref *${number}>`, "special");
    if (this.compact === true) shape.open = `${reference} ${shape.open}`;
    else shape.base = shape.base === "" ? reference : `${reference} ${shape.base}`;
  }

  sortEntries(entries, shape) {
    const compare = this.sorted === true ? undefined : this.sorted;
    if (!shape.isList) {
      sort(entries, compare);
      return;
    }
    const count = shape.keys.length;
    if (count < 2) return;
    const from = entries.length - count;
    const tail = [];
    for (let i = 0; i < count; i++) tail[i] = entries[from + i];
    sort(tail, compare);
    for (let i = 0; i < count; i++) entries[from + i] = tail[i];
  }

  /** Keeps the output of an object that is huge all in all within bounds. */
  spend(text) {
    const total = (mapGet(this.budget, this.indentationLvl) ?? 0) + text.length;
    mapSet(this.budget, this.indentationLvl, total);
    if (total > TEXT_MAX) this.depth = -1;
    return text;
  }

  /** A getter of the prototype that is shown like a property: `[byteLength]: 4`. */
  extra(v, key, level, isInTypedArray) {
    this.indentationLvl += 2;
    const text = this.value(extraValue(v, key), level, isInTypedArray);
    this.indentationLvl -= 2;
    return `${this.stylize(`[${key}]`, "string")}: ${text}`;
  }

  // ---- properties

  /** An element of an array. */
  element(v, key, level, descriptor = getOwnPropertyDescriptor(v, key)) {
    return this.propertyValue(descriptor, v, level, 2);
  }

  /**
   * `key: value`.
   * @param {object} [receiver] On which a getter is called, if option getters says so.
   */
  property(v, key, level, isList, descriptor, receiver = v) {
    const d = descriptor ?? getOwnPropertyDescriptor(v, key) ?? { value: undefined };
    const indent = this.compact === true && !isList ? 3 : 2;
    const text = this.propertyValue(d, receiver, level, indent);
    let name = this.propertyName(key);
    if (d.enumerable === false) name = `[${name}]`;
    const isBroken =
      indent === 3 && d.value !== undefined && this.breakLength < stringWidth(text, this.colors);
    return `${name}:${isBroken ? `\n${repeat(" ", this.indentationLvl + 3)}` : " "}${text}`;
  }

  propertyName(key) {
    if (typeof key === "symbol") return this.stylize(style.symbolText(key), "symbol");
    if (key === "__proto__") return "['__proto__']";
    if (regexpExec(NAME, key) !== null) return this.stylize(key, "name");
    return this.stylize(style.quote(key), "string");
  }

  propertyValue(d, receiver, level, indent) {
    if (d.value !== undefined) {
      this.indentationLvl += indent;
      const text = this.value(d.value, level);
      this.indentationLvl -= indent;
      return text;
    }
    if (d.get !== undefined) return this.getter(d, receiver, level);
    if (d.set !== undefined) return this.stylize("[Setter]", "special");
    return this.stylize("undefined", "undefined");
  }

  getter(d, receiver, level) {
    const label = d.set === undefined ? "Getter" : "Getter/Setter";
    const { getters } = this;
    const isCalled = getters === true || getters === (d.set === undefined ? "get" : "set");
    if (!isCalled) return this.stylize(`[${label}]`, "special");
    this.indentationLvl += 2;
    const text = this.getterResult(d, receiver, level, label);
    this.indentationLvl -= 2;
    return text;
  }

  getterResult(d, receiver, level, label) {
    const special = (text) => this.stylize(text, "special");
    let inner;
    try {
      const v = k.apply(d.get, receiver, []);
      const isObject = (typeof v === "object" && v !== null) || typeof v === "function";
      if (isObject) return `${special(`[${label}]`)} ${this.value(v, level)}`;
      inner = v === null ? this.stylize("null", "null") : this.primitive(v, this.stylize);
    } catch (error) {
      inner = `<Inspection threw (${this.value(error, level)})>`;
    }
    return `${special(`[${label}:`)} ${inner}${special("]")}`;
  }
}

const isInTypedArrayOf = (shape) => (shape.isInTypedArray ? true : undefined);

/** As k.proxyDetails, but the namespace of a module, which is a Proxy of ours, is none. */
function proxyOf(v) {
  const details = k.proxyDetails(v);
  return details === undefined || k.isNamespace(v) ? undefined : details;
}

/** Follows Proxies of Proxies to what is no Proxy; null if one of them is revoked. */
function innermost(v) {
  let target = v;
  for (let p = proxyOf(target); p !== undefined; p = proxyOf(target)) {
    target = p[0];
    if (target === null) return null;
  }
  return target;
}

function isPrototypeObject(v) {
  const constructor = getOwnPropertyDescriptor(v, "constructor")?.value;
  return constructor !== undefined && constructor !== null && constructor.prototype === v;
}

/** For a function of another realm: nothing of this realm but `stylize`, without prototype. */
function isolate(options, stylize) {
  setPrototypeOf(options, null);
  const keys = k.keysOf(options);
  for (let i = 0; i < keys.length; i++) {
    const v = options[keys[i]];
    if ((typeof v === "object" && v !== null) || typeof v === "function") delete options[keys[i]];
  }
  options.stylize = setPrototypeOf((text, flavour) => {
    try {
      return `${stylize(text, flavour)}`;
    } catch {
      return text;
    }
  }, null);
}

function extraValue(v, key) {
  try {
    return v[key];
  } catch {
    return v.buffer[key];
  }
}

/** Indents every line but the first. */
function indentText(text, width) {
  if (width === 0) return text;
  return k.join(split(text, "\n"), `\n${repeat(" ", width)}`);
}

const isStackOverflow = (error) => {
  try {
    return error instanceof RangeError && regexpExec(/call stack/i, error.message) !== null;
  } catch {
    return false;
  }
};

const LONG_LIST = 100;

/** Own keys that util.inspect shows: names, then symbols; enumerable ones unless `all`. */
function shownKeysOf(v, all) {
  const keys = ownKeys(v);
  if (all) return keys;
  const out = [];
  for (let i = 0; i < keys.length; i++) if (isShown(v, keys[i])) out[out.length] = keys[i];
  return out;
}

function isShown(v, key) {
  try {
    return isEnumerable(v, key);
  } catch {
    return true; // a binding of a module that is not initialised yet
  }
}

/** The same without the indexes of a list of `length` elements. */
function extraKeysOf(v, all, length) {
  if (!all && length > LONG_LIST && k.isBareList(v, length)) return [];
  const keys = shownKeysOf(v, all);
  const out = [];
  for (let i = 0; i < keys.length; i++) if (!k.isIndexKey(keys[i])) out[out.length] = keys[i];
  return out;
}

/**
 * util.inspect(value, options) or util.inspect(value, showHidden, depth, colors).
 * @param {unknown} value
 * @param {object|boolean} [opts]
 * @returns {string}
 */
function inspect(value, /* legacy: showHidden, depth, colors */ opts) {
  const { length } = arguments;
  if (length < 2) return new Printer().value(value, 0);
  let given = opts;
  if (typeof opts === "boolean") given = { showHidden: opts };
  else if (!opts) given = {};
  if (length > 2) {
    const legacy = {};
    if (arguments[2] !== undefined) legacy.depth = arguments[2];
    if (length > 3 && arguments[3] !== undefined) legacy.colors = arguments[3];
    given = assign(legacy, given);
  }
  return new Printer(given).value(value, 0);
}

inspect.custom = kCustom;
inspect.colors = style.colors;
inspect.styles = style.styles;
Object.defineProperty(inspect, "defaultOptions", {
  get: () => defaults,
  set(options) {
    require("internal/validators").validateObject(options, "options");
    return assign(defaults, options);
  },
});

Object.assign(exports, {
  inspect,
  defaults,
  Printer,
  shownKeysOf,
  extraKeysOf,
  indentText,
  getPrototypeOf,
});
