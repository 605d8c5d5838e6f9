/* tests/napi/values.c -- primitive values. */
#include "addon.h"

FN(constants)
{
    ARGS(0);
    napi_value at[4];
    OK(napi_get_undefined(env, &at[0]));
    OK(napi_get_null(env, &at[1]));
    OK(napi_get_boolean(env, true, &at[2]));
    OK(napi_get_global(env, &at[3]));
    OK(napi_create_array(env, &out));
    for (uint32_t i = 0; i < 4; i++) OK(napi_set_element(env, out, i, at[i]));
    return out;
}

FN(typeOf)
{
    ARGS(1);
    napi_valuetype type;
    OK(napi_typeof(env, arg[0], &type));
    return number(env, type);
}

FN(numbers)
{
    ARGS(1);
    double d;
    int32_t i;
    uint32_t u;
    int64_t l;
    OK(napi_get_value_double(env, arg[0], &d));
    OK(napi_get_value_int32(env, arg[0], &i));
    OK(napi_get_value_uint32(env, arg[0], &u));
    OK(napi_get_value_int64(env, arg[0], &l));
    napi_value at[4];
    OK(napi_create_double(env, d, &at[0]));
    OK(napi_create_int32(env, i, &at[1]));
    OK(napi_create_uint32(env, u, &at[2]));
    OK(napi_create_int64(env, l, &at[3]));
    OK(napi_create_array_with_length(env, 4, &out));
    for (uint32_t k = 0; k < 4; k++) OK(napi_set_element(env, out, k, at[k]));
    return out;
}

FN(readBool)
{
    ARGS(1);
    bool b;
    OK(napi_get_value_bool(env, arg[0], &b));
    return boolean(env, b);
}

FN(coerce)
{
    ARGS(2);
    int32_t which;
    OK(napi_get_value_int32(env, arg[1], &which));
    if (which == 0) OK(napi_coerce_to_bool(env, arg[0], &out));
    if (which == 1) OK(napi_coerce_to_number(env, arg[0], &out));
    if (which == 2) OK(napi_coerce_to_object(env, arg[0], &out));
    if (which == 3) OK(napi_coerce_to_string(env, arg[0], &out));
    return out;
}

FN(strictEquals)
{
    ARGS(2);
    bool b;
    OK(napi_strict_equals(env, arg[0], arg[1], &b));
    return boolean(env, b);
}

/* (text, size of the buffer, encoding): [what was read, its length, the whole length] */
FN(readText)
{
    ARGS(3);
    static char narrow[256];
    static char16_t wide[256];
    uint32_t size;
    int32_t which;
    size_t n = 0, all = 0;
    OK(napi_get_value_uint32(env, arg[1], &size));
    OK(napi_get_value_int32(env, arg[2], &which));
    napi_value text;
    if (which == 0) {
        OK(napi_get_value_string_utf8(env, arg[0], NULL, 0, &all));
        OK(napi_get_value_string_utf8(env, arg[0], narrow, size, &n));
        OK(napi_create_string_utf8(env, narrow, n, &text));
    } else if (which == 1) {
        OK(napi_get_value_string_latin1(env, arg[0], NULL, 0, &all));
        OK(napi_get_value_string_latin1(env, arg[0], narrow, size, &n));
        OK(napi_create_string_latin1(env, narrow, n, &text));
    } else {
        OK(napi_get_value_string_utf16(env, arg[0], NULL, 0, &all));
        OK(napi_get_value_string_utf16(env, arg[0], wide, size, &n));
        OK(napi_create_string_utf16(env, wide, n, &text));
    }
    OK(napi_create_array(env, &out));
    OK(napi_set_element(env, out, 0, text));
    OK(napi_set_element(env, out, 1, number(env, (double)n)));
    OK(napi_set_element(env, out, 2, number(env, (double)all)));
    return out;
}

static int n_freed;
static void count_free(napi_env env, void *p, void *hint)
{
    (void)env, (void)p, (void)hint;
    n_freed++;
}

FN(externalText)
{
    ARGS(0);
    static char narrow[] = "kept by the add-on";
    static char16_t wide[] = u"kept \u20ac";
    bool copied = true;
    napi_value a, b;
    OK(node_api_create_external_string_latin1(env, narrow, NAPI_AUTO_LENGTH, count_free, NULL, &a,
                                              &copied));
    OK(node_api_create_external_string_utf16(env, wide, NAPI_AUTO_LENGTH, count_free, NULL, &b,
                                             &copied));
    OK(napi_create_array(env, &out));
    OK(napi_set_element(env, out, 0, a));
    OK(napi_set_element(env, out, 1, b));
    return out;
}

FN(freedTexts)
{
    ARGS(0);
    return number(env, n_freed);
}

FN(keys)
{
    ARGS(0);
    napi_value a, b, c;
    OK(node_api_create_property_key_latin1(env, "one", 3, &a));
    OK(node_api_create_property_key_utf8(env, "two", NAPI_AUTO_LENGTH, &b));
    OK(node_api_create_property_key_utf16(env, u"three", 5, &c));
    OK(napi_create_object(env, &out));
    OK(napi_set_property(env, out, a, a));
    OK(napi_set_property(env, out, b, b));
    OK(napi_set_property(env, out, c, c));
    return out;
}

FN(badText)
{
    ARGS(0);
    napi_status status = napi_create_string_utf8(env, NULL, 5, &out);
    return status_value(env, status);
}

FN(symbol)
{
    ARGS(1);
    OK(napi_create_symbol(env, argc ? arg[0] : NULL, &out));
    return out;
}

FN(symbolFor)
{
    ARGS(0);
    OK(node_api_symbol_for(env, "shared", NAPI_AUTO_LENGTH, &out));
    return out;
}

FN(date)
{
    ARGS(1);
    double t;
    bool is_date;
    OK(napi_is_date(env, arg[0], &is_date));
    OK(napi_get_date_value(env, arg[0], &t));
    OK(napi_create_date(env, t + 1000, &out));
    return out;
}

FN(bigint64)
{
    ARGS(1);
    int64_t i;
    uint64_t u;
    bool exact_i, exact_u;
    OK(napi_get_value_bigint_int64(env, arg[0], &i, &exact_i));
    OK(napi_get_value_bigint_uint64(env, arg[0], &u, &exact_u));
    napi_value a, b;
    OK(napi_create_bigint_int64(env, i, &a));
    OK(napi_create_bigint_uint64(env, u, &b));
    OK(napi_create_array(env, &out));
    OK(napi_set_element(env, out, 0, a));
    OK(napi_set_element(env, out, 1, boolean(env, exact_i)));
    OK(napi_set_element(env, out, 2, b));
    OK(napi_set_element(env, out, 3, boolean(env, exact_u)));
    return out;
}

FN(bigintWords)
{
    ARGS(1);
    uint64_t words[64];
    size_t n = 64;
    int sign;
    OK(napi_get_value_bigint_words(env, arg[0], &sign, &n, words));
    OK(napi_create_bigint_words(env, sign, n, words, &out));
    return out;
}

FN(hugeBigint)
{
    ARGS(0);
    static uint64_t word;
    napi_status status = napi_create_bigint_words(env, 0, 1 << 25, &word, &out);
    return status == napi_pending_exception ? NULL : status_value(env, status);
}

FN(version)
{
    ARGS(0);
    uint32_t version;
    const napi_node_version *node;
    OK(napi_get_version(env, &version));
    OK(napi_get_node_version(env, &node));
    OK(napi_create_array(env, &out));
    OK(napi_set_element(env, out, 0, number(env, version)));
    OK(napi_set_element(env, out, 1, number(env, node->major)));
    return out;
}

ADDON(EXPORT(constants), EXPORT(typeOf), EXPORT(numbers), EXPORT(readBool), EXPORT(coerce),
      EXPORT(strictEquals), EXPORT(readText), EXPORT(externalText), EXPORT(freedTexts),
      EXPORT(keys), EXPORT(badText), EXPORT(symbol), EXPORT(symbolFor), EXPORT(date),
      EXPORT(bigint64), EXPORT(bigintWords), EXPORT(hugeBigint), EXPORT(version))
