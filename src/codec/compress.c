/* codec/compress.c -- one face for the libraries, and whole texts at once.
 *
 * Whole texts: libdeflate is twice as fast as zlib but only knows complete streams, so it is tried
 * first where the options allow it; whatever it does not like is done again by zlib, which then
 * finds the right error (or the second member of a gzip file). */
#include "codec/compress_priv.h"

#include "util/mem.h"

#include <brotli/encode.h>
#include <libdeflate.h>
#include <string.h>
#include <zstd.h>

enum {
    WINDOW_BITS = 15,
    MEM_LEVEL = 8,
    WHOLE_CHUNK_MIN = 16 * 1024,
    WHOLE_CHUNK_MAX = 64 << 20,
    /* Below this zlib costs less than setting libdeflate up. */
    LIBDEFLATE_ENCODE_MIN = 2 * 1024,
    LIBDEFLATE_DECODE_MIN = 128,
    /* deflate cannot do better, so a promise of more is a lie. */
    DEFLATE_RATIO_MAX = 1032,
    DECODE_RATIO_GUESS = 4,
};

CompressFlushes compress_flushes(CompressKind kind)
{
    switch (kind) {
    case COMPRESS_BROTLI_DECODE:
    case COMPRESS_BROTLI_ENCODE:
        return (CompressFlushes){BROTLI_OPERATION_PROCESS, BROTLI_OPERATION_FLUSH,
                                 BROTLI_OPERATION_FINISH};
    case COMPRESS_ZSTD_ENCODE:
    case COMPRESS_ZSTD_DECODE: return (CompressFlushes){ZSTD_e_continue, ZSTD_e_flush, ZSTD_e_end};
    default: return (CompressFlushes){Z_NO_FLUSH, Z_SYNC_FLUSH, Z_FINISH};
    }
}

CompressOptions compress_defaults(CompressKind kind)
{
    return (CompressOptions){.kind = kind,
                             .level = Z_DEFAULT_COMPRESSION,
                             .window_bits = WINDOW_BITS,
                             .mem_level = MEM_LEVEL,
                             .strategy = Z_DEFAULT_STRATEGY,
                             .size_hint = UINT64_MAX};
}

static bool is_brotli(const Compressor *c)
{
    return c->mode == COMPRESS_BROTLI_DECODE || c->mode == COMPRESS_BROTLI_ENCODE;
}

static bool is_zstd(const Compressor *c)
{
    return c->mode == COMPRESS_ZSTD_ENCODE || c->mode == COMPRESS_ZSTD_DECODE;
}

static bool open_library(Compressor *c, CompressError *e)
{
    if (is_brotli(c)) return brotli_open(c, e);
    if (is_zstd(c)) return zstd_open(c, e);
    return zlib_open(c, e);
}

static void close_library(Compressor *c)
{
    if (!c->is_open) return;
    if (is_brotli(c))
        brotli_close(c);
    else if (is_zstd(c))
        zstd_close(c);
    else
        zlib_close(c);
    c->is_open = false;
}

Compressor *compressor_new(const CompressOptions *options, CompressError *ret_error)
{
    Compressor *c = MEM_NEW(Compressor);
    c->options = *options;
    c->mode = options->kind;
    Str d = options->dictionary;
    c->options.dictionary = d.n ? (Str){mem_dup(d.p, d.n), d.n} : (Str){0};
    if (open_library(c, ret_error)) return c;
    compressor_free(c);
    return NULL;
}

void compressor_free(Compressor *c)
{
    if (!c) return;
    close_library(c);
    mem_free((void *)(uintptr_t)c->options.dictionary.p);
    mem_free(c);
}

bool compressor_reset(Compressor *c, CompressError *ret_error)
{
    c->is_ended = false;
    c->n_magic = 0;
    c->n_taken = 0;
    c->mode = c->options.kind;
    if (is_zstd(c)) return zstd_reset(c, ret_error);
    if (!is_brotli(c)) return zlib_reset(c, ret_error);
    close_library(c);
    return open_library(c, ret_error);
}

bool compressor_set_params(Compressor *c, i32 level, i32 strategy)
{
    return is_brotli(c) || is_zstd(c) || zlib_set_params(c, level, strategy);
}

bool compressor_step(Compressor *c, CompressIo *io, i32 flush, CompressError *ret_error)
{
    if (is_brotli(c)) return brotli_step(c, io, flush, ret_error);
    if (is_zstd(c)) return zstd_step(c, io, flush, ret_error);
    return zlib_step(c, io, flush, ret_error);
}

bool compressor_is_ended(const Compressor *c)
{
    return c->is_ended;
}

usize compressor_memory(const Compressor *c)
{
    const CompressOptions *o = &c->options;
    if (is_zstd(c))
        return c->mode == COMPRESS_ZSTD_ENCODE ? ZSTD_sizeof_CCtx(c->zstd)
                                               : ZSTD_sizeof_DCtx(c->zstd);
    if (is_brotli(c)) return (usize)1 << 20;
    usize window = (usize)1 << MAX(o->window_bits, 8);
    bool is_encoder =
        o->kind == COMPRESS_DEFLATE || o->kind == COMPRESS_GZIP || o->kind == COMPRESS_DEFLATE_RAW;
    return is_encoder ? 4 * window + ((usize)1 << (o->mem_level + 9)) : window + 8 * 1024;
}

/* ---- Whole texts ----------------------------------------------------------------------------- */

static bool is_plain_zlib(const CompressOptions *o)
{
    bool is_whole_window = o->window_bits == WINDOW_BITS || o->window_bits == 0;
    return !o->dictionary.n && is_whole_window && o->strategy == Z_DEFAULT_STRATEGY;
}

/* libdeflate gets smaller than zlib with less: its 8 is below zlib's 9 in size and time. */
static int level_of(i32 level)
{
    if (level < 0) return 6;
    return level > 7 ? level - 1 : level;
}

static bool encode_at_once(const CompressOptions *o, Str in, Buf *out)
{
    bool is_deflate =
        o->kind == COMPRESS_DEFLATE || o->kind == COMPRESS_GZIP || o->kind == COMPRESS_DEFLATE_RAW;
    if (!is_deflate || !is_plain_zlib(o) || o->mem_level != MEM_LEVEL || o->level == 0)
        return false;
    if (in.n < LIBDEFLATE_ENCODE_MIN) return false;
    struct libdeflate_compressor *d = libdeflate_alloc_compressor(level_of(o->level));
    if (!d) return false;
    usize bound = o->kind == COMPRESS_GZIP      ? libdeflate_gzip_compress_bound(d, in.n)
                  : o->kind == COMPRESS_DEFLATE ? libdeflate_zlib_compress_bound(d, in.n)
                                                : libdeflate_deflate_compress_bound(d, in.n);
    char *p = buf_reserve(out, bound);
    usize n = 0;
    if (p && o->kind == COMPRESS_GZIP)
        n = libdeflate_gzip_compress(d, in.p, in.n, p, bound);
    else if (p && o->kind == COMPRESS_DEFLATE)
        n = libdeflate_zlib_compress(d, in.p, in.n, p, bound);
    else if (p)
        n = libdeflate_deflate_compress(d, in.p, in.n, p, bound);
    libdeflate_free_compressor(d);
    if (!p) out->full = false;
    out->len += n;
    return n > 0;
}

/* A gzip file ends in its length, modulo 2^32. */
static usize guess_size(CompressKind kind, Str in)
{
    if (kind != COMPRESS_GUNZIP) return in.n * DECODE_RATIO_GUESS;
    const u8 *t = (const u8 *)in.p + in.n - 4;
    usize n = (usize)t[0] | (usize)t[1] << 8 | (usize)t[2] << 16 | (usize)t[3] << 24;
    return n / DEFLATE_RATIO_MAX > in.n ? in.n * DECODE_RATIO_GUESS : MAX(n, 1u);
}

static bool decode_at_once(const CompressOptions *o, Str in, Buf *out)
{
    bool is_inflate = o->kind == COMPRESS_INFLATE || o->kind == COMPRESS_GUNZIP ||
                      o->kind == COMPRESS_INFLATE_RAW;
    if (!is_inflate || !is_plain_zlib(o) || in.n < LIBDEFLATE_DECODE_MIN) return false;
    struct libdeflate_decompressor *d = libdeflate_alloc_decompressor();
    if (!d) return false;
    enum libdeflate_result rc = LIBDEFLATE_INSUFFICIENT_SPACE;
    usize room = guess_size(o->kind, in), used = 0, n = 0;
    usize last = in.n * DEFLATE_RATIO_MAX;
    while (rc == LIBDEFLATE_INSUFFICIENT_SPACE && room <= last) {
        char *p = buf_reserve(out, room);
        if (!p) break;
        if (o->kind == COMPRESS_GUNZIP)
            rc = libdeflate_gzip_decompress_ex(d, in.p, in.n, p, room, &used, &n);
        else if (o->kind == COMPRESS_INFLATE)
            rc = libdeflate_zlib_decompress_ex(d, in.p, in.n, p, room, &used, &n);
        else
            rc = libdeflate_deflate_decompress_ex(d, in.p, in.n, p, room, &used, &n);
        room *= DECODE_RATIO_GUESS;
    }
    out->full = false;
    libdeflate_free_decompressor(d);
    if (rc != LIBDEFLATE_SUCCESS || used != in.n) return false;
    out->len += n;
    return true;
}

static bool run_whole(Compressor *c, Str in, i32 last, Buf *out, CompressError *e)
{
    usize chunk = MIN(MAX(in.n / 2, (usize)WHOLE_CHUNK_MIN), (usize)WHOLE_CHUNK_MAX);
    CompressIo io = {.in = (const u8 *)in.p, .n_in = in.n};
    for (;;) {
        usize room = out->max ? MIN(chunk, out->max - out->len) : chunk;
        /* One byte more than allowed tells a full result from one that is too large. */
        u8 probe;
        char *p = room ? buf_reserve(out, room) : NULL;
        io.out = p ? (u8 *)p : &probe;
        io.n_out = p ? room : 1;
        usize before = io.n_out, before_in = io.n_in;
        if (!compressor_step(c, &io, last, e)) return false;
        usize n = before - io.n_out;
        if (!p && n) {
            out->full = true;
            return true;
        }
        if (p) out->len += n;
        bool is_stuck = !n && io.n_in == before_in;
        if (compressor_is_ended(c) || io.n_out || is_stuck) return true;
        chunk = MIN(chunk * 2, (usize)WHOLE_CHUNK_MAX);
    }
}

bool compress_whole(const CompressOptions *options, Str in, i32 last, Buf *out,
                    CompressError *ret_error)
{
    if (encode_at_once(options, in, out) || decode_at_once(options, in, out)) return true;
    Compressor *c = compressor_new(options, ret_error);
    if (!c) return false;
    bool ok = run_whole(c, in, last, out, ret_error);
    compressor_free(c);
    return ok;
}
