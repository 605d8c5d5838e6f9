/* node/http2/http2_session.c -- sessions: bytes in and out, and what concerns all of a connection.
 */
#include "builtins/node/http2/http2.h"

#include <string.h>

static void free_session(void *p)
{
    H2Session *s = p;
    while (s->streams) h2_stream_free(s->streams);
    nghttp2_session_del(s->ng);
    Buf_deinit(&s->out);
    Buf_deinit(&s->head);
    mem_free(s);
}

static const JsClass session_class = {.name = "Http2Session", .finalize = free_session};

H2Session *h2_session(Js *js, JsArgs args)
{
    H2Session *s = js_unwrap(js, js_arg(args, 0), &session_class);
    return s && !s->is_failed ? s : NULL;
}

H2Stream *h2_stream(Js *js, JsArgs args)
{
    H2Session *s = h2_session(js, args);
    i32 id = js_get_i32(js, js_arg(args, 1));
    if (!s) return NULL;
    H2Stream *t = nghttp2_session_get_stream_user_data(s->ng, id);
    if (t) return t;
    /* The library knows it from its first frame on only. */
    for (t = s->streams; t && t->id != id; t = t->next) {
    }
    return t;
}

/* ---- Making one ---------------------------------------------------------------------------- */

/* What create() is given, in this order; undefined where the default will do. */
enum {
    OPT_DEFLATE_TABLE,
    OPT_RESERVED,
    OPT_SEND_HEADERS,
    OPT_PEER_STREAMS,
    OPT_PADDING,
    OPT_PAIRS,
    OPT_PINGS,
    OPT_SETTINGS,
    OPT_MEMORY,
    OPT_SETTINGS_ENTRIES,
    OPT_RESET_BURST,
    OPT_RESET_RATE,
    OPT_LENIENT_SPACE,
    OPT_COUNT,
};

typedef struct {
    f64 at[OPT_COUNT];
    bool has[OPT_COUNT];
} Options;

static bool read_options(Js *js, JsVal list, Options *ret)
{
    *ret = (Options){0};
    for (u32 i = 0; i < OPT_COUNT; i++) {
        JsVal v = js_get_index(js, list, i);
        if (!v) return false;
        ret->has[i] = js_is_number(js, v);
        if (ret->has[i]) ret->at[i] = js_get_number(js, v);
    }
    return true;
}

static u32 number(const Options *o, u32 i, u32 fallback)
{
    if (!o->has[i] || !(o->at[i] >= 0)) return fallback;
    return o->at[i] > UINT32_MAX ? UINT32_MAX : (u32)o->at[i];
}

static void fill_option(nghttp2_option *option, const Options *o)
{
    nghttp2_option_set_no_auto_window_update(option, 1);
    nghttp2_option_set_no_closed_streams(option, 1);
    /* Calls of ping() are counted here. */
    nghttp2_option_set_builtin_recv_extension_type(option, NGHTTP2_ALTSVC);
    nghttp2_option_set_builtin_recv_extension_type(option, NGHTTP2_ORIGIN);
    if (o->has[OPT_DEFLATE_TABLE])
        nghttp2_option_set_max_deflate_dynamic_table_size(option, number(o, OPT_DEFLATE_TABLE, 0));
    if (o->has[OPT_RESERVED])
        nghttp2_option_set_max_reserved_remote_streams(option, number(o, OPT_RESERVED, 0));
    if (o->has[OPT_SEND_HEADERS])
        nghttp2_option_set_max_send_header_block_length(option, number(o, OPT_SEND_HEADERS, 0));
    nghttp2_option_set_peer_max_concurrent_streams(option, number(o, OPT_PEER_STREAMS, 100));
    if (o->has[OPT_SETTINGS_ENTRIES])
        nghttp2_option_set_max_settings(option, number(o, OPT_SETTINGS_ENTRIES, 0));
    if (o->has[OPT_RESET_BURST] && o->has[OPT_RESET_RATE])
        nghttp2_option_set_stream_reset_rate_limit(option, number(o, OPT_RESET_BURST, 0),
                                                   number(o, OPT_RESET_RATE, 0));
    if (o->has[OPT_LENIENT_SPACE])
        nghttp2_option_set_no_rfc9113_leading_and_trailing_ws_validation(option, 1);
}

static int make_session(H2Session *s, const Options *o)
{
    nghttp2_session_callbacks *calls;
    nghttp2_option *option;
    int rc = nghttp2_session_callbacks_new(&calls);
    if (rc != 0) return rc;
    rc = nghttp2_option_new(&option);
    if (rc != 0) {
        nghttp2_session_callbacks_del(calls);
        return rc;
    }
    h2_set_callbacks(calls);
    fill_option(option, o);
    rc = s->is_server ? nghttp2_session_server_new2(&s->ng, calls, s, option)
                      : nghttp2_session_client_new2(&s->ng, calls, s, option);
    nghttp2_option_del(option);
    nghttp2_session_callbacks_del(calls);
    return rc;
}

/* create(isServer, options) -> session */
JS_NATIVE(session_create)
{
    Options o;
    if (!read_options(js, js_arg(args, 1), &o)) return NULL;
    H2Session *s = MEM_NEW(H2Session);
    s->is_server = js_truthy(js, js_arg(args, 0));
    u32 pairs = number(&o, OPT_PAIRS, H2_HEADER_PAIRS_MAX);
    s->pairs_max = MAX(pairs, s->is_server ? 4u : 1u);
    s->pings_max = MIN(number(&o, OPT_PINGS, H2_PINGS_MAX), (u32)COUNT(s->ping_ms));
    s->settings_max = number(&o, OPT_SETTINGS, H2_SETTINGS_MAX);
    s->padding = number(&o, OPT_PADDING, H2_PAD_NONE);
    s->memory_max = o.has[OPT_MEMORY] ? (u64)number(&o, OPT_MEMORY, 0) * 1000000 : H2_MEMORY_MAX;
    if (make_session(s, &o) != 0) {
        mem_free(s);
        return js_throw_error(js, "no memory for a session");
    }
    return js_wrap(js, &session_class, s);
}

/* ---- Bytes --------------------------------------------------------------------------------- */

typedef struct {
    JsVal handler;
    Js *js;
} Outer;

static Outer enter(H2Session *s, Js *js, JsVal handler)
{
    Outer outer = {s->handler, s->js};
    s->handler = handler;
    s->js = js;
    return outer;
}

static void leave(H2Session *s, Outer outer)
{
    s->handler = outer.handler;
    s->js = outer.js;
}

/* receive(session, handler, bytes, hasTicks) -> 0 or an error of the library */
JS_NATIVE(session_receive)
{
    H2Session *s = h2_session(js, args);
    JsBytes bytes;
    if (!s || s->is_inside) return js_int(js, 0);
    if (!js_take_bytes(js, js_arg(args, 2), &bytes)) return NULL;
    Outer outer = enter(s, js, js_arg(args, 1));
    s->is_inside = true;
    s->has_ticks = js_truthy(js, js_arg(args, 3));
    ssize_t n = nghttp2_session_mem_recv(s->ng, bytes.p, bytes.n);
    s->is_inside = s->has_ticks = false;
    leave(s, outer);
    return js_int(js, n < 0 ? (i32)n : 0);
}

static void free_bytes(void *p, void *data)
{
    (void)data;
    mem_free(p);
}

/* output(session, handler) -> bytes to send, undefined when there are none, or an error */
JS_NATIVE(session_output)
{
    H2Session *s = h2_session(js, args);
    if (!s || s->is_inside) return JS_UNDEFINED;
    Outer outer = enter(s, js, js_arg(args, 1));
    s->is_inside = true;
    ssize_t n = 1;
    while (n > 0 && s->out.len < H2_OUT_MAX) {
        const u8 *p;
        n = nghttp2_session_mem_send(s->ng, &p);
        if (n > 0) buf_push(&s->out, (Str){(const char *)p, (usize)n});
    }
    s->is_inside = false;
    leave(s, outer);
    if (!s->out.len) return n < 0 ? js_int(js, (i32)n) : JS_UNDEFINED;
    Buf out = TAKE(s->out);
    return js_u8array_take(js, out.p, out.len, free_bytes, NULL);
}

/* wants(session) -> 1: has something to send, 2: still reads */
JS_NATIVE(session_wants)
{
    H2Session *s = h2_session(js, args);
    if (!s) return js_int(js, 0);
    return js_int(js, (nghttp2_session_want_write(s->ng) ? 1 : 0) |
                          (nghttp2_session_want_read(s->ng) ? 2 : 0));
}

/* terminate(session, code): the last frame, GOAWAY, is to be put out */
JS_NATIVE(session_terminate)
{
    H2Session *s = h2_session(js, args);
    if (!s) return js_int(js, 0);
    u32 code = (u32)js_get_number(js, js_arg(args, 1));
    return js_int(js, nghttp2_session_terminate_session(s->ng, code));
}

/* destroy(session): nothing happens on it any more */
JS_NATIVE(session_destroy)
{
    H2Session *s = h2_session(js, args);
    if (!s) return JS_UNDEFINED;
    /* The library may be further up the stack: the memory goes with the object. */
    s->is_failed = true;
    while (s->streams) {
        (void)nghttp2_session_set_stream_user_data(s->ng, s->streams->id, NULL);
        h2_stream_free(s->streams);
    }
    if (!s->is_inside) free_session(js_unwrap_take(js, js_arg(args, 0), &session_class));
    return JS_UNDEFINED;
}

/* ---- Frames of the connection -------------------------------------------------------------- */

/* settings(session, [id, value, ...]) -> 0, or -1: too many wait for an answer */
JS_NATIVE(session_settings)
{
    H2Session *s = h2_session(js, args);
    u32 n;
    if (!s) return js_int(js, 0);
    if (s->n_settings >= s->settings_max) return js_int(js, -1);
    if (!js_array_len(js, js_arg(args, 1), &n)) return NULL;
    nghttp2_settings_entry at[64];
    n = MIN(n / 2, (u32)COUNT(at));
    for (u32 i = 0; i < n; i++) {
        JsVal id = js_get_index(js, js_arg(args, 1), 2 * i);
        JsVal value = id ? js_get_index(js, js_arg(args, 1), 2 * i + 1) : NULL;
        if (!value) return NULL;
        at[i] = (nghttp2_settings_entry){js_get_i32(js, id), (u32)js_get_number(js, value)};
    }
    int rc = nghttp2_submit_settings(s->ng, NGHTTP2_FLAG_NONE, at, n);
    if (rc == 0) s->n_settings++;
    return js_int(js, rc);
}

static const nghttp2_settings_id setting_ids[] = {
    NGHTTP2_SETTINGS_HEADER_TABLE_SIZE,       NGHTTP2_SETTINGS_ENABLE_PUSH,
    NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS,  NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE,
    NGHTTP2_SETTINGS_MAX_FRAME_SIZE,          NGHTTP2_SETTINGS_MAX_HEADER_LIST_SIZE,
    NGHTTP2_SETTINGS_ENABLE_CONNECT_PROTOCOL,
};

/* getSettings(session, ofPeer) -> the values of these ids, in this order */
JS_NATIVE(session_get_settings)
{
    H2Session *s = h2_session(js, args);
    JsVal at[COUNT(setting_ids)];
    bool of_peer = js_truthy(js, js_arg(args, 1));
    if (!s) return JS_UNDEFINED;
    for (u32 i = 0; i < COUNT(at); i++) {
        u32 n = of_peer ? nghttp2_session_get_remote_settings(s->ng, setting_ids[i])
                        : nghttp2_session_get_local_settings(s->ng, setting_ids[i]);
        at[i] = js_number(js, n);
    }
    return js_array(js, at, COUNT(at));
}

/* ping(session, 8 bytes) -> 0, -1: too many wait for an answer, or an error */
JS_NATIVE(session_ping)
{
    H2Session *s = h2_session(js, args);
    JsBytes bytes;
    if (!s || s->n_pings >= s->pings_max) return js_int(js, -1);
    JS_EXPECT(js, js_bytes(js, js_arg(args, 1), &bytes) && bytes.n == 8);
    int rc = nghttp2_submit_ping(s->ng, NGHTTP2_FLAG_NONE, bytes.p);
    if (rc != 0) return js_int(js, rc);
    s->ping_ms[(s->first_ping + s->n_pings++) % COUNT(s->ping_ms)] = sys_monotonic_ns();
    return js_int(js, 0);
}

/* goaway(session, code, last stream or 0, bytes or undefined) -> 0 or an error */
JS_NATIVE(session_goaway)
{
    H2Session *s = h2_session(js, args);
    if (!s) return js_int(js, 0);
    u32 code = (u32)js_get_number(js, js_arg(args, 1));
    i32 last = js_get_i32(js, js_arg(args, 2));
    JsBytes bytes = {0};
    (void)js_bytes(js, js_arg(args, 3), &bytes);
    if (last <= 0) last = nghttp2_session_get_last_proc_stream_id(s->ng);
    return js_int(js,
                  nghttp2_submit_goaway(s->ng, NGHTTP2_FLAG_NONE, last, code, bytes.p, bytes.n));
}

/* altsvc(session, id, origin, value) */
JS_NATIVE(session_altsvc)
{
    H2Session *s = h2_session(js, args);
    AUTO(Scratch) scratch = scratch_begin(NULL);
    Str origin, value;
    if (!s) return js_int(js, 0);
    if (!js_to_str(js, scratch.arena, js_arg(args, 2), &origin) ||
        !js_to_str(js, scratch.arena, js_arg(args, 3), &value))
        return NULL;
    return js_int(js, nghttp2_submit_altsvc(s->ng, NGHTTP2_FLAG_NONE,
                                            js_get_i32(js, js_arg(args, 1)), (const u8 *)origin.p,
                                            origin.n, (const u8 *)value.p, value.n));
}

/* origin(session, text): origins, each with a NUL behind it */
JS_NATIVE(session_origin)
{
    H2Session *s = h2_session(js, args);
    AUTO(Scratch) scratch = scratch_begin(NULL);
    Str text, one;
    if (!s) return js_int(js, 0);
    if (!js_to_str(js, scratch.arena, js_arg(args, 1), &text)) return NULL;
    nghttp2_origin_entry *at = ARENA_ARRAY(scratch.arena, nghttp2_origin_entry, text.n + 1);
    usize n = 0;
    while (str_cut(text, 0, &one, &text))
        at[n++] = (nghttp2_origin_entry){(u8 *)(uintptr_t)one.p, one.n};
    return js_int(js, nghttp2_submit_origin(s->ng, NGHTTP2_FLAG_NONE, at, n));
}

/* nextId(session, id) -> 0 or an error */
JS_NATIVE(session_next_id)
{
    H2Session *s = h2_session(js, args);
    if (!s) return js_int(js, 0);
    return js_int(js, nghttp2_session_set_next_stream_id(s->ng, js_get_i32(js, js_arg(args, 1))));
}

/* window(session, size) -> 0 or an error: of the connection */
JS_NATIVE(session_window)
{
    H2Session *s = h2_session(js, args);
    if (!s) return js_int(js, 0);
    i32 size = js_get_i32(js, js_arg(args, 1));
    return js_int(js, nghttp2_session_set_local_window_size(s->ng, NGHTTP2_FLAG_NONE, 0, size));
}

/* state(session) -> the nine numbers of session.state, in Node's order */
JS_NATIVE(session_state)
{
    H2Session *s = h2_session(js, args);
    if (!s) return JS_UNDEFINED;
    nghttp2_session *ng = s->ng;
    JsVal at[9] = {
        js_int(js, nghttp2_session_get_effective_local_window_size(ng)),
        js_int(js, nghttp2_session_get_effective_recv_data_length(ng)),
        js_number(js, nghttp2_session_get_next_stream_id(ng)),
        js_int(js, nghttp2_session_get_local_window_size(ng)),
        js_int(js, nghttp2_session_get_last_proc_stream_id(ng)),
        js_int(js, nghttp2_session_get_remote_window_size(ng)),
        js_number(js, (f64)nghttp2_session_get_outbound_queue_size(ng)),
        js_number(js, (f64)nghttp2_session_get_hd_deflate_dynamic_table_size(ng)),
        js_number(js, (f64)nghttp2_session_get_hd_inflate_dynamic_table_size(ng)),
    };
    return js_array(js, at, COUNT(at));
}

/* errorText(code) -> the library's sentence */
JS_NATIVE(session_error_text)
{
    const char *text = nghttp2_strerror(js_get_i32(js, js_arg(args, 0)));
    return js_str(js, str_z(text));
}

static const JsFn fns[] = {
    JS_FN("create", session_create),       JS_FN("receive", session_receive),
    JS_FN("output", session_output),       JS_FN("wants", session_wants),
    JS_FN("terminate", session_terminate), JS_FN("destroy", session_destroy),
    JS_FN("settings", session_settings),   JS_FN("getSettings", session_get_settings),
    JS_FN("ping", session_ping),           JS_FN("goaway", session_goaway),
    JS_FN("altsvc", session_altsvc),       JS_FN("origin", session_origin),
    JS_FN("nextId", session_next_id),      JS_FN("window", session_window),
    JS_FN("state", session_state),         JS_FN("errorText", session_error_text),
};
BUILTIN_NATIVE(node_http2_http2_session, fns)
