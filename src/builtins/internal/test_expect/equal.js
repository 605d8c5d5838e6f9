// internal/test_expect/equal -- equality as toEqual, toStrictEqual and toMatchObject have it, with
// asymmetric matchers on either side.
const { is, hasOwn, getPrototypeOf, keys: keysOf, getOwnPropertySymbols } = Object;
const { isArray } = Array;
const toTag = Function.prototype.call.bind(Object.prototype.toString);
const isEnumerable = Function.prototype.call.bind(Object.prototype.propertyIsEnumerable);

const EQUAL = 0;
const STRICT = 1;
const SUBSET = 2; // `b` is what must be there
const kTag = Symbol.toStringTag;
const kAsymmetric = Symbol.for("jest.asymmetricMatcher");

const isAsymmetric = (v) =>
  typeof v === "object" && v !== null && v.$$typeof === kAsymmetric &&
  typeof v.asymmetricMatch === "function";

class Context {
  constructor(mode) {
    this.mode = mode;
    this.open = []; // what is being compared, left and right in turn
  }
}

const testers = []; // of expect.addEqualityTesters

/** What the program's testers say; undefined: nothing. */
function ask(a, b, ctx) {
  const self = { equals: (x, y) => equal(x, y, ctx) };
  for (const tester of testers) {
    const result = tester.call(self, a, b, testers);
    if (result !== undefined) return Boolean(result);
  }
  return undefined;
}

function equal(a, b, ctx) {
  if (testers.length > 0) {
    const result = ask(a, b, ctx);
    if (result !== undefined) return result;
  }
  if (a === b) return a !== 0 || is(a, b);
  const isObjectB = typeof b === "object" && b !== null;
  if (isObjectB && isAsymmetric(b)) return Boolean(b.asymmetricMatch(a));
  const isObjectA = typeof a === "object" && a !== null;
  if (isObjectA && isAsymmetric(a)) return Boolean(a.asymmetricMatch(b));
  return isObjectA && isObjectB ? equalObjects(a, b, ctx) : is(a, b);
}

/** Circles: a pair that is being compared already is equal so far. */
function equalObjects(a, b, ctx) {
  const { open } = ctx;
  const n = open.length;
  for (let i = n - 2; i >= 0; i -= 2) {
    if (open[i] === a || open[i + 1] === b) return open[i] === a && open[i + 1] === b;
  }
  open.push(a, b);
  const result = compare(a, b, ctx);
  open.length = n;
  return result;
}

function compare(a, b, ctx) {
  if (isArray(a) && isArray(b)) return equalArrays(a, b, ctx);
  if (isArray(b) || (isArray(a) && ctx.mode !== SUBSET)) return false;
  const proto = getPrototypeOf(a);
  const isSame = proto === getPrototypeOf(b);
  if (ctx.mode === STRICT && !isSame) return false;
  if (isSame && proto === Object.prototype && a[kTag] === undefined && b[kTag] === undefined) {
    return equalProperties(a, b, ctx); // the common case; an Arguments object has more to it
  }
  const tag = toTag(a);
  if (tag !== toTag(b)) {
    return ctx.mode === SUBSET && toTag(b) === "[object Object]" && equalProperties(a, b, ctx);
  }
  if (tag === "[object Object]") return equalProperties(a, b, ctx);
  const special = require("internal/test_expect/special").equalSpecial(a, b, ctx);
  return special === undefined ? equalProperties(a, b, ctx) : special;
}

let bareShapes;

function findBareShapes() {
  const samples = [[], [0], [0.5], [""], [0], [0.5], [""], new Array(1)];
  for (let i = 4; i < 7; i++) samples[i].push(samples[i][0]); // literals begin as copies
  bareShapes = new Set(samples.map(native.shapeOf));
  bareShapes.delete(0);
}

/** Has an array of this shape nothing but elements? false: it may have. */
function isBare(shape) {
  if (bareShapes === undefined) findBareShapes();
  return bareShapes.has(shape);
}

/** What is longer has nothing but undefined at its end. */
function hasSameLength(a, b) {
  const [longer, shorter] = a.length > b.length ? [a, b] : [b, a];
  for (let i = shorter.length; i < longer.length; i++) if (longer[i] !== undefined) return false;
  return true;
}

function equalArrays(a, b, ctx) {
  if (a.length !== b.length && !(ctx.mode === EQUAL && hasSameLength(a, b))) return false;
  if (ctx.mode === STRICT && getPrototypeOf(a) !== getPrototypeOf(b)) return false;
  for (let i = 0; i < a.length; i++) {
    if (!equal(a[i], b[i], ctx)) return false;
    if (ctx.mode === STRICT && a[i] === undefined && hasOwn(a, i) !== hasOwn(b, i)) return false;
  }
  if (ctx.mode === SUBSET) return true;
  const shape = native.shapeOf(a);
  if (isBare(shape) && (native.shapeOf(b) === shape || isBare(native.shapeOf(b)))) return true;
  const { namedKeys, STRICT: named } = require("internal/deep_equal");
  return equalKeys(a, b, namedKeys(a, { mode: named }), namedKeys(b, { mode: named }), ctx);
}

function allKeys(object) {
  const keys = keysOf(object);
  const symbols = getOwnPropertySymbols(object);
  for (let i = 0; i < symbols.length; i++) {
    if (isEnumerable(object, symbols[i])) keys.push(symbols[i]);
  }
  return keys;
}

function equalProperties(a, b, ctx) {
  if (ctx.mode === SUBSET) {
    for (const key of allKeys(b)) if (!(key in a) || !equal(a[key], b[key], ctx)) return false;
    return true;
  }
  const left = allKeys(a);
  if (hasSameKeys(a, b, left)) return equalValues(a, b, left, ctx);
  return equalKeys(a, b, left, allKeys(b), ctx);
}

/** Shapes tell all but keys that are indices, which come first. */
function hasSameKeys(a, b, keys) {
  const shape = native.shapeOf(a);
  if (shape === 0 || shape !== native.shapeOf(b) || keys.length === 0) return false;
  if (typeof keys[keys.length - 1] === "symbol") return false;
  const first = keys[0].charCodeAt(0);
  return !(first >= 48 && first <= 57) && keys.length === keysOf(b).length;
}

/** Of two objects with the same properties. */
function equalValues(a, b, keys, ctx) {
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i];
    if (!equal(a[key], b[key], ctx)) return false;
  }
  return true;
}

function equalKeys(a, b, left, right, ctx) {
  if (ctx.mode === STRICT && left.length !== right.length) return false;
  for (let i = 0; i < right.length; i++) {
    const key = right[i];
    if (ctx.mode === STRICT && !hasOwn(a, key)) return false;
    let value = a[key];
    if (value !== undefined && !hasOwn(a, key) && getPrototypeOf(a) === Object.prototype) {
      value = undefined;
    }
    if (!equal(value, b[key], ctx)) return false;
  }
  for (let i = 0; i < left.length; i++) {
    const key = left[i];
    if (a[key] !== undefined && !hasOwn(b, key)) return false;
  }
  return true;
}

exports.equals = (a, b) => equal(a, b, new Context(EQUAL));
exports.strictEquals = (a, b) => equal(a, b, new Context(STRICT));
exports.matches = (a, b) => equal(a, b, new Context(SUBSET));
Object.assign(exports, { equal, equalProperties, Context, STRICT });
exports.addTesters = (more) => {
  for (const one of more) {
    if (typeof one !== "function") throw new TypeError("Equality testers must be functions");
    testers.push(one);
  }
};
exports.dropTesters = () => {
  testers.length = 0;
};
exports.isAsymmetric = isAsymmetric;
exports.kAsymmetric = kAsymmetric;
