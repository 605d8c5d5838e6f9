/* syntax/parse_stmt.c -- statements and declarations of JavaScript. */
#include "syntax/edits.h"
#include "syntax/parser.h"

ListId parse_block_body(Parser *p)
{
    u32 mark = list_begin(p), ctx = p->ctx;
    while (TOKEN(p) != TOK_RBRACE && TOKEN(p) != TOK_EOF) {
        NodeId stmt = parse_statement(p, STMT_LIST);
        if (stmt) list_push(p, stmt);
    }
    p->ctx = ctx | (p->ctx & CTX_STRICT);
    return list_end(p, mark);
}

NodeId parse_block(Parser *p)
{
    u32 pos = POS(p);
    if (!enter(p)) return 0;
    expect(p, TOK_LBRACE);
    ListId body = parse_block_body(p);
    expect(p, TOK_RBRACE);
    leave(p);
    return node(p, NODE_BLOCK, pos, body, 0);
}

NodeId parse_substatement(Parser *p)
{
    u32 pos = POS(p);
    NodeId id = parse_statement(p, 0);
    if (!id) return node(p, NODE_EMPTY, pos, 0, 0);
    NodeKind kind = KIND(p, id);
    if (kind < NODE_ENUM) return id;
    /* A declaration of TypeScript that is lowered within statement lists only. */
    u32 mark = list_begin(p);
    list_push(p, id);
    return node(p, NODE_BLOCK, pos, list_end(p, mark), 0);
}

/* ---- Variables ---- */

static void check_let_names(Parser *p, NodeId id)
{
    const Node *n = ast_node(p->ast, id);
    u32 list = n->a;
    switch (n->kind) {
    case NODE_IDENT:
        if (n->a == WORD_ATOM(TOK_LET)) {
            early_error(p, n->pos, 3, "\"let\" cannot be declared by let, const or class");
        }
        break;
    case NODE_ARRAY_PAT:
    case NODE_OBJECT_PAT:
        for (u32 i = 0; i < ast_len(p->ast, list); i++) check_let_names(p, ast_at(p->ast, list, i));
        break;
    case NODE_PROP: check_let_names(p, n->b); break;
    case NODE_ASSIGN_PAT:
    case NODE_REST: check_let_names(p, n->a); break;
    default: break;
    }
}

static NodeId parse_declarator(Parser *p, VarKind kind, u32 flags, bool in_for)
{
    u32 pos = POS(p);
    bool is_using = kind == VAR_USING || kind == VAR_AWAIT_USING;
    NodeId target = is_using ? parse_binding_ident(p) : parse_binding(p), init = 0;
    if (p->l.dead) return 0;
    if (kind != VAR_VAR) check_let_names(p, target);
    if (p->ts) {
        bool definite = TOKEN(p) == TOK_NOT && !p->l.nl;
        if (definite) {
            erase(p, POS(p), POS(p) + 1);
            lex_next(&p->l);
        }
        bool typed = skip_annotation(p);
        if (definite && (KIND(p, target) != NODE_IDENT || !typed || TOKEN(p) == TOK_ASSIGN)) {
            early_error(p, pos, 1, "\"!\" needs a name with a type and without a value");
        }
    }
    if (take(p, TOK_ASSIGN)) {
        init = parse_assign(p, flags);
    } else if (!in_for || (TOKEN(p) != TOK_IN && TOKEN(p) != TOK_OF)) {
        bool ambient = p->ts && has_ctx(p, CTX_AMBIENT);
        NodeKind k = KIND(p, target);
        if (!ambient && (kind == VAR_CONST || is_using)) {
            early_error(p, pos, 1, "This %s declaration needs a value",
                        is_using ? "using" : "const");
        } else if (!ambient && k != NODE_IDENT) {
            early_error(p, pos, 1, "A destructuring declaration needs a value");
        }
    }
    return node(p, NODE_DECLARATOR, pos, target, init);
}

ListId parse_var_list(Parser *p, VarKind kind, u32 flags, bool in_for)
{
    u32 mark = list_begin(p);
    do {
        list_push(p, parse_declarator(p, kind, flags, in_for));
    } while (take(p, TOK_COMMA));
    return list_end(p, mark);
}

/* The keyword was taken. */
NodeId parse_var(Parser *p, VarKind kind, u32 pos)
{
    ListId list = parse_var_list(p, kind, 0, false);
    expect_semicolon(p);
    NodeId id = node(p, NODE_VAR, pos, list, 0);
    ast_node(p->ast, id)->op = (u8)kind;
    if (kind >= VAR_USING) p->ast->has_using = true;
    if (kind >= VAR_USING) refuse(p, "using");
    return id;
}

bool is_let_declaration(Parser *p)
{
    if (TOKEN(p) != TOK_LET) return false;
    Tok next = peek(p, NULL);
    return next == TOK_LBRACKET || next == TOK_LBRACE || is_name(next);
}

/* `using x`, `await using x`, on one line. */
bool is_using_declaration(Parser *p, bool await, bool in_for)
{
    Lexer saved = p->l;
    p->l.quiet = true;
    bool ok = true;
    if (await) {
        lex_next(&p->l);
        ok = TOKEN(p) == TOK_USING && !p->l.nl;
    }
    if (ok) {
        lex_next(&p->l);
        ok = is_name(TOKEN(p)) && !p->l.nl;
        if (ok && in_for && TOKEN(p) == TOK_OF && !await) {
            /* `for (using of of)`: the first `of` is a name only if `=` `;` or `,` follows */
            lex_next(&p->l);
            ok = TOKEN(p) == TOK_ASSIGN || TOKEN(p) == TOK_SEMI || TOKEN(p) == TOK_COMMA ||
                 TOKEN(p) == TOK_COLON;
        } else if (ok && TOKEN(p) >= TOK_WORD_FIRST) {
            Tok word = TOKEN(p);
            lex_next(&p->l);
            /* `using in x`, `using as T` stay expressions */
            ok = word != TOK_AS && word != TOK_SATISFIES;
            ok = ok || TOKEN(p) == TOK_ASSIGN;
        }
    }
    p->l = saved;
    return ok;
}

/* ---- Control flow ---- */

static NodeId parse_paren_condition(Parser *p)
{
    expect(p, TOK_LPAREN);
    NodeId test = parse_expr(p, 0);
    expect(p, TOK_RPAREN);
    return test;
}

/* The arms of an if: Annex B allows a function declaration in sloppy code. */
static NodeId parse_if_arm(Parser *p)
{
    if (TOKEN(p) != TOK_FUNCTION) return parse_substatement(p);
    u32 pos = POS(p);
    strict_error(p, pos, 8, "A function cannot be declared as the body of an if in strict mode");
    NodeId fn = parse_function(p, pos, false, false);
    if (!p->l.dead && (ast_node(p->ast, fn)->flags & NF_GENERATOR)) {
        early_error(p, pos, 8, "A generator cannot be declared here");
    }
    u32 mark = list_begin(p);
    list_push(p, node(p, NODE_FUNC_DECL, pos, fn, 0));
    return node(p, NODE_BLOCK, pos, list_end(p, mark), 0);
}

/* else-if chains are a loop. */
static NodeId parse_if(Parser *p)
{
    NodeId first = 0, last = 0;
    for (;;) {
        u32 pos = POS(p);
        lex_next(&p->l);
        NodeId test = parse_paren_condition(p);
        NodeId yes = parse_if_arm(p);
        NodeId id = node(p, NODE_IF, pos, test, yes);
        if (last)
            ast_node(p->ast, last)->c = id;
        else
            first = id;
        last = id;
        if (!take(p, TOK_ELSE)) return first;
        if (TOKEN(p) == TOK_IF) continue;
        NodeId no = parse_if_arm(p);
        ast_node(p->ast, last)->c = no;
        return first;
    }
}

static bool is_labeled_function(Parser *p, NodeId id)
{
    while (KIND(p, id) == NODE_LABELED) id = ast_node(p->ast, id)->b;
    return KIND(p, id) == NODE_FUNC_DECL;
}

static NodeId parse_loop_body(Parser *p)
{
    u32 ctx = p->ctx;
    p->ctx |= CTX_LOOP;
    NodeId body = parse_substatement(p);
    p->ctx = ctx | (p->ctx & CTX_STRICT);
    if (!p->l.dead && is_labeled_function(p, body)) {
        node_error(p, body, "A function cannot be declared as the body of a loop");
    }
    return body;
}

static NodeId parse_while(Parser *p)
{
    u32 pos = POS(p);
    lex_next(&p->l);
    NodeId test = parse_paren_condition(p);
    NodeId body = parse_loop_body(p);
    return node(p, NODE_WHILE, pos, test, body);
}

static NodeId parse_do(Parser *p)
{
    u32 pos = POS(p);
    lex_next(&p->l);
    NodeId body = parse_loop_body(p);
    expect(p, TOK_WHILE);
    NodeId test = parse_paren_condition(p);
    take(p, TOK_SEMI);
    return node(p, NODE_DO, pos, body, test);
}

static const LabelScope *find_label(const Parser *p, Atom name)
{
    for (const LabelScope *s = p->labels; s; s = s->outer) {
        if (s->name == name) return s;
    }
    return NULL;
}

static NodeId parse_jump(Parser *p, NodeKind kind)
{
    u32 pos = POS(p);
    lex_next(&p->l);
    Atom name = 0;
    if (is_name(TOKEN(p)) && !p->l.nl) {
        name = lex_atom(&p->l);
        const LabelScope *label = find_label(p, name);
        if (!label) {
            early_error(p, POS(p), 1, "There is no label \"%.*s\" here",
                        STR_ARG(atom_str(p->l.atoms, name)));
        } else if (kind == NODE_CONTINUE && !label->loop) {
            early_error(p, POS(p), 1, "\"continue\" needs the label of a loop");
        }
        lex_next(&p->l);
    } else if (!has_ctx(p, kind == NODE_BREAK ? CTX_LOOP | CTX_SWITCH : CTX_LOOP)) {
        early_error(p, pos, 1, "\"%s\" is only allowed inside a loop%s",
                    kind == NODE_BREAK ? "break" : "continue",
                    kind == NODE_BREAK ? " or switch" : "");
    }
    expect_semicolon(p);
    return node(p, kind, pos, name, 0);
}

static NodeId parse_return(Parser *p)
{
    u32 pos = POS(p);
    if (!has_ctx(p, CTX_FUNCTION) && !note_commonjs(p, pos))
        early_error(p, pos, 6, "\"return\" is only allowed in functions");
    lex_next(&p->l);
    NodeId value = 0;
    if (TOKEN(p) != TOK_SEMI && TOKEN(p) != TOK_RBRACE && TOKEN(p) != TOK_EOF && !p->l.nl) {
        value = parse_expr(p, 0);
    }
    expect_semicolon(p);
    return node(p, NODE_RETURN, pos, value, 0);
}

static NodeId parse_throw(Parser *p)
{
    u32 pos = POS(p);
    lex_next(&p->l);
    if (p->l.nl) return lex_error(&p->l, pos, 5, "A line break is not allowed after \"throw\"");
    NodeId value = parse_expr(p, 0);
    expect_semicolon(p);
    return node(p, NODE_THROW, pos, value, 0);
}

static NodeId parse_try(Parser *p)
{
    Node n = {.kind = NODE_TRY, .pos = POS(p)};
    lex_next(&p->l);
    n.a = parse_block(p);
    if (take(p, TOK_CATCH)) {
        if (take(p, TOK_LPAREN)) {
            n.b = parse_binding(p);
            if (p->ts) skip_annotation(p);
            expect(p, TOK_RPAREN);
            AUTO(Scratch) s = scratch_begin(p->arena);
            if (!p->l.dead && KIND(p, n.b) != NODE_IDENT) {
                u32 mark = list_begin(p);
                list_push(p, n.b);
                check_params(p, ast_list(p->ast, p->stack.at + mark, 1), true, false);
                p->stack.len = mark;
            }
        }
        n.c = parse_block(p);
    }
    if (take(p, TOK_FINALLY)) n.d = parse_block(p);
    if (!n.c && !n.d) return expected(p, "\"catch\" or \"finally\"");
    return ast_add(p->ast, n);
}

static NodeId parse_case(Parser *p, bool *has_default)
{
    u32 pos = POS(p), mark;
    NodeId test = 0;
    if (take(p, TOK_CASE)) {
        test = parse_expr(p, 0);
    } else if (take(p, TOK_DEFAULT)) {
        if (*has_default) early_error(p, pos, 7, "A switch may have only one default");
        *has_default = true;
    } else {
        return expected(p, "\"case\" or \"default\"");
    }
    expect(p, TOK_COLON);
    mark = list_begin(p);
    while (TOKEN(p) != TOK_CASE && TOKEN(p) != TOK_DEFAULT && TOKEN(p) != TOK_RBRACE &&
           TOKEN(p) != TOK_EOF) {
        NodeId stmt = parse_statement(p, STMT_LIST);
        if (stmt) list_push(p, stmt);
        /* TypeScript 5.9 takes it. */
        if (stmt && !p->ts && KIND(p, stmt) == NODE_VAR && ast_node(p->ast, stmt)->op >= VAR_USING)
            node_error(p, stmt, "\"using\" is not allowed directly in a case");
    }
    return node(p, NODE_CASE, pos, test, list_end(p, mark));
}

static NodeId parse_switch(Parser *p)
{
    u32 pos = POS(p), ctx = p->ctx;
    lex_next(&p->l);
    NodeId value = parse_paren_condition(p);
    expect(p, TOK_LBRACE);
    p->ctx |= CTX_SWITCH;
    u32 mark = list_begin(p);
    bool has_default = false;
    while (TOKEN(p) != TOK_RBRACE && TOKEN(p) != TOK_EOF) list_push(p, parse_case(p, &has_default));
    expect(p, TOK_RBRACE);
    p->ctx = ctx | (p->ctx & CTX_STRICT);
    return node(p, NODE_SWITCH, pos, value, list_end(p, mark));
}

static NodeId parse_with(Parser *p)
{
    u32 pos = POS(p);
    strict_error(p, pos, 4, "\"with\" is not allowed in strict mode");
    lex_next(&p->l);
    NodeId object = parse_paren_condition(p);
    NodeId body = parse_substatement(p);
    if (!p->l.dead && is_labeled_function(p, body)) {
        node_error(p, body, "A function cannot be declared as the body of a with");
    }
    return node(p, NODE_WITH, pos, object, body);
}

/* ---- Expression statements and labels ---- */

/* The label and its colon were taken. */
static NodeId parse_labeled(Parser *p, u32 pos, Atom name, u32 where)
{
    if (find_label(p, name)) {
        early_error(p, pos, 1, "Label \"%.*s\" is declared twice",
                    STR_ARG(atom_str(p->l.atoms, name)));
    }
    LabelScope label = {.outer = p->labels, .name = name};
    /* Labels that stand together all name the loop behind them. */
    Lexer saved = p->l;
    p->l.quiet = true;
    while (is_name(TOKEN(p)) && peek(p, NULL) == TOK_COLON) {
        lex_next(&p->l);
        lex_next(&p->l);
    }
    Tok t = TOKEN(p);
    p->l = saved;
    label.loop = t == TOK_FOR || t == TOK_WHILE || t == TOK_DO;
    p->labels = &label;
    NodeId body;
    u32 at = POS(p);
    if (TOKEN(p) == TOK_FUNCTION) {
        strict_error(p, at, 8, "A function cannot be labeled in strict mode");
        NodeId fn = parse_function(p, at, false, false);
        if (!p->l.dead && (ast_node(p->ast, fn)->flags & NF_GENERATOR)) {
            early_error(p, at, 8, "A generator cannot be labeled");
        }
        if (!(where & (STMT_LIST | STMT_LABEL_OK))) {
            early_error(p, at, 8, "A function cannot be declared here");
        }
        body = node(p, NODE_FUNC_DECL, at, fn, 0);
    } else {
        u32 pass = where & (STMT_LIST | STMT_LABEL_OK) ? STMT_LABEL_OK : 0;
        body = parse_statement(p, pass);
        if (!body || (!p->l.dead && KIND(p, body) >= NODE_ENUM))
            body = node(p, NODE_EMPTY, at, 0, 0);
    }
    p->labels = label.outer;
    return node(p, NODE_LABELED, pos, name, body);
}

static NodeId parse_expr_stmt(Parser *p, u32 where)
{
    u32 pos = POS(p);
    if (is_name(TOKEN(p)) && *p->l.at != '.' && *p->l.at != '(') {
        if (peek(p, NULL) == TOK_COLON) {
            Atom name = lex_atom(&p->l);
            check_reserved(p, name, pos, p->l.tok_end - pos, false);
            lex_next(&p->l);
            lex_next(&p->l);
            if (!enter(p)) return 0;
            NodeId id = parse_labeled(p, pos, name, where);
            leave(p);
            return id;
        }
    }
    bool string = TOKEN(p) == TOK_STR;
    if (TOKEN(p) == TOK_LET && !(where & STMT_LIST) && peek(p, NULL) == TOK_LBRACKET) {
        return unexpected(p);
    }
    NodeId expr = parse_expr(p, 0);
    u32 end = p->l.prev_end;
    expect_semicolon(p);
    NodeId id = node(p, NODE_EXPR_STMT, pos, expr, 0);
    if (string && !p->l.dead) {
        const Node *n = ast_node(p->ast, expr);
        if (n->kind == NODE_STR && (p->ts || n->b == end) && !(n->flags & NF_PAREN)) {
            ast_node(p->ast, id)->flags = NF_DIRECTIVE; /* lower layers check that it comes first */
        }
    }
    return id;
}

/* ---- Declarations ---- */

static NodeId no_declaration(Parser *p, const char *what)
{
    early_error(p, POS(p), 1, "%s cannot be declared here: it needs a block", what);
    return 0;
}

static NodeId parse_function_decl(Parser *p, u32 pos, bool async, u32 where)
{
    if (!(where & STMT_LIST)) no_declaration(p, "A function");
    NodeId fn = parse_function(p, pos, async, false);
    if (p->l.dead) return 0;
    if (!ast_node(p->ast, fn)->a) return expected(p, "a name for the function");
    if (ast_node(p->ast, fn)->flags & NF_DECLARE) return 0;
    return node(p, NODE_FUNC_DECL, pos, fn, 0);
}

static NodeId parse_class_decl(Parser *p, u32 where, ListId decorators)
{
    u32 pos = POS(p);
    if (!(where & STMT_LIST)) no_declaration(p, "A class");
    NodeId c = parse_class(p, pos, false, decorators);
    if (p->l.dead) return 0;
    if (!ast_node(p->ast, c)->a) return expected(p, "a name for the class");
    return node(p, NODE_CLASS_DECL, pos, c, 0);
}

static NodeId parse_decorated(Parser *p, u32 where)
{
    ListId decorators = parse_decorators(p);
    if (TOKEN(p) == TOK_EXPORT) return parse_export(p, decorators);
    if (p->ts && TOKEN(p) == TOK_ABSTRACT) lex_next(&p->l);
    if (TOKEN(p) != TOK_CLASS) return expected(p, "\"class\"");
    return parse_class_decl(p, where, decorators);
}

static NodeId parse_import_stmt(Parser *p, u32 where)
{
    Tok next = peek(p, NULL);
    if (next == TOK_LPAREN || next == TOK_DOT) return parse_expr_stmt(p, where);
    return parse_import(p);
}

static NodeId parse_const(Parser *p, u32 where)
{
    u32 pos = POS(p);
    lex_next(&p->l);
    if (p->ts && TOKEN(p) == TOK_ENUM) return parse_enum(p, pos, true);
    if (!(where & STMT_LIST)) no_declaration(p, "A constant");
    return parse_var(p, VAR_CONST, pos);
}

/* Statements that begin with a contextual word. */
static bool parse_let_stmt(Parser *p, u32 where, NodeId *ret)
{
    u32 pos = POS(p);
    if (!is_let_declaration(p)) return false;
    if (!(where & STMT_LIST)) {
        bool nl;
        Tok next = peek(p, &nl);
        /* `let`, line end, name: an expression and another statement */
        if (nl && next != TOK_LBRACKET) return false;
        no_declaration(p, "A variable");
    }
    lex_next(&p->l);
    *ret = parse_var(p, VAR_LET, pos);
    return true;
}

static bool parse_using_stmt(Parser *p, u32 where, NodeId *ret)
{
    u32 pos = POS(p);
    if (!is_using_declaration(p, false, false)) return false;
    if (!(where & STMT_LIST)) no_declaration(p, "A resource");
    if (p->depth == 1 && p->opt->goal == GOAL_SCRIPT) {
        early_error(p, pos, 5, "\"using\" is not allowed at the top level of a script");
    }
    lex_next(&p->l);
    *ret = parse_var(p, VAR_USING, pos);
    return true;
}

static bool can_await_here(const Parser *p)
{
    if (has_ctx(p, CTX_ASYNC)) return true;
    return has_ctx(p, CTX_TOP) && p->opt->goal != GOAL_SCRIPT && p->opt->goal != GOAL_COMMONJS;
}

bool take_await_using(Parser *p)
{
    if (!can_await_here(p)) return false;
    if (has_ctx(p, CTX_TOP)) {
        if (!p->ast->is_module) mark_esm(p);
        p->ast->has_top_await = true;
    }
    return true;
}

static bool parse_await_using_stmt(Parser *p, u32 where, NodeId *ret)
{
    u32 pos = POS(p);
    if (!is_using_declaration(p, true, false) || !take_await_using(p)) return false;
    if (!(where & STMT_LIST)) no_declaration(p, "A resource");
    lex_next(&p->l);
    lex_next(&p->l);
    *ret = parse_var(p, VAR_AWAIT_USING, pos);
    return true;
}

static bool parse_async_stmt(Parser *p, u32 where, NodeId *ret)
{
    u32 pos = POS(p);
    bool nl;
    if (peek(p, &nl) != TOK_FUNCTION || nl) return false;
    lex_next(&p->l);
    *ret = parse_function_decl(p, pos, true, where);
    return true;
}

static NodeId parse_word_stmt(Parser *p, u32 where)
{
    NodeId id = 0;
    bool taken = false;
    switch (TOKEN(p)) {
    case TOK_LET: taken = parse_let_stmt(p, where, &id); break;
    case TOK_ASYNC: taken = parse_async_stmt(p, where, &id); break;
    case TOK_USING: taken = parse_using_stmt(p, where, &id); break;
    case TOK_AWAIT: taken = parse_await_using_stmt(p, where, &id); break;
    default: taken = p->ts && parse_ts_statement(p, where, &id);
    }
    return taken ? id : parse_expr_stmt(p, where);
}

static NodeId parse_empty(Parser *p, NodeKind kind)
{
    NodeId id = node(p, kind, POS(p), 0, 0);
    lex_next(&p->l);
    if (kind == NODE_DEBUGGER) expect_semicolon(p);
    return id;
}

static NodeId parse_keyword_stmt(Parser *p, u32 where)
{
    u32 pos = POS(p);
    switch (TOKEN(p)) {
    case TOK_LBRACE: return parse_block(p);
    case TOK_SEMI: return parse_empty(p, NODE_EMPTY);
    case TOK_VAR: lex_next(&p->l); return parse_var(p, VAR_VAR, pos);
    case TOK_CONST: return parse_const(p, where);
    case TOK_FUNCTION: return parse_function_decl(p, pos, false, where);
    case TOK_CLASS: return parse_class_decl(p, where, 0);
    case TOK_AT: return parse_decorated(p, where);
    case TOK_IF: return parse_if(p);
    case TOK_FOR: return parse_for(p);
    case TOK_WHILE: return parse_while(p);
    case TOK_DO: return parse_do(p);
    case TOK_BREAK: return parse_jump(p, NODE_BREAK);
    case TOK_CONTINUE: return parse_jump(p, NODE_CONTINUE);
    case TOK_RETURN: return parse_return(p);
    case TOK_THROW: return parse_throw(p);
    case TOK_TRY: return parse_try(p);
    case TOK_SWITCH: return parse_switch(p);
    case TOK_WITH: return parse_with(p);
    case TOK_DEBUGGER: return parse_empty(p, NODE_DEBUGGER);
    case TOK_IMPORT: return parse_import_stmt(p, where);
    case TOK_EXPORT: return parse_export(p, 0);
    case TOK_ENUM:
        if (p->ts) return parse_enum(p, pos, false);
        return unexpected(p);
    default: return parse_expr_stmt(p, where);
    }
}

NodeId parse_statement(Parser *p, u32 where)
{
    if (!enter(p)) return 0;
    u32 pos = POS(p), mark = edit_mark(p);
    NodeId id = is_name(TOKEN(p)) && TOKEN(p) != TOK_IDENT ? parse_word_stmt(p, where)
                                                           : parse_keyword_stmt(p, where);
    if (UNLIKELY(p->strip)) strip_statement(p, id, pos, mark);
    leave(p);
    return id;
}
