// @internal
// bun:cron/schedule -- cron expressions, and when they come next.
const { makeCoded } = require("internal/errors");
const { offsetAt } = require("bun:cron/zone");

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const DAYS_MAX = 8 * 366;
const NICKNAMES = {
  "@yearly": "0 0 1 1 *", "@annually": "0 0 1 1 *", "@monthly": "0 0 1 * *",
  "@weekly": "0 0 * * 0", "@daily": "0 0 * * *", "@midnight": "0 0 * * *", "@hourly": "0 * * * *",
};
const MONTHS =
  "january february march april may june july august september october november december"
    .split(" ");
const WEEKDAYS = "sunday monday tuesday wednesday thursday friday saturday".split(" ");
const FIELDS = [
  { min: 0, max: 59 },
  { min: 0, max: 23 },
  { min: 1, max: 31 },
  { min: 1, max: 12, names: MONTHS },
  { min: 0, max: 7, names: WEEKDAYS },
];

function fail(text) {
  throw makeCoded("TypeError", "ERR_INVALID_ARG_TYPE", `Invalid cron expression: ${text}`);
}

function readValue(text, { min, max, names }) {
  const lower = text.toLowerCase();
  const i = names?.findIndex((name) => name === lower || name.slice(0, 3) === lower) ?? -1;
  if (i >= 0) return i + min;
  const value = /^\+?\d{1,9}$/.test(text) ? Number(text) : -1;
  if (value < min || value > max) fail("value out of range for field");
  return value;
}

/** Puts the values of one part of a list into `set`. */
function readPart(part, field, set) {
  if (part === "") fail("unrecognized field syntax");
  const [range, stepText, ...more] = part.split("/");
  if (more.length > 0) fail("unrecognized field syntax");
  let step = 1;
  if (stepText !== undefined) {
    step = /^\+?\d{1,9}$/.test(stepText) ? Number(stepText) : 0;
    if (step === 0) fail("step value must be a positive integer");
  }
  let first = field.min;
  let last = field.max;
  if (range !== "*") {
    const at = range.indexOf("-", 1);
    first = readValue(at < 0 ? range : range.slice(0, at), field);
    if (at >= 0) last = readValue(range.slice(at + 1), field);
    else if (stepText === undefined) last = first;
    if (first > last) {
      fail("range must be ascending (use 'a,b' or 'a-max,0-b' for wrap-around)");
    }
  }
  for (let value = first; value <= last; value += step) set.add(value);
}

function readField(text, field) {
  const set = new Set();
  for (const part of text.split(",")) readPart(part, field, set);
  return set;
}

/** What `next` takes. */
exports.read = function read(expression) {
  let text = expression.trim();
  if (text[0] === "@") text = NICKNAMES[text.toLowerCase()] ?? fail("unrecognized field syntax");
  const fields = text === "" ? [] : text.split(/[ \t]+/);
  if (fields.length > 5) {
    fail(
      "too many fields. Bun.cron uses 5 fields (minute hour day month weekday) \u2014 seconds " +
        "are not supported",
    );
  }
  if (fields.length < 5) {
    fail("expected 5 space-separated fields (minute hour day month weekday)");
  }
  const sets = fields.map((each, i) => readField(each, FIELDS[i]));
  const [minutes, hours, days, months, weekdays] = sets;
  if (weekdays.has(7)) weekdays.add(0);
  const sorted = (set) => [...set].sort((a, b) => a - b);
  return {
    minutes: sorted(minutes),
    hours: sorted(hours),
    days,
    months,
    weekdays,
    anyDay: fields[2] === "*",
    anyWeekday: fields[4] === "*",
    isFloating: fields[0] === "*" || fields[1] === "*",
  };
};

/** Does the day, given as midnight of the same date in UTC, count? */
function isDay(schedule, wall) {
  const date = new Date(wall);
  if (!schedule.months.has(date.getUTCMonth() + 1)) return false;
  const isDate = schedule.days.has(date.getUTCDate());
  const isWeekday = schedule.weekdays.has(date.getUTCDay());
  if (schedule.anyDay) return isWeekday;
  return schedule.anyWeekday ? isDate : isDate || isWeekday;
}

/** Clocks on the wall of one day, as if it were in UTC. */
function* wallTimes(schedule, day) {
  for (const hour of schedule.hours) {
    for (const minute of schedule.minutes) yield day + (hour * 60 + minute) * MINUTE_MS;
  }
}

/** The first time after `from` on a day on which clocks do not change. */
function nextOnPlainDay(schedule, day, offset, from) {
  for (const wall of wallTimes(schedule, day)) if (wall - offset > from) return wall - offset;
  return null;
}

/**
 * The same on a day on which they do.  What clocks skip happens by the length of the gap later,
 * once a day; what they show twice happens the first time, or both times if it happens every hour
 * or minute.
 */
function nextOnChange(schedule, day, [before, after], tz, from) {
  let found = null;
  let hasGap = false;
  const offer = (time) => {
    if (time > from && (found === null || time < found)) found = time;
  };
  for (const wall of wallTimes(schedule, day)) {
    const times = [wall - before, wall - after].filter((time, i) => {
      return offsetAt(time, tz) === (i === 0 ? before : after);
    });
    if (times.length === 0) {
      if (!hasGap || schedule.isFloating) offer(wall - before);
      hasGap = true;
      continue;
    }
    offer(Math.min(...times));
    if (schedule.isFloating) offer(Math.max(...times));
  }
  return found;
}

/** The first time (ms) after `from`, or null: none within eight years. */
exports.next = function next(schedule, from, tz) {
  const start = Math.floor((from + offsetAt(from, tz)) / DAY_MS) - 1;
  for (let i = 0; i <= DAYS_MAX; i++) {
    const day = (start + i) * DAY_MS;
    if (!isDay(schedule, day)) continue;
    const around = [offsetAt(day - DAY_MS, tz), offsetAt(day + 2 * DAY_MS, tz)];
    const found =
      around[0] === around[1]
        ? nextOnPlainDay(schedule, day, around[0], from)
        : nextOnChange(schedule, day, around, tz, from);
    if (found !== null) return found;
  }
  return null;
};
