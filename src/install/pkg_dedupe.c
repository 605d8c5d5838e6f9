/* install/pkg_dedupe.c -- fewer versions of the same package, where everybody is content with
 * others: a version goes when all who asked for it can have another one that is there anyway.
 *
 * What the lockfile had, and what the project itself (or a tag) asks for, stays.  Greatest versions
 * are looked at first, names in order, until nothing changes: the result depends on the graph
 * only. */
#include "install/pkg.h"

#include <stdlib.h>

static bool is_bringing(const PkgDep *dep)
{
    return dep->to && !(dep->kind == PKG_PEER && dep->is_optional_peer);
}

/* What the project leads to, now. */
static void mark_needed(PkgRun *run)
{
    Vec(u32) queue = {0};
    for (u32 i = 0; i < run->pkgs.len; i++) {
        bool is_own = !i || run->pkgs.at[i].workspace.n;
        run->pkgs.at[i].is_needed = is_own;
        if (is_own) vec_push(run->arena, &queue, i);
    }
    while (queue.len) {
        const Pkg *pkg = &run->pkgs.at[vec_pop(&queue)];
        for (u32 i = 0; i < pkg->deps.len; i++) {
            const PkgDep *dep = &pkg->deps.at[i];
            if (!is_bringing(dep) || run->pkgs.at[dep->to].is_needed) continue;
            run->pkgs.at[dep->to].is_needed = true;
            vec_push(run->arena, &queue, dep->to);
        }
    }
}

/* The greatest of the list that would do, without `not_this`; 0: none. */
static u32 other_for(const PkgRun *run, const PkgList *list, const PkgSpec *spec, u32 not_this)
{
    u32 best = 0;
    for (u32 i = 0; i < list->len; i++) {
        const Pkg *pkg = &run->pkgs.at[list->at[i]];
        if (list->at[i] == not_this || !pkg->is_needed) continue;
        if (pkg->workspace.n || pkg->kind != PKG_RANGE) continue;
        if (!semver_satisfies(&spec->range, &pkg->version)) continue;
        if (!best || semver_cmp(&run->pkgs.at[best].version, &pkg->version) < 0) best = list->at[i];
    }
    return best;
}

/* Each dependency that leads to `version`. */
#define EACH_EDGE(run, version, pkg_, dep_)                                                        \
    for (u32 pkg_ = 0; pkg_ < (run)->pkgs.len; pkg_++)                                             \
        for (u32 dep_ = 0; dep_ < (run)->pkgs.at[pkg_].deps.len; dep_++)                           \
            if ((run)->pkgs.at[pkg_].is_needed &&                                                  \
                (run)->pkgs.at[pkg_].deps.at[dep_].to == (version))

static bool can_go(const PkgRun *run, const PkgList *list, u32 version)
{
    const Pkg *pkg = &run->pkgs.at[version];
    if (pkg->is_locked || pkg->workspace.n || pkg->kind != PKG_RANGE) return false;
    EACH_EDGE(run, version, i, j)
    {
        const PkgDep *dep = &run->pkgs.at[i].deps.at[j];
        bool is_own = !i || run->pkgs.at[i].workspace.n;
        if (is_own || dep->spec.kind != PKG_RANGE || dep->is_bundled) return false;
        if (is_bringing(dep) && !other_for(run, list, &dep->spec, version)) return false;
    }
    return true;
}

static void let_go(PkgRun *run, const PkgList *list, u32 version)
{
    EACH_EDGE(run, version, i, j)
    {
        PkgDep *dep = &run->pkgs.at[i].deps.at[j];
        dep->to = other_for(run, list, &dep->spec, version);
    }
    mark_needed(run);
}

/* true: a version went. */
static bool thin(PkgRun *run, const PkgList *list)
{
    for (u32 i = 0; i < list->len; i++) {
        u32 version = list->at[i];
        if (!run->pkgs.at[version].is_needed || !can_go(run, list, version)) continue;
        let_go(run, list, version);
        return true;
    }
    return false;
}

static int by_name(const void *x, const void *y)
{
    return str_cmp((*(const StrMapSlot *const *)x)->key, (*(const StrMapSlot *const *)y)->key);
}

static void sort_greatest_first(const PkgRun *run, PkgList *list)
{
    for (u32 i = 1; i < list->len; i++) {
        u32 moved = list->at[i], j = i;
        const Semver *version = &run->pkgs.at[moved].version;
        for (; j && semver_cmp(&run->pkgs.at[list->at[j - 1]].version, version) < 0; j--)
            list->at[j] = list->at[j - 1];
        list->at[j] = moved;
    }
}

void pkg_dedupe(PkgRun *run)
{
    Vec(StrMapSlot *) names = {0};
    StrMapSlot *slot;
    u32 at = 0;
    while ((slot = str_map_next(&run->used, &at))) {
        PkgList *list = (PkgList *)(uintptr_t)slot->value;
        if (list->len < 2) continue;
        sort_greatest_first(run, list);
        vec_push(run->arena, &names, slot);
    }
    if (!names.len) return;
    qsort(names.at, names.len, sizeof *names.at, by_name);
    mark_needed(run);
    bool is_changed = true;
    while (is_changed) {
        is_changed = false;
        for (u32 i = 0; i < names.len; i++)
            while (thin(run, (const PkgList *)(uintptr_t)names.at[i]->value)) is_changed = true;
    }
}
