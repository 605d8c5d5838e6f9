/* install/pkg_isolated_link.c -- the links of the isolated layout: from everywhere to the packages
 * that are asked for there, their commands, and the fallback `.bun/node_modules`, where packages
 * find what they forgot to ask for. */
#include "install/pkg.h"
#include "util/err.h"
#include "util/path.h"

#define STORE    "node_modules/.bun"
#define FALLBACK STORE "/node_modules"

enum { DIR_MODE = 0755 };

/* ---- Places ---------------------------------------------------------------------------------- */

/* The node_modules in which a node looks first. */
Str pkg_node_modules(PkgRun *run, Arena *a, u32 node)
{
    const PkgNode *n = &run->nodes.at[node];
    if (n->store.n)
        return str_fmt(a, "%.*s/" STORE "/%.*s/node_modules", STR_ARG(run->options->dir),
                       STR_ARG(n->store));
    return path_join2(a, pkg_node_place(run, a, node), S("node_modules"));
}

/* ---- Links ----------------------------------------------------------------------------------- */

static int set_link(Str link, Str target)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    SysStat st;
    Str old, text = path_relative(s.arena, path_dirname(link), target);
    usize made;
    if (sys_readlink(s.arena, link, &old) >= 0 && str_eq(old, text)) return 0;
    int rc = sys_mkdir_all(path_dirname(link), DIR_MODE, &made);
    if (rc >= 0 && sys_lstat(link, &st) >= 0) rc = sys_remove_tree(link);
    return rc < 0 ? rc : sys_symlink(text, link);
}

static int link_bins(PkgRun *run, Str modules, Str name, const Pkg *pkg)
{
    int rc = 0;
    for (u32 i = 0; i < pkg->bins.len && rc >= 0; i++)
        rc = pkg_put_bin(run, path_join2(run->arena, modules, S(".bin")),
                         path_join2(run->arena, modules, name), &pkg->bins.at[i]);
    return rc;
}

/* What the node asks for. */
static int link_deps(PkgRun *run, u32 index, StrMap *fallback)
{
    Arena *a = run->arena;
    const PkgNode *node = &run->nodes.at[index];
    const Pkg *pkg = &run->pkgs.at[node->pkg];
    Str modules = pkg_node_modules(run, a, index);
    int rc = node->store.n ? link_bins(run, modules, pkg->name, pkg) : 0;
    for (u32 i = 0; i < pkg->deps.len && rc >= 0; i++) {
        Str name = pkg->deps.at[i].name;
        u64 *slot = str_map_find(&node->by_name, name);
        if (!slot) continue;
        const PkgNode *to = &run->nodes.at[*slot];
        Str target = pkg_node_place(run, a, (u32)*slot), link = path_join2(a, modules, name);
        if (to->store.n) {
            bool is_new;
            u64 *first = str_map_put(a, fallback, name, &is_new);
            if (is_new) *first = *slot;
        }
        if (str_eq(target, link)) continue; /* it depends on itself */
        rc = set_link(link, target);
        if (rc >= 0) rc = link_bins(run, modules, name, &run->pkgs.at[to->pkg]);
    }
    return rc;
}

static int link_fallback(PkgRun *run, const StrMap *fallback)
{
    Str dir = path_join2(run->arena, run->options->dir, S(FALLBACK));
    StrMapSlot *slot;
    u32 at = 0;
    int rc = 0;
    while (rc >= 0 && (slot = str_map_next(fallback, &at)))
        rc = set_link(path_join2(run->arena, dir, slot->key),
                      pkg_node_place(run, run->arena, (u32)slot->value));
    return rc;
}

/* ---- What is not wanted any more ------------------------------------------------------------- */

/* Links into the store that nobody asks for; in a folder of a scope, too. */
static u32 prune_links(Str dir, Str scope, const StrMap *wanted)
{
    AUTO(SysDir) list = {0};
    SysDirEntry e;
    u32 n = 0;
    if (sys_dir_open(dir, &list) < 0) return 0;
    while (sys_dir_next(&list, &e) > 0) {
        AUTO(Scratch) s = scratch_begin(NULL);
        Str path = path_join2(s.arena, dir, e.name), text;
        Str name =
            scope.n ? str_fmt(s.arena, "%.*s/%.*s", STR_ARG(scope), STR_ARG(e.name)) : e.name;
        bool is_scope = !scope.n && e.name.p[0] == '@' && (e.type & S_IFMT) == S_IFDIR;
        if (is_scope) {
            n += prune_links(path, str_dup(s.arena, e.name), wanted);
            sys_rmdir(path);
        }
        if (is_scope || str_map_find(wanted, name)) continue;
        if (sys_readlink(s.arena, path, &text) < 0 || str_find_str(text, S(".bun/")) < 0) continue;
        n += sys_unlink(path) >= 0;
    }
    return n;
}

/* Commands whose package is gone. */
static void prune_bins(Str dir)
{
    AUTO(SysDir) list = {0};
    SysDirEntry e;
    SysStat st;
    if (sys_dir_open(dir, &list) < 0) return;
    while (sys_dir_next(&list, &e) > 0) {
        AUTO(Scratch) s = scratch_begin(NULL);
        Str path = path_join2(s.arena, dir, e.name);
        if ((e.type & S_IFMT) == S_IFLNK && sys_stat(path, &st) == -ENOENT) sys_unlink(path);
    }
}

u32 pkg_isolated_prune(PkgRun *run)
{
    u32 n = 0;
    for (u32 i = 0; i < run->nodes.len; i++) {
        const PkgNode *node = &run->nodes.at[i];
        if (i && !run->pkgs.at[node->pkg].workspace.n) continue;
        Str modules = pkg_node_modules(run, run->arena, i);
        u32 n_gone = prune_links(modules, S(""), &node->by_name);
        if (n_gone) prune_bins(path_join2(run->arena, modules, S(".bin")));
        n += n_gone;
    }
    return n;
}

/* ---- From one layout to the other ------------------------------------------------------------ */

/* All but folders of other tools (".cache"). */
static void clear_modules(Str dir)
{
    AUTO(SysDir) list = {0};
    SysDirEntry e;
    if (sys_dir_open(dir, &list) < 0) return;
    while (sys_dir_next(&list, &e) > 0) {
        AUTO(Scratch) s = scratch_begin(NULL);
        if (e.name.p[0] == '.' && !str_eq(e.name, S(".bin"))) continue;
        (void)!sys_remove_tree(path_join2(s.arena, dir, e.name));
    }
}

void pkg_layout_switch(PkgRun *run)
{
    Arena *a = run->arena;
    SysStat st;
    Str modules = path_join2(a, run->options->dir, S("node_modules"));
    Str store = path_join2(a, run->options->dir, S(STORE));
    if (sys_lstat(modules, &st) < 0 || !S_ISDIR(st.mode)) return;
    bool was_isolated = sys_lstat(store, &st) >= 0;
    if (was_isolated == run->is_isolated) return;
    clear_modules(modules);
    for (u32 i = 1; i < run->pkgs.len && run->pkgs.at[i].workspace.n; i++)
        clear_modules(str_fmt(a, "%.*s/%.*s/node_modules", STR_ARG(run->options->dir),
                              STR_ARG(run->pkgs.at[i].workspace)));
    /* Last: a run that is cut off before sees that there is more to do. */
    if (was_isolated) (void)!sys_remove_tree(store);
}

bool pkg_isolated_link(PkgRun *run)
{
    StrMap fallback = {0};
    int rc = 0;
    for (u32 i = 0; i < run->nodes.len && rc >= 0; i++) rc = link_deps(run, i, &fallback);
    if (rc >= 0) rc = link_fallback(run, &fallback);
    if (rc >= 0) return true;
    return log_error(run->log, (Span){0}, "Cannot link packages in %.*s: %s",
                     STR_ARG(run->options->dir), err_text(rc));
}
