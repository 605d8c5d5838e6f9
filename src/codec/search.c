/* codec/search.c -- see search.h.
 *
 * Forwards over bytes the C library is linear and fast.  The other three look for the needle's
 * first element and compare; when comparing has cost several times the length of the text, which
 * takes a needle made for it, Knuth-Morris-Pratt does the rest. */
#include "codec/search.h"

#include <string.h>

#include "util/arena.h"

/* Compared elements per element of the text before the other algorithm takes over. */
enum { BUDGET_FACTOR = 8, BUDGET_BASE = 4096 };

/* A sequence of elements of one or two bytes, read from either end. */
typedef struct {
    const u8 *p;
    usize n;
    bool is_wide, is_reversed;
} Sequence;

static inline u32 element(const Sequence *s, usize i)
{
    if (s->is_reversed) i = s->n - 1 - i;
    if (!s->is_wide) return s->p[i];
    u16 unit;
    memcpy(&unit, s->p + 2 * i, sizeof(unit));
    return unit;
}

/* The first occurrence, as an index into `text` in its reading direction. */
static COLD usize search_slowly(const Sequence *text, const Sequence *needle)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    usize m = needle->n, *border = ARENA_ARRAY(s.arena, usize, m);
    for (usize i = 1, k = 0; i < m; i++) {
        while (k && element(needle, i) != element(needle, k)) k = border[k - 1];
        if (element(needle, i) == element(needle, k)) k++;
        border[i] = k;
    }
    for (usize i = 0, k = 0; i < text->n; i++) {
        while (k && element(text, i) != element(needle, k)) k = border[k - 1];
        if (element(text, i) == element(needle, k)) k++;
        if (k == m) return i + 1 - m;
    }
    return SEARCH_NONE;
}

static usize budget_of(usize n)
{
    return n > (SIZE_MAX - BUDGET_BASE) / BUDGET_FACTOR ? SIZE_MAX
                                                        : n * BUDGET_FACTOR + BUDGET_BASE;
}

usize search_bytes(const u8 *p, usize n, const u8 *needle, usize m)
{
    ASSERT(m);
    if (m > n) return SEARCH_NONE;
    const u8 *hit = m == 1 ? memchr(p, *needle, n) : memmem(p, n, needle, m);
    return hit ? (usize)(hit - p) : SEARCH_NONE;
}

usize search_bytes_last(const u8 *p, usize n, const u8 *needle, usize m)
{
    ASSERT(m);
    if (m > n) return SEARCH_NONE;
    usize end = n - m + 1, budget = budget_of(n);
    while (end) {
        const u8 *hit = memrchr(p, *needle, end);
        if (!hit) return SEARCH_NONE;
        end = (usize)(hit - p);
        if (memcmp(hit, needle, m) == 0) return end;
        if (budget < m) {
            Sequence text = {p, end + m - 1, false, true}, what = {needle, m, false, true};
            usize at = search_slowly(&text, &what);
            return at == SEARCH_NONE ? SEARCH_NONE : text.n - at - m;
        }
        budget -= m;
    }
    return SEARCH_NONE;
}

usize search_units(const u8 *p, usize n, const u8 *needle, usize m)
{
    ASSERT(m);
    if (m > n) return SEARCH_NONE;
    usize budget = budget_of(n);
    for (usize i = 0; i <= n - m; i++) {
        if (p[2 * i] != needle[0] || p[2 * i + 1] != needle[1]) continue;
        if (memcmp(p + 2 * i, needle, 2 * m) == 0) return i;
        if (budget < m) {
            Sequence text = {p + 2 * i, n - i, true, false}, what = {needle, m, true, false};
            usize at = search_slowly(&text, &what);
            return at == SEARCH_NONE ? SEARCH_NONE : i + at;
        }
        budget -= m;
    }
    return SEARCH_NONE;
}

usize search_units_last(const u8 *p, usize n, const u8 *needle, usize m)
{
    ASSERT(m);
    if (m > n) return SEARCH_NONE;
    usize budget = budget_of(n);
    for (usize i = n - m + 1; i-- > 0;) {
        if (p[2 * i] != needle[0] || p[2 * i + 1] != needle[1]) continue;
        if (memcmp(p + 2 * i, needle, 2 * m) == 0) return i;
        if (budget < m) {
            Sequence text = {p, i + m - 1, true, true}, what = {needle, m, true, true};
            usize at = search_slowly(&text, &what);
            return at == SEARCH_NONE ? SEARCH_NONE : text.n - at - m;
        }
        budget -= m;
    }
    return SEARCH_NONE;
}
