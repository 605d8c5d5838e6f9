/* syntax/lower_using.c -- using declarations, which the engine does not parse.
 *
 *     { using a = b; c }
 *
 * becomes
 *
 *     { var _stack = [], _error, _failed = false;
 *       try { const a = __cobUsing(_stack, b, false); c }
 *       catch (e) { _error = e; _failed = true }
 *       finally { __cobDispose(_stack, _error, _failed) } }
 *
 * with `await __cobDispose(...)` when any of them is `await using`.  At the top level of a file,
 * functions, imports and exports stay outside the try, and what else is declared there becomes
 * `var`. */
#include "syntax/build.h"

typedef Vec(u32) NodeVec;

typedef struct {
    Lowering *w;
    Ast *ast;
    Arena *scratch;
    u32 n_stacks;
    Atom using_fn, dispose_fn;
} UsingLower;

static const Node *un(const UsingLower *l, NodeId id)
{
    return ast_node(l->ast, id);
}

static Atom fresh(UsingLower *l, const char *base)
{
    Interner *atoms = l->ast->atoms;
    for (u32 k = l->n_stacks;; k++) {
        Str name = k ? str_fmt(l->scratch, "%s%u", base, k) : str_z(base);
        if (!intern_find(atoms, name)) return intern_dup(atoms, name);
    }
}

static bool is_using(const UsingLower *l, NodeId id)
{
    const Node *n = un(l, id);
    return n->kind == NODE_VAR && n->op >= VAR_USING;
}

/* using a = b, c = d  ->  const a = __cobUsing(_stack, b, false), ... */
static void lower_var(UsingLower *l, NodeId id, Atom stack)
{
    const Node n = *un(l, id);
    bool async = n.op == VAR_AWAIT_USING;
    for (u32 i = 0; i < ast_len(l->ast, n.a); i++) {
        NodeId decl = ast_at(l->ast, n.a, i);
        const Node d = *un(l, decl);
        u32 args[] = {mk_ident(l->ast, d.pos, stack), d.b,
                      mk(l->ast, async ? NODE_TRUE : NODE_FALSE, d.pos, 0, 0)};
        NodeId call = mk_call(l->ast, d.pos, mk_ident(l->ast, d.pos, l->using_fn), args, 3);
        ast_node(l->ast, decl)->b = call;
    }
    ast_node(l->ast, id)->op = VAR_CONST;
}

static NodeId assign_stmt(UsingLower *l, u32 pos, Atom name, NodeId value)
{
    return mk_stmt(l->ast, mk_assign(l->ast, pos, mk_ident(l->ast, pos, name), value));
}

typedef struct {
    Atom stack, error, failed;
    bool async;
} Names;

static NodeId make_try(UsingLower *l, u32 pos, const NodeVec *body, const Names *names)
{
    Ast *t = l->ast;
    Node n = {.kind = NODE_TRY, .pos = pos};
    n.a = mk(t, NODE_BLOCK, pos, ast_list(t, body->at, body->len), 0);
    Atom caught = fresh(l, "_caught");
    n.b = mk_ident(t, pos, caught);
    u32 handler[] = {assign_stmt(l, pos, names->error, mk_ident(t, pos, caught)),
                     assign_stmt(l, pos, names->failed, mk(t, NODE_TRUE, pos, 0, 0))};
    n.c = mk(t, NODE_BLOCK, pos, ast_list(t, handler, 2), 0);
    u32 args[] = {mk_ident(t, pos, names->stack), mk_ident(t, pos, names->error),
                  mk_ident(t, pos, names->failed)};
    NodeId call = mk_call(t, pos, mk_ident(t, pos, l->dispose_fn), args, 3);
    if (names->async) call = mk(t, NODE_AWAIT, pos, call, 0);
    NodeId stmt = mk_stmt(t, call);
    n.d = mk(t, NODE_BLOCK, pos, ast_list(t, &stmt, 1), 0);
    return ast_add(t, n);
}

/* var _stack = [], _error, _failed = false */
static NodeId make_head(UsingLower *l, u32 pos, const Names *names)
{
    Ast *t = l->ast;
    u32 decls[] = {
        mk(t, NODE_DECLARATOR, pos, mk_ident(t, pos, names->stack), mk(t, NODE_ARRAY, pos, 0, 0)),
        mk(t, NODE_DECLARATOR, pos, mk_ident(t, pos, names->error), 0),
        mk(t, NODE_DECLARATOR, pos, mk_ident(t, pos, names->failed), mk(t, NODE_FALSE, pos, 0, 0)),
    };
    NodeId var = mk(t, NODE_VAR, pos, ast_list(t, decls, 3), 0);
    ast_node(t, var)->op = VAR_LET;
    return var;
}

/* ---- The top level ---- */

static void collect_names(UsingLower *l, NodeId id, NodeVec *out)
{
    const Node n = *un(l, id);
    switch (n.kind) {
    case NODE_IDENT: {
        NodeId name = mk_ident(l->ast, n.pos, n.a);
        vec_push(l->scratch, out, mk(l->ast, NODE_DECLARATOR, n.pos, name, 0));
        break;
    }
    case NODE_ARRAY_PAT:
    case NODE_OBJECT_PAT:
        for (u32 i = 0; i < ast_len(l->ast, n.a); i++)
            collect_names(l, ast_at(l->ast, n.a, i), out);
        break;
    case NODE_PROP: collect_names(l, n.b, out); break;
    case NODE_ASSIGN_PAT:
    case NODE_REST: collect_names(l, n.a, out); break;
    default: break;
    }
}

/* let and const to assignments; the names are declared outside. */
static void assign_top_var(UsingLower *l, NodeId id, NodeVec *names, NodeVec *body)
{
    const Node n = *un(l, id);
    for (u32 i = 0; i < ast_len(l->ast, n.a); i++) {
        const Node d = *un(l, ast_at(l->ast, n.a, i));
        collect_names(l, d.a, names);
        if (d.b) vec_push(l->scratch, body, mk_stmt(l->ast, mk_assign(l->ast, d.pos, d.a, d.b)));
    }
}

static void assign_top_class(UsingLower *l, NodeId id, NodeVec *names, NodeVec *body)
{
    const Node n = *un(l, id);
    NodeId name = un(l, n.a)->a;
    collect_names(l, name, names);
    NodeId target = mk_ident(l->ast, n.pos, un(l, name)->a);
    vec_push(l->scratch, body, mk_stmt(l->ast, mk_assign(l->ast, n.pos, target, n.a)));
}

typedef struct {
    NodeVec outside, names, exported, body;
} TopParts;

static void split_top_stmt(UsingLower *l, NodeId id, TopParts *p)
{
    const Node n = *un(l, id);
    switch (n.kind) {
    case NODE_IMPORT:
    case NODE_EXPORT:
    case NODE_EXPORT_ALL:
    case NODE_FUNC_DECL: vec_push(l->scratch, &p->outside, id); break;
    case NODE_VAR: assign_top_var(l, id, &p->names, &p->body); break;
    case NODE_CLASS_DECL: assign_top_class(l, id, &p->names, &p->body); break;
    case NODE_EXPORT_DECL: {
        NodeKind kind = (NodeKind)un(l, n.a)->kind;
        if (kind == NODE_VAR)
            assign_top_var(l, n.a, &p->exported, &p->body);
        else if (kind == NODE_CLASS_DECL)
            assign_top_class(l, n.a, &p->exported, &p->body);
        else
            vec_push(l->scratch, &p->outside, id);
        break;
    }
    case NODE_EXPORT_DEFAULT: {
        NodeKind kind = (NodeKind)un(l, n.a)->kind;
        if (kind == NODE_FUNC_DECL) {
            vec_push(l->scratch, &p->outside, id);
            break;
        }
        /* export { _value as default }; _value = ... */
        NodeId own = kind == NODE_CLASS_DECL ? un(l, un(l, n.a)->a)->a : 0;
        Atom value = own ? un(l, own)->a : fresh(l, "_value");
        NodeId name = mk_ident(l->ast, n.pos, value);
        collect_names(l, name, &p->names);
        NodeId as = mk_ident(l->ast, n.pos, WORD_ATOM(TOK_DEFAULT));
        NodeId spec = mk(l->ast, NODE_EXPORT_SPEC, n.pos, name, as);
        vec_push(l->scratch, &p->outside,
                 mk(l->ast, NODE_EXPORT, n.pos, ast_list(l->ast, &spec, 1), 0));
        NodeId init = kind == NODE_CLASS_DECL ? un(l, n.a)->a : n.a;
        vec_push(l->scratch, &p->body, assign_stmt(l, n.pos, value, init));
        break;
    }
    default: vec_push(l->scratch, &p->body, id);
    }
}

static NodeId declare_vars(UsingLower *l, const NodeVec *names)
{
    return mk(l->ast, NODE_VAR, 0, ast_list(l->ast, names->at, names->len), 0);
}

/* ---- Lists ---- */

static ListId lower_list(UsingLower *l, ListId list, bool top)
{
    u32 len = ast_len(l->ast, list), first = len;
    bool async = false;
    for (u32 i = 0; i < len; i++) {
        NodeId id = ast_at(l->ast, list, i);
        if (!is_using(l, id)) continue;
        if (first == len) first = i;
        async |= un(l, id)->op == VAR_AWAIT_USING;
    }
    if (first == len) return list;
    u32 pos = un(l, ast_at(l->ast, list, first))->pos;
    Names names = {fresh(l, "_stack"), fresh(l, "_error"), fresh(l, "_failed"), async};
    l->n_stacks++;
    for (u32 i = first; i < len; i++) {
        if (is_using(l, ast_at(l->ast, list, i)))
            lower_var(l, ast_at(l->ast, list, i), names.stack);
    }
    TopParts parts = {0};
    NodeVec out = {0};
    for (u32 i = 0; i < first; i++) vec_push(l->scratch, &out, ast_at(l->ast, list, i));
    for (u32 i = first; i < len; i++) {
        if (top)
            split_top_stmt(l, ast_at(l->ast, list, i), &parts);
        else
            vec_push(l->scratch, &parts.body, ast_at(l->ast, list, i));
    }
    for (u32 i = 0; i < parts.outside.len; i++) vec_push(l->scratch, &out, parts.outside.at[i]);
    if (parts.names.len) vec_push(l->scratch, &out, declare_vars(l, &parts.names));
    if (parts.exported.len) {
        NodeId var = declare_vars(l, &parts.exported);
        vec_push(l->scratch, &out, mk(l->ast, NODE_EXPORT_DECL, 0, var, 0));
    }
    vec_push(l->scratch, &out, make_head(l, pos, &names));
    vec_push(l->scratch, &out, make_try(l, pos, &parts.body, &names));
    return ast_list(l->ast, out.at, out.len);
}

/* for (using a of b) c  ->  for (const a of b) { __cobUsing(_stack, a, false); c } */
static void lower_for_of(UsingLower *l, NodeId id)
{
    const Node n = *un(l, id);
    if (!is_using(l, n.a)) return;
    Ast *t = l->ast;
    NodeId decl = ast_at(t, un(l, n.a)->a, 0);
    const Node name = *un(l, un(l, decl)->a);
    ast_node(t, decl)->b = mk_ident(t, name.pos, name.a);
    u32 stmts[] = {n.a, n.c};
    ListId list = lower_list(l, ast_list(t, stmts, 2), false);
    NodeId block = mk(t, NODE_BLOCK, n.pos, list, 0);
    /* The head declares the variable, so only the call stays of the declaration in the body. */
    NodeId head = ast_add(t, *un(l, n.a)), own = ast_add(t, *un(l, decl));
    NodeId call = un(l, own)->b;
    ast_node(t, own)->b = 0;
    ast_node(t, head)->a = ast_list(t, &own, 1);
    *ast_node(t, n.a) = (Node){.kind = NODE_EXPR_STMT, .pos = n.pos, .a = call};
    ast_node(t, id)->a = head;
    ast_node(t, id)->c = block;
}

/* for (using a = b; c; d) e  ->  { using a = b; for (; c; d) e } */
static void lower_for(UsingLower *l, NodeId id)
{
    const Node n = *un(l, id);
    if (!n.a || !is_using(l, n.a)) return;
    Node loop = n;
    loop.a = 0;
    u32 stmts[] = {n.a, ast_add(l->ast, loop)};
    ListId list = lower_list(l, ast_list(l->ast, stmts, 2), false);
    *ast_node(l->ast, id) = (Node){.kind = NODE_BLOCK, .pos = n.pos, .a = list};
}

static void lower_node(UsingLower *l, NodeId i)
{
    ListId list;
    switch (un(l, i)->kind) {
    case NODE_PROGRAM:
    case NODE_BLOCK:
        list = lower_list(l, un(l, i)->a, un(l, i)->kind == NODE_PROGRAM);
        ast_node(l->ast, i)->a = list;
        break;
    case NODE_FUNC:
    case NODE_ARROW:
        list = lower_list(l, un(l, i)->c, false);
        ast_node(l->ast, i)->c = list;
        break;
    case NODE_CASE:
        list = lower_list(l, un(l, i)->b, false);
        ast_node(l->ast, i)->b = list;
        break;
    case NODE_FOR_OF: lower_for_of(l, i); break;
    case NODE_FOR: lower_for(l, i); break;
    default: break;
    }
}

void lower_using(Lowering *w)
{
    if (!w->ast->has_using) return;
    AUTO(Scratch) s = scratch_begin(w->arena);
    UsingLower l = {.w = w, .ast = w->ast, .scratch = s.arena};
    l.using_fn = intern(w->ast->atoms, S("__cobUsing"));
    l.dispose_fn = intern(w->ast->atoms, S("__cobDispose"));
    w->helpers |= HELPER_USING;
    u32 n = w->ast->n_nodes;
    for (NodeId i = 1; i < n; i++) lower_node(&l, i);
}
