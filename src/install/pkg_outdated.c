/* install/pkg_outdated.c -- what the registry has for the dependencies of a package.json. */
#include "install/pkg.h"
#include "install/project.h"

#include <stdlib.h>

typedef struct {
    PkgRun run;
    Vec(PkgAge) ages;
    Vec(PkgSpec) specs;
} Job;

static Job *job_of(PkgRun *run)
{
    return CONTAINER(Job, run, run);
}

static void on_manifest(PkgRun *run, u64 index, PkgManifest *manifest)
{
    Job *job = job_of(run);
    PkgAge *age = &job->ages.at[index];
    const PkgSpec *spec = &job->specs.at[index];
    if (!manifest) {
        u64 *slot = str_map_find(&run->manifests, spec->name);
        Str why = pkg_manifest_error((PkgManifest *)(uintptr_t)*slot);
        (void)log_error(run->log, (Span){0}, "%.*s could not be looked up: %.*s",
                        STR_ARG(age->name), STR_ARG(why));
        return;
    }
    (void)pkg_manifest_pick(manifest, spec, &age->update);
    age->latest = pkg_manifest_latest(manifest);
}

static void take_group(Job *job, const PkgProject *project, const JsonNode *package, Str path,
                       PkgEdgeKind kind)
{
    static const Str groups[] = {[PKG_EDGE_PROD] = {"dependencies", 12},
                                 [PKG_EDGE_DEV] = {"devDependencies", 15},
                                 [PKG_EDGE_OPTIONAL] = {"optionalDependencies", 20},
                                 [PKG_EDGE_PEER] = {"peerDependencies", 16}};
    Arena *a = job->run.arena;
    const JsonNode *group = json_find(package, groups[kind]);
    for (u32 i = 0; group && group->kind == JSON_OBJECT && i < group->len; i++) {
        const JsonNode *value = &group->items[2 * i + 1];
        PkgSpec spec;
        Str name = json_str(a, &group->items[2 * i]);
        if (value->kind != JSON_STRING || !pkg_name_is_fine(name)) continue;
        Str own = path.n ? str_fmt(a, "%.*s/%.*s", STR_ARG(path), STR_ARG(name)) : name;
        u64 *slot = str_map_find(&project->by_path, own);
        if (!slot) slot = str_map_find(&project->by_path, name);
        if (!slot || !project->places[*slot].is_registry) continue;
        if (!pkg_spec_parse(a, name, json_str(a, value), S(""), &spec)) continue;
        if (spec.kind > PKG_TAG) continue;
        PkgAge age = {.name = name,
                      .text = json_str(a, value),
                      .kind = kind,
                      .current = project->places[*slot].version};
        vec_push(a, &job->ages, age);
        vec_push(a, &job->specs, spec);
    }
}

static bool is_older(Str version, Str than)
{
    Semver a, b;
    if (!semver_parse(version, &a) || !semver_parse(than, &b)) return false;
    return semver_cmp(&a, &b) < 0;
}

static int by_kind_and_name(const void *x, const void *y)
{
    const PkgAge *a = x, *b = y;
    if (a->kind != b->kind) return a->kind < b->kind ? -1 : 1;
    return str_cmp(a->name, b->name);
}

static void finish(Job *job, PkgAges *ret)
{
    u32 n = 0;
    for (u32 i = 0; i < job->ages.len; i++) {
        PkgAge age = job->ages.at[i];
        if (!age.update.n) age.update = age.current;
        if (!age.latest.n) age.latest = age.update;
        if (is_older(age.current, age.latest) || is_older(age.current, age.update))
            job->ages.at[n++] = age;
    }
    ret->at = job->ages.at;
    ret->len = n;
    if (n) qsort(ret->at, n, sizeof *ret->at, by_kind_and_name);
}

bool pkg_ages(Arena *a, Loop *loop, const PkgOptions *options, const PkgAgesOf *of, Log *log,
              PkgAges *ret)
{
    Job *job = ARENA_NEW(a, Job);
    PkgRun *run = &job->run;
    *run = (PkgRun){.arena = a, .loop = loop, .options = options, .log = log};
    run->client = http_client_new(loop);
    http_client_set_max(run->client, PKG_FETCHES_MAX);
    for (PkgEdgeKind kind = PKG_EDGE_PROD; kind <= PKG_EDGE_PEER; kind++)
        take_group(job, of->project, of->package, of->path, kind);
    for (u32 i = 0; i < job->ages.len; i++)
        pkg_manifest_get(run, job->specs.at[i].name, i, on_manifest);
    while (run->n_running || run->waiting.len) (void)loop_run(loop, LOOP_RUN_ONCE);
    finish(job, ret);
    pkg_manifests_free(run);
    http_client_free(run->client);
    (void)loop_run(loop, LOOP_RUN_NOWAIT);
    return log->n_errors == 0;
}
