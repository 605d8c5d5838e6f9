/* util/mem.c -- heap allocation that cannot fail (see mem.h). */
#include "util/mem.h"

#include <stdlib.h>
#include <string.h>

void *mem_new(usize size)
{
    void *p = calloc(1, size ? size : 1);
    if (!p) bug_oom(size);
    return p;
}

void *mem_resize(void *p, usize size)
{
    void *q = realloc(p, size ? size : 1);
    if (!q) bug_oom(size);
    return q;
}

void *mem_dup(const void *p, usize n)
{
    void *q = malloc(n ? n : 1);
    if (!q) bug_oom(n);
    if (n) memcpy(q, p, n);
    return q;
}

void mem_free(void *p)
{
    free(p);
}
