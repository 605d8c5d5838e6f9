/* internal/http_host/http_sock.c -- native half of internal/http_host/http_sock: the connections of
 * a server as sockets, for programs that want to see them.  They are named by their life
 * (host_life). */
#include "builtins/builtins.h"
#include "builtins/internal/http_host/http_host.h"

#include <string.h>

#include "sys/sys.h"

static HttpConn *find(Js *js, JsArgs args)
{
    HttpConn *c = host_conn_by_life(js, args);
    return c && c->state != HTTP_CONN_CLOSED ? c : NULL;
}

/* watch(sid, life): CLOSE and DRAIN will come */
JS_NATIVE(sock_watch)
{
    HttpConn *c = find(js, args);
    if (c) c->is_watched = true;
    return js_boolean(c != NULL);
}

/* write(sid, life, bytes | text, isLatin1) -> bytes that wait when that is many, else 0; -1: gone
 */
JS_NATIVE(sock_write)
{
    HttpConn *c = find(js, args);
    if (!c) return js_int(js, -1);
    JsVal v = js_arg(args, 2);
    JsBytes bytes;
    AUTO(Scratch) s = scratch_begin(NULL);
    Str text;
    JsChars chars;
    bool is_string = js_is_string(js, v), is_latin1 = js_truthy(js, js_arg(args, 3));
    if (is_string && is_latin1) {
        if (!js_chars(js, v, &chars)) return NULL;
        char *p = http_conn_reserve(c, chars.len);
        for (usize i = 0; i < chars.len; i++)
            p[i] = (char)(chars.is_latin1 ? chars.latin1[i] : (u8)chars.utf16[i]);
        c->out.len += chars.len;
    } else if (is_string) {
        if (!js_to_str(js, s.arena, v, &text)) return NULL;
        http_conn_write_raw(c, text);
    } else if (js_bytes(js, v, &bytes) && bytes.n) {
        http_conn_write_raw(c, (Str){(const char *)bytes.p, bytes.n});
    }
    return host_wrote(js, c);
}

/* end(sid, life): after what was written */
JS_NATIVE(sock_end)
{
    HttpConn *c = find(js, args);
    if (c) http_conn_end(c);
    return js_boolean(c != NULL);
}

/* What was written in this turn of the loop, as far as the kernel takes it: Node has handed it over
 * before a program can destroy the socket. */
static void send_rest(HttpConn *c)
{
    if (c->tls || c->stream || c->is_sending || !c->out.len || c->is_last) return;
    i64 sent = sys_send(c->fd, c->out.p, c->out.len, MSG_DONTWAIT | MSG_NOSIGNAL);
    (void)sent;
}

/* close(sid, life) */
JS_NATIVE(sock_close)
{
    HttpConn *c = find(js, args);
    if (c) send_rest(c);
    if (c) http_conn_close_soon(c);
    return js_boolean(c != NULL);
}

/* pause(sid, life, on) */
JS_NATIVE(sock_pause)
{
    return host_set_paused(js, find(js, args), js_arg(args, 2));
}

/* address(sid, life, isLocal) -> [text, port, 4 | 6 | 0] or undefined */
JS_NATIVE(sock_address)
{
    HttpConn *c = find(js, args);
    SysAddr addr;
    if (!c) return JS_UNDEFINED;
    bool is_local = js_truthy(js, js_arg(args, 2));
    int rc = is_local ? sys_socket_name(c->fd, &addr) : sys_peer_name(c->fd, &addr);
    return rc < 0 ? JS_UNDEFINED : host_address_of(js, &addr);
}

/* timeout(sid, life, ms) */
JS_NATIVE(sock_timeout)
{
    return host_set_timeout(js, find(js, args), js_arg(args, 2));
}

JS_NATIVE(sock_fd)
{
    HttpConn *c = find(js, args);
    return js_int(js, c ? c->fd : -1);
}

JS_NATIVE(sock_queued)
{
    HttpConn *c = find(js, args);
    return js_number(js, c ? (f64)http_conn_queued(c) : 0);
}

/* nodelay(sid, life, on), keepalive(sid, life, on, seconds) */
JS_NATIVE(sock_nodelay)
{
    HttpConn *c = find(js, args);
    bool on = js_truthy(js, js_arg(args, 2));
    return js_int(js, c ? sys_set_nodelay(c->fd, on) : 0);
}

JS_NATIVE(sock_keepalive)
{
    HttpConn *c = find(js, args);
    if (!c) return js_int(js, 0);
    bool on = js_truthy(js, js_arg(args, 2));
    i32 seconds = js_get_i32(js, js_arg(args, 3));
    int rc = sys_set_keepalive(c->fd, on, seconds > 0 ? (u32)seconds : 0);
    return js_int(js, rc);
}

static const JsFn fns[] = {
    JS_FN("watch", sock_watch),
    JS_FN("write", sock_write),
    JS_FN("end", sock_end),
    JS_FN("close", sock_close),
    JS_FN("pause", sock_pause),
    JS_FN("address", sock_address),
    JS_FN("timeout", sock_timeout),
    JS_FN("fd", sock_fd),
    JS_FN("queued", sock_queued),
    JS_FN("nodelay", sock_nodelay),
    JS_FN("keepalive", sock_keepalive),
};
BUILTIN_NATIVE(internal_http_host_http_sock, fns)
