/* loop/fault_test.c -- failing system calls: while the loop starts, and while it works. */
#include "loop/loop_test.h"

#include <netinet/in.h>
#include <sys/resource.h>

#ifdef COB_DEBUG

typedef struct {
    LoopTimer timer;
    LoopPoll poll;
    LoopSignal signal;
    LoopStat stat;
    LoopReq work, write;
    int fds[2];
    u32 n_done;
} Story;

static void on_req(LoopReq *req, i64 res)
{
    CHECK(res >= 0 || res == -EMFILE);
    ((Story *)req->data)->n_done++;
}

static i64 do_work(LoopReq *req)
{
    (void)req;
    return 1;
}

static void on_poll(LoopPoll *p, i32 events)
{
    CHECK(events > 0 || events == -EMFILE);
    loop_poll_stop(p);
}

static void on_signal(LoopSignal *s, int signo)
{
    (void)signo;
    loop_signal_stop(s);
}

static void on_timer(LoopTimer *t)
{
    CONTAINER(Story, timer, t)->n_done++;
}

/* Everything once.  Returns how many of the four callbacks that must come did. */
static u32 tell(Loop *loop, Story *s, int pipe_fds[2])
{
    *s = (Story){.stat.req = {.on_done = on_req, .data = s},
                 .work = {.on_done = on_req, .data = s},
                 .write = {.on_done = on_req, .data = s}};
    loop_timer_open(loop, &s->timer);
    loop_timer_start(&s->timer, 1, 0, on_timer);
    loop_req_stat(loop, &s->stat, "/", 0);
    loop_req_work(loop, &s->work, do_work);
    loop_poll_open(loop, &s->poll, pipe_fds[0]);
    loop_poll_start(&s->poll, LOOP_READABLE, on_poll);
    loop_req_write(loop, &s->write, pipe_fds[1], "x", 1);
    loop_signal_open(loop, &s->signal);
    (void)!loop_signal_start(&s->signal, SIGUSR2, on_signal);
    for (u32 i = 0; i < 1000 && loop_run(loop, LOOP_RUN_ONCE); i++) {
    }
    return s->n_done;
}

static u32 count_fds(void)
{
    u32 n = 0;
    for (int fd = 0; fd < 64; fd++) n += fcntl(fd, F_GETFD) >= 0;
    return n;
}

LOOP_TEST(faults_in_a_loop_are_reported_and_it_goes_on)
{
    static Story s;
    int fds[2];
    (void)loop;
    REQUIRE(sys_pipe(true, fds) == 0);
    CHECK_INT(sys_write(fds[1], "x", 1), 1);
    u32 n_fds = count_fds();
    u64 nth = 1;
    for (; nth < 200; nth++) {
        Loop *l = loop_new();
        (void)sys_fault_set(nth, EMFILE, false);
        CHECK_INT(tell(l, &s, fds), 4);
        bool is_past = sys_fault_count() < nth;
        (void)sys_fault_set(0, 0, false);
        loop_free(l);
        CHECK_INT(count_fds(), n_fds);
        if (is_past) break;
    }
    CHECK(nth > 3);
    CHECK(nth < 200);
}

typedef struct {
    Loop *loop;
    u32 n;
} Posted;

static void on_post(void *data)
{
    Posted *p = data;
    p->n++;
    loop_unref(p->loop);
}

static void post_late(void *data)
{
    sys_sleep_ns(20000000);
    (void)loop_post_mt(((Posted *)data)->loop, on_post, data);
}

/* No eventfd can be had at all: posts still arrive. */
LOOP_TEST(loop_without_a_wake_up_descriptor_looks_around_now_and_then)
{
    Posted data = {.loop = loop};
    SysThread t;
    loop_ref(loop);
    REQUIRE(sys_thread_start(&t, "poster", 0, post_late, &data) == 0);
    (void)sys_fault_set(1, EMFILE, true);
    loop_run(loop, LOOP_RUN);
    (void)sys_fault_set(0, 0, false);
    sys_thread_join(&t);
    CHECK_INT(data.n, 1);
}

static i64 refused_res;

static void on_refused(LoopReq *req, i64 res)
{
    (void)req;
    refused_res = res;
}

static Str backend_when_refused(void)
{
    LoopStat stat = {.req.on_done = on_refused};
    Loop *loop = loop_new();
    (void)sys_fault_set(1, EPERM, false);
    loop_req_stat(loop, &stat, "/", 0);
    (void)sys_fault_set(0, 0, false);
    loop_run(loop, LOOP_RUN);
    Str name = str_z(loop_backend_name(loop));
    loop_free(loop);
    return name;
}

TEST(loop_takes_epoll_where_io_uring_is_forbidden)
{
    (void)sys_env_del(S("COB_IO"));
    CHECK_STR(backend_when_refused(), "epoll");
    CHECK_INT(refused_res, 0);
    CHECK_INT(sys_env_set(S("COB_IO"), S("uring")), 0);
    CHECK_STR(backend_when_refused(), "none");
    CHECK_INT(refused_res, -EPERM);
}

#endif

/* ---- Descriptors run out -------------------------------------------------------------------- */

typedef struct {
    LoopAccept accept;
    u64 soft, hard;
    i32 n_accepted, n_refused;
} Server;

static void on_accept(LoopAccept *a, i32 fd)
{
    Server *s = CONTAINER(Server, accept, a);
    if (fd == -EMFILE) {
        s->n_refused++;
        CHECK(!loop_handle_is_active(&a->handle));
        CHECK_INT(sys_limit_set(RLIMIT_NOFILE, s->soft, s->hard), 0);
        loop_accept_start(a, on_accept);
        return;
    }
    CHECK(fd >= 0);
    s->n_accepted++;
    loop_handle_close(&a->handle, NULL);
}

static void on_connected(LoopReq *req, i64 res)
{
    (void)req;
    CHECK_INT(res, 0);
}

LOOP_TEST(accept_survives_running_out_of_descriptors)
{
    static Server s;
    SysAddr addr;
    LoopReq req = {.on_done = on_connected};
    int fd = sys_socket(AF_INET, SOCK_STREAM, 0);
    CHECK_INT(sys_addr_parse(S("127.0.0.1"), 0, &addr), 0);
    CHECK_INT(sys_bind(fd, &addr), 0);
    CHECK_INT(sys_listen(fd, 5), 0);
    CHECK_INT(sys_socket_name(fd, &addr), 0);
    int client = sys_socket(AF_INET, SOCK_STREAM, 0);
    loop_accept_open(loop, &s.accept, fd);
    loop_accept_start(&s.accept, on_accept);
    loop_req_connect(loop, &req, client, &addr);
    /* The back end is there now; nothing can be opened beyond. */
    CHECK_INT(sys_limit_get(RLIMIT_NOFILE, &s.soft, &s.hard), 0);
    (void)!sys_limit_set(RLIMIT_NOFILE, 3, s.hard);
    CHECK(!loop_run(loop, LOOP_RUN));
    CHECK_INT(s.n_accepted, 1);
    CHECK_INT(s.n_refused, 1);
}
