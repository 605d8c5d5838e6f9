// tests/prelude.js -- test, describe and expect for the files that tests/run.sh gives to the suite:
//
//   build/cob --expose-internals -r tests/prelude.js src/builtins/web/url/url.test.js
//
// Tests run one after another once the file has been evaluated; an asynchronous one may take TIMEOUT_MS.
// Failures are printed, then "N passed, N failed"; the exit code is 1 if anything failed.
"use strict";

const { setTimeout, clearTimeout, setImmediate, Promise, Object, Array, Number, String, Error } = globalThis;
const TIMEOUT_MS = Number(process.env.COB_TEST_CASE_TIMEOUT ?? 10_000);
const print = console.log.bind(console);
const exit = process.exit.bind(process);
const { is: same, keys: keysOf, getPrototypeOf: protoOf } = Object;
const { ownKeys } = Reflect;

/** Built-in modules that programs do not see: cobInternal("internal/errors"). */
globalThis.cobInternal = require;

// ---- Showing values ------------------------------------------------------------------------------

let inspect;

function show(value) {
  try {
    inspect ??= require("node:util").inspect;
    return inspect(value, { depth: 6 });
  } catch {
    // Not there, or broken by what is tested.
  }
  try {
    return typeof value === "string" ? JSON.stringify(value) : String(value);
  } catch {
    return Object.prototype.toString.call(value);
  }
}

// ---- Equality ------------------------------------------------------------------------------------

class Matching {
  constructor(text, test) {
    this.text = text;
    this.test = test;
  }

  toString() {
    return this.text;
  }
}

function typeMatches(type, value) {
  const names = new Map([[String, "string"], [Number, "number"], [Boolean, "boolean"],
    [Function, "function"], [BigInt, "bigint"], [Symbol, "symbol"], [Object, "object"]]);
  const name = names.get(type);
  return name === undefined ? value instanceof type : typeof value === name;
}

const bytesOf = (view) => new Uint8Array(view.buffer ?? view, view.byteOffset ?? 0, view.byteLength);

function sameBytes(a, b) {
  const x = bytesOf(a);
  const y = bytesOf(b);
  return x.length === y.length && x.every((byte, i) => byte === y[i]);
}

function sameCollection(a, b, ctx) {
  if (a.size !== b.size) return false;
  if (a instanceof Map) {
    return [...a].every(([k, v]) => (b.has(k)
      ? equal(v, b.get(k), ctx)
      : [...b].some(([k2, v2]) => equal(k, k2, ctx) && equal(v, v2, ctx))));
  }
  return [...a].every((v) => b.has(v) || [...b].some((w) => equal(v, w, ctx)));
}

/** Own enumerable keys; without strictness those that hold undefined do not count. */
function shownKeys(object, isStrict) {
  return ownKeys(object).filter((key) =>
    Object.prototype.propertyIsEnumerable.call(object, key) && (isStrict || object[key] !== undefined));
}

function sameProperties(a, b, ctx) {
  const left = shownKeys(a, ctx.isStrict);
  const right = ctx.isSubset ? shownKeys(b, true) : shownKeys(b, ctx.isStrict);
  if (!ctx.isSubset && left.length !== right.length) return false;
  return right.every((key) => (ctx.isSubset || Object.hasOwn(a, key)) && equal(a[key], b[key], ctx));
}

function sameKind(a, b, ctx) {
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  if (ctx.isStrict && protoOf(a) !== protoOf(b)) return false;
  const tag = (x) => Object.prototype.toString.call(x);
  return tag(a) === tag(b);
}

function sameContent(a, b, ctx) {
  if (a instanceof Error) return a.message === b.message && a.name === b.name;
  if (a instanceof Date) return same(a.getTime(), b.getTime());
  if (a instanceof RegExp) return String(a) === String(b);
  if (a instanceof Number || a instanceof String || a instanceof Boolean) return same(a.valueOf(), b.valueOf());
  if (a instanceof Map || a instanceof Set) return b instanceof a.constructor && sameCollection(a, b, ctx);
  if (a instanceof ArrayBuffer || ArrayBuffer.isView(a)) return sameBytes(a, b);
  if (Array.isArray(a) && a.length !== b.length) return false;
  return sameProperties(a, b, ctx);
}

/** `b` is what was expected: it may hold expect.any(...). */
function equal(a, b, ctx) {
  if (b instanceof Matching) return b.test(a);
  if (same(a, b)) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (!sameKind(a, b, ctx)) return false;
  if (ctx.seen.get(a) === b) return true;
  ctx.seen.set(a, b);
  return sameContent(a, b, ctx);
}

const deepEqual = (a, b, flags) => equal(a, b, { seen: new Map(), isStrict: false, isSubset: false, ...flags });

// ---- Matchers: name -> (got, ...args) -> is it so? -------------------------------------------------

/** What a call threw, as { error }, or undefined. */
function thrownBy(fn) {
  if (typeof fn !== "function") return { error: fn }; // behind rejects
  try {
    fn();
  } catch (error) {
    return { error };
  }
  return undefined;
}

/** `want`: a class, a pattern, text in the message, a code, or an object with properties. */
function throwsAs(got, want) {
  const thrown = thrownBy(got);
  if (thrown === undefined) return false;
  const { error } = thrown;
  if (want === undefined) return true;
  if (typeof want === "function") return error instanceof want;
  const message = String(error?.message ?? error);
  if (want instanceof RegExp) return want.test(message);
  if (typeof want === "string") return error?.code === want || message.includes(want);
  if (want instanceof Error) return message === want.message;
  return deepEqual(error, want, { isSubset: true }) ||
    keysOf(want).every((key) => deepEqual(error[key], want[key]));
}

function at(value, path) {
  const keys = Array.isArray(path) ? path : String(path).split(".");
  for (const key of keys) {
    if (value === undefined || value === null || !(key in Object(value))) return undefined;
    value = value[key];
  }
  return { value };
}

function contains(got, item) {
  return typeof got === "string" ? got.includes(item) : [...got].some((x) => same(x, item));
}

const matchers = {
  toBe: (got, want) => same(got, want),
  toEqual: (got, want) => deepEqual(got, want),
  toStrictEqual: (got, want) => deepEqual(got, want, { isStrict: true }),
  toMatchObject: (got, want) => deepEqual(got, want, { isSubset: true }),
  toThrow: throwsAs,
  toThrowError: throwsAs,
  toMatch: (got, want) => (typeof want === "string" ? got.includes(want) : want.test(got)),
  toContain: contains,
  toContainEqual: (got, want) => [...got].some((x) => deepEqual(x, want)),
  toBeInstanceOf: (got, want) => got instanceof want,
  toBeUndefined: (got) => got === undefined,
  toBeDefined: (got) => got !== undefined,
  toBeNull: (got) => got === null,
  toBeNaN: (got) => same(got, NaN),
  toBeTruthy: (got) => Boolean(got),
  toBeFalsy: (got) => !got,
  toBeTypeOf: (got, want) => typeof got === want,
  toBeFunction: (got) => typeof got === "function",
  toBeGreaterThan: (got, want) => got > want,
  toBeGreaterThanOrEqual: (got, want) => got >= want,
  toBeLessThan: (got, want) => got < want,
  toBeLessThanOrEqual: (got, want) => got <= want,
  toBeCloseTo: (got, want, digits = 2) => Math.abs(got - want) < 10 ** -digits / 2,
  toHaveLength: (got, want) => got.length === want,
  toHaveProperty(got, path, ...want) {
    const found = at(got, path);
    return found !== undefined && (want.length === 0 || deepEqual(found.value, want[0]));
  },
};

class Failure extends Error {}

function describeGot(name, got) {
  if (!name.startsWith("toThrow")) return show(got);
  const thrown = thrownBy(got);
  return thrown === undefined ? "nothing was thrown" : `thrown: ${show(thrown.error)}`;
}

function check(name, got, args, isNegated) {
  if (Boolean(matchers[name](got, ...args)) !== isNegated) return;
  const want = args.map(show).join(", ");
  throw new Failure(`expect(...)${isNegated ? ".not" : ""}.${name}(${want})\n  got ${describeGot(name, got)}`);
}

/** All matchers for `got`; `settle`, if given, turns it into a promise of what is checked. */
function expectation(got, isNegated, settle) {
  const object = {};
  for (const name of keysOf(matchers)) {
    object[name] = settle === undefined
      ? (...args) => check(name, got, args, isNegated)
      : async (...args) => check(name, await settle(got), args, isNegated);
  }
  return object;
}

async function fulfilled(promise) {
  return await (typeof promise === "function" ? promise() : promise);
}

async function rejected(promise) {
  let value;
  try {
    value = await fulfilled(promise);
  } catch (error) {
    return error;
  }
  throw new Failure(`the promise should have been rejected, but it gave ${show(value)}`);
}

function withNot(got, settle) {
  const object = expectation(got, false, settle);
  object.not = expectation(got, true, settle);
  return object;
}

function expect(got) {
  const object = withNot(got, undefined);
  object.resolves = withNot(got, fulfilled);
  object.rejects = withNot(got, rejected);
  return object;
}

expect.any = (type) => new Matching(`any ${type.name}`, (value) => typeMatches(type, value));
expect.anything = () => new Matching("anything", (value) => value !== undefined && value !== null);
expect.stringContaining = (text) =>
  new Matching(`text with ${show(text)}`, (value) => typeof value === "string" && value.includes(text));
expect.stringMatching = (pattern) =>
  new Matching(`text like ${pattern}`, (value) => typeof value === "string" && value.match(pattern) !== null);
expect.objectContaining = (want) =>
  new Matching(`object with ${show(want)}`, (value) => deepEqual(value, want, { isSubset: true }));
expect.unreachable = (why = "this should not have been reached") => {
  throw new Failure(why);
};

// ---- Tests and groups ------------------------------------------------------------------------------

const tests = [];
const noGroup = { name: "", parent: undefined, hooks: { beforeEach: [], afterEach: [], beforeAll: [], afterAll: [] } };
let group = noGroup;
let isOnly = false;

function describe(name, fn) {
  group = {
    name: `${group.name}${name} > `,
    parent: group,
    hooks: { beforeEach: [], afterEach: [], beforeAll: [], afterAll: [] },
  };
  try {
    fn();
  } finally {
    group = group.parent;
  }
}

function test(name, fn) {
  tests.push({ name: group.name + name, fn, group });
}

const ignore = () => {};
test.skip = ignore;
test.todo = ignore;
describe.skip = ignore;
test.if = (condition) => (condition ? test : ignore);
test.skipIf = (condition) => (condition ? ignore : test);
test.only = (name, fn) => {
  isOnly = true;
  tests.push({ name: group.name + name, fn, group, isOnly: true });
};
test.each = (rows) => (name, fn) => {
  for (const row of rows) {
    const args = Array.isArray(row) ? row : [row];
    test(`${name} ${args.map(show).join(" ")}`, () => fn(...args));
  }
};

/** Runs `fn`; a function with a parameter gets a callback, as in other runners. */
function run(fn) {
  if (fn.length === 0) return fn();
  return new Promise((resolve, reject) => {
    fn((error) => (error === undefined || error === null ? resolve() : reject(error)));
  });
}

function withTimeout(promise) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Failure(`took longer than ${TIMEOUT_MS} ms`)), TIMEOUT_MS);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

function groupsOf(t) {
  const list = [];
  for (let g = t.group; g !== undefined; g = g.parent) list.unshift(g);
  return list;
}

async function runHooks(groups, name) {
  for (const g of groups) for (const hook of g.hooks[name]) await run(hook);
}

async function runOnce(t) {
  const groups = groupsOf(t);
  for (const g of groups) {
    if (g.hasBegun) continue;
    g.hasBegun = true;
    await runHooks([g], "beforeAll");
  }
  await runHooks(groups, "beforeEach");
  try {
    await run(t.fn);
  } finally {
    await runHooks(groups.toReversed(), "afterEach");
  }
}

/** Name, message and where in a file that is not this one. */
function report(name, error) {
  const stack = typeof error?.stack === "string" ? error.stack.split("\n") : [];
  const frames = stack.filter((line) => /^\s+at /.test(line) && !line.includes(__filename));
  const text = error instanceof Failure ? error.message : show(error);
  print(`FAIL ${name}\n  ${text.replaceAll("\n", "\n  ")}`);
  if (error instanceof Failure && frames.length > 0) print(frames[0]);
}

async function runAll() {
  let passed = 0;
  let failed = 0;
  for (const t of tests) {
    if (isOnly && !t.isOnly) continue;
    try {
      await withTimeout(runOnce(t));
      passed++;
    } catch (error) {
      failed++;
      report(t.name, error);
    }
  }
  const groups = new Set(tests.flatMap(groupsOf));
  await runHooks([...groups].reverse(), "afterAll");
  print(`${passed} passed, ${failed} failed`);
  exit(failed > 0 ? 1 : 0);
}

Object.assign(globalThis, { test, it: test, describe, expect });
for (const name of keysOf(noGroup.hooks)) globalThis[name] = (fn) => group.hooks[name].push(fn);
setImmediate(runAll);
