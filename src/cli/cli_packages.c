/* cli/cli_packages.c -- see packages.h. */
#include "cli/packages.h"

#include <stdio.h>
#include <string.h>

bool cli_packages_settings(Cli *cli, const CliSource *source, Log *log, PkgSettings *s,
                           PkgOptions *ret)
{
    Arena *a = cli->arena;
    s->registries = ARENA_NEW(a, PkgRegistry);
    s->registries->url = source->registry;
    s->cache_dir = source->cache_dir;
    s->ca = source->ca;
    s->ca_file = source->ca_file;
    ret->offline = source->offline          ? PKG_OFFLINE
                   : source->prefer_offline ? PKG_PREFER_OFFLINE
                                            : PKG_ONLINE;
    return pkg_settings_read(a, ret->dir, source->config, log, s);
}

bool cli_packages_open(Cli *cli, const CliSource *source, Log *log, PkgOptions *ret)
{
    PkgSettings s = {0};
    Str cwd;
    if (sys_cwd(cli->arena, &cwd) < 0)
        return log_error(log, (Span){0}, "The working directory is gone");
    ret->dir = pkg_find_project(cli->arena, cwd, &ret->package);
    if (!cli_packages_settings(cli, source, log, &s, ret)) return false;
    CliPackageScripts scripts = {.is_silent = source->silent};
    cli_packages_scripts_by(cli, &scripts, &s, ret);
    return pkg_settings_apply(cli->arena, &s, log, ret);
}

bool cli_packages_cut(Str operand, Str *ret_name, Str *ret_text)
{
    if (!operand.n) return false;
    i64 at = str_find(str_skip(operand, 1), '@');
    *ret_name = at < 0 ? operand : str_slice(operand, 0, (usize)at + 1);
    *ret_text = at < 0 ? S("") : str_skip(operand, (usize)at + 2);
    bool is_scoped = str_starts(*ret_name, S("@"));
    bool is_path = str_starts(*ret_name, S(".")) || str_starts(*ret_name, S("/"));
    i64 slash = str_find(*ret_name, '/');
    return str_find(*ret_name, ':') < 0 && !is_path && ret_name->n &&
           (is_scoped ? slash > 0 : slash < 0);
}

/* ---- Scripts --------------------------------------------------------------------------------- */

static int run_own(void *ctx, Str script, const SysSpawn *spec, SysExit *ret)
{
    CliPackageScripts *s = ctx;
    CliPaint p = cli_paint(2);
    if (!s->is_silent)
        (void)fprintf(stderr, "%s%s$%s %s%.*s%s\n", s->has_begun ? "" : "\n", p.magenta, p.off,
                      p.bold, STR_ARG(script), p.off);
    s->has_begun = true;
    return cli_spawn_wait(spec, ret);
}

/* With a node-gyp at the end of PATH, for packages that count on npm's. */
static const char *const *add_gyp(Cli *cli, const char *const *env)
{
    Str found, path = cli_env_path(env), dir;
    if (cli_find_program(cli->arena, path, S("node-gyp"), &found)) return env;
    dir = cli_gyp_dir(cli);
    Vec(const char *) list = {0};
    for (; *env; env++)
        if (strncmp(*env, "PATH=", 5) != 0) vec_push(cli->arena, &list, *env);
    vec_push(cli->arena, &list,
             str_fmt(cli->arena, "PATH=%.*s:%.*s", STR_ARG(path), STR_ARG(dir)).p);
    vec_push(cli->arena, &list, NULL);
    return list.at;
}

static const char *const *open_host(void *ctx, Str *ret_shell)
{
    const CliPackageScripts *s = ctx;
    CliScriptEnv env = {.cwd = s->dir};
    *ret_shell = cli_find_shell(s->cli);
    return add_gyp(s->cli, cli_script_env(s->cli, &env));
}

void cli_packages_scripts(Cli *cli, const CliPackageScripts *scripts, PkgOptions *ret)
{
    PkgScriptHost *host = ARENA_NEW(cli->arena, PkgScriptHost);
    CliPackageScripts *kept = ARENA_NEW(cli->arena, CliPackageScripts);
    *kept = *scripts;
    kept->cli = cli;
    kept->dir = ret->dir;
    *host = (PkgScriptHost){.open = open_host,
                            .n_max = scripts->n_max,
                            .is_free = scripts->is_free,
                            .run_own = run_own,
                            .ctx = kept};
    ret->scripts = host;
}

void cli_packages_scripts_by(Cli *cli, CliPackageScripts *scripts, const PkgSettings *s,
                             PkgOptions *ret)
{
    scripts->is_free |= s->script_sandbox == 0;
    if (s->ignore_scripts != 1) cli_packages_scripts(cli, scripts, ret);
}

int cli_packages_fail(const Log *log, const PkgResult *result)
{
    (void)!sys_write_all(2, result->script_output);
    int code = cli_fail_with(log);
    return result->exit_code ? (int)result->exit_code : code;
}

void cli_packages_print_end(const Cli *cli, const Log *log, const PkgResult *result)
{
    if (log->n_warnings) (void)cli_fail_with(log);
    if (!result->n_blocked) return;
    (void)printf("\nBlocked %u postinstall%s. Run `%s pm untrusted` for details.\n",
                 result->n_blocked, result->n_blocked == 1 ? "" : "s", cli_own_name(cli));
}

bool cli_packages_install(Cli *cli, const PkgOptions *options, Log *log, PkgResult *ret)
{
    Loop *loop = loop_new();
    bool ok = pkg_install(cli->arena, loop, options, log, ret);
    loop_free(loop);
    return ok;
}
