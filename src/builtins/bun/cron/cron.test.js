// Tests of Bun.cron and Bun.cron.parse.
const { parse } = Bun.cron;
const next = (expression, from, tz = "UTC") => parse(expression, new Date(from), { tz })?.toISOString();

test("fields", () => {
  for (const [expression, expected] of [
    ["1-5/2 * * * *", "2025-03-09T00:01:00.000Z"],
    ["5/10 * * * *", "2025-03-09T00:05:00.000Z"],
    ["*/15,30 * * * *", "2025-03-09T00:15:00.000Z"],
    ["0 0 29 2 *", "2028-02-29T00:00:00.000Z"],
    ["0 0 30 2 *", undefined],
    ["@daily", "2025-03-10T00:00:00.000Z"],
    ["@YEARLY", "2026-01-01T00:00:00.000Z"],
    [" 0  9 * * mon-FRI ", "2025-03-10T09:00:00.000Z"],
    ["0 9 * * 7", "2025-03-09T09:00:00.000Z"],
    ["0 0 1 * mon", "2025-03-10T00:00:00.000Z"],
    ["0 0 15 january,Feb *", "2026-01-15T00:00:00.000Z"],
    ["0 0 * * 5-7", "2025-03-14T00:00:00.000Z"],
    ["*/100 * * * *", "2025-03-09T01:00:00.000Z"],
  ]) {
    expect([expression, next(expression, "2025-03-09T00:00:00Z")]).toEqual([expression, expected]);
  }
});

test("clocks that are changed", () => {
  for (const [expression, from, expected] of [
    ["30 2 * * *", "2025-03-09T06:00:00Z", "2025-03-09T07:30:00.000Z"],
    ["*/15 2 * * *", "2025-03-09T06:00:00Z", "2025-03-09T07:00:00.000Z"],
    ["*/15 2 * * *", "2025-03-09T07:00:00Z", "2025-03-10T06:00:00.000Z"],
    ["30 1 * * *", "2025-11-02T04:00:00Z", "2025-11-02T05:30:00.000Z"],
    ["30 1 * * *", "2025-11-02T05:30:00Z", "2025-11-03T06:30:00.000Z"],
    ["30 * * * *", "2025-11-02T05:30:00Z", "2025-11-02T06:30:00.000Z"],
    ["* 1 * * *", "2025-11-02T05:59:00Z", "2025-11-02T06:00:00.000Z"],
    ["0 3 * * *", "2025-03-09T06:00:00Z", "2025-03-09T07:00:00.000Z"],
    ["0 * * * *", "2025-03-09T06:30:00Z", "2025-03-09T07:00:00.000Z"],
  ]) {
    expect([from, expression, next(expression, from, "America/New_York")]).toEqual([from, expression, expected]);
  }
  expect(parse("0 0 1 1 *", 0, { tz: "Asia/Kolkata" }).toISOString()).toBe("1970-12-31T18:30:00.000Z");
});

test("what is wrong", () => {
  for (const [expression, message] of [
    ["* * * *", "expected 5"], ["", "expected 5"], ["* * * * * *", "too many fields"],
    ["60 * * * *", "out of range"], ["* * 0 * *", "out of range"], ["* * * * 8", "out of range"],
    ["a * * * *", "out of range"], ["*/0 * * * *", "step value"], ["5-1 * * * *", "ascending"],
    ["0 0 * * FRI-SUN", "ascending"], ["1,,2 * * * *", "unrecognized"], ["@reboot", "unrecognized"],
    ["1- * * * *", "out of range"], ["0 0 * * monda", "out of range"],
  ]) {
    expect(() => parse(expression)).toThrow(message);
    expect(() => Bun.cron(expression, () => {})).toThrow(message);
  }
  expect(() => parse(5)).toThrow("string cron expression");
  expect(() => parse("* * * * *", "x")).toThrow("Date or number");
  expect(() => parse("* * * * *", NaN)).toThrow("Invalid date value");
  expect(() => parse("* * * * *", 0, { tz: "No/Where" })).toThrow("unknown time zone 'No/Where'");
  expect(() => Bun.cron("0 0 30 2 *", () => {})).toThrow("no future occurrences");
  expect(() => Bun.cron("* * * * *")).toThrow("function handler");
});

/** Runs `body` with a clock that only moves when a timer is due. */
async function withClock(body) {
  const { Date: RealDate, setTimeout: realTimeout, clearTimeout: realClear } = globalThis;
  const clock = { now: RealDate.UTC(2025, 0, 1, 0, 0, 30), due: [] };
  globalThis.Date = class extends RealDate { static now() { return clock.now; } };
  globalThis.setTimeout = (fn, ms) => {
    const timer = { at: clock.now + ms, fn };
    clock.due.push(timer);
    return timer;
  };
  globalThis.clearTimeout = (timer) => { clock.due = clock.due.filter((each) => each !== timer); };
  clock.step = () => {
    const timer = clock.due.shift();
    clock.now = timer.at;
    timer.fn();
  };
  try {
    await body(clock);
  } finally {
    Object.assign(globalThis, { Date: RealDate, setTimeout: realTimeout, clearTimeout: realClear });
  }
}

test("a job is called at its times, never twice at once, until it is stopped", async () => {
  await withClock(async (clock) => {
    const times = [];
    let finish;
    const job = Bun.cron("*/2 * * * *", function () {
      times.push([this === job, (clock.now / 60_000) % 60]);
      return new Promise((resolve) => { finish = resolve; });
    }, { tz: "UTC" });
    expect([job.cron, `${job}`, job.ref() === job, job.unref() === job]).toEqual(
      ["*/2 * * * *", "[object CronJob]", true, true],
    );
    clock.step();
    expect(clock.due.length).toBe(0);
    clock.now += 5 * 60_000;
    finish();
    await new Promise((resolve) => setImmediate(resolve));
    clock.step();
    expect(times).toEqual([[true, 2], [true, 8]]);
    expect(job.stop()).toBe(job);
    finish();
    await new Promise((resolve) => setImmediate(resolve));
    expect(clock.due.length).toBe(0);
  });
});
