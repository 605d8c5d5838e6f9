/* internal/inspect/kinds.c -- native half of internal/inspect/kinds. */
#include "builtins/builtins.h"

JS_NATIVE(kinds_class_name_of)
{
    return js_str(js, js_class_name(js, js_arg(args, 0)));
}

JS_NATIVE(kinds_proxy_details)
{
    JsVal parts[2];
    if (!js_proxy_parts(js, js_arg(args, 0), &parts[0], &parts[1])) return JS_UNDEFINED;
    return js_array(js, parts, COUNT(parts));
}

JS_NATIVE(kinds_promise_details)
{
    JsPromiseState state;
    JsVal result = JS_UNDEFINED;
    if (!js_promise_peek(js, js_arg(args, 0), &state, &result)) return JS_UNDEFINED;
    return js_array(js, (JsVal[]){js_int(js, (i32)state), result ? result : JS_UNDEFINED}, 2);
}

/* copyIterator(source, fresh): whether `fresh` now gives pairs, or undefined when it was left
 * alone. */
JS_NATIVE(kinds_copy_iterator)
{
    bool is_pairs;
    if (!js_iterator_copy(js, js_arg(args, 0), js_arg(args, 1), &is_pairs)) return JS_UNDEFINED;
    return js_boolean(is_pairs);
}

JS_NATIVE(kinds_display_name)
{
    return js_source_name(js, js_arg(args, 0));
}

JS_NATIVE(kinds_shape_of)
{
    return js_number(js, js_shape(js, args.at[0]));
}

static const JsFn fns[] = {
    JS_FN("classNameOf", kinds_class_name_of),      JS_FN("proxyDetails", kinds_proxy_details),
    JS_FN("promiseDetails", kinds_promise_details), JS_FN("copyIterator", kinds_copy_iterator),
    JS_FN("displayName", kinds_display_name),       JS_FN("shapeOf", kinds_shape_of),
};
BUILTIN_NATIVE(internal_inspect_kinds, fns)
