// Errors in the Bun flavour, with the source lines and frames that a hook makes up.

const { bunInspect, formatLog, setErrorFrameHook, stackText } = cobInternal("internal/inspect");
const { locate } = cobInternal("internal/report/frames");
const { highlight } = cobInternal("internal/inspect/highlight");

const FRAMES = [
  { name: "mk", file: "/app/src/a.js", line: 2, column: 31 },
  { name: "new Kls", file: "/app/src/b.js", line: 10, column: 5 },
  { name: "<anonymous>", file: "/other/c.js", line: 4, column: 11 },
  { name: "", file: "/app/d.js", line: 1, column: 15 },
  { name: "map", file: "native", line: 0, column: 0 },
];

/** Runs `body` with a hook that gives each error the same place. */
function withPlace(place, body) {
  setErrorFrameHook(() => place);
  try {
    return body();
  } finally {
    setErrorFrameHook((error) => locate(error, () => []));
  }
}

const bare = (error, options) => withPlace({ frames: [] }, () => bunInspect(error, options));
const logged = (error) =>
  withPlace({ frames: [] }, () => formatLog([error], { depth: 2, errorLevel: "normal" }));

test("frames stand below the message, six columns in", () => {
  const text = withPlace({ frames: FRAMES }, () => bunInspect(new TypeError("m")));
  expect(text).toBe(
    "TypeError: m\n" +
      "      at mk (/app/src/a.js:2:31)\n" +
      "      at new Kls (/app/src/b.js:10:5)\n" +
      "      at <anonymous> (/other/c.js:4:11)\n" +
      "      at /app/d.js:1:15\n" +
      "      at map (native)\n",
  );
});

test("source lines are numbered, with a caret below the last", () => {
  const place = { frames: [], source: ["let a;", "", "  throw a;  "], line: 10, column: 3 };
  expect(withPlace(place, () => bunInspect(new Error("m")))).toBe(
    " 8 | let a;\n 9 | \n10 |   throw a;\n       ^\nerror: m\n",
  );
});

test("a long line is cut, and has no caret", () => {
  const place = { frames: [], source: ["x".repeat(2000)], line: 1, column: 600 };
  const text = withPlace(place, () => bunInspect(new Error("m")));
  expect(text).toBe(`1 | ${"x".repeat(1024)}\n\nerror: m\n`);
});

test("a warning shows no source", () => {
  const place = { frames: [], source: ["x"], line: 1, column: 1 };
  const text = withPlace(place, () =>
    formatLog([new Error("m")], { depth: 2, errorLevel: "warn" }),
  );
  expect(text).toBe("warn: m\n");
});

test("colours of frames and of the directory", () => {
  const place = { frames: FRAMES.slice(0, 2), cwd: "/app" };
  const lines = withPlace(place, () => bunInspect(new Error("m"), { colors: true })).split("\n");
  expect(lines[0]).toBe("\x1b[0m\x1b[31merror\x1b[0m\x1b[2m:\x1b[0m \x1b[1mm\x1b[0m");
  expect(lines[1]).toBe(
    "\x1b[0m      \x1b[2mat \x1b[0m\x1b[0m\x1b[1m\x1b[3mmk\x1b[0m\x1b[2m (\x1b[0m" +
      "\x1b[0m\x1b[36m\x1b[2m/app/\x1b[0m\x1b[36msrc/a.js\x1b[0m\x1b[2m:\x1b[0m\x1b[33m2" +
      "\x1b[0m\x1b[2m:\x1b[33m31\x1b[0m\x1b[2m)\x1b[0m",
  );
  expect(lines[2].startsWith("\x1b[0m      \x1b[2mat \x1b[0mnew Kls\x1b[2m (\x1b[0m")).toBe(true);
});

test("stackText gives the frames alone", () => {
  const text = withPlace({ frames: FRAMES.slice(0, 1) }, () => stackText(new Error("m"), false));
  expect(text).toBe("      at mk (/app/src/a.js:2:31)\n");
});

test("a hook that throws does not hide the error", () => {
  setErrorFrameHook(() => {
    throw new Error("no");
  });
  const error = Object.assign(new Error("m"), { stack: "Error: m\n    at f (/x.js:1:2)" });
  const text = bunInspect(error);
  setErrorFrameHook((e) => locate(e, () => []));
  expect(text).toBe("error: m\n      at f (/x.js:1:2)\n");
});

const MESSAGES = [
  [() => new Error("m"), "error: m\n"],
  [() => new Error(), "Error: \n"],
  [() => new RangeError("m"), "RangeError: m\n"],
  [() => Object.assign(new Error("m"), { name: "N" }), "N: m\n"],
  [() => Object.assign(new Error("m"), { name: "" }), "error: m\n"],
  [() => Object.assign(new Error(""), { name: "" }), "error\n"],
  [() => Object.assign(new Error("m"), { message: null }), "error: null\n"],
  [() => Object.assign(new Error("m"), { message: Symbol("x") }), "Error: \n"],
  [() => new (class Foo extends TypeError {})("m"), "error: m\n"],
  [() => Object.setPrototypeOf(new Error("m"), null), "error: m\n"],
  [() => Object.assign(new Error("ENOENT: no"), { code: "ENOENT" }), 'ENOENT: no\n code: "ENOENT"\n\n'],
  [() => Object.assign(new Error("ENOENT: m"), { code: "ENOENT" }),
    'error: ENOENT: m\n code: "ENOENT"\n\n'],
];

for (const [make, text] of MESSAGES) {
  test(`message of ${String(make).slice("() => ".length)}`, () => {
    expect(bare(make())).toBe(text);
  });
}

const PROPERTIES = [
  [{ code: "E", errno: -2, syscall: "open" }, '   errno: -2,\n syscall: "open",\n    code: "E"\n'],
  [{ code: 5 }, " code: 5,\n"],
  [{ a: { b: { c: 1 } }, list: [1, [2]] }, "    a: {\n  b: [Object ...],\n},\n list: [ 1, [Array ...] ],\n"],
  [{ [Symbol("x")]: 1 }, " x: 1,\n"],
  [{ bytes: new Uint8Array([65, 66]), odd: new Uint8Array([255]) },
    ' bytes: "AB",\n   odd: Uint8Array(1) [ 255 ],\n'],
  [{ line: 1, column: 2, sourceURL: "x", stack: "y" }, undefined],
  [{ x: { [Symbol.for("nodejs.util.inspect.custom")]: 5 } },
    " x: {\n  [Symbol(nodejs.util.inspect.custom)]: 5,\n},\n"],
];

for (const [added, text] of PROPERTIES) {
  test(`properties ${Reflect.ownKeys(added).map(String)}`, () => {
    const expected = text === undefined ? "error: m\n" : `error: m\n${text}\n`;
    expect(bare(Object.assign(new Error("m"), added))).toBe(expected);
  });
}

test("a getter is not called and not shown", () => {
  const error = Object.defineProperty(new Error("m"), "x", {
    get: () => expect(1).toBe(2),
    enumerable: true,
  });
  expect(bare(error)).toBe("error: m\n");
});

test("causes follow, down to the depth", () => {
  let error = new Error("0");
  for (let i = 1; i < 5; i++) error = new Error(`${i}`, { cause: error });
  expect(logged(error)).toBe("error: 4\n\nerror: 3\n\nerror: 2\n\n[Error ...]");
});

test("a cause that is met again is a property", () => {
  const error = new Error("m");
  error.cause = error;
  expect(logged(error)).toBe("error: m\n cause: [Circular],\n\n");
});

test("causes that are no errors are not shown unless enumerable", () => {
  expect(logged(new Error("m", { cause: "c" }))).toBe("error: m\n");
  expect(logged(Object.assign(new Error("m"), { cause: "c" }))).toBe('error: m\n cause: "c",\n\n');
});

test("an AggregateError is its errors", () => {
  const errors = [new Error("a"), new TypeError("b"), 5, { message: "x", name: "N" }, Symbol("s")];
  expect(logged(new AggregateError(errors, "m"))).toBe(
    'error: a\nTypeError: b\nerror: 5\n5\nN: x\n{\n  message: "x",\n  name: "N",\n}\nerror: s\nSymbol(s)\n',
  );
  expect(logged(new AggregateError([], "m"))).toBe("AggregateError: m\n");
});

test("an AggregateError in itself comes to an end", () => {
  const error = new AggregateError([], "m");
  error.errors.push(error);
  expect(logged(error)).toBe("AggregateError: m\n[Error ...]\n");
});

test("errors inside other values", () => {
  expect(logged({ e: new Error("m") })).toBe("{\n  e: error: m\n,\n}");
  expect(logged([new Error("m"), 1])).toBe("[\n  error: m\n, 1\n]");
});

const SOURCES = [
  ["const x = 'y';", "\x1b[0m\x1b[35mconst\x1b[0m x = \x1b[0m\x1b[32m'y'\x1b[0m\x1b[0m\x1b[2m;\x1b[0m"],
  ["new Foo(1)", "\x1b[0m\x1b[35mnew\x1b[0m \x1b[0m\x1b[1mFoo\x1b[0m(\x1b[0m\x1b[33m1\x1b[0m)"],
  ["a.b(c) // d", "a\x1b[0m\x1b[3m\x1b[1m.b\x1b[0m(c) \x1b[0m\x1b[2m// d\x1b[0m"],
  ["`a${b}c`", "\x1b[0m\x1b[32m`a\x1b[0m${b}\x1b[0m\x1b[32mc`\x1b[0m"],
  ["a < b", "a \x1b[0m<\x1b[0m b"],
  ["\u00e9 = 1", "\u00e9 = 1"],
];

for (const [source, colored] of SOURCES) {
  test(`colours of source: ${source}`, () => {
    expect(highlight(source)).toBe(colored);
  });
}
