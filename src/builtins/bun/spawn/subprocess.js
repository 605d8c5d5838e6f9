// @internal
// bun:spawn/subprocess -- what Bun.spawn returns.
const child = require("internal/subprocess");
const options_ = require("internal/subprocess/options");
const pipe = require("internal/pipe_end");

// Descriptors of streams that nobody looked at are closed with their owner.
const unseen = new FinalizationRegistry((fds) => {
  for (const fd of fds.values()) child.closeFd(fd);
});

/** A stream of what `handle` gives; `onBytes(n)` hears of each piece. */
function readableOf(handle, onBytes) {
  let isReading = false;
  const start = (controller) => {
    isReading = true;
    pipe.readStart(handle, (bytes, code) => {
      if (bytes !== null) {
        onBytes?.(bytes.length);
        controller.enqueue(bytes);
        if (controller.desiredSize <= 0) {
          isReading = false;
          pipe.readStop(handle);
        }
        return;
      }
      pipe.close(handle);
      if (code === 0) controller.close();
      else controller.error(require("internal/errors/system").errnoException(code, "read"));
    });
  };
  return new ReadableStream(
    {
      pull(controller) {
        if (!isReading) start(controller);
      },
      cancel() {
        pipe.close(handle);
      },
    },
    new CountQueuingStrategy({ highWaterMark: onBytes === undefined ? 0 : Infinity }),
  );
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
  #fds = new Map(); // descriptors that are not streams yet
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
  #isFd;

  constructor([handle, pid], spec, slots, options) {
    this.#handle = handle;
    this.#options = options;
    Object.defineProperty(this, "pid", { __proto__: null, value: pid, enumerable: true });
    const fds = spec.stdio;
    this.#isFd = slots.map((slot) => (slot.kind >= 3 ? slot.kind : undefined));
    this.#stdio = slots.map((slot, i) => (i > 2 && slot.isPipe ? fds[i] : null));
    for (let i = 1; i < 3; i++) if (slots[i].isPipe) this.#fds.set(i, fds[i]);
    if (this.#fds.size > 0) unseen.register(this, this.#fds, this);
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
    const fd = this.#fds.get(i);
    if (fd === undefined) return this.#isFd[i];
    this.#fds.delete(i);
    const max = this.#options.maxBuffer;
    const count = (n) => {
      this.#size += n;
      if (this.#size > max) this.kill(this.#options.killSignal);
    };
    const handle = pipe.open(fd, false);
    this.#streams[name] = readableOf(handle, max > 0 ? count : undefined);
    return this.#streams[name];
  }

  get stdin() {
    return this.#streams.stdin ?? this.#isFd[0];
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

  kill(signal = this.#options.killSignal) {
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
