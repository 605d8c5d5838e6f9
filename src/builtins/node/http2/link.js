// node:http2/link -- the native session of a connection, and the bytes between it and the socket.
//
// A socket of node:net or node:tls gives up its handle: what comes in goes to the native half
// without the stream in between, and what goes out is written to the handle. Any other Duplex is
// read and written as a stream. Output is taken from the native half once per turn of the loop, or
// when what has come in was dealt with.
// @internal
const sessions = require("node:http2/http2_session");
const streams = require("node:http2/http2_stream");
const { nextTick } = require("internal/tick");
const { Handle } = require("internal/sockets");

/** Stands in for the socket at its handle. */
class Tap {
  constructor(link, socket) {
    this.link = link;
    this.socket = socket;
  }

  onOpen(handle) {
    return this.socket.onOpen(handle);
  }

  onData(bytes) {
    this.socket._unrefTimer();
    this.link.receive(bytes, true);
  }

  onEnd(handle) {
    this.socket.onEnd(handle);
    this.link.ended();
  }

  onFinish(handle) {
    return this.socket.onFinish(handle);
  }

  onDrain(handle) {
    return this.socket.onDrain?.(handle);
  }

  onError(error, handle) {
    return this.socket.onError(error, handle);
  }

  onClose(handle) {
    return this.socket.onClose(handle);
  }

  onSecure(handle) {
    return this.socket.onSecure(handle);
  }

  onTimeout(handle) {
    return this.socket.onTimeout?.(handle);
  }

  onTls(event, value, handle) {
    return this.socket.onTls(event, value, handle);
  }
}

const kOptionNames = ["maxDeflateDynamicTableSize", "maxReservedRemoteStreams",
  "maxSendHeaderBlockLength", "peerMaxConcurrentStreams", "paddingStrategy", "maxHeaderListPairs",
  "maxOutstandingPings", "maxOutstandingSettings", "maxSessionMemory", "maxSettings",
  "streamResetBurst", "streamResetRate"];
/** Zero would mean that nothing is allowed. */
const kAtLeastOne = new Set(["maxOutstandingSettings", "maxSessionMemory", "maxSettings",
  "streamResetBurst", "streamResetRate"]);

function nativeOptions(options) {
  const list = kOptionNames.map((name) => {
    const value = options[name];
    if (typeof value !== "number") return undefined;
    return kAtLeastOne.has(name) ? Math.max(1, value) : value;
  });
  list.push(options.strictFieldWhitespaceValidation === false ? 1 : undefined);
  return list;
}

class Link {
  bytesOut = 0;
  /** Streams whose last write may turn out to be their end. */
  ending = [];
  #flushSoon = () => {
    this.#isScheduled = false;
    this.flush();
  };
  #socket;
  #handle = null;
  #isScheduled = false;
  #isFlushing = false;
  #isReceiving = false;
  #isWaiting = false;
  #whenOut = null;
  #wrote = [];
  #whenReceived = [];

  /** handler(event, id, a, b): see http2.h. onError(errno): the connection cannot go on. */
  constructor(isServer, options, handler, onError) {
    this.session = sessions.create(isServer, nativeOptions(options));
    this.handler = handler;
    this.onError = onError;
  }

  /** Takes over a connected socket. */
  consume(socket) {
    this.#socket = socket;
    const handle = socket._handle;
    if (handle instanceof Handle && handle.owner === socket && !handle.isClosed) {
      this.#handle = handle;
      handle.owner = new Tap(this, socket);
      handle.readStart();
    } else {
      socket.on("data", (chunk) => this.receive(chunk, false));
      socket.on("end", () => this.ended());
    }
    // What was read before a listener could be there.
    nextTick(() => this.#takeBuffered());
  }

  #takeBuffered() {
    const socket = this.#socket;
    if (this.#handle !== null) {
      for (let chunk; socket.readableLength > 0 && (chunk = socket.read()) !== null;) {
        this.receive(chunk, false);
      }
    }
    // The end of the stream is noticed only by those who read.
    if (!socket.destroyed) socket.resume();
  }

  /** hasTicks: it comes from the loop, not from the program. */
  receive(chunk, hasTicks) {
    if (this.session === null) return;
    const bytes = typeof chunk === "string" ? require("node:buffer").Buffer.from(chunk) : chunk;
    this.#isReceiving = true;
    let rc;
    try {
      rc = sessions.receive(this.session, this.handler, bytes, hasTicks);
    } finally {
      this.#isReceiving = false;
    }
    if (rc < 0 && this.session !== null) this.onError(rc);
    if (this.session === null) return;
    // What the program does about it has been done; or it will be.
    if (hasTicks) this.#received();
    else nextTick(() => this.#received());
  }

  #received() {
    this.flush();
    const actions = this.#whenReceived;
    this.#whenReceived = [];
    for (const action of actions) action();
  }

  /** Runs the action at once, or when what has come in was dealt with and answered. */
  whenReceived(action) {
    if (this.#isReceiving) this.#whenReceived.push(action);
    else action();
  }

  /** The peer will send no more: nothing can come of this connection. */
  ended() {
    const socket = this.#socket;
    if (this.session === null || socket.destroyed) return;
    nextTick(() => {
      if (!socket.destroyed) socket.destroy();
    });
  }

  schedule() {
    if (this.#isScheduled || this.#isFlushing) return;
    this.#isScheduled = true;
    setImmediate(this.#flushSoon);
  }

  /** Sends what there is. */
  flush() {
    if (this.#isFlushing || this.#isReceiving || this.session === null) return;
    if (this.#isWaiting) return;
    this.#isFlushing = true;
    try {
      for (;;) {
        this.#checkEnds();
        const bytes = sessions.output(this.session, this.handler);
        if (typeof bytes === "number") {
          this.onError(bytes);
          break;
        }
        if (bytes === undefined || !this.#write(bytes)) break;
        if (this.session === null) break;
      }
    } finally {
      this.#isFlushing = false;
    }
    if (!this.#isWaiting) this.#tellWrote();
    this.#checkOut();
  }

  #tellWrote() {
    const wrote = this.#wrote;
    this.#wrote = [];
    for (const stream of wrote) stream.onWrote();
  }

  /** What the stream has written is in frames; it may go on when these are on their way. */
  wrote(stream) {
    if (this.#isFlushing) this.#wrote.push(stream);
    else stream.onWrote();
  }

  #checkEnds() {
    while (this.ending.length > 0) {
      const list = this.ending;
      this.ending = [];
      for (const stream of list) stream.checkEnd();
    }
  }

  /** False: no more for now; flush() is called when there is room. */
  #write(bytes) {
    const socket = this.#socket;
    this.bytesOut += bytes.length;
    if (socket.destroyed) return true;
    const goOn = () => {
      this.#isWaiting = false;
      this.#tellWrote();
      this.flush();
    };
    this.#isWaiting = true;
    if (this.#handle !== null && socket._handle === this.#handle) {
      socket._unrefTimer();
      if (this.#handle.write(bytes, false, goOn)) this.#isWaiting = false;
    } else socket.write(bytes, goOn);
    return !this.#isWaiting;
  }

  /** Whether anything has still to be sent. */
  get isPending() {
    if (this.session === null) return false;
    return this.#isWaiting || (sessions.wants(this.session) & 1) !== 0;
  }

  #checkOut() {
    if (this.#whenOut === null || this.#isWaiting) return;
    const callback = this.#whenOut;
    this.#whenOut = null;
    this.#drop();
    nextTick(callback);
  }

  /** Sends the last frame, unless the socket is gone, and calls back when that is done. */
  finish(code, callback) {
    const { session } = this;
    if (session === null || this.#socket.destroyed) {
      this.#drop();
      nextTick(callback);
      return;
    }
    sessions.terminate(session, code);
    this.#whenOut = callback;
    this.onError = () => {};
    // When the socket fails meanwhile, nothing more will go out.
    this.#socket.once("close", () => {
      this.#isWaiting = false;
      this.#checkOut();
    });
    if (this.#isFlushing || this.#isReceiving) setImmediate(() => this.flush());
    else this.flush();
  }

  #drop() {
    const { session } = this;
    this.session = null;
    if (session !== null) sessions.destroy(session);
    this.handler = undefined;
    const handle = this.#handle;
    if (handle !== null && handle.owner instanceof Tap) handle.owner = this.#socket;
  }

  // ---- Natives

  /** Calls one of those that may have something to send afterwards. */
  call(name, ...args) {
    if (this.session === null) return 0;
    const result = sessions[name](this.session, ...args);
    this.schedule();
    return result;
  }

  ask(name, ...args) {
    return this.session === null ? undefined : sessions[name](this.session, ...args);
  }

  stream(name, id, ...args) {
    if (this.session === null) return 0;
    const result = streams[name](this.session, id, ...args);
    this.schedule();
    return result;
  }

  // Those of every request, without a list of arguments.

  respond(id, text, flags) {
    if (this.session === null) return 0;
    const result = streams.respond(this.session, id, text, flags);
    this.schedule();
    return result;
  }

  end(id) {
    if (this.session !== null && streams.end(this.session, id)) this.schedule();
  }

  read(id, on) {
    if (this.session !== null && streams.read(this.session, id, on)) this.schedule();
  }

  forget(id) {
    if (this.session !== null && streams.forget(this.session, id)) this.schedule();
  }

  write(id, data, isLatin1) {
    if (this.session === null) return -1;
    const n = streams.write(this.session, id, data, isLatin1);
    this.schedule();
    return n;
  }
}

exports.Link = Link;
