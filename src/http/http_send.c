/* http/http_send.c -- answers: building heads, and one operation under way at a time.
 *
 * What is written collects in `out`.  A flush makes it `flight` and starts a send; what is written
 * meanwhile waits for its end.  A large body is not copied: it goes along with what stands in `out`
 * as a second piece. */
#include "http/http_private.h"

#include <errno.h>
#include <string.h>

enum {
    FIELD_ROOM = 64,
    AT_ONCE_OUT_MAX = 64 * 1024, /* waiting in front of bytes that go out without a copy */
};

static void start_send(HttpConn *c);

/* ---- Heads -------------------------------------------------------------------------------------
 */

char *http_conn_reserve(HttpConn *c, usize n)
{
    if (!c->out.p) c->out = http_buf_take(c->server);
    return buf_reserve(&c->out, n);
}

void http_conn_write_raw(HttpConn *c, Str data)
{
    memcpy(http_conn_reserve(c, data.n), data.p, data.n);
    c->out.len += data.n;
}

static char *put(char *p, Str s)
{
    memcpy(p, s.p, s.n);
    return p + s.n;
}

#define PUT(p, lit) put(p, S(lit))

static char *put_u64(char *p, u64 n)
{
    char digits[20];
    u32 len = 0;
    do {
        digits[len++] = (char)('0' + n % 10);
        n /= 10;
    } while (n);
    while (len) *p++ = digits[--len];
    return p;
}

void http_conn_head(HttpConn *c, u32 status, Str reason)
{
    c->has_head = true;
    if (status == 204 || status == 304 || status < 200) c->has_no_body = true;
    if (c->stream) {
        http_stream_head(c, status);
        return;
    }
    if (status == 200 && !reason.n) {
        http_conn_write_raw(c, S("HTTP/1.1 200 OK\r\n"));
        return;
    }
    if (!reason.n) reason = http_status_text(status);
    char *from = http_conn_reserve(c, FIELD_ROOM + reason.n), *p = from;
    p = PUT(p, "HTTP/1.1 ");
    p = put_u64(p, status);
    *p++ = ' ';
    p = put(p, reason);
    p = PUT(p, "\r\n");
    c->out.len += (usize)(p - from);
}

static void note(HttpConn *c, HttpFieldId id, Str value)
{
    switch (id) {
    case HTTP_FIELD_DATE: c->has_date = true; break;
    case HTTP_FIELD_CONTENT_LENGTH: c->has_length = true; break;
    case HTTP_FIELD_TRANSFER_ENCODING:
        c->has_coding = true;
        c->is_chunked = http_list_has(value, S("chunked"));
        break;
    case HTTP_FIELD_CONNECTION:
        c->has_connection = true;
        if (http_list_has(value, S("close"))) c->keeps_alive = false;
        break;
    default: break;
    }
}

void http_conn_field(HttpConn *c, Str name, Str value)
{
    http_conn_field_of(c, http_field_find(name), name, value);
}

void http_conn_field_of(HttpConn *c, HttpFieldId id, Str name, Str value)
{
    note(c, id, value);
    usize room = name.n + value.n + 4;
    char *from = c->stream ? http_stream_lines(c, room) : http_conn_reserve(c, room), *p = from;
    p = put(p, name);
    p = PUT(p, ": ");
    p = put(p, value);
    p = PUT(p, "\r\n");
    if (c->stream)
        http_stream_lines_added(c, (usize)(p - from));
    else
        c->out.len += (usize)(p - from);
}

void http_conn_fields(HttpConn *c, Str lines)
{
    if (c->stream) {
        memcpy(http_stream_lines(c, lines.n), lines.p, lines.n);
        http_stream_lines_added(c, lines.n);
    } else {
        http_conn_write_raw(c, lines);
    }
    while (lines.n) {
        const char *end = memchr(lines.p, '\n', lines.n);
        const char *colon = memchr(lines.p, ':', lines.n);
        if (!end || !colon || colon > end) return;
        Str value = {colon + 1, (usize)(end - colon - 1)};
        note(c, http_field_find((Str){lines.p, (usize)(colon - lines.p)}), value);
        lines = str_skip(lines, (usize)(end + 1 - lines.p));
    }
}

void http_conn_head_end(HttpConn *c, i64 length)
{
    HttpServer *s = c->server;
    if (c->stream) {
        http_stream_head_end(c, length);
        return;
    }
    char *from = http_conn_reserve(c, 256), *p = from;
    if (!c->has_date && !s->options.no_date) p = put(p, http_server_date(s));
    bool is_bare = c->has_length || c->has_coding || length == HTTP_LENGTH_NONE;
    if (!is_bare && length >= 0) {
        p = PUT(p, "Content-Length: ");
        p = put_u64(p, (u64)length);
        p = PUT(p, "\r\n");
    } else if (!is_bare && c->minor) {
        p = PUT(p, "Transfer-Encoding: chunked\r\n");
        c->is_chunked = !c->has_no_body;
    } else if (!is_bare) {
        c->keeps_alive = false;
    }
    /* A client of HTTP/1.0 does not know chunks. */
    if (!c->minor && c->is_chunked) c->is_chunked = c->keeps_alive = false;
    if (c->has_no_body) c->is_chunked = false;
    if (s->is_stopping) c->keeps_alive = false;
    if (!c->has_connection && !c->keeps_alive)
        p = PUT(p, "Connection: close\r\n");
    else if (!c->has_connection && !c->minor)
        p = PUT(p, "Connection: keep-alive\r\n");
    p = PUT(p, "\r\n");
    c->out.len += (usize)(p - from);
}

/* ---- Bodies ------------------------------------------------------------------------------------
 */

void http_conn_write(HttpConn *c, Str data)
{
    if (!data.n || c->has_no_body) return;
    if (!c->is_chunked) {
        http_conn_write_raw(c, data);
        return;
    }
    char *from = http_conn_reserve(c, data.n + 24), *p = from;
    char digits[16];
    u32 len = 0;
    for (usize n = data.n; n; n >>= 4) digits[len++] = "0123456789abcdef"[n & 15];
    while (len) *p++ = digits[--len];
    p = PUT(p, "\r\n");
    p = put(p, data);
    p = PUT(p, "\r\n");
    c->out.len += (usize)(p - from);
}

/* Nothing is in the way of a system call that sends now what follows `out`. */
bool http_conn_may_send(const HttpConn *c)
{
    if (c->is_sending || c->release || c->tls || c->stream || c->state == HTTP_CONN_CLOSED)
        return false;
    return !c->is_full && c->out.len <= AT_ONCE_OUT_MAX;
}

usize http_conn_send_pages(HttpConn *c, int fd, u64 off, usize n)
{
    i64 rc = c->out.len ? sys_send(c->fd, c->out.p, c->out.len, MSG_MORE) : 0;
    if (rc > 0) buf_drop(&c->out, (usize)rc);
    if (rc < 0 || c->out.len) return 0;
    rc = sys_send_file(c->fd, fd, off, n);
    if (rc == (i64)n) http_buf_give(c->server, &c->out);
    return rc < 0 ? 0 : (usize)rc;
}

void http_conn_write_borrowed(HttpConn *c, Str data, HttpRelease *release, void *ctx)
{
    ASSERT(!c->is_chunked);
    bool is_dead = c->has_no_body || c->state == HTTP_CONN_CLOSED;
    if (is_dead || c->is_sending || c->release || data.n < HTTP_BORROW_MIN) {
        if (!is_dead) http_conn_write_raw(c, data);
        release(ctx);
        return;
    }
    u64 off;
    int pages = http_conn_may_send(c) ? net_pages_find(data.p, data.n, &off) : -ENOENT;
    if (pages >= 0) data = str_skip(data, http_conn_send_pages(c, pages, off, data.n));
    if (!data.n) {
        release(ctx);
        return;
    }
    c->release = release;
    c->release_ctx = ctx;
    c->iov[1] = (struct iovec){(void *)(uintptr_t)data.p, data.n};
    if (c->stream)
        http_stream_flush(c);
    else
        start_send(c);
}

void http_conn_finish(HttpConn *c, Str trailer)
{
    if (!c->is_busy || c->state == HTTP_CONN_CLOSED) return;
    if (c->stream) {
        http_stream_finish(c, trailer);
        return;
    }
    if (c->is_chunked && !c->has_no_body) {
        http_conn_write_raw(c, S("0\r\n"));
        if (trailer.n) http_conn_write_raw(c, trailer);
        http_conn_write_raw(c, S("\r\n"));
    }
    http_server_busy(c->server, c, false);
    http_conn_next(c);
    if (!c->is_inside) http_conn_flush(c);
}

/* ---- Sending -----------------------------------------------------------------------------------
 */

static void release(HttpConn *c)
{
    HttpRelease *fn = c->release;
    c->release = NULL;
    if (fn) fn(c->release_ctx);
}

void http_send_stop(HttpConn *c)
{
    c->is_sending = false;
    release(c);
    http_buf_give(c->server, &c->flight);
    http_buf_give(c->server, &c->out);
    http_buf_give(c->server, &c->in);
}

static void on_sent(LoopReq *req, i64 res)
{
    HttpConn *c = CONTAINER(HttpConn, send, req);
    c->is_sending = false;
    if (res >= 0 && c->tls && http_tls_send(c)) return;
    release(c);
    http_buf_give(c->server, &c->flight);
    if (res < 0) {
        http_conn_close(c);
        return;
    }
    if (c->out.len)
        start_send(c);
    else
        http_conn_sent(c);
}

void http_send_cipher(HttpConn *c, Str bytes)
{
    c->send.on_done = on_sent;
    loop_req_send(c->server->loop, &c->send, c->fd, bytes.p, (u32)bytes.n);
}

/* Encrypted by pieces: iov is what is left to be. */
static void start_tls_send(HttpConn *c)
{
    c->iov[0] = (struct iovec){c->flight.p, c->flight.len};
    if (!c->release) c->iov[1] = (struct iovec){0};
    c->is_sending = http_tls_send(c);
    if (c->is_sending) return;
    release(c);
    http_buf_give(c->server, &c->flight);
}

/* What waits in `out`, and behind it the borrowed body that was just set. */
static void start_send(HttpConn *c)
{
    HttpServer *s = c->server;
    ASSERT(!c->is_sending);
    c->is_sending = true;
    c->flight = TAKE(c->out);
    if (c->tls) {
        start_tls_send(c);
        return;
    }
    c->send.on_done = on_sent;
    if (c->release) {
        c->iov[0] = (struct iovec){c->flight.p, c->flight.len};
        loop_req_sendv(s->loop, &c->send, c->fd, c->iov, 2);
    } else {
        ASSERT(c->flight.len <= UINT32_MAX);
        loop_req_send(s->loop, &c->send, c->fd, c->flight.p, (u32)c->flight.len);
    }
}

void http_conn_flush(HttpConn *c)
{
    if (c->stream) {
        http_stream_flush(c);
        return;
    }
    if (c->is_sending || c->state == HTTP_CONN_CLOSED) return;
    if (c->out.len)
        start_send(c);
    else if (c->tls && http_tls_send(c))
        return;
    else if (c->is_last)
        http_conn_sent(c);
}

usize http_conn_queued(const HttpConn *c)
{
    usize n = c->out.len + c->flight.len;
    return c->release ? n + c->iov[1].iov_len : n;
}

bool http_conn_is_full(HttpConn *c)
{
    if (http_conn_queued(c) < HTTP_OUT_HIGH) return false;
    c->is_full = true;
    return true;
}
