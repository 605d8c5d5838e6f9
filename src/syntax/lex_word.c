/* syntax/lex_word.c -- identifiers, keywords and private names.
 *
 * Words are recognised by a perfect hash of length, first two and middle bytes.  The table is
 * checked by a unit test against token.def; tools/gen_tables/words.py writes it. */
#include "syntax/lex.h"

#include <string.h>

static const u8 word_table[256] = {
    0,  0,  0,  0,  0,  0,  36, 0,  0,  0,  64, 12, 0,  0,  0,  28, 0,  0,  0,  22, 0,  0,  0,  0,
    0,  0,  0,  0,  0,  55, 0,  60, 27, 0,  0,  0,  0,  3,  0,  0,  0,  0,  0,  1,  48, 0,  67, 0,
    0,  0,  18, 0,  0,  40, 0,  0,  6,  0,  45, 0,  24, 0,  0,  0,  0,  0,  49, 0,  32, 0,  72, 41,
    0,  33, 0,  0,  57, 0,  0,  0,  0,  20, 4,  0,  0,  39, 0,  74, 68, 0,  0,  21, 0,  0,  0,  0,
    75, 62, 0,  69, 0,  0,  0,  61, 0,  47, 58, 0,  0,  0,  0,  0,  0,  0,  59, 54, 66, 0,  8,  50,
    0,  0,  0,  0,  52, 23, 0,  0,  0,  0,  25, 0,  78, 0,  0,  0,  0,  0,  0,  0,  0,  81, 0,  0,
    0,  43, 0,  53, 70, 0,  0,  0,  38, 73, 0,  0,  42, 0,  31, 0,  0,  0,  11, 71, 0,  65, 0,  2,
    15, 0,  0,  0,  10, 0,  0,  0,  0,  79, 0,  0,  0,  0,  0,  19, 44, 0,  0,  0,  0,  0,  0,  0,
    0,  0,  0,  51, 0,  0,  29, 0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  77, 26, 16, 34, 13, 0,  0,
    0,  0,  80, 0,  0,  0,  37, 0,  0,  35, 0,  0,  56, 14, 0,  76, 0,  0,  30, 17, 0,  0,  0,  0,
    0,  0,  0,  0,  0,  0,  0,  5,  7,  0,  0,  9,  0,  63, 46, 0,
};

enum { WORD_LEN_MAX = 11 };

static inline Tok find_word(const char *p, usize n)
{
    if (n < 2 || n > WORD_LEN_MAX) return TOK_IDENT;
    u32 v = (u32)(u8)p[0] | (u32)(u8)p[1] << 8 | (u32)(u8)p[n / 2] << 16 | (u32)n << 24;
    u32 i = word_table[v * 0x93cd6717u >> 24];
    if (!i) return TOK_IDENT;
    const char *word = tok_name(ATOM_WORD(i));
    return !strncmp(word, p, n) && !word[n] ? ATOM_WORD(i) : TOK_IDENT;
}

typedef struct {
    u32 first, last;
    bool start;
} IdRange;

static const IdRange id_ranges[] = {
#define RANGE(first, last, start) {first, last, start},
#include "syntax/unicode_id.def"
#undef RANGE
};

static const IdRange *find_range(u32 c)
{
    usize lo = 0, hi = COUNT(id_ranges);
    while (lo < hi) {
        usize mid = (lo + hi) / 2;
        if (c > id_ranges[mid].last)
            lo = mid + 1;
        else if (c < id_ranges[mid].first)
            hi = mid;
        else
            return &id_ranges[mid];
    }
    return NULL;
}

bool is_id_start(u32 c)
{
    if (c < 0x80) return IS_CLASS(c, CC_ID_START);
    const IdRange *r = find_range(c);
    return r && r->start;
}

bool is_id_part(u32 c)
{
    if (c < 0x80) return IS_CLASS(c, CC_ID_PART);
    return c == 0x200c || c == 0x200d || find_range(c);
}

int hex_value(char c)
{
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

u32 lex_unicode_escape(Lexer *l)
{
    const char *p = l->at;
    if (*p != 'u') return UINT32_MAX;
    p++;
    u32 c = 0;
    if (*p == '{') {
        p++;
        if (hex_value(*p) < 0) return UINT32_MAX;
        for (; hex_value(*p) >= 0; p++) {
            c = c << 4 | (u32)hex_value(*p);
            if (c > 0x10ffff) return UINT32_MAX;
        }
        if (*p++ != '}') return UINT32_MAX;
    } else {
        for (int i = 0; i < 4; i++, p++) {
            if (hex_value(*p) < 0) return UINT32_MAX;
            c = c << 4 | (u32)hex_value(*p);
        }
    }
    l->at = p;
    return c;
}

void buf_push_wtf8(Buf *b, u32 c)
{
    if (c >= 0xd800 && c < 0xe000) {
        buf_push_char(b, (char)0xed);
        buf_push_char(b, (char)(0x80 | (c >> 6 & 0x3f)));
        buf_push_char(b, (char)(0x80 | (c & 0x3f)));
    } else {
        buf_push_utf8(b, c);
    }
}

/* An identifier with escapes or characters outside ASCII, from `at`. */
static bool scan_name(Lexer *l, bool *ret_escaped)
{
    AUTO(Buf) cooked = {0};
    const char *start = l->at;
    bool escaped = false, first = true;
    for (;; first = false) {
        u32 n, c = utf8_read(l->at, &n);
        const char *from = l->at;
        if (c == '\\') {
            l->at++;
            c = lex_unicode_escape(l);
            if (c == UINT32_MAX) {
                u32 pos = (u32)(from - l->src);
                return lex_error(l, pos, 1, "Expected a Unicode escape such as \\u0061 here");
            }
            if (first ? !is_id_start(c) : !is_id_part(c)) {
                return lex_error(l, (u32)(from - l->src), (u32)(l->at - from),
                                 "This escape does not stand for a character of an identifier");
            }
            if (!escaped) buf_push(&cooked, (Str){start, (usize)(from - start)});
            escaped = true;
            buf_push_utf8(&cooked, c);
            continue;
        }
        if (first ? !is_id_start(c) : !is_id_part(c)) break;
        if (l->at >= l->end) break;
        if (escaped) buf_push(&cooked, (Str){l->at, n});
        l->at += n;
    }
    if (l->at == start) return lex_error(l, (u32)(start - l->src), 1, "Expected an identifier");
    *ret_escaped = escaped;
    l->str = escaped ? str_dup(l->arena, buf_str(&cooked)) : (Str){start, (usize)(l->at - start)};
    return true;
}

void lex_word_slow(Lexer *l)
{
    l->tok = TOK_IDENT;
    /* A word with escapes never acts as a keyword, but may still not be used as a name where the
     * word is reserved: the parser sees that by its atom. */
    (void)scan_name(l, &l->escaped);
}

void lex_word(Lexer *l)
{
    const char *start = l->at, *p = start + 1;
    while (lex_class[(u8)*p] & CC_ID_PART) p++;
    if (UNLIKELY((u8)*p >= 0x80 || *p == '\\')) {
        usize ascii = (usize)(p - start);
        lex_word_slow(l);
        /* What stopped the loop was no part of the word: U+2028 behind `return`. */
        if (!l->escaped && l->str.n == ascii && l->tok == TOK_IDENT)
            l->tok = find_word(start, ascii);
        return;
    }
    usize n = (usize)(p - start);
    l->at = p;
    l->escaped = false;
    l->str = (Str){start, n};
    l->tok = find_word(start, n);
}

void lex_private(Lexer *l)
{
    u32 pos = (u32)(l->at - l->src);
    l->at++;
    u32 n, c = utf8_read(l->at, &n);
    if (l->at >= l->end || (!is_id_start(c) && c != '\\')) {
        lex_error(l, pos, 1, "Unexpected \"#\"");
        return;
    }
    if (scan_name(l, &l->escaped)) l->tok = TOK_PRIVATE;
}
