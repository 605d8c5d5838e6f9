#pragma once
/* tools/embed/jslex.h -- splits the source of a built-in's JS half into tokens.
 *
 * Nothing is thrown away: the tokens of a file, joined, are the file. The one hard question of
 * JavaScript, whether a slash divides or starts a regular expression, is answered from the token
 * before it. Where that does not decide ("}" may end a block or a value), `unsure` is set and the
 * caller should not trust the tokens that follow. */
#include <stdbool.h>
#include <stddef.h>

typedef enum {
    JT_EOF,
    JT_BAD, /* `error` and `line` of the lexer say why */
    JT_SPACE,
    JT_NEWLINE,
    JT_LINE_COMMENT,
    JT_BLOCK_COMMENT,
    JT_IDENT, /* names, #names and keywords */
    JT_NUMBER,
    JT_STRING,
    JT_TEMPLATE, /* one piece of a template, up to and with "${" or the closing tick */
    JT_REGEX,
    JT_PUNCT,
} JsTokKind;

typedef struct {
    JsTokKind kind;
    const char *p;
    size_t len;
    unsigned line;
} JsTok;

typedef struct {
    char open;    /* ( [ { or $ for the "${" of a template */
    bool control; /* the parenthesis of if, for, while, with: an expression may follow */
    unsigned line;
} JsBracket;

typedef enum { SLASH_STARTS_REGEX, SLASH_DIVIDES, SLASH_UNSURE } JsSlash;

typedef struct {
    const char *p, *end;
    unsigned line;
    JsSlash slash;
    bool after_dot, control, line_start, unsure;
    JsBracket *stack;
    size_t depth, cap;
    const char *error;
} JsLex;

void jslex_init(JsLex *lex, const char *text, size_t len);
/* Fills `*ret` and returns true, until JT_EOF or JT_BAD, with which it returns false. */
bool jslex_next(JsLex *lex, JsTok *ret);

bool tok_is(const JsTok *tok, const char *str);
bool is_trivia(const JsTok *tok);
