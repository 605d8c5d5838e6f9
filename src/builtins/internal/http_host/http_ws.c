/* internal/http_host/http_ws.c -- native half of internal/http_host/http_ws: WebSockets of servers.
 *
 * A connection that was upgraded has a WsServer; what comes in is answered here as far as the
 * protocol says how (pings, closes, errors), the rest becomes events. */
#include "builtins/builtins.h"
#include "builtins/internal/http_host/http_host.h"
#include "util/mem.h"

#include <string.h>

struct HostWs {
    WsReader reader;
    Compressor *deflate;
    i32 deflate_bits; /* 0: messages are not compressed */
    usize queue_max;
    bool closes_when_full;
    bool is_closing; /* our close frame is out */
    bool is_told;    /* JavaScript knows that it is over */
    bool sends_pings, is_pinged;
};

void host_ws_free(HostWs *ws)
{
    if (!ws) return;
    ws_reader_deinit(&ws->reader);
    compressor_free(ws->deflate);
    mem_free(ws);
}

static HostWs *ws_of(HttpConn *c)
{
    HostBody *b = c ? c->data : NULL;
    return b ? b->ws : NULL;
}

static void write_frame(HttpConn *c, WsOpcode opcode, Str content, bool is_packed)
{
    (void)http_conn_reserve(c, WS_HEAD_MAX + content.n);
    ws_write(&c->out, opcode, content, is_packed, NULL);
    if (!c->is_inside) http_conn_flush(c);
}

static void tell_close(HttpConn *c, HostWs *ws, u32 code, Str reason)
{
    if (ws->is_told) return;
    ws->is_told = true;
    Host *host = c->server->data;
    Js *js = host->vm->js;
    JsVal at[2] = {js_int(js, (i32)code), js_str(js, reason)};
    host_event(c, HOST_EVENT_WS_CLOSE, js_array(js, at, 2));
}

static void send_close(HttpConn *c, HostWs *ws, u32 code, Str reason)
{
    if (ws->is_closing) return;
    ws->is_closing = true;
    u8 content[WS_CONTROL_MAX] = {(u8)(code >> 8), (u8)code};
    usize n = 0;
    if (code != WS_NO_STATUS) {
        n = MIN(reason.n, sizeof content - 2);
        if (n) memcpy(content + 2, reason.p, n);
        n += 2;
    }
    write_frame(c, WS_CLOSE, (Str){(const char *)content, n}, false);
}

/* The peer closes, or answers our close. */
static void on_peer_close(HttpConn *c, HostWs *ws, Str content)
{
    u32 code;
    Str reason;
    if (!ws_parse_close(content, &code, &reason)) {
        send_close(c, ws, 1002, (Str){0});
        tell_close(c, ws, 1002, (Str){0});
    } else {
        send_close(c, ws, code, reason);
        tell_close(c, ws, code, reason);
    }
    http_conn_end(c);
}

static void on_message(HttpConn *c, HostWs *ws, int opcode, Str content)
{
    Host *host = c->server->data;
    Js *js = host->vm->js;
    switch (opcode) {
    case WS_TEXT: host_event(c, HOST_EVENT_WS_TEXT, js_str(js, content)); break;
    case WS_BINARY:
        host_event(c, HOST_EVENT_WS_BINARY, js_u8array(js, content.p, content.n));
        break;
    case WS_CLOSE: on_peer_close(c, ws, content); break;
    case WS_PING:
        if (!ws->is_closing) write_frame(c, WS_PONG, content, false);
        host_event(c, HOST_EVENT_WS_PING, js_u8array(js, content.p, content.n));
        break;
    case WS_PONG: host_event(c, HOST_EVENT_WS_PONG, js_u8array(js, content.p, content.n)); break;
    default: BUG("no such message");
    }
}

void host_ws_receive(HttpConn *c, Str data)
{
    HostWs *ws = ws_of(c);
    ws->is_pinged = false;
    if (!data.p) {
        tell_close(c, ws, WS_ABNORMAL, (Str){0});
        if (c->state != HTTP_CONN_CLOSED) http_conn_close(c);
        return;
    }
    Str content;
    int rc;
    while ((rc = ws_read(&ws->reader, &data, &content)) > 0) {
        /* After our close nothing matters but the peer's. */
        if (!ws->is_closing || rc == WS_CLOSE) on_message(c, ws, rc, content);
        ws = c->state == HTTP_CONN_CLOSED ? NULL : ws_of(c);
        if (!ws) return;
    }
    if (rc == WS_MORE) return;
    send_close(c, ws, (u32)-rc, (Str){0});
    tell_close(c, ws, rc == WS_ERR_TOO_BIG ? WS_ABNORMAL : (u32)-rc, (Str){0});
    if (c->state != HTTP_CONN_CLOSED) http_conn_end(c);
}

bool host_ws_timeout(HttpConn *c)
{
    HostWs *ws = ws_of(c);
    if (!ws) return false;
    if (!ws->is_pinged && ws->sends_pings && !ws->is_closing) {
        ws->is_pinged = true;
        write_frame(c, WS_PING, (Str){0}, false);
        return true;
    }
    if (!ws->is_pinged && !ws->is_closing) {
        ws->is_pinged = true;
        return true;
    }
    tell_close(c, ws, WS_ABNORMAL, (Str){0});
    return false;
}

void host_ws_gone(HttpConn *c)
{
    HostWs *ws = ws_of(c);
    if (ws) tell_close(c, ws, WS_ABNORMAL, (Str){0});
}

/* ---- Natives -----------------------------------------------------------------------------------
 */

enum { START_CLOSES = 1, START_PINGS = 2 };

/* start(sid, id, key, lines, deflateBits, sizeMax, queueMax, idleMs, flags): answers 101 and takes
 * the connection over; false when the request is over. */
JS_NATIVE(ws_start)
{
    HttpConn *c = host_conn(js, args);
    AUTO(Scratch) s = scratch_begin(NULL);
    Str key, lines;
    if (!js_to_str(js, s.arena, js_arg(args, 2), &key)) return NULL;
    if (!js_to_str(js, s.arena, js_arg(args, 3), &lines)) return NULL;
    if (!c || !c->is_busy || c->has_head || key.n != WS_KEY_LEN) return JS_FALSE;
    char accept[WS_ACCEPT_LEN];
    ws_accept(key, accept);
    Str head = str_fmt(s.arena,
                       "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n"
                       "Connection: Upgrade\r\nSec-WebSocket-Accept: %.*s\r\n%.*s\r\n",
                       WS_ACCEPT_LEN, accept, STR_ARG(lines));
    HostWs *ws = MEM_NEW(HostWs);
    ws->deflate_bits = js_get_i32(js, js_arg(args, 4));
    ws->reader.has_deflate = ws->deflate_bits > 0;
    ws->reader.size_max = (u64)js_get_i64(js, js_arg(args, 5));
    ws->queue_max = (usize)js_get_i64(js, js_arg(args, 6));
    i32 flags = js_get_i32(js, js_arg(args, 8));
    ws->closes_when_full = flags & START_CLOSES;
    ws->sends_pings = flags & START_PINGS;
    host_body(c)->ws = ws;
    c->has_head = true;
    http_conn_write_raw(c, head);
    http_conn_take_over(c);
    u32 idle_ms = (u32)js_get_i64(js, js_arg(args, 7));
    /* Half of it until the ping, half for the answer. */
    if (idle_ms) http_conn_set_timeout(c, MAX(idle_ms / 2, 1u));
    if (!c->is_inside) http_conn_flush(c);
    return JS_TRUE;
}

static bool content_of(Js *js, Arena *a, JsVal v, Str *ret)
{
    JsBytes bytes;
    if (js_is_string(js, v)) return js_to_str(js, a, v, ret);
    if (!js_take_bytes(js, v, &bytes)) return false;
    *ret = (Str){(const char *)bytes.p, bytes.n};
    return true;
}

enum { SEND_DROPPED = 0, SEND_WAITS = -1, PACK_MIN = 1 };

/* Returns what send() of a program returns. */
static f64 send_message(HttpConn *c, HostWs *ws, WsOpcode opcode, Str content, bool packs)
{
    if (ws->is_closing || c->state != HTTP_CONN_RAW) return SEND_DROPPED;
    if (ws->queue_max && http_conn_queued(c) + content.n > ws->queue_max) {
        if (ws->closes_when_full) {
            tell_close(c, ws, WS_ABNORMAL, (Str){0});
            http_conn_close(c);
        }
        return SEND_DROPPED;
    }
    if (packs && ws->deflate_bits && content.n >= PACK_MIN) {
        if (!ws->deflate) ws->deflate = ws_packer_new(ws->deflate_bits);
        AUTO(Buf) packed = {0};
        if (ws->deflate && ws_pack(ws->deflate, content, false, &packed)) {
            write_frame(c, opcode, buf_str(&packed), true);
            return http_conn_is_full(c) ? SEND_WAITS : (f64)MAX(content.n, (usize)1);
        }
    }
    write_frame(c, opcode, content, false);
    return http_conn_is_full(c) ? SEND_WAITS : (f64)MAX(content.n, (usize)1);
}

/* send(sid, id, opcode, data, packs) -> bytes, 0: dropped, -1: waits */
JS_NATIVE(ws_send)
{
    HttpConn *c = host_conn(js, args);
    HostWs *ws = ws_of(c);
    if (!ws) return js_int(js, SEND_DROPPED);
    AUTO(Scratch) s = scratch_begin(NULL);
    Str content;
    if (!content_of(js, s.arena, js_arg(args, 3), &content)) return NULL;
    WsOpcode opcode = (WsOpcode)js_get_i32(js, js_arg(args, 2));
    return js_number(js, send_message(c, ws, opcode, content, js_truthy(js, js_arg(args, 4))));
}

/* close(sid, id, code, reason) */
JS_NATIVE(ws_close)
{
    HttpConn *c = host_conn(js, args);
    HostWs *ws = ws_of(c);
    if (!ws) return JS_FALSE;
    AUTO(Scratch) s = scratch_begin(NULL);
    Str reason;
    if (!js_to_str(js, s.arena, js_arg(args, 3), &reason)) return NULL;
    u32 code = (u32)js_get_i32(js, js_arg(args, 2));
    send_close(c, ws, code, reason);
    tell_close(c, ws, code, reason);
    /* The peer has this long to answer. */
    if (c->state != HTTP_CONN_CLOSED) http_conn_set_timeout(c, HTTP_LINGER_MS);
    return JS_TRUE;
}

/* queued(sid, id) */
JS_NATIVE(ws_queued)
{
    HttpConn *c = host_conn(js, args);
    return js_number(js, c ? (f64)http_conn_queued(c) : 0);
}

static const JsFn fns[] = {
    JS_FN("start", ws_start),
    JS_FN("send", ws_send),
    JS_FN("close", ws_close),
    JS_FN("queued", ws_queued),
};
BUILTIN_NATIVE(internal_http_host_http_ws, fns)
