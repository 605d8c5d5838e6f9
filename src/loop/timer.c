/* loop/timer.c -- timers in a 4-ary heap, ordered by deadline and then by order of starting.
 *
 * A wheel would make starting O(1), but the timers of JavaScript programs are kept in lists per
 * duration above this, over a single LoopTimer; what is left here are hundreds, not millions, and a
 * heap gives the next deadline for free. */
#include "loop/core.h"

#include "util/mem.h"

enum { ARITY = 4, NOT_IN_HEAP = UINT32_MAX };

static bool is_before(const LoopTimer *a, const LoopTimer *b)
{
    return a->due_ms != b->due_ms ? a->due_ms < b->due_ms : a->seq < b->seq;
}

static void place(TimerHeap *h, LoopTimer *t, u32 i)
{
    h->at[i] = t;
    t->heap_idx = i;
}

static void sift_up(TimerHeap *h, LoopTimer *t, u32 i)
{
    while (i) {
        u32 up = (i - 1) / ARITY;
        if (!is_before(t, h->at[up])) break;
        place(h, h->at[up], i);
        i = up;
    }
    place(h, t, i);
}

static void sift_down(TimerHeap *h, LoopTimer *t, u32 i)
{
    for (;;) {
        u32 child = i * ARITY + 1;
        if (child >= h->len) break;
        u32 end = MIN(child + ARITY, h->len), best = child;
        for (u32 c = child + 1; c < end; c++) {
            if (is_before(h->at[c], h->at[best])) best = c;
        }
        if (!is_before(h->at[best], t)) break;
        place(h, h->at[best], i);
        i = best;
    }
    place(h, t, i);
}

static void heap_add(TimerHeap *h, LoopTimer *t)
{
    ASSERT(h->len < LOOP_TIMERS_MAX);
    if (h->len == h->cap) {
        h->cap = MAX(h->cap * 2, 16U);
        h->at = mem_resize(h->at, h->cap * sizeof(*h->at));
    }
    sift_up(h, t, h->len++);
}

static void heap_del(TimerHeap *h, LoopTimer *t)
{
    u32 i = t->heap_idx;
    ASSERT(i < h->len);
    ASSERT(h->at[i] == t);
    LoopTimer *last = h->at[--h->len];
    t->heap_idx = NOT_IN_HEAP;
    if (last == t) return;
    if (i && is_before(last, h->at[(i - 1) / ARITY]))
        sift_up(h, last, i);
    else
        sift_down(h, last, i);
}

void loop_timer_open(Loop *loop, LoopTimer *t)
{
    *t = (LoopTimer){.heap_idx = NOT_IN_HEAP};
    loop_handle_open(loop, &t->handle, LOOP_TIMER);
}

void loop_timer_start(LoopTimer *t, u64 delay_ms, u64 repeat_ms, void (*on_timer)(LoopTimer *t))
{
    ASSERT(t->handle.state & HANDLE_OPEN);
    ASSERT(on_timer);
    TimerHeap *h = &t->handle.loop->timers;
    u64 due_ms;
    if (!ADD_OK(loop_now_ms(t->handle.loop), delay_ms, &due_ms)) due_ms = UINT64_MAX;
    t->on_timer = on_timer;
    t->repeat_ms = repeat_ms;
    t->due_ms = due_ms;
    t->seq = ++h->seq;
    if (t->heap_idx == NOT_IN_HEAP) {
        heap_add(h, t);
    } else if (t->heap_idx && is_before(t, h->at[(t->heap_idx - 1) / ARITY])) {
        sift_up(h, t, t->heap_idx);
    } else {
        sift_down(h, t, t->heap_idx);
    }
    loop_handle_set_active(&t->handle, true);
}

void loop_timer_stop(LoopTimer *t)
{
    if (t->heap_idx == NOT_IN_HEAP) return;
    heap_del(&t->handle.loop->timers, t);
    loop_handle_set_active(&t->handle, false);
}

u64 loop_timers_wait_ns(const Loop *loop, u64 now_ns)
{
    const TimerHeap *h = &loop->timers;
    if (!h->len) return UINT64_MAX;
    u64 due_ns;
    if (!MUL_OK(h->at[0]->due_ms, (u64)NS_PER_MS, &due_ns)) return UINT64_MAX;
    return due_ns > now_ns ? due_ns - now_ns : 0;
}

void loop_timers_run(Loop *loop)
{
    TimerHeap *h = &loop->timers;
    u64 now_ms = loop_now_ms(loop);
    u64 seq_end = h->seq; /* what is started from here on waits for the next turn */
    while (h->len) {
        LoopTimer *t = h->at[0];
        if (t->due_ms > now_ms || t->seq > seq_end) break;
        heap_del(h, t);
        if (t->repeat_ms) {
            t->due_ms = now_ms + t->repeat_ms;
            t->seq = ++h->seq;
            heap_add(h, t);
        } else {
            loop_handle_set_active(&t->handle, false);
        }
        t->on_timer(t);
        loop_after_callback(loop);
    }
}
