/* install/semver.c -- versions, their order, and whether a range takes them.  Ranges are taken
 * apart in semver_range.c. */
#include "install/semver.h"

enum { MAX_SAFE_DIGITS = 16 };
static const u64 MAX_SAFE = ((u64)1 << 53) - 1;

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_ident_char(char c)
{
    return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-';
}

/* A number without leading zeros; at most 2^53 - 1. */
static bool take_number(Str *rest, u64 *ret)
{
    usize n = 0;
    while (n < rest->n && is_digit(rest->p[n])) n++;
    if (!n || n > MAX_SAFE_DIGITS || (n > 1 && rest->p[0] == '0')) return false;
    u64 value = 0;
    for (usize i = 0; i < n; i++) value = value * 10 + (u64)(rest->p[i] - '0');
    *rest = str_skip(*rest, n);
    *ret = value;
    return value <= MAX_SAFE;
}

static bool take_char(Str *rest, char c)
{
    if (!rest->n || rest->p[0] != c) return false;
    *rest = str_skip(*rest, 1);
    return true;
}

static bool is_numeric(Str ident)
{
    for (usize i = 0; i < ident.n; i++)
        if (!is_digit(ident.p[i])) return false;
    return ident.n > 0;
}

/* Identifiers with dots between; numbers among those of a prerelease have no leading zeros. */
static bool take_idents(Str *rest, bool is_pre, Str *ret)
{
    usize n = 0;
    while (n < rest->n && (is_ident_char(rest->p[n]) || rest->p[n] == '.')) n++;
    Str all = str_slice(*rest, 0, n), left = all, ident;
    if (!all.n) return false;
    while (str_next(&left, '.', &ident)) {
        if (!ident.n) return false;
        if (is_pre && is_numeric(ident) && ident.n > 1 && ident.p[0] == '0') return false;
    }
    if (all.p[all.n - 1] == '.') return false;
    *rest = str_skip(*rest, n);
    *ret = all;
    return true;
}

static bool take_tail(Str *rest, Semver *v)
{
    if (take_char(rest, '-') && !take_idents(rest, true, &v->pre)) return false;
    if (take_char(rest, '+') && !take_idents(rest, false, &v->build)) return false;
    return true;
}

bool semver_parse(Str text, Semver *ret)
{
    Semver v = {0};
    Str rest = str_trim(text);
    if (rest.n > SEMVER_LEN_MAX) return false;
    if (!take_char(&rest, 'v')) (void)take_char(&rest, '=');
    bool ok = take_number(&rest, &v.major) && take_char(&rest, '.') &&
              take_number(&rest, &v.minor) && take_char(&rest, '.') &&
              take_number(&rest, &v.patch) && take_tail(&rest, &v) && !rest.n;
    if (ok) *ret = v;
    return ok;
}

/* ---- Order ----------------------------------------------------------------------------------- */

static int cmp_u64(u64 a, u64 b)
{
    return (a > b) - (a < b);
}

/* Numbers by value and before words; words by bytes. */
static int cmp_ident(Str a, Str b)
{
    bool a_number = is_numeric(a), b_number = is_numeric(b);
    if (a_number && b_number) {
        if (a.n != b.n) return a.n < b.n ? -1 : 1;
        return str_cmp(a, b);
    }
    if (a_number != b_number) return a_number ? -1 : 1;
    return str_cmp(a, b);
}

static int cmp_idents(Str a, Str b)
{
    Str x, y;
    for (;;) {
        bool has_x = str_next(&a, '.', &x), has_y = str_next(&b, '.', &y);
        if (!has_x || !has_y) return (int)has_x - (int)has_y;
        int order = cmp_ident(x, y);
        if (order) return order;
    }
}

int semver_cmp(const Semver *a, const Semver *b)
{
    int order = cmp_u64(a->major, b->major);
    if (!order) order = cmp_u64(a->minor, b->minor);
    if (!order) order = cmp_u64(a->patch, b->patch);
    if (order) return order;
    /* A prerelease comes before its version. */
    if (!a->pre.n || !b->pre.n) return (int)(a->pre.n == 0) - (int)(b->pre.n == 0);
    return cmp_idents(a->pre, b->pre);
}

int semver_cmp_build(const Semver *a, const Semver *b)
{
    int order = semver_cmp(a, b);
    if (order) return order;
    if (!a->build.n || !b->build.n) return (int)(a->build.n > 0) - (int)(b->build.n > 0);
    return cmp_idents(a->build, b->build);
}

/* ---- Ranges ---------------------------------------------------------------------------------- */

static bool holds(const SemverComparator *c, const Semver *v)
{
    int order = semver_cmp(v, &c->version);
    switch (c->op) {
    case SEMVER_EQ: return order == 0;
    case SEMVER_LT: return order < 0;
    case SEMVER_LE: return order <= 0;
    case SEMVER_GT: return order > 0;
    case SEMVER_GE: return order >= 0;
    }
    return false;
}

static bool set_takes(const SemverSet *set, const Semver *v)
{
    for (u32 i = 0; i < set->len; i++)
        if (!holds(&set->at[i], v)) return false;
    if (!v->pre.n) return true;
    /* A prerelease is only taken by who names one of the same version. */
    for (u32 i = 0; i < set->len; i++) {
        const Semver *c = &set->at[i].version;
        bool is_same = c->major == v->major && c->minor == v->minor && c->patch == v->patch;
        if (c->pre.n && is_same) return true;
    }
    return false;
}

bool semver_satisfies(const SemverRange *range, const Semver *version)
{
    for (u32 i = 0; i < range->n_sets; i++)
        if (set_takes(&range->sets[i], version)) return true;
    return false;
}

bool semver_range_is_exact(const SemverRange *range)
{
    return range->n_sets == 1 && range->sets[0].len == 1 && range->sets[0].at[0].op == SEMVER_EQ;
}
