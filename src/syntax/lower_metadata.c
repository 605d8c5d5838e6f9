/* syntax/lower_metadata.c -- emitDecoratorMetadata: types as run-time values.
 *
 * Types left no nodes; the text of an annotation is read again with the lexer and reduced to one
 * value: a constructor's name where there is one, else Object.  The rules are TypeScript's. */
#include "syntax/lower_decorators.h"

enum { TYPE_DEPTH_MAX = 100 };

typedef enum {
    META_NONE,   /* null, undefined, void, never: void 0 */
    META_OBJECT, /* anything without a constructor */
    META_NAME,   /* a global constructor, by name */
    META_REF,    /* a name of the file or an import: atom */
} MetaKind;

typedef struct {
    MetaKind kind;
    const char *name;
    Atom ref;
} Meta;

typedef struct {
    Lexer l;
    u32 depth;
} TypeReader;

static Meta read_type(TypeReader *r);

static Meta object(void)
{
    return (Meta){.kind = META_OBJECT};
}

static Meta named(const char *name)
{
    return (Meta){.kind = META_NAME, .name = name};
}

/* Past the bracket that closes the current one. */
static void skip_brackets(TypeReader *r)
{
    u32 depth = 0;
    do {
        switch (r->l.tok) {
        case TOK_LPAREN:
        case TOK_LBRACE:
        case TOK_LBRACKET:
        case TOK_LT: depth++; break;
        case TOK_RPAREN:
        case TOK_RBRACE:
        case TOK_RBRACKET:
        case TOK_GT: depth--; break;
        case TOK_SHR: depth -= MIN(depth, 2u); break;
        case TOK_USHR: depth -= MIN(depth, 3u); break;
        case TOK_EOF: return;
        default: break;
        }
        lex_next(&r->l);
    } while (depth);
}

static Meta word_type(TypeReader *r)
{
    static const struct {
        const char *type, *value;
    } known[] = {
        {"string", "String"}, {"number", "Number"}, {"boolean", "Boolean"}, {"bigint", "BigInt"},
        {"symbol", "Symbol"}, {"any", NULL},        {"unknown", NULL},      {"object", NULL},
    };
    Str word = r->l.tok >= TOK_WORD_FIRST ? str_z(tok_name(r->l.tok)) : r->l.str;
    Atom ref = lex_atom(&r->l);
    lex_next(&r->l);
    if (str_eq(word, S("undefined")) || str_eq(word, S("never"))) return (Meta){0};
    for (usize i = 0; i < COUNT(known); i++) {
        if (!str_eq(word, str_z(known[i].type))) continue;
        return known[i].value ? named(known[i].value) : object();
    }
    bool qualified = false;
    while (r->l.tok == TOK_DOT) {
        qualified = true;
        lex_next(&r->l);
        lex_next(&r->l);
    }
    if (r->l.tok == TOK_LT && !r->l.nl) skip_brackets(r);
    if (qualified) return object();
    return (Meta){.kind = META_REF, .ref = ref};
}

/* `(`: parameters of a function type, or a type in parentheses. */
static Meta paren_type(TypeReader *r)
{
    TypeReader before = *r;
    skip_brackets(r);
    if (r->l.tok == TOK_ARROW) {
        lex_next(&r->l);
        (void)read_type(r);
        return named("Function");
    }
    *r = before;
    lex_next(&r->l);
    Meta m = read_type(r);
    if (r->l.tok == TOK_RPAREN) lex_next(&r->l);
    return m;
}

static Meta take(TypeReader *r, Meta m)
{
    lex_next(&r->l);
    return m;
}

static Meta primary_type(TypeReader *r)
{
    switch (r->l.tok) {
    case TOK_STR:
    case TOK_TEMPLATE: return take(r, named("String"));
    case TOK_NUM: return take(r, named("Number"));
    case TOK_BIGINT: return take(r, named("BigInt"));
    case TOK_TRUE:
    case TOK_FALSE: return take(r, named("Boolean"));
    case TOK_NULL:
    case TOK_VOID: return take(r, (Meta){0});
    case TOK_MINUS: lex_next(&r->l); return take(r, named("Number"));
    case TOK_LBRACKET: skip_brackets(r); return named("Array");
    case TOK_LBRACE: skip_brackets(r); return object();
    case TOK_LPAREN: return paren_type(r);
    case TOK_LT: skip_brackets(r); return paren_type(r);
    case TOK_NEW:
        lex_next(&r->l);
        (void)primary_type(r);
        return named("Function");
    case TOK_READONLY: lex_next(&r->l); return primary_type(r);
    case TOK_UNIQUE: lex_next(&r->l); return primary_type(r);
    case TOK_KEYOF:
    case TOK_TYPEOF:
    case TOK_IMPORT:
    case TOK_INFER:
        lex_next(&r->l);
        (void)primary_type(r);
        return object();
    case TOK_THIS: return take(r, object());
    default:
        if (r->l.tok != TOK_IDENT && r->l.tok < TOK_STRICT_FIRST) return object();
        return word_type(r);
    }
}

static Meta postfix_type(TypeReader *r)
{
    Meta m = primary_type(r);
    while (r->l.tok == TOK_LBRACKET && !r->l.nl) {
        lex_next(&r->l);
        bool array = r->l.tok == TOK_RBRACKET;
        while (r->l.tok != TOK_RBRACKET && r->l.tok != TOK_EOF) lex_next(&r->l);
        lex_next(&r->l);
        m = array ? named("Array") : object();
    }
    return m;
}

static bool same(Meta x, Meta y)
{
    return x.kind == y.kind && x.name == y.name && x.ref == y.ref;
}

static Meta read_type(TypeReader *r)
{
    if (++r->depth > TYPE_DEPTH_MAX) return object();
    if (r->l.tok == TOK_OR || r->l.tok == TOK_AND) lex_next(&r->l);
    Meta m = postfix_type(r);
    while (r->l.tok == TOK_OR || r->l.tok == TOK_AND) {
        lex_next(&r->l);
        Meta next = postfix_type(r);
        /* null and undefined do not count in a union */
        if (m.kind == META_NONE)
            m = next;
        else if (next.kind != META_NONE && !same(m, next))
            m = object();
    }
    if (r->l.tok == TOK_EXTENDS || r->l.tok == TOK_IS)
        m = r->l.tok == TOK_IS ? named("Boolean") : object();
    r->depth--;
    return m;
}

/* The type that is written at `pos`; 0: none. */
static Meta type_at(DecoratorLower *l, u32 pos)
{
    if (!pos) return object();
    Log log;
    log_init(&log, l->scratch);
    TypeReader r = {0};
    lex_init(&r.l, l->ast->source, &log, l->scratch, l->ast->atoms);
    r.l.quiet = true;
    r.l.at = r.l.src + pos;
    lex_next(&r.l);
    return read_type(&r);
}

/* ---- Values ---- */

static bool is_known_type(DecoratorLower *l, Atom name)
{
    if (!l->has_types) {
        l->has_types = true;
        for (NodeId i = 1; i < l->ast->n_nodes; i++) {
            const Node *n = ast_node(l->ast, i);
            if (n->kind == NODE_TYPE_DECL) *id_map_put(l->scratch, &l->types, n->a, NULL) = 1;
        }
    }
    return l->types.len && id_map_find(&l->types, name);
}

static NodeId value_of(DecoratorLower *l, u32 pos, Meta m)
{
    Ast *t = l->ast;
    Atom object_name = intern(t->atoms, S("Object"));
    switch (m.kind) {
    case META_NONE: return mk_op(t, NODE_UNARY, TOK_VOID, pos, mk_num(t, pos, 0), 0);
    case META_NAME: return mk_ident(t, pos, intern(t->atoms, str_z(m.name)));
    case META_REF: break;
    default: return mk_ident(t, pos, object_name);
    }
    if (is_known_type(l, m.ref)) return mk_ident(t, pos, object_name);
    /* typeof X === "undefined" ? Object : X */
    NodeId type = mk_op(t, NODE_UNARY, TOK_TYPEOF, pos, mk_ident(t, pos, m.ref), 0);
    NodeId test =
        mk_op(t, NODE_BINARY, TOK_EQ_STRICT, pos, type, mk_str(t, pos, WORD_ATOM(TOK_UNDEFINED)));
    NodeId cond = mk(t, NODE_COND, pos, test, mk_ident(t, pos, object_name));
    NodeId ref = mk_ident(t, pos, m.ref);
    ast_node(t, cond)->c = ref;
    return cond;
}

static void push_metadata(DecoratorLower *l, u32 pos, const char *key, NodeId value, NodeVec *out)
{
    NodeId args[] = {mk_str(l->ast, pos, intern(l->ast->atoms, str_z(key))), value};
    NodeId callee = mk_ident(l->ast, pos, intern(l->ast->atoms, S("__cobMetadata")));
    vec_push(l->scratch, out, mk_call(l->ast, pos, callee, args, 2));
    l->w->helpers |= HELPER_METADATA;
}

static NodeId param_types(DecoratorLower *l, u32 pos, NodeId fn)
{
    NodeVec types = {0};
    ListId params = fn ? ast_node(l->ast, fn)->b : 0;
    for (u32 i = 0; i < ast_len(l->ast, params); i++) {
        const Node p = *ast_node(l->ast, ast_at(l->ast, params, i));
        u32 at = p.kind == NODE_PARAM ? p.c : 0;
        vec_push(l->scratch, &types, value_of(l, pos, type_at(l, at)));
    }
    return mk(l->ast, NODE_ARRAY, pos, ast_list(l->ast, types.at, types.len), 0);
}

static Meta return_type(DecoratorLower *l, const Node *fn)
{
    if (fn->flags & NF_ASYNC) return named("Promise");
    return fn->d ? type_at(l, fn->d) : (Meta){0};
}

/* What "design:type" of a field or accessor is. */
static Meta member_type(DecoratorLower *l, const Node *m)
{
    if (m->op == PROP_FIELD || m->op == PROP_ACCESSOR)
        return type_at(l, m->flags & NF_TYPED ? m->d : 0);
    const Node fn = *ast_node(l->ast, m->b);
    if (m->op == PROP_GET) return type_at(l, fn.d);
    if (!ast_len(l->ast, fn.b)) return object();
    const Node p = *ast_node(l->ast, ast_at(l->ast, fn.b, 0));
    return type_at(l, p.kind == NODE_PARAM ? p.c : 0);
}

void metadata_of_member(DecoratorLower *l, NodeId member, NodeVec *out)
{
    const Node m = *ast_node(l->ast, member);
    if (m.op != PROP_METHOD) {
        push_metadata(l, m.pos, "design:type", value_of(l, m.pos, member_type(l, &m)), out);
        if (m.op == PROP_GET || m.op == PROP_SET) {
            push_metadata(l, m.pos, "design:paramtypes", param_types(l, m.pos, m.b), out);
        }
        return;
    }
    const Node fn = *ast_node(l->ast, m.b);
    NodeId function = mk_ident(l->ast, m.pos, intern(l->ast->atoms, S("Function")));
    push_metadata(l, m.pos, "design:type", function, out);
    push_metadata(l, m.pos, "design:paramtypes", param_types(l, m.pos, m.b), out);
    push_metadata(l, m.pos, "design:returntype", value_of(l, m.pos, return_type(l, &fn)), out);
}

void metadata_of_class(DecoratorLower *l, NodeId ctor, NodeVec *out)
{
    if (!ctor) return;
    const Node m = *ast_node(l->ast, ctor);
    push_metadata(l, m.pos, "design:paramtypes", param_types(l, m.pos, m.b), out);
}

/* ---- Imports that only metadata uses ---- */

static void note_type(DecoratorLower *l, u32 pos, IdMap *names)
{
    Meta m = type_at(l, pos);
    if (m.kind == META_REF) *id_map_put(l->scratch, names, m.ref, NULL) = 1;
}

void metadata_note(Lowering *w)
{
    if (!w->ast->has_decorators || !w->opt->legacy_decorators || !w->opt->emit_metadata) return;
    AUTO(Scratch) s = scratch_begin(w->arena);
    DecoratorLower l = {.w = w, .ast = w->ast, .scratch = s.arena};
    IdMap names = {0};
    for (NodeId i = 1; i < w->ast->n_nodes; i++) {
        const Node n = *ast_node(w->ast, i);
        if (n.kind == NODE_PARAM && n.c) note_type(&l, n.c, &names);
        if (n.kind == NODE_MEMBER && (n.flags & NF_TYPED) && n.c) note_type(&l, n.d, &names);
        if (n.kind == NODE_FUNC && (n.flags & NF_METHOD) && n.d) note_type(&l, n.d, &names);
    }
    for (SymbolId id = 1; id < w->bindings->symbols.len && names.len; id++) {
        Symbol *sym = symbol_get(w->bindings, id);
        if (sym->kind == SYM_IMPORT && id_map_find(&names, sym->name)) sym->n_refs++;
    }
}
