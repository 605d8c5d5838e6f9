/* tests/unit_main.c -- runs every TEST that is linked in, each in a child process of its own.
 *
 * usage: unit [-v] [substring]...   runs the tests whose "file:name" contains one of the
 * substrings. Ends with "N passed, N failed".  A test fails by a failed CHECK, a signal, a non-zero
 * exit or by taking longer than TEST_SECONDS. */
#include "util/test.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { TEST_SECONDS = 120 };

static bool is_wanted(const TestCase *t, int n, char **patterns)
{
    char name[512];
    (void)snprintf(name, sizeof(name), "%s:%s", t->file, t->name);
    for (int i = 0; i < n; i++)
        if (strstr(name, patterns[i])) return true;
    return n == 0;
}

static bool run_one(const TestCase *t)
{
    (void)fflush(stdout);
    pid_t pid = fork();
    if (pid < 0) return false;
    if (pid == 0) {
        (void)alarm(TEST_SECONDS);
        t->run();
        scratch_thread_deinit();
        exit(test_failures() ? 1 : 0);
    }
    int status;
    if (waitpid(pid, &status, 0) != pid) return false;
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return true;
    if (WIFSIGNALED(status))
        (void)printf("FAIL %s %s: %s\n", t->file, t->name,
                     WTERMSIG(status) == SIGALRM ? "timed out" : strsignal(WTERMSIG(status)));
    else
        (void)printf("FAIL %s %s: exit code %d\n", t->file, t->name, WEXITSTATUS(status));
    return false;
}

int main(int argc, char **argv)
{
    bool is_verbose = argc > 1 && !strcmp(argv[1], "-v");
    int first = is_verbose ? 2 : 1;
    u32 passed = 0, failed = 0;
    for (const TestCase *t = test_list(); t; t = t->next) {
        if (!is_wanted(t, argc - first, argv + first)) continue;
        bool ok = run_one(t);
        if (ok)
            passed++;
        else
            failed++;
        if (ok && is_verbose) (void)printf("ok   %s %s\n", t->file, t->name);
    }
    (void)printf("%u passed, %u failed\n", passed, failed);
    return failed ? 1 : 0;
}
