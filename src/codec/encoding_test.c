/* codec/encoding_test.c -- every decoder, in one piece and in chunks. */
#include "codec/encoding.h"

#include "codec/utf.h"
#include "util/test.h"

static Arena arena;

/* Decodes `bytes` in chunks of `step` and returns UTF-8; "failure" in fatal mode. */
static Str decode(const char *label, Str bytes, usize step, bool is_fatal)
{
    i32 id = encoding_find(str_z(label));
    if (id < 0) return S("no such label");
    DecoderState state = {0};
    Str out = S("");
    for (usize i = 0; i == 0 || i < bytes.n; i += step) {
        DecodeOptions options = {
            .id = (EncodingId)id, .is_fatal = is_fatal, .is_last = i + step >= bytes.n};
        Utf16 units;
        Str chunk = str_slice(bytes, i, i + step);
        if (!encoding_decode(&arena, &options, &state, chunk, &units)) return S("failure");
        usize n = utf16_to_utf8_len(units.p, units.n);
        char *p = arena_alloc(&arena, n + 1, 1);
        utf16_to_utf8(units.p, units.n, p);
        out = str_concat(&arena, out, (Str){p, n});
    }
    return out;
}

/* The same text whatever the chunks are. */
#define CHECK_DECODE(label, bytes, want)                                                           \
    do {                                                                                           \
        for (usize step_ = 1; step_ < 6; step_++)                                                  \
            CHECK_STR(decode(label, S(bytes), step_, false), want);                                \
        CHECK_STR(decode(label, S(bytes), 1000, false), want);                                     \
    } while (0)

#define FFFD "\xef\xbf\xbd"

TEST(encoding_labels)
{
    CHECK_INT(encoding_find(S(" UTF8\n")), ENCODING_UTF_8);
    CHECK_INT(encoding_find(S("latin1")), ENCODING_WINDOWS_1252);
    CHECK_INT(encoding_find(S("x-x-big5")), ENCODING_BIG5);
    CHECK_INT(encoding_find(S("utf-7")), -1);
    CHECK_INT(encoding_find(S("")), -1);
    CHECK_INT(encoding_find(S("utf-8\v")), -1);
    CHECK_STR(encoding_name(ENCODING_X_MAC_CYRILLIC), "x-mac-cyrillic");
    CHECK_STR(encoding_name(ENCODING_EUC_KR), "euc-kr");
}

TEST(encoding_utf8)
{
    CHECK_DECODE("utf-8", "\xef\xbb\xbfh\xc3\xa9\xf0\x9f\x98\x80", "h\xc3\xa9\xf0\x9f\x98\x80");
    CHECK_DECODE("utf-8", "\xf0\x9f\x92", FFFD);
    CHECK_DECODE("utf-8", "\xf0\x41\xe2\x28\xc0\x80", FFFD "A" FFFD "(" FFFD FFFD);
    CHECK_DECODE("utf-8", "\xed\xa0\x80", FFFD FFFD FFFD);
    CHECK_STR(decode("utf-8", S("a\xff"), 9, true), "failure");
    CHECK_STR(decode("utf-8", S("\xe2\x82"), 1, true), "failure");
}

TEST(encoding_utf16)
{
    CHECK_DECODE("utf-16", "\xff\xfe\x3d\xd8\x00\xde", "\xf0\x9f\x98\x80");
    CHECK_DECODE("utf-16be", "\xd8\x3d\xde\x00\x00\x41",
                 "\xf0\x9f\x98\x80"
                 "A");
    CHECK_DECODE("utf-16le", "\x00\xd8\x41\x00", FFFD "A");
    CHECK_DECODE("utf-16le", "\x41\x00\x00\xd8\x00", "A" FFFD);
    CHECK_DECODE("utf-16le", "\x00\xdc", FFFD);
}

TEST(encoding_single_bytes)
{
    CHECK_DECODE("windows-1252", "\x80\xe9", "\xe2\x82\xac\xc3\xa9");
    CHECK_DECODE("iso-8859-16", "\xa4\xe9", "\xe2\x82\xac\xc3\xa9");
    CHECK_DECODE("koi8-u", "\xae", "\xd1\x9e");
    CHECK_DECODE("windows-1253", "\xaa", FFFD);
    CHECK_DECODE("windows-874", "\xdb", FFFD);
    CHECK_DECODE("x-user-defined", "\x80\x41",
                 "\xef\x9e\x80"
                 "A");
}

TEST(encoding_chinese)
{
    CHECK_DECODE("gbk", "\xc4\xe3\x80", "\xe4\xbd\xa0\xe2\x82\xac");
    CHECK_DECODE("gb18030", "\x81\x35\xf4\x37\xa8\xbc", "\xee\x9f\x87\xe1\xb8\xbf");
    CHECK_DECODE("gb18030", "\x94\x39\xda\x33", "\xf0\x9f\x92\xa9");
    CHECK_DECODE("gb18030", "\x81\x30\x41", FFFD "0A");
    CHECK_DECODE("gb18030", "\x81\x30\x81", FFFD);
    CHECK_DECODE("gb18030", "\xfe\x39\xfe\x39", FFFD);
    CHECK_DECODE("big5", "\xa7\x41\x88\x62\x81\x40", "\xe4\xbd\xa0\xc3\x8a\xcc\x84" FFFD "@");
}

TEST(encoding_japanese)
{
    CHECK_DECODE("shift_jis", "\x82\xa0\xb1\xf0\x40", "\xe3\x81\x82\xef\xbd\xb1\xee\x80\x80");
    CHECK_DECODE("euc-jp", "\xa4\xa2\x8e\xb1\x8f\xb0\xa1\x8f\xb0\x41",
                 "\xe3\x81\x82\xef\xbd\xb1\xe4\xb8\x82" FFFD "A");
    CHECK_DECODE("iso-2022-jp", "\x1b$B$\"\x1b(B.", "\xe3\x81\x82.");
    CHECK_DECODE("iso-2022-jp", "\x1b$B\x1b(B\x1b(J\\~", FFFD FFFD "\xc2\xa5\xe2\x80\xbe");
    CHECK_DECODE("iso-2022-jp", "\x1b$x", FFFD "$x");
    CHECK_DECODE("iso-2022-jp", "\x1b$B$", FFFD);
    CHECK_DECODE("iso-2022-jp", "\x1b", FFFD);
}

TEST(encoding_korean)
{
    CHECK_DECODE("euc-kr", "\xb0\xa1\x81\x41\xff", "\xea\xb0\x80\xea\xb0\x82" FFFD);
}
