/* util/vec.h -- typed growable arrays in an arena.
 *
 *     Vec(u32) ids = {0};
 *     vec_push(arena, &ids, 7);
 *     for (u32 i = 0; i < ids.len; i++) use(ids.at[i]);
 *
 * A Vec lives in the arena of what it belongs to and is never freed on its own.  Growing leaves the
 * old array behind in the arena (amortised: at most as much again), or extends it in place when it
 * was the latest allocation. */
#pragma once

#include "util/arena.h"

#define Vec(T)                                                                                     \
    struct {                                                                                       \
        T *at;                                                                                     \
        u32 len, cap;                                                                              \
    }

void *vec_grow(Arena *a, void *at, u32 *cap, u32 want, usize size, usize align);

#define VEC_ALIGN_(v) _Alignof(__typeof__(*(v)->at))
/* Room for `n` elements in all. */
#define vec_reserve(a, v, n)                                                                       \
    ((n) > (v)->cap                                                                                \
         ? (void)((v)->at = vec_grow(a, (v)->at, &(v)->cap, n, sizeof(*(v)->at), VEC_ALIGN_(v)))   \
         : (void)0)
#define vec_push(a, v, ...)                                                                        \
    (vec_reserve(a, v, (v)->len + 1), (void)((v)->at[(v)->len++] = (__VA_ARGS__)))
/* A zeroed new element, returned by address. */
#define vec_add(a, v) (vec_reserve(a, v, (v)->len + 1), &(v)->at[(v)->len++])
#define vec_pop(v)    ((v)->at[--(v)->len])
#define vec_last(v)   (&(v)->at[(v)->len - 1])
