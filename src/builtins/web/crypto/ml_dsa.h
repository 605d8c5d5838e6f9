/* web/crypto/ml_dsa.h -- ML-DSA (FIPS 204), signatures that quantum computers do not break.  A
 * private key is its seed (32 bytes). */
#pragma once

#include "util/base.h"
#include "util/str.h"

typedef enum { ML_DSA_44, ML_DSA_65, ML_DSA_87, ML_DSA_COUNT } MlDsaKind;

enum {
    ML_DSA_SEED = 32,
    ML_DSA_RANDOM = 32,
    ML_DSA_CONTEXT_MAX = 255,
    ML_DSA_PUBLIC_MAX = 2592,
    ML_DSA_SIGNATURE_MAX = 4627,
};

usize ml_dsa_public_size(MlDsaKind kind);
usize ml_dsa_signature_size(MlDsaKind kind);

/* The public key of a seed: ml_dsa_public_size bytes. */
void ml_dsa_public(MlDsaKind kind, const u8 *seed, u8 *public_key);
/* Writes ml_dsa_signature_size bytes.  `context` has ML_DSA_CONTEXT_MAX bytes at most, `random` is
 * ML_DSA_RANDOM fresh bytes. */
void ml_dsa_sign(MlDsaKind kind, const u8 *seed, Str context, Str message, const u8 *random,
                 u8 *signature);
/* Is it a signature of this message by this key?  It may have any length. */
bool ml_dsa_verify(MlDsaKind kind, const u8 *public_key, Str context, Str message, Str signature);
