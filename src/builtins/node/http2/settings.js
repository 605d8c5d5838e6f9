// node:http2/settings -- settings: defaults, checks, packing (RFC 9113, 6.5; Node: http2, "Settings
// object").
// @internal
const errors = require("internal/errors");
const { assertIsObject } = require("node:http2/shared");

const kMaxInt = 2 ** 32 - 1;
const kCustomMax = 10;
/** Name, number, and the bounds of its value. */
const kNumbers = [
  ["headerTableSize", 1, 0, kMaxInt], ["maxConcurrentStreams", 3, 0, kMaxInt],
  ["initialWindowSize", 4, 0, 2 ** 31 - 1], ["maxFrameSize", 5, 16384, 2 ** 24 - 1],
  ["maxHeaderListSize", 6, 0, kMaxInt], ["maxHeaderSize", 6, 0, kMaxInt],
];
/** By number. */
const kPacked = [
  ["headerTableSize", 1], ["enablePush", 2], ["maxConcurrentStreams", 3],
  ["initialWindowSize", 4], ["maxFrameSize", 5], ["maxHeaderListSize", 6],
  ["enableConnectProtocol", 8],
];

exports.getDefaultSettings = function getDefaultSettings() {
  return {
    __proto__: null,
    headerTableSize: 4096,
    enablePush: true,
    initialWindowSize: 65535,
    maxFrameSize: 16384,
    maxConcurrentStreams: kMaxInt,
    maxHeaderListSize: 65535,
    maxHeaderSize: 65535,
    enableConnectProtocol: false,
  };
};

function rangeError(name, actual, min, max) {
  const error = errors.makeCoded(
    "RangeError", "ERR_HTTP2_INVALID_SETTING_VALUE",
    `Invalid value for setting "${name}": ${actual}`,
  );
  error.actual = actual;
  error.min = min;
  error.max = max;
  return error;
}

function assertWithin(name, value, min, max) {
  if (value === undefined) return;
  if (typeof value !== "number" || value < min || value > max) {
    throw rangeError(name, value, min, max);
  }
}

exports.validateSettings = function validateSettings(settings) {
  if (settings === undefined) return;
  const { customSettings } = settings;
  assertIsObject(customSettings, "customSettings", "Number");
  if (customSettings) {
    const entries = Object.entries(customSettings);
    if (entries.length > kCustomMax) throw new errors.ERR_HTTP2_TOO_MANY_CUSTOM_SETTINGS();
    for (const [id, value] of entries) {
      assertWithin("customSettings:id", Number(id), 0, 0xffff);
      assertWithin("customSettings:value", Number(value), 0, kMaxInt);
    }
  }
  for (const [name, , min, max] of kNumbers) assertWithin(name, settings[name], min, max);
  for (const name of ["enablePush", "enableConnectProtocol"]) {
    if (settings[name] !== undefined && typeof settings[name] !== "boolean") {
      throw new errors.ERR_HTTP2_INVALID_SETTING_VALUE(name, settings[name]);
    }
  }
};

function addCustom(pairs, customSettings) {
  for (const [key, value] of Object.entries(customSettings ?? {})) {
    if (typeof value !== "number") continue;
    const id = Number(key);
    if (!(id > 0 && id <= 0xffff)) throw rangeError("Range Error", id, 0, 0xffff);
    if (!(value > 0 && value <= kMaxInt)) throw rangeError("Range Error", value, 0, kMaxInt);
    if (!pairs.some(([known]) => known === id)) pairs.push([id, value]);
  }
}

/** Pairs of numbers and values, for the native half. */
function pairsOf(settings) {
  const given = { ...settings };
  if (typeof given.maxHeaderSize === "number") {
    if (given.maxHeaderSize !== given.maxHeaderListSize &&
        given.maxHeaderListSize !== undefined) {
      process.emitWarning("settings.maxHeaderSize overwrite settings.maxHeaderListSize");
    }
    given.maxHeaderListSize = given.maxHeaderSize;
  }
  const pairs = [];
  for (const [name, id] of kPacked) {
    const value = given[name];
    if (typeof value === "number" || typeof value === "boolean") pairs.push([id, Number(value)]);
  }
  addCustom(pairs, given.customSettings);
  return pairs;
}

exports.flatPairs = (settings) => pairsOf(settings).flat();

exports.getPackedSettings = function getPackedSettings(settings) {
  assertIsObject(settings, "settings");
  exports.validateSettings(settings);
  const pairs = pairsOf(settings);
  const { Buffer } = require("node:buffer");
  const packed = Buffer.alloc(pairs.length * 6);
  pairs.forEach(([id, value], i) => {
    packed.writeUInt16BE(id, i * 6);
    packed.writeUInt32BE(value, i * 6 + 2);
  });
  return packed;
};

function take(settings, id, value) {
  const row = kPacked.find(([, number]) => number === id);
  if (row === undefined) {
    settings.customSettings ??= {};
    settings.customSettings[id] = value;
  } else if (id === 2 || id === 8) settings[row[0]] = value !== 0;
  else settings[row[0]] = value;
  if (id === 6) settings.maxHeaderSize = value;
}

exports.getUnpackedSettings = function getUnpackedSettings(buf, options = {}) {
  if (!ArrayBuffer.isView(buf) || buf.length === undefined) {
    throw new errors.ERR_INVALID_ARG_TYPE("buf", ["Buffer", "TypedArray"], buf);
  }
  if (buf.length % 6 !== 0) throw new errors.ERR_HTTP2_INVALID_PACKED_SETTINGS_LENGTH();
  const settings = {};
  for (let at = 0; at < buf.length; at += 6) {
    const id = buf[at] * 256 + buf[at + 1];
    const value = buf[at + 2] * 2 ** 24 + buf[at + 3] * 2 ** 16 + buf[at + 4] * 256 + buf[at + 5];
    take(settings, id, value);
  }
  if (options !== null && options !== undefined && options.validate) {
    exports.validateSettings(settings);
  }
  return settings;
};

/** Of what the native half says of a session. */
exports.settingsOf = function settingsOf(values) {
  const [headerTableSize, push, maxConcurrentStreams, initialWindowSize, maxFrameSize, size,
    connect] = values;
  return {
    headerTableSize, enablePush: push !== 0, initialWindowSize, maxFrameSize, maxConcurrentStreams,
    maxHeaderListSize: size, maxHeaderSize: size, enableConnectProtocol: connect !== 0,
  };
};

exports.kCustomMax = kCustomMax;
exports.rangeError = rangeError;
