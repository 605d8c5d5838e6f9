/* codec/url.h -- URLs as the WHATWG URL Standard has them (https://url.spec.whatwg.org/).
 *
 * A Url is its serialisation and where the components are in it; parsing and every setter make a
 * new one in an arena.  Input is UTF-8 (ill-formed bytes and lone surrogates have been replaced by
 * the caller); `href` is always ASCII.  Nothing here does I/O; ICU is called only for hosts with
 * letters beyond ASCII or "xn--" labels. */
#pragma once

#include "util/arena.h"
#include "util/base.h"
#include "util/buf.h"
#include "util/str.h"

typedef enum {
    URL_SCHEME_OTHER,
    URL_SCHEME_HTTP,
    URL_SCHEME_HTTPS,
    URL_SCHEME_WS,
    URL_SCHEME_WSS,
    URL_SCHEME_FTP,
    URL_SCHEME_FILE,
} UrlScheme;

/* Offsets into href.
 *
 *   https://user:pass@example.com:1234/foo/bar?baz#quux
 *         ^     ^   ^^          ^    ^        ^   ^
 *         |     |   ||          |    |        |   hash_start
 *         |     |   |host_start |    |        search_start
 *         |     |   credentials_end  port_end = path_start
 *         |     user_end        host_end
 *         protocol_end
 *
 * A part that is absent is empty: search_start == hash_start, hash_start == href.n, port_end ==
 * host_end, and so on.  Without an authority everything up to path_start equals protocol_end. */
typedef struct {
    Str href;
    u32 protocol_end;    /* behind the ':' */
    u32 user_end;        /* the user name begins at protocol_end + 2 if has_host */
    u32 credentials_end; /* at the '@', or host_start without one */
    u32 host_start, host_end;
    u32 port_end;
    u32 path_start; /* behind the "/." that keeps "//" of a path from looking like a host */
    u32 search_start;
    u32 hash_start;
    UrlScheme scheme;
    bool has_host;
    bool has_opaque_path;
} Url;

/* Parses `input` against `base` (may be NULL).  false: not a URL; *ret is untouched then.  The
 * result lives in `a` and may point into `input`. */
NODISCARD bool url_parse(Arena *a, Str input, const Url *base, Url *ret);

/* The same for an http: or https: URL that the parser would not change: *ret's href is `s`.  false:
 * ask url_parse. */
NODISCARD bool url_parse_plain(Str s, Url *ret);

typedef enum {
    URL_PROTOCOL,
    URL_USERNAME,
    URL_PASSWORD,
    URL_HOST,
    URL_HOSTNAME,
    URL_PORT,
    URL_PATHNAME,
    URL_SEARCH,
    URL_HASH,
} UrlPart;

/* The setters of the URL class.  Always fills *ret: a value that the standard ignores gives the URL
 * unchanged. */
void url_set(Arena *a, const Url *url, UrlPart part, Str value, Url *ret);

bool url_is_special(const Url *url);
/* Without the ':'. */
Str url_scheme_name(const Url *url);
/* Percent-encoded, as in href. */
Str url_username(const Url *url);
Str url_password(const Url *url);
/* With brackets if it is an IPv6 address. */
Str url_hostname(const Url *url);
/* hostname[:port] */
Str url_host(const Url *url);
/* The explicit port, else the scheme's default, else 0. */
u32 url_port(const Url *url);
Str url_path(const Url *url);
/* With their '?' and '#', or empty; "?" alone is a query that is there and empty. */
Str url_search(const Url *url);
Str url_hash(const Url *url);
/* "https://example.com:1234", or "null" for what has no origin (a blob: URL has that of its path).
 */
Str url_origin(Arena *a, const Url *url);

/* ---- Hosts (url_host.c) -----------------------------------------------------------------------
 */

/* The host parser: `is_opaque` for schemes that are not special.  false: not a host. */
NODISCARD bool url_host_parse(Arena *a, Str input, bool is_opaque, Str *ret);
/* UTS #46 both ways as node:url's domainToASCII and domainToUnicode need them.  false: not a domain
 * (to_ascii); to_unicode always gives something. */
NODISCARD bool url_domain_to_ascii(Arena *a, Str domain, Str *ret);
Str url_domain_to_unicode(Arena *a, Str domain);

/* ---- Percent-encoding (url_percent.c) -----------------------------------------------------------
 */

typedef enum {
    URL_SET_C0 = 1,
    URL_SET_FRAGMENT = 2,
    URL_SET_QUERY = 4,
    URL_SET_SPECIAL_QUERY = 8,
    URL_SET_PATH = 16,
    URL_SET_USERINFO = 32,
    URL_SET_COMPONENT = 64,
    URL_SET_FORM = 128, /* application/x-www-form-urlencoded, without its space to '+' */
} UrlSet;

/* Does the byte have to be encoded? */
bool url_set_has(UrlSet set, u8 c);
/* `s` itself when there is nothing to encode. */
Str url_percent_encode(Arena *a, Str s, UrlSet set);
/* Bytes, not necessarily UTF-8; `s` itself when there is nothing to decode. */
Str url_percent_decode(Arena *a, Str s);
/* One name or value of application/x-www-form-urlencoded, to and from UTF-8 text. */
Str url_form_encode(Arena *a, Str s);
Str url_form_decode(Arena *a, Str s);
