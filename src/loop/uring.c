/* loop/uring.c -- the back end over io_uring.
 *
 * Operations become entries of the submission queue; one io_uring_enter a turn hands them in, runs
 * the kernel's deferred work and waits.  Sockets use the native operations; pipes and terminals are
 * polled and then read or written by system call, because a blocking terminal would occupy a kernel
 * thread and a non-blocking pipe answers -EAGAIN at once.
 *
 * All entries in flight are on a list; `user_data` is the operation, 0 for cancellations. */
#include "loop/core.h"

#include "util/mem.h"

#include <liburing.h>
#include <string.h>

enum {
    ENTRIES = 256,
    COMPLETIONS = 1024,
    BATCH = 64,
    TURN_MAX = 1024, /* completions in one turn, so that timers get theirs */
    /* After a turn with this many sends we wait for about as many answers to them, but no longer
     * than that: fewer turns, and those on the other side need not wake us as often. */
    GATHER_SENDS_MIN = 8,
    GATHER_MAX = 16,
    GATHER_US = 50,
};
/* Linux 6.12 and 6.15, newer than the library's headers. */
#define FEAT_MIN_TIMEOUT (1U << 15)
#define FEAT_NO_IOWAIT   (1U << 17)
#define ENTER_NO_IOWAIT  (1U << 7)

enum { OP_CANCEL_UNSENT = 32 }; /* there was no room for the cancellation */

typedef struct {
    struct io_uring ring;
    OpQueue in_flight;
    OpQueue backlog; /* no room in the submission queue; op->is_queued */
    bool has_unsent_cancels;
    bool has_no_accept_multi, has_no_recv_multi; /* older kernels */
    bool has_no_iowait;
    u16 next_group;
    u32 n_sends; /* since the last enter */
} Uring;

/* Tests of debug builds: behave as kernel 5.11 does. */
static bool plays_old_kernel(void)
{
#ifdef COB_DEBUG
    AUTO(Scratch) s = scratch_begin(NULL);
    Str value;
    return sys_env_find(s.arena, S("COB_IO_OLD"), &value);
#else
    return false;
#endif
}

static int queue_init(struct io_uring *ring, bool is_old)
{
    static const u32 flags[] = {
        /* 6.1 */
        IORING_SETUP_SUBMIT_ALL | IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_DEFER_TASKRUN |
            IORING_SETUP_TASKRUN_FLAG,
        /* 5.19 */
        IORING_SETUP_SUBMIT_ALL | IORING_SETUP_COOP_TASKRUN | IORING_SETUP_TASKRUN_FLAG,
        0,
    };
    int rc = -EINVAL;
    for (u32 i = is_old ? COUNT(flags) - 1 : 0; i < COUNT(flags) && rc == -EINVAL; i++) {
        struct io_uring_params params = {
            .flags = flags[i] | IORING_SETUP_CQSIZE | IORING_SETUP_CLAMP,
            .cq_entries = COMPLETIONS,
        };
        rc = io_uring_queue_init_params(ENTRIES, ring, &params);
    }
    return rc;
}

/* Whether slot i of the submission queue is entry i for good, as `submit_and_wait` needs it. */
static bool is_queue_mapped(const struct io_uring_sq *sq)
{
    for (u32 i = 0; i < sq->ring_entries; i++) {
        if (sq->array[i] != i) return false;
    }
    return true;
}

static int uring_init(Loop *loop)
{
    int rc = sys_fault_hit();
    if (rc < 0) return rc;
    Uring *u = MEM_NEW(Uring);
    bool is_old = plays_old_kernel();
    u->has_no_accept_multi = u->has_no_recv_multi = is_old;
    rc = queue_init(&u->ring, is_old);
    u32 needed = IORING_FEAT_NODROP | IORING_FEAT_EXT_ARG | IORING_FEAT_FAST_POLL;
    if (rc == 0 && (u->ring.features & needed) != needed) {
        io_uring_queue_exit(&u->ring);
        rc = -ENOSYS;
    }
    if (rc < 0) {
        mem_free(u);
        return rc;
    }
    u32 newer = FEAT_NO_IOWAIT | FEAT_MIN_TIMEOUT;
    bool has_flag = (u->ring.features & newer) == newer && !is_old;
    u->has_no_iowait = has_flag && is_queue_mapped(&u->ring.sq);
    (void)io_uring_ring_dontfork(&u->ring);
    /* Saves the descriptor look-up in every enter; older kernels go without. */
    (void)io_uring_register_ring_fd(&u->ring);
    loop->io = u;
    return 0;
}

static void uring_deinit(Loop *loop)
{
    Uring *u = loop->io;
    ASSERT(!u->in_flight.len);
    io_uring_queue_exit(&u->ring);
    mem_free(u);
    loop->io = NULL;
}

static struct io_uring_sqe *sqe_get(Uring *u)
{
    struct io_uring_sqe *sqe = io_uring_get_sqe(&u->ring);
    if (sqe) return sqe;
    (void)io_uring_submit(&u->ring);
    return io_uring_get_sqe(&u->ring);
}

/* ---- Provided buffers ----------------------------------------------------------------------- */

static usize ring_size(const LoopBufs *b)
{
    return b->count * sizeof(struct io_uring_buf);
}

static void ring_add(LoopBufs *b, u32 idx)
{
    io_uring_buf_ring_add(b->ring, loop_bufs_at(b, idx), b->size, (u16)idx,
                          io_uring_buf_ring_mask(b->count), 0);
    io_uring_buf_ring_advance(b->ring, 1);
}

static void uring_bufs_give(LoopBufs *b, u32 idx)
{
    ring_add(b, idx);
}

/* Registers the buffers and hands most of the free ones over; false when the kernel cannot. */
static bool bufs_register(Uring *u, LoopBufs *b)
{
    if (b->ring) return true;
    if (b->is_side_only) return false;
    void *ring;
    b->is_side_only = true;
    if (sys_mem_map(ring_size(b), &ring) < 0) return false;
    struct io_uring_buf_reg reg = {
        .ring_addr = (u64)(uintptr_t)ring, .ring_entries = b->count, .bgid = u->next_group};
    if (io_uring_register_buf_ring(&u->ring, &reg, 0) < 0) {
        sys_mem_unmap(ring, ring_size(b));
        return false;
    }
    b->is_side_only = false;
    b->group = u->next_group++;
    b->ring = ring;
    io_uring_buf_ring_init(ring);
    while (b->n_free > b->n_side) ring_add(b, b->free[--b->n_free]);
    return true;
}

static void uring_bufs_close(LoopBufs *b)
{
    if (!b->ring) return;
    Uring *u = b->loop->io;
    (void)io_uring_unregister_buf_ring(&u->ring, b->group);
    sys_mem_unmap(b->ring, ring_size(b));
    b->ring = NULL;
}

/* ---- Submitting ----------------------------------------------------------------------------- */

static bool is_native(Uring *u, const LoopOp *op)
{
    if (op->flags & OP_EMULATED) return false;
    switch ((LoopOpCode)op->code) {
    case LOOP_OP_READ:
    case LOOP_OP_WRITE:
    case LOOP_OP_WRITEV: return false;
    case LOOP_OP_ACCEPT_MULTI: return !u->has_no_accept_multi;
    case LOOP_OP_RECV_MULTI:
        return op->flags & OP_SOCKET && !u->has_no_recv_multi && bufs_register(u, op->buf);
    default: return true;
    }
}

static u32 events_of(const LoopOp *op)
{
    switch ((LoopOpCode)op->code) {
    case LOOP_OP_WRITE:
    case LOOP_OP_WRITEV:
    case LOOP_OP_SEND:
    case LOOP_OP_SEND_MSG:
    case LOOP_OP_CONNECT: return POLLOUT;
    default: return POLLIN;
    }
}

static void prep_file(struct io_uring_sqe *sqe, LoopOp *op)
{
    switch ((LoopOpCode)op->code) {
    case LOOP_OP_PREAD: io_uring_prep_read(sqe, op->fd, op->buf, op->len, op->off); return;
    case LOOP_OP_PWRITE: io_uring_prep_write(sqe, op->fd, op->buf, op->len, op->off); return;
    case LOOP_OP_PREADV: io_uring_prep_readv(sqe, op->fd, op->buf, op->len, op->off); return;
    case LOOP_OP_PWRITEV: io_uring_prep_writev(sqe, op->fd, op->buf, op->len, op->off); return;
    case LOOP_OP_OPEN:
        io_uring_prep_openat(sqe, AT_FDCWD, op->buf, (int)(u32)op->off | O_CLOEXEC,
                             (mode_t)(op->off >> 32));
        return;
    case LOOP_OP_CLOSE: io_uring_prep_close(sqe, op->fd); return;
    case LOOP_OP_FSYNC:
        io_uring_prep_fsync(sqe, op->fd, op->off ? IORING_FSYNC_DATASYNC : 0);
        return;
    case LOOP_OP_STAT:
        io_uring_prep_statx(sqe, AT_FDCWD, op->buf, (int)op->off, STATX_BASIC_STATS | STATX_BTIME,
                            loop_op_statx(op));
        return;
    default: BUG("an operation that io_uring does not know");
    }
}

static void prep(Uring *u, struct io_uring_sqe *sqe, LoopOp *op)
{
    const SysAddr *addr = op->buf;
    if (!is_native(u, op)) {
        op->flags |= OP_EMULATED;
        io_uring_prep_poll_add(sqe, op->fd, events_of(op));
        io_uring_sqe_set_data(sqe, op);
        return;
    }
    switch ((LoopOpCode)op->code) {
    case LOOP_OP_POLL: io_uring_prep_poll_add(sqe, op->fd, (u32)op->off); break;
    case LOOP_OP_RECV: io_uring_prep_recv(sqe, op->fd, op->buf, op->len, 0); break;
    case LOOP_OP_SEND:
        io_uring_prep_send(sqe, op->fd, op->buf, op->len, MSG_NOSIGNAL | MSG_WAITALL);
        break;
    case LOOP_OP_RECV_MSG: io_uring_prep_recvmsg(sqe, op->fd, op->buf, MSG_CMSG_CLOEXEC); break;
    case LOOP_OP_SEND_MSG: io_uring_prep_sendmsg(sqe, op->fd, op->buf, MSG_NOSIGNAL); break;
    case LOOP_OP_CONNECT: io_uring_prep_connect(sqe, op->fd, &addr->any, addr->len); break;
    case LOOP_OP_ACCEPT_MULTI:
        io_uring_prep_multishot_accept(sqe, op->fd, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
        break;
    case LOOP_OP_RECV_MULTI:
        io_uring_prep_recv_multishot(sqe, op->fd, NULL, 0, 0);
        sqe->flags |= IOSQE_BUFFER_SELECT;
        sqe->buf_group = ((LoopBufs *)op->buf)->group;
        break;
    default: prep_file(sqe, op); break;
    }
    io_uring_sqe_set_data(sqe, op);
}

static int uring_submit(Loop *loop, LoopOp *op)
{
    Uring *u = loop->io;
    /* Writing to a pipe works at once nearly always. */
    bool is_write = op->code == LOOP_OP_WRITE || op->code == LOOP_OP_WRITEV;
    if (is_write && !(op->flags & OP_WAITED)) {
        i64 res = loop_op_try(op);
        if (res != -EAGAIN) {
            loop_op_finish_later(op, res);
            return LOOP_QUEUED;
        }
    }
    struct io_uring_sqe *sqe = u->backlog.len ? NULL : sqe_get(u);
    if (!sqe) {
        op->is_queued = true;
        loop_queue_push(&u->backlog, op);
        return LOOP_QUEUED;
    }
    prep(u, sqe, op);
    if (op->code == LOOP_OP_SEND || op->code == LOOP_OP_SEND_MSG) u->n_sends++;
    loop_queue_push(&u->in_flight, op);
    return LOOP_QUEUED;
}

static void uring_cancel(Loop *loop, LoopOp *op)
{
    Uring *u = loop->io;
    if (op->is_queued) {
        op->is_queued = false;
        loop_queue_del(&u->backlog, op);
        loop_op_finish_later(op, -ECANCELED);
        return;
    }
    struct io_uring_sqe *sqe = sqe_get(u);
    if (!sqe) {
        op->flags |= OP_CANCEL_UNSENT;
        u->has_unsent_cancels = true;
        return;
    }
    io_uring_prep_cancel64(sqe, (u64)(uintptr_t)op, 0);
    io_uring_sqe_set_data(sqe, NULL);
}

static void uring_cancel_all(Loop *loop)
{
    Uring *u = loop->io;
    loop_queue_cancel(loop, &u->backlog);
    loop_queue_cancel(loop, &u->in_flight);
}

/* What did not fit before. */
static void flush_backlog(Loop *loop, Uring *u)
{
    if (u->has_unsent_cancels) {
        u->has_unsent_cancels = false;
        for (LoopOp *op = u->in_flight.first; op; op = op->next) {
            if (!(op->flags & OP_CANCEL_UNSENT)) continue;
            op->flags &= (u8)~OP_CANCEL_UNSENT;
            uring_cancel(loop, op);
        }
    }
    while (u->backlog.len) {
        struct io_uring_sqe *sqe = sqe_get(u);
        if (!sqe) return;
        LoopOp *op = loop_queue_pop(&u->backlog);
        op->is_queued = false;
        prep(u, sqe, op);
        loop_queue_push(&u->in_flight, op);
    }
}

/* ---- Completing ----------------------------------------------------------------------------- */

typedef struct {
    LoopOp *op;
    i32 res;
    u32 flags;
} Completion;

static bool is_file(const LoopOp *op)
{
    return op->code >= LOOP_OP_PREAD;
}

/* The kernel has no multishot form of this, or wants us to wait ourselves. */
static bool must_emulate(Uring *u, LoopOp *op, i32 res)
{
    if (is_file(op) || op->code == LOOP_OP_POLL || op->flags & OP_CANCELLED) return false;
    if (res == -EAGAIN) return true;
    if (res != -EINVAL && res != -EOPNOTSUPP) return false;
    if (op->code == LOOP_OP_ACCEPT_MULTI && !u->has_no_accept_multi) {
        u->has_no_accept_multi = true;
        return true;
    }
    if (op->code == LOOP_OP_RECV_MULTI && !u->has_no_recv_multi) {
        u->has_no_recv_multi = true;
        return true;
    }
    return false;
}

static i64 take_buffer(LoopBufs *b, i32 res, u32 flags)
{
    if (!(flags & IORING_CQE_F_BUFFER)) return res;
    u32 idx = flags >> IORING_CQE_BUFFER_SHIFT;
    b->n_out++;
    if (res > 0) return res | (i64)idx << 32;
    loop_bufs_give(b, loop_bufs_at(b, idx));
    return res;
}

static void on_completion(Loop *loop, Uring *u, const Completion *c)
{
    LoopOp *op = c->op;
    bool more = c->flags & IORING_CQE_F_MORE;
    if (!more) loop_queue_del(&u->in_flight, op);
    if (op->flags & OP_EMULATED) {
        if (op->flags & OP_CANCELLED)
            loop_op_complete(op, -ECANCELED, false);
        else if (c->res < 0)
            loop_op_complete(op, c->res, false);
        else
            loop_op_ready(op);
        return;
    }
    if (!more && must_emulate(u, op, c->res)) {
        op->flags |= OP_EMULATED | OP_WAITED;
        (void)uring_submit(loop, op);
        return;
    }
    i64 res = op->code == LOOP_OP_RECV_MULTI ? take_buffer(op->buf, c->res, c->flags) : c->res;
    loop_op_complete(op, res, more);
}

/* Skips over cancellations; 0 at the end of the queue. */
static u32 take_batch(Uring *u, Completion *ret)
{
    struct io_uring_cqe *cqes[BATCH];
    for (;;) {
        u32 n = io_uring_peek_batch_cqe(&u->ring, cqes, BATCH), len = 0;
        for (u32 i = 0; i < n; i++) {
            LoopOp *op = io_uring_cqe_get_data(cqes[i]);
            if (op)
                ret[len++] = (Completion){.op = op, .res = cqes[i]->res, .flags = cqes[i]->flags};
        }
        io_uring_cq_advance(&u->ring, n);
        if (len || !n) return len;
    }
}

/* io_uring_submit_and_wait_timeout with what the library does not know.  A process that sleeps here
 * is idle, not waiting for a disk, and should not show as such in top.  And who has just sent much
 * waits for more than one completion at first: the sends are complete at once, as a rule, and
 * then come the next requests. */
static int submit_and_wait(Uring *u, struct __kernel_timespec *ts, u32 n_sends)
{
    struct io_uring *ring = &u->ring;
    struct io_uring_sq *sq = &ring->sq;
    sq->sqe_head = sq->sqe_tail;
    io_uring_smp_store_release(sq->ktail, sq->sqe_tail);
    u32 n = sq->sqe_tail - IO_URING_READ_ONCE(*sq->khead);
    u32 flags = IORING_ENTER_GETEVENTS | IORING_ENTER_EXT_ARG | ENTER_NO_IOWAIT;
    if (ring->enter_ring_fd != ring->ring_fd) flags |= IORING_ENTER_REGISTERED_RING;
    struct io_uring_getevents_arg arg = {.ts = (u64)(uintptr_t)ts};
    u32 wanted = 1;
    if (n_sends >= GATHER_SENDS_MIN) {
        wanted = n_sends + MIN(n_sends, (u32)GATHER_MAX);
        arg.pad = GATHER_US; /* min_wait_usec: from then on one is enough */
    }
    return io_uring_enter2((u32)ring->enter_ring_fd, n, wanted, flags, (void *)&arg, sizeof(arg));
}

static int enter(Uring *u, u64 timeout_ns)
{
    struct io_uring *ring = &u->ring;
    u32 n_sends = TAKE(u->n_sends);
    if (io_uring_cq_ready(ring)) timeout_ns = 0;
    if (!timeout_ns) {
        u32 flags = IO_URING_READ_ONCE(*ring->sq.kflags);
        bool has_work = flags & (IORING_SQ_TASKRUN | IORING_SQ_CQ_OVERFLOW);
        return io_uring_sq_ready(ring) || has_work ? io_uring_submit_and_get_events(ring) : 0;
    }
    bool is_endless = timeout_ns == UINT64_MAX;
    struct __kernel_timespec ts = {
        .tv_sec = (i64)(timeout_ns / 1000000000U),
        .tv_nsec = (i64)(timeout_ns % 1000000000U),
    };
    if (timeout_ns < (u64)2 * GATHER_US * 1000) n_sends = 0;
    if (u->has_no_iowait) return submit_and_wait(u, is_endless ? NULL : &ts, n_sends);
    if (is_endless) return io_uring_submit_and_wait(ring, 1);
    struct io_uring_cqe *cqe;
    return io_uring_submit_and_wait_timeout(ring, &cqe, 1, &ts, NULL);
}

static void uring_wait(Loop *loop, u64 timeout_ns)
{
    Uring *u = loop->io;
    flush_backlog(loop, u);
    if (u->backlog.len || loop->done.len) timeout_ns = 0;
    int rc = enter(u, timeout_ns);
    /* Out of the ordinary but passing: signals, time-out, no memory right now, completions first.
     */
    bool is_passing =
        rc == -EINTR || rc == -ETIME || rc == -EAGAIN || rc == -EBUSY || rc == -ENOMEM;
    ASSERT(rc >= 0 || is_passing);
    loop_update_now(loop);
    Completion batch[BATCH];
    for (u32 done = 0; done < TURN_MAX;) {
        u32 n = take_batch(u, batch);
        if (!n) return;
        for (u32 i = 0; i < n; i++) on_completion(loop, u, &batch[i]);
        done += n;
    }
}

static void uring_forget(Loop *loop, int fd)
{
    (void)loop;
    (void)fd;
}

const LoopBackend loop_uring = {
    .name = "uring",
    .init = uring_init,
    .deinit = uring_deinit,
    .submit = uring_submit,
    .cancel = uring_cancel,
    .cancel_all = uring_cancel_all,
    .wait = uring_wait,
    .forget = uring_forget,
    .bufs_give = uring_bufs_give,
    .bufs_close = uring_bufs_close,
};
