test("messages are cloned and come in order", async () => {
  const { port1, port2 } = new MessageChannel();
  const got = [];
  const value = { a: new Map([[1, 2]]) };
  port1.postMessage(value);
  value.a.set(3, 4);
  port1.postMessage("second");
  await new Promise((resolve) => {
    port2.onmessage = ({ data }) => {
      got.push(data);
      if (got.length === 2) resolve();
    };
  });
  expect([got[0].a.size, got[1]]).toEqual([1, "second"]);
});

test("ports and buffers change hands", async () => {
  const { port1, port2 } = new MessageChannel();
  const inner = new MessageChannel();
  const buffer = new ArrayBuffer(8);
  port1.postMessage({ buffer }, [buffer, inner.port2]);
  expect(buffer.byteLength).toBe(0);
  const event = await new Promise((resolve) => {
    port2.onmessage = resolve;
  });
  expect(event.data.buffer.byteLength).toBe(8);
  inner.port1.postMessage("through");
  const data = await new Promise((resolve) => {
    event.ports[0].onmessage = (message) => resolve(message.data);
  });
  expect(data).toBe("through");
  expect(() => port1.postMessage(1, [inner.port2])).toThrow("detached");
});

test("channels of a name hear each other", async () => {
  const one = new BroadcastChannel("n");
  const two = new BroadcastChannel("n");
  const heard = new Promise((resolve) => {
    two.onmessage = ({ data }) => resolve(data);
  });
  one.postMessage({ a: 1 });
  expect(await heard).toEqual({ a: 1 });
  one.close();
  two.close();
  expect(() => one.postMessage(1)).toThrow("closed");
});

test("channels hear what was sent in order", async () => {
  const [one, two, three] = ["o", "o", "o"].map((name) => new BroadcastChannel(name));
  const heard = [];
  const done = new Promise((resolve) => {
    const listen = ({ target, data }) => {
      heard.push([[one, two, three].indexOf(target) + 1, data]);
      if (heard.length === 6) resolve();
    };
    for (const channel of [one, two, three]) channel.onmessage = listen;
  });
  one.postMessage("a");
  three.postMessage("b");
  two.postMessage("c");
  await done;
  expect(heard).toEqual([[2, "a"], [3, "a"], [1, "b"], [2, "b"], [1, "c"], [3, "c"]]);
  for (const channel of [one, two, three]) channel.close();
});

test("structuredClone moves ports", async () => {
  const { port1, port2 } = new MessageChannel();
  const copy = structuredClone(port2, { transfer: [port2] });
  const heard = new Promise((resolve) => {
    port1.onmessage = ({ data }) => resolve(data);
  });
  copy.postMessage("moved");
  expect(await heard).toBe("moved");
  expect(() => structuredClone(port2, { transfer: [port2] })).toThrow("detached");
  expect(() => structuredClone(copy)).toThrow();
  port1.close();
});

test("shared memory is the same on both sides, and stays when the sender's buffer is gone", () => {
  const { MessageChannel, receiveMessageOnPort } = require("node:worker_threads");
  const { port1, port2 } = new MessageChannel();
  const view = new Int32Array(new SharedArrayBuffer(16), 4, 2);
  port1.postMessage({ view, buffer: view.buffer });
  const { view: other, buffer } = receiveMessageOnPort(port2).message;
  expect(buffer instanceof SharedArrayBuffer).toBe(true);
  expect(buffer === view.buffer).toBe(false);
  expect(other.buffer).toBe(buffer);
  expect([other.byteOffset, other.length, buffer.byteLength]).toEqual([4, 2, 16]);
  view[1] = 7;
  expect(other[1]).toBe(7);
  Atomics.store(other, 0, 9);
  expect(view[0]).toBe(9);
  for (let i = 0; i < 50; i++) {
    port1.postMessage(new SharedArrayBuffer(1 << 20));
    expect(receiveMessageOnPort(port2).message.byteLength).toBe(1 << 20);
  }
  const channel = new BroadcastChannel("shared");
  expect(() => channel.postMessage(view)).toThrow("could not be cloned");
  channel.close();
  port1.close();
});
