/* http/http_client.c -- the life of a fetch: starting, redirects, retries, aborting, ending. */
#include "http/http_client_private.h"

#include "util/mem.h"

#include <errno.h>
#include <string.h>

/* ---- The client ----------------------------------------------------------------------------- */

HttpClient *http_client_new(Loop *loop)
{
    HttpClient *client = MEM_NEW(HttpClient);
    client->loop = loop;
    client->conns_max = HTTP_CLIENT_CONNS_MAX;
    return client;
}

void http_client_check_free(HttpClient *client)
{
    if (!client->is_dying || client->n_conns || client->n_fetches) return;
    arena_deinit(&client->arena);
    mem_free(client);
}

void http_client_free(HttpClient *client)
{
    if (!client) return;
    /* One more, so that it lives to the end of this function. */
    client->n_fetches++;
    client->is_dying = true;
    while (client->fetches) http_fetch_done(client->fetches, -ECANCELED);
    HttpOrigin *next;
    for (HttpOrigin *o = client->origin_list; o; o = next) {
        next = o->next;
        o->is_busy = true;
        while (o->conns) http_line_close(o->conns);
        str_map_del(&client->origins, o->key);
        mem_free((char *)(uintptr_t)o->key.p);
        mem_free(o);
    }
    client->origin_list = NULL;
    client->n_fetches--;
    http_client_check_free(client);
}

void http_client_set_max(HttpClient *client, u32 max)
{
    client->conns_max = MAX(max, 1u);
    http_pool_dispatch_all(client);
}

void http_client_close_idle(HttpClient *client)
{
    while (client->idle_first) http_line_close(client->idle_first);
}

HttpClientStats http_client_stats(const HttpClient *client)
{
    return (HttpClientStats){
        .n_conns = client->n_conns,
        .n_idle = client->n_idle,
        .n_fetches = client->n_fetches,
        .n_waiting = client->n_waiting,
        .n_opened = client->n_opened,
    };
}

/* ---- Memory of a fetch ---------------------------------------------------------------------- */

void http_fetch_hold(HttpFetch *f)
{
    f->n_busy++;
}

static void fetch_free(HttpFetch *f)
{
    HttpClient *client = f->client;
    http_body_decode_free(f);
    Buf_deinit(&f->upload);
    Buf_deinit(&f->stash);
    mem_free(f->pairs);
    tls_context_unref(f->o.tls);
    arena_deinit(&f->head_arena);
    arena_deinit(&f->arena);
    mem_free(f);
    client->n_fetches--;
    http_client_check_free(client);
}

static void on_timer_closed(LoopHandle *h)
{
    fetch_free(CONTAINER(HttpFetch, timer.handle, h));
}

void http_fetch_release(HttpFetch *f)
{
    f->n_busy--;
    if (f->n_busy || !f->is_dead) return;
    f->n_busy = 1; /* nobody comes here again */
    if (f->all_prev)
        f->all_prev->all_next = f->all_next;
    else if (f->client->fetches == f)
        f->client->fetches = f->all_next;
    if (f->all_next) f->all_next->all_prev = f->all_prev;
    if (f->has_timer)
        loop_handle_close(&f->timer.handle, on_timer_closed);
    else
        fetch_free(f);
}

void *http_fetch_data(const HttpFetch *f)
{
    return f->data;
}

Str http_fetch_url(const HttpFetch *f)
{
    return f->url.href;
}

int http_fetch_detail(const HttpFetch *f)
{
    return f->detail;
}

const TlsError *http_fetch_tls_error(const HttpFetch *f)
{
    return f->tls_error;
}

/* ---- Leaving -------------------------------------------------------------------------------- */

/* Takes the fetch out of wherever it waits or runs. */
static void leave(HttpFetch *f)
{
    HttpConn *c = f->conn;
    if (f->origin) http_pool_remove(f);
    if (!c) return;
    f->conn = NULL;
    if (c->protocol == PROTOCOL_H2) {
        http_h2_abort(c, f);
        return;
    }
    c->fetch = NULL;
    http_line_close(c);
}

void http_fetch_abort(HttpFetch *f)
{
    if (f->is_dead) return;
    f->is_dead = true;
    http_fetch_hold(f);
    leave(f);
    http_fetch_release(f);
}

void http_fetch_done(HttpFetch *f, int rc)
{
    if (f->is_dead) return;
    http_fetch_hold(f);
    leave(f);
    f->is_ended = true;
    f->rc = rc;
    f->is_dead = true;
    f->events->on_done(f, rc);
    http_fetch_release(f);
}

static bool can_send_again(const HttpFetch *f)
{
    return !f->has_streamed || (f->sent == 0 && !f->is_upload_done);
}

static void reset_upload(HttpFetch *f)
{
    if (!f->has_streamed) {
        f->sent = 0;
        f->is_upload_done = !f->has_body;
    }
    f->has_head = false;
    f->n_pairs = 0;
}

void http_fetch_broken(HttpFetch *f, int rc, bool may_retry)
{
    bool is_closed = rc == HTTP_CLIENT_ECLOSED || rc == -ECONNRESET || rc == -EPIPE;
    if (!may_retry || !is_closed || f->n_retries >= HTTP_CLIENT_RETRIES_MAX || !can_send_again(f) ||
        f->client->is_dying) {
        http_fetch_done(f, rc);
        return;
    }
    f->n_retries++;
    reset_upload(f);
    http_pool_add(f);
}

/* ---- Redirects ------------------------------------------------------------------------------ */

void http_fetch_add_pair(HttpFetch *f, Str name, Str value)
{
    if (f->n_pairs == f->pairs_cap) {
        f->pairs_cap = MAX(16u, f->pairs_cap * 2);
        f->pairs = mem_resize(f->pairs, f->pairs_cap * sizeof(HttpPair));
    }
    f->pairs[f->n_pairs++] = (HttpPair){name, value};
}

static Str response_header(const HttpFetch *f, Str name)
{
    for (u32 i = 0; i < f->n_pairs; i++)
        if (str_eq(f->pairs[i].name, name)) return f->pairs[i].value;
    return (Str){0};
}

static bool is_redirect(u32 status)
{
    return status == 301 || status == 302 || status == 303 || status == 307 || status == 308;
}

static void drop_headers(HttpFetch *f, const Str *names, u32 n_names)
{
    u32 n = 0;
    for (u32 i = 0; i < f->n_headers; i++) {
        bool is_dropped = false;
        for (u32 k = 0; k < n_names; k++)
            is_dropped = is_dropped || str_eq_nocase(f->headers[i].name, names[k]);
        if (!is_dropped) f->headers[n++] = f->headers[i];
    }
    f->n_headers = n;
}

/* Fetch Standard, "HTTP-redirect fetch": what changes for the next request. */
static int redirect_to(HttpFetch *f, Str location)
{
    if (f->n_redirects >= HTTP_CLIENT_REDIRECTS_MAX) return HTTP_CLIENT_EREDIRECTS;
    AUTO(Scratch) s = scratch_begin(&f->arena);
    Str old_origin = url_origin(s.arena, &f->url);
    Str old_hash = url_hash(&f->url);
    bool is_post = f->method_id == HTTP_POST && (f->status == 301 || f->status == 302);
    bool is_303 = f->status == 303 && f->method_id != HTTP_GET && f->method_id != HTTP_HEAD;
    if (!is_post && !is_303 && f->has_streamed) return HTTP_CLIENT_EBODY;
    Url base = f->url;
    int rc = http_fetch_route(f, location, &base);
    if (rc < 0) return HTTP_CLIENT_EREDIRECT_URL;
    if (!url_hash(&f->url).n && old_hash.n)
        f->url.href = str_concat(&f->arena, f->url.href, old_hash);
    f->n_redirects++;
    if (is_post || is_303) {
        static const Str content[] = {
            {"content-encoding", 16}, {"content-language", 16}, {"content-location", 16},
            {"content-type", 12},     {"content-length", 14},
        };
        drop_headers(f, content, COUNT(content));
        f->method = S("GET");
        f->method_id = HTTP_GET;
        f->has_body = f->has_streamed = false;
        f->o.body = (Str){0};
    }
    if (!str_eq(old_origin, url_origin(s.arena, &f->url))) {
        static const Str secret[] = {
            {"authorization", 13},
            {"proxy-authorization", 19},
            {"cookie", 6},
            {"host", 4},
        };
        drop_headers(f, secret, COUNT(secret));
    }
    reset_upload(f);
    return 0;
}

/* The connection reads the rest of the redirect's body, and is kept if that is short. */
static void leave_for_redirect(HttpFetch *f)
{
    HttpConn *c = f->conn;
    f->conn = NULL;
    if (c->protocol == PROTOCOL_H2) {
        http_h2_abort(c, f);
        return;
    }
    c->fetch = NULL;
    if (f->is_upload_done) {
        c->is_draining = true;
        c->drained = 0;
        return;
    }
    http_line_close(c);
}

static void follow(HttpFetch *f, Str location)
{
    HttpConn *c = f->conn;
    Str copy = str_dup(&f->arena, location);
    leave_for_redirect(f);
    int rc = redirect_to(f, copy);
    if (rc < 0)
        http_fetch_done(f, rc);
    else if (c->is_draining)
        c->after = f;
    else
        http_pool_add(f);
}

bool http_fetch_on_head(HttpFetch *f, Str reason, u8 version, bool has_body, u64 length)
{
    Str location = response_header(f, S("location"));
    if (is_redirect(f->status) && location.p && f->o.redirect != HTTP_REDIRECT_MANUAL) {
        if (f->o.redirect == HTTP_REDIRECT_ERROR) {
            http_fetch_done(f, HTTP_CLIENT_EREDIRECT);
            return false;
        }
        follow(f, location);
        return false;
    }
    f->has_head = true;
    if (has_body) http_body_decode_start(f);
    HttpConn *c = f->conn;
    HttpResponse response = {
        .status = f->status,
        .reason = reason,
        .headers = f->pairs,
        .n_headers = f->n_pairs,
        .url = f->url.href,
        .n_redirects = f->n_redirects,
        .version = version,
        .has_body = has_body,
        .length = length,
    };
    http_fetch_hold(f);
    if (f->events->on_head) f->events->on_head(f, &response);
    bool is_here = !f->is_dead && f->conn == c;
    http_fetch_release(f);
    return is_here;
}

/* ---- Starting ------------------------------------------------------------------------------- */

static HttpMethod method_of(Str method)
{
    for (u32 i = 0; i < HTTP_METHOD_COUNT; i++)
        if (str_eq(http_method_text((HttpMethod)i), method)) return (HttpMethod)i;
    /* Every method that is unknown has bodies like POST; only GET, HEAD and CONNECT are special. */
    return HTTP_METHOD_COUNT;
}

static bool copy_headers(HttpFetch *f, const HttpFetchOptions *o)
{
    static const Str close = {"close", 5};
    HttpPair *to = ARENA_ARRAY(&f->arena, HttpPair, o->n_headers + 2);
    f->headers = to;
    for (u32 i = 0; i < o->n_headers; i++) {
        const HttpPair *p = &o->headers[i];
        if (!http_is_token(p->name) || !http_is_field_value(p->value)) return false;
        to[i].name = str_dup(&f->arena, p->name);
        to[i].value = str_dup(&f->arena, p->value);
        if (str_eq_nocase(p->name, S("connection")) && http_list_has(p->value, close))
            f->o.is_once = true;
    }
    f->n_headers = o->n_headers;
    return true;
}

static bool has_header(const HttpFetch *f, Str name)
{
    for (u32 i = 0; i < f->n_headers; i++)
        if (str_eq_nocase(f->headers[i].name, name)) return true;
    return false;
}

static int copy_options(HttpFetch *f, const HttpFetchOptions *o)
{
    Arena *a = &f->arena;
    f->o = *o;
    f->o.tls = o->tls ? tls_context_ref(o->tls) : NULL;
    f->method = o->method.n ? str_dup(a, o->method) : S("GET");
    f->method_id = method_of(f->method);
    f->o.body = o->is_borrowed ? o->body : str_dup(a, o->body);
    f->o.unix_path = str_dup(a, o->unix_path);
    f->o.proxy = str_dup(a, o->proxy);
    f->o.server_name = str_dup(a, o->server_name);
    f->has_streamed = o->is_streamed;
    f->has_body = o->is_streamed || o->body.p;
    f->is_upload_done = !f->has_body;
    HttpPair *pairs = ARENA_ARRAY(a, HttpPair, o->n_proxy_headers);
    for (u32 i = 0; i < o->n_proxy_headers; i++) {
        pairs[i].name = str_dup(a, o->proxy_headers[i].name);
        pairs[i].value = str_dup(a, o->proxy_headers[i].value);
        if (!http_is_token(pairs[i].name) || !http_is_field_value(pairs[i].value)) return -EINVAL;
    }
    f->o.proxy_headers = pairs;
    if (!http_is_token(f->method) || !copy_headers(f, o)) return -EINVAL;
    if (!o->is_raw && !has_header(f, S("accept-encoding"))) {
        f->headers[f->n_headers++] = (HttpPair){S("Accept-Encoding"), S("gzip, deflate, br, zstd")};
    }
    return http_fetch_route(f, str_dup(a, o->url), NULL);
}

static void on_too_slow(LoopTimer *t)
{
    http_fetch_done(CONTAINER(HttpFetch, timer, t), -ETIMEDOUT);
}

HttpFetch *http_fetch_start(HttpClient *client, const HttpFetchOptions *options,
                            const HttpFetchEvents *events, void *data, int *ret_rc)
{
    HttpFetch *f = MEM_NEW(HttpFetch);
    f->client = client;
    f->events = events;
    f->data = data;
    f->h2_id = -1;
    client->n_fetches++;
    int rc = copy_options(f, options);
    if (rc < 0) {
        fetch_free(f);
        *ret_rc = rc;
        return NULL;
    }
    f->all_next = client->fetches;
    if (f->all_next) f->all_next->all_prev = f;
    client->fetches = f;
    if (options->total_ms) {
        f->has_timer = true;
        loop_timer_open(client->loop, &f->timer);
        loop_timer_start(&f->timer, options->total_ms, 0, on_too_slow);
    }
    http_pool_add(f);
    return f;
}

/* ---- Flow ----------------------------------------------------------------------------------- */

void http_fetch_pause(HttpFetch *f)
{
    f->is_paused = true;
    HttpConn *c = f->conn;
    bool is_reading = c && (c->is_reading || c->protocol == PROTOCOL_H2);
    if (c && f->has_head && !is_reading) net_stream_stop(&c->stream);
}

void http_fetch_resume(HttpFetch *f)
{
    if (!f->is_paused) return;
    f->is_paused = false;
    if (f->is_delivering || f->is_dead || !f->conn || !f->has_head) return;
    if (f->conn->protocol == PROTOCOL_H2)
        http_h2_consumed(f->conn, f);
    else
        http_h1_resume(f->conn);
}

bool http_fetch_write(HttpFetch *f, Str piece)
{
    if (f->is_dead || f->is_upload_ended || !f->has_streamed || !piece.n) return true;
    f->n_written += piece.n;
    bool is_h1 = f->conn && f->conn->protocol == PROTOCOL_H1;
    if (is_h1) return http_h1_write(f->conn, f, piece);
    buf_push(&f->upload, piece);
    if (f->conn) http_h2_upload(f->conn, f);
    f->needs_drain = f->upload.len >= UPLOAD_HIGH;
    return !f->needs_drain;
}

void http_fetch_end(HttpFetch *f)
{
    if (f->is_dead || f->is_upload_ended || !f->has_streamed) return;
    f->is_upload_ended = true;
    if (!f->conn) return;
    if (f->conn->protocol == PROTOCOL_H2)
        http_h2_upload(f->conn, f);
    else
        http_h1_finish(f->conn, f);
}

/* ---- Names of errors ------------------------------------------------------------------------ */

typedef struct {
    int rc;
    Str name, text;
} ErrorRow;

static const ErrorRow rows[] = {
    {HTTP_CLIENT_ECLOSED, S("ConnectionClosed"),
     S("The socket connection was closed unexpectedly")},
    {HTTP_CLIENT_EPARSE, S("InvalidHTTPResponse"), S("The response is not valid HTTP")},
    {HTTP_CLIENT_EREDIRECTS, S("TooManyRedirects"), S("The response redirected too many times")},
    {HTTP_CLIENT_EREDIRECT, S("UnexpectedRedirect"),
     S("The response redirected, which redirect: \"error\" forbids")},
    {HTTP_CLIENT_EREDIRECT_URL, S("RedirectURLInvalid"),
     S("The redirect goes to what is no http URL")},
    {HTTP_CLIENT_EBODY, S("RequestBodyNotReusable"), S("A streamed body cannot be sent again")},
    {HTTP_CLIENT_EDECODE, S("ZlibError"), S("The response cannot be decompressed")},
    {HTTP_CLIENT_ETOO_BIG, S("ResponseTooLarge"), S("The response is larger than allowed")},
    {HTTP_CLIENT_EPROXY, S("ProxyError"), S("The proxy refused the connection")},
    {HTTP_CLIENT_EH2, S("HTTP2Error"), S("The HTTP/2 connection failed")},
    {HTTP_CLIENT_EURL, S("InvalidURL"), S("The URL is not an absolute http or https URL")},
    {HTTP_CLIENT_EUNSUPPORTED, S("Unsupported"),
     S("not implemented: TLS inside TLS, through an https proxy")},
};

static const ErrorRow *find_row(int rc)
{
    for (u32 i = 0; i < COUNT(rows); i++)
        if (rows[i].rc == rc) return &rows[i];
    return NULL;
}

Str http_client_error_name(int rc)
{
    const ErrorRow *row = find_row(rc);
    return row ? row->name : str_z("");
}

Str http_client_error_text(int rc)
{
    const ErrorRow *row = find_row(rc);
    return row ? row->text : str_z("");
}
