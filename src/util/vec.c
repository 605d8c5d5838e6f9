/* util/vec.c -- growth of typed vectors (see vec.h). */
#include "util/vec.h"

enum { CAP_FIRST = 8 };

void *vec_grow(Arena *a, void *at, u32 *cap, u32 want, usize size, usize align)
{
    u32 old = *cap;
    u32 grown;
    if (!ADD_OK(old, old, &grown)) bug_oom(want);
    u32 next = MAX(MAX(grown, want), (u32)CAP_FIRST);
    usize bytes;
    if (!MUL_OK((usize)next, size, &bytes)) bug_oom(want);
    *cap = next;
    return arena_grow(a, at, (usize)old * size, bytes, align);
}
