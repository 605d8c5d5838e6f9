/* loop/bufs.c -- sets of receive buffers.
 *
 * One mapping, cut into equal parts, touched only as they are used.  With io_uring most of them
 * belong to the kernel's ring and a few stay on our side for descriptors that are read by system
 * call. */
#include "loop/core.h"

#include "util/mem.h"

enum {
    DEFAULT_SIZE = 16 * 1024,
    DEFAULT_COUNT = 64,
    SIDE_MIN = 4,
    COUNT_MAX = 1 << 15, /* of a kernel ring */
};

LoopBufs *loop_bufs_new(Loop *loop, u32 size, u32 count)
{
    ASSERT(size);
    ASSERT(count >= SIDE_MIN && count <= COUNT_MAX);
    ASSERT(!(count & (count - 1)));
    void *base;
    if (sys_mem_map((usize)size * count, &base) < 0) bug_oom((usize)size * count);
    LoopBufs *b = MEM_NEW(LoopBufs);
    *b = (LoopBufs){.loop = loop, .base = base, .size = size, .count = count, .n_free = count};
    b->n_side = MAX(count / 8, (u32)SIDE_MIN);
    b->free = mem_new(count * sizeof(u32));
    b->len = mem_new(count * sizeof(u32));
    for (u32 i = 0; i < count; i++) b->free[i] = count - 1 - i;
    return b;
}

void loop_bufs_free(LoopBufs *b)
{
    if (!b) return;
    ASSERT(!b->starved);
    if (b->loop->backend) b->loop->backend->bufs_close(b);
    sys_mem_unmap(b->base, (usize)b->size * b->count);
    mem_free(b->free);
    while (b->lent) {
        LoopHeld *next = b->lent->next;
        mem_free(b->lent);
        b->lent = next;
    }
    mem_free(b->len);
    mem_free(b);
}

LoopBufs *loop_bufs_default(Loop *loop)
{
    if (!loop->bufs) loop->bufs = loop_bufs_new(loop, DEFAULT_SIZE, DEFAULT_COUNT);
    return loop->bufs;
}

u32 loop_bufs_size(const LoopBufs *b)
{
    return b->size;
}

char *loop_bufs_at(const LoopBufs *b, u32 idx)
{
    ASSERT(idx < b->count);
    return b->base + (usize)idx * b->size;
}

i64 loop_bufs_take(LoopBufs *b)
{
    if (!b->n_free) return -ENOBUFS;
    b->n_out++;
    return b->free[--b->n_free];
}

/* What we kept for ourselves goes to the kernel's ring: a socket needs it more. */
bool loop_bufs_refill(LoopBufs *b)
{
    bool has_some = b->n_free > 0;
    while (b->ring && b->n_free) b->loop->backend->bufs_give(b, b->free[--b->n_free]);
    return has_some;
}

static void wake_one(LoopBufs *b)
{
    LoopRecv *r = b->starved;
    if (!r) return;
    b->starved = r->next_starved;
    if (!b->starved) b->starved_last = NULL;
    r->is_starved = false;
    loop_recv_rearm(r);
}

void loop_bufs_wake(LoopBufs *b)
{
    if (b->starved && b->starved->op.flags & OP_SOCKET) (void)loop_bufs_refill(b);
    for (u32 n = b->count - b->n_out; n && b->starved; n--) wake_one(b);
}

void loop_bufs_lend(LoopBufs *b, LoopHeld *held)
{
    held->next = b->lent;
    b->lent = held;
}

/* Gives back bytes that were held on the heap. */
static void give_lent(LoopBufs *b, const char *p)
{
    LoopHeld **at = &b->lent;
    while (*at && (p < (*at)->bytes || p >= (*at)->bytes + (*at)->len)) at = &(*at)->next;
    LoopHeld *held = *at;
    ASSERT(held);
    *at = held->next;
    mem_free(held);
}

void loop_bufs_give(LoopBufs *b, const char *p)
{
    if (p < b->base || p >= b->base + (usize)b->size * b->count) {
        give_lent(b, p);
        return;
    }
    usize idx = (usize)(p - b->base) / b->size;
    ASSERT(idx < b->count);
    ASSERT(b->n_out);
    b->n_out--;
    bool is_wanted = b->starved && b->starved->op.flags & OP_SOCKET;
    if (b->ring && (is_wanted || b->n_free >= b->n_side))
        b->loop->backend->bufs_give(b, (u32)idx);
    else
        b->free[b->n_free++] = (u32)idx;
    wake_one(b);
}

/* When no buffer is out, what earlier bursts have touched goes back to the system.  The kernel does
 * not pin buffers of a ring. */
void loop_bufs_release_idle(LoopBufs *b)
{
    if (!b->n_out) (void)!sys_mem_drop(b->base, (usize)b->size * b->count);
}
