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
