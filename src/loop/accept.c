/* loop/accept.c -- LoopAccept: new connections of a listening socket. */
#include "loop/core.h"

static void on_done(LoopOp *op, i64 res, bool more);

void loop_accept_open(Loop *loop, LoopAccept *a, int fd)
{
    *a = (LoopAccept){.op.fd = fd};
    loop_handle_open(loop, &a->handle, LOOP_ACCEPT);
}

static void arm(LoopAccept *a)
{
    a->op.code = LOOP_OP_ACCEPT_MULTI;
    a->op.on_done = on_done;
    loop_op_start(a->handle.loop, &a->op);
}

/* The client went away again before it was accepted; nobody needs to know. */
static bool is_passing(i64 rc)
{
    return rc == -ECANCELED || rc == -ECONNABORTED || rc == -EPROTO || rc == -EPERM;
}

static void on_done(LoopOp *op, i64 res, bool more)
{
    LoopAccept *a = CONTAINER(LoopAccept, op, op);
    LoopHandle *h = &a->handle;
    Loop *loop = h->loop;
    bool is_active = loop_handle_is_active(h);
    if (res >= 0 && is_active) {
        a->on_accept(a, (i32)res);
        loop_after_callback(loop);
    } else if (res >= 0) {
        /* It came while the stop was under way: to the client we have stopped. */
        (void)sys_close((int)res);
    }
    if (more) return;
    if (loop_handle_is_closing(h)) {
        loop_handle_closed(h);
        return;
    }
    if (res < 0 && is_active && !is_passing(res)) {
        loop_handle_set_active(h, false);
        a->on_accept(a, (i32)res);
        loop_after_callback(loop);
        return;
    }
    if (loop_handle_is_active(h) && op->where == OP_IDLE) arm(a);
}

void loop_accept_start(LoopAccept *a, void (*on_accept)(LoopAccept *a, i32 fd))
{
    ASSERT(!loop_handle_is_closing(&a->handle));
    ASSERT(on_accept);
    a->on_accept = on_accept;
    loop_handle_set_active(&a->handle, true);
    if (a->op.where == OP_IDLE) arm(a);
}

void loop_accept_stop(LoopAccept *a)
{
    loop_handle_set_active(&a->handle, false);
    loop_op_cancel(&a->op);
}

bool loop_accept_shut(LoopHandle *h)
{
    LoopAccept *a = CONTAINER(LoopAccept, handle, h);
    loop_op_cancel(&a->op);
    return a->op.where == OP_IDLE;
}
