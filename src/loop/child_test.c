/* loop/child_test.c -- child processes and signals. */
#include "loop/loop_test.h"

static u32 n_exits, n_signals;
static SysExit last_exit;

static void on_exit_close(LoopChild *c, const SysExit *e)
{
    n_exits++;
    last_exit = *e;
    loop_handle_close(&c->handle, NULL);
}

LOOP_TEST(child_exit_codes_arrive)
{
    enum { N = 10 };
    static LoopChild c[N];
    const char *argv[] = {"sh", "-c", "exit 5", NULL};
    SysSpawn s = {.file = "sh", .argv = argv};
    for (u32 i = 0; i < N; i++) {
        loop_child_open(loop, &c[i]);
        CHECK_INT(loop_child_start(&c[i], &s, on_exit_close), 0);
    }
    CHECK(!loop_run(loop, LOOP_RUN));
    CHECK_INT(n_exits, N);
    CHECK_INT(last_exit.code, 5);
}

LOOP_TEST(child_can_be_killed)
{
    static LoopChild c;
    const char *argv[] = {"sleep", "1000", NULL};
    SysSpawn s = {.file = "sleep", .argv = argv};
    loop_child_open(loop, &c);
    CHECK_INT(loop_child_kill(&c, SIGTERM), -ESRCH);
    CHECK_INT(loop_child_start(&c, &s, on_exit_close), 0);
    CHECK(loop_run(loop, LOOP_RUN_NOWAIT));
    CHECK_INT(loop_child_kill(&c, SIGTERM), 0);
    loop_run(loop, LOOP_RUN);
    CHECK_INT(last_exit.signal, SIGTERM);
    CHECK_INT(loop_child_kill(&c, SIGTERM), -ESRCH);
}

LOOP_TEST(child_that_cannot_start_says_why)
{
    static LoopChild c;
    const char *argv[] = {"x", NULL};
    SysSpawn s = {.file = "/no/such/program", .argv = argv};
    loop_child_open(loop, &c);
    CHECK_INT(loop_child_start(&c, &s, on_exit_close), -ENOENT);
    CHECK(!loop_handle_is_active(&c.handle));
    CHECK(!loop_run(loop, LOOP_RUN));
}

LOOP_TEST(child_handle_can_be_closed_while_it_runs)
{
    static LoopChild c;
    const char *argv[] = {"sleep", "1000", NULL};
    SysSpawn s = {.file = "sleep", .argv = argv};
    loop_child_open(loop, &c);
    CHECK_INT(loop_child_start(&c, &s, on_exit_close), 0);
    i32 pid = c.pid;
    loop_handle_close(&c.handle, NULL);
    CHECK(!loop_run(loop, LOOP_RUN));
    CHECK_INT(n_exits, 0);
    CHECK_INT(sys_kill(pid, SIGKILL), 0);
}

/* ---- Signals -------------------------------------------------------------------------------- */

static void on_signal(LoopSignal *s, int signo)
{
    CHECK_INT(s->signo, signo);
    n_signals++;
    loop_signal_stop(s);
}

static void kill_late(void *data)
{
    (void)data;
    sys_sleep_ns(10000000);
    CHECK_INT(sys_kill(sys_pid(), SIGUSR2), 0);
}

LOOP_TEST(signal_wakes_the_loop_and_its_disposition_comes_back)
{
    static LoopSignal s[2];
    CHECK_INT(sys_signal_ignore(SIGUSR2), 0);
    for (u32 round = 0; round < 2; round++) {
        n_signals = 0;
        for (u32 i = 0; i < 2; i++) {
            if (!round) loop_signal_open(loop, &s[i]);
            loop_handle_ref(&s[i].handle);
            CHECK_INT(loop_signal_start(&s[i], SIGUSR2, on_signal), 0);
        }
        CHECK(!sys_signal_is_ignored(SIGUSR2));
        SysThread t;
        REQUIRE(sys_thread_start(&t, "killer", 0, kill_late, NULL) == 0);
        loop_run(loop, LOOP_RUN);
        sys_thread_join(&t);
        CHECK_INT(n_signals, 2);
        CHECK(sys_signal_is_ignored(SIGUSR2));
        /* The second round has a back end. */
        static LoopPoll p;
        if (round) continue;
        loop_poll_open(loop, &p, sys_eventfd());
        loop_poll_start(&p, LOOP_READABLE, NULL);
        loop_handle_unref(&p.handle);
    }
}

LOOP_TEST(signal_handles_do_not_keep_the_loop_alive)
{
    static LoopSignal s;
    loop_signal_open(loop, &s);
    CHECK_INT(loop_signal_start(&s, SIGUSR2, on_signal), 0);
    CHECK(!loop_run(loop, LOOP_RUN));
    CHECK_INT(loop_signal_start(&s, SIGKILL, on_signal), -EINVAL);
    CHECK_INT(loop_signal_start(&s, SIGSEGV, on_signal), -EINVAL);
    CHECK_INT(loop_signal_start(&s, 1000, on_signal), -EINVAL);
}

LOOP_TEST(signal_belongs_to_one_loop_at_a_time)
{
    static LoopSignal s, t;
    Loop *other = loop_new();
    loop_signal_open(loop, &s);
    loop_signal_open(other, &t);
    CHECK_INT(loop_signal_start(&s, SIGUSR2, on_signal), 0);
    CHECK_INT(loop_signal_start(&t, SIGUSR2, on_signal), -EBUSY);
    loop_signal_stop(&s);
    CHECK_INT(loop_signal_start(&t, SIGUSR2, on_signal), 0);
    loop_free(other);
    CHECK_INT(loop_signal_start(&s, SIGUSR2, on_signal), 0);
    loop_signal_stop(&s);
}
