/* net/net_write.c -- the queue of a stream.
 *
 * One operation is under way at most.  It covers the front of the queue, up to NET_IOV_MAX pieces;
 * what is queued meanwhile goes with the next one, small copies together in one block.  With TLS
 * the front of the queue is encrypted into one buffer first and waits in `flying` for it, but what
 * was queued before TLS began (the request of a STARTTLS protocol) goes out as it is. */
#include "net/net_private.h"

#include "util/mem.h"

#include <string.h>

enum { PIECE_MAX = 1 << 30 };

static void complete(NetStream *s, NetWrite *w, int rc)
{
    if (w->cap) {
        net_block_free(s->net, CONTAINER(NetBlock, w, w));
    } else if (w->on_done) {
        w->on_done(w, rc);
    }
}

static void queue_push(NetStream *s, NetWrite *w)
{
    w->next = NULL;
    if (s->last)
        s->last->next = w;
    else
        s->first = w;
    s->last = w;
}

static NetWrite *queue_pop(NetStream *s)
{
    NetWrite *w = s->first;
    s->first = w->next;
    if (!s->first) s->last = NULL;
    return w;
}

static void drop_list(NetStream *s, NetWrite *w, int rc)
{
    NetWrite *next;
    for (; w; w = next) {
        next = w->next;
        complete(s, w, rc);
    }
}

void net_write_drop(NetStream *s, int rc)
{
    NetWrite *flying = s->flying, *first = s->first;
    s->flying = s->fly_end = s->first = s->last = NULL;
    s->queued = 0;
    drop_list(s, flying, rc);
    drop_list(s, first, rc);
}

/* Moves the front `n` bytes on; true when the write is empty now. */
static bool advance(NetWrite *w, usize *n)
{
    while (w->n_iov && *n >= w->iov->iov_len) {
        *n -= w->iov->iov_len;
        w->iov++;
        w->n_iov--;
    }
    if (!w->n_iov) return true;
    w->iov->iov_base = (char *)w->iov->iov_base + *n;
    w->iov->iov_len -= *n;
    *n = 0;
    return false;
}

/* The front of the queue, and what is under way, needs no encryption. */
static bool is_plain(const NetStream *s)
{
    return !s->tls || s->plain;
}

/* `n` bytes of the front are written. */
static void written(NetStream *s, usize n)
{
    s->queued -= n;
    s->plain -= MIN(n, s->plain);
    while (s->first && advance(s->first, &n)) complete(s, queue_pop(s), 0);
}

static void finish_end(NetStream *s)
{
    s->flags |= STREAM_ENDED;
    if (s->flags & STREAM_SOCKET) {
        int rc = sys_shutdown(s->fd, SHUT_WR);
        if (rc < 0 && rc != -ENOTCONN && !s->tls) {
            net_stream_fail(s, rc);
            return;
        }
    }
    if (s->events->on_finish) s->events->on_finish(s);
}

/* Nothing is queued and nothing under way. */
static void on_empty(NetStream *s)
{
    if (s->flags & STREAM_NEEDS_DRAIN) {
        s->flags &= ~(u32)STREAM_NEEDS_DRAIN;
        if (s->events->on_drain) s->events->on_drain(s);
    }
    bool is_due = (s->flags & (STREAM_ENDING | STREAM_ENDED | STREAM_CLOSING)) == STREAM_ENDING;
    if (s->tls && !(s->flags & STREAM_SECURE)) is_due = false;
    if (is_due && !s->first && !s->sending) finish_end(s);
}

static u32 gather(NetStream *s, u32 *ret_n);

/* The stream was closed with writes behind the one that was under way: what the kernel takes at
 * once still goes out, as it would have if each had been a system call. */
static void send_rest(NetStream *s, u32 n)
{
    if (s->flags & STREAM_RESET) return;
    if (!is_plain(s)) {
        NetWrite *flying = s->flying;
        s->flying = s->fly_end = NULL;
        drop_list(s, flying, 0);
        u32 size = net_tls_encrypt(s);
        if (size) (void)!sys_send(s->fd, s->tls_out.p, size, 0);
        return;
    }
    written(s, n);
    u32 n_iov;
    if (!gather(s, &n_iov)) return;
    struct msghdr msg = {.msg_iov = s->iov, .msg_iovlen = n_iov};
    i64 rc =
        s->flags & STREAM_SOCKET ? sys_send_msg(s->fd, &msg, 0) : sys_writev(s->fd, s->iov, n_iov);
    if (rc > 0) written(s, (usize)rc);
}

/* Only close_notify was under way: whoever has gone already does not miss it. */
static bool is_goodbye(const NetStream *s)
{
    return s->tls && s->flags & STREAM_ENDING && !s->first && !s->flying;
}

static void on_sent(LoopReq *req, i64 res)
{
    NetStream *s = CONTAINER(NetStream, send, req);
    u32 n = s->sending;
    s->sending = 0;
    if (s->flags & STREAM_CLOSING) {
        if (res == n) send_rest(s, n);
        net_stream_check_closed(s);
        return;
    }
    if (res < 0 && is_goodbye(s)) {
        s->flags |= STREAM_ENDED;
        if (s->events->on_finish) s->events->on_finish(s);
        return;
    }
    if (res < 0) {
        net_stream_fail(s, (int)res);
        return;
    }
    ASSERT(res == n);
    s->n_out += n;
    net_stream_touch(s);
    if (is_plain(s)) {
        written(s, n);
    } else {
        NetWrite *flying = s->flying;
        s->flying = s->fly_end = NULL;
        buf_clear(&s->tls_out);
        drop_list(s, flying, 0);
    }
    net_write_pump(s);
}

static u32 gather(NetStream *s, u32 *ret_n)
{
    u32 n = 0, size = 0, max = s->tls ? (u32)MIN(s->plain, (usize)PIECE_MAX) : PIECE_MAX;
    for (NetWrite *w = s->first; w; w = w->next) {
        for (u32 i = 0; i < w->n_iov && n < NET_IOV_MAX; i++) {
            usize len = MIN(w->iov[i].iov_len, (usize)(max - size));
            if (!len && w->iov[i].iov_len) break;
            s->iov[n++] = (struct iovec){w->iov[i].iov_base, len};
            size += (u32)len;
        }
        if (n == NET_IOV_MAX || size == max) break;
    }
    *ret_n = n;
    return size;
}

static void start(NetStream *s, u32 n_iov, u32 size)
{
    s->sending = size;
    if (is_plain(s)) s->fly_end = s->last;
    s->send.on_done = on_sent;
    bool is_socket = s->flags & STREAM_SOCKET;
    if (n_iov == 1 && is_socket)
        loop_req_send(s->loop, &s->send, s->fd, s->iov[0].iov_base, size);
    else if (n_iov == 1)
        loop_req_write(s->loop, &s->send, s->fd, s->iov[0].iov_base, size);
    else if (is_socket)
        loop_req_sendv(s->loop, &s->send, s->fd, s->iov, n_iov);
    else
        loop_req_writev(s->loop, &s->send, s->fd, s->iov, n_iov);
}

void net_write_pump(NetStream *s)
{
    if (s->sending || !(s->flags & STREAM_OPEN) || s->flags & STREAM_CLOSING) return;
    u32 n_iov = 1, size;
    if (is_plain(s)) {
        size = gather(s, &n_iov);
    } else {
        size = net_tls_encrypt(s);
        s->iov[0] = (struct iovec){s->tls_out.p, size};
        if (s->flags & STREAM_CLOSING) return;
    }
    if (size) {
        start(s, n_iov, size);
        return;
    }
    written(s, 0); /* empty writes */
    if (!s->first) on_empty(s);
}

/* ---- Public --------------------------------------------------------------------------------- */

static bool is_writable(const NetStream *s)
{
    return !(s->flags & (STREAM_ENDING | STREAM_CLOSING));
}

/* Into the last block, unless it is under way. */
static usize append(NetStream *s, const char *p, usize n)
{
    NetWrite *w = s->last;
    if (!w || !w->cap || w->n_iov != 1) return 0;
    if (s->sending && is_plain(s) && w == s->fly_end) return 0;
    NetBlock *b = CONTAINER(NetBlock, w, w);
    char *end = (char *)w->iov->iov_base + w->iov->iov_len;
    usize room = (usize)(b->bytes + w->cap - end);
    usize len = MIN(n, room);
    memcpy(end, p, len);
    w->iov->iov_len += len;
    return len;
}

static void push_copy(NetStream *s, const char *p, usize n)
{
    s->queued += n;
    usize done = append(s, p, n);
    while (done < n) {
        NetBlock *b = net_block_new(s->net, n - done);
        usize len = MIN(n - done, b->w.cap);
        memcpy(b->bytes, p + done, len);
        b->w.one.iov_len = len;
        queue_push(s, &b->w);
        done += len;
    }
}

bool net_stream_write(NetStream *s, const void *p, usize n)
{
    if (!is_writable(s) || !n) return true;
    push_copy(s, p, n);
    net_write_pump(s);
    if (s->queued <= NET_HIGH_WATER || s->flags & STREAM_CLOSING) return true;
    s->flags |= STREAM_NEEDS_DRAIN;
    return false;
}

i64 net_stream_try(NetStream *s, const void *p, usize n)
{
    if (!is_writable(s)) return -EPIPE;
    if (!(s->flags & STREAM_OPEN) || (s->tls && !(s->flags & STREAM_SECURE))) return -ENOTCONN;
    usize room = s->queued < NET_HIGH_WATER ? NET_HIGH_WATER - s->queued : 0;
    usize len = MIN(n, room);
    if (len < n) s->flags |= STREAM_NEEDS_DRAIN;
    if (len) {
        push_copy(s, p, len);
        net_write_pump(s);
    }
    return (i64)len;
}

void net_stream_sendv(NetStream *s, NetWrite *w, struct iovec *iov, u32 n_iov)
{
    ASSERT(n_iov);
    w->iov = iov;
    w->n_iov = n_iov;
    w->cap = 0;
    if (!is_writable(s)) {
        if (w->on_done) w->on_done(w, -EPIPE);
        return;
    }
    for (u32 i = 0; i < n_iov; i++) s->queued += iov[i].iov_len;
    queue_push(s, w);
    net_write_pump(s);
}

void net_stream_send(NetStream *s, NetWrite *w, const void *p, usize n)
{
    w->one = (struct iovec){(void *)(uintptr_t)p, n};
    net_stream_sendv(s, w, &w->one, 1);
}

void net_stream_end(NetStream *s)
{
    if (!is_writable(s)) return;
    s->flags |= STREAM_ENDING;
    net_write_pump(s);
}
