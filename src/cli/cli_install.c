/* cli/cli_install.c -- `cob install`: node_modules from package.json and bun.lock; `cob add` and
 * `cob remove`, which change package.json first; `cob ci`, which changes nothing. */
#include "cli/cli.h"
#include "install/install.h"
#include "loop/loop.h"
#include "sys/sys.h"
#include "util/path.h"

#include <stdio.h>

typedef struct {
    Str registry, cache_dir;
    bool production, frozen, no_save, lockfile_only, force, silent, ignore_scripts;
    bool dev, optional, peer, prod, exact;
} InstallOptions;

#define INSTALL_FLAG(name, letter, kind, field, value, help)                                       \
    CLI_FLAG(name, letter, kind, InstallOptions, field, value, help)

/* clang-format off */
#define COMMON_FLAGS \
    INSTALL_FLAG("production", 'p', CLI_BOOL, production, NULL, "Leave devDependencies out"), \
    INSTALL_FLAG("frozen-lockfile", 0, CLI_BOOL, frozen, NULL, \
                 "Fail when bun.lock would have to change"), \
    INSTALL_FLAG("no-save", 0, CLI_BOOL_NO, no_save, NULL, "Write no lockfile"), \
    INSTALL_FLAG("lockfile-only", 0, CLI_BOOL, lockfile_only, NULL, \
                 "Write the lockfile and nothing else"), \
    INSTALL_FLAG("force", 'f', CLI_BOOL, force, NULL, "Link every package anew"), \
    INSTALL_FLAG("registry", 0, CLI_STR, registry, "url", "Ask this registry"), \
    INSTALL_FLAG("cache-dir", 0, CLI_STR, cache_dir, "path", "Keep packages there"), \
    INSTALL_FLAG("ignore-scripts", 0, CLI_BOOL, ignore_scripts, NULL, \
                 "Run no scripts of packages (they are never run yet)"), \
    INSTALL_FLAG("silent", 0, CLI_BOOL, silent, NULL, "Print errors only"), \
    CLI_NO_FIELD("cwd", 0, CLI_CWD, "path", "Work in that folder"),
/* clang-format on */

static const CliFlag flags[] = {COMMON_FLAGS};

static const CliFlag add_flags[] = {
    INSTALL_FLAG("dev", 'd', CLI_BOOL, dev, NULL, "Add to devDependencies"),
    INSTALL_FLAG("development", 'D', CLI_BOOL, dev, NULL, "The same"),
    INSTALL_FLAG("optional", 0, CLI_BOOL, optional, NULL, "Add to optionalDependencies"),
    INSTALL_FLAG("peer", 0, CLI_BOOL, peer, NULL, "Add to peerDependencies"),
    INSTALL_FLAG("save-prod", 'P', CLI_BOOL, prod, NULL,
                 "Add to dependencies, also when another group has it"),
    INSTALL_FLAG("exact", 'E', CLI_BOOL, exact, NULL, "Save the exact version, not a ^range"),
    COMMON_FLAGS};

/* The first of the variables that is set. */
static Str env_of(Arena *a, const Str *names, u32 n, Str otherwise)
{
    Str value;
    for (u32 i = 0; i < n; i++)
        if (sys_env_find(a, names[i], &value) && value.n) return value;
    return otherwise;
}

/* "registry=..." and "//host/path/:_authToken=..." of one .npmrc; what is there already stays. */
static void read_npmrc(Arena *a, Str path, PkgRegistry *r)
{
    enum { NPMRC_MAX = 1 << 20 };
    Str text, line, key, value;
    if (sys_read_file(a, path, NPMRC_MAX, &text) < 0) return;
    while (str_next(&text, '\n', &line)) {
        if (!str_cut(str_trim(line), '=', &key, &value)) continue;
        key = str_trim(key);
        value = str_trim(value);
        if (str_eq(key, S("registry")) && !r->url.n) r->url = value;
        Str host = r->url.n ? r->url : S("https://registry.npmjs.org");
        i64 slashes = str_find_str(host, S("//"));
        Str base = slashes < 0 ? host : str_skip(host, (usize)slashes);
        bool is_ours = str_starts(key, base) && str_ends(key, S(":_authToken"));
        if (is_ours && !r->auth.n && value.n && value.p[0] != '$')
            r->auth = str_fmt(a, "Bearer %.*s", STR_ARG(value));
    }
}

static void find_settings(Arena *a, const InstallOptions *flags_given, PkgOptions *o)
{
    static const Str registry_names[] = {
        {"COB_CONFIG_REGISTRY", 19}, {"BUN_CONFIG_REGISTRY", 19}, {"npm_config_registry", 19}};
    static const Str cache_names[] = {{"COB_INSTALL_CACHE_DIR", 21}, {"BUN_INSTALL_CACHE_DIR", 21}};
    static const Str home_names[] = {{"HOME", 4}};
    Str home = env_of(a, home_names, 1, S("/tmp"));
    PkgRegistry *r = ARENA_NEW(a, PkgRegistry);
    r->url = flags_given->registry;
    if (!r->url.n) r->url = env_of(a, registry_names, COUNT(registry_names), S(""));
    read_npmrc(a, path_join2(a, o->dir, S(".npmrc")), r);
    read_npmrc(a, path_join2(a, home, S(".npmrc")), r);
    if (!r->url.n) r->url = S("https://registry.npmjs.org");
    while (r->url.n && r->url.p[r->url.n - 1] == '/') r->url.n--;
    o->registries = r;
    o->n_registries = 1;
    Str cache = flags_given->cache_dir;
    if (!cache.n) cache = env_of(a, cache_names, COUNT(cache_names), S(""));
    Str fallback = path_join2(a, home, S(".cob/install/cache"));
    o->cache_dir = cache.n ? path_resolve(a, o->dir, o->dir, cache) : fallback;
}

static void print_result(const PkgResult *r, u64 started_ns)
{
    CliPaint p = cli_paint(1);
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

/* "name", "@scope/name@^1", "alias@npm:name@2". */
static bool cut_operand(Str operand, PkgChange *ret)
{
    if (!operand.n) return false;
    i64 at = str_find(str_skip(operand, 1), '@');
    ret->name = at < 0 ? operand : str_slice(operand, 0, (usize)at + 1);
    ret->text = at < 0 ? S("") : str_skip(operand, (usize)at + 2);
    bool is_scoped = str_starts(ret->name, S("@"));
    bool is_path = str_starts(ret->name, S(".")) || str_starts(ret->name, S("/"));
    i64 slash = str_find(ret->name, '/');
    return str_find(ret->name, ':') < 0 && !is_path && (is_scoped ? slash > 0 : slash < 0);
}

static Str group_of(const InstallOptions *o)
{
    if (o->dev) return S("devDependencies");
    if (o->optional) return S("optionalDependencies");
    if (o->peer) return S("peerDependencies");
    return o->prod ? S("dependencies") : S("");
}

static void take_changes(Cli *cli, const InstallOptions *o, const CliArgs *operands,
                         bool is_removal, PkgOptions *pkg, Log *log)
{
    PkgChange *changes = ARENA_ARRAY(cli->arena, PkgChange, operands->len + 1);
    for (u32 i = 0; i < operands->len; i++) {
        PkgChange *change = &changes[i];
        *change = (PkgChange){.group = group_of(o), .is_exact = o->exact, .is_removed = is_removal};
        if (!cut_operand(operands->at[i], change))
            (void)log_error(log, (Span){0},
                            "not implemented: packages that are not in a registry "
                            "(%.*s)",
                            STR_ARG(operands->at[i]));
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
    pkg->is_frozen |= o->frozen;
    pkg->is_unsaved = o->no_save;
    pkg->is_lockfile_only = o->lockfile_only;
    pkg->is_forced = o->force;
    if (sys_cwd(cli->arena, &pkg->dir) < 0)
        (void)log_error(&log, (Span){0}, "The working directory is gone");
    take_changes(cli, o, operands, is_removal, pkg, &log);
    if (log.n_errors) return cli_fail_with(&log);
    find_settings(cli->arena, o, pkg);
    Loop *loop = loop_new();
    bool ok = pkg_install(cli->arena, loop, pkg, &log, &result);
    loop_free(loop);
    if (!ok) return cli_fail_with(&log);
    if (!o->silent) print_end(&result, started_ns, pkg);
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
