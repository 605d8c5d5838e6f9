/* install/pkg_git.c -- packages from repositories: the program git brings them.  The cache keeps a
 * bare copy of each repository and a folder without history for each commit that was wanted.
 *
 * Runs on the pool: it waits for git. */
#include "install/pkg.h"
#include "util/path.h"

#include <string.h>

enum { OUTPUT_MAX = 1 << 20, ARGS_MAX = 16, DIR_MODE = 0755, COMMIT_LEN = 40 };

typedef struct {
    Arena *arena;
    const PkgGit *job;
    Str bare, staging;
    Buf output;
} Git;

/* Ours, and: nothing may ask on the terminal; the index is beside the folder. */
static const char **env_of(Git *g)
{
    static const char *const more[] = {"GIT_TERMINAL_PROMPT=0", "GIT_ASKPASS=true"};
    Str *list;
    u32 n, k = 0;
    sys_env_list(g->arena, &list, &n);
    const char **env = ARENA_ARRAY(g->arena, const char *, n + COUNT(more) + 3);
    bool has_ssh = false;
    for (u32 i = 0; i < n; i++) {
        bool is_dropped = str_starts(list[i], S("GIT_DIR=")) ||
                          str_starts(list[i], S("GIT_WORK_TREE=")) ||
                          str_starts(list[i], S("GIT_INDEX_FILE="));
        has_ssh |= str_starts(list[i], S("GIT_SSH"));
        if (!is_dropped) env[k++] = str_dup_z(g->arena, list[i]);
    }
    for (u32 i = 0; i < COUNT(more); i++) env[k++] = more[i];
    if (!has_ssh) env[k++] = "GIT_SSH_COMMAND=ssh -oBatchMode=yes";
    env[k++] = str_fmt(g->arena, "GIT_INDEX_FILE=%.*s.index", STR_ARG(g->staging)).p;
    return env;
}

/* The exit code of `git` with these arguments, or -errno; what it says is in g->output. */
static int run_git(Git *g, const char *const *args, u32 n_args)
{
    const char *argv[ARGS_MAX + 2] = {"git"};
    int ends[2], pidfd;
    i32 pid;
    SysExit ended;
    ASSERT(n_args <= ARGS_MAX);
    for (u32 i = 0; i < n_args; i++) argv[i + 1] = args[i];
    int rc = sys_pipe(false, ends);
    if (rc < 0) return rc;
    int fds[] = {SYS_FD_NULL, ends[1], ends[1]};
    SysSpawn spec = {
        .file = "git", .argv = argv, .env = env_of(g), .fds = fds, .n_fds = COUNT(fds)};
    rc = sys_spawn(&spec, &pid, &pidfd);
    sys_close(ends[1]);
    buf_clear(&g->output);
    if (rc >= 0) {
        rc = sys_read_all(ends[0], OUTPUT_MAX, &g->output);
        int waited = sys_child_wait(pidfd, true, &ended);
        sys_close(pidfd);
        if (rc >= 0) rc = waited < 0 ? waited : ended.code ? ended.code : ended.signal;
    }
    sys_close(ends[0]);
    return rc;
}

#define RUN(g, ...)                                                                                \
    ({                                                                                             \
        const char *run_args_[] = {__VA_ARGS__};                                                   \
        run_git(g, run_args_, COUNT(run_args_));                                                   \
    })

static bool fail(Git *g, int rc)
{
    Str last = S(""), rest = str_trim(buf_str(&g->output)), line;
    bool is_fatal = false; /* the first of those says most */
    while (!is_fatal && str_next(&rest, '\n', &line)) {
        is_fatal = str_starts(line, S("fatal: "));
        last = is_fatal ? str_skip(line, 7) : line;
    }
    if (rc == -ENOENT) last = S("the program \"git\" is not there");
    (void)buf_push(g->job->ret_error, last.n ? last : S("git failed"));
    return false;
}

/* ---- Steps ----------------------------------------------------------------------------------- */

static bool has_commit(Git *g, Str commit)
{
    return commit.n == COMMIT_LEN &&
           RUN(g, "--git-dir", g->bare.p, "cat-file", "-e",
               str_fmt(g->arena, "%.*s^{commit}", STR_ARG(commit)).p) == 0;
}

/* The copy is there, and as new as it must be. */
static bool bring(Git *g)
{
    SysStat st;
    usize made;
    const char *url = str_dup_z(g->arena, g->job->url);
    if (sys_stat(g->bare, &st) >= 0) {
        if (has_commit(g, g->job->commit)) return true;
        int rc = RUN(g, "--git-dir", g->bare.p, "fetch", "-q", "--prune", "--tags", "--", url,
                     "+refs/heads/*:refs/heads/*");
        return rc == 0 || fail(g, rc);
    }
    int rc = sys_mkdir_all(path_dirname(g->bare), DIR_MODE, &made);
    if (rc < 0) return fail(g, rc);
    rc = RUN(g, "clone", "-q", "--bare", "--", url, g->staging.p);
    if (rc != 0) return fail(g, rc);
    rc = sys_rename(g->staging, g->bare);
    if (rc == -ENOTEMPTY || rc == -EEXIST) rc = sys_remove_tree(g->staging);
    return rc >= 0 || fail(g, rc);
}

/* The greatest tag in a range. */
static Str tag_for(Git *g, Str range_text)
{
    SemverRange range;
    Semver best = {0}, version;
    Str found = {0}, line;
    if (!semver_range_parse(g->arena, range_text, &range)) return found;
    if (RUN(g, "--git-dir", g->bare.p, "tag", "--list") != 0) return found;
    Str rest = str_dup(g->arena, buf_str(&g->output));
    while (str_next(&rest, '\n', &line)) {
        if (!semver_parse(line, &version) || !semver_satisfies(&range, &version)) continue;
        if (found.n && semver_cmp(&best, &version) >= 0) continue;
        found = line;
        best = version;
    }
    return found;
}

static bool find_commit(Git *g, Str *ret)
{
    Str wanted = g->job->commit;
    if (str_starts(wanted, S("semver:"))) {
        wanted = tag_for(g, str_skip(wanted, 7));
        if (!wanted.n) {
            (void)buf_push(g->job->ret_error, S("no tag satisfies it"));
            return false;
        }
    }
    Str name = str_fmt(g->arena, "%.*s^{commit}", STR_ARG(wanted.n ? wanted : S("HEAD")));
    int rc = RUN(g, "--git-dir", g->bare.p, "rev-parse", "-q", "--verify", name.p);
    Str text = str_trim(buf_str(&g->output));
    if (rc != 0 || text.n != COMMIT_LEN) {
        (void)buf_push(g->job->ret_error, str_fmt(g->arena, "it has no \"%.*s\"", STR_ARG(wanted)));
        return false;
    }
    *ret = str_z(str_dup_z(g->arena, text));
    return true;
}

static bool check_out(Git *g, Str commit, Str dir)
{
    usize made;
    SysStat st;
    if (sys_stat(dir, &st) >= 0) return true;
    int rc = sys_mkdir_all(g->staging, DIR_MODE, &made);
    if (rc >= 0)
        rc = RUN(g, "--git-dir", g->bare.p, "--work-tree", g->staging.p, "checkout", "-q", "-f",
                 commit.p, "--", ".");
    sys_unlink(str_fmt(g->arena, "%.*s.index", STR_ARG(g->staging)));
    if (rc != 0) return fail(g, rc);
    rc = sys_mkdir_all(path_dirname(dir), DIR_MODE, &made);
    if (rc >= 0) rc = sys_rename(g->staging, dir);
    if (rc == -ENOTEMPTY || rc == -EEXIST) rc = sys_remove_tree(g->staging);
    return rc >= 0 || fail(g, rc);
}

Str pkg_git_dir(Arena *a, Str cache_dir, Str commit)
{
    return str_fmt(a, "%.*s/.git-trees/%.*s", STR_ARG(cache_dir), STR_ARG(commit));
}

bool pkg_git_bring(const PkgGit *job)
{
    Arena arena = {0};
    Git g = {.arena = &arena, .job = job};
    Str commit;
    g.bare = str_fmt(&arena, "%.*s/.git-repositories/%016llx.git", STR_ARG(job->cache_dir),
                     (unsigned long long)str_hash(job->url));
    g.staging = str_z(str_dup_z(&arena, job->staging));
    bool ok = bring(&g) && find_commit(&g, &commit) &&
              check_out(&g, commit, pkg_git_dir(&arena, job->cache_dir, commit));
    if (ok) (void)buf_push(job->ret_commit, commit);
    if (!ok) (void)!sys_remove_tree(g.staging);
    Buf_deinit(&g.output);
    arena_deinit(&arena);
    return ok;
}
