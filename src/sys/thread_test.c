/* sys/thread_test.c -- threads, locks, signals. */
#include "sys/sys.h"

#include "util/test.h"

#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

typedef struct {
    SysMutex lock;
    SysCond cond;
    u32 n, n_ready;
    bool go;
    char name[16];
    sigset_t mask;
} Shared;

enum { N_THREADS = 4, N_STEPS = 20000 };

static void count(void *data)
{
    Shared *s = data;
    sys_mutex_lock(&s->lock);
    s->n_ready++;
    while (!s->go) sys_cond_wait(&s->cond, &s->lock);
    sys_mutex_unlock(&s->lock);
    for (u32 i = 0; i < N_STEPS; i++) {
        sys_mutex_lock(&s->lock);
        s->n++;
        sys_mutex_unlock(&s->lock);
    }
}

TEST(threads_count_under_a_lock)
{
    static Shared s;
    SysThread t[N_THREADS];
    for (u32 i = 0; i < N_THREADS; i++)
        REQUIRE(sys_thread_start(&t[i], "counter", 0, count, &s) == 0);
    sys_mutex_lock(&s.lock);
    s.go = true;
    sys_cond_broadcast(&s.cond);
    sys_mutex_unlock(&s.lock);
    for (u32 i = 0; i < N_THREADS; i++) sys_thread_join(&t[i]);
    CHECK_INT(s.n, N_THREADS * N_STEPS);
    CHECK_INT(s.n_ready, N_THREADS);
}

static void look(void *data)
{
    Shared *s = data;
    (void)prctl(PR_GET_NAME, s->name);
    (void)pthread_sigmask(SIG_BLOCK, NULL, &s->mask);
    AUTO(Scratch) scratch = scratch_begin(NULL);
    (void)str_fmt(scratch.arena, "scratch memory of this thread is freed with it");
}

TEST(threads_have_a_name_and_block_signals)
{
    Shared s = {0};
    SysThread t;
    REQUIRE(sys_thread_start(&t, "a name that is too long", 256 * 1024, look, &s) == 0);
    sys_thread_join(&t);
    CHECK_STR(str_z(s.name), "a name that is ");
    CHECK(sigismember(&s.mask, SIGTERM) == 1);
    CHECK(sigismember(&s.mask, SIGUSR1) == 0);
    CHECK(sigismember(&s.mask, SIGSEGV) == 0);
    sigset_t own;
    (void)pthread_sigmask(SIG_BLOCK, NULL, &own);
    CHECK(sigismember(&own, SIGTERM) == 0);
    sys_thread_join(&t); /* a second time is fine */
}

TEST(cond_wait_times_out)
{
    Shared s = {0};
    sys_mutex_lock(&s.lock);
    u64 start_ns = sys_monotonic_ns();
    while (sys_cond_wait_ns(&s.cond, &s.lock, 5000000)) {
    }
    CHECK(sys_monotonic_ns() - start_ns >= 5000000);
    sys_mutex_unlock(&s.lock);
}

TEST(signals_are_caught_taken_and_released)
{
    int fd = sys_eventfd();
    CHECK_INT(sys_signal_ignore(SIGUSR2), 0);
    CHECK_INT(sys_signal_catch(SIGUSR2, fd), 0);
    CHECK_INT(sys_signal_default(SIGHUP), 0); /* nohup ignores it */
    CHECK_INT(sys_signal_catch(SIGHUP, fd), 0);
    CHECK_INT(sys_signal_raise(SIGUSR2), 0);
    CHECK_INT(sys_signal_raise(SIGHUP), 0);
    CHECK_INT(sys_eventfd_take(fd), 2);
    CHECK_INT(sys_signal_take(), 1LL << (SIGUSR2 - 1) | 1LL << (SIGHUP - 1));
    CHECK_INT(sys_signal_take(), 0);
    sys_signal_release(SIGUSR2);
    CHECK(sys_signal_is_ignored(SIGUSR2));
    sys_signal_release(SIGHUP);
    CHECK(!sys_signal_is_ignored(SIGHUP));
    CHECK_INT(sys_signal_catch(SIGKILL, fd), -EINVAL);
    CHECK_INT(sys_signal_catch(0, fd), -EINVAL);
    CHECK_INT(sys_signal_catch(65, fd), -EINVAL);
}

static int crash_pipe[2];

static void on_crash(int signo, const siginfo_t *info, void *ucontext)
{
    (void)info;
    (void)ucontext;
    char c = (char)signo;
    (void)!sys_write(crash_pipe[1], &c, 1);
    _exit(77);
}

TEST(crash_handler_runs_once_on_its_own_stack)
{
    char c = 0;
    REQUIRE(sys_pipe(false, crash_pipe) == 0);
    pid_t pid = fork();
    if (pid == 0) {
        if (sys_crash_handler_set(on_crash) < 0) _exit(1);
        (void)sys_signal_raise(SIGSEGV);
        _exit(2);
    }
    SysExit e = {0};
    CHECK_INT(sys_child_wait(sys_pidfd_open(pid), true, &e), 1);
    CHECK_INT(e.code, 77);
    CHECK_INT(sys_read(crash_pipe[0], &c, 1), 1);
    CHECK_INT(c, SIGSEGV);
}

TEST(sys_signal_divert_goes_before_who_caught_it)
{
    int fd = sys_eventfd(), other = sys_eventfd();
    REQUIRE(fd >= 0);
    REQUIRE(other >= 0);
    CHECK_INT(sys_signal_divert(SIGUSR2, fd), 0);
    CHECK_INT(sys_signal_divert(SIGHUP, fd), -EBUSY);
    CHECK_INT(sys_signal_catch(SIGUSR2, other), 0);
    CHECK(!sys_signal_divert_take());
    CHECK_INT(sys_signal_raise(SIGUSR2), 0);
    CHECK_INT((int)sys_eventfd_take(fd), 1);
    CHECK(sys_signal_divert_take());
    CHECK_INT((int)sys_eventfd_take(other), 0);
    sys_signal_divert_end();
    CHECK_INT(sys_signal_raise(SIGUSR2), 0);
    CHECK_INT((int)sys_eventfd_take(other), 1);
    CHECK(sys_signal_take() == (u64)1 << (SIGUSR2 - 1));
    sys_signal_release(SIGUSR2);
    CHECK(sys_signal_is_ignored(SIGUSR2) == false);
    sys_close(fd);
    sys_close(other);
}
