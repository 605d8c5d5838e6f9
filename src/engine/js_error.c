/* engine/js_error.c -- the pending exception, and errors made by native code. */
#include "engine/js_internal.h"

#include <stdarg.h>
#include <string.h>

#include "engine/js_private.h"
#include "util/err.h"

JsVal js_set_pending(Js *js, JSValueRef exception)
{
    ASSERT(exception);
    ASSERT(!js->pending);
    JSValueProtect(js->ctx, exception);
    js->pending = js_val_of(exception);
    return NULL;
}

JsVal js_take_pending(Js *js)
{
    JsVal v = js->pending;
    if (!v) return NULL;
    js->pending = NULL;
    JSValueUnprotect(js->ctx, js_ref_of(v));
    return v;
}

bool js_is_pending(Js *js)
{
    return js->pending;
}

JsVal js_catch(Js *js)
{
    ASSERT(js->pending);
    return js_take_pending(js);
}

JsVal js_throw(Js *js, JsVal value)
{
    ASSERT(value);
    return js_set_pending(js, js_ref_of(value));
}

/* ---- Making errors
 * ------------------------------------------------------------------------------------ */

/* Without the engine's own functions: through the global constructor, which a program may have
 * replaced. */
static JsVal make_by_constructor(Js *js, JsErrorKind kind, Str message)
{
    static const char *const names[] = {"Error", "TypeError", "RangeError"};
    JsVal constructor = js_get(js, js_global(js), names[kind]);
    return constructor ? js_construct(js, constructor, JS_ARGS(js_str(js, message))) : NULL;
}

static JsVal make_error(Js *js, JsErrorKind kind, Str message)
{
    static JscCreateError *const makers[] = {jsc_create_error, jsc_create_type_error,
                                             jsc_create_range_error};
    JscCreateError *maker = makers[kind];
    if (UNLIKELY(!maker || !jsc.has_layout)) return make_by_constructor(js, kind, message);
    JscStringImpl *impl = js_make_impl(message);
    void *error = maker(js->ctx, &impl);
    js_drop_impl(impl);
    return (JsVal)error;
}

static JsVal throw_kind(Js *js, JsErrorKind kind, const char *fmt, va_list args)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    JsVal error = make_error(js, kind, str_vfmt(s.arena, fmt, args));
    return error ? js_throw(js, error) : NULL;
}

#define THROW(kind, fmt)                                                                           \
    va_list args;                                                                                  \
    va_start(args, fmt);                                                                           \
    JsVal none = throw_kind(js, kind, fmt, args);                                                  \
    va_end(args);                                                                                  \
    return none

JsVal js_throw_error(Js *js, const char *fmt, ...)
{
    THROW(JS_ERROR, fmt);
}
JsVal js_throw_type_error(Js *js, const char *fmt, ...)
{
    THROW(JS_TYPE_ERROR, fmt);
}
JsVal js_throw_range_error(Js *js, const char *fmt, ...)
{
    THROW(JS_RANGE_ERROR, fmt);
}

JsVal js_throw_illegal(Js *js)
{
    return js_throw_type_error(js, "Illegal invocation");
}

JsVal js_make_error_of(Js *js, JsErrorKind kind, Str message)
{
    JsVal error = make_error(js, kind, message);
    return error ? error : js_catch(js);
}

JsVal js_make_error(Js *js, Str message)
{
    return js_make_error_of(js, JS_ERROR, message);
}

JsVal js_make_sys_error(Js *js, int rc, const char *syscall, Str path)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    const char *code = err_name(rc);
    Str message =
        path.n ? str_fmt(s.arena, "%s: %s, %s '%.*s'", code, err_text(rc), syscall, STR_ARG(path))
               : str_fmt(s.arena, "%s: %s, %s", code, err_text(rc), syscall);
    JsVal error = js_make_error(js, message);
    bool ok = js_set(js, error, "errno", js_int(js, rc)) &&
              js_set(js, error, "code", js_str(js, str_z(code))) &&
              js_set(js, error, "syscall", js_str(js, str_z(syscall))) &&
              (!path.n || js_set(js, error, "path", js_str(js, path)));
    return ok ? error : js_catch(js);
}

JsVal js_throw_sys(Js *js, int rc, const char *syscall, Str path)
{
    return js_throw(js, js_make_sys_error(js, rc, syscall, path));
}
