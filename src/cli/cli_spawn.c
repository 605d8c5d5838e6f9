/* cli/cli_spawn.c -- running a child in our place: it has our terminal, gets our signals, and we
 * end as it does. */
#include "cli/run.h"

#define BIT(signo) ((u64)1 << ((signo)-1))

u64 cli_forwarded_signals(void)
{
    return BIT(SIGHUP) | BIT(SIGINT) | BIT(SIGQUIT) | BIT(SIGTERM) | BIT(SIGUSR1) | BIT(SIGUSR2);
}

static void forward(int fd, int pidfd)
{
    int signo;
    bool from_terminal;
    /* What a key sends has gone to the child as well: it is in our process group. */
    while (sys_signal_fd_take(fd, &signo, &from_terminal))
        if (!from_terminal) (void)!sys_pidfd_kill(pidfd, signo);
}

int cli_spawn_wait(const SysSpawn *spec, SysExit *ret)
{
    i32 pid;
    int pidfd = -1, signals = sys_signal_fd(cli_forwarded_signals());
    if (signals < 0) return signals;
    int rc = sys_spawn(spec, &pid, &pidfd);
    while (rc == 0) {
        struct pollfd fds[] = {{.fd = pidfd, .events = POLLIN}, {.fd = signals, .events = POLLIN}};
        rc = sys_poll(fds, COUNT(fds), UINT64_MAX);
        if (rc < 0) break;
        rc = 0;
        if (fds[1].revents) forward(signals, pidfd);
        if (!fds[0].revents) continue;
        rc = sys_child_wait(pidfd, false, ret);
        if (rc) break;
    }
    (void)sys_close(pidfd);
    (void)sys_close(signals);
    return rc < 0 ? rc : 0;
}

int cli_end_like(const SysExit *e)
{
    if (e->signal) sys_signal_die(e->signal);
    return e->code;
}
