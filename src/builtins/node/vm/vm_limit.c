/* node/vm/vm_limit.c -- runs of scripts that end when their time is up or Ctrl-C is pressed.
 *
 * One thread for the process watches all limited runs of all machines.  It is started with the
 * first one and ends when there was none for a second.  A script that goes on, because what was
 * thrown into it got lost in code of the engine, is interrupted again. */
#include "builtins/node/vm/vm_limit.h"

#include "sys/sys.h"

#include <signal.h>

enum { NS_PER_MS = 1000000 };
#define IDLE_NS  (u64)1000000000
#define AGAIN_NS (u64)20000000

static struct {
    SysMutex lock;
    NodeVmLimit *first; /* newest first */
    bool is_running;    /* the thread */
    bool has_event;
    int event; /* wakes it */
    u32 n_sigint;
} watch;

/* Interrupts what is over; the time of the next thing to do. */
static u64 look(u64 now)
{
    u64 next = UINT64_MAX;
    bool is_interrupted = sys_signal_divert_take();
    for (NodeVmLimit *l = watch.first; l; l = l->next) {
        if (is_interrupted && l->wants_sigint && l->end == VM_LIMIT_KEPT) {
            l->end = VM_LIMIT_INTERRUPTED;
            is_interrupted = false; /* the innermost one */
        } else if (l->deadline_ns <= now && l->end == VM_LIMIT_KEPT) {
            l->end = VM_LIMIT_TIMEOUT;
        }
        if (l->end != VM_LIMIT_KEPT) js_interrupt_mt(l->js);
        next = MIN(next, l->end == VM_LIMIT_KEPT ? l->deadline_ns : now + AGAIN_NS);
    }
    return next;
}

static void watch_main(void *unused)
{
    (void)unused;
    struct pollfd p = {.fd = watch.event, .events = POLLIN};
    for (;;) {
        sys_mutex_lock(&watch.lock);
        u64 now = sys_monotonic_ns();
        u64 next = look(now);
        bool is_idle = !watch.first;
        sys_mutex_unlock(&watch.lock);
        u64 wait_ns = is_idle ? IDLE_NS : next == UINT64_MAX ? next : next - MIN(next, now);
        int rc = sys_poll(&p, 1, wait_ns);
        (void)sys_eventfd_take(watch.event);
        if (rc || !is_idle) continue;
        sys_mutex_lock(&watch.lock);
        bool is_over = !watch.first;
        if (is_over) watch.is_running = false;
        sys_mutex_unlock(&watch.lock);
        if (is_over) return;
    }
}

/* Under the lock. */
static int need_watch(void)
{
    if (!watch.has_event) {
        int fd = sys_eventfd();
        if (fd < 0) return fd;
        watch.event = fd;
        watch.has_event = true;
    }
    if (watch.is_running) return sys_eventfd_signal(watch.event);
    SysThread thread = {0};
    int rc = sys_thread_start(&thread, "ScriptLimit", 0, watch_main, NULL);
    if (rc < 0) return rc;
    sys_thread_detach(&thread);
    watch.is_running = true;
    return 0;
}

static int add(NodeVmLimit *limit)
{
    int rc = 0;
    limit->next = watch.first;
    watch.first = limit;
    if ((rc = need_watch()) < 0) watch.first = limit->next;
    if (rc < 0 || !limit->wants_sigint || watch.n_sigint++) return rc;
    if ((rc = sys_signal_divert(SIGINT, watch.event)) < 0) {
        watch.n_sigint--;
        watch.first = limit->next;
    }
    return rc;
}

bool node_vm_limit_begin(NodeVmLimit *limit, Js *js, u32 timeout_ms, bool wants_sigint)
{
    *limit = (NodeVmLimit){.js = js, .wants_sigint = wants_sigint, .deadline_ns = UINT64_MAX};
    if (!timeout_ms && !wants_sigint) return true;
    if (!js_can_interrupt()) {
        (void)js_throw_error(js, "not implemented: vm timeout with this engine");
        return false;
    }
    if (timeout_ms) limit->deadline_ns = sys_monotonic_ns() + (u64)timeout_ms * NS_PER_MS;
    sys_mutex_lock(&watch.lock);
    int rc = add(limit);
    sys_mutex_unlock(&watch.lock);
    if (rc < 0) (void)js_throw_sys(js, rc, "pthread_create", S(""));
    return rc >= 0;
}

static void del(NodeVmLimit *limit)
{
    NodeVmLimit **at = &watch.first;
    while (*at != limit) at = &(*at)->next;
    *at = limit->next;
    if (limit->wants_sigint && !--watch.n_sigint) sys_signal_divert_end();
}

NodeVmLimitEnd node_vm_limit_end(NodeVmLimit *limit)
{
    if (limit->deadline_ns == UINT64_MAX && !limit->wants_sigint) return VM_LIMIT_KEPT;
    sys_mutex_lock(&watch.lock);
    del(limit);
    bool is_other_over = false;
    for (NodeVmLimit *l = watch.first; l; l = l->next)
        is_other_over |= l->js == limit->js && l->end != VM_LIMIT_KEPT;
    sys_mutex_unlock(&watch.lock);
    if (limit->end == VM_LIMIT_KEPT) return VM_LIMIT_KEPT;
    if (js_is_pending(limit->js)) (void)js_catch(limit->js);
    if (!is_other_over) js_interrupt_end(limit->js);
    return limit->end;
}
