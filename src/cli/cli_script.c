/* cli/cli_script.c -- one script of package.json, or one binary, in the foreground. */
#include "cli/run.h"
#include "util/err.h"
#include "util/path.h"

#include <stdio.h>
#include <string.h>

static const int inherited[] = {0, 1, 2};

static void echo(Str text)
{
    CliPaint p = cli_paint(2);
    (void)fprintf(stderr, "%s%s$%s %s%.*s%s\n", p.dim, p.magenta, p.off, p.bold, STR_ARG(text),
                  p.off);
}

static const char *signal_name(Arena *a, int signo)
{
    const char *abbrev = sigabbrev_np(signo), *what = sigdescr_np(signo);
    return abbrev ? str_fmt(a, "SIG%s (%s)", abbrev, what).p : str_fmt(a, "signal %d", signo).p;
}

/* Says how the script ended, unless it went well or somebody pressed Ctrl-C. */
static void report_end(Cli *cli, Str name, const SysExit *e)
{
    if (e->signal && e->signal != SIGINT)
        cli_error("script \"%.*s\" was terminated by signal %s", STR_ARG(name),
                  signal_name(cli->arena, e->signal));
    else if (e->code)
        cli_error("script \"%.*s\" exited with code %d", STR_ARG(name), e->code);
}

typedef struct {
    Cli *cli;
    const RunOptions *options;
    const CliPackage *package;
    Str shell;
    bool has_own_shell; /* `shell` is this program */
} Runner;

/* One of pre, main and post. */
static int run_step(Runner *r, Str name, Str text, CliArgs args, SysExit *ret)
{
    Cli *cli = r->cli;
    AUTO(Scratch) s = scratch_begin(cli->arena);
    Str command = cli_script_text(s.arena, str_z(cli_own_name(cli)), text, args);
    CliScriptEnv e = {.package = r->package,
                      .cwd = r->package->dir,
                      .event = name,
                      .script = text,
                      .is_bun = r->options->bun};
    const char *argv[] = {r->shell.p, r->has_own_shell ? "exec" : "-c", str_dup_z(s.arena, command),
                          NULL};
    SysSpawn spec = {.file = r->shell.p,
                     .argv = argv,
                     .env = cli_script_env(cli, &e),
                     .cwd = str_dup_z(s.arena, r->package->dir),
                     .fds = inherited,
                     .n_fds = COUNT(inherited)};
    if (!r->options->silent) echo(command);
    int rc = cli_spawn_wait(&spec, ret);
    if (rc < 0)
        cli_error("cannot start \"%.*s\": %s", STR_ARG(r->shell), err_text(rc));
    else if (!r->options->silent)
        report_end(cli, name, ret);
    return rc;
}

static int run_steps(Runner *r, Str name, Str text, CliArgs args)
{
    Arena *a = r->cli->arena;
    Str names[] = {str_concat(a, S("pre"), name), name, str_concat(a, S("post"), name)};
    for (u32 i = 0; i < COUNT(names); i++) {
        if (i != 1 && r->options->is_alone) continue;
        Str step = i == 1 ? text : cli_package_script(a, r->package, names[i]);
        SysExit e = {0};
        if (!step.n) continue;
        if (run_step(r, names[i], step, i == 1 ? args : (CliArgs){0}, &e) < 0) return 1;
        if (e.code || e.signal) return cli_end_like(&e);
    }
    return 0;
}

bool cli_script_shell(Cli *cli, const RunOptions *o, Str *ret, bool *ret_is_own)
{
    *ret_is_own = str_eq(o->shell, S("bun"));
    if (o->shell.n && !*ret_is_own && !str_eq(o->shell, S("system"))) {
        cli_error("--shell must be \"bun\" or \"system\", got \"%.*s\"", STR_ARG(o->shell));
        return false;
    }
    if (!*ret_is_own) {
        *ret = cli_find_shell(cli);
        return true;
    }
    Str own;
    int rc = sys_exe_path(cli->arena, &own);
    if (rc < 0) {
        cli_error("cannot find this program: %s", err_text(rc));
        return false;
    }
    *ret = str_z(str_dup_z(cli->arena, own));
    return true;
}

CliOutcome cli_run_script(Cli *cli, const RunOptions *o, Str name, CliArgs args)
{
    Arena *a = cli->arena;
    Log log;
    CliPackage pkg;
    Str cwd;
    log_init(&log, a);
    int rc = sys_cwd(a, &cwd);
    if (rc == 0) rc = cli_package_find(a, &log, cwd, &pkg);
    if (log.n_errors) return (CliOutcome){.is_found = true, .code = cli_fail_with(&log)};
    Str text = rc == 1 ? cli_package_script(a, &pkg, name) : S("");
    if (!text.n) return (CliOutcome){0};
    Runner r = {.cli = cli, .options = o, .package = &pkg};
    if (!cli_script_shell(cli, o, &r.shell, &r.has_own_shell))
        return (CliOutcome){.is_found = true, .code = 1};
    return (CliOutcome){.is_found = true, .code = run_steps(&r, name, text, args)};
}

/* ---- Binaries ---------------------------------------------------------------------------------
 */

static bool find_binary(Cli *cli, Str cwd, Str name, Str *ret)
{
    for (Str dir = cwd;; dir = path_dirname(dir)) {
        Str bin = path_join2(cli->arena, dir, S("node_modules/.bin"));
        if (cli_find_program(cli->arena, bin, name, ret)) return true;
        if (dir.n <= 1) return false;
    }
}

static int run_program(Cli *cli, const RunOptions *o, const SysSpawn *spec, Str name)
{
    SysExit e = {0};
    int rc = cli_spawn_wait(spec, &e);
    if (rc < 0) {
        cli_error("cannot run \"%.*s\": %s", STR_ARG(name), err_text(rc));
        return 1;
    }
    if (!o->silent && e.signal && e.signal != SIGINT)
        cli_error("\"%.*s\" was terminated by signal %s", STR_ARG(name),
                  signal_name(cli->arena, e.signal));
    else if (!o->silent && e.code)
        cli_error("\"%.*s\" exited with code %d", STR_ARG(name), e.code);
    return cli_end_like(&e);
}

CliOutcome cli_run_binary(Cli *cli, const RunOptions *o, Str name, CliArgs args, bool also_system)
{
    Arena *a = cli->arena;
    Log log;
    CliPackage pkg;
    Str cwd, file;
    log_init(&log, a);
    if (sys_cwd(a, &cwd) < 0 || str_find(name, '/') >= 0) return (CliOutcome){0};
    bool is_found = find_binary(cli, cwd, name, &file);
    if (!is_found && !also_system) return (CliOutcome){0};
    CliScriptEnv e = {.cwd = cwd, .is_bun = o->bun};
    if (cli_package_find(a, &log, cwd, &pkg) == 1) e.package = &pkg;
    const char *const *env = cli_script_env(cli, &e);
    if (!is_found && !cli_find_program(a, cli_env_path(env), name, &file)) return (CliOutcome){0};
    const char **argv = ARENA_ARRAY(a, const char *, args.len + 2);
    argv[0] = str_dup_z(a, file);
    for (u32 i = 0; i < args.len; i++) argv[i + 1] = str_dup_z(a, args.at[i]);
    SysSpawn spec = {
        .file = argv[0], .argv = argv, .env = env, .fds = inherited, .n_fds = COUNT(inherited)};
    return (CliOutcome){.is_found = true, .code = run_program(cli, o, &spec, name)};
}

/* ---- Nothing ----------------------------------------------------------------------------------
 */

enum { CANDIDATES_MAX = 2000 };

typedef struct {
    Arena *arena;
    Str wanted;
    const char **at;
    u32 len;
} Names;

/* What has the name itself was found and could not be run. */
static void add_name(Names *names, Str name)
{
    if (str_eq(name, names->wanted)) return;
    if (names->len < CANDIDATES_MAX) names->at[names->len++] = str_dup_z(names->arena, name);
}

static void add_binaries(Names *names, Str cwd)
{
    for (Str dir = cwd;; dir = path_dirname(dir)) {
        AUTO(SysDir) d = {0};
        SysDirEntry e;
        Str bin = path_join2(names->arena, dir, S("node_modules/.bin"));
        if (sys_dir_open(bin, &d) == 0)
            while (sys_dir_next(&d, &e) > 0) add_name(names, e.name);
        if (dir.n <= 1) return;
    }
}

static void add_scripts(Names *names, const CliPackage *pkg)
{
    const JsonNode *scripts = cli_package_scripts(pkg);
    for (u32 i = 0; scripts && i < scripts->len; i++)
        add_name(names, json_str(names->arena, &scripts->items[i * 2]));
}

int cli_script_not_found(Cli *cli, Str name)
{
    Names names = {.arena = cli->arena, .wanted = name};
    names.at = ARENA_ARRAY(cli->arena, const char *, CANDIDATES_MAX);
    Log log;
    CliPackage pkg;
    Str cwd;
    log_init(&log, cli->arena);
    if (sys_cwd(cli->arena, &cwd) == 0) {
        if (cli_package_find(cli->arena, &log, cwd, &pkg) == 1) add_scripts(&names, &pkg);
        add_binaries(&names, cwd);
    }
    const char *near = cli_closest(name, names.at, names.len);
    if (!near) {
        cli_refuse_command(cli, name);
        return 1;
    }
    cli_error("Script not found \"%.*s\"", STR_ARG(name));
    cli_note("did you mean \"%s run %s\"?", cli_own_name(cli), near);
    return 1;
}
