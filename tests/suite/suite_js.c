/* tests/suite/suite_js.c -- test files of JavaScript, each in a process of its own.
 *
 * COB --expose-internals -r PRELUDE FILE prints the failures, "N passed, N failed" and exits with 0
 * or
 * 1.  A file that does not get that far counts as one failure and is shown as it is. */
#include "suite.h"

#include "sys/sys.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct {
    Arena arena;
    u64 passed, failed;
} js;

/* The last line says "N passed, N failed". */
static bool read_counts(Str text, u64 *ret_passed, u64 *ret_failed)
{
    text = str_trim(text);
    Str line = str_skip(text, (usize)(str_rfind(text, '\n') + 1)), passed, failed, word;
    return str_cut(line, ' ', &passed, &line) && str_to_u64(passed, ret_passed) &&
           str_cut(line, ' ', &word, &line) && str_eq(word, S("passed,")) &&
           str_cut(line, ' ', &failed, &line) && str_to_u64(failed, ret_failed) &&
           str_eq(line, S("failed"));
}

static Str without_last_line(Str text)
{
    text = str_trim(text);
    return str_slice(text, 0, (usize)(str_rfind(text, '\n') + 1));
}

static void on_done(Job *job)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    Str out = {0}, err = {0};
    (void)!sys_read_file(s.arena, str_z(job->out), SUITE_OUTPUT_MAX, &out);
    (void)!sys_read_file(s.arena, str_z(job->err), SUITE_OUTPUT_MAX, &err);
    u64 passed = 0, failed = 0;
    bool has_counts = read_counts(out, &passed, &failed);
    bool has_ended = has_counts && !job->has_timed_out && job->code == (failed ? 1 : 0);
    js.passed += passed;
    js.failed += failed + (has_ended ? 0 : 1);
    if (has_ended && !failed) return;
    (void)printf("FAIL %.*s\n", STR_ARG(job->name));
    if (!has_ended && job->has_timed_out)
        (void)printf("took too long\n");
    else if (!has_ended)
        (void)printf("ended early, exit code %d\n", job->code);
    if (has_counts) out = without_last_line(out);
    (void)printf("%.*s%.*s", STR_ARG(out), STR_ARG(err));
}

static void prepare(Job *job, char **argv, u32 idx, const char *tmp)
{
    Arena *a = &js.arena;
    const char **args = ARENA_ARRAY(a, const char *, 6);
    args[0] = argv[0];
    args[1] = "--expose-internals";
    args[2] = "-r";
    args[3] = argv[1];
    args[4] = argv[idx];
    *job = (Job){.name = str_z(argv[idx]), .argv = args, .dir = ".", .in = "/dev/null"};
    job->env = (const char *const *)environ;
    job->out = str_fmt(a, "%s/%u.out", tmp, idx).p;
    job->err = str_fmt(a, "%s/%u.err", tmp, idx).p;
}

int suite_js(int argc, char **argv)
{
    if (argc < 2) {
        (void)fprintf(stderr, "usage: suite js COB PRELUDE FILE...\n");
        return 2;
    }
    Str tmp = {0}, cob = {0}, prelude = {0};
    int rc = sys_mkdtemp(&js.arena, S("/tmp/cob-js-"), &tmp);
    if (rc == 0) rc = sys_realpath(&js.arena, str_z(argv[0]), &cob);
    if (rc == 0) rc = sys_realpath(&js.arena, str_z(argv[1]), &prelude);
    if (rc < 0) {
        (void)printf("suite js: %s\n0 passed, 1 failed\n", strerror(-rc));
        return 1;
    }
    argv[0] = str_dup_z(&js.arena, cob);
    argv[1] = str_dup_z(&js.arena, prelude);
    u32 n = (u32)argc - 2;
    Job *jobs = ARENA_ARRAY(&js.arena, Job, n + 1);
    for (u32 i = 0; i < n; i++) prepare(&jobs[i], argv, i + 2, str_dup_z(&js.arena, tmp));
    pool_run(jobs, n, env_number("COB_TEST_TIMEOUT", SUITE_TIMEOUT_S), on_done);
    (void)!sys_remove_tree(tmp);
    (void)printf("%llu passed, %llu failed\n", (unsigned long long)js.passed,
                 (unsigned long long)js.failed);
    return js.failed ? 1 : 0;
}
