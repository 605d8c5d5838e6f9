/* bun/hash/hash_functions.h -- the hash functions of bun:hash, over bytes; little-endian. */
#pragma once

#include "util/base.h"

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
