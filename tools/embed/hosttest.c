/* tools/embed/hosttest.c -- for tests of host programs: a folder of their own, files, commands. */
#include "embed/hosttest.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static char *folder;
static size_t n_passed, n_failed;

void hosttest_begin(void)
{
    const char *tmp = getenv("TMPDIR");
    folder = host_format("%s/hosttest.XXXXXX", tmp && *tmp ? tmp : "/tmp");
    if (!mkdtemp(folder)) host_die("cannot make %s", folder);
}

const char *hosttest_path(const char *path)
{
    return host_format("%s/%s", folder, path);
}

void hosttest_file(const char *path, const char *content)
{
    Text text = {0};
    text_str(&text, content);
    host_write(hosttest_path(path), &text);
    free(text.p);
}

void hosttest_remove(const char *path)
{
    (void)unlink(hosttest_path(path));
}

int hosttest_run(const char *command, Text *ret)
{
    char *shell = host_format("cd '%s' && exec 2>&1 && %s", folder, command);
    FILE *pipe = popen(shell, "re");
    if (!pipe) host_die("cannot run: %s", command);
    char block[4096];
    size_t n;
    text_put(ret, "", 0);
    while ((n = fread(block, 1, sizeof block, pipe)) > 0) text_put(ret, block, n);
    int status = pclose(pipe);
    free(shell);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

bool hosttest_check(bool ok, const char *what)
{
    if (ok) {
        n_passed++;
    } else {
        n_failed++;
        (void)printf("failed: %s\n", what);
    }
    return ok;
}

bool hosttest_has(const Text *text, const char *part)
{
    if (hosttest_check(text->p && strstr(text->p, part), part)) return true;
    (void)printf("  ... is not in:\n%s\n", text->p ? text->p : "");
    return false;
}

bool hosttest_lacks(const Text *text, const char *part)
{
    if (hosttest_check(!text->p || !strstr(text->p, part), part)) return true;
    (void)printf("  ... should not be in:\n%s\n", text->p);
    return false;
}

int hosttest_end(void)
{
    Text text = {0};
    char *command = host_format("rm -rf '%s'", folder);
    (void)hosttest_run(command, &text);
    (void)printf("%zu passed, %zu failed\n", n_passed, n_failed);
    return n_failed ? 1 : 0;
}
