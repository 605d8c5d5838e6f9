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

/* ---- Guesses --------------------------------------------------------------------------------- *
 * Objects keep their first properties behind the cell's two words, those of one shape all in the
 * same order.  So where the value was found once is where to look first; a reader must know whether
 * it is his (an object that is a dictionary moves its properties without a new shape). */

enum { FIRST_WORD = 2, END_WORD = 8 /* of what js_object makes */ };

static JsHiddenSlot *slot_of(Js *js, u32 shape)
{
    return &js->hidden_slots[shape / 16 % HIDDEN_SLOTS];
}

void js_hidden_learn(Js *js, JsVal obj)
{
    u32 shape = js_shape(js, obj);
    JsHiddenSlot *slot = slot_of(js, shape);
    if (!shape || slot->shape == shape) return;
    *slot = (JsHiddenSlot){.shape = shape};
    JsVal v = js_hidden_get(js, obj);
    const u64 *words = (const u64 *)(const void *)obj;
    for (u32 i = FIRST_WORD; i < END_WORD && !js_is_undefined(v); i++)
        if (words[i] == js_bits(v)) slot->word = i;
}

JsVal js_hidden_peek(Js *js, JsVal obj)
{
    u32 shape = js_shape(js, obj);
    const JsHiddenSlot *slot = slot_of(js, shape);
    if (slot->shape != shape || !slot->word) return NULL;
    return js_from_bits(((const u64 *)(const void *)obj)[slot->word]);
}

void js_make_alike(Js *js, JsVal obj, JsVal sample)
{
    const uintptr_t *info = js_private_class_info(obj);
    if (info && info == js_private_class_info(sample))
        *(u32 *)(uintptr_t)obj = *(const u32 *)(const void *)sample;
    else
        js_set_proto(js, obj, js_proto(js, sample));
}
