/* syntax/regexp_class.c -- escapes, properties and character classes of regular expressions. */
#include "syntax/lex.h"
#include "syntax/regexp.h"

#include <string.h>

enum { DEPTH_MAX = 1000 };

typedef enum { PROP_BINARY, PROP_STRINGS, PROP_CATEGORY, PROP_SCRIPT } PropKind;

static const struct {
    const char *name;
    PropKind kind;
} props[] = {
#define BINARY(n)   {n, PROP_BINARY},
#define STRINGS(n)  {n, PROP_STRINGS},
#define CATEGORY(n) {n, PROP_CATEGORY},
#define SCRIPT(n)   {n, PROP_SCRIPT},
#include "syntax/regexp_props.def"
#undef BINARY
#undef STRINGS
#undef CATEGORY
#undef SCRIPT
};

static bool has_prop(Str name, PropKind kind)
{
    for (usize i = 0; i < COUNT(props); i++) {
        if (props[i].kind == kind && str_eq(str_z(props[i].name), name)) return true;
    }
    return false;
}

/* `\p` or `\P` was taken.  *ret_strings: the property may match more than one character. */
static bool property(Re *r, bool negated, bool *ret_strings)
{
    *ret_strings = false;
    if (!re_take(r, '{')) return re_fail(r, "invalid property name");
    const char *start = r->p;
    while (r->p < r->end && *r->p != '}') r->p++;
    Str body = {start, (usize)(r->p - start)}, name, value;
    if (!re_take(r, '}')) return re_fail(r, "invalid property name");
    if (str_cut(body, '=', &name, &value)) {
        bool category = str_eq(name, S("General_Category")) || str_eq(name, S("gc"));
        bool script = str_eq(name, S("Script")) || str_eq(name, S("sc")) ||
                      str_eq(name, S("Script_Extensions")) || str_eq(name, S("scx"));
        if (category && has_prop(value, PROP_CATEGORY)) return true;
        if (script && has_prop(value, PROP_SCRIPT)) return true;
        return re_fail(r, "invalid property name");
    }
    if (has_prop(body, PROP_BINARY) || has_prop(body, PROP_CATEGORY)) return true;
    if (r->v && !negated && has_prop(body, PROP_STRINGS)) {
        *ret_strings = true;
        return true;
    }
    return re_fail(r, "invalid property name");
}

static bool hex_digits(Re *r, int n, u32 *ret)
{
    u32 v = 0;
    for (int i = 0; i < n; i++) {
        int h = r->p + i < r->end ? hex_value(r->p[i]) : -1;
        if (h < 0) return false;
        v = v << 4 | (u32)h;
    }
    r->p += n;
    *ret = v;
    return true;
}

bool re_unicode_escape(Re *r, bool braces, u32 *ret)
{
    const char *start = r->p;
    if (!re_take(r, 'u')) return false;
    u32 c = 0;
    if (braces && re_take(r, '{')) {
        const char *digits = r->p;
        for (; r->p < r->end && hex_value(*r->p) >= 0; r->p++) {
            c = c << 4 | (u32)hex_value(*r->p);
            if (c > 0x10ffff) break;
        }
        if (r->p > digits && c <= 0x10ffff && re_take(r, '}')) {
            *ret = c;
            return true;
        }
    } else if (hex_digits(r, 4, &c)) {
        const char *after = r->p;
        u32 low;
        if (braces && c >= 0xd800 && c < 0xdc00 && re_take(r, '\\') && re_take(r, 'u') &&
            hex_digits(r, 4, &low) && low >= 0xdc00 && low < 0xe000) {
            *ret = 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00);
            return true;
        }
        r->p = after;
        *ret = c;
        return true;
    }
    r->p = start;
    return false;
}

/* `\c` was taken. */
static bool control_escape(Re *r, bool in_class, u32 *ret_value)
{
    char c = r->p < r->end ? *r->p : 0;
    bool letter = (c | 0x20) >= 'a' && (c | 0x20) <= 'z';
    bool annex_b = !r->u && in_class && ((c >= '0' && c <= '9') || c == '_');
    if (letter || annex_b) {
        *ret_value = (u32)c & 31;
        r->p++;
        return true;
    }
    if (r->u) return re_fail(r, "invalid control escape");
    *ret_value = '\\'; /* Annex B: the backslash stands for itself */
    r->p--;
    return true;
}

static bool digit_escape(Re *r, bool in_class, u32 *ret_value)
{
    char c = *r->p;
    bool more = r->p + 1 < r->end && r->p[1] >= '0' && r->p[1] <= '9';
    if (r->u) {
        if (c != '0' || more) {
            return re_fail(r, in_class ? "invalid class escape" : "invalid decimal escape");
        }
        r->p++;
        *ret_value = 0;
        return true;
    }
    u32 v = 0;
    int max = c <= '3' ? 3 : 2;
    for (int i = 0; i < max && r->p < r->end && *r->p >= '0' && *r->p <= '7'; i++) {
        v = v * 8 + (u32)(*r->p++ - '0');
    }
    if (c >= '8') v = (u32)(u8)*r->p++;
    *ret_value = v;
    return true;
}

static bool identity_escape(Re *r, bool in_class, u32 *ret_value)
{
    u32 n, c = utf8_read(r->p, &n);
    if (r->u) {
        bool ok = c < 0x80 && c && strchr("^$\\.*+?()[]{}|/", (char)c);
        if (in_class && c == '-') ok = true;
        if (in_class && r->v && c < 0x80 && c && strchr("&-!#%,:;<=>@`~", (char)c)) ok = true;
        if (!ok) return re_fail(r, "invalid escape");
    }
    r->p += n;
    *ret_value = c;
    return true;
}

/* `\\` was taken and `x` stands next. */
static bool hex_escape(Re *r, u32 *ret_value)
{
    r->p++;
    if (hex_digits(r, 2, ret_value)) return true;
    if (r->u) return re_fail(r, "invalid escape");
    *ret_value = 'x';
    return true;
}

/* \\f \\n \\r \\t \\v; 0 for any other letter. */
static u32 control_letter(char c)
{
    switch (c) {
    case 't': return 9;
    case 'n': return 10;
    case 'v': return 11;
    case 'f': return 12;
    case 'r': return 13;
    default: return 0;
    }
}

bool re_escape(Re *r, bool in_class, u32 *ret_value, bool *ret_is_set)
{
    *ret_is_set = false;
    *ret_value = 0;
    if (r->p >= r->end) return re_fail(r, "\\ at the end of the pattern");
    char c = *r->p;
    switch (c) {
    case 'd':
    case 'D':
    case 's':
    case 'S':
    case 'w':
    case 'W':
        r->p++;
        *ret_is_set = true;
        return true;
    case 'p':
    case 'P':
        if (!r->u) break;
        r->p++;
        *ret_is_set = true;
        return property(r, c == 'P', &r->strings);
    case 'f':
    case 'n':
    case 'r':
    case 't':
    case 'v':
        r->p++;
        *ret_value = control_letter(c);
        return true;
    case 'c': r->p++; return control_escape(r, in_class, ret_value);
    case 'x': return hex_escape(r, ret_value);
    case 'u':
        if (re_unicode_escape(r, r->u, ret_value)) return true;
        if (r->u) return re_fail(r, "invalid Unicode escape");
        break;
    case 'k':
        if (r->has_names) return re_fail(r, "invalid escape");
        break;
    default:
        if (c >= '0' && c <= '9') return digit_escape(r, in_class, ret_value);
    }
    return identity_escape(r, in_class, ret_value);
}

/* A member of a class without v.  `last`: it would end a range. */
static bool class_atom(Re *r, bool last, u32 *ret_value, bool *ret_is_set)
{
    *ret_is_set = false;
    if (re_take(r, '\\')) {
        if (re_take(r, 'b')) {
            *ret_value = 8;
            return true;
        }
        if (r->u && re_take(r, 'B')) return re_fail(r, "invalid class escape");
        return re_escape(r, true, ret_value, ret_is_set);
    }
    u32 n, c = utf8_read(r->p, &n);
    r->p += n;
    /* Without u a pair of surrogates is two members; the one next to the dash counts. */
    if (!r->u && c > 0xffff) c = last ? 0xd800 + ((c - 0x10000) >> 10) : 0xdc00 + (c & 0x3ff);
    *ret_value = c;
    return true;
}

static bool class_ranges(Re *r)
{
    while (r->p < r->end && *r->p != ']') {
        u32 lo = 0, hi = 0;
        bool lo_set, hi_set;
        if (!class_atom(r, false, &lo, &lo_set)) return false;
        if (r->p + 1 >= r->end || *r->p != '-' || r->p[1] == ']') continue;
        r->p++;
        if (!class_atom(r, true, &hi, &hi_set)) return false;
        if (lo_set || hi_set) {
            if (r->u) return re_fail(r, "invalid character class");
        } else if (lo > hi) {
            return re_fail(r, "range out of order in a character class");
        }
    }
    return re_take(r, ']') || re_fail(r, "unterminated character class");
}

static bool class_set(Re *r, bool *ret_strings);

static bool is_double_punct(const Re *r)
{
    return r->p + 1 < r->end && r->p[0] == r->p[1] && strchr("&!#$%*+,.:;<=>?@^`~", r->p[0]) &&
           r->p[0];
}

/* One character of a v-mode class. */
static bool set_char(Re *r, u32 *ret_value, bool *ret_is_set)
{
    *ret_is_set = false;
    if (r->p >= r->end) return re_fail(r, "unterminated character class");
    if (re_take(r, '\\')) {
        if (re_take(r, 'b')) {
            *ret_value = 8;
            return true;
        }
        return re_escape(r, true, ret_value, ret_is_set);
    }
    if (is_double_punct(r)) return re_fail(r, "invalid set operation in a character class");
    if (*r->p && strchr("()[]{}/-|", *r->p)) return re_fail(r, "invalid character in a class");
    u32 n;
    *ret_value = utf8_read(r->p, &n);
    r->p += n;
    return true;
}

/* `\q{` was taken: alternatives separated by `|`. */
static bool class_strings(Re *r, bool *ret_strings)
{
    u32 len = 0;
    *ret_strings = false;
    for (;;) {
        if (r->p >= r->end) return re_fail(r, "unterminated class string");
        if (*r->p == '|' || *r->p == '}') {
            if (len != 1) *ret_strings = true;
            len = 0;
            if (*r->p++ == '}') return true;
            continue;
        }
        u32 value;
        bool is_set;
        if (!set_char(r, &value, &is_set)) return false;
        if (is_set) return re_fail(r, "invalid escape in a class string");
        len++;
    }
}

/* An operand: nested class, \q{}, or a character (*ret_char true). */
static bool set_operand(Re *r, bool *ret_char, u32 *ret_value, bool *ret_strings)
{
    *ret_char = *ret_strings = false;
    if (re_take(r, '[')) return class_set(r, ret_strings);
    if (r->p + 2 < r->end && r->p[0] == '\\' && r->p[1] == 'q' && r->p[2] == '{') {
        r->p += 3;
        return class_strings(r, ret_strings);
    }
    bool is_set;
    r->strings = false;
    if (!set_char(r, ret_value, &is_set)) return false;
    *ret_char = !is_set;
    *ret_strings = is_set && r->strings;
    return true;
}

/* A union: operands and ranges.  `first` was an operand already read. */
static bool set_union(Re *r, bool is_char, u32 value, bool *strings)
{
    for (;;) {
        if (r->p + 1 < r->end && r->p[0] == '-' && r->p[1] != '-') {
            u32 hi = 0;
            bool hi_char, hi_strings;
            r->p++;
            if (!is_char) return re_fail(r, "invalid range in a character class");
            if (!set_operand(r, &hi_char, &hi, &hi_strings)) return false;
            if (!hi_char) return re_fail(r, "invalid range in a character class");
            if (value > hi) return re_fail(r, "range out of order in a character class");
        }
        if (r->p >= r->end || *r->p == ']') return true;
        bool more;
        if (!set_operand(r, &is_char, &value, &more)) return false;
        *strings |= more;
    }
}

/* `&&` or `--` chains; the first operand was read. */
static bool set_operation(Re *r, char op, bool *strings)
{
    while (r->p + 1 < r->end && r->p[0] == op && r->p[1] == op) {
        r->p += 2;
        if (op == '&' && r->p < r->end && *r->p == '&') {
            return re_fail(r, "invalid set operation in a character class");
        }
        u32 value;
        bool is_char, more;
        if (!set_operand(r, &is_char, &value, &more)) return false;
        if (op == '&') *strings &= more;
    }
    if (r->p < r->end && *r->p != ']') {
        return re_fail(r, "invalid set operation in a character class");
    }
    return true;
}

/* `[` was taken, in v mode. */
static bool class_set(Re *r, bool *ret_strings)
{
    if (++r->depth > DEPTH_MAX) return re_fail(r, "nested too deeply");
    bool negated = re_take(r, '^'), strings = false;
    if (r->p < r->end && *r->p != ']') {
        u32 value = 0;
        bool is_char;
        if (!set_operand(r, &is_char, &value, &strings)) return false;
        bool pair = r->p + 1 < r->end && r->p[0] == r->p[1];
        bool ok;
        if (pair && (*r->p == '&' || *r->p == '-'))
            ok = set_operation(r, *r->p, &strings);
        else
            ok = set_union(r, is_char, value, &strings);
        if (!ok) return false;
    }
    if (!re_take(r, ']')) return re_fail(r, "unterminated character class");
    if (negated && strings) return re_fail(r, "a negated class may not contain strings");
    *ret_strings = strings;
    r->depth--;
    return true;
}

bool re_class(Re *r)
{
    bool strings;
    if (r->v) return class_set(r, &strings);
    (void)re_take(r, '^');
    return class_ranges(r);
}
