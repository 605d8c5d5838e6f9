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
/* Encodes groups of 12 bytes while 16 may be read; returns the number of bytes used. */
__attribute__((target("ssse3"))) static usize encode_blocks(const u8 *p, usize n, Base64Kind kind,
                                                            char *dst)
{
    const __m128i spread = _mm_setr_epi8(1, 0, 2, 1, 4, 3, 5, 4, 7, 6, 8, 7, 10, 9, 11, 10);
    const char plus = kind == BASE64_URL ? '-' : '+', slash = kind == BASE64_URL ? '_' : '/';
    /* By range: 0 lower case, 1 to 10 digits, 11 and 12 the last two, 13 upper case. */
    const char digit = '0' - 52;
    const __m128i offsets =
        _mm_setr_epi8('a' - 26, digit, digit, digit, digit, digit, digit, digit, digit, digit,
                      digit, (char)(plus - 62), (char)(slash - 63), 'A', 0, 0);
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
#endif

usize base64_encode(const u8 *p, usize n, Base64Kind kind, char *dst)
{
    const char *alphabet = alphabets[kind];
    char *out = dst;
#if defined(__x86_64__)
    if (n >= 16 && __builtin_cpu_supports("ssse3")) {
        usize used = encode_blocks(p, n, kind, out);
        p += used;
        n -= used;
        out += used / 3 * 4;
    }
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

/* Whole groups of four characters of the standard alphabet from the start of s; returns how many
 * characters were used. */
static usize decode_groups(Str s, u8 *dst)
{
    usize i = 0;
    for (; i + 4 <= s.n; i += 4) {
        u32 a = values[(u8)s.p[i]], b = values[(u8)s.p[i + 1]];
        u32 c = values[(u8)s.p[i + 2]], d = values[(u8)s.p[i + 3]];
        if ((a | b | c | d) >= BAD) break;
        u32 v = a << 18 | b << 12 | c << 6 | d;
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
    usize i = decode_groups(s, dst);
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
    /* As many whole groups as surely fit. */
    usize i = decode_groups((Str){s.p, MIN(s.n, cap / 3 * 4)}, dst);
    BitWriter w = {.at = dst + i / 4 * 3};
    const u8 *end = dst + cap;
    for (; i < s.n && w.at < end; i++) {
        u32 value = values[(u8)s.p[i]];
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

usize hex_encode(const u8 *p, usize n, char *dst)
{
    static const char digits[] = "0123456789abcdef";
    for (usize i = 0; i < n; i++) {
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
    for (; 2 * n + 1 < s.n; n++) {
        i32 high = hex_value(s.p[2 * n]), low = hex_value(s.p[2 * n + 1]);
        if (high < 0 || low < 0) break;
        dst[n] = (u8)(high << 4 | low);
    }
    return n;
}
