/* napi/napi_error.c -- errors, exceptions, and the ends of a process. */
#include "napi/napi_env.h"

#include <signal.h>

#include "sys/sys.h"
#include "util/str.h"

typedef enum { KIND_ERROR, KIND_TYPE, KIND_RANGE, KIND_SYNTAX } ErrorKind;

/* ---- Making --------------------------------------------------------------------------------- */

static JsVal make_error(napi_env env, ErrorKind kind, JsVal msg, JsVal code)
{
    return napi_js_call(env->host, NAPI_JS_ERROR, JS_ARGS(js_int(env->js, (i32)kind), msg, code));
}

static napi_status create_error(napi_env env, ErrorKind kind, napi_value code, napi_value msg,
                                napi_value *result)
{
    NAPI_CHECK_ENV(env);
    NAPI_CHECK_ARG(env, msg);
    NAPI_CHECK_ARG(env, result);
    NAPI_CHECK(env, js_is_string(env->js, napi_in(msg)), napi_string_expected);
    JsVal code_value = code ? napi_in(code) : JS_UNDEFINED;
    NAPI_CHECK(env, !code || js_is_string(env->js, code_value), napi_string_expected);
    return napi_give(env, make_error(env, kind, napi_in(msg), code_value), result);
}

napi_status napi_create_error(napi_env env, napi_value code, napi_value msg, napi_value *result)
{
    return create_error(env, KIND_ERROR, code, msg, result);
}

napi_status napi_create_type_error(napi_env env, napi_value code, napi_value msg,
                                   napi_value *result)
{
    return create_error(env, KIND_TYPE, code, msg, result);
}

napi_status napi_create_range_error(napi_env env, napi_value code, napi_value msg,
                                    napi_value *result)
{
    return create_error(env, KIND_RANGE, code, msg, result);
}

napi_status node_api_create_syntax_error(napi_env env, napi_value code, napi_value msg,
                                         napi_value *result)
{
    return create_error(env, KIND_SYNTAX, code, msg, result);
}

/* ---- Throwing ------------------------------------------------------------------------------- */

napi_status napi_throw(napi_env env, napi_value error)
{
    NAPI_ENTER(env);
    NAPI_CHECK_ARG(env, error);
    js_throw(env->js, napi_in(error));
    return napi_done(env, napi_ok);
}

static napi_status throw_error(napi_env env, ErrorKind kind, const char *code, const char *msg)
{
    static const JsErrorKind kinds[] = {JS_ERROR, JS_TYPE_ERROR, JS_RANGE_ERROR};
    NAPI_ENTER(env);
    JsVal error, code_value = code ? js_str(env->js, str_z(code)) : JS_UNDEFINED;
    Str text = str_z(msg ? msg : "");
    if (kind < COUNT(kinds)) {
        error = js_make_error_of(env->js, kinds[kind], text);
        if (code && !js_set(env->js, error, "code", code_value)) error = NULL;
    } else {
        error = make_error(env, kind, js_str(env->js, text), code_value);
    }
    if (!error) return napi_thrown(env);
    js_throw(env->js, error);
    return napi_done(env, napi_ok);
}

napi_status napi_throw_error(napi_env env, const char *code, const char *msg)
{
    return throw_error(env, KIND_ERROR, code, msg);
}

napi_status napi_throw_type_error(napi_env env, const char *code, const char *msg)
{
    return throw_error(env, KIND_TYPE, code, msg);
}

napi_status napi_throw_range_error(napi_env env, const char *code, const char *msg)
{
    return throw_error(env, KIND_RANGE, code, msg);
}

napi_status node_api_throw_syntax_error(napi_env env, const char *code, const char *msg)
{
    return throw_error(env, KIND_SYNTAX, code, msg);
}

napi_status napi_is_error(napi_env env, napi_value value, bool *result)
{
    NAPI_CHECK_ENV(env);
    NAPI_CHECK_ARG(env, value);
    NAPI_CHECK_ARG(env, result);
    *result = js_is_error(env->js, napi_in(value));
    return napi_done(env, napi_ok);
}

/* ---- What is pending ------------------------------------------------------------------------ */

napi_status napi_is_exception_pending(napi_env env, bool *result)
{
    NAPI_CHECK_ENV(env);
    NAPI_CHECK_ARG(env, result);
    *result = js_is_pending(env->js);
    return napi_done(env, napi_ok);
}

napi_status napi_get_and_clear_last_exception(napi_env env, napi_value *result)
{
    NAPI_CHECK_ENV(env);
    NAPI_CHECK_ARG(env, result);
    JsVal v = js_is_pending(env->js) ? js_catch(env->js) : JS_UNDEFINED;
    return napi_give(env, v, result);
}

napi_status napi_fatal_exception(napi_env env, napi_value err)
{
    NAPI_ENTER(env);
    NAPI_CHECK_ARG(env, err);
    js_throw(env->js, napi_in(err));
    napi_report(env);
    return napi_done(env, napi_ok);
}

void napi_fatal_error(const char *location, size_t location_len, const char *message,
                      size_t message_len)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    Str where = {0}, what = {0};
    (void)napi_text(location, location_len, &where);
    (void)napi_text(message, message_len, &what);
    Str line = str_fmt(s.arena, "FATAL ERROR: %.*s %.*s\n", STR_ARG(where), STR_ARG(what));
    (void)!sys_write_all(2, line);
    (void)!sys_kill(sys_pid(), SIGABRT);
    sys_exit_now(128 + SIGABRT);
}
