/* install/pkg_link.c -- node_modules: each package is linked file by file from the cache into a
 * folder beside its place and renamed there, so that no half package is ever seen; a package that
 * is there already is left alone.
 *
 * One level of node_modules after the other, because a folder that is replaced takes what is below
 * it along; the packages of a level on as many threads as the machine has processors. */
#include "install/pkg.h"
#include "util/err.h"
#include "util/path.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { DIR_MODE = 0755, PROGRAM_MODE = 0755, WORKERS_MAX = 8, PKG_LIST_MAX = 64 << 20 };

/* ---- Places ---------------------------------------------------------------------------------- */

/* The folder whose node_modules holds what is below the node. */
static Str home_of(PkgRun *run, Arena *a, u32 node)
{
    const PkgNode *n = &run->nodes.at[node];
    const Pkg *pkg = &run->pkgs.at[n->pkg];
    if (!node) return run->options->dir;
    if (pkg->kind == PKG_LINK)
        return path_resolve(a, run->options->dir, run->options->dir, pkg->where);
    if (pkg->workspace.n) return path_join2(a, run->options->dir, pkg->workspace);
    if (n->store.n) return path_join2(a, pkg_node_modules(run, a, node), n->name);
    Str up = home_of(run, a, n->parent);
    return str_fmt(a, "%.*s/node_modules/%.*s", STR_ARG(up), STR_ARG(n->name));
}

static Str place_of(PkgRun *run, Arena *a, u32 node)
{
    const PkgNode *n = &run->nodes.at[node];
    if (n->store.n) return home_of(run, a, node);
    Str up = home_of(run, a, n->parent);
    return str_fmt(a, "%.*s/node_modules/%.*s", STR_ARG(up), STR_ARG(n->name));
}

Str pkg_node_place(PkgRun *run, Arena *a, u32 node)
{
    return home_of(run, a, node);
}

/* A link to the folder of the workspace, as text. */
static Str link_text(PkgRun *run, Arena *a, u32 node, Str place)
{
    return path_relative(a, path_dirname(place), home_of(run, a, node));
}

/* Without the cache, the name and version in its package.json must do. */
static bool is_link(const Pkg *pkg)
{
    return pkg->workspace.n || pkg->kind == PKG_LINK;
}

static bool says_so(const Pkg *pkg, Arena *a, Str path)
{
    Str text;
    JsonNode json;
    JsonError e;
    if (sys_read_file(a, path, PKG_MANIFEST_MAX, &text) < 0) return false;
    if (!json_parse(a, text, JSON_JSONC, &json, &e)) return false;
    return str_eq(json_find_str(a, &json, S("name")), pkg->name) &&
           (pkg->kind >= PKG_FOLDER ||
            str_eq(json_find_str(a, &json, S("version")), pkg->version_text));
}

/* The same file as in the cache, or the same text: this package, whole. */
static bool is_there(const Pkg *pkg, Str place)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    SysStat theirs;
    Str a = str_fmt(s.arena, "%.*s/package.json", STR_ARG(place)), x, y;
    if (sys_stat(a, &theirs) < 0) return false;
    if (!pkg->is_present) return pkg_patch_is_there(pkg, place) && says_so(pkg, s.arena, a);
    if (pkg->ino == theirs.ino && pkg->dev == theirs.dev) return true;
    if (!pkg_patch_is_there(pkg, place)) return false;
    Str b = str_fmt(s.arena, "%.*s/package.json", STR_ARG(pkg->dir));
    return pkg->size == theirs.size && sys_read_file(s.arena, a, PKG_MANIFEST_MAX, &x) >= 0 &&
           sys_read_file(s.arena, b, PKG_MANIFEST_MAX, &y) >= 0 && str_eq(x, y);
}

void pkg_survey(PkgRun *run)
{
    for (u32 i = 1; i < run->nodes.len; i++) {
        PkgNode *node = &run->nodes.at[i];
        Pkg *pkg = &run->pkgs.at[node->pkg];
        if (pkg->is_elsewhere || (node->is_bundled || node->is_left_out)) continue;
        AUTO(Scratch) s = scratch_begin(NULL);
        /* What is below a package that is not there is not there either. */
        bool is_up = !node->parent || is_link(&run->pkgs.at[run->nodes.at[node->parent].pkg]) ||
                     run->nodes.at[node->parent].is_there;
        Str place = place_of(run, s.arena, i), old;
        if (is_link(pkg)) { /* of the isolated layout they are among the other links */
            node->is_there = run->is_isolated || (sys_readlink(s.arena, place, &old) >= 0 &&
                                                  str_eq(old, link_text(run, s.arena, i, place)));
            continue;
        }
        /* What a folder holds may have changed since. */
        node->is_there = is_up && !run->options->is_forced && pkg->kind != PKG_FOLDER &&
                         is_there(pkg, place) && !pkg_script_is_unbuilt(run, i);
        pkg->is_missing |= !node->is_there;
    }
}

/* ---- Packages -------------------------------------------------------------------------------- */

/* By the list of names if there is one (folders of the cache have it), else by looking. */
static int link_package(const Pkg *pkg, Str to)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    Str list, path = str_fmt(s.arena, "%.*s/" PKG_LIST_NAME, STR_ARG(pkg->dir));
    int rc = sys_read_file(s.arena, path, PKG_LIST_MAX, &list);
    if (rc < 0 || !str_starts(list, S(PKG_LIST_HEAD)))
        return sys_link_tree(pkg->dir, to, S("node_modules"), pkg->runs_scripts);
    return sys_link_list(pkg->dir, to, str_skip(list, sizeof PKG_LIST_HEAD - 1), pkg->runs_scripts);
}

/* Other versions of packages below an old folder go with it: they are linked again. */
static int put_package(const Pkg *pkg, Str place)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    usize made;
    SysStat st;
    Str parent = path_dirname(place), staging;
    staging = str_fmt(s.arena, "%.*s/.%.*s.tmp-cob", STR_ARG(parent),
                      STR_ARG(path_basename(place, S(""))));
    int rc = link_package(pkg, staging);
    if (rc == -ENOENT) {
        rc = sys_mkdir_all(parent, DIR_MODE, &made);
        if (rc >= 0) rc = link_package(pkg, staging);
    }
    if (rc == -EEXIST) { /* of a run that was killed */
        rc = sys_remove_tree(staging);
        if (rc >= 0) rc = link_package(pkg, staging);
    }
    if (rc >= 0) rc = sys_rename(staging, place);
    if (rc == -ENOTEMPTY || rc == -EEXIST || rc == -ENOTDIR) {
        rc = sys_lstat(place, &st);
        if (rc >= 0) rc = sys_remove_tree(place);
        if (rc >= 0) rc = sys_rename(staging, place);
    }
    if (rc < 0) (void)!sys_remove_tree(staging);
    return rc;
}

static int put_link(PkgRun *run, u32 node, Str place)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    SysStat st;
    usize made;
    int rc = sys_mkdir_all(path_dirname(place), DIR_MODE, &made);
    if (rc >= 0 && sys_lstat(place, &st) >= 0) rc = sys_remove_tree(place);
    return rc < 0 ? rc : sys_symlink(link_text(run, s.arena, node, place), place);
}

typedef struct {
    PkgRun *run;
    u32 depth;
    _Atomic u32 next, n_linked;
    _Atomic int rc; /* the first error, and of which node */
    _Atomic u32 culprit;
    u32 n_busy;
} Level;

typedef struct {
    LoopReq req;
    Level *level;
} Worker;

static i64 work(LoopReq *req)
{
    Level *level = CONTAINER(Worker, req, req)->level;
    PkgRun *run = level->run;
    while (!atomic_load(&level->rc)) {
        u32 i = atomic_fetch_add(&level->next, 1);
        if (i >= run->nodes.len) break;
        const PkgNode *node = &run->nodes.at[i];
        const Pkg *pkg = &run->pkgs.at[node->pkg];
        bool is_ours =
            !node->is_there && !node->is_bundled && !node->is_left_out && !pkg->is_elsewhere;
        if (node->depth != level->depth || !is_ours) continue;
        AUTO(Scratch) s = scratch_begin(NULL);
        Str place = place_of(run, s.arena, i);
        int rc = is_link(pkg) ? put_link(run, i, place) : put_package(pkg, place), none = 0;
        if (rc >= 0) atomic_fetch_add(&level->n_linked, 1);
        if (rc < 0 && atomic_compare_exchange_strong(&level->rc, &none, rc))
            atomic_store(&level->culprit, i);
    }
    return 0;
}

static void on_worked(LoopReq *req, i64 rc)
{
    (void)rc;
    CONTAINER(Worker, req, req)->level->n_busy--;
}

static bool link_level(PkgRun *run, u32 depth, u32 n_missing, PkgResult *result)
{
    Level level = {.run = run, .depth = depth, .next = 1};
    Worker workers[WORKERS_MAX] = {0};
    u32 n = MIN(MIN(sys_cpu_count(), (u32)WORKERS_MAX), n_missing);
    for (u32 i = 0; i < n; i++) {
        workers[i].level = &level;
        workers[i].req.on_done = on_worked;
        level.n_busy++;
        loop_req_work(run->loop, &workers[i].req, work);
    }
    while (level.n_busy) (void)loop_run(run->loop, LOOP_RUN_ONCE);
    result->n_linked += level.n_linked;
    if (!level.rc) return true;
    Str place = place_of(run, run->arena, level.culprit);
    return log_error(run->log, (Span){0}, "Cannot write %.*s: %s", STR_ARG(place),
                     err_text(level.rc));
}

static bool link_levels(PkgRun *run, PkgResult *result)
{
    /* Nodes are not in the order of their depth: what hoists goes up again. */
    Vec(u32) n_missing = {0};
    for (u32 i = 1; i < run->nodes.len; i++) {
        const PkgNode *node = &run->nodes.at[i];
        if (run->pkgs.at[node->pkg].is_elsewhere || (node->is_bundled || node->is_left_out))
            continue;
        while (n_missing.len <= node->depth) vec_push(run->arena, &n_missing, 0);
        n_missing.at[node->depth] += !node->is_there;
        result->n_packages++;
    }
    for (u32 depth = 1; depth < n_missing.len; depth++)
        if (n_missing.at[depth] && !link_level(run, depth, n_missing.at[depth], result))
            return false;
    return true;
}

/* ---- Commands -------------------------------------------------------------------------------- */

int pkg_put_bin(PkgRun *run, Str bin_dir, Str place, const PkgBin *bin)
{
    Arena *a = run->arena;
    SysStat st;
    Str target = path_join2(a, place, bin->path), link = path_join2(a, bin_dir, bin->name), old;
    Str text = path_relative(a, bin_dir, target);
    usize made;
    if (sys_stat(target, &st) < 0) return 0;
    /* The link may be that of another version, whose file could be run. */
    bool is_program = (st.mode & PROGRAM_MODE) == PROGRAM_MODE;
    int rc = is_program ? 0 : sys_chmod(target, PROGRAM_MODE);
    if (rc < 0 || (sys_readlink(a, link, &old) >= 0 && str_eq(old, text))) return rc;
    if (sys_lstat(link, &st) >= 0) (void)sys_unlink(link);
    rc = sys_symlink(text, link);
    if (rc != -ENOENT) return rc;
    rc = sys_mkdir_all(bin_dir, DIR_MODE, &made);
    return rc < 0 ? rc : sys_symlink(text, link);
}

/* esbuild's command is a script that its install script replaces by the program of the platform's
 * package: the link goes there at once, as in Bun.  Else `place`. */
static Str native_place(PkgRun *run, u32 node, Str place, const PkgBin *bin)
{
    const Pkg *pkg = &run->pkgs.at[run->nodes.at[node].pkg];
    SysStat st;
    if (!str_eq(pkg->name, S("esbuild"))) return place;
    for (u32 i = 0; i < pkg->deps.len; i++) {
        const PkgDep *dep = &pkg->deps.at[i];
        bool is_one = dep->kind == PKG_OPTIONAL && dep->to && !run->pkgs.at[dep->to].is_elsewhere;
        u32 found = is_one ? pkg_node_find(run, node, dep->name) : 0;
        if (!found || run->nodes.at[found].pkg != dep->to) continue;
        Str there = place_of(run, run->arena, found);
        if (sys_stat(path_join2(run->arena, there, bin->path), &st) >= 0) return there;
    }
    return place;
}

static bool link_bins(PkgRun *run, u32 node)
{
    const PkgNode *n = &run->nodes.at[node];
    const Pkg *pkg = &run->pkgs.at[n->pkg];
    if (pkg->is_elsewhere || (n->is_bundled || n->is_left_out) || !pkg->bins.len) return true;
    Arena *a = run->arena;
    Str up = home_of(run, a, n->parent);
    Str bin_dir = path_join2(a, up, S("node_modules/.bin")), place = place_of(run, a, node);
    int rc = 0;
    for (u32 i = 0; i < pkg->bins.len && rc >= 0; i++) {
        const PkgBin *bin = &pkg->bins.at[i];
        rc = pkg_put_bin(run, bin_dir, native_place(run, node, place, bin), bin);
    }
    if (rc >= 0) return true;
    return log_error(run->log, (Span){0}, "Cannot write %.*s: %s", STR_ARG(bin_dir), err_text(rc));
}

static int by_name(const void *x, const void *y)
{
    return str_cmp(((const PkgLine *)x)->name, ((const PkgLine *)y)->name);
}

/* What the project itself asked for. */
void pkg_list_lines(PkgRun *run, PkgResult *result)
{
    Vec(PkgLine) lines = {0};
    const Pkg *root = &run->pkgs.at[0];
    for (u32 i = 0; i < root->deps.len; i++) {
        const PkgDep *dep = &root->deps.at[i];
        bool is_out = run->options->production && dep->kind == PKG_DEV;
        if (!dep->to || is_out || run->pkgs.at[dep->to].is_elsewhere) continue;
        PkgLine line = {.name = dep->name, .version = run->pkgs.at[dep->to].version_text};
        u64 *slot = str_map_find(&run->manifests, dep->spec.name);
        Str latest = slot ? pkg_manifest_latest((PkgManifest *)(uintptr_t)*slot) : S("");
        if (!str_eq(latest, line.version)) line.latest = latest;
        if (dep->spec.kind <= PKG_TAG && !str_eq(dep->spec.name, dep->name))
            line.alias_of = dep->spec.name;
        line.is_added = dep->is_fresh;
        slot = str_map_find(&run->placed, dep->name);
        if (slot) line.was = run->pkgs.at[*slot].version_text;
        const Pkg *pkg = &run->pkgs.at[dep->to];
        Str *bins = ARENA_ARRAY(run->arena, Str, pkg->bins.len + 1);
        for (u32 j = 0; j < pkg->bins.len; j++) bins[line.n_bins++] = pkg->bins.at[j].name;
        line.bins = bins;
        vec_push(run->arena, &lines, line);
    }
    if (lines.len) qsort(lines.at, lines.len, sizeof(PkgLine), by_name);
    result->lines = lines.at;
    result->n_lines = lines.len;
}

/* Does the package above ask for it itself?  Then its commands win over those of others there. */
static bool is_direct(const PkgRun *run, u32 node)
{
    const PkgNode *n = &run->nodes.at[node];
    const Pkg *up = &run->pkgs.at[run->nodes.at[n->parent].pkg];
    for (u32 i = 0; i < up->deps.len; i++)
        if (str_eq(up->deps.at[i].name, n->name)) return true;
    return false;
}

bool pkg_link_all(PkgRun *run, PkgResult *result)
{
    pkg_list_lines(run, result);
    if (!link_levels(run, result)) return false;
    if (run->is_isolated) return pkg_isolated_link(run);
    for (u32 round = 0; round < 2; round++)
        for (u32 i = 1; i < run->nodes.len; i++)
            if (is_direct(run, i) == (round == 1) && !link_bins(run, i)) return false;
    return true;
}
