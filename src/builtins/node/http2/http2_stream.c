/* node/http2/http2_stream.c -- streams: heads that go out, bodies, and how they end. */
#include "builtins/node/http2/http2.h"
#include "codec/utf.h"

#include <string.h>

H2Stream *h2_stream_open(H2Session *s, i32 id)
{
    H2Stream *t = MEM_NEW(H2Stream);
    u32 max = nghttp2_session_get_local_settings(s->ng, NGHTTP2_SETTINGS_MAX_HEADER_LIST_SIZE);
    *t = (H2Stream){.session = s, .id = id, .next = s->streams, .head_max = max};
    if (t->next) t->next->prev = t;
    s->streams = t;
    (void)nghttp2_session_set_stream_user_data(s->ng, id, t);
    return t;
}

void h2_stream_free(H2Stream *t)
{
    H2Session *s = t->session;
    if (t->prev)
        t->prev->next = t->next;
    else
        s->streams = t->next;
    if (t->next) t->next->prev = t->prev;
    s->stream_memory -= t->out.len - t->sent;
    Buf_deinit(&t->out);
    mem_free(t);
}

/* The library's signature has more parameters than ours may have. */
#define STREAM_ARGS nghttp2_session *ng, i32 id

/* NOLINTNEXTLINE(readability-function-size) */
static ssize_t read_body(STREAM_ARGS, u8 *buf, usize size, u32 *flags, nghttp2_data_source *source,
                         void *data)
{
    (void)source;
    H2Session *s = data;
    H2Stream *t = nghttp2_session_get_stream_user_data(ng, id);
    if (!t) return NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE;
    usize n = MIN(size, t->out.len - t->sent);
    if (n) memcpy(buf, t->out.p + t->sent, n);
    t->sent += n;
    s->stream_memory -= n;
    bool is_empty = t->sent == t->out.len;
    if (is_empty) {
        buf_clear(&t->out);
        t->sent = 0;
    }
    if (is_empty && t->has_waiting) {
        t->has_waiting = false;
        h2_tell(s, H2_WROTE, id, JS_UNDEFINED, JS_UNDEFINED);
        t = nghttp2_session_get_stream_user_data(ng, id);
        if (!t) return n ? (ssize_t)n : NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE;
        is_empty = t->out.len == 0;
    }
    if (!is_empty || !t->is_ended) {
        if (n) return (ssize_t)n;
        if (!is_empty) return 0;
        t->is_deferred = true;
        return NGHTTP2_ERR_DEFERRED;
    }
    *flags |= NGHTTP2_DATA_FLAG_EOF;
    if (t->has_trailers) {
        *flags |= NGHTTP2_DATA_FLAG_NO_END_STREAM;
        if (!t->is_asked) h2_tell(s, H2_TRAILERS, id, JS_UNDEFINED, JS_UNDEFINED);
        t = nghttp2_session_get_stream_user_data(ng, id);
        if (t) t->is_asked = true;
    }
    return (ssize_t)n;
}

nghttp2_data_provider h2_stream_body(void)
{
    return (nghttp2_data_provider){.read_callback = read_body};
}

/* ---- Heads --------------------------------------------------------------------------------- */

/* Name, value and a digit ("1": not to be indexed), each with a NUL behind it. */
static bool take_pair(Str *text, nghttp2_nv *ret)
{
    Str name, value, flag;
    if (!str_cut(*text, 0, &name, text) || !str_cut(*text, 0, &value, text)) return false;
    if (!str_cut(*text, 0, &flag, text) || flag.n != 1) return false;
    *ret = (nghttp2_nv){
        .name = (u8 *)(uintptr_t)name.p,
        .namelen = name.n,
        .value = (u8 *)(uintptr_t)value.p,
        .valuelen = value.n,
        .flags = flag.p[0] == '1' ? NGHTTP2_NV_FLAG_NO_INDEX : NGHTTP2_NV_FLAG_NONE,
    };
    return flag.p[0] == '0' || flag.p[0] == '1';
}

nghttp2_nv *h2_pairs(Js *js, Arena *a, JsVal v, usize *ret)
{
    JsChars chars;
    *ret = 0;
    if (!js_chars(js, v, &chars)) return NULL;
    u8 *copy = arena_alloc_dirty(a, chars.len + 1, 1);
    if (chars.is_latin1)
        memcpy(copy, chars.latin1, chars.len);
    else
        utf16_low_bytes(chars.utf16, chars.len, copy);
    Str text = {(const char *)copy, chars.len};
    usize n_nul = 0;
    for (usize i = 0; i < text.n; i++) n_nul += !text.p[i];
    nghttp2_nv *pairs = ARENA_ARRAY(a, nghttp2_nv, n_nul / 3 + 1);
    usize n = 0;
    while (text.n)
        if (!take_pair(&text, &pairs[n++])) return NULL;
    *ret = n;
    return pairs;
}

enum { OPT_END = 1, OPT_TRAILERS = 2 };

/* request(session, head, flags, parent, weight, exclusive) -> id or an error of the library */
JS_NATIVE(stream_request)
{
    H2Session *s = h2_session(js, args);
    if (!s) return js_int(js, NGHTTP2_ERR_SESSION_CLOSING);
    AUTO(Scratch) scratch = scratch_begin(NULL);
    usize n;
    nghttp2_nv *pairs = h2_pairs(js, scratch.arena, js_arg(args, 1), &n);
    if (!pairs) return js_int(js, NGHTTP2_ERR_INVALID_HEADER_BLOCK);
    i32 flags = js_get_i32(js, js_arg(args, 2));
    nghttp2_priority_spec spec;
    nghttp2_priority_spec_init(&spec, js_get_i32(js, js_arg(args, 3)),
                               js_get_i32(js, js_arg(args, 4)), js_truthy(js, js_arg(args, 5)));
    nghttp2_data_provider body = h2_stream_body();
    bool has_body = !(flags & OPT_END);
    i32 id = nghttp2_submit_request(s->ng, &spec, pairs, n, has_body ? &body : NULL, NULL);
    if (id < 0) return js_int(js, id);
    H2Stream *t = h2_stream_open(s, id);
    t->has_trailers = flags & OPT_TRAILERS;
    t->is_ended = flags & OPT_END;
    return js_int(js, id);
}

/* respond(session, id, head, flags) -> 0 or an error */
JS_NATIVE(stream_respond)
{
    H2Stream *t = h2_stream(js, args);
    if (!t) return js_int(js, NGHTTP2_ERR_INVALID_STREAM_ID);
    AUTO(Scratch) scratch = scratch_begin(NULL);
    usize n;
    nghttp2_nv *pairs = h2_pairs(js, scratch.arena, js_arg(args, 2), &n);
    if (!pairs) return js_int(js, NGHTTP2_ERR_INVALID_HEADER_BLOCK);
    i32 flags = js_get_i32(js, js_arg(args, 3));
    /* Nothing was and will be written: the head is the end, whatever was said of trailers. */
    bool has_body = !(flags & OPT_END) && (!t->is_ended || t->out.len);
    t->has_trailers = has_body && flags & OPT_TRAILERS;
    if (!has_body) t->is_ended = true;
    nghttp2_data_provider body = h2_stream_body();
    return js_int(
        js, nghttp2_submit_response(t->session->ng, t->id, pairs, n, has_body ? &body : NULL));
}

/* headers(session, id, head, isTrailer) -> 0 or an error: informational ones, or trailers */
JS_NATIVE(stream_headers)
{
    H2Stream *t = h2_stream(js, args);
    if (!t) return js_int(js, NGHTTP2_ERR_INVALID_STREAM_ID);
    AUTO(Scratch) scratch = scratch_begin(NULL);
    usize n;
    nghttp2_session *ng = t->session->ng;
    nghttp2_nv *pairs = h2_pairs(js, scratch.arena, js_arg(args, 2), &n);
    if (!pairs) return js_int(js, NGHTTP2_ERR_INVALID_HEADER_BLOCK);
    if (!js_truthy(js, js_arg(args, 3)))
        return js_int(js,
                      nghttp2_submit_headers(ng, NGHTTP2_FLAG_NONE, t->id, NULL, pairs, n, NULL));
    if (n) return js_int(js, nghttp2_submit_trailer(ng, t->id, pairs, n));
    /* No trailers: an empty frame says that it is the end. */
    t->has_trailers = false;
    nghttp2_data_provider body = h2_stream_body();
    return js_int(js, nghttp2_submit_data(ng, NGHTTP2_FLAG_END_STREAM, t->id, &body));
}

/* push(session, id, head, flags) -> id of the new stream or an error */
JS_NATIVE(stream_push)
{
    H2Stream *t = h2_stream(js, args);
    if (!t) return js_int(js, NGHTTP2_ERR_STREAM_CLOSED);
    AUTO(Scratch) scratch = scratch_begin(NULL);
    usize n;
    H2Session *s = t->session;
    nghttp2_nv *pairs = h2_pairs(js, scratch.arena, js_arg(args, 2), &n);
    if (!pairs) return js_int(js, NGHTTP2_ERR_INVALID_HEADER_BLOCK);
    H2Stream *made = h2_stream_open(s, 0);
    i32 id = nghttp2_submit_push_promise(s->ng, NGHTTP2_FLAG_NONE, t->id, pairs, n, made);
    if (id < 0) {
        h2_stream_free(made);
        return js_int(js, id);
    }
    made->id = id;
    made->is_ended = js_get_i32(js, js_arg(args, 3)) & OPT_END;
    return js_int(js, id);
}

/* ---- Bodies -------------------------------------------------------------------------------- */

static void resume(H2Stream *t)
{
    if (!t->is_deferred) return;
    t->is_deferred = false;
    (void)nghttp2_session_resume_data(t->session->ng, t->id);
}

/* write(session, id, bytes | string, isLatin1) -> bytes; -1: it is gone.  H2_WROTE follows. */
JS_NATIVE(stream_write)
{
    H2Stream *t = h2_stream(js, args);
    if (!t) return js_int(js, -1);
    JsVal v = js_arg(args, 2);
    usize before = t->out.len;
    JsBytes bytes;
    JsChars chars;
    if (!js_is_string(js, v)) {
        if (!js_take_bytes(js, v, &bytes)) return NULL;
        if (bytes.n) buf_push(&t->out, (Str){(const char *)bytes.p, bytes.n});
    } else {
        if (!js_chars(js, v, &chars)) return NULL;
        bool is_latin1 = js_truthy(js, js_arg(args, 3));
        usize room = is_latin1 ? chars.len : chars.len * 3;
        char *to = buf_reserve(&t->out, room + 1);
        if (is_latin1 && chars.is_latin1)
            memcpy(to, chars.latin1, chars.len);
        else if (is_latin1)
            utf16_low_bytes(chars.utf16, chars.len, (u8 *)to);
        if (is_latin1)
            t->out.len += chars.len;
        else if (chars.is_latin1)
            t->out.len += utf_latin1_to_utf8(chars.latin1, chars.len, to);
        else
            t->out.len += utf16_to_utf8(chars.utf16, chars.len, to);
    }
    usize n = t->out.len - before;
    t->session->stream_memory += n;
    t->has_waiting = true;
    resume(t);
    return js_number(js, (f64)n);
}

/* end(session, id): no more will be written */
JS_NATIVE(stream_end)
{
    H2Stream *t = h2_stream(js, args);
    if (!t || t->is_ended) return JS_FALSE;
    t->is_ended = true;
    resume(t);
    return JS_TRUE;
}

/* read(session, id, on): whether what comes is being read, so that more of it may */
JS_NATIVE(stream_read)
{
    H2Stream *t = h2_stream(js, args);
    if (!t) return JS_FALSE;
    t->is_reading = js_truthy(js, js_arg(args, 2));
    if (!t->is_reading || !t->unread) return JS_FALSE;
    (void)nghttp2_session_consume_stream(t->session->ng, t->id, t->unread);
    t->unread = 0;
    return JS_TRUE;
}

/* ---- Ends ---------------------------------------------------------------------------------- */

/* reset(session, id, code) -> 0 or an error.  Of streams that JavaScript has forgotten, too. */
JS_NATIVE(stream_reset)
{
    H2Session *s = h2_session(js, args);
    i32 id = js_get_i32(js, js_arg(args, 1));
    u32 code = (u32)js_get_number(js, js_arg(args, 2));
    if (!s || id <= 0) return js_int(js, 0);
    return js_int(js, nghttp2_submit_rst_stream(s->ng, NGHTTP2_FLAG_NONE, id, code));
}

/* forget(session, id): nothing is told of it any more */
JS_NATIVE(stream_forget)
{
    H2Stream *t = h2_stream(js, args);
    if (!t) return JS_FALSE;
    nghttp2_session *ng = t->session->ng;
    (void)nghttp2_session_set_stream_user_data(ng, t->id, NULL);
    if (t->unread) (void)nghttp2_session_consume_stream(ng, t->id, t->unread);
    h2_stream_free(t);
    return JS_TRUE;
}

/* priority(session, id, parent, weight, exclusive, silent) -> 0 or an error */
JS_NATIVE(stream_priority)
{
    H2Stream *t = h2_stream(js, args);
    if (!t) return js_int(js, 0);
    nghttp2_priority_spec spec;
    nghttp2_priority_spec_init(&spec, js_get_i32(js, js_arg(args, 2)),
                               js_get_i32(js, js_arg(args, 3)), js_truthy(js, js_arg(args, 4)));
    nghttp2_session *ng = t->session->ng;
    if (js_truthy(js, js_arg(args, 5)))
        return js_int(js, nghttp2_session_change_stream_priority(ng, t->id, &spec));
    return js_int(js, nghttp2_submit_priority(ng, NGHTTP2_FLAG_NONE, t->id, &spec));
}

/* streamState(session, id) -> [state, weight, sum of weights, local close, remote close, window] */
JS_NATIVE(stream_state)
{
    H2Session *s = h2_session(js, args);
    i32 id = js_get_i32(js, js_arg(args, 1));
    nghttp2_stream *t = s ? nghttp2_session_find_stream(s->ng, id) : NULL;
    if (!t) {
        JsVal none[6];
        for (u32 i = 0; i < COUNT(none); i++)
            none[i] = js_int(js, i ? 0 : NGHTTP2_STREAM_STATE_IDLE);
        return js_array(js, none, COUNT(none));
    }
    JsVal at[6] = {
        js_int(js, (i32)nghttp2_stream_get_state(t)),
        js_int(js, nghttp2_stream_get_weight(t)),
        js_int(js, nghttp2_stream_get_sum_dependency_weight(t)),
        js_int(js, nghttp2_session_get_stream_local_close(s->ng, id)),
        js_int(js, nghttp2_session_get_stream_remote_close(s->ng, id)),
        js_int(js, nghttp2_session_get_stream_local_window_size(s->ng, id)),
    };
    return js_array(js, at, COUNT(at));
}

static const JsFn fns[] = {
    JS_FN("request", stream_request),   JS_FN("respond", stream_respond),
    JS_FN("headers", stream_headers),   JS_FN("push", stream_push),
    JS_FN("write", stream_write),       JS_FN("end", stream_end),
    JS_FN("read", stream_read),         JS_FN("reset", stream_reset),
    JS_FN("forget", stream_forget),     JS_FN("priority", stream_priority),
    JS_FN("streamState", stream_state),
};
BUILTIN_NATIVE(node_http2_http2_stream, fns)
