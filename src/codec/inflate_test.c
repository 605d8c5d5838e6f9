/* codec/inflate_test.c -- against what zlib's encoder makes, whole, cut off and damaged. */
#include "codec/inflate.h"

#include "codec/compress.h"

#include <string.h>

#include "util/test.h"

static u8 window[INFLATE_WINDOW];

static bool keep(void *ctx, Str piece)
{
    return buf_push(ctx, piece);
}

static bool refuse(void *ctx, Str piece)
{
    (void)piece;
    (*(u32 *)ctx)++;
    return false;
}

/* Text, noise, runs and far repetitions, so that every kind of block and distance comes up. */
static Str make_text(Buf *b, usize size)
{
    u32 x = 7;
    while (b->len < size) {
        x = x * 1103515245 + 12345;
        u32 kind = x >> 28;
        if (kind < 8) buf_fmt(b, "line %u of %s\n", x >> 20, x & 64 ? "one" : "another");
        if (kind == 8) buf_push_fill(b, (char)(x >> 8), x >> 16 & 1023);
        for (u32 i = 0; kind == 9 && i < 3000; i++) {
            x = x * 1103515245 + 12345;
            buf_push_char(b, (char)(x >> 16));
        }
        usize back = x >> 12 & 0xffff;
        if (kind > 9 && b->len > back + 300) {
            AUTO(Buf) part = {0};
            buf_push(&part, (Str){b->p + b->len - back - 300, 300});
            buf_push(b, buf_str(&part));
        }
    }
    return buf_str(b);
}

static void pack(Str text, i32 level, i32 strategy, Buf *out)
{
    CompressOptions o = compress_defaults(COMPRESS_GZIP);
    CompressError e = {0};
    o.level = level;
    o.strategy = strategy;
    REQUIRE(compress_whole(&o, text, compress_flushes(o.kind).finish, out, &e));
}

TEST(inflate_gives_back_what_was_packed)
{
    enum { N_STRATEGIES = 5 }; /* zlib's: default, filtered, Huffman only, runs, fixed codes */
    AUTO(Buf) source = {0};
    Str text = make_text(&source, 1 << 20);
    static const usize sizes[] = {0, 1, 2, 300, 32768, 65536, INFLATE_WINDOW, 1 << 20};
    for (i32 level = 0; level <= 9; level += 3) {
        for (i32 strategy = 0; strategy < N_STRATEGIES; strategy++) {
            for (u32 i = 0; i < COUNT(sizes); i++) {
                AUTO(Buf) packed = {0};
                AUTO(Buf) out = {0};
                Str part = str_slice(text, 0, sizes[i]);
                pack(part, level, strategy, &packed);
                CHECK(!gunzip_pieces(buf_str(&packed), window, keep, &out));
                CHECK(str_eq(buf_str(&out), part));
            }
        }
    }
}

TEST(inflate_reads_every_member)
{
    AUTO(Buf) packed = {0};
    AUTO(Buf) out = {0};
    pack(S("one, "), 6, 0, &packed);
    pack(S("two"), 6, 0, &packed);
    buf_push_fill(&packed, 0, 512);
    CHECK(!gunzip_pieces(buf_str(&packed), window, keep, &out));
    CHECK_STR(buf_str(&out), "one, two");
}

TEST(inflate_stops_when_told)
{
    AUTO(Buf) packed = {0};
    AUTO(Buf) source = {0};
    u32 n = 0;
    pack(make_text(&source, 1 << 20), 6, 0, &packed);
    CHECK(!gunzip_pieces(buf_str(&packed), window, refuse, &n));
    CHECK_INT(n, 1);
}

TEST(inflate_finds_damage)
{
    AUTO(Buf) packed = {0};
    AUTO(Buf) source = {0};
    Str text = make_text(&source, 20000);
    pack(text, 6, 0, &packed);
    for (usize n = 0; n + 8 < packed.len; n += 7) {
        AUTO(Buf) out = {0};
        CHECK(gunzip_pieces(str_slice(buf_str(&packed), 0, n), window, keep, &out) != NULL);
    }
    for (usize i = 0; i < packed.len; i++) { /* whatever it says, it ends and stays in its memory */
        AUTO(Buf) out = {.max = 1 << 22};
        packed.p[i] = (char)(packed.p[i] ^ 1 << i % 8);
        (void)!gunzip_pieces(buf_str(&packed), window, keep, &out);
        packed.p[i] = (char)(packed.p[i] ^ 1 << i % 8);
    }
    CHECK(gunzip_pieces(S("not gzip at all"), window, keep, &source) != NULL);
}
