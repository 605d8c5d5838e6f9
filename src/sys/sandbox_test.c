/* sys/sandbox_test.c -- programs that may not do everything. */
#include "sys/sys.h"

#include "util/path.h"
#include "util/test.h"

#include <poll.h>

typedef struct {
    Arena arena;
    Str top, own, elsewhere;
    u32 n_paths, n_network;
    Str last;
    SysExit exit;
} Case;

static void begin(Case *c)
{
    Str tmp;
    CHECK_INT(sys_mkdtemp(&c->arena, S("/tmp/cob-sandbox-"), &tmp), 0);
    CHECK_INT(sys_realpath(&c->arena, tmp, &c->top), 0);
    c->own = path_join2(&c->arena, c->top, S("own"));
    c->elsewhere = path_join2(&c->arena, c->top, S("elsewhere"));
    CHECK_INT(sys_mkdir(c->own, 0755), 0);
    CHECK_INT(sys_mkdir(c->elsewhere, 0755), 0);
}

static void end(Case *c)
{
    CHECK_INT(sys_remove_tree(c->top), 0);
    arena_deinit(&c->arena);
}

/* Runs a shell script in the sandbox, from `own`.  false: the kernel has none. */
static bool run(Case *c, const char *script, bool has_network)
{
    SysSandbox s = {.writable = &c->own, .n_writable = 1, .has_network = has_network};
    const char *argv[] = {"sh", "-c", script, NULL};
    i32 pid;
    int pidfd, rc = sys_sandbox_open(&c->arena, &s),
               fds[] = {SYS_FD_NULL, SYS_FD_NULL, SYS_FD_NULL};
    if (rc == -ENOSYS) return false;
    CHECK_INT(rc, 0);
    SysSpawn spec = {.file = "sh",
                     .argv = argv,
                     .cwd = c->own.p,
                     .fds = fds,
                     .n_fds = COUNT(fds),
                     .sandbox = &s};
    CHECK_INT(sys_spawn(&spec, &pid, &pidfd), 0);
    c->n_paths = c->n_network = 0;
    for (rc = 0; rc == 0;) {
        struct pollfd polled[] = {{.fd = pidfd, .events = POLLIN},
                                  {.fd = s.reports, .events = POLLIN}};
        SysRefusal refusal;
        CHECK(sys_poll(polled, 2, UINT64_MAX) > 0);
        if (polled[1].revents & POLLIN && sys_sandbox_next(&s, &c->arena, &refusal) == 1) {
            c->n_paths += !refusal.is_network;
            c->n_network += refusal.is_network;
            c->last = refusal.path;
        }
        if (polled[0].revents) rc = sys_child_wait(pidfd, false, &c->exit);
    }
    CHECK_INT(rc, 1);
    sys_close(pidfd);
    sys_sandbox_close(&s);
    return true;
}

TEST(sandbox_lets_write_inside_and_read_everywhere)
{
    Case c = {0};
    begin(&c);
    if (run(&c,
            "mkdir -p a/b && echo x > a/b/c && mv a/b/c d && chmod 600 d && ln -s d e && "
            "ls / > list && cat /etc/passwd > copy && echo > /dev/null && rm -r a",
            false)) {
        CHECK_INT(c.exit.code, 0);
        CHECK_INT(c.n_paths, 0);
    }
    end(&c);
}

TEST(sandbox_refuses_to_write_elsewhere_and_says_what)
{
    Case c = {0};
    begin(&c);
    SysStat st;
    if (run(&c, "echo x > ../elsewhere/file", false)) {
        CHECK(c.exit.code != 0);
        CHECK_INT(c.n_paths, 1);
        CHECK(str_ends(c.last, S("/elsewhere/file")));
        CHECK_INT(sys_lstat(c.last, &st), -ENOENT);
        CHECK(run(&c, "ln -s ../elsewhere out && mkdir out/made", false));
        CHECK(c.exit.code != 0);
        CHECK_INT(c.n_paths, 1);
        CHECK(run(&c, "chmod 700 ../elsewhere", false));
        CHECK(c.exit.code != 0);
        CHECK_INT(c.n_paths, 1);
        CHECK(run(&c, "rm -r ../elsewhere; mv ../elsewhere here; mv out/../own/out ../elsewhere",
                  false));
        CHECK(c.exit.code != 0);
        CHECK_INT(sys_lstat(c.elsewhere, &st), 0);
        CHECK_INT(st.mode & 0777, 0755);
    }
    end(&c);
}

TEST(sandbox_holds_for_programs_started_in_it)
{
    Case c = {0};
    begin(&c);
    if (run(&c, "sh -c 'sh -c \"echo x > ../elsewhere/file\"' ", false)) {
        CHECK(c.exit.code != 0);
        CHECK_INT(c.n_paths, 1);
    }
    end(&c);
}

TEST(sandbox_has_no_network_unless_it_is_given)
{
    Case c = {0};
    begin(&c);
    /* bash opens a socket for it; port 1 answers nobody, which is another error. */
    const char *script = "bash -c 'exec 3<>/dev/tcp/127.0.0.1/1' 2> error; grep -q refused error";
    if (run(&c, script, false)) {
        CHECK(c.exit.code != 0);
        CHECK(c.n_network > 0);
        CHECK(run(&c, script, true));
        CHECK_INT(c.exit.code, 0);
        CHECK_INT(c.n_network, 0);
    }
    end(&c);
}
