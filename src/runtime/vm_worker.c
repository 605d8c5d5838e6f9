/* runtime/vm_worker.c -- programs on threads of their own.
 *
 * The child's Vm is known to the parent only under the lock, from when it is complete until its
 * loop has ended.  Ending: the loop is stopped and the engine told to throw what no script can
 * catch; from then on nothing is called any more (vm_call).  The loop is freed first, while its
 * handles can still let go of what they refer to in the engine, then the engine. */
#include "runtime/vm_worker.h"

#include "sys/sys.h"
#include "util/mem.h"

/* The engine wants to know how much stack there is; scripts recurse. */
enum { STACK_SIZE = 4 << 20 };

struct VmWorker {
    SysMutex lock;
    SysThread thread;
    u32 n_refs; /* the parent's and the thread's */
    Vm *vm;
    bool is_terminated;
    int code;
    VmPortEnds port;
    LoopMail *parent;
    const VmOptions *options;
    void (*on_exit)(void *data, int code);
    void *data;
};

bool vm_is_worker(const Vm *vm)
{
    return vm->worker != NULL;
}

static void worker_unref_mt(VmWorker *w)
{
    if (!w || __atomic_sub_fetch(&w->n_refs, 1, __ATOMIC_ACQ_REL)) return;
    vm_port_ends_close(&w->port);
    (void)loop_mail_unref_mt(w->parent);
    mem_free(w);
}

void vm_worker_free(VmWorker *w)
{
    worker_unref_mt(w);
}

bool vm_worker_take_port(Vm *vm, VmPortEnds *ret)
{
    VmWorker *w = vm->worker;
    if (!w) return false;
    *ret = w->port;
    w->port = (VmPortEnds){0};
    return true;
}

void vm_stop(Vm *vm, int code)
{
    VmWorker *w = vm->worker;
    if (!w) vm_exit(vm, code);
    sys_mutex_lock(&w->lock);
    if (!w->is_terminated) w->code = code;
    w->is_terminated = true;
    sys_mutex_unlock(&w->lock);
    vm->is_stopping = true;
    loop_stop(vm->loop);
    js_terminate_mt(vm->js);
}

void vm_worker_terminate(VmWorker *w)
{
    sys_mutex_lock(&w->lock);
    if (!w->is_terminated) w->code = 1;
    w->is_terminated = true;
    if (w->vm) {
        __atomic_store_n(&w->vm->is_stopping, true, __ATOMIC_RELEASE);
        js_terminate_mt(w->vm->js);
        loop_stop_mt(w->vm->loop);
    }
    sys_mutex_unlock(&w->lock);
}

/* Tells the parent of the Vm, or that it need not bother. */
static bool publish(VmWorker *w, Vm *vm)
{
    sys_mutex_lock(&w->lock);
    bool is_wanted = !w->is_terminated;
    if (is_wanted) w->vm = vm;
    sys_mutex_unlock(&w->lock);
    return is_wanted;
}

static void withdraw(VmWorker *w, Vm *vm)
{
    sys_mutex_lock(&w->lock);
    w->vm = NULL;
    sys_mutex_unlock(&w->lock);
    vm->is_stopping = true;
}

static void run(VmWorker *w, Vm *vm)
{
    JsVal module = vm_builtin(vm, S("internal/worker_main"));
    if (!module) vm_report_pending(vm);
    int code = vm_finish(vm);
    sys_mutex_lock(&w->lock);
    if (!w->is_terminated) w->code = code;
    sys_mutex_unlock(&w->lock);
}

/* On the parent's thread. */
static void tell_parent(void *data)
{
    VmWorker *w = data;
    sys_thread_join(&w->thread);
    w->on_exit(w->data, w->code);
    worker_unref_mt(w);
}

static void worker_main(void *arg)
{
    VmWorker *w = arg;
    Vm *vm = vm_new(w->options);
    vm->worker = w;
    if (publish(w, vm)) {
        run(w, vm);
        withdraw(w, vm);
    }
    vm_free(vm);
    LoopMail *parent = w->parent;
    loop_mail_ref_mt(parent);
    /* The thread's reference goes along. */
    if (loop_mail_post_mt(parent, tell_parent, w) < 0) worker_unref_mt(w);
    (void)loop_mail_unref_mt(parent);
}

usize vm_worker_heap(VmWorker *w)
{
    sys_mutex_lock(&w->lock);
    usize size = w->vm ? js_heap_capacity_mt(w->vm->js) : 0;
    sys_mutex_unlock(&w->lock);
    return size;
}

int vm_worker_start(Vm *parent, VmPortEnds *port, usize stack_size,
                    void (*on_exit)(void *data, int code), void *data, VmWorker **ret)
{
    VmWorker *w = MEM_NEW(VmWorker);
    w->n_refs = 2;
    w->options = parent->options;
    w->on_exit = on_exit;
    w->data = data;
    w->parent = loop_mail(parent->loop);
    w->port = *port;
    usize size = stack_size ? stack_size : STACK_SIZE;
    int rc = sys_thread_start(&w->thread, "Worker", size, worker_main, w);
    if (rc < 0) {
        w->port = (VmPortEnds){0};
        w->n_refs = 1;
        worker_unref_mt(w);
        return rc;
    }
    *port = (VmPortEnds){0};
    *ret = w;
    return 0;
}
