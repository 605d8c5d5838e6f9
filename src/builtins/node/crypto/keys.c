/* node/crypto/keys.c -- asymmetric keys: reading and writing PEM, DER and JWK, making new ones.
 *
 * Forms are numbers that node:crypto/keys shares with us: enum Format, enum Type. */
#include "builtins/node/crypto/key_handle.h"

#include "util/mem.h"

#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/param_build.h>
#include <openssl/pem.h>
#include <openssl/x509.h>
#include <string.h>

enum Format { FORMAT_PEM, FORMAT_DER };
enum Type { TYPE_PKCS1, TYPE_PKCS8, TYPE_SPKI, TYPE_SEC1 };

/* ---- Reading --------------------------------------------------------------------------------- */

typedef struct {
    Str text;
    bool is_given, is_missed; /* it was asked for and not there */
} Passphrase;

/* pem_password_cb: without a passphrase the reading is cancelled. */
static int give_passphrase(char *buf, int size, int is_writing, void *data)
{
    (void)is_writing;
    Passphrase *p = data;
    p->is_missed = !p->is_given;
    if (!p->is_given || p->text.n > (usize)size) return -1;
    if (p->text.n) memcpy(buf, p->text.p, p->text.n);
    return (int)p->text.n;
}

static EVP_PKEY *read_private_pem(Str data, Passphrase *pass)
{
    BIO *bio = BIO_new_mem_buf(data.p, (int)data.n);
    EVP_PKEY *key = PEM_read_bio_PrivateKey(bio, NULL, give_passphrase, pass);
    BIO_free(bio);
    return key;
}

/* PKCS#8 is encrypted when its first member is no number. */
static bool is_encrypted_pkcs8(Str data)
{
    const u8 *p = crypto_bytes(data);
    long len;
    int tag, class;
    bool is_broken = ASN1_get_object(&p, &len, &tag, &class, (long)data.n) & 0x80;
    ERR_clear_error();
    if (is_broken || tag != V_ASN1_SEQUENCE || !len) return false;
    return *p != V_ASN1_INTEGER;
}

static EVP_PKEY *read_private_der(Str data, enum Type type, Passphrase *pass)
{
    const u8 *p = crypto_bytes(data);
    if (type == TYPE_PKCS1) return d2i_PrivateKey(EVP_PKEY_RSA, NULL, &p, (long)data.n);
    if (type == TYPE_SEC1) return d2i_PrivateKey(EVP_PKEY_EC, NULL, &p, (long)data.n);
    if (!is_encrypted_pkcs8(data)) {
        PKCS8_PRIV_KEY_INFO *info = d2i_PKCS8_PRIV_KEY_INFO(NULL, &p, (long)data.n);
        EVP_PKEY *key = info ? EVP_PKCS82PKEY(info) : NULL;
        PKCS8_PRIV_KEY_INFO_free(info);
        return key;
    }
    BIO *bio = BIO_new_mem_buf(data.p, (int)data.n);
    EVP_PKEY *key = d2i_PKCS8PrivateKey_bio(bio, NULL, give_passphrase, pass);
    BIO_free(bio);
    return key;
}

static EVP_PKEY *read_certificate(const u8 *p, long n)
{
    X509 *cert = d2i_X509(NULL, &p, n);
    EVP_PKEY *key = cert ? X509_get_pubkey(cert) : NULL;
    X509_free(cert);
    return key;
}

/* The public part of what is written there: a public key, a certificate or a private key. */
static EVP_PKEY *read_public_pem(Str data, Passphrase *pass)
{
    BIO *bio = BIO_new_mem_buf(data.p, (int)data.n);
    char *name = NULL, *header = NULL;
    u8 *der = NULL;
    long n = 0;
    EVP_PKEY *key = NULL;
    bool is_private = !PEM_read_bio(bio, &name, &header, &der, &n);
    BIO_free(bio);
    const u8 *p = der;
    if (is_private)
        ERR_clear_error();
    else if (!strcmp(name, PEM_STRING_PUBLIC))
        key = d2i_PUBKEY(NULL, &p, n);
    else if (!strcmp(name, PEM_STRING_RSA_PUBLIC))
        key = d2i_PublicKey(EVP_PKEY_RSA, NULL, &p, n);
    else if (!strcmp(name, PEM_STRING_X509))
        key = read_certificate(p, n);
    else
        is_private = true;
    OPENSSL_free(name);
    OPENSSL_free(header);
    OPENSSL_free(der);
    return is_private ? read_private_pem(data, pass) : key;
}

static EVP_PKEY *read_public_der(Str data, enum Type type, Passphrase *pass)
{
    const u8 *p = crypto_bytes(data);
    if (type == TYPE_SPKI) return d2i_PUBKEY(NULL, &p, (long)data.n);
    if (type != TYPE_PKCS1) return read_private_der(data, type, pass);
    EVP_PKEY *key = d2i_PublicKey(EVP_PKEY_RSA, NULL, &p, (long)data.n);
    if (key) return key;
    ERR_clear_error();
    return read_private_der(data, type, pass);
}

/* parse(is private, data, format, type, passphrase or undefined): a handle, a failure, or null
 * when a passphrase is missing */
JS_NATIVE(keys_parse)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    bool is_private = js_truthy(js, js_arg(args, 0));
    Str data;
    Passphrase pass = {.is_given = !js_is_undefined(js_arg(args, 4))};
    if (!crypto_take(js, s.arena, js_arg(args, 1), &data)) return NULL;
    if (pass.is_given && !crypto_take(js, s.arena, js_arg(args, 4), &pass.text)) return NULL;
    if (data.n > INT32_MAX) return js_throw_range_error(js, "The key is too large");
    enum Format format = (enum Format)js_get_i32(js, js_arg(args, 2));
    enum Type type = (enum Type)js_get_i32(js, js_arg(args, 3));
    EVP_PKEY *key;
    if (format == FORMAT_PEM)
        key = is_private ? read_private_pem(data, &pass) : read_public_pem(data, &pass);
    else
        key = is_private ? read_private_der(data, type, &pass) : read_public_der(data, type, &pass);
    if (!key && pass.is_missed) {
        ERR_clear_error();
        return JS_NULL;
    }
    if (!key) return crypto_failure(js, "The key could not be read");
    ERR_clear_error();
    return crypto_key_wrap(js, key);
}

/* ---- Writing --------------------------------------------------------------------------------- */

static bool write_public(BIO *bio, const EVP_PKEY *key, enum Format format, enum Type type)
{
    if (type == TYPE_SPKI)
        return format == FORMAT_PEM ? PEM_write_bio_PUBKEY(bio, key) : i2d_PUBKEY_bio(bio, key);
    u8 *der = NULL;
    int n = i2d_PublicKey(key, &der);
    bool ok =
        n > 0 && (format == FORMAT_PEM ? PEM_write_bio(bio, PEM_STRING_RSA_PUBLIC, "", der, n) > 0
                                       : BIO_write(bio, der, n) == n);
    OPENSSL_free(der);
    return ok;
}

typedef struct {
    enum Format format;
    enum Type type;
    const EVP_CIPHER *cipher;
    Str passphrase;
} PrivateForm;

static bool write_private(BIO *bio, EVP_PKEY *key, const PrivateForm *f)
{
    char *pass = (char *)(uintptr_t)f->passphrase.p;
    int n = (int)f->passphrase.n;
    if (f->type == TYPE_PKCS8 && f->format == FORMAT_PEM)
        return PEM_write_bio_PKCS8PrivateKey(bio, key, f->cipher, pass, n, NULL, NULL);
    if (f->type == TYPE_PKCS8)
        return i2d_PKCS8PrivateKey_bio(bio, key, f->cipher, pass, n, NULL, NULL);
    if (f->format == FORMAT_PEM)
        return PEM_write_bio_PrivateKey_traditional(bio, key, f->cipher, (u8 *)pass, n, NULL, NULL);
    u8 *der = NULL;
    int len = i2d_PrivateKey(key, &der);
    bool ok = len > 0 && BIO_write(bio, der, len) == len;
    OPENSSL_clear_free(der, (usize)MAX(len, 0));
    return ok;
}

/* write(is private, handle, format, type, cipher or undefined, passphrase): text or bytes, a
 * failure, or false for an unknown cipher */
JS_NATIVE(keys_write)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    EVP_PKEY *key = crypto_key_get(js, js_arg(args, 1));
    if (!key) return NULL;
    PrivateForm f = {.format = (enum Format)js_get_i32(js, js_arg(args, 2)),
                     .type = (enum Type)js_get_i32(js, js_arg(args, 3))};
    if (!js_is_undefined(js_arg(args, 4))) {
        Str name;
        if (!js_to_str(js, s.arena, js_arg(args, 4), &name)) return NULL;
        f.cipher = EVP_get_cipherbyname(name.p);
        if (!f.cipher) return JS_FALSE;
        if (!crypto_take(js, s.arena, js_arg(args, 5), &f.passphrase)) return NULL;
        /* The library asks on the terminal when there is no text at all. */
        if (!f.passphrase.n) f.passphrase.p = "";
    }
    BIO *bio = BIO_new(BIO_s_secmem());
    bool ok = js_truthy(js, js_arg(args, 0)) ? write_private(bio, key, &f)
                                             : write_public(bio, key, f.format, f.type);
    char *p;
    long n = BIO_get_mem_data(bio, &p);
    JsVal result = !ok                      ? crypto_failure(js, "The key could not be written")
                   : f.format == FORMAT_PEM ? js_str(js, (Str){p, (usize)n})
                                            : js_u8array(js, p, (usize)n);
    BIO_free(bio);
    return result;
}

/* ---- What a key is --------------------------------------------------------------------------- */

static const char *type_name(const EVP_PKEY *key)
{
    static const struct {
        int id;
        const char *name;
    } rows[] = {
        {EVP_PKEY_RSA, "rsa"},         {EVP_PKEY_RSA_PSS, "rsa-pss"}, {EVP_PKEY_DSA, "dsa"},
        {EVP_PKEY_DH, "dh"},           {EVP_PKEY_DHX, "dh"},          {EVP_PKEY_EC, "ec"},
        {EVP_PKEY_ED25519, "ed25519"}, {EVP_PKEY_ED448, "ed448"},     {EVP_PKEY_X25519, "x25519"},
        {EVP_PKEY_X448, "x448"},
    };
    for (u32 i = 0; i < COUNT(rows); i++)
        if (EVP_PKEY_get_base_id(key) == rows[i].id) return rows[i].name;
    return NULL;
}

static JsVal text_param(Js *js, const EVP_PKEY *key, const char *name)
{
    char text[80];
    usize n = 0;
    if (!EVP_PKEY_get_utf8_string_param(key, name, text, sizeof text, &n)) return JS_UNDEFINED;
    return js_str(js, (Str){text, n});
}

static JsVal int_param(Js *js, const EVP_PKEY *key, const char *name)
{
    int n;
    return EVP_PKEY_get_int_param(key, name, &n) ? js_int(js, n) : JS_UNDEFINED;
}

static JsVal bn_param(Js *js, const EVP_PKEY *key, const char *name, usize size)
{
    BIGNUM *n = NULL;
    if (!EVP_PKEY_get_bn_param(key, name, &n)) return JS_UNDEFINED;
    JsVal bytes = crypto_bn_bytes(js, n, size);
    BN_clear_free(n);
    return bytes;
}

static JsVal bits_param(Js *js, const EVP_PKEY *key, const char *name)
{
    BIGNUM *n = NULL;
    if (!EVP_PKEY_get_bn_param(key, name, &n)) return JS_UNDEFINED;
    JsVal bits = js_int(js, BN_num_bits(n));
    BN_free(n);
    return bits;
}

/* type(handle) -> "rsa" and so on, or undefined */
JS_NATIVE(keys_type)
{
    EVP_PKEY *key = crypto_key_get(js, js_arg(args, 0));
    if (!key) return NULL;
    const char *name = type_name(key);
    return name ? js_str(js, str_z(name)) : JS_UNDEFINED;
}

/* details(handle) -> [bits, bytes of e, curve, bits of q, digest, digest of MGF1, length of salt]
 */
JS_NATIVE(keys_details)
{
    EVP_PKEY *key = crypto_key_get(js, js_arg(args, 0));
    if (!key) return NULL;
    bool is_pss = EVP_PKEY_get_base_id(key) == EVP_PKEY_RSA_PSS;
    JsVal parts[] = {
        js_int(js, EVP_PKEY_get_bits(key)),
        bn_param(js, key, OSSL_PKEY_PARAM_RSA_E, 0),
        text_param(js, key, OSSL_PKEY_PARAM_GROUP_NAME),
        bits_param(js, key, OSSL_PKEY_PARAM_FFC_Q),
        is_pss ? text_param(js, key, OSSL_PKEY_PARAM_RSA_DIGEST) : JS_UNDEFINED,
        is_pss ? text_param(js, key, OSSL_PKEY_PARAM_RSA_MGF1_DIGEST) : JS_UNDEFINED,
        is_pss ? int_param(js, key, OSSL_PKEY_PARAM_RSA_PSS_SALTLEN) : JS_UNDEFINED,
    };
    ERR_clear_error();
    return js_array(js, parts, COUNT(parts));
}

/* equal(a, b): the same public key (and private, when both are given as such) */
JS_NATIVE(keys_equal)
{
    EVP_PKEY *a = crypto_key_get(js, js_arg(args, 0));
    EVP_PKEY *b = a ? crypto_key_get(js, js_arg(args, 1)) : NULL;
    if (!b) return NULL;
    bool is_same = EVP_PKEY_eq(a, b) == 1;
    ERR_clear_error();
    return js_boolean(is_same);
}

/* ---- JWK ------------------------------------------------------------------------------------- */

static JsVal list_params(Js *js, const EVP_PKEY *key, const char *const *names, u32 n, usize size)
{
    JsVal parts[8];
    ASSERT(n <= COUNT(parts));
    for (u32 i = 0; i < n; i++) parts[i] = bn_param(js, key, names[i], size);
    ERR_clear_error();
    return js_array(js, parts, n);
}

static JsVal raw_parts(Js *js, const EVP_PKEY *key, bool is_private)
{
    u8 pub[64], priv[64];
    usize n_pub = sizeof pub, n_priv = sizeof priv;
    if (!EVP_PKEY_get_raw_public_key(key, pub, &n_pub)) return crypto_failure(js, "No raw key");
    JsVal parts[2] = {js_u8array(js, pub, n_pub)};
    if (!is_private) return js_array(js, parts, 1);
    if (!EVP_PKEY_get_raw_private_key(key, priv, &n_priv)) return crypto_failure(js, "No raw key");
    parts[1] = js_u8array(js, priv, n_priv);
    return js_array(js, parts, 2);
}

/* parts(is private, handle): the members of a JWK in the order n e d p q dp dq qi, x y d, or x d */
JS_NATIVE(keys_parts)
{
    static const char *const rsa[] = {
        OSSL_PKEY_PARAM_RSA_N,         OSSL_PKEY_PARAM_RSA_E,
        OSSL_PKEY_PARAM_RSA_D,         OSSL_PKEY_PARAM_RSA_FACTOR1,
        OSSL_PKEY_PARAM_RSA_FACTOR2,   OSSL_PKEY_PARAM_RSA_EXPONENT1,
        OSSL_PKEY_PARAM_RSA_EXPONENT2, OSSL_PKEY_PARAM_RSA_COEFFICIENT1,
    };
    static const char *const ec[] = {OSSL_PKEY_PARAM_EC_PUB_X, OSSL_PKEY_PARAM_EC_PUB_Y,
                                     OSSL_PKEY_PARAM_PRIV_KEY};
    bool is_private = js_truthy(js, js_arg(args, 0));
    EVP_PKEY *key = crypto_key_get(js, js_arg(args, 1));
    if (!key) return NULL;
    usize size = ((usize)EVP_PKEY_get_bits(key) + 7) / 8;
    switch (EVP_PKEY_get_base_id(key)) {
    case EVP_PKEY_RSA:
    case EVP_PKEY_RSA_PSS: return list_params(js, key, rsa, is_private ? 8 : 2, 0);
    case EVP_PKEY_EC: return list_params(js, key, ec, is_private ? 3 : 2, size);
    default: return raw_parts(js, key, is_private);
    }
}

static EVP_PKEY *from_builder(const char *type, OSSL_PARAM_BLD *builder, bool is_private)
{
    OSSL_PARAM *params = OSSL_PARAM_BLD_to_param(builder);
    EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_name(NULL, type, NULL);
    EVP_PKEY *key = NULL;
    int selection = is_private ? EVP_PKEY_KEYPAIR : EVP_PKEY_PUBLIC_KEY;
    if (params && ctx && EVP_PKEY_fromdata_init(ctx) > 0)
        (void)EVP_PKEY_fromdata(ctx, &key, selection, params);
    EVP_PKEY_CTX_free(ctx);
    OSSL_PARAM_free(params);
    return key;
}

/* fromRsa(n, e[, d, p, q, dp, dq, qi]) -> handle or failure */
JS_NATIVE(keys_from_rsa)
{
    static const char *const names[] = {
        OSSL_PKEY_PARAM_RSA_N,         OSSL_PKEY_PARAM_RSA_E,
        OSSL_PKEY_PARAM_RSA_D,         OSSL_PKEY_PARAM_RSA_FACTOR1,
        OSSL_PKEY_PARAM_RSA_FACTOR2,   OSSL_PKEY_PARAM_RSA_EXPONENT1,
        OSSL_PKEY_PARAM_RSA_EXPONENT2, OSSL_PKEY_PARAM_RSA_COEFFICIENT1,
    };
    BIGNUM *numbers[COUNT(names)] = {0};
    OSSL_PARAM_BLD *builder = OSSL_PARAM_BLD_new();
    bool ok = true;
    u32 n = MIN(args.len, (u32)COUNT(names));
    for (u32 i = 0; i < n && ok; i++) {
        numbers[i] = crypto_bn_take(js, js_arg(args, i));
        ok = numbers[i] && OSSL_PARAM_BLD_push_BN(builder, names[i], numbers[i]);
    }
    EVP_PKEY *key = ok ? from_builder("RSA", builder, n > 2) : NULL;
    OSSL_PARAM_BLD_free(builder);
    for (u32 i = 0; i < n; i++) BN_clear_free(numbers[i]);
    return crypto_key_wrap(js, key);
}

static bool is_valid(EVP_PKEY *key, bool is_private)
{
    EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_pkey(NULL, key, NULL);
    bool ok =
        ctx && EVP_PKEY_public_check(ctx) > 0 && (!is_private || EVP_PKEY_pairwise_check(ctx) > 0);
    EVP_PKEY_CTX_free(ctx);
    return ok;
}

/* fromEc(curve, point bytes (uncompressed), private bytes or undefined) -> handle or failure */
JS_NATIVE(keys_from_ec)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    Str curve;
    JsBytes point;
    if (!js_to_str(js, s.arena, js_arg(args, 0), &curve)) return NULL;
    if (!js_bytes(js, js_arg(args, 1), &point)) return crypto_failure(js, "No point");
    BIGNUM *secret = crypto_bn_take(js, js_arg(args, 2));
    OSSL_PARAM_BLD *builder = OSSL_PARAM_BLD_new();
    bool ok =
        OSSL_PARAM_BLD_push_utf8_string(builder, OSSL_PKEY_PARAM_GROUP_NAME, curve.p, 0) &&
        OSSL_PARAM_BLD_push_octet_string(builder, OSSL_PKEY_PARAM_PUB_KEY, point.p, point.n) &&
        (!secret || OSSL_PARAM_BLD_push_BN(builder, OSSL_PKEY_PARAM_PRIV_KEY, secret));
    EVP_PKEY *key = ok ? from_builder("EC", builder, secret) : NULL;
    if (key && !is_valid(key, secret)) {
        EVP_PKEY_free(key);
        key = NULL;
    }
    OSSL_PARAM_BLD_free(builder);
    BN_clear_free(secret);
    return crypto_key_wrap(js, key);
}

/* fromRaw(is private, "ED25519", bytes) -> handle or failure */
JS_NATIVE(keys_from_raw)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    Str name;
    JsBytes raw;
    if (!js_to_str(js, s.arena, js_arg(args, 1), &name)) return NULL;
    if (!js_bytes(js, js_arg(args, 2), &raw)) return crypto_failure(js, "No bytes");
    return crypto_key_wrap(js,
                           js_truthy(js, js_arg(args, 0))
                               ? EVP_PKEY_new_raw_private_key_ex(NULL, name.p, NULL, raw.p, raw.n)
                               : EVP_PKEY_new_raw_public_key_ex(NULL, name.p, NULL, raw.p, raw.n));
}

static const JsFn fns[] = {
    JS_FN("parse", keys_parse),      JS_FN("write", keys_write),    JS_FN("type", keys_type),
    JS_FN("details", keys_details),  JS_FN("equal", keys_equal),    JS_FN("parts", keys_parts),
    JS_FN("fromRsa", keys_from_rsa), JS_FN("fromEc", keys_from_ec), JS_FN("fromRaw", keys_from_raw),
};
BUILTIN_NATIVE(node_crypto_keys, fns)
