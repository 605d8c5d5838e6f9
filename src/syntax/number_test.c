/* syntax/number_test.c -- numbers as JavaScript writes them, and as short as they can be. */
#include "syntax/number.h"

#include "util/test.h"

#include <stdlib.h>
#include <string.h>

static Str text(f64 v)
{
    static char buf[NUMBER_TEXT_MAX];
    return (Str){buf, number_text(v, buf)};
}

static Str brief(f64 v)
{
    static char buf[NUMBER_TEXT_MAX];
    return (Str){buf, number_text_short(v, buf)};
}

TEST(number_text_is_that_of_to_string)
{
    CHECK_STR(text(0), "0");
    CHECK_STR(text(-1.5), "-1.5");
    CHECK_STR(text(100), "100");
    CHECK_STR(text(1e21), "1e+21");
    CHECK_STR(text(123456789012345680000.0), "123456789012345680000");
    CHECK_STR(text(1.5e300), "1.5e+300");
    CHECK_STR(text(1e-6), "0.000001");
    CHECK_STR(text(1e-7), "1e-7");
    CHECK_STR(text(0.1 + 0.2), "0.30000000000000004");
    CHECK_STR(text(5e-324), "5e-324");
    CHECK_STR(text(1.7976931348623157e308), "1.7976931348623157e+308");
}

TEST(number_text_short)
{
    CHECK_STR(brief(0), "0");
    CHECK_STR(brief(10), "10");
    CHECK_STR(brief(1000), "1e3");
    CHECK_STR(brief(1200), "1200");
    CHECK_STR(brief(12000), "12e3");
    CHECK_STR(brief(0.5), ".5");
    CHECK_STR(brief(0.001), ".001");
    CHECK_STR(brief(0.0001), "1e-4");
    CHECK_STR(brief(1.5), "1.5");
    CHECK_STR(brief(5e-324), "5e-324");
    CHECK_STR(brief(1e300), "1e300");
}

TEST(number_text_reads_back)
{
    u64 seed = 88172645463325252ULL;
    for (u32 i = 0; i < 20000; i++) {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        f64 v;
        u64 bits = seed & ~(1ULL << 63);
        memcpy(&v, &bits, sizeof(v));
        if (!(v < 1e308)) continue;
        char buf[NUMBER_TEXT_MAX + 1];
        buf[number_text(v, buf)] = 0;
        REQUIRE(strtod(buf, NULL) == v);
        buf[number_text_short(v, buf)] = 0;
        REQUIRE(strtod(buf, NULL) == v);
    }
}
