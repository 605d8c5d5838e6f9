/* util/buf.h -- Buf: a growable owner of bytes on the heap.
 *
 * There is always a NUL behind the last byte (once anything was written).  `max`, if not 0, bounds
 * the length: a write that would pass it is refused as a whole and sets `full`, so a builder can be
 * used without a check per call and asked once at the end.  The zero value is empty and unbounded.
 */
#pragma once

#include "util/base.h"
#include "util/str.h"

typedef struct {
    char *p;
    usize len, cap, max;
    bool full;
} Buf;

void Buf_deinit(Buf *b);
/* Keeps the memory. */
void buf_clear(Buf *b);
/* Makes room for `n` more bytes and returns where they go (add them to `len` yourself), or NULL
 * when that would pass `max`. */
char *buf_reserve(Buf *b, usize n);
bool buf_push(Buf *b, Str s);
bool buf_push_char(Buf *b, char c);
bool buf_push_fill(Buf *b, char c, usize n);
/* The code point as UTF-8; a surrogate or anything above 0x10ffff becomes U+FFFD. */
bool buf_push_utf8(Buf *b, u32 code_point);
bool buf_fmt(Buf *b, const char *fmt, ...) PRINTF(2, 3);
/* Deletes the first `n` bytes. */
void buf_drop(Buf *b, usize n);
/* A view that lives until the next write. */
Str buf_str(const Buf *b);
