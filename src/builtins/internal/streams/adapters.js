// internal/streams/adapters -- between Node's streams and web streams.
const { notImplemented } = require("internal/errors");

const kNames = [
  "readableFromWeb", "readableToWeb", "writableFromWeb", "writableToWeb", "duplexFromWeb",
  "duplexToWeb",
];
for (const name of kNames) {
  exports[name] = () => {
    throw notImplemented(name);
  };
}
