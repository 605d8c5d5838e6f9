/* http/http_session.c -- HTTP/2 below a connection of the server (RFC 9113), by nghttp2.
 *
 * The library is fed with what comes in and calls back; what it has to send is taken from it when
 * the input is used up, or when a stream has got something to say, and goes out as the output of
 * the connection. It stops being asked while HTTP_SESSION_OUT_MAX bytes wait, so that a client that
 * does not read costs no more than that and what its streams hold.
 *
 * Frames that carry nothing (PING, SETTINGS, PRIORITY, empty DATA, tiny windows) and
 * streams that end by a reset are counted against a rate: a client that goes beyond it is sent away
 * with ENHANCE_YOUR_CALM.  The library itself bounds CONTINUATION frames and answers that wait. */
#include "http/http_h2.h"
#include "util/mem.h"

#include <string.h>

enum {
    TINY_WINDOW = 64,
    FRAME_HEAD_SIZE = 9,
    HEAD_FIELD_COST = 32, /* RFC 9113, 6.5.2 */
    HEAD_SIZE_FACTOR = 8, /* so many times too long: the connection is given up */
};

static const char preface[HTTP_PREFACE_SIZE + 1] = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

int http_session_is_preface(Str in)
{
    usize n = MIN(in.n, (usize)HTTP_PREFACE_SIZE);
    if (memcmp(in.p, preface, n) != 0) return 0;
    return n == HTTP_PREFACE_SIZE ? 1 : -1;
}

/* ---- Limits -------------------------------------------------------------------------------- */

/* Takes one; false: there is none left.  `rate`: those that come back each second. */
static bool take_one(HttpBucket *b, u64 now, u64 burst, u64 rate)
{
    u64 back = (now - b->at_ms) * rate / 1000;
    if (back) {
        b->left = MIN(burst, b->left + back);
        b->at_ms = now;
    }
    if (!b->left) return false;
    b->left--;
    return true;
}

/* What a callback returns: the connection goes on, or the library is told to stop. */
static int go_on(const HttpSession *s)
{
    bool is_gone = s->is_over || s->conn->state != HTTP_CONN_H2;
    return is_gone ? NGHTTP2_ERR_CALLBACK_FAILURE : 0;
}

/* Says why, and ends the connection once that is out. */
static int give_up(HttpSession *s, u32 code)
{
    if (!s->is_over) (void)nghttp2_session_terminate_session(s->ng, code);
    s->is_over = true;
    return NGHTTP2_ERR_CALLBACK_FAILURE;
}

static int count_control(HttpSession *s)
{
    u64 now = loop_now_ms(s->conn->server->loop);
    bool ok = take_one(&s->control, now, HTTP_CONTROL_BURST, 1000);
    return ok ? 0 : give_up(s, NGHTTP2_ENHANCE_YOUR_CALM);
}

static int count_reset(HttpSession *s)
{
    u64 now = loop_now_ms(s->conn->server->loop);
    bool ok = take_one(&s->resets, now, HTTP_RESET_BURST, HTTP_RESET_RATE);
    return ok ? 0 : give_up(s, NGHTTP2_ENHANCE_YOUR_CALM);
}

/* ---- Heads --------------------------------------------------------------------------------- */

static u32 head_size_max(const HttpSession *s)
{
    u32 max = s->conn->server->options.head_size_max;
    return max ? max : HTTP_HEAD_SIZE_MAX;
}

static u32 fields_max(const HttpSession *s)
{
    u32 max = s->conn->server->options.fields_max;
    return max ? max : HTTP_FIELDS_MAX;
}

static void clear_head(HttpIncoming *h)
{
    for (u32 i = 0; i < PSEUDO_COUNT; i++) buf_clear(&h->pseudo[i]);
    buf_clear(&h->fields);
    buf_clear(&h->cookie);
    h->size = h->n_fields = 0;
    h->is_too_big = h->has_host = false;
}

static int on_begin_headers(nghttp2_session *ng, const nghttp2_frame *frame, void *data)
{
    (void)ng;
    (void)frame;
    HttpSession *s = data;
    clear_head(&s->head);
    return go_on(s);
}

static Buf *pseudo_of(HttpIncoming *h, Str name)
{
    if (str_eq(name, S(":method"))) return &h->pseudo[PSEUDO_METHOD];
    if (str_eq(name, S(":path"))) return &h->pseudo[PSEUDO_PATH];
    if (str_eq(name, S(":authority"))) return &h->pseudo[PSEUDO_AUTHORITY];
    if (str_eq(name, S(":scheme"))) return &h->pseudo[PSEUDO_SCHEME];
    return NULL;
}

static void add_field(HttpIncoming *h, Str name, Str value)
{
    if (name.p[0] == ':') {
        Buf *to = pseudo_of(h, name);
        if (to) buf_push(to, value);
        return;
    }
    /* A list of cookies may come in crumbs (RFC 9113, 8.2.3). */
    if (str_eq(name, S("cookie"))) {
        if (h->cookie.len) buf_push(&h->cookie, S("; "));
        buf_push(&h->cookie, value);
        return;
    }
    if (name.n == 4 && str_eq(name, S("host"))) h->has_host = true;
    char *from = buf_reserve(&h->fields, name.n + value.n + 4), *p = from;
    memcpy(p, name.p, name.n);
    p += name.n;
    *p++ = ':';
    *p++ = ' ';
    if (value.n) memcpy(p, value.p, value.n);
    p += value.n;
    *p++ = '\r';
    *p++ = '\n';
    h->fields.len += (usize)(p - from);
}

static int on_header(nghttp2_session *ng, const nghttp2_frame *frame, nghttp2_rcbuf *name,
                     nghttp2_rcbuf *value, u8 flags, void *data)
{
    (void)ng;
    (void)frame;
    (void)flags;
    HttpSession *s = data;
    HttpIncoming *h = &s->head;
    nghttp2_vec n = nghttp2_rcbuf_get_buf(name), v = nghttp2_rcbuf_get_buf(value);
    h->size += n.len + v.len + HEAD_FIELD_COST;
    h->n_fields++;
    u64 max = head_size_max(s);
    if (h->size > max * HEAD_SIZE_FACTOR) return give_up(s, NGHTTP2_ENHANCE_YOUR_CALM);
    if (h->size > max || h->n_fields > fields_max(s)) h->is_too_big = true;
    if (!h->is_too_big && n.len)
        add_field(h, (Str){(char *)n.base, n.len}, (Str){(char *)v.base, v.len});
    return 0;
}

/* ---- Frames -------------------------------------------------------------------------------- */

static HttpStream *stream_of(const HttpSession *s, i32 id)
{
    return nghttp2_session_get_stream_user_data(s->ng, id);
}

static int on_begin_frame(nghttp2_session *ng, const nghttp2_frame_hd *hd, void *data)
{
    (void)ng;
    HttpSession *s = data;
    bool is_end = hd->flags & NGHTTP2_FLAG_END_HEADERS;
    switch (hd->type) {
    case NGHTTP2_HEADERS:
    case NGHTTP2_CONTINUATION:
        /* The time for a head begins with its first frame. */
        if (!s->head_ms) s->head_ms = loop_now_ms(s->conn->server->loop);
        return is_end && hd->length ? 0 : count_control(s);
    case NGHTTP2_DATA:
        return hd->length || hd->flags & NGHTTP2_FLAG_END_STREAM ? 0 : count_control(s);
    case NGHTTP2_RST_STREAM:
    case NGHTTP2_WINDOW_UPDATE: return 0;
    default: return count_control(s);
    }
}

static int on_headers(HttpSession *s, const nghttp2_headers *h)
{
    i32 id = h->hd.stream_id;
    bool is_end = h->hd.flags & NGHTTP2_FLAG_END_STREAM;
    s->head_ms = 0;
    HttpStream *t = stream_of(s, id);
    if (h->cat == NGHTTP2_HCAT_REQUEST) {
        http_stream_open(s, id, !is_end);
    } else if (t) {
        http_stream_trailer(t, s);
        if (is_end) http_stream_input_end(t);
    }
    return go_on(s);
}

static int on_frame(nghttp2_session *ng, const nghttp2_frame *frame, void *data)
{
    (void)ng;
    HttpSession *s = data;
    HttpStream *t;
    switch (frame->hd.type) {
    case NGHTTP2_HEADERS: return on_headers(s, &frame->headers);
    case NGHTTP2_DATA:
        t = stream_of(s, frame->hd.stream_id);
        if (t && frame->hd.flags & NGHTTP2_FLAG_END_STREAM) http_stream_input_end(t);
        return go_on(s);
    case NGHTTP2_RST_STREAM: return count_reset(s);
    case NGHTTP2_WINDOW_UPDATE:
        if (frame->window_update.window_size_increment < TINY_WINDOW) return count_control(s);
        return 0;
    default: return 0;
    }
}

static int on_data_chunk(nghttp2_session *ng, u8 flags, i32 id, const u8 *p, usize n, void *data)
{
    (void)flags;
    HttpSession *s = data;
    HttpStream *t = stream_of(s, id);
    if (t)
        http_stream_data(t, (Str){(const char *)p, n});
    else
        (void)nghttp2_session_consume(ng, id, n);
    return go_on(s);
}

static int on_stream_close(nghttp2_session *ng, i32 id, u32 code, void *data)
{
    (void)ng;
    HttpStream *t = stream_of(data, id);
    if (t) http_stream_gone(t, code);
    return 0;
}

/* A stream that the client has made us reset counts as one that it has reset. */
static int on_frame_sent(nghttp2_session *ng, const nghttp2_frame *frame, void *data)
{
    (void)ng;
    HttpSession *s = data;
    bool is_data = frame->hd.type == NGHTTP2_DATA || frame->hd.type == NGHTTP2_HEADERS;
    if (is_data && frame->hd.flags & NGHTTP2_FLAG_END_STREAM) {
        HttpStream *t = stream_of(s, frame->hd.stream_id);
        if (t) http_stream_sent_end(t);
    }
    bool is_reset = frame->hd.type == NGHTTP2_RST_STREAM;
    bool is_theirs = is_reset && frame->rst_stream.error_code != NGHTTP2_NO_ERROR &&
                     frame->rst_stream.error_code != NGHTTP2_CANCEL;
    if (is_theirs && !s->is_over) (void)count_reset(s);
    return 0;
}

/* A frame of a body: its head, and the bytes behind it, where the connection wants them. */
static int on_send_data(nghttp2_session *ng, nghttp2_frame *frame, const u8 *head, usize n,
                        nghttp2_data_source *source, void *data)
{
    (void)ng;
    (void)source;
    HttpSession *s = data;
    HttpStream *t = stream_of(s, frame->hd.stream_id);
    if (!t) return NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE;
    HttpConn *c = t->conn;
    bool is_full = s->conn->out.len >= HTTP_SESSION_OUT_MAX;
    if (is_full || s->conn->state != HTTP_CONN_H2) return NGHTTP2_ERR_WOULDBLOCK;
    http_conn_write_raw(s->conn, (Str){(const char *)head, FRAME_HEAD_SIZE});
    while (n) {
        usize left = c->flight.len - t->sent;
        if (left) {
            usize k = MIN(n, left);
            http_conn_write_raw(s->conn, (Str){c->flight.p + t->sent, k});
            t->sent += k;
            n -= k;
            continue;
        }
        ASSERT(c->release);
        usize k = MIN(n, c->iov[1].iov_len);
        http_conn_write_raw(s->conn, (Str){c->iov[1].iov_base, k});
        c->iov[1].iov_base = (char *)c->iov[1].iov_base + k;
        c->iov[1].iov_len -= k;
        n -= k;
    }
    if (c->flight.len - t->sent + (c->release ? c->iov[1].iov_len : 0) == 0) http_stream_drained(t);
    return 0;
}

/* ---- In and out ---------------------------------------------------------------------------- */

/* Those that have said all they had may have more to say. */
static bool serve_drained(HttpSession *s)
{
    bool was_any = s->drained != NULL;
    while (s->drained) {
        HttpStream *t = s->drained;
        s->drained = t->next_drained;
        t->is_drained = false;
        if (t->conn->state != HTTP_CONN_CLOSED) http_conn_sent(t->conn);
    }
    return was_any;
}

/* All output of the connection that may be made now. */
static void pull(HttpSession *s)
{
    HttpConn *c = s->conn;
    bool goes_on = true;
    s->is_pulling = true;
    while (goes_on && c->state == HTTP_CONN_H2 && c->out.len < HTTP_SESSION_OUT_MAX) {
        const u8 *p;
        ssize_t n = nghttp2_session_mem_send(s->ng, &p);
        if (n > 0) http_conn_write_raw(c, (Str){(const char *)p, (usize)n});
        if (n < 0) s->is_over = true;
        goes_on = serve_drained(s) || n > 0;
    }
    s->is_pulling = false;
}

/* Ends the connection when there is no more to be said, or no reason to. */
static void check_end(HttpSession *s)
{
    HttpConn *c = s->conn;
    if (c->state != HTTP_CONN_H2) return;
    bool is_done = !nghttp2_session_want_read(s->ng) && !nghttp2_session_want_write(s->ng);
    bool is_stopped = s->is_stopping && !s->n_streams && !nghttp2_session_want_write(s->ng);
    if (!s->is_over && !is_done && !is_stopped) return;
    (void)http_session_close(c);
    http_conn_end(c);
}

void http_session_flush(HttpConn *c)
{
    HttpSession *s = c->session;
    if (s->is_inside || s->is_pulling) return;
    pull(s);
    check_end(s);
    http_conn_flush(c);
}

void http_session_push(HttpSession *s)
{
    HttpConn *c = s->conn;
    if (c->state == HTTP_CONN_H2 && !c->is_sending) http_session_flush(c);
}

void http_session_input(HttpConn *c, Str in)
{
    HttpSession *s = c->session;
    if (s->is_over) return;
    s->is_inside = true;
    ssize_t n = nghttp2_session_mem_recv(s->ng, (const u8 *)in.p, in.n);
    s->is_inside = false;
    if (c->state != HTTP_CONN_H2) return;
    if (n < 0) s->is_over = true;
    pull(s);
    check_end(s);
}

/* ---- Life ---------------------------------------------------------------------------------- */

static bool make_session(HttpSession *s)
{
    nghttp2_session_callbacks *calls;
    nghttp2_option *option;
    if (nghttp2_session_callbacks_new(&calls) != 0) return false;
    if (nghttp2_option_new(&option) != 0) {
        nghttp2_session_callbacks_del(calls);
        return false;
    }
    nghttp2_session_callbacks_set_on_begin_frame_callback(calls, on_begin_frame);
    nghttp2_session_callbacks_set_on_begin_headers_callback(calls, on_begin_headers);
    nghttp2_session_callbacks_set_on_header_callback2(calls, on_header);
    nghttp2_session_callbacks_set_on_frame_recv_callback(calls, on_frame);
    nghttp2_session_callbacks_set_on_data_chunk_recv_callback(calls, on_data_chunk);
    nghttp2_session_callbacks_set_on_stream_close_callback(calls, on_stream_close);
    nghttp2_session_callbacks_set_on_frame_send_callback(calls, on_frame_sent);
    nghttp2_session_callbacks_set_send_data_callback(calls, on_send_data);
    nghttp2_option_set_no_auto_window_update(option, 1);
    nghttp2_option_set_no_closed_streams(option, 1);
    int rc = nghttp2_session_server_new2(&s->ng, calls, s, option);
    nghttp2_option_del(option);
    nghttp2_session_callbacks_del(calls);
    return rc == 0;
}

void http_session_open(HttpConn *c)
{
    HttpSession *s = MEM_NEW(HttpSession);
    u64 now = loop_now_ms(c->server->loop);
    s->conn = c;
    s->control = (HttpBucket){HTTP_CONTROL_BURST, now};
    s->resets = (HttpBucket){HTTP_RESET_BURST, now};
    if (!make_session(s)) BUG("no memory for a session");
    c->session = s;
    c->state = HTTP_CONN_H2;
    c->start_ms = 0;
    const nghttp2_settings_entry settings[] = {
        {NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS, HTTP_STREAMS_MAX},
        {NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, HTTP_STREAM_WINDOW},
        {NGHTTP2_SETTINGS_MAX_HEADER_LIST_SIZE, head_size_max(s)},
    };
    int rc = nghttp2_submit_settings(s->ng, NGHTTP2_FLAG_NONE, settings, COUNT(settings));
    if (rc == 0)
        rc =
            nghttp2_session_set_local_window_size(s->ng, NGHTTP2_FLAG_NONE, 0, HTTP_SESSION_WINDOW);
    ASSERT(rc == 0);
    pull(s);
}

void http_session_free(HttpConn *c)
{
    HttpSession *s = c->session;
    if (!s) return;
    ASSERT(!s->n_conns);
    c->session = NULL;
    nghttp2_session_del(s->ng);
    for (u32 i = 0; i < PSEUDO_COUNT; i++) Buf_deinit(&s->head.pseudo[i]);
    Buf_deinit(&s->head.fields);
    Buf_deinit(&s->head.cookie);
    Buf_deinit(&s->text);
    mem_free(s);
}

bool http_session_close(HttpConn *c)
{
    HttpSession *s = c->session;
    if (!s) return true;
    for (HttpStream *t = s->streams, *next; t; t = next) {
        next = t->next;
        http_conn_close(t->conn);
    }
    return !s->n_conns;
}

bool http_session_is_idle(const HttpConn *c)
{
    return !c->session->n_streams;
}

void http_session_stop(HttpConn *c)
{
    HttpSession *s = c->session;
    if (s->is_stopping || s->is_over) return;
    s->is_stopping = true;
    /* What the client has sent meanwhile is above this number: it may send it elsewhere. */
    i32 last = nghttp2_session_get_last_proc_stream_id(s->ng);
    (void)nghttp2_submit_goaway(s->ng, NGHTTP2_FLAG_NONE, last, NGHTTP2_NO_ERROR, NULL, 0);
    http_session_push(s);
}

u64 http_session_deadline(const HttpConn *c)
{
    const HttpSession *s = c->session;
    const HttpServerOptions *o = &c->server->options;
    u64 due = UINT64_MAX;
    if (!s->n_streams && o->idle_ms) due = loop_now_ms(c->server->loop) + o->idle_ms;
    if (s->head_ms && o->head_ms) due = MIN(due, s->head_ms + o->head_ms);
    return due;
}

void http_session_expire(HttpConn *c)
{
    HttpSession *s = c->session;
    u32 code = s->head_ms ? NGHTTP2_ENHANCE_YOUR_CALM : NGHTTP2_NO_ERROR;
    if (!s->is_over) (void)nghttp2_session_terminate_session(s->ng, code);
    pull(s);
    s->is_over = true;
    check_end(s);
    http_conn_flush(c);
}

void http_session_remove(HttpSession *s, HttpStream *t)
{
    if (t->prev)
        t->prev->next = t->next;
    else
        s->streams = t->next;
    if (t->next) t->next->prev = t->prev;
    t->prev = t->next = NULL;
    s->n_streams--;
    for (HttpStream **p = &s->drained; t->is_drained && *p; p = &(*p)->next_drained) {
        if (*p != t) continue;
        *p = t->next_drained;
        t->is_drained = false;
        break;
    }
    HttpConn *c = s->conn;
    if (!s->n_streams && c->state == HTTP_CONN_H2) http_conn_touch(c);
}
