/* install/pkg_workspace.c -- the packages of the project itself: folders that "workspaces" of the
 * root's package.json names, by path or by pattern (with "!" in front: but not those). */
#include "install/pkg.h"
#include "util/err.h"
#include "util/glob.h"
#include "util/path.h"

#include <stdlib.h>

enum { WALK_DEPTH_MAX = 32 };

static bool take_workspace(PkgRun *run, Str dir)
{
    Arena *a = run->arena;
    Str path = str_fmt(a, "%.*s/%.*s/package.json", STR_ARG(run->options->dir), STR_ARG(dir)), text;
    int rc = sys_read_file(a, path, PKG_MANIFEST_MAX, &text);
    if (rc == -ENOENT || rc == -ENOTDIR) return true;
    if (rc < 0) return log_error(run->log, (Span){0}, "Cannot read %.*s", STR_ARG(path));
    Source *source = ARENA_NEW(a, Source);
    *source = (Source){path, text};
    if (str_eq(dir, run->options->package) && !pkg_change_text(run, source)) return false;
    text = source->text;
    JsonNode json;
    JsonError e;
    if (!json_parse(a, text, JSON_JSONC, &json, &e))
        return log_error(run->log, (Span){.src = source, .pos = e.offset}, "%s", e.what);
    Str name = json_find_str(a, &json, S("name"));
    if (!name.n) name = path_basename(dir, S(""));
    if (!pkg_name_is_fine(name))
        return log_error(run->log, (Span){.src = source}, "a workspace needs a \"name\"");
    bool is_new;
    u64 *slot = str_map_put(a, &run->workspaces, name, &is_new);
    if (!is_new)
        return str_eq(run->pkgs.at[*slot].workspace, dir) ||
               log_error(run->log, (Span){.src = source}, "Workspace name \"%.*s\" already exists",
                         STR_ARG(name));
    *slot = run->pkgs.len;
    Pkg *pkg = vec_add(a, &run->pkgs);
    *pkg = (Pkg){.name = name, .workspace = dir};
    pkg->version_text = json_find_str(a, &json, S("version"));
    if (!semver_parse(pkg->version_text, &pkg->version)) pkg->version = (Semver){0};
    pkg_take_deps(run, pkg, &json, true);
    pkg_take_bins(run, pkg, &json);
    pkg_trust_take(run, &json);
    return true;
}

/* ---- Patterns -------------------------------------------------------------------------------- */

typedef Vec(Glob *) Globs;

static bool is_refused(const Globs *refused, Str dir)
{
    for (u32 i = 0; i < refused->len; i++)
        if (glob_match(refused->at[i], dir)) return true;
    return false;
}

static bool walk(PkgRun *run, const Glob *glob, const Globs *refused, Str dir, u32 depth)
{
    AUTO(SysDir) list = {0};
    SysDirEntry entry;
    Arena *a = run->arena;
    if (depth > WALK_DEPTH_MAX || !glob_can_enter(glob, dir)) return true;
    if (sys_dir_open(path_join2(a, run->options->dir, dir), &list) < 0) return true;
    while (sys_dir_next(&list, &entry) > 0) {
        bool is_passed = (entry.type & S_IFMT) != S_IFDIR || entry.name.p[0] == '.' ||
                         str_eq(entry.name, S("node_modules"));
        if (is_passed) continue;
        Str name = str_dup(a, entry.name);
        Str path = dir.n ? path_join2(a, dir, name) : name;
        bool is_one = glob_match(glob, path) && !is_refused(refused, path);
        if (is_one && !take_workspace(run, path)) return false;
        if (!walk(run, glob, refused, path, depth + 1)) return false;
    }
    return true;
}

static Str clean(Arena *a, Str pattern)
{
    if (str_starts(pattern, S("./"))) pattern = str_skip(pattern, 2);
    pattern = path_normalize(a, pattern);
    return str_ends(pattern, S("/")) ? str_slice(pattern, 0, pattern.n - 1) : pattern;
}

static bool take_pattern(PkgRun *run, Str pattern, const Globs *refused)
{
    pattern = clean(run->arena, pattern);
    if (path_is_absolute(pattern) || str_starts(pattern, S("..")) || !pattern.n)
        return log_error(run->log, (Span){0}, "The workspace \"%.*s\" is outside of the project",
                         STR_ARG(pattern));
    if (!glob_is_magic(pattern))
        return is_refused(refused, pattern) || take_workspace(run, pattern);
    const Glob *glob = glob_new(run->arena, pattern, GLOB_NO_DOT);
    return !glob || walk(run, glob, refused, S(""), 0);
}

static int by_folder(const void *x, const void *y)
{
    return str_cmp(((const Pkg *)x)->workspace, ((const Pkg *)y)->workspace);
}

/* The order in which the file system lists them must not matter. */
static void sort_workspaces(PkgRun *run)
{
    Pkg *own = run->pkgs.at + 1;
    u32 n = run->pkgs.len - 1;
    if (n) qsort(own, n, sizeof(Pkg), by_folder);
    for (u32 i = 0; i < n; i++)
        *str_map_put(run->arena, &run->workspaces, own[i].name, NULL) = i + 1;
}

bool pkg_read_workspaces(PkgRun *run)
{
    Arena *a = run->arena;
    const JsonNode *list = json_find(&run->root_json, S("workspaces"));
    if (list && list->kind == JSON_OBJECT) list = json_find(list, S("packages"));
    if (!list || list->kind != JSON_ARRAY) return true;
    Globs refused = {0};
    for (u32 i = 0; i < list->len; i++) {
        Str text = list->items[i].kind == JSON_STRING ? json_str(a, &list->items[i]) : S("");
        if (!text.n || text.p[0] != '!') continue;
        Glob *glob = glob_new(a, clean(a, str_skip(text, 1)), 0);
        if (glob) vec_push(a, &refused, glob);
    }
    for (u32 i = 0; i < list->len; i++) {
        Str text = list->items[i].kind == JSON_STRING ? json_str(a, &list->items[i]) : S("");
        if (text.n && text.p[0] != '!' && !take_pattern(run, text, &refused)) return false;
    }
    sort_workspaces(run);
    return run->log->n_errors == 0;
}

/* Do the "workspaces" of that package.json include the folder? */
static bool includes(Arena *a, Str path, Str rel)
{
    Str text;
    JsonNode json;
    JsonError e;
    bool is_in = false;
    if (sys_read_file(a, path, PKG_MANIFEST_MAX, &text) < 0) return false;
    if (!json_parse(a, text, JSON_JSONC, &json, &e)) return false;
    const JsonNode *list = json_find(&json, S("workspaces"));
    if (list && list->kind == JSON_OBJECT) list = json_find(list, S("packages"));
    for (u32 i = 0; list && list->kind == JSON_ARRAY && i < list->len; i++) {
        if (list->items[i].kind != JSON_STRING) continue;
        Str pattern = json_str(a, &list->items[i]);
        bool is_not = str_starts(pattern, S("!"));
        const Glob *glob = glob_new(a, clean(a, is_not ? str_skip(pattern, 1) : pattern), 0);
        if (glob && glob_match(glob, rel)) is_in = !is_not;
    }
    return is_in;
}

Str pkg_find_project(Arena *a, Str cwd, Str *ret_package)
{
    Str nearest = cwd, dir;
    *ret_package = S("");
    while (sys_access(path_join2(a, nearest, S("package.json")), F_OK) < 0) {
        dir = path_dirname(nearest);
        if (dir.n == nearest.n) return cwd;
        nearest = dir;
    }
    for (dir = path_dirname(nearest);; dir = path_dirname(dir)) {
        Str rel = str_skip(nearest, dir.n == 1 ? 1 : dir.n + 1);
        if (includes(a, path_join2(a, dir, S("package.json")), rel)) {
            *ret_package = rel;
            return dir;
        }
        if (dir.n <= 1) return nearest;
    }
}

u32 pkg_find_workspace(PkgRun *run, const PkgSpec *spec)
{
    if (spec->kind > PKG_WORKSPACE) return 0;
    for (u32 i = 1; spec->where.n && i < run->pkgs.len && run->pkgs.at[i].workspace.n; i++)
        if (str_eq(run->pkgs.at[i].workspace, spec->where)) return i;
    u64 *slot = str_map_find(&run->workspaces, spec->name);
    if (!slot || spec->where.n) return 0;
    const Pkg *pkg = &run->pkgs.at[*slot];
    /* "workspace:" means that package, whatever its version. */
    bool is_fine = spec->kind == PKG_WORKSPACE || !pkg->version_text.n ||
                   (spec->kind == PKG_RANGE && semver_satisfies(&spec->range, &pkg->version));
    return is_fine ? (u32)*slot : 0;
}
