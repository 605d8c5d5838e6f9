// @internal
// bun:shell/ls -- ls [-1aAdlR] [file ...]
const { messageOf } = require("bun:shell/messages");
const { parseFlags } = require("bun:shell/files");

const KNOWN = "aABbCcDdFfGgHhIiklLmnNopqrRsStTuUvwWxXZ1";
const MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ");
const HALF_YEAR_MS = 182 * 24 * 3600 * 1000;
const DEPTH_MAX = 1024;

function modeOf(stat) {
  const kinds = [
    ["isDirectory", "d"], ["isSymbolicLink", "l"], ["isFIFO", "p"], ["isSocket", "s"],
    ["isBlockDevice", "b"], ["isCharacterDevice", "c"],
  ];
  let text = kinds.find(([is]) => stat[is]())?.[1] ?? "-";
  for (let i = 8; i >= 0; i--) text += stat.mode & (1 << i) ? "xwr"[i % 3] : "-";
  const special = [[0o4000, 3, "s"], [0o2000, 6, "s"], [0o1000, 9, "t"]];
  for (const [bit, at, letter] of special) {
    if (!(stat.mode & bit)) continue;
    const shown = text[at] === "x" ? letter : letter.toUpperCase();
    text = text.slice(0, at) + shown + text.slice(at + 1);
  }
  return text;
}

function timeOf(date) {
  const two = (n) => `${n}`.padStart(2, "0");
  const isNear = Math.abs(Date.now() - date.getTime()) < HALF_YEAR_MS;
  const time = `${two(date.getHours())}:${two(date.getMinutes())}`;
  const clock = isNear ? time : ` ${date.getFullYear()}`;
  return `${MONTHS[date.getMonth()]} ${`${date.getDate()}`.padStart(2)} ${clock}`;
}

class Listing {
  constructor(context, flags) {
    this.context = context;
    this.flags = flags;
    this.fs = require("node:fs");
    this.status = 0;
  }

  /** The line of one name. */
  line(name, path) {
    if (!this.flags.has("l")) return `${name}\n`;
    const stat = this.fs.lstatSync(path, { throwIfNoEntry: false });
    if (stat === undefined) return `${name}\n`;
    const pad = (value, width) => `${value}`.padStart(width);
    const link = stat.isSymbolicLink() ? ` -> ${this.fs.readlinkSync(path)}` : "";
    const figures = `${pad(stat.nlink, 3)} ${pad(stat.uid, 5)} ${pad(stat.gid, 5)}`;
    return `${modeOf(stat)} ${figures} ${pad(stat.size, 8)} ${timeOf(stat.mtime)} ${name}${link}\n`;
  }

  names(path) {
    const names = this.fs.readdirSync(path);
    const shown = this.flags.has("a") || this.flags.has("A");
    const list = shown ? names : names.filter((name) => name[0] !== ".");
    list.sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
    if (this.flags.has("r")) list.reverse();
    return this.flags.has("a") ? [".", "..", ...list] : list;
  }

  async fail(shown, error) {
    this.status = await this.context.fail(`${shown === "" ? "" : `${shown}: `}${messageOf(error)}`);
  }

  async folder(shown, path, hasTitle, depth = 0) {
    let names;
    try {
      names = this.names(path);
    } catch (error) {
      await this.fail(shown, error);
      return;
    }
    let text = hasTitle ? `${shown}:\n` : "";
    for (const name of names) text += this.line(name, `${path}/${name}`);
    await this.context.out(text);
    if (!this.flags.has("R") || depth >= DEPTH_MAX) return;
    for (const name of names) {
      if (name === "." || name === "..") continue;
      const stat = this.fs.lstatSync(`${path}/${name}`, { throwIfNoEntry: false });
      if (!stat?.isDirectory()) continue;
      const prefix = shown.endsWith("/") ? shown : `${shown}/`;
      await this.folder(`${prefix}${name}`, `${path}/${name}`, true, depth + 1);
    }
  }

  async operand(shown, hasTitle) {
    const path = this.context.state.resolve(shown);
    let stat;
    try {
      if (shown !== "") stat = this.fs.statSync(path, { throwIfNoEntry: false });
      stat ??= shown === "" ? undefined : this.fs.lstatSync(path);
    } catch (error) {
      await this.fail(shown, error);
      return;
    }
    if (stat === undefined) await this.fail(shown, -2);
    else if (stat.isDirectory() && !this.flags.has("d")) await this.folder(shown, path, hasTitle);
    else await this.context.out(this.line(shown, path));
  }
}

exports.ls = async function ls(args, context) {
  const flags = args.filter((arg) => arg.length > 1 && arg[0] === "-");
  const rest = args.filter((arg) => !(arg.length > 1 && arg[0] === "-"));
  const parsed = await parseFlags([...flags, ...rest], context, KNOWN);
  if (typeof parsed === "number") return parsed;
  const listing = new Listing(context, parsed.flags);
  const operands = parsed.operands.length === 0 ? ["."] : parsed.operands;
  for (const operand of operands) await listing.operand(operand, operands.length > 1);
  return listing.status;
};
