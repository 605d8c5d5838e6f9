/* tools/embed/jslex.c -- splits the source of a built-in's JS half into tokens. */
#include "embed/jslex.h"

#include <string.h>

#include "embed/host.h"

void jslex_init(JsLex *lex, const char *text, size_t len)
{
    *lex = (JsLex){.p = text, .end = text + len, .line = 1, .line_start = true};
}

bool tok_is(const JsTok *tok, const char *str)
{
    return strlen(str) == tok->len && !memcmp(tok->p, str, tok->len);
}

bool is_trivia(const JsTok *tok)
{
    return tok->kind == JT_SPACE || tok->kind == JT_NEWLINE || tok->kind == JT_LINE_COMMENT ||
           tok->kind == JT_BLOCK_COMMENT;
}

static bool is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '$' || c == '\\' || (unsigned char)c >= 0x80;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool in_list(const JsTok *tok, const char *const *list)
{
    for (; *list; list++) {
        if (tok_is(tok, *list)) return true;
    }
    return false;
}

static char peek(const JsLex *lex, size_t n)
{
    return n < (size_t)(lex->end - lex->p) ? lex->p[n] : 0;
}

static bool starts_with(const JsLex *lex, const char *str)
{
    size_t n = strlen(str);
    return (size_t)(lex->end - lex->p) >= n && !memcmp(lex->p, str, n);
}

static JsTokKind bad(JsLex *lex, const char *error)
{
    lex->error = error;
    return JT_BAD;
}

static JsTokKind take_block_comment(JsLex *lex)
{
    for (lex->p += 2; lex->p < lex->end; lex->p++) {
        if (*lex->p == '\n') lex->line++;
        if (!starts_with(lex, "*/")) continue;
        lex->p += 2;
        return JT_BLOCK_COMMENT;
    }
    return bad(lex, "comment without an end");
}

static JsTokKind take_string(JsLex *lex)
{
    char quote = *lex->p++;
    for (; lex->p < lex->end; lex->p++) {
        char c = *lex->p;
        if (c == quote) {
            lex->p++;
            lex->slash = SLASH_DIVIDES;
            return JT_STRING;
        }
        if (c == '\n') break;
        if (c == '\\' && lex->p + 1 < lex->end && *++lex->p == '\n') lex->line++;
    }
    return bad(lex, "string without an end");
}

/* The first character, a tick or the brace that ends "${", is skipped unseen. */
static JsTokKind take_template(JsLex *lex)
{
    for (lex->p++; lex->p < lex->end; lex->p++) {
        if (*lex->p == '`') {
            lex->p++;
            lex->slash = SLASH_DIVIDES;
            return JT_TEMPLATE;
        }
        if (starts_with(lex, "${")) {
            lex->p += 2;
            lex->stack = host_grow(lex->stack, lex->depth, &lex->cap, sizeof(JsBracket));
            lex->stack[lex->depth++] = (JsBracket){'$', false, lex->line};
            lex->slash = SLASH_STARTS_REGEX;
            return JT_TEMPLATE;
        }
        if (*lex->p == '\\' && lex->p + 1 < lex->end) lex->p++;
        if (*lex->p == '\n') lex->line++;
    }
    return bad(lex, "template without an end");
}

static JsTokKind take_regex(JsLex *lex)
{
    bool in_class = false;
    for (lex->p++; lex->p < lex->end && *lex->p != '\n'; lex->p++) {
        char c = *lex->p;
        if (c == '\\' && lex->p + 1 < lex->end && lex->p[1] != '\n') {
            lex->p++;
            continue;
        }
        if (c == '[') in_class = true;
        if (c == ']') in_class = false;
        if (c != '/' || in_class) continue;
        for (lex->p++; lex->p < lex->end && is_word(*lex->p);) lex->p++;
        lex->slash = SLASH_DIVIDES;
        return JT_REGEX;
    }
    return bad(lex, "regular expression without an end");
}

static JsTokKind take_number(JsLex *lex)
{
    bool hex = *lex->p == '0' && (peek(lex, 1) | 0x20) == 'x';
    for (; lex->p < lex->end; lex->p++) {
        char c = *lex->p;
        if ((c == '+' || c == '-') && !hex && (lex->p[-1] | 0x20) == 'e') continue;
        if (!is_word(c) && c != '.') break;
    }
    lex->slash = SLASH_DIVIDES;
    return JT_NUMBER;
}

static JsTokKind take_word(JsLex *lex)
{
    static const char *const operators[] = {"return",  "typeof",     "case",    "in",   "delete",
                                            "void",    "throw",      "new",     "else", "do",
                                            "extends", "instanceof", "default", NULL};
    static const char *const contextual[] = {"of",    "await",  "yield", "let",
                                             "async", "static", NULL};
    static const char *const controls[] = {"if", "while", "for", "with", NULL};
    JsTok tok = {.p = lex->p};
    if (*lex->p == '#') lex->p++;
    while (lex->p < lex->end && is_word(*lex->p)) lex->p++;
    tok.len = (size_t)(lex->p - tok.p);
    bool was_control = lex->control;
    lex->slash = SLASH_DIVIDES;
    lex->control = false;
    if (lex->after_dot) return JT_IDENT;
    if (in_list(&tok, operators)) lex->slash = SLASH_STARTS_REGEX;
    if (in_list(&tok, contextual)) lex->slash = SLASH_UNSURE;
    lex->control = in_list(&tok, controls) || (was_control && tok_is(&tok, "await"));
    return JT_IDENT;
}

static JsTokKind take_close(JsLex *lex, char close)
{
    if (!lex->depth) return bad(lex, "closing bracket without an opening one");
    JsBracket top = lex->stack[lex->depth - 1];
    char want = top.open == '(' ? ')' : top.open == '[' ? ']' : '}';
    if (close != want) return bad(lex, "brackets do not match");
    lex->depth--;
    if (top.open == '$') return take_template(lex);
    lex->p++;
    lex->slash = SLASH_DIVIDES;
    if (close == ')' && top.control) lex->slash = SLASH_STARTS_REGEX;
    if (close == '}') lex->slash = SLASH_UNSURE;
    return JT_PUNCT;
}

static JsTokKind take_punct(JsLex *lex)
{
    char c = *lex->p;
    if (c == '(' || c == '[' || c == '{') {
        lex->stack = host_grow(lex->stack, lex->depth, &lex->cap, sizeof(JsBracket));
        lex->stack[lex->depth++] = (JsBracket){c, c == '(' && lex->control, lex->line};
        lex->slash = SLASH_STARTS_REGEX;
        lex->p++;
        return JT_PUNCT;
    }
    if (c == ')' || c == ']' || c == '}') return take_close(lex, c);
    if (starts_with(lex, "<!--") || (lex->line_start && starts_with(lex, "-->")))
        return bad(lex, "this is a comment in old browsers; put spaces into it");
    if (starts_with(lex, "++") || starts_with(lex, "--")) {
        lex->p += 2; /* before an operand or after one: the slash means what it meant before */
        return JT_PUNCT;
    }
    lex->slash = SLASH_STARTS_REGEX;
    if (starts_with(lex, "..."))
        lex->p += 3;
    else if (starts_with(lex, "=>") || (starts_with(lex, "?.") && !is_digit(peek(lex, 2))))
        lex->p += 2;
    else
        lex->p++;
    return JT_PUNCT;
}

static JsTokKind take_slash(JsLex *lex)
{
    if (lex->slash == SLASH_UNSURE) lex->unsure = true;
    if (lex->slash != SLASH_DIVIDES) return take_regex(lex);
    lex->p++;
    lex->slash = SLASH_STARTS_REGEX;
    return JT_PUNCT;
}

static JsTokKind take_code(JsLex *lex)
{
    char c = *lex->p;
    if (c == '"' || c == '\'') return take_string(lex);
    if (c == '`') return take_template(lex);
    if (is_digit(c) || (c == '.' && is_digit(peek(lex, 1)))) return take_number(lex);
    if (is_word(c) || (c == '#' && is_word(peek(lex, 1)))) return take_word(lex);
    if (c == '/') return take_slash(lex);
    return take_punct(lex);
}

static JsTokKind take_any(JsLex *lex)
{
    char c = *lex->p;
    if (c == '\n') {
        lex->p++;
        lex->line++;
        return JT_NEWLINE;
    }
    if (c == ' ' || c == '\t' || c == '\r') {
        while (peek(lex, 0) == ' ' || peek(lex, 0) == '\t' || peek(lex, 0) == '\r') lex->p++;
        return JT_SPACE;
    }
    if (starts_with(lex, "//")) {
        while (lex->p < lex->end && *lex->p != '\n') lex->p++;
        return JT_LINE_COMMENT;
    }
    if (starts_with(lex, "/*")) return take_block_comment(lex);
    return take_code(lex);
}

bool jslex_next(JsLex *lex, JsTok *ret)
{
    *ret = (JsTok){.kind = JT_EOF, .p = lex->p, .line = lex->line};
    if (lex->error) {
        ret->kind = JT_BAD;
        return false;
    }
    if (lex->p == lex->end) {
        if (!lex->depth) return false;
        lex->line = lex->stack[lex->depth - 1].line;
        ret->kind = bad(lex, "bracket without a closing one");
        return false;
    }
    ret->kind = take_any(lex);
    ret->len = (size_t)(lex->p - ret->p);
    if (ret->kind == JT_BAD) {
        lex->line = ret->line;
        return false;
    }
    if (is_trivia(ret)) {
        if (memchr(ret->p, '\n', ret->len)) lex->line_start = true;
        return true;
    }
    lex->line_start = false;
    lex->after_dot = ret->kind == JT_PUNCT && (tok_is(ret, ".") || tok_is(ret, "?."));
    if (ret->kind != JT_IDENT) lex->control = false;
    return true;
}
