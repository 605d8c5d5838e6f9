// internal/util/brands -- tells objects of our own classes, without loading the modules that make
// them: a class that is not loaded has no objects. The owner of a class sets its test.

/** @type {Record<string, (v: object) => boolean>} Tests that owners set. */
const tests = { __proto__: null };

/** Called once by the module of a class. `name`: "KeyObject", "CryptoKey", "Namespace". */
exports.setBrand = function setBrand(name, test) {
  tests[name] = test;
};

const askOwner = (name) => (v) => tests[name] !== undefined && tests[name](v);

exports.isKeyObject = askOwner("KeyObject");
exports.isCryptoKey = askOwner("CryptoKey");
exports.isNamespace = askOwner("Namespace");
exports.isURL = (v) => require("web/url").isURL(v);
