/* codec/utf_blocks.c -- see utf_blocks.h.
 *
 * Is text well-formed UTF-8?  Sixteen bytes at a time by the method of Keiser and Lemire,
 * "Validating UTF-8 in less than one instruction per byte": three lookups by the halves of
 * neighbouring bytes each give the set of mistakes that these halves allow; what all three allow
 * has been made.  Two continuation bytes in a row are right or wrong by what stands two and three
 * bytes before.
 *
 * UTF-16 to UTF-8: four units are spread to four bytes each, of which a table of shuffles keeps
 * those that are needed. */
#include "codec/utf_blocks.h"

#include <string.h>

#if defined(__x86_64__)
#include <immintrin.h>

enum {
    TOO_SHORT = 1 << 0,  /* a lead byte without its continuation */
    TOO_LONG = 1 << 1,   /* a continuation behind ASCII */
    OVERLONG_3 = 1 << 2, /* e0 80..9f */
    TOO_LARGE = 1 << 3,  /* f4 90.. and above */
    SURROGATE = 1 << 4,  /* ed a0..bf */
    OVERLONG_2 = 1 << 5, /* c0, c1 */
    OVERLONG_4 = 1 << 6, /* f0 80..8f, and f5.. 80..8f */
    TWO_CONTS = 1 << 7,  /* two continuation bytes */
    ANY_LOW = TOO_SHORT | TOO_LONG | TWO_CONTS,
    ANY_CONT = TOO_LONG | OVERLONG_2 | TWO_CONTS,
    LARGE = ANY_LOW | TOO_LARGE | OVERLONG_4,
};

#define SSSE3 __attribute__((target("ssse3,popcnt")))

SSSE3 static inline __m128i errors_of(__m128i in, __m128i before)
{
    const __m128i by_high = _mm_setr_epi8(
        TOO_LONG, TOO_LONG, TOO_LONG, TOO_LONG, TOO_LONG, TOO_LONG, TOO_LONG, TOO_LONG,
        (char)TWO_CONTS, (char)TWO_CONTS, (char)TWO_CONTS, (char)TWO_CONTS, TOO_SHORT | OVERLONG_2,
        TOO_SHORT, TOO_SHORT | OVERLONG_3 | SURROGATE, TOO_SHORT | TOO_LARGE | OVERLONG_4);
    const __m128i by_low = _mm_setr_epi8(
        (char)(ANY_LOW | OVERLONG_3 | OVERLONG_2 | OVERLONG_4), (char)(ANY_LOW | OVERLONG_2),
        (char)ANY_LOW, (char)ANY_LOW, (char)(ANY_LOW | TOO_LARGE), (char)LARGE, (char)LARGE,
        (char)LARGE, (char)LARGE, (char)LARGE, (char)LARGE, (char)LARGE, (char)LARGE,
        (char)(LARGE | SURROGATE), (char)LARGE, (char)LARGE);
    const __m128i by_next = _mm_setr_epi8(
        TOO_SHORT, TOO_SHORT, TOO_SHORT, TOO_SHORT, TOO_SHORT, TOO_SHORT, TOO_SHORT, TOO_SHORT,
        (char)(ANY_CONT | OVERLONG_3 | OVERLONG_4), (char)(ANY_CONT | OVERLONG_3 | TOO_LARGE),
        (char)(ANY_CONT | SURROGATE | TOO_LARGE), (char)(ANY_CONT | SURROGATE | TOO_LARGE),
        TOO_SHORT, TOO_SHORT, TOO_SHORT, TOO_SHORT);
    const __m128i nibble = _mm_set1_epi8(15);
    __m128i last = _mm_alignr_epi8(in, before, 15);
    __m128i high = _mm_shuffle_epi8(by_high, _mm_and_si128(_mm_srli_epi16(last, 4), nibble));
    __m128i low = _mm_shuffle_epi8(by_low, _mm_and_si128(last, nibble));
    __m128i next = _mm_shuffle_epi8(by_next, _mm_and_si128(_mm_srli_epi16(in, 4), nibble));
    __m128i found = _mm_and_si128(_mm_and_si128(high, low), next);
    /* The top bit where a third or fourth byte must stand. */
    __m128i third = _mm_subs_epu8(_mm_alignr_epi8(in, before, 14), _mm_set1_epi8(0xe0 - 0x80));
    __m128i fourth = _mm_subs_epu8(_mm_alignr_epi8(in, before, 13), _mm_set1_epi8(0xf0 - 0x80));
    __m128i must = _mm_and_si128(_mm_or_si128(third, fourth), _mm_set1_epi8((char)0x80));
    return _mm_xor_si128(must, found);
}

typedef struct {
    __m128i error, before, highest;
    usize n_units;
} Check;

SSSE3 static inline void check_block(Check *c, __m128i in)
{
    if (!_mm_movemask_epi8(_mm_or_si128(in, c->before))) {
        c->n_units += 16;
        return;
    }
    c->error = _mm_or_si128(c->error, errors_of(in, c->before));
    c->highest = _mm_max_epu8(c->highest, in);
    c->before = in;
    /* A unit for each byte that does not continue, another for those that lead four. */
    int cont = _mm_movemask_epi8(_mm_cmpgt_epi8(_mm_set1_epi8(-64), in));
    const __m128i four = _mm_set1_epi8((char)0xf0);
    int leads = _mm_movemask_epi8(_mm_cmpeq_epi8(_mm_max_epu8(in, four), in));
    c->n_units +=
        16 - (usize)__builtin_popcount((unsigned)cont) + (usize)__builtin_popcount((unsigned)leads);
}

SSSE3 static bool check_by_blocks(Str s, UtfMeasure *ret)
{
    const __m128i zero = _mm_setzero_si128();
    Check c = {.error = zero, .before = zero, .highest = zero};
    usize i = 0;
    u8 tail[16] = {0}, highest[16], n_padding;
    for (; i + 16 <= s.n; i += 16) {
        check_block(&c, _mm_loadu_si128((const __m128i *)(const void *)(s.p + i)));
    }
    /* Zeros behind the end show what is cut off. */
    n_padding = (u8)(16 - (s.n - i));
    memcpy(tail, s.p + i, s.n - i);
    check_block(&c, _mm_loadu_si128((const __m128i *)(const void *)tail));
    if (_mm_movemask_epi8(_mm_cmpeq_epi8(c.error, zero)) != 0xffff) return false;
    _mm_storeu_si128((__m128i *)(void *)highest, c.highest);
    u8 max = 0;
    for (u32 k = 0; k < 16; k++) max = MAX(max, highest[k]);
    *ret = (UtfMeasure){.n_units = c.n_units - n_padding,
                        .is_ascii = max < 0x80,
                        .is_latin1 = max < 0xc4,
                        .is_valid = true};
    return true;
}

bool utf8_check(Str s, UtfMeasure *ret, bool *ret_is_known)
{
    *ret_is_known =
        s.n >= 16 && __builtin_cpu_supports("ssse3") && __builtin_cpu_supports("popcnt");
    return *ret_is_known && check_by_blocks(s, ret);
}

/* ---- Counting ------------------------------------------------------------------------------- */

#define AVX2 __attribute__((target("avx2,popcnt")))

static bool has_avx2(void)
{
    return __builtin_cpu_supports("avx2");
}

AVX2 static usize ascii_by_32(const u8 *p, usize n)
{
    usize i = 0;
    for (; i + 128 <= n; i += 128) {
        const __m256i *v = (const __m256i *)(const void *)(p + i);
        __m256i a = _mm256_or_si256(_mm256_loadu_si256(v), _mm256_loadu_si256(v + 1));
        __m256i b = _mm256_or_si256(_mm256_loadu_si256(v + 2), _mm256_loadu_si256(v + 3));
        if (_mm256_movemask_epi8(_mm256_or_si256(a, b))) break;
    }
    for (; i + 32 <= n; i += 32) {
        if (_mm256_movemask_epi8(_mm256_loadu_si256((const __m256i *)(const void *)(p + i)))) break;
    }
    return i;
}

usize utf_blocks_ascii(const u8 *p, usize n)
{
    return n >= 64 && has_avx2() ? ascii_by_32(p, n) : 0;
}

AVX2 static usize count_high_by_32(const u8 *p, usize n, usize *ret_used)
{
    usize i = 0, count = 0;
    for (; i + 32 <= n; i += 32) {
        __m256i v = _mm256_loadu_si256((const __m256i *)(const void *)(p + i));
        count += (usize)__builtin_popcount((unsigned)_mm256_movemask_epi8(v));
    }
    *ret_used = i;
    return count;
}

usize utf_blocks_count_high(const u8 *p, usize n, usize *ret_used)
{
    *ret_used = 0;
    return n >= 32 && has_avx2() ? count_high_by_32(p, n, ret_used) : 0;
}

AVX2 static usize utf8_len_by_16(const u16 *p, usize n, usize *ret_used)
{
    const __m256i top = _mm256_set1_epi16((short)0xf800);
    const __m256i surrogate = _mm256_set1_epi16((short)0xd800);
    const __m256i two = _mm256_set1_epi16(0x80), three = _mm256_set1_epi16(0x800);
    usize i = 0, len = 0;
    for (; i + 16 <= n; i += 16) {
        __m256i v = _mm256_loadu_si256((const __m256i *)(const void *)(p + i));
        __m256i is_surrogate = _mm256_cmpeq_epi16(_mm256_and_si256(v, top), surrogate);
        if (_mm256_movemask_epi8(is_surrogate)) break;
        unsigned at_least_two =
            (unsigned)_mm256_movemask_epi8(_mm256_cmpeq_epi16(_mm256_max_epu16(v, two), v));
        unsigned at_least_three =
            (unsigned)_mm256_movemask_epi8(_mm256_cmpeq_epi16(_mm256_max_epu16(v, three), v));
        len +=
            16 + (usize)(__builtin_popcount(at_least_two) + __builtin_popcount(at_least_three)) / 2;
    }
    *ret_used = i;
    return len;
}

usize utf_blocks_utf8_len(const u16 *p, usize n, usize *ret_used)
{
    *ret_used = 0;
    return n >= 16 && has_avx2() ? utf8_len_by_16(p, n, ret_used) : 0;
}

/* ---- UTF-16 to UTF-8 ------------------------------------------------------------------------ */

/* By the sizes of four characters, two bits each (size - 1): which of 4 * 4 bytes to keep. */
typedef struct {
    u8 order[16];
    u8 len;
} Compress;

static Compress compress[256];
static bool compress_is_made;

static void make_compress(void)
{
    if (__atomic_load_n(&compress_is_made, __ATOMIC_ACQUIRE)) return;
    for (u32 sizes = 0; sizes < 256; sizes++) {
        Compress c = {.len = 0};
        memset(c.order, 0x80, sizeof(c.order));
        for (u32 i = 0; i < 4; i++) {
            u32 size = (sizes >> 2 * i & 3) + 1;
            for (u32 k = 0; k < size && size < 4; k++) c.order[c.len++] = (u8)(4 * i + k);
        }
        /* Two threads write the same. */
        compress[sizes] = c;
    }
    __atomic_store_n(&compress_is_made, true, __ATOMIC_RELEASE);
}

/* Four units below 0xd800 or above 0xdfff, as 32-bit numbers. */
SSSE3 static inline usize put_four(__m128i v, char *dst)
{
    const __m128i two_min = _mm_set1_epi32(0x7f), three_min = _mm_set1_epi32(0x7ff);
    const __m128i low6 = _mm_set1_epi32(0x3f);
    __m128i is_two = _mm_cmpgt_epi32(v, two_min), is_three = _mm_cmpgt_epi32(v, three_min);
    __m128i last = _mm_or_si128(_mm_and_si128(v, low6), _mm_set1_epi32(0x80));
    __m128i middle = _mm_and_si128(_mm_srli_epi32(v, 6), low6);
    /* 110xxxxx 10xxxxxx */
    __m128i two = _mm_or_si128(_mm_or_si128(_mm_srli_epi32(v, 6), _mm_set1_epi32(0xc0)),
                               _mm_slli_epi32(last, 8));
    /* 1110xxxx 10xxxxxx 10xxxxxx */
    __m128i three = _mm_or_si128(_mm_srli_epi32(v, 12), _mm_set1_epi32(0x80e0));
    three = _mm_or_si128(three, _mm_or_si128(_mm_slli_epi32(middle, 8), _mm_slli_epi32(last, 16)));
    __m128i out = _mm_or_si128(_mm_andnot_si128(is_two, v), _mm_and_si128(is_two, two));
    out = _mm_or_si128(_mm_andnot_si128(is_three, out), _mm_and_si128(is_three, three));
    unsigned m2 = (unsigned)_mm_movemask_ps(_mm_castsi128_ps(is_two));
    unsigned m3 = (unsigned)_mm_movemask_ps(_mm_castsi128_ps(is_three));
    /* Spread to two bits each: size - 1 is the sum of the two. */
    static const u8 spread[16] = {0x00, 0x01, 0x04, 0x05, 0x10, 0x11, 0x14, 0x15,
                                  0x40, 0x41, 0x44, 0x45, 0x50, 0x51, 0x54, 0x55};
    const Compress *c = &compress[spread[m2] + spread[m3]];
    __m128i order = _mm_loadu_si128((const __m128i *)(const void *)c->order);
    _mm_storeu_si128((__m128i *)(void *)dst, _mm_shuffle_epi8(out, order));
    return c->len;
}

SSSE3 static usize from_utf16_by_8(const u16 *p, usize n, char *dst, usize cap, usize *ret_written)
{
    const __m128i zero = _mm_setzero_si128();
    const __m128i top = _mm_set1_epi16((short)0xf800), surrogate = _mm_set1_epi16((short)0xd800);
    const __m128i not_ascii = _mm_set1_epi16((short)0xff80);
    char *start = dst, *end = dst + cap;
    usize i = 0;
    for (; i + 8 <= n && end - dst >= 32; i += 8) {
        __m128i v = _mm_loadu_si128((const __m128i *)(const void *)(p + i));
        __m128i is_ascii = _mm_cmpeq_epi16(_mm_and_si128(v, not_ascii), zero);
        if (_mm_movemask_epi8(is_ascii) == 0xffff) {
            _mm_storel_epi64((__m128i *)(void *)dst, _mm_packus_epi16(v, v));
            dst += 8;
            continue;
        }
        if (_mm_movemask_epi8(_mm_cmpeq_epi16(_mm_and_si128(v, top), surrogate))) break;
        dst += put_four(_mm_unpacklo_epi16(v, zero), dst);
        dst += put_four(_mm_unpackhi_epi16(v, zero), dst);
    }
    *ret_written = (usize)(dst - start);
    return i;
}

usize utf_blocks_from_utf16(const u16 *p, usize n, char *dst, usize cap, usize *ret_written)
{
    *ret_written = 0;
    if (n < 16 || !__builtin_cpu_supports("ssse3") || !__builtin_cpu_supports("popcnt")) return 0;
    make_compress();
    return from_utf16_by_8(p, n, dst, cap, ret_written);
}

#else

bool utf8_check(Str s, UtfMeasure *ret, bool *ret_is_known)
{
    (void)s, (void)ret;
    return *ret_is_known = false;
}

usize utf_blocks_ascii(const u8 *p, usize n)
{
    (void)p, (void)n;
    return 0;
}

usize utf_blocks_count_high(const u8 *p, usize n, usize *ret_used)
{
    (void)p, (void)n;
    return *ret_used = 0;
}

usize utf_blocks_utf8_len(const u16 *p, usize n, usize *ret_used)
{
    (void)p, (void)n;
    return *ret_used = 0;
}

usize utf_blocks_from_utf16(const u16 *p, usize n, char *dst, usize cap, usize *ret_written)
{
    (void)p, (void)n, (void)dst, (void)cap;
    return *ret_written = 0;
}

#endif
