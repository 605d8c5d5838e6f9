/* engine/js_native.c -- native functions.
 *
 * The fast path makes a host function of the engine itself.  Its frame holds, in 8-byte slots: the
 * argument count including `this` (low half of slot 4), `this` (5) and the arguments (6 and up).
 * Before it is trusted a test function is called through it once; otherwise the C API makes the
 * functions. */
#include "engine/js_internal.h"

#include <string.h>

#include "engine/js_private.h"

enum { FRAME_COUNT = 4, FRAME_THIS = 5, FRAME_ARGS = 6 };

static COLD u64 throw_from_host(Js *js, void *global)
{
    JsVal exception = js_take_pending(js);
    ASSERT(exception);
    if (!js_throw_termination(js, global)) (void)jsc_throw(js->vm, global, js_bits(exception));
    return 0;
}

JsArgs js_frame_args(void **frame)
{
    return (JsArgs){
        .self = (JsVal)frame[FRAME_THIS],
        .at = (const JsVal *)(void *)(frame + FRAME_ARGS),
        .len = (u32)(uintptr_t)frame[FRAME_COUNT] - 1,
    };
}

u64 js_leave_native(Js *js, void *global, JsVal v)
{
    if (UNLIKELY(js->gc_stress)) js_gc(js, true);
    if (UNLIKELY(!v)) return throw_from_host(js, global);
    ASSERT(!js->pending);
    return js_bits(v);
}

const void *js_leave_slow(Js *js, JsVal v, const void **exception)
{
    if (UNLIKELY(js->gc_stress)) js_gc(js, true);
    if (UNLIKELY(!v)) {
        JsVal pending = js_take_pending(js);
        ASSERT(pending);
        JsVal termination = js_termination(js);
        *exception = termination ? termination : pending;
        return NULL;
    }
    ASSERT(!js->pending);
    return v;
}

u64 js_enter_fast(void *global, void **frame, JsNative *call)
{
    Js *js = js_current();
    JsArgs args;
    /* The structure is passed in memory, copied by words: a length stored as half a word would be
     * waited for. */
    u64 words[3] = {(u64)(uintptr_t)frame[FRAME_THIS], (u64)(uintptr_t)(frame + FRAME_ARGS),
                    (u32)(uintptr_t)frame[FRAME_COUNT] - 1};
    _Static_assert(sizeof(args) == sizeof(words), "three words");
    memcpy(&args, words, sizeof(args));
    return js_leave_native(js, global, call(js, args));
}

const void *js_enter_slow(const void *ctx, void *self, usize n, const void *const at[],
                          const void **exception, JsNative *call)
{
    (void)ctx;
    Js *js = js_current();
    JsArgs args = {.self = (JsVal)self, .at = (const JsVal *)(const void *)at, .len = (u32)n};
    js_relock(js);
    const void *result = js_leave_slow(js, call(js, args), exception);
    js_unlock_again(js);
    return result;
}

/* ---- Self-test
 * ----------------------------------------------------------------------------------- */

static u64 test_host(void *global, void **frame)
{
    (void)global;
    bool ok = (u32)(uintptr_t)frame[FRAME_COUNT] == 3 && (JsVal)frame[FRAME_ARGS + 1] == JS_TRUE;
    return ok ? (u64)(uintptr_t)frame[FRAME_ARGS] : BITS_UNDEFINED;
}

u64 js_not_a_constructor(void *global, void **frame)
{
    (void)frame;
    Js *js = js_current();
    (void)js_throw_type_error(js, "function is not a constructor");
    return throw_from_host(js, global);
}

const struct JscStringImpl *js_name_impl(const JsName *name)
{
    return jsc.has_layout ? jsc_string_impl(name->key) : NULL;
}

static JsVal make_host(Js *js, const char *name, JscHostFunction *call, u32 len)
{
    ASSERT(jsc_function_create);
    /* Without any name the engine lists a property `name` that there is not. */
    const JscStringImpl *text = js_name_impl(js_name(js, str_z(name ? name : "")));
    return (JsVal)jsc_function_create(js->vm, js->ctx, len, &text, call, 0, 0, js_not_a_constructor,
                                      NULL);
}

JsVal js_host_function(Js *js, JscHostFunction *call)
{
    return make_host(js, NULL, call, 0);
}

bool js_has_fast_natives(Js *js)
{
    if (LIKELY(js->is_fast_native_tested)) return js->has_fast_natives;
    js->is_fast_native_tested = true;
    if (!js->has_fast_natives || !jsc.has_layout || !jsc_function_create || !jsc_throw) {
        return js->has_fast_natives = false;
    }
    JsVal fn = make_host(js, NULL, test_host, 0), at[] = {js_int(js, 4711), JS_TRUE};
    JSValueRef v = JSObjectCallAsFunction(js->ctx, js_obj_of(fn), NULL, 2, js_refs_of(at), NULL);
    return js->has_fast_natives = js_val_of(v) == at[0];
}

JsVal js_function(Js *js, const JsFn *fn)
{
    return js_function_with_len(js, fn, 0);
}

JsVal js_function_with_len(Js *js, const JsFn *fn, u32 len)
{
    if (js_has_fast_natives(js)) return make_host(js, fn->name, fn->fast, len);
    JsName *name = js_name(js, str_z(fn->name));
    /* Same layout as JSObjectCallAsFunctionCallback, with opaque pointers. */
    JSObjectCallAsFunctionCallback slow = (JSObjectCallAsFunctionCallback)(void *)fn->slow;
    return js_val_of(JSObjectMakeFunctionWithCallback(js->ctx, name->ref, slow));
}

JsVal js_fn_table(Js *js, const JsFnTable *table)
{
    JsVal obj = js_object(js);
    for (u32 i = 0; i < table->len; i++) {
        JsVal fn = js_function(js, &table->fns[i]);
        if (!fn || !js_set(js, obj, table->fns[i].name, fn)) return NULL;
    }
    return obj;
}
