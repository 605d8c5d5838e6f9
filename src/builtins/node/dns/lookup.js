// @internal
// node:dns/lookup -- lookup() and lookupService(): what the system says (Node: dns.lookup).
const { inContext, nextTick } = require("internal/tick");
const errors = require("internal/errors");
const { dnsException } = require("internal/errors/system");
const {
  validateBoolean, validateFunction, validateNumber, validateOneOf, validatePort, validateString,
} = require("internal/validators");
const { isIP } = require("node:net/addresses");
const binding = require("node:dns/binding");

const V4MAPPED = 8;
const ALL = 16;
const ADDRCONFIG = 32;
const orders = ["verbatim", "ipv4first", "ipv6first"];

let defaultOrder = "verbatim";

function setDefaultResultOrder(value) {
  validateOneOf(value, "dnsOrder", orders);
  defaultOrder = value;
}

function getDefaultResultOrder() {
  return defaultOrder;
}

function checkHints(hints) {
  if ((hints & ~(ADDRCONFIG | ALL | V4MAPPED)) !== 0) {
    throw new errors.ERR_INVALID_ARG_VALUE("hints", hints);
  }
}

function checkFamily(family, name) {
  if (family === "IPv4") return 4;
  if (family === "IPv6") return 6;
  validateOneOf(family, name, [0, 4, 6]);
  return family;
}

/** { family, hints, all, order } of what lookup() was given. */
function parseOptions(options) {
  const result = { family: 0, hints: 0, all: false, order: defaultOrder };
  if (typeof options === "number") {
    validateOneOf(options, "family", [0, 4, 6]);
    result.family = options;
    return result;
  }
  if (options === undefined || options === null) return result;
  if (typeof options !== "object") {
    throw new errors.ERR_INVALID_ARG_TYPE("options", ["integer", "object"], options);
  }
  if (options.hints != null) {
    validateNumber(options.hints, "options.hints");
    result.hints = options.hints >>> 0;
    checkHints(result.hints);
  }
  if (options.family != null) result.family = checkFamily(options.family, "options.family");
  if (options.all != null) {
    validateBoolean(options.all, "options.all");
    result.all = options.all;
  }
  if (options.verbatim != null) {
    validateBoolean(options.verbatim, "options.verbatim");
    result.order = options.verbatim ? "verbatim" : "ipv4first";
  }
  if (options.order != null) {
    validateOneOf(options.order, "options.order", orders);
    result.order = options.order;
  }
  return result;
}

/** [text, family, text, family, ...] as objects, in the order that was asked for. */
function sortAddresses(flat, order) {
  const list = [];
  for (let i = 0; i < flat.length; i += 2) list.push({ address: flat[i], family: flat[i + 1] });
  if (order === "verbatim") return list;
  const first = order === "ipv4first" ? 4 : 6;
  return [
    ...list.filter((a) => a.family === first),
    ...list.filter((a) => a.family !== first),
  ];
}

function toFlags(hints) {
  return (hints & ADDRCONFIG ? 2 : 0) | (hints & V4MAPPED ? 4 : 0) | (hints & ALL ? 8 : 0);
}

function toAscii(hostname) {
  if (/^[\0-\x7f]*$/.test(hostname)) return hostname;
  return require("node:url").domainToASCII(hostname) || hostname;
}

/** done(error, addresses).  What is known is answered in the next tick. */
function ask(hostname, options, done) {
  if (!hostname) {
    if (options.all) nextTick(done, null, []);
    else nextTick(done, null, [{ address: null, family: options.family === 6 ? 6 : 4 }]);
    return;
  }
  const family = isIP(hostname);
  if (family !== 0) {
    nextTick(done, null, [{ address: hostname, family }]);
    return;
  }
  const flags = toFlags(options.hints);
  const answer = inContext((error, flat) => {
    if (error !== null) done(dnsException(error, "getaddrinfo", hostname));
    else done(null, sortAddresses(flat, options.order));
  });
  binding.lookup(toAscii(hostname), options.family, flags, answer);
}

function lookup(hostname, options, callback) {
  if (hostname) validateString(hostname, "hostname");
  if (typeof options === "function") {
    callback = options;
    options = undefined;
  } else if (typeof options === "number") {
    validateFunction(callback, "callback");
    validateOneOf(options, "family", [0, 4, 6]);
  } else if (options !== undefined && typeof options !== "object") {
    validateFunction(arguments.length === 2 ? options : callback, "callback");
    throw new errors.ERR_INVALID_ARG_TYPE("options", ["integer", "object"], options);
  } else {
    validateFunction(callback, "callback");
  }
  validateFunction(callback, "callback");
  const parsed = parseOptions(options);
  const request = {};
  ask(hostname, parsed, (error, list) => {
    if (error !== null) callback(error);
    else if (parsed.all) callback(null, list);
    else callback(null, list[0].address, list[0].family);
  });
  return request;
}

function lookupPromise(hostname, options) {
  if (hostname) validateString(hostname, "hostname");
  const parsed = parseOptions(options);
  return new Promise((resolve, reject) => {
    ask(hostname, parsed, (error, list) => {
      if (error !== null) reject(error);
      else resolve(parsed.all ? list : list[0]);
    });
  });
}

function checkService(address, port) {
  if (isIP(address) === 0) throw new errors.ERR_INVALID_ARG_VALUE("address", address);
  return validatePort(port);
}

function lookupService(address, port, callback) {
  if (arguments.length !== 3) {
    throw new errors.ERR_MISSING_ARGS("address", "port", "callback");
  }
  const number = checkService(address, port);
  validateFunction(callback, "callback");
  const answer = inContext((error, pair) => {
    if (error !== null) callback(dnsException(error, "getnameinfo", address));
    else callback(null, pair[0], pair[1]);
  });
  binding.lookupService(address, number, answer);
  return {};
}

function lookupServicePromise(address, port) {
  if (arguments.length !== 2) throw new errors.ERR_MISSING_ARGS("address", "port");
  const number = checkService(address, port);
  return new Promise((resolve, reject) => {
    binding.lookupService(address, number, (error, pair) => {
      if (error !== null) reject(dnsException(error, "getnameinfo", address));
      else resolve({ hostname: pair[0], service: pair[1] });
    });
  });
}

Object.assign(exports, {
  ADDRCONFIG, ALL, V4MAPPED, lookup, lookupPromise, lookupService, lookupServicePromise,
  setDefaultResultOrder, getDefaultResultOrder,
});
