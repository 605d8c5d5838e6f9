function thrown(fn) {
  try {
    fn();
  } catch (err) {
    return err;
  }
  return undefined;
}

test("now and timeOrigin", () => {
  const a = performance.now();
  const b = performance.now();
  expect(a > 0 && b >= a).toBe(true);
  expect(performance.timeOrigin).toBe(performance.timeOrigin);
  expect(Math.abs(performance.timeOrigin + b - Date.now()) < 1000).toBe(true);
  expect(performance.toJSON().timeOrigin).toBe(performance.timeOrigin);
  expect(thrown(() => performance.now.call({})).code).toBe("ERR_INVALID_THIS");
});

test("marks", () => {
  const detail = { a: 1 };
  const mark = performance.mark("m1", { detail, startTime: 5 });
  detail.a = 2;
  expect([mark.name, mark.entryType, mark.startTime, mark.duration, mark.detail.a]).toEqual([
    "m1", "mark", 5, 0, 1,
  ]);
  expect(performance.mark("m2").detail).toBe(null);
  expect(performance.getEntriesByName("m1")).toEqual([mark]);
  expect(mark instanceof PerformanceMark && mark instanceof PerformanceEntry).toBe(true);
  expect(mark.toJSON().name).toBe("m1");
  expect(thrown(() => performance.mark()).code).toBe("ERR_MISSING_ARGS");
  expect(thrown(() => performance.mark("x", { startTime: -1 })).code).toBe(
    "ERR_PERFORMANCE_INVALID_TIMESTAMP",
  );
  performance.clearMarks("m1");
  expect(performance.getEntriesByType("mark").map((e) => e.name)).toEqual(["m2"]);
  performance.clearMarks();
  expect(performance.getEntriesByType("mark")).toEqual([]);
});

test("measures", () => {
  performance.mark("a", { startTime: 10 });
  performance.mark("b", { startTime: 30 });
  const times = (...args) => {
    const { startTime, duration } = performance.measure("m", ...args);
    return [startTime, duration];
  };
  expect(times("a", "b")).toEqual([10, 20]);
  expect(times({ start: "a", end: 15 })).toEqual([10, 5]);
  expect(times({ start: 1, duration: 2 })).toEqual([1, 2]);
  expect(times({ end: "b", duration: 5 })).toEqual([25, 5]);
  expect(times(undefined, "b")).toEqual([0, 30]);
  expect(times(null, "b")).toEqual([0, 30]);
  expect(performance.measure("m", { start: 1, detail: 7 }).detail).toBe(7);
  expect(performance.measure("m").startTime).toBe(0);
  expect(thrown(() => performance.measure("m", "none")).name).toBe("SyntaxError");
  expect(performance.measure("m", { detail: 1 }).startTime).toBe(0); // as Node and Bun, not the text
  for (const args of [[{ start: 1, end: 2, duration: 3 }], [{ start: 1 }, "b"]]) {
    expect(thrown(() => performance.measure("m", ...args)).code).toBe(
      "ERR_PERFORMANCE_MEASURE_INVALID_OPTIONS",
    );
  }
  const starts = performance.getEntries().map((entry) => entry.startTime);
  expect(starts).toEqual([...starts].sort((x, y) => x - y));
  performance.clearMeasures();
  performance.clearMarks();
  expect(performance.getEntries()).toEqual([]);
});

test("illegal constructors", () => {
  for (const Class of [Performance, PerformanceEntry, PerformanceMeasure]) {
    expect(thrown(() => new Class()).code).toBe("ERR_ILLEGAL_CONSTRUCTOR");
  }
  expect(new PerformanceMark("x").name).toBe("x");
});

test("observers", async () => {
  const got = [];
  const entries = await new Promise((resolve) => {
    const observer = new PerformanceObserver((list, self) => {
      got.push(self === observer);
      resolve(list.getEntries());
      observer.disconnect();
    });
    observer.observe({ entryTypes: ["mark", "nothing"] });
    performance.mark("o1");
    performance.measure("not me");
    performance.mark("o2");
    expect(got).toEqual([]);
  });
  expect(entries.map((entry) => entry.name)).toEqual(["o1", "o2"]);
  expect(got).toEqual([true]);
  const buffered = await new Promise((resolve) => {
    const observer = new PerformanceObserver((list) => {
      observer.disconnect();
      resolve(list.getEntriesByName("o1").length);
    });
    observer.observe({ type: "mark", buffered: true });
  });
  expect(buffered).toBe(1);
  performance.clearMarks();
  performance.clearMeasures();
});

test("observer arguments", () => {
  const observer = new PerformanceObserver(() => {});
  expect(thrown(() => new PerformanceObserver()).code).toBe("ERR_INVALID_ARG_TYPE");
  expect(thrown(() => observer.observe()).code).toBe("ERR_MISSING_ARGS");
  expect(thrown(() => observer.observe({ entryTypes: ["mark"], type: "mark" })).code).toBe(
    "ERR_INVALID_ARG_VALUE",
  );
  expect(thrown(() => observer.observe({ entryTypes: "mark" })) instanceof TypeError).toBe(true);
  observer.disconnect();
  observer.observe({ type: "mark" });
  expect(thrown(() => observer.observe({ entryTypes: ["mark"] })).name).toBe(
    "InvalidModificationError",
  );
  observer.disconnect();
  expect(PerformanceObserver.supportedEntryTypes).toEqual(
    ["function", "mark", "measure", "resource"],
  );
});

test("markResourceTiming keeps entries, and needs no object", () => {
  const { markResourceTiming } = performance;
  const info = {
    startTime: 1, endTime: 3, encodedBodySize: 5, decodedBodySize: 7,
    finalConnectionTimingInfo: { ALPNNegotiatedProtocol: "h1" },
  };
  const entry = markResourceTiming(info, "http://a/", "fetch", globalThis, "", {}, 200);
  expect(entry instanceof PerformanceResourceTiming).toBe(true);
  expect([entry.name, entry.duration, entry.transferSize]).toEqual(["http://a/", 2, 305]);
  expect([entry.nextHopProtocol, entry.responseStatus]).toEqual(["h1", 200]);
  expect(performance.getEntriesByType("resource")).toEqual([entry]);
  performance.clearResourceTimings();
  expect(performance.getEntriesByType("resource")).toEqual([]);
  expect(() => new PerformanceResourceTiming()).toThrow();
  expect(() => markResourceTiming()).toThrow();
});
