// @global PerformanceResourceTiming
// web/performance/resource -- what performance.markResourceTiming() keeps (Resource Timing; Node).
// Programs that fetch by themselves call it, as undici does; `fetch` here does not.

const errors = require("internal/errors");
const { defineInterface } = require("internal/webidl/interface");
const { PerformanceEntry, kToken } = require("web/performance/entries");

const HEADERS_SIZE = 300; // what the specification counts for the headers of an answer

class PerformanceResourceTiming extends PerformanceEntry {
  #parts;

  constructor(token = undefined, parts = {}) {
    const { url, info } = parts;
    const start = info?.startTime ?? 0;
    super(token, url, "resource", start, (info?.endTime ?? 0) - start);
    this.#parts = parts;
  }

  static of(value) {
    if (typeof value !== "object" || value === null || !(#parts in value)) {
      throw new errors.ERR_INVALID_THIS("PerformanceResourceTiming");
    }
    return value.#parts;
  }
}

const { of } = PerformanceResourceTiming;
delete PerformanceResourceTiming.of;

const getters = {
  initiatorType: ({ initiatorType }) => initiatorType,
  workerStart: ({ info }) => info.finalServiceWorkerStartTime,
  redirectStart: ({ info }) => info.redirectStartTime,
  redirectEnd: ({ info }) => info.redirectEndTime,
  fetchStart: ({ info }) => info.postRedirectStartTime,
  domainLookupStart: ({ connection }) => connection?.domainLookupStartTime,
  domainLookupEnd: ({ connection }) => connection?.domainLookupEndTime,
  connectStart: ({ connection }) => connection?.connectionStartTime,
  connectEnd: ({ connection }) => connection?.connectionEndTime,
  secureConnectionStart: ({ connection }) => connection?.secureConnectionStartTime,
  nextHopProtocol: ({ connection }) => connection?.ALPNNegotiatedProtocol,
  requestStart: ({ info }) => info.finalNetworkRequestStartTime,
  responseStart: ({ info }) => info.finalNetworkResponseStartTime,
  responseEnd: ({ info }) => info.endTime,
  encodedBodySize: ({ info }) => info.encodedBodySize,
  decodedBodySize: ({ info }) => info.decodedBodySize,
  transferSize({ info, cacheMode }) {
    if (cacheMode === "local") return 0;
    return cacheMode === "validated" ? HEADERS_SIZE : info.encodedBodySize + HEADERS_SIZE;
  },
  deliveryType: ({ deliveryType }) => deliveryType,
  responseStatus: ({ responseStatus }) => responseStatus,
};

for (let i = 0, all = Object.entries(getters); i < all.length; i++) {
  const { 0: name, 1: read } = all[i];
  Object.defineProperty(PerformanceResourceTiming.prototype, name, {
    get() {
      return read(of(this));
    },
    configurable: true,
    enumerable: true,
  });
}

PerformanceResourceTiming.prototype.toJSON = function toJSON() {
  const { name, entryType, startTime, duration } = this;
  const json = { name, entryType, startTime, duration };
  for (let i = 0, all = Object.keys(getters); i < all.length; i++) {
    const key = all[i];
    json[key] = this[key];
  }
  return json;
};

exports.PerformanceResourceTiming = defineInterface(PerformanceResourceTiming);

/** (timingInfo, url, initiatorType, global, cacheMode, bodyInfo, status, deliveryType) */
exports.mark = function mark(info, url, initiatorType, ...rest) {
  const { 1: cacheMode = "", 3: responseStatus, 4: deliveryType = "" } = rest;
  require("internal/validators").validateObject(info, "timingInfo");
  const timeline = require("web/performance/timeline");
  const entry = new PerformanceResourceTiming(kToken, {
    url: `${url}`, info, initiatorType, cacheMode, responseStatus, deliveryType,
    connection: info.finalConnectionTimingInfo,
  });
  timeline.addResource(entry);
  return entry;
};
