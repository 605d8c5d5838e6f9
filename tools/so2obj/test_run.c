/* test_run.c -- see test_run.h. */
#include "test_run.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define WORDS_MAX 64

static char test_dir[64];
static int n_passed, n_failed;

static void give_up(const char *what)
{
    (void)fprintf(stderr, "so2obj_test: %s: %s\n", what, strerror(errno));
    exit(1);
}

void test_begin(void)
{
    (void)snprintf(test_dir, sizeof test_dir, "/tmp/so2obj-test-XXXXXX");
    if (!mkdtemp(test_dir) || chdir(test_dir) != 0) give_up(test_dir);
}

static void remove_dir(void)
{
    DIR *dir = opendir(".");
    if (!dir) return;
    for (struct dirent *entry = readdir(dir); entry; entry = readdir(dir)) {
        if (entry->d_name[0] != '.') (void)unlink(entry->d_name);
    }
    (void)closedir(dir);
    if (chdir("/") == 0) (void)rmdir(test_dir);
}

int test_end(void)
{
    remove_dir();
    printf("%d passed, %d failed\n", n_passed, n_failed);
    return n_failed ? 1 : 0;
}

void test_check(bool ok, const char *test, const char *what, const Output *output)
{
    if (ok) {
        n_passed++;
        return;
    }
    n_failed++;
    printf("FAILED %s: %s\n", test, what);
    if (output) printf("  exit code %d, output:\n%s\n", output->code, output->text);
}

void test_write(const char *name, const void *data, size_t size)
{
    FILE *f = fopen(name, "wb");
    if (!f) give_up(name);
    if (fwrite(data, 1, size, f) != size || fclose(f) != 0) give_up(name);
}

void test_write_text(const char *name, const char *text)
{
    test_write(name, text, strlen(text));
}

unsigned char *test_read(const char *name, size_t *ret_size)
{
    struct stat st;
    FILE *f = fopen(name, "rb");
    if (!f || fstat(fileno(f), &st) != 0) give_up(name);
    unsigned char *data = malloc((size_t)st.st_size + 1);
    if (!data || fread(data, 1, (size_t)st.st_size, f) != (size_t)st.st_size) give_up(name);
    (void)fclose(f);
    *ret_size = (size_t)st.st_size;
    return data;
}

static void child(char *line, int out)
{
    char *words[WORDS_MAX + 1] = {0};
    size_t n = 0;
    char *rest = NULL;
    for (char *w = strtok_r(line, " ", &rest); w && n < WORDS_MAX; w = strtok_r(NULL, " ", &rest))
        words[n++] = w;
    if (!words[0]) _exit(127);
    if (dup2(out, 1) < 0 || dup2(out, 2) < 0) _exit(126);
    (void)execvp(words[0], words);
    _exit(127);
}

static void read_output(int fd, Output *ret)
{
    size_t len = 0;
    for (;;) {
        char discarded[4096];
        bool is_full = len + 1 >= sizeof ret->text;
        ssize_t n = is_full ? read(fd, discarded, sizeof discarded)
                            : read(fd, ret->text + len, sizeof ret->text - 1 - len);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) break;
        if (!is_full) len += (size_t)n;
    }
    ret->text[len] = 0;
}

void test_run(Output *ret, const char *format, ...)
{
    char line[8192];
    va_list args;
    va_start(args, format);
    int n = vsnprintf(line, sizeof line, format, args);
    va_end(args);
    if (n < 0 || (size_t)n >= sizeof line) give_up("command line too long");
    int fds[2];
    if (pipe2(fds, O_CLOEXEC) != 0) give_up("pipe");
    pid_t pid = fork();
    if (pid < 0) give_up("fork");
    if (pid == 0) child(line, fds[1]);
    (void)close(fds[1]);
    read_output(fds[0], ret);
    (void)close(fds[0]);
    int status = 0;
    while (waitpid(pid, &status, 0) < 0) {
        if (errno != EINTR) give_up("waitpid");
    }
    ret->code = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}
