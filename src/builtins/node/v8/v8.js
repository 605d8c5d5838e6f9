// node:v8 (Node: v8): serialization in V8's format; figures of the heap.
//
// The classes are made when asked for: few programs want them.
const errors = require("internal/errors");
const { lazies } = require("internal/process_util");

function makeClasses() {
  const { Serializer } = require("node:v8/serializer");
  const { Deserializer } = require("node:v8/deserializer");
  const { BUFFER_TYPE, DataCloneError, viewTypes } = require("node:v8/shared");
  const types = viewTypes();

  class DefaultSerializer extends Serializer {
    constructor() {
      super();
      this.setTreatArrayBufferViewsAsHostObjects(true);
    }

    _writeHostObject(view) {
      let type = BUFFER_TYPE;
      if (view.constructor !== Buffer) {
        type = types.findIndex((Class) => Class !== Buffer && view instanceof Class);
        if (type < 0 || !ArrayBuffer.isView(view)) {
          const { inspect } = require("node:util");
          throw new DataCloneError(`Unserializable host object: ${inspect(view)}`);
        }
      }
      this.writeUint32(type);
      this.writeUint32(view.byteLength);
      this.writeRawBytes(new Uint8Array(view.buffer, view.byteOffset, view.byteLength));
    }
  }

  class DefaultDeserializer extends Deserializer {
    _readHostObject() {
      const Class = types[this.readUint32()];
      if (Class === undefined) throw new Error("Unable to deserialize cloned data.");
      const bytes = Buffer.from(this.readRawBytes(this.readUint32()));
      if (Class === Buffer) return bytes;
      const copy = new Uint8Array(bytes).buffer;
      return new Class(copy, 0, copy.byteLength / (Class.BYTES_PER_ELEMENT ?? 1));
    }
  }
  return { Serializer, Deserializer, DefaultSerializer, DefaultDeserializer };
}

let classes;
const kClasses = ["Serializer", "Deserializer", "DefaultSerializer", "DefaultDeserializer"];
lazies(exports, kClasses, (name) => (classes ??= makeClasses())[name]);

exports.serialize = function serialize(value) {
  const serializer = new exports.DefaultSerializer();
  serializer.writeHeader();
  serializer.writeValue(value);
  return serializer.releaseBuffer();
};

exports.deserialize = function deserialize(buffer) {
  if (!ArrayBuffer.isView(buffer)) {
    throw new errors.ERR_INVALID_ARG_TYPE("buffer", ["Buffer", "TypedArray", "DataView"], buffer);
  }
  const deserializer = new exports.DefaultDeserializer(buffer);
  deserializer.readHeader();
  return deserializer.readValue();
};

exports.cachedDataVersionTag = function cachedDataVersionTag() {
  return 0xc0b;
};

exports.getHeapStatistics = function getHeapStatistics() {
  const { heapTotal, heapUsed, external, rss } = process.memoryUsage();
  const limit = require("node:os").totalmem();
  return {
    total_heap_size: heapTotal,
    total_heap_size_executable: 0,
    total_physical_size: rss,
    total_available_size: Math.max(limit - heapUsed, 0),
    used_heap_size: heapUsed,
    heap_size_limit: limit,
    malloced_memory: external,
    peak_malloced_memory: external,
    does_zap_garbage: 0,
    number_of_native_contexts: 1,
    number_of_detached_contexts: 0,
    total_global_handles_size: 0,
    used_global_handles_size: 0,
    external_memory: external,
  };
};

/** Flags are V8's; this engine has none of them. */
exports.setFlagsFromString = function setFlagsFromString(flags) {
  require("internal/validators").validateString(flags, "flags");
};

for (let i = 0, all = [
  "getCppHeapStatistics", "getHeapCodeStatistics", "getHeapSnapshot", "getHeapSpaceStatistics",
  "isStringOneByteRepresentation", "queryObjects", "setHeapSnapshotNearHeapLimit",
  "startCpuProfile", "stopCoverage", "takeCoverage", "writeHeapSnapshot",
]; i < all.length; i++) {
  const name = all[i];
  exports[name] = {
    [name]() {
      throw errors.notImplemented(`v8.${name}`);
    },
  }[name];
}

exports.startupSnapshot = {
  addSerializeCallback() {
    throw new errors.ERR_NOT_BUILDING_SNAPSHOT();
  },
  addDeserializeCallback() {
    throw new errors.ERR_NOT_BUILDING_SNAPSHOT();
  },
  setDeserializeMainFunction() {
    throw new errors.ERR_NOT_BUILDING_SNAPSHOT();
  },
  isBuildingSnapshot: () => false,
};
