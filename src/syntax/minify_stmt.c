/* syntax/minify_stmt.c -- single statements in fewer characters. */
#include "syntax/minifier.h"

static void set_empty(Minify *m, NodeId id)
{
    *ast_node(m->ast, id) = (Node){.kind = NODE_EMPTY, .pos = min_get(m, id)->pos};
}

static bool is_empty(const Minify *m, NodeId id)
{
    const Node *n = min_get(m, id);
    return !id || n->kind == NODE_EMPTY || n->kind == NODE_TYPE_DECL ||
           (n->kind == NODE_BLOCK && !n->a);
}

static void set_expr_stmt(Minify *m, NodeId id, NodeId expr)
{
    u32 pos = min_get(m, id)->pos;
    expr = minify_unused(m, expr);
    if (!expr)
        set_empty(m, id);
    else
        *ast_node(m->ast, id) = (Node){.kind = NODE_EXPR_STMT, .pos = pos, .a = expr};
}

/* { a }: one statement needs no braces, none is `;`. */
static NodeId unwrap(Minify *m, NodeId id)
{
    const Node n = *min_get(m, id);
    if (n.kind != NODE_BLOCK) return id;
    u32 len = ast_len(m->ast, n.a);
    if (!len) {
        set_empty(m, id);
        return id;
    }
    if (len != 1 || minify_has_lexical(m, n.a)) return id;
    return ast_at(m->ast, n.a, 0);
}

/* ---- if ---- */

static NodeId stmt_expr(const Minify *m, NodeId id)
{
    const Node *n = min_get(m, id);
    return n->kind == NODE_EXPR_STMT && !(n->flags & NF_DIRECTIVE) ? n->a : 0;
}

static NodeId cond(Minify *m, u32 pos, NodeId test, NodeId yes, NodeId no)
{
    NodeId id =
        ast_add(m->ast, (Node){.kind = NODE_COND, .pos = pos, .a = test, .b = yes, .c = no});
    minify_expr(m, id);
    return id;
}

/* if (a) b; -> a && b */
static bool if_to_logical(Minify *m, NodeId id)
{
    const Node n = *min_get(m, id);
    NodeId yes = stmt_expr(m, n.b);
    if (n.c || !yes) return false;
    NodeId and = mk_op(m->ast, NODE_BINARY, TOK_AND_AND, n.pos, n.a, yes);
    set_expr_stmt(m, id, and);
    return true;
}

/* if (a) return b; else return c;  if (a) b; else c; */
static bool if_to_cond(Minify *m, NodeId id)
{
    const Node n = *min_get(m, id);
    if (!n.c) return false;
    NodeId yes = stmt_expr(m, n.b), no = stmt_expr(m, n.c);
    if (yes && no) {
        set_expr_stmt(m, id, cond(m, n.pos, n.a, yes, no));
        return true;
    }
    const Node b = *min_get(m, n.b), c = *min_get(m, n.c);
    bool jumps = b.kind == c.kind && (b.kind == NODE_RETURN || b.kind == NODE_THROW);
    if (!jumps || !b.a || !c.a) return false;
    NodeId value = cond(m, n.pos, n.a, b.a, c.a);
    *ast_node(m->ast, id) = (Node){.kind = b.kind, .pos = n.pos, .a = value};
    return true;
}

/* if (a) if (b) c; -> if (a && b) c; */
static void join_ifs(Minify *m, NodeId id)
{
    Node n = *min_get(m, id);
    if (n.c || !min_is(m, n.b, NODE_IF)) return;
    const Node inner = *min_get(m, n.b);
    if (inner.c) return;
    n.a = mk_op(m->ast, NODE_BINARY, TOK_AND_AND, n.pos, n.a, inner.a);
    n.b = inner.b;
    *ast_node(m->ast, id) = n;
}

static bool is_plain_not(const Minify *m, NodeId id)
{
    const Node *n = min_get(m, id);
    return n->kind == NODE_UNARY && n->op == TOK_NOT && !fold_known(&m->f, id).kind;
}

/* if (a) ; else b -> if (!a) b;  if (!a) b; else c -> if (a) c; else b */
static void turn_if(Minify *m, NodeId id)
{
    Node n = *min_get(m, id);
    if (!n.c) return;
    NodeId no = n.c;
    if (is_empty(m, n.c)) {
        ast_node(m->ast, id)->c = 0;
    } else if (is_empty(m, n.b)) {
        n.a = is_plain_not(m, n.a) ? min_get(m, n.a)->a : minify_not(m, n.a);
        n.b = no;
        n.c = 0;
        *ast_node(m->ast, id) = n;
    } else if (is_plain_not(m, n.a)) {
        n.a = min_get(m, n.a)->a;
        n.c = n.b;
        n.b = no;
        *ast_node(m->ast, id) = n;
    }
}

static void minify_if(Minify *m, NodeId id)
{
    NodeId yes = unwrap(m, min_get(m, id)->b);
    ast_node(m->ast, id)->b = yes;
    NodeId no = min_get(m, id)->c;
    if (no) no = unwrap(m, no);
    ast_node(m->ast, id)->c = no;
    minify_condition(m, min_get(m, id)->a);
    fold_if(&m->f, id);
    if (min_get(m, id)->kind != NODE_IF) return;
    turn_if(m, id);
    const Node n = *min_get(m, id);
    if (is_empty(m, n.b) && !n.c) {
        set_expr_stmt(m, id, n.a);
        return;
    }
    if (!if_to_logical(m, id) && !if_to_cond(m, id)) join_ifs(m, id);
}

/* ---- Loops ---- */

static void minify_for(Minify *m, NodeId id)
{
    Node n = *min_get(m, id);
    n.d = unwrap(m, n.d);
    if (n.b) {
        minify_condition(m, n.b);
        if (fold_truth(&m->f, n.b) == 1 && fold_is_pure(&m->f, n.b)) n.b = 0;
    }
    if (n.c) n.c = minify_unused(m, n.c);
    if (n.a && min_get(m, n.a)->kind != NODE_VAR) n.a = minify_unused(m, n.a);
    *ast_node(m->ast, id) = n;
}

/* while (a) b -> for (; a; ) b */
static void minify_while(Minify *m, NodeId id)
{
    const Node n = *min_get(m, id);
    NodeId vars;
    if (fold_truth(&m->f, n.a) == 0 && fold_is_pure(&m->f, n.a) &&
        fold_hoisted(&m->f, n.b, &vars)) {
        if (vars)
            *ast_node(m->ast, id) = *min_get(m, vars);
        else
            set_empty(m, id);
        return;
    }
    *ast_node(m->ast, id) = (Node){.kind = NODE_FOR, .pos = n.pos, .b = n.a, .d = n.b};
    minify_for(m, id);
}

static void unwrap_b(Minify *m, NodeId id)
{
    NodeId body = unwrap(m, min_get(m, id)->b);
    ast_node(m->ast, id)->b = body;
}

static void unwrap_c(Minify *m, NodeId id)
{
    NodeId body = unwrap(m, min_get(m, id)->c);
    ast_node(m->ast, id)->c = body;
}

/* A label that nothing jumps to. */
static void minify_label(Minify *m, NodeId id)
{
    const Node n = *min_get(m, id);
    if (id_map_find(&m->labels, n.a) || min_is(m, n.b, NODE_FUNC_DECL)) return;
    Node body = *min_get(m, n.b);
    if (body.kind == NODE_EXPR_STMT) body.flags = (u16)(body.flags & ~NF_DIRECTIVE);
    *ast_node(m->ast, id) = body;
}

/* let a = undefined */
static void minify_var(Minify *m, NodeId id)
{
    const Node n = *min_get(m, id);
    for (u32 i = 0; i < ast_len(m->ast, n.a) && n.op == VAR_LET; i++) {
        Node *d = ast_node(m->ast, ast_at(m->ast, n.a, i));
        if (d->b && fold_is_undefined(&m->f, d->b) && min_is(m, d->a, NODE_IDENT)) d->b = 0;
    }
}

void minify_stmt(Minify *m, NodeId id)
{
    switch (min_get(m, id)->kind) {
    case NODE_IF: minify_if(m, id); break;
    case NODE_FOR: minify_for(m, id); break;
    case NODE_WHILE: minify_while(m, id); break;
    case NODE_FOR_IN:
    case NODE_FOR_OF: unwrap_c(m, id); break;
    case NODE_WITH: unwrap_b(m, id); break;
    case NODE_DO: {
        NodeId body = unwrap(m, min_get(m, id)->a);
        ast_node(m->ast, id)->a = body;
        minify_condition(m, min_get(m, id)->b);
        break;
    }
    case NODE_LABELED: minify_label(m, id); break;
    case NODE_VAR: minify_var(m, id); break;
    default: break;
    }
}
