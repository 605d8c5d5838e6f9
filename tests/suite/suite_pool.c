/* tests/suite/suite_pool.c -- a few child processes at once, each with a deadline. */
#include "suite.h"

#include "sys/sys.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { WIDTH_MAX = 16 };
static const u64 second_ns = 1000000000;

u32 env_number(const char *name, u32 otherwise)
{
    u64 n;
    const char *value = getenv(name);
    return value && str_to_u64(str_z(value), &n) && n && n < UINT32_MAX ? (u32)n : otherwise;
}

static const int plain_signals[] = {SIGINT, SIGHUP, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2};

NORETURN static void child(const Job *job)
{
    (void)setpgid(0, 0);
    /* Whoever runs the suite may ignore them (nohup, a shell's background jobs); programs must not.
     */
    for (u32 i = 0; i < COUNT(plain_signals); i++) (void)signal(plain_signals[i], SIG_DFL);
    int in = open(job->in, O_RDONLY);
    int out = open(job->out, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0644);
    int err = open(job->err, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0644);
    bool ok = in >= 0 && out >= 0 && err >= 0 && dup2(in, 0) == 0 && dup2(out, 1) == 1 &&
              dup2(err, 2) == 2 && chdir(job->dir) == 0;
    if (ok) {
        (void)close(in);
        (void)close(out);
        (void)close(err);
        char **argv, **env; /* exec does not write to them, whatever its prototype says */
        memcpy(&argv, &job->argv, sizeof(argv));
        memcpy(&env, &job->env, sizeof(env));
        (void)execve(argv[0], argv, env);
    }
    perror("suite: cannot start the job");
    _exit(127);
}

static void start(Job *job, u32 timeout_s)
{
    (void)fflush(stdout);
    job->pid = fork();
    if (job->pid == 0) child(job);
    if (job->pid < 0) BUG("fork");
    (void)setpgid(job->pid, job->pid);
    job->pidfd = sys_pidfd_open(job->pid);
    if (job->pidfd < 0) BUG("pidfd_open");
    job->deadline_ns = sys_monotonic_ns() + timeout_s * second_ns;
}

/* The child has ended or is killed now. */
static void finish(Job *job)
{
    int status = 0;
    if (job->has_timed_out) (void)kill(-job->pid, SIGKILL);
    if (waitpid(job->pid, &status, 0) != job->pid) BUG("waitpid");
    (void)kill(-job->pid, SIGKILL);
    (void)close(job->pidfd);
    job->code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* Waits until one of them has ended or its time is over; its index. */
static u32 wait_for_one(Job **running, u32 n)
{
    struct pollfd fds[WIDTH_MAX];
    for (;;) {
        u64 first = UINT64_MAX, now = sys_monotonic_ns();
        for (u32 i = 0; i < n; i++) {
            fds[i] = (struct pollfd){.fd = running[i]->pidfd, .events = POLLIN};
            first = MIN(first, running[i]->deadline_ns);
        }
        if (sys_poll(fds, n, first > now ? first - now : 0) < 0) BUG("poll");
        now = sys_monotonic_ns();
        for (u32 i = 0; i < n; i++) {
            if (fds[i].revents) return i;
            running[i]->has_timed_out = running[i]->deadline_ns <= now;
            if (running[i]->has_timed_out) return i;
        }
    }
}

void pool_run(Job *jobs, u32 n_jobs, u32 timeout_s, void (*on_done)(Job *job))
{
    Job *running[WIDTH_MAX];
    u32 width = MIN(env_number("COB_TEST_JOBS", SUITE_WIDTH), (u32)WIDTH_MAX);
    u32 n_running = 0, next = 0;
    while (next < n_jobs || n_running) {
        while (next < n_jobs && n_running < width) {
            start(&jobs[next], timeout_s);
            running[n_running++] = &jobs[next++];
        }
        u32 i = wait_for_one(running, n_running);
        Job *done = running[i];
        running[i] = running[--n_running];
        finish(done);
        on_done(done);
    }
}
