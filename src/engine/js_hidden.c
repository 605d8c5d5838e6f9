/* engine/js_hidden.c -- one slot of an object that programs do not see: a property under a private
 * symbol of the engine, which no listing of keys shows and no handler of a Proxy is asked about. */
#include "engine/js_internal.h"

#include "engine/js_private.h"

static bool has_key(Js *js)
{
    if (LIKELY(js->hidden_key != NULL)) return true;
    if (!jsc.has_layout || !jsc_symbol_create || !(uintptr_t)jsc_hidden_name) return false;
    js->hidden_key = (JsVal)jsc_symbol_create(js->vm, jsc_hidden_name);
    JSValueProtect(js->ctx, js_ref_of(js->hidden_key));
    return true;
}

JsVal js_hidden_get(Js *js, JsVal obj)
{
    ASSERT(js_is_object(js, obj));
    if (!has_key(js)) return JS_UNDEFINED;
    JSValueRef exception = NULL;
    JSValueRef v =
        JSObjectGetPropertyForKey(js->ctx, js_obj_of(obj), js_ref_of(js->hidden_key), &exception);
    return exception || !v ? JS_UNDEFINED : js_val_of(v);
}

bool js_hidden_set(Js *js, JsVal obj, JsVal v)
{
    ASSERT(js_is_object(js, obj));
    if (!has_key(js)) return false;
    JSValueRef exception = NULL;
    JSObjectSetPropertyForKey(js->ctx, js_obj_of(obj), js_ref_of(js->hidden_key), js_ref_of(v),
                              kJSPropertyAttributeDontEnum, &exception);
    return !exception && js_same(js, js_hidden_get(js, obj), v);
}
