#pragma once
/* tools/check/ctok.h -- splits C source into tokens, for checks that must not mistake a comment or
 * a string for code. */
#include <stdbool.h>
#include <stddef.h>

typedef enum {
    CT_IDENT, /* names and keywords */
    CT_NUMBER,
    CT_STRING,
    CT_CHAR,
    CT_PUNCT,     /* one character, but "->" is one token */
    CT_DIRECTIVE, /* a whole preprocessor line with its continuations */
    CT_COMMENT,
} CTokKind;

typedef struct {
    CTokKind kind;
    const char *p;
    size_t len;
    unsigned line, end_line;
    bool first; /* nothing but blanks stands before it on its line */
} CTok;

typedef struct {
    CTok *v;
    size_t len, cap;
} CToks;

/* Appends all tokens. Never fails: what cannot be C becomes punctuation, and a comment or string
 * that does not end goes on to the end of the file or the line. */
void ctok_read(const char *text, size_t len, CToks *ret);

bool ctok_is(const CTok *tok, const char *str);
/* Is this a directive of that name: "include", "define", ...? */
bool ctok_directive(const CTok *tok, const char *name);
/* The quoted part of an include with its quotes: "a/b.h" or <a/b.h>. False if there is none. */
bool ctok_include(const CTok *tok, const char **ret_p, size_t *ret_len);
/* Index of the "(" that the ")" at `i` closes, or (size_t)-1. */
size_t ctok_opening(const CToks *toks, size_t i);
/* Index of the ")" that closes the "(" at `i`, or toks->len. */
size_t ctok_closing(const CToks *toks, size_t i);
