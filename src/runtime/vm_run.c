/* runtime/vm_run.c -- starting a Vm and running a program to its end. */
#include "runtime/vm.h"

#include "runtime/crash.h"
#include "sys/sys.h"
#include "util/mem.h"

enum { EXIT_UNSETTLED = 13 };

/* ---- The loop's hooks ---------------------------------------------------------------------------
 */

static void after_callback(void *ctx)
{
    vm_after_callback(ctx);
}

static void on_check(void *ctx)
{
    Vm *vm = ctx;
    if (!vm->immediate_info[0]) return;
    vm_call(vm, js_ref_get(vm->js, &vm->process_immediates), JS_NO_ARGS);
    vm_after_callback(vm);
}

static bool has_work(void *ctx)
{
    const Vm *vm = ctx;
    return vm->immediate_info[0] > 0;
}

static void on_idle(void *ctx)
{
    Vm *vm = ctx;
    vm_code_save_idle(vm);
    js_release_memory(vm->js);
    sys_mem_trim();
    sys_mem_drop_code();
}

static i32 engine_prepare(void *ctx, int *ret_fd)
{
    Vm *vm = ctx;
    if (vm->before_wait) vm->before_wait(vm);
    JsRunLoopWait wait = js_run_loop_wait(vm->js);
    *ret_fd = wait.fd;
    return wait.timeout_ms;
}

static void engine_dispatch(void *ctx)
{
    Vm *vm = ctx;
    js_run_loop_turn(vm->js);
    vm_after_callback(vm);
}

/* ---- Start
 * ------------------------------------------------------------------------------------------ */

/* require(id) of built-ins: the id is a literal that tools/embed has checked. */
JS_NATIVE(builtin_require)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    Str id;
    if (!js_to_str(js, s.arena, js_arg(args, 0), &id)) return NULL;
    return vm_builtin(vm_of(js), id);
}

static void turn_engine(void *data)
{
    Vm *vm = data;
    loop_unref(vm->loop);
    js_run_loop_turn(vm->js);
}

/* What waits for objects to die hears of it before the next immediates, as in Node. */
JS_NATIVE(global_gc)
{
    js_gc(js, true);
    Vm *vm = vm_of(js);
    if (loop_post_mt(vm->loop, turn_engine, vm) == 0) loop_ref(vm->loop);
    return JS_UNDEFINED;
}

static bool set_stack_trace_limit(Vm *vm)
{
    Js *js = vm->js;
    u32 limit = vm->options->stack_trace_limit;
    if (!limit) return true;
    JsVal error = js_get(js, js_global(js), "Error");
    return error && js_set(js, error, "stackTraceLimit", js_number(js, limit));
}

static void boot(Vm *vm)
{
    static const JsFn require = JS_FN("require", builtin_require);
    static const JsFn gc = JS_FN("gc", global_gc);
    Js *js = vm->js;
    js_ref_set_strong(js, &vm->require, js_function(js, &require));
    bool ok = vm_globals_init(vm) && set_stack_trace_limit(vm);
    if (ok && vm->options->expose_gc)
        ok = js_define(js, js_global(js), "gc", js_function(js, &gc), false);
    if (!ok) vm_report_pending(vm);
}

/* For tests: NAME=1 in the environment. */
static bool is_set(const char *name)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    Str value;
    return sys_env_find(s.arena, str_z(name), &value) && str_eq(value, S("1"));
}

Vm *vm_new(const VmOptions *options)
{
    Vm *vm = MEM_NEW(Vm);
    vm->options = options;
    vm->start_ns = sys_monotonic_ns();
    vm_crash_init(vm);
    JsOptions engine = {
        .smol = options->smol,
        .is_brief = options->is_brief,
        .stack_trace_limit = options->stack_trace_limit,
        .gc_stress = options->gc_stress || is_set("COB_GC_STRESS"),
        .no_fast_natives = options->no_fast_natives || is_set("COB_NO_FAST_NATIVES"),
    };
    vm->js = js_new(&engine);
    vm_crash_after_engine();
    js_set_user_data(vm->js, vm);
    vm->modules = mem_new(options->builtins->n_entries * sizeof(JsRef));
    vm->loop = loop_new();
    LoopHooks hooks = {.ctx = vm,
                       .after_callback = after_callback,
                       .on_check = on_check,
                       .has_work = has_work,
                       .on_idle = on_idle};
    loop_set_hooks(vm->loop, hooks);
    loop_set_source(
        vm->loop, (LoopSource){.ctx = vm, .prepare = engine_prepare, .dispatch = engine_dispatch});
    js_on_rejection(vm->js, vm_on_rejection);
    js_on_map_position(vm->js, vm_map_position);
    js_on_import(vm->js, vm_import);
    js_on_name_at(vm->js, vm_name_at);
    boot(vm);
    return vm;
}

static void close_refs(Vm *vm)
{
    for (u32 i = 0; i < vm->n_rejections; i++) {
        js_ref_clear(vm->js, &vm->rejections[i]->promise);
        js_ref_clear(vm->js, &vm->rejections[i]->reason);
        mem_free(vm->rejections[i]);
    }
    for (u32 i = 0; i < vm->n_late; i++) {
        js_ref_clear(vm->js, vm->late[i]);
        mem_free(vm->late[i]);
    }
    mem_free(vm->rejections);
    mem_free(vm->late);
}

void vm_free(Vm *vm)
{
    if (vm->end_addons) vm->end_addons(vm);
    vm->is_stopping = true;
    loop_free(vm->loop);
    if (js_is_pending(vm->js)) (void)js_catch(vm->js);
    close_refs(vm);
    js_free(vm->js);
    if (vm->free_addons) vm->free_addons(vm);
    resolver_free(vm->resolver);
    mem_free(vm->modules);
    arena_deinit(&vm->arena);
    mem_free(vm);
}

/* ---- The program
 * -------------------------------------------------------------------------------------- */

/* Calls `name` of internal/cjs.  NULL: the exception was reported and somebody took it. */
static JsVal call_loader(Vm *vm, const char *name, JsArgs args)
{
    Js *js = vm->js;
    JsVal loader = vm_builtin(vm, S("internal/cjs"));
    JsVal fn = loader ? js_get(js, loader, name) : NULL;
    JsVal result = fn ? js_call(js, fn, JS_UNDEFINED, args) : NULL;
    if (!result) vm_report_pending(vm);
    return result;
}

static void run_loop(Vm *vm)
{
    Js *js = vm->js;
    vm_after_callback(vm);
    for (;;) {
        (void)loop_run(vm->loop, LOOP_RUN);
        if (vm->is_stopping) return;
        JsVal before_exit = js_ref_get(js, &vm->before_exit);
        if (!before_exit) return;
        vm_call(vm, before_exit, JS_NO_ARGS);
        vm_after_callback(vm);
        if (!loop_is_alive(vm->loop)) return; /* immediates without a reference do not count */
    }
}

/* The loop has nothing left to do, and the first module still waits (Node: exit code 13). */
static bool is_unsettled(Vm *vm)
{
    JsPromiseState state;
    JsVal result, promise = js_ref_get(vm->js, &vm->main_promise);
    if (!promise || !js_promise_peek(vm->js, promise, &state, &result)) return false;
    if (state != JS_PROMISE_PENDING) return false;
    (void)!sys_write_all(2, S("Warning: Detected unsettled top-level await\n"));
    return true;
}

int vm_finish(Vm *vm)
{
    run_loop(vm);
    if (vm->is_stopping) return 1;
    int unsettled = is_unsettled(vm) ? EXIT_UNSETTLED : 0;
    JsVal exit = js_ref_get(vm->js, &vm->exit);
    if (!exit) return unsettled;
    JsVal start = unsettled ? js_number(vm->js, unsettled) : JS_UNDEFINED;
    JsVal code = js_call(vm->js, exit, JS_UNDEFINED, JS_ARGS(start));
    if (!code) {
        vm_report_pending(vm);
        /* Somebody has taken the error, which leaves the code as it is. */
        code = js_call(vm->js, exit, JS_UNDEFINED, JS_ARGS(start));
        if (!code) return 1;
    }
    return js_get_i32(vm->js, code) & 0xff;
}

static void preload(Vm *vm)
{
    for (u32 i = 0; i < vm->options->n_preload; i++)
        (void)call_loader(vm, "preload", JS_ARGS(js_str(vm->js, vm->options->preload[i])));
}

int vm_run_file(Vm *vm, Str path)
{
    vm->main_path = path;
    vm_hot_start(vm);
    preload(vm);
    if (!vm_run_main(vm, path)) vm_report_pending(vm);
    vm_exit(vm, vm_finish(vm));
}

int vm_run_text(Vm *vm, Str text, Str name, bool is_printed)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    Js *js = vm->js;
    Str cwd = S("/");
    (void)!sys_cwd(s.arena, &cwd);
    preload(vm);
    (void)call_loader(vm, is_printed ? "printText" : "runText",
                      JS_ARGS(js_str(js, text), js_str(js, name), js_str(js, cwd)));
    vm_exit(vm, vm_finish(vm));
}
