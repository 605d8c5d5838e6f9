// @internal
// node:dgram/binding -- the native half of node:dgram and Bun.udpSocket; see binding.c.
//
// native: setDispatch(fn): fn(owner, event, a, b, c) with event 0 message (bytes, address, port,
// family, isCut), 1 error (errno), 2 drain, 3 sent (callback, errno), 4 close.
const context = require("internal/async_context");

native.setDispatch((handle, event, a, b, c, d, e) => {
  if (event === 3) {
    if (typeof a === "function") a(b);
    return;
  }
  const { owner } = handle;
  const outer = context.frame;
  context.frame = handle.frame;
  try {
    if (event === 0) owner.onMessage(a, b, c, d, e);
    else if (event === 1) owner.onReceiveError(a);
    else if (event === 2) owner.onDrain?.();
    else owner.onHandleClosed?.();
  } finally {
    context.frame = outer;
  }
});

/** What Node calls a UDP wrap.  `id` is 0 when it is closed. */
class UdpHandle {
  constructor(owner) {
    this.owner = owner;
    this.frame = context.frame;
    this.id = 0;
  }
  /** 0 or errno.  flags: 1 ipv6Only, 2 reuseAddr, 4 reusePort. */
  bind(address, port, family, flags) {
    const id = native.bind(this, address, port, family, flags);
    if (id < 0) return id;
    this.id = id;
    return 0;
  }
  open(fd) {
    const id = native.open(this, fd);
    if (id < 0) return id;
    this.id = id;
    return 0;
  }
  get fd() {
    return this.id === 0 ? -1 : native.fd(this.id);
  }
  close() {
    if (this.id === 0) return;
    native.close(this.id);
    this.id = 0;
  }
}

/** Where a Socket of node:dgram keeps its state, of which `handle` is a UdpHandle or null. */
exports.kState = Symbol("state symbol");
/** Set in a worker of node:cluster: gives that module. */
exports.cluster = undefined;
exports.UdpHandle = UdpHandle;
exports.udp = native;
