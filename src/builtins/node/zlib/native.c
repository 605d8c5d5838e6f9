/* node/zlib/native.c -- native half of node:zlib and CompressionStream: streams of codec/compress.h
 * and whole texts, each at once or on a thread of the pool.
 *
 * Options come as four arguments: a number (CompressKind), an Int32Array [window bits, level,
 * memory level, strategy, then pairs of a parameter and its value], a dictionary or undefined, and
 * the size of the input or -1.  Failures are returned as an array [number, code, message], never
 * thrown: the JavaScript half makes the errors. */
#include "builtins/builtins.h"
#include "codec/compress.h"
#include "util/mem.h"

#include <libdeflate.h>
#include <string.h>
#include <zlib.h>

enum { OPTIONS_FIXED = 4 };

typedef struct {
    Compressor *compressor;
    bool is_busy;   /* a thread of the pool works on it */
    bool is_closed; /* to be freed when it is no longer busy */
} Handle;

static void handle_free(void *native)
{
    Handle *h = native;
    compressor_free(h->compressor);
    mem_free(h);
}

static const JsClass handle_class = {"ZlibHandle", handle_free};

static JsVal failure(Js *js, const CompressError *e)
{
    JsVal parts[] = {js_int(js, e->number), js_str(js, str_z(e->code)),
                     js_str(js, str_z(e->message))};
    return js_array(js, parts, COUNT(parts));
}

/* `at` is the index of the first of the three arguments behind `kind`.  The dictionary is borrowed.
 */
static CompressOptions take_options(Js *js, JsArgs args, u32 at)
{
    CompressOptions o = compress_defaults((CompressKind)js_get_i32(js, js_arg(args, at)));
    JsBytes list, dictionary;
    /* Not made by the JS half: what the program says is not for us to believe. */
    if (!js_bytes(js, js_arg(args, at + 1), &list)) return o;
    usize n = list.n / sizeof(i32);
    if (n < OPTIONS_FIXED || (n - OPTIONS_FIXED) / 2 > COMPRESS_PARAMS_MAX) return o;
    i32 values[OPTIONS_FIXED + 2 * COMPRESS_PARAMS_MAX];
    memcpy(values, list.p, n * sizeof(i32));
    o.window_bits = values[0];
    o.level = values[1];
    o.mem_level = values[2];
    o.strategy = values[3];
    for (usize i = OPTIONS_FIXED; i + 1 < n; i += 2) {
        o.param_ids[o.n_params] = (u32)values[i];
        o.params[o.n_params++] = values[i + 1];
    }
    if (js_bytes(js, js_arg(args, at + 2), &dictionary))
        o.dictionary = (Str){(const char *)dictionary.p, dictionary.n};
    f64 size = js_get_number(js, js_arg(args, at + 3));
    if (size >= 0) o.size_hint = (u64)size;
    return o;
}

/* ---- Streams --------------------------------------------------------------------------------- */

/* create(kind, options, dictionary, size) -> handle or failure */
JS_NATIVE(zlib_create)
{
    CompressOptions o = take_options(js, args, 0);
    CompressError e;
    Compressor *compressor = compressor_new(&o, &e);
    if (!compressor) return failure(js, &e);
    js_report_memory(js, (i64)compressor_memory(compressor));
    Handle *h = MEM_NEW(Handle);
    h->compressor = compressor;
    return js_wrap(js, &handle_class, h);
}

/* Programs get at the handle of a stream: it may be closed, or at work on another chunk. */
static bool is_ready(const Handle *h)
{
    return h && !h->is_busy && !h->is_closed;
}

static const CompressError not_ready = {Z_STREAM_ERROR, "Z_STREAM_ERROR",
                                        "the stream is closed or busy"};

/* The bytes of `v` from `off`, `len` of them at most. */
static JsBytes range_of(Js *js, JsVal v, JsVal off_value, JsVal len_value)
{
    JsBytes b = {0};
    if (!js_bytes(js, v, &b)) return b;
    usize off = MIN((usize)js_get_i64(js, off_value), b.n);
    b.p += off;
    b.n = MIN((usize)js_get_i64(js, len_value), b.n - off);
    return b;
}

static void set_state(Js *js, JsVal state, const CompressIo *io, bool is_ended)
{
    JsBytes b;
    u32 values[3] = {(u32)io->n_out, (u32)io->n_in, is_ended};
    if (js_bytes(js, state, &b) && b.n >= sizeof values) memcpy(b.p, values, sizeof values);
}

/* step(handle, flush, in, off, len, out, off, len, state) -> undefined or failure; state becomes
 * [room left, input left, has the stream ended] */
JS_NATIVE(zlib_step)
{
    Handle *h = js_unwrap(js, js_arg(args, 0), &handle_class);
    if (!is_ready(h)) return failure(js, &not_ready);
    JsBytes in = range_of(js, js_arg(args, 2), js_arg(args, 3), js_arg(args, 4));
    JsBytes out = range_of(js, js_arg(args, 5), js_arg(args, 6), js_arg(args, 7));
    CompressIo io = {in.p, in.n, out.p, out.n};
    CompressError e;
    bool ok = compressor_step(h->compressor, &io, js_get_i32(js, js_arg(args, 1)), &e);
    set_state(js, js_arg(args, 8), &io, compressor_is_ended(h->compressor));
    return ok ? JS_UNDEFINED : failure(js, &e);
}

/* One step on the pool.  Input and output are copies: JavaScript may do what it likes meanwhile. */
typedef struct {
    LoopReq req;
    Vm *vm;
    Handle *handle;
    CompressIo io;
    usize n_room, out_off;
    i32 flush;
    bool ok;
    CompressError error;
    JsRef handle_ref, out, state, callback;
    u8 *memory; /* output, then input */
} Step;

static i64 step_work(LoopReq *req)
{
    Step *s = CONTAINER(Step, req, req);
    s->ok = compressor_step(s->handle->compressor, &s->io, s->flush, &s->error);
    return 0;
}

static void step_free(Step *s)
{
    Js *js = s->vm->js;
    js_ref_clear(js, &s->handle_ref);
    js_ref_clear(js, &s->out);
    js_ref_clear(js, &s->state);
    js_ref_clear(js, &s->callback);
    mem_free(s->memory);
    mem_free(s);
}

static void step_done(LoopReq *req, i64 rc)
{
    Step *s = CONTAINER(Step, req, req);
    Vm *vm = s->vm;
    Js *js = vm->js;
    JsVal handle = js_ref_get(js, &s->handle_ref);
    JsVal callback = js_ref_get(js, &s->callback);
    JsBytes out;
    usize n = s->n_room - s->io.n_out;
    if (js_bytes(js, js_ref_get(js, &s->out), &out) && s->out_off + n <= out.n && n)
        memcpy(out.p + s->out_off, s->memory, n);
    set_state(js, js_ref_get(js, &s->state), &s->io, compressor_is_ended(s->handle->compressor));
    s->handle->is_busy = false;
    if (s->handle->is_closed) {
        Handle *h = js_unwrap_take(js, handle, &handle_class);
        if (h) handle_free(h);
    }
    JsVal result = JS_UNDEFINED;
    if (rc < 0)
        result = failure(js, &(CompressError){(i32)rc, "EAGAIN", "no thread for the work"});
    else if (!s->ok)
        result = failure(js, &s->error);
    step_free(s);
    vm_call(vm, callback, JS_ARGS(result));
}

/* stepLater(handle, flush, in, off, len, out, off, len, state, callback): the callback gets what
 * step() returns. */
JS_NATIVE(zlib_step_later)
{
    Handle *h = js_unwrap(js, js_arg(args, 0), &handle_class);
    if (!is_ready(h)) return failure(js, &not_ready);
    JsBytes in = range_of(js, js_arg(args, 2), js_arg(args, 3), js_arg(args, 4));
    JsBytes out = range_of(js, js_arg(args, 5), js_arg(args, 6), js_arg(args, 7));
    Step *s = MEM_NEW(Step);
    s->vm = vm_of(js);
    s->handle = h;
    s->flush = js_get_i32(js, js_arg(args, 1));
    s->memory = mem_new(out.n + in.n);
    if (in.n) memcpy(s->memory + out.n, in.p, in.n);
    s->io = (CompressIo){s->memory + out.n, in.n, s->memory, out.n};
    s->n_room = out.n;
    s->out_off = (usize)js_get_i64(js, js_arg(args, 6));
    js_ref_set_strong(js, &s->handle_ref, js_arg(args, 0));
    js_ref_set_strong(js, &s->out, js_arg(args, 5));
    js_ref_set_strong(js, &s->state, js_arg(args, 8));
    js_ref_set_strong(js, &s->callback, js_arg(args, 9));
    h->is_busy = true;
    s->req.on_done = step_done;
    loop_req_work(s->vm->loop, &s->req, step_work);
    return JS_UNDEFINED;
}

JS_NATIVE(zlib_reset)
{
    Handle *h = js_unwrap(js, js_arg(args, 0), &handle_class);
    CompressError e;
    if (!h || h->is_busy) return JS_UNDEFINED;
    return compressor_reset(h->compressor, &e) ? JS_UNDEFINED : failure(js, &e);
}

/* params(handle, level, strategy) -> has it worked? */
JS_NATIVE(zlib_params)
{
    Handle *h = js_unwrap(js, js_arg(args, 0), &handle_class);
    if (!h || h->is_busy) return JS_FALSE;
    return js_boolean(compressor_set_params(h->compressor, js_get_i32(js, js_arg(args, 1)),
                                            js_get_i32(js, js_arg(args, 2))));
}

JS_NATIVE(zlib_close)
{
    Handle *h = js_unwrap(js, js_arg(args, 0), &handle_class);
    if (!h) return JS_UNDEFINED;
    h->is_closed = true;
    if (!h->is_busy) handle_free(js_unwrap_take(js, js_arg(args, 0), &handle_class));
    return JS_UNDEFINED;
}

/* ---- Whole texts ----------------------------------------------------------------------------- */

static void free_content(void *p, void *data)
{
    (void)data;
    mem_free(p);
}

/* The bytes, null for too many, or a failure. */
static JsVal whole_result(Js *js, bool ok, Buf *out, const CompressError *e)
{
    if (!ok) return failure(js, e);
    if (out->full) return JS_NULL;
    if (!out->len) return js_u8array(js, NULL, 0);
    /* The last growth may have been generous. */
    char *p = out->cap - out->len > out->len / 4 ? mem_resize(out->p, out->len) : out->p;
    usize n = out->len;
    *out = (Buf){0};
    return js_u8array_take(js, p, n, free_content, NULL);
}

static usize take_max(Js *js, JsVal v)
{
    return (usize)js_get_i64(js, v);
}

/* whole(kind, options, dictionary, size, input, last flush, most bytes) */
JS_NATIVE(zlib_whole)
{
    CompressOptions o = take_options(js, args, 0);
    JsBytes in = {0};
    AUTO(Buf) out = {.max = take_max(js, js_arg(args, 6))};
    CompressError e;
    (void)js_bytes(js, js_arg(args, 4), &in);
    bool ok = compress_whole(&o, (Str){(const char *)in.p, in.n}, js_get_i32(js, js_arg(args, 5)),
                             &out, &e);
    return whole_result(js, ok, &out, &e);
}

typedef struct {
    LoopReq req;
    Vm *vm;
    CompressOptions options;
    Str in; /* a copy, the dictionary behind it */
    i32 last;
    bool ok;
    Buf out;
    CompressError error;
    JsRef callback;
} Whole;

static i64 whole_work(LoopReq *req)
{
    Whole *w = CONTAINER(Whole, req, req);
    w->ok = compress_whole(&w->options, w->in, w->last, &w->out, &w->error);
    return 0;
}

static void whole_done(LoopReq *req, i64 rc)
{
    Whole *w = CONTAINER(Whole, req, req);
    Vm *vm = w->vm;
    Js *js = vm->js;
    if (rc < 0) w->error = (CompressError){(i32)rc, "EAGAIN", "no thread for the work"};
    JsVal callback = js_ref_get(js, &w->callback);
    JsVal result = whole_result(js, rc >= 0 && w->ok, &w->out, &w->error);
    js_ref_clear(js, &w->callback);
    Buf_deinit(&w->out);
    mem_free((void *)(uintptr_t)w->in.p);
    mem_free(w);
    vm_call(vm, callback, JS_ARGS(result));
}

/* wholeLater(..., callback): the callback gets what whole() returns. */
JS_NATIVE(zlib_whole_later)
{
    Whole *w = MEM_NEW(Whole);
    JsBytes in = {0};
    w->vm = vm_of(js);
    w->options = take_options(js, args, 0);
    (void)js_bytes(js, js_arg(args, 4), &in);
    Str dictionary = w->options.dictionary;
    char *copy = mem_new(in.n + dictionary.n);
    if (in.n) memcpy(copy, in.p, in.n);
    if (dictionary.n) memcpy(copy + in.n, dictionary.p, dictionary.n);
    w->in = (Str){copy, in.n};
    w->options.dictionary = (Str){copy + in.n, dictionary.n};
    w->last = js_get_i32(js, js_arg(args, 5));
    w->out.max = take_max(js, js_arg(args, 6));
    js_ref_set_strong(js, &w->callback, js_arg(args, 7));
    w->req.on_done = whole_done;
    loop_req_work(w->vm->loop, &w->req, whole_work);
    return JS_UNDEFINED;
}

/* crc32(bytes or string, value) */
JS_NATIVE(zlib_crc32)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    u32 value = (u32)js_get_i64(js, js_arg(args, 1));
    JsBytes b;
    Str text;
    if (js_bytes(js, js_arg(args, 0), &b))
        text = (Str){(const char *)b.p, b.n};
    else if (!js_to_str(js, s.arena, js_arg(args, 0), &text))
        return NULL;
    return js_number(js, (f64)libdeflate_crc32(value, text.p, text.n));
}

static const JsFn fns[] = {
    JS_FN("create", zlib_create),        JS_FN("step", zlib_step),
    JS_FN("stepLater", zlib_step_later), JS_FN("reset", zlib_reset),
    JS_FN("params", zlib_params),        JS_FN("close", zlib_close),
    JS_FN("whole", zlib_whole),          JS_FN("wholeLater", zlib_whole_later),
    JS_FN("crc32", zlib_crc32),
};
BUILTIN_NATIVE(node_zlib_native, fns)
