// node:tty -- terminals (Node: tty). The streams are those of internal/stdio, which process.stdin
// and process.stdout are too.

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

/** Streams that process made before this module was loaded are terminals too. */
function acceptStreams(Class, isOne) {
  Object.defineProperty(Class, Symbol.hasInstance, {
    value: (v) =>
      v !== null && typeof v === "object" &&
      (Object.prototype.isPrototypeOf.call(Class.prototype, v) || (v.isTTY === true && isOne(v))),
  });
}

const isOwn = (name) => (v) => v instanceof require("internal/stdio")[name];

exports.ReadStream = function ReadStream(fd, options) {
  checkTerminal(fd);
  return Object.setPrototypeOf(
    require("internal/stdio").makeReadable(fd, options),
    exports.ReadStream.prototype,
  );
};

exports.WriteStream = function WriteStream(fd) {
  checkTerminal(fd);
  return Object.setPrototypeOf(
    require("internal/stdio").makeWritable(fd),
    exports.WriteStream.prototype,
  );
};

/** Lets the class inherit from that of the standard streams. */
function definePrototype(Class, base, members) {
  const { StdReadable, StdWritable } = require("internal/stdio");
  Class.prototype = Object.create((base === "StdReadable" ? StdReadable : StdWritable).prototype);
  Object.defineProperty(Class.prototype, "constructor", {
    value: Class, writable: true, configurable: true,
  });
  Object.assign(Class.prototype, members);
  acceptStreams(Class, isOwn(base));
}

definePrototype(exports.ReadStream, "StdReadable", {});
definePrototype(exports.WriteStream, "StdWritable", {
  isTTY: true,
  getColorDepth(env) {
    return require("internal/util/colors").colorDepth(env);
  },
  hasColors(count, env) {
    return require("internal/util/colors").hasColors(count, env);
  },
});
