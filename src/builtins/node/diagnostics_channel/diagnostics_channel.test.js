// Tests of node:diagnostics_channel.
const dc = require("node:diagnostics_channel");

test("messages reach subscribers in order", () => {
  const seen = [];
  const channel = dc.channel("t1");
  const first = (message, name) => seen.push([1, message, name]);
  const second = () => seen.push(2);
  expect(channel.hasSubscribers).toBe(false);
  channel.publish("lost");
  dc.subscribe("t1", first);
  channel.subscribe(second);
  expect(dc.hasSubscribers("t1")).toBe(true);
  channel.publish("m");
  expect(seen).toEqual([[1, "m", "t1"], 2]);
  expect(dc.unsubscribe("t1", first)).toBe(true);
  expect(channel.unsubscribe(first)).toBe(false);
  channel.unsubscribe(second);
  expect(channel.hasSubscribers).toBe(false);
  expect(channel).toBeInstanceOf(dc.Channel);
  expect(dc.channel("t1")).toBe(channel);
  expect(() => dc.channel(1)).toThrow("ERR_INVALID_ARG_TYPE");
  expect(() => channel.subscribe(1)).toThrow("ERR_INVALID_ARG_TYPE");
});

test("stores get the message while the function runs", () => {
  const store = {
    run: (value, fn) => {
      store.value = value;
      return fn();
    },
  };
  const channel = dc.channel("t2");
  channel.bindStore(store, (data) => data.n * 2);
  expect(
    channel.runStores(
      { n: 21 },
      function f(a) {
        return [this.x, a, store.value];
      },
      { x: 1 },
      2,
    ),
  ).toEqual([1, 2, 42]);
  expect(channel.unbindStore(store)).toBe(true);
  expect(channel.unbindStore(store)).toBe(false);
});

test("a traced function publishes begin and end", async () => {
  const seen = [];
  const names = ["start", "end", "asyncStart", "asyncEnd", "error"];
  const handlers = Object.fromEntries(
    names.map((name) => [name, (c) => seen.push([name, c.result ?? c.error?.message])]),
  );
  const channel = dc.tracingChannel("t3");
  expect(channel.hasSubscribers).toBe(false);
  channel.subscribe(handlers);
  expect(channel.traceSync((a) => a + 1, {}, null, 1)).toBe(2);
  expect(() =>
    channel.traceSync(() => {
      throw new Error("x");
    }),
  ).toThrow("x");
  expect(await channel.tracePromise(async () => 3)).toBe(3);
  channel.traceCallback(
    (done) => done(null, 4),
    0,
    {},
    null,
    () => {},
  );
  expect(seen).toEqual([
    ["start", undefined],
    ["end", 2],
    ["start", undefined],
    ["error", "x"],
    ["end", "x"],
    ["start", undefined],
    ["end", undefined],
    ["asyncStart", 3],
    ["asyncEnd", 3],
    ["start", undefined],
    ["asyncStart", 4],
    ["asyncEnd", 4],
    ["end", 4],
  ]);
  expect(channel.unsubscribe(handlers)).toBe(true);
  expect(() => dc.tracingChannel(0)).toThrow("ERR_INVALID_ARG_TYPE");
});
