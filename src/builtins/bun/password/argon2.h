/* bun/password/argon2.h -- Argon2 (RFC 9106), with lanes one after the other. */
#pragma once

#include "util/base.h"
#include "util/str.h"

typedef enum { ARGON2_D, ARGON2_I, ARGON2_ID } Argon2Kind;

enum {
    ARGON2_LANES_MAX = 255,
    ARGON2_MEMORY_MIN_KIB = 8,       /* for each lane */
    ARGON2_MEMORY_MAX_KIB = 1 << 22, /* 4 GiB */
    ARGON2_SALT_MIN = 8,
    ARGON2_TAG_MIN = 4,
    ARGON2_TAG_MAX = 1024,
};

typedef struct {
    Argon2Kind kind;
    u32 version; /* 0x13, or 0x10 for old hashes */
    u32 memory_kib, passes, lanes;
    Str password, salt;
} Argon2;

/* Writes `n` bytes.  0, -EINVAL for parameters out of bounds, -ENOMEM. */
NODISCARD int argon2_hash(const Argon2 *a, u8 *tag, usize n);

/* ---- argon2_block.c: the compression function of 1024 bytes ---------------------------------- */

enum { ARGON2_WORDS = 128 };
typedef struct {
    u64 v[ARGON2_WORDS];
} Argon2Block;

/* next = G(prev, ref), or that xor what was there. */
void argon2_compress(const Argon2Block *prev, const Argon2Block *ref, Argon2Block *next,
                     bool is_xor);
/* The same for every processor; argon2_compress is faster where it can be. */
void argon2_compress_plain(const Argon2Block *prev, const Argon2Block *ref, Argon2Block *next,
                           bool is_xor);
