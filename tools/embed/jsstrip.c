/* tools/embed/jsstrip.c -- takes comments and indentation out of JavaScript, line by line.
 *
 * A comment without a newline becomes one space, one with newlines becomes those: a comment ends
 * a statement exactly where its newlines do. */
#include "embed/jsstrip.h"

#include <string.h>

static void put_newlines(Text *ret, const JsTok *tok)
{
    for (size_t i = 0; i < tok->len; i++) {
        if (tok->p[i] == '\n') text_put(ret, "\n", 1);
    }
}

static bool has_newline(const JsTok *tok)
{
    return memchr(tok->p, '\n', tok->len) != NULL;
}

static bool same_line_follows(bool line_start, const JsTok *tok)
{
    return !line_start && tok->kind != JT_NEWLINE && tok->kind != JT_LINE_COMMENT &&
           !has_newline(tok);
}

bool js_strip(JsLex *lex, const char *text, size_t len, Text *ret)
{
    size_t start = ret->len;
    bool line_start = true, space = false;
    JsTok tok;
    jslex_init(lex, text, len);
    text_put(ret, "", 0);
    while (jslex_next(lex, &tok)) {
        if (is_trivia(&tok)) {
            space = same_line_follows(line_start, &tok) || (space && !has_newline(&tok));
            put_newlines(ret, &tok);
            line_start = line_start || has_newline(&tok);
            continue;
        }
        if (space) text_put(ret, " ", 1);
        text_put(ret, tok.p, tok.len);
        space = line_start = false;
    }
    if (lex->unsure) {
        ret->len = start;
        text_put(ret, text, len);
        return true;
    }
    while (ret->len > start && ret->p[ret->len - 1] == '\n') ret->len--;
    ret->p[ret->len] = 0;
    return tok.kind == JT_EOF;
}
