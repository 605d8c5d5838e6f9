// @global PerformanceObserver PerformanceObserverEntryList
// web/performance/observer -- PerformanceObserver, of marks and measures.

const errors = require("internal/errors");
const { converters, sequence } = require("internal/webidl");
const { defineInterface } = require("internal/webidl/interface");
const timeline = require("web/performance/timeline");

const kToken = Symbol("make");
const toNames = sequence(converters.DOMString);

class PerformanceObserverEntryList {
  #entries;

  constructor(token = undefined, entries = []) {
    if (token !== kToken) throw new errors.ERR_ILLEGAL_CONSTRUCTOR();
    this.#entries = timeline.sort(entries);
  }

  static #of(value) {
    if (typeof value !== "object" || value === null || !(#entries in value)) {
      throw new errors.ERR_INVALID_THIS("PerformanceObserverEntryList");
    }
    return value;
  }

  getEntries() {
    return [...PerformanceObserverEntryList.#of(this).#entries];
  }

  getEntriesByType(type) {
    const self = PerformanceObserverEntryList.#of(this);
    if (arguments.length === 0) throw new errors.ERR_MISSING_ARGS("type");
    const wanted = `${type}`;
    return self.#entries.filter((entry) => entry.entryType === wanted);
  }

  getEntriesByName(name, type = undefined) {
    const self = PerformanceObserverEntryList.#of(this);
    if (arguments.length === 0) throw new errors.ERR_MISSING_ARGS("name");
    const wanted = `${name}`;
    const kind = type === undefined ? undefined : `${type}`;
    return self.#entries.filter(
      (entry) => entry.name === wanted && (kind === undefined || entry.entryType === kind),
    );
  }
}

function invalidModification(message) {
  const { DOMException } = require("web/exception");
  return new DOMException(message, "InvalidModificationError");
}

class PerformanceObserver {
  #callback;
  /** "multiple" (entryTypes) or "single" (type), once observing. */
  #mode;
  #record = { types: new Set(), queue: [], deliver: () => this.#deliver() };

  constructor(callback) {
    if (typeof callback !== "function") {
      throw new errors.ERR_INVALID_ARG_TYPE("callback", "function", callback);
    }
    this.#callback = callback;
  }

  static get supportedEntryTypes() {
    return timeline.types;
  }

  static #of(value) {
    if (typeof value !== "object" || value === null || !(#record in value)) {
      throw new errors.ERR_INVALID_THIS("PerformanceObserver");
    }
    return value;
  }

  observe(options = {}) {
    const self = PerformanceObserver.#of(this);
    if (options === null || typeof options !== "object") {
      throw new errors.ERR_INVALID_ARG_TYPE("options", "Object", options);
    }
    const { buffered, entryTypes, type } = options;
    if (entryTypes === undefined && type === undefined) {
      throw new errors.ERR_MISSING_ARGS("options.entryTypes", "options.type");
    }
    if (entryTypes !== undefined && type !== undefined) {
      throw new errors.ERR_INVALID_ARG_VALUE(
        "options.entryTypes", entryTypes,
        "options.entryTypes can not set with options.type together",
      );
    }
    if (entryTypes !== undefined) self.#observeMany(entryTypes);
    else self.#observeOne(`${type}`, !!buffered);
  }

  #setMode(mode) {
    if (this.#mode !== undefined && this.#mode !== mode) {
      throw invalidModification(`PerformanceObserver can not change to be a ${mode} observer`);
    }
    this.#mode = mode;
  }

  #observeMany(entryTypes) {
    this.#setMode("multiple");
    const types = [];
    const names = toNames(entryTypes, { __proto__: null, context: "options.entryTypes" });
    for (let i = 0; i < names.length; i++) {
      const name = names[i];
      if (timeline.types.includes(name)) types.push(name);
    }
    if (types.length === 0) return;
    this.#record.types = new Set(types);
    timeline.addObserver(this.#record);
  }

  #observeOne(type, isBuffered) {
    this.#setMode("single");
    if (!timeline.types.includes(type)) return;
    this.#record.types.add(type);
    timeline.addObserver(this.#record);
    if (!isBuffered) return;
    const entries = timeline.ofType(type);
    if (entries.length === 0) return;
    this.#record.queue.push(...entries);
    timeline.schedule();
  }

  disconnect() {
    const self = PerformanceObserver.#of(this);
    timeline.removeObserver(self.#record);
    self.#record.queue = [];
    self.#record.types = new Set();
    self.#mode = undefined;
  }

  takeRecords() {
    const record = PerformanceObserver.#of(this).#record;
    const entries = record.queue;
    record.queue = [];
    return entries;
  }

  #deliver() {
    const entries = this.#record.queue;
    if (entries.length === 0) return;
    this.#record.queue = [];
    const list = new PerformanceObserverEntryList(kToken, entries);
    try {
      this.#callback.call(this, list, this, { droppedEntriesCount: 0 });
    } catch (err) {
      require("internal/report").reportException(err);
    }
  }
}

Object.defineProperty(PerformanceObserverEntryList, "length", { value: 0, configurable: true });
exports.PerformanceObserver = defineInterface(PerformanceObserver);
exports.PerformanceObserverEntryList = defineInterface(PerformanceObserverEntryList);
