/* syntax/exports_edit.c -- see exports_edit.h. */
#include "syntax/exports_edit.h"

#include "syntax/build.h"
#include "util/map.h"

typedef Vec(u32) NodeVec;

typedef struct {
    Ast *ast;
    Arena *arena, *scratch;
    StrMap by_name; /* index + 1 */
    const ExportEdit *edits;
} Editor;

static const ExportEdit *find_edit(const Editor *e, Str name)
{
    const u64 *slot = str_map_find(&e->by_name, name);
    return slot ? &e->edits[*slot - 1] : NULL;
}

static const ExportEdit *edit_of_ident(const Editor *e, NodeId ident)
{
    const Node *n = ast_node(e->ast, ident);
    bool named = n->kind == NODE_IDENT || n->kind == NODE_STR;
    return named ? find_edit(e, atom_str(e->ast->atoms, n->a)) : NULL;
}

static NodeId literal(Editor *e, u32 pos, const ExportEdit *edit)
{
    Str text = str_fmt(e->arena, "(%.*s);", STR_ARG(edit->value));
    ListId stmts = parse_quoted(e->ast, e->arena, pos, text, NULL);
    return ast_node(e->ast, ast_at(e->ast, stmts, 0))->a;
}

static Atom new_name(Editor *e, const ExportEdit *edit)
{
    return intern_dup(e->ast->atoms, edit->new_name.n ? edit->new_name : edit->name);
}

/* export var NAME = VALUE */
static NodeId make_export(Editor *e, u32 pos, const ExportEdit *edit)
{
    NodeId var = mk_var(e->ast, pos, VAR_VAR, new_name(e, edit), literal(e, pos, edit));
    return mk(e->ast, NODE_EXPORT_DECL, pos, var, 0);
}

/* False: nothing is left of it. */
static bool edit_vars(Editor *e, NodeId var)
{
    NodeVec kept = {0};
    ListId list = ast_node(e->ast, var)->a;
    for (u32 i = 0; i < ast_len(e->ast, list); i++) {
        NodeId id = ast_at(e->ast, list, i);
        const Node d = *ast_node(e->ast, id);
        const ExportEdit *edit = edit_of_ident(e, d.a);
        if (edit && edit->kind == EXPORT_ELIMINATE) continue;
        if (edit) {
            NodeId value = literal(e, d.pos, edit);
            ast_node(e->ast, d.a)->a = new_name(e, edit);
            ast_node(e->ast, id)->b = value;
        }
        vec_push(e->scratch, &kept, id);
    }
    ListId left = ast_list(e->ast, kept.at, kept.len);
    ast_node(e->ast, var)->a = left;
    return kept.len > 0;
}

static void edit_decl(Editor *e, NodeId id, NodeVec *out)
{
    const Node n = *ast_node(e->ast, id);
    const Node decl = *ast_node(e->ast, n.a);
    NodeId name = 0;
    switch (decl.kind) {
    case NODE_VAR:
        if (edit_vars(e, n.a)) vec_push(e->scratch, out, id);
        return;
    case NODE_FUNC_DECL:
    case NODE_CLASS_DECL: name = ast_node(e->ast, decl.a)->a; break;
    case NODE_ENUM:
    case NODE_NAMESPACE:
    case NODE_IMPORT_EQUALS: name = decl.a; break;
    default: break;
    }
    const ExportEdit *edit = name ? edit_of_ident(e, name) : NULL;
    if (!edit)
        vec_push(e->scratch, out, id);
    else if (edit->kind == EXPORT_REPLACE)
        vec_push(e->scratch, out, make_export(e, n.pos, edit));
}

/* export { a, b as c } with or without `from` */
static void edit_list(Editor *e, NodeId id, NodeVec *out)
{
    const Node n = *ast_node(e->ast, id);
    NodeVec kept = {0};
    for (u32 i = 0; i < ast_len(e->ast, n.a); i++) {
        NodeId spec = ast_at(e->ast, n.a, i);
        if (!edit_of_ident(e, ast_node(e->ast, spec)->b)) vec_push(e->scratch, &kept, spec);
    }
    if (kept.len == ast_len(e->ast, n.a)) {
        vec_push(e->scratch, out, id);
        return;
    }
    for (u32 i = 0; i < ast_len(e->ast, n.a); i++) {
        const Node spec = *ast_node(e->ast, ast_at(e->ast, n.a, i));
        const ExportEdit *edit = edit_of_ident(e, spec.b);
        if (!edit || edit->kind != EXPORT_REPLACE) continue;
        /* The variable may exist: it is the value under another name. */
        Atom local = intern_dup(e->ast->atoms,
                                str_fmt(e->arena, "_replaced_%.*s_%u", STR_ARG(edit->name), n.pos));
        vec_push(e->scratch, out, mk_var(e->ast, n.pos, VAR_CONST, local, literal(e, n.pos, edit)));
        NodeId one = mk(e->ast, NODE_EXPORT_SPEC, n.pos, mk_ident(e->ast, n.pos, local),
                        mk_ident(e->ast, n.pos, new_name(e, edit)));
        vec_push(e->scratch, out, mk(e->ast, NODE_EXPORT, n.pos, ast_list(e->ast, &one, 1), 0));
    }
    if (!kept.len) return;
    ListId left = ast_list(e->ast, kept.at, kept.len);
    ast_node(e->ast, id)->a = left;
    vec_push(e->scratch, out, id);
}

static void edit_default(Editor *e, NodeId id, NodeVec *out)
{
    const ExportEdit *edit = find_edit(e, S("default"));
    if (edit && edit->kind == EXPORT_ELIMINATE) return;
    if (edit && edit->new_name.n) {
        vec_push(e->scratch, out, make_export(e, ast_node(e->ast, id)->pos, edit));
        return;
    }
    if (edit) {
        NodeId value = literal(e, ast_node(e->ast, id)->pos, edit);
        ast_node(e->ast, id)->a = value;
    }
    vec_push(e->scratch, out, id);
}

void exports_edit(Ast *t, const ExportEdit *edits, u32 n_edits, Arena *a)
{
    if (!n_edits) return;
    AUTO(Scratch) s = scratch_begin(a);
    Editor e = {.ast = t, .arena = a, .scratch = s.arena, .edits = edits};
    for (u32 i = 0; i < n_edits; i++)
        *str_map_put(s.arena, &e.by_name, edits[i].name, NULL) = i + 1;
    NodeVec out = {0};
    ListId body = ast_node(t, t->root)->a;
    for (u32 i = 0; i < ast_len(t, body); i++) {
        NodeId id = ast_at(t, body, i);
        switch (ast_node(t, id)->kind) {
        case NODE_EXPORT_DECL: edit_decl(&e, id, &out); break;
        case NODE_EXPORT: edit_list(&e, id, &out); break;
        case NODE_EXPORT_DEFAULT: edit_default(&e, id, &out); break;
        default: vec_push(s.arena, &out, id);
        }
    }
    ListId list = ast_list(t, out.at, out.len);
    ast_node(t, t->root)->a = list;
}
