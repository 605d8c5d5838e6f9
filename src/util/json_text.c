/* util/json_text.c -- reading values out of JSON nodes, and writing JSON (see json.h). */
#include "util/json.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Strings ----------------------------------------------------------------------------------
 */

static u32 hex_value(const char *s, u32 n)
{
    u32 v = 0;
    for (u32 i = 0; i < n; i++) {
        u32 c = (u8)s[i];
        v = v * 16 + (c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10);
    }
    return v;
}

static Str inner_text(const JsonNode *n)
{
    return n->is_bare ? (Str){n->at, n->size} : (Str){n->at + 1, n->size - 2};
}

static char *put_utf8(char *out, u32 c)
{
    if (c >= 0xd800 && c <= 0xdfff) c = 0xfffd;
    if (c < 0x80) {
        *out++ = (char)c;
    } else if (c < 0x800) {
        *out++ = (char)(0xc0 | c >> 6);
        *out++ = (char)(0x80 | (c & 0x3f));
    } else if (c < 0x10000) {
        *out++ = (char)(0xe0 | c >> 12);
        *out++ = (char)(0x80 | (c >> 6 & 0x3f));
        *out++ = (char)(0x80 | (c & 0x3f));
    } else {
        *out++ = (char)(0xf0 | c >> 18);
        *out++ = (char)(0x80 | (c >> 12 & 0x3f));
        *out++ = (char)(0x80 | (c >> 6 & 0x3f));
        *out++ = (char)(0x80 | (c & 0x3f));
    }
    return out;
}

/* `s` is behind "\u"; the parser has checked the digits.  Takes a low surrogate along. */
static const char *decode_unicode(const char *s, const char *end, char **out)
{
    u32 c = hex_value(s, 4);
    s += 4;
    if (c >= 0xd800 && c < 0xdc00 && end - s >= 6 && s[0] == '\\' && s[1] == 'u') {
        u32 low = hex_value(s + 2, 4);
        if (low >= 0xdc00 && low < 0xe000) {
            c = 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00);
            s += 6;
        }
    }
    *out = put_utf8(*out, c);
    return s;
}

/* `s` is at a backslash; the end of the escape. */
static const char *decode_escape(const char *s, const char *end, char **out)
{
    static const char from[] = "bfnrtv0", to[] = "\b\f\n\r\t\v";
    char c = s[1];
    if (c == 'u') return decode_unicode(s + 2, end, out);
    if (c == 'x') {
        *out = put_utf8(*out, hex_value(s + 2, 2));
        return s + 4;
    }
    if (c == '\n') return s + 2;
    if (c == '\r') return s + 2 + (end - s > 2 && s[2] == '\n');
    if (end - s >= 4 && !memcmp(s + 1, "\xe2\x80", 2) && ((u8)s[3] | 1) == 0xa9) return s + 4;
    const char *at = c ? strchr(from, c) : NULL;
    *(*out)++ = at ? to[at - from] : c;
    return s + 2;
}

Str json_str(Arena *a, const JsonNode *n)
{
    ASSERT(n->kind == JSON_STRING);
    Str text = inner_text(n);
    if (!n->has_escape) return text;
    char *start =
        arena_alloc_dirty(a, text.n, 1); /* no escape is shorter than what it stands for */
    char *out = start;
    const char *end = text.p + text.n;
    for (const char *s = text.p; s < end;) {
        const char *slash = memchr(s, '\\', (usize)(end - s));
        usize run = (usize)((slash ? slash : end) - s);
        memcpy(out, s, run);
        out += run;
        s += run;
        if (slash) s = decode_escape(s, end, &out);
    }
    return (Str){start, (usize)(out - start)};
}

bool json_is(const JsonNode *n, Str s)
{
    if (!n || n->kind != JSON_STRING) return false;
    Str text = inner_text(n);
    if (!n->has_escape) return str_eq(text, s);
    if (text.n < s.n) return false;
    AUTO(Scratch) tmp = scratch_begin(NULL);
    return str_eq(json_str(tmp.arena, n), s);
}

/* ---- Lookups ----------------------------------------------------------------------------------
 */

const JsonNode *json_find(const JsonNode *n, Str key)
{
    if (!n || n->kind != JSON_OBJECT) return NULL;
    for (u32 i = n->len; i-- > 0;)
        if (json_is(&n->items[i * 2], key)) return &n->items[i * 2 + 1];
    return NULL;
}

Str json_find_str(Arena *a, const JsonNode *obj, Str key)
{
    const JsonNode *n = json_find(obj, key);
    return n && n->kind == JSON_STRING ? json_str(a, n) : (Str){0};
}

Str json_text(const JsonNode *n)
{
    return (Str){n->at, n->size};
}

static f64 hex_number(Str s)
{
    f64 v = 0;
    for (usize i = 0; i < s.n; i++) v = v * 16 + hex_value(s.p + i, 1);
    return v;
}

f64 json_number(const JsonNode *n)
{
    ASSERT(n->kind == JSON_NUMBER);
    Str s = json_text(n);
    bool minus = s.p[0] == '-';
    if (minus || s.p[0] == '+') s = str_skip(s, 1);
    f64 v;
    if (s.n > 2 && (s.p[1] | 0x20) == 'x') {
        v = hex_number(str_skip(s, 2));
    } else { /* strtod knows Infinity and NaN as well */
        AUTO(Scratch) tmp = scratch_begin(NULL);
        v = strtod(str_dup_z(tmp.arena, s), NULL);
    }
    return minus ? -v : v;
}

Str json_indent_of(Str text)
{
    for (usize i = 0; i + 1 < text.n; i++) {
        if (text.p[i] != '\n') continue;
        usize n = 0;
        while (i + 1 + n < text.n && (text.p[i + 1 + n] == ' ' || text.p[i + 1 + n] == '\t')) n++;
        if (n) return str_slice(text, i + 1, i + 1 + n);
    }
    return (Str){"", 0};
}

/* ---- Writing ----------------------------------------------------------------------------------
 */

/* The length of the well-formed UTF-8 sequence at `s`, or 0. */
static usize utf8_size(const char *s, const char *end)
{
    u8 c = (u8)*s;
    usize n = c < 0x80 ? 1 : c < 0xc2 ? 0 : c < 0xe0 ? 2 : c < 0xf0 ? 3 : c < 0xf5 ? 4 : 0;
    if (!n || (usize)(end - s) < n) return 0;
    for (usize i = 1; i < n; i++)
        if (((u8)s[i] & 0xc0) != 0x80) return 0;
    u8 d = n > 1 ? (u8)s[1] : 0;
    bool bad = (c == 0xe0 && d < 0xa0) || (c == 0xed && d >= 0xa0) || (c == 0xf0 && d < 0x90) ||
               (c == 0xf4 && d >= 0x90);
    return bad ? 0 : n;
}

static void write_control(Buf *b, char c)
{
    static const char from[] = "\b\f\n\r\t", to[] = "bfnrt";
    const char *at = c ? strchr(from, c) : NULL;
    if (!at) {
        buf_fmt(b, "\\u%04x", (unsigned)c);
        return;
    }
    buf_push_char(b, '\\');
    buf_push_char(b, to[at - from]);
}

void json_write_str(Buf *b, Str s)
{
    buf_push_char(b, '"');
    const char *end = s.p + s.n, *run = s.p;
    for (const char *at = s.p; at < end;) {
        u8 c = (u8)*at;
        usize n = utf8_size(at, end);
        if (n && c > 0x1f && c != '"' && c != '\\') {
            at += n;
            continue;
        }
        buf_push(b, (Str){run, (usize)(at - run)});
        if (!n) {
            buf_push(b, S("\xef\xbf\xbd"));
        } else if (c <= 0x1f) {
            write_control(b, (char)c);
        } else {
            buf_push_char(b, '\\');
            buf_push_char(b, (char)c);
        }
        run = ++at;
    }
    buf_push(b, (Str){run, (usize)(end - run)});
    buf_push_char(b, '"');
}

static void write_number(Buf *b, const JsonNode *n)
{
    Str s = json_text(n);
    char first = s.p[0] == '-' && s.n > 1 ? s.p[1] : s.p[0];
    bool is_json = first >= '0' && first <= '9' && s.p[s.n - 1] != '.' && str_find(s, 'x') < 0 &&
                   str_find(s, 'X') < 0 && str_find_str(s, S(".e")) < 0 &&
                   str_find_str(s, S(".E")) < 0;
    if (is_json) {
        buf_push(b, s);
        return;
    }
    f64 v = json_number(n);
    if (!__builtin_isfinite(v)) {
        buf_push(b, S("null"));
        return;
    }
    char text[32]; /* the shortest that reads back as the same number */
    for (int digits = 15; digits <= 17; digits++) {
        (void)snprintf(text, sizeof(text), "%.*g", digits, v);
        if (strtod(text, NULL) == v) break;
    }
    buf_push(b, str_z(text));
}

static void write_line(Buf *b, Str indent, u32 depth)
{
    if (!indent.n) return;
    buf_push_char(b, '\n');
    for (u32 i = 0; i < depth; i++) buf_push(b, indent);
}

static void write_node(Buf *b, const JsonNode *n, Str indent, u32 depth);

static void write_container(Buf *b, const JsonNode *n, Str indent, u32 depth)
{
    bool is_object = n->kind == JSON_OBJECT;
    buf_push_char(b, is_object ? '{' : '[');
    for (u32 i = 0; i < n->len; i++) {
        if (i) buf_push_char(b, ',');
        write_line(b, indent, depth + 1);
        const JsonNode *item = &n->items[is_object ? i * 2 + 1 : i];
        if (is_object) {
            write_node(b, &n->items[i * 2], indent, depth + 1);
            buf_push(b, indent.n ? S(": ") : S(":"));
        }
        write_node(b, item, indent, depth + 1);
    }
    if (n->len) write_line(b, indent, depth);
    buf_push_char(b, is_object ? '}' : ']');
}

static void write_node(Buf *b, const JsonNode *n, Str indent, u32 depth)
{
    ASSERT(depth <= JSON_DEPTH_MAX);
    switch ((JsonKind)n->kind) {
    case JSON_NULL: buf_push(b, S("null")); return;
    case JSON_FALSE: buf_push(b, S("false")); return;
    case JSON_TRUE: buf_push(b, S("true")); return;
    case JSON_NUMBER: write_number(b, n); return;
    case JSON_ARRAY:
    case JSON_OBJECT: write_container(b, n, indent, depth); return;
    case JSON_STRING: {
        AUTO(Scratch) tmp = scratch_begin(NULL);
        json_write_str(b, json_str(tmp.arena, n));
        return;
    }
    }
}

void json_write(Buf *b, const JsonNode *n, Str indent)
{
    write_node(b, n, indent, 0);
}
