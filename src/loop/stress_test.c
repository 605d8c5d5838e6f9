/* loop/stress_test.c -- much at once, in an order that nobody would choose, and loops on several
 * threads.  The streams must come through whole and every callback exactly once. */
#include "loop/loop_test.h"

#include "util/mem.h"

#include <string.h>

enum { N_STREAMS = 24, STREAM_LEN = 60000, CHUNK_MAX = 3000, N_READS = 200 };

typedef struct Stress Stress;

typedef struct {
    Stress *all;
    LoopRecv recv;
    LoopPoll poll;
    LoopTimer timer;
    LoopReq send;
    int fds[2]; /* 0 receives */
    u32 id, n_sent, n_got;
    char chunk[CHUNK_MAX];
    char *held;
    bool is_poll_open;
} Stream;

typedef struct {
    Stress *all;
    LoopReq req;
    u32 n_calls;
    char buf[8];
} Read;

struct Stress {
    Loop *loop;
    LoopBufs *bufs;
    u32 seed, n_ended, n_closed;
    int quiet[2]; /* nobody ever writes to it */
    LoopTimer canceller;
    Stream streams[N_STREAMS];
    Read reads[N_READS];
};

static u32 pick(Stress *t, u32 n)
{
    t->seed = t->seed * 1664525U + 1013904223U;
    return (t->seed >> 8) % n;
}

static char byte_at(u32 id, u32 i)
{
    return (char)((i * 2654435761U >> 13) + id);
}

static void on_recv(LoopRecv *r, i32 n, char *p);

static void on_sent(LoopReq *req, i64 res)
{
    Stream *s = CONTAINER(Stream, send, req);
    Stress *t = s->all;
    CHECK(res >= 0);
    s->n_sent += (u32)res;
    if (res < 0 || s->n_sent == STREAM_LEN) {
        loop_fd_close(t->loop, s->fds[1]);
        return;
    }
    u32 len = 1 + pick(t, CHUNK_MAX);
    len = MIN(len, STREAM_LEN - s->n_sent);
    for (u32 i = 0; i < len; i++) s->chunk[i] = byte_at(s->id, s->n_sent + i);
    if (pick(t, 2))
        loop_req_send(t->loop, req, s->fds[1], s->chunk, len);
    else
        loop_req_write(t->loop, req, s->fds[1], s->chunk, len);
}

static void on_stream_closed(LoopHandle *h)
{
    Stream *s = CONTAINER(Stream, recv.handle, h);
    s->all->n_closed++;
    loop_fd_close(s->all->loop, s->fds[0]);
}

static void on_timer_closed(LoopHandle *h)
{
    Stream *s = CONTAINER(Stream, timer.handle, h);
    loop_handle_close(&s->recv.handle, on_stream_closed);
}

static void on_poll_closed(LoopHandle *h)
{
    Stream *s = CONTAINER(Stream, poll.handle, h);
    memset(&s->poll, 0xdd, sizeof(s->poll));
    s->is_poll_open = false;
}

static void on_poll(LoopPoll *p, i32 events)
{
    Stream *s = CONTAINER(Stream, poll, p);
    CHECK(events > 0);
    switch (pick(s->all, 3)) {
    case 0: loop_poll_stop(p); return;
    case 1: loop_poll_start(p, LOOP_READABLE | LOOP_DISCONNECT, on_poll); return;
    default: loop_handle_close(&p->handle, on_poll_closed); return;
    }
}

static void on_again(LoopTimer *timer)
{
    Stream *s = CONTAINER(Stream, timer, timer);
    if (s->held) loop_bufs_give(s->all->bufs, s->held);
    s->held = NULL;
    loop_recv_start(&s->recv, on_recv);
}

static void on_end(Stream *s)
{
    s->all->n_ended++;
    CHECK_INT(s->n_got, STREAM_LEN);
    if (s->is_poll_open && !loop_handle_is_closing(&s->poll.handle)) {
        loop_handle_close(&s->poll.handle, on_poll_closed);
    }
    loop_handle_close(&s->timer.handle, on_timer_closed);
}

static void on_recv(LoopRecv *r, i32 n, char *p)
{
    Stream *s = CONTAINER(Stream, recv, r);
    Stress *t = s->all;
    CHECK(n >= 0);
    if (n <= 0) {
        on_end(s);
        return;
    }
    for (i32 i = 0; i < n; i++) {
        if (p[i] == byte_at(s->id, s->n_got + (u32)i)) continue;
        CHECK(!"the bytes in order");
        return;
    }
    s->n_got += (u32)n;
    bool is_late = !s->held && pick(t, 4) == 0;
    if (is_late)
        s->held = p;
    else
        loop_bufs_give(t->bufs, p);
    if (is_late || pick(t, 8) == 0) {
        loop_recv_stop(r);
        loop_timer_start(&s->timer, pick(t, 3), 0, on_again);
    }
    if (!s->is_poll_open && pick(t, 6) == 0) {
        s->is_poll_open = true;
        loop_poll_open(t->loop, &s->poll, s->fds[0]);
        loop_poll_start(&s->poll, pick(t, 2) ? LOOP_WRITABLE : LOOP_READABLE, on_poll);
    }
}

static void on_read(LoopReq *req, i64 res)
{
    Read *r = CONTAINER(Read, req, req);
    CHECK_INT(res, -ECANCELED);
    r->n_calls++;
}

/* Keeps starting and cancelling reads that never get anything, until the streams are through. */
static void on_canceller(LoopTimer *timer)
{
    Stress *t = CONTAINER(Stress, canceller, timer);
    bool is_over = t->n_ended == N_STREAMS;
    for (u32 i = 0; i < N_READS; i++) {
        Read *r = &t->reads[i];
        if (loop_req_is_pending(&r->req)) {
            if (is_over || pick(t, 2)) loop_req_cancel(&r->req);
        } else if (!is_over && pick(t, 4) == 0) {
            r->req.on_done = on_read;
            if (pick(t, 2))
                loop_req_recv(t->loop, &r->req, t->quiet[0], r->buf, sizeof(r->buf));
            else
                loop_req_read(t->loop, &r->req, t->quiet[0], r->buf, sizeof(r->buf));
        }
    }
    if (!is_over) loop_timer_start(timer, 1, 0, on_canceller);
}

static void stress(Loop *loop, u32 seed)
{
    Stress *t = MEM_NEW(Stress);
    t->loop = loop;
    t->seed = seed;
    t->bufs = loop_bufs_new(loop, 512, 32);
    CHECK_INT(sys_socketpair(true, t->quiet), 0);
    loop_timer_open(loop, &t->canceller);
    loop_timer_start(&t->canceller, 0, 0, on_canceller);
    for (u32 i = 0; i < N_STREAMS; i++) {
        Stream *s = &t->streams[i];
        s->all = t;
        s->id = i;
        CHECK_INT(sys_socketpair(true, s->fds), 0);
        loop_timer_open(loop, &s->timer);
        loop_recv_open(loop, &s->recv, s->fds[0], t->bufs);
        loop_recv_start(&s->recv, on_recv);
        s->send.on_done = on_sent;
        on_sent(&s->send, 0);
    }
    CHECK(!loop_run(loop, LOOP_RUN));
    CHECK_INT(t->n_closed, N_STREAMS);
    loop_handle_close(&t->canceller.handle, NULL);
    loop_run(loop, LOOP_RUN);
    loop_fd_close(loop, t->quiet[0]);
    sys_close(t->quiet[1]);
    loop_bufs_free(t->bufs);
    mem_free(t);
}

LOOP_TEST(streams_come_through_whole_under_stress)
{
    for (u32 seed = 1; seed <= 5; seed++) stress(loop, seed);
}

static void stress_thread(void *data)
{
    Loop *loop = loop_new();
    stress(loop, (u32)(uintptr_t)data);
    CHECK(!str_eq(str_z(loop_backend_name(loop)), S("none")));
    loop_free(loop);
}

LOOP_TEST(loops_on_several_threads_do_not_meet)
{
    SysThread t[3];
    (void)loop;
    for (u32 i = 0; i < COUNT(t); i++) {
        void *seed = (void *)(uintptr_t)(i + 100);
        REQUIRE(sys_thread_start(&t[i], "loop", 0, stress_thread, seed) == 0);
    }
    for (u32 i = 0; i < COUNT(t); i++) sys_thread_join(&t[i]);
}

/* ---- Two loops that talk to each other ------------------------------------------------------- */

typedef struct {
    Loop *a, *b;
    LoopMail *mail_a, *mail_b;
    u32 n;
} PingPong;

enum { N_PINGS = 5000 };

static void pong(void *data);

static void ping(void *data)
{
    PingPong *p = data;
    if (++p->n == N_PINGS) loop_unref(p->b);
    (void)loop_mail_post_mt(p->mail_a, pong, p);
}

static void pong(void *data)
{
    PingPong *p = data;
    if (p->n == N_PINGS)
        loop_unref(p->a);
    else
        (void)loop_mail_post_mt(p->mail_b, ping, p);
}

static void other_thread(void *data)
{
    PingPong *p = data;
    loop_run(p->b, LOOP_RUN);
    loop_free(p->b);
}

LOOP_TEST(loops_wake_each_other)
{
    PingPong p = {.a = loop, .b = loop_new()};
    p.mail_a = loop_mail(p.a);
    p.mail_b = loop_mail(p.b);
    loop_ref(p.a);
    loop_ref(p.b);
    SysThread t;
    REQUIRE(sys_thread_start(&t, "other", 0, other_thread, &p) == 0);
    CHECK_INT(loop_mail_post_mt(p.mail_b, ping, &p), 0);
    loop_run(loop, LOOP_RUN);
    sys_thread_join(&t);
    CHECK_INT(p.n, N_PINGS);
    CHECK_INT(loop_mail_post_mt(p.mail_b, ping, &p), -ESHUTDOWN);
    (void)loop_mail_unref_mt(p.mail_a);
    (void)loop_mail_unref_mt(p.mail_b);
}
