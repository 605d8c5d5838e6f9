/* tools/check/style_js.c -- checks of the JS halves: functions, comments, ASCII, eval. */
#include <stdlib.h>
#include <string.h>

#include "check/findings.h"
#include "check/style.h"
#include "embed/jslex.h"

typedef struct {
    JsTok *v;
    size_t len, cap;
} JsToks;

typedef struct {
    char open;
    size_t at;     /* token of the bracket */
    size_t before; /* of "{": where the function starts, or NOT_A_FUNCTION */
} JsOpen;

#define NOT_A_FUNCTION ((size_t)-1)

typedef struct {
    const SourceFile *file;
    JsToks toks; /* without blanks and comments */
    JsOpen *stack;
    size_t depth, cap;
    size_t last_paren; /* the "(" of the ")" that was just closed */
} JsWalk;

static bool is_any(const JsTok *tok, const char *const *words)
{
    for (; *words; words++) {
        if (tok_is(tok, *words)) return true;
    }
    return false;
}

/* Does the "(" at `open` start parameters, if a "{" follows its ")"? */
static bool starts_parameters(const JsToks *toks, size_t open)
{
    static const char *const others[] = {"if", "for", "while", "switch", "with", "catch", NULL};
    if (!open) return false;
    const JsTok *tok = &toks->v[open - 1];
    if (tok->kind == JT_STRING || tok->kind == JT_NUMBER) return true;
    if (tok->kind == JT_PUNCT) return tok_is(tok, "]") || tok_is(tok, "*");
    if (tok->kind != JT_IDENT || is_any(tok, others)) return false;
    return !(tok_is(tok, "await") && open > 1 && tok_is(tok - 1, "for"));
}

static size_t function_start(const JsWalk *w, size_t brace)
{
    if (!brace) return NOT_A_FUNCTION;
    const JsTok *before = &w->toks.v[brace - 1];
    if (before->kind != JT_PUNCT) return NOT_A_FUNCTION;
    if (tok_is(before, "=>")) return brace - 1;
    if (!tok_is(before, ")") || !starts_parameters(&w->toks, w->last_paren)) return NOT_A_FUNCTION;
    return w->last_paren - 1;
}

/* The name that a reader would give it: its own, or what it is assigned to. */
static char *function_name(const JsWalk *w, size_t start)
{
    const JsTok *tok = &w->toks.v[start];
    if (tok->kind == JT_IDENT && !tok_is(tok, "function") && !tok_is(tok, "async"))
        return host_format("%.*s", (int)tok->len, tok->p);
    for (size_t i = start; i > 1 && w->toks.v[i].line == tok->line; i--) {
        const JsTok *sign = &w->toks.v[i - 1], *name = &w->toks.v[i - 2];
        if (sign->kind != JT_PUNCT || name->kind != JT_IDENT) continue;
        if (tok_is(sign, "=") || tok_is(sign, ":"))
            return host_format("%.*s", (int)name->len, name->p);
    }
    return host_format("anonymous");
}

static void end_function(const JsWalk *w, size_t start, size_t close)
{
    unsigned lines = w->toks.v[close].line - w->toks.v[start].line + 1;
    if (lines <= JS_FUNCTION_LINES) return;
    char *name = function_name(w, start);
    unsigned limit = limits_get(w->file->path, name, JS_FUNCTION_LINES, C_FUNCTION_HARD);
    if (lines > limit)
        finding(w->file->path, w->toks.v[start].line, "function %s has %u lines; the limit is %u",
                name, lines, limit);
    free(name);
}

static void walk(JsWalk *w)
{
    for (size_t i = 0; i < w->toks.len; i++) {
        const JsTok *tok = &w->toks.v[i];
        bool template_opens = tok->kind == JT_TEMPLATE && tok->p[tok->len - 1] == '{';
        if (template_opens || tok->kind != JT_PUNCT) continue;
        if (memchr("([{", *tok->p, 3)) {
            size_t start = *tok->p == '{' ? function_start(w, i) : NOT_A_FUNCTION;
            w->stack = host_grow(w->stack, w->depth, &w->cap, sizeof(JsOpen));
            w->stack[w->depth++] = (JsOpen){*tok->p, i, start};
        }
        if (!memchr(")]}", *tok->p, 3) || !w->depth) continue;
        JsOpen open = w->stack[--w->depth];
        if (open.open == '(') w->last_paren = open.at;
        if (open.before != NOT_A_FUNCTION) end_function(w, open.before, i);
    }
}

static void check_eval(const JsWalk *w)
{
    for (size_t i = 1; i + 1 < w->toks.len; i++) {
        const JsTok *tok = &w->toks.v[i], *before = tok - 1;
        if (tok->kind != JT_IDENT || !tok_is(tok, "eval") || !tok_is(tok + 1, "(")) continue;
        if (before->kind == JT_IDENT && !tok_is(before, "return")) continue;
        if (tok_is(before, ".") || tok_is(before, "?.") || tok_is(before, "}")) continue;
        if (tok_is(before, "{") || tok_is(before, ",")) continue; /* may be a method's name */
        finding(w->file->path, tok->line, "eval is banned in built-ins");
    }
}

static void check_ascii(const SourceFile *file)
{
    unsigned line = 1, reported = 0;
    for (size_t i = 0; i < file->text.len; i++) {
        unsigned char c = (unsigned char)file->text.p[i];
        if (c == '\n') line++;
        if (c < 0x80 || line == reported) continue;
        finding(file->path, line, "not ASCII; write it as an escape (\\u...)");
        reported = line;
    }
}

typedef struct {
    unsigned first, last; /* lines of a run of line comments, each alone on its line */
    size_t n, n_code;
} CommentRun;

static void end_run(const SourceFile *file, CommentRun *run)
{
    if (run->n && run->n == run->n_code)
        finding(file->path, run->first, "commented-out code; git remembers it");
    *run = (CommentRun){0};
}

static void add_comment(const SourceFile *file, CommentRun *run, const JsTok *tok)
{
    if (run->n && tok->line != run->last + 1) end_run(file, run);
    if (!run->n) run->first = tok->line;
    run->last = tok->line;
    run->n++;
    run->n_code += style_is_code(tok->p + 2, tok->len - 2);
}

static bool read_tokens(JsWalk *w)
{
    JsLex lex;
    JsTok tok;
    CommentRun run = {0};
    unsigned code_line = 0;
    jslex_init(&lex, w->file->text.p, w->file->text.len);
    while (jslex_next(&lex, &tok) && !lex.unsure) {
        bool comment = tok.kind == JT_LINE_COMMENT || tok.kind == JT_BLOCK_COMMENT;
        if (comment) style_comment(w->file->path, tok.line, tok.p, tok.len);
        if (tok.kind == JT_LINE_COMMENT && tok.line != code_line) add_comment(w->file, &run, &tok);
        if (is_trivia(&tok)) continue;
        end_run(w->file, &run);
        code_line = lex.line;
        w->toks.v = host_grow(w->toks.v, w->toks.len, &w->toks.cap, sizeof(JsTok));
        w->toks.v[w->toks.len++] = tok;
    }
    end_run(w->file, &run);
    if (tok.kind == JT_BAD && !lex.unsure) finding(w->file->path, lex.line, "%s", lex.error);
    free(lex.stack);
    return tok.kind == JT_EOF && !lex.unsure;
}

void style_js(const SourceFile *file)
{
    JsWalk w = {.file = file};
    check_ascii(file);
    if (read_tokens(&w)) {
        walk(&w);
        check_eval(&w);
    }
    free(w.toks.v);
    free(w.stack);
}
