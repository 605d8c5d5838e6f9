/* syntax/lex_regexp.c -- finds the end of a regular expression literal and has it checked. */
#include "syntax/lex.h"

static bool is_line_end(const char *p)
{
    return *p == '\n' || *p == '\r' ||
           ((u8)p[0] == 0xe2 && (u8)p[1] == 0x80 && ((u8)p[2] | 1) == 0xa9);
}

/* `at` stands behind the opening slash; leaves it behind the closing one. */
static bool skip_body(Lexer *l)
{
    bool in_class = false;
    for (;; l->at++) {
        if (l->at >= l->end || is_line_end(l->at)) {
            return lex_error(l, l->pos, 1, "This regular expression is never closed");
        }
        char c = *l->at;
        if (c == '\\') {
            if (is_line_end(l->at + 1)) continue; /* reported on the next round */
            l->at++;
        } else if (c == '[') {
            in_class = true;
        } else if (c == ']') {
            in_class = false;
        } else if (c == '/' && !in_class) {
            l->at++;
            return true;
        }
    }
}

void lex_regexp(Lexer *l)
{
    ASSERT(l->tok == TOK_SLASH || l->tok == TOK_ASSIGN_DIV);
    const char *body = l->src + l->pos + 1;
    l->at = body;
    if (!skip_body(l)) return;
    Str pattern = {body, (usize)(l->at - body - 1)};
    const char *flags = l->at;
    while (IS_CLASS(*l->at, CC_ID_PART)) l->at++;
    u32 n, c = utf8_read(l->at, &n);
    if (c == '\\' || (c >= 0x80 && is_id_part(c))) {
        lex_error(l, (u32)(l->at - l->src), n, "Invalid regular expression flag");
        return;
    }
    const char *msg;
    u32 at;
    if (!regexp_check(pattern, (Str){flags, (usize)(l->at - flags)}, &msg, &at)) {
        lex_error(l, l->pos + 1 + at, 1, "Invalid regular expression: %s", msg);
        return;
    }
    l->tok = TOK_REGEXP;
    l->tok_end = (u32)(l->at - l->src);
}
