// internal/cluster/sharing -- listening sockets of the primary that workers use: connections are
// given out in turn, or the socket itself is shared (Node: cluster, "How it works").
const { sendHelper } = require("internal/cluster");

class RoundRobin {
  #all = new Map(); // id -> worker
  #free = new Map();
  #waiting = []; // connections
  #handle = null;
  #server;
  #error;

  constructor(key, address, { port, fd, flags, backlog, readableAll, writableAll }) {
    this.key = key;
    this.#server = require("node:net").createServer();
    const options = { backlog, readableAll, writableAll };
    if (fd >= 0) options.fd = fd;
    else if (port >= 0) {
      Object.assign(options, { port, host: address ?? undefined });
      if (flags & 1) options.ipv6Only = true;
      if (flags & 2) options.reusePort = true;
    } else {
      options.path = address;
    }
    this.#server.once("listening", () => {
      this.#handle = this.#server._handle;
      this.#handle.onconnection = (error, handle) => this.#onConnection(handle);
    });
    this.#server.on("error", (error) => void (this.#error = error));
    this.#server.listen(options);
  }

  #onConnection(handle) {
    handle.owner = { onClose() {}, onError() {}, onRead() {}, onEnd() {}, onDrain() {} };
    this.#waiting.push(handle);
    const { value: entry } = this.#free.entries().next();
    if (entry === undefined) return;
    this.#free.delete(entry[0]);
    this.#give(entry[1]);
  }

  /** One connection to a worker that has nothing to do. */
  #give(worker) {
    if (!this.#all.has(worker.id)) return;
    const handle = this.#waiting.shift();
    if (handle === undefined) {
      this.#free.set(worker.id, worker);
      return;
    }
    const message = { act: "newconn", key: this.key };
    const isSent = sendHelper(worker.process, message, handle, (reply) => {
      if (reply.accepted) {
        handle.close();
        this.#give(worker);
        return;
      }
      this.#onConnection(handle);
      // A worker that is full, not one that is going away, gets the next one.
      if (this.#all.has(worker.id)) this.#free.set(worker.id, worker);
    });
    if (isSent === false && !worker.process.connected) this.#onConnection(handle);
  }

  add(worker, send) {
    this.#all.set(worker.id, worker);
    const done = () => {
      if (this.#error !== undefined) {
        this.#all.delete(worker.id);
        send(this.#error.errno, null, null);
        return;
      }
      const name = this.#handle.getsockname();
      const sockname = typeof name === "object" && name.family !== "" ? name : undefined;
      send(null, { sockname }, null);
      this.#give(worker);
    };
    if (this.#handle !== null || this.#error !== undefined) {
      done();
      return;
    }
    const once = () => {
      this.#server.removeListener("listening", once);
      this.#server.removeListener("error", once);
      done();
    };
    this.#server.on("listening", once);
    this.#server.on("error", once);
  }

  /** Returns whether nobody is left. */
  remove(worker) {
    if (!this.#all.delete(worker.id)) return false;
    this.#free.delete(worker.id);
    if (this.#all.size > 0) return false;
    this.end();
    return true;
  }

  end() {
    for (const handle of this.#waiting.splice(0)) handle.close();
    this.#server.close();
    this.#handle = null;
  }
}

class Shared {
  #workers = new Map();
  #handle = null;
  #errno = 0;

  constructor(key, address, { port, addressType, fd, flags, backlog }) {
    this.key = key;
    const isUdp = addressType === "udp4" || addressType === "udp6";
    const made = isUdp
      ? require("node:dgram")._createSocketHandle(address, port, addressType, fd, flags)
      : require("node:net/server").createServerHandle(
          address, port, addressType, fd, (flags ?? 0) | 16, backlog,
        );
    if (typeof made === "number") this.#errno = made;
    else this.#handle = made;
    if (this.#handle === null) return;
    this.#handle.owner = { onClose() {}, onError() {}, onConnection: (h) => h.close() };
    this.#handle.pauseAccept?.(true);
  }

  add(worker, send) {
    this.#workers.set(worker.id, worker);
    send(this.#errno, null, this.#handle);
  }

  remove(worker) {
    if (!this.#workers.delete(worker.id) || this.#workers.size > 0) return false;
    this.end();
    return true;
  }

  end() {
    this.#handle?.close();
    this.#handle = null;
  }
}

exports.RoundRobin = RoundRobin;
exports.Shared = Shared;
