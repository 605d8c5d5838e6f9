// @internal
// node:fs/watch -- FSWatcher over the loop's watches, StatWatcher by looking again and again.
//
// native: start(path, isRecursive, isPersistent, callback(events, nameBytes)) -> handle;
//         close(handle); ref(handle); unref(handle)
const EventEmitter = require("node:events");
const errors = require("internal/errors");
const { inContext, nextTick } = require("internal/tick");
const { toPath, toOptions, toName } = require("node:fs/args");
const {
  validateBoolean, validateFunction, validateUint32, validateAbortSignal,
} = require("internal/validators");
const { isRegExp } = require("node:util/types");

const kRename = 1;

function watchOptions(options) {
  const all = toOptions(options, { __proto__: null });
  const { persistent, recursive, encoding, signal } = all;
  if (persistent !== undefined) validateBoolean(persistent, "options.persistent");
  if (recursive !== undefined) validateBoolean(recursive, "options.recursive");
  validateAbortSignal(signal, "options.signal");
  return {
    isPersistent: persistent !== false,
    isRecursive: Boolean(recursive),
    encoding,
    signal,
    isIgnored: ignoreTest(all.ignore),
  };
}

/** One pattern of `ignore` as function(file name) -> bool. */
function patternTest(pattern, name) {
  if (typeof pattern === "function") return pattern;
  if (isRegExp(pattern)) return (file) => RegExp.prototype.exec.call(pattern, file) !== null;
  if (typeof pattern !== "string") {
    throw new errors.ERR_INVALID_ARG_TYPE(name, ["string", "RegExp", "Function"], pattern);
  }
  if (pattern === "") {
    throw new errors.ERR_INVALID_ARG_VALUE(name, pattern, "must be a non-empty string");
  }
  const { matches } = require("internal/path_glob");
  const { basename } = require("node:path");
  // One without a slash is about names in any folder.
  if (!pattern.includes("/")) return (file) => matches(basename(file), pattern, false);
  return (file) => matches(file, pattern, false);
}

/** options.ignore as one function; undefined when nothing is to be ignored. */
function ignoreTest(ignore) {
  if (ignore === undefined || ignore === null) return undefined;
  if (!Array.isArray(ignore)) return patternTest(ignore, "options.ignore");
  const tests = ignore.map((pattern, i) => patternTest(pattern, `options.ignore[${i}]`));
  return (file) => tests.some((test) => test(file));
}

class FSWatcher extends EventEmitter {
  #handle;
  #encoding;
  #isIgnored;
  /** Starts at once; errors of the start are thrown. */
  constructor(path, options) {
    super();
    this.#encoding = options.encoding;
    this.#isIgnored = options.isIgnored;
    const onEvent = inContext((events, name) => this.#on(events, name));
    this.#handle = native.start(path, options.isRecursive, options.isPersistent, onEvent);
  }
  #on(events, name) {
    if (this.#handle === undefined) return;
    if (name.length > 0 && this.#isIgnored?.(toName(name, "utf8"))) return;
    const filename = name.length === 0 ? null : toName(name, this.#encoding ?? "utf8");
    this.emit("change", events & kRename ? "rename" : "change", filename);
  }
  close() {
    if (this.#handle === undefined) return;
    native.close(this.#handle);
    this.#handle = undefined;
    nextTick(() => this.emit("close"));
  }
  ref() {
    if (this.#handle !== undefined) native.ref(this.#handle);
    return this;
  }
  unref() {
    if (this.#handle !== undefined) native.unref(this.#handle);
    return this;
  }
}

exports.watch = function watch(filename, options, listener) {
  const onChange = typeof options === "function" ? options : listener;
  const all = watchOptions(typeof options === "function" ? undefined : options);
  const watcher = new FSWatcher(toPath(filename, "filename"), all);
  if (onChange !== undefined) watcher.on("change", onChange);
  const { signal } = all;
  if (signal?.aborted) {
    nextTick(() => watcher.close());
  } else if (signal !== undefined) {
    const close = () => watcher.close();
    signal.addEventListener("abort", close);
    watcher.once("close", () => signal.removeEventListener("abort", close));
  }
  return watcher;
};

/** promises.watch(): what happened and was not fetched yet waits in a queue. */
exports.watchIterator = async function* watchIterator(filename, options) {
  const { AbortError } = require("internal/errors");
  const all = watchOptions(options);
  const { signal } = all;
  if (signal?.aborted) throw new AbortError(undefined, { cause: signal.reason });
  const watcher = new FSWatcher(toPath(filename, "filename"), all);
  const events = [];
  let wake;
  const onAbort = () => wake?.();
  watcher.on("change", (eventType, name) => {
    events.push({ __proto__: null, eventType, filename: name });
    wake?.();
  });
  signal?.addEventListener("abort", onAbort);
  try {
    for (;;) {
      while (events.length > 0) yield events.shift();
      if (signal?.aborted) throw new AbortError(undefined, { cause: signal.reason });
      await new Promise((resolve) => {
        wake = resolve;
      });
    }
  } finally {
    signal?.removeEventListener("abort", onAbort);
    watcher.close();
  }
};

// ---- watchFile ----------------------------------------------------------------------------------

const statWatchers = new Map();
const kMissing = () => new Array(18).fill(0);

class StatWatcher extends EventEmitter {
  #timer;
  #path;
  #isBigInt;
  #last;
  constructor(path, options) {
    super();
    this.#path = path;
    this.#isBigInt = options.bigint;
    this.#look((stats) => {
      this.#last = stats;
      if (stats.ino === 0 || stats.ino === 0n) this.emit("change", stats, stats);
    });
    this.#timer = setInterval(() => this.#look((stats) => this.#compare(stats)), options.interval);
    if (!options.persistent) this.#timer.unref();
  }
  #look(done) {
    const { makeStats } = require("node:fs/stats");
    const binding = require("node:fs/binding");
    const finish = inContext((error, v) => {
      if (this.#timer === null) return;
      const nothing = () => (this.#isBigInt ? kMissing().map(BigInt) : kMissing());
      done(makeStats(error ? nothing() : v));
    });
    binding.stat(finish, this.#path, this.#isBigInt, false);
  }
  #compare(stats) {
    const last = this.#last;
    if (last === undefined) return;
    const fields = ["mtimeMs", "ctimeMs", "ino", "size", "mode", "uid", "gid", "dev"];
    if (fields.every((name) => stats[name] === last[name])) return;
    this.#last = stats;
    this.emit("change", stats, last);
  }
  stop() {
    if (this.#timer === null) return;
    clearInterval(this.#timer);
    this.#timer = null;
    nextTick(() => this.emit("stop"));
  }
  ref() {
    this.#timer?.ref();
    return this;
  }
  unref() {
    this.#timer?.unref();
    return this;
  }
}

exports.watchFile = function watchFile(filename, options, listener) {
  const { resolve } = require("node:path");
  const path = resolve(String(toPath(filename, "filename")));
  const onChange = typeof options === "function" ? options : listener;
  const own = options === null || typeof options !== "object" ? {} : options;
  validateFunction(onChange, "listener");
  const all = { interval: 5007, persistent: true, bigint: false, ...own };
  validateUint32(all.interval, "interval");
  let watcher = statWatchers.get(path);
  if (watcher === undefined) {
    watcher = new StatWatcher(path, all);
    statWatchers.set(path, watcher);
  }
  watcher.addListener("change", onChange);
  return watcher;
};

exports.unwatchFile = function unwatchFile(filename, listener) {
  const { resolve } = require("node:path");
  const path = resolve(String(toPath(filename, "filename")));
  const watcher = statWatchers.get(path);
  if (watcher === undefined) return;
  if (typeof listener === "function") watcher.removeListener("change", listener);
  else watcher.removeAllListeners("change");
  if (watcher.listenerCount("change") > 0) return;
  watcher.stop();
  statWatchers.delete(path);
};

exports.FSWatcher = FSWatcher;
exports.StatWatcher = StatWatcher;
