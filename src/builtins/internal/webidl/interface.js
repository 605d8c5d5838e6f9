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

// Own keys that are no members.  A class's name and length are none, attributes of these names are.
const kOfPrototypes = { __proto__: null, constructor: true };
const kOfClasses = { __proto__: null, prototype: true, name: true, length: true };

// A loop without calls: the engine would compile what it calls, in every program.
function showMembers(object, others) {
  for (let i = 0, all = ownKeys(object); i < all.length; i++) {
    const key = all[i];
    if (typeof key === "symbol" || key in others) continue;
    defineProperty(object, key, kEnumerable);
  }
}

/**
 * Gives a class the shape of an IDL interface: enumerable members (symbols excepted), the class
 * string, and constants on both the constructor and the prototype.
 */
exports.defineInterface = function defineInterface(Class, constants) {
  const { prototype } = Class;
  interfaces.set(prototype, getterOf(prototype));
  showMembers(prototype, kOfPrototypes);
  showMembers(Class, kOfClasses);
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
