// @internal
// bun:shell/output -- ShellOutput and ShellError: what a script has printed, and its status.

class ShellOutput {
  constructor(stdout, stderr, exitCode) {
    this.stdout = stdout;
    this.stderr = stderr;
    this.exitCode = exitCode;
  }

  text(encoding) {
    return this.stdout.toString(encoding);
  }

  json() {
    return JSON.parse(this.stdout.toString());
  }

  arrayBuffer() {
    return arrayBufferOf(this.stdout);
  }

  bytes() {
    return new Uint8Array(arrayBufferOf(this.stdout));
  }

  blob() {
    return new Blob([this.stdout]);
  }
}

function arrayBufferOf({ buffer, byteOffset, length }) {
  return buffer.slice(byteOffset, byteOffset + length);
}

/** Text where it is text, so that an error that is logged as JSON can be read. */
function readable() {
  const text = this.toString();
  return text.includes("\ufffd") ? Array.from(this) : text;
}

function hide(object, name, value) {
  Object.defineProperty(object, name, { value, writable: true, configurable: true });
}

class ShellError extends Error {
  /** Made where the script is written, so that the stack shows it; filled in when it fails. */
  constructor() {
    super("");
  }

  initialize(output, exitCode) {
    const { stdout, stderr } = output;
    hide(this, "message", `Failed with exit code ${exitCode}`);
    hide(stdout, "toJSON", readable);
    hide(stderr, "toJSON", readable);
    hide(this, "info", { exitCode, stderr, stdout });
    this.exitCode = exitCode;
    this.stdout = stdout;
    this.stderr = stderr;
    this.name = "ShellError";
    const frames = this.stack.split("\n").filter((line) => /^\s+at /.test(line));
    const own = frames.filter((line) => !line.includes("(bun:shell"));
    hide(this, "stack", [`ShellError: ${this.message}`, ...own].join("\n"));
  }
}
for (const name of ["text", "json", "arrayBuffer", "bytes", "blob"]) {
  hide(ShellError.prototype, name, ShellOutput.prototype[name]);
}

exports.ShellOutput = ShellOutput;
exports.ShellError = ShellError;
