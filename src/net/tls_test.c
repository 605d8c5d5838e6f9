/* net/tls_test.c -- TLS over streams: handshakes, trust, names, protocols, ends. */
#include "net/net_test.h"

#include <openssl/ssl.h>

typedef struct {
    TestCert ca, cert, alone;
    TlsContext *server, *alone_server, *client, *stranger;
} Trust;

static void trust_init(Trust *t)
{
    t->ca = test_cert_new("Test CA", NULL, true, NULL);
    t->cert =
        test_cert_new("server", "DNS:localhost,DNS:*.example.org,IP:127.0.0.1", false, &t->ca);
    t->alone = test_cert_new("alone", "DNS:alone.test", false, NULL);
    t->server = test_context(&t->cert, NULL);
    t->alone_server = test_context(&t->alone, NULL);
    t->client = test_context(NULL, &t->ca);
    t->stranger = test_context(NULL, NULL);
}

static void trust_deinit(Trust *t)
{
    test_cert_free(&t->ca);
    test_cert_free(&t->cert);
    test_cert_free(&t->alone);
    tls_context_unref(t->server);
    tls_context_unref(t->alone_server);
    tls_context_unref(t->client);
    tls_context_unref(t->stranger);
}

/* One connection that sends `n` bytes and gets them back; what the client has seen. */
static void talk(Loop *loop, TestServer *server, TestEnd *client, const TlsConnOptions *o, usize n)
{
    static char data[1 << 20];
    u16 port = test_serve(loop, server, &(NetListenOptions){.host = S("127.0.0.1")}, 1);
    client->closes_at_end = true;
    test_dial(loop, client, &(NetTarget){.host = S("127.0.0.1"), .port = port});
    net_stream_start_tls(&client->stream, tls_conn_new(o), S(""));
    NetWrite w = {0};
    for (usize i = 0; i < n; i++) data[i] = (char)(i * 3 + i / 500);
    if (n) net_stream_send(&client->stream, &w, data, n);
    net_stream_end(&client->stream);
    loop_run(loop, LOOP_RUN);
    CHECK_INT(client->n_close, 1);
    if (!client->n_error) CHECK(client->got.len == n && (!n || !memcmp(client->got.p, data, n)));
}

LOOP_TEST(tls_echo)
{
    Trust t;
    trust_init(&t);
    for (usize n = 0; n <= 1 << 20; n = n ? n * 32 : 1) {
        TestServer server = {.tls = {.ctx = t.server, .is_server = true}};
        TestEnd client = {0};
        TlsConnOptions o = {.ctx = t.client, .verify = true, .servername = S("localhost")};
        o.verify_host = S("localhost");
        talk(loop, &server, &client, &o, n);
        CHECK_INT(client.n_secure, 1);
        CHECK_INT(client.n_error, 0);
        CHECK_INT(client.n_end, 1);
        CHECK_INT(client.n_finish, 1);
        CHECK_INT(client.n_got, n);
        Buf_deinit(&client.got);
    }
    trust_deinit(&t);
}

static void refused(Loop *loop, TlsContext *server_ctx, TlsContext *client_ctx, Str host,
                    const char *code)
{
    TestServer server = {.tls = {.ctx = server_ctx, .is_server = true}};
    TestEnd client = {0};
    u16 port = test_serve(loop, &server, &(NetListenOptions){.host = S("127.0.0.1")}, 1);
    TlsConnOptions o = {.ctx = client_ctx, .verify = true, .verify_host = host};
    test_dial(loop, &client, &(NetTarget){.host = S("127.0.0.1"), .port = port});
    net_stream_start_tls(&client.stream, tls_conn_new(&o), S(""));
    while (!client.n_error && !client.n_secure) loop_run(loop, LOOP_RUN_ONCE);
    Str got = client.n_error ? str_z(client.code) : S("");
    if (!str_eq(got, str_z(code))) test_fail_str(__FILE__, __LINE__, got, str_z(code));
    if (!client.n_error) net_stream_close(&client.stream);
    loop_run(loop, LOOP_RUN);
    CHECK_INT(client.n_close, 1);
}

LOOP_TEST(tls_who_is_not_trusted_is_refused)
{
    Trust t;
    trust_init(&t);
    refused(loop, t.server, t.client, S("127.0.0.1"), "");
    refused(loop, t.server, t.client, S("a.example.org"), "");
    refused(loop, t.server, t.client, S("A.Example.ORG."), "");
    refused(loop, t.server, t.client, S("a.b.example.org"), "ERR_TLS_CERT_ALTNAME_INVALID");
    refused(loop, t.server, t.client, S("127.0.0.2"), "ERR_TLS_CERT_ALTNAME_INVALID");
    refused(loop, t.server, t.client, S("server"), "ERR_TLS_CERT_ALTNAME_INVALID");
    refused(loop, t.server, t.stranger, S("localhost"), "UNABLE_TO_VERIFY_LEAF_SIGNATURE");
    refused(loop, t.alone_server, t.client, S("alone.test"), "DEPTH_ZERO_SELF_SIGNED_CERT");
    refused(loop, t.alone_server, tls_context_default(), S("alone.test"),
            "DEPTH_ZERO_SELF_SIGNED_CERT");
    trust_deinit(&t);
}

LOOP_TEST(tls_names_and_protocols_are_agreed_on)
{
    Trust t;
    trust_init(&t);
    tls_context_add_name(t.alone_server, S("*.Example.org"), t.server);
    AUTO(Buf) offered = {0};
    AUTO(Buf) spoken = {0};
    CHECK(tls_alpn_push(&offered, S("x")) && tls_alpn_push(&offered, S("h2")));
    CHECK(tls_alpn_push(&spoken, S("h2")) && !tls_alpn_push(&spoken, S("")));
    TestServer server = {.tls = {.ctx = t.alone_server, .is_server = true}};
    server.tls.alpn = buf_str(&spoken);
    TlsConnOptions o = {.ctx = t.client, .verify = true, .servername = S("www.example.org")};
    o.verify_host = o.servername;
    o.alpn = buf_str(&offered);
    TlsConn *conn = tls_conn_new(&o);
    TestEnd client = {.closes_at_end = true};
    u16 port = test_serve(loop, &server, &(NetListenOptions){.host = S("127.0.0.1")}, 1);
    test_dial(loop, &client, &(NetTarget){.host = S("127.0.0.1"), .port = port});
    net_stream_start_tls(&client.stream, conn, S(""));
    while (!client.n_secure && !client.n_error) loop_run(loop, LOOP_RUN_ONCE);
    CHECK_INT(client.n_error, 0);
    CHECK_STR(tls_conn_alpn(conn), "h2");
    CHECK_STR(tls_conn_servername(conn), "www.example.org");
    net_stream_end(&client.stream);
    loop_run(loop, LOOP_RUN);
    trust_deinit(&t);
}

LOOP_TEST(tls_clients_show_certificates)
{
    Trust t;
    trust_init(&t);
    TestCert mine = test_cert_new("me", NULL, false, &t.ca);
    TlsContext *with = test_context(&mine, &t.ca), *server_ctx = test_context(&t.cert, &t.ca);
    for (u32 i = 0; i < 2; i++) {
        TestServer server = {.tls = {.ctx = server_ctx, .is_server = true, .verify = true}};
        TestEnd client = {0};
        TlsConnOptions o = {.ctx = i ? with : t.client};
        talk(loop, &server, &client, &o, i ? 10 : 0);
        CHECK_INT(client.n_got, i ? 10 : 0);
        Buf_deinit(&client.got);
    }
    tls_context_unref(with);
    tls_context_unref(server_ctx);
    test_cert_free(&mine);
    trust_deinit(&t);
}

LOOP_TEST(tls_garbage_is_an_error)
{
    Trust t;
    trust_init(&t);
    TestServer server = {.tls = {.ctx = t.server, .is_server = true}};
    TestEnd client = {.closes_at_end = true};
    u16 port = test_serve(loop, &server, &(NetListenOptions){.host = S("127.0.0.1")}, 1);
    test_dial(loop, &client, &(NetTarget){.host = S("127.0.0.1"), .port = port});
    net_stream_write(&client.stream, "GET / HTTP/1.1\r\n\r\n", 18);
    loop_run(loop, LOOP_RUN);
    CHECK_INT(client.n_close, 1);
    Buf_deinit(&client.got);
    trust_deinit(&t);
}

LOOP_TEST(tls_closing_at_any_moment)
{
    Trust t;
    trust_init(&t);
    TestServer server = {.tls = {.ctx = t.server, .is_server = true}};
    u16 port = test_serve(loop, &server, &(NetListenOptions){.host = S("127.0.0.1")}, 0);
    for (u32 turns = 0; turns < 10; turns++) {
        TestEnd client = {0};
        TlsConnOptions o = {.ctx = t.client};
        test_dial(loop, &client, &(NetTarget){.host = S("127.0.0.1"), .port = port});
        net_stream_start_tls(&client.stream, tls_conn_new(&o), S(""));
        net_stream_write(&client.stream, "hello", 5);
        for (u32 i = 0; i < turns; i++) loop_run(loop, LOOP_RUN_NOWAIT);
        net_stream_close(&client.stream);
        for (u32 i = 0; i < 1000 && !client.n_close; i++) loop_run(loop, LOOP_RUN_ONCE);
        CHECK_INT(client.n_close, 1);
        Buf_deinit(&client.got);
    }
    net_listener_close(&server.listener);
    loop_run(loop, LOOP_RUN);
    trust_deinit(&t);
}

LOOP_TEST(tls_pause_loses_nothing)
{
    Trust t;
    trust_init(&t);
    static char data[200000];
    TestServer server = {.tls = {.ctx = t.server, .is_server = true}};
    TestEnd client = {0};
    TlsConnOptions o = {.ctx = t.client};
    u16 port = test_serve(loop, &server, &(NetListenOptions){.host = S("127.0.0.1")}, 1);
    test_dial(loop, &client, &(NetTarget){.host = S("127.0.0.1"), .port = port});
    net_stream_start_tls(&client.stream, tls_conn_new(&o), S(""));
    net_stream_stop(&client.stream);
    NetWrite w = {0};
    net_stream_send(&client.stream, &w, data, sizeof(data));
    for (u32 i = 0; i < 100000 && client.n_got < sizeof(data); i++) {
        net_stream_start(&client.stream);
        for (u32 k = 0; k < 3; k++) loop_run(loop, LOOP_RUN_NOWAIT);
        net_stream_stop(&client.stream);
    }
    CHECK_INT(client.n_got, sizeof(data));
    net_stream_close(&client.stream);
    loop_run(loop, LOOP_RUN);
    Buf_deinit(&client.got);
    trust_deinit(&t);
}

TEST(tls_errors_have_nodes_codes)
{
    TlsKeyPair pair = {.cert = S("nothing")};
    TlsOptions o = {.pairs = &pair, .n_pairs = 1};
    TlsError error;
    TlsContext *ctx;
    CHECK_INT(tls_context_new(&o, &error, &ctx), NET_ETLS);
    CHECK_STR(str_z(error.code), "ERR_OSSL_PEM_NO_START_LINE");
    o = (TlsOptions){.ciphers = S("NONSENSE")};
    CHECK_INT(tls_context_new(&o, &error, &ctx), NET_ETLS);
    CHECK_STR(str_z(error.code), "ERR_SSL_NO_CIPHER_MATCH");
}
