/* napi/napi_string.c -- strings and symbols. */
#include "napi/napi_env.h"

#include <string.h>

#include "codec/utf.h"
#include "util/mem.h"

enum { TEXT_MAX = INT32_MAX };

/* ---- Making --------------------------------------------------------------------------------- */

bool napi_text(const char *text, usize len, Str *ret)
{
    if (len == NAPI_AUTO_LENGTH) len = text ? strlen(text) : 0;
    *ret = (Str){text ? text : "", len};
    return len <= TEXT_MAX;
}

napi_status napi_text_value(napi_env env, const char *text, usize len, JsVal *ret)
{
    Str str;
    NAPI_CHECK(env, text || !len, napi_invalid_arg);
    NAPI_CHECK(env, napi_text(text, len, &str), napi_invalid_arg);
    *ret = js_str(env->js, str);
    return napi_ok;
}

napi_status napi_create_string_utf8(napi_env env, const char *str, size_t length,
                                    napi_value *result)
{
    NAPI_CHECK_ENV(env);
    JsVal v;
    if (napi_text_value(env, str, length, &v) != napi_ok) return env->last.error_code;
    NAPI_CHECK_ARG(env, result);
    return napi_give(env, v, result);
}

napi_status napi_create_string_latin1(napi_env env, const char *str, size_t length,
                                      napi_value *result)
{
    Str text;
    NAPI_CHECK_ENV(env);
    NAPI_CHECK(env, str || !length, napi_invalid_arg);
    NAPI_CHECK_ARG(env, result);
    NAPI_CHECK(env, napi_text(str, length, &text), napi_invalid_arg);
    return napi_give(env, js_str_latin1(env->js, (const u8 *)text.p, text.n), result);
}

static bool utf16_len(const char16_t *str, usize *len)
{
    if (*len == NAPI_AUTO_LENGTH) {
        for (*len = 0; str[*len];) (*len)++;
    }
    return *len <= TEXT_MAX;
}

napi_status napi_create_string_utf16(napi_env env, const char16_t *str, size_t length,
                                     napi_value *result)
{
    NAPI_CHECK_ENV(env);
    NAPI_CHECK(env, str || !length, napi_invalid_arg);
    NAPI_CHECK_ARG(env, result);
    NAPI_CHECK(env, utf16_len(str, &length), napi_invalid_arg);
    return napi_give(env, js_str_utf16(env->js, (const u16 *)str, length), result);
}

/* A string over the add-on's memory.  The shortest the engine makes of a copy and calls back at
 * once, from here, so that `copied` is always false. */
static napi_status check_external(napi_env env, const void *str, const usize *len,
                                  const void *result)
{
    NAPI_CHECK_ENV(env);
    NAPI_CHECK(env, str || !*len, napi_invalid_arg);
    NAPI_CHECK_ARG(env, result);
    return napi_ok;
}

napi_status node_api_create_external_string_latin1(napi_env env, char *str, size_t length,
                                                   napi_finalize finalize_callback,
                                                   void *finalize_hint, napi_value *result,
                                                   bool *copied)
{
    Str text;
    napi_status status = check_external(env, str, &length, result);
    if (status != napi_ok) return status;
    NAPI_CHECK(env, napi_text(str, length, &text), napi_invalid_arg);
    void *e = napi_external_new(env, str, finalize_callback, finalize_hint);
    if (copied) *copied = false;
    return napi_give(
        env, js_str_external_latin1(env->js, (const u8 *)text.p, text.n, napi_external_freed, e),
        result);
}

napi_status node_api_create_external_string_utf16(napi_env env, char16_t *str, size_t length,
                                                  napi_finalize finalize_callback,
                                                  void *finalize_hint, napi_value *result,
                                                  bool *copied)
{
    napi_status status = check_external(env, str, &length, result);
    if (status != napi_ok) return status;
    NAPI_CHECK(env, utf16_len(str, &length), napi_invalid_arg);
    void *e = napi_external_new(env, str, finalize_callback, finalize_hint);
    if (copied) *copied = false;
    return napi_give(
        env, js_str_external_utf16(env->js, (const u16 *)str, length, napi_external_freed, e),
        result);
}

napi_status node_api_create_property_key_latin1(napi_env env, const char *str, size_t length,
                                                napi_value *result)
{
    return napi_create_string_latin1(env, str, length, result);
}

napi_status node_api_create_property_key_utf8(napi_env env, const char *str, size_t length,
                                              napi_value *result)
{
    return napi_create_string_utf8(env, str, length, result);
}

napi_status node_api_create_property_key_utf16(napi_env env, const char16_t *str, size_t length,
                                               napi_value *result)
{
    return napi_create_string_utf16(env, str, length, result);
}

napi_status napi_create_symbol(napi_env env, napi_value description, napi_value *result)
{
    NAPI_CHECK_ENV(env);
    NAPI_CHECK_ARG(env, result);
    JsVal text = description ? napi_in(description) : JS_UNDEFINED;
    NAPI_CHECK(env, !description || js_is_string(env->js, text), napi_string_expected);
    return napi_give(env, napi_js_call(env->host, NAPI_JS_SYMBOL, JS_ARGS(text)), result);
}

napi_status node_api_symbol_for(napi_env env, const char *utf8description, size_t length,
                                napi_value *result)
{
    NAPI_CHECK_ENV(env);
    NAPI_CHECK_ARG(env, result);
    JsVal text;
    if (napi_text_value(env, utf8description, length, &text) != napi_ok)
        return env->last.error_code;
    return napi_give(env, napi_js_call(env->host, NAPI_JS_SYMBOL_FOR, JS_ARGS(text)), result);
}

/* ---- Reading -------------------------------------------------------------------------------- *
 * Without a buffer the length is asked for; with one, at most its size less one for the NUL is
 * written, in whole characters. */

static napi_status read_chars(napi_env env, napi_value value, const void *buf, const void *result,
                              JsChars *ret)
{
    NAPI_CHECK_ENV(env);
    NAPI_CHECK_ARG(env, value);
    NAPI_CHECK(env, js_is_string(env->js, napi_in(value)), napi_string_expected);
    NAPI_CHECK(env, buf || result, napi_invalid_arg);
    if (!js_chars(env->js, napi_in(value), ret)) return napi_thrown(env);
    return napi_done(env, napi_ok);
}

static usize utf8_len(const JsChars *c)
{
    return c->is_latin1 ? utf_latin1_to_utf8_len(c->latin1, c->len)
                        : utf16_to_utf8_len(c->utf16, c->len);
}

napi_status napi_get_value_string_utf8(napi_env env, napi_value value, char *buf, size_t bufsize,
                                       size_t *result)
{
    JsChars c;
    usize n = 0, used;
    napi_status status = read_chars(env, value, buf, result, &c);
    if (status != napi_ok) return status;
    if (!buf) {
        *result = utf8_len(&c);
        return status;
    }
    if (bufsize) {
        n = c.is_latin1 ? utf_latin1_to_utf8_partial(c.latin1, c.len, buf, bufsize - 1, &used)
                        : utf16_to_utf8_partial(c.utf16, c.len, buf, bufsize - 1, &used);
        buf[n] = 0;
    }
    if (result) *result = n;
    return status;
}

napi_status napi_get_value_string_latin1(napi_env env, napi_value value, char *buf, size_t bufsize,
                                         size_t *result)
{
    JsChars c;
    usize n = 0;
    napi_status status = read_chars(env, value, buf, result, &c);
    if (status != napi_ok) return status;
    if (!buf) {
        *result = c.len;
        return status;
    }
    if (bufsize) {
        n = MIN(c.len, bufsize - 1);
        if (c.is_latin1)
            memcpy(buf, c.latin1, n);
        else
            utf16_low_bytes(c.utf16, n, (u8 *)buf);
        buf[n] = 0;
    }
    if (result) *result = n;
    return status;
}

napi_status napi_get_value_string_utf16(napi_env env, napi_value value, char16_t *buf,
                                        size_t bufsize, size_t *result)
{
    JsChars c;
    usize n = 0;
    napi_status status = read_chars(env, value, buf, result, &c);
    if (status != napi_ok) return status;
    if (!buf) {
        *result = c.len;
        return status;
    }
    if (bufsize) {
        n = MIN(c.len, bufsize - 1);
        if (c.is_latin1)
            utf_latin1_to_utf16(c.latin1, n, (u16 *)buf);
        else
            memcpy(buf, c.utf16, n * sizeof(u16));
        buf[n] = 0;
    }
    if (result) *result = n;
    return status;
}
