/* codec/url.c -- the URL parser and serialiser.
 *
 * The standard's state machine reads code points one by one and may go back.  Its states are
 * functions here, each of which takes the whole rest of the text: the fragment can be cut off first
 * ('#' ends every state of a parse without override), then the scheme, then the authority, whose
 * end is the first of a few ASCII characters.  Bytes beyond ASCII are never delimiters and are
 * percent-encoded in every component but a domain, so UTF-8 is read as bytes.
 *
 * A path is kept as it will be printed: each segment behind its '/'.  An empty list is "", a list
 * with one empty segment "/". */
#include "codec/url.h"

#include <string.h>

#include "codec/url_parts.h"

static const struct {
    Str name;
    u32 port;
} schemes[] = {
    [URL_SCHEME_OTHER] = {{NULL, 0}, 0},      [URL_SCHEME_HTTP] = {{"http", 4}, 80},
    [URL_SCHEME_HTTPS] = {{"https", 5}, 443}, [URL_SCHEME_WS] = {{"ws", 2}, 80},
    [URL_SCHEME_WSS] = {{"wss", 3}, 443},     [URL_SCHEME_FTP] = {{"ftp", 3}, 21},
    [URL_SCHEME_FILE] = {{"file", 4}, 0},
};

UrlScheme url_scheme_kind(Str lower)
{
    for (u32 i = 1; i < COUNT(schemes); i++) {
        if (str_eq(schemes[i].name, lower)) return (UrlScheme)i;
    }
    return URL_SCHEME_OTHER;
}

u32 url_default_port(UrlScheme kind)
{
    return schemes[kind].port;
}

/* ---- Pieces of text ----------------------------------------------------------------------------
 */

static bool is_alpha(char c)
{
    return (c | 0x20) >= 'a' && (c | 0x20) <= 'z';
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_slash(char c, bool is_special)
{
    return c == '/' || (is_special && c == '\\');
}

static bool starts_slash(Str s, bool is_special)
{
    return s.n > 0 && is_slash(s.p[0], is_special);
}

static Str trim_controls(Str s)
{
    while (s.n && (u8)s.p[0] <= ' ') s = str_skip(s, 1);
    while (s.n && (u8)s.p[s.n - 1] <= ' ') s.n--;
    return s;
}

static bool is_newline(char c)
{
    return c == '\t' || c == '\n' || c == '\r';
}

/* May `s` have a tab or newline?  Looks at eight bytes at once for any below 0x0e. */
static bool may_have_newline(Str s)
{
    usize i = 0;
    for (; i + 8 <= s.n; i += 8) {
        u64 word;
        memcpy(&word, s.p + i, 8);
        if ((word - 0x0e0e0e0e0e0e0e0e) & ~word & 0x8080808080808080) return true;
    }
    for (; i < s.n; i++) {
        if (is_newline(s.p[i])) return true;
    }
    return false;
}

Str url_strip_newlines(Arena *a, Str s)
{
    if (!may_have_newline(s)) return s;
    usize n = 0;
    for (usize i = 0; i < s.n; i++) n += is_newline(s.p[i]);
    if (!n) return s;
    char *out = arena_alloc_dirty(a, s.n - n, 1);
    usize len = 0;
    for (usize i = 0; i < s.n; i++) {
        if (!is_newline(s.p[i])) out[len++] = s.p[i];
    }
    return (Str){out, len};
}

bool url_take_scheme(Arena *a, Str *s, Str *ret)
{
    if (!s->n || !is_alpha(s->p[0])) return false;
    bool has_upper = false;
    for (usize i = 0; i < s->n; i++) {
        char c = s->p[i];
        if (c == ':') {
            Str name = str_slice(*s, 0, i);
            *ret = has_upper ? str_lower(a, name) : name;
            *s = str_skip(*s, i + 1);
            return true;
        }
        if (!is_alpha(c) && !is_digit(c) && c != '+' && c != '-' && c != '.') return false;
        has_upper |= c >= 'A' && c <= 'Z';
    }
    return false;
}

bool url_is_drive_letter(Str s)
{
    return s.n == 2 && is_alpha(s.p[0]) && (s.p[1] == ':' || s.p[1] == '|');
}

static bool starts_with_drive_letter(Str s)
{
    if (!url_is_drive_letter(str_slice(s, 0, 2))) return false;
    return s.n == 2 || memchr("/\\?#", s.p[2], 4);
}

usize url_authority_len(Str s, bool is_special)
{
    for (usize i = 0; i < s.n; i++) {
        char c = s.p[i];
        if (c == '/' || c == '?' || c == '#' || (is_special && c == '\\')) return i;
    }
    return s.n;
}

usize url_port_colon(Str s)
{
    bool is_inside = false;
    for (usize i = 0; i < s.n; i++) {
        if (s.p[i] == '[') is_inside = true;
        if (s.p[i] == ']') is_inside = false;
        if (s.p[i] == ':' && !is_inside) return i;
    }
    return s.n;
}

bool url_take_port(Str s, UrlScheme kind, i32 *ret, usize *ret_digits)
{
    u32 port = 0;
    usize i = 0;
    for (; i < s.n && is_digit(s.p[i]); i++) {
        port = port * 10 + (u32)(s.p[i] - '0');
        if (port > 65535) return false;
    }
    *ret_digits = i;
    if (i) *ret = port == url_default_port(kind) && port ? URL_NO_PORT : (i32)port;
    return true;
}

/* ---- Paths -------------------------------------------------------------------------------------
 */

/* Length of the first of "." and "%2e" at s, or 0. */
static usize dot_len(Str s)
{
    if (s.n && s.p[0] == '.') return 1;
    if (s.n >= 3 && s.p[0] == '%' && s.p[1] == '2' && (s.p[2] | 0x20) == 'e') return 3;
    return 0;
}

/* 1 for ".", 2 for "..", else 0. */
static u32 count_dots(Str segment)
{
    usize first = dot_len(segment);
    if (!first) return 0;
    if (first == segment.n) return 1;
    usize second = dot_len(str_skip(segment, first));
    return second && first + second == segment.n ? 2 : 0;
}

/* "Shorten a url's path". */
static void shorten(UrlParts *u)
{
    bool is_drive = u->kind == URL_SCHEME_FILE && u->path.n == 3 && is_alpha(u->path.p[1]) &&
                    u->path.p[2] == ':';
    if (is_drive) return;
    i64 slash = str_rfind(u->path, '/');
    u->path.n = slash < 0 ? 0 : (usize)slash;
}

static void push_segment(char *out, UrlParts *u, Str segment, bool fix_drive)
{
    usize start = u->path.n;
    out[u->path.n++] = '/';
    if (segment.n) memcpy(out + u->path.n, segment.p, segment.n);
    if (fix_drive && start == 0 && url_is_drive_letter(segment)) out[u->path.n + 1] = ':';
    u->path.n += segment.n;
}

void url_append_path(Arena *a, UrlParts *u, Str s)
{
    bool is_special = u->kind != URL_SCHEME_OTHER;
    s = url_percent_encode(a, s, URL_SET_PATH);
    char *out = arena_alloc_dirty(a, u->path.n + s.n + 2, 1);
    if (u->path.n) memcpy(out, u->path.p, u->path.n);
    u->path.p = out;
    for (usize i = 0;; i++) {
        usize start = i;
        while (i < s.n && !is_slash(s.p[i], is_special)) i++;
        Str segment = str_slice(s, start, i);
        bool is_last = i >= s.n;
        u32 n_dots = count_dots(segment);
        if (n_dots == 2) shorten(u);
        if (n_dots) {
            if (is_last) push_segment(out, u, S(""), false);
        } else {
            push_segment(out, u, segment, u->kind == URL_SCHEME_FILE);
        }
        if (is_last) break;
    }
}

/* The path start state: `s` begins behind the authority and has no query. */
static void start_path(Arena *a, UrlParts *u, Str s)
{
    bool is_special = u->kind != URL_SCHEME_OTHER;
    if (!s.n && !is_special) return;
    if (starts_slash(s, is_special)) s = str_skip(s, 1);
    url_append_path(a, u, s);
}

/* Spaces stay in an opaque path, but for one that a '?' or '#' follows. */
static Str opaque_path(Arena *a, Str s, bool is_followed)
{
    if (!is_followed || !s.n || s.p[s.n - 1] != ' ') return url_percent_encode(a, s, URL_SET_C0);
    s.n--;
    return str_concat(a, url_percent_encode(a, s, URL_SET_C0), S("%20"));
}

/* ---- Authority ---------------------------------------------------------------------------------
 */

/* user:pass@ */
static void parse_credentials(Arena *a, UrlParts *u, Str s)
{
    Str user, password;
    str_cut(s, ':', &user, &password);
    u->username = url_percent_encode(a, user, URL_SET_USERINFO);
    u->password = url_percent_encode(a, password, URL_SET_USERINFO);
}

static bool parse_authority(Arena *a, UrlParts *u, Str s)
{
    bool is_special = u->kind != URL_SCHEME_OTHER;
    i64 at = str_rfind(s, '@');
    if (at >= 0) {
        parse_credentials(a, u, str_slice(s, 0, (usize)at));
        s = str_skip(s, (usize)at + 1);
        if (!s.n) return false;
    }
    usize colon = url_port_colon(s);
    Str host = str_slice(s, 0, colon);
    if (!host.n && (is_special || colon < s.n)) return false;
    if (!url_host_parse(a, host, !is_special, &u->host)) return false;
    u->has_host = true;
    if (colon == s.n) return true;
    usize n_digits;
    Str port = str_skip(s, colon + 1);
    return url_take_port(port, u->kind, &u->port, &n_digits) && n_digits == port.n;
}

/* "//" has been read: authority, then path. */
static bool parse_authority_path(Arena *a, UrlParts *u, Str s)
{
    usize len = url_authority_len(s, u->kind != URL_SCHEME_OTHER);
    if (!parse_authority(a, u, str_slice(s, 0, len))) return false;
    start_path(a, u, str_skip(s, len));
    return true;
}

static bool parse_special_authority(Arena *a, UrlParts *u, Str s)
{
    while (starts_slash(s, true)) s = str_skip(s, 1);
    return parse_authority_path(a, u, s);
}

/* ---- Relative references -----------------------------------------------------------------------
 */

static void copy_authority(UrlParts *u, const UrlParts *base)
{
    u->username = base->username;
    u->password = base->password;
    u->host = base->host;
    u->has_host = base->has_host;
    u->port = base->port;
}

static void copy_query(UrlParts *u, const UrlParts *base)
{
    u->query = base->query;
    u->has_query = base->has_query;
}

static bool parse_relative(Arena *a, UrlParts *u, const UrlParts *base, Str s)
{
    bool is_special = u->kind != URL_SCHEME_OTHER;
    if (starts_slash(s, is_special)) {
        s = str_skip(s, 1);
        if (is_special && starts_slash(s, true)) return parse_special_authority(a, u, s);
        if (starts_slash(s, false)) return parse_authority_path(a, u, str_skip(s, 1));
        copy_authority(u, base);
        url_append_path(a, u, s);
        return true;
    }
    copy_authority(u, base);
    u->path = base->path;
    if (s.n) {
        shorten(u);
        url_append_path(a, u, s);
    } else if (!u->has_query) {
        copy_query(u, base);
    }
    return true;
}

/* The file host state: "file://" has been read. */
static bool parse_file_host(Arena *a, UrlParts *u, Str s)
{
    usize len = url_authority_len(s, true);
    Str host = str_slice(s, 0, len);
    if (url_is_drive_letter(host)) {
        url_append_path(a, u, s);
        return true;
    }
    if (host.n) {
        if (!url_host_parse(a, host, false, &u->host)) return false;
        if (str_eq(u->host, S("localhost"))) u->host = S("");
    }
    start_path(a, u, str_skip(s, len));
    return true;
}

static bool parse_file(Arena *a, UrlParts *u, const UrlParts *base, Str s)
{
    u->has_host = true;
    bool has_base = base && base->kind == URL_SCHEME_FILE;
    if (starts_slash(s, true)) {
        s = str_skip(s, 1);
        if (starts_slash(s, true)) return parse_file_host(a, u, str_skip(s, 1));
        if (has_base) {
            u->host = base->host;
            Str drive = str_slice(base->path, 0, 3);
            bool is_drive = drive.n == 3 && is_alpha(drive.p[1]) && drive.p[2] == ':' &&
                            (base->path.n == 3 || base->path.p[3] == '/');
            if (is_drive && !starts_with_drive_letter(s)) u->path = drive;
        }
        url_append_path(a, u, s);
        return true;
    }
    if (!has_base) {
        url_append_path(a, u, s);
        return true;
    }
    u->host = base->host;
    if (!s.n) {
        u->path = base->path;
        if (!u->has_query) copy_query(u, base);
        return true;
    }
    if (!starts_with_drive_letter(s)) {
        u->path = base->path;
        shorten(u);
    }
    url_append_path(a, u, s);
    return true;
}

/* ---- The whole ---------------------------------------------------------------------------------
 */

/* What follows a scheme and its ':'. */
static bool parse_after_scheme(Arena *a, UrlParts *u, const UrlParts *base, Str s)
{
    u->kind = url_scheme_kind(u->scheme);
    if (u->kind == URL_SCHEME_FILE) return parse_file(a, u, base, s);
    if (u->kind != URL_SCHEME_OTHER) {
        bool is_relative = base && base->kind == u->kind && !str_starts(s, S("//"));
        return is_relative ? parse_relative(a, u, base, s) : parse_special_authority(a, u, s);
    }
    if (str_starts(s, S("//"))) return parse_authority_path(a, u, str_skip(s, 2));
    if (starts_slash(s, false)) {
        url_append_path(a, u, str_skip(s, 1));
        return true;
    }
    u->has_opaque_path = true;
    u->path = opaque_path(a, s, u->has_query || u->has_fragment);
    return true;
}

/* No scheme of its own: everything comes from the base. */
static bool parse_without_scheme(Arena *a, UrlParts *u, const UrlParts *base, Str s)
{
    if (!base) return false;
    u->scheme = base->scheme;
    u->kind = base->kind;
    if (base->has_opaque_path) {
        if (s.n || u->has_query || !u->has_fragment) return false;
        u->has_opaque_path = true;
        u->path = base->path;
        copy_query(u, base);
        return true;
    }
    if (u->kind == URL_SCHEME_FILE) return parse_file(a, u, base, s);
    return parse_relative(a, u, base, s);
}

bool url_parse(Arena *a, Str input, const Url *base, Url *ret)
{
    if (input.n > URL_INPUT_MAX) return false;
    if (url_parse_plain(input, ret)) return true;
    UrlParts base_parts, u = {.port = URL_NO_PORT};
    if (base) base_parts = url_split(base);
    const UrlParts *b = base ? &base_parts : NULL;
    Str s = url_strip_newlines(a, trim_controls(input));
    u.has_fragment = str_cut(s, '#', &s, &u.fragment);
    u.fragment = url_percent_encode(a, u.fragment, URL_SET_FRAGMENT);
    bool has_scheme = url_take_scheme(a, &s, &u.scheme);
    u.has_query = str_cut(s, '?', &s, &u.query);
    bool ok = has_scheme ? parse_after_scheme(a, &u, b, s) : parse_without_scheme(a, &u, b, s);
    if (!ok) return false;
    UrlSet set = u.kind == URL_SCHEME_OTHER ? URL_SET_QUERY : URL_SET_SPECIAL_QUERY;
    u.query = url_percent_encode(a, u.query, set);
    *ret = url_join(a, &u);
    return true;
}

/* ---- Joining and splitting
 * ------------------------------------------------------------------------ */

typedef struct {
    char *p;
    usize n;
} Writer;

static u32 put(Writer *w, Str s)
{
    if (s.n) memcpy(w->p + w->n, s.p, s.n);
    w->n += s.n;
    return (u32)w->n;
}

static void put_authority(Writer *w, const UrlParts *u, Url *url)
{
    put(w, S("//"));
    url->user_end = put(w, u->username);
    if (u->password.n) {
        put(w, S(":"));
        put(w, u->password);
    }
    url->credentials_end = (u32)w->n;
    if (u->username.n || u->password.n) put(w, S("@"));
    url->host_start = (u32)w->n;
    url->host_end = put(w, u->host);
    if (u->port != URL_NO_PORT) {
        char digits[8];
        usize n = 0;
        u32 port = (u32)u->port;
        do {
            digits[sizeof(digits) - ++n] = (char)('0' + port % 10);
            port /= 10;
        } while (port);
        put(w, S(":"));
        put(w, (Str){digits + sizeof(digits) - n, n});
    }
    url->port_end = (u32)w->n;
}

Url url_join(Arena *a, const UrlParts *u)
{
    usize max = u->scheme.n + u->username.n + u->password.n + u->host.n + u->path.n + u->query.n +
                u->fragment.n + 24;
    ASSERT(max <= UINT32_MAX);
    Writer w = {arena_alloc_dirty(a, max, 1), 0};
    Url url = {
        .scheme = u->kind,
        .has_host = u->has_host,
        .has_opaque_path = u->has_opaque_path,
    };
    put(&w, u->scheme);
    url.protocol_end = put(&w, S(":"));
    url.user_end = url.credentials_end = url.host_start = url.host_end = url.port_end =
        url.protocol_end;
    if (u->has_host) {
        put_authority(&w, u, &url);
    } else if (!u->has_opaque_path && str_starts(u->path, S("//"))) {
        put(&w, S("/."));
    }
    url.path_start = (u32)w.n;
    url.search_start = put(&w, u->path);
    if (u->has_query) put(&w, S("?"));
    url.hash_start = put(&w, u->query);
    if (u->has_fragment) put(&w, S("#"));
    put(&w, u->fragment);
    url.href = (Str){w.p, w.n};
    return url;
}

UrlParts url_split(const Url *url)
{
    UrlParts u = {
        .scheme = url_scheme_name(url),
        .kind = url->scheme,
        .username = url_username(url),
        .password = url_password(url),
        .host = url_hostname(url),
        .has_host = url->has_host,
        .port = URL_NO_PORT,
        .path = url_path(url),
        .has_opaque_path = url->has_opaque_path,
        .query = str_skip(url_search(url), 1),
        .has_query = url->hash_start > url->search_start,
        .fragment = str_skip(url_hash(url), 1),
        .has_fragment = url->href.n > url->hash_start,
    };
    u64 port;
    Str digits = str_slice(url->href, url->host_end + 1, url->port_end);
    if (digits.n && str_to_u64(digits, &port)) u.port = (i32)port;
    return u;
}

/* ---- Views -------------------------------------------------------------------------------------
 */

bool url_is_special(const Url *url)
{
    return url->scheme != URL_SCHEME_OTHER;
}

Str url_scheme_name(const Url *url)
{
    return str_slice(url->href, 0, url->protocol_end - 1);
}

Str url_username(const Url *url)
{
    if (!url->has_host) return S("");
    return str_slice(url->href, url->protocol_end + 2, url->user_end);
}

Str url_password(const Url *url)
{
    if (url->credentials_end <= url->user_end) return S("");
    return str_slice(url->href, url->user_end + 1, url->credentials_end);
}

Str url_hostname(const Url *url)
{
    return str_slice(url->href, url->host_start, url->host_end);
}

Str url_host(const Url *url)
{
    return str_slice(url->href, url->host_start, url->port_end);
}

u32 url_port(const Url *url)
{
    u64 port;
    Str digits = str_slice(url->href, url->host_end + 1, url->port_end);
    if (digits.n && str_to_u64(digits, &port)) return (u32)port;
    return url_default_port(url->scheme);
}

Str url_path(const Url *url)
{
    return str_slice(url->href, url->path_start, url->search_start);
}

Str url_search(const Url *url)
{
    return str_slice(url->href, url->search_start, url->hash_start);
}

Str url_hash(const Url *url)
{
    return str_skip(url->href, url->hash_start);
}

Str url_origin(Arena *a, const Url *url)
{
    Url inner;
    if (str_eq(url_scheme_name(url), S("blob")) && url_parse(a, url_path(url), NULL, &inner)) {
        bool is_http = inner.scheme == URL_SCHEME_HTTP || inner.scheme == URL_SCHEME_HTTPS;
        return is_http ? url_origin(a, &inner) : S("null");
    }
    if (!url_is_special(url) || url->scheme == URL_SCHEME_FILE) return S("null");
    return str_fmt(a, "%.*s//%.*s", (int)url->protocol_end, url->href.p, STR_ARG(url_host(url)));
}
