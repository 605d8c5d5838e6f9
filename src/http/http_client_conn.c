/* http/http_client_conn.c -- the life of a connection: connecting, tunnel, TLS, then HTTP. */
#include "http/http_client_private.h"

#include "util/mem.h"

static const NetEvents events;

/* ---- Ending --------------------------------------------------------------------------------- */

static void conn_free(HttpConn *c)
{
    HttpClient *client = c->client;
    http_h2_free(c);
    http_head_deinit(&c->head);
    http_body_deinit(&c->body);
    Buf_deinit(&c->in);
    tls_context_unref(c->tls);
    arena_deinit(&c->arena);
    mem_free(c);
    client->n_conns--;
    if (client->is_dying)
        http_client_check_free(client);
    else
        http_pool_dispatch_all(client);
}

static void on_part_closed(HttpConn *c)
{
    if (--c->n_closing == 0) conn_free(c);
}

static void on_timer_closed(LoopHandle *h)
{
    on_part_closed(CONTAINER(HttpConn, timer.handle, h));
}

/* As soon as it is known that the connection ends: a loop that is freed waits for no second. */
void http_line_close_timer(HttpConn *c)
{
    if (c->is_timer_closed) return;
    c->is_timer_closed = true;
    loop_handle_close(&c->timer.handle, on_timer_closed);
}

/* Nobody waits for this connection as such: those who hoped for it are told. */
static void tell_waiting(HttpOrigin *o, int rc, const HttpConn *c)
{
    u32 n = o->protocol == PROTOCOL_H1 ? 1 : o->n_waiting;
    o->is_busy = true;
    for (; n && o->first; n--) {
        HttpFetch *f = o->first;
        http_pool_remove(f);
        o->is_busy = true;
        if (rc == NET_ETLS) {
            f->tls_error = ARENA_NEW(&f->arena, TlsError);
            *f->tls_error = c->tls_error;
        }
        f->detail = c->detail;
        http_fetch_done(f, rc);
    }
    o->is_busy = false;
}

static void tell_streams(HttpConn *c, int rc)
{
    while (c->h2_fetches) {
        HttpFetch *f = c->h2_fetches;
        http_h2_abort(c, f);
        f->detail = c->detail;
        http_fetch_broken(f, rc, !f->has_head && c->was_used);
    }
}

/* on_close: whoever still counts on it learns now. */
static void on_close(NetStream *s)
{
    HttpConn *c = CONTAINER(HttpConn, stream, s);
    HttpOrigin *o = c->origin;
    HttpFetch *f = c->fetch;
    int rc = c->rc ? c->rc : HTTP_CLIENT_ECLOSED;
    if (o && c->state < CONN_READY && c->rc && !c->client->is_dying) tell_waiting(o, rc, c);
    http_pool_forget(c);
    c->state = CONN_CLOSED;
    if (f) {
        c->fetch = NULL;
        f->conn = NULL;
        f->detail = c->detail;
        http_fetch_broken(f, rc, c->was_used && !c->has_input);
    }
    tell_streams(c, rc);
    http_line_close_timer(c);
    on_part_closed(c);
}

void http_line_close(HttpConn *c)
{
    if (c->state == CONN_CLOSED) return;
    http_line_close_timer(c);
    /* Nobody may be given to it any more. */
    http_pool_forget(c);
    net_stream_close(&c->stream);
}

void http_line_fail(HttpConn *c, int rc)
{
    if (!c->rc) c->rc = rc;
    if (c->state >= CONN_READY) {
        http_line_close(c);
        return;
    }
    /* It stays with its origin, so that those who wait hear of it. */
    http_line_close_timer(c);
    net_stream_close(&c->stream);
}

static void on_error(NetStream *s, int rc)
{
    HttpConn *c = CONTAINER(HttpConn, stream, s);
    if (!c->rc) c->rc = rc;
    if (rc == NET_ETLS && s->tls) c->tls_error = *tls_conn_error(s->tls);
    http_line_close_timer(c);
    if (c->state >= CONN_READY) http_pool_forget(c);
}

static void on_too_slow(LoopTimer *t)
{
    http_line_fail(CONTAINER(HttpConn, timer, t), -ETIMEDOUT);
}

static void on_timeout(NetStream *s)
{
    http_line_fail(CONTAINER(HttpConn, stream, s), -ETIMEDOUT);
}

/* ---- Opening -------------------------------------------------------------------------------- */

static void copy_route(HttpConn *c, const HttpFetch *f)
{
    Arena *a = &c->arena;
    c->route = f->route;
    c->route.host = str_dup(a, f->route.host);
    c->route.unix_path = str_dup(a, f->route.unix_path);
    c->route.proxy_host = str_dup(a, f->route.proxy_host);
    c->route.proxy_auth = str_dup(a, f->route.proxy_auth);
    c->server_name = str_dup(a, f->o.server_name);
    c->is_unverified = f->o.is_unverified;
    c->is_h1_only = f->o.is_h1_only || f->o.is_upgrade;
    if (f->o.tls) c->tls = tls_context_ref(f->o.tls);
    c->n_proxy_headers = f->o.n_proxy_headers;
    HttpPair *pairs = ARENA_ARRAY(a, HttpPair, c->n_proxy_headers);
    for (u32 i = 0; i < c->n_proxy_headers; i++) {
        pairs[i].name = str_dup(a, f->o.proxy_headers[i].name);
        pairs[i].value = str_dup(a, f->o.proxy_headers[i].value);
    }
    c->proxy_headers = pairs;
}

HttpConn *http_line_open(HttpOrigin *o, const HttpFetch *f)
{
    HttpClient *client = f->client;
    HttpConn *c = MEM_NEW(HttpConn);
    c->client = client;
    c->origin = o;
    c->n_closing = 2;
    c->next = o->conns;
    if (c->next) c->next->prev = c;
    o->conns = c;
    o->n_connecting++;
    client->n_conns++;
    client->n_opened++;
    copy_route(c, f);
    loop_timer_open(client->loop, &c->timer);
    loop_handle_unref(&c->timer.handle);
    loop_timer_start(&c->timer, f->o.connect_ms ? f->o.connect_ms : CONNECT_MS, 0, on_too_slow);
    net_stream_init(client->loop, &c->stream, &events);
    net_stream_connect(&c->stream,
                       &(NetTarget){
                           .host = c->route.has_proxy ? c->route.proxy_host : c->route.host,
                           .port = c->route.has_proxy ? c->route.proxy_port : c->route.port,
                           .path = c->route.unix_path,
                       });
    net_stream_start(&c->stream);
    return c;
}

static void start_tls(HttpConn *c, Str head)
{
    AUTO(Buf) alpn = {0};
    if (!c->is_h1_only) (void)tls_alpn_push(&alpn, S("h2"));
    (void)tls_alpn_push(&alpn, S("http/1.1"));
    Str name = c->server_name.n ? c->server_name : c->route.host;
    c->state = CONN_TLS;
    net_stream_start_tls(&c->stream,
                         tls_conn_new(&(TlsConnOptions){
                             .ctx = c->tls ? c->tls : tls_context_default(),
                             .servername = name,
                             .verify = !c->is_unverified,
                             .verify_host = c->is_unverified ? (Str){0} : name,
                             .alpn = buf_str(&alpn),
                         }),
                         head);
}

/* ---- Tunnels through a proxy ---------------------------------------------------------------- */

static void send_connect(HttpConn *c)
{
    const HttpRoute *r = &c->route;
    AUTO(Buf) out = {0};
    bool is_v6 = str_find(r->host, ':') >= 0;
    const char *open = is_v6 ? "[" : "", *close = is_v6 ? "]" : "";
    buf_fmt(&out, "CONNECT %s%.*s%s:%u HTTP/1.1\r\n", open, STR_ARG(r->host), close, r->port);
    buf_fmt(&out, "Host: %s%.*s%s:%u\r\n", open, STR_ARG(r->host), close, r->port);
    buf_push(&out, S("Proxy-Connection: Keep-Alive\r\n"));
    if (r->proxy_auth.n) buf_fmt(&out, "Proxy-Authorization: %.*s\r\n", STR_ARG(r->proxy_auth));
    for (u32 i = 0; i < c->n_proxy_headers; i++) {
        const HttpPair *p = &c->proxy_headers[i];
        buf_fmt(&out, "%.*s: %.*s\r\n", STR_ARG(p->name), STR_ARG(p->value));
    }
    buf_push(&out, S("\r\n"));
    c->state = CONN_TUNNEL;
    net_stream_write(&c->stream, out.p, out.len);
}

static void tunnel_input(HttpConn *c, Str in)
{
    buf_push(&c->in, in);
    c->head.is_response = true;
    c->head.size_max = HTTP_CLIENT_HEAD_MAX;
    int n = http_head_parse(&c->head, buf_str(&c->in));
    if (n == 0) return;
    if (n < 0) {
        c->detail = n;
        http_line_fail(c, HTTP_CLIENT_EPARSE);
        return;
    }
    if (c->head.status < 200) {
        buf_drop(&c->in, (usize)n);
        if (c->in.len) tunnel_input(c, S(""));
        return;
    }
    if (c->head.status > 299) {
        c->detail = c->head.status;
        http_line_fail(c, HTTP_CLIENT_EPROXY);
        return;
    }
    buf_drop(&c->in, (usize)n);
    Buf rest = TAKE(c->in);
    start_tls(c, buf_str(&rest));
    Buf_deinit(&rest);
}

/* ---- Events --------------------------------------------------------------------------------- */

static void stands(HttpConn *c, HttpProtocol protocol)
{
    c->protocol = (u8)protocol;
    if (protocol == PROTOCOL_H2 && !http_h2_begin(c)) {
        http_line_fail(c, HTTP_CLIENT_EH2);
        return;
    }
    http_pool_ready(c);
}

static void on_open(NetStream *s)
{
    HttpConn *c = CONTAINER(HttpConn, stream, s);
    /* Nothing depends on it. */
    int rc = c->route.unix_path.n ? 0 : net_stream_set_nodelay(s, true);
    (void)rc;
    if (c->route.has_tunnel)
        send_connect(c);
    else if (c->route.is_tls)
        start_tls(c, S(""));
    else
        stands(c, PROTOCOL_H1);
}

static void on_secure(NetStream *s)
{
    HttpConn *c = CONTAINER(HttpConn, stream, s);
    bool is_h2 = str_eq(tls_conn_alpn(s->tls), S("h2"));
    stands(c, is_h2 ? PROTOCOL_H2 : PROTOCOL_H1);
}

static void on_data(NetStream *s, char *p, u32 n)
{
    HttpConn *c = CONTAINER(HttpConn, stream, s);
    Str in = {p, n};
    if (c->state == CONN_TUNNEL)
        tunnel_input(c, in);
    else if (c->protocol == PROTOCOL_H2)
        http_h2_input(c, in);
    else
        http_h1_input(c, in);
}

static void on_drain(NetStream *s)
{
    HttpConn *c = CONTAINER(HttpConn, stream, s);
    if (c->protocol == PROTOCOL_H2)
        http_h2_flush(c);
    else
        http_h1_upload(c);
}

static void on_end(NetStream *s)
{
    HttpConn *c = CONTAINER(HttpConn, stream, s);
    if (c->state == CONN_READY && c->protocol == PROTOCOL_H1)
        http_h1_end(c);
    else
        http_line_fail(c, HTTP_CLIENT_ECLOSED);
}

static const NetEvents events = {
    .on_open = on_open,
    .on_secure = on_secure,
    .on_data = on_data,
    .on_drain = on_drain,
    .on_end = on_end,
    .on_timeout = on_timeout,
    .on_error = on_error,
    .on_close = on_close,
};

/* ---- Upgrades ------------------------------------------------------------------------------- */

void http_upgrade_free(NetStream *stream)
{
    HttpConn *c = CONTAINER(HttpConn, stream, stream);
    ASSERT(c->state == CONN_GIVEN);
    on_part_closed(c);
}
