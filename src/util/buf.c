/* util/buf.c -- growable byte buffers (see buf.h). */
#include "util/buf.h"

#include "util/mem.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { CAP_MIN = 64 };

void Buf_deinit(Buf *b)
{
    mem_free(b->p);
    *b = (Buf){0};
}

void buf_clear(Buf *b)
{
    b->len = 0;
    b->full = false;
}

char *buf_reserve(Buf *b, usize n)
{
    usize want;
    if (!ADD_OK(b->len, n, &want) || want == SIZE_MAX) bug_oom(n);
    if (b->max && want > b->max) {
        b->full = true;
        return NULL;
    }
    if (UNLIKELY(want + 1 > b->cap)) {
        usize cap = MAX(b->cap + b->cap / 2, (usize)CAP_MIN);
        b->cap = MAX(cap, want + 1);
        b->p = mem_resize(b->p, b->cap);
    }
    return b->p + b->len;
}

bool buf_push(Buf *b, Str s)
{
    char *p = buf_reserve(b, s.n);
    if (!p) return false;
    if (s.n) memcpy(p, s.p, s.n);
    b->len += s.n;
    b->p[b->len] = 0;
    return true;
}

bool buf_push_char(Buf *b, char c)
{
    return buf_push_fill(b, c, 1);
}

bool buf_push_fill(Buf *b, char c, usize n)
{
    char *p = buf_reserve(b, n);
    if (!p) return false;
    memset(p, c, n);
    b->len += n;
    b->p[b->len] = 0;
    return true;
}

bool buf_push_utf8(Buf *b, u32 code_point)
{
    u32 c = code_point;
    if (c > 0x10ffff || (c >= 0xd800 && c <= 0xdfff)) c = 0xfffd;
    if (c < 0x80) return buf_push_char(b, (char)c);
    char out[4];
    usize n = c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    for (usize i = n - 1; i > 0; i--) {
        out[i] = (char)(0x80 | (c & 0x3f));
        c >>= 6;
    }
    static const u8 lead[] = {0, 0, 0xc0, 0xe0, 0xf0};
    out[0] = (char)(lead[n] | c);
    return buf_push(b, (Str){out, n});
}

bool buf_fmt(Buf *b, const char *fmt, ...)
{
    va_list args, again;
    va_start(args, fmt);
    va_copy(again, args);
    int n = vsnprintf(NULL, 0, fmt, args);
    ASSERT(n >= 0);
    char *p = buf_reserve(b, (usize)n);
    if (p) {
        (void)vsnprintf(p, (usize)n + 1, fmt, again);
        b->len += (usize)n;
    }
    va_end(again);
    va_end(args);
    return p != NULL;
}

void buf_drop(Buf *b, usize n)
{
    ASSERT(n <= b->len);
    if (!n) return;
    memmove(b->p, b->p + n, b->len - n);
    b->len -= n;
    b->p[b->len] = 0;
}

Str buf_str(const Buf *b)
{
    return (Str){b->p ? b->p : "", b->len};
}
