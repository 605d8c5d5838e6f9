/* cli/cli_global.c -- packages for all projects (--global): a project of its own in a folder of the
 * user's, and links to the commands of its packages in a folder that may be on PATH. */
#include "cli/packages.h"
#include "util/err.h"
#include "util/path.h"

#include <stdio.h>

bool cli_global_begin(Cli *cli, Log *log, PkgOptions *ret)
{
    Arena *a = cli->arena;
    ret->dir = pkg_global_dir(a);
    ret->package = S("");
    Str path = path_join2(a, ret->dir, S("package.json"));
    int rc = sys_mkdir_all(ret->dir, 0755, NULL);
    if (rc >= 0 && sys_access(path, F_OK) < 0) rc = sys_write_file_atomic(path, S("{}\n"), 0644);
    return rc >= 0 ||
           log_error(log, (Span){0}, "Cannot write %.*s: %s", STR_ARG(path), err_text(rc));
}

/* A link of ours, that is: into the folder of the packages. */
static bool is_ours(Arena *a, Str link, Str bins, bool *ret_is_there)
{
    SysStat st;
    Str target;
    *ret_is_there = sys_lstat(link, &st) == 0;
    return *ret_is_there && sys_readlink(a, link, &target) == 0 && str_starts(target, bins);
}

/* Those whose command is gone. */
static void sweep(Arena *a, Str dir, Str bins)
{
    AUTO(SysDir) list = {0};
    SysDirEntry e;
    SysStat st;
    bool is_there;
    if (sys_dir_open(dir, &list) < 0) return;
    while (sys_dir_next(&list, &e) > 0) {
        Str link = path_join2(a, dir, e.name);
        if (is_ours(a, link, bins, &is_there) && sys_stat(link, &st) < 0) (void)sys_unlink(link);
    }
}

bool cli_global_end(Cli *cli, const PkgResult *result, Log *log)
{
    Arena *a = cli->arena;
    Str dir = pkg_global_bin(a), bins = path_join2(a, pkg_global_dir(a), S("node_modules/.bin/"));
    bool is_there;
    int rc = sys_mkdir_all(dir, 0755, NULL);
    sweep(a, dir, bins);
    for (u32 i = 0; rc >= 0 && i < result->n_lines; i++) {
        for (u32 j = 0; rc >= 0 && j < result->lines[i].n_bins; j++) {
            Str name = result->lines[i].bins[j], link = path_join2(a, dir, name);
            bool is_old = is_ours(a, link, bins, &is_there);
            if (is_there && !is_old)
                return log_error(log, (Span){0},
                                 "%.*s is there already and belongs to something else",
                                 STR_ARG(link));
            if (!is_old) rc = sys_symlink(str_concat(a, bins, name), link);
        }
    }
    return rc >= 0 || log_error(log, (Span){0}, "Cannot link commands in %.*s: %s", STR_ARG(dir),
                                err_text(rc));
}

void cli_global_print_end(Cli *cli)
{
    Str path = S(""), piece, dir = pkg_global_bin(cli->arena);
    (void)!sys_env_find(cli->arena, S("PATH"), &path);
    for (Str rest = path; path.p && str_next(&rest, ':', &piece);)
        if (str_eq(piece, dir)) return;
    cli_note("put %.*s on PATH to run their commands", STR_ARG(dir));
}
