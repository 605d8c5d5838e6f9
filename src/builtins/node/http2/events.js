// node:http2/events -- what the native half tells of a session, and what becomes of it.
// @internal
const errors = require("internal/errors");
const { nextTick } = require("internal/tick");
const shared = require("node:http2/shared");
const { readHead } = require("node:http2/headers");
const {
  kState, kUpdateTimer, kLink, kOptions, kOrigin, kHead, kServerType, kSocket,
  publish, emit, nghttpError,
} = shared;

const FLAG_END_STREAM = 1;
const REFUSED_STREAM = 7;
const ERR_PROTO = -505;
const ERR_STREAM_CLOSED = -510;
const ERR_FATAL = -900;
const INVALID_FRAMES_MAX = 1000;
const INTERNAL_ERROR = 2;
/** What the library's errors are called in frames. */
const kFrameCodes = {
  [-510]: 5, [-523]: 9, [-522]: 6, [-524]: 3, [-532]: 7, [-505]: 1, [-531]: 1,
};
const category = { RESPONSE: 1, PUSH_RESPONSE: 2 };

let bufferProto;

/** Bytes from C are plain arrays; programs expect Buffers. */
function asBuffer(bytes) {
  bufferProto ??= require("node:buffer").Buffer.prototype;
  return Object.setPrototypeOf(bytes, bufferProto);
}

// ---- Heads

let ServerHttp2Stream;

function makeServerStream(session, id, headers, isEnd) {
  ServerHttp2Stream ??= require("node:http2/server_stream").ServerHttp2Stream;
  const stream = new ServerHttp2Stream(session, id, {}, headers);
  publish("server.stream.created", () => ({ stream, headers }));
  publish("server.stream.start", () => ({ stream, headers }));
  if (isEnd) stream.push(null);
  if (headers[":method"] === "HEAD") {
    // There must be no body in the answer.
    stream.end();
    stream[kState].flags |= kHead;
  }
  return stream;
}

function makePushedStream(session, id, headers, isEnd) {
  const { ClientHttp2Stream } = require("node:http2/client_stream");
  const stream = new ClientHttp2Stream(session, id, {});
  publish("client.stream.created", () => ({ stream, headers }));
  publish("client.stream.start", () => ({ stream, headers }));
  if (isEnd) stream.push(null);
  stream.end();
  return stream;
}

function eventOf(kind, status, isEnd) {
  if (kind === category.RESPONSE) {
    return !isEnd && status !== undefined && status >= 100 && status < 200 ? "headers" : "response";
  }
  if (kind === category.PUSH_RESPONSE) return "push";
  if (status !== undefined && status >= 200) return "response";
  return isEnd ? "trailers" : "headers";
}

function onHeaders(session, id, info, text) {
  const link = session[kLink];
  const flags = info >> 8 & 0xff;
  const isEnd = (flags & FLAG_END_STREAM) !== 0;
  const stream = session[kState].streams.get(id);
  if (stream === undefined && (session.closed || session.destroyed)) {
    link.stream("reset", id, REFUSED_STREAM);
    link.forget(id);
    return;
  }
  session[kUpdateTimer]();
  const [list, headers] = readHead(text, (info & 0x10000) !== 0);
  if (stream === undefined) {
    const make = session.type === kServerType ? makeServerStream : makePushedStream;
    const made = make(session, id, headers, isEnd);
    if (isEnd) made[kState].endAfterHeaders = true;
    nextTick(() => session.emit("stream", made, headers, flags, list));
    return;
  }
  const status = headers[":status"];
  const event = eventOf(info & 0xff, status, isEnd);
  if (status === 421) originSetOf(session).delete(stream[kOrigin]);
  const tell = () => nextTick(() => emit(stream, event, headers, flags, list));
  inRequest(stream, tell);
  if (event === "response" || event === "push") {
    publish("client.stream.finish", () => ({ stream, headers, flags }));
  }
  if (isEnd) inRequest(stream, () => stream.push(null));
}

/** In the asynchronous context that the request was made in. */
function inRequest(stream, action) {
  const { resource } = stream[kState];
  if (resource === null) action();
  else resource.runInAsyncScope(action);
}

// ---- Streams

function onData(session, id, bytes) {
  const stream = session[kState].streams.get(id);
  if (stream === undefined || stream.destroyed) return;
  stream[kUpdateTimer]();
  const chunk = asBuffer(bytes);
  inRequest(stream, () => {
    if (!stream.push(chunk) && !stream.destroyed) session[kLink]?.read(id, false);
  });
}

function onDataEnd(session, id) {
  const stream = session[kState].streams.get(id);
  if (stream === undefined || stream.destroyed) return;
  inRequest(stream, () => {
    stream.push(null);
    stream.read(0);
  });
}

function onClose(session, id, code) {
  const stream = session[kState].streams.get(id);
  if (stream === undefined || stream.destroyed) return;
  inRequest(stream, () => stream.onNativeClose(code));
}

function onWrote(session, id) {
  const stream = session[kState].streams.get(id);
  if (stream !== undefined) session[kLink].wrote(stream);
}

function onTrailers(session, id) {
  const stream = session[kState].streams.get(id);
  if (stream === undefined) return;
  stream[kState].trailersReady = true;
  if (stream.destroyed || stream.closed) return;
  // Nobody has any: the head that ends the stream is empty.
  if (!stream.emit("wantTrailers")) stream.sendTrailers({});
}

function onPriority(session, id, [parent, weight, isExclusive]) {
  if (session.destroyed) return;
  const emitter = session[kState].streams.get(id) ?? session;
  if (emitter.destroyed) return;
  emitter[kUpdateTimer]();
  emitter.emit("priority", id, parent, weight, isExclusive);
}

function onFrameError(session, id, type, code) {
  if (session.destroyed) return;
  const stream = session[kState].streams.get(id);
  const emitter = stream ?? session;
  const sent = kFrameCodes[code] ?? INTERNAL_ERROR;
  emitter[kUpdateTimer]();
  emitter.emit("frameError", type, sent, id);
  // Who gets no frames out may as well stop, once what was said has been heard.
  setImmediate(() => {
    if (stream !== undefined && !stream.destroyed) stream.close(sent);
    session.close();
  });
}

// ---- The connection

function originSetOf(session) {
  const state = session[kState];
  if (state.originSet !== undefined) return state.originSet;
  const socket = session[kSocket];
  state.originSet = new Set();
  let name = socket.servername;
  if (name === null || name === false || name === undefined) {
    name = socket.remoteFamily === "IPv6" ? `[${socket.remoteAddress}]` : socket.remoteAddress;
  }
  const port = socket.remotePort === undefined || socket.remotePort === null ? "" :
    `:${socket.remotePort}`;
  state.originSet.add(new URL(`https://${name}${port}`).origin);
  return state.originSet;
}

function onOrigin(session, text) {
  session[kUpdateTimer]();
  if (!session.encrypted) return;
  const origins = text.split("\0");
  const known = originSetOf(session);
  const max = session[kState].originsMax;
  for (const origin of origins) {
    if (known.size >= max) {
      session.destroy(new errors.ERR_HTTP2_TOO_MANY_ORIGINS(max));
      return;
    }
    known.add(origin);
  }
  session.emit("origin", origins);
}

function onGoaway(session, last, code, bytes) {
  const state = session[kState];
  state.goawayCode = code;
  state.goawayLastStreamID = last;
  session.emit("goaway", code, last, bytes === undefined ? undefined : asBuffer(bytes));
  if (code === 0) session.close();
  else session.destroy(new errors.ERR_HTTP2_SESSION_ERROR(code), 0);
}

function onPingAck(session, payload, ms) {
  if (payload === undefined) {
    session.destroy(nghttpError(ERR_PROTO));
    return;
  }
  session[kUpdateTimer]();
  session[kState].pings.shift()?.(null, ms, asBuffer(payload));
}

function onSettingsAck(session) {
  const callback = session[kState].settings.shift();
  session[kUpdateTimer]();
  if (callback !== undefined) callback(true);
  else session.destroy(nghttpError(ERR_PROTO));
}

/** Settings that are no one's but the program's, of those that it wants to know. */
function takeCustom(session, pairs) {
  const wanted = session[kOptions].remoteCustomSettings ?? [];
  for (let i = 0; i < pairs.length; i += 2) {
    if (!wanted.includes(pairs[i])) continue;
    session[kState].remoteCustom ??= {};
    session[kState].remoteCustom[pairs[i]] = pairs[i + 1];
  }
}

function onInvalid(session, code) {
  const max = session[kOptions].maxSessionInvalidFrames ?? INVALID_FRAMES_MAX;
  if (session[kState].invalidFrames++ > max) {
    session.destroy(new errors.ERR_HTTP2_TOO_MANY_INVALID_FRAMES());
    return;
  }
  const isFatal = code <= ERR_FATAL || code === ERR_STREAM_CLOSED || code === ERR_PROTO;
  if (isFatal) session.destroy(nghttpError(code));
}

exports.originSetOf = originSetOf;
exports.asBuffer = asBuffer;

/** Everything that the native half tells (H2Event in http2.h). */
exports.onEvent = function onEvent(session, event, id, a, b) {
  switch (event) {
    case 1: return onHeaders(session, id, a, b);
    case 2: return onData(session, id, a);
    case 3: return onDataEnd(session, id);
    case 4: return onClose(session, id, a);
    case 5: return onTrailers(session, id);
    case 6: return onWrote(session, id);
  }
  if (session.destroyed) return undefined;
  switch (event) {
    case 7: return onPriority(session, id, a);
    case 8:
      session[kUpdateTimer]();
      session[kState].remote = undefined;
      if (a !== undefined) takeCustom(session, a);
      return session.emit("remoteSettings", session.remoteSettings);
    case 9: return onSettingsAck(session);
    case 10:
      session[kUpdateTimer]();
      return session.emit("ping", asBuffer(a));
    case 11: return onPingAck(session, a, b);
    case 12: return onGoaway(session, id, a, b);
    case 13: return onFrameError(session, id, a, b);
    case 14:
      session[kUpdateTimer]();
      return session.emit("altsvc", b, a, id);
    case 15: return onOrigin(session, a);
    case 16: return onInvalid(session, a);
    default: return undefined;
  }
};
