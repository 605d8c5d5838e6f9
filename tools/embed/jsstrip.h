#pragma once
/* tools/embed/jsstrip.h -- takes comments and indentation out of JavaScript, line by line. */
#include "embed/host.h"
#include "embed/jslex.h"

/* Appends to `ret` a text with the same tokens on the same lines. Whatever has a meaning stays:
 * strings, templates and regular expressions. If the lexer was unsure the text is appended as it
 * is. False on an error, which is then in `lex->error` and `lex->line`. */
bool js_strip(JsLex *lex, const char *text, size_t len, Text *ret);
