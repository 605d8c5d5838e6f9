/* internal/macro/macro.c -- waiting for promises while a file is compiled. */
#include "builtins/builtins.h"

JS_NATIVE(macro_wait)
{
    Vm *vm = vm_of(js);
    JsVal promise = js_arg(args, 0), result;
    JsPromiseState state;
    if (!js_promise_peek(js, promise, &state, &result)) return promise;
    for (;;) {
        vm_after_callback(vm);
        (void)js_promise_peek(js, promise, &state, &result);
        if (state != JS_PROMISE_PENDING) break;
        if (!loop_is_alive(vm->loop))
            return js_throw_error(js, "the promise of a macro is never settled");
        (void)loop_run(vm->loop, LOOP_RUN_ONCE);
    }
    if (state == JS_PROMISE_FULFILLED) return result;
    js_throw(js, result);
    return NULL;
}

static const JsFn fns[] = {JS_FN("wait", macro_wait)};
BUILTIN_NATIVE(internal_macro, fns)
