// node:tty -- terminals (Node: tty). The streams are those of internal/stdio, which process.stdin
// and process.stdout are too.

const { lazy } = require("internal/process_util");

const INT_MAX = 2147483647;

exports.isatty = function isatty(fd) {
  return Number.isInteger(fd) && fd >= 0 && fd <= INT_MAX && native.isTty(fd);
};

function checkTerminal(fd) {
  if (fd >> 0 !== fd || fd < 0) {
    const { ERR_INVALID_FD } = require("internal/errors");
    throw new ERR_INVALID_FD(fd);
  }
  if (native.isTty(fd)) return;
  const { SystemError } = require("internal/errors/system");
  throw new SystemError("ERR_TTY_INIT_FAILED", "TTY initialization failed", {
    errno: -22, code: "EINVAL", message: "invalid argument", syscall: "uv_tty_init",
  });
}

/** A class over one of internal/stdio, whose instances are of it too when they are terminals. */
function makeClass(Class, Base, members) {
  Class.prototype = Object.create(Base.prototype, {
    constructor: { __proto__: null, value: Class, writable: true, configurable: true },
  });
  Object.assign(Class.prototype, members);
  Object.defineProperty(Class, Symbol.hasInstance, {
    __proto__: null,
    value: (v) =>
      Object.prototype.isPrototypeOf.call(Class.prototype, v) ||
      (v instanceof Base && v.isTTY === true),
  });
  return Class;
}

lazy(exports, "ReadStream", () => {
  const { StdReadable, makeReadable } = require("internal/stdio");
  function ReadStream(fd, options) {
    checkTerminal(fd);
    return Object.setPrototypeOf(makeReadable(fd, options), ReadStream.prototype);
  }
  return makeClass(ReadStream, StdReadable, {});
});

lazy(exports, "WriteStream", () => {
  const { StdWritable, makeWritable } = require("internal/stdio");
  const colors = require("internal/util/colors");
  function WriteStream(fd) {
    checkTerminal(fd);
    return Object.setPrototypeOf(makeWritable(fd), WriteStream.prototype);
  }
  return makeClass(WriteStream, StdWritable, {
    isTTY: true,
    getColorDepth: (env) => colors.colorDepth(env),
    hasColors: (count, env) => colors.hasColors(count, env),
  });
});
