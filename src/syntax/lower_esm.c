/* syntax/lower_esm.c -- ES modules to function bodies.  The contract is docs/internals/modules.md.
 *
 * Bindings of this module stay plain variables; the wrapper hands out getters for them
 * (module_open). Live imports become `$cob0.name`; called, they become `(0, $cob0.name)()` so that
 * `this` stays undefined.  Members of a namespace that is only used as `ns.name` are read the same
 * way. */
#include "syntax/build.h"
#include "syntax/lower_mocks.h"

#include "util/map.h"

typedef Vec(u32) NodeVec;

typedef struct {
    Lowering *w;
    Ast *ast;
    Arena *scratch;
    const ModuleNames *names;
    Atom cob, default_;
    IdMap live; /* symbol of a live import: request << 32 | imported name, or NAMESPACE_BIT */
    IdMap made; /* the same by name: imports that lowering has made (JSX) have no symbols */
} EsmLower;

#define NAMESPACE_BIT ((u64)1 << 63)

static const Node *esm_node(const EsmLower *l, NodeId id)
{
    return ast_node(l->ast, id);
}

ModuleNames module_names(Lowering *w)
{
    ModuleNames n = MODULE_NAMES;
    for (u32 k = 1; intern_find(w->ast->atoms, n.cob); k++)
        n.cob = str_fmt(w->arena, "$cob_%u_", k);
    for (u32 k = 1; intern_find(w->ast->atoms, n.default_); k++) {
        n.default_ = str_fmt(w->arena, "_default%u", k);
    }
    return n;
}

/* ---- Scan ---- */

static Str name_of(const Ast *t, NodeId id)
{
    return atom_str(t->atoms, ast_node(t, id)->a);
}

/* The variable of an enum or a namespace was made by lowering: what it stands for is found by name.
 */
static const Symbol *find_lowered(const Lowering *w, Atom name)
{
    for (u32 i = 1; i < w->bindings->symbols.len; i++) {
        const Symbol *s = &w->bindings->symbols.at[i];
        bool is_lowered = s->kind == SYM_ENUM || s->kind == SYM_NAMESPACE;
        if (is_lowered && s->name == name && w->bindings->scopes.at[s->scope].kind == SCOPE_TOP)
            return s;
    }
    return NULL;
}

static bool is_constant(const Lowering *w, NodeId ident)
{
    const Node *n = ast_node(w->ast, ident);
    const Symbol *s = n->b ? symbol_get(w->bindings, n->b) : find_lowered(w, n->a);
    if (!s) return false;
    /* A top-level var or function may also be written through eval. */
    return s->kind == SYM_CONST || (!s->assigned && !w->bindings->scopes.at[s->scope].has_eval);
}

static void scan_pattern(Lowering *w, ModuleInfo *m, NodeId id)
{
    const Node *n = ast_node(w->ast, id);
    switch (n->kind) {
    case NODE_IDENT: {
        Str name = name_of(w->ast, id);
        module_add_local(w->arena, m, name, name, is_constant(w, id), n->pos);
        break;
    }
    case NODE_ARRAY_PAT:
    case NODE_OBJECT_PAT:
        for (u32 i = 0; i < ast_len(w->ast, n->a); i++) scan_pattern(w, m, ast_at(w->ast, n->a, i));
        break;
    case NODE_PROP: scan_pattern(w, m, n->b); break;
    case NODE_ASSIGN_PAT:
    case NODE_REST: scan_pattern(w, m, n->a); break;
    default: break;
    }
}

static void scan_decl(Lowering *w, ModuleInfo *m, NodeId id)
{
    const Node *n = ast_node(w->ast, id);
    if (n->kind == NODE_VAR) {
        for (u32 i = 0; i < ast_len(w->ast, n->a); i++) {
            scan_pattern(w, m, ast_node(w->ast, ast_at(w->ast, n->a, i))->a);
        }
    } else if (n->kind == NODE_FUNC_DECL || n->kind == NODE_CLASS_DECL) {
        scan_pattern(w, m, ast_node(w->ast, n->a)->a);
    }
}

static bool is_anonymous(const Ast *t, NodeId id)
{
    const Node *n = ast_node(t, id);
    if (n->kind == NODE_FUNC_DECL || n->kind == NODE_CLASS_DECL) n = ast_node(t, n->a);
    if (n->kind == NODE_ARROW) return true;
    return (n->kind == NODE_FUNC || n->kind == NODE_CLASS) && !n->a;
}

static void scan_default(Lowering *w, ModuleInfo *m, const Node *n, const ModuleNames *names)
{
    const Node *v = ast_node(w->ast, n->a);
    bool decl = v->kind == NODE_FUNC_DECL || v->kind == NODE_CLASS_DECL;
    NodeId name = decl ? ast_node(w->ast, v->a)->a : 0;
    if (name) {
        module_add_local(w->arena, m, S("default"), name_of(w->ast, name), is_constant(w, name),
                         n->pos);
        return;
    }
    module_add_local(w->arena, m, S("default"), names->default_, true, n->pos);
    m->names_default |= is_anonymous(w->ast, n->a);
}

static void scan_export(Lowering *w, ModuleInfo *m, const Node *n)
{
    u32 request = 0;
    if (n->b) request = module_request(w->arena, m, w->ast, n->b, n->c, PHASE_EVALUATION);
    for (u32 i = 0; i < ast_len(w->ast, n->a); i++) {
        const Node *s = ast_node(w->ast, ast_at(w->ast, n->a, i));
        if (s->flags & NF_TYPE_ONLY) continue;
        Str local = name_of(w->ast, s->a), name = name_of(w->ast, s->b);
        if (n->b) {
            ModuleExport e = {.kind = EXPORT_INDIRECT, .name = name, .local = local};
            e.request = request;
            e.pos = s->pos;
            vec_push(w->arena, &m->exports, e);
        } else {
            module_add_local(w->arena, m, name, local, is_constant(w, s->a), s->pos);
        }
    }
}

void module_scan(Lowering *w, ModuleInfo *ret)
{
    *ret = (ModuleInfo){.is_module = w->ast->is_module, .has_await = w->ast->has_top_await};
    ret->uses_dynamic_import = w->ast->has_dynamic_import;
    ret->uses_meta = w->ast->has_import_meta;
    ModuleNames names = module_names(w);
    ListId body = ast_node(w->ast, w->ast->root)->a;
    for (u32 i = 0; i < ast_len(w->ast, body); i++) {
        NodeId id = ast_at(w->ast, body, i);
        const Node *n = ast_node(w->ast, id);
        switch (n->kind) {
        case NODE_IMPORT: module_add_import(w->arena, ret, w->ast, id, NULL, NULL); break;
        case NODE_EXPORT: scan_export(w, ret, n); break;
        case NODE_EXPORT_ALL: module_add_export_all(w->arena, ret, w->ast, id); break;
        case NODE_EXPORT_DECL: scan_decl(w, ret, n->a); break;
        case NODE_EXPORT_DEFAULT: scan_default(w, ret, n, &names); break;
        default: break;
        }
    }
    module_finish(w->arena, ret);
}

/* ---- Live imports ---- */

static void collect_live(EsmLower *l, const ModuleInfo *m)
{
    IdMap by_name = {0}, found = {0};
    for (u32 i = 0; i < m->imports.len; i++) {
        const ModuleImport *im = &m->imports.at[i];
        Atom local = intern_find(l->ast->atoms, im->local);
        *id_map_put(l->scratch, &by_name, local, NULL) = i + 1;
    }
    for (SymbolId id = 1; id < l->w->bindings->symbols.len && by_name.len; id++) {
        const Symbol *s = symbol_get(l->w->bindings, id);
        if (s->kind != SYM_IMPORT) continue;
        u64 *slot = id_map_find(&by_name, s->name);
        if (!slot) continue;
        const ModuleImport *im = &m->imports.at[*slot - 1];
        *id_map_put(l->scratch, &found, *slot, NULL) = 1;
        u64 value = (u64)im->request << 32;
        if (!im->live) continue;
        value |= im->is_namespace ? NAMESPACE_BIT : (u64)intern_dup(l->ast->atoms, im->imported);
        *id_map_put(l->scratch, &l->live, id, NULL) = value;
    }
    for (u32 i = 0; i < m->imports.len; i++) {
        const ModuleImport *im = &m->imports.at[i];
        if (!im->live || im->is_namespace || id_map_find(&found, i + 1)) continue;
        *id_map_put(l->scratch, &l->made, intern_dup(l->ast->atoms, im->local), NULL) =
            (u64)im->request << 32 | (u64)intern_dup(l->ast->atoms, im->imported);
    }
}

static NodeId request_object(EsmLower *l, u32 pos, u32 request)
{
    Str name = str_fmt(l->scratch, "%.*s%u", STR_ARG(l->names->cob), request);
    return mk_ident(l->ast, pos, intern_dup(l->ast->atoms, name));
}

static bool is_name(Str s)
{
    for (usize i = 0; i < s.n; i++)
        if (!IS_CLASS(s.p[i], i ? CC_ID_PART : CC_ID_START)) return false;
    return s.n > 0;
}

/* The node at `id` becomes a read of an export. */
static void set_read(EsmLower *l, NodeId id, u32 request, Atom name)
{
    u32 pos = esm_node(l, id)->pos;
    NodeId object = request_object(l, pos, request);
    Node n = {.kind = NODE_DOT, .pos = pos, .a = object, .b = name, .c = pos};
    if (!is_name(atom_str(l->ast->atoms, name))) {
        n.kind = NODE_INDEX;
        n.b = mk_str(l->ast, pos, name);
    }
    *ast_node(l->ast, id) = n;
}

static u64 *live_of(EsmLower *l, NodeId id)
{
    const Node *n = esm_node(l, id);
    if (n->kind != NODE_IDENT) return NULL;
    if (!n->b) return l->made.len ? id_map_find(&l->made, n->a) : NULL;
    return n->c ? id_map_find(&l->live, n->b) : NULL;
}

static bool is_live_named(EsmLower *l, NodeId id)
{
    u64 *live = live_of(l, id);
    return live && !(*live & NAMESPACE_BIT);
}

/* (0, callee) */
static void detach_callee(EsmLower *l, NodeId id)
{
    NodeId callee = esm_node(l, id)->a;
    u32 pos = esm_node(l, callee)->pos;
    NodeId comma = mk_op(l->ast, NODE_BINARY, TOK_COMMA, pos, mk_num(l->ast, pos, 0), callee);
    ast_node(l->ast, id)->a = comma;
}

static void rewrite_uses(EsmLower *l)
{
    u32 n = l->ast->n_nodes;
    /* Calls first, while their callees are still names. */
    for (NodeId i = 1; i < n; i++) {
        const Node *c = esm_node(l, i);
        bool call = c->kind == NODE_CALL || c->kind == NODE_TAGGED;
        if (call && is_live_named(l, c->a)) detach_callee(l, i);
    }
    for (NodeId i = 1; i < n; i++) {
        const Node d = *esm_node(l, i);
        if (d.kind == NODE_DOT && !(d.flags & NF_OPTIONAL)) {
            u64 *live = live_of(l, d.a);
            if (live && (*live & NAMESPACE_BIT)) {
                u32 request = (u32)((*live & ~NAMESPACE_BIT) >> 32);
                *ast_node(l->ast, d.a) = *esm_node(l, request_object(l, d.pos, request));
            }
        } else if (d.kind == NODE_IDENT && is_live_named(l, i)) {
            u64 *live = live_of(l, i);
            set_read(l, i, (u32)(*live >> 32), (Atom)*live);
        }
    }
}

/* import.meta and import() */
static void rewrite_module_uses(EsmLower *l)
{
    u32 n = l->ast->n_nodes;
    Interner *atoms = l->ast->atoms;
    for (NodeId i = 1; i < n; i++) {
        const Node m = *esm_node(l, i);
        if (m.kind == NODE_IMPORT_META) {
            NodeId cob = mk_ident(l->ast, m.pos, l->cob);
            Node dot = {
                .kind = NODE_DOT, .pos = m.pos, .a = cob, .b = WORD_ATOM(TOK_META), .c = m.pos};
            *ast_node(l->ast, i) = dot;
        } else if (m.kind == NODE_IMPORT_CALL) {
            NodeId callee =
                mk_dot(l->ast, m.pos, mk_ident(l->ast, m.pos, l->cob), intern(atoms, S("i")));
            NodeVec args = {0};
            vec_push(l->scratch, &args, m.a);
            if (m.b) vec_push(l->scratch, &args, m.b);
            if (m.op == PHASE_DEFER) {
                if (!m.b)
                    vec_push(
                        l->scratch, &args,
                        mk_op(l->ast, NODE_UNARY, TOK_VOID, m.pos, mk_num(l->ast, m.pos, 0), 0));
                vec_push(l->scratch, &args, mk_str(l->ast, m.pos, intern(atoms, S("defer"))));
            }
            ListId list = ast_list(l->ast, args.at, args.len);
            *ast_node(l->ast, i) = (Node){.kind = NODE_CALL, .pos = m.pos, .a = callee, .b = list};
        }
    }
}

/* ---- Statements ---- */

/* ({ default: value }).default: what is anonymous gets that name. */
static NodeId named_default(EsmLower *l, u32 pos, NodeId value)
{
    Atom name = intern(l->ast->atoms, S("default"));
    NodeId prop = mk(l->ast, NODE_PROP, pos, mk_str(l->ast, pos, name), value);
    NodeId object = mk(l->ast, NODE_OBJECT, pos, ast_list(l->ast, &prop, 1), 0);
    return mk_dot(l->ast, pos, object, name);
}

static NodeId lower_default(EsmLower *l, const Node *n)
{
    const Node v = *esm_node(l, n->a);
    bool decl = v.kind == NODE_FUNC_DECL || v.kind == NODE_CLASS_DECL;
    if (decl && esm_node(l, v.a)->a) return n->a;
    if (v.kind == NODE_FUNC_DECL) {
        NodeId name = mk_ident(l->ast, n->pos, l->default_);
        ast_node(l->ast, v.a)->a = name;
        return n->a;
    }
    NodeId value = decl ? v.a : n->a;
    if (is_anonymous(l->ast, value)) value = named_default(l, n->pos, value);
    return mk_var(l->ast, n->pos, VAR_LET, l->default_, value);
}

/* What goes before the imports, and then these. */
static void lower_late(EsmLower *l, const ModuleInfo *m, NodeVec *out)
{
    ListId body = esm_node(l, l->ast->root)->a;
    for (u32 i = 0; i < ast_len(l->ast, body); i++)
        if (mocks_is_hoisted(l->ast, ast_at(l->ast, body, i)))
            vec_push(l->scratch, out, ast_at(l->ast, body, i));
    vec_push(l->scratch, out, mocks_late_imports(l->w, m, l->names));
    for (u32 i = 0; i < m->imports.len; i++) {
        const ModuleImport *im = &m->imports.at[i];
        if (im->is_namespace && m->requests.at[im->request].is_late)
            vec_push(l->scratch, out, mocks_late_namespace(l->w, im, l->names));
    }
}

static void lower_body(EsmLower *l, const ModuleInfo *m)
{
    NodeVec out = {0};
    ListId body = esm_node(l, l->ast->root)->a;
    if (m->has_late) lower_late(l, m, &out);
    for (u32 i = 0; i < ast_len(l->ast, body); i++) {
        NodeId id = ast_at(l->ast, body, i);
        const Node n = *esm_node(l, id);
        if (m->has_late && mocks_is_hoisted(l->ast, id)) continue;
        switch (n.kind) {
        case NODE_IMPORT:
        case NODE_EXPORT:
        case NODE_EXPORT_ALL: break;
        case NODE_EXPORT_DECL: vec_push(l->scratch, &out, n.a); break;
        case NODE_EXPORT_DEFAULT: vec_push(l->scratch, &out, lower_default(l, &n)); break;
        default: vec_push(l->scratch, &out, id);
        }
    }
    ListId list = ast_list(l->ast, out.at, out.len);
    ast_node(l->ast, l->ast->root)->a = list;
}

void lower_esm(Lowering *w, const ModuleInfo *m, const ModuleNames *names)
{
    AUTO(Scratch) s = scratch_begin(w->arena);
    EsmLower l = {.w = w, .ast = w->ast, .scratch = s.arena, .names = names};
    l.cob = intern_dup(w->ast->atoms, names->cob);
    l.default_ = intern_dup(w->ast->atoms, names->default_);
    if (m->has_late) mocks_take_specifiers(w->ast);
    collect_live(&l, m);
    if (l.live.len || l.made.len) rewrite_uses(&l);
    if (w->ast->has_dynamic_import || w->ast->has_esm) rewrite_module_uses(&l);
    lower_body(&l, m);
}
