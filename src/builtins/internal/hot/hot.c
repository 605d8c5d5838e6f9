/* internal/hot/hot.c -- native half of internal/hot. */
#include "builtins/builtins.h"
#include "sys/sys.h"

JS_NATIVE(hot_forget)
{
    vm_forget_all(vm_of(js));
    return JS_UNDEFINED;
}

JS_NATIVE(hot_run_main)
{
    Vm *vm = vm_of(js);
    return vm_run_main(vm, vm->main_path);
}

/* dup(fd) -> a descriptor, or an errno. */
JS_NATIVE(hot_dup)
{
    int fd = sys_dup(js_get_i32(js, js_arg(args, 0)), 3);
    return js_int(js, fd);
}

static const JsFn fns[] = {
    JS_FN("forget", hot_forget),
    JS_FN("runMain", hot_run_main),
    JS_FN("dup", hot_dup),
};
BUILTIN_NATIVE(internal_hot, fns)
