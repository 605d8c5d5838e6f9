/* internal/process_util/process_util.c -- native half of internal/process_util. */
#include "builtins/builtins.h"

JS_NATIVE(process_util_expect)
{
    js_expect_properties(js, js_arg(args, 0));
    return JS_UNDEFINED;
}

JS_NATIVE(process_util_define)
{
    return js_boolean(js_define_accessors(js, js_arg(args, 0), js_arg(args, 1)));
}

static const JsFn fns[] = {
    JS_FN("expect", process_util_expect),
    JS_FN("define", process_util_define),
};
BUILTIN_NATIVE(internal_process_util, fns)
