/* cli/cli_link.c -- `cob link`, `cob unlink`: folders of packages that other projects take instead
 * of what a registry has.  The folder for all projects holds a link to each:
 *
 *     ~/.cob/install/global/node_modules/NAME -> the folder */
#include "cli/packages.h"
#include "util/err.h"
#include "util/path.h"

#include <stdio.h>

typedef struct {
    CliSource source;
    bool save;
} LinkOptions;

static const CliFlag flags[] = {
    CLI_FLAG("save", 0, CLI_BOOL, LinkOptions, save, NULL, "Write \"link:\" into package.json too"),
    CLI_SOURCE_FLAGS,
};

/* package.json of the current folder, with a name that can be linked. */
static bool own_package(Cli *cli, Log *log, CliPackage *ret)
{
    Str cwd, name, text;
    if (sys_cwd(cli->arena, &cwd) < 0)
        return log_error(log, (Span){0}, "The working directory is gone");
    int rc = cli_package_find(cli->arena, log, cwd, ret);
    if (rc == 0)
        return log_error(log, (Span){0}, "No package.json was found for directory \"%.*s\"",
                         STR_ARG(cwd));
    if (rc < 0) return false;
    if (!ret->name.n)
        return log_error(log, (Span){0}, "package.json missing \"name\" in \"%.*s\"",
                         STR_ARG(ret->path));
    return (cli_packages_cut(ret->name, &name, &text) && !text.n) ||
           log_error(log, (Span){0}, "invalid package.json name \"%.*s\" in \"%.*s\"",
                     STR_ARG(ret->name), STR_ARG(ret->path));
}

static int remember(Cli *cli)
{
    CliPackage pkg = {0};
    Log log;
    log_init(&log, cli->arena);
    if (!own_package(cli, &log, &pkg)) return cli_fail_with(&log);
    Str path = pkg_global_link(cli->arena, pkg.name);
    int rc = sys_mkdir_all(path_dirname(path), 0755, NULL);
    if (rc >= 0) {
        SysStat st;
        /* Another version that is installed for all projects stays. */
        bool is_folder = sys_lstat(path, &st) == 0 && S_ISDIR(st.mode);
        if (!is_folder) (void)sys_unlink(path);
        rc = sys_symlink(pkg.dir, path);
    }
    if (rc < 0) {
        cli_error("Cannot link %.*s: %s", STR_ARG(path), err_text(rc));
        return 1;
    }
    (void)printf("Success! Registered \"%.*s\"\n\nTo use %.*s in a project, run:\n  %s link %.*s\n"
                 "\nOr add it in dependencies in your package.json file:\n  \"%.*s\": "
                 "\"link:%.*s\"\n",
                 STR_ARG(pkg.name), STR_ARG(pkg.name), cli_own_name(cli), STR_ARG(pkg.name),
                 STR_ARG(pkg.name), STR_ARG(pkg.name));
    return 0;
}

static bool take_target(Cli *cli, Str name, Log *log, PkgChange *change)
{
    Arena *a = cli->arena;
    Str target = {0}, base = {0}, text = {0};
    if (!cli_packages_cut(name, &base, &text) || text.n)
        return log_error(log, (Span){0}, "\"%.*s\" is not the name of a package", STR_ARG(name));
    if (sys_readlink(a, pkg_global_link(a, name), &target) < 0)
        return log_error(log, (Span){0},
                         "Package \"%.*s\" is not linked: run \"%s link\" in its folder first (the "
                         "name is that of its package.json)",
                         STR_ARG(name), cli_own_name(cli));
    *change = (PkgChange){.name = name, .text = str_concat(a, S("link:"), name)};
    return true;
}

static int link_packages(Cli *cli, const LinkOptions *o, const Str *names, u32 n)
{
    Arena *a = cli->arena;
    PkgOptions pkg = {0};
    PkgResult result;
    Log log;
    log_init(&log, a);
    PkgChange *changes = ARENA_ARRAY(a, PkgChange, n);
    if (!cli_packages_open(cli, &o->source, &log, &pkg)) return cli_fail_with(&log);
    for (u32 i = 0; i < n; i++)
        if (!take_target(cli, names[i], &log, &changes[i])) return cli_fail_with(&log);
    pkg.changes = changes;
    pkg.n_changes = n;
    pkg.is_unsaved = !o->save;
    if (!cli_packages_install(cli, &pkg, &log, &result)) return cli_fail_with(&log);
    if (o->source.silent) return 0;
    for (u32 i = 0; i < n; i++)
        (void)printf("%sinstalled %.*s@%.*s\n", i ? "" : "\n", STR_ARG(names[i]),
                     STR_ARG(changes[i].text));
    return 0;
}

static int link_run(Cli *cli, const void *options, const Str *operands, u32 n_operands)
{
    if (!n_operands) return remember(cli);
    return link_packages(cli, options, operands, n_operands);
}

static int unlink_run(Cli *cli, const void *options, const Str *operands, u32 n_operands)
{
    CliPackage pkg = {0};
    SysStat st;
    Log log;
    (void)options;
    log_init(&log, cli->arena);
    if (n_operands) {
        cli_error("unlink takes no names: \"%s remove %.*s\" removes it from a project",
                  cli_own_name(cli), STR_ARG(operands[0]));
        return 1;
    }
    if (!own_package(cli, &log, &pkg)) return cli_fail_with(&log);
    Str path = pkg_global_link(cli->arena, pkg.name);
    if (sys_lstat(path, &st) < 0 || !S_ISLNK(st.mode)) {
        (void)printf("\"%.*s\" is not linked, so there is nothing to do\n", STR_ARG(pkg.name));
        return 0;
    }
    int rc = sys_unlink(path);
    if (rc < 0) {
        cli_error("Cannot remove %.*s: %s", STR_ARG(path), err_text(rc));
        return 1;
    }
    (void)printf("success: unlinked package \"%.*s\"\n", STR_ARG(pkg.name));
    return 0;
}

const CliCommand cli_link_command = {
    .name = "link",
    .args = "[packages]",
    .summary = "Let projects take this folder for its package, or take such folders",
    .example = "  cob link            # in the folder of the package\n"
               "  cob link my-lib     # in a project",
    .flags = flags,
    .n_flags = COUNT(flags),
    .options_size = sizeof(LinkOptions),
    .run = link_run,
};

const CliCommand cli_unlink_command = {
    .name = "unlink",
    .args = "",
    .summary = "Take back what link has done in this folder",
    .flags = flags + 1,
    .n_flags = COUNT(flags) - 1,
    .options_size = sizeof(LinkOptions),
    .run = unlink_run,
};
