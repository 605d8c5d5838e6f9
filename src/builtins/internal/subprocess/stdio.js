// internal/subprocess/stdio -- the option `stdio` (Node: getValidStdio).
const errors = require("internal/errors");
const child = require("internal/subprocess");

const KINDS = ["pipe", "ignore", "inherit", "overlapped", "ipc"];

function textToList(text) {
  if (KINDS.includes(text) && text !== "ipc") return [text, text, text];
  throw new errors.ERR_INVALID_ARG_VALUE("stdio", text);
}

/** The descriptor of a stream, or undefined. */
function fdOf(value) {
  if (typeof value?.fd === "number" && value.fd >= 0) return value.fd;
  const handle = value?._handle;
  return typeof handle?.fd === "number" && handle.fd >= 0 ? handle.fd : undefined;
}

function slotOf(value, i, state) {
  if (value === undefined || value === null) value = i < 3 ? "pipe" : "ignore";
  switch (value) {
    case "ignore":
      return { type: "ignore", kind: child.NULL };
    case "pipe":
    case "overlapped":
      if (state.isSync || i < 3) {
        return { type: value, kind: i === 0 ? child.CHILD_READS : child.CHILD_WRITES };
      }
      return { type: value, kind: child.SOCKET };
    case "ipc":
      if (state.isSync || state.ipcFd !== undefined) {
        if (state.isSync) throw new errors.ERR_IPC_SYNC_FORK();
        throw new errors.ERR_IPC_ONE_PIPE();
      }
      state.ipcFd = i;
      return { type: "ipc", kind: child.SOCKET };
    case "inherit":
      return { type: "inherit", kind: i, fd: i };
  }
  if (typeof value === "number" && Number.isInteger(value) && value >= 0) {
    return { type: "fd", kind: value, fd: value };
  }
  if (typeof value === "number") throw new errors.ERR_INVALID_ARG_VALUE("stdio", value);
  const fd = fdOf(value);
  if (fd !== undefined) return { type: "wrap", kind: fd, fd, stream: value };
  if (state.isSync && (ArrayBuffer.isView(value) || typeof value === "string")) {
    throw new errors.ERR_INVALID_SYNC_FORK_INPUT(require("node:util").inspect(value));
  }
  throw new errors.ERR_INVALID_ARG_VALUE("stdio", value);
}

/** { slots: [{ type, kind, fd }], ipcFd } */
exports.parse = function parse(stdio, isSync) {
  if (typeof stdio === "string") stdio = textToList(stdio);
  else if (stdio === undefined || stdio === null) stdio = [];
  else if (!Array.isArray(stdio)) throw new errors.ERR_INVALID_ARG_VALUE("stdio", stdio);
  const list = stdio.slice();
  while (list.length < 3) list.push(undefined);
  const state = { isSync, ipcFd: undefined };
  const slots = list.map((value, i) => slotOf(value, i, state));
  return { slots, ipcFd: state.ipcFd };
};

/** Flags that make one writable or readable for us: the child's input we write. */
exports.openStream = function openStream(i, slot, fd) {
  const { PipeStream } = require("internal/pipe_end/stream");
  const isSocket = slot.kind === child.SOCKET;
  return new PipeStream(fd, {
    readable: isSocket || i > 0,
    writable: isSocket || i === 0,
  });
};

/** The kinds of slots, for the native half. */
exports.kindsOf = function kindsOf(slots) {
  const kinds = new Int32Array(slots.length);
  for (let i = 0; i < slots.length; i++) kinds[i] = slots[i].kind;
  return kinds;
};
