// @internal
// bun:shell/io -- where commands read and write: descriptors, buffers, values of the program.
//
// What a command writes to is an Fd, a Capture or a BufferTarget.  Between programs there are pipes
// of the system and nothing of ours; a program that writes to one of our objects gets a pipe, too,
// which `collect` empties.
const child = require("internal/subprocess");
const pipeEnd = require("internal/pipe_end");

const EPIPE = -32;
const ENOSPC = -28;
const CAPTURE_MAX = 2 ** 31; // of one output, in bytes; a program that writes more gets SIGPIPE

/** A descriptor.  The owned ones are closed with the last holder. */
class Fd {
  #writer; // for pipes: how we write without waiting in the thread
  #kind;

  constructor(fd, isOwned) {
    this.fd = fd;
    this.isOwned = isOwned;
    this.holders = 1;
  }

  hold() {
    this.holders++;
    return this;
  }

  close() {
    if (--this.holders > 0) return;
    if (this.#writer !== undefined) pipeEnd.close(this.#writer);
    this.#writer = undefined;
    if (this.isOwned && this.fd >= 0) child.closeFd(this.fd);
    this.fd = child.NULL;
  }

  #find() {
    const fs = require("node:fs");
    const stat = fs.fstatSync(this.fd);
    if (!stat.isFIFO() && !stat.isSocket()) return "file";
    // Another open file of the same pipe: not to wait in it is our choice and nobody else's.
    const { O_WRONLY, O_NONBLOCK } = fs.constants;
    try {
      const fd = fs.openSync(`/proc/self/fd/${this.fd}`, O_WRONLY | O_NONBLOCK);
      this.#writer = pipeEnd.open(fd, false);
      return "pipe";
    } catch {
      return "file";
    }
  }

  /** 0 or -errno, perhaps later. */
  write(data) {
    if (this.fd < 0) return 0;
    this.#kind ??= this.#find();
    if (this.#kind === "file") return writeFile(this.fd, data);
    const { promise, resolve } = Promise.withResolvers();
    const code = pipeEnd.write(this.#writer, data, resolve);
    if (code === 0) return promise;
    return code === 1 ? 0 : code;
  }
}

/** 0 or -errno; later when somebody has made the descriptor one that does not wait. */
function writeFile(fd, data) {
  const bytes = typeof data === "string" ? Buffer.from(data) : data;
  const code = writeFrom(fd, bytes, 0);
  return code > 0 ? retry(fd, bytes, code) : code;
}

/** Writes from `at` on: 0, -errno, or one more than where it got when there was no more room. */
function writeFrom(fd, bytes, at) {
  const fs = require("node:fs");
  try {
    while (at < bytes.length) at += fs.writeSync(fd, bytes, at, bytes.length - at);
    return 0;
  } catch (error) {
    if (error.code === "EAGAIN") return at + 1;
    return error.errno ?? EPIPE;
  }
}

async function retry(fd, bytes, code) {
  while (code > 0) {
    await new Promise((resolve) => setTimeout(resolve, 1));
    code = writeFrom(fd, bytes, code - 1);
  }
  return code;
}

/** Keeps what is written; `echo` shows it, too, on our stdout (1) or stderr (2); 0: nowhere. */
class Capture {
  #chunks = [];
  #size = 0;

  constructor(echo, onData = undefined) {
    this.echo = echo;
    this.onData = onData;
  }

  write(data) {
    if (data.length === 0) return 0;
    const bytes = typeof data === "string" ? Buffer.from(data) : data;
    if (this.#size + bytes.length > CAPTURE_MAX) return ENOSPC;
    this.#chunks.push(bytes);
    this.#size += bytes.length;
    this.onData?.(bytes);
    if (this.echo === 1) process.stdout.write(bytes);
    else if (this.echo === 2) process.stderr.write(bytes);
    return 0;
  }

  /** All of it. */
  bytes() {
    if (this.#chunks.length !== 1) this.#chunks = [Buffer.concat(this.#chunks, this.#size)];
    const [bytes] = this.#chunks;
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  }

  hold() {
    return this;
  }

  close() {}
}

/** A TypedArray, DataView or ArrayBuffer that takes what fits in. */
class BufferTarget {
  #at = 0;

  constructor(value) {
    this.view = ArrayBuffer.isView(value)
      ? new Uint8Array(value.buffer, value.byteOffset, value.byteLength)
      : new Uint8Array(value);
  }

  write(data) {
    const bytes = typeof data === "string" ? Buffer.from(data) : data;
    const room = this.view.length - this.#at;
    this.view.set(bytes.length > room ? bytes.subarray(0, room) : bytes, this.#at);
    this.#at += Math.min(room, bytes.length);
    return room === 0 && bytes.length > 0 ? EPIPE : 0; // what does not fit in is dropped once
  }

  hold() {
    return this;
  }

  close() {}
}

/** A pipe of the system: [reader, writer]. */
function makePipe() {
  const ends = child.pipe();
  if (typeof ends === "number") {
    throw require("internal/errors/system").errnoException(ends, "pipe");
  }
  return [new Fd(ends[0], true), new Fd(ends[1], true)];
}

/** Gives `target` all that comes out of `reader`, which is taken; resolves at the end. */
function collect(reader, target) {
  const handle = pipeEnd.open(reader.fd, false);
  reader.isOwned = false; // the handle closes it
  const { promise, resolve } = Promise.withResolvers();
  const finish = () => pipeEnd.close(handle, resolve);
  pipeEnd.readStart(handle, (bytes) => {
    if (bytes === null || target.write(bytes) !== 0) finish();
  });
  return promise;
}

/** A reader of a pipe into which `chunks` (an iterable of bytes, perhaps asynchronous) are fed. */
function feed(chunks) {
  const [reader, writer] = makePipe();
  writer.isOwned = false;
  const handle = pipeEnd.open(writer.fd, false);
  void pump(handle, chunks);
  return reader;
}

function writeAll(handle, data) {
  const { promise, resolve } = Promise.withResolvers();
  const code = pipeEnd.write(handle, data, resolve);
  return code === 0 ? promise : code === 1 ? 0 : code;
}

async function pump(handle, chunks) {
  try {
    for await (const chunk of chunks) {
      // Whoever does not read to the end is no failure.
      if ((await writeAll(handle, chunk)) !== 0) break;
    }
  } catch {
    // A body that fails ends the input.
  }
  pipeEnd.close(handle);
}

Object.assign(exports, { Fd, Capture, BufferTarget, makePipe, collect, feed });
