/* syntax/minify_list.c -- lists of statements: what can never run goes, neighbours are joined. */
#include "syntax/minifier.h"

typedef struct {
    Minify *m;
    NodeVec out;
    NodeVec decls; /* of the `var` that is last in `out`, when it grows */
    ListOwner owner;
    bool dead; /* behind a jump */
    bool past_directives;
} Lines;

static bool is_lexical(const Minify *m, NodeId id)
{
    const Node *n = min_get(m, id);
    switch (n->kind) {
    case NODE_VAR: return n->op != VAR_VAR;
    case NODE_FUNC_DECL:
    case NODE_CLASS_DECL: return true;
    case NODE_LABELED: return is_lexical(m, n->b);
    default: return false;
    }
}

bool minify_has_lexical(const Minify *m, ListId list)
{
    for (u32 i = 0; i < ast_len(m->ast, list); i++)
        if (is_lexical(m, ast_at(m->ast, list, i))) return true;
    return false;
}

static bool is_jump(const Minify *m, NodeId id)
{
    switch (min_get(m, id)->kind) {
    case NODE_RETURN:
    case NODE_THROW:
    case NODE_BREAK:
    case NODE_CONTINUE: return true;
    default: return false;
    }
}

static NodeId plain_expr(const Minify *m, NodeId id)
{
    const Node *n = min_get(m, id);
    return n->kind == NODE_EXPR_STMT && !(n->flags & NF_DIRECTIVE) ? n->a : 0;
}

/* ---- Declarations without use ---- */

/* Declarators that nobody needs go; true when none is left. */
static bool prune_var(Lines *l, NodeId id)
{
    Minify *m = l->m;
    const Node n = *min_get(m, id);
    NodeVec kept = {0};
    u32 len = ast_len(m->ast, n.a);
    for (u32 i = 0; i < len; i++) {
        NodeId decl = ast_at(m->ast, n.a, i);
        const Node *d = min_get(m, decl);
        bool unused = min_is(m, d->a, NODE_IDENT) && minify_is_unused(m, d->a) &&
                      (!d->b || fold_is_pure(&m->f, d->b));
        if (!unused || n.op >= VAR_USING) vec_push(m->arena, &kept, decl);
    }
    if (kept.len == len) return false;
    ListId list = ast_list(m->ast, kept.at, kept.len);
    ast_node(m->ast, id)->a = list;
    return !kept.len;
}

static bool is_unused_function(Lines *l, NodeId id)
{
    const Node *n = min_get(l->m, id);
    if (n->kind != NODE_FUNC_DECL || l->owner != LIST_FUNCTION) return false;
    NodeId name = min_get(l->m, n->a)->a;
    return name && minify_is_unused(l->m, name);
}

/* ---- Joining ---- */

static void push(Lines *l, NodeId id);

static NodeId last(const Lines *l)
{
    return l->out.len ? *vec_last(&l->out) : 0;
}

static void take_decls(Lines *l, NodeId var)
{
    ListId list = min_get(l->m, var)->a;
    for (u32 i = 0; i < ast_len(l->m->ast, list); i++)
        vec_push(l->m->arena, &l->decls, ast_at(l->m->ast, list, i));
}

/* Neighbours become one declaration; their list is made when no more come. */
static bool join_vars(Lines *l, NodeId id)
{
    Minify *m = l->m;
    NodeId before = last(l);
    if (!min_is(m, before, NODE_VAR)) return false;
    u8 op = min_get(m, id)->op;
    if (min_get(m, before)->op != op || op >= VAR_USING) return false;
    if (!l->decls.len) take_decls(l, before);
    take_decls(l, id);
    return true;
}

static void finish_vars(Lines *l)
{
    if (!l->decls.len) return;
    ListId list = ast_list(l->m->ast, l->decls.at, l->decls.len);
    ast_node(l->m->ast, last(l))->a = list;
    l->decls.len = 0;
}

/* The expression statement before moves into `*slot`. */
static void take_expr(Lines *l, NodeId id, u32 slot)
{
    Minify *m = l->m;
    NodeId before = last(l), expr = before ? plain_expr(m, before) : 0;
    if (!expr) return;
    NodeId value = slot ? min_get(m, id)->b : min_get(m, id)->a;
    value = value ? minify_comma(m, expr, value) : expr;
    if (slot)
        ast_node(m->ast, id)->b = value;
    else
        ast_node(m->ast, id)->a = value;
    (void)vec_pop(&l->out);
}

static void join_for(Lines *l, NodeId id)
{
    Minify *m = l->m;
    const Node n = *min_get(m, id);
    NodeId before = last(l);
    bool is_var = min_is(m, before, NODE_VAR) && min_get(m, before)->op == VAR_VAR;
    if (!n.a && is_var) {
        ast_node(m->ast, id)->a = before;
        (void)vec_pop(&l->out);
    } else if (!n.a || min_get(m, n.a)->kind != NODE_VAR) {
        take_expr(l, id, 0);
    } else if (is_var && min_get(m, n.a)->op == VAR_VAR && join_vars(l, n.a)) {
        finish_vars(l);
        ast_node(m->ast, id)->a = before;
        (void)vec_pop(&l->out);
    }
}

/* if (a) return b; return c; */
static void join_returns(Lines *l)
{
    Minify *m = l->m;
    while (l->out.len >= 2) {
        NodeId id = last(l), before = l->out.at[l->out.len - 2];
        const Node jump = *min_get(m, id), test = *min_get(m, before);
        bool is_value = (jump.kind == NODE_RETURN || jump.kind == NODE_THROW) && jump.a;
        if (!is_value || test.kind != NODE_IF || test.c) return;
        const Node yes = *min_get(m, test.b);
        if (yes.kind != jump.kind || !yes.a) return;
        NodeId value = ast_add(
            m->ast,
            (Node){.kind = NODE_COND, .pos = test.pos, .a = test.a, .b = yes.a, .c = jump.a});
        minify_expr(m, value);
        *ast_node(m->ast, before) = (Node){.kind = jump.kind, .pos = test.pos, .a = value};
        l->out.len--;
        /* An expression statement in front joins too. */
        l->out.len--;
        take_expr(l, before, 0);
        vec_push(m->arena, &l->out, before);
    }
}

static void join(Lines *l, NodeId id)
{
    Minify *m = l->m;
    const Node *n = min_get(m, id);
    if (n->kind != NODE_VAR) finish_vars(l);
    switch (n->kind) {
    case NODE_VAR:
        if (join_vars(l, id)) return;
        finish_vars(l);
        break;
    case NODE_EXPR_STMT:
        if (!(n->flags & NF_DIRECTIVE)) take_expr(l, id, 0);
        break;
    case NODE_RETURN:
    case NODE_THROW:
        if (n->a) take_expr(l, id, 0);
        break;
    case NODE_IF:
    case NODE_SWITCH:
    case NODE_WITH: take_expr(l, id, 0); break;
    case NODE_FOR: join_for(l, id); break;
    case NODE_FOR_IN:
        if (min_get(m, n->a)->kind == NODE_IDENT) take_expr(l, id, 1);
        break;
    default: break;
    }
    vec_push(m->arena, &l->out, id);
}

/* ---- One statement ---- */

static void push_list(Lines *l, ListId list)
{
    for (u32 i = 0; i < ast_len(l->m->ast, list); i++) push(l, ast_at(l->m->ast, list, i));
}

/* Behind a jump only declarations count. */
static void push_dead(Lines *l, NodeId id)
{
    NodeId vars;
    if (is_lexical(l->m, id) || !fold_hoisted(&l->m->f, id, &vars)) {
        finish_vars(l);
        vec_push(l->m->arena, &l->out, id);
    } else if (vars)
        join(l, vars);
}

/* A string that was none, and that comes first now, must not become one. */
static bool is_directive(Lines *l, NodeId id)
{
    Node *n = ast_node(l->m->ast, id);
    if (!(n->flags & NF_DIRECTIVE)) return false;
    if (l->owner == LIST_BLOCK || l->past_directives) n->flags = (u16)(n->flags & ~NF_DIRECTIVE);
    return n->flags & NF_DIRECTIVE;
}

static void push(Lines *l, NodeId id)
{
    Minify *m = l->m;
    const Node n = *min_get(m, id);
    if (l->dead) {
        push_dead(l, id);
        return;
    }
    if (!(n.flags & NF_DIRECTIVE) || n.kind != NODE_EXPR_STMT) l->past_directives = true;
    switch (n.kind) {
    case NODE_EMPTY:
    case NODE_TYPE_DECL: return;
    case NODE_BLOCK:
        if (minify_has_lexical(m, n.a)) break;
        push_list(l, n.a);
        return;
    case NODE_EXPR_STMT: {
        if (is_directive(l, id)) break;
        NodeId left = minify_unused(m, n.a);
        if (!left) return;
        ast_node(m->ast, id)->a = left;
        break;
    }
    case NODE_VAR:
        if (prune_var(l, id)) return;
        break;
    default:
        if (is_unused_function(l, id)) return;
    }
    join(l, id);
    l->dead = is_jump(m, id);
}

/* A function ends with `return` anyway. */
static void drop_return(Lines *l)
{
    Minify *m = l->m;
    NodeId id = last(l);
    if (l->owner != LIST_FUNCTION || !min_is(m, id, NODE_RETURN)) return;
    const Node n = *min_get(m, id);
    if (!n.a) (void)vec_pop(&l->out);
}

ListId minify_list(Minify *m, ListId list, ListOwner owner)
{
    Lines l = {.m = m, .owner = owner};
    push_list(&l, list);
    finish_vars(&l);
    drop_return(&l);
    join_returns(&l);
    return ast_list(m->ast, l.out.at, l.out.len);
}
