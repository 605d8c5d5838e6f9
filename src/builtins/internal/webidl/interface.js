// internal/webidl/interface -- the shape that Web IDL gives to interfaces.

const { defineProperty, getOwnPropertyDescriptor, getPrototypeOf } = Object;
const { ownKeys } = Reflect;

// The prototypes of all interfaces, each with the getter of an attribute; undefined if it has none.
const interfaces = new WeakMap();

function interfaceOf(value) {
  for (let proto = getPrototypeOf(value); proto; proto = getPrototypeOf(proto)) {
    if (interfaces.has(proto)) return proto;
  }
  return undefined;
}

/** Does the object inherit from an interface (URL, Event, ...)? Such objects are no plain ones. */
exports.isPlatformObject = (value) => interfaceOf(value) !== undefined;

/** The same, but not for what only inherits: prototypes of classes, objects with another's. */
exports.isMadePlatformObject = (value) => {
  const proto = interfaceOf(value);
  const getter = proto && interfaces.get(proto);
  try {
    getter?.call(value);
    return proto !== undefined;
  } catch {
    return false;
  }
};

function getterOf(prototype) {
  for (let i = 0, all = ownKeys(prototype); i < all.length; i++) {
    const key = all[i];
    const { get } = getOwnPropertyDescriptor(prototype, key);
    if (get !== undefined && key !== "body") return get; // that one makes a stream
  }
  return undefined;
}

const kEnumerable = { __proto__: null, enumerable: true };

function isMember(key, isStatic) {
  if (typeof key === "symbol" || key === "constructor" || key === "prototype") return false;
  // A class's own name and length are not members, attributes of these names are.
  return !isStatic || (key !== "name" && key !== "length");
}

/**
 * Gives a class the shape of an IDL interface: enumerable members (symbols excepted), the class
 * string, and constants on both the constructor and the prototype.
 */
exports.defineInterface = function defineInterface(Class, constants) {
  const { prototype } = Class;
  interfaces.set(prototype, getterOf(prototype));
  for (let i = 0, all = ownKeys(prototype); i < all.length; i++) {
    const key = all[i];
    if (isMember(key, false)) defineProperty(prototype, key, kEnumerable);
  }
  for (let i = 0, all = ownKeys(Class); i < all.length; i++) {
    const key = all[i];
    if (isMember(key, true)) defineProperty(Class, key, kEnumerable);
  }
  for (const key in constants) {
    const desc = { __proto__: null, value: constants[key], enumerable: true };
    defineProperty(Class, key, desc);
    defineProperty(prototype, key, desc);
  }
  defineProperty(prototype, Symbol.toStringTag, {
    __proto__: null, value: Class.name, configurable: true,
  });
  return Class;
};
