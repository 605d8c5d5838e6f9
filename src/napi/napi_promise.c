/* napi/napi_promise.c -- promises, dates, integers of any size. */
#include "napi/napi_env.h"

#include <string.h>

#include "util/mem.h"

/* ---- Promises ------------------------------------------------------------------------------- */

struct napi_deferred__ {
    JsDeferred d;
};

napi_status napi_create_promise(napi_env env, napi_deferred *deferred, napi_value *promise)
{
    NAPI_ENTER(env);
    NAPI_CHECK_ARG(env, deferred);
    NAPI_CHECK_ARG(env, promise);
    napi_deferred d = MEM_NEW(struct napi_deferred__);
    if (!js_deferred_init(env->js, &d->d)) {
        mem_free(d);
        return napi_thrown(env);
    }
    *deferred = d;
    return napi_give(env, js_ref_get(env->js, &d->d.promise), promise);
}

static napi_status conclude(napi_env env, napi_deferred deferred, napi_value value, bool is_reject)
{
    NAPI_ENTER(env);
    NAPI_CHECK_ARG(env, value);
    NAPI_CHECK_ARG(env, deferred);
    bool ok = js_deferred_settle(env->js, &deferred->d, napi_in(value), is_reject);
    mem_free(deferred);
    return ok ? napi_done(env, napi_ok) : napi_thrown(env);
}

napi_status napi_resolve_deferred(napi_env env, napi_deferred deferred, napi_value resolution)
{
    return conclude(env, deferred, resolution, false);
}

napi_status napi_reject_deferred(napi_env env, napi_deferred deferred, napi_value rejection)
{
    return conclude(env, deferred, rejection, true);
}

napi_status napi_is_promise(napi_env env, napi_value value, bool *is_promise)
{
    NAPI_CHECK_ENV(env);
    NAPI_CHECK_ARG(env, value);
    NAPI_CHECK_ARG(env, is_promise);
    JsVal v = napi_in(value);
    *is_promise = js_is_object(env->js, v) && str_eq(js_class_name(env->js, v), S("Promise"));
    return napi_done(env, napi_ok);
}

/* ---- Dates ---------------------------------------------------------------------------------- */

napi_status napi_create_date(napi_env env, double time, napi_value *result)
{
    NAPI_ENTER(env);
    NAPI_CHECK_ARG(env, result);
    return napi_give(env, napi_js_call(env->host, NAPI_JS_DATE, JS_ARGS(js_number(env->js, time))),
                     result);
}

static bool is_date(napi_env env, JsVal v)
{
    return js_is_object(env->js, v) && str_eq(js_class_name(env->js, v), S("Date"));
}

napi_status napi_is_date(napi_env env, napi_value value, bool *result)
{
    NAPI_CHECK_ENV(env);
    NAPI_CHECK_ARG(env, value);
    NAPI_CHECK_ARG(env, result);
    *result = is_date(env, napi_in(value));
    return napi_done(env, napi_ok);
}

napi_status napi_get_date_value(napi_env env, napi_value value, double *result)
{
    NAPI_ENTER(env);
    NAPI_CHECK_ARG(env, value);
    NAPI_CHECK_ARG(env, result);
    NAPI_CHECK(env, is_date(env, napi_in(value)), napi_date_expected);
    JsVal v = napi_js_call(env->host, NAPI_JS_DATE_VALUE, JS_ARGS(napi_in(value)));
    if (!v) return napi_thrown(env);
    *result = js_get_number(env->js, v);
    return napi_done(env, napi_ok);
}

/* ---- BigInt by words ------------------------------------------------------------------------ *
 * Between words, least significant first, and digits in base 16. */

enum { WORDS_MAX = 1 << 14, DIGITS = 16 };

static JsVal bigint_of_words(napi_env env, bool is_negative, usize n, const uint64_t *words)
{
    static const char digits[] = "0123456789abcdef";
    AUTO(Scratch) s = scratch_begin(NULL);
    char *text = arena_alloc(s.arena, n * DIGITS + 1, 1), *p = text;
    for (usize i = n; i-- > 0;)
        for (u32 shift = 64; shift; shift -= 4) *p++ = digits[words[i] >> (shift - 4) & 15];
    if (!n) *p++ = '0';
    Str hex = {text, (usize)(p - text)};
    return napi_js_call(env->host, NAPI_JS_BIGINT,
                        JS_ARGS(js_str(env->js, hex), js_boolean(is_negative)));
}

napi_status napi_create_bigint_words(napi_env env, int sign_bit, size_t word_count,
                                     const uint64_t *words, napi_value *result)
{
    NAPI_ENTER(env);
    NAPI_CHECK_ARG(env, words);
    NAPI_CHECK_ARG(env, result);
    NAPI_CHECK(env, word_count <= INT32_MAX, napi_invalid_arg);
    if (word_count > WORDS_MAX) {
        js_throw_range_error(env->js, "Maximum BigInt size exceeded");
        return napi_thrown(env);
    }
    return napi_give(env, bigint_of_words(env, sign_bit != 0, word_count, words), result);
}

static u64 digit_of(char c)
{
    return (u64)(c <= '9' ? c - '0' : c - 'a' + 10);
}

napi_status napi_get_value_bigint_words(napi_env env, napi_value value, int *sign_bit,
                                        size_t *word_count, uint64_t *words)
{
    NAPI_CHECK_ENV(env);
    NAPI_CHECK_ARG(env, value);
    NAPI_CHECK_ARG(env, word_count);
    NAPI_CHECK(env, js_type(env->js, napi_in(value)) == JS_TYPE_BIGINT, napi_bigint_expected);
    NAPI_CHECK(env, !sign_bit == !words, napi_invalid_arg);
    AUTO(Scratch) s = scratch_begin(NULL);
    JsVal hex = napi_js_call(env->host, NAPI_JS_BIGINT_HEX, JS_ARGS(napi_in(value)));
    Str text;
    if (!hex || !js_to_str(env->js, s.arena, hex, &text)) return napi_thrown(env);
    bool is_negative = str_starts(text, S("-"));
    if (is_negative) text = str_skip(text, 1);
    usize n = str_eq(text, S("0")) ? 0 : (text.n + DIGITS - 1) / DIGITS;
    if (words) {
        memset(words, 0, MIN(n, *word_count) * sizeof(*words));
        for (usize i = 0; i < text.n; i++) {
            usize word = i / DIGITS;
            if (word < *word_count && word < n)
                words[word] |= digit_of(text.p[text.n - 1 - i]) << (i % DIGITS * 4);
        }
        *sign_bit = is_negative;
    }
    *word_count = n;
    return napi_done(env, napi_ok);
}
