/* net/tls_conn.c -- one TLS connection over memory.
 *
 * OpenSSL reads and writes through a BIO of ours: reading takes from what was fed, first from the
 * copy of earlier input, then from the caller's own bytes; writing appends to `out`. */
#include "net/net.h"
#include "net/tls_private.h"

#include "util/mem.h"

#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <pthread.h>
#include <string.h>

/* ---- The BIO -------------------------------------------------------------------------------- */

static int bio_write(BIO *bio, const char *p, int n)
{
    TlsConn *c = BIO_get_data(bio);
    if (n > 0) buf_push(&c->out, (Str){p, (usize)n});
    return n;
}

static usize take_kept(TlsConn *c, char *p, usize n)
{
    usize len = MIN(n, c->kept.len - c->kept_at);
    memcpy(p, c->kept.p + c->kept_at, len);
    c->kept_at += len;
    if (c->kept_at == c->kept.len) {
        Buf_deinit(&c->kept);
        c->kept = (Buf){.max = TLS_KEPT_MAX};
        c->kept_at = 0;
    }
    return len;
}

static int bio_read(BIO *bio, char *p, int n)
{
    TlsConn *c = BIO_get_data(bio);
    BIO_clear_retry_flags(bio);
    if (n <= 0) return 0;
    usize len = 0;
    if (c->kept.len) {
        len = take_kept(c, p, (usize)n);
    } else if (c->n_in) {
        len = MIN((usize)n, c->n_in);
        memcpy(p, c->in, len);
        c->in += len;
        c->n_in -= (u32)len;
    }
    if (len) return (int)len;
    BIO_set_retry_read(bio);
    return -1;
}

static long bio_ctrl(BIO *bio, int cmd, long num, void *ptr)
{
    (void)bio;
    (void)num;
    (void)ptr;
    return cmd == BIO_CTRL_FLUSH || cmd == BIO_CTRL_DUP;
}

static BIO_METHOD *method;
static pthread_once_t method_once = PTHREAD_ONCE_INIT;

static void make_method(void)
{
    method = BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "memory");
    if (!method) bug_oom(sizeof(void *));
    BIO_meth_set_write(method, bio_write);
    BIO_meth_set_read(method, bio_read);
    BIO_meth_set_ctrl(method, bio_ctrl);
}

static void attach_bio(TlsConn *c)
{
    (void)pthread_once(&method_once, make_method);
    BIO *bio = BIO_new(method);
    if (!bio) bug_oom(sizeof(void *));
    BIO_set_data(bio, c);
    BIO_set_init(bio, 1);
    SSL_set_bio(c->ssl, bio, bio);
}

/* ---- Life ----------------------------------------------------------------------------------- */

static bool is_address(Str host)
{
    SysAddr addr;
    return sys_addr_parse(host, 0, &addr) == 0;
}

/* The verdict is asked for afterwards, so that the reason can be told. */
static int on_verify(int is_good, X509_STORE_CTX *store)
{
    (void)is_good;
    (void)store;
    return 1;
}

static void set_session(TlsConn *c, Str der)
{
    const u8 *p = (const u8 *)der.p;
    SSL_SESSION *session = d2i_SSL_SESSION(NULL, &p, (long)der.n);
    if (session) (void)SSL_set_session(c->ssl, session);
    SSL_SESSION_free(session);
    ERR_clear_error();
}

static void setup_client(TlsConn *c, const TlsConnOptions *o)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    SSL_set_connect_state(c->ssl);
    SSL_set_verify(c->ssl, SSL_VERIFY_PEER, on_verify);
    Str name = o->servername;
    if (name.n && !is_address(name) && !memchr(name.p, 0, name.n))
        (void)SSL_set_tlsext_host_name(c->ssl, str_dup_z(s.arena, name));
    if (o->alpn.n) (void)SSL_set_alpn_protos(c->ssl, (const u8 *)o->alpn.p, (u32)o->alpn.n);
    if (o->session.n) set_session(c, o->session);
}

static void setup_server(TlsConn *c, const TlsConnOptions *o)
{
    SSL_set_accept_state(c->ssl);
    buf_push(&c->alpn, o->alpn);
    int mode = o->request_cert || o->verify ? SSL_VERIFY_PEER : SSL_VERIFY_NONE;
    SSL_set_verify(c->ssl, mode, on_verify);
}

TlsConn *tls_conn_new(const TlsConnOptions *o)
{
    tls_init();
    ERR_clear_error();
    TlsConn *c = MEM_NEW(TlsConn);
    c->ssl = SSL_new(o->ctx->ssl);
    if (!c->ssl) bug_oom(sizeof(void *));
    c->ctx = tls_context_ref(o->ctx);
    c->hooks = o->hooks ? o->hooks : &tls_no_hooks;
    c->data = o->data;
    c->is_server = o->is_server;
    c->must_verify = o->verify;
    c->kept.max = TLS_KEPT_MAX;
    if (o->verify_host.n) {
        c->verify_host = mem_new(o->verify_host.n + 1);
        memcpy(c->verify_host, o->verify_host.p, o->verify_host.n);
    }
    (void)SSL_set_app_data(c->ssl, c);
    attach_bio(c);
    if (o->is_server)
        setup_server(c, o);
    else
        setup_client(c, o);
    ERR_clear_error();
    return c;
}

void tls_conn_free(TlsConn *c)
{
    if (!c) return;
    SSL_SESSION_free(c->found);
    SSL_free(c->ssl);
    (void)tls_context_unref(c->ctx);
    Buf_deinit(&c->kept);
    Buf_deinit(&c->out);
    Buf_deinit(&c->alpn);
    mem_free(c->verify_host);
    mem_free(c);
}

void *tls_conn_data(const TlsConn *c)
{
    return c->data;
}

void tls_conn_set_data(TlsConn *c, void *data)
{
    c->data = data;
}

void tls_conn_set_hooks(TlsConn *c, const TlsHooks *hooks)
{
    c->hooks = hooks ? hooks : &tls_no_hooks;
}

struct ssl_st *tls_conn_ssl(TlsConn *c)
{
    return c->ssl;
}

TlsConn *tls_conn_of(const struct ssl_st *ssl)
{
    return SSL_get_app_data(ssl);
}

TlsContext *tls_conn_context(TlsConn *c)
{
    return c->ctx;
}

void tls_conn_set_context(TlsConn *c, TlsContext *ctx)
{
    tls_context_ref(ctx);
    (void)tls_context_unref(c->ctx);
    c->ctx = ctx;
    (void)SSL_set_SSL_CTX(c->ssl, ctx->ssl);
    /* Only the certificates come along by themselves. */
    X509_STORE *store = SSL_CTX_get_cert_store(ctx->ssl);
    if (store) (void)SSL_set1_verify_cert_store(c->ssl, store);
}

/* ---- Bytes ---------------------------------------------------------------------------------- */

void tls_conn_feed(TlsConn *c, const char *p, u32 n)
{
    ASSERT(!c->n_in);
    if (c->kept.len) {
        buf_push(&c->kept, (Str){p, n});
        return;
    }
    c->in = p;
    c->n_in = n;
}

void tls_conn_keep_input(TlsConn *c)
{
    if (c->n_in) buf_push(&c->kept, (Str){c->in, c->n_in});
    c->in = NULL;
    c->n_in = 0;
}

Buf *tls_conn_output(TlsConn *c)
{
    return &c->out;
}

void tls_conn_fail(TlsConn *c)
{
    tls_error_take(&c->error);
    c->is_failed = true;
}

static int outcome(TlsConn *c, int rc)
{
    if (c->kept.full) {
        c->error = (TlsError){.code = "ERR_SSL_EXCESSIVE_MESSAGE_SIZE"};
        c->is_failed = true;
        return NET_ETLS;
    }
    switch (SSL_get_error(c->ssl, rc)) {
    case SSL_ERROR_WANT_READ:
    case SSL_ERROR_WANT_WRITE: return -EAGAIN;
    case SSL_ERROR_WANT_X509_LOOKUP:
    case SSL_ERROR_WANT_CLIENT_HELLO_CB: c->is_waiting = true; return -EAGAIN;
    case SSL_ERROR_ZERO_RETURN: return 0;
    default: tls_conn_fail(c); return NET_ETLS;
    }
}

static int check_peer(TlsConn *c)
{
    if (!c->must_verify) return 1;
    int rc = tls_conn_verify(c, &c->error);
    if (rc < 0) {
        c->is_failed = true;
        return rc;
    }
    X509 *cert = c->verify_host ? SSL_get0_peer_certificate(c->ssl) : NULL;
    if (!cert || tls_check_host(cert, str_z(c->verify_host), &c->error)) return 1;
    c->is_failed = true;
    return NET_ETLS;
}

/* The queue of errors is nearly always empty, and clearing it is not cheap. */
static void forget_errors(void)
{
    if (ERR_peek_error()) ERR_clear_error();
}

/* Nothing was fed that OpenSSL has not turned into plaintext, and the peer may say more. */
static bool has_no_input(const TlsConn *c)
{
    bool is_fed = c->n_in || c->kept.len || SSL_has_pending(c->ssl);
    return !is_fed && !(SSL_get_shutdown(c->ssl) & SSL_RECEIVED_SHUTDOWN);
}

int tls_conn_handshake(TlsConn *c)
{
    if (c->is_failed) return NET_ETLS;
    if (c->is_done) return 1;
    if (c->is_waiting) return 0;
    forget_errors();
    int rc = SSL_do_handshake(c->ssl);
    if (rc == 1) {
        c->is_done = true;
        return check_peer(c);
    }
    rc = outcome(c, rc);
    if (rc == -EAGAIN) return 0;
    if (rc == 0) tls_conn_fail(c);
    return NET_ETLS;
}

i64 tls_conn_read(TlsConn *c, void *buf, u32 len)
{
    if (c->is_failed) return NET_ETLS;
    if (c->is_done && has_no_input(c) && !c->kept.full) return -EAGAIN;
    forget_errors();
    int rc = SSL_read(c->ssl, buf, (int)MIN(len, (u32)INT32_MAX));
    return rc > 0 ? rc : outcome(c, rc);
}

i64 tls_conn_write(TlsConn *c, const void *p, u32 len)
{
    if (c->is_failed) return NET_ETLS;
    forget_errors();
    int rc = SSL_write(c->ssl, p, (int)MIN(len, (u32)INT32_MAX));
    if (rc > 0) return rc;
    rc = outcome(c, rc);
    return rc ? rc : -EAGAIN;
}

void tls_conn_shutdown(TlsConn *c)
{
    if (c->is_shut || c->is_failed || !c->is_done) return;
    c->is_shut = true;
    forget_errors();
    (void)SSL_shutdown(c->ssl);
    forget_errors();
}

/* ---- Answers -------------------------------------------------------------------------------- */

void tls_conn_resume(TlsConn *c, TlsAnswer answer)
{
    c->is_waiting = false;
    c->answer = answer;
}

void tls_conn_set_found_session(TlsConn *c, Str der)
{
    const u8 *p = (const u8 *)der.p;
    SSL_SESSION_free(c->found);
    c->found = der.n ? d2i_SSL_SESSION(NULL, &p, (long)der.n) : NULL;
    forget_errors();
}

void tls_conn_keep_buffers(TlsConn *c)
{
    (void)SSL_clear_mode(c->ssl, SSL_MODE_RELEASE_BUFFERS);
}

bool tls_conn_is_waiting(const TlsConn *c)
{
    return c->is_waiting;
}

bool tls_conn_is_refused(const TlsConn *c)
{
    return c->answer == TLS_FAIL;
}

bool tls_conn_is_done(const TlsConn *c)
{
    return c->is_done;
}

const TlsError *tls_conn_error(const TlsConn *c)
{
    return &c->error;
}

Str tls_conn_alpn(const TlsConn *c)
{
    const u8 *p;
    u32 n;
    SSL_get0_alpn_selected(c->ssl, &p, &n);
    return (Str){(const char *)p, n};
}

Str tls_conn_servername(const TlsConn *c)
{
    return str_z(SSL_get_servername(c->ssl, TLSEXT_NAMETYPE_host_name));
}

bool tls_conn_is_resumed(const TlsConn *c)
{
    return SSL_session_reused(c->ssl);
}
