/* util/mem.h -- heap memory for things that move between lifetimes; everything else is in an arena.
 *
 * None of these returns NULL: running out of memory ends the process (bug_oom). */
#pragma once

#include "util/base.h"

/* Zeroed memory of `size` bytes (at least one is reserved).  Free with mem_free. */
void *mem_new(usize size) __attribute__((malloc, alloc_size(1)));
/* Like realloc; bytes beyond the old size are not cleared.  `p` may be NULL. */
void *mem_resize(void *p, usize size) __attribute__((alloc_size(2)));
/* An owned copy of `n` bytes. */
void *mem_dup(const void *p, usize n);
/* NULL is fine. */
void mem_free(void *p);

#define MEM_NEW(T) ((T *)mem_new(sizeof(T)))
