/* codec/punycode_test.c -- examples of RFC 3492, section 7.1, and what is not Punycode. */
#include "codec/punycode.h"

#include <string.h>

#include "util/test.h"

static const struct {
    const char *text;
    u32 n, points[17];
} samples[] = {
    {"egbpdaj6bu4bxfgehfvwxn",
     17,
     {0x644, 0x64a, 0x647, 0x645, 0x627, 0x628, 0x62a, 0x643, 0x644, 0x645, 0x648, 0x634, 0x639,
      0x631, 0x628, 0x64a, 0x61f}},
    {"ihqwcrb4cv8a8dqg056pqjye",
     9,
     {0x4ed6, 0x4eec, 0x4e3a, 0x4ec0, 0x4e48, 0x4e0d, 0x8bf4, 0x4e2d, 0x6587}},
    {"bcher-kva", 6, {'b', 0xfc, 'c', 'h', 'e', 'r'}},
    {"de-jg4avhby1noc0d", 9, {0x30d1, 0x30d5, 0x30a3, 0x30fc, 'd', 'e', 0x30eb, 0x30f3, 0x30d0}},
    {"ls8h", 1, {0x1f4a9}},
    {"abc-", 3, {'a', 'b', 'c'}},
};

TEST(punycode_samples_both_ways)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    for (u32 i = 0; i < COUNT(samples); i++) {
        const u32 *points;
        usize n;
        Str text;
        CHECK(punycode_decode(s.arena, str_z(samples[i].text), &points, &n));
        CHECK(n == samples[i].n);
        CHECK(memcmp(points, samples[i].points, n * sizeof *points) == 0);
        CHECK(punycode_encode(s.arena, points, n, &text));
        CHECK(str_eq(text, str_z(samples[i].text)));
    }
}

TEST(punycode_refuses_what_is_none)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    static const char *const wrong[] = {"a\xc3\xbc-x",   "9",   "ab_", "99999999",
                                        "a-99999999999", "\xff"};
    for (u32 i = 0; i < COUNT(wrong); i++) {
        const u32 *points;
        usize n;
        CHECK(!punycode_decode(s.arena, str_z(wrong[i]), &points, &n));
    }
}
