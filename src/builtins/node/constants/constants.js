// node:constants -- all constants of os, fs and crypto in one object (Node: constants; deprecated).
const os = require("internal/constants/os");

return Object.freeze(
  Object.assign(
    {},
    os.dlopen, os.errno, os.priority, os.signals, require("internal/constants/fs"),
    require("node:crypto/constants"),
  ),
);
