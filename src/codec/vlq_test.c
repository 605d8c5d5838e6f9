/* codec/vlq_test.c -- numbers there and back, malformed text. */
#include "codec/vlq.h"

#include "util/test.h"

static Str written(char *buf, i32 v)
{
    return (Str){buf, vlq_write(buf, v)};
}

TEST(vlq_numbers_have_their_known_text)
{
    char buf[VLQ_MAX];
    CHECK_STR(written(buf, 0), "A");
    CHECK_STR(written(buf, 1), "C");
    CHECK_STR(written(buf, -1), "D");
    CHECK_STR(written(buf, 15), "e");
    CHECK_STR(written(buf, 16), "gB");
    CHECK_STR(written(buf, -16), "hB");
    CHECK_STR(written(buf, 123), "2H");
    CHECK_STR(written(buf, INT32_MAX), "+/////D");
    CHECK_STR(written(buf, INT32_MIN), "hgggggE");
}

TEST(vlq_round_trip)
{
    for (i64 v = INT32_MIN; v <= INT32_MAX; v += 65521) {
        char buf[VLQ_MAX];
        u32 n = vlq_write(buf, (i32)v);
        const char *at = buf;
        i32 back;
        REQUIRE(vlq_read(&at, buf + n, &back));
        REQUIRE(back == v && at == buf + n);
    }
}

static bool is_refused(Str s)
{
    const char *at = s.p;
    i32 v;
    return !vlq_read(&at, s.p + s.n, &v) && at == s.p;
}

TEST(vlq_refuses_what_is_no_number)
{
    CHECK(is_refused(S("")));
    CHECK(is_refused(S(",")));
    CHECK(is_refused(S("g")));        /* more to come, but nothing comes */
    CHECK(is_refused(S("gggggggg"))); /* for ever */
    CHECK(is_refused(S("ggggggE")));  /* 2^31 */
    CHECK(is_refused(S("=A")));
}
