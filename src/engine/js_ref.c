/* engine/js_ref.c -- references to values from heap memory. */
#include "engine/js_internal.h"

#include "engine/js_private.h"

static void link_strong(Js *js, JsRef *ref, JsVal v)
{
    JSValueProtect(js->ctx, js_ref_of(v));
    ref->state = JS_REF_STRONG;
    ref->value = v;
    ref->prev = NULL;
    ref->next = js->strong;
    if (js->strong) js->strong->prev = ref;
    js->strong = ref;
}

static JsVal unlink_strong(Js *js, JsRef *ref)
{
    JsVal v = ref->value;
    if (ref->prev)
        ref->prev->next = ref->next;
    else
        js->strong = ref->next;
    if (ref->next) ref->next->prev = ref->prev;
    *ref = (JsRef){0};
    JSValueUnprotect(js->ctx, js_ref_of(v));
    return v;
}

void js_ref_clear(Js *js, JsRef *ref)
{
    if (ref->state == JS_REF_STRONG)
        (void)unlink_strong(js, ref);
    else if (ref->state == JS_REF_WEAK)
        JSWeakRelease((JSContextGroupRef)js->vm, ref->weak);
    *ref = (JsRef){0};
}

void js_ref_set_strong(Js *js, JsRef *ref, JsVal v)
{
    ASSERT(v);
    js_ref_clear(js, ref);
    link_strong(js, ref, v);
}

void js_ref_set_weak(Js *js, JsRef *ref, JsVal obj)
{
    ASSERT(js_is_object(js, obj) || js_type(js, obj) == JS_TYPE_SYMBOL);
    js_ref_clear(js, ref);
    ref->weak = JSWeakCreate((JSContextGroupRef)js->vm, js_obj_of(obj));
    ref->state = JS_REF_WEAK;
}

JsVal js_ref_get(Js *js, const JsRef *ref)
{
    (void)js;
    if (ref->state == JS_REF_STRONG) return ref->value;
    if (ref->state == JS_REF_WEAK) return js_val_of(JSWeakGetObject(ref->weak));
    return NULL;
}

void js_ref_make_strong(Js *js, JsRef *ref)
{
    if (ref->state != JS_REF_WEAK) return;
    JsVal v = js_ref_get(js, ref);
    js_ref_clear(js, ref);
    if (v) link_strong(js, ref, v);
}

void js_ref_make_weak(Js *js, JsRef *ref)
{
    if (ref->state != JS_REF_STRONG) return;
    js_ref_set_weak(js, ref, ref->value);
}
