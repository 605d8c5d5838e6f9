// Tests of node:tty.
const tty = require("node:tty");

test("isatty takes descriptors only", () => {
  for (const bad of [-1, 1.5, "0", 2 ** 31, NaN, undefined]) expect(tty.isatty(bad)).toBe(false);
  expect(typeof tty.isatty(0)).toBe("boolean");
});

test("streams of what is no terminal", () => {
  expect(() => new tty.WriteStream(-1)).toThrow("ERR_INVALID_FD");
  expect(() => tty.ReadStream(1000)).toThrow("ERR_TTY_INIT_FAILED");
  expect(process.stdout instanceof tty.WriteStream).toBe(tty.isatty(1));
  expect({} instanceof tty.ReadStream).toBe(false);
});

test("depth of colors by environment", () => {
  const depth = (env) => tty.WriteStream.prototype.getColorDepth(env);
  const cases = [
    [{}, 1],
    [{ TERM: "xterm-256color" }, 8],
    [{ TERM: "xterm" }, 4],
    [{ TERM: "dumb" }, 1],
    [{ COLORTERM: "truecolor" }, 24],
    [{ COLORTERM: "1" }, 4],
    [{ NO_COLOR: "1", TERM: "xterm" }, 1],
    [{ FORCE_COLOR: "2" }, 8],
    [{ FORCE_COLOR: "0" }, 1],
    [{ CI: "1", TRAVIS: "1" }, 8],
    [{ CI: "1" }, 1],
    [{ TMUX: "1" }, 24],
    [{ TERM_PROGRAM: "Apple_Terminal" }, 8],
    [{ TEAMCITY_VERSION: "9.1.0 (build 32523)" }, 4],
    [{ TERM: "mosh" }, 24],
  ];
  for (const [env, want] of cases) expect([env, depth(env)]).toEqual([env, want]);
  expect(tty.WriteStream.prototype.hasColors(256, { TERM: "xterm-256color" })).toBe(true);
  expect(tty.WriteStream.prototype.hasColors({ TERM: "dumb" })).toBe(false);
  expect(() => tty.WriteStream.prototype.hasColors(1)).toThrow("ERR_OUT_OF_RANGE");
});
