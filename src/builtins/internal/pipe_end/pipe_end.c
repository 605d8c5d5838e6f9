/* internal/pipe_end/pipe_end.c -- one end of a pipe or local socket; native half.
 *
 * A Pipe is in the heap from open to the end of its closing; its wrapper is held strongly all the
 * time, so that callbacks find it, and knows nothing any more afterwards.  Pipes that carry
 * descriptors (IPC) wait for readiness and receive messages; the others are received from. */
#include "builtins/builtins.h"
#include "sys/sys.h"
#include "util/buf.h"
#include "util/mem.h"

#include <string.h>

enum {
    FDS_MAX = 16,          /* descriptors taken from one message; more are closed */
    READ_SIZE = 64 * 1024, /* bytes of one message */
    ROUNDS_MAX = 16,       /* messages in a row before the loop goes on */
};

/* Of what is read in one piece; more is -ENOBUFS. */
static const usize COLLECTED_MAX = UINT32_MAX;

typedef struct PipeWrite PipeWrite;
typedef struct Pipe {
    Vm *vm;
    LoopRecv recv;
    LoopPoll poll; /* instead of `recv`, for IPC */
    JsRef self, on_read, on_close;
    int fd;
    PipeWrite *first, *last; /* the first is under way */
    bool is_ipc, is_closing, is_handle_closed;
    bool is_reading;
    bool is_collecting;
    Buf all; /* what was collected */
} Pipe;

/* What could not be written at once. */
struct PipeWrite {
    LoopReq req;
    Pipe *pipe;
    PipeWrite *next;
    JsRef on_done;
    u32 len;
    char data[];
};

static const JsClass pipe_class = {.name = "Pipe"};

static Pipe *pipe_of(Js *js, JsArgs args)
{
    return js_unwrap(js, js_arg(args, 0), &pipe_class);
}

JS_NATIVE(pipe_open)
{
    Vm *vm = vm_of(js);
    Pipe *p = MEM_NEW(Pipe);
    p->vm = vm;
    p->fd = js_get_i32(js, js_arg(args, 0));
    p->is_ipc = js_truthy(js, js_arg(args, 1));
    int rc = sys_set_nonblock(p->fd, true);
    if (rc < 0) {
        mem_free(p);
        return js_throw_sys(js, rc, "open", S(""));
    }
    if (p->is_ipc)
        loop_poll_open(vm->loop, &p->poll, p->fd);
    else
        loop_recv_open(vm->loop, &p->recv, p->fd, NULL);
    JsVal self = js_wrap(js, &pipe_class, p);
    js_ref_set_strong(js, &p->self, self);
    return self;
}

static LoopHandle *handle_of(Pipe *p)
{
    return p->is_ipc ? &p->poll.handle : &p->recv.handle;
}

/* ---- Reading */

/* Tells of `n` bytes, the end (0) or an error, and of descriptors that came along. */
static void deliver(Pipe *p, i64 n, const char *data, JsVal fds)
{
    Js *js = p->vm->js;
    JsVal fn = js_ref_get(js, &p->on_read);
    if (!fn) return;
    if (n <= 0) p->is_reading = false;
    JsVal bytes = n > 0 ? js_u8array(js, data, (usize)n) : JS_NULL;
    JsVal code = js_int(js, n < 0 ? (i32)n : 0);
    vm_call(p->vm, fn, JS_ARGS(bytes, code, fds));
}

static void free_bytes(void *p, UNUSED void *data)
{
    mem_free(p);
}

/* The end of what is read in one piece. */
static void deliver_all(Pipe *p, i32 code)
{
    Js *js = p->vm->js;
    JsVal fn = js_ref_get(js, &p->on_read), bytes = JS_NULL;
    p->is_reading = false;
    if (code == 0 && p->all.p)
        bytes = js_u8array_take(js, p->all.p, p->all.len, free_bytes, NULL);
    else if (code == 0)
        bytes = js_u8array(js, "", 0);
    if (code == 0) p->all = (Buf){0};
    Buf_deinit(&p->all);
    vm_call(p->vm, fn, JS_ARGS(bytes, js_int(js, code)));
}

static void collect(Pipe *p, i32 n, const char *data)
{
    p->all.max = COLLECTED_MAX;
    if (n <= 0) {
        deliver_all(p, n);
    } else if (!buf_push(&p->all, (Str){data, (usize)n})) {
        loop_recv_stop(&p->recv);
        deliver_all(p, -ENOBUFS);
    }
}

static void on_recv(LoopRecv *r, i32 n, char *data)
{
    Pipe *p = CONTAINER(Pipe, recv, r);
    if (p->is_collecting) {
        LoopBufs *bufs = r->bufs;
        collect(p, n, data);
        if (data) loop_bufs_give(bufs, data);
        return;
    }
    LoopBufs *bufs = r->bufs;
    deliver(p, n, data, JS_UNDEFINED);
    if (data) loop_bufs_give(bufs, data);
}

/* The descriptors of a message as an array; those that are too many are closed. */
static JsVal take_fds(Js *js, struct msghdr *msg)
{
    JsVal found[FDS_MAX];
    u32 n_found = 0;
    for (struct cmsghdr *c = CMSG_FIRSTHDR(msg); c; c = CMSG_NXTHDR(msg, c)) {
        if (c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_RIGHTS) continue;
        u32 n = (u32)((c->cmsg_len - CMSG_LEN(0)) / sizeof(int));
        for (u32 i = 0; i < n; i++) {
            int fd;
            memcpy(&fd, CMSG_DATA(c) + i * sizeof fd, sizeof fd);
            if (n_found < FDS_MAX)
                found[n_found++] = js_int(js, fd);
            else
                sys_close(fd);
        }
    }
    return n_found ? js_array(js, found, n_found) : JS_UNDEFINED;
}

/* One message.  false: there is nothing more for now. */
static bool read_message(Pipe *p)
{
    char data[READ_SIZE];
    char control[CMSG_SPACE(FDS_MAX * sizeof(int))];
    struct iovec iov = {.iov_base = data, .iov_len = sizeof data};
    struct msghdr msg = {
        .msg_iov = &iov, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof control};
    i64 n = sys_recv_msg(p->fd, &msg, MSG_CMSG_CLOEXEC | MSG_DONTWAIT);
    if (n == -EAGAIN) return false;
    JsVal fds = n >= 0 ? take_fds(p->vm->js, &msg) : JS_UNDEFINED;
    if (n <= 0) loop_poll_stop(&p->poll);
    deliver(p, n, data, fds);
    return n == (i64)sizeof data;
}

static void on_poll(LoopPoll *poll, i32 events)
{
    Pipe *p = CONTAINER(Pipe, poll, poll);
    if (events < 0) {
        deliver(p, events, NULL, JS_UNDEFINED);
        return;
    }
    for (u32 i = 0; i < ROUNDS_MAX && p->is_reading && !p->is_closing; i++) {
        if (!read_message(p)) return;
    }
}

/* readStart(pipe, fn(bytes | null, code, fds)) */
JS_NATIVE(pipe_read_start)
{
    Pipe *p = pipe_of(js, args);
    if (!p || p->is_closing) return JS_UNDEFINED;
    js_ref_set_strong(js, &p->on_read, js_arg(args, 1));
    p->is_reading = true;
    if (p->is_ipc)
        loop_poll_start(&p->poll, LOOP_READABLE, on_poll);
    else
        loop_recv_start(&p->recv, on_recv);
    return JS_UNDEFINED;
}

/* readAll(pipe, fn(bytes | null, code)): once, of a pipe that was not read and is not for IPC. */
JS_NATIVE(pipe_read_all)
{
    Pipe *p = pipe_of(js, args);
    if (!p || p->is_closing) return JS_UNDEFINED;
    ASSERT(!p->is_ipc && !p->is_reading);
    p->is_collecting = true;
    return pipe_read_start(js, args);
}

JS_NATIVE(pipe_read_stop)
{
    Pipe *p = pipe_of(js, args);
    if (!p || p->is_closing) return JS_UNDEFINED;
    p->is_reading = false;
    if (p->is_ipc)
        loop_poll_stop(&p->poll);
    else
        loop_recv_stop(&p->recv);
    return JS_UNDEFINED;
}

/* ---- Writing */

static void finish_closing(Pipe *p)
{
    if (!p->is_closing || !p->is_handle_closed || p->first) return;
    Js *js = p->vm->js;
    (void)loop_fd_close(p->vm->loop, p->fd);
    JsVal fn = js_ref_get(js, &p->on_close);
    JsVal self = js_ref_get(js, &p->self);
    (void)js_unwrap_take(js, self, &pipe_class);
    Vm *vm = p->vm;
    js_ref_clear(js, &p->on_read);
    js_ref_clear(js, &p->on_close);
    js_ref_clear(js, &p->self);
    Buf_deinit(&p->all);
    mem_free(p);
    if (fn && js_is_function(js, fn)) vm_call(vm, fn, JS_NO_ARGS);
}

static void start_first(Pipe *p);

static void on_written(LoopReq *req, i64 res)
{
    PipeWrite *w = CONTAINER(PipeWrite, req, req);
    Pipe *p = w->pipe;
    Js *js = p->vm->js;
    JsVal fn = js_ref_get(js, &w->on_done);
    js_ref_clear(js, &w->on_done);
    p->first = w->next;
    if (!p->first) p->last = NULL;
    mem_free(w);
    if (p->first) start_first(p);
    if (fn) vm_call(p->vm, fn, JS_ARGS(js_int(js, res < 0 ? (i32)res : 0)));
    finish_closing(p);
}

static void start_first(Pipe *p)
{
    PipeWrite *w = p->first;
    w->req.on_done = on_written;
    loop_req_write(p->vm->loop, &w->req, p->fd, w->data, w->len);
}

static void start_rest(Js *js, Pipe *p, Str rest, JsVal fn)
{
    PipeWrite *w = mem_new(sizeof(PipeWrite) + rest.n);
    w->pipe = p;
    memcpy(w->data, rest.p, rest.n);
    js_ref_set_strong(js, &w->on_done, fn);
    w->len = (u32)rest.n;
    if (p->last)
        p->last->next = w;
    else
        p->first = w;
    p->last = w;
    if (p->first == w) start_first(p);
}

/* Sends one descriptor together with the bytes; the first byte carries it. */
static i64 send_with_fd(int to, Str data, int fd)
{
    union {
        char room[CMSG_SPACE(sizeof(int))];
        struct cmsghdr align;
    } control = {0};
    struct iovec iov = {.iov_base = (void *)(uintptr_t)data.p, .iov_len = data.n};
    struct msghdr msg = {.msg_iov = &iov,
                         .msg_iovlen = 1,
                         .msg_control = control.room,
                         .msg_controllen = sizeof control.room};
    struct cmsghdr *c = CMSG_FIRSTHDR(&msg);
    c->cmsg_level = SOL_SOCKET;
    c->cmsg_type = SCM_RIGHTS;
    c->cmsg_len = CMSG_LEN(sizeof(int));
    memcpy(CMSG_DATA(c), &fd, sizeof fd);
    return sys_send_msg(to, &msg, MSG_NOSIGNAL | MSG_DONTWAIT);
}

/* Waits in this thread until the peer has room: descriptors are rare and small. */
static i64 send_with_fd_waiting(int to, Str data, int fd)
{
    for (;;) {
        i64 n = send_with_fd(to, data, fd);
        if (n != -EAGAIN) return n;
        struct pollfd wait = {.fd = to, .events = POLLOUT};
        int rc = sys_poll(&wait, 1, UINT64_MAX);
        if (rc < 0) return rc;
    }
}

/* write(pipe, string | bytes, fn(code), fd) -> 1 when everything is written already, 0 when fn will
 * be called, or -errno.  Several writes are carried out in order. */
JS_NATIVE(pipe_write)
{
    Pipe *p = pipe_of(js, args);
    if (!p || p->is_closing) return js_int(js, -EBADF);
    AUTO(Scratch) s = scratch_begin(NULL);
    Str data;
    JsBytes bytes;
    if (js_bytes(js, js_arg(args, 1), &bytes))
        data = (Str){(const char *)bytes.p, bytes.n};
    else if (!js_to_str(js, s.arena, js_arg(args, 1), &data))
        return NULL;
    i32 fd = -1;
    bool has_fd = js_peek_i32(js_arg(args, 3), &fd) && fd >= 0;
    i64 n = 0;
    if (!p->first) {
        n = has_fd ? send_with_fd_waiting(p->fd, data, fd) : sys_write(p->fd, data.p, data.n);
        if (n < 0 && n != -EAGAIN) return js_int(js, (i32)n);
        if (n < 0) n = 0;
        if ((usize)n == data.n) return js_int(js, 1);
    } else if (has_fd) {
        return js_int(js, -EBUSY); /* the JavaScript half waits for its turn */
    }
    if (data.n - (usize)n > INT32_MAX) return js_int(js, -EMSGSIZE);
    start_rest(js, p, (Str){data.p + n, data.n - (usize)n}, js_arg(args, 2));
    return js_int(js, 0);
}

/* No more writing; a socket tells its peer. */
JS_NATIVE(pipe_shutdown)
{
    Pipe *p = pipe_of(js, args);
    if (!p || p->is_closing) return js_int(js, -EBADF);
    return js_int(js, sys_shutdown(p->fd, SHUT_WR));
}

/* ---- Closing */

static void on_recv_closed(LoopHandle *h)
{
    Pipe *p = CONTAINER(Pipe, recv.handle, h);
    p->is_handle_closed = true;
    finish_closing(p);
}

static void on_poll_closed(LoopHandle *h)
{
    Pipe *p = CONTAINER(Pipe, poll.handle, h);
    p->is_handle_closed = true;
    finish_closing(p);
}

/* close(pipe, fn): after writes that are under way. */
JS_NATIVE(pipe_close)
{
    Pipe *p = pipe_of(js, args);
    if (!p || p->is_closing) return JS_UNDEFINED;
    p->is_closing = true;
    if (js_is_function(js, js_arg(args, 1))) js_ref_set_strong(js, &p->on_close, js_arg(args, 1));
    loop_handle_close(handle_of(p), p->is_ipc ? on_poll_closed : on_recv_closed);
    return JS_UNDEFINED;
}

JS_NATIVE(pipe_set_ref)
{
    Pipe *p = pipe_of(js, args);
    if (!p || p->is_closing) return JS_UNDEFINED;
    if (js_truthy(js, js_arg(args, 1)))
        loop_handle_ref(handle_of(p));
    else
        loop_handle_unref(handle_of(p));
    return JS_UNDEFINED;
}

/* The descriptor, or -1 once it is closed. */
JS_NATIVE(pipe_fd)
{
    Pipe *p = pipe_of(js, args);
    return js_int(js, p && !p->is_closing ? p->fd : -1);
}

static const JsFn fns[] = {
    JS_FN("open", pipe_open),          JS_FN("readStart", pipe_read_start),
    JS_FN("readStop", pipe_read_stop), JS_FN("write", pipe_write),
    JS_FN("shutdown", pipe_shutdown),  JS_FN("close", pipe_close),
    JS_FN("setRef", pipe_set_ref),     JS_FN("fd", pipe_fd),
    JS_FN("readAll", pipe_read_all),
};
BUILTIN_NATIVE(internal_pipe_end, fns)
