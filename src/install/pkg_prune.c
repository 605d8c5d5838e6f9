/* install/pkg_prune.c -- packages that the lockfile had put into node_modules and that nobody wants
 * any more, and their commands.  What we did not put there stays. */
#include "install/pkg.h"
#include "util/path.h"

static Str folder_of(PkgRun *run, Arena *a, Str key, Str *ret_modules)
{
    AUTO(Buf) out = {0};
    (void)buf_push(&out, run->options->dir);
    Str name;
    usize modules = 0;
    while (key.n) {
        i64 end = str_find(key, '/');
        if (end >= 0 && key.p[0] == '@') {
            i64 more = str_find(str_skip(key, (usize)end + 1), '/');
            end = more < 0 ? -1 : end + 1 + more;
        }
        name = end < 0 ? key : str_slice(key, 0, (usize)end);
        key = end < 0 ? S("") : str_skip(key, (usize)end + 1);
        if (!pkg_name_is_fine(name)) return S("");
        (void)buf_push(&out, S("/node_modules"));
        modules = out.len;
        buf_fmt(&out, "/%.*s", STR_ARG(name));
    }
    Str path = str_dup(a, buf_str(&out));
    *ret_modules = str_slice(path, 0, modules);
    return path;
}

static bool is_there(PkgRun *run, Str key)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    Str modules, path = folder_of(run, s.arena, key, &modules);
    SysStat st;
    return path.n && sys_lstat(path, &st) >= 0;
}

static void prune(PkgRun *run, Str key, const Pkg *pkg)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    Str modules = {0}, path = folder_of(run, s.arena, key, &modules), target;
    SysStat st;
    if (!path.n) return;
    (void)!sys_remove_tree(path); /* perhaps gone with a folder above it */
    for (u32 i = 0; i < pkg->bins.len; i++) {
        Str link =
            str_fmt(s.arena, "%.*s/.bin/%.*s", STR_ARG(modules), STR_ARG(pkg->bins.at[i].name));
        bool is_link = sys_readlink(s.arena, link, &target) >= 0;
        if (is_link && sys_stat(link, &st) == -ENOENT) sys_unlink(link);
    }
    if (key.p[0] == '@') sys_rmdir(path_dirname(path));
    sys_rmdir(str_fmt(s.arena, "%.*s/.bin", STR_ARG(modules)));
}

u32 pkg_prune(PkgRun *run)
{
    StrMap wanted = {0};
    u32 at = 0, n_removed = 0;
    StrMapSlot *slot;
    for (u32 i = 1; i < run->nodes.len; i++) {
        Str path = pkg_node_path(run, run->arena, i, S("/"));
        *str_map_put(run->arena, &wanted, path, NULL) = i;
    }
    while ((slot = str_map_next(&run->placed, &at)))
        n_removed += !str_map_find(&wanted, slot->key) && is_there(run, slot->key);
    at = 0;
    while (n_removed && (slot = str_map_next(&run->placed, &at)))
        if (!str_map_find(&wanted, slot->key)) prune(run, slot->key, &run->pkgs.at[slot->value]);
    return n_removed;
}
