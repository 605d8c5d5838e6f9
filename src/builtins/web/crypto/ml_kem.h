/* web/crypto/ml_kem.h -- ML-KEM (FIPS 203), the key encapsulation that quantum computers do not
 * break.  A private key is its seed (64 bytes: d and z); everything else follows from it.  Nothing
 * secret decides a branch or an address. */
#pragma once

#include "util/base.h"

typedef enum { ML_KEM_512, ML_KEM_768, ML_KEM_1024, ML_KEM_COUNT } MlKemKind;

enum {
    ML_KEM_SEED = 64,
    ML_KEM_RANDOM = 32,
    ML_KEM_SHARED = 32,
    ML_KEM_PUBLIC_MAX = 1568,
    ML_KEM_CIPHER_MAX = 1568,
};

usize ml_kem_public_size(MlKemKind kind);
usize ml_kem_cipher_size(MlKemKind kind);

/* The public key of a seed: ml_kem_public_size bytes. */
void ml_kem_public(MlKemKind kind, const u8 *seed, u8 *public_key);
/* Are the numbers of a public key of the right size below the modulus? (FIPS 203, 7.2) */
bool ml_kem_check_public(MlKemKind kind, const u8 *public_key);
/* From ML_KEM_RANDOM fresh random bytes: the shared key and the cipher text that carries it. */
void ml_kem_encapsulate(MlKemKind kind, const u8 *public_key, const u8 *random, u8 *shared,
                        u8 *cipher);
/* The shared key.  A cipher text that was not made for this key gives a key that nobody knows. */
void ml_kem_decapsulate(MlKemKind kind, const u8 *seed, const u8 *cipher, u8 *shared);
