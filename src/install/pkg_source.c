/* install/pkg_source.c -- packages that no registry has: folders, links, tarballs, repositories.
 * What they are called and need stands in their package.json, so they are brought before it is
 * known what else is needed; each once, however many ask for it. */
#include "install/pkg.h"
#include "util/err.h"
#include "util/path.h"

typedef struct {
    PkgRun *run;
    PkgGet get;
    PkgSpec spec;
    Str dep_name, staging;
    Str expected;                      /* integrity, from the lockfile */
    Buf integrity, top, commit, error; /* top: the name of the folder in the archive */
    u32 pkg;
    bool is_done;
    LoopReq req;
} Job;

static void fail(Job *job, Str why)
{
    if (!job->error.len) (void)buf_push(&job->error, why);
}

static void end(Job *job)
{
    job->is_done = true;
    Buf_deinit(&job->get.body);
    pkg_get_end(&job->get);
}

/* ---- On the pool ----------------------------------------------------------------------------- */

static Str tarball_dir(Arena *a, Str cache_dir, Str integrity)
{
    enum { HASH_CHARS = 32 };
    i64 dash = str_find(integrity, '-');
    Str hash = str_dup(a, str_slice(integrity, (usize)(dash + 1),
                                    MIN(integrity.n, (usize)(dash + 1 + HASH_CHARS))));
    char *p = (char *)(uintptr_t)hash.p;
    for (usize i = 0; i < hash.n; i++)
        if (p[i] == '/' || p[i] == '+' || p[i] == '=') p[i] = '_';
    return str_fmt(a, "%.*s/.tarballs/%.*s", STR_ARG(cache_dir), STR_ARG(hash));
}

static i64 unpack(Job *job)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    const char *why;
    Str bytes = buf_str(&job->get.body);
    pkg_integrity_of(bytes, &job->integrity);
    Str dir = tarball_dir(s.arena, job->run->options->cache_dir, buf_str(&job->integrity));
    PkgTarball t = {.bytes = bytes,
                    .integrity = job->expected.n ? job->expected : buf_str(&job->integrity),
                    .staging = job->staging,
                    .dir = dir,
                    .ret_top = &job->top};
    int rc = pkg_unpack(&t, &why);
    if (rc < 0) fail(job, str_z(why ? why : err_text(rc)));
    return rc;
}

static i64 work(LoopReq *req)
{
    Job *job = CONTAINER(Job, req, req);
    const PkgOptions *o = job->run->options;
    if (job->spec.kind == PKG_GIT) {
        PkgGit git = {.cache_dir = o->cache_dir,
                      .url = job->spec.where,
                      .commit = job->spec.commit,
                      .staging = job->staging,
                      .ret_commit = &job->commit,
                      .ret_error = &job->error};
        return pkg_git_bring(&git) ? 0 : -EIO;
    }
    if (!job->get.url.n) {
        AUTO(Scratch) s = scratch_begin(NULL);
        int fd = sys_open(path_resolve(s.arena, o->dir, o->dir, job->spec.where), O_RDONLY, 0);
        int rc = fd < 0 ? fd : sys_read_all(fd, PKG_TARBALL_MAX, &job->get.body);
        sys_close(fd);
        if (rc < 0) fail(job, str_z(err_text(rc)));
        if (rc < 0) return rc;
    }
    return unpack(job);
}

static void on_worked(LoopReq *req, i64 rc)
{
    Job *job = CONTAINER(Job, req, req);
    if (rc < 0) fail(job, S("it could not be brought"));
    end(job);
}

static void work_later(Job *job)
{
    job->req.on_done = on_worked;
    loop_req_work(job->run->loop, &job->req, work);
}

/* ---- From the network ------------------------------------------------------------------------ */

static void on_done(PkgGet *g, int rc)
{
    Job *job = CONTAINER(Job, get, g);
    if (rc >= 0 && g->status == 200) return work_later(job);
    AUTO(Scratch) s = scratch_begin(NULL);
    fail(job, pkg_get_error(g, s.arena, rc));
    end(job);
}

/* ---- Asking ---------------------------------------------------------------------------------- */

static Str url_of(Arena *a, const PkgSpec *spec)
{
    Str base, domain;
    if (spec->kind == PKG_TARBALL) {
        bool is_url =
            str_starts(spec->where, S("http://")) || str_starts(spec->where, S("https://"));
        return is_url ? spec->where : S("");
    }
    if (spec->kind != PKG_GITHUB) return S("");
    if (!sys_env_find(a, S("GITHUB_API_URL"), &base) || !base.n) {
        bool has = sys_env_find(a, S("GITHUB_API_DOMAIN"), &domain) && domain.n;
        base = str_fmt(a, "https://%.*s", STR_ARG(has ? domain : S("api.github.com")));
    }
    return str_fmt(a, "%.*s/repos/%.*s/tarball/%.*s", STR_ARG(base), STR_ARG(spec->where),
                   STR_ARG(spec->commit));
}

static Str key_of(Arena *a, const PkgSpec *spec)
{
    return str_fmt(a, "%d %.*s#%.*s", (int)spec->kind, STR_ARG(spec->where), STR_ARG(spec->commit));
}

bool pkg_is_source(const PkgSpec *spec)
{
    return spec->kind >= PKG_FOLDER;
}

static void on_turn(PkgGet *g)
{
    Job *job = CONTAINER(Job, get, g);
    bool is_local = job->spec.kind == PKG_TARBALL && !g->url.n;
    if (!is_local && g->run->options->offline == PKG_OFFLINE)
        fail(job, S("it is not in the cache, and the network is not to be used"));
    else if (!g->url.n)
        return work_later(job);
    else if (pkg_get_ask(g, pkg_registry_auth(g->run, g->url), NULL, 0))
        return;
    fail(job, S("it is no URL"));
    end(job);
}

static Job *job_for(PkgRun *run, const PkgSpec *spec, bool *ret_is_new)
{
    Str key = key_of(run->arena, spec);
    u64 *slot = str_map_put(run->arena, &run->sources, key, ret_is_new);
    if (*ret_is_new) {
        Job *job = ARENA_NEW(run->arena, Job);
        job->run = run;
        job->spec = *spec;
        job->get = (PkgGet){.run = run,
                            .url = url_of(run->arena, spec),
                            .body_max = PKG_TARBALL_MAX,
                            .on_turn = on_turn,
                            .on_done = on_done};
        job->staging = str_fmt(run->arena, "%.*s/.tmp-%d-s%u", STR_ARG(run->options->cache_dir),
                               (int)sys_pid(), run->n_sources++);
        *slot = (u64)(uintptr_t)job;
    }
    return (Job *)(uintptr_t)*slot;
}

static bool make_cache(PkgRun *run, Job *job)
{
    enum { CACHE_MODE = 0755 };
    usize made;
    int rc = sys_mkdir_all(run->options->cache_dir, CACHE_MODE, &made);
    if (rc < 0) fail(job, str_z(err_text(rc)));
    return rc >= 0;
}

void pkg_source_ask(PkgRun *run, const PkgSpec *spec)
{
    bool is_new;
    Job *job = job_for(run, spec, &is_new);
    if (!is_new) return;
    if (spec->kind == PKG_FOLDER || spec->kind == PKG_LINK || !make_cache(run, job))
        job->is_done = true;
    else
        pkg_get_start(&job->get);
}

/* ---- The package ----------------------------------------------------------------------------- */

static Str resolution_of(Arena *a, const Job *job)
{
    const PkgSpec *spec = &job->spec;
    Str text = spec->text, commit = buf_str(&job->commit), top = buf_str(&job->top);
    switch (spec->kind) {
    case PKG_FOLDER: return str_fmt(a, "file:%.*s", STR_ARG(spec->where));
    case PKG_LINK:
        if (!str_starts(text, S("portal:"))) return text;
        return str_fmt(a, "link:%.*s", STR_ARG(str_skip(text, 7)));
    case PKG_TARBALL: return str_starts(text, S("file:")) ? str_skip(text, 5) : text;
    case PKG_GIT:
        return str_starts(spec->where, S("https://")) || str_starts(spec->where, S("http://")) ||
                       str_starts(spec->where, S("ssh://")) || str_starts(spec->where, S("file:"))
                   ? str_fmt(a, "git+%.*s#%.*s", STR_ARG(spec->where), STR_ARG(commit))
                   : str_fmt(a, "%.*s#%.*s", STR_ARG(spec->where), STR_ARG(commit));
    case PKG_GITHUB: {
        i64 dash = str_rfind(top, '-');
        return str_fmt(a, "github:%.*s#%.*s", STR_ARG(spec->where),
                       STR_ARG(str_skip(top, (usize)(dash + 1))));
    }
    default: BUG("no source");
    }
}

Str pkg_source_dir(PkgRun *run, const Pkg *pkg)
{
    Arena *a = run->arena;
    Str cache = run->options->cache_dir;
    if (pkg->kind == PKG_FOLDER)
        return path_resolve(a, run->options->dir, run->options->dir, pkg->where);
    if (pkg->kind == PKG_GIT) return pkg_git_dir(a, cache, pkg->commit);
    if (pkg->kind == PKG_TARBALL || pkg->kind == PKG_GITHUB)
        return tarball_dir(a, cache, pkg->integrity.n ? pkg->integrity : pkg->version_text);
    return S("");
}

static bool read_json(PkgRun *run, const Job *job, Pkg *pkg, JsonNode *ret)
{
    Str dir = pkg->kind == PKG_LINK
                  ? path_resolve(run->arena, run->options->dir, run->options->dir, pkg->where)
                  : pkg->dir;
    Str path = path_join2(run->arena, dir, S("package.json")), text;
    JsonError e;
    int rc = sys_read_file(run->arena, path, PKG_MANIFEST_MAX, &text);
    Source *source = ARENA_NEW(run->arena, Source);
    *source = (Source){path, text};
    if (rc < 0)
        return log_error(run->log, (Span){0}, "%.*s: cannot read %.*s: %s", STR_ARG(job->spec.text),
                         STR_ARG(path), err_text(rc));
    if (json_parse(run->arena, text, JSON_JSONC, ret, &e)) return true;
    return log_error(run->log, (Span){.src = source, .pos = e.offset}, "%s", e.what);
}

static u32 add(PkgRun *run, Job *job)
{
    Arena *a = run->arena;
    JsonNode json;
    Pkg made = {.kind = job->spec.kind, .where = job->spec.where};
    made.version_text = resolution_of(a, job);
    made.commit = str_dup(a, buf_str(job->spec.kind == PKG_GITHUB ? &job->top : &job->commit));
    made.integrity = str_dup(a, buf_str(&job->integrity));
    made.dir = pkg_source_dir(run, &made);
    if (!read_json(run, job, &made, &json)) return 0;
    made.name = json_find_str(a, &json, S("name"));
    if (!pkg_name_is_fine(made.name)) made.name = job->dep_name;
    if (!semver_parse(json_find_str(a, &json, S("version")), &made.version))
        made.version = (Semver){0};
    Str id = str_fmt(a, "%.*s@%.*s", STR_ARG(made.name), STR_ARG(made.version_text));
    bool is_new;
    u64 *slot = str_map_put(a, &run->by_id, id, &is_new);
    if (!is_new) return (u32)*slot;
    u32 index = run->pkgs.len;
    *slot = index;
    Pkg *pkg = vec_add(a, &run->pkgs);
    *pkg = made;
    pkg_take_bins(run, pkg, &json);
    if (pkg->kind == PKG_LINK) return index; /* it has a node_modules of its own */
    pkg_take_deps(run, pkg, &json, false);
    pkg_take_platform(run, pkg, &json);
    return index;
}

u32 pkg_source_take(PkgRun *run, const PkgSpec *spec, Str name, Str *ret_error)
{
    bool is_new;
    Job *job = job_for(run, spec, &is_new);
    ASSERT(!is_new && job->is_done);
    if (!job->dep_name.n) job->dep_name = name;
    *ret_error = str_dup(run->arena, buf_str(&job->error));
    if (job->error.len || job->pkg) return job->pkg;
    job->pkg = add(run, job);
    return job->pkg;
}

/* ---- What the lockfile has ------------------------------------------------------------------- */

void pkg_source_bring(PkgRun *run, const Pkg *pkg)
{
    bool is_new;
    PkgSpec spec = {.kind = pkg->kind, .where = pkg->where, .commit = pkg->commit};
    if (spec.kind == PKG_GITHUB) {
        i64 hash = str_rfind(pkg->version_text, '#');
        spec.commit = str_skip(pkg->version_text, (usize)(hash + 1));
    }
    Job *job = job_for(run, &spec, &is_new);
    if (!is_new) return;
    job->expected = pkg->integrity;
    if (make_cache(run, job)) pkg_get_start(&job->get);
}

bool pkg_source_check(PkgRun *run, const Pkg *pkg)
{
    StrMapSlot *slot;
    u32 at = 0;
    while ((slot = str_map_next(&run->sources, &at))) {
        const Job *job = (const Job *)(uintptr_t)slot->value;
        if (job->spec.kind != pkg->kind || !str_eq(job->spec.where, pkg->where)) continue;
        if (job->error.len)
            return log_error(run->log, (Span){0}, "%.*s@%.*s: %.*s", STR_ARG(pkg->name),
                             STR_ARG(pkg->version_text), STR_ARG(buf_str(&job->error)));
    }
    return true;
}

void pkg_sources_free(PkgRun *run)
{
    StrMapSlot *slot;
    u32 at = 0;
    while ((slot = str_map_next(&run->sources, &at))) {
        Job *job = (Job *)(uintptr_t)slot->value;
        Buf_deinit(&job->get.body);
        Buf_deinit(&job->integrity);
        Buf_deinit(&job->top);
        Buf_deinit(&job->commit);
        Buf_deinit(&job->error);
    }
}
