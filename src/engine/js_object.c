/* engine/js_object.c -- objects and properties. */
#include "engine/js_internal.h"
#include "engine/js_private.h"

/* The name of a property for one access: from the cache, or made for it. */
typedef struct {
    JSStringRef ref;
    bool is_owned;
} TempName;

static TempName temp_name(Js *js, const char *text)
{
    JsName *name = js_find_name(js, str_z(text));
    if (LIKELY(name != NULL)) return (TempName){name->ref, false};
    return (TempName){js_make_ref(str_z(text)), true};
}

static void drop_name(TempName name)
{
    if (UNLIKELY(name.is_owned)) JSStringRelease(name.ref);
}

/* Property access works on objects; other values are converted as the language does. */
static JSObjectRef to_object(Js *js, JsVal v)
{
    if (LIKELY(js_is_object(js, v))) return js_obj_of(v);
    JSValueRef exception = NULL;
    JSObjectRef obj = JSValueToObject(js->ctx, js_ref_of(v), &exception);
    if (!js_result_ok(js, exception)) return NULL;
    if (!obj)
        (void)js_throw_type_error(js, "%s is not an object", js_is_null(v) ? "null" : "undefined");
    return obj;
}

JsVal js_object(Js *js)
{
    return js_val_of(JSObjectMake(js->ctx, NULL, NULL));
}

JsVal js_object_null_proto(Js *js)
{
    JSObjectRef obj = JSObjectMake(js->ctx, NULL, NULL);
    JSObjectSetPrototype(js->ctx, obj, JSValueMakeNull(js->ctx));
    return js_val_of(obj);
}

static JsVal get(Js *js, JsVal v, JSStringRef name)
{
    JSObjectRef obj = to_object(js, v);
    if (!obj) return NULL;
    JSValueRef exception = NULL;
    return js_result(js, JSObjectGetProperty(js->ctx, obj, name, &exception), &exception);
}

JsVal js_get(Js *js, JsVal obj, const char *name)
{
    TempName temp = temp_name(js, name);
    JsVal v = get(js, obj, temp.ref);
    drop_name(temp);
    return v;
}

JsVal js_get_name(Js *js, JsVal obj, JsName *name)
{
    return get(js, obj, name->ref);
}

JsVal js_get_index(Js *js, JsVal v, u32 i)
{
    JSObjectRef obj = to_object(js, v);
    if (!obj) return NULL;
    JsVal element = js_element_peek(js, js_val_of(obj), i);
    if (LIKELY(element != NULL)) return element;
    JSValueRef exception = NULL;
    return js_result(js, JSObjectGetPropertyAtIndex(js->ctx, obj, i, &exception), &exception);
}

JsVal js_get_key(Js *js, JsVal v, JsVal key)
{
    JSObjectRef obj = to_object(js, v);
    if (!obj) return NULL;
    JSValueRef exception = NULL;
    JSValueRef r = JSObjectGetPropertyForKey(js->ctx, obj, js_ref_of(key), &exception);
    return js_result(js, r, &exception);
}

static bool set(Js *js, JsVal obj, JSStringRef name, JsVal v, JSPropertyAttributes attributes)
{
    ASSERT(js_is_object(js, obj));
    ASSERT(v);
    JSValueRef exception = NULL;
    JSObjectSetProperty(js->ctx, js_obj_of(obj), name, js_ref_of(v), attributes, &exception);
    return js_result_ok(js, exception);
}

bool js_set(Js *js, JsVal obj, const char *name, JsVal v)
{
    TempName temp = temp_name(js, name);
    bool ok = set(js, obj, temp.ref, v, kJSPropertyAttributeNone);
    drop_name(temp);
    return ok;
}

bool js_set_name(Js *js, JsVal obj, JsName *name, JsVal v)
{
    return set(js, obj, name->ref, v, kJSPropertyAttributeNone);
}

bool js_set_index(Js *js, JsVal obj, u32 i, JsVal v)
{
    ASSERT(js_is_object(js, obj));
    if (js_element_put(js, obj, i, v)) return true;
    JSValueRef exception = NULL;
    JSObjectSetPropertyAtIndex(js->ctx, js_obj_of(obj), i, js_ref_of(v), &exception);
    return js_result_ok(js, exception);
}

bool js_set_key(Js *js, JsVal obj, JsVal key, JsVal v)
{
    ASSERT(js_is_object(js, obj));
    JSValueRef exception = NULL;
    JSObjectSetPropertyForKey(js->ctx, js_obj_of(obj), js_ref_of(key), js_ref_of(v),
                              kJSPropertyAttributeNone, &exception);
    return js_result_ok(js, exception);
}

/* Object.defineProperty; what the C API cannot do. */
static bool define_by_language(Js *js, JsVal obj, JsVal key, JsVal v, bool is_enumerable)
{
    JsVal object = js_get(js, js_global(js), "Object");
    JsVal define = object ? js_get(js, object, "defineProperty") : NULL;
    JsVal desc = define ? js_object(js) : NULL;
    return desc && js_set(js, desc, "value", v) && js_set(js, desc, "writable", JS_TRUE) &&
           js_set(js, desc, "configurable", JS_TRUE) &&
           js_set(js, desc, "enumerable", js_boolean(is_enumerable)) &&
           js_call(js, define, object, JS_ARGS(obj, key, desc));
}

bool js_define(Js *js, JsVal obj, const char *name, JsVal v, bool is_enumerable)
{
    ASSERT(js_is_object(js, obj));
    ASSERT(v);
    /* The C API defines (rather than sets) only when there are attributes and no such property, not
     * even an inherited one. */
    TempName temp = temp_name(js, name);
    bool ok;
    if (!is_enumerable && !JSObjectHasProperty(js->ctx, js_obj_of(obj), temp.ref)) {
        ok = set(js, obj, temp.ref, v, kJSPropertyAttributeDontEnum);
    } else {
        JsVal key = js_val_of(JSValueMakeString(js->ctx, temp.ref));
        ok = define_by_language(js, obj, key, v, is_enumerable);
    }
    drop_name(temp);
    return ok;
}

bool js_has(Js *js, JsVal v, const char *name, bool *ret)
{
    JSObjectRef obj = to_object(js, v);
    if (!obj) return false;
    JSValueRef exception = NULL;
    TempName temp = temp_name(js, name);
    JSValueRef key = JSValueMakeString(js->ctx, temp.ref);
    *ret = JSObjectHasPropertyForKey(js->ctx, obj, key, &exception);
    drop_name(temp);
    return js_result_ok(js, exception);
}

bool js_delete(Js *js, JsVal obj, const char *name)
{
    ASSERT(js_is_object(js, obj));
    JSValueRef exception = NULL;
    TempName temp = temp_name(js, name);
    (void)JSObjectDeleteProperty(js->ctx, js_obj_of(obj), temp.ref, &exception);
    drop_name(temp);
    return js_result_ok(js, exception);
}

bool js_has_key(Js *js, JsVal v, JsVal key, bool *ret)
{
    JSObjectRef obj = to_object(js, v);
    if (!obj) return false;
    JSValueRef exception = NULL;
    *ret = JSObjectHasPropertyForKey(js->ctx, obj, js_ref_of(key), &exception);
    return js_result_ok(js, exception);
}

bool js_delete_key(Js *js, JsVal obj, JsVal key, bool *ret)
{
    ASSERT(js_is_object(js, obj));
    JSValueRef exception = NULL;
    *ret = JSObjectDeletePropertyForKey(js->ctx, js_obj_of(obj), js_ref_of(key), &exception);
    return js_result_ok(js, exception);
}

bool js_instance_of(Js *js, JsVal v, JsVal fn, bool *ret)
{
    ASSERT(js_is_object(js, fn));
    JSValueRef exception = NULL;
    *ret = JSValueIsInstanceOfConstructor(js->ctx, js_ref_of(v), js_obj_of(fn), &exception);
    return js_result_ok(js, exception);
}

JsVal js_array(Js *js, const JsVal *at, u32 len)
{
    JSValueRef exception = NULL;
    JSObjectRef array = JSObjectMakeArray(js->ctx, len, js_refs_of(at), &exception);
    /* A machine that is told to stop throws wherever it looks; callers do not expect it here. */
    if (UNLIKELY(!array && js_termination(js))) {
        exception = NULL;
        array = JSObjectMakeArray(js->ctx, len, js_refs_of(at), &exception);
        if (!array) return js_object(js);
    }
    return js_result(js, array, &exception);
}

bool js_array_copy(Js *js, JsVal array, u32 from, JsVal *to, u32 n)
{
    u32 len;
    /* The engine's function copies all that follows, however much was asked for. */
    if (LIKELY(jsc.has_layout && jsc_array_copy) && js_element_count(js, array, &len) &&
        len == from + n) {
        jsc_array_copy(array, js->ctx, to, from, n);
        return true;
    }
    for (u32 i = 0; i < n; i++) {
        to[i] = js_element_peek(js, array, from + i);
        if (!to[i]) to[i] = js_get_index(js, array, from + i);
        if (!to[i]) return false;
    }
    return true;
}

bool js_array_len(Js *js, JsVal array, u32 *ret)
{
    if (js_is_object(js, array) && js_element_count(js, array, ret)) return true;
    JsVal v = js_get(js, array, "length");
    f64 n;
    if (!v || !js_to_number(js, v, &n)) return false;
    *ret = n >= 0 && n <= 4294967295.0 ? (u32)n : 0;
    return true;
}

JsVal js_keys(Js *js, JsVal obj)
{
    JsVal object = js_get(js, js_global(js), "Object");
    JsVal keys = object ? js_get(js, object, "keys") : NULL;
    return keys ? js_call(js, keys, object, JS_ARGS(obj)) : NULL;
}

JsVal js_proto(Js *js, JsVal obj)
{
    return js_val_of(JSObjectGetPrototype(js->ctx, js_obj_of(obj)));
}

void js_set_proto(Js *js, JsVal obj, JsVal proto)
{
    JSObjectSetPrototype(js->ctx, js_obj_of(obj), js_ref_of(proto));
}
