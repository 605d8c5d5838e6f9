// @internal
// node:fs/more -- functions of node:fs that few programs use.
const { notImplemented } = require("internal/errors");

exports.mkdtempDisposableSync = function mkdtempDisposableSync(prefix, options) {
  const fs = require("node:fs");
  const { resolve } = require("node:path");
  const path = fs.mkdtempSync(prefix, options);
  const full = resolve(String(path));
  const remove = () => fs.rmSync(full, { recursive: true, force: true });
  return {
    path,
    remove,
    [Symbol.dispose]() {
      remove();
    },
  };
};

exports.openAsBlob = function openAsBlob() {
  throw notImplemented("fs.openAsBlob");
};
