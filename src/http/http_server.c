/* http/http_server.c -- accepting, the table of connections, time. */
#include "http/http_server.h"

#include "http/http_private.h"
#include "util/mem.h"

#include <string.h>
#include <time.h>

enum {
    SPARE_CONNS_MAX = 256,
    SPARE_BUF_MAX = 64 * 1024, /* larger buffers are given back, all but one */
    SPARE_MIDDLE_COUNT = 16,   /* of buffers that are not small */
    SPARE_SMALL_MAX = 4 * 1024,
    SPARE_LARGE_MAX = 512 * 1024,
    BUF_START = 1024,
    ACCEPT_RETRY_MS = 100,
};

static void on_accept(LoopAccept *a, i32 fd);

/* ---- Buffers -----------------------------------------------------------------------------------
 */

Buf http_buf_take(HttpServer *s)
{
    if (s->n_spare_bufs) return s->spare_bufs[--s->n_spare_bufs];
    Buf b = {0};
    (void)buf_reserve(&b, BUF_START);
    return b;
}

Buf http_large_buf_take(HttpServer *s)
{
    if (s->spare_large_buf.p) return TAKE(s->spare_large_buf);
    return http_buf_take(s);
}

void http_buf_give(HttpServer *s, Buf *b)
{
    if (!b->p) return;
    if (b->cap > SPARE_BUF_MAX && b->cap <= SPARE_LARGE_MAX && !s->spare_large_buf.p) {
        buf_clear(b);
        s->spare_large_buf = TAKE(*b);
        return;
    }
    usize cap_max = s->n_spare_bufs < SPARE_MIDDLE_COUNT ? SPARE_BUF_MAX : SPARE_SMALL_MAX;
    if (b->cap <= cap_max && s->n_spare_bufs < COUNT(s->spare_bufs)) {
        buf_clear(b);
        s->spare_bufs[s->n_spare_bufs++] = TAKE(*b);
        return;
    }
    Buf_deinit(b);
    *b = (Buf){0};
}

/* ---- Time --------------------------------------------------------------------------------------
 */

static void on_timer(LoopTimer *t)
{
    HttpServer *s = CONTAINER(HttpServer, timer, t);
    u64 now = loop_now_ms(s->loop), first = UINT64_MAX;
    for (HttpConn *c = s->conns, *next; c; c = next) {
        next = c->next;
        if (c->deadline_ms <= now) http_conn_expire(c);
    }
    for (HttpConn *c = s->conns; c; c = c->next) first = MIN(first, c->deadline_ms);
    if (first != UINT64_MAX)
        loop_timer_start(&s->timer, first > now ? first - now : 1, 0, on_timer);
}

void http_server_watch(HttpServer *s, HttpConn *c)
{
    if (loop_handle_is_active(&s->timer.handle) && s->timer.due_ms <= c->deadline_ms) return;
    u64 now = loop_now_ms(s->loop);
    u64 delay = c->deadline_ms > now ? c->deadline_ms - now : 1;
    loop_timer_start(&s->timer, delay, 0, on_timer);
}

static void on_ready(LoopTimer *t)
{
    HttpServer *s = CONTAINER(HttpServer, ready_timer, t);
    u32 n = 0;
    for (HttpConn *c = s->ready; c; c = c->next_ready) n++;
    /* One may take others away; those that are added meanwhile have a timer of their own. */
    while (n-- && s->ready) {
        HttpConn *c = s->ready;
        s->ready = c->next_ready;
        if (!s->ready) s->ready_last = NULL;
        c->next_ready = NULL;
        c->is_ready = false;
        http_conn_read(c);
    }
}

void http_server_call_soon(HttpServer *s, HttpConn *c)
{
    if (c->is_ready) return;
    c->is_ready = true;
    c->next_ready = NULL;
    if (s->ready_last)
        s->ready_last->next_ready = c;
    else
        s->ready = c;
    s->ready_last = c;
    if (!loop_handle_is_active(&s->ready_timer.handle))
        loop_timer_start(&s->ready_timer, 0, 0, on_ready);
}

Str http_server_date(HttpServer *s)
{
    u64 now = loop_now_ms(s->loop);
    if (now >= s->date_until_ms) {
        u64 real_ms = sys_realtime_ns() / 1000000;
        time_t seconds = (time_t)(real_ms / 1000);
        struct tm tm;
        gmtime_r(&seconds, &tm);
        static const char days[] = "SunMonTueWedThuFriSat";
        static const char months[] = "JanFebMarAprMayJunJulAugSepOctNovDec";
        AUTO(Scratch) scratch = scratch_begin(NULL);
        Str text =
            str_fmt(scratch.arena, "Date: %.3s, %02d %.3s %04d %02d:%02d:%02d GMT\r\n",
                    days + (ptrdiff_t)tm.tm_wday * 3, tm.tm_mday, months + (ptrdiff_t)tm.tm_mon * 3,
                    tm.tm_year + 1900, tm.tm_hour, tm.tm_min, tm.tm_sec);
        ASSERT(text.n < sizeof s->date);
        memcpy(s->date, text.p, text.n + 1);
        s->date_until_ms = now + 1000 - real_ms % 1000;
    }
    return (Str){s->date, sizeof("Date: Sun, 06 Nov 1994 08:49:37 GMT\r\n") - 1};
}

/* ---- Connections -------------------------------------------------------------------------------
 */

static bool take_idx(HttpServer *s, u32 *ret)
{
    if (s->n_free) {
        *ret = s->free_idx[--s->n_free];
        return true;
    }
    if (s->table_len == HTTP_CONNS_MAX) return false;
    if (s->table_len == s->table_cap) {
        s->table_cap = s->table_cap ? s->table_cap * 2 : 64;
        s->table = mem_resize(s->table, s->table_cap * sizeof *s->table);
        s->serials = mem_resize(s->serials, s->table_cap * sizeof *s->serials);
        s->free_idx = mem_resize(s->free_idx, s->table_cap * sizeof *s->free_idx);
    }
    s->serials[s->table_len] = 0;
    *ret = s->table_len++;
    return true;
}

HttpConn *http_server_take(HttpServer *s, int fd)
{
    u32 idx;
    if (!take_idx(s, &idx)) return NULL;
    HttpConn *c = s->spare;
    if (c) {
        s->spare = c->next;
        s->n_spare--;
        *c = (HttpConn){0};
    } else {
        c = MEM_NEW(HttpConn);
    }
    c->server = s;
    c->fd = fd;
    c->idx = idx;
    c->serial = c->life = ++s->serials[idx];
    c->next = s->conns;
    if (s->conns) s->conns->prev = c;
    s->conns = c;
    s->table[idx] = c;
    s->n_conns++;
    return c;
}

HttpConn *http_server_add(HttpServer *s, int fd)
{
    HttpConn *c = http_server_take(s, fd);
    if (c)
        http_conn_open(c);
    else
        (void)loop_fd_close(s->loop, fd);
    return c;
}

static void check_stopped(HttpServer *s);

static void on_handle_closed(HttpServer *s)
{
    s->n_open--;
    check_stopped(s);
}

static void on_timer_closed(LoopHandle *h)
{
    on_handle_closed(CONTAINER(HttpServer, timer.handle, h));
}

static void on_ready_closed(LoopHandle *h)
{
    on_handle_closed(CONTAINER(HttpServer, ready_timer.handle, h));
}

static void check_stopped(HttpServer *s)
{
    if (!s->is_stopping || s->is_stopped || s->n_conns) return;
    if (!s->has_closed_timers) {
        s->has_closed_timers = true;
        loop_handle_close(&s->ready_timer.handle, on_ready_closed);
        loop_handle_close(&s->timer.handle, on_timer_closed);
    }
    if (s->n_open) return;
    s->is_stopped = true;
    if (s->events->on_stopped) s->events->on_stopped(s);
}

static void remove_ready(HttpServer *s, HttpConn *gone)
{
    HttpConn *c = gone->is_ready ? s->ready : NULL;
    if (!c) return;
    s->ready = s->ready_last = NULL;
    for (HttpConn *next; c; c = next) {
        next = c->next_ready;
        c->is_ready = false;
        if (c != gone) http_server_call_soon(s, c);
    }
}

void http_server_drop(HttpServer *s, HttpConn *c)
{
    remove_ready(s, c);
    if (c->prev)
        c->prev->next = c->next;
    else
        s->conns = c->next;
    if (c->next) c->next->prev = c->prev;
    s->table[c->idx] = NULL;
    s->free_idx[s->n_free++] = c->idx;
    s->n_conns--;
    http_send_stop(c);
    http_body_deinit(&c->body);
    http_tls_free(c);
    http_session_free(c);
    if (s->n_spare < SPARE_CONNS_MAX) {
        c->next = s->spare;
        s->spare = c;
        s->n_spare++;
    } else {
        mem_free(c);
    }
    /* A descriptor is free again. */
    if (s->is_listening && !s->is_accepting && !s->is_stopping) {
        s->is_accepting = true;
        loop_accept_start(&s->accept, on_accept);
    }
    if (!s->conns && !s->has_closed_timers) loop_timer_stop(&s->timer);
    check_stopped(s);
}

void http_server_busy(HttpServer *s, HttpConn *c, bool is_busy)
{
    ASSERT(c->is_busy != is_busy);
    c->is_busy = is_busy;
    if (is_busy)
        s->n_busy++;
    else
        s->n_busy--;
}

/* ---- Accepting ---------------------------------------------------------------------------------
 */

static void on_retry(LoopTimer *t)
{
    HttpServer *s = CONTAINER(HttpServer, ready_timer, t);
    if (s->is_listening && !s->is_accepting && !s->is_stopping) {
        s->is_accepting = true;
        loop_accept_start(&s->accept, on_accept);
    }
    on_ready(t);
}

static void on_accept(LoopAccept *a, i32 fd)
{
    HttpServer *s = CONTAINER(HttpServer, accept, a);
    if (fd < 0) {
        /* Descriptors or memory are used up: again when some are free, or after a while. */
        s->is_accepting = false;
        loop_timer_start(&s->ready_timer, ACCEPT_RETRY_MS, 0, on_retry);
        return;
    }
    (void)!sys_set_nodelay(fd, true);
    (void)http_server_add(s, fd);
}

/* ---- Life --------------------------------------------------------------------------------------
 */

void http_server_init(HttpServer *s, Loop *loop, const HttpServerEvents *events)
{
    *s = (HttpServer){.loop = loop, .events = events, .fd = -1};
    loop_timer_open(loop, &s->timer);
    loop_timer_open(loop, &s->ready_timer);
    loop_handle_unref(&s->timer.handle);
    s->n_open = 2;
}

int http_server_listen(HttpServer *s, int fd, int backlog)
{
    ASSERT(!s->is_listening);
    int rc = sys_listen(fd, backlog);
    if (rc < 0) return rc;
    s->fd = fd;
    s->n_open++;
    s->is_listening = s->is_accepting = true;
    s->head.size_max = s->options.head_size_max;
    s->head.fields_max = s->options.fields_max;
    s->head.is_lenient = s->options.is_lenient;
    loop_accept_open(s->loop, &s->accept, fd);
    if (s->is_unref) loop_handle_unref(&s->accept.handle);
    loop_accept_start(&s->accept, on_accept);
    return 0;
}

void http_server_set_tls(HttpServer *s, TlsContext *ctx, bool asks, bool needs)
{
    TlsContext *old = s->tls;
    s->tls = tls_context_ref(ctx);
    (void)tls_context_unref(old);
    s->tls_asks_cert = asks;
    s->tls_needs_cert = needs;
}

static void on_accept_closed(LoopHandle *h)
{
    HttpServer *s = CONTAINER(HttpServer, accept.handle, h);
    (void)loop_fd_close(s->loop, s->fd);
    s->fd = -1;
    on_handle_closed(s);
}

void http_server_close_idle(HttpServer *s)
{
    for (HttpConn *c = s->conns, *next; c; c = next) {
        next = c->next;
        if (c->state == HTTP_CONN_HEAD && !c->in.len && !http_conn_queued(c)) http_conn_close(c);
        if (c->state == HTTP_CONN_H2 && http_session_is_idle(c)) http_session_stop(c);
    }
}

void http_server_close_all(HttpServer *s)
{
    for (HttpConn *c = s->conns, *next; c; c = next) {
        next = c->next;
        http_conn_close(c);
    }
}

static void close_listener(HttpServer *s)
{
    if (!s->is_listening) return;
    s->is_listening = s->is_accepting = false;
    loop_handle_close(&s->accept.handle, on_accept_closed);
}

static void end_conns(HttpServer *s)
{
    http_server_close_idle(s);
    for (HttpConn *c = s->conns, *next; c; c = next) {
        next = c->next;
        if (c->state == HTTP_CONN_H2) http_session_stop(c);
    }
}

void http_server_stop(HttpServer *s, bool now)
{
    if (!s->is_stopping) {
        s->is_stopping = true;
        close_listener(s);
    }
    if (now)
        http_server_close_all(s);
    else
        end_conns(s);
    check_stopped(s);
}

void http_server_ref(HttpServer *s, bool on)
{
    s->is_unref = !on;
    void (*set)(LoopHandle *) = on ? loop_handle_ref : loop_handle_unref;
    if (s->is_listening) set(&s->accept.handle);
    for (HttpConn *c = s->conns; c; c = c->next) {
        if (c->state != HTTP_CONN_CLOSED && !c->stream) set(&c->recv.handle);
    }
}

void http_server_deinit(HttpServer *s)
{
    ASSERT(!s->conns);
    for (HttpConn *c = s->spare, *next; c; c = next) {
        next = c->next;
        mem_free(c);
    }
    for (u32 i = 0; i < s->n_spare_bufs; i++) Buf_deinit(&s->spare_bufs[i]);
    Buf_deinit(&s->spare_large_buf);
    Buf_deinit(&s->spare_plain_buf);
    mem_free(s->table);
    mem_free(s->serials);
    mem_free(s->free_idx);
    http_head_deinit(&s->head);
    s->tls = tls_context_unref(s->tls);
}
