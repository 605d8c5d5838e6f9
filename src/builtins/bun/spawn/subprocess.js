// @internal
// bun:spawn/subprocess -- what Bun.spawn returns.
const child = require("internal/subprocess");
const options_ = require("internal/subprocess/options");
const pipe = require("internal/pipe_end");

/** Source of a stream of what `handle` gives (web/streams/source); `onBytes(n)` hears of pieces. */
class OutputSource {
  constructor(handle, onBytes) {
    this.handle = handle;
    this.onBytes = onBytes;
    this.isReading = false;
  }

  pull(sink) {
    if (this.isReading) return;
    this.isReading = true;
    pipe.readStart(this.handle, (bytes, code) => {
      if (bytes === null) {
        pipe.close(this.handle);
        if (code === 0) sink.close();
        else sink.error(readError(code));
        return;
      }
      this.onBytes?.(bytes.length);
      if (sink.push(bytes) || this.onBytes !== undefined) return;
      this.isReading = false;
      pipe.readStop(this.handle);
    });
  }

  cancel() {
    pipe.close(this.handle);
  }

  takeAll() {
    if (this.onBytes !== undefined) return undefined;
    return new Promise((resolve, reject) => {
      pipe.readAll(this.handle, (bytes, code) => {
        pipe.close(this.handle);
        if (bytes !== null) resolve(bytes);
        else reject(readError(code));
      });
    });
  }
}

function readError(code) {
  return require("internal/errors/system").errnoException(code, "read");
}

function readableOf(handle, onBytes) {
  const { makeReadable } = require("web/streams/source");
  if (onBytes === undefined) return makeReadable(new OutputSource(handle), { highWaterMark: 0 });
  const options = { highWaterMark: Infinity, isEager: true };
  return makeReadable(new OutputSource(handle, onBytes), options);
}

async function pump(sink, body) {
  let stream = body;
  if (body instanceof Blob) stream = body.stream();
  else if (!(body instanceof ReadableStream)) stream = body.body;
  try {
    if (stream !== null) {
      for await (const chunk of stream) await sink.write(chunk);
    }
    sink.end();
  } catch {
    // A child that does not read its input to the end is no failure.
    sink.end();
  }
}

class Subprocess {
  #handle;
  #pid;
  #fds; // descriptors that are not streams yet
  #streams = {};
  #exited = Promise.withResolvers();
  #exitCode = null;
  #signalCode = null;
  #exit;
  #isKilled = false;
  #ipc;
  #options;
  #timer;
  #onAbort;
  #size = 0;
  #stdio;
  #slots;

  constructor([handle, pid], spec, slots, options) {
    this.#handle = handle;
    this.#options = options;
    this.#pid = pid;
    this.#slots = slots;
    const fds = spec.stdio;
    this.#stdio = [null, null, null];
    for (let i = 3; i < slots.length; i++) this.#stdio.push(slots[i].isPipe ? fds[i] : null);
    if (slots[1].isPipe || slots[2].isPipe) {
      this.#fds = child.keepFds(slots[1].isPipe ? fds[1] : -1, slots[2].isPipe ? fds[2] : -1);
    }
    if (slots[0].kind === child.CHILD_READS) this.#openStdin(slots[0], fds[0]);
    if (spec.ipcFd >= 0) this.#openIpc(fds[spec.ipcFd], options);
    if (options.timeout > 0) this.#timer = setTimeout(() => this.kill(), options.timeout);
    if (options.signal !== undefined) this.#watchSignal(options.signal);
    if (options.maxBuffer > 0) {
      void this.stdout;
      void this.stderr;
    }
  }

  #openStdin(slot, fd) {
    const { FileSink } = require("bun:spawn/file_sink");
    const sink = new FileSink(fd);
    if (slot.bytes !== undefined) {
      sink.write(slot.bytes);
      sink.end();
    } else if (slot.body !== undefined) {
      void pump(sink, slot.body);
    } else {
      this.#streams.stdin = sink;
    }
  }

  #openIpc(fd, options) {
    const EventEmitter = require("node:events");
    this.#ipc = new EventEmitter();
    this.#ipc.on("error", () => {});
    this.#ipc.on("message", (message) => options.ipc?.(message, this, undefined));
    this.#ipc.on("disconnect", () => options.onDisconnect?.(true));
    require("internal/subprocess/ipc").setUp(this.#ipc, fd, options.serialization ?? "advanced");
  }

  #watchSignal(signal) {
    const { addAlgorithm } = require("web/abort");
    this.#onAbort = () => this.kill(this.#options.killSignal);
    if (signal.aborted) this.#onAbort();
    else addAlgorithm(signal, this.#onAbort);
  }

  /** From the loop. */
  handleExit(exit) {
    const { onExit, signal } = this.#options;
    this.#handle = null;
    this.#exit = exit;
    this.#signalCode = child.signalName(exit[1]);
    if (this.#signalCode === null) this.#exitCode = exit[0];
    clearTimeout(this.#timer);
    if (this.#onAbort) require("web/abort").removeAlgorithm(signal, this.#onAbort);
    this.#streams.stdin?.end();
    onExit?.(this, this.#exitCode, exit[1] === 0 ? null : exit[1], undefined);
    this.#exited.resolve(this.#signalCode === null ? exit[0] : 128 + exit[1]);
  }

  #output(i, name) {
    if (this.#streams[name] !== undefined) return this.#streams[name];
    const fd = this.#slots[i].isPipe ? child.takeFd(this.#fds, i - 1) : -1;
    if (fd < 0) return this.#givenFd(i);
    const max = this.#options.maxBuffer;
    const count = (n) => {
      this.#size += n;
      if (this.#size > max) this.kill(this.#options.killSignal);
    };
    const handle = pipe.open(fd, false);
    this.#streams[name] = readableOf(handle, max > 0 ? count : undefined);
    return this.#streams[name];
  }

  #givenFd(i) {
    if (this.#options.terminal !== undefined) return null;
    const { kind } = this.#slots[i];
    return kind >= 3 ? kind : undefined;
  }

  get pid() {
    return this.#pid;
  }

  get stdin() {
    return this.#streams.stdin ?? this.#givenFd(0);
  }

  get stdout() {
    return this.#output(1, "stdout");
  }

  get stderr() {
    return this.#output(2, "stderr");
  }

  get readable() {
    return this.stdout;
  }

  get terminal() {
    return this.#options.terminal;
  }

  get stdio() {
    return this.#stdio;
  }

  get exited() {
    return this.#exited.promise;
  }

  get exitCode() {
    return this.#exitCode;
  }

  get signalCode() {
    return this.#signalCode;
  }

  get killed() {
    return this.#isKilled || this.#exit !== undefined;
  }

  get connected() {
    return this.#ipc?.connected ?? false;
  }

  kill(signal) {
    // As in Bun: null, NaN and "" are nothing.
    if (signal !== 0 && !signal) signal = this.#options.killSignal;
    const number = signal === 0 ? 0 : options_.signalNumber(signal);
    if (this.#handle === null) return;
    if (child.kill(this.#handle, number) === 0 && number !== 0) this.#isKilled = true;
  }

  ref() {
    if (this.#handle !== null) child.setRef(this.#handle, true);
    this.#ipc?.channel?.ref();
  }

  unref() {
    if (this.#handle !== null) child.setRef(this.#handle, false);
    this.#ipc?.channel?.unref();
  }

  send(message) {
    if (this.#ipc === undefined) {
      throw new TypeError("Subprocess.send() can only be used if an IPC channel is open.");
    }
    this.#ipc.send(message);
  }

  disconnect() {
    if (this.#ipc?.connected) this.#ipc.disconnect();
  }

  resourceUsage() {
    return this.#exit === undefined ? undefined : child.usageOf(this.#exit);
  }

  async [Symbol.asyncDispose]() {
    this.kill();
    await this.exited;
  }

  [Symbol.dispose]() {
    this.kill();
  }
}

exports.Subprocess = Subprocess;
