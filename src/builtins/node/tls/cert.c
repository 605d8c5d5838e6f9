/* node/tls/cert.c -- a certificate as an object, as Node has always shown it. */
#include "builtins/node/tls/tls.h"

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

typedef enum { TEXT_LATIN1, TEXT_UTF8 } TextKind;

static bool is_plain_char(u8 c, TextKind kind)
{
    return c >= ' ' && c != 0x7f && (c <= '~' || kind == TEXT_UTF8);
}

/* Quoted, as JSON, when it could be taken for something else.  The prefix may be empty. */
static void push_safe(Buf *out, Str prefix, Str text, TextKind kind)
{
    bool is_safe = true;
    for (usize i = 0; i < text.n; i++) {
        u8 c = (u8)text.p[i];
        if (!is_plain_char(c, kind) || c == '"' || c == '\\' || c == ',' || c == '\'')
            is_safe = false;
    }
    if (!is_safe) buf_push_char(out, '"');
    buf_push(out, prefix);
    for (usize i = 0; i < text.n; i++) {
        u8 c = (u8)text.p[i];
        if (!is_safe && (c == '"' || c == '\\')) buf_push_char(out, '\\');
        if (c == ',' || !is_plain_char(c, kind))
            buf_fmt(out, "\\u%04x", c);
        else
            buf_push_char(out, (char)c);
    }
    if (!is_safe) buf_push_char(out, '"');
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
        buf_fmt(out, "<invalid length=%d>", n);
    }
}

static void push_other_name(Buf *out, const OTHERNAME *name)
{
    static const struct {
        int nid;
        Str prefix;
    } known[] = {
        {NID_id_on_SmtpUTF8Mailbox, {"SmtpUTF8Mailbox:", sizeof("SmtpUTF8Mailbox:") - 1}},
        {NID_XmppAddr, {"XmppAddr:", sizeof("XmppAddr:") - 1}},
        {NID_SRVName, {"SRVName:", sizeof("SRVName:") - 1}},
        {NID_ms_upn, {"UPN:", sizeof("UPN:") - 1}},
        {NID_NAIRealm, {"NAIRealm:", sizeof("NAIRealm:") - 1}},
    };
    int nid = OBJ_obj2nid(name->type_id);
    TextKind kind = nid == NID_SRVName ? TEXT_LATIN1 : TEXT_UTF8;
    int type = kind == TEXT_UTF8 ? V_ASN1_UTF8STRING : V_ASN1_IA5STRING;
    buf_push(out, S("othername:"));
    for (u32 i = 0; i < COUNT(known) && name->value->type == type; i++) {
        if (known[i].nid != nid) continue;
        push_safe(out, known[i].prefix, asn1_text(name->value->value.asn1_string), kind);
        return;
    }
    buf_push(out, S("<unsupported>"));
}

static void push_general_name(Buf *out, const GENERAL_NAME *name)
{
    BIO *bio;
    char *p;
    long n;
    switch (name->type) {
    case GEN_DNS:
        buf_push(out, S("DNS:"));
        push_safe(out, S(""), asn1_text(name->d.dNSName), TEXT_LATIN1);
        return;
    case GEN_EMAIL:
        buf_push(out, S("email:"));
        push_safe(out, S(""), asn1_text(name->d.rfc822Name), TEXT_LATIN1);
        return;
    case GEN_URI:
        buf_push(out, S("URI:"));
        push_safe(out, S(""), asn1_text(name->d.uniformResourceIdentifier), TEXT_LATIN1);
        return;
    case GEN_IPADD: push_ip(out, name->d.iPAddress); return;
    case GEN_DIRNAME:
        bio = bio_new();
        X509_NAME_print_ex(bio, name->d.dirn, 0,
                           XN_FLAG_RFC2253 & ~(ASN1_STRFLGS_ESC_MSB | ASN1_STRFLGS_ESC_CTRL));
        buf_push(out, S("DirName:"));
        n = BIO_get_mem_data(bio, &p);
        push_safe(out, S(""), (Str){p, (usize)n}, TEXT_UTF8);
        BIO_free(bio);
        return;
    case GEN_RID: {
        char oid[80];
        OBJ_obj2txt(oid, sizeof(oid), name->d.rid, 1);
        buf_fmt(out, "Registered ID:%s", oid);
        return;
    }
    case GEN_X400: buf_push(out, S("X400Name:<unsupported>")); return;
    case GEN_EDIPARTY: buf_push(out, S("EdiPartyName:<unsupported>")); return;
    default: push_other_name(out, name->d.otherName); return;
    }
}

JsVal tls_cert_alt_names(Js *js, X509 *cert)
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

JsVal tls_cert_info_access(Js *js, X509 *cert)
{
    AUTHORITY_INFO_ACCESS *list = X509_get_ext_d2i(cert, NID_info_access, NULL, NULL);
    if (!list) return JS_UNDEFINED;
    AUTO(Buf) out = {0};
    for (int i = 0; i < sk_ACCESS_DESCRIPTION_num(list); i++) {
        ACCESS_DESCRIPTION *d = sk_ACCESS_DESCRIPTION_value(list, i);
        char method[80];
        OBJ_obj2txt(method, sizeof(method), d->method, 0);
        buf_fmt(&out, i ? "\n%s - " : "%s - ", method);
        push_general_name(&out, d->location);
    }
    AUTHORITY_INFO_ACCESS_free(list);
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
        JsVal old = js_get(js, b.object, key);
        JsVal v = value.n && *value.p == '"' ? js_json_parse(js, value) : js_str(js, value);
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
    u8 *point = NULL;
    usize n = EVP_PKEY_get1_encoded_public_key(key, &point);
    if (n) put(b, "pubkey", js_u8array(b->js, point, n));
    OPENSSL_free(point);
    put(b, "bits", js_int(b->js, EVP_PKEY_get_bits(key)));
}

static void put_curve(Builder *b, EVP_PKEY *key)
{
    char group[80] = "";
    if (EVP_PKEY_get_group_name(key, group, sizeof(group), NULL) != 1) return;
    int nid = OBJ_txt2nid(group);
    put(b, "asn1Curve", js_str(b->js, str_z(nid ? OBJ_nid2sn(nid) : group)));
    const char *nist = nid ? EC_curve_nid2nist(nid) : NULL;
    if (nist) put(b, "nistCurve", js_str(b->js, str_z(nist)));
}

/* What a kind of key does not have is there all the same, undefined. */
static void put_absent(Builder *b, const char *const *names, u32 n)
{
    for (u32 i = 0; i < n; i++) put(b, names[i], JS_UNDEFINED);
}

/* ---- The rest ------------------------------------------------------------------------------- */

JsVal tls_cert_time(Js *js, const ASN1_TIME *t)
{
    BIO *bio = bio_new();
    ASN1_TIME_print(bio, t);
    return bio_value(js, bio);
}

JsVal tls_cert_fingerprint(Js *js, X509 *cert, const EVP_MD *md)
{
    u8 hash[EVP_MAX_MD_SIZE];
    u32 n = 0;
    AUTO(Buf) text = {0};
    (void)X509_digest(cert, md, hash, &n);
    for (u32 i = 0; i < n; i++) buf_fmt(&text, i ? ":%02X" : "%02X", hash[i]);
    return js_str(js, buf_str(&text));
}

JsVal tls_cert_key_usage(Js *js, X509 *cert)
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

JsVal tls_cert_serial(Js *js, X509 *cert)
{
    BIGNUM *n = ASN1_INTEGER_to_BN(X509_get0_serialNumber(cert), NULL);
    JsVal v = n ? hex_value(js, n) : js_str(js, S(""));
    BN_free(n);
    return v;
}

JsVal tls_cert_object(Js *js, X509 *cert)
{
    static const char *const of_key[] = {"modulus", "exponent", "pubkey", "bits"};
    static const char *const of_curve[] = {"asn1Curve", "nistCurve"};
    Builder b = {.js = js, .object = js_object(js)};
    put(&b, "subject", name_value(js, X509_get_subject_name(cert)));
    put(&b, "issuer", name_value(js, X509_get_issuer_name(cert)));
    put(&b, "subjectaltname", tls_cert_alt_names(js, cert));
    put(&b, "infoAccess", info_access(js, cert));
    put(&b, "ca", js_boolean(X509_check_ca(cert) == 1));
    EVP_PKEY *key = X509_get0_pubkey(cert);
    int type = key ? EVP_PKEY_get_base_id(key) : NID_undef;
    put_absent(&b, of_key, COUNT(of_key));
    if (type == EVP_PKEY_RSA) put_rsa(&b, key);
    if (type == EVP_PKEY_EC) put_ec(&b, key);
    put(&b, "valid_from", tls_cert_time(js, X509_get0_notBefore(cert)));
    put(&b, "valid_to", tls_cert_time(js, X509_get0_notAfter(cert)));
    put(&b, "fingerprint", tls_cert_fingerprint(js, cert, EVP_sha1()));
    put(&b, "fingerprint256", tls_cert_fingerprint(js, cert, EVP_sha256()));
    put(&b, "fingerprint512", tls_cert_fingerprint(js, cert, EVP_sha512()));
    put(&b, "ext_key_usage", tls_cert_key_usage(js, cert));
    put(&b, "serialNumber", tls_cert_serial(js, cert));
    u8 *der = NULL;
    int n = i2d_X509(cert, &der);
    if (n > 0) put(&b, "raw", js_u8array(js, der, (usize)n));
    OPENSSL_free(der);
    put_absent(&b, of_curve, COUNT(of_curve));
    if (type == EVP_PKEY_EC) put_curve(&b, key);
    return b.is_bad ? NULL : b.object;
}
