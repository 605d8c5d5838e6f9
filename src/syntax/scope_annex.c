/* syntax/scope_annex.c -- Annex B.3.3: which functions in blocks are also `var`s of their function.
 *
 * Such a function is one unless a `var` in its place would be an error: a block between it and the
 * body must not declare the name (a simple catch parameter may), nor the body itself, nor its
 * parameters.  `lexical` counts the declarations of the blocks that are open.  Only bodies that
 * have functions in blocks are walked. */
#include "syntax/binder.h"

static void walk(Binder *b, NodeId id);

static void count_pattern(Binder *b, NodeId id, u32 by)
{
    const Node *n = bind_node(b, id);
    u32 list = n->a;
    switch (n->kind) {
    case NODE_IDENT: b->lexical[n->a] += by; break;
    case NODE_ARRAY_PAT:
    case NODE_OBJECT_PAT:
        for (u32 i = 0; i < ast_len(b->ast, list); i++)
            count_pattern(b, ast_at(b->ast, list, i), by);
        break;
    case NODE_PROP: count_pattern(b, n->b, by); break;
    case NODE_ASSIGN_PAT:
    case NODE_REST: count_pattern(b, n->a, by); break;
    default: break;
    }
}

static void count_let(Binder *b, const Node *var, u32 by)
{
    ListId list = var->a;
    if (var->op == VAR_VAR) return;
    for (u32 i = 0; i < ast_len(b->ast, list); i++)
        count_pattern(b, bind_node(b, ast_at(b->ast, list, i))->a, by);
}

static NodeId inside_labels(const Binder *b, NodeId id)
{
    while (bind_node(b, id)->kind == NODE_LABELED) id = bind_node(b, id)->b;
    return id;
}

static void count_stmt(Binder *b, NodeId id, u32 by)
{
    const Node *n = bind_node(b, inside_labels(b, id));
    NodeId name = 0;
    switch (n->kind) {
    case NODE_VAR: count_let(b, n, by); return;
    case NODE_FUNC_DECL:
    case NODE_CLASS_DECL: name = bind_node(b, n->a)->a; break;
    case NODE_ENUM: name = n->a; break;
    default: return;
    }
    if (name) b->lexical[bind_node(b, name)->a] += by;
}

static void count_list(Binder *b, ListId list, u32 by)
{
    for (u32 i = 0; i < ast_len(b->ast, list); i++) count_stmt(b, ast_at(b->ast, list, i), by);
}

/* `id` may be a function declaration in a block whose own names are not counted yet. */
static void take_function(Binder *b, NodeId id)
{
    const Node *n = bind_node(b, inside_labels(b, id));
    if (n->kind != NODE_FUNC_DECL) return;
    const Node *fn = bind_node(b, n->a);
    if (!fn->a || (fn->flags & (NF_ASYNC | NF_GENERATOR))) return;
    Atom name = bind_node(b, fn->a)->a;
    SymbolId old = b->current[name];
    bool declared = old && symbol_get(b->out, old)->scope == b->scope;
    if (!declared && !b->lexical[name]) declare(b, fn->a, SYM_VAR);
}

static void take_list(Binder *b, ListId list)
{
    for (u32 i = 0; i < ast_len(b->ast, list); i++) take_function(b, ast_at(b->ast, list, i));
}

static void walk_list(Binder *b, ListId list)
{
    for (u32 i = 0; i < ast_len(b->ast, list); i++) walk(b, ast_at(b->ast, list, i));
}

static void walk_block(Binder *b, ListId list)
{
    take_list(b, list);
    count_list(b, list, 1);
    walk_list(b, list);
    count_list(b, list, -1u);
}

static void walk_loop(Binder *b, NodeId head, NodeId body)
{
    bool is_let = head && bind_node(b, head)->kind == NODE_VAR;
    if (is_let) count_let(b, bind_node(b, head), 1);
    take_function(b, body);
    walk(b, body);
    if (is_let) count_let(b, bind_node(b, head), -1u);
}

static void walk_try(Binder *b, const Node n)
{
    walk(b, n.a);
    bool pattern = n.b && bind_node(b, n.b)->kind != NODE_IDENT;
    if (pattern) count_pattern(b, n.b, 1);
    if (n.c) walk(b, n.c);
    if (pattern) count_pattern(b, n.b, -1u);
    if (n.d) walk(b, n.d);
}

static void walk_switch(Binder *b, ListId cases)
{
    u32 len = ast_len(b->ast, cases);
    for (u32 i = 0; i < len; i++) take_list(b, bind_node(b, ast_at(b->ast, cases, i))->b);
    for (u32 i = 0; i < len; i++) count_list(b, bind_node(b, ast_at(b->ast, cases, i))->b, 1);
    for (u32 i = 0; i < len; i++) walk_list(b, bind_node(b, ast_at(b->ast, cases, i))->b);
    for (u32 i = 0; i < len; i++) count_list(b, bind_node(b, ast_at(b->ast, cases, i))->b, -1u);
}

static void walk(Binder *b, NodeId id)
{
    while (id) {
        const Node n = *bind_node(b, id);
        NodeId next = 0;
        switch (n.kind) {
        case NODE_BLOCK: walk_block(b, n.a); break;
        case NODE_IF:
            take_function(b, n.b);
            walk(b, n.b);
            if (n.c) take_function(b, n.c);
            next = n.c;
            break;
        case NODE_FOR: walk_loop(b, n.a, n.d); break;
        case NODE_FOR_IN:
        case NODE_FOR_OF: walk_loop(b, n.a, n.c); break;
        case NODE_WHILE:
        case NODE_WITH:
            take_function(b, n.b);
            next = n.b;
            break;
        case NODE_LABELED: next = n.b; break;
        case NODE_DO:
            take_function(b, n.a);
            next = n.a;
            break;
        case NODE_TRY: walk_try(b, n); break;
        case NODE_SWITCH: walk_switch(b, n.b); break;
        default: break;
        }
        id = next;
    }
}

void annex_functions(Binder *b, ListId list)
{
    if (!b->lexical) b->lexical = ARENA_ARRAY(b->arena, u32, b->n_atoms);
    walk_list(b, list);
}
