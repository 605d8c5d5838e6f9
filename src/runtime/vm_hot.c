/* runtime/vm_hot.c -- --hot: the process that watches writes a byte when a file of the program has
 * changed; internal/hot then loads everything anew.  The pipe keeps the program alive, as long as
 * somebody watches. */
#include "runtime/modules.h"
#include "runtime/vm_watch.h"
#include "sys/sys.h"

/* Of the process: it has one first program. */
static struct {
    Vm *vm;
    LoopPoll poll;
    int fd;
    JsRef exports; /* of internal/hot */
} hot;

static void on_change(LoopPoll *p, i32 events)
{
    char bytes[64];
    Vm *vm = hot.vm;
    i64 n = events < 0 ? 0 : sys_read(hot.fd, bytes, sizeof(bytes));
    if (n == 0) loop_poll_stop(p); /* nobody watches any more */
    if (n <= 0) return;
    JsVal reload = js_get(vm->js, js_ref_get(vm->js, &hot.exports), "reload");
    if (reload) vm_call(vm, reload, JS_NO_ARGS);
}

void vm_hot_start(Vm *vm)
{
    int fd = vm_watch_hot_fd();
    if (fd < 0) return;
    hot.vm = vm;
    hot.fd = fd;
    JsVal exports = vm_builtin(vm, S("internal/hot"));
    JsVal start = exports ? js_get(vm->js, exports, "start") : NULL;
    if (!start || !js_call(vm->js, start, JS_UNDEFINED, JS_NO_ARGS)) {
        vm_report_pending(vm);
        return;
    }
    js_ref_set_strong(vm->js, &hot.exports, exports);
    loop_poll_open(vm->loop, &hot.poll, fd);
    loop_poll_start(&hot.poll, LOOP_READABLE, on_change);
}

void vm_forget_all(Vm *vm)
{
    if (vm->esm) vm->esm->n_kept = 0;
    vm_esm_forget(vm, false);
    /* Files may have come and gone.  What was resolved is still named by the old modules, so the
     * old tables stay. */
    vm->resolver = NULL;
    js_gc(vm->js, true);
}
