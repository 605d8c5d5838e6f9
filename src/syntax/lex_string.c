/* syntax/lex_string.c -- string literals and templates.
 *
 * A string without escapes is a view of the source.  With escapes it is cooked into the arena as
 * WTF-8: UTF-8 in which an unpaired surrogate is written as its three bytes.  Templates are not
 * cooked here; only their escapes are checked, since a tagged template may contain bad ones. */
#include "syntax/lex.h"

#include <emmintrin.h>

static u32 here(const Lexer *l)
{
    return (u32)(l->at - l->src);
}

/* A low surrogate joins the high one that was written last. */
static void push_unit(Buf *b, u32 c)
{
    const u8 *p = (const u8 *)b->p + b->len;
    if (c >= 0xdc00 && c < 0xe000 && b->len >= 3 && p[-3] == 0xed && p[-2] >= 0xa0 &&
        p[-2] < 0xb0) {
        u32 high = 0xd000 | (u32)(p[-2] & 0x3f) << 6 | (p[-1] & 0x3fu);
        b->len -= 3;
        buf_push_utf8(b, 0x10000 + ((high - 0xd800) << 10) + (c - 0xdc00));
    } else {
        buf_push_wtf8(b, c);
    }
}

static bool take_hex_escape(Lexer *l, Buf *b)
{
    int hi = hex_value(l->at[1]), lo = hi < 0 ? -1 : hex_value(l->at[2]);
    if (lo < 0)
        return lex_error(l, here(l) - 1, 2, "Expected two hexadecimal digits after \"\\x\"");
    buf_push_utf8(b, (u32)(hi << 4 | lo));
    l->at += 3;
    return true;
}

static void take_octal_escape(Lexer *l, Buf *b)
{
    u32 v = 0;
    int max = *l->at <= '3' ? 3 : 2;
    for (int i = 0; i < max && *l->at >= '0' && *l->at <= '7'; i++)
        v = v * 8 + (u32)(*l->at++ - '0');
    l->legacy_octal = true;
    buf_push_utf8(b, v);
}

static char simple_escape(char c)
{
    switch (c) {
    case 'n': return '\n';
    case 't': return '\t';
    case 'r': return '\r';
    case 'b': return '\b';
    case 'v': return '\v';
    case 'f': return '\f';
    default: return c;
    }
}

/* `at` stands behind the backslash. */
static bool take_escape(Lexer *l, Buf *b)
{
    char c = *l->at;
    u32 start = here(l) - 1;
    switch (c) {
    case 'x': return take_hex_escape(l, b);
    case 'u': {
        u32 cp = lex_unicode_escape(l);
        if (cp == UINT32_MAX) {
            return lex_error(l, start, 2,
                             "Expected a Unicode escape such as \\u0061 or \\u{61} here");
        }
        push_unit(b, cp);
        return true;
    }
    case '\r': l->at += l->at[1] == '\n' ? 2 : 1; return true;
    case '\n': l->at++; return true;
    case '0':
        if (IS_CLASS(l->at[1], CC_DIGIT)) break;
        l->at++;
        buf_push_char(b, 0);
        return true;
    case '8':
    case '9':
        l->legacy_octal = true;
        buf_push_char(b, c);
        l->at++;
        return true;
    default: break;
    }
    if (c >= '0' && c <= '7') {
        take_octal_escape(l, b);
        return true;
    }
    u32 n, cp = utf8_read(l->at, &n);
    if (cp != 0x2028 && cp != 0x2029) {
        if (n == 1)
            buf_push_char(b, simple_escape(c));
        else
            buf_push(b, (Str){l->at, n});
    }
    l->at += n;
    return true;
}

static bool unterminated(Lexer *l)
{
    return lex_error(l, l->pos, 1, "This string is never closed");
}

/* From the first backslash on. */
static void cook(Lexer *l, const char *body, char quote)
{
    AUTO(Buf) b = {0};
    buf_push(&b, (Str){body, (usize)(l->at - body)});
    l->escaped = true;
    while (*l->at != quote) {
        if (*l->at == '\n' || *l->at == '\r' || l->at >= l->end) {
            unterminated(l);
            return;
        }
        if (*l->at == '\\') {
            l->at++;
            if (l->at >= l->end) {
                unterminated(l);
                return;
            }
            if (!take_escape(l, &b)) return;
            continue;
        }
        const char *from = l->at;
        while (*l->at != quote && *l->at != '\\' && *l->at != '\n' && *l->at != '\r' &&
               l->at < l->end) {
            l->at++;
        }
        buf_push(&b, (Str){from, (usize)(l->at - from)});
    }
    l->at++;
    l->str = str_dup(l->arena, buf_str(&b));
}

/* The first quote, backslash, line end or NUL from `p`. */
static const char *find_special(const char *p, char quote)
{
    const __m128i q = _mm_set1_epi8(quote), bs = _mm_set1_epi8('\\'), lf = _mm_set1_epi8('\n'),
                  cr = _mm_set1_epi8('\r'), zero = _mm_setzero_si128();
    for (;; p += 16) {
        /* The padding behind the text holds zeros, which end the search. */
        __m128i v = _mm_loadu_si128((const __m128i *)(const void *)p);
        __m128i hit = _mm_or_si128(_mm_or_si128(_mm_cmpeq_epi8(v, q), _mm_cmpeq_epi8(v, bs)),
                                   _mm_or_si128(_mm_cmpeq_epi8(v, lf), _mm_cmpeq_epi8(v, cr)));
        int m = _mm_movemask_epi8(_mm_or_si128(hit, _mm_cmpeq_epi8(v, zero)));
        if (m) return p + __builtin_ctz((unsigned)m);
    }
}

void lex_string(Lexer *l)
{
    char quote = *l->at;
    const char *body = l->at + 1, *p = body;
    l->tok = TOK_STR;
    l->escaped = l->legacy_octal = false;
    for (;; p++) {
        p = find_special(p, quote);
        if (*p != 0 || p >= l->end) break; /* a NUL is allowed inside */
    }
    l->at = p;
    if (*p == quote && p < l->end) {
        l->str = (Str){body, (usize)(p - body)};
        l->at++;
    } else if (*p == '\\') {
        cook(l, body, quote);
    } else {
        unterminated(l);
    }
}

/* Is the escape behind the backslash at `at` allowed in an untagged template?  Advances past it. */
static bool template_escape_ok(Lexer *l)
{
    char c = *l->at;
    if (c == 'u') {
        if (lex_unicode_escape(l) != UINT32_MAX) return true;
        l->at++;
        return false;
    }
    l->at++;
    if (c == 'x') return hex_value(l->at[0]) >= 0 && hex_value(l->at[1]) >= 0;
    if (c == '0') return !IS_CLASS(*l->at, CC_DIGIT);
    return !(c >= '1' && c <= '9');
}

/* The first byte from `p` that matters to a template: ` $ \\ or NUL. */
static const char *find_template_special(const char *p)
{
    for (;; p += 16) {
        __m128i v = _mm_loadu_si128((const __m128i *)(const void *)p);
        __m128i hit = _mm_or_si128(_mm_or_si128(_mm_cmpeq_epi8(v, _mm_set1_epi8('`')),
                                                _mm_cmpeq_epi8(v, _mm_set1_epi8('$'))),
                                   _mm_or_si128(_mm_cmpeq_epi8(v, _mm_set1_epi8('\\')),
                                                _mm_cmpeq_epi8(v, _mm_setzero_si128())));
        u32 m = (u32)_mm_movemask_epi8(hit);
        if (m) return p + __builtin_ctz(m);
    }
}

/* From the byte behind ` or }.  Both kinds of token end with the bytes of their delimiter. */
static void scan_template(Lexer *l, Tok closed, Tok open)
{
    l->escaped = false;
    l->bad_escape_at = 0;
    for (;; l->at++) {
        l->at = find_template_special(l->at);
        char c = *l->at;
        if (c == '`') {
            l->at++;
            l->tok = closed;
            return;
        }
        if (c == '$' && l->at[1] == '{') {
            l->at += 2;
            l->tok = open;
            return;
        }
        if (c == '\\') {
            l->escaped = true;
            u32 at = here(l) + 1;
            l->at++;
            if (l->at < l->end && !template_escape_ok(l) && !l->bad_escape_at)
                l->bad_escape_at = at;
            l->at--;
        }
        if (l->at >= l->end) {
            lex_error(l, l->pos, 1, "This template literal is never closed");
            return;
        }
    }
}

void lex_template_start(Lexer *l)
{
    l->at++;
    scan_template(l, TOK_TEMPLATE, TOK_TEMPLATE_HEAD);
}

void lex_template(Lexer *l)
{
    ASSERT(l->tok == TOK_RBRACE);
    l->at = l->src + l->pos + 1;
    scan_template(l, TOK_TEMPLATE_TAIL, TOK_TEMPLATE_MIDDLE);
    l->tok_end = here(l);
}
