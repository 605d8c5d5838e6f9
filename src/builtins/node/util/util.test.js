// Tests of node:util.
const util = require("node:util");

const tick = () => new Promise((resolve) => setImmediate(resolve));

test("functions load when they are asked for, and stay", () => {
  expect(util.promisify).toBe(util.promisify);
  expect(Object.keys(util)).toContain("parseArgs");
  const { format } = util;
  util.format = 1;
  expect(util.format).toBe(1);
  util.format = format;
});

test("promisify", async () => {
  const add = (a, b, done) => done(null, a + b);
  expect(await util.promisify(add)(1, 2)).toBe(3);
  const fails = (done) => done(new Error("no"));
  let error;
  await util
    .promisify(fails)()
    .catch((e) => {
      error = e;
    });
  expect(error.message).toBe("no");
  const custom = () => {};
  custom[util.promisify.custom] = () => "own";
  expect(util.promisify(custom)()).toBe("own");
  expect(util.promisify(add).name).toBe("add");
  const promised = util.promisify(add);
  expect(util.promisify(promised)).toBe(promised);
  expect(() => util.promisify(1)).toThrow("ERR_INVALID_ARG_TYPE");
  expect(util.promisify(setTimeout)).toBe(require("node:timers/promises").setTimeout);
});

test("callbackify", async () => {
  const seen = [];
  const fn = util.callbackify(async (x) => {
    if (x) throw x;
    return 5;
  });
  fn(0, (error, value) => seen.push([error, value]));
  fn("bad", (error) => seen.push(error));
  await tick();
  expect(seen).toEqual([[null, 5], "bad"]);
  expect(fn.length).toBe(2);
  expect(() => fn(1)).toThrow("ERR_INVALID_ARG_TYPE");
});

test("deprecate warns once for a code", async () => {
  const seen = [];
  const onWarning = (warning) => seen.push([warning.code, warning.message]);
  process.on("warning", onWarning);
  const { stderr } = process;
  const a = util.deprecate((x) => x + 1, "a is old", "DEP_TEST");
  const b = util.deprecate(function B() {}, "b is old", "DEP_TEST");
  expect(a(1)).toBe(2);
  a(1);
  expect(new b()).toBeInstanceOf(b);
  await tick();
  process.off("warning", onWarning);
  expect(seen).toEqual([["DEP_TEST", "a is old"]]);
  expect(stderr).toBe(process.stderr);
  expect(() => util.deprecate(() => {}, "x", 1)).toThrow("ERR_INVALID_ARG_TYPE");
});

test("inherits", () => {
  function A() {}
  function B() {}
  util.inherits(A, B);
  expect(new A()).toBeInstanceOf(B);
  expect(A.super_).toBe(B);
  expect(() => util.inherits(A, null)).toThrow("ERR_INVALID_ARG_TYPE");
  expect(() => util.inherits(A, {})).toThrow("ERR_INVALID_ARG_TYPE");
});

test("types do not believe tags", () => {
  const { types } = util;
  expect(types).toBe(require("node:util/types"));
  const yes = {
    isDate: new Date(),
    isRegExp: /a/,
    isMap: new Map(),
    isSet: new Set(),
    isWeakMap: new WeakMap(),
    isWeakSet: new WeakSet(),
    isPromise: Promise.resolve(),
    isProxy: new Proxy({}, {}),
    isNativeError: new TypeError(),
    isBoxedPrimitive: Object(1n),
    isNumberObject: Object(1),
    isStringObject: Object(""),
    isSymbolObject: Object(Symbol()),
    isArrayBuffer: new ArrayBuffer(1),
    isSharedArrayBuffer: new SharedArrayBuffer(1),
    isDataView: new DataView(new ArrayBuffer(1)),
    isUint8Array: new Uint8Array(1),
    isTypedArray: new Float64Array(1),
    isAsyncFunction: async () => {},
    isGeneratorFunction: function* g() {},
    isGeneratorObject: (function* g() {})(),
    isMapIterator: new Map().keys(),
    isSetIterator: new Set().values(),
    isArgumentsObject: (function f() {
      return arguments;
    })(),
    isFloat16Array: new Float16Array(1),
  };
  for (const name of Object.keys(yes)) {
    expect([name, types[name](yes[name])]).toEqual([name, true]);
    for (const no of [
      null,
      undefined,
      1,
      {},
      { [Symbol.toStringTag]: name.slice(2) },
      Map.prototype,
    ]) {
      expect([name, types[name](no)]).toEqual([name, false]);
    }
  }
  expect(types.isDate(Object.create(Date.prototype))).toBe(false);
});

test("parseArgs", () => {
  const options = {
    flag: { type: "boolean", short: "f" },
    name: { type: "string", short: "n", default: "x" },
    many: { type: "string", multiple: true },
  };
  const parse = (args, more) => util.parseArgs({ args, options, ...more });
  expect({ ...parse(["-f", "--many", "a", "--many=b"]).values }).toEqual({
    flag: true,
    many: ["a", "b"],
    name: "x",
  });
  expect({ ...parse(["-fnY"]).values }).toEqual({ flag: true, name: "Y" });
  expect(parse(["a", "--", "-f"], { allowPositionals: true }).positionals).toEqual(["a", "-f"]);
  expect({ ...parse(["--no-flag"], { allowNegative: true }).values }).toEqual({
    flag: false,
    name: "x",
  });
  expect(() => parse(["--what"])).toThrow("ERR_PARSE_ARGS_UNKNOWN_OPTION");
  expect(() => parse(["a"])).toThrow("ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL");
  expect(() => parse(["--name"])).toThrow("ERR_PARSE_ARGS_INVALID_OPTION_VALUE");
  expect(() => parse(["--name", "-f"])).toThrow("ERR_PARSE_ARGS_INVALID_OPTION_VALUE");
  expect(() => util.parseArgs({ options: { a: { type: "number" } } })).toThrow(
    "ERR_INVALID_ARG_TYPE",
  );
  expect(parse(["-n", "v"], { tokens: true }).tokens).toEqual([
    { kind: "option", name: "name", rawName: "-n", index: 0, value: "v", inlineValue: false },
  ]);
});

test("styleText and stripVTControlCharacters", () => {
  const style = (format, text) => util.styleText(format, text, { validateStream: false });
  expect(style("red", "a")).toBe("\x1b[31ma\x1b[39m");
  expect(style(["bold", "red"], "a")).toBe("\x1b[1m\x1b[31ma\x1b[39m\x1b[22m");
  expect(style("#ff8000", "a")).toBe("\x1b[38;2;255;128;0ma\x1b[39m");
  expect(style("red", `a${style("blue", "b")}c`)).toBe("\x1b[31ma\x1b[34mb\x1b[31mc\x1b[39m");
  expect(() => style("nocolor", "a")).toThrow("ERR_INVALID_ARG_VALUE");
  expect(() => util.styleText("red", 1)).toThrow("ERR_INVALID_ARG_TYPE");
  expect(
    util.stripVTControlCharacters("\x1b[31ma\x1b[39m \x1b]8;;http://x\x07link\x1b]8;;\x07"),
  ).toBe("a link");
});

test("MIME types", () => {
  const type = new util.MIMEType(' Text/HTML; Charset="utf-8" ;q="a\\"b"; q=2;x ');
  expect([type.essence, type.params.get("CHARSET"), type.params.get("q")]).toEqual([
    "text/html",
    "utf-8",
    'a"b',
  ]);
  expect(`${type}`).toBe('text/html;charset=utf-8;q="a\\"b"');
  type.params.set("charset", "");
  type.params.delete("q");
  expect(JSON.stringify(type)).toBe('"text/html;charset=\\"\\""');
  expect(() => new util.MIMEType("text")).toThrow("ERR_INVALID_MIME_SYNTAX");
  expect(util.MIMEType.parse("/")).toBe(null);
});

test("diff", () => {
  expect(util.diff("abc", "abd")).toEqual([
    [0, "a"],
    [0, "b"],
    [1, "c"],
    [-1, "d"],
  ]);
  expect(util.diff(["a"], ["a"])).toEqual([[0, "a"]]);
  expect(util.diff("x", "x")).toEqual([]);
  expect(() => util.diff([1], ["a"])).toThrow("ERR_INVALID_ARG_TYPE");
});

test("errors of the system by number", () => {
  expect(util.getSystemErrorName(-2)).toBe("ENOENT");
  expect(util.getSystemErrorMessage(-2)).toBe("no such file or directory");
  expect(util.getSystemErrorMap().get(-2)).toEqual(["ENOENT", "no such file or directory"]);
  expect(() => util.getSystemErrorName(2)).toThrow("ERR_OUT_OF_RANGE");
  expect(util.convertProcessSignalToExitCode("SIGTERM")).toBe(143);
});

test("parseEnv", () => {
  expect(
    util.parseEnv("A=1\n#c\nexport B = 'x y' # c\nC=\"l1\\nl2\"\nD=`a\nb`\nE=v # w\n=no\n"),
  ).toEqual({ A: "1", B: "x y", C: "l1\nl2", D: "a\nb", E: "v" });
});

// Without the fast path of native functions the engine keeps its own form of stacks.
test.skipIf(process.env.COB_NO_FAST_NATIVES === "1")("getCallSites", () => {
  const [first] = (function outer() {
    return util.getCallSites(1);
  })();
  expect(first.functionName).toBe("outer");
  expect(first.scriptName).toMatch(/util\.test\.js$/);
  expect(() => util.getCallSites(0)).toThrow("ERR_OUT_OF_RANGE");
});

test("aborted", async () => {
  const controller = new AbortController();
  const promise = util.aborted(controller.signal, {});
  controller.signal.addEventListener("abort", (event) => event.stopImmediatePropagation());
  const held = util.aborted(controller.signal, util);
  controller.abort();
  expect(await held).toBe(undefined);
  expect(promise).toBeInstanceOf(Promise);
  expect(await util.aborted(AbortSignal.abort(), {})).toBe(undefined);
});
