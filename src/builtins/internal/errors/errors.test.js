const errors = cobInternal("internal/errors");
const system = cobInternal("internal/errors/system");

function thrown(fn) {
  try {
    fn();
  } catch (err) {
    return err;
  }
  throw new Error("nothing was thrown");
}

test("a coded error looks like Node's", () => {
  const err = new errors.ERR_INVALID_ARG_TYPE("x", "string", undefined);
  const message = 'The "x" argument must be of type string. Received undefined';
  expect(err.message).toBe(message);
  expect(err.name).toBe("TypeError");
  expect(err.code).toBe("ERR_INVALID_ARG_TYPE");
  expect(String(err)).toBe(`TypeError [ERR_INVALID_ARG_TYPE]: ${message}`);
  expect(err instanceof TypeError).toBe(true);
  expect(err.constructor).toBe(TypeError);
  expect(Object.keys(err)).toEqual(["code"]);
  expect(Object.hasOwn(err, "name")).toBe(false);
});

test("constructors work without new", () => {
  expect(errors.ERR_MISSING_ARGS("a") instanceof TypeError).toBe(true);
  expect(errors.nothing_of_the_kind).toBe(undefined);
  expect(() => errors.ERR_NO_SUCH_CODE()).toThrow("no such error code");
});

const texts = [
  [["x", "string", null], 'The "x" argument must be of type string. Received null'],
  [["x", "string", 1n], 'The "x" argument must be of type string. Received type bigint (1n)'],
  [["x", "string", "it"], 'The "x" argument must be of type string. Received type string (\'it\')'],
  [["x", "string", () => {}], 'The "x" argument must be of type string. Received function '],
  [["x", "string", new Map()],
    'The "x" argument must be of type string. Received an instance of Map'],
  [["first argument", ["string", "number"], true],
    "The first argument must be one of type string or number. Received type boolean (true)"],
  [["a.b", ["string", "Buffer", "URL"], {}],
    'The "a.b" property must be of type string or an instance of Buffer or URL. ' +
      "Received an instance of Object"],
  [["x", ["Object", "AbortSignal"], 1],
    'The "x" argument must be an instance of AbortSignal or Object. Received type number (1)'],
  [["x", "string", Symbol("s")],
    'The "x" argument must be of type string. Received type symbol (Symbol(s))'],
  [["x", "number", "abcdefghijklmnopqrstuvwxyzabc"],
    'The "x" argument must be of type number. Received type string ' +
      "('abcdefghijklmnopqrstuvwxy...')"],
];
for (const [args, text] of texts) {
  test(`ERR_INVALID_ARG_TYPE: ${text}`, () => {
    expect(errors.ERR_INVALID_ARG_TYPE(...args).message).toBe(text);
  });
}

test("ERR_OUT_OF_RANGE groups the digits of large integers", () => {
  const of = (n) => errors.ERR_OUT_OF_RANGE("n", ">= 0", n).message;
  const head = 'The value of "n" is out of range. It must be >= 0. Received ';
  expect(of(-1)).toBe(`${head}-1`);
  expect(of(2 ** 40)).toBe(`${head}1_099_511_627_776`);
  expect(of(-(2 ** 40))).toBe(`${head}-1_099_511_627_776`);
  expect(of(2n ** 33n)).toBe(`${head}8_589_934_592n`);
  expect(of(5n)).toBe(`${head}5n`);
  expect(of(1.5)).toBe(`${head}1.5`);
  expect(errors.ERR_OUT_OF_RANGE("n", ">= 0", -1) instanceof RangeError).toBe(true);
});

test("ERR_MISSING_ARGS lists names", () => {
  const of = (...names) => errors.ERR_MISSING_ARGS(...names).message;
  expect(of("a")).toBe('The "a" argument must be specified');
  expect(of("a", "b")).toBe('The "a" and "b" arguments must be specified');
  expect(of("a", "b", "c")).toBe('The "a", "b", and "c" arguments must be specified');
  expect(of(["a", "b"])).toBe('The "a" or "b" argument must be specified');
});

test("extra properties of ERR_INVALID_URL", () => {
  const err = errors.ERR_INVALID_URL("x", "y");
  expect(Object.keys(err)).toEqual(["code", "input", "base"]);
  expect("base" in errors.ERR_INVALID_URL("x")).toBe(false);
});

test("hideStackFrames passes values and errors through", () => {
  const check = errors.hideStackFrames(function check(v, name) {
    if (typeof v !== "string") throw new errors.ERR_INVALID_ARG_TYPE(name, "string", v);
    return v;
  });
  expect(check("a", "v")).toBe("a");
  expect(check.name).toBe("check");
  expect(check.length).toBe(2);
  expect(thrown(() => check(1, "v")).code).toBe("ERR_INVALID_ARG_TYPE");
  expect(thrown(() => check(1, "v")).name).toBe("TypeError");
});

test("AbortError and aggregates", () => {
  const err = new errors.AbortError();
  expect([err.name, err.code, err.message]).toEqual([
    "AbortError", "ABORT_ERR", "The operation was aborted",
  ]);
  const inner = new Error("inner");
  const outer = new Error("outer");
  outer.code = "E";
  expect(errors.aggregateTwoErrors(null, outer)).toBe(outer);
  const both = errors.aggregateTwoErrors(inner, outer);
  expect(both.errors).toEqual([outer, inner]);
  expect([both.message, both.code]).toEqual(["outer", "E"]);
});

test("system errors", () => {
  const err = system.uvException({ errno: -2, syscall: "open", path: "x" });
  expect(err.message).toBe("ENOENT: no such file or directory, open 'x'");
  expect([err.errno, err.code, err.syscall, err.path]).toEqual([-2, "ENOENT", "open", "x"]);
  const two = system.uvException({ errno: -17, syscall: "rename", path: "a", dest: "b" });
  expect(two.message).toBe("EEXIST: file already exists, rename 'a' -> 'b'");
  expect(system.exceptionWithHostPort(-111, "connect", "::1", 80).message).toBe(
    "connect ECONNREFUSED ::1:80",
  );
  expect(system.uvExceptionWithHostPort(-98, "listen", "::", 3000).message).toBe(
    "listen EADDRINUSE: address already in use :::3000",
  );
  expect(system.errnoException(-2, "spawn").message).toBe("spawn ENOENT");
  expect(system.dnsException(-3008, "getaddrinfo", "h").code).toBe("ENOTFOUND");
  expect(system.systemErrorName(-99999)).toBe("Unknown system error -99999");
  expect(system.systemErrorMap().get(-2)).toEqual(["ENOENT", "no such file or directory"]);
});
