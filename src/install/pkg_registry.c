/* install/pkg_registry.c -- metadata of packages ("packuments", in the abbreviated form), each
 * asked for once.  Who asks while it is on the way waits for it.  What the registry gave is kept in
 * the cache (pkg_kept.c) and asked for again only when it is old, with its ETag.
 *
 * Reading happens on the pool: a run has hundreds of these, most of them large. */
#include "install/pkg.h"

typedef struct {
    u64 edge;
    PkgManifestFn *fn;
} Waiter;

struct PkgManifest {
    PkgRun *run;
    PkgGet get;
    const PkgRegistry *registry;
    Str name, kept_path;
    PkgKept kept; /* what the cache had */
    Buf etag;
    u32 max_age_s;
    bool is_done;
    Str error; /* why there is no metadata */
    PkgMetadata *metadata;
    LoopReq req;
    Vec(Waiter) waiters;
};

enum { NS_PER_SECOND = 1000000000 };

const PkgRegistry *pkg_registry_of(const PkgRun *run, Str name)
{
    return pkg_registry_for(run->options, name);
}

Str pkg_registry_auth(const PkgRun *run, Str url)
{
    return pkg_settings_auth(run->options, url);
}

/* ---- Waiting for it -------------------------------------------------------------------------- */

static void finish(PkgManifest *m)
{
    PkgRun *run = m->run;
    m->is_done = true;
    Buf_deinit(&m->get.body);
    Buf_deinit(&m->etag);
    pkg_kept_close(&m->kept);
    /* Waiters may ask for more packages, but not for this one any more. */
    for (u32 i = 0; i < m->waiters.len; i++)
        m->waiters.at[i].fn(run, m->waiters.at[i].edge, m->metadata ? m : NULL);
    m->waiters.len = 0;
}

static void end(PkgManifest *m)
{
    pkg_get_end(&m->get);
    finish(m);
}

/* ---- Reading --------------------------------------------------------------------------------- */

static i64 read_work(LoopReq *req)
{
    PkgManifest *m = CONTAINER(PkgManifest, req, req);
    bool is_new = m->get.status == 200;
    Str body = is_new ? buf_str(&m->get.body) : m->kept.body;
    m->metadata = pkg_metadata_new(body);
    PkgKept kept = {.etag = is_new ? buf_str(&m->etag) : m->kept.etag,
                    .body = body,
                    .fresh_until_s = sys_realtime_ns() / NS_PER_SECOND + m->max_age_s};
    /* The cache is a help: what cannot be written there is asked for again. */
    if (m->get.status) (void)!pkg_kept_write(m->kept_path, &kept);
    return 0;
}

static void on_read(LoopReq *req, i64 rc)
{
    PkgManifest *m = CONTAINER(PkgManifest, req, req);
    Arena *a = m->run->arena;
    (void)rc;
    const char *error = pkg_metadata_open(a, m->metadata);
    if (error) {
        m->error = str_fmt(a, "%.*s %s", STR_ARG(m->get.url), error);
        pkg_metadata_free(m->metadata);
        m->metadata = NULL;
    }
    u64 now_s = sys_realtime_ns() / NS_PER_SECOND, age_s = m->run->options->age_min_s;
    if (m->metadata && age_s)
        pkg_metadata_gate(m->metadata, m->run->options, m->name, now_s - MIN(now_s, age_s));
    end(m);
}

static void read_later(PkgManifest *m)
{
    m->req.on_done = on_read;
    loop_req_work(m->run->loop, &m->req, read_work);
}

/* ---- Fetching -------------------------------------------------------------------------------- */

static u32 max_age_of(Str value)
{
    i64 at = str_find_str(value, S("max-age="));
    u64 n = 0;
    if (at < 0) return 0;
    Str digits = str_skip(value, (usize)at + 8);
    usize len = 0;
    while (len < digits.n && digits.p[len] >= '0' && digits.p[len] <= '9') len++;
    return str_to_u64(str_slice(digits, 0, len), &n) ? (u32)MIN(n, (u64)PKG_FRESH_MAX_S) : 0;
}

static void on_head(PkgGet *g, const HttpResponse *r)
{
    PkgManifest *m = CONTAINER(PkgManifest, get, g);
    m->max_age_s = 0;
    buf_clear(&m->etag);
    for (u32 i = 0; i < r->n_headers; i++) {
        const HttpPair *h = &r->headers[i];
        if (str_eq(h->name, S("etag"))) (void)buf_push(&m->etag, h->value);
        if (str_eq(h->name, S("cache-control"))) m->max_age_s = max_age_of(h->value);
    }
    if (r->length <= PKG_MANIFEST_MAX) (void)buf_reserve(&g->body, (usize)r->length);
}

static void on_done(PkgGet *g, int rc)
{
    PkgManifest *m = CONTAINER(PkgManifest, get, g);
    bool is_same = g->status == 304 && m->kept.body.n;
    if (rc >= 0 && (g->status == 200 || is_same)) {
        read_later(m);
        return;
    }
    m->error = pkg_get_error(g, m->run->arena, rc);
    end(m);
}

static bool ask(PkgManifest *m)
{
    HttpPair headers[3] = {
        {S("accept"),
         S("application/vnd.npm.install-v1+json; q=1.0, application/json; q=0.8, */*")},
        {S("accept-encoding"), S("gzip")},
    };
    u32 n = 2;
    /* Only the full form says when a version was published. */
    if (m->run->options->age_min_s) headers[0].value = S("application/json");
    if (m->kept.etag.n) headers[n++] = (HttpPair){S("if-none-match"), m->kept.etag};
    return pkg_get_ask(&m->get, m->registry->auth, headers, n);
}

static void on_turn(PkgGet *g)
{
    PkgManifest *m = CONTAINER(PkgManifest, get, g);
    PkgRun *run = m->run;
    bool is_fresh = m->kept.body.n && m->kept.fresh_until_s > sys_realtime_ns() / NS_PER_SECOND;
    bool is_enough = run->options->offline == PKG_PREFER_OFFLINE && m->kept.body.n;
    if (is_fresh || is_enough || (m->kept.body.n && run->options->offline == PKG_OFFLINE)) {
        read_later(m);
        return;
    }
    if (run->options->offline == PKG_OFFLINE)
        m->error = S("the cache does not have it, and the network is not to be used");
    else if (ask(m))
        return;
    else
        m->error = str_fmt(run->arena, "%.*s is no URL of a registry", STR_ARG(g->url));
    end(m);
}

void pkg_manifest_get(PkgRun *run, Str name, u64 edge, PkgManifestFn *fn)
{
    bool is_new;
    u64 *slot = str_map_put(run->arena, &run->manifests, name, &is_new);
    if (is_new) {
        PkgManifest *m = ARENA_NEW(run->arena, PkgManifest);
        m->run = run;
        m->name = name;
        m->registry = pkg_registry_of(run, name);
        Str url = pkg_metadata_url(run->arena, m->registry->url, name);
        m->get = (PkgGet){.run = run,
                          .url = url,
                          .body_max = PKG_MANIFEST_MAX,
                          .on_turn = on_turn,
                          .on_head = on_head,
                          .on_done = on_done};
        Str form = run->options->age_min_s ? str_fmt(run->arena, "%.*s?full", STR_ARG(url)) : url;
        m->kept_path = pkg_kept_path(run->arena, run->options->cache_dir, form, name);
        *slot = (u64)(uintptr_t)m;
        vec_push(run->arena, &m->waiters, (Waiter){edge, fn});
        if (!run->options->is_forced) pkg_kept_open(m->kept_path, &m->kept);
        pkg_get_start(&m->get);
        return;
    }
    PkgManifest *m = (PkgManifest *)(uintptr_t)*slot;
    if (m->is_done)
        fn(run, edge, m->metadata ? m : NULL);
    else
        vec_push(run->arena, &m->waiters, (Waiter){edge, fn});
}

/* ---- What it says ---------------------------------------------------------------------------- */

const JsonNode *pkg_manifest_pick(PkgManifest *m, const PkgSpec *spec, Str *ret_version)
{
    return pkg_metadata_pick(m->metadata, m->run->arena, spec, ret_version);
}

Str pkg_manifest_latest(const PkgManifest *m)
{
    return m->metadata ? pkg_metadata_latest(m->metadata, m->run->arena) : S("");
}

Str pkg_manifest_error(const PkgManifest *m)
{
    return m->error;
}

static void each(PkgRun *run, void fn(PkgMetadata *))
{
    u32 at = 0;
    StrMapSlot *slot;
    while ((slot = str_map_next(&run->manifests, &at))) {
        PkgManifest *m = (PkgManifest *)(uintptr_t)slot->value;
        if (m->metadata) fn(m->metadata);
    }
}

void pkg_manifests_drop(PkgRun *run)
{
    each(run, pkg_metadata_drop);
}

void pkg_manifests_free(PkgRun *run)
{
    each(run, pkg_metadata_free);
}
