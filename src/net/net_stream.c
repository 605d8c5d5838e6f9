/* net/net_stream.c -- the life of a stream: opening, receiving, time-outs, closing. */
#include "net/net_private.h"

#include "util/mem.h"

#include <netinet/in.h>
#include <netinet/tcp.h>

/* ---- Opening -------------------------------------------------------------------------------- */

void net_stream_init(Loop *loop, NetStream *s, const NetEvents *events)
{
    void *data = s->data;
    *s = (NetStream){.events = events, .data = data, .loop = loop, .net = net_of(loop), .fd = -1};
    s->next = s->net->streams;
    if (s->next) s->next->prev = s;
    s->net->streams = s;
    loop_timer_open(loop, &s->timer);
    loop_handle_unref(&s->timer.handle);
}

static void open_fd(NetStream *s, int fd)
{
    ASSERT(s->fd < 0);
    s->fd = fd;
    s->flags |= STREAM_OPEN | STREAM_HAS_RECV;
    SysAddr name;
    int rc = sys_socket_name(fd, &name);
    if (rc != -ENOTSOCK) s->flags |= STREAM_SOCKET;
    if (rc == 0) {
        bool is_ip = name.any.sa_family == AF_INET || name.any.sa_family == AF_INET6;
        if (is_ip) s->flags |= STREAM_TCP;
    }
    loop_recv_open(s->loop, &s->recv, fd, NULL);
    if (s->flags & STREAM_UNREF) loop_handle_unref(&s->recv.handle);
    net_stream_touch(s);
}

void net_stream_open(NetStream *s, int fd)
{
    ASSERT(!(s->flags & (STREAM_OPEN | STREAM_CLOSING)));
    open_fd(s, fd);
}

void net_stream_connect(NetStream *s, const NetTarget *target)
{
    ASSERT(!(s->flags & (STREAM_OPEN | STREAM_CLOSING)));
    ASSERT(!s->dial);
    s->dial = net_dial_start(s, target);
}

static void on_recv(LoopRecv *r, i32 n, char *p);

static void start_recv(NetStream *s)
{
    if ((s->flags & (STREAM_OPEN | STREAM_CLOSING | STREAM_PEER_END)) != STREAM_OPEN) return;
    loop_recv_start(&s->recv, on_recv);
}

void net_stream_connected(NetStream *s, int fd)
{
    s->dial = NULL;
    open_fd(s, fd);
    if (s->events->on_open) s->events->on_open(s);
    if (s->flags & STREAM_CLOSING) return;
    if (s->tls) net_tls_turn(s);
    if (s->flags & STREAM_CLOSING) return;
    if (s->tls || s->flags & STREAM_RECV) start_recv(s);
    net_write_pump(s);
}

/* ---- Receiving ------------------------------------------------------------------------------ */

void net_stream_peer_end(NetStream *s)
{
    if (s->flags & (STREAM_PEER_END | STREAM_CLOSING)) return;
    s->flags |= STREAM_PEER_END;
    if (s->events->on_end) s->events->on_end(s);
}

static void on_data(NetStream *s, i32 n, char *p)
{
    LoopBufs *bufs = s->recv.bufs;
    s->n_in += (u32)n;
    net_stream_touch(s);
    if (s->tls) {
        net_tls_feed(s, p, (u32)n);
        loop_bufs_give(bufs, p);
        return;
    }
    s->is_taken = false;
    if (s->events->on_data) s->events->on_data(s, p, (u32)n);
    if (!s->is_taken) loop_bufs_give(bufs, p);
    s->is_taken = false;
}

static void on_recv(LoopRecv *r, i32 n, char *p)
{
    NetStream *s = CONTAINER(NetStream, recv, r);
    if (n > 0) {
        on_data(s, n, p);
    } else if (n < 0) {
        net_stream_fail(s, n);
    } else if (s->tls) {
        s->flags |= STREAM_EOF;
        net_tls_turn(s);
    } else {
        net_stream_peer_end(s);
    }
}

void net_stream_start(NetStream *s)
{
    if (s->flags & STREAM_RECV) return;
    s->flags |= STREAM_RECV;
    start_recv(s);
    /* What is decrypted already comes first. */
    if (s->tls && s->flags & STREAM_SECURE) net_tls_turn(s);
}

void net_stream_stop(NetStream *s)
{
    s->flags &= ~(u32)STREAM_RECV;
    if ((s->flags & (STREAM_OPEN | STREAM_CLOSING)) != STREAM_OPEN) return;
    /* A handshake goes on. */
    if (s->tls && !(s->flags & STREAM_SECURE)) return;
    loop_recv_stop(&s->recv);
}

bool net_stream_is_receiving(const NetStream *s)
{
    return s->flags & STREAM_RECV;
}

NetBuf net_stream_take(NetStream *s, char *p)
{
    ASSERT(!s->is_taken);
    s->is_taken = true;
    return (NetBuf){.p = p, .bufs = s->tls ? NULL : s->recv.bufs};
}

void net_buf_give(NetBuf buf)
{
    if (buf.bufs)
        loop_bufs_give(buf.bufs, buf.p);
    else
        mem_free(buf.p);
}

/* ---- Time-outs ------------------------------------------------------------------------------ *
 * The timer is not moved with every byte: when it fires, it looks how long ago the last one was. */

static void on_timer(LoopTimer *t)
{
    NetStream *s = CONTAINER(NetStream, timer, t);
    u64 idle_ms = loop_now_ms(s->loop) - s->active_ms;
    if (idle_ms < s->timeout_ms) {
        loop_timer_start(t, s->timeout_ms - idle_ms, 0, on_timer);
        return;
    }
    if (s->events->on_timeout) s->events->on_timeout(s);
}

void net_stream_touch(NetStream *s)
{
    s->active_ms = loop_now_ms(s->loop);
    if (UNLIKELY(s->timeout_ms && !loop_handle_is_active(&s->timer.handle)))
        loop_timer_start(&s->timer, s->timeout_ms, 0, on_timer);
}

void net_stream_set_timeout(NetStream *s, u32 ms)
{
    if (s->flags & STREAM_CLOSING) return;
    s->timeout_ms = ms;
    loop_timer_stop(&s->timer);
    s->active_ms = loop_now_ms(s->loop);
    if (ms) loop_timer_start(&s->timer, ms, 0, on_timer);
}

/* ---- Closing -------------------------------------------------------------------------------- */

void net_stream_check_closed(NetStream *s)
{
    if (s->n_closing || s->sending || s->flags & STREAM_DEAD) return;
    s->flags |= STREAM_DEAD;
    (void)loop_fd_close(s->loop, s->fd);
    s->fd = -1;
    net_write_drop(s, s->rc < 0 ? s->rc : -ECANCELED);
    tls_conn_free(s->tls);
    s->tls = NULL;
    Buf_deinit(&s->tls_out);
    if (s->prev)
        s->prev->next = s->next;
    else
        s->net->streams = s->next;
    if (s->next) s->next->prev = s->prev;
    if (s->events->on_close) s->events->on_close(s);
}

static void on_timer_closed(LoopHandle *h)
{
    NetStream *s = CONTAINER(NetStream, timer.handle, h);
    s->n_closing--;
    net_stream_check_closed(s);
}

static void on_recv_closed(LoopHandle *h)
{
    NetStream *s = CONTAINER(NetStream, recv.handle, h);
    s->n_closing--;
    net_stream_check_closed(s);
}

void net_stream_close(NetStream *s)
{
    if (s->flags & STREAM_CLOSING) return;
    s->flags |= STREAM_CLOSING;
    if (s->dial) net_dial_cancel(s->dial);
    s->dial = NULL;
    s->n_closing = 1;
    if (s->flags & STREAM_HAS_RECV) {
        s->n_closing++;
        loop_handle_close(&s->recv.handle, on_recv_closed);
    }
    if (s->sending) loop_req_cancel(&s->send);
    loop_handle_close(&s->timer.handle, on_timer_closed);
}

void net_stream_reset(NetStream *s)
{
    if (s->flags & STREAM_CLOSING) return;
    s->flags |= STREAM_RESET;
    if (s->flags & STREAM_TCP) (void)!sys_linger_reset(s->fd);
    net_stream_close(s);
}

void net_stream_fail(NetStream *s, int rc)
{
    if (s->flags & STREAM_CLOSING) return;
    s->rc = rc;
    net_stream_close(s);
    if (s->events->on_error) s->events->on_error(s, rc);
}

bool net_stream_is_closing(const NetStream *s)
{
    return s->flags & STREAM_CLOSING;
}

bool net_stream_is_open(const NetStream *s)
{
    return (s->flags & (STREAM_OPEN | STREAM_CLOSING)) == STREAM_OPEN;
}

/* ---- TLS ------------------------------------------------------------------------------------ */

void net_stream_start_tls(NetStream *s, TlsConn *tls, Str head)
{
    ASSERT(!s->tls);
    s->tls = tls;
    s->plain = s->queued;
    if (s->flags & STREAM_CLOSING) return;
    if (!(s->flags & STREAM_OPEN)) return;
    if (head.n)
        net_tls_feed(s, head.p, (u32)head.n);
    else
        net_tls_turn(s);
    start_recv(s);
}

void net_stream_resume_tls(NetStream *s)
{
    if (s->tls && net_stream_is_open(s)) net_tls_turn(s);
}

/* ---- Options -------------------------------------------------------------------------------- */

int net_stream_set_nodelay(NetStream *s, bool on)
{
    if (!(s->flags & STREAM_TCP)) return -ENOTCONN;
    return sys_sockopt_set(s->fd, IPPROTO_TCP, TCP_NODELAY, on);
}

int net_stream_set_keepalive(NetStream *s, bool on, u32 delay_s)
{
    enum { PROBE_S = 1, PROBES = 10 };
    if (!(s->flags & STREAM_TCP)) return -ENOTCONN;
    int rc = sys_sockopt_set(s->fd, SOL_SOCKET, SO_KEEPALIVE, on);
    if (rc < 0 || !on || !delay_s) return rc;
    rc = sys_sockopt_set(s->fd, IPPROTO_TCP, TCP_KEEPIDLE, (int)MIN(delay_s, 32767U));
    if (rc == 0) rc = sys_sockopt_set(s->fd, IPPROTO_TCP, TCP_KEEPINTVL, PROBE_S);
    if (rc == 0) rc = sys_sockopt_set(s->fd, IPPROTO_TCP, TCP_KEEPCNT, PROBES);
    return rc;
}

int net_stream_tos(const NetStream *s, int value)
{
    SysAddr addr;
    int rc = net_stream_local_addr(s, &addr), got = 0;
    if (rc < 0) return rc;
    bool is_v6 = addr.any.sa_family == AF_INET6;
    int level = is_v6 ? IPPROTO_IPV6 : IPPROTO_IP, name = is_v6 ? IPV6_TCLASS : IP_TOS;
    if (value >= 0) return sys_sockopt_set(s->fd, level, name, value);
    rc = sys_sockopt_get(s->fd, level, name, &got);
    return rc < 0 ? rc : got;
}

void net_stream_ref(NetStream *s)
{
    s->flags &= ~(u32)STREAM_UNREF;
    if (s->flags & STREAM_HAS_RECV && !(s->flags & STREAM_CLOSING))
        loop_handle_ref(&s->recv.handle);
}

void net_stream_unref(NetStream *s)
{
    s->flags |= STREAM_UNREF;
    if (s->flags & STREAM_HAS_RECV && !(s->flags & STREAM_CLOSING))
        loop_handle_unref(&s->recv.handle);
}

int net_stream_local_addr(const NetStream *s, SysAddr *ret)
{
    return s->fd < 0 ? -EBADF : sys_socket_name(s->fd, ret);
}

int net_stream_peer_addr(const NetStream *s, SysAddr *ret)
{
    return s->fd < 0 ? -EBADF : sys_peer_name(s->fd, ret);
}
