// internal/subprocess -- starting programs; what node:child_process and Bun.spawn share.
//
// native: spawn(texts, env, cwd, stdio, options, onExit) -> [child, pid] or -errno;
// spawnSync(texts, env, cwd, stdio, options, inputs) -> [-errno, pid, end, exit, outputs];
// kill(child, signal) -> 0 or -errno; setRef(child, bool); closeFd(fd);
// keepFds(fd, fd) -> an object that owns them until takeFd(object, 0 or 1);
// pipe() -> [reader, writer], both for the caller to close, or -errno.  More in child_spec.h.

/** What a descriptor of the child can be, besides one of ours. */
exports.NULL = -1;
exports.CLOSED = -2;
exports.CHILD_READS = -3;
exports.CHILD_WRITES = -4;
exports.SOCKET = -5;

/** How a synchronous run ended. */
exports.TIMED_OUT = 1;
exports.TOO_MUCH = 2;

const FLAG_DETACHED = 1;
const FLAG_UID = 2;
const FLAG_GID = 4;
exports.FLAG_CTTY = 8;

function textOf(spec) {
  return `${spec.file}\0${spec.args.length === 0 ? "" : `${spec.args.join("\0")}\0`}`;
}

let lastPairs; // most children get what the one before got
let lastText;
function envText(pairs) {
  if (pairs === lastPairs) return lastText;
  lastText = pairs.length === 0 ? "" : `${pairs.join("\0")}\0`;
  lastPairs = pairs;
  return lastText;
}

function optionsOf(spec, n) {
  const options = new Float64Array(n);
  let flags = spec.flags ?? 0;
  if (spec.detached) flags |= FLAG_DETACHED;
  if (spec.uid !== undefined && spec.uid !== null) {
    flags |= FLAG_UID;
    options[1] = spec.uid;
  }
  if (spec.gid !== undefined && spec.gid !== null) {
    flags |= FLAG_GID;
    options[2] = spec.gid;
  }
  options[0] = flags;
  return options;
}

/**
 * Starts `spec` = { file, args (with argv[0]), env: ["NAME=value"], cwd, stdio: Int32Array,
 * detached, uid, gid }.  -> [child, pid], and our descriptors in `stdio`; or -errno.
 */
exports.start = function start(spec, onExit) {
  const { env, cwd, stdio } = spec;
  return native.spawn(textOf(spec), envText(env), cwd ?? null, stdio, optionsOf(spec, 3),
    require("internal/tick").inContext(onExit));
};

/** The same, to its end; `spec` has also timeout, killSignal (a number), maxBuffer (0: none). */
exports.run = function run(spec, inputs) {
  const options = optionsOf(spec, 6);
  options[3] = spec.timeout ?? 0;
  options[4] = spec.killSignal;
  options[5] = spec.maxBuffer;
  const { env, cwd, stdio } = spec;
  return native.spawnSync(textOf(spec), envText(env), cwd ?? null, stdio, options, inputs);
};

exports.kill = native.kill;
exports.setRef = native.setRef;
exports.closeFd = native.closeFd;
exports.keepFds = native.keepFds;
exports.takeFd = native.takeFd;
exports.pipe = native.pipe;

/** { SIGINT: 2, ... } */
exports.signals = () => require("node:os").constants.signals;

let names;

/** The name of a signal's number; null for 0. */
exports.signalName = function signalName(number) {
  if (number === 0) return null;
  if (names === undefined) {
    names = { __proto__: null };
    const all = exports.signals();
    for (let i = 0, list = Object.keys(all); i < list.length; i++) {
      const name = list[i];
      names[all[name]] ??= name;
    }
  }
  return names[number] ?? null;
};

/** The members of Node's and Bun's resourceUsage from the figures of an exit. */
exports.usageOf = function usageOf(exit) {
  return {
    contextSwitches: { voluntary: exit[13], involuntary: exit[14] },
    cpuTime: { user: exit[2], system: exit[3], total: exit[2] + exit[3] },
    maxRSS: exit[4] * 1024,
    messages: { sent: exit[10], received: exit[11] },
    ops: { in: exit[8], out: exit[9] },
    shmSize: 0,
    signalCount: exit[12],
    swapCount: exit[7],
  };
};
