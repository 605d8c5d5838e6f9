/* node/tty/tty.c -- native half of node:tty. */
#include "builtins/builtins.h"
#include "sys/sys.h"

JS_NATIVE(tty_is_tty)
{
    return js_boolean(sys_tty_is(js_get_i32(js, js_arg(args, 0))));
}

static const JsFn fns[] = {JS_FN("isTty", tty_is_tty)};
BUILTIN_NATIVE(node_tty, fns)
