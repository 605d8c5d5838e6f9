/* syntax/print.c -- the printer's output: spacing, words that must not join, source positions. */
#include "syntax/printer.h"

#include <stdio.h>
#include <string.h>

void put_op(Printer *p, Str s)
{
    char c = last_char(p);
    char before = p->out->len > 1 ? p->out->p[p->out->len - 2] : 0;
    bool joins = (s.p[0] == '+' && c == '+') || (s.p[0] == '-' && c == '-') ||
                 (s.p[0] == '>' && c == '-' && before == '-') || /* --> */
                 (s.p[0] == '-' && c == '!' && before == '<') || /* <!-- */
                 (s.p[0] == '!' && c == '<') || (s.p[0] == '/' && (c == '/' || c == '<'));
    if (joins) put_char(p, ' ');
    put(p, s);
}

void put_indent(Printer *p)
{
    if (p->minify) return;
    static const char spaces[] = "                                ";
    for (u32 n = p->indent * 2; n > 0;) {
        u32 k = MIN(n, (u32)sizeof(spaces) - 1);
        put(p, (Str){spaces, k});
        n -= k;
    }
}

void put_mark_slow(Printer *p, u32 src)
{
    u32 len = p->res->marks.len;
    u32 out = (u32)p->out->len;
    if (len && p->res->marks.at[len - 1].out == out) {
        p->res->marks.at[len - 1].src = src;
        return;
    }
    vec_push(p->opt->marks_arena, &p->res->marks, (PrintMark){out, src});
}

void put_comments(Printer *p, u32 pos)
{
    const Comments *all = p->opt->comments;
    while (p->comment < all->len && all->at[p->comment].pos < pos) {
        Comment c = all->at[p->comment++];
        Str text = str_slice(p->ast->source->text, c.pos, c.pos + c.len);
        put(p, text);
        if (!p->minify || str_starts(text, S("//"))) put_char(p, '\n');
        put_indent(p);
    }
}

void put_counter(Printer *p, u32 pos, bool is_function)
{
    PrintCounters *c = p->opt->counters;
    char index[16];
    int n = snprintf(index, sizeof(index), "[%u]++", c->at.len);
    put_word(p, c->name);
    put(p, (Str){index, (usize)n});
    vec_push(c->arena, &c->at, ((PrintCounter){pos, is_function}));
}

/* Nothing may come between the start of the program and its directives. */
static void print_program(Printer *p, ListId body)
{
    u32 i = 0, len = ast_len(p->ast, body);
    for (; i < len; i++) {
        const Node *n = get(p, ast_at(p->ast, body, i));
        if (n->kind != NODE_EXPR_STMT || !(n->flags & NF_DIRECTIVE)) break;
        print_list_item(p, ast_at(p->ast, body, i));
    }
    if (p->opt->prologue.n) {
        if (p->semicolon) put_char(p, ';');
        p->semicolon = false;
        put(p, p->opt->prologue);
        put_newline(p);
    }
    for (; i < len; i++) print_list_item(p, ast_at(p->ast, body, i));
}

bool print_ast(const Ast *t, const PrintOptions *opt, Buf *out, PrintResult *res)
{
    AUTO(Scratch) s = scratch_begin(opt->marks_arena);
    Printer p = {.ast = t, .opt = opt, .out = out, .res = res, .arena = s.arena};
    p.minify = opt->minify_whitespace;
    ASSERT(!opt->marks_arena || res);
    (void)buf_reserve(out, t->source->text.n + 64);
    print_program(&p, get(&p, t->root)->a);
    if (p.minify && p.semicolon) put_char(&p, ';');
    if (opt->comments) put_comments(&p, UINT32_MAX);
    if (out->p) out->p[out->len] = 0;
    return !p.too_deep;
}
