/* sys/signal_fd_test.c -- signals as something to read. */
#include "sys/sys.h"

#include "util/test.h"

#include <sys/wait.h>
#include <unistd.h>

#define BIT(signo) ((u64)1 << ((signo)-1))

TEST(sys_signal_fd_reads_what_arrives)
{
    int signo = 0, fd = sys_signal_fd(BIT(SIGUSR1) | BIT(SIGUSR2));
    bool from_terminal = true;
    REQUIRE(fd >= 0);
    CHECK(!sys_signal_fd_take(fd, &signo, &from_terminal));
    CHECK_INT(sys_kill(sys_pid(), SIGUSR2), 0);
    struct pollfd p = {.fd = fd, .events = POLLIN};
    CHECK_INT(sys_poll(&p, 1, UINT64_MAX), 1);
    CHECK(sys_signal_fd_take(fd, &signo, &from_terminal));
    CHECK_INT(signo, SIGUSR2);
    CHECK(!from_terminal);
    CHECK(!sys_signal_fd_take(fd, &signo, &from_terminal));
    sys_close(fd);
}

TEST(sys_signal_die_ends_as_the_signal_does)
{
    static const int signals[] = {SIGTERM, SIGINT, SIGKILL, SIGSEGV};
    for (u32 i = 0; i < COUNT(signals); i++) {
        pid_t pid = fork();
        if (pid == 0) {
            (void)!sys_signal_fd(BIT(SIGTERM) | BIT(SIGINT));
            sys_signal_die(signals[i]);
        }
        int status = 0;
        CHECK_INT(waitpid(pid, &status, 0), pid);
        CHECK(WIFSIGNALED(status) && WTERMSIG(status) == signals[i]);
        CHECK(!WCOREDUMP(status));
    }
}
