/* node/dgram/binding.c -- native half of node:dgram and Bun.udpSocket. */
#include "builtins/internal/sockets/sockets.h"

#include "util/mem.h"

#include <string.h>

enum { UDP_MAX = 65536 };
enum { EVENT_MESSAGE, EVENT_ERROR, EVENT_DRAIN, EVENT_SENT, EVENT_CLOSE };

typedef struct Udp {
    NetUdp udp;
    VmNet *net;
    JsRef owner;
    u64 id;
    int family;
} Udp;

typedef struct VmUdp {
    JsRef dispatch;
    Udp **at;
    u32 n, cap;
    u32 serial;
} VmUdp;

/* A datagram that waits: its callback. */
typedef struct {
    JsRef callback;
} Waiting;

static VmUdp *udp_of(Js *js)
{
    VmNet *net = sock_net(js);
    if (!net->udp) net->udp = MEM_NEW(VmUdp);
    return net->udp;
}

static Udp *find(Js *js, JsArgs args)
{
    VmUdp *all = udp_of(js);
    JsVal v = js_arg(args, 0);
    if (!js_is_number(js, v)) return NULL;
    u64 id = (u64)js_get_number(js, v);
    u32 i = (u32)(id & 0xffff);
    Udp *u = i < all->n ? all->at[i] : NULL;
    return u && u->id == id ? u : NULL;
}

/* ---- Events --------------------------------------------------------------------------------- */

static void tell(Udp *u, int event, const JsVal *values, u32 n)
{
    Js *js = u->net->vm->js;
    JsVal at[7] = {js_ref_get(js, &u->owner), js_int(js, event)};
    JsVal fn = js_ref_get(js, &u->net->udp->dispatch);
    if (!fn || !at[0]) return;
    for (u32 i = 0; i < n; i++) at[2 + i] = values[i];
    vm_call(u->net->vm, fn, (JsArgs){.at = at, .len = 2 + n});
    vm_after_callback(u->net->vm);
}

static void on_message(NetUdp *udp, const char *p, u32 n, const SysAddr *from, bool is_cut)
{
    Udp *u = CONTAINER(Udp, udp, udp);
    Js *js = u->net->vm->js;
    AUTO(Scratch) s = scratch_begin(NULL);
    JsVal values[] = {js_u8array(js, p, n), js_str(js, sys_addr_text(s.arena, from)),
                      js_int(js, sys_addr_port(from)),
                      js_int(js, from->any.sa_family == AF_INET ? 4 : 6), js_boolean(is_cut)};
    tell(u, EVENT_MESSAGE, values, COUNT(values));
}

static void on_error(NetUdp *udp, int rc)
{
    Udp *u = CONTAINER(Udp, udp, udp);
    JsVal value = js_int(u->net->vm->js, rc);
    tell(u, EVENT_ERROR, &value, 1);
}

static void on_drain(NetUdp *udp)
{
    tell(CONTAINER(Udp, udp, udp), EVENT_DRAIN, NULL, 0);
}

static void on_sent(NetUdp *udp, void *data, int rc)
{
    Udp *u = CONTAINER(Udp, udp, udp);
    Waiting *w = data;
    if (!w) return;
    Js *js = u->net->vm->js;
    JsVal values[] = {js_ref_get(js, &w->callback), js_int(js, rc)};
    js_ref_clear(js, &w->callback);
    mem_free(w);
    if (values[0]) tell(u, EVENT_SENT, values, 2);
}

static void on_close(NetUdp *udp)
{
    Udp *u = CONTAINER(Udp, udp, udp);
    Vm *vm = u->net->vm;
    tell(u, EVENT_CLOSE, NULL, 0);
    js_ref_clear(vm->js, &u->owner);
    u->net->udp->at[u->id & 0xffff] = NULL;
    mem_free(u);
}

/* ---- Making --------------------------------------------------------------------------------- */

JS_NATIVE(udp_set_dispatch)
{
    js_ref_set_strong(js, &udp_of(js)->dispatch, js_arg(args, 0));
    return JS_UNDEFINED;
}

/* The id, or -errno; takes fd. */
static JsVal adopt(Js *js, JsVal owner, int fd, int family)
{
    VmUdp *all = udp_of(js);
    u32 i = 0;
    while (i < all->n && all->at[i]) i++;
    if (i == UDP_MAX) {
        sys_close(fd);
        return js_int(js, -ENFILE);
    }
    if (i == all->n && all->n++ == all->cap) {
        all->cap = MAX(all->cap * 2, 8U);
        all->at = mem_resize(all->at, all->cap * sizeof(Udp *));
    }
    Udp *u = MEM_NEW(Udp);
    u->net = sock_net(js);
    u->id = (u64)++all->serial << 16 | i;
    u->family = family;
    u->udp.on_message = on_message;
    u->udp.on_error = on_error;
    u->udp.on_drain = on_drain;
    u->udp.on_sent = on_sent;
    u->udp.on_close = on_close;
    js_ref_set_strong(js, &u->owner, owner);
    all->at[i] = u;
    net_udp_open(vm_of(js)->loop, &u->udp, fd);
    return js_number(js, (f64)u->id);
}

enum { BIND_IPV6_ONLY = 1, BIND_REUSE_ADDR = 2, BIND_REUSE_PORT = 4 };

static int bind_socket(const SysAddr *addr, u32 flags)
{
    int fd = sys_socket(addr->any.sa_family, SOCK_DGRAM, 0);
    if (fd < 0) return fd;
    int rc = 0;
    if (flags & BIND_REUSE_ADDR) rc = sys_sockopt_set(fd, SOL_SOCKET, SO_REUSEADDR, 1);
    if (rc == 0 && flags & BIND_REUSE_PORT) rc = sys_sockopt_set(fd, SOL_SOCKET, SO_REUSEPORT, 1);
    if (rc == 0 && flags & BIND_IPV6_ONLY) rc = net_udp_set_v6_only(fd, addr);
    if (rc == 0) rc = sys_bind(fd, addr);
    if (rc == 0) return fd;
    sys_close(fd);
    return rc;
}

/* bind(owner, ip, port, family, flags) -> id or errno. */
JS_NATIVE(udp_bind)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    Str ip;
    SysAddr addr;
    if (!js_to_str(js, s.arena, js_arg(args, 1), &ip)) return NULL;
    bool is_v4 = js_get_i32(js, js_arg(args, 3)) == 4;
    int rc = sys_addr_parse(ip, (u16)js_get_i32(js, js_arg(args, 2)), &addr);
    if (rc == 0 && is_v4 != (addr.any.sa_family == AF_INET)) rc = -EINVAL;
    if (rc == 0) rc = bind_socket(&addr, (u32)js_get_i32(js, js_arg(args, 4)));
    if (rc < 0) return js_int(js, rc);
    return adopt(js, js_arg(args, 0), rc, addr.any.sa_family);
}

/* open(owner, fd) -> id or errno. */
JS_NATIVE(udp_open)
{
    int fd = js_get_i32(js, js_arg(args, 1)), type = 0;
    SysAddr addr;
    int rc = sys_socket_name(fd, &addr);
    if (rc == 0) rc = sys_sockopt_get(fd, SOL_SOCKET, SO_TYPE, &type);
    if (rc == 0 && type != SOCK_DGRAM) rc = -EINVAL;
    if (rc == 0) rc = sys_set_nonblock(fd, true);
    return rc < 0 ? js_int(js, rc) : adopt(js, js_arg(args, 0), fd, addr.any.sa_family);
}

JS_NATIVE(udp_close)
{
    Udp *u = find(js, args);
    if (u) net_udp_close(&u->udp);
    return JS_UNDEFINED;
}

JS_NATIVE(udp_start)
{
    Udp *u = find(js, args);
    if (u) net_udp_start(&u->udp);
    return JS_UNDEFINED;
}

JS_NATIVE(udp_stop)
{
    Udp *u = find(js, args);
    if (u) net_udp_stop(&u->udp);
    return JS_UNDEFINED;
}

/* connect(id, ip, port) -> errno; ip undefined: no longer. */
JS_NATIVE(udp_connect)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    Udp *u = find(js, args);
    if (!u) return js_int(js, -EBADF);
    SysAddr addr = {.len = sizeof(sa_family_t)};
    addr.any.sa_family = AF_UNSPEC;
    Str ip;
    if (js_is_string(js, js_arg(args, 1))) {
        if (!js_to_str(js, s.arena, js_arg(args, 1), &ip)) return NULL;
        int rc = sys_addr_parse(ip, (u16)js_get_i32(js, js_arg(args, 2)), &addr);
        if (rc < 0) return js_int(js, rc);
    } else {
        addr.len = sizeof(struct sockaddr);
    }
    return js_int(js, sys_connect(u->udp.fd, &addr));
}

/* ---- Sending -------------------------------------------------------------------------------- */

static u32 gather(Js *js, Arena *a, JsVal list, struct iovec **ret)
{
    u32 n = 0;
    if (!js_is_array(js, list)) n = 1;
    if (!n && !js_array_len(js, list, &n)) return UINT32_MAX;
    struct iovec *iov = ARENA_ARRAY(a, struct iovec, n + 1);
    for (u32 i = 0; i < n; i++) {
        JsVal v = js_is_array(js, list) ? js_get_index(js, list, i) : list;
        Str bytes;
        if (!v || !sock_bytes(js, a, v, &bytes)) return UINT32_MAX;
        iov[i] = (struct iovec){(void *)(uintptr_t)bytes.p, bytes.n};
    }
    *ret = iov;
    return n;
}

/* send(id, bytes | [bytes], port, ip, callback) -> count, or errno; -EAGAIN: callback comes. */
JS_NATIVE(udp_send)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    Udp *u = find(js, args);
    if (!u) return js_int(js, -EBADF);
    SysAddr to;
    bool has_to = js_is_string(js, js_arg(args, 3));
    Str ip;
    if (has_to) {
        if (!js_to_str(js, s.arena, js_arg(args, 3), &ip)) return NULL;
        int rc = sys_addr_parse(ip, (u16)js_get_i32(js, js_arg(args, 2)), &to);
        if (rc < 0) return js_int(js, rc);
    }
    struct iovec *iov = NULL;
    u32 n = gather(js, s.arena, js_arg(args, 1), &iov);
    if (n == UINT32_MAX) return NULL;
    Waiting *w = NULL;
    if (js_is_function(js, js_arg(args, 4))) {
        w = MEM_NEW(Waiting);
        js_ref_set_strong(js, &w->callback, js_arg(args, 4));
    }
    i64 rc = net_udp_send(&u->udp, iov, n, has_to ? &to : NULL, w);
    if (rc != -EAGAIN && w) {
        js_ref_clear(js, &w->callback);
        mem_free(w);
    }
    return js_number(js, (f64)rc);
}

/* ---- Options -------------------------------------------------------------------------------- */

/* name(id, ofPeer) -> sock_addr or errno. */
JS_NATIVE(udp_name)
{
    Udp *u = find(js, args);
    if (!u) return js_int(js, -EBADF);
    SysAddr addr;
    int rc = js_truthy(js, js_arg(args, 1)) ? sys_peer_name(u->udp.fd, &addr)
                                            : sys_socket_name(u->udp.fd, &addr);
    return rc < 0 ? js_int(js, rc) : sock_addr(js, &addr);
}

JS_NATIVE(udp_ref)
{
    Udp *u = find(js, args);
    if (u && js_truthy(js, js_arg(args, 1)))
        loop_handle_ref(&u->udp.poll.handle);
    else if (u)
        loop_handle_unref(&u->udp.poll.handle);
    return JS_UNDEFINED;
}

JS_NATIVE(udp_fd)
{
    Udp *u = find(js, args);
    return js_int(js, u ? u->udp.fd : -1);
}

/* queue(id) -> [bytes, count] */
JS_NATIVE(udp_queue)
{
    Udp *u = find(js, args);
    JsVal at[] = {js_number(js, u ? (f64)u->udp.queued_size : 0),
                  js_int(js, u ? (i32)u->udp.n_queued : 0)};
    return js_array(js, at, 2);
}

/* buffer(id, isSend, size) -> the size, or errno; size 0 only asks. */
JS_NATIVE(udp_buffer)
{
    Udp *u = find(js, args);
    if (!u) return js_int(js, -EBADF);
    int name = js_truthy(js, js_arg(args, 1)) ? SO_SNDBUF : SO_RCVBUF, value = 0;
    i32 size = js_get_i32(js, js_arg(args, 2));
    int rc = size ? sys_sockopt_set(u->udp.fd, SOL_SOCKET, name, size) : 0;
    if (rc == 0) rc = sys_sockopt_get(u->udp.fd, SOL_SOCKET, name, &value);
    return js_int(js, rc < 0 ? rc : value);
}

/* option(id, NET_UDP_x, value) -> errno. */
JS_NATIVE(udp_option)
{
    Udp *u = find(js, args);
    if (!u) return js_int(js, -EBADF);
    NetUdpOption option = (NetUdpOption)js_get_i32(js, js_arg(args, 1));
    return js_int(js, net_udp_set_option(&u->udp, option, js_get_i32(js, js_arg(args, 2))));
}

static bool parse_arg(Js *js, JsArgs args, u32 i, SysAddr *ret, int *ret_rc)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    Str text;
    *ret_rc = -EINVAL;
    if (!js_is_string(js, js_arg(args, i))) return true;
    if (!js_to_str(js, s.arena, js_arg(args, i), &text)) return false;
    *ret_rc = sys_addr_parse(text, 0, ret);
    return true;
}

/* multicastInterface(id, ip) -> errno. */
JS_NATIVE(udp_interface)
{
    Udp *u = find(js, args);
    SysAddr addr;
    int rc;
    if (!u) return js_int(js, -EBADF);
    if (!parse_arg(js, args, 1, &addr, &rc)) return NULL;
    if (rc == 0 && addr.any.sa_family != u->family) rc = -EINVAL;
    return js_int(js, rc < 0 ? rc : net_udp_set_interface(&u->udp, &addr));
}

/* membership(id, group, interface | undefined, joins) -> errno. */
JS_NATIVE(udp_membership)
{
    Udp *u = find(js, args);
    SysAddr group, interface;
    int rc, interface_rc;
    if (!u) return js_int(js, -EBADF);
    if (!parse_arg(js, args, 1, &group, &rc)) return NULL;
    if (!parse_arg(js, args, 2, &interface, &interface_rc)) return NULL;
    if (rc == 0 && group.any.sa_family != u->family) rc = -EINVAL;
    if (rc < 0) return js_int(js, rc);
    bool has_interface = js_is_string(js, js_arg(args, 2)), joins = js_truthy(js, js_arg(args, 3));
    if (has_interface && interface_rc < 0) return js_int(js, interface_rc);
    return js_int(js, net_udp_join(&u->udp, &group, has_interface ? &interface : NULL, joins));
}

/* sourceMembership(id, source, group, interface | undefined, joins) -> errno. */
JS_NATIVE(udp_source)
{
    Udp *u = find(js, args);
    SysAddr source, group, interface;
    int rc[3];
    if (!u) return js_int(js, -EBADF);
    if (!parse_arg(js, args, 1, &source, &rc[0]) || !parse_arg(js, args, 2, &group, &rc[1]) ||
        !parse_arg(js, args, 3, &interface, &rc[2]))
        return NULL;
    if (rc[0] < 0 || rc[1] < 0) return js_int(js, -EINVAL);
    const SysAddr *on = rc[2] == 0 ? &interface : NULL;
    return js_int(
        js, net_udp_join_source(&u->udp, &source, &group, on, js_truthy(js, js_arg(args, 4))));
}

static const JsFn fns[] = {
    JS_FN("setDispatch", udp_set_dispatch),
    JS_FN("bind", udp_bind),
    JS_FN("open", udp_open),
    JS_FN("close", udp_close),
    JS_FN("start", udp_start),
    JS_FN("stop", udp_stop),
    JS_FN("connect", udp_connect),
    JS_FN("send", udp_send),
    JS_FN("name", udp_name),
    JS_FN("ref", udp_ref),
    JS_FN("fd", udp_fd),
    JS_FN("queue", udp_queue),
    JS_FN("buffer", udp_buffer),
    JS_FN("option", udp_option),
    JS_FN("multicastInterface", udp_interface),
    JS_FN("membership", udp_membership),
    JS_FN("sourceMembership", udp_source),
};
BUILTIN_NATIVE(node_dgram_binding, fns)
