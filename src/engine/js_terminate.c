/* engine/js_terminate.c -- stopping a running script from another thread.
 *
 * The engine polls a word of trap bits (or stops the thread with a signal where compiled code does
 * not poll) and throws an exception that no script can catch. */
#include "engine/js_internal.h"

#include "engine/js_private.h"

/* Byte offsets in a VM, and the trap. */
enum { VM_TERMINATION = 0x18, VM_TRAPS = 0x40, TRAP_TERMINATE = 1 << 1 };

void js_terminate_init(Js *js)
{
    /* The exception must exist before it can be thrown; only the machine's own thread may make it.
     */
    if (jsc.has_layout && jsc_ensure_termination) jsc_ensure_termination(js->vm);
}

void js_terminate_mt(Js *js)
{
    __atomic_store_n(&js->is_terminating, true, __ATOMIC_RELEASE);
    if (!jsc.has_layout || !jsc_ensure_termination || !jsc_request_stop) return;
    u32 *traps = (u32 *)(void *)((char *)js->vm + VM_TRAPS);
    (void)__atomic_or_fetch(traps, TRAP_TERMINATE, __ATOMIC_SEQ_CST);
    jsc_request_stop(traps, TRAP_TERMINATE);
}

bool js_is_terminating(Js *js)
{
    return __atomic_load_n(&js->is_terminating, __ATOMIC_ACQUIRE);
}

JsVal js_termination(Js *js)
{
    if (LIKELY(!js_is_terminating(js)) || !jsc.has_layout || !jsc_throw_exception) return NULL;
    return *(JsVal *)(void *)((char *)js->vm + VM_TERMINATION);
}

bool js_throw_termination(Js *js, void *global)
{
    JsVal exception = js_termination(js);
    if (LIKELY(!exception)) return false;
    (void)jsc_throw_exception(js->vm, global, (void *)(uintptr_t)exception);
    return true;
}
