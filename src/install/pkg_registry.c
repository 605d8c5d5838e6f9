/* install/pkg_registry.c -- metadata of packages ("packuments", in the abbreviated form), each
 * asked for once.  Who asks while it is on the way waits for it. */
#include "install/pkg.h"

typedef struct {
    u64 edge;
    PkgManifestFn *fn;
} Waiter;

typedef struct {
    Semver version;
    Str text;
    const JsonNode *json;
} Release;

struct PkgManifest {
    PkgRun *run;
    Str name, url, text;
    Buf body;
    u32 status, n_tries;
    bool is_done, is_fine;
    Str error; /* why it is not fine */
    JsonNode json;
    Vec(Release) releases; /* newest first */
    Vec(Waiter) waiters;
};

static void start(PkgManifest *m);

/* "@scope%2fname": a slash would name another resource. */
static Str url_of(PkgRun *run, Str name)
{
    Str scope, rest;
    Str registry = run->options->registry;
    if (name.p[0] == '@' && str_cut(name, '/', &scope, &rest))
        return str_fmt(run->arena, "%.*s/%.*s%%2f%.*s", STR_ARG(registry), STR_ARG(scope),
                       STR_ARG(rest));
    return str_fmt(run->arena, "%.*s/%.*s", STR_ARG(registry), STR_ARG(name));
}

/* ---- Reading --------------------------------------------------------------------------------- */

static void sort(Release *at, u32 n)
{
    /* Registries list versions nearly in order: insertion costs little. */
    for (u32 i = 1; i < n; i++) {
        Release r = at[i];
        u32 j = i;
        for (; j > 0 && semver_cmp_build(&at[j - 1].version, &r.version) < 0; j--)
            at[j] = at[j - 1];
        at[j] = r;
    }
}

static void read_releases(PkgManifest *m)
{
    Arena *a = m->run->arena;
    const JsonNode *versions = json_find(&m->json, S("versions"));
    if (!versions || versions->kind != JSON_OBJECT) return;
    for (u32 i = 0; i < versions->len; i++) {
        Release r = {.text = json_str(a, &versions->items[2 * i]),
                     .json = &versions->items[2 * i + 1]};
        if (r.json->kind == JSON_OBJECT && semver_parse(r.text, &r.version))
            vec_push(a, &m->releases, r);
    }
    /* Oldest first in most: turned round, the sort has nothing to do. */
    for (u32 i = 0, j = m->releases.len; i + 1 < j; i++) {
        Release r = m->releases.at[i];
        m->releases.at[i] = m->releases.at[--j];
        m->releases.at[j] = r;
    }
    sort(m->releases.at, m->releases.len);
}

static void read_body(PkgManifest *m)
{
    Arena *a = m->run->arena;
    m->text = str_dup(a, buf_str(&m->body));
    Buf_deinit(&m->body);
    JsonError e;
    if (!json_parse(a, m->text, 0, &m->json, &e)) {
        m->error = str_fmt(a, "%.*s is no JSON: %s", STR_ARG(m->url), e.what);
        return;
    }
    m->is_fine = true;
    read_releases(m);
}

static void finish(PkgManifest *m)
{
    m->is_done = true;
    Buf_deinit(&m->body);
    /* Waiters may ask for more packages, but not for this one any more. */
    for (u32 i = 0; i < m->waiters.len; i++)
        m->waiters.at[i].fn(m->run, m->waiters.at[i].edge, m->is_fine ? m : NULL);
    m->waiters.len = 0;
}

/* ---- Fetching -------------------------------------------------------------------------------- */

static void on_head(HttpFetch *f, const HttpResponse *r)
{
    PkgManifest *m = http_fetch_data(f);
    m->status = r->status;
    buf_clear(&m->body);
}

static void on_data(HttpFetch *f, Str data)
{
    PkgManifest *m = http_fetch_data(f);
    (void)buf_push(&m->body, data);
}

static void start_next(PkgRun *run)
{
    if (!run->waiting.len) return;
    PkgManifest *next = vec_pop(&run->waiting);
    start(next);
}

static void on_done(HttpFetch *f, int rc)
{
    PkgManifest *m = http_fetch_data(f);
    PkgRun *run = m->run;
    run->n_running--;
    bool is_passing = rc < 0 || m->status >= 500 || m->status == 429;
    if (is_passing && ++m->n_tries < PKG_RETRIES) {
        start(m);
        return;
    }
    if (rc < 0)
        m->error =
            str_fmt(run->arena, "%.*s: %.*s", STR_ARG(m->url), STR_ARG(http_client_error_text(rc)));
    else if (m->status != 200)
        m->error = str_fmt(run->arena, "GET %.*s answered %u", STR_ARG(m->url), m->status);
    else
        read_body(m);
    start_next(run);
    finish(m);
}

static const HttpFetchEvents events = {.on_head = on_head, .on_data = on_data, .on_done = on_done};

static void start(PkgManifest *m)
{
    PkgRun *run = m->run;
    if (run->n_running >= PKG_FETCHES_MAX) {
        vec_push(run->arena, &run->waiting, m);
        return;
    }
    HttpPair headers[] = {
        {S("accept"),
         S("application/vnd.npm.install-v1+json; q=1.0, application/json; q=0.8, */*")},
        {S("user-agent"), S("cob/0.1")},
        {S("authorization"), str_fmt(run->arena, "Bearer %.*s", STR_ARG(run->options->token))},
    };
    HttpFetchOptions o = {.url = m->url,
                          .headers = headers,
                          .n_headers = run->options->token.n ? 3 : 2,
                          .idle_ms = 60000,
                          .body_max = PKG_MANIFEST_MAX};
    int rc;
    if (http_fetch_start(run->client, &o, &events, m, &rc)) {
        run->n_running++;
        return;
    }
    m->error = str_fmt(run->arena, "%.*s is no URL of a registry", STR_ARG(m->url));
    finish(m);
}

void pkg_manifest_get(PkgRun *run, Str name, u64 edge, PkgManifestFn *fn)
{
    bool is_new;
    u64 *slot = str_map_put(run->arena, &run->manifests, name, &is_new);
    if (is_new) {
        PkgManifest *m = ARENA_NEW(run->arena, PkgManifest);
        m->run = run;
        m->name = name;
        m->url = url_of(run, name);
        *slot = (u64)(uintptr_t)m;
        vec_push(run->arena, &m->waiters, (Waiter){edge, fn});
        start(m);
        return;
    }
    PkgManifest *m = (PkgManifest *)(uintptr_t)*slot;
    if (m->is_done)
        fn(run, edge, m->is_fine ? m : NULL);
    else
        vec_push(run->arena, &m->waiters, (Waiter){edge, fn});
}

/* ---- Choosing -------------------------------------------------------------------------------- */

static const Release *find_release(const PkgManifest *m, Str version)
{
    for (u32 i = 0; i < m->releases.len; i++)
        if (str_eq(m->releases.at[i].text, version)) return &m->releases.at[i];
    return NULL;
}

static const Release *tagged(const PkgManifest *m, Str tag)
{
    const JsonNode *tags = json_find(&m->json, S("dist-tags"));
    Str version = json_find_str(m->run->arena, tags, tag);
    return version.n ? find_release(m, version) : NULL;
}

const JsonNode *pkg_manifest_pick(PkgManifest *m, const PkgSpec *spec, Str *ret_version)
{
    const Release *r = NULL;
    if (spec->is_tag) {
        r = tagged(m, spec->text);
    } else {
        /* What most people get is preferred to what is newest. */
        r = tagged(m, S("latest"));
        if (r && !semver_satisfies(&spec->range, &r->version)) r = NULL;
        for (u32 i = 0; !r && i < m->releases.len; i++)
            if (semver_satisfies(&spec->range, &m->releases.at[i].version)) r = &m->releases.at[i];
    }
    if (!r) return NULL;
    *ret_version = r->text;
    return r->json;
}

Str pkg_manifest_latest(PkgManifest *m)
{
    const Release *r = tagged(m, S("latest"));
    return r ? r->text : S("");
}

Str pkg_manifest_error(const PkgManifest *m)
{
    return m->error;
}
