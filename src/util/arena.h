/* util/arena.h -- memory with a named lifetime.
 *
 * An Arena is a chain of blocks; allocating moves a pointer and clears the bytes, freeing happens
 * all at once.  The zero value is an empty arena.  Under ASan the space behind every allocation and
 * the unused tail of each block are poisoned, so that overruns are found as they are with malloc.
 *
 * An arena may carry cleanup hooks (close this descriptor, drop that reference), which run newest
 * first when it is cleared or freed.
 *
 * Scratch arenas: each thread has two.  A function that needs temporary memory opens one with
 * scratch_begin(conflict), where `conflict` is the arena its own result goes to (or NULL), so that
 * a callee's temporaries never sit in the caller's result arena. */
#pragma once

#include "util/base.h"

typedef struct ArenaBlock ArenaBlock;
typedef struct ArenaHook ArenaHook;

typedef struct Arena {
    ArenaBlock *block; /* the newest */
    char *at;          /* next free byte in it */
    char *end;
    ArenaHook *hooks;
    usize block_size; /* of the next block; grows from 4 KiB to 1 MiB */
} Arena;

/* Zeroed memory, aligned to `align` (a power of two, at most 64).  Never NULL. */
void *arena_alloc(Arena *a, usize size, usize align) __attribute__((malloc));
/* As arena_alloc without clearing: for buffers that are filled at once. */
void *arena_alloc_dirty(Arena *a, usize size, usize align) __attribute__((malloc));
/* An array of `n` elements; ends the process when n * size overflows. */
void *arena_array(Arena *a, usize n, usize size, usize align);
/* Grows the most recent allocation in place when possible, else copies.  Clears the new part. */
void *arena_grow(Arena *a, void *p, usize old_size, usize new_size, usize align);
/* Runs `fn(data)` when the arena is cleared or freed. */
void arena_on_free(Arena *a, void (*fn)(void *data), void *data);
/* Frees everything but keeps the first block for reuse. */
void arena_clear(Arena *a);
/* Frees everything; the arena is empty and usable afterwards. */
void arena_deinit(Arena *a);
/* The same, for AUTO(Arena). */
static inline void Arena_deinit(Arena *a)
{
    arena_deinit(a);
}
/* Bytes held from the heap, for accounting. */
usize arena_size(const Arena *a);

#define ARENA_NEW(a, T)      ((T *)arena_alloc(a, sizeof(T), _Alignof(T)))
#define ARENA_ARRAY(a, T, n) ((T *)arena_array(a, n, sizeof(T), _Alignof(T)))

typedef struct {
    ArenaBlock *block;
    char *at;
    ArenaHook *hooks;
} ArenaMark;

ArenaMark arena_mark(const Arena *a);
/* Frees all that was allocated since the mark was taken. */
void arena_rewind(Arena *a, ArenaMark mark);

typedef struct {
    Arena *arena;
    ArenaMark mark;
} Scratch;

/* `conflict` may be NULL.  Use as: AUTO(Scratch) s = scratch_begin(conflict); */
Scratch scratch_begin(const Arena *conflict);
void Scratch_deinit(Scratch *s);
/* Frees this thread's scratch memory; called when a thread ends. */
void scratch_thread_deinit(void);
