/* syntax/lex_trivia.c -- what stands between tokens: white space and comments.
 *
 * Comment bodies, in some files most of the bytes, are skipped 16 bytes at a time; the padding
 * behind the text makes every load safe and holds nothing that could be taken for an end.  Comments
 * that mean something to a compiler are noted on the way. */
#include "syntax/lex.h"

#include <emmintrin.h>
#include <string.h>

static inline __m128i load16(const char *p)
{
    return _mm_loadu_si128((const __m128i *)(const void *)p);
}

static inline u32 equals(__m128i v, char c)
{
    return (u32)_mm_movemask_epi8(_mm_cmpeq_epi8(v, _mm_set1_epi8(c)));
}

/* U+2028 and U+2029 end lines too. */
static bool is_separator(const char *p)
{
    return (u8)p[0] == 0xe2 && (u8)p[1] == 0x80 && ((u8)p[2] | 1) == 0xa9;
}

bool lex_has_newline(const Lexer *l, u32 from, u32 to)
{
    const char *end = l->src + to;
    for (const char *p = l->src + from; p < end; p += 16) {
        __m128i v = load16(p);
        u32 m = equals(v, '\n') | equals(v, '\r'), wide = equals(v, (char)0xe2);
        for (; UNLIKELY(wide); wide &= wide - 1)
            if (is_separator(p + __builtin_ctz(wide))) m |= wide & -wide;
        if (m) return p + __builtin_ctz(m) < end;
    }
    return false;
}

/* ---- Comments that are noted ---- */

enum { LEGAL_MAX = 64 }; /* more in one file are not kept */

static bool at_word(const char *p, const char *end, Str word)
{
    return (usize)(end - p) >= word.n && !memcmp(p, word.p, word.n);
}

/* Looks for @license, @preserve and __PURE__ behind @ or #. */
static bool find_notes(LexNotes *notes, const char *p, const char *end)
{
    bool legal = false;
    for (; p < end; p += 16) {
        __m128i v = load16(p), next = load16(p + 1);
        u32 m = equals(next, 'l') | equals(next, 'p') | equals(next, '_');
        m &= equals(v, '@') | equals(v, '#');
        for (; UNLIKELY(m); m &= m - 1) {
            const char *q = p + __builtin_ctz(m);
            if (q >= end) break;
            legal |= at_word(q, end, S("@license")) || at_word(q, end, S("@preserve"));
            notes->pure |= at_word(q + 1, end, S("__PURE__"));
        }
    }
    return legal;
}

/* A comment from `from` to `end`, whose text begins at `body`. */
static void note_comment(Lexer *l, const char *from, const char *body, const char *end)
{
    LexNotes *notes = l->notes;
    u32 pos = (u32)(from - l->src);
    if (pos < notes->end) return; /* the parser went back */
    notes->end = pos + 1;
    bool legal = find_notes(notes, body, end);
    if ((legal || (*body == '!' && body < end)) && notes->legal.len < LEGAL_MAX)
        vec_push(l->arena, &notes->legal, (Comment){pos, (u32)(end - from)});
}

/* ---- Comments ---- */

static void skip_line_comment(Lexer *l)
{
    const char *from = l->at, *p = from;
    for (;; p++) {
        u32 m;
        for (; p < l->end; p += 16) {
            __m128i v = load16(p);
            m = equals(v, '\n') | equals(v, '\r') | equals(v, (char)0xe2);
            if (m) {
                p += __builtin_ctz(m);
                break;
            }
        }
        if (p >= l->end || (u8)*p != 0xe2 || is_separator(p)) break;
    }
    l->at = MIN(p, l->end);
    if (l->notes) note_comment(l, from, from + 2, l->at);
}

/* All ones where a star is followed by a slash. */
static inline __m128i star_slash(const char *p)
{
    return _mm_and_si128(_mm_cmpeq_epi8(load16(p), _mm_set1_epi8('*')),
                         _mm_cmpeq_epi8(load16(p + 1), _mm_set1_epi8('/')));
}

/* The `*` of the first star and slash from `p`, or NULL. */
static const char *find_star_slash(const char *p, const char *end)
{
    for (; p + 64 <= end; p += 64) {
        __m128i low = _mm_or_si128(star_slash(p), star_slash(p + 16));
        __m128i high = _mm_or_si128(star_slash(p + 32), star_slash(p + 48));
        if (_mm_movemask_epi8(_mm_or_si128(low, high))) break;
    }
    for (; p < end; p += 16) {
        u32 m = (u32)_mm_movemask_epi8(star_slash(p));
        if (m) return p + __builtin_ctz(m);
    }
    return NULL;
}

/* As find_star_slash; sets `nl`.  Behind the first line break only the end is looked for. */
static const char *find_block_end(Lexer *l, const char *p)
{
    const char *from = p;
    u32 wide = 0;
    for (; p < l->end; p += 16) {
        __m128i v = load16(p);
        u32 m = (u32)_mm_movemask_epi8(star_slash(p));
        u32 line = equals(v, '\n') | equals(v, '\r'), high = (u32)_mm_movemask_epi8(v);
        u32 before = (m & -m) - 1; /* all, when the end is not here */
        if (line & before) {
            l->nl = true;
            return find_star_slash(p, l->end);
        }
        wide |= high & before;
        if (!m) continue;
        p += __builtin_ctz(m);
        l->nl |= wide && lex_has_newline(l, (u32)(from - l->src), (u32)(p - l->src));
        return p;
    }
    return NULL;
}

static bool skip_block_comment(Lexer *l)
{
    const char *from = l->at, *end = find_block_end(l, from + 2);
    if (!end) return lex_error(l, (u32)(from - l->src), 2, "This comment is never closed");
    l->at = end + 2;
    if (l->notes) note_comment(l, from, from + 2, l->at);
    return true;
}

static bool take_html_comment(Lexer *l)
{
    if (!l->html_comments) return false;
    if (!l->html_comment_at) l->html_comment_at = (u32)(l->at - l->src) + 1;
    skip_line_comment(l);
    return true;
}

bool lex_comment(Lexer *l)
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

/* ---- White space ---- */

/* White space outside ASCII: U+00A0, U+FEFF, category Zs, and the line terminators U+2028/9. */
bool lex_unicode_space(Lexer *l)
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

/* Leaves `at` at the first byte of the next token. */
void lex_trivia(Lexer *l)
{
    for (;;) {
        switch ((u8)*l->at) {
        case ' ':
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
            if (!lex_comment(l)) return;
            continue;
        default:
            if ((u8)*l->at < 0x80 || !lex_unicode_space(l)) return;
        }
    }
}
