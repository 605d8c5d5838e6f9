/* syntax/scan.c -- see scan.h. */
#include "syntax/scan.h"

#include "syntax/lower_ts.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
    const Ast *ast;
    Arena *arena;
    ScanResult *ret;
} Scan;

static void add_import(Scan *s, ScanKind kind, NodeId path)
{
    const Node *n = ast_node(s->ast, path);
    if (n->kind != NODE_STR) return;
    ScanImport found = {kind, n->pos, atom_str(s->ast->atoms, n->a)};
    found.path = str_dup(s->arena, found.path);
    vec_push(s->arena, &s->ret->imports, found);
}

static bool is_free(const Ast *t, NodeId id, Str name)
{
    const Node *n = ast_node(t, id);
    return n->kind == NODE_IDENT && !n->b && str_eq(atom_str(t->atoms, n->a), name);
}

/* require("x"), require.resolve("x") */
static void take_call(Scan *s, const Node *n)
{
    const Node *callee = ast_node(s->ast, n->a);
    if (!ast_len(s->ast, n->b)) return;
    NodeId arg = ast_at(s->ast, n->b, 0);
    if (is_free(s->ast, n->a, S("require")))
        add_import(s, SCAN_REQUIRE, arg);
    else if (callee->kind == NODE_DOT && is_free(s->ast, callee->a, S("require")) &&
             str_eq(atom_str(s->ast->atoms, callee->b), S("resolve")))
        add_import(s, SCAN_REQUIRE_RESOLVE, arg);
}

static void take_node(Scan *s, NodeId id)
{
    const Node n = *ast_node(s->ast, id);
    switch (n.kind) {
    case NODE_IMPORT:
    case NODE_EXPORT_ALL:
    case NODE_EXPORT:
        if (n.b) add_import(s, SCAN_IMPORT, n.b);
        break;
    case NODE_IMPORT_CALL: add_import(s, SCAN_DYNAMIC_IMPORT, n.a); break;
    case NODE_CALL: take_call(s, &n); break;
    default: break;
    }
}

static int by_pos(const void *x, const void *y)
{
    const ScanImport *a = x, *b = y;
    return a->pos < b->pos ? -1 : a->pos > b->pos;
}

static int by_name(const void *x, const void *y)
{
    const Str *a = x, *b = y;
    int order = memcmp(a->p, b->p, MIN(a->n, b->n));
    return order ? order : a->n < b->n ? -1 : a->n > b->n;
}

static void collect(Lowering *w, ScanResult *ret)
{
    AUTO(Scratch) scratch = scratch_begin(w->arena);
    Scan s = {.ast = w->ast, .arena = w->arena, .ret = ret};
    NodeOrder order;
    ast_order(w->ast, w->ast->root, scratch.arena, &order);
    for (u32 i = 0; i < order.len; i++) take_node(&s, order.at[i]);
    ModuleInfo info;
    module_scan(w, &info);
    for (u32 i = 0; i < info.exports.len; i++)
        if (info.exports.at[i].kind != EXPORT_STAR)
            vec_push(w->arena, &ret->exports, str_dup(w->arena, info.exports.at[i].name));
    if (ret->imports.len > 1) qsort(ret->imports.at, ret->imports.len, sizeof(ScanImport), by_pos);
    if (ret->exports.len > 1) qsort(ret->exports.at, ret->exports.len, sizeof(Str), by_name);
}

bool scan_file(const Source *source, const TranspileOptions *opt, Arena *a, Log *log,
               ScanResult *ret)
{
    Interner atoms;
    AUTO(Ast) ast = {0};
    Bindings bindings;
    *ret = (ScanResult){0};
    interner_init(&atoms, a, (u32)(source->text.n / 64) + 256);
    lex_seed(&atoms);
    ast_init(&ast, source, &atoms);
    Lowering w = {.ast = &ast,
                  .bindings = &bindings,
                  .parse = &opt->parse,
                  .opt = &opt->lower,
                  .arena = a,
                  .log = log};
    if (!parse(&ast, a, &opt->parse, log) || !scope_bind(&ast, &opt->parse, a, log, &bindings))
        return false;
    jsx_note_factory(&w);
    if (!lower_ts(&w)) return false;
    collect(&w, ret);
    return true;
}
