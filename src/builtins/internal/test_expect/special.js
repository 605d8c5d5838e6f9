// internal/test_expect/special -- equality of values whose content is not in their properties.
const { equal, equalProperties, Context, STRICT } = require("internal/test_expect/equal");
const { types, typedArrayName, boxName, unbox, dateTime } = require("internal/util/types");
const { is, getPrototypeOf } = Object;

/** undefined: the content is in the properties. */
function equalSpecial(a, b, ctx) {
  if (types.isDate(a)) return types.isDate(b) && is(dateTime(a), dateTime(b));
  if (types.isRegExp(a)) return types.isRegExp(b) && a.source === b.source && a.flags === b.flags;
  if (types.isMap(a)) return types.isMap(b) && equalMaps(a, b, ctx);
  if (types.isSet(a)) return types.isSet(b) && equalSets(a, b, ctx);
  if (a instanceof Error) return b instanceof Error && equalErrors(a, b, ctx);
  if (types.isBoxedPrimitive(a)) {
    if (getPrototypeOf(a) !== getPrototypeOf(b)) return false;
    return types.isBoxedPrimitive(b) && boxName(a) === boxName(b) && is(unbox(a), unbox(b));
  }
  if (ArrayBuffer.isView(a) || types.isAnyArrayBuffer(a)) return equalBytes(a, b);
  if (types.isPromise(a) || types.isWeakMap(a) || types.isWeakSet(a)) return false;
  if (typeof a.href === "string" && a instanceof URL) return b instanceof URL && a.href === b.href;
  if (a instanceof Headers || a instanceof URLSearchParams) {
    return equal([...a], [...b], new Context(ctx.mode));
  }
  return undefined;
}

function equalErrors(a, b, ctx) {
  if (a.message !== b.message || a.name !== b.name) return false;
  if (!equal(a.cause, b.cause, ctx)) return false;
  return ctx.mode !== STRICT || equalProperties(a, b, ctx);
}

function equalBytes(a, b) {
  const isView = ArrayBuffer.isView(a);
  if (isView !== ArrayBuffer.isView(b)) return false;
  if (isView && typedArrayName(a) !== typedArrayName(b)) return false;
  return require("internal/deep_equal").isDeepStrictEqual(a, b, true);
}

function equalSets(a, b, ctx) {
  if (a.size !== b.size) return false;
  const rest = new Set();
  for (const value of b) if (!a.has(value)) rest.add(value);
  if (rest.size === 0) return true;
  for (const value of a) {
    if (b.has(value)) continue;
    let isFound = false;
    for (const other of rest) {
      if (!equal(value, other, ctx)) continue;
      rest.delete(other);
      isFound = true;
      break;
    }
    if (!isFound) return false;
  }
  return true;
}

function equalMaps(a, b, ctx) {
  if (a.size !== b.size) return false;
  for (const [key, value] of a) {
    if (b.has(key)) {
      if (!equal(value, b.get(key), ctx)) return false;
      continue;
    }
    let isFound = false;
    for (const [other, otherValue] of b) {
      if (equal(key, other, ctx) && equal(value, otherValue, ctx)) {
        isFound = true;
        break;
      }
    }
    if (!isFound) return false;
  }
  return true;
}

exports.equalSpecial = equalSpecial;
