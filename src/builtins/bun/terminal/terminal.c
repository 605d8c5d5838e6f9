/* bun/terminal/terminal.c -- native half of Bun.Terminal: pairs of pseudo-terminals. */
#include "builtins/builtins.h"
#include "sys/sys.h"

#include <string.h>

/* open(cols, rows) -> [our side, terminal], or -errno */
JS_NATIVE(terminal_open)
{
    int master, tty;
    u32 cols = (u32)js_get_i32(js, js_arg(args, 0)), rows = (u32)js_get_i32(js, js_arg(args, 1));
    int rc = sys_pty_open(cols, rows, &master, &tty);
    if (rc < 0) return js_int(js, rc);
    return js_array(js, (JsVal[]){js_int(js, master), js_int(js, tty)}, 2);
}

/* resize(fd, cols, rows) -> 0 or -errno */
JS_NATIVE(terminal_resize)
{
    return js_int(js, sys_tty_set_size(js_get_i32(js, js_arg(args, 0)),
                                       (u32)js_get_i32(js, js_arg(args, 1)),
                                       (u32)js_get_i32(js, js_arg(args, 2))));
}

/* flags(fd, Uint32Array(4)) -> 0 or -errno: input, output, local, control */
JS_NATIVE(terminal_flags)
{
    JsBytes bytes;
    u32 flags[4];
    if (!js_bytes(js, js_arg(args, 1), &bytes) || bytes.n != sizeof flags)
        return js_throw_type_error(js, "four numbers expected");
    int rc = sys_tty_flags(js_get_i32(js, js_arg(args, 0)), flags);
    if (rc == 0) memcpy(bytes.p, flags, sizeof flags);
    return js_int(js, rc);
}

/* setFlags(fd, Uint32Array(4)) -> 0 or -errno */
JS_NATIVE(terminal_set_flags)
{
    JsBytes bytes;
    u32 flags[4];
    if (!js_bytes(js, js_arg(args, 1), &bytes) || bytes.n != sizeof flags)
        return js_throw_type_error(js, "four numbers expected");
    memcpy(flags, bytes.p, sizeof flags);
    return js_int(js, sys_tty_set_flags(js_get_i32(js, js_arg(args, 0)), flags));
}

/* flush(fd): drops what is on its way. */
JS_NATIVE(terminal_flush)
{
    return js_int(js, sys_tty_flush(js_get_i32(js, js_arg(args, 0))));
}

static const JsFn fns[] = {
    JS_FN("open", terminal_open),   JS_FN("resize", terminal_resize),
    JS_FN("flags", terminal_flags), JS_FN("setFlags", terminal_set_flags),
    JS_FN("flush", terminal_flush),
};
BUILTIN_NATIVE(bun_terminal, fns)
