/* loop/core.h -- the Loop itself, and what the files of loop/ share. */
#pragma once

#include "loop/backend.h"

enum { NS_PER_MS = 1000000 };

typedef struct {
    LoopOp *first, *last;
    u32 len;
} OpQueue;

typedef struct {
    LoopTimer **at; /* a 4-ary heap */
    u32 len, cap;
    u64 seq;
} TimerHeap;

typedef struct SignalState SignalState;
typedef struct WatchState WatchState;

typedef struct {
    void *data;
    void (*on_stop)(void *data);
    void (*on_free)(void *data);
} Slot;

struct Loop {
    const LoopBackend *backend; /* NULL until an operation needs one */
    void *io;                   /* its state */
    u64 now_ns;
    u32 n_refs;    /* active handles with a ref, requests, loop_ref */
    u32 n_closing; /* handles whose on_close has not run */
    u32 n_ops;     /* operations anywhere, including the two polls of our own */
    u64 n_events;  /* callbacks made */
    bool is_stopped, is_freeing;
    bool is_last;                           /* freeing: only our own polls are left */
    bool is_quiet;                          /* the last turn made no callback */
    bool is_idle_done;                      /* on_idle was called for this quiet time */
    LoopHandle *handles;                    /* all that are open */
    LoopHandle *closed_first, *closed_last; /* ready for on_close */
    OpQueue done;
    TimerHeap timers;
    LoopMail *mail;
    LoopHooks hooks;
    LoopSource source;
    int wake_fd, source_fd;
    LoopOp wake_op, source_op;
    bool is_source_ready;
    u64 source_due_ns, idle_at_ns;
    u64 retry_ns; /* one of our own polls failed: when to try again */
    LoopBufs *bufs;
    SignalState *signals;
    WatchState *watches;
    Slot slots[LOOP_SLOTS];
};

/* What was received by a handle that had been stopped. */
typedef struct LoopHeld LoopHeld;
struct LoopHeld {
    LoopHeld *next;
    u32 len;
    char bytes[];
};

struct LoopBufs {
    Loop *loop;
    char *base;
    u32 size, count;
    u32 *free; /* the ones that we hold ourselves, used last in first out */
    u32 *len;  /* bytes in each that is out */
    u32 n_free, n_side, n_out;
    void *ring; /* uring: registered with the kernel */
    u16 group;
    bool is_side_only; /* uring: registering failed */
    LoopRecv *starved, *starved_last;
    LoopHeld *lent; /* held bytes that somebody has until loop_bufs_give */
};

/* ---- loop.c --------------------------------------------------------------------------------- */
enum { HANDLE_OPEN = 1, HANDLE_ACTIVE = 2, HANDLE_UNREF = 4, HANDLE_CLOSING = 8 };
void loop_handle_open(Loop *loop, LoopHandle *h, LoopHandleType type);
void loop_handle_set_active(LoopHandle *h, bool on);
/* No operation of a closing handle is in flight any more. */
void loop_handle_closed(LoopHandle *h);
void loop_after_callback(Loop *loop);
/* The wake-up descriptor, made if needed; -errno. */
int loop_wake_fd(Loop *loop);

/* What closing means to each type: true when nothing is in flight. */
bool loop_poll_shut(LoopHandle *h);
bool loop_async_shut(LoopHandle *h);
bool loop_accept_shut(LoopHandle *h);
bool loop_recv_shut(LoopHandle *h);
bool loop_signal_shut(LoopHandle *h);
bool loop_child_shut(LoopHandle *h);
bool loop_watch_shut(LoopHandle *h);

/* ---- op.c ----------------------------------------------------------------------------------- */
void loop_queue_push(OpQueue *q, LoopOp *op);
void loop_queue_del(OpQueue *q, LoopOp *op);
LoopOp *loop_queue_pop(OpQueue *q);
void loop_queue_cancel(Loop *loop, OpQueue *q);
/* Starts op->code; op->on_done is called in a later turn. */
void loop_op_start(Loop *loop, LoopOp *op);
void loop_op_cancel(LoopOp *op);
/* Delivers a result; with `more` others will follow. */
void loop_op_complete(LoopOp *op, i64 res, bool more);
/* The last result, delivered in the next round of completions. */
void loop_op_finish_later(LoopOp *op, i64 res);
/* The descriptor of an emulated operation is ready, now or (later) in the next round. */
void loop_op_ready(LoopOp *op);
void loop_op_ready_later(LoopOp *op);
void loop_op_run_done(Loop *loop);
/* Performs it without blocking: the result, or -EAGAIN. */
i64 loop_op_try(LoopOp *op);
/* Performs it, blocking; for the pool. */
i64 loop_op_run(LoopOp *op);
/* Where the answer of a LOOP_OP_STAT goes: a struct statx. */
void *loop_op_statx(LoopOp *op);
/* 0, or -errno when no back end can be had. */
int loop_backend_start(Loop *loop);

/* ---- timer.c -------------------------------------------------------------------------------- */
/* Nanoseconds until the first timer is due, UINT64_MAX without timers. */
u64 loop_timers_wait_ns(const Loop *loop, u64 now_ns);
void loop_timers_run(Loop *loop);

/* ---- mail.c --------------------------------------------------------------------------------- */
LoopMail *loop_mail_new(void);
void loop_mail_set_wake_fd(LoopMail *mail, int fd);
/* Before sleeping: false when something waits in it already. */
bool loop_mail_sleep(LoopMail *mail);
/* Runs what was posted, delivers pool results and rung bells. */
void loop_mail_run(Loop *loop);
void loop_mail_close(Loop *loop);
/* From a pool thread: the result is in op->res. */
void loop_mail_done_mt(LoopMail *mail, LoopOp *op);

/* ---- pool.c --------------------------------------------------------------------------------- */
/* 0, or -EAGAIN when the queue is full or no thread can be had. */
int loop_pool_submit(LoopOp *op);
/* true when it was still queued and is ours again. */
bool loop_pool_cancel(LoopOp *op);
void loop_pool_cancel_all(Loop *loop);

/* ---- bufs.c --------------------------------------------------------------------------------- */
/* An index, or -ENOBUFS. */
i64 loop_bufs_take(LoopBufs *bufs);
/* A handle that was woken for a buffer may have no use for it any more: others get their turn. */
void loop_bufs_wake(LoopBufs *bufs);
/* `held` belongs to whoever is given its bytes. */
void loop_bufs_lend(LoopBufs *bufs, LoopHeld *held);
/* A receive found none: false when it has to wait for one to come back. */
bool loop_bufs_refill(LoopBufs *bufs);
char *loop_bufs_at(const LoopBufs *bufs, u32 idx);
void loop_bufs_release_idle(LoopBufs *bufs);
void loop_recv_rearm(LoopRecv *r);

/* ---- signal.c, watch.c ---------------------------------------------------------------------- */
void loop_signals_run(Loop *loop);
