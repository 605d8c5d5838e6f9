/* cli/cli_patch.c -- `cob patch`: a package of node_modules becomes one that may be edited (its
 * files are no links to the cache any more); with --commit, what was edited becomes a diff in the
 * folder "patches", which every install applies. */
#include "cli/pm.h"
#include "util/err.h"
#include "util/path.h"

#include <stdio.h>
#include <string.h>

typedef struct {
    PmOptions pm; /* the first: they are the same address */
    Str patches_dir;
    bool commit;
} PatchOptions;

typedef struct {
    Pm *pm;
    PkgProject project;
    const PkgPlace *place;
    Str id;  /* "leaf@1.5.0" */
    Str rel; /* "node_modules/leaf" */
    Str dir; /* the same, absolute */
} Patch;

/* "leaf", "leaf@1.5.0", "node_modules/leaf", "node_modules/a/node_modules/leaf/". */
static bool find_place(Patch *p, Str word)
{
    Arena *a = p->pm->cli->arena;
    Log *log = &p->pm->log;
    Str rel = path_normalize(a, word);
    u32 n = 0;
    while (rel.n > 1 && rel.p[rel.n - 1] == '/') rel.n--;
    if (!pkg_project_read(a, p->pm->pkg.dir, log, &p->project)) return false;
    for (u32 i = 1; i < p->project.n_places; i++) {
        const PkgPlace *place = &p->project.places[i];
        Str id = str_fmt(a, "%.*s@%.*s", STR_ARG(place->name), STR_ARG(place->version));
        Str dir = pkg_place_dir(a, place);
        bool is_one = str_eq(word, id) || str_eq(rel, dir) || str_eq(word, place->name);
        if (!is_one || (n && str_eq(p->id, id))) continue;
        n++;
        p->place = place;
        p->id = id;
        p->rel = dir;
        if (str_eq(rel, dir)) {
            n = 1;
            break;
        }
    }
    if (!n)
        return log_error(log, (Span){0}, "package %.*s not found: it is not in bun.lock",
                         STR_ARG(word));
    if (n > 1)
        return log_error(log, (Span){0},
                         "There are several versions of %.*s: name one, as in \"%.*s\"",
                         STR_ARG(word), STR_ARG(p->id));
    if (!p->place->is_registry)
        return log_error(log, (Span){0}, "%.*s is not from a registry: only such are patched",
                         STR_ARG(p->id));
    p->dir = path_join2(a, p->pm->pkg.dir, p->rel);
    /* With isolated packages it is a link. */
    return sys_realpath(a, p->dir, &p->dir) == 0 ||
           log_error(log, (Span){0}, "%.*s is not there: run \"%s install\" first", STR_ARG(p->rel),
                     cli_own_name(p->pm->cli));
}

/* ---- Begin ----------------------------------------------------------------------------------- */

/* Copies in place of links. */
static int detach(Patch *p)
{
    Arena *a = p->pm->cli->arena;
    Str copy = str_fmt(a, "%.*s.patch-%d", STR_ARG(p->dir), sys_pid());
    int rc = sys_link_tree(p->dir, copy, S(""), true);
    if (rc >= 0) rc = sys_remove_tree(p->dir);
    if (rc >= 0) rc = sys_rename(copy, p->dir);
    if (rc >= 0) return 0;
    (void)!sys_remove_tree(copy);
    return !log_error(&p->pm->log, (Span){0}, "Cannot copy %.*s: %s", STR_ARG(p->rel),
                      err_text(rc));
}

static int begin(Patch *p)
{
    const char *own = cli_own_name(p->pm->cli);
    if (detach(p)) return 1;
    (void)printf("\nTo patch %.*s, edit the following folder:\n\n  %.*s\n\nOnce you're done with "
                 "your changes, run:\n\n  %s patch --commit '%.*s'\n",
                 STR_ARG(p->place->name), STR_ARG(p->rel), own, STR_ARG(p->rel));
    return 0;
}

/* ---- Commit ---------------------------------------------------------------------------------- */

/* Two folders beside each other, "a" and "b", so that the names in the diff are right. */
static int make_diff(Patch *p, Str tmp, Str original, Buf *ret)
{
    Arena *a = p->pm->cli->arena;
    const char *words[] = {
        "-c",         "core.safecrlf=false", "diff", "--no-index", "--no-prefix", "--full-index",
        "--no-color", "--no-ext-diff",       "a",    "b",          NULL};
    Str old = path_join2(a, tmp, S("a")), new = path_join2(a, tmp, S("b"));
    int rc = sys_link_tree(original, old, S("node_modules"), false);
    if (rc >= 0) rc = sys_link_tree(p->dir, new, S("node_modules"), false);
    if (rc < 0) return rc;
    (void)sys_unlink(path_join2(a, old, S(".cob-files")));
    (void)sys_unlink(path_join2(a, new, S(".cob-files")));
    (void)sys_unlink(path_join2(a, new, S(".cob-patch")));
    return cli_git(a, tmp, words, ret);
}

static bool diff(Patch *p, Buf *ret)
{
    Arena *a = p->pm->cli->arena;
    Str tmp = S("/tmp"), folder;
    SysStat st;
    Str original = pkg_cached_dir(a, p->pm->pkg.cache_dir, p->place);
    if (sys_stat(original, &st) < 0)
        return log_error(
            &p->pm->log, (Span){0},
            "The cache does not have %.*s as it was: \"%s install --force\" in another "
            "folder with it brings it back",
            STR_ARG(p->id), cli_own_name(p->pm->cli));
    (void)(sys_env_find(a, S("TMPDIR"), &tmp) && tmp.n);
    int rc = sys_mkdtemp(a, path_join2(a, tmp, S("cob-patch-")), &folder);
    if (rc >= 0) {
        rc = make_diff(p, folder, original, ret);
        (void)!sys_remove_tree(folder);
    }
    if (rc >= 0 && rc <= 1) return true; /* 1: there are differences */
    if (rc > 1)
        return log_error(&p->pm->log, (Span){0}, "git diff failed: %.*s",
                         STR_ARG(str_trim(buf_str(ret))));
    return log_error(&p->pm->log, (Span){0}, "Cannot compare (with the program git): %s",
                     err_text(rc));
}

/* "@scope/name@1" becomes one name of a file. */
static Str file_name(Arena *a, Str id)
{
    Str scope, rest;
    if (str_cut(id, '/', &scope, &rest))
        return str_fmt(a, "%.*s%%2F%.*s.patch", STR_ARG(scope), STR_ARG(rest));
    return str_concat(a, id, S(".patch"));
}

static bool save(Patch *p, Str dir, Str text)
{
    Arena *a = p->pm->cli->arena;
    AUTO(Buf) quoted = {0};
    CliPackage root;
    Str rel = path_join2(a, dir, file_name(a, p->id));
    Str path = path_resolve(a, p->pm->pkg.dir, p->pm->pkg.dir, rel);
    int rc = cli_package_read(a, &p->pm->log, p->pm->pkg.dir, &root);
    if (rc <= 0) return log_error(&p->pm->log, (Span){0}, "Cannot read package.json");
    rc = sys_mkdir_all(path_dirname(path), 0755, NULL);
    if (rc >= 0) rc = sys_write_file_atomic(path, text, 0644);
    if (rc < 0)
        return log_error(&p->pm->log, (Span){0}, "Cannot write %.*s: %s", STR_ARG(path),
                         err_text(rc));
    Str keys[] = {S("patchedDependencies"), p->id};
    json_write_str(&quoted, rel);
    return cli_package_set(a, &p->pm->log, &root,
                           (JsonEdit){.keys = keys, .n_keys = 2, .value = buf_str(&quoted)});
}

static int commit(Patch *p, Str dir)
{
    AUTO(Buf) text = {0};
    PkgResult result;
    if (!diff(p, &text)) return 1;
    if (!text.len) {
        (void)printf("No changes in %.*s\n", STR_ARG(p->rel));
        return 0;
    }
    if (!save(p, dir, buf_str(&text))) return 1;
    p->pm->pkg.package = S("");
    if (!cli_packages_install(p->pm->cli, &p->pm->pkg, &p->pm->log, &result)) return 1;
    (void)printf("Saved %.*s/%.*s: every install applies it to %.*s\n", STR_ARG(dir),
                 STR_ARG(file_name(p->pm->cli->arena, p->id)), STR_ARG(p->id));
    return 0;
}

static int patch(Pm *pm)
{
    const PatchOptions *o = (const PatchOptions *)(const void *)pm->options;
    Patch *p = ARENA_NEW(pm->cli->arena, Patch);
    p->pm = pm;
    if (!find_place(p, pm->args.at[0])) return 1;
    Str dir = o->patches_dir.n ? o->patches_dir : S("patches");
    return o->commit ? commit(p, dir) : begin(p);
}

static int run(Cli *cli, const void *options, const Str *operands, u32 n_operands)
{
    const PatchOptions *o = options;
    if (n_operands) return cli_pm_run(cli, &o->pm, patch, false, (CliArgs){operands, n_operands});
    cli_error("Missing package name to patch");
    return 1;
}

static const CliFlag flags[] = {
    CLI_FLAG("commit", 0, CLI_BOOL, PatchOptions, commit, NULL,
             "Make a diff of what was edited, and keep it"),
    CLI_FLAG("patches-dir", 0, CLI_STR, PatchOptions, patches_dir, "dir",
             "Where that goes (patches)"),
    CLI_SOURCE_FLAGS,
};

const CliCommand cli_patch_command = {
    .name = "patch",
    .args = "<package>",
    .summary = "Change a package for good: edit it, then --commit",
    .example = "  cob patch react\n  cob patch --commit node_modules/react",
    .flags = flags,
    .n_flags = COUNT(flags),
    .options_size = sizeof(PatchOptions),
    .run = run,
};
