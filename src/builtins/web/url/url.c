/* web/url -- native half of URL and URLSearchParams.  The JS half passes strings and numbers only.
 */
#include "codec/url.h"
#include "builtins/builtins.h"
#include "codec/utf.h"

#include <string.h>

/* A URL's offsets travel in a Uint32Array of this many elements: nine offsets in the order of
 * struct Url, then the flags. */
enum { N_OFFSETS = 10, FLAG_HOST = 1, FLAG_OPAQUE_PATH = 2, SCHEME_SHIFT = 8 };

/* A string argument as UTF-8 with U+FFFD for lone surrogates; its own memory when it is ASCII. */
static bool text_of(Js *js, Arena *a, JsVal v, Str *ret)
{
    JsChars c;
    if (!js_chars(js, v, &c)) return false;
    if (c.is_latin1 && utf_ascii_prefix(c.latin1, c.len) == c.len) {
        *ret = (Str){(const char *)c.latin1, c.len};
        return true;
    }
    usize n =
        c.is_latin1 ? utf_latin1_to_utf8_len(c.latin1, c.len) : utf16_to_utf8_len(c.utf16, c.len);
    char *out = arena_alloc_dirty(a, n, 1);
    if (c.is_latin1) {
        utf_latin1_to_utf8(c.latin1, c.len, out);
    } else {
        utf16_to_utf8(c.utf16, c.len, out);
    }
    *ret = (Str){out, n};
    return true;
}

/* NULL with an exception: they are none. */
static u32 *offsets_of(Js *js, JsVal v)
{
    JsBytes bytes;
    if (js_bytes(js, v, &bytes) && bytes.n == N_OFFSETS * sizeof(u32))
        return (u32 *)(void *)bytes.p;
    (void)js_throw_illegal(js);
    return NULL;
}

static void write_offsets(const Url *url, u32 *out)
{
    u32 flags = (url->has_host ? FLAG_HOST : 0u) | (url->has_opaque_path ? FLAG_OPAQUE_PATH : 0u) |
                (u32)url->scheme << SCHEME_SHIFT;
    u32 all[N_OFFSETS] = {
        url->protocol_end, url->user_end,   url->credentials_end, url->host_start, url->host_end,
        url->port_end,     url->path_start, url->search_start,    url->hash_start, flags,
    };
    memcpy(out, all, sizeof(all));
}

static Url read_offsets(Str href, const u32 *in)
{
    return (Url){
        .href = href,
        .protocol_end = in[0],
        .user_end = in[1],
        .credentials_end = in[2],
        .host_start = in[3],
        .host_end = in[4],
        .port_end = in[5],
        .path_start = in[6],
        .search_start = in[7],
        .hash_start = in[8],
        .has_host = (in[9] & FLAG_HOST) != 0,
        .has_opaque_path = (in[9] & FLAG_OPAQUE_PATH) != 0,
        .scheme = (UrlScheme)(in[9] >> SCHEME_SHIFT),
    };
}

/* The text as a string value: `v` itself when that is what it says. */
static JsVal give(Js *js, Str text, JsVal v, Str v_text)
{
    if (str_eq(text, v_text)) return v;
    return js_str_latin1(js, (const u8 *)text.p, text.n);
}

/* parse(input, base or undefined, offsets) -> href, or undefined when it is no URL. */
JS_NATIVE(url_native_parse)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    Str input, base_text;
    Url base, url;
    if (!text_of(js, s.arena, args.at[0], &input)) return NULL;
    bool has_base = !js_is_undefined(args.at[1]);
    if (has_base) {
        if (!text_of(js, s.arena, args.at[1], &base_text)) return NULL;
        if (!url_parse(s.arena, base_text, NULL, &base)) return JS_UNDEFINED;
    }
    if (!url_parse(s.arena, input, has_base ? &base : NULL, &url)) return JS_UNDEFINED;
    u32 *offsets = offsets_of(js, args.at[2]);
    if (!offsets) return NULL;
    write_offsets(&url, offsets);
    return give(js, url.href, args.at[0], input);
}

/* set(part, value, href, offsets) -> the new href; the offsets are changed in place. */
JS_NATIVE(url_native_set)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    Str value, href;
    Url changed;
    i32 part = js_get_i32(js, args.at[0]);
    JS_EXPECT(js, part >= URL_PROTOCOL && part <= URL_HASH);
    if (!text_of(js, s.arena, args.at[1], &value)) return NULL;
    if (!text_of(js, s.arena, args.at[2], &href)) return NULL;
    u32 *offsets = offsets_of(js, args.at[3]);
    if (!offsets) return NULL;
    Url url = read_offsets(href, offsets);
    url_set(s.arena, &url, (UrlPart)part, value, &changed);
    write_offsets(&changed, offsets);
    return give(js, changed.href, args.at[2], href);
}

/* blobOrigin(path) -> the origin of the URL that the path of a blob: URL is, or "null". */
JS_NATIVE(url_native_blob_origin)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    Str path;
    Url url;
    if (!text_of(js, s.arena, args.at[0], &path)) return NULL;
    bool ok = url_parse(s.arena, path, NULL, &url) &&
              (url.scheme == URL_SCHEME_HTTP || url.scheme == URL_SCHEME_HTTPS);
    return js_str(js, ok ? url_origin(s.arena, &url) : S("null"));
}

JS_NATIVE(url_native_form_encode)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    Str text;
    if (!text_of(js, s.arena, args.at[0], &text)) return NULL;
    return give(js, url_form_encode(s.arena, text), args.at[0], text);
}

JS_NATIVE(url_native_form_decode)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    Str text;
    if (!text_of(js, s.arena, args.at[0], &text)) return NULL;
    return js_str(js, url_form_decode(s.arena, text));
}

/* domainToASCII(domain) -> "" when it is none. */
JS_NATIVE(url_native_domain_to_ascii)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    Str text, host;
    if (!text_of(js, s.arena, args.at[0], &text)) return NULL;
    return js_str(js, url_host_parse(s.arena, text, false, &host) ? host : S(""));
}

JS_NATIVE(url_native_domain_to_unicode)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    Str text, host;
    if (!text_of(js, s.arena, args.at[0], &text)) return NULL;
    if (!url_host_parse(s.arena, text, false, &host)) return js_str(js, S(""));
    return js_str(js, url_domain_to_unicode(s.arena, host));
}

static const JsFn fns[] = {
    JS_FN("parse", url_native_parse),
    JS_FN("set", url_native_set),
    JS_FN("blobOrigin", url_native_blob_origin),
    JS_FN("formEncode", url_native_form_encode),
    JS_FN("formDecode", url_native_form_decode),
    JS_FN("domainToASCII", url_native_domain_to_ascii),
    JS_FN("domainToUnicode", url_native_domain_to_unicode),
};
BUILTIN_NATIVE(web_url, fns)
