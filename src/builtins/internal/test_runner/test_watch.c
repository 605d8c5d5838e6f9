/* internal/test_runner/test_watch.c -- see test_watch.h.
 *
 * A test's function that does not return is interrupted: the run goes on.  What loops after an
 * await runs below the engine's own calls, which cannot be resumed: then the process ends and says
 * why. */
#include "builtins/internal/test_runner/test_watch.h"

enum { NS_PER_MS = 1000 * 1000, GRACE_MS = 500, LOOP_GRACE_MS = 2500, LOOK_MS = 250 };
/* Longer limits are none. */
#define LIMIT_MS_MAX 2147483647.0

static void look(TestWatch *w)
{
    u64 now = sys_monotonic_ns();
    sys_mutex_lock(&w->lock);
    bool is_late = w->due_ns && now >= w->due_ns;
    if (is_late) {
        w->is_interrupted = true;
        js_interrupt_mt(w->js); /* again while it goes on */
    }
    u64 allowed = (w->loop_ms + LOOP_GRACE_MS) * NS_PER_MS;
    u64 quiet_ns = now - MIN(now, __atomic_load_n(&w->progress_ns, __ATOMIC_RELAXED));
    bool is_stuck = !w->due_ns && w->loop_due_ns && quiet_ns > allowed &&
                    now > w->loop_due_ns + (u64)LOOP_GRACE_MS * NS_PER_MS;
    sys_mutex_unlock(&w->lock);
    if (is_stuck) w->on_stuck(w->ctx);
}

static void run(void *p)
{
    TestWatch *w = p;
    for (;;) {
        sys_sleep_ns((u64)LOOK_MS * NS_PER_MS);
        look(w);
    }
}

void test_watch_start(TestWatch *w)
{
    SysThread thread = {0};
    test_watch_progress(w);
    if (!js_can_interrupt() || sys_thread_start(&thread, "TestWatch", 0, run, w) < 0) return;
    sys_thread_detach(&thread);
    w->is_running = true;
}

void test_watch_begin(TestWatch *w, f64 ms)
{
    if (!w->is_running || !(ms > 0) || ms > LIMIT_MS_MAX) return;
    sys_mutex_lock(&w->lock);
    w->due_ns = sys_monotonic_ns() + ((u64)ms + GRACE_MS) * NS_PER_MS;
    sys_mutex_unlock(&w->lock);
}

bool test_watch_end(TestWatch *w)
{
    if (!w->due_ns) return false;
    sys_mutex_lock(&w->lock);
    bool was_interrupted = w->is_interrupted;
    w->is_interrupted = false;
    w->due_ns = 0;
    sys_mutex_unlock(&w->lock);
    test_watch_progress(w);
    if (!was_interrupted) return false;
    if (js_is_pending(w->js)) (void)js_catch(w->js);
    js_interrupt_end(w->js);
    return true;
}

void test_watch_progress(TestWatch *w)
{
    __atomic_store_n(&w->progress_ns, sys_monotonic_ns(), __ATOMIC_RELAXED);
}

void test_watch_loop(TestWatch *w, f64 ms)
{
    sys_mutex_lock(&w->lock);
    bool is_limited = ms >= 0 && ms < LIMIT_MS_MAX;
    w->loop_ms = is_limited ? (u64)ms : 0;
    w->loop_due_ns = is_limited ? sys_monotonic_ns() + (u64)ms * NS_PER_MS : 0;
    sys_mutex_unlock(&w->lock);
}
