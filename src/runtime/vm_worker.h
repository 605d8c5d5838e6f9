/* runtime/vm_worker.h -- programs on threads of their own: a Vm, an engine and a loop each.
 *
 * A VmWorker belongs to the Vm that started it, and may be used on that thread only until on_exit
 * has run.  Parent and child talk through a port (vm_inbox.h). */
#pragma once

#include "runtime/vm.h"
#include "runtime/vm_inbox.h"

typedef struct VmWorker VmWorker;

/* Starts a thread that loads internal/worker_main and runs its loop to the end.  Takes `port`, the
 * child's ends.  `stack_size` is in bytes, 0 for the usual.  `on_exit(data, code)` runs on the
 * parent's thread, once, when the thread has ended, unless the parent's loop ended first.  0 or
 * -errno; then nothing was taken. */
NODISCARD int vm_worker_start(Vm *parent, VmPortEnds *port, usize stack_size,
                              void (*on_exit)(void *data, int code), void *data, VmWorker **ret);
/* js_heap_capacity_mt of the child; 0 when it has not begun or has ended. */
usize vm_worker_heap(VmWorker *w);
/* The child stops at once, also in the middle of a script; its code is then 1. */
void vm_worker_terminate(VmWorker *w);
/* After on_exit: lets go of it.  NULL is fine. */
void vm_worker_free(VmWorker *w);
/* In a worker: its port, once; false when this is the main thread. */
bool vm_worker_take_port(Vm *vm, VmPortEnds *ret);
bool vm_is_worker(const Vm *vm);
/* Ends the program of this Vm with `code`: the process, or the worker, whose scripts then stop at
 * the next check.  Returns in workers only. */
void vm_stop(Vm *vm, int code);
