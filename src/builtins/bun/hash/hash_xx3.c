/* bun/hash/hash_xx3.c -- XXH3, 64 bits (the xxHash specification of version 0.8). */
#include "builtins/bun/hash/hash_functions.h"

#include <string.h>

enum { SECRET_SIZE = 192, STRIPE = 64, STRIPES_OF_BLOCK = 16 };

static const u64 X1 = 0x9e3779b185ebca87, X2 = 0xc2b2ae3d27d4eb4f, X3 = 0x165667b19e3779f9,
                 X4 = 0x85ebca77c2b2ae63, X5 = 0x27d4eb2f165667c5;
static const u64 S1 = 0x9e3779b1, S2 = 0x85ebca77, S3 = 0xc2b2ae3d;

static const u8 default_secret[SECRET_SIZE] = {
    0xb8, 0xfe, 0x6c, 0x39, 0x23, 0xa4, 0x4b, 0xbe, 0x7c, 0x01, 0x81, 0x2c, 0xf7, 0x21, 0xad, 0x1c,
    0xde, 0xd4, 0x6d, 0xe9, 0x83, 0x90, 0x97, 0xdb, 0x72, 0x40, 0xa4, 0xa4, 0xb7, 0xb3, 0x67, 0x1f,
    0xcb, 0x79, 0xe6, 0x4e, 0xcc, 0xc0, 0xe5, 0x78, 0x82, 0x5a, 0xd0, 0x7d, 0xcc, 0xff, 0x72, 0x21,
    0xb8, 0x08, 0x46, 0x74, 0xf7, 0x43, 0x24, 0x8e, 0xe0, 0x35, 0x90, 0xe6, 0x81, 0x3a, 0x26, 0x4c,
    0x3c, 0x28, 0x52, 0xbb, 0x91, 0xc3, 0x00, 0xcb, 0x88, 0xd0, 0x65, 0x8b, 0x1b, 0x53, 0x2e, 0xa3,
    0x71, 0x64, 0x48, 0x97, 0xa2, 0x0d, 0xf9, 0x4e, 0x38, 0x19, 0xef, 0x46, 0xa9, 0xde, 0xac, 0xd8,
    0xa8, 0xfa, 0x76, 0x3f, 0xe3, 0x9c, 0x34, 0x3f, 0xf9, 0xdc, 0xbb, 0xc7, 0xc7, 0x0b, 0x4f, 0x1d,
    0x8a, 0x51, 0xe0, 0x4b, 0xcd, 0xb4, 0x59, 0x31, 0xc8, 0x9f, 0x7e, 0xc9, 0xd9, 0x78, 0x73, 0x64,
    0xea, 0xc5, 0xac, 0x83, 0x34, 0xd3, 0xeb, 0xc3, 0xc5, 0x81, 0xa0, 0xff, 0xfa, 0x13, 0x63, 0xeb,
    0x17, 0x0d, 0xdd, 0x51, 0xb7, 0xf0, 0xda, 0x49, 0xd3, 0x16, 0x55, 0x26, 0x29, 0xd4, 0x68, 0x9e,
    0x2b, 0x16, 0xbe, 0x58, 0x7d, 0x47, 0xa1, 0xfc, 0x8f, 0xf8, 0xb8, 0xd1, 0x7a, 0xd0, 0x31, 0xce,
    0x45, 0xcb, 0x3a, 0x8f, 0x95, 0x16, 0x04, 0x28, 0xaf, 0xd7, 0xfb, 0xca, 0xbb, 0x4b, 0x40, 0x7e};

static u64 rotl64(u64 v, u32 n)
{
    return v << n | v >> (64 - n);
}

static u64 fold(u64 a, u64 b)
{
    unsigned __int128 m = (unsigned __int128)a * b;
    return (u64)m ^ (u64)(m >> 64);
}

static u64 avalanche(u64 h)
{
    h = (h ^ h >> 37) * 0x165667919e3779f9;
    return h ^ h >> 32;
}

static u64 avalanche_of_xx64(u64 h)
{
    h = (h ^ h >> 33) * X2;
    h = (h ^ h >> 29) * X3;
    return h ^ h >> 32;
}

static u64 mix16(const u8 *p, const u8 *secret, u64 seed)
{
    return fold(read8(p) ^ (read8(secret) + seed), read8(p + 8) ^ (read8(secret + 8) - seed));
}

static u64 hash_to_16(const u8 *p, usize n, u64 seed)
{
    const u8 *s = default_secret;
    if (n > 8) {
        u64 low = read8(p) ^ ((read8(s + 24) ^ read8(s + 32)) + seed);
        u64 high = read8(p + n - 8) ^ ((read8(s + 40) ^ read8(s + 48)) - seed);
        return avalanche(n + __builtin_bswap64(low) + high + fold(low, high));
    }
    if (n >= 4) {
        seed ^= (u64)__builtin_bswap32((u32)seed) << 32;
        u64 both = read4(p + n - 4) + ((u64)read4(p) << 32);
        u64 h = both ^ ((read8(s + 8) ^ read8(s + 16)) - seed);
        h = (h ^ rotl64(h, 49) ^ rotl64(h, 24)) * 0x9fb21c651e98df25;
        h = (h ^ ((h >> 35) + n)) * 0x9fb21c651e98df25;
        return h ^ h >> 28;
    }
    if (!n) return avalanche_of_xx64(seed ^ read8(s + 56) ^ read8(s + 64));
    u32 all = (u32)p[0] << 16 | (u32)p[n >> 1] << 24 | p[n - 1] | (u32)n << 8;
    return avalanche_of_xx64(all ^ ((u64)(read4(s) ^ read4(s + 4)) + seed));
}

static u64 hash_to_128(const u8 *p, usize n, u64 seed)
{
    const u8 *s = default_secret;
    u64 acc = n * X1;
    for (usize i = (n - 1) / 32 + 1; i--;) {
        acc += mix16(p + 16 * i, s + 32 * i, seed);
        acc += mix16(p + n - 16 * (i + 1), s + 32 * i + 16, seed);
    }
    return avalanche(acc);
}

static u64 hash_to_240(const u8 *p, usize n, u64 seed)
{
    const u8 *s = default_secret;
    u64 acc = n * X1;
    for (usize i = 0; i < 8; i++) acc += mix16(p + 16 * i, s + 16 * i, seed);
    acc = avalanche(acc);
    for (usize i = 8; i < n / 16; i++) acc += mix16(p + 16 * i, s + 16 * (i - 8) + 3, seed);
    return avalanche(acc + mix16(p + n - 16, s + 136 - 17, seed));
}

static void add_stripe(u64 acc[8], const u8 *p, const u8 *secret)
{
    for (u32 i = 0; i < 8; i++) {
        u64 value = read8(p + 8 * i), key = value ^ read8(secret + 8 * i);
        acc[i ^ 1] += value;
        acc[i] += (u64)(u32)key * (key >> 32);
    }
}

static void scramble(u64 acc[8], const u8 *secret)
{
    for (u32 i = 0; i < 8; i++) acc[i] = (acc[i] ^ acc[i] >> 47 ^ read8(secret + 8 * i)) * S1;
}

static u64 hash_long(const u8 *p, usize n, u64 seed)
{
    u8 secret[SECRET_SIZE];
    for (u32 i = 0; i < SECRET_SIZE; i += 16) {
        u64 low = read8(default_secret + i) + seed, high = read8(default_secret + i + 8) - seed;
        memcpy(secret + i, &low, sizeof low);
        memcpy(secret + i + 8, &high, sizeof high);
    }
    u64 acc[8] = {S3, X1, X2, X3, X4, S2, X5, S1};
    usize n_stripes = (n - 1) / STRIPE;
    for (usize i = 0; i < n_stripes; i++) {
        add_stripe(acc, p + i * STRIPE, secret + 8 * (i % STRIPES_OF_BLOCK));
        bool is_block = i % STRIPES_OF_BLOCK == STRIPES_OF_BLOCK - 1;
        if (is_block) scramble(acc, secret + SECRET_SIZE - STRIPE);
    }
    add_stripe(acc, p + n - STRIPE, secret + SECRET_SIZE - STRIPE - 7);
    u64 h = n * X1;
    for (u32 i = 0; i < 4; i++) {
        const u8 *s = secret + 11 + 16 * i;
        h += fold(acc[2 * i] ^ read8(s), acc[2 * i + 1] ^ read8(s + 8));
    }
    return avalanche(h);
}

u64 hash_xx3(const u8 *p, usize n, u64 seed)
{
    if (n <= 16) return hash_to_16(p, n, seed);
    if (n <= 128) return hash_to_128(p, n, seed);
    return n <= 240 ? hash_to_240(p, n, seed) : hash_long(p, n, seed);
}
