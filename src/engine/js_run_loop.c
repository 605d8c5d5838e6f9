/* engine/js_run_loop.c -- the engine's run loop, driven from outside.
 *
 * The engine posts its timers and tasks to the GLib main context that was the thread's default when
 * the VM was made.  Ours has one wake-up descriptor; preparing it tells when the next timer is due.
 */
#include "engine/js_internal.h"

#include "engine/js_private.h"
#include "util/mem.h"

#include <glib.h>

enum { FDS_MAX = 8 };
/* Byte offset in a VM of its DeferredWorkTimer, which counts asynchronous jobs. */
enum { VM_DEFERRED_WORK = 0xa6f8 };

/* The allocator gives freed pages back from a thread of its own.  Starting it costs more than a
 * short program has to give back, so it is allowed only after the program has lived for a while;
 * and it shall not linger. */
enum { SCAVENGE_AFTER_US = 1000000, SCAVENGE_LINGER_MS = 2000 };

struct JsRunLoop {
    GMainContext *context;
    i64 start_us;
};

void js_run_loop_init(Js *js)
{
    js->run_loop = MEM_NEW(struct JsRunLoop);
    js->run_loop->context = g_main_context_new();
    g_main_context_push_thread_default(js->run_loop->context);
    js->run_loop->start_us = g_get_monotonic_time();
}

static void allow_scavenger(struct JsRunLoop *loop)
{
    if (!loop->start_us || g_get_monotonic_time() - loop->start_us < SCAVENGE_AFTER_US) return;
    loop->start_us = 0;
    if (&pas_scavenger_is_enabled && &pas_scavenger_deep_sleep_timeout_in_milliseconds) {
        pas_scavenger_deep_sleep_timeout_in_milliseconds = SCAVENGE_LINGER_MS;
        pas_scavenger_is_enabled = true;
    }
}

void js_run_loop_deinit(Js *js)
{
    g_main_context_pop_thread_default(js->run_loop->context);
    g_main_context_unref(js->run_loop->context);
    mem_free(js->run_loop);
    js->run_loop = NULL;
}

JsRunLoopWait js_run_loop_wait(Js *js)
{
    GMainContext *context = js->run_loop->context;
    GPollFD fds[FDS_MAX];
    int priority = 0, timeout_ms = -1;
    if (!g_main_context_acquire(context)) BUG("the run loop belongs to another thread");
    bool is_ready = g_main_context_prepare(context, &priority);
    int n = g_main_context_query(context, G_MAXINT, &timeout_ms, fds, FDS_MAX);
    g_main_context_release(context);
    ASSERT(n == 1);
    allow_scavenger(js->run_loop);
    return (JsRunLoopWait){.fd = fds[0].fd, .timeout_ms = is_ready ? 0 : timeout_ms};
}

void js_run_loop_turn(Js *js)
{
    ASSERT(js->enter_depth > 0);
    (void)g_main_context_iteration(js->run_loop->context, false);
}

bool js_has_pending_work(Js *js)
{
    if (!jsc.has_layout || !jsc_has_pending_work) return false;
    const void *timer =
        *(const void *const *)(const void *)((const char *)js->vm + VM_DEFERRED_WORK);
    return timer && jsc_has_pending_work(timer);
}
