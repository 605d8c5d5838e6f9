/* syntax/minify.c -- the pass over the tree: every node after what is below it. */
#include "syntax/early.h"
#include "syntax/minifier.h"

static void set_list_b(Minify *m, NodeId id, ListOwner owner)
{
    ListId list = minify_list(m, min_get(m, id)->b, owner);
    ast_node(m->ast, id)->b = list;
}

static void set_list_c(Minify *m, NodeId id, ListOwner owner)
{
    ListId list = minify_list(m, min_get(m, id)->c, owner);
    ast_node(m->ast, id)->c = list;
}

static void set_list_a(Minify *m, NodeId id, ListOwner owner)
{
    ListId list = minify_list(m, min_get(m, id)->a, owner);
    ast_node(m->ast, id)->a = list;
}

/* (a) => { return a } */
static void shorten_arrow(Minify *m, NodeId id)
{
    const Node n = *min_get(m, id);
    if (n.a || ast_len(m->ast, n.c) != 1) return;
    const Node only = *min_get(m, ast_at(m->ast, n.c, 0));
    if (only.kind != NODE_RETURN || !only.a) return;
    ast_node(m->ast, id)->a = only.a;
    ast_node(m->ast, id)->c = 0;
}

static void visit(Minify *m, NodeId id)
{
    switch (min_get(m, id)->kind) {
    case NODE_PROGRAM: set_list_a(m, id, LIST_TOP); break;
    case NODE_BLOCK: set_list_a(m, id, LIST_BLOCK); break;
    case NODE_CASE: set_list_b(m, id, LIST_BLOCK); break;
    case NODE_FUNC: set_list_c(m, id, LIST_FUNCTION); break;
    case NODE_ARROW:
        set_list_c(m, id, LIST_FUNCTION);
        shorten_arrow(m, id);
        break;
    default:
        fold_expr(&m->f, id);
        minify_expr(m, id);
        minify_stmt(m, id);
    }
}

static void note_labels(Minify *m, const NodeOrder *order)
{
    for (u32 i = 0; i < order->len; i++) {
        const Node *n = min_get(m, order->at[i]);
        bool jump = n->kind == NODE_BREAK || n->kind == NODE_CONTINUE;
        if (jump && n->a) *id_map_put(m->arena, &m->labels, n->a, NULL) = 1;
    }
}

void minify_syntax(Lowering *w)
{
    AUTO(Scratch) s = scratch_begin(w->arena);
    Minify m = {.ast = w->ast, .bindings = w->bindings, .arena = s.arena};
    m.f = (Fold){.ast = w->ast,
                 .bindings = w->bindings,
                 .arena = s.arena,
                 .knows_early = true,
                 .minify = true};
    NodeOrder order;
    bindings_mark_exports(w->ast, w->bindings);
    bindings_mark_early(w);
    m.removed = ARENA_ARRAY(s.arena, u64, w->bindings->symbols.len / 64 + 1);
    m.linked = bindings_linked(w->bindings, true, s.arena);
    fold_mark_refs(&m.f, s.arena);
    minify_inline_constants(&m);
    ast_order(w->ast, w->ast->root, s.arena, &order);
    note_labels(&m, &order);
    for (u32 i = order.len; i-- > 0;) visit(&m, order.at[i]);
}

void minify_constants(Lowering *w)
{
    AUTO(Scratch) s = scratch_begin(w->arena);
    Minify m = {.ast = w->ast, .bindings = w->bindings, .arena = s.arena};
    m.f = (Fold){.ast = w->ast, .bindings = w->bindings, .arena = s.arena, .knows_early = true};
    bindings_mark_exports(w->ast, w->bindings);
    bindings_mark_early(w);
    m.removed = ARENA_ARRAY(s.arena, u64, w->bindings->symbols.len / 64 + 1);
    minify_inline_constants(&m);
}
