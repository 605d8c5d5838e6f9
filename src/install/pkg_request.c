/* install/pkg_request.c -- see request.h. */
#include "install/pkg.h"

enum { TIMEOUT_MS = 300000, HEADERS_MAX = 16 };

typedef struct {
    Arena *arena;
    PkgReply *reply;
    Buf body;
    int rc;
    bool is_done;
} Job;

static void on_head(HttpFetch *f, const HttpResponse *r)
{
    Job *job = http_fetch_data(f);
    PkgReply *reply = job->reply;
    reply->status = r->status;
    reply->reason = str_dup(job->arena, r->reason);
    reply->headers = ARENA_ARRAY(job->arena, PkgHeader, r->n_headers + 1);
    reply->n_headers = r->n_headers;
    for (u32 i = 0; i < r->n_headers; i++)
        reply->headers[i] = (PkgHeader){str_dup(job->arena, r->headers[i].name),
                                        str_dup(job->arena, r->headers[i].value)};
    buf_clear(&job->body);
}

static void on_data(HttpFetch *f, Str data)
{
    Job *job = http_fetch_data(f);
    (void)buf_push(&job->body, data);
}

static void on_done(HttpFetch *f, int rc)
{
    Job *job = http_fetch_data(f);
    job->rc = rc;
    job->is_done = true;
}

static const HttpFetchEvents events = {.on_head = on_head, .on_data = on_data, .on_done = on_done};

static int once(HttpClient *client, Loop *loop, const HttpFetchOptions *o, Job *job)
{
    int rc;
    *job->reply = (PkgReply){0};
    job->is_done = false;
    if (!http_fetch_start(client, o, &events, job, &rc)) return rc;
    while (!job->is_done) (void)loop_run(loop, LOOP_RUN_ONCE);
    return job->rc;
}

static u32 put_headers(const PkgRequest *request, HttpPair *headers)
{
    u32 n = 0;
    headers[n++] = (HttpPair){S("user-agent"), S(PKG_USER_AGENT)};
    headers[n++] = (HttpPair){S("accept"), S("application/json, */*")};
    if (request->auth.n) headers[n++] = (HttpPair){S("authorization"), request->auth};
    if (request->body.n) headers[n++] = (HttpPair){S("content-type"), S("application/json")};
    for (u32 i = 0; i < request->n_headers && n < HEADERS_MAX; i++)
        headers[n++] = (HttpPair){request->headers[i].name, request->headers[i].value};
    return n;
}

bool pkg_request(Arena *a, Loop *loop, const PkgOptions *options, const PkgRequest *request,
                 Log *log, PkgReply *ret)
{
    if (options->offline == PKG_OFFLINE)
        return log_error(log, (Span){0}, "%.*s: the network is not to be used (--offline)",
                         STR_ARG(request->url));
    HttpPair headers[HEADERS_MAX];
    HttpFetchOptions o = {.url = request->url,
                          .method = request->method,
                          .headers = headers,
                          .n_headers = put_headers(request, headers),
                          .body = request->body,
                          .tls = options->tls,
                          .is_unverified = options->is_unverified,
                          .idle_ms = TIMEOUT_MS,
                          .body_max = PKG_REPLY_MAX};
    Job job = {.arena = a, .reply = ret};
    HttpClient *client = http_client_new(loop);
    bool is_get = !request->method.n || str_eq(request->method, S("GET"));
    int rc = 0;
    for (u32 i = 0; i < (is_get ? PKG_RETRIES : 1u); i++) {
        rc = once(client, loop, &o, &job);
        if (!pkg_is_passing(rc, ret->status)) break;
    }
    ret->body = str_dup(a, buf_str(&job.body));
    Buf_deinit(&job.body);
    http_client_free(client);
    (void)loop_run(loop, LOOP_RUN_NOWAIT);
    if (rc >= 0) return true;
    return log_error(log, (Span){0}, "%.*s: %.*s", STR_ARG(request->url),
                     STR_ARG(pkg_client_error(rc)));
}

Str pkg_reply_header(const PkgReply *reply, Str name)
{
    for (u32 i = 0; i < reply->n_headers; i++)
        if (str_eq(reply->headers[i].name, name)) return reply->headers[i].value;
    return S("");
}

const PkgRegistry *pkg_registry_for(const PkgOptions *o, Str name)
{
    for (u32 i = 1; i < o->n_registries; i++) {
        Str scope = o->registries[i].scope;
        if (str_starts(name, scope) && name.n > scope.n && name.p[scope.n] == '/')
            return &o->registries[i];
    }
    return &o->registries[0];
}

/* "@scope%2fname": a slash would name another resource. */
Str pkg_metadata_url(Arena *a, Str registry, Str name)
{
    Str scope, rest;
    if (name.p[0] == '@' && str_cut(name, '/', &scope, &rest))
        return str_fmt(a, "%.*s/%.*s%%2f%.*s", STR_ARG(registry), STR_ARG(scope), STR_ARG(rest));
    return str_fmt(a, "%.*s/%.*s", STR_ARG(registry), STR_ARG(name));
}

Str pkg_settings_auth(const PkgOptions *o, Str url)
{
    for (u32 i = 0; i < o->n_registries; i++) {
        const PkgRegistry *r = &o->registries[i];
        bool is_below = str_starts(url, r->url) && (url.n == r->url.n || url.p[r->url.n] == '/');
        if (r->auth.n && is_below) return r->auth;
    }
    return S("");
}
