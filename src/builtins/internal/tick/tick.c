/* internal/tick/tick.c -- native half of internal/tick. */
#include "builtins/builtins.h"

JS_NATIVE(tick_info)
{
    Vm *vm = vm_of(js);
    return js_u32array_shared(js, vm->tick_info, COUNT(vm->tick_info));
}

JS_NATIVE(tick_drain_microtasks)
{
    js_drain_microtasks(js);
    return JS_UNDEFINED;
}

JS_NATIVE(tick_set_process_ticks)
{
    js_ref_set_strong(js, &vm_of(js)->process_ticks, js_arg(args, 0));
    return JS_UNDEFINED;
}

static const JsFn fns[] = {
    JS_FN("info", tick_info),
    JS_FN("drainMicrotasks", tick_drain_microtasks),
    JS_FN("setProcessTicks", tick_set_process_ticks),
};
BUILTIN_NATIVE(internal_tick, fns)
