// web/blob/object_url -- URL.createObjectURL and revokeObjectURL (File API, section 8.4).

const errors = require("internal/errors");
const { isBlob } = require("web/blob");

const entries = new Map();

exports.createObjectURL = (object) => {
  if (!isBlob(object)) throw new errors.ERR_INVALID_ARG_TYPE("obj", "Blob", object);
  const url = `blob:${require("web/crypto").crypto.randomUUID()}`;
  entries.set(url, object);
  return url;
};

exports.revokeObjectURL = (url) => {
  entries.delete(`${url}`);
};

/** The Blob of a URL, or undefined. */
exports.find = (url) => entries.get(url.replace(/#.*$/s, ""));
