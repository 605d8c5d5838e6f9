/* web/crypto/ml_kem.c -- the public-key scheme K-PKE and the mechanism around it (FIPS 203, 5 to
 * 7).
 */
#include "builtins/web/crypto/ml_kem.h"

#include <string.h>

#include "builtins/web/crypto/keccak.h"
#include "builtins/web/crypto/ml_kem_poly.h"

enum { RANK_MAX = 4, BYTES_12 = 384 };

typedef struct {
    u32 rank, eta1, du, dv;
} Params;

static const Params all_params[ML_KEM_COUNT] = {{2, 3, 10, 4}, {3, 2, 10, 4}, {4, 2, 11, 5}};

typedef struct {
    KemPoly at[RANK_MAX];
} Vector;

/* What a seed stands for: the public key with its hash, and the secret vector (transformed). */
typedef struct {
    u8 public_key[ML_KEM_PUBLIC_MAX];
    u8 hash[32];
    Vector secret;
} KeyPair;

usize ml_kem_public_size(MlKemKind kind)
{
    return all_params[kind].rank * BYTES_12 + 32;
}

usize ml_kem_cipher_size(MlKemKind kind)
{
    const Params *p = &all_params[kind];
    return 32 * (p->du * p->rank + p->dv);
}

static void noise(Vector *v, u32 rank, u32 eta, const u8 *seed, u8 first)
{
    for (u32 i = 0; i < rank; i++) kem_sample_noise(&v->at[i], eta, seed, (u8)(first + i));
}

static void transform(Vector *v, u32 rank)
{
    for (u32 i = 0; i < rank; i++) kem_ntt(&v->at[i]);
}

/* out += the sum over j of matrix[row][j] * v[j]; the matrix is made as it is used. */
static void add_product(KemPoly *out, const u8 *rho, u32 row, const Vector *v, u32 rank,
                        bool is_transposed)
{
    for (u32 j = 0; j < rank; j++) {
        KemPoly entry;
        u8 x = (u8)(is_transposed ? row : j), y = (u8)(is_transposed ? j : row);
        kem_sample_uniform(&entry, rho, x, y);
        kem_add_product(out, &entry, &v->at[j]);
    }
}

/* K-PKE.KeyGen: the public key and the secret vector of the seed `d`. */
static void make_pair(MlKemKind kind, const u8 *d, KeyPair *pair)
{
    const Params *p = &all_params[kind];
    u8 input[33], seeds[64];
    memcpy(input, d, 32);
    input[32] = (u8)p->rank;
    sha3_512(input, sizeof input, seeds);
    const u8 *rho = seeds, *sigma = seeds + 32;
    noise(&pair->secret, p->rank, p->eta1, sigma, 0);
    transform(&pair->secret, p->rank);
    for (u32 i = 0; i < p->rank; i++) {
        KemPoly t;
        kem_sample_noise(&t, p->eta1, sigma, (u8)(p->rank + i));
        kem_ntt(&t);
        add_product(&t, rho, i, &pair->secret, p->rank, false);
        kem_encode(&t, 12, pair->public_key + i * BYTES_12);
    }
    memcpy(pair->public_key + p->rank * BYTES_12, rho, 32);
    sha3_256(pair->public_key, ml_kem_public_size(kind), pair->hash);
    explicit_bzero(input, sizeof input);
    explicit_bzero(seeds, sizeof seeds);
}

void ml_kem_public(MlKemKind kind, const u8 *seed, u8 *public_key)
{
    KeyPair pair;
    make_pair(kind, seed, &pair);
    memcpy(public_key, pair.public_key, ml_kem_public_size(kind));
    explicit_bzero(&pair, sizeof pair);
}

bool ml_kem_check_public(MlKemKind kind, const u8 *public_key)
{
    for (u32 i = 0; i < all_params[kind].rank; i++) {
        KemPoly t;
        kem_decode(&t, 12, public_key + i * BYTES_12);
        if (!kem_is_reduced(&t)) return false;
    }
    return true;
}

/* K-PKE.Encrypt of the 32 bytes `message` with the randomness `coins`. */
static void encrypt(MlKemKind kind, const u8 *public_key, const u8 *message, const u8 *coins,
                    u8 *cipher)
{
    const Params *p = &all_params[kind];
    const u8 *rho = public_key + p->rank * BYTES_12;
    Vector y;
    noise(&y, p->rank, p->eta1, coins, 0);
    transform(&y, p->rank);
    for (u32 i = 0; i < p->rank; i++) {
        KemPoly u = {0}, e;
        add_product(&u, rho, i, &y, p->rank, true);
        kem_inverse_ntt(&u);
        kem_sample_noise(&e, 2, coins, (u8)(p->rank + i));
        kem_add(&u, &e);
        kem_compress(&u, p->du);
        kem_encode(&u, p->du, cipher + (usize)i * 32 * p->du);
    }
    KemPoly v = {0}, e;
    for (u32 i = 0; i < p->rank; i++) {
        KemPoly t;
        kem_decode(&t, 12, public_key + i * BYTES_12);
        kem_add_product(&v, &t, &y.at[i]);
    }
    kem_inverse_ntt(&v);
    kem_sample_noise(&e, 2, coins, (u8)(2 * p->rank));
    kem_add(&v, &e);
    kem_decode(&e, 1, message);
    kem_decompress(&e, 1);
    kem_add(&v, &e);
    kem_compress(&v, p->dv);
    kem_encode(&v, p->dv, cipher + (usize)p->rank * 32 * p->du);
    explicit_bzero(&y, sizeof y);
    explicit_bzero(&e, sizeof e);
}

/* K-PKE.Decrypt: 32 bytes. */
static void decrypt(MlKemKind kind, const Vector *secret, const u8 *cipher, u8 *message)
{
    const Params *p = &all_params[kind];
    KemPoly sum = {0}, w;
    for (u32 i = 0; i < p->rank; i++) {
        KemPoly u;
        kem_decode(&u, p->du, cipher + (usize)i * 32 * p->du);
        kem_decompress(&u, p->du);
        kem_ntt(&u);
        kem_add_product(&sum, &secret->at[i], &u);
    }
    kem_inverse_ntt(&sum);
    kem_decode(&w, p->dv, cipher + (usize)p->rank * 32 * p->du);
    kem_decompress(&w, p->dv);
    kem_subtract(&w, &sum);
    kem_compress(&w, 1);
    kem_encode(&w, 1, message);
    explicit_bzero(&sum, sizeof sum);
    explicit_bzero(&w, sizeof w);
}

/* G(message || hash of the public key): the shared key and the coins, 32 bytes each. */
static void derive(const u8 *message, const u8 *hash, u8 *out)
{
    u8 input[64];
    memcpy(input, message, 32);
    memcpy(input + 32, hash, 32);
    sha3_512(input, sizeof input, out);
    explicit_bzero(input, sizeof input);
}

void ml_kem_encapsulate(MlKemKind kind, const u8 *public_key, const u8 *random, u8 *shared,
                        u8 *cipher)
{
    u8 hash[32], derived[64];
    sha3_256(public_key, ml_kem_public_size(kind), hash);
    derive(random, hash, derived);
    encrypt(kind, public_key, random, derived + 32, cipher);
    memcpy(shared, derived, ML_KEM_SHARED);
    explicit_bzero(derived, sizeof derived);
}

/* 0xff where the texts differ, else 0. */
static u8 difference_mask(const u8 *a, const u8 *b, usize n)
{
    u32 difference = 0;
    for (usize i = 0; i < n; i++) difference |= (u32)(a[i] ^ b[i]);
    return (u8)(0 - (difference + 0xff) / 0x100);
}

void ml_kem_decapsulate(MlKemKind kind, const u8 *seed, const u8 *cipher, u8 *shared)
{
    KeyPair pair;
    u8 message[32], derived[64], refused[32], again[ML_KEM_CIPHER_MAX];
    usize n = ml_kem_cipher_size(kind);
    make_pair(kind, seed, &pair);
    decrypt(kind, &pair.secret, cipher, message);
    derive(message, pair.hash, derived);
    Keccak k;
    shake256_begin(&k);
    keccak_absorb(&k, seed + 32, 32);
    keccak_absorb(&k, cipher, n);
    keccak_finish(&k);
    keccak_squeeze(&k, refused, sizeof refused);
    encrypt(kind, pair.public_key, message, derived + 32, again);
    u8 mask = difference_mask(cipher, again, n);
    for (u32 i = 0; i < ML_KEM_SHARED; i++) {
        shared[i] = (u8)((derived[i] & ~mask) | (refused[i] & mask));
    }
    explicit_bzero(&pair, sizeof pair);
    explicit_bzero(&k, sizeof k);
    explicit_bzero(message, sizeof message);
    explicit_bzero(derived, sizeof derived);
    explicit_bzero(refused, sizeof refused);
    explicit_bzero(again, sizeof again);
}
