/* syntax/lower_ts_class.c -- parameter properties, and fields that are assigned in the constructor.
 */
#include "syntax/lower_ts.h"

static NodeId find_ctor(TsLower *l, ListId members)
{
    for (u32 i = 0; i < ast_len(l->ast, members); i++) {
        NodeId id = ast_at(l->ast, members, i);
        const Node *m = ts_node(l, id);
        if (m->op != PROP_METHOD || (m->flags & (NF_STATIC | NF_COMPUTED))) continue;
        const Node *key = ts_node(l, m->a);
        bool named = key->kind == NODE_IDENT || key->kind == NODE_STR;
        if (named && key->a == WORD_ATOM(TOK_CONSTRUCTOR)) return id;
    }
    return 0;
}

static Atom param_name(TsLower *l, const Node *param)
{
    const Node *target = ts_node(l, param->a);
    if (target->kind == NODE_ASSIGN_PAT) target = ts_node(l, target->a);
    return target->a;
}

/* this.name = value */
static NodeId this_assign(TsLower *l, u32 pos, Atom name, NodeId value)
{
    NodeId self = mk(l->ast, NODE_THIS, pos, 0, 0);
    return mk_stmt(l->ast, mk_assign(l->ast, pos, mk_dot(l->ast, pos, self, name), value));
}

static bool is_super_call(TsLower *l, NodeId stmt)
{
    const Node *s = ts_node(l, stmt);
    if (s->kind != NODE_EXPR_STMT) return false;
    const Node *call = ts_node(l, s->a);
    return call->kind == NODE_CALL && ts_node(l, call->a)->kind == NODE_SUPER;
}

/* Puts `added` behind super() or the directives of the constructor's body. */
static void insert_in_ctor(TsLower *l, NodeId fn, const NodeVec *added)
{
    ListId body = ts_node(l, fn)->c;
    u32 len = ast_len(l->ast, body), at = 0;
    while (at < len && (ts_node(l, ast_at(l->ast, body, at))->flags & NF_DIRECTIVE) &&
           ts_node(l, ast_at(l->ast, body, at))->kind == NODE_EXPR_STMT) {
        at++;
    }
    for (u32 i = at; i < len; i++) {
        if (!is_super_call(l, ast_at(l->ast, body, i))) continue;
        at = i + 1;
        break;
    }
    NodeVec out = {0};
    for (u32 i = 0; i < len; i++) {
        if (i == at)
            for (u32 k = 0; k < added->len; k++) vec_push(l->scratch, &out, added->at[k]);
        vec_push(l->scratch, &out, ast_at(l->ast, body, i));
    }
    if (at == len)
        for (u32 k = 0; k < added->len; k++) vec_push(l->scratch, &out, added->at[k]);
    ListId list = ast_list(l->ast, out.at, out.len);
    ast_node(l->ast, fn)->c = list;
}

/* A constructor for a class without one. */
static NodeId make_ctor(TsLower *l, const Node *class)
{
    Ast *t = l->ast;
    u32 pos = class->pos;
    Node fn = {.kind = NODE_FUNC, .pos = pos, .flags = NF_METHOD | NF_STRICT};
    if (class->b) {
        Atom args = intern(t->atoms, S("args"));
        NodeId rest = mk(t, NODE_REST, pos, mk_ident(t, pos, args), 0);
        fn.b = ast_list(t, &rest, 1);
        NodeId spread = mk(t, NODE_SPREAD, pos, mk_ident(t, pos, args), 0);
        NodeId stmt = mk_stmt(t, mk_call(t, pos, mk(t, NODE_SUPER, pos, 0, 0), &spread, 1));
        fn.c = ast_list(t, &stmt, 1);
    }
    NodeId value = ast_add(t, fn);
    NodeId key = mk_ident(t, pos, WORD_ATOM(TOK_CONSTRUCTOR));
    NodeId member = mk(t, NODE_MEMBER, pos, key, value);
    ast_node(t, member)->op = PROP_METHOD;
    return member;
}

/* Parameter properties: assignments for the constructor, fields for the class. */
static void take_param_props(TsLower *l, NodeId ctor, NodeVec *assigns, NodeVec *fields)
{
    NodeId fn = ts_node(l, ctor)->b;
    ListId params = ts_node(l, fn)->b;
    for (u32 i = 0; i < ast_len(l->ast, params); i++) {
        NodeId id = ast_at(l->ast, params, i);
        const Node p = *ts_node(l, id);
        if (p.kind != NODE_PARAM || !(p.flags & NF_PROPERTY)) continue;
        Atom name = param_name(l, &p);
        NodeId value = mk_ident(l->ast, p.pos, name);
        vec_push(l->scratch, assigns, this_assign(l, p.pos, name, value));
        NodeId field = mk(l->ast, NODE_MEMBER, p.pos, mk_ident(l->ast, p.pos, name), 0);
        ast_node(l->ast, field)->op = PROP_FIELD;
        vec_push(l->scratch, fields, field);
        ast_node(l->ast, id)->flags &= (u16)~NF_PROPERTY;
    }
}

static NodeId member_target(TsLower *l, const Node *m)
{
    const Node key = *ts_node(l, m->a);
    NodeId self = mk(l->ast, NODE_THIS, m->pos, 0, 0);
    if (!(m->flags & NF_COMPUTED) && key.kind == NODE_IDENT)
        return mk_dot(l->ast, m->pos, self, key.a);
    return mk(l->ast, NODE_INDEX, m->pos, self, m->a);
}

/* useDefineForClassFields: false.  Private names, accessors and decorated or computed fields stay.
 */
static bool is_assigned_field(TsLower *l, const Node *m)
{
    if (m->c && !l->w->opt->legacy_decorators) return false;
    return m->op == PROP_FIELD && !(m->flags & NF_COMPUTED) &&
           ts_node(l, m->a)->kind != NODE_PRIVATE_NAME;
}

static ListId assign_fields(TsLower *l, ListId members, NodeVec *assigns)
{
    NodeVec kept = {0};
    for (u32 i = 0; i < ast_len(l->ast, members); i++) {
        NodeId id = ast_at(l->ast, members, i);
        const Node m = *ts_node(l, id);
        if (!is_assigned_field(l, &m)) {
            vec_push(l->scratch, &kept, id);
            continue;
        }
        if (m.c) {
            /* The decorators still need it: lower_decorators drops it. */
            Node *kept_member = ast_node(l->ast, id);
            kept_member->b = 0;
            kept_member->flags |= NF_DECLARE;
            vec_push(l->scratch, &kept, id);
        }
        if (!m.b) continue;
        NodeId stmt = mk_stmt(l->ast, mk_assign(l->ast, m.pos, member_target(l, &m), m.b));
        if (!(m.flags & NF_STATIC)) {
            vec_push(l->scratch, assigns, stmt);
            continue;
        }
        NodeId block = mk(l->ast, NODE_BLOCK, m.pos, ast_list(l->ast, &stmt, 1), 0);
        Node s = {.kind = NODE_MEMBER,
                  .op = PROP_STATIC_BLOCK,
                  .flags = NF_STATIC,
                  .pos = m.pos,
                  .b = block};
        vec_push(l->scratch, &kept, ast_add(l->ast, s));
    }
    return ast_list(l->ast, kept.at, kept.len);
}

static void prepend_members(TsLower *l, NodeId id, const NodeVec *added)
{
    NodeVec out = {0};
    ListId members = ts_node(l, id)->c;
    for (u32 i = 0; i < added->len; i++) vec_push(l->scratch, &out, added->at[i]);
    for (u32 i = 0; i < ast_len(l->ast, members); i++) {
        vec_push(l->scratch, &out, ast_at(l->ast, members, i));
    }
    ListId list = ast_list(l->ast, out.at, out.len);
    ast_node(l->ast, id)->c = list;
}

bool ts_class(TsLower *l, NodeId id)
{
    const Node n = *ts_node(l, id);
    NodeVec assigns = {0}, fields = {0};
    NodeId ctor = find_ctor(l, n.c);
    if (ctor) take_param_props(l, ctor, &assigns, &fields);
    if (l->w->opt->assign_fields) {
        ListId kept = assign_fields(l, n.c, &assigns);
        ast_node(l->ast, id)->c = kept;
        fields.len = 0;
    }
    if (assigns.len && !ctor) {
        NodeVec added = {0};
        ctor = make_ctor(l, &n);
        vec_push(l->scratch, &added, ctor);
        prepend_members(l, id, &added);
    }
    if (assigns.len) insert_in_ctor(l, ts_node(l, ctor)->b, &assigns);
    if (fields.len) prepend_members(l, id, &fields);
    return true;
}
