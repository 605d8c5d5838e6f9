/* internal/http_host/http_host.c -- native half of internal/http_host: servers and requests.
 *
 * JavaScript names a server by a small integer (sid) and a request by a number that is never used
 * twice: 20 bits of the connection's index and 32 of its serial.  A call for a request that is over
 * does nothing and says so. */
#include "builtins/internal/http_host/http_host.h"
#include "builtins/builtins.h"
#include "builtins/node/tls/tls.h"
#include "codec/utf.h"
#include "net/net.h"
#include "util/mem.h"

#include <string.h>

/* ---- Finding -----------------------------------------------------------------------------------
 */

static Host *find_host(Js *js, JsVal sid)
{
    struct VmHttp *http = vm_of(js)->http;
    i32 i;
    if (!http || !js_peek_i32(sid, &i) || i < 0 || (u32)i >= http->n_hosts) return NULL;
    return http->hosts[i];
}

Host *host_find(Js *js, JsArgs args)
{
    return find_host(js, js_arg(args, 0));
}

HttpConn *host_conn(Js *js, JsArgs args)
{
    Host *host = find_host(js, js_arg(args, 0));
    if (!host) return NULL;
    u64 id = (u64)js_get_number(js, js_arg(args, 1));
    HttpConn *c = http_server_find(&host->server, (u32)id & ((1 << HOST_IDX_BITS) - 1),
                                   (u32)(id >> HOST_IDX_BITS));
    return c && c->state != HTTP_CONN_CLOSED ? c : NULL;
}

JsVal host_id(Js *js, const HttpConn *c)
{
    return js_number(js, (f64)((u64)c->serial << HOST_IDX_BITS | c->idx));
}

void host_event(HttpConn *c, HostEvent event, JsVal value)
{
    Host *host = c->server->data;
    Js *js = host->vm->js;
    vm_call(host->vm, js_ref_get(js, &host->on_event),
            JS_ARGS(host_id(js, c), js_int(js, (i32)event), value));
    vm_after_callback(host->vm);
}

JsVal host_life(Js *js, const HttpConn *c)
{
    return js_number(js, (f64)((u64)c->life << HOST_IDX_BITS | c->idx));
}

HttpConn *host_conn_by_life(Js *js, JsArgs args)
{
    Host *host = find_host(js, js_arg(args, 0));
    if (!host) return NULL;
    u64 id = (u64)js_get_number(js, js_arg(args, 1));
    u32 idx = (u32)id & ((1 << HOST_IDX_BITS) - 1);
    HttpConn *c = idx < host->server.table_len ? host->server.table[idx] : NULL;
    return c && c->life == (u32)(id >> HOST_IDX_BITS) ? c : NULL;
}

static void life_event(HttpConn *c, HostEvent event, JsVal value)
{
    Host *host = c->server->data;
    Js *js = host->vm->js;
    vm_call(host->vm, js_ref_get(js, &host->on_event),
            JS_ARGS(host_life(js, c), js_int(js, (i32)event), value));
    vm_after_callback(host->vm);
}

JsVal host_set_timeout(Js *js, HttpConn *c, JsVal ms)
{
    if (c) http_conn_set_timeout(c, (u32)js_get_i64(js, ms));
    return js_boolean(c != NULL);
}

JsVal host_set_paused(Js *js, HttpConn *c, JsVal on)
{
    if (!c) return JS_FALSE;
    if (js_truthy(js, on))
        http_conn_pause(c);
    else
        http_conn_resume(c);
    return JS_TRUE;
}

JsVal host_wrote(Js *js, HttpConn *c)
{
    if (!c->is_inside) http_conn_flush(c);
    return js_number(js, http_conn_is_full(c) ? (f64)http_conn_queued(c) : 0);
}

HostBody *host_body(HttpConn *c)
{
    if (!c->data) c->data = MEM_NEW(HostBody);
    return c->data;
}

static void drop_body(HttpConn *c)
{
    HostBody *b = c->data;
    if (!b) return;
    Buf_deinit(&b->data);
    host_ws_free(b->ws);
    mem_free(b);
    c->data = NULL;
}

/* ---- Events of the server ----------------------------------------------------------------------
 */

static void on_request(HttpConn *c, const HttpHead *h, Str head)
{
    Host *host = c->server->data;
    Js *js = host->vm->js;
    if (UNLIKELY(c->data)) drop_body(c);
    /* Empty lines in front are of no interest. */
    usize skip = h->text - http_method_text((HttpMethod)h->method).n - 1;
    Str body;
    i32 info = h->method | (h->minor ? 64 : 0) | (c->state == HTTP_CONN_BODY ? 128 : 0) |
               (c->is_upgrade ? 256 : 0) | (http_conn_peek_body(c, &body) ? 512 : 0) |
               (c->expects ? 4096 : 0) | (h->is_chunked ? 2048 : 0) | (c->keeps_alive ? 1024 : 0);
    if (!c->expects && http_head_find(h, HTTP_FIELD_EXPECT) >= 0) info |= 8192;
    if (h->minor && !h->n_host) info |= 16384;
    i32 at = http_head_find(h, HTTP_FIELD_HOST);
    host->authority.len = at < 0 ? 0 : h->fields[at].value_len;
    host->authority.start = at < 0 ? 0 : h->fields[at].value - (u32)skip;
    host->authority.idx = c->idx;
    host->authority.serial = c->serial;
    JsVal raw = js_str_latin1(js, (const u8 *)head.p + skip, head.n - skip);
    vm_call(host->vm, js_ref_get(js, &host->on_request),
            JS_ARGS(host_id(js, c), raw, js_int(js, info), js_int(js, (i32)h->text_len)));
    vm_after_callback(host->vm);
}

static void on_body(HttpConn *c, Str data)
{
    HostBody *b = host_body(c);
    buf_push(&b->data, data);
    if (!b->is_wanted && b->data.len >= HOST_BODY_HIGH) http_conn_pause(c);
    if (!b->is_waited) return;
    b->is_waited = false;
    host_event(c, HOST_EVENT_BODY, JS_UNDEFINED);
}

static void on_body_end(HttpConn *c)
{
    HostBody *b = host_body(c);
    b->is_done = true;
    if (!b->is_waited && !b->is_wanted) return;
    b->is_waited = b->is_wanted = false;
    host_event(c, HOST_EVENT_BODY, JS_UNDEFINED);
}

static void on_abort(HttpConn *c, int rc)
{
    Host *host = c->server->data;
    host_event(c, HOST_EVENT_ABORT, js_int(host->vm->js, rc));
}

static void on_raw(HttpConn *c, Str data)
{
    Host *host = c->server->data;
    Js *js = host->vm->js;
    HostBody *b = c->data;
    if (b && b->ws) {
        host_ws_receive(c, data);
        return;
    }
    life_event(c, HOST_EVENT_RAW, data.p ? js_u8array(js, data.p, data.n) : JS_NULL);
}

static bool on_bad(HttpConn *c, int rc, Str bytes)
{
    Host *host = c->server->data;
    if (!host->wants_bad) return false;
    Js *js = host->vm->js;
    JsVal at[2] = {js_int(js, rc), js_u8array(js, bytes.p, bytes.n)};
    JsVal value = js_array(js, at, 2);
    life_event(c, HOST_EVENT_BAD, value);
    return true;
}

static void on_drain(HttpConn *c)
{
    if (c->is_watched) life_event(c, HOST_EVENT_DRAIN, JS_UNDEFINED);
    if (c->state == HTTP_CONN_CLOSED) return;
    host_event(c, HOST_EVENT_DRAIN, JS_UNDEFINED);
}

static bool on_timeout(HttpConn *c)
{
    Host *host = c->server->data;
    HostBody *b = c->data;
    if (b && b->ws) return host_ws_timeout(c);
    if (!host->wants_timeout) return false;
    life_event(c, HOST_EVENT_TIMEOUT, host_id(host->vm->js, c));
    return true;
}

static void on_connect(HttpConn *c)
{
    Host *host = c->server->data;
    if (host->wants_connect) life_event(c, HOST_EVENT_CONNECT, JS_UNDEFINED);
}

static void on_ahead(HttpConn *c)
{
    life_event(c, HOST_EVENT_AHEAD, JS_UNDEFINED);
}

static void on_close(HttpConn *c)
{
    HostBody *b = c->data;
    if (b && b->ws) host_ws_gone(c);
    if (c->is_watched) life_event(c, HOST_EVENT_CLOSE, JS_UNDEFINED);
    drop_body(c);
}

static void on_stopped(HttpServer *s)
{
    Host *host = s->data;
    Vm *vm = host->vm;
    Js *js = vm->js;
    vm->http->hosts[host->sid] = NULL;
    vm_call(vm, js_ref_get(js, &host->on_event),
            JS_ARGS(js_int(js, -1), js_int(js, HOST_EVENT_STOPPED), JS_UNDEFINED));
    js_ref_clear(js, &host->on_request);
    js_ref_clear(js, &host->on_event);
    http_server_deinit(s);
    mem_free(host);
}

static const HttpServerEvents events = {
    .on_connect = on_connect,
    .on_request = on_request,
    .on_body = on_body,
    .on_body_end = on_body_end,
    .on_abort = on_abort,
    .on_raw = on_raw,
    .on_bad = on_bad,
    .on_ahead = on_ahead,
    .on_drain = on_drain,
    .on_timeout = on_timeout,
    .on_close = on_close,
    .on_stopped = on_stopped,
};

/* ---- Servers -----------------------------------------------------------------------------------
 */

static u32 add_host(Vm *vm, Host *host)
{
    if (!vm->http) vm->http = MEM_NEW(struct VmHttp);
    struct VmHttp *http = vm->http;
    for (u32 i = 0; i < http->n_hosts; i++) {
        if (http->hosts[i]) continue;
        http->hosts[i] = host;
        return i;
    }
    ASSERT(http->n_hosts < HOST_SERVERS_MAX);
    if (http->n_hosts == http->cap) {
        http->cap = http->cap ? http->cap * 2 : 4;
        http->hosts = mem_resize(http->hosts, http->cap * sizeof *http->hosts);
    }
    http->hosts[http->n_hosts] = host;
    return http->n_hosts++;
}

/* open(onRequest, onEvent) -> sid */
JS_NATIVE(host_open)
{
    Vm *vm = vm_of(js);
    Host *host = MEM_NEW(Host);
    sys_mem_keep(HOST_MEM_KEPT);
    host->vm = vm;
    http_server_init(&host->server, vm->loop, &events);
    host->server.data = host;
    js_ref_set_strong(js, &host->on_request, js_arg(args, 0));
    js_ref_set_strong(js, &host->on_event, js_arg(args, 1));
    host->sid = add_host(vm, host);
    return js_int(js, (i32)host->sid);
}

/* setHandlers(sid, onRequest) */
JS_NATIVE(host_set_handler)
{
    Host *host = host_find(js, args);
    if (host) js_ref_set_strong(js, &host->on_request, js_arg(args, 1));
    return JS_UNDEFINED;
}

enum {
    OPT_IDLE,
    OPT_HEAD_MS,
    OPT_BUSY,
    OPT_REQUEST,
    OPT_BODY_MAX,
    OPT_HEAD_SIZE,
    OPT_FIELDS,
    OPT_LENIENT,
    OPT_HOST,
    OPT_NO_DATE,
    OPT_EXPECT,
    OPT_HALF_OPEN,
    OPT_CONNECT,
    OPT_BAD,
    OPT_TIMEOUT,
    OPT_H2,
    OPT_NO_H1,
    OPT_FROM_CONNECT,
    OPT_AHEAD,
};

/* set(sid, option, number) */
JS_NATIVE(host_set)
{
    Host *host = host_find(js, args);
    if (!host) return JS_UNDEFINED;
    HttpServerOptions *o = &host->server.options;
    f64 n = js_get_number(js, js_arg(args, 2));
    u32 u = n <= 0 ? 0 : n >= UINT32_MAX ? UINT32_MAX : (u32)n;
    switch (js_get_i32(js, js_arg(args, 1))) {
    case OPT_IDLE: o->idle_ms = u; break;
    case OPT_HEAD_MS: o->head_ms = u; break;
    case OPT_BUSY: o->busy_ms = u; break;
    case OPT_REQUEST: o->request_ms = u; break;
    case OPT_BODY_MAX: o->body_max = n >= 1e15 ? 0 : (u64)n; break;
    case OPT_HEAD_SIZE: o->head_size_max = host->server.head.size_max = u; break;
    case OPT_FIELDS: o->fields_max = host->server.head.fields_max = u; break;
    case OPT_LENIENT: o->is_lenient = host->server.head.is_lenient = u; break;
    case OPT_HOST: o->needs_host = u; break;
    case OPT_NO_DATE: o->no_date = u; break;
    case OPT_EXPECT: o->asks_expect = u; break;
    case OPT_HALF_OPEN: o->is_half_open = u; break;
    case OPT_CONNECT: host->wants_connect = u; break;
    case OPT_BAD: host->wants_bad = u; break;
    case OPT_TIMEOUT: host->wants_timeout = u; break;
    case OPT_H2: o->has_h2 = u; break;
    case OPT_NO_H1: o->no_h1 = u; break;
    case OPT_FROM_CONNECT: o->times_connect = u; break;
    case OPT_AHEAD: o->hands_over = u; break;
    default: BUG("no such option");
    }
    return JS_UNDEFINED;
}

/* A name becomes the first of its addresses; this waits for the answer.  0 or an error. */
static int resolve_host(Arena *a, Str *host)
{
    SysAddr addr;
    if (sys_addr_parse(*host, 0, &addr) == 0) return 0;
    if (memchr(host->p, 0, host->n)) return -EINVAL;
    int n = sys_host_addrs(str_dup_z(a, *host), AF_UNSPEC, 0, &addr, 1);
    if (n < 1) return n < 0 ? n : -EADDRNOTAVAIL;
    *host = sys_addr_text(a, &addr);
    return 0;
}

enum { LISTEN_REUSE_PORT = 1, LISTEN_IPV6_ONLY = 2 };

/* listen(sid, address, port, flags, backlog) -> port or -errno.  A port of -1: address is a path.
 */
JS_NATIVE(host_listen)
{
    Host *host = host_find(js, args);
    JS_EXPECT(js, host);
    AUTO(Scratch) s = scratch_begin(NULL);
    Str address;
    if (!js_to_str(js, s.arena, js_arg(args, 1), &address)) return NULL;
    i32 port = js_get_i32(js, js_arg(args, 2));
    u32 flags = (u32)js_get_i32(js, js_arg(args, 3));
    NetListenOptions o = {.reuse_port = flags & LISTEN_REUSE_PORT,
                          .ipv6_only = flags & LISTEN_IPV6_ONLY};
    if (port < 0)
        o.path = address;
    else
        o.port = (u16)port;
    if (port >= 0 && !str_eq(address, S("::"))) o.host = address;
    SysAddr addr;
    int fd = o.host.n ? resolve_host(s.arena, &o.host) : 0;
    if (fd == 0) fd = net_bind(&o);
    if (fd < 0) return js_int(js, fd);
    int rc = http_server_listen(&host->server, fd, js_get_i32(js, js_arg(args, 4)));
    if (rc >= 0 && port >= 0) rc = sys_socket_name(fd, &addr);
    if (rc < 0) {
        if (!host->server.is_listening) (void)sys_close(fd);
        return js_int(js, rc);
    }
    return js_int(js, port < 0 ? 0 : sys_addr_port(&addr));
}

enum { TLS_ASKS_CERT = 1, TLS_NEEDS_CERT = 2 };

/* setTls(sid, context, flags): for new connections */
JS_NATIVE(host_set_tls)
{
    Host *host = host_find(js, args);
    TlsContext *ctx = js_unwrap(js, js_arg(args, 1), &tls_context_class);
    i32 flags = js_get_i32(js, js_arg(args, 2));
    if (host && ctx)
        http_server_set_tls(&host->server, ctx, flags & TLS_ASKS_CERT, flags & TLS_NEEDS_CERT);
    return JS_UNDEFINED;
}

/* addTlsName(context, name, other): clients that ask for the name get the other one */
JS_NATIVE(host_add_tls_name)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    TlsContext *ctx = js_unwrap(js, js_arg(args, 0), &tls_context_class);
    TlsContext *other = js_unwrap(js, js_arg(args, 2), &tls_context_class);
    Str name;
    if (!js_to_str(js, s.arena, js_arg(args, 1), &name)) return NULL;
    if (ctx && other && ctx != other) tls_context_add_name(ctx, name, other);
    return JS_UNDEFINED;
}

/* stop(sid, now) */
JS_NATIVE(host_stop)
{
    Host *host = host_find(js, args);
    if (host) http_server_stop(&host->server, js_truthy(js, js_arg(args, 1)));
    return JS_UNDEFINED;
}

JS_NATIVE(host_close_idle)
{
    Host *host = host_find(js, args);
    if (host) http_server_close_idle(&host->server);
    return JS_UNDEFINED;
}

JS_NATIVE(host_close_all)
{
    Host *host = host_find(js, args);
    if (host) http_server_close_all(&host->server);
    return JS_UNDEFINED;
}

/* listenFd(sid, fd): a socket of somebody else that listens already; it is duplicated */
JS_NATIVE(host_listen_fd)
{
    Host *host = host_find(js, args);
    JS_EXPECT(js, host);
    int fd = sys_dup(js_get_i32(js, js_arg(args, 1)), 0);
    int rc = fd < 0 ? fd : http_server_listen(&host->server, fd, 511);
    if (rc < 0 && fd >= 0) (void)sys_close(fd);
    return js_int(js, rc);
}

/* life(sid, id) -> the number of the connection, or undefined */
JS_NATIVE(host_life_of)
{
    HttpConn *c = host_conn(js, args);
    return c ? host_life(js, c) : JS_UNDEFINED;
}

/* ref(sid, on) */
JS_NATIVE(host_ref)
{
    Host *host = host_find(js, args);
    if (host) http_server_ref(&host->server, js_truthy(js, js_arg(args, 1)));
    return JS_UNDEFINED;
}

/* counts(sid) -> connections * 2^24 + requests under way */
JS_NATIVE(host_counts)
{
    Host *host = host_find(js, args);
    if (!host) return js_int(js, 0);
    return js_number(js, (f64)host->server.n_conns * 16777216.0 + host->server.n_busy);
}

JsVal host_address_of(Js *js, const SysAddr *addr)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    JsVal at[3] = {js_str(js, sys_addr_text(s.arena, addr)), js_int(js, sys_addr_port(addr)),
                   js_int(js, addr->any.sa_family == AF_INET6  ? 6
                              : addr->any.sa_family == AF_INET ? 4
                                                               : 0)};
    return js_array(js, at, 3);
}

/* address(sid) -> [text, port, 4 | 6 | 0] or undefined */
JS_NATIVE(host_address)
{
    Host *host = host_find(js, args);
    SysAddr addr;
    if (!host || host->server.fd < 0 || sys_socket_name(host->server.fd, &addr) < 0)
        return JS_UNDEFINED;
    return host_address_of(js, &addr);
}

/* peer(sid, id, isLocal) -> the same */
JS_NATIVE(host_peer)
{
    HttpConn *c = host_conn(js, args);
    SysAddr addr;
    if (!c) return JS_UNDEFINED;
    bool is_local = js_truthy(js, js_arg(args, 2));
    int rc = is_local ? sys_socket_name(c->fd, &addr) : sys_peer_name(c->fd, &addr);
    return rc < 0 ? JS_UNDEFINED : host_address_of(js, &addr);
}

/* ---- Bodies of requests ------------------------------------------------------------------------
 */

static void free_buf(void *p, void *data)
{
    (void)data;
    mem_free(p);
}

/* What has been received, as bytes; the buffer is empty then. */
static JsVal take_bytes(Js *js, HostBody *b)
{
    Buf data = TAKE(b->data);
    if (!data.len) {
        Buf_deinit(&data);
        return js_u8array(js, "", 0);
    }
    js_report_memory(js, (i64)data.cap);
    return js_u8array_take(js, data.p, data.len, free_buf, NULL);
}

static JsVal utf8_text(Js *js, Str s)
{
    if (s.n >= 3 && memcmp(s.p, "\xef\xbb\xbf", 3) == 0) s = str_skip(s, 3);
    return js_str(js, s);
}

/* readAll(sid, id, asText): the body if all of it is there, else undefined, and HOST_EVENT_BODY
 * comes when it is; null when the request is over. */
JS_NATIVE(host_read_all)
{
    HttpConn *c = host_conn(js, args);
    if (!c || c->is_aborted) return JS_NULL;
    bool is_text = js_truthy(js, js_arg(args, 2));
    Str now;
    HostBody *b = c->data;
    if (!b && http_conn_peek_body(c, &now)) {
        JsVal v = is_text ? utf8_text(js, now) : js_u8array(js, now.p, now.n);
        http_conn_take_body(c);
        return v;
    }
    if (c->expects) http_conn_continue(c);
    b = host_body(c);
    if (!b->is_done && c->state == HTTP_CONN_BODY) {
        b->is_wanted = true;
        http_conn_resume(c);
        return JS_UNDEFINED;
    }
    if (!is_text) return take_bytes(js, b);
    JsVal v = utf8_text(js, buf_str(&b->data));
    Buf_deinit(&b->data);
    b->data = (Buf){0};
    return v;
}

/* read(sid, id): the bytes that are there; undefined when there are none yet, and HOST_EVENT_BODY
 * comes; null at the end. */
JS_NATIVE(host_read)
{
    HttpConn *c = host_conn(js, args);
    if (!c || c->is_aborted) return JS_NULL;
    if (c->expects) http_conn_continue(c);
    HostBody *b = host_body(c);
    bool is_over = b->is_done || c->state != HTTP_CONN_BODY;
    if (b->data.len) {
        JsVal v = take_bytes(js, b);
        if (!is_over) http_conn_resume(c);
        return v;
    }
    if (is_over) return JS_NULL;
    b->is_waited = true;
    http_conn_resume(c);
    return JS_UNDEFINED;
}

/* trailers(sid, id) -> flat list of names as they came and values */
JS_NATIVE(host_trailers)
{
    HttpConn *c = host_conn(js, args);
    HttpHead h = {0};
    JsVal list = js_array(js, NULL, 0);
    if (!c || http_body_trailer(&c->body, &h) < 0) goto out;
    Str text = buf_str(&c->body.trailer);
    for (u32 i = 0; i < h.n_fields && list; i++) {
        Str name = http_field_name(&h, text, i), value = http_field_value(&h, text, i);
        JsVal n = js_str_latin1(js, (const u8 *)name.p, name.n);
        JsVal v = js_str_latin1(js, (const u8 *)value.p, value.n);
        if (!js_set_index(js, list, 2 * i, n) || !js_set_index(js, list, 2 * i + 1, v)) list = NULL;
    }
out:
    http_head_deinit(&h);
    return list;
}

/* ---- Heads -------------------------------------------------------------------------------------
 */

/* The head that JavaScript holds, parsed again; valid until the next call. */
static const HttpHead *parse_raw(Js *js, JsVal raw, Str *ret)
{
    JsChars chars;
    if (!js_chars(js, raw, &chars)) return NULL;
    ASSERT(chars.is_latin1);
    *ret = (Str){(const char *)chars.latin1, chars.len};
    HttpHead *h = &vm_of(js)->http->raw;
    h->size_max = UINT32_MAX >> 1;
    h->fields_max = UINT32_MAX;
    h->is_lenient = true;
    int rc = http_head_parse(h, *ret);
    ASSERT(rc > 0);
    return h;
}

static JsVal latin1(Js *js, Str s)
{
    return js_str_latin1(js, (const u8 *)s.p, s.n);
}

/* The name of field i in lower case, the same string for each of those that are known. */
static JsVal name_of(Js *js, const HttpHead *h, Str text, u32 i)
{
    u8 id = h->fields[i].id;
    if (!id) {
        AUTO(Scratch) scratch = scratch_begin(NULL);
        return latin1(js, str_lower(scratch.arena, http_field_name(h, text, i)));
    }
    JsRef *ref = &vm_of(js)->http->names[id];
    if (ref->state == JS_REF_DEAD)
        js_ref_set_strong(js, ref, js_str(js, http_field_text((HttpFieldId)id)));
    return js_ref_get(js, ref);
}

/* Values that are on the stack, where the collector sees them, until they are an array. */
enum { FIELDS_AT_ONCE = 32 };

static JsVal add_fields(Js *js, JsVal list, u32 from, const JsVal *at, u32 n)
{
    if (!from) return js_array(js, at, n);
    for (u32 i = 0; i < n; i++) {
        if (!js_set_index(js, list, from + i, at[i])) return NULL;
    }
    return list;
}

/* headers(raw, keepCase) -> flat list of names (lower case unless keepCase) and values */
JS_NATIVE(host_headers)
{
    Str text;
    const HttpHead *h = parse_raw(js, js_arg(args, 0), &text);
    if (!h) return NULL;
    bool keeps_case = js_truthy(js, js_arg(args, 1));
    JsVal at[2 * FIELDS_AT_ONCE], list = NULL;
    u32 i = 0;
    do {
        u32 from = 2 * i, n = 0;
        for (; n < COUNT(at) && i < h->n_fields; i++) {
            at[n++] =
                keeps_case ? latin1(js, http_field_name(h, text, i)) : name_of(js, h, text, i);
            at[n++] = latin1(js, http_field_value(h, text, i));
        }
        list = add_fields(js, list, from, at, n);
    } while (list && i < h->n_fields);
    return list;
}

/* header(raw, lowerName) -> the values of that name, joined, or null */
JS_NATIVE(host_header)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    Str text, want;
    if (!js_to_str(js, s.arena, js_arg(args, 1), &want)) return NULL;
    const HttpHead *h = parse_raw(js, js_arg(args, 0), &text);
    if (!h) return NULL;
    Str glue = str_eq(want, S("cookie")) ? S("; ") : S(", ");
    Str found = {0};
    for (u32 i = 0; i < h->n_fields; i++) {
        if (!str_eq_nocase(http_field_name(h, text, i), want)) continue;
        Str value = http_field_value(h, text, i);
        if (!found.p)
            found = value.n ? value : S("");
        else
            found = str_concat(s.arena, str_concat(s.arena, found, glue), value);
    }
    return found.p ? latin1(js, found) : JS_NULL;
}

static const JsFn fns[] = {
    JS_FN("open", host_open),
    JS_FN("setHandler", host_set_handler),
    JS_FN("set", host_set),
    JS_FN("listen", host_listen),
    JS_FN("listenFd", host_listen_fd),
    JS_FN("life", host_life_of),
    JS_FN("setTls", host_set_tls),
    JS_FN("addTlsName", host_add_tls_name),
    JS_FN("stop", host_stop),
    JS_FN("closeIdle", host_close_idle),
    JS_FN("closeAll", host_close_all),
    JS_FN("ref", host_ref),
    JS_FN("counts", host_counts),
    JS_FN("address", host_address),
    JS_FN("peer", host_peer),
    JS_FN("readAll", host_read_all),
    JS_FN("read", host_read),
    JS_FN("trailers", host_trailers),
    JS_FN("headers", host_headers),
    JS_FN("header", host_header),
};
BUILTIN_NATIVE(internal_http_host, fns)
