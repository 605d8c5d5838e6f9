// internal/subprocess/process -- the class ChildProcess (Node: internal/child_process).
const EventEmitter = require("node:events");
const errors = require("internal/errors");
const child = require("internal/subprocess");
const options_ = require("internal/subprocess/options");
const stdioOption = require("internal/subprocess/stdio");
const { inContext, nextTick } = require("internal/tick");
const { validateObject, validateOneOf, validateString } = require("internal/validators");

const ESRCH = -3;
const EXIT_TURNS = 3; // of the loop, between the end of a program and the event
// These are told by an 'error' event; all others are thrown.
const EVENT_ERRORS = [-2 /* ENOENT */, -13 /* EACCES */, -11 /* EAGAIN */, -24, -23, -20, -40, -36];

function errnoException(code, syscall) {
  return require("internal/errors/system").errnoException(code, syscall);
}

const isPiped = (slot) => slot.type === "pipe" || slot.type === "overlapped";

/** Streams of a child that never was: at their end. */
function deadStream(i) {
  const { Readable, Writable } = require("node:stream");
  if (i > 0) {
    return new Readable({
      read() {
        this.push(null);
      },
    });
  }
  const stream = new Writable({ write: (chunk, encoding, callback) => callback() });
  stream.on("error", () => {});
  return stream;
}

class ChildProcess extends EventEmitter {
  #handle = null;
  #closesGot = 0;
  #closesNeeded = 1;
  #sayClosed;

  constructor() {
    super();
    this.connected = false;
    this.signalCode = null;
    this.exitCode = null;
    this.killed = false;
    this.spawnfile = null;
    this._handle = null;
  }

  /** Starts; `options` as normalizeSpawn gives them, or a program's own. */
  spawn(options) {
    validateObject(options, "options");
    validateOneOf(options.serialization, "options.serialization", [undefined, "json", "advanced"]);
    const { slots, ipcFd } = stdioOption.parse(options.stdio ?? "pipe", false);
    let envPairs = options.envPairs;
    if (envPairs === undefined) envPairs = [];
    else if (!Array.isArray(envPairs)) {
      throw new errors.ERR_INVALID_ARG_TYPE("options.envPairs", "Array", envPairs);
    }
    if (ipcFd !== undefined) {
      envPairs = [
        ...envPairs.filter((pair) => !pair.startsWith("NODE_CHANNEL_")),
        `NODE_CHANNEL_FD=${ipcFd}`,
        `NODE_CHANNEL_SERIALIZATION_MODE=${options.serialization || "json"}`,
      ];
    }
    validateString(options.file, "options.file");
    this.spawnfile = options.file;
    if (options.args !== undefined && !Array.isArray(options.args)) {
      throw new errors.ERR_INVALID_ARG_TYPE("options.args", "Array", options.args);
    }
    this.spawnargs = options.args ?? [];
    this.#sayClosed = inContext(() => this.emit("close", this.exitCode, this.signalCode));
    const stdio = stdioOption.kindsOf(slots);
    const started = child.start(
      {
        file: options.file,
        args: this.spawnargs,
        env: envPairs,
        cwd: options.cwd || undefined,
        stdio,
        detached: options.detached,
        uid: options.uid,
        gid: options.gid,
      },
      (exit) => this.#afterOutput(exit[0], child.signalName(exit[1]), EXIT_TURNS),
    );
    if (typeof started === "number") return this.#fail(started, slots);
    this.#handle = started[0];
    this._handle = started[0];
    this.pid = started[1];
    this.#openStreams(slots, stdio);
    if (ipcFd !== undefined) {
      const ipc = require("internal/subprocess/ipc");
      ipc.setUp(this, stdio[ipcFd], options.serialization || "json");
    }
    nextTick(() => this.emit("spawn"));
    return 0;
  }

  #fail(code, slots) {
    if (!EVENT_ERRORS.includes(code)) throw errnoException(code, "spawn");
    this.stdio = slots.map((slot, i) => (isPiped(slot) ? deadStream(i) : null));
    this.#nameStreams();
    nextTick(() => {
      for (let i = 0; i < this.stdio.length; i++) {
        const stream = this.stdio[i];
        stream?.destroy();
      }
      this.exitCode = code;
      const error = errnoException(code, `spawn ${this.spawnfile}`);
      error.path = this.spawnfile;
      error.spawnargs = this.spawnargs.slice(1);
      this.emit("error", error);
      this.#maybeClose();
    });
    return code;
  }

  #nameStreams() {
    this.stdin = this.stdio[0] ?? null;
    this.stdout = this.stdio[1] ?? null;
    this.stderr = this.stdio[2] ?? null;
  }

  #openStreams(slots, fds) {
    this.stdio = slots.map((slot, i) => {
      if (!isPiped(slot)) return null;
      const stream = stdioOption.openStream(i, slot, fds[i]);
      if (i > 0) {
        this.#closesNeeded++;
        stream.on("close", () => this.#maybeClose());
      }
      return stream;
    });
    this.#nameStreams();
  }

  // Programs count on having seen by 'exit' what was written before it.
  #afterOutput(code, signal, turns) {
    const isReading = this.stdio.some((stream, i) => i > 0 && stream?.readableFlowing);
    if (isReading && turns > 0) setImmediate(() => this.#afterOutput(code, signal, turns - 1));
    else this.#onExit(code, signal);
  }

  #onExit(code, signal) {
    this.signalCode = signal;
    if (signal === null) this.exitCode = code;
    this.stdin?.destroy();
    this.#handle = null;
    this._handle = null;
    this.emit("exit", this.exitCode, signal);
    // What nobody reads would keep 'close' away.
    nextTick(() => {
      for (let i = 0; i < this.stdio.length; i++) {
        const stream = this.stdio[i];
        if (stream?.readable && !stream.readableFlowing && stream.listenerCount("readable") === 0) {
          stream.resume();
        }
      }
    });
    this.#maybeClose();
  }

  #maybeClose() {
    if (++this.#closesGot === this.#closesNeeded) {
      this.#sayClosed();
    }
  }

  kill(signal) {
    const number = signal === 0 ? 0 : options_.signalNumber(signal ?? "SIGTERM");
    if (this.#handle === null) return false;
    const code = child.kill(this.#handle, number);
    if (code === 0) {
      this.killed = true;
      return true;
    }
    if (code !== ESRCH) {
      const error = errnoException(code, "kill");
      if (code === -22) throw error;
      this.emit("error", error);
    }
    return false;
  }

  [Symbol.dispose]() {
    if (!this.killed) this.kill();
  }

  ref() {
    if (this.#handle !== null) child.setRef(this.#handle, true);
  }

  unref() {
    if (this.#handle !== null) child.setRef(this.#handle, false);
  }
}

exports.ChildProcess = ChildProcess;
