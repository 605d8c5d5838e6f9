/* codec/base64_test.c -- base64 and hexadecimal. */
#include "codec/base64.h"

#include <string.h>

#include "util/test.h"

static Arena arena;

static Str encode(Str s, Base64Kind kind)
{
    char *out = arena_alloc(&arena, base64_encoded_len(s.n, kind) + 1, 1);
    return (Str){out, base64_encode((const u8 *)s.p, s.n, kind, out)};
}

static Str forgiving(Str s)
{
    usize n;
    u8 *out = arena_alloc(&arena, base64_decoded_len_max(s.n), 1);
    return base64_decode_forgiving(s, out, &n) ? (Str){(char *)out, n} : S("failure");
}

static Str lenient(Str s)
{
    u8 *out = arena_alloc(&arena, base64_decoded_len_max(s.n), 1);
    return (Str){(char *)out, base64_decode_lenient(s, out)};
}

static Str strict(Str s, Base64Kind kind)
{
    usize n;
    u8 *out = arena_alloc(&arena, base64_decoded_len_max(s.n), 1);
    return base64_decode_strict(s, kind, out, &n) ? (Str){(char *)out, n} : S("failure");
}

TEST(base64_encodes_every_rest)
{
    CHECK_STR(encode(S(""), BASE64_STANDARD), "");
    CHECK_STR(encode(S("a"), BASE64_STANDARD), "YQ==");
    CHECK_STR(encode(S("ab"), BASE64_STANDARD), "YWI=");
    CHECK_STR(encode(S("abc"), BASE64_STANDARD), "YWJj");
    CHECK_STR(encode(S("\xfb\xff\xbf"), BASE64_STANDARD), "+/+/");
    CHECK_STR(encode(S("\xfb\xff\xbf"
                       "a"),
                     BASE64_URL),
              "-_-_YQ");
    CHECK_STR(encode(S("ab"), BASE64_URL), "YWI");
}

TEST(base64_round_trips)
{
    u8 all[256];
    for (u32 i = 0; i < 256; i++) all[i] = (u8)i;
    for (usize n = 0; n <= 256; n++) {
        Str s = {(char *)all, n};
        CHECK(str_eq(forgiving(encode(s, BASE64_STANDARD)), s));
        CHECK(str_eq(lenient(encode(s, BASE64_URL)), s));
        CHECK(str_eq(strict(encode(s, BASE64_STANDARD), BASE64_STANDARD), s));
        CHECK(str_eq(strict(encode(s, BASE64_URL), BASE64_URL), s));
    }
}

TEST(base64_forgives_only_space_and_missing_padding)
{
    CHECK_STR(forgiving(S(" Y W\tJ\nj\f\r")), "abc");
    CHECK_STR(forgiving(S("YQ")), "a");
    CHECK_STR(forgiving(S("YQ = =")), "a");
    CHECK_STR(forgiving(S("YR==")), "a");
    CHECK_STR(forgiving(S("")), "");
    CHECK_STR(forgiving(S("Y")), "failure");
    CHECK_STR(forgiving(S("YQ=")), "failure");
    CHECK_STR(forgiving(S("YWJj=")), "failure");
    CHECK_STR(forgiving(S("YQ==YQ==")), "failure");
    CHECK_STR(forgiving(S("=")), "failure");
    CHECK_STR(forgiving(S("-_==")), "failure");
    CHECK_STR(forgiving(S("YQ\v==")), "failure");
    CHECK_STR(forgiving(S("YQ\xa0")), "failure");
}

TEST(base64_lenient_skips_what_it_does_not_know)
{
    CHECK_STR(lenient(S("YWJ*j")), "abc");
    CHECK_STR(lenient(S("YQ==YQ==")), "a");
    CHECK_STR(lenient(S("Y")), "");
    CHECK_STR(lenient(S("YWJjZA=x")), "abcd");
}

TEST(base64_strict_wants_the_only_spelling)
{
    CHECK_STR(strict(S("YR=="), BASE64_STANDARD), "failure");
    CHECK_STR(strict(S("YQ"), BASE64_STANDARD), "failure");
    CHECK_STR(strict(S("YQ=="), BASE64_URL), "failure");
    CHECK_STR(strict(S("-_-_"), BASE64_STANDARD), "failure");
    CHECK_STR(strict(S("Y"), BASE64_URL), "failure");
    CHECK_STR(strict(S("YQ=a"), BASE64_STANDARD), "failure");
}

TEST(hex_both_ways)
{
    char text[6];
    CHECK_INT(hex_encode((const u8 *)"\x00\xab\x7f", 3, text), 6);
    CHECK(!memcmp(text, "00ab7f", 6));
    u8 bytes[4];
    CHECK_INT(hex_decode(S("61zz62"), bytes), 1);
    CHECK_INT(hex_decode(S("616"), bytes), 1);
    CHECK_INT(hex_decode(S("AbCd"), bytes), 2);
    CHECK(!memcmp(bytes, "\xab\xcd", 2));
}

TEST(base64_lenient_stops_at_the_capacity)
{
    for (usize cap = 0; cap < 12; cap++) {
        u8 out[16];
        memset(out, 0xee, sizeof(out));
        usize n = base64_decode_lenient_into(S("SGVs bG8-d29ybGQ"), out, cap);
        CHECK_INT(n, cap < 11 ? cap : 11);
        CHECK(memcmp(out, "Hello>world", n) == 0);
        CHECK_INT(out[n], 0xee);
    }
}
