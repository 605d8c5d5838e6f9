/* util/str.c -- operations on borrowed byte strings (see str.h). */
#include "util/str.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>

Str str_z(const char *z)
{
    return z ? (Str){z, strlen(z)} : (Str){0};
}

bool str_eq(Str a, Str b)
{
    return a.n == b.n && (!a.n || !memcmp(a.p, b.p, a.n));
}

static char to_lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c | 0x20) : c;
}

bool str_eq_nocase(Str a, Str b)
{
    if (a.n != b.n) return false;
    for (usize i = 0; i < a.n; i++)
        if (to_lower(a.p[i]) != to_lower(b.p[i])) return false;
    return true;
}

int str_cmp(Str a, Str b)
{
    usize n = MIN(a.n, b.n);
    int d = n ? memcmp(a.p, b.p, n) : 0;
    if (d) return d;
    return (a.n > b.n) - (a.n < b.n);
}

bool str_starts(Str s, Str prefix)
{
    return s.n >= prefix.n && str_eq(str_slice(s, 0, prefix.n), prefix);
}

bool str_ends(Str s, Str suffix)
{
    return s.n >= suffix.n && str_eq(str_skip(s, s.n - suffix.n), suffix);
}

i64 str_find(Str s, char c)
{
    const char *at = s.n ? memchr(s.p, c, s.n) : NULL;
    return at ? at - s.p : -1;
}

i64 str_rfind(Str s, char c)
{
    const char *at = s.n ? memrchr(s.p, c, s.n) : NULL;
    return at ? at - s.p : -1;
}

i64 str_find_str(Str s, Str needle)
{
    if (!needle.n) return 0;
    const char *at = s.n ? memmem(s.p, s.n, needle.p, needle.n) : NULL;
    return at ? at - s.p : -1;
}

Str str_slice(Str s, usize from, usize to)
{
    to = MIN(to, s.n);
    from = MIN(from, to);
    return (Str){s.p ? s.p + from : NULL, to - from};
}

Str str_skip(Str s, usize n)
{
    return str_slice(s, n, s.n);
}

static bool is_space(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

Str str_trim(Str s)
{
    while (s.n && is_space(s.p[0])) s = str_skip(s, 1);
    while (s.n && is_space(s.p[s.n - 1])) s.n--;
    return s;
}

bool str_cut(Str s, char sep, Str *ret_head, Str *ret_tail)
{
    i64 at = str_find(s, sep);
    *ret_head = at < 0 ? s : str_slice(s, 0, (usize)at);
    *ret_tail = at < 0 ? (Str){0} : str_skip(s, (usize)at + 1);
    return at >= 0;
}

bool str_next(Str *rest, char sep, Str *ret_piece)
{
    if (!rest->p) return false;
    Str head, tail;
    bool more = str_cut(*rest, sep, &head, &tail);
    *ret_piece = head;
    *rest = more ? tail : (Str){0};
    return true;
}

bool str_to_u64(Str s, u64 *ret)
{
    if (!s.n) return false;
    u64 n = 0;
    for (usize i = 0; i < s.n; i++) {
        if (s.p[i] < '0' || s.p[i] > '9') return false;
        if (!MUL_OK(n, (u64)10, &n) || !ADD_OK(n, (u64)(s.p[i] - '0'), &n)) return false;
    }
    *ret = n;
    return true;
}

bool str_to_i64(Str s, i64 *ret)
{
    bool minus = s.n && s.p[0] == '-';
    u64 n;
    if (!str_to_u64(minus ? str_skip(s, 1) : s, &n)) return false;
    if (n > (u64)INT64_MAX + minus) return false;
    *ret = minus ? (i64)(0 - n) : (i64)n;
    return true;
}

/* The kernel hands every process 16 random bytes: no system call, and an attacker who chooses keys
 * cannot choose collisions. */
static u64 hash_seed(void)
{
    static u64 seed;
    if (!seed) {
        const void *random = (const void *)getauxval(AT_RANDOM);
        u64 s = 0x9e3779b97f4a7c15u;
        if (random) memcpy(&s, random, sizeof(s));
        seed = s | 1;
    }
    return seed;
}

static u64 mix(u64 a, u64 b)
{
    unsigned __int128 m = (unsigned __int128)a * b;
    return (u64)m ^ (u64)(m >> 64);
}

u64 str_hash(Str s)
{
    u64 h = hash_seed() ^ s.n;
    const char *p = s.p;
    usize n = s.n;
    for (; n >= 8; p += 8, n -= 8) {
        u64 w;
        memcpy(&w, p, 8);
        h = mix(h ^ w, 0xa0761d6478bd642fu);
    }
    u64 w = 0;
    if (n) memcpy(&w, p, n);
    return mix(h ^ w ^ 0x8ebc6af09c88c6e3u, 0xe7037ed1a0b428dbu);
}

Str str_dup(Arena *a, Str s)
{
    if (!s.n) return (Str){"", 0};
    char *p = arena_alloc_dirty(a, s.n, 1);
    memcpy(p, s.p, s.n);
    return (Str){p, s.n};
}

char *str_dup_z(Arena *a, Str s)
{
    char *p = arena_alloc_dirty(a, s.n + 1, 1);
    if (s.n) memcpy(p, s.p, s.n);
    p[s.n] = 0;
    return p;
}

Str str_concat(Arena *a, Str x, Str y)
{
    char *p = arena_alloc_dirty(a, x.n + y.n + 1, 1);
    if (x.n) memcpy(p, x.p, x.n);
    if (y.n) memcpy(p + x.n, y.p, y.n);
    p[x.n + y.n] = 0;
    return (Str){p, x.n + y.n};
}

Str str_vfmt(Arena *a, const char *fmt, va_list args)
{
    va_list again;
    va_copy(again, args);
    int n = vsnprintf(NULL, 0, fmt, args);
    ASSERT(n >= 0);
    char *p = arena_alloc_dirty(a, (usize)n + 1, 1);
    (void)vsnprintf(p, (usize)n + 1, fmt, again);
    va_end(again);
    return (Str){p, (usize)n};
}

Str str_fmt(Arena *a, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    Str s = str_vfmt(a, fmt, args);
    va_end(args);
    return s;
}

Str str_lower(Arena *a, Str s)
{
    char *p = arena_alloc_dirty(a, s.n, 1);
    for (usize i = 0; i < s.n; i++) p[i] = to_lower(s.p[i]);
    return (Str){p, s.n};
}
