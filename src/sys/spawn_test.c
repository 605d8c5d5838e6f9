/* sys/spawn_test.c -- starting programs. */
#include "sys/sys.h"

#include "util/test.h"

#include <sys/wait.h>
#include <unistd.h>

static int run_to_end(const SysSpawn *s, SysExit *ret)
{
    i32 pid;
    int pidfd;
    int rc = sys_spawn(s, &pid, &pidfd);
    if (rc < 0) return rc;
    rc = sys_child_wait(pidfd, true, ret);
    sys_close(pidfd);
    return rc;
}

/* Runs a shell command with its output in a pipe. */
static int shell(const char *script, Buf *out, SysExit *ret)
{
    int fds[2];
    int rc = sys_pipe(false, fds);
    if (rc < 0) return rc;
    const char *argv[] = {"sh", "-c", script, NULL};
    SysSpawn s = {.file = "sh", .argv = argv, .fds = (int[]){SYS_FD_NULL, fds[1], 2}, .n_fds = 3};
    i32 pid;
    int pidfd;
    rc = sys_spawn(&s, &pid, &pidfd);
    sys_close(fds[1]);
    if (rc == 0) {
        rc = sys_read_all(fds[0], 1 << 20, out);
        if (rc == 0) rc = sys_child_wait(pidfd, true, ret);
        sys_close(pidfd);
    }
    sys_close(fds[0]);
    return rc;
}

TEST(spawn_returns_the_exit_code_and_output)
{
    AUTO(Buf) out = {0};
    SysExit e = {0};
    CHECK_INT(shell("echo out; exit 3", &out, &e), 1);
    CHECK_STR(buf_str(&out), "out\n");
    CHECK_INT(e.code, 3);
    CHECK_INT(e.signal, 0);
    CHECK(e.usage.max_rss_kb > 0);
}

TEST(spawn_reports_the_signal_that_ended_the_child)
{
    AUTO(Buf) out = {0};
    SysExit e = {0};
    CHECK_INT(shell("kill -TERM $$", &out, &e), 1);
    CHECK_INT(e.signal, SIGTERM);
    CHECK_INT(e.code, 0);
}

TEST(spawn_gives_the_errors_of_exec_and_chdir_to_the_parent)
{
    const char *argv[] = {"x", NULL};
    SysExit e = {0};
    SysSpawn s = {.file = "no-such-program-here", .argv = argv};
    CHECK_INT(run_to_end(&s, &e), -ENOENT);
    s.file = "/etc/passwd";
    CHECK_INT(run_to_end(&s, &e), -EACCES);
    s.file = "/bin/true";
    s.cwd = "/no/such/dir";
    CHECK_INT(run_to_end(&s, &e), -ENOENT);
    s.cwd = NULL;
    s.file = "";
    CHECK_INT(run_to_end(&s, &e), -ENOENT);
    /* None of these left a zombie. */
    CHECK_INT(waitpid(-1, NULL, WNOHANG), -1);
    CHECK_INT(errno, ECHILD);
}

TEST(spawn_searches_the_path_of_the_childs_environment)
{
    const char *argv[] = {"true", NULL};
    const char *env_bad[] = {"PATH=/nowhere", NULL};
    const char *env_good[] = {"PATH=/nowhere::/usr/bin:/bin", NULL};
    SysExit e = {0};
    SysSpawn s = {.file = "true", .argv = argv, .env = env_bad};
    CHECK_INT(run_to_end(&s, &e), -ENOENT);
    s.env = env_good;
    CHECK_INT(run_to_end(&s, &e), 1);
    CHECK_INT(e.code, 0);
}

TEST(spawn_maps_any_number_of_descriptors)
{
    int a[2], b[2];
    REQUIRE(sys_pipe(false, a) == 0);
    REQUIRE(sys_pipe(false, b) == 0);
    /* Crossed on purpose: the child's 3 and 4 are our descriptors in the opposite order. */
    int fds[6] = {SYS_FD_NULL, 1, 2, b[1], a[1], SYS_FD_CLOSED};
    const char *argv[] = {
        "sh", "-c", "echo three >&3; echo four >&4; (: >&5) 2>/dev/null || echo closed >&4", NULL};
    SysExit e = {0};
    SysSpawn s = {.file = "/bin/sh", .argv = argv, .fds = fds, .n_fds = COUNT(fds)};
    CHECK_INT(run_to_end(&s, &e), 1);
    sys_close(a[1]);
    sys_close(b[1]);
    AUTO(Buf) from_a = {0};
    AUTO(Buf) from_b = {0};
    CHECK_INT(sys_read_all(a[0], 100, &from_a), 0);
    CHECK_INT(sys_read_all(b[0], 100, &from_b), 0);
    CHECK_STR(buf_str(&from_a), "four\nclosed\n");
    CHECK_STR(buf_str(&from_b), "three\n");
}

TEST(spawn_leaks_no_other_descriptor)
{
    int fd = dup(1); /* without close-on-exec */
    REQUIRE(fd > 2);
    AUTO(Buf) out = {0};
    SysExit e = {0};
    CHECK_INT(
        shell("for f in /proc/self/fd/*; do [ ${f##*/} -gt 2 ] && [ -e $f ] && echo $f; done; true",
              &out, &e),
        1);
    CHECK_INT(out.len, 0);
}

TEST(spawn_resets_signals_and_mask)
{
    CHECK_INT(sys_signal_ignore(SIGPIPE), 0);
    sigset_t all;
    (void)sigfillset(&all);
    (void)pthread_sigmask(SIG_BLOCK, &all, NULL);
    AUTO(Buf) out = {0};
    SysExit e = {0};
    CHECK_INT(shell("grep -E 'SigBlk|SigIgn' /proc/self/status", &out, &e), 1);
    CHECK(str_find_str(buf_str(&out), S("SigBlk:\t0000000000000000")) >= 0);
    CHECK(str_find_str(buf_str(&out), S("SigIgn:\t0000000000000000")) >= 0);
}

TEST(spawn_runs_a_script_without_interpreter_line)
{
    Arena a = {0};
    Str dir;
    REQUIRE(sys_mkdtemp(&a, S("/tmp/cob-test-"), &dir) == 0);
    Str path = str_concat(&a, dir, S("/script"));
    CHECK_INT(sys_write_file(path, S("exit $1\n"), 0755), 0);
    const char *argv[] = {"script", "7", NULL};
    SysExit e = {0};
    SysSpawn s = {.file = str_dup_z(&a, path), .argv = argv};
    CHECK_INT(run_to_end(&s, &e), 1);
    CHECK_INT(e.code, 7);
    CHECK_INT(sys_remove_tree(dir), 0);
    arena_deinit(&a);
}

TEST(spawn_detached_starts_a_session)
{
    const char *argv[] = {"sleep", "100", NULL};
    SysSpawn s = {.file = "sleep", .argv = argv, .flags = SYS_SPAWN_DETACHED};
    i32 pid;
    int pidfd;
    SysExit e = {0};
    REQUIRE(sys_spawn(&s, &pid, &pidfd) == 0);
    CHECK_INT(getsid(pid), pid);
    CHECK_INT(sys_child_wait(pidfd, false, &e), 0);
    CHECK_INT(sys_pidfd_kill(pidfd, SIGKILL), 0);
    CHECK_INT(sys_child_wait(pidfd, true, &e), 1);
    CHECK_INT(e.signal, SIGKILL);
    CHECK_INT(sys_kill(pid, 0), -ESRCH);
    sys_close(pidfd);
}

TEST(spawn_can_become_another_user)
{
    if (sys_uid() != 0) return;
    int fds[2];
    REQUIRE(sys_pipe(false, fds) == 0);
    const char *argv[] = {"sh", "-c", "id -u; id -g", NULL};
    SysSpawn s = {.file = "sh",
                  .argv = argv,
                  .fds = (int[]){SYS_FD_NULL, fds[1], 2},
                  .n_fds = 3,
                  .flags = SYS_SPAWN_UID | SYS_SPAWN_GID,
                  .uid = 65534,
                  .gid = 65534};
    SysExit e = {0};
    CHECK_INT(run_to_end(&s, &e), 1);
    sys_close(fds[1]);
    AUTO(Buf) out = {0};
    CHECK_INT(sys_read_all(fds[0], 100, &out), 0);
    CHECK_STR(buf_str(&out), "65534\n65534\n");
    CHECK_INT(sys_uid(), 0);
}
