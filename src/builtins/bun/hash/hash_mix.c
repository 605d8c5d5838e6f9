/* bun/hash/hash_mix.c -- Wyhash and rapidhash: products of 128 bits folded. */
#include "builtins/bun/hash/hash_functions.h"

static u64 mix(u64 a, u64 b)
{
    unsigned __int128 m = (unsigned __int128)a * b;
    return (u64)m ^ (u64)(m >> 64);
}

static void multiply(u64 *a, u64 *b)
{
    unsigned __int128 m = (unsigned __int128)*a * *b;
    *a = (u64)m;
    *b = (u64)(m >> 64);
}

static const u64 wy_secret[4] = {0xa0761d6478bd642f, 0xe7037ed1a0b428db, 0x8ebc6af09c88c6e3,
                                 0x589965cc75374cc3};

static void wy_small(const u8 *p, usize n, u64 *a, u64 *b)
{
    *a = *b = 0;
    if (n >= 4) {
        usize end = n - 4, quarter = (n >> 3) << 2;
        *a = (u64)read4(p) << 32 | read4(p + quarter);
        *b = (u64)read4(p + end) << 32 | read4(p + end - quarter);
    } else if (n) {
        *a = (u64)p[0] << 16 | (u64)p[n >> 1] << 8 | p[n - 1];
    }
}

u64 hash_wy(const u8 *p, usize n, u64 seed)
{
    u64 start = seed ^ mix(seed ^ wy_secret[0], wy_secret[1]);
    u64 s[3] = {start, start, start}, a, b;
    if (n <= 16) {
        wy_small(p, n, &a, &b);
    } else {
        usize i = 0;
        if (n >= 48) {
            for (; i + 48 < n; i += 48) {
                for (usize k = 0; k < 3; k++) {
                    const u8 *at = p + i + 16 * k;
                    s[k] = mix(read8(at) ^ wy_secret[k + 1], read8(at + 8) ^ s[k]);
                }
            }
            s[0] ^= s[1] ^ s[2];
        }
        for (; i + 16 < n; i += 16)
            s[0] = mix(read8(p + i) ^ wy_secret[1], read8(p + i + 8) ^ s[0]);
        a = read8(p + n - 16);
        b = read8(p + n - 8);
    }
    a ^= wy_secret[1];
    b ^= s[0];
    multiply(&a, &b);
    return mix(a ^ wy_secret[0] ^ n, b ^ wy_secret[1]);
}

static const u64 rapid_secret[3] = {0x2d358dccaa6c78a5, 0x8bb84b93962eacc9, 0x4b33a62ed433d4a3};

/* More than 16 bytes: returns the seed; the last 16 bytes are the caller's. */
static u64 rapid_long(const u8 *p, usize n, u64 seed)
{
    const u64 *s = rapid_secret;
    if (n > 48) {
        u64 one = seed, two = seed;
        for (; n >= 48; n -= 48, p += 48) {
            seed = mix(read8(p) ^ s[0], read8(p + 8) ^ seed);
            one = mix(read8(p + 16) ^ s[1], read8(p + 24) ^ one);
            two = mix(read8(p + 32) ^ s[2], read8(p + 40) ^ two);
        }
        seed ^= one ^ two;
    }
    if (n > 16) seed = mix(read8(p) ^ s[2], read8(p + 8) ^ seed ^ s[1]);
    if (n > 32) seed = mix(read8(p + 16) ^ s[2], read8(p + 24) ^ seed);
    return seed;
}

u64 hash_rapid(const u8 *p, usize n, u64 seed)
{
    const u64 *s = rapid_secret;
    u64 a = 0, b = 0;
    seed ^= mix(seed ^ s[0], s[1]) ^ n;
    if (n > 16) {
        seed = rapid_long(p, n, seed);
        a = read8(p + n - 16);
        b = read8(p + n - 8);
    } else if (n >= 4) {
        usize delta = (n & 24) >> (n >> 3);
        const u8 *last = p + n - 4;
        a = (u64)read4(p) << 32 | read4(last);
        b = (u64)read4(p + delta) << 32 | read4(last - delta);
    } else if (n) {
        a = (u64)p[0] << 56 | (u64)p[n >> 1] << 32 | p[n - 1];
    }
    a ^= s[1];
    b ^= seed;
    multiply(&a, &b);
    return mix(a ^ s[0] ^ n, b ^ s[1]);
}
