// @internal
// bun:shell/builtins -- the table of what the shell does itself, and the commands that deal with
// the shell: variables, folders, flow.  Each is (args, context) -> status, perhaps later.
const { Jump, CommandError } = require("bun:shell/state");

const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;
const OPTIONS = { e: "errexit", u: "nounset", x: "xtrace" };
const CHUNK = 16 * 1024; // of what `yes` writes at once

const commands = { __proto__: null };

commands.true = () => 0;
commands[":"] = () => 0;
commands.false = () => 1;

commands.echo = async function echo(args, context) {
  let at = 0;
  let ends = true;
  let escapes = false;
  for (; at < args.length && /^-[neE]+$/.test(args[at]); at++) {
    for (const letter of args[at].slice(1)) {
      if (letter === "n") ends = false;
      else escapes = letter === "e";
    }
  }
  let text = args.slice(at).join(" ");
  if (escapes) {
    const plain = require("bun:shell/escapes").unescape(text, true);
    text = plain.text;
    if (plain.isEnded) ends = false;
  }
  // A text that ends with a line break gets no second one, as in Bun.
  if (ends && !(args.length - at === 1 && text.endsWith("\n"))) text += "\n";
  return (await context.out(text)) ? 0 : 1;
};

commands.pwd = async function pwd(args, context) {
  if (args.length > 0) return context.fail("too many arguments");
  return (await context.out(`${context.state.cwd}\n`)) ? 0 : 1;
};

commands.cd = async function cd(args, context) {
  const { state } = context;
  if (args.length > 1) return context.fail("too many arguments");
  let target = args[0] ?? state.get("HOME") ?? "";
  if (target === "-") target = state.get("OLDPWD") ?? state.cwd;
  if (target === "") return 0;
  const path = require("node:path");
  const full = path.resolve(state.cwd, target);
  const fs = require("node:fs");
  if (!fs.statSync(full, { throwIfNoEntry: false })?.isDirectory()) {
    return context.fail(`not a directory: ${target}`);
  }
  try {
    fs.accessSync(full, fs.constants.X_OK);
  } catch {
    return context.fail(`permission denied: ${target}`);
  }
  const before = state.cwd;
  state.cwd = full;
  state.set("OLDPWD", before);
  state.set("PWD", full);
  return 0;
};

commands.exit = async function exit(args, context) {
  const [text] = args;
  if (args.length > 1) return leave(await context.fail("too many arguments"));
  if (text === undefined) return leave(context.state.status);
  if (!/^\d+$/.test(text)) return leave(await context.fail("numeric argument required"));
  return leave(Number(BigInt(text) & 255n));
};

function leave(status) {
  throw new Jump("exit", status);
}

// ---- Variables

/** "NAME" or "NAME=value" as [name, value or undefined]. */
function split(text) {
  const at = text.indexOf("=");
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
}

commands.export = async function export_(args, context) {
  const { state } = context;
  if (args.length === 0 || (args.length === 1 && args[0] === "-p")) {
    return (await context.out(`${state.envPairs().toSorted().join("\n")}\n`)) ? 0 : 1;
  }
  const isOff = args[0] === "-n";
  for (const arg of isOff ? args.slice(1) : args) {
    const [name, value] = split(arg);
    if (!NAME.test(name)) return context.fail(`\`${arg}': not a valid identifier`);
    state.export(name, value, !isOff);
  }
  return 0;
};

commands.unset = function unset(args, { state }) {
  for (const arg of args) {
    if (arg === "-f" || arg === "-v") continue;
    if (state.get(arg) !== undefined && args[0] !== "-f") state.unset(arg);
    else if (args[0] !== "-v") state.functions.delete(arg);
  }
  return 0;
};

commands.local = async function local(args, context) {
  const { state } = context;
  if (state.locals === undefined) return context.fail("can only be used in a function");
  for (const arg of args) {
    const [name, value = ""] = split(arg);
    if (!NAME.test(name)) return context.fail(`\`${arg}': not a valid identifier`);
    const variable = state.find(name);
    if (!state.locals.has(name)) state.locals.set(name, variable && { ...variable });
    state.restore(name, { value, exported: variable?.exported ?? false });
  }
  return 0;
};

function setOption(options, flag, argument) {
  const isOn = flag[0] === "-";
  for (const letter of flag.slice(1)) {
    const name = letter === "o" ? argument : OPTIONS[letter];
    if (options[name] === undefined) {
      throw new CommandError(`set: ${letter === "o" ? argument : flag}: invalid option\n`);
    }
    options[name] = isOn;
  }
}

commands.set = function set(args, { state }) {
  let at = 0;
  for (; at < args.length && /^[-+][A-Za-z]+$/.test(args[at]); at++) {
    const takesName = args[at].includes("o");
    setOption(state.options, args[at], takesName ? args[at + 1] : "");
    if (takesName) at++;
  }
  if (args[at] === "--") state.positional = args.slice(at + 1);
  else if (at < args.length) state.positional = args.slice(at);
  return 0;
};

commands.shift = async function shift(args, context) {
  const n = Number(args[0] ?? 1);
  if (!(n >= 0)) return context.fail("numeric argument required");
  if (n > context.state.positional.length) return 1;
  context.state.positional.splice(0, n);
  return 0;
};

commands.read = (args, context) => require("bun:shell/read").read(args, context);

// ---- Flow

function jump(kind) {
  return async (args, context) => {
    const fallback = kind === "return" ? context.state.status : 1;
    const n = args.length === 0 ? fallback : Number(args[0]);
    if (!Number.isInteger(n) || n < 0) return context.fail("numeric argument required");
    throw new Jump(kind, kind === "return" ? n & 255 : Math.max(1, n));
  };
}
commands.return = jump("return");
commands.break = jump("break");
commands.continue = jump("continue");

/** Runs text as part of the shell. */
async function runText(text, context) {
  const { shell, state, io } = context;
  if (state.depth > 100) return context.fail("nested too deeply");
  let tree;
  try {
    tree = require("bun:shell/parse").parse({ text, values: new Map() });
  } catch (error) {
    return context.fail(error.message, 2);
  }
  state.depth++;
  try {
    return await shell.run(tree, state, io, false);
  } finally {
    state.depth--;
  }
}

commands.eval = (args, context) => runText(args.join(" "), context);

commands.source = async function source(args, context) {
  const { state } = context;
  if (args.length === 0) return context.fail("filename argument required", 2);
  let text;
  try {
    text = require("node:fs").readFileSync(state.resolve(args[0]), "utf8");
  } catch (error) {
    return context.fail(`${args[0]}: ${require("bun:shell/messages").messageOf(error)}`);
  }
  const { positional } = state;
  if (args.length > 1) state.positional = args.slice(1);
  try {
    return await runText(text, context);
  } catch (error) {
    if (!(error instanceof Jump) || error.kind !== "return") throw error;
    return error.value;
  } finally {
    if (args.length > 1) state.positional = positional;
  }
};
commands["."] = commands.source;

commands.exec = async function exec(args, context) {
  if (args.length === 0) return 0;
  const { shell, state, io } = context;
  const { runCommand } = require("bun:shell/command");
  throw new Jump("exit", await shell.reported(io, () => runCommand(shell, args, [], state, io)));
};

commands.command = async function command(args, context) {
  const { shell, state, io } = context;
  const { find, runCommand } = require("bun:shell/command");
  if (args[0] !== "-v" && args[0] !== "-V") {
    if (args.length === 0) return 0;
    const functions = state.functions;
    state.functions = new Map();
    try {
      return await runCommand(shell, args, [], state, io);
    } finally {
      state.functions = functions;
    }
  }
  let status = 0;
  for (const name of args.slice(1)) {
    const isOwn = state.functions.has(name) || exports.find(name) !== undefined;
    const file = isOwn ? name : find(name, state);
    if (file === null) status = 1;
    else if (!(await context.out(`${file}\n`))) return 1;
  }
  return status;
};

commands.test = (args, { state }) =>
  require("bun:shell/test").testStatus("test", args, state);

commands["["] = async function bracket(args, context) {
  if (args.at(-1) !== "]") return context.fail("missing `]'", 2);
  return require("bun:shell/test").testStatus("[", args.slice(0, -1), context.state);
};

// ---- Texts

commands.which = async function which(args, context) {
  const { find } = require("bun:shell/command");
  if (args.length === 0) {
    await context.out("\n");
    return 1;
  }
  let status = 0;
  for (const name of args) {
    const file = find(name, context.state);
    if (file === null) status = 1;
    if (!(await context.out(file === null ? `${name} not found\n` : `${file}\n`))) return 1;
  }
  return status;
};

commands.yes = async function yes(args, context) {
  const line = `${args.length === 0 ? "y" : args.join(" ")}\n`;
  const text = line.repeat(Math.max(1, Math.floor(CHUNK / line.length)));
  for (;;) {
    if (!(await context.out(text))) return 1;
    await new Promise((resolve) => setImmediate(resolve));
  }
};

commands.dirname = async function dirname(args, context) {
  if (args.length === 0) {
    await context.err("usage: dirname string\n");
    return 1;
  }
  const path = require("node:path/posix");
  return (await context.out(args.map((arg) => `${path.dirname(arg)}\n`).join(""))) ? 0 : 1;
};

commands.basename = async function basename(args, context) {
  if (args.length === 0) {
    await context.err("usage: basename string\n");
    return 1;
  }
  const path = require("node:path/posix");
  const names = args.map((arg) => `${path.basename(arg) || (arg === "" ? "" : "/")}\n`);
  return (await context.out(names.join(""))) ? 0 : 1;
};

commands.seq = (args, context) => require("bun:shell/seq").seq(args, context);
for (const name of ["ls", "mkdir", "mv", "rm", "touch"]) {
  commands[name] = (args, context) => require("bun:shell/files")[name](args, context);
}

/** The command of that name, or undefined. */
exports.find = (name) => commands[name];
