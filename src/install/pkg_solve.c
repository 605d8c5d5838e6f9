/* install/pkg_solve.c -- which version each dependency gets.
 *
 * Wave by wave from the project down, in each in the order of parents and names: a dependency takes
 * what the lockfile had if that still satisfies it, else what the registry's metadata gives; what
 * is there twice without need is made one at the end (pkg_dedupe.c).  Metadata is asked for ahead,
 * as far down as each dependency alone would lead, so that only the choice waits and not the
 * network; the order in which answers come changes nothing.  Peer dependencies go last: they take
 * what is there. */
#include "codec/base64.h"
#include "install/pkg.h"

void pkg_remember(PkgRun *run, StrMap *map, u32 index)
{
    u64 *slot = str_map_put(run->arena, map, run->pkgs.at[index].name, NULL);
    PkgList *list = (PkgList *)(uintptr_t)*slot;
    if (!list) list = ARENA_NEW(run->arena, PkgList);
    vec_push(run->arena, list, index);
    *slot = (u64)(uintptr_t)list;
}

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
    pkg_sort_deps(&run->pkgs.at[pkg]);
    for (u32 i = 0; i < run->pkgs.at[pkg].deps.len; i++)
        vec_push(run->arena, &run->queue, edge_of(pkg, i));
}

/* The package is part of the result: its own dependencies are followed, once. */
static u32 use(PkgRun *run, u32 pkg)
{
    if (run->pkgs.at[pkg].is_needed) return pkg;
    run->pkgs.at[pkg].is_needed = true;
    push_deps(run, pkg);
    pkg_remember(run, &run->used, pkg);
    return pkg;
}

/* ---- Packages -------------------------------------------------------------------------------- */

/* The digest that old packages have, in the form of the new ones. */
static Str integrity_of(Arena *a, Str shasum)
{
    enum { SHA1_LEN = 20 };
    u8 digest[SHA1_LEN + 1];
    char text[64];
    if (shasum.n != 2 * SHA1_LEN || hex_decode(shasum, digest) != SHA1_LEN) return S("");
    usize n = base64_encode(digest, SHA1_LEN, BASE64_STANDARD, text);
    return str_fmt(a, "sha1-%.*s", (int)n, text);
}

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
    if (!pkg->integrity.n) pkg->integrity = integrity_of(a, pkg->shasum);
    pkg_take_deps(run, pkg, json, false);
    pkg_take_platform(run, pkg, json);
    pkg_take_bins(run, pkg, json);
    return use(run, index);
}

static void not_found(PkgRun *run, const PkgDep *dep, const char *why)
{
    if (dep->kind == PKG_OPTIONAL || dep->kind == PKG_PEER) return;
    bool is_registry = dep->spec.kind < PKG_WORKSPACE;
    Str name = is_registry ? dep->spec.name : dep->name;
    Str text = is_registry ? dep->spec.text : dep->text;
    (void)log_error(run->log, (Span){0}, "%.*s@%.*s %s", STR_ARG(name), STR_ARG(text), why);
}

/* What another lockfile chose, if that is still what is asked for and still there. */
static const JsonNode *pick_pinned(PkgRun *run, PkgManifest *manifest, const PkgDep *dep,
                                   const PkgPin *pin, Str *ret_version)
{
    PkgSpec spec = {.kind = PKG_RANGE, .name = dep->spec.name, .text = pkg_pin_version(pin)};
    Semver version;
    bool is_fine = semver_range_parse(run->arena, spec.text, &spec.range) &&
                   semver_parse(spec.text, &version) && !dep->is_fresh;
    if (!is_fine) return NULL;
    if (dep->spec.kind == PKG_RANGE && !semver_satisfies(&dep->spec.range, &version)) return NULL;
    return pkg_manifest_pick(manifest, &spec, ret_version);
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
    Str version, name = dep->spec.name;
    const PkgPin *pin = pkg_pin_find(run, &run->pkgs.at[edge >> 32], dep);
    const JsonNode *json = pin ? pick_pinned(run, manifest, dep, pin, &version) : NULL;
    bool is_pinned = json != NULL;
    if (!json) json = pkg_manifest_pick(manifest, &dep->spec, &version);
    bool is_gated = run->options->age_min_s > 0;
    if (!json)
        return not_found(run, dep,
                         is_gated ? "does not exist: no version satisfies it and is older than "
                                    "the minimum release age"
                                  : "does not exist: no version satisfies it");
    run->n_unpinned += !is_pinned;
    u32 to = add_from_manifest(run, name, version, json);
    dep_of(run, edge)->to = to; /* the packages may have moved */
    if (!is_pinned) return;
    Str integrity = pkg_pin_integrity(pin);
    run->pkgs.at[to].is_locked = true;
    if (str_starts(integrity, S("sha512-"))) run->pkgs.at[to].integrity = integrity;
}

/* ---- What is there already ------------------------------------------------------------------- */

bool pkg_satisfies(const PkgSpec *spec, const Pkg *pkg)
{
    if (spec->kind != PKG_RANGE) return false;
    /* What version a folder or a repository is cannot be told from the lockfile. */
    return pkg->kind >= PKG_FOLDER || semver_satisfies(&spec->range, &pkg->version);
}

/* The greatest package of that name that satisfies; 0: none. */
static u32 find(PkgRun *run, const StrMap *map, const PkgSpec *spec, bool has_tags)
{
    u64 *slot = str_map_find(map, spec->name);
    u32 best = 0;
    if (!slot) return 0;
    const PkgList *list = (const PkgList *)(uintptr_t)*slot;
    for (u32 i = 0; i < list->len; i++) {
        const Pkg *pkg = &run->pkgs.at[list->at[i]];
        bool is_tagged = has_tags && spec->kind == PKG_TAG;
        if (pkg->kind >= PKG_FOLDER || (!is_tagged && !pkg_satisfies(spec, pkg))) continue;
        if (!best || semver_cmp(&run->pkgs.at[best].version, &pkg->version) < 0) best = list->at[i];
    }
    return best;
}

/* What the lockfile had for a source, if it was asked for with the same words or the same commit.
 */
static u32 find_source(PkgRun *run, const PkgDep *dep)
{
    Str id = str_fmt(run->arena, "%.*s@%.*s", STR_ARG(dep->name), STR_ARG(dep->text));
    bool is_said = str_map_find(&run->lock_specs, id) != NULL;
    for (u32 i = 1; i < run->pkgs.len; i++) {
        const Pkg *pkg = &run->pkgs.at[i];
        if (!pkg->is_locked || pkg->kind != dep->spec.kind) continue;
        if (!str_eq(pkg->where, dep->spec.where)) continue;
        bool is_same = pkg->kind == PKG_TARBALL || pkg->kind == PKG_LINK ||
                       (dep->spec.commit.n && str_starts(pkg->commit, dep->spec.commit));
        if (is_same || (is_said && pkg->kind != PKG_FOLDER)) return i;
    }
    return 0;
}

static u32 find_known(PkgRun *run, const PkgDep *dep)
{
    const PkgSpec *spec = &dep->spec;
    if (pkg_is_source(spec)) return dep->is_fresh ? 0 : find_source(run, dep);
    u32 own = pkg_find_workspace(run, spec);
    if (own) return own;
    return find(run, &run->locked, spec, true);
}

/* ---- Asking ahead ---------------------------------------------------------------------------- */

static void expect(PkgRun *run, const PkgSpec *spec);

static void expect_group(PkgRun *run, const JsonNode *json, Str key)
{
    const JsonNode *group = json_find(json, key);
    if (!group || group->kind != JSON_OBJECT) return;
    for (u32 i = 0; i < group->len; i++) {
        const JsonNode *value = &group->items[2 * i + 1];
        PkgSpec spec;
        if (value->kind != JSON_STRING) continue;
        Str name = json_str(run->arena, &group->items[2 * i]);
        if (!pkg_name_is_fine(name)) continue;
        bool ok = pkg_spec_parse(run->arena, name, json_str(run->arena, value), S(""), &spec);
        if (ok && !pkg_is_source(&spec)) expect(run, &spec);
    }
}

static void on_expected(PkgRun *run, u64 edge, PkgManifest *manifest)
{
    Str version;
    const PkgSpec *spec = (const PkgSpec *)(uintptr_t)edge;
    const JsonNode *json = manifest ? pkg_manifest_pick(manifest, spec, &version) : NULL;
    expect_group(run, json, S("dependencies"));
    expect_group(run, json, S("optionalDependencies"));
}

static void expect(PkgRun *run, const PkgSpec *spec)
{
    bool is_new;
    if (spec->kind == PKG_WORKSPACE || find(run, &run->locked, spec, true)) return;
    Str id = str_fmt(run->arena, "%.*s@%.*s", STR_ARG(spec->name), STR_ARG(spec->text));
    (void)str_map_put(run->arena, &run->expected, id, &is_new);
    if (!is_new) return;
    PkgSpec *kept = ARENA_NEW(run->arena, PkgSpec);
    *kept = *spec;
    pkg_manifest_get(run, kept->name, (u64)(uintptr_t)kept, on_expected);
}

/* ---- Waves ----------------------------------------------------------------------------------- */

static bool is_wanted(const PkgDep *dep)
{
    return !dep->to && dep->kind != PKG_PEER;
}

static void wait(PkgRun *run)
{
    while (run->n_running || run->waiting.len) (void)loop_run(run->loop, LOOP_RUN_ONCE);
}

static void take_source(PkgRun *run, u64 edge)
{
    const PkgDep *dep = dep_of(run, edge);
    Str error;
    u32 to = pkg_source_take(run, &dep->spec, dep->name, &error);
    dep = dep_of(run, edge); /* the packages may have moved */
    if (!to && error.n)
        not_found(run, dep, str_fmt(run->arena, "could not be resolved: %.*s", STR_ARG(error)).p);
    if (to) dep_of(run, edge)->to = use(run, to);
}

static void follow(PkgRun *run, u64 edge)
{
    PkgDep *dep = dep_of(run, edge);
    if (!is_wanted(dep)) return;
    u32 known = dep->is_fresh && !pkg_find_workspace(run, &dep->spec) ? 0 : find_known(run, dep);
    if (known)
        dep->to = use(run, known);
    else if (dep->spec.kind == PKG_WORKSPACE)
        not_found(run, dep, "is no workspace of this project");
    else if (pkg_is_source(&dep->spec))
        take_source(run, edge);
    else
        pkg_manifest_get(run, dep->spec.name, edge, on_manifest);
}

/* Every dependency but peers. */
static void drain(PkgRun *run)
{
    for (u32 from = 0; from < run->queue.len;) {
        u32 end = run->queue.len;
        for (u32 i = from; i < end; i++) {
            const PkgDep *dep = dep_of(run, run->queue.at[i]);
            if (!is_wanted(dep) || find_known(run, dep)) continue;
            if (pkg_is_source(&dep->spec))
                pkg_source_ask(run, &dep->spec);
            else
                expect(run, &dep->spec);
        }
        wait(run);
        for (; from < end; from++) follow(run, run->queue.at[from]);
        wait(run);
    }
    run->queue.len = 0;
}

/* Metadata of peers that nobody brought, so that it is there when they are followed in order. */
static void expect_peers(PkgRun *run)
{
    for (u32 i = 0; i < run->pkgs.len; i++) {
        const Pkg *pkg = &run->pkgs.at[i];
        for (u32 j = 0; j < pkg->deps.len && (!i || pkg->is_needed); j++) {
            const PkgDep *dep = &pkg->deps.at[j];
            bool is_passed = dep->to || dep->kind != PKG_PEER || dep->is_optional_peer ||
                             dep->is_asked || dep->spec.kind >= PKG_WORKSPACE;
            if (is_passed || pkg_find_workspace(run, &dep->spec)) continue;
            if (find(run, &run->used, &dep->spec, false)) continue;
            if (dep->is_fresh || !find(run, &run->locked, &dep->spec, true))
                expect(run, &dep->spec);
        }
    }
    wait(run);
}

/* Peers take what is there; those that nobody brought are asked for.  true: something was. */
static bool follow_peers(PkgRun *run)
{
    bool is_asked = false;
    expect_peers(run);
    u32 n = run->pkgs.len;
    for (u32 i = 0; i < n; i++) {
        for (u32 j = 0; j < run->pkgs.at[i].deps.len; j++) {
            PkgDep *dep = &run->pkgs.at[i].deps.at[j];
            if (dep->to || dep->kind != PKG_PEER) continue;
            if (!run->pkgs.at[i].is_needed && i) break;
            dep->to = pkg_find_workspace(run, &dep->spec);
            if (!dep->to) dep->to = find(run, &run->used, &dep->spec, false);
            if (dep->to || dep->is_optional_peer || dep->is_asked ||
                dep->spec.kind >= PKG_WORKSPACE)
                continue;
            dep->is_asked = true;
            u32 locked = dep->is_fresh ? 0 : find(run, &run->locked, &dep->spec, true);
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
    u32 n_own = run->pkgs.len;
    push_deps(run, 0);
    for (u32 i = 1; i < n_own && run->pkgs.at[i].workspace.n; i++) (void)use(run, i);
    do {
        drain(run);
        wait(run);
    } while (!run->log->n_errors && (follow_peers(run) || run->queue.len));
    if (!run->log->n_errors) pkg_dedupe(run);
    return run->log->n_errors == 0;
}
