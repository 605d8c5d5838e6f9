/* codec/url_plain.c -- http: and https: URLs that are already as the parser would leave them.
 *
 * Nearly all that servers and programs parse is; telling takes one look at each character.  What
 * is not plain here may still be a URL. */
#include "codec/url.h"

#include "codec/url_parts.h"

/* "http" or "https" and "://"; its length, or 0. */
static usize take_scheme(Str s, Url *url)
{
    if (str_starts(s, S("http://"))) {
        url->scheme = URL_SCHEME_HTTP;
        return 7;
    }
    if (!str_starts(s, S("https://"))) return 0;
    url->scheme = URL_SCHEME_HTTPS;
    return 8;
}

/* Four numbers up to 255 without leading zeros. */
static bool is_address(Str s)
{
    usize i = 0;
    for (u32 n = 0; n < 4; n++) {
        usize start = i;
        u32 value = 0;
        while (i < s.n && i - start < 3 && s.p[i] >= '0' && s.p[i] <= '9')
            value = value * 10 + (u32)(s.p[i++] - '0');
        if (i == start || value > 255 || (s.p[start] == '0' && i - start > 1)) return false;
        if (n < 3 && (i == s.n || s.p[i++] != '.')) return false;
    }
    return i == s.n;
}

/* Lower-case letters, digits, '-' and '.'.  A last label that starts with a digit may be a number
 * in one of its forms; "xn--" may be wrong. */
static bool is_host(Str s)
{
    usize label = 0;
    for (usize i = 0; i < s.n; i++) {
        char c = s.p[i];
        bool is_letter = c >= 'a' && c <= 'z';
        if (!is_letter && !(c >= '0' && c <= '9') && c != '-' && c != '.') return false;
        if (c == '.' && i + 1 < s.n) label = i + 1;
        if (c == '-' && i && s.p[i - 1] == '-') return false;
    }
    if (!s.n) return false;
    char first = s.p[label];
    return first >= '0' && first <= '9' ? is_address(s) : first != '.';
}

/* Not the scheme's own, without leading zeros; empty when there is none. */
static bool is_port(Str s, UrlScheme scheme)
{
    if (!s.n || s.n > 5 || s.p[0] == '0') return false;
    u32 value = 0;
    for (usize i = 0; i < s.n; i++) {
        if (s.p[i] < '0' || s.p[i] > '9') return false;
        value = value * 10 + (u32)(s.p[i] - '0');
    }
    return value <= 65535 && value != (scheme == URL_SCHEME_HTTP ? 80 : 443);
}

/* "/." may be a step, and so may "%2e". */
static bool may_be_step(Str s, usize i)
{
    char before = s.p[i - 1];
    if (s.p[i] == '.') return before == '/';
    return i + 1 < s.n && s.p[i + 1] == '2' && (before == '/' || before == '.');
}

/* The end of the path that begins at `i`, or 0 when something in it would be changed. */
static usize path_end(Str s, usize i)
{
    for (; i < s.n; i++) {
        char c = s.p[i];
        if (url_must_encode(URL_SET_PATH, (u8)c)) return c == '?' || c == '#' ? i : 0;
        if (c == '\\' || ((c == '.' || c == '%') && may_be_step(s, i))) return 0;
    }
    return i;
}

/* Where the first character from `i` on is that must be encoded. */
static usize clean_end(Str s, usize i, UrlSet set)
{
    while (i < s.n && !url_must_encode(set, (u8)s.p[i])) i++;
    return i;
}

bool url_parse_plain(Str s, Url *ret)
{
    Url url = {.href = s, .has_host = true};
    usize start = take_scheme(s, &url), end = start;
    if (!start || s.n > URL_INPUT_MAX) return false;
    usize colon = 0;
    while (end < s.n && s.p[end] != '/') {
        if (s.p[end] == ':' && !colon) colon = end;
        end++;
    }
    if (end == s.n) return false;
    usize host_end = colon ? colon : end;
    if (!is_host(str_slice(s, start, host_end))) return false;
    if (colon && !is_port(str_slice(s, colon + 1, end), url.scheme)) return false;
    usize search = path_end(s, end);
    if (!search) return false;
    usize hash = clean_end(s, search, URL_SET_SPECIAL_QUERY);
    if (hash < s.n && (s.p[hash] != '#' || clean_end(s, hash + 1, URL_SET_FRAGMENT) < s.n))
        return false;
    /* An empty query or fragment is kept as it is. */
    url.protocol_end = (u32)start - 2;
    url.user_end = url.credentials_end = url.host_start = (u32)start;
    url.host_end = (u32)host_end;
    url.port_end = url.path_start = (u32)end;
    url.search_start = (u32)search;
    url.hash_start = (u32)hash;
    *ret = url;
    return true;
}
