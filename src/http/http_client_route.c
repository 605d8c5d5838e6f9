/* http/http_client_route.c -- from a URL to where the request goes: host, proxy, and the key of
 * connections that can be shared. */
#include "http/http_client_private.h"

#include "codec/base64.h"

static Str without_brackets(Str host)
{
    if (host.n > 2 && host.p[0] == '[') return str_slice(host, 1, host.n - 1);
    return host;
}

/* "Basic ..." of a URL's user and password; empty without them. */
static Str basic_auth(Arena *a, const Url *url)
{
    Str user = url_username(url), password = url_password(url);
    if (!user.n && !password.n) return (Str){0};
    AUTO(Scratch) s = scratch_begin(a);
    Str text = str_fmt(s.arena, "%.*s:%.*s", STR_ARG(url_percent_decode(s.arena, user)),
                       STR_ARG(url_percent_decode(s.arena, password)));
    usize n = base64_encoded_len(text.n, BASE64_STANDARD);
    char *out = arena_alloc(a, n + 6, 1);
    __builtin_memcpy(out, "Basic ", 6);
    base64_encode((const u8 *)text.p, text.n, BASE64_STANDARD, out + 6);
    return (Str){out, n + 6};
}

static bool has_header(const HttpFetch *f, Str name)
{
    for (u32 i = 0; i < f->n_headers; i++)
        if (str_eq_nocase(f->headers[i].name, name)) return true;
    return false;
}

/* Which proxy, if any.  0 or a code. */
static int set_proxy(HttpFetch *f, HttpRoute *r)
{
    Arena *a = &f->arena;
    Str text = f->o.proxy;
    if (!text.n && !f->o.is_direct) text = http_proxy_from_env(a, r->is_tls, r->host, r->port);
    if (!text.n || r->unix_path.n) return 0;
    if (str_find_str(text, S("://")) < 0) text = str_concat(a, S("http://"), text);
    Url url;
    if (!url_parse(a, text, NULL, &url)) return HTTP_CLIENT_EURL;
    if (url.scheme == URL_SCHEME_HTTPS) return HTTP_CLIENT_EUNSUPPORTED;
    if (url.scheme != URL_SCHEME_HTTP) return HTTP_CLIENT_EURL;
    r->has_proxy = true;
    r->has_tunnel = r->is_tls || f->o.is_upgrade;
    r->proxy_host = without_brackets(url_hostname(&url));
    r->proxy_port = (u16)url_port(&url);
    r->proxy_auth = basic_auth(a, &url);
    return 0;
}

static void set_key(HttpFetch *f)
{
    const HttpRoute *r = &f->route;
    const HttpFetchOptions *o = &f->o;
    bool is_shared_proxy = r->has_proxy && !r->has_tunnel;
    Str host = is_shared_proxy ? (Str){0} : r->host;
    u32 port = is_shared_proxy ? 0 : r->port;
    f->key = str_fmt(&f->arena, "%d%d%d%d|%.*s|%u|%.*s|%.*s|%u|%.*s|%p|%.*s", r->is_tls,
                     o->is_unverified, o->is_h1_only || o->is_upgrade, r->has_tunnel, STR_ARG(host),
                     port, STR_ARG(r->unix_path), STR_ARG(r->proxy_host), r->proxy_port,
                     STR_ARG(r->proxy_auth), (void *)o->tls, STR_ARG(o->server_name));
}

int http_fetch_route(HttpFetch *f, Str text, const Url *base)
{
    Url url;
    if (!url_parse(&f->arena, text, base, &url)) return HTTP_CLIENT_EURL;
    bool is_tls = url.scheme == URL_SCHEME_HTTPS || url.scheme == URL_SCHEME_WSS;
    bool is_plain = url.scheme == URL_SCHEME_HTTP || url.scheme == URL_SCHEME_WS;
    Str host = url_hostname(&url);
    if ((!is_tls && !is_plain) || !host.n) return HTTP_CLIENT_EURL;
    url.href = str_dup(&f->arena, url.href);
    f->url = url;
    f->route = (HttpRoute){
        .is_tls = is_tls,
        .host = without_brackets(url_hostname(&f->url)),
        .port = (u16)url_port(&f->url),
        .unix_path = f->o.unix_path,
    };
    Str auth = basic_auth(&f->arena, &f->url);
    if (auth.n && f->headers && !has_header(f, S("authorization"))) {
        HttpPair *more = ARENA_ARRAY(&f->arena, HttpPair, f->n_headers + 2);
        for (u32 i = 0; i < f->n_headers; i++) more[i] = f->headers[i];
        more[f->n_headers++] = (HttpPair){S("Authorization"), auth};
        f->headers = more;
    }
    int rc = set_proxy(f, &f->route);
    if (rc == 0) set_key(f);
    return rc;
}

/* The host, and the port unless it is the scheme's. */
Str http_fetch_authority(const HttpFetch *f)
{
    return url_host(&f->url);
}

Str http_fetch_target(Arena *a, const HttpFetch *f)
{
    Str path = url_path(&f->url), search = url_search(&f->url);
    if (!path.n) path = S("/");
    if (!f->route.has_proxy || f->route.has_tunnel) return str_concat(a, path, search);
    return str_fmt(a, "http://%.*s%.*s%.*s", STR_ARG(url_host(&f->url)), STR_ARG(path),
                   STR_ARG(search));
}
