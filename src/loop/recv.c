/* loop/recv.c -- LoopRecv: receiving into buffers that the loop provides.
 *
 * While the handle is stopped, completions that were on their way still arrive; their bytes are
 * copied into a chain on the heap and delivered after the next start, so that no byte is lost and
 * connections that wait for long keep no buffer from those that do not. */
#include "loop/core.h"

#include "util/mem.h"

#include <string.h>

static void on_done(LoopOp *op, i64 res, bool more);
static void on_held(LoopOp *op, i64 res, bool more);

enum { NO_END = 1 };

void loop_recv_open(Loop *loop, LoopRecv *r, int fd, LoopBufs *bufs)
{
    *r = (LoopRecv){.bufs = bufs ? bufs : loop_bufs_default(loop), .held_end = NO_END};
    r->op.fd = fd;
    SysStat st;
    if (sys_fstat(fd, &st) == 0 && S_ISSOCK(st.mode)) r->op.flags = OP_SOCKET;
    loop_handle_open(loop, &r->handle, LOOP_RECV);
}

static bool has_held(const LoopRecv *r)
{
    return r->held_first || r->held_end != NO_END;
}

void loop_recv_rearm(LoopRecv *r)
{
    bool is_idle = r->op.where == OP_IDLE && r->held_op.where == OP_IDLE;
    if (!loop_handle_is_active(&r->handle) || !is_idle || r->is_starved) return;
    if (has_held(r)) {
        /* Delivered from the loop, not from inside loop_recv_start. */
        r->held_op.on_done = on_held;
        r->held_op.loop = r->handle.loop;
        r->handle.loop->n_ops++;
        loop_op_finish_later(&r->held_op, 0);
        return;
    }
    r->op.code = LOOP_OP_RECV_MULTI;
    r->op.buf = r->bufs;
    r->op.on_done = on_done;
    loop_op_start(r->handle.loop, &r->op);
}

static void starve(LoopRecv *r)
{
    LoopBufs *b = r->bufs;
    r->is_starved = true;
    r->next_starved = NULL;
    if (b->starved_last)
        b->starved_last->next_starved = r;
    else
        b->starved = r;
    b->starved_last = r;
}

static void unstarve(LoopRecv *gone)
{
    LoopBufs *b = gone->bufs;
    LoopRecv *r = gone->is_starved ? b->starved : NULL;
    if (!r) return;
    b->starved = b->starved_last = NULL;
    for (LoopRecv *next; r; r = next) {
        next = r->next_starved;
        r->is_starved = false;
        if (r != gone) starve(r);
    }
}

static void hold(LoopRecv *r, u32 idx)
{
    LoopBufs *b = r->bufs;
    u32 len = b->len[idx];
    LoopHeld *held = mem_new(sizeof(LoopHeld) + len);
    held->len = len;
    memcpy(held->bytes, loop_bufs_at(b, idx), len);
    loop_bufs_give(b, loop_bufs_at(b, idx));
    if (r->held_last)
        r->held_last->next = held;
    else
        r->held_first = held;
    r->held_last = held;
}

static LoopHeld *take_held(LoopRecv *r)
{
    LoopHeld *held = r->held_first;
    r->held_first = held->next;
    if (!r->held_first) r->held_last = NULL;
    return held;
}

static void finish_closing(LoopRecv *r)
{
    if (r->op.where == OP_IDLE && r->held_op.where == OP_IDLE) loop_handle_closed(&r->handle);
}

/* End of stream or an error: the handle stops. */
static void deliver_end(LoopRecv *r, i32 res)
{
    Loop *loop = r->handle.loop;
    loop_handle_set_active(&r->handle, false);
    r->on_recv(r, res, NULL);
    loop_after_callback(loop);
}

static void deliver(LoopRecv *r, u32 idx)
{
    Loop *loop = r->handle.loop;
    r->on_recv(r, (i32)r->bufs->len[idx], loop_bufs_at(r->bufs, idx));
    loop_after_callback(loop);
}

static void deliver_held(LoopRecv *r)
{
    Loop *loop = r->handle.loop;
    LoopHeld *held = take_held(r);
    loop_bufs_lend(r->bufs, held);
    r->on_recv(r, (i32)held->len, held->bytes);
    loop_after_callback(loop);
}

static void on_data(LoopRecv *r, u32 idx, u32 len)
{
    r->bufs->len[idx] = len;
    if (loop_handle_is_closing(&r->handle))
        loop_bufs_give(r->bufs, loop_bufs_at(r->bufs, idx));
    else if (loop_handle_is_active(&r->handle) && !has_held(r))
        deliver(r, idx);
    else
        hold(r, idx);
}

static void receive_over(LoopRecv *r, i64 res)
{
    LoopHandle *h = &r->handle;
    if (loop_handle_is_closing(h)) {
        finish_closing(r);
        return;
    }
    /* One that is stopped must not take the turn of one that waits. */
    if (res == -ENOBUFS && loop_handle_is_active(h) && !loop_bufs_refill(r->bufs)) starve(r);
    bool is_end = res <= 0 && res != -ECANCELED && res != -ENOBUFS;
    if (is_end && loop_handle_is_active(h) && !has_held(r))
        deliver_end(r, (i32)res);
    else if (is_end)
        r->held_end = (i32)res;
    else
        loop_recv_rearm(r);
}

static void on_done(LoopOp *op, i64 res, bool more)
{
    LoopRecv *r = CONTAINER(LoopRecv, op, op);
    LoopBufs *b = r->bufs;
    u32 len = (u32)res;
    if (res > 0) on_data(r, (u32)(res >> 32), len);
    if (more) return;
    receive_over(r, res);
    /* -ENOBUFS says that there is none to be had. */
    if (res != -ENOBUFS) loop_bufs_wake(b);
}

static void on_held(LoopOp *op, i64 res, bool more)
{
    (void)res;
    (void)more;
    LoopRecv *r = CONTAINER(LoopRecv, held_op, op);
    LoopHandle *h = &r->handle;
    while (r->held_first && loop_handle_is_active(h)) deliver_held(r);
    if (loop_handle_is_closing(h)) {
        finish_closing(r);
        return;
    }
    if (!loop_handle_is_active(h)) return;
    if (r->held_end != NO_END) {
        i32 end = r->held_end;
        r->held_end = NO_END;
        deliver_end(r, end);
        return;
    }
    loop_recv_rearm(r);
}

void loop_recv_start(LoopRecv *r, void (*on_recv)(LoopRecv *r, i32 n, char *p))
{
    ASSERT(!loop_handle_is_closing(&r->handle));
    ASSERT(on_recv);
    r->on_recv = on_recv;
    loop_handle_set_active(&r->handle, true);
    loop_recv_rearm(r);
}

void loop_recv_stop(LoopRecv *r)
{
    loop_handle_set_active(&r->handle, false);
    unstarve(r);
    loop_op_cancel(&r->op);
}

bool loop_recv_shut(LoopHandle *h)
{
    LoopRecv *r = CONTAINER(LoopRecv, handle, h);
    unstarve(r);
    loop_op_cancel(&r->op);
    while (r->held_first) mem_free(take_held(r));
    return r->op.where == OP_IDLE && r->held_op.where == OP_IDLE;
}
