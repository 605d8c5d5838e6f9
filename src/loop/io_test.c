/* loop/io_test.c -- descriptors: readiness, streams, sockets, files. */
#include "loop/loop_test.h"

#include <netinet/in.h>
#include <string.h>
#include <unistd.h>

static u32 n_calls;
static i64 last_res;
static Buf got;

static void on_res(LoopReq *req, i64 res)
{
    (void)req;
    n_calls++;
    last_res = res;
}

static i64 run_one(Loop *loop)
{
    u32 before = n_calls;
    loop_run(loop, LOOP_RUN);
    CHECK_INT(n_calls, before + 1);
    return last_res;
}

/* ---- LoopPoll ------------------------------------------------------------------------------- */

typedef struct {
    LoopPoll poll;
    int fd;
    u32 n, stop_at, seen;
} Polled;

static void on_polled(LoopPoll *p, i32 events)
{
    Polled *t = CONTAINER(Polled, poll, p);
    t->seen |= (u32)events;
    if (++t->n == t->stop_at) loop_poll_stop(p);
}

LOOP_TEST(poll_is_level_triggered)
{
    static Polled t;
    int fds[2];
    REQUIRE(sys_pipe(true, fds) == 0);
    CHECK_INT(sys_write(fds[1], "x", 1), 1);
    t.stop_at = 3;
    loop_poll_open(loop, &t.poll, fds[0]);
    loop_poll_start(&t.poll, LOOP_READABLE, on_polled);
    loop_run(loop, LOOP_RUN);
    CHECK_INT(t.n, 3);
    CHECK_INT(t.seen, LOOP_READABLE);
    loop_handle_close(&t.poll.handle, NULL);
    loop_run(loop, LOOP_RUN);
    loop_fd_close(loop, fds[0]);
    loop_fd_close(loop, fds[1]);
}

static void on_switch(LoopPoll *p, i32 events)
{
    Polled *t = CONTAINER(Polled, poll, p);
    t->seen |= (u32)events;
    if (events & LOOP_WRITABLE) loop_poll_start(p, LOOP_READABLE | LOOP_DISCONNECT, on_switch);
    if (events & LOOP_READABLE && ++t->n == 1) (void)sys_close(t->fd);
    if (events & LOOP_DISCONNECT) loop_poll_stop(p);
}

static void on_write_peer(LoopTimer *t)
{
    CHECK_INT(sys_write((int)t->repeat_ms, "y", 1), 1);
    loop_timer_stop(t);
}

LOOP_TEST(poll_can_change_what_it_waits_for)
{
    static Polled t;
    static LoopTimer timer;
    int fds[2];
    REQUIRE(sys_socketpair(true, fds) == 0);
    t.fd = fds[1];
    loop_poll_open(loop, &t.poll, fds[0]);
    loop_poll_start(&t.poll, LOOP_WRITABLE, on_switch);
    loop_timer_open(loop, &timer);
    loop_timer_start(&timer, 5, (u64)fds[1], on_write_peer);
    loop_run(loop, LOOP_RUN);
    CHECK(t.seen & LOOP_WRITABLE);
    CHECK(t.seen & LOOP_READABLE);
    CHECK(t.seen & LOOP_DISCONNECT);
    loop_handle_close(&t.poll.handle, NULL);
    loop_run(loop, LOOP_RUN);
    loop_fd_close(loop, fds[0]);
}

static void on_restart_poll(LoopTimer *timer)
{
    Polled *t = CONTAINER(Polled, fd, (int *)(uintptr_t)timer->repeat_ms);
    loop_timer_stop(timer);
    loop_poll_stop(&t->poll);
    loop_poll_start(&t->poll, LOOP_READABLE | LOOP_WRITABLE, on_polled);
}

LOOP_TEST(poll_stopped_and_started_in_one_turn_goes_on)
{
    static Polled t;
    static LoopTimer timer;
    int fds[2];
    REQUIRE(sys_socketpair(true, fds) == 0);
    t.stop_at = 1;
    loop_poll_open(loop, &t.poll, fds[0]);
    loop_poll_start(&t.poll, LOOP_READABLE, on_polled);
    loop_timer_open(loop, &timer);
    loop_timer_start(&timer, 2, (u64)(uintptr_t)&t.fd, on_restart_poll);
    loop_run(loop, LOOP_RUN);
    CHECK_INT(t.n, 1);
    CHECK_INT(t.seen, LOOP_WRITABLE);
}

static u32 n_closed;

static void on_closed(LoopHandle *h)
{
    memset(h, 0xee, sizeof(*h)); /* the memory is ours again */
    n_closed++;
}

static void on_never(LoopPoll *p, i32 events)
{
    (void)p;
    (void)events;
    CHECK(!"called");
}

LOOP_TEST(poll_closed_while_waiting_is_never_called)
{
    static Polled t[3];
    int fds[2];
    REQUIRE(sys_pipe(true, fds) == 0);
    for (u32 i = 0; i < 3; i++) {
        loop_poll_open(loop, &t[i].poll, fds[0]);
        loop_poll_start(&t[i].poll, LOOP_READABLE, on_never);
    }
    for (u32 i = 0; i < 3; i++) {
        if (i == 1) loop_run(loop, LOOP_RUN_NOWAIT);
        loop_handle_close(&t[i].poll.handle, on_closed);
    }
    CHECK_INT(sys_write(fds[1], "x", 1), 1);
    CHECK(!loop_run(loop, LOOP_RUN));
    CHECK_INT(n_closed, 3);
}

LOOP_TEST(poll_several_on_one_descriptor)
{
    static Polled t[2];
    int fds[2];
    REQUIRE(sys_socketpair(true, fds) == 0);
    CHECK_INT(sys_write(fds[1], "x", 1), 1);
    for (u32 i = 0; i < 2; i++) {
        t[i].stop_at = 1;
        loop_poll_open(loop, &t[i].poll, fds[0]);
        loop_poll_start(&t[i].poll, i ? LOOP_WRITABLE : LOOP_READABLE, on_polled);
    }
    loop_run(loop, LOOP_RUN);
    CHECK_INT(t[0].seen, LOOP_READABLE);
    CHECK_INT(t[1].seen, LOOP_WRITABLE);
}

static void on_bad(LoopPoll *p, i32 events)
{
    (void)p;
    last_res = events;
}

LOOP_TEST(poll_of_a_bad_descriptor_reports_it)
{
    static LoopPoll p;
    loop_poll_open(loop, &p, 999);
    loop_poll_start(&p, LOOP_READABLE, on_bad);
    CHECK(!loop_run(loop, LOOP_RUN));
    CHECK_INT(last_res, -EBADF);
    CHECK(!loop_handle_is_active(&p.handle));
}

LOOP_TEST(poll_finds_regular_files_ready)
{
    static Polled t;
    t.stop_at = 2;
    int fd = sys_open(S("/etc/passwd"), O_RDONLY, 0);
    loop_poll_open(loop, &t.poll, fd);
    loop_poll_start(&t.poll, LOOP_READABLE, on_polled);
    loop_run(loop, LOOP_RUN);
    CHECK_INT(t.n, 2);
    CHECK(t.seen & LOOP_READABLE);
}

/* ---- Requests on streams -------------------------------------------------------------------- */

LOOP_TEST(req_read_waits_for_data_and_sees_the_end)
{
    int fds[2];
    char buf[16];
    LoopReq in = {.on_done = on_res}, out = {.on_done = on_res};
    for (u32 nonblock = 0; nonblock < 2; nonblock++) {
        n_calls = 0;
        REQUIRE(sys_pipe(nonblock, fds) == 0);
        loop_req_read(loop, &in, fds[0], buf, sizeof(buf));
        loop_run(loop, LOOP_RUN_NOWAIT);
        CHECK_INT(n_calls, 0);
        CHECK(loop_req_is_pending(&in));
        loop_req_write(loop, &out, fds[1], "hello", 5);
        CHECK(!loop_run(loop, LOOP_RUN));
        CHECK_INT(n_calls, 2);
        CHECK_STR(((Str){buf, 5}), "hello");
        sys_close(fds[1]);
        loop_req_read(loop, &in, fds[0], buf, sizeof(buf));
        CHECK_INT(run_one(loop), 0);
        loop_fd_close(loop, fds[0]);
    }
}

typedef struct {
    LoopReq req;
    Loop *loop;
    int fd;
    u64 total;
    char buf[5000];
} Drain;

static void on_drain(LoopReq *req, i64 res)
{
    Drain *d = CONTAINER(Drain, req, req);
    CHECK(res >= 0);
    if (res <= 0) return;
    for (i64 i = 0; i < res; i++) {
        u64 at = d->total + (u64)i;
        if (d->buf[i] != (char)(at * 7 >> 3)) {
            CHECK(!"the bytes in order");
            return;
        }
    }
    d->total += (u64)res;
    loop_req_read(d->loop, req, d->fd, d->buf, sizeof(d->buf));
}

enum { BIG = 1 << 20 };

static char *big_data(void)
{
    static char big[BIG];
    for (u32 i = 0; i < BIG; i++) big[i] = (char)((u64)i * 7 >> 3);
    return big;
}

static void on_close_after(LoopReq *req, i64 res)
{
    on_res(req, res);

    (void)sys_close((int)(intptr_t)req->data);
}

static void check_transfer(Loop *loop, int from, int to, u32 how)
{
    static Drain d;
    char *big = big_data();
    struct iovec iov[3] = {{big, 10}, {big + 10, 0}, {big + 10, BIG - 10}};
    LoopReq out = {.on_done = on_close_after, .data = (void *)(intptr_t)from};
    d = (Drain){.req.on_done = on_drain, .loop = loop, .fd = to};
    loop_req_read(loop, &d.req, to, d.buf, sizeof(d.buf));
    if (how == 0) loop_req_write(loop, &out, from, big, BIG);
    if (how == 1) loop_req_writev(loop, &out, from, iov, 3);
    if (how == 2) loop_req_send(loop, &out, from, big, BIG);
    if (how == 3) loop_req_sendv(loop, &out, from, iov, 3);
    loop_run(loop, LOOP_RUN);
    CHECK_INT(last_res, BIG);
    CHECK_INT(d.total, BIG);
    loop_fd_close(loop, to);
}

LOOP_TEST(req_write_moves_everything_through_pipes_and_sockets)
{
    int fds[2];
    for (u32 how = 0; how < 4; how++) {
        REQUIRE(sys_socketpair(true, fds) == 0);
        check_transfer(loop, fds[0], fds[1], how);
        if (how > 1) continue;
        for (u32 nonblock = 0; nonblock < 2; nonblock++) {
            REQUIRE(sys_pipe(nonblock, fds) == 0);
            check_transfer(loop, fds[1], fds[0], how);
        }
    }
}

LOOP_TEST(req_cancel_ends_a_read_that_waits)
{
    int fds[2];
    char buf[16];
    REQUIRE(sys_socketpair(true, fds) == 0);
    for (u32 how = 0; how < 3; how++) {
        LoopReq req = {.on_done = on_res};
        if (how == 1)
            loop_req_recv(loop, &req, fds[0], buf, sizeof(buf));
        else
            loop_req_read(loop, &req, fds[0], buf, sizeof(buf));
        if (how == 2) loop_run(loop, LOOP_RUN_NOWAIT);
        loop_req_cancel(&req);
        loop_req_cancel(&req);
        CHECK_INT(run_one(loop), -ECANCELED);
    }
}

LOOP_TEST(req_write_to_a_closed_pipe_fails_without_a_signal)
{
    int fds[2];
    LoopReq req = {.on_done = on_res};
    CHECK_INT(sys_signal_ignore(SIGPIPE), 0);
    REQUIRE(sys_pipe(true, fds) == 0);
    sys_close(fds[0]);
    loop_req_write(loop, &req, fds[1], "x", 1);
    CHECK_INT(run_one(loop), -EPIPE);
    CHECK_INT(sys_signal_default(SIGPIPE), 0);
    REQUIRE(sys_socketpair(true, fds) == 0);
    sys_close(fds[0]);
    loop_req_send(loop, &req, fds[1], "x", 1);
    CHECK_INT(run_one(loop), -EPIPE);
}

/* ---- Sockets -------------------------------------------------------------------------------- */

static int listen_tcp(SysAddr *ret)
{
    SysAddr addr;
    int fd = sys_socket(AF_INET, SOCK_STREAM, 0);
    bool ok = fd >= 0 && sys_addr_parse(S("127.0.0.1"), 0, &addr) == 0 &&
              sys_bind(fd, &addr) == 0 && sys_listen(fd, 128) == 0 && sys_socket_name(fd, ret) == 0;
    CHECK(ok);
    return fd;
}

/* An echo server on provided buffers and clients that check what comes back. */
typedef struct {
    LoopRecv recv;
    LoopReq send;
    char *held;
} EchoConn;

enum { N_CLIENTS = 40, N_ROUNDS = 25 };

static struct {
    Loop *loop;
    LoopAccept accept;
    LoopBufs *bufs;
    EchoConn conns[N_CLIENTS];
    u32 n_conns, n_done;
} echo;

static void on_conn_closed(LoopHandle *h)
{
    EchoConn *c = CONTAINER(EchoConn, recv.handle, h);
    loop_fd_close(echo.loop, c->recv.op.fd);
}

static void on_echo_recv(LoopRecv *r, i32 n, char *p);

static void on_echo_sent(LoopReq *req, i64 res)
{
    EchoConn *c = CONTAINER(EchoConn, send, req);
    CHECK(res > 0);
    loop_bufs_give(echo.bufs, c->held);
    loop_recv_start(&c->recv, on_echo_recv);
}

static void on_echo_recv(LoopRecv *r, i32 n, char *p)
{
    EchoConn *c = CONTAINER(EchoConn, recv, r);
    CHECK(n >= 0);
    if (n <= 0) {
        loop_handle_close(&r->handle, on_conn_closed);
        if (++echo.n_done == N_CLIENTS) loop_handle_close(&echo.accept.handle, NULL);
        return;
    }
    c->held = p;
    loop_recv_stop(r);
    loop_req_send(echo.loop, &c->send, r->op.fd, p, (u32)n);
}

static void on_echo_accept(LoopAccept *a, i32 fd)
{
    (void)a;
    CHECK(fd >= 0);
    if (fd < 0 || echo.n_conns == N_CLIENTS) return;
    EchoConn *c = &echo.conns[echo.n_conns++];
    c->send.on_done = on_echo_sent;
    loop_recv_open(echo.loop, &c->recv, fd, echo.bufs);
    loop_recv_start(&c->recv, on_echo_recv);
}

typedef struct {
    LoopReq req;
    int fd;
    u32 id, round;
    i32 missing;
    char text[40], back[40];
} Client;

static void on_client_recv(LoopReq *req, i64 res);

static void on_client_sent(LoopReq *req, i64 res)
{
    Client *c = CONTAINER(Client, req, req);
    CHECK_INT(res, sizeof(c->text));
    req->on_done = on_client_recv;
    loop_req_recv(echo.loop, req, c->fd, c->back, sizeof(c->back));
}

static void client_send(Client *c)
{
    memset(c->text, (int)('a' + (c->id + c->round) % 26), sizeof(c->text));
    c->missing = sizeof(c->text);
    c->req.on_done = on_client_sent;
    loop_req_send(echo.loop, &c->req, c->fd, c->text, sizeof(c->text));
}

static void on_client_recv(LoopReq *req, i64 res)
{
    Client *c = CONTAINER(Client, req, req);
    CHECK(res > 0);
    CHECK(res > 0 && !memcmp(c->text, c->back, (usize)res));
    c->missing -= (i32)res;
    if (res > 0 && c->missing > 0) {
        loop_req_recv(echo.loop, req, c->fd, c->back, (u32)c->missing);
    } else if (res > 0 && ++c->round < N_ROUNDS) {
        client_send(c);
    } else {
        loop_fd_close(echo.loop, c->fd);
    }
}

static void on_client_connected(LoopReq *req, i64 res)
{
    CHECK_INT(res, 0);
    client_send(CONTAINER(Client, req, req));
}

LOOP_TEST(sockets_echo_over_provided_buffers)
{
    static Client clients[N_CLIENTS];
    SysAddr addr;
    int fd = listen_tcp(&addr);
    echo.loop = loop;
    /* Fewer buffers than connections, so that receiving has to pause. */
    echo.bufs = loop_bufs_new(loop, 4096, 16);
    loop_accept_open(loop, &echo.accept, fd);
    loop_accept_start(&echo.accept, on_echo_accept);
    for (u32 i = 0; i < N_CLIENTS; i++) {
        clients[i] = (Client){.req.on_done = on_client_connected, .id = i};
        clients[i].fd = sys_socket(AF_INET, SOCK_STREAM, 0);
        loop_req_connect(loop, &clients[i].req, clients[i].fd, &addr);
    }
    CHECK(!loop_run(loop, LOOP_RUN));
    CHECK_INT(echo.n_conns, N_CLIENTS);
    CHECK_INT(echo.n_done, N_CLIENTS);
    for (u32 i = 0; i < N_CLIENTS; i++) CHECK_INT(clients[i].round, N_ROUNDS);
    loop_bufs_free(echo.bufs);
    loop_fd_close(loop, fd);
}

LOOP_TEST(connect_to_a_closed_port_is_refused)
{
    SysAddr addr;
    LoopReq req = {.on_done = on_res};
    sys_close(listen_tcp(&addr));
    int fd = sys_socket(AF_INET, SOCK_STREAM, 0);
    loop_req_connect(loop, &req, fd, &addr);
    CHECK_INT(run_one(loop), -ECONNREFUSED);
    CHECK_INT(sys_addr_unix(S("/no/such/socket"), &addr), 0);
    loop_fd_close(loop, fd);
    fd = sys_socket(AF_UNIX, SOCK_STREAM, 0);
    loop_req_connect(loop, &req, fd, &addr);
    CHECK_INT(run_one(loop), -ENOENT);
    loop_fd_close(loop, fd);
}

static void on_accept_error(LoopAccept *a, i32 fd)
{
    last_res = fd;
    if (fd >= 0) loop_handle_close(&a->handle, NULL);
}

LOOP_TEST(accept_reports_errors_and_stops)
{
    static LoopAccept a;
    int fd = sys_open(S("/etc/passwd"), O_RDONLY, 0);
    loop_accept_open(loop, &a, fd);
    loop_accept_start(&a, on_accept_error);
    CHECK(!loop_run(loop, LOOP_RUN));
    CHECK_INT(last_res, -ENOTSOCK);
    CHECK(!loop_handle_is_active(&a.handle));
}

static void on_collect(LoopRecv *r, i32 n, char *p)
{
    n_calls++;
    if (n <= 0) {
        last_res = n;
        return;
    }
    CHECK(buf_push(&got, (Str){p, (usize)n}));
    loop_bufs_give(r->bufs, p);
}

LOOP_TEST(recv_works_on_pipes_files_and_terminals)
{
    static LoopRecv r;
    int fds[2];
    REQUIRE(sys_pipe(false, fds) == 0);
    CHECK_INT(sys_write_all(fds[1], S("from a pipe")), 0);
    sys_close(fds[1]);
    last_res = 1;
    loop_recv_open(loop, &r, fds[0], NULL);
    loop_recv_start(&r, on_collect);
    loop_run(loop, LOOP_RUN);
    CHECK_STR(buf_str(&got), "from a pipe");
    CHECK_INT(last_res, 0);
    loop_handle_close(&r.handle, NULL);
    loop_run(loop, LOOP_RUN);
    loop_fd_close(loop, fds[0]);

    static LoopRecv file;
    buf_clear(&got);
    last_res = 1;
    int fd = sys_open(S("/etc/passwd"), O_RDONLY, 0);
    loop_recv_open(loop, &file, fd, NULL);
    loop_recv_start(&file, on_collect);
    loop_run(loop, LOOP_RUN);
    CHECK(str_starts(buf_str(&got), S("root:")));
    CHECK_INT(last_res, 0);

    static LoopRecv tty;
    int master, side;
    REQUIRE(sys_pty_open(80, 24, &master, &side) == 0);
    buf_clear(&got);
    last_res = 1;
    loop_recv_open(loop, &tty, side, NULL);
    loop_recv_start(&tty, on_collect);
    CHECK_INT(sys_write_all(master, S("typed\n\x04")), 0);
    loop_run(loop, LOOP_RUN);
    CHECK_STR(buf_str(&got), "typed\n");
    CHECK_INT(last_res, 0);
}

static void on_stop_after_first(LoopRecv *r, i32 n, char *p)
{
    on_collect(r, n, p);
    loop_recv_stop(r);
}

static void write_pieces(int fd)
{
    for (u32 i = 0; i < 3; i++) CHECK_INT(sys_write_all(fd, S("0123456789")), 0);
}

LOOP_TEST(recv_loses_nothing_when_stopped)
{
    static LoopRecv r;
    int fds[2];
    LoopBufs *bufs = loop_bufs_new(loop, 7, 16);
    REQUIRE(sys_socketpair(true, fds) == 0);
    write_pieces(fds[1]);
    loop_recv_open(loop, &r, fds[0], bufs);
    u32 n = 0;
    for (; n < 20 && got.len < 30; n++) {
        loop_recv_start(&r, on_stop_after_first);
        loop_run(loop, LOOP_RUN);
    }
    CHECK_STR(buf_str(&got), "012345678901234567890123456789");
    CHECK(n > 1);
    sys_close(fds[1]);
    last_res = 1;
    loop_recv_start(&r, on_collect);
    loop_run(loop, LOOP_RUN);
    CHECK_INT(last_res, 0);
    loop_handle_close(&r.handle, NULL);
    loop_run(loop, LOOP_RUN);
    loop_bufs_free(bufs);
}

static char *kept[64];
static u32 n_kept;

static void on_keep(LoopRecv *r, i32 n, char *p)
{
    (void)r;
    if (n <= 0) {
        last_res = n;
        return;
    }
    CHECK(buf_push(&got, (Str){p, (usize)n}));
    if (n_kept < COUNT(kept)) kept[n_kept++] = p;
}

static void on_give_back(LoopTimer *t)
{
    LoopBufs *bufs = (LoopBufs *)(uintptr_t)t->repeat_ms;
    while (n_kept) loop_bufs_give(bufs, kept[--n_kept]);
    if (last_res == 0)
        loop_timer_stop(t);
    else
        loop_timer_start(t, 1, t->repeat_ms, on_give_back);
}

LOOP_TEST(recv_pauses_while_all_buffers_are_out)
{
    static LoopRecv r;
    static LoopTimer t;
    int fds[2];
    LoopBufs *bufs = loop_bufs_new(loop, 4, 8);
    REQUIRE(sys_socketpair(true, fds) == 0);
    for (u32 i = 0; i < 100; i++) CHECK_INT(sys_write_all(fds[1], S("0123456789")), 0);
    sys_close(fds[1]);
    last_res = 1;
    loop_recv_open(loop, &r, fds[0], bufs);
    loop_recv_start(&r, on_keep);
    loop_timer_open(loop, &t);
    loop_timer_start(&t, 1, (u64)(uintptr_t)bufs, on_give_back);
    loop_run(loop, LOOP_RUN);
    CHECK_INT(got.len, 1000);
    CHECK_INT(last_res, 0);
    loop_handle_close(&r.handle, NULL);
    loop_run(loop, LOOP_RUN);
    loop_bufs_free(bufs);
}

static void on_close_in_recv(LoopRecv *r, i32 n, char *p)
{
    CHECK(n > 0);
    loop_bufs_give(r->bufs, p);
    loop_handle_close(&r->handle, on_closed);
}

LOOP_TEST(recv_can_be_closed_by_its_own_callback)
{
    static LoopRecv r;
    int fds[2];
    REQUIRE(sys_socketpair(true, fds) == 0);
    LoopBufs *bufs = loop_bufs_new(loop, 4, 8);
    write_pieces(fds[1]);
    loop_recv_open(loop, &r, fds[0], bufs);
    loop_recv_start(&r, on_close_in_recv);
    CHECK(!loop_run(loop, LOOP_RUN));
    CHECK_INT(n_closed, 1);
    loop_bufs_free(bufs);
}

LOOP_TEST(messages_keep_their_boundaries_and_carry_descriptors)
{
    int fds[2], pipe_fds[2];
    REQUIRE(sys_socketpair(true, fds) == 0);
    REQUIRE(sys_pipe(true, pipe_fds) == 0);
    union {
        char buf[CMSG_SPACE(sizeof(int))];
        struct cmsghdr align;
    } control = {0}, control_in = {0};
    char text[8];
    struct iovec iov = {.iov_base = (char[]){"fd"}, .iov_len = 2}, iov_in = {text, sizeof(text)};
    LoopMsg out = {.msg_iov = &iov,
                   .msg_iovlen = 1,
                   .msg_control = control.buf,
                   .msg_controllen = sizeof(control.buf)};
    LoopMsg in = {.msg_iov = &iov_in,
                  .msg_iovlen = 1,
                  .msg_control = control_in.buf,
                  .msg_controllen = sizeof(control_in.buf)};
    struct cmsghdr *c = CMSG_FIRSTHDR(&out);
    *c = (struct cmsghdr){
        .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS, .cmsg_len = CMSG_LEN(sizeof(int))};
    memcpy(CMSG_DATA(c), &pipe_fds[1], sizeof(int));
    LoopReq send = {.on_done = on_res}, recv = {.on_done = on_res};
    loop_req_recv_msg(loop, &recv, fds[1], &in);
    loop_req_send_msg(loop, &send, fds[0], &out);
    loop_run(loop, LOOP_RUN);
    CHECK_INT(n_calls, 2);
    CHECK_INT(last_res, 2);
    c = CMSG_FIRSTHDR(&in);
    REQUIRE(c != NULL);
    int fd;
    memcpy(&fd, CMSG_DATA(c), sizeof(int));
    CHECK_INT(sys_write(fd, "x", 1), 1);
    CHECK_INT(fcntl(fd, F_GETFD) & FD_CLOEXEC, FD_CLOEXEC);
    CHECK_INT(sys_read(pipe_fds[0], text, 1), 1);
    sys_close(fd);
}

/* ---- Files ---------------------------------------------------------------------------------- */

LOOP_TEST(files_open_write_read_stat_close)
{
    Arena a = {0};
    Str dir;
    REQUIRE(sys_mkdtemp(&a, S("/tmp/cob-test-"), &dir) == 0);
    char *path = str_dup_z(&a, str_concat(&a, dir, S("/file"))), buf[16];
    LoopReq req = {.on_done = on_res};
    SysStat st;
    loop_req_open(loop, &req, path, O_RDWR | O_CREAT, 0640);
    int fd = (int)run_one(loop);
    REQUIRE(fd >= 0);
    CHECK_INT(fcntl(fd, F_GETFD) & FD_CLOEXEC, FD_CLOEXEC);
    loop_req_pwrite(loop, &req, fd, "0123456789", 10, 2);
    CHECK_INT(run_one(loop), 10);
    loop_req_pread(loop, &req, fd, buf, 4, 4);
    CHECK_INT(run_one(loop), 4);
    CHECK_STR(((Str){buf, 4}), "2345");
    loop_req_pread(loop, &req, fd, buf, 1, UINT64_MAX);
    CHECK_INT(run_one(loop), 1);
    loop_req_pread(loop, &req, fd, buf, 16, UINT64_MAX);
    CHECK_INT(run_one(loop), 11);
    loop_req_pread(loop, &req, fd, buf, 16, 100);
    CHECK_INT(run_one(loop), 0);
    struct iovec iov[2] = {{buf, 3}, {buf + 3, 3}};
    loop_req_preadv(loop, &req, fd, iov, 2, 2);
    CHECK_INT(run_one(loop), 6);
    loop_req_pwritev(loop, &req, fd, iov, 2, 12);
    CHECK_INT(run_one(loop), 6);
    loop_req_fsync(loop, &req, fd, true);
    CHECK_INT(run_one(loop), 0);
    LoopStat stat = {.req.on_done = on_res};
    loop_req_stat(loop, &stat, path, 0);
    CHECK_INT(run_one(loop), 0);
    loop_stat_get(&stat, &st);
    CHECK_INT(st.size, 18);
    CHECK_INT(st.mode & 07777, 0640);
    loop_req_close(loop, &req, fd);
    CHECK_INT(run_one(loop), 0);
    loop_req_close(loop, &req, fd);
    CHECK_INT(run_one(loop), -EBADF);
    loop_req_open(loop, &req, "/no/such/file", O_RDONLY, 0);
    CHECK_INT(run_one(loop), -ENOENT);
    loop_req_stat(loop, &stat, "/no/such/file", 0);
    CHECK_INT(run_one(loop), -ENOENT);
    CHECK_INT(sys_remove_tree(dir), 0);
    arena_deinit(&a);
}

LOOP_TEST(many_operations_at_once_all_complete)
{
    enum { N = 3000 };
    static LoopStat stats[N];
    for (u32 i = 0; i < N; i++) {
        stats[i].req.on_done = on_res;
        loop_req_stat(loop, &stats[i], "/", 0);
    }
    for (u32 i = 0; i < N; i += 7) loop_req_cancel(&stats[i].req);
    CHECK(!loop_run(loop, LOOP_RUN));
    CHECK_INT(n_calls, N);
}

LOOP_TEST(loop_free_cancels_what_is_in_flight)
{
    static LoopRecv r;
    static LoopAccept a;
    static Polled p;
    static LoopReq req = {.on_done = on_res};
    static char buf[10];
    int fds[2];
    SysAddr addr;
    Loop *other = loop_new();
    int fd = listen_tcp(&addr);
    REQUIRE(sys_socketpair(true, fds) == 0);
    loop_recv_open(other, &r, fds[0], NULL);
    loop_recv_start(&r, on_collect);
    loop_poll_open(other, &p.poll, fds[1]);
    loop_poll_start(&p.poll, LOOP_READABLE, on_never);
    loop_req_read(other, &req, fds[1], buf, sizeof(buf));
    loop_accept_open(other, &a, fd);
    loop_accept_start(&a, on_accept_error);
    loop_run(other, LOOP_RUN_NOWAIT);
    loop_free(other);
    CHECK_INT(n_calls, 1);
    CHECK_INT(last_res, -ECANCELED);
    (void)loop;
}
