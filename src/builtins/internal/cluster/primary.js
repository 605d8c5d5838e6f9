// internal/cluster/primary -- the process that starts the workers (Node: internal/cluster/primary).
const { sendHelper, internal, Worker, SCHED_RR, SCHED_NONE } = require("internal/cluster");
const { nextTick } = require("internal/tick");

const handles = new Map(); // key -> RoundRobin or Shared
let cluster;
let nextId = 0;
let isInitialized = false;
const CHANNEL_MS = 100;

exports.prepare = function prepare(object) {
  cluster = object;
  Object.assign(cluster, { workers: {}, settings: {}, setupPrimary, fork, disconnect });
  cluster.setupMaster = setupPrimary;
};

function setupPrimary(options) {
  const settings = {
    args: process.argv.slice(2),
    exec: process.argv[1],
    execArgv: process.execArgv,
    silent: false,
    ...cluster.settings,
    ...options,
  };
  cluster.settings = settings;
  if (isInitialized) {
    nextTick(() => cluster.emit("setup", settings));
    return;
  }
  isInitialized = true;
  const { schedulingPolicy } = cluster;
  if (schedulingPolicy !== SCHED_RR && schedulingPolicy !== SCHED_NONE) {
    throw new TypeError(`Bad cluster.schedulingPolicy: ${schedulingPolicy}`);
  }
  nextTick(() => cluster.emit("setup", settings));
}

function createWorkerProcess(id, env) {
  const { settings } = cluster;
  return require("node:child_process").fork(settings.exec, settings.args, {
    cwd: settings.cwd,
    env: { ...process.env, ...env, NODE_UNIQUE_ID: `${id}` },
    serialization: settings.serialization,
    silent: settings.silent,
    windowsHide: settings.windowsHide,
    execArgv: [...settings.execArgv],
    stdio: settings.stdio,
    gid: settings.gid,
    uid: settings.uid,
  });
}

function fork(env) {
  cluster.setupPrimary();
  const id = ++nextId;
  const child = createWorkerProcess(id, env);
  const worker = new Worker({ id, process: child });
  worker._disconnect = () => disconnectWorker(worker);
  worker._destroy = (signal) => destroyWorker(worker, signal);
  for (const name of ["_disconnect", "_destroy"]) {
    Object.defineProperty(worker, name, { enumerable: false });
  }
  worker.on("message", (message, handle) => cluster.emit("message", worker, message, handle));
  child.once("exit", (code, signal) => {
    if (!worker.isConnected()) {
      onExit(worker, code, signal);
      return;
    }
    // The end of the channel comes first, unless what the worker has started holds it.
    let isDone = false;
    const leave = () => {
      if (!isDone) onExit(worker, code, signal);
      isDone = true;
    };
    child.once("disconnect", () => nextTick(leave));
    setTimeout(leave, CHANNEL_MS).unref();
  });
  child.once("disconnect", () => onDisconnect(worker));
  child.on("internalMessage", internal(worker, onMessage));
  nextTick(() => cluster.emit("fork", worker));
  cluster.workers[id] = worker;
  return worker;
}

function onExit(worker, code, signal) {
  if (!worker.isConnected()) {
    removeHandles(worker);
    removeWorker(worker);
  }
  worker.exitedAfterDisconnect = !!worker.exitedAfterDisconnect;
  worker.state = "dead";
  worker.emit("exit", code, signal);
  cluster.emit("exit", worker, code, signal);
}

function onDisconnect(worker) {
  removeHandles(worker);
  if (worker.isDead()) removeWorker(worker);
  worker.exitedAfterDisconnect = !!worker.exitedAfterDisconnect;
  worker.state = "disconnected";
  worker.emit("disconnect");
  cluster.emit("disconnect", worker);
}

function removeWorker(worker) {
  delete cluster.workers[worker.id];
  if (Object.keys(cluster.workers).length === 0) {
    for (const handle of handles.values()) handle.end();
    handles.clear();
    cluster.emit("_idle");
  }
}

function removeHandles(worker) {
  for (const { 0: key, 1: handle } of handles) {
    if (handle.remove(worker)) handles.delete(key);
  }
}

function disconnect(callback) {
  const workers = Object.values(cluster.workers).filter((worker) => worker.isConnected());
  if (workers.length === 0) {
    if (typeof callback === "function") nextTick(callback);
    return;
  }
  let left = workers.length;
  for (const worker of workers) {
    worker.once("disconnect", () => {
      if (--left === 0 && typeof callback === "function") nextTick(callback);
    });
    worker.disconnect();
  }
}

function disconnectWorker(worker) {
  worker.exitedAfterDisconnect = true;
  sendHelper(worker.process, { act: "disconnect" });
  removeHandles(worker);
  removeWorker(worker);
  return worker;
}

function destroyWorker(worker, signal = "SIGTERM") {
  worker.process.kill(signal);
}

// ---- What workers ask for

function onMessage(message, handle) {
  const worker = this;
  switch (message.act) {
    case "online":
      worker.state = "online";
      worker.emit("online");
      cluster.emit("online", worker);
      break;
    case "queryServer":
      queryServer(worker, message);
      break;
    case "listening":
      listening(worker, message);
      break;
    case "exitedAfterDisconnect":
      worker.exitedAfterDisconnect = true;
      sendHelper(worker.process, { ack: message.seq });
      break;
    case "close": {
      const found = handles.get(message.key);
      if (found?.remove(worker)) handles.delete(message.key);
      break;
    }
    default:
      if (handle?.isDescriptor) require("internal/subprocess").closeFd(handle.fd);
  }
}

function listening(worker, message) {
  const { addressType, address, port, fd } = message;
  const info = { addressType, address, port, fd };
  worker.state = "listening";
  worker.emit("listening", info);
  cluster.emit("listening", worker, info);
}

function queryServer(worker, message) {
  if (worker.exitedAfterDisconnect) return;
  const { address, port, addressType, fd, index, isRaw } = message;
  const key = `${address}:${port}:${addressType}:${fd}:${port === 0 ? index : ""}:${!!isRaw}`;
  let handle = handles.get(key);
  if (handle === undefined) {
    const isUdp = addressType === "udp4" || addressType === "udp6";
    const isRoundRobin = cluster.schedulingPolicy === SCHED_RR && !isUdp && !isRaw;
    const { RoundRobin, Shared } = require("internal/cluster/sharing");
    const here = `${address ?? ""}`.length > 0 && !`${address}`.startsWith("/") &&
      addressType === -1 && message.cwd !== undefined
      ? require("node:path").relative(process.cwd(),
        require("node:path").resolve(message.cwd, address))
      : address;
    handle = new (isRoundRobin ? RoundRobin : Shared)(key, here, message);
    handles.set(key, handle);
  }
  if (handle.data === undefined) handle.data = message.data;
  handle.add(worker, (errno, reply, native) => {
    const { data } = handle;
    if (errno) handles.delete(key);
    sendHelper(worker.process, { errno, key, ack: message.seq, data, ...reply }, native);
  });
}
