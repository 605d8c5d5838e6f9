// @internal
// bun:shell/main -- scripts as programs: files that end in .sh, and `cob exec`.

/** The text without its "#!" line, which stays a line. */
const withoutHashbang = (text) => (text.startsWith("#!") ? `# ${text.slice(2)}` : text);

function report(name, error) {
  const { position } = error;
  const place = position === undefined ? "" : ` (line ${position.line}, column ${position.column})`;
  process.stderr.write(`error: Failed to run ${name} due to error ${error.message}${place}\n`);
  process.exitCode = 1;
}

/**
 * Runs `text` with our descriptors as its own; `name` is for messages, `zero` is $0.  The status
 * becomes that of the process.
 */
exports.run = async function run(text, name, zero, positional) {
  const { Interpreter } = require("bun:shell/run");
  const { State } = require("bun:shell/state");
  const { Fd } = require("bun:shell/io");
  let tree;
  try {
    const source = { text: withoutHashbang(text), values: new Map() };
    tree = require("bun:shell/parse").parse(source);
  } catch (error) {
    report(name, error);
    return;
  }
  const state = new State({ env: process.env, cwd: process.cwd(), name: zero, positional });
  const io = [0, 1, 2].map((fd) => new Fd(fd, false));
  const shell = new Interpreter();
  process.exitCode = await shell.reported(io, () => shell.runSubshell(tree, state, io));
  for (const handle of io) handle.close();
};

/** A file, with the arguments of the program. */
exports.runFile = (text, path) =>
  exports.run(text, require("node:path").basename(path), path, process.argv.slice(2));

/** `cob exec text a b`: as with `sh -c`, the words behind are $1, $2. */
exports.runText = (text, zero) => exports.run(text, "[eval]", zero, process.argv.slice(1));
