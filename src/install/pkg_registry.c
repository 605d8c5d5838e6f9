/* install/pkg_registry.c -- metadata of packages ("packuments", in the abbreviated form), each
 * asked for once.  Who asks while it is on the way waits for it. */
#include "install/pkg.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
    u64 edge;
    PkgManifestFn *fn;
} Waiter;

typedef struct {
    Semver version;
    Str text;
    Str source; /* of its object */
    bool is_read;
    const JsonNode *json; /* once it was read; NULL when it is broken */
} Release;

struct PkgManifest {
    PkgRun *run;
    Str name, url, text;
    Buf body;
    u32 status, n_tries;
    bool is_done, is_fine;
    Str error; /* why it is not fine */
    JsonNode tags;
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

static int newest_first(const void *x, const void *y)
{
    return -semver_cmp_build(&((const Release *)x)->version, &((const Release *)y)->version);
}

/* ---- Metadata is mostly of versions that nobody wants: it is cut into those, and only what was
 * chosen is parsed.  The cutting follows strings and brackets and believes the rest. */

static void skip_space(Str *text)
{
    while (text->n && (text->p[0] == ' ' || text->p[0] == '\n' || text->p[0] == '\r' ||
                       text->p[0] == '\t' || text->p[0] == ',' || text->p[0] == ':'))
        *text = str_skip(*text, 1);
}

/* Behind the string that starts at `at`; the end of the text when it does not end. */
static usize string_end(Str text, usize at)
{
    for (at++; at < text.n; at++) {
        const char *quote = memchr(text.p + at, '"', text.n - at);
        if (!quote) return text.n;
        at = (usize)(quote - text.p);
        usize n_slashes = 0;
        while (text.p[at - 1 - n_slashes] == '\\') n_slashes++;
        if (n_slashes % 2 == 0) return at + 1;
    }
    return text.n;
}

static usize value_end(Str text)
{
    u32 depth = 0;
    for (usize i = 0; i < text.n;) {
        char c = text.p[i];
        if (c == '"') {
            i = string_end(text, i);
            if (!depth) return i;
            continue;
        }
        if (c == '{' || c == '[') depth++;
        bool is_close = c == '}' || c == ']';
        if (is_close && !depth) return i;
        if (is_close && --depth == 0) return i + 1;
        if (!depth && c == ',') return i;
        i++;
    }
    return text.n;
}

/* The next member of the object whose inside `rest` is. */
static bool next_member(Str *rest, Str *ret_key, Str *ret_value)
{
    skip_space(rest);
    if (!rest->n || rest->p[0] != '"') return false;
    usize end = string_end(*rest, 0);
    if (end < 2) return false;
    *ret_key = str_slice(*rest, 1, end - 1);
    *rest = str_skip(*rest, end);
    skip_space(rest);
    end = value_end(*rest);
    *ret_value = str_slice(*rest, 0, end);
    *rest = str_skip(*rest, end);
    return end > 0;
}

static bool open_object(Str text, Str *ret_inside)
{
    skip_space(&text);
    if (!text.n || text.p[0] != '{') return false;
    *ret_inside = str_skip(text, 1);
    return true;
}

static void read_releases(PkgManifest *m, Str versions)
{
    Arena *a = m->run->arena;
    Str rest, key, value;
    if (!open_object(versions, &rest)) return;
    while (next_member(&rest, &key, &value)) {
        Release r = {.text = key, .source = value};
        if (value.p[0] == '{' && semver_parse(r.text, &r.version)) vec_push(a, &m->releases, r);
    }
    if (m->releases.len) qsort(m->releases.at, m->releases.len, sizeof(Release), newest_first);
}

static void read_body(PkgManifest *m)
{
    Arena *a = m->run->arena;
    Str rest = {0}, key, value;
    JsonError e = {0};
    m->text = str_dup(a, buf_str(&m->body));
    Buf_deinit(&m->body);
    m->is_fine = open_object(m->text, &rest);
    while (m->is_fine && next_member(&rest, &key, &value)) {
        if (str_eq(key, S("versions"))) read_releases(m, value);
        if (str_eq(key, S("dist-tags"))) m->is_fine = json_parse(a, value, 0, &m->tags, &e);
    }
    skip_space(&rest);
    m->is_fine = m->is_fine && str_eq(rest, S("}"));
    if (!m->is_fine) m->error = str_fmt(a, "%.*s is no JSON of a package", STR_ARG(m->url));
}

/* NULL when it is broken. */
static const JsonNode *read_release(PkgManifest *m, Release *r)
{
    JsonError e;
    JsonNode *json = ARENA_NEW(m->run->arena, JsonNode);
    if (!r->is_read && json_parse(m->run->arena, r->source, 0, json, &e)) r->json = json;
    r->is_read = true;
    return r->json;
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

static Release *find_release(const PkgManifest *m, Str version)
{
    for (u32 i = 0; i < m->releases.len; i++)
        if (str_eq(m->releases.at[i].text, version)) return &m->releases.at[i];
    return NULL;
}

static Release *tagged(const PkgManifest *m, Str tag)
{
    Str version = json_find_str(m->run->arena, &m->tags, tag);
    return version.n ? find_release(m, version) : NULL;
}

const JsonNode *pkg_manifest_pick(PkgManifest *m, const PkgSpec *spec, Str *ret_version)
{
    Release *r = NULL;
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
    return read_release(m, r);
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
