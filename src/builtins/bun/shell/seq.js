// @internal
// bun:shell/seq -- seq [-w] [-s string] [-t string] [first [incr]] last
const USAGE = "usage: seq [-w] [-f format] [-s string] [-t string] [first [incr]] last\n";
const PIECE = 8192; // numbers that are written at once

/** The value of an option given as "-s,", "-s ," or "--separator ,"; undefined when it is none. */
function optionAt(args, at, letter, long) {
  const arg = args[at];
  if (arg === `-${letter}` || arg === `--${long}`) return { value: args[at + 1], used: 2 };
  if (arg.startsWith(`-${letter}`)) return { value: arg.slice(2), used: 1 };
  return undefined;
}

function readOptions(args) {
  const options = { separator: "\n", terminator: "", isPadded: false, at: 0 };
  while (options.at < args.length) {
    const arg = args[options.at];
    if (arg === "-w" || arg === "--fixed-width") {
      options.isPadded = true;
      options.at++;
      continue;
    }
    const separator = optionAt(args, options.at, "s", "separator");
    const terminator = optionAt(args, options.at, "t", "terminator");
    const found = separator ?? terminator;
    if (found === undefined) break;
    if (found.value === undefined) return separator === found ? "s" : "t";
    options.at += found.used;
    if (separator !== undefined) options.separator = found.value;
    else options.terminator = found.value;
  }
  return options;
}

const isNumber = (text) => /^[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?$/.test(text);
const places = (text) => (/^[-+]?\d*\.(\d+)$/.exec(text)?.[1] ?? "").length;

/** Texts of the numbers, in pieces. */
function* pieces(first, step, last, options, digits) {
  const n = Math.floor((last - first) / step + 1e-10);
  const show = (value) => `${digits > 0 ? Number(value.toFixed(digits)) : value}`;
  const width = options.isPadded ? Math.max(show(first).length, show(last).length) : 0;
  let text = "";
  for (let i = 0; i <= n; i++) {
    text += show(first + i * step).padStart(width, "0") + options.separator;
    if (i % PIECE === PIECE - 1) {
      yield text;
      text = "";
    }
  }
  yield text + options.terminator;
}

exports.seq = async function seq(args, context) {
  const options = readOptions(args);
  if (typeof options === "string") {
    return context.fail(`option requires an argument -- ${options}`);
  }
  const texts = args.slice(options.at);
  if (texts.length === 0) {
    await context.err(USAGE);
    return 1;
  }
  if (!texts.every(isNumber)) return context.fail("invalid argument");
  const numbers = texts.map(Number);
  const last = numbers.length === 1 ? numbers[0] : numbers.length === 2 ? numbers[1] : numbers[2];
  const first = numbers.length === 1 ? 1 : numbers[0];
  const step = numbers.length > 2 ? numbers[1] : first > last ? -1 : 1;
  if (step === 0) return context.fail("zero increment");
  if (first > last && step > 0) return context.fail("needs negative decrement");
  if (first < last && step < 0) return context.fail("needs positive increment");
  const digits = Math.max(...texts.map(places));
  for (const piece of pieces(first, step, last, options, digits)) {
    if (!(await context.out(piece))) return 1;
  }
  return 0;
};
