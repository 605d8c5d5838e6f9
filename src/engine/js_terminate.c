/* engine/js_terminate.c -- stopping a running script from another thread.
 *
 * The engine polls a word of trap bits (or stops the thread with a signal where compiled code does
 * not poll) and throws an exception that no script can catch.  There are two reasons to stop, which
 * may come together: the program ends (for good), or the run of a script has taken too long (until
 * whoever limited it says js_interrupt_end). */
#include "engine/js_internal.h"

#include <pthread.h>

#include "engine/js_private.h"

/* Byte offsets in a VM, and the trap.  REQUESTED is what Atomics.wait looks at. */
enum {
    VM_TERMINATION = 0x18,
    VM_TRAPS = 0x40,
    VM_REQUESTED = 0x20061,
    TRAP_TERMINATE = 1 << 1,
};
/* Reasons, in js->stop. */
enum { STOP_PROGRAM = 1, STOP_RUN = 2 };

/* JSC::VMTraps::cancelThreadStopIfNeeded */
extern void jsc_cancel_stop(void *traps) JSC_SYMBOL("_ZN3JSC7VMTraps24cancelThreadStopIfNeededEv");

static bool can_stop(void)
{
    return jsc.has_layout && jsc_ensure_termination && jsc_request_stop;
}

static u32 *traps_of(Js *js)
{
    return (u32 *)(void *)((char *)js->vm + VM_TRAPS);
}

static void set_requested(Js *js, bool is_requested)
{
    __atomic_store_n((bool *)js->vm + VM_REQUESTED, is_requested, __ATOMIC_SEQ_CST);
}

void js_terminate_init(Js *js)
{
    /* The exception must exist before it can be thrown; only the machine's own thread may make it.
     */
    if (jsc.has_layout && jsc_ensure_termination) jsc_ensure_termination(js->vm);
}

/* Asking and taking back do not overlap.  And what is still asked for is not asked for again: were
 * the bit handled just then, the engine would find its books in disorder and abort. */
static pthread_mutex_t asking = PTHREAD_MUTEX_INITIALIZER;

static void stop_mt(Js *js, u32 reason)
{
    pthread_mutex_lock(&asking);
    (void)__atomic_or_fetch(&js->stop, reason, __ATOMIC_SEQ_CST);
    if (can_stop()) {
        set_requested(js, true);
        u32 before = __atomic_fetch_or(traps_of(js), TRAP_TERMINATE, __ATOMIC_SEQ_CST);
        if (!(before & TRAP_TERMINATE)) jsc_request_stop(traps_of(js), TRAP_TERMINATE);
    }
    pthread_mutex_unlock(&asking);
}

void js_terminate_mt(Js *js)
{
    stop_mt(js, STOP_PROGRAM);
}

bool js_can_interrupt(void)
{
    return can_stop() && jsc_cancel_stop;
}

void js_interrupt_mt(Js *js)
{
    stop_mt(js, STOP_RUN);
}

void js_interrupt_end(Js *js)
{
    pthread_mutex_lock(&asking);
    u32 left = __atomic_and_fetch(&js->stop, ~(u32)STOP_RUN, __ATOMIC_SEQ_CST);
    if (!left && js_can_interrupt()) {
        set_requested(js, false);
        (void)__atomic_and_fetch(traps_of(js), ~(u32)TRAP_TERMINATE, __ATOMIC_SEQ_CST);
        jsc_cancel_stop(traps_of(js));
    }
    pthread_mutex_unlock(&asking);
}

bool js_is_terminating(Js *js)
{
    return __atomic_load_n(&js->stop, __ATOMIC_ACQUIRE) & STOP_PROGRAM;
}

JsVal js_termination(Js *js)
{
    if (LIKELY(!__atomic_load_n(&js->stop, __ATOMIC_ACQUIRE))) return NULL;
    if (!jsc.has_layout || !jsc_throw_exception) return NULL;
    return *(JsVal *)(void *)((char *)js->vm + VM_TERMINATION);
}

bool js_throw_termination(Js *js, void *global)
{
    JsVal exception = js_termination(js);
    if (LIKELY(!exception)) return false;
    (void)jsc_throw_exception(js->vm, global, (void *)(uintptr_t)exception);
    return true;
}
