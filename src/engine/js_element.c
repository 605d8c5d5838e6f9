/* engine/js_element.c -- elements of arrays, read where they lie.
 *
 * A property access by index through the C API costs 40 ns; most arrays hold their elements one
 * after the other behind the object's butterfly, and the length in front of them.  That this is so
 * is seen on a sample, once for each machine. */
#include "engine/js_internal.h"

#include <math.h>
#include <string.h>

#include "engine/js_private.h"

enum {
    CELL_INDEXING = 4, /* byte: shape and whether it is an array */
    IS_ARRAY = 0x01,
    SHAPE_MASK = 0x0e,
    SHAPE_INT = 0x04,
    SHAPE_DOUBLE = 0x06,
    SHAPE_VALUES = 0x08,
    BUTTERFLY = 1, /* word of an object */
};

static u8 indexing_of(JsVal obj)
{
    return ((const u8 *)obj)[CELL_INDEXING];
}

static const u64 *elements_of(JsVal obj)
{
    return (const u64 *)(uintptr_t)((const u64 *)(const void *)obj)[BUTTERFLY];
}

static u32 len_of(const u64 *elements)
{
    return ((const u32 *)(const void *)elements)[-2];
}

/* An array of a number and a string, made by the C API. */
static bool test_sample(Js *js)
{
    if (!jsc.has_layout) return false;
    JsVal at[] = {js_int(js, 4711), js_str(js, S("sample"))};
    JSValueRef exception = NULL;
    JSObjectRef array = JSObjectMakeArray(js->ctx, COUNT(at), js_refs_of(at), &exception);
    if (exception) return false;
    JsVal v = js_val_of(array);
    if ((indexing_of(v) & (SHAPE_MASK | IS_ARRAY)) != (SHAPE_VALUES | IS_ARRAY)) return false;
    const u64 *elements = elements_of(v);
    return elements && len_of(elements) == COUNT(at) && elements[0] == js_bits(at[0]) &&
           elements[1] == js_bits(at[1]);
}

static bool is_known(Js *js)
{
    if (UNLIKELY(!js->is_element_tested)) {
        js->is_element_tested = true;
        js->has_elements = test_sample(js);
    }
    return js->has_elements;
}

static JsVal double_element(Js *js, u64 bits)
{
    f64 n;
    memcpy(&n, &bits, sizeof(n));
    return isnan(n) ? NULL : js_number(js, n);
}

JsVal js_element_peek(Js *js, JsVal obj, u32 i)
{
    if (!is_known(js)) return NULL;
    u8 shape = indexing_of(obj) & SHAPE_MASK;
    if (shape != SHAPE_INT && shape != SHAPE_DOUBLE && shape != SHAPE_VALUES) return NULL;
    const u64 *elements = elements_of(obj);
    if (!elements || i >= len_of(elements)) return NULL;
    if (shape == SHAPE_DOUBLE) return double_element(js, elements[i]);
    return js_from_bits(elements[i]); /* 0 is a hole */
}

bool js_element_put(Js *js, JsVal obj, u32 i, JsVal v)
{
    i32 n;
    if (!is_known(js) || !js_peek_i32(v, &n)) return false;
    u8 shape = indexing_of(obj) & (SHAPE_MASK | 0x10);
    if (shape != SHAPE_INT && shape != SHAPE_VALUES) return false;
    u64 *elements = (u64 *)(uintptr_t)((const u64 *)(const void *)obj)[BUTTERFLY];
    if (!elements || i >= len_of(elements)) return false;
    elements[i] = js_bits(v);
    return true;
}

bool js_element_count(Js *js, JsVal obj, u32 *ret)
{
    if (!is_known(js) || !(indexing_of(obj) & IS_ARRAY)) return false;
    if (!(indexing_of(obj) & SHAPE_MASK)) return false;
    const u64 *elements = elements_of(obj);
    if (!elements) return false;
    *ret = len_of(elements);
    return true;
}
