/* loop/loop.c -- the loop: its life, its turns, and what all handles share. */
#include "loop/core.h"

#include "util/mem.h"

#include <string.h>

enum {
    RETRY_MS = 10, /* between looks at our own descriptors when they cannot be watched */
    IDLE_WAIT_MIN_MS = 4 * LOOP_IDLE_AFTER_MS, /* shorter sleeps are not worth on_idle */
};

/* ---- Life ----------------------------------------------------------------------------------- */

Loop *loop_new(void)
{
    Loop *loop = MEM_NEW(Loop);
    loop->wake_fd = loop->source_fd = -1;
    loop->mail = loop_mail_new();
    loop_update_now(loop);
    return loop;
}

static void arm_wake(Loop *loop);
static void retry_later(Loop *loop);

static void on_wake(LoopOp *op, i64 res, bool more)
{
    (void)more;
    Loop *loop = op->loop;
    if (res > 0) (void)sys_eventfd_take(loop->wake_fd);
    if (res < 0) retry_later(loop);
    arm_wake(loop);
}

/* Without memory or watches the loop goes on, looking around every RETRY_MS. */
static void retry_later(Loop *loop)
{
    loop->retry_ns = loop->now_ns + (u64)RETRY_MS * NS_PER_MS;
}

static bool must_retry(const Loop *loop)
{
    return loop->now_ns < loop->retry_ns;
}

static void arm_wake(Loop *loop)
{
    if (loop->wake_fd < 0 || loop->wake_op.where != OP_IDLE) return;
    if (loop->is_last || must_retry(loop)) return;
    loop->wake_op.fd = loop->wake_fd;
    loop->wake_op.code = LOOP_OP_POLL;
    loop->wake_op.off = LOOP_READABLE;
    loop->wake_op.on_done = on_wake;
    loop_op_start(loop, &loop->wake_op);
}

int loop_wake_fd(Loop *loop)
{
    if (loop->wake_fd >= 0) return loop->wake_fd;
    int fd = sys_eventfd();
    if (fd < 0) return fd;
    loop->wake_fd = fd;
    loop_mail_set_wake_fd(loop->mail, fd);
    if (loop->backend) arm_wake(loop);
    return fd;
}

static int start_with(Loop *loop, const LoopBackend *b)
{
    int rc = b->init(loop);
    if (rc == 0) loop->backend = b;
    return rc;
}

int loop_backend_start(Loop *loop)
{
    if (LIKELY(loop->backend != NULL)) return 0;
    AUTO(Scratch) s = scratch_begin(NULL);
    Str io = S("");
    (void)sys_env_find(s.arena, S("COB_IO"), &io);
    int rc = -ENOSYS;
    if (!str_eq(io, S("epoll"))) rc = start_with(loop, &loop_uring);
    if (rc < 0 && !str_eq(io, S("uring"))) rc = start_with(loop, &loop_epoll);
    if (rc == 0) arm_wake(loop);
    return rc;
}

const char *loop_backend_name(const Loop *loop)
{
    return loop->backend ? loop->backend->name : "none";
}

static void close_any(LoopHandle *h, void *ctx)
{
    (void)ctx;
    loop_handle_close(h, NULL);
}

static void turn(Loop *loop, bool may_wait);

static u32 n_own_ops(const Loop *loop)
{
    return (u32)(loop->wake_op.where != OP_IDLE) + (u32)(loop->source_op.where != OP_IDLE);
}

void loop_free(Loop *loop)
{
    if (!loop) return;
    loop->source = (LoopSource){0};
    loop->hooks = (LoopHooks){0};
    for (u32 i = 0; i < LOOP_SLOTS; i++) {
        if (loop->slots[i].on_stop) loop->slots[i].on_stop(loop->slots[i].data);
    }
    loop_walk(loop, close_any, NULL);
    loop->is_freeing = true;
    /* Pool results still need the wake-up, so our own polls go last. */
    loop_pool_cancel_all(loop);
    while (loop->n_ops > n_own_ops(loop) || loop->n_closing) {
        if (loop->backend) loop->backend->cancel_all(loop);
        turn(loop, true);
        loop_walk(loop, close_any, NULL);
    }
    loop->is_last = true;
    loop_op_cancel(&loop->wake_op);
    loop_op_cancel(&loop->source_op);
    while (loop->n_ops) turn(loop, true);
    loop_mail_close(loop);
    for (u32 i = 0; i < LOOP_SLOTS; i++) {
        if (loop->slots[i].on_free) loop->slots[i].on_free(loop->slots[i].data);
    }
    loop_bufs_free(loop->bufs);
    if (loop->backend) loop->backend->deinit(loop);
    sys_close(loop->wake_fd);
    mem_free(loop->timers.at);
    mem_free(loop);
}

void *loop_slot_find(const Loop *loop, LoopSlot slot)
{
    return loop->slots[slot].data;
}

void loop_slot_put(Loop *loop, LoopSlot slot, void *data, void (*on_stop)(void *data),
                   void (*on_free)(void *data))
{
    ASSERT(!loop->slots[slot].data);
    loop->slots[slot] = (Slot){.data = data, .on_stop = on_stop, .on_free = on_free};
}

void loop_set_hooks(Loop *loop, LoopHooks hooks)
{
    loop->hooks = hooks;
}

void loop_set_source(Loop *loop, LoopSource source)
{
    loop->source = source;
}

void loop_ref(Loop *loop)
{
    loop->n_refs++;
}

void loop_unref(Loop *loop)
{
    ASSERT(loop->n_refs);
    loop->n_refs--;
}

bool loop_is_alive(const Loop *loop)
{
    return loop->n_refs || loop->n_closing;
}

void loop_stop(Loop *loop)
{
    loop->is_stopped = true;
}

static void stop_posted(void *data)
{
    loop_stop(data);
}

void loop_stop_mt(Loop *loop)
{
    (void)loop_post_mt(loop, stop_posted, loop);
}

u64 loop_now_ms(const Loop *loop)
{
    return loop->now_ns / NS_PER_MS;
}

u64 loop_now_ns(const Loop *loop)
{
    return loop->now_ns;
}

void loop_update_now(Loop *loop)
{
    loop->now_ns = sys_monotonic_ns();
}

int loop_fd_close(Loop *loop, int fd)
{
    if (fd < 0) return 0;
    if (loop->backend) loop->backend->forget(loop, fd);
    return sys_close(fd);
}

/* ---- Handles -------------------------------------------------------------------------------- */

void loop_handle_open(Loop *loop, LoopHandle *h, LoopHandleType type)
{
    *h = (LoopHandle){.loop = loop, .next = loop->handles, .type = (u8)type, .state = HANDLE_OPEN};
    if (h->next) h->next->prev = h;
    loop->handles = h;
}

void loop_handle_set_active(LoopHandle *h, bool on)
{
    bool is_on = (h->state & HANDLE_ACTIVE) != 0;
    if (is_on == on) return;
    h->state ^= HANDLE_ACTIVE;
    if (h->state & HANDLE_UNREF) return;
    if (on)
        loop_ref(h->loop);
    else
        loop_unref(h->loop);
}

static bool shut(LoopHandle *h)
{
    switch ((LoopHandleType)h->type) {
    case LOOP_TIMER: loop_timer_stop(CONTAINER(LoopTimer, handle, h)); return true;
    case LOOP_POLL: return loop_poll_shut(h);
    case LOOP_ASYNC: return loop_async_shut(h);
    case LOOP_ACCEPT: return loop_accept_shut(h);
    case LOOP_RECV: return loop_recv_shut(h);
    case LOOP_SIGNAL: return loop_signal_shut(h);
    case LOOP_CHILD: return loop_child_shut(h);
    case LOOP_WATCH: return loop_watch_shut(h);
    }
    BUG("a handle of no type");
}

void loop_handle_close(LoopHandle *h, void (*on_close)(LoopHandle *h))
{
    ASSERT(h->state & HANDLE_OPEN);
    ASSERT(!(h->state & HANDLE_CLOSING));
    Loop *loop = h->loop;
    if (h->prev)
        h->prev->next = h->next;
    else
        loop->handles = h->next;
    if (h->next) h->next->prev = h->prev;
    h->prev = h->next = NULL;
    h->state |= HANDLE_CLOSING;
    h->on_close = on_close;
    loop->n_closing++;
    bool is_done = shut(h);
    loop_handle_set_active(h, false);
    if (is_done) loop_handle_closed(h);
}

void loop_handle_closed(LoopHandle *h)
{
    Loop *loop = h->loop;
    h->next = NULL;
    if (loop->closed_last)
        loop->closed_last->next = h;
    else
        loop->closed_first = h;
    loop->closed_last = h;
}

static void run_closed(Loop *loop)
{
    LoopHandle *h = loop->closed_first;
    loop->closed_first = loop->closed_last = NULL;
    while (h) {
        LoopHandle *next = h->next;
        loop->n_closing--;
        h->state = 0;
        /* From here on the memory is the caller's. */
        if (h->on_close) {
            h->on_close(h);
            loop_after_callback(loop);
        }
        h = next;
    }
}

void loop_handle_ref(LoopHandle *h)
{
    if (!(h->state & HANDLE_UNREF)) return;
    h->state &= (u8)~HANDLE_UNREF;
    if (h->state & HANDLE_ACTIVE) loop_ref(h->loop);
}

void loop_handle_unref(LoopHandle *h)
{
    if (h->state & HANDLE_UNREF) return;
    h->state |= HANDLE_UNREF;
    if (h->state & HANDLE_ACTIVE) loop_unref(h->loop);
}

bool loop_handle_has_ref(const LoopHandle *h)
{
    return !(h->state & HANDLE_UNREF);
}

bool loop_handle_is_active(const LoopHandle *h)
{
    return h->state & HANDLE_ACTIVE;
}

bool loop_handle_is_closing(const LoopHandle *h)
{
    return h->state & HANDLE_CLOSING;
}

void loop_walk(Loop *loop, void (*fn)(LoopHandle *h, void *ctx), void *ctx)
{
    LoopHandle *next;
    for (LoopHandle *h = loop->handles; h; h = next) {
        next = h->next;
        fn(h, ctx);
    }
}

/* ---- Turns ---------------------------------------------------------------------------------- */

void loop_after_callback(Loop *loop)
{
    loop->n_events++;
    if (loop->hooks.after_callback) loop->hooks.after_callback(loop->hooks.ctx);
}

static void on_source(LoopOp *op, i64 res, bool more)
{
    (void)more;
    if (res > 0)
        op->loop->is_source_ready = true;
    else if (res != -ECANCELED)
        retry_later(op->loop);
}

/* Asks the foreign run loop how long it may sleep and watches its descriptor. */
static u64 prepare_source(Loop *loop)
{
    loop->source_due_ns = UINT64_MAX;
    if (!loop->source.prepare) return UINT64_MAX;
    int fd = -1;
    i32 ms = loop->source.prepare(loop->source.ctx, &fd);
    if (loop->source_fd != fd && loop->source_op.where != OP_IDLE) loop_op_cancel(&loop->source_op);
    loop->source_fd = fd;
    if (loop->backend && fd >= 0 && loop->source_op.where == OP_IDLE && !must_retry(loop)) {
        loop->source_op.fd = fd;
        loop->source_op.code = LOOP_OP_POLL;
        loop->source_op.off = LOOP_READABLE;
        loop->source_op.on_done = on_source;
        loop_op_start(loop, &loop->source_op);
    }
    if (ms < 0) return UINT64_MAX;
    u64 wait_ns = (u64)ms * NS_PER_MS;
    loop->source_due_ns = sys_monotonic_ns() + wait_ns;
    return wait_ns;
}

static void run_source(Loop *loop)
{
    if (!loop->source.dispatch) return;
    if (!loop->is_source_ready && loop->now_ns < loop->source_due_ns) return;
    loop->is_source_ready = false;
    loop->source.dispatch(loop->source.ctx);
    loop_after_callback(loop);
}

static bool must_not_wait(const Loop *loop)
{
    if (loop->is_stopped || loop->done.len || loop->closed_first) return true;
    if (!loop->n_refs && !loop->n_closing && !loop->is_freeing) return true;
    return loop->hooks.has_work && loop->hooks.has_work(loop->hooks.ctx);
}

/* The quiet time: the first sleep is short, then on_idle, then the long one. */
static u64 idle_wait(Loop *loop, u64 wait_ns)
{
    if (wait_ns < (u64)IDLE_WAIT_MIN_MS * NS_PER_MS || loop->is_idle_done) return wait_ns;
    if (!loop->hooks.on_idle && !loop->bufs) return wait_ns;
    if (!loop->is_quiet) return (u64)LOOP_IDLE_AFTER_MS * NS_PER_MS;
    loop->is_idle_done = true;
    loop->idle_at_ns = loop->now_ns;
    if (loop->bufs) loop_bufs_release_idle(loop->bufs);
    if (loop->hooks.on_idle) loop->hooks.on_idle(loop->hooks.ctx);
    return wait_ns;
}

static u64 wait_time(Loop *loop, bool may_wait)
{
    u64 source_ns = prepare_source(loop);
    if (!may_wait || must_not_wait(loop)) return 0;
    u64 timer_ns = loop_timers_wait_ns(loop, sys_monotonic_ns());
    u64 wait_ns = idle_wait(loop, MIN(source_ns, timer_ns));
    if (!wait_ns) return 0;
    /* Before the mail is told that we sleep: who posts from then on rings this bell. */
    bool is_deaf = loop_wake_fd(loop) < 0 || must_retry(loop);
    if (is_deaf) wait_ns = MIN(wait_ns, (u64)RETRY_MS * NS_PER_MS);
    if (loop->done.len || !loop_mail_sleep(loop->mail)) return 0;
    return wait_ns;
}

/* Without a back end: two descriptors at most. */
static void wait_light(Loop *loop, u64 timeout_ns)
{
    struct pollfd fds[2];
    u32 n = 0;
    if (loop->source_fd >= 0) fds[n++] = (struct pollfd){.fd = loop->source_fd, .events = POLLIN};
    bool has_source = n > 0;
    if (timeout_ns) {
        if (loop->wake_fd >= 0) fds[n++] = (struct pollfd){.fd = loop->wake_fd, .events = POLLIN};
    }
    if (timeout_ns || has_source) {
        int rc = sys_poll(fds, n, timeout_ns);
        if (rc > 0 && has_source && fds[0].revents) loop->is_source_ready = true;
        bool has_wake = n > (u32)has_source;
        if (rc > 0 && has_wake && fds[n - 1].revents) (void)sys_eventfd_take(loop->wake_fd);
    }
    loop_update_now(loop);
}

static void turn(Loop *loop, bool may_wait)
{
    u64 n_events = loop->n_events;
    u64 wait_ns = wait_time(loop, may_wait);
    if (loop->backend) arm_wake(loop);
    if (loop->backend)
        loop->backend->wait(loop, wait_ns);
    else
        wait_light(loop, wait_ns);
    loop_op_run_done(loop);
    loop_mail_run(loop);
    if (loop->signals) loop_signals_run(loop);
    run_source(loop);
    loop_timers_run(loop);
    if (loop->hooks.on_check) loop->hooks.on_check(loop->hooks.ctx);
    run_closed(loop);
    loop->is_quiet = loop->n_events == n_events;
    u64 idle_end_ns = loop->idle_at_ns + (u64)LOOP_IDLE_EVERY_MS * NS_PER_MS;
    if (!loop->is_quiet && loop->now_ns > idle_end_ns) loop->is_idle_done = false;
}

bool loop_run(Loop *loop, LoopMode mode)
{
    ASSERT(!loop->is_freeing);
    loop_update_now(loop);
    if (mode == LOOP_RUN) {
        while (loop_is_alive(loop) && !loop->is_stopped) turn(loop, true);
    } else {
        turn(loop, mode == LOOP_RUN_ONCE);
    }
    loop->is_stopped = false;
    return loop_is_alive(loop);
}
