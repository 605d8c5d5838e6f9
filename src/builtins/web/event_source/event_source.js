// @global EventSource
// web/event_source -- EventSource (HTML Standard, section 9.2) over fetch(), with `headers`.

const errors = require("internal/errors");
const { defineInterface } = require("internal/webidl/interface");
const { Event, EventTarget, defineEventHandler, fire, makeTrusted } = require("web/events");
const { MessageEvent } = require("web/events/kinds");

const CONNECTING = 0;
const OPEN = 1;
const CLOSED = 2;
const RETRY_MS = 3000;
const LINE_MAX = 1 << 24; // characters of an event, then the stream is given up
const kDigits = /^[0-9]+$/;

/** Cuts a stream of text into events and calls `onEvent({ type, data, id })`. */
class Parser {
  constructor(onEvent, onRetry) {
    this.onEvent = onEvent;
    this.onRetry = onRetry;
    this.rest = "";
    this.isFirst = true;
    this.lastId = "";
    this.clear();
  }

  clear() {
    this.data = "";
    this.type = "";
    this.hasData = false;
  }

  /** false: too much for one event. */
  add(text) {
    let all = this.rest + text;
    if (this.isFirst && all !== "") {
      this.isFirst = false;
      if (all.charCodeAt(0) === 0xfeff) all = all.slice(1);
    }
    const line = /\r\n|\n|\r(?!$)/g;
    let start = 0;
    for (let end = line.exec(all); end !== null; end = line.exec(all)) {
      this.line(all.slice(start, end.index));
      start = line.lastIndex;
    }
    this.rest = all.slice(start);
    return this.rest.length + this.data.length <= LINE_MAX;
  }

  line(text) {
    if (text === "") {
      this.dispatch();
      return;
    }
    const colon = text.indexOf(":");
    if (colon === 0) return;
    const field = colon < 0 ? text : text.slice(0, colon);
    let value = colon < 0 ? "" : text.slice(colon + 1);
    if (value[0] === " ") value = value.slice(1);
    if (field === "data") {
      this.data += `${value}\n`;
      this.hasData = true;
    } else if (field === "event") this.type = value;
    else if (field === "id" && !value.includes("\0")) this.lastId = value;
    else if (field === "retry" && kDigits.test(value)) this.onRetry(Number(value));
  }

  dispatch() {
    const { data, hasData, type } = this;
    this.clear();
    if (!hasData) return;
    this.onEvent({ type: type || "message", data: data.slice(0, -1), id: this.lastId });
  }
}

class EventSource extends EventTarget {
  #url;
  #withCredentials;
  #headers;
  #fetch;
  #state = CONNECTING;
  #retry = RETRY_MS;
  #lastId = "";
  #abort = null;
  #timer = undefined;

  constructor(url, eventSourceInitDict = undefined) {
    super();
    if (arguments.length === 0) throw new errors.ERR_MISSING_ARGS("url");
    const { URL } = require("web/url");
    try {
      this.#url = new URL(`${url}`).href;
    } catch {
      const { DOMException } = require("web/exception");
      throw new DOMException(`Invalid url for EventSource ${url}`, "SyntaxError");
    }
    this.#withCredentials = !!eventSourceInitDict?.withCredentials;
    this.#headers = eventSourceInitDict?.headers;
    this.#fetch = eventSourceInitDict?.fetch ?? require("web/fetch").fetch;
    this.#connect();
  }

  static #of(value) {
    if (typeof value !== "object" || value === null || !(#state in value)) {
      throw new errors.ERR_INVALID_THIS("EventSource");
    }
    return value;
  }

  get url() {
    return EventSource.#of(this).#url;
  }

  get withCredentials() {
    return EventSource.#of(this).#withCredentials;
  }

  get readyState() {
    return EventSource.#of(this).#state;
  }

  close() {
    const self = EventSource.#of(this);
    self.#state = CLOSED;
    require("node:timers").clearTimeout(self.#timer);
    self.#abort?.abort();
  }

  async #connect() {
    const { AbortController } = require("web/abort");
    const { Headers } = require("web/headers");
    const controller = new AbortController();
    this.#abort = controller;
    const headers = new Headers(this.#headers ?? undefined);
    headers.set("accept", "text/event-stream");
    headers.set("cache-control", "no-store");
    if (this.#lastId !== "") headers.set("last-event-id", this.#lastId);
    try {
      const response = await this.#fetch.call(undefined, this.#url, {
        headers, signal: controller.signal, timeout: false,
      });
      const type = response.headers.get("content-type") ?? "";
      if (response.status !== 200 || !/^text\/event-stream(?:;|$)/i.test(type.trim())) {
        controller.abort();
        this.#fail();
        return;
      }
      await this.#read(response);
    } catch {
      // Whatever went wrong on the way: the connection is made again.
    }
    this.#reconnect();
  }

  async #read(response) {
    if (this.#state === CLOSED) return;
    this.#state = OPEN;
    fire(this, makeTrusted(new Event("open")));
    const { origin } = new (require("web/url").URL)(response.url);
    const parser = new Parser(({ type, data, id }) => {
      this.#lastId = id;
      if (this.#state === CLOSED) return;
      fire(this, makeTrusted(new MessageEvent(type, { data, origin, lastEventId: id })));
    }, (ms) => {
      this.#retry = ms;
    });
    parser.lastId = this.#lastId;
    const decoder = new (require("web/encoding").TextDecoder)("utf-8", { ignoreBOM: true });
    for await (const chunk of response.body ?? []) {
      if (this.#state === CLOSED) return;
      if (!parser.add(decoder.decode(chunk, { stream: true }))) throw new Error("too long");
    }
  }

  #fail() {
    if (this.#state === CLOSED) return;
    this.#state = CLOSED;
    fire(this, makeTrusted(new Event("error")));
  }

  #reconnect() {
    if (this.#state === CLOSED) return;
    this.#state = CONNECTING;
    fire(this, makeTrusted(new Event("error")));
    if (this.#state === CLOSED) return;
    this.#timer = require("node:timers").setTimeout(() => this.#connect(), this.#retry);
  }
}

for (const name of ["open", "message", "error"]) defineEventHandler(EventSource, name);
defineInterface(EventSource, { CONNECTING, OPEN, CLOSED });

exports.EventSource = EventSource;
