// @internal
// bun:dns -- Bun.dns: names of hosts, with the memory that connections use.
const { validateString } = require("internal/validators");
const binding = require("node:dns/binding");
const promises = require("node:dns/promises");
const lookups = require("node:dns/lookup");

const CACHED = 1;

function failure(code) {
  const { dnsException } = require("internal/errors/system");
  const name = dnsException(code, "getaddrinfo").code;
  const error = new Error(`getaddrinfo ${name}`);
  error.name = "DNSException";
  return Object.assign(error, { code: `DNS_${name}`, errno: 4, syscall: "getaddrinfo" });
}

function familyOf(family) {
  if (family === undefined || family === null || family === "any" || family === 0) return 0;
  if (family === 4 || family === "IPv4") return 4;
  if (family === 6 || family === "IPv6") return 6;
  throw new TypeError("Invalid options.family");
}

function ask(hostname, family, flags) {
  return new Promise((resolve, reject) => {
    binding.lookup(hostname, family, flags, (error, flat) => {
      if (error !== null) {
        reject(failure(error));
        return;
      }
      const list = [];
      for (let i = 0; i < flat.length; i += 2) {
        list.push({ address: flat[i], family: flat[i + 1], ttl: 0 });
      }
      resolve(list);
    });
  });
}

function lookup(hostname, options = {}) {
  validateString(hostname, "hostname");
  return ask(hostname, familyOf(options?.family), CACHED);
}

function prefetch(hostname) {
  validateString(hostname, "hostname");
  ask(hostname, 0, CACHED | 2).catch(() => {});
}

function getCacheStats() {
  const [hits, inflight, misses, errors, total, size] = binding.cacheStats();
  return {
    cacheHitsCompleted: hits, cacheHitsInflight: inflight, cacheMisses: misses, size, errors,
    totalCount: total,
  };
}

const { resolve, resolveSrv, resolveTxt, resolveSoa, resolveNaptr, resolveMx, resolveCaa,
  resolveNs, resolvePtr, resolveCname, resolveAny, getServers, setServers, reverse,
  lookupService } = promises;

Object.assign(exports, {
  lookup, resolve, resolveSrv, resolveTxt, resolveSoa, resolveNaptr, resolveMx, resolveCaa,
  resolveNs, resolvePtr, resolveCname, resolveAny, getServers, setServers, reverse,
  lookupService, prefetch, getCacheStats,
  ADDRCONFIG: lookups.ADDRCONFIG, ALL: lookups.ALL, V4MAPPED: lookups.V4MAPPED,
});
