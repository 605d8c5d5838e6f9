/* loop/loop.h -- the event loop: handles, requests, and work from other threads.
 *
 * A Loop belongs to the thread that runs it; only functions whose names end in _mt may be called
 * from elsewhere.  Two kinds of things live in it, both embedded in the caller's structs (CONTAINER
 * gets back to them):
 *
 *  - Handles live long: x_open once, x_start / x_stop any number of times, loop_handle_close once.
 * The memory may be reused from on_close on, which runs in a later turn.  A handle that is active
 * and not unref'd keeps loop_run going.
 *  - Requests (LoopReq) are one shot: set on_done, start, and on_done is called exactly once, in a
 * later turn, never from inside the call that starts it; failures come the same way.  The request
 * and the buffers, paths and addresses it was given must stay until then.
 *
 * One turn of the loop: completions and posted work, timers that are due, the check hook, on_close
 * callbacks.  The clock is read once a turn.
 *
 * Nothing exists before it is needed: no descriptor, ring or thread for a loop that only runs
 * timers. The back end (io_uring, or epoll with the thread pool) is picked when the first operation
 * needs one; the environment variable COB_IO=uring|epoll forces it.  Both behave the same.
 *
 * Descriptors that were given to the loop must be closed with loop_fd_close (or loop_req_close),
 * after their handles and requests are done. */
#pragma once

#include "sys/sys.h"
#include "util/base.h"
#include "util/str.h"

typedef struct Loop Loop;
typedef struct LoopHandle LoopHandle;
typedef struct LoopReq LoopReq;
typedef struct LoopBufs LoopBufs;
typedef struct LoopMail LoopMail;

enum {
    LOOP_TIMERS_MAX = 1 << 24,     /* then loop_timer_start ends the process: a leak for certain */
    LOOP_POOL_QUEUE_MAX = 1 << 20, /* then requests that need the pool fail with -EAGAIN */
    LOOP_POSTS_MAX = 1 << 20,      /* then loop_post_mt returns -EAGAIN */
    LOOP_WATCH_DIRS_MAX = 1 << 16, /* of one recursive watch; then -ENOSPC */
    LOOP_IDLE_AFTER_MS = 1000,     /* without any event, before on_idle is called */
    LOOP_IDLE_EVERY_MS = 10000,    /* at most that often */
    LOOP_POOL_IDLE_MS = 10000,     /* a pool thread without work ends */
};

/* ---- The loop ------------------------------------------------------------------------------- */

/* Never NULL; makes no system call. */
Loop *loop_new(void);
/* Closes what is still open and cancels every request (their callbacks run), runs what was posted,
 * waits for pool work in progress, frees.  Calls no hook and not the source.  NULL is fine. */
void loop_free(Loop *loop);

typedef enum {
    LOOP_RUN,        /* until nothing keeps it alive or loop_stop */
    LOOP_RUN_ONCE,   /* one turn, waiting if there is something to wait for */
    LOOP_RUN_NOWAIT, /* one turn without waiting */
} LoopMode;
/* Returns whether it is still alive. */
bool loop_run(Loop *loop, LoopMode mode);
/* loop_run returns after the current turn. */
void loop_stop(Loop *loop);
void loop_stop_mt(Loop *loop);
bool loop_is_alive(const Loop *loop);
/* One more (less) reason to stay alive that is no handle: pending immediates, promises, ... */
void loop_ref(Loop *loop);
void loop_unref(Loop *loop);
/* The monotonic clock as it was when this turn began. */
u64 loop_now_ms(const Loop *loop);
u64 loop_now_ns(const Loop *loop);
void loop_update_now(Loop *loop);
/* "uring", "epoll", or "none" while there is no need for either. */
const char *loop_backend_name(const Loop *loop);

typedef struct {
    void *ctx;
    /* After every single callback that the loop makes (not after these hooks): drain ticks here. */
    void (*after_callback)(void *ctx);
    /* Once a turn, after the timers: run immediates here. */
    void (*on_check)(void *ctx);
    /* Asked before a wait: true when the next turn must not sleep (immediates are pending). */
    bool (*has_work)(void *ctx);
    /* Nothing happened for LOOP_IDLE_AFTER_MS and nothing is due soon: give memory back.  Called
     * once, then the process sleeps until there is an event. */
    void (*on_idle)(void *ctx);
} LoopHooks;
/* Any member may be NULL. */
void loop_set_hooks(Loop *loop, LoopHooks hooks);

/* A run loop of somebody else (the engine's) that shares our wait. */
typedef struct {
    void *ctx;
    /* Before a wait: returns how many milliseconds it may sleep (-1 without limit, 0 when it has
     * work now) and sets *ret_fd to what to poll for reading, or leaves it at -1. */
    i32 (*prepare)(void *ctx, int *ret_fd);
    /* After a wait, if the descriptor is readable or the time is up. */
    void (*dispatch)(void *ctx);
} LoopSource;
/* There is one at most; a zero struct removes it.  It does not keep the loop alive. */
void loop_set_source(Loop *loop, LoopSource source);

/* What a layer above keeps for each loop.  loop_free calls on_stop first, while everything still
 * works, so that the layer closes what it has open, and on_free last. */
typedef enum { LOOP_SLOT_NET, LOOP_SLOT_HTTP, LOOP_SLOT_FETCH, LOOP_SLOTS } LoopSlot;
void *loop_slot_find(const Loop *loop, LoopSlot slot); /* NULL: nothing is there */
/* Once for a slot.  on_stop may be NULL. */
void loop_slot_put(Loop *loop, LoopSlot slot, void *data, void (*on_stop)(void *data),
                   void (*on_free)(void *data));

/* ---- From other threads --------------------------------------------------------------------- */

/* Runs fn(data) on the loop's thread in order of posting.  Does not keep the loop alive.  What is
 * still queued when the loop is freed runs then.  Returns 0, or -EAGAIN beyond LOOP_POSTS_MAX.  The
 * loop must exist: if that is not sure, use a LoopMail. */
int loop_post_mt(Loop *loop, void (*fn)(void *data), void *data);
/* The loop's address for threads that may outlive it.  Counted: +1 for the caller; on the loop's
 * thread only. */
LoopMail *loop_mail(Loop *loop);
void loop_mail_ref_mt(LoopMail *mail);
LoopMail *loop_mail_unref_mt(LoopMail *mail);
/* As loop_post_mt, or -ESHUTDOWN when the loop is gone; then fn will not run. */
int loop_mail_post_mt(LoopMail *mail, void (*fn)(void *data), void *data);

/* ---- Handles -------------------------------------------------------------------------------- */

typedef enum {
    LOOP_TIMER = 1,
    LOOP_POLL,
    LOOP_ASYNC,
    LOOP_ACCEPT,
    LOOP_RECV,
    LOOP_SIGNAL,
    LOOP_CHILD,
    LOOP_WATCH,
} LoopHandleType;

/* The first member of every handle; all fields are the loop's. */
struct LoopHandle {
    Loop *loop;
    LoopHandle *prev, *next;
    void (*on_close)(LoopHandle *handle);
    u8 type, state;
};

/* Stops it; on_close (may be NULL) runs in a later turn, nothing else does.  Once. */
void loop_handle_close(LoopHandle *h, void (*on_close)(LoopHandle *h));
/* Whether it keeps the loop alive while active; handles start out ref'd (but see each type). */
void loop_handle_ref(LoopHandle *h);
void loop_handle_unref(LoopHandle *h);
bool loop_handle_has_ref(const LoopHandle *h);
bool loop_handle_is_active(const LoopHandle *h);
bool loop_handle_is_closing(const LoopHandle *h);
/* Calls fn for every open handle; fn may close the one it is given. */
void loop_walk(Loop *loop, void (*fn)(LoopHandle *h, void *ctx), void *ctx);

/* An operation in flight; embedded in handles and requests, all fields are the loop's. */
typedef struct LoopOp LoopOp;
typedef struct msghdr LoopMsg;
struct LoopOp {
    LoopOp *prev, *next;
    Loop *loop;
    void (*on_done)(LoopOp *op, i64 res, bool more);
    i64 res;
    u64 off; /* file offset, events to poll for, open flags and mode */
    void *buf;
    u32 len;
    int fd;
    u8 code, where, flags, is_queued;
};

/* Fires once `delay_ms` have passed since the turn began (0: next turn), then every `repeat_ms` if
 * that is not 0.  Timers with equal deadlines fire in the order in which they were started. */
typedef struct LoopTimer LoopTimer;
struct LoopTimer {
    LoopHandle handle;
    void (*on_timer)(LoopTimer *t);
    u64 due_ms, repeat_ms, seq;
    u32 heap_idx;
};
void loop_timer_open(Loop *loop, LoopTimer *t);
/* Also on an active timer: it is moved. */
void loop_timer_start(LoopTimer *t, u64 delay_ms, u64 repeat_ms, void (*on_timer)(LoopTimer *t));
void loop_timer_stop(LoopTimer *t);

enum { /* the numbers of POLLx */
       LOOP_READABLE = 1,
       LOOP_PRIORITY = 2,
       LOOP_WRITABLE = 4,
       LOOP_ERROR = 8,
       LOOP_HANGUP = 16,
       LOOP_DISCONNECT = 0x2000,
};
/* Readiness of a descriptor, level-triggered.  The callback gets the events that hold (ERROR and
 * HANGUP also when not asked for), or -errno, and then the handle is stopped. */
typedef struct LoopPoll LoopPoll;
struct LoopPoll {
    LoopHandle handle;
    LoopOp op;
    void (*on_poll)(LoopPoll *p, i32 events);
    u32 events;
};
void loop_poll_open(Loop *loop, LoopPoll *p, int fd);
void loop_poll_start(LoopPoll *p, u32 events, void (*on_poll)(LoopPoll *p, i32 events));
void loop_poll_stop(LoopPoll *p);

/* A bell that other threads ring; several rings before the callback give one call.  Active from
 * open. */
typedef struct LoopAsync LoopAsync;
struct LoopAsync {
    LoopHandle handle;
    LoopAsync *next_rung;
    void (*on_async)(LoopAsync *a);
    bool is_rung;
};
void loop_async_open(Loop *loop, LoopAsync *a, void (*on_async)(LoopAsync *a));
void loop_async_send_mt(LoopAsync *a);

/* A listening socket: on_accept gets each new descriptor (non-blocking, close-on-exec), or -errno,
 * and then the handle is stopped (start it again, after a while if it was -EMFILE). */
typedef struct LoopAccept LoopAccept;
struct LoopAccept {
    LoopHandle handle;
    LoopOp op;
    void (*on_accept)(LoopAccept *a, i32 fd);
};
void loop_accept_open(Loop *loop, LoopAccept *a, int fd);
void loop_accept_start(LoopAccept *a, void (*on_accept)(LoopAccept *a, i32 fd));
void loop_accept_stop(LoopAccept *a);

/* A set of equal buffers that the kernel fills on its own choice, so that an idle connection holds
 * none. When all are out, receiving pauses until one comes back. */
LoopBufs *loop_bufs_new(Loop *loop, u32 size, u32 count);
/* After all LoopRecv that use it are closed; outstanding buffers die with it. */
void loop_bufs_free(LoopBufs *bufs);
/* 64 buffers of 16 KiB, made when first asked for, freed with the loop. */
LoopBufs *loop_bufs_default(Loop *loop);
u32 loop_bufs_size(const LoopBufs *bufs);
/* Gives back what on_recv was handed (`p` may point anywhere into the buffer). */
void loop_bufs_give(LoopBufs *bufs, const char *p);

/* Receives from a socket, pipe or terminal until told to stop.  on_recv gets n bytes at p, which is
 * the caller's until loop_bufs_give; or n = 0 at the end of the stream; or -errno; with these two p
 * is NULL and the handle is stopped.  After loop_recv_stop nothing is lost: what was already taken
 * from the socket is delivered after the next start. */
typedef struct LoopRecv LoopRecv;
struct LoopRecv {
    LoopHandle handle;
    LoopOp op;
    LoopBufs *bufs;
    void (*on_recv)(LoopRecv *r, i32 n, char *p);
    LoopRecv *next_starved;
    struct LoopHeld *held_first, *held_last; /* what was received while stopped */
    i32 held_end; /* 1: none; else the 0 or -errno that came while stopped */
    LoopOp held_op;
    bool is_starved;
};
/* bufs NULL means the default set. */
void loop_recv_open(Loop *loop, LoopRecv *r, int fd, LoopBufs *bufs);
void loop_recv_start(LoopRecv *r, void (*on_recv)(LoopRecv *r, i32 n, char *p));
void loop_recv_stop(LoopRecv *r);

/* A signal of the process.  One loop at a time may have these: -EBUSY for others; -EINVAL for
 * signals that cannot be caught.  Does not keep the loop alive unless loop_handle_ref is called.
 * When the last handle of a signal stops, its earlier disposition is in force again. */
typedef struct LoopSignal LoopSignal;
struct LoopSignal {
    LoopHandle handle;
    LoopSignal *next_signal;
    void (*on_signal)(LoopSignal *s, int signo);
    int signo;
};
void loop_signal_open(Loop *loop, LoopSignal *s);
NODISCARD int loop_signal_start(LoopSignal *s, int signo,
                                void (*on_signal)(LoopSignal *s, int signo));
void loop_signal_stop(LoopSignal *s);

/* A child process.  on_exit is called once and the handle is inactive afterwards.  Closing a handle
 * leaves a running child alone (a later exit is reaped at the end of our process). */
typedef struct LoopChild LoopChild;
struct LoopChild {
    LoopHandle handle;
    LoopOp op;
    void (*on_exit)(LoopChild *c, const SysExit *e);
    i32 pid;
    int pidfd;
};
void loop_child_open(Loop *loop, LoopChild *c);
/* Errors of sys_spawn come back here. */
NODISCARD int loop_child_start(LoopChild *c, const SysSpawn *spec,
                               void (*on_exit)(LoopChild *c, const SysExit *e));
/* -ESRCH when it has ended. */
NODISCARD int loop_child_kill(LoopChild *c, int signo);

enum {
    LOOP_WATCH_RENAME = 1, /* a name came or went */
    LOOP_WATCH_CHANGE = 2, /* content or metadata */
    LOOP_WATCH_LOST = 4,   /* the kernel dropped events; the name is empty */
};
enum { LOOP_WATCH_RECURSIVE = 1 };
/* Changes of a file or directory.  `name` is relative to the watched directory ("sub/file"), or the
 * file's own name. */
typedef struct LoopWatch LoopWatch;
struct LoopWatch {
    LoopHandle handle;
    void (*on_watch)(LoopWatch *w, u32 events, Str name);
    LoopWatch *next_watch;
    void *dirs;
    char *path;
    u32 n_dirs, flags;
};
void loop_watch_open(Loop *loop, LoopWatch *w);
/* -ENOENT, -EACCES, -ENOSPC (too many watches), ... */
NODISCARD int loop_watch_start(LoopWatch *w, Str path, u32 flags,
                               void (*on_watch)(LoopWatch *w, u32 events, Str name));
void loop_watch_stop(LoopWatch *w);

/* ---- Requests ------------------------------------------------------------------------------- */

struct LoopReq {
    LoopOp op; /* the loop's */
    /* Set before starting.  `res` is the result named with each function, or -errno. */
    void (*on_done)(LoopReq *req, i64 res);
    void *data; /* the caller's */
    i64 (*work)(LoopReq *req);
    LoopMsg msg;
    i64 n_done; /* bytes so far, of requests that move everything */
};

/* Streams: sockets, pipes, terminals.  read and recv give the count, 0 at the end; the others move
 * everything and give the total. */
void loop_req_read(Loop *loop, LoopReq *req, int fd, void *buf, u32 len);
void loop_req_write(Loop *loop, LoopReq *req, int fd, const void *data, u32 len);
/* The array is changed while it is worked through. */
void loop_req_writev(Loop *loop, LoopReq *req, int fd, struct iovec *iov, u32 n_iov);
/* The same for sockets only, cheaper. */
void loop_req_recv(Loop *loop, LoopReq *req, int fd, void *buf, u32 len);
void loop_req_send(Loop *loop, LoopReq *req, int fd, const void *data, u32 len);
void loop_req_sendv(Loop *loop, LoopReq *req, int fd, struct iovec *iov, u32 n_iov);
/* One message as it is (datagrams, passed descriptors). */
void loop_req_send_msg(Loop *loop, LoopReq *req, int fd, LoopMsg *msg);
void loop_req_recv_msg(Loop *loop, LoopReq *req, int fd, LoopMsg *msg);
/* 0 when connected. */
void loop_req_connect(Loop *loop, LoopReq *req, int fd, const SysAddr *addr);

/* Files.  off UINT64_MAX means the current position.  May move less than asked for. */
void loop_req_pread(Loop *loop, LoopReq *req, int fd, void *buf, u32 len, u64 off);
void loop_req_pwrite(Loop *loop, LoopReq *req, int fd, const void *data, u32 len, u64 off);
void loop_req_preadv(Loop *loop, LoopReq *req, int fd, const struct iovec *iov, u32 n_iov, u64 off);
void loop_req_pwritev(Loop *loop, LoopReq *req, int fd, const struct iovec *iov, u32 n_iov,
                      u64 off);
/* The descriptor, close-on-exec. */
void loop_req_open(Loop *loop, LoopReq *req, const char *path, int flags, u32 mode);
void loop_req_close(Loop *loop, LoopReq *req, int fd);
void loop_req_fsync(Loop *loop, LoopReq *req, int fd, bool data_only);
/* flags: AT_SYMLINK_NOFOLLOW or 0; the answer is taken with loop_stat_get in on_done. */
typedef struct {
    LoopReq req;
    u64 statx[32]; /* struct statx */
} LoopStat;
void loop_req_stat(Loop *loop, LoopStat *stat, const char *path, int flags);
void loop_stat_get(const LoopStat *stat, SysStat *ret);

/* Runs work(req) on a thread of the pool and gives what it returns.  It may block.  The pool has
 * COB_THREADPOOL_SIZE (or UV_THREADPOOL_SIZE) threads, else 4, shared by all loops. */
void loop_req_work(Loop *loop, LoopReq *req, i64 (*work)(LoopReq *req));

/* on_done gets -ECANCELED, or the result if it was too late.  Work that runs goes on. */
void loop_req_cancel(LoopReq *req);
bool loop_req_is_pending(const LoopReq *req);

/* Closes at once and makes the loop forget it.  -1 is fine. */
int loop_fd_close(Loop *loop, int fd);
