/* bun/hash/hash_xx.c -- xxHash and MurmurHash. */
#include "builtins/bun/hash/hash_functions.h"

static u32 rotl32(u32 v, u32 n)
{
    return v << n | v >> (32 - n);
}

static u64 rotl64(u64 v, u32 n)
{
    return v << n | v >> (64 - n);
}

#define X1 2654435761u
#define X2 2246822519u
#define X3 3266489917u
#define X4 668265263u
#define X5 374761393u

u32 hash_xx32(const u8 *p, usize n, u32 seed)
{
    const u8 *end = p + n;
    u32 h = seed + X5;
    if (n >= 16) {
        u32 v[4] = {seed + X1 + X2, seed + X2, seed, seed - X1};
        for (; end - p >= 16; p += 16) {
            for (u32 i = 0; i < 4; i++) v[i] = rotl32(v[i] + read4(p + 4 * i) * X2, 13) * X1;
        }
        h = rotl32(v[0], 1) + rotl32(v[1], 7) + rotl32(v[2], 12) + rotl32(v[3], 18);
    }
    h += (u32)n;
    for (; end - p >= 4; p += 4) h = rotl32(h + read4(p) * X3, 17) * X4;
    for (; p < end; p++) h = rotl32(h + *p * X5, 11) * X1;
    h = (h ^ h >> 15) * X2;
    h = (h ^ h >> 13) * X3;
    return h ^ h >> 16;
}

#define Y1 0x9e3779b185ebca87ull
#define Y2 0xc2b2ae3d27d4eb4full
#define Y3 0x165667b19e3779f9ull
#define Y4 0x85ebca77c2b2ae63ull
#define Y5 0x27d4eb2f165667c5ull

static u64 xx_round(u64 acc, u64 v)
{
    return rotl64(acc + v * Y2, 31) * Y1;
}

u64 hash_xx64(const u8 *p, usize n, u64 seed)
{
    const u8 *end = p + n;
    u64 h = seed + Y5;
    if (n >= 32) {
        u64 v[4] = {seed + Y1 + Y2, seed + Y2, seed, seed - Y1};
        for (; end - p >= 32; p += 32) {
            for (u32 i = 0; i < 4; i++) v[i] = xx_round(v[i], read8(p + 8 * i));
        }
        h = rotl64(v[0], 1) + rotl64(v[1], 7) + rotl64(v[2], 12) + rotl64(v[3], 18);
        for (u32 i = 0; i < 4; i++) h = (h ^ xx_round(0, v[i])) * Y1 + Y4;
    }
    h += n;
    for (; end - p >= 8; p += 8) h = rotl64(h ^ xx_round(0, read8(p)), 27) * Y1 + Y4;
    if (end - p >= 4) {
        h = rotl64(h ^ read4(p) * Y1, 23) * Y2 + Y3;
        p += 4;
    }
    for (; p < end; p++) h = rotl64(h ^ *p * Y5, 11) * Y1;
    h = (h ^ h >> 33) * Y2;
    h = (h ^ h >> 29) * Y3;
    return h ^ h >> 32;
}

u32 hash_murmur32v3(const u8 *p, usize n, u32 seed)
{
    const u32 c1 = 0xcc9e2d51, c2 = 0x1b873593;
    u32 h = seed, k = 0;
    usize i = 0;
    for (; i + 4 <= n; i += 4) {
        k = rotl32(read4(p + i) * c1, 15) * c2;
        h = rotl32(h ^ k, 13) * 5 + 0xe6546b64;
    }
    k = 0;
    for (usize j = n; j > i; j--) k = k << 8 | p[j - 1];
    if (n > i) h ^= rotl32(k * c1, 15) * c2;
    h ^= (u32)n;
    h = (h ^ h >> 16) * 0x85ebca6b;
    h = (h ^ h >> 13) * 0xc2b2ae35;
    return h ^ h >> 16;
}

u32 hash_murmur32v2(const u8 *p, usize n, u32 seed)
{
    const u32 m = 0x5bd1e995;
    u32 h = seed ^ (u32)n, tail = 0;
    usize i = 0;
    for (; i + 4 <= n; i += 4) {
        u32 k = read4(p + i) * m;
        h = h * m ^ (k ^ k >> 24) * m;
    }
    for (usize j = n; j > i; j--) tail = tail << 8 | p[j - 1];
    if (n > i) h = (h ^ tail) * m;
    h = (h ^ h >> 13) * m;
    return h ^ h >> 15;
}

u64 hash_murmur64v2(const u8 *p, usize n, u64 seed)
{
    const u64 m = 0xc6a4a7935bd1e995;
    u64 h = seed ^ n * m, tail = 0;
    usize i = 0;
    for (; i + 8 <= n; i += 8) {
        u64 k = read8(p + i) * m;
        h = (h ^ (k ^ k >> 47) * m) * m;
    }
    for (usize j = n; j > i; j--) tail = tail << 8 | p[j - 1];
    if (n > i) h = (h ^ tail) * m;
    h = (h ^ h >> 47) * m;
    return h ^ h >> 47;
}
