/* syntax/jsx_text.c -- white space and entities of JSX text (see jsx_text.h). */
#include "syntax/jsx_text.h"

#include "syntax/lex.h"

#include <string.h>

static const struct {
    const char *name;
    u32 code_point;
} entities[] = {
#define ENTITY(name, code_point) {name, code_point},
#include "syntax/jsx_entities.def"
#undef ENTITY
};

enum {
    ENTITY_LEN_MAX = 10,
    PRAGMA_COMMENT_MAX = 4096, /* how far behind the start of its comment a pragma is found */
};

static bool named_entity(Str name, u32 *ret)
{
    for (usize i = 0; i < COUNT(entities); i++) {
        if (!str_eq(str_z(entities[i].name), name)) continue;
        *ret = entities[i].code_point;
        return true;
    }
    return false;
}

static bool numeric_entity(Str digits, u32 *ret)
{
    bool hex = digits.n > 1 && (digits.p[0] | 0x20) == 'x';
    if (hex) digits = str_skip(digits, 1);
    if (!digits.n) return false;
    u32 v = 0;
    for (usize i = 0; i < digits.n; i++) {
        int d = hex_value(digits.p[i]);
        if (d < 0 || (!hex && d > 9)) return false;
        v = v * (hex ? 16 : 10) + (u32)d;
        if (v > 0x10ffff) return false;
    }
    *ret = v;
    return true;
}

/* Copies, with entities replaced.  What looks like one and is none stays as it is. */
static void decode(Str s, Buf *b)
{
    while (s.n) {
        i64 amp = str_find(s, '&');
        if (amp < 0) break;
        buf_push(b, str_slice(s, 0, (usize)amp));
        s = str_skip(s, (usize)amp);
        i64 end = str_find(str_slice(s, 0, ENTITY_LEN_MAX + 2), ';');
        u32 c;
        Str name = end > 1 ? str_slice(s, 1, (usize)end) : (Str){0};
        bool ok = name.n && (name.p[0] == '#' ? numeric_entity(str_skip(name, 1), &c)
                                              : named_entity(name, &c));
        if (ok) {
            buf_push_wtf8(b, c);
            s = str_skip(s, (usize)end + 1);
        } else {
            buf_push_char(b, '&');
            s = str_skip(s, 1);
        }
    }
    buf_push(b, s);
}

void jsx_string(Str raw, Buf *ret)
{
    decode(raw, ret);
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

void jsx_text(Str raw, Buf *ret)
{
    bool any = false;
    for (usize i = 0; i <= raw.n;) {
        usize end = i;
        while (end < raw.n && raw.p[end] != '\n' && raw.p[end] != '\r') end++;
        usize from = i, to = end;
        if (i > 0)
            while (from < to && is_blank(raw.p[from])) from++;
        if (end < raw.n)
            while (to > from && is_blank(raw.p[to - 1])) to--;
        if (to > from) {
            if (any) buf_push_char(ret, ' ');
            decode(str_slice(raw, from, to), ret);
            any = true;
        }
        i = end + 1;
    }
}

bool jsx_text_is_blank(Str raw)
{
    bool nl = false;
    for (usize i = 0; i < raw.n; i++) {
        if (raw.p[i] == '\n' || raw.p[i] == '\r')
            nl = true;
        else if (!is_blank(raw.p[i]))
            return false;
    }
    return nl;
}

/* Does a comment that began before `at` reach it? */
static bool is_in_comment(Str text, usize at)
{
    usize last = at > PRAGMA_COMMENT_MAX ? at - PRAGMA_COMMENT_MAX : 1;
    for (usize i = at; i > last; i--) {
        if (text.p[i - 1] == '/' && text.p[i - 2] == '*') return false;
        if (text.p[i - 2] == '/' && text.p[i - 1] == '*') return true;
        if (text.p[i - 2] == '/' && text.p[i - 1] == '/' && !memchr(text.p + i, '\n', at - i)) {
            return true;
        }
    }
    return false;
}

bool jsx_pragma(Str text, Str name, Str *ret)
{
    for (usize from = 0; from < text.n;) {
        i64 found = str_find_str(str_skip(text, from), name);
        if (found < 0) return false;
        usize at = from + (usize)found, p = at + name.n;
        from = p;
        if (p >= text.n || !is_blank(text.p[p]) || !is_in_comment(text, at)) continue;
        while (p < text.n && is_blank(text.p[p])) p++;
        usize end = p;
        while (end < text.n && (u8)text.p[end] > ' ' && text.p[end] != '*') end++;
        if (end == p) continue;
        *ret = str_slice(text, p, end);
        return true;
    }
    return false;
}
