/* web/console/console.c -- native half of web:console: writing text to a descriptor at once. */
#include "builtins/web/console/console.h"

#include "builtins/builtins.h"
#include "sys/sys.h"

enum { COLORS_UNKNOWN, COLORS_NO, COLORS_YES };

static bool is_off(Str v)
{
    return str_eq(v, S("0")) || str_eq(v, S("false"));
}

static bool find_colors(int fd)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    Str v;
    if (sys_env_find(s.arena, S("FORCE_COLOR"), &v) && !is_off(v)) return true;
    if (sys_env_find(s.arena, S("NO_COLOR"), &v) && v.n && !is_off(v)) return false;
    return sys_tty_is(fd);
}

bool console_has_colors(Vm *vm, int fd)
{
    ASSERT(fd >= 0 && fd < (int)COUNT(vm->console_colors));
    u8 *known = &vm->console_colors[fd];
    if (*known == COLORS_UNKNOWN) *known = find_colors(fd) ? COLORS_YES : COLORS_NO;
    return *known == COLORS_YES;
}

/* Errors are dropped on purpose: console.log to a closed pipe must not throw (Node, Bun). */
void console_write(int fd, Str text)
{
    (void)!sys_write_all(fd, text);
}

static i32 fd_arg(Js *js, JsArgs args)
{
    return js_get_i32(js, js_arg(args, 0));
}

JS_NATIVE(console_write_out)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    Str text;
    if (!js_to_str(js, s.arena, js_arg(args, 1), &text)) return NULL;
    console_write(fd_arg(js, args), text);
    return JS_UNDEFINED;
}

JS_NATIVE(console_colors)
{
    return js_boolean(console_has_colors(vm_of(js), fd_arg(js, args)));
}

JS_NATIVE(console_columns)
{
    u32 cols = 0, rows = 0;
    int rc = sys_tty_size(fd_arg(js, args), &cols, &rows);
    return js_int(js, rc < 0 ? 0 : (i32)cols);
}

JS_NATIVE(console_depth)
{
    return js_int(js, (i32)vm_of(js)->options->console_depth);
}

JS_NATIVE(console_indent)
{
    Vm *vm = vm_of(js);
    return js_u32array_shared(js, vm->console_indent, COUNT(vm->console_indent));
}

JS_NATIVE(console_object)
{
    JsVal console = js_ref_get(js, &vm_of(js)->console);
    return console ? console : JS_UNDEFINED;
}

static const JsFn fns[] = {
    JS_FN("writeOut", console_write_out), JS_FN("hasColors", console_colors),
    JS_FN("columns", console_columns),    JS_FN("depth", console_depth),
    JS_FN("indent", console_indent),      JS_FN("object", console_object),
};
BUILTIN_NATIVE(web_console, fns)
