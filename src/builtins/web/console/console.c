/* web/console/console.c -- native half of web:console: writing text to a descriptor at once. */
#include "builtins/builtins.h"
#include "sys/sys.h"

static i32 fd_arg(Js *js, JsArgs args)
{
    return js_get_i32(js, js_arg(args, 0));
}

/* Errors are dropped on purpose: console.log to a closed pipe must not throw (Node, Bun). */
JS_NATIVE(console_write_out)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    Str text;
    if (!js_to_str(js, s.arena, js_arg(args, 1), &text)) return NULL;
    (void)!sys_write_all(fd_arg(js, args), text);
    return JS_UNDEFINED;
}

JS_NATIVE(console_is_tty)
{
    return js_boolean(sys_tty_is(fd_arg(js, args)));
}

JS_NATIVE(console_columns)
{
    u32 cols = 0, rows = 0;
    int rc = sys_tty_size(fd_arg(js, args), &cols, &rows);
    return js_int(js, rc < 0 ? 0 : (i32)cols);
}

JS_NATIVE(console_env)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    Str name, value;
    if (!js_to_str(js, s.arena, js_arg(args, 0), &name)) return NULL;
    return sys_env_find(s.arena, name, &value) ? js_str(js, value) : JS_UNDEFINED;
}

JS_NATIVE(console_depth)
{
    return js_int(js, (i32)vm_of(js)->options->console_depth);
}

static const JsFn fns[] = {
    JS_FN("writeOut", console_write_out), JS_FN("isTty", console_is_tty),
    JS_FN("columns", console_columns),    JS_FN("env", console_env),
    JS_FN("depth", console_depth),
};
BUILTIN_NATIVE(web_console, fns)
