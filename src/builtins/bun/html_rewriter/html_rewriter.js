// @internal
// @global HTMLRewriter
// bun:html_rewriter -- HTMLRewriter: handlers that see and change HTML as it passes.
const { makeCoded } = require("internal/errors");

const HIGH_WATER = 64 * 1024;
const PIECE = 64 * 1024; // characters that are looked at in one go

const wrong = (text) => makeCoded("TypeError", "ERR_INVALID_ARG_TYPE", text);

/** The handlers of an object that are there, bound to it. */
function pick(handlers, names) {
  const found = {};
  for (const name of names) {
    const fn = handlers[name];
    if (fn === undefined || fn === null) continue;
    if (typeof fn !== "function") throw wrong(`${name} must be a function`);
    found[name] = (argument) => fn.call(handlers, argument);
  }
  return found;
}

/** Runs a generator of promises without going back to the loop. */
function runNow(steps) {
  const { peek } = require("bun:glob");
  for (;;) {
    const { done, value } = steps.next();
    if (done) return;
    const promise = Promise.resolve(value);
    promise.catch(() => {});
    if (peek.status(promise) === "pending") require("internal/tick").processTicks();
    const state = peek.status(promise);
    if (state === "pending") {
      throw new TypeError(
        "HTMLRewriter.transform() cannot synchronously return a string because a content " +
          "handler returned a Promise that did not resolve within a microtask. Pass a Response " +
          "instead and await its body",
      );
    }
    if (state === "rejected") throw peek(promise);
  }
}

async function runLater(steps) {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return;
    await value;
  }
}

function rewriteText(handlers, text) {
  const { Rewriter } = require("bun:html_rewriter/rewriter");
  const rewriter = new Rewriter(handlers);
  runNow(rewriter.write(text, true));
  return rewriter.take();
}

/** Feeds `reader` through the handlers into `controller`; waits when somebody reads slowly. */
async function pump(handlers, reader, controller, gate) {
  const { Rewriter } = require("bun:html_rewriter/rewriter");
  const rewriter = new Rewriter(handlers);
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  const pass = async (text, isEnd) => {
    await runLater(rewriter.write(text, isEnd));
    const output = rewriter.take();
    if (output !== "") controller.enqueue(encoder.encode(output));
    if (!isEnd) await gate.wait();
  };
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (gate.isCancelled) return;
      if (done) break;
      const bytes = typeof value === "string" ? encoder.encode(value) : value;
      const text = decoder.decode(bytes, { stream: true });
      for (let at = 0; at < text.length; at += PIECE) await pass(text.slice(at, at + PIECE), false);
    }
    await pass(decoder.decode(), true);
    if (!gate.isCancelled) controller.close();
  } catch (error) {
    if (gate.isCancelled) return;
    void reader.cancel(error).catch(() => {});
    controller.error(error);
  }
}

/** A stream of what comes out.  All handlers run even if nobody reads it. */
function streamOf(handlers, body) {
  const reader = body.getReader();
  let controller;
  let open;
  const gate = {
    isCancelled: false,
    wait() {
      if (!stream.locked || controller.desiredSize > 0 || this.isCancelled) return undefined;
      return new Promise((resolve) => (open = resolve));
    },
  };
  const stream = new ReadableStream(
    {
      start(given) {
        controller = given;
      },
      pull() {
        open?.();
      },
      cancel(reason) {
        gate.isCancelled = true;
        open?.();
        return reader.cancel(reason);
      },
    },
    { highWaterMark: HIGH_WATER, size: (chunk) => chunk.byteLength },
  );
  void pump(handlers, reader, controller, gate);
  return stream;
}

function rewriteResponse(handlers, response) {
  if (response.bodyUsed) throw new TypeError("Response body already used");
  const { status, statusText } = response;
  const headers = new Headers(response.headers);
  headers.delete("content-length"); // that of what comes out is another
  const isEmpty = response.body === null;
  const body = isEmpty ? rewriteText(handlers, "") : streamOf(handlers, response.body);
  return new Response(body, { status, statusText, headers });
}

class HTMLRewriter {
  #handlers = [];

  on(selector, handlers) {
    if (selector === undefined || typeof handlers !== "object" || handlers === null) {
      throw wrong("Missing argument");
    }
    const { parse } = require("bun:html_rewriter/selector");
    const found = pick(handlers, ["element", "text", "comments"]);
    const countsTypes = `${selector}`.includes("-of-type");
    this.#handlers.push({ selector: parse(`${selector}`), countsTypes, ...found });
    return this;
  }

  onDocument(handlers) {
    if (typeof handlers !== "object" || handlers === null) throw wrong("Missing argument");
    this.#handlers.push({
      selector: undefined, ...pick(handlers, ["doctype", "comments", "text", "end"]),
    });
    return this;
  }

  transform(input) {
    if (input === undefined) throw wrong("Missing argument");
    const handlers = [...this.#handlers];
    if (typeof input === "string") return rewriteText(handlers, input);
    if (input instanceof Response) return rewriteResponse(handlers, input);
    const isView = ArrayBuffer.isView(input);
    if (!isView && !(input instanceof ArrayBuffer)) throw wrong("Expected Response or Body");
    const bytes = new TextEncoder().encode(rewriteText(handlers, new TextDecoder().decode(input)));
    return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
  }
}

exports.HTMLRewriter = HTMLRewriter;
