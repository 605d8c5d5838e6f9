// node:os -- the machine (Node: os).

const { validateInt32 } = require("internal/validators");
const { lazy } = require("internal/process_util");

const TICK_MS = 10; // of the times in /proc/stat

/** Node's SystemError of a libuv function that returned `errno`. */
function systemError(syscall, errno) {
  const { SystemError, systemErrorName, systemErrorMessage } = require("internal/errors/system");
  return new SystemError("ERR_SYSTEM_ERROR", "A system error occurred", {
    errno, code: systemErrorName(errno), message: systemErrorMessage(errno), syscall,
  });
}

exports.arch = function arch() {
  return process.arch;
};

exports.availableParallelism = function availableParallelism() {
  return native.cpuCount();
};

// ---- Processors ---------------------------------------------------------------------------------

function timesOf(line) {
  const n = line.trim().split(/\s+/).slice(1).map((ticks) => Number(ticks) * TICK_MS);
  return { user: n[0], nice: n[1], sys: n[2], idle: n[3], irq: n[5] };
}

function speedOf(index, mhz) {
  const khz = native.readText(`/sys/devices/system/cpu/cpu${index}/cpufreq/scaling_cur_freq`);
  return khz === undefined ? Math.floor(mhz ?? 0) : Math.floor(Number(khz) / 1000);
}

/** By number of the processor: { model, mhz }. */
function processorNames() {
  const byIndex = new Map();
  let current;
  for (let i = 0, all = (native.readText("/proc/cpuinfo") ?? "").split("\n"); i < all.length; i++) {
    const line = all[i];
    const colon = line.indexOf(":");
    const key = line.slice(0, colon).trim();
    const value = line.slice(colon + 1).trim();
    if (key === "processor") byIndex.set(Number(value), (current = {}));
    else if (key === "model name" && current) current.model = value;
    else if (key === "cpu MHz" && current) current.mhz = Number(value);
  }
  return byIndex;
}

exports.cpus = function cpus() {
  const names = processorNames();
  const list = [];
  for (let i = 0, all = (native.readText("/proc/stat") ?? "").split("\n"); i < all.length; i++) {
    const line = all[i];
    const index = /^cpu(\d+) /.exec(line)?.[1];
    if (index === undefined) continue;
    const { model = "unknown", mhz } = names.get(Number(index)) ?? {};
    list.push({ model, speed: speedOf(index, mhz), times: timesOf(line) });
  }
  return list;
};

exports.endianness = function endianness() {
  return "LE";
};

exports.freemem = function freemem() {
  return native.machine()[1];
};

exports.getPriority = function getPriority(pid = 0) {
  validateInt32(pid, "pid");
  const { 0: rc, 1: priority } = native.getPriority(pid);
  if (rc < 0) throw systemError("uv_os_getpriority", rc);
  return priority;
};

exports.homedir = function homedir() {
  const home = process.env.HOME;
  if (home) return home;
  const user = native.user();
  if (typeof user === "number") throw systemError("uv_os_homedir", user);
  return user[3];
};

exports.hostname = function hostname() {
  return native.hostname();
};

exports.loadavg = function loadavg() {
  return native.loadavg();
};

// ---- Network ------------------------------------------------------------------------------------

/** How many bits of a mask are set; -1 when a set one comes after one that is not. */
function maskBits(mask, family) {
  const isV4 = family === "IPv4";
  const groups = isV4 ? mask.split(".").map(Number) : groupsOfV6(mask);
  const bits = groups.map((n) => n.toString(2).padStart(isV4 ? 8 : 16, "0")).join("");
  return /^1*0*$/.test(bits) ? bits.indexOf("0") < 0 ? bits.length : bits.indexOf("0") : -1;
}

function groupsOfV6(text) {
  const parse = (part) => (part ? part.split(":").map((group) => parseInt(group, 16)) : []);
  const { 0: head, 1: tail } = text.split("::");
  const before = parse(head);
  if (tail === undefined) return before;
  const after = parse(tail);
  return before.concat(new Array(8 - before.length - after.length).fill(0), after);
}

exports.networkInterfaces = function networkInterfaces() {
  const v = native.interfaces();
  if (typeof v === "number") throw systemError("uv_interface_addresses", v);
  const found = {};
  for (let i = 0; i < v.length; i += 7) {
    const { [i]: name, [i + 1]: address, [i + 2]: netmask, [i + 3]: family } = v;
    const bits = maskBits(netmask, family);
    const entry = {
      address,
      netmask,
      family,
      mac: v[i + 4],
      internal: v[i + 5],
      cidr: bits < 0 ? null : `${address}/${bits}`,
    };
    if (v[i + 6] >= 0) entry.scopeid = v[i + 6];
    (found[name] ??= []).push(entry);
  }
  return found;
};

exports.platform = function platform() {
  return process.platform;
};

exports.release = function release() {
  return native.uname()[1];
};

exports.setPriority = function setPriority(pid, priority) {
  const isOwn = priority === undefined;
  const target = isOwn ? 0 : pid;
  const wanted = isOwn ? pid : priority;
  validateInt32(target, "pid");
  validateInt32(wanted, "priority", -20, 19);
  const rc = native.setPriority(target, wanted);
  if (rc < 0) throw systemError("uv_os_setpriority", rc);
};

exports.tmpdir = function tmpdir() {
  const { TMPDIR, TMP, TEMP } = process.env;
  const dir = TMPDIR || TMP || TEMP || "/tmp";
  return dir.length > 1 && dir.endsWith("/") ? dir.slice(0, -1) : dir;
};

exports.totalmem = function totalmem() {
  return native.machine()[0];
};

exports.type = function type() {
  return native.uname()[0];
};

exports.userInfo = function userInfo(options) {
  const user = native.user();
  if (typeof user === "number") throw systemError("uv_os_get_passwd", user);
  const { 0: uid, 1: gid, 2: username, 3: homedir, 4: shell } = user;
  if (options?.encoding !== "buffer") return { uid, gid, username, homedir, shell };
  const { Buffer } = globalThis;
  return {
    uid,
    gid,
    username: Buffer.from(username),
    homedir: Buffer.from(homedir),
    shell: Buffer.from(shell),
  };
};

exports.uptime = function uptime() {
  return native.machine()[2];
};

exports.version = function version() {
  return native.uname()[2];
};

exports.machine = function machine() {
  return native.uname()[3];
};

for (let i = 0, all = [
  "arch", "availableParallelism", "endianness", "freemem", "homedir", "hostname", "platform",
  "release", "tmpdir", "totalmem", "type", "uptime", "version", "machine",
]; i < all.length; i++) {
  const name = all[i];
  exports[name][Symbol.toPrimitive] = () => exports[name]();
}

Object.defineProperties(exports, {
  EOL: { value: "\n", enumerable: true, configurable: true },
  devNull: { value: "/dev/null", enumerable: true, configurable: true },
});
lazy(exports, "constants", () => require("internal/constants/os").all);
