/* loop/backend.h -- what a back end supplies.
 *
 * An operation (LoopOp) is given to `submit`, which answers LOOP_QUEUED (its completion will come),
 * LOOP_CANNOT (the caller uses the thread pool), or -errno.  Completions go through
 * loop_op_complete from inside `wait`, or through loop_op_finish_later from anywhere. */
#pragma once

#include "loop/loop.h"

enum { LOOP_QUEUED = 0, LOOP_CANNOT = 1 };

typedef enum {
    LOOP_OP_NONE,
    LOOP_OP_POLL, /* off: events; result: those that hold */
    /* streams */
    LOOP_OP_READ,
    LOOP_OP_WRITE,
    LOOP_OP_WRITEV,
    LOOP_OP_RECV,
    LOOP_OP_SEND,
    LOOP_OP_RECV_MSG,
    LOOP_OP_SEND_MSG,
    LOOP_OP_CONNECT,
    LOOP_OP_ACCEPT_MULTI, /* result: a descriptor, again and again */
    LOOP_OP_RECV_MULTI,   /* buf: LoopBufs; result: count | buffer index << 32, again and again */
    /* files */
    LOOP_OP_PREAD,
    LOOP_OP_PWRITE,
    LOOP_OP_PREADV,
    LOOP_OP_PWRITEV,
    LOOP_OP_OPEN,
    LOOP_OP_CLOSE,
    LOOP_OP_FSYNC,
    LOOP_OP_STAT,
    /* the pool only */
    LOOP_OP_WORK,
} LoopOpCode;

typedef enum {
    OP_IDLE,
    OP_IN_BACKEND,
    OP_IN_POOL, /* queued or running there */
    OP_READY,   /* in loop->done: the descriptor is ready, to be tried */
    OP_DONE,    /* in loop->done: the result is known */
} OpWhere;

enum {
    OP_CANCELLED = 1, /* cancel was asked for */
    OP_WAITED = 2,    /* readiness was waited for (a connect has begun) */
    OP_EMULATED = 4,  /* uring: by readiness */
    OP_SOCKET = 8,    /* RECV_MULTI: recv(2) works on it */
};

typedef struct LoopBackend {
    const char *name;
    /* 0, or -errno when the system has it not. */
    int (*init)(Loop *loop);
    void (*deinit)(Loop *loop);
    int (*submit)(Loop *loop, LoopOp *op);
    /* Makes the last completion of an OP_IN_BACKEND come soon. */
    void (*cancel)(Loop *loop, LoopOp *op);
    void (*cancel_all)(Loop *loop);
    /* Hands queued work to the kernel, waits up to timeout_ns (UINT64_MAX: until something
     * happens), calls loop_update_now, delivers completions. */
    void (*wait)(Loop *loop, u64 timeout_ns);
    /* The descriptor is about to be closed. */
    void (*forget)(Loop *loop, int fd);
    /* The kernel may fill this buffer. */
    void (*bufs_give)(LoopBufs *bufs, u32 idx);
    void (*bufs_close)(LoopBufs *bufs);
} LoopBackend;

extern const LoopBackend loop_uring, loop_epoll;
