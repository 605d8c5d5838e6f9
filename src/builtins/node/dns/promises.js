// node:dns/promises -- the same with promises (Node: dns.promises).
const lookups = require("node:dns/lookup");
const { PromiseResolver, boundMethods } = require("node:dns/resolver");

function lookup(hostname, options) {
  return lookups.lookupPromise(hostname, options);
}

function lookupService(...args) {
  return lookups.lookupServicePromise(...args);
}

Object.assign(exports, {
  lookup,
  lookupService,
  Resolver: PromiseResolver,
  getDefaultResultOrder: lookups.getDefaultResultOrder,
  setDefaultResultOrder: lookups.setDefaultResultOrder,
  ...boundMethods(true),
  ...require("node:dns/codes"),
});
