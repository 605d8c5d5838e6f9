/* install/pkg_link.c -- node_modules: each package is linked file by file from the cache into a
 * folder beside its place and renamed there, so that no half package is ever seen; a package that
 * is there already is left alone. */
#include "install/pkg.h"
#include "util/err.h"
#include "util/path.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { DIR_MODE = 0755, PROGRAM_MODE = 0755, DEPTH_MAX = 128 };

static int link_file(Str from, Str to, bool *must_copy)
{
    if (!*must_copy) {
        int rc = sys_link(from, to);
        bool cannot =
            rc == -EXDEV || rc == -EPERM || rc == -EMLINK || rc == -ENOSYS || rc == -EOPNOTSUPP;
        if (!cannot) return rc;
        *must_copy = rc != -EMLINK;
    }
    return sys_copy_file(from, to, 0);
}

static int link_dir(Str from, Str to, bool *must_copy, u32 depth)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    AUTO(SysDir) dir = {0};
    SysDirEntry entry;
    if (depth > DEPTH_MAX) return -ELOOP;
    int rc = sys_mkdir(to, DIR_MODE);
    if (rc >= 0) rc = sys_dir_open(from, &dir);
    while (rc >= 0 && (rc = sys_dir_next(&dir, &entry)) > 0) {
        Str source = str_fmt(s.arena, "%.*s/%.*s", STR_ARG(from), STR_ARG(entry.name));
        Str target = str_fmt(s.arena, "%.*s/%.*s", STR_ARG(to), STR_ARG(entry.name));
        bool is_dir = (entry.type & S_IFMT) == S_IFDIR;
        rc = is_dir ? link_dir(source, target, must_copy, depth + 1)
                    : link_file(source, target, must_copy);
    }
    return rc;
}

/* ---- Places ---------------------------------------------------------------------------------- */

static Str place_of(PkgRun *run, u32 node)
{
    Str path = pkg_node_path(run, run->arena, node, S("/node_modules/"));
    return str_fmt(run->arena, "%.*s/node_modules/%.*s", STR_ARG(run->options->dir), STR_ARG(path));
}

/* The same file as in the cache, or the same text: this package, whole. */
static bool is_there(const Pkg *pkg, Str place)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    SysStat ours, theirs;
    Str a = path_join2(s.arena, place, S("package.json"));
    Str b = path_join2(s.arena, pkg->dir, S("package.json"));
    if (sys_stat(a, &theirs) < 0 || sys_stat(b, &ours) < 0) return false;
    if (ours.ino == theirs.ino && ours.dev == theirs.dev) return true;
    Str x, y;
    return ours.size == theirs.size && sys_read_file(s.arena, a, PKG_MANIFEST_MAX, &x) >= 0 &&
           sys_read_file(s.arena, b, PKG_MANIFEST_MAX, &y) >= 0 && str_eq(x, y);
}

/* Other versions of packages below an old folder go with it: they are linked again. */
static int put_package(PkgRun *run, const Pkg *pkg, Str place, bool *must_copy)
{
    Arena *a = run->arena;
    usize made;
    SysStat st;
    Str parent = path_dirname(place), staging;
    int rc = sys_mkdir_all(parent, DIR_MODE, &made);
    if (rc < 0) return rc;
    staging = str_fmt(a, "%.*s/.%.*s.tmp-%d", STR_ARG(parent), STR_ARG(path_basename(place, S(""))),
                      (int)run->n_fetched);
    if (sys_lstat(staging, &st) >= 0) rc = sys_remove_tree(staging);
    if (rc >= 0) rc = link_dir(pkg->dir, staging, must_copy, 0);
    if (rc >= 0 && sys_lstat(place, &st) >= 0) rc = sys_remove_tree(place);
    if (rc >= 0) rc = sys_rename(staging, place);
    if (rc < 0) (void)!sys_remove_tree(staging);
    return rc;
}

static bool link_node(PkgRun *run, u32 node, PkgResult *result, bool *must_copy)
{
    const Pkg *pkg = &run->pkgs.at[run->nodes.at[node].pkg];
    if (pkg->is_elsewhere) return true;
    Str place = place_of(run, node);
    result->n_packages++;
    if (!run->options->is_forced && is_there(pkg, place)) return true;
    int rc = put_package(run, pkg, place, must_copy);
    if (rc < 0)
        return log_error(run->log, (Span){0}, "Cannot write %.*s: %s", STR_ARG(place),
                         err_text(rc));
    result->n_linked++;
    return true;
}

/* ---- Commands -------------------------------------------------------------------------------- */

static int put_bin(PkgRun *run, Str bin_dir, Str place, const PkgBin *bin)
{
    Arena *a = run->arena;
    SysStat st;
    Str target = path_join2(a, place, bin->path), link = path_join2(a, bin_dir, bin->name), old;
    Str text = path_relative(a, bin_dir, target);
    if (sys_stat(target, &st) < 0) return 0;
    if (sys_readlink(a, link, &old) >= 0 && str_eq(old, text)) return 0;
    if (sys_lstat(link, &st) >= 0) (void)sys_unlink(link);
    int rc = sys_chmod(target, PROGRAM_MODE);
    return rc < 0 ? rc : sys_symlink(text, link);
}

static bool link_bins(PkgRun *run, u32 node)
{
    const PkgNode *n = &run->nodes.at[node];
    const Pkg *pkg = &run->pkgs.at[n->pkg];
    if (pkg->is_elsewhere || !pkg->bins.len) return true;
    Arena *a = run->arena;
    usize made;
    Str up = n->parent ? place_of(run, n->parent) : run->options->dir;
    Str bin_dir = path_join2(a, up, S("node_modules/.bin")), place = place_of(run, node);
    int rc = sys_mkdir_all(bin_dir, DIR_MODE, &made);
    for (u32 i = 0; i < pkg->bins.len && rc >= 0; i++)
        rc = put_bin(run, bin_dir, place, &pkg->bins.at[i]);
    if (rc >= 0) return true;
    return log_error(run->log, (Span){0}, "Cannot write %.*s: %s", STR_ARG(bin_dir), err_text(rc));
}

static int by_name(const void *x, const void *y)
{
    return str_cmp(((const PkgLine *)x)->name, ((const PkgLine *)y)->name);
}

/* What the project itself asked for. */
static void list_lines(PkgRun *run, PkgResult *result)
{
    Vec(PkgLine) lines = {0};
    const Pkg *root = &run->pkgs.at[0];
    for (u32 i = 0; i < root->deps.len; i++) {
        const PkgDep *dep = &root->deps.at[i];
        if (!dep->to || run->pkgs.at[dep->to].is_elsewhere) continue;
        PkgLine line = {.name = dep->name, .version = run->pkgs.at[dep->to].version_text};
        u64 *slot = str_map_find(&run->manifests, dep->spec.name);
        Str latest = slot ? pkg_manifest_latest((PkgManifest *)(uintptr_t)*slot) : S("");
        if (!str_eq(latest, line.version)) line.latest = latest;
        vec_push(run->arena, &lines, line);
    }
    if (lines.len) qsort(lines.at, lines.len, sizeof(PkgLine), by_name);
    result->lines = lines.at;
    result->n_lines = lines.len;
}

bool pkg_link_all(PkgRun *run, PkgResult *result)
{
    bool must_copy = false;
    list_lines(run, result);
    for (u32 i = 1; i < run->nodes.len; i++)
        if (!link_node(run, i, result, &must_copy)) return false;
    for (u32 i = 1; i < run->nodes.len; i++)
        if (!link_bins(run, i)) return false;
    return true;
}
