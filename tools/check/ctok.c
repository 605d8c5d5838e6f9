/* tools/check/ctok.c -- splits C source into tokens. */
#include "check/ctok.h"

#include <string.h>

#include "embed/host.h"

typedef struct {
    const char *p, *end;
    unsigned line;
    bool first;
} Source;

static bool is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '$' || (unsigned char)c >= 0x80;
}

static char peek(const Source *s, size_t n)
{
    return n < (size_t)(s->end - s->p) ? s->p[n] : 0;
}

static void step(Source *s)
{
    if (*s->p++ == '\n') s->line++;
}

static void skip_block_comment(Source *s)
{
    s->p += 2;
    while (s->p < s->end && !(*s->p == '*' && peek(s, 1) == '/')) step(s);
    s->p = s->end - s->p < 2 ? s->end : s->p + 2;
}

/* To the end of the line; a backslash before it continues. */
static void skip_line(Source *s)
{
    while (s->p < s->end && *s->p != '\n') {
        if (*s->p == '\\' && s->p + 1 < s->end) step(s);
        step(s);
    }
}

static void skip_quoted(Source *s)
{
    char quote = *s->p++;
    while (s->p < s->end && *s->p != '\n') {
        char c = *s->p;
        if (c == '\\' && s->p + 1 < s->end) s->p++;
        step(s);
        if (c == quote) return;
    }
}

static void skip_directive(Source *s)
{
    while (s->p < s->end && *s->p != '\n') {
        if (*s->p == '/' && peek(s, 1) == '*') {
            skip_block_comment(s);
        } else if (*s->p == '/' && peek(s, 1) == '/') {
            skip_line(s);
        } else if (*s->p == '"') {
            skip_quoted(s);
        } else {
            if (*s->p == '\\' && s->p + 1 < s->end) step(s);
            step(s);
        }
    }
}

static void skip_number(Source *s)
{
    for (s->p++; s->p < s->end; s->p++) {
        char c = *s->p, before = (char)(s->p[-1] | 0x20);
        bool sign = (c == '+' || c == '-') && (before == 'e' || before == 'p');
        if (!is_word(c) && c != '.' && !sign) return;
    }
}

static CTokKind take(Source *s)
{
    char c = *s->p;
    if (c == '/' && peek(s, 1) == '*') {
        skip_block_comment(s);
        return CT_COMMENT;
    }
    if (c == '/' && peek(s, 1) == '/') {
        skip_line(s);
        return CT_COMMENT;
    }
    if (c == '#' && s->first) {
        skip_directive(s);
        return CT_DIRECTIVE;
    }
    if (c == '"' || c == '\'') {
        skip_quoted(s);
        return c == '"' ? CT_STRING : CT_CHAR;
    }
    if ((c >= '0' && c <= '9') || (c == '.' && peek(s, 1) >= '0' && peek(s, 1) <= '9')) {
        skip_number(s);
        return CT_NUMBER;
    }
    if (is_word(c)) {
        while (s->p < s->end && is_word(*s->p)) s->p++;
        return CT_IDENT;
    }
    s->p += c == '-' && peek(s, 1) == '>' ? 2 : 1;
    return CT_PUNCT;
}

void ctok_read(const char *text, size_t len, CToks *ret)
{
    Source s = {.p = text, .end = text + len, .line = 1, .first = true};
    while (s.p < s.end) {
        char c = *s.p;
        if (c == '\n') s.first = true;
        if (c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\\') {
            step(&s);
            continue;
        }
        CTok tok = {.p = s.p, .line = s.line, .first = s.first};
        tok.kind = take(&s);
        tok.len = (size_t)(s.p - tok.p);
        tok.end_line = s.line;
        if (tok.kind != CT_COMMENT) s.first = false;
        ret->v = host_grow(ret->v, ret->len, &ret->cap, sizeof(CTok));
        ret->v[ret->len++] = tok;
    }
}

bool ctok_is(const CTok *tok, const char *str)
{
    return strlen(str) == tok->len && !memcmp(tok->p, str, tok->len);
}

static const char *directive_name(const CTok *tok)
{
    const char *p = tok->p + 1, *end = tok->p + tok->len;
    while (p < end && (*p == ' ' || *p == '\t')) p++;
    return p;
}

bool ctok_directive(const CTok *tok, const char *name)
{
    if (tok->kind != CT_DIRECTIVE) return false;
    const char *p = directive_name(tok), *end = tok->p + tok->len;
    size_t len = strlen(name);
    if ((size_t)(end - p) < len || memcmp(p, name, len) != 0) return false;
    return p + len == end || !is_word(p[len]);
}

bool ctok_include(const CTok *tok, const char **ret_p, size_t *ret_len)
{
    if (!ctok_directive(tok, "include")) return false;
    const char *p = directive_name(tok) + strlen("include"), *end = tok->p + tok->len;
    while (p < end && *p != '"' && *p != '<') p++;
    if (p == end) return false;
    const char *close = memchr(p + 1, *p == '<' ? '>' : '"', (size_t)(end - p - 1));
    if (!close) return false;
    *ret_p = p;
    *ret_len = (size_t)(close + 1 - p);
    return true;
}

size_t ctok_opening(const CToks *toks, size_t i)
{
    size_t depth = 0;
    for (;; i--) {
        const CTok *tok = &toks->v[i];
        if (tok->kind == CT_PUNCT && ctok_is(tok, ")")) depth++;
        if (tok->kind == CT_PUNCT && ctok_is(tok, "(") && --depth == 0) return i;
        if (!i) return (size_t)-1;
    }
}

size_t ctok_closing(const CToks *toks, size_t i)
{
    size_t depth = 0;
    for (; i < toks->len; i++) {
        const CTok *tok = &toks->v[i];
        if (tok->kind != CT_PUNCT) continue;
        if (ctok_is(tok, "(")) depth++;
        if (ctok_is(tok, ")") && --depth == 0) return i;
    }
    return i;
}
