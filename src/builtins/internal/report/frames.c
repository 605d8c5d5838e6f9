/* internal/report/frames.c -- native half of internal/report/frames. */
#include "builtins/builtins.h"
#include "sys/sys.h"

JS_NATIVE(frames_cwd)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    Str cwd;
    return js_str(js, sys_cwd(s.arena, &cwd) < 0 ? S("") : cwd);
}

/* sourceLines(url, line, count): the lines up to `line`, or undefined when there is no such text.
 */
JS_NATIVE(frames_source_lines)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    Str url;
    if (!js_to_str(js, s.arena, js_arg(args, 0), &url)) return NULL;
    u32 line = (u32)js_get_i32(js, js_arg(args, 1)), count = (u32)js_get_i32(js, js_arg(args, 2));
    u32 first = line > count ? line - count + 1 : 1;
    JsVal list = js_array(js, NULL, 0);
    for (u32 i = first; i <= line; i++) {
        Str text;
        if (!vm_source_line(vm_of(js), s.arena, url, i, &text)) return JS_UNDEFINED;
        if (!js_set_index(js, list, i - first, js_str(js, text))) return NULL;
    }
    return list;
}

static const JsFn fns[] = {
    JS_FN("cwd", frames_cwd),
    JS_FN("sourceLines", frames_source_lines),
};
BUILTIN_NATIVE(internal_report_frames, fns)
