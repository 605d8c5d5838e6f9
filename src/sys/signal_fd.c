/* sys/signal_fd.c -- signals as something to read: for programs without an engine, whose threads
 * are all ours. */
#include "sys/call.h"

#include <sys/resource.h>
#include <sys/signalfd.h>
#include <unistd.h>

int sys_signal_fd(u64 signals)
{
    FAULT();
    sigset_t set;
    (void)sigemptyset(&set);
    for (int s = 1; s <= SYS_SIGNAL_MAX; s++)
        if (signals >> (s - 1) & 1) (void)sigaddset(&set, s);
    int fd = RETRY_INT(signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK));
    if (fd >= 0) (void)pthread_sigmask(SIG_BLOCK, &set, NULL);
    return fd;
}

bool sys_signal_fd_take(int fd, int *ret_signo, bool *ret_from_terminal)
{
    struct signalfd_siginfo info;
    if (RETRY(read(fd, &info, sizeof(info))) != (i64)sizeof(info)) return false;
    *ret_signo = (int)info.ssi_signo;
    *ret_from_terminal = info.ssi_code == SI_KERNEL;
    return true;
}

void sys_signal_die(int signo)
{
    struct rlimit none = {0};
    (void)setrlimit(RLIMIT_CORE, &none);
    (void)sys_signal_default(signo);
    sys_signal_unblock_all();
    (void)sys_signal_raise(signo);
    sys_exit_now(128 + signo);
}
