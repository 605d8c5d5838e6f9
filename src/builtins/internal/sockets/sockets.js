// internal/sockets -- connections and listeners of the system, as node:net, node:tls and
// Bun.connect use them.
//
// A Handle is what Node calls a TCP or Pipe wrap: it has the native number, and calls the methods
// of its `owner` when something happens: onOpen(), onData(bytes), onEnd(), onFinish(), onDrain(),
// onError(errno | Error), onClose(), onConnection(handle), onSecure(), onTimeout().
//
// native: see sockets.c; ids are numbers, failures negative errnos.
const context = require("internal/async_context");

const state = native.setDispatch(dispatch);

function call(handle, event, value) {
  const owner = handle.owner;
  if (owner === null) {
    if (event === 6) handle.id = 0;
    return undefined;
  }
  switch (event) {
    case 0:
      return owner.onOpen(handle);
    case 1:
      handle.bytesRead += value.length;
      return owner.onData(value, handle);
    case 2:
      return owner.onEnd(handle);
    case 3:
      return owner.onFinish(handle);
    case 4:
      return handle.drained();
    case 5:
      return owner.onError(value, handle);
    case 6:
      handle.id = 0;
      return owner.onClose(handle);
    case 7:
      return handle.onconnection(undefined, new Handle(handle.kind, null, value));
    case 8:
      return owner.onSecure(handle);
    case 9:
      return owner.onTimeout(handle);
    default:
      return owner.onTls(event, value, handle);
  }
}

/** What C calls for every event. */
function dispatch(handle, event, value) {
  if (handle === null) return undefined;
  if (!context.isUsed) return call(handle, event, value);
  const outer = context.frame;
  context.frame = handle.frame;
  try {
    return call(handle, event, value);
  } finally {
    context.frame = outer;
  }
}

class Handle {
  /** kind: "TCP" or "Pipe". `id`: of one that exists. */
  constructor(kind, owner, id = 0) {
    this.id = id;
    this.kind = kind;
    this.owner = owner;
    this.reading = false;
    this.bytesRead = 0;
    this.bytesWritten = 0;
    this.isClosed = false;
    this.isUnref = false;
    this.waiting = null; // the callback of a write that waits for room
    this.frame = context.frame;
    if (id > 0) native.setOwner(id, this);
  }

  /** What a listener does with a new connection. */
  onconnection(error, handle) {
    return this.owner.onConnection(handle, this);
  }

  #made(id) {
    if (!(id > 0)) return id;
    this.id = id;
    if (this.isUnref) native.unref(id);
    return 0;
  }

  /** 0, errno, or [errno] when binding to the local address has failed. */
  connect(ip, port, localAddress, localPort) {
    return this.#made(native.connect(this, ip, port, localAddress, localPort));
  }
  connectPath(path) {
    return this.#made(native.connectPath(this, path));
  }
  connectHost(host, port) {
    return this.#made(native.connectHost(this, host, port));
  }
  open(fd) {
    return this.#made(native.open(this, fd));
  }
  /** flags: 1 ipv6Only, 2 reusePort, 4 readableAll, 8 writableAll, 16 leaves connections alone. */
  listen(ip, port, path, backlog, flags) {
    return this.#made(native.listen(this, ip, port, path, backlog, flags));
  }
  listenFd(fd, backlog, flags = 0) {
    return this.#made(native.listenFd(this, fd, backlog, flags));
  }

  readStart() {
    this.reading = true;
    native.start(this.id);
    return 0;
  }
  readStop() {
    this.reading = false;
    native.stop(this.id);
    return 0;
  }

  /** True when more may be written now; else `callback` is called when it may. */
  write(data, isLatin1, callback) {
    this.bytesWritten += native.write(this.id, data, isLatin1);
    if (state[0] === 0) return true;
    this.waiting = callback;
    return false;
  }
  drained() {
    const callback = this.waiting;
    this.waiting = null;
    if (callback !== null) return callback();
    return this.owner.onDrain?.(this);
  }
  tryWrite(data, offset, length) {
    const n = native.tryWrite(this.id, data, offset, length);
    if (n > 0) this.bytesWritten += n;
    return n;
  }
  /** True when it is done already; else onFinish comes. */
  end() {
    return native.end(this.id);
  }
  /** onClose follows if it returns true. */
  close() {
    if (this.isClosed) return false;
    this.isClosed = true;
    return native.close(this.id);
  }
  reset() {
    this.isClosed = true;
    return native.reset(this.id);
  }
  ref() {
    this.isUnref = false;
    native.ref(this.id);
  }
  unref() {
    this.isUnref = true;
    native.unref(this.id);
  }
  hasRef() {
    return this.id !== 0 && !this.isUnref;
  }
  get fd() {
    return native.fd(this.id);
  }
  get writeQueueSize() {
    return native.queued(this.id);
  }
  setNoDelay(on) {
    return native.nodelay(this.id, on);
  }
  setKeepAlive(on, seconds) {
    return native.keepalive(this.id, on, seconds);
  }
  getTypeOfService() {
    return native.tos(this.id);
  }
  setTypeOfService(tos) {
    return native.tos(this.id, tos);
  }
  /** With TLS: why the peer is not trusted, or null. */
  verifyError() {
    return require("node:tls/binding").verifyError(this.id);
  }
  setTimeout(ms) {
    native.timeout(this.id, ms);
  }
  pauseAccept(on) {
    native.pauseAccept(this.id, on);
  }
  /** { address, family, port }, or an errno. */
  getsockname() {
    return asAddress(native.local(this.id));
  }
  getpeername() {
    return asAddress(native.peer(this.id));
  }
}

function asAddress(parts) {
  if (typeof parts === "number") return parts;
  return { address: parts[0], family: parts[1], port: parts[2] };
}

exports.Handle = Handle;
exports.native = native;
exports.parseIp = native.parseIp;
