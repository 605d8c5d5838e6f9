/* engine/js_value.c -- values: predicates and conversions.
 *
 * What can be read off the encoding is read off it; the rest asks the C API. */
#include "engine/js_internal.h"

#include <math.h>

#include "engine/js_private.h"

enum { PROXY_DEPTH_MAX = 1000 };

const JsVal JS_UNDEFINED = (JsVal)BITS_UNDEFINED;
const JsVal JS_NULL = (JsVal)BITS_NULL;
const JsVal JS_TRUE = (JsVal)BITS_TRUE;
const JsVal JS_FALSE = (JsVal)BITS_FALSE;

static bool is_int(JsVal v)
{
    return (js_bits(v) & NUMBER_TAG) == NUMBER_TAG;
}

static f64 double_of(JsVal v)
{
    u64 bits = js_bits(v) - DOUBLE_SHIFT;
    f64 n;
    __builtin_memcpy(&n, &bits, sizeof n);
    return n;
}

JsVal js_boolean(bool b)
{
    return js_from_bits(BITS_FALSE | (u32)b);
}
JsVal js_int(Js *js, i32 n)
{
    (void)js;
    return js_from_int(n);
}

JsVal js_number(Js *js, f64 n)
{
    (void)js;
    if (n >= -2147483648.0 && n <= 2147483647.0) {
        i32 i = (i32)n;
        if ((f64)i == n && !(i == 0 && signbit(n))) return js_from_int(i);
    }
    if (n != n) n = NAN; /* only the canonical NaN may be encoded */
    u64 bits;
    __builtin_memcpy(&bits, &n, sizeof bits);
    if (n != n) bits = 0x7ff8000000000000ull;
    return js_from_bits(bits + DOUBLE_SHIFT);
}

bool js_is_undefined(JsVal v)
{
    return js_bits(v) == BITS_UNDEFINED;
}
bool js_is_null(JsVal v)
{
    return js_bits(v) == BITS_NULL;
}
bool js_is_nullish(JsVal v)
{
    return (js_bits(v) & ~8ull) == BITS_NULL;
}
bool js_is_number(Js *js, JsVal v)
{
    (void)js;
    return js_bits(v) & NUMBER_TAG;
}
static u8 type_of(JsVal cell)
{
    return ((const u8 *)cell)[CELL_TYPE];
}

bool js_is_string(Js *js, JsVal v)
{
    if (!js_is_cell(v)) return false;
    return LIKELY(jsc.has_layout) ? type_of(v) == TYPE_STRING
                                  : JSValueIsString(js->ctx, js_ref_of(v));
}

bool js_is_object(Js *js, JsVal v)
{
    if (!js_is_cell(v)) return false;
    return LIKELY(jsc.has_layout) ? type_of(v) >= TYPE_OBJECT_FIRST
                                  : JSValueIsObject(js->ctx, js_ref_of(v));
}

bool js_is_function(Js *js, JsVal v)
{
    if (!js_is_object(js, v)) return false;
    if (LIKELY(jsc.has_layout) && type_of(v) == TYPE_FUNCTION) return true;
    return JSObjectIsFunction(js->ctx, js_obj_of(v));
}

/* Array.isArray, which looks through proxies. */
bool js_is_array(Js *js, JsVal v)
{
    JsVal handler;
    for (u32 i = 0; i < PROXY_DEPTH_MAX; i++) {
        if (!js_is_cell(v)) return false;
        if (JSValueIsArray(js->ctx, js_ref_of(v))) return true;
        if (!js_proxy_parts(js, v, &v, &handler)) return false;
    }
    return false;
}

bool js_is_error(Js *js, JsVal v)
{
    if (!js_is_object(js, v)) return false;
    if (LIKELY(jsc.has_layout)) return type_of(v) == TYPE_ERROR;
    JsVal error = js_get(js, js_global(js), "Error");
    JsVal is_error = error ? js_get(js, error, "isError") : NULL;
    JsVal answer = is_error ? js_call(js, is_error, error, JS_ARGS(v)) : NULL;
    if (!answer) (void)js_take_pending(js);
    return answer == JS_TRUE;
}

Str js_class_name(Js *js, JsVal obj)
{
    if (!js_is_object(js, obj)) return (Str){0};
    const char *name = js_private_class_name(obj);
    return str_z(name ? name : "Object");
}

JsType js_type(Js *js, JsVal v)
{
    u64 bits = js_bits(v);
    if (bits & NUMBER_TAG) return JS_TYPE_NUMBER;
    if (bits == BITS_UNDEFINED) return JS_TYPE_UNDEFINED;
    if (bits == BITS_NULL) return JS_TYPE_NULL;
    if ((bits & ~1ull) == BITS_FALSE) return JS_TYPE_BOOLEAN;
    if (LIKELY(jsc.has_layout)) {
        u8 type = type_of(v);
        if (type >= TYPE_OBJECT_FIRST) return JS_TYPE_OBJECT;
        if (type == TYPE_STRING) return JS_TYPE_STRING;
        return type == TYPE_SYMBOL ? JS_TYPE_SYMBOL : JS_TYPE_BIGINT;
    }
    switch (JSValueGetType(js->ctx, js_ref_of(v))) {
    case kJSTypeString: return JS_TYPE_STRING;
    case kJSTypeSymbol: return JS_TYPE_SYMBOL;
    case kJSTypeObject: return JS_TYPE_OBJECT;
    default: return JS_TYPE_BIGINT;
    }
}

bool js_same(Js *js, JsVal a, JsVal b)
{
    if (a == b && !(js_bits(a) & NUMBER_TAG)) return true;
    return JSValueIsStrictEqual(js->ctx, js_ref_of(a), js_ref_of(b));
}

bool js_truthy(Js *js, JsVal v)
{
    u64 bits = js_bits(v);
    if ((bits & ~1ull) == BITS_FALSE) return bits & 1;
    if (is_int(v)) return (i32)bits != 0;
    return JSValueToBoolean(js->ctx, js_ref_of(v));
}

JsVal js_arg(JsArgs args, u32 i)
{
    return i < args.len ? args.at[i] : JS_UNDEFINED;
}

f64 js_get_number(Js *js, JsVal v)
{
    (void)js;
    if (UNLIKELY(!(js_bits(v) & NUMBER_TAG))) return (f64)NAN;
    return is_int(v) ? (f64)(i32)js_bits(v) : double_of(v);
}

/* ToInt32 of the specification (section 7.1.6). */
static i32 to_int32(f64 n)
{
    if (n >= -2147483648.0 && n <= 2147483647.0) return (i32)n;
    if (!isfinite(n)) return 0;
    f64 m = fmod(trunc(n), 4294967296.0);
    if (m < 0) m += 4294967296.0;
    return (i32)(u32)m;
}

i32 js_get_i32(Js *js, JsVal v)
{
    return is_int(v) ? (i32)js_bits(v) : to_int32(js_get_number(js, v));
}

i64 js_get_i64(Js *js, JsVal v)
{
    const f64 limit = 9007199254740992.0;
    f64 n = js_get_number(js, v);
    if (n != n) return 0;
    return (i64)(n > limit ? limit : n < -limit ? -limit : n);
}

bool js_to_number(Js *js, JsVal v, f64 *ret)
{
    if (LIKELY(js_bits(v) & NUMBER_TAG)) {
        *ret = js_get_number(js, v);
        return true;
    }
    JSValueRef exception = NULL;
    f64 n = JSValueToNumber(js->ctx, js_ref_of(v), &exception);
    if (!js_result_ok(js, exception)) return false;
    *ret = n;
    return true;
}

bool js_to_i32(Js *js, JsVal v, i32 *ret)
{
    f64 n;
    if (!js_to_number(js, v, &n)) return false;
    *ret = to_int32(n);
    return true;
}

bool js_to_bigint_i64(Js *js, JsVal v, i64 *ret, bool *ret_exact)
{
    JSValueRef exception = NULL;
    i64 n = JSValueToInt64(js->ctx, js_ref_of(v), &exception);
    if (!js_result_ok(js, exception)) return false;
    JSRelationCondition order = JSValueCompareInt64(js->ctx, js_ref_of(v), n, &exception);
    if (!js_result_ok(js, exception)) return false;
    *ret = n;
    *ret_exact = order == kJSRelationConditionEqual;
    return true;
}

JsVal js_bigint_i64(Js *js, i64 n)
{
    JSValueRef exception = NULL;
    return js_result(js, JSBigIntCreateWithInt64(js->ctx, n, &exception), &exception);
}

JsVal js_bigint_u64(Js *js, u64 n)
{
    JSValueRef exception = NULL;
    return js_result(js, JSBigIntCreateWithUInt64(js->ctx, n, &exception), &exception);
}
