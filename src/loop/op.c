/* loop/op.c -- the life of an operation: to the back end or the pool, and back.
 *
 * Operations that a back end does not know by itself are emulated by readiness: it waits until the
 * descriptor is ready, then loop_op_ready tries the system call, and waits again on -EAGAIN. */
#include "loop/core.h"

#include <limits.h>
#include <string.h>

enum {
    MULTI_ROUNDS_MAX = 16,         /* tries of one ready descriptor before others get their turn */
    BLOCKING_WRITE_MAX = PIPE_BUF, /* what a blocking pipe that is writable takes for sure */
};

/* ---- Queues --------------------------------------------------------------------------------- */

void loop_queue_push(OpQueue *q, LoopOp *op)
{
    op->next = NULL;
    op->prev = q->last;
    if (q->last)
        q->last->next = op;
    else
        q->first = op;
    q->last = op;
    q->len++;
}

void loop_queue_del(OpQueue *q, LoopOp *op)
{
    ASSERT(q->len);
    if (op->prev)
        op->prev->next = op->next;
    else
        q->first = op->next;
    if (op->next)
        op->next->prev = op->prev;
    else
        q->last = op->prev;
    op->prev = op->next = NULL;
    q->len--;
}

LoopOp *loop_queue_pop(OpQueue *q)
{
    LoopOp *op = q->first;
    if (op) loop_queue_del(q, op);
    return op;
}

/* All but the loop's own. */
void loop_queue_cancel(Loop *loop, OpQueue *q)
{
    LoopOp *next;
    for (LoopOp *op = q->first; op; op = next) {
        next = op->next;
        if (op != &loop->wake_op && op != &loop->source_op) loop_op_cancel(op);
    }
}

/* ---- Start, cancel, finish ------------------------------------------------------------------ */

static void submit(LoopOp *op)
{
    Loop *loop = op->loop;
    int rc = LOOP_CANNOT;
    if (op->code != LOOP_OP_WORK) {
        rc = loop_backend_start(loop);
        if (rc == 0) {
            op->where = OP_IN_BACKEND;
            rc = loop->backend->submit(loop, op);
        }
    }
    if (rc == LOOP_CANNOT) {
        op->where = OP_IN_POOL;
        rc = loop_pool_submit(op);
    }
    if (rc < 0) loop_op_finish_later(op, rc);
}

void loop_op_start(Loop *loop, LoopOp *op)
{
    ASSERT(op->where == OP_IDLE);
    ASSERT(op->code != LOOP_OP_NONE);
    op->loop = loop;
    op->flags &= (u8) ~(OP_CANCELLED | OP_WAITED | OP_EMULATED);
    loop->n_ops++;
    submit(op);
}

void loop_op_cancel(LoopOp *op)
{
    switch (op->where) {
    case OP_IN_BACKEND:
        if (op->flags & OP_CANCELLED) return;
        op->flags |= OP_CANCELLED;
        op->loop->backend->cancel(op->loop, op);
        return;
    case OP_IN_POOL:
        if (loop_pool_cancel(op)) loop_op_finish_later(op, -ECANCELED);
        return;
    case OP_READY: op->flags |= OP_CANCELLED; return;
    default: return;
    }
}

void loop_op_complete(LoopOp *op, i64 res, bool more)
{
    if (!more) {
        ASSERT(op->loop->n_ops);
        op->loop->n_ops--;
        op->where = OP_IDLE;
    }
    op->on_done(op, res, more);
}

void loop_op_finish_later(LoopOp *op, i64 res)
{
    op->where = OP_DONE;
    op->res = res;
    loop_queue_push(&op->loop->done, op);
}

void loop_op_ready_later(LoopOp *op)
{
    op->where = OP_READY;
    loop_queue_push(&op->loop->done, op);
}

void loop_op_run_done(Loop *loop)
{
    OpQueue batch = loop->done;
    loop->done = (OpQueue){0};
    LoopOp *op;
    while ((op = loop_queue_pop(&batch))) {
        if (op->where == OP_READY)
            loop_op_ready(op);
        else
            loop_op_complete(op, op->res, false);
    }
}

static bool is_multi(const LoopOp *op)
{
    return op->code == LOOP_OP_ACCEPT_MULTI || op->code == LOOP_OP_RECV_MULTI;
}

void loop_op_ready(LoopOp *op)
{
    op->where = OP_READY;
    op->flags |= OP_WAITED;
    for (u32 i = 0; i < MULTI_ROUNDS_MAX && !(op->flags & OP_CANCELLED); i++) {
        i64 res = loop_op_try(op);
        if (res == -EAGAIN) break;
        if (!is_multi(op) || res < 0 || (op->code == LOOP_OP_RECV_MULTI && !res)) {
            loop_op_complete(op, res, false);
            return;
        }
        /* A buffer that was not filled has emptied the descriptor. */
        bool is_drained = op->code == LOOP_OP_RECV_MULTI && (u32)res < ((LoopBufs *)op->buf)->size;
        loop_op_complete(op, res, true);
        if (is_drained) break;
    }
    if (op->flags & OP_CANCELLED)
        loop_op_complete(op, -ECANCELED, false);
    else
        submit(op);
}

/* ---- Performing ----------------------------------------------------------------------------- */

static i64 try_write(LoopOp *op)
{
    int rc = sys_is_nonblock(op->fd);
    if (rc < 0) return rc;
    usize max = rc ? UINT32_MAX : BLOCKING_WRITE_MAX;
    if (!rc && !(op->flags & OP_WAITED)) return -EAGAIN;
    if (op->code == LOOP_OP_WRITE) return sys_write(op->fd, op->buf, MIN(op->len, max));
    const struct iovec *iov = op->buf;
    if (rc) return sys_writev(op->fd, iov, op->len);
    return sys_write(op->fd, iov->iov_base, MIN(iov->iov_len, max));
}

static i64 try_connect(LoopOp *op)
{
    if (op->flags & OP_WAITED) return sys_socket_error(op->fd);
    int rc = sys_connect(op->fd, op->buf);
    return rc == -EINPROGRESS ? -EAGAIN : rc;
}

static bool is_passing_accept_error(i64 rc)
{
    return rc == -ECONNABORTED || rc == -EPROTO || rc == -EPERM;
}

static i64 try_accept(LoopOp *op)
{
    i64 rc = sys_accept(op->fd, NULL);
    return is_passing_accept_error(rc) ? -EAGAIN : rc;
}

static i64 try_recv_multi(LoopOp *op)
{
    LoopBufs *bufs = op->buf;
    i64 idx = loop_bufs_take(bufs);
    if (idx < 0) return idx;
    char *p = loop_bufs_at(bufs, (u32)idx);
    i64 n = op->flags & OP_SOCKET ? sys_recv(op->fd, p, bufs->size, 0)
                                  : sys_read(op->fd, p, bufs->size);
    if (n > 0) return n | idx << 32;
    loop_bufs_give(bufs, p);
    /* A terminal whose other side is gone. */
    return n == -EIO && sys_tty_is(op->fd) ? 0 : n;
}

i64 loop_op_try(LoopOp *op)
{
    switch ((LoopOpCode)op->code) {
    case LOOP_OP_READ: return sys_read(op->fd, op->buf, op->len);
    case LOOP_OP_WRITE:
    case LOOP_OP_WRITEV: return try_write(op);
    case LOOP_OP_RECV: return sys_recv(op->fd, op->buf, op->len, 0);
    case LOOP_OP_SEND: return sys_send(op->fd, op->buf, op->len, 0);
    case LOOP_OP_RECV_MSG: return sys_recv_msg(op->fd, op->buf, 0);
    case LOOP_OP_SEND_MSG: return sys_send_msg(op->fd, op->buf, 0);
    case LOOP_OP_CONNECT: return try_connect(op);
    case LOOP_OP_ACCEPT_MULTI: return try_accept(op);
    case LOOP_OP_RECV_MULTI: return try_recv_multi(op);
    default: BUG("an operation that readiness cannot emulate");
    }
}

static i64 run_file(LoopOp *op)
{
    bool has_off = op->off != UINT64_MAX;
    switch ((LoopOpCode)op->code) {
    case LOOP_OP_PREAD:
        if (has_off) return sys_pread(op->fd, op->buf, op->len, op->off);
        return sys_read(op->fd, op->buf, op->len);
    case LOOP_OP_PWRITE:
        if (has_off) return sys_pwrite(op->fd, op->buf, op->len, op->off);
        return sys_write(op->fd, op->buf, op->len);
    case LOOP_OP_PREADV:
        if (has_off) return sys_preadv(op->fd, op->buf, op->len, op->off);
        return sys_readv(op->fd, op->buf, op->len);
    case LOOP_OP_PWRITEV:
        if (has_off) return sys_pwritev(op->fd, op->buf, op->len, op->off);
        return sys_writev(op->fd, op->buf, op->len);
    default: BUG("an operation that the pool does not know");
    }
}

i64 loop_op_run(LoopOp *op)
{
    LoopReq *req = CONTAINER(LoopReq, op, op);
    switch ((LoopOpCode)op->code) {
    case LOOP_OP_WORK: return req->work(req);
    case LOOP_OP_OPEN: return sys_open(str_z(op->buf), (int)(u32)op->off, (u32)(op->off >> 32));
    case LOOP_OP_CLOSE: return sys_close(op->fd);
    case LOOP_OP_FSYNC: return op->off ? sys_fdatasync(op->fd) : sys_fsync(op->fd);
    case LOOP_OP_STAT: return sys_statx(op->buf, (int)op->off, loop_op_statx(op));
    /* Streams that turn out to be regular files. */
    case LOOP_OP_READ: return sys_read(op->fd, op->buf, op->len);
    case LOOP_OP_WRITE: return sys_write(op->fd, op->buf, op->len);
    case LOOP_OP_WRITEV: return sys_writev(op->fd, op->buf, op->len);
    default: return run_file(op);
    }
}
