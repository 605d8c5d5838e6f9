// What there is of libuv for add-ons.
const { load } = require("./load.js");
const addon = load("uv");

test("a bell that another thread rings, until it is closed", async () => {
  const seen = [];
  await new Promise((resolve) => {
    expect(addon.bell((n) => {
      seen.push(n);
      if (n === -1) resolve();
    })).toBe(true);
  });
  expect(seen).toEqual([1, -1]);
});

test("work on the pool", async () => {
  const status = await new Promise((resolve) => expect(addon.work(resolve)).toBe(0));
  expect(status).toBe(0);
});

test("threads, locks, clocks", () => {
  expect(addon.threads()).toBe(true);
});
