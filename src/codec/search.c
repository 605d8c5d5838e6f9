/* codec/search.c -- see search.h.
 *
 * Places where the first element fits (forwards over bytes: the first and the last) are compared.
 * When comparing has cost several times the length of the text, which takes a needle made for it,
 * Knuth-Morris-Pratt does the rest, or the C library's memmem, which is linear too. */
#include "codec/search.h"

#include <string.h>

#include "util/arena.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

/* Compared elements per element of the text before the other algorithm takes over. */
enum { BUDGET_FACTOR = 8, BUDGET_BASE = 4096 };
/* Places nearer to each other than this are close; after so many of them they are not rare. */
enum { RARE_GAP = 64, CLOSE_MAX = 8 };

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

#ifdef __SSE2__
/* Tries 16 places at a time whose first and last byte fit.  Returns the first occurrence, or
 * without *ret_is_found the place from which on nothing is known. */
static usize search_blocks(const u8 *p, usize n, const u8 *needle, usize m, bool *ret_is_found)
{
    const __m128i first = _mm_set1_epi8((char)needle[0]), last = _mm_set1_epi8((char)needle[m - 1]);
    usize i = 0, budget = budget_of(n);
    for (; i + m - 1 + 16 <= n; i += 16) {
        __m128i a = _mm_loadu_si128((const __m128i *)(const void *)(p + i));
        __m128i b = _mm_loadu_si128((const __m128i *)(const void *)(p + i + m - 1));
        __m128i both = _mm_and_si128(_mm_cmpeq_epi8(a, first), _mm_cmpeq_epi8(b, last));
        unsigned places = (unsigned)_mm_movemask_epi8(both);
        for (; places; places &= places - 1) {
            usize at = i + (usize)__builtin_ctz(places);
            if (memcmp(p + at, needle, m) == 0) {
                *ret_is_found = true;
                return at;
            }
            if (budget < m) return at + 1;
            budget -= m;
        }
    }
    return i;
}
#endif

/* Skips to places where the first byte fits while they are rare.  Returns as search_blocks does;
 * with *ret_is_found SEARCH_NONE means that there is none. */
static usize search_rare(const u8 *p, usize n, const u8 *needle, usize m, bool *ret_is_found)
{
    usize i = 0, end = n - m + 1, n_close = 0, budget = budget_of(n);
    *ret_is_found = true;
    while (i < end) {
        const u8 *hit = memchr(p + i, needle[0], end - i);
        if (!hit) return SEARCH_NONE;
        usize at = (usize)(hit - p);
        if (memcmp(hit, needle, m) == 0) return at;
        n_close += at - i < RARE_GAP;
        i = at + 1;
        if (n_close > CLOSE_MAX || budget < m) break;
        budget -= m;
    }
    if (i >= end) return SEARCH_NONE;
    *ret_is_found = false;
    return i;
}

usize search_bytes(const u8 *p, usize n, const u8 *needle, usize m)
{
    ASSERT(m);
    if (m > n) return SEARCH_NONE;
    if (m == 1) {
        const u8 *hit = memchr(p, *needle, n);
        return hit ? (usize)(hit - p) : SEARCH_NONE;
    }
    bool is_found;
    usize i = search_rare(p, n, needle, m, &is_found);
    if (is_found) return i;
#ifdef __SSE2__
    usize at = search_blocks(p + i, n - i, needle, m, &is_found);
    i += at;
    if (is_found) return i;
#endif
    const u8 *hit = memmem(p + i, n - i, needle, m);
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
