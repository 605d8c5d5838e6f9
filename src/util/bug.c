/* util/bug.c -- the end of the process: broken invariants and memory exhaustion.
 *
 * Nothing here allocates or takes a lock, since the heap may be what is broken. */
#include "util/base.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { OOM_EXIT_CODE = 134 };

static void put(const char *text)
{
    ssize_t n = write(2, text, strlen(text));
    (void)n;
}

static void put_number(u64 n)
{
    char digits[24];
    usize at = sizeof(digits) - 1;
    digits[at] = 0;
    do {
        digits[--at] = (char)('0' + n % 10);
        n /= 10;
    } while (n);
    put(digits + at);
}

void bug_fail(const char *file, int line, const char *what)
{
    put("cob: internal error: ");
    put(file);
    put(":");
    put_number((u64)line);
    put(": ");
    put(what);
    put("\n");
    abort();
}

void bug_oom(usize size)
{
    put("error: out of memory (allocating ");
    put_number(size);
    put(" bytes)\n");
    _exit(OOM_EXIT_CODE);
}
