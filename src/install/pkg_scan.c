/* install/pkg_scan.c -- see pkg_scan.h.  Objects and arrays are passed over 64 bytes at a time:
 * which of them are brackets outside of strings is found with masks, and one by one only where the
 * end can be. */
#include "install/pkg_scan.h"

#include <string.h>
#ifdef __x86_64__
#include <emmintrin.h>
#endif

enum { BLOCK = 64 };

typedef struct {
    u64 quotes, slashes, opens, closes;
} Masks;

#ifdef __x86_64__

static u64 equal(const __m128i *v, char c)
{
    const __m128i wanted = _mm_set1_epi8(c);
    u64 mask = 0;
    for (u32 i = 0; i < 4; i++)
        mask |= (u64)(u32)_mm_movemask_epi8(_mm_cmpeq_epi8(v[i], wanted)) << (16 * i);
    return mask;
}

static Masks masks_of(const char *p)
{
    __m128i v[4], folded[4];
    const __m128i bit = _mm_set1_epi8(0x20); /* "[" and "{", "]" and "}" differ in it */
    for (u32 i = 0; i < 4; i++) {
        v[i] = _mm_loadu_si128((const __m128i *)(const void *)(p + 16 * i));
        folded[i] = _mm_or_si128(v[i], bit);
    }
    return (Masks){equal(v, '"'), equal(v, '\\'), equal(folded, '{'), equal(folded, '}')};
}

#else

static Masks masks_of(const char *p)
{
    Masks m = {0};
    for (u32 i = 0; i < BLOCK; i++) {
        u64 bit = (u64)1 << i;
        m.quotes |= p[i] == '"' ? bit : 0;
        m.slashes |= p[i] == '\\' ? bit : 0;
        m.opens |= p[i] == '{' || p[i] == '[' ? bit : 0;
        m.closes |= p[i] == '}' || p[i] == ']' ? bit : 0;
    }
    return m;
}

#endif

typedef struct {
    u64 in_string; /* all ones: the block before ended in a string */
    u64 escaped;   /* 1: its last byte escapes the first one here */
    u32 depth;
} Walk;

/* The bytes behind a backslash that is not itself behind one. */
static u64 escaped_by(u64 slashes, u64 *carry)
{
    u64 escaped = *carry;
    *carry = 0;
    slashes &= ~escaped;
    while (slashes) {
        u64 bit = slashes & -slashes;
        if (bit >> 63) *carry = 1;
        escaped |= bit << 1;
        slashes &= ~(bit | bit << 1);
    }
    return escaped;
}

/* Each bit is the sum of those up to it: ones from an opening quote to the closing one. */
static u64 sums(u64 x)
{
    for (u32 i = 1; i < BLOCK; i *= 2) x ^= x << i;
    return x;
}

/* Where in the block the outermost bracket closes, or BLOCK. */
static u32 walk_block(Walk *w, const char *p)
{
    Masks m = masks_of(p);
    u64 quotes = m.quotes;
    if (m.slashes || w->escaped) quotes &= ~escaped_by(m.slashes, &w->escaped);
    u64 strings = sums(quotes) ^ w->in_string;
    w->in_string = (u64)((i64)strings >> 63);
    u64 opens = m.opens & ~strings, closes = m.closes & ~strings;
    while (closes) {
        u64 below = (closes & -closes) - 1;
        w->depth += (u32)__builtin_popcountll(opens & below);
        opens &= ~below;
        if (--w->depth == 0) return (u32)__builtin_ctzll(closes);
        closes &= closes - 1;
    }
    w->depth += (u32)__builtin_popcountll(opens);
    return BLOCK;
}

/* Behind the bracket that closes the one at the front; the length of the text if none does. */
static usize nest_end(Str text)
{
    Walk w = {0};
    usize at = 0;
    for (; at + BLOCK <= text.n; at += BLOCK) {
        u32 i = walk_block(&w, text.p + at);
        if (i < BLOCK) return at + i + 1;
    }
    char last[BLOCK] = {0};
    if (at < text.n) memcpy(last, text.p + at, text.n - at);
    u32 i = walk_block(&w, last);
    return i < BLOCK ? at + i + 1 : text.n;
}

static void skip_space(Str *text)
{
    while (text->n && (text->p[0] == ' ' || text->p[0] == '\n' || text->p[0] == '\r' ||
                       text->p[0] == '\t' || text->p[0] == ',' || text->p[0] == ':'))
        *text = str_skip(*text, 1);
}

/* Behind the string that starts at the front; the end of the text when it does not end. */
static usize string_end(Str text)
{
    for (usize at = 1; at < text.n; at++) {
        const char *quote = memchr(text.p + at, '"', text.n - at);
        if (!quote) return text.n;
        at = (usize)(quote - text.p);
        usize n_slashes = 0;
        while (text.p[at - 1 - n_slashes] == '\\') n_slashes++;
        if (n_slashes % 2 == 0) return at + 1;
    }
    return text.n;
}

static usize value_end(Str text)
{
    if (text.p[0] == '{' || text.p[0] == '[') return nest_end(text);
    if (text.p[0] == '"') return string_end(text);
    usize n = 0;
    while (n < text.n && text.p[n] != ',' && text.p[n] != '}' && text.p[n] != ']') n++;
    return n;
}

bool pkg_scan_open(Str *rest)
{
    skip_space(rest);
    if (!rest->n || rest->p[0] != '{') return false;
    *rest = str_skip(*rest, 1);
    return true;
}

bool pkg_scan_key(Str *rest, Str *ret_key)
{
    skip_space(rest);
    if (!rest->n || rest->p[0] != '"') return false;
    usize end = string_end(*rest);
    if (end < 2) return false;
    *ret_key = str_slice(*rest, 1, end - 1);
    *rest = str_skip(*rest, end);
    skip_space(rest);
    return true;
}

bool pkg_scan_value(Str *rest, Str *ret_value)
{
    usize end = rest->n ? value_end(*rest) : 0;
    *ret_value = str_slice(*rest, 0, end);
    *rest = str_skip(*rest, end);
    return end > 0;
}

bool pkg_scan_close(Str *rest)
{
    skip_space(rest);
    if (!rest->n || rest->p[0] != '}') return false;
    *rest = str_skip(*rest, 1);
    return true;
}
