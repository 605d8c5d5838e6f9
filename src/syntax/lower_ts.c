/* syntax/lower_ts.c -- what of TypeScript has a meaning at run time becomes JavaScript; unused
 * imports go. */
#include "syntax/lower_ts.h"

void ts_declare(TsLower *l, NodeId name, NodeVec *out, Atom owner, bool exported)
{
    const Node n = *ts_node(l, name);
    VarKind kind = owner ? VAR_LET : VAR_VAR;
    if (n.b) {
        const Symbol *s = symbol_get(l->w->bindings, n.b);
        bool is_new;
        *id_map_put(l->scratch, &l->declared, n.b, &is_new) = 1;
        /* Merged with a class, a function, or an earlier block of the same name. */
        if (!is_new || (s->kind != SYM_ENUM && s->kind != SYM_NAMESPACE)) return;
        const Scope *scope = &l->w->bindings->scopes.at[s->scope];
        bool top = scope->kind == SCOPE_TOP || scope->kind == SCOPE_FUNCTION;
        kind = top ? VAR_VAR : VAR_LET;
    }
    NodeId var = mk_var(l->ast, n.pos, kind, n.a, 0);
    if (exported) var = mk(l->ast, NODE_EXPORT_DECL, n.pos, var, 0);
    vec_push(l->scratch, out, var);
}

NodeId ts_object_arg(TsLower *l, u32 pos, Atom name, Atom owner)
{
    Ast *t = l->ast;
    if (!owner) return mk_or_object(t, pos, mk_ident(t, pos, name), mk_ident(t, pos, name));
    NodeId test = mk_dot(t, pos, mk_ident(t, pos, owner), name);
    NodeId target = mk_dot(t, pos, mk_ident(t, pos, owner), name);
    return mk_assign(t, pos, mk_ident(t, pos, name), mk_or_object(t, pos, test, target));
}

/* ---- Imports and exports ---- */

static bool is_used(const TsLower *l, NodeId local)
{
    const Node *n = ts_node(l, local);
    if (!n->b) return false;
    const Symbol *s = symbol_get(l->w->bindings, n->b);
    return s->kind == SYM_IMPORT && (s->n_refs > 0 || s->exported);
}

/* Removes the bindings that are never used as values.  False: nothing is left of the import. */
static bool lower_import(TsLower *l, NodeId id)
{
    const Node n = *ts_node(l, id);
    if (n.flags & NF_TYPE_ONLY) return false;
    if (!n.a) {
        /* import "x" stays; import {} from "x" imports nothing but types */
        const char *p = l->ast->source->text.p + n.pos;
        Str head = {p, ts_node(l, n.b)->pos - n.pos};
        return str_find(head, '{') < 0 || l->w->opt->verbatim_imports;
    }
    bool keep_all = l->w->opt->verbatim_imports || l->w->opt->keep_imports;
    NodeVec kept = {0};
    for (u32 i = 0; i < ast_len(l->ast, n.a); i++) {
        NodeId spec = ast_at(l->ast, n.a, i);
        const Node *s = ts_node(l, spec);
        if (s->flags & NF_TYPE_ONLY) continue;
        if (keep_all || is_used(l, s->b)) vec_push(l->scratch, &kept, spec);
    }
    if (!kept.len && !l->w->opt->verbatim_imports) return false;
    ast_node(l->ast, id)->a = ast_list(l->ast, kept.at, kept.len);
    return true;
}

/* Removes what names a type. */
static bool lower_export_list(TsLower *l, NodeId id)
{
    const Node n = *ts_node(l, id);
    if (n.flags & NF_TYPE_ONLY) return false;
    NodeVec kept = {0};
    for (u32 i = 0; i < ast_len(l->ast, n.a); i++) {
        NodeId spec = ast_at(l->ast, n.a, i);
        const Node *s = ts_node(l, spec);
        if (s->flags & NF_TYPE_ONLY) continue;
        if (n.b || ts_node(l, s->a)->b) vec_push(l->scratch, &kept, spec);
    }
    ast_node(l->ast, id)->a = ast_list(l->ast, kept.at, kept.len);
    return kept.len || !n.b || !ast_len(l->ast, n.a);
}

/* export default T, where T is an interface or type alias of this file */
static bool is_type_default(TsLower *l, const Node *n)
{
    const Node *value = ts_node(l, n->a);
    if (value->kind != NODE_IDENT || value->b) return false;
    ListId body = ts_node(l, l->ast->root)->a;
    for (u32 i = 0; i < ast_len(l->ast, body); i++) {
        const Node *s = ts_node(l, ast_at(l->ast, body, i));
        if (s->kind == NODE_TYPE_DECL && s->a == value->a) return true;
    }
    return false;
}

/* import a = require("x"); import a = b.c; */
static void lower_import_equals(TsLower *l, NodeId id, NodeVec *out, bool exported)
{
    const Node n = *ts_node(l, id);
    bool require = ts_node(l, n.b)->kind == NODE_CALL;
    if (!exported && !require && !is_used(l, n.a)) return;
    NodeId var = mk_var(l->ast, n.pos, VAR_CONST, ts_node(l, n.a)->a, n.b);
    if (exported) var = mk(l->ast, NODE_EXPORT_DECL, n.pos, var, 0);
    vec_push(l->scratch, out, var);
}

/* export = x */
static NodeId lower_export_assign(TsLower *l, const Node *n)
{
    Interner *atoms = l->ast->atoms;
    NodeId module = mk_ident(l->ast, n->pos, WORD_ATOM(TOK_MODULE));
    NodeId target = mk_dot(l->ast, n->pos, module, intern(atoms, S("exports")));
    return mk_stmt(l->ast, mk_assign(l->ast, n->pos, target, n->a));
}

/* A plain `var` that declares an exported variable of its namespace again: only values are left. */
static bool split_vars(TsLower *l, const Node *var, NodeVec *out)
{
    bool any = false;
    for (u32 i = 0; i < ast_len(l->ast, var->a) && l->namespaces.len; i++) {
        any |= ts_node(l, ts_node(l, ast_at(l->ast, var->a, i))->a)->kind == NODE_DOT;
    }
    if (!any) return false;
    for (u32 i = 0; i < ast_len(l->ast, var->a); i++) {
        NodeId id = ast_at(l->ast, var->a, i);
        const Node d = *ts_node(l, id);
        if (ts_node(l, d.a)->kind != NODE_DOT) {
            NodeId one = mk(l->ast, NODE_VAR, d.pos, ast_list(l->ast, &id, 1), 0);
            ast_node(l->ast, one)->op = var->op;
            vec_push(l->scratch, out, one);
        } else if (d.b) {
            vec_push(l->scratch, out, mk_stmt(l->ast, mk_assign(l->ast, d.pos, d.a, d.b)));
        }
    }
    return true;
}

/* ---- Statement lists ---- */

static bool is_ts(const Node *n)
{
    switch (n->kind) {
    case NODE_ENUM:
    case NODE_NAMESPACE:
    case NODE_IMPORT_EQUALS:
    case NODE_EXPORT_ASSIGN:
    case NODE_TYPE_DECL:
    case NODE_IMPORT:
    case NODE_EXPORT:
    case NODE_EXPORT_ALL:
    case NODE_EXPORT_DEFAULT:
    case NODE_EXPORT_DECL:
    case NODE_VAR: return true;
    default: return false;
    }
}

static void lower_decl(TsLower *l, NodeId stmt, NodeId decl, NodeVec *out)
{
    const Node n = *ts_node(l, decl);
    bool exported = stmt != decl;
    switch (n.kind) {
    case NODE_ENUM: ts_lower_enum(l, decl, out, 0, exported); break;
    case NODE_NAMESPACE: ts_lower_namespace(l, decl, out, 0, exported); break;
    case NODE_IMPORT_EQUALS: lower_import_equals(l, decl, out, exported); break;
    case NODE_TYPE_DECL: break;
    default: vec_push(l->scratch, out, stmt);
    }
}

static void lower_stmt(TsLower *l, NodeId id, NodeVec *out, bool in_namespace)
{
    const Node n = *ts_node(l, id);
    bool keep = true;
    switch (n.kind) {
    case NODE_IMPORT: keep = lower_import(l, id); break;
    case NODE_EXPORT: keep = lower_export_list(l, id); break;
    case NODE_EXPORT_ALL: keep = !(n.flags & NF_TYPE_ONLY); break;
    case NODE_EXPORT_DEFAULT: keep = !is_type_default(l, &n); break;
    case NODE_EXPORT_ASSIGN: l->export_assign = lower_export_assign(l, &n); return;
    case NODE_VAR:
        if (split_vars(l, &n, out)) return;
        break;
    case NODE_EXPORT_DECL:
        /* A namespace's exports are lowered with it. */
        if (in_namespace) break;
        lower_decl(l, id, n.a, out);
        return;
    case NODE_ENUM:
    case NODE_NAMESPACE:
    case NODE_IMPORT_EQUALS:
    case NODE_TYPE_DECL: lower_decl(l, id, id, out); return;
    default: break;
    }
    if (keep) vec_push(l->scratch, out, id);
}

static ListId lower_list(TsLower *l, ListId list, bool in_namespace)
{
    u32 len = ast_len(l->ast, list);
    bool any = false;
    for (u32 i = 0; i < len && !any; i++) any = is_ts(ts_node(l, ast_at(l->ast, list, i)));
    if (!any) return list;
    NodeVec out = {0};
    for (u32 i = 0; i < len; i++) lower_stmt(l, ast_at(l->ast, list, i), &out, in_namespace);
    /* The value may be a class or a variable of later lines: export = comes last. */
    if (l->export_assign) vec_push(l->scratch, &out, l->export_assign);
    l->export_assign = 0;
    return ast_list(l->ast, out.at, out.len);
}

/* Children stand before their parents, so inner lists are done first.  Lists that get new nodes lie
 * behind `n`, where nothing of TypeScript is left. */
static bool lower_lists(TsLower *l, u32 n)
{
    bool ok = true;
    for (NodeId i = 1; i < n; i++) {
        ListId list;
        switch (ts_node(l, i)->kind) {
        case NODE_PROGRAM:
        case NODE_BLOCK:
            list = lower_list(l, ts_node(l, i)->a, false);
            ast_node(l->ast, i)->a = list;
            break;
        case NODE_FUNC:
        case NODE_ARROW:
            list = lower_list(l, ts_node(l, i)->c, false);
            ast_node(l->ast, i)->c = list;
            break;
        case NODE_CASE:
        case NODE_NAMESPACE:
            list = lower_list(l, ts_node(l, i)->b, ts_node(l, i)->kind == NODE_NAMESPACE);
            ast_node(l->ast, i)->b = list;
            break;
        case NODE_CLASS: ok &= ts_class(l, i); break;
        default: break;
        }
    }
    return ok;
}

static void trim_imports(TsLower *l)
{
    Ast *t = l->ast;
    ListId body = ast_node(t, t->root)->a;
    NodeVec out = {0};
    for (u32 i = 0; i < ast_len(t, body); i++) {
        NodeId id = ast_at(t, body, i);
        const Node *n = ast_node(t, id);
        if (n->kind != NODE_IMPORT || !n->a || lower_import(l, id)) vec_push(l->scratch, &out, id);
    }
    ListId list = ast_list(t, out.at, out.len);
    ast_node(t, t->root)->a = list;
}

bool lower_ts(Lowering *w)
{
    if (!w->parse->ts && !w->opt->trim_imports) return true;
    AUTO(Scratch) s = scratch_begin(w->arena);
    TsLower l = {.w = w, .ast = w->ast, .scratch = s.arena};
    if (!w->parse->ts) {
        trim_imports(&l);
        return true;
    }
    u32 n = w->ast->n_nodes;
    ts_rewrite_namespace_vars(&l);
    bool ok = lower_lists(&l, n);
    ts_inline_enums(&l);
    return ok;
}
