/* install/pkg_fetch.c -- the tarballs of what is needed and not in the cache. */
#include "install/pkg.h"
#include "util/err.h"
#include "util/path.h"

#define STAGING_PREFIX ".tmp-"

enum { PKG_RESERVED_MAX = 64 << 20, STAGING_MODE = 0755 };

typedef struct {
    PkgRun *run;
    PkgGet get;
    u32 pkg;
    Str staging;
    LoopReq req;
    const char *error;
} Fetch;

static void fail(Fetch *f, Str why)
{
    Pkg *pkg = &f->run->pkgs.at[f->pkg];
    if (!pkg->is_required) { /* then it goes without */
        pkg->is_elsewhere = true;
        return;
    }
    (void)log_error(f->run->log, (Span){0}, "%.*s@%.*s: %.*s", STR_ARG(pkg->name),
                    STR_ARG(pkg->version_text), STR_ARG(why));
}

/* Memory that was written to before costs no page faults: bodies are used again, the smallest that
 * is large enough, else the largest. */
static void take_spare(PkgRun *run, usize size, Buf *ret)
{
    u32 best = UINT32_MAX;
    for (u32 i = 0; i < run->spares.len; i++) {
        usize cap = run->spares.at[i].cap;
        usize other = best == UINT32_MAX ? 0 : run->spares.at[best].cap;
        bool is_better =
            best == UINT32_MAX || (other < size ? cap > other : cap >= size && cap < other);
        if (is_better) best = i;
    }
    if (best == UINT32_MAX) return;
    *ret = run->spares.at[best];
    run->spares.at[best] = vec_pop(&run->spares);
    run->n_spare -= ret->cap;
}

static void give_spare(PkgRun *run, Buf *body)
{
    if (!body->cap || run->n_spare + body->cap > PKG_SPARE_MAX) {
        Buf_deinit(body);
        return;
    }
    buf_clear(body);
    run->n_spare += body->cap;
    vec_push(run->arena, &run->spares, *body);
    *body = (Buf){0};
}

static void done(Fetch *f)
{
    give_spare(f->run, &f->get.body);
    pkg_get_end(&f->get);
}

static i64 unpack(LoopReq *req)
{
    Fetch *f = CONTAINER(Fetch, req, req);
    const Pkg *pkg = &f->run->pkgs.at[f->pkg];
    PkgTarball t = {.bytes = buf_str(&f->get.body),
                    .integrity = pkg->integrity,
                    .shasum = pkg->shasum,
                    .staging = f->staging,
                    .dir = pkg->dir};
    return pkg_unpack(&t, &f->error);
}

static void on_unpacked(LoopReq *req, i64 rc)
{
    Fetch *f = CONTAINER(Fetch, req, req);
    PkgRun *run = f->run;
    if (rc < 0) {
        Str why = str_z(f->error ? f->error : err_text((int)rc));
        fail(f, str_fmt(run->arena, "cannot unpack %.*s: %.*s", STR_ARG(f->get.url), STR_ARG(why)));
    } else {
        run->pkgs.at[f->pkg].is_present = true;
        run->n_fetched++;
    }
    done(f);
}

static void on_head(PkgGet *g, const HttpResponse *r)
{
    if (!g->body.cap) take_spare(g->run, (usize)MIN(r->length, (u64)PKG_RESERVED_MAX), &g->body);
    if (r->length <= PKG_RESERVED_MAX) (void)buf_reserve(&g->body, (usize)r->length);
}

static void on_done(PkgGet *g, int rc)
{
    Fetch *f = CONTAINER(Fetch, get, g);
    if (rc >= 0 && g->status == 200) {
        f->req.on_done = on_unpacked;
        loop_req_work(g->run->loop, &f->req, unpack);
        return;
    }
    fail(f, pkg_get_error(g, g->run->arena, rc));
    done(f);
}

static void on_turn(PkgGet *g)
{
    Fetch *f = CONTAINER(Fetch, get, g);
    /* The token of its own registry only. */
    if (pkg_get_ask(g, pkg_registry_auth(g->run, g->url), NULL, 0)) return;
    fail(f, str_fmt(g->run->arena, "\"%.*s\" is no URL", STR_ARG(g->url)));
    done(f);
}

/* Where a registry keeps a tarball, when nobody said it. */
static Str default_url(PkgRun *run, const Pkg *pkg)
{
    Str base = pkg_base_name(pkg->name);
    return str_fmt(run->arena, "%.*s/%.*s/-/%.*s-%.*s.tgz",
                   STR_ARG(pkg_registry_of(run, pkg->name)->url), STR_ARG(pkg->name), STR_ARG(base),
                   STR_ARG(pkg->version_text));
}

/* A name that differs when the content does; characters of base64 that are none of a path. */
static Str cached_dir(Arena *a, Str cache_dir, Str name, Str version, Str hash)
{
    enum { HASH_CHARS = 24 };
    i64 dash = str_find(hash, '-');
    if (dash >= 0) hash = str_skip(hash, (usize)dash + 1);
    hash = str_dup(a, str_slice(hash, 0, HASH_CHARS));
    char *p = (char *)(uintptr_t)hash.p;
    for (usize i = 0; i < hash.n; i++)
        if (p[i] == '/' || p[i] == '+' || p[i] == '=') p[i] = '_';
    return str_fmt(a, "%.*s/%.*s@%.*s-%.*s", STR_ARG(cache_dir), STR_ARG(name), STR_ARG(version),
                   STR_ARG(hash));
}

static Str dir_of(PkgRun *run, const Pkg *pkg)
{
    return cached_dir(run->arena, run->options->cache_dir, pkg->name, pkg->version_text,
                      pkg->integrity.n ? pkg->integrity : pkg->shasum);
}

Str pkg_cached_dir(Arena *a, Str cache_dir, const PkgPlace *place)
{
    return cached_dir(a, cache_dir, place->name, place->version, place->integrity);
}

static void look_up(Pkg *pkg, Arena *a)
{
    SysStat st;
    pkg->is_present = sys_stat(str_fmt(a, "%.*s/package.json", STR_ARG(pkg->dir)), &st) >= 0;
    if (!pkg->is_present) return;
    pkg->ino = st.ino;
    pkg->dev = st.dev;
    pkg->size = st.size;
}

void pkg_look_up(PkgRun *run)
{
    for (u32 i = 1; i < run->pkgs.len; i++) {
        Pkg *pkg = &run->pkgs.at[i];
        if (!pkg->is_needed || pkg->is_elsewhere || pkg->workspace.n) continue;
        AUTO(Scratch) s = scratch_begin(NULL);
        if (pkg->kind == PKG_LINK) continue;
        pkg->dir = pkg->kind >= PKG_FOLDER ? pkg_source_dir(run, pkg) : dir_of(run, pkg);
        look_up(pkg, s.arena);
        if (!pkg->patch_hash.n) continue;
        Pkg patched = *pkg;
        patched.dir = pkg_patch_dir(run->arena, pkg);
        look_up(&patched, s.arena);
        patched.is_patched = true;
        if (patched.is_present)
            *pkg = patched;
        else
            pkg->ino = 0; /* what is in node_modules has no patch, or another one */
    }
}

/* ".tmp-PID-..." of runs that were killed. */
static void sweep(Str cache_dir)
{
    AUTO(SysDir) list = {0};
    SysDirEntry e;
    Str pid_text, rest;
    u64 pid;
    if (sys_dir_open(cache_dir, &list) < 0) return;
    while (sys_dir_next(&list, &e) > 0) {
        if (!str_starts(e.name, S(STAGING_PREFIX))) continue;
        bool is_ours = str_cut(str_skip(e.name, sizeof STAGING_PREFIX - 1), '-', &pid_text, &rest);
        if (!is_ours || !str_to_u64(pid_text, &pid) || !pid || pid > INT32_MAX) continue;
        bool is_alive = (i32)pid != sys_pid() && sys_kill((i32)pid, 0) != -ESRCH;
        if (is_alive) continue;
        AUTO(Scratch) s = scratch_begin(NULL);
        (void)!sys_remove_tree(path_join2(s.arena, cache_dir, e.name));
    }
}

static void start_all(PkgRun *run)
{
    for (u32 i = 1; i < run->pkgs.len; i++) {
        Pkg *pkg = &run->pkgs.at[i];
        if (!pkg->is_missing || pkg->is_present || pkg->workspace.n) continue;
        if (pkg->kind >= PKG_FOLDER) {
            pkg_source_bring(run, pkg);
            continue;
        }
        Fetch *f = ARENA_NEW(run->arena, Fetch);
        f->run = run;
        f->pkg = i;
        f->get = (PkgGet){.run = run,
                          .url = pkg->tarball.n ? pkg->tarball : default_url(run, pkg),
                          .body_max = PKG_TARBALL_MAX,
                          .on_turn = on_turn,
                          .on_head = on_head,
                          .on_done = on_done};
        f->staging = str_fmt(run->arena, "%.*s/" STAGING_PREFIX "%d-%u",
                             STR_ARG(run->options->cache_dir), (int)sys_pid(), i);
        pkg_get_start(&f->get);
    }
}

static bool must_fetch(const PkgRun *run)
{
    for (u32 i = 1; i < run->pkgs.len; i++) {
        const Pkg *pkg = &run->pkgs.at[i];
        if (pkg->is_missing && !pkg->is_present && !pkg->workspace.n) return true;
    }
    return false;
}

bool pkg_fetch_all(PkgRun *run)
{
    usize made;
    if (!must_fetch(run)) return true;
    pkg_mark_required(run);
    int rc = sys_mkdir_all(run->options->cache_dir, STAGING_MODE, &made);
    if (rc < 0)
        return log_error(run->log, (Span){0}, "Cannot make %.*s: %s",
                         STR_ARG(run->options->cache_dir), err_text(rc));
    sweep(run->options->cache_dir);
    start_all(run);
    while (run->n_running || run->waiting.len) (void)loop_run(run->loop, LOOP_RUN_ONCE);
    for (u32 i = 1; i < run->pkgs.len; i++) {
        const Pkg *pkg = &run->pkgs.at[i];
        if (pkg->is_missing && pkg->kind >= PKG_FOLDER && !pkg_source_check(run, pkg)) break;
    }
    while (run->spares.len) Buf_deinit(&vec_pop(&run->spares));
    return run->log->n_errors == 0;
}
