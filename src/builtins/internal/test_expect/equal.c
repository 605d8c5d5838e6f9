/* internal/test_expect/equal.c -- native half of internal/test_expect/equal. */
#include "builtins/builtins.h"

/* shapeOf(object) -> a number that objects with the same properties in the same order share. */
JS_NATIVE(equal_shape_of)
{
    return js_number(js, js_shape(js, js_arg(args, 0)));
}

static const JsFn fns[] = {
    JS_FN("shapeOf", equal_shape_of),
};
BUILTIN_NATIVE(internal_test_expect_equal, fns)
