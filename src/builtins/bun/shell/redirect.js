// @internal
// bun:shell/redirect -- where the descriptors of one command go.
const { Fd, BufferTarget, feed } = require("bun:shell/io");
const { CommandError } = require("bun:shell/state");
const { messageOf } = require("bun:shell/messages");

const FLAGS = { "<": "r", "<>": "r+", ">": "w", ">|": "w", ">>": "a", "&>": "w", "&>>": "a" };

const isBytes = (value) =>
  ArrayBuffer.isView(value) || value instanceof ArrayBuffer || value instanceof SharedArrayBuffer;

/** Opens without waiting in this thread: a FIFO may have nobody at its other end. */
function open(path, flags) {
  const fs = require("node:fs");
  const stat = fs.statSync(path, { throwIfNoEntry: false });
  if (stat === undefined || !stat.isFIFO()) return fs.openSync(path, flags, 0o666);
  return new Promise((resolve, reject) => {
    fs.open(path, flags, 0o666, (error, fd) => (error ? reject(error) : resolve(fd)));
  });
}

async function openFile(path, flags, state) {
  try {
    return new Fd(await open(state.resolve(path), flags), true);
  } catch (error) {
    throw new CommandError(`bun: ${messageOf(error)}: ${path}\n`);
  }
}

/** What a value of the program is as the source or target of a redirection. */
async function openObject(value, node, state) {
  const isInput = node.op === "<";
  if (isBytes(value)) {
    if (!isInput) return new BufferTarget(value);
    const bytes = new BufferTarget(value).view;
    return feed([bytes]);
  }
  const { partsOf } = require("web/blob");
  if (value instanceof Blob && typeof value.name === "string" && !(value instanceof File)) {
    return openFile(value.name, FLAGS[node.op], state);
  }
  const part = value instanceof Blob ? partsOf(value)[0] : undefined;
  if (typeof part?.fd === "number") return new Fd(part.fd, false);
  if (!isInput) {
    throw new Error("Cannot redirect stdout/stderr to an immutable blob. Expected a file");
  }
  return feed(chunksOf(value));
}

function chunksOf(value) {
  if (value instanceof Blob) return value.stream();
  const stream = value instanceof ReadableStream ? value : value.body;
  return stream === null || stream.locked ? [] : stream;
}

/** Copies a descriptor: "2>&1", "1>&-". */
function duplicate(text, io) {
  if (text === "-") return undefined;
  const handle = /^\d$/.test(text) ? io[Number(text)] : undefined;
  if (handle === undefined) throw new CommandError(`bun: ${text}: Bad file descriptor\n`);
  return handle.hold();
}

class Redirection {
  #opened = [];

  constructor(io) {
    this.io = [...io];
  }

  #put(fd, handle) {
    if (handle !== undefined) this.#opened.push(handle);
    this.io[fd] = handle;
  }

  /** Carries out one redirection of the command called `name`. */
  async add(node, expander, state, name) {
    if (node.op === "here") {
      const text = await expander.text(node.word);
      this.#put(node.fd, feed([Buffer.from(text)]));
      return;
    }
    const [part] = node.word.parts;
    if (part?.type === "object" && node.word.parts.length === 1) {
      this.#put(node.fd, await openObject(part.value, node, state));
    } else {
      const fields = await expander.fields(node.word);
      if (fields.length !== 1 || fields[0] === "") {
        throw new CommandError(`bun: ambiguous redirect: at \`${name}\`\n`);
      }
      const copies = node.op === ">&" || node.op === "<&";
      if (copies) this.#put(node.fd, duplicate(fields[0], this.io));
      else this.#put(node.fd, await openFile(fields[0], FLAGS[node.op], state));
    }
    if (node.op[0] === "&") this.#put(2, this.io[1].hold());
  }

  close() {
    for (const handle of this.#opened) handle.close();
    this.#opened = [];
  }
}

exports.Redirection = Redirection;
exports.isBytes = isBytes;
