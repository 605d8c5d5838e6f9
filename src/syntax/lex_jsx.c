/* syntax/lex_jsx.c -- tokens inside JSX tags and the text between them. */
#include "syntax/lex.h"

/* A name: identifier characters and `-`. */
static void take_jsx_name(Lexer *l)
{
    const char *start = l->at;
    for (;;) {
        u32 n, c = utf8_read(l->at, &n);
        if (c != '-' && !is_id_part(c)) break;
        l->at += n;
    }
    l->tok = TOK_IDENT;
    l->escaped = false;
    l->str = (Str){start, (usize)(l->at - start)};
}

static void take_jsx_string(Lexer *l)
{
    char quote = *l->at;
    const char *body = ++l->at;
    while (*l->at != quote && l->at < l->end) l->at++;
    if (l->at >= l->end) {
        lex_error(l, l->pos, 1, "This string is never closed");
        return;
    }
    l->tok = TOK_STR;
    l->escaped = l->legacy_octal = false;
    l->str = (Str){body, (usize)(l->at - body)};
    l->at++;
}

void lex_jsx_next(Lexer *l)
{
    u32 prev_end = l->tok_end;
    lex_next(l);
    if (l->dead) return;
    l->prev_end = prev_end;
    if (l->tok == TOK_IDENT || l->tok >= TOK_WORD_FIRST) {
        l->at = l->src + l->pos;
        if (*l->at == '\\') {
            lex_error(l, l->pos, 1, "Names in JSX cannot have escapes");
            return;
        }
        take_jsx_name(l);
    } else if (l->tok == TOK_GE || l->tok == TOK_SHR || l->tok == TOK_USHR ||
               l->tok == TOK_ASSIGN_SHR || l->tok == TOK_ASSIGN_USHR) {
        lex_split_gt(l);
        return;
    }
    l->tok_end = (u32)(l->at - l->src);
}

void lex_jsx_value(Lexer *l)
{
    u32 prev_end = l->tok_end;
    l->nl = false;
    lex_trivia(l);
    if (*l->at != '"' && *l->at != '\'') {
        lex_jsx_next(l);
        return;
    }
    l->prev_end = prev_end;
    l->pos = (u32)(l->at - l->src);
    take_jsx_string(l);
    l->tok_end = (u32)(l->at - l->src);
}

void lex_jsx_child(Lexer *l)
{
    l->prev_end = l->tok_end;
    l->pos = (u32)(l->at - l->src);
    l->nl = false;
    char c = *l->at;
    if (c == '{' || c == '<') {
        l->tok = c == '{' ? TOK_LBRACE : TOK_LT;
        l->at++;
    } else {
        for (; *l->at != '{' && *l->at != '<' && l->at < l->end; l->at++) {
            if (*l->at == '>' || *l->at == '}') {
                lex_error(l, (u32)(l->at - l->src), 1,
                          "Unexpected \"%c\" in JSX text; write {\"%c\"}", *l->at, *l->at);
                return;
            }
        }
        l->tok = l->at >= l->end ? TOK_EOF : TOK_JSX_TEXT;
    }
    l->tok_end = (u32)(l->at - l->src);
}
