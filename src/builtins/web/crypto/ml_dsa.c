/* web/crypto/ml_dsa.c -- keys, signing and verifying (FIPS 204, sections 5 and 6), "pure" only. */
#include "builtins/web/crypto/ml_dsa.h"

#include <string.h>

#include "builtins/web/crypto/keccak.h"
#include "builtins/web/crypto/ml_dsa_poly.h"
#include "util/mem.h"

enum { ROWS_MAX = 8, COLUMNS_MAX = 7, HIGH_BITS = 10, HIGH_BYTES = 320, CHALLENGE_MAX = 64 };

typedef struct {
    u32 rows, columns; /* k and l */
    i32 eta;
    u32 tau;
    i32 gamma1, gamma2;
    u32 omega; /* hints that a signature may have */
    u32 mask_bits, high_bits, challenge;
} Params;

static const Params all_params[ML_DSA_COUNT] = {
    {4, 4, 2, 39, 1 << 17, (DSA_Q - 1) / 88, 80, 18, 6, 32},
    {6, 5, 4, 49, 1 << 19, (DSA_Q - 1) / 32, 55, 20, 4, 48},
    {8, 7, 2, 60, 1 << 19, (DSA_Q - 1) / 32, 75, 20, 4, 64},
};

typedef struct {
    DsaPoly at[ROWS_MAX];
} Vector;

/* What a seed stands for; the secret vectors and t0 are transformed for signing. */
typedef struct {
    DsaPoly matrix[ROWS_MAX][COLUMNS_MAX];
    Vector s1, s2, t0;
    u8 rho[32], key[32];
    u8 public_key[ML_DSA_PUBLIC_MAX];
} KeyPair;

usize ml_dsa_public_size(MlDsaKind kind)
{
    return 32 + (usize)HIGH_BYTES * all_params[kind].rows;
}

usize ml_dsa_signature_size(MlDsaKind kind)
{
    const Params *p = &all_params[kind];
    return p->challenge + (usize)32 * p->mask_bits * p->columns + p->omega + p->rows;
}

static void free_secret(void *p, usize n)
{
    explicit_bzero(p, n);
    mem_free(p);
}

/* H of some pieces, one after the other. */
static void hash_pieces(const Str *pieces, u32 n, u8 *out, usize out_n)
{
    Keccak k;
    shake256_begin(&k);
    for (u32 i = 0; i < n; i++) keccak_absorb(&k, (const u8 *)pieces[i].p, pieces[i].n);
    keccak_finish(&k);
    keccak_squeeze(&k, out, out_n);
    explicit_bzero(&k, sizeof k);
}

#define BYTES(p, n) ((Str){(const char *)(p), (n)})

static void make_matrix(const Params *p, const u8 *rho, DsaPoly matrix[][COLUMNS_MAX])
{
    for (u32 r = 0; r < p->rows; r++) {
        for (u32 s = 0; s < p->columns; s++) {
            dsa_sample_uniform(&matrix[r][s], rho, (u8)s, (u8)r);
        }
    }
}

/* One row of matrix * v, not transformed. */
static void multiply_row(const Params *p, const DsaPoly *row, const Vector *v, DsaPoly *out)
{
    *out = (DsaPoly){0};
    for (u32 s = 0; s < p->columns; s++) dsa_add_product(out, &row[s], &v->at[s]);
}

static void make_pair(MlDsaKind kind, const u8 *seed, KeyPair *pair)
{
    const Params *p = &all_params[kind];
    u8 sizes[2] = {(u8)p->rows, (u8)p->columns}, expanded[128];
    hash_pieces((Str[]){BYTES(seed, ML_DSA_SEED), BYTES(sizes, 2)}, 2, expanded, sizeof expanded);
    memcpy(pair->rho, expanded, 32);
    memcpy(pair->key, expanded + 96, 32);
    make_matrix(p, pair->rho, pair->matrix);
    for (u32 i = 0; i < p->columns; i++) {
        dsa_sample_small(&pair->s1.at[i], p->eta, expanded + 32, (u16)i);
        dsa_ntt(&pair->s1.at[i]);
    }
    memcpy(pair->public_key, pair->rho, 32);
    for (u32 i = 0; i < p->rows; i++) {
        DsaPoly t;
        dsa_sample_small(&pair->s2.at[i], p->eta, expanded + 32, (u16)(p->columns + i));
        multiply_row(p, pair->matrix[i], &pair->s1, &t);
        dsa_inverse_ntt(&t);
        dsa_add(&t, &pair->s2.at[i]);
        dsa_normalize(&t);
        dsa_power2_round(&t, &pair->t0.at[i]);
        dsa_pack_plain(&t, HIGH_BITS, pair->public_key + 32 + (usize)i * HIGH_BYTES);
        dsa_ntt(&pair->s2.at[i]);
        dsa_ntt(&pair->t0.at[i]);
    }
    explicit_bzero(expanded, sizeof expanded);
}

void ml_dsa_public(MlDsaKind kind, const u8 *seed, u8 *public_key)
{
    KeyPair *pair = MEM_NEW(KeyPair);
    make_pair(kind, seed, pair);
    memcpy(public_key, pair->public_key, ml_dsa_public_size(kind));
    free_secret(pair, sizeof *pair);
}

/* mu: what is signed instead of the message. */
static void represent(MlDsaKind kind, const u8 *public_key, Str context, Str message, u8 *mu)
{
    u8 key_hash[64], head[2] = {0, (u8)context.n};
    Str key = BYTES(public_key, ml_dsa_public_size(kind));
    hash_pieces(&key, 1, key_hash, sizeof key_hash);
    hash_pieces((Str[]){BYTES(key_hash, 64), BYTES(head, 2), context, message}, 4, mu, 64);
}

/* The challenge for mu and the high bits of w. */
static void challenge_of(const Params *p, const u8 *mu, const Vector *high, u8 *challenge)
{
    u8 packed[ROWS_MAX * 32 * 6];
    usize size = (usize)32 * p->high_bits;
    for (u32 i = 0; i < p->rows; i++) {
        dsa_pack_plain(&high->at[i], p->high_bits, packed + i * size);
    }
    hash_pieces((Str[]){BYTES(mu, 64), BYTES(packed, size * p->rows)}, 2, challenge, p->challenge);
}

/* ---- Signing -------------------------------------------------------------------------------- */

typedef struct {
    const Params *p;
    const KeyPair *pair;
    u8 mu[64], mask_seed[64];
    Vector y, z, w, high;
    DsaPoly challenge;
} Attempt;

/* w = A * y for the masks of this attempt, and its high bits. */
static void commit(Attempt *a, u32 attempt)
{
    const Params *p = a->p;
    Vector transformed;
    for (u32 i = 0; i < p->columns; i++) {
        u16 nonce = (u16)(attempt * p->columns + i);
        dsa_sample_mask(&a->y.at[i], p->mask_bits, a->mask_seed, nonce);
        transformed.at[i] = a->y.at[i];
        dsa_ntt(&transformed.at[i]);
    }
    for (u32 i = 0; i < p->rows; i++) {
        multiply_row(p, a->pair->matrix[i], &transformed, &a->w.at[i]);
        dsa_inverse_ntt(&a->w.at[i]);
        dsa_normalize(&a->w.at[i]);
        for (u32 j = 0; j < DSA_N; j++) {
            i32 low;
            a->high.at[i].at[j] = dsa_decompose(a->w.at[i].at[j], p->gamma2, &low);
        }
    }
    explicit_bzero(&transformed, sizeof transformed);
}

static void times_challenge(const Attempt *a, const DsaPoly *secret, DsaPoly *out)
{
    dsa_multiply(out, &a->challenge, secret);
    dsa_inverse_ntt(out);
}

/* z = y + c * s1; false if it would tell something of s1. */
static bool respond(Attempt *a)
{
    const Params *p = a->p;
    for (u32 i = 0; i < p->columns; i++) {
        times_challenge(a, &a->pair->s1.at[i], &a->z.at[i]);
        dsa_add(&a->z.at[i], &a->y.at[i]);
        dsa_center(&a->z.at[i]);
        if (dsa_exceeds(&a->z.at[i], p->gamma1 - (i32)p->tau * p->eta)) return false;
    }
    return true;
}

/* The hints of one row: where the carry of c * t0 changes the high bits.  Their number, or -1 if
 * the row must not be shown. */
static i32 hint_row(Attempt *a, u32 row, DsaPoly *hints)
{
    const Params *p = a->p;
    DsaPoly t, rest = a->w.at[row];
    i32 count = 0;
    times_challenge(a, &a->pair->s2.at[row], &t);
    dsa_subtract(&rest, &t);
    dsa_normalize(&rest);
    DsaPoly low;
    for (u32 j = 0; j < DSA_N; j++) (void)dsa_decompose(rest.at[j], p->gamma2, &low.at[j]);
    if (dsa_exceeds(&low, p->gamma2 - (i32)p->tau * p->eta)) return -1;
    times_challenge(a, &a->pair->t0.at[row], &t);
    dsa_center(&t);
    if (dsa_exceeds(&t, p->gamma2)) return -1;
    DsaPoly moved = rest;
    dsa_add(&moved, &t);
    dsa_normalize(&moved);
    for (u32 j = 0; j < DSA_N; j++) {
        i32 unused;
        hints->at[j] = dsa_decompose(rest.at[j], p->gamma2, &unused) !=
                       dsa_decompose(moved.at[j], p->gamma2, &unused);
        count += hints->at[j];
    }
    return count;
}

/* Writes places and counts of the hints (HintBitPack); false if there are too many. */
static bool write_hints(Attempt *a, u8 *out)
{
    const Params *p = a->p;
    u32 total = 0;
    memset(out, 0, p->omega + p->rows);
    for (u32 i = 0; i < p->rows; i++) {
        DsaPoly hints;
        i32 count = hint_row(a, i, &hints);
        if (count < 0 || total + (u32)count > p->omega) return false;
        for (u32 j = 0; j < DSA_N; j++) {
            if (hints.at[j]) out[total++] = (u8)j;
        }
        out[p->omega + i] = (u8)total;
    }
    return true;
}

static bool attempt_once(Attempt *a, u32 attempt, u8 *signature)
{
    const Params *p = a->p;
    commit(a, attempt);
    challenge_of(p, a->mu, &a->high, signature);
    dsa_sample_ball(&a->challenge, p->tau, signature, p->challenge);
    dsa_ntt(&a->challenge);
    if (!respond(a)) return false;
    u8 *at = signature + p->challenge;
    for (u32 i = 0; i < p->columns; i++, at += (usize)32 * p->mask_bits) {
        dsa_pack(&a->z.at[i], p->gamma1, p->mask_bits, at);
    }
    return write_hints(a, at);
}

void ml_dsa_sign(MlDsaKind kind, const u8 *seed, Str context, Str message, const u8 *random,
                 u8 *signature)
{
    KeyPair *pair = MEM_NEW(KeyPair);
    Attempt *a = MEM_NEW(Attempt);
    make_pair(kind, seed, pair);
    a->p = &all_params[kind];
    a->pair = pair;
    represent(kind, pair->public_key, context, message, a->mu);
    Str pieces[] = {BYTES(pair->key, 32), BYTES(random, ML_DSA_RANDOM), BYTES(a->mu, 64)};
    hash_pieces(pieces, 3, a->mask_seed, sizeof a->mask_seed);
    /* One attempt in four to six does: the number of attempts says nothing of the key. */
    for (u32 attempt = 0; !attempt_once(a, attempt, signature); attempt++) continue;
    free_secret(a, sizeof *a);
    free_secret(pair, sizeof *pair);
}

/* ---- Verifying ------------------------------------------------------------------------------ */

/* The hints of all rows; false if they are not written in the one way that is allowed. */
static bool read_hints(const Params *p, const u8 *in, Vector *hints)
{
    u32 at = 0;
    for (u32 i = 0; i < p->rows; i++) {
        u32 end = in[p->omega + i];
        if (end < at || end > p->omega) return false;
        hints->at[i] = (DsaPoly){0};
        for (u32 first = at; at < end; at++) {
            if (at > first && in[at - 1] >= in[at]) return false;
            hints->at[i].at[in[at]] = 1;
        }
    }
    for (; at < p->omega; at++) {
        if (in[at]) return false;
    }
    return true;
}

static i32 use_hint(const Params *p, i32 r, i32 hint)
{
    i32 count = (DSA_Q - 1) / (2 * p->gamma2), low;
    i32 high = dsa_decompose(r, p->gamma2, &low);
    if (!hint) return high;
    return low > 0 ? (high + 1) % count : (high + count - 1) % count;
}

typedef struct {
    DsaPoly matrix[ROWS_MAX][COLUMNS_MAX];
    Vector z, hints, high;
    DsaPoly challenge;
} Check;

/* The high bits that the signer had, from what he showed. */
static void recover_high(const Params *p, Check *c, const u8 *public_key)
{
    make_matrix(p, public_key, c->matrix);
    for (u32 i = 0; i < p->columns; i++) dsa_ntt(&c->z.at[i]);
    for (u32 i = 0; i < p->rows; i++) {
        DsaPoly t, product, w;
        dsa_unpack_plain(&t, HIGH_BITS, public_key + 32 + (usize)i * HIGH_BYTES);
        for (u32 j = 0; j < DSA_N; j++) t.at[j] <<= DSA_DROPPED;
        dsa_ntt(&t);
        dsa_multiply(&product, &c->challenge, &t);
        multiply_row(p, c->matrix[i], &c->z, &w);
        dsa_subtract(&w, &product);
        dsa_inverse_ntt(&w);
        dsa_normalize(&w);
        for (u32 j = 0; j < DSA_N; j++) {
            c->high.at[i].at[j] = use_hint(p, w.at[j], c->hints.at[i].at[j]);
        }
    }
}

static bool check(MlDsaKind kind, Check *c, const u8 *public_key, const u8 *mu, const u8 *in)
{
    const Params *p = &all_params[kind];
    const u8 *at = in + p->challenge;
    for (u32 i = 0; i < p->columns; i++, at += (usize)32 * p->mask_bits) {
        dsa_unpack(&c->z.at[i], p->gamma1, p->mask_bits, at);
        if (dsa_exceeds(&c->z.at[i], p->gamma1 - (i32)p->tau * p->eta)) return false;
    }
    if (!read_hints(p, at, &c->hints)) return false;
    dsa_sample_ball(&c->challenge, p->tau, in, p->challenge);
    dsa_ntt(&c->challenge);
    recover_high(p, c, public_key);
    u8 challenge[CHALLENGE_MAX];
    challenge_of(p, mu, &c->high, challenge);
    return memcmp(challenge, in, p->challenge) == 0;
}

bool ml_dsa_verify(MlDsaKind kind, const u8 *public_key, Str context, Str message, Str signature)
{
    u8 mu[64];
    if (signature.n != ml_dsa_signature_size(kind)) return false;
    represent(kind, public_key, context, message, mu);
    Check *c = MEM_NEW(Check);
    bool is_right = check(kind, c, public_key, mu, (const u8 *)signature.p);
    mem_free(c);
    return is_right;
}
