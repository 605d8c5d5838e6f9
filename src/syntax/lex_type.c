/* syntax/lex_type.c -- skips plain types without making tokens of them.
 *
 * Most types are names: with dots, type arguments, empty brackets, joined by | and &.  Those are
 * run over here, one line at a time; whatever else turns up, the parser reads on from the end of
 * what was a type until there. */
#include "syntax/lex_scan.h"

enum { PLAIN_MAX = 256 }; /* bytes: what is given up is read again, at each level of nesting */

/* The end of the name at `p`, or NULL.  Words with a meaning in types count only behind a dot. */
static inline const char *skip_name(const char *p, bool behind_dot)
{
    if (!IS_CLASS(*p, CC_ID_START)) return NULL;
    const char *start = p;
    u32 ends = word_ends(p);
    while (UNLIKELY(!ends)) {
        p += 16;
        ends = word_ends(p);
    }
    p += __builtin_ctz(ends);
    if ((i8)*p < 0 || *p == '\\') return NULL;
    usize n = (usize)(p - start);
    bool capital = *start <= 'Z';
    if (capital || behind_dot || find_word(start, MIN(n, (usize)16)) == TOK_IDENT) return p;
    return NULL;
}

bool lex_plain_type(Lexer *l)
{
    const char *p = l->at, *end = p, *limit = p + PLAIN_MAX;
    u32 depth = 0;
    bool closed = false, end_closed = false; /* no name, but > or ] */
    while (p && p < limit) {
        if (!depth) end = p, end_closed = closed;
        const char *q = p + (*p == ' ');
        char c = *q++;
        if (c == '>' && depth) {
            depth--;
            closed = true;
            p = q;
            continue;
        }
        if (c == '[' && *q == ']') {
            closed = true;
            p = q + 1;
            continue;
        }
        if (c == '<' && !closed)
            depth++;
        else if (!(c == '.' && !closed) && !(c == ',' && depth) && c != '|' && c != '&')
            break;
        closed = false;
        p = skip_name(q + (*q == ' '), c == '.');
    }
    l->at = end;
    l->tok_end = (u32)(end - l->src);
    return end_closed;
}
