/* engine/js_promise.c -- promises and microtasks. */
#include "engine/js_internal.h"

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
