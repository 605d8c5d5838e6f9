/* codec/compress_test.c -- round trips of every format, cut-off and broken input. */
#include "codec/compress.h"

#include <string.h>

#include "util/test.h"

static const struct {
    CompressKind encode, decode;
} pairs[] = {
    {COMPRESS_DEFLATE, COMPRESS_INFLATE},
    {COMPRESS_GZIP, COMPRESS_GUNZIP},
    {COMPRESS_GZIP, COMPRESS_UNZIP},
    {COMPRESS_DEFLATE, COMPRESS_UNZIP},
    {COMPRESS_DEFLATE_RAW, COMPRESS_INFLATE_RAW},
    {COMPRESS_BROTLI_ENCODE, COMPRESS_BROTLI_DECODE},
    {COMPRESS_ZSTD_ENCODE, COMPRESS_ZSTD_DECODE},
};

enum { TEXT_SIZE = 100 * 1000 };

static Str make_text(Buf *b)
{
    u32 x = 1;
    while (b->len < TEXT_SIZE) {
        x = x * 1103515245 + 12345;
        buf_fmt(b, "line %u of %s\n", x >> 20, x & 64 ? "one" : "another");
    }
    return buf_str(b);
}

static bool whole(CompressKind kind, Str in, Buf *out, CompressError *e)
{
    CompressOptions o = compress_defaults(kind);
    return compress_whole(&o, in, compress_flushes(kind).finish, out, e);
}

TEST(compress_whole_texts_come_back)
{
    AUTO(Buf) source = {0};
    Str text = make_text(&source);
    for (usize size = 0; size <= text.n; size = size * 9 + 1) {
        for (u32 i = 0; i < COUNT(pairs); i++) {
            AUTO(Buf) packed = {0};
            AUTO(Buf) back = {0};
            CompressError e = {0};
            Str part = {text.p, size};
            CHECK(whole(pairs[i].encode, part, &packed, &e));
            CHECK(whole(pairs[i].decode, buf_str(&packed), &back, &e));
            CHECK(str_eq(buf_str(&back), part));
        }
    }
}

/* Byte by byte in, three bytes of room. */
static bool trickle(CompressKind kind, Str in, Buf *out, CompressError *e)
{
    CompressOptions o = compress_defaults(kind);
    CompressFlushes f = compress_flushes(kind);
    Compressor *c = compressor_new(&o, e);
    CHECK(c != NULL);
    bool ok = true;
    for (usize i = 0; ok && i <= in.n; i++) {
        CompressIo io = {.in = (const u8 *)in.p + i, .n_in = i < in.n};
        usize n;
        do {
            u8 room[3];
            io.out = room;
            io.n_out = sizeof room;
            ok = compressor_step(c, &io, i < in.n ? f.run : f.finish, e);
            n = sizeof room - io.n_out;
            buf_push(out, (Str){(char *)room, n});
        } while (ok && n == 3 && !compressor_is_ended(c));
        if (compressor_is_ended(c) && i < in.n) break;
    }
    compressor_free(c);
    return ok;
}

TEST(compress_streams_take_single_bytes)
{
    AUTO(Buf) source = {0};
    Str text = make_text(&source);
    text.n = 5000;
    for (u32 i = 0; i < COUNT(pairs); i++) {
        AUTO(Buf) packed = {0};
        AUTO(Buf) back = {0};
        CompressError e = {0};
        CHECK(trickle(pairs[i].encode, text, &packed, &e));
        CHECK(trickle(pairs[i].decode, buf_str(&packed), &back, &e));
        CHECK(str_eq(buf_str(&back), text));
    }
}

TEST(compress_says_what_is_wrong)
{
    AUTO(Buf) source = {0};
    Str text = make_text(&source);
    for (u32 i = 0; i < COUNT(pairs); i++) {
        AUTO(Buf) packed = {0};
        CompressError e = {0};
        CHECK(whole(pairs[i].encode, text, &packed, &e));
        AUTO(Buf) cut = {0};
        CHECK(!whole(pairs[i].decode, (Str){packed.p, packed.len / 2}, &cut, &e));
        CHECK_STR(str_z(e.message), "unexpected end of file");
        AUTO(Buf) broken = {0};
        CHECK(!whole(pairs[i].decode, S("this is no compressed text at all, is it?"), &broken, &e));
        CHECK(e.code != NULL && e.message != NULL && e.number != 0);
    }
}

TEST(compress_stops_at_the_limit)
{
    AUTO(Buf) zeros = {0};
    buf_push_fill(&zeros, 'a', TEXT_SIZE);
    for (u32 i = 0; i < COUNT(pairs); i++) {
        AUTO(Buf) packed = {0};
        CompressError e = {0};
        CHECK(whole(pairs[i].encode, buf_str(&zeros), &packed, &e));
        AUTO(Buf) exact = {.max = TEXT_SIZE};
        CHECK(whole(pairs[i].decode, buf_str(&packed), &exact, &e));
        CHECK(!exact.full);
        CHECK(exact.len == TEXT_SIZE);
        AUTO(Buf) small = {.max = TEXT_SIZE - 1};
        CHECK(whole(pairs[i].decode, buf_str(&packed), &small, &e));
        CHECK(small.full);
    }
}

TEST(compress_reads_every_member_of_a_gzip_file)
{
    AUTO(Buf) two = {0};
    AUTO(Buf) back = {0};
    CompressError e = {0};
    CHECK(whole(COMPRESS_GZIP, S("hello "), &two, &e));
    CHECK(whole(COMPRESS_GZIP, S("world"), &two, &e));
    buf_push(&two, S("\0\0trailing"));
    CHECK(whole(COMPRESS_GUNZIP, buf_str(&two), &back, &e));
    CHECK_STR(buf_str(&back), "hello world");
}

TEST(compress_uses_dictionaries)
{
    CompressOptions o = compress_defaults(COMPRESS_DEFLATE);
    o.dictionary = S("a dictionary of words");
    AUTO(Buf) packed = {0};
    AUTO(Buf) back = {0};
    CompressError e = {0};
    CHECK(compress_whole(&o, S("words of a dictionary"), 4, &packed, &e));
    CHECK(!whole(COMPRESS_INFLATE, buf_str(&packed), &back, &e));
    CHECK_STR(str_z(e.message), "Missing dictionary");
    CHECK_STR(str_z(e.code), "Z_NEED_DICT");
    o.kind = COMPRESS_INFLATE;
    buf_clear(&back);
    CHECK(compress_whole(&o, buf_str(&packed), 4, &back, &e));
    CHECK_STR(buf_str(&back), "words of a dictionary");
    o.dictionary = S("other");
    CHECK(!compress_whole(&o, buf_str(&packed), 4, &back, &e));
    CHECK_STR(str_z(e.message), "Bad dictionary");
}
