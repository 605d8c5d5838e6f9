/* install/pkg_tree.c -- where packages go: as near to the root as no other version is in the way
 * ("hoisted"), breadth first and by name, so that the same graph always gives the same tree. */
#include "install/pkg.h"

#include <stdlib.h>
#include <string.h>

enum { CONFLICT = UINT32_MAX, HOISTED = UINT32_MAX - 1 };

static int by_name(const void *x, const void *y)
{
    return str_cmp(((const PkgDep *)x)->name, ((const PkgDep *)y)->name);
}

/* Where the dependency may go, looking from `node` upwards. */
static u32 place_of(PkgRun *run, u32 node, const PkgDep *dep)
{
    const PkgNode *n = &run->nodes.at[node];
    u64 *child = str_map_find(&n->by_name, dep->name);
    if (child) {
        u32 there = run->nodes.at[*child].pkg;
        if (there == dep->to) return HOISTED;
        bool is_fine = dep->kind == PKG_PEER && !dep->spec.is_tag &&
                       semver_satisfies(&dep->spec.range, &run->pkgs.at[there].version);
        return is_fine ? HOISTED : CONFLICT;
    }
    if (!node) return 0;
    u32 above = place_of(run, n->parent, dep);
    return above == CONFLICT ? node : above;
}

static void add_node(PkgRun *run, u32 parent, const PkgDep *dep)
{
    u32 index = run->nodes.len;
    PkgNode *node = vec_add(run->arena, &run->nodes);
    PkgNode *up = &run->nodes.at[parent];
    *node = (PkgNode){.pkg = dep->to, .parent = parent, .depth = up->depth + 1, .name = dep->name};
    vec_push(run->arena, &up->children, index);
    *str_map_put(run->arena, &up->by_name, dep->name, NULL) = index;
    run->pkgs.at[dep->to].is_needed = true;
}

static void place_deps(PkgRun *run, u32 node)
{
    Pkg *pkg = &run->pkgs.at[run->nodes.at[node].pkg];
    if (pkg->deps.len) qsort(pkg->deps.at, pkg->deps.len, sizeof(PkgDep), by_name);
    for (u32 i = 0; i < pkg->deps.len; i++) {
        PkgDep dep = pkg->deps.at[i];
        if (!dep.to) continue;
        u32 place = place_of(run, node, &dep);
        if (place != HOISTED && place != CONFLICT) add_node(run, place, &dep);
    }
}

void pkg_build_tree(PkgRun *run)
{
    for (u32 i = 0; i < run->pkgs.len; i++) run->pkgs.at[i].is_needed = false;
    PkgNode *root = vec_add(run->arena, &run->nodes);
    *root = (PkgNode){0};
    /* Nodes are appended as they are found: walking the list is walking the tree breadth first. */
    for (u32 i = 0; i < run->nodes.len; i++) place_deps(run, i);
}

Str pkg_node_path(const PkgRun *run, Arena *a, u32 node, Str separator)
{
    const PkgNode *n = &run->nodes.at[node];
    if (!n->parent) return n->name;
    Str up = pkg_node_path(run, a, n->parent, separator);
    return str_fmt(a, "%.*s%.*s%.*s", STR_ARG(up), STR_ARG(separator), STR_ARG(n->name));
}
