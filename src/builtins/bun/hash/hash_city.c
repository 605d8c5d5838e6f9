/* bun/hash/hash_city.c -- CityHash 1.1. */
#include "builtins/bun/hash/hash_functions.h"

#define K0 0xc3a5c85c97cb3127ull
#define K1 0xb492b66fbe98f273ull
#define K2 0x9ae16a3b2f90404full
#define C1 0xcc9e2d51u
#define C2 0x1b873593u

static u32 rotr32(u32 v, u32 n)
{
    return n ? v >> n | v << (32 - n) : v;
}

static u64 rotr64(u64 v, u32 n)
{
    return n ? v >> n | v << (64 - n) : v;
}

/* ---- 32 bits */

static u32 final32(u32 h)
{
    h = (h ^ h >> 16) * 0x85ebca6b;
    h = (h ^ h >> 13) * 0xc2b2ae35;
    return h ^ h >> 16;
}

static u32 mur(u32 a, u32 h)
{
    a = rotr32(a * C1, 17) * C2;
    return rotr32(h ^ a, 19) * 5 + 0xe6546b64;
}

static u32 city32_small(const u8 *p, usize n)
{
    u32 len = (u32)n;
    if (n <= 4) {
        u32 b = 0, c = 9;
        for (usize i = 0; i < n; i++) {
            u32 v = p[i] | (p[i] >= 128 ? 0xffffff00u : 0); /* signed characters */
            b = b * C1 + v;
            c ^= b;
        }
        return final32(mur(b, mur(len, c)));
    }
    if (n <= 12) {
        u32 a = len + read4(p), b = len * 5 + read4(p + n - 4);
        u32 c = 9 + read4(p + ((n >> 1) & 4)), d = len * 5;
        return final32(mur(c, mur(b, mur(a, d))));
    }
    u32 a = read4(p + (n >> 1) - 4), b = read4(p + 4), c = read4(p + n - 8);
    u32 d = read4(p + (n >> 1)), e = read4(p), f = read4(p + n - 4);
    return final32(mur(f, mur(e, mur(d, mur(c, mur(b, mur(a, len)))))));
}

static u32 swap32(u32 v)
{
    return __builtin_bswap32(v);
}

u32 hash_city32(const u8 *p, usize n)
{
    if (n <= 24) return city32_small(p, n);
    u32 h = (u32)n, g = C1 * h, f = g;
    u32 a0 = rotr32(read4(p + n - 4) * C1, 17) * C2, a1 = rotr32(read4(p + n - 8) * C1, 17) * C2;
    u32 a2 = rotr32(read4(p + n - 16) * C1, 17) * C2, a3 = rotr32(read4(p + n - 12) * C1, 17) * C2;
    u32 a4 = rotr32(read4(p + n - 20) * C1, 17) * C2;
    h = rotr32(h ^ a0, 19) * 5 + 0xe6546b64;
    h = rotr32(h ^ a2, 19) * 5 + 0xe6546b64;
    g = rotr32(g ^ a1, 19) * 5 + 0xe6546b64;
    g = rotr32(g ^ a3, 19) * 5 + 0xe6546b64;
    f = rotr32(f + a4, 19) * 5 + 0xe6546b64;
    for (usize rounds = (n - 1) / 20; rounds > 0; rounds--, p += 20) {
        u32 b0 = rotr32(read4(p) * C1, 17) * C2, b1 = read4(p + 4);
        u32 b2 = rotr32(read4(p + 8) * C1, 17) * C2, b3 = rotr32(read4(p + 12) * C1, 17) * C2;
        u32 b4 = read4(p + 16);
        h = rotr32(h ^ b0, 18) * 5 + 0xe6546b64;
        f = rotr32(f + b1, 19) * C1;
        g = rotr32(g + b2, 18) * 5 + 0xe6546b64;
        h = rotr32(h ^ (b3 + b1), 19) * 5 + 0xe6546b64;
        g = swap32(g ^ b4) * 5;
        h = swap32(h + b4 * 5);
        f += b0;
        u32 old = f; /* the three change places */
        f = g;
        g = h;
        h = old;
    }
    g = rotr32(rotr32(g, 11) * C1, 17) * C1;
    f = rotr32(rotr32(f, 11) * C1, 17) * C1;
    h = rotr32(h + g, 19) * 5 + 0xe6546b64;
    h = rotr32(h, 17) * C1;
    h = rotr32(h + f, 19) * 5 + 0xe6546b64;
    return rotr32(h, 17) * C1;
}

/* ---- 64 bits */

static u64 shift_mix(u64 v)
{
    return v ^ v >> 47;
}

static u64 hash16_mul(u64 low, u64 high, u64 mul)
{
    u64 a = shift_mix((low ^ high) * mul);
    return shift_mix((high ^ a) * mul) * mul;
}

static u64 hash16(u64 low, u64 high)
{
    return hash16_mul(low, high, 0x9ddfea08eb382d69ull);
}

static u64 city64_small(const u8 *p, usize n)
{
    u64 mul = K2 + n * 2;
    if (n >= 8) {
        u64 a = read8(p) + K2, b = read8(p + n - 8);
        u64 c = rotr64(b, 37) * mul + a, d = (rotr64(a, 25) + b) * mul;
        return hash16_mul(c, d, mul);
    }
    if (n >= 4) {
        u64 a = read4(p);
        return hash16_mul(n + (a << 3), read4(p + n - 4), mul);
    }
    if (!n) return K2;
    u32 y = p[0] + ((u32)p[n >> 1] << 8), z = (u32)n + ((u32)p[n - 1] << 2);
    return shift_mix(y * K2 ^ z * K0) * K2;
}

static u64 city64_32(const u8 *p, usize n)
{
    u64 mul = K2 + n * 2, a = read8(p) * K1, b = read8(p + 8);
    u64 c = read8(p + n - 8) * mul, d = read8(p + n - 16) * K2;
    return hash16_mul(rotr64(a + b, 43) + rotr64(c, 30) + d, a + rotr64(b + K2, 18) + c, mul);
}

static u64 city64_64(const u8 *p, usize n)
{
    u64 mul = K2 + n * 2, a = read8(p) * K2, b = read8(p + 8);
    u64 c = read8(p + n - 24), d = read8(p + n - 32), e = read8(p + 16) * K2;
    u64 f = read8(p + 24) * 9, g = read8(p + n - 8), h = read8(p + n - 16) * mul;
    u64 u = rotr64(a + g, 43) + (rotr64(b, 30) + c) * 9, v = ((a + g) ^ d) + f + 1;
    u64 w = __builtin_bswap64((u + v) * mul) + h, x = rotr64(e + f, 42) + c;
    u64 y = (__builtin_bswap64((v + w) * mul) + g) * mul, z = e + f + c;
    a = __builtin_bswap64((x + z) * mul + y) + b;
    b = shift_mix((z + a) * mul + d + h) * mul;
    return b + x;
}

typedef struct {
    u64 first, second;
} Pair;

static Pair weak32(const u8 *p, u64 a, u64 b)
{
    u64 w = read8(p), x = read8(p + 8), y = read8(p + 16), z = read8(p + 24);
    a += w;
    b = rotr64(b + a + z, 21);
    u64 c = a;
    a += x + y;
    b += rotr64(a, 44);
    return (Pair){a + z, b + c};
}

static u64 city64(const u8 *p, usize n)
{
    if (n <= 16) return city64_small(p, n);
    if (n <= 32) return city64_32(p, n);
    if (n <= 64) return city64_64(p, n);
    u64 x = read8(p + n - 40), y = read8(p + n - 16) + read8(p + n - 56);
    u64 z = hash16(read8(p + n - 48) + n, read8(p + n - 24));
    Pair v = weak32(p + n - 64, n, z), w = weak32(p + n - 32, y + K1, x);
    x = x * K1 + read8(p);
    for (usize left = (n - 1) & ~(usize)63; left > 0; left -= 64, p += 64) {
        x = rotr64(x + y + v.first + read8(p + 8), 37) * K1;
        y = rotr64(y + v.second + read8(p + 48), 42) * K1;
        x ^= w.second;
        y += v.first + read8(p + 40);
        z = rotr64(z + w.first, 33) * K1;
        v = weak32(p, v.second * K1, x + w.first);
        w = weak32(p + 32, z + w.second, y + read8(p + 16));
        u64 old = z;
        z = x;
        x = old;
    }
    return hash16(hash16(v.first, w.first) + shift_mix(y) * K1 + z, hash16(v.second, w.second) + x);
}

u64 hash_city64_seeded(const u8 *p, usize n, u64 seed)
{
    return hash16(city64(p, n) - K2, seed);
}
