/* cli/cli_install.c -- `cob install`: node_modules from package.json and bun.lock; `cob add` and
 * `cob remove`, which change package.json first; `cob ci`, which changes nothing. */
#include "cli/packages.h"
#include "util/path.h"

#include <stdio.h>

typedef struct {
    CliSource source;
    Str linker, backend, age;
    CliList omit, age_excludes;
    bool production, frozen, no_save, lockfile_only, force, ignore_scripts, dry_run, no_summary;
    bool dev, optional, peer, prod, exact, trust, no_sandbox, global;
    u32 n_scripts;
} InstallOptions;

#define INSTALL_FLAG(name, letter, kind, field, value, help)                                       \
    CLI_FLAG(name, letter, kind, InstallOptions, field, value, help)

/* clang-format off */
#define COMMON_FLAGS \
    INSTALL_FLAG("production", 'p', CLI_BOOL, production, NULL, "Leave devDependencies out"), \
    INSTALL_FLAG("omit", 0, CLI_LIST, omit, "dev|optional|peer", "Leave such dependencies out"), \
    INSTALL_FLAG("frozen-lockfile", 0, CLI_BOOL, frozen, NULL, \
                 "Fail when bun.lock would have to change"), \
    INSTALL_FLAG("no-save", 0, CLI_BOOL_NO, no_save, NULL, \
                 "Write neither package.json nor a lockfile"), \
    INSTALL_FLAG("dry-run", 0, CLI_BOOL, dry_run, NULL, "Find versions and write nothing"), \
    INSTALL_FLAG("lockfile-only", 0, CLI_BOOL, lockfile_only, NULL, \
                 "Write the lockfile and nothing else"), \
    INSTALL_FLAG("force", 'f', CLI_BOOL, force, NULL, \
                 "Ask for everything again, and link every package anew"), \
    INSTALL_FLAG("linker", 0, CLI_STR, linker, "hoisted|isolated", \
                 "How node_modules is laid out"), \
    INSTALL_FLAG("backend", 0, CLI_STR, backend, "hardlink", \
                 "How files get there: links, or copies where there can be none"), \
    INSTALL_FLAG("minimum-release-age", 0, CLI_STR, age, "3d", \
                 "Take no versions that are younger"), \
    INSTALL_FLAG("minimum-release-age-excludes", 0, CLI_LIST, age_excludes, "names", \
                 "... but of these packages"), \
    INSTALL_FLAG("ignore-scripts", 0, CLI_BOOL, ignore_scripts, NULL, \
                 "Run no lifecycle scripts"), \
    INSTALL_FLAG("concurrent-scripts", 0, CLI_U32, n_scripts, "n", \
                 "Run the scripts of so many packages at once"), \
    INSTALL_FLAG("no-script-sandbox", 0, CLI_BOOL_NO, no_sandbox, NULL, \
                 "Let scripts of packages write anywhere and use the network"), \
    INSTALL_FLAG("no-summary", 0, CLI_BOOL_NO, no_summary, NULL, "Print no list of packages"), \
    CLI_NO_FIELD("save", 0, CLI_IGNORED, NULL, "Save, as is done anyway"), \
    CLI_NO_FIELD("save-text-lockfile", 0, CLI_IGNORED, NULL, "It always is text"), \
    CLI_NO_FIELD("network-concurrency", 0, CLI_IGNORED_VALUE, "n", "Accepted, changes nothing"), \
    CLI_NO_FIELD("no-verify", 0, CLI_IGNORED, NULL, "Accepted: integrity is always checked"), \
    CLI_NO_FIELD("filter", 'F', CLI_LATER_VALUE, "pattern", "Install for some workspaces"), \
    INSTALL_FLAG("global", 'g', CLI_BOOL, global, NULL, "For all projects"), \
    CLI_SOURCE_FLAGS
/* clang-format on */

static const CliFlag flags[] = {COMMON_FLAGS};

static const CliFlag add_flags[] = {
    INSTALL_FLAG("dev", 'd', CLI_BOOL, dev, NULL, "Add to devDependencies"),
    INSTALL_FLAG("development", 'D', CLI_BOOL, dev, NULL, "The same"),
    INSTALL_FLAG("optional", 0, CLI_BOOL, optional, NULL, "Add to optionalDependencies"),
    INSTALL_FLAG("peer", 0, CLI_BOOL, peer, NULL, "Add to peerDependencies"),
    INSTALL_FLAG("save-prod", 'P', CLI_BOOL, prod, NULL,
                 "Add to dependencies, also when another group has it"),
    INSTALL_FLAG("trust", 0, CLI_BOOL, trust, NULL, "Let their lifecycle scripts run"),
    INSTALL_FLAG("exact", 'E', CLI_BOOL, exact, NULL, "Save the exact version, not a ^range"),
    COMMON_FLAGS};

static bool take_omitted(const CliList *omit, PkgOptions *pkg, Log *log)
{
    for (u32 i = 0; i < omit->len; i++) {
        Str group = omit->at[i];
        if (str_eq(group, S("dev")))
            pkg->production = true;
        else if (str_eq(group, S("optional")))
            pkg->without_optional = true;
        else if (str_eq(group, S("peer")))
            pkg->without_peers = true;
        else
            return log_error(log, (Span){0}, "--omit takes dev, optional or peer, not \"%.*s\"",
                             STR_ARG(group));
    }
    return true;
}

/* Lists with commas, given once or more often. */
static void take_age_excludes(Arena *a, const CliList *lists, PkgSettings *s)
{
    CliList all = {0};
    for (u32 i = 0; i < lists->len; i++) {
        Str rest = lists->at[i], one;
        while (str_next(&rest, ',', &one)) vec_push(a, &all, str_trim(one));
    }
    s->age_excludes = all.at;
    s->n_age_excludes = all.len;
}

static bool take_settings(Cli *cli, const InstallOptions *o, PkgOptions *pkg, Log *log)
{
    Arena *a = cli->arena;
    PkgSettings s = {.linker = o->linker, .age_min = o->age};
    if (o->age_excludes.len) take_age_excludes(a, &o->age_excludes, &s);
    if (!cli_packages_settings(cli, &o->source, log, &s, pkg)) return false;
    if (o->linker.n && !str_eq(o->linker, S("hoisted")) && !str_eq(o->linker, S("isolated")))
        return log_error(log, (Span){0}, "--linker takes hoisted or isolated, not \"%.*s\"",
                         STR_ARG(o->linker));
    bool has_exact = s.exact == 1;
    PkgChange *changes = (PkgChange *)(uintptr_t)pkg->changes;
    for (u32 i = 0; has_exact && i < pkg->n_changes; i++) changes[i].is_exact = true;
    pkg->is_unsaved |= s.save == 0;
    CliPackageScripts scripts = {
        .n_max = o->n_scripts, .is_free = o->no_sandbox, .is_silent = o->source.silent};
    if (!o->ignore_scripts) cli_packages_scripts_by(cli, &scripts, &s, pkg);
    return pkg_settings_apply(a, &s, log, pkg);
}

static void print_result(const PkgResult *r, u64 started_ns)
{
    CliPaint p = cli_paint(1);
    if (r->imported.n && r->is_lock_saved)
        (void)printf("migrated lockfile from %.*s\n", STR_ARG(r->imported));
    f64 ms = (f64)(sys_monotonic_ns() - started_ns) / 1e6;
    if (r->n_linked) (void)printf("\n");
    for (u32 i = 0; r->n_linked && i < r->n_lines; i++) {
        const PkgLine *line = &r->lines[i];
        (void)printf("%s+%s %s%.*s%s@%.*s", p.cyan, p.off, p.bold, STR_ARG(line->name), p.off,
                     STR_ARG(line->version));
        if (line->latest.n) (void)printf(" (v%.*s available)", STR_ARG(line->latest));
        (void)printf("\n");
    }
    if (r->n_linked)
        (void)printf("\n%u package%s installed [%.2fms]\n", r->n_linked,
                     r->n_linked == 1 ? "" : "s", ms);
    else
        (void)printf("Checked %u install%s (no changes) [%.2fms]\n", r->n_packages,
                     r->n_packages == 1 ? "" : "s", ms);
}

/* ---- What is to be changed ------------------------------------------------------------------- */

static Str group_of(const InstallOptions *o)
{
    if (o->dev) return S("devDependencies");
    if (o->optional) return S("optionalDependencies");
    if (o->peer) return S("peerDependencies");
    return o->prod ? S("dependencies") : S("");
}

/* A path, an archive, a repository: it has a name, but not here. */
static Str placeholder(Arena *a, u32 index)
{
    return str_fmt(a, "unnamed-%u", index);
}

static void take_changes(Cli *cli, const InstallOptions *o, const CliArgs *operands,
                         bool is_removal, PkgOptions *pkg, Log *log)
{
    PkgChange *changes = ARENA_ARRAY(cli->arena, PkgChange, operands->len + 1);
    for (u32 i = 0; i < operands->len; i++) {
        PkgChange *change = &changes[i];
        *change = (PkgChange){.group = group_of(o),
                              .is_exact = o->exact,
                              .is_removed = is_removal,
                              .is_trusted = o->trust};
        if (!is_removal && pkg_text_is_source(cli->arena, operands->at[i])) {
            Str cwd, text = operands->at[i];
            bool is_relative = o->global && str_starts(text, S("."));
            if (is_relative && sys_cwd(cli->arena, &cwd) == 0)
                text = path_join2(cli->arena, cwd, text);
            change->name = placeholder(cli->arena, i);
            change->text = text;
            change->is_unnamed = true;
        } else if (!cli_packages_cut(operands->at[i], &change->name, &change->text)) {
            (void)log_error(log, (Span){0}, "\"%.*s\" is not the name of a package",
                            STR_ARG(operands->at[i]));
        }
    }
    pkg->changes = changes;
    pkg->n_changes = operands->len;
}

static void print_added(const PkgResult *r)
{
    CliPaint p = cli_paint(1);
    (void)printf("\n");
    for (u32 i = 0; i < r->n_lines; i++) {
        const PkgLine *line = &r->lines[i];
        if (!line->is_added) continue;
        (void)printf("%sinstalled%s %s%.*s%s@", p.cyan, p.off, p.bold, STR_ARG(line->name), p.off);
        if (line->alias_of.n) (void)printf("npm:%.*s@", STR_ARG(line->alias_of));
        (void)printf("%.*s%s\n", STR_ARG(line->version), line->n_bins ? " with binaries:" : "");
        for (u32 j = 0; j < line->n_bins; j++) (void)printf(" - %.*s\n", STR_ARG(line->bins[j]));
    }
    (void)printf("\n");
}

/* ---- The commands ---------------------------------------------------------------------------- */

static void print_end(const PkgResult *r, u64 started_ns, const PkgOptions *pkg)
{
    f64 ms = (f64)(sys_monotonic_ns() - started_ns) / 1e6;
    if (!pkg->n_changes) return print_result(r, started_ns);
    if (!pkg->changes[0].is_removed) {
        print_added(r);
        if (r->n_linked)
            (void)printf("%u package%s installed [%.2fms]\n", r->n_linked,
                         r->n_linked == 1 ? "" : "s", ms);
        else
            (void)printf("[%.2fms] done\n", ms);
        return;
    }
    (void)printf("\n");
    for (u32 i = 0; i < pkg->n_changes; i++)
        (void)printf("- %.*s\n", STR_ARG(pkg->changes[i].name));
    if (r->n_removed)
        (void)printf("%u package%s removed [%.2fms]\n", r->n_removed, r->n_removed == 1 ? "" : "s",
                     ms);
    else
        (void)printf("[%.2fms] done\n", ms);
}

static int run(Cli *cli, const InstallOptions *o, PkgOptions *pkg, const CliArgs *operands,
               bool is_removal)
{
    Log log;
    PkgResult result;
    u64 started_ns = sys_monotonic_ns();
    log_init(&log, cli->arena);
    pkg->production = o->production;
    pkg->is_frozen |= o->frozen || (o->production && !operands->len);
    pkg->is_unsaved = o->no_save;
    pkg->is_lockfile_only = o->lockfile_only;
    pkg->is_forced = o->force;
    pkg->is_dry = o->dry_run;
    Str cwd;
    if (sys_cwd(cli->arena, &cwd) < 0)
        (void)log_error(&log, (Span){0}, "The working directory is gone");
    else if (o->global)
        (void)!cli_global_begin(cli, &log, pkg);
    else
        pkg->dir = pkg_find_project(cli->arena, cwd, &pkg->package);
    take_changes(cli, o, operands, is_removal, pkg, &log);
    if (log.n_errors || !take_omitted(&o->omit, pkg, &log) || !take_settings(cli, o, pkg, &log))
        return cli_fail_with(&log);
    if (!cli_packages_install(cli, pkg, &log, &result)) return cli_packages_fail(&log, &result);
    if (o->global && !o->dry_run && !cli_global_end(cli, &result, &log)) return cli_fail_with(&log);
    if (!o->source.silent && !o->no_summary) print_end(&result, started_ns, pkg);
    if (!o->source.silent) cli_packages_print_end(cli, &log, &result);
    if (!o->source.silent && o->global && !is_removal) cli_global_print_end(cli);
    return 0;
}

static int install(Cli *cli, const void *options, const Str *operands, u32 n_operands)
{
    PkgOptions pkg = {0};
    return run(cli, options, &pkg, &(CliArgs){operands, n_operands}, false);
}

static int add(Cli *cli, const void *options, const Str *operands, u32 n_operands)
{
    if (n_operands) return install(cli, options, operands, n_operands);
    cli_error("no package specified to add");
    return 1;
}

static int remove_packages(Cli *cli, const void *options, const Str *operands, u32 n_operands)
{
    PkgOptions pkg = {0};
    if (n_operands) return run(cli, options, &pkg, &(CliArgs){operands, n_operands}, true);
    cli_error("no package specified to remove");
    return 1;
}

static int ci(Cli *cli, const void *options, const Str *operands, u32 n_operands)
{
    PkgOptions pkg = {.is_frozen = true};
    (void)operands;
    (void)n_operands;
    return run(cli, options, &pkg, &(CliArgs){0}, false);
}

const CliCommand cli_install_command = {
    .name = "install",
    .alias = "i",
    .args = "[packages]",
    .summary = "Install what package.json asks for into node_modules",
    .flags = add_flags,
    .n_flags = COUNT(add_flags),
    .options_size = sizeof(InstallOptions),
    .run = install,
};

const CliCommand cli_add_command = {
    .name = "add",
    .alias = "a",
    .args = "<packages>",
    .summary = "Add packages to package.json and install them",
    .flags = add_flags,
    .n_flags = COUNT(add_flags),
    .options_size = sizeof(InstallOptions),
    .run = add,
};

const CliCommand cli_remove_command = {
    .name = "remove",
    .alias = "rm",
    .args = "<packages>",
    .summary = "Remove packages from package.json and node_modules",
    .flags = flags,
    .n_flags = COUNT(flags),
    .options_size = sizeof(InstallOptions),
    .run = remove_packages,
};

const CliCommand cli_ci_command = {
    .name = "ci",
    .args = "",
    .summary = "Install exactly what the lockfile has",
    .flags = flags,
    .n_flags = COUNT(flags),
    .options_size = sizeof(InstallOptions),
    .run = ci,
};
