// @internal
// node:tls/js_stream_socket -- JSStreamSocket: any Duplex as a net.Socket, by a pair of sockets
// whose other end is joined to the stream. Programs know it as the `_parentWrap` of the handle of a
// TLSSocket over a stream that is no socket.
const { Socket } = require("node:net/socket");
const binding = require("node:tls/binding");
const errors = require("internal/errors");

const noop = () => {};

/** Bytes go from one to the other, both ways, at the pace of who takes them. */
function join(inner, duplex) {
  duplex.on("data", (chunk) => {
    if (!inner.write(chunk)) duplex.pause();
  });
  inner.on("drain", () => duplex.resume());
  duplex.on("end", () => inner.end());
  inner.on("data", (chunk) => {
    if (duplex.write(chunk) === false) inner.pause();
  });
  duplex.on("drain", () => inner.resume());
  inner.on("end", () => duplex.end());
  inner.on("error", noop);
  duplex.on("close", () => inner.destroySoon());
  // What keeps the program alive is what stands behind the stream.
  inner.unref();
}

class JSStreamSocket extends Socket {
  constructor(stream) {
    if (typeof stream?.write !== "function") {
      throw new errors.ERR_INVALID_ARG_TYPE("socket", "Duplex", stream);
    }
    const [a, b] = binding.pair();
    const inner = new Socket({ fd: a, allowHalfOpen: true });
    super({ fd: b, allowHalfOpen: true, manualStart: true });
    join(inner, stream);
    this.stream = stream;
    this.unref();
    stream.on("error", (error) => this.destroy(error));
    this.on("close", () => stream.destroy());
  }
}

exports.JSStreamSocket = JSStreamSocket;
