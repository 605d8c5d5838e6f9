/* internal/async_context/async_context.c -- native half of internal/async_context. */
#include "builtins/builtins.h"

JS_NATIVE(async_context_holder)
{
    return js_async_context(js);
}

JS_NATIVE(async_context_is_complete)
{
    return js_boolean(js_async_is_complete(js));
}

static const JsFn fns[] = {
    JS_FN("holder", async_context_holder),
    JS_FN("isComplete", async_context_is_complete),
};
BUILTIN_NATIVE(internal_async_context, fns)
