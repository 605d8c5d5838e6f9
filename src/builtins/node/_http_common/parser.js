// @internal
// node:_http_common/parser -- HTTPParser as Node's binding has it, for packages that stand in for
// the network (msw, nock) and test suites.  node:http itself does not use it.
const messages = require("internal/http_parser");

const kOnMessageBegin = 0;
const kOnHeaders = 1;
const kOnHeadersComplete = 2;
const kOnBody = 3;
const kOnMessageComplete = 4;
const kOnExecute = 5;
const kOnTimeout = 6;

const REQUEST = 1;
const RESPONSE = 2;

const FLAG_KEEPS = 1;
const FLAG_UPGRADE = 2;

// What kOnHeadersComplete may return.
const SKIP_BODY = 1;
const SKIP_REST = 2;

/**
 * The callbacks are properties of the parser, by number. execute() returns how many bytes it took,
 * which are fewer than there were behind an upgrade, or the error.
 */
class HTTPParser {
  #parser = null;
  #type = 0;
  #current = null;
  #error = null;
  #isUpgraded = false;
  #hasBegun = false;

  constructor() {
    for (let i = kOnMessageBegin; i <= kOnTimeout; i++) this[i] = null;
  }

  initialize(type, resource, maxHeaderSize = 0, lenientFlags = 0) {
    if (type !== REQUEST && type !== RESPONSE) throw new TypeError("Invalid parser type");
    const size = maxHeaderSize || require("node:http").maxHeaderSize;
    this.#parser = messages.create(type === RESPONSE, size, lenientFlags !== 0);
    this.#type = type;
    this.#error = null;
    this.#isUpgraded = this.#hasBegun = false;
  }

  execute(bytes) {
    if (this.#parser === null) throw new TypeError("The parser is not initialized");
    if (this.#error !== null) return this.#error;
    if (this.#isUpgraded) return 0;
    this.#current = bytes;
    try {
      messages.feed(this.#parser, bytes);
      return this.#work(bytes);
    } finally {
      this.#current = null;
    }
  }

  #work(bytes) {
    const parser = this.#parser;
    // A callback may free the parser, or initialize it anew.
    while (this.#parser === parser && !this.#isUpgraded) {
      const event = messages.next(parser, 0);
      if (event === undefined) return bytes.length;
      if (typeof event === "number") return this.#fail(event, bytes);
      if (event[0] === 1) this.#onHead(event);
      else if (event[0] === 2) this.#onBody(event[1]);
      else this.#onEnd(event[1]);
    }
    return this.#parser === parser ? bytes.length - messages.rest(parser).length : bytes.length;
  }

  #fail(rc, bytes) {
    const used = bytes.length - messages.rest(this.#parser).length;
    const { parseError } = require("node:_http_common");
    this.#error = parseError(rc, Math.max(used, 0), bytes);
    this.#error.message = "Parse Error";
    delete this.#error.rawPacket;
    return this.#error;
  }

  #onHead([, minor, what, text, headers, flags]) {
    if (!this.#hasBegun) this[kOnMessageBegin]?.();
    this.#hasBegun = true;
    const isUpgrade = (flags & FLAG_UPGRADE) !== 0 || what === "CONNECT";
    const keeps = (flags & FLAG_KEEPS) !== 0;
    const request = this.#type === REQUEST;
    const method = request ? require("node:_http_common").methods.indexOf(what) : undefined;
    const answer = this[kOnHeadersComplete]?.(
      1, minor, headers, method, request ? text : undefined, request ? undefined : what,
      request ? undefined : text, isUpgrade, keeps,
    );
    if (answer === SKIP_BODY || answer === SKIP_REST) messages.skipBody(this.#parser);
    if (answer === SKIP_REST || (isUpgrade && (request || what === 101))) {
      this.#isUpgraded = true;
      this.#onEnd(undefined);
    }
  }

  #onBody(data) {
    this[kOnBody]?.(Buffer.from(data.buffer, data.byteOffset, data.byteLength));
  }

  #onEnd(trailers) {
    this.#hasBegun = false;
    if (trailers !== undefined) this[kOnHeaders]?.(trailers, "");
    this[kOnMessageComplete]?.();
  }

  /** The bytes have come to their end: an error if that is in the middle of a message. */
  finish() {
    if (this.#parser === null || this.#error !== null) return undefined;
    const rc = messages.finish(this.#parser);
    if (rc === 1) this.#onEnd(undefined);
    return rc < 0 ? this.#fail(rc, Buffer.alloc(0)) : undefined;
  }

  getCurrentBuffer() {
    return this.#current === null ? undefined : Buffer.from(this.#current);
  }

  close() {
    this.#parser = null;
  }

  free() {
    this.#parser = null;
  }

  remove() {}
  pause() {}
  resume() {}
  unconsume() {}

  consume() {
    throw new Error("not implemented: HTTPParser.consume");
  }
}

Object.assign(HTTPParser, {
  REQUEST, RESPONSE, kOnMessageBegin, kOnHeaders, kOnHeadersComplete, kOnBody, kOnMessageComplete,
  kOnExecute, kOnTimeout, kLenientNone: 0, kLenientHeaders: 1, kLenientChunkedLength: 2,
  kLenientKeepAlive: 4, kLenientTransferEncoding: 8, kLenientVersion: 16,
  kLenientDataAfterClose: 32, kLenientOptionalLFAfterCR: 64, kLenientOptionalCRLFAfterChunk: 128,
  kLenientOptionalCRBeforeLF: 256, kLenientSpacesAfterChunkSize: 512, kLenientAll: 1023,
});

exports.HTTPParser = HTTPParser;
