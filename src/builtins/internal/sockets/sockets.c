/* internal/sockets/sockets.c -- native half of internal/sockets: connections and listeners. */
#include "builtins/internal/sockets/sockets.h"

#include "codec/utf.h"
#include "util/mem.h"

#include <string.h>

enum { IDX_BITS = 20 };

/* ---- Finding -------------------------------------------------------------------------------- */

VmNet *sock_net(Js *js)
{
    Vm *vm = vm_of(js);
    if (vm->net) return vm->net;
    vm->net = MEM_NEW(VmNet);
    vm->net->vm = vm;
    return vm->net;
}

Sock *sock_find(Js *js, JsArgs args)
{
    VmNet *net = vm_of(js)->net;
    JsVal v = js_arg(args, 0);
    if (!net || !js_is_number(js, v)) return NULL;
    u64 id = (u64)js_get_number(js, v);
    u32 i = (u32)id & (SOCKS_MAX - 1);
    Sock *s = i < net->n ? net->socks[i] : NULL;
    return s && s->id == id ? s : NULL;
}

JsVal sock_id(Js *js, const Sock *s)
{
    return js_number(js, (f64)s->id);
}

static void table_grow(VmNet *net)
{
    u32 cap = MAX(net->cap * 2, 16U);
    net->socks = mem_resize(net->socks, cap * sizeof(*net->socks));
    net->serials = mem_resize(net->serials, cap * sizeof(*net->serials));
    net->free = mem_resize(net->free, cap * sizeof(*net->free));
    memset(net->serials + net->cap, 0, (cap - net->cap) * sizeof(*net->serials));
    net->cap = cap;
}

static Sock *sock_alloc(Js *js, JsVal owner)
{
    VmNet *net = sock_net(js);
    if (!net->n_free && net->n == SOCKS_MAX) return NULL;
    if (!net->n_free && net->n == net->cap) table_grow(net);
    u32 i = net->n_free ? net->free[--net->n_free] : net->n++;
    Sock *s = MEM_NEW(Sock);
    s->net = net;
    s->id = (u64)++net->serials[i] << IDX_BITS | i;
    net->socks[i] = s;
    js_ref_set_strong(js, &s->owner, owner);
    return s;
}

static void sock_free(Sock *s)
{
    VmNet *net = s->net;
    u32 i = (u32)s->id & (SOCKS_MAX - 1);
    net->socks[i] = NULL;
    net->free[net->n_free++] = i;
    js_ref_clear(net->vm->js, &s->owner);
    mem_free(s->listener);
    mem_free(s);
}

/* ---- Events --------------------------------------------------------------------------------- */

JsVal sock_event(Sock *s, SockEvent event, JsVal value)
{
    VmNet *net = s->net;
    Js *js = net->vm->js;
    JsVal fn = js_ref_get(js, &net->dispatch), owner = js_ref_get(js, &s->owner);
    if (!fn || !owner) return NULL;
    JsVal result = js_call(js, fn, JS_UNDEFINED, JS_ARGS(owner, js_int(js, (i32)event), value));
    if (!result) vm_report_pending(net->vm);
    return result;
}

static void tell(NetStream *stream, SockEvent event, JsVal value)
{
    Sock *s = CONTAINER(Sock, stream, stream);
    (void)sock_event(s, event, value);
    if (!s->n_inside) vm_after_callback(s->net->vm);
}

static void on_open(NetStream *stream)
{
    tell(stream, SOCK_EVENT_OPEN, JS_UNDEFINED);
}

static void on_secure(NetStream *stream)
{
    tell(stream, SOCK_EVENT_SECURE, JS_UNDEFINED);
}

static void on_data(NetStream *stream, char *p, u32 n)
{
    Js *js = CONTAINER(Sock, stream, stream)->net->vm->js;
    tell(stream, SOCK_EVENT_DATA, js_u8array(js, p, n));
}

static void on_drain(NetStream *stream)
{
    tell(stream, SOCK_EVENT_DRAIN, JS_UNDEFINED);
}

static void on_end(NetStream *stream)
{
    tell(stream, SOCK_EVENT_END, JS_UNDEFINED);
}

static void on_finish(NetStream *stream)
{
    Sock *s = CONTAINER(Sock, stream, stream);
    if (s->n_inside)
        s->was_finished_inside = true;
    else
        tell(stream, SOCK_EVENT_FINISH, JS_UNDEFINED);
}

static void on_timeout(NetStream *stream)
{
    tell(stream, SOCK_EVENT_TIMEOUT, JS_UNDEFINED);
}

static void on_error(NetStream *stream, int rc)
{
    Js *js = CONTAINER(Sock, stream, stream)->net->vm->js;
    JsVal value = js_int(js, rc);
    if (rc == NET_ETLS && stream->tls) value = sock_tls_error(js, tls_conn_error(stream->tls));
    if (!value) {
        vm_report_pending(CONTAINER(Sock, stream, stream)->net->vm);
        return;
    }
    tell(stream, SOCK_EVENT_ERROR, value);
}

static void on_close(NetStream *stream)
{
    tell(stream, SOCK_EVENT_CLOSE, JS_UNDEFINED);
    sock_free(CONTAINER(Sock, stream, stream));
}

static const NetEvents events = {
    .on_open = on_open,
    .on_secure = on_secure,
    .on_data = on_data,
    .on_drain = on_drain,
    .on_end = on_end,
    .on_finish = on_finish,
    .on_timeout = on_timeout,
    .on_error = on_error,
    .on_close = on_close,
};

Sock *sock_new(Js *js, JsVal owner)
{
    Sock *s = sock_alloc(js, owner);
    if (s) net_stream_init(vm_of(js)->loop, &s->stream, &events);
    return s;
}

/* ---- Values --------------------------------------------------------------------------------- */

JsVal sock_addr(Js *js, const SysAddr *addr)
{
    AUTO(Scratch) scratch = scratch_begin(NULL);
    u16 family = addr->any.sa_family;
    const char *name = family == AF_INET ? "IPv4" : family == AF_INET6 ? "IPv6" : "";
    JsVal at[] = {js_str(js, sys_addr_text(scratch.arena, addr)), js_str(js, str_z(name)),
                  js_int(js, sys_addr_port(addr))};
    return js_array(js, at, COUNT(at));
}

JsVal sock_tls_error(Js *js, const TlsError *e)
{
    JsVal error = js_make_error(js, str_z(e->text));
    if (!error || !js_set(js, error, "code", js_str(js, str_z(e->code)))) return NULL;
    if (!e->library[0]) return error;
    bool is_set = js_set(js, error, "library", js_str(js, str_z(e->library))) &&
                  js_set(js, error, "reason", js_str(js, str_z(e->reason)));
    return is_set ? error : NULL;
}

bool sock_bytes(Js *js, Arena *a, JsVal v, Str *ret)
{
    JsBytes bytes;
    if (js_bytes(js, v, &bytes)) {
        *ret = (Str){(const char *)bytes.p, bytes.n};
        return true;
    }
    if (js_is_nullish(v)) {
        *ret = (Str){0};
        return true;
    }
    return js_to_str(js, a, v, ret);
}

/* A string or nothing. */
static bool text_arg(Js *js, Arena *a, JsArgs args, u32 i, Str *ret)
{
    *ret = (Str){0};
    return !js_is_string(js, js_arg(args, i)) || js_to_str(js, a, js_arg(args, i), ret);
}

static u32 u32_arg(Js *js, JsArgs args, u32 i)
{
    JsVal v = js_arg(args, i);
    return js_is_number(js, v) ? (u32)js_get_i32(js, v) : 0;
}

static JsVal errno_value(Js *js, int rc)
{
    if (rc == -ENAMETOOLONG) rc = -EINVAL; /* as libuv says it */
    return js_int(js, rc);
}

/* ---- Making them ---------------------------------------------------------------------------- */

JS_NATIVE(sockets_set_dispatch)
{
    VmNet *net = sock_net(js);
    js_ref_set_strong(js, &net->dispatch, js_arg(args, 0));
    return js_u32array_shared(js, net->state, COUNT(net->state));
}

/* A socket that is bound already, for an address to come from. */
static int bind_local(const SysAddr *to, Str host, u16 port)
{
    SysAddr addr;
    bool is_v6 = to->any.sa_family == AF_INET6;
    int rc = sys_addr_parse(host.n ? host : is_v6 ? S("::") : S("0.0.0.0"), port, &addr);
    if (rc < 0) return rc;
    int fd = sys_socket(addr.any.sa_family, SOCK_STREAM, 0);
    if (fd < 0) return fd;
    rc = sys_sockopt_set(fd, SOL_SOCKET, SO_REUSEADDR, 1);
    if (rc == 0) rc = sys_bind(fd, &addr);
    if (rc == 0) return fd;
    sys_close(fd);
    return rc;
}

/* connect(owner, ip, port, localAddress, localPort) -> id or errno. */
JS_NATIVE(sockets_connect)
{
    AUTO(Scratch) scratch = scratch_begin(NULL);
    Str ip, local;
    if (!text_arg(js, scratch.arena, args, 1, &ip)) return NULL;
    if (!text_arg(js, scratch.arena, args, 3, &local)) return NULL;
    SysAddr addr;
    u16 port = (u16)u32_arg(js, args, 2), local_port = (u16)u32_arg(js, args, 4);
    int rc = sys_addr_parse(ip, port, &addr);
    if (rc < 0) return errno_value(js, rc);
    NetTarget target = {.addrs = &addr, .n_addrs = 1};
    if (local.n || local_port) {
        rc = bind_local(&addr, local, local_port);
        if (rc < 0) return js_array(js, JS_ARGS(js_int(js, rc)).at, 1);
        target.has_fd = true;
        target.fd = rc;
    }
    Sock *s = sock_new(js, js_arg(args, 0));
    if (!s) return errno_value(js, -ENFILE);
    net_stream_connect(&s->stream, &target);
    return sock_id(js, s);
}

/* connectPath(owner, path) */
JS_NATIVE(sockets_connect_path)
{
    AUTO(Scratch) scratch = scratch_begin(NULL);
    Str path;
    if (!text_arg(js, scratch.arena, args, 1, &path)) return NULL;
    SysAddr addr;
    int rc = sys_addr_unix(path, &addr);
    if (rc < 0) return errno_value(js, rc);
    Sock *s = sock_new(js, js_arg(args, 0));
    if (!s) return errno_value(js, -ENFILE);
    net_stream_connect(&s->stream, &(NetTarget){.path = path});
    return sock_id(js, s);
}

/* connectHost(owner, host, port): the name is looked up, and all its addresses tried. */
JS_NATIVE(sockets_connect_host)
{
    AUTO(Scratch) scratch = scratch_begin(NULL);
    Str host;
    if (!text_arg(js, scratch.arena, args, 1, &host)) return NULL;
    Sock *s = sock_new(js, js_arg(args, 0));
    if (!s) return errno_value(js, -ENFILE);
    net_stream_connect(&s->stream, &(NetTarget){.host = host, .port = (u16)u32_arg(js, args, 2)});
    return sock_id(js, s);
}

/* open(owner, fd): takes it. */
JS_NATIVE(sockets_open)
{
    int fd = js_get_i32(js, js_arg(args, 1));
    int rc = sys_is_nonblock(fd);
    if (rc < 0) return errno_value(js, rc);
    SysAddr name;
    if (sys_socket_name(fd, &name) == 0) rc = sys_set_nonblock(fd, true);
    if (rc < 0) return errno_value(js, rc);
    Sock *s = sock_new(js, js_arg(args, 0));
    if (!s) return errno_value(js, -ENFILE);
    net_stream_open(&s->stream, fd);
    return sock_id(js, s);
}

/* ---- Listening ------------------------------------------------------------------------------ */

static void on_accept(NetListener *l, int fd)
{
    Sock *server = l->data;
    Js *js = server->net->vm->js;
    Sock *s = sock_new(js, JS_NULL);
    if (!s) {
        (void)loop_fd_close(l->loop, fd);
        return;
    }
    net_stream_open(&s->stream, fd);
    u64 id = s->id;
    (void)sock_event(server, SOCK_EVENT_CONNECTION, sock_id(js, s));
    /* Nobody took it. */
    Sock *now = server->net->socks[(u32)id & (SOCKS_MAX - 1)];
    if (now == s && s->id == id && js_is_null(js_ref_get(js, &s->owner)))
        net_stream_close(&s->stream);
    vm_after_callback(server->net->vm);
}

static void on_listener_close(NetListener *l)
{
    Sock *s = l->data;
    Vm *vm = s->net->vm;
    (void)sock_event(s, SOCK_EVENT_CLOSE, JS_UNDEFINED);
    sock_free(s);
    vm_after_callback(vm);
}

static Sock *listener_new(Js *js, JsVal owner)
{
    Sock *s = sock_alloc(js, owner);
    if (!s) return NULL;
    s->listener = MEM_NEW(NetListener);
    s->listener->on_accept = on_accept;
    s->listener->on_close = on_listener_close;
    s->listener->data = s;
    return s;
}

enum {
    LISTEN_IPV6_ONLY = 1,
    LISTEN_REUSE_PORT = 2,
    LISTEN_READABLE = 4,
    LISTEN_WRITABLE = 8,
    LISTEN_PAUSED = 16
};

/* listen(owner, ip, port, path, backlog, flags) -> id or errno. */
JS_NATIVE(sockets_listen)
{
    AUTO(Scratch) scratch = scratch_begin(NULL);
    NetListenOptions o = {.port = (u16)u32_arg(js, args, 2), .backlog = u32_arg(js, args, 4)};
    if (!text_arg(js, scratch.arena, args, 1, &o.host)) return NULL;
    if (!text_arg(js, scratch.arena, args, 3, &o.path)) return NULL;
    u32 flags = u32_arg(js, args, 5);
    o.ipv6_only = flags & LISTEN_IPV6_ONLY;
    o.reuse_port = flags & LISTEN_REUSE_PORT;
    o.readable_all = flags & LISTEN_READABLE;
    o.writable_all = flags & LISTEN_WRITABLE;
    o.is_paused = flags & LISTEN_PAUSED;
    Sock *s = listener_new(js, js_arg(args, 0));
    if (!s) return errno_value(js, -ENFILE);
    int rc = net_listen(vm_of(js)->loop, s->listener, &o);
    if (rc == 0) return sock_id(js, s);
    sock_free(s);
    return errno_value(js, rc);
}

/* listenFd(owner, fd, backlog, flags): takes it when it succeeds; of the flags LISTEN_PAUSED. */
JS_NATIVE(sockets_listen_fd)
{
    Sock *s = listener_new(js, js_arg(args, 0));
    if (!s) return errno_value(js, -ENFILE);
    int fd = js_get_i32(js, js_arg(args, 1));
    int rc = sys_set_nonblock(fd, true);
    bool is_paused = u32_arg(js, args, 3) & LISTEN_PAUSED;
    u32 backlog = u32_arg(js, args, 2);
    if (rc == 0) rc = net_listen_fd(vm_of(js)->loop, s->listener, fd, backlog, is_paused);
    if (rc == 0) return sock_id(js, s);
    sock_free(s);
    return errno_value(js, rc);
}

/* setOwner(id, owner): who gets the events from now on. */
JS_NATIVE(sockets_set_owner)
{
    Sock *s = sock_find(js, args);
    if (s) js_ref_set_strong(js, &s->owner, js_arg(args, 1));
    return JS_UNDEFINED;
}

/* ---- Bytes ---------------------------------------------------------------------------------- */

static Sock *find_stream(Js *js, JsArgs args)
{
    Sock *s = sock_find(js, args);
    return s && !s->listener ? s : NULL;
}

JS_NATIVE(sockets_start)
{
    Sock *s = find_stream(js, args);
    if (!s) return JS_UNDEFINED;
    s->n_inside++;
    net_stream_start(&s->stream);
    s->n_inside--;
    return JS_UNDEFINED;
}

JS_NATIVE(sockets_stop)
{
    Sock *s = find_stream(js, args);
    if (s) net_stream_stop(&s->stream);
    return JS_UNDEFINED;
}

static JsVal write_bytes(Js *js, Sock *s, Str bytes)
{
    s->n_inside++;
    bool has_room = net_stream_write(&s->stream, bytes.p, bytes.n);
    s->n_inside--;
    s->net->state[0] = !has_room;
    return js_number(js, (f64)bytes.n);
}

/* write(id, bytes | string, isLatin1) -> bytes queued.  state[0] says whether to wait for DRAIN. */
JS_NATIVE(sockets_write)
{
    Sock *s = find_stream(js, args);
    sock_net(js)->state[0] = 0;
    if (!s) return js_int(js, 0);
    AUTO(Scratch) scratch = scratch_begin(NULL);
    JsVal v = js_arg(args, 1);
    JsChars chars;
    if (js_is_string(js, v) && js_truthy(js, js_arg(args, 2))) {
        if (!js_chars(js, v, &chars)) return NULL;
        if (chars.is_latin1)
            return write_bytes(js, s, (Str){(const char *)chars.latin1, chars.len});
        char *p = arena_alloc_dirty(scratch.arena, chars.len, 1);
        for (usize i = 0; i < chars.len; i++) p[i] = (char)(u8)chars.utf16[i];
        return write_bytes(js, s, (Str){p, chars.len});
    }
    Str bytes;
    if (!sock_bytes(js, scratch.arena, v, &bytes)) return NULL;
    return write_bytes(js, s, bytes);
}

/* try(id, bytes | string, offset, length) -> how many were taken, or errno. */
JS_NATIVE(sockets_try)
{
    Sock *s = find_stream(js, args);
    if (!s) return js_int(js, -EPIPE);
    AUTO(Scratch) scratch = scratch_begin(NULL);
    Str bytes;
    if (!sock_bytes(js, scratch.arena, js_arg(args, 1), &bytes)) return NULL;
    if (js_is_number(js, js_arg(args, 2))) {
        usize at = (usize)MAX(js_get_i64(js, js_arg(args, 2)), 0);
        bytes = str_slice(bytes, at, at + (usize)MAX(js_get_i64(js, js_arg(args, 3)), 0));
    }
    s->n_inside++;
    i64 n = net_stream_try(&s->stream, bytes.p, bytes.n);
    s->n_inside--;
    return js_number(js, (f64)n);
}

/* end(id): true when the other side was told already; else FINISH comes. */
JS_NATIVE(sockets_end)
{
    Sock *s = find_stream(js, args);
    if (!s) return JS_TRUE;
    s->n_inside++;
    net_stream_end(&s->stream);
    s->n_inside--;
    bool is_done = s->was_finished_inside;
    s->was_finished_inside = false;
    return js_boolean(is_done);
}

JS_NATIVE(sockets_close)
{
    Sock *s = sock_find(js, args);
    if (!s) return JS_FALSE;
    if (s->listener)
        net_listener_close(s->listener);
    else
        net_stream_close(&s->stream);
    return JS_TRUE;
}

JS_NATIVE(sockets_reset)
{
    Sock *s = find_stream(js, args);
    if (!s) return js_int(js, -EBADF);
    net_stream_reset(&s->stream);
    return js_int(js, 0);
}

/* Bytes that wait to be written. */
JS_NATIVE(sockets_queued)
{
    Sock *s = find_stream(js, args);
    return js_number(js, s ? (f64)s->stream.queued : 0);
}

/* ---- Options -------------------------------------------------------------------------------- */

JS_NATIVE(sockets_ref)
{
    Sock *s = sock_find(js, args);
    if (!s) return JS_UNDEFINED;
    if (s->listener)
        net_listener_ref(s->listener);
    else
        net_stream_ref(&s->stream);
    return JS_UNDEFINED;
}

JS_NATIVE(sockets_unref)
{
    Sock *s = sock_find(js, args);
    if (!s) return JS_UNDEFINED;
    if (s->listener)
        net_listener_unref(s->listener);
    else
        net_stream_unref(&s->stream);
    return JS_UNDEFINED;
}

JS_NATIVE(sockets_nodelay)
{
    Sock *s = find_stream(js, args);
    if (!s) return js_int(js, -EBADF);
    return js_int(js, net_stream_set_nodelay(&s->stream, js_truthy(js, js_arg(args, 1))));
}

JS_NATIVE(sockets_keepalive)
{
    Sock *s = find_stream(js, args);
    if (!s) return js_int(js, -EBADF);
    bool on = js_truthy(js, js_arg(args, 1));
    return js_int(js, net_stream_set_keepalive(&s->stream, on, u32_arg(js, args, 2)));
}

/* tos(id[, value]) -> value or errno. */
JS_NATIVE(sockets_tos)
{
    Sock *s = find_stream(js, args);
    if (!s) return js_int(js, -EBADF);
    bool is_set = js_is_number(js, js_arg(args, 1));
    return js_int(js, net_stream_tos(&s->stream, is_set ? (int)u32_arg(js, args, 1) : -1));
}

JS_NATIVE(sockets_timeout)
{
    Sock *s = find_stream(js, args);
    if (s) net_stream_set_timeout(&s->stream, u32_arg(js, args, 1));
    return JS_UNDEFINED;
}

JS_NATIVE(sockets_fd)
{
    Sock *s = sock_find(js, args);
    if (s && s->listener) s->listener->is_shared = true; /* whoever asks may pass it on */
    return js_int(js, !s ? -1 : s->listener ? s->listener->fd : s->stream.fd);
}

/* local(id) -> sock_addr or errno. */
JS_NATIVE(sockets_local)
{
    Sock *s = sock_find(js, args);
    SysAddr addr;
    int fd = !s ? -1 : s->listener ? s->listener->fd : s->stream.fd;
    int rc = fd < 0 ? -EBADF : sys_socket_name(fd, &addr);
    return rc < 0 ? js_int(js, rc) : sock_addr(js, &addr);
}

JS_NATIVE(sockets_peer)
{
    Sock *s = find_stream(js, args);
    SysAddr addr;
    int rc = s ? net_stream_peer_addr(&s->stream, &addr) : -EBADF;
    return rc < 0 ? js_int(js, rc) : sock_addr(js, &addr);
}

JS_NATIVE(sockets_pause_accept)
{
    Sock *s = sock_find(js, args);
    if (!s || !s->listener) return JS_UNDEFINED;
    if (js_truthy(js, js_arg(args, 1)))
        net_listener_pause(s->listener);
    else
        net_listener_resume(s->listener);
    return JS_UNDEFINED;
}

/* parseIp(text) -> 0, 4 or 6. */
JS_NATIVE(sockets_parse_ip)
{
    AUTO(Scratch) scratch = scratch_begin(NULL);
    Str text;
    SysAddr addr;
    if (!text_arg(js, scratch.arena, args, 0, &text)) return NULL;
    if (sys_addr_parse(text, 0, &addr) < 0) return js_int(js, 0);
    return js_int(js, addr.any.sa_family == AF_INET ? 4 : 6);
}

static const JsFn fns[] = {
    JS_FN("setDispatch", sockets_set_dispatch),
    JS_FN("connect", sockets_connect),
    JS_FN("connectPath", sockets_connect_path),
    JS_FN("connectHost", sockets_connect_host),
    JS_FN("open", sockets_open),
    JS_FN("listen", sockets_listen),
    JS_FN("listenFd", sockets_listen_fd),
    JS_FN("setOwner", sockets_set_owner),
    JS_FN("start", sockets_start),
    JS_FN("stop", sockets_stop),
    JS_FN("write", sockets_write),
    JS_FN("tryWrite", sockets_try),
    JS_FN("end", sockets_end),
    JS_FN("close", sockets_close),
    JS_FN("reset", sockets_reset),
    JS_FN("queued", sockets_queued),
    JS_FN("ref", sockets_ref),
    JS_FN("unref", sockets_unref),
    JS_FN("nodelay", sockets_nodelay),
    JS_FN("keepalive", sockets_keepalive),
    JS_FN("tos", sockets_tos),
    JS_FN("timeout", sockets_timeout),
    JS_FN("fd", sockets_fd),
    JS_FN("local", sockets_local),
    JS_FN("peer", sockets_peer),
    JS_FN("pauseAccept", sockets_pause_accept),
    JS_FN("parseIp", sockets_parse_ip),
};
BUILTIN_NATIVE(internal_sockets, fns)
