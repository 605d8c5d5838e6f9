// Tests of Bun.JSONL.
const { parse, parseChunk } = Bun.JSONL;

/** [values, read, done, is there an error] */
function chunk(...args) {
  const { values, read, done, error } = parseChunk(...args);
  expect(error === null || error instanceof SyntaxError).toBe(true);
  return [values, read, done, error !== null];
}

test("values, incomplete ones, wrong ones", () => {
  for (const [text, ...expected] of [
    ['{"a":1}\n{"b":2}\n', [{ a: 1 }, { b: 2 }], 15, true, false],
    ['{"a":1}\n{"b":2}', [{ a: 1 }, { b: 2 }], 15, true, false],
    ["1\n2\n\n3", [1, 2, 3], 6, true, false],
    ["", [], 0, true, false],
    ["\n", [], 0, true, false],
    ['{"a":1}\n{bad\n{"c":3}', [{ a: 1 }], 7, false, true],
    ["{bad", [], 0, false, false],
    ["1 2\n", [1], 1, false, true],
    ['"\\u00e9"\r\n2\r\n', ["\u00e9", 2], 11, true, false],
    ['{"a":\n1}', [{ a: 1 }], 8, true, false],
    ['1\n{"a"', [1], 1, false, false],
    ["  1  \n\t2", [1, 2], 8, true, false],
    ['1\n"ab', [1], 1, false, false],
    ["nul\n", [], 0, false, true],
    ["1\ntru", [1], 1, false, false],
    ["1,2\n", [1], 1, false, true],
    ["[1,\n[2,{}],\n{}]\n3", [[1, [2, {}], {}], 3], 17, true, false],
    ['1\n{"a":"\\u00', [1], 1, false, false],
    ["1\n]", [1], 1, false, true],
    ["1\n[1 2]\n", [1], 1, false, true],
  ]) {
    expect(chunk(text)).toEqual(expected);
    expect(chunk(Buffer.from(text))).toEqual(expected);
    if (expected[3] && expected[0].length === 0) expect(() => parse(text)).toThrow("Failed to parse");
    else expect(parse(text)).toEqual(expected[0]);
  }
});

test("bytes and offsets", () => {
  expect(chunk(Buffer.from('{"\u00e9":1}\n2\n3'))).toEqual([[{ "\u00e9": 1 }, 2, 3], 12, true, false]);
  expect(chunk(Buffer.from("1\n2\n3\n4"), 2, 6)).toEqual([[2, 3], 5, true, false]);
  expect(chunk("1\n2\n3\n4", 2, 6)).toEqual([[2, 3], 5, true, false]);
  expect(chunk("1\n2\n", 50)).toEqual([[], 4, true, false]);
  expect(parse(Buffer.from("\ufeff1\n2"))).toEqual([1, 2]);
  expect(parse(new TextEncoder().encode("[1]").buffer)).toEqual([[1]]);
  expect(() => parse(null)).toThrow("requires a string");
});

test("deep and long input", () => {
  const deep = "[".repeat(100_000);
  expect(chunk(`1\n${deep}`)).toEqual([[1], 1, false, false]);
  expect(chunk(`1\n"${"\\n".repeat(200_000)}`)).toEqual([[1], 1, false, false]);
  expect(parse("1\n".repeat(10_000)).length).toBe(10_000);
});
