/* loop/poll.c -- LoopPoll: readiness of a descriptor.
 *
 * Each wait is a one-shot operation that is started again after the callback; starting it looks at
 * the descriptor anew, so the result is level-triggered in both back ends, and the restart rides
 * along with the next wait. */
#include "loop/core.h"

static void on_done(LoopOp *op, i64 res, bool more);

static LoopPoll *poll_of(LoopOp *op)
{
    return CONTAINER(LoopPoll, op, op);
}

static void arm(LoopPoll *p)
{
    p->op.code = LOOP_OP_POLL;
    p->op.off = p->events;
    p->op.on_done = on_done;
    loop_op_start(p->handle.loop, &p->op);
}

static void on_done(LoopOp *op, i64 res, bool more)
{
    (void)more;
    LoopPoll *p = poll_of(op);
    LoopHandle *h = &p->handle;
    Loop *loop = h->loop;
    if (loop_handle_is_closing(h)) {
        loop_handle_closed(h);
        return;
    }
    if (!loop_handle_is_active(h)) return;
    u32 wanted = p->events | LOOP_ERROR | LOOP_HANGUP;
    i32 events = res < 0 ? (i32)res : (i32)((u32)res & wanted);
    bool is_stale = res == -ECANCELED || !events; /* restarted with other events meanwhile */
    if (is_stale) {
        arm(p);
        return;
    }
    if (res < 0) loop_handle_set_active(h, false);
    p->on_poll(p, events);
    /* The callback may have stopped or closed it; then the operation is idle already. */
    if (loop_handle_is_active(h) && op->where == OP_IDLE) arm(p);
    loop_after_callback(loop);
}

void loop_poll_open(Loop *loop, LoopPoll *p, int fd)
{
    *p = (LoopPoll){.op.fd = fd};
    loop_handle_open(loop, &p->handle, LOOP_POLL);
}

void loop_poll_start(LoopPoll *p, u32 events, void (*on_poll)(LoopPoll *p, i32 events))
{
    ASSERT(p->handle.state == HANDLE_OPEN || !loop_handle_is_closing(&p->handle));
    ASSERT(events);
    bool is_same = p->events == events;
    p->events = events;
    p->on_poll = on_poll;
    loop_handle_set_active(&p->handle, true);
    if (p->op.where == OP_IDLE)
        arm(p);
    else if (!is_same)
        loop_op_cancel(&p->op);
}

void loop_poll_stop(LoopPoll *p)
{
    loop_handle_set_active(&p->handle, false);
    loop_op_cancel(&p->op);
}

bool loop_poll_shut(LoopHandle *h)
{
    LoopPoll *p = CONTAINER(LoopPoll, handle, h);
    loop_op_cancel(&p->op);
    return p->op.where == OP_IDLE;
}
