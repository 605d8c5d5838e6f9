/* napi/napi_value.c -- primitive values: making them, reading them, converting. */
#include "napi/napi_env.h"

#include <math.h>

/* ---- Making --------------------------------------------------------------------------------- */

static napi_status give_plain(napi_env env, JsVal v, napi_value *result)
{
    NAPI_CHECK_ARG(env, result);
    *result = napi_raw(v);
    return napi_done(env, napi_ok);
}

napi_status napi_get_undefined(napi_env env, napi_value *result)
{
    NAPI_CHECK_ENV(env);
    return give_plain(env, JS_UNDEFINED, result);
}

napi_status napi_get_null(napi_env env, napi_value *result)
{
    NAPI_CHECK_ENV(env);
    return give_plain(env, JS_NULL, result);
}

napi_status napi_get_boolean(napi_env env, bool value, napi_value *result)
{
    NAPI_CHECK_ENV(env);
    return give_plain(env, js_boolean(value), result);
}

napi_status napi_get_global(napi_env env, napi_value *result)
{
    NAPI_CHECK_ENV(env);
    return give_plain(env, js_global(env->js), result);
}

napi_status napi_create_double(napi_env env, double value, napi_value *result)
{
    NAPI_CHECK_ENV(env);
    return give_plain(env, js_number(env->js, value), result);
}

napi_status napi_create_int32(napi_env env, int32_t value, napi_value *result)
{
    NAPI_CHECK_ENV(env);
    return give_plain(env, js_int(env->js, value), result);
}

napi_status napi_create_uint32(napi_env env, uint32_t value, napi_value *result)
{
    NAPI_CHECK_ENV(env);
    return give_plain(env, js_number(env->js, value), result);
}

napi_status napi_create_int64(napi_env env, int64_t value, napi_value *result)
{
    NAPI_CHECK_ENV(env);
    return give_plain(env, js_number(env->js, (f64)value), result);
}

/* ---- Reading -------------------------------------------------------------------------------- */

napi_status napi_typeof(napi_env env, napi_value value, napi_valuetype *result)
{
    static const napi_valuetype types[] = {
        [JS_TYPE_UNDEFINED] = napi_undefined, [JS_TYPE_NULL] = napi_null,
        [JS_TYPE_BOOLEAN] = napi_boolean,     [JS_TYPE_NUMBER] = napi_number,
        [JS_TYPE_STRING] = napi_string,       [JS_TYPE_SYMBOL] = napi_symbol,
        [JS_TYPE_BIGINT] = napi_bigint,       [JS_TYPE_OBJECT] = napi_object,
    };
    NAPI_CHECK_ENV(env);
    NAPI_CHECK_ARG(env, value);
    NAPI_CHECK_ARG(env, result);
    JsVal v = napi_in(value);
    bool is_external = false;
    *result = types[js_type(env->js, v)];
    if (*result == napi_object) {
        if (js_is_function(env->js, v))
            *result = napi_function;
        else if ((void)napi_external_find(env->js, v, &is_external), is_external)
            *result = napi_external;
    }
    return napi_done(env, napi_ok);
}

static napi_status read_number(napi_env env, napi_value value, const void *result, f64 *ret)
{
    NAPI_CHECK_ENV(env);
    NAPI_CHECK_ARG(env, value);
    NAPI_CHECK_ARG(env, result);
    NAPI_CHECK(env, js_is_number(env->js, napi_in(value)), napi_number_expected);
    *ret = js_get_number(env->js, napi_in(value));
    return napi_done(env, napi_ok);
}

napi_status napi_get_value_double(napi_env env, napi_value value, double *result)
{
    f64 n;
    napi_status status = read_number(env, value, result, &n);
    if (status == napi_ok) *result = n;
    return status;
}

napi_status napi_get_value_int32(napi_env env, napi_value value, int32_t *result)
{
    i32 small;
    if (LIKELY(env && value && result && js_peek_i32(napi_in(value), &small))) {
        *result = small;
        return napi_done(env, napi_ok);
    }
    f64 n;
    napi_status status = read_number(env, value, result, &n);
    if (status == napi_ok) *result = isfinite(n) ? js_get_i32(env->js, napi_in(value)) : 0;
    return status;
}

napi_status napi_get_value_uint32(napi_env env, napi_value value, uint32_t *result)
{
    f64 n;
    napi_status status = read_number(env, value, result, &n);
    if (status == napi_ok) *result = isfinite(n) ? (u32)js_get_i32(env->js, napi_in(value)) : 0;
    return status;
}

napi_status napi_get_value_int64(napi_env env, napi_value value, int64_t *result)
{
    f64 n;
    napi_status status = read_number(env, value, result, &n);
    if (status != napi_ok) return status;
    if (!isfinite(n))
        *result = 0;
    else if (n >= 0x1p63)
        *result = INT64_MAX;
    else if (n <= -0x1p63)
        *result = INT64_MIN;
    else
        *result = (i64)n;
    return status;
}

napi_status napi_get_value_bool(napi_env env, napi_value value, bool *result)
{
    NAPI_CHECK_ENV(env);
    NAPI_CHECK_ARG(env, value);
    NAPI_CHECK_ARG(env, result);
    JsVal v = napi_in(value);
    NAPI_CHECK(env, v == JS_TRUE || v == JS_FALSE, napi_boolean_expected);
    *result = v == JS_TRUE;
    return napi_done(env, napi_ok);
}

/* ---- Converting ----------------------------------------------------------------------------- */

napi_status napi_coerce_to_bool(napi_env env, napi_value value, napi_value *result)
{
    NAPI_ENTER(env);
    NAPI_CHECK_ARG(env, value);
    NAPI_CHECK_ARG(env, result);
    return give_plain(env, js_boolean(js_truthy(env->js, napi_in(value))), result);
}

napi_status napi_coerce_to_number(napi_env env, napi_value value, napi_value *result)
{
    NAPI_ENTER(env);
    NAPI_CHECK_ARG(env, value);
    NAPI_CHECK_ARG(env, result);
    f64 n;
    if (!js_to_number(env->js, napi_in(value), &n)) return napi_thrown(env);
    return give_plain(env, js_number(env->js, n), result);
}

napi_status napi_coerce_to_object(napi_env env, napi_value value, napi_value *result)
{
    NAPI_ENTER(env);
    NAPI_CHECK_ARG(env, value);
    NAPI_CHECK_ARG(env, result);
    NAPI_CHECK(env, !js_is_nullish(napi_in(value)), napi_object_expected);
    return napi_give(env, napi_js_call(env->host, NAPI_JS_TO_OBJECT, JS_ARGS(napi_in(value))),
                     result);
}

napi_status napi_coerce_to_string(napi_env env, napi_value value, napi_value *result)
{
    NAPI_ENTER(env);
    NAPI_CHECK_ARG(env, value);
    NAPI_CHECK_ARG(env, result);
    return napi_give(env, js_to_string(env->js, napi_in(value)), result);
}

napi_status napi_strict_equals(napi_env env, napi_value lhs, napi_value rhs, bool *result)
{
    NAPI_ENTER(env);
    NAPI_CHECK_ARG(env, lhs);
    NAPI_CHECK_ARG(env, rhs);
    NAPI_CHECK_ARG(env, result);
    *result = js_same(env->js, napi_in(lhs), napi_in(rhs));
    return napi_done(env, napi_ok);
}

/* ---- BigInt --------------------------------------------------------------------------------- */

static napi_status read_bigint(napi_env env, napi_value value, const void *result,
                               const void *lossless)
{
    NAPI_CHECK_ENV(env);
    NAPI_CHECK_ARG(env, value);
    NAPI_CHECK_ARG(env, result);
    NAPI_CHECK_ARG(env, lossless);
    NAPI_CHECK(env, js_type(env->js, napi_in(value)) == JS_TYPE_BIGINT, napi_bigint_expected);
    return napi_done(env, napi_ok);
}

napi_status napi_create_bigint_int64(napi_env env, int64_t value, napi_value *result)
{
    NAPI_CHECK_ENV(env);
    NAPI_CHECK_ARG(env, result);
    return napi_give(env, js_bigint_i64(env->js, value), result);
}

napi_status napi_create_bigint_uint64(napi_env env, uint64_t value, napi_value *result)
{
    NAPI_CHECK_ENV(env);
    NAPI_CHECK_ARG(env, result);
    return napi_give(env, js_bigint_u64(env->js, value), result);
}

napi_status napi_get_value_bigint_int64(napi_env env, napi_value value, int64_t *result,
                                        bool *lossless)
{
    napi_status status = read_bigint(env, value, result, lossless);
    if (status != napi_ok) return status;
    if (!js_to_bigint_i64(env->js, napi_in(value), result, lossless)) return napi_thrown(env);
    return status;
}

napi_status napi_get_value_bigint_uint64(napi_env env, napi_value value, uint64_t *result,
                                         bool *lossless)
{
    napi_status status = read_bigint(env, value, result, lossless);
    if (status != napi_ok) return status;
    i64 low;
    bool is_exact;
    if (!js_to_bigint_i64(env->js, napi_in(value), &low, &is_exact)) return napi_thrown(env);
    *result = (u64)low;
    *lossless = js_same(env->js, js_bigint_u64(env->js, (u64)low), napi_in(value));
    return status;
}
