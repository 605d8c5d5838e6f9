// node:readline
exports.createInterface = () => {
  throw require("internal/errors").notImplemented("readline.createInterface");
};
