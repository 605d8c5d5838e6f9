// internal/streams/legacy -- Stream, the base class of all streams, with the pipe of the first days
// (Node: stream.Stream).
const EventEmitter = require("node:events");

function Stream(options) {
  EventEmitter.call(this, options);
}
Object.setPrototypeOf(Stream.prototype, EventEmitter.prototype);
Object.setPrototypeOf(Stream, EventEmitter);

/** Puts a listener before those that are there, on emitters that know no prependListener too. */
function prependListener(emitter, name, fn) {
  if (typeof emitter.prependListener === "function") return emitter.prependListener(name, fn);
  if (!emitter._events?.[name]) emitter.on(name, fn);
  else if (Array.isArray(emitter._events[name])) emitter._events[name].unshift(fn);
  else emitter._events[name] = [fn, emitter._events[name]];
  return emitter;
}

Stream.prototype.pipe = function pipe(dest, options) {
  const source = this;
  let isEnded = false;
  const onData = (chunk) => {
    if (dest.writable && dest.write(chunk) === false && source.pause) source.pause();
  };
  const onDrain = () => {
    if (source.readable && source.resume) source.resume();
  };
  const onEnd = () => {
    if (isEnded) return;
    isEnded = true;
    dest.end();
  };
  const onClose = () => {
    if (isEnded) return;
    isEnded = true;
    if (typeof dest.destroy === "function") dest.destroy();
  };
  const bonds = [
    [source, "data", onData], [dest, "drain", onDrain], [source, "end", cleanup],
    [source, "close", cleanup], [dest, "close", cleanup],
  ];
  if (!dest._isStdio && options?.end !== false) {
    bonds.push([source, "end", onEnd], [source, "close", onClose]);
  }
  function onError(error) {
    cleanup();
    if (EventEmitter.listenerCount(this, "error") === 0) this.emit("error", error);
  }
  function cleanup() {
    for (const [emitter, name, fn] of bonds) emitter.removeListener(name, fn);
    source.removeListener("error", onError);
    dest.removeListener("error", onError);
  }
  for (const [emitter, name, fn] of bonds) emitter.on(name, fn);
  prependListener(source, "error", onError);
  prependListener(dest, "error", onError);
  dest.emit("pipe", source);
  return dest;
};

/** The events of streams are there from the beginning, without listeners: see the constructors. */
Stream.prototype.eventNames = function eventNames() {
  const events = this._events ?? {};
  return Reflect.ownKeys(events).filter((key) => events[key] !== undefined);
};

exports.Stream = Stream;
exports.prependListener = prependListener;
