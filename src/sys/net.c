/* sys/net.c -- sockets.  All are non-blocking and close-on-exec from birth. */
#include "sys/call.h"

#include <arpa/inet.h>
#include <net/if.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/sendfile.h>
#include <sys/un.h>
#include <unistd.h>

/* ---- Addresses ------------------------------------------------------------------------------ */

static int parse_zone(const char *zone, u32 *ret)
{
    u64 n;
    u32 idx = if_nametoindex(zone);
    if (!idx && str_to_u64(str_z(zone), &n) && n <= UINT32_MAX) idx = (u32)n;
    if (!idx) return -EINVAL;
    *ret = idx;
    return 0;
}

int sys_addr_parse(Str ip, u16 port, SysAddr *ret)
{
    char text[INET6_ADDRSTRLEN + IF_NAMESIZE + 1];
    if (ip.n >= sizeof(text) || !ip.n || memchr(ip.p, 0, ip.n)) return -EINVAL;
    memcpy(text, ip.p, ip.n);
    text[ip.n] = 0;
    SysAddr addr = {0};
    struct sockaddr_in *v4 = (void *)&addr.storage;
    if (inet_pton(AF_INET, text, &v4->sin_addr) == 1) {
        v4->sin_family = AF_INET;
        v4->sin_port = htons(port);
        addr.len = sizeof(*v4);
        *ret = addr;
        return 0;
    }
    struct sockaddr_in6 *v6 = (void *)&addr.storage;
    char *zone = strchr(text, '%');
    if (zone) {
        *zone = 0;
        int rc = parse_zone(zone + 1, &v6->sin6_scope_id);
        if (rc < 0) return rc;
    }
    if (inet_pton(AF_INET6, text, &v6->sin6_addr) != 1) return -EINVAL;
    v6->sin6_family = AF_INET6;
    v6->sin6_port = htons(port);
    addr.len = sizeof(*v6);
    *ret = addr;
    return 0;
}

int sys_addr_unix(Str path, SysAddr *ret)
{
    SysAddr addr = {0};
    struct sockaddr_un *un = (void *)&addr.storage;
    if (!path.n) return -EINVAL;
    bool is_abstract = path.p[0] == 0;
    if (!is_abstract && memchr(path.p, 0, path.n)) return -EINVAL;
    if (path.n > sizeof(un->sun_path) - (is_abstract ? 0 : 1)) return -ENAMETOOLONG;
    un->sun_family = AF_UNIX;
    memcpy(un->sun_path, path.p, path.n);
    addr.len = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + path.n + (is_abstract ? 0 : 1));
    *ret = addr;
    return 0;
}

static Str unix_text(Arena *a, const SysAddr *addr)
{
    const struct sockaddr_un *un = (const void *)&addr->storage;
    usize head = offsetof(struct sockaddr_un, sun_path);
    if (addr->len <= head) return S("");
    usize n = addr->len - head;
    if (un->sun_path[0]) n = strnlen(un->sun_path, n);
    return str_dup(a, (Str){un->sun_path, n});
}

Str sys_addr_text(Arena *a, const SysAddr *addr)
{
    char text[INET6_ADDRSTRLEN] = "";
    if (addr->any.sa_family == AF_UNIX) return unix_text(a, addr);
    if (addr->any.sa_family == AF_INET) {
        const struct sockaddr_in *v4 = (const void *)&addr->storage;
        (void)inet_ntop(AF_INET, &v4->sin_addr, text, sizeof(text));
        return str_dup(a, str_z(text));
    }
    if (addr->any.sa_family != AF_INET6) return S("");
    const struct sockaddr_in6 *v6 = (const void *)&addr->storage;
    (void)inet_ntop(AF_INET6, &v6->sin6_addr, text, sizeof(text));
    char zone[IF_NAMESIZE];
    if (!v6->sin6_scope_id) return str_dup(a, str_z(text));
    if (if_indextoname(v6->sin6_scope_id, zone)) return str_fmt(a, "%s%%%s", text, zone);
    return str_fmt(a, "%s%%%u", text, v6->sin6_scope_id);
}

u32 sys_addr_bytes(const SysAddr *addr, u8 ret[16])
{
    if (addr->any.sa_family == AF_INET) {
        memcpy(ret, &((const struct sockaddr_in *)(const void *)&addr->any)->sin_addr, 4);
        return 4;
    }
    if (addr->any.sa_family != AF_INET6) return 0;
    memcpy(ret, &((const struct sockaddr_in6 *)(const void *)&addr->any)->sin6_addr, 16);
    return 16;
}

u16 sys_addr_port(const SysAddr *addr)
{
    const struct sockaddr_in *v4 = (const void *)&addr->storage;
    const struct sockaddr_in6 *v6 = (const void *)&addr->storage;
    if (addr->any.sa_family == AF_INET) return ntohs(v4->sin_port);
    return addr->any.sa_family == AF_INET6 ? ntohs(v6->sin6_port) : 0;
}

u32 sys_addr_scope(const SysAddr *addr)
{
    const struct sockaddr_in6 *v6 = (const void *)&addr->storage;
    return addr->any.sa_family == AF_INET6 ? v6->sin6_scope_id : 0;
}

/* ---- Sockets -------------------------------------------------------------------------------- */

int sys_socket(int family, int type, int protocol)
{
    FAULT();
    return RETRY_INT(socket(family, type | SOCK_NONBLOCK | SOCK_CLOEXEC, protocol));
}

int sys_bind(int fd, const SysAddr *addr)
{
    FAULT();
    return RETRY_INT(bind(fd, &addr->any, addr->len));
}

int sys_listen(int fd, int backlog)
{
    FAULT();
    return RETRY_INT(listen(fd, backlog));
}

int sys_accept(int fd, SysAddr *ret_peer)
{
    FAULT();
    SysAddr peer = {.len = sizeof(peer.storage)};
    int conn = RETRY_INT(accept4(fd, &peer.any, &peer.len, SOCK_NONBLOCK | SOCK_CLOEXEC));
    if (conn >= 0 && ret_peer) *ret_peer = peer;
    return conn;
}

int sys_connect(int fd, const SysAddr *addr)
{
    FAULT();
    /* Not restarted: after EINTR the connection goes on by itself. */
    if (connect(fd, &addr->any, addr->len) == 0) return 0;
    return errno == EINTR ? -EINPROGRESS : -errno;
}

int sys_socket_error(int fd)
{
    int err = 0;
    int rc = sys_sockopt_get(fd, SOL_SOCKET, SO_ERROR, &err);
    return rc < 0 ? rc : -err;
}

int sys_socket_name(int fd, SysAddr *ret)
{
    FAULT();
    SysAddr addr = {.len = sizeof(addr.storage)};
    int rc = RETRY_INT(getsockname(fd, &addr.any, &addr.len));
    if (rc == 0) *ret = addr;
    return rc;
}

int sys_peer_name(int fd, SysAddr *ret)
{
    FAULT();
    SysAddr addr = {.len = sizeof(addr.storage)};
    int rc = RETRY_INT(getpeername(fd, &addr.any, &addr.len));
    if (rc == 0) *ret = addr;
    return rc;
}

int sys_sockopt_set(int fd, int level, int name, int value)
{
    FAULT();
    return RETRY_INT(setsockopt(fd, level, name, &value, sizeof(value)));
}

int sys_sockopt_set_bytes(int fd, int level, int name, const void *value, u32 size)
{
    FAULT();
    return RETRY_INT(setsockopt(fd, level, name, value, size));
}

int sys_sockopt_get(int fd, int level, int name, int *ret)
{
    FAULT();
    int value = 0;
    socklen_t len = sizeof(value);
    int rc = RETRY_INT(getsockopt(fd, level, name, &value, &len));
    if (rc == 0) *ret = value;
    return rc;
}

int sys_linger_reset(int fd)
{
    FAULT();
    struct linger linger = {.l_onoff = 1};
    return RETRY_INT(setsockopt(fd, SOL_SOCKET, SO_LINGER, &linger, sizeof(linger)));
}

i64 sys_send(int fd, const void *buf, usize len, int flags)
{
    FAULT();
    return RETRY(send(fd, buf, len, flags | MSG_NOSIGNAL | MSG_DONTWAIT));
}

i64 sys_send_file(int fd, int from, u64 off, usize len)
{
    FAULT();
    off_t at = (off_t)off;
    return RETRY(sendfile(fd, from, &at, len));
}

i64 sys_recv(int fd, void *buf, usize len, int flags)
{
    FAULT();
    return RETRY(recv(fd, buf, len, flags | MSG_DONTWAIT));
}

i64 sys_send_msg(int fd, const struct msghdr *msg, int flags)
{
    FAULT();
    return RETRY(sendmsg(fd, msg, flags | MSG_NOSIGNAL | MSG_DONTWAIT));
}

i64 sys_recv_msg(int fd, struct msghdr *msg, int flags)
{
    FAULT();
    return RETRY(recvmsg(fd, msg, flags | MSG_DONTWAIT | MSG_CMSG_CLOEXEC));
}

int sys_shutdown(int fd, int how)
{
    FAULT();
    return RETRY_INT(shutdown(fd, how));
}

int sys_readable_bytes(int fd, int *ret)
{
    FAULT();
    return RETRY_INT(ioctl(fd, FIONREAD, ret));
}

int sys_set_nodelay(int fd, bool on)
{
    return sys_sockopt_set(fd, IPPROTO_TCP, TCP_NODELAY, on);
}

int sys_set_keepalive(int fd, bool on, u32 seconds)
{
    int rc = sys_sockopt_set(fd, SOL_SOCKET, SO_KEEPALIVE, on);
    if (rc < 0 || !on || !seconds) return rc;
    return sys_sockopt_set(fd, IPPROTO_TCP, TCP_KEEPIDLE, (int)seconds);
}
