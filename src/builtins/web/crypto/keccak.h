/* web/crypto/keccak.h -- SHA-3 and SHAKE (FIPS 202) as sponges that give as many bytes as one asks
 * for, which OpenSSL 3.0 does not. */
#pragma once

#include "util/base.h"

typedef struct {
    u64 lanes[25];
    u32 rate; /* bytes of a block */
    u32 at;   /* next byte in the block */
    u8 suffix;
} Keccak;

enum { SHAKE128_RATE = 168, SHAKE256_RATE = 136, SHA3_256_RATE = 136, SHA3_512_RATE = 72 };

void shake128_begin(Keccak *k);
void shake256_begin(Keccak *k);
void keccak_absorb(Keccak *k, const u8 *p, usize n);
/* No more bytes go in; keccak_squeeze follows, any number of times. */
void keccak_finish(Keccak *k);
void keccak_squeeze(Keccak *k, u8 *out, usize n);

/* One piece of input: `out` has 32 or 64 bytes. */
void sha3_256(const u8 *p, usize n, u8 *out);
void sha3_512(const u8 *p, usize n, u8 *out);
