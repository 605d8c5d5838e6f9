/* loop/loop_test.c -- turns, timers, hooks, other threads, the pool. */
#include "loop/loop_test.h"

#include <sys/resource.h>

typedef struct {
    char text[64];
    u32 len;
} Trace;

static Trace trace;

static void mark(char c)
{
    if (trace.len < sizeof(trace.text)) trace.text[trace.len++] = c;
}

static Str marks(void)
{
    return (Str){trace.text, trace.len};
}

/* ---- Timers --------------------------------------------------------------------------------- */

typedef struct {
    LoopTimer timer;
    char name;
} Named;

static void on_named(LoopTimer *t)
{
    mark(CONTAINER(Named, timer, t)->name);
}

LOOP_TEST(timers_fire_by_deadline_then_by_order_of_starting)
{
    static Named t[6];
    const u64 delay[6] = {30, 5, 5, 0, 5, 0};
    u64 start_ns = loop_now_ns(loop); /* delays count from there, not from now */
    for (u32 i = 0; i < 6; i++) {
        t[i].name = (char)('a' + i);
        loop_timer_open(loop, &t[i].timer);
        loop_timer_start(&t[i].timer, delay[i], 0, on_named);
    }
    CHECK(!loop_run(loop, LOOP_RUN));
    CHECK(sys_monotonic_ns() - start_ns >= 29000000);
    CHECK_STR(marks(), "dfbcea");
    CHECK_STR(str_z(loop_backend_name(loop)), "none");
}

static void on_stop_other(LoopTimer *t)
{
    mark('s');
    loop_timer_stop(CONTAINER(Named, timer, t)[1].name ? &CONTAINER(Named, timer, t)[1].timer : t);
}

LOOP_TEST(timers_can_be_stopped_by_one_that_is_due_with_them)
{
    static Named t[3] = {{.name = 'a'}, {.name = 'b'}, {.name = 'c'}};
    for (u32 i = 0; i < 3; i++) {
        loop_timer_open(loop, &t[i].timer);
        loop_timer_start(&t[i].timer, 1, 0, i ? on_named : on_stop_other);
    }
    loop_run(loop, LOOP_RUN);
    CHECK_STR(marks(), "sc");
}

static void on_restart(LoopTimer *t)
{
    mark('r');
    if (trace.len < 3) loop_timer_start(t, 0, 0, on_restart);
}

static void on_check_mark(void *ctx)
{
    (void)ctx;
    mark('|');
}

LOOP_TEST(timers_started_by_a_timer_wait_for_the_next_turn)
{
    static LoopTimer t;
    loop_set_hooks(loop, (LoopHooks){.on_check = on_check_mark});
    loop_timer_open(loop, &t);
    loop_timer_start(&t, 0, 0, on_restart);
    loop_run(loop, LOOP_RUN);
    CHECK_STR(marks(), "r|r|");
}

static void on_repeat(LoopTimer *t)
{
    mark('x');
    if (trace.len == 3) loop_timer_stop(t);
}

LOOP_TEST(timers_repeat_until_stopped)
{
    static LoopTimer t;
    loop_timer_open(loop, &t);
    loop_timer_start(&t, 1, 2, on_repeat);
    loop_run(loop, LOOP_RUN);
    CHECK_STR(marks(), "xxx");
}

static u32 n_fired;
static u64 last_due;

static void on_count(LoopTimer *t)
{
    CHECK(t->due_ms >= last_due);
    last_due = t->due_ms;
    n_fired++;
}

LOOP_TEST(timers_by_the_hundred_thousand)
{
    enum { N = 100000 };
    static LoopTimer t[N];
    u32 random = 1;
    for (u32 i = 0; i < N; i++) {
        random = random * 1664525U + 1013904223U;
        loop_timer_open(loop, &t[i]);
        loop_timer_start(&t[i], random >> 28, 0, on_count);
    }
    for (u32 i = 0; i < N; i += 3) loop_timer_stop(&t[i]);
    for (u32 i = 0; i < N; i += 3) loop_timer_start(&t[i], i % 20, 0, on_count);
    for (u32 i = 0; i < N; i += 5) loop_timer_stop(&t[i]);
    loop_run(loop, LOOP_RUN);
    CHECK_INT(n_fired, N - N / 5);
}

/* ---- Liveness ------------------------------------------------------------------------------- */

LOOP_TEST(loop_without_anything_ends_at_once)
{
    CHECK(!loop_run(loop, LOOP_RUN));
    CHECK_STR(str_z(loop_backend_name(loop)), "none");
}

LOOP_TEST(loop_does_not_wait_for_unrefd_handles)
{
    static LoopTimer t;
    loop_timer_open(loop, &t);
    loop_handle_unref(&t.handle);
    loop_timer_start(&t, 1000000, 0, on_count);
    CHECK(loop_handle_is_active(&t.handle));
    CHECK(!loop_run(loop, LOOP_RUN));
    loop_handle_ref(&t.handle);
    CHECK(loop_is_alive(loop));
    loop_handle_unref(&t.handle);
    CHECK(!loop_is_alive(loop));
}

static void on_close_mark(LoopHandle *h)
{
    (void)h;
    mark('c');
}

static void on_close_self(LoopTimer *t)
{
    mark('t');
    loop_handle_close(&t->handle, on_close_mark);
}

LOOP_TEST(loop_runs_on_close_in_a_turn_of_its_own_phase)
{
    static LoopTimer t;
    loop_set_hooks(loop, (LoopHooks){.on_check = on_check_mark});
    loop_timer_open(loop, &t);
    loop_timer_start(&t, 0, 5, on_close_self);
    CHECK(!loop_run(loop, LOOP_RUN));
    CHECK_STR(marks(), "t|c");
}

static void on_after(void *ctx)
{
    mark('.');
    (void)ctx;
}

LOOP_TEST(loop_calls_the_hook_after_every_callback)
{
    static Named t[2] = {{.name = 'a'}, {.name = 'b'}};
    loop_set_hooks(loop, (LoopHooks){.after_callback = on_after});
    for (u32 i = 0; i < 2; i++) {
        loop_timer_open(loop, &t[i].timer);
        loop_timer_start(&t[i].timer, 1, 0, on_named);
    }
    loop_run(loop, LOOP_RUN);
    CHECK_STR(marks(), "a.b.");
}

typedef struct {
    Loop *loop;
    u32 left;
} Immediates;

static void on_check_immediate(void *ctx)
{
    Immediates *im = ctx;
    if (!im->left) return;
    mark('i');
    if (!--im->left) loop_unref(im->loop);
}

static bool has_immediates(void *ctx)
{
    return ((Immediates *)ctx)->left > 0;
}

LOOP_TEST(loop_does_not_sleep_while_there_is_work_for_the_check_hook)
{
    Immediates im = {loop, 3};
    static LoopTimer t;
    loop_timer_open(loop, &t);
    loop_timer_start(&t, 1000000, 0, on_count);
    loop_handle_unref(&t.handle);
    loop_ref(loop);
    loop_set_hooks(
        loop, (LoopHooks){.ctx = &im, .on_check = on_check_immediate, .has_work = has_immediates});
    loop_run(loop, LOOP_RUN);
    CHECK_STR(marks(), "iii");
}

LOOP_TEST(loop_stop_ends_the_run_and_it_can_go_on)
{
    static LoopTimer t;
    loop_timer_open(loop, &t);
    loop_timer_start(&t, 3, 0, on_count);
    loop_stop(loop);
    CHECK(loop_run(loop, LOOP_RUN_NOWAIT));
    CHECK(loop_run(loop, LOOP_RUN_NOWAIT));
    CHECK(!loop_run(loop, LOOP_RUN_ONCE) || !loop_run(loop, LOOP_RUN));
    CHECK_INT(n_fired, 1);
}

/* ---- Other threads -------------------------------------------------------------------------- */

enum { N_POSTS = 20000, N_POSTERS = 3 };

typedef struct {
    Loop *loop;
    LoopMail *mail;
    u32 n, n_posters;
} Posts;

static void on_post(void *data)
{
    Posts *p = data;
    if (++p->n == N_POSTS * p->n_posters) loop_unref(p->loop);
}

static void post_many(void *data)
{
    Posts *p = data;
    for (u32 i = 0; i < N_POSTS; i++) {
        while (loop_post_mt(p->loop, on_post, p) == -EAGAIN) sys_thread_yield();
    }
}

LOOP_TEST(posts_from_several_threads_all_arrive)
{
    Posts p = {.loop = loop, .n_posters = N_POSTERS};
    SysThread t[N_POSTERS];
    loop_ref(loop);
    for (u32 i = 0; i < N_POSTERS; i++)
        CHECK_INT(sys_thread_start(&t[i], "poster", 0, post_many, &p), 0);
    loop_run(loop, LOOP_RUN);
    for (u32 i = 0; i < N_POSTERS; i++) sys_thread_join(&t[i]);
    CHECK_INT(p.n, N_POSTS * N_POSTERS);
}

static void on_nothing(LoopReq *req, i64 res)
{
    (void)req;
    CHECK_INT(res, 0);
}

static void post_late(void *data)
{
    sys_sleep_ns(20000000);
    (void)loop_post_mt(((Posts *)data)->loop, on_post, data);
}

LOOP_TEST(posts_wake_a_sleeping_loop_with_and_without_back_end)
{
    for (u32 round = 0; round < 2; round++) {
        Posts p = {.loop = loop, .n_posters = 1, .n = N_POSTS - 1};
        SysThread t;
        static LoopTimer far;
        loop_timer_open(loop, &far);
        loop_timer_start(&far, 1000000, 0, on_count);
        loop_handle_unref(&far.handle);
        loop_ref(loop);
        REQUIRE(sys_thread_start(&t, "poster", 0, post_late, &p) == 0);
        loop_run(loop, LOOP_RUN);
        sys_thread_join(&t);
        CHECK_INT(p.n, N_POSTS);
        loop_handle_close(&far.handle, NULL);
        loop_run(loop, LOOP_RUN);
        LoopStat stat = {.req.on_done = on_nothing};
        SysStat st;
        loop_req_stat(loop, &stat, "/", 0);
        loop_run(loop, LOOP_RUN);
        loop_stat_get(&stat, &st);
        CHECK(S_ISDIR(st.mode));
    }
}

static void on_stop_post(void *data)
{
    (void)data;
    mark('p');
}

TEST(mail_outlives_its_loop)
{
    Loop *loop = loop_new();
    LoopMail *mail = loop_mail(loop);
    CHECK_INT(loop_mail_post_mt(mail, on_stop_post, NULL), 0);
    loop_free(loop);
    CHECK_STR(marks(), "p");
    CHECK_INT(loop_mail_post_mt(mail, on_stop_post, NULL), -ESHUTDOWN);
    CHECK(loop_mail_unref_mt(mail) == NULL);
}

static void on_bell(LoopAsync *a)
{
    mark('b');
    loop_handle_close(&a->handle, NULL);
}

static void on_bell_pair(LoopAsync *a)
{
    mark('p');
    loop_handle_close(&a->handle, NULL);
    loop_handle_close(&a[1].handle, NULL);
}

static void ring(void *data)
{
    for (u32 i = 0; i < 100; i++) loop_async_send_mt(data);
}

LOOP_TEST(async_rings_become_one_call)
{
    static LoopAsync a;
    SysThread t;
    loop_async_open(loop, &a, on_bell);
    REQUIRE(sys_thread_start(&t, "ringer", 0, ring, &a) == 0);
    sys_thread_join(&t);
    loop_run(loop, LOOP_RUN);
    CHECK_STR(marks(), "b");
}

LOOP_TEST(async_closed_while_rung_is_not_called)
{
    static LoopAsync a[2];
    loop_async_open(loop, &a[0], on_bell_pair);
    loop_async_open(loop, &a[1], on_bell);
    loop_async_send_mt(&a[0]);
    loop_async_send_mt(&a[1]);
    loop_run(loop, LOOP_RUN);
    CHECK_STR(marks(), "p");
}

/* ---- The pool ------------------------------------------------------------------------------- */

typedef struct {
    LoopReq req;
    u32 in, out;
    u64 thread;
} Work;

static u32 n_done;

static i64 do_square(LoopReq *req)
{
    Work *w = CONTAINER(Work, req, req);
    w->out = w->in * w->in;
    w->thread = sys_thread_id();
    return w->in;
}

static void on_square(LoopReq *req, i64 res)
{
    Work *w = CONTAINER(Work, req, req);
    CHECK_INT(res, w->in);
    CHECK_INT(w->out, w->in * w->in);
    CHECK(w->thread != sys_thread_id());
    n_done++;
}

LOOP_TEST(pool_runs_work_and_brings_it_back)
{
    enum { N = 2000 };
    static Work w[N];
    for (u32 i = 0; i < N; i++) {
        w[i] = (Work){.req.on_done = on_square, .in = i};
        loop_req_work(loop, &w[i].req, do_square);
    }
    CHECK(!loop_run(loop, LOOP_RUN));
    CHECK_INT(n_done, N);
    CHECK_STR(str_z(loop_backend_name(loop)), "none");
}

static u32 n_cancelled;

static i64 do_sleep(LoopReq *req)
{
    (void)req;
    sys_sleep_ns(30000000);
    return 7;
}

static void on_slept(LoopReq *req, i64 res)
{
    (void)req;
    CHECK(res == 7 || res == -ECANCELED);
    n_done++;
    n_cancelled += res == -ECANCELED;
}

LOOP_TEST(pool_work_that_has_not_begun_can_be_cancelled)
{
    enum { N = 12 };
    static LoopReq r[N];
    CHECK_INT(sys_env_set(S("COB_THREADPOOL_SIZE"), S("2")), 0);
    for (u32 i = 0; i < N; i++) {
        r[i].on_done = on_slept;
        r[i].op.where = 0;
        loop_req_work(loop, &r[i], do_sleep);
    }
    for (u32 i = 0; i < N; i++) loop_req_cancel(&r[i]);
    loop_run(loop, LOOP_RUN);
    CHECK_INT(n_done, N);
    CHECK(n_cancelled >= N - 2);
    for (u32 i = 0; i < N; i++) CHECK(!loop_req_is_pending(&r[i]));
}

LOOP_TEST(loop_free_waits_for_work_and_cancels_the_rest)
{
    enum { N = 12 };
    static LoopReq r[N];
    Loop *other = loop_new();
    for (u32 i = 0; i < N; i++) {
        r[i] = (LoopReq){.on_done = on_slept};
        loop_req_work(other, &r[i], do_sleep);
    }
    loop_free(other);
    CHECK_INT(n_done, N);
    (void)loop;
}

/* ---- Idleness ------------------------------------------------------------------------------- */

static u32 n_idle;

static void on_idle(void *ctx)
{
    (void)ctx;
    n_idle++;
}

static i64 do_nothing(LoopReq *req)
{
    (void)req;
    return 0;
}

/* A loop that has used everything once sleeps without a single wake-up. */
LOOP_TEST(idle_loop_costs_no_cpu)
{
    static LoopTimer t;
    LoopStat stat = {.req.on_done = on_nothing};
    LoopReq work = {.on_done = on_nothing};
    loop_req_stat(loop, &stat, "/", 0);
    loop_req_work(loop, &work, do_nothing);
    loop_timer_open(loop, &t);
    loop_timer_start(&t, 200, 0, on_count);
    loop_run(loop, LOOP_RUN);
    CHECK_INT(n_fired, 1);
    SysUsage before, after;
    CHECK_INT(sys_usage(RUSAGE_SELF, &before), 0);
    u64 cpu_ns = sys_cpu_process_ns();
    loop_timer_start(&t, 2000, 0, on_count);
    loop_run(loop, LOOP_RUN);
    cpu_ns = sys_cpu_process_ns() - cpu_ns;
    CHECK_INT(sys_usage(RUSAGE_SELF, &after), 0);
    CHECK_INT(n_fired, 2);
#ifndef __SANITIZE_THREAD__ /* it has a thread of its own that wakes up */
    CHECK(cpu_ns < 2000000);
    CHECK(after.voluntary_switches - before.voluntary_switches <= 2);
#else
    (void)cpu_ns;
#endif
}

static void stop_late(void *data)
{
    sys_sleep_ns((u64)(LOOP_IDLE_AFTER_MS + 500) * 1000000);
    loop_stop_mt(data);
}

LOOP_TEST(idle_hook_is_called_once_before_a_long_sleep)
{
    static LoopTimer t;
    SysThread thread;
    loop_set_hooks(loop, (LoopHooks){.on_idle = on_idle});
    loop_timer_open(loop, &t);
    loop_timer_start(&t, 1000000, 0, on_count);
    REQUIRE(sys_thread_start(&thread, "stopper", 0, stop_late, loop) == 0);
    CHECK(loop_run(loop, LOOP_RUN));
    sys_thread_join(&thread);
    CHECK_INT(n_idle, 1);
}

/* ---- A foreign run loop --------------------------------------------------------------------- */

typedef struct {
    Loop *loop;
    int fd;
    i32 timeout_ms;
    u32 n_dispatched, n_want;
} Foreign;

static i32 foreign_prepare(void *ctx, int *ret_fd)
{
    Foreign *f = ctx;
    *ret_fd = f->fd;
    return f->timeout_ms;
}

static void foreign_dispatch(void *ctx)
{
    Foreign *f = ctx;
    (void)sys_eventfd_take(f->fd);
    if (++f->n_dispatched == f->n_want) {
        f->timeout_ms = -1;
        loop_unref(f->loop);
    }
}

static void foreign_wake(void *data)
{
    sys_sleep_ns(10000000);
    (void)sys_eventfd_signal(((Foreign *)data)->fd);
}

LOOP_TEST(source_shares_the_wait)
{
    Foreign f = {.loop = loop, .fd = sys_eventfd(), .timeout_ms = 5, .n_want = 3};
    REQUIRE(f.fd >= 0);
    loop_set_source(loop, (LoopSource){&f, foreign_prepare, foreign_dispatch});
    for (u32 round = 0; round < 2; round++) {
        loop_ref(loop);
        loop_run(loop, LOOP_RUN);
        CHECK_INT(f.n_dispatched, 3);
        f = (Foreign){.loop = loop, .fd = f.fd, .timeout_ms = -1, .n_want = 1};
        SysThread t;
        loop_ref(loop);
        REQUIRE(sys_thread_start(&t, "waker", 0, foreign_wake, &f) == 0);
        loop_run(loop, LOOP_RUN);
        sys_thread_join(&t);
        CHECK_INT(f.n_dispatched, 1);
        /* Again with a back end. */
        LoopStat stat = {.req.on_done = on_nothing};
        loop_req_stat(loop, &stat, "/", 0);
        loop_run(loop, LOOP_RUN);
        f = (Foreign){.loop = loop, .fd = f.fd, .timeout_ms = 5, .n_want = 3};
    }
    loop_set_source(loop, (LoopSource){0});
    sys_close(f.fd);
}

/* ---- Turns with many sends ------------------------------------------------------------------ */

typedef struct {
    LoopRecv recv;
    LoopReq send;
    u32 n;
} Answerer;

static void on_question(LoopRecv *r, i32 n, char *p)
{
    Answerer *a = CONTAINER(Answerer, recv, r);
    if (n > 0) loop_bufs_give(r->bufs, p);
    CHECK_INT(n, 1);
    a->n++;
    loop_recv_stop(r);
}

static u32 n_sent;

static void on_sent(LoopReq *req, i64 res)
{
    (void)req;
    CHECK_INT(res, 1);
    n_sent++;
}

/* After many sends the wait is for several completions; the only one that comes must do. */
LOOP_TEST(one_answer_to_many_sends_is_enough)
{
    enum { N = 40 };
    static Answerer all[N];
    int fds[N][2];
    for (u32 i = 0; i < N; i++) {
        all[i] = (Answerer){0};
        REQUIRE(sys_socketpair(true, fds[i]) == 0);
        loop_recv_open(loop, &all[i].recv, fds[i][0], NULL);
        if (!i) loop_recv_start(&all[i].recv, on_question);
        all[i].send.on_done = on_sent;
        loop_req_send(loop, &all[i].send, fds[i][0], "a", 1);
    }
    loop_run(loop, LOOP_RUN_ONCE);
    CHECK_INT(sys_send(fds[0][1], "b", 1, 0), 1);
    CHECK(!loop_run(loop, LOOP_RUN));
    CHECK_INT(n_sent, N);
    CHECK_INT(all[0].n, 1);
    for (u32 i = 0; i < N; i++) loop_handle_close(&all[i].recv.handle, NULL);
    loop_run(loop, LOOP_RUN);
    for (u32 i = 0; i < N; i++) {
        (void)loop_fd_close(loop, fds[i][0]);
        sys_close(fds[i][1]);
    }
}
