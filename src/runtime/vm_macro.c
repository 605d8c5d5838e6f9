/* runtime/vm_macro.c -- macros (see vm.h); internal/macro does the work. */
#include "runtime/vm.h"
#include "syntax/macro.h"

/* Takes the exception. */
static Str message_of(Js *js, Arena *a)
{
    Str text;
    JsVal error = js_catch(js);
    JsVal message = js_is_object(js, error) ? js_get(js, error, "message") : error;
    if (message && js_to_str(js, a, message, &text) && text.n) return text;
    if (js_is_pending(js)) (void)js_catch(js);
    return S("a macro has thrown");
}

bool vm_macro_call(void *ctx, Arena *a, const MacroCall *call, Str *ret)
{
    const VmMacros *m = ctx;
    Js *js = m->vm->js;
    JsVal host = vm_builtin(m->vm, S("internal/macro"));
    JsVal fn = host ? js_get(js, host, "call") : NULL;
    JsVal result = fn ? js_call(js, fn, JS_UNDEFINED,
                                JS_ARGS(js_str(js, m->importer), js_str(js, call->specifier),
                                        js_str(js, call->name), js_str(js, call->args)))
                      : NULL;
    if (result && js_to_str(js, a, result, ret)) return true;
    *ret = message_of(js, a);
    return false;
}
