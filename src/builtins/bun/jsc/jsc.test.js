// Tests of bun:jsc.
const jsc = require("bun:jsc");

test("collections give the size of the heap", () => {
  expect(jsc.gcAndSweep()).toBeGreaterThan(1000);
  expect(jsc.fullGC()).toBeGreaterThan(1000);
  expect(jsc.heapSize()).toBeGreaterThan(1000);
});

test("heapStats counts objects by class", () => {
  class Marked {}
  const kept = Array.from({ length: 50 }, () => new Marked());
  const stats = jsc.heapStats();
  expect(stats.objectCount).toBeGreaterThan(100);
  expect(typeof stats.objectTypeCounts).toBe("object");
  expect(stats.heapSize).toBeGreaterThan(1000);
  expect(kept.length).toBe(50);
});

test("microtasks run when they are drained", () => {
  let n = 0;
  Promise.resolve().then(() => n++);
  jsc.drainMicrotasks();
  expect(n).toBe(1);
});

test("values survive serialize and deserialize", () => {
  const value = { a: [1, new Map([["x", 2]])] };
  const shared = jsc.serialize(value);
  expect(shared instanceof SharedArrayBuffer).toBe(true);
  expect(jsc.deserialize(shared)).toEqual(value);
  expect(jsc.deserialize(jsc.serialize(value, { binaryType: "nodebuffer" }))).toEqual(value);
});

test("hints are taken, what is missing says so", () => {
  jsc.noInline(() => {});
  expect(() => jsc.noFTL(1)).toThrow("requires a function");
  expect(() => jsc.getRandomSeed()).toThrow("not implemented");
});
