/* bun/password/argon2_block.c -- the compression function G of Argon2 (RFC 9106, 3.5): BLAKE2b's
 * round with a multiplication, over the rows and then the columns of 8 x 8 registers of 16 bytes.
 * Twice: for any processor, and with AVX2, four words at a time. */
#include "builtins/bun/password/argon2.h"

#include <string.h>

static u64 rotate(u64 x, u32 n)
{
    return x >> n | x << (64 - n);
}

static u64 add_mul(u64 x, u64 y)
{
    return x + y + 2 * (u64)(u32)x * (u32)y;
}

static void mix(u64 *a, u64 *b, u64 *c, u64 *d)
{
    *a = add_mul(*a, *b), *d = rotate(*d ^ *a, 32);
    *c = add_mul(*c, *d), *b = rotate(*b ^ *c, 24);
    *a = add_mul(*a, *b), *d = rotate(*d ^ *a, 16);
    *c = add_mul(*c, *d), *b = rotate(*b ^ *c, 63);
}

/* Register k of the round stands at v[k * step]. */
static void round_plain(u64 *v, u32 step)
{
    u64 *r[16];
    for (u32 i = 0; i < 8; i++) r[2 * i] = v + i * step, r[2 * i + 1] = v + i * step + 1;
    for (u32 i = 0; i < 4; i++) mix(r[i], r[4 + i], r[8 + i], r[12 + i]);
    for (u32 i = 0; i < 4; i++)
        mix(r[i], r[4 + (i + 1) % 4], r[8 + (i + 2) % 4], r[12 + (i + 3) % 4]);
}

void argon2_compress_plain(const Argon2Block *prev, const Argon2Block *ref, Argon2Block *next,
                           bool is_xor)
{
    Argon2Block r, z;
    for (u32 i = 0; i < ARGON2_WORDS; i++) r.v[i] = prev->v[i] ^ ref->v[i];
    z = r;
    for (u32 i = 0; i < 8; i++) round_plain(z.v + 16 * i, 2);
    for (u32 i = 0; i < 8; i++) round_plain(z.v + 2 * i, 16);
    for (u32 i = 0; i < ARGON2_WORDS; i++) next->v[i] = z.v[i] ^ r.v[i] ^ (is_xor ? next->v[i] : 0);
}

#ifdef __x86_64__

#include <immintrin.h>

#define AVX2   __attribute__((target("avx2")))
#define INLINE __attribute__((target("avx2"), always_inline)) static inline

/* Four of BLAKE2b's quadruples at a time. */
typedef struct {
    __m256i a, b, c, d;
} Four;

INLINE __m256i wide_add_mul(__m256i x, __m256i y)
{
    __m256i product = _mm256_mul_epu32(x, y);
    return _mm256_add_epi64(_mm256_add_epi64(x, y), _mm256_add_epi64(product, product));
}

INLINE void wide_mix(Four *f)
{
    const __m256i by24 = _mm256_setr_epi8(3, 4, 5, 6, 7, 0, 1, 2, 11, 12, 13, 14, 15, 8, 9, 10, 3,
                                          4, 5, 6, 7, 0, 1, 2, 11, 12, 13, 14, 15, 8, 9, 10);
    const __m256i by16 = _mm256_setr_epi8(2, 3, 4, 5, 6, 7, 0, 1, 10, 11, 12, 13, 14, 15, 8, 9, 2,
                                          3, 4, 5, 6, 7, 0, 1, 10, 11, 12, 13, 14, 15, 8, 9);
    f->a = wide_add_mul(f->a, f->b);
    f->d = _mm256_shuffle_epi32(_mm256_xor_si256(f->d, f->a), 0xb1);
    f->c = wide_add_mul(f->c, f->d);
    f->b = _mm256_shuffle_epi8(_mm256_xor_si256(f->b, f->c), by24);
    f->a = wide_add_mul(f->a, f->b);
    f->d = _mm256_shuffle_epi8(_mm256_xor_si256(f->d, f->a), by16);
    f->c = wide_add_mul(f->c, f->d);
    __m256i x = _mm256_xor_si256(f->b, f->c);
    f->b = _mm256_xor_si256(_mm256_srli_epi64(x, 63), _mm256_add_epi64(x, x));
}

INLINE void wide_round(Four *f)
{
    wide_mix(f);
    f->b = _mm256_permute4x64_epi64(f->b, 0x39);
    f->c = _mm256_permute4x64_epi64(f->c, 0x4e);
    f->d = _mm256_permute4x64_epi64(f->d, 0x93);
    wide_mix(f);
    f->b = _mm256_permute4x64_epi64(f->b, 0x93);
    f->c = _mm256_permute4x64_epi64(f->c, 0x4e);
    f->d = _mm256_permute4x64_epi64(f->d, 0x39);
}

INLINE __m256i load(const u64 *p)
{
    return _mm256_loadu_si256((const __m256i *)(const void *)p);
}

INLINE void store(u64 *p, __m256i v)
{
    _mm256_storeu_si256((__m256i *)(void *)p, v);
}

/* Two registers of a column, which stand 16 words apart. */
INLINE __m256i load_pair(const u64 *p)
{
    __m128i low = _mm_loadu_si128((const __m128i *)(const void *)p);
    __m128i high = _mm_loadu_si128((const __m128i *)(const void *)(p + 16));
    return _mm256_inserti128_si256(_mm256_castsi128_si256(low), high, 1);
}

INLINE void store_pair(u64 *p, __m256i v)
{
    _mm_storeu_si128((__m128i *)(void *)p, _mm256_castsi256_si128(v));
    _mm_storeu_si128((__m128i *)(void *)(p + 16), _mm256_extracti128_si256(v, 1));
}

AVX2 static void compress_avx2(const Argon2Block *prev, const Argon2Block *ref, Argon2Block *next,
                               bool is_xor)
{
    Argon2Block r, z;
    for (u32 i = 0; i < ARGON2_WORDS; i += 4)
        store(r.v + i, _mm256_xor_si256(load(prev->v + i), load(ref->v + i)));
    for (u32 i = 0; i < ARGON2_WORDS; i += 16) {
        const u64 *from = r.v + i;
        Four f = {load(from), load(from + 4), load(from + 8), load(from + 12)};
        wide_round(&f);
        store(z.v + i, f.a), store(z.v + i + 4, f.b);
        store(z.v + i + 8, f.c), store(z.v + i + 12, f.d);
    }
    for (u32 i = 0; i < 16; i += 2) {
        u64 *p = z.v + i;
        Four f = {load_pair(p), load_pair(p + 32), load_pair(p + 64), load_pair(p + 96)};
        wide_round(&f);
        store_pair(p, f.a), store_pair(p + 32, f.b);
        store_pair(p + 64, f.c), store_pair(p + 96, f.d);
    }
    for (u32 i = 0; i < ARGON2_WORDS; i += 4) {
        __m256i v = _mm256_xor_si256(load(z.v + i), load(r.v + i));
        store(next->v + i, is_xor ? _mm256_xor_si256(v, load(next->v + i)) : v);
    }
}

#endif

void argon2_compress(const Argon2Block *prev, const Argon2Block *ref, Argon2Block *next,
                     bool is_xor)
{
#ifdef __x86_64__
    if (__builtin_cpu_supports("avx2")) {
        compress_avx2(prev, ref, next, is_xor);
        return;
    }
#endif
    argon2_compress_plain(prev, ref, next, is_xor);
}
