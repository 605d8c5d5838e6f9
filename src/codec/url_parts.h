/* codec/url_parts.h -- a URL taken apart; shared by the parser and the setters. */
#pragma once

#include "codec/url.h"

enum { URL_NO_PORT = -1 };
/* Longer inputs are refused, so that offsets fit in 32 bits after encoding. */
enum { URL_INPUT_MAX = 1 << 29 };

/* One bit per set (UrlSet) for every ASCII character; all others are in every set. */
extern const u8 url_set_bits[128];

static inline bool url_must_encode(UrlSet set, u8 c)
{
    return c >= 128 || (url_set_bits[c] & set) != 0;
}

typedef struct {
    Str scheme; /* lower case, no ':' */
    UrlScheme kind;
    Str username, password;
    Str host;
    bool has_host;
    i32 port; /* or URL_NO_PORT */
    Str path; /* every segment behind a '/', or the opaque path */
    bool has_opaque_path;
    Str query, fragment;
    bool has_query, has_fragment;
} UrlParts;

UrlScheme url_scheme_kind(Str lower);
/* The default port of a scheme, or 0. */
u32 url_default_port(UrlScheme kind);
/* Without tabs and newlines; `s` itself when it has none. */
Str url_strip_newlines(Arena *a, Str s);
/* Lower case of the scheme at the start of `s` when a ':' follows it; else false. */
bool url_take_scheme(Arena *a, Str *s, Str *ret);
/* Appends the segments of `s` to u->path (the path state), all of it. */
void url_append_path(Arena *a, UrlParts *u, Str s);
/* Digits at the start of `s` as a port: false when above 65535.  *ret_digits counts them. */
bool url_take_port(Str s, UrlScheme kind, i32 *ret, usize *ret_digits);
bool url_is_drive_letter(Str s);
/* Where the host ends: at the first of '/', '?', '#', or '\' for special schemes. */
usize url_authority_len(Str s, bool is_special);
/* Index of the ':' before a port, outside of brackets, or s.n. */
usize url_port_colon(Str s);

UrlParts url_split(const Url *url);
Url url_join(Arena *a, const UrlParts *parts);
