/* codec/tar_stream_test.c -- the same entries as from memory, whatever the pieces. */
#include "codec/tar.h"

#include <string.h>

#include "util/test.h"

static Arena arena;

static bool on_entry(void *ctx, const TarEntry *e, u64 size)
{
    buf_fmt(ctx, "%d %.*s %u %llu:", (int)e->kind, STR_ARG(e->name), e->mode,
            (unsigned long long)size);
    return !str_eq(e->name, S("stop"));
}

static bool on_data(void *ctx, Str piece)
{
    return buf_push(ctx, piece);
}

static bool on_end(void *ctx)
{
    return buf_push_char(ctx, '\n');
}

static const TarStreamEvents events = {on_entry, on_data, on_end};

static const char *run(Str archive, usize step, Buf *out)
{
    AUTO(TarStream) s = {.events = &events, .ctx = out};
    for (usize at = 0; at < archive.n; at += step)
        if (!tar_stream_put(&s, str_slice(archive, at, MIN(at + step, archive.n))))
            return s.error ? s.error : "stopped";
    return tar_stream_finish(&s) ? NULL : s.error;
}

static void put(Buf *out, TarKind kind, Str name, Str data)
{
    TarEntry e = {.kind = kind, .name = name, .data = data, .mode = 0644};
    tar_put(out, &e);
}

TEST(tar_stream_gives_what_the_reader_gives)
{
    AUTO(Buf) archive = {0};
    AUTO(Buf) expected = {0};
    char text[3000];
    memset(text, 'x', sizeof text);
    put(&archive, TAR_FILE, S("package/a"), S("hello"));
    put(&archive, TAR_DIR, S("package/b/"), S(""));
    put(&archive, TAR_FILE, (Str){text, 400}, (Str){text, 1024});
    put(&archive, TAR_FILE, S("package/empty"), S(""));
    put(&archive, TAR_FILE, S("package/long"), (Str){text, sizeof text});
    tar_finish(&archive);
    TarReader reader = tar_reader(&arena, buf_str(&archive));
    TarEntry e;
    while (tar_next(&reader, &e)) {
        (void)on_entry(&expected, &e, e.data.n);
        (void)on_data(&expected, e.data);
        (void)on_end(&expected);
    }
    static const usize steps[] = {1, 7, 512, 513, 1 << 20};
    for (u32 i = 0; i < COUNT(steps); i++) {
        AUTO(Buf) out = {0};
        CHECK(!run(buf_str(&archive), steps[i], &out));
        CHECK(str_eq(buf_str(&out), buf_str(&expected)));
    }
}

TEST(tar_stream_finds_damage)
{
    AUTO(Buf) archive = {0};
    AUTO(Buf) out = {0};
    put(&archive, TAR_FILE, S("a"), S("hello"));
    CHECK(run((Str){archive.p, 514}, 100, &out) != NULL);
    CHECK(run((Str){archive.p, 300}, 100, &out) != NULL);
    archive.p[0] = 'b';
    CHECK_STR(str_z(run(buf_str(&archive), 100, &out)), "the checksum of a header is wrong");
    CHECK(!run(S(""), 1, &out));
}

TEST(tar_stream_stops_when_told)
{
    AUTO(Buf) archive = {0};
    AUTO(Buf) out = {0};
    put(&archive, TAR_FILE, S("stop"), S("hello"));
    CHECK_STR(str_z(run(buf_str(&archive), 100, &out)), "stopped");
}
