// node:_http_incoming -- IncomingMessage: a request that a server has, a response that a client
// has.
//
// Where the bytes come from is behind `kSource`: an object with read(message), dump(message),
// destroy(message, error) and socket(). Headers are made from the raw list when somebody asks.

const { Readable } = require("internal/streams/readable");
const { nextTick } = require("internal/tick");

const kHeaders = Symbol("kHeaders");
const kHeadersDistinct = Symbol("kHeadersDistinct");
const kTrailers = Symbol("kTrailers");
const kTrailersDistinct = Symbol("kTrailersDistinct");
const kRaw = Symbol("kRaw");
const kSource = Symbol("kSource");
const kSocket = Symbol("kSocket");

/** Of these the first one counts (Node: message.headers). */
const kFirstOnly = new Set([
  "age", "authorization", "content-length", "content-type", "etag", "expires", "from", "host",
  "if-modified-since", "if-unmodified-since", "last-modified", "location", "max-forwards",
  "proxy-authorization", "referer", "retry-after", "server", "user-agent",
]);

function addHeaderLine(field, value, dest, joins) {
  const name = field.toLowerCase();
  const old = dest[name];
  if (name === "set-cookie") {
    if (old !== undefined) old.push(value);
    else dest[name] = [value];
  } else if (typeof old !== "string") dest[name] = value;
  else if (name === "cookie") dest[name] = `${old}; ${value}`;
  else if (joins || !kFirstOnly.has(name)) dest[name] = `${old}, ${value}`;
}

function addHeaderLineDistinct(field, value, dest) {
  const name = field.toLowerCase();
  if (dest[name] === undefined) dest[name] = [value];
  else dest[name].push(value);
}

function toHeaders(list, joins) {
  const dest = {};
  for (let i = 0; i < list.length; i += 2) addHeaderLine(list[i], list[i + 1], dest, joins);
  return dest;
}

function toDistinct(list) {
  const dest = { __proto__: null };
  for (let i = 0; i < list.length; i += 2) addHeaderLineDistinct(list[i], list[i + 1], dest);
  return dest;
}

function IncomingMessage(socket) {
  Readable.call(this, socket ? { highWaterMark: socket.readableHighWaterMark } : undefined);
  this._readableState.readingMore = true;
  this[kSocket] = socket;
  this[kSource] = null;
  this[kRaw] = null;
  this[kHeaders] = null;
  this.httpVersionMajor = null;
  this.httpVersionMinor = null;
  this.httpVersion = null;
  this.complete = false;
  this.aborted = false;
  this.rawTrailers = [];
  this.joinDuplicateHeaders = false;
  this.upgrade = null;
  this.url = "";
  this.method = null;
  this.statusCode = null;
  this.statusMessage = null;
  this._consumed = false;
  this._dumped = false;
}
Object.setPrototypeOf(IncomingMessage.prototype, Readable.prototype);
Object.setPrototypeOf(IncomingMessage, Readable);

// In Node `rawHeaders` and `socket` are properties of the message, the others of its prototype.
function lazily(name, key, make) {
  Object.defineProperty(IncomingMessage.prototype, name, {
    configurable: true,
    enumerable: name === "rawHeaders" || name === "socket",
    get() {
      this[key] ??= make(this);
      return this[key];
    },
    set(value) {
      this[key] = value;
    },
  });
}

lazily("rawHeaders", kRaw, (self) => self[kSource]?.rawHeaders() ?? []);
lazily("headers", kHeaders, (self) => toHeaders(self.rawHeaders, self.joinDuplicateHeaders));
lazily("headersDistinct", kHeadersDistinct, (self) => toDistinct(self.rawHeaders));
lazily("trailers", kTrailers, (self) => toHeaders(self.rawTrailers, self.joinDuplicateHeaders));
lazily("trailersDistinct", kTrailersDistinct, (self) => toDistinct(self.rawTrailers));
lazily("socket", kSocket, (self) => self[kSource]?.socket());

Object.defineProperty(IncomingMessage.prototype, "connection", {
  configurable: true,
  enumerable: false,
  get() {
    return this.socket;
  },
  set(value) {
    this.socket = value;
  },
});

Object.defineProperty(IncomingMessage.prototype, "client", {
  configurable: true,
  get() {
    return this.socket;
  },
});

Object.defineProperty(IncomingMessage.prototype, "signal", {
  configurable: true,
  get() {
    if (this[kSignal] === undefined) {
      const controller = new AbortController();
      this[kSignal] = controller.signal;
      if (this.destroyed) controller.abort();
      else this.once("close", () => controller.abort());
    }
    return this[kSignal];
  },
});
const kSignal = Symbol("kSignal");

IncomingMessage.prototype.setTimeout = function setTimeout(msecs, callback) {
  if (callback) this.on("timeout", callback);
  this.socket?.setTimeout(msecs);
  return this;
};

IncomingMessage.prototype._read = function _read() {
  if (!this._consumed) {
    this._readableState.readingMore = false;
    this._consumed = true;
  }
  this[kSource]?.read(this);
};

/** 'aborted', the error if somebody listens, and 'close'. */
IncomingMessage.prototype._destroy = function _destroy(error, callback) {
  if (!this.readableEnded || !this.complete) {
    this.aborted = true;
    this.emit("aborted");
  }
  const source = this[kSource];
  // The connection is of no use without the rest of the message.
  if (source !== null && !this.readableEnded) {
    this[kSource] = null;
    error = source.destroy(this, error) ?? error;
  }
  if (!error && !this.readableEnded && source !== null && !this.complete) {
    const { ConnResetException } = require("internal/errors/system");
    error = new ConnResetException("aborted");
  }
  if (error && this.listenerCount("error") === 0) error = null;
  nextTick(callback, error);
};

IncomingMessage.prototype._addHeaderLines = function _addHeaderLines(headers, n) {
  if (!headers?.length) return;
  const list = headers.slice(0, n);
  if (this.complete) {
    this.rawTrailers = list;
    this[kTrailers] = null;
  } else {
    this.rawHeaders = list;
    // Headers that were set stay, and these come to them.
    const set = this[kHeaders] ?? null;
    this[kHeaders] = set;
    for (let i = 0; set !== null && i < n; i += 2) this._addHeaderLine(list[i], list[i + 1], set);
  }
};

IncomingMessage.prototype._addHeaderLine = function _addHeaderLine(field, value, dest) {
  addHeaderLine(field, value, dest, this.joinDuplicateHeaders);
};

IncomingMessage.prototype._addHeaderLineDistinct = addHeaderLineDistinct;

/** Lets what nobody has read flow away. */
IncomingMessage.prototype._dump = function _dump() {
  if (this._dumped) return;
  this._dumped = true;
  // If there is buffered data, it may trigger 'data' events: nobody wants them any more.
  this.removeAllListeners("data");
  this.resume();
};

exports.IncomingMessage = IncomingMessage;
exports.kSource = kSource;
exports.kSocket = kSocket;
exports.kRaw = kRaw;
exports.readStart = (socket) => socket?.resume?.();
exports.readStop = (socket) => socket?.pause?.();
