/* net/dns_channel.c -- c-ares on the loop.
 *
 * Each of its sockets is watched by a LoopPoll, through a duplicate of the descriptor that is
 * closed when the loop has let go of it; one timer is set to when c-ares wants to be called next.
 */
#include "net/dns.h"

#include "util/mem.h"

#include <ares.h>
#include <netdb.h>
#include <netinet/in.h>
#include <pthread.h>
#include <string.h>

typedef struct DnsSocket DnsSocket;
struct DnsSocket {
    DnsSocket *next;
    DnsChannel *channel;
    LoopPoll poll;
    int fd;         /* the library's, which closes it when it likes */
    int watched_fd; /* the same socket: ours */
};

struct DnsChannel {
    Loop *loop;
    ares_channel ares;
    bool is_open; /* ares is */
    bool is_freed, is_timer_open, is_timer_closed;
    u32 timeout_ms, tries, max_timeout_ms;
    u32 n_pending, n_sockets;
    DnsSocket *sockets;
    LoopTimer timer;
};

typedef struct {
    DnsChannel *channel;
    DnsAnswer *fn;
    void *data;
} Query;

/* ---- Sockets -------------------------------------------------------------------------------- */

static void check_freed(DnsChannel *c)
{
    if (c->is_freed && !c->n_sockets && (!c->is_timer_open || c->is_timer_closed)) mem_free(c);
}

static void set_timer(DnsChannel *c);

static void on_poll(LoopPoll *p, i32 events)
{
    DnsSocket *s = CONTAINER(DnsSocket, poll, p);
    DnsChannel *c = s->channel;
    bool is_bad = events < 0 || events & (LOOP_ERROR | LOOP_HANGUP);
    int in = is_bad || events & LOOP_READABLE ? s->fd : ARES_SOCKET_BAD;
    int out = is_bad || events & LOOP_WRITABLE ? s->fd : ARES_SOCKET_BAD;
    ares_process_fd(c->ares, in, out);
    set_timer(c);
}

static void on_poll_closed(LoopHandle *h)
{
    DnsSocket *s = CONTAINER(DnsSocket, poll.handle, h);
    DnsChannel *c = s->channel;
    (void)loop_fd_close(c->loop, s->watched_fd);
    mem_free(s);
    c->n_sockets--;
    check_freed(c);
}

static void forget(DnsChannel *c, int fd)
{
    DnsSocket **at = &c->sockets;
    while (*at && (*at)->fd != fd) at = &(*at)->next;
    DnsSocket *s = *at;
    if (!s) return;
    *at = s->next;
    loop_handle_close(&s->poll.handle, on_poll_closed);
}

/* Without a descriptor to watch the question ends by its time-out. */
static DnsSocket *watch(DnsChannel *c, int fd)
{
    DnsSocket *s = c->sockets;
    while (s && s->fd != fd) s = s->next;
    if (s) return s;
    int watched_fd = sys_dup(fd, 0);
    if (watched_fd < 0) return NULL;
    s = MEM_NEW(DnsSocket);
    *s = (DnsSocket){.channel = c, .fd = fd, .watched_fd = watched_fd, .next = c->sockets};
    c->sockets = s;
    c->n_sockets++;
    loop_poll_open(c->loop, &s->poll, watched_fd);
    return s;
}

static void on_state(void *data, ares_socket_t fd, int readable, int writable)
{
    u32 events = (readable ? (u32)LOOP_READABLE : 0) | (writable ? (u32)LOOP_WRITABLE : 0);
    DnsSocket *s = events ? watch(data, fd) : NULL;
    if (s)
        loop_poll_start(&s->poll, events, on_poll);
    else if (!events)
        forget(data, fd);
}

/* ---- Time ----------------------------------------------------------------------------------- */

static void on_timer(LoopTimer *t)
{
    DnsChannel *c = CONTAINER(DnsChannel, timer, t);
    ares_process_fd(c->ares, ARES_SOCKET_BAD, ARES_SOCKET_BAD);
    set_timer(c);
}

static void set_timer(DnsChannel *c)
{
    if (c->is_freed) return;
    struct timeval tv;
    if (!c->n_pending || !ares_timeout(c->ares, NULL, &tv)) {
        loop_timer_stop(&c->timer);
        return;
    }
    u64 ms = (u64)tv.tv_sec * 1000 + (u64)tv.tv_usec / 1000;
    loop_timer_start(&c->timer, MAX(ms, 1U), 0, on_timer);
}

/* ---- Life ----------------------------------------------------------------------------------- */

static void init_library(void)
{
    (void)ares_library_init(ARES_LIB_INIT_ALL);
}

static int ensure_open(DnsChannel *c)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    if (c->is_open) return ARES_SUCCESS;
    (void)pthread_once(&once, init_library);
    struct ares_options o = {.sock_state_cb = on_state, .sock_state_cb_data = c};
    int mask = ARES_OPT_FLAGS | ARES_OPT_SOCK_STATE_CB;
    o.flags = ARES_FLAG_NOCHECKRESP;
    if (c->timeout_ms) {
        o.timeout = (int)c->timeout_ms;
        mask |= ARES_OPT_TIMEOUTMS;
    }
    if (c->tries) {
        o.tries = (int)c->tries;
        mask |= ARES_OPT_TRIES;
    }
    int rc = ares_init_options(&c->ares, &o, mask);
    if (rc != ARES_SUCCESS) return rc;
    loop_timer_open(c->loop, &c->timer);
    c->is_open = c->is_timer_open = true;
    return ARES_SUCCESS;
}

DnsChannel *dns_channel_new(Loop *loop, u32 timeout_ms, u32 tries, u32 max_timeout_ms)
{
    DnsChannel *c = MEM_NEW(DnsChannel);
    c->loop = loop;
    c->timeout_ms = timeout_ms;
    c->tries = tries;
    c->max_timeout_ms = max_timeout_ms;
    return c;
}

static void on_timer_closed(LoopHandle *h)
{
    DnsChannel *c = CONTAINER(DnsChannel, timer.handle, h);
    c->is_timer_closed = true;
    check_freed(c);
}

void dns_channel_free(DnsChannel *c)
{
    if (!c) return;
    c->is_freed = true;
    if (!c->is_open) {
        mem_free(c);
        return;
    }
    ares_destroy(c->ares);
    loop_handle_close(&c->timer.handle, on_timer_closed);
}

/* ---- Questions ------------------------------------------------------------------------------ */

static Query *query_new(DnsChannel *c, DnsAnswer *fn, void *data)
{
    Query *q = MEM_NEW(Query);
    *q = (Query){.channel = c, .fn = fn, .data = data};
    c->n_pending++;
    return q;
}

static void finish(Query *q, int status, Str message)
{
    q->channel->n_pending--;
    q->fn(q->data, status, message);
    mem_free(q);
}

static void on_answer(void *data, int status, int timeouts, unsigned char *p, int n)
{
    (void)timeouts;
    Str message = {(const char *)p, status == ARES_SUCCESS && p ? (usize)n : 0};
    finish(data, status, message);
}

/* false: `fn` was told why not. */
static bool is_ready(DnsChannel *c, DnsAnswer *fn, void *data)
{
    int rc = c->n_pending == DNS_QUERIES_MAX ? ARES_ENOMEM : ensure_open(c);
    if (rc != ARES_SUCCESS) fn(data, rc, (Str){0});
    return rc == ARES_SUCCESS;
}

void dns_query(DnsChannel *c, const char *name, int class, int type, DnsAnswer *fn, void *data)
{
    if (!is_ready(c, fn, data)) return;
    ares_query(c->ares, name, class, type, on_answer, query_new(c, fn, data));
    set_timer(c);
}

static void on_host(void *data, int status, int timeouts, struct hostent *host)
{
    (void)timeouts;
    AUTO(Buf) names = {0};
    if (status == ARES_SUCCESS && host) {
        bool is_listed = false;
        for (char **alias = host->h_aliases; *alias; alias++) {
            is_listed = is_listed || !strcmp(*alias, host->h_name);
            buf_push(&names, (Str){*alias, strlen(*alias) + 1});
        }
        if (!is_listed && !names.len)
            buf_push(&names, (Str){host->h_name, strlen(host->h_name) + 1});
    }
    finish(data, status, buf_str(&names));
}

void dns_reverse(DnsChannel *c, const SysAddr *addr, DnsAnswer *fn, void *data)
{
    if (!is_ready(c, fn, data)) return;
    const struct sockaddr_in *v4 = (const void *)&addr->storage;
    const struct sockaddr_in6 *v6 = (const void *)&addr->storage;
    bool is_v4 = addr->any.sa_family == AF_INET;
    const void *p = is_v4 ? (const void *)&v4->sin_addr : (const void *)&v6->sin6_addr;
    ares_gethostbyaddr(c->ares, p, is_v4 ? 4 : 16, addr->any.sa_family, on_host,
                       query_new(c, fn, data));
    set_timer(c);
}

void dns_channel_cancel(DnsChannel *c)
{
    if (!c->is_open) return;
    ares_cancel(c->ares);
    set_timer(c);
}

int dns_channel_set_servers(DnsChannel *c, const char *csv)
{
    int rc = ensure_open(c);
    return rc == ARES_SUCCESS ? ares_set_servers_ports_csv(c->ares, csv) : rc;
}

u32 dns_channel_servers(DnsChannel *c, SysAddr *ret, u32 max)
{
    struct ares_addr_port_node *list = NULL;
    if (ensure_open(c) != ARES_SUCCESS) return 0;
    if (ares_get_servers_ports(c->ares, &list) != ARES_SUCCESS) return 0;
    u32 n = 0;
    for (struct ares_addr_port_node *i = list; i && n < max; i = i->next) {
        SysAddr addr = {0};
        u16 port = (u16)(i->udp_port ? i->udp_port : i->tcp_port ? i->tcp_port : 53);
        struct sockaddr_in *v4 = (void *)&addr.storage;
        struct sockaddr_in6 *v6 = (void *)&addr.storage;
        if (i->family == AF_INET) {
            *v4 = (struct sockaddr_in){.sin_family = AF_INET, .sin_port = htons(port)};
            v4->sin_addr = i->addr.addr4;
            addr.len = sizeof(*v4);
        } else {
            *v6 = (struct sockaddr_in6){.sin6_family = AF_INET6, .sin6_port = htons(port)};
            memcpy(&v6->sin6_addr, &i->addr.addr6, sizeof(v6->sin6_addr));
            addr.len = sizeof(*v6);
        }
        ret[n++] = addr;
    }
    ares_free_data(list);
    return n;
}

void dns_channel_set_local(DnsChannel *c, const SysAddr *v4, const SysAddr *v6)
{
    if (ensure_open(c) != ARES_SUCCESS) return;
    const struct sockaddr_in *in4 = v4 ? (const void *)&v4->storage : NULL;
    const struct sockaddr_in6 *in6 = v6 ? (const void *)&v6->storage : NULL;
    if (in4) ares_set_local_ip4(c->ares, ntohl(in4->sin_addr.s_addr));
    if (in6) ares_set_local_ip6(c->ares, in6->sin6_addr.s6_addr);
}

u32 dns_channel_pending(const DnsChannel *c)
{
    return c->n_pending;
}

const char *dns_status_name(int status)
{
    static const char *const names[] = {
        "OK",
        "ENODATA",
        "EFORMERR",
        "ESERVFAIL",
        "ENOTFOUND",
        "ENOTIMP",
        "EREFUSED",
        "EBADQUERY",
        "EBADNAME",
        "EBADFAMILY",
        "EBADRESP",
        "ECONNREFUSED",
        "ETIMEOUT",
        "EOF",
        "EFILE",
        "ENOMEM",
        "EDESTRUCTION",
        "EBADSTR",
        "EBADFLAGS",
        "ENONAME",
        "EBADHINTS",
        "ENOTINITIALIZED",
        "ELOADIPHLPAPI",
        "EADDRGETNETWORKPARAMS",
        "ECANCELLED",
    };
    return status >= 0 && status < (int)COUNT(names) ? names[status] : "UNKNOWN_ARES_ERROR";
}
