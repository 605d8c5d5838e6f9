/* cli/cli_packages.c -- see packages.h. */
#include "cli/packages.h"

bool cli_packages_open_at(Cli *cli, const CliSource *source, Str dir, Log *log, PkgOptions *ret)
{
    Arena *a = cli->arena;
    PkgRegistry *given = ARENA_NEW(a, PkgRegistry);
    given->url = source->registry;
    PkgSettings *s = ARENA_NEW(a, PkgSettings);
    *s = (PkgSettings){.registries = given,
                       .cache_dir = source->cache_dir,
                       .ca = source->ca,
                       .ca_file = source->ca_file};
    ret->dir = dir;
    ret->offline = source->offline          ? PKG_OFFLINE
                   : source->prefer_offline ? PKG_PREFER_OFFLINE
                                            : PKG_ONLINE;
    return pkg_settings_read(a, dir, source->config, log, s) && pkg_settings_apply(a, s, log, ret);
}

bool cli_packages_open(Cli *cli, const CliSource *source, Log *log, PkgOptions *ret)
{
    Str cwd;
    if (sys_cwd(cli->arena, &cwd) < 0)
        return log_error(log, (Span){0}, "The working directory is gone");
    Str dir = pkg_find_project(cli->arena, cwd, &ret->package);
    return cli_packages_open_at(cli, source, dir, log, ret);
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

bool cli_packages_install(Cli *cli, const PkgOptions *options, Log *log, PkgResult *ret)
{
    Loop *loop = loop_new();
    bool ok = pkg_install(cli->arena, loop, options, log, ret);
    loop_free(loop);
    return ok;
}
