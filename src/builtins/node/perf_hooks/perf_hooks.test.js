// Tests of node:perf_hooks.
const perf = require("node:perf_hooks");

test("histograms", () => {
  const histogram = perf.createHistogram();
  expect([histogram.count, histogram.max, histogram.min]).toEqual([0, 0, 9223372036854776000]);
  expect(Number.isNaN(histogram.mean)).toBe(true);
  for (let i = 1; i <= 100; i++) histogram.record(i);
  expect([histogram.count, histogram.min, histogram.max, histogram.mean]).toEqual([
    100, 1, 100, 50.5,
  ]);
  expect([histogram.percentile(50), histogram.percentile(99), histogram.percentile(100)]).toEqual([
    50, 99, 100,
  ]);
  histogram.record(1_000_000n);
  expect(Math.abs(histogram.max - 1_000_000) < 1000).toBe(true);
  const other = perf.createHistogram();
  other.add(histogram);
  expect(other.countBigInt).toBe(101n);
  other.reset();
  expect([other.count, other.percentiles]).toEqual([0, new Map([[100, 0]])]);
  for (const [call, code] of [
    [() => histogram.record(0), "ERR_OUT_OF_RANGE"],
    [() => histogram.record("a"), "ERR_INVALID_ARG_TYPE"],
    [() => histogram.percentile(0), "ERR_OUT_OF_RANGE"],
    [() => perf.createHistogram({ figures: 9 }), "ERR_OUT_OF_RANGE"],
  ]) {
    expect(call).toThrow(code);
  }
});

test("the delay of the loop", async () => {
  const histogram = perf.monitorEventLoopDelay({ resolution: 1 });
  expect([histogram.enable(), histogram.enable()]).toEqual([true, false]);
  while (histogram.count === 0) await new Promise((resolve) => setTimeout(resolve, 1));
  expect([histogram.disable(), histogram.disable(), histogram.min > 0]).toEqual([
    true, false, true,
  ]);
});

test("timerify", async () => {
  const histogram = perf.createHistogram();
  const timed = perf.timerify(function plus(a, b) { return a + b; }, { histogram });
  expect([timed.name, timed.length]).toEqual(["timerified plus", 2]);
  const seen = new Promise((resolve) => {
    const observer = new perf.PerformanceObserver((list) => {
      observer.disconnect();
      resolve(list.getEntries());
    });
    observer.observe({ entryTypes: ["function"] });
  });
  expect(timed(1, 2)).toBe(3);
  const [entry] = await seen;
  expect([entry.name, entry.entryType, entry[0], entry[1]]).toEqual(["plus", "function", 1, 2]);
  expect(histogram.count).toBe(1);
  expect(await perf.timerify(async () => 5)()).toBe(5);
  expect(() => perf.timerify(1)).toThrow("ERR_INVALID_ARG_TYPE");
});

test("the rest", () => {
  expect(perf.performance).toBe(globalThis.performance);
  const { idle, active, utilization } = perf.eventLoopUtilization();
  expect([idle >= 0, active > 0, utilization > 0]).toEqual([true, true, true]);
  expect(perf.constants.NODE_PERFORMANCE_GC_MAJOR).toBe(4);
});
