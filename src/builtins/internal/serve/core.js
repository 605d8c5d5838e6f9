// internal/serve/core -- a running server: requests to handlers, answers back, and what a request
// that
// takes longer needs.

const host = require("internal/http_host");
const { makeRequest } = require("web/fetch/request");
const { isResponse } = require("web/fetch/response");
const { Parts, BunRequest } = require("internal/serve/request");
const { send } = require("internal/serve/respond");
const { kEvents } = host;
const http = host.native;
const promiseThen = Promise.prototype.then;
const { apply } = Reflect;

function closedError() {
  const { DOMException } = globalThis;
  return new DOMException("The connection was closed.", "AbortError");
}

class Core {
  sid = -1;
  isSecure = false;
  authority = "localhost";
  server = null;
  /** From the options; all of them change with reload(). */
  fetch = null;
  error = null;
  routes = null;
  websocket = null;
  isDevelopment = true;
  /** What requests that are not answered at once need, by id. */
  records = new Map();
  sockets = null;
  topics = null;
  href = "";
  onStopped = null;

  open() {
    this.sid = http.open(
      (id, raw, info, length) => this.#onRequest(id, raw, info, length),
      (id, event, value) => this.#onEvent(id, event, value),
    );
  }

  #onRequest(id, raw, info, length) {
    const parts = new Parts(this, id, raw, info, length);
    if (this.routes !== null && this.#route(parts)) return;
    const { fetch, server } = this;
    const request = makeRequest(parts);
    if (fetch === null) {
      this.#notFound(parts);
      return;
    }
    let result;
    try {
      result = apply(fetch, server, [request, server]);
    } catch (error) {
      this.fail(parts, error, request);
      return;
    }
    this.settle(parts, result, request);
  }

  #notFound(parts) {
    const { Response } = globalThis;
    send(this, parts, new Response(null, { status: 404 }));
  }

  /** Sends what a handler has returned. */
  settle(parts, result, request) {
    if (isResponse(result)) {
      try {
        send(this, parts, result);
      } catch (error) {
        this.fail(parts, error, request);
      }
      return;
    }
    if (result instanceof Promise) {
      apply(promiseThen, result, [
        (value) => {
          if (isResponse(value)) this.settle(parts, value, request);
          else this.#noResponse(parts, value);
        },
        (error) => this.fail(parts, error, request),
      ]);
      return;
    }
    this.#noResponse(parts, result);
  }

  #noResponse(parts, value) {
    if (parts.isUpgraded) return;
    require("internal/serve/errors").sendNoResponse(this, parts, value);
  }

  /** A route answers; false: the fetch handler does. */
  #route(parts) {
    let target = this.routes.find(parts.path(), parts);
    if (target === undefined) return false;
    if (target.methods !== undefined) {
      const { methods } = target;
      target = methods[parts.method] ?? (parts.method === "HEAD" ? methods.GET : undefined);
      if (target === undefined) return false;
    }
    if (target.isSkipped) return false;
    if (target.handler === undefined) {
      return require("internal/serve/static").answerStatic(this, parts, target);
    }
    const request = makeRequest(parts, BunRequest);
    let result;
    try {
      result = apply(target.handler, this.server, [request, this.server]);
    } catch (error) {
      this.fail(parts, error, request);
      return true;
    }
    this.settle(parts, result, request);
    return true;
  }

  // ---- Errors

  /** The handler has thrown, or its response cannot be sent. */
  fail(parts, error, request) {
    require("internal/serve/errors").fail(this, parts, error, request);
  }

  printError(error) {
    require("internal/report/print").printHandled(error);
  }

  closeSockets() {
    for (const { socket } of [...this.sockets.values()]) socket.terminate();
  }

  // ---- Requests that take longer

  makeRecord(id) {
    let record = this.records.get(id);
    if (record === undefined) {
      record = {
        body: undefined, bytes: undefined, drain: undefined, signal: undefined, abort: undefined,
        error: undefined,
      };
      this.records.set(id, record);
    }
    return record;
  }

  recordOf(id) {
    return this.records.get(id);
  }

  forget(id) {
    this.records.delete(id);
  }

  /** The body as soon as all of it is there. */
  waitForBody(id, data, isText) {
    const record = this.makeRecord(id);
    if (data === null) return Promise.reject(record.error ?? closedError());
    return new Promise((resolve, reject) => {
      record.body = { resolve, reject, isText };
    });
  }

  waitForBytes(id) {
    const record = this.makeRecord(id);
    return new Promise((resolve) => {
      record.bytes = resolve;
    });
  }

  waitForDrain(id) {
    const record = this.makeRecord(id);
    return new Promise((resolve) => {
      record.drain = resolve;
    });
  }

  signalOf(id) {
    const record = this.makeRecord(id);
    record.signal ??= require("web/abort").makeSignal();
    return record.signal;
  }

  #onEvent(id, event, value) {
    if (this.sockets !== null && this.sockets.has(id)) {
      this.sockets.get(id).onEvent(event, value);
      return;
    }
    if (event === kEvents.STOPPED) {
      this.onStopped?.();
      return;
    }
    const record = this.records.get(id);
    if (record === undefined) return;
    if (event === kEvents.BODY) this.#onBody(id, record);
    else if (event === kEvents.DRAIN) take(record, "drain")?.();
    else if (event === kEvents.ABORT) this.#onAbort(id, record, value);
  }

  #onBody(id, record) {
    const bytes = take(record, "bytes");
    if (bytes !== undefined) bytes();
    const body = take(record, "body");
    if (body === undefined) return;
    body.resolve(http.readAll(this.sid, id, body.isText));
  }

  #onAbort(id, record, rc) {
    const error = rc === -90 ? tooLarge() : closedError();
    record.error = error;
    take(record, "body")?.reject(error);
    take(record, "bytes")?.();
    take(record, "drain")?.();
    take(record, "abort")?.(error);
    const signal = record.signal;
    this.records.delete(id);
    if (signal !== undefined) require("web/abort").abortSignal(signal, error);
  }
}

function tooLarge() {
  return require("internal/errors").makeCoded(
    "Error", "ERR_BODY_TOO_LARGE", "Request body exceeded maxRequestBodySize",
  );
}

/** The callback is called once. */
function take(record, key) {
  const value = record[key];
  record[key] = undefined;
  return value;
}

exports.Core = Core;
