/* net/net_listen.c -- listening sockets. */
#include "net/net_private.h"

#include "util/mem.h"

#include <netinet/in.h>

enum { RETRY_MS = 50 }; /* after a failure of accept: the next try */

static void on_accept(LoopAccept *a, i32 fd);

/* ---- Sockets -------------------------------------------------------------------------------- */

static int try_bind(const SysAddr *addr, const NetListenOptions *o, bool ipv6_only)
{
    int fd = sys_socket(addr->any.sa_family, SOCK_STREAM, 0);
    if (fd < 0) return fd;
    int rc = 0;
    bool is_ip = addr->any.sa_family != AF_UNIX;
    if (is_ip) rc = sys_sockopt_set(fd, SOL_SOCKET, SO_REUSEADDR, 1);
    if (rc == 0 && is_ip && o->reuse_port) rc = sys_sockopt_set(fd, SOL_SOCKET, SO_REUSEPORT, 1);
    if (rc == 0 && addr->any.sa_family == AF_INET6)
        rc = sys_sockopt_set(fd, IPPROTO_IPV6, IPV6_V6ONLY, ipv6_only);
    if (rc == 0) rc = sys_bind(fd, addr);
    if (rc < 0) {
        sys_close(fd);
        return rc;
    }
    return fd;
}

static int bind_unix(const NetListenOptions *o)
{
    SysAddr addr;
    int rc = sys_addr_unix(o->path, &addr);
    if (rc < 0) return rc;
    int fd = try_bind(&addr, o, false);
    u32 mode = 0;
    if (o->readable_all) mode |= S_IRUSR | S_IRGRP | S_IROTH;
    if (o->writable_all) mode |= S_IWUSR | S_IWGRP | S_IWOTH;
    if (fd < 0 || !mode || !o->path.p[0]) return fd;
    SysStat st;
    rc = sys_stat(o->path, &st);
    if (rc == 0) rc = sys_chmod(o->path, (st.mode & 07777) | mode);
    if (rc == 0) return fd;
    sys_close(fd);
    sys_unlink(o->path);
    return rc;
}

int net_bind(const NetListenOptions *o)
{
    if (o->path.n) return bind_unix(o);
    SysAddr addr;
    if (o->host.n) {
        int rc = sys_addr_parse(o->host, o->port, &addr);
        return rc < 0 ? rc : try_bind(&addr, o, o->ipv6_only);
    }
    int rc = sys_addr_parse(S("::"), o->port, &addr);
    ASSERT(rc == 0);
    int fd = try_bind(&addr, o, o->ipv6_only);
    if (fd != -EAFNOSUPPORT && fd != -EADDRNOTAVAIL) return fd;
    rc = sys_addr_parse(S("0.0.0.0"), o->port, &addr);
    ASSERT(rc == 0);
    return try_bind(&addr, o, false);
}

/* ---- Listeners ------------------------------------------------------------------------------ */

static int listen_fd(Loop *loop, NetListener *l, int fd, u32 backlog, bool is_paused)
{
    int rc = sys_listen(fd, backlog ? (int)backlog : NET_BACKLOG);
    if (rc < 0) return rc;
    l->fd = fd;
    l->path = NULL;
    l->n_closing = 0;
    l->is_paused = is_paused;
    l->is_closing = false;
    l->loop = loop;
    Net *net = net_of(loop);
    l->prev = NULL;
    l->next = net->listeners;
    if (l->next) l->next->prev = l;
    net->listeners = l;
    loop_accept_open(loop, &l->accept, fd);
    loop_timer_open(loop, &l->retry);
    if (!is_paused) loop_accept_start(&l->accept, on_accept);
    return 0;
}

int net_listen_fd(Loop *loop, NetListener *l, int fd, u32 backlog, bool is_paused)
{
    return listen_fd(loop, l, fd, backlog, is_paused);
}

int net_listen(Loop *loop, NetListener *l, const NetListenOptions *o)
{
    int fd = net_bind(o);
    if (fd < 0) return fd;
    int rc = listen_fd(loop, l, fd, o->backlog, o->is_paused);
    bool is_file = o->path.n && o->path.p[0];
    if (rc < 0) {
        sys_close(fd);
        if (is_file) sys_unlink(o->path);
        return rc;
    }
    l->is_shared = false;
    if (!is_file) return 0;
    l->path = mem_new(o->path.n + 1);
    for (usize i = 0; i < o->path.n; i++) l->path[i] = o->path.p[i];
    return 0;
}

static void on_retry(LoopTimer *t)
{
    NetListener *l = CONTAINER(NetListener, retry, t);
    if (!l->is_paused) loop_accept_start(&l->accept, on_accept);
}

static void on_accept(LoopAccept *a, i32 fd)
{
    NetListener *l = CONTAINER(NetListener, accept, a);
    if (fd >= 0) {
        l->on_accept(l, fd);
        return;
    }
    loop_timer_start(&l->retry, RETRY_MS, 0, on_retry);
    if (l->on_error) l->on_error(l, fd);
}

void net_listener_pause(NetListener *l)
{
    if (l->is_paused || l->is_closing) return;
    l->is_paused = true;
    loop_timer_stop(&l->retry);
    loop_accept_stop(&l->accept);
}

void net_listener_resume(NetListener *l)
{
    if (!l->is_paused || l->is_closing) return;
    l->is_paused = false;
    loop_accept_start(&l->accept, on_accept);
}

void net_listener_ref(NetListener *l)
{
    if (l->is_closing) return;
    loop_handle_ref(&l->accept.handle);
    loop_handle_ref(&l->retry.handle);
}

void net_listener_unref(NetListener *l)
{
    if (l->is_closing) return;
    loop_handle_unref(&l->accept.handle);
    loop_handle_unref(&l->retry.handle);
}

static void closed(NetListener *l)
{
    if (--l->n_closing) return;
    (void)loop_fd_close(l->loop, l->fd);
    l->fd = -1;
    mem_free(l->path);
    l->path = NULL;
    if (l->on_close) l->on_close(l);
}

static void on_accept_closed(LoopHandle *h)
{
    closed(CONTAINER(NetListener, accept.handle, h));
}

static void on_retry_closed(LoopHandle *h)
{
    closed(CONTAINER(NetListener, retry.handle, h));
}

void net_listener_close(NetListener *l)
{
    if (l->is_closing) return;
    l->is_closing = true;
    l->n_closing = 2;
    if (l->prev)
        l->prev->next = l->next;
    else
        net_of(l->loop)->listeners = l->next;
    if (l->next) l->next->prev = l->prev;
    if (l->path) sys_unlink(str_z(l->path));
    /* The descriptor is closed later, but from now on nobody can connect. */
    if (!l->is_shared) (void)!sys_shutdown(l->fd, SHUT_RDWR);
    loop_handle_close(&l->accept.handle, on_accept_closed);
    loop_handle_close(&l->retry.handle, on_retry_closed);
}
