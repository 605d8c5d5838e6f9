/* node/crypto/x509.c -- certificates, and signed public keys (SPKAC).
 *
 * Fields and kinds are numbers that node:crypto/x509 shares with us: enum Field, enum Check. */
#include "builtins/node/crypto/key_handle.h"
#include "builtins/node/tls/tls.h"

#include "util/mem.h"

#include <math.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>
#include <string.h>
#include <time.h>

enum { OID_MAX = 128 };

enum Field {
    FIELD_SUBJECT,
    FIELD_ISSUER,
    FIELD_ALT_NAMES,
    FIELD_INFO_ACCESS,
    FIELD_FROM,
    FIELD_TO,
    FIELD_FROM_MS,
    FIELD_TO_MS,
    FIELD_SHA1,
    FIELD_SHA256,
    FIELD_SHA512,
    FIELD_KEY_USAGE,
    FIELD_SERIAL,
    FIELD_ALGORITHM,
    FIELD_ALGORITHM_OID,
    FIELD_RAW,
    FIELD_KEY,
    FIELD_PEM,
    FIELD_CA,
    FIELD_LEGACY,
};

enum Check { CHECK_HOST, CHECK_EMAIL, CHECK_IP };

static void x509_free(void *native)
{
    X509_free(native);
}

static const JsClass x509_class = {"X509Handle", x509_free};

static X509 *x509_arg(Js *js, JsVal v)
{
    return js_unwrap_handle(js, v, &x509_class);
}

static int no_passphrase(char *buf, int size, int is_writing, void *data)
{
    (void)buf;
    (void)size;
    (void)is_writing;
    (void)data;
    return 0;
}

/* parse(PEM or DER) -> handle or failure; the failure is that of PEM. */
JS_NATIVE(x509_parse)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    Str data;
    if (!crypto_take(js, s.arena, js_arg(args, 0), &data)) return NULL;
    if (data.n > INT32_MAX) return js_throw_range_error(js, "The certificate is too large");
    ERR_clear_error();
    BIO *bio = BIO_new_mem_buf(data.n ? data.p : "", (int)data.n);
    X509 *cert = PEM_read_bio_X509_AUX(bio, NULL, no_passphrase, NULL);
    BIO_free(bio);
    const u8 *p = crypto_bytes(data);
    (void)ERR_set_mark();
    if (!cert && data.n) cert = d2i_X509(NULL, &p, (long)data.n);
    (void)ERR_pop_to_mark();
    if (!cert) return crypto_failure(js, "The certificate could not be read");
    ERR_clear_error();
    return js_wrap(js, &x509_class, cert);
}

/* ---- Fields --------------------------------------------------------------------------------- */

/* Takes the bio. */
static JsVal bio_text(Js *js, BIO *bio)
{
    char *p;
    long n = BIO_get_mem_data(bio, &p);
    JsVal v = n > 0 ? js_str(js, (Str){p, (usize)n}) : JS_UNDEFINED;
    BIO_free(bio);
    return v;
}

static JsVal name_text(Js *js, const X509_NAME *name)
{
    BIO *bio = BIO_new(BIO_s_mem());
    unsigned long flags = ASN1_STRFLGS_ESC_2253 | ASN1_STRFLGS_ESC_CTRL |
                          ASN1_STRFLGS_UTF8_CONVERT | XN_FLAG_SEP_MULTILINE | XN_FLAG_FN_SN;
    (void)X509_NAME_print_ex(bio, name, 0, flags);
    return bio_text(js, bio);
}

static JsVal time_ms(Js *js, const ASN1_TIME *t)
{
    struct tm tm;
    if (!ASN1_TIME_to_tm(t, &tm)) return js_number(js, NAN);
    return js_number(js, (f64)timegm(&tm) * 1000);
}

static JsVal algorithm(Js *js, X509 *cert)
{
    int nid = X509_get_signature_nid(cert);
    return nid == NID_undef ? JS_UNDEFINED : js_str(js, str_z(OBJ_nid2ln(nid)));
}

static JsVal algorithm_oid(Js *js, X509 *cert)
{
    const X509_ALGOR *algor;
    const ASN1_OBJECT *object;
    char oid[OID_MAX];
    X509_get0_signature(NULL, &algor, cert);
    X509_ALGOR_get0(&object, NULL, NULL, algor);
    int n = OBJ_obj2txt(oid, sizeof oid, object, 1);
    return n > 0 ? js_str(js, str_z(oid)) : JS_UNDEFINED;
}

static JsVal raw(Js *js, X509 *cert)
{
    u8 *der = NULL;
    int n = i2d_X509(cert, &der);
    if (n < 0) return crypto_failure(js, "The certificate could not be written");
    JsVal v = js_u8array(js, der, (usize)n);
    OPENSSL_free(der);
    return v;
}

static JsVal pem(Js *js, X509 *cert)
{
    BIO *bio = BIO_new(BIO_s_mem());
    (void)PEM_write_bio_X509(bio, cert);
    return bio_text(js, bio);
}

static JsVal field(Js *js, X509 *cert, enum Field kind)
{
    switch (kind) {
    case FIELD_SUBJECT: return name_text(js, X509_get_subject_name(cert));
    case FIELD_ISSUER: return name_text(js, X509_get_issuer_name(cert));
    case FIELD_ALT_NAMES: return tls_cert_alt_names(js, cert);
    case FIELD_INFO_ACCESS: return tls_cert_info_access(js, cert);
    case FIELD_FROM: return tls_cert_time(js, X509_get0_notBefore(cert));
    case FIELD_TO: return tls_cert_time(js, X509_get0_notAfter(cert));
    case FIELD_FROM_MS: return time_ms(js, X509_get0_notBefore(cert));
    case FIELD_TO_MS: return time_ms(js, X509_get0_notAfter(cert));
    case FIELD_SHA1: return tls_cert_fingerprint(js, cert, EVP_sha1());
    case FIELD_SHA256: return tls_cert_fingerprint(js, cert, EVP_sha256());
    case FIELD_SHA512: return tls_cert_fingerprint(js, cert, EVP_sha512());
    case FIELD_KEY_USAGE: return tls_cert_key_usage(js, cert);
    case FIELD_SERIAL: return tls_cert_serial(js, cert);
    case FIELD_ALGORITHM: return algorithm(js, cert);
    case FIELD_ALGORITHM_OID: return algorithm_oid(js, cert);
    case FIELD_RAW: return raw(js, cert);
    case FIELD_KEY: return crypto_key_wrap(js, X509_get_pubkey(cert));
    case FIELD_PEM: return pem(js, cert);
    case FIELD_CA: return js_boolean(X509_check_ca(cert) == 1);
    case FIELD_LEGACY: return tls_cert_object(js, cert);
    }
    return js_throw_illegal(js);
}

/* get(handle, field): a failure where it cannot be had */
JS_NATIVE(x509_get)
{
    X509 *cert = x509_arg(js, js_arg(args, 0));
    if (!cert) return NULL;
    JsVal v = field(js, cert, (enum Field)js_get_i32(js, js_arg(args, 1)));
    /* What was tried on the way must not be told as the cause of the next failure. */
    ERR_clear_error();
    return v;
}

/* ---- Questions ------------------------------------------------------------------------------ */

/* check(handle, kind, text, flags) -> the name it has, undefined, or false for an invalid text */
JS_NATIVE(x509_check)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    X509 *cert = x509_arg(js, js_arg(args, 0));
    if (!cert) return NULL;
    Str text;
    char *peer = NULL;
    int rc = -2;
    if (!js_to_str(js, s.arena, js_arg(args, 2), &text)) return NULL;
    u32 flags = (u32)js_get_i32(js, js_arg(args, 3));
    switch ((enum Check)js_get_i32(js, js_arg(args, 1))) {
    case CHECK_HOST: rc = X509_check_host(cert, text.p, text.n, flags, &peer); break;
    case CHECK_EMAIL: rc = X509_check_email(cert, text.p, text.n, flags); break;
    case CHECK_IP:
        if (!memchr(text.p, 0, text.n)) rc = X509_check_ip_asc(cert, text.p, flags);
        break;
    }
    ERR_clear_error();
    JsVal v = rc == -2 ? JS_FALSE : JS_UNDEFINED;
    if (rc == 1) v = peer ? js_str(js, str_z(peer)) : js_arg(args, 2);
    OPENSSL_free(peer);
    return v;
}

/* issued(handle, issuer's handle) */
JS_NATIVE(x509_issued)
{
    X509 *cert = x509_arg(js, js_arg(args, 0));
    X509 *issuer = cert ? x509_arg(js, js_arg(args, 1)) : NULL;
    if (!issuer) return NULL;
    bool is_issued = X509_check_issued(issuer, cert) == X509_V_OK;
    ERR_clear_error();
    return js_boolean(is_issued);
}

/* fits(handle, private key) */
JS_NATIVE(x509_fits)
{
    X509 *cert = x509_arg(js, js_arg(args, 0));
    if (!cert) return NULL;
    EVP_PKEY *key = crypto_key_get(js, js_arg(args, 1));
    if (!key) return NULL;
    bool fits = X509_check_private_key(cert, key) == 1;
    ERR_clear_error();
    return js_boolean(fits);
}

/* verify(handle, public key of the issuer) */
JS_NATIVE(x509_verify)
{
    X509 *cert = x509_arg(js, js_arg(args, 0));
    if (!cert) return NULL;
    EVP_PKEY *key = crypto_key_get(js, js_arg(args, 1));
    if (!key) return NULL;
    bool is_good = X509_verify(cert, key) > 0;
    ERR_clear_error();
    return js_boolean(is_good);
}

/* ---- SPKAC ---------------------------------------------------------------------------------- */

static NETSCAPE_SPKI *read_spkac(Str text)
{
    /* The length 0 means "up to the NUL" there. */
    if (!text.n || text.n > INT32_MAX) return NULL;
    return NETSCAPE_SPKI_b64_decode(text.p, (int)text.n);
}

static JsVal spkac_is_good(UNUSED Js *js, NETSCAPE_SPKI *spki)
{
    EVP_PKEY *key = X509_PUBKEY_get(spki->spkac->pubkey);
    bool is_good = key && NETSCAPE_SPKI_verify(spki, key) > 0;
    EVP_PKEY_free(key);
    return js_boolean(is_good);
}

static JsVal spkac_key(Js *js, NETSCAPE_SPKI *spki)
{
    EVP_PKEY *key = NETSCAPE_SPKI_get_pubkey(spki);
    if (!key) return JS_UNDEFINED;
    BIO *bio = BIO_new(BIO_s_mem());
    (void)PEM_write_bio_PUBKEY(bio, key);
    EVP_PKEY_free(key);
    return bio_text(js, bio);
}

static JsVal spkac_challenge(Js *js, NETSCAPE_SPKI *spki)
{
    u8 *text = NULL;
    int n = ASN1_STRING_to_UTF8(&text, spki->spkac->challenge);
    if (n < 0) return JS_UNDEFINED;
    JsVal v = js_u8array(js, text, (usize)n);
    OPENSSL_free(text);
    return v;
}

typedef JsVal SpkacFn(Js *js, NETSCAPE_SPKI *spki);

static JsVal with_spkac(Js *js, JsArgs args, SpkacFn *fn)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    Str text;
    if (!crypto_take(js, s.arena, js_arg(args, 0), &text)) return NULL;
    NETSCAPE_SPKI *spki = read_spkac(text);
    JsVal v = spki ? fn(js, spki) : JS_UNDEFINED;
    NETSCAPE_SPKI_free(spki);
    ERR_clear_error();
    return v;
}

/* verifySpkac(base64) -> boolean, or undefined when it cannot be read */
JS_NATIVE(x509_spkac_verify)
{
    return with_spkac(js, args, spkac_is_good);
}

/* spkacKey(base64) -> PEM or undefined */
JS_NATIVE(x509_spkac_key)
{
    return with_spkac(js, args, spkac_key);
}

/* spkacChallenge(base64) -> bytes or undefined */
JS_NATIVE(x509_spkac_challenge)
{
    return with_spkac(js, args, spkac_challenge);
}

static const JsFn fns[] = {
    JS_FN("parse", x509_parse),
    JS_FN("get", x509_get),
    JS_FN("check", x509_check),
    JS_FN("issued", x509_issued),
    JS_FN("fits", x509_fits),
    JS_FN("verify", x509_verify),
    JS_FN("verifySpkac", x509_spkac_verify),
    JS_FN("spkacKey", x509_spkac_key),
    JS_FN("spkacChallenge", x509_spkac_challenge),
};
BUILTIN_NATIVE(node_crypto_x509, fns)
