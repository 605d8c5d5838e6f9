// @global fetch
// web/fetch -- fetch() with the options of Bun (proxy, unix, tls, decompress, timeout, verbose,
// keepalive) over the native client.

const errors = require("internal/errors");
const { Body, kinds, takeBody } = require("web/fetch/body");
const { Headers, casesOf, listOf, wireList } = require("web/headers");
const { FLAGS, Task, native: client, start } = require("web/fetch/client");

const kHttp = /^https?:\/\//i;
const kSecure = /^https:/i;
const IDLE_MS = 300000;
const kAcceptEncoding = "gzip, deflate, br, zstd";

let userAgent;

function invalid(message, code = "ERR_INVALID_ARG_VALUE") {
  return errors.makeCoded("TypeError", code, message);
}

function toUrl(input) {
  const { URL, hrefOf, isURL } = require("web/url");
  if (isURL(input)) return hrefOf(input);
  const text = `${input}`;
  if (kHttp.test(text)) return text;
  if (text === "") throw invalid("fetch() URL must not be a blank string.", "ERR_INVALID_URL");
  try {
    return new URL(text).href;
  } catch {
    throw invalid("fetch() URL is invalid", "ERR_INVALID_URL");
  }
}

/** What a call means: { url, method, list, body, signal, redirect, extra }. */
function readCall(input, init) {
  const { isRequest, stateOf, toMethod } = require("web/fetch/request");
  let request = input;
  if (!isRequest(input)) {
    const url = toUrl(input);
    if (init === undefined || init === null) {
      return {
        url, method: "GET", list: [], cases: null, body: null, signal: null, redirect: "follow",
        extra: kNone,
      };
    }
    if (typeof init !== "object" && typeof init !== "function") {
      throw invalid("fetch() init must be an object", "ERR_INVALID_ARG_TYPE");
    }
    return readInit(url, init, toMethod);
  }
  if (init !== undefined && init !== null) {
    request = new (require("web/fetch/request").Request)(input, init);
  }
  const { url, method, headers, cases, signal, options, extra } = stateOf(request);
  const body = takeBody(request, {});
  return {
    url, method, list: headers, cases, body: body.kind === kinds.NONE ? null : body, signal,
    redirect: options.redirect, integrity: options.integrity, extra: init ?? extra ?? kNone,
  };
}

const kNone = Object.freeze({ __proto__: null });

// Options that mean nothing here, but whose values are checked as new Request() does.
const kChecked = ["mode", "credentials", "cache", "referrer", "referrerPolicy", "duplex"];

function readInit(url, init, toMethod) {
  const { body, headers, method, redirect, signal } = init;
  const own = headers === undefined || headers === null ? null : new Headers(headers);
  const call = {
    url, method: method === undefined ? "GET" : toMethod(method),
    list: own === null ? [] : listOf(own), cases: own === null ? null : casesOf(own),
    body: null, signal: signal ?? null, redirect: "follow", integrity: "", extra: init,
  };
  if (call.signal !== null && !require("web/abort").isAbortSignal(call.signal)) {
    throw new TypeError("Failed to construct 'Request': signal is not of type AbortSignal.");
  }
  if (init.integrity !== undefined) call.integrity = `${init.integrity}`;
  for (let i = 0; i < kChecked.length; i++) {
    if (init[kChecked[i]] === undefined) continue;
    require("web/fetch/request").readOptions(init, null);
    break;
  }
  if (redirect !== undefined) {
    call.redirect = `${redirect}`;
    if (!["follow", "manual", "error"].includes(call.redirect)) {
      throw invalid("redirect must be one of 'follow', 'manual' or 'error'",
        "ERR_INVALID_ARG_TYPE");
    }
  }
  if (body !== undefined && body !== null) call.body = takeBody(new Body(body), {});
  return call;
}

function has(list, name) {
  for (let i = 0; i < list.length; i += 2) if (list[i] === name) return true;
  return false;
}

/** Adds what every request of ours says. */
function completeHeaders(call) {
  const { body, extra } = call;
  const isShort = call.list.length <= 2 && call.cases === null;
  const list = isShort ? [...call.list] : wireList(call.list, call.cases);
  if (body !== null && body.type !== null && !has(call.list, "content-type")) {
    list.push("Content-Type", body.type);
  }
  if (!has(call.list, "user-agent")) {
    userAgent ??= `Bun/${process.versions.bun}`;
    list.push("User-Agent", userAgent);
  }
  if (!has(call.list, "accept")) list.push("Accept", "*/*");
  if (extra.decompress === false && !has(call.list, "accept-encoding")) {
    list.push("Accept-Encoding", kAcceptEncoding);
  }
  return list;
}

function flagsOf({ redirect, extra }) {
  let flags = 0;
  if (redirect === "manual") flags |= FLAGS.MANUAL;
  else if (redirect === "error") flags |= FLAGS.ERROR;
  if (extra.decompress === false) flags |= FLAGS.RAW;
  if (extra.keepalive === false) flags |= FLAGS.ONCE;
  const { protocol } = extra;
  if (protocol === "http1.1" || protocol === "h1") flags |= FLAGS.H1;
  return flags;
}

/** { flags, options } of what only Bun has. */
function readExtras(call) {
  const { extra } = call;
  let flags = flagsOf(call);
  const { timeout } = extra;
  const options = { __proto__: null, idleTimeout: IDLE_MS };
  if (timeout === false || timeout === 0) options.idleTimeout = 0;
  else if (typeof timeout === "number") options.idleTimeout = timeout;
  if (extra.unix !== undefined && extra.unix !== null) options.unix = `${extra.unix}`;
  const { proxy } = extra;
  if (typeof proxy === "object" && proxy !== null && !require("web/url").isURL(proxy)) {
    options.proxy = proxy.url === undefined ? "" : `${proxy.url}`;
    if (proxy.headers !== undefined) options.proxyHeaders = listOf(new Headers(proxy.headers));
  } else if (proxy !== undefined && proxy !== null) {
    options.proxy = `${proxy}`;
    if (options.proxy === "") flags |= FLAGS.DIRECT;
  }
  const { tls } = extra;
  if (typeof tls === "object" && tls !== null) {
    const { context, serverName, isUnverified } = require("web/fetch/tls").readTls(tls);
    if (context !== null) options.context = context;
    if (serverName !== undefined) options.serverName = `${serverName}`;
    if (isUnverified) flags |= FLAGS.UNVERIFIED;
  } else if (kSecure.test(call.url) && process.env.NODE_TLS_REJECT_UNAUTHORIZED === "0") {
    flags |= FLAGS.UNVERIFIED;
  }
  return { flags, options };
}

/** The body as start() takes it, and the stream it must be fed from. */
function openBody(body) {
  const { blobs, streams } = {
    blobs: require("web/blob"), streams: require("web/fetch/streams"),
  };
  switch (body.kind) {
    case kinds.STRING:
    case kinds.BYTES:
      return { data: body.value, stream: null };
    case kinds.BLOB: {
      const parts = blobs.partsOf(body.value);
      if (parts.every((part) => ArrayBuffer.isView(part))) {
        return { data: blobs.readAll(body.value), stream: null };
      }
      const size = body.value.size;
      return { data: Number.isFinite(size) ? size : -1, stream: blobs.streamOf(parts) };
    }
    case kinds.SOURCE:
      return { data: -1, stream: body.value.stream() };
    default:
      if (!streams.isReadableStream(body.value)) throw invalid("fetch() body was used already");
      return { data: -1, stream: body.value };
  }
}

/** Feeds a stream to a request. */
async function pump(task, stream) {
  const { toBytes } = require("web/fetch/streams");
  let reader;
  try {
    reader = stream.getReader();
    while (true) {
      const { done, value } = await reader.read();
      if (task.isOver) {
        await reader.cancel(task.error ?? undefined);
        return;
      }
      if (done) break;
      const chunk = typeof value === "string" || ArrayBuffer.isView(value) ? value : toBytes(value);
      if (!client.write(task.wrapper, chunk)) {
        await new Promise((resolve) => {
          task.onDrain = resolve;
        });
      }
    }
    client.end(task.wrapper);
  } catch (error) {
    if (!task.isOver) task.abort(error);
  }
}

function send(call, resolve, reject) {
  const { signal } = call;
  const task = new Task();
  const { flags, options } = readExtras(call);
  let data;
  let stream = null;
  if (call.body !== null) ({ data, stream } = openBody(call.body));
  task.onHead = (status, statusText, url, headers, isRedirected, hasBody) => {
    if (call.extra.verbose) require("web/fetch/verbose").printResponse(status, statusText, headers);
    const { makeResponse } = require("web/fetch/response");
    resolve(makeResponse({
      status, statusText, url: withHash(url, call.url), isRedirected, type: "basic", headers,
      kind: hasBody ? kinds.SOURCE : kinds.NONE, value: hasBody ? task : null,
    }));
  };
  task.onFail = reject;
  const headers = completeHeaders(call);
  if (call.extra.verbose) require("web/fetch/verbose").printRequest(call, headers);
  start(task, call.method, call.url, headers, data, stream === null ? flags : flags | 1, options);
  if (signal !== null) {
    const { addAlgorithm, removeAlgorithm } = require("web/abort");
    const onAbort = () => task.abort(signal.reason);
    addAlgorithm(signal, onAbort);
    task.onOver = () => removeAlgorithm(signal, onAbort);
  }
  if (stream !== null) {
    task.onDrain = null;
    pump(task, stream);
  }
}

/** The URL of a response has no user and password. */
function withHash(url, _asked) {
  return url;
}

/** Tells the source of a body that nobody will read it. */
function cancelBody(stream, reason) {
  if (!stream.locked) stream.cancel(reason).catch(() => {});
}

function run(input, init) {
  const call = readCall(input, init);
  const { method, signal, url } = call;
  if (call.body !== null && (method === "GET" || method === "HEAD")) {
    throw invalid("fetch() request with GET/HEAD method cannot have body.");
  }
  if (signal !== null && signal.aborted) {
    if (call.body?.kind === kinds.STREAM) cancelBody(call.body.value, signal.reason);
    throw signal.reason;
  }
  if (!kHttp.test(url)) return require("web/fetch/schemes").fetchOther(call);
  if (call.integrity) {
    const { checkIntegrity } = require("web/fetch/integrity");
    return new Promise((resolve, reject) => {
      send(call, (response) => resolve(checkIntegrity(response, call.integrity)), reject);
    });
  }
  return new Promise((resolve, reject) => send(call, resolve, reject));
}

/** https://fetch.spec.whatwg.org/#fetch-method; what is wrong with the arguments rejects. */
function fetch(input, init = undefined) {
  try {
    if (arguments.length === 0) {
      throw invalid("fetch() expects a string but received no arguments.", "ERR_MISSING_ARGS");
    }
    return run(input, init);
  } catch (error) {
    return Promise.reject(error);
  }
}

/** Opens a connection that a later fetch uses. */
fetch.preconnect = function preconnect(url) {
  const href = toUrl(url);
  if (!kHttp.test(href)) throw invalid("fetch.preconnect() URL must be http or https");
  client.preconnect(href, 0, undefined);
};

exports.fetch = fetch;
