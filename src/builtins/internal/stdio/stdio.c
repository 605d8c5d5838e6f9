/* internal/stdio/stdio.c -- native half of internal/stdio: synchronous writes, asynchronous reads.
 */
#include "builtins/builtins.h"
#include "sys/sys.h"
#include "util/mem.h"

enum { FILE_CHUNK = 64 * 1024 };

/* A reader of a descriptor, on the list of the Vm.  Pipes, sockets and terminals are received from;
 * a regular file is read by requests. */
struct VmStdin {
    Vm *vm;
    struct VmStdin *next;
    LoopRecv recv;
    LoopReq req;
    JsRef on_data;
    int fd;
    bool is_file, is_reading, is_ref, is_closing;
    bool is_busy; /* inside on_read */
    char *chunk;  /* FILE_CHUNK bytes, of files only */
};

static i32 fd_arg(Js *js, JsArgs args)
{
    return js_get_i32(js, js_arg(args, 0));
}

JS_NATIVE(stdio_write)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    Str data;
    JsBytes bytes;
    if (js_bytes(js, js_arg(args, 1), &bytes))
        data = (Str){(const char *)bytes.p, bytes.n};
    else if (!js_to_str(js, s.arena, js_arg(args, 1), &data))
        return NULL;
    int rc = sys_write_all(fd_arg(js, args), data);
    if (rc < 0) return js_throw_sys(js, rc, "write", S(""));
    return JS_UNDEFINED;
}

JS_NATIVE(stdio_is_tty)
{
    return js_boolean(sys_tty_is(fd_arg(js, args)));
}

/* "tty", "file", "pipe" (sockets too), or "none" for what is not open. */
JS_NATIVE(stdio_kind)
{
    i32 fd = fd_arg(js, args);
    SysStat st = {0};
    if (sys_tty_is(fd)) return js_str(js, S("tty"));
    if (sys_fstat(fd, &st) < 0) return js_str(js, S("none"));
    bool is_pipe = S_ISFIFO(st.mode) || S_ISSOCK(st.mode);
    return js_str(js, is_pipe ? S("pipe") : S("file"));
}

JS_NATIVE(stdio_window_size)
{
    u32 cols = 0, rows = 0;
    int rc = sys_tty_size(fd_arg(js, args), &cols, &rows);
    if (rc < 0) return js_throw_sys(js, rc, "ioctl", S(""));
    return js_array(js, (JsVal[]){js_int(js, (i32)cols), js_int(js, (i32)rows)}, 2);
}

JS_NATIVE(stdio_set_raw_mode)
{
    bool is_raw = js_truthy(js, js_arg(args, 1));
    int rc = sys_tty_set_mode(fd_arg(js, args), is_raw ? SYS_TTY_RAW : SYS_TTY_NORMAL);
    if (rc < 0) return js_throw_sys(js, rc, "setRawMode", S(""));
    return JS_UNDEFINED;
}

/* ---- Reading
 * ------------------------------------------------------------------------------------- */

static void reader_free(struct VmStdin *in)
{
    js_ref_clear(in->vm->js, &in->on_data);
    mem_free(in->chunk);
    mem_free(in);
}

static void deliver(struct VmStdin *in, i64 n, const char *p)
{
    Js *js = in->vm->js;
    JsVal fn = js_ref_get(js, &in->on_data);
    if (n > 0) {
        vm_call(in->vm, fn, JS_ARGS(js_u8array(js, p, (usize)n)));
        return;
    }
    in->is_reading = false;
    /* The other side of a terminal that went away is an end, not an error. */
    bool is_end = n == 0 || n == -EIO;
    JsVal error = is_end ? JS_UNDEFINED : js_make_sys_error(js, (int)n, "read", S(""));
    vm_call(in->vm, fn, JS_ARGS(JS_NULL, error));
}

static void on_recv(LoopRecv *r, i32 n, char *p)
{
    struct VmStdin *in = CONTAINER(struct VmStdin, recv, r);
    deliver(in, n, p);
    if (p) loop_bufs_give(loop_bufs_default(in->vm->loop), p);
}

static void read_file(struct VmStdin *in);

static void on_read(LoopReq *req, i64 n)
{
    struct VmStdin *in = CONTAINER(struct VmStdin, req, req);
    if (in->is_closing) {
        reader_free(in);
        return;
    }
    if (n == -ECANCELED) return;
    in->is_busy = true;
    deliver(in, n, in->chunk);
    in->is_busy = false;
    if (in->is_closing)
        reader_free(in);
    else if (n > 0 && in->is_reading)
        read_file(in);
}

static void read_file(struct VmStdin *in)
{
    in->req.on_done = on_read;
    loop_req_pread(in->vm->loop, &in->req, in->fd, in->chunk, FILE_CHUNK, UINT64_MAX);
}

static struct VmStdin *reader_of(Vm *vm, int fd)
{
    for (struct VmStdin *in = vm->stdin_reader; in; in = in->next) {
        if (in->fd == fd) return in;
    }
    SysStat st = {0};
    struct VmStdin *in = MEM_NEW(struct VmStdin);
    in->vm = vm;
    in->fd = fd;
    in->is_ref = true;
    in->is_file = sys_fstat(fd, &st) == 0 && (S_ISREG(st.mode) || S_ISBLK(st.mode));
    if (in->is_file)
        in->chunk = mem_new(FILE_CHUNK);
    else
        loop_recv_open(vm->loop, &in->recv, fd, NULL);
    in->next = vm->stdin_reader;
    vm->stdin_reader = in;
    return in;
}

static void on_recv_closed(LoopHandle *handle)
{
    reader_free(CONTAINER(struct VmStdin, recv.handle, handle));
}

/* Ends a reader; its descriptor stays open. */
JS_NATIVE(stdio_read_close)
{
    Vm *vm = vm_of(js);
    i32 fd = fd_arg(js, args);
    for (struct VmStdin **at = &vm->stdin_reader; *at; at = &(*at)->next) {
        struct VmStdin *in = *at;
        if (in->fd != fd) continue;
        *at = in->next;
        in->is_reading = false;
        in->is_closing = true;
        if (!in->is_file)
            loop_handle_close(&in->recv.handle, on_recv_closed);
        else if (!in->is_busy && !loop_req_is_pending(&in->req))
            reader_free(in);
        break;
    }
    return JS_UNDEFINED;
}

JS_NATIVE(stdio_read_start)
{
    struct VmStdin *in = reader_of(vm_of(js), fd_arg(js, args));
    js_ref_set_strong(js, &in->on_data, js_arg(args, 1));
    in->is_reading = true;
    if (!in->is_file)
        loop_recv_start(&in->recv, on_recv);
    else if (!loop_req_is_pending(&in->req))
        read_file(in);
    return JS_UNDEFINED;
}

JS_NATIVE(stdio_read_stop)
{
    struct VmStdin *in = reader_of(vm_of(js), fd_arg(js, args));
    in->is_reading = false;
    if (!in->is_file) loop_recv_stop(&in->recv);
    return JS_UNDEFINED;
}

JS_NATIVE(stdio_read_ref)
{
    struct VmStdin *in = reader_of(vm_of(js), fd_arg(js, args));
    in->is_ref = js_truthy(js, js_arg(args, 1));
    if (in->is_file) return JS_UNDEFINED; /* a file is always ready: it keeps nothing waiting */
    if (in->is_ref)
        loop_handle_ref(&in->recv.handle);
    else
        loop_handle_unref(&in->recv.handle);
    return JS_UNDEFINED;
}

static const JsFn fns[] = {
    JS_FN("write", stdio_write),
    JS_FN("isTty", stdio_is_tty),
    JS_FN("kind", stdio_kind),
    JS_FN("readClose", stdio_read_close),
    JS_FN("windowSize", stdio_window_size),
    JS_FN("setRawMode", stdio_set_raw_mode),
    JS_FN("readStart", stdio_read_start),
    JS_FN("readStop", stdio_read_stop),
    JS_FN("readRef", stdio_read_ref),
};
BUILTIN_NATIVE(internal_stdio, fns)
