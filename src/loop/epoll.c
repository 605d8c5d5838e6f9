/* loop/epoll.c -- the back end for systems without io_uring: readiness from epoll, files in the
 * pool.
 *
 * Per descriptor there is a list of operations that wait to read, to write, or for bare readiness.
 * What epoll is told to watch is brought up to date once before each wait, so an operation that is
 * started again in its own callback costs no epoll_ctl. */
#include "loop/core.h"

#include "util/mem.h"

#include <string.h>

enum { EVENTS_MAX = 256 };

typedef struct {
    OpQueue in, out, polls;
    u32 registered; /* what the kernel watches */
    u32 generation; /* tells events of an earlier descriptor of the same number */
    bool is_dirty;
    bool fired_in_vain; /* watches too much */
} EpollFd;

typedef struct {
    int fd;
    EpollFd *fds; /* by descriptor */
    u32 n_fds;
    int *dirty;
    u32 n_dirty, dirty_cap;
} Epoll;

static int epoll_init(Loop *loop)
{
    int fd = sys_epoll_open();
    if (fd < 0) return fd;
    Epoll *e = MEM_NEW(Epoll);
    e->fd = fd;
    loop->io = e;
    return 0;
}

static void epoll_deinit(Loop *loop)
{
    Epoll *e = loop->io;
    sys_close(e->fd);
    mem_free(e->fds);
    mem_free(e->dirty);
    mem_free(e);
    loop->io = NULL;
}

static EpollFd *fd_get(Epoll *e, int fd)
{
    u32 i = (u32)fd;
    if (i >= e->n_fds) {
        u32 n = MAX(i + 1, MAX(e->n_fds * 2, 64U));
        e->fds = mem_resize(e->fds, n * sizeof(*e->fds));
        memset(e->fds + e->n_fds, 0, (n - e->n_fds) * sizeof(*e->fds));
        e->n_fds = n;
    }
    return &e->fds[i];
}

static void mark_dirty(Epoll *e, EpollFd *f)
{
    if (f->is_dirty) return;
    f->is_dirty = true;
    if (e->n_dirty == e->dirty_cap) {
        e->dirty_cap = MAX(e->dirty_cap * 2, 64U);
        e->dirty = mem_resize(e->dirty, e->dirty_cap * sizeof(*e->dirty));
    }
    e->dirty[e->n_dirty++] = (int)(f - e->fds);
}

static OpQueue *queue_of(EpollFd *f, const LoopOp *op)
{
    switch ((LoopOpCode)op->code) {
    case LOOP_OP_POLL: return &f->polls;
    case LOOP_OP_WRITE:
    case LOOP_OP_WRITEV:
    case LOOP_OP_SEND:
    case LOOP_OP_SEND_MSG:
    case LOOP_OP_CONNECT: return &f->out;
    case LOOP_OP_READ:
    case LOOP_OP_RECV:
    case LOOP_OP_RECV_MSG:
    case LOOP_OP_ACCEPT_MULTI:
    case LOOP_OP_RECV_MULTI: return &f->in;
    default: return NULL;
    }
}

static int epoll_submit(Loop *loop, LoopOp *op)
{
    Epoll *e = loop->io;
    EpollFd none;
    if (!queue_of(&none, op)) return LOOP_CANNOT;
    if (op->fd < 0) return -EBADF;
    EpollFd *f = fd_get(e, op->fd);
    OpQueue *q = queue_of(f, op);
    /* Writing works at once nearly always; but not past others that wait. */
    if (q == &f->out && !q->len && !(op->flags & OP_WAITED)) {
        i64 res = loop_op_try(op);
        if (res != -EAGAIN) {
            loop_op_finish_later(op, res);
            return LOOP_QUEUED;
        }
    }
    loop_queue_push(q, op);
    mark_dirty(e, f);
    return LOOP_QUEUED;
}

static void epoll_cancel(Loop *loop, LoopOp *op)
{
    Epoll *e = loop->io;
    EpollFd *f = fd_get(e, op->fd);
    loop_queue_del(queue_of(f, op), op);
    mark_dirty(e, f);
    loop_op_finish_later(op, -ECANCELED);
}

static void epoll_cancel_all(Loop *loop)
{
    Epoll *e = loop->io;
    for (u32 i = 0; i < e->n_fds; i++) {
        loop_queue_cancel(loop, &e->fds[i].in);
        loop_queue_cancel(loop, &e->fds[i].out);
        loop_queue_cancel(loop, &e->fds[i].polls);
    }
}

/* ---- Waiting -------------------------------------------------------------------------------- */

static u32 interest(const EpollFd *f)
{
    u32 events = f->in.len ? EPOLLIN : 0;
    if (f->out.len) events |= EPOLLOUT;
    for (const LoopOp *op = f->polls.first; op; op = op->next) events |= (u32)op->off;
    return events;
}

/* A regular file or directory: always ready, says poll(2); reading and writing may block on the
 * disk. */
static void finish_regular(LoopOp *op)
{
    if (op->code == LOOP_OP_POLL) {
        loop_op_finish_later(op, (i64)(op->off & (LOOP_READABLE | LOOP_WRITABLE)));
    } else if (op->code == LOOP_OP_READ || op->code == LOOP_OP_WRITE ||
               op->code == LOOP_OP_WRITEV) {
        op->where = OP_IN_POOL;
        int rc = loop_pool_submit(op);
        if (rc < 0) loop_op_finish_later(op, rc);
    } else {
        loop_op_ready_later(op);
    }
}

static void fail_queue(OpQueue *q, int rc)
{
    LoopOp *op;
    while ((op = loop_queue_pop(q))) {
        if (rc == -EPERM)
            finish_regular(op);
        else
            loop_op_finish_later(op, rc);
    }
}

static void update(Epoll *e, int fd)
{
    EpollFd *f = &e->fds[fd];
    f->is_dirty = false;
    u32 want = interest(f);
    if (!f->fired_in_vain) want |= f->registered & EPOLLIN;
    f->fired_in_vain = false;
    if (want == f->registered) return;
    struct epoll_event event = {.events = want, .data.u64 = (u64)f->generation << 32 | (u32)fd};
    int ctl = !f->registered ? EPOLL_CTL_ADD : want ? EPOLL_CTL_MOD : EPOLL_CTL_DEL;
    int rc = sys_epoll_set(e->fd, ctl, fd, &event);
    if (rc == -EEXIST) rc = sys_epoll_set(e->fd, EPOLL_CTL_MOD, fd, &event);
    if (rc == -ENOENT && ctl == EPOLL_CTL_MOD) rc = sys_epoll_set(e->fd, EPOLL_CTL_ADD, fd, &event);
    bool is_unknown = rc == -ENOENT || rc == -EBADF || ctl == EPOLL_CTL_ADD;
    if (rc == 0)
        f->registered = want;
    else if (is_unknown)
        f->registered = 0;
    /* What is still watched though nobody waits fires in vain, and then this is tried again. */
    if (rc == 0 || ctl == EPOLL_CTL_DEL) return;
    fail_queue(&f->polls, rc);
    fail_queue(&f->in, rc);
    fail_queue(&f->out, rc);
}

static void on_event(Epoll *e, const struct epoll_event *event)
{
    u32 fd = (u32)event->data.u64;
    if (fd >= e->n_fds || e->fds[fd].generation != (u32)(event->data.u64 >> 32)) return;
    EpollFd *f = &e->fds[fd];
    u32 events = event->events;
    f->fired_in_vain = (events & ~interest(f)) != 0;
    LoopOp *next;
    for (LoopOp *op = f->polls.first; op; op = next) {
        next = op->next;
        u32 hit = events & ((u32)op->off | EPOLLERR | EPOLLHUP);
        if (!hit) continue;
        loop_queue_del(&f->polls, op);
        loop_op_finish_later(op, hit);
    }
    /* One of each: what is left finds out in the next round. */
    LoopOp *in = events & ~(u32)EPOLLOUT ? loop_queue_pop(&f->in) : NULL;
    if (in) loop_op_ready_later(in);
    LoopOp *out = events & (EPOLLOUT | EPOLLERR | EPOLLHUP) ? loop_queue_pop(&f->out) : NULL;
    if (out) loop_op_ready_later(out);
    mark_dirty(e, f);
}

static void epoll_back_end_wait(Loop *loop, u64 timeout_ns)
{
    Epoll *e = loop->io;
    u32 n_dirty = e->n_dirty;
    e->n_dirty = 0;
    for (u32 i = 0; i < n_dirty; i++) update(e, e->dirty[i]);
    if (loop->done.len) timeout_ns = 0;
    struct epoll_event events[EVENTS_MAX];
    int n = sys_epoll_wait(e->fd, events, EVENTS_MAX, timeout_ns);
    loop_update_now(loop);
    for (int i = 0; i < n; i++) on_event(e, &events[i]);
}

static void epoll_forget(Loop *loop, int fd)
{
    Epoll *e = loop->io;
    if ((u32)fd >= e->n_fds) return;
    EpollFd *f = &e->fds[fd];
    fail_queue(&f->polls, -ECANCELED);
    fail_queue(&f->in, -ECANCELED);
    fail_queue(&f->out, -ECANCELED);
    f->generation++;
    if (!f->registered) return;
    struct epoll_event event = {0};
    (void)!sys_epoll_set(e->fd, EPOLL_CTL_DEL, fd, &event);
    f->registered = 0;
}

static void epoll_bufs_none(LoopBufs *bufs)
{
    (void)bufs;
}

static void epoll_bufs_give(LoopBufs *bufs, u32 idx)
{
    (void)bufs;
    (void)idx;
    BUG("no kernel ring in this back end");
}

const LoopBackend loop_epoll = {
    .name = "epoll",
    .init = epoll_init,
    .deinit = epoll_deinit,
    .submit = epoll_submit,
    .cancel = epoll_cancel,
    .cancel_all = epoll_cancel_all,
    .wait = epoll_back_end_wait,
    .forget = epoll_forget,
    .bufs_give = epoll_bufs_give,
    .bufs_close = epoll_bufs_none,
};
