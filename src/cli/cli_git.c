/* cli/cli_git.c -- the program git, for what only it can do. */
#include "cli/pm.h"

enum { OUTPUT_MAX = 256 << 20, WORDS_MAX = 16 };

int cli_git(Arena *a, Str dir, const char *const *words, Buf *ret)
{
    const char *argv[WORDS_MAX + 2] = {"git"};
    for (u32 i = 0; words[i] && i < WORDS_MAX; i++) argv[i + 1] = words[i];
    int pipe[2], pidfd = -1;
    i32 pid;
    SysExit end = {0};
    int rc = sys_pipe(false, pipe);
    if (rc < 0) return rc;
    int fds[] = {SYS_FD_NULL, pipe[1], pipe[1]};
    SysSpawn spec = {
        .file = "git", .argv = argv, .cwd = str_dup_z(a, dir), .fds = fds, .n_fds = COUNT(fds)};
    rc = sys_spawn(&spec, &pid, &pidfd);
    (void)sys_close(pipe[1]);
    if (rc >= 0) rc = sys_read_all(pipe[0], OUTPUT_MAX, ret);
    /* Before the wait: then it ends, however much it has left to say. */
    (void)sys_close(pipe[0]);
    if (pidfd < 0) return rc;
    int waited = sys_child_wait(pidfd, true, &end);
    (void)sys_close(pidfd);
    return rc < 0 ? rc : waited < 0 ? waited : end.signal ? -EINTR : end.code;
}
