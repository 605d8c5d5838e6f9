/* net/net_tls.c -- TLS between a stream and its user: received bytes are fed to the TlsConn and
 * what comes out of it is delivered; what is queued goes through it on the way out. */
#include "net/net_private.h"

#include <string.h>

enum {
    RECORD_MAX = 16384,
    OUT_MAX = 65536, /* encrypted ahead of the kernel */
};

/* ---- Out ------------------------------------------------------------------------------------ */

static void fly(NetStream *s)
{
    NetWrite *w = s->first;
    s->first = w->next;
    if (!s->first) s->last = NULL;
    w->next = NULL;
    if (s->flying)
        s->fly_end->next = w;
    else
        s->flying = w;
    s->fly_end = w;
}

static int encrypt_first(NetStream *s)
{
    NetWrite *w = s->first;
    while (w->n_iov) {
        struct iovec *v = w->iov;
        if (tls_conn_output(s->tls)->len >= OUT_MAX) return -EAGAIN;
        if (v->iov_len) {
            i64 n = tls_conn_write(s->tls, v->iov_base, (u32)MIN(v->iov_len, (usize)RECORD_MAX));
            if (n < 0) return (int)n;
            s->queued -= (usize)n;
            v->iov_base = (char *)v->iov_base + n;
            v->iov_len -= (usize)n;
        }
        if (v->iov_len) continue;
        w->iov++;
        w->n_iov--;
    }
    fly(s);
    return 0;
}

u32 net_tls_encrypt(NetStream *s)
{
    int rc = 0;
    while (s->flags & STREAM_SECURE && s->first && rc == 0) rc = encrypt_first(s);
    if (rc < 0 && rc != -EAGAIN) {
        net_stream_fail(s, rc);
        return 0;
    }
    bool is_last = s->flags & STREAM_ENDING && !s->first;
    if (is_last && s->flags & STREAM_SECURE) tls_conn_shutdown(s->tls);
    Buf *out = tls_conn_output(s->tls);
    if (!out->len) return 0;
    Buf empty = s->tls_out;
    s->tls_out = *out;
    *out = empty;
    buf_clear(out);
    return (u32)s->tls_out.len;
}

/* ---- In ------------------------------------------------------------------------------------- */

/* The alert that says why goes out if the kernel takes it at once. */
static void fail(NetStream *s, int rc)
{
    Buf *out = tls_conn_output(s->tls);
    if (out->len && !s->sending && !tls_conn_is_refused(s->tls))
        (void)!sys_send(s->fd, out->p, out->len, 0);
    net_stream_fail(s, rc);
}

/* false: not done, or it has failed. */
static bool handshake(NetStream *s)
{
    int rc = tls_conn_handshake(s->tls);
    if (rc < 0) {
        fail(s, rc);
        return false;
    }
    if (rc == 0) {
        net_write_pump(s);
        if (s->flags & STREAM_EOF && !tls_conn_is_waiting(s->tls)) net_stream_fail(s, -ECONNRESET);
        return false;
    }
    s->flags |= STREAM_SECURE;
    if (!(s->flags & STREAM_RECV)) loop_recv_stop(&s->recv);
    /* Before our last message goes out: who refuses the peer now was never connected to it. */
    if (s->events->on_secure) s->events->on_secure(s);
    net_write_pump(s);
    return !(s->flags & STREAM_CLOSING);
}

static bool is_reading(const NetStream *s)
{
    return (s->flags & (STREAM_RECV | STREAM_CLOSING | STREAM_PEER_END)) == STREAM_RECV;
}

/* One portion: what was given to the user, or 0 at the end, -EAGAIN, another error. */
static i64 decrypt(NetStream *s)
{
    char *p = net_scratch_take(s->net);
    u32 len = 0;
    i64 n = 0;
    while (len + RECORD_MAX <= SCRATCH_SIZE) {
        n = tls_conn_read(s->tls, p + len, SCRATCH_SIZE - len);
        if (n <= 0) break;
        len += (u32)n;
    }
    s->is_taken = false;
    if (len && s->events->on_data) s->events->on_data(s, p, len);
    if (!s->is_taken) net_scratch_give(s->net, p);
    s->is_taken = false;
    return n;
}

void net_tls_turn(NetStream *s)
{
    if (s->flags & (STREAM_IN_TLS | STREAM_CLOSING)) return;
    s->flags |= STREAM_IN_TLS;
    bool is_secure = s->flags & STREAM_SECURE || handshake(s);
    i64 n = 1;
    while (is_secure && is_reading(s) && n > 0) n = decrypt(s);
    s->flags &= ~(u32)STREAM_IN_TLS;
    if (s->flags & STREAM_CLOSING || !is_secure) return;
    if (n < 0 && n != -EAGAIN) {
        fail(s, (int)n);
        return;
    }
    net_write_pump(s);
    bool is_end = n == 0 || (n == -EAGAIN && s->flags & STREAM_EOF);
    if (is_end) net_stream_peer_end(s);
}

void net_tls_feed(NetStream *s, const char *p, u32 n)
{
    tls_conn_feed(s->tls, p, n);
    net_tls_turn(s);
    if (s->tls) tls_conn_keep_input(s->tls);
}
