/* web/crypto/ml_kem_poly.c -- arithmetic, packing and sampling of ML-KEM.  No division and no
 * branch depends on a number that may be secret. */
#include "builtins/web/crypto/ml_kem_poly.h"

#include <string.h>

#include "builtins/web/crypto/keccak.h"

enum { ROOT = 17, HALF_INVERSE = 3303 /* 1/128 */, BARRETT = 5039 /* 2^24 / q */ };

/* a mod q for a < 2q. */
static u16 reduce_once(u32 a)
{
    u32 less = a - KEM_Q;
    return (u16)(less + (KEM_Q & (0 - (less >> 31))));
}

/* a mod q for a < q * q. */
static u16 reduce(u32 a)
{
    u32 quotient = (u32)((u64)a * BARRETT >> 24);
    return reduce_once(a - quotient * KEM_Q);
}

/* 17 to the power of the seven bits of the index in reverse. */
static const u16 roots[KEM_N / 2] = {
    1,    1729, 2580, 3289, 2642, 630,  1897, 848,  1062, 1919, 193,  797,  2786, 3260, 569,  1746,
    296,  2447, 1339, 1476, 3046, 56,   2240, 1333, 1426, 2094, 535,  2882, 2393, 2879, 1974, 821,
    289,  331,  3253, 1756, 1197, 2304, 2277, 2055, 650,  1977, 2513, 632,  2865, 33,   1320, 1915,
    2319, 1435, 807,  452,  1438, 2868, 1534, 2402, 2647, 2617, 1481, 648,  2474, 3110, 1227, 910,
    17,   2761, 583,  2649, 1637, 723,  2288, 1100, 1409, 2662, 3281, 233,  756,  2156, 3015, 3050,
    1703, 1651, 2789, 1789, 1847, 952,  1461, 2687, 939,  2308, 2437, 2388, 733,  2337, 268,  641,
    1584, 2298, 2037, 3220, 375,  2549, 2090, 1645, 1063, 319,  2773, 757,  2099, 561,  2466, 2594,
    2804, 1092, 403,  1026, 1143, 2150, 2775, 886,  1722, 1212, 1874, 1029, 2110, 2935, 885,  2154,
};

void kem_ntt(KemPoly *f)
{
    u32 k = 1;
    for (u32 len = 128; len >= 2; len /= 2) {
        for (u32 start = 0; start < KEM_N; start += 2 * len) {
            u32 zeta = roots[k++];
            for (u32 j = start; j < start + len; j++) {
                u16 t = reduce(zeta * f->at[j + len]);
                f->at[j + len] = reduce_once((u32)f->at[j] + KEM_Q - t);
                f->at[j] = reduce_once((u32)f->at[j] + t);
            }
        }
    }
}

void kem_inverse_ntt(KemPoly *f)
{
    u32 k = 127;
    for (u32 len = 2; len <= 128; len *= 2) {
        for (u32 start = 0; start < KEM_N; start += 2 * len) {
            u32 zeta = roots[k--];
            for (u32 j = start; j < start + len; j++) {
                u16 t = f->at[j];
                f->at[j] = reduce_once((u32)t + f->at[j + len]);
                f->at[j + len] = reduce(zeta * reduce_once((u32)f->at[j + len] + KEM_Q - t));
            }
        }
    }
    for (u32 i = 0; i < KEM_N; i++) f->at[i] = reduce((u32)f->at[i] * HALF_INVERSE);
}

void kem_add(KemPoly *f, const KemPoly *g)
{
    for (u32 i = 0; i < KEM_N; i++) f->at[i] = reduce_once((u32)f->at[i] + g->at[i]);
}

void kem_subtract(KemPoly *f, const KemPoly *g)
{
    for (u32 i = 0; i < KEM_N; i++) f->at[i] = reduce_once((u32)f->at[i] + KEM_Q - g->at[i]);
}

void kem_add_product(KemPoly *f, const KemPoly *a, const KemPoly *b)
{
    for (u32 i = 0; i < KEM_N / 2; i++) {
        u32 zeta = roots[i];
        u32 gamma = reduce(reduce(zeta * zeta) * ROOT);
        u32 a0 = a->at[2 * i], a1 = a->at[2 * i + 1];
        u32 b0 = b->at[2 * i], b1 = b->at[2 * i + 1];
        u32 even = reduce(a0 * b0) + reduce(reduce(a1 * b1) * gamma);
        u32 odd = reduce(a0 * b1) + reduce(a1 * b0);
        f->at[2 * i] = reduce_once((u32)f->at[2 * i] + reduce_once(even));
        f->at[2 * i + 1] = reduce_once((u32)f->at[2 * i + 1] + reduce_once(odd));
    }
}

void kem_encode(const KemPoly *f, u32 bits, u8 *out)
{
    u32 held = 0, have = 0;
    for (u32 i = 0; i < KEM_N; i++) {
        held |= (u32)f->at[i] << have;
        for (have += bits; have >= 8; have -= 8, held >>= 8) *out++ = (u8)held;
    }
}

void kem_decode(KemPoly *f, u32 bits, const u8 *p)
{
    u32 held = 0, have = 0;
    for (u32 i = 0; i < KEM_N; i++) {
        for (; have < bits; have += 8) held |= (u32)*p++ << have;
        f->at[i] = (u16)(held & ((1U << bits) - 1));
        held >>= bits;
        have -= bits;
    }
}

bool kem_is_reduced(const KemPoly *f)
{
    for (u32 i = 0; i < KEM_N; i++) {
        if (f->at[i] >= KEM_Q) return false;
    }
    return true;
}

/* round(2^bits / q * x) mod 2^bits, without a division: its time would tell x. */
void kem_compress(KemPoly *f, u32 bits)
{
    for (u32 i = 0; i < KEM_N; i++) {
        u32 dividend = (u32)f->at[i] << bits;
        u32 quotient = (u32)((u64)dividend * BARRETT >> 24);
        u32 rest = dividend - quotient * KEM_Q;
        quotient += (KEM_Q / 2 - rest) >> 31;
        quotient += (KEM_Q + KEM_Q / 2 - rest) >> 31;
        f->at[i] = (u16)(quotient & ((1U << bits) - 1));
    }
}

void kem_decompress(KemPoly *f, u32 bits)
{
    for (u32 i = 0; i < KEM_N; i++) {
        f->at[i] = (u16)(((u32)f->at[i] * KEM_Q + (1U << (bits - 1))) >> bits);
    }
}

void kem_sample_uniform(KemPoly *f, const u8 *rho, u8 x, u8 y)
{
    Keccak k;
    shake128_begin(&k);
    keccak_absorb(&k, rho, 32);
    keccak_absorb(&k, (u8[]){x, y}, 2);
    keccak_finish(&k);
    for (u32 n = 0; n < KEM_N;) {
        u8 b[3];
        keccak_squeeze(&k, b, sizeof b);
        u32 first = b[0] | (b[1] & 15U) << 8, second = b[1] >> 4 | (u32)b[2] << 4;
        if (first < KEM_Q) f->at[n++] = (u16)first;
        if (second < KEM_Q && n < KEM_N) f->at[n++] = (u16)second;
    }
}

static u32 count_bits(const u8 *p, u32 at, u32 n)
{
    u32 sum = 0;
    for (u32 i = at; i < at + n; i++) sum += (u32)p[i / 8] >> i % 8 & 1U;
    return sum;
}

void kem_sample_noise(KemPoly *f, u32 eta, const u8 *seed, u8 nonce)
{
    u8 bytes[64 * 3];
    Keccak k;
    shake256_begin(&k);
    keccak_absorb(&k, seed, 32);
    keccak_absorb(&k, &nonce, 1);
    keccak_finish(&k);
    keccak_squeeze(&k, bytes, (usize)64 * eta);
    for (u32 i = 0; i < KEM_N; i++) {
        u32 x = count_bits(bytes, 2 * i * eta, eta), y = count_bits(bytes, 2 * i * eta + eta, eta);
        f->at[i] = reduce_once(x + KEM_Q - y);
    }
    explicit_bzero(bytes, sizeof bytes);
    explicit_bzero(&k, sizeof k);
}
