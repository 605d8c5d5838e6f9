// @internal
// node:perf_hooks/histogram -- histograms as HdrHistogram keeps them: values by their leading bits.
const errors = require("internal/errors");
const { validateInteger, validateNumber, validateObject } = require("internal/validators");

const MAX = Number.MAX_SAFE_INTEGER;
const EMPTY_MIN = 9223372036854776000; // 2 ** 63 - 1 as a number, as in Node
const kToken = Symbol("histogram");

class Histogram {
  #counts = new Map(); // lowest value of a bucket -> count
  #bits;
  #lowest;
  #highest;
  #count = 0;
  #exceeds = 0;
  #min = EMPTY_MIN;
  #max = 0;

  constructor(token, { lowest = 1, highest = MAX, figures = 3 } = {}) {
    if (token !== kToken) throw new errors.ERR_ILLEGAL_CONSTRUCTOR();
    this.#lowest = lowest;
    this.#highest = highest;
    this.#bits = Math.ceil(Math.log2(2 * 10 ** figures));
  }

  /** Width of the bucket of a value. */
  #unit(value) {
    return 2 ** Math.max(0, Math.floor(Math.log2(Math.max(value, 1))) - this.#bits + 1);
  }

  /** For subclasses: counts a value `n` times. */
  static add(self, value, n = 1) {
    if (value < self.#lowest || value > self.#highest) {
      self.#exceeds += n;
      return;
    }
    const unit = self.#unit(value);
    const bucket = Math.floor(value / unit) * unit;
    self.#counts.set(bucket, (self.#counts.get(bucket) ?? 0) + n);
    self.#count += n;
    if (bucket < self.#min) self.#min = bucket;
    if (bucket + unit - 1 > self.#max) self.#max = bucket + unit - 1;
  }

  static merge(self, other) {
    for (const [value, n] of other.#counts) add(self, value, n);
    self.#exceeds += other.#exceeds;
  }

  get count() {
    return this.#count;
  }

  get countBigInt() {
    return BigInt(this.#count);
  }

  get exceeds() {
    return this.#exceeds;
  }

  get exceedsBigInt() {
    return BigInt(this.#exceeds);
  }

  get min() {
    return this.#min;
  }

  get minBigInt() {
    return this.#count === 0 ? 9223372036854775807n : BigInt(this.#min);
  }

  get max() {
    return this.#max;
  }

  get maxBigInt() {
    return BigInt(this.#max);
  }

  /** The middle of a bucket. */
  #middle(value) {
    return value + Math.floor(this.#unit(value) / 2);
  }

  get mean() {
    let sum = 0;
    for (const [value, n] of this.#counts) sum += this.#middle(value) * n;
    return sum / this.#count;
  }

  get stddev() {
    const { mean } = this;
    let sum = 0;
    for (const [value, n] of this.#counts) sum += (this.#middle(value) - mean) ** 2 * n;
    return Math.sqrt(sum / this.#count);
  }

  percentile(percentile) {
    validateNumber(percentile, "percentile");
    if (!(percentile > 0 && percentile <= 100)) {
      throw new errors.ERR_OUT_OF_RANGE("percentile", "> 0 && <= 100", percentile);
    }
    const wanted = Math.max(1, Math.floor((percentile / 100) * this.#count + 0.5));
    let seen = 0;
    for (let i = 0, all = [...this.#counts.keys()].sort((a, b) => a - b); i < all.length; i++) {
      const value = all[i];
      seen += this.#counts.get(value);
      if (seen >= wanted) return value + this.#unit(value) - 1;
    }
    return 0;
  }

  percentileBigInt(percentile) {
    return BigInt(this.percentile(percentile));
  }

  get percentiles() {
    const found = new Map();
    for (let rest = 100; this.#count > 0 && rest > 100 / this.#count / 2; rest /= 2) {
      const at = 100 - rest;
      found.set(at, at === 0 ? this.#min : this.percentile(at));
    }
    found.set(100, this.#max);
    return found;
  }

  get percentilesBigInt() {
    return new Map([...this.percentiles].map(({ 0: at, 1: value }) => [at, BigInt(value)]));
  }

  reset() {
    this.#counts.clear();
    this.#count = this.#exceeds = this.#max = 0;
    this.#min = EMPTY_MIN;
  }

  toJSON() {
    const { count, min, max, mean, exceeds, stddev, percentiles } = this;
    return {
      count, min, max, mean, exceeds, stddev, percentiles: Object.fromEntries(percentiles),
    };
  }
}
const { add, merge } = Histogram;
delete Histogram.add;
delete Histogram.merge;

class RecordableHistogram extends Histogram {
  #last;

  record(value) {
    if (typeof value === "bigint") {
      add(this, Number(value));
      return;
    }
    validateInteger(value, "val", 1);
    add(this, value);
  }

  recordDelta() {
    const now = process.hrtime.bigint();
    if (this.#last !== undefined) add(this, Math.max(1, Number(now - this.#last)));
    this.#last = now;
  }

  add(other) {
    if (!(other instanceof RecordableHistogram)) {
      throw new errors.ERR_INVALID_ARG_TYPE("other", "RecordableHistogram", other);
    }
    merge(this, other);
  }
}

/** The delay of a timer that should fire every `resolution` ms. */
class IntervalHistogram extends Histogram {
  #timer;
  #resolution;
  #last;

  constructor(token, resolution) {
    super(token, { lowest: 1, highest: 3.6e12, figures: 3 });
    this.#resolution = resolution;
  }

  enable() {
    if (this.#timer !== undefined) return false;
    this.#last = process.hrtime.bigint();
    this.#timer = setInterval(() => {
      const now = process.hrtime.bigint();
      add(this, Math.max(1, Number(now - this.#last)));
      this.#last = now;
    }, this.#resolution);
    this.#timer.unref();
    return true;
  }

  disable() {
    if (this.#timer === undefined) return false;
    clearInterval(this.#timer);
    this.#timer = undefined;
    return true;
  }

  [Symbol.dispose]() {
    this.disable();
  }
}

function checkLimit(value, name) {
  if (typeof value === "bigint") return Number(value);
  validateInteger(value, name, 1);
  return value;
}

exports.createHistogram = function createHistogram(options = {}) {
  validateObject(options, "options");
  const lowest = checkLimit(options.lowest ?? 1, "options.lowest");
  const highest = checkLimit(options.highest ?? MAX, "options.highest");
  const figures = options.figures ?? 3;
  validateInteger(figures, "options.figures", 1, 5);
  if (highest < 2 * lowest) {
    throw new errors.ERR_OUT_OF_RANGE("options.highest", `>= ${2 * lowest}`, highest);
  }
  return new RecordableHistogram(kToken, { lowest, highest, figures });
};

exports.monitorEventLoopDelay = function monitorEventLoopDelay(options = {}) {
  validateObject(options, "options");
  const { resolution = 10 } = options;
  validateInteger(resolution, "options.resolution", 1);
  return new IntervalHistogram(kToken, resolution);
};

exports.RecordableHistogram = RecordableHistogram;
