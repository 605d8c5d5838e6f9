/* syntax/parse_for.c -- for, for-in, for-of. */
#include "syntax/edits.h"
#include "syntax/parser.h"

static NodeId parse_for_body(Parser *p)
{
    u32 ctx = p->ctx;
    expect(p, TOK_RPAREN);
    p->ctx |= CTX_LOOP;
    NodeId body = parse_substatement(p);
    p->ctx = ctx | (p->ctx & CTX_STRICT);
    NodeId inner = body;
    while (KIND(p, inner) == NODE_LABELED) inner = ast_node(p->ast, inner)->b;
    if (inner != body && KIND(p, inner) == NODE_FUNC_DECL) {
        node_error(p, inner, "A function cannot be declared as the body of a loop");
    }
    return body;
}

/* `init; test; update)`: init is read, the current token is the first semicolon. */
static NodeId parse_for_classic(Parser *p, u32 pos, NodeId init)
{
    Node n = {.kind = NODE_FOR, .pos = pos, .a = init};
    expect(p, TOK_SEMI);
    if (TOKEN(p) != TOK_SEMI) n.b = parse_expr(p, 0);
    expect(p, TOK_SEMI);
    if (TOKEN(p) != TOK_RPAREN) n.c = parse_expr(p, 0);
    n.d = parse_for_body(p);
    return ast_add(p->ast, n);
}

static NodeId parse_for_each(Parser *p, u32 pos, NodeId left, bool await)
{
    Node n = {.kind = NODE_FOR_IN, .pos = pos, .a = left};
    if (take(p, TOK_IN)) {
        if (await) return expected(p, "\"of\"");
        n.b = parse_expr(p, 0);
    } else {
        lex_next(&p->l);
        n.kind = NODE_FOR_OF;
        if (await) n.flags = NF_AWAIT;
        n.b = parse_assign(p, 0);
    }
    n.c = parse_for_body(p);
    return ast_add(p->ast, n);
}

/* What `for (let x = 1 in ...)` and the like may not have. */
static void check_for_declaration(Parser *p, NodeId var, VarKind kind)
{
    const Node *n = ast_node(p->ast, var);
    if (ast_len(p->ast, n->a) != 1) {
        node_error(p, var, "A for-in or for-of loop declares exactly one variable");
        return;
    }
    const Node *decl = ast_node(p->ast, ast_at(p->ast, n->a, 0));
    bool is_in = TOKEN(p) == TOK_IN;
    if (is_in && kind >= VAR_USING) node_error(p, var, "\"using\" is not allowed in a for-in loop");
    if (!decl->b) return;
    if (is_in && kind == VAR_VAR && KIND(p, decl->a) == NODE_IDENT) {
        strict_error(p, decl->pos, 1, "A for-in variable cannot have a value in strict mode");
    } else {
        node_error(p, var, "The variable of a for-in or for-of loop cannot have a value");
    }
}

/* The keyword was taken. */
static NodeId parse_for_var(Parser *p, u32 pos, VarKind kind, bool await)
{
    u32 var_pos = p->l.prev_end;
    ListId list = parse_var_list(p, kind, E_NO_IN, true);
    NodeId var = node(p, NODE_VAR, var_pos, list, 0);
    ast_node(p->ast, var)->op = (u8)kind;
    if (kind >= VAR_USING) {
        p->ast->has_using = true;
        refuse(p, "using");
    }
    if (p->l.dead) return 0;
    if (TOKEN(p) == TOK_IN || TOKEN(p) == TOK_OF) {
        check_for_declaration(p, var, kind);
        return parse_for_each(p, pos, var, await);
    }
    if (await) return expected(p, "\"of\"");
    return parse_for_classic(p, pos, var);
}

static NodeId parse_for_expr(Parser *p, u32 pos, bool await)
{
    u32 at = POS(p);
    bool starts_let = TOKEN(p) == TOK_LET, is_async = TOKEN(p) == TOK_ASYNC && !p->l.escaped;
    bool async_of = is_async && peek(p, NULL) == TOK_OF;
    u32 shorthand = p->shorthand_err, proto = p->proto_err;
    p->shorthand_err = p->proto_err = 0;
    NodeId left = parse_assign(p, E_NO_IN | E_COVER);
    if (p->l.dead) return 0;
    if (TOKEN(p) == TOK_IN || TOKEN(p) == TOK_OF) {
        bool is_of = TOKEN(p) == TOK_OF;
        if (is_of && starts_let)
            early_error(p, at, 3, "A for-of loop cannot start with \"let\" here");
        if (is_of && async_of && !await && KIND(p, left) == NODE_IDENT) {
            early_error(p, at, 5, "A for-of loop cannot start with \"async of\"");
        }
        p->shorthand_err = p->proto_err = 0;
        NodeKind kind = KIND(p, left);
        bool paren = ast_node(p->ast, left)->flags & NF_PAREN;
        if (!paren && (kind == NODE_ARRAY || kind == NODE_OBJECT))
            to_pattern(p, left, false);
        else
            check_simple_target(p, left);
        NodeId id = parse_for_each(p, pos, left, await);
        p->shorthand_err = shorthand;
        p->proto_err = proto;
        return id;
    }
    check_cover(p);
    p->shorthand_err = shorthand;
    p->proto_err = proto;
    while (TOKEN(p) == TOK_COMMA) {
        lex_next(&p->l);
        NodeId right = parse_assign(p, E_NO_IN);
        left = node(p, NODE_BINARY, at, left, right);
        ast_node(p->ast, left)->op = TOK_COMMA;
    }
    if (await) return expected(p, "\"of\"");
    return parse_for_classic(p, pos, left);
}

/* `let` as the keyword of a declaration, in a for head. */
static bool is_for_let(Parser *p)
{
    if (TOKEN(p) != TOK_LET) return false;
    Tok next = peek(p, NULL);
    if (next == TOK_IN || next == TOK_OF) {
        if (next == TOK_IN) return false;
        /* `for (let of ...)`: a declaration of `of` only if = ; , : or in/of follows */
        Lexer saved = p->l;
        p->l.quiet = true;
        lex_next(&p->l);
        lex_next(&p->l);
        Tok t = TOKEN(p);
        p->l = saved;
        return t == TOK_ASSIGN || t == TOK_SEMI || t == TOK_COMMA || t == TOK_COLON ||
               t == TOK_IN || t == TOK_OF;
    }
    return next == TOK_LBRACKET || next == TOK_LBRACE || is_name(next);
}

NodeId parse_for(Parser *p)
{
    u32 pos = POS(p);
    lex_next(&p->l);
    bool await = false;
    if (TOKEN(p) == TOK_AWAIT) {
        bool top = has_ctx(p, CTX_TOP) && (p->ast->is_module || p->opt->goal == GOAL_AUTO);
        if (!has_ctx(p, CTX_ASYNC) && !top) {
            early_error(p, POS(p), 5,
                        "\"for await\" is only allowed in async functions and modules");
        }
        if (top && !has_ctx(p, CTX_ASYNC)) {
            if (!p->ast->is_module) mark_esm(p);
            p->ast->has_top_await = true;
        }
        lex_next(&p->l);
        await = true;
    }
    expect(p, TOK_LPAREN);
    switch (TOKEN(p)) {
    case TOK_SEMI:
        if (await) return expected(p, "a variable");
        return parse_for_classic(p, pos, 0);
    case TOK_VAR: lex_next(&p->l); return parse_for_var(p, pos, VAR_VAR, await);
    case TOK_CONST: lex_next(&p->l); return parse_for_var(p, pos, VAR_CONST, await);
    case TOK_USING:
        if (!is_using_declaration(p, false, true)) break;
        lex_next(&p->l);
        return parse_for_var(p, pos, VAR_USING, await);
    case TOK_AWAIT:
        if (!is_using_declaration(p, true, true) || !take_await_using(p)) break;
        lex_next(&p->l);
        lex_next(&p->l);
        return parse_for_var(p, pos, VAR_AWAIT_USING, await);
    case TOK_LET:
        if (!is_for_let(p)) break;
        lex_next(&p->l);
        return parse_for_var(p, pos, VAR_LET, await);
    default: break;
    }
    return parse_for_expr(p, pos, await);
}
