/* codec/url_percent.c -- percent-encode sets, encoding and decoding. */
#include "codec/url.h"

#include "codec/url_parts.h"

/* https://url.spec.whatwg.org/#percent-encoded-bytes */
const u8 url_set_bits[128] = {
    0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
    0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
    0xfe, 0x80, 0xfe, 0xfc, 0xc0, 0xc0, 0xc0, 0x88, 0x80, 0x80, 0x00, 0xc0, 0xc0, 0x00, 0x00, 0xe0,
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0xe0, 0xe0, 0xfe, 0xe0, 0xfe, 0xf0,
    0xe0, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0xe0, 0xe0, 0xe0, 0xf0, 0x00,
    0xf2, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0xf0, 0xe0, 0xf0, 0x80, 0xff,
};

static const char hex_upper[] = "0123456789ABCDEF";

bool url_set_has(UrlSet set, u8 c)
{
    return url_must_encode(set, c);
}

static usize count_encoded(Str s, UrlSet set)
{
    usize n = 0;
    for (usize i = 0; i < s.n; i++) n += url_must_encode(set, (u8)s.p[i]);
    return n;
}

/* With `is_form` a space becomes '+'. */
static Str encode(Arena *a, Str s, UrlSet set, bool is_form)
{
    usize n = count_encoded(s, set);
    if (!n) return s;
    char *out = arena_alloc_dirty(a, s.n + 2 * n, 1);
    usize len = 0;
    for (usize i = 0; i < s.n; i++) {
        u8 c = (u8)s.p[i];
        if (!url_must_encode(set, c)) {
            out[len++] = (char)c;
        } else if (is_form && c == ' ') {
            out[len++] = '+';
        } else {
            out[len++] = '%';
            out[len++] = hex_upper[c >> 4];
            out[len++] = hex_upper[c & 15];
        }
    }
    return (Str){out, len};
}

Str url_percent_encode(Arena *a, Str s, UrlSet set)
{
    return encode(a, s, set, false);
}

Str url_form_encode(Arena *a, Str s)
{
    return encode(a, s, URL_SET_FORM, true);
}

static i32 hex_value(char c)
{
    if (c >= '0' && c <= '9') return c - '0';
    char lower = (char)(c | 0x20);
    return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

static Str decode(Arena *a, Str s, bool is_form)
{
    if (!s.n || (str_find(s, '%') < 0 && (!is_form || str_find(s, '+') < 0))) return s;
    char *out = arena_alloc_dirty(a, s.n, 1);
    usize len = 0;
    for (usize i = 0; i < s.n; i++) {
        char c = s.p[i];
        if (is_form && c == '+') c = ' ';
        if (c == '%' && i + 2 < s.n) {
            i32 high = hex_value(s.p[i + 1]), low = hex_value(s.p[i + 2]);
            if (high >= 0 && low >= 0) {
                c = (char)(high << 4 | low);
                i += 2;
            }
        }
        out[len++] = c;
    }
    return (Str){out, len};
}

Str url_percent_decode(Arena *a, Str s)
{
    return decode(a, s, false);
}

Str url_form_decode(Arena *a, Str s)
{
    return decode(a, s, true);
}
