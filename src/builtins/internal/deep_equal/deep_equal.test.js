// Tests of internal/deep_equal: loose, strict and partial equality.
const { isDeepEqual, isDeepStrictEqual, isPartialStrictEqual } = cobInternal("internal/deep_equal");

/** [a, b, loose, strict, partial] */
const cases = [
  [1, 1, true, true, true],
  [1, "1", true, false, false],
  [NaN, NaN, true, true, true],
  [0, -0, true, false, false],
  [null, undefined, true, false, false],
  [1n, 1, true, false, false],
  [{ a: 1 }, { a: "1" }, true, false, false],
  [{ a: 1, b: 2 }, { a: 1 }, false, false, true],
  [{ a: undefined }, {}, false, false, true],
  [[1, 2], [1, 2], true, true, true],
  [[1, 2, 3], [1, 3], false, false, true],
  [[, 1], [undefined, 1], false, false, false],
  [[], {}, false, false, false],
  [{}, Object.create(null), true, false, true],
  [new Set([{ a: 1 }, 2]), new Set([2, { a: 1 }]), true, true, true],
  [new Set([1]), new Set(["1"]), true, false, false],
  [new Set([1, 2, 3]), new Set([2]), false, false, true],
  [new Map([[{ k: 1 }, [1]]]), new Map([[{ k: 1 }, [1]]]), true, true, true],
  [new Map([[null, 1]]), new Map([[undefined, 1]]), true, false, false],
  [new Date(5), new Date(5), true, true, true],
  [new Date(NaN), new Date(NaN), true, true, true],
  [new Date(5), new Date(6), false, false, false],
  [/a/g, /a/g, true, true, true],
  [/a/g, /a/i, false, false, false],
  [new Error("x"), new Error("x"), true, true, true],
  [new Error("x"), new Error("y"), false, false, false],
  [new Error("x", { cause: 1 }), new Error("x"), false, false, true],
  [new TypeError("x"), new Error("x"), false, false, false],
  [Object(1), Object(1), true, true, true],
  [Object(1), Object("1"), false, false, false],
  [new Uint8Array([1, 2]), new Uint8Array([1, 2]), true, true, true],
  [new Uint8Array([1, 2, 3]), new Uint8Array([1, 3]), false, false, true],
  [new Uint8Array([1]), new Int8Array([1]), false, false, false],
  [new Float32Array([0]), new Float32Array([-0]), true, false, false],
  [new ArrayBuffer(2), new ArrayBuffer(2), true, true, true],
  [new WeakSet(), new WeakSet(), false, false, false],
  [Promise.resolve(), Promise.resolve(), false, false, false],
  [{ [Symbol.for("s")]: 1 }, {}, true, false, true],
  [new URL("http://a/b"), new URL("http://a/b"), true, true, true],
  [new URL("http://a/b"), new URL("http://a/c"), false, false, false],
  [() => 1, () => 1, false, false, false],
];

test("kinds of values in three modes", () => {
  cases.forEach(([a, b, loose, strict, partial], i) => {
    const got = [isDeepEqual(a, b), isDeepStrictEqual(a, b), isPartialStrictEqual(a, b)];
    expect([i, ...got]).toEqual([i, loose, strict, partial]);
  });
});

test("named properties of arrays and views", () => {
  expect(isDeepStrictEqual(Object.assign([1], { x: 1 }), [1])).toBe(false);
  expect(isDeepStrictEqual(Object.assign([1], { x: 1 }), Object.assign([1], { x: 1 }))).toBe(true);
  expect(isDeepStrictEqual(Object.assign(new Uint8Array(1), { x: 1 }), new Uint8Array(1))).toBe(
    false,
  );
});

test("circles", () => {
  const make = () => {
    const o = { list: [] };
    o.self = o;
    o.list.push(o, new Map([["o", o]]));
    return o;
  };
  expect(isDeepStrictEqual(make(), make())).toBe(true);
  const a = {};
  a.a = a;
  expect(isDeepStrictEqual(a, { a: { a } })).toBe(false);
});

test("deep values and long ones", () => {
  const deep = () => {
    let o = {};
    for (let i = 0; i < 500; i++) o = { o };
    return o;
  };
  expect(isDeepStrictEqual(deep(), deep())).toBe(true);
  const tree = { l: null, r: null };
  tree.l = tree.r = tree;
  const other = { l: null, r: null };
  other.l = other.r = other;
  expect(isDeepStrictEqual(tree, other)).toBe(true);
});

test("members of sets that fit more than one", () => {
  const a = new Set([{ x: 1, y: 2 }, { x: 1 }]);
  expect(isPartialStrictEqual(a, new Set([{ x: 1 }, { x: 1, y: 2 }]))).toBe(true);
  expect(isPartialStrictEqual(a, new Set([{ y: 2 }, { y: 2, x: 1 }]))).toBe(false);
});

test("prototypes can be left out", () => {
  class A {}
  expect(isDeepStrictEqual(new A(), {})).toBe(false);
  expect(isDeepStrictEqual(new A(), {}, true)).toBe(true);
});
