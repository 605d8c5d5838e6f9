/* web/crypto/ml_dsa_poly.h -- polynomials of 256 numbers modulo 8380417 (FIPS 204, section 7).
 * Numbers are kept in (-q, q) unless a function says otherwise. */
#pragma once

#include "util/base.h"

enum { DSA_N = 256, DSA_Q = 8380417, DSA_DROPPED = 13 };

typedef struct {
    i32 at[DSA_N];
} DsaPoly;

void dsa_ntt(DsaPoly *f);
void dsa_inverse_ntt(DsaPoly *f);
void dsa_add(DsaPoly *f, const DsaPoly *g);
void dsa_subtract(DsaPoly *f, const DsaPoly *g);
/* f = a * b or f += a * b, all transformed. */
void dsa_multiply(DsaPoly *f, const DsaPoly *a, const DsaPoly *b);
void dsa_add_product(DsaPoly *f, const DsaPoly *a, const DsaPoly *b);
/* All numbers to [0, q). */
void dsa_normalize(DsaPoly *f);
/* All numbers to [-(q-1)/2, (q-1)/2]. */
void dsa_center(DsaPoly *f);
/* Is the absolute value of a centered number `bound` or more? */
bool dsa_exceeds(const DsaPoly *f, i32 bound);

/* r = r1 * 2^13 + r0; `f` is normalized and becomes r1. */
void dsa_power2_round(DsaPoly *f, DsaPoly *low);
/* r = r1 * 2 * gamma2 + r0 for a normalized r (Decompose). */
i32 dsa_decompose(i32 r, i32 gamma2, i32 *low);

/* Packs `base` - number (bits each); unpacking gives it back. */
void dsa_pack(const DsaPoly *f, i32 base, u32 bits, u8 *out);
void dsa_unpack(DsaPoly *f, i32 base, u32 bits, const u8 *p);
/* The numbers themselves. */
void dsa_pack_plain(const DsaPoly *f, u32 bits, u8 *out);
void dsa_unpack_plain(DsaPoly *f, u32 bits, const u8 *p);

/* RejNTTPoly of rho || x || y: already transformed. */
void dsa_sample_uniform(DsaPoly *f, const u8 *rho, u8 x, u8 y);
/* RejBoundedPoly of seed || nonce: -eta to eta, which is 2 or 4. */
void dsa_sample_small(DsaPoly *f, i32 eta, const u8 *seed, u16 nonce);
/* One polynomial of ExpandMask; bits is 18 or 20. */
void dsa_sample_mask(DsaPoly *f, u32 bits, const u8 *seed, u16 nonce);
/* SampleInBall: `tau` numbers are 1 or -1, the others 0. */
void dsa_sample_ball(DsaPoly *f, u32 tau, const u8 *seed, usize n);
