/* napi/napi_object.c -- objects: properties, elements, keys. */
#include "napi/napi_env.h"

#include <string.h>

/* ---- Making --------------------------------------------------------------------------------- */

napi_status napi_create_object(napi_env env, napi_value *result)
{
    NAPI_CHECK_ENV(env);
    NAPI_CHECK_ARG(env, result);
    return napi_give(env, js_object(env->js), result);
}

napi_status node_api_create_object_with_properties(napi_env env, napi_value prototype_or_null,
                                                   const napi_value *property_names,
                                                   const napi_value *property_values,
                                                   size_t property_count, napi_value *result)
{
    NAPI_ENTER(env);
    NAPI_CHECK_ARG(env, result);
    NAPI_CHECK(env, !property_count || (property_names && property_values), napi_invalid_arg);
    JsVal proto = prototype_or_null ? napi_in(prototype_or_null) : JS_NULL;
    NAPI_CHECK(env, js_is_null(proto) || js_is_object(env->js, proto), napi_object_expected);
    JsVal obj = js_object(env->js);
    js_set_proto(env->js, obj, proto);
    JsVal flags = js_int(env->js, napi_writable | napi_enumerable | napi_configurable);
    for (usize i = 0; i < property_count; i++) {
        NAPI_CHECK_ARG(env, property_names[i]);
        NAPI_CHECK_ARG(env, property_values[i]);
        JsVal key = napi_in(property_names[i]), v = napi_in(property_values[i]);
        NAPI_CHECK(env, js_is_string(env->js, key) || js_type(env->js, key) == JS_TYPE_SYMBOL,
                   napi_name_expected);
        if (!napi_js_call(env->host, NAPI_JS_DEFINE, JS_ARGS(obj, key, v, flags)))
            return napi_thrown(env);
    }
    return napi_give(env, obj, result);
}

napi_status napi_create_array(napi_env env, napi_value *result)
{
    NAPI_CHECK_ENV(env);
    NAPI_CHECK_ARG(env, result);
    return napi_give(env, js_array(env->js, NULL, 0), result);
}

napi_status napi_create_array_with_length(napi_env env, size_t length, napi_value *result)
{
    NAPI_CHECK_ENV(env);
    NAPI_CHECK_ARG(env, result);
    JsVal len = js_number(env->js, (f64)(length > UINT32_MAX ? 0 : length));
    return napi_give(env, napi_js_call(env->host, NAPI_JS_NEW_ARRAY, JS_ARGS(len)), result);
}

napi_status napi_is_array(napi_env env, napi_value value, bool *result)
{
    NAPI_CHECK_ENV(env);
    NAPI_CHECK_ARG(env, value);
    NAPI_CHECK_ARG(env, result);
    *result = js_is_array(env->js, napi_in(value));
    return napi_done(env, napi_ok);
}

napi_status napi_get_array_length(napi_env env, napi_value value, uint32_t *result)
{
    NAPI_CHECK_ENV(env);
    NAPI_CHECK_ARG(env, value);
    NAPI_CHECK_ARG(env, result);
    NAPI_CHECK(env, js_is_array(env->js, napi_in(value)), napi_array_expected);
    if (!js_array_len(env->js, napi_in(value), result)) return napi_thrown(env);
    return napi_done(env, napi_ok);
}

/* ---- Prototypes ----------------------------------------------------------------------------- */

napi_status napi_get_prototype(napi_env env, napi_value object, napi_value *result)
{
    NAPI_CHECK_ENV(env);
    NAPI_CHECK_ARG(env, object);
    NAPI_CHECK_ARG(env, result);
    NAPI_CHECK(env, js_is_object(env->js, napi_in(object)), napi_object_expected);
    return napi_give(env, js_proto(env->js, napi_in(object)), result);
}

napi_status node_api_set_prototype(napi_env env, napi_value object, napi_value value)
{
    NAPI_ENTER(env);
    NAPI_CHECK_ARG(env, object);
    NAPI_CHECK_ARG(env, value);
    NAPI_CHECK(env, js_is_object(env->js, napi_in(object)), napi_object_expected);
    NAPI_CHECK(env, js_is_null(napi_in(value)) || js_is_object(env->js, napi_in(value)),
               napi_object_expected);
    js_set_proto(env->js, napi_in(object), napi_in(value));
    return napi_done(env, napi_ok);
}

napi_status napi_instanceof(napi_env env, napi_value object, napi_value constructor, bool *result)
{
    NAPI_ENTER(env);
    NAPI_CHECK_ARG(env, object);
    NAPI_CHECK_ARG(env, result);
    *result = false;
    NAPI_CHECK_ARG(env, constructor);
    if (!js_is_function(env->js, napi_in(constructor))) {
        (void)napi_throw_type_error(env, "ERR_NAPI_CONS_FUNCTION",
                                    "Constructor must be a function");
        return napi_done(env, napi_function_expected);
    }
    if (!js_instance_of(env->js, napi_in(object), napi_in(constructor), result))
        return napi_thrown(env);
    return napi_done(env, napi_ok);
}

/* ---- Properties ----------------------------------------------------------------------------- */

/* What properties are asked of: an object, or what a primitive value becomes. */
static napi_status to_object(napi_env env, napi_value value, JsVal *ret)
{
    NAPI_CHECK_ARG(env, value);
    *ret = napi_in(value);
    if (LIKELY(js_is_object(env->js, *ret))) return napi_ok;
    NAPI_CHECK(env, !js_is_nullish(*ret), napi_object_expected);
    *ret = napi_js_call(env->host, NAPI_JS_TO_OBJECT, JS_ARGS(*ret));
    return *ret ? napi_ok : napi_thrown(env);
}

#define TO_OBJECT(env, value, obj)                                                                 \
    JsVal obj;                                                                                     \
    do {                                                                                           \
        napi_status object_status = to_object(env, value, &obj);                                   \
        if (UNLIKELY(object_status != napi_ok)) return object_status;                              \
    } while (0)

napi_status napi_set_property(napi_env env, napi_value object, napi_value key, napi_value value)
{
    NAPI_ENTER(env);
    NAPI_CHECK_ARG(env, key);
    NAPI_CHECK_ARG(env, value);
    TO_OBJECT(env, object, obj);
    if (!js_set_key(env->js, obj, napi_in(key), napi_in(value))) return napi_thrown(env);
    return napi_done(env, napi_ok);
}

napi_status napi_get_property(napi_env env, napi_value object, napi_value key, napi_value *result)
{
    NAPI_ENTER(env);
    NAPI_CHECK_ARG(env, key);
    NAPI_CHECK_ARG(env, result);
    TO_OBJECT(env, object, obj);
    return napi_give(env, js_get_key(env->js, obj, napi_in(key)), result);
}

static napi_status has(napi_env env, JsVal obj, JsVal key, bool *result)
{
    if (!js_has_key(env->js, obj, key, result)) return napi_thrown(env);
    return napi_done(env, napi_ok);
}

static napi_status delete (napi_env env, JsVal obj, JsVal key, bool *result)
{
    bool is_deleted;
    if (!js_delete_key(env->js, obj, key, &is_deleted)) return napi_thrown(env);
    if (result) *result = is_deleted;
    return napi_done(env, napi_ok);
}

napi_status napi_has_property(napi_env env, napi_value object, napi_value key, bool *result)
{
    NAPI_ENTER(env);
    NAPI_CHECK_ARG(env, result);
    NAPI_CHECK_ARG(env, key);
    TO_OBJECT(env, object, obj);
    return has(env, obj, napi_in(key), result);
}

napi_status napi_delete_property(napi_env env, napi_value object, napi_value key, bool *result)
{
    NAPI_ENTER(env);
    NAPI_CHECK_ARG(env, key);
    TO_OBJECT(env, object, obj);
    return delete (env, obj, napi_in(key), result);
}

napi_status napi_has_own_property(napi_env env, napi_value object, napi_value key, bool *result)
{
    NAPI_ENTER(env);
    NAPI_CHECK_ARG(env, key);
    NAPI_CHECK_ARG(env, result);
    TO_OBJECT(env, object, obj);
    JsType type = js_type(env->js, napi_in(key));
    NAPI_CHECK(env, type == JS_TYPE_STRING || type == JS_TYPE_SYMBOL, napi_name_expected);
    JsVal v = napi_js_call(env->host, NAPI_JS_HAS_OWN, JS_ARGS(obj, napi_in(key)));
    if (!v) return napi_thrown(env);
    *result = v == JS_TRUE;
    return napi_done(env, napi_ok);
}

napi_status napi_set_named_property(napi_env env, napi_value object, const char *utf8name,
                                    napi_value value)
{
    NAPI_ENTER(env);
    NAPI_CHECK_ARG(env, value);
    TO_OBJECT(env, object, obj);
    NAPI_CHECK_ARG(env, utf8name);
    if (!js_set(env->js, obj, utf8name, napi_in(value))) return napi_thrown(env);
    return napi_done(env, napi_ok);
}

napi_status napi_has_named_property(napi_env env, napi_value object, const char *utf8name,
                                    bool *result)
{
    NAPI_ENTER(env);
    NAPI_CHECK_ARG(env, result);
    TO_OBJECT(env, object, obj);
    NAPI_CHECK_ARG(env, utf8name);
    if (!js_has(env->js, obj, utf8name, result)) return napi_thrown(env);
    return napi_done(env, napi_ok);
}

napi_status napi_get_named_property(napi_env env, napi_value object, const char *utf8name,
                                    napi_value *result)
{
    NAPI_ENTER(env);
    NAPI_CHECK_ARG(env, utf8name);
    NAPI_CHECK_ARG(env, result);
    TO_OBJECT(env, object, obj);
    return napi_give(env, js_get(env->js, obj, utf8name), result);
}

/* ---- Elements ------------------------------------------------------------------------------- */

napi_status napi_set_element(napi_env env, napi_value object, uint32_t index, napi_value value)
{
    NAPI_ENTER(env);
    NAPI_CHECK_ARG(env, value);
    TO_OBJECT(env, object, obj);
    if (!js_set_index(env->js, obj, index, napi_in(value))) return napi_thrown(env);
    return napi_done(env, napi_ok);
}

napi_status napi_get_element(napi_env env, napi_value object, uint32_t index, napi_value *result)
{
    NAPI_ENTER(env);
    NAPI_CHECK_ARG(env, result);
    TO_OBJECT(env, object, obj);
    return napi_give(env, js_get_index(env->js, obj, index), result);
}

napi_status napi_has_element(napi_env env, napi_value object, uint32_t index, bool *result)
{
    NAPI_ENTER(env);
    NAPI_CHECK_ARG(env, result);
    TO_OBJECT(env, object, obj);
    return has(env, obj, js_number(env->js, index), result);
}

napi_status napi_delete_element(napi_env env, napi_value object, uint32_t index, bool *result)
{
    NAPI_ENTER(env);
    TO_OBJECT(env, object, obj);
    return delete (env, obj, js_number(env->js, index), result);
}

/* ---- Keys, freezing ------------------------------------------------------------------------- */

napi_status napi_get_all_property_names(napi_env env, napi_value object,
                                        napi_key_collection_mode key_mode,
                                        napi_key_filter key_filter,
                                        napi_key_conversion key_conversion, napi_value *result)
{
    NAPI_ENTER(env);
    NAPI_CHECK_ARG(env, result);
    TO_OBJECT(env, object, obj);
    NAPI_CHECK(env, (u32)key_mode <= napi_key_own_only, napi_invalid_arg);
    NAPI_CHECK(env, (u32)key_conversion <= napi_key_numbers_to_strings, napi_invalid_arg);
    JsVal keys = napi_js_call(env->host, NAPI_JS_KEYS,
                              JS_ARGS(obj, js_boolean(key_mode == napi_key_own_only),
                                      js_int(env->js, (i32)key_filter),
                                      js_boolean(key_conversion == napi_key_keep_numbers)));
    return napi_give(env, keys, result);
}

napi_status napi_get_property_names(napi_env env, napi_value object, napi_value *result)
{
    return napi_get_all_property_names(
        env, object, napi_key_include_prototypes,
        (napi_key_filter)(napi_key_enumerable | napi_key_skip_symbols), napi_key_numbers_to_strings,
        result);
}

static napi_status call_on(napi_env env, NapiJs which, napi_value object)
{
    NAPI_ENTER(env);
    TO_OBJECT(env, object, obj);
    if (!napi_js_call(env->host, which, JS_ARGS(obj))) return napi_thrown(env);
    return napi_done(env, napi_ok);
}

napi_status napi_object_freeze(napi_env env, napi_value object)
{
    return call_on(env, NAPI_JS_FREEZE, object);
}

napi_status napi_object_seal(napi_env env, napi_value object)
{
    return call_on(env, NAPI_JS_SEAL, object);
}
