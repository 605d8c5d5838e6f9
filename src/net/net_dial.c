/* net/net_dial.c -- making a connection: the name, then its addresses as RFC 8305 has it.
 *
 * Addresses of the two families take turns.  When one has not answered for attempt_ms the next is
 * tried beside it; when one has failed, at once.  The first that is connected wins.
 *
 * A dial belongs to its stream until that closes or is connected; then it only waits for the kernel
 * to let go of its attempts, and frees itself. */
#include "net/net_private.h"

#include "util/mem.h"

#include <string.h>

typedef struct {
    LoopReq req;
    NetDial *dial;
    SysAddr addr;
    int fd;
    bool is_active;
} Attempt;

struct NetDial {
    NetStream *stream; /* NULL: nobody waits */
    Loop *loop;
    LoopTimer timer;
    NetLookup lookup;
    Attempt attempts[NET_DIALS_MAX];
    SysAddr local;
    u32 n, next, n_active;
    u32 attempt_ms;
    int rc;
    bool is_looking, has_local, is_timer_closed;
    bool is_unix;
    bool has_fd;
    int fd;     /* bound by the caller */
    char *host; /* looked up: to be forgotten when nothing answers */
};

static void on_timer(LoopTimer *t);

/* ---- The end -------------------------------------------------------------------------------- */

static void check_free(NetDial *d)
{
    if (d->stream || d->n_active || d->is_looking || !d->is_timer_closed) return;
    mem_free(d->host);
    mem_free(d);
}

static void on_timer_closed(LoopHandle *h)
{
    NetDial *d = CONTAINER(NetDial, timer.handle, h);
    d->is_timer_closed = true;
    check_free(d);
}

static void let_go(NetDial *d)
{
    d->stream = NULL;
    if (d->is_looking) net_lookup_cancel(&d->lookup);
    d->is_looking = false;
    for (u32 i = 0; i < d->n; i++) {
        if (d->attempts[i].is_active) loop_req_cancel(&d->attempts[i].req);
    }
    loop_handle_close(&d->timer.handle, on_timer_closed);
}

void net_dial_cancel(NetDial *d)
{
    let_go(d);
}

static void win(NetDial *d, Attempt *a)
{
    NetStream *s = d->stream;
    int fd = a->fd;
    a->fd = -1;
    let_go(d);
    net_stream_connected(s, fd);
}

/* All have failed, or there was none. */
static void lose(NetDial *d)
{
    NetStream *s = d->stream;
    int rc = d->rc < 0 ? d->rc : -ECONNREFUSED;
    if (d->host) net_cache_drop(d->loop, str_z(d->host));
    s->dial = NULL;
    let_go(d);
    net_stream_fail(s, rc);
}

/* ---- Attempts ------------------------------------------------------------------------------- */

static void next_attempt(NetDial *d, bool is_inside);

static void on_connect(LoopReq *req, i64 res)
{
    Attempt *a = CONTAINER(Attempt, req, req);
    NetDial *d = a->dial;
    a->is_active = false;
    d->n_active--;
    if (d->stream && res == 0) {
        win(d, a);
        return;
    }
    (void)loop_fd_close(d->loop, a->fd);
    a->fd = -1;
    if (!d->stream) {
        check_free(d);
        return;
    }
    d->rc = (int)res;
    next_attempt(d, false);
}

static int open_socket(NetDial *d, Attempt *a)
{
    a->fd = -1;
    if (d->has_fd) {
        d->has_fd = false;
        a->fd = d->fd;
        return 0;
    }
    int fd = sys_socket(a->addr.any.sa_family, SOCK_STREAM, 0);
    if (fd < 0) return fd;
    int rc = 0;
    if (d->has_local && d->local.any.sa_family == a->addr.any.sa_family)
        rc = sys_bind(fd, &d->local);
    /* A unix socket connects at once or not at all; waiting for it would not tell -EAGAIN. */
    if (rc == 0 && d->is_unix) rc = sys_connect(fd, &a->addr);
    if (rc < 0) {
        sys_close(fd);
        return rc;
    }
    a->fd = fd;
    return 0;
}

static void start(NetDial *d, Attempt *a)
{
    a->dial = d;
    a->is_active = true;
    a->req.on_done = on_connect;
    d->n_active++;
    loop_req_connect(d->loop, &a->req, a->fd, &a->addr);
}

/* is_inside: of net_stream_connect, so the outcome has to wait for the next turn. */
static void next_attempt(NetDial *d, bool is_inside)
{
    while (d->next < d->n) {
        Attempt *a = &d->attempts[d->next++];
        int rc = open_socket(d, a);
        if (rc < 0) {
            d->rc = rc;
            continue;
        }
        if (d->is_unix) {
            loop_timer_start(&d->timer, 0, 0, on_timer);
            return;
        }
        start(d, a);
        if (d->next < d->n)
            loop_timer_start(&d->timer, d->attempt_ms, 0, on_timer);
        else
            loop_timer_stop(&d->timer);
        return;
    }
    if (d->n_active) return;
    if (is_inside)
        loop_timer_start(&d->timer, 0, 0, on_timer);
    else
        lose(d);
}

static void on_timer(LoopTimer *t)
{
    NetDial *d = CONTAINER(NetDial, timer, t);
    if (d->is_unix && d->attempts[0].fd >= 0)
        win(d, &d->attempts[0]);
    else
        next_attempt(d, false);
}

/* ---- Addresses ------------------------------------------------------------------------------ */

/* The index of the next address of (or not of) `family`, or n. */
static u32 skip(const SysAddr *addrs, u32 n, u32 i, u16 family, bool is_same)
{
    while (i < n && (addrs[i].any.sa_family == family) != is_same) i++;
    return i;
}

static void set_addrs(NetDial *d, const SysAddr *addrs, u32 n)
{
    u16 family = n ? addrs[0].any.sa_family : 0;
    u32 same = 0, other = skip(addrs, n, 0, family, false);
    while (d->n < NET_DIALS_MAX && (same < n || other < n)) {
        bool takes_same = same < n && (!(d->n & 1) || other == n);
        u32 *i = takes_same ? &same : &other;
        d->attempts[d->n].fd = -1;
        d->attempts[d->n++].addr = addrs[*i];
        *i = skip(addrs, n, *i + 1, family, takes_same);
    }
}

static void on_lookup(NetLookup *l, int rc, const SysAddr *addrs, u32 n)
{
    NetDial *d = CONTAINER(NetDial, lookup, l);
    d->is_looking = false;
    d->rc = rc;
    if (rc == 0) set_addrs(d, addrs, n);
    next_attempt(d, false);
}

static int set_target(NetDial *d, const NetTarget *t)
{
    SysAddr addr;
    if (t->path.n) {
        int rc = sys_addr_unix(t->path, &addr);
        if (rc == 0) set_addrs(d, &addr, 1);
        d->is_unix = true;
        return rc;
    }
    if (t->n_addrs) {
        set_addrs(d, t->addrs, t->n_addrs);
        return 0;
    }
    if (sys_addr_parse(t->host, t->port, &addr) == 0) {
        set_addrs(d, &addr, 1);
        return 0;
    }
    d->is_looking = true;
    d->host = mem_new(t->host.n + 1);
    memcpy(d->host, t->host.p, t->host.n);
    d->lookup.on_done = on_lookup;
    u32 flags = NET_LOOKUP_ADDRCONFIG | (t->is_uncached ? 0 : (u32)NET_LOOKUP_CACHED);
    net_lookup(d->loop, &d->lookup, t->host, t->port, t->family, flags);
    return 0;
}

NetDial *net_dial_start(NetStream *s, const NetTarget *t)
{
    NetDial *d = MEM_NEW(NetDial);
    d->stream = s;
    d->loop = s->loop;
    d->has_fd = t->has_fd;
    d->fd = t->fd;
    d->attempt_ms = t->attempt_ms ? t->attempt_ms : NET_ATTEMPT_MS;
    loop_timer_open(s->loop, &d->timer);
    if (t->local_host.n || t->local_port) {
        Str any = t->host.n && str_find(t->host, ':') >= 0 ? S("::") : S("0.0.0.0");
        Str host = t->local_host.n ? t->local_host : any;
        d->rc = sys_addr_parse(host, t->local_port, &d->local);
        d->has_local = d->rc == 0;
    }
    if (d->rc == 0) d->rc = set_target(d, t);
    if (!d->is_looking) next_attempt(d, true);
    return d;
}
