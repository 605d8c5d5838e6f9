/* util/arena.c -- chained-block arenas and the per-thread scratch pair (see arena.h). */
#include "util/arena.h"

#include "util/mem.h"

#include <string.h>

#if defined(__SANITIZE_ADDRESS__)
#define HAVE_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define HAVE_ASAN 1
#endif
#endif

#ifdef HAVE_ASAN
#include <sanitizer/asan_interface.h>
#define POISON(p, n)   __asan_poison_memory_region(p, n)
#define UNPOISON(p, n) __asan_unpoison_memory_region(p, n)
enum { RED_ZONE = 16 };
#else
#define POISON(p, n)   ((void)(p), (void)(n))
#define UNPOISON(p, n) ((void)(p), (void)(n))
enum { RED_ZONE = 0 };
#endif

enum {
    BLOCK_SIZE_MIN = 4 * 1024,
    BLOCK_SIZE_MAX = 1024 * 1024,
    ALIGN_MAX = 64,
};

struct ArenaBlock {
    ArenaBlock *prev;
    usize size; /* of `bytes` */
    _Alignas(ALIGN_MAX) char bytes[];
};

struct ArenaHook {
    ArenaHook *next;
    void (*fn)(void *);
    void *data;
};

static COLD void add_block(Arena *a, usize need)
{
    usize want = a->block_size ? a->block_size : BLOCK_SIZE_MIN;
    a->block_size = MIN(want * 2, (usize)BLOCK_SIZE_MAX);
    usize size;
    if (!ADD_OK(need, (usize)ALIGN_MAX + RED_ZONE, &size)) bug_oom(need);
    size = MAX(size, want - sizeof(ArenaBlock));
    usize total;
    if (!ADD_OK(size, sizeof(ArenaBlock), &total)) bug_oom(need);
    ArenaBlock *b = mem_resize(NULL, total);
    b->prev = a->block;
    b->size = size;
    a->block = b;
    a->at = b->bytes;
    a->end = b->bytes + size;
    POISON(b->bytes, size);
}

void *arena_alloc_dirty(Arena *a, usize size, usize align)
{
    ASSERT(align && !(align & (align - 1)));
    ASSERT(align <= ALIGN_MAX);
    if (UNLIKELY(!a->block)) add_block(a, size);
    usize pad = (usize)(-(uintptr_t)a->at & (align - 1));
    usize left = (usize)(a->end - a->at);
    if (UNLIKELY(left < pad + RED_ZONE || left - pad - RED_ZONE < size)) {
        add_block(a, size);
        pad = (usize)(-(uintptr_t)a->at & (align - 1));
    }
    char *p = a->at + pad;
    a->at = p + size + RED_ZONE;
    UNPOISON(p, size);
    return p;
}

void *arena_alloc(Arena *a, usize size, usize align)
{
    void *p = arena_alloc_dirty(a, size, align);
    memset(p, 0, size);
    return p;
}

void *arena_array(Arena *a, usize n, usize size, usize align)
{
    usize total;
    if (!MUL_OK(n, size, &total)) bug_oom(n);
    return arena_alloc(a, total, align);
}

void *arena_grow(Arena *a, void *p, usize old_size, usize new_size, usize align)
{
    ASSERT(new_size >= old_size);
    usize more = new_size - old_size;
    bool is_last = p && (char *)p + old_size + RED_ZONE == a->at;
    if (is_last && (usize)(a->end - a->at) >= more) {
        a->at += more;
        UNPOISON(p, new_size);
        memset((char *)p + old_size, 0, more);
        return p;
    }
    char *q = arena_alloc_dirty(a, new_size, align);
    if (old_size) memcpy(q, p, old_size);
    memset(q + old_size, 0, more);
    return q;
}

void arena_on_free(Arena *a, void (*fn)(void *data), void *data)
{
    ArenaHook *h = ARENA_NEW(a, ArenaHook);
    *h = (ArenaHook){.next = a->hooks, .fn = fn, .data = data};
    a->hooks = h;
}

ArenaMark arena_mark(const Arena *a)
{
    return (ArenaMark){.block = a->block, .at = a->at, .hooks = a->hooks};
}

void arena_rewind(Arena *a, ArenaMark mark)
{
    while (a->hooks != mark.hooks) {
        ArenaHook *h = a->hooks;
        a->hooks = h->next;
        h->fn(h->data);
    }
    while (a->block != mark.block) {
        ArenaBlock *b = a->block;
        /* The very first block stays: a scratch arena would otherwise be built anew each time. */
        if (!b->prev && !mark.block) break;
        a->block = b->prev;
        UNPOISON(b->bytes, b->size);
        mem_free(b);
    }
    if (!a->block) {
        a->at = a->end = NULL;
        return;
    }
    a->at = mark.block ? mark.at : a->block->bytes;
    a->end = a->block->bytes + a->block->size;
    POISON(a->at, (usize)(a->end - a->at));
}

void arena_clear(Arena *a)
{
    arena_rewind(a, (ArenaMark){0});
}

void arena_deinit(Arena *a)
{
    arena_clear(a);
    if (a->block) {
        UNPOISON(a->block->bytes, a->block->size);
        mem_free(a->block);
    }
    *a = (Arena){0};
}

usize arena_size(const Arena *a)
{
    usize n = 0;
    for (const ArenaBlock *b = a->block; b; b = b->prev) n += b->size + sizeof(*b);
    return n;
}

static _Thread_local Arena scratch_pair[2];

Scratch scratch_begin(const Arena *conflict)
{
    Arena *a = &scratch_pair[conflict == &scratch_pair[0]];
    return (Scratch){.arena = a, .mark = arena_mark(a)};
}

void Scratch_deinit(Scratch *s)
{
    if (s->arena) arena_rewind(s->arena, s->mark);
    s->arena = NULL;
}

void scratch_thread_deinit(void)
{
    arena_deinit(&scratch_pair[0]);
    arena_deinit(&scratch_pair[1]);
}
