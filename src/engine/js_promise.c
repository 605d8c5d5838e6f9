/* engine/js_promise.c -- promises, microtasks, and what the engine asks of its host: to track
 * rejections without a handler and to import modules.
 *
 * The engine calls its host through a table of functions that every global object points to.  Ours
 * gets a copy with two entries filled in. */
#include "engine/js_internal.h"

#include <link.h>
#include <string.h>

#include "engine/js_private.h"

void js_drain_microtasks(Js *js)
{
    ASSERT(js->enter_depth > 0);
    ASSERT(!js->pending);
    if (LIKELY(jsc_drain_microtasks != NULL)) {
        jsc_drain_microtasks(js->vm);
        return;
    }
    /* Without the function: letting go of the lock drains too, but not inside a native call. */
    u32 depth = js->enter_depth;
    js->enter_depth = 1;
    js_leave(js);
    js_enter(js);
    js->enter_depth = depth;
}

bool js_promise(Js *js, JsPromise *ret)
{
    JSValueRef exception = NULL;
    JSObjectRef resolve, reject;
    JSObjectRef promise = JSObjectMakeDeferredPromise(js->ctx, &resolve, &reject, &exception);
    if (!js_result_ok(js, exception)) return false;
    *ret = (JsPromise){js_val_of(promise), js_val_of(resolve), js_val_of(reject)};
    return true;
}

/* The engine's own functions, once a promise is known whose Structure they can have. */
static bool has_own_promises(void)
{
    return jsc.has_layout && jsc_promise_create && jsc_promise_resolve && jsc_promise_reject;
}

bool js_deferred_init(Js *js, JsDeferred *d)
{
    *d = (JsDeferred){0};
    if (LIKELY(js->promise_structure != NULL)) {
        js_ref_set_strong(js, &d->promise,
                          (JsVal)jsc_promise_create(js->vm, js->promise_structure));
        return true;
    }
    JsPromise p;
    if (!js_promise(js, &p)) return false;
    if (has_own_promises()) js->promise_structure = js_private_structure(p.promise);
    js_ref_set_strong(js, &d->promise, p.promise);
    js_ref_set_strong(js, &d->resolve, p.resolve);
    js_ref_set_strong(js, &d->reject, p.reject);
    return true;
}

bool js_deferred_settle(Js *js, JsDeferred *d, JsVal v, bool is_rejected)
{
    JsVal promise = js_ref_get(js, &d->promise);
    JsVal fn = js_ref_get(js, is_rejected ? &d->reject : &d->resolve);
    js_ref_clear(js, &d->promise);
    js_ref_clear(js, &d->resolve);
    js_ref_clear(js, &d->reject);
    if (fn) return js_call(js, fn, JS_UNDEFINED, JS_ARGS(v));
    (is_rejected ? jsc_promise_reject : jsc_promise_resolve)((void *)(uintptr_t)promise, js->ctx,
                                                             js_bits(v));
    return true;
}

bool js_promise_peek(Js *js, JsVal v, JsPromiseState *ret_state, JsVal *ret_result)
{
    if (!jsc.has_layout || !jsc_promise_status || !jsc_promise_result) return false;
    if (!js_is_object(js, v) || ((const u8 *)v)[CELL_TYPE] != TYPE_PROMISE) return false;
    unsigned status = jsc_promise_status(v, js->vm);
    *ret_state = status == 1   ? JS_PROMISE_FULFILLED
                 : status == 2 ? JS_PROMISE_REJECTED
                               : JS_PROMISE_PENDING;
    *ret_result = status ? js_from_bits(jsc_promise_result(v, js->vm)) : JS_UNDEFINED;
    return true;
}

/* ---- The host's table
 * ------------------------------------------------------------------------------------ */

enum {
    HOST_TABLE = 0xd48, /* byte offset in a global object */
    HOST_IMPORT = 5,
    HOST_REJECTION = 10,
    HOST_LEN = 22,
};
/* The entries that the C API's table leaves empty: 3, 5 to 10, 15 to 18. */
enum { HOST_EMPTY = 1 << 3 | 0x3f << 5 | 0xf << 15 };

static const void *host_table[HOST_LEN];

static void track_rejection(void *global, void *promise, unsigned operation)
{
    (void)global;
    Js *js = js_current();
    if (!js->on_rejection) return;
    JsPromiseState state;
    JsVal reason;
    if (!js_promise_peek(js, (JsVal)promise, &state, &reason)) return;
    js->on_rejection(js, (JsVal)promise, reason, operation == 1);
}

/* The URL of the calling script: a SourceOrigin starts with a URL, which starts with its text. */
static Str origin_url(Arena *a, const JscStringImpl *const *origin)
{
    return *origin ? js_impl_to_str(a, *origin) : (Str){0};
}

static void *import_module(void *global, void *loader, void *specifier, u64 parameters,
                           void *origin)
{
    (void)loader, (void)parameters;
    Js *js = js_current();
    AUTO(Scratch) s = scratch_begin(NULL);
    JsVal promise = js->on_import ? js->on_import(js, (JsVal)specifier, JS_UNDEFINED,
                                                  origin_url(s.arena, origin))
                                  : js_throw_type_error(js, "import() is not available here");
    if (promise) return (void *)(uintptr_t)promise;
    JsVal exception = js_take_pending(js);
    ASSERT(exception);
    (void)jsc_throw(js->vm, global, js_bits(exception));
    return NULL;
}

typedef struct {
    uintptr_t at, len;
    bool is_code, found;
} ImageQuery;

/* Does one loaded segment hold the whole range? */
static int look_at_image(struct dl_phdr_info *info, size_t size, void *data)
{
    (void)size;
    ImageQuery *q = data;
    for (u32 i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *ph = &info->dlpi_phdr[i];
        uintptr_t start = info->dlpi_addr + ph->p_vaddr;
        if (ph->p_type != PT_LOAD || q->at < start || q->at + q->len > start + ph->p_memsz)
            continue;
        q->found = !q->is_code || ph->p_flags & PF_X;
        return 1;
    }
    return 0;
}

static bool is_in_image(const void *p, usize len, bool is_code)
{
    ImageQuery q = {.at = (uintptr_t)p, .len = len, .is_code = is_code};
    (void)dl_iterate_phdr(look_at_image, &q);
    return q.found;
}

/* Is this the table we know: mapped from a file, with code where it should be and nothing
 * elsewhere? */
static bool check_table(const void *const *table)
{
    if (!is_in_image(table, HOST_LEN * sizeof *table, false)) return false;
    for (u32 i = 0; i < HOST_LEN; i++) {
        if (HOST_EMPTY >> i & 1 ? table[i] != NULL : !table[i]) return false;
    }
    return is_in_image(table[0], 1, true) && is_in_image(table[HOST_LEN - 1], 1, true);
}

bool js_promise_hook(JSContextRef ctx)
{
    if (!jsc.has_layout || !jsc_throw) return false;
    const void **slot = (const void **)((uintptr_t)ctx + HOST_TABLE);
    const void *const *table = *slot;
    if (!check_table(table)) return false;
    /* Every machine writes the same words, so it does not matter who was first. */
    const void *copy[HOST_LEN];
    memcpy(copy, table, sizeof copy);
    copy[HOST_IMPORT] = (const void *)import_module;
    copy[HOST_REJECTION] = (const void *)track_rejection;
    for (u32 i = 0; i < HOST_LEN; i++) __atomic_store_n(&host_table[i], copy[i], __ATOMIC_RELAXED);
    *slot = host_table;
    return true;
}

static bool hook_host(Js *js)
{
    if (!js->is_host_hooked) js->is_host_hooked = js_promise_hook(js->ctx);
    return js->is_host_hooked;
}

/* Without the table: the C API reports unhandled rejections after a drain. */
static JSValueRef report_unhandled(JSContextRef ctx, JSObjectRef fn, JSObjectRef self, usize n,
                                   const JSValueRef at[], JSValueRef *exception)
{
    (void)fn, (void)self, (void)exception;
    Js *js = js_current();
    js_relock(js);
    if (n >= 2 && js->on_rejection) {
        js->on_rejection(js, js_val_of(at[0]), js_val_of(at[1]), false);
    }
    js_unlock_again(js);
    return JSValueMakeUndefined(ctx);
}

void js_on_rejection(Js *js, JsRejectionFn *fn)
{
    bool is_first = !js->on_rejection;
    js->on_rejection = fn;
    if (hook_host(js) || !is_first || !JSGlobalContextSetUnhandledRejectionCallback) return;
    JSValueRef exception = NULL;
    JSObjectRef callback = JSObjectMakeFunctionWithCallback(js->ctx, NULL, report_unhandled);
    JSGlobalContextSetUnhandledRejectionCallback(js->ctx, callback, &exception);
}

void js_on_import(Js *js, JsImportFn *fn)
{
    js->on_import = fn;
    (void)hook_host(js);
}
