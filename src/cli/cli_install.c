/* cli/cli_install.c -- `cob install`: node_modules from package.json and bun.lock. */
#include "cli/cli.h"
#include "install/install.h"
#include "loop/loop.h"
#include "sys/sys.h"
#include "util/path.h"

#include <stdio.h>

typedef struct {
    Str registry, cache_dir;
    bool production, frozen, no_save, lockfile_only, force, silent, ignore_scripts;
} InstallOptions;

#define INSTALL_FLAG(name, letter, kind, field, value, help)                                       \
    CLI_FLAG(name, letter, kind, InstallOptions, field, value, help)

static const CliFlag flags[] = {
    INSTALL_FLAG("production", 'p', CLI_BOOL, production, NULL, "Leave devDependencies out"),
    INSTALL_FLAG("frozen-lockfile", 0, CLI_BOOL, frozen, NULL,
                 "Fail when bun.lock would have to change"),
    INSTALL_FLAG("no-save", 0, CLI_BOOL_NO, no_save, NULL, "Write no lockfile"),
    INSTALL_FLAG("lockfile-only", 0, CLI_BOOL, lockfile_only, NULL,
                 "Write the lockfile and nothing else"),
    INSTALL_FLAG("force", 'f', CLI_BOOL, force, NULL, "Link every package anew"),
    INSTALL_FLAG("registry", 0, CLI_STR, registry, "url", "Ask this registry"),
    INSTALL_FLAG("cache-dir", 0, CLI_STR, cache_dir, "path", "Keep packages there"),
    INSTALL_FLAG("ignore-scripts", 0, CLI_BOOL, ignore_scripts, NULL,
                 "Run no scripts of packages (they are never run yet)"),
    INSTALL_FLAG("silent", 0, CLI_BOOL, silent, NULL, "Print errors only"),
    CLI_NO_FIELD("cwd", 0, CLI_CWD, "path", "Work in that folder"),
};

/* The first of the variables that is set. */
static Str env_of(Arena *a, const Str *names, u32 n, Str otherwise)
{
    Str value;
    for (u32 i = 0; i < n; i++)
        if (sys_env_find(a, names[i], &value) && value.n) return value;
    return otherwise;
}

/* "registry=..." and "//host/path/:_authToken=..." of one .npmrc; what is there already stays. */
static void read_npmrc(Arena *a, Str path, PkgOptions *o)
{
    enum { NPMRC_MAX = 1 << 20 };
    Str text, line, key, value;
    if (sys_read_file(a, path, NPMRC_MAX, &text) < 0) return;
    while (str_next(&text, '\n', &line)) {
        if (!str_cut(str_trim(line), '=', &key, &value)) continue;
        key = str_trim(key);
        value = str_trim(value);
        if (str_eq(key, S("registry")) && !o->registry.n) o->registry = value;
        Str host = o->registry.n ? o->registry : S("https://registry.npmjs.org");
        i64 slashes = str_find_str(host, S("//"));
        Str base = slashes < 0 ? host : str_skip(host, (usize)slashes);
        bool is_ours = str_starts(key, base) && str_ends(key, S(":_authToken"));
        if (is_ours && !o->token.n && value.n && value.p[0] != '$') o->token = value;
    }
}

static void find_settings(Arena *a, const InstallOptions *flags_given, PkgOptions *o)
{
    static const Str registry_names[] = {
        {"COB_CONFIG_REGISTRY", 19}, {"BUN_CONFIG_REGISTRY", 19}, {"npm_config_registry", 19}};
    static const Str cache_names[] = {{"COB_INSTALL_CACHE_DIR", 21}, {"BUN_INSTALL_CACHE_DIR", 21}};
    static const Str home_names[] = {{"HOME", 4}};
    Str home = env_of(a, home_names, 1, S("/tmp"));
    o->registry = flags_given->registry;
    if (!o->registry.n) o->registry = env_of(a, registry_names, COUNT(registry_names), S(""));
    read_npmrc(a, path_join2(a, o->dir, S(".npmrc")), o);
    read_npmrc(a, path_join2(a, home, S(".npmrc")), o);
    if (!o->registry.n) o->registry = S("https://registry.npmjs.org");
    while (o->registry.n && o->registry.p[o->registry.n - 1] == '/') o->registry.n--;
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

static int install(Cli *cli, const void *options, const Str *operands, u32 n_operands)
{
    const InstallOptions *o = options;
    PkgOptions pkg = {.production = o->production,
                      .is_frozen = o->frozen,
                      .is_unsaved = o->no_save,
                      .is_lockfile_only = o->lockfile_only,
                      .is_forced = o->force};
    Log log;
    PkgResult result;
    u64 started_ns = sys_monotonic_ns();
    log_init(&log, cli->arena);
    if (n_operands)
        (void)log_error(&log, (Span){0}, "not implemented: install %.*s", STR_ARG(operands[0]));
    if (!n_operands && sys_cwd(cli->arena, &pkg.dir) < 0)
        (void)log_error(&log, (Span){0}, "The working directory is gone");
    if (log.n_errors) return cli_fail_with(&log);
    find_settings(cli->arena, o, &pkg);
    Loop *loop = loop_new();
    bool ok = pkg_install(cli->arena, loop, &pkg, &log, &result);
    loop_free(loop);
    if (!ok) return cli_fail_with(&log);
    if (!o->silent) print_result(&result, started_ns);
    return 0;
}

const CliCommand cli_install_command = {
    .name = "install",
    .alias = "i",
    .args = "",
    .summary = "Install what package.json asks for into node_modules",
    .flags = flags,
    .n_flags = COUNT(flags),
    .options_size = sizeof(InstallOptions),
    .run = install,
};
