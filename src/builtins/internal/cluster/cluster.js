// internal/cluster -- the object that node:cluster is, and Worker (Node: cluster).
const EventEmitter = require("node:events");

const SCHED_NONE = 1;
const SCHED_RR = 2;

function Worker(options) {
  if (!(this instanceof Worker)) return new Worker(options);
  EventEmitter.call(this);
  if (options === null || typeof options !== "object") options = {};
  this.exitedAfterDisconnect = undefined;
  this.state = options.state || "none";
  this.id = options.id | 0;
  if (!options.process) return;
  this.process = options.process;
  this.process.on("error", (code, signal) => this.emit("error", code, signal));
  this.process.on("message", (message, handle) => this.emit("message", message, handle));
}
Object.setPrototypeOf(Worker.prototype, EventEmitter.prototype);
Object.setPrototypeOf(Worker, EventEmitter);

Worker.prototype.kill = function kill(...args) {
  return this.destroy(...args);
};
Worker.prototype.send = function send(...args) {
  return this.process.send(...args);
};
Worker.prototype.isDead = function isDead() {
  return this.process.exitCode != null || this.process.signalCode != null;
};
Worker.prototype.isConnected = function isConnected() {
  return this.process.connected;
};
Worker.prototype.disconnect = function disconnect() {
  return this._disconnect();
};
Worker.prototype.destroy = function destroy(signal) {
  return this._destroy(signal);
};

function policy() {
  const given = { none: SCHED_NONE, rr: SCHED_RR }[process.env.NODE_CLUSTER_SCHED_POLICY];
  return given ?? SCHED_RR;
}

class Cluster extends EventEmitter {
  constructor(isWorker) {
    super();
    this.isWorker = isWorker;
    this.isMaster = !isWorker;
    this.isPrimary = !isWorker;
    this.Worker = Worker;
    this.SCHED_NONE = SCHED_NONE;
    this.SCHED_RR = SCHED_RR;
    if (isWorker) require("internal/cluster/child").prepare(this);
    else this.schedulingPolicy = policy();
    if (!isWorker) require("internal/cluster/primary").prepare(this);
  }
}
for (const name of ["_setupWorker", "_getServer"]) {
  Object.defineProperty(Cluster.prototype, name, {
    value: undefined, writable: true, configurable: true, enumerable: false,
  });
}

// ---- Messages of our own, with answers

const callbacks = new Map();
let nextSeq = 0;

/** Sends { cmd: "NODE_CLUSTER" }; `callback(reply, handle)` gets the answer. */
exports.sendHelper = function sendHelper(target, message, handle, callback) {
  if (!target.connected) return false;
  const full = { cmd: "NODE_CLUSTER", ...message, seq: nextSeq };
  if (typeof callback === "function") callbacks.set(nextSeq, callback);
  nextSeq++;
  return target.send(full, handle);
};

/** A listener for "internalMessage". */
exports.internal = function internal(worker, onMessage) {
  return function onInternalMessage(message, handle) {
    if (message.cmd !== "NODE_CLUSTER") return;
    let fn = onMessage;
    if (message.ack !== undefined) {
      const callback = callbacks.get(message.ack);
      if (callback !== undefined) {
        fn = callback;
        callbacks.delete(message.ack);
      }
    }
    fn.call(worker, message, handle);
  };
};

Object.assign(exports, { Cluster, SCHED_NONE, SCHED_RR, Worker });
