// internal/subprocess/ipc -- channels between a process and its child: `send`, 'message',
// `disconnect` (Node: internal/child_process, setupChannel).
//
// With "json" a message is a line of JSON.  With "advanced" it is four bytes of length, most
// significant first, and what node:v8 serializes.  Both are as Node and Bun have them, so that
// parent and child may be different programs.
const EventEmitter = require("node:events");
const errors = require("internal/errors");
const pipe = require("internal/pipe_end");
const { nextTick } = require("internal/tick");

const QUEUE_HIGH = 128 * 1024;
const MESSAGE_MAX = 0x7fffffff;

// ---- Texts and bytes

class JsonCodec {
  #rest = [];

  encode(message) {
    return `${JSON.stringify(message)}\n`;
  }

  /** Calls `found` with each message that is complete. */
  decode(bytes, found) {
    const { Buffer } = require("node:buffer");
    let start = 0;
    for (;;) {
      const end = bytes.indexOf(10, start);
      if (end < 0) break;
      this.#rest.push(bytes.subarray(start, end));
      const line = this.#rest.length === 1 ? this.#rest[0] : Buffer.concat(this.#rest);
      this.#rest = [];
      start = end + 1;
      const text = Buffer.from(line.buffer, line.byteOffset, line.length).toString();
      if (text !== "") found(JSON.parse(text));
    }
    if (start < bytes.length) this.#rest.push(bytes.subarray(start));
  }
}

// Before a view Node writes 0, before what is no view 1.
function advancedClasses() {
  const { DefaultDeserializer, DefaultSerializer } = require("node:v8");
  class Writer extends DefaultSerializer {
    _writeHostObject(object) {
      this.writeUint32(0);
      super._writeHostObject(object);
    }
  }
  class Reader extends DefaultDeserializer {
    _readHostObject() {
      if (this.readUint32() !== 0) throw new Error("Unable to deserialize cloned data.");
      return super._readHostObject();
    }
  }
  return { Reader, Writer };
}

let advanced;

class AdvancedCodec {
  #parts = [];
  #size = 0;
  #need = 4; // bytes until something can be done

  encode(message) {
    advanced ??= advancedClasses();
    const writer = new advanced.Writer();
    writer.writeHeader();
    writer.writeValue(message);
    const body = writer.releaseBuffer();
    const { Buffer } = require("node:buffer");
    const head = Buffer.alloc(4);
    head.writeUInt32BE(body.length);
    return Buffer.concat([head, body]);
  }

  decode(bytes, found) {
    this.#parts.push(bytes);
    this.#size += bytes.length;
    if (this.#size < this.#need) return;
    let data = require("node:buffer").Buffer.concat(this.#parts, this.#size);
    this.#need = 4;
    while (data.length >= 4) {
      const size = data.readUInt32BE(0);
      if (size > MESSAGE_MAX) throw new Error("An IPC message is too long");
      this.#need = 4 + size;
      if (data.length < this.#need) break;
      advanced ??= advancedClasses();
      const reader = new advanced.Reader(data.subarray(4, this.#need));
      reader.readHeader();
      found(reader.readValue());
      data = data.subarray(this.#need);
      this.#need = 4;
    }
    this.#parts = data.length > 0 ? [data] : [];
    this.#size = data.length;
  }
}

// ---- The channel

/** What `child.channel` and `process.channel` show. */
class Control extends EventEmitter {
  #channel;
  #refs = 0;
  #isForced = false;

  constructor(channel) {
    super();
    this.#channel = channel;
  }

  refCounted() {
    if (++this.#refs === 1 && !this.#isForced) this.#channel.setRef(true);
  }

  unrefCounted() {
    if (--this.#refs === 0 && !this.#isForced) {
      this.#channel.setRef(false);
      this.emit("unref");
    }
  }

  ref() {
    this.#isForced = true;
    this.#channel.setRef(true);
  }

  unref() {
    this.#isForced = true;
    this.#channel.setRef(false);
  }

  get fd() {
    return this.#channel.fd;
  }
}

class Channel {
  #pipe;
  #codec;
  #target;
  #pending = []; // messages that nobody listens for yet
  #queued = 0;
  #isClosed = false;
  #hasClosed = false;
  #fds = []; // that have come, in the order of their messages
  #sent = []; // what to do when a handle has arrived at the other side
  #later = []; // sends that wait, with what is before them

  constructor(target, fd, mode) {
    this.#target = target;
    this.#codec = mode === "advanced" ? new AdvancedCodec() : new JsonCodec();
    this.#pipe = pipe.open(fd, true);
    pipe.readStart(this.#pipe, (bytes, code, fds) => this.#onRead(bytes, fds));
  }

  get fd() {
    return pipe.fd(this.#pipe);
  }

  setRef(isRef) {
    pipe.setRef(this.#pipe, isRef);
  }

  #onRead(bytes, fds) {
    if (fds !== undefined) this.#fds.push(...fds);
    if (bytes === null) {
      this.close();
      return;
    }
    try {
      this.#codec.decode(bytes, (message) => this.#receive(message));
    } catch (error) {
      this.close();
      nextTick(() => this.#target.emit("error", error));
    }
  }

  #receive(message) {
    const cmd = message !== null && typeof message === "object" ? message.cmd : undefined;
    if (cmd === "NODE_HANDLE_ACK") {
      this.#sent.shift()?.();
      return;
    }
    if (cmd !== "NODE_HANDLE") {
      this.#deliver(message, undefined);
      return;
    }
    this.send({ cmd: "NODE_HANDLE_ACK" });
    const fd = this.#fds.shift();
    if (fd === undefined) {
      this.#deliver(message.msg, undefined);
      return;
    }
    const { unwrap } = require("internal/subprocess/handles");
    unwrap(message, fd, (inner, handle) => this.#deliver(inner, handle));
  }

  #deliver(message, handle) {
    const name =
      message !== null && typeof message === "object" && typeof message.cmd === "string" &&
      message.cmd.startsWith("NODE_")
        ? "internalMessage"
        : "message";
    if (name === "message" && this.#target.listenerCount("message") === 0) {
      this.#pending.push([message, handle]);
      return;
    }
    nextTick(() => this.#target.emit(name, message, handle));
  }

  /** Somebody listens now. */
  flush() {
    const pending = this.#pending;
    this.#pending = [];
    for (const { 0: message, 1: handle } of pending) {
      nextTick(() => this.#target.emit("message", message, handle));
    }
  }

  /** The same as send, with a descriptor. */
  sendHandle({ message, fd, finish }, done) {
    this.#sent.push(finish ?? (() => {}));
    return this.send(message, done, fd);
  }

  /** Returns whether there is room for more; `done(error)` when it is written. */
  send(message, done, fd) {
    // A descriptor cannot wait in the native queue.
    if (this.#later.length > 0 || (fd !== undefined && this.#queued > 0)) {
      this.#later.push([message, done, fd]);
      return false;
    }
    const data = this.#codec.encode(message);
    const size = data.length;
    this.#queued += size;
    const code = pipe.write(this.#pipe, data, (failed) => {
      this.#queued -= size;
      done?.(failed === 0 ? null : this.#errorOf(failed));
      this.#sendLater();
    }, fd);
    if (code === 1) {
      this.#queued -= size;
      if (done !== undefined) nextTick(done, null);
    } else if (code < 0) {
      this.#queued -= size;
      const error = this.#errorOf(code);
      nextTick(() => (done === undefined ? this.#target.emit("error", error) : done(error)));
    }
    return this.#queued < QUEUE_HIGH;
  }

  #sendLater() {
    while (this.#later.length > 0 && this.#queued === 0) {
      const waiting = this.#later;
      this.#later = [];
      for (const { 0: message, 1: done, 2: fd } of waiting) this.send(message, done, fd);
      if (this.#later.length > 0) return;
    }
  }

  #errorOf(code) {
    return require("internal/errors/system").errnoException(code, "write");
  }

  close() {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#target.connected = false;
    this.#target.channel = null;
    this.#target._channel = null;
    // Descriptors that nobody will take are not kept open.
    for (const fd of this.#fds) require("internal/subprocess").closeFd(fd);
    for (const finish of this.#sent) finish();
    this.#fds = [];
    this.#sent = [];
    pipe.close(this.#pipe, () => {
      if (this.#hasClosed) return;
      this.#hasClosed = true;
      this.#target.emit("disconnect");
    });
  }
}

function checkMessage(message, mode) {
  if (message === undefined) throw new errors.ERR_MISSING_ARGS("message");
  if (mode === "advanced") return;
  const type = typeof message;
  if (type !== "string" && type !== "object" && type !== "number" && type !== "boolean") {
    throw new errors.ERR_INVALID_ARG_TYPE(
      "message", ["string", "object", "number", "boolean"], message,
    );
  }
}

/** Gives `target` (a ChildProcess or process) a channel over `fd`, which is taken. */
exports.setUp = function setUp(target, fd, mode) {
  const channel = new Channel(target, fd, mode);
  const control = new Control(channel);
  target.channel = control;
  target._channel = control;
  target.connected = true;
  target._send = target.send = function send(message, handle, options, callback) {
    if (typeof handle === "function") [callback, handle, options] = [handle, undefined, undefined];
    else if (typeof options === "function") [callback, options] = [options, undefined];
    else if (options !== undefined) {
      require("internal/validators").validateObject(options, "options");
    }
    if (!target.connected) {
      const error = new errors.ERR_IPC_CHANNEL_CLOSED();
      if (typeof callback === "function") nextTick(callback, error);
      else nextTick(() => target.emit("error", error));
      return false;
    }
    checkMessage(message, mode);
    const done = typeof callback === "function" ? callback : undefined;
    if (handle === undefined || handle === null) return channel.send(message, done);
    const { wrap } = require("internal/subprocess/handles");
    const wrapped = wrap(message, handle, options);
    if (wrapped === undefined) return channel.send(message, done);
    return channel.sendHandle(wrapped, done);
  };
  target.disconnect = function disconnect() {
    if (!target.connected) {
      target.emit("error", new errors.ERR_IPC_DISCONNECTED());
      return;
    }
    target._disconnect();
  };
  target._disconnect = () => channel.close();
  target.on("newListener", (name) => {
    if (name === "message") nextTick(() => channel.flush());
  });
  return control;
};

/** In a child: the channel keeps the process alive while somebody listens. */
exports.setUpProcess = function setUpProcess(process, fd, mode) {
  const control = exports.setUp(process, fd, mode);
  control.unref = control.unref.bind(control);
  control.refCounted();
  control.unrefCounted();
  const counts = (name) => name === "message" || name === "disconnect";
  process.on("newListener", (name) => counts(name) && control.refCounted());
  process.on("removeListener", (name) => counts(name) && control.unrefCounted());
  // A worker of node:cluster says that it is there, also when it does not ask for the module.
  nextTick(() => Object.hasOwn(process.env, "NODE_UNIQUE_ID") && require("node:cluster"));
};
