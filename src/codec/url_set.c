/* codec/url_set.c -- the setters of the URL class (https://url.spec.whatwg.org/#api).
 *
 * Each works on the URL taken apart; what the standard's "state override" would ignore leaves the
 * parts as they are. */
#include "codec/url.h"

#include "codec/url_parts.h"

static bool is_special(const UrlParts *u)
{
    return u->kind != URL_SCHEME_OTHER;
}

static bool has_credentials(const UrlParts *u)
{
    return u->username.n > 0 || u->password.n > 0;
}

/* "Cannot have a username/password/port". */
static bool cannot_have_port(const UrlParts *u)
{
    return !u->host.n || u->kind == URL_SCHEME_FILE;
}

static void set_protocol(Arena *a, UrlParts *u, Str value)
{
    Str scheme, text = str_concat(a, url_strip_newlines(a, value), S(":"));
    if (!url_take_scheme(a, &text, &scheme)) return;
    UrlScheme kind = url_scheme_kind(scheme);
    if ((kind != URL_SCHEME_OTHER) != is_special(u)) return;
    if (kind == URL_SCHEME_FILE && (has_credentials(u) || u->port != URL_NO_PORT)) return;
    if (u->kind == URL_SCHEME_FILE && !u->host.n) return;
    u->scheme = scheme;
    u->kind = kind;
    if (u->port != URL_NO_PORT && (u32)u->port == url_default_port(kind)) u->port = URL_NO_PORT;
}

static void set_file_host(Arena *a, UrlParts *u, Str s)
{
    Str host = str_slice(s, 0, url_authority_len(s, true));
    if (!host.n) {
        u->host = host;
        u->has_host = true;
    } else if (url_host_parse(a, host, false, &host)) {
        u->host = str_eq(host, S("localhost")) ? S("") : host;
        u->has_host = true;
    }
}

static void set_port_digits(UrlParts *u, Str s)
{
    usize n_digits;
    i32 port = u->port;
    if (url_take_port(s, u->kind, &port, &n_digits) && n_digits) u->port = port;
}

static void set_host(Arena *a, UrlParts *u, Str value, bool with_port)
{
    if (u->has_opaque_path) return;
    Str s = url_strip_newlines(a, value);
    if (u->kind == URL_SCHEME_FILE) {
        set_file_host(a, u, s);
        return;
    }
    s = str_slice(s, 0, url_authority_len(s, is_special(u)));
    usize colon = url_port_colon(s);
    Str host = str_slice(s, 0, colon);
    if (colon < s.n && (!host.n || !with_port)) return;
    if (!host.n && (is_special(u) || has_credentials(u) || u->port != URL_NO_PORT)) return;
    if (!url_host_parse(a, host, !is_special(u), &host)) return;
    u->host = host;
    u->has_host = true;
    if (colon < s.n) set_port_digits(u, str_skip(s, colon + 1));
}

static void set_port(Arena *a, UrlParts *u, Str value)
{
    if (cannot_have_port(u)) return;
    if (!value.n) {
        u->port = URL_NO_PORT;
    } else {
        set_port_digits(u, url_strip_newlines(a, value));
    }
}

static void set_pathname(Arena *a, UrlParts *u, Str value)
{
    if (u->has_opaque_path) return;
    Str s = url_strip_newlines(a, value);
    u->path = S("");
    if (!s.n && !is_special(u) && u->has_host) return;
    if (s.n && (s.p[0] == '/' || (is_special(u) && s.p[0] == '\\'))) s = str_skip(s, 1);
    url_append_path(a, u, s);
}

static void set_search(Arena *a, UrlParts *u, Str value)
{
    u->has_query = value.n > 0;
    if (value.n && value.p[0] == '?') value = str_skip(value, 1);
    UrlSet set = is_special(u) ? URL_SET_SPECIAL_QUERY : URL_SET_QUERY;
    u->query = url_percent_encode(a, url_strip_newlines(a, value), set);
}

static void set_hash(Arena *a, UrlParts *u, Str value)
{
    u->has_fragment = value.n > 0;
    if (value.n && value.p[0] == '#') value = str_skip(value, 1);
    u->fragment = url_percent_encode(a, url_strip_newlines(a, value), URL_SET_FRAGMENT);
}

void url_set(Arena *a, const Url *url, UrlPart part, Str value, Url *ret)
{
    UrlParts u = url_split(url);
    if (value.n > URL_INPUT_MAX || url->href.n > URL_INPUT_MAX) {
        *ret = *url;
        return;
    }
    switch (part) {
    case URL_PROTOCOL: set_protocol(a, &u, value); break;
    case URL_USERNAME:
        if (!cannot_have_port(&u)) u.username = url_percent_encode(a, value, URL_SET_USERINFO);
        break;
    case URL_PASSWORD:
        if (!cannot_have_port(&u)) u.password = url_percent_encode(a, value, URL_SET_USERINFO);
        break;
    case URL_HOST: set_host(a, &u, value, true); break;
    case URL_HOSTNAME: set_host(a, &u, value, false); break;
    case URL_PORT: set_port(a, &u, value); break;
    case URL_PATHNAME: set_pathname(a, &u, value); break;
    case URL_SEARCH: set_search(a, &u, value); break;
    case URL_HASH: set_hash(a, &u, value); break;
    }
    *ret = url_join(a, &u);
}
