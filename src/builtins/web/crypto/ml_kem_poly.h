/* web/crypto/ml_kem_poly.h -- polynomials of 256 numbers modulo 3329 (FIPS 203, section 4). Numbers
 * are reduced before and after every function, except where it says otherwise. */
#pragma once

#include "util/base.h"

enum { KEM_N = 256, KEM_Q = 3329 };

typedef struct {
    u16 at[KEM_N];
} KemPoly;

void kem_ntt(KemPoly *f);
void kem_inverse_ntt(KemPoly *f);
void kem_add(KemPoly *f, const KemPoly *g);
void kem_subtract(KemPoly *f, const KemPoly *g);
/* f += a * b, all three transformed. */
void kem_add_product(KemPoly *f, const KemPoly *a, const KemPoly *b);

/* Numbers of `bits` bits to 32 * bits bytes and back; what comes back may be up to 2^bits - 1. */
void kem_encode(const KemPoly *f, u32 bits, u8 *out);
void kem_decode(KemPoly *f, u32 bits, const u8 *p);
bool kem_is_reduced(const KemPoly *f);
void kem_compress(KemPoly *f, u32 bits);
void kem_decompress(KemPoly *f, u32 bits);

/* SampleNTT of rho || x || y: already transformed. */
void kem_sample_uniform(KemPoly *f, const u8 *rho, u8 x, u8 y);
/* SamplePolyCBD of PRF(seed, nonce): small numbers, eta 2 or 3. */
void kem_sample_noise(KemPoly *f, u32 eta, const u8 *seed, u8 nonce);
