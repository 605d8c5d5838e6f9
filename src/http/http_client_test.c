/* http/http_client_test.c -- proxies of the environment, and requests against a server that says
 * what the test gives it. */
#include "http/http_client.h"

#include "util/mem.h"
#include "util/test.h"

TEST(http_no_proxy_takes_suffixes_ports_and_blocks)
{
    CHECK(http_no_proxy_has(S("*"), S("a.example"), 80));
    CHECK(http_no_proxy_has(S("example"), S("a.example"), 80));
    CHECK(http_no_proxy_has(S("x, .example"), S("a.example"), 80));
    CHECK(!http_no_proxy_has(S("ample"), S("a.example"), 80));
    CHECK(!http_no_proxy_has(S("a.example:81"), S("a.example"), 80));
    CHECK(http_no_proxy_has(S("a.example:80"), S("a.example"), 80));
    CHECK(http_no_proxy_has(S("10.0.0.0/8"), S("10.1.2.3"), 80));
    CHECK(!http_no_proxy_has(S("10.0.0.0/8"), S("11.1.2.3"), 80));
    CHECK(http_no_proxy_has(S("fd00::/9"), S("fd12::1"), 80));
    CHECK(!http_no_proxy_has(S(""), S("a"), 80));
}

/* A server that answers the n-th request it sees with the n-th text; "" closes the connection. */
typedef struct Server {
    Loop *loop;
    NetListener listener;
    const Str *answers;
    u32 n_answers, at, n_conns;
    u16 port;
    struct Peer *peers;
} Server;

typedef struct Peer {
    NetStream stream;
    Server *server;
    struct Peer *next;
    Buf in;
} Peer;

static void peer_data(NetStream *s, char *p, u32 n)
{
    Peer *peer = CONTAINER(Peer, stream, s);
    Server *server = peer->server;
    buf_push(&peer->in, (Str){p, n});
    if (str_find_str(buf_str(&peer->in), S("\r\n\r\n")) < 0) return;
    buf_clear(&peer->in);
    Str answer = server->at < server->n_answers ? server->answers[server->at++] : S("");
    if (answer.n)
        net_stream_write(s, answer.p, answer.n);
    else
        net_stream_close(s);
}

static void peer_end(NetStream *s)
{
    net_stream_close(s);
}

static void peer_close(NetStream *s)
{
    Peer *peer = CONTAINER(Peer, stream, s);
    Peer **at = &peer->server->peers;
    while (*at != peer) at = &(*at)->next;
    *at = peer->next;
    Buf_deinit(&peer->in);
    mem_free(peer);
}

static const NetEvents peer_events = {
    .on_data = peer_data, .on_end = peer_end, .on_close = peer_close};

static void server_accept(NetListener *l, int fd)
{
    Server *server = CONTAINER(Server, listener, l);
    Peer *peer = MEM_NEW(Peer);
    peer->server = server;
    peer->next = server->peers;
    server->peers = peer;
    server->n_conns++;
    net_stream_init(server->loop, &peer->stream, &peer_events);
    net_stream_open(&peer->stream, fd);
    net_stream_start(&peer->stream);
}

typedef struct {
    Server server;
    HttpClient *client;
    Buf body;
    u32 status, n_done, n_redirects;
    int rc;
} Fixture;

static void fixture_head(HttpFetch *f, const HttpResponse *r)
{
    Fixture *x = http_fetch_data(f);
    x->status = r->status;
    x->n_redirects = r->n_redirects;
}

static void fixture_data(HttpFetch *f, Str data)
{
    Fixture *x = http_fetch_data(f);
    buf_push(&x->body, data);
}

static void fixture_done(HttpFetch *f, int rc)
{
    Fixture *x = http_fetch_data(f);
    x->rc = rc;
    x->n_done++;
}

static const HttpFetchEvents fixture_events = {
    .on_head = fixture_head, .on_data = fixture_data, .on_done = fixture_done};

static void fixture_begin(Fixture *x, const Str *answers, u32 n)
{
    x->server.loop = loop_new();
    x->server.answers = answers;
    x->server.n_answers = n;
    x->server.listener.on_accept = server_accept;
    CHECK(net_listen(x->server.loop, &x->server.listener,
                     &(NetListenOptions){.host = S("127.0.0.1")}) == 0);
    SysAddr addr;
    CHECK(sys_socket_name(x->server.listener.fd, &addr) == 0);
    x->server.port = sys_addr_port(&addr);
    x->client = http_client_new(x->server.loop);
}

static void fixture_end(Fixture *x)
{
    http_client_free(x->client);
    net_listener_close(&x->server.listener);
    while (x->server.peers) {
        net_stream_close(&x->server.peers->stream);
        loop_run(x->server.loop, LOOP_RUN_ONCE);
    }
    loop_run(x->server.loop, LOOP_RUN_NOWAIT);
    loop_free(x->server.loop);
    Buf_deinit(&x->body);
}

static HttpFetch *fixture_start(Fixture *x)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    int rc;
    Str url = str_fmt(s.arena, "http://127.0.0.1:%u/a", x->server.port);
    HttpFetch *f = http_fetch_start(x->client, &(HttpFetchOptions){.url = url, .is_direct = true},
                                    &fixture_events, x, &rc);
    CHECK(f);
    return f;
}

static void fixture_run(Fixture *x, u32 n_done)
{
    for (u32 i = 0; i < 1000 && x->n_done < n_done; i++) loop_run(x->server.loop, LOOP_RUN_ONCE);
    CHECK_INT(x->n_done, n_done);
}

static const Str hello = {"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello", 43};

TEST(http_client_keeps_a_connection)
{
    const Str answers[] = {hello, S("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
                                    "3\r\nabc\r\n0\r\n\r\n")};
    Fixture x = {0};
    fixture_begin(&x, answers, COUNT(answers));
    fixture_start(&x);
    fixture_run(&x, 1);
    fixture_start(&x);
    fixture_run(&x, 2);
    CHECK_INT(x.rc, 0);
    CHECK_STR(buf_str(&x.body), "helloabc");
    CHECK_INT(x.server.n_conns, 1);
    CHECK_INT(http_client_stats(x.client).n_idle, 1);
    fixture_end(&x);
}

TEST(http_client_sends_again_when_a_kept_connection_was_closed)
{
    const Str answers[] = {hello, S(""), hello};
    Fixture x = {0};
    fixture_begin(&x, answers, COUNT(answers));
    fixture_start(&x);
    fixture_run(&x, 1);
    fixture_start(&x);
    fixture_run(&x, 2);
    CHECK_INT(x.rc, 0);
    CHECK_INT(x.server.n_conns, 2);
    fixture_end(&x);
}

TEST(http_client_follows_redirects)
{
    const Str answers[] = {S("HTTP/1.1 302 Found\r\nLocation: /b\r\nContent-Length: 3\r\n\r\nabc"),
                           hello};
    Fixture x = {0};
    fixture_begin(&x, answers, COUNT(answers));
    fixture_start(&x);
    fixture_run(&x, 1);
    CHECK_INT(x.status, 200);
    CHECK_INT(x.n_redirects, 1);
    CHECK_INT(x.server.n_conns, 1);
    fixture_end(&x);
}

TEST(http_client_says_what_is_wrong)
{
    const Str answers[] = {S("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n"),
                           S(""), S("garbage\r\n\r\n")};
    Fixture x = {0};
    fixture_begin(&x, answers, COUNT(answers));
    fixture_start(&x);
    fixture_run(&x, 1);
    CHECK_INT(x.rc, HTTP_CLIENT_EPARSE);
    fixture_start(&x);
    fixture_run(&x, 2);
    CHECK_INT(x.rc, HTTP_CLIENT_ECLOSED);
    fixture_start(&x);
    fixture_run(&x, 3);
    CHECK_INT(x.rc, HTTP_CLIENT_EPARSE);
    fixture_end(&x);
}

TEST(http_client_aborts_at_any_moment)
{
    const Str answers[] = {hello, hello, hello, hello, hello, hello, hello, hello, hello, hello};
    for (u32 n = 0; n < 10; n++) {
        Fixture x = {0};
        fixture_begin(&x, answers, COUNT(answers));
        HttpFetch *f = fixture_start(&x);
        for (u32 i = 0; i < n && !x.n_done; i++) loop_run(x.server.loop, LOOP_RUN_ONCE);
        if (!x.n_done) http_fetch_abort(f);
        CHECK_INT(http_client_stats(x.client).n_fetches, 0);
        fixture_end(&x);
    }
}
