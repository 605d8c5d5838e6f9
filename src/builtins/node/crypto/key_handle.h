/* node/crypto/key_handle.h -- an asymmetric key as JavaScript holds it. */
#pragma once

#include "builtins/node/crypto/openssl.h"

#include <openssl/bn.h>

extern const JsClass crypto_key_class; /* carries an EVP_PKEY */

/* Takes the key (NULL: a failure of OpenSSL). */
JsVal crypto_key_wrap(Js *js, EVP_PKEY *key);
/* Must be a key handle. */
NODISCARD EVP_PKEY *crypto_key_get(Js *js, JsVal v);
/* Bytes of a number, `size` of them, or as many as it needs when 0. */
JsVal crypto_bn_bytes(Js *js, const BIGNUM *n, usize size);
/* NULL for anything that is no buffer. */
BIGNUM *crypto_bn_take(Js *js, JsVal v);
