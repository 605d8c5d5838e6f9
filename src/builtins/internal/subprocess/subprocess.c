/* internal/subprocess/subprocess.c -- programs that run beside ours; native half. */
#include "builtins/internal/subprocess/child_spec.h"

#include <string.h>

#include "util/mem.h"

typedef struct {
    LoopChild child;
    Vm *vm;
    JsRef self, on_exit;
    bool has_exited;
} Child;

static const JsClass child_class = {.name = "Child"};

static void on_closed(LoopHandle *h)
{
    Child *c = CONTAINER(Child, child.handle, h);
    mem_free(c);
}

static void on_exit(LoopChild *lc, const SysExit *e)
{
    Child *c = CONTAINER(Child, child, lc);
    Js *js = c->vm->js;
    JsVal fn = js_ref_get(js, &c->on_exit), self = js_ref_get(js, &c->self);
    Vm *vm = c->vm;
    JsVal exit = child_exit_value(js, e);
    (void)js_unwrap_take(js, self, &child_class);
    js_ref_clear(js, &c->on_exit);
    js_ref_clear(js, &c->self);
    loop_handle_close(&lc->handle, on_closed);
    vm_call(vm, fn, JS_ARGS(exit));
}

/* Copies our ends into the array that said what they should be. */
static void tell_fds(Js *js, JsVal stdio, const ChildSpec *s)
{
    JsBytes bytes;
    if (!js_bytes(js, stdio, &bytes)) return;
    memcpy(bytes.p, s->own_fds, MIN(bytes.n, s->spec.n_fds * sizeof(i32)));
}

/* spawn(texts..., see child_spec.h; 5: fn([code, signal, usage...])) -> [child, pid], or -errno.
 * The array of kinds then holds our descriptors. */
JS_NATIVE(child_spawn)
{
    Vm *vm = vm_of(js);
    AUTO(Scratch) scratch = scratch_begin(NULL);
    ChildSpec *s = ARENA_NEW(scratch.arena, ChildSpec);
    if (!child_spec_read(js, scratch.arena, args, s)) return NULL;
    int rc = child_spec_open(s);
    if (rc < 0) return js_int(js, rc);
    Child *c = MEM_NEW(Child);
    c->vm = vm;
    loop_child_open(vm->loop, &c->child);
    rc = loop_child_start(&c->child, &s->spec, on_exit);
    child_spec_close(s, rc < 0);
    if (rc < 0) {
        loop_handle_close(&c->child.handle, on_closed);
        return js_int(js, rc);
    }
    tell_fds(js, js_arg(args, 3), s);
    JsVal self = js_wrap(js, &child_class, c);
    js_ref_set_strong(js, &c->self, self);
    js_ref_set_strong(js, &c->on_exit, js_arg(args, 5));
    return js_array(js, (JsVal[]){self, js_int(js, c->child.pid)}, 2);
}

/* kill(child, signal) -> 0 or -errno */
JS_NATIVE(child_kill)
{
    Child *c = js_unwrap(js, js_arg(args, 0), &child_class);
    if (!c) return js_int(js, -ESRCH);
    return js_int(js, loop_child_kill(&c->child, js_get_i32(js, js_arg(args, 1))));
}

JS_NATIVE(child_set_ref)
{
    Child *c = js_unwrap(js, js_arg(args, 0), &child_class);
    if (!c) return JS_UNDEFINED;
    if (js_truthy(js, js_arg(args, 1)))
        loop_handle_ref(&c->child.handle);
    else
        loop_handle_unref(&c->child.handle);
    return JS_UNDEFINED;
}

JS_NATIVE(child_close_fd)
{
    return js_int(js, loop_fd_close(vm_of(js)->loop, js_get_i32(js, js_arg(args, 0))));
}

/* Ends of pipes that nobody has looked at.  They were never in the loop, so that whichever thread
 * finds their owner dead may close them. */
typedef struct {
    i32 fds[2];
} KeptFds;

static void kept_free(void *native)
{
    KeptFds *k = native;
    for (u32 i = 0; i < COUNT(k->fds); i++) sys_close(k->fds[i]);
    mem_free(k);
}

static const JsClass kept_class = {.name = "KeptFds", .finalize = kept_free};

/* keepFds(fd, fd): takes them; -1 is none. */
JS_NATIVE(child_keep_fds)
{
    KeptFds *k = MEM_NEW(KeptFds);
    for (u32 i = 0; i < COUNT(k->fds); i++) k->fds[i] = js_get_i32(js, js_arg(args, i));
    return js_wrap(js, &kept_class, k);
}

/* takeFd(kept, i) -> the descriptor, the caller's from now on, or -1 */
JS_NATIVE(child_take_fd)
{
    KeptFds *k = js_unwrap(js, js_arg(args, 0), &kept_class);
    i32 i = js_get_i32(js, js_arg(args, 1));
    if (!k || i < 0 || i >= (i32)COUNT(k->fds)) return js_int(js, -1);
    i32 fd = k->fds[i];
    k->fds[i] = -1;
    return js_int(js, fd);
}

/* pipe() -> [reader, writer], closed on exec and not in the loop, or -errno */
JS_NATIVE(child_pipe)
{
    (void)args;
    int pair[2];
    int rc = sys_pipe(false, pair);
    if (rc < 0) return js_int(js, rc);
    return js_array(js, (JsVal[]){js_int(js, pair[0]), js_int(js, pair[1])}, 2);
}

JS_NATIVE(child_run_sync)
{
    return child_spawn_sync(js, args);
}

static const JsFn fns[] = {
    JS_FN("spawn", child_spawn),        JS_FN("kill", child_kill),
    JS_FN("setRef", child_set_ref),     JS_FN("closeFd", child_close_fd),
    JS_FN("spawnSync", child_run_sync), JS_FN("keepFds", child_keep_fds),
    JS_FN("takeFd", child_take_fd),     JS_FN("pipe", child_pipe),
};
BUILTIN_NATIVE(internal_subprocess, fns)
