/* syntax/parse_ts.c -- TypeScript's declarations, and `<` in front of expressions. */
#include "syntax/edits.h"
#include "syntax/parser.h"

/* Drops the nodes made since: what was parsed leaves nothing at run time. */
typedef struct {
    u32 n_nodes, n_extra;
} NodeMark;

static NodeMark mark_nodes(const Parser *p)
{
    return (NodeMark){p->ast->n_nodes, p->ast->n_extra};
}

static void drop_nodes(Parser *p, NodeMark m)
{
    p->ast->n_nodes = m.n_nodes;
    p->ast->n_extra = m.n_extra;
}

/* ---- Types ---- */

/* `extends A, B<T>`; the parser of TypeScript takes any expression here. */
static void skip_interface_heritage(Parser *p)
{
    if (peek(p, NULL) != TOK_LPAREN) {
        (void)skip_implements(p);
        return;
    }
    NodeMark m = mark_nodes(p);
    do {
        lex_next(&p->l);
        p->arrow_at = 0;
        (void)parse_lhs(p, E_NO_CALL);
    } while (TOKEN(p) == TOK_COMMA);
    drop_nodes(p, m);
}

/* The keyword was taken. */
NodeId parse_interface(Parser *p, u32 pos)
{
    if (!is_name(TOKEN(p))) return expected(p, "a name for the interface");
    Atom name = lex_atom(&p->l);
    lex_next(&p->l);
    if (TOKEN(p) == TOK_LT) skip_type_params(p);
    if (TOKEN(p) == TOK_EXTENDS) skip_interface_heritage(p);
    if (TOKEN(p) == TOK_IMPLEMENTS) (void)skip_implements(p);
    if (TOKEN(p) != TOK_LBRACE) return expected(p, "\"{\"");
    skip_type_members(p);
    return node(p, NODE_TYPE_DECL, pos, name, 0);
}

NodeId parse_type_alias(Parser *p, u32 pos)
{
    Atom name = lex_atom(&p->l);
    lex_next(&p->l);
    if (TOKEN(p) == TOK_LT) skip_type_params(p);
    if (!expect(p, TOK_ASSIGN)) return 0;
    skip_type(p);
    expect_semicolon(p);
    return node(p, NODE_TYPE_DECL, pos, name, 0);
}

/* ---- Enums ---- */

static NodeId parse_enum_member(Parser *p)
{
    u32 pos = POS(p);
    NodeId key;
    if (TOKEN(p) == TOK_LBRACKET) {
        lex_next(&p->l);
        if (TOKEN(p) == TOK_TEMPLATE) return expected(p, "a string");
        key = parse_string(p);
        expect(p, TOK_RBRACKET);
    } else if (TOKEN(p) == TOK_STR) {
        key = parse_string(p);
    } else if (is_word(TOKEN(p))) {
        key = node(p, NODE_IDENT, pos, lex_atom(&p->l), 0);
        lex_next(&p->l);
    } else {
        return expected(p, "the name of an enum member");
    }
    NodeId init = take(p, TOK_ASSIGN) ? parse_assign(p, 0) : 0;
    return node(p, NODE_ENUM_MEMBER, pos, key, init);
}

/* The current token is `enum`. */
NodeId parse_enum(Parser *p, u32 pos, bool is_const)
{
    lex_next(&p->l);
    NodeId name = parse_binding_ident(p);
    u32 mark = list_begin(p);
    expect(p, TOK_LBRACE);
    while (TOKEN(p) != TOK_RBRACE && TOKEN(p) != TOK_EOF) {
        list_push(p, parse_enum_member(p));
        if (TOKEN(p) != TOK_RBRACE && !expect(p, TOK_COMMA)) break;
    }
    expect(p, TOK_RBRACE);
    NodeId id = node(p, NODE_ENUM, pos, name, list_end(p, mark));
    if (is_const) ast_node(p->ast, id)->flags = NF_CONST;
    return id;
}

/* ---- Namespaces ---- */

/* Does this statement of a namespace exist at run time? */
static bool is_runtime(Parser *p, NodeId id)
{
    const Node *n = ast_node(p->ast, id);
    if (n->kind == NODE_EXPORT_DECL) n = ast_node(p->ast, n->a);
    if (n->kind == NODE_TYPE_DECL) return false;
    return n->kind != NODE_IMPORT_EQUALS || (n->flags & NF_EXPORTED);
}

static ListId parse_namespace_body(Parser *p, bool *ret_runtime)
{
    u32 ctx = p->ctx, mark = list_begin(p);
    const LabelScope *labels = p->labels;
    p->labels = NULL;
    p->ctx = (ctx & ~(u32)CTX_FUNCTION_MASK) | CTX_NAMESPACE;
    expect(p, TOK_LBRACE);
    bool outer_ambient = p->ambient_value;
    p->ambient_value = false;
    *ret_runtime = false;
    while (TOKEN(p) != TOK_RBRACE && TOKEN(p) != TOK_EOF) {
        NodeId stmt = parse_statement(p, STMT_LIST);
        if (!stmt) continue;
        list_push(p, stmt);
        if (!p->l.dead) *ret_runtime |= is_runtime(p, stmt);
    }
    expect(p, TOK_RBRACE);
    *ret_runtime |= p->ambient_value;
    p->ambient_value = outer_ambient;
    p->ctx = ctx;
    p->labels = labels;
    return list_end(p, mark);
}

/* The keyword was taken; `A.B.C { ... }` are namespaces in each other. */
NodeId parse_namespace(Parser *p, u32 pos)
{
    if (!enter(p)) return 0;
    NodeId name = parse_binding_ident(p);
    bool runtime = false;
    ListId body;
    if (take(p, TOK_DOT)) {
        u32 at = POS(p), mark = list_begin(p);
        NodeId inner = parse_namespace(p, at);
        if (p->l.dead) return 0;
        Node *n = ast_node(p->ast, inner);
        runtime = n->kind == NODE_NAMESPACE;
        n->flags |= NF_EXPORTED;
        list_push(p, runtime ? node(p, NODE_EXPORT_DECL, at, inner, 0) : inner);
        body = list_end(p, mark);
    } else {
        body = parse_namespace_body(p, &runtime);
    }
    leave(p);
    if (p->l.dead) return 0;
    if (!runtime) return node(p, NODE_TYPE_DECL, pos, ast_node(p->ast, name)->a, 0);
    return node(p, NODE_NAMESPACE, pos, name, body);
}

/* ---- declare ---- */

static void skip_ambient_body(Parser *p)
{
    bool runtime;
    u32 exports_before = p->ctx;
    (void)parse_namespace_body(p, &runtime);
    p->ctx = exports_before;
}

static void parse_declared(Parser *p)
{
    u32 pos = POS(p);
    bool nl;
    Tok word = TOKEN(p);
    if (word == TOK_ABSTRACT || word == TOK_TYPE || word == TOK_INTERFACE || word == TOK_MODULE ||
        word == TOK_NAMESPACE) {
        (void)peek(p, &nl);
        if (nl) {
            expected(p, "a declaration on one line");
            return;
        }
    }
    switch (word) {
    case TOK_DECLARE:
        lex_next(&p->l);
        parse_declared(p);
        return;
    case TOK_GLOBAL:
        lex_next(&p->l);
        skip_ambient_body(p);
        return;
    case TOK_MODULE:
    case TOK_NAMESPACE:
        lex_next(&p->l);
        if (TOKEN(p) == TOK_STR) {
            lex_next(&p->l);
            if (TOKEN(p) == TOK_LBRACE)
                skip_ambient_body(p);
            else
                expect_semicolon(p);
            return;
        }
        (void)parse_namespace(p, pos);
        return;
    case TOK_ABSTRACT:
        lex_next(&p->l);
        if (TOKEN(p) != TOK_CLASS)
            expected(p, "\"class\"");
        else
            (void)parse_class(p, POS(p), false, 0);
        return;
    case TOK_ASYNC:
        if (peek(p, &nl) != TOK_FUNCTION || nl) break;
        lex_next(&p->l);
        (void)parse_function(p, pos, true, false);
        return;
    case TOK_FUNCTION: (void)parse_function(p, pos, false, false); return;
    case TOK_CLASS: (void)parse_class(p, pos, false, 0); return;
    case TOK_AT: {
        ListId d = parse_decorators(p);
        if (TOKEN(p) == TOK_ABSTRACT) lex_next(&p->l);
        (void)parse_class(p, pos, false, d);
        return;
    }
    case TOK_VAR:
    case TOK_LET:
    case TOK_CONST:
    case TOK_ENUM:
    case TOK_TYPE:
    case TOK_IMPORT:
    case TOK_EXPORT:
    case TOK_INTERFACE: (void)parse_statement(p, STMT_LIST); return;
    default: break;
    }
    unexpected(p);
}

/* `declare` was taken. */
NodeId parse_ts_declare(Parser *p, u32 pos, u32 where)
{
    (void)where;
    u32 ctx = p->ctx;
    NodeMark m = mark_nodes(p);
    p->ctx |= CTX_AMBIENT;
    Tok t = TOKEN(p);
    parse_declared(p);
    if (t != TOK_TYPE && t != TOK_INTERFACE) p->ambient_value = true;
    p->ctx = ctx | (p->ctx & CTX_STRICT);
    drop_nodes(p, m);
    (void)pos;
    return 0;
}

/* ---- import x = ... ---- */

/* The current token is `=`. */
NodeId parse_import_equals(Parser *p, u32 pos, NodeId local, bool type_only)
{
    if (!expect(p, TOK_ASSIGN)) return 0;
    NodeId value;
    if (TOKEN(p) == TOK_REQUIRE && peek(p, NULL) == TOK_LPAREN) {
        NodeId callee = parse_ident_ref(p);
        u32 mark = list_begin(p), at = p->l.pos;
        lex_next(&p->l);
        list_push(p, parse_string(p));
        expect(p, TOK_RPAREN);
        value = node(p, NODE_CALL, at, callee, list_end(p, mark));
    } else {
        u32 at = POS(p);
        value = parse_ident_ref(p);
        while (take(p, TOK_DOT)) {
            if (!is_word(TOKEN(p))) return expected(p, "an identifier");
            Node n = {.kind = NODE_DOT, .pos = at, .a = value, .b = lex_atom(&p->l), .c = POS(p)};
            lex_next(&p->l);
            value = ast_add(p->ast, n);
        }
    }
    expect_semicolon(p);
    if (p->l.dead) return 0;
    if (type_only) return node(p, NODE_TYPE_DECL, pos, ast_node(p->ast, local)->a, 0);
    return node(p, NODE_IMPORT_EQUALS, pos, local, value);
}

/* ---- Statements ---- */

/* May `t` follow `declare`? */
static bool is_declarable(Tok t)
{
    switch (t) {
    case TOK_VAR:
    case TOK_LET:
    case TOK_CONST:
    case TOK_FUNCTION:
    case TOK_CLASS:
    case TOK_ABSTRACT:
    case TOK_ENUM:
    case TOK_NAMESPACE:
    case TOK_MODULE:
    case TOK_GLOBAL:
    case TOK_TYPE:
    case TOK_INTERFACE:
    case TOK_ASYNC:
    case TOK_DECLARE:
    case TOK_IMPORT:
    case TOK_EXPORT:
    case TOK_AT: return true;
    default: return false;
    }
}

/* The word at hand begins a declaration, judged by the next token (on the same line). */
static bool begins_declaration(Parser *p, Tok word, Tok next)
{
    switch (word) {
    case TOK_TYPE:
    case TOK_INTERFACE: return is_name(next);
    case TOK_NAMESPACE: return is_name(next);
    case TOK_MODULE: return is_name(next) || next == TOK_STR;
    case TOK_DECLARE: return is_declarable(next);
    case TOK_ABSTRACT: return next == TOK_CLASS;
    case TOK_GLOBAL: return next == TOK_LBRACE && has_ctx(p, CTX_AMBIENT | CTX_NAMESPACE);
    default: return false;
    }
}

bool parse_ts_statement(Parser *p, u32 where, NodeId *ret)
{
    Tok word = TOKEN(p);
    if (word != TOK_TYPE && word != TOK_INTERFACE && word != TOK_NAMESPACE && word != TOK_MODULE &&
        word != TOK_DECLARE && word != TOK_ABSTRACT && word != TOK_GLOBAL) {
        return false;
    }
    bool nl;
    Tok next = peek(p, &nl);
    if (nl || !begins_declaration(p, word, next)) return false;
    u32 pos = POS(p);
    lex_next(&p->l);
    switch (word) {
    case TOK_TYPE: *ret = parse_type_alias(p, pos); break;
    case TOK_INTERFACE: *ret = parse_interface(p, pos); break;
    case TOK_ABSTRACT:
        erase(p, pos, p->l.prev_end);
        *ret = parse_statement(p, where);
        break;
    case TOK_DECLARE: *ret = parse_ts_declare(p, pos, where); break;
    case TOK_GLOBAL:
        skip_ambient_body(p);
        *ret = 0;
        break;
    default:
        if (TOKEN(p) == TOK_STR) {
            if (!has_ctx(p, CTX_AMBIENT)) {
                early_error(p, pos, 6, "Only \"declare module\" can name a module with a string");
            }
            NodeMark m = mark_nodes(p);
            lex_next(&p->l);
            skip_ambient_body(p);
            drop_nodes(p, m);
            *ret = 0;
        } else {
            *ret = parse_namespace(p, pos);
        }
    }
    return true;
}

/* ---- `<` in expressions ---- */

bool is_tsx_arrow(Parser *p)
{
    Lexer saved = p->l;
    p->l.quiet = true;
    lex_next(&p->l);
    bool ok = false;
    if (TOKEN(p) == TOK_CONST) {
        ok = true;
    } else if (is_name(TOKEN(p))) {
        lex_next(&p->l);
        if (TOKEN(p) == TOK_COMMA || TOKEN(p) == TOK_ASSIGN) ok = TOKEN(p) == TOK_COMMA;
        if (TOKEN(p) == TOK_EXTENDS) {
            lex_next(&p->l);
            ok = TOKEN(p) != TOK_ASSIGN && TOKEN(p) != TOK_GT && TOKEN(p) != TOK_SLASH;
        }
    }
    p->l = saved;
    return ok;
}

/* <T>(...) => ...; 0 when it is not one. */
static NodeId try_generic_arrow(Parser *p, u32 flags)
{
    u32 pos = POS(p);
    if (p->not_arrow.len && id_map_find(&p->not_arrow, (u64)pos + 1)) return 0;
    bool may_arrow = p->arrow_at == pos + 1;
    Snapshot s = snapshot(p);
    p->l.quiet = true;
    if (may_arrow) {
        skip_type_params(p);
        if (!p->l.dead && TOKEN(p) == TOK_LPAREN) {
            p->arrow_at = POS(p) + 1;
            keep_paren_on_line(p, pos);
            bool quiet = p->jsx ? false : true; /* in .tsx it can be nothing else */
            p->l.quiet = quiet || s.l.quiet;
            NodeId id = parse_paren(p, flags);
            p->l.quiet = s.l.quiet;
            if (!p->l.dead && KIND(p, id) == NODE_ARROW) return id;
            if (p->l.dead && !quiet) return 0;
        }
    }
    rewind_to(p, &s);
    *id_map_put(p->arena, &p->not_arrow, (u64)pos + 1, NULL) = 1;
    return 0;
}

/* Errors inside the body of an arrow function are swallowed by the try: parse it again, aloud, when
 * it certainly is one. */
static bool is_generic_arrow(Parser *p)
{
    Snapshot s = snapshot(p);
    p->l.quiet = true;
    skip_type_params(p);
    bool ok = !p->l.dead && TOKEN(p) == TOK_LPAREN;
    if (ok) {
        lex_next(&p->l);
        Tok t = TOKEN(p);
        ok = t == TOK_RPAREN || t == TOK_ELLIPSIS;
        if (is_name(t)) {
            lex_next(&p->l);
            ok = TOKEN(p) == TOK_COLON || (TOKEN(p) == TOK_QUESTION);
        }
    }
    rewind_to(p, &s);
    return ok;
}

NodeId parse_angle(Parser *p, u32 flags)
{
    u32 pos = POS(p);
    if (p->arrow_at == pos + 1 && TOKEN(p) == TOK_LT && is_generic_arrow(p)) {
        skip_type_params(p);
        keep_paren_on_line(p, pos);
        p->arrow_at = POS(p) + 1;
        NodeId id = parse_paren(p, flags & (E_NO_IN | E_COND_MIDDLE));
        if (!p->l.dead && KIND(p, id) != NODE_ARROW) return expected(p, "\"=>\"");
        return id;
    }
    NodeId id = TOKEN(p) == TOK_LT ? try_generic_arrow(p, flags & (E_NO_IN | E_COND_MIDDLE)) : 0;
    if (id || p->l.dead) return id;
    if (p->jsx) return unexpected(p);
    if (TOKEN(p) == TOK_LT && peek(p, NULL) == TOK_CONST) {
        lex_next(&p->l);
        lex_next(&p->l);
        expect(p, TOK_GT);
        erase(p, pos, p->l.prev_end);
    } else {
        skip_type_args(p);
    }
    Tok t = TOKEN(p);
    bool unsafe = t == TOK_LBRACE || t == TOK_FUNCTION || t == TOK_CLASS;
    if (p->strip && (unsafe || lex_has_newline(&p->l, pos, POS(p)))) refuse(p, "type assertion");
    p->arrow_at = 0;
    return parse_unary(p, flags & E_NO_IN);
}
