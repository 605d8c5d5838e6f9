// internal/http_host/http_sock -- the connection of a server as what net.Socket calls a handle
// (internal/sockets: Handle). It has the same methods and calls the same ones of its owner.

/** A net.Socket asks this of its connection. */
class ConnHandle {
  constructor(sid, life) {
    this.sid = sid;
    this.id = life;
    this.kind = "TCP";
    this.owner = null;
    this.reading = false;
    this.bytesRead = 0;
    this.bytesWritten = 0;
    this.isClosed = false;
    this.isUnref = false;
    this.waiting = null;
    this.isEnding = false;
    this.isRaw = false;
    /** Called once when it is closed from this side. */
    this.onForgotten = null;
    native.watch(sid, life);
  }

  readStart() {
    this.reading = true;
    if (this.isRaw) native.pause(this.sid, this.id, false);
    return 0;
  }

  readStop() {
    this.reading = false;
    if (this.isRaw) native.pause(this.sid, this.id, true);
    return 0;
  }

  write(data, isLatin1, callback) {
    const waiting = native.write(this.sid, this.id, data, isLatin1);
    this.bytesWritten += data.length;
    if (waiting <= 0) return true;
    this.waiting = callback;
    return false;
  }

  drained() {
    const callback = this.waiting;
    this.waiting = null;
    if (callback !== null) callback();
    else this.owner?.onDrain?.(this);
  }

  tryWrite(data, offset, length) {
    native.write(this.sid, this.id, data.subarray(offset, offset + length), false);
    this.bytesWritten += length;
    return length;
  }

  end() {
    this.isEnding = true;
    native.end(this.sid, this.id);
    return true;
  }

  close() {
    if (this.isClosed) return false;
    this.isClosed = true;
    const isOpen = native.close(this.sid, this.id);
    if (!isOpen) this.onForgotten?.();
    return isOpen;
  }

  reset() {
    return this.close();
  }

  ref() {
    this.isUnref = false;
  }

  unref() {
    this.isUnref = true;
  }

  hasRef() {
    return !this.isClosed && !this.isUnref;
  }

  get fd() {
    return native.fd(this.sid, this.id);
  }

  get writeQueueSize() {
    return native.queued(this.sid, this.id);
  }

  setNoDelay(on) {
    return native.nodelay(this.sid, this.id, on);
  }

  setKeepAlive(on, seconds) {
    return native.keepalive(this.sid, this.id, on, seconds);
  }

  setTimeout(ms) {
    native.timeout(this.sid, this.id, ms);
  }

  getTypeOfService() {
    return 0;
  }

  setTypeOfService() {
    return 0;
  }

  getsockname() {
    return toAddress(native.address(this.sid, this.id, true));
  }

  getpeername() {
    return toAddress(native.address(this.sid, this.id, false));
  }
}

const ENOTCONN = -107;

function toAddress(found) {
  if (found === undefined) return ENOTCONN;
  const [address, port, family] = found;
  return { address, family: family === 6 ? "IPv6" : family === 4 ? "IPv4" : "", port };
}

exports.ConnHandle = ConnHandle;
