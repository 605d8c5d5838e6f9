/* codec/utf.c -- conversion between UTF-8, UTF-16 and Latin-1.
 *
 * Most text is ASCII, so every loop first skips or copies ASCII sixteen bytes at a time (SSE2,
 * which every x86-64 machine has) and leaves the rest to the scalar decoder. */
#include "codec/utf.h"
#include "codec/utf_blocks.h"

#include <string.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

enum { REPLACEMENT = 0xfffd };

usize utf_ascii_prefix(const u8 *p, usize n)
{
    usize i = n >= 64 ? utf_blocks_ascii(p, n) : 0;
#ifdef __SSE2__
    for (; i + 16 <= n; i += 16) {
        __m128i v = _mm_loadu_si128((const __m128i *)(const void *)(p + i));
        int mask = _mm_movemask_epi8(v);
        if (mask) return i + (usize)__builtin_ctz((unsigned)mask);
    }
#endif
    while (i < n && p[i] < 0x80) i++;
    return i;
}

/* What may follow a lead byte: the number of continuation bytes, the range of the first of them,
 * and the payload bits of the lead.  n is 0 for bytes that cannot lead. */
typedef struct {
    u8 n, low, high, payload;
} Lead;

static Lead lead_of(u8 c)
{
    if (c >= 0xc2 && c <= 0xdf) return (Lead){1, 0x80, 0xbf, c & 0x1f};
    if (c == 0xe0) return (Lead){2, 0xa0, 0xbf, 0};
    if (c == 0xed) return (Lead){2, 0x80, 0x9f, 0x0d};
    if (c >= 0xe1 && c <= 0xef) return (Lead){2, 0x80, 0xbf, c & 0x0f};
    if (c == 0xf0) return (Lead){3, 0x90, 0xbf, 0};
    if (c >= 0xf1 && c <= 0xf3) return (Lead){3, 0x80, 0xbf, c & 0x07};
    if (c == 0xf4) return (Lead){3, 0x80, 0x8f, 0x04};
    return (Lead){0};
}

static bool is_continuation(u8 c)
{
    return (c & 0xc0) == 0x80;
}

/* A well-formed sequence of two or three bytes; 0: it is something else. */
static inline u32 decode_quickly(const u8 **at, const u8 *end)
{
    const u8 *p = *at;
    u8 c = *p;
    if (c >= 0xc2 && c < 0xe0 && end - p >= 2 && is_continuation(p[1])) {
        *at = p + 2;
        return (c & 0x1fu) << 6 | (p[1] & 0x3f);
    }
    if (c >= 0xe0 && c < 0xf0 && end - p >= 3 && is_continuation(p[1]) && is_continuation(p[2])) {
        u32 cp = (c & 0xfu) << 12 | (p[1] & 0x3fu) << 6 | (p[2] & 0x3f);
        if (cp < 0x800 || (cp & 0xf800) == 0xd800) return 0;
        *at = p + 3;
        return cp;
    }
    return 0;
}

/* Returns the code point, or REPLACEMENT with *ret_bad set; moves *at behind what was used. */
static u32 decode_slowly(const u8 **at, const u8 *end, bool *ret_bad)
{
    const u8 *p = *at;
    u8 c = *p++;
    if (c < 0x80) {
        *at = p;
        return c;
    }
    Lead lead = lead_of(c);
    u32 cp = lead.payload;
    u8 low = lead.low, high = lead.high;
    u32 i = 0;
    for (; i < lead.n && p < end && *p >= low && *p <= high; i++) {
        cp = cp << 6 | (*p++ & 0x3f);
        low = 0x80;
        high = 0xbf;
    }
    *at = p;
    if (LIKELY(lead.n && i == lead.n)) return cp;
    *ret_bad = true;
    return REPLACEMENT;
}

static inline u32 decode(const u8 **at, const u8 *end, bool *ret_bad)
{
    u32 cp = decode_quickly(at, end);
    return LIKELY(cp != 0) ? cp : decode_slowly(at, end, ret_bad);
}

u32 utf8_decode(Str s, usize *ret_len)
{
    const u8 *start = (const u8 *)s.p, *p = start;
    bool is_bad = false;
    ASSERT(s.n);
    u32 cp = decode(&p, start + s.n, &is_bad);
    *ret_len = (usize)(p - start);
    return cp;
}

bool utf8_is_valid(Str s)
{
    UtfMeasure unused;
    bool is_known;
    if (utf8_check(s, &unused, &is_known)) return true;
    if (is_known) return false;
    const u8 *p = (const u8 *)s.p, *end = p + s.n;
    bool is_bad = false;
    while (p < end && !is_bad) {
        p += utf_ascii_prefix(p, (usize)(end - p));
        while (p < end && *p >= 0x80 && !is_bad) (void)decode(&p, end, &is_bad);
    }
    return !is_bad;
}

UtfMeasure utf8_measure(Str s)
{
    const u8 *p = (const u8 *)s.p, *end = p + s.n;
    usize ascii = utf_ascii_prefix(p, s.n);
    UtfMeasure m = {
        .n_units = ascii, .is_ascii = ascii == s.n, .is_latin1 = true, .is_valid = true};
    bool is_bad = false, is_known;
    if (m.is_ascii) return m;
    p += ascii;
    if (utf8_check((Str){(const char *)p, s.n - ascii}, &m, &is_known)) {
        m.n_units += ascii;
        return m;
    }
    while (p < end) {
        while (p < end && *p >= 0x80) {
            u32 cp = decode(&p, end, &is_bad);
            m.n_units += cp > 0xffff ? 2 : 1;
            if (cp > 0xff) m.is_latin1 = false;
        }
        ascii = utf_ascii_prefix(p, (usize)(end - p));
        m.n_units += ascii;
        p += ascii;
    }
    m.is_valid = !is_bad;
    return m;
}

void utf8_to_latin1(Str s, u8 *dst)
{
    const u8 *p = (const u8 *)s.p, *end = p + s.n;
    bool is_bad = false;
    while (p < end) {
#ifdef __SSE2__
        /* What is left takes at least half as many bytes. */
        if (end - p >= 32) {
            __m128i v = _mm_loadu_si128((const __m128i *)(const void *)p);
            unsigned others = (unsigned)_mm_movemask_epi8(v);
            u32 n = others ? (u32)__builtin_ctz(others) : 16;
            _mm_storeu_si128((__m128i *)(void *)dst, v);
            p += n;
            dst += n;
        }
#endif
        while (p < end && *p >= 0x80) {
            u32 cp = decode(&p, end, &is_bad);
            ASSERT(cp <= 0xff);
            *dst++ = (u8)cp;
        }
        if (end - p < 32) {
            while (p < end && *p < 0x80) *dst++ = *p++;
        }
    }
}

void utf_latin1_to_utf16(const u8 *p, usize n, u16 *dst)
{
    usize i = 0;
#ifdef __SSE2__
    const __m128i zero = _mm_setzero_si128();
    for (; i + 16 <= n; i += 16) {
        __m128i v = _mm_loadu_si128((const __m128i *)(const void *)(p + i));
        _mm_storeu_si128((__m128i *)(void *)(dst + i), _mm_unpacklo_epi8(v, zero));
        _mm_storeu_si128((__m128i *)(void *)(dst + i + 8), _mm_unpackhi_epi8(v, zero));
    }
#endif
    for (; i < n; i++) dst[i] = p[i];
}

void utf8_to_utf16(Str s, u16 *dst)
{
    const u8 *p = (const u8 *)s.p, *end = p + s.n;
    bool is_bad = false;
    while (p < end) {
#ifdef __SSE2__
        /* What is left takes at least a third as many units. */
        if (end - p >= 48) {
            __m128i v = _mm_loadu_si128((const __m128i *)(const void *)p);
            const __m128i zero = _mm_setzero_si128();
            unsigned others = (unsigned)_mm_movemask_epi8(v);
            u32 n = others ? (u32)__builtin_ctz(others) : 16;
            _mm_storeu_si128((__m128i *)(void *)dst, _mm_unpacklo_epi8(v, zero));
            _mm_storeu_si128((__m128i *)(void *)(dst + 8), _mm_unpackhi_epi8(v, zero));
            p += n;
            dst += n;
        }
#endif
        while (p < end && *p >= 0x80) {
            u32 cp = decode(&p, end, &is_bad);
            if (cp > 0xffff) {
                cp -= 0x10000;
                *dst++ = (u16)(0xd800 | cp >> 10);
                *dst++ = (u16)(0xdc00 | (cp & 0x3ff));
            } else {
                *dst++ = (u16)cp;
            }
        }
        if (end - p < 48) {
            while (p < end && *p < 0x80) *dst++ = *p++;
        }
    }
}

/* ---- To UTF-8 -------------------------------------------------------------------------------- */

usize utf_latin1_to_utf8_len(const u8 *p, usize n)
{
    const u64 ones = 0x0101010101010101;
    usize i, len = n + utf_blocks_count_high(p, n, &i);
    for (; i + 8 <= n; i += 8) {
        u64 v;
        memcpy(&v, p + i, sizeof(v));
        len += (usize)((v >> 7 & ones) * ones >> 56);
    }
    for (; i < n; i++) len += p[i] >> 7;
    return len;
}

static char *put_two(char *dst, u32 cp)
{
    *dst++ = (char)(0xc0 | cp >> 6);
    *dst++ = (char)(0x80 | (cp & 0x3f));
    return dst;
}

usize utf_latin1_to_utf8(const u8 *p, usize n, char *dst)
{
    char *start = dst;
    const u8 *end = p + n;
    while (p < end) {
        usize k = utf_ascii_prefix(p, (usize)(end - p));
        memcpy(dst, p, k);
        dst += k;
        p += k;
        while (p < end && *p >= 0x80) dst = put_two(dst, *p++);
    }
    return (usize)(dst - start);
}

/* The code point at *at, which moves on; lone surrogates are REPLACEMENT. */
static u32 take_utf16(const u16 **at, const u16 *end)
{
    u32 c = *(*at)++;
    if ((c & 0xf800) != 0xd800) return c;
    bool is_pair = c < 0xdc00 && *at < end && (**at & 0xfc00) == 0xdc00;
    if (!is_pair) return REPLACEMENT;
    return 0x10000 + ((c & 0x3ff) << 10) + (*(*at)++ & 0x3ffu);
}

static u32 utf8_size(u32 cp)
{
    return cp < 0x80 ? 1 : cp < 0x800 ? 2 : cp < 0x10000 ? 3 : 4;
}

static char *put(char *dst, u32 cp)
{
    if (cp < 0x80) {
        *dst++ = (char)cp;
        return dst;
    }
    if (cp < 0x800) return put_two(dst, cp);
    if (cp < 0x10000) {
        *dst++ = (char)(0xe0 | cp >> 12);
    } else {
        *dst++ = (char)(0xf0 | cp >> 18);
        *dst++ = (char)(0x80 | (cp >> 12 & 0x3f));
    }
    *dst++ = (char)(0x80 | (cp >> 6 & 0x3f));
    *dst++ = (char)(0x80 | (cp & 0x3f));
    return dst;
}

void utf16_low_bytes(const u16 *p, usize n, u8 *dst)
{
    usize i = 0;
#ifdef __SSE2__
    const __m128i low = _mm_set1_epi16(0xff);
    for (; i + 8 <= n; i += 8) {
        __m128i v = _mm_and_si128(_mm_loadu_si128((const __m128i *)(const void *)(p + i)), low);
        _mm_storel_epi64((__m128i *)(void *)(dst + i), _mm_packus_epi16(v, v));
    }
#endif
    for (; i < n; i++) dst[i] = (u8)p[i];
}

usize utf16_to_utf8_len(const u16 *p, usize n)
{
    const u16 *end = p + n;
    usize len = 0, used;
    while (p < end) {
        len += utf_blocks_utf8_len(p, (usize)(end - p), &used);
        p += used;
        for (u32 i = 0; i < 16 && p < end; i++) len += utf8_size(take_utf16(&p, end));
    }
    return len;
}

usize utf16_to_utf8(const u16 *p, usize n, char *dst)
{
    const u16 *end = p + n;
    char *start = dst;
    while (p < end) {
        /* A unit takes one byte at least: so many may be written. */
        usize written, room = (usize)(end - p);
        p += utf_blocks_from_utf16(p, (usize)(end - p), dst, room, &written);
        dst += written;
        for (u32 i = 0; i < 8 && p < end; i++) dst = put(dst, take_utf16(&p, end));
    }
    return (usize)(dst - start);
}

usize utf16_to_utf8_partial(const u16 *p, usize n, char *dst, usize cap, usize *ret_read)
{
    const u16 *at = p, *end = p + n;
    char *start = dst;
    while (at < end) {
        usize written;
        at += utf_blocks_from_utf16(at, (usize)(end - at), dst, cap, &written);
        dst += written;
        cap -= written;
        for (u32 i = 0; i < 8 && at < end; i++) {
            const u16 *next = at;
            u32 cp = take_utf16(&next, end), size = utf8_size(cp);
            if (size > cap) goto out;
            dst = put(dst, cp);
            cap -= size;
            at = next;
        }
    }
out:
    *ret_read = (usize)(at - p);
    return (usize)(dst - start);
}

usize utf_latin1_to_utf8_partial(const u8 *p, usize n, char *dst, usize cap, usize *ret_read)
{
    const u8 *at = p, *end = p + n;
    char *start = dst;
    while (at < end && cap) {
        usize k = utf_ascii_prefix(at, MIN((usize)(end - at), cap));
        memcpy(dst, at, k);
        dst += k;
        at += k;
        cap -= k;
        if (at == end || *at < 0x80 || cap < 2) break;
        dst = put_two(dst, *at++);
        cap -= 2;
    }
    *ret_read = (usize)(at - p);
    return (usize)(dst - start);
}

bool utf16_is_latin1(const u16 *p, usize n)
{
    usize i = 0;
    u32 all = 0;
#ifdef __SSE2__
    const __m128i zero = _mm_setzero_si128(), high = _mm_set1_epi16((short)0xff00);
    for (; i + 8 <= n; i += 8) {
        __m128i v = _mm_and_si128(_mm_loadu_si128((const __m128i *)(const void *)(p + i)), high);
        if (_mm_movemask_epi8(_mm_cmpeq_epi16(v, zero)) != 0xffff) return false;
    }
#endif
    for (; i < n; i++) all |= p[i];
    return all < 0x100;
}

bool utf16_is_well_formed(const u16 *p, usize n)
{
    const u16 *end = p + n;
    while (p < end) {
        bool is_surrogate = (*p & 0xf800) == 0xd800;
        const u16 *before = p;
        (void)take_utf16(&p, end);
        if (is_surrogate && p - before == 1) return false;
    }
    return true;
}
