/* net/tls_context.c -- certificates, keys, authorities and rules. */
#include "net/net.h"
#include "net/tls_private.h"

#include "util/mem.h"

#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/pkcs12.h>
#include <openssl/ssl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

enum { CERTS_MAX = 8192 }; /* in one text */

const char tls_default_ciphers[] =
    "TLS_AES_256_GCM_SHA384:TLS_CHACHA20_POLY1305_SHA256:TLS_AES_128_GCM_SHA256:"
    "ECDHE-RSA-AES128-GCM-SHA256:ECDHE-ECDSA-AES128-GCM-SHA256:ECDHE-RSA-AES256-GCM-SHA384:"
    "ECDHE-ECDSA-AES256-GCM-SHA384:DHE-RSA-AES128-GCM-SHA256:ECDHE-RSA-AES128-SHA256:"
    "DHE-RSA-AES128-SHA256:ECDHE-RSA-AES256-SHA384:DHE-RSA-AES256-SHA384:"
    "ECDHE-RSA-AES256-SHA256:DHE-RSA-AES256-SHA256:HIGH:"
    "!aNULL:!eNULL:!EXPORT:!DES:!RC4:!MD5:!PSK:!SRP:!CAMELLIA";

static BIO *bio_of(Str text)
{
    BIO *bio = BIO_new_mem_buf(text.p, (int)MIN(text.n, (usize)INT32_MAX));
    if (!bio) bug_oom(text.n);
    return bio;
}

/* ---- Certificates and keys ------------------------------------------------------------------ */

static int on_passphrase(char *buf, int size, int is_writing, void *data)
{
    (void)is_writing;
    const TlsKeyPair *pair = data;
    if (!pair || !pair->has_passphrase) return -1;
    if (pair->passphrase.n > (usize)size) return -1;
    if (pair->passphrase.n) memcpy(buf, pair->passphrase.p, pair->passphrase.n);
    return (int)pair->passphrase.n;
}

/* The end of the text is no error. */
static bool was_end(void)
{
    unsigned long err = ERR_peek_last_error();
    bool is_end = ERR_GET_LIB(err) == ERR_LIB_PEM && ERR_GET_REASON(err) == PEM_R_NO_START_LINE;
    if (is_end) ERR_clear_error();
    return is_end;
}

static bool use_cert(SSL_CTX *ctx, Str text)
{
    BIO *bio = bio_of(text);
    X509 *cert = PEM_read_bio_X509_AUX(bio, NULL, on_passphrase, NULL);
    bool is_good = cert && SSL_CTX_use_certificate(ctx, cert) == 1;
    X509_free(cert);
    if (is_good) (void)SSL_CTX_clear_chain_certs(ctx);
    for (u32 i = 0; is_good && i < CERTS_MAX; i++) {
        X509 *above = PEM_read_bio_X509(bio, NULL, on_passphrase, NULL);
        if (!above) {
            is_good = was_end();
            break;
        }
        is_good = SSL_CTX_add0_chain_cert(ctx, above) == 1;
        if (!is_good) X509_free(above);
    }
    BIO_free(bio);
    return is_good;
}

static bool use_key(SSL_CTX *ctx, const TlsKeyPair *pair)
{
    BIO *bio = bio_of(pair->key);
    EVP_PKEY *key = PEM_read_bio_PrivateKey(bio, NULL, on_passphrase, (void *)(uintptr_t)pair);
    BIO_free(bio);
    bool is_good = key && SSL_CTX_use_PrivateKey(ctx, key) == 1;
    EVP_PKEY_free(key);
    return is_good;
}

static bool use_pairs(SSL_CTX *ctx, const TlsOptions *o)
{
    for (u32 i = 0; i < o->n_pairs; i++) {
        const TlsKeyPair *pair = &o->pairs[i];
        if (pair->cert.n && !use_cert(ctx, pair->cert)) return false;
        if (pair->key.n && !use_key(ctx, pair)) return false;
    }
    return true;
}

/* ---- Authorities ---------------------------------------------------------------------------- */

static bool trust(SSL_CTX *ctx, X509_STORE *store, X509 *cert)
{
    if (!X509_STORE_add_cert(store, cert)) return false;
    (void)SSL_CTX_add_client_CA(ctx, cert);
    return true;
}

static bool add_ca(SSL_CTX *ctx, X509_STORE *store, Str text)
{
    BIO *bio = bio_of(text);
    bool is_good = true;
    for (u32 i = 0; is_good && i < CERTS_MAX; i++) {
        X509 *cert = PEM_read_bio_X509_AUX(bio, NULL, on_passphrase, NULL);
        if (!cert) {
            is_good = was_end(); /* a text without any is none too many */
            break;
        }
        is_good = trust(ctx, store, cert);
        X509_free(cert);
    }
    BIO_free(bio);
    return is_good;
}

static bool add_crl(X509_STORE *store, Str text)
{
    BIO *bio = bio_of(text);
    X509_CRL *crl = PEM_read_bio_X509_CRL(bio, NULL, on_passphrase, NULL);
    BIO_free(bio);
    bool is_good = crl && X509_STORE_add_crl(store, crl) == 1;
    X509_CRL_free(crl);
    if (is_good) X509_STORE_set_flags(store, X509_V_FLAG_CRL_CHECK | X509_V_FLAG_CRL_CHECK_ALL);
    return is_good;
}

static bool use_pfx_parts(SSL_CTX *ctx, EVP_PKEY *key, X509 *cert, STACK_OF(X509) * others)
{
    if (!cert || SSL_CTX_use_certificate(ctx, cert) != 1) return false;
    if (!key || SSL_CTX_use_PrivateKey(ctx, key) != 1) return false;
    X509_STORE *store = SSL_CTX_get_cert_store(ctx);
    for (int i = 0; i < sk_X509_num(others); i++) {
        if (!trust(ctx, store, sk_X509_value(others, i))) return false;
        (void)SSL_CTX_add1_chain_cert(ctx, sk_X509_value(others, i));
    }
    return true;
}

static bool use_pfx(SSL_CTX *ctx, const TlsKeyPair *pfx)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    BIO *bio = bio_of(pfx->cert);
    PKCS12 *p12 = d2i_PKCS12_bio(bio, NULL);
    BIO_free(bio);
    EVP_PKEY *key = NULL;
    X509 *cert = NULL;
    STACK_OF(X509) *others = NULL;
    const char *passphrase = str_dup_z(s.arena, pfx->passphrase);
    bool is_good = p12 && PKCS12_parse(p12, passphrase, &key, &cert, &others) == 1 &&
                   use_pfx_parts(ctx, key, cert, others);
    EVP_PKEY_free(key);
    X509_free(cert);
    sk_X509_pop_free(others, X509_free);
    PKCS12_free(p12);
    return is_good;
}

static bool use_pfxs(SSL_CTX *ctx, const TlsOptions *o)
{
    for (u32 i = 0; i < o->n_pfx; i++) {
        if (!use_pfx(ctx, &o->pfx[i])) return false;
    }
    return true;
}

static bool use_store(SSL_CTX *ctx, const TlsOptions *o)
{
    bool is_own = o->has_ca || o->n_crl || o->n_pfx || o->allow_partial_trust;
    if (!is_own) {
        SSL_CTX_set1_cert_store(ctx, tls_store_shared());
        return true;
    }
    X509_STORE *store = o->has_ca ? X509_STORE_new() : tls_store_new();
    if (!store) bug_oom(sizeof(void *));
    SSL_CTX_set_cert_store(ctx, store);
    for (u32 i = 0; i < o->n_ca; i++) {
        if (!add_ca(ctx, store, o->ca[i])) return false;
    }
    for (u32 i = 0; i < o->n_crl; i++) {
        if (!add_crl(store, o->crl[i])) return false;
    }
    if (o->allow_partial_trust) X509_STORE_set_flags(store, X509_V_FLAG_PARTIAL_CHAIN);
    return true;
}

/* ---- Rules ---------------------------------------------------------------------------------- */

/* TLS 1.3 has names of its own; the two kinds come in one list. */
static bool use_ciphers(SSL_CTX *ctx, Str list)
{
    if (!list.n) list = str_z(tls_default_ciphers);
    AUTO(Buf) v12 = {0};
    AUTO(Buf) v13 = {0};
    Str name;
    while (str_next(&list, ':', &name)) {
        Buf *b = str_starts(name, S("TLS_")) ? &v13 : &v12;
        if (b->len) buf_push_char(b, ':');
        buf_push(b, name);
    }
    if (!SSL_CTX_set_ciphersuites(ctx, v13.len ? v13.p : "")) return false;
    if (v12.len) return SSL_CTX_set_cipher_list(ctx, v12.p) == 1;
    /* Only TLS 1.3: an empty list is an error to the library all the same. */
    (void)SSL_CTX_set_cipher_list(ctx, "");
    ERR_clear_error();
    return true;
}

static bool use_dhparam(SSL_CTX *ctx, Str dhparam)
{
    if (!dhparam.n) return true;
    if (str_eq(dhparam, S("auto"))) return SSL_CTX_set_dh_auto(ctx, 1) == 1;
    BIO *bio = bio_of(dhparam);
    EVP_PKEY *params = PEM_read_bio_Parameters(bio, NULL);
    BIO_free(bio);
    if (!params) return false;
    bool is_good = SSL_CTX_set0_tmp_dh_pkey(ctx, params) == 1;
    if (!is_good) EVP_PKEY_free(params);
    return is_good;
}

static bool use_names(SSL_CTX *ctx, const TlsOptions *o)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    if (o->groups.n && !str_eq(o->groups, S("auto")) &&
        SSL_CTX_set1_groups_list(ctx, str_dup_z(s.arena, o->groups)) != 1)
        return false;
    if (o->sigalgs.n && SSL_CTX_set1_sigalgs_list(ctx, str_dup_z(s.arena, o->sigalgs)) != 1)
        return false;
    return use_dhparam(ctx, o->dhparam);
}

static bool use_sessions(SSL_CTX *ctx, const TlsOptions *o)
{
    long mode = SSL_SESS_CACHE_CLIENT | SSL_SESS_CACHE_SERVER | SSL_SESS_CACHE_NO_INTERNAL |
                SSL_SESS_CACHE_NO_AUTO_CLEAR;
    (void)SSL_CTX_set_session_cache_mode(ctx, mode);
    Str id = o->session_context.n ? o->session_context : S("cob");
    if (id.n > SSL_MAX_SID_CTX_LENGTH) id.n = SSL_MAX_SID_CTX_LENGTH;
    if (SSL_CTX_set_session_id_context(ctx, (const u8 *)id.p, (u32)id.n) != 1) return false;
    if (o->session_timeout_s) (void)SSL_CTX_set_timeout(ctx, (long)o->session_timeout_s);
    if (!o->ticket_keys.n) return true;
    void *keys = (void *)(uintptr_t)o->ticket_keys.p;
    return SSL_CTX_set_tlsext_ticket_keys(ctx, keys, (long)o->ticket_keys.n) == 1;
}

static bool use_versions(SSL_CTX *ctx, const TlsOptions *o)
{
    int min = o->min_version ? o->min_version : TLS_V1_2;
    int max = o->max_version ? o->max_version : TLS_V1_3;
    /* Versions that are thought broken need a lower level of security. */
    if (min < TLS_V1_2) SSL_CTX_set_security_level(ctx, 0);
    return SSL_CTX_set_min_proto_version(ctx, min) == 1 &&
           SSL_CTX_set_max_proto_version(ctx, max) == 1;
}

static bool setup(SSL_CTX *ctx, const TlsOptions *o)
{
    (void)SSL_CTX_set_mode(ctx, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_RELEASE_BUFFERS |
                                    SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
    SSL_CTX_clear_mode(ctx, SSL_MODE_NO_AUTO_CHAIN);
    (void)SSL_CTX_set_options(ctx, SSL_OP_NO_SSLv2 | SSL_OP_NO_SSLv3 | o->ssl_options);
    return use_versions(ctx, o) && use_ciphers(ctx, o->ciphers) && use_names(ctx, o) &&
           use_store(ctx, o) && use_pairs(ctx, o) && use_pfxs(ctx, o) && use_sessions(ctx, o);
}

int tls_context_new(const TlsOptions *o, TlsError *ret_error, TlsContext **ret)
{
    tls_init();
    ERR_clear_error();
    SSL_CTX *ctx = SSL_CTX_new(TLS_method());
    if (!ctx) bug_oom(sizeof(void *));
    if (!setup(ctx, o)) {
        tls_error_take(ret_error);
        SSL_CTX_free(ctx);
        return NET_ETLS;
    }
    ERR_clear_error();
    TlsContext *c = MEM_NEW(TlsContext);
    c->n_refs = 1;
    c->ssl = ctx;
    c->is_server = o->is_server;
    tls_hooks_install(ctx, o);
    *ret = c;
    return 0;
}

int tls_context_add_ca(TlsContext *c, Str pem, TlsError *ret_error)
{
    ERR_clear_error();
    if (SSL_CTX_get_cert_store(c->ssl) == tls_store_shared())
        SSL_CTX_set_cert_store(c->ssl, tls_store_new());
    if (add_ca(c->ssl, SSL_CTX_get_cert_store(c->ssl), pem)) return 0;
    tls_error_take(ret_error);
    return NET_ETLS;
}

/* ---- Life ----------------------------------------------------------------------------------- */

TlsContext *tls_context_ref(TlsContext *ctx)
{
    __atomic_fetch_add(&ctx->n_refs, 1, __ATOMIC_RELAXED);
    return ctx;
}

TlsContext *tls_context_unref(TlsContext *ctx)
{
    if (!ctx || __atomic_sub_fetch(&ctx->n_refs, 1, __ATOMIC_ACQ_REL)) return NULL;
    TlsName *next;
    for (TlsName *n = ctx->names; n; n = next) {
        next = n->next;
        tls_context_unref(n->ctx);
        mem_free(n->name);
        mem_free(n);
    }
    SSL_CTX_free(ctx->ssl);
    mem_free(ctx);
    return NULL;
}

static TlsContext *client;
static pthread_once_t client_once = PTHREAD_ONCE_INIT;

static void make_client(void)
{
    TlsError error;
    TlsOptions o = {0};
    if (tls_context_new(&o, &error, &client) < 0) BUG("no TLS context");
}

TlsContext *tls_context_default(void)
{
    (void)pthread_once(&client_once, make_client);
    return client;
}

struct ssl_ctx_st *tls_context_ssl(TlsContext *ctx)
{
    return ctx->ssl;
}

/* ---- Several names -------------------------------------------------------------------------- */

void tls_context_add_name(TlsContext *ctx, Str name, TlsContext *other)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    Str lower = str_lower(s.arena, name);
    TlsName *n = MEM_NEW(TlsName);
    n->name = mem_new(lower.n + 1);
    if (lower.n) memcpy(n->name, lower.p, lower.n);
    n->ctx = tls_context_ref(other);
    n->next = ctx->names;
    ctx->names = n;
}

static bool name_matches(Str pattern, Str name)
{
    if (str_eq_nocase(pattern, name)) return true;
    if (!str_starts(pattern, S("*."))) return false;
    i64 dot = str_find(name, '.');
    return dot > 0 && str_eq_nocase(str_skip(pattern, 1), str_skip(name, (usize)dot));
}

TlsContext *tls_context_named(const TlsContext *ctx, Str name)
{
    for (TlsName *n = ctx->names; n && name.n; n = n->next) {
        if (name_matches(str_z(n->name), name)) return n->ctx;
    }
    return NULL;
}
