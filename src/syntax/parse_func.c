/* syntax/parse_func.c -- functions, methods, arrow functions and their parameters. */
#include "syntax/edits.h"
#include "syntax/parser.h"

bool is_simple_params(Parser *p, ListId params)
{
    for (u32 i = 0; i < ast_len(p->ast, params); i++) {
        NodeId id = ast_at(p->ast, params, i);
        if (KIND(p, id) == NODE_PARAM) id = ast_node(p->ast, id)->a;
        if (KIND(p, id) != NODE_IDENT) return false;
    }
    return true;
}

typedef struct {
    Parser *p;
    Arena *arena;
    Atom few[16]; /* the first names, the others are in `more` */
    u32 n;
    IdMap more;
    bool unique, strict;
} ParamCheck;

/* False when it was there before. */
static bool note_param(ParamCheck *c, Atom name)
{
    for (u32 i = 0; i < MIN(c->n, (u32)COUNT(c->few)); i++)
        if (c->few[i] == name) return false;
    if (c->n < COUNT(c->few)) {
        c->few[c->n++] = name;
        return true;
    }
    bool is_new;
    *id_map_put(c->arena, &c->more, name, &is_new) = 1;
    return is_new;
}

static void check_param(ParamCheck *c, NodeId id)
{
    Parser *p = c->p;
    const Node *n = ast_node(p->ast, id);
    u32 list = n->a;
    switch (n->kind) {
    case NODE_IDENT: {
        bool is_new = note_param(c, n->a);
        if (!is_new && (c->unique || c->strict)) {
            early_error(p, n->pos, 1, "Parameter \"%.*s\" is declared twice",
                        STR_ARG(atom_str(p->l.atoms, n->a)));
        } else if (!is_new) {
            strict_error(p, n->pos, 1, "Duplicate parameter");
        }
        if (c->strict) check_reserved(p, n->a, n->pos, 1, true);
        break;
    }
    case NODE_ARRAY_PAT:
    case NODE_OBJECT_PAT:
        for (u32 i = 0; i < ast_len(p->ast, list); i++) check_param(c, ast_at(p->ast, list, i));
        break;
    case NODE_PROP: check_param(c, n->b); break;
    case NODE_ASSIGN_PAT:
    case NODE_REST:
    case NODE_PARAM: check_param(c, n->a); break;
    default: break;
    }
}

void check_params(Parser *p, ListId params, bool unique, bool strict)
{
    u32 n = ast_len(p->ast, params);
    if (!n || p->l.dead) return;
    if (n == 1 && !strict && KIND(p, ast_at(p->ast, params, 0)) == NODE_IDENT) return;
    AUTO(Scratch) s = scratch_begin(p->arena);
    ParamCheck c = {.p = p, .arena = s.arena, .unique = unique, .strict = strict};
    for (u32 i = 0; i < n; i++) check_param(&c, ast_at(p->ast, params, i));
}

/* ---- Parameters ---- */

/* TypeScript's modifiers before a constructor's parameter.  True when there were any. */
static bool take_param_modifiers(Parser *p)
{
    bool any = false;
    for (;;) {
        switch (TOKEN(p)) {
        case TOK_PUBLIC:
        case TOK_PRIVATE_WORD:
        case TOK_PROTECTED:
        case TOK_READONLY:
        case TOK_OVERRIDE: {
            Tok next = peek(p, NULL);
            if (!is_word(next) && next != TOK_LBRACE && next != TOK_LBRACKET) return any;
            lex_next(&p->l);
            any = true;
            continue;
        }
        default: return any;
        }
    }
}

/* What stands before a parameter's name. */
typedef struct {
    u32 pos, at; /* of the whole, of the name or dots */
    ListId decorators;
    bool property, rest;
} ParamHead;

static ParamHead parse_param_head(Parser *p)
{
    ParamHead h = {.pos = POS(p)};
    if (TOKEN(p) == TOK_AT && p->ts) h.decorators = parse_decorators(p);
    h.property = p->ts && take_param_modifiers(p);
    if (h.property) refuse(p, "parameter property");
    if (h.property && !p->ctor_params) {
        early_error(p, h.pos, 1, "A parameter property is only allowed in a constructor");
    }
    h.at = POS(p);
    h.rest = take(p, TOK_ELLIPSIS);
    return h;
}

static void take_optional_mark(Parser *p)
{
    if (TOKEN(p) != TOK_QUESTION) return;
    erase(p, POS(p), POS(p) + 1);
    lex_next(&p->l);
}

/* `this: T,` is erased with its comma. */
static NodeId skip_this_param(Parser *p, const ParamHead *h)
{
    if (h->property || h->decorators || h->rest) return unexpected(p);
    p->type_depth++;
    lex_next(&p->l);
    take_optional_mark(p);
    skip_annotation(p);
    p->type_depth--;
    erase(p, h->at, TOKEN(p) == TOK_COMMA ? p->l.tok_end : p->l.prev_end);
    return 0;
}

/* A parameter with its annotations.  0: TypeScript's `this`. */
static NodeId parse_param(Parser *p)
{
    ParamHead h = parse_param_head(p);
    if (p->ts && TOKEN(p) == TOK_THIS) return skip_this_param(p, &h);
    u32 type_pos = 0;
    NodeId target = parse_binding(p);
    if (p->ts) {
        take_optional_mark(p);
        if (TOKEN(p) == TOK_COLON) type_pos = p->l.tok_end;
        skip_annotation(p);
    }
    if (TOKEN(p) == TOK_ASSIGN) {
        if (h.rest) return lex_error(&p->l, POS(p), 1, "A rest parameter cannot have a default");
        lex_next(&p->l);
        target = node(p, NODE_ASSIGN_PAT, h.at, target, parse_assign(p, 0));
    }
    if (h.rest) target = node(p, NODE_REST, h.at, target, 0);
    bool keep_type = type_pos && p->opt->keep_param_types;
    if (!h.property && !h.decorators && !keep_type) return target;
    NodeKind kind = KIND(p, target);
    if (h.property && kind != NODE_IDENT && kind != NODE_ASSIGN_PAT) {
        early_error(p, h.pos, 1, "A parameter property cannot be a pattern or a rest parameter");
    }
    Node n = {.kind = NODE_PARAM, .pos = h.pos, .a = target, .b = h.decorators, .c = type_pos};
    n.flags = (u16)((h.property ? NF_PROPERTY : 0) | (type_pos ? NF_TYPED : 0));
    return ast_add(p->ast, n);
}

static ListId parse_params(Parser *p)
{
    u32 mark = list_begin(p), ctx = p->ctx;
    bool is_ctor = p->ctor_params;
    p->ctx |= CTX_PARAMS;
    expect(p, TOK_LPAREN);
    while (TOKEN(p) != TOK_RPAREN && TOKEN(p) != TOK_EOF) {
        p->ctor_params = is_ctor;
        NodeId param = parse_param(p);
        if (param) list_push(p, param);
        if (TOKEN(p) == TOK_RPAREN) break;
        NodeKind kind = param ? KIND(p, param) : NODE_NONE;
        if (kind == NODE_REST && TOKEN(p) == TOK_COMMA && !has_ctx(p, CTX_AMBIENT)) {
            lex_error(&p->l, POS(p), 1, "A rest parameter must be the last one");
            break;
        }
        if (!expect(p, TOK_COMMA)) break;
    }
    expect(p, TOK_RPAREN);
    p->ctor_params = false;
    p->ctx = ctx | (p->ctx & CTX_STRICT);
    return list_end(p, mark);
}

/* ---- Bodies ---- */

/* The directives at the start of the body.  True when "use strict" is among them. */
static bool scan_directives(Parser *p, u32 *ret_legacy_at)
{
    *ret_legacy_at = 0;
    if (TOKEN(p) != TOK_STR) return false;
    Lexer saved = p->l;
    bool strict = false;
    p->l.quiet = true;
    while (TOKEN(p) == TOK_STR) {
        bool is_use_strict = p->l.tok_end - POS(p) == 12 && str_eq(p->l.str, S("use strict"));
        u32 legacy = p->l.legacy_octal ? POS(p) + 1 : 0;
        lex_next(&p->l);
        Tok t = TOKEN(p);
        if (t != TOK_SEMI && t != TOK_RBRACE && t != TOK_EOF && !p->l.nl) break;
        take(p, TOK_SEMI);
        strict |= is_use_strict;
        if (legacy && !*ret_legacy_at) *ret_legacy_at = legacy;
    }
    p->l = saved;
    return strict;
}

ListId parse_function_body(Parser *p, ListId params, bool simple, bool unique, NodeId name)
{
    const LabelScope *labels = p->labels;
    p->labels = NULL;
    expect(p, TOK_LBRACE);
    u32 legacy_at;
    bool strict = scan_directives(p, &legacy_at);
    if (strict) {
        if (!simple) {
            early_error(p, POS(p), 12, "\"use strict\" is not allowed with non-simple parameters");
        }
        p->ctx |= CTX_STRICT;
        if (legacy_at) {
            early_error(p, legacy_at - 1, 1, "Octal escapes are not allowed in strict mode");
        }
        if (name)
            check_reserved(p, ast_node(p->ast, name)->a, ast_node(p->ast, name)->pos, 1, true);
    }
    check_params(p, params, unique || !simple, has_ctx(p, CTX_STRICT));
    ListId body = parse_block_body(p);
    expect(p, TOK_RBRACE);
    p->labels = labels;
    return body;
}

/* From `(`; p->ctx is the function's.  An overload or ambient signature has no body: 0. */
static NodeId finish_function(Parser *p, Node n, bool unique)
{
    if (!enter(p)) return 0;
    u32 await_at = p->await_at, yield_at = p->yield_at, await_name_at = p->await_name_at;
    if (p->ts && TOKEN(p) == TOK_LT) skip_type_params(p);
    n.b = parse_params(p);
    if (p->ts && TOKEN(p) == TOK_COLON) {
        n.d = p->l.tok_end;
        lex_next(&p->l);
        skip_return_type(p);
    }
    leave(p);
    bool simple = is_simple_params(p, n.b);
    if (p->ts && TOKEN(p) != TOK_LBRACE) {
        expect_semicolon(p);
        n.flags |= NF_DECLARE;
        return p->l.dead ? 0 : ast_add(p->ast, n);
    }
    if (!enter(p)) return 0;
    n.c = parse_function_body(p, n.b, simple, unique, n.a);
    leave(p);
    p->await_at = await_at;
    p->yield_at = yield_at;
    p->await_name_at = await_name_at;
    if (simple) n.flags |= NF_SIMPLE;
    if (has_ctx(p, CTX_STRICT)) n.flags |= NF_STRICT;
    return ast_add(p->ast, n);
}

NodeId parse_function(Parser *p, u32 pos, bool async, bool is_expr)
{
    u32 ctx = p->ctx, arrow_at = p->arrow_at;
    lex_next(&p->l);
    bool generator = take(p, TOK_STAR);
    u32 inner = (ctx & ~(u32)CTX_FUNCTION_MASK) | CTX_FUNCTION | CTX_NEW_TARGET;
    if (async) inner |= CTX_ASYNC;
    if (generator) inner |= CTX_GENERATOR;
    NodeId name = 0;
    /* An expression's name is bound inside it, a declaration's outside. */
    if (is_expr) p->ctx = inner;
    if (is_name(TOKEN(p))) name = parse_binding_ident(p);
    p->ctx = inner;
    Node n = {.kind = NODE_FUNC, .pos = pos, .a = name};
    n.flags = (u16)((async ? NF_ASYNC : 0) | (generator ? NF_GENERATOR : 0));
    NodeId id = finish_function(p, n, false);
    p->ctx = ctx;
    p->arrow_at = arrow_at;
    if (is_expr && !p->l.dead && (ast_node(p->ast, id)->flags & NF_DECLARE)) {
        return expected(p, "\"{\"");
    }
    return id;
}

NodeId parse_method(Parser *p, u16 flags, u32 ctx)
{
    u32 outer = p->ctx;
    p->ctx = ctx;
    Node n = {.kind = NODE_FUNC, .pos = POS(p), .flags = flags};
    NodeId id = finish_function(p, n, true);
    p->ctx = outer;
    return id;
}

/* ---- Arrow functions ---- */

NodeId parse_arrow(Parser *p, u32 pos, ListId params, bool async, u32 flags)
{
    if (p->l.nl && TOKEN(p) == TOK_ARROW) {
        lex_error(&p->l, POS(p), 2, "A line break is not allowed before \"=>\"");
        return 0;
    }
    if (!expect(p, TOK_ARROW) || !enter(p)) return 0;
    u32 ctx = p->ctx;
    u32 keep = CTX_SUPER_CALL | CTX_SUPER_PROP | CTX_NEW_TARGET | CTX_NO_ARGUMENTS;
    u32 inner = (ctx & ~(u32)CTX_FUNCTION_MASK) | (ctx & keep) | CTX_FUNCTION;
    if (ctx & CTX_STATIC_BLOCK) inner |= CTX_NO_ARGUMENTS;
    if (async) inner |= CTX_ASYNC;
    p->ctx = inner;
    Node n = {.kind = NODE_ARROW, .pos = pos, .b = params, .flags = async ? NF_ASYNC : 0};
    bool simple = is_simple_params(p, params);
    if (TOKEN(p) == TOK_LBRACE) {
        n.c = parse_function_body(p, params, simple, true, 0);
    } else {
        check_params(p, params, true, has_ctx(p, CTX_STRICT));
        n.a = parse_assign(p, flags & (E_NO_IN | E_COND_MIDDLE));
    }
    if (simple) n.flags |= NF_SIMPLE;
    if (has_ctx(p, CTX_STRICT)) n.flags |= NF_STRICT;
    n.d = p->l.prev_end;
    p->ctx = ctx;
    p->arrow_at = 0;
    leave(p);
    return ast_add(p->ast, n);
}

NodeId parse_arrow_ident(Parser *p, u32 pos, bool async, u32 flags)
{
    u32 ctx = p->ctx, mark = list_begin(p);
    if (async) p->ctx |= CTX_ASYNC;
    /* An async arrow function around may not take it as a parameter's name. */
    bool is_await = TOKEN(p) == TOK_AWAIT || (p->l.escaped && str_eq(p->l.str, S("await")));
    if (is_await && !p->await_name_at) p->await_name_at = POS(p) + 1;
    list_push(p, parse_binding_ident(p));
    p->ctx = ctx;
    return parse_arrow(p, pos, list_end(p, mark), async, flags);
}
