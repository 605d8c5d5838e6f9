/* cli/cli_workspace.c -- the packages of a monorepo, and the order in which they depend on each
 * other.
 *
 * The root is the nearest folder upwards whose package.json has "workspaces" that include the
 * current package.  Without one, every package below the nearest package.json (or below the current
 * folder) counts. */
#include "cli/run.h"
#include "util/glob.h"
#include "util/map.h"
#include "util/path.h"

#include <stdlib.h>

#include <stdio.h>

enum { FOLDERS_MAX = 100000 };

typedef struct {
    const Glob *glob;
    bool is_negative;
} Pattern;
typedef Vec(Pattern) Patterns;

typedef struct {
    Cli *cli;
    Log log;
    Str root;
    Patterns patterns;
    Vec(CliWorkspace) found;
    u32 n_folders;
} Finder;

/* ---- Which folders ----------------------------------------------------------------------------
 */

static void add_pattern(Finder *f, Str text)
{
    Pattern p = {0};
    if (str_starts(text, S("!"))) {
        p.is_negative = true;
        text = str_skip(text, 1);
    }
    while (str_starts(text, S("./"))) text = str_skip(text, 2);
    while (text.n && text.p[text.n - 1] == '/') text.n--;
    p.glob = glob_new(f->cli->arena, text, 0);
    if (p.glob) vec_push(f->cli->arena, &f->patterns, p);
}

/* "workspaces" is an array, or an object with "packages".  false: there are none. */
static bool read_patterns(Finder *f, const CliPackage *pkg)
{
    const JsonNode *list = json_find(&pkg->json, S("workspaces"));
    if (list && list->kind == JSON_OBJECT) list = json_find(list, S("packages"));
    if (!list || list->kind != JSON_ARRAY) return false;
    f->patterns.len = 0;
    for (u32 i = 0; i < list->len; i++)
        if (list->items[i].kind == JSON_STRING)
            add_pattern(f, json_str(f->cli->arena, &list->items[i]));
    return true;
}

static bool is_member(const Finder *f, Str rel)
{
    bool is_in = false;
    for (u32 i = 0; i < f->patterns.len; i++) {
        const Pattern *p = &f->patterns.at[i];
        if (glob_match(p->glob, rel)) is_in = !p->is_negative;
    }
    return is_in;
}

static bool can_enter(const Finder *f, Str rel)
{
    for (u32 i = 0; i < f->patterns.len; i++) {
        const Pattern *p = &f->patterns.at[i];
        if (!p->is_negative && glob_can_enter(p->glob, rel)) return true;
    }
    return false;
}

static bool add_package(Finder *f, Str rel)
{
    Arena *a = f->cli->arena;
    CliWorkspace w = {.rel = rel};
    Str dir = rel.n ? path_join2(a, f->root, rel) : f->root;
    Log log;
    log_init(&log, a);
    int rc = cli_package_read(a, rel.n ? &log : &f->log, dir, &w.package);
    if (rc < 0 && rel.n) {
        /* What is broken there does not keep the others from running. */
        (void)fprintf(
            stderr, "warn: Failed to read \"%.*s/package.json\", skipping this workspace package\n",
            STR_ARG(dir));
        return true;
    }
    if (rc <= 0) return rc == 0;
    w.label = w.package.name.n ? w.package.name : rel.n ? rel : path_basename(dir, S(""));
    vec_push(a, &f->found, w);
    return true;
}

static bool walk(Finder *f)
{
    Arena *a = f->cli->arena;
    Vec(Str) todo = {0};
    vec_push(a, &todo, S(""));
    while (todo.len && f->n_folders++ < FOLDERS_MAX) {
        Str rel = vec_pop(&todo);
        if (rel.n && is_member(f, rel) && !add_package(f, rel)) return false;
        if (!can_enter(f, rel)) continue;
        AUTO(SysDir) d = {0};
        SysDirEntry e;
        if (sys_dir_open(rel.n ? path_join2(a, f->root, rel) : f->root, &d) < 0) continue;
        while (sys_dir_next(&d, &e) > 0) {
            bool is_left_out = e.type != S_IFDIR || str_eq(e.name, S("node_modules")) ||
                               str_starts(e.name, S("."));
            if (is_left_out) continue;
            Str below =
                rel.n ? str_fmt(a, "%.*s/%.*s", STR_ARG(rel), STR_ARG(e.name)) : str_dup(a, e.name);
            vec_push(a, &todo, below);
        }
    }
    return true;
}

/* ---- The root ---------------------------------------------------------------------------------
 */

static Str below(Str root, Str dir)
{
    Str rel = str_skip(dir, root.n);
    return str_starts(rel, S("/")) ? str_skip(rel, 1) : rel;
}

/* false: an error, or no root with workspaces. */
static bool find_root(Finder *f, Str cwd)
{
    CliPackage pkg;
    Str nearest = {0};
    for (Str dir = cwd;; dir = path_dirname(dir)) {
        int rc = cli_package_read(f->cli->arena, &f->log, dir, &pkg);
        if (rc < 0) return false;
        bool has_workspaces = rc == 1 && read_patterns(f, &pkg);
        if (rc == 1 && !nearest.p) nearest = dir;
        bool is_ours = has_workspaces && (nearest.n == dir.n || is_member(f, below(dir, nearest)));
        if (is_ours) {
            f->root = dir;
            return true;
        }
        if (dir.n <= 1) break;
    }
    f->patterns.len = 0;
    f->root = nearest.p ? nearest : cwd;
    add_pattern(f, S("**"));
    return add_package(f, S(""));
}

/* ---- Order ------------------------------------------------------------------------------------
 */

static int by_path(const void *x, const void *y)
{
    const CliWorkspace *a = x, *b = y;
    return str_cmp(a->rel, b->rel);
}

static void add_deps(Arena *a, const StrMap *by_name, CliWorkspace *w)
{
    static const char *const groups[] = {"dependencies", "devDependencies", "optionalDependencies",
                                         "peerDependencies"};
    Vec(u32) deps = {0};
    for (u32 g = 0; g < COUNT(groups); g++) {
        const JsonNode *group = json_find(&w->package.json, str_z(groups[g]));
        if (!group || group->kind != JSON_OBJECT) continue;
        for (u32 i = 0; i < group->len; i++) {
            const u64 *at = str_map_find(by_name, json_str(a, &group->items[i * 2]));
            if (at) vec_push(a, &deps, (u32)*at);
        }
    }
    w->deps = deps.at;
    w->n_deps = deps.len;
}

/* Each is taken once all it depends on are; when a circle stops that, the first one left is. */
static void sort_by_deps(Arena *a, CliWorkspaces *all)
{
    CliWorkspace *sorted = ARENA_ARRAY(a, CliWorkspace, all->len + 1);
    u32 *place = ARENA_ARRAY(a, u32, all->len + 1);
    bool *is_taken = ARENA_ARRAY(a, bool, all->len + 1);
    for (u32 n = 0; n < all->len; n++) {
        u32 pick = UINT32_MAX;
        for (u32 i = 0; i < all->len && pick == UINT32_MAX; i++) {
            bool is_free = !is_taken[i];
            for (u32 k = 0; is_free && k < all->at[i].n_deps; k++)
                is_free = is_taken[all->at[i].deps[k]] || all->at[i].deps[k] == i;
            if (is_free) pick = i;
        }
        for (u32 i = 0; i < all->len && pick == UINT32_MAX; i++)
            if (!is_taken[i]) pick = i;
        is_taken[pick] = true;
        place[pick] = n;
        sorted[n] = all->at[pick];
    }
    for (u32 n = 0; n < all->len; n++)
        for (u32 k = 0; k < sorted[n].n_deps; k++) sorted[n].deps[k] = place[sorted[n].deps[k]];
    all->at = sorted;
}

bool cli_workspaces_load(Cli *cli, CliWorkspaces *ret)
{
    Arena *a = cli->arena;
    Finder f = {.cli = cli};
    Str cwd;
    log_init(&f.log, a);
    if (sys_cwd(a, &cwd) < 0) {
        cli_error("cannot tell the current folder");
        return false;
    }
    if (!find_root(&f, cwd) || !walk(&f)) {
        (void)cli_fail_with(&f.log);
        return false;
    }
    if (f.found.len) qsort(f.found.at, f.found.len, sizeof(CliWorkspace), by_path);
    StrMap by_name = {0};
    for (u32 i = 0; i < f.found.len; i++) {
        Str name = f.found.at[i].package.name;
        if (name.n) *str_map_put(a, &by_name, name, NULL) = i;
    }
    *ret = (CliWorkspaces){.root = f.root, .at = f.found.at, .len = f.found.len};
    for (u32 i = 0; i < ret->len; i++) add_deps(a, &by_name, &ret->at[i]);
    sort_by_deps(a, ret);
    return true;
}
