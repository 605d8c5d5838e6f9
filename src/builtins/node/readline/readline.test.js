const readline = require("node:readline");
const { EventEmitter } = require("node:events");
const { Readable, PassThrough } = require("node:stream");

/** A terminal that records what is written. */
class FakeTerminal extends EventEmitter {
  columns = 20;
  text = "";
  isTTY = true;
  write(text) {
    this.text += text;
    return true;
  }
  setRawMode(isRaw) {
    this.isRaw = isRaw;
  }
  resume() {}
  pause() {}
}

function open(options) {
  const terminal = new FakeTerminal();
  const lines = [];
  const iface = readline.createInterface({ input: terminal, output: terminal, ...options });
  iface.on("line", (line) => lines.push(line));
  return { terminal, iface, lines, type: (text) => terminal.emit("data", text) };
}

test("lines of a stream, with every kind of end", async () => {
  const input = Readable.from(["a\nb\r", "\nc\u2028d\re"]);
  const lines = [];
  for await (const line of readline.createInterface({ input, crlfDelay: Infinity })) {
    lines.push(line);
  }
  expect(lines).toEqual(["a", "b", "c", "d", "e"]);
});

test("characters that are cut in two", async () => {
  const bytes = Buffer.from("\u20ac\n");
  const input = Readable.from([bytes.subarray(0, 1), bytes.subarray(1)]);
  const lines = await Array.fromAsync(readline.createInterface({ input }));
  expect(lines).toEqual(["\u20ac"]);
});

test("editing keys", () => {
  const { iface, lines, type } = open();
  type("hello world");
  type("\x1b[D\x1b[D\x7f"); // left, left, backspace
  expect(iface.line).toBe("hello wold");
  type("\x01>\x05<"); // beginning, end
  expect(iface.line).toBe(">hello wold<");
  type("\x17"); // word
  expect(iface.line).toBe(">hello wold");
  type("\x15"); // all to the left
  expect(iface.line).toBe("");
  type("\x19"); // yank
  expect(iface.line).toBe(">hello wold");
  type("\x1f\x1f"); // undo
  type("\n");
  expect(lines).toHaveLength(1);
  iface.close();
});

test("history and search by what was typed", () => {
  const { iface, type } = open();
  for (const line of ["one", "two", "only"]) type(`${line}\n`);
  type("\x1b[A");
  expect(iface.line).toBe("only");
  type("\x15on\x1b[A");
  expect(iface.line).toBe("one");
  type("\x1b[B");
  expect(iface.line).toBe("only");
  expect(iface.history).toEqual(["only", "two", "one"]);
  iface.close();
});

test("wide characters move the cursor by two columns", () => {
  const { iface, type } = open({ prompt: "> " });
  type("\u8c22a");
  expect(iface.getCursorPos()).toEqual({ cols: 5, rows: 0 });
  type("x".repeat(20));
  expect(iface.getCursorPos()).toEqual({ cols: 5, rows: 1 });
  iface.close();
});

test("completion", () => {
  const completer = (line) => [["help", "hello"].filter((w) => w.startsWith(line)), line];
  const { iface, terminal, type } = open({ completer });
  type("h");
  type("\t");
  expect(iface.line).toBe("hel");
  terminal.text = "";
  type("\t");
  type("\t");
  expect(terminal.text).toContain("help");
  iface.close();
});

test("pasted lines, and the Escape key after a while", async () => {
  const { iface, terminal, lines, type } = open({ escapeCodeTimeout: 10 });
  type("a\nb\nc");
  expect(lines).toEqual(["a", "b"]);
  const keys = [];
  terminal.on("keypress", (s, key) => keys.push(key.name));
  const escape = new Promise((resolve) => {
    terminal.on("keypress", (s, key) => key.name === "escape" && resolve());
  });
  type("\x1b[200~");
  type("\x1b");
  await escape;
  expect(keys).toEqual(["paste-start", "escape"]);
  iface.close();
});

test("control-c and control-d", () => {
  const first = open();
  let count = 0;
  first.iface.on("SIGINT", () => count++);
  first.type("\x03");
  expect(count).toBe(1);
  expect(first.iface.closed).toBe(false);
  first.type("\x04");
  expect(first.iface.closed).toBe(true);
  expect(first.terminal.isRaw).toBe(false);
  expect(() => first.iface.question("", () => {})).toThrow(/closed/);
});

test("questions as promises, with signals", async () => {
  const { createInterface } = require("node:readline/promises");
  const input = new PassThrough();
  const iface = createInterface({ input });
  const answer = iface.question("? ");
  input.write("yes\n");
  expect(await answer).toBe("yes");
  const controller = new AbortController();
  const lost = iface.question("? ", { signal: controller.signal });
  controller.abort();
  await expect(lost).rejects.toThrow(/aborted/);
  iface.close();
});

test("cursor functions", () => {
  const out = new FakeTerminal();
  readline.cursorTo(out, 1, 2);
  readline.moveCursor(out, -1, 2);
  readline.clearLine(out, 0);
  readline.clearScreenDown(out);
  expect(out.text).toBe("\x1b[3;2H\x1b[1D\x1b[2B\x1b[2K\x1b[0J");
  expect(() => readline.cursorTo(out, "x", 1)).toThrow(/cursor/i);
  expect(() => readline.clearLine(out, 0, 5)).toThrow("ERR_INVALID_ARG_TYPE");
});

test("wrong options", () => {
  const input = new PassThrough();
  for (const bad of [{ completer: 5 }, { history: 5 }, { historySize: -1 }, { tabSize: 0 }]) {
    expect(() => readline.createInterface({ input, ...bad })).toThrow();
  }
});
