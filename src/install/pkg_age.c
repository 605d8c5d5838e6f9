/* install/pkg_age.c -- `minimumReleaseAge`: versions that are younger than that are passed over, so
 * that what was published by a thief has time to be noticed. */
#include "install/pkg.h"

enum { MINUTE = 60, HOUR = 3600, DAY = 86400, WEEK = 7 * DAY, DAYS_IN_ERA = 146097 };

bool pkg_age_parse(Str text, u64 *ret_s)
{
    static const struct {
        Str name;
        u32 seconds;
    } units[] = {{{"", 0}, 1},        {{"s", 1}, 1},           {{"second", 6}, 1},
                 {{"m", 1}, MINUTE},  {{"minute", 6}, MINUTE}, {{"h", 1}, HOUR},
                 {{"hour", 4}, HOUR}, {{"d", 1}, DAY},         {{"day", 3}, DAY},
                 {{"w", 1}, WEEK},    {{"week", 4}, WEEK}};
    usize n = 0;
    u64 count;
    text = str_trim(text);
    while (n < text.n && text.p[n] >= '0' && text.p[n] <= '9') n++;
    Str unit = str_trim(str_skip(text, n));
    if (unit.n > 1 && str_ends(unit, S("s"))) unit.n--;
    if (!str_to_u64(str_slice(text, 0, n), &count) || count > UINT32_MAX) return false;
    for (u32 i = 0; i < COUNT(units); i++) {
        if (!str_eq(units[i].name, unit)) continue;
        *ret_s = count * units[i].seconds;
        return true;
    }
    return false;
}

/* Digits at `at`; -1: there are others. */
static i64 digits(Str s, usize at, usize n)
{
    i64 value = 0;
    for (usize i = at; i < at + n; i++) {
        if (i >= s.n || s.p[i] < '0' || s.p[i] > '9') return -1;
        value = 10 * value + (s.p[i] - '0');
    }
    return value;
}

/* Days since 1970 of a date of the Gregorian calendar: years begin in March, so that the day that
 * is not always there is the last one. */
static i64 days_from(i64 year, i64 month, i64 day)
{
    year -= month <= 2;
    i64 era = year / 400, of_era = year - era * 400;
    i64 of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
    return era * DAYS_IN_ERA + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719468;
}

/* "2026-01-31T12:00:00.000Z", as registries write it. */
i64 pkg_time_parse(Str s)
{
    i64 year = digits(s, 0, 4), month = digits(s, 5, 2), day = digits(s, 8, 2);
    i64 hour = digits(s, 11, 2), minute = digits(s, 14, 2), second = digits(s, 17, 2);
    bool ok = year >= 1970 && month >= 1 && month <= 12 && day >= 1 && day <= 31 && hour >= 0 &&
              hour <= 24 && minute >= 0 && minute < 60 && second >= 0 && second <= 60;
    if (!ok || s.p[4] != '-' || s.p[7] != '-' || s.p[10] != 'T' || !str_ends(s, S("Z"))) return -1;
    return days_from(year, month, day) * DAY + hour * HOUR + minute * MINUTE + second;
}

/* "name", or "name@1.2.3 || 1.2.4". */
bool pkg_age_is_excluded(const PkgOptions *o, Str name, Str version)
{
    for (u32 i = 0; i < o->n_age_excludes; i++) {
        Str entry = o->age_excludes[i], one;
        i64 at = entry.n ? str_find(str_skip(entry, 1), '@') : -1;
        if (!str_eq(at < 0 ? entry : str_slice(entry, 0, (usize)at + 1), name)) continue;
        if (at < 0) return true;
        Str rest = str_skip(entry, (usize)at + 2);
        while (str_next(&rest, '|', &one))
            if (str_eq(str_trim(one), version)) return true;
    }
    return false;
}
