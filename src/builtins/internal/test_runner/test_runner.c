/* internal/test_runner/test_runner.c -- native half of internal/test_runner. */
#include "builtins/builtins.h"
#include "runtime/vm.h"
#include "sys/sys.h"

JS_NATIVE(runner_write)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    Str text;
    if (!js_to_str(js, s.arena, js_arg(args, 0), &text)) return NULL;
    (void)!sys_write_all(2, text);
    return JS_UNDEFINED;
}

JS_NATIVE(runner_has_rejections)
{
    return js_boolean(vm_of(js)->n_rejections > 0);
}

JS_NATIVE(runner_keep_modules)
{
    vm_esm_keep(vm_of(js));
    return JS_UNDEFINED;
}

JS_NATIVE(runner_forget_modules)
{
    vm_esm_forget(vm_of(js));
    return JS_UNDEFINED;
}

/* How long ago a time of the monotonic clock was. */
JS_NATIVE(runner_elapsed_ms)
{
    f64 then = js_get_number(js, js_arg(args, 0));
    return js_number(js, (f64)sys_monotonic_ns() / 1e6 - then);
}

JS_NATIVE(runner_set_live)
{
    vm_esm_set_live(vm_of(js), js_truthy(js, js_arg(args, 0)));
    return JS_UNDEFINED;
}

JS_NATIVE(runner_drain)
{
    js_drain_microtasks(js);
    return JS_UNDEFINED;
}

JS_NATIVE(runner_caller_path)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    return js_str(js, js_caller_url(js, s.arena));
}

static const JsFn fns[] = {
    JS_FN("write", runner_write),
    JS_FN("hasRejections", runner_has_rejections),
    JS_FN("keepModules", runner_keep_modules),
    JS_FN("forgetModules", runner_forget_modules),
    JS_FN("elapsedMs", runner_elapsed_ms),
    JS_FN("setLive", runner_set_live),
    JS_FN("drain", runner_drain),
    JS_FN("callerPath", runner_caller_path),
};
BUILTIN_NATIVE(internal_test_runner, fns)
