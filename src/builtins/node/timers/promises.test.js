// Tests of node:timers/promises.
const timers = require("node:timers/promises");

test("values", async () => {
  expect(await timers.setTimeout(1, "a")).toBe("a");
  expect(await timers.setImmediate("b")).toBe("b");
  expect(require("node:timers").promises).toBe(timers);
});

test("a signal ends the wait", async () => {
  const error = await timers.setTimeout(1e6, 1, { signal: AbortSignal.timeout(1) }).catch((e) => e);
  expect([error.name, error.code]).toEqual(["AbortError", "ABORT_ERR"]);
  expect((await timers.setImmediate(1, { signal: AbortSignal.abort() }).catch((e) => e)).code).toBe(
    "ABORT_ERR",
  );
});

test("arguments are checked in the promise", async () => {
  for (const promise of [
    timers.setTimeout("1"),
    timers.setTimeout(1, 1, 1),
    timers.setImmediate(1, { ref: 1 }),
    timers.setTimeout(1, 1, { signal: {} }),
  ]) {
    expect((await promise.catch((e) => e)).code).toBe("ERR_INVALID_ARG_TYPE");
  }
});

test("intervals are iterated", async () => {
  let n = 0;
  for await (const value of timers.setInterval(1, "v")) {
    expect(value).toBe("v");
    if (++n === 3) break;
  }
  const controller = new AbortController();
  const iterator = timers.setInterval(1e6, 0, { signal: controller.signal });
  const next = iterator.next().catch((e) => e.name);
  controller.abort();
  expect(await next).toBe("AbortError");
});

test("the scheduler", async () => {
  expect(await timers.scheduler.wait(1)).toBe(undefined);
  expect(await timers.scheduler.yield()).toBe(undefined);
  expect(() => new timers.scheduler.constructor()).toThrow("ERR_ILLEGAL_CONSTRUCTOR");
  expect(() => timers.scheduler.wait.call({}, 1)).toThrow("ERR_INVALID_THIS");
});
