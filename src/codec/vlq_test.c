/* codec/vlq_test.c -- numbers there and back, malformed text. */
#include "codec/vlq.h"
#include "util/test.h"

TEST(vlq_known_values)
{
    AUTO(Buf) b = {0};
    vlq_push(&b, 0);
    vlq_push(&b, 1);
    vlq_push(&b, -1);
    vlq_push(&b, 16);
    vlq_push(&b, 123456789);
    CHECK_STR(buf_str(&b), "ACDgBqxmvrH");
}

TEST(vlq_there_and_back)
{
    static const i32 values[] = {0, 1, -1, 15, 16, -16, 511, 512, 1 << 20, INT32_MAX, -INT32_MAX};
    AUTO(Buf) b = {0};
    for (usize i = 0; i < COUNT(values); i++) vlq_push(&b, values[i]);
    Str rest = buf_str(&b);
    for (usize i = 0; i < COUNT(values); i++) {
        i32 v = 0;
        CHECK(vlq_next(&rest, &v));
        CHECK_INT(v, values[i]);
    }
    CHECK_INT(rest.n, 0);
}

TEST(vlq_malformed)
{
    i32 v;
    Str bad[] = {S(""), S("g"), S("!"), S("gggggggg"), S("gggggggggB")};
    for (usize i = 0; i < COUNT(bad); i++) CHECK(!vlq_next(&bad[i], &v));
}
