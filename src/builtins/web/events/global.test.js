test("the global object is an event target", () => {
  const log = [];
  const listener = (event) => log.push(event.type, event.target === globalThis);
  addEventListener("x", listener);
  globalThis.dispatchEvent(new Event("x"));
  removeEventListener("x", listener);
  dispatchEvent(new Event("x"));
  expect(log).toEqual(["x", true]);
  expect([addEventListener.length, addEventListener.name]).toEqual([2, "addEventListener"]);
  let code;
  try {
    addEventListener("x");
  } catch (err) {
    ({ code } = err);
  }
  expect(code).toBe("ERR_MISSING_ARGS");
});
