// node:tty -- terminals (Node: tty). The work is internal/stdio's.

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

// ---- Reading -----------------------------------------------------------------------------------

lazy(exports, "ReadStream", () => {
  const stdio = require("internal/stdio");

  function ReadStream(fd, options) {
    if (!(this instanceof ReadStream)) return new ReadStream(fd, options);
    checkTerminal(fd);
    stdio.FdReadable.call(this, fd, options);
    this.isRaw = false;
    this.isTTY = true;
    return undefined;
  }
  Object.setPrototypeOf(ReadStream.prototype, stdio.FdReadable.prototype);
  Object.setPrototypeOf(ReadStream, stdio.FdReadable);

  ReadStream.prototype.setRawMode = function setRawMode(flag) {
    const isRaw = !!flag;
    try {
      stdio.native.setRawMode(this.fd, isRaw);
    } catch (error) {
      this.emit("error", error);
      return this;
    }
    this.isRaw = isRaw;
    return this;
  };
  return ReadStream;
});

// ---- Writing -----------------------------------------------------------------------------------

const kSize = Symbol("size");

function sizeOf(stream) {
  try {
    return require("internal/stdio").native.windowSize(stream.fd);
  } catch {
    return undefined;
  }
}

/** Emits 'resize' when the window has another size; SIGWINCH is only heard while it matters. */
function watchSize(stream) {
  if (stream[kSize] !== undefined) return;
  stream[kSize] = sizeOf(stream) ?? [0, 0];
  process.on("SIGWINCH", () => stream._refreshSize());
}

function refreshSize() {
  const size = sizeOf(this);
  const before = this[kSize];
  if (size === undefined || before === undefined) return;
  this[kSize] = size;
  if (size[0] !== before[0] || size[1] !== before[1]) this.emit("resize");
}

/** columns or rows: the window's, unless the program has set another number. */
function dimension(i) {
  const own = Symbol("own");
  return {
    __proto__: null,
    configurable: true,
    enumerable: true,
    get() {
      if (own in this) return this[own];
      return this.fd === undefined ? undefined : sizeOf(this)?.[i];
    },
    set(value) {
      Object.defineProperty(this, own, { __proto__: null, value, configurable: true });
    },
  };
}

lazy(exports, "WriteStream", () => {
  const { SyncWritable } = require("internal/stdio");
  const colors = require("internal/util/colors");

  function WriteStream(fd) {
    if (!(this instanceof WriteStream)) return new WriteStream(fd);
    checkTerminal(fd);
    SyncWritable.call(this, fd);
    this._type = "tty";
    this.on("newListener", (name) => {
      if (name === "resize") watchSize(this);
    });
    return undefined;
  }
  Object.setPrototypeOf(WriteStream.prototype, SyncWritable.prototype);
  Object.setPrototypeOf(WriteStream, SyncWritable);

  Object.assign(WriteStream.prototype, {
    isTTY: true,
    getColorDepth: (env) => colors.colorDepth(env),
    hasColors: (count, env) => colors.hasColors(count, env),
    _refreshSize: refreshSize,
    getWindowSize() {
      return [this.columns, this.rows];
    },
    cursorTo(x, y, callback) {
      return require("internal/readline/callbacks").cursorTo(this, x, y, callback);
    },
    moveCursor(dx, dy, callback) {
      return require("internal/readline/callbacks").moveCursor(this, dx, dy, callback);
    },
    clearLine(dir, callback) {
      return require("internal/readline/callbacks").clearLine(this, dir, callback);
    },
    clearScreenDown(callback) {
      return require("internal/readline/callbacks").clearScreenDown(this, callback);
    },
    ref() {
      return this;
    },
    unref() {
      return this;
    },
  });
  Object.defineProperties(WriteStream.prototype, { columns: dimension(0), rows: dimension(1) });
  return WriteStream;
});
