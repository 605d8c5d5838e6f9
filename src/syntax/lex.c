/* syntax/lex.c -- white space, comments and punctuators; hands everything else to its scanner.
 *
 * The byte at the start of a token selects its scanner through one switch.  Runs of spaces and
 * comment bodies, most of the bytes that are not names, are skipped 16 bytes at a time. */
#include "syntax/lex.h"

#include <emmintrin.h>
#include <stdarg.h>
#include <string.h>

const u8 lex_class[256] = {
    ['\t'] = CC_SPACE,
    ['\v'] = CC_SPACE,
    ['\f'] = CC_SPACE,
    [' '] = CC_SPACE,
    ['$'] = CC_ID_START | CC_ID_PART,
    ['_'] = CC_ID_START | CC_ID_PART,
    ['0' ... '9'] = CC_ID_PART | CC_DIGIT | CC_HEX,
    ['A' ... 'F'] = CC_ID_START | CC_ID_PART | CC_HEX,
    ['G' ... 'Z'] = CC_ID_START | CC_ID_PART,
    ['a' ... 'f'] = CC_ID_START | CC_ID_PART | CC_HEX,
    ['g' ... 'z'] = CC_ID_START | CC_ID_PART,
};

const char *tok_name(Tok t)
{
    /* Rows of one length: words are compared without looking for their end. */
    static const char names[TOK_COUNT][24] = {
#define TOK(name, text) text,
#include "syntax/token.def"
#undef TOK
    };
    return names[t];
}

void lex_seed(Interner *in)
{
    for (u32 t = TOK_WORD_FIRST; t <= TOK_WORD_LAST; t++) {
        Atom a = intern(in, str_z(tok_name((Tok)t)));
        ASSERT(a == WORD_ATOM(t));
    }
}

Str lex_pad(Arena *a, Str text)
{
    char *p = arena_alloc_dirty(a, text.n + LEX_PADDING, 16);
    if (text.n) memcpy(p, text.p, text.n);
    memset(p + text.n, 0, LEX_PADDING);
    return (Str){p, text.n};
}

bool lex_error(Lexer *l, u32 pos, u32 len, const char *fmt, ...)
{
    if (!l->dead && !l->quiet) {
        AUTO(Scratch) s = scratch_begin(l->arena);
        va_list args;
        va_start(args, fmt);
        Str text = str_vfmt(s.arena, fmt, args);
        va_end(args);
        log_error(l->log, (Span){l->source, pos, len}, "%.*s", STR_ARG(text));
    }
    l->dead = true;
    l->tok = TOK_EOF;
    l->at = l->end;
    return false;
}

Atom lex_atom(Lexer *l)
{
    if (l->tok >= TOK_WORD_FIRST) return WORD_ATOM(l->tok);
    return intern(l->atoms, l->str);
}

u32 utf8_read(const char *p, u32 *ret_n)
{
    const u8 *s = (const u8 *)p;
    *ret_n = 1;
    if (s[0] < 0x80) return s[0];
    if (s[0] >= 0xc2 && s[0] < 0xe0 && (s[1] & 0xc0) == 0x80) {
        *ret_n = 2;
        return (u32)(s[0] & 0x1f) << 6 | (s[1] & 0x3fu);
    }
    if (s[0] >= 0xe0 && s[0] < 0xf0 && (s[1] & 0xc0) == 0x80 && (s[2] & 0xc0) == 0x80) {
        u32 c = (u32)(s[0] & 0xf) << 12 | (s[1] & 0x3fu) << 6 | (s[2] & 0x3fu);
        if (c < 0x800) return 0xfffd;
        *ret_n = 3;
        return c;
    }
    if (s[0] >= 0xf0 && s[0] < 0xf5 && (s[1] & 0xc0) == 0x80 && (s[2] & 0xc0) == 0x80 &&
        (s[3] & 0xc0) == 0x80) {
        u32 c = (u32)(s[0] & 7) << 18 | (s[1] & 0x3fu) << 12 | (s[2] & 0x3fu) << 6 | (s[3] & 0x3fu);
        if (c < 0x10000 || c > 0x10ffff) return 0xfffd;
        *ret_n = 4;
        return c;
    }
    return 0xfffd;
}

void lex_init(Lexer *l, const Source *source, Log *log, Arena *arena, Interner *atoms)
{
    *l = (Lexer){.source = source, .log = log, .arena = arena, .atoms = atoms};
    Str text = source->text;
    l->src = l->at = text.p;
    l->end = text.p + text.n;
    if (text.n > LEX_SIZE_MAX) {
        lex_error(l, 0, 0, "The file is larger than 1 GB");
        return;
    }
    ASSERT(!*l->end); /* the padding */
    if (str_starts(text, S("\xef\xbb\xbf"))) l->at += 3;
    if (l->at[0] == '#' && l->at[1] == '!') {
        while (l->at < l->end && *l->at != '\n' && *l->at != '\r' &&
               !((u8)l->at[0] == 0xe2 && (u8)l->at[1] == 0x80 && ((u8)l->at[2] | 1) == 0xa9)) {
            l->at++;
        }
    }
    l->first = l->at;
}

bool lex_has_newline(const Lexer *l, u32 from, u32 to)
{
    for (const char *p = l->src + from; p < l->src + to; p++) {
        if (*p == '\n' || *p == '\r') return true;
        if ((u8)p[0] == 0xe2 && (u8)p[1] == 0x80 && ((u8)p[2] | 1) == 0xa9) return true;
    }
    return false;
}

static void skip_line_comment(Lexer *l)
{
    const char *p = l->at;
    const __m128i lf = _mm_set1_epi8('\n'), cr = _mm_set1_epi8('\r'),
                  e2 = _mm_set1_epi8((char)0xe2);
    for (;;) {
        while (p + 16 <= l->end) {
            __m128i v = _mm_loadu_si128((const __m128i *)(const void *)p);
            __m128i hit = _mm_or_si128(_mm_or_si128(_mm_cmpeq_epi8(v, lf), _mm_cmpeq_epi8(v, cr)),
                                       _mm_cmpeq_epi8(v, e2));
            int m = _mm_movemask_epi8(hit);
            if (m) {
                p += __builtin_ctz((unsigned)m);
                break;
            }
            p += 16;
        }
        while (p < l->end && *p != '\n' && *p != '\r' && (u8)*p != 0xe2) p++;
        if (p >= l->end || (u8)*p != 0xe2) break;
        if ((u8)p[1] == 0x80 && ((u8)p[2] | 1) == 0xa9) break;
        p++;
    }
    l->at = p;
}

static bool skip_block_comment(Lexer *l)
{
    const char *p = l->at + 2;
    const __m128i star = _mm_set1_epi8('*'), lf = _mm_set1_epi8('\n'), cr = _mm_set1_epi8('\r'),
                  e2 = _mm_set1_epi8((char)0xe2);
    for (;;) {
        while (p + 16 <= l->end) {
            __m128i v = _mm_loadu_si128((const __m128i *)(const void *)p);
            __m128i hit =
                _mm_or_si128(_mm_or_si128(_mm_cmpeq_epi8(v, lf), _mm_cmpeq_epi8(v, cr)),
                             _mm_or_si128(_mm_cmpeq_epi8(v, star), _mm_cmpeq_epi8(v, e2)));
            int m = _mm_movemask_epi8(hit);
            if (m) {
                p += __builtin_ctz((unsigned)m);
                break;
            }
            p += 16;
        }
        if (p >= l->end) {
            return lex_error(l, (u32)(l->at - l->src), 2, "This comment is never closed");
        }
        if (*p == '*' && p[1] == '/') break;
        if (*p == '\n' || *p == '\r') l->nl = true;
        if ((u8)p[0] == 0xe2 && (u8)p[1] == 0x80 && ((u8)p[2] | 1) == 0xa9) l->nl = true;
        p++;
    }
    l->at = p + 2;
    return true;
}

/* White space outside ASCII: U+00A0, U+FEFF, category Zs, and the line terminators U+2028/9. */
static bool skip_unicode_space(Lexer *l)
{
    u32 n, c = utf8_read(l->at, &n);
    if (c == 0x2028 || c == 0x2029)
        l->nl = true;
    else if (c != 0xa0 && c != 0xfeff && c != 0x1680 && !(c >= 0x2000 && c <= 0x200a) &&
             c != 0x202f && c != 0x205f && c != 0x3000)
        return false;
    l->at += n;
    return true;
}

static bool take_html_comment(Lexer *l)
{
    if (!l->html_comments) return false;
    if (!l->html_comment_at) l->html_comment_at = (u32)(l->at - l->src) + 1;
    skip_line_comment(l);
    return true;
}

static inline void skip_spaces(Lexer *l)
{
    const char *p = l->at;
    const __m128i space = _mm_set1_epi8(' ');
    while (*p == ' ') {
        /* Indentation: the padding behind the text makes the load safe. */
        unsigned m = (unsigned)_mm_movemask_epi8(
            _mm_cmpeq_epi8(_mm_loadu_si128((const __m128i *)(const void *)p), space));
        if (m != 0xffff) {
            p += __builtin_ctz(~m);
            break;
        }
        p += 16;
    }
    l->at = p;
}

/* A comment, at `/`, `<` or `-`.  False when none begins here, or it never ends. */
static bool skip_comment(Lexer *l)
{
    const char *p = l->at;
    if (*p == '/') {
        if (p[1] == '*') return skip_block_comment(l);
        if (p[1] != '/') return false;
        skip_line_comment(l);
        return true;
    }
    if (*p == '<') return p[1] == '!' && p[2] == '-' && p[3] == '-' && take_html_comment(l);
    return p[1] == '-' && p[2] == '>' && l->nl && take_html_comment(l);
}

/* Leaves `at` at the first byte of the next token. */
void lex_trivia(Lexer *l)
{
    for (;;) {
        switch ((u8)*l->at) {
        case ' ': skip_spaces(l); continue;
        case '\t':
        case '\v':
        case '\f': l->at++; continue;
        case '\n':
        case '\r':
            l->nl = true;
            l->at++;
            continue;
        case '/':
        case '<':
        case '-':
            if (!skip_comment(l)) return;
            continue;
        default:
            if ((u8)*l->at < 0x80 || !skip_unicode_space(l)) return;
        }
    }
}

static void punct(Lexer *l, Tok t, u32 n)
{
    l->tok = t;
    l->at += n;
}

static void lex_dot(Lexer *l)
{
    if (IS_CLASS(l->at[1], CC_DIGIT))
        lex_number(l);
    else if (l->at[1] == '.' && l->at[2] == '.')
        punct(l, TOK_ELLIPSIS, 3);
    else
        punct(l, TOK_DOT, 1);
}

static void lex_less(Lexer *l)
{
    const char *p = l->at;
    if (p[1] == '<') {
        if (p[2] == '=')
            punct(l, TOK_ASSIGN_SHL, 3);
        else
            punct(l, TOK_SHL, 2);
    } else if (p[1] == '=') {
        punct(l, TOK_LE, 2);
    } else {
        punct(l, TOK_LT, 1);
    }
}

static void lex_greater(Lexer *l)
{
    const char *p = l->at;
    if (p[1] == '>' && p[2] == '>') {
        if (p[3] == '=')
            punct(l, TOK_ASSIGN_USHR, 4);
        else
            punct(l, TOK_USHR, 3);
    } else if (p[1] == '>') {
        if (p[2] == '=')
            punct(l, TOK_ASSIGN_SHR, 3);
        else
            punct(l, TOK_SHR, 2);
    } else if (p[1] == '=') {
        punct(l, TOK_GE, 2);
    } else {
        punct(l, TOK_GT, 1);
    }
}

static void lex_equals(Lexer *l)
{
    const char *p = l->at;
    if (p[1] == '=') {
        if (p[2] == '=')
            punct(l, TOK_EQ_STRICT, 3);
        else
            punct(l, TOK_EQ, 2);
    } else if (p[1] == '>') {
        punct(l, TOK_ARROW, 2);
    } else {
        punct(l, TOK_ASSIGN, 1);
    }
}

static void lex_bang(Lexer *l)
{
    const char *p = l->at;
    if (p[1] != '=')
        punct(l, TOK_NOT, 1);
    else if (p[2] == '=')
        punct(l, TOK_NE_STRICT, 3);
    else
        punct(l, TOK_NE, 2);
}

static void lex_question(Lexer *l)
{
    const char *p = l->at;
    if (p[1] == '?') {
        if (p[2] == '=')
            punct(l, TOK_ASSIGN_NULLISH, 3);
        else
            punct(l, TOK_NULLISH, 2);
    } else if (p[1] == '.' && !IS_CLASS(p[2], CC_DIGIT)) {
        punct(l, TOK_QUESTION_DOT, 2);
    } else {
        punct(l, TOK_QUESTION, 1);
    }
}

/* `c`, `cc`, `c=`, `cc=`: the shape of & | and *. */
static void lex_double(Lexer *l, const Tok t[4])
{
    const char *p = l->at;
    if (p[1] == p[0]) {
        if (p[2] == '=')
            punct(l, t[3], 3);
        else
            punct(l, t[1], 2);
    } else if (p[1] == '=') {
        punct(l, t[2], 2);
    } else {
        punct(l, t[0], 1);
    }
}

/* `c`, `c=`, `cc`: the shape of + and -, and without the third of / % ^. */
static void lex_with_assign(Lexer *l, Tok plain, Tok assign, Tok twice)
{
    const char *p = l->at;
    if (p[1] == '=')
        punct(l, assign, 2);
    else if (p[1] == p[0] && twice)
        punct(l, twice, 2);
    else
        punct(l, plain, 1);
}

static void lex_other(Lexer *l)
{
    if (l->at >= l->end) {
        l->tok = TOK_EOF;
        return;
    }
    u32 n, c = utf8_read(l->at, &n);
    if (is_id_start(c) || c == '\\') {
        lex_word_slow(l);
        return;
    }
    u32 pos = (u32)(l->at - l->src);
    if (c < 0x20 || c == 0x7f)
        lex_error(l, pos, 1, "Unexpected character \"\\x%02X\"", c);
    else
        lex_error(l, pos, n, "Unexpected character \"%.*s\"", (int)n, l->at);
}

static void lex_punct(Lexer *l)
{
    static const Tok stars[] = {TOK_STAR, TOK_STAR_STAR, TOK_ASSIGN_MUL, TOK_ASSIGN_POW};
    static const Tok ands[] = {TOK_AND, TOK_AND_AND, TOK_ASSIGN_AND, TOK_ASSIGN_AND_AND};
    static const Tok ors[] = {TOK_OR, TOK_OR_OR, TOK_ASSIGN_OR, TOK_ASSIGN_OR_OR};
    switch (*l->at) {
    case '{': punct(l, TOK_LBRACE, 1); break;
    case '}': punct(l, TOK_RBRACE, 1); break;
    case '(': punct(l, TOK_LPAREN, 1); break;
    case ')': punct(l, TOK_RPAREN, 1); break;
    case '[': punct(l, TOK_LBRACKET, 1); break;
    case ']': punct(l, TOK_RBRACKET, 1); break;
    case ';': punct(l, TOK_SEMI, 1); break;
    case ',': punct(l, TOK_COMMA, 1); break;
    case ':': punct(l, TOK_COLON, 1); break;
    case '@': punct(l, TOK_AT, 1); break;
    case '~': punct(l, TOK_TILDE, 1); break;
    case '.': lex_dot(l); break;
    case '<': lex_less(l); break;
    case '>': lex_greater(l); break;
    case '=': lex_equals(l); break;
    case '!': lex_bang(l); break;
    case '?': lex_question(l); break;
    case '*': lex_double(l, stars); break;
    case '&': lex_double(l, ands); break;
    case '|': lex_double(l, ors); break;
    case '+': lex_with_assign(l, TOK_PLUS, TOK_ASSIGN_ADD, TOK_INC); break;
    case '-': lex_with_assign(l, TOK_MINUS, TOK_ASSIGN_SUB, TOK_DEC); break;
    case '/': lex_with_assign(l, TOK_SLASH, TOK_ASSIGN_DIV, TOK_EOF); break;
    case '%': lex_with_assign(l, TOK_PERCENT, TOK_ASSIGN_MOD, TOK_EOF); break;
    case '^': lex_with_assign(l, TOK_XOR, TOK_ASSIGN_XOR, TOK_EOF); break;
    default: lex_other(l);
    }
}

void lex_next(Lexer *l)
{
    l->prev_end = l->tok_end;
    l->nl = l->at == l->first;
    if (*l->at == ' ') l->at++;
    if ((u8)(lex_class[(u8)*l->at] & CC_ID_START) == 0) lex_trivia(l);
    l->pos = (u32)(l->at - l->src);
    u8 c = (u8)*l->at;
    if (lex_class[c] & CC_ID_START)
        lex_word(l);
    else if (lex_class[c] & CC_DIGIT)
        lex_number(l);
    else if (c == '"' || c == '\'')
        lex_string(l);
    else if (c == '`')
        lex_template_start(l);
    else if (c == '#')
        lex_private(l);
    else
        lex_punct(l);
    l->tok_end = (u32)(l->at - l->src);
}

void lex_split_gt(Lexer *l)
{
    ASSERT(l->tok != TOK_EOF);
    l->tok = TOK_GT;
    l->tok_end = l->pos + 1;
    l->at = l->src + l->tok_end;
}

void lex_split_lt(Lexer *l)
{
    ASSERT(l->tok != TOK_EOF);
    l->tok = TOK_LT;
    l->tok_end = l->pos + 1;
    l->at = l->src + l->tok_end;
}
