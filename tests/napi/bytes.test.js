// Node-API: buffers, typed arrays, views.
const { load, statuses, collectUntil } = require("./load.js");
const addon = load("bytes");

test("buffers of our memory and of the add-on's", async () => {
  expect([...new Uint8Array(addon.arrayBuffer(4))]).toEqual([0, 1, 2, 3]);
  expect(addon.arrayBuffer(0).byteLength).toBe(0);
  const before = addon.freed();
  (function make() {
    for (let i = 0; i < 50; i++) {
      expect(new Uint8Array(addon.external(100))[99]).toBe(7);
      expect(addon.externalBuffer(100)[0]).toBe(8);
    }
  })();
  expect(await collectUntil(() => addon.freed() - before > 50)).toBe(true);
  const buffer = addon.external(8);
  const { port1 } = new MessageChannel();
  expect(() => port1.postMessage(0, [buffer])).toThrow("untransferable");
  port1.close();
  expect(new Uint8Array(addon.shared())[15]).toBe(3);
  expect(addon.noExternalShared()).toBe(22);
});

test("kinds", () => {
  const buffer = new ArrayBuffer(8);
  expect(addon.kinds(buffer)).toBe(1);
  expect(addon.kinds(Buffer.alloc(1))).toBe(6);
  expect(addon.kinds(new Float16Array(1))).toBe(6);
  expect(addon.kinds(new DataView(buffer))).toBe(10);
  expect([addon.kinds({}), addon.kinds(5), addon.kinds(new SharedArrayBuffer(1))]).toEqual([0, 0, 0]);
});

test("detaching", () => {
  expect(addon.detach(new ArrayBuffer(8))).toBe(true);
  expect(addon.detach({})).toBe(statuses.arrayBufferExpected);
  expect(addon.bufferInfo(new Uint8Array([5, 6]).buffer)).toBe(7);
  expect(addon.bufferInfo({})).toBe(statuses.invalidArg);
});

test("Buffers", () => {
  const buffer = addon.buffer(3);
  expect([Buffer.isBuffer(buffer), buffer.toString()]).toEqual([true, "bbb"]);
  expect(addon.buffer(5000).length).toBe(5000);
  expect(addon.bufferCopy().toString()).toBe("copy");
  const over = addon.bufferOver(new Uint8Array([1, 2, 3, 4]).buffer, 1, 2);
  expect([...over]).toEqual([2, 3]);
  expect(() => addon.bufferOver(new ArrayBuffer(4), 3, 2)).toThrow(RangeError);
});

test("an address stays when somebody asks for the buffer", () => {
  const small = new Uint8Array(8);
  expect(addon.remember(small)).toBe(8);
  const copy = new Uint8Array(small.buffer);
  Bun.gc(true);
  addon.poke();
  expect([small[0], copy[0]]).toEqual([99, 99]);
  const made = addon.buffer(8);
  addon.remember(made);
  expect(made.buffer.byteLength >= 8).toBe(true);
  addon.poke();
  expect(made[0]).toBe(99);
});

test("typed arrays", () => {
  const types = [
    Int8Array, Uint8Array, Uint8ClampedArray, Int16Array, Uint16Array, Int32Array, Uint32Array,
    Float32Array, Float64Array, BigInt64Array, BigUint64Array, Float16Array,
  ];
  const buffer = new ArrayBuffer(64);
  types.forEach((type, i) => {
    const made = addon.typedArray(i, buffer, 8, 2);
    expect([made.constructor === type, made.length, made.byteOffset]).toEqual([true, 2, 8]);
    const [kind, n, offset, of] = addon.typedArrayInfo(made);
    expect([kind, n, offset, of === buffer]).toEqual([i, 2, 8, true]);
  });
  expect(() => addon.typedArray(5, buffer, 3, 1)).toThrow("start offset of Int32Array");
  expect(() => addon.typedArray(5, buffer, 0, 17)).toThrow("Invalid typed array length");
  expect(addon.typedArray(50, buffer, 0, 1)).toBe(statuses.invalidArg);
  expect(addon.typedArrayInfo(buffer)).toBe(statuses.invalidArg);
});

test("views", () => {
  const buffer = new ArrayBuffer(16);
  const view = addon.dataView(buffer, 4, 8);
  expect([view.byteOffset, view.byteLength]).toEqual([4, 8]);
  const [n, offset, of] = addon.dataViewInfo(view);
  expect([n, offset, of === buffer]).toEqual([8, 4, true]);
  expect(() => addon.dataView(buffer, 10, 8)).toThrow("byte_offset + byte_length");
  expect(addon.memory()).toBe(1000);
});
