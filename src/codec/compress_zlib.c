/* codec/compress_zlib.c -- deflate and gzip streams. */
#include "codec/compress_priv.h"

enum { GZIP_MAGIC_1 = 0x1f, GZIP_MAGIC_2 = 0x8b, GZIP_BITS = 16 };

static bool is_encoder(const Compressor *c)
{
    return c->mode == COMPRESS_DEFLATE || c->mode == COMPRESS_GZIP ||
           c->mode == COMPRESS_DEFLATE_RAW;
}

static const char *code_of(int rc)
{
    switch (rc) {
    case Z_NEED_DICT: return "Z_NEED_DICT";
    case Z_STREAM_ERROR: return "Z_STREAM_ERROR";
    case Z_DATA_ERROR: return "Z_DATA_ERROR";
    case Z_MEM_ERROR: return "Z_MEM_ERROR";
    case Z_BUF_ERROR: return "Z_BUF_ERROR";
    case Z_VERSION_ERROR: return "Z_VERSION_ERROR";
    default: return "Z_ERRNO";
    }
}

static bool fail(const Compressor *c, int rc, const char *message, CompressError *e)
{
    return compress_fail(e, rc, code_of(rc), c->z.msg ? c->z.msg : message);
}

static int set_dictionary(Compressor *c)
{
    Str d = c->options.dictionary;
    if (!d.n) return Z_OK;
    if (c->mode == COMPRESS_DEFLATE || c->mode == COMPRESS_DEFLATE_RAW)
        return deflateSetDictionary(&c->z, (const u8 *)d.p, (uInt)d.n);
    /* The others ask for theirs (Z_NEED_DICT). */
    if (c->mode == COMPRESS_INFLATE_RAW)
        return inflateSetDictionary(&c->z, (const u8 *)d.p, (uInt)d.n);
    return Z_OK;
}

bool zlib_open(Compressor *c, CompressError *e)
{
    const CompressOptions *o = &c->options;
    int bits = o->window_bits;
    if (c->mode == COMPRESS_GZIP || c->mode == COMPRESS_GUNZIP) bits += GZIP_BITS;
    if (c->mode == COMPRESS_UNZIP) bits += 2 * GZIP_BITS;
    if (c->mode == COMPRESS_DEFLATE_RAW || c->mode == COMPRESS_INFLATE_RAW) bits = -bits;
    int rc = is_encoder(c)
                 ? deflateInit2(&c->z, o->level, Z_DEFLATED, bits, o->mem_level, o->strategy)
                 : inflateInit2(&c->z, bits);
    if (rc != Z_OK) return fail(c, rc, "Init error", e);
    c->is_open = true;
    rc = set_dictionary(c);
    if (rc != Z_OK) return fail(c, rc, "Failed to set dictionary", e);
    return true;
}

void zlib_close(Compressor *c)
{
    if (is_encoder(c))
        (void)deflateEnd(&c->z);
    else
        (void)inflateEnd(&c->z);
}

bool zlib_reset(Compressor *c, CompressError *e)
{
    int rc = is_encoder(c) ? deflateReset(&c->z) : inflateReset(&c->z);
    if (rc != Z_OK) return fail(c, rc, "Failed to reset stream", e);
    rc = set_dictionary(c);
    if (rc != Z_OK) return fail(c, rc, "Failed to set dictionary", e);
    return true;
}

bool zlib_set_params(Compressor *c, i32 level, i32 strategy)
{
    if (c->mode != COMPRESS_DEFLATE && c->mode != COMPRESS_GZIP && c->mode != COMPRESS_DEFLATE_RAW)
        return true;
    int rc = deflateParams(&c->z, level, strategy);
    return rc == Z_OK || rc == Z_BUF_ERROR;
}

/* UNZIP is gunzip only if the first two bytes say so; zlib finds the format by itself, this is for
 * what follows the first member. */
static void look_at_magic(Compressor *c, const CompressIo *io)
{
    for (usize i = 0; i < io->n_in && c->n_magic < 2; i++) {
        u8 want = c->n_magic ? GZIP_MAGIC_2 : GZIP_MAGIC_1;
        if (io->in[i] != want) {
            c->mode = COMPRESS_INFLATE;
            return;
        }
        if (++c->n_magic == 2) c->mode = COMPRESS_GUNZIP;
    }
}

static int inflate_with_dictionary(Compressor *c, int flush)
{
    int rc = inflate(&c->z, flush);
    Str d = c->options.dictionary;
    if (rc != Z_NEED_DICT || !d.n) return rc;
    rc = inflateSetDictionary(&c->z, (const u8 *)d.p, (uInt)d.n);
    if (rc == Z_OK) return inflate(&c->z, flush);
    /* The checksum is not that of the dictionary: said as Z_NEED_DICT with "Bad dictionary". */
    return rc == Z_DATA_ERROR ? Z_NEED_DICT : rc;
}

static int inflate_members(Compressor *c, int flush)
{
    int rc = inflate_with_dictionary(c, flush);
    while (rc == Z_STREAM_END && c->mode == COMPRESS_GUNZIP && c->z.avail_in &&
           c->z.next_in[0] != 0) {
        rc = inflateReset(&c->z);
        if (rc == Z_OK) rc = inflate(&c->z, flush);
    }
    return rc;
}

/* zlib counts in 32 bits: a step moves at most this much. */
static uInt clamp(usize n)
{
    return (uInt)MIN(n, (usize)UINT32_MAX);
}

bool zlib_step(Compressor *c, CompressIo *io, i32 flush, CompressError *e)
{
    if (c->mode == COMPRESS_UNZIP) look_at_magic(c, io);
    c->z.next_in = (u8 *)(uintptr_t)io->in;
    c->z.avail_in = clamp(io->n_in);
    c->z.next_out = io->out;
    c->z.avail_out = clamp(io->n_out);
    c->z.msg = NULL;
    bool is_cut = c->z.avail_in < io->n_in;
    int mode = is_cut ? Z_NO_FLUSH : flush;
    int rc = is_encoder(c) ? deflate(&c->z, mode) : inflate_members(c, mode);
    io->n_in -= (usize)(c->z.next_in - io->in);
    io->in = c->z.next_in;
    io->n_out -= (usize)(c->z.next_out - io->out);
    io->out = c->z.next_out;
    c->is_ended = rc == Z_STREAM_END;
    switch (rc) {
    case Z_OK:
    case Z_BUF_ERROR: return !is_cut && io->n_out && flush == Z_FINISH ? compress_cut_off(e) : true;
    case Z_STREAM_END: return true;
    case Z_NEED_DICT:
        c->z.msg = NULL;
        return fail(c, rc, c->options.dictionary.n ? "Bad dictionary" : "Missing dictionary", e);
    default: return fail(c, rc, "Zlib error", e);
    }
}
