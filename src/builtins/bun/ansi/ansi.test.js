// Tests of Bun.wrapAnsi; the expected values are those of Bun 1.4.5.

test("words, hard breaks, spaces", () => {
  for (const [text, columns, options, wrapped] of [
    ["hello world", 5, undefined, "hello\nworld"],
    ["abcdefghij klm", 3, { hard: true }, "abc\ndef\nghi\nj\nklm"],
    ["abcdefghij klm", 3, { hard: true, trim: false }, "abc\ndef\nghi\nj \nklm"],
    ["hello world", 8, { trim: false }, "hello \nworld"],
    ["  hello   world  foo", 8, { trim: false }, "  hello \n  world \n foo"],
    ["tab\there there", 5, { wordWrap: false }, "tab\the\nre th\nere"],
    ["aaa\r\nbbb ccc ddd", 5, { wordWrap: false }, "aaa\nbbb c\ncc dd\nd"],
    ["\u5b89\u5b81\u54c8 \u5b89", 5, { wordWrap: false }, "\u5b89\u5b81\n\u54c8 \u5b89"],
    ["", 5, undefined, ""],
    ["a b", 0, undefined, "a b"],
    ["a b", Infinity, undefined, "a b"],
    ["a b", undefined, undefined, "a b"],
  ]) {
    expect([text, Bun.wrapAnsi(text, columns, options)]).toEqual([text, wrapped]);
  }
});

test("styles and links end at a break and begin again", () => {
  expect(Bun.wrapAnsi("\x1b[31mhello world\x1b[39m x", 5)).toBe(
    "\x1b[31mhello\x1b[39m\n\x1b[31mworld\x1b[39m\nx",
  );
  expect(Bun.wrapAnsi("\x1b[1m\x1b[31mbold red text\x1b[0m end", 8, { trim: false })).toBe(
    "\x1b[1m\x1b[31mbold red\x1b[39m\n\x1b[31m text\x1b[0m \nend",
  );
  expect(Bun.wrapAnsi("\x1b]8;;u\x07link text\x1b]8;;\x07", 4)).toBe(
    "\x1b]8;;u\x07link\x1b]8;;\x07\n\x1b]8;;u\x07text\x1b]8;;\x07",
  );
});

test("slices by columns", () => {
  const red = "\x1b[31mhello world\x1b[39m x";
  for (const [args, slice] of [
    [["hello world", 1, 4], "ell"], [["hello world", -3], "rld"], [["hello world", 3, 1], ""],
    [["hello world", 1, 4, "\u2026"], "\u2026l\u2026"], [["hello world", 0, 3, "..."], "..."],
    [["hello world", 4, 9, { ellipsis: "..." }], "...or"],
    [["\u5b89\u5b81\u54c8", 1, 4], "\u5b81"], [[red, 1, 4], "\x1b[31mell\x1b[39m"],
    [[red, 4, 9, "\u2026"], "\x1b[31m\u2026 wo\u2026\x1b[39m"], [[red], red],
  ]) {
    expect([args, Bun.sliceAnsi(...args)]).toEqual([args, slice]);
  }
});
