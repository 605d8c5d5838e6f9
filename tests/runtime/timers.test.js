// Timers as Node has them (Node: timers), and as programs see them.
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

function code(fn) {
  try {
    fn();
  } catch (error) {
    return error.code;
  }
  return undefined;
}

describe("Timeout objects", () => {
  test("have the methods of Node's", () => {
    const timer = setTimeout(() => {}, 1);
    expect(timer.constructor.name).toBe("Timeout");
    expect(timer.hasRef()).toBe(true);
    expect(timer.unref()).toBe(timer);
    expect(timer.hasRef()).toBe(false);
    expect(timer.ref()).toBe(timer);
    expect(timer.refresh()).toBe(timer);
    expect(timer.close()).toBe(timer);
    clearTimeout(timer);
  });

  test("convert to a number that clears them", async () => {
    let isCalled = false;
    const timer = setTimeout(() => { isCalled = true; }, 1);
    const id = Number(timer);
    expect(Number.isInteger(id) && id > 0).toBe(true);
    clearTimeout(id);
    clearTimeout(`${Number(setTimeout(() => { isCalled = true; }, 1))}`);
    await wait(10);
    expect(isCalled).toBe(false);
  });

  test("are disposable", async () => {
    let isCalled = false;
    const timer = setTimeout(() => { isCalled = true; }, 1);
    timer[Symbol.dispose]();
    await wait(10);
    expect(isCalled).toBe(false);
  });

  test("refresh begins anew, also after it has fired", async () => {
    let n = 0;
    const timer = setTimeout(() => { n++; }, 5);
    await wait(20);
    expect(n).toBe(1);
    timer.refresh();
    await wait(20);
    expect(n).toBe(2);
  });
});

describe("delays", () => {
  test("that are no positive numbers are 1 ms", async () => {
    const order = [];
    for (const ms of [0, -5, NaN, undefined, null, "no", {}, 0.5]) setTimeout(() => order.push(ms), ms);
    await wait(10);
    expect(order).toEqual([0, -5, NaN, undefined, null, "no", {}, 0.5]);
  });

  test("may be text", async () => {
    const order = [];
    setTimeout(() => order.push(5), "30");
    setTimeout(() => order.push(1), "1");
    await wait(60);
    expect(order).toEqual([1, 5]);
  });

  test("that are too large are 1 ms, with a warning", async () => {
    const warnings = [];
    const onWarning = (warning) => warnings.push(warning.name);
    process.on("warning", onWarning);
    let isCalled = false;
    setTimeout(() => { isCalled = true; }, 2 ** 31);
    await wait(20);
    process.off("warning", onWarning);
    expect(isCalled).toBe(true);
    expect(warnings).toContain("TimeoutOverflowWarning");
  });

  test("never end early", async () => {
    for (const ms of [1, 2, 5, 10]) {
      const begin = performance.now();
      await wait(ms);
      expect(performance.now() - begin).toBeGreaterThan(ms - 1);
    }
  });
});

test("callbacks get the other arguments, and the timer as this", async () => {
  const seen = await new Promise((resolve) => {
    const timer = setTimeout(function (...args) { resolve([this === timer, ...args]); }, 1, "a", 2, null);
  });
  expect(seen).toEqual([true, "a", 2, null]);
});

test("callbacks must be functions", () => {
  for (const set of [setTimeout, setInterval, setImmediate]) {
    for (const value of [undefined, null, "code()", {}]) {
      expect(code(() => set(value, 1))).toBe("ERR_INVALID_ARG_TYPE");
    }
  }
});

test("clearing takes anything", () => {
  for (const clear of [clearTimeout, clearInterval, clearImmediate]) {
    for (const value of [undefined, null, 0, -1, 1e9, "x", {}, NaN, Symbol.iterator]) clear(value);
  }
});

test("clearTimeout and clearInterval are interchangeable", async () => {
  let n = 0;
  clearInterval(setTimeout(() => n++, 1));
  clearTimeout(setInterval(() => n++, 1));
  await wait(10);
  expect(n).toBe(0);
});

test("an interval goes on until it is cleared, also from inside", async () => {
  let n = 0;
  await new Promise((resolve) => {
    const timer = setInterval(() => {
      n++;
      if (n === 4) {
        clearInterval(timer);
        setTimeout(resolve, 10);
      }
    }, 1);
  });
  expect(n).toBe(4);
});

test("timers of one delay keep their order; clearing one leaves the others", async () => {
  const order = [];
  const timers = Array.from({ length: 10 }, (_, i) => setTimeout(() => {
    order.push(i);
    if (i === 2) clearTimeout(timers[5]);
  }, 2));
  clearTimeout(timers[0]);
  await wait(20);
  expect(order).toEqual([1, 2, 3, 4, 6, 7, 8, 9]);
});

test("many timers", async () => {
  let n = 0;
  for (let i = 0; i < 20_000; i++) {
    const timer = setTimeout(() => n++, i % 5);
    if (i % 2 === 0) clearTimeout(timer);
  }
  await wait(100);
  expect(n).toBe(10_000);
});

test("microtasks and ticks run between two timers", async () => {
  const order = [];
  setTimeout(() => {
    order.push("timer 1");
    process.nextTick(() => order.push("tick"));
    queueMicrotask(() => order.push("microtask"));
  }, 1);
  setTimeout(() => order.push("timer 2"), 1);
  await wait(20);
  expect(order).toEqual(["timer 1", "tick", "microtask", "timer 2"]);
});

describe("immediates", () => {
  test("have ref, unref, hasRef", () => {
    const immediate = setImmediate(() => {});
    expect(immediate.constructor.name).toBe("Immediate");
    expect(immediate.hasRef()).toBe(true);
    expect(immediate.unref()).toBe(immediate);
    expect(immediate.hasRef()).toBe(false);
    clearImmediate(immediate);
  });

  test("made in an immediate run in the next turn", async () => {
    const order = [];
    await new Promise((resolve) => {
      setImmediate(() => {
        order.push(1);
        setImmediate(() => resolve(order.push(3)));
      });
      setImmediate(() => order.push(2));
    });
    expect(order).toEqual([1, 2, 3]);
  });
});

describe("names and lengths", () => {
  const functions = { setTimeout, setInterval, setImmediate, clearTimeout, clearInterval, clearImmediate, queueMicrotask };
  for (const [name, fn] of Object.entries(functions)) {
    test(name, () => {
      expect(fn.name).toBe(name);
    });
  }
});

describe("queueMicrotask", () => {
  test("wants a function", () => {
    expect(code(() => queueMicrotask(1))).toBe("ERR_INVALID_ARG_TYPE");
  });

  test("runs before anything else", async () => {
    const order = [];
    setImmediate(() => order.push("immediate"));
    queueMicrotask(() => order.push("microtask"));
    order.push("now");
    await wait(5);
    expect(order).toEqual(["now", "microtask", "immediate"]);
  });
});
