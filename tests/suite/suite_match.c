/* tests/suite/suite_match.c -- expected output with holes in it.
 *
 * Both levels (lines of a text, bytes of a line) are the classic match against a pattern with
 * stars: remember the last star and how much it swallowed; on a mismatch let it swallow one more.
 */
#include "suite.h"

#define HOLE  S("[..]")
#define LINES S("[...]")

static bool match_line(Str pattern, Str line)
{
    usize p = 0, t = 0, star = SIZE_MAX, star_t = 0;
    while (t < line.n) {
        if (str_starts(str_skip(pattern, p), HOLE)) {
            p += HOLE.n;
            star = p;
            star_t = t;
        } else if (p < pattern.n && pattern.p[p] == line.p[t]) {
            p++;
            t++;
        } else if (star != SIZE_MAX) {
            p = star;
            t = ++star_t;
        } else {
            return false;
        }
    }
    while (str_starts(str_skip(pattern, p), HOLE)) p += HOLE.n;
    return p == pattern.n;
}

typedef struct {
    Str *at;
    u32 len;
} Lines;

/* "a\nb\n" is two lines and an empty one: so a missing newline at the end is a difference. */
static Lines split(Arena *a, Str text)
{
    u32 n = 1;
    for (usize i = 0; i < text.n; i++) n += text.p[i] == '\n';
    Lines lines = {.at = ARENA_ARRAY(a, Str, n)};
    Str rest = text.p ? text : S("");
    while (lines.len < n && str_next(&rest, '\n', &lines.at[lines.len])) lines.len++;
    return lines;
}

bool match_text(Str pattern, Str text, u32 *ret_line)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    Lines want = split(s.arena, pattern), got = split(s.arena, text);
    u32 p = 0, t = 0, star = UINT32_MAX, star_t = 0, furthest = 0;
    while (t < got.len) {
        furthest = MAX(furthest, t);
        if (p < want.len && str_eq(want.at[p], LINES)) {
            star = ++p;
            star_t = t;
        } else if (p < want.len && match_line(want.at[p], got.at[t])) {
            p++;
            t++;
        } else if (star != UINT32_MAX) {
            p = star;
            t = ++star_t;
        } else {
            *ret_line = furthest + 1;
            return false;
        }
    }
    while (p < want.len && str_eq(want.at[p], LINES)) p++;
    *ret_line = furthest + 1;
    /* A pattern that ends in "[...]\n" has an empty line left when the text ran out. */
    bool has_rest = p + 1 == want.len && !want.at[p].n && star != UINT32_MAX;
    return p == want.len || has_rest;
}
