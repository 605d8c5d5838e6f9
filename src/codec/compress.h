/* codec/compress.h -- deflate, gzip, brotli and zstd, as streams and of a whole text.
 *
 * One Compressor is one stream in one direction; it belongs to one thread at a time.  The libraries
 * (zlib, libdeflate, brotli, zstd) are set up by the first use and need no global state. */
#pragma once

#include "util/base.h"
#include "util/buf.h"
#include "util/str.h"

/* The numbers are those of node:zlib's constants. */
typedef enum {
    COMPRESS_DEFLATE = 1,
    COMPRESS_INFLATE,
    COMPRESS_GZIP,
    COMPRESS_GUNZIP, /* every member of a gzip file; what follows after zero bytes is ignored */
    COMPRESS_DEFLATE_RAW,
    COMPRESS_INFLATE_RAW,
    COMPRESS_UNZIP, /* gunzip or inflate, as the first bytes say */
    COMPRESS_BROTLI_DECODE,
    COMPRESS_BROTLI_ENCODE,
    COMPRESS_ZSTD_ENCODE,
    COMPRESS_ZSTD_DECODE,
} CompressKind;

/* What to do with what was put in; the numbers differ by library, so node:zlib passes its own. */
typedef struct {
    i32 run;    /* give output when it is worth it */
    i32 flush;  /* everything that was put in must come out */
    i32 finish; /* no more input follows */
} CompressFlushes;
CompressFlushes compress_flushes(CompressKind kind);

enum { COMPRESS_PARAMS_MAX = 32 };

typedef struct {
    CompressKind kind;
    /* zlib's; a compress_defaults() gives level 6, 15 bits, memory level 8. */
    i32 level, window_bits, mem_level, strategy;
    Str dictionary; /* copied */
    /* brotli's and zstd's parameters. */
    u32 n_params;
    u32 param_ids[COMPRESS_PARAMS_MAX];
    i32 params[COMPRESS_PARAMS_MAX];
    u64 size_hint; /* zstd: bytes of the whole input, UINT64_MAX unknown */
} CompressOptions;

typedef struct {
    const u8 *in;
    usize n_in;
    u8 *out;
    usize n_out;
} CompressIo;

typedef struct {
    i32 number;          /* Z_DATA_ERROR (-3), or the library's own number, not 0 */
    const char *code;    /* "Z_DATA_ERROR", "ERR__ERROR_FORMAT_PADDING_1", "ZSTD_error_..." */
    const char *message; /* "incorrect header check" */
} CompressError;

typedef struct Compressor Compressor;

CompressOptions compress_defaults(CompressKind kind);
/* NULL: out of memory or options that the library refuses; *ret_error says which. */
Compressor *compressor_new(const CompressOptions *options, CompressError *ret_error);
void compressor_free(Compressor *c); /* NULL is fine */
/* Back to the beginning of a stream, with the same options. */
NODISCARD bool compressor_reset(Compressor *c, CompressError *ret_error);
/* zlib's deflateParams; `true` for other kinds. */
NODISCARD bool compressor_set_params(Compressor *c, i32 level, i32 strategy);

/* Works until the input is used up or the output is full, moving the fields of `io`.  false: the
 * stream is broken, *ret_error says why.  With `finish`, input that ends in the middle of a
 * stream is an error of decoders ("unexpected end of file") once the output has room left. */
NODISCARD bool compressor_step(Compressor *c, CompressIo *io, i32 flush, CompressError *ret_error);
/* Has the end of a stream been reached (decoders)? */
bool compressor_is_ended(const Compressor *c);
/* Bytes of memory that a stream of these options holds, roughly. */
usize compressor_memory(const Compressor *c);

/* The whole of `in` into `out` (appended), at most `out->max` bytes: more sets `out->full`.
 * `last` is the flush for the end: `finish`, or `flush` for decoders that accept cut-off input.
 * Uses the fastest library for the job; the bytes of an encoder are valid but not always those of
 * zlib. */
NODISCARD bool compress_whole(const CompressOptions *options, Str in, i32 last, Buf *out,
                              CompressError *ret_error);
