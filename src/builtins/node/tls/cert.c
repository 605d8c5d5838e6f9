/* node/tls/cert.c -- a certificate as an object, as Node has always shown it. */
#include "builtins/node/tls/tls_js.h"

#include "util/mem.h"

#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/rsa.h>
#include <openssl/x509v3.h>
#include <stdio.h>
#include <string.h>

typedef struct {
    Js *js;
    JsVal object;
    bool is_bad;
} Builder;

static void put(Builder *b, const char *name, JsVal v)
{
    if (!b->is_bad && (!v || !js_set(b->js, b->object, name, v))) b->is_bad = true;
}

static JsVal bio_value(Js *js, BIO *bio)
{
    char *p;
    long n = BIO_get_mem_data(bio, &p);
    JsVal v = js_str(js, (Str){p, (usize)n});
    BIO_free(bio);
    return v;
}

static BIO *bio_new(void)
{
    BIO *bio = BIO_new(BIO_s_mem());
    if (!bio) bug_oom(sizeof(void *));
    return bio;
}

/* { CN: "x", OU: ["a", "b"] } */
static JsVal name_value(Js *js, const X509_NAME *name)
{
    Builder b = {.js = js, .object = js_object_null_proto(js)};
    for (int i = 0; i < X509_NAME_entry_count(name) && !b.is_bad; i++) {
        X509_NAME_ENTRY *entry = X509_NAME_get_entry(name, i);
        char key[80];
        int nid = OBJ_obj2nid(X509_NAME_ENTRY_get_object(entry));
        if (nid != NID_undef)
            (void)snprintf(key, sizeof(key), "%s", OBJ_nid2sn(nid));
        else
            OBJ_obj2txt(key, sizeof(key), X509_NAME_ENTRY_get_object(entry), 1);
        u8 *utf8 = NULL;
        int n = ASN1_STRING_to_UTF8(&utf8, X509_NAME_ENTRY_get_data(entry));
        if (n < 0) continue;
        JsVal v = js_str(js, (Str){(char *)utf8, (usize)n});
        OPENSSL_free(utf8);
        JsVal old = js_get(js, b.object, key);
        u32 len = 0;
        if (old && js_is_array(js, old)) {
            b.is_bad = !js_array_len(js, old, &len) || !js_set_index(js, old, len, v);
            continue;
        }
        put(&b, key, old && js_is_string(js, old) ? js_array(js, JS_ARGS(old, v).at, 2) : v);
    }
    return b.is_bad ? NULL : b.object;
}

/* ---- Other names ---------------------------------------------------------------------------- */

/* Quoted when it could be taken for something else. */
static void push_safe(Buf *out, Str text)
{
    bool is_safe = true;
    for (usize i = 0; i < text.n; i++) {
        u8 c = (u8)text.p[i];
        if (c < ' ' || c > '~' || c == '"' || c == '\\' || c == ',' || c == '\'') is_safe = false;
    }
    if (is_safe) {
        buf_push(out, text);
        return;
    }
    buf_push_char(out, '"');
    for (usize i = 0; i < text.n; i++) {
        u8 c = (u8)text.p[i];
        if (c == '"' || c == '\\') buf_push_char(out, '\\');
        if (c < ' ' || c > '~')
            buf_fmt(out, "\\u%04x", c);
        else
            buf_push_char(out, (char)c);
    }
    buf_push_char(out, '"');
}

static Str asn1_text(const ASN1_STRING *s)
{
    return (Str){(const char *)ASN1_STRING_get0_data(s), (usize)ASN1_STRING_length(s)};
}

static void push_ip(Buf *out, const ASN1_OCTET_STRING *ip)
{
    const u8 *p = ASN1_STRING_get0_data(ip);
    int n = ASN1_STRING_length(ip);
    buf_push(out, S("IP Address:"));
    if (n == 4) {
        buf_fmt(out, "%d.%d.%d.%d", p[0], p[1], p[2], p[3]);
    } else if (n == 16) {
        for (int i = 0; i < 16; i += 2)
            buf_fmt(out, i ? ":%X" : "%X", (unsigned)(p[i] << 8 | p[i + 1]));
    } else {
        buf_push(out, S("<invalid>"));
    }
}

static void push_general_name(Buf *out, const GENERAL_NAME *name)
{
    BIO *bio;
    char *p;
    long n;
    switch (name->type) {
    case GEN_DNS:
        buf_push(out, S("DNS:"));
        push_safe(out, asn1_text(name->d.dNSName));
        return;
    case GEN_EMAIL:
        buf_push(out, S("email:"));
        push_safe(out, asn1_text(name->d.rfc822Name));
        return;
    case GEN_URI:
        buf_push(out, S("URI:"));
        push_safe(out, asn1_text(name->d.uniformResourceIdentifier));
        return;
    case GEN_IPADD: push_ip(out, name->d.iPAddress); return;
    case GEN_DIRNAME:
        bio = bio_new();
        X509_NAME_print_ex(bio, name->d.dirn, 0,
                           XN_FLAG_RFC2253 & ~(unsigned long)ASN1_STRFLGS_ESC_MSB);
        buf_push(out, S("DirName:"));
        n = BIO_get_mem_data(bio, &p);
        push_safe(out, (Str){p, (usize)n});
        BIO_free(bio);
        return;
    case GEN_RID: {
        char oid[80];
        OBJ_obj2txt(oid, sizeof(oid), name->d.rid, 1);
        buf_fmt(out, "Registered ID:%s", oid);
        return;
    }
    default: buf_push(out, S("othername:<unsupported>")); return;
    }
}

static JsVal alt_names(Js *js, X509 *cert)
{
    GENERAL_NAMES *names = X509_get_ext_d2i(cert, NID_subject_alt_name, NULL, NULL);
    if (!names) return JS_UNDEFINED;
    AUTO(Buf) out = {0};
    for (int i = 0; i < sk_GENERAL_NAME_num(names); i++) {
        if (i) buf_push(&out, S(", "));
        push_general_name(&out, sk_GENERAL_NAME_value(names, i));
    }
    GENERAL_NAMES_free(names);
    return js_str(js, buf_str(&out));
}

/* { "OCSP - URI": ["http://..."] } */
static JsVal info_access(Js *js, X509 *cert)
{
    AUTHORITY_INFO_ACCESS *list = X509_get_ext_d2i(cert, NID_info_access, NULL, NULL);
    if (!list) return JS_UNDEFINED;
    Builder b = {.js = js, .object = js_object_null_proto(js)};
    for (int i = 0; i < sk_ACCESS_DESCRIPTION_num(list) && !b.is_bad; i++) {
        ACCESS_DESCRIPTION *d = sk_ACCESS_DESCRIPTION_value(list, i);
        AUTO(Buf) text = {0};
        push_general_name(&text, d->location);
        char method[80], key[160];
        OBJ_obj2txt(method, sizeof(method), d->method, 0);
        Str kind, value;
        (void)str_cut(buf_str(&text), ':', &kind, &value);
        (void)snprintf(key, sizeof(key), "%s - %.*s", method, (int)MIN(kind.n, 60U), kind.p);
        JsVal old = js_get(js, b.object, key), v = js_str(js, value);
        u32 len = 0;
        if (old && js_is_array(js, old))
            b.is_bad = !js_array_len(js, old, &len) || !js_set_index(js, old, len, v);
        else
            put(&b, key, js_array(js, &v, 1));
    }
    AUTHORITY_INFO_ACCESS_free(list);
    return b.is_bad ? NULL : b.object;
}

/* ---- The key -------------------------------------------------------------------------------- */

static JsVal hex_value(Js *js, const BIGNUM *n)
{
    char *hex = BN_bn2hex(n);
    JsVal v = js_str(js, str_z(hex));
    OPENSSL_free(hex);
    return v;
}

static void put_rsa(Builder *b, EVP_PKEY *key)
{
    Js *js = b->js;
    BIGNUM *n = NULL, *e = NULL;
    (void)EVP_PKEY_get_bn_param(key, "n", &n);
    (void)EVP_PKEY_get_bn_param(key, "e", &e);
    if (n && e) {
        AUTO(Scratch) s = scratch_begin(NULL);
        put(b, "modulus", hex_value(js, n));
        put(b, "bits", js_int(js, BN_num_bits(n)));
        Str text = str_fmt(s.arena, "0x%lx", (unsigned long)BN_get_word(e));
        put(b, "exponent", js_str(js, text));
    }
    BN_free(n);
    BN_free(e);
    u8 *der = NULL;
    int len = i2d_PUBKEY(key, &der);
    if (len > 0) put(b, "pubkey", js_u8array(js, der, (usize)len));
    OPENSSL_free(der);
}

static void put_ec(Builder *b, EVP_PKEY *key)
{
    Js *js = b->js;
    char group[80] = "";
    put(b, "bits", js_int(js, EVP_PKEY_get_bits(key)));
    u8 *point = NULL;
    usize n = EVP_PKEY_get1_encoded_public_key(key, &point);
    if (n) put(b, "pubkey", js_u8array(js, point, n));
    OPENSSL_free(point);
    if (EVP_PKEY_get_group_name(key, group, sizeof(group), NULL) != 1) return;
    int nid = OBJ_txt2nid(group);
    put(b, "asn1Curve", js_str(js, str_z(nid ? OBJ_nid2sn(nid) : group)));
    const char *nist = nid ? EC_curve_nid2nist(nid) : NULL;
    if (nist) put(b, "nistCurve", js_str(js, str_z(nist)));
}

static void put_key(Builder *b, X509 *cert)
{
    EVP_PKEY *key = X509_get0_pubkey(cert);
    if (!key) return;
    switch (EVP_PKEY_get_base_id(key)) {
    case EVP_PKEY_RSA: put_rsa(b, key); break;
    case EVP_PKEY_EC: put_ec(b, key); break;
    default: break;
    }
}

/* ---- The rest ------------------------------------------------------------------------------- */

static JsVal time_value(Js *js, const ASN1_TIME *t)
{
    BIO *bio = bio_new();
    ASN1_TIME_print(bio, t);
    return bio_value(js, bio);
}

static JsVal fingerprint(Js *js, X509 *cert, const EVP_MD *md)
{
    u8 hash[EVP_MAX_MD_SIZE];
    u32 n = 0;
    AUTO(Buf) text = {0};
    (void)X509_digest(cert, md, hash, &n);
    for (u32 i = 0; i < n; i++) buf_fmt(&text, i ? ":%02X" : "%02X", hash[i]);
    return js_str(js, buf_str(&text));
}

static JsVal key_usage(Js *js, X509 *cert)
{
    EXTENDED_KEY_USAGE *usage = X509_get_ext_d2i(cert, NID_ext_key_usage, NULL, NULL);
    if (!usage) return JS_UNDEFINED;
    JsVal list = js_array(js, NULL, 0);
    for (int i = 0; i < sk_ASN1_OBJECT_num(usage) && list; i++) {
        char oid[80];
        OBJ_obj2txt(oid, sizeof(oid), sk_ASN1_OBJECT_value(usage, i), 1);
        if (!js_set_index(js, list, (u32)i, js_str(js, str_z(oid)))) list = NULL;
    }
    EXTENDED_KEY_USAGE_free(usage);
    return list;
}

static JsVal serial(Js *js, X509 *cert)
{
    BIGNUM *n = ASN1_INTEGER_to_BN(X509_get0_serialNumber(cert), NULL);
    JsVal v = n ? hex_value(js, n) : js_str(js, S(""));
    BN_free(n);
    return v;
}

static void put_if(Builder *b, const char *name, JsVal v)
{
    if (!v || !js_is_undefined(v)) put(b, name, v);
}

JsVal tls_cert_object(Js *js, X509 *cert)
{
    Builder b = {.js = js, .object = js_object(js)};
    put(&b, "subject", name_value(js, X509_get_subject_name(cert)));
    put(&b, "issuer", name_value(js, X509_get_issuer_name(cert)));
    put_if(&b, "subjectaltname", alt_names(js, cert));
    put_if(&b, "infoAccess", info_access(js, cert));
    put(&b, "ca", js_boolean(X509_check_ca(cert) == 1));
    put_key(&b, cert);
    put(&b, "valid_from", time_value(js, X509_get0_notBefore(cert)));
    put(&b, "valid_to", time_value(js, X509_get0_notAfter(cert)));
    put(&b, "fingerprint", fingerprint(js, cert, EVP_sha1()));
    put(&b, "fingerprint256", fingerprint(js, cert, EVP_sha256()));
    put(&b, "fingerprint512", fingerprint(js, cert, EVP_sha512()));
    put_if(&b, "ext_key_usage", key_usage(js, cert));
    put(&b, "serialNumber", serial(js, cert));
    u8 *der = NULL;
    int n = i2d_X509(cert, &der);
    if (n > 0) put(&b, "raw", js_u8array(js, der, (usize)n));
    OPENSSL_free(der);
    return b.is_bad ? NULL : b.object;
}
