/* resolve/resolve_url.c -- the little of URLs that file paths in specifiers need
 * (https://url.spec.whatwg.org: the path, query and fragment states of a file URL). */
#include "resolve/resolve_priv.h"

usize resolve_url_scheme(Str s)
{
    for (usize i = 0; i < s.n; i++) {
        char c = s.p[i];
        bool is_alpha = (c | 0x20) >= 'a' && (c | 0x20) <= 'z';
        bool is_other = (c >= '0' && c <= '9') || c == '+' || c == '-' || c == '.';
        if (c == ':') return i ? i + 1 : 0;
        if (!is_alpha && (!i || !is_other)) return 0;
    }
    return 0;
}

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9') return c - '0';
    c |= 0x20;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Drops what the URL parser drops: control characters and spaces around, tabs and newlines inside.
 */
static Str url_strip(Arena *a, Str text)
{
    while (text.n && (u8)text.p[0] <= ' ') text = str_skip(text, 1);
    while (text.n && (u8)text.p[text.n - 1] <= ' ') text.n--;
    if (str_find(text, '\n') < 0 && str_find(text, '\t') < 0 && str_find(text, '\r') < 0)
        return text;
    char *out = arena_alloc_dirty(a, text.n, 1);
    usize n = 0;
    for (usize i = 0; i < text.n; i++) {
        char c = text.p[i];
        if (c != '\n' && c != '\t' && c != '\r') out[n++] = c;
    }
    return (Str){out, n};
}

bool resolve_url_split(Arena *a, Str text, Str *ret_path, Str *ret_suffix)
{
    text = url_strip(a, text);
    usize end = 0;
    while (end < text.n && text.p[end] != '?' && text.p[end] != '#') end++;
    char *out = arena_alloc_dirty(a, end + 1, 1);
    usize n = 0;
    for (usize i = 0; i < end; i++) {
        char c = text.p[i];
        int high = -1, low = -1;
        if (c == '%' && end - i > 2) {
            high = hex_digit(text.p[i + 1]);
            low = hex_digit(text.p[i + 2]);
        }
        if (high >= 0 && low >= 0) {
            c = (char)(high * 16 + low);
            if (c == '/' || c == '\\') return false;
            i += 2;
        } else if (c == '\\') {
            c = '/';
        }
        out[n++] = c;
    }
    *ret_path = (Str){out, n};
    *ret_suffix = str_skip(text, end);
    return true;
}
