// @internal
// bun:spawn -- Bun.spawn and Bun.spawnSync.
const errors = require("internal/errors");
const child = require("internal/subprocess");
const options_ = require("internal/subprocess/options");
const { validateAbortSignal, validateFunction, validateObject } = require("internal/validators");

const SIGTERM = 15;
const kFile = Symbol("file"); // a slot whose descriptor was opened for the child

/** (cmd, options) or ({ cmd, ...options }). */
function readCommand(first, second) {
  let cmd = first;
  let options = second;
  if (!Array.isArray(first)) {
    if (typeof first !== "object" || first === null || !Array.isArray(first.cmd)) {
      throw new TypeError("cmd must be an array of strings");
    }
    cmd = first.cmd;
    options = first;
  }
  options ??= {};
  validateObject(options, "options");
  if (cmd.length === 0) throw new TypeError("cmd must not be empty");
  const args = [];
  for (let i = 0; i < cmd.length; i++) args.push(`${cmd[i]}`);
  options_.checkTexts(args, "args");
  if (args[0] === "") throw new TypeError("cmd[0] must not be an empty string");
  return { args, options };
}

function isFile(value) {
  return typeof value?.name === "string" && value instanceof Blob && !(value instanceof File);
}

function openFile(file, i) {
  const fs = require("node:fs");
  return { kind: fs.openSync(file.name, i === 0 ? "r" : "w"), [kFile]: true };
}

const isBody = (value) =>
  value instanceof Blob || value instanceof Response || value instanceof Request ||
  value instanceof ReadableStream;

function slotOf(value, i, state) {
  if (value === undefined) value = i === 0 ? "ignore" : i === 2 ? state.stderr : "pipe";
  switch (value) {
    case null:
    case "ignore":
      return { kind: child.NULL };
    case "pipe":
      if (i > 2) return { kind: child.SOCKET, isPipe: true };
      return { kind: i === 0 ? child.CHILD_READS : child.CHILD_WRITES, isPipe: true };
    case "inherit":
      return { kind: i };
    case "ipc":
      return { kind: child.SOCKET, isIpc: true };
  }
  if (typeof value === "number" && Number.isInteger(value) && value >= 0) return { kind: value };
  if (isFile(value)) return openFile(value, i);
  if (i === 0 && ArrayBuffer.isView(value)) return { kind: child.CHILD_READS, bytes: value };
  if (i === 0 && value instanceof ArrayBuffer) {
    return { kind: child.CHILD_READS, bytes: new Uint8Array(value) };
  }
  if (i === 0 && isBody(value)) {
    if (state.isSync) throw new TypeError("stdin of spawnSync cannot be a stream");
    return { kind: child.CHILD_READS, body: value };
  }
  throw new TypeError(
    "stdio must be an array of 'inherit', 'pipe', 'ignore', Bun.file(pathOrFd), number, or null",
  );
}

function readStdio(options, isSync) {
  const state = { isSync, stderr: isSync ? "pipe" : "inherit" };
  const list = options.stdio ?? [];
  if (!Array.isArray(list)) throw new TypeError("stdio must be an array");
  const values = [...list];
  if (options.stdio === undefined) {
    values[0] = options.stdin;
    values[1] = options.stdout;
    values[2] = options.stderr;
  }
  while (values.length < 3) values.push(undefined);
  const slots = [];
  let hasIpc = options.ipc === undefined;
  for (let i = 0; i < values.length; i++) {
    const slot = slotOf(values[i], i, state);
    hasIpc ||= slot.isIpc === true;
    slots.push(slot);
  }
  if (!hasIpc) slots.push({ kind: child.SOCKET, isIpc: true });
  return slots;
}

function closeFiles(slots) {
  for (const slot of slots) if (slot[kFile]) child.closeFd(slot.kind);
}

function specOf(args, options, slots) {
  const cwd = options_.pathOf(options.cwd, "options.cwd");
  options_.checkText(cwd, "options.cwd");
  let argv = args;
  if (options.argv0 !== undefined) argv = args.with(0, `${options.argv0}`);
  let env = options_.envPairs(options.env ?? process.env);
  let ipcFd = -1;
  const stdio = new Int32Array(slots.length);
  for (let i = 0; i < slots.length; i++) {
    stdio[i] = slots[i].kind;
    if (slots[i].isIpc) ipcFd = i;
  }
  if (ipcFd >= 0) {
    env = [
      ...env,
      `NODE_CHANNEL_FD=${ipcFd}`,
      `NODE_CHANNEL_SERIALIZATION_MODE=${options.serialization ?? "advanced"}`,
    ];
  }
  return {
    file: args[0],
    args: argv,
    env,
    cwd: cwd || undefined,
    stdio,
    detached: !!options.detached,
    uid: options.uid,
    gid: options.gid,
    ipcFd,
  };
}

/** What Bun throws for a program that is not there. */
function startError(code, spec) {
  const { systemErrorName, systemErrorMessage } = require("internal/errors/system");
  const name = systemErrorName(code);
  const text =
    code === -2 && spec.cwd === undefined
      ? `Executable not found in $PATH: "${spec.file}"`
      : `${name}: ${systemErrorMessage(code)}, posix_spawn '${spec.file}'`;
  return Object.assign(new Error(text), {
    code: name,
    path: spec.file,
    errno: code,
    syscall: "posix_spawn",
  });
}

function spawn(first, second) {
  const { args, options } = readCommand(first, second);
  if (options.terminal !== undefined) return spawnInTerminal(args, options);
  for (const name of ["onExit", "ipc", "onDisconnect"]) {
    if (options[name] !== undefined) validateFunction(options[name], name);
  }
  if (options.signal !== undefined) validateAbortSignal(options.signal, "signal");
  const killSignal = options_.killSignalOf(options.killSignal) ?? SIGTERM;
  const slots = readStdio(options, false);
  const { Subprocess } = require("bun:spawn/subprocess");
  try {
    const spec = specOf(args, options, slots);
    let subprocess;
    const started = child.start(spec, (exit) => subprocess.handleExit(exit));
    if (typeof started === "number") throw startError(started, spec);
    subprocess = new Subprocess(started, spec, slots, { ...options, killSignal });
    return subprocess;
  } finally {
    closeFiles(slots);
  }
}

/** All three streams are a terminal's; one that was made for this child ends with it. */
function spawnInTerminal(args, options) {
  const terminals = require("bun:terminal");
  const terminal = terminals.of(options.terminal);
  const isOwn = terminal !== options.terminal;
  const { Subprocess } = require("bun:spawn/subprocess");
  const { tty, flags } = terminals.begin(terminal);
  const killSignal = options_.killSignalOf(options.killSignal) ?? SIGTERM;
  const stdio = [tty, tty, tty];
  const slots = readStdio({ ...options, stdio }, false);
  const spec = { ...specOf(args, options, slots), detached: true, flags };
  let subprocess;
  const started = child.start(spec, (exit) => {
    terminals.end(terminal);
    subprocess.handleExit(exit);
  });
  if (isOwn) terminals.release(terminal);
  if (typeof started === "number") {
    terminals.end(terminal);
    if (isOwn) terminal.close();
    throw startError(started, spec);
  }
  subprocess = new Subprocess(started, spec, slots, { ...options, killSignal, terminal });
  return subprocess;
}

function toBuffer(bytes) {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
}

/** What the options `timeout` and `signal` leave, in ms; 0: no limit. */
function timeLimitOf({ timeout, signal }) {
  const own = timeout ?? 0;
  if (signal === undefined || signal === null) return own;
  validateAbortSignal(signal, "signal");
  // Nothing runs meanwhile that could abort it: only its own timeouts count.
  const left = Math.ceil(require("web/abort").timeLeft(signal));
  if (left === Infinity) return own;
  return own > 0 ? Math.min(own, Math.max(left, 1)) : Math.max(left, 1);
}

function spawnSync(first, second) {
  const { args, options } = readCommand(first, second);
  if (options.terminal !== undefined) {
    throw errors.makeCoded(
      "TypeError", "ERR_INVALID_ARG_TYPE",
      "terminal option is only supported for Bun.spawn, not Bun.spawnSync",
    );
  }
  const slots = readStdio(options, true);
  const timeout = timeLimitOf(options);
  const killSignal = options_.killSignalOf(options.killSignal) ?? SIGTERM;
  let result;
  let spec;
  try {
    spec = specOf(args, options, slots);
    const inputs = slots.map((slot) => slot.bytes ?? null);
    const { maxBuffer } = options;
    result = child.run(
      { ...spec, timeout, killSignal, maxBuffer: maxBuffer ?? 0 },
      inputs,
    );
  } finally {
    closeFiles(slots);
  }
  const [code, pid, end, exit, outputs] = result;
  if (code !== 0) throw startError(code, spec);
  const signalCode = child.signalName(exit[1]);
  const shown = {
    stdout: outputs[1] === null ? undefined : toBuffer(outputs[1]),
    stderr: outputs[2] === null ? undefined : toBuffer(outputs[2]),
    exitCode: signalCode === null ? exit[0] : 128 + exit[1],
    success: signalCode === null && exit[0] === 0,
    resourceUsage: child.usageOf(exit),
    pid,
  };
  if (signalCode !== null) shown.signalCode = signalCode;
  if (end === child.TIMED_OUT && options.timeout > 0) shown.exitedDueToTimeout = true;
  if (end === child.TOO_MUCH) shown.exitedDueToMaxBuffer = true;
  return shown;
}

exports.spawn = spawn;
exports.spawnSync = spawnSync;
