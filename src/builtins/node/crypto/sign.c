/* node/crypto/sign.c -- signatures, encryption with RSA, and shared secrets of two keys. */
#include "builtins/node/crypto/key_handle.h"

#include "util/mem.h"

#include <openssl/core_names.h>
#include <openssl/dsa.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/rsa.h>
#include <string.h>

enum { UNSET = -1000, UNKNOWN_DIGEST = 1 };
enum CryptOp { PUBLIC_ENCRYPT, PRIVATE_DECRYPT, PRIVATE_ENCRYPT, PUBLIC_DECRYPT };

typedef struct {
    EVP_PKEY *key;
    EVP_MD *digest; /* NULL: the key's own */
    i32 padding, salt_len;
    bool is_p1363;  /* r and s of a fixed size instead of DER */
    bool is_digest; /* `data` is a digest already */
    Str data;
} Signing;

static bool is_rsa(const EVP_PKEY *key)
{
    int id = EVP_PKEY_get_base_id(key);
    return id == EVP_PKEY_RSA || id == EVP_PKEY_RSA_PSS;
}

static bool is_dsa(const EVP_PKEY *key)
{
    int id = EVP_PKEY_get_base_id(key);
    return id == EVP_PKEY_DSA || id == EVP_PKEY_EC;
}

static bool set_padding(const Signing *g, EVP_PKEY_CTX *ctx)
{
    if (!is_rsa(g->key)) return true;
    i32 padding = g->padding;
    if (padding == UNSET)
        padding = EVP_PKEY_get_base_id(g->key) == EVP_PKEY_RSA_PSS ? RSA_PKCS1_PSS_PADDING
                                                                   : RSA_PKCS1_PADDING;
    if (EVP_PKEY_CTX_set_rsa_padding(ctx, padding) <= 0) return false;
    if (padding != RSA_PKCS1_PSS_PADDING || g->salt_len == UNSET) return true;
    return EVP_PKEY_CTX_set_rsa_pss_saltlen(ctx, g->salt_len) > 0;
}

/* Bytes of r (and of s) in the fixed form. */
static usize half_size(const EVP_PKEY *key)
{
    if (EVP_PKEY_get_base_id(key) == EVP_PKEY_EC) return ((usize)EVP_PKEY_get_bits(key) + 7) / 8;
    BIGNUM *q = NULL;
    if (!EVP_PKEY_get_bn_param(key, OSSL_PKEY_PARAM_FFC_Q, &q)) return 0;
    usize n = (usize)BN_num_bytes(q);
    BN_free(q);
    return n;
}

/* DER to r and s; DSA and ECDSA have the same form. */
static bool to_fixed(const u8 *der, usize n, u8 *out, usize half)
{
    ECDSA_SIG *sig = d2i_ECDSA_SIG(NULL, &der, (long)n);
    if (!sig) return false;
    bool ok = BN_bn2binpad(ECDSA_SIG_get0_r(sig), out, (int)half) > 0 &&
              BN_bn2binpad(ECDSA_SIG_get0_s(sig), out + half, (int)half) > 0;
    ECDSA_SIG_free(sig);
    return ok;
}

static u8 *from_fixed(Str fixed, usize half, usize *ret_n)
{
    if (!half || fixed.n != 2 * half) return NULL;
    ECDSA_SIG *sig = ECDSA_SIG_new();
    BIGNUM *r = BN_bin2bn(crypto_bytes(fixed), (int)half, NULL);
    BIGNUM *s = BN_bin2bn(crypto_bytes(fixed) + half, (int)half, NULL);
    u8 *der = NULL;
    int n = 0;
    if (r && s && ECDSA_SIG_set0(sig, r, s)) {
        n = i2d_ECDSA_SIG(sig, &der);
    } else {
        BN_free(r);
        BN_free(s);
    }
    ECDSA_SIG_free(sig);
    *ret_n = (usize)MAX(n, 0);
    return n > 0 ? der : NULL;
}

/* A digest is signed by the key itself, a text by digest and key together. */
static bool sign_bytes(const Signing *g, u8 **out, usize *n)
{
    EVP_MD_CTX *md = NULL;
    EVP_PKEY_CTX *ctx = NULL;
    bool ok;
    if (g->is_digest) {
        ctx = EVP_PKEY_CTX_new_from_pkey(NULL, g->key, NULL);
        ok = ctx && EVP_PKEY_sign_init(ctx) > 0 && set_padding(g, ctx) &&
             EVP_PKEY_CTX_set_signature_md(ctx, g->digest) > 0 &&
             EVP_PKEY_sign(ctx, NULL, n, crypto_bytes(g->data), g->data.n) > 0;
        if (ok) *out = mem_new(*n);
        ok = ok && EVP_PKEY_sign(ctx, *out, n, crypto_bytes(g->data), g->data.n) > 0;
        EVP_PKEY_CTX_free(ctx);
        return ok;
    }
    md = EVP_MD_CTX_new();
    const char *name = g->digest ? EVP_MD_get0_name(g->digest) : NULL;
    ok = EVP_DigestSignInit_ex(md, &ctx, name, NULL, NULL, g->key, NULL) > 0 &&
         set_padding(g, ctx) && EVP_DigestSign(md, NULL, n, crypto_bytes(g->data), g->data.n) > 0;
    if (ok) *out = mem_new(*n);
    ok = ok && EVP_DigestSign(md, *out, n, crypto_bytes(g->data), g->data.n) > 0;
    EVP_MD_CTX_free(md);
    return ok;
}

static int verify_bytes(const Signing *g, const u8 *sig, usize n)
{
    int rc = -1;
    if (g->is_digest) {
        EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_pkey(NULL, g->key, NULL);
        if (ctx && EVP_PKEY_verify_init(ctx) > 0 && set_padding(g, ctx) &&
            EVP_PKEY_CTX_set_signature_md(ctx, g->digest) > 0)
            rc = EVP_PKEY_verify(ctx, sig, n, crypto_bytes(g->data), g->data.n) > 0;
        EVP_PKEY_CTX_free(ctx);
        return rc;
    }
    EVP_MD_CTX *md = EVP_MD_CTX_new();
    EVP_PKEY_CTX *ctx;
    const char *name = g->digest ? EVP_MD_get0_name(g->digest) : NULL;
    if (EVP_DigestVerifyInit_ex(md, &ctx, name, NULL, NULL, g->key, NULL) > 0 &&
        set_padding(g, ctx))
        rc = EVP_DigestVerify(md, sig, n, crypto_bytes(g->data), g->data.n) > 0;
    EVP_MD_CTX_free(md);
    return rc;
}

/* (handle, digest or undefined, data, padding, salt length, is P1363, is digest); UNKNOWN_DIGEST,
 * or 0, or -1 with an exception. */
static i32 take_signing(Js *js, Arena *a, JsArgs args, Signing *g)
{
    g->key = crypto_key_get(js, js_arg(args, 0));
    if (!g->key) return -1;
    g->padding = js_is_undefined(js_arg(args, 3)) ? UNSET : js_get_i32(js, js_arg(args, 3));
    g->salt_len = js_is_undefined(js_arg(args, 4)) ? UNSET : js_get_i32(js, js_arg(args, 4));
    g->is_p1363 = js_truthy(js, js_arg(args, 5)) && is_dsa(g->key);
    g->is_digest = js_truthy(js, js_arg(args, 6));
    if (!crypto_take(js, a, js_arg(args, 2), &g->data)) return -1;
    if (js_is_nullish(js_arg(args, 1))) return 0;
    g->digest = crypto_digest_fetch(js, js_arg(args, 1));
    return g->digest ? 0 : UNKNOWN_DIGEST;
}

/* sign(...) -> bytes, a failure, or 1 for an unknown digest */
JS_NATIVE(sign_sign)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    Signing g = {0};
    i32 rc = take_signing(js, s.arena, args, &g);
    if (rc) return rc < 0 ? NULL : js_int(js, rc);
    u8 *out = NULL;
    usize n = 0;
    bool ok = sign_bytes(&g, &out, &n);
    JsVal result = NULL;
    if (ok && g.is_p1363) {
        usize half = half_size(g.key);
        u8 *fixed = arena_alloc(s.arena, 2 * half + 1, 1);
        ok = to_fixed(out, n, fixed, half);
        if (ok) result = js_u8array(js, fixed, 2 * half);
    } else if (ok) {
        result = js_u8array(js, out, n);
    }
    EVP_MD_free(g.digest);
    mem_free(out);
    return ok ? result : crypto_failure(js, "Failed to sign");
}

/* verify(..., signature) -> boolean, a failure, or 1 for an unknown digest */
JS_NATIVE(sign_verify)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    Signing g = {0};
    Str sig;
    i32 rc = take_signing(js, s.arena, args, &g);
    if (rc) return rc < 0 ? NULL : js_int(js, rc);
    if (!crypto_take(js, s.arena, js_arg(args, 7), &sig)) return NULL;
    u8 *der = NULL;
    if (g.is_p1363) {
        der = from_fixed(sig, half_size(g.key), &sig.n);
        sig.p = (const char *)der;
    }
    int ok = g.is_p1363 && !der ? 0 : verify_bytes(&g, crypto_bytes(sig), sig.n);
    OPENSSL_free(der);
    EVP_MD_free(g.digest);
    if (ok < 0) return crypto_failure(js, "Failed to verify");
    ERR_clear_error();
    return js_boolean(ok);
}

/* ---- RSA ------------------------------------------------------------------------------------- */

typedef int CryptInit(EVP_PKEY_CTX *ctx);
typedef int CryptRun(EVP_PKEY_CTX *ctx, u8 *out, usize *n, const u8 *in, usize n_in);

static const struct {
    CryptInit *init;
    CryptRun *run;
} crypt_ops[] = {
    {EVP_PKEY_encrypt_init, EVP_PKEY_encrypt},
    {EVP_PKEY_decrypt_init, EVP_PKEY_decrypt},
    {EVP_PKEY_sign_init, EVP_PKEY_sign},
    {EVP_PKEY_verify_recover_init, EVP_PKEY_verify_recover},
};

static bool set_oaep(EVP_PKEY_CTX *ctx, const EVP_MD *digest, Str label)
{
    if (digest && EVP_PKEY_CTX_set_rsa_oaep_md(ctx, digest) <= 0) return false;
    if (!label.n) return true;
    void *copy = OPENSSL_memdup(label.p, label.n);
    if (EVP_PKEY_CTX_set0_rsa_oaep_label(ctx, copy, (int)label.n) > 0) return true;
    OPENSSL_free(copy);
    return false;
}

/* crypt(op, handle, data, padding, digest of OAEP or undefined, label or undefined): bytes, a
 * failure, or 1 for an unknown digest */
JS_NATIVE(sign_crypt)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    enum CryptOp op = (enum CryptOp)js_get_i32(js, js_arg(args, 0));
    EVP_PKEY *key = crypto_key_get(js, js_arg(args, 1));
    if (!key) return NULL;
    i32 padding = js_get_i32(js, js_arg(args, 3));
    Str data, label = {0};
    EVP_MD *digest = NULL;
    if (!crypto_take(js, s.arena, js_arg(args, 2), &data)) return NULL;
    JsVal label_value = js_arg(args, 5);
    if (!js_is_undefined(label_value) && !crypto_take(js, s.arena, label_value, &label))
        return NULL;
    if (!js_is_undefined(js_arg(args, 4))) {
        digest = crypto_digest_fetch(js, js_arg(args, 4));
        if (!digest) return js_int(js, UNKNOWN_DIGEST);
    }
    EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_pkey(NULL, key, NULL);
    usize n = 0;
    u8 *out = NULL;
    bool ok = ctx && crypt_ops[op].init(ctx) > 0 && EVP_PKEY_CTX_set_rsa_padding(ctx, padding) > 0;
    if (ok && padding == RSA_PKCS1_OAEP_PADDING) ok = set_oaep(ctx, digest, label);
    ok = ok && crypt_ops[op].run(ctx, NULL, &n, crypto_bytes(data), data.n) > 0;
    if (ok) out = mem_new(n);
    ok = ok && crypt_ops[op].run(ctx, out, &n, crypto_bytes(data), data.n) > 0;
    JsVal result = ok ? js_u8array(js, out, n) : crypto_failure(js, "The operation failed");
    mem_free(out);
    EVP_MD_free(digest);
    EVP_PKEY_CTX_free(ctx);
    return result;
}

/* derive(private handle, public handle) -> bytes or failure */
JS_NATIVE(sign_derive)
{
    EVP_PKEY *ours = crypto_key_get(js, js_arg(args, 0));
    if (!ours) return NULL;
    EVP_PKEY *theirs = crypto_key_get(js, js_arg(args, 1));
    if (!theirs) return NULL;
    EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_pkey(NULL, ours, NULL);
    usize n = 0;
    u8 *out = NULL;
    bool ok = ctx && EVP_PKEY_derive_init(ctx) > 0 && EVP_PKEY_derive_set_peer(ctx, theirs) > 0;
    if (ok && EVP_PKEY_get_base_id(ours) == EVP_PKEY_DH) ok = EVP_PKEY_CTX_set_dh_pad(ctx, 1) > 0;
    ok = ok && EVP_PKEY_derive(ctx, NULL, &n) > 0;
    if (ok) out = mem_new(n);
    ok = ok && EVP_PKEY_derive(ctx, out, &n) > 0;
    JsVal result = ok ? js_u8array(js, out, n) : crypto_failure(js, "diffieHellman failed");
    mem_free(out);
    EVP_PKEY_CTX_free(ctx);
    return result;
}

static const JsFn fns[] = {
    JS_FN("sign", sign_sign),
    JS_FN("verify", sign_verify),
    JS_FN("crypt", sign_crypt),
    JS_FN("derive", sign_derive),
};
BUILTIN_NATIVE(node_crypto_sign, fns)
