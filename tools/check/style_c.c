/* tools/check/style_c.c -- checks of C files: functions, parameters, nesting, comments, headers.
 *
 * One walk over the tokens keeps a stack of open braces: a function's, a control statement's, or
 * another's. Branches of #if may each open a brace that is closed once, so #else goes back to the
 * stack of its #if. */
#include <stdlib.h>
#include <string.h>

#include "check/findings.h"
#include "check/style.h"

typedef enum { BRACE_OTHER, BRACE_FUNCTION, BRACE_CONTROL } BraceKind;

typedef struct {
    BraceKind kind;
    size_t at; /* token that opens the body; for a function, of its name */
    size_t body;
} Brace;

#define DEPTH_MAX 256

typedef struct {
    const SourceFile *file;
    CToks code; /* without comments */
    Brace stack[DEPTH_MAX];
    size_t depth;
    size_t saved[DEPTH_MAX];
    size_t n_saved;
    bool too_deep;
} Walk;

static bool is_control_word(const CTok *tok)
{
    static const char *const no_blocks[] = {"return", "sizeof", "__typeof__", "typeof", NULL};
    if (tok->kind != CT_IDENT) return false;
    for (size_t i = 0; no_blocks[i]; i++) {
        if (ctok_is(tok, no_blocks[i])) return false;
    }
    return true; /* if, for, while, switch, and macros that loop */
}

/* The name before the parameters that end at `close`, or -1. Attributes may stand between. */
static size_t function_name(const CToks *code, size_t close)
{
    for (;;) {
        size_t open = ctok_opening(code, close);
        if (open == (size_t)-1 || !open) return (size_t)-1;
        const CTok *name = &code->v[open - 1];
        if (name->kind != CT_IDENT) return (size_t)-1;
        if (!ctok_is(name, "__attribute__") || open < 2) return open - 1;
        close = open - 2;
        if (!ctok_is(&code->v[close], ")")) return (size_t)-1;
    }
}

static size_t count_parameters(const CToks *code, size_t open)
{
    size_t depth = 0, n = 1, close = ctok_closing(code, open);
    if (close == open + 1) return 0;
    for (size_t i = open; i < close; i++) {
        const CTok *tok = &code->v[i];
        if (tok->kind != CT_PUNCT) continue;
        if (strchr("([{", *tok->p)) depth++;
        if (strchr(")]}", *tok->p)) depth--;
        if (*tok->p == ',' && depth == 1) n++;
    }
    if (close >= 3 && ctok_is(&code->v[close - 1], ".")) n--;
    return n;
}

/* Functions whose parameters a standard says. */
static bool is_prescribed(const Walk *w, const CTok *name)
{
    bool is_napi = (name->len > 5 && !memcmp(name->p, "napi_", 5)) ||
                   (name->len > 9 && !memcmp(name->p, "node_api_", 9));
    return is_napi && has_prefix(w->file->path, "src/napi/");
}

static void check_parameters(const Walk *w, size_t name)
{
    const CTok *tok = &w->code.v[name];
    if (is_prescribed(w, tok)) return;
    if (name + 1 >= w->code.len || !ctok_is(tok + 1, "(")) return;
    size_t n = count_parameters(&w->code, name + 1);
    if (n > PARAMETERS_MAX)
        finding(w->file->path, tok->line, "%.*s has %zu parameters; the limit is %d", (int)tok->len,
                tok->p, n, PARAMETERS_MAX);
}

/* "TEST(name) {" is function test "name". */
static const CTok *shown_name(const Walk *w, size_t name)
{
    const CTok *tok = &w->code.v[name];
    bool is_test = ctok_is(tok, "TEST") && name + 2 < w->code.len && tok[2].kind == CT_IDENT;
    return is_test ? tok + 2 : tok;
}

static void end_function(Walk *w, const Brace *brace, size_t close)
{
    const CTok *name = shown_name(w, brace->at);
    unsigned lines = w->code.v[close].line - name->line + 1;
    style_words(w->file, &w->code, brace->body, close);
    check_parameters(w, brace->at);
    w->too_deep = false;
    if (lines <= C_FUNCTION_LINES) return;
    char *str = host_format("%.*s", (int)name->len, name->p);
    unsigned limit = limits_get(w->file->path, str, C_FUNCTION_LINES, C_FUNCTION_HARD);
    if (lines > limit)
        finding(w->file->path, name->line, "%s has %u lines; the limit is %u", str, lines, limit);
    free(str);
}

static bool in_function(const Walk *w)
{
    return w->depth && w->stack[0].kind == BRACE_FUNCTION;
}

static Brace brace_of(const Walk *w, size_t i)
{
    const CToks *code = &w->code;
    Brace brace = {.at = i, .body = i};
    size_t before = i;
    while (before && code->v[before - 1].kind == CT_DIRECTIVE) before--;
    if (!before) return brace;
    const CTok *tok = &code->v[--before];
    if (ctok_is(tok, "else") || ctok_is(tok, "do")) brace.kind = BRACE_CONTROL;
    if (tok->kind != CT_PUNCT || !ctok_is(tok, ")")) return brace;
    if (!w->depth) {
        size_t name = function_name(code, before);
        if (name == (size_t)-1) return brace;
        brace.kind = BRACE_FUNCTION;
        brace.at = name;
        return brace;
    }
    size_t open = ctok_opening(code, before);
    if (open != (size_t)-1 && open && is_control_word(&code->v[open - 1]))
        brace.kind = BRACE_CONTROL;
    return brace;
}

static void check_nesting(Walk *w, size_t i)
{
    size_t n = 0;
    for (size_t k = 0; k < w->depth; k++) n += w->stack[k].kind == BRACE_CONTROL;
    if (n <= NESTING_MAX || w->too_deep || !in_function(w)) return;
    w->too_deep = true; /* once a function */
    finding(w->file->path, w->code.v[i].line, "%zu levels of nesting; the limit is %d", n,
            NESTING_MAX);
}

static void open_brace(Walk *w, size_t i)
{
    if (w->depth == DEPTH_MAX) return;
    Brace brace = brace_of(w, i);
    w->stack[w->depth++] = brace;
    if (brace.kind == BRACE_CONTROL) check_nesting(w, i);
}

static void close_brace(Walk *w, size_t i)
{
    if (!w->depth) return;
    Brace brace = w->stack[--w->depth];
    if (brace.kind == BRACE_FUNCTION && !w->depth) end_function(w, &brace, i);
}

static void take_directive(Walk *w, const CTok *tok)
{
    const char *p = tok->p + tok->len;
    if (ctok_directive(tok, "if") || ctok_directive(tok, "ifdef") ||
        ctok_directive(tok, "ifndef")) {
        if (w->n_saved < DEPTH_MAX) w->saved[w->n_saved++] = w->depth;
    } else if (ctok_directive(tok, "else") || ctok_directive(tok, "elif")) {
        if (w->n_saved) w->depth = w->saved[w->n_saved - 1];
    } else if (ctok_directive(tok, "endif")) {
        if (w->n_saved) w->n_saved--;
    }
    if (ctok_directive(tok, "if") && p[-1] == '0' && p[-2] == ' ')
        finding(w->file->path, tok->line, "code that is switched off; git remembers it");
}

/* Outside of functions: `name(...);` declares one. */
static void check_prototype(const Walk *w, size_t i)
{
    const CToks *code = &w->code;
    if (code->v[i].kind != CT_IDENT || i + 1 >= code->len || !ctok_is(&code->v[i + 1], "(")) return;
    const CTok *before = i ? &code->v[i - 1] : NULL;
    if (!before || (before->kind != CT_IDENT && !ctok_is(before, "*"))) return;
    size_t close = ctok_closing(code, i + 1);
    if (close + 1 < code->len && ctok_is(&code->v[close + 1], ";")) check_parameters(w, i);
}

static void walk(Walk *w)
{
    for (size_t i = 0; i < w->code.len; i++) {
        const CTok *tok = &w->code.v[i];
        if (tok->kind == CT_DIRECTIVE) take_directive(w, tok);
        if (!w->depth) check_prototype(w, i);
        if (tok->kind != CT_PUNCT) continue;
        if (*tok->p == '{') open_brace(w, i);
        if (*tok->p == '}') close_brace(w, i);
    }
}

/* ---- comments ---- */

static bool is_line_comment(const CTok *tok)
{
    return tok->kind == CT_COMMENT && tok->p[1] == '/';
}

/* Line comments that follow each other are one text: it is code if every line is. */
static size_t check_run(const SourceFile *file, const CToks *all, size_t i)
{
    size_t end = i, n_code = 0;
    do {
        const CTok *tok = &all->v[end++];
        n_code += style_is_code(tok->p + 2, tok->len - 2);
    } while (end < all->len && is_line_comment(&all->v[end]) && all->v[end].first &&
             all->v[end].line == all->v[end - 1].line + 1);
    if (n_code == end - i)
        finding(file->path, all->v[i].line, "commented-out code; git remembers it");
    return end - 1;
}

static void check_comments(const SourceFile *file, const CToks *all)
{
    for (size_t i = 0; i < all->len; i++) {
        const CTok *tok = &all->v[i];
        if (tok->kind != CT_COMMENT) continue;
        style_comment(file->path, tok->line, tok->p, tok->len);
        if (!tok->first) continue;
        if (is_line_comment(tok)) {
            i = check_run(file, all, i);
            continue;
        }
        bool alone = i + 1 == all->len || all->v[i + 1].line > tok->end_line;
        if (alone && tok->line == tok->end_line && tok->len > 4 &&
            style_is_code(tok->p + 2, tok->len - 4))
            finding(file->path, tok->line, "commented-out code; git remembers it");
    }
}

static void check_head(const SourceFile *file, const CToks *all)
{
    const CTok *first = all->len ? &all->v[0] : NULL;
    if (has_suffix(file->path, ".c") && (!first || first->kind != CT_COMMENT))
        finding(file->path, 1, "the first line should say what the file is");
    if (first && first->kind == CT_COMMENT && memmem(first->p, first->len, "Generated by", 12))
        finding(file->path, 1, "a generated file belongs in build/gen");
    if (!has_suffix(file->path, ".h")) return;
    for (size_t i = 0; i < all->len; i++) {
        if (ctok_directive(&all->v[i], "pragma") && memmem(all->v[i].p, all->v[i].len, "once", 4))
            return;
    }
    finding(file->path, 1, "no #pragma once");
}

void style_c(const SourceFile *file)
{
    CToks all = {0};
    Walk *w = host_alloc(sizeof *w);
    ctok_read(file->text.p, file->text.len, &all);
    w->file = file;
    for (size_t i = 0; i < all.len; i++) {
        if (all.v[i].kind == CT_COMMENT) continue;
        w->code.v = host_grow(w->code.v, w->code.len, &w->code.cap, sizeof(CTok));
        w->code.v[w->code.len++] = all.v[i];
    }
    check_head(file, &all);
    check_comments(file, &all);
    style_words_own(&w->code);
    walk(w);
    free(all.v);
    free(w->code.v);
    free(w);
}
