/* engine/js_error.c -- the pending exception, and errors made by native code. */
#include "engine/js_internal.h"

#include <stdarg.h>
#include <string.h>

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
    return js_set_pending(js, js_ref_of(value));
}

/* A new error made by the global constructor `type`; NULL with an exception if that fails. */
static JsVal make_typed(Js *js, const char *type, Str message)
{
    JsVal constructor = js_get(js, js_global(js), type);
    return constructor ? js_construct(js, constructor, JS_ARGS(js_str(js, message))) : NULL;
}

static JsVal throw_typed(Js *js, const char *type, const char *fmt, va_list args)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    JsVal error = make_typed(js, type, str_vfmt(s.arena, fmt, args));
    return error ? js_throw(js, error) : NULL;
}

#define THROW(type, fmt)                                                                           \
    va_list args;                                                                                  \
    va_start(args, fmt);                                                                           \
    JsVal none = throw_typed(js, type, fmt, args);                                                 \
    va_end(args);                                                                                  \
    return none

JsVal js_throw_error(Js *js, const char *fmt, ...)
{
    THROW("Error", fmt);
}
JsVal js_throw_type_error(Js *js, const char *fmt, ...)
{
    THROW("TypeError", fmt);
}
JsVal js_throw_range_error(Js *js, const char *fmt, ...)
{
    THROW("RangeError", fmt);
}

JsVal js_make_error(Js *js, Str message)
{
    JsVal error = make_typed(js, "Error", message);
    return error ? error : js_catch(js);
}
