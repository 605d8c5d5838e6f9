/* install/pkg_script.c -- lifecycle scripts: which packages have some that are to be run now, and
 * in which order.
 *
 * Those of a package are run when it came into node_modules in this run, or when it is trusted
 * since this run.  A run that is killed in between must not leave packages behind that look whole
 * and were never built: their places are noted in node_modules/.cob-scripts before they are linked,
 * and what the next run finds there is linked, and built, again. */
#include "install/pkg_script.h"
#include "util/err.h"
#include "util/path.h"

#define PENDING_NAME "node_modules/.cob-scripts"

enum { PENDING_MAX = 16 << 20 };

const Str pkg_script_names[PKG_SCRIPTS] = {{"preinstall", 10}, {"install", 7}, {"postinstall", 11},
                                           {"preprepare", 10}, {"prepare", 7}, {"postprepare", 11}};

/* ---- Before linking -------------------------------------------------------------------------- */

/* What a source has is seen only when it is there. */
static bool may_have_scripts(const Pkg *pkg)
{
    return pkg->has_scripts || (pkg->kind >= PKG_FOLDER && pkg->kind != PKG_LINK);
}

static Str pending_path(PkgRun *run)
{
    return path_join2(run->arena, run->options->dir, S(PENDING_NAME));
}

void pkg_script_plan(PkgRun *run)
{
    Str text, line;
    if (!run->options->scripts) return;
    for (u32 i = 1; i < run->pkgs.len; i++) {
        Pkg *pkg = &run->pkgs.at[i];
        pkg->runs_scripts = !pkg->workspace.n && may_have_scripts(pkg) && pkg_is_trusted(run, pkg);
    }
    if (sys_read_file(run->arena, pending_path(run), PENDING_MAX, &text) < 0) return;
    while (str_next(&text, '\n', &line)) *str_map_put(run->arena, &run->unbuilt, line, NULL) = 1;
}

bool pkg_script_is_unbuilt(PkgRun *run, u32 node)
{
    if (!run->unbuilt.len) return false;
    return str_map_find(&run->unbuilt, pkg_node_path(run, run->arena, node, S("/"))) != NULL;
}

static bool is_ours(const PkgRun *run, const PkgNode *node)
{
    return !node->is_bundled && !node->is_left_out && !run->pkgs.at[node->pkg].is_elsewhere;
}

bool pkg_script_note(PkgRun *run)
{
    AUTO(Buf) out = {0};
    usize made;
    for (u32 i = 1; i < run->nodes.len; i++) {
        const PkgNode *node = &run->nodes.at[i];
        if (node->is_there || !is_ours(run, node) || !run->pkgs.at[node->pkg].runs_scripts)
            continue;
        (void)buf_push(&out, pkg_node_path(run, run->arena, i, S("/")));
        (void)buf_push_char(&out, '\n');
    }
    if (!out.len) return true;
    Str path = pending_path(run);
    int rc = sys_mkdir_all(path_dirname(path), 0755, &made);
    if (rc >= 0) rc = sys_write_file_atomic(path, buf_str(&out), 0644);
    if (rc >= 0) return true;
    return log_error(run->log, (Span){0}, "Cannot write %.*s: %s", STR_ARG(path), err_text(rc));
}

/* ---- What there is --------------------------------------------------------------------------- */

static bool has_file(Arena *a, Str dir, Str name)
{
    SysStat st;
    return sys_stat(path_join2(a, dir, name), &st) >= 0;
}

/* Those of the package.json in `job->dir`, up to `n` of them.  How many there are. */
static u32 read_scripts(PkgRun *run, PkgScriptJob *job, u32 n)
{
    Arena *a = run->arena;
    Str text;
    JsonError e;
    u32 n_found = 0;
    if (sys_read_file(a, path_join2(a, job->dir, S("package.json")), PKG_MANIFEST_MAX, &text) < 0 ||
        !json_parse(a, text, JSON_JSONC, &job->json, &e))
        return 0;
    const JsonNode *scripts = json_find(&job->json, S("scripts"));
    job->name = json_find_str(a, &job->json, S("name"));
    job->version = json_find_str(a, &job->json, S("version"));
    for (u32 i = 0; i < n; i++) {
        job->texts[i] = json_find_str(a, scripts, pkg_script_names[i]);
        n_found += job->texts[i].n > 0;
    }
    bool is_silent = !job->texts[PKG_PREINSTALL].n && !job->texts[PKG_INSTALL].n;
    if (!is_silent || !has_file(a, job->dir, S("binding.gyp"))) return n_found;
    job->texts[PKG_INSTALL] = S("node-gyp rebuild");
    return n_found + 1;
}

/* What comes from a repository was not prepared by who published it. */
static u32 n_events_of(const Pkg *pkg)
{
    return pkg->kind == PKG_GIT || pkg->kind == PKG_GITHUB ? PKG_SCRIPTS : PKG_PREPREPARE;
}

typedef Vec(PkgScriptJob) Jobs;

static void take_node(PkgRun *run, u32 index, PkgResult *result, Jobs *ret)
{
    const PkgNode *node = &run->nodes.at[index];
    Pkg *pkg = &run->pkgs.at[node->pkg];
    PkgScriptJob job = {.node = index, .is_own = pkg->workspace.n > 0};
    if (!is_ours(run, node)) return;
    if (!job.is_own) {
        bool is_late = !run->options->is_frozen && pkg_is_newly_trusted(run, pkg);
        if (!may_have_scripts(pkg) || (node->is_there && !is_late)) return;
    }
    job.dir = pkg_node_place(run, run->arena, index);
    job.is_optional = !pkg->is_required && !job.is_own;
    u32 n = read_scripts(run, &job, job.is_own ? PKG_SCRIPTS : n_events_of(pkg));
    bool is_run = run->options->scripts && (job.is_own || pkg->runs_scripts);
    if (n && is_run)
        vec_push(run->arena, ret, job);
    else if (!is_run && !job.is_own && !pkg_is_trusted(run, pkg))
        result->n_blocked += n;
}

/* ---- Their order ----------------------------------------------------------------------------- */

/* The jobs that a dependency of a job leads to. */
static void reach(PkgRun *run, const u32 *job_of, u32 node, PkgList *ret)
{
    Arena *a = run->arena;
    PkgList queue = {0};
    u8 *is_seen = arena_alloc(a, run->nodes.len, 1);
    vec_push(a, &queue, node);
    is_seen[node] = true;
    while (queue.len) {
        u32 at = vec_pop(&queue);
        const Pkg *pkg = &run->pkgs.at[run->nodes.at[at].pkg];
        if (at != node && job_of[at]) vec_push(a, ret, job_of[at] - 1);
        for (u32 i = 0; i < pkg->deps.len; i++) {
            u32 found = pkg_node_find(run, at, pkg->deps.at[i].name);
            if (!found || is_seen[found]) continue;
            is_seen[found] = true;
            vec_push(a, &queue, found);
        }
    }
}

static bool has(const PkgList *list, u32 x)
{
    for (u32 i = 0; i < list->len; i++)
        if (list->at[i] == x) return true;
    return false;
}

/* Dependencies first; of those that need each other, the one that was found first. */
static void put_in_order(PkgRun *run, Jobs *jobs)
{
    Arena *a = run->arena;
    u32 *job_of = ARENA_ARRAY(a, u32, run->nodes.len);
    PkgList *reached = ARENA_ARRAY(a, PkgList, jobs->len + 1);
    for (u32 i = 0; i < jobs->len; i++) job_of[jobs->at[i].node] = i + 1;
    for (u32 i = 0; i < jobs->len; i++) reach(run, job_of, jobs->at[i].node, &reached[i]);
    for (u32 i = 0; i < jobs->len; i++) {
        for (u32 j = 0; j < reached[i].len; j++) {
            u32 other = reached[i].at[j];
            bool is_mutual = has(&reached[other], i);
            if (!is_mutual || other < i) vec_push(a, &jobs->at[i].after, other);
        }
    }
}

/* ---- Running --------------------------------------------------------------------------------- */

bool pkg_script_run(PkgRun *run, PkgResult *result)
{
    Jobs jobs = {0};
    pkg_mark_required(run);
    for (u32 i = 1; i < run->nodes.len; i++) take_node(run, i, result, &jobs);
    put_in_order(run, &jobs);
    if (jobs.len && !pkg_script_run_all(run, jobs.at, jobs.len, result)) return false;
    if (run->options->scripts) sys_unlink(pending_path(run));
    return true;
}

bool pkg_script_run_root(PkgRun *run, PkgResult *result)
{
    PkgScriptJob job = {.is_own = true, .dir = run->options->dir};
    if (!run->options->scripts || !read_scripts(run, &job, PKG_SCRIPTS)) return true;
    return pkg_script_run_own(run, &job, result);
}
