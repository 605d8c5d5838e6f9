// @internal
// bun:shell/files -- mkdir, mv, rm, touch, and ls (bun:shell/ls).
const { messageOf } = require("bun:shell/messages");

const USAGES = {
  mkdir: "usage: mkdir [-pv] [-m mode] directory_name ...\n",
  mv:
    "usage: mv [-f | -i | -n] [-hv] source target\n" +
    "       mv [-f | -i | -n] [-v] source ... directory\n",
  rm: "usage: rm [-f | -i] [-dIPRrvWx] file ...\n       unlink [--] file\n",
  touch:
    "usage: touch [-A [-][[hh]mm]SS] [-achm] [-r file] [-t [[CC]YY]MMDDhhmm[.SS]]\n" +
    "       [-d YYYY-MM-DDThh:mm:SS[.frac][tz]] file ...\n",
};

/**
 * { flags, operands } of the arguments; `known` are the letters, `long` the long names of some.
 * A number when something is wrong, which has been said.
 */
async function parseFlags(args, context, known, long = {}) {
  const flags = new Set();
  let at = 0;
  for (; at < args.length && args[at].length > 1 && args[at][0] === "-"; at++) {
    if (args[at] === "--") {
      at++;
      break;
    }
    if (args[at].startsWith("--")) {
      const letter = long[args[at].slice(2)];
      if (letter === undefined) return context.fail(illegal(args[at], context.name));
      flags.add(letter);
      continue;
    }
    for (const letter of args[at].slice(1)) {
      if (!known.includes(letter)) return context.fail(`illegal option -- ${letter}`);
      flags.add(letter);
    }
  }
  const operands = args.slice(at);
  if (operands.length > 0 || USAGES[context.name] === undefined) return { flags, operands };
  await context.err(USAGES[context.name]);
  return 1;
}

/** As Bun says it: mkdir and touch name the option, the others its second dash. */
const illegal = (arg, name) =>
  `illegal option -- ${name === "mkdir" || name === "touch" ? arg.slice(2) : "-"}`;

/** Runs a call of node:fs/promises; the error, or undefined. */
async function attempt(run) {
  try {
    await run();
    return undefined;
  } catch (error) {
    return error;
  }
}

exports.mkdir = async function mkdir(args, context) {
  const parsed = await parseFlags(args, context, "pv", { parents: "p", verbose: "v" });
  if (typeof parsed === "number") return parsed;
  const fs = require("node:fs/promises");
  const { flags, operands } = parsed;
  let status = 0;
  for (const operand of operands) {
    const path = context.state.resolve(operand);
    let first;
    const error = await attempt(async () => {
      first = await fs.mkdir(path, { recursive: flags.has("p") });
    });
    if (error !== undefined) status = await context.fail(`${path}: ${messageOf(error)}`);
    else if (flags.has("v")) await context.out(madeFolders(path, flags.has("p") ? first : path));
  }
  return status;
};

/** A line for each folder from `first` (undefined: none) to `path`. */
function madeFolders(path, first) {
  if (first === undefined) return "";
  const { dirname } = require("node:path/posix");
  const lines = [];
  for (let dir = path; dir.length >= first.length; dir = dirname(dir)) lines.unshift(`${dir}\n`);
  return lines.join("");
}

exports.touch = async function touch(args, context) {
  const parsed = await parseFlags(args, context, "acm", { "no-create": "c" });
  if (typeof parsed === "number") return parsed;
  const fs = require("node:fs/promises");
  const { flags, operands } = parsed;
  let status = 0;
  for (const operand of operands) {
    const path = context.state.resolve(operand);
    const now = new Date();
    let error = await attempt(() => setTimes(fs, path, now, flags));
    if (error?.code === "ENOENT") {
      const make = async () => (await fs.open(path, "a")).close();
      error = flags.has("c") ? undefined : await attempt(make);
    }
    if (error !== undefined) status = await context.fail(`${path}: ${messageOf(error)}`);
  }
  return status;
};

async function setTimes(fs, path, now, flags) {
  if (flags.has("a") === flags.has("m")) return fs.utimes(path, now, now);
  const stat = await fs.stat(path);
  return flags.has("a") ? fs.utimes(path, now, stat.mtime) : fs.utimes(path, stat.atime, now);
}

// ---- mv

async function moveOne(source, target, flags) {
  const fs = require("node:fs/promises");
  if (flags.has("n") && (await attempt(() => fs.lstat(target))) === undefined) return undefined;
  const error = await attempt(() => fs.rename(source, target));
  if (error?.code !== "EXDEV") return error;
  // Another file system: copied, then removed.
  return attempt(async () => {
    await fs.cp(source, target, {
      recursive: true, preserveTimestamps: true, verbatimSymlinks: true, force: true,
    });
    await fs.rm(source, { recursive: true, force: true });
  });
}

exports.mv = async function mv(args, context) {
  if (args.length === 1 && args[0] !== "" && args[0][0] !== "-") {
    await context.err(USAGES.mv);
    return 1;
  }
  const parsed = await parseFlags(args, context, "fhnv", { force: "f", verbose: "v" });
  if (typeof parsed === "number") return parsed;
  const { flags, operands } = parsed;
  const { state } = context;
  const fs = require("node:fs");
  const { basename, join } = require("node:path/posix");
  const target = operands.pop();
  if (operands.length === 0) {
    await context.err(USAGES.mv);
    return 1;
  }
  const stat = fs.statSync(state.resolve(target), { throwIfNoEntry: false });
  const isFolder = stat?.isDirectory() ?? false;
  if (!isFolder && (operands.length > 1 || (stat === undefined && target.endsWith("/")))) {
    const text = stat === undefined ? "No such file or directory" : "Not a directory";
    if (operands.length > 1 || !isDirectory(state.resolve(operands[0]))) {
      return context.fail(`${target}: ${text}`);
    }
  }
  let status = 0;
  for (const operand of operands) {
    const to = isFolder ? join(target, basename(operand)) : target;
    const error = await moveOne(state.resolve(operand), state.resolve(to), flags);
    if (error !== undefined) status = await failMove(error, operand, to, context);
    else if (flags.has("v")) await context.out(`${operand} -> ${to}\n`);
  }
  return status;
};

const isDirectory = (path) =>
  require("node:fs").statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;

function failMove(error, operand, to, context) {
  // The status is the error's number, as in Bun.
  const isMissing = error.code === "ENOENT" && !isThere(context.state.resolve(operand));
  const shown = isMissing ? operand : to;
  return context.fail(`${shown}: ${messageOf(error)}`, -(error.errno ?? -1));
}

const isThere = (path) =>
  require("node:fs").lstatSync(path, { throwIfNoEntry: false }) !== undefined;

exports.rm = (args, context) => require("bun:shell/rm").rm(args, context);
exports.ls = (args, context) => require("bun:shell/ls").ls(args, context);
exports.parseFlags = parseFlags;
exports.attempt = attempt;
