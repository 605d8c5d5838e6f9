/* tests/suite/suite_pty.c -- runs a program on a terminal of its own.
 *
 * Standard input is typed into the terminal; what appears there goes to standard output, with
 * "\r\n" as "\n".  After the end of the input Ctrl-D is typed when the program has read all of it
 * (the terminal takes care of that).  The exit code is the program's. */
#include "suite.h"

#include "sys/sys.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { COLUMNS = 80, ROWS = 24 };

NORETURN static void child(int tty, char **argv)
{
    (void)setsid();
    (void)ioctl(tty, TIOCSCTTY, 0);
    for (int fd = 0; fd < 3; fd++) (void)dup2(tty, fd);
    if (tty > 2) (void)close(tty);
    (void)execvp(argv[0], argv);
    perror(argv[0]);
    _exit(127);
}

/* false at the end. */
static bool copy_output(int master)
{
    char buf[4096];
    ssize_t n = read(master, buf, sizeof(buf));
    if (n <= 0) return false;
    for (ssize_t i = 0; i < n; i++)
        if (buf[i] != '\r') (void)putchar(buf[i]);
    (void)fflush(stdout);
    return true;
}

static bool copy_input(int master)
{
    static const char end_of_input = 4;
    char buf[512];
    ssize_t n = read(0, buf, sizeof(buf));
    if (n > 0) return write(master, buf, (size_t)n) == n;
    (void)!write(master, &end_of_input, 1);
    return false;
}

static void copy(int master)
{
    bool has_input = true;
    for (;;) {
        struct pollfd fds[2] = {{.fd = master, .events = POLLIN},
                                {.fd = has_input ? 0 : -1, .events = POLLIN}};
        if (poll(fds, 2, -1) < 0) continue;
        if (fds[0].revents && !copy_output(master)) return;
        if (fds[1].revents) has_input = copy_input(master);
    }
}

int suite_pty(int argc, char **argv)
{
    u64 columns = COLUMNS;
    if (argc > 1 && !strcmp(argv[0], "-c") && str_to_u64(str_z(argv[1]), &columns)) {
        argc -= 2;
        argv += 2;
    }
    int master, tty, status;
    if (argc < 1 || sys_pty_open((u32)columns, ROWS, &master, &tty) < 0) return 2;
    pid_t pid = fork();
    if (pid == 0) child(tty, argv);
    (void)close(tty);
    if (pid < 0) return 2;
    copy(master);
    if (waitpid(pid, &status, 0) != pid) return 2;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
