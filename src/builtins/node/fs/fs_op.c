/* node/fs/fs_op.c -- arguments, errors and the two ways to run an operation. */
#include "builtins/node/fs/fs_op.h"

#include "util/err.h"
#include "util/mem.h"

#include <string.h>

/* ---- Arguments
 * ------------------------------------------------------------------------------------- */

static bool take_path(Js *js, FsOp *op, JsVal v, Str *ret)
{
    JsBytes bytes;
    if (!js_bytes(js, v, &bytes)) return js_to_str(js, op->arena, v, ret);
    *ret = str_dup(op->arena, (Str){(const char *)bytes.p, bytes.n});
    return true;
}

static bool take_position(Js *js, JsVal v, i64 *ret)
{
    bool is_exact;
    *ret = -1;
    if (js_is_nullish(v)) return true;
    if (js_type(js, v) == JS_TYPE_BIGINT) return js_to_bigint_i64(js, v, ret, &is_exact);
    *ret = js_get_i64(js, v);
    return true;
}

static SysTime time_of(f64 seconds)
{
    f64 whole = __builtin_floor(seconds);
    return (SysTime){.s = (i64)whole, .ns = (u32)((seconds - whole) * 1e9)};
}

/* Bytes at offset n[0], n[1] of them; more than there are is an error of the caller. */
static bool take_range(Js *js, FsOp *op, JsVal v, JsArgs args, u32 i)
{
    JsBytes bytes;
    i64 off = js_get_i64(js, js_arg(args, i + 1)), len = js_get_i64(js, js_arg(args, i + 2));
    if (!js_bytes(js, v, &bytes)) return true;
    if (off < 0 || len < 0 || (u64)off > bytes.n || (u64)len > bytes.n - (u64)off) {
        js_throw_range_error(js, "The range is outside of the buffer");
        return false;
    }
    op->bytes = bytes.p + off;
    op->n_bytes = (usize)len;
    return true;
}

static bool take_data(Js *js, FsOp *op, JsVal v)
{
    JsBytes bytes;
    Str text;
    if (!js_bytes(js, v, &bytes)) {
        if (!js_to_str(js, op->arena, v, &text)) return false;
        op->bytes = (u8 *)(uintptr_t)text.p;
        op->n_bytes = text.n;
        return true;
    }
    op->bytes = bytes.p;
    op->n_bytes = bytes.n;
    return true;
}

/* All parts one behind the other; for reading only their room. */
static bool take_parts(Js *js, FsOp *op, JsVal list, bool is_input)
{
    u32 n;
    usize total = 0;
    if (!js_array_len(js, list, &n)) return false;
    for (u32 pass = 0; pass < 2; pass++) {
        usize at = 0;
        for (u32 i = 0; i < n; i++) {
            JsBytes bytes;
            JsVal v = js_get_index(js, list, i);
            if (!v) return false;
            if (!js_bytes(js, v, &bytes)) continue;
            if (pass && at + bytes.n <= total && is_input && bytes.n)
                memcpy(op->bytes + at, bytes.p, bytes.n);
            at += bytes.n;
        }
        if (pass) break;
        total = at;
        op->bytes = arena_alloc(op->arena, MAX(total, 1u), 1);
    }
    op->n_bytes = total;
    return true;
}

static bool take_one(Js *js, FsOp *op, char letter, JsArgs args, u32 i)
{
    JsVal v = js_arg(args, i);
    bool is_fd = letter == 'f' || (letter == 'x' && js_is_number(js, v));
    if (is_fd) {
        op->fd = js_get_i32(js, v);
        op->has_fd = true;
        return true;
    }
    switch (letter) {
    case 'p':
    case 'x': return take_path(js, op, v, &op->path[0]);
    case 'q': return take_path(js, op, v, &op->path[1]);
    case 'i':
        op->n[op->n_numbers++] = js_is_number(js, v) ? js_get_i64(js, v) : js_truthy(js, v);
        return true;
    case 'o': return take_position(js, v, &op->n[op->n_numbers++]);
    case 't': op->t[op->n_times++] = time_of(js_get_number(js, v)); return true;
    case 'b':
    case 'B': return take_range(js, op, v, args, i);
    case 'v':
    case 'V': return take_parts(js, op, v, letter == 'v');
    case 'd': return take_data(js, op, v);
    case 'm': op->is_missing_ok = js_truthy(js, v); return true;
    default: BUG("unknown letter in FsKind.params");
    }
}

static bool take(Js *js, FsOp *op, JsArgs args)
{
    op->fd = -1;
    op->syscall = op->kind->syscall;
    for (u32 i = 0; op->kind->params[i]; i++)
        if (!take_one(js, op, op->kind->params[i], args, i + 1)) return false;
    return true;
}

static JsVal argument(const FsOp *op, JsArgs args, char letter)
{
    const char *at = strchr(op->kind->params, letter);
    return at ? js_arg(args, (u32)(at - op->kind->params) + 1) : NULL;
}

/* ---- Errors and results
 * ---------------------------------------------------------------------------- */

JsVal fs_error(Js *js, const FsOp *op, i64 rc)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    bool has_path = op->path[0].n && !op->has_no_path, has_dest = has_path && op->path[1].n;
    const char *code = err_name((int)rc);
    Str message = str_fmt(s.arena, "%s: %s, %s", code, err_text((int)rc), op->syscall);
    if (has_path) message = str_fmt(s.arena, "%.*s '%.*s'", STR_ARG(message), STR_ARG(op->path[0]));
    if (has_dest)
        message = str_fmt(s.arena, "%.*s -> '%.*s'", STR_ARG(message), STR_ARG(op->path[1]));
    JsVal error = js_make_error(js, message);
    bool ok = js_set(js, error, "errno", js_int(js, (i32)rc)) &&
              js_set(js, error, "code", js_str(js, str_z(code))) &&
              js_set(js, error, "syscall", js_str(js, str_z(op->syscall))) &&
              (!has_path || js_set(js, error, "path", js_str(js, op->path[0]))) &&
              (!has_dest || js_set(js, error, "dest", js_str(js, op->path[1])));
    return ok ? error : js_catch(js);
}

static JsVal result_of(Js *js, FsOp *op, i64 rc)
{
    return op->kind->result ? op->kind->result(js, op, rc) : JS_UNDEFINED;
}

static bool is_missing(const FsOp *op, i64 rc)
{
    return op->is_missing_ok && (rc == -ENOENT || rc == -ENOTDIR);
}

/* ---- Now
 * ------------------------------------------------------------------------------------------- */

/* What was read lands where the parts are; they may have changed since. */
static bool scatter(Js *js, const FsOp *op, JsVal list, usize n)
{
    u32 len;
    usize at = 0;
    if (!js_array_len(js, list, &len)) return false;
    for (u32 i = 0; i < len && at < n; i++) {
        JsBytes bytes;
        JsVal v = js_get_index(js, list, i);
        if (!v) return false;
        if (!js_bytes(js, v, &bytes)) continue;
        usize part = MIN(bytes.n, n - at);
        if (part) memcpy(bytes.p, op->bytes + at, part);
        at += part;
    }
    return true;
}

bool fs_run_now(Js *js, FsOp *op, Arena *a, const FsKind *kind, JsArgs args, i64 *ret_rc)
{
    *op = (FsOp){.kind = kind, .arena = a};
    if (!take(js, op, args)) return false;
    *ret_rc = kind->run(op);
    return true;
}

static JsVal call_now(Js *js, const FsKind *kind, JsArgs args)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    FsOp op;
    i64 rc;
    if (!fs_run_now(js, &op, s.arena, kind, args, &rc)) return NULL;
    JsVal result;
    JsVal parts = argument(&op, args, 'V');
    if (is_missing(&op, rc))
        result = JS_UNDEFINED;
    else if (rc < 0)
        result = js_throw(js, fs_error(js, &op, rc));
    else if (parts && !scatter(js, &op, parts, (usize)rc))
        result = NULL;
    else
        result = result_of(js, &op, rc);
    Buf_deinit(&op.content);
    return result;
}

/* ---- On the loop
 * ----------------------------------------------------------------------------------- */

static void op_free(FsOp *op)
{
    Js *js = op->vm->js;
    js_ref_clear(js, &op->callback);
    js_ref_clear(js, &op->target);
    Buf_deinit(&op->content);
    arena_deinit(&op->own);
    mem_free(op);
}

/* Copies what was read into the caller's memory; false with an exception. */
static bool deliver(Js *js, FsOp *op, i64 rc)
{
    JsVal target = js_ref_get(js, &op->target);
    if (!target || rc <= 0) return true;
    if (js_is_array(js, target)) return scatter(js, op, target, (usize)rc);
    JsBytes bytes;
    usize off = (usize)op->n[0];
    if (js_bytes(js, target, &bytes) && off < bytes.n)
        memcpy(bytes.p + off, op->bytes, MIN((usize)rc, bytes.n - off));
    return true;
}

static void on_done(LoopReq *done, i64 rc)
{
    FsOp *op = CONTAINER(FsOp, req, done);
    Vm *vm = op->vm;
    Js *js = vm->js;
    JsVal callback = js_ref_get(js, &op->callback);
    JsVal error = JS_NULL, value = JS_UNDEFINED;
    bool has_value = op->kind->result;
    if (is_missing(op, rc)) {
        value = JS_UNDEFINED;
    } else if (rc < 0) {
        error = fs_error(js, op, rc);
    } else {
        value = deliver(js, op, rc) ? result_of(js, op, rc) : NULL;
        if (!value) error = js_catch(js);
    }
    op_free(op);
    if (value && has_value)
        vm_call(vm, callback, JS_ARGS(error, value));
    else
        vm_call(vm, callback, JS_ARGS(error));
}

static i64 work(LoopReq *done)
{
    FsOp *op = CONTAINER(FsOp, req, done);
    return op->kind->run(op);
}

/* JavaScript goes on meanwhile: the operation gets memory of its own. */
static void own_bytes(Js *js, FsOp *op, JsArgs args)
{
    JsVal target = argument(op, args, 'B'), parts = argument(op, args, 'V');
    if (target) {
        js_ref_set_strong(js, &op->target, target);
        op->bytes = arena_alloc(op->arena, MAX(op->n_bytes, 1u), 1);
    } else if (parts) {
        js_ref_set_strong(js, &op->target, parts);
    } else if (op->bytes && !argument(op, args, 'v')) {
        u8 *copy = arena_alloc_dirty(op->arena, MAX(op->n_bytes, 1u), 1);
        if (op->n_bytes) memcpy(copy, op->bytes, op->n_bytes);
        op->bytes = copy;
    }
}

static JsVal call_later(Js *js, const FsKind *kind, JsArgs args)
{
    FsOp *op = MEM_NEW(FsOp);
    op->kind = kind;
    op->vm = vm_of(js);
    op->arena = &op->own;
    if (!take(js, op, args)) {
        op_free(op);
        return NULL;
    }
    own_bytes(js, op, args);
    js_ref_set_strong(js, &op->callback, js_arg(args, 0));
    op->req.on_done = on_done;
    loop_req_work(op->vm->loop, &op->req, work);
    return JS_UNDEFINED;
}

JsVal fs_call(Js *js, const FsKind *kind, JsArgs args)
{
    return js_is_undefined(js_arg(args, 0)) ? call_now(js, kind, args) : call_later(js, kind, args);
}
