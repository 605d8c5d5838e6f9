/* cli/cli_pm.c -- `cob pm`: what there is to say about a project, its packages and the cache. */
#include "cli/pm.h"
#include "util/err.h"
#include "util/path.h"

#include <stdio.h>

typedef struct {
    const char *name, *alias;
    int (*run)(Pm *pm);
    bool is_free; /* needs no package.json */
} Subcommand;

/* ---- Small ones ------------------------------------------------------------------------------ */

static int bin(Pm *pm)
{
    Arena *a = pm->cli->arena;
    Str dir = pm->options->global ? pkg_global_bin(a)
                                  : path_join2(a, pm->pkg.dir, S("node_modules/.bin"));
    (void)printf("%.*s\n", STR_ARG(dir));
    return 0;
}

static u32 count_entries(Str dir)
{
    AUTO(SysDir) list = {0};
    SysDirEntry e;
    u32 n = 0;
    if (sys_dir_open(dir, &list) < 0) return 0;
    while (sys_dir_next(&list, &e) > 0) n++;
    return n;
}

/* Only what looks like our own: the folder could be set to anything. */
static int clear_cache(Pm *pm)
{
    Str dir = pm->pkg.cache_dir, x = path_join2(pm->cli->arena, dir, S(".cobx"));
    u32 n_x = count_entries(x);
    if (pm->options->dry_run) {
        (void)printf("Would clear %.*s\n", STR_ARG(dir));
        return 0;
    }
    if (dir.n < 2 || str_eq(dir, pm->pkg.dir)) {
        cli_error("%.*s is no folder that may be cleared", STR_ARG(dir));
        return 1;
    }
    int rc = sys_remove_tree(dir);
    if (rc < 0 && rc != -ENOENT) {
        cli_error("Cannot clear %.*s: %s", STR_ARG(dir), err_text(rc));
        return 1;
    }
    (void)printf("Cleared '%s install' cache\n", cli_own_name(pm->cli));
    if (n_x)
        (void)printf("Cleared %u cached '%sx' package%s\n", n_x, cli_own_name(pm->cli),
                     n_x == 1 ? "" : "s");
    return 0;
}

static int cache(Pm *pm)
{
    if (!pm->args.len) {
        (void)printf("%.*s\n", STR_ARG(pm->pkg.cache_dir));
        return 0;
    }
    if (str_eq(pm->args.at[0], S("rm"))) return clear_cache(pm);
    cli_error("not implemented: pm cache %.*s (there is \"rm\")", STR_ARG(pm->args.at[0]));
    return 1;
}

static int whoami(Pm *pm)
{
    Arena *a = pm->cli->arena;
    const PkgRegistry *registry = &pm->pkg.registries[0];
    if (!registry->auth.n)
        return !log_error(&pm->log, (Span){0},
                          "missing authentication (run `%sx npm login`, or put a token for "
                          "%.*s into .npmrc)",
                          cli_own_name(pm->cli), STR_ARG(registry->url));
    PkgRequest request = {.url = str_fmt(a, "%.*s/-/whoami", STR_ARG(registry->url)),
                          .auth = registry->auth};
    PkgReply reply;
    JsonNode json;
    JsonError e;
    Loop *loop = loop_new();
    bool ok = pkg_request(a, loop, &pm->pkg, &request, &pm->log, &reply);
    loop_free(loop);
    if (!ok) return 1;
    if (reply.status != 200)
        return !log_error(&pm->log, (Span){0}, "GET %.*s answered %u%s", STR_ARG(request.url),
                          reply.status, reply.status == 401 ? ": the token is not valid" : "");
    Str name =
        json_parse(a, reply.body, 0, &json, &e) ? json_find_str(a, &json, S("username")) : S("");
    if (!name.n)
        return !log_error(&pm->log, (Span){0}, "%.*s did not say who you are",
                          STR_ARG(request.url));
    (void)printf("%.*s\n", STR_ARG(name));
    return 0;
}

static int why(Pm *pm)
{
    i64 depth = pm->options->top ? -1 : (i64)pm->options->depth;
    return cli_why(pm->cli, &pm->options->source, pm->args.at, pm->args.len, depth);
}

static int migrate(Pm *pm)
{
    PkgResult result;
    Arena *a = pm->cli->arena;
    Str path = path_join2(a, pm->pkg.dir, S("bun.lock")), old = str_concat(a, path, S(".old"));
    bool is_there = sys_access(path, F_OK) == 0;
    if (is_there && !pm->options->force)
        return !log_error(&pm->log, (Span){0},
                          "%.*s is there already: --force makes it anew from the other lockfile",
                          STR_ARG(path));
    int rc = is_there ? sys_rename(path, old) : 0;
    if (rc < 0)
        return !log_error(&pm->log, (Span){0}, "Cannot move %.*s: %s", STR_ARG(path), err_text(rc));
    pm->pkg.is_lockfile_only = pm->pkg.needs_import = true;
    bool ok = cli_packages_install(pm->cli, &pm->pkg, &pm->log, &result);
    if (is_there) rc = ok ? sys_unlink(old) : sys_rename(old, path);
    if (!ok || rc < 0) return 1;
    (void)printf("migrated lockfile from %.*s\n", STR_ARG(result.imported));
    return 0;
}

static int view(Pm *pm)
{
    return cli_info(pm->cli, &pm->options->source, pm->args, pm->options->json);
}

/* ---- Which ----------------------------------------------------------------------------------- */

static const Subcommand subcommands[] = {
    {"ls", "list", cli_pm_ls, false},
    {"bin", NULL, bin, false},
    {"cache", NULL, cache, true},
    {"hash", NULL, cli_pm_hash, false},
    {"hash-string", NULL, cli_pm_hash_string, false},
    {"hash-print", NULL, cli_pm_hash_print, false},
    {"pack", NULL, cli_pm_pack, false},
    {"pkg", NULL, cli_pm_pkg, false},
    {"version", NULL, cli_pm_version, false},
    {"whoami", NULL, whoami, true},
    {"migrate", NULL, migrate, false},
    {"view", "info", view, true},
    {"untrusted", NULL, cli_pm_untrusted, false},
    {"trust", NULL, cli_pm_trust, false},
    {"default-trusted", NULL, cli_pm_default_trusted, true},
    {"why", NULL, why, false},
};

static const char *const later[] = {
    "scan",
    "diff",
    "licenses",
    "fetch",
};

static const Subcommand *find(Str name)
{
    for (u32 i = 0; i < COUNT(subcommands); i++) {
        const Subcommand *s = &subcommands[i];
        if (str_eq(name, str_z(s->name)) || (s->alias && str_eq(name, str_z(s->alias)))) return s;
    }
    return NULL;
}

static int refuse(Cli *cli, Str name)
{
    const char *names[COUNT(subcommands)];
    for (u32 i = 0; i < COUNT(later); i++) {
        if (!str_eq(name, str_z(later[i]))) continue;
        cli_error("not implemented: %s pm %s", cli_own_name(cli), later[i]);
        return 1;
    }
    for (u32 i = 0; i < COUNT(subcommands); i++) names[i] = subcommands[i].name;
    const char *near = cli_closest(name, names, COUNT(names));
    cli_error("\"%.*s\" unknown command", STR_ARG(name));
    if (near) cli_note("did you mean \"%s pm %s\"?", cli_own_name(cli), near);
    return 1;
}

int cli_pm_run(Cli *cli, const PmOptions *options, int run(Pm *pm), bool is_free, CliArgs args)
{
    Pm *pm = ARENA_NEW(cli->arena, Pm); /* messages point into it */
    *pm = (Pm){.cli = cli, .options = options, .args = args};
    log_init(&pm->log, cli->arena);
    if (!cli_packages_open(cli, &options->source, &pm->log, &pm->pkg))
        return cli_fail_with(&pm->log);
    Str dir = path_join2(cli->arena, pm->pkg.dir, pm->pkg.package);
    int rc = cli_package_read(cli->arena, &pm->log, dir, &pm->package);
    if (rc == 0 && !is_free) {
        cli_error("No package.json was found for directory \"%.*s\"", STR_ARG(dir));
        cli_note("run \"%s init\" to make one", cli_own_name(cli));
        return 1;
    }
    if (rc < 0 && !is_free) return cli_fail_with(&pm->log);
    int code = run(pm);
    if (fflush(stdout)) code = 1;
    return pm->log.n_errors ? cli_fail_with(&pm->log) : code;
}

static int run(Cli *cli, const void *options, const Str *operands, u32 n_operands)
{
    if (!n_operands) {
        cli_print_command_help(cli, &cli_pm_command);
        return 0;
    }
    const Subcommand *s = find(operands[0]);
    if (!s) return refuse(cli, operands[0]);
    return cli_pm_run(cli, options, s->run, s->is_free, (CliArgs){operands + 1, n_operands - 1});
}

#define PM_FLAG(name, letter, kind, field, value, help)                                            \
    CLI_FLAG(name, letter, kind, PmOptions, field, value, help)

static const CliFlag flags[] = {
    PM_FLAG("all", 'a', CLI_BOOL, all, NULL, "ls: packages of packages too; trust: all of them"),
    PM_FLAG("prod", 'p', CLI_BOOL, production, NULL, "ls: without devDependencies"),
    PM_FLAG("production", 0, CLI_BOOL, production, NULL, "The same"),
    PM_FLAG("global", 'g', CLI_BOOL, global, NULL, "bin: of packages for all projects"),
    PM_FLAG("json", 0, CLI_BOOL, json, NULL, "pkg set: values are JSON; otherwise print JSON"),
    PM_FLAG("dry-run", 0, CLI_BOOL, dry_run, NULL, "Write nothing"),
    PM_FLAG("top", 0, CLI_BOOL, top, NULL, "why: only who needs it directly"),
    PM_FLAG("depth", 0, CLI_U32, depth, "n", "why: so many levels"),
    PM_FLAG("preid", 0, CLI_STR, preid, "word", "version: the word of a prerelease"),
    PM_FLAG("message", 'm', CLI_STR, message, "text", "version: of the commit, %s is the version"),
    PM_FLAG("no-git-tag-version", 0, CLI_BOOL_NO, no_git_tag, NULL,
            "version: make no commit and no tag"),
    PM_FLAG("allow-same-version", 0, CLI_BOOL, allow_same, NULL,
            "version: that it stays as it is is no error"),
    PM_FLAG("force", 'f', CLI_BOOL, force, NULL,
            "version: even with changes that are not committed; migrate: again"),
    PM_FLAG("ignore-scripts", 0, CLI_BOOL, ignore_scripts, NULL, "Run no scripts of package.json"),
    PM_FLAG("destination", 0, CLI_STR, destination, "dir", "pack: where the tarball goes"),
    PM_FLAG("filename", 0, CLI_STR, filename, "file", "pack: the tarball"),
    PM_FLAG("gzip-level", 0, CLI_U32, gzip_level, "n", "pack: 0 to 9 (9)"),
    PM_FLAG("quiet", 'q', CLI_BOOL, quiet, NULL, "pack: print the name of the tarball only"),
    CLI_SOURCE_FLAGS,
};

static const PmOptions defaults = {.gzip_level = CLI_PACK_LEVEL_UNSET};

const CliCommand cli_pm_command = {
    .name = "pm",
    .args = "<ls|bin|cache|hash|migrate|pack|pkg|version|whoami|why> [args]",
    .summary = "Ask and change things about packages",
    .example = "  cob pm ls --all              the packages in node_modules\n"
               "  cob pm bin [-g]              where their commands are\n"
               "  cob pm cache [rm]            where the cache is; empty it\n"
               "  cob pm hash                  of the names and versions in the lockfile\n"
               "  cob pm hash-string           what that is made of\n"
               "  cob pm migrate               bun.lock from the lockfile of npm, Yarn or pnpm\n"
               "  cob pm pack [--dry-run]      the tarball that would be published\n"
               "  cob pm pkg get version       values of package.json\n"
               "  cob pm pkg set scripts.test='cob test' 'files[]=dist'\n"
               "  cob pm pkg delete keywords\n"
               "  cob pm version patch         a new version, with commit and tag\n"
               "  cob pm untrusted             packages whose scripts were not run\n"
               "  cob pm trust <names|--all>   run them, from now on\n"
               "  cob pm default-trusted       whose scripts run anyway\n"
               "  cob pm whoami                your name at the registry\n"
               "  cob pm why react             who needs it",
    .flags = flags,
    .n_flags = COUNT(flags),
    .options_size = sizeof(PmOptions),
    .defaults = &defaults,
    .run = run,
};
