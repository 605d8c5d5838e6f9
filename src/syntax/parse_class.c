/* syntax/parse_class.c -- classes, their members, decorators and private names. */
#include "syntax/edits.h"
#include "syntax/parser.h"

enum { PRIVATE_STATIC = 16 };

void use_private(Parser *p, Atom name, u32 pos)
{
    vec_push(p->arena, &p->private_uses, (PrivateUse){name, pos});
}

/* At the end of a class: what it does not declare is left for the classes around it. */
void resolve_private(Parser *p, ClassScope *c)
{
    u32 kept = c->uses_from;
    for (u32 i = c->uses_from; i < p->private_uses.len; i++) {
        PrivateUse u = p->private_uses.at[i];
        if (c->declared.len && id_map_find(&c->declared, u.name)) continue;
        if (!c->outer) {
            early_error(p, u.pos, 1, "Private name \"#%.*s\" is not declared in an enclosing class",
                        STR_ARG(atom_str(p->l.atoms, u.name)));
            continue;
        }
        p->private_uses.at[kept++] = u;
    }
    p->private_uses.len = kept;
}

static void declare_private(Parser *p, ClassScope *c, Atom name, u32 pos, u32 kind)
{
    bool is_new;
    u64 *slot = id_map_put(p->arena, &c->declared, name, &is_new);
    u32 old = (u32)*slot;
    if (is_new) {
        *slot = kind;
        return;
    }
    u32 plain = (kind & ~(u32)PRIVATE_STATIC) - 1, plain_old = (old & ~(u32)PRIVATE_STATIC) - 1;
    bool pair = (plain == PROP_GET && plain_old == PROP_SET) ||
                (plain == PROP_SET && plain_old == PROP_GET);
    if (!pair || (kind & PRIVATE_STATIC) != (old & PRIVATE_STATIC)) {
        early_error(p, pos, 1, "Private name \"#%.*s\" is declared twice",
                    STR_ARG(atom_str(p->l.atoms, name)));
    }
    *slot = (PROP_METHOD + 1) | (kind & PRIVATE_STATIC); /* both halves are there */
}

/* ---- Decorators ---- */

static NodeId parse_decorator(Parser *p)
{
    u32 pos = POS(p);
    lex_next(&p->l); /* @ */
    p->ast->has_decorators = true;
    refuse(p, "decorators");
    if (TOKEN(p) == TOK_LPAREN) {
        p->arrow_at = 0;
        NodeId id = parse_paren(p, 0);
        /* TypeScript lets any left-hand side follow. */
        return p->ts ? parse_subscripts(p, id, pos, E_DECORATOR) : id;
    }
    p->arrow_at = 0;
    if (p->ts) return parse_subscripts(p, parse_primary(p, E_NO_CALL), pos, E_DECORATOR);
    NodeId id = parse_ident_ref(p);
    while (take(p, TOK_DOT)) {
        u32 at = POS(p);
        bool is_private = TOKEN(p) == TOK_PRIVATE;
        if (!is_private && !is_word(TOKEN(p))) return expected(p, "an identifier");
        Node n = {.kind = is_private ? NODE_DOT_PRIVATE : NODE_DOT, .pos = pos, .a = id};
        n.b = lex_atom(&p->l);
        n.c = at;
        if (is_private) use_private(p, n.b, at);
        lex_next(&p->l);
        id = ast_add(p->ast, n);
    }
    if (TOKEN(p) != TOK_LPAREN) return id;
    ListId args = parse_call_args(p);
    return node(p, NODE_CALL, pos, id, args);
}

ListId parse_decorators(Parser *p)
{
    u32 mark = list_begin(p);
    while (TOKEN(p) == TOK_AT) list_push(p, parse_decorator(p));
    return list_end(p, mark);
}

/* ---- Members ---- */

typedef struct {
    u32 pos, key_pos;
    ListId decorators;
    bool is_static, async, generator, get, set, accessor;
    bool declare, abstract; /* TypeScript */
    bool bad_modifier;      /* one that index signatures cannot have */
} MemberHead;

static bool is_modifier_word(const Parser *p, Tok t)
{
    switch (t) {
    case TOK_STATIC:
    case TOK_ASYNC:
    case TOK_GET:
    case TOK_SET:
    case TOK_ACCESSOR: return true;
    case TOK_DECLARE:
    case TOK_ABSTRACT:
    case TOK_OVERRIDE:
    case TOK_READONLY:
    case TOK_PUBLIC:
    case TOK_PRIVATE_WORD:
    case TOK_PROTECTED: return p->ts;
    default: return false;
    }
}

static bool is_js_modifier(Tok t)
{
    return t == TOK_STATIC || t == TOK_ASYNC || t == TOK_GET || t == TOK_SET || t == TOK_ACCESSOR;
}

/* Is the word at hand a modifier, judged by the token behind it? */
static bool acts_as_modifier(Tok t, Tok next, bool nl)
{
    if (t == TOK_STATIC) {
        return is_key_start(next) || next == TOK_STAR || next == TOK_LBRACE;
    }
    if (t == TOK_GET || t == TOK_SET) return is_key_start(next);
    if (nl) return false;
    if (t == TOK_ASYNC) return is_key_start(next) || next == TOK_STAR;
    if (t == TOK_ACCESSOR) return is_key_start(next);
    return is_key_start(next) || next == TOK_STAR;
}

static void set_modifier(MemberHead *h, Tok t)
{
    switch (t) {
    case TOK_STATIC: h->is_static = true; return;
    case TOK_ASYNC: h->async = true; return;
    case TOK_GET: h->get = true; return;
    case TOK_SET: h->set = true; return;
    case TOK_ACCESSOR: h->accessor = true; return;
    case TOK_DECLARE: h->declare = true; break;
    case TOK_ABSTRACT: h->abstract = true; break;
    case TOK_OVERRIDE: break;
    default: return;
    }
    h->bad_modifier = true;
}

static void parse_member_modifiers(Parser *p, MemberHead *h)
{
    for (;;) {
        Tok t = TOKEN(p);
        if (!is_modifier_word(p, t)) break;
        if (t == TOK_STATIC && h->is_static) break;
        bool nl;
        Tok next = peek(p, &nl);
        if (!acts_as_modifier(t, next, nl)) break;
        set_modifier(h, t);
        /* Where the member begins, a semicolon keeps its name off the member before. */
        if (!is_js_modifier(t)) erase_with(p, POS(p), p->l.tok_end, POS(p) == h->pos ? ";" : NULL);
        if (t == TOK_ACCESSOR) {
            refuse(p, "accessor");
            p->ast->has_accessors = true;
        }
        lex_next(&p->l);
        if (t == TOK_GET || t == TOK_SET || t == TOK_ASYNC) break;
    }
    if (TOKEN(p) == TOK_STAR && !h->get && !h->set && !h->accessor) {
        h->generator = true;
        lex_next(&p->l);
    }
}

static NodeId parse_static_block(Parser *p, u32 pos)
{
    u32 ctx = p->ctx;
    const LabelScope *labels = p->labels;
    p->labels = NULL;
    p->ctx = (ctx & ~(u32)CTX_FUNCTION_MASK) | CTX_SUPER_PROP | CTX_NEW_TARGET | CTX_STATIC_BLOCK;
    NodeId block = parse_block(p);
    p->ctx = ctx;
    p->labels = labels;
    Node n = {
        .kind = NODE_MEMBER, .op = PROP_STATIC_BLOCK, .flags = NF_STATIC, .pos = pos, .b = block};
    return ast_add(p->ast, n);
}

/* `[key: T]: U` in TypeScript. */
static bool skip_index_signature(Parser *p)
{
    if (!p->ts || TOKEN(p) != TOK_LBRACKET) return false;
    Lexer saved = p->l;
    p->l.quiet = true;
    lex_next(&p->l);
    bool is_index = is_name(TOKEN(p));
    if (is_index) {
        lex_next(&p->l);
        is_index = TOKEN(p) == TOK_COLON;
    }
    p->l = saved;
    if (!is_index) return false;
    lex_next(&p->l);
    lex_next(&p->l);
    skip_annotation(p);
    expect(p, TOK_RBRACKET);
    skip_annotation(p);
    expect_semicolon(p);
    return true;
}

static bool is_named(Parser *p, NodeId key, bool computed, Tok word)
{
    const Node *n = ast_node(p->ast, key);
    return !computed && (n->kind == NODE_IDENT || n->kind == NODE_STR) && n->a == WORD_ATOM(word);
}

static PropKind member_kind(const MemberHead *h, bool is_method)
{
    if (h->get) return PROP_GET;
    if (h->set) return PROP_SET;
    if (is_method) return PROP_METHOD;
    return h->accessor ? PROP_ACCESSOR : PROP_FIELD;
}

static void check_member_name(Parser *p, const MemberHead *h, NodeId key, bool computed,
                              PropKind kind)
{
    bool is_field = kind == PROP_FIELD || kind == PROP_ACCESSOR;
    const Node *k = ast_node(p->ast, key);
    if (k->kind == NODE_PRIVATE_NAME && k->a == WORD_ATOM(TOK_CONSTRUCTOR)) {
        early_error(p, h->key_pos, 12, "A private name cannot be \"#constructor\"");
    }
    if (is_field && is_named(p, key, computed, TOK_CONSTRUCTOR)) {
        early_error(p, h->key_pos, 11, "A class field cannot be named \"constructor\"");
    }
    if (h->is_static && is_named(p, key, computed, TOK_PROTOTYPE)) {
        early_error(p, h->key_pos, 9, "A static member cannot be named \"prototype\"");
    }
}

static u16 member_flags(const MemberHead *h, bool computed)
{
    return (u16)((h->is_static ? NF_STATIC : 0) | (computed ? NF_COMPUTED : 0) |
                 (h->declare || h->abstract ? NF_DECLARE : 0));
}

static bool is_modifier_name(Parser *p, NodeId key)
{
    const Node *n = ast_node(p->ast, key);
    return n->kind == NODE_IDENT && n->a <= ATOM_WORD_LAST && is_js_modifier(ATOM_WORD(n->a));
}

static NodeId parse_field(Parser *p, const MemberHead *h, NodeId key, bool computed)
{
    Node n = {.kind = NODE_MEMBER, .pos = h->pos, .a = key, .c = h->decorators};
    n.op = (u8)member_kind(h, false);
    n.flags = member_flags(h, computed);
    if (p->ts) {
        if (TOKEN(p) == TOK_COLON) {
            n.d = p->l.tok_end;
            n.flags |= NF_TYPED;
        }
        u32 colon = POS(p);
        bool typed = skip_annotation(p);
        /* `get: T` without the type would be taken for a modifier of the next member. */
        if (typed && !computed && TOKEN(p) != TOK_ASSIGN && is_modifier_name(p, key)) {
            if (p->strip && !p->type_depth) (void)vec_pop(&p->strip->edits);
            erase_with(p, colon, p->l.prev_end, ";");
        }
    }
    if (take(p, TOK_ASSIGN)) {
        u32 ctx = p->ctx;
        p->ctx =
            (ctx & ~(u32)CTX_FUNCTION_MASK) | CTX_SUPER_PROP | CTX_NEW_TARGET | CTX_NO_ARGUMENTS;
        n.b = parse_assign(p, 0);
        p->ctx = ctx;
    }
    expect_semicolon(p);
    if (h->declare || h->abstract) return 0;
    return ast_add(p->ast, n);
}

static void check_accessor(Parser *p, const MemberHead *h, NodeId fn)
{
    const Node *f = ast_node(p->ast, fn);
    u32 n = ast_len(p->ast, f->b);
    if (h->get && n) early_error(p, h->key_pos, 1, "A getter has no parameters");
    if (!h->set) return;
    NodeId param = n ? ast_at(p->ast, f->b, 0) : 0;
    if (n != 1 || KIND(p, param) == NODE_REST) {
        early_error(p, h->key_pos, 1, "A setter has exactly one parameter");
    }
}

static NodeId parse_class_method(Parser *p, const MemberHead *h, NodeId key, bool computed,
                                 bool is_ctor)
{
    u32 ctx = p->ctx & ~(u32)CTX_FUNCTION_MASK;
    ctx |= CTX_FUNCTION | CTX_SUPER_PROP | CTX_NEW_TARGET;
    if (h->async) ctx |= CTX_ASYNC;
    if (h->generator) ctx |= CTX_GENERATOR;
    if (is_ctor && has_ctx(p, CTX_DERIVED)) ctx |= CTX_SUPER_CALL;
    u16 flags = (u16)(NF_METHOD | (h->async ? NF_ASYNC : 0) | (h->generator ? NF_GENERATOR : 0));
    p->ctor_params = is_ctor;
    NodeId fn = parse_method(p, flags, ctx & ~(u32)CTX_DERIVED);
    p->ctor_params = false;
    if (p->l.dead) return 0;
    check_accessor(p, h, fn);
    if (ast_node(p->ast, fn)->flags & NF_DECLARE) return 0; /* overload or abstract */
    Node n = {.kind = NODE_MEMBER, .pos = h->pos, .a = key, .b = fn, .c = h->decorators};
    n.op = (u8)member_kind(h, true);
    n.flags = member_flags(h, computed);
    return ast_add(p->ast, n);
}

/* Kind of the member read last, for the check that there is one constructor. */
static bool is_ctor_member(Parser *p, const MemberHead *h, NodeId key, bool computed)
{
    return !h->is_static && is_named(p, key, computed, TOK_CONSTRUCTOR);
}

/* `?` or `!` behind a member's name. */
static void take_mark(Parser *p)
{
    erase(p, POS(p), POS(p) + 1);
    lex_next(&p->l);
}

static void declare_member(Parser *p, ClassScope *c, const MemberHead *h, NodeId key, PropKind kind)
{
    Atom name = ast_node(p->ast, key)->a;
    declare_private(p, c, name, h->key_pos, (kind + 1u) | (h->is_static ? PRIVATE_STATIC : 0u));
}

/* A method; its key was read. */
static NodeId finish_method(Parser *p, ClassScope *c, const MemberHead *h, NodeId key,
                            bool computed)
{
    bool is_ctor = is_ctor_member(p, h, key, computed);
    if (is_ctor && (h->get || h->set || h->async || h->generator)) {
        early_error(p, h->key_pos, 11,
                    "A constructor cannot be a getter, setter, generator or async");
    }
    if (h->declare) early_error(p, h->key_pos, 1, "\"declare\" is only allowed on fields");
    if (h->accessor) early_error(p, h->key_pos, 1, "\"accessor\" is only allowed on fields");
    if (is_ctor && h->decorators) early_error(p, h->pos, 1, "A constructor cannot have decorators");
    NodeId id = parse_class_method(p, h, key, computed, is_ctor);
    if (id && KIND(p, key) == NODE_PRIVATE_NAME) declare_member(p, c, h, key, member_kind(h, true));
    return id;
}

static NodeId parse_keyed_member(Parser *p, ClassScope *c, MemberHead *h)
{
    h->key_pos = POS(p);
    bool computed;
    NodeId key = parse_prop_key(p, &computed);
    if (p->l.dead) return 0;
    bool mark = TOKEN(p) == TOK_QUESTION || (TOKEN(p) == TOK_NOT && !p->l.nl);
    if (p->ts && mark) take_mark(p);
    bool is_method = TOKEN(p) == TOK_LPAREN || (p->ts && TOKEN(p) == TOK_LT);
    PropKind kind = member_kind(h, is_method);
    check_member_name(p, h, key, computed, kind);
    if (is_method) return finish_method(p, c, h, key, computed);
    if (h->get || h->set || h->async || h->generator) return expected(p, "\"(\"");
    if (KIND(p, key) == NODE_PRIVATE_NAME) declare_member(p, c, h, key, kind);
    return parse_field(p, h, key, computed);
}

NodeId parse_member(Parser *p, ClassScope *c)
{
    MemberHead h = {.pos = POS(p)};
    if (TOKEN(p) == TOK_AT) h.decorators = parse_decorators(p);
    parse_member_modifiers(p, &h);
    if (h.is_static && TOKEN(p) == TOK_LBRACE && !h.generator) {
        if (h.decorators) early_error(p, h.pos, 1, "A static block cannot have decorators");
        return parse_static_block(p, h.pos);
    }
    bool plain = !h.get && !h.set && !h.async && !h.generator;
    if (!plain || !skip_index_signature(p)) return parse_keyed_member(p, c, &h);
    if (h.bad_modifier) {
        early_error(p, h.pos, 1, "An index signature cannot have this modifier");
    }
    return 0;
}

/* ---- Classes ---- */

static bool is_constructor(Parser *p, NodeId member)
{
    const Node *n = ast_node(p->ast, member);
    return n->kind == NODE_MEMBER && n->op == PROP_METHOD && !(n->flags & NF_STATIC) &&
           is_named(p, n->a, n->flags & NF_COMPUTED, TOK_CONSTRUCTOR);
}

static ListId parse_class_body(Parser *p)
{
    u32 mark = list_begin(p);
    ClassScope scope = {.outer = p->classes, .uses_from = p->private_uses.len};
    p->classes = &scope;
    bool has_ctor = false;
    expect(p, TOK_LBRACE);
    while (TOKEN(p) != TOK_RBRACE && TOKEN(p) != TOK_EOF) {
        if (take(p, TOK_SEMI)) continue;
        u32 pos = POS(p), n_edits = edit_mark(p);
        NodeId member = parse_member(p, &scope);
        if (p->strip && !member && !p->l.dead) {
            p->strip->edits.len = n_edits;
            erase_with(p, pos, p->l.prev_end, ";");
        }
        if (!member || p->l.dead) continue;
        if (is_constructor(p, member)) {
            if (has_ctor) early_error(p, pos, 11, "A class may have only one constructor");
            has_ctor = true;
        }
        list_push(p, member);
    }
    resolve_private(p, &scope);
    p->classes = scope.outer;
    expect(p, TOK_RBRACE);
    return list_end(p, mark);
}

/* extends and implements.  Returns the superclass or 0. */
static NodeId parse_heritage(Parser *p)
{
    NodeId super = 0;
    bool implements = false;
    for (;;) {
        if (TOKEN(p) == TOK_EXTENDS && !super && !implements) {
            lex_next(&p->l);
            p->arrow_at = 0;
            super = parse_lhs(p, 0);
            if (p->ts && (TOKEN(p) == TOK_LT || TOKEN(p) == TOK_SHL)) skip_type_args(p);
            p->ctx |= CTX_DERIVED;
        } else if (p->ts && TOKEN(p) == TOK_IMPLEMENTS && !implements) {
            implements = true;
            skip_implements(p);
        } else {
            return super;
        }
    }
}

NodeId parse_class(Parser *p, u32 pos, bool is_expr, ListId decorators)
{
    if (!enter(p)) return 0;
    u32 ctx = p->ctx;
    lex_next(&p->l);
    p->ctx = (ctx | CTX_STRICT) & ~(u32)CTX_DERIVED;
    NodeId name = 0;
    bool takes_name = is_name(TOKEN(p)) && !(p->ts && TOKEN(p) == TOK_IMPLEMENTS);
    if (takes_name) name = parse_binding_ident(p);
    (void)is_expr;
    if (p->ts && TOKEN(p) == TOK_LT) skip_type_params(p);
    NodeId super = parse_heritage(p);
    ListId members = parse_class_body(p);
    p->ctx = ctx;
    leave(p);
    Node n = {.kind = NODE_CLASS, .pos = pos, .a = name, .b = super, .c = members, .d = decorators};
    return ast_add(p->ast, n);
}
