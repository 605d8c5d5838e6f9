/* install/pkg_frozen.c -- `--frozen-lockfile`: every package is where the lockfile has it, in that
 * version.  How package.json asks for it is another matter: a range that means the same, another
 * group of dependencies, a list of whom to trust change no package. */
#include "install/pkg.h"

static bool fail(PkgRun *run, Str name, Str how)
{
    (void)log_error(run->log, (Span){0}, "lockfile had changes, but lockfile is frozen");
    (void)log_note(run->log, (Span){0},
                   "dependencies in package.json changed since bun.lock was saved: %.*s %.*s",
                   STR_ARG(name), STR_ARG(how));
    return log_note(run->log, (Span){0},
                    "try re-running without --frozen-lockfile and commit the updated lockfile");
}

static bool is_in_lock(const PkgRun *run, Str name)
{
    u64 *slot = str_map_find(&run->locked, name);
    return slot != NULL;
}

/* What the lockfile has and nobody asks for; empty: nothing. */
static Str find_dropped(PkgRun *run, const StrMap *wanted)
{
    StrMapSlot *slot;
    u32 at = 0;
    Str first = {0};
    while ((slot = str_map_next(&run->placed, &at))) {
        if (str_map_find(wanted, slot->key)) continue;
        Str name = run->pkgs.at[slot->value].name;
        if (!first.n || str_cmp(name, first) < 0) first = name;
    }
    return first;
}

bool pkg_frozen_check(PkgRun *run)
{
    StrMap wanted = {0};
    if (!run->has_lock)
        return !run->imported.n || !run->n_unpinned || fail(run, S("some"), S("are new"));
    for (u32 i = 1; i < run->nodes.len; i++) {
        const Pkg *pkg = &run->pkgs.at[run->nodes.at[i].pkg];
        if (pkg->workspace.n) continue;
        Str path = pkg_node_path(run, run->arena, i, S("/"));
        *str_map_put(run->arena, &wanted, path, NULL) = 1;
        u64 *slot = str_map_find(&run->placed, path);
        if (slot && *slot == run->nodes.at[i].pkg) continue;
        Str version = str_fmt(run->arena, "is %.*s now", STR_ARG(pkg->version_text));
        return fail(run, pkg->name, is_in_lock(run, pkg->name) ? version : S("was added"));
    }
    Str dropped = find_dropped(run, &wanted);
    return !dropped.n || fail(run, dropped, S("was removed"));
}
