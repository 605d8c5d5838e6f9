// @internal
// node:net/addresses -- isIP and its kin, SocketAddress, BlockList (Node: net).
const { ERR_INVALID_ARG_TYPE, ERR_INVALID_ARG_VALUE, ERR_INVALID_ADDRESS } =
  require("internal/errors");
const {
  validateObject, validateString, validatePort, validateUint32, validateInt32,
} = require("internal/validators");
const { parseIp } = require("internal/sockets");

const { kClone } = require("web/structured_clone/clone_key");

const kRules = Symbol("rules");
const kInspect = Symbol.for("nodejs.util.inspect.custom");

/** 0, 4 or 6. */
function isIP(text) {
  const s = `${text}`;
  const family = parseIp(s);
  if (family !== 0 || !s.includes("%")) return family;
  // A zone that this machine does not have is a zone all the same.
  const i = s.indexOf("%");
  return /^[0-9a-zA-Z._~-]+$/.test(s.slice(i + 1)) && parseIp(s.slice(0, i)) === 6 ? 6 : 0;
}
const isIPv4 = (text) => isIP(text) === 4;
const isIPv6 = (text) => isIP(text) === 6;

function bits4(text) {
  return text.split(".").reduce((n, part) => (n << 8n) | BigInt(part), 0n);
}

/** An IPv6 address as a BigInt. */
function bits6(text) {
  let s = text.split("%")[0];
  const dot = s.lastIndexOf(":");
  if (s.includes(".")) {
    const n = bits4(s.slice(dot + 1));
    s = `${s.slice(0, dot + 1)}${(n >> 16n).toString(16)}:${(n & 0xffffn).toString(16)}`;
  }
  const { 0: head, 1: tail } = s.split("::");
  const first = head === "" ? [] : head.split(":");
  const last = tail === undefined || tail === "" ? [] : tail.split(":");
  const zeros = tail === undefined ? 0 : 8 - first.length - last.length;
  const words = [...first, ...Array(zeros).fill("0"), ...last];
  return words.reduce((n, word) => (n << 16n) | BigInt(`0x${word}`), 0n);
}

function text6(n) {
  const words = [];
  for (let i = 7n; i >= 0n; i--) words.push(Number((n >> (i * 16n)) & 0xffffn).toString(16));
  let best = null;
  for (let i = 0; i < 8; i++) {
    let k = i;
    while (k < 8 && words[k] === "0") k++;
    if (k - i > 1 && (best === null || k - i > best[1] - best[0])) best = [i, k];
    if (k > i) i = k;
  }
  if (n >> 32n === 0xffffn) {
    return `::ffff:${[24n, 16n, 8n, 0n].map((s) => (n >> s) & 255n).join(".")}`;
  }
  if (best === null) return words.join(":");
  return `${words.slice(0, best[0]).join(":")}::${words.slice(best[1]).join(":")}`;
}

/** A number that orders and compares: IPv4 addresses are those of IPv6 that map them. */
function valueOf(address, family) {
  return family === "ipv4" ? (0xffffn << 32n) | bits4(address) : bits6(address);
}

class SocketAddress {
  #detail;

  static isSocketAddress(value) {
    return typeof value === "object" && value !== null && #detail in value;
  }

  /** undefined when the text is none. */
  static parse(input) {
    validateString(input, "input");
    const url = URL.parse(`http://${input}`);
    if (url === null || url.pathname !== "/" || url.search || url.hash || url.username) {
      return undefined;
    }
    const { hostname, port } = url;
    if (hostname.startsWith("[") && hostname.endsWith("]")) {
      return new SocketAddress({ address: hostname.slice(1, -1), port: port | 0, family: "ipv6" });
    }
    return isIPv4(hostname) ? new SocketAddress({ address: hostname, port: port | 0 }) : undefined;
  }

  constructor(options = { __proto__: null }) {
    validateObject(options, "options");
    let { family = "ipv4" } = options;
    const { address = family === "ipv4" ? "127.0.0.1" : "::", port = 0, flowlabel = 0 } = options;
    if (typeof family?.toLowerCase === "function") family = family.toLowerCase();
    if (family !== "ipv4" && family !== "ipv6") {
      throw new ERR_INVALID_ARG_VALUE("options.family", options.family);
    }
    validateString(address, "options.address");
    validatePort(port, "options.port");
    validateUint32(flowlabel, "options.flowlabel", false);
    if (isIP(address) !== (family === "ipv4" ? 4 : 6)) throw new ERR_INVALID_ADDRESS();
    this.#detail = {
      address: family === "ipv4" ? address : text6(bits6(address)), port: port | 0, family,
      flowlabel: family === "ipv6" ? flowlabel & 0xfffff : 0,
    };
  }

  get address() {
    return this.#detail.address;
  }
  get port() {
    return this.#detail.port;
  }
  get family() {
    return this.#detail.family;
  }
  get flowlabel() {
    return this.#detail.flowlabel;
  }
  toJSON() {
    return { ...this.#detail };
  }
  [kClone]() {
    return ["SocketAddress", this.#detail];
  }
  [kInspect](depth, options, inspect) {
    if (depth < 0) return this;
    return `SocketAddress ${inspect(this.toJSON(), { ...options, depth: null })}`;
  }
}

function asAddress(address, family, name) {
  if (SocketAddress.isSocketAddress(address)) return address;
  validateString(address, name);
  validateString(family, "family");
  return new SocketAddress({ address, family });
}

const label = (family) => (family === "ipv4" ? "IPv4" : "IPv6");

class BlockList {
  #rules = []; // { text, from, to }, in the order in which they are shown

  constructor(token = undefined, rules = undefined) {
    if (token === kRules) this.#rules = rules;
  }

  static isBlockList(value) {
    return typeof value === "object" && value !== null && #rules in value;
  }

  addAddress(address, family = "ipv4") {
    const a = asAddress(address, family, "address");
    const n = valueOf(a.address, a.family);
    this.#rules.unshift({ text: `Address: ${label(a.family)} ${a.address}`, from: n, to: n });
  }

  addRange(start, end, family = "ipv4") {
    const a = asAddress(start, family, "start");
    const b = asAddress(end, family, "end");
    const from = valueOf(a.address, a.family);
    const to = valueOf(b.address, b.family);
    if (a.family !== b.family || from > to) {
      throw new ERR_INVALID_ARG_VALUE("start", start, `must come before ${end}`);
    }
    this.#rules.unshift({
      text: `Range: ${label(a.family)} ${a.address}-${b.address}`, from, to,
    });
  }

  addSubnet(network, prefix, family = "ipv4") {
    const a = asAddress(network, family, "network");
    const max = a.family === "ipv4" ? 32 : 128;
    validateInt32(prefix, "prefix", 0, max);
    const size = 1n << BigInt(max - prefix);
    const value = valueOf(a.address, a.family);
    const from = value - (value % size);
    this.#rules.unshift({
      text: `Subnet: ${label(a.family)} ${a.address}/${prefix}`, from, to: from + size - 1n,
    });
  }

  check(address, family = "ipv4") {
    let a = address;
    if (!SocketAddress.isSocketAddress(a)) {
      validateString(address, "address");
      validateString(family, "family");
      try {
        a = new SocketAddress({ address, family });
      } catch {
        return false; // not an address: no rule is about it
      }
    }
    const n = valueOf(a.address, a.family);
    return this.#rules.some((rule) => rule.from <= n && n <= rule.to);
  }

  get rules() {
    return this.#rules.map((rule) => rule.text);
  }

  toJSON() {
    return this.rules;
  }

  [kClone]() {
    return ["BlockList", this.#rules];
  }

  fromJSON(data) {
    const list = typeof data === "string" ? JSON.parse(data) : data;
    if (!Array.isArray(list) || !list.every((item) => typeof item === "string")) {
      throw new ERR_INVALID_ARG_TYPE("data", ["string", "string[]"], data);
    }
    for (let i = 0; i < list.length; i++) {
      const item = list[i];
      this.#parse(item);
    }
  }

  #parse(item) {
    const m = /^(Address|Range|Subnet): IPv([46]) ([^-/\s]+)(?:[-/](\S+))?$/.exec(item);
    if (m === null) return;
    const family = `ipv${m[2]}`;
    if (m[1] === "Address") this.addAddress(m[3], family);
    else if (m[1] === "Range") this.addRange(m[3], m[4], family);
    else this.addSubnet(m[3], Number(m[4]), family);
  }

  [kInspect](depth, options, inspect) {
    if (depth < 0) return this;
    return `BlockList ${inspect({ rules: this.rules }, { ...options, depth: null })}`;
  }
}

exports.addressCloning = { make: (detail) => new SocketAddress(detail) };
exports.listCloning = { make: (rules) => new BlockList(kRules, rules) };
exports.isIP = isIP;
exports.isIPv4 = isIPv4;
exports.isIPv6 = isIPv6;
exports.SocketAddress = SocketAddress;
exports.BlockList = BlockList;
