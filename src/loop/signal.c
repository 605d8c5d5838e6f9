/* loop/signal.c -- LoopSignal.
 *
 * Handlers (sys/disposition.c) set a bit and write to the loop's wake-up descriptor; the loop that
 * caught them asks for the bits once a turn.  A loop whose thread is a worker gets none. */
#include "loop/core.h"

#include "util/mem.h"

struct SignalState {
    LoopSignal *first[SYS_SIGNAL_MAX + 1];
    u32 n_active;
};

static Loop *owner; /* the one loop that has signals; atomic */

static bool become_owner(Loop *loop)
{
    Loop *none = NULL;
    if (__atomic_compare_exchange_n(&owner, &none, loop, false, __ATOMIC_ACQ_REL,
                                    __ATOMIC_ACQUIRE)) {
        return true;
    }
    return none == loop;
}

void loop_signal_open(Loop *loop, LoopSignal *s)
{
    *s = (LoopSignal){0};
    loop_handle_open(loop, &s->handle, LOOP_SIGNAL);
    loop_handle_unref(&s->handle);
}

static void drop_state(Loop *loop)
{
    mem_free(loop->signals);
    loop->signals = NULL;
    __atomic_store_n(&owner, NULL, __ATOMIC_RELEASE);
}

int loop_signal_start(LoopSignal *s, int signo, void (*on_signal)(LoopSignal *s, int signo))
{
    ASSERT(!loop_handle_is_closing(&s->handle));
    ASSERT(on_signal);
    Loop *loop = s->handle.loop;
    if (signo < 1 || signo > SYS_SIGNAL_MAX) return -EINVAL;
    loop_signal_stop(s);
    int fd = loop_wake_fd(loop);
    if (fd < 0) return fd;
    if (!become_owner(loop)) return -EBUSY;
    if (!loop->signals) loop->signals = MEM_NEW(SignalState);
    SignalState *state = loop->signals;
    int rc = state->first[signo] ? 0 : sys_signal_catch(signo, fd);
    if (rc < 0) {
        if (!state->n_active) drop_state(loop);
        return rc;
    }
    s->signo = signo;
    s->on_signal = on_signal;
    /* At the end: callbacks run in the order of starting. */
    s->next_signal = NULL;
    LoopSignal **at = &state->first[signo];
    while (*at) at = &(*at)->next_signal;
    *at = s;
    state->n_active++;
    loop_handle_set_active(&s->handle, true);
    return 0;
}

void loop_signal_stop(LoopSignal *s)
{
    if (!loop_handle_is_active(&s->handle)) return;
    Loop *loop = s->handle.loop;
    SignalState *state = loop->signals;
    LoopSignal **at = &state->first[s->signo];
    while (*at != s) at = &(*at)->next_signal;
    *at = s->next_signal;
    if (!state->first[s->signo]) sys_signal_release(s->signo);
    loop_handle_set_active(&s->handle, false);
    if (!--state->n_active) drop_state(loop);
}

bool loop_signal_shut(LoopHandle *h)
{
    loop_signal_stop(CONTAINER(LoopSignal, handle, h));
    return true;
}

static bool is_listed(const Loop *loop, int signo, const LoopSignal *s)
{
    const LoopSignal *at = loop->signals ? loop->signals->first[signo] : NULL;
    while (at && at != s) at = at->next_signal;
    return at != NULL;
}

/* A callback may stop or close any of the handles. */
static void run_signal(Loop *loop, int signo)
{
    LoopSignal *s = loop->signals ? loop->signals->first[signo] : NULL;
    while (s) {
        LoopSignal *next = s->next_signal;
        s->on_signal(s, signo);
        loop_after_callback(loop);
        s = is_listed(loop, signo, next) ? next : NULL;
    }
}

void loop_signals_run(Loop *loop)
{
    u64 pending = sys_signal_take();
    while (pending) {
        int signo = __builtin_ctzll(pending) + 1;
        pending &= pending - 1;
        run_signal(loop, signo);
    }
}
