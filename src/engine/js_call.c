/* engine/js_call.c -- calls from native code into JavaScript.
 *
 * The C API converts `this` to an object and takes none for the global one, which strict functions
 * would notice; so the engine's own call is used once it has proved itself on two test functions.
 */
#include "engine/js_internal.h"

#include "engine/js_private.h"

enum { EXCEPTION_VALUE = 1 }; /* word of an Exception */

/* JSC::ArgList */
struct JscArgList {
    const JsVal *at;
    i32 len;
    bool has_overflowed;
};

static bool has_engine_call(void)
{
    return jsc.has_layout && jsc_call && jsc_function_call_data;
}

static JsVal call_engine(Js *js, JsVal fn, JsVal self, JsArgs args)
{
    JscCallData data;
    void *exception = NULL;
    struct JscArgList list = {.at = args.at, .len = (i32)args.len};
    jsc_function_call_data(&data, fn);
    u64 v = jsc_call(js->ctx, fn, &data, self, &list, &exception);
    if (LIKELY(!exception)) return js_from_bits(v);
    return js_set_pending(js, ((const JSValueRef *)exception)[EXCEPTION_VALUE]);
}

static u64 test_this(void *global, void **frame)
{
    (void)global;
    JsArgs args = js_frame_args(frame);
    bool ok = js_is_undefined(args.self) && args.len == 2 && args.at[1] == JS_TRUE;
    return js_bits(ok ? args.at[0] : JS_NULL);
}

/* One call that returns and one that throws. */
static bool test_engine_call(Js *js)
{
    if (!has_engine_call() || !js_has_fast_natives(js)) return false;
    JsVal expected = js_int(js, 4711);
    JsVal v =
        call_engine(js, js_host_function(js, test_this), JS_UNDEFINED, JS_ARGS(expected, JS_TRUE));
    if (v != expected) return false;
    v = call_engine(js, js_host_function(js, js_not_a_constructor), JS_UNDEFINED, JS_NO_ARGS);
    JsVal exception = js_take_pending(js);
    return !v && exception && js_is_error(js, exception);
}

static COLD JsVal not_callable(Js *js, const char *what)
{
    return js_throw_type_error(js, "value is not a %s", what);
}

static JsVal call_api(Js *js, JsVal fn, JsVal self, JsArgs args)
{
    JSValueRef exception = NULL;
    JSObjectRef obj = NULL;
    if (!js_is_nullish(self)) {
        obj = JSValueToObject(js->ctx, js_ref_of(self), &exception);
        if (!js_result_ok(js, exception)) return NULL;
    }
    JSValueRef v = JSObjectCallAsFunction(js->ctx, js_obj_of(fn), obj, args.len,
                                          js_refs_of(args.at), &exception);
    if (UNLIKELY(exception)) return js_set_pending(js, exception);
    return v ? js_val_of(v) : not_callable(js, "function");
}

JsVal js_call(Js *js, JsVal fn, JsVal self, JsArgs args)
{
    ASSERT(self);
    ASSERT(!js->pending);
    if (!fn || !js_is_object(js, fn)) return not_callable(js, "function");
    if (UNLIKELY(!js->is_call_tested)) {
        js->is_call_tested = true;
        js->has_engine_call = test_engine_call(js);
    }
    bool is_function = jsc.has_layout && ((const u8 *)fn)[CELL_TYPE] == TYPE_FUNCTION;
    if (LIKELY(js->has_engine_call && is_function)) return call_engine(js, fn, self, args);
    return call_api(js, fn, self, args);
}

JsVal js_construct(Js *js, JsVal fn, JsArgs args)
{
    ASSERT(!js->pending);
    if (!fn || !js_is_object(js, fn)) return not_callable(js, "constructor");
    JSValueRef exception = NULL;
    JSValueRef v = JSObjectCallAsConstructor(js->ctx, js_obj_of(fn), args.len, js_refs_of(args.at),
                                             &exception);
    if (UNLIKELY(exception)) return js_set_pending(js, exception);
    return v ? js_val_of(v) : not_callable(js, "constructor");
}
