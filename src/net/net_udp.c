/* net/net_udp.c -- datagram sockets.
 *
 * A readable socket is read until it is empty, at most NET_UDP_BATCH times in a row.  Sending is
 * tried at once; what does not fit waits in a queue. */
#include "net/net_private.h"

#include "util/mem.h"

#include <string.h>

struct NetUdpSend {
    NetUdpSend *next;
    void *data;
    SysAddr to;
    bool has_to;
    usize n;
    char bytes[];
};

static void watch(NetUdp *u);

void net_udp_open(Loop *loop, NetUdp *u, int fd)
{
    u->fd = fd;
    u->loop = loop;
    u->first = u->last = NULL;
    u->n_queued = 0;
    u->queued_size = 0;
    u->is_receiving = u->is_closing = u->is_connected = false;
    loop_poll_open(loop, &u->poll, fd);
}

/* ---- Receiving ------------------------------------------------------------------------------ */

/* false: there is no more, or it was stopped. */
static bool receive(NetUdp *u, char *buf)
{
    SysAddr from = {0};
    struct iovec iov = {buf, NET_UDP_SIZE_MAX};
    struct msghdr msg = {.msg_iov = &iov, .msg_iovlen = 1};
    msg.msg_name = &from.storage;
    msg.msg_namelen = sizeof(from.storage);
    i64 n = sys_recv_msg(u->fd, &msg, 0);
    if (n == -EAGAIN) return false;
    if (n < 0) {
        if (u->on_error) u->on_error(u, (int)n);
        /* An ICMP message about an earlier datagram: read on. */
        return n == -ECONNREFUSED && !u->is_closing;
    }
    from.len = msg.msg_namelen;
    u->on_message(u, buf, (u32)n, &from, msg.msg_flags & MSG_TRUNC);
    return u->is_receiving && !u->is_closing;
}

static void receive_batch(NetUdp *u)
{
    Net *net = net_of(u->loop);
    char *buf = net_scratch_take(net);
    for (u32 i = 0; i < NET_UDP_BATCH && receive(u, buf); i++) {
    }
    net_scratch_give(net, buf);
}

/* ---- Sending -------------------------------------------------------------------------------- */

static i64 send_now(NetUdp *u, const struct iovec *iov, u32 n_iov, const SysAddr *to)
{
    struct msghdr msg = {.msg_iov = (struct iovec *)(uintptr_t)iov, .msg_iovlen = n_iov};
    if (to) {
        msg.msg_name = (void *)(uintptr_t)&to->storage;
        msg.msg_namelen = to->len;
    }
    return sys_send_msg(u->fd, &msg, 0);
}

static NetUdpSend *pop(NetUdp *u)
{
    NetUdpSend *s = u->first;
    u->first = s->next;
    if (!u->first) u->last = NULL;
    u->n_queued--;
    u->queued_size -= s->n;
    return s;
}

static void flush(NetUdp *u)
{
    while (u->first && !u->is_closing) {
        NetUdpSend *s = u->first;
        struct iovec iov = {s->bytes, s->n};
        i64 rc = send_now(u, &iov, 1, s->has_to ? &s->to : NULL);
        if (rc == -EAGAIN) return;
        (void)pop(u);
        void *data = s->data;
        mem_free(s);
        if (u->on_sent) u->on_sent(u, data, rc < 0 ? (int)rc : 0);
    }
    if (!u->first && !u->is_closing && u->on_drain) u->on_drain(u);
}

static int queue(NetUdp *u, const struct iovec *iov, u32 n_iov, const SysAddr *to, void *data)
{
    if (u->n_queued == NET_UDP_QUEUE_MAX) return -ENOBUFS;
    usize n = 0;
    for (u32 i = 0; i < n_iov; i++) n += iov[i].iov_len;
    NetUdpSend *s = mem_new(sizeof(NetUdpSend) + n);
    for (u32 i = 0; i < n_iov; i++) {
        if (iov[i].iov_len) memcpy(s->bytes + s->n, iov[i].iov_base, iov[i].iov_len);
        s->n += iov[i].iov_len;
    }
    s->data = data;
    s->has_to = to != NULL;
    if (to) s->to = *to;
    if (u->last)
        u->last->next = s;
    else
        u->first = s;
    u->last = s;
    u->n_queued++;
    u->queued_size += n;
    watch(u);
    return -EAGAIN;
}

i64 net_udp_send(NetUdp *u, const struct iovec *iov, u32 n_iov, const SysAddr *to, void *data)
{
    if (u->is_closing) return -EBADF;
    i64 rc = u->first ? -EAGAIN : send_now(u, iov, n_iov, to);
    return rc == -EAGAIN ? queue(u, iov, n_iov, to, data) : rc;
}

/* ---- Both ----------------------------------------------------------------------------------- */

static void on_poll(LoopPoll *p, i32 events)
{
    NetUdp *u = CONTAINER(NetUdp, poll, p);
    if (events < 0) {
        if (u->on_error) u->on_error(u, events);
        return;
    }
    bool is_in = events & (LOOP_READABLE | LOOP_ERROR);
    if (is_in && u->is_receiving) receive_batch(u);
    if (u->is_closing) return;
    if (u->first) flush(u);
    if (!u->is_closing) watch(u);
}

static void watch(NetUdp *u)
{
    u32 events = u->is_receiving ? LOOP_READABLE : 0;
    if (u->first) events |= LOOP_WRITABLE;
    if (events)
        loop_poll_start(&u->poll, events, on_poll);
    else
        loop_poll_stop(&u->poll);
}

void net_udp_start(NetUdp *u)
{
    if (u->is_receiving || u->is_closing) return;
    u->is_receiving = true;
    watch(u);
}

void net_udp_stop(NetUdp *u)
{
    u->is_receiving = false;
    if (!u->is_closing) watch(u);
}

static void on_poll_closed(LoopHandle *h)
{
    NetUdp *u = CONTAINER(NetUdp, poll.handle, h);
    (void)loop_fd_close(u->loop, u->fd);
    u->fd = -1;
    while (u->first) {
        NetUdpSend *s = pop(u);
        if (u->on_sent) u->on_sent(u, s->data, -ECANCELED);
        mem_free(s);
    }
    if (u->on_close) u->on_close(u);
}

void net_udp_close(NetUdp *u)
{
    if (u->is_closing) return;
    u->is_closing = true;
    loop_handle_close(&u->poll.handle, on_poll_closed);
}
