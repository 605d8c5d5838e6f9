// node:dns -- what programs see of it (Node: dns).
const lookups = require("node:dns/lookup");
const { Resolver, boundMethods } = require("node:dns/resolver");
const codes = require("node:dns/codes");

const { kArgumentNames } = require("internal/util/promisify");

const named = (fn, names) =>
  Object.defineProperty(fn, kArgumentNames, { __proto__: null, value: names });
named(lookups.lookup, ["address", "family"]);
named(lookups.lookupService, ["hostname", "service"]);

Object.assign(exports, {
  lookup: lookups.lookup,
  lookupService: lookups.lookupService,
  Resolver,
  getDefaultResultOrder: lookups.getDefaultResultOrder,
  setDefaultResultOrder: lookups.setDefaultResultOrder,
  ...boundMethods(false),
  ADDRCONFIG: lookups.ADDRCONFIG,
  ALL: lookups.ALL,
  V4MAPPED: lookups.V4MAPPED,
  ...codes,
});
Object.defineProperty(exports, "promises", {
  __proto__: null, configurable: true, enumerable: true,
  get: () => require("node:dns/promises"),
});
