// @internal
// bun:shell/read -- `read`: one line of the input into variables.
const { Fd } = require("bun:shell/io");

/** One byte of a descriptor; undefined at the end.  Nothing more is taken: others may read on. */
function readByte(fd, byte) {
  const fs = require("node:fs");
  return new Promise((resolve) => {
    fs.read(fd, byte, 0, 1, null, (error, n) => resolve(error || n === 0 ? undefined : byte[0]));
  });
}

/** A line without its break; { bytes, isEnd }.  `isRaw`: no backslash escapes. */
async function readLine(fd, isRaw) {
  const bytes = [];
  const byte = Buffer.alloc(1);
  for (;;) {
    const value = await readByte(fd, byte);
    if (value === undefined) return { bytes, isEnd: true };
    if (value === 10) {
      if (isRaw || bytes.at(-1) !== 92) return { bytes, isEnd: false };
      bytes.pop();
      continue;
    }
    bytes.push(value);
  }
}

/** read [-r] [-p prompt] [name...] */
exports.read = async function read(args, context) {
  const { io, state } = context;
  let isRaw = false;
  let at = 0;
  for (; at < args.length && args[at][0] === "-"; at++) {
    if (args[at] === "-r") isRaw = true;
    else if (args[at] === "-p") await context.err(args[++at] ?? "");
    else return context.fail(`${args[at]}: invalid option`, 2);
  }
  const names = args.slice(at);
  if (!(io[0] instanceof Fd) || io[0].fd < 0) return 1;
  const { bytes, isEnd } = await readLine(io[0].fd, isRaw);
  let rest = Buffer.from(bytes).toString();
  if (!isRaw) rest = rest.replace(/\\([^])/g, "$1");
  if (names.length === 0) names.push("REPLY");
  else rest = rest.replace(/^[ \t]+|[ \t]+$/g, "");
  for (let i = 0; i < names.length; i++) {
    const cut = i < names.length - 1 ? /^([^ \t]*)[ \t]*([^]*)$/.exec(rest) : [rest, rest, ""];
    state.set(names[i], cut[1]);
    rest = cut[2];
  }
  return isEnd ? 1 : 0;
};
