/* codec/compress_priv.h -- what the three libraries behind compress.h share. */
#pragma once

#include "codec/compress.h"

#include <zlib.h>

struct Compressor {
    CompressOptions options; /* the dictionary is our copy */
    CompressKind mode;       /* what UNZIP turned out to be */
    bool is_ended;
    u64 n_taken; /* zstd: bytes of input so far */
    u8 n_magic;  /* bytes of gzip's magic number that UNZIP has seen */
    union {
        z_stream z;
        void *brotli; /* BrotliEncoderState, BrotliDecoderState */
        void *zstd;   /* ZSTD_CCtx, ZSTD_DCtx */
    };
    bool is_open;
};

bool zlib_open(Compressor *c, CompressError *e);
void zlib_close(Compressor *c);
bool zlib_reset(Compressor *c, CompressError *e);
bool zlib_step(Compressor *c, CompressIo *io, i32 flush, CompressError *e);
bool zlib_set_params(Compressor *c, i32 level, i32 strategy);

bool brotli_open(Compressor *c, CompressError *e);
void brotli_close(Compressor *c);
bool brotli_step(Compressor *c, CompressIo *io, i32 flush, CompressError *e);

bool zstd_open(Compressor *c, CompressError *e);
void zstd_close(Compressor *c);
bool zstd_reset(Compressor *c, CompressError *e);
bool zstd_step(Compressor *c, CompressIo *io, i32 flush, CompressError *e);

/* Both return false, so that `return` reads well. */
static inline bool compress_fail(CompressError *e, i32 number, const char *code,
                                 const char *message)
{
    *e = (CompressError){number, code, message};
    return false;
}
static inline bool compress_cut_off(CompressError *e)
{
    return compress_fail(e, Z_BUF_ERROR, "Z_BUF_ERROR", "unexpected end of file");
}
