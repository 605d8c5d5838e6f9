/* syntax/scope_walk.c -- the walk of scope_bind: opens scopes and resolves references. */
#include "syntax/binder.h"

static void visit(Binder *b, NodeId id);
static void visit_list(Binder *b, ListId list);

static void set_strict(Binder *b, bool strict)
{
    if (strict) b->out->scopes.at[b->scope].strict = true;
}

/* Defaults and computed keys of a pattern; with `targets` also the names in it (an assignment). */
static void visit_pattern(Binder *b, NodeId id, bool targets)
{
    const Node *n = bind_node(b, id);
    u32 list = n->a, second = n->b;
    switch (n->kind) {
    case NODE_IDENT:
        if (targets) resolve(b, id, true);
        break;
    case NODE_ARRAY_PAT:
    case NODE_OBJECT_PAT:
        for (u32 i = 0; i < ast_len(b->ast, list); i++) {
            visit_pattern(b, ast_at(b->ast, list, i), targets);
        }
        break;
    case NODE_PROP:
        if (n->flags & NF_COMPUTED) visit(b, list);
        visit_pattern(b, second, targets);
        break;
    case NODE_ASSIGN_PAT:
        visit_pattern(b, list, targets);
        visit(b, second);
        break;
    case NODE_PARAM:
        visit_list(b, second);
        visit_pattern(b, list, targets);
        break;
    case NODE_REST: visit_pattern(b, list, targets); break;
    case NODE_HOLE: break;
    default:
        if (targets) visit(b, id);
    }
}

/* ---- Functions and classes ---- */

static void visit_function(Binder *b, NodeId id)
{
    const Node n = *bind_node(b, id);
    bool arrow = n.kind == NODE_ARROW;
    ScopeMark m = scope_open(b, SCOPE_FUNCTION, id);
    set_strict(b, n.flags & NF_STRICT);
    u32 len = ast_len(b->ast, n.b);
    for (u32 i = 0; i < len; i++) declare_pattern(b, ast_at(b->ast, n.b, i), SYM_PARAM);
    for (u32 i = 0; i < len; i++) visit_pattern(b, ast_at(b->ast, n.b, i), false);
    if (arrow && n.a) {
        visit(b, n.a);
    } else {
        declare_body(b, n.c);
        visit_list(b, n.c);
    }
    scope_close(b, m);
}

static void visit_func_expr(Binder *b, NodeId id)
{
    NodeId name = bind_node(b, id)->a;
    if (!name) {
        visit_function(b, id);
        return;
    }
    ScopeMark m = scope_open(b, SCOPE_NAME, id);
    declare(b, name, SYM_SELF);
    visit_function(b, id);
    scope_close(b, m);
}

static void visit_member(Binder *b, NodeId id)
{
    const Node n = *bind_node(b, id);
    visit_list(b, n.c);
    if (n.flags & NF_COMPUTED) visit(b, n.a);
    if (!n.b) return;
    /* Initial values and static blocks run as functions of their own. */
    if (n.op == PROP_STATIC_BLOCK) {
        ScopeMark m = scope_open(b, SCOPE_FUNCTION, id);
        ListId body = bind_node(b, n.b)->a;
        declare_body(b, body);
        visit_list(b, body);
        scope_close(b, m);
    } else if (n.op == PROP_FIELD || n.op == PROP_ACCESSOR) {
        ScopeMark m = scope_open(b, SCOPE_FUNCTION, id);
        visit(b, n.b);
        scope_close(b, m);
    } else {
        visit_function(b, n.b);
    }
}

static void visit_class(Binder *b, NodeId id, bool is_decl)
{
    const Node n = *bind_node(b, id);
    visit_list(b, n.d);
    ScopeMark m = scope_open(b, SCOPE_CLASS, id);
    set_strict(b, true);
    if (n.a && !is_decl) declare(b, n.a, SYM_SELF);
    if (n.b) visit(b, n.b);
    for (u32 i = 0; i < ast_len(b->ast, n.c); i++) visit_member(b, ast_at(b->ast, n.c, i));
    scope_close(b, m);
}

/* ---- Statements ---- */

static void visit_block(Binder *b, NodeId id)
{
    ListId list = bind_node(b, id)->a;
    ScopeMark m = scope_open(b, SCOPE_BLOCK, id);
    declare_block(b, list);
    visit_list(b, list);
    scope_close(b, m);
}

static void visit_var(Binder *b, NodeId id)
{
    const Node n = *bind_node(b, id);
    for (u32 i = 0; i < ast_len(b->ast, n.a); i++) {
        const Node d = *bind_node(b, ast_at(b->ast, n.a, i));
        if (n.op == VAR_VAR) check_var(b, d.a);
        visit_pattern(b, d.a, false);
        if (d.b) visit(b, d.b);
    }
}

/* The body of a loop, if, with or label: a declaration in it has a scope of its own. */
static void visit_body(Binder *b, NodeId id)
{
    if (bind_node(b, id)->kind != NODE_FUNC_DECL) {
        visit(b, id);
        return;
    }
    ScopeMark m = scope_open(b, SCOPE_BLOCK, id);
    declare(b, bind_node(b, bind_node(b, id)->a)->a, SYM_BLOCK_FUNC);
    visit(b, id);
    scope_close(b, m);
}

static bool is_lexical_var(Binder *b, NodeId id)
{
    return id && bind_node(b, id)->kind == NODE_VAR && bind_node(b, id)->op != VAR_VAR;
}

static void declare_head(Binder *b, NodeId var)
{
    const Node n = *bind_node(b, var);
    SymbolKind kind = n.op == VAR_LET ? SYM_LET : SYM_CONST;
    for (u32 i = 0; i < ast_len(b->ast, n.a); i++) {
        declare_pattern(b, bind_node(b, ast_at(b->ast, n.a, i))->a, kind);
    }
}

static void visit_for(Binder *b, NodeId id)
{
    const Node n = *bind_node(b, id);
    ScopeMark m = scope_open(b, SCOPE_BLOCK, id);
    if (is_lexical_var(b, n.a)) declare_head(b, n.a);
    if (n.a) visit(b, n.a);
    if (n.b) visit(b, n.b);
    if (n.c) visit(b, n.c);
    visit_body(b, n.d);
    scope_close(b, m);
}

static void visit_for_each(Binder *b, NodeId id)
{
    const Node n = *bind_node(b, id);
    ScopeMark m = scope_open(b, SCOPE_BLOCK, id);
    if (is_lexical_var(b, n.a)) declare_head(b, n.a);
    NodeKind left = (NodeKind)bind_node(b, n.a)->kind;
    if (left == NODE_VAR)
        visit_var(b, n.a);
    else
        visit_pattern(b, n.a, true);
    visit(b, n.b);
    visit_body(b, n.c);
    scope_close(b, m);
}

static void visit_try(Binder *b, NodeId id)
{
    const Node n = *bind_node(b, id);
    visit(b, n.a);
    if (n.c) {
        ScopeMark m = scope_open(b, SCOPE_CATCH, n.c);
        if (n.b) {
            bool simple = bind_node(b, n.b)->kind == NODE_IDENT;
            declare_pattern(b, n.b, simple ? SYM_CATCH : SYM_CATCH_PATTERN);
            visit_pattern(b, n.b, false);
        }
        ListId body = bind_node(b, n.c)->a;
        declare_block(b, body);
        visit_list(b, body);
        scope_close(b, m);
    }
    if (n.d) visit(b, n.d);
}

static void visit_switch(Binder *b, NodeId id)
{
    const Node n = *bind_node(b, id);
    visit(b, n.a);
    ScopeMark m = scope_open(b, SCOPE_BLOCK, id);
    for (u32 i = 0; i < ast_len(b->ast, n.b); i++) {
        declare_block(b, bind_node(b, ast_at(b->ast, n.b, i))->b);
    }
    for (u32 i = 0; i < ast_len(b->ast, n.b); i++) {
        const Node c = *bind_node(b, ast_at(b->ast, n.b, i));
        if (c.a) visit(b, c.a);
        visit_list(b, c.b);
    }
    scope_close(b, m);
}

/* ---- Modules and TypeScript ---- */

static void visit_export(Binder *b, NodeId id)
{
    const Node n = *bind_node(b, id);
    if (n.b || (n.flags & NF_TYPE_ONLY)) return;
    for (u32 i = 0; i < ast_len(b->ast, n.a); i++) {
        NodeId spec = ast_at(b->ast, n.a, i);
        NodeId local = bind_node(b, spec)->a;
        if (bind_node(b, spec)->flags & NF_TYPE_ONLY) continue;
        const Node *name = bind_node(b, local);
        if (name->kind != NODE_IDENT) continue;
        resolve(b, local, false);
        SymbolId sym = name->b;
        if (sym) {
            symbol_get(b->out, sym)->exported = true;
        } else if (!b->opt->ts) {
            Str text = atom_str(b->ast->atoms, name->a);
            Span at = {b->ast->source, name->pos, (u32)text.n};
            b->ok = log_error(b->log, at, "\"%.*s\" is not declared in this file", STR_ARG(text));
        }
    }
}

static void visit_enum(Binder *b, NodeId id)
{
    const Node n = *bind_node(b, id);
    ScopeMark m = scope_open(b, SCOPE_FUNCTION, id);
    for (u32 i = 0; i < ast_len(b->ast, n.b); i++) {
        const Node member = *bind_node(b, ast_at(b->ast, n.b, i));
        if (member.b) visit(b, member.b);
    }
    scope_close(b, m);
}

static void visit_namespace(Binder *b, NodeId id)
{
    const Node n = *bind_node(b, id);
    ScopeMark m = scope_open(b, SCOPE_NAMESPACE, id);
    declare_body(b, n.b);
    visit_list(b, n.b);
    scope_close(b, m);
}

/* ---- Expressions ---- */

static void visit_call(Binder *b, const Node *n)
{
    const Node *callee = bind_node(b, n->a);
    if (callee->kind == NODE_IDENT && callee->a == WORD_ATOM(TOK_EVAL)) {
        b->out->scopes.at[b->scope].has_eval = true;
    }
    visit_list(b, n->b);
}

static void visit_props(Binder *b, ListId list)
{
    for (u32 i = 0; i < ast_len(b->ast, list); i++) {
        const Node n = *bind_node(b, ast_at(b->ast, list, i));
        if (n.kind == NODE_PROP) {
            if (n.flags & NF_COMPUTED) visit(b, n.a);
            bool method = n.op == PROP_METHOD || n.op == PROP_GET || n.op == PROP_SET;
            if (method)
                visit_function(b, n.b);
            else
                visit(b, n.b);
        } else {
            visit(b, n.a);
        }
    }
}

static void visit_assign(Binder *b, const Node *n)
{
    NodeKind left = (NodeKind)bind_node(b, n->a)->kind;
    if (left == NODE_IDENT || left == NODE_ARRAY_PAT || left == NODE_OBJECT_PAT) {
        visit_pattern(b, n->a, true);
    } else {
        visit(b, n->a);
    }
}

/* Children by the table of ast.def, for kinds without rules of their own. */
static void visit_children(Binder *b, const Node *n)
{
    const u32 slots[] = {n->a, n->b, n->c, n->d};
    NodeKind kind = (NodeKind)n->kind;
    for (u32 i = 0; i < 4; i++) {
        char c = ast_slot(kind, i);
        if (c == 'N' && slots[i])
            visit(b, slots[i]);
        else if (c == 'L')
            visit_list(b, slots[i]);
        else if (c == '_')
            break;
    }
}

/* Kinds that open scopes or declare. */
static bool visit_special(Binder *b, NodeId id, const Node *n)
{
    switch (n->kind) {
    case NODE_FUNC: visit_func_expr(b, id); return true;
    case NODE_ARROW: visit_function(b, id); return true;
    case NODE_CLASS: visit_class(b, id, false); return true;
    case NODE_FUNC_DECL: visit_function(b, n->a); return true;
    case NODE_CLASS_DECL: visit_class(b, n->a, true); return true;
    case NODE_BLOCK: visit_block(b, id); return true;
    case NODE_VAR: visit_var(b, id); return true;
    case NODE_FOR: visit_for(b, id); return true;
    case NODE_FOR_IN:
    case NODE_FOR_OF: visit_for_each(b, id); return true;
    case NODE_TRY: visit_try(b, id); return true;
    case NODE_SWITCH: visit_switch(b, id); return true;
    case NODE_LABELED: visit_body(b, n->b); return true;
    case NODE_WITH:
        b->out->scopes.at[b->scope].has_eval = true;
        visit(b, n->a);
        visit_body(b, n->b);
        return true;
    case NODE_IMPORT:
    case NODE_EXPORT_ALL:
    case NODE_TYPE_DECL: return true;
    case NODE_EXPORT: visit_export(b, id); return true;
    case NODE_ENUM: visit_enum(b, id); return true;
    case NODE_NAMESPACE: visit_namespace(b, id); return true;
    case NODE_IMPORT_EQUALS: visit(b, n->b); return true;
    case NODE_OBJECT: visit_props(b, n->a); return true;
    case NODE_ARRAY_PAT:
    case NODE_OBJECT_PAT: visit_pattern(b, id, true); return true;
    case NODE_UPDATE:
        if (bind_node(b, n->a)->kind != NODE_IDENT) return false;
        resolve(b, n->a, true);
        return true;
    default: return false;
    }
}

/* Left-deep and right-deep chains are loops. */
static void visit(Binder *b, NodeId id)
{
    for (;;) {
        const Node n = *bind_node(b, id);
        switch (n.kind) {
        case NODE_IDENT: resolve(b, id, false); return;
        case NODE_DOT:
        case NODE_DOT_PRIVATE:
        case NODE_EXPR_STMT: id = n.a; continue;
        case NODE_CALL:
            visit_call(b, &n);
            id = n.a;
            continue;
        case NODE_BINARY:
        case NODE_INDEX:
        case NODE_TAGGED:
            visit(b, n.b);
            id = n.a;
            continue;
        case NODE_ASSIGN:
            visit_assign(b, &n);
            id = n.b;
            continue;
        case NODE_COND:
        case NODE_IF:
            visit(b, n.a);
            if (n.kind == NODE_IF)
                visit_body(b, n.b);
            else
                visit(b, n.b);
            if (!n.c) return;
            id = n.c;
            continue;
        default:
            if (!visit_special(b, id, &n)) visit_children(b, &n);
            return;
        }
    }
}

static void visit_list(Binder *b, ListId list)
{
    for (u32 i = 0; i < ast_len(b->ast, list); i++) visit(b, ast_at(b->ast, list, i));
}

bool scope_bind(Ast *t, const ParseOptions *opt, Arena *arena, Log *log, Bindings *ret)
{
    AUTO(Scratch) s = scratch_begin(arena);
    *ret = (Bindings){.arena = arena};
    vec_push(arena, &ret->scopes, (Scope){0});
    vec_push(arena, &ret->symbols, (Symbol){0});
    Binder b = {.ast = t, .opt = opt, .log = log, .arena = s.arena, .out = ret, .ok = true};
    b.n_atoms = t->atoms->len;
    b.current = ARENA_ARRAY(s.arena, SymbolId, b.n_atoms);
    ScopeMark m = scope_open(&b, SCOPE_TOP, t->root);
    const Node root = *ast_node(t, t->root);
    set_strict(&b, root.flags & NF_STRICT);
    declare_body(&b, root.a);
    visit_list(&b, root.a);
    scope_close(&b, m);
    return b.ok;
}
