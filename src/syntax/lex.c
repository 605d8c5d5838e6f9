/* syntax/lex.c -- words, white space and punctuators; hands everything else to its scanner.
 *
 * The class of the byte at the start of a token selects what happens through one switch.  What is
 * frequent has few branches, since those that depend on the text are guessed wrong: words and
 * indentation are measured 16 bytes at a time, a word is told from a keyword by one comparison, and
 * all punctuators of one byte that begin no longer one share a case. */
#include "syntax/lex_scan.h"

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
    static const char *const names[TOK_COUNT] = {
#define TOK(name, text) text,
#include "syntax/token.def"
#undef TOK
    };
    return names[t];
}

const AtomText lex_words[TOK_COUNT] = {
#define TOK(name, text) ATOM_TEXT(text),
#include "syntax/token.def"
#undef TOK
};

void lex_seed(Interner *in)
{
    interner_seed(in, lex_words + TOK_WORD_FIRST, TOK_WORD_LAST - TOK_WORD_FIRST + 1);
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
    if (LIKELY(!l->escaped)) return intern_padded(l->atoms, l->str); /* a view of the source */
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

/* Punctuators that may go on behind their first byte. */
static void lex_punct(Lexer *l)
{
    static const Tok stars[] = {TOK_STAR, TOK_STAR_STAR, TOK_ASSIGN_MUL, TOK_ASSIGN_POW};
    static const Tok ands[] = {TOK_AND, TOK_AND_AND, TOK_ASSIGN_AND, TOK_ASSIGN_AND_AND};
    static const Tok ors[] = {TOK_OR, TOK_OR_OR, TOK_ASSIGN_OR, TOK_ASSIGN_OR_OR};
    switch (*l->at) {
    case '<': lex_less(l); break;
    case '>': lex_greater(l); break;
    case '!': lex_bang(l); break;
    case '?': lex_question(l); break;
    case '*': lex_double(l, stars); break;
    case '&': lex_double(l, ands); break;
    case '|': lex_double(l, ors); break;
    case '+': lex_with_assign(l, TOK_PLUS, TOK_ASSIGN_ADD, TOK_INC); break;
    case '-': lex_with_assign(l, TOK_MINUS, TOK_ASSIGN_SUB, TOK_DEC); break;
    case '/': lex_with_assign(l, TOK_SLASH, TOK_ASSIGN_DIV, TOK_EOF); break;
    case '%': lex_with_assign(l, TOK_PERCENT, TOK_ASSIGN_MOD, TOK_EOF); break;
    default: lex_with_assign(l, TOK_XOR, TOK_ASSIGN_XOR, TOK_EOF);
    }
}

/* ---- Words ---- */

/* `p` is behind the last ASCII character of a word, before a character that may continue it. */
static COLD void finish_word(Lexer *l, const char *start, const char *p)
{
    usize ascii = (usize)(p - start);
    l->at = start;
    lex_word_slow(l);
    /* What stopped the loop was no part of the word: U+2028 behind `return`. */
    if (!l->escaped && l->str.n == ascii && l->tok == TOK_IDENT && ascii <= 16)
        l->tok = find_word(start, ascii);
}

/* `start` is the first byte of a word; `name`: it is no keyword. */
static inline __attribute__((always_inline)) void lex_word(Lexer *l, const char *start, bool name)
{
    const char *p = start;
    u32 ends = word_ends(p);
    while (UNLIKELY(!ends)) {
        p += 16;
        ends = word_ends(p);
    }
    p += __builtin_ctz(ends);
    usize n = (usize)(p - start);
    l->at = p;
    l->escaped = false;
    l->str = (Str){start, n};
    if (UNLIKELY((i8)*p < 0 || *p == '\\')) {
        finish_word(l, start, p);
        l->tok_end = (u32)(l->at - l->src);
        return;
    }
    l->tok = name ? TOK_IDENT : find_word(start, MIN(n, (usize)16));
    l->tok_end = (u32)(p - l->src);
}

/* ---- Dispatch ---- */

typedef enum {
    START_OTHER, /* the end, controls, bytes outside ASCII */
    START_WORD,
    START_NAME, /* a word that is no keyword */
    START_ONE,  /* a punctuator of one byte */
    START_SPACE,
    START_LINE,
    START_EQUALS,
    START_DOT,
    START_STRING,
    START_NUMBER,
    START_COMMENT, /* maybe */
    START_PUNCT,
    START_TEMPLATE,
    START_PRIVATE,
} Start;

static const u8 starts[256] = {
    ['a' ... 'z'] = START_WORD, ['A' ... 'Z'] = START_NAME,
    ['$'] = START_NAME,         ['_'] = START_WORD, /* __proto__ */
    ['{'] = START_ONE,          ['}'] = START_ONE,
    ['('] = START_ONE,          [')'] = START_ONE,
    ['['] = START_ONE,          [']'] = START_ONE,
    [';'] = START_ONE,          [','] = START_ONE,
    [':'] = START_ONE,          ['@'] = START_ONE,
    ['~'] = START_ONE,          [' '] = START_SPACE,
    ['\t'] = START_SPACE,       ['\v'] = START_SPACE,
    ['\f'] = START_SPACE,       ['\n'] = START_LINE,
    ['\r'] = START_LINE,        ['='] = START_EQUALS,
    ['.'] = START_DOT,          ['"'] = START_STRING,
    ['\''] = START_STRING,      ['0' ... '9'] = START_NUMBER,
    ['/'] = START_COMMENT,      ['<'] = START_COMMENT,
    ['-'] = START_COMMENT,      ['>'] = START_PUNCT,
    ['!'] = START_PUNCT,        ['?'] = START_PUNCT,
    ['*'] = START_PUNCT,        ['&'] = START_PUNCT,
    ['|'] = START_PUNCT,        ['+'] = START_PUNCT,
    ['%'] = START_PUNCT,        ['^'] = START_PUNCT,
    ['`'] = START_TEMPLATE,     ['#'] = START_PRIVATE,
};

static const u8 ones[128] = {
    ['{'] = TOK_LBRACE,   ['}'] = TOK_RBRACE,   ['('] = TOK_LPAREN, [')'] = TOK_RPAREN,
    ['['] = TOK_LBRACKET, [']'] = TOK_RBRACKET, [';'] = TOK_SEMI,   [','] = TOK_COMMA,
    [':'] = TOK_COLON,    ['@'] = TOK_AT,       ['~'] = TOK_TILDE,
};

Tok lex_near(const Lexer *l)
{
    const char *p = l->at + (*l->at == ' ');
    return starts[(u8)*p] == START_ONE ? (Tok)ones[(u8)*p] : TOK_EOF;
}

bool lex_may_be_word(const Lexer *l, char first)
{
    const char *p = l->at + (*l->at == ' ');
    Start start = (Start)starts[(u8)*p];
    return *p == first || *p == '/' || start == START_SPACE || start == START_OTHER;
}

/* Spaces and tabs. */
static inline const char *skip_spaces(const char *p)
{
    for (;;) {
        __m128i v = load16(p);
        __m128i blank = _mm_or_si128(_mm_cmpeq_epi8(v, _mm_set1_epi8(' ')),
                                     _mm_cmpeq_epi8(v, _mm_set1_epi8('\t')));
        u32 m = (u32)_mm_movemask_epi8(blank) ^ 0xffff;
        if (LIKELY(m)) return p + __builtin_ctz(m);
        p += 16;
    }
}

/* The token at `at`, which begins with a byte of class `start`. */
static void lex_rest(Lexer *l, Start start)
{
    switch (start) {
    case START_EQUALS: lex_equals(l); break;
    case START_DOT: lex_dot(l); break;
    case START_STRING: lex_string(l); break;
    case START_NUMBER: lex_number(l); break;
    case START_TEMPLATE: lex_template_start(l); break;
    case START_PRIVATE: lex_private(l); break;
    case START_OTHER: lex_other(l); break;
    default: lex_punct(l);
    }
    l->tok_end = (u32)(l->at - l->src);
}

void lex_next(Lexer *l)
{
    const char *p = l->at;
    l->prev_end = l->tok_end;
    l->nl = p == l->first;
    p += *p == ' ';
    for (;;) {
        Start start = (Start)starts[(u8)*p];
        switch (start) {
        case START_WORD:
            l->pos = (u32)(p - l->src);
            lex_word(l, p, false);
            return;
        case START_NAME:
            l->pos = (u32)(p - l->src);
            lex_word(l, p, true);
            return;
        case START_ONE:
            l->tok = (Tok)ones[(u8)*p];
            l->pos = (u32)(p - l->src);
            l->tok_end = l->pos + 1;
            l->at = p + 1;
            return;
        case START_LINE:
            l->nl = true;
            p = skip_spaces(p + 1);
            continue;
        case START_SPACE: p = skip_spaces(p + 1); continue;
        case START_COMMENT:
            l->at = p;
            if (lex_comment(l)) {
                p = l->at;
                continue;
            }
            p = l->at;
            if (UNLIKELY(l->dead)) start = START_OTHER;
            break;
        case START_OTHER:
            if ((u8)*p < 0x80) break;
            l->at = p;
            if (lex_unicode_space(l)) {
                p = l->at;
                continue;
            }
            break;
        default: break;
        }
        l->at = p;
        l->pos = (u32)(p - l->src);
        lex_rest(l, start);
        return;
    }
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
