/* http/http_stream.c -- the requests of an HTTP/2 connection.
 *
 * To the owner of the server a stream is an HttpConn: the head of its request is put into the form
 * of HTTP/1 and read by the same parser, which also sees to it that nothing gets through that
 * HTTP/1 would not let through. What is answered waits in `out`, then in `flight` and the borrowed
 * body behind it, and is taken from there frame by frame as the client's windows allow. */
#include "http/http_h2.h"
#include "util/mem.h"

#include <string.h>

HttpConn *http_stream_conn(const HttpConn *c)
{
    return c->stream->session->conn;
}

/* ---- Requests ------------------------------------------------------------------------------ */

static HttpConn *make_stream(HttpSession *s, i32 id)
{
    HttpConn *c = http_server_take(s->conn->server, s->conn->fd);
    if (!c) return NULL;
    HttpStream *t = MEM_NEW(HttpStream);
    *t = (HttpStream){.session = s, .conn = c, .id = id, .next = s->streams};
    if (t->next) t->next->prev = t;
    s->streams = t;
    s->n_streams++;
    s->n_conns++;
    c->stream = t;
    c->deadline_ms = UINT64_MAX;
    (void)nghttp2_session_set_stream_user_data(s->ng, id, t);
    return c;
}

static void push_line(Buf *to, Str name, const Buf *value)
{
    if (!value->len) return;
    buf_push(to, name);
    buf_push(to, buf_str(value));
    buf_push(to, S("\r\n"));
}

/* The head as HTTP/1 writes it. */
static void write_text(HttpSession *s)
{
    HttpIncoming *h = &s->head;
    Buf *to = &s->text;
    const Buf *path = &h->pseudo[PSEUDO_PATH], *authority = &h->pseudo[PSEUDO_AUTHORITY];
    buf_clear(to);
    buf_push(to, buf_str(&h->pseudo[PSEUDO_METHOD]));
    buf_push(to, S(" "));
    buf_push(to, buf_str(path->len ? path : authority));
    buf_push(to, S(" HTTP/1.1\r\n"));
    push_line(to, S("host: "), authority);
    push_line(to, S("cookie: "), &h->cookie);
    buf_push(to, buf_str(&h->fields));
    buf_push(to, S("\r\n"));
}

/* Names of hosts and targets have no white space: nothing may seem to be more than it is. */
static bool is_one_word(const Buf *b)
{
    for (usize i = 0; i < b->len; i++)
        if ((u8)b->p[i] <= ' ' || b->p[i] == 0x7f) return false;
    return true;
}

static bool is_sound(const HttpSession *s)
{
    const Buf *pseudo = s->head.pseudo;
    return pseudo[PSEUDO_METHOD].len && is_one_word(&pseudo[PSEUDO_METHOD]) &&
           is_one_word(&pseudo[PSEUDO_PATH]) && is_one_word(&pseudo[PSEUDO_AUTHORITY]);
}

/* A Host beside :authority that says the same is left out; another one makes two of them. */
static void drop_host(HttpSession *s)
{
    HttpIncoming *h = &s->head;
    Str authority = buf_str(&h->pseudo[PSEUDO_AUTHORITY]);
    if (!authority.n || !h->has_host) return;
    AUTO(Scratch) scratch = scratch_begin(NULL);
    Str line = str_fmt(scratch.arena, "host: %.*s\r\n", STR_ARG(authority));
    i64 at = str_find_str(buf_str(&h->fields), line);
    bool is_line = at == 0 || (at > 0 && h->fields.p[at - 1] == '\n');
    if (!is_line) return;
    usize end = (usize)at + line.n;
    memmove(h->fields.p + at, h->fields.p + end, h->fields.len - end);
    h->fields.len -= line.n;
}

void http_stream_open(HttpSession *s, i32 id, bool has_body)
{
    HttpServer *server = s->conn->server;
    HttpConn *c = make_stream(s, id);
    if (!c) {
        (void)nghttp2_submit_rst_stream(s->ng, NGHTTP2_FLAG_NONE, id, NGHTTP2_REFUSED_STREAM);
        return;
    }
    c->stream->is_in_ended = !has_body;
    c->state = has_body ? HTTP_CONN_BODY : HTTP_CONN_ANSWER;
    c->start_ms = loop_now_ms(server->loop);
    if (s->head.is_too_big) {
        http_conn_refuse(c, 431);
        return;
    }
    drop_host(s);
    write_text(s);
    HttpHead *h = &server->head;
    Str text = buf_str(&s->text);
    int n = is_sound(s) ? http_head_parse(h, text) : 0;
    if (n <= 0 || (usize)n != text.n) {
        http_conn_refuse(c, n == HTTP_ERR_HEADER_OVERFLOW ? 431 : 400);
        return;
    }
    h->has_upgrade = false;
    HttpBodyKind kind = !has_body       ? HTTP_BODY_NONE
                        : h->has_length ? HTTP_BODY_LENGTH
                                        : HTTP_BODY_TO_CLOSE;
    http_conn_start_request(c, h, text, kind);
    if (c->state != HTTP_CONN_CLOSED) http_conn_touch(c);
}

void http_stream_trailer(HttpStream *t, HttpSession *s)
{
    Buf *to = &t->conn->body.trailer;
    if (s->head.is_too_big || to->len || t->conn->state == HTTP_CONN_CLOSED) return;
    buf_push(to, buf_str(&s->head.fields));
    buf_push(to, S("\r\n"));
}

static void consume(HttpStream *t, usize n)
{
    if (!n) return;
    nghttp2_session *ng = t->session->ng;
    if (t->id >= 0)
        (void)nghttp2_session_consume(ng, t->id, n);
    else
        (void)nghttp2_session_consume_connection(ng, n);
}

static void deliver(HttpStream *t, Str data)
{
    HttpConn *c = t->conn;
    usize n = data.n;
    if (c->state == HTTP_CONN_BODY) {
        if (c->body.kind == HTTP_BODY_LENGTH) c->body.left -= MIN(c->body.left, (u64)n);
        http_conn_body_data(c, data);
    }
    consume(t, n);
}

static void deliver_end(HttpStream *t)
{
    if (t->conn->state == HTTP_CONN_BODY) http_conn_body_end(t->conn);
}

/* A paused request keeps what comes: at most a window. */
void http_stream_data(HttpStream *t, Str data)
{
    HttpConn *c = t->conn;
    if (c->state == HTTP_CONN_BODY && (c->is_paused || c->in.len)) {
        buf_push(&c->in, data);
        t->unconsumed += data.n;
        return;
    }
    deliver(t, data);
    if (c->state != HTTP_CONN_CLOSED) http_conn_touch(c);
}

void http_stream_input_end(HttpStream *t)
{
    t->is_in_ended = true;
    if (!t->unconsumed) deliver_end(t);
    if (t->conn->state != HTTP_CONN_CLOSED) http_conn_touch(t->conn);
}

void http_stream_read(HttpConn *c)
{
    HttpStream *t = c->stream;
    if (c->state == HTTP_CONN_CLOSED) {
        http_conn_closed(c);
        return;
    }
    if (c->is_paused) return;
    Buf held = TAKE(c->in);
    t->unconsumed = 0;
    if (held.len) deliver(t, buf_str(&held));
    http_buf_give(c->server, &held);
    if (c->state == HTTP_CONN_CLOSED) return;
    if (t->is_in_ended && !c->in.len) deliver_end(t);
    if (c->state != HTTP_CONN_CLOSED) http_conn_touch(c);
    http_session_push(t->session);
}

void http_stream_resume(HttpConn *c)
{
    if (c->stream->unconsumed) http_server_call_soon(c->server, c);
}

/* ---- Answers ------------------------------------------------------------------------------- */

static nghttp2_nv pair_of(Str name, Str value)
{
    return (nghttp2_nv){
        .name = (u8 *)(uintptr_t)name.p,
        .namelen = name.n,
        .value = (u8 *)(uintptr_t)value.p,
        .valuelen = value.n,
    };
}

void http_stream_continue(HttpConn *c)
{
    HttpStream *t = c->stream;
    nghttp2_nv nv = pair_of(S(":status"), S("100"));
    if (t->id < 0) return;
    (void)nghttp2_submit_headers(t->session->ng, NGHTTP2_FLAG_NONE, t->id, NULL, &nv, 1, NULL);
    http_session_push(t->session);
}

void http_stream_head(HttpConn *c, u32 status)
{
    c->stream->status = status;
    buf_clear(&c->stream->lines);
}

char *http_stream_lines(HttpConn *c, usize n)
{
    return buf_reserve(&c->stream->lines, n);
}

void http_stream_lines_added(HttpConn *c, usize n)
{
    c->stream->lines.len += n;
}

/* In decimal, at the end of `room`. */
static Str digits_of(u64 n, char *room, usize size)
{
    char *p = room + size;
    do {
        *--p = (char)('0' + n % 10);
        n /= 10;
    } while (n);
    return (Str){p, (usize)(room + size - p)};
}

void http_stream_head_end(HttpConn *c, i64 length)
{
    HttpStream *t = c->stream;
    if (!c->has_date && !c->server->options.no_date)
        buf_push(&t->lines, http_server_date(c->server));
    bool is_bare = c->has_length || length < 0;
    c->is_chunked = false;
    if (is_bare) return;
    char digits[24];
    Str text = digits_of((u64)length, digits, sizeof digits);
    buf_push(&t->lines, S("content-length: "));
    buf_push(&t->lines, text);
    buf_push(&t->lines, S("\r\n"));
}

/* Fields that speak of the connection do not exist here (RFC 9113, 8.2.2). */
static bool is_left_out(Str name)
{
    switch (http_field_find(name)) {
    case HTTP_FIELD_CONNECTION:
    case HTTP_FIELD_TRANSFER_ENCODING:
    case HTTP_FIELD_UPGRADE: return true;
    default:
        return str_eq_nocase(name, S("keep-alive")) || str_eq_nocase(name, S("proxy-connection"));
    }
}

/* The lines as pairs, from `pairs` on; there is room for all of them. */
static u32 pairs_of(Str lines, nghttp2_nv *pairs)
{
    u32 n = 0;
    while (lines.n) {
        Str line, name, value;
        if (!str_cut(lines, '\n', &line, &lines)) break;
        if (!str_cut(line, ':', &name, &value) || is_left_out(name)) continue;
        pairs[n++] = pair_of(name, str_trim(value));
    }
    return n;
}

static u32 lines_of(Str lines)
{
    u32 n = 0;
    for (usize i = 0; i < lines.n; i++) n += lines.p[i] == '\n';
    return n;
}

static usize waiting(const HttpStream *t)
{
    const HttpConn *c = t->conn;
    return c->flight.len - t->sent + (c->release ? c->iov[1].iov_len : 0);
}

/* What was written while nothing was on its way becomes what is. */
static void shift(HttpStream *t)
{
    HttpConn *c = t->conn;
    if (waiting(t)) return;
    HttpRelease *release = c->release;
    c->release = NULL;
    http_buf_give(c->server, &c->flight);
    t->sent = 0;
    if (c->out.len) c->flight = TAKE(c->out);
    c->is_sending = c->flight.len;
    if (release) release(c->release_ctx);
}

static void send_trailer(HttpStream *t)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    Str lines = buf_str(&t->trailer);
    nghttp2_nv *pairs = ARENA_ARRAY(s.arena, nghttp2_nv, lines_of(lines) + 1);
    u32 n = pairs_of(lines, pairs);
    if (n) (void)nghttp2_submit_trailer(t->session->ng, t->id, pairs, n);
}

/* The library's signature has more parameters than ours may have. */
#define STREAM_ARGS nghttp2_session *ng, i32 id

/* How much of the body there is for a frame. */
/* NOLINTNEXTLINE(readability-function-size) */
static ssize_t read_body(STREAM_ARGS, u8 *buf, usize size, u32 *flags, nghttp2_data_source *source,
                         void *data)
{
    (void)buf;
    (void)source;
    (void)data;
    HttpStream *t = nghttp2_session_get_stream_user_data(ng, id);
    if (!t) return NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE;
    usize left = waiting(t), n = MIN(size, left);
    bool is_last = t->is_ended && n == left && !t->conn->out.len && !t->conn->file;
    if (!n && !is_last) {
        t->is_deferred = true;
        return NGHTTP2_ERR_DEFERRED;
    }
    *flags |= NGHTTP2_DATA_FLAG_NO_COPY;
    if (!is_last) return (ssize_t)n;
    *flags |= NGHTTP2_DATA_FLAG_EOF;
    if (t->trailer.len) {
        *flags |= NGHTTP2_DATA_FLAG_NO_END_STREAM;
        send_trailer(t);
    }
    return (ssize_t)n;
}

static void submit(HttpStream *t)
{
    HttpConn *c = t->conn;
    AUTO(Scratch) s = scratch_begin(NULL);
    char digits[8];
    Str lines = buf_str(&t->lines);
    nghttp2_nv *pairs = ARENA_ARRAY(s.arena, nghttp2_nv, lines_of(lines) + 1);
    pairs[0] = pair_of(S(":status"), digits_of(t->status, digits, sizeof digits));
    u32 n = 1 + pairs_of(lines, pairs + 1);
    nghttp2_data_provider body = {.read_callback = read_body};
    bool has_body = !t->is_ended || waiting(t) || c->file || t->trailer.len;
    t->is_submitted = true;
    int rc = nghttp2_submit_response(t->session->ng, t->id, pairs, n, has_body ? &body : NULL);
    if (rc != 0)
        (void)nghttp2_submit_rst_stream(t->session->ng, NGHTTP2_FLAG_NONE, t->id,
                                        NGHTTP2_INTERNAL_ERROR);
    Buf_deinit(&t->lines);
    t->lines = (Buf){0};
}

void http_stream_flush(HttpConn *c)
{
    HttpStream *t = c->stream;
    if (c->state == HTTP_CONN_CLOSED || t->id < 0) return;
    shift(t);
    if (!c->has_head) return;
    if (!t->is_submitted)
        submit(t);
    else if (t->is_deferred && (waiting(t) || t->is_ended)) {
        t->is_deferred = false;
        (void)nghttp2_session_resume_data(t->session->ng, t->id);
    }
    http_session_push(t->session);
}

void http_stream_drained(HttpStream *t)
{
    shift(t);
    if (waiting(t) || t->is_drained) return;
    t->is_drained = true;
    t->next_drained = t->session->drained;
    t->session->drained = t;
}

/* What is left of the request is read and thrown away, if that is not much. */
static void skip_request(HttpStream *t)
{
    HttpConn *c = t->conn;
    if (c->state != HTTP_CONN_BODY) return;
    c->is_discarding = true;
    c->is_paused = false;
    consume(t, t->unconsumed);
    t->unconsumed = 0;
    http_buf_give(c->server, &c->in);
    if (c->body.kind == HTTP_BODY_LENGTH && c->body.left > HTTP_SKIP_MAX) t->resets_at_end = true;
}

void http_stream_finish(HttpConn *c, Str trailer)
{
    HttpStream *t = c->stream;
    if (trailer.n) buf_push(&t->trailer, trailer);
    if (c->is_busy) http_server_busy(c->server, c, false);
    t->is_ended = true;
    skip_request(t);
    http_stream_flush(c);
}

/* The answer ends here; the rest of the request does not matter. */
void http_stream_end(HttpConn *c)
{
    HttpStream *t = c->stream;
    t->resets_at_end = true;
    if (!t->is_ended) {
        http_stream_finish(c, (Str){0});
    } else if (t->is_in_ended || t->id < 0) {
        return;
    } else if (!nghttp2_session_get_stream_local_close(t->session->ng, t->id)) {
        return;
    } else {
        http_stream_sent_end(t);
        http_session_push(t->session);
    }
}

void http_stream_sent_end(HttpStream *t)
{
    if (t->is_in_ended || !t->resets_at_end || t->id < 0) return;
    (void)nghttp2_submit_rst_stream(t->session->ng, NGHTTP2_FLAG_NONE, t->id, NGHTTP2_NO_ERROR);
}

/* ---- The end ------------------------------------------------------------------------------- */

/* It is gone for everybody; the server has its memory back when nobody can be using it. */
static void end_stream(HttpStream *t)
{
    HttpConn *c = t->conn;
    if (c->state == HTTP_CONN_CLOSED) return;
    c->state = HTTP_CONN_CLOSED;
    c->deadline_ms = UINT64_MAX;
    c->n_closing = 1;
    if (!http_file_stop(c)) c->n_closing++;
    consume(t, t->unconsumed);
    t->unconsumed = 0;
    http_session_remove(t->session, t);
    http_conn_abort(c, -ECONNRESET);
    if (c->is_busy) http_server_busy(c->server, c, false);
    http_server_call_soon(c->server, c);
}

void http_stream_gone(HttpStream *t, u32 code)
{
    (void)code;
    (void)nghttp2_session_set_stream_user_data(t->session->ng, t->id, NULL);
    t->id = -1;
    end_stream(t);
}

void http_stream_close(HttpConn *c)
{
    HttpStream *t = c->stream;
    HttpSession *s = t->session;
    if (t->id >= 0) {
        (void)nghttp2_session_set_stream_user_data(s->ng, t->id, NULL);
        (void)nghttp2_submit_rst_stream(s->ng, NGHTTP2_FLAG_NONE, t->id, NGHTTP2_CANCEL);
        t->id = -1;
    }
    end_stream(t);
    http_session_push(s);
}

void http_stream_closed(HttpConn *c)
{
    HttpStream *t = c->stream;
    HttpSession *s = t->session;
    HttpConn *parent = s->conn;
    HttpServer *server = c->server;
    if (server->events->on_close) server->events->on_close(c);
    c->stream = NULL;
    Buf_deinit(&t->lines);
    Buf_deinit(&t->trailer);
    mem_free(t);
    http_server_drop(server, c);
    if (!--s->n_conns && parent->state == HTTP_CONN_CLOSED) http_conn_closed(parent);
}
