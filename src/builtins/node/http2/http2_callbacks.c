/* node/http2/http2_callbacks.c -- what nghttp2 tells, passed on to the handler. */
#include "builtins/node/http2/http2.h"

#include <string.h>

enum { MEMORY_OF_PAIR = 32 };

/* A native whose handler has thrown what nobody catches goes on: the error is reported. */
void h2_tell(H2Session *s, H2Event event, i32 id, JsVal a, JsVal b)
{
    if (!s->handler) return;
    Js *js = s->js;
    vm_call(vm_of(js), s->handler, JS_ARGS(js_int(js, (i32)event), js_int(js, id), a, b));
    /* Programs expect what follows an event to be done before the next one. */
    if (s->has_ticks) vm_after_callback(vm_of(js));
}

static H2Stream *stream_of(const H2Session *s, i32 id)
{
    return nghttp2_session_get_stream_user_data(s->ng, id);
}

/* After a call into JavaScript: has the session been destroyed meanwhile? */
static int go_on(const H2Session *s)
{
    return s->is_failed ? NGHTTP2_ERR_CALLBACK_FAILURE : 0;
}

/* ---- Heads --------------------------------------------------------------------------------- */

static u64 memory_used(const H2Session *s)
{
    return s->stream_memory + s->out.len + s->head.len;
}

static int on_begin_headers(nghttp2_session *ng, const nghttp2_frame *frame, void *data)
{
    H2Session *s = data;
    buf_clear(&s->head);
    s->head_pairs = s->head_sensitive = 0;
    s->head_size = 0;
    const H2Stream *t = nghttp2_session_get_stream_user_data(ng, frame->hd.stream_id);
    s->head_max = t ? t->head_max
                    : nghttp2_session_get_local_settings(ng, NGHTTP2_SETTINGS_MAX_HEADER_LIST_SIZE);
    bool is_new = frame->hd.type == NGHTTP2_HEADERS && frame->headers.cat == NGHTTP2_HCAT_REQUEST;
    if (is_new && memory_used(s) > s->memory_max) {
        (void)nghttp2_submit_rst_stream(ng, NGHTTP2_FLAG_NONE, frame->hd.stream_id,
                                        NGHTTP2_ENHANCE_YOUR_CALM);
        return NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE;
    }
    return 0;
}

static i32 head_stream(const nghttp2_frame *frame)
{
    bool is_push = frame->hd.type == NGHTTP2_PUSH_PROMISE;
    return is_push ? frame->push_promise.promised_stream_id : frame->hd.stream_id;
}

static int on_header(nghttp2_session *ng, const nghttp2_frame *frame, nghttp2_rcbuf *name,
                     nghttp2_rcbuf *value, u8 flags, void *data)
{
    H2Session *s = data;
    nghttp2_vec n = nghttp2_rcbuf_get_buf(name), v = nghttp2_rcbuf_get_buf(value);
    if (!n.len) return 0;
    s->head_size += n.len + v.len + MEMORY_OF_PAIR;
    if (s->head_pairs >= s->pairs_max || s->head_size + memory_used(s) > s->memory_max ||
        s->head_size > s->head_max) {
        (void)nghttp2_submit_rst_stream(ng, NGHTTP2_FLAG_NONE, head_stream(frame),
                                        NGHTTP2_ENHANCE_YOUR_CALM);
        return NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE;
    }
    bool is_sensitive = flags & NGHTTP2_NV_FLAG_NO_INDEX;
    s->head_pairs++;
    s->head_sensitive += is_sensitive;
    buf_push(&s->head, (Str){(char *)n.base, n.len});
    buf_push(&s->head, (Str){"\0", 1});
    buf_push(&s->head, (Str){(char *)v.base, v.len});
    buf_push(&s->head, (Str){is_sensitive ? "\0001\0" : "\0000\0", 3});
    return 0;
}

static int tell_head(H2Session *s, i32 id, u32 category, u8 flags)
{
    if (s->handler && !stream_of(s, id)) (void)h2_stream_open(s, id);
    Js *js = s->js;
    usize n = s->head.len ? s->head.len - 1 : 0;
    i32 info = (i32)(category | (u32)flags << 8 | (s->head_sensitive ? 1u << 16 : 0));
    h2_tell(s, H2_HEADERS, id, js_int(js, info), js_str_latin1(js, (const u8 *)s->head.p, n));
    return go_on(s);
}

/* ---- Frames -------------------------------------------------------------------------------- */

static int on_ping(H2Session *s, const nghttp2_ping *ping)
{
    Js *js = s->js;
    JsVal bytes = js_u8array(js, ping->opaque_data, sizeof ping->opaque_data);
    if (!(ping->hd.flags & NGHTTP2_FLAG_ACK)) {
        h2_tell(s, H2_PING, 0, bytes, JS_UNDEFINED);
        return go_on(s);
    }
    if (!s->n_pings) {
        h2_tell(s, H2_PING_ACK, 0, JS_UNDEFINED, JS_UNDEFINED);
        return go_on(s);
    }
    u64 began = s->ping_ms[s->first_ping];
    s->first_ping = (s->first_ping + 1) % COUNT(s->ping_ms);
    s->n_pings--;
    f64 ms = (f64)(sys_monotonic_ns() - began) / 1e6;
    h2_tell(s, H2_PING_ACK, 0, bytes, js_number(js, ms));
    return go_on(s);
}

static int on_priority(H2Session *s, i32 id, const nghttp2_priority_spec *spec)
{
    Js *js = s->js;
    JsVal at[3] = {js_int(js, spec->stream_id), js_int(js, spec->weight),
                   js_boolean(spec->exclusive)};
    h2_tell(s, H2_PRIORITY, id, js_array(js, at, 3), JS_UNDEFINED);
    return go_on(s);
}

static int on_settings(H2Session *s, const nghttp2_settings *settings)
{
    Js *js = s->js;
    if (settings->hd.flags & NGHTTP2_FLAG_ACK) {
        if (s->n_settings) s->n_settings--;
        h2_tell(s, H2_SETTINGS_ACK, 0, JS_UNDEFINED, JS_UNDEFINED);
        return go_on(s);
    }
    JsVal custom = NULL;
    u32 n = 0;
    for (usize i = 0; i < settings->niv && i < H2_CUSTOM_MAX; i++) {
        if (settings->iv[i].settings_id <= NGHTTP2_SETTINGS_ENABLE_CONNECT_PROTOCOL) continue;
        if (!custom) custom = js_array(js, NULL, 0);
        JsVal id = js_int(js, settings->iv[i].settings_id);
        JsVal value = js_number(js, settings->iv[i].value);
        if (!js_set_index(js, custom, n++, id) || !js_set_index(js, custom, n++, value))
            return NGHTTP2_ERR_CALLBACK_FAILURE;
    }
    h2_tell(s, H2_SETTINGS_IN, 0, custom ? custom : JS_UNDEFINED, JS_UNDEFINED);
    return go_on(s);
}

static int on_goaway(H2Session *s, const nghttp2_goaway *g)
{
    Js *js = s->js;
    JsVal bytes =
        g->opaque_data_len ? js_u8array(js, g->opaque_data, g->opaque_data_len) : JS_UNDEFINED;
    h2_tell(s, H2_GOAWAY, g->last_stream_id, js_number(js, g->error_code), bytes);
    return go_on(s);
}

static int on_altsvc(H2Session *s, const nghttp2_frame *frame)
{
    Js *js = s->js;
    const nghttp2_ext_altsvc *alt = frame->ext.payload;
    h2_tell(s, H2_ALTSVC, frame->hd.stream_id, js_str_latin1(js, alt->origin, alt->origin_len),
            js_str_latin1(js, alt->field_value, alt->field_value_len));
    return go_on(s);
}

static int on_origin(H2Session *s, const nghttp2_frame *frame)
{
    Js *js = s->js;
    const nghttp2_ext_origin *o = frame->ext.payload;
    AUTO(Buf) text = {0};
    for (usize i = 0; i < o->nov; i++) {
        if (i) buf_push(&text, (Str){"\0", 1});
        buf_push(&text, (Str){(const char *)o->ov[i].origin, o->ov[i].origin_len});
    }
    if (o->nov)
        h2_tell(s, H2_ORIGIN, 0, js_str_latin1(js, (const u8 *)text.p, text.len), JS_UNDEFINED);
    return go_on(s);
}

static int on_frame(nghttp2_session *ng, const nghttp2_frame *frame, void *data)
{
    (void)ng;
    H2Session *s = data;
    i32 id = frame->hd.stream_id;
    switch (frame->hd.type) {
    case NGHTTP2_HEADERS: return tell_head(s, id, frame->headers.cat, frame->hd.flags);
    case NGHTTP2_PUSH_PROMISE:
        return tell_head(s, frame->push_promise.promised_stream_id, NGHTTP2_HCAT_HEADERS, 0);
    case NGHTTP2_DATA:
        if (frame->hd.flags & NGHTTP2_FLAG_END_STREAM)
            h2_tell(s, H2_DATA_END, id, JS_UNDEFINED, JS_UNDEFINED);
        else if (!frame->hd.length)
            h2_tell(s, H2_INVALID, id, js_int(s->js, 0), JS_UNDEFINED);
        return go_on(s);
    case NGHTTP2_PRIORITY: return on_priority(s, id, &frame->priority.pri_spec);
    case NGHTTP2_SETTINGS: return on_settings(s, &frame->settings);
    case NGHTTP2_PING: return on_ping(s, &frame->ping);
    case NGHTTP2_GOAWAY: return on_goaway(s, &frame->goaway);
    case NGHTTP2_ALTSVC: return on_altsvc(s, frame);
    case NGHTTP2_ORIGIN: return on_origin(s, frame);
    default: return 0;
    }
}

static int on_data_chunk(nghttp2_session *ng, u8 flags, i32 id, const u8 *p, usize n, void *data)
{
    (void)flags;
    H2Session *s = data;
    (void)nghttp2_session_consume_connection(ng, n);
    H2Stream *t = stream_of(s, id);
    if (!t) return 0;
    if (t->is_reading)
        (void)nghttp2_session_consume_stream(ng, id, n);
    else
        t->unread += n;
    if (n) h2_tell(s, H2_DATA, id, js_u8array(s->js, p, n), JS_UNDEFINED);
    return go_on(s);
}

static int on_stream_close(nghttp2_session *ng, i32 id, u32 code, void *data)
{
    (void)ng;
    H2Session *s = data;
    H2Stream *t = stream_of(s, id);
    if (!t) return 0;
    (void)nghttp2_session_set_stream_user_data(s->ng, id, NULL);
    h2_stream_free(t);
    h2_tell(s, H2_CLOSE, id, js_number(s->js, code), JS_UNDEFINED);
    return 0;
}

static int on_frame_not_sent(nghttp2_session *ng, const nghttp2_frame *frame, int code, void *data)
{
    (void)ng;
    H2Session *s = data;
    /* Ends that cross each other are no errors. */
    if (code == NGHTTP2_ERR_SESSION_CLOSING || code == NGHTTP2_ERR_STREAM_CLOSED ||
        code == NGHTTP2_ERR_STREAM_CLOSING)
        return 0;
    h2_tell(s, H2_FRAME_ERROR, frame->hd.stream_id, js_int(s->js, frame->hd.type),
            js_int(s->js, code));
    return 0;
}

static int on_invalid_frame(nghttp2_session *ng, const nghttp2_frame *frame, int code, void *data)
{
    (void)ng;
    H2Session *s = data;
    h2_tell(s, H2_INVALID, frame->hd.stream_id, js_int(s->js, code), JS_UNDEFINED);
    return go_on(s);
}

/* As Node has it: what is no field of HTTP is left out, the rest of the head stays. */
/* NOLINTNEXTLINE(readability-function-size) */
static int on_invalid_header(nghttp2_session *ng, const nghttp2_frame *frame, nghttp2_rcbuf *name,
                             nghttp2_rcbuf *value, u8 flags, void *data)
{
    (void)ng;
    (void)frame;
    (void)name;
    (void)value;
    (void)flags;
    (void)data;
    return 0;
}

static ssize_t on_padding(nghttp2_session *ng, const nghttp2_frame *frame, usize max, void *data)
{
    (void)ng;
    H2Session *s = data;
    usize n = frame->hd.length;
    if (s->padding == H2_PAD_MAX) return (ssize_t)max;
    if (s->padding != H2_PAD_ALIGNED) return (ssize_t)n;
    /* The whole frame, its head too, becomes a multiple of eight. */
    usize over = (n + 9) % 8;
    return (ssize_t)(over ? MIN(max, n + 8 - over) : n);
}

void h2_set_callbacks(nghttp2_session_callbacks *calls)
{
    nghttp2_session_callbacks_set_on_begin_headers_callback(calls, on_begin_headers);
    nghttp2_session_callbacks_set_on_header_callback2(calls, on_header);
    nghttp2_session_callbacks_set_on_frame_recv_callback(calls, on_frame);
    nghttp2_session_callbacks_set_on_data_chunk_recv_callback(calls, on_data_chunk);
    nghttp2_session_callbacks_set_on_stream_close_callback(calls, on_stream_close);
    nghttp2_session_callbacks_set_on_frame_not_send_callback(calls, on_frame_not_sent);
    nghttp2_session_callbacks_set_on_invalid_frame_recv_callback(calls, on_invalid_frame);
    nghttp2_session_callbacks_set_on_invalid_header_callback2(calls, on_invalid_header);
    nghttp2_session_callbacks_set_select_padding_callback(calls, on_padding);
}
