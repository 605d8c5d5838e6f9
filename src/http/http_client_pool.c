/* http/http_client_pool.c -- which connection serves which request.
 *
 * Requests wait in their origin, first come first served.  As long as it is not known whether an
 * origin speaks HTTP/2, one connection is made and the others wait for what it agrees on. */
#include "http/http_client_private.h"

#include "util/mem.h"

/* ---- Origins -------------------------------------------------------------------------------- */

static HttpOrigin *origin_of(HttpClient *client, Str key)
{
    bool is_new;
    u64 *slot = str_map_find(&client->origins, key);
    if (slot) return (HttpOrigin *)(uintptr_t)*slot;
    HttpOrigin *o = MEM_NEW(HttpOrigin);
    o->key = (Str){mem_dup(key.p, key.n), key.n};
    o->next = client->origin_list;
    if (o->next) o->next->prev = o;
    client->origin_list = o;
    *str_map_put(&client->arena, &client->origins, o->key, &is_new) = (u64)(uintptr_t)o;
    return o;
}

static void origin_check_free(HttpClient *client, HttpOrigin *o)
{
    if (o->conns || o->first || o->is_busy) return;
    str_map_del(&client->origins, o->key);
    if (o->prev)
        o->prev->next = o->next;
    else
        client->origin_list = o->next;
    if (o->next) o->next->prev = o->prev;
    mem_free((char *)(uintptr_t)o->key.p);
    mem_free(o);
}

/* ---- Waiting -------------------------------------------------------------------------------- */

static void push_waiting(HttpOrigin *o, HttpFetch *f)
{
    f->origin = o;
    f->next = NULL;
    f->prev = o->last;
    if (o->last)
        o->last->next = f;
    else
        o->first = f;
    o->last = f;
    o->n_waiting++;
    f->client->n_waiting++;
}

static void unlink_waiting(HttpFetch *f)
{
    HttpOrigin *o = f->origin;
    if (f->prev)
        f->prev->next = f->next;
    else
        o->first = f->next;
    if (f->next)
        f->next->prev = f->prev;
    else
        o->last = f->prev;
    f->next = f->prev = NULL;
    f->origin = NULL;
    o->n_waiting--;
    f->client->n_waiting--;
}

/* A connection that nobody waits for any more is not worth finishing. */
static void close_superfluous(HttpOrigin *o)
{
    if (o->n_connecting <= o->n_waiting) return;
    for (HttpConn *c = o->conns; c; c = c->next) {
        bool is_new = c->state < CONN_READY && !c->is_preconnect && !c->is_timer_closed;
        if (!is_new) continue;
        http_line_close(c);
        return;
    }
}

void http_pool_remove(HttpFetch *f)
{
    HttpOrigin *o = f->origin;
    if (!o) return;
    o->is_busy = true;
    unlink_waiting(f);
    if (o->protocol == PROTOCOL_H1 || !o->n_waiting) close_superfluous(o);
    o->is_busy = false;
    origin_check_free(f->client, o);
}

/* ---- Idle connections ----------------------------------------------------------------------- */

void http_pool_take_idle(HttpConn *c)
{
    HttpClient *client = c->client;
    if (!c->is_idle) return;
    c->is_idle = false;
    if (c->idle_prev)
        c->idle_prev->idle_next = c->idle_next;
    else
        client->idle_first = c->idle_next;
    if (c->idle_next)
        c->idle_next->idle_prev = c->idle_prev;
    else
        client->idle_last = c->idle_prev;
    c->idle_next = c->idle_prev = NULL;
    client->n_idle--;
    if (!c->is_timer_closed) loop_timer_stop(&c->timer);
    net_stream_ref(&c->stream);
}

static void on_idle_over(LoopTimer *t)
{
    http_line_close(CONTAINER(HttpConn, timer, t));
}

void http_pool_put_idle(HttpConn *c)
{
    HttpClient *client = c->client;
    if (c->is_idle || c->is_timer_closed) return;
    if (client->n_idle >= HTTP_CLIENT_IDLE_MAX) http_line_close(client->idle_first);
    c->is_idle = true;
    c->idle_prev = client->idle_last;
    c->idle_next = NULL;
    if (client->idle_last)
        client->idle_last->idle_next = c;
    else
        client->idle_first = c;
    client->idle_last = c;
    client->n_idle++;
    net_stream_set_timeout(&c->stream, 0);
    net_stream_start(&c->stream);
    net_stream_unref(&c->stream);
    loop_handle_unref(&c->timer.handle);
    loop_timer_start(&c->timer, HTTP_CLIENT_IDLE_MS, 0, on_idle_over);
    http_pool_dispatch(c->origin);
}

/* ---- Handing out ---------------------------------------------------------------------------- */

static HttpConn *find_ready(const HttpOrigin *o)
{
    for (HttpConn *c = o->conns; c; c = c->next) {
        if (c->state != CONN_READY) continue;
        if (c->protocol == PROTOCOL_H2 && c->n_streams < c->streams_max && !c->is_goaway) return c;
        if (c->protocol == PROTOCOL_H1 && c->is_idle) return c;
    }
    return NULL;
}

static void assign(HttpConn *c, HttpFetch *f)
{
    unlink_waiting(f);
    http_pool_take_idle(c);
    f->conn = c;
    if (f->o.idle_ms) net_stream_set_timeout(&c->stream, f->o.idle_ms);
    if (c->protocol == PROTOCOL_H2)
        http_h2_start(c, f);
    else
        http_h1_start(c, f);
}

/* Is a connection on its way that the first in the queue may wait for? */
static bool is_enough(const HttpOrigin *o)
{
    if (!o->n_connecting) return false;
    if (o->protocol == PROTOCOL_H1) return o->n_connecting >= o->n_waiting;
    bool may_be_h2 = o->first->route.is_tls && !o->first->o.is_h1_only;
    return may_be_h2 || o->n_connecting >= o->n_waiting;
}

void http_pool_dispatch(HttpOrigin *o)
{
    if (!o || o->is_busy) return;
    o->is_busy = true;
    HttpClient *client = NULL;
    while (o->first) {
        HttpFetch *f = o->first;
        client = f->client;
        HttpConn *c = find_ready(o);
        if (c) {
            assign(c, f);
            continue;
        }
        if (is_enough(o)) break;
        if (client->n_conns >= client->conns_max) {
            if (client->idle_first) http_line_close(client->idle_first);
            break;
        }
        http_line_open(o, f);
    }
    o->is_busy = false;
    if (client) origin_check_free(client, o);
}

void http_pool_dispatch_all(HttpClient *client)
{
    if (!client->n_waiting || client->is_dying) return;
    HttpOrigin *next;
    for (HttpOrigin *o = client->origin_list; o; o = next) {
        next = o->next;
        if (o->first) http_pool_dispatch(o);
    }
}

void http_pool_add(HttpFetch *f)
{
    HttpOrigin *o = origin_of(f->client, f->key);
    push_waiting(o, f);
    http_pool_dispatch(o);
}

void http_pool_ready(HttpConn *c)
{
    HttpOrigin *o = c->origin;
    o->n_connecting--;
    o->protocol = c->protocol;
    c->state = CONN_READY;
    if (!c->is_timer_closed) loop_timer_stop(&c->timer);
    if (c->protocol == PROTOCOL_H2) {
        http_pool_dispatch(o);
        if (!c->n_streams && c->state == CONN_READY) http_pool_put_idle(c);
        return;
    }
    http_pool_put_idle(c);
}

void http_pool_forget(HttpConn *c)
{
    HttpOrigin *o = c->origin;
    if (!o) return;
    http_pool_take_idle(c);
    if (c->state < CONN_READY) o->n_connecting--;
    if (c->prev)
        c->prev->next = c->next;
    else
        o->conns = c->next;
    if (c->next) c->next->prev = c->prev;
    c->next = c->prev = NULL;
    c->origin = NULL;
    origin_check_free(c->client, o);
}

/* ---- Opening -------------------------------------------------------------------------------- */

int http_client_preconnect(HttpClient *client, const HttpFetchOptions *options)
{
    HttpFetch f = {.client = client, .o = *options};
    int rc = http_fetch_route(&f, options->url, NULL);
    if (rc == 0) {
        HttpOrigin *o = origin_of(client, f.key);
        o->is_busy = true;
        if (!find_ready(o) && !o->n_connecting && client->n_conns < client->conns_max) {
            HttpConn *c = http_line_open(o, &f);
            c->is_preconnect = true;
        }
        o->is_busy = false;
        origin_check_free(client, o);
    }
    arena_deinit(&f.arena);
    return rc;
}
