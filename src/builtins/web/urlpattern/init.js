// web/urlpattern/init -- from the arguments of URLPattern to texts by component: "parse a
// constructor string" and "process a URLPatternInit" (URL Pattern Standard, sections 1.6 and 2.1).

const canon = require("web/urlpattern/canon");
const { escapePattern, kinds, tokenize } = require("web/urlpattern/parse");
const { URL } = require("web/url");

const NAMES = [
  "protocol", "username", "password", "hostname", "port", "pathname", "search", "hash",
];
const kSpecial = ["http", "https", "ws", "wss", "ftp", "file"];

/** Cuts a pattern string into components. */
class StringParser {
  constructor(text, isSpecial) {
    this.points = [...text];
    this.tokens = tokenize(text, true);
    /** Does a protocol pattern match a special scheme? */
    this.isSpecial = isSpecial;
    this.result = {};
    this.start = 0;
    this.at = 0;
    this.step = 1;
    this.depth = 0;
    this.brackets = 0;
    this.state = "init";
    this.isSpecialProtocol = false;
  }

  safe(at) {
    return this.tokens[Math.min(at, this.tokens.length - 1)];
  }

  isChar(at, value) {
    const token = this.safe(at);
    return token.value === value &&
      (token.type === kinds.CHAR || token.type === kinds.ESCAPED || token.type === kinds.INVALID);
  }

  isSearchPrefix() {
    if (this.isChar(this.at, "?")) return true;
    if (this.tokens[this.at].value !== "?") return false;
    if (this.at === 0) return true;
    const { type } = this.safe(this.at - 1);
    return type !== kinds.NAME && type !== kinds.REGEXP && type !== kinds.CLOSE &&
      type !== kinds.ASTERISK;
  }

  text(from, to) {
    return this.points.slice(this.safe(from).index, this.safe(to).index).join("");
  }

  change(state, skip) {
    const old = this.state;
    if (old !== "init" && old !== "authority" && old !== "done") {
      this.result[old] = this.text(this.start, this.at);
    }
    if (old !== "init" && state !== "done") this.fillGaps(old, state);
    this.state = state;
    this.at += skip;
    this.start = this.at;
    this.step = 0;
  }

  /** Components that were passed over are empty. */
  fillGaps(old, state) {
    const { result } = this;
    const isBefore = (list) => list.includes(old);
    const front = ["protocol", "authority", "username", "password"];
    if (isBefore(front) && ["port", "pathname", "search", "hash"].includes(state)) {
      result.hostname ??= "";
    }
    if (isBefore([...front, "hostname", "port"]) && ["search", "hash"].includes(state)) {
      result.pathname ??= this.isSpecialProtocol ? "/" : "";
    }
    if (isBefore([...front, "hostname", "port", "pathname"]) && state === "hash") {
      result.search ??= "";
    }
  }

  rewind(state) {
    this.at = this.start;
    this.step = 0;
    this.state = state;
  }

  run() {
    while (this.at < this.tokens.length) {
      this.step = 1;
      if (this.tokens[this.at].type === kinds.END) {
        if (this.state === "init") {
          this.rewind("init");
          if (this.isChar(this.at, "#")) this.change("hash", 1);
          else if (this.isSearchPrefix()) this.change("search", 1);
          else this.change("pathname", 0);
          continue;
        }
        if (this.state === "authority") {
          this.rewind("hostname");
          continue;
        }
        this.change("done", 0);
        break;
      }
      if (this.tokens[this.at].type === kinds.OPEN) {
        this.depth++;
        this.at++;
        continue;
      }
      if (this.depth > 0) {
        if (this.tokens[this.at].type !== kinds.CLOSE) {
          this.at++;
          continue;
        }
        this.depth--;
      }
      this.stepState();
      this.at += this.step;
    }
    const { result } = this;
    if (result.hostname !== undefined && result.port === undefined) result.port = "";
    return result;
  }

  endsProtocol() {
    return this.isChar(this.at, ":");
  }

  stepState() {
    const is = (value) => this.isChar(this.at, value);
    switch (this.state) {
      case "init":
        if (this.endsProtocol()) this.rewind("protocol");
        break;
      case "protocol":
        if (this.endsProtocol()) this.leaveProtocol();
        break;
      case "authority":
        if (is("@")) this.rewind("username");
        else if (is("/") || this.isSearchPrefix() || is("#")) this.rewind("hostname");
        break;
      case "username":
        if (is(":")) this.change("password", 1);
        else if (is("@")) this.change("hostname", 1);
        break;
      case "password":
        if (is("@")) this.change("hostname", 1);
        break;
      case "hostname":
        if (is("[")) this.brackets++;
        else if (is("]")) this.brackets--;
        else if (is(":") && this.brackets === 0) this.change("port", 1);
        else this.leaveHost();
        break;
      case "port":
        this.leaveHost();
        break;
      case "pathname":
        if (this.isSearchPrefix()) this.change("search", 1);
        else if (is("#")) this.change("hash", 1);
        break;
      case "search":
        if (is("#")) this.change("hash", 1);
        break;
      default:
    }
  }

  leaveHost() {
    if (this.isChar(this.at, "/")) this.change("pathname", 0);
    else if (this.isSearchPrefix()) this.change("search", 1);
    else if (this.isChar(this.at, "#")) this.change("hash", 1);
  }

  leaveProtocol() {
    this.isSpecialProtocol = this.isSpecial(this.text(this.start, this.at));
    const hasSlashes = this.isChar(this.at + 1, "/") && this.isChar(this.at + 2, "/");
    if (hasSlashes) this.change("authority", 3);
    else if (this.isSpecialProtocol) this.change("authority", 1);
    else this.change("pathname", 1);
  }
}

const strip = (text, prefix) => (text.startsWith(prefix) ? text.slice(1) : text);
const stripEnd = (text) => (text.endsWith(":") ? text.slice(0, -1) : text);

function isAbsolute(path, isPattern) {
  if (path === "") return false;
  if (path[0] === "/") return true;
  if (!isPattern || path.length < 2) return false;
  return path.startsWith("\\/") || path.startsWith("{/");
}

/** What a base URL gives to components that are not there. */
function inherit(out, init, base, isPattern) {
  const text = (value) => (isPattern ? escapePattern(value) : value);
  const has = (...names) => names.some((name) => init[name] !== undefined);
  if (!has("protocol")) out.protocol = text(base.protocol.slice(0, -1));
  const front = ["protocol", "hostname", "port"];
  if (!isPattern && !has(...front, "username")) out.username = base.username;
  if (!isPattern && !has(...front, "username", "password")) out.password = base.password;
  if (!has("protocol", "hostname")) out.hostname = text(base.hostname);
  if (!has(...front)) out.port = text(base.port);
  if (!has(...front, "pathname")) out.pathname = text(base.pathname);
  if (!has(...front, "pathname", "search")) out.search = text(base.search.slice(1));
  if (!has(...front, "pathname", "search", "hash")) out.hash = text(base.hash.slice(1));
}

function joinPath(out, init, base, isPattern) {
  out.pathname = init.pathname;
  const hasOpaque = base !== null && !base.pathname.startsWith("/");
  if (base === null || hasOpaque || isAbsolute(out.pathname, isPattern)) return;
  const basePath = isPattern ? escapePattern(base.pathname) : base.pathname;
  const slash = basePath.lastIndexOf("/");
  if (slash >= 0) out.pathname = basePath.slice(0, slash + 1) + out.pathname;
}

/** Canonical texts when the components are those of a URL, not patterns. */
function canonicalise(out, init) {
  if (init.username !== undefined) out.username = canon.username(out.username);
  if (init.password !== undefined) out.password = canon.password(out.password);
  if (init.hostname !== undefined) out.hostname = canon.hostname(out.hostname);
  if (init.port !== undefined) out.port = canon.port(out.port, out.protocol);
  if (init.pathname !== undefined) {
    const isSpecial = out.protocol === "" || kSpecial.includes(out.protocol);
    out.pathname = isSpecial ? canon.pathname(out.pathname) : canon.opaquePathname(out.pathname);
  }
  if (init.search !== undefined) out.search = canon.search(out.search);
  if (init.hash !== undefined) out.hash = canon.hash(out.hash);
}

/** "Process a URLPatternInit"; `defaults` has what is there without being said. */
exports.processInit = function processInit(source, isPattern, defaults) {
  const out = { ...defaults };
  const init = {};
  for (const name of [...NAMES, "baseURL"]) {
    if (source[name] !== undefined) init[name] = `${source[name]}`.toWellFormed();
  }
  let base = null;
  if (init.baseURL !== undefined) {
    base = new URL(init.baseURL);
    inherit(out, init, base, isPattern);
  }
  if (init.protocol !== undefined) {
    out.protocol = stripEnd(init.protocol);
    if (!isPattern) out.protocol = canon.protocol(out.protocol);
  }
  for (const name of ["username", "password", "hostname", "port"]) {
    if (init[name] !== undefined) out[name] = init[name];
  }
  if (init.pathname !== undefined) joinPath(out, init, base, isPattern);
  if (init.search !== undefined) out.search = strip(init.search, "?");
  if (init.hash !== undefined) out.hash = strip(init.hash, "#");
  if (!isPattern) canonicalise(out, init);
  return out;
};

exports.parseString = (text, isSpecial) => new StringParser(text, isSpecial).run();
exports.NAMES = NAMES;
exports.SPECIAL = kSpecial;
