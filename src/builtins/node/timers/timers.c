/* node/timers/timers.c -- native half of node:timers: one deadline and the immediates of the loop.
 */
#include "builtins/builtins.h"

static void on_timer(LoopTimer *t)
{
    Vm *vm = CONTAINER(Vm, timer, t);
    vm_call(vm, js_ref_get(vm->js, &vm->process_timers), JS_NO_ARGS);
}

static void ensure_timer(Vm *vm)
{
    if (vm->has_timer) return;
    loop_timer_open(vm->loop, &vm->timer);
    loop_handle_unref(&vm->timer.handle);
    vm->has_timer = true;
}

JS_NATIVE(timers_now)
{
    return js_number(js, (f64)loop_now_ms(vm_of(js)->loop));
}

/* schedule(expiry): calls processTimers at that time of the loop's clock. */
JS_NATIVE(timers_schedule)
{
    Vm *vm = vm_of(js);
    ensure_timer(vm);
    i64 delay = js_get_i64(js, js_arg(args, 0)) - (i64)loop_now_ms(vm->loop);
    loop_timer_start(&vm->timer, (u64)MAX(delay, 0), 0, on_timer);
    return JS_UNDEFINED;
}

JS_NATIVE(timers_set_timer_ref)
{
    Vm *vm = vm_of(js);
    ensure_timer(vm);
    if (js_truthy(js, js_arg(args, 0)))
        loop_handle_ref(&vm->timer.handle);
    else
        loop_handle_unref(&vm->timer.handle);
    return JS_UNDEFINED;
}

JS_NATIVE(timers_set_immediate_ref)
{
    Vm *vm = vm_of(js);
    if (js_truthy(js, js_arg(args, 0)))
        loop_ref(vm->loop);
    else
        loop_unref(vm->loop);
    return JS_UNDEFINED;
}

JS_NATIVE(timers_immediate_info)
{
    Vm *vm = vm_of(js);
    return js_u32array_shared(js, vm->immediate_info, COUNT(vm->immediate_info));
}

JS_NATIVE(timers_set_callbacks)
{
    Vm *vm = vm_of(js);
    js_ref_set_strong(js, &vm->process_timers, js_arg(args, 0));
    js_ref_set_strong(js, &vm->process_immediates, js_arg(args, 1));
    return JS_UNDEFINED;
}

/* The clock is that of the turn; a long callback may want the real one. */
JS_NATIVE(timers_update_now)
{
    Vm *vm = vm_of(js);
    loop_update_now(vm->loop);
    return js_number(js, (f64)loop_now_ms(vm->loop));
}

static const JsFn fns[] = {
    JS_FN("now", timers_now),
    JS_FN("updateNow", timers_update_now),
    JS_FN("schedule", timers_schedule),
    JS_FN("setTimerRef", timers_set_timer_ref),
    JS_FN("setImmediateRef", timers_set_immediate_ref),
    JS_FN("immediateInfo", timers_immediate_info),
    JS_FN("setCallbacks", timers_set_callbacks),
};
BUILTIN_NATIVE(node_timers, fns)
