/* runtime/vm.c -- the life of a program: start, callbacks, rejections, end.
 *
 * Starting evaluates two small built-ins, internal/boot (which defines the lazy globals) and
 * internal/cjs (the loader).  Everything else comes when the program touches it.
 *
 * The program ends when the loop has nothing left that is alive: 'beforeExit' may give it more to
 * do, then 'exit' is emitted and the process leaves without tearing the engine down. */
#include "runtime/vm.h"

#include "runtime/vm_worker.h"

#include "sys/sys.h"
#include "util/mem.h"

#ifndef COB_VERSION
#define COB_VERSION  "0.0.0"
#define COB_REVISION "unknown"
#endif

Str vm_version(void)
{
    return S(COB_VERSION);
}

Str vm_revision(void)
{
    return S(COB_REVISION);
}

Vm *vm_of(Js *js)
{
    return js_user_data(js);
}

void vm_exit(Vm *vm, int code)
{
    if (vm->before_exit_now) code = vm->before_exit_now(vm, code);
    if (vm->end_addons) vm->end_addons(vm);
    vm_code_save(vm);
    (void)sys_tty_restore();
    sys_exit_now(code);
}

static bool is_stopping(const Vm *vm)
{
    return __atomic_load_n(&vm->is_stopping, __ATOMIC_ACQUIRE);
}

/* ---- Exceptions and rejections
 * ------------------------------------------------------------------- */

/* The last resort, when the reporter itself cannot run: the engine's own text of the value. */
static void report_plainly(Vm *vm, JsVal error)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    Str text = S("an exception that cannot be shown");
    if (js_is_pending(vm->js)) (void)js_catch(vm->js);
    if (!js_to_str(vm->js, s.arena, error, &text)) (void)js_catch(vm->js);
    Str line = str_fmt(s.arena, "error: %.*s\n", STR_ARG(text));
    (void)!sys_write_all(2, line);
    vm_stop(vm, 1);
}

static void report(Vm *vm, JsVal error)
{
    Js *js = vm->js;
    if (is_stopping(vm)) return;
    JsVal fn = vm_builtin(vm, S("internal/report")) ? js_ref_get(js, &vm->report) : NULL;
    if (fn && js_call(js, fn, JS_UNDEFINED, JS_ARGS(error))) return;
    if (!is_stopping(vm))
        report_plainly(vm, error);
    else if (js_is_pending(js))
        (void)js_catch(js);
}

void vm_report_pending(Vm *vm)
{
    report(vm, js_catch(vm->js));
}

static void *grow(void *at, u32 *cap, usize size)
{
    u32 old = *cap;
    *cap = MAX(old * 2, 8u);
    char *p = mem_resize(at, *cap * size);
    for (usize i = old * size; i < *cap * size; i++) p[i] = 0;
    return p;
}

/* The engine tells at once; what is still without a handler after the microtasks is reported then.
 */
void vm_on_rejection(Js *js, JsVal promise, JsVal reason, bool is_handled)
{
    Vm *vm = vm_of(js);
    if (!is_handled) {
        if (vm->n_rejections == vm->rejections_cap)
            vm->rejections = grow(vm->rejections, &vm->rejections_cap, sizeof(VmRejection *));
        VmRejection *r = MEM_NEW(VmRejection);
        js_ref_set_strong(js, &r->promise, promise);
        js_ref_set_strong(js, &r->reason, reason);
        vm->rejections[vm->n_rejections++] = r;
        return;
    }
    /* Newest first: a handler mostly comes right after the rejection. */
    for (u32 i = vm->n_rejections; i-- > 0;) {
        VmRejection *r = vm->rejections[i];
        if (!js_same(js, js_ref_get(js, &r->promise), promise)) continue;
        js_ref_clear(js, &r->promise);
        js_ref_clear(js, &r->reason);
        mem_free(r);
        vm->rejections[i] = vm->rejections[--vm->n_rejections];
        return;
    }
    if (vm->n_late == vm->late_cap) vm->late = grow(vm->late, &vm->late_cap, sizeof(JsRef *));
    JsRef *late = MEM_NEW(JsRef);
    js_ref_set_strong(js, late, promise);
    vm->late[vm->n_late++] = late;
}

static JsVal take_rejections(Vm *vm)
{
    Js *js = vm->js;
    JsVal list = js_array(js, NULL, 0);
    u32 n = 0;
    for (u32 i = 0; i < vm->n_rejections; i++) {
        VmRejection *r = vm->rejections[i];
        if (!js_set_index(js, list, n++, js_ref_get(js, &r->promise))) return NULL;
        if (!js_set_index(js, list, n++, js_ref_get(js, &r->reason))) return NULL;
        js_ref_clear(js, &r->promise);
        js_ref_clear(js, &r->reason);
        mem_free(r);
    }
    vm->n_rejections = 0;
    return list;
}

static JsVal take_late(Vm *vm)
{
    Js *js = vm->js;
    JsVal list = js_array(js, NULL, 0);
    for (u32 i = 0; i < vm->n_late; i++) {
        if (!js_set_index(js, list, i, js_ref_get(js, vm->late[i]))) return NULL;
        js_ref_clear(js, vm->late[i]);
        mem_free(vm->late[i]);
    }
    vm->n_late = 0;
    return list;
}

static bool call_reporter(Vm *vm, const JsRef *fn, JsVal list)
{
    if (!list || !vm_builtin(vm, S("internal/report"))) return false;
    return js_call(vm->js, js_ref_get(vm->js, fn), JS_UNDEFINED, JS_ARGS(list)) != NULL;
}

static void report_rejections(Vm *vm)
{
    if (vm->n_late && !call_reporter(vm, &vm->report_late, take_late(vm))) vm_report_pending(vm);
    if (vm->n_rejections && !call_reporter(vm, &vm->report_rejections, take_rejections(vm)))
        vm_report_pending(vm);
}

/* ---- Callbacks
 * -------------------------------------------------------------------------------------- */

void vm_after_callback(Vm *vm)
{
    Js *js = vm->js;
    do {
        if (is_stopping(vm)) return;
        if (!vm->tick_info[0]) js_drain_microtasks(js);
        while (vm->tick_info[0] && !is_stopping(vm)) {
            if (!js_call(js, js_ref_get(js, &vm->process_ticks), JS_UNDEFINED, JS_NO_ARGS))
                vm_report_pending(vm);
        }
        if (vm->n_rejections || vm->n_late) report_rejections(vm);
    } while (vm->tick_info[0] || vm->n_rejections || vm->n_late);
}

void vm_call(Vm *vm, JsVal fn, JsArgs args)
{
    if (is_stopping(vm)) return;
    if (!js_call(vm->js, fn, JS_UNDEFINED, args)) vm_report_pending(vm);
}
