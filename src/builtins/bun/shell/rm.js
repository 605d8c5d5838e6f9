// @internal
// bun:shell/rm -- rm [-dfiRrv] file ...
//
// The root, "." and ".." are never removed, also not by other names of theirs.
const { messageOf } = require("bun:shell/messages");
const { attempt, parseFlags } = require("bun:shell/files");

const DEPTH_MAX = 4096;

class Removal {
  constructor(context, flags) {
    this.context = context;
    this.fs = require("node:fs/promises");
    this.isForced = flags.has("f");
    this.isRecursive = flags.has("r") || flags.has("R");
    this.takesFolders = flags.has("d");
    this.isVerbose = flags.has("v");
    this.status = 0;
  }

  async fail(shown, message) {
    this.status = await this.context.fail(`${shown === "" ? "" : `${shown}: `}${message}`);
  }

  async done(shown) {
    if (this.isVerbose) await this.context.out(`${shown}\n`);
  }

  /** Removes what `shown` names; `depth` counts folders. */
  async remove(shown, depth = 0) {
    const path = this.context.state.resolve(shown);
    let stat;
    const missing = await attempt(async () => (stat = await this.fs.lstat(path)));
    if (missing !== undefined) {
      if (this.isForced && ["ENOENT", "ENOTDIR"].includes(missing.code)) return;
      await this.fail(shown, messageOf(missing));
      return;
    }
    let error;
    if (!stat.isDirectory()) {
      error = await attempt(() => this.fs.unlink(path));
    } else {
      if (!this.isRecursive && !this.takesFolders) return this.fail(shown, "Is a directory");
      if (this.isRecursive) await this.empty(shown, path, depth);
      error = await attempt(() => this.fs.rmdir(path));
    }
    if (error === undefined || (this.isForced && error.code === "ENOENT")) {
      await this.done(shown);
    } else if (this.status === 0 || error.code !== "ENOTEMPTY") {
      await this.fail(shown, messageOf(error));
    }
  }

  async empty(shown, path, depth) {
    let names = [];
    const error = await attempt(async () => (names = await this.fs.readdir(path)));
    if (error !== undefined) return this.fail(shown, messageOf(error));
    if (depth >= DEPTH_MAX) return this.fail(shown, "File name too long");
    const prefix = shown.endsWith("/") ? shown : `${shown}/`;
    for (const name of names) await this.remove(prefix + name, depth + 1);
  }
}

/** Why `operand` must not be removed, or undefined. */
function refusal(operand, flags, state) {
  const path = require("node:path/posix");
  const full = path.resolve(state.cwd, operand);
  const last = path.basename(operand.replace(/\/+$/, ""));
  let isRoot = full === "/";
  try {
    isRoot ||= operand.endsWith("/") && require("node:fs").realpathSync(full) === "/";
  } catch {
    // What is not there is no root.
  }
  if (isRoot) return `"${operand}" may not be removed`;
  const isRecursive = flags.has("r") || flags.has("R");
  if (isRecursive && (last === "." || last === "..")) {
    return '"." and ".." may not be removed';
  }
  return undefined;
}

exports.rm = async function rm(args, context) {
  const long = { recursive: "r", force: "f", verbose: "v", dir: "d" };
  const parsed = await parseFlags(args, context, "dfiIrRvPWx", long);
  if (typeof parsed === "number") return args.includes("-f") && args.length === 1 ? 0 : parsed;
  const { flags, operands } = parsed;
  if (flags.has("i") || flags.has("I")) return context.fail('"-i" is not supported yet');
  for (const operand of operands) {
    const reason = operand === "" ? undefined : refusal(operand, flags, context.state);
    if (reason !== undefined) return context.fail(reason);
  }
  const removal = new Removal(context, flags);
  for (const operand of operands) {
    if (operand === "") await removal.fail("", "No such file or directory");
    else await removal.remove(operand);
  }
  return removal.status;
};
