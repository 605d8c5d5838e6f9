// @internal
// bun:shell/command -- simple commands: functions, what the shell does itself, programs.
const child = require("internal/subprocess");
const { Fd, collect, makePipe } = require("bun:shell/io");
const { CommandError, DEPTH_MAX, Jump } = require("bun:shell/state");
const { Redirection } = require("bun:shell/redirect");
const { messageOf } = require("bun:shell/messages");

const NOT_FOUND = 1; // as Bun; other shells say 127
const ENOENT = -2;
const ENOEXEC = -8;
const EPIPE = -32;

/** What a command of the shell itself gets besides its arguments. */
class Context {
  constructor(name, shell, state, io) {
    this.name = name;
    this.shell = shell;
    this.state = state;
    this.io = io;
  }

  /** Writes to stdout; false: nobody reads it any more. */
  async out(text) {
    if (text === "") return true;
    const code = this.io[1] === undefined ? 0 : await this.io[1].write(text);
    if (code === 0) return true;
    if (code === EPIPE) return false;
    throw new CommandError(`${this.name}: ${messageOf(code)}\n`);
  }

  async err(text) {
    await this.io[2]?.write(text);
  }

  /** A message on stderr; the status for it. */
  async fail(message, status = 1) {
    await this.err(`${this.name}: ${message}\n`);
    return status;
  }
}

/** Evaluates the assignments of a command: [[name, value], ...] */
async function valuesOf(assigns, expander, state) {
  const values = [];
  for (const { name, isAppend, value } of assigns) {
    const text = await expander.value(value);
    const full = isAppend ? (state.get(name) ?? "") + text : text;
    values.push([name, full]);
  }
  return values;
}

async function runSimple(shell, node, state, io) {
  const redirection = node.redirects.length > 0 ? new Redirection(io) : undefined;
  state.substituted = undefined;
  try {
    return await shell.reported(io, async () => {
      const expander = shell.expander(state, io);
      const args = await expander.allFields(node.words);
      if (args.length === 0) return await assignOnly(node, expander, state, redirection);
      for (const each of node.redirects) await redirection.add(each, expander, state, args[0]);
      const own = redirection?.io ?? io;
      const values = await valuesOf(node.assigns, expander, state);
      if (state.options.xtrace) await io[2]?.write(`+ ${args.join(" ")}\n`);
      return shell.reported(own, () => runCommand(shell, args, values, state, own));
    });
  } finally {
    redirection?.close();
  }
}

async function assignOnly(node, expander, state, redirection) {
  for (const assign of node.assigns) {
    for (const [name, value] of await valuesOf([assign], expander, state)) state.set(name, value);
  }
  for (const each of node.redirects) await redirection.add(each, expander, state, "");
  return state.substituted ?? 0;
}

/** Runs `run` with variables set for as long as it takes. */
async function withValues(values, state, run) {
  if (values.length === 0) return run();
  const before = values.map(([name]) => {
    const variable = state.find(name);
    return [name, variable && { ...variable }];
  });
  for (const [name, value] of values) state.export(name, value);
  try {
    return await run();
  } finally {
    for (const [name, variable] of before) state.restore(name, variable);
  }
}

function runCommand(shell, args, values, state, io) {
  const [name] = args;
  if (name === "") return 0; // as Bun
  const body = state.functions.get(name);
  if (body !== undefined) {
    return withValues(values, state, () => callFunction(shell, body, args, state, io));
  }
  const builtin = require("bun:shell/builtins").find(name);
  if (builtin === undefined) return runProgram(args, values, state, io);
  const context = new Context(name, shell, state, io);
  if (values.length === 0) return builtin(args.slice(1), context);
  return withValues(values, state, () => builtin(args.slice(1), context));
}

async function callFunction(shell, body, args, state, io) {
  if (state.depth > DEPTH_MAX) throw new CommandError(`bun: ${args[0]}: nested too deeply\n`);
  const { positional, locals } = state;
  state.positional = args.slice(1);
  state.locals = new Map();
  state.depth++;
  try {
    return await shell.run(body, state, io, false);
  } catch (error) {
    if (!(error instanceof Jump) || error.kind !== "return") throw error;
    return error.value;
  } finally {
    state.depth--;
    for (const [name, variable] of state.locals) state.restore(name, variable);
    state.positional = positional;
    state.locals = locals;
  }
}

// ---- Programs

/** The file of a program, or null. */
function find(name, state, values = []) {
  const own = values.findLast(([key]) => key === "PATH")?.[1] ?? state.get("PATH");
  // An environment without one finds programs all the same, as in Bun.
  const PATH = own ?? process.env.PATH ?? "";
  if (name === "bun" || name === "cob") return process.execPath;
  return require("bun:tools").which(name, { PATH, cwd: state.cwd });
}

function pairsOf(values, state) {
  const pairs = state.envPairs();
  if (values.length === 0) return pairs;
  const names = new Set(values.map(([name]) => name));
  const kept = pairs.filter((pair) => !names.has(pair.slice(0, pair.indexOf("="))));
  return [...kept, ...new Map(values).entries().map(([name, value]) => `${name}=${value}`)];
}

/** The descriptors of a child; `pipes` gets [reader, writer, target] of those we have to empty. */
function stdioOf(io, pipes) {
  const stdio = new Int32Array(Math.max(3, io.length)).fill(child.CLOSED);
  for (let i = 0; i < stdio.length; i++) {
    const handle = io[i];
    if (handle === undefined) {
      if (i < 3) stdio[i] = child.NULL;
    } else if (handle instanceof Fd) {
      stdio[i] = handle.fd;
    } else {
      let pipe = pipes.find(([, , target]) => target === handle);
      if (pipe === undefined) {
        pipe = [...makePipe(), handle];
        pipes.push(pipe);
      }
      stdio[i] = pipe[1].fd;
    }
  }
  return stdio;
}

function start(spec, onExit) {
  const started = child.start(spec, onExit);
  if (started !== ENOEXEC) return started;
  // A file without "#!" is a script of the system's shell.
  const args = ["sh", spec.file, ...spec.args.slice(1)];
  return child.start({ ...spec, file: "/bin/sh", args }, onExit);
}

async function runProgram(args, values, state, io) {
  const [name] = args;
  const file = find(name, state, values);
  if (file === null) throw new CommandError(`bun: command not found: ${name}\n`, NOT_FOUND);
  for (const arg of args) {
    if (arg.includes("\0")) throw new CommandError(`bun: ${name}: argument with a NUL\n`);
  }
  const pipes = [];
  const { promise, resolve } = Promise.withResolvers();
  let started;
  try {
    const env = pairsOf(values, state);
    const spec = { file, args, env, cwd: state.cwd, stdio: stdioOf(io, pipes), detached: false };
    started = start(spec, resolve);
  } finally {
    for (const [reader, writer] of pipes) {
      writer.close();
      if (started === undefined) reader.close();
    }
  }
  if (typeof started === "number") {
    for (const [reader] of pipes) reader.close();
    throw new CommandError(`bun: ${messageOf(started)}: ${name}\n`, started === ENOENT ? 1 : 126);
  }
  const ends = pipes.map(([reader, , target]) => collect(reader, target));
  const [exit] = await Promise.all([promise, ...ends]);
  return exit[1] !== 0 ? 128 + exit[1] : exit[0];
}

exports.runSimple = runSimple;
exports.runCommand = runCommand;
exports.find = find;
