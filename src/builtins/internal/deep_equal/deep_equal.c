/* internal/deep_equal/deep_equal.c -- native half of internal/deep_equal. */
#include "builtins/builtins.h"

#include <string.h>

/* sameBytes(a, b) -> boolean; both are views or buffers. */
JS_NATIVE(deep_equal_same_bytes)
{
    JsBytes a, b;
    if (!js_bytes(js, js_arg(args, 0), &a) || !js_bytes(js, js_arg(args, 1), &b)) return JS_FALSE;
    return js_boolean(a.n == b.n && (a.n == 0 || memcmp(a.p, b.p, a.n) == 0));
}

static const JsFn fns[] = {
    JS_FN("sameBytes", deep_equal_same_bytes),
};
BUILTIN_NATIVE(internal_deep_equal, fns)
