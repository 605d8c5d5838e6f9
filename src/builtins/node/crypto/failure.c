/* node/crypto/failure.c -- errors of OpenSSL, and arguments as bytes. */
#include "builtins/node/crypto/openssl.h"

#include <openssl/err.h>

enum { NAME_MAX_LEN = 128, STACK_MAX = 16 };

/* "EVP_" for the libraries whose name is part of Node's codes. */
static const char *library_prefix(unsigned long error)
{
    switch (ERR_GET_LIB(error)) {
    case ERR_LIB_SYS: return "SYS_";
    case ERR_LIB_BN: return "BN_";
    case ERR_LIB_RSA: return "RSA_";
    case ERR_LIB_DH: return "DH_";
    case ERR_LIB_EVP: return "EVP_";
    case ERR_LIB_BUF: return "BUF_";
    case ERR_LIB_OBJ: return "OBJ_";
    case ERR_LIB_PEM: return "PEM_";
    case ERR_LIB_DSA: return "DSA_";
    case ERR_LIB_X509: return "X509_";
    case ERR_LIB_ASN1: return "ASN1_";
    case ERR_LIB_CRYPTO: return "CRYPTO_";
    case ERR_LIB_EC: return "EC_";
    case ERR_LIB_BIO: return "BIO_";
    case ERR_LIB_PKCS7: return "PKCS7_";
    case ERR_LIB_X509V3: return "X509V3_";
    case ERR_LIB_PKCS12: return "PKCS12_";
    case ERR_LIB_RAND: return "RAND_";
    case ERR_LIB_OSSL_STORE: return "OSSL_STORE_";
    case ERR_LIB_CMS: return "CMS_";
    case ERR_LIB_KDF: return "KDF_";
    default: return "";
    }
}

static char code_char(char c)
{
    if (c == ' ') return '_';
    return c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c;
}

/* ERR_OSSL_EVP_BAD_DECRYPT; undefined when the library gives no reason. */
static JsVal code_of(Js *js, unsigned long error)
{
    const char *reason = ERR_reason_error_string(error);
    if (!reason) return JS_UNDEFINED;
    AUTO(Scratch) s = scratch_begin(NULL);
    const char *system = ERR_GET_LIB(error) == ERR_LIB_SSL ? "SSL_" : "OSSL_";
    Str code =
        str_fmt(s.arena, "ERR_%s%s%.*s", system, library_prefix(error), NAME_MAX_LEN, reason);
    char *copy = arena_alloc(s.arena, code.n + 1, 1);
    for (usize i = 0; i < code.n; i++) copy[i] = code_char(code.p[i]);
    return js_str(js, (Str){copy, code.n});
}

static JsVal text_of(Js *js, unsigned long error)
{
    char text[2 * NAME_MAX_LEN];
    ERR_error_string_n(error, text, sizeof text);
    return js_str(js, str_z(text));
}

JsVal crypto_failure(Js *js, const char *fallback)
{
    /* The first error is the one that is reported; those after it are its stack, newest first. */
    unsigned long errors[STACK_MAX], error;
    u32 n = 0;
    while ((error = ERR_get_error()) != 0) {
        if (n == STACK_MAX) n--;
        errors[n++] = error;
    }
    if (!n) {
        JsVal only[] = {js_str(js, str_z(fallback))};
        return js_array(js, only, COUNT(only));
    }
    JsVal stack[STACK_MAX];
    for (u32 i = 1; i < n; i++) stack[n - 1 - i] = text_of(js, errors[i]);
    error = errors[0];
    const char *library = ERR_lib_error_string(error), *reason = ERR_reason_error_string(error);
    JsVal parts[] = {
        text_of(js, error),
        library ? js_str(js, str_z(library)) : JS_UNDEFINED,
        reason ? js_str(js, str_z(reason)) : JS_UNDEFINED,
        code_of(js, error),
        js_array(js, stack, n - 1),
    };
    return js_array(js, parts, COUNT(parts));
}

bool crypto_take(Js *js, Arena *a, JsVal v, Str *ret)
{
    JsBytes bytes;
    if (!js_bytes(js, v, &bytes)) return js_to_str(js, a, v, ret);
    *ret = (Str){(const char *)bytes.p, bytes.n};
    return true;
}

EVP_MD *crypto_digest_fetch(Js *js, JsVal name)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    Str text;
    if (!js_to_str(js, s.arena, name, &text)) {
        (void)js_catch(js);
        return NULL;
    }
    /* The old table knows names such as RSA-SHA256 that providers do not. */
    const EVP_MD *known = EVP_get_digestbyname(text.p);
    const char *canonical = known ? EVP_MD_get0_name(known) : text.p;
    EVP_MD *md = EVP_MD_fetch(NULL, canonical, NULL);
    if (!md) ERR_clear_error();
    return md;
}
