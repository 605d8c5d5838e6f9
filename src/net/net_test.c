/* net/net_test.c -- streams, listeners, names, without TLS. */
#include "net/net_test.h"

#include <netinet/in.h>
#include <unistd.h>

static const NetListenOptions local = {.host = {"127.0.0.1", 9}};

LOOP_TEST(net_echo)
{
    static TestServer server;
    static TestEnd client;
    u16 port = test_serve(loop, &server, &local, 1);
    test_dial(loop, &client, &(NetTarget){.host = S("127.0.0.1"), .port = port});
    CHECK(net_stream_write(&client.stream, "hello ", 6));
    CHECK(net_stream_write(&client.stream, "world", 5));
    net_stream_end(&client.stream);
    client.closes_at_end = true;
    loop_run(loop, LOOP_RUN);
    CHECK_STR(buf_str(&client.got), "hello world");
    CHECK_INT(client.n_open, 1);
    CHECK_INT(client.n_finish, 1);
    CHECK_INT(client.n_end, 1);
    CHECK_INT(client.n_close, 1);
    CHECK_INT(client.n_error, 0);
    CHECK_INT(server.n_close, 1);
    Buf_deinit(&client.got);
}

static u32 n_writes_done;

static void on_write_done(NetWrite *w, int rc)
{
    CHECK_INT(rc, w->data ? *(int *)w->data : 0);
    n_writes_done++;
}

LOOP_TEST(net_large_transfer_with_backpressure)
{
    enum { SIZE = 40 << 20 };
    static TestServer server;
    static TestEnd client;
    u16 port = test_serve(loop, &server, &local, 1);
    char *data = mem_new(SIZE);
    for (u32 i = 0; i < SIZE; i++) data[i] = (char)(i * 7 + i / 251);
    test_dial(loop, &client, &(NetTarget){.host = S("127.0.0.1"), .port = port});
    struct iovec iov[40];
    for (u32 i = 0; i < 40; i++) iov[i] = (struct iovec){data + (i << 19), 1 << 19};
    NetWrite first = {.on_done = on_write_done}, second = {.on_done = on_write_done};
    net_stream_sendv(&client.stream, &first, iov, 40);
    net_stream_send(&client.stream, &second, data + (40 << 19), SIZE - (40 << 19));
    net_stream_end(&client.stream);
    client.closes_at_end = true;
    loop_run(loop, LOOP_RUN);
    CHECK_INT(n_writes_done, 2);
    CHECK_INT(client.n_got, SIZE);
    CHECK(!memcmp(client.got.p, data, client.got.len));
    mem_free(data);
    Buf_deinit(&client.got);
}

LOOP_TEST(net_unix_and_abstract_sockets)
{
    static const Str paths[] = {{"/tmp/cob-net-test.sock", 22}, {"\0cob-net-test", 13}};
    sys_unlink(paths[0]);
    for (u32 i = 0; i < COUNT(paths); i++) {
        TestServer server = {0};
        TestEnd client = {.closes_at_end = true};
        test_serve(loop, &server, &(NetListenOptions){.path = paths[i], .writable_all = true}, 1);
        NetListener other = server.listener;
        CHECK_INT(net_listen(loop, &other, &(NetListenOptions){.path = paths[i]}), -EADDRINUSE);
        test_dial(loop, &client, &(NetTarget){.path = paths[i]});
        net_stream_write(&client.stream, "x", 1);
        net_stream_end(&client.stream);
        loop_run(loop, LOOP_RUN);
        CHECK_STR(buf_str(&client.got), "x");
        CHECK_INT(client.n_close, 1);
        Buf_deinit(&client.got);
    }
    CHECK_INT(sys_access(paths[0], F_OK), -ENOENT);
    TestEnd client = {0};
    test_dial(loop, &client, &(NetTarget){.path = paths[0]});
    loop_run(loop, LOOP_RUN);
    CHECK_INT(client.rc, -ENOENT);
    CHECK_INT(client.n_close, 1);
}

static u16 free_port(void)
{
    int fd = net_bind(&local);
    SysAddr addr;
    CHECK_INT(sys_socket_name(fd, &addr), 0);
    sys_close(fd);
    return sys_addr_port(&addr);
}

LOOP_TEST(net_connect_errors_come_later)
{
    static TestEnd refused, bad_local, unknown;
    test_dial(loop, &refused, &(NetTarget){.host = S("127.0.0.1"), .port = free_port()});
    NetTarget odd = {.host = S("127.0.0.1"), .port = 1, .local_host = S("192.0.2.1")};
    test_dial(loop, &bad_local, &odd);
    test_dial(loop, &unknown, &(NetTarget){.host = S("no such host"), .port = 1});
    int canceled = -ECONNREFUSED;
    NetWrite w = {.on_done = on_write_done, .data = &canceled};
    net_stream_send(&refused.stream, &w, "x", 1);
    CHECK_INT(refused.n_error + bad_local.n_error + unknown.n_error, 0);
    loop_run(loop, LOOP_RUN);
    CHECK_INT(refused.rc, -ECONNREFUSED);
    CHECK_INT(refused.n_close, 1);
    CHECK_INT(n_writes_done, 1);
    CHECK_INT(bad_local.rc, -EADDRNOTAVAIL);
    CHECK(unknown.rc == -3008 || unknown.rc == -3001);
    CHECK_INT(unknown.n_close, 1);
}

LOOP_TEST(net_next_address_is_tried)
{
    static TestServer server;
    static TestEnd client;
    u16 port = test_serve(loop, &server, &local, 1);
    SysAddr addrs[3];
    CHECK_INT(sys_addr_parse(S("127.0.0.2"), port, &addrs[0]), 0);
    CHECK_INT(sys_addr_parse(S("::1"), port, &addrs[1]), 0);
    CHECK_INT(sys_addr_parse(S("127.0.0.1"), port, &addrs[2]), 0);
    client.closes_at_end = true;
    test_dial(loop, &client, &(NetTarget){.addrs = addrs, .n_addrs = 3});
    net_stream_write(&client.stream, "x", 1);
    net_stream_end(&client.stream);
    loop_run(loop, LOOP_RUN);
    CHECK_STR(buf_str(&client.got), "x");
    Buf_deinit(&client.got);
}

/* A listener that does not accept, with a full queue, answers nothing at all. */
LOOP_TEST(net_slow_address_does_not_hold_up_the_next)
{
    static TestServer server;
    static TestEnd client;
    u16 port = test_serve(loop, &server, &local, 1);
    int hole = net_bind(&(NetListenOptions){.host = S("127.0.0.3"), .port = port});
    REQUIRE(hole >= 0);
    CHECK_INT(sys_listen(hole, 0), 0);
    SysAddr addrs[2];
    int fds[8];
    CHECK_INT(sys_addr_parse(S("127.0.0.3"), port, &addrs[0]), 0);
    CHECK_INT(sys_addr_parse(S("127.0.0.1"), port, &addrs[1]), 0);
    for (u32 i = 0; i < COUNT(fds); i++) {
        fds[i] = sys_socket(AF_INET, SOCK_STREAM, 0);
        (void)!sys_connect(fds[i], &addrs[0]);
    }
    client.closes_at_end = true;
    test_dial(loop, &client, &(NetTarget){.addrs = addrs, .n_addrs = 2, .attempt_ms = 10});
    net_stream_write(&client.stream, "x", 1);
    net_stream_end(&client.stream);
    loop_run(loop, LOOP_RUN);
    CHECK_STR(buf_str(&client.got), "x");
    Buf_deinit(&client.got);
    for (u32 i = 0; i < COUNT(fds); i++) sys_close(fds[i]);
    sys_close(hole);
}

LOOP_TEST(net_closing_at_any_moment)
{
    static TestServer server;
    u16 port = test_serve(loop, &server, &local, 0);
    for (u32 turns = 0; turns < 12; turns++) {
        TestEnd client = {0};
        NetTarget target = {.host = turns & 1 ? S("localhost") : S("127.0.0.1"), .port = port};
        target.is_uncached = turns & 2;
        test_dial(loop, &client, &target);
        net_stream_write(&client.stream, "hello", 5);
        for (u32 i = 0; i < turns / 2; i++) loop_run(loop, LOOP_RUN_NOWAIT);
        if (turns & 1)
            net_stream_close(&client.stream);
        else
            net_stream_reset(&client.stream);
        net_stream_close(&client.stream);
        for (u32 i = 0; i < 1000 && !client.n_close; i++) loop_run(loop, LOOP_RUN_ONCE);
        CHECK_INT(client.n_close, 1);
        CHECK_INT(client.n_error, 0);
        Buf_deinit(&client.got);
    }
    net_listener_close(&server.listener);
    loop_run(loop, LOOP_RUN);
    CHECK_INT(server.n_close, 1);
}

LOOP_TEST(net_loop_that_is_freed_closes_everything)
{
    static TestServer server;
    static TestEnd clients[4];
    u16 port = test_serve(loop, &server, &local, 0);
    for (u32 i = 0; i < COUNT(clients); i++) {
        NetTarget target = {.host = i & 1 ? S("localhost") : S("127.0.0.1"), .port = port};
        test_dial(loop, &clients[i], &target);
        net_stream_write(&clients[i].stream, "hello", 5);
        loop_run(loop, LOOP_RUN_NOWAIT);
    }
}

LOOP_TEST(net_time_out_comes_when_nothing_moves)
{
    static TestServer server;
    static TestEnd client;
    u16 port = test_serve(loop, &server, &local, 1);
    test_dial(loop, &client, &(NetTarget){.host = S("127.0.0.1"), .port = port});
    net_stream_set_timeout(&client.stream, 5);
    loop_run(loop, LOOP_RUN);
    CHECK_INT(client.n_timeout, 1);
    CHECK_INT(client.n_close, 1);
}

LOOP_TEST(net_pause_loses_nothing)
{
    static TestServer server;
    static TestEnd client;
    static char data[300000];
    u16 port = test_serve(loop, &server, &local, 1);
    test_dial(loop, &client, &(NetTarget){.host = S("127.0.0.1"), .port = port});
    net_stream_stop(&client.stream);
    NetWrite w = {.on_done = on_write_done};
    net_stream_send(&client.stream, &w, data, sizeof(data));
    for (u32 i = 0; i < 20; i++) loop_run(loop, LOOP_RUN_NOWAIT);
    CHECK_INT(client.n_got, 0);
    for (u32 i = 0; i < 400000 && client.n_got < sizeof(data); i++) {
        net_stream_start(&client.stream);
        for (u32 k = 0; k < 3; k++) loop_run(loop, LOOP_RUN_NOWAIT);
        net_stream_stop(&client.stream);
    }
    CHECK_INT(client.n_got, sizeof(data));
    net_stream_close(&client.stream);
    loop_run(loop, LOOP_RUN);
    Buf_deinit(&client.got);
}

LOOP_TEST(net_try_takes_what_fits)
{
    static TestServer server;
    static TestEnd client;
    static char data[NET_HIGH_WATER + 10];
    u16 port = test_serve(loop, &server, &local, 1);
    test_dial(loop, &client, &(NetTarget){.host = S("127.0.0.1"), .port = port});
    CHECK_INT(net_stream_try(&client.stream, "x", 1), -ENOTCONN);
    for (u32 i = 0; i < 100 && !client.n_open; i++) loop_run(loop, LOOP_RUN_ONCE);
    CHECK_INT(net_stream_try(&client.stream, data, sizeof(data)), NET_HIGH_WATER);
    for (u32 i = 0; i < 100 && !client.n_drain; i++) loop_run(loop, LOOP_RUN_ONCE);
    CHECK_INT(client.n_drain, 1);
    net_stream_end(&client.stream);
    CHECK_INT(net_stream_try(&client.stream, "x", 1), -EPIPE);
    client.closes_at_end = true;
    loop_run(loop, LOOP_RUN);
    CHECK_INT(client.n_got, NET_HIGH_WATER);
    Buf_deinit(&client.got);
}

LOOP_TEST(net_reset_is_an_error_for_the_peer)
{
    static TestServer server;
    static TestEnd client;
    u16 port = test_serve(loop, &server, &local, 1);
    test_dial(loop, &client, &(NetTarget){.host = S("127.0.0.1"), .port = port});
    for (u32 i = 0; i < 100 && !server.last; i++) loop_run(loop, LOOP_RUN_ONCE);
    REQUIRE(server.last);
    net_stream_reset(&server.last->stream);
    loop_run(loop, LOOP_RUN);
    CHECK_INT(client.rc, -ECONNRESET);
    CHECK_INT(client.n_close, 1);
}

LOOP_TEST(net_listening_errors_come_at_once)
{
    static TestServer server;
    u16 port = test_serve(loop, &server, &local, 0);
    NetListener l = {0};
    NetListenOptions o = {.host = S("127.0.0.1"), .port = port};
    CHECK_INT(net_listen(loop, &l, &o), -EADDRINUSE);
    o.host = S("192.0.2.1");
    CHECK_INT(net_listen(loop, &l, &o), -EADDRNOTAVAIL);
    o.host = S("localhost");
    CHECK_INT(net_listen(loop, &l, &o), -EINVAL);
    net_listener_close(&server.listener);
    loop_run(loop, LOOP_RUN);
}

LOOP_TEST(net_pipes_are_streams)
{
    static TestEnd in, out;
    int fds[2];
    REQUIRE(sys_pipe(true, fds) == 0);
    net_stream_init(loop, &in.stream, &test_events);
    net_stream_init(loop, &out.stream, &test_events);
    net_stream_open(&in.stream, fds[0]);
    net_stream_open(&out.stream, fds[1]);
    net_stream_start(&in.stream);
    struct iovec iov[2] = {{(char[]){"abc"}, 3}, {(char[]){"def"}, 3}};
    NetWrite w = {.on_done = on_write_done};
    net_stream_sendv(&out.stream, &w, iov, 2);
    net_stream_end(&out.stream);
    for (u32 i = 0; i < 100 && !out.n_finish; i++) loop_run(loop, LOOP_RUN_ONCE);
    net_stream_close(&out.stream);
    in.closes_at_end = true;
    loop_run(loop, LOOP_RUN);
    CHECK_STR(buf_str(&in.got), "abcdef");
    CHECK_INT(in.n_end, 1);
    Buf_deinit(&in.got);
}

/* ---- Names ---------------------------------------------------------------------------------- */

typedef struct {
    NetLookup lookup;
    u32 n_done, n_addrs;
    int rc;
    u16 port;
} Asked;

static void on_lookup(NetLookup *l, int rc, const SysAddr *addrs, u32 n)
{
    Asked *a = CONTAINER(Asked, lookup, l);
    a->n_done++;
    a->rc = rc;
    a->n_addrs = n;
    if (n) a->port = sys_addr_port(&addrs[n - 1]);
}

LOOP_TEST(net_lookups)
{
    static Asked asked[5];
    for (u32 i = 0; i < COUNT(asked); i++) asked[i].lookup.on_done = on_lookup;
    u32 cached = NET_LOOKUP_CACHED;
    net_lookup(loop, &asked[0].lookup, S("localhost"), 1, 0, cached);
    net_lookup(loop, &asked[1].lookup, S("localhost"), 2, 0, cached);
    net_lookup(loop, &asked[2].lookup, S("127.0.0.1"), 3, 0, 0);
    net_lookup(loop, &asked[3].lookup, S("localhost"), 4, 0, cached);
    net_lookup_cancel(&asked[3].lookup);
    loop_run(loop, LOOP_RUN);
    net_lookup(loop, &asked[4].lookup, S("localhost"), 5, 0, cached);
    CHECK_INT(asked[4].n_done, 0);
    loop_run(loop, LOOP_RUN);
    for (u32 i = 0; i < COUNT(asked); i++) {
        CHECK_INT(asked[i].n_done, i != 3);
        CHECK_INT(asked[i].rc, 0);
        if (i != 3) CHECK_INT(asked[i].port, i + 1);
    }
    NetCacheStats stats = net_cache_stats(loop);
    CHECK_INT(stats.misses, 1);
    CHECK_INT(stats.hits_pending, 2);
    CHECK_INT(stats.hits_done, 1);
    CHECK_INT(stats.size, 1);
    net_cache_drop(loop, S("localhost"));
    CHECK_INT(net_cache_stats(loop).size, 0);
}

/* ---- Failing system calls ------------------------------------------------------------------- */

/* ---- Pages ---------------------------------------------------------------------------------- */

TEST(net_pages_are_found_by_any_part_of_them)
{
    u8 *data = mem_new(NET_PAGES_MIN * 2);
    memset(data, 'x', NET_PAGES_MIN * 2);
    char *p = net_pages_new(data, NET_PAGES_MIN * 2);
    REQUIRE(p);
    CHECK(memcmp(p, data, NET_PAGES_MIN * 2) == 0);
    u64 off = 0;
    int fd = net_pages_find(p, NET_PAGES_MIN, &off);
    CHECK(fd >= 0);
    CHECK_INT(off, 0);
    CHECK_INT(net_pages_find(p + 5, NET_PAGES_MIN, &off), fd);
    CHECK_INT(off, 5);
    CHECK_INT(net_pages_find(p, NET_PAGES_MIN - 1, &off), -ENOENT);
    CHECK_INT(net_pages_find(p + NET_PAGES_MIN + 1, NET_PAGES_MIN, &off), -ENOENT);
    CHECK_INT(net_pages_find(data, NET_PAGES_MIN, &off), -ENOENT);
    net_pages_free(p);
    CHECK_INT(net_pages_find(p, NET_PAGES_MIN, &off), -ENOENT);
    mem_free(data);
}

TEST(net_pages_have_a_limit)
{
    u8 *data = mem_new(NET_PAGES_MIN);
    memset(data, 'y', NET_PAGES_MIN);
    void *all[NET_PAGES_COUNT_MAX];
    for (u32 i = 0; i < COUNT(all); i++) REQUIRE((all[i] = net_pages_new(data, NET_PAGES_MIN)));
    CHECK(!net_pages_new(data, NET_PAGES_MIN));
    net_pages_free(all[10]);
    CHECK((all[10] = net_pages_new(data, NET_PAGES_MIN)));
    for (u32 i = 0; i < COUNT(all); i++) net_pages_free(all[i]);
    mem_free(data);
}

#ifdef COB_DEBUG

/* An echo; whatever fails, everything ends.  Returns whether a call was made to fail. */
static bool tell(Loop *loop, TestServer *server, TestEnd *client, int err, u64 nth)
{
    CHECK(sys_fault_set(nth, err, false));
    server->n_max = 1;
    server->listener.on_accept = test_on_accept;
    server->listener.on_close = test_on_listener_close;
    if (net_listen(loop, &server->listener, &local) < 0) return true;
    SysAddr addr = {0};
    if (sys_socket_name(server->listener.fd, &addr) == 0) {
        client->closes_at_end = true;
        test_dial(loop, client, &(NetTarget){.addrs = &addr, .n_addrs = 1});
        net_stream_write(&client->stream, "hello", 5);
        net_stream_end(&client->stream);
        for (u32 i = 0; i < 2000 && !client->n_close; i++) loop_run(loop, LOOP_RUN_ONCE);
        CHECK_INT(client->n_close, 1);
        if (client->n_got) CHECK_INT(client->n_got, 5);
    }
    bool was_hit = sys_fault_count() >= nth;
    (void)sys_fault_set(0, 0, false);
    net_listener_close(&server->listener);
    loop_run(loop, LOOP_RUN);
    CHECK_INT(server->n_close, 1);
    return was_hit;
}

LOOP_TEST(net_faults_end_in_errors)
{
    (void)loop;
    static const int errors[] = {EMFILE, ECONNABORTED, ENOBUFS};
    for (u32 i = 0; i < COUNT(errors); i++) {
        bool was_hit = true;
        for (u64 nth = 1; nth < 200 && was_hit; nth++) {
            Loop *own = loop_new();
            TestServer server = {0};
            TestEnd client = {0};
            (void)loop_bufs_default(own); /* without memory the process ends */
            was_hit = tell(own, &server, &client, errors[i], nth);
            (void)sys_fault_set(0, 0, false);
            Buf_deinit(&client.got);
            loop_free(own);
        }
    }
}

#endif
