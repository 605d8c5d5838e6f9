/* syntax/minify_names.c -- names that values can stand for, and declarations that nobody uses. */
#include "syntax/minifier.h"

enum { INLINE_TEXT_MAX = 4 }; /* longer strings only when they are used once */

/* ---- Exports ---- */

typedef struct {
    const Ast *ast;
    Bindings *bindings;
    Vec(NodeId) todo;
    Arena *arena;
} Mark;

static void mark_ident(Mark *m, const Node *n)
{
    if (n->b) symbol_get(m->bindings, n->b)->exported = true;
}

static void mark_names(Mark *m, NodeId id)
{
    const Node *n = ast_node(m->ast, id);
    u32 list = n->a;
    switch (n->kind) {
    case NODE_IDENT: mark_ident(m, n); break;
    case NODE_VAR:
    case NODE_ARRAY_PAT:
    case NODE_OBJECT_PAT:
        for (u32 i = 0; i < ast_len(m->ast, list); i++)
            vec_push(m->arena, &m->todo, ast_at(m->ast, list, i));
        break;
    case NODE_PROP: vec_push(m->arena, &m->todo, n->b); break;
    case NODE_DECLARATOR:
    case NODE_ASSIGN_PAT:
    case NODE_REST:
    case NODE_FUNC_DECL:
    case NODE_CLASS_DECL:
    case NODE_FUNC:
    case NODE_CLASS:
        if (n->a) vec_push(m->arena, &m->todo, n->a);
        break;
    default: break;
    }
}

void bindings_mark_exports(const Ast *t, Bindings *b)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    Mark m = {.ast = t, .bindings = b, .arena = s.arena};
    ListId body = ast_node(t, t->root)->a;
    for (u32 i = 0; i < ast_len(t, body); i++) {
        const Node *n = ast_node(t, ast_at(t, body, i));
        if (n->kind != NODE_EXPORT_DECL && n->kind != NODE_EXPORT_DEFAULT) continue;
        const Node *v = ast_node(t, n->a);
        if (n->kind == NODE_EXPORT_DEFAULT && v->kind != NODE_FUNC_DECL &&
            v->kind != NODE_CLASS_DECL)
            continue;
        vec_push(s.arena, &m.todo, n->a);
        while (m.todo.len) mark_names(&m, vec_pop(&m.todo));
    }
}

/* ---- Constants ---- */

typedef struct {
    NodeId value;
    u32 n_used;
} Constant;

static bool is_local(const Minify *m, const Symbol *s)
{
    return !s->exported && !m->bindings->scopes.at[s->scope].has_eval;
}

/* At the top of a file only what other files cannot see is local. */
static bool is_top(const Minify *m, const Symbol *s)
{
    return m->bindings->scopes.at[s->scope].kind == SCOPE_TOP;
}

static bool is_short(const Minify *m, NodeId init, u32 n_refs)
{
    Known k = fold_known(&m->f, init);
    switch (k.kind) {
    case KNOWN_STRING:
        return min_is(m, init, NODE_STR) && (k.text.n <= INLINE_TEXT_MAX || n_refs == 1);
    case KNOWN_NOT:
    case KNOWN_BIGINT: return false;
    case KNOWN_NUMBER: return n_refs == 1 || (k.number < 10000 && k.number > -1000);
    default: return true;
    }
}

static void find_constants(Minify *m, Constant *by_symbol)
{
    for (NodeId i = 1; i < m->ast->n_nodes; i++) {
        const Node *d = min_get(m, i);
        if (d->kind != NODE_DECLARATOR || !d->b || !min_is(m, d->a, NODE_IDENT)) continue;
        SymbolId id = min_get(m, d->a)->b;
        if (!id) continue;
        const Symbol *s = symbol_get(m->bindings, id);
        if (s->kind != SYM_CONST || s->assigned || !is_local(m, s)) continue;
        if (is_short(m, d->b, s->n_refs)) by_symbol[id] = (Constant){.value = d->b};
    }
}

void minify_inline_constants(Minify *m)
{
    u32 n_symbols = m->bindings->symbols.len;
    Constant *all = ARENA_ARRAY(m->arena, Constant, n_symbols);
    find_constants(m, all);
    for (NodeId i = 1; i < m->ast->n_nodes; i++) {
        const Node n = *min_get(m, i);
        if (n.kind != NODE_IDENT || !n.c || !n.b || !all[n.b].value || (n.c & REF_EARLY)) continue;
        Node value = *min_get(m, all[n.b].value);
        value.pos = n.pos;
        if (value.kind == NODE_STR || value.kind == NODE_NUM) {
            if (value.kind == NODE_STR) value.b = 0;
            if (value.kind == NODE_NUM) value.c = 0;
        }
        *ast_node(m->ast, i) = value;
        all[n.b].n_used++;
    }
    for (SymbolId id = 1; id < n_symbols; id++) {
        const Symbol *s = symbol_get(m->bindings, id);
        bool gone = all[id].value && all[id].n_used == s->n_refs && !is_top(m, s);
        if (gone) m->removed[id >> 6] |= 1ULL << (id & 63);
    }
}

bool minify_is_unused(const Minify *m, NodeId ident)
{
    SymbolId id = min_get(m, ident)->b;
    if (!id || m->linked[id >> 6] >> (id & 63) & 1) return false;
    if (m->removed[id >> 6] >> (id & 63) & 1) return true;
    const Symbol *s = symbol_get(m->bindings, id);
    bool kind =
        s->kind == SYM_VAR || s->kind == SYM_LET || s->kind == SYM_CONST || s->kind == SYM_FUNC;
    return kind && !s->n_refs && !s->assigned && is_local(m, s) && !is_top(m, s);
}

/* ---- Annex B ---- */

static u64 name_in_function(const Bindings *b, const Symbol *s)
{
    return (u64)b->scopes.at[s->scope].function << 32 | s->name;
}

static bool may_link(u8 kind)
{
    return kind == SYM_BLOCK_FUNC || kind == SYM_CATCH;
}

/* Marks the names that also stand for something of the whole function. */
static void find_links(const Bindings *b, Arena *a, IdMap *names)
{
    for (SymbolId i = 1; i < b->symbols.len; i++) {
        const Symbol *sym = symbol_get(b, i);
        if (may_link(sym->kind)) *id_map_put(a, names, name_in_function(b, sym), NULL) = 0;
    }
    for (SymbolId i = 1; i < b->symbols.len && names->len; i++) {
        const Symbol *sym = symbol_get(b, i);
        if (sym->scope != b->scopes.at[sym->scope].function) continue;
        u64 *linked = id_map_find(names, name_in_function(b, sym));
        if (linked) *linked = 1;
    }
}

static bool is_lexical(const Bindings *b, const Symbol *s)
{
    bool kind = s->kind == SYM_LET || s->kind == SYM_CONST || s->kind == SYM_CLASS;
    return kind && !b->scopes.at[s->scope].strict;
}

u64 *bindings_linked(const Bindings *b, bool lexical, Arena *a)
{
    AUTO(Scratch) s = scratch_begin(a);
    u64 *bits = ARENA_ARRAY(a, u64, b->symbols.len / 64 + 1);
    IdMap names = {0};
    find_links(b, s.arena, &names);
    for (SymbolId i = 1; i < b->symbols.len && names.len; i++) {
        const Symbol *sym = symbol_get(b, i);
        /* In strict code a function in a block makes no `var`. */
        bool alone = sym->kind == SYM_BLOCK_FUNC && b->scopes.at[sym->scope].strict;
        const u64 *linked = alone ? NULL : id_map_find(&names, name_in_function(b, sym));
        if (linked && (*linked || (lexical && is_lexical(b, sym))))
            bits[i >> 6] |= 1ULL << (i & 63);
    }
    return bits;
}
