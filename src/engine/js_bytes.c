/* engine/js_bytes.c -- ArrayBuffer, SharedArrayBuffer, typed arrays, DataView.
 *
 * The functions of the C API that return a pointer pin the buffer, after which it can no longer be
 * transferred, and give small typed arrays a buffer they did not have.  So the pointer and length
 * are read from the objects when their layout is known. */
#include "engine/js_internal.h"

#include <string.h>

#include "engine/js_private.h"
#include "util/mem.h"

/* Words of a typed array or DataView; the vector points at its first byte. */
enum { VIEW_BUTTERFLY = 1, VIEW_VECTOR = 2, VIEW_LEN = 3, VIEW_MODE = 5 };
/* Bits of the mode: the length follows a resizable buffer, or the buffer may grow or shrink. */
enum { MODE_RESIZABLE = 0x07, MODE_HAS_BUFFER = 0x08 };
/* Word of an ArrayBuffer object: its implementation; and the words of that. */
enum { BUFFER_IMPL = 2, IMPL_DATA = 2, IMPL_SHARED = 4, IMPL_SIZE = 6 };

/* Log2 of the element size by cell type, from TYPE_INT8_ARRAY on; DataView counts bytes. */
static const u8 element_shift[] = {0, 0, 0, 1, 1, 2, 2, 1, 2, 3, 3, 3, 0};

static const u64 *words(JsVal v)
{
    return (const u64 *)(const void *)v;
}
static u8 cell_type(JsVal v)
{
    return ((const u8 *)v)[CELL_TYPE];
}

static usize view_size_by_api(Js *js, JsVal v)
{
    JSValueRef exception = NULL;
    usize n = JSObjectGetTypedArrayByteLength(js->ctx, js_obj_of(v), &exception);
    return exception ? 0 : n;
}

static bool view_bytes(Js *js, JsVal v, JsBytes *ret)
{
    const u64 *w = words(v);
    u8 *p = (u8 *)(uintptr_t)w[VIEW_VECTOR];
    usize n = w[VIEW_LEN] << element_shift[cell_type(v) - TYPE_INT8_ARRAY];
    if (UNLIKELY((u8)w[VIEW_MODE] & MODE_RESIZABLE)) n = view_size_by_api(js, v);
    *ret = (JsBytes){n || p ? p : NULL, p ? n : 0};
    return true;
}

static bool buffer_bytes(Js *js, JsVal v, JsBytes *ret)
{
    const u64 *impl = (const u64 *)(uintptr_t)words(v)[BUFFER_IMPL];
    u8 *p = (u8 *)(uintptr_t)impl[IMPL_DATA];
    usize n = impl[IMPL_SIZE];
    if (UNLIKELY(impl[IMPL_SHARED])) {
        n = JSObjectGetArrayBufferByteLength(js->ctx, js_obj_of(v),
                                             NULL); /* another thread may grow it */
    }
    *ret = (JsBytes){p, p ? n : 0};
    return true;
}

static bool bytes_by_api(Js *js, JsVal v, JsBytes *ret)
{
    JSValueRef exception = NULL;
    JSObjectRef obj = js_obj_of(v);
    JSTypedArrayType type = JSValueGetTypedArrayType(js->ctx, js_ref_of(v), &exception);
    if (exception || type == kJSTypedArrayTypeNone) return false;
    if (type == kJSTypedArrayTypeArrayBuffer) {
        ret->p = JSObjectGetArrayBufferBytesPtr(js->ctx, obj, &exception);
        ret->n = JSObjectGetArrayBufferByteLength(js->ctx, obj, &exception);
        return true;
    }
    u8 *p = JSObjectGetTypedArrayBytesPtr(js->ctx, obj, &exception);
    ret->n = JSObjectGetTypedArrayByteLength(js->ctx, obj, &exception);
    ret->p = p ? p + JSObjectGetTypedArrayByteOffset(js->ctx, obj, &exception) : NULL;
    return true;
}

bool js_bytes(Js *js, JsVal v, JsBytes *ret)
{
    if (!js_is_object(js, v)) return false;
    if (UNLIKELY(!jsc.has_layout)) return bytes_by_api(js, v, ret);
    u8 type = cell_type(v);
    if (type >= TYPE_INT8_ARRAY && type <= TYPE_DATA_VIEW) return view_bytes(js, v, ret);
    return type == TYPE_ARRAY_BUFFER && buffer_bytes(js, v, ret);
}

bool js_take_bytes(Js *js, JsVal v, JsBytes *ret)
{
    if (LIKELY(js_bytes(js, v, ret))) return true;
    *ret = (JsBytes){0};
    return js_throw_illegal(js);
}

static JsBytesKind kind_by_api(Js *js, JsVal v)
{
    static const struct {
        JSTypedArrayType type;
        JsBytesKind kind;
    } kinds[] = {
        {kJSTypedArrayTypeArrayBuffer, JS_BYTES_BUFFER},
        {kJSTypedArrayTypeInt8Array, JS_BYTES_I8},
        {kJSTypedArrayTypeUint8Array, JS_BYTES_U8},
        {kJSTypedArrayTypeUint8ClampedArray, JS_BYTES_U8_CLAMPED},
        {kJSTypedArrayTypeInt16Array, JS_BYTES_I16},
        {kJSTypedArrayTypeUint16Array, JS_BYTES_U16},
        {kJSTypedArrayTypeInt32Array, JS_BYTES_I32},
        {kJSTypedArrayTypeUint32Array, JS_BYTES_U32},
        {kJSTypedArrayTypeFloat32Array, JS_BYTES_F32},
        {kJSTypedArrayTypeFloat64Array, JS_BYTES_F64},
        {kJSTypedArrayTypeBigInt64Array, JS_BYTES_I64},
        {kJSTypedArrayTypeBigUint64Array, JS_BYTES_U64},
    };
    JSTypedArrayType type = JSValueGetTypedArrayType(js->ctx, js_ref_of(v), NULL);
    for (u32 i = 0; i < COUNT(kinds); i++)
        if (kinds[i].type == type) return kinds[i].kind;
    return str_eq(js_class_name(js, v), S("DataView")) ? JS_BYTES_VIEW : JS_BYTES_NONE;
}

JsBytesKind js_bytes_kind(Js *js, JsVal v)
{
    if (!js_is_object(js, v)) return JS_BYTES_NONE;
    if (UNLIKELY(!jsc.has_layout)) return kind_by_api(js, v);
    u8 type = cell_type(v);
    if (type < TYPE_ARRAY_BUFFER || type > TYPE_DATA_VIEW) return JS_BYTES_NONE;
    return (JsBytesKind)(JS_BYTES_BUFFER + (type - TYPE_ARRAY_BUFFER));
}

bool js_bytes_lasting(Js *js, JsVal v, JsBytes *ret)
{
    if (js_bytes_kind(js, v) > JS_BYTES_BUFFER &&
        (!jsc.has_layout || !((u8)words(v)[VIEW_MODE] & MODE_HAS_BUFFER))) {
        JSValueRef exception = NULL;
        (void)JSObjectGetTypedArrayBuffer(js->ctx, js_obj_of(v), &exception);
    }
    return js_bytes(js, v, ret);
}

bool js_is_detached(Js *js, JsVal v)
{
    JsBytes bytes;
    if (!js_bytes(js, v, &bytes) || bytes.p) return false;
    if (jsc.has_layout && cell_type(v) != TYPE_ARRAY_BUFFER) {
        if (!((u8)words(v)[VIEW_MODE] & MODE_HAS_BUFFER)) return false;
        JSValueRef exception = NULL;
        JSObjectRef buffer = JSObjectGetTypedArrayBuffer(js->ctx, js_obj_of(v), &exception);
        return !exception && buffer && js_bytes(js, js_val_of(buffer), &bytes) && !bytes.p;
    }
    return true;
}

/* A DataView keeps its buffer elsewhere than a typed array does. */
static bool is_shared_data_view(Js *js, JsVal v)
{
    JSValueRef exception = NULL;
    JSObjectRef obj = JSObjectGetTypedArrayBuffer(js->ctx, js_obj_of(v), &exception);
    if (exception || !obj || cell_type(js_val_of(obj)) != TYPE_ARRAY_BUFFER) return true;
    return ((const u64 *)(uintptr_t)words(js_val_of(obj))[BUFFER_IMPL])[IMPL_SHARED] != 0;
}

bool js_is_shared(Js *js, JsVal v)
{
    if (!js_is_object(js, v)) return false;
    if (!jsc.has_layout) return true;
    u8 type = cell_type(v);
    const u64 *impl;
    if (type == TYPE_ARRAY_BUFFER) {
        impl = (const u64 *)(uintptr_t)words(v)[BUFFER_IMPL];
    } else if (type >= TYPE_INT8_ARRAY && type <= TYPE_DATA_VIEW) {
        if (!((u8)words(v)[VIEW_MODE] & MODE_HAS_BUFFER)) return false;
        if (type == TYPE_DATA_VIEW) return is_shared_data_view(js, v);
        /* The implementation stands where an array has its lengths. */
        impl = (const u64 *)(uintptr_t)((const u64 *)(uintptr_t)words(v)[VIEW_BUTTERFLY])[-1];
    } else {
        return false;
    }
    return impl[IMPL_SHARED] != 0;
}

/* ---- Making them
 * ------------------------------------------------------------------------------------ */

JsVal js_u8array(Js *js, const void *p, usize n)
{
    JSValueRef exception = NULL;
    JSObjectRef obj = JSObjectMakeTypedArray(js->ctx, kJSTypedArrayTypeUint8Array, n, &exception);
    if (!js_result_ok(js, exception)) return NULL;
    JsBytes bytes;
    if (!js_bytes(js, js_val_of(obj), &bytes)) BUG("a new Uint8Array has no memory");
    ASSERT(bytes.n == n);
    if (n && p) memcpy(bytes.p, p, n);
    return js_val_of(obj);
}

static void free_copy(void *p, void *data)
{
    (void)data;
    mem_free(p);
}

JsVal js_array_buffer(Js *js, const void *p, usize n)
{
    void *copy = p && n ? mem_dup(p, n) : mem_new(n);
    return js_array_buffer_take(js, copy, n, free_copy, NULL);
}

/* With n == 0 the engine neither keeps the pointer nor frees it. */
static JsVal make_empty(Js *js, void *p, void (*free_fn)(void *p, void *data), void *data,
                        bool is_view)
{
    JSValueRef exception = NULL;
    if (free_fn) free_fn(p, data);
    JSObjectRef view = JSObjectMakeTypedArray(js->ctx, kJSTypedArrayTypeUint8Array, 0, &exception);
    if (!js_result_ok(js, exception)) return NULL;
    if (is_view) return js_val_of(view);
    return js_result(js, JSObjectGetTypedArrayBuffer(js->ctx, view, &exception), &exception);
}

JsVal js_u8array_take(Js *js, void *p, usize n, void (*free_fn)(void *p, void *data), void *data)
{
    if (!n) return make_empty(js, p, free_fn, data, true);
    JSValueRef exception = NULL;
    JSObjectRef obj = JSObjectMakeTypedArrayWithBytesNoCopy(js->ctx, kJSTypedArrayTypeUint8Array, p,
                                                            n, free_fn, data, &exception);
    return js_result(js, obj, &exception);
}

JsVal js_array_buffer_take(Js *js, void *p, usize n, void (*free_fn)(void *p, void *data),
                           void *data)
{
    if (!n) return make_empty(js, p, free_fn, data, false);
    JSValueRef exception = NULL;
    JSObjectRef obj =
        JSObjectMakeArrayBufferWithBytesNoCopy(js->ctx, p, n, free_fn, data, &exception);
    return js_result(js, obj, &exception);
}

static void keep(void *p, void *data)
{
    (void)p, (void)data;
}

JsVal js_u32array_shared(Js *js, u32 *p, usize len)
{
    JSValueRef exception = NULL;
    JSObjectRef obj = JSObjectMakeTypedArrayWithBytesNoCopy(
        js->ctx, kJSTypedArrayTypeUint32Array, p, len * sizeof *p, keep, NULL, &exception);
    return js_result(js, obj, &exception);
}

JsVal js_f64array_shared(Js *js, f64 *p, usize len)
{
    JSValueRef exception = NULL;
    JSObjectRef obj = JSObjectMakeTypedArrayWithBytesNoCopy(
        js->ctx, kJSTypedArrayTypeFloat64Array, p, len * sizeof *p, keep, NULL, &exception);
    return js_result(js, obj, &exception);
}
