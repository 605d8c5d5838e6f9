/* runner/runner_run.c -- from the command line into internal/test_runner. */
#include "runner/runner.h"

void runner_run(Vm *vm, Str options)
{
    Js *js = vm->js;
    vm->is_testing = true;
    JsVal runner = vm_builtin(vm, S("internal/test_runner"));
    JsVal run = runner ? js_get(js, runner, "run") : NULL;
    JsVal done = run ? js_call(js, run, JS_UNDEFINED, JS_ARGS(js_str(js, options))) : NULL;
    if (!done) vm_report_pending(vm);
    vm_exit(vm, vm_finish(vm));
}
