// Tests of Bun.Terminal and Bun.spawn({ terminal }).

/** A terminal that keeps what it shows, and a wait for some of it. */
function open(options = {}) {
  let text = "";
  let check = () => {};
  const ends = [];
  const terminal = new Bun.Terminal({
    ...options,
    data(self, bytes) {
      expect(self).toBe(terminal);
      text += Buffer.from(bytes);
      check();
    },
    exit: (self, ...args) => void ends.push(args),
  });
  const until = (part) =>
    new Promise((resolve) => {
      check = () => { if (text.includes(part)) resolve(text); };
      check();
    });
  return { terminal, until, ends };
}

test("a program that talks to a terminal", async () => {
  const { terminal, until, ends } = open({ cols: 100, rows: 30 });
  const script = "stty size; test -t 0 && test -t 1 && test -t 2 && echo istty; read x; echo got $x";
  const child = Bun.spawn(["sh", "-c", script], { terminal });
  expect([child.stdin, child.stdout, child.stderr, child.terminal === terminal]).toEqual([null, null, null, true]);
  await until("istty");
  expect(terminal.write("h\u00e9llo\n")).toBe(7);
  expect(await until("got")).toMatch(/^30 100\r\nistty\r\nh\u00e9llo\r\ngot/);
  expect(await child.exited).toBe(0);

  terminal.resize(120, 40); // another one on the same terminal
  expect(await Bun.spawn(["stty", "size"], { terminal }).exited).toBe(0);
  await until("40 120");
  expect([terminal.closed, ends]).toEqual([false, []]);
  terminal.close();
  terminal.close();
  for (let i = 0; i < 1000 && ends.length === 0; i++) await Bun.sleep(1);
  expect([terminal.closed, ends]).toEqual([true, [[0, null]]]);
});

test("a terminal of one child", async () => {
  let text = "";
  const { promise, resolve } = Promise.withResolvers();
  const child = Bun.spawn(["sh", "-c", "stty size; exit 3"], {
    terminal: { cols: 77, rows: 11, data: (_, bytes) => void (text += Buffer.from(bytes)), exit: (...args) => resolve(args) },
  });
  expect(await child.exited).toBe(3);
  const [terminal, status] = await promise;
  expect([terminal === child.terminal, status, text]).toEqual([true, 1, "11 77\r\n"]);
  terminal.close();
});

test("two children at once", async () => {
  const { terminal, until } = open();
  const first = Bun.spawn(["sh", "-c", "read x; echo first $x"], { terminal });
  expect(await Bun.spawn(["echo", "second"], { terminal }).exited).toBe(0);
  await until("second");
  terminal.write("y\n");
  await until("first y");
  expect(await first.exited).toBe(0);
  terminal.close();
});

test("flags and raw mode", async () => {
  const { terminal } = open();
  const ECHO = 8;
  expect([terminal.localFlags & ECHO, terminal.outputFlags & 1]).toEqual([ECHO, 1]);
  terminal.setRawMode(true);
  expect([terminal.localFlags & ECHO, terminal.outputFlags & 1]).toEqual([0, 0]);
  terminal.setRawMode(false);
  expect(terminal.localFlags & ECHO).toBe(ECHO);
  terminal.localFlags &= ~ECHO;
  expect(terminal.localFlags & ECHO).toBe(0);
  terminal.close();
  expect([terminal.inputFlags, terminal.localFlags]).toEqual([0, 0]);
});

test("much that nobody reads does not keep it", async () => {
  const { terminal } = open();
  expect(terminal.write("x".repeat(100_000))).toBe(100_000);
  await terminal[Symbol.asyncDispose]();
  expect(terminal.closed).toBe(true);
});

test("no descriptor is left", async () => {
  const count = () => require("node:fs").readdirSync("/proc/self/fd").length;
  const run = async () => {
    const { terminal, ends } = open();
    await Bun.spawn(["true"], { terminal }).exited;
    terminal.close();
    for (let i = 0; i < 1000 && ends.length === 0; i++) await Bun.sleep(1);
  };
  await run();
  const before = count();
  for (let i = 0; i < 10; i++) await run();
  for (let i = 0; i < 1000 && count() > before; i++) await Bun.sleep(1);
  expect(count() <= before).toBe(true);
});

test("what is wrong", () => {
  expect(() => new Bun.Terminal()).toThrow("options object");
  const { terminal } = open();
  expect(() => terminal.write()).toThrow("requires data");
  expect(() => terminal.write(5)).toThrow("string or ArrayBuffer");
  expect(() => terminal.resize(0, 1)).toThrow("valid cols");
  expect(() => terminal.resize(1)).toThrow("valid rows");
  terminal.close();
  for (const run of [() => terminal.write("x"), () => terminal.resize(1, 1), () => terminal.setRawMode(true)]) {
    expect(run).toThrow("Terminal is closed");
  }
  expect(() => Bun.spawn(["true"], { terminal })).toThrow("terminal is closed");
  expect(() => Bun.spawn(["true"], { terminal: 5 })).toThrow("Terminal object or options");
  expect(() => Bun.spawn(["nosuchprogram_"], { terminal: {} })).toThrow("not found");
  expect(() => Bun.spawnSync(["true"], { terminal: {} })).toThrow("not Bun.spawnSync");
});
