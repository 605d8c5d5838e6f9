/* syntax/lower_decorators.c -- which classes have decorators, and TypeScript's legacy ones
 * (experimentalDecorators); the standard ones are in lower_es_decorators.c.
 *
 *     @a class B { @c d = 1; @e f(@g h) {} }
 *
 * becomes, with the meaning of TypeScript's own output,
 *
 *     let B = class B { d = 1; f(h) {} };
 *     __cobDecorate([c], B.prototype, "d", void 0);
 *     __cobDecorate([e, __cobParam(0, g)], B.prototype, "f", null);
 *     B = __cobDecorate([a], B);
 *
 * Uses of a decorated class inside itself mean the decorated one: they go through an alias that is
 * set again at the end.  Runs after lower_ts, so that namespaces are plain functions already. */
#include "syntax/lower_decorators.h"

static const Node *dn(const DecoratorLower *l, NodeId id)
{
    return ast_node(l->ast, id);
}

Atom decorator_fresh(DecoratorLower *l, Str base)
{
    Interner *atoms = l->ast->atoms;
    for (u32 k = 1;; k++) {
        Str name = str_fmt(l->scratch, "%.*s_%u", STR_ARG(base), k);
        if (!intern_find(atoms, name)) return intern_dup(atoms, name);
    }
}

static NodeId undefined(DecoratorLower *l, u32 pos)
{
    return mk_op(l->ast, NODE_UNARY, TOK_VOID, pos, mk_num(l->ast, pos, 0), 0);
}

/* ---- Finding decorators ---- */

static bool has_param_decorators(const DecoratorLower *l, NodeId fn)
{
    ListId params = dn(l, fn)->b;
    for (u32 i = 0; i < ast_len(l->ast, params); i++) {
        const Node *p = dn(l, ast_at(l->ast, params, i));
        if (p->kind == NODE_PARAM && p->b) return true;
    }
    return false;
}

static bool is_method(const Node *m)
{
    return m->op == PROP_METHOD || m->op == PROP_GET || m->op == PROP_SET;
}

static bool is_ctor(const DecoratorLower *l, const Node *m)
{
    if (m->op != PROP_METHOD || (m->flags & (NF_STATIC | NF_COMPUTED))) return false;
    const Node *key = dn(l, m->a);
    return (key->kind == NODE_IDENT || key->kind == NODE_STR) &&
           key->a == WORD_ATOM(TOK_CONSTRUCTOR);
}

static bool is_decorated(const DecoratorLower *l, const Node *m)
{
    return m->c || (is_method(m) && m->b && has_param_decorators(l, m->b));
}

bool has_decorators(const DecoratorLower *l, NodeId class)
{
    const Node *c = dn(l, class);
    if (c->d) return true;
    for (u32 i = 0; i < ast_len(l->ast, c->c); i++) {
        if (is_decorated(l, dn(l, ast_at(l->ast, c->c, i)))) return true;
    }
    return false;
}

/* ---- Calls ---- */

static void push_list(DecoratorLower *l, ListId list, NodeVec *out)
{
    for (u32 i = 0; i < ast_len(l->ast, list); i++)
        vec_push(l->scratch, out, ast_at(l->ast, list, i));
}

/* Takes the decorators off the parameters: __cobParam(index, decorator). */
static void take_param_decorators(DecoratorLower *l, NodeId fn, NodeVec *out)
{
    ListId params = dn(l, fn)->b;
    for (u32 i = 0; i < ast_len(l->ast, params); i++) {
        NodeId id = ast_at(l->ast, params, i);
        const Node p = *dn(l, id);
        if (p.kind != NODE_PARAM || !p.b) continue;
        for (u32 k = 0; k < ast_len(l->ast, p.b); k++) {
            u32 args[] = {mk_num(l->ast, p.pos, i), ast_at(l->ast, p.b, k)};
            NodeId callee = mk_ident(l->ast, p.pos, intern(l->ast->atoms, S("__cobParam")));
            vec_push(l->scratch, out, mk_call(l->ast, p.pos, callee, args, 2));
            l->w->helpers |= HELPER_PARAM;
        }
        ast_node(l->ast, id)->b = 0;
    }
}

static NodeId decorate_call(DecoratorLower *l, u32 pos, const NodeVec *decorators, const u32 *rest,
                            u32 n)
{
    u32 args[4] = {
        mk(l->ast, NODE_ARRAY, pos, ast_list(l->ast, decorators->at, decorators->len), 0)};
    for (u32 i = 0; i < n; i++) args[i + 1] = rest[i];
    NodeId callee = mk_ident(l->ast, pos, intern(l->ast->atoms, S("__cobDecorate")));
    l->w->helpers |= HELPER_DECORATE;
    return mk_call(l->ast, pos, callee, args, n + 1);
}

/* The member's key as a value; a computed one is kept in a variable. */
static NodeId key_value(DecoratorLower *l, NodeId member, NodeVec *before)
{
    const Node m = *dn(l, member), key = *dn(l, m.a);
    if (!(m.flags & NF_COMPUTED)) {
        if (key.kind == NODE_NUM) return mk_num(l->ast, m.pos, ast_num(&key));
        return mk_str(l->ast, m.pos, key.a);
    }
    if (key.kind == NODE_STR || key.kind == NODE_NUM) return m.a;
    Atom name = decorator_fresh(l, S("_key"));
    vec_push(l->scratch, before, mk_var(l->ast, m.pos, VAR_VAR, name, 0));
    NodeId assign = mk_assign(l->ast, m.pos, mk_ident(l->ast, m.pos, name), m.a);
    ast_node(l->ast, member)->a = assign;
    return mk_ident(l->ast, m.pos, name);
}

static void lower_member(DecoratorLower *l, NodeId id, Atom class, NodeVec *before, NodeVec *after)
{
    const Node m = *dn(l, id);
    NodeVec decorators = {0};
    push_list(l, m.c, &decorators);
    if (is_method(&m)) take_param_decorators(l, m.b, &decorators);
    if (l->w->opt->emit_metadata) metadata_of_member(l, id, &decorators);
    ast_node(l->ast, id)->c = 0;
    NodeId target = mk_ident(l->ast, m.pos, class);
    if (!(m.flags & NF_STATIC)) target = mk_dot(l->ast, m.pos, target, WORD_ATOM(TOK_PROTOTYPE));
    bool field = m.op == PROP_FIELD;
    u32 rest[] = {target, key_value(l, id, before),
                  field ? undefined(l, m.pos) : mk(l->ast, NODE_NULL, m.pos, 0, 0)};
    vec_push(l->scratch, after, mk_stmt(l->ast, decorate_call(l, m.pos, &decorators, rest, 3)));
}

/* Fields that lower_ts moved into the constructor were kept for their decorators only. */
static void drop_moved_fields(DecoratorLower *l, NodeId class)
{
    ListId members = dn(l, class)->c;
    NodeVec kept = {0};
    for (u32 i = 0; i < ast_len(l->ast, members); i++) {
        NodeId id = ast_at(l->ast, members, i);
        if (!(dn(l, id)->flags & NF_DECLARE)) vec_push(l->scratch, &kept, id);
    }
    ListId list = ast_list(l->ast, kept.at, kept.len);
    ast_node(l->ast, class)->c = list;
}

static void lower_members(DecoratorLower *l, NodeId class, Atom name, NodeVec *before,
                          NodeVec *after)
{
    ListId members = dn(l, class)->c;
    for (u32 pass = 0; pass < 2; pass++) {
        for (u32 i = 0; i < ast_len(l->ast, members); i++) {
            NodeId id = ast_at(l->ast, members, i);
            const Node m = *dn(l, id);
            bool is_static = m.flags & NF_STATIC;
            if (is_static != (pass == 1) || is_ctor(l, &m) || !is_decorated(l, &m)) continue;
            lower_member(l, id, name, before, after);
        }
    }
    drop_moved_fields(l, class);
}

/* ---- Classes ---- */

bool alias_uses(DecoratorLower *l, NodeId class, NodeId name, Atom alias)
{
    SymbolId symbol = name ? dn(l, name)->b : 0;
    if (!symbol) return false;
    bool any = false;
    for (NodeId i = name + 1; i < class; i++) {
        Node *n = ast_node(l->ast, i);
        if (n->kind != NODE_IDENT || n->b != symbol || !n->c) continue;
        n->a = alias;
        any = true;
    }
    return any;
}

void set_alias(DecoratorLower *l, NodeId class, Atom alias)
{
    Ast *t = l->ast;
    u32 pos = dn(l, class)->pos;
    NodeId stmt =
        mk_stmt(t, mk_assign(t, pos, mk_ident(t, pos, alias), mk(t, NODE_THIS, pos, 0, 0)));
    NodeId block = mk(t, NODE_BLOCK, pos, ast_list(t, &stmt, 1), 0);
    Node s = {
        .kind = NODE_MEMBER, .op = PROP_STATIC_BLOCK, .flags = NF_STATIC, .pos = pos, .b = block};
    NodeVec members = {0};
    vec_push(l->scratch, &members, ast_add(t, s));
    push_list(l, dn(l, class)->c, &members);
    ListId list = ast_list(t, members.at, members.len);
    ast_node(t, class)->c = list;
}

static NodeId find_ctor(const DecoratorLower *l, NodeId class)
{
    ListId members = dn(l, class)->c;
    for (u32 i = 0; i < ast_len(l->ast, members); i++) {
        NodeId id = ast_at(l->ast, members, i);
        if (is_ctor(l, dn(l, id))) return id;
    }
    return 0;
}

/* The decorators of the class itself, those of its constructor's parameters included. */
static void take_class_decorators(DecoratorLower *l, NodeId class, NodeVec *out)
{
    push_list(l, dn(l, class)->d, out);
    ast_node(l->ast, class)->d = 0;
    NodeId ctor = find_ctor(l, class);
    if (ctor) take_param_decorators(l, dn(l, ctor)->b, out);
    if (out->len && l->w->opt->emit_metadata) metadata_of_class(l, ctor, out);
}

/* Appends what the declaration becomes.  Returns the class's name. */
static Atom lower_class(DecoratorLower *l, NodeId decl, NodeVec *out)
{
    NodeId class = dn(l, decl)->a;
    const Node c = *dn(l, class);
    u32 pos = c.pos;
    Atom name = c.a ? dn(l, c.a)->a : decorator_fresh(l, S("default"));
    NodeVec decorators = {0}, before = {0}, after = {0};
    take_class_decorators(l, class, &decorators);
    lower_members(l, class, name, &before, &after);
    for (u32 i = 0; i < before.len; i++) vec_push(l->scratch, out, before.at[i]);
    if (!decorators.len) {
        if (!c.a) {
            NodeId ident = mk_ident(l->ast, pos, name);
            ast_node(l->ast, class)->a = ident;
        }
        vec_push(l->scratch, out, decl);
        for (u32 i = 0; i < after.len; i++) vec_push(l->scratch, out, after.at[i]);
        return name;
    }
    Atom alias = decorator_fresh(l, atom_str(l->ast->atoms, name));
    bool aliased = alias_uses(l, class, c.a, alias);
    if (aliased) {
        set_alias(l, class, alias);
        vec_push(l->scratch, out, mk_var(l->ast, pos, VAR_VAR, alias, 0));
    }
    vec_push(l->scratch, out, mk_var(l->ast, pos, VAR_LET, name, class));
    for (u32 i = 0; i < after.len; i++) vec_push(l->scratch, out, after.at[i]);
    u32 target = mk_ident(l->ast, pos, name);
    NodeId value = decorate_call(l, pos, &decorators, &target, 1);
    if (aliased) value = mk_assign(l->ast, pos, mk_ident(l->ast, pos, alias), value);
    vec_push(l->scratch, out,
             mk_stmt(l->ast, mk_assign(l->ast, pos, mk_ident(l->ast, pos, name), value)));
    return name;
}

static NodeId export_as(DecoratorLower *l, u32 pos, Atom local, Atom name)
{
    NodeId spec = mk(l->ast, NODE_EXPORT_SPEC, pos, mk_ident(l->ast, pos, local),
                     mk_ident(l->ast, pos, name));
    return mk(l->ast, NODE_EXPORT, pos, ast_list(l->ast, &spec, 1), 0);
}

/* The CLASS_DECL in this statement that has decorators, or 0. */
static NodeId decorated_class(const DecoratorLower *l, NodeId stmt)
{
    const Node *n = dn(l, stmt);
    NodeId decl = n->kind == NODE_EXPORT_DECL || n->kind == NODE_EXPORT_DEFAULT ? n->a : stmt;
    if (dn(l, decl)->kind != NODE_CLASS_DECL) return 0;
    return has_decorators(l, dn(l, decl)->a) ? decl : 0;
}

static ListId lower_list(DecoratorLower *l, ListId list)
{
    u32 len = ast_len(l->ast, list);
    bool any = false;
    for (u32 i = 0; i < len && !any; i++) any = decorated_class(l, ast_at(l->ast, list, i)) != 0;
    if (!any) return list;
    NodeVec out = {0};
    for (u32 i = 0; i < len; i++) {
        NodeId stmt = ast_at(l->ast, list, i);
        const Node n = *dn(l, stmt);
        NodeId decl = decorated_class(l, stmt);
        if (!decl) {
            vec_push(l->scratch, &out, stmt);
            continue;
        }
        bool legacy = l->w->opt->legacy_decorators;
        Atom name = legacy ? lower_class(l, decl, &out) : es_lower_class(l, decl, 0, &out);
        if (n.kind == NODE_EXPORT_DECL) vec_push(l->scratch, &out, export_as(l, n.pos, name, name));
        if (n.kind == NODE_EXPORT_DEFAULT) {
            vec_push(l->scratch, &out, export_as(l, n.pos, name, WORD_ATOM(TOK_DEFAULT)));
        }
    }
    return ast_list(l->ast, out.at, out.len);
}

static void lower_statements(DecoratorLower *l, u32 n)
{
    for (NodeId i = 1; i < n; i++) {
        ListId list;
        switch (dn(l, i)->kind) {
        case NODE_PROGRAM:
        case NODE_BLOCK:
            list = lower_list(l, dn(l, i)->a);
            ast_node(l->ast, i)->a = list;
            break;
        case NODE_FUNC:
        case NODE_ARROW:
            list = lower_list(l, dn(l, i)->c);
            ast_node(l->ast, i)->c = list;
            break;
        case NODE_CASE:
            list = lower_list(l, dn(l, i)->b);
            ast_node(l->ast, i)->b = list;
            break;
        default: break;
        }
    }
}

/* Anonymous classes by the variable that they are the value of. */
static void infer_names(DecoratorLower *l, u32 n, IdMap *ret)
{
    for (NodeId i = 1; i < n; i++) {
        const Node *d = dn(l, i);
        if (d->kind != NODE_DECLARATOR && d->kind != NODE_ASSIGN) continue;
        if (!d->b || dn(l, d->b)->kind != NODE_CLASS || dn(l, d->a)->kind != NODE_IDENT) continue;
        *id_map_put(l->scratch, ret, d->b, NULL) = dn(l, d->a)->a;
    }
}

static Atom name_of_value(const IdMap *names, NodeId value)
{
    u64 *slot = names->len ? id_map_find(names, value) : NULL;
    return slot ? (Atom)*slot : 0;
}

/* Classes that are left have no statement of their own: (() => { ...; return C; })() */
static void lower_expressions(DecoratorLower *l, u32 n)
{
    IdMap names = {0};
    infer_names(l, n, &names);
    for (NodeId i = 1; i < n; i++) {
        if (dn(l, i)->kind != NODE_CLASS || !has_decorators(l, i)) continue;
        NodeId class = ast_add(l->ast, *dn(l, i));
        u32 pos = dn(l, i)->pos;
        NodeVec out = {0};
        Atom name = es_lower_class(l, mk(l->ast, NODE_CLASS_DECL, pos, class, 0),
                                   name_of_value(&names, i), &out);
        vec_push(l->scratch, &out, mk(l->ast, NODE_RETURN, pos, mk_ident(l->ast, pos, name), 0));
        Node arrow = {.kind = NODE_ARROW, .pos = pos, .c = ast_list(l->ast, out.at, out.len)};
        NodeId fn = ast_add(l->ast, arrow);
        *ast_node(l->ast, i) = (Node){.kind = NODE_CALL, .pos = pos, .a = fn};
    }
}

bool lower_decorators(Lowering *w)
{
    if (!w->ast->has_decorators && !w->ast->has_accessors) return true;
    AUTO(Scratch) s = scratch_begin(w->arena);
    DecoratorLower l = {.w = w, .ast = w->ast, .scratch = s.arena};
    u32 n = w->ast->n_nodes, n_errors = w->log->n_errors;
    for (NodeId i = 1; i < n && w->ast->has_accessors; i++) {
        if (dn(&l, i)->kind == NODE_CLASS) lower_accessors(&l, i);
    }
    if (l.keys.len) {
        push_list(&l, dn(&l, w->ast->root)->a, &l.keys);
        ListId list = ast_list(w->ast, l.keys.at, l.keys.len);
        ast_node(w->ast, w->ast->root)->a = list;
        l.keys.len = 0;
    }
    lower_statements(&l, n);
    if (!w->opt->legacy_decorators) lower_expressions(&l, n);
    return w->log->n_errors == n_errors;
}
