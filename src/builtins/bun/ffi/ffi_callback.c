/* bun/ffi/ffi_callback.c -- JavaScript functions that C can call.
 *
 * A callback that is called on the thread of its Vm runs at once.  From another thread only one
 * made for it does anything: the arguments are copied and the call happens later, on our thread;
 * the caller gets zero.  A callback that is closed while it runs, or while such calls are under
 * way, lives until they are over (`holders`). */
#include "builtins/bun/ffi/ffi_value.h"
#include "util/mem.h"

#include <stdatomic.h>
#include <string.h>
#include <threads.h>

typedef struct {
    FfiSignature signature;
    ffi_closure *closure;
    Vm *vm;
    JsRef fn;
    LoopMail *mail; /* NULL: only on our thread */
    thrd_t thread;
    atomic_uint holders;
    bool is_closed; /* on our thread only */
} Callback;

typedef struct {
    Callback *callback;
    FfiValue args[FFI_ARGS_MAX];
} Posted;

static const JsClass callback_class = {.name = "FfiCallback"};

static void drop(Callback *c)
{
    if (atomic_fetch_sub(&c->holders, 1) > 1) return;
    ffi_closure_free(c->closure);
    if (c->mail) (void)loop_mail_unref_mt(c->mail);
    mem_free(c);
}

/* NULL: an exception is pending. */
static JsVal run(Callback *c, const FfiValue *args)
{
    Js *js = c->vm->js;
    JsVal fn = js_ref_get(js, &c->fn), values[FFI_ARGS_MAX];
    if (!fn || c->is_closed) return JS_UNDEFINED;
    u32 n = c->signature.n_args;
    for (u32 i = 0; i < n; i++) values[i] = ffi_value_js(js, c->signature.kinds[i], &args[i]);
    return js_call(js, fn, JS_UNDEFINED, (JsArgs){.at = values, .len = n});
}

static void on_posted(void *data)
{
    Posted *p = data;
    Callback *c = p->callback;
    if (!run(c, p->args)) vm_report_pending(c->vm);
    mem_free(p);
    drop(c);
}

static void copy_args(const Callback *c, void **at, FfiValue *ret)
{
    for (u32 i = 0; i < c->signature.n_args; i++)
        memcpy(&ret[i], at[i], MIN(c->signature.types[i]->size, sizeof(FfiValue)));
}

static void post(Callback *c, void **at)
{
    if (!c->mail) return;
    Posted *p = MEM_NEW(Posted);
    p->callback = c;
    copy_args(c, at, p->args);
    atomic_fetch_add(&c->holders, 1);
    if (loop_mail_post_mt(c->mail, on_posted, p) == 0) return;
    mem_free(p);
    drop(c);
}

/* What C calls. */
static void on_call(UNUSED ffi_cif *cif, void *result, void **at, void *data)
{
    Callback *c = data;
    FfiValue value = {0}, args[FFI_ARGS_MAX];
    ffi_type *type = c->signature.cif.rtype;
    usize size = type == &ffi_type_void ? 0 : MAX(type->size, sizeof(ffi_arg));
    memset(result, 0, size);
    if (!thrd_equal(thrd_current(), c->thread) || c->mail) {
        post(c, at);
        return;
    }
    Js *js = c->vm->js;
    if (js_is_pending(js)) return; /* C goes on after an exception: nothing more runs */
    atomic_fetch_add(&c->holders, 1);
    copy_args(c, at, args);
    AUTO(Scratch) scratch = scratch_begin(NULL);
    JsVal v = run(c, args);
    bool ok = v && (c->signature.result == FFI_VOID ||
                    ffi_value_read(js, scratch.arena, c->signature.result, v, &value));
    if (!ok && !ffi_is_calling()) vm_report_pending(c->vm);
    if (ok) {
        ffi_value_widen(c->signature.result, &value);
        memcpy(result, &value, MIN(size, sizeof value));
    }
    drop(c);
}

JsVal ffi_callback_open(Js *js, JsArgs args)
{
    Callback *c = MEM_NEW(Callback);
    if (!ffi_signature_init(js, js_arg(args, 1), js_get_i32(js, js_arg(args, 2)), &c->signature)) {
        mem_free(c);
        return NULL;
    }
    void *code = NULL;
    c->closure = ffi_closure_alloc(sizeof(ffi_closure), &code);
    if (!c->closure ||
        ffi_prep_closure_loc(c->closure, &c->signature.cif, on_call, c, code) != FFI_OK) {
        if (c->closure) ffi_closure_free(c->closure);
        mem_free(c);
        return js_throw_error(js, "no memory for a callback");
    }
    c->vm = vm_of(js);
    c->thread = thrd_current();
    atomic_init(&c->holders, 1);
    if (js_truthy(js, js_arg(args, 3))) c->mail = loop_mail(c->vm->loop);
    js_ref_set_strong(js, &c->fn, js_arg(args, 0));
    JsVal out[] = {js_wrap(js, &callback_class, c), js_number(js, (f64)(uintptr_t)code)};
    return js_array(js, out, COUNT(out));
}

JsVal ffi_callback_close(Js *js, JsArgs args)
{
    Callback *c = js_unwrap_take(js, js_arg(args, 0), &callback_class);
    if (!c) return JS_UNDEFINED;
    c->is_closed = true;
    js_ref_clear(js, &c->fn);
    drop(c);
    return JS_UNDEFINED;
}
