/* node/crypto/key_handle.c -- keys and numbers between OpenSSL and JavaScript. */
#include "builtins/node/crypto/key_handle.h"

static void key_free(void *native)
{
    EVP_PKEY_free(native);
}

const JsClass crypto_key_class = {"KeyHandle", key_free};

JsVal crypto_key_wrap(Js *js, EVP_PKEY *key)
{
    return key ? js_wrap(js, &crypto_key_class, key) : crypto_failure(js, "The key is not valid");
}

EVP_PKEY *crypto_key_get(Js *js, JsVal v)
{
    return js_unwrap_handle(js, v, &crypto_key_class);
}

JsVal crypto_bn_bytes(Js *js, const BIGNUM *n, usize size)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    usize own = (usize)BN_num_bytes(n);
    if (size < own) size = own;
    u8 *p = arena_alloc(s.arena, MAX(size, 1u), 1);
    if (BN_bn2binpad(n, p, (int)size) < 0) return js_u8array(js, NULL, 0);
    return js_u8array(js, p, size);
}

BIGNUM *crypto_bn_take(Js *js, JsVal v)
{
    JsBytes b;
    if (!js_bytes(js, v, &b) || b.n > INT32_MAX) return NULL;
    return BN_bin2bn(b.p, (int)b.n, NULL);
}
