// Tests of Bun.color; the expected values are those of Bun 1.4.5.

test("formats", () => {
  const all = (input) =>
    ["css", "ansi-16", "ansi-256", "ansi-16m", "number", "rgba", "hsl", "HEX"].map((format) =>
      Bun.color(input, format));
  expect(all("red")).toEqual([
    "red", "\x1b[91m", "\x1b[38;5;196m", "\x1b[38;2;255;0;0m", 16711680, "rgba(255, 0, 0, 1)",
    "hsl(0, 100%, 50%)", "#FF0000",
  ]);
  expect(all("hsl(120, 50%, 50%)")).toEqual([
    "#40bf40", "\x1b[32m", "\x1b[38;5;71m", "\x1b[38;2;64;191;64m", 4243264,
    "rgba(64, 191, 64, 1)", "hsl(120, 49.803925%, 50%)", "#40BF40",
  ]);
  expect(all("#12345678").slice(4, 7)).toEqual([
    1193046, "rgba(18, 52, 86, 0.47058824)", "hsl(210, 65.38462%, 20.392157%)",
  ]);
  expect(Bun.color([1, 2, 3, 128], "{rgba}")).toEqual({ r: 1, g: 2, b: 3, a: Math.fround(128 / 255) });
  expect(Bun.color("#abc", "[rgba]")).toEqual([170, 187, 204, 255]);
  expect(Bun.color("#abc", "{rgb}")).toEqual({ r: 170, g: 187, b: 204 });
});

test("inputs", () => {
  for (const [input, css] of [
    [0xff0000, "red"], [-1, "#fff"], [1e10, "#0be40054"], [{ r: 300, g: -1, b: 1.6 }, "#ff0001"],
    [{ r: 1, g: 2, b: 3, a: 0.5 }, "#0102037f"], ["rgb(1 2 3 / 50%)", "#01020380"],
    ["rgb(10% 20% 30%)", "#1a334d"], ["hsl(0.5turn 50% 50% / .2)", "#40bfbf33"],
    ["hsl(100grad 50% 50%)", "#80bf40"], ["hwb(120 20% 30%)", "#33b333"], ["#abcd", "#abcd"],
    ["transparent", "#0000"], ["rebeccapurple", "#639"], ["gray", "gray"], ["#00F", "#00f"],
    ["/* c */ red ", "red"], ["currentColor", "currentColor"], ["rgb(none 1 2)", "#000102"],
    ["bogus", null], ["", null], ["f00", null], ["#ff", null], ["rgb(1,2)", null],
    ["rgb(50%,0,0)", null], ["hsl(1,2,3)", null], ["constructor", null], [null, null], [true, null],
  ]) {
    expect([input, Bun.color(input)]).toEqual([input, css]);
  }
});

test("errors", () => {
  expect(() => Bun.color([])).toThrow("Expected array length 3 or 4");
  expect(() => Bun.color({})).toThrow("Expected r to be a integer");
  expect(() => Bun.color()).toThrow("Expected input");
  expect(() => Bun.color("red", "nope")).toThrow("format must be one of");
  expect(() => Bun.color("lab(50% 50 50)")).toThrow("not implemented");
});
