// @internal
// node:fs/streams -- ReadStream and WriteStream.
const { notImplemented } = require("internal/errors");

function missing(name) {
  return {
    [name]() {
      throw notImplemented(`fs.${name}`);
    },
  }[name];
}

for (const name of ["ReadStream", "WriteStream", "createReadStream", "createWriteStream"]) {
  exports[name] = missing(name);
}
exports.FileReadStream = exports.ReadStream;
exports.FileWriteStream = exports.WriteStream;
exports.readLines = missing("FileHandle.readLines");
exports.readableWebStream = missing("FileHandle.readableWebStream");
