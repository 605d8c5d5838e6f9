function codeOf(fn) {
  try {
    fn();
  } catch (err) {
    return err.code;
  }
  return "nothing thrown";
}

test("an event's attributes", () => {
  const event = new Event("a", { bubbles: true, cancelable: 1 });
  expect([event.type, event.bubbles, event.cancelable, event.composed]).toEqual([
    "a", true, true, false,
  ]);
  expect([event.target, event.currentTarget, event.eventPhase]).toEqual([null, null, 0]);
  expect(event.isTrusted).toBe(false);
  expect(typeof event.timeStamp).toBe("number");
  const desc = Object.getOwnPropertyDescriptor(event, "isTrusted");
  expect([desc.set, desc.enumerable, desc.configurable]).toEqual([undefined, true, false]);
  expect(desc.get).toBe(Object.getOwnPropertyDescriptor(new Event("b"), "isTrusted").get);
  event.preventDefault();
  expect([event.defaultPrevented, event.returnValue]).toEqual([true, false]);
});

test("argument checks", () => {
  expect(codeOf(() => new Event())).toBe("ERR_MISSING_ARGS");
  expect(codeOf(() => new Event("a", 1))).toBe("ERR_INVALID_ARG_TYPE");
  expect(new Event(null, null).type).toBe("null");
  const target = new EventTarget();
  expect(codeOf(() => target.addEventListener("a"))).toBe("ERR_MISSING_ARGS");
  expect(codeOf(() => target.addEventListener("a", 1))).toBe("ERR_INVALID_ARG_TYPE");
  expect(target.addEventListener("a", null)).toBe(undefined);
  expect(codeOf(() => target.addEventListener("a", () => {}, { signal: null }))).toBe(
    "ERR_INVALID_ARG_TYPE",
  );
  expect(codeOf(() => target.dispatchEvent({}))).toBe("ERR_INVALID_ARG_TYPE");
  expect(codeOf(() => EventTarget.prototype.addEventListener.call({}, "a", null))).toBe(
    "ERR_INVALID_THIS",
  );
  expect(codeOf(() => Event.prototype.type)).toBe("ERR_INVALID_THIS");
});

test("listeners run in order, once each, capturing ones first", () => {
  const target = new EventTarget();
  const log = [];
  const twice = () => log.push("twice");
  target.addEventListener("a", twice);
  target.addEventListener("a", twice);
  target.addEventListener("a", () => log.push("once"), { once: true });
  target.addEventListener("a", () => log.push("capture"), true);
  target.addEventListener("a", {
    handleEvent(event) {
      log.push(event.eventPhase);
    },
  });
  expect(target.dispatchEvent(new Event("a"))).toBe(true);
  target.removeEventListener("a", twice, { capture: false });
  target.dispatchEvent(new Event("a"));
  expect(log).toEqual(["capture", "twice", "once", 2, "capture", 2]);
});

test("changes during a dispatch", () => {
  const target = new EventTarget();
  const log = [];
  const gone = () => log.push("gone");
  target.addEventListener("a", () => {
    log.push("first");
    target.removeEventListener("a", gone);
    target.addEventListener("a", () => log.push("late"));
  });
  target.addEventListener("a", gone);
  target.dispatchEvent(new Event("a"));
  expect(log).toEqual(["first"]);
  target.dispatchEvent(new Event("a"));
  expect(log).toEqual(["first", "first", "late"]);
});

test("stopping", () => {
  const target = new EventTarget();
  const log = [];
  target.addEventListener("a", (event) => {
    log.push(1);
    event.stopImmediatePropagation();
  });
  target.addEventListener("a", () => log.push(2));
  const event = new Event("a");
  target.dispatchEvent(event);
  target.dispatchEvent(event);
  expect(log).toEqual([1, 1]);
  expect(event.cancelBubble).toBe(false);
});

test("passive listeners cannot cancel", () => {
  const target = new EventTarget();
  target.addEventListener("a", (event) => event.preventDefault(), { passive: true });
  expect(target.dispatchEvent(new Event("a", { cancelable: true }))).toBe(true);
  target.addEventListener("a", (event) => event.preventDefault());
  expect(target.dispatchEvent(new Event("a", { cancelable: true }))).toBe(false);
});

test("an event can be dispatched again, but not while it is", () => {
  const target = new EventTarget();
  const event = new Event("a");
  let code;
  target.addEventListener("a", () => {
    code = codeOf(() => target.dispatchEvent(event));
    expect(event.composedPath()).toEqual([target]);
  });
  target.dispatchEvent(event);
  expect(code).toBe("ERR_EVENT_RECURSION");
  expect([event.target === target, event.currentTarget, event.composedPath().length]).toEqual([
    true, null, 0,
  ]);
});

test("a signal removes a listener", () => {
  const target = new EventTarget();
  const controller = new AbortController();
  let n = 0;
  target.addEventListener("a", () => n++, { signal: controller.signal });
  target.dispatchEvent(new Event("a"));
  controller.abort();
  target.dispatchEvent(new Event("a"));
  target.addEventListener("a", () => n++, { signal: controller.signal });
  target.dispatchEvent(new Event("a"));
  expect(n).toBe(1);
});

test("initEvent", () => {
  const event = new Event("a", { composed: true });
  event.initEvent("b", true, true);
  expect([event.type, event.bubbles, event.cancelable, event.composed]).toEqual([
    "b", true, true, true,
  ]);
  expect(codeOf(() => event.initEvent())).toBe("ERR_MISSING_ARGS");
});

test("subclasses and constants", () => {
  class Mine extends Event {}
  const target = new EventTarget();
  let got;
  target.addEventListener("a", (event) => {
    got = event;
  });
  const event = new Mine("a");
  target.dispatchEvent(event);
  expect(got).toBe(event);
  expect([Event.AT_TARGET, Event.prototype.BUBBLING_PHASE]).toEqual([2, 3]);
  expect([Event.length, EventTarget.prototype.addEventListener.length]).toEqual([1, 2]);
  expect(String(target)).toBe("[object EventTarget]");
});

test("CustomEvent, MessageEvent, ErrorEvent, CloseEvent", () => {
  const custom = new CustomEvent("c", { detail: 7 });
  expect(custom.detail).toBe(7);
  custom.initCustomEvent("d", false, true, 8);
  expect([custom.type, custom.detail, custom.cancelable]).toEqual(["d", 8, true]);
  const message = new MessageEvent("m", { data: 1, origin: "o", lastEventId: 2 });
  expect([message.data, message.origin, message.lastEventId, message.source]).toEqual([
    1, "o", "2", null,
  ]);
  expect(message.ports).toBe(message.ports);
  expect(Object.isFrozen(message.ports)).toBe(true);
  expect(() => new MessageEvent("m", { ports: 1 })).toThrow("is not iterable");
  expect(() => new MessageEvent("m", { source: 1 })).toThrow("instance of MessagePort");
  const failure = new ErrorEvent("e", { error: 1, lineno: -1, colno: 3, message: "x" });
  expect([failure.error, failure.lineno, failure.colno, failure.message]).toEqual([
    1, 4294967295, 3, "x",
  ]);
  const close = new CloseEvent("c", { code: 65537, reason: "r", wasClean: 1 });
  expect([close.code, close.reason, close.wasClean]).toEqual([1, "r", true]);
  expect(close instanceof Event).toBe(true);
});

test("an exception of a listener is an uncaught one, and the others still run", () => {
  const target = new EventTarget();
  const failure = new Error("mine");
  const log = [];
  const onUncaught = (err) => log.push(err === failure ? "uncaught" : err.message);
  process.on("uncaughtException", onUncaught);
  try {
    target.addEventListener("a", () => {
      throw failure;
    });
    target.addEventListener("a", { handleEvent: 7 });
    target.addEventListener("a", () => log.push("second"));
    expect(target.dispatchEvent(new Event("a"))).toBe(true);
  } finally {
    process.off("uncaughtException", onUncaught);
  }
  expect(log[0]).toBe("uncaught");
  expect(log[1].includes("handleEvent")).toBe(true);
  expect(log[2]).toBe("second");
});
