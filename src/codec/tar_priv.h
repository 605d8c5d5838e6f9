/* codec/tar_priv.h -- headers of tar archives, for the readers. */
#pragma once

#include "codec/tar.h"

enum {
    TAR_BLOCK = 512,
    NAME_AT = 0,
    NAME_LEN = 100,
    MODE_AT = 100,
    UID_AT = 108,
    GID_AT = 116,
    SIZE_AT = 124,
    MTIME_AT = 136,
    SUM_AT = 148,
    SUM_LEN = 8,
    TYPE_AT = 156,
    LINK_AT = 157,
    LINK_LEN = 100,
    MAGIC_AT = 257,
    PREFIX_AT = 345,
    PREFIX_LEN = 155,
    NUMBER_LEN = 12,
    SHORT_NUMBER_LEN = 8,
    MODE_MASK = 0777,
};

#define TAR_IS_CUT_OFF "the archive is cut off"

/* What headers before an entry say about it: views into their data. */
typedef struct {
    Str name, target;
    u64 size;
    bool has_size;
} TarExtra;

typedef struct {
    TarEntry entry; /* without its data */
    u64 size;
    bool is_extra; /* a header for the entry behind it */
    bool is_known; /* a kind that there is a word for */
} TarHead;

bool tar_block_is_zero(const u8 *block);
/* NULL or what is wrong with it (static).  Names are in `a` or in the block. */
const char *tar_head_read(Arena *a, const u8 *block, const TarExtra *extra, TarHead *ret);
/* The data behind a header that is_extra.  Likewise. */
const char *tar_extra_take(const u8 *block, Str data, TarExtra *extra);
