/* web/websocket/connection.c -- the client end of a WebSocket: the HTTP client makes the connection
 * and the handshake, then the stream is ours.
 *
 * A Ws has two owners: the wrapper in JavaScript, and the network until on_close.  The connection
 * object of JavaScript is held strongly until then. */
#include "builtins/builtins.h"
#include "builtins/web/fetch/fetch.h"
#include "codec/base64.h"
#include "http/http_client.h"
#include "http/http_parse.h"
#include "http/ws_frame.h"
#include "util/err.h"
#include "util/mem.h"

#include <errno.h>
#include <string.h>

enum {
    CLOSE_MS = 10000, /* how long the other side may take to answer a CLOSE */
    PACK_MIN = 256,   /* shorter messages are not compressed */
    CONNECT_MS = 30000,
    KEY_SIZE = 16,
    RANDOM_SIZE = 256,
};
static const u64 MESSAGE_MAX = (u64)128 << 20;

/* What the handler is told; connection.js has the same numbers. */
enum {
    EVENT_OPEN,
    EVENT_TEXT,
    EVENT_BINARY,
    EVENT_PING,
    EVENT_PONG,
    EVENT_CLOSE,
    EVENT_FAIL,
    EVENT_DRAIN
};
enum { FLAG_UNVERIFIED = 1, FLAG_NO_DEFLATE = 2 };

typedef struct {
    Vm *vm;
    HttpFetch *fetch;
    NetStream *stream;
    LoopMail *mail;
    JsRef task;
    Arena arena;
    u32 n_refs;
    char key[WS_KEY_LEN];
    WsReader reader;
    Compressor *deflate;
    bool has_deflate, keeps_context, is_paused, is_close_sent, is_close_received, is_reading;
    u32 code;   /* of the peer's CLOSE */
    Str reason; /* likewise, in the arena */
    Buf out, in;
    u8 random[RANDOM_SIZE];
    u32 random_left;
    u64 n_payload; /* sent since nothing was queued */
} Ws;

/* ---- Life ----------------------------------------------------------------------------------- */

static void ws_free(Ws *ws)
{
    loop_mail_unref_mt(ws->mail);
    ws_reader_deinit(&ws->reader);
    compressor_free(ws->deflate);
    Buf_deinit(&ws->out);
    Buf_deinit(&ws->in);
    arena_deinit(&ws->arena);
    mem_free(ws);
}

static void ws_unref(Ws *ws)
{
    if (--ws->n_refs) return;
    js_ref_clear(ws->vm->js, &ws->task);
    ws_free(ws);
}

static void on_dropped(void *data)
{
    ws_unref(data);
}

/* Finaliser; any thread. */
static void drop_mt(void *native)
{
    Ws *ws = native;
    /* The loop ends before the engine, and with it the other owner. */
    if (loop_mail_post_mt(ws->mail, on_dropped, ws) == -ESHUTDOWN) ws_free(ws);
}

static const JsClass ws_class = {.name = "WebSocketConnection", .finalize = drop_mt};

static void tell(Ws *ws, i32 kind, const JsVal *more, u32 n_more)
{
    Js *js = ws->vm->js;
    JsVal task = js_ref_get(js, &ws->task), fn = js_ref_get(js, web_fetch_socket_handler(ws->vm));
    JsVal at[6] = {task, js_int(js, kind)};
    if (!task || !fn) return;
    ASSERT(n_more <= COUNT(at) - 2);
    for (u32 i = 0; i < n_more; i++) at[2 + i] = more[i];
    vm_call(ws->vm, fn, (JsArgs){.at = at, .len = 2 + n_more});
}

/* The network is done with it. */
static void over(Ws *ws)
{
    js_ref_clear(ws->vm->js, &ws->task);
    ws_unref(ws);
}

static void fail(Ws *ws, Str text)
{
    JsVal message = js_str(ws->vm->js, text);
    tell(ws, EVENT_FAIL, &message, 1);
}

/* ---- Sending -------------------------------------------------------------------------------- */

/* RFC 6455, 5.3: masks must not be predictable. */
static void next_mask(Ws *ws, u8 mask[4])
{
    if (ws->random_left < 4) {
        sys_random(ws->random, sizeof(ws->random));
        ws->random_left = sizeof(ws->random);
    }
    ws->random_left -= 4;
    memcpy(mask, ws->random + ws->random_left, 4);
}

static void send_frame(Ws *ws, WsOpcode opcode, Str content)
{
    u8 mask[4];
    if (!ws->stream || ws->is_close_sent) return;
    bool is_packed = ws->has_deflate && opcode < WS_CLOSE && content.n >= PACK_MIN;
    AUTO(Buf) packed = {0};
    if (is_packed) {
        if (!ws->deflate) ws->deflate = ws_packer_new(15);
        is_packed = ws->deflate && ws_pack(ws->deflate, content, ws->keeps_context, &packed);
        if (is_packed) content = buf_str(&packed);
    }
    next_mask(ws, mask);
    buf_clear(&ws->out);
    ws_write(&ws->out, opcode, content, is_packed, mask);
    net_stream_write(ws->stream, ws->out.p, ws->out.len);
    if (ws->out.cap > RANDOM_SIZE * 256) Buf_deinit(&ws->out);
}

static void send_close(Ws *ws, u32 code, Str reason)
{
    char text[WS_CONTROL_MAX];
    usize n = 0;
    if (code != WS_NO_STATUS) {
        text[0] = (char)(code >> 8);
        text[1] = (char)code;
        n = MIN(reason.n, sizeof(text) - 2);
        if (n) memcpy(text + 2, reason.p, n);
        n += 2;
    }
    send_frame(ws, WS_CLOSE, (Str){text, n});
    ws->is_close_sent = true;
    if (ws->stream) net_stream_set_timeout(ws->stream, CLOSE_MS);
}

/* ---- Receiving ------------------------------------------------------------------------------ */

static void take_close(Ws *ws, Str content)
{
    u32 code;
    Str reason;
    if (!ws_parse_close(content, &code, &reason)) {
        send_close(ws, -WS_ERR_PROTOCOL, S(""));
        net_stream_end(ws->stream);
        return;
    }
    ws->is_close_received = true;
    ws->code = code;
    ws->reason = str_dup(&ws->arena, reason);
    if (!ws->is_close_sent) send_close(ws, code, reason);
    net_stream_end(ws->stream);
}

static void take_message(Ws *ws, int opcode, Str content)
{
    Js *js = ws->vm->js;
    JsVal value;
    switch (opcode) {
    case WS_TEXT:
        value = js_str(js, content);
        tell(ws, EVENT_TEXT, &value, 1);
        break;
    case WS_CLOSE: take_close(ws, content); break;
    default:
        if (opcode == WS_PING) send_frame(ws, WS_PONG, content);
        value = js_u8array(js, content.p, content.n);
        tell(ws,
             opcode == WS_BINARY ? EVENT_BINARY
             : opcode == WS_PING ? EVENT_PING
                                 : EVENT_PONG,
             &value, 1);
    }
}

static bool is_usable(const Ws *ws)
{
    return ws->stream && !net_stream_is_closing(ws->stream) && !ws->is_close_received;
}

/* Reads frames from *in until it is used up or somebody says stop. */
static void read_frames(Ws *ws, Str *in)
{
    while (is_usable(ws) && !ws->is_paused) {
        Str content;
        int opcode = ws_read(&ws->reader, in, &content);
        if (opcode == WS_MORE) return;
        if (opcode < 0) {
            send_close(ws, (u32)-opcode, S(""));
            ws->code = (u32)-opcode;
            net_stream_end(ws->stream);
            return;
        }
        take_message(ws, opcode, content);
    }
}

static void take_input(Ws *ws, Str in)
{
    if (ws->is_reading || ws->in.len) {
        buf_push(&ws->in, in);
        if (ws->is_reading) return;
        in = (Str){0};
    }
    ws->is_reading = true;
    ws->n_refs++;
    Buf kept = TAKE(ws->in);
    Str rest = kept.len ? buf_str(&kept) : in;
    read_frames(ws, &rest);
    if (rest.n && is_usable(ws)) {
        Buf later = TAKE(ws->in);
        buf_push(&ws->in, rest);
        if (later.len) buf_push(&ws->in, buf_str(&later));
        Buf_deinit(&later);
    }
    Buf_deinit(&kept);
    ws->is_reading = false;
    ws_unref(ws);
}

static void on_data(NetStream *s, char *p, u32 n)
{
    take_input(s->data, (Str){p, n});
}

static void on_drain(NetStream *s)
{
    tell(s->data, EVENT_DRAIN, NULL, 0);
}

static void on_end(NetStream *s)
{
    net_stream_close(s);
}

static void on_close(NetStream *s)
{
    Ws *ws = s->data;
    Js *js = ws->vm->js;
    bool is_clean = ws->is_close_received && ws->is_close_sent;
    u32 code = is_clean ? ws->code : ws->code ? ws->code : WS_ABNORMAL;
    JsVal more[] = {js_int(js, (i32)code), js_str(js, ws->reason), js_boolean(is_clean)};
    ws->stream = NULL;
    http_upgrade_free(s);
    tell(ws, EVENT_CLOSE, more, COUNT(more));
    over(ws);
}

static const NetEvents stream_events = {
    .on_data = on_data,
    .on_drain = on_drain,
    .on_end = on_end,
    .on_finish = on_end,
    .on_timeout = on_end,
    .on_close = on_close,
};

/* ---- The handshake -------------------------------------------------------------------------- */

static Str header(const HttpResponse *r, Str name)
{
    for (u32 i = 0; i < r->n_headers; i++)
        if (str_eq(r->headers[i].name, name)) return str_trim(r->headers[i].value);
    return (Str){0};
}

static bool take_extensions(Ws *ws, Str text)
{
    Str name, rest, param;
    if (!text.n) return true;
    (void)str_cut(text, ';', &name, &rest);
    if (!str_eq_nocase(str_trim(name), S("permessage-deflate"))) return false;
    ws->has_deflate = ws->keeps_context = true;
    ws->reader.has_deflate = ws->reader.keeps_context = true;
    if (!rest.p) return true;
    while (str_next(&rest, ';', &param)) {
        Str key, value;
        u64 bits = 15;
        (void)str_cut(param, '=', &key, &value);
        key = str_trim(key);
        if (value.n && !str_to_u64(str_trim(value), &bits)) return false;
        if (bits < 8 || bits > 15) return false;
        if (str_eq_nocase(key, S("server_no_context_takeover"))) ws->reader.keeps_context = false;
        if (str_eq_nocase(key, S("client_no_context_takeover"))) ws->keeps_context = false;
        if (str_eq_nocase(key, S("server_max_window_bits"))) ws->reader.window_bits = (i32)bits;
        if (str_eq_nocase(key, S("client_max_window_bits")) && !ws->deflate)
            ws->deflate = ws_packer_new(MAX((i32)bits, 9));
    }
    return true;
}

static const char *check_handshake(Ws *ws, const HttpResponse *r)
{
    char accept[WS_ACCEPT_LEN];
    ws_accept((Str){ws->key, WS_KEY_LEN}, accept);
    if (!str_eq_nocase(header(r, S("upgrade")), S("websocket"))) return "Invalid upgrade header";
    if (!http_list_has(header(r, S("connection")), S("upgrade")))
        return "Invalid connection header";
    if (!str_eq(header(r, S("sec-websocket-accept")), (Str){accept, WS_ACCEPT_LEN}))
        return "Mismatch client key";
    if (!take_extensions(ws, header(r, S("sec-websocket-extensions")))) return "Invalid extension";
    return NULL;
}

static void on_upgrade(HttpFetch *f, const HttpResponse *r, NetStream *stream, Str rest)
{
    Ws *ws = http_fetch_data(f);
    Js *js = ws->vm->js;
    ws->fetch = NULL;
    ws->stream = stream;
    stream->events = &stream_events;
    stream->data = ws;
    const char *wrong = check_handshake(ws, r);
    if (wrong) {
        fail(ws, str_z(wrong));
        net_stream_close(stream);
        return;
    }
    JsVal more[] = {js_str(js, header(r, S("sec-websocket-protocol"))),
                    js_str(js, header(r, S("sec-websocket-extensions")))};
    tell(ws, EVENT_OPEN, more, COUNT(more));
    if (ws->stream && !net_stream_is_closing(ws->stream)) {
        net_stream_start(ws->stream);
        if (rest.n) take_input(ws, rest);
    }
}

static void on_head(HttpFetch *f, const HttpResponse *r)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    Ws *ws = http_fetch_data(f);
    ws->fetch = NULL;
    http_fetch_abort(f);
    fail(ws, str_fmt(s.arena, "Expected 101 status code: %u", r->status));
    over(ws);
}

static void on_done(HttpFetch *f, int rc)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    Ws *ws = http_fetch_data(f);
    const TlsError *tls = http_fetch_tls_error(f);
    ws->fetch = NULL;
    if (tls)
        fail(ws, str_fmt(s.arena, "TLS handshake failed: %s", tls->text));
    else if (rc == HTTP_CLIENT_ECLOSED || rc == HTTP_CLIENT_EPARSE)
        fail(ws, S("Connection ended"));
    else
        fail(ws, S("Failed to connect"));
    over(ws);
}

static const HttpFetchEvents fetch_events = {
    .on_head = on_head,
    .on_upgrade = on_upgrade,
    .on_done = on_done,
};

static void make_key(Ws *ws)
{
    u8 bytes[KEY_SIZE];
    sys_random(bytes, sizeof(bytes));
    base64_encode(bytes, sizeof(bytes), BASE64_STANDARD, ws->key);
}

/* ---- Natives -------------------------------------------------------------------------------- */

JS_NATIVE(websocket_setup)
{
    js_ref_set_strong(js, web_fetch_socket_handler(vm_of(js)), js_arg(args, 0));
    return JS_UNDEFINED;
}

static void add_headers(Ws *ws, HttpPair *pairs, u32 *n, bool has_deflate)
{
    pairs[(*n)++] = (HttpPair){S("Upgrade"), S("websocket")};
    pairs[(*n)++] = (HttpPair){S("Sec-WebSocket-Version"), S("13")};
    pairs[(*n)++] = (HttpPair){S("Sec-WebSocket-Key"), {ws->key, WS_KEY_LEN}};
    if (has_deflate)
        pairs[(*n)++] = (HttpPair){S("Sec-WebSocket-Extensions"),
                                   S("permessage-deflate; client_max_window_bits")};
}

/* open(task, url, headers, flags, options) -> wrapper, or a negative code */
JS_NATIVE(websocket_open)
{
    Vm *vm = vm_of(js);
    Ws *ws = MEM_NEW(Ws);
    ws->vm = vm;
    ws->mail = loop_mail(vm->loop);
    ws->n_refs = 1;
    ws->reader.is_client = true;
    ws->reader.size_max = MESSAGE_MAX;
    i32 flags = js_get_i32(js, js_arg(args, 3));
    HttpFetchOptions o = {
        .is_upgrade = true,
        .is_raw = true,
        .is_h1_only = true,
        .is_unverified = flags & FLAG_UNVERIFIED,
        .redirect = HTTP_REDIRECT_MANUAL,
    };
    HttpPair *pairs = NULL;
    Arena *a = &ws->arena;
    bool ok = js_to_str(js, a, js_arg(args, 1), &o.url) &&
              web_fetch_take_pairs(js, a, js_arg(args, 2), &pairs, &o.n_headers) &&
              web_fetch_take_options(js, a, js_arg(args, 4), &o);
    int rc = 0;
    if (ok) {
        HttpPair *all = ARENA_ARRAY(a, HttpPair, o.n_headers + 4);
        for (u32 i = 0; i < o.n_headers; i++) all[i] = pairs[i];
        make_key(ws);
        add_headers(ws, all, &o.n_headers, !(flags & FLAG_NO_DEFLATE));
        o.headers = all;
        if (!o.connect_ms) o.connect_ms = CONNECT_MS;
        ws->fetch = http_fetch_start(web_fetch_client(vm), &o, &fetch_events, ws, &rc);
    }
    if (!ws->fetch) {
        ws_unref(ws);
        return ok ? js_int(js, rc) : NULL;
    }
    js_ref_set_strong(js, &ws->task, js_arg(args, 0));
    ws->n_refs = 2;
    return js_wrap(js, &ws_class, ws);
}

static Ws *ws_of(Js *js, JsArgs args)
{
    return js_unwrap(js, js_arg(args, 0), &ws_class);
}

/* Bytes of messages, without what frames them. */
static JsVal queued(Js *js, Ws *ws)
{
    if (!ws->stream || !ws->stream->queued) ws->n_payload = 0;
    return js_number(js, (f64)ws->n_payload);
}

/* send(wrapper, opcode, string or bytes) -> bytes that are queued */
JS_NATIVE(websocket_send)
{
    Ws *ws = ws_of(js, args);
    WsOpcode opcode = (WsOpcode)js_get_i32(js, js_arg(args, 1));
    JsVal data = js_arg(args, 2);
    AUTO(Scratch) s = scratch_begin(NULL);
    JsBytes bytes;
    Str text;
    if (js_bytes(js, data, &bytes))
        text = (Str){(const char *)bytes.p, bytes.n};
    else if (!js_to_str(js, s.arena, data, &text))
        return NULL;
    send_frame(ws, opcode, text);
    if (opcode < WS_CLOSE) ws->n_payload += text.n;
    return queued(js, ws);
}

JS_NATIVE(websocket_buffered)
{
    return queued(js, ws_of(js, args));
}

/* close(wrapper, code, reason): the handshake of closing; before the connection stands it is given
 * up, with EVENT_FAIL. */
JS_NATIVE(websocket_close)
{
    Ws *ws = ws_of(js, args);
    AUTO(Scratch) s = scratch_begin(NULL);
    Str reason;
    if (!js_to_str(js, s.arena, js_arg(args, 2), &reason)) return NULL;
    if (ws->stream && !ws->is_close_sent) {
        send_close(ws, (u32)js_get_i32(js, js_arg(args, 1)), reason);
        ws->is_paused = false;
        net_stream_start(ws->stream);
    }
    return JS_UNDEFINED;
}

/* terminate(wrapper) -> will EVENT_CLOSE follow? */
JS_NATIVE(websocket_terminate)
{
    Ws *ws = ws_of(js, args);
    if (ws->stream) {
        net_stream_close(ws->stream);
        return JS_TRUE;
    }
    if (ws->fetch) {
        HttpFetch *f = ws->fetch;
        ws->fetch = NULL;
        http_fetch_abort(f);
        over(ws);
    }
    return JS_FALSE;
}

/* pause(wrapper, isPaused) */
JS_NATIVE(websocket_pause)
{
    Ws *ws = ws_of(js, args);
    ws->is_paused = js_truthy(js, js_arg(args, 1));
    if (!ws->stream || net_stream_is_closing(ws->stream)) return JS_UNDEFINED;
    if (ws->is_paused) {
        net_stream_stop(ws->stream);
    } else {
        net_stream_start(ws->stream);
        if (ws->in.len && !ws->is_reading) take_input(ws, S(""));
    }
    return JS_UNDEFINED;
}

static const JsFn fns[] = {
    JS_FN("setup", websocket_setup), JS_FN("open", websocket_open),
    JS_FN("send", websocket_send),   JS_FN("buffered", websocket_buffered),
    JS_FN("close", websocket_close), JS_FN("terminate", websocket_terminate),
    JS_FN("pause", websocket_pause),
};
BUILTIN_NATIVE(web_websocket_connection, fns)
