// internal/process_more/bindings -- process.binding() (Node: deprecated, DEP0111): the tables that
// programs of npm still ask for. The others are not there, as Node says of most of its own.

const makers = {
  util() {
    const { types } = require("node:util");
    return { ...types };
  },
  constants() {
    const os = require("internal/constants/os");
    return {
      os, fs: require("node:fs").constants, crypto: require("node:crypto/constants"),
      zlib: require("node:zlib/constants").constants,
    };
  },
  config: () => ({
    isDebugBuild: false, hasOpenSSL: true, fipsMode: false, hasIntl: true, hasTracing: false,
    hasNodeOptions: true, hasInspector: false, noBrowserGlobals: false, bits: 64,
  }),
  uv() {
    const util = require("node:util");
    const table = { errname: util.getSystemErrorName };
    for (const [code, { 0: name }] of util.getSystemErrorMap()) table[`UV_${name}`] = code;
    return table;
  },
  http_parser() {
    const { HTTPParser, methods } = require("node:_http_common");
    return { HTTPParser, methods };
  },
  tty_wrap: () => ({ isTTY: require("node:tty").isatty }),
};

const made = { __proto__: null };

/** The table `name`; throws for those that are not there. */
exports.binding = function binding(name) {
  const key = `${name}`;
  if (!Object.hasOwn(makers, key)) {
    const error = new Error(`No such module: ${key}`);
    error.code = "ERR_INVALID_MODULE";
    throw error;
  }
  return (made[key] ??= makers[key]());
};
