/* http/http_tls.c -- TLS below a connection of a server.
 *
 * What is received is decrypted and handed on as if it had come that way.  What is sent (`flight`
 * and the borrowed body behind it) is encrypted a piece at a time, when the piece before is out, so
 * that a large body is not there twice.  What OpenSSL wants to say itself goes the same way. */
#include "http/http_private.h"
#include "util/mem.h"

enum {
    PLAIN_MAX = 60 * 1024,   /* decrypted at once */
    CIPHER_MAX = 256 * 1024, /* encrypted at once */
    RECORD_MAX = 16 * 1024,
    RECORD_EXTRA = 64, /* head, padding and checksum of a record, at most */
    WARM_MAX = 64,     /* connections of a server that keep OpenSSL's buffers */
};

struct HttpTls {
    TlsConn *conn;
    Buf cipher; /* on its way */
    bool is_secure, is_broken, is_warm;
};

void http_tls_open(HttpConn *c)
{
    HttpServer *s = c->server;
    AUTO(Buf) alpn = {0};
    if (s->options.has_h2) (void)tls_alpn_push(&alpn, S("h2"));
    if (!s->options.no_h1) (void)tls_alpn_push(&alpn, S("http/1.1"));
    c->tls = MEM_NEW(HttpTls);
    c->tls->conn = tls_conn_new(&(TlsConnOptions){
        .ctx = s->tls,
        .is_server = true,
        .request_cert = s->tls_asks_cert,
        .verify = s->tls_needs_cert,
        .alpn = buf_str(&alpn),
    });
}

void http_tls_free(HttpConn *c)
{
    HttpTls *t = c->tls;
    if (!t) return;
    c->tls = NULL;
    c->server->n_warm -= t->is_warm;
    tls_conn_free(t->conn);
    Buf_deinit(&t->cipher);
    mem_free(t);
}

bool http_tls_is_secure(const HttpConn *c)
{
    return c->tls->is_secure;
}

TlsConn *http_conn_tls(const HttpConn *c)
{
    if (c->stream) c = http_stream_conn(c);
    return c->tls ? c->tls->conn : NULL;
}

/* ---- Out ---------------------------------------------------------------------------------------
 */

/* 0, -EAGAIN when there is enough of it, or NET_ETLS. */
static int encrypt(HttpTls *t, struct iovec *v)
{
    while (v->iov_len) {
        if (tls_conn_output(t->conn)->len >= CIPHER_MAX) return -EAGAIN;
        u32 len = (u32)MIN(v->iov_len, (usize)RECORD_MAX);
        i64 n = tls_conn_write(t->conn, v->iov_base, len);
        if (n < 0) return n == -EAGAIN ? NET_ETLS : (int)n;
        v->iov_base = (char *)v->iov_base + n;
        v->iov_len -= (usize)n;
    }
    return 0;
}

/* Room for what is about to be encrypted, in a buffer that was used before. */
static void reserve_output(HttpConn *c)
{
    Buf *out = tls_conn_output(c->tls->conn);
    usize n = MIN(c->iov[0].iov_len + c->iov[1].iov_len, (usize)CIPHER_MAX);
    if (!n) return;
    if (!out->p) *out = n > RECORD_MAX ? http_large_buf_take(c->server) : http_buf_take(c->server);
    (void)buf_reserve(out, n + (n / RECORD_MAX + 1) * RECORD_EXTRA);
}

bool http_tls_send(HttpConn *c)
{
    HttpTls *t = c->tls;
    int rc = 0;
    if (t->is_secure && !t->is_broken) reserve_output(c);
    for (u32 i = 0; i < 2 && t->is_secure && !t->is_broken && rc == 0; i++)
        rc = encrypt(t, &c->iov[i]);
    bool is_over = c->is_last && !c->is_busy && !c->out.len && !c->file;
    if (rc == 0 && t->is_secure && is_over) tls_conn_shutdown(t->conn);
    /* The peer sees the end, and the connection is closed when ours is seen. */
    if (rc < 0 && rc != -EAGAIN) {
        t->is_broken = true;
        (void)!sys_shutdown(c->fd, SHUT_RDWR);
    }
    http_buf_give(c->server, &t->cipher);
    Buf *out = tls_conn_output(t->conn);
    if (!out->len || t->is_broken) return false;
    t->cipher = TAKE(*out);
    c->is_sending = true;
    http_send_cipher(c, buf_str(&t->cipher));
    return true;
}

/* ---- In ----------------------------------------------------------------------------------------
 */

/* The alert that says why goes out if the kernel takes it at once. */
static void fail(HttpConn *c)
{
    Buf *out = tls_conn_output(c->tls->conn);
    if (out->len && !c->is_sending) (void)!sys_send(c->fd, out->p, out->len, 0);
    http_conn_close(c);
}

/* One portion; its length, 0 at the end, -EAGAIN, or NET_ETLS. */
static i64 decrypt(HttpConn *c)
{
    Buf plain = TAKE(c->server->spare_plain_buf);
    i64 n;
    do {
        n = tls_conn_read(c->tls->conn, buf_reserve(&plain, RECORD_MAX), RECORD_MAX);
        if (n > 0) plain.len += (usize)n;
    } while (n > 0 && plain.len + RECORD_MAX <= PLAIN_MAX);
    if (plain.len) http_conn_input(c, buf_str(&plain));
    Buf_deinit(&c->server->spare_plain_buf);
    buf_clear(&plain);
    c->server->spare_plain_buf = plain;
    return n;
}

/* The handshake is over. */
static void warm(HttpConn *c)
{
    if (c->server->n_warm == WARM_MAX) return;
    c->server->n_warm++;
    c->tls->is_warm = true;
    tls_conn_keep_buffers(c->tls->conn);
}

static void work(HttpConn *c)
{
    HttpTls *t = c->tls;
    if (!t->is_secure) {
        int rc = tls_conn_handshake(t->conn);
        if (rc < 0) {
            fail(c);
            return;
        }
        t->is_secure = rc > 0;
        if (t->is_secure) {
            c->start_ms = 0;
            warm(c);
        }
        if (t->is_secure && str_eq(tls_conn_alpn(t->conn), S("h2"))) http_session_open(c);
    }
    i64 n = t->is_secure ? 1 : -EAGAIN;
    while (n > 0 && c->state != HTTP_CONN_CLOSED) n = decrypt(c);
    if (c->state == HTTP_CONN_CLOSED) return;
    if (n < 0 && n != -EAGAIN)
        fail(c);
    else if (n == 0)
        http_conn_input_end(c);
    if (c->state != HTTP_CONN_CLOSED) http_conn_flush(c);
}

void http_tls_input(HttpConn *c, Str in)
{
    tls_conn_feed(c->tls->conn, in.p, (u32)in.n);
    work(c);
    tls_conn_keep_input(c->tls->conn);
}
