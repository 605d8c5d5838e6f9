function thrown(fn) {
  try {
    fn();
  } catch (err) {
    return err;
  }
  return undefined;
}

test("a controller aborts its signal once", () => {
  const controller = new AbortController();
  const { signal } = controller;
  const log = [];
  signal.onabort = (event) => log.push(event.type, event.isTrusted, event.target === signal);
  expect([signal.aborted, signal.reason]).toEqual([false, undefined]);
  controller.abort();
  controller.abort("again");
  expect(log).toEqual(["abort", true, true]);
  expect(signal.aborted).toBe(true);
  expect([signal.reason.name, signal.reason.code]).toEqual(["AbortError", 20]);
  expect(thrown(() => signal.throwIfAborted())).toBe(signal.reason);
});

test("reasons", () => {
  expect(AbortSignal.abort("x").reason).toBe("x");
  expect(AbortSignal.abort(null).reason).toBe(null);
  expect(thrown(() => AbortSignal.abort(7).throwIfAborted())).toBe(7);
  expect(AbortSignal.abort() instanceof EventTarget).toBe(true);
});

test("argument and receiver checks", () => {
  expect(thrown(() => new AbortSignal()).code).toBe("ERR_ILLEGAL_CONSTRUCTOR");
  expect(thrown(() => AbortSignal.prototype.aborted).code).toBe("ERR_INVALID_THIS");
  expect(thrown(() => AbortController.prototype.signal).code).toBe("ERR_INVALID_THIS");
  expect(thrown(() => AbortSignal.any([1])).code).toBe("ERR_INVALID_ARG_TYPE");
  expect(thrown(() => AbortSignal.any(1)) instanceof TypeError).toBe(true);
  for (const bad of [-1, NaN, Infinity, 2 ** 53, "x", undefined]) {
    expect(thrown(() => AbortSignal.timeout(bad)) instanceof TypeError).toBe(true);
  }
});

test("onabort is an event handler attribute", () => {
  const controller = new AbortController();
  const { signal } = controller;
  const log = [];
  expect(signal.onabort).toBe(null);
  signal.onabort = () => log.push("first");
  signal.addEventListener("abort", () => log.push("second"));
  const handler = () => log.push("replaced");
  signal.onabort = handler;
  expect(signal.onabort).toBe(handler);
  signal.onabort = 7;
  expect(signal.onabort).toBe(null);
  signal.onabort = handler;
  controller.abort();
  expect(log).toEqual(["second", "replaced"]);
});

test("any follows its sources, through other dependents too", () => {
  const a = new AbortController();
  const b = new AbortController();
  const inner = AbortSignal.any([a.signal, b.signal, a.signal]);
  const outer = AbortSignal.any([inner]);
  const log = [];
  a.signal.addEventListener("abort", () => log.push("source", inner.aborted, outer.aborted));
  outer.addEventListener("abort", () => log.push("outer"));
  inner.addEventListener("abort", () => log.push("inner"));
  a.abort("why");
  b.abort("other");
  expect(log).toEqual(["source", true, true, "inner", "outer"]);
  expect([inner.reason, outer.reason]).toEqual(["why", "why"]);
  expect(AbortSignal.any([AbortSignal.abort(1), AbortSignal.abort(2)]).reason).toBe(1);
  expect(AbortSignal.any([]).aborted).toBe(false);
});

test("timeout aborts with a TimeoutError", async () => {
  const signal = AbortSignal.timeout(1);
  const event = await new Promise((resolve) => {
    const keep = setTimeout(() => {}, 60000);
    signal.addEventListener("abort", (e) => {
      clearTimeout(keep);
      resolve(e);
    });
  });
  expect(event.type).toBe("abort");
  expect([signal.reason.name, signal.reason.code]).toEqual(["TimeoutError", 23]);
});
