/* util/toml_text.c -- strings, numbers, dates and times of TOML. */
#include "util/toml_priv.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NUMBER_MAX = 4096 };

/* ---- Strings ----------------------------------------------------------------------------------
 */

static bool is_control(char c)
{
    return ((u8)c < 0x20 && c != '\t') || c == 0x7f;
}

static i32 hex_of(char c)
{
    if (toml_is_digit(c)) return c - '0';
    c = (char)(c | 0x20);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static char *put_utf8(char *to, u32 c)
{
    if (c < 0x80) {
        *to++ = (char)c;
        return to;
    }
    u32 more = c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
    static const u32 lead[] = {0, 0xc0, 0xe0, 0xf0};
    *to++ = (char)(lead[more] | c >> (6 * more));
    while (more--) *to++ = (char)(0x80 | (c >> (6 * more) & 0x3f));
    return to;
}

/* `at` stands behind "\u" and the like. */
static bool take_code(TomlParser *p, const char *at, u32 n_digits, char **to)
{
    u32 code = 0;
    if ((usize)(p->end - at) < n_digits) return toml_fail_at(p, at, "an escape that is cut off");
    for (u32 i = 0; i < n_digits; i++) {
        i32 digit = hex_of(at[i]);
        if (digit < 0) return toml_fail_at(p, at + i, "expected a hexadecimal digit");
        code = code << 4 | (u32)digit;
    }
    if (code > 0x10ffff || (code >= 0xd800 && code < 0xe000))
        return toml_fail_at(p, at, "an escape that is no character");
    *to = put_utf8(*to, code);
    return true;
}

/* At a backslash before a line's end: skips all white space.  false: it is none. */
static bool skip_folded(const char **at, const char *end)
{
    const char *c = *at + 1;
    while (c < end && (*c == ' ' || *c == '\t')) c++;
    if (c < end && *c == '\r') c++;
    if (c >= end || *c != '\n') return false;
    while (c < end && (*c == ' ' || *c == '\t' || *c == '\n' || *c == '\r')) c++;
    *at = c;
    return true;
}

/* At a backslash.  Moves *at behind the escape. */
static bool take_escape(TomlParser *p, const char **at, char **to)
{
    static const char names[] = "btnfre\"\\";
    static const char values[] = "\b\t\n\f\r\x1b\"\\";
    const char *c = *at + 1;
    char kind = c < p->end ? *c : 0;
    const char *simple = kind ? strchr(names, kind) : NULL;
    if (simple) {
        *(*to)++ = values[simple - names];
        *at = c + 1;
        return true;
    }
    u32 n_digits = kind == 'x' ? 2 : kind == 'u' ? 4 : kind == 'U' ? 8 : 0;
    if (!n_digits) return toml_fail_at(p, *at, "an unknown escape");
    if (!take_code(p, c + 1, n_digits, to)) return false;
    *at = c + 1 + n_digits;
    return true;
}

/* The closing quotes of a multi-line string: three, or more when it ends with quotes itself. */
static const char *find_long_end(TomlParser *p, const char *at, char quote)
{
    for (; at < p->end; at++) {
        if (*at == '\\' && quote == '"' && p->end - at > 1) {
            at++;
            continue;
        }
        if (*at != quote || p->end - at < 3 || at[1] != quote || at[2] != quote) continue;
        for (u32 i = 0; i < 2 && p->end - at > 3 && at[3] == quote; i++) at++;
        return at;
    }
    (void)toml_fail_at(p, p->at, "a string that is not closed");
    return NULL;
}

static const char *find_short_end(TomlParser *p, const char *at, char quote)
{
    for (; at < p->end && *at != '\n'; at++) {
        if (*at == quote) return at;
        if (*at == '\\' && quote == '"' && p->end - at > 1 && at[1] != '\n') at++;
    }
    (void)toml_fail_at(p, p->at, "a string that is not closed");
    return NULL;
}

static bool check_controls(TomlParser *p, const char *at, const char *end, bool is_long)
{
    for (; at < end; at++) {
        if (!is_control(*at)) continue;
        bool is_newline = *at == '\n' || (*at == '\r' && end - at > 1 && at[1] == '\n');
        if (!is_long || !is_newline) return toml_fail_at(p, at, "a control character in a string");
    }
    return true;
}

static bool decode(TomlParser *p, const char *at, const char *end, bool is_long, Str *ret)
{
    char *text = arena_alloc_dirty(p->arena, (usize)(end - at) + 1, 1), *to = text;
    while (at < end) {
        if (*at != '\\') {
            *to++ = *at++;
            continue;
        }
        if (is_long && skip_folded(&at, end)) continue;
        if (!take_escape(p, &at, &to)) return false;
    }
    *ret = (Str){text, (usize)(to - text)};
    return true;
}

bool toml_take_string(TomlParser *p, bool is_key, Str *ret)
{
    char quote = *p->at;
    bool is_long = toml_peek(p, 1) == quote && toml_peek(p, 2) == quote;
    if (is_long && is_key) return toml_fail(p, "a key cannot be a multi-line string");
    const char *from = p->at + (is_long ? 3 : 1);
    const char *end = is_long ? find_long_end(p, from, quote) : find_short_end(p, from, quote);
    if (!end) return false;
    if (is_long && *from == '\r' && from[1] == '\n') from++;
    if (is_long && *from == '\n') from++;
    if (!check_controls(p, from, end, is_long)) return false;
    Str raw = {from, (usize)(end - from)};
    *ret = raw;
    if (quote == '"' && str_find(raw, '\\') >= 0 && !decode(p, from, end, is_long, ret))
        return false;
    p->at = end + (is_long ? 3 : 1);
    return true;
}

/* ---- Dates and times --------------------------------------------------------------------------
 */

typedef struct {
    Str text; /* the whole token */
    usize at;
} Cursor;

static bool take_char(Cursor *c, char want)
{
    if (c->at >= c->text.n || c->text.p[c->at] != want) return false;
    c->at++;
    return true;
}

static bool take_digits(Cursor *c, u32 n, u32 *ret)
{
    u32 value = 0;
    for (u32 i = 0; i < n; i++) {
        char d = c->at < c->text.n ? c->text.p[c->at] : 0;
        if (!toml_is_digit(d)) return false;
        value = value * 10 + (u32)(d - '0');
        c->at++;
    }
    *ret = value;
    return true;
}

static bool take_date(Cursor *c)
{
    static const u8 days[] = {31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    u32 y, m, d;
    bool ok = take_digits(c, 4, &y) && take_char(c, '-') && take_digits(c, 2, &m) &&
              take_char(c, '-') && take_digits(c, 2, &d);
    if (!ok || m < 1 || m > 12 || d < 1 || d > days[m - 1]) return false;
    bool is_leap = y % 4 == 0 && (y % 100 != 0 || y % 400 == 0);
    return m != 2 || d < 29 || is_leap;
}

/* *ret_has_seconds: TOML 1.1 lets them be left out. */
static bool take_time(Cursor *c, bool *ret_has_seconds)
{
    u32 h, m, s = 0, ignored;
    if (!take_digits(c, 2, &h) || !take_char(c, ':') || !take_digits(c, 2, &m)) return false;
    *ret_has_seconds = take_char(c, ':');
    if (*ret_has_seconds && !take_digits(c, 2, &s)) return false;
    if (h > 23 || m > 59 || s > 60) return false;
    if (!*ret_has_seconds || !take_char(c, '.')) return true;
    if (!take_digits(c, 1, &ignored)) return false;
    while (take_digits(c, 1, &ignored)) continue;
    return true;
}

static bool take_offset(Cursor *c)
{
    u32 h, m;
    if (take_char(c, 'Z') || take_char(c, 'z')) return true;
    if (!take_char(c, '+') && !take_char(c, '-')) return false;
    return take_digits(c, 2, &h) && take_char(c, ':') && take_digits(c, 2, &m) && h <= 23 &&
           m <= 59;
}

/* The date is read, if there is one. */
static bool take_moment(TomlParser *p, Cursor *c, bool has_date, TomlNode *ret)
{
    usize date_len = has_date ? 10 : 0, time_at = c->at;
    bool has_seconds;
    if (!take_time(c, &has_seconds)) return false;
    usize time_len = c->at - time_at, offset_at = c->at;
    bool has_offset = has_date && c->at < c->text.n;
    if (has_offset && !take_offset(c)) return false;
    if (c->at != c->text.n) return false;
    ret->kind = !has_date ? TOML_LOCAL_TIME : has_offset ? TOML_DATETIME : TOML_LOCAL_DATETIME;
    Str offset = str_skip(c->text, offset_at);
    if (str_eq(offset, S("z"))) offset = S("Z");
    ret->str =
        str_fmt(p->arena, "%.*s%s%.*s%s%.*s", (int)date_len, c->text.p, has_date ? "T" : "",
                (int)time_len, c->text.p + time_at, has_seconds ? "" : ":00", STR_ARG(offset));
    return true;
}

static bool parse_moment(TomlParser *p, Str token, TomlNode *ret)
{
    Cursor c = {.text = token};
    if (token.p[2] == ':') return take_moment(p, &c, false, ret);
    if (!take_date(&c)) return false;
    if (c.at == token.n) {
        ret->kind = TOML_LOCAL_DATE;
        ret->str = token;
        return true;
    }
    if (!take_char(&c, 'T') && !take_char(&c, 't') && !take_char(&c, ' ')) return false;
    return take_moment(p, &c, true, ret);
}

/* ---- Numbers ----------------------------------------------------------------------------------
 */

/* Copies the digits of `s` without underscores, which stand between digits only. */
static bool take_underscores(Str s, bool is_hex, char *to, usize *ret_len)
{
    usize n = 0;
    if (s.n >= NUMBER_MAX) return false;
    for (usize i = 0; i < s.n; i++) {
        if (s.p[i] != '_') {
            to[n++] = s.p[i];
            continue;
        }
        if (i == 0 || i + 1 == s.n) return false;
        for (usize k = i - 1; k <= i + 1; k += 2)
            if (is_hex ? hex_of(s.p[k]) < 0 : !toml_is_digit(s.p[k])) return false;
    }
    to[n] = 0;
    *ret_len = n;
    return true;
}

static bool parse_radix(Str digits, u32 bits, TomlNode *ret)
{
    u64 value = 0;
    for (usize i = 0; i < digits.n; i++) {
        i32 d = hex_of(digits.p[i]);
        if (d < 0 || d >= 1 << bits || value >> (63 - bits)) return false;
        value = value << bits | (u64)d;
    }
    ret->kind = TOML_INTEGER;
    ret->integer = (i64)value;
    return digits.n > 0;
}

/* digits, fraction, exponent: *ret_is_float when there is one of the latter. */
static bool is_decimal(Str s, bool *ret_is_float)
{
    usize i = 0, from = 0;
    *ret_is_float = false;
    while (i < s.n && toml_is_digit(s.p[i])) i++;
    if (i == 0 || (s.p[0] == '0' && i > 1)) return false;
    if (i < s.n && s.p[i] == '.') {
        *ret_is_float = true;
        from = ++i;
        while (i < s.n && toml_is_digit(s.p[i])) i++;
        if (i == from) return false;
    }
    if (i < s.n && (s.p[i] | 0x20) == 'e') {
        *ret_is_float = true;
        i++;
        if (i < s.n && (s.p[i] == '+' || s.p[i] == '-')) i++;
        from = i;
        while (i < s.n && toml_is_digit(s.p[i])) i++;
        if (i == from) return false;
    }
    return i == s.n;
}

static bool parse_decimal(Str token, TomlNode *ret)
{
    char text[NUMBER_MAX];
    usize n;
    if (!take_underscores(token, false, text, &n)) return false;
    bool has_sign = text[0] == '+' || text[0] == '-', is_float;
    Str bare = {text + has_sign, n - has_sign};
    if (str_eq(bare, S("inf")) || str_eq(bare, S("nan"))) {
        ret->kind = TOML_FLOAT;
        ret->number = bare.p[0] == 'i' ? (f64)INFINITY : (f64)NAN;
        if (text[0] == '-') ret->number = -ret->number;
        return true;
    }
    if (!is_decimal(bare, &is_float)) return false;
    ret->kind = is_float ? TOML_FLOAT : TOML_INTEGER;
    if (is_float)
        ret->number = strtod(text, NULL);
    else
        return str_to_i64(text[0] == '-' ? (Str){text, n} : bare, &ret->integer);
    return true;
}

static bool parse_number(Str token, TomlNode *ret)
{
    u32 bits = 0;
    if (token.n > 2 && token.p[0] == '0')
        bits = token.p[1] == 'x' ? 4 : token.p[1] == 'o' ? 3 : token.p[1] == 'b' ? 1 : 0;
    if (!bits) return parse_decimal(token, ret);
    char digits[NUMBER_MAX];
    usize n;
    return take_underscores(str_skip(token, 2), true, digits, &n) &&
           parse_radix((Str){digits, n}, bits, ret);
}

static bool is_token_char(char c)
{
    return toml_is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '+' ||
           c == '-' || c == '_' || c == '.' || c == ':';
}

bool toml_take_scalar(TomlParser *p, TomlNode *ret)
{
    const char *from = p->at;
    while (p->at < p->end && is_token_char(*p->at)) p->at++;
    Str token = {from, (usize)(p->at - from)};
    if (!token.n) return toml_fail(p, "expected a value");
    bool is_moment = token.n >= 5 && toml_is_digit(token.p[0]) &&
                     (token.p[2] == ':' || (token.p[4] == '-' && toml_is_digit(token.p[3])));
    /* A blank may stand between date and time. */
    if (is_moment && token.n == 10 && toml_peek(p, 0) == ' ' && toml_is_digit(toml_peek(p, 1))) {
        p->at++;
        while (p->at < p->end && is_token_char(*p->at)) p->at++;
        token.n = (usize)(p->at - from);
    }
    if (is_moment)
        return parse_moment(p, token, ret) || toml_fail_at(p, from, "no valid date or time");
    bool is_number = toml_is_digit(token.p[0]) || token.p[0] == '+' || token.p[0] == '-' ||
                     token.p[0] == 'i' || token.p[0] == 'n';
    if (!is_number) return toml_fail_at(p, from, "expected a value: strings need quotes");
    return parse_number(token, ret) || toml_fail_at(p, from, "no valid number");
}
