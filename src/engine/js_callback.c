/* engine/js_callback.c -- functions that carry a pointer and can be called with `new`.
 *
 * A call finds the pointer in the engine's std::function object; `new` enters through a function
 * that all share, which finds it through the callee.  That the callee keeps it where we look is
 * seen when the first one is made; otherwise, and without fast natives, the C API makes objects
 * that can be called; `new` of a subclass then makes an object of the class itself. */
#include "engine/js_internal.h"

#include "engine/js_private.h"
#include "util/mem.h"

enum { FRAME_CALLEE = 3, STD_FUNCTION_CALLABLE = 4 };

typedef struct {
    JscHostCallable base;
    JsCallback *call;
    void *data;
    void (*free_fn)(void *data);
} Callback;

static void free_callback(Callback *callback)
{
    if (callback->free_fn) callback->free_fn(callback->data);
    mem_free(callback);
}

static void destroy(JscHostCallable *self)
{
    (void)self;
}
static void destroy_and_free(JscHostCallable *self)
{
    free_callback((Callback *)(void *)self);
}

static u64 call_fast(JscHostCallable *self, void *global, void **frame)
{
    const Callback *callback = (const Callback *)(const void *)self;
    Js *js = js_current();
    JsVal v = callback->call(js, callback->data, js_frame_args(frame), NULL);
    return js_leave_native(js, global, v);
}

static u64 construct_fast(void *global, void **frame)
{
    void *const *callee = frame[FRAME_CALLEE];
    const Callback *callback = callee[STD_FUNCTION_CALLABLE];
    Js *js = js_current();
    JsArgs args = js_frame_args(frame);
    JsVal target = args.self;
    args.self = JS_UNDEFINED;
    return js_leave_native(js, global, callback->call(js, callback->data, args, target));
}

static JSValueRef call_slow(JSContextRef ctx, JSObjectRef fn, JSObjectRef self, usize n,
                            const JSValueRef at[], JSValueRef *exception)
{
    (void)ctx;
    const Callback *callback = JSObjectGetPrivate(fn);
    Js *js = js_current();
    JsArgs args = {.self = js_val_of(self), .at = (const JsVal *)(const void *)at, .len = (u32)n};
    js_relock(js);
    JsVal v = callback->call(js, callback->data, args, NULL);
    const void *result = js_leave_slow(js, v, (const void **)exception);
    js_unlock_again(js);
    return result;
}

static JSObjectRef construct_slow(JSContextRef ctx, JSObjectRef fn, usize n, const JSValueRef at[],
                                  JSValueRef *exception)
{
    (void)ctx;
    const Callback *callback = JSObjectGetPrivate(fn);
    Js *js = js_current();
    JsArgs args = {.self = JS_UNDEFINED, .at = (const JsVal *)(const void *)at, .len = (u32)n};
    js_relock(js);
    JsVal v = callback->call(js, callback->data, args, js_val_of(fn));
    const void *result = js_leave_slow(js, v, (const void **)exception);
    js_unlock_again(js);
    return (JSObjectRef)(uintptr_t)result;
}

/* v instanceof fn, which the C API leaves to the class. */
static bool has_instance(JSContextRef ctx, JSObjectRef fn, JSValueRef v, JSValueRef *exception)
{
    enum { CHAIN_MAX = 10000 };
    (void)ctx, (void)exception;
    Js *js = js_current();
    JsVal proto = js_get(js, js_val_of(fn), "prototype"), at = js_val_of(v);
    if (!proto) return js_take_pending(js), false;
    for (u32 i = 0; i < CHAIN_MAX && js_is_object(js, at); i++) {
        at = js_proto(js, at);
        if (at == proto) return true;
    }
    return false;
}

static void finalize(JSObjectRef obj)
{
    free_callback(JSObjectGetPrivate(obj));
}

static JsVal make_slow(Js *js, Str name, Callback *callback)
{
    if (!js->callback_class) {
        JSClassDefinition definition = kJSClassDefinitionEmpty;
        definition.attributes = kJSClassAttributeNoAutomaticPrototype;
        definition.className = "Function";
        definition.callAsFunction = call_slow;
        definition.callAsConstructor = construct_slow;
        definition.hasInstance = has_instance;
        definition.finalize = finalize;
        js->callback_class = JSClassCreate(&definition);
    }
    JsVal fn = js_val_of(JSObjectMake(js->ctx, js->callback_class, callback));
    JsVal function = js_get(js, js_global(js), "Function");
    JsVal proto = function ? js_get(js, function, "prototype") : NULL;
    if (!proto) return NULL;
    js_set_proto(js, fn, proto);
    return js_define(js, fn, "name", js_str(js, name), false) ? fn : NULL;
}

JsVal js_callback(Js *js, Str name, JsCallback *call, void *data, void (*free_fn)(void *data))
{
    static const struct JscHostCallableTable table = {destroy, destroy_and_free, call_fast};
    Callback *callback = MEM_NEW(Callback);
    *callback = (Callback){.base.table = &table, .call = call, .data = data, .free_fn = free_fn};
    if (!js_has_fast_natives(js) || !jsc_std_function_create) return make_slow(js, name, callback);
    JscHostCallable *take = &callback->base;
    JscStringImpl *text = js_make_impl(name);
    const JscStringImpl *borrowed = text;
    void *fn = jsc_std_function_create(js->vm, js->ctx, 0, &borrowed, &take, 0, construct_fast);
    js_drop_impl(text);
    ASSERT(!take);
    ASSERT(((void **)fn)[STD_FUNCTION_CALLABLE] == callback);
    return (JsVal)fn;
}
