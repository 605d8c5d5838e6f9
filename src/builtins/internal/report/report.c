/* internal/report/report.c -- native half of internal/report. */
#include "builtins/builtins.h"
#include "runtime/vm_worker.h"
#include "sys/sys.h"

JS_NATIVE(report_exit)
{
    vm_stop(vm_of(js), js_get_i32(js, js_arg(args, 0)) & 0xff);
    return js_throw_error(js, "the worker ends"); /* becomes what no script can catch */
}

JS_NATIVE(report_rejection_mode)
{
    static const char *const names[] = {
        [VM_REJECTIONS_THROW] = "throw", [VM_REJECTIONS_STRICT] = "strict",
        [VM_REJECTIONS_WARN] = "warn",   [VM_REJECTIONS_WARN_CODE] = "warn-with-error-code",
        [VM_REJECTIONS_NONE] = "none",
    };
    return js_str(js, str_z(names[vm_of(js)->options->rejections]));
}

JS_NATIVE(report_set_reporter)
{
    Vm *vm = vm_of(js);
    js_ref_set_strong(js, &vm->report, js_arg(args, 0));
    js_ref_set_strong(js, &vm->report_rejections, js_arg(args, 1));
    js_ref_set_strong(js, &vm->report_late, js_arg(args, 2));
    return JS_UNDEFINED;
}

static const JsFn fns[] = {
    JS_FN("exit", report_exit),
    JS_FN("rejectionMode", report_rejection_mode),
    JS_FN("setReporter", report_set_reporter),
};
BUILTIN_NATIVE(internal_report, fns)
