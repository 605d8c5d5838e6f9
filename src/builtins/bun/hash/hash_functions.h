/* bun/hash/hash_functions.h -- the hash functions of bun:hash, over bytes; little-endian. */
#pragma once

#include "util/base.h"

#include <string.h>

/* Numbers as they lie in memory, at any address. */
static inline u32 read4(const u8 *p)
{
    u32 v;
    memcpy(&v, p, sizeof v);
    return v;
}

static inline u64 read8(const u8 *p)
{
    u64 v;
    memcpy(&v, p, sizeof v);
    return v;
}

u64 hash_wy(const u8 *p, usize n, u64 seed);
u64 hash_rapid(const u8 *p, usize n, u64 seed);
u32 hash_city32(const u8 *p, usize n);
u64 hash_city64_seeded(const u8 *p, usize n, u64 seed);
u32 hash_xx32(const u8 *p, usize n, u32 seed);
u64 hash_xx3(const u8 *p, usize n, u64 seed);
u64 hash_xx64(const u8 *p, usize n, u64 seed);
u32 hash_murmur32v2(const u8 *p, usize n, u32 seed);
u32 hash_murmur32v3(const u8 *p, usize n, u32 seed);
u64 hash_murmur64v2(const u8 *p, usize n, u64 seed);
