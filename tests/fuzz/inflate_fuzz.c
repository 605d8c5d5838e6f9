/* Gzip: any bytes; ours and zlib say the same of what both accept, and ours comes to an end. */
#include "codec/compress.h"
#include "codec/inflate.h"
#include "util/buf.h"

enum { OUTPUT_MAX = 1 << 22 };

static u8 window[INFLATE_WINDOW];

int LLVMFuzzerTestOneInput(const u8 *data, usize size);

static bool keep(void *ctx, Str piece)
{
    return buf_push(ctx, piece);
}

int LLVMFuzzerTestOneInput(const u8 *data, usize size)
{
    AUTO(Buf) ours = {.max = OUTPUT_MAX};
    AUTO(Buf) theirs = {.max = OUTPUT_MAX};
    Str in = {(const char *)data, size};
    CompressOptions o = compress_defaults(COMPRESS_GUNZIP);
    CompressError e = {0};
    const char *error = gunzip_pieces(in, window, keep, &ours);
    bool ok = compress_whole(&o, in, compress_flushes(COMPRESS_GUNZIP).finish, &theirs, &e);
    /* Theirs looks at checksums too. */
    if (ok && !theirs.full && !ours.full)
        ASSERT(!error && str_eq(buf_str(&ours), buf_str(&theirs)));
    return 0;
}
