// Tests of node:assert.
const assert = require("node:assert");

function failure(fn) {
  try {
    fn();
  } catch (error) {
    return error;
  }
  throw new Error("nothing was thrown");
}

// Without the fast path of native functions the engine keeps its own form of stacks.
const hasOwnStacks = process.env.COB_NO_FAST_NATIVES === "1";

test.skipIf(hasOwnStacks)("shape of the error", () => {
  const error = failure(() => assert.strictEqual(1, 2));
  expect(error).toBeInstanceOf(assert.AssertionError);
  expect([error.name, error.code, error.actual, error.expected, error.operator]).toEqual([
    "AssertionError",
    "ERR_ASSERTION",
    1,
    2,
    "strictEqual",
  ]);
  expect(error.generatedMessage).toBe(true);
  expect(error.message).toBe("Expected values to be strictly equal:\n\n1 !== 2\n");
  expect(`${error}`).toBe(`AssertionError [ERR_ASSERTION]: ${error.message}`);
  expect(error.stack.startsWith("AssertionError [ERR_ASSERTION]: Expected values")).toBe(true);
});

test("differences of several lines", () => {
  const error = failure(() => assert.deepStrictEqual({ a: 1, b: [1, 2] }, { a: 1, b: [1, 3] }));
  expect(error.message).toBe(
    "Expected values to be strictly deep-equal:\n+ actual - expected\n\n  {\n    a: 1,\n" +
      "    b: [\n      1,\n+     2\n-     3\n    ]\n  }\n",
  );
});

test("long equal parts are left out", () => {
  const list = Array.from({ length: 30 }, (_, i) => i);
  const { message } = failure(() => assert.deepStrictEqual(list, [...list.slice(0, 29), 0]));
  expect(message).toMatch(
    /^Expected values to be strictly deep-equal:\n\+ actual - expected\n\.{3} Skipped lines\n/,
  );
  expect(message).toContain("    3,\n...\n    28,\n+   29\n-   0\n");
});

test("strings get a caret where they differ", () => {
  const { message } = failure(() => assert.strictEqual("a longer text", "a longer test"));
  expect(message).toBe(
    "Expected values to be strictly equal:\n+ actual - expected\n\n+ 'a longer text'\n" +
      "- 'a longer test'\n" +
      " ".repeat(14) +
      "^\n",
  );
});

test.skipIf(hasOwnStacks)("ok shows the expression", () => {
  expect(failure(() => assert.ok(typeof 123 === "string")).message).toBe(
    'The expression evaluated to a falsy value:\n\n  assert.ok(typeof 123 === "string")\n',
  );
  expect(failure(() => assert(0)).message).toContain("assert(0)");
  expect(failure(() => assert.ok()).message).toBe("No value argument passed to `assert.ok()`");
  expect(failure(() => assert(false, "own")).message).toBe("own");
  const own = new Error("x");
  expect(failure(() => assert(false, own))).toBe(own);
});

test("loose and strict functions", () => {
  assert.equal(1, "1");
  assert.deepEqual([1], ["1"]);
  assert.notEqual(1, 2);
  assert.notDeepStrictEqual([1], ["1"]);
  expect(failure(() => assert.strict.equal(1, "1")).operator).toBe("strictEqual");
  expect(failure(() => assert.notStrictEqual(1, 1)).message).toBe(
    'Expected "actual" to be strictly unequal to: 1',
  );
  expect(failure(() => assert.equal(1, 2)).message).toBe("1 == 2");
  expect(() => assert.equal(1)).toThrow("ERR_MISSING_ARGS");
  expect(require("node:assert/strict")).toBe(assert.strict);
});

test("throws: every way to say what is expected", () => {
  const fn = () => {
    throw new TypeError("wrong value");
  };
  assert.throws(fn);
  assert.throws(fn, TypeError);
  assert.throws(fn, /wrong/);
  assert.throws(fn, { name: "TypeError", message: /wrong/ });
  assert.throws(fn, (error) => error instanceof TypeError);
  assert.throws(fn, new TypeError("wrong value"));
  expect(failure(() => assert.throws(() => {}, TypeError, "why")).message).toBe(
    "Missing expected exception (TypeError): why",
  );
  expect(failure(() => assert.throws(fn, { message: "x" })).message).toContain(
    "+   message: 'wrong value'",
  );
  expect(failure(() => assert.throws(fn, RangeError)).message).toContain(
    'instance of "RangeError". Received "TypeError"',
  );
  expect(() => assert.throws(fn, {})).toThrow("ERR_INVALID_ARG_VALUE");
  expect(() => assert.throws(fn, "wrong value")).toThrow("ERR_AMBIGUOUS_ARGUMENT");
  expect(() => assert.throws("x")).toThrow("ERR_INVALID_ARG_TYPE");
});

test("rejects and its opposite", async () => {
  await assert.rejects(Promise.reject(new Error("x")), /x/);
  await assert.rejects(
    async () => {
      throw new Error("x");
    },
    { message: "x" },
  );
  await assert.doesNotReject(async () => 1);
  await assert.rejects(
    assert.rejects(() => 1),
    { code: "ERR_INVALID_RETURN_VALUE" },
  );
  await assert.rejects(assert.rejects(Promise.resolve()), /Missing expected rejection/);
  await assert.rejects(
    assert.doesNotReject(Promise.reject(new Error("y"))),
    /Got unwanted rejection/,
  );
});

test("match, ifError, fail, doesNotThrow", () => {
  assert.match("abc", /b/);
  assert.doesNotMatch("abc", /x/);
  expect(failure(() => assert.match("abc", /x/)).message).toContain(
    "did not match the regular expression /x/",
  );
  expect(failure(() => assert.match(1, /x/)).message).toContain("Received type number (1)");
  assert.ifError(null);
  expect(failure(() => assert.ifError(new Error("bad"))).message).toBe(
    "ifError got unwanted exception: bad",
  );
  expect(failure(() => assert.fail()).message).toBe("Failed");
  expect(failure(() => assert.fail("why")).message).toBe("why");
  expect(
    failure(() =>
      assert.doesNotThrow(() => {
        throw new Error("z");
      }),
    ).message,
  ).toBe('Got unwanted exception.\nActual message: "z"');
});

test("partialDeepStrictEqual", () => {
  assert.partialDeepStrictEqual({ a: 1, b: 2 }, { a: 1 });
  expect(failure(() => assert.partialDeepStrictEqual({ a: 1 }, { a: 2 })).operator).toBe(
    "partialDeepStrictEqual",
  );
});

test("instances with options", () => {
  const own = new assert.Assert({ skipPrototype: true, diff: "full" });
  class A {}
  own.deepStrictEqual(new A(), {});
  expect(() => own.equal(1, "1")).toThrow();
  expect(() => assert.Assert()).toThrow("ERR_CONSTRUCT_CALL_REQUIRED");
  expect(() => new assert.Assert({ diff: "x" })).toThrow("ERR_INVALID_ARG_VALUE");
});
