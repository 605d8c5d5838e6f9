// The console object, and consoles over streams as Node 24 has them.

const { Console } = console;
const { inspect } = cobInternal("internal/inspect");

/** A stream that keeps what is written to it. */
function fakeStream(members) {
  const chunks = [];
  return {
    chunks,
    write(text) {
      chunks.push(text);
      return true;
    },
    once() {},
    on() {},
    removeListener() {},
    ...members,
  };
}

/** What a console over fake streams has written: [stdout, stderr]. */
function written(body, options) {
  const stdout = fakeStream();
  const stderr = fakeStream();
  body(new Console({ stdout, stderr, ...options }));
  return [stdout.chunks, stderr.chunks];
}

const out = (body, options) => written(body, options)[0];
const err = (body, options) => written(body, options)[1];

// ---- the global console

test("methods in Bun's order", () => {
  expect(Object.keys(console).slice(0, 27).join()).toBe(
    "debug,error,log,info,warn,clear,dir,dirxml,table,trace,assert,count,countReset,profile," +
      "profileEnd,time,timeLog,timeEnd,timeStamp,takeHeapSnapshot,group,groupCollapsed,groupEnd," +
      "record,recordEnd,screenshot,write",
  );
});

test("methods can be passed around, and are no constructors", () => {
  const { profile, time } = console;
  expect(profile()).toBe(undefined);
  expect(time.name).toBe("time");
  expect(time.length).toBe(0);
  expect(() => new console.log("x")).toThrow(TypeError);
});

test("its tag and prototype", () => {
  expect(Object.prototype.toString.call(console)).toBe("[object console]");
  expect(Reflect.ownKeys(Object.getPrototypeOf(console)).length).toBe(0);
  expect(typeof console[Symbol.asyncIterator]).toBe("function");
  expect(console instanceof Console).toBe(true);
});

test("properties can be replaced", () => {
  const { log } = console;
  const lines = [];
  console.log = (line) => lines.push(line);
  console.log("x");
  console.log = log;
  expect(lines.join()).toBe("x");
});

test("write takes text and bytes", () => {
  for (const [value, code] of [[undefined, "ERR_STREAM_NULL_VALUES"], [5, "ERR_INVALID_ARG_TYPE"]]) {
    let error;
    try {
      console.write(value);
    } catch (e) {
      error = e;
    }
    expect(error.code).toBe(code);
    expect(error instanceof TypeError).toBe(true);
  }
});

test("table checks its properties", () => {
  expect(() => console.table([1], 5)).toThrow('The "properties" argument must be an instance of Array.');
});

test("count turns its label into text", () => {
  expect(() => console.count(Symbol("x"))).toThrow(TypeError);
});

// ---- console.Console

test("where each method writes", () => {
  const [stdout, stderr] = written((c) => {
    c.log("log", { a: 1 });
    c.info("info");
    c.debug("debug");
    c.error("error %s", "x");
    c.warn("warn");
    c.dirxml({ a: 1 }, 2);
    c.log();
  });
  expect(stdout.join("")).toBe("log { a: 1 }\ninfo\ndebug\n{ a: 1 } 2\n\n");
  expect(stderr.join("")).toBe("error x\nwarn\n");
});

test("without stderr everything goes to stdout", () => {
  const stdout = fakeStream();
  const c = Console(stdout);
  c.error("x");
  expect(stdout.chunks.join("")).toBe("x\n");
});

test("dir takes options", () => {
  const lines = out((c) => {
    c.dir({ a: { b: { c: { d: 1 } } } }, { depth: 0 });
    c.dir({ [Symbol.for("nodejs.util.inspect.custom")]: () => "custom" });
  });
  expect(lines[0]).toBe("{ a: [Object] }\n");
  expect(lines[1].startsWith("{\n  Symbol(nodejs.util.inspect.custom):")).toBe(true);
});

test("groups indent every line", () => {
  const lines = out((c) => {
    c.group("G", "H");
    c.log("a\nb");
    c.groupCollapsed();
    c.log("c");
    c.groupEnd();
    c.groupEnd();
    c.groupEnd();
    c.log("d");
  });
  expect(lines.join("")).toBe("G H\n  a\n  b\n    c\nd\n");
  expect(out((c) => { c.group(); c.log("x"); }, { groupIndentation: 4 }).join("")).toBe("    x\n");
});

test("counters", () => {
  const lines = out((c) => {
    c.count();
    c.count("q");
    c.count();
    c.countReset();
    c.count();
  });
  expect(lines.join("")).toBe("default: 1\nq: 1\ndefault: 2\ndefault: 1\n");
});

test("timers", () => {
  const lines = out((c) => {
    c.time("t");
    c.timeLog("t", "x", { a: 1 });
    c.timeEnd("t");
  });
  expect(/^t: [\d.]+ms x \{ a: 1 \}\n$/.test(lines[0])).toBe(true);
  expect(/^t: [\d.]+ms\n$/.test(lines[1])).toBe(true);
});

test("assertions", () => {
  const lines = err((c) => {
    c.assert(true, "no");
    c.assert(false);
    c.assert(false, "m %s", 1);
    c.assert(false, { a: 1 });
  });
  expect(lines.join("")).toBe(
    "Assertion failed\nAssertion failed: m 1\nAssertion failed { a: 1 }\n",
  );
});

test("trace starts with its message", () => {
  const [line] = err((c) => c.trace("a %s", "b"));
  expect(line.startsWith("Trace: a b\n")).toBe(true);
});

test("tables", () => {
  const ascii = (text) => text.replace(/[\u2500-\u257f]/g, (c) => (c === "\u2502" ? "|" : "-"));
  const [table, plain] = out((c) => {
    c.table([{ a: 1, b: "x" }, 5]);
    c.table(5);
  });
  expect(ascii(table).split("\n")[1]).toBe("| (index) | a | b   | Values |");
  expect(plain).toBe("5\n");
  expect(() => out((c) => c.table([], 5))).toThrow(TypeError);
});

test("clear only clears a terminal", () => {
  expect(out((c) => c.clear()).length).toBe(0);
  const stdout = fakeStream({ isTTY: true });
  new Console({ stdout }).clear();
  expect(stdout.chunks.join("")).toBe("\x1b[1;1H\x1b[0J");
});

test("colours follow colorMode, or the terminal", () => {
  expect(out((c) => c.log(5), { colorMode: true }).join("")).toBe("\x1b[33m5\x1b[39m\n");
  const stdout = fakeStream({ isTTY: true, getColorDepth: () => 4 });
  new Console({ stdout }).log(5);
  const plain = fakeStream({ isTTY: true, getColorDepth: () => 1 });
  new Console({ stdout: plain }).log(5);
  expect(stdout.chunks.join("")).toBe("\x1b[33m5\x1b[39m\n");
  expect(plain.chunks.join("")).toBe("5\n");
});

test("inspectOptions", () => {
  const options = { inspectOptions: { depth: 0, compact: false } };
  expect(out((c) => c.log({ a: { b: 1 } }), options).join("")).toBe("{\n  a: [Object]\n}\n");
});

test("errors of the stream are dropped, unless ignoreErrors is false", () => {
  const write = () => { throw new Error("full"); };
  new Console({ stdout: fakeStream({ write }) }).log("x");
  const strict = new Console({ stdout: fakeStream({ write }), ignoreErrors: false });
  expect(() => strict.log("x")).toThrow("full");
});

test("wrong options", () => {
  const stdout = fakeStream();
  const cases = [
    [undefined, "ERR_CONSOLE_WRITABLE_STREAM"],
    [{}, "ERR_CONSOLE_WRITABLE_STREAM"],
    [{ stdout, stderr: 5 }, "ERR_CONSOLE_WRITABLE_STREAM"],
    [{ stdout, colorMode: "x" }, "ERR_INVALID_ARG_VALUE"],
    [{ stdout, groupIndentation: -1 }, "ERR_OUT_OF_RANGE"],
    [{ stdout, groupIndentation: "x" }, "ERR_INVALID_ARG_TYPE"],
    [{ stdout, inspectOptions: 5 }, "ERR_INVALID_ARG_TYPE"],
    [{ stdout, colorMode: true, inspectOptions: { colors: true } }, "ERR_INCOMPATIBLE_OPTION_PAIR"],
  ];
  for (const [options, code] of cases) {
    let error;
    try {
      new Console(options);
    } catch (e) {
      error = e;
    }
    expect(error?.code ?? inspect(options)).toBe(code);
  }
});

test("methods are bound, and found by subclasses", () => {
  class Sub extends Console {
    hello() {
      this.log("hello");
    }
  }
  const stdout = fakeStream();
  new Sub(stdout).hello();
  const { log } = new Console(stdout);
  log("detached");
  log.call(null, "called");
  expect(stdout.chunks.join("")).toBe("hello\ndetached\ncalled\n");
  expect({} instanceof Console).toBe(false);
});

test("errors of the stream are dropped whenever they come; options by stream", async () => {
  const { Console } = require("node:console");
  const { PassThrough, Writable } = require("node:stream");
  for (const fail of [
    (callback) => callback(new Error("now")),
    (callback) => process.nextTick(callback, new Error("next")),
    (callback) => setImmediate(callback, new Error("later")),
    () => { throw new Error("thrown"); },
  ]) {
    const stream = new Writable({ write: (chunk, encoding, callback) => fail(callback) });
    new Console(stream).log("x");
    await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
  }
  const stdout = new PassThrough().setEncoding("utf8");
  const stderr = new PassThrough().setEncoding("utf8");
  const inspectOptions = new Map([[stdout, { colors: true }], [stderr, { colors: false }]]);
  const own = new Console({ stdout, stderr, inspectOptions });
  own.log(42);
  own.warn(42);
  expect([stdout.read(), stderr.read()]).toEqual(["\u001b[33m42\u001b[39m\n", "42\n"]);
});
