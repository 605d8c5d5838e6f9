/* codec/base64.c -- see base64.h.
 *
 * Encoding goes sixteen characters at a time where the processor has SSSE3.  The trick is Wojciech
 * Mula's: shuffle each group of three bytes into a 32-bit lane, move its four six-bit fields to the
 * bytes of the lane with two multiplications, then turn values into characters by adding an offset
 * that is looked up by range. */
#include "codec/base64.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

static const char alphabets[2][65] = {
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/",
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_",
};

/* Value of a character of the standard alphabet, or one of the marks below. */
enum { BAD = 64, SPACE = 65, PAD = 66, URL = 128 };
static const u8 values[256] = {
    ['A'] = 0,
    ['B'] = 1,
    ['C'] = 2,
    ['D'] = 3,
    ['E'] = 4,
    ['F'] = 5,
    ['G'] = 6,
    ['H'] = 7,
    ['I'] = 8,
    ['J'] = 9,
    ['K'] = 10,
    ['L'] = 11,
    ['M'] = 12,
    ['N'] = 13,
    ['O'] = 14,
    ['P'] = 15,
    ['Q'] = 16,
    ['R'] = 17,
    ['S'] = 18,
    ['T'] = 19,
    ['U'] = 20,
    ['V'] = 21,
    ['W'] = 22,
    ['X'] = 23,
    ['Y'] = 24,
    ['Z'] = 25,
    ['a'] = 26,
    ['b'] = 27,
    ['c'] = 28,
    ['d'] = 29,
    ['e'] = 30,
    ['f'] = 31,
    ['g'] = 32,
    ['h'] = 33,
    ['i'] = 34,
    ['j'] = 35,
    ['k'] = 36,
    ['l'] = 37,
    ['m'] = 38,
    ['n'] = 39,
    ['o'] = 40,
    ['p'] = 41,
    ['q'] = 42,
    ['r'] = 43,
    ['s'] = 44,
    ['t'] = 45,
    ['u'] = 46,
    ['v'] = 47,
    ['w'] = 48,
    ['x'] = 49,
    ['y'] = 50,
    ['z'] = 51,
    ['0'] = 52,
    ['1'] = 53,
    ['2'] = 54,
    ['3'] = 55,
    ['4'] = 56,
    ['5'] = 57,
    ['6'] = 58,
    ['7'] = 59,
    ['8'] = 60,
    ['9'] = 61,
    ['+'] = 62,
    ['/'] = 63,
    ['-'] = URL | 62,
    ['_'] = URL | 63,
    ['='] = PAD,
    [' '] = SPACE,
    ['\t'] = SPACE,
    ['\n'] = SPACE,
    ['\f'] = SPACE,
    ['\r'] = SPACE,
    [0 ... 8] = BAD,
    [0x0b] = BAD,
    [0x0e ... 0x1f] = BAD,
    [0x21 ... 0x2a] = BAD,
    [','] = BAD,
    ['.'] = BAD,
    [0x3a ... 0x3c] = BAD,
    [0x3e ... 0x40] = BAD,
    [0x5b ... 0x5e] = BAD,
    [0x60] = BAD,
    [0x7b ... 0xff] = BAD,
};

usize base64_encoded_len(usize n, Base64Kind kind)
{
    if (kind == BASE64_STANDARD) return (n + 2) / 3 * 4;
    return n / 3 * 4 + (n % 3 ? n % 3 + 1 : 0);
}

#if defined(__x86_64__)
/* By range of a six-bit value: 0 lower case, 1 to 10 digits, 11 and 12 the last two, 13 upper case:
 * what makes a character of it. */
static __m128i encode_offsets(Base64Kind kind)
{
    const char plus = kind == BASE64_URL ? '-' : '+', slash = kind == BASE64_URL ? '_' : '/';
    const char digit = '0' - 52;
    return _mm_setr_epi8('a' - 26, digit, digit, digit, digit, digit, digit, digit, digit, digit,
                         digit, (char)(plus - 62), (char)(slash - 63), 'A', 0, 0);
}

/* Encodes groups of 12 bytes while 16 may be read; returns the number of bytes used. */
__attribute__((target("ssse3"))) static usize encode_blocks(const u8 *p, usize n, Base64Kind kind,
                                                            char *dst)
{
    const __m128i spread = _mm_setr_epi8(1, 0, 2, 1, 4, 3, 5, 4, 7, 6, 8, 7, 10, 9, 11, 10);
    const __m128i offsets = encode_offsets(kind);
    usize used = 0;
    for (; used + 16 <= n; used += 12, dst += 16) {
        __m128i in = _mm_loadu_si128((const __m128i *)(const void *)(p + used));
        in = _mm_shuffle_epi8(in, spread);
        __m128i high = _mm_mulhi_epu16(_mm_and_si128(in, _mm_set1_epi32(0x0fc0fc00)),
                                       _mm_set1_epi32(0x04000040));
        __m128i low = _mm_mullo_epi16(_mm_and_si128(in, _mm_set1_epi32(0x003f03f0)),
                                      _mm_set1_epi32(0x01000010));
        __m128i values_of = _mm_or_si128(high, low);
        __m128i range = _mm_subs_epu8(values_of, _mm_set1_epi8(51));
        __m128i is_upper = _mm_cmpgt_epi8(_mm_set1_epi8(26), values_of);
        range = _mm_or_si128(range, _mm_and_si128(is_upper, _mm_set1_epi8(13)));
        __m128i chars = _mm_add_epi8(values_of, _mm_shuffle_epi8(offsets, range));
        _mm_storeu_si128((__m128i *)(void *)dst, chars);
    }
    return used;
}

/* The same with 24 bytes while 28 may be read. */
__attribute__((target("avx2"))) static usize encode_wide_blocks(const u8 *p, usize n,
                                                                Base64Kind kind, char *dst)
{
    const __m256i spread = _mm256_broadcastsi128_si256(
        _mm_setr_epi8(1, 0, 2, 1, 4, 3, 5, 4, 7, 6, 8, 7, 10, 9, 11, 10));
    const __m256i offsets = _mm256_broadcastsi128_si256(encode_offsets(kind));
    usize used = 0;
    for (; used + 28 <= n; used += 24, dst += 32) {
        const __m128i *at = (const __m128i *)(const void *)(p + used);
        const __m128i *next = (const __m128i *)(const void *)(p + used + 12);
        __m256i in = _mm256_inserti128_si256(_mm256_castsi128_si256(_mm_loadu_si128(at)),
                                             _mm_loadu_si128(next), 1);
        in = _mm256_shuffle_epi8(in, spread);
        __m256i high = _mm256_mulhi_epu16(_mm256_and_si256(in, _mm256_set1_epi32(0x0fc0fc00)),
                                          _mm256_set1_epi32(0x04000040));
        __m256i low = _mm256_mullo_epi16(_mm256_and_si256(in, _mm256_set1_epi32(0x003f03f0)),
                                         _mm256_set1_epi32(0x01000010));
        __m256i values_of = _mm256_or_si256(high, low);
        __m256i range = _mm256_subs_epu8(values_of, _mm256_set1_epi8(51));
        __m256i is_upper = _mm256_cmpgt_epi8(_mm256_set1_epi8(26), values_of);
        range = _mm256_or_si256(range, _mm256_and_si256(is_upper, _mm256_set1_epi8(13)));
        __m256i chars = _mm256_add_epi8(values_of, _mm256_shuffle_epi8(offsets, range));
        _mm256_storeu_si256((__m256i *)(void *)dst, chars);
    }
    return used;
}

static usize encode_fast(const u8 *p, usize n, Base64Kind kind, char *dst)
{
    usize used = 0;
    if (n >= 28 && __builtin_cpu_supports("avx2")) used = encode_wide_blocks(p, n, kind, dst);
    if (n - used < 16 || !__builtin_cpu_supports("ssse3")) return used;
    return used + encode_blocks(p + used, n - used, kind, dst + used / 3 * 4);
}
#endif

usize base64_encode(const u8 *p, usize n, Base64Kind kind, char *dst)
{
    const char *alphabet = alphabets[kind];
    char *out = dst;
#if defined(__x86_64__)
    usize used = encode_fast(p, n, kind, out);
    p += used;
    n -= used;
    out += used / 3 * 4;
#endif
    for (; n >= 3; n -= 3, p += 3) {
        u32 v = (u32)p[0] << 16 | (u32)p[1] << 8 | p[2];
        *out++ = alphabet[v >> 18];
        *out++ = alphabet[v >> 12 & 63];
        *out++ = alphabet[v >> 6 & 63];
        *out++ = alphabet[v & 63];
    }
    if (!n) return (usize)(out - dst);
    u32 v = (u32)p[0] << 16 | (n == 2 ? (u32)p[1] << 8 : 0);
    *out++ = alphabet[v >> 18];
    *out++ = alphabet[v >> 12 & 63];
    if (n == 2) *out++ = alphabet[v >> 6 & 63];
    if (kind == BASE64_STANDARD) {
        *out++ = '=';
        if (n == 1) *out++ = '=';
    }
    return (usize)(out - dst);
}

usize base64_decoded_len_max(usize n)
{
    return n / 4 * 3 + 3;
}

#if defined(__x86_64__)
/* Decodes blocks of 16 characters while 16 bytes may be written; returns the number of characters
 * used.  What a character may be is looked up by both of its halves, as Mula and Lemire describe in
 * "Faster Base64 Encoding and Decoding Using AVX2 Instructions". */
__attribute__((target("ssse3"))) static usize decode_blocks(Str s, u8 *dst, usize cap, bool is_url)
{
    const __m128i by_low = _mm_setr_epi8(0x15, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11,
                                         0x13, 0x1a, 0x1b, 0x1b, 0x1b, 0x1a);
    const __m128i by_high =
        _mm_setr_epi8(0x10, 0x10, 1, 2, 4, 8, 4, 8, 0x10, 0x10, 0x10, 0x10, 0x10, 0x10, 0x10, 0x10);
    const __m128i shifts = _mm_setr_epi8(0, 16, 19, 4, -65, -65, -71, -71, 0, 0, 0, 0, 0, 0, 0, 0);
    const __m128i order = _mm_setr_epi8(2, 1, 0, 6, 5, 4, 10, 9, 8, 14, 13, 12, -1, -1, -1, -1);
    const __m128i half = _mm_set1_epi8(0x2f), minus = _mm_set1_epi8('-'), line = _mm_set1_epi8('_');
    usize used = 0;
    for (; used + 16 <= s.n && cap >= 16; used += 16, dst += 12, cap -= 12) {
        __m128i in = _mm_loadu_si128((const __m128i *)(const void *)(s.p + used));
        if (is_url) {
            __m128i plus = _mm_and_si128(_mm_cmpeq_epi8(in, minus), _mm_set1_epi8('-' ^ '+'));
            __m128i slash = _mm_and_si128(_mm_cmpeq_epi8(in, line), _mm_set1_epi8('_' ^ '/'));
            in = _mm_xor_si128(in, _mm_or_si128(plus, slash));
        }
        __m128i high = _mm_and_si128(_mm_srli_epi32(in, 4), half);
        __m128i low = _mm_and_si128(in, half);
        __m128i bad = _mm_and_si128(_mm_shuffle_epi8(by_low, low), _mm_shuffle_epi8(by_high, high));
        if (_mm_movemask_epi8(_mm_cmpgt_epi8(bad, _mm_setzero_si128()))) break;
        __m128i is_slash = _mm_cmpeq_epi8(in, half);
        __m128i shift = _mm_shuffle_epi8(shifts, _mm_add_epi8(is_slash, high));
        __m128i six = _mm_add_epi8(in, shift);
        __m128i twelve = _mm_maddubs_epi16(six, _mm_set1_epi32(0x01400140));
        __m128i bits = _mm_madd_epi16(twelve, _mm_set1_epi32(0x00011000));
        _mm_storeu_si128((__m128i *)(void *)dst, _mm_shuffle_epi8(bits, order));
    }
    return used;
}
#endif

/* Whole groups of four characters from the start of s, with '-' and '_' if is_url, while their
 * bytes fit; returns how many characters were used. */
static usize decode_groups(Str s, u8 *dst, usize cap, bool is_url)
{
    usize i = 0;
#if defined(__x86_64__)
    if (s.n >= 16 && __builtin_cpu_supports("ssse3")) {
        i = decode_blocks(s, dst, cap, is_url);
        dst += i / 4 * 3;
        cap -= i / 4 * 3;
    }
#endif
    const u32 bad = is_url ? BAD | SPACE | PAD : BAD | SPACE | PAD | URL;
    for (; i + 4 <= s.n && cap >= 3; i += 4, cap -= 3) {
        u32 a = values[(u8)s.p[i]], b = values[(u8)s.p[i + 1]];
        u32 c = values[(u8)s.p[i + 2]], d = values[(u8)s.p[i + 3]];
        if ((a | b | c | d) & (bad & ~63u)) break;
        u32 v = (a & 63) << 18 | (b & 63) << 12 | (c & 63) << 6 | (d & 63);
        *dst++ = (u8)(v >> 16);
        *dst++ = (u8)(v >> 8);
        *dst++ = (u8)v;
    }
    return i;
}

/* Six bits at a time into bytes. */
typedef struct {
    u8 *at;
    u32 bits, n_bits;
} BitWriter;

static void put_six(BitWriter *w, u32 value)
{
    w->bits = (w->bits << 6 | value) & 0xffff;
    w->n_bits += 6;
    if (w->n_bits >= 8) {
        w->n_bits -= 8;
        *w->at++ = (u8)(w->bits >> w->n_bits);
    }
}

bool base64_decode_forgiving(Str s, u8 *dst, usize *ret_n)
{
    usize i = decode_groups(s, dst, base64_decoded_len_max(s.n), false);
    BitWriter w = {.at = dst + i / 4 * 3};
    usize n_chars = i, n_pads = 0;
    for (; i < s.n; i++) {
        u32 value = values[(u8)s.p[i]];
        if (value == SPACE) continue;
        if (value == PAD) {
            n_pads++;
        } else if (value >= BAD || n_pads) {
            return false;
        } else {
            put_six(&w, value);
            n_chars++;
        }
    }
    if (n_chars % 4 == 1) return false;
    if (n_pads && (n_pads > 2 || (n_chars + n_pads) % 4 != 0)) return false;
    *ret_n = (usize)(w.at - dst);
    return true;
}

usize base64_decode_lenient_into(Str s, u8 *dst, usize cap)
{
    BitWriter w = {.at = dst};
    const u8 *end = dst + cap;
    usize i = 0;
    while (i < s.n && w.at < end) {
        if (!w.n_bits) {
            /* At the start of a group, as it is again behind the line breaks of mail. */
            usize used = decode_groups(str_skip(s, i), w.at, (usize)(end - w.at), true);
            i += used;
            w.at += used / 4 * 3;
            if (i == s.n || w.at == end) break;
        }
        u32 value = values[(u8)s.p[i++]];
        if (value == PAD) break;
        if (value < BAD || value >= URL) put_six(&w, value & 63);
    }
    return (usize)(w.at - dst);
}

usize base64_decode_lenient(Str s, u8 *dst)
{
    return base64_decode_lenient_into(s, dst, base64_decoded_len_max(s.n));
}

bool base64_decode_strict(Str s, Base64Kind kind, u8 *dst, usize *ret_n)
{
    BitWriter w = {.at = dst};
    usize i = 0;
    for (; i < s.n && s.p[i] != '='; i++) {
        const u8 c = (u8)s.p[i];
        u32 value = values[c];
        bool is_url = value >= URL, is_plain = c == '+' || c == '/';
        if (value >= BAD && !is_url) return false;
        if (kind == BASE64_STANDARD ? is_url : is_plain) return false;
        put_six(&w, value & 63);
    }
    usize n = (usize)(w.at - dst);
    u32 left = w.bits & ((1u << w.n_bits) - 1);
    if (left || i % 4 == 1 || s.n != base64_encoded_len(n, kind)) return false;
    for (; i < s.n; i++) {
        if (s.p[i] != '=') return false;
    }
    *ret_n = n;
    return true;
}

#if defined(__x86_64__)
/* Both take blocks of 16 and return how much of the input was used. */
__attribute__((target("ssse3"))) static usize hex_encode_blocks(const u8 *p, usize n, char *dst)
{
    const __m128i digits = _mm_setr_epi8('0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b',
                                         'c', 'd', 'e', 'f');
    const __m128i nibble = _mm_set1_epi8(15);
    usize i = 0;
    for (; i + 16 <= n; i += 16, dst += 32) {
        __m128i in = _mm_loadu_si128((const __m128i *)(const void *)(p + i));
        __m128i high = _mm_shuffle_epi8(digits, _mm_and_si128(_mm_srli_epi16(in, 4), nibble));
        __m128i low = _mm_shuffle_epi8(digits, _mm_and_si128(in, nibble));
        _mm_storeu_si128((__m128i *)(void *)dst, _mm_unpacklo_epi8(high, low));
        _mm_storeu_si128((__m128i *)(void *)(dst + 16), _mm_unpackhi_epi8(high, low));
    }
    return i;
}

__attribute__((target("ssse3"))) static usize hex_decode_blocks(Str s, u8 *dst)
{
    usize i = 0;
    for (; i + 16 <= s.n; i += 16, dst += 8) {
        __m128i in = _mm_loadu_si128((const __m128i *)(const void *)(s.p + i));
        __m128i digit = _mm_sub_epi8(in, _mm_set1_epi8('0'));
        __m128i letter = _mm_sub_epi8(_mm_or_si128(in, _mm_set1_epi8(0x20)), _mm_set1_epi8('a'));
        __m128i is_digit = _mm_cmpeq_epi8(_mm_min_epu8(digit, _mm_set1_epi8(9)), digit);
        __m128i is_letter = _mm_cmpeq_epi8(_mm_min_epu8(letter, _mm_set1_epi8(5)), letter);
        if (_mm_movemask_epi8(_mm_or_si128(is_digit, is_letter)) != 0xffff) break;
        letter = _mm_add_epi8(letter, _mm_set1_epi8(10));
        __m128i value =
            _mm_or_si128(_mm_and_si128(is_digit, digit), _mm_andnot_si128(is_digit, letter));
        __m128i bytes = _mm_maddubs_epi16(value, _mm_set1_epi16(0x0110));
        _mm_storel_epi64((__m128i *)(void *)dst, _mm_packus_epi16(bytes, bytes));
    }
    return i;
}
#endif

usize hex_encode(const u8 *p, usize n, char *dst)
{
    static const char digits[] = "0123456789abcdef";
    usize i = 0;
#if defined(__x86_64__)
    if (n >= 16 && __builtin_cpu_supports("ssse3")) i = hex_encode_blocks(p, n, dst);
#endif
    for (; i < n; i++) {
        dst[2 * i] = digits[p[i] >> 4];
        dst[2 * i + 1] = digits[p[i] & 15];
    }
    return 2 * n;
}

static i32 hex_value(char c)
{
    if (c >= '0' && c <= '9') return c - '0';
    char lower = (char)(c | 0x20);
    return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

usize hex_decode(Str s, u8 *dst)
{
    usize n = 0;
#if defined(__x86_64__)
    if (s.n >= 16 && __builtin_cpu_supports("ssse3")) n = hex_decode_blocks(s, dst) / 2;
#endif
    for (; 2 * n + 1 < s.n; n++) {
        i32 high = hex_value(s.p[2 * n]), low = hex_value(s.p[2 * n + 1]);
        if (high < 0 || low < 0) break;
        dst[n] = (u8)(high << 4 | low);
    }
    return n;
}
