/* loop/req.c -- one-shot requests. */
#include "loop/core.h"

#include <string.h>

static bool moves_everything(const LoopOp *op)
{
    switch ((LoopOpCode)op->code) {
    case LOOP_OP_WRITE:
    case LOOP_OP_WRITEV:
    case LOOP_OP_SEND: return true;
    case LOOP_OP_SEND_MSG: return op->off; /* set by loop_req_sendv */
    default: return false;
    }
}

/* Moves the start of a vector `n` bytes on; returns whether something is left. */
static bool skip_iov(struct iovec **iov, usize *n_iov, usize n)
{
    while (*n_iov && n >= (*iov)->iov_len) {
        n -= (*iov)->iov_len;
        (*iov)++;
        (*n_iov)--;
    }
    if (!*n_iov) return false;
    (*iov)->iov_base = (char *)(*iov)->iov_base + n;
    (*iov)->iov_len -= n;
    return true;
}

/* After `n` bytes were moved; returns whether something is left. */
static bool advance(LoopReq *req, u32 n)
{
    LoopOp *op = &req->op;
    if (op->code == LOOP_OP_WRITE || op->code == LOOP_OP_SEND) {
        ASSERT(n <= op->len);
        op->buf = (char *)op->buf + n;
        op->len -= n;
        return op->len;
    }
    if (op->code == LOOP_OP_SEND_MSG) return skip_iov(&req->msg.msg_iov, &req->msg.msg_iovlen, n);
    struct iovec *iov = op->buf;
    usize n_iov = op->len;
    bool is_left = skip_iov(&iov, &n_iov, n);
    op->buf = iov;
    op->len = (u32)n_iov;
    return is_left;
}

static void on_done(LoopOp *op, i64 res, bool more)
{
    (void)more;
    LoopReq *req = CONTAINER(LoopReq, op, op);
    Loop *loop = op->loop;
    if (moves_everything(op) && res >= 0) {
        req->n_done += res;
        bool was_cancelled = op->flags & OP_CANCELLED;
        if (advance(req, (u32)res)) {
            /* Nothing moved although something was left: no descriptor does that, but a loop would.
             */
            if (res > 0 && !was_cancelled) {
                loop_op_start(loop, op);
                return;
            }
            res = was_cancelled ? -ECANCELED : -EIO;
        } else {
            res = req->n_done;
        }
    }
    loop_unref(loop);
    req->on_done(req, res);
    loop_after_callback(loop);
}

static void start(Loop *loop, LoopReq *req, LoopOp op)
{
    ASSERT(req->on_done);
    ASSERT(req->op.where == OP_IDLE);
    req->op = op;
    req->op.on_done = on_done;
    req->n_done = 0;
    loop_ref(loop);
    loop_op_start(loop, &req->op);
}

static void *unconst(const void *p)
{
    return (void *)(uintptr_t)p;
}

void loop_req_read(Loop *loop, LoopReq *req, int fd, void *buf, u32 len)
{
    start(loop, req, (LoopOp){.code = LOOP_OP_READ, .fd = fd, .buf = buf, .len = len});
}

void loop_req_write(Loop *loop, LoopReq *req, int fd, const void *data, u32 len)
{
    start(loop, req, (LoopOp){.code = LOOP_OP_WRITE, .fd = fd, .buf = unconst(data), .len = len});
}

void loop_req_writev(Loop *loop, LoopReq *req, int fd, struct iovec *iov, u32 n_iov)
{
    start(loop, req, (LoopOp){.code = LOOP_OP_WRITEV, .fd = fd, .buf = iov, .len = n_iov});
}

void loop_req_recv(Loop *loop, LoopReq *req, int fd, void *buf, u32 len)
{
    start(loop, req, (LoopOp){.code = LOOP_OP_RECV, .fd = fd, .buf = buf, .len = len});
}

void loop_req_send(Loop *loop, LoopReq *req, int fd, const void *data, u32 len)
{
    start(loop, req, (LoopOp){.code = LOOP_OP_SEND, .fd = fd, .buf = unconst(data), .len = len});
}

void loop_req_sendv(Loop *loop, LoopReq *req, int fd, struct iovec *iov, u32 n_iov)
{
    req->msg = (LoopMsg){.msg_iov = iov, .msg_iovlen = n_iov};
    start(loop, req, (LoopOp){.code = LOOP_OP_SEND_MSG, .fd = fd, .buf = &req->msg, .off = 1});
}

void loop_req_send_msg(Loop *loop, LoopReq *req, int fd, LoopMsg *msg)
{
    start(loop, req, (LoopOp){.code = LOOP_OP_SEND_MSG, .fd = fd, .buf = msg});
}

void loop_req_recv_msg(Loop *loop, LoopReq *req, int fd, LoopMsg *msg)
{
    start(loop, req, (LoopOp){.code = LOOP_OP_RECV_MSG, .fd = fd, .buf = msg});
}

void loop_req_connect(Loop *loop, LoopReq *req, int fd, const SysAddr *addr)
{
    start(loop, req, (LoopOp){.code = LOOP_OP_CONNECT, .fd = fd, .buf = unconst(addr)});
}

void loop_req_pread(Loop *loop, LoopReq *req, int fd, void *buf, u32 len, u64 off)
{
    start(loop, req, (LoopOp){.code = LOOP_OP_PREAD, .fd = fd, .buf = buf, .len = len, .off = off});
}

void loop_req_pwrite(Loop *loop, LoopReq *req, int fd, const void *data, u32 len, u64 off)
{
    start(loop, req,
          (LoopOp){.code = LOOP_OP_PWRITE, .fd = fd, .buf = unconst(data), .len = len, .off = off});
}

void loop_req_preadv(Loop *loop, LoopReq *req, int fd, const struct iovec *iov, u32 n_iov, u64 off)
{
    start(
        loop, req,
        (LoopOp){.code = LOOP_OP_PREADV, .fd = fd, .buf = unconst(iov), .len = n_iov, .off = off});
}

void loop_req_pwritev(Loop *loop, LoopReq *req, int fd, const struct iovec *iov, u32 n_iov, u64 off)
{
    start(
        loop, req,
        (LoopOp){.code = LOOP_OP_PWRITEV, .fd = fd, .buf = unconst(iov), .len = n_iov, .off = off});
}

void loop_req_open(Loop *loop, LoopReq *req, const char *path, int flags, u32 mode)
{
    u64 off = (u64)mode << 32 | (u32)flags;
    start(loop, req, (LoopOp){.code = LOOP_OP_OPEN, .fd = -1, .buf = unconst(path), .off = off});
}

void loop_req_close(Loop *loop, LoopReq *req, int fd)
{
    if (loop->backend) loop->backend->forget(loop, fd);
    start(loop, req, (LoopOp){.code = LOOP_OP_CLOSE, .fd = fd});
}

void loop_req_fsync(Loop *loop, LoopReq *req, int fd, bool data_only)
{
    start(loop, req, (LoopOp){.code = LOOP_OP_FSYNC, .fd = fd, .off = data_only});
}

void loop_req_stat(Loop *loop, LoopStat *stat, const char *path, int flags)
{
    start(loop, &stat->req,
          (LoopOp){.code = LOOP_OP_STAT, .fd = -1, .buf = unconst(path), .off = (u32)flags});
}

void *loop_op_statx(LoopOp *op)
{
    return CONTAINER(LoopStat, req.op, op)->statx;
}

void loop_stat_get(const LoopStat *stat, SysStat *ret)
{
    sys_stat_from_statx(stat->statx, ret);
}

void loop_req_work(Loop *loop, LoopReq *req, i64 (*work)(LoopReq *req))
{
    ASSERT(work);
    req->work = work;
    start(loop, req, (LoopOp){.code = LOOP_OP_WORK, .fd = -1});
}

void loop_req_cancel(LoopReq *req)
{
    loop_op_cancel(&req->op);
}

bool loop_req_is_pending(const LoopReq *req)
{
    return req->op.where != OP_IDLE;
}
