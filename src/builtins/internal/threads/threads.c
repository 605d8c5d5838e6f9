/* internal/threads/threads.c -- threads: how the parent starts them and how they begin. */
#include "builtins/web/messaging/messaging.h"
#include "runtime/vm_worker.h"
#include "util/mem.h"

typedef struct {
    Vm *vm;
    VmWorker *worker;
    JsRef self, on_exit;
    bool is_ref;
} Thread;

/* When its parent ends first. */
static void thread_finalize(void *native)
{
    Thread *t = native;
    vm_worker_terminate(t->worker);
    vm_worker_free(t->worker);
    mem_free(t);
}

static const JsClass thread_class = {.name = "Thread", .finalize = thread_finalize};

static void thread_set_ref(Thread *t, bool is_ref)
{
    if (t->is_ref == is_ref) return;
    t->is_ref = is_ref;
    if (is_ref)
        loop_ref(t->vm->loop);
    else
        loop_unref(t->vm->loop);
}

static void on_exit(void *data, int code)
{
    Thread *t = data;
    Vm *vm = t->vm;
    Js *js = vm->js;
    JsVal fn = js_ref_get(js, &t->on_exit), self = js_ref_get(js, &t->self);
    if (self) (void)js_unwrap_take(js, self, &thread_class);
    thread_set_ref(t, false);
    vm_worker_free(t->worker);
    js_ref_clear(js, &t->on_exit);
    js_ref_clear(js, &t->self);
    mem_free(t);
    if (!fn) return;
    vm_call(vm, fn, JS_ARGS(js_int(js, code)));
    vm_after_callback(vm);
}

/* start(port, fn(code), stackBytes) -> thread, or -errno; the native port is the child's then */
JS_NATIVE(worker_start)
{
    VmPortEnds ends;
    if (!web_messaging_take(js, js_arg(args, 0), &ends)) return js_int(js, -EBADF);
    Thread *t = MEM_NEW(Thread);
    t->vm = vm_of(js);
    usize stack_size = (usize)js_get_number(js, js_arg(args, 2));
    int rc = vm_worker_start(t->vm, &ends, stack_size, on_exit, t, &t->worker);
    if (rc < 0) {
        vm_port_ends_close(&ends);
        mem_free(t);
        return js_int(js, rc);
    }
    thread_set_ref(t, true);
    JsVal self = js_wrap(js, &thread_class, t);
    js_ref_set_strong(js, &t->self, self);
    js_ref_set_strong(js, &t->on_exit, js_arg(args, 1));
    return self;
}

JS_NATIVE(worker_terminate)
{
    Thread *t = js_unwrap(js, js_arg(args, 0), &thread_class);
    if (t) vm_worker_terminate(t->worker);
    return JS_UNDEFINED;
}

/* heapSize(thread) -> bytes, garbage too; 0 when it is not running */
JS_NATIVE(worker_heap_size)
{
    Thread *t = js_unwrap(js, js_arg(args, 0), &thread_class);
    return js_number(js, t ? (f64)vm_worker_heap(t->worker) : 0);
}

JS_NATIVE(worker_set_ref)
{
    Thread *t = js_unwrap(js, js_arg(args, 0), &thread_class);
    if (t) thread_set_ref(t, js_truthy(js, js_arg(args, 1)));
    return JS_UNDEFINED;
}

/* ends() -> the port that the parent gave this thread; undefined in the main one */
JS_NATIVE(worker_ends)
{
    VmPortEnds ends;
    if (!vm_worker_take_port(vm_of(js), &ends)) return JS_UNDEFINED;
    return web_messaging_wrap(js, ends);
}

/* runFile(path): as the program's first file */
JS_NATIVE(worker_run_file)
{
    Vm *vm = vm_of(js);
    Str path;
    if (!js_to_str(js, &vm->arena, js_arg(args, 0), &path)) return NULL;
    vm->main_path = path;
    return vm_run_main(vm, path);
}

JS_NATIVE(worker_is_main)
{
    return js_boolean(!vm_is_worker(vm_of(js)));
}

/* nextId() -> the number of a new thread; they count over all */
JS_NATIVE(worker_next_id)
{
    static i32 last;
    return js_int(js, __atomic_add_fetch(&last, 1, __ATOMIC_RELAXED));
}

static const JsFn fns[] = {
    JS_FN("start", worker_start),      JS_FN("terminate", worker_terminate),
    JS_FN("setRef", worker_set_ref),   JS_FN("ends", worker_ends),
    JS_FN("runFile", worker_run_file), JS_FN("isMain", worker_is_main),
    JS_FN("nextId", worker_next_id),   JS_FN("heapSize", worker_heap_size),
};
BUILTIN_NATIVE(internal_threads, fns)
