/* loop/child.c -- LoopChild: child processes, awaited through their pidfd. */
#include "loop/core.h"

static void on_done(LoopOp *op, i64 res, bool more);

void loop_child_open(Loop *loop, LoopChild *c)
{
    *c = (LoopChild){.pidfd = -1};
    loop_handle_open(loop, &c->handle, LOOP_CHILD);
}

static void arm(LoopChild *c)
{
    c->op.fd = c->pidfd;
    c->op.code = LOOP_OP_POLL;
    c->op.off = LOOP_READABLE;
    c->op.on_done = on_done;
    loop_op_start(c->handle.loop, &c->op);
}

static void drop_pidfd(LoopChild *c)
{
    (void)loop_fd_close(c->handle.loop, c->pidfd);
    c->pidfd = -1;
}

static void on_done(LoopOp *op, i64 res, bool more)
{
    (void)more;
    LoopChild *c = CONTAINER(LoopChild, op, op);
    LoopHandle *h = &c->handle;
    Loop *loop = h->loop;
    if (loop_handle_is_closing(h)) {
        drop_pidfd(c);
        loop_handle_closed(h);
        return;
    }
    SysExit e = {0};
    int rc = res < 0 ? (int)res : sys_child_wait(c->pidfd, false, &e);
    if (rc == 0) {
        arm(c);
        return;
    }
    /* Somebody else has reaped it: nothing is known but that it has ended. */
    if (rc < 0) e = (SysExit){0};
    drop_pidfd(c);
    loop_handle_set_active(h, false);
    c->on_exit(c, &e);
    loop_after_callback(loop);
}

int loop_child_start(LoopChild *c, const SysSpawn *spec,
                     void (*on_exit)(LoopChild *c, const SysExit *e))
{
    ASSERT(!loop_handle_is_closing(&c->handle));
    ASSERT(!loop_handle_is_active(&c->handle));
    ASSERT(on_exit);
    int rc = sys_spawn(spec, &c->pid, &c->pidfd);
    if (rc < 0) return rc;
    c->on_exit = on_exit;
    loop_handle_set_active(&c->handle, true);
    arm(c);
    return 0;
}

int loop_child_kill(LoopChild *c, int signo)
{
    return c->pidfd < 0 ? -ESRCH : sys_pidfd_kill(c->pidfd, signo);
}

bool loop_child_shut(LoopHandle *h)
{
    LoopChild *c = CONTAINER(LoopChild, handle, h);
    loop_op_cancel(&c->op);
    bool is_idle = c->op.where == OP_IDLE;
    if (is_idle) drop_pidfd(c);
    return is_idle;
}
