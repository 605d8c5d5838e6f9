/* engine/js_class.c -- objects that carry a native pointer, and functions that do.
 *
 * Every object of a class has a Wrap behind the C API's private pointer.  The engine may destroy it
 * on any thread, so the finaliser takes the pointer out and touches nothing else. */
#include "engine/js_internal.h"

#include "engine/js_private.h"
#include "util/mem.h"

typedef struct {
    const JsClass *cls;
    void *native;
} Wrap;

static void finalize_wrap(JSObjectRef obj)
{
    Wrap *wrap = JSObjectGetPrivate(obj);
    if (!wrap) return;
    if (wrap->native && wrap->cls->finalize) wrap->cls->finalize(wrap->native);
    mem_free(wrap);
}

static JSClassRef class_ref(Js *js, const JsClass *cls)
{
    bool is_new;
    u64 *slot = id_map_put(&js->arena, &js->classes, (u64)(uintptr_t)cls, &is_new);
    if (is_new) {
        JSClassDefinition definition = kJSClassDefinitionEmpty;
        definition.attributes = kJSClassAttributeNoAutomaticPrototype;
        definition.className = cls->name;
        definition.finalize = finalize_wrap;
        *slot = (u64)(uintptr_t)JSClassCreate(&definition);
    }
    return (JSClassRef)(uintptr_t)*slot;
}

void js_classes_deinit(Js *js)
{
    u32 pos = 0;
    for (IdMapSlot *slot; (slot = id_map_next(&js->classes, &pos));) {
        JSClassRelease((JSClassRef)(uintptr_t)slot->value);
    }
    if (js->closure_class) JSClassRelease(js->closure_class);
}

JsVal js_wrap(Js *js, const JsClass *cls, void *native)
{
    ASSERT(cls->name);
    Wrap *wrap = MEM_NEW(Wrap);
    *wrap = (Wrap){cls, native};
    JsVal v = js_val_of(JSObjectMake(js->ctx, class_ref(js, cls), wrap));
    if (UNLIKELY(!js->wrap_info)) js->wrap_info = js_private_class_info(v);
    return v;
}

/* The Wrap of `v`, or NULL.  Objects of our other class have no Wrap, so the class is asked first.
 */
static Wrap *find_wrap(Js *js, JsVal v, const JsClass *cls)
{
    if (!js_is_object(js, v)) return NULL;
    if (js->wrap_info && js_private_class_info(v) != js->wrap_info) return NULL;
    u64 *slot = id_map_find(&js->classes, (u64)(uintptr_t)cls);
    if (!slot) return NULL;
    if (!JSValueIsObjectOfClass(js->ctx, js_ref_of(v), (JSClassRef)(uintptr_t)*slot)) return NULL;
    return JSObjectGetPrivate(js_obj_of(v));
}

void *js_unwrap(Js *js, JsVal v, const JsClass *cls)
{
    Wrap *wrap = find_wrap(js, v, cls);
    return wrap ? wrap->native : NULL;
}

void *js_unwrap_handle(Js *js, JsVal v, const JsClass *cls)
{
    void *native = js_unwrap(js, v, cls);
    if (UNLIKELY(!native)) (void)js_throw_illegal(js);
    return native;
}

void *js_unwrap_take(Js *js, JsVal v, const JsClass *cls)
{
    Wrap *wrap = find_wrap(js, v, cls);
    return wrap ? TAKE(wrap->native) : NULL;
}

void js_report_memory(Js *js, i64 delta)
{
    /* The engine counts what was added since the last collection; it measures what is left itself.
     */
    if (delta > 0 && JSReportExtraMemoryCost) JSReportExtraMemoryCost(js->ctx, (usize)delta);
}

/* ---- Closures
 * --------------------------------------------------------------------------------------- */

typedef struct {
    JscHostCallable base;
    JsClosure *call;
    void *data;
    void (*free_fn)(void *data);
} Closure;

static void free_closure(Closure *closure)
{
    if (closure->free_fn) closure->free_fn(closure->data);
    mem_free(closure);
}

static void destroy(JscHostCallable *self)
{
    (void)self;
}
static void destroy_and_free(JscHostCallable *self)
{
    free_closure((Closure *)(void *)self);
}

static u64 call_fast(JscHostCallable *self, void *global, void **frame)
{
    Closure *closure = (Closure *)(void *)self;
    Js *js = js_current();
    return js_leave_native(js, global, closure->call(js, closure->data, js_frame_args(frame)));
}

static JSValueRef call_slow(JSContextRef ctx, JSObjectRef fn, JSObjectRef self, usize n,
                            const JSValueRef at[], JSValueRef *exception)
{
    (void)ctx;
    Closure *closure = JSObjectGetPrivate(fn);
    Js *js = js_current();
    JsArgs args = {.self = js_val_of(self), .at = (const JsVal *)(const void *)at, .len = (u32)n};
    js_relock(js);
    const void *v =
        js_leave_slow(js, closure->call(js, closure->data, args), (const void **)exception);
    js_unlock_again(js);
    return v;
}

static void finalize_closure(JSObjectRef obj)
{
    free_closure(JSObjectGetPrivate(obj));
}

static JsVal make_slow_closure(Js *js, const char *name, Closure *closure)
{
    if (!js->closure_class) {
        JSClassDefinition definition = kJSClassDefinitionEmpty;
        definition.attributes = kJSClassAttributeNoAutomaticPrototype;
        definition.className = "Function";
        definition.callAsFunction = call_slow;
        definition.finalize = finalize_closure;
        js->closure_class = JSClassCreate(&definition);
    }
    JsVal fn = js_val_of(JSObjectMake(js->ctx, js->closure_class, closure));
    JsVal function = js_get(js, js_global(js), "Function");
    JsVal proto = function ? js_get(js, function, "prototype") : NULL;
    if (!proto) return NULL;
    js_set_proto(js, fn, proto);
    return js_define(js, fn, "name", js_str(js, str_z(name)), false) ? fn : NULL;
}

JsVal js_closure(Js *js, const char *name, JsClosure *call, void *data, void (*free_fn)(void *data))
{
    static const struct JscHostCallableTable table = {destroy, destroy_and_free, call_fast};
    Closure *closure = MEM_NEW(Closure);
    *closure = (Closure){.base.table = &table, .call = call, .data = data, .free_fn = free_fn};
    if (!js_has_fast_natives(js) || !jsc_std_function_create) {
        return make_slow_closure(js, name, closure);
    }
    JscHostCallable *take = &closure->base;
    const JscStringImpl *text = js_name_impl(js_name(js, str_z(name)));
    void *fn = jsc_std_function_create(js->vm, js->ctx, 0, &text, &take, 0, js_not_a_constructor);
    if (take) take->table->destroy_and_free(take);
    return (JsVal)fn;
}
