// @internal
// bun:cron/zone -- what clocks on the wall show.
const formats = new Map(); // by name of the zone

function formatOf(tz) {
  let format = formats.get(tz);
  if (format === undefined) {
    format = new Intl.DateTimeFormat("en-US", {
      timeZone: tz, hourCycle: "h23", year: "numeric", month: "numeric", day: "numeric",
      hour: "numeric", minute: "numeric", second: "numeric", era: "short",
    });
    formats.set(tz, format);
  }
  return format;
}

/** Throws when there is no such zone. */
exports.check = function check(tz) {
  try {
    formatOf(tz);
  } catch {
    const { makeCoded } = require("internal/errors");
    throw makeCoded("TypeError", "ERR_INVALID_ARG_TYPE", `Bun.cron: unknown time zone '${tz}'`);
  }
};

/** What has to be added to UTC at `time`, in ms; `tz` undefined is the system's zone. */
exports.offsetAt = function offsetAt(time, tz) {
  if (tz === undefined) return -new Date(time).getTimezoneOffset() * 60_000;
  if (tz === "UTC") return 0;
  const parts = {};
  for (const { type, value } of formatOf(tz).formatToParts(time)) parts[type] = value;
  const year = parts.era === "BC" ? 1 - Number(parts.year) : Number(parts.year);
  const wall = Date.UTC(
    year, parts.month - 1, parts.day, parts.hour, parts.minute, parts.second,
  );
  return wall - Math.floor(time / 1000) * 1000;
};
