/* sys/spawn.c -- starting programs.
 *
 * clone(CLONE_VM | CLONE_VFORK) on a piece of the caller's stack: unlike fork it copies no page
 * tables, which for a process with a JavaScript heap is the difference between 0.1 and several
 * milliseconds, and the child can report an error by writing it into the parent's memory.  The
 * price: between clone and exec the child may only make system calls and write to its own stack and
 * `Child`.  The parent's thread stands still meanwhile, and all signals are blocked so that no
 * handler of ours runs in the child. */
#include "sys/sandbox_child.h"

#include <grp.h>
#include <linux/close_range.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    STACK_SIZE = 32 * 1024,
    EXIT_NO_EXEC = 127,
};

extern char **environ;

typedef struct {
    const SysSpawn *spec;
    const char *const *env;
    const char **shell_argv; /* { "/bin/sh", path, argv[1].. }, the second filled in by the child */
    const char *path;        /* PATH of `env` */
    char *candidate;         /* SYS_PATH_MAX bytes */
    int fds[SYS_SPAWN_FDS_MAX];
    int err;
} Child;

static const char *path_of(const char *const *env)
{
    for (; *env; env++) {
        if (strncmp(*env, "PATH=", 5) == 0) return *env + 5;
    }
    return "/bin:/usr/bin";
}

SYS_IN_CHILD static void reset_signals(void)
{
    static const u64 defaults[4]; /* the kernel's struct sigaction with SIG_DFL */
    for (long s = 1; s <= SYS_SIGNAL_MAX; s++) {
        (void)syscall(SYS_rt_sigaction, s, defaults, NULL, sizeof(u64));
    }
}

SYS_IN_CHILD static int take_stdio(Child *c)
{
    u32 n = c->spec->n_fds;
    /* First out of the way: a source below n would be overwritten before its turn. */
    for (u32 i = 0; i < n; i++) {
        int fd = c->fds[i];
        if (fd < 0 || fd >= (int)n || fd == (int)i) continue;
        c->fds[i] = fcntl(fd, F_DUPFD_CLOEXEC, (int)n);
        if (c->fds[i] < 0) return errno;
    }
    for (u32 i = 0; i < n; i++) {
        int fd = c->fds[i];
        if (fd == SYS_FD_CLOSED) {
            (void)close((int)i);
            continue;
        }
        if (fd == SYS_FD_NULL) {
            fd = open("/dev/null", i == 0 ? O_RDONLY | O_CLOEXEC : O_RDWR | O_CLOEXEC);
            if (fd < 0) return errno;
        }
        int rc = fd == (int)i ? fcntl(fd, F_SETFD, 0) : dup2(fd, (int)i);
        if (rc < 0) return errno;
    }
    /* Descriptors that other libraries opened without the flag stay here, too. */
    (void)close_range(n, ~0U, CLOSE_RANGE_CLOEXEC);
    return 0;
}

/* The raw calls: those of libc change all threads, which are the parent's. */
SYS_IN_CHILD static int drop_privileges(const SysSpawn *s)
{
    if (!(s->flags & (SYS_SPAWN_UID | SYS_SPAWN_GID))) return 0;
    (void)syscall(SYS_setgroups, 0, NULL);
    if (s->flags & SYS_SPAWN_GID && syscall(SYS_setgid, s->gid) < 0) return errno;
    if (s->flags & SYS_SPAWN_UID && syscall(SYS_setuid, s->uid) < 0) return errno;
    return 0;
}

/* Returns only on failure, with errno. */
SYS_IN_CHILD static int exec_file(Child *c, const char *file)
{
    (void)execve(file, (char *const *)(uintptr_t)c->spec->argv, (char *const *)(uintptr_t)c->env);
    if (errno != ENOEXEC) return errno;
    c->shell_argv[1] = file;
    (void)execve("/bin/sh", (char *const *)(uintptr_t)c->shell_argv,
                 (char *const *)(uintptr_t)c->env);
    return errno;
}

/* As execvp(3): a file that may not be run does not end the search but is the reason given. */
SYS_IN_CHILD static int exec_search(Child *c)
{
    const char *file = c->spec->file;
    if (!*file) return ENOENT;
    if (strchr(file, '/')) return exec_file(c, file);
    usize n_file = strlen(file);
    bool is_denied = false;
    const char *p = c->path;
    for (;;) {
        usize n = strcspn(p, ":");
        usize slash = n ? 1 : 0; /* an empty entry is the current directory */
        if (n + slash + n_file < SYS_PATH_MAX) {
            memcpy(c->candidate, p, n);
            if (slash) c->candidate[n] = '/';
            memcpy(c->candidate + n + slash, file, n_file + 1);
            int err = exec_file(c, c->candidate);
            if (err == EACCES) is_denied = true;
            bool is_elsewhere = err == EACCES || err == ENOENT || err == ENOTDIR || err == ESTALE ||
                                err == ENODEV || err == ETIMEDOUT || err == ELOOP;
            if (!is_elsewhere) return err;
        }
        if (!p[n]) return is_denied ? EACCES : ENOENT;
        p += n + 1;
    }
}

SYS_IN_CHILD static int child_main(void *data)
{
    Child *c = data;
    const SysSpawn *s = c->spec;
    reset_signals();
    if (s->flags & SYS_SPAWN_DETACHED) (void)setsid();
    c->err = take_stdio(c);
    if (!c->err && s->flags & SYS_SPAWN_CTTY && ioctl(0, TIOCSCTTY, 0) < 0) c->err = errno;
    if (!c->err && s->cwd && chdir(s->cwd) < 0) c->err = errno;
    if (!c->err) c->err = drop_privileges(s);
    if (!c->err && s->sandbox) c->err = sys_sandbox_enter(s->sandbox);
    if (!c->err) {
        u64 none = 0;
        (void)syscall(SYS_rt_sigprocmask, SIG_SETMASK, &none, NULL, sizeof(none));
        c->err = exec_search(c);
    }
    (void)syscall(SYS_exit_group, EXIT_NO_EXEC);
    return 0;
}

static u32 argv_len(const char *const *argv)
{
    u32 n = 0;
    while (argv[n]) n++;
    return n;
}

/* A parent that ignored SIGCHLD hands that on to us, and the kernel would drop exit codes. */
static void keep_exit_codes(void)
{
    if (sys_signal_is_ignored(SIGCHLD)) (void)sys_signal_default(SIGCHLD);
}

int sys_spawn(const SysSpawn *s, i32 *ret_pid, int *ret_pidfd)
{
    FAULT();
    ASSERT(s->file);
    ASSERT(s->argv);
    if (s->n_fds > SYS_SPAWN_FDS_MAX) return -EINVAL;
    sys_tell_output();
    /* Ours is as good as one of its own: this thread does nothing until the child has let go. */
    _Alignas(16) char stack[STACK_SIZE];
    AUTO(Scratch) scratch = scratch_begin(NULL);
    u32 n_argv = argv_len(s->argv);
    Child *c = ARENA_NEW(scratch.arena, Child);
    c->spec = s;
    c->env = s->env ? s->env : (const char *const *)(uintptr_t)environ;
    c->path = path_of(c->env);
    c->candidate = arena_alloc(scratch.arena, SYS_PATH_MAX, 1);
    c->shell_argv = ARENA_ARRAY(scratch.arena, const char *, n_argv + 3);
    c->shell_argv[0] = "/bin/sh";
    for (u32 i = 1; i < n_argv; i++) c->shell_argv[i + 1] = s->argv[i];
    if (s->n_fds) memcpy(c->fds, s->fds, s->n_fds * sizeof(int));
    keep_exit_codes();
    sigset_t all, old;
    (void)sigfillset(&all);
    (void)pthread_sigmask(SIG_SETMASK, &all, &old);
    int pidfd = -1;
    int flags = CLONE_VM | CLONE_VFORK | CLONE_PIDFD | SIGCHLD;
    i32 pid = clone(child_main, stack + STACK_SIZE, flags, c, &pidfd);
    int err = pid < 0 ? errno : c->err;
    (void)pthread_sigmask(SIG_SETMASK, &old, NULL);
    if (err) {
        SysExit ignored;
        if (pid > 0) (void)sys_child_wait(pidfd, true, &ignored);
        sys_close(pidfd);
        return -err;
    }
    *ret_pid = pid;
    *ret_pidfd = pidfd;
    return s->sandbox ? sys_sandbox_take_reports(s->sandbox) : 0;
}

/* ---- Afterwards ----------------------------------------------------------------------------- */

static u64 micros(struct timeval t)
{
    return (u64)t.tv_sec * 1000000U + (u64)t.tv_usec;
}

static void usage_from(const struct rusage *r, SysUsage *ret)
{
    *ret = (SysUsage){
        .utime_us = micros(r->ru_utime),
        .stime_us = micros(r->ru_stime),
        .max_rss_kb = (u64)r->ru_maxrss,
        .minor_faults = (u64)r->ru_minflt,
        .major_faults = (u64)r->ru_majflt,
        .swaps = (u64)r->ru_nswap,
        .block_in = (u64)r->ru_inblock,
        .block_out = (u64)r->ru_oublock,
        .msg_sent = (u64)r->ru_msgsnd,
        .msg_received = (u64)r->ru_msgrcv,
        .signals = (u64)r->ru_nsignals,
        .voluntary_switches = (u64)r->ru_nvcsw,
        .forced_switches = (u64)r->ru_nivcsw,
    };
}

int sys_usage(int who, SysUsage *ret)
{
    FAULT();
    struct rusage r;
    int rc = RETRY_INT(getrusage(who, &r));
    if (rc == 0) usage_from(&r, ret);
    return rc;
}

int sys_child_wait(int pidfd, bool wait, SysExit *ret)
{
    FAULT();
    siginfo_t info = {0};
    struct rusage usage = {0};
    int options = WEXITED | (wait ? 0 : WNOHANG);
    int rc = RETRY_INT(syscall(SYS_waitid, P_PIDFD, pidfd, &info, options, &usage));
    if (rc < 0) return rc;
    if (!info.si_pid) return 0;
    *ret = (SysExit){.has_core = info.si_code == CLD_DUMPED};
    if (info.si_code == CLD_EXITED)
        ret->code = info.si_status;
    else
        ret->signal = info.si_status;
    usage_from(&usage, &ret->usage);
    return 1;
}

int sys_pidfd_open(i32 pid)
{
    FAULT();
    return RETRY_INT(syscall(SYS_pidfd_open, pid, 0));
}

int sys_pidfd_kill(int pidfd, int signo)
{
    FAULT();
    return RETRY_INT(syscall(SYS_pidfd_send_signal, pidfd, signo, NULL, 0));
}
