// @internal
// bun:shell -- Bun.$: a shell for scripts in template literals.
//
//   bun:shell/template   values of the template      bun:shell/run       the interpreter
//   bun:shell/parse      text to a tree              bun:shell/command   one command
//   bun:shell/expand     words to arguments          bun:shell/builtins  what the shell does itself
//   bun:shell/io         descriptors and buffers     docs/internals/shell.md
const { ShellError, ShellOutput } = require("bun:shell/output");

const kSettings = Symbol("settings");

/** Runs a tree; { stdout, stderr, exitCode }.  `onOutput` gets pieces of stdout as they come. */
async function execute(tree, { env, cwd, isQuiet, onOutput }) {
  const { Interpreter } = require("bun:shell/run");
  const { State } = require("bun:shell/state");
  const { Capture, Fd } = require("bun:shell/io");
  const state = new State({
    env: env ?? process.env,
    cwd: folderOf(cwd),
    name: process.argv[0],
    positional: process.argv.slice(1),
  });
  const stdout = new Capture(isQuiet ? 0 : 1, onOutput);
  const stderr = new Capture(isQuiet ? 0 : 2);
  const io = [new Fd(0, false), stdout, stderr];
  const shell = new Interpreter();
  const exitCode = await shell.reported(io, () => shell.runSubshell(tree, state, io));
  return new ShellOutput(stdout.bytes(), stderr.bytes(), exitCode);
}

function folderOf(cwd) {
  const here = process.cwd();
  if (cwd === undefined || cwd === "") return here;
  const path = require("node:path").resolve(here, cwd);
  const stat = require("node:fs").statSync(path, { throwIfNoEntry: false });
  if (stat?.isDirectory()) return path;
  const code = stat === undefined ? "ENOENT" : "ENOTDIR";
  const text = stat === undefined ? "No such file or directory" : "Not a directory";
  throw Object.assign(new Error(text), { code, path });
}

function checkEnv(env) {
  if (env === undefined || (typeof env === "object" && env !== null)) return;
  throw new TypeError("env must be an object or undefined");
}

function checkCwd(cwd) {
  if (cwd === undefined || typeof cwd === "string") return;
  throw new TypeError("cwd must be a string or undefined");
}

class ShellPromise extends Promise {
  #tree;
  #settings;
  #error;
  #isRunning = false;
  #isQuiet = false;
  #onOutput;
  #resolve;
  #reject;

  static get [Symbol.species]() {
    return Promise;
  }

  constructor(tree, settings, error) {
    let functions;
    super((resolve, reject) => (functions = [resolve, reject]));
    [this.#resolve, this.#reject] = functions;
    this.#tree = tree;
    this.#settings = { ...settings };
    this.#error = error;
  }

  #change(name, value) {
    if (this.#isRunning) throw new Error("Shell is already running");
    this.#settings[name] = value;
    return this;
  }

  cwd(path) {
    checkCwd(path);
    return this.#change("cwd", path);
  }

  env(env) {
    checkEnv(env);
    return this.#change("env", env);
  }

  quiet(isQuiet = true) {
    if (this.#isRunning) throw new Error("Shell is already running");
    this.#isQuiet = Boolean(isQuiet);
    return this;
  }

  nothrow() {
    return this.#change("throws", false);
  }

  throws(doesThrow) {
    return this.#change("throws", Boolean(doesThrow));
  }

  /** Starts it, without waiting for somebody to ask. */
  run() {
    void this.#start();
    return this;
  }

  async #start() {
    if (this.#isRunning) return;
    this.#isRunning = true;
    const { env, cwd, throws } = this.#settings;
    try {
      const output = await execute(this.#tree, {
        env, cwd, isQuiet: this.#isQuiet, onOutput: this.#onOutput,
      });
      if (output.exitCode === 0 || !throws) {
        this.#resolve(output);
        return;
      }
      this.#error.initialize(output, output.exitCode);
      this.#reject(this.#error);
    } catch (error) {
      this.#reject(error);
    }
  }

  then(onFulfilled, onRejected) {
    void this.#start();
    return super.then(onFulfilled, onRejected);
  }

  async #quietly() {
    if (!this.#isRunning) this.#isQuiet = true;
    return this;
  }

  async text(encoding) {
    return (await this.#quietly()).text(encoding);
  }

  async json() {
    return (await this.#quietly()).json();
  }

  /** Lines as they come; a script that fails throws behind the last one. */
  async *lines() {
    if (this.#isRunning) {
      yield* (await this).text().split(/\r?\n/);
      return;
    }
    const decoder = new TextDecoder();
    const pieces = [];
    let wake = () => {};
    let isDone = false;
    this.#onOutput = (bytes) => {
      pieces.push(bytes);
      wake();
    };
    const finish = () => {
      isDone = true;
      wake();
    };
    this.quiet().then(finish, finish);
    let rest = "";
    while (!isDone || pieces.length > 0) {
      if (pieces.length === 0) await new Promise((resolve) => (wake = resolve));
      while (pieces.length > 0) {
        const lines = (rest + decoder.decode(pieces.shift(), { stream: true })).split(/\r?\n/);
        rest = lines.pop();
        for (const line of lines) yield line;
      }
    }
    await this;
    yield rest + decoder.decode();
  }

  async arrayBuffer() {
    return (await this.#quietly()).arrayBuffer();
  }

  async bytes() {
    return (await this.#quietly()).bytes();
  }

  async blob() {
    return (await this.#quietly()).blob();
  }
}

/** What `$` and the shells that `new $.Shell()` makes inherit. */
const prototype = {
  __proto__: Function.prototype,

  env(env) {
    checkEnv(env);
    this[kSettings].env = env;
    return this;
  },

  cwd(path) {
    checkCwd(path);
    this[kSettings].cwd = path;
    return this;
  },

  nothrow() {
    this[kSettings].throws = false;
    return this;
  },

  throws(doesThrow) {
    this[kSettings].throws = Boolean(doesThrow);
    return this;
  },
};
for (const name of Object.keys(prototype)) {
  Object.defineProperty(prototype, name, { enumerable: false });
}

/** A shell with settings of its own. */
function Shell() {
  const settings = { env: undefined, cwd: undefined, throws: true };
  function $(strings, ...values) {
    if (strings?.raw === undefined) {
      throw new Error("Please use '$' as a tagged template function: $`cmd arg1 arg2`");
    }
    const source = require("bun:shell/template").sourceOf(strings, values);
    const tree = require("bun:shell/parse").parse(source);
    return new ShellPromise(tree, settings, new ShellError());
  }
  Object.setPrototypeOf($, prototype);
  Object.defineProperty($, "name", { value: "BunShell", configurable: true });
  Object.defineProperty($, kSettings, { value: settings });
  return $;
}
Shell.prototype = prototype;
Object.defineProperty(prototype, "constructor", {
  value: Shell, writable: true, configurable: true,
});

const $ = Shell();
const members = {
  Shell,
  ShellPromise,
  ShellError,
  braces: (text) => require("bun:shell/braces").expandText(`${text}`),
  escape: (text) => require("bun:shell/escapes").escape(`${text}`),
};
for (const name of Object.keys(members)) {
  Object.defineProperty($, name, { value: members[name], writable: true, configurable: true });
}

exports.$ = $;
exports.ShellError = ShellError;
exports.ShellPromise = ShellPromise;
exports.ShellOutput = ShellOutput;
