/* http/http_client_h2.c -- many requests over one HTTP/2 connection (nghttp2).
 *
 * The library calls back while it is fed and while it is asked for output; what is submitted
 * meanwhile goes out afterwards.  Flow control is the caller's pace: bytes of a paused fetch are
 * kept (at most a window full) and not acknowledged. */
#include "http/http_client_private.h"

#include <nghttp2/nghttp2.h>
#include <string.h>

enum {
    STREAM_WINDOW = 1 << 20,
    CONN_WINDOW = 1 << 24,
    HEADERS_MAX = 1000,
};

/* ---- Streams -------------------------------------------------------------------------------- */

static void link_stream(HttpConn *c, HttpFetch *f)
{
    f->prev = NULL;
    f->next = c->h2_fetches;
    if (f->next) f->next->prev = f;
    c->h2_fetches = f;
    c->n_streams++;
}

static void unlink_stream(HttpConn *c, HttpFetch *f)
{
    if (f->prev)
        f->prev->next = f->next;
    else
        c->h2_fetches = f->next;
    if (f->next) f->next->prev = f->prev;
    f->next = f->prev = NULL;
    f->conn = NULL;
    f->h2_id = -1;
    c->n_streams--;
}

/* Streams have become fewer: the connection is idle, or has room for who waits. */
static void after_stream(HttpConn *c)
{
    if (c->state != CONN_READY || net_stream_is_closing(&c->stream)) return;
    if (!c->n_streams && c->is_goaway)
        http_line_close(c);
    else if (!c->n_streams)
        http_pool_put_idle(c);
    else
        http_pool_dispatch(c->origin);
}

/* The stream is closed and the caller has everything. */
static void finish(HttpConn *c, HttpFetch *f)
{
    u32 code = f->h2_code;
    unlink_stream(c, f);
    c->was_used = true;
    http_fetch_hold(f);
    after_stream(c);
    f->detail = (int)code;
    if (code == NGHTTP2_REFUSED_STREAM)
        http_fetch_broken(f, HTTP_CLIENT_ECLOSED, !f->has_head);
    else if (code != NGHTTP2_NO_ERROR && !(f->has_head && code == NGHTTP2_CANCEL))
        http_fetch_done(f, HTTP_CLIENT_EH2);
    else if (!f->has_head)
        http_fetch_done(f, HTTP_CLIENT_ECLOSED);
    else
        http_fetch_done(f, code ? HTTP_CLIENT_ECLOSED : http_body_decode_end(f));
    http_fetch_release(f);
}

void http_h2_abort(HttpConn *c, HttpFetch *f)
{
    i32 id = f->h2_id;
    unlink_stream(c, f);
    if (id < 0 || !c->h2) return;
    nghttp2_session_set_stream_user_data(c->h2, id, NULL);
    if (c->state != CONN_READY || net_stream_is_closing(&c->stream)) return;
    (void)nghttp2_submit_rst_stream(c->h2, NGHTTP2_FLAG_NONE, id, NGHTTP2_CANCEL);
    http_h2_flush(c);
    after_stream(c);
}

/* ---- Receiving ------------------------------------------------------------------------------ */

static HttpFetch *fetch_of(nghttp2_session *session, i32 id)
{
    return nghttp2_session_get_stream_user_data(session, id);
}

static int on_begin_headers(nghttp2_session *session, const nghttp2_frame *frame, void *data)
{
    (void)data;
    HttpFetch *f = fetch_of(session, frame->hd.stream_id);
    if (!f || f->has_head) return 0;
    f->n_pairs = 0;
    f->status = 0;
    f->n_head = 0;
    arena_clear(&f->head_arena);
    return 0;
}

static Str text_of(nghttp2_rcbuf *buf)
{
    nghttp2_vec v = nghttp2_rcbuf_get_buf(buf);
    return (Str){(const char *)v.base, v.len};
}

static int on_header(nghttp2_session *session, const nghttp2_frame *frame, nghttp2_rcbuf *name,
                     nghttp2_rcbuf *value, u8 flags, void *data)
{
    (void)flags;
    (void)data;
    HttpFetch *f = fetch_of(session, frame->hd.stream_id);
    if (!f || f->has_head) return 0;
    Str key = text_of(name), text = text_of(value);
    if (str_eq(key, S(":status"))) {
        u64 status;
        f->status = str_to_u64(text, &status) && status < 1000 ? (u32)status : 0;
        return 0;
    }
    f->n_head += (u32)(key.n + text.n + 32);
    if (f->n_head > HTTP_CLIENT_HEAD_MAX || f->n_pairs >= HEADERS_MAX)
        return NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE;
    http_fetch_add_pair(f, str_dup(&f->head_arena, key), str_dup(&f->head_arena, text));
    return 0;
}

static u64 length_of(const HttpFetch *f)
{
    u64 length;
    for (u32 i = 0; i < f->n_pairs; i++) {
        bool is_length = str_eq(f->pairs[i].name, S("content-length"));
        if (is_length && str_to_u64(f->pairs[i].value, &length)) return length;
    }
    return UINT64_MAX;
}

static int on_frame(nghttp2_session *session, const nghttp2_frame *frame, void *data)
{
    HttpConn *c = data;
    if (frame->hd.type == NGHTTP2_SETTINGS) {
        u32 max =
            nghttp2_session_get_remote_settings(session, NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS);
        c->streams_max = MIN(max, (u32)HTTP_CLIENT_STREAMS_MAX);
    }
    if (frame->hd.type == NGHTTP2_GOAWAY) c->is_goaway = true;
    if (frame->hd.type != NGHTTP2_HEADERS) return 0;
    HttpFetch *f = fetch_of(session, frame->hd.stream_id);
    if (!f || f->has_head || f->status < 200) return 0;
    bool has_body = !(frame->hd.flags & NGHTTP2_FLAG_END_STREAM);
    (void)http_fetch_on_head(f, S(""), 20, has_body, length_of(f));
    return 0;
}

static int on_data_chunk(nghttp2_session *session, u8 flags, i32 id, const u8 *p, usize n,
                         void *data)
{
    (void)flags;
    (void)data;
    HttpFetch *f = fetch_of(session, id);
    if (!f) {
        (void)nghttp2_session_consume(session, id, n);
        return 0;
    }
    http_fetch_hold(f);
    f->n_unconsumed += n;
    if (http_body_deliver(f, (Str){(const char *)p, n}) && !f->is_paused) {
        (void)nghttp2_session_consume(session, id, f->n_unconsumed);
        f->n_unconsumed = 0;
    } else if (f->is_dead) {
        (void)nghttp2_session_consume_connection(session, f->n_unconsumed);
    }
    http_fetch_release(f);
    return 0;
}

static int on_stream_close(nghttp2_session *session, i32 id, u32 code, void *data)
{
    HttpConn *c = data;
    HttpFetch *f = fetch_of(session, id);
    if (!f) return 0;
    nghttp2_session_set_stream_user_data(session, id, NULL);
    f->h2_id = -1;
    f->h2_code = code;
    if (f->n_unconsumed) (void)nghttp2_session_consume_connection(session, f->n_unconsumed);
    f->n_unconsumed = 0;
    f->is_closed = true;
    bool waits = f->is_paused || http_body_is_pending(f);
    if (!waits || code) finish(c, f);
    return 0;
}

void http_h2_input(HttpConn *c, Str in)
{
    c->has_input = true;
    c->is_reading = true;
    ssize_t n = nghttp2_session_mem_recv(c->h2, (const u8 *)in.p, in.n);
    c->is_reading = false;
    if (n < 0) {
        c->detail = (int)n;
        http_line_fail(c, HTTP_CLIENT_EH2);
        return;
    }
    http_h2_flush(c);
    if (c->state != CONN_READY || net_stream_is_closing(&c->stream)) return;
    bool is_over = !nghttp2_session_want_read(c->h2) && !nghttp2_session_want_write(c->h2);
    if (is_over || (c->is_goaway && !c->n_streams))
        http_line_close(c);
    else
        http_pool_dispatch(c->origin);
}

void http_h2_consumed(HttpConn *c, HttpFetch *f)
{
    http_fetch_hold(f);
    if (http_body_deliver_rest(f) && !f->is_paused && f->conn == c) {
        if (f->is_closed) {
            finish(c, f);
        } else if (f->n_unconsumed) {
            (void)nghttp2_session_consume(c->h2, f->h2_id, f->n_unconsumed);
            f->n_unconsumed = 0;
            http_h2_flush(c);
        }
    }
    http_fetch_release(f);
}

/* ---- Sending -------------------------------------------------------------------------------- */

void http_h2_flush(HttpConn *c)
{
    if (c->is_sending || c->is_reading || !c->h2) return;
    c->is_sending = true;
    while (!net_stream_is_closing(&c->stream)) {
        const u8 *p;
        ssize_t n = nghttp2_session_mem_send(c->h2, &p);
        if (n < 0) http_line_fail(c, HTTP_CLIENT_EH2);
        if (n <= 0) break;
        if (!net_stream_write(&c->stream, p, (usize)n)) break;
    }
    c->is_sending = false;
}

/* The library's signature has more parameters than ours may have. */
#define STREAM_ARGS nghttp2_session *session, i32 id

/* The next bytes of a body. */
/* NOLINTNEXTLINE(readability-function-size) */
static ssize_t read_body(STREAM_ARGS, u8 *buf, usize size, u32 *flags, nghttp2_data_source *source,
                         void *data)
{
    (void)session;
    (void)id;
    (void)data;
    HttpFetch *f = source->ptr;
    if (!f->has_streamed) {
        usize n = MIN(size, f->o.body.n - (usize)f->sent);
        if (n) memcpy(buf, f->o.body.p + f->sent, n);
        f->sent += n;
        if (f->sent == f->o.body.n) *flags |= NGHTTP2_DATA_FLAG_EOF;
        return (ssize_t)n;
    }
    usize n = MIN(size, f->upload.len);
    if (n) {
        memcpy(buf, f->upload.p, n);
        buf_drop(&f->upload, n);
        f->sent += n;
    }
    if (f->is_upload_ended && !f->upload.len) {
        *flags |= NGHTTP2_DATA_FLAG_EOF;
        f->is_upload_done = true;
    } else if (f->needs_drain && f->upload.len < UPLOAD_HIGH / 2) {
        f->needs_drain = false;
        if (f->events->on_drain) f->events->on_drain(f);
    }
    if (n || *flags & NGHTTP2_DATA_FLAG_EOF) return (ssize_t)n;
    return f->upload.len ? 0 : NGHTTP2_ERR_DEFERRED;
}

void http_h2_upload(HttpConn *c, HttpFetch *f)
{
    if (f->h2_id < 0) return;
    (void)nghttp2_session_resume_data(c->h2, f->h2_id);
    http_h2_flush(c);
}

static bool is_left_out(Str name)
{
    static const Str names[] = {
        {"connection", 10}, {"host", 4}, {"keep-alive", 10},        {"proxy-connection", 16},
        {"upgrade", 7},     {"te", 2},   {"transfer-encoding", 17}, {"content-length", 14},
    };
    for (u32 i = 0; i < COUNT(names); i++)
        if (str_eq_nocase(name, names[i])) return true;
    return false;
}

static nghttp2_nv pair_of(Str name, Str value)
{
    return (nghttp2_nv){
        .name = (u8 *)(uintptr_t)name.p,
        .namelen = name.n,
        .value = (u8 *)(uintptr_t)value.p,
        .valuelen = value.n,
    };
}

static u32 make_head(Arena *a, const HttpFetch *f, nghttp2_nv *pairs)
{
    u32 n = 0;
    Str host = http_fetch_authority(f);
    for (u32 i = 0; i < f->n_headers; i++)
        if (str_eq_nocase(f->headers[i].name, S("host"))) host = f->headers[i].value;
    pairs[n++] = pair_of(S(":method"), f->method);
    pairs[n++] = pair_of(S(":scheme"), S("https"));
    pairs[n++] = pair_of(S(":authority"), host);
    pairs[n++] = pair_of(S(":path"), http_fetch_target(a, f));
    for (u32 i = 0; i < f->n_headers; i++) {
        const HttpPair *p = &f->headers[i];
        if (!is_left_out(p->name)) pairs[n++] = pair_of(str_lower(a, p->name), p->value);
    }
    u64 length = f->has_streamed ? f->o.body_len : f->o.body.n;
    if (f->has_body && length != UINT64_MAX) {
        Str text = str_fmt(a, "%llu", (unsigned long long)length);
        pairs[n++] = pair_of(S("content-length"), text);
    }
    return n;
}

void http_h2_start(HttpConn *c, HttpFetch *f)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    nghttp2_nv *pairs = ARENA_ARRAY(s.arena, nghttp2_nv, f->n_headers + 5);
    u32 n = make_head(s.arena, f, pairs);
    nghttp2_data_provider body = {.source = {.ptr = f}, .read_callback = read_body};
    link_stream(c, f);
    f->is_closed = false;
    f->h2_code = 0;
    f->h2_id = nghttp2_submit_request(c->h2, NULL, pairs, n, f->has_body ? &body : NULL, f);
    if (!f->has_streamed) f->is_upload_done = true;
    if (f->h2_id < 0) {
        c->detail = f->h2_id;
        http_line_fail(c, HTTP_CLIENT_EH2);
        return;
    }
    http_h2_flush(c);
}

/* ---- Beginning ------------------------------------------------------------------------------ */

bool http_h2_begin(HttpConn *c)
{
    nghttp2_session_callbacks *callbacks;
    nghttp2_option *option;
    if (nghttp2_session_callbacks_new(&callbacks) != 0) return false;
    if (nghttp2_option_new(&option) != 0) {
        nghttp2_session_callbacks_del(callbacks);
        return false;
    }
    nghttp2_session_callbacks_set_on_begin_headers_callback(callbacks, on_begin_headers);
    nghttp2_session_callbacks_set_on_header_callback2(callbacks, on_header);
    nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks, on_frame);
    nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks, on_data_chunk);
    nghttp2_session_callbacks_set_on_stream_close_callback(callbacks, on_stream_close);
    nghttp2_option_set_no_auto_window_update(option, 1);
    nghttp2_option_set_no_closed_streams(option, 1);
    int rc = nghttp2_session_client_new2(&c->h2, callbacks, c, option);
    nghttp2_option_del(option);
    nghttp2_session_callbacks_del(callbacks);
    if (rc != 0) return false;
    c->streams_max = HTTP_CLIENT_STREAMS_MAX;
    const nghttp2_settings_entry settings[] = {
        {NGHTTP2_SETTINGS_ENABLE_PUSH, 0},
        {NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, STREAM_WINDOW},
        {NGHTTP2_SETTINGS_MAX_HEADER_LIST_SIZE, HTTP_CLIENT_HEAD_MAX},
    };
    rc = nghttp2_submit_settings(c->h2, NGHTTP2_FLAG_NONE, settings, COUNT(settings));
    if (rc != 0) return false;
    rc = nghttp2_session_set_local_window_size(c->h2, NGHTTP2_FLAG_NONE, 0, CONN_WINDOW);
    return rc == 0;
}

void http_h2_free(HttpConn *c)
{
    if (c->h2) nghttp2_session_del(c->h2);
    c->h2 = NULL;
}
