// @internal
// node:dns/resolver -- questions to DNS servers: Resolver and the functions of the default one
// (Node: dns.Resolver).  Questions go through ask(), which answers once and never at once.
const { inContext, nextTick } = require("internal/tick");
const errors = require("internal/errors");
const { dnsException } = require("internal/errors/system");
const {
  validateArray, validateFunction, validateInt32, validateString, validateUint32,
} = require("internal/validators");
const { isIP } = require("node:net/addresses");
const binding = require("node:dns/binding");

const kChannel = Symbol("channel");
const registry = new FinalizationRegistry((channel) => binding.channelFree(channel));

// name in the method: [type of the record, name in errors, one record as the program sees it]
const addressOf = ({ 1: ttl, 2: address }, options) => (options?.ttl ? { address, ttl } : address);
const nameOf = (record) => record[2];
const shapes = {
  __proto__: null,
  4: [1, "queryA", addressOf],
  6: [28, "queryAaaa", addressOf],
  Caa: [257, "queryCaa", ({ 2: critical, 3: property, 4: value }) =>
    ({ critical, [property]: value })],
  Cname: [5, "queryCname", nameOf],
  Mx: [15, "queryMx", ({ 2: priority, 3: exchange }) => ({ exchange, priority })],
  Naptr: [35, "queryNaptr", naptrOf],
  Ns: [2, "queryNs", nameOf],
  Ptr: [12, "queryPtr", nameOf],
  Srv: [33, "querySrv", srvOf],
  Tlsa: [52, "queryTlsa", tlsaOf],
  Txt: [16, "queryTxt", (record) => record.slice(2)],
  Soa: [6, "querySoa", soaOf],
  Any: [255, "queryAny", anyOf],
};

function naptrOf([, , order, preference, flags, service, regexp, replacement]) {
  return { flags, service, regexp, replacement, order, preference };
}

function srvOf([, , priority, weight, port, name]) {
  return { name, port, priority, weight };
}

function tlsaOf([, , certUsage, selector, match, data]) {
  return { certUsage, selector, match, data };
}

function soaOf([, , nsname, hostmaster, serial, refresh, retry, expire, minttl]) {
  return { nsname, hostmaster, serial, refresh, retry, expire, minttl };
}

function anyOf(record) {
  const { 0: type, 1: ttl } = record;
  switch (type) {
    case 1:
      return { address: record[2], ttl, type: "A" };
    case 28:
      return { address: record[2], ttl, type: "AAAA" };
    case 5:
      return { value: record[2], type: "CNAME" };
    case 2:
      return { value: record[2], type: "NS" };
    case 12:
      return { value: record[2], type: "PTR" };
    case 15:
      return { ...shapes.Mx[2](record), type: "MX" };
    case 16:
      return { entries: record.slice(2), type: "TXT" };
    case 33:
      return { ...srvOf(record), type: "SRV" };
    case 35:
      return { ...naptrOf(record), type: "NAPTR" };
    case 6:
      return { ...soaOf(record), type: "SOA" };
    case 257:
      return { ...shapes.Caa[2](record), type: "CAA" };
    case 52:
      return { ...tlsaOf(record), type: "TLSA" };
    default:
      return null;
  }
}

/** start(callback) asks; the answer comes later even if it is known at once. */
function later(start, done) {
  let isInside = true;
  start(inContext((error, value) => {
    if (isInside) nextTick(done, error, value);
    else done(error, value);
  }));
  isInside = false;
}

function ask(channel, kind, name, options, done) {
  const { 0: type, 1: syscall, 2: shape } = shapes[kind];
  later((callback) => binding.query(channel, name, type, callback), (error, records) => {
    if (error === null && records.length === 0) error = "ENODATA";
    if (error !== null) {
      done(dnsException(error, syscall, name));
      return;
    }
    const list = records.map((record) => shape(record, options)).filter((x) => x !== null);
    done(null, kind === "Soa" ? list[0] : list);
  });
}

function askReverse(channel, address, done) {
  if (isIP(address) === 0) throw dnsException("EINVAL", "getHostByAddr", address);
  later((callback) => binding.reverse(channel, address, callback), (error, names) => {
    if (error !== null) done(dnsException(error, "getHostByAddr", address));
    else done(null, names);
  });
}

// ---- Servers

function parseServer(text, index) {
  validateString(text, `servers[${index}]`);
  if (isIP(text) === 6) return `[${text}]`;
  if (isIP(text) === 4) return text;
  const v6 = /^\[([^[\]]*)\](?::(\d+))?/.exec(text);
  if (v6 !== null && isIP(v6[1]) === 6) {
    return v6[2] === undefined ? `[${v6[1]}]` : `[${v6[1]}]:${v6[2]}`;
  }
  const v4 = /^([^:]+):(\d+)$/.exec(text);
  if (v4 !== null && isIP(v4[1]) === 4) return text;
  throw new errors.ERR_INVALID_IP_ADDRESS(text);
}

class ResolverBase {
  constructor(options = undefined) {
    let { timeout = -1, tries = 4, maxTimeout = 0 } = options ?? {};
    validateInt32(timeout, "options.timeout", -1);
    validateInt32(tries, "options.tries", 1);
    validateUint32(maxTimeout, "options.maxTimeout");
    if (timeout < 0) timeout = 0;
    const channel = binding.channelNew(timeout, tries, maxTimeout);
    Object.defineProperty(this, kChannel, { __proto__: null, value: channel });
    registry.register(this, channel);
  }

  cancel() {
    binding.cancel(this[kChannel]);
  }

  getServers() {
    const flat = binding.servers(this[kChannel]);
    const list = [];
    for (let i = 0; i < flat.length; i += 2) {
      const address = flat[i];
      const port = flat[i + 1];
      if (port === 53) list.push(address);
      else list.push(address.includes(":") ? `[${address}]:${port}` : `${address}:${port}`);
    }
    return list;
  }

  setServers(servers) {
    validateArray(servers, "servers");
    const csv = servers.map(parseServer).join(",");
    const error = binding.setServers(this[kChannel], csv);
    if (error !== null) throw new errors.ERR_DNS_SET_SERVERS_FAILED(error, servers);
  }

  setLocalAddress(ipv4 = "0.0.0.0", ipv6 = "::0") {
    validateString(ipv4, "ipv4");
    validateString(ipv6, "ipv6");
    const families = [isIP(ipv4), isIP(ipv6)];
    if (arguments.length === 0) throw new errors.ERR_MISSING_ARGS("ipv4");
    if (families[0] === 6 && arguments.length === 1) {
      binding.setLocal(this[kChannel], "", ipv4);
      return;
    }
    if (families[0] !== 4 || families[1] !== 6) {
      throw new errors.ERR_INVALID_IP_ADDRESS(families[0] === 4 ? ipv6 : ipv4);
    }
    binding.setLocal(this[kChannel], ipv4, ipv6);
  }
}

const rrtypes = {
  __proto__: null,
  A: "4", AAAA: "6", ANY: "Any", CAA: "Caa", CNAME: "Cname", MX: "Mx", NAPTR: "Naptr", NS: "Ns",
  PTR: "Ptr", SOA: "Soa", SRV: "Srv", TLSA: "Tlsa", TXT: "Txt",
};

function kindOf(rrtype) {
  const kind = rrtypes[rrtype];
  if (kind === undefined) throw new errors.ERR_INVALID_ARG_VALUE("rrtype", rrtype);
  return kind;
}

const methodNames = Object.values(rrtypes).map((kind) => [`resolve${kind}`, kind]);

class Resolver extends ResolverBase {
  resolve(hostname, rrtype, callback) {
    if (typeof rrtype === "function") {
      callback = rrtype;
      rrtype = "A";
    } else if (rrtype !== undefined && typeof rrtype !== "string") {
      throw new errors.ERR_INVALID_ARG_TYPE("rrtype", "string", rrtype);
    }
    return this[`resolve${kindOf(rrtype ?? "A")}`](hostname, callback);
  }

  reverse(ip, callback) {
    validateString(ip, "name");
    validateFunction(callback, "callback");
    askReverse(this[kChannel], ip, callback);
    return {};
  }
}

class PromiseResolver extends ResolverBase {
  resolve(hostname, rrtype = "A") {
    if (typeof rrtype !== "string") {
      throw new errors.ERR_INVALID_ARG_TYPE("rrtype", "string", rrtype);
    }
    return this[`resolve${kindOf(rrtype)}`](hostname);
  }

  reverse(ip) {
    validateString(ip, "name");
    return settle((done) => askReverse(this[kChannel], ip, done));
  }
}
Object.defineProperty(PromiseResolver, "name", { value: "Resolver" });

function settle(start) {
  return new Promise((resolve, reject) => {
    start((error, value) => (error ? reject(error) : resolve(value)));
  });
}

function define(Class, name, value) {
  Object.defineProperty(value, "name", { value: name });
  Object.defineProperty(Class.prototype, name, {
    __proto__: null, value, writable: true, configurable: true, enumerable: true,
  });
}

for (let i = 0; i < methodNames.length; i++) {
  const { 0: name, 1: kind } = methodNames[i];
  define(Resolver, name, function (hostname, options, callback) {
    if (arguments.length <= 2 || typeof options === "function") {
      callback = options;
      options = undefined;
    }
    validateString(hostname, "name");
    validateFunction(callback, "callback");
    ask(this[kChannel], kind, hostname, options, callback);
    return {};
  });
  define(PromiseResolver, name, function (hostname, options) {
    validateString(hostname, "name");
    return settle((done) => ask(this[kChannel], kind, hostname, options, done));
  });
}

const names = ["resolve", "reverse", "getServers"].concat(methodNames.map((pair) => pair[0]));

let defaultResolver;
function getDefault() {
  defaultResolver ??= new Resolver();
  return defaultResolver;
}

/** The methods of the default resolver as functions; with promises if `isPromise`. */
function boundMethods(isPromise) {
  const result = {};
  const proto = isPromise ? PromiseResolver.prototype : Resolver.prototype;
  for (let i = 0; i < names.length; i++) {
    const name = names[i];
    const method = proto[name];
    // Both kinds ask through one channel.
    result[name] = { [name]: (...args) => method.apply(sharing(proto), args) }[name];
  }
  result.setServers = function setServers(servers) {
    getDefault().setServers(servers);
  };
  return result;
}

function sharing(proto) {
  return { __proto__: proto, [kChannel]: getDefault()[kChannel] };
}

exports.Resolver = Resolver;
exports.PromiseResolver = PromiseResolver;
exports.boundMethods = boundMethods;
