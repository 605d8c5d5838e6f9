// internal/hot -- --hot: when a file changes, everything is loaded anew in the same process.
// globalThis stays, timers go on, servers keep their port.
//
// native: forget() drops all modules; runMain() runs the first file; dup(fd)
let isOn = false;

// ---- import.meta.hot ----------------------------------------------------------------------------

/** What a module has left for its next self, by URL. */
const data = new Map();
/** Of the modules that run now: url -> functions. */
let disposers = new Map();
let listeners = new Map();

function checkFunction(value, name) {
  require("internal/validators").validateFunction(value, name);
}

function addTo(map, key, fn) {
  const list = map.get(key);
  if (list === undefined) map.set(key, [fn]);
  else list.push(fn);
}

class Hot {
  #url;
  constructor(url) {
    this.#url = url;
    if (!data.has(url)) data.set(url, {});
  }

  get data() {
    return data.get(this.#url);
  }

  set data(value) {
    data.set(this.#url, value);
  }

  /** Everything is loaded anew: there is nothing to accept, but it may be said. */
  accept() {}

  decline() {}

  /** Loads everything anew, soon. */
  invalidate() {
    setImmediate(exports.reload);
  }

  dispose(fn) {
    checkFunction(fn, "callback");
    addTo(disposers, this.#url, fn);
  }

  /** Modules are never dropped alone. */
  prune() {}

  on(event, fn) {
    checkFunction(fn, "callback");
    addTo(listeners, `${event}`.replace(/^(?:vite|bun):/, ""), fn);
  }

  off(event, fn) {
    const key = `${event}`.replace(/^(?:vite|bun):/, "");
    const rest = (listeners.get(key) ?? []).filter((one) => one !== fn);
    listeners.set(key, rest);
  }

  send() {}
}

/** import.meta.hot of a module, or undefined. */
exports.hotOf = (url) => (isOn ? new Hot(url) : undefined);

function report(error) {
  require("internal/report").reportException(error);
}

/** One that throws does not keep the others. */
function callAll(list, arg) {
  for (const fn of list ?? []) {
    try {
      fn(arg);
    } catch (error) {
      report(error);
    }
  }
}

// ---- Servers ------------------------------------------------------------------------------------

/** Servers of node:net and what is built on it, by where they listen. */
const servers = new Map();

/** Those of a path remove it when they close: they have to be closed by the program (dispose). */
function placeOf(options) {
  if (options.path !== undefined) return undefined;
  const port = Number(options.port ?? 0);
  return port > 0 ? `${options.host ?? ""}:${port}` : undefined;
}

/** A copy of the descriptor on which the old server of this place listens; that one lets go. */
function takeOver(place) {
  const old = servers.get(place);
  const fd = old?._handle?.fd;
  if (!(fd >= 0)) return -1;
  const copy = native.dup(fd);
  if (copy >= 0) old.close();
  return copy;
}

/** A server that listens where an old one does gets its socket: nobody is turned away meanwhile. */
function watchServers() {
  const net = require("node:net");
  const { normalizeArgs } = require("node:net/args");
  const { listen } = net.Server.prototype;
  net.Server.prototype.listen = function (...args) {
    const [options, callback] = normalizeArgs(args);
    const place = placeOf(options);
    if (place === undefined) return listen.apply(this, args);
    const fd = takeOver(place);
    this.once("listening", () => servers.set(place, this));
    if (fd < 0) return listen.apply(this, args);
    return callback === null ? listen.call(this, { fd }) : listen.call(this, { fd }, callback);
  };
}

// ---- Loading anew -------------------------------------------------------------------------------

exports.reload = function reload() {
  const disposing = disposers;
  callAll(listeners.get("beforeUpdate"), undefined);
  callAll(listeners.get("beforeFullReload"), undefined);
  disposers = new Map();
  listeners = new Map();
  for (const [url, list] of disposing) callAll(list, data.get(url));
  require("internal/cjs").forget(new Set());
  native.forget();
  try {
    native.runMain();
  } catch (error) {
    report(error);
  }
};

/** Before the program's first file. */
exports.start = function start() {
  isOn = true;
  require("internal/esm").hot = exports;
  require("bun:serve").setHot();
  watchServers();
  const { printUncaught } = require("internal/report/print");
  // An error ends nothing: the next version of the file may be better.
  require("internal/report").setTaker((error) => {
    printUncaught(error);
    return true;
  });
};
