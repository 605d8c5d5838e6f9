/* Tests of codec/search: against the obvious algorithm, and needles made to be slow. */
#include "codec/search.h"
#include "util/mem.h"
#include "util/test.h"

#include <string.h>

static usize plain(const u8 *p, usize n, Str needle, usize width, bool is_last)
{
    usize best = SEARCH_NONE;
    for (usize i = 0; i + needle.n <= n; i += width) {
        if (memcmp(p + i, needle.p, needle.n) != 0) continue;
        best = i / width;
        if (!is_last) break;
    }
    return best;
}

static u32 next(u32 *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 16;
}

TEST(search_agrees_with_the_obvious_way)
{
    u32 state = 7;
    for (u32 round = 0; round < 20000; round++) {
        u8 text[40], needle[6];
        usize n = next(&state) % 40, m = next(&state) % 6 + 1;
        for (usize i = 0; i < n; i++) text[i] = (u8)('a' + next(&state) % 2);
        for (usize i = 0; i < m; i++) needle[i] = (u8)('a' + next(&state) % 2);
        Str s = {(const char *)needle, m};
        CHECK_INT(search_bytes(text, n, needle, m), plain(text, n, s, 1, false));
        CHECK_INT(search_bytes_last(text, n, needle, m), plain(text, n, s, 1, true));
        if (m < 2) continue;
        s.n = m & ~(usize)1;
        n &= ~(usize)1;
        CHECK_INT(search_units(text, n / 2, needle, m / 2), plain(text, n, s, 2, false));
        CHECK_INT(search_units_last(text, n / 2, needle, m / 2), plain(text, n, s, 2, true));
    }
}

TEST(search_is_linear_for_hostile_needles)
{
    enum { N = 1 << 20, M = 1 << 18 };
    u8 *text = mem_new(N), *needle = mem_new(M);
    memset(text, 'a', N);
    memset(needle, 'a', M);
    needle[M - 1] = 'b'; /* every place but the last element fits */
    CHECK(search_bytes_last(text, N, needle, M) == SEARCH_NONE);
    CHECK(search_units(text, N / 2, needle, M / 2) == SEARCH_NONE);
    CHECK(search_units_last(text, N / 2, needle, M / 2) == SEARCH_NONE);
    text[M + 10 - 1] = 'b'; /* once, near the start: found after the switch */
    CHECK_INT(search_bytes_last(text, N, needle, M), 10);
    CHECK_INT(search_units_last(text, N / 2, needle, M / 2), 5);
    memset(text, 'a', N);
    text[N - 1] = 'b';
    CHECK_INT(search_units(text, N / 2, needle, M / 2), (N - M) / 2);
    CHECK_INT(search_bytes(text, N, needle, M), N - M);
    needle[M / 2] = 'c'; /* first and last fit nearly everywhere */
    needle[M - 1] = 'a';
    CHECK(search_bytes(text, N, needle, M) == SEARCH_NONE);
    mem_free(text);
    mem_free(needle);
}

TEST(search_of_single_elements)
{
    const u8 text[] = "abcabc";
    CHECK_INT(search_bytes(text, 6, (const u8 *)"c", 1), 2);
    CHECK_INT(search_bytes_last(text, 6, (const u8 *)"c", 1), 5);
    CHECK(search_bytes(text, 2, (const u8 *)"c", 1) == SEARCH_NONE);
    CHECK(search_bytes_last(text, 0, (const u8 *)"c", 1) == SEARCH_NONE);
    CHECK_INT(search_units(text, 3, (const u8 *)"bc", 1), 2);
    CHECK_INT(search_units_last(text, 3, (const u8 *)"ab", 1), 0);
}
