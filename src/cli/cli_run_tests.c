/* cli/cli_run_tests.c -- `cob test`: its flags, the [test] section of bunfig.toml, and which files
 * run.
 */
#include "cli/run.h"
#include "runner/runner.h"
#include "util/err.h"
#include "util/path.h"
#include "util/toml.h"

#include <stdio.h>
#include <string.h>

enum { CONFIG_MAX = 16 * 1024 * 1024, UNSET = UINT32_MAX };

typedef struct {
    RunOptions run;
    Str name_pattern, reporter, outfile, shard, bail, root, coverage_dir, parallel, worker, changed;
    CliList timings, ignored, coverage_reporters, coverage_ignored;
    f64 min_lines, min_functions; /* of coverage, 0 to 1; below 0: not asked for */
    u32 timeout, rerun_each, retry, seed, max_concurrency, parallel_delay;
    u32 n_workers;
    u64 shard_i, shard_n; /* with timings: the runner takes its part */
    bool update_snapshots, todo, only, pass_with_no_tests, concurrent, randomize, only_failures,
        dots, ci, no_isolate, coverage, covers_tests, update_timings;
} TestOptions;

#define TEST_FLAG(name, letter, kind, field, value, help)                                          \
    CLI_FLAG(name, letter, kind, TestOptions, field, value, help)

static const CliFlag flags[] = {
    TEST_FLAG("timeout", 0, CLI_U32, timeout, "ms", "Time a test may take (5000; 0 = no limit)"),
    TEST_FLAG("update-snapshots", 'u', CLI_BOOL, update_snapshots, NULL, "Write snapshots anew"),
    TEST_FLAG("ci", 0, CLI_BOOL, ci, NULL, "Write no new snapshots, as with CI=true"),
    TEST_FLAG("rerun-each", 0, CLI_U32, rerun_each, "n", "Run each file n times"),
    TEST_FLAG("retry", 0, CLI_U32, retry, "n", "Try failing tests again, up to n times"),
    TEST_FLAG("todo", 0, CLI_BOOL, todo, NULL, "Run tests that are marked with test.todo()"),
    TEST_FLAG("only", 0, CLI_BOOL, only, NULL, "Run only what is marked with only"),
    TEST_FLAG("pass-with-no-tests", 0, CLI_BOOL, pass_with_no_tests, NULL,
              "Exit with 0 when there are no tests"),
    TEST_FLAG("concurrent", 0, CLI_BOOL, concurrent, NULL, "All tests are test.concurrent()"),
    TEST_FLAG("randomize", 0, CLI_BOOL, randomize, NULL, "Run tests in random order"),
    TEST_FLAG("seed", 0, CLI_U32, seed, "n", "The order of --randomize"),
    TEST_FLAG("bail", 0, CLI_STR_MAYBE, bail, "n", "Stop after n failures (1)"),
    TEST_FLAG("test-name-pattern", 't', CLI_STR, name_pattern, "regex",
              "Run only tests whose full name matches"),
    TEST_FLAG("reporter", 0, CLI_STR, reporter, "name",
              "dots, junit (with --reporter-outfile), tap or json"),
    TEST_FLAG("reporter-outfile", 0, CLI_STR, outfile, "file", "Where the reporter writes"),
    TEST_FLAG("dots", 0, CLI_BOOL, dots, NULL, "Same as --reporter=dots"),
    TEST_FLAG("only-failures", 0, CLI_BOOL, only_failures, NULL, "Show no tests that pass"),
    TEST_FLAG("max-concurrency", 0, CLI_U32, max_concurrency, "n",
              "How many concurrent tests run at once (20)"),
    TEST_FLAG("path-ignore-patterns", 0, CLI_LIST, ignored, "glob", "Files to leave out"),
    TEST_FLAG("shard", 0, CLI_STR, shard, "i/n", "Run the i-th of n parts of the files"),
    TEST_FLAG("no-isolate", 0, CLI_BOOL_NO, no_isolate, NULL, "Files share their modules"),
    CLI_NO_FIELD("isolate", 0, CLI_IGNORED, NULL, "Modules are loaded anew for each file (always)"),
    TEST_FLAG("watch", 0, CLI_BOOL, run.watch, NULL, "Run again whenever a file changes"),
    TEST_FLAG("no-clear-screen", 0, CLI_BOOL_NO, run.no_clear_screen, NULL,
              "Leave the terminal as it is when running again"),
    TEST_FLAG("preload", 'r', CLI_LIST, run.preload, "file", "Load a module before the tests"),
    TEST_FLAG("require", 0, CLI_LIST, run.preload, "file", "Same as --preload"),
    TEST_FLAG("import", 0, CLI_LIST, run.preload, "file", "Same as --preload"),
    CLI_NO_FIELD("cwd", 0, CLI_CWD, "dir", "Change to this folder first"),
    TEST_FLAG("config", 'c', CLI_STR_MAYBE, run.config, "file", "Read this, not bunfig.toml"),
    TEST_FLAG("env-file", 0, CLI_LIST, run.env_files, "file", "Read variables from this file"),
    TEST_FLAG("no-env-file", 0, CLI_BOOL_NO, run.no_env_file, NULL, "Do not read .env files"),
    TEST_FLAG("define", 'd', CLI_LIST, run.define, "K:V", "Replace a global name by a value"),
    TEST_FLAG("loader", 'l', CLI_LIST, run.loader, ".ext:name", "What files with an ending are"),
    TEST_FLAG("conditions", 0, CLI_LIST, run.conditions, "name", "One more condition of exports"),
    TEST_FLAG("tsconfig-override", 0, CLI_STR, run.tsconfig, "file", "Use this tsconfig.json"),
    TEST_FLAG("smol", 0, CLI_BOOL, run.smol, NULL, "Use less memory, collect more often"),
    TEST_FLAG("expose-gc", 0, CLI_BOOL, run.expose_gc, NULL, "Define the global gc()"),
    TEST_FLAG("expose-internals", 0, CLI_BOOL, run.expose_internals, NULL, NULL),
    RUN_IGNORED("silent"),
    RUN_IGNORED("no-install"),
    RUN_IGNORED("prefer-offline"),
    RUN_IGNORED("enable-source-maps"),
    TEST_FLAG("coverage", 0, CLI_BOOL, coverage, NULL, "Show which lines and functions have run"),
    TEST_FLAG("coverage-reporter", 0, CLI_LIST, coverage_reporters, "name",
              "text (the default) or lcov; may be repeated"),
    TEST_FLAG("coverage-dir", 0, CLI_STR, coverage_dir, "dir", "Where lcov.info goes (coverage)"),
    TEST_FLAG("changed", 0, CLI_STR_MAYBE, changed, "ref",
              "Run files that changes concern, since the last commit or another"),
    TEST_FLAG("parallel", 0, CLI_STR_MAYBE, parallel, "n",
              "Run files in n processes (the number of processors)"),
    TEST_FLAG("parallel-delay", 0, CLI_U32, parallel_delay, "ms",
              "How long the first is busy before the others start (5)"),
    TEST_FLAG("test-worker", 0, CLI_STR, worker, "id", NULL),
    TEST_FLAG("timings", 0, CLI_LIST, timings, "file",
              "How long files took: balances --shard and --parallel"),
    TEST_FLAG("update-timings", 0, CLI_BOOL, update_timings, NULL,
              "Write what was measured to the first file of --timings"),
    RUN_LATER("hot"),
};

/* ---- [test] -----------------------------------------------------------------------------------
 */

static void take_list(Arena *a, const TomlNode *n, CliList *ret)
{
    bool is_array = n && n->kind == TOML_ARRAY;
    for (u32 i = 0; n && i < (is_array ? n->len : 1); i++) {
        const TomlNode *item = is_array ? n->items[i] : n;
        if (item->kind == TOML_STRING) vec_push(a, ret, item->str);
    }
}

static void take_u32(const TomlNode *n, u32 *ret)
{
    bool is_number = n && n->kind == TOML_INTEGER && n->integer >= 0 && n->integer < UNSET;
    if (is_number && *ret == UNSET) *ret = (u32)n->integer;
}

static void take_true(const TomlNode *n, bool *ret)
{
    if (n && n->kind == TOML_BOOLEAN && n->boolean) *ret = true;
}

static void take_part(const TomlNode *n, f64 *ret)
{
    if (n && n->kind == TOML_FLOAT) *ret = n->number;
    if (n && n->kind == TOML_INTEGER) *ret = (f64)n->integer;
}

/* coverageThreshold: one number, or a table, where what is left out is 0.9. */
static void take_threshold(const TomlNode *n, TestOptions *o)
{
    if (!n) return;
    bool is_table = n->kind == TOML_TABLE;
    if (is_table) o->min_lines = o->min_functions = 0.9;
    take_part(is_table ? toml_find(n, S("lines")) : n, &o->min_lines);
    take_part(is_table ? toml_find(n, S("functions")) : n, &o->min_functions);
}

static void take_coverage(Arena *a, const TomlNode *t, TestOptions *o)
{
    const TomlNode *dir = toml_find(t, S("coverageDir"));
    const TomlNode *skips = toml_find(t, S("coverageSkipTestFiles"));
    take_true(toml_find(t, S("coverage")), &o->coverage);
    if (!o->coverage_reporters.len)
        take_list(a, toml_find(t, S("coverageReporter")), &o->coverage_reporters);
    take_list(a, toml_find(t, S("coveragePathIgnorePatterns")), &o->coverage_ignored);
    if (!o->coverage_dir.n && dir && dir->kind == TOML_STRING) o->coverage_dir = dir->str;
    o->covers_tests = skips && skips->kind == TOML_BOOLEAN && !skips->boolean;
    take_threshold(toml_find(t, S("coverageThreshold")), o);
}

/* cli_config_load has read the file before and complained of its errors. */
static void read_section(Cli *cli, TestOptions *o)
{
    Str text;
    const TomlNode *root;
    TomlError e;
    Str name = o->run.config.n ? o->run.config : S("bunfig.toml");
    if (sys_read_file(cli->arena, name, CONFIG_MAX, &text) < 0 &&
        sys_read_file(cli->arena, S("cob.toml"), CONFIG_MAX, &text) < 0)
        return;
    if (!toml_parse(cli->arena, text, &root, &e)) return;
    const TomlNode *t = toml_find(root, S("test"));
    const TomlNode *dir = toml_find(t, S("root"));
    if (dir && dir->kind == TOML_STRING) o->root = dir->str;
    take_list(cli->arena, toml_find(t, S("preload")), &o->run.preload);
    take_list(cli->arena, toml_find(t, S("pathIgnorePatterns")), &o->ignored);
    take_u32(toml_find(t, S("timeout")), &o->timeout);
    take_u32(toml_find(t, S("retry")), &o->retry);
    take_u32(toml_find(t, S("rerunEach")), &o->rerun_each);
    take_u32(toml_find(t, S("seed")), &o->seed);
    take_u32(toml_find(t, S("maxConcurrency")), &o->max_concurrency);
    take_true(toml_find(t, S("randomize")), &o->randomize);
    take_coverage(cli->arena, t, o);
    take_true(toml_find(t, S("onlyFailures")), &o->only_failures);
}

/* ---- The files --------------------------------------------------------------------------------
 */

static bool read_shard(Str text, u64 *ret_i, u64 *ret_n)
{
    Str i, n;
    bool ok = str_cut(text, '/', &i, &n) && str_to_u64(i, ret_i) && str_to_u64(n, ret_n) &&
              *ret_i >= 1 && *ret_i <= *ret_n && *ret_n < UNSET;
    if (!ok) cli_error("--shard must be i/n with 1 <= i <= n, got \"%.*s\"", STR_ARG(text));
    return ok;
}

/* Every n-th file, beginning with the i-th; by time when that is known. */
static bool take_shard(TestOptions *o, RunnerList *files)
{
    u64 i, n;
    u32 len = 0;
    if (!o->shard.n) return true;
    if (!read_shard(o->shard, &i, &n)) return false;
    if (o->timings.len) {
        o->shard_i = i;
        o->shard_n = n;
        return true;
    }
    for (u64 k = i - 1; k < files->len; k += n) files->at[len++] = files->at[k];
    files->len = len;
    return true;
}

static const char hint[] =
    "Tests need \".test\", \"_test_\", \".spec\" or \"_spec_\" in the filename (ex: "
    "\"MyApp.test.ts\")\n\nLearn more about bun test: https://bun.com/docs/cli/test\n";

static void print_no_files(const TestOptions *o, CliArgs filters, u32 n_seen)
{
    (void)fflush(stdout);
    if (filters.len && !o->shard.n) {
        (void)fprintf(stderr, "The following filters did not match any test files:\n");
        for (u32 i = 0; i < filters.len; i++)
            (void)fprintf(stderr, " %.*s", STR_ARG(filters.at[i]));
        (void)fprintf(stderr, "\n%u files were searched\n\nnote: %s", n_seen, hint);
    } else
        (void)fprintf(stderr, "No tests found!\n\n%s", hint);
}

/* ---- What JavaScript is told ------------------------------------------------------------------
 */

static void put_list(Buf *b, const char *name, const Str *at, u32 len)
{
    (void)buf_fmt(b, ",\"%s\":[", name);
    for (u32 i = 0; i < len; i++) {
        if (i) (void)buf_push(b, S(","));
        json_write_str(b, at[i]);
    }
    (void)buf_push(b, S("]"));
}

static void put_str(Buf *b, const char *name, Str value)
{
    if (!value.p) return;
    (void)buf_fmt(b, ",\"%s\":", name);
    json_write_str(b, value);
}

static void put_u32(Buf *b, const char *name, u32 value)
{
    if (value != UNSET) (void)buf_fmt(b, ",\"%s\":%u", name, value);
}

/* CI is set to something, or it is GitHub's. */
static bool is_ci(void)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    Str value = {0}, github;
    bool is_set = sys_env_find(s.arena, S("CI"), &value);
    if (is_set && (str_eq(value, S("false")) || str_eq(value, S("0")))) return false;
    return (is_set && value.n) || sys_env_find(s.arena, S("GITHUB_ACTIONS"), &github);
}

static bool is_github(void)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    Str value;
    return sys_env_find(s.arena, S("GITHUB_ACTIONS"), &value) &&
           (str_eq(value, S("true")) || str_eq(value, S("1")));
}

static void write_coverage(const TestOptions *o, Buf *b)
{
    static const Str text = {"text", 4};
    const CliList *r = &o->coverage_reporters;
    if (!o->coverage) return;
    (void)buf_push(b, S(",\"coverage\":true"));
    put_str(b, "coverageDir", o->coverage_dir.n ? o->coverage_dir : S("coverage"));
    put_list(b, "coverageReporters", r->len ? r->at : &text, r->len ? r->len : 1);
    put_list(b, "coverageIgnored", o->coverage_ignored.at, o->coverage_ignored.len);
    if (o->min_lines >= 0)
        (void)buf_fmt(b, ",\"coverageThreshold\":{\"lines\":%.6f,\"functions\":%.6f}", o->min_lines,
                      o->min_functions);
}

/* --parallel: several processes, this one or one of them. */
static void write_processes(const Cli *cli, const TestOptions *o, Buf *b)
{
    Str id, colors;
    put_list(b, "timings", o->timings.at, o->timings.len);
    put_u32(b, "parallelDelay", o->parallel_delay);
    (void)buf_fmt(b, ",\"workers\":%u", o->n_workers);
    if (o->n_workers > 1) put_list(b, "args", cli->args.at, cli->args.len);
    if (o->shard_n) (void)buf_fmt(b, ",\"shardOf\":[%u,%u]", (u32)o->shard_i, (u32)o->shard_n);
    if (!o->worker.n) return;
    (void)str_cut(o->worker, ',', &id, &colors);
    put_str(b, "workerId", id);
    (void)buf_fmt(b, ",\"workerColors\":%s", colors.n ? "true" : "false");
}

static void write_options(Cli *cli, const TestOptions *o, const RunnerList *files, Buf *b)
{
    const struct {
        const char *name;
        bool value;
    } bools[] = {
        {"updateSnapshots", o->update_snapshots},
        {"ci", o->ci},
        {"isCi", is_ci()},
        {"isGithub", is_github()},
        {"todo", o->todo},
        {"only", o->only},
        {"passWithNoTests", o->pass_with_no_tests},
        {"concurrent", o->concurrent},
        {"randomize", o->randomize || o->seed != UNSET},
        {"onlyFailures", o->only_failures},
        {"dots", o->dots || str_eq(o->reporter, S("dots"))},
        {"shareModules", o->no_isolate},
        {"updateTimings", o->update_timings},
    };
    Str cwd = S("/");
    (void)!sys_cwd(cli->arena, &cwd);
    (void)buf_fmt(b, "{\"startedMs\":%.3f", (f64)sys_monotonic_ns() / 1e6);
    for (u32 i = 0; i < COUNT(bools); i++)
        (void)buf_fmt(b, ",\"%s\":%s", bools[i].name, bools[i].value ? "true" : "false");
    put_u32(b, "timeout", o->timeout);
    put_u32(b, "retry", o->retry);
    put_u32(b, "rerunEach", o->rerun_each);
    put_u32(b, "seed", o->seed);
    put_u32(b, "maxConcurrency", o->max_concurrency);
    put_str(b, "bail", o->bail);
    put_str(b, "namePattern", o->name_pattern);
    put_str(b, "reporter", o->reporter);
    put_str(b, "outfile", o->outfile);
    put_str(b, "changed", o->changed);
    put_str(b, "touched", vm_watch_changed());
    put_str(b, "cwd", cwd);
    write_coverage(o, b);
    write_processes(cli, o, b);
    put_list(b, "preload", o->run.preload.at, o->run.preload.len);
    put_list(b, "files", files->at, files->len);
    (void)buf_push(b, S("}"));
}

static void print_banner(const Cli *cli, u32 n_workers)
{
    Str own = vm_version(), revision = vm_revision();
    CliPaint p = cli_paint(1);
    Str version = cli->name == CLI_AS_COB ? own : str_z(CLI_BUN_VERSION);
    Str name = cli->name == CLI_AS_COB ? S("cob") : S("bun");
    (void)printf("%s%s%.*s test %s%sv%.*s (%.*s)%s", p.off, p.bold, STR_ARG(name), p.off, p.dim,
                 STR_ARG(version), STR_ARG(revision), p.off);
    if (n_workers > 1) (void)printf(" %ux PARALLEL", n_workers);
    (void)printf("\n");
    (void)fflush(stdout);
}

/* Reports that others read, on standard output when no file is named. */
static bool is_for_programs(const TestOptions *o)
{
    return str_eq(o->reporter, S("tap")) || str_eq(o->reporter, S("json"));
}

static bool check(const TestOptions *o)
{
    bool is_junit = str_eq(o->reporter, S("junit"));
    u64 n;
    if (o->reporter.n && !is_junit && !str_eq(o->reporter, S("dots")) && !is_for_programs(o)) {
        cli_error("unsupported reporter format \"%.*s\": dots, junit, tap and json exist",
                  STR_ARG(o->reporter));
        return false;
    }
    if (is_junit && !o->outfile.n) {
        cli_error("--reporter=junit requires --reporter-outfile [file] to specify where to save "
                  "the XML report");
        return false;
    }
    for (u32 i = 0; i < o->coverage_reporters.len; i++) {
        Str name = o->coverage_reporters.at[i];
        if (str_eq(name, S("text")) || str_eq(name, S("lcov"))) continue;
        cli_error("invalid coverage reporter \"%.*s\": text and lcov exist", STR_ARG(name));
        return false;
    }
    if (o->update_timings && !o->timings.len) {
        cli_error("--update-timings needs --timings=<file>");
        return false;
    }
    if (o->bail.n && (!str_to_u64(o->bail, &n) || n < 1)) {
        cli_error("--bail expects a number greater than 0");
        return false;
    }
    return true;
}

/* Packages are not the program's; test files are counted only when that is asked for. */
static bool is_program_file(Str path)
{
    return str_starts(path, S("/")) && str_find_str(path, S("/node_modules/")) < 0;
}

static bool is_covered(Str path)
{
    return is_program_file(path) && !runner_is_test_name(path_basename(path, S("")));
}

/* What was compiled is kept for each way of calling `cob test` in a folder: people run their tests
 * again and again, CI only once; processes of --parallel read what one process has written. */
static void open_code(Cli *cli, Vm *vm, CliArgs operands, bool is_written)
{
    AUTO(Buf) name = {0};
    Str cwd = S("/");
    (void)!sys_cwd(cli->arena, &cwd);
    (void)buf_fmt(&name, "%.*s/ test", STR_ARG(cwd));
    for (u32 i = 0; i < operands.len; i++) (void)buf_fmt(&name, " %.*s", STR_ARG(operands.at[i]));
    vm_code_open_set(vm, buf_str(&name), is_written);
}

/* What Bun sets for tests, unless the environment does. */
static void set_environment(void)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    Str value;
    if (!sys_env_find(s.arena, S("NODE_ENV"), &value)) (void)!sys_env_set(S("NODE_ENV"), S("test"));
    if (!sys_env_find(s.arena, S("TZ"), &value)) (void)!sys_env_set(S("TZ"), S("Etc/UTC"));
}

/* How many processes run the tests; one is this one. */
static bool count_workers(TestOptions *o, u32 n_files)
{
    enum { WORKERS_MAX = 256 };
    u64 n = sys_cpu_count();
    if (!o->parallel.p || o->worker.n) return true;
    if (o->parallel.n && (!str_to_u64(o->parallel, &n) || n < 1 || n > WORKERS_MAX)) {
        cli_error("--parallel expects a number from 1 to %d, got \"%.*s\"", WORKERS_MAX,
                  STR_ARG(o->parallel));
        return false;
    }
    o->n_workers = MIN((u32)n, n_files);
    return true;
}

/* 0; 1 when there are none, -1 after an error: both were said. */
static int find_files(Cli *cli, TestOptions *o, CliArgs filters, RunnerList *files)
{
    u32 n_seen = 0;
    RunnerSearch search = {.filters = filters.at, .n_filters = filters.len};
    search.ignored = o->ignored.at;
    search.n_ignored = o->ignored.len;
    int rc = sys_cwd(cli->arena, &search.cwd);
    search.root = o->root.n ? path_resolve(cli->arena, search.cwd, S(""), o->root) : search.cwd;
    if (rc == 0) rc = runner_find(cli->arena, &search, files, &n_seen);
    if (rc < 0) {
        cli_error("cannot read \"%.*s\": %s", STR_ARG(search.root), err_text(rc));
        return -1;
    }
    if (!take_shard(o, files) || !count_workers(o, files->len)) return -1;
    if (!is_for_programs(o) || o->outfile.n) print_banner(cli, o->n_workers);
    if (files->len) return 0;
    print_no_files(o, filters, n_seen);
    return 1;
}

static int test(Cli *cli, const void *options, const Str *operands, u32 n_operands)
{
    static TestOptions o;
    static VmOptions vm;
    RunnerList files = {0};
    AUTO(Buf) json = {0};
    int rc;
    o = *(const TestOptions *)options;
    o.coverage |= o.coverage_reporters.len > 0;
    if (o.run.watch && !o.worker.n && !vm_watch_take_fd()) return cli_watch(cli, &o.run);
    if (!check(&o) || !cli_config_load(cli, &o.run)) return 1;
    read_section(cli, &o);
    set_environment();
    rc = o.worker.n ? 0 : find_files(cli, &o, (CliArgs){operands, n_operands}, &files);
    if (rc != 0) return rc < 0 ? 1 : o.pass_with_no_tests ? 0 : 1;
    if (!cli_vm_options(cli, &o.run, &vm)) return 1;
    write_options(cli, &o, &files, &json);
    vm.is_brief = true;
    if (o.coverage) vm.covers = o.covers_tests ? is_program_file : is_covered;
    Vm *machine = vm_new(&vm);
    machine->main_path = files.len ? files.at[0] : S("/");
    bool runs_files = o.n_workers < 2;
    if (!o.coverage && runs_files)
        open_code(cli, machine, (CliArgs){operands, n_operands}, !o.worker.n && !is_ci());
    runner_run(machine, buf_str(&json));
}

static const TestOptions defaults = {
    .run = {.console_depth = CLI_DEPTH_UNSET},
    .timeout = UNSET,
    .rerun_each = UNSET,
    .retry = UNSET,
    .seed = UNSET,
    .parallel_delay = UNSET,
    .max_concurrency = UNSET,
    .min_lines = -1,
    .min_functions = -1,
};

const CliCommand cli_test_command = {
    .name = "test",
    .args = "[patterns]",
    .summary = "Run the tests of the project",
    .example = "  cob test\n  cob test user api\n  cob test -t 'adds numbers'\n"
               "  cob test --bail --randomize",
    .flags = flags,
    .n_flags = COUNT(flags),
    .options_size = sizeof(TestOptions),
    .defaults = &defaults,
    .run = test,
};
