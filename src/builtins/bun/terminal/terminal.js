// @internal
// bun:terminal -- Bun.Terminal: pseudo-terminals for programs that want one.
//
// native: open(cols, rows) -> [our side, terminal] or -errno; resize(fd, cols, rows);
// flags(fd, Uint32Array(4)), setFlags(fd, Uint32Array(4)); flush(fd)
const child = require("internal/subprocess");
const pipeEnd = require("internal/pipe_end");
const { makeCoded } = require("internal/errors");

const DETACHED_WITH_TERMINAL = child.FLAG_CTTY;
const PIECE = 1024; // that is under way to the terminal at once
/** Flags at the beginning: what is usual on a terminal that people sit at. */
const FLAGS = [0x6d02, 0x5, 0x8a3b, 0x4bf];
/** What raw mode switches off: of input, output, local; and 8 bits are a character. */
const RAW_OFF = [0x5eb, 0x1, 0x804b];
const CHARACTER_SIZE = 0x30;
const PARITY = 0x100;

const sizeOf = (value, fallback) =>
  Number.isInteger(value) && value > 0 && value <= 65535 ? value : fallback;

const bytesOf = (data) => {
  if (typeof data === "string") return Buffer.from(data);
  if (data instanceof ArrayBuffer || data instanceof SharedArrayBuffer) {
    return Buffer.from(new Uint8Array(data));
  }
  if (!ArrayBuffer.isView(data)) {
    throw new Error("write() argument must be a string or ArrayBuffer");
  }
  return Buffer.from(Buffer.from(data.buffer, data.byteOffset, data.byteLength));
};

/** For Bun.spawn, see the end of the file. */
let hooks;

class Terminal {
  #handle;
  #fd;
  #tty;
  #options;
  #queue = []; // Buffers that are not written
  #isWriting = false;
  #isClosed = false;
  #hasEnded = false;
  #nChildren = 0;
  #before; // flags without raw mode

  constructor(options) {
    if (typeof options !== "object" || options === null) {
      throw new Error("Terminal constructor requires an options object");
    }
    const { data, exit, drain } = options;
    const isFunction = (value) => typeof value === "function";
    this.#options = {
      data: isFunction(data) ? data : undefined,
      exit: isFunction(exit) ? exit : undefined,
      drain: isFunction(drain) ? drain : undefined,
    };
    const pair = native.open(sizeOf(options.cols, 80), sizeOf(options.rows, 24));
    if (typeof pair === "number") {
      throw require("internal/errors/system").errnoException(pair, "openpty");
    }
    [this.#fd, this.#tty] = pair;
    native.setFlags(this.#fd, Uint32Array.from(FLAGS));
    this.#handle = pipeEnd.open(this.#fd, false);
    pipeEnd.readStart(this.#handle, (bytes) => this.#onRead(bytes));
  }

  #onRead(bytes) {
    if (bytes === null) {
      this.#end(1); // nobody has the terminal open any more
      return;
    }
    this.#options.data?.(this, Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length));
  }

  #end(status) {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#queue = [];
    pipeEnd.setRef(this.#handle, false);
    this.#options.exit?.(this, status, null);
  }

  #check() {
    if (this.#isClosed) throw new Error("Terminal is closed");
  }

  get closed() {
    return this.#isClosed;
  }

  /** Takes all of it; `drain` is called when it has been written. */
  write(data) {
    this.#check();
    if (data === undefined) throw new Error("write() requires data argument");
    const bytes = bytesOf(data);
    for (let at = 0; at < bytes.length; at += PIECE) {
      this.#queue.push(bytes.subarray(at, at + PIECE));
    }
    this.#writeMore();
    return bytes.length;
  }

  #writeMore() {
    if (this.#isWriting) return;
    while (this.#queue.length > 0) {
      const code = pipeEnd.write(this.#handle, this.#queue.shift(), () => {
        this.#isWriting = false;
        this.#writeMore();
      });
      if (code < 0) this.#queue = [];
      this.#isWriting = code === 0;
      if (this.#isWriting) return;
    }
    const { drain } = this.#options;
    if (drain !== undefined && !this.#isClosed) {
      require("internal/tick").nextTick(() => drain(this));
    }
  }

  resize(cols, rows) {
    this.#check();
    for (const [value, name] of [[cols, "cols"], [rows, "rows"]]) {
      if (sizeOf(value, 0) === 0) throw new Error(`resize() requires valid ${name} argument`);
    }
    const code = native.resize(this.#fd, cols, rows);
    if (code < 0) throw require("internal/errors/system").errnoException(code, "ioctl");
  }

  setRawMode(isRaw) {
    this.#check();
    const flags = new Uint32Array(4);
    if (native.flags(this.#fd, flags) < 0) return;
    if (isRaw && this.#before === undefined) {
      this.#before = flags.slice();
      RAW_OFF.forEach((off, i) => (flags[i] &= ~off));
      flags[3] = (flags[3] & ~PARITY) | CHARACTER_SIZE;
    } else if (!isRaw && this.#before !== undefined) {
      flags.set(this.#before);
      this.#before = undefined;
    }
    native.setFlags(this.#fd, flags);
  }

  #flag(i) {
    const flags = new Uint32Array(4);
    if (!this.#isClosed) native.flags(this.#fd, flags);
    return flags[i];
  }

  #setFlag(i, value) {
    const flags = new Uint32Array(4);
    if (this.#isClosed || native.flags(this.#fd, flags) < 0) return;
    flags[i] = value;
    native.setFlags(this.#fd, flags);
  }

  get inputFlags() {
    return this.#flag(0);
  }

  set inputFlags(value) {
    this.#setFlag(0, value);
  }

  get outputFlags() {
    return this.#flag(1);
  }

  set outputFlags(value) {
    this.#setFlag(1, value);
  }

  get localFlags() {
    return this.#flag(2);
  }

  set localFlags(value) {
    this.#setFlag(2, value);
  }

  get controlFlags() {
    return this.#flag(3);
  }

  set controlFlags(value) {
    this.#setFlag(3, value);
  }

  ref() {
    if (!this.#isClosed && !this.#hasEnded) pipeEnd.setRef(this.#handle, true);
  }

  unref() {
    if (!this.#isClosed) pipeEnd.setRef(this.#handle, false);
  }

  close() {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#queue = [];
    // What nobody reads would keep a write waiting.
    if (this.#isWriting) native.flush(this.#fd);
    this.#release();
    pipeEnd.close(this.#handle);
    require("internal/tick").nextTick(() => this.#end(0));
  }

  async [Symbol.asyncDispose]() {
    this.close();
  }

  #release() {
    if (this.#tty >= 0) child.closeFd(this.#tty);
    this.#tty = -1;
  }

  static {
    hooks = {
      begin(terminal) {
        const flags = terminal.#nChildren++ === 0 ? DETACHED_WITH_TERMINAL : 0;
        return { tty: terminal.#tty, flags };
      },
      end: (terminal) => void terminal.#nChildren--,
      release: (terminal) => terminal.#release(),
    };
  }
}

const wrong = (text) => makeCoded("TypeError", "ERR_INVALID_ARG_TYPE", text);

/** The option `terminal` of Bun.spawn: an open Terminal, or options of a new one. */
exports.of = function of(option) {
  if (option instanceof Terminal) {
    if (option.closed) throw wrong("terminal is closed");
    return option;
  }
  if (typeof option !== "object" || option === null) {
    throw wrong("terminal must be a Terminal object or options object");
  }
  return new Terminal(option);
};
/** { tty, flags } for a child; only one at a time has it as its controlling terminal. */
exports.begin = hooks.begin;
/** A child has ended. */
exports.end = hooks.end;
/** Closes our copy of the terminal's side: when the children's are closed, too, it has ended. */
exports.release = hooks.release;
exports.Terminal = Terminal;
