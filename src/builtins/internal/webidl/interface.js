// internal/webidl/interface -- the shape that Web IDL gives to interfaces.

const { defineProperty, getPrototypeOf } = Object;
const { ownKeys } = Reflect;

// The prototypes of all interfaces.
const interfaces = new WeakSet();

/** Is the object one of an interface (URL, Event, ...)? Such objects are no plain ones. */
exports.isPlatformObject = (value) => {
  for (let proto = getPrototypeOf(value); proto; proto = getPrototypeOf(proto)) {
    if (interfaces.has(proto)) return true;
  }
  return false;
};

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
  interfaces.add(prototype);
  for (const key of ownKeys(prototype)) {
    if (isMember(key, false)) defineProperty(prototype, key, kEnumerable);
  }
  for (const key of ownKeys(Class)) {
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
