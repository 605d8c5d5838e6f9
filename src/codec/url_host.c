/* codec/url_host.c -- the host parser: domains, IPv4, IPv6 and opaque hosts
 * (https://url.spec.whatwg.org/#host-parsing). */
#include "codec/url.h"

#include <string.h>

#include "codec/url_idna.h"
#include "codec/utf.h"

/* ---- Code points that a host may not have ------------------------------------------------------
 */

enum {
    FORBIDDEN_HOST = 1,
    FORBIDDEN_DOMAIN = 2, /* includes the ones above */
    UPPER = 4,
    NOT_PLAIN = 8, /* a domain with one needs more than lower case: '%' and bytes beyond ASCII */
};

static const u8 host_bits[256] = {
    [0] = 3,    [1 ... 8] = 2,       ['\t'] = 3, ['\n'] = 3,          [0x0b ... 0x0c] = 2,
    ['\r'] = 3, [0x0e ... 0x1f] = 2, [' '] = 3,  ['#'] = 3,           ['%'] = 2 | 8,
    ['/'] = 3,  [':'] = 3,           ['<'] = 3,  ['>'] = 3,           ['?'] = 3,
    ['@'] = 3,  ['A' ... 'Z'] = 4,   ['['] = 3,  ['\\'] = 3,          [']'] = 3,
    ['^'] = 3,  ['|'] = 3,           [0x7f] = 2, [0x80 ... 0xff] = 8,
};

/* The union of the bits of all characters. */
static u32 host_bits_of(Str s)
{
    u32 bits = 0;
    for (usize i = 0; i < s.n; i++) bits |= host_bits[(u8)s.p[i]];
    return bits;
}

/* ---- IPv6 --------------------------------------------------------------------------------------
 */

static i32 hex_digit(char c)
{
    if (c >= '0' && c <= '9') return c - '0';
    char lower = (char)(c | 0x20);
    return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

/* The dotted decimal end of an address into two pieces; all of `s` must be used. */
static bool parse_ipv6_dotted(Str s, u16 ret[2])
{
    u32 bytes[4];
    usize at = 0;
    for (u32 i = 0; i < 4; i++) {
        if (i > 0 && (at >= s.n || s.p[at++] != '.')) return false;
        if (at >= s.n || s.p[at] < '0' || s.p[at] > '9') return false;
        u32 value = (u32)(s.p[at++] - '0');
        while (at < s.n && s.p[at] >= '0' && s.p[at] <= '9') {
            if (value == 0) return false;
            value = value * 10 + (u32)(s.p[at++] - '0');
            if (value > 255) return false;
        }
        bytes[i] = value;
    }
    if (at != s.n) return false;
    ret[0] = (u16)(bytes[0] << 8 | bytes[1]);
    ret[1] = (u16)(bytes[2] << 8 | bytes[3]);
    return true;
}

/* Moves the pieces behind the "::" to the end. */
static bool spread_pieces(u16 pieces[8], u32 n, i32 compress)
{
    if (compress < 0) return n == 8;
    u32 n_tail = n - (u32)compress;
    for (u32 i = 0; i < n_tail; i++) {
        u16 piece = pieces[n - 1 - i];
        pieces[n - 1 - i] = 0;
        pieces[7 - i] = piece;
    }
    return true;
}

/* One piece and the ':' behind it, or the dotted end, from *s. */
static bool take_ipv6_piece(Str *s, u16 pieces[8], u32 *n)
{
    u32 value = 0;
    usize len = 0;
    while (len < s->n && len < 4 && hex_digit(s->p[len]) >= 0) {
        value = value * 16 + (u32)hex_digit(s->p[len++]);
    }
    char next = len < s->n ? s->p[len] : 0;
    if (next == '.') {
        if (len == 0 || *n > 6 || !parse_ipv6_dotted(*s, &pieces[*n])) return false;
        *n += 2;
        *s = (Str){0};
        return true;
    }
    pieces[(*n)++] = (u16)value;
    if (len == s->n) {
        *s = (Str){0};
        return true;
    }
    *s = str_skip(*s, len + 1);
    return next == ':' && s->n > 0;
}

static bool parse_ipv6(Str s, u16 pieces[8])
{
    u32 n = 0;
    i32 compress = -1;
    memset(pieces, 0, 8 * sizeof(pieces[0]));
    if (str_starts(s, S(":"))) {
        if (!str_starts(s, S("::"))) return false;
        s = str_skip(s, 2);
        compress = 0;
    }
    while (s.n) {
        if (n == 8) return false;
        if (s.p[0] != ':') {
            if (!take_ipv6_piece(&s, pieces, &n)) return false;
        } else if (compress >= 0) {
            return false;
        } else {
            s = str_skip(s, 1);
            compress = (i32)n;
        }
    }
    return spread_pieces(pieces, n, compress) && (compress < 0 || n < 8);
}

/* The first of the longest runs of two or more zero pieces, or 8. */
static u32 find_compress(const u16 pieces[8])
{
    u32 best = 8, best_len = 1;
    for (u32 i = 0; i < 8;) {
        u32 len = 0;
        while (i + len < 8 && pieces[i + len] == 0) len++;
        if (len > best_len) {
            best = i;
            best_len = len;
        }
        i += len ? len : 1;
    }
    return best;
}

static Str print_ipv6(Arena *a, const u16 pieces[8])
{
    enum { LEN_MAX = 2 + 8 * 4 + 7 };
    char *out = arena_alloc(a, LEN_MAX, 1);
    usize len = 0;
    u32 compress = find_compress(pieces);
    out[len++] = '[';
    for (u32 i = 0; i < 8; i++) {
        if (i == compress) {
            out[len++] = ':';
            if (i == 0) out[len++] = ':';
            while (i < 8 && pieces[i] == 0) i++;
            if (i == 8) break;
        }
        for (i32 shift = 12; shift >= 0; shift -= 4) {
            if (shift && pieces[i] >> shift == 0) continue;
            out[len++] = "0123456789abcdef"[pieces[i] >> shift & 15];
        }
        if (i < 7) out[len++] = ':';
    }
    out[len++] = ']';
    return (Str){out, len};
}

/* ---- IPv4 --------------------------------------------------------------------------------------
 */

/* A number in decimal, octal (leading 0) or hexadecimal (leading 0x); saturates above 32 bits. */
static bool parse_ipv4_number(Str s, u64 *ret)
{
    if (!s.n) return false;
    u32 base = 10;
    if (s.n >= 2 && s.p[0] == '0' && (s.p[1] | 0x20) == 'x') {
        base = 16;
        s = str_skip(s, 2);
    } else if (s.n >= 2 && s.p[0] == '0') {
        base = 8;
        s = str_skip(s, 1);
    }
    u64 value = 0;
    for (usize i = 0; i < s.n; i++) {
        i32 digit = hex_digit(s.p[i]);
        if (digit < 0 || (u32)digit >= base) return false;
        if (value <= UINT32_MAX) value = value * base + (u32)digit;
    }
    *ret = value;
    return true;
}

static bool is_digits(Str s)
{
    for (usize i = 0; i < s.n; i++) {
        if (s.p[i] < '0' || s.p[i] > '9') return false;
    }
    return s.n > 0;
}

/* Is the last label, not counting an empty one, a number?  Then the host is an IPv4 address or
 * wrong. */
static bool ends_in_number(Str s)
{
    if (s.n && s.p[s.n - 1] == '.') s.n--;
    Str last = str_skip(s, (usize)(str_rfind(s, '.') + 1));
    u64 unused;
    return is_digits(last) || parse_ipv4_number(last, &unused);
}

static bool parse_ipv4(Arena *a, Str s, Str *ret)
{
    if (s.n && s.p[s.n - 1] == '.') s.n--;
    u64 parts[4], address = 0;
    u32 n = 0;
    Str piece, rest = s;
    while (str_next(&rest, '.', &piece)) {
        if (n == 4 || !parse_ipv4_number(piece, &parts[n])) return false;
        n++;
    }
    if (n == 0) return false;
    for (u32 i = 0; i + 1 < n; i++) {
        if (parts[i] > 255) return false;
        address |= parts[i] << (24 - 8 * i);
    }
    if (parts[n - 1] >= (u64)1 << (8 * (5 - n))) return false;
    address |= parts[n - 1];
    char *out = arena_alloc_dirty(a, sizeof("255.255.255.255"), 1);
    usize len = 0;
    for (i32 shift = 24; shift >= 0; shift -= 8) {
        u32 byte = (u32)(address >> shift) & 255;
        if (byte >= 100) out[len++] = (char)('0' + byte / 100);
        if (byte >= 10) out[len++] = (char)('0' + byte / 10 % 10);
        out[len++] = (char)('0' + byte % 10);
        if (shift) out[len++] = '.';
    }
    *ret = (Str){out, len};
    return true;
}

/* ---- Domains -----------------------------------------------------------------------------------
 */

static bool has_xn_label(Str s)
{
    for (usize i = 0; i + 4 <= s.n; i++) {
        if ((i == 0 || s.p[i - 1] == '.') && url_starts_with_xn(str_skip(s, i))) return true;
    }
    return false;
}

/* Does UTS #46 do no more than lower the case?  `bits` are the host_bits_of(s). */
static bool is_plain_domain(Str s, u32 bits)
{
    return !(bits & NOT_PLAIN) && !has_xn_label(s);
}

static Str lower_domain(Arena *a, Str s, u32 bits)
{
    return bits & UPPER ? str_lower(a, s) : s;
}

bool url_domain_to_ascii(Arena *a, Str domain, Str *ret)
{
    u32 bits = host_bits_of(domain);
    if (!is_plain_domain(domain, bits)) return url_idna_to_ascii(a, domain, ret);
    *ret = lower_domain(a, domain, bits);
    return domain.n > 0;
}

Str url_domain_to_unicode(Arena *a, Str domain)
{
    u32 bits = host_bits_of(domain);
    if (is_plain_domain(domain, bits)) return lower_domain(a, domain, bits);
    return url_idna_to_unicode(a, domain);
}

/* Ill-formed UTF-8 (from percent-decoding) with U+FFFD in place of what is wrong. */
static Str make_valid(Arena *a, Str s)
{
    if (utf8_is_valid(s)) return s;
    char *out = arena_alloc_dirty(a, s.n * 3, 1);
    usize len = 0;
    while (s.n) {
        usize n;
        u32 c = utf8_decode(s, &n);
        bool is_bad = c == 0xfffd;
        memcpy(out + len, is_bad ? "\xef\xbf\xbd" : s.p, is_bad ? 3 : n);
        len += is_bad ? 3 : n;
        s = str_skip(s, n);
    }
    return (Str){out, len};
}

bool url_host_parse(Arena *a, Str input, bool is_opaque, Str *ret)
{
    if (input.n && input.p[0] == '[') {
        u16 pieces[8];
        if (input.p[input.n - 1] != ']' || input.n < 2) return false;
        if (!parse_ipv6(str_slice(input, 1, input.n - 1), pieces)) return false;
        *ret = print_ipv6(a, pieces);
        return true;
    }
    u32 bits = host_bits_of(input);
    if (is_opaque) {
        if (bits & FORBIDDEN_HOST) return false;
        *ret = url_percent_encode(a, input, URL_SET_C0);
        return true;
    }
    Str ascii = input;
    if (bits & NOT_PLAIN) {
        ascii = make_valid(a, url_percent_decode(a, input));
        bits = 0;
    }
    if (!url_domain_to_ascii(a, ascii, &ascii)) return false;
    if ((bits ? bits : host_bits_of(ascii)) & FORBIDDEN_DOMAIN) return false;
    if (ends_in_number(ascii)) return parse_ipv4(a, ascii, ret);
    *ret = ascii;
    return true;
}
