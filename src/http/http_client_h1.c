/* http/http_client_h1.c -- one request at a time over HTTP/1.1.
 *
 * The head and a body that is all there go out in one write; large and streamed bodies follow as
 * fast as the connection takes them.  What is received while the caller does not want it stays in
 * `in`, and the connection is not read any further. */
#include "http/http_client_private.h"

enum { FIRST_WRITE = 32768 };

/* ---- Sending -------------------------------------------------------------------------------- */

static bool is_ours(Str name)
{
    return str_eq_nocase(name, S("host")) || str_eq_nocase(name, S("connection")) ||
           str_eq_nocase(name, S("content-length")) || str_eq_nocase(name, S("keep-alive")) ||
           str_eq_nocase(name, S("transfer-encoding"));
}

static Str find_header(const HttpFetch *f, Str name)
{
    for (u32 i = 0; i < f->n_headers; i++)
        if (str_eq_nocase(f->headers[i].name, name)) return f->headers[i].value;
    return (Str){0};
}

static void put_header(Buf *out, Str name, Str value)
{
    buf_push(out, name);
    buf_push(out, S(": "));
    buf_push(out, value);
    buf_push(out, S("\r\n"));
}

/* How the body is framed. */
static void put_length(Buf *out, const HttpFetch *f)
{
    bool is_chunked = f->has_streamed && f->o.body_len == UINT64_MAX;
    if (is_chunked)
        buf_push(out, S("Transfer-Encoding: chunked\r\n"));
    else if (f->has_streamed)
        buf_fmt(out, "Content-Length: %llu\r\n", (unsigned long long)f->o.body_len);
    else if (f->has_body)
        buf_fmt(out, "Content-Length: %zu\r\n", f->o.body.n);
    else if (f->method_id == HTTP_POST || f->method_id == HTTP_PUT || f->method_id == HTTP_PATCH)
        buf_push(out, S("Content-Length: 0\r\n"));
}

static void put_head(Buf *out, HttpFetch *f)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    Str host = find_header(f, S("host"));
    buf_push(out, f->method);
    buf_push_char(out, ' ');
    buf_push(out, http_fetch_target(s.arena, f));
    buf_push(out, S(" HTTP/1.1\r\n"));
    put_header(out, S("Host"), host.n ? host : http_fetch_authority(f));
    Str connection = f->o.is_once ? S("close") : S("keep-alive");
    if (f->o.is_upgrade) connection = S("Upgrade");
    put_header(out, S("Connection"), connection);
    bool is_plain_proxy = f->route.has_proxy && !f->route.has_tunnel;
    if (is_plain_proxy && f->route.proxy_auth.n)
        put_header(out, S("Proxy-Authorization"), f->route.proxy_auth);
    for (u32 i = 0; is_plain_proxy && i < f->o.n_proxy_headers; i++)
        put_header(out, f->o.proxy_headers[i].name, f->o.proxy_headers[i].value);
    for (u32 i = 0; i < f->n_headers; i++)
        if (!is_ours(f->headers[i].name)) put_header(out, f->headers[i].name, f->headers[i].value);
    put_length(out, f);
    buf_push(out, S("\r\n"));
}

void http_h1_start(HttpConn *c, HttpFetch *f)
{
    AUTO(Buf) out = {0};
    c->fetch = f;
    c->has_head = c->has_input = false;
    c->head.is_response = true;
    c->head.size_max = HTTP_CLIENT_HEAD_MAX;
    put_head(&out, f);
    if (f->has_body && !f->has_streamed) {
        usize n = MIN(f->o.body.n, (usize)FIRST_WRITE);
        buf_push(&out, str_slice(f->o.body, 0, n));
        f->sent = n;
    }
    net_stream_start(&c->stream);
    net_stream_write(&c->stream, out.p, out.len);
    if (!f->has_streamed) {
        http_h1_upload(c);
        return;
    }
    if (f->upload.len) (void)http_h1_write(c, f, buf_str(&f->upload));
    Buf_deinit(&f->upload);
    if (f->is_upload_ended)
        http_h1_finish(c, f);
    else
        http_h1_upload(c);
}

/* The streamed body may go on, or the rest of one that is all there. */
void http_h1_upload(HttpConn *c)
{
    HttpFetch *f = c->fetch;
    if (!f || f->is_upload_done) return;
    if (f->has_streamed) {
        if (!f->needs_drain || f->is_upload_ended) return;
        f->needs_drain = false;
        if (f->events->on_drain) f->events->on_drain(f);
        return;
    }
    while (f->sent < f->o.body.n) {
        i64 n = net_stream_try(&c->stream, f->o.body.p + f->sent, f->o.body.n - f->sent);
        if (n <= 0) return;
        f->sent += (u64)n;
    }
    f->is_upload_done = true;
}

bool http_h1_write(HttpConn *c, HttpFetch *f, Str piece)
{
    bool has_room;
    if (f->o.body_len != UINT64_MAX) {
        has_room = net_stream_write(&c->stream, piece.p, piece.n);
    } else {
        AUTO(Buf) head = {0};
        buf_fmt(&head, "%zx\r\n", piece.n);
        net_stream_write(&c->stream, head.p, head.len);
        net_stream_write(&c->stream, piece.p, piece.n);
        has_room = net_stream_write(&c->stream, "\r\n", 2);
    }
    f->sent += piece.n;
    f->needs_drain = !has_room;
    return has_room;
}

void http_h1_finish(HttpConn *c, HttpFetch *f)
{
    if (f->o.body_len == UINT64_MAX) net_stream_write(&c->stream, "0\r\n\r\n", 5);
    f->is_upload_done = true;
}

/* ---- Receiving ------------------------------------------------------------------------------ */

/* The response is complete; `has_rest`: bytes follow that nobody asked for. */
static void message_done(HttpConn *c, bool has_rest)
{
    HttpFetch *f = c->fetch;
    bool keeps = http_head_keeps_alive(&c->head) && !has_rest && !c->is_ended &&
                 c->body.kind != HTTP_BODY_TO_CLOSE && (!f || (f->is_upload_done && !f->o.is_once));
    if (c->is_draining) keeps = keeps && !f;
    c->fetch = NULL;
    c->is_draining = false;
    c->was_used = true;
    if (f) {
        f->conn = NULL;
        http_fetch_hold(f);
    }
    if (keeps)
        http_pool_put_idle(c);
    else
        http_line_close(c);
    if (!f) return;
    if (!f->is_dead) {
        int rc = http_body_decode_end(f);
        http_fetch_done(f, rc);
    }
    http_fetch_release(f);
}

static void give_upgrade(HttpConn *c, HttpFetch *f, Str reason, Str rest)
{
    HttpResponse response = {
        .status = f->status,
        .reason = reason,
        .headers = f->pairs,
        .n_headers = f->n_pairs,
        .url = f->url.href,
        .version = 11,
    };
    http_pool_forget(c);
    c->state = CONN_GIVEN;
    http_line_close_timer(c);
    c->fetch = NULL;
    f->conn = NULL;
    http_fetch_hold(f);
    net_stream_set_timeout(&c->stream, 0);
    f->events->on_upgrade(f, &response, &c->stream, rest);
    f->is_dead = true;
    http_fetch_release(f);
}

static bool fail_parse(HttpConn *c, int rc)
{
    c->detail = rc;
    http_line_fail(c, HTTP_CLIENT_EPARSE);
    return false;
}

static HttpBodyKind body_kind(const HttpConn *c, const HttpFetch *f)
{
    return http_response_body(&c->head, f->method_id);
}

/* Reads a head from the front of *in.  false: more is needed, or the connection has no use for
 * what follows. */
static bool take_head(HttpConn *c, HttpFetch *f, Str *in)
{
    ASSERT(f); /* who drains has read the head */
    int n = http_head_parse(&c->head, *in);
    if (n <= 0) return n < 0 ? fail_parse(c, n) : false;
    Str bytes = *in;
    HttpHead *h = &c->head;
    *in = str_skip(*in, (usize)n);
    if (h->status < 200 && h->status != 101) return true;
    f->status = h->status;
    f->n_pairs = 0;
    arena_clear(&f->head_arena);
    for (u32 i = 0; i < h->n_fields; i++) {
        Str name = h->fields[i].id ? http_field_text((HttpFieldId)h->fields[i].id)
                                   : str_lower(&f->head_arena, http_field_name(h, bytes, i));
        http_fetch_add_pair(f, name, http_field_value(h, bytes, i));
    }
    Str reason = {bytes.p + h->text, h->text_len};
    if (h->status == 101 && f->o.is_upgrade) {
        AUTO(Buf) rest = {0};
        buf_push(&rest, *in);
        *in = (Str){0};
        buf_clear(&c->in);
        give_upgrade(c, f, reason, buf_str(&rest));
        return false;
    }
    if (h->status == 101) return fail_parse(c, HTTP_ERR_INVALID_STATUS);
    HttpBodyKind kind = body_kind(c, f);
    c->has_head = true;
    http_body_start(&c->body, kind, h->length);
    bool has_length = h->has_length && kind != HTTP_BODY_CHUNKED;
    return http_fetch_on_head(f, reason, (u8)(10 + h->minor), kind != HTTP_BODY_NONE,
                              has_length ? h->length : UINT64_MAX) ||
           c->is_draining;
}

/* Takes a piece of the body; false: no more of this message. */
static bool take_body(HttpConn *c, HttpFetch *f, Str *in)
{
    Str data;
    int rc = http_body_next(&c->body, in, &data);
    if (rc < 0) return fail_parse(c, rc);
    if (rc == HTTP_BODY_MORE) return false;
    if (rc == HTTP_BODY_DONE) {
        message_done(c, in->n > 0);
        *in = (Str){0};
        return false;
    }
    if (f) return http_body_deliver(f, data);
    c->drained += (u32)MIN(data.n, (usize)DRAIN_MAX);
    if (c->drained < DRAIN_MAX) return true;
    http_line_close(c);
    return false;
}

/* Works on *in until it is used up or the caller pauses. */
static void work(HttpConn *c, Str *in)
{
    while (c->state == CONN_READY && !net_stream_is_closing(&c->stream)) {
        HttpFetch *f = c->fetch;
        if (!f && !c->is_draining) {
            if (in->n) http_line_close(c);
            return;
        }
        if (f && f->is_paused && c->has_head) return;
        bool goes_on = c->has_head ? take_body(c, f, in) : take_head(c, f, in);
        if (!goes_on) return;
    }
}

void http_h1_input(HttpConn *c, Str in)
{
    c->has_input = true;
    bool is_kept = c->in.len > 0 || c->is_reading;
    if (is_kept) buf_push(&c->in, in);
    if (c->is_reading) return;
    c->is_reading = true;
    Str rest = is_kept ? buf_str(&c->in) : in;
    usize n = rest.n;
    work(c, &rest);
    if (is_kept)
        buf_drop(&c->in, MIN(n - rest.n, c->in.len));
    else if (rest.n && c->state == CONN_READY)
        buf_push(&c->in, rest);
    c->is_reading = false;
    HttpFetch *f = c->fetch, *after = c->after;
    if (f && f->is_paused && c->has_head) net_stream_stop(&c->stream);
    c->after = NULL;
    if (after) http_pool_add(after);
}

void http_h1_resume(HttpConn *c)
{
    if (c->is_reading) return;
    HttpFetch *f = c->fetch;
    http_fetch_hold(f);
    if (http_body_deliver_rest(f) && c->fetch == f && !f->is_paused) {
        bool had_input = c->has_input;
        http_h1_input(c, S(""));
        c->has_input = had_input;
        bool wants_more = c->fetch == f && !f->is_paused && c->state == CONN_READY;
        if (wants_more && c->is_ended)
            http_h1_end(c);
        else if (wants_more)
            net_stream_start(&c->stream);
    }
    http_fetch_release(f);
}

void http_h1_end(HttpConn *c)
{
    c->is_ended = true;
    HttpFetch *f = c->fetch;
    if (f && f->is_paused && c->has_head) return;
    bool is_body = (f || c->is_draining) && c->has_head;
    if (is_body && http_body_may_end(&c->body))
        message_done(c, false);
    else
        http_line_fail(c, HTTP_CLIENT_ECLOSED);
}
