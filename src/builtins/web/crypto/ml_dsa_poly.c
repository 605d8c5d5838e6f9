/* web/crypto/ml_dsa_poly.c -- arithmetic, packing and sampling of ML-DSA. */
#include "builtins/web/crypto/ml_dsa_poly.h"

#include <string.h>

#include "builtins/web/crypto/keccak.h"

/* Products are reduced by Montgomery's way with R = 2^32. */
enum { Q_INVERSE = 58728449 /* 1/q mod R */, SCALE = 41978 /* R*R/256 mod q */ };

/* 1753 to the power of the eight bits of the index in reverse, times R, centered. */
static const i32 roots[DSA_N] = {
    -4186625, 25847,    -2608894, -518909,  237124,   -777960,  -876248,  466468,   1826347,
    2353451,  -359251,  -2091905, 3119733,  -2884855, 3111497,  2680103,  2725464,  1024112,
    -1079900, 3585928,  -549488,  -1119584, 2619752,  -2108549, -2118186, -3859737, -1399561,
    -3277672, 1757237,  -19422,   4010497,  280005,   2706023,  95776,    3077325,  3530437,
    -1661693, -3592148, -2537516, 3915439,  -3861115, -3043716, 3574422,  -2867647, 3539968,
    -300467,  2348700,  -539299,  -1699267, -1643818, 3505694,  -3821735, 3507263,  -2140649,
    -1600420, 3699596,  811944,   531354,   954230,   3881043,  3900724,  -2556880, 2071892,
    -2797779, -3930395, -1528703, -3677745, -3041255, -1452451, 3475950,  2176455,  -1585221,
    -1257611, 1939314,  -4083598, -1000202, -3190144, -3157330, -3632928, 126922,   3412210,
    -983419,  2147896,  2715295,  -2967645, -3693493, -411027,  -2477047, -671102,  -1228525,
    -22981,   -1308169, -381987,  1349076,  1852771,  -1430430, -3343383, 264944,   508951,
    3097992,  44288,    -1100098, 904516,   3958618,  -3724342, -8578,    1653064,  -3249728,
    2389356,  -210977,  759969,   -1316856, 189548,   -3553272, 3159746,  -1851402, -2409325,
    -177440,  1315589,  1341330,  1285669,  -1584928, -812732,  -1439742, -3019102, -3881060,
    -3628969, 3839961,  2091667,  3407706,  2316500,  3817976,  -3342478, 2244091,  -2446433,
    -3562462, 266997,   2434439,  -1235728, 3513181,  -3520352, -3759364, -1197226, -3193378,
    900702,   1859098,  909542,   819034,   495491,   -1613174, -43260,   -522500,  -655327,
    -3122442, 2031748,  3207046,  -3556995, -525098,  -768622,  -3595838, 342297,   286988,
    -2437823, 4108315,  3437287,  -3342277, 1735879,  203044,   2842341,  2691481,  -2590150,
    1265009,  4055324,  1247620,  2486353,  1595974,  -3767016, 1250494,  2635921,  -3548272,
    -2994039, 1869119,  1903435,  -1050970, -1333058, 1237275,  -3318210, -1430225, -451100,
    1312455,  3306115,  -1962642, -1279661, 1917081,  -2546312, -1374803, 1500165,  777191,
    2235880,  3406031,  -542412,  -2831860, -1671176, -1846953, -2584293, -3724270, 594136,
    -3776993, -2013608, 2432395,  2454455,  -164721,  1957272,  3369112,  185531,   -1207385,
    -3183426, 162844,   1616392,  3014001,  810149,   1652634,  -3694233, -1799107, -3038916,
    3523897,  3866901,  269760,   2213111,  -975884,  1717735,  472078,   -426683,  1723600,
    -1803090, 1910376,  -1667432, -1104333, -260646,  -3833893, -2939036, -2235985, -420899,
    -2286327, 183443,   -976891,  1612842,  -3545687, -554416,  3919660,  -48306,   -1362209,
    3937738,  1400424,  -846154,  1976782,
};

/* a / R mod q, in (-q, q), for |a| < q * 2^31. */
static i32 reduce(i64 a)
{
    i32 t = (i32)((u32)a * (u32)Q_INVERSE);
    return (i32)((a - (i64)t * DSA_Q) >> 32);
}

/* Near zero again for sums: in about (-q, q) for |a| < 2^31 - 2^22. */
static i32 reduce_sum(i32 a)
{
    i32 quotient = (a + (1 << 22)) >> 23;
    return a - quotient * DSA_Q;
}

void dsa_ntt(DsaPoly *f)
{
    u32 k = 0;
    for (u32 len = 128; len >= 1; len /= 2) {
        for (u32 start = 0; start < DSA_N; start += 2 * len) {
            i64 zeta = roots[++k];
            for (u32 j = start; j < start + len; j++) {
                i32 t = reduce(zeta * f->at[j + len]);
                f->at[j + len] = f->at[j] - t;
                f->at[j] += t;
            }
        }
    }
    for (u32 i = 0; i < DSA_N; i++) f->at[i] = reduce_sum(f->at[i]);
}

void dsa_inverse_ntt(DsaPoly *f)
{
    u32 k = 256;
    for (u32 len = 1; len < DSA_N; len *= 2) {
        for (u32 start = 0; start < DSA_N; start += 2 * len) {
            i64 zeta = -roots[--k];
            for (u32 j = start; j < start + len; j++) {
                i32 t = f->at[j];
                f->at[j] = reduce_sum(t + f->at[j + len]);
                f->at[j + len] = reduce(zeta * (t - f->at[j + len]));
            }
        }
    }
    for (u32 i = 0; i < DSA_N; i++) f->at[i] = reduce((i64)f->at[i] * SCALE);
}

void dsa_add(DsaPoly *f, const DsaPoly *g)
{
    for (u32 i = 0; i < DSA_N; i++) f->at[i] = reduce_sum(f->at[i] + g->at[i]);
}

void dsa_subtract(DsaPoly *f, const DsaPoly *g)
{
    for (u32 i = 0; i < DSA_N; i++) f->at[i] = reduce_sum(f->at[i] - g->at[i]);
}

void dsa_multiply(DsaPoly *f, const DsaPoly *a, const DsaPoly *b)
{
    for (u32 i = 0; i < DSA_N; i++) f->at[i] = reduce((i64)a->at[i] * b->at[i]);
}

void dsa_add_product(DsaPoly *f, const DsaPoly *a, const DsaPoly *b)
{
    for (u32 i = 0; i < DSA_N; i++) {
        f->at[i] = reduce_sum(f->at[i] + reduce((i64)a->at[i] * b->at[i]));
    }
}

void dsa_normalize(DsaPoly *f)
{
    for (u32 i = 0; i < DSA_N; i++) {
        i32 a = reduce_sum(f->at[i]);
        f->at[i] = a + (a >> 31 & DSA_Q);
    }
}

void dsa_center(DsaPoly *f)
{
    dsa_normalize(f);
    for (u32 i = 0; i < DSA_N; i++) {
        i32 is_high = ((DSA_Q - 1) / 2 - f->at[i]) >> 31;
        f->at[i] -= is_high & DSA_Q;
    }
}

bool dsa_exceeds(const DsaPoly *f, i32 bound)
{
    for (u32 i = 0; i < DSA_N; i++) {
        i32 sign = f->at[i] >> 31;
        if ((f->at[i] ^ sign) - sign >= bound) return true;
    }
    return false;
}

void dsa_power2_round(DsaPoly *f, DsaPoly *low)
{
    for (u32 i = 0; i < DSA_N; i++) {
        i32 high = (f->at[i] + (1 << (DSA_DROPPED - 1)) - 1) >> DSA_DROPPED;
        low->at[i] = f->at[i] - (high << DSA_DROPPED);
        f->at[i] = high;
    }
}

i32 dsa_decompose(i32 r, i32 gamma2, i32 *low)
{
    /* (r + gamma2 - 1) / (2 * gamma2), as a product that is exact for all r below q. */
    i32 high = (r + 127) >> 7;
    if (gamma2 == (DSA_Q - 1) / 32) {
        high = (high * 1025 + (1 << 21)) >> 22;
        high &= 15;
    } else {
        high = (high * 11275 + (1 << 23)) >> 24;
        high ^= ((43 - high) >> 31) & high;
    }
    i32 rest = r - high * 2 * gamma2;
    rest -= (((DSA_Q - 1) / 2 - rest) >> 31) & DSA_Q;
    *low = rest;
    return high;
}

void dsa_pack_plain(const DsaPoly *f, u32 bits, u8 *out)
{
    u64 held = 0;
    u32 have = 0;
    for (u32 i = 0; i < DSA_N; i++) {
        held |= (u64)(u32)f->at[i] << have;
        for (have += bits; have >= 8; have -= 8, held >>= 8) *out++ = (u8)held;
    }
}

void dsa_unpack_plain(DsaPoly *f, u32 bits, const u8 *p)
{
    u64 held = 0;
    u32 have = 0;
    for (u32 i = 0; i < DSA_N; i++) {
        for (; have < bits; have += 8) held |= (u64)*p++ << have;
        f->at[i] = (i32)(held & ((1U << bits) - 1));
        held >>= bits;
        have -= bits;
    }
}

void dsa_pack(const DsaPoly *f, i32 base, u32 bits, u8 *out)
{
    DsaPoly turned;
    for (u32 i = 0; i < DSA_N; i++) turned.at[i] = base - f->at[i];
    dsa_pack_plain(&turned, bits, out);
}

void dsa_unpack(DsaPoly *f, i32 base, u32 bits, const u8 *p)
{
    dsa_unpack_plain(f, bits, p);
    for (u32 i = 0; i < DSA_N; i++) f->at[i] = base - f->at[i];
}

void dsa_sample_uniform(DsaPoly *f, const u8 *rho, u8 x, u8 y)
{
    Keccak k;
    shake128_begin(&k);
    keccak_absorb(&k, rho, 32);
    keccak_absorb(&k, (u8[]){x, y}, 2);
    keccak_finish(&k);
    for (u32 n = 0; n < DSA_N;) {
        u8 b[3];
        keccak_squeeze(&k, b, sizeof b);
        i32 value = b[0] | b[1] << 8 | (b[2] & 0x7f) << 16;
        if (value < DSA_Q) f->at[n++] = value;
    }
}

static void begin_nonce(Keccak *k, const u8 *seed, u16 nonce)
{
    shake256_begin(k);
    keccak_absorb(k, seed, 64);
    keccak_absorb(k, (u8[]){(u8)nonce, (u8)(nonce >> 8)}, 2);
    keccak_finish(k);
}

void dsa_sample_small(DsaPoly *f, i32 eta, const u8 *seed, u16 nonce)
{
    Keccak k;
    begin_nonce(&k, seed, nonce);
    for (u32 n = 0; n < DSA_N;) {
        u8 byte;
        keccak_squeeze(&k, &byte, 1);
        for (u32 half = 0; half < 2 && n < DSA_N; half++, byte >>= 4) {
            i32 value = byte & 15;
            if (eta == 2 && value < 15) f->at[n++] = 2 - (value - value * 205 / 1024 * 5);
            if (eta == 4 && value < 9) f->at[n++] = 4 - value;
        }
    }
    explicit_bzero(&k, sizeof k);
}

void dsa_sample_mask(DsaPoly *f, u32 bits, const u8 *seed, u16 nonce)
{
    u8 bytes[DSA_N * 20 / 8];
    Keccak k;
    begin_nonce(&k, seed, nonce);
    keccak_squeeze(&k, bytes, (usize)DSA_N * bits / 8);
    dsa_unpack(f, 1 << (bits - 1), bits, bytes);
    explicit_bzero(bytes, sizeof bytes);
    explicit_bzero(&k, sizeof k);
}

void dsa_sample_ball(DsaPoly *f, u32 tau, const u8 *seed, usize n)
{
    Keccak k;
    u8 signs[8], at;
    shake256_begin(&k);
    keccak_absorb(&k, seed, n);
    keccak_finish(&k);
    keccak_squeeze(&k, signs, sizeof signs);
    *f = (DsaPoly){0};
    for (u32 i = DSA_N - tau; i < DSA_N; i++) {
        do keccak_squeeze(&k, &at, 1);
        while (at > i);
        u32 bit = i + tau - DSA_N;
        f->at[i] = f->at[at];
        f->at[at] = 1 - 2 * (signs[bit / 8] >> bit % 8 & 1);
    }
}
