/* install/pkg_get.c -- what a run gets from the network: metadata, tarballs of registries and of
 * others.  So many at a time, and while little of it is in memory; who comes too early waits for
 * his turn.  What failed for the moment is tried again. */
#include "install/pkg.h"
#include "util/err.h"

enum { IDLE_MS = 60000, HEADERS_MAX = 8 };

bool pkg_is_passing(int rc, u32 status)
{
    if (rc < 0) return rc != HTTP_CLIENT_EURL;
    return status >= 500 || status == 429;
}

Str pkg_client_error(int rc)
{
    Str own = http_client_error_text(rc);
    return own.n ? own : str_z(err_text(rc));
}

/* ---- Turns ----------------------------------------------------------------------------------- */

static bool has_room(const PkgRun *run)
{
    return run->n_running < PKG_FETCHES_MAX && (!run->n_running || run->n_held < PKG_HELD_MAX);
}

/* Those that end at once must not start the next ones on top of each other. */
static void start_waiting(PkgRun *run)
{
    if (run->is_starting) return;
    run->is_starting = true;
    while (run->waiting.len && has_room(run)) {
        PkgGet *next = vec_pop(&run->waiting);
        run->n_running++;
        next->on_turn(next);
    }
    run->is_starting = false;
}

void pkg_get_start(PkgGet *g)
{
    vec_push(g->run->arena, &g->run->waiting, g);
    start_waiting(g->run);
}

static void leave(PkgGet *g)
{
    g->run->n_held -= g->n_held;
    g->n_held = 0;
    g->run->n_running--;
}

void pkg_get_end(PkgGet *g)
{
    leave(g);
    start_waiting(g->run);
}

/* ---- Asking ---------------------------------------------------------------------------------- */

static void on_head(HttpFetch *f, const HttpResponse *r)
{
    PkgGet *g = http_fetch_data(f);
    g->status = r->status;
    g->run->n_held -= g->n_held;
    g->n_held = 0;
    buf_clear(&g->body);
    if (g->on_head) g->on_head(g, r);
}

static void on_data(HttpFetch *f, Str data)
{
    PkgGet *g = http_fetch_data(f);
    g->run->n_held += data.n;
    g->n_held += data.n;
    (void)buf_push(&g->body, data);
}

static void on_done(HttpFetch *f, int rc)
{
    PkgGet *g = http_fetch_data(f);
    if (!pkg_is_passing(rc, g->status) || ++g->n_tries >= PKG_RETRIES) {
        g->on_done(g, rc);
        return;
    }
    leave(g);
    pkg_get_start(g);
}

bool pkg_get_ask(PkgGet *g, Str auth, const HttpPair *more, u32 n_more)
{
    static const HttpFetchEvents events = {
        .on_head = on_head, .on_data = on_data, .on_done = on_done};
    HttpPair headers[HEADERS_MAX] = {{S("user-agent"), S(PKG_USER_AGENT)}};
    u32 n = 1;
    int rc;
    if (auth.n) headers[n++] = (HttpPair){S("authorization"), auth};
    ASSERT(n + n_more <= HEADERS_MAX);
    for (u32 i = 0; i < n_more; i++) headers[n++] = more[i];
    HttpFetchOptions o = {.url = g->url,
                          .headers = headers,
                          .n_headers = n,
                          .is_raw = true,
                          .tls = g->run->options->tls,
                          .is_unverified = g->run->options->is_unverified,
                          .idle_ms = IDLE_MS,
                          .body_max = g->body_max};
    return http_fetch_start(g->run->client, &o, &events, g, &rc) != NULL;
}

Str pkg_get_error(const PkgGet *g, Arena *a, int rc)
{
    if (rc >= 0) return str_fmt(a, "GET %.*s answered %u", STR_ARG(g->url), g->status);
    return str_fmt(a, "%.*s: %.*s", STR_ARG(g->url), STR_ARG(pkg_client_error(rc)));
}
