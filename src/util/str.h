/* util/str.h -- Str: a borrowed run of bytes.  No NUL, owns nothing; the zero value is empty.
 *
 * Text is UTF-8 unless a comment says bytes; paths are bytes. */
#pragma once

#include "util/arena.h"
#include "util/base.h"

typedef struct {
    const char *p;
    usize n;
} Str;

#define S(lit)     ((Str){"" lit, sizeof(lit) - 1})
#define STR_ARG(s) (int)(s).n, (s).p /* for "%.*s" */

/* A view of a C string; NULL gives the empty string. */
Str str_z(const char *z);
bool str_eq(Str a, Str b);
/* ASCII letters compare equal regardless of case. */
bool str_eq_nocase(Str a, Str b);
/* Byte order, as memcmp; shorter first when one is a prefix: < 0, 0, > 0. */
int str_cmp(Str a, Str b);
bool str_starts(Str s, Str prefix);
bool str_ends(Str s, Str suffix);
/* Index of the first/last `c` or of `needle`, or -1. */

i64 str_find(Str s, char c);
i64 str_rfind(Str s, char c);
i64 str_find_str(Str s, Str needle);
/* Bytes [from, to), both clamped to the length. */
Str str_slice(Str s, usize from, usize to);
Str str_skip(Str s, usize n);
/* Without leading and trailing ASCII white space. */
Str str_trim(Str s);
/* Splits at the first `sep`: true and both parts, or false with *head = s and an empty *tail. */
bool str_cut(Str s, char sep, Str *ret_head, Str *ret_tail);
/* Takes the next piece up to `sep` from *rest; false when *rest was exhausted before the call.
 * Start with a non-NULL `rest->p`; an empty string yields one empty piece. */
bool str_next(Str *rest, char sep, Str *ret_piece);
/* A whole decimal number without sign, no overflow. */
bool str_to_u64(Str s, u64 *ret);
bool str_to_i64(Str s, i64 *ret);
/* Spreads well enough for the hash tables of map.h (not for adversarial cryptography: wyhash-like
 * with a per-process seed). */
u64 str_hash(Str s);

/* Copies into the arena. */
Str str_dup(Arena *a, Str s);
/* The same with a NUL behind it; for system calls. */
char *str_dup_z(Arena *a, Str s);
Str str_concat(Arena *a, Str x, Str y);
/* printf into the arena. */
Str str_fmt(Arena *a, const char *fmt, ...) PRINTF(2, 3);
Str str_vfmt(Arena *a, const char *fmt, __builtin_va_list args) PRINTF(2, 0);
Str str_lower(Arena *a, Str s);
