/* syntax/lower_ts_namespace.c -- namespaces become functions that fill an object.
 *
 * An exported variable lives in the object only: every use of it, found by its symbol, becomes a
 * property access.  Functions, classes and inner namespaces keep their local name and are copied.
 */
#include "syntax/lower_ts.h"

/* Is the namespace's name declared again inside it?  Then its parameter gets another name. */
Atom ts_namespace_param(TsLower *l, NodeId id)
{
    const Node n = *ts_node(l, id);
    const Node name = *ts_node(l, n.a);
    const Bindings *b = l->w->bindings;
    bool taken = false;
    for (u32 i = 1; i < b->symbols.len && !taken; i++) {
        const Symbol *s = &b->symbols.at[i];
        taken = s->name == name.a && s->decl > n.a && s->decl < id;
    }
    if (!taken) return name.a;
    Interner *atoms = l->ast->atoms;
    for (u32 k = 1;; k++) {
        Str text = str_fmt(l->scratch, "%.*s_%u", STR_ARG(atom_str(atoms, name.a)), k);
        if (!intern_find(atoms, text)) return intern_dup(atoms, text);
    }
}

static void note_pattern(TsLower *l, NodeId id, Atom param)
{
    const Node n = *ts_node(l, id);
    switch (n.kind) {
    case NODE_IDENT:
        if (n.b) *id_map_put(l->scratch, &l->namespaces, n.b, NULL) = param;
        break;
    case NODE_ARRAY_PAT:
    case NODE_OBJECT_PAT:
        for (u32 i = 0; i < ast_len(l->ast, n.a); i++)
            note_pattern(l, ast_at(l->ast, n.a, i), param);
        break;
    case NODE_PROP: note_pattern(l, n.b, param); break;
    case NODE_ASSIGN_PAT:
    case NODE_REST: note_pattern(l, n.a, param); break;
    default: break;
    }
}

static void note_exports(TsLower *l, NodeId id)
{
    const Node n = *ts_node(l, id);
    Atom param = ts_namespace_param(l, id);
    ast_node(l->ast, id)->c = param;
    for (u32 i = 0; i < ast_len(l->ast, n.b); i++) {
        const Node *stmt = ts_node(l, ast_at(l->ast, n.b, i));
        if (stmt->kind != NODE_EXPORT_DECL) continue;
        const Node decl = *ts_node(l, stmt->a);
        if (decl.kind == NODE_IMPORT_EQUALS) note_pattern(l, decl.a, param);
        if (decl.kind != NODE_VAR) continue;
        for (u32 k = 0; k < ast_len(l->ast, decl.a); k++) {
            note_pattern(l, ts_node(l, ast_at(l->ast, decl.a, k))->a, param);
        }
    }
}

/* ---- Merged namespaces ---- */

/* The blocks `namespace A {}` of one symbol are one group; so are the `namespace B {}` that the
 * blocks of a group export.  Groups are numbered from 1. */
static u32 group_by(TsLower *l, u64 key)
{
    bool is_new;
    u64 *slot = id_map_put(l->scratch, &l->groups, key, &is_new);
    if (is_new) *slot = ++l->n_groups;
    return (u32)*slot;
}

static u64 by_owner(u32 group, Atom name)
{
    return 1ULL << 63 | (u64)group << 32 | name;
}

static void add_export(TsLower *l, u32 group, NodeId pattern)
{
    const Node n = *ts_node(l, pattern);
    switch (n.kind) {
    case NODE_IDENT: *id_map_put(l->scratch, &l->exports, by_owner(group, n.a), NULL) = 0; break;
    case NODE_ARRAY_PAT:
    case NODE_OBJECT_PAT:
        for (u32 i = 0; i < ast_len(l->ast, n.a); i++) add_export(l, group, ast_at(l->ast, n.a, i));
        break;
    case NODE_PROP: add_export(l, group, n.b); break;
    case NODE_ASSIGN_PAT:
    case NODE_REST: add_export(l, group, n.a); break;
    default: break;
    }
}

static void add_exported_decl(TsLower *l, u32 group, NodeId id)
{
    const Node decl = *ts_node(l, id);
    NodeId name = decl.a;
    switch (decl.kind) {
    case NODE_FUNC_DECL:
    case NODE_CLASS_DECL:
        name = ts_node(l, decl.a)->a;
        if (name) add_export(l, group, name);
        break;
    case NODE_VAR:
        for (u32 i = 0; i < ast_len(l->ast, decl.a); i++)
            add_export(l, group, ts_node(l, ast_at(l->ast, decl.a, i))->a);
        break;
    case NODE_NAMESPACE:
        ast_node(l->ast, id)->d = group_by(l, by_owner(group, ts_node(l, name)->a));
        add_export(l, group, name);
        break;
    case NODE_ENUM:
        *id_map_put(l->scratch, &l->exports, by_owner(group, ts_node(l, name)->a), NULL) =
            ts_node(l, name)->b;
        break;
    case NODE_IMPORT_EQUALS: add_export(l, group, name); break;
    default: break;
    }
}

enum { NAMES_MAX = 16 }; /* in a dotted name that is looked up */

/* The group of the namespace that an expression names, A or A.B; 0 if none. */
static u32 named_group(TsLower *l, NodeId expr)
{
    Atom names[NAMES_MAX];
    u32 n_names = 0;
    const Node *n = ts_node(l, expr);
    for (; n->kind == NODE_DOT && n_names < NAMES_MAX; n = ts_node(l, n->a))
        names[n_names++] = n->b;
    if (n->kind != NODE_IDENT || !n->b) return 0;
    u64 *group = id_map_find(&l->groups, n->b);
    while (group && n_names > 0)
        group = id_map_find(&l->groups, by_owner((u32)*group, names[--n_names]));
    return group ? (u32)*group : 0;
}

SymbolId ts_enum_symbol(TsLower *l, NodeId expr)
{
    const Node *n = ts_node(l, expr);
    if (n->kind == NODE_IDENT) return n->b;
    if (n->kind != NODE_DOT || !l->groups.len) return 0;
    u32 group = named_group(l, n->a);
    u64 *symbol = group ? id_map_find(&l->exports, by_owner(group, n->b)) : NULL;
    return symbol ? (SymbolId)*symbol : 0;
}

/* Finds the namespaces, outer ones first; slot d of each becomes its group. */
static void collect_blocks(TsLower *l, u32 n_nodes)
{
    for (NodeId i = n_nodes; i-- > 1;) {
        const Node n = *ts_node(l, i);
        if (n.kind != NODE_NAMESPACE) continue;
        note_exports(l, i);
        SymbolId symbol = ts_node(l, n.a)->b;
        u32 group = n.d ? n.d : group_by(l, symbol ? symbol : (u64)i << 32);
        ast_node(l->ast, i)->d = group;
        for (u32 k = 0; k < ast_len(l->ast, n.b); k++) {
            const Node *stmt = ts_node(l, ast_at(l->ast, n.b, k));
            if (stmt->kind == NODE_EXPORT_DECL) add_exported_decl(l, group, stmt->a);
        }
        vec_push(l->scratch, &l->blocks, i);
        u64 *count = id_map_put(l->scratch, &l->block_counts, group, NULL);
        ++*count;
    }
}

/* In a block of a merged namespace, names that another block exports are properties too. */
static void rewrite_siblings(TsLower *l, NodeId id)
{
    const Node ns = *ts_node(l, id);
    for (NodeId i = ns.a + 1; i < id; i++) {
        const Node n = *ts_node(l, i);
        if (n.kind != NODE_IDENT || !n.c) continue; /* not a reference */
        if (n.b) {
            NodeId decl = symbol_get(l->w->bindings, n.b)->decl;
            if (decl > ns.a && decl < id) continue;
        }
        if (!id_map_find(&l->exports, by_owner(ns.d, n.a))) continue;
        NodeId object = mk_ident(l->ast, n.pos, ns.c);
        *ast_node(l->ast, i) =
            (Node){.kind = NODE_DOT, .pos = n.pos, .a = object, .b = n.a, .c = n.pos};
    }
}

void ts_rewrite_namespace_vars(TsLower *l)
{
    u32 n_nodes = l->ast->n_nodes;
    collect_blocks(l, n_nodes);
    for (u32 k = l->blocks.len; k-- > 0;) { /* inner ones first */
        NodeId id = l->blocks.at[k];
        if (*id_map_find(&l->block_counts, ts_node(l, id)->d) > 1) rewrite_siblings(l, id);
    }
    if (!l->namespaces.len) return;
    for (NodeId i = 1; i < n_nodes; i++) {
        const Node n = *ts_node(l, i);
        if (n.kind != NODE_IDENT || !n.b) continue;
        u64 *param = id_map_find(&l->namespaces, n.b);
        if (!param) continue;
        NodeId object = mk_ident(l->ast, n.pos, (Atom)*param);
        *ast_node(l->ast, i) =
            (Node){.kind = NODE_DOT, .pos = n.pos, .a = object, .b = n.a, .c = n.pos};
    }
}

/* ---- Statements ---- */

/* export const A.x = 1, ... : the targets are property accesses already. */
static void assign_vars(TsLower *l, const Node *var, NodeVec *out)
{
    for (u32 i = 0; i < ast_len(l->ast, var->a); i++) {
        const Node d = *ts_node(l, ast_at(l->ast, var->a, i));
        if (!d.b) continue;
        vec_push(l->scratch, out, mk_stmt(l->ast, mk_assign(l->ast, d.pos, d.a, d.b)));
    }
}

static void copy_to_object(TsLower *l, NodeId name, Atom param, NodeVec *out)
{
    const Node n = *ts_node(l, name);
    NodeId target = mk_dot(l->ast, n.pos, mk_ident(l->ast, n.pos, param), n.a);
    NodeId value = mk_ident(l->ast, n.pos, n.a);
    vec_push(l->scratch, out, mk_stmt(l->ast, mk_assign(l->ast, n.pos, target, value)));
}

static void lower_export(TsLower *l, NodeId decl, Atom param, NodeVec *out)
{
    const Node n = *ts_node(l, decl);
    switch (n.kind) {
    case NODE_VAR: assign_vars(l, &n, out); break;
    case NODE_FUNC_DECL:
    case NODE_CLASS_DECL: {
        NodeId name = ts_node(l, n.a)->a;
        vec_push(l->scratch, out, decl);
        if (name) copy_to_object(l, name, param, out);
        break;
    }
    case NODE_ENUM: ts_lower_enum(l, decl, out, param, false); break;
    case NODE_NAMESPACE: ts_lower_namespace(l, decl, out, param, false); break;
    case NODE_IMPORT_EQUALS:
        vec_push(l->scratch, out, mk_stmt(l->ast, mk_assign(l->ast, n.pos, n.a, n.b)));
        break;
    default: break;
    }
}

void ts_lower_namespace(TsLower *l, NodeId id, NodeVec *out, Atom owner, bool exported)
{
    const Node n = *ts_node(l, id);
    Atom name = ts_node(l, n.a)->a, param = n.c;
    ts_declare(l, n.a, out, owner, exported);
    NodeVec body = {0};
    for (u32 i = 0; i < ast_len(l->ast, n.b); i++) {
        NodeId stmt = ast_at(l->ast, n.b, i);
        const Node s = *ts_node(l, stmt);
        if (s.kind == NODE_EXPORT_DECL)
            lower_export(l, s.a, param, &body);
        else if (s.kind != NODE_TYPE_DECL)
            vec_push(l->scratch, &body, stmt);
    }
    NodeId arg = ts_object_arg(l, n.pos, name, owner);
    NodeId call = mk_iife(l->ast, n.pos, param, ast_list(l->ast, body.at, body.len), arg);
    vec_push(l->scratch, out, mk_stmt(l->ast, call));
}
