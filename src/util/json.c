/* util/json.c -- the parser (see json.h).
 *
 * Recursive descent with a depth limit.  Children are collected on one stack that the whole parse
 * shares and are copied to the arena, exactly sized, when their bracket closes.  Strings are
 * scanned 16 bytes at a time for the three things that can end the easy run: a quote, a backslash,
 * a control character. */
#include "util/json.h"

#include "util/vec.h"

#include <emmintrin.h>
#include <string.h>

enum { JSON5_ONLY = 4 };

typedef struct {
    const char *start, *at, *end;
    u32 flags, depth;
    Arena *arena;
    Arena *tmp; /* of the stack */
    Vec(JsonNode) stack;
    const char *what, *what_at; /* the error */
} Parser;

static bool parse_value(Parser *p, JsonNode *ret);

static COLD bool fail_at(Parser *p, const char *at, const char *what)
{
    if (!p->what) {
        p->what = what;
        p->what_at = at;
    }
    return false;
}

static COLD bool fail(Parser *p, const char *what)
{
    return fail_at(p, p->at, p->at == p->end ? "unexpected end of file" : what);
}

/* ---- White space and comments ------------------------------------------------------------------
 */

static bool skip_comment(Parser *p)
{
    const char *open = p->at;
    usize left = (usize)(p->end - open);
    if (left >= 2 && open[1] == '/') {
        const char *nl = memchr(open, '\n', left);
        p->at = nl ? nl : p->end;
        return true;
    }
    if (left >= 2 && open[1] == '*') {
        const char *close = memmem(open + 2, left - 2, "*/", 2);
        if (!close) return fail_at(p, open, "a comment that is not closed");
        p->at = close + 2;
        return true;
    }
    return fail(p, "expected a comment after '/'");
}

/* The bytes of one of JSON5's white-space characters outside ASCII, or 0. */
static usize wide_space(const char *s, const char *end)
{
    usize n = (usize)(end - s);
    if (n >= 2 && !memcmp(s, "\xc2\xa0", 2)) return 2;
    if (n < 3) return 0;
    u8 last = (u8)s[2];
    if (!memcmp(s, "\xe2\x80", 2))
        return last <= 0x8a || last == 0xa8 || last == 0xa9 || last == 0xaf ? 3 : 0;
    static const char others[][4] = {"\xe1\x9a\x80", "\xe2\x81\x9f", "\xe3\x80\x80",
                                     "\xef\xbb\xbf"};
    for (u32 i = 0; i < COUNT(others); i++)
        if (!memcmp(s, others[i], 3)) return 3;
    return 0;
}

static bool skip_space_slow(Parser *p)
{
    while (p->at < p->end) {
        u8 c = (u8)*p->at;
        if (c == ' ' || c == '\n' || c == '\r' || c == '\t') {
            p->at++;
        } else if (c == '/' && (p->flags & JSON_COMMENTS)) {
            if (!skip_comment(p)) return false;
        } else if ((p->flags & JSON5_ONLY) && (c == '\v' || c == '\f')) {
            p->at++;
        } else if ((p->flags & JSON5_ONLY) && c >= 0x80) {
            usize n = wide_space(p->at, p->end);
            if (!n) return true;
            p->at += n;
        } else {
            return true;
        }
    }
    return true;
}

/* A whole block of spaces at a time: indentation is half of a pretty-printed document. */
static const char *skip_blanks(const char *s, const char *end)
{
    while (end - s >= 16) {
        __m128i v = _mm_loadu_si128((const __m128i *)(const void *)s);
        int spaces = _mm_movemask_epi8(_mm_cmpeq_epi8(v, _mm_set1_epi8(' ')));
        if (spaces != 0xffff) return s + __builtin_ctz(~(u32)spaces);
        s += 16;
    }
    while (s < end && *s == ' ') s++;
    return s;
}

static inline bool skip_space(Parser *p)
{
    const char *s = p->at;
    if (s < p->end && (u8)*s > ' ' && (u8)*s < 0x80 && *s != '/') return true;
    if (s < p->end && *s == '\n') s++;
    if (s < p->end && *s == ' ') s = skip_blanks(s, p->end);
    p->at = s;
    if (s < p->end && (u8)*s > ' ' && (u8)*s < 0x80 && *s != '/') return true;
    return skip_space_slow(p);
}

/* ---- Strings ----------------------------------------------------------------------------------
 */

/* The first quote, backslash or control character at or after `s`. */
static inline const char *find_special(const char *s, const char *end, char quote)
{
    const __m128i q = _mm_set1_epi8(quote), b = _mm_set1_epi8('\\'), low = _mm_set1_epi8(0x1f);
    for (; end - s >= 16; s += 16) {
        __m128i v = _mm_loadu_si128((const __m128i *)(const void *)s);
        __m128i hit = _mm_or_si128(_mm_cmpeq_epi8(v, q), _mm_cmpeq_epi8(v, b));
        hit = _mm_or_si128(hit, _mm_cmpeq_epi8(_mm_max_epu8(v, low), low));
        int mask = _mm_movemask_epi8(hit);
        if (mask) return s + __builtin_ctz((u32)mask);
    }
    while (s < end && *s != quote && *s != '\\' && (u8)*s > 0x1f) s++;
    return s;
}

static bool is_hex(char c)
{
    return (c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'f');
}

static bool are_hex(const char *s, const char *end, usize n)
{
    if ((usize)(end - s) < n) return false;
    for (usize i = 0; i < n; i++)
        if (!is_hex(s[i])) return false;
    return true;
}

/* `s` is at the backslash; the end of the escape, or NULL. */
static const char *skip_escape(const Parser *p, const char *s)
{
    if (p->end - s < 2) return NULL;
    char c = s[1];
    if (c == 'u') return are_hex(s + 2, p->end, 4) ? s + 6 : NULL;
    if (c && strchr("\"\\/bfnrt", c)) return s + 2;
    if (!(p->flags & JSON5_ONLY)) return NULL;
    if (c == 'x') return are_hex(s + 2, p->end, 2) ? s + 4 : NULL;
    if (c >= '1' && c <= '9') return NULL;
    if (c == '0' && p->end - s > 2 && s[2] >= '0' && s[2] <= '9') return NULL;
    if (c == '\r' && p->end - s > 2 && s[2] == '\n') return s + 3;
    return s + 2;
}

static bool parse_string(Parser *p, JsonNode *ret)
{
    const char *open = p->at;
    const char *s = open + 1;
    bool has_escape = false;
    for (;;) {
        s = find_special(s, p->end, *open);
        if (s == p->end) return fail_at(p, open, "a string that is not closed");
        if (*s == *open) break;
        if (*s == '\\') {
            const char *next = skip_escape(p, s);
            if (!next) return fail_at(p, s, "an escape that does not exist");
            s = next;
            has_escape = true;
        } else if ((p->flags & JSON5_ONLY) && *s != '\n' && *s != '\r') {
            s++;
        } else {
            return fail_at(p, s, "a control character inside a string");
        }
    }
    s++;
    *ret = (JsonNode){
        .kind = JSON_STRING, .has_escape = has_escape, .size = (u32)(s - open), .at = open};
    p->at = s;
    return true;
}

/* ---- Numbers and words ------------------------------------------------------------------------
 */

static const char *skip_digits(const char *s, const char *end)
{
    while (s < end && *s >= '0' && *s <= '9') s++;
    return s;
}

static bool is_word_byte(char c)
{
    return (c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z') || c == '_' ||
           c == '$' || (u8)c >= 0x80;
}

static bool eat_word(Parser *p, const char *s, const char *word, usize n)
{
    if ((usize)(p->end - s) < n || memcmp(s, word, n) != 0) return false;
    return s + n == p->end || !is_word_byte(s[n]);
}

/* JSON5: Infinity, NaN and hexadecimal behind an optional sign; NULL when it is none of these. */
static const char *skip_json5_number(Parser *p, const char *s)
{
    if (eat_word(p, s, "Infinity", 8)) return s + 8;
    if (eat_word(p, s, "NaN", 3)) return s + 3;
    if (p->end - s < 3 || s[0] != '0' || (s[1] | 0x20) != 'x' || !is_hex(s[2])) return NULL;
    s += 2;
    while (s < p->end && is_hex(*s)) s++;
    return s;
}

/* The digits, fraction and exponent; NULL after an error. */
static const char *skip_decimal(Parser *p, const char *s)
{
    bool is_json5 = p->flags & JSON5_ONLY;
    const char *digits = s;
    s = skip_digits(s, p->end);
    bool has_int = s > digits;
    if (has_int && *digits == '0' && s > digits + 1)
        return fail_at(p, digits, "a number with a leading zero"), NULL;
    if (s < p->end && *s == '.' && (has_int || is_json5)) {
        const char *fraction = ++s;
        s = skip_digits(s, p->end);
        if (s == fraction && !(is_json5 && has_int))
            return fail_at(p, s, "expected a digit after '.'"), NULL;
    } else if (!has_int) {
        return fail_at(p, s, "expected a digit"), NULL;
    }
    if (s < p->end && (*s | 0x20) == 'e') {
        s++;
        if (s < p->end && (*s == '+' || *s == '-')) s++;
        const char *exponent = s;
        s = skip_digits(s, p->end);
        if (s == exponent) return fail_at(p, s, "expected a digit in the exponent"), NULL;
    }
    return s;
}

static bool parse_number(Parser *p, JsonNode *ret)
{
    const char *start = p->at;
    const char *s = start;
    const char *end = NULL;
    if (*s == '-' || *s == '+') s++;
    if (p->flags & JSON5_ONLY) end = skip_json5_number(p, s);
    if (!end) end = skip_decimal(p, s);
    if (!end) return false;
    if (end < p->end && is_word_byte(*end)) return fail_at(p, end, "expected the end of a number");
    *ret = (JsonNode){.kind = JSON_NUMBER, .size = (u32)(end - start), .at = start};
    p->at = end;
    return true;
}

static bool parse_word(Parser *p, JsonNode *ret)
{
    static const struct {
        const char *word;
        u8 size, kind;
    } words[] = {{"true", 4, JSON_TRUE}, {"false", 5, JSON_FALSE}, {"null", 4, JSON_NULL}};
    for (u32 i = 0; i < COUNT(words); i++) {
        if (!eat_word(p, p->at, words[i].word, words[i].size)) continue;
        *ret = (JsonNode){.kind = words[i].kind, .size = words[i].size, .at = p->at};
        p->at += words[i].size;
        return true;
    }
    return fail(p, "expected a value");
}

/* ---- Arrays and objects -----------------------------------------------------------------------
 */

/* Moves the nodes above `base` from the shared stack to the arena. */
static JsonNode *take_items(Parser *p, u32 base)
{
    u32 n = p->stack.len - base;
    if (!n) return NULL;
    JsonNode *items = arena_alloc_dirty(p->arena, (usize)n * sizeof(JsonNode), _Alignof(JsonNode));
    memcpy(items, p->stack.at + base, (usize)n * sizeof(JsonNode));
    p->stack.len = base;
    return items;
}

static bool parse_key(Parser *p, JsonNode *ret)
{
    if (p->at == p->end) return fail(p, "");
    if (*p->at == '"' || (*p->at == '\'' && (p->flags & JSON5_ONLY))) return parse_string(p, ret);
    if (!(p->flags & JSON5_ONLY)) return fail(p, "expected a key in double quotes");
    const char *start = p->at;
    bool has_escape = false;
    if (*start >= '0' && *start <= '9') return fail(p, "expected a key");
    while (p->at < p->end && (is_word_byte(*p->at) || *p->at == '\\')) {
        if (*p->at == '\\') {
            if (p->end - p->at < 6 || p->at[1] != 'u' || !are_hex(p->at + 2, p->end, 4))
                return fail(p, "an escape that does not exist");
            has_escape = true;
            p->at += 6;
        } else if ((u8)*p->at >= 0x80 && wide_space(p->at, p->end)) {
            break;
        } else {
            p->at++;
        }
    }
    if (p->at == start) return fail(p, "expected a key");
    *ret = (JsonNode){.kind = JSON_STRING,
                      .has_escape = has_escape,
                      .is_bare = true,
                      .size = (u32)(p->at - start),
                      .at = start};
    return true;
}

/* Behind an element: true with *ret_more when a further element follows, false on an error.  Eats
 * the closing bracket. */
static bool parse_separator(Parser *p, char close, const char *what, bool *ret_more)
{
    if (!skip_space(p)) return false;
    if (p->at == p->end) return fail(p, what);
    char c = *p->at;
    if (c != ',' && c != close) return fail(p, what);
    p->at++;
    *ret_more = c == ',';
    if (c != ',') return true;
    const char *comma = p->at - 1;
    if (!skip_space(p)) return false;
    if (p->at < p->end && *p->at == close) {
        if (!(p->flags & JSON_TRAILING_COMMAS))
            return fail_at(p, comma, "a comma before a closing bracket");
        p->at++;
        *ret_more = false;
    }
    return true;
}

static bool parse_member(Parser *p)
{
    JsonNode node;
    if (!parse_key(p, &node)) return false;
    vec_push(p->tmp, &p->stack, node);
    if (!skip_space(p)) return false;
    if (p->at == p->end || *p->at != ':') return fail(p, "expected ':' after a key");
    p->at++;
    if (!parse_value(p, &node)) return false;
    vec_push(p->tmp, &p->stack, node);
    return true;
}

static bool parse_container(Parser *p, JsonNode *ret)
{
    const char *start = p->at;
    bool is_object = *start == '{';
    char close = is_object ? '}' : ']';
    const char *what =
        is_object ? "expected ',' or '}' after a member" : "expected ',' or ']' after an element";
    if (++p->depth > JSON_DEPTH_MAX) return fail(p, "brackets nested too deeply");
    p->at++;
    if (!skip_space(p)) return false;
    u32 base = p->stack.len;
    bool more = p->at == p->end || *p->at != close;
    if (!more) p->at++;
    while (more) {
        JsonNode node;
        if (is_object) {
            if (!parse_member(p)) return false;
        } else {
            if (!parse_value(p, &node)) return false;
            vec_push(p->tmp, &p->stack, node);
        }
        if (!parse_separator(p, close, what, &more)) return false;
    }
    p->depth--;
    u32 n = p->stack.len - base;
    *ret = (JsonNode){.kind = is_object ? JSON_OBJECT : JSON_ARRAY,
                      .size = (u32)(p->at - start),
                      .at = start,
                      .len = is_object ? n / 2 : n,
                      .items = take_items(p, base)};
    return true;
}

static bool parse_value(Parser *p, JsonNode *ret)
{
    if (!skip_space(p)) return false;
    if (p->at == p->end) return fail(p, "");
    char c = *p->at;
    if (c == '"') return parse_string(p, ret);
    if (c == '{' || c == '[') return parse_container(p, ret);
    if (c == '-' || (c >= '0' && c <= '9')) return parse_number(p, ret);
    if (p->flags & JSON5_ONLY) {
        if (c == '\'') return parse_string(p, ret);
        if (c == '+' || c == '.' || c == 'I' || c == 'N') return parse_number(p, ret);
    }
    return parse_word(p, ret);
}

static JsonError make_error(const Parser *p)
{
    JsonError e = {.offset = (u32)(p->what_at - p->start), .line = 1, .what = p->what};
    const char *line = p->start;
    for (const char *s = p->start; s < p->what_at; s++) {
        if (*s != '\n') continue;
        e.line++;
        line = s + 1;
    }
    e.column = (u32)(p->what_at - line) + 1;
    return e;
}

bool json_parse(Arena *a, Str text, JsonFlags flags, JsonNode *ret, JsonError *ret_err)
{
    ASSERT(a);
    AUTO(Scratch) tmp = scratch_begin(a);
    if (!text.p) text.p = "";
    Parser p = {.start = text.p,
                .at = text.p,
                .end = text.p + text.n,
                .flags = flags,
                .arena = a,
                .tmp = tmp.arena};
    if (str_starts(text, S("\xef\xbb\xbf"))) p.at += 3;
    JsonNode root;
    bool ok = text.n < UINT32_MAX ? parse_value(&p, &root) && skip_space(&p)
                                  : fail_at(&p, p.start, "a document of more than 4 GiB");
    if (ok && p.at != p.end) ok = fail(&p, "expected the end of the file");
    if (!ok) {
        *ret_err = make_error(&p);
        return false;
    }
    *ret = root;
    return true;
}
