/* net/tls_hooks.c -- what OpenSSL asks while it shakes hands. */
#include "net/tls_private.h"

#include <openssl/err.h>
#include <openssl/ssl.h>

/* Server: the client's hello is read, the certificate not chosen. */
static int on_cert(SSL *ssl, void *arg)
{
    (void)arg;
    TlsConn *c = tls_conn_of(ssl);
    if (!c || !c->is_server) return 1;
    if (!c->was_asked) {
        c->was_asked = true;
        Str name = tls_conn_servername(c);
        TlsContext *named = tls_context_named(c->ctx, name);
        if (named) tls_conn_set_context(c, named);
        c->answer = c->hooks->on_hello ? c->hooks->on_hello(c, name) : TLS_GO_ON;
    }
    return c->answer == TLS_WAIT ? -1 : c->answer == TLS_GO_ON;
}

static int on_alpn(SSL *ssl, const u8 **out, u8 *out_len, const u8 *in, u32 in_len, void *arg)
{
    (void)arg;
    TlsConn *c = tls_conn_of(ssl);
    if (!c) return SSL_TLSEXT_ERR_NOACK;
    Str picked;
    if (c->hooks->on_alpn) {
        if (!c->hooks->on_alpn(c, (Str){(const char *)in, in_len}, &picked))
            return SSL_TLSEXT_ERR_ALERT_FATAL;
        if (!picked.n) return SSL_TLSEXT_ERR_NOACK;
        *out = (const u8 *)picked.p;
        *out_len = (u8)picked.n;
        return SSL_TLSEXT_ERR_OK;
    }
    if (!c->alpn.len) return SSL_TLSEXT_ERR_NOACK;
    int rc = SSL_select_next_proto((u8 **)(uintptr_t)out, out_len, (const u8 *)c->alpn.p,
                                   (u32)c->alpn.len, in, in_len);
    return rc == OPENSSL_NPN_NEGOTIATED ? SSL_TLSEXT_ERR_OK : SSL_TLSEXT_ERR_ALERT_FATAL;
}

static int on_new_session(SSL *ssl, SSL_SESSION *session)
{
    TlsConn *c = tls_conn_of(ssl);
    if (!c || !c->hooks->on_session) return 0;
    AUTO(Scratch) s = scratch_begin(NULL);
    int n = i2d_SSL_SESSION(session, NULL);
    if (n <= 0) return 0;
    u8 *der = arena_alloc(s.arena, (usize)n, 1), *p = der;
    (void)i2d_SSL_SESSION(session, &p);
    u32 id_len;
    const u8 *id = SSL_SESSION_get_id(session, &id_len);
    c->hooks->on_session(c, (Str){(const char *)id, id_len}, (Str){(char *)der, (usize)n});
    return 0;
}

/* Called anew each time the handshake goes on after a wait: the library gives no way to stop here,
 * so the caller asks before (see tls_conn_set_found_session). */
static SSL_SESSION *on_get_session(SSL *ssl, const u8 *id, int id_len, int *copy)
{
    (void)id;
    (void)id_len;
    TlsConn *c = tls_conn_of(ssl);
    *copy = 0;
    if (!c || !c->found) return NULL;
    SSL_SESSION *session = c->found;
    c->found = NULL;
    return session;
}

/* Server: the first bytes of the handshake; sessions of TLS 1.2 are looked for before the library
 * does. */
static int on_client_hello(SSL *ssl, int *alert, void *arg)
{
    (void)arg;
    (void)alert;
    TlsConn *c = tls_conn_of(ssl);
    if (!c || !c->is_server || !c->hooks->on_find_session) return SSL_CLIENT_HELLO_SUCCESS;
    if (!c->was_asked_session) {
        const u8 *id;
        usize n = SSL_client_hello_get0_session_id(ssl, &id);
        c->was_asked_session = true;
        c->answer = TLS_GO_ON;
        if (n) c->answer = c->hooks->on_find_session(c, (Str){(const char *)id, n});
    }
    return c->answer == TLS_WAIT    ? SSL_CLIENT_HELLO_RETRY
           : c->answer == TLS_GO_ON ? SSL_CLIENT_HELLO_SUCCESS
                                    : SSL_CLIENT_HELLO_ERROR;
}

static void on_keylog(const SSL *ssl, const char *line)
{
    TlsConn *c = tls_conn_of(ssl);
    if (!c || !c->hooks->on_keylog) return;
    AUTO(Scratch) s = scratch_begin(NULL);
    c->hooks->on_keylog(c, str_fmt(s.arena, "%s\n", line));
}

void tls_hooks_install(SSL_CTX *ctx, const TlsOptions *o)
{
    SSL_CTX_set_cert_cb(ctx, on_cert, NULL);
    SSL_CTX_set_alpn_select_cb(ctx, on_alpn, NULL);
    SSL_CTX_set_keylog_callback(ctx, on_keylog);
    if (!o->has_sessions) return;
    SSL_CTX_sess_set_new_cb(ctx, on_new_session);
    SSL_CTX_sess_set_get_cb(ctx, on_get_session);
    SSL_CTX_set_client_hello_cb(ctx, on_client_hello, NULL);
}
