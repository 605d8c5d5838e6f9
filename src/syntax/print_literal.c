/* syntax/print_literal.c -- strings, numbers, functions, classes and JSX. */
#include "syntax/number.h"
#include "syntax/printer.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- Strings ---- */

static void put_escaped(Printer *p, u32 c)
{
    char text[16];
    int n = 0;
    switch (c) {
    case '\n': n = snprintf(text, sizeof(text), "\\n"); break;
    case '\r': n = snprintf(text, sizeof(text), "\\r"); break;
    case '\t': n = snprintf(text, sizeof(text), "\\t"); break;
    case '\b': n = snprintf(text, sizeof(text), "\\b"); break;
    case '\f': n = snprintf(text, sizeof(text), "\\f"); break;
    case '\v': n = snprintf(text, sizeof(text), "\\v"); break;
    case '\\': n = snprintf(text, sizeof(text), "\\\\"); break;
    case '"': n = snprintf(text, sizeof(text), "\\\""); break;
    case '\'': n = snprintf(text, sizeof(text), "\\'"); break;
    default:
        if (c < 0x100)
            n = snprintf(text, sizeof(text), "\\x%02X", c);
        else
            n = snprintf(text, sizeof(text), "\\u%04X", c);
    }
    put(p, (Str){text, (usize)n});
}

/* The three bytes of an unpaired surrogate, and not just malformed ones. */
static bool is_surrogate(const char *p)
{
    u8 second = (u8)p[1], third = (u8)p[2];
    return (u8)p[0] == 0xed && second >= 0xa0 && second <= 0xbf && third >= 0x80 && third <= 0xbf;
}

/* When minifying: the quote that the text has less of. */
static char best_quote(const Printer *p, Str s)
{
    i64 balance = 0;
    if (!p->minify) return '"';
    for (usize i = 0; i < s.n; i++) balance += (s.p[i] == '"') - (s.p[i] == '\'');
    return balance > 0 ? '\'' : '"';
}

void print_quoted(Printer *p, Str s)
{
    u8 quote = (u8)best_quote(p, s);
    put_char(p, (char)quote);
    const char *end = s.p + s.n, *from = s.p;
    for (const char *q = s.p; q < end;) {
        u8 c = (u8)*q;
        u32 n = 1, escape = 0;
        if (c < 0x20 || c == quote || c == '\\' || c == 0x7f) {
            escape = c;
        } else if (c == 0xed && q + 2 < end && is_surrogate(q)) {
            /* an unpaired surrogate */
            escape = 0xd000 | ((u32)(u8)q[1] & 0x3f) << 6 | ((u32)(u8)q[2] & 0x3f);
            n = 3;
        } else if (c == 0xe2 && q + 2 < end && (u8)q[1] == 0x80 && ((u8)q[2] | 1) == 0xa9) {
            escape = 0x2000 | ((u32)(u8)q[2] & 0x3f);
            n = 3;
        }
        if (escape || (c == 0)) {
            put(p, (Str){from, (usize)(q - from)});
            put_escaped(p, escape);
            from = q + n;
        }
        q += n;
    }
    put(p, (Str){from, (usize)(end - from)});
    put_char(p, (char)quote);
}

void print_string(Printer *p, const Node *n)
{
    if (!n->b || (n->flags & NF_LEGACY) || (p->minify && (n->flags & NF_ESCAPED))) {
        print_quoted(p, atom_str(p->ast->atoms, n->a));
        return;
    }
    Str raw = str_slice(p->ast->source->text, n->pos, n->b);
    DASSERT(raw.n >= 2);
    Str inner = {raw.p + 1, raw.n - 2};
    if (raw.p[0] == '\'' && !memchr(inner.p, '"', inner.n)) {
        put_char(p, '"');
        put(p, inner);
        put_char(p, '"');
    } else {
        put(p, raw);
    }
}

/* ---- Numbers ---- */

void print_number(Printer *p, const Node *n)
{
    if (n->c && !(n->flags & NF_LEGACY) && !p->minify) {
        put_word(p, str_slice(p->ast->source->text, n->pos, n->c));
        return;
    }
    f64 v = ast_num(n);
    if (isnan(v)) {
        WORD(p, "NaN");
        return;
    }
    if (v < 0 || (v == 0 && signbit(v))) {
        put_op(p, S("-"));
        v = -v;
    }
    if (isinf(v)) {
        WORD(p, "Infinity");
        return;
    }
    char text[NUMBER_TEXT_MAX];
    usize len = p->minify ? number_text_short(v, text) : number_text(v, text);
    put_word(p, (Str){text, len});
}

/* ---- Functions ---- */

void print_params(Printer *p, ListId params)
{
    put_char(p, '(');
    for (u32 i = 0; i < ast_len(p->ast, params); i++) {
        if (i) {
            put_char(p, ',');
            put_space(p);
        }
        print_binding(p, ast_at(p->ast, params, i));
    }
    put_char(p, ')');
}

void print_function(Printer *p, const Node *fn, bool keyword)
{
    if (keyword) {
        if (fn->flags & NF_ASYNC) WORD(p, "async");
        if (fn->flags & NF_ASYNC) put_char(p, ' ');
        WORD(p, "function");
        if (fn->flags & NF_GENERATOR) put_char(p, '*');
        if (fn->a) {
            if (!(p->minify && (fn->flags & NF_GENERATOR))) put_char(p, ' ');
            put(p, atom_str(p->ast->atoms, get(p, fn->a)->a));
        }
    }
    ListId params = fn->b, body = fn->c;
    print_params(p, params);
    put_space(p);
    print_function_body(p, body, fn->pos);
}

/* ---- Classes ---- */

static bool is_plain_decorator(const Printer *p, NodeId id)
{
    const Node *n = get(p, id);
    if (n->kind == NODE_CALL) n = get(p, n->a);
    while (n->kind == NODE_DOT || n->kind == NODE_DOT_PRIVATE) n = get(p, n->a);
    return n->kind == NODE_IDENT;
}

static void print_decorators(Printer *p, ListId list, bool lines)
{
    for (u32 i = 0; i < ast_len(p->ast, list); i++) {
        NodeId id = ast_at(p->ast, list, i);
        put_char(p, '@');
        if (is_plain_decorator(p, id)) {
            print_expr(p, id, LEVEL_CALL, 0);
        } else {
            put_char(p, '(');
            print_expr(p, id, LEVEL_COMMA, 0);
            put_char(p, ')');
        }
        if (lines && !p->minify) {
            put_char(p, '\n');
            put_indent(p);
        } else {
            put_char(p, ' ');
        }
    }
}

static void print_member_method(Printer *p, const Node *m)
{
    const Node *fn = get(p, m->b);
    bool computed = m->flags & NF_COMPUTED;
    if (m->op == PROP_GET) WORD(p, "get ");
    if (m->op == PROP_SET) WORD(p, "set ");
    if (fn->flags & NF_ASYNC) WORD(p, "async ");
    if (fn->flags & NF_GENERATOR) put_char(p, '*');
    print_key(p, m->a, computed);
    print_function(p, fn, false);
}

/* `get`, `static` and the like as the name of a field swallow what follows them: a semicolon ends
 * it. */
static void print_member(Printer *p, NodeId id)
{
    const Node *m = get(p, id);
    put_mark(p, m->pos);
    print_decorators(p, m->c, true);
    if (m->op == PROP_STATIC_BLOCK) {
        WORD(p, "static");
        put_space(p);
        print_block_body(p, get(p, m->b)->a);
        return;
    }
    if (m->flags & NF_STATIC) WORD(p, "static ");
    if (m->op == PROP_METHOD || m->op == PROP_GET || m->op == PROP_SET) {
        print_member_method(p, m);
        return;
    }
    if (m->op == PROP_ACCESSOR) WORD(p, "accessor ");
    print_key(p, m->a, m->flags & NF_COMPUTED);
    if (m->b) {
        put_space(p);
        put_char(p, '=');
        put_space(p);
        print_expr(p, m->b, LEVEL_YIELD, 0);
    }
    put_char(p, ';');
}

void print_class(Printer *p, const Node *c)
{
    NodeId super = c->b, name = c->a;
    ListId members = c->c;
    print_decorators(p, c->d, false);
    WORD(p, "class");
    if (name) put_word(p, atom_str(p->ast->atoms, get(p, name)->a));
    if (super) {
        put_word(p, S("extends"));
        put_char(p, ' ');
        print_expr(p, super, LEVEL_NEW, 0);
    }
    put_space(p);
    put_char(p, '{');
    u32 len = ast_len(p->ast, members);
    put_newline(p);
    p->indent++;
    for (u32 i = 0; i < len; i++) {
        put_indent(p);
        print_member(p, ast_at(p->ast, members, i));
        put_newline(p);
    }
    p->indent--;
    put_indent(p);
    put_char(p, '}');
    p->semicolon = false;
}

/* ---- JSX ---- */

static void print_jsx_name(Printer *p, NodeId id)
{
    const Node *n = get(p, id);
    if (n->kind == NODE_JSX_NAME)
        put(p, atom_str(p->ast->atoms, n->a));
    else
        print_expr(p, id, LEVEL_MEMBER, 0);
}

static void print_jsx_part(Printer *p, NodeId id)
{
    const Node *n = get(p, id);
    Str src = p->ast->source->text;
    switch (n->kind) {
    case NODE_JSX_TEXT: put(p, str_slice(src, n->a, n->b)); break;
    case NODE_JSX_STR: put(p, str_slice(src, n->a - 1, n->b + 1)); break;
    case NODE_JSX_SPREAD:
        PUT(p, "{...");
        print_expr(p, n->a, LEVEL_YIELD, 0);
        put_char(p, '}');
        break;
    case NODE_JSX_EXPR:
        put_char(p, '{');
        if (n->a) print_expr(p, n->a, LEVEL_COMMA, 0);
        put_char(p, '}');
        break;
    case NODE_JSX_ATTR:
        print_jsx_name(p, n->a);
        if (!n->b) break;
        put_char(p, '=');
        print_jsx_part(p, n->b);
        break;
    default: print_jsx(p, id);
    }
}

void print_jsx(Printer *p, NodeId id)
{
    if (++p->depth > PRINT_DEPTH_MAX) {
        p->too_deep = true;
        p->depth--;
        return;
    }
    const Node *n = get(p, id);
    put_char(p, '<');
    if (n->a) print_jsx_name(p, n->a);
    for (u32 i = 0; i < ast_len(p->ast, n->b); i++) {
        put_char(p, ' ');
        print_jsx_part(p, ast_at(p->ast, n->b, i));
    }
    put_char(p, '>');
    for (u32 i = 0; i < ast_len(p->ast, n->c); i++) print_jsx_part(p, ast_at(p->ast, n->c, i));
    PUT(p, "</");
    if (n->a) print_jsx_name(p, n->a);
    put_char(p, '>');
    p->depth--;
}
