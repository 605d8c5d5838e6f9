/* Tar archives: any bytes; what an entry holds lies in the archive, the reader comes to an end, and
 * the stream gives the same entries, whatever the pieces. */
#include "codec/tar.h"

int LLVMFuzzerTestOneInput(const u8 *data, usize size);

static bool on_entry(void *ctx, const TarEntry *e, u64 size)
{
    buf_fmt(ctx, "%d %.*s %llu:", (int)e->kind, STR_ARG(e->name), (unsigned long long)size);
    return true;
}

static bool on_data(void *ctx, Str piece)
{
    return buf_push(ctx, piece);
}

static bool on_end(void *ctx)
{
    return buf_push_char(ctx, 10);
}

static const TarStreamEvents events = {on_entry, on_data, on_end};

static bool stream(Str archive, Buf *out)
{
    AUTO(TarStream) s = {.events = &events, .ctx = out};
    usize step = archive.n % 701 + 1;
    for (usize at = 0; at < archive.n; at += step)
        if (!tar_stream_put(&s, str_slice(archive, at, MIN(at + step, archive.n)))) return false;
    return tar_stream_finish(&s);
}

int LLVMFuzzerTestOneInput(const u8 *data, usize size)
{
    Arena a = {0};
    Str archive = {(const char *)data, size};
    TarReader reader = tar_reader(&a, archive);
    TarEntry e;
    usize n = 0;
    AUTO(Buf) expected = {0};
    AUTO(Buf) out = {0};
    while (tar_next(&reader, &e)) {
        ASSERT(++n <= size / 512);
        ASSERT(e.name.n <= TAR_NAME_MAX);
        ASSERT(!e.data.n || (e.data.p >= archive.p && e.data.p + e.data.n <= archive.p + size));
        if (tar_name_is_safe(e.name)) ASSERT(e.name.n && e.name.p[0] != '/');
        (void)on_entry(&expected, &e, e.data.n);
        (void)on_data(&expected, e.data);
        (void)on_end(&expected);
    }
    if (!reader.error && stream(archive, &out)) ASSERT(str_eq(buf_str(&out), buf_str(&expected)));
    arena_deinit(&a);
    return 0;
}
