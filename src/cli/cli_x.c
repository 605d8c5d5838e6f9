/* cli/cli_x.c -- `cob x` (cobx, bunx): runs a command of a package, of the project when that has
 * it, else of a small project of its own below the cache; `cob create`, which is `x create-NAME`.
 *
 *     <cache>/.cobx/typescript@5/package.json, bun.lock, node_modules
 *
 * What was asked for without an exact version is looked up again after a day. */
#include "cli/packages.h"
#include "util/err.h"
#include "util/path.h"

#include <string.h>

enum {
    DAY_S = 24 * 60 * 60,
    FOLDER_MODE = 0700,
    FOLDER_NAME_MAX = 200,
    NS_PER_SECOND = 1000000000
};

typedef struct {
    CliSource source;
    Str package;
    bool bun, no_install;
} XOptions;

/* What is to be run. */
typedef struct {
    Cli *cli;
    const XOptions *options;
    Str package;    /* as given: "tsc", "typescript@5", "github:u/r" */
    Str name, text; /* in two; the name is empty for what has none yet */
    Str bin;        /* which command of it; empty: its own */
    CliArgs args;
} Job;

static const CliFlag flags[] = {
    CLI_FLAG("package", 'p', CLI_STR, XOptions, package, "name",
             "The package, when its name is not that of the command"),
    CLI_FLAG("bun", 'b', CLI_BOOL, XOptions, bun, NULL, "It gets this program as `node`"),
    CLI_FLAG("no-install", 0, CLI_BOOL_NO, XOptions, no_install, NULL,
             "Fail when the project does not have it"),
    CLI_SOURCE_FLAGS,
};

/* ---- Its folder ------------------------------------------------------------------------------ */

static bool is_plain(char c)
{
    bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    return is_letter || memchr("@.-_^~", c, 6) != NULL;
}

/* A folder for each text. */
static Str folder_of(const Job *job, Str cache_dir)
{
    Arena *a = job->cli->arena;
    Str text = job->package;
    if (job->name.n)
        text = str_fmt(a, "%.*s@%.*s", STR_ARG(job->name),
                       STR_ARG(job->text.n ? job->text : S("latest")));
    text = str_slice(text, 0, FOLDER_NAME_MAX);
    char *p = str_dup_z(a, text);
    for (usize i = 0; i < text.n; i++)
        if (!is_plain(p[i])) p[i] = '+';
    return str_fmt(a, "%.*s/.cobx/%s", STR_ARG(cache_dir), p);
}

static bool is_exact(Str text)
{
    Semver version;
    return semver_parse(text, &version);
}

/* The one dependency of the folder's package.json; empty when there is none yet. */
static Str installed_name(Arena *a, Str dir)
{
    CliPackage pkg;
    Log log;
    log_init(&log, a);
    if (cli_package_read(a, &log, dir, &pkg) != 1) return S("");
    const JsonNode *deps = json_find(&pkg.json, S("dependencies"));
    return deps && deps->kind == JSON_OBJECT && deps->len ? json_str(a, &deps->items[0]) : S("");
}

static Str package_dir(Arena *a, Str dir, Str name)
{
    return str_fmt(a, "%.*s/node_modules/%.*s", STR_ARG(dir), STR_ARG(name));
}

static bool is_fresh(const Job *job, Str dir)
{
    Arena *a = job->cli->arena;
    SysStat st;
    Str name = installed_name(a, dir);
    Str file = path_join2(a, package_dir(a, dir, name), S("package.json"));
    if (!name.n || sys_stat(file, &st) < 0) return false;
    if (is_exact(job->text)) return true;
    if (sys_stat(path_join2(a, dir, S("package.json")), &st) < 0) return false;
    i64 now = (i64)(sys_realtime_ns() / NS_PER_SECOND);
    return now >= st.mtime.s && now - st.mtime.s < DAY_S;
}

static bool bring(const Job *job, Str dir, PkgOptions *pkg, Log *log)
{
    Arena *a = job->cli->arena;
    PkgChange *change = ARENA_NEW(a, PkgChange);
    *change = (PkgChange){.name = job->name, .text = job->text};
    if (!job->name.n)
        *change = (PkgChange){.name = S("unnamed"), .text = job->package, .is_unnamed = true};
    PkgResult result;
    int rc = sys_mkdir_all(dir, FOLDER_MODE, NULL);
    /* The file's time is that of the last look. */
    if (rc >= 0) rc = sys_write_file_atomic(path_join2(a, dir, S("package.json")), S("{}\n"), 0644);
    if (rc < 0)
        return log_error(log, (Span){0}, "Cannot write in %.*s: %s", STR_ARG(dir), err_text(rc));
    pkg->dir = dir;
    pkg->package = S("");
    pkg->changes = change;
    pkg->n_changes = 1;
    pkg->production = pkg->is_frozen = false;
    CliPackageScripts scripts = {.is_silent = true,
                                 .is_free = pkg->scripts && pkg->scripts->is_free};
    if (pkg->scripts) cli_packages_scripts(job->cli, &scripts, pkg);
    return cli_packages_install(job->cli, pkg, log, &result);
}

/* ---- Which command --------------------------------------------------------------------------- */

/* Its own is the one with its name, else the first. */
static Str own_command(Arena *a, Str dir, Str name)
{
    CliPackage pkg;
    Log log;
    log_init(&log, a);
    if (cli_package_read(a, &log, package_dir(a, dir, name), &pkg) != 1) return S("");
    const JsonNode *bin = json_find(&pkg.json, S("bin"));
    Str base = str_skip(name, (usize)(str_rfind(name, '/') + 1));
    if (!bin) return S("");
    if (bin->kind == JSON_STRING || json_find(bin, base)) return base;
    return bin->kind == JSON_OBJECT && bin->len ? json_str(a, &bin->items[0]) : S("");
}

static int run_file(const Job *job, Str dir, Str file)
{
    Arena *a = job->cli->arena;
    static const int inherited[] = {0, 1, 2};
    CliScriptEnv e = {.cwd = dir, .is_bun = job->options->bun};
    const char **argv = ARENA_ARRAY(a, const char *, job->args.len + 2);
    argv[0] = str_dup_z(a, file);
    for (u32 i = 0; i < job->args.len; i++) argv[i + 1] = str_dup_z(a, job->args.at[i]);
    SysSpawn spec = {.file = argv[0],
                     .argv = argv,
                     .env = cli_script_env(job->cli, &e),
                     .fds = inherited,
                     .n_fds = COUNT(inherited)};
    SysExit end = {0};
    int rc = cli_spawn_wait(&spec, &end);
    if (rc == 0) return cli_end_like(&end);
    cli_error("cannot run \"%.*s\": %s", STR_ARG(file), err_text(rc));
    return 1;
}

static int run_brought(const Job *job, Str dir)
{
    Arena *a = job->cli->arena;
    Str name = installed_name(a, dir), file;
    Str bin = job->bin.n ? job->bin : own_command(a, dir, name);
    if (!bin.n) {
        cli_error("could not determine executable to run for package %.*s", STR_ARG(name));
        return 1;
    }
    if (cli_find_program(a, path_join2(a, dir, S("node_modules/.bin")), bin, &file))
        return run_file(job, dir, file);
    cli_error("Package %.*s does not provide a binary named %.*s", STR_ARG(name), STR_ARG(bin));
    return 1;
}

/* ---- From the words -------------------------------------------------------------------------- */

/* Names of commands that people know better than those of the packages. */
static Str known_package(Str name)
{
    return str_eq(name, S("tsc")) ? S("typescript") : name;
}

static bool cut(Job *job)
{
    Str base, cwd;
    Arena *a = job->cli->arena;
    if (str_starts(job->package, S(".")) && sys_cwd(a, &cwd) == 0)
        job->package = path_join2(a, cwd, job->package);
    if (pkg_text_is_source(a, job->package)) return true;
    if (!cli_packages_cut(job->package, &job->name, &job->text)) return false;
    base = str_skip(job->name, (usize)(str_rfind(job->name, '/') + 1));
    if (!job->options->package.n && !str_eq(known_package(job->name), job->name)) {
        job->bin = job->name;
        job->name = known_package(job->name);
    } else if (job->options->package.n && !job->bin.n) {
        job->bin = base;
    }
    return true;
}

/* What the project or the system has, when no version was asked for. */
static bool run_local(const Job *job, int *ret_code)
{
    RunOptions run = {.bun = job->options->bun, .silent = true};
    if (job->text.n || !job->name.n) return false;
    Str bin = job->bin.n ? job->bin : str_skip(job->name, (usize)(str_rfind(job->name, '/') + 1));
    CliOutcome outcome = cli_run_binary(job->cli, &run, bin, job->args, true);
    *ret_code = outcome.code;
    return outcome.is_found;
}

static int run_job(Job *job)
{
    Log log;
    PkgOptions pkg = {0};
    int code;
    log_init(&log, job->cli->arena);
    if (!cut(job)) {
        cli_error("\"%.*s\" is not the name of a package", STR_ARG(job->package));
        return 1;
    }
    if (run_local(job, &code)) return code;
    if (!cli_packages_open(job->cli, &job->options->source, &log, &pkg)) return cli_fail_with(&log);
    Str dir = folder_of(job, pkg.cache_dir);
    bool is_there = is_fresh(job, dir);
    if (!is_there && job->options->no_install) {
        Str wanted = job->bin.n ? job->bin : job->name;
        cli_error("Could not find an existing '%.*s' binary to run. Stopping because --no-install "
                  "was passed.",
                  STR_ARG(wanted));
        return 1;
    }
    if (!is_there && !bring(job, dir, &pkg, &log)) {
        /* The next call must not take what is half there. */
        (void)sys_unlink(path_join2(job->cli->arena, dir, S("package.json")));
        return cli_fail_with(&log);
    }
    return run_brought(job, dir);
}

static int run(Cli *cli, const void *options, const Str *operands, u32 n_operands)
{
    const XOptions *o = options;
    if (!n_operands && !o->package.n) {
        cli_print_command_help(cli, &cli_x_command);
        return 1;
    }
    Job job = {.cli = cli, .options = o, .package = o->package};
    CliArgs args = {operands, n_operands};
    if (!o->package.n) {
        job.package = operands[0];
        args = (CliArgs){operands + 1, n_operands - 1};
    } else if (n_operands) {
        job.bin = operands[0];
        args = (CliArgs){operands + 1, n_operands - 1};
    }
    job.args = args;
    return run_job(&job);
}

/* ---- cob create ------------------------------------------------------------------------------ */

/* "app@2" is "create-app@2", "@me" "@me/create", "@me/app" "@me/create-app". */
static Str create_name(Arena *a, Str word)
{
    Str scope, rest;
    if (word.p[0] != '@') return str_fmt(a, "create-%.*s", STR_ARG(word));
    if (str_cut(word, '/', &scope, &rest))
        return str_fmt(a, "%.*s/create-%.*s", STR_ARG(scope), STR_ARG(rest));
    i64 at = str_find(str_skip(word, 1), '@');
    if (at < 0) return str_fmt(a, "%.*s/create", STR_ARG(word));
    return str_fmt(a, "%.*s/create%.*s", STR_ARG(str_slice(word, 0, (usize)at + 1)),
                   STR_ARG(str_skip(word, (usize)at + 1)));
}

static int create(Cli *cli, const void *options, const Str *operands, u32 n_operands)
{
    if (!n_operands || !operands[0].n) {
        cli_print_command_help(cli, &cli_create_command);
        return 1;
    }
    Str word = operands[0];
    bool is_path = word.p[0] == '.' || word.p[0] == '/';
    if (is_path || (word.p[0] != '@' && str_find(word, '/') >= 0)) {
        cli_error("not implemented: %s create %.*s (templates of folders and of GitHub)",
                  cli_own_name(cli), STR_ARG(word));
        return 1;
    }
    Job job = {.cli = cli,
               .options = options,
               .package = create_name(cli->arena, word),
               .args = {operands + 1, n_operands - 1}};
    return run_job(&job);
}

const CliCommand cli_x_command = {
    .name = "x",
    .args = "<package>[@version] [args]",
    .summary = "Run a command of a package, installing it outside of the project if need be",
    .example = "  cob x cowsay hello\n  cob x prettier@3 --check .\n"
               "  cob x -p @angular/cli ng new app\n  cob x --bun vite",
    .flags = flags,
    .n_flags = COUNT(flags),
    .options_size = sizeof(XOptions),
    .stops_at_operand = true,
    .run = run,
};

const CliCommand cli_create_command = {
    .name = "create",
    .alias = "c",
    .args = "<name> [args]",
    .summary = "Make a project with the package create-<name>",
    .example = "  cob create vite my-app\n  cob create @scope/app@2 .",
    .flags = flags + 1,
    .n_flags = COUNT(flags) - 1,
    .options_size = sizeof(XOptions),
    .stops_at_operand = true,
    .run = create,
};
