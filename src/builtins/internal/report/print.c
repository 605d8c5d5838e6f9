/* internal/report/print.c -- native half of internal/report/print. */
#include "builtins/builtins.h"
#include "sys/sys.h"

/* Standard error may be closed or full for ever: there is nobody left to tell. */
JS_NATIVE(print_error)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    Str text;
    if (!js_to_str(js, s.arena, js_arg(args, 0), &text)) return NULL;
    (void)!sys_write_all(2, text);
    return JS_UNDEFINED;
}

JS_NATIVE(print_banner)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    return js_str(js, str_fmt(s.arena, "Cob v%.*s (Linux x64)", STR_ARG(vm_version())));
}

JS_NATIVE(print_hint)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    Str specifier, referrer;
    if (!js_to_str(js, s.arena, js_arg(args, 0), &specifier) ||
        !js_to_str(js, s.arena, js_arg(args, 1), &referrer))
        return NULL;
    ResolveKind kind = js_truthy(js, js_arg(args, 2)) ? RESOLVE_REQUIRE : RESOLVE_IMPORT;
    return js_str(js, vm_resolve_hint(vm_of(js), s.arena, specifier, referrer, kind));
}

static const JsFn fns[] = {
    JS_FN("hint", print_hint),
    JS_FN("printError", print_error),
    JS_FN("banner", print_banner),
};
BUILTIN_NATIVE(internal_report_print, fns)
