/* syntax/scope.c -- opening and closing scopes, declaring names, conflicts (see binder.h). */
#include "syntax/binder.h"

ScopeMark scope_open(Binder *b, ScopeKind kind, NodeId node)
{
    ScopeMark m = {b->scope, b->open.len};
    Bindings *o = b->out;
    ScopeId id = o->scopes.len;
    Scope s = {.kind = (u8)kind, .parent = b->scope, .node = node};
    if (b->scope) s.strict = o->scopes.at[b->scope].strict;
    bool own = kind == SCOPE_FUNCTION || kind == SCOPE_TOP || kind == SCOPE_NAMESPACE;
    s.function = own ? id : o->scopes.at[b->scope].function;
    vec_push(o->arena, &o->scopes, s);
    b->scope = id;
    return m;
}

void scope_close(Binder *b, ScopeMark m)
{
    while (b->open.len > m.mark) {
        SymbolId id = vec_pop(&b->open);
        const Symbol *s = symbol_get(b->out, id);
        b->current[s->name] = s->shadowed;
    }
    const Scope *inner = &b->out->scopes.at[b->scope];
    if (inner->has_eval && m.outer) b->out->scopes.at[m.outer].has_eval = true;
    b->scope = m.outer;
}

void bind_error(Binder *b, NodeId at, NodeId other, Atom name)
{
    Str text = atom_str(b->ast->atoms, name);
    Span span = {b->ast->source, bind_node(b, at)->pos, (u32)text.n};
    b->ok = log_error(b->log, span, "\"%.*s\" has already been declared", STR_ARG(text));
    if (!other) return;
    Span old = {b->ast->source, bind_node(b, other)->pos, (u32)text.n};
    log_note(b->log, old, "\"%.*s\" was originally declared here", STR_ARG(text));
}

static bool is_merging(u8 kind)
{
    return kind == SYM_NAMESPACE || kind == SYM_ENUM;
}

typedef enum { CONFLICT, KEEP_OLD, REPLACE } Merge;

/* Two declarations of a name in one scope. */
static Merge merge_ts(u8 old, u8 new)
{
    if (old == SYM_TYPE) return REPLACE;
    if (new == SYM_TYPE) return KEEP_OLD;
    /* An import of that name can only have been a type. */
    if (old == SYM_IMPORT) return REPLACE;
    if (new == SYM_IMPORT) return KEEP_OLD;
    if (is_merging(new) && (is_merging(old) || old == SYM_FUNC || old == SYM_BLOCK_FUNC))
        return KEEP_OLD;
    if (new == SYM_NAMESPACE && old == SYM_CLASS) return KEEP_OLD;
    if (old == SYM_NAMESPACE && (new == SYM_CLASS || new == SYM_FUNC || new == SYM_BLOCK_FUNC)) {
        return REPLACE;
    }
    return CONFLICT;
}

static Merge merge(const Binder *b, u8 old, u8 new)
{
    bool var_like = old == SYM_VAR || old == SYM_FUNC || old == SYM_PARAM;
    if (new == SYM_VAR) return var_like || old == SYM_CATCH ? KEEP_OLD : CONFLICT;
    if (new == SYM_FUNC && var_like) return REPLACE;
    if (new == SYM_PARAM && old == SYM_PARAM) return KEEP_OLD; /* the parser has checked */
    if (new == SYM_BLOCK_FUNC && old == SYM_BLOCK_FUNC) {
        const Scope *s = &b->out->scopes.at[b->scope];
        if (!s->strict && s->kind != SCOPE_TOP) return KEEP_OLD; /* Annex B */
    }
    return CONFLICT;
}

static void push_symbol(Binder *b, NodeId ident, SymbolKind kind)
{
    Bindings *o = b->out;
    Node *n = ast_node(b->ast, ident);
    SymbolId id = o->symbols.len;
    Symbol s = {.name = n->a, .kind = (u8)kind, .scope = b->scope, .decl = ident};
    s.shadowed = b->current[n->a];
    Symbol *added = vec_add(o->arena, &o->symbols);
    ASSERT(added);
    *added = s;
    vec_push(b->arena, &b->open, id);
    b->current[n->a] = id;
    n->b = id;
}

void declare(Binder *b, NodeId ident, SymbolKind kind)
{
    Atom name = bind_node(b, ident)->a;
    SymbolId old = b->current[name];
    Symbol *s = old ? symbol_get(b->out, old) : NULL;
    if (!s || s->scope != b->scope) {
        push_symbol(b, ident, kind);
        return;
    }
    Merge m = merge(b, s->kind, (u8)kind);
    if (m == CONFLICT && b->opt->ts) m = merge_ts(s->kind, (u8)kind);
    ast_node(b->ast, ident)->b = old;
    switch (m) {
    case KEEP_OLD: break;
    case REPLACE:
        if (s->kind == SYM_IMPORT || s->kind == SYM_TYPE) {
            push_symbol(b, ident, kind); /* the import's own symbol stays without uses */
            break;
        }
        s->kind = (u8)kind;
        s->decl = ident;
        break;
    default: bind_error(b, ident, s->decl, name);
    }
}

void declare_pattern(Binder *b, NodeId id, SymbolKind kind)
{
    const Node *n = bind_node(b, id);
    u32 list = n->a;
    switch (n->kind) {
    case NODE_IDENT: declare(b, id, kind); break;
    case NODE_ARRAY_PAT:
    case NODE_OBJECT_PAT:
        for (u32 i = 0; i < ast_len(b->ast, list); i++) {
            declare_pattern(b, ast_at(b->ast, list, i), kind);
        }
        break;
    case NODE_PROP: declare_pattern(b, n->b, kind); break;
    case NODE_ASSIGN_PAT:
    case NODE_PARAM:
    case NODE_REST: declare_pattern(b, n->a, kind); break;
    default: break;
    }
}

/* ---- Lexical declarations of a block ---- */

static SymbolKind func_kind(const Binder *b, const Node *fn)
{
    const Scope *s = &b->out->scopes.at[b->scope];
    if (s->kind == SCOPE_TOP && !b->ast->is_module) return SYM_FUNC;
    if (s->kind == SCOPE_FUNCTION || s->kind == SCOPE_NAMESPACE) return SYM_FUNC;
    /* Annex B's leniency about two functions of one name is for plain functions only. */
    return fn->flags & (NF_ASYNC | NF_GENERATOR) ? SYM_LET : SYM_BLOCK_FUNC;
}

static void declare_imports(Binder *b, ListId list)
{
    for (u32 i = 0; i < ast_len(b->ast, list); i++) {
        const Node *spec = bind_node(b, ast_at(b->ast, list, i));
        if (!(spec->flags & NF_TYPE_ONLY)) declare(b, spec->b, SYM_IMPORT);
    }
}

static void declare_let(Binder *b, const Node *n)
{
    static const SymbolKind kinds[] = {SYM_VAR, SYM_LET, SYM_CONST, SYM_CONST, SYM_CONST};
    ListId list = n->a;
    SymbolKind kind = kinds[n->op];
    for (u32 i = 0; i < ast_len(b->ast, list); i++) {
        declare_pattern(b, bind_node(b, ast_at(b->ast, list, i))->a, kind);
    }
}

static void declare_stmt(Binder *b, NodeId id)
{
    const Node *n = bind_node(b, id);
    NodeId name;
    switch (n->kind) {
    case NODE_VAR:
        if (n->op != VAR_VAR) declare_let(b, n);
        break;
    case NODE_FUNC_DECL:
        name = bind_node(b, n->a)->a;
        if (name) declare(b, name, func_kind(b, bind_node(b, n->a)));
        break;
    case NODE_CLASS_DECL:
        name = bind_node(b, n->a)->a;
        if (name) declare(b, name, SYM_CLASS);
        break;
    case NODE_ENUM: declare(b, n->a, SYM_ENUM); break;
    case NODE_NAMESPACE: declare(b, n->a, SYM_NAMESPACE); break;
    case NODE_IMPORT_EQUALS: declare(b, n->a, SYM_IMPORT); break;
    case NODE_IMPORT:
        if (!(n->flags & NF_TYPE_ONLY)) declare_imports(b, n->a);
        break;
    case NODE_EXPORT_DECL:
    case NODE_EXPORT_DEFAULT: declare_stmt(b, n->a); break;
    case NODE_LABELED: declare_stmt(b, n->b); break;
    default: break;
    }
}

void declare_block(Binder *b, ListId list)
{
    for (u32 i = 0; i < ast_len(b->ast, list); i++) declare_stmt(b, ast_at(b->ast, list, i));
}

/* ---- Hoisted declarations ---- */

static void hoist_list(Binder *b, ListId list, bool nested);

static void hoist_var(Binder *b, const Node *n)
{
    if (n->op != VAR_VAR) return;
    ListId list = n->a;
    for (u32 i = 0; i < ast_len(b->ast, list); i++) {
        declare_pattern(b, bind_node(b, ast_at(b->ast, list, i))->a, SYM_VAR);
    }
}

/* The name of a function declaration that Annex B may make a var of, or 0. */
static NodeId annex_name(const Binder *b, const Node *decl)
{
    const Node *fn = bind_node(b, decl->a);
    return fn->flags & (NF_ASYNC | NF_GENERATOR) ? 0 : fn->a;
}

static void hoist(Binder *b, NodeId id, bool nested)
{
    for (;;) {
        if (!id) return;
        const Node *n = bind_node(b, id);
        switch (n->kind) {
        case NODE_VAR: hoist_var(b, n); return;
        case NODE_FUNC_DECL:
            if (nested && annex_name(b, n)) b->nested_functions = true;
            return;
        case NODE_BLOCK: hoist_list(b, n->a, true); return;
        case NODE_IF: {
            NodeId no = n->c;
            hoist(b, n->b, true);
            id = no;
            nested = true;
            continue;
        }
        case NODE_FOR: {
            NodeId body = n->d;
            hoist(b, n->a, true);
            id = body;
            nested = true;
            continue;
        }
        case NODE_FOR_IN:
        case NODE_FOR_OF: {
            NodeId body = n->c;
            hoist(b, n->a, true);
            id = body;
            nested = true;
            continue;
        }
        case NODE_WHILE:
        case NODE_WITH:
            id = n->b;
            nested = true;
            continue;
        case NODE_LABELED: id = n->b; continue;
        case NODE_DO:
            id = n->a;
            nested = true;
            continue;
        case NODE_TRY: {
            NodeId handler = n->c, finalizer = n->d;
            hoist(b, n->a, true);
            hoist(b, handler, true);
            id = finalizer;
            nested = true;
            continue;
        }
        case NODE_SWITCH: hoist_list(b, n->b, true); return;
        case NODE_CASE: hoist_list(b, n->b, true); return;
        case NODE_EXPORT_DECL: id = n->a; continue;
        default: return;
        }
    }
}

static void hoist_list(Binder *b, ListId list, bool nested)
{
    for (u32 i = 0; i < ast_len(b->ast, list); i++) hoist(b, ast_at(b->ast, list, i), nested);
}

void declare_body(Binder *b, ListId list)
{
    b->nested_functions = false;
    hoist_list(b, list, false);
    declare_block(b, list);
    if (b->nested_functions && !b->out->scopes.at[b->scope].strict) annex_functions(b, list);
}

/* ---- References ---- */

void resolve(Binder *b, NodeId ident, bool write)
{
    Node *n = ast_node(b->ast, ident);
    SymbolId id = b->current[n->a];
    n->b = id;
    n->c = REF_USE;
    if (!id) {
        b->out->n_globals++;
        return;
    }
    Symbol *s = symbol_get(b->out, id);
    s->n_refs++;
    if (write) s->assigned = true;
}

static void check_var_name(Binder *b, NodeId ident)
{
    Node *n = ast_node(b->ast, ident);
    ScopeId function = b->out->scopes.at[b->scope].function;
    SymbolId id = b->current[n->a];
    while (id) {
        const Symbol *s = symbol_get(b->out, id);
        if (s->scope == function) {
            n->b = id;
            return;
        }
        /* Annex B lets `var e` stand in catch (e). */
        if (s->kind != SYM_CATCH) {
            bind_error(b, ident, s->decl, n->a);
            return;
        }
        id = s->shadowed;
    }
}

void check_var(Binder *b, NodeId id)
{
    const Node *n = bind_node(b, id);
    u32 list = n->a;
    switch (n->kind) {
    case NODE_IDENT: check_var_name(b, id); break;
    case NODE_ARRAY_PAT:
    case NODE_OBJECT_PAT:
        for (u32 i = 0; i < ast_len(b->ast, list); i++) {
            check_var(b, ast_at(b->ast, list, i));
        }
        break;
    case NODE_PROP: check_var(b, n->b); break;
    case NODE_ASSIGN_PAT:
    case NODE_REST: check_var(b, n->a); break;
    default: break;
    }
}
