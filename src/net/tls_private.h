/* net/tls_private.h -- what the TLS files share. */
#pragma once

#include "net/tls.h"

#include <openssl/ssl.h>

typedef struct TlsName TlsName;
struct TlsName {
    TlsName *next;
    char *name; /* lower case; may begin with "*." */
    TlsContext *ctx;
};

struct TlsContext {
    u32 n_refs; /* atomic */
    SSL_CTX *ssl;
    TlsName *names;
    bool is_server;
};

struct TlsConn {
    SSL *ssl;
    TlsContext *ctx;
    const TlsHooks *hooks;
    void *data;
    const char *in; /* borrowed */
    u32 n_in;
    Buf kept; /* input that came before `in`; read up to kept_at */
    usize kept_at;
    Buf out;
    Buf alpn;
    char *verify_host;
    SSL_SESSION *found;
    TlsError error;
    bool is_server, is_done, is_waiting, is_shut, is_failed, must_verify;
    bool was_asked; /* on_hello or on_find_session was called */
    TlsAnswer answer;
    bool was_asked_session;
};

static const TlsHooks tls_no_hooks = {0};

X509_STORE *tls_store_new(void);
/* ctx_setup of a context: the functions through which OpenSSL asks our hooks. */
void tls_hooks_install(SSL_CTX *ctx, const TlsOptions *o);
/* Server: the context for a name, or NULL. */
TlsContext *tls_context_named(const TlsContext *ctx, Str name);
void tls_conn_fail(TlsConn *c);
