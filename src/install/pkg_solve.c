/* install/pkg_solve.c -- which version each dependency gets.
 *
 * A dependency takes what the lockfile had if that still satisfies it, else the version that the
 * registry's metadata gives for it alone: no choice depends on another, so the result does not
 * depend on the order in which answers come.  Peer dependencies go last: they take what is there
 * already. */
#include "install/pkg.h"

static u64 edge_of(u32 pkg, u32 dep)
{
    return (u64)pkg << 32 | dep;
}

static PkgDep *dep_of(PkgRun *run, u64 edge)
{
    return &run->pkgs.at[edge >> 32].deps.at[(u32)edge];
}

static void push_deps(PkgRun *run, u32 pkg)
{
    for (u32 i = 0; i < run->pkgs.at[pkg].deps.len; i++)
        vec_push(run->arena, &run->queue, edge_of(pkg, i));
}

/* The package is part of the result: its own dependencies are followed, once. */
static u32 use(PkgRun *run, u32 pkg)
{
    if (!run->pkgs.at[pkg].is_needed) push_deps(run, pkg);
    run->pkgs.at[pkg].is_needed = true;
    return pkg;
}

/* ---- Packages -------------------------------------------------------------------------------- */

static u32 add_from_manifest(PkgRun *run, Str name, Str version, const JsonNode *json)
{
    Arena *a = run->arena;
    Str id = str_fmt(a, "%.*s@%.*s", STR_ARG(name), STR_ARG(version));
    bool is_new;
    u64 *slot = str_map_put(a, &run->by_id, id, &is_new);
    if (!is_new) return use(run, (u32)*slot);
    u32 index = run->pkgs.len;
    *slot = index;
    Pkg *pkg = vec_add(a, &run->pkgs);
    *pkg = (Pkg){.name = name, .version_text = version};
    bool is_version = semver_parse(version, &pkg->version); /* the registry checked it */
    DASSERT(is_version);
    (void)is_version;
    const JsonNode *dist = json_find(json, S("dist"));
    pkg->tarball = json_find_str(a, dist, S("tarball"));
    pkg->integrity = json_find_str(a, dist, S("integrity"));
    pkg->shasum = json_find_str(a, dist, S("shasum"));
    pkg_take_deps(run, pkg, json, false);
    pkg_take_platform(run, pkg, json);
    pkg_take_bins(run, pkg, json);
    return use(run, index);
}

static void not_found(PkgRun *run, const PkgDep *dep, const char *why)
{
    if (dep->kind == PKG_OPTIONAL || dep->kind == PKG_PEER) return;
    (void)log_error(run->log, (Span){0}, "%.*s@%.*s %s", STR_ARG(dep->spec.name),
                    STR_ARG(dep->spec.text), why);
}

static void on_manifest(PkgRun *run, u64 edge, PkgManifest *manifest)
{
    PkgDep *dep = dep_of(run, edge);
    if (!manifest) {
        u64 *slot = str_map_find(&run->manifests, dep->spec.name);
        Str why = pkg_manifest_error((PkgManifest *)(uintptr_t)*slot);
        not_found(run, dep, str_fmt(run->arena, "could not be resolved: %.*s", STR_ARG(why)).p);
        return;
    }
    Str version;
    const JsonNode *json = pkg_manifest_pick(manifest, &dep->spec, &version);
    if (!json) return not_found(run, dep, "does not exist: no version satisfies it");
    Str name = dep->spec.name;
    u32 to = add_from_manifest(run, name, version, json);
    dep_of(run, edge)->to = to; /* the packages may have moved */
}

/* ---- What is there already ------------------------------------------------------------------- */

static bool satisfies(const PkgSpec *spec, const Pkg *pkg)
{
    if (spec->is_tag) return false;
    return semver_satisfies(&spec->range, &pkg->version);
}

/* The greatest package in use of that name that satisfies; 0: none. */
static u32 find_present(PkgRun *run, const PkgSpec *spec, u32 n)
{
    u32 best = 0;
    for (u32 i = 1; i < n; i++) {
        const Pkg *pkg = &run->pkgs.at[i];
        if (!pkg->is_needed || !str_eq(pkg->name, spec->name) || !satisfies(spec, pkg)) continue;
        if (!best || semver_cmp(&run->pkgs.at[best].version, &pkg->version) < 0) best = i;
    }
    return best;
}

static u32 find_locked(PkgRun *run, const PkgSpec *spec)
{
    u64 *slot = str_map_find(&run->locked, spec->name);
    u32 best = 0;
    if (!slot) return 0;
    Vec(u32) *list = (void *)(uintptr_t)*slot;
    for (u32 i = 0; i < list->len; i++) {
        const Pkg *pkg = &run->pkgs.at[list->at[i]];
        bool is_fine = spec->is_tag || satisfies(spec, pkg);
        if (!is_fine) continue;
        if (!best || semver_cmp(&run->pkgs.at[best].version, &pkg->version) < 0) best = list->at[i];
    }
    return best;
}

static void follow(PkgRun *run, u64 edge)
{
    PkgDep *dep = dep_of(run, edge);
    if (dep->to || dep->kind == PKG_PEER) return;
    if (run->options->production && dep->kind == PKG_DEV) return;
    u32 locked = find_locked(run, &dep->spec);
    if (locked) {
        dep->to = use(run, locked);
        return;
    }
    pkg_manifest_get(run, dep->spec.name, edge, on_manifest);
}

/* Every dependency but peers, as far as answers have come and are still coming. */
static void drain(PkgRun *run)
{
    for (;;) {
        while (run->queue.len) follow(run, vec_pop(&run->queue));
        if (!run->n_running && !run->waiting.len) return;
        (void)loop_run(run->loop, LOOP_RUN_ONCE);
    }
}

/* Peers take what is there; those that nobody brought are asked for.  true: something was. */
static bool follow_peers(PkgRun *run)
{
    bool is_asked = false;
    u32 n = run->pkgs.len;
    for (u32 i = 0; i < n; i++) {
        for (u32 j = 0; j < run->pkgs.at[i].deps.len; j++) {
            PkgDep *dep = &run->pkgs.at[i].deps.at[j];
            if (dep->to || dep->kind != PKG_PEER) continue;
            dep->to = find_present(run, &dep->spec, n);
            if (dep->to || dep->is_optional_peer || dep->is_asked) continue;
            dep->is_asked = true;
            u32 locked = find_locked(run, &dep->spec);
            is_asked = true;
            if (locked)
                dep->to = use(run, locked);
            else
                pkg_manifest_get(run, dep->spec.name, edge_of(i, j), on_manifest);
        }
    }
    return is_asked;
}

bool pkg_solve(PkgRun *run)
{
    push_deps(run, 0);
    do drain(run);
    while (!run->log->n_errors && follow_peers(run));
    drain(run);
    return run->log->n_errors == 0;
}
