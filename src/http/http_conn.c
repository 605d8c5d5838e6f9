/* http/http_conn.c -- what comes in on a connection of a server: heads, bodies, and the end. */
#include "http/http_private.h"

#include <string.h>

static void on_recv(LoopRecv *r, i32 n, char *p);
static void read_input(HttpConn *c, Str *in);

/* ---- Time
 * ---------------------------------------------------------------------------------------- */

static u64 deadline_in(const HttpConn *c, u64 from, u32 ms)
{
    (void)c;
    return ms ? from + ms : UINT64_MAX;
}

/* TLS is not agreed on yet: the same limit as for a head. */
static bool is_greeting(const HttpConn *c)
{
    return c->tls && !http_tls_is_secure(c);
}

/* Nothing has come yet, and that counts as a head that takes long. */
static bool is_new(const HttpConn *c)
{
    return c->server->options.times_connect && c->serial == c->life && !c->tls;
}

/* A part of a head has come.  What stands behind an answer that is still going out is none: nobody
 * has looked at it. */
static bool has_begun(const HttpConn *c)
{
    return c->in.len && c->start_ms;
}

/* A head, or the first byte of one, has taken too long. */
static bool is_slow_head(const HttpConn *c)
{
    u32 head_ms = c->server->options.head_ms;
    bool is_begun = has_begun(c) || is_new(c);
    return is_begun && head_ms && loop_now_ms(c->server->loop) >= c->start_ms + head_ms;
}

void http_conn_touch(HttpConn *c)
{
    HttpServer *s = c->server;
    const HttpServerOptions *o = &s->options;
    u64 now = loop_now_ms(s->loop);
    u64 due = UINT64_MAX;
    u32 busy_ms = c->has_timeout ? c->timeout_ms : o->busy_ms;
    switch ((HttpConnState)c->state) {
    case HTTP_CONN_HEAD:
        if (has_begun(c) || is_greeting(c) || is_new(c))
            due = deadline_in(c, c->start_ms, o->head_ms);
        else
            due = deadline_in(c, now, o->idle_ms);
        if (is_new(c)) due = MIN(due, deadline_in(c, now, o->busy_ms));
        break;
    case HTTP_CONN_BODY:
        due = MIN(deadline_in(c, now, busy_ms), deadline_in(c, c->start_ms, o->request_ms));
        break;
    case HTTP_CONN_ANSWER: due = deadline_in(c, now, busy_ms); break;
    case HTTP_CONN_RAW:
        due = c->has_timeout ? deadline_in(c, now, c->timeout_ms) : UINT64_MAX;
        break;
    case HTTP_CONN_H2: due = http_session_deadline(c); break;
    case HTTP_CONN_LINGER: due = c->start_ms + HTTP_LINGER_MS; break;
    case HTTP_CONN_CLOSED: break;
    }
    c->deadline_ms = due;
    if (due != UINT64_MAX) http_server_watch(s, c);
}

void http_conn_set_timeout(HttpConn *c, u32 ms)
{
    c->has_timeout = true;
    c->timeout_ms = ms;
    http_conn_touch(c);
}

void http_conn_expire(HttpConn *c)
{
    const HttpServerEvents *e = c->server->events;
    c->deadline_ms = UINT64_MAX;
    bool may_be_told = c->server->options.times_connect && c->state == HTTP_CONN_HEAD &&
                       !is_greeting(c) && !is_slow_head(c);
    if (may_be_told && e->on_timeout && e->on_timeout(c)) return;
    if (c->state == HTTP_CONN_HEAD) {
        /* Case 1: between requests.  Case 2: a head that takes too long. */
        bool is_idle = !has_begun(c) && !is_new(c);
        if (is_idle && !http_conn_queued(c) && !is_greeting(c))
            http_conn_close(c);
        else if (is_idle || is_greeting(c))
            http_conn_end(c);
        else if (!e->on_bad || !e->on_bad(c, -ETIMEDOUT, buf_str(&c->in)))
            http_conn_refuse(c, 408);
        return;
    }
    if (c->state == HTTP_CONN_H2) {
        http_session_expire(c);
        return;
    }
    if (c->state == HTTP_CONN_LINGER || c->state == HTTP_CONN_CLOSED) {
        http_conn_close(c);
        return;
    }
    u32 request_ms = c->server->options.request_ms;
    bool is_slow = c->state == HTTP_CONN_BODY && request_ms &&
                   loop_now_ms(c->server->loop) >= c->start_ms + request_ms;
    if (is_slow && !c->has_head && e->on_bad && e->on_bad(c, -ETIMEDOUT, (Str){0})) return;
    if (e->on_timeout && e->on_timeout(c)) {
        if (c->state != HTTP_CONN_CLOSED) http_conn_touch(c);
        return;
    }
    if (c->state == HTTP_CONN_BODY && !c->has_head)
        http_conn_refuse(c, 408);
    else
        http_conn_close(c);
}

/* ---- Receiving ---------------------------------------------------------------------------------
 */

/* Whether more bytes are wanted now. */
static void update_receiving(HttpConn *c)
{
    if (c->state == HTTP_CONN_CLOSED || c->is_ended || c->stream) return;
    bool is_waiting = c->is_paused && (c->state == HTTP_CONN_BODY || c->state == HTTP_CONN_RAW);
    bool is_ahead = c->state == HTTP_CONN_ANSWER && c->in.len >= HTTP_AHEAD_MAX;
    bool reads_answers = c->state == HTTP_CONN_HEAD || c->state == HTTP_CONN_H2;
    bool is_choked = reads_answers && http_conn_is_full(c);
    bool is_stopped = is_waiting || is_ahead || is_choked;
    if (is_stopped == c->is_stopped) return;
    c->is_stopped = is_stopped;
    if (is_stopped)
        loop_recv_stop(&c->recv);
    else
        loop_recv_start(&c->recv, on_recv);
}

void http_conn_abort(HttpConn *c, int rc)
{
    if (!c->is_busy || c->is_aborted) return;
    c->is_aborted = true;
    if (c->server->events->on_abort) c->server->events->on_abort(c, rc);
}

/* The bytes of the client have come to their end. */
void http_conn_input_end(HttpConn *c)
{
    if (c->is_ended) return;
    c->is_ended = true;
    HttpServer *s = c->server;
    if (c->state == HTTP_CONN_RAW) {
        if (s->events->on_raw) s->events->on_raw(c, (Str){0});
        return;
    }
    if (c->state == HTTP_CONN_H2) {
        http_conn_close(c);
        return;
    }
    bool is_cut = c->state == HTTP_CONN_BODY;
    if (c->is_busy && s->options.is_half_open && !is_cut) {
        c->is_last = true;
        return;
    }
    if (is_cut) http_conn_abort(c, HTTP_ERR_INVALID_EOF_STATE);
    http_conn_abort(c, -ECONNRESET);
    if (c->state != HTTP_CONN_CLOSED) http_conn_end(c);
}

void http_conn_input(HttpConn *c, Str in)
{
    if (c->in.len) {
        buf_push(&c->in, in);
        http_conn_read(c);
        return;
    }
    read_input(c, &in);
    if (!in.n || c->state == HTTP_CONN_CLOSED) return;
    if (!c->in.p) c->in = http_buf_take(c->server);
    buf_push(&c->in, in);
}

static void on_recv(LoopRecv *r, i32 n, char *p)
{
    HttpConn *c = CONTAINER(HttpConn, recv, r);
    if (n <= 0) {
        if (n < 0) {
            c->is_ended = true;
            http_conn_close(c);
        } else {
            http_conn_input_end(c);
        }
        return;
    }
    Str in = {p, (usize)n};
    if (c->tls)
        http_tls_input(c, in);
    else
        http_conn_input(c, in);
    loop_bufs_give(r->bufs, p);
    if (c->state == HTTP_CONN_CLOSED) return;
    http_conn_touch(c);
    update_receiving(c);
}

void http_conn_read(HttpConn *c)
{
    if (c->stream) {
        http_stream_read(c);
        return;
    }
    if (c->is_inside || c->state == HTTP_CONN_CLOSED) return;
    /* Taken out, so that nothing moves it while it is read. */
    Buf held = TAKE(c->in);
    Str in = buf_str(&held);
    read_input(c, &in);
    if (in.n && c->state != HTTP_CONN_CLOSED) {
        buf_drop(&held, held.len - in.n);
        ASSERT(!c->in.len);
        http_buf_give(c->server, &c->in);
        c->in = held;
    } else {
        http_buf_give(c->server, &held);
    }
    if (c->state == HTTP_CONN_CLOSED) return;
    if (c->is_ended && c->state == HTTP_CONN_HEAD) {
        http_conn_end(c);
        return;
    }
    http_conn_touch(c);
    update_receiving(c);
}

/* ---- Requests ----------------------------------------------------------------------------------
 */

static u32 status_of(const HttpConn *c, int rc, Str in)
{
    if (rc == HTTP_ERR_INVALID_VERSION) return 505;
    if (rc != HTTP_ERR_HEADER_OVERFLOW) return 400;
    (void)c;
    /* No end of the first line in all these bytes: it is the target that is too long. */
    return str_find(in, '\n') < 0 ? 414 : 431;
}

static void refuse_bad(HttpConn *c, int rc, Str in)
{
    const HttpServerEvents *e = c->server->events;
    if (e->on_bad && e->on_bad(c, rc, in)) return;
    http_conn_refuse(c, status_of(c, rc, in));
}

static void reset_request(HttpConn *c, const HttpHead *h)
{
    c->serial = ++c->server->serials[c->idx];
    c->method = h->method;
    c->minor = h->minor;
    c->keeps_alive = http_head_keeps_alive(h) && !c->server->is_stopping;
    c->has_head = c->has_date = c->has_length = c->has_coding = c->has_connection = false;
    c->is_chunked = c->is_discarding = c->is_paused = c->is_aborted = c->has_timeout = false;
    c->has_no_body = h->method == HTTP_HEAD;
    c->is_upgrade = h->has_upgrade || h->method == HTTP_CONNECT;
    c->expects = h->expects_continue && h->minor;
    c->body_size = 0;
    http_server_busy(c->server, c, true);
}

/* What only a server asks of a head.  0: nothing is wrong. */
static u32 check_head(const HttpConn *c, const HttpHead *h)
{
    const HttpServerOptions *o = &c->server->options;
    if (o->needs_host && (h->n_host > 1 || (h->minor && !h->n_host))) return 400;
    if (o->body_max && h->has_length && h->length > o->body_max) return 413;
    return 0;
}

void http_conn_start_request(HttpConn *c, const HttpHead *h, Str head, HttpBodyKind kind)
{
    HttpServer *s = c->server;
    u32 status = check_head(c, h);
    if (status) {
        http_conn_refuse(c, status);
        return;
    }
    reset_request(c, h);
    c->state = kind ? HTTP_CONN_BODY : HTTP_CONN_ANSWER;
    c->body.is_lenient = s->options.is_lenient;
    http_body_start(&c->body, kind, h->length);
    if (c->expects && !s->options.asks_expect && kind && !c->cur.n) http_conn_continue(c);
    s->events->on_request(c, h, head);
}

/* Does another request stand behind one without a body?  (Empty lines are none.) */
static bool is_ahead(const HttpConn *c, const HttpHead *h, usize n)
{
    if (h->has_upgrade || h->method == HTTP_CONNECT || http_request_body(h)) return false;
    while (n < c->cur.n && (c->cur.p[n] == '\r' || c->cur.p[n] == '\n')) n++;
    return n < c->cur.n;
}

static void read_head(HttpConn *c)
{
    HttpServer *s = c->server;
    HttpHead *h = &s->head;
    int n = http_head_parse(h, c->cur);
    if (n < 0) {
        refuse_bad(c, n, c->cur);
        return;
    }
    if (!n) return;
    if (s->options.hands_over && is_ahead(c, h, (usize)n)) {
        http_conn_take_over(c);
        s->events->on_ahead(c);
        return;
    }
    Str head = str_slice(c->cur, 0, (usize)n);
    c->cur = str_skip(c->cur, (usize)n);
    http_conn_start_request(c, h, head, http_request_body(h));
}

/* The request is given up in the middle of its body. */
static void give_up(HttpConn *c, int rc, u32 status)
{
    http_conn_abort(c, rc);
    if (c->state != HTTP_CONN_BODY) return;
    if (c->has_head)
        http_conn_end(c);
    else
        http_conn_refuse(c, status);
}

void http_conn_body_data(HttpConn *c, Str data)
{
    const HttpServerEvents *e = c->server->events;
    u64 max = c->server->options.body_max;
    c->body_size += data.n;
    bool is_over = max && c->body_size > max;
    if (is_over || (c->is_discarding && c->body_size > HTTP_SKIP_MAX))
        give_up(c, is_over ? -EMSGSIZE : 0, 413);
    else if (!c->is_discarding && e->on_body)
        e->on_body(c, data);
}

void http_conn_body_end(HttpConn *c)
{
    const HttpServerEvents *e = c->server->events;
    c->state = HTTP_CONN_ANSWER;
    if (!c->is_discarding && e->on_body_end) e->on_body_end(c);
    if (!c->is_busy && c->state == HTTP_CONN_ANSWER) http_conn_next(c);
}

static void read_body(HttpConn *c)
{
    Str data;
    int rc = http_body_next(&c->body, &c->cur, &data);
    if (rc == HTTP_BODY_DATA) {
        http_conn_body_data(c, data);
    } else if (rc == HTTP_BODY_DONE) {
        http_conn_body_end(c);
    } else if (rc < 0) {
        http_conn_abort(c, rc);
        if (c->state != HTTP_CONN_BODY) return;
        if (c->has_head)
            http_conn_end(c);
        else
            refuse_bad(c, rc, c->cur);
    }
}

/* At the start of a connection: it speaks HTTP/2, may do so, or must. */
static bool is_other(HttpConn *c)
{
    bool may = !c->tls || !tls_conn_alpn(http_conn_tls(c)).n;
    int is = may && !c->session ? http_session_is_preface(c->cur) : 0;
    if (is > 0) {
        http_session_open(c);
        return true;
    }
    if (is < 0) return true;
    if (!c->server->options.no_h1) return false;
    http_conn_refuse(c, 505);
    return true;
}

/* One step; false when nothing more can be done with what there is. */
static bool read_step(HttpConn *c)
{
    usize before = c->cur.n;
    HttpConnState state = (HttpConnState)c->state;
    switch (state) {
    case HTTP_CONN_HEAD:
        if (http_conn_is_full(c)) return false;
        if (before && !c->start_ms) c->start_ms = loop_now_ms(c->server->loop);
        if (c->serial != c->life || !c->server->options.has_h2 || !is_other(c)) read_head(c);
        break;
    case HTTP_CONN_BODY:
        if (c->is_paused) return false;
        read_body(c);
        break;
    case HTTP_CONN_RAW: {
        if (c->is_paused) return false;
        Str data = c->cur;
        c->cur = (Str){0};
        const HttpServerEvents *e = c->server->events;
        if (data.n && e->on_raw) e->on_raw(c, data);
        if (c->is_ended && c->state == HTTP_CONN_RAW && e->on_raw) e->on_raw(c, (Str){0});
        break;
    }
    case HTTP_CONN_H2: {
        Str data = c->cur;
        c->cur = (Str){0};
        http_session_input(c, data);
        break;
    }
    case HTTP_CONN_LINGER: c->cur = (Str){0}; return false;
    case HTTP_CONN_ANSWER:
    case HTTP_CONN_CLOSED: return false;
    }
    if (c->cur.n == before && c->state == (u8)state) return false;
    /* The end of a body may be seen without another byte. */
    return c->cur.n || c->state == HTTP_CONN_BODY;
}

/* *in: what is left must be kept. */
static void read_input(HttpConn *c, Str *in)
{
    ASSERT(!c->is_inside);
    c->is_inside = true;
    c->cur = *in;
    while (read_step(c)) {
    }
    c->is_inside = false;
    *in = c->cur;
    c->cur = (Str){0};
    if (c->state == HTTP_CONN_CLOSED) return;
    http_conn_flush(c);
}

bool http_conn_peek_body(const HttpConn *c, Str *ret)
{
    if (c->state != HTTP_CONN_BODY || c->body.kind != HTTP_BODY_LENGTH) return false;
    if (!c->is_inside || c->cur.n < c->body.left || c->body_size) return false;
    *ret = str_slice(c->cur, 0, (usize)c->body.left);
    return true;
}

void http_conn_take_body(HttpConn *c)
{
    Str data;
    bool ok = http_conn_peek_body(c, &data);
    ASSERT(ok);
    c->cur = str_skip(c->cur, data.n);
    c->body_size += data.n;
    c->body.left = 0;
    c->state = HTTP_CONN_ANSWER;
}

void http_conn_pause(HttpConn *c)
{
    c->is_paused = true;
    if (!c->is_inside) update_receiving(c);
}

void http_conn_resume(HttpConn *c)
{
    if (!c->is_paused) return;
    c->is_paused = false;
    if (c->stream) {
        http_stream_resume(c);
        return;
    }
    if (c->in.len) http_server_call_soon(c->server, c);
    if (!c->is_inside) update_receiving(c);
}

void http_conn_continue(HttpConn *c)
{
    if (!c->expects || c->has_head) return;
    c->expects = false;
    if (c->stream) {
        http_stream_continue(c);
        return;
    }
    http_conn_write_raw(c, S("HTTP/1.1 100 Continue\r\n\r\n"));
    http_conn_flush(c);
}

void http_conn_take_over(HttpConn *c)
{
    ASSERT(c->state != HTTP_CONN_CLOSED);
    if (c->is_busy) http_server_busy(c->server, c, false);
    c->state = HTTP_CONN_RAW;
    c->has_timeout = c->is_paused = c->is_last = false;
    http_conn_touch(c);
    if (c->in.len) http_server_call_soon(c->server, c);
}

/* ---- What follows an answer --------------------------------------------------------------------
 */

void http_conn_next(HttpConn *c)
{
    ASSERT(!c->is_busy);
    if (c->state == HTTP_CONN_CLOSED || c->state == HTTP_CONN_LINGER || c->stream) return;
    if (c->state == HTTP_CONN_BODY) {
        /* Case 1: the body was not wanted.  Its end is looked for, if that is not far. */
        bool is_far = c->body.kind == HTTP_BODY_LENGTH && c->body.left > HTTP_SKIP_MAX;
        c->is_discarding = true;
        c->is_paused = false;
        if (!c->keeps_alive || is_far)
            http_conn_end(c);
        else if (!c->is_inside)
            http_server_call_soon(c->server, c);
        return;
    }
    /* A client that has said all may have said more than one request. */
    bool is_last = c->is_last && !c->in.len;
    if (!c->keeps_alive || is_last || c->server->is_stopping) {
        http_conn_end(c);
        return;
    }
    c->is_last = false;
    c->state = HTTP_CONN_HEAD;
    c->start_ms = 0;
    if (c->is_inside) return;
    if (c->in.len) http_server_call_soon(c->server, c);
    http_conn_touch(c);
    update_receiving(c);
}

void http_conn_sent(HttpConn *c)
{
    HttpServer *s = c->server;
    if (c->file) {
        http_conn_touch(c);
        http_file_next(c);
        return;
    }
    if (c->is_last && c->state != HTTP_CONN_RAW && !c->is_busy) {
        if (c->is_ended || c->state != HTTP_CONN_LINGER) {
            http_conn_close(c);
            return;
        }
        (void)!sys_shutdown(c->fd, SHUT_WR);
        c->is_last = false;
        return;
    }
    if (c->is_last && c->state == HTTP_CONN_RAW) {
        (void)!sys_shutdown(c->fd, SHUT_WR);
        if (c->is_ended) http_conn_close(c);
        return;
    }
    if (c->state == HTTP_CONN_H2) {
        http_session_flush(c);
        if (c->state != HTTP_CONN_H2 || c->is_sending) return;
    }
    bool is_idle = c->state == HTTP_CONN_HEAD && !c->in.len;
    if (s->is_stopping && is_idle) {
        http_conn_end(c);
        return;
    }
    if (c->is_full) {
        c->is_full = false;
        if (s->events->on_drain && !c->session) s->events->on_drain(c);
        if (c->state == HTTP_CONN_CLOSED) return;
        if (c->state == HTTP_CONN_HEAD && c->in.len) http_server_call_soon(s, c);
        update_receiving(c);
    }
    http_conn_touch(c);
}

/* ---- The end -----------------------------------------------------------------------------------
 */

void http_conn_end(HttpConn *c)
{
    if (c->state == HTTP_CONN_CLOSED) return;
    if (c->stream) {
        http_stream_end(c);
        return;
    }
    if (is_greeting(c)) {
        http_conn_close(c);
        return;
    }
    c->is_last = true;
    if (c->state != HTTP_CONN_RAW && c->state != HTTP_CONN_LINGER) {
        /* The client may still be sending; a close now could take the answer away from it. */
        c->state = HTTP_CONN_LINGER;
        c->start_ms = loop_now_ms(c->server->loop);
        c->is_paused = false;
        if (c->is_busy) http_server_busy(c->server, c, false);
        http_conn_touch(c);
    }
    if (c->is_inside) return;
    update_receiving(c);
    http_conn_flush(c);
}

void http_conn_refuse(HttpConn *c, u32 status)
{
    c->keeps_alive = false;
    c->has_no_body = c->has_date = c->has_length = c->has_coding = c->has_connection = false;
    http_conn_head(c, status, (Str){0});
    http_conn_head_end(c, 0);
    http_conn_end(c);
}

void http_conn_closed(HttpConn *c)
{
    if (--c->n_closing) return;
    if (c->stream) {
        http_stream_closed(c);
        return;
    }
    HttpServer *s = c->server;
    (void)loop_fd_close(s->loop, c->fd);
    if (s->events->on_close) s->events->on_close(c);
    http_server_drop(s, c);
}

static void on_recv_closed(LoopHandle *h)
{
    http_conn_closed(CONTAINER(HttpConn, recv.handle, h));
}

static void on_send_closed(LoopReq *req, i64 res)
{
    (void)res;
    HttpConn *c = CONTAINER(HttpConn, send, req);
    http_send_stop(c);
    http_conn_closed(c);
}

void http_conn_close(HttpConn *c)
{
    if (c->state == HTTP_CONN_CLOSED) return;
    if (c->stream) {
        http_stream_close(c);
        return;
    }
    c->state = HTTP_CONN_CLOSED;
    c->deadline_ms = UINT64_MAX;
    c->n_closing = 1;
    if (!http_session_close(c)) c->n_closing++;
    http_conn_abort(c, -ECONNRESET);
    if (c->is_busy) http_server_busy(c->server, c, false);
    if (c->is_sending) {
        c->n_closing++;
        c->send.on_done = on_send_closed;
        loop_req_cancel(&c->send);
    }
    if (!http_file_stop(c)) c->n_closing++;
    loop_handle_close(&c->recv.handle, on_recv_closed);
}

void http_conn_close_soon(HttpConn *c)
{
    if (c->stream || !c->is_last || !http_conn_queued(c)) {
        http_conn_close(c);
        return;
    }
    c->state = HTTP_CONN_LINGER;
    c->start_ms = loop_now_ms(c->server->loop);
    c->is_ended = true;
    if (c->is_busy) http_server_busy(c->server, c, false);
    http_conn_touch(c);
    if (!c->is_inside) http_conn_flush(c);
}

void http_conn_open(HttpConn *c)
{
    HttpServer *s = c->server;
    c->state = HTTP_CONN_HEAD;
    c->deadline_ms = UINT64_MAX;
    if (s->options.times_connect) c->start_ms = loop_now_ms(s->loop);
    loop_recv_open(s->loop, &c->recv, c->fd, NULL);
    if (s->is_unref) loop_handle_unref(&c->recv.handle);
    if (s->tls) {
        http_tls_open(c);
        c->start_ms = loop_now_ms(s->loop);
    }
    if (s->events->on_connect) s->events->on_connect(c);
    if (c->state == HTTP_CONN_CLOSED) return;
    loop_recv_start(&c->recv, on_recv);
    http_conn_touch(c);
}
