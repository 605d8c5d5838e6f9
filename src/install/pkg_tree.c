/* install/pkg_tree.c -- where packages go: to the root, or if another version is in the way, below
 * who needs them, breadth first and by name, so that the same graph always gives the same tree. */
#include "install/pkg.h"

#include <stdlib.h>
#include <string.h>

enum { CONFLICT = UINT32_MAX, HOISTED = UINT32_MAX - 1 };
enum { DEPTH_MAX = 100 };

/* Who comes first gets the place at the root: Bun's order of the kinds. */
static int by_kind_and_name(const void *x, const void *y)
{
    static const u8 ranks[] = {[PKG_DEV] = 0, [PKG_OPTIONAL] = 1, [PKG_PROD] = 2, [PKG_PEER] = 3};
    const PkgDep *a = x, *b = y;
    if (ranks[a->kind] != ranks[b->kind]) return ranks[a->kind] < ranks[b->kind] ? -1 : 1;
    return str_cmp(a->name, b->name);
}

void pkg_sort_deps(Pkg *pkg)
{
    if (pkg->deps.len) qsort(pkg->deps.at, pkg->deps.len, sizeof(PkgDep), by_kind_and_name);
}

/* Where the dependency may go, looking from `node` upwards: to the root, or nowhere. */
static u32 place_of(PkgRun *run, u32 node, const PkgDep *dep)
{
    const PkgNode *n = &run->nodes.at[node];
    u64 *child = str_map_find(&n->by_name, dep->name);
    if (child) {
        u32 there = run->nodes.at[*child].pkg;
        if (there == dep->to) return HOISTED;
        /* Peers take what there is, also where that is not what they asked for. */
        return dep->kind == PKG_PEER ? HOISTED : CONFLICT;
    }
    if (!node) return 0;
    return place_of(run, n->parent, dep);
}

/* Would the package, placed in `place`, see other peers than those that it was given? */
static bool sees_others(PkgRun *run, u32 place, const PkgDep *dep)
{
    const Pkg *pkg = &run->pkgs.at[dep->to];
    for (u32 i = 0; i < pkg->deps.len; i++) {
        const PkgDep *peer = &pkg->deps.at[i];
        if (peer->kind != PKG_PEER || peer->is_optional_peer || !peer->to) continue;
        u32 up = place;
        u64 *found = str_map_find(&run->nodes.at[up].by_name, peer->name);
        while (!found && up) {
            up = run->nodes.at[up].parent;
            found = str_map_find(&run->nodes.at[up].by_name, peer->name);
        }
        if (!found) continue;
        u32 there = run->nodes.at[*found].pkg;
        bool is_fine = there == peer->to || peer->spec.kind != PKG_RANGE ||
                       pkg_satisfies(&peer->spec, &run->pkgs.at[there]);
        if (!is_fine) return true;
    }
    return false;
}

static void add_node(PkgRun *run, u32 parent, const PkgDep *dep)
{
    u32 index = run->nodes.len;
    PkgNode *node = vec_add(run->arena, &run->nodes);
    PkgNode *up = &run->nodes.at[parent];
    *node = (PkgNode){.pkg = dep->to, .parent = parent, .depth = up->depth + 1, .name = dep->name};
    node->is_bundled = dep->is_bundled;
    vec_push(run->arena, &up->children, index);
    *str_map_put(run->arena, &up->by_name, dep->name, NULL) = index;
    run->pkgs.at[dep->to].is_needed = true;
}

/* Where the lockfile has it below who needs it, it stays: the place at the root is another's. */
static bool was_own(PkgRun *run, u32 node, const PkgDep *dep)
{
    if (!node || !run->has_lock) return false;
    AUTO(Scratch) s = scratch_begin(NULL);
    Str up = pkg_node_path(run, s.arena, node, S("/"));
    Str path = str_fmt(s.arena, "%.*s/%.*s", STR_ARG(up), STR_ARG(dep->name));
    u64 *slot = str_map_find(&run->placed, path);
    return slot && *slot == dep->to;
}

static void place_deps(PkgRun *run, u32 node)
{
    Pkg *pkg = &run->pkgs.at[run->nodes.at[node].pkg];
    pkg_sort_deps(pkg);
    for (u32 i = 0; i < pkg->deps.len; i++) {
        PkgDep dep = pkg->deps.at[i];
        /* Optional peers take what is there and bring nothing. */
        if (!dep.to || (dep.kind == PKG_PEER && dep.is_optional_peer)) continue;
        u32 place = place_of(run, node, &dep);
        if (place == HOISTED && !dep.is_bundled) continue;
        bool is_own = !str_map_find(&run->nodes.at[node].by_name, dep.name);
        bool is_own_folder = node && run->pkgs.at[dep.to].kind == PKG_FOLDER;
        /* Here the peers are those that it wants, there they are not. */
        bool has_peers_here =
            place < HOISTED && sees_others(run, place, &dep) && !sees_others(run, node, &dep);
        bool must_stay = place == CONFLICT || is_own_folder || dep.is_bundled || has_peers_here ||
                         was_own(run, node, &dep);
        if (must_stay && is_own) place = node;
        if (place != CONFLICT && place != HOISTED) add_node(run, place, &dep);
    }
}

u32 pkg_node_find(const PkgRun *run, u32 node, Str name)
{
    for (;; node = run->nodes.at[node].parent) {
        u64 *slot = str_map_find(&run->nodes.at[node].by_name, name);
        if (slot) return (u32)*slot;
        if (!node || run->is_isolated) return 0;
    }
}

bool pkg_is_wanted(const PkgRun *run, const PkgDep *dep)
{
    const PkgOptions *o = run->options;
    if (dep->kind == PKG_DEV) return !o->production;
    if (dep->kind == PKG_OPTIONAL) return !o->without_optional;
    return dep->kind != PKG_PEER || !o->without_peers;
}

/* What nothing that is wanted here leads to (without packages for other platforms, and without the
 * groups that were left out) is left out of node_modules, but not of the lockfile. */
static void leave_out(PkgRun *run)
{
    Vec(u32) queue = {0};
    for (u32 i = 1; i < run->nodes.len; i++) run->nodes.at[i].is_left_out = true;
    vec_push(run->arena, &queue, 0);
    for (u32 i = 1; i < run->nodes.len && run->pkgs.at[run->nodes.at[i].pkg].workspace.n; i++) {
        run->nodes.at[i].is_left_out = false;
        vec_push(run->arena, &queue, i);
    }
    while (queue.len) {
        u32 node = vec_pop(&queue);
        const Pkg *pkg = &run->pkgs.at[run->nodes.at[node].pkg];
        for (u32 i = 0; i < pkg->deps.len; i++) {
            const PkgDep *dep = &pkg->deps.at[i];
            u32 found = pkg_node_find(run, node, dep->name);
            if (!found || !run->nodes.at[found].is_left_out) continue;
            if (!pkg_is_wanted(run, dep) || run->pkgs.at[run->nodes.at[found].pkg].is_elsewhere)
                continue;
            run->nodes.at[found].is_left_out = false;
            vec_push(run->arena, &queue, found);
        }
    }
}

void pkg_mark_required(PkgRun *run)
{
    Vec(u32) queue = {0};
    for (u32 i = 0; i < run->pkgs.len; i++)
        if (!i || run->pkgs.at[i].workspace.n) vec_push(run->arena, &queue, i);
    while (queue.len) {
        const Pkg *pkg = &run->pkgs.at[vec_pop(&queue)];
        for (u32 i = 0; i < pkg->deps.len; i++) {
            const PkgDep *dep = &pkg->deps.at[i];
            bool is_passed = !dep->to || dep->kind == PKG_OPTIONAL || dep->is_optional_peer;
            if (is_passed || run->pkgs.at[dep->to].is_required) continue;
            run->pkgs.at[dep->to].is_required = true;
            vec_push(run->arena, &queue, dep->to);
        }
    }
}

/* Packages that need each other in versions that keep each other from the root nest for ever. */
static bool is_too_deep(PkgRun *run, u32 node)
{
    const PkgNode *n = &run->nodes.at[node];
    if (n->depth < DEPTH_MAX && run->nodes.len < PKG_COUNT_MAX) return false;
    (void)log_error(run->log, (Span){0},
                    "%.*s is needed below itself without end: an override of one of the versions "
                    "would help",
                    STR_ARG(n->name));
    return true;
}

bool pkg_build_tree(PkgRun *run)
{
    for (u32 i = 0; i < run->pkgs.len; i++) run->pkgs.at[i].is_needed = false;
    PkgNode *root = vec_add(run->arena, &run->nodes);
    *root = (PkgNode){0};
    for (u32 i = 1; i < run->pkgs.len && run->pkgs.at[i].workspace.n; i++)
        add_node(run, 0, &(PkgDep){.name = run->pkgs.at[i].name, .to = i});
    /* Nodes are appended as they are found: walking the list is walking the tree breadth first. */
    for (u32 i = 0; i < run->nodes.len; i++) {
        if (is_too_deep(run, i)) return false;
        place_deps(run, i);
    }
    leave_out(run);
    return true;
}

Str pkg_node_path(const PkgRun *run, Arena *a, u32 node, Str separator)
{
    const PkgNode *n = &run->nodes.at[node];
    if (n->store.n) return str_fmt(a, ".bun/%.*s", STR_ARG(n->store));
    if (!n->parent) return n->name;
    Str up = pkg_node_path(run, a, n->parent, separator);
    return str_fmt(a, "%.*s%.*s%.*s", STR_ARG(up), STR_ARG(separator), STR_ARG(n->name));
}
