/* node/vm/vm.c -- native half of node:vm. */
#include "builtins/builtins.h"

/* makeContext(sandbox) -> handle with the property `global` */
JS_NATIVE(vm_make_context)
{
    return js_context_new(js, js_arg(args, 0));
}

/* evalIn(handle, sandbox, text, url, line) */
JS_NATIVE(vm_eval_in)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    Str url;
    if (!js_to_str(js, s.arena, js_arg(args, 3), &url)) return NULL;
    JsContextScript script = {.url = url, .line = js_get_i32(js, js_arg(args, 4))};
    return js_context_eval(js, js_arg(args, 0), js_arg(args, 1), js_arg(args, 2), script);
}

static u32 line_arg(Js *js, JsArgs args)
{
    return (u32)MAX(js_get_i32(js, js_arg(args, 2)), 1);
}

/* evalHere(text, url, line) */
JS_NATIVE(vm_eval_here)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    Str url;
    if (!js_to_str(js, s.arena, js_arg(args, 1), &url)) return NULL;
    return js_eval_value(js, js_arg(args, 0), url, line_arg(js, args));
}

/* check(text, url, line): throws a SyntaxError */
JS_NATIVE(vm_check)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    Str text, url;
    if (!js_to_str(js, s.arena, js_arg(args, 0), &text)) return NULL;
    if (!js_to_str(js, s.arena, js_arg(args, 1), &url)) return NULL;
    return js_check_syntax(js, text, url, line_arg(js, args)) ? JS_UNDEFINED : NULL;
}

static const JsFn fns[] = {
    JS_FN("makeContext", vm_make_context),
    JS_FN("evalIn", vm_eval_in),
    JS_FN("evalHere", vm_eval_here),
    JS_FN("check", vm_check),
};
BUILTIN_NATIVE(node_vm, fns)
