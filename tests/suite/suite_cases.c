/* tests/suite/suite_cases.c -- the command-line cases: one folder each, see tests/README.md.
 *
 * A case runs in a copy of its folder below TMPDIR.  Its `cmd` is a script of sh; what it prints is
 * compared with `out` and `err` (absent: nothing may be printed), its exit code with `code`
 * (absent: 0).  The names of the copy and of the program are replaced by $DIR and $COB before that.
 */
#include "suite.h"

#include "sys/sys.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SHOWN_MAX = 60, N_ENV_MAX = 64 };

static struct {
    Arena arena;
    const char *cob, *tmp, *self;
    bool is_update;
    u32 passed, failed, skipped;
} cli;

typedef struct {
    Str folder; /* of the case, absolute */
    Str work;   /* where the copy is: work/dir; the output files are beside it */
} Case;

/* Copies the inputs without what belongs to the runner, then runs `cmd` with its standard input. */
static const char script[] =
    "case_dir=$1; cp -R \"$case_dir/.\" . && rm -f cmd out err code when stdin || exit 126\n"
    "if [ -f \"$case_dir/when\" ] && ! sh \"$case_dir/when\" >/dev/null 2>&1; then\n"
    "  echo >../skipped; exit 0\n"
    "fi\n"
    "if [ -f \"$case_dir/stdin\" ]; then exec <\"$case_dir/stdin\"; fi\n"
    "exec sh \"$case_dir/cmd\"\n";

static bool is_passed_on(const char *entry)
{
    static const char *const names[] = {"PATH=",
                                        "COB_IO=",
                                        "COB_GC_STRESS=",
                                        "COB_NO_FAST_NATIVES=",
                                        "COB_VARIANT=",
                                        "ASAN_OPTIONS=",
                                        "LSAN_OPTIONS=",
                                        "UBSAN_OPTIONS=",
                                        NULL};
    for (u32 i = 0; names[i]; i++)
        if (!strncmp(entry, names[i], strlen(names[i]))) return true;
    return false;
}

/* A small environment, the same on every machine. */
static const char *const *make_env(Str dir)
{
    const char **env = ARENA_ARRAY(&cli.arena, const char *, N_ENV_MAX);
    Arena *a = &cli.arena;
    u32 n = 0;
    env[n++] = str_fmt(a, "COB=%s", cli.cob).p;
    env[n++] = str_fmt(a, "PTY=%s pty", cli.self).p;
    env[n++] = str_fmt(a, "HOME=%.*s", STR_ARG(dir)).p;
    env[n++] = str_fmt(a, "TMPDIR=%.*s", STR_ARG(dir)).p;
    env[n++] = "LC_ALL=C.UTF-8";
    env[n++] = "TERM=xterm-256color";
    env[n++] = "TZ=UTC";
    for (char **e = environ; *e && n < N_ENV_MAX - 1; e++)
        if (is_passed_on(*e)) env[n++] = *e;
    return env;
}

static void prepare(Job *job, const char *folder, Str name)
{
    Arena *a = &cli.arena;
    Case *c = ARENA_NEW(a, Case);
    c->folder = str_fmt(a, "%s/%.*s", folder, STR_ARG(name));
    c->work = str_fmt(a, "%s/%.*s", cli.tmp, STR_ARG(name));
    Str dir = str_fmt(a, "%.*s/dir", STR_ARG(c->work));
    if (sys_mkdir_all(dir, 0755, NULL) < 0) BUG("mkdir");
    const char **argv = ARENA_ARRAY(a, const char *, 6);
    argv[0] = "/bin/sh";
    argv[1] = "-c";
    argv[2] = script;
    argv[3] = "sh";
    argv[4] = c->folder.p;
    *job = (Job){.name = name, .argv = argv, .env = make_env(dir), .dir = dir.p, .in = "/dev/null"};
    job->out = str_fmt(a, "%.*s/out", STR_ARG(c->work)).p;
    job->err = str_fmt(a, "%.*s/err", STR_ARG(c->work)).p;
    job->data = c;
}

static Str replace(Arena *a, Str text, Str what, Str with)
{
    AUTO(Buf) buf = {0};
    for (i64 at; what.n && (at = str_find_str(text, what)) >= 0;) {
        (void)buf_push(&buf, str_slice(text, 0, (usize)at));
        (void)buf_push(&buf, with);
        text = str_skip(text, (usize)at + what.n);
    }
    (void)buf_push(&buf, text);
    return str_dup(a, buf_str(&buf));
}

/* What the job wrote to `file`, the same wherever it ran. */
static Str read_output(Arena *a, const Job *job, const char *file)
{
    Str text = {0};
    if (sys_read_file(a, str_z(file), SUITE_OUTPUT_MAX, &text) < 0) return S("(unreadable)");
    text = replace(a, text, str_z(job->dir), S("$DIR"));
    return replace(a, text, str_z(cli.cob), S("$COB"));
}

static Str read_expected(Arena *a, const Case *c, const char *file)
{
    Str text = {0};
    (void)!sys_read_file(a, str_fmt(a, "%.*s/%s", STR_ARG(c->folder), file), SUITE_OUTPUT_MAX,
                         &text);
    return text;
}

static void show(const char *what, Str text)
{
    (void)printf("  -- %s:\n", what);
    Str line;
    u32 n = 0;
    if (!text.n) return;
    while (str_next(&text, '\n', &line) && n++ < SHOWN_MAX)
        if (line.n || text.n) (void)printf("  | %.*s\n", STR_ARG(line));
    if (n > SHOWN_MAX) (void)printf("  | ...\n");
}

static bool check_output(Arena *a, const Job *job, const char *which, Str got, bool was_good)
{
    u32 line;
    Str want = read_expected(a, job->data, which);
    if (match_text(want, got, &line)) return true;
    if (was_good) (void)printf("FAIL %.*s\n", STR_ARG(job->name));
    (void)printf("  %s differs from line %u on\n", which, line);
    show("expected", want);
    show("printed", got);
    return false;
}

static void write_expected(const Case *c, const char *file, Str text)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    Str path = str_fmt(s.arena, "%.*s/%s", STR_ARG(c->folder), file);
    u32 line;
    if (match_text(read_expected(s.arena, c, file), text, &line)) return;
    int rc = text.n ? sys_write_file(path, text, 0644) : sys_unlink(path);
    if (rc < 0) (void)printf("cannot write %.*s\n", STR_ARG(path));
}

static void update(const Job *job, Str out, Str err)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    write_expected(job->data, "out", out);
    write_expected(job->data, "err", err);
    Str code = job->code ? str_fmt(s.arena, "%d\n", job->code) : (Str){0};
    write_expected(job->data, "code", code);
}

static void on_done(Job *job)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    Arena *a = s.arena;
    const Case *c = job->data;
    Str skipped = str_fmt(a, "%.*s/skipped", STR_ARG(c->work));
    if (sys_access(skipped, F_OK) == 0) {
        cli.skipped++;
        return;
    }
    Str out = read_output(a, job, job->out), err = read_output(a, job, job->err);
    if (cli.is_update) update(job, out, err);
    bool ok = !job->has_timed_out;
    if (!ok) (void)printf("FAIL %.*s\n  took too long\n", STR_ARG(job->name));
    ok &= check_output(a, job, "err", err, ok);
    ok &= check_output(a, job, "out", out, ok);
    u64 code = 0;
    (void)str_to_u64(str_trim(read_expected(a, c, "code")), &code);
    if ((int)code != job->code) {
        if (ok) (void)printf("FAIL %.*s\n", STR_ARG(job->name));
        (void)printf("  exit code %d, expected %d\n", job->code, (int)code);
        ok = false;
    }
    if (ok)
        cli.passed++;
    else
        cli.failed++;
}

static bool is_wanted(Str name, int n, char **patterns)
{
    for (int i = 0; i < n; i++)
        if (str_find_str(name, str_z(patterns[i])) >= 0) return true;
    return n == 0;
}

static int compare(const void *a, const void *b)
{
    return str_cmp(((const Job *)a)->name, ((const Job *)b)->name);
}

static Job *find_cases(const char *folder, int n, char **patterns, u32 *ret_len)
{
    Job *jobs = NULL;
    u32 len = 0, cap = 0;
    SysDir d;
    SysDirEntry entry;
    if (sys_dir_open(str_z(folder), &d) < 0) return NULL;
    while (sys_dir_next(&d, &entry) == 1) {
        Str cmd = str_fmt(&cli.arena, "%s/%.*s/cmd", folder, STR_ARG(entry.name));
        if (sys_access(cmd, R_OK) < 0 || !is_wanted(entry.name, n, patterns)) continue;
        if (len == cap) {
            cap = cap ? cap * 2 : 64;
            jobs = realloc(jobs, cap * sizeof(*jobs));
            if (!jobs) BUG("memory");
        }
        prepare(&jobs[len++], folder, str_dup(&cli.arena, entry.name));
    }
    sys_dir_close(&d);
    if (len) qsort(jobs, len, sizeof(*jobs), compare);
    *ret_len = len;
    return jobs;
}

int suite_cli(int argc, char **argv)
{
    cli.is_update = argc > 0 && !strcmp(argv[0], "--update");
    if (cli.is_update) argc--, argv++;
    if (argc < 2) {
        (void)fprintf(stderr, "usage: suite cli [--update] COB FOLDER [substring...]\n");
        return 2;
    }
    Arena *a = &cli.arena;
    Str cob = {0}, folder = {0}, self = {0}, tmp = {0};
    int rc = sys_realpath(a, str_z(argv[0]), &cob);
    if (rc == 0) rc = sys_realpath(a, str_z(argv[1]), &folder);
    if (rc == 0) rc = sys_exe_path(a, &self);
    if (rc == 0) rc = sys_mkdtemp(a, S("/tmp/cob-cli-"), &tmp);
    if (rc == 0) rc = sys_chmod(tmp, 0755); /* some cases run as another user */
    if (rc < 0) {
        (void)printf("suite cli: %s\n0 passed, 1 failed\n", strerror(-rc));
        return 1;
    }
    cli.cob = str_dup_z(a, cob);
    cli.self = str_dup_z(a, self);
    cli.tmp = str_dup_z(a, tmp);
    u32 n = 0;
    Job *jobs = find_cases(str_dup_z(a, folder), argc - 2, argv + 2, &n);
    pool_run(jobs, n, env_number("COB_TEST_TIMEOUT", SUITE_TIMEOUT_S), on_done);
    free(jobs);
    (void)!sys_remove_tree(tmp);
    if (cli.skipped) (void)printf("%u skipped\n", cli.skipped);
    (void)printf("%u passed, %u failed\n", cli.passed, cli.failed);
    return cli.failed ? 1 : 0;
}
