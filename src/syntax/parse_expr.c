/* syntax/parse_expr.c -- operators: comma, assignment, conditional, binary, unary, calls. */
#include "syntax/edits.h"
#include "syntax/parser.h"

enum { PREC_NULLISH = 1, PREC_OR, PREC_AND, PREC_RELATION = 8, PREC_POW = 12 };

static const u8 precedence[TOK_COUNT] = {
    [TOK_NULLISH] = PREC_NULLISH,
    [TOK_OR_OR] = PREC_OR,
    [TOK_AND_AND] = PREC_AND,
    [TOK_OR] = 4,
    [TOK_XOR] = 5,
    [TOK_AND] = 6,
    [TOK_EQ] = 7,
    [TOK_NE] = 7,
    [TOK_EQ_STRICT] = 7,
    [TOK_NE_STRICT] = 7,
    [TOK_LT] = PREC_RELATION,
    [TOK_GT] = PREC_RELATION,
    [TOK_LE] = PREC_RELATION,
    [TOK_GE] = PREC_RELATION,
    [TOK_IN] = PREC_RELATION,
    [TOK_INSTANCEOF] = PREC_RELATION,
    [TOK_AS] = PREC_RELATION,
    [TOK_SATISFIES] = PREC_RELATION,
    [TOK_SHL] = 9,
    [TOK_SHR] = 9,
    [TOK_USHR] = 9,
    [TOK_PLUS] = 10,
    [TOK_MINUS] = 10,
    [TOK_STAR] = 11,
    [TOK_SLASH] = 11,
    [TOK_PERCENT] = 11,
    [TOK_STAR_STAR] = PREC_POW,
};

static bool is_bare(Parser *p, NodeId id, NodeKind kind)
{
    const Node *n = ast_node(p->ast, id);
    return n->kind == kind && !(n->flags & NF_PAREN);
}

NodeId parse_expr(Parser *p, u32 flags)
{
    u32 pos = POS(p);
    NodeId left = parse_assign(p, flags);
    while (TOKEN(p) == TOK_COMMA) {
        lex_next(&p->l);
        NodeId right = parse_assign(p, flags);
        left = node(p, NODE_BINARY, pos, left, right);
        ast_node(p->ast, left)->op = TOK_COMMA;
    }
    return left;
}

void check_cover(Parser *p)
{
    if (p->shorthand_err) {
        early_error(p, p->shorthand_err - 1, 1,
                    "Unexpected \"=\": a shorthand property has no default here");
    }
    if (p->proto_err) {
        early_error(p, p->proto_err - 1, 1,
                    "Duplicate \"__proto__\" property in an object literal");
    }
    p->shorthand_err = p->proto_err = 0;
}

/* ---- Assignment ---- */

static NodeId parse_yield(Parser *p, u32 flags)
{
    u32 pos = POS(p);
    if (has_ctx(p, CTX_PARAMS)) early_error(p, pos, 5, "\"yield\" cannot be used in parameters");
    if (!p->yield_at) p->yield_at = pos + 1;
    if (p->l.escaped) early_error(p, pos, 1, "A keyword cannot contain escapes");
    lex_next(&p->l);
    bool delegate = false;
    NodeId value = 0;
    if (!p->l.nl) {
        delegate = take(p, TOK_STAR);
        switch (TOKEN(p)) {
        case TOK_RPAREN:
        case TOK_RBRACKET:
        case TOK_RBRACE:
        case TOK_COMMA:
        case TOK_SEMI:
        case TOK_COLON:
        case TOK_EOF:
        case TOK_IN:
            if (delegate) return unexpected(p);
            break;
        default: value = parse_assign(p, flags & E_NO_IN);
        }
    }
    NodeId id = node(p, NODE_YIELD, pos, value, 0);
    if (delegate) ast_node(p->ast, id)->flags = NF_DELEGATE;
    return id;
}

static bool is_assign_op(Tok t)
{
    return t >= TOK_ASSIGN && t <= TOK_ASSIGN_NULLISH;
}

static NodeId parse_assign_rest(Parser *p, u32 pos, NodeId left, u32 flags)
{
    Tok op = TOKEN(p);
    if (p->cast_end == p->l.prev_end && !(ast_node(p->ast, left)->flags & NF_PAREN)) {
        return unexpected(p);
    }
    bool pattern =
        op == TOK_ASSIGN && (is_bare(p, left, NODE_ARRAY) || is_bare(p, left, NODE_OBJECT));
    if (pattern) {
        p->shorthand_err = p->proto_err = 0;
        left = to_pattern(p, left, false);
    } else {
        check_simple_target(p, left);
    }
    lex_next(&p->l);
    NodeId right = parse_assign(p, flags & (E_NO_IN | E_COND_MIDDLE));
    NodeId id = node(p, NODE_ASSIGN, pos, left, right);
    ast_node(p->ast, id)->op = (u8)op;
    return id;
}

static NodeId parse_binary(Parser *p, u32 min, u32 flags);

/* `a?` before `)`, `,`, `:` or `=`: an optional parameter of an arrow function. */
static bool is_optional_mark(Parser *p)
{
    Tok t = peek(p, NULL);
    return t == TOK_COLON || t == TOK_RPAREN || t == TOK_COMMA || t == TOK_ASSIGN;
}

/* Chains in the last operand, `a ? b : c ? d : ...`, are a loop and not recursion. */
static NodeId parse_cond(Parser *p, u32 pos, NodeId test, u32 flags)
{
    NodeId first = 0, last = 0;
    for (;;) {
        lex_next(&p->l);
        NodeId yes = parse_assign(p, p->ts ? E_COND_MIDDLE : 0);
        expect(p, TOK_COLON);
        NodeId cond = node(p, NODE_COND, pos, test, yes);
        if (last)
            ast_node(p->ast, last)->c = cond;
        else
            first = cond;
        last = cond;
        pos = POS(p);
        u32 arm = flags & (E_NO_IN | E_COND_MIDDLE);
        /* An operand that turns out to be the test of the next conditional. */
        p->arrow_at = pos + 1;
        if (TOKEN(p) == TOK_YIELD && has_ctx(p, CTX_GENERATOR))
            test = parse_assign(p, arm);
        else {
            u32 shorthand = p->shorthand_err, proto = p->proto_err;
            p->shorthand_err = p->proto_err = 0;
            test = parse_binary(p, 0, arm);
            if (TOKEN(p) == TOK_QUESTION && !is_bare(p, test, NODE_ARROW)) {
                check_cover(p);
                p->shorthand_err = shorthand;
                p->proto_err = proto;
                continue;
            }
            if (is_assign_op(TOKEN(p)) && !is_bare(p, test, NODE_ARROW)) {
                test = parse_assign_rest(p, pos, test, arm);
            }
            check_cover(p);
            p->shorthand_err = shorthand;
            p->proto_err = proto;
        }
        ast_node(p->ast, last)->c = test;
        return first;
    }
}

/* The token ends an expression that it begins: behind it stands one of , ) ; ] }. */
static inline bool is_whole(const Parser *p)
{
    static const u8 ends[256] = {[','] = 1, [')'] = 1, [';'] = 1, [']'] = 1, ['}'] = 1};
    return ends[(u8)*p->l.at];
}

NodeId parse_assign(Parser *p, u32 flags)
{
    /* Most expressions are one token; the way through all levels is long. */
    if (is_whole(p)) {
        if (TOKEN(p) == TOK_IDENT && !p->l.escaped) return parse_ident_ref(p);
        if (TOKEN(p) == TOK_STR || TOKEN(p) == TOK_NUM) return parse_primary(p, flags);
    }
    if (!enter(p)) return 0;
    u32 pos = POS(p);
    if (TOKEN(p) == TOK_YIELD && has_ctx(p, CTX_GENERATOR)) {
        NodeId id = parse_yield(p, flags);
        leave(p);
        return id;
    }
    p->arrow_at = pos + 1;
    u32 shorthand = p->shorthand_err, proto = p->proto_err;
    p->shorthand_err = p->proto_err = 0;
    NodeId id = parse_binary(p, 0, flags);
    if (!is_bare(p, id, NODE_ARROW)) {
        if (TOKEN(p) == TOK_QUESTION && !((flags & E_ARROW_ARG) && p->ts && is_optional_mark(p))) {
            id = parse_cond(p, pos, id, flags);
        } else if (is_assign_op(TOKEN(p))) {
            id = parse_assign_rest(p, pos, id, flags);
        }
    }
    if (UNLIKELY(p->shorthand_err || p->proto_err)) {
        bool open =
            (flags & E_COVER) && (is_bare(p, id, NODE_OBJECT) || is_bare(p, id, NODE_ARRAY));
        if (!open) check_cover(p);
    }
    if (shorthand) p->shorthand_err = shorthand;
    if (proto) p->proto_err = proto;
    leave(p);
    return id;
}

/* ---- Binary ---- */

/* `#x in object` */
static NodeId parse_private_in(Parser *p, u32 min, u32 flags)
{
    u32 pos = POS(p);
    Atom name = lex_atom(&p->l);
    use_private(p, name, pos);
    NodeId id = node(p, NODE_PRIVATE_NAME, pos, name, 0);
    lex_next(&p->l);
    if (TOKEN(p) != TOK_IN || min >= PREC_RELATION || (flags & E_NO_IN)) {
        expected(p, "\"in\" after a private name");
    }
    return id;
}

static bool is_logical(Parser *p, NodeId id)
{
    const Node *n = ast_node(p->ast, id);
    return n->kind == NODE_BINARY && !(n->flags & NF_PAREN) &&
           (n->op == TOK_OR_OR || n->op == TOK_AND_AND);
}

static void check_operands(Parser *p, Tok op, NodeId left, NodeId right)
{
    if (op == TOK_NULLISH) {
        if (is_logical(p, left) || is_logical(p, right)) {
            node_error(p, left, "\"??\" cannot be mixed with \"||\" or \"&&\" without parentheses");
        }
    } else if (op == TOK_OR_OR || op == TOK_AND_AND) {
        const Node *l = ast_node(p->ast, left), *r = ast_node(p->ast, right);
        if ((l->kind == NODE_BINARY && l->op == TOK_NULLISH && !(l->flags & NF_PAREN)) ||
            (r->kind == NODE_BINARY && r->op == TOK_NULLISH && !(r->flags & NF_PAREN))) {
            node_error(p, left, "\"??\" cannot be mixed with \"||\" or \"&&\" without parentheses");
        }
    } else if (op == TOK_STAR_STAR) {
        const Node *l = ast_node(p->ast, left);
        if ((l->kind == NODE_UNARY || l->kind == NODE_AWAIT) && !(l->flags & NF_PAREN)) {
            node_error(p, left, "An unary operator before \"**\" needs parentheses");
        }
    }
    if (KIND(p, right) == NODE_PRIVATE_NAME) expected(p, "\"in\" after a private name");
}

/* `as T`, `as const`, `satisfies T`.  False when the word is no operator here. */
static bool take_cast(Parser *p)
{
    if (!p->ts || p->l.nl || p->l.escaped) return false;
    bool is_as = TOKEN(p) == TOK_AS;
    u32 pos = POS(p);
    lex_next(&p->l);
    if (is_as && TOKEN(p) == TOK_CONST)
        lex_next(&p->l);
    else
        skip_type(p);
    p->cast_end = p->l.prev_end;
    /* Without the type, a bracket on the next line would continue the expression. */
    Tok t = TOKEN(p);
    bool joins = p->l.nl && (t == TOK_LPAREN || t == TOK_LBRACKET || t == TOK_TEMPLATE ||
                             t == TOK_TEMPLATE_HEAD);
    erase_with(p, pos, p->l.prev_end, joins ? ";" : NULL);
    return true;
}

static NodeId parse_binary(Parser *p, u32 min, u32 flags)
{
    u32 pos = POS(p);
    NodeId left = TOKEN(p) == TOK_PRIVATE ? parse_private_in(p, min, flags) : parse_unary(p, flags);
    for (;;) {
        Tok op = TOKEN(p);
        u32 prec = precedence[op];
        if (prec <= min) return left;
        if (UNLIKELY(is_bare(p, left, NODE_ARROW))) return left;
        if (op == TOK_IN && (flags & E_NO_IN)) return left;
        if (op == TOK_AS || op == TOK_SATISFIES) {
            if (!take_cast(p)) return left;
            continue;
        }
        lex_next(&p->l);
        u32 below = op == TOK_STAR_STAR ? prec - 1 : prec;
        p->arrow_at = 0;
        if (!enter(p)) return 0;
        NodeId right = parse_binary(p, below, flags & E_NO_IN);
        leave(p);
        if (is_bare(p, right, NODE_ARROW)) return unexpected(p);
        if (prec <= PREC_AND || op == TOK_STAR_STAR || KIND(p, right) == NODE_PRIVATE_NAME) {
            check_operands(p, op, left, right);
        }
        left = node(p, NODE_BINARY, pos, left, right);
        ast_node(p->ast, left)->op = (u8)op;
    }
}

/* ---- Unary ---- */

static void check_delete(Parser *p, NodeId operand, u32 pos)
{
    const Node *n = ast_node(p->ast, operand);
    if (n->kind == NODE_IDENT)
        strict_error(p, pos, 6, "A variable cannot be deleted in strict mode");
    if (n->kind == NODE_DOT_PRIVATE) early_error(p, pos, 6, "A private name cannot be deleted");
}

static NodeId parse_unary_op(Parser *p, u32 flags)
{
    u32 pos = POS(p);
    Tok op = TOKEN(p);
    lex_next(&p->l);
    p->arrow_at = 0;
    NodeId operand = parse_unary(p, flags & E_NO_IN);
    if (is_bare(p, operand, NODE_ARROW)) return unexpected(p);
    if (op == TOK_DELETE) check_delete(p, operand, pos);
    NodeId id = node(p, NODE_UNARY, pos, operand, 0);
    ast_node(p->ast, id)->op = (u8)op;
    return id;
}

static NodeId parse_prefix(Parser *p, u32 flags)
{
    u32 pos = POS(p);
    Tok op = TOKEN(p);
    lex_next(&p->l);
    p->arrow_at = 0;
    NodeId target = parse_unary(p, flags & E_NO_IN);
    check_simple_target(p, target);
    NodeId id = node(p, NODE_UPDATE, pos, target, 0);
    ast_node(p->ast, id)->op = (u8)op;
    ast_node(p->ast, id)->flags = NF_PREFIX;
    return id;
}

/* Could the token behind `await` begin its operand?  Asked at the top level of a file whose kind is
 * not known yet. */
static bool is_await_operand(Parser *p)
{
    bool nl;
    Tok t = peek(p, &nl);
    if (nl) return false;
    if (t >= TOK_WORD_FIRST)
        return t != TOK_IN && t != TOK_INSTANCEOF && t != TOK_OF && t != TOK_AS;
    switch (t) {
    case TOK_IDENT:
    case TOK_NUM:
    case TOK_BIGINT:
    case TOK_STR:
    case TOK_TEMPLATE:
    case TOK_TEMPLATE_HEAD:
    case TOK_LPAREN:
    case TOK_LBRACE:
    case TOK_LBRACKET:
    case TOK_NOT: return true;
    default: return false;
    }
}

static bool is_await_operator(Parser *p)
{
    if (has_ctx(p, CTX_ASYNC)) return true;
    if (!has_ctx(p, CTX_TOP)) return false;
    if (p->ast->is_module) return true;
    if (p->opt->goal != GOAL_AUTO || p->await_bound || !is_await_operand(p)) return false;
    mark_esm(p);
    return true;
}

static NodeId parse_await(Parser *p, u32 flags)
{
    u32 pos = POS(p);
    if (has_ctx(p, CTX_PARAMS)) early_error(p, pos, 5, "\"await\" cannot be used in parameters");
    if (p->l.escaped) early_error(p, pos, 1, "A keyword cannot contain escapes");
    if (!p->await_at) p->await_at = pos + 1;
    if (has_ctx(p, CTX_TOP)) p->ast->has_top_await = true;
    lex_next(&p->l);
    p->arrow_at = 0;
    NodeId operand = parse_unary(p, flags & E_NO_IN);
    if (is_bare(p, operand, NODE_ARROW)) return unexpected(p);
    return node(p, NODE_AWAIT, pos, operand, 0);
}

static NodeId parse_postfix(Parser *p, u32 flags)
{
    u32 pos = POS(p);
    NodeId id = parse_lhs(p, flags);
    if ((TOKEN(p) == TOK_INC || TOKEN(p) == TOK_DEC) && !p->l.nl && !is_bare(p, id, NODE_ARROW)) {
        check_simple_target(p, id);
        NodeId update = node(p, NODE_UPDATE, pos, id, 0);
        ast_node(p->ast, update)->op = (u8)TOKEN(p);
        lex_next(&p->l);
        return update;
    }
    return id;
}

NodeId parse_unary(Parser *p, u32 flags)
{
    NodeId id;
    switch (TOKEN(p)) {
    case TOK_NOT:
    case TOK_TILDE:
    case TOK_PLUS:
    case TOK_MINUS:
    case TOK_TYPEOF:
    case TOK_VOID:
    case TOK_DELETE:
        if (!enter(p)) return 0;
        id = parse_unary_op(p, flags);
        leave(p);
        return id;
    case TOK_INC:
    case TOK_DEC:
        if (!enter(p)) return 0;
        id = parse_prefix(p, flags);
        leave(p);
        return id;
    case TOK_AWAIT:
        if (!is_await_operator(p)) break;
        if (!enter(p)) return 0;
        id = parse_await(p, flags);
        leave(p);
        return id;
    case TOK_LT:
        if (!p->ts || p->jsx) break;
        if (!enter(p)) return 0;
        id = parse_angle(p, flags);
        leave(p);
        return id;
    default: break;
    }
    return parse_postfix(p, flags);
}

/* ---- Calls and members ---- */

NodeId parse_lhs(Parser *p, u32 flags)
{
    u32 pos = POS(p);
    NodeId id = parse_primary(p, flags);
    if (is_bare(p, id, NODE_ARROW)) return id;
    return parse_subscripts(p, id, pos, flags);
}

ListId parse_call_args(Parser *p)
{
    u32 mark = list_begin(p);
    expect(p, TOK_LPAREN);
    while (TOKEN(p) != TOK_RPAREN && TOKEN(p) != TOK_EOF) {
        u32 pos = POS(p);
        if (take(p, TOK_ELLIPSIS))
            list_push(p, node(p, NODE_SPREAD, pos, parse_assign(p, 0), 0));
        else
            list_push(p, parse_assign(p, 0));
        if (TOKEN(p) != TOK_RPAREN && !expect(p, TOK_COMMA)) break;
    }
    expect(p, TOK_RPAREN);
    return list_end(p, mark);
}

static NodeId parse_member_name(Parser *p, NodeId object, u32 pos, u16 optional)
{
    u32 at = POS(p);
    NodeKind kind = NODE_DOT;
    if (TOKEN(p) == TOK_PRIVATE) {
        kind = NODE_DOT_PRIVATE;
        use_private(p, lex_atom(&p->l), at);
        if (KIND(p, object) == NODE_SUPER)
            early_error(p, at, 1, "A private name is not found on super");
    } else if (!is_word(TOKEN(p))) {
        return expected(p, "an identifier");
    }
    /* The fast path has no use for the names of properties. */
    Atom name = p->strip && kind == NODE_DOT ? 0 : lex_atom(&p->l);
    Node n = {.kind = (u8)kind, .flags = optional, .pos = pos, .a = object, .b = name, .c = at};
    lex_next(&p->l);
    return ast_add(p->ast, n);
}

static NodeId parse_index(Parser *p, NodeId object, u32 pos, u16 optional)
{
    lex_next(&p->l);
    NodeId index = parse_expr(p, 0);
    expect(p, TOK_RBRACKET);
    NodeId id = node(p, NODE_INDEX, pos, object, index);
    ast_node(p->ast, id)->flags = optional;
    return id;
}

static NodeId parse_call(Parser *p, NodeId callee, u32 pos, u16 optional)
{
    ListId args = parse_call_args(p);
    NodeId id = node(p, NODE_CALL, pos, callee, args);
    ast_node(p->ast, id)->flags = optional;
    return id;
}

/* Behind `?.` */
static NodeId parse_optional(Parser *p, NodeId base, u32 pos, u32 flags)
{
    if (flags & E_NO_CALL) {
        early_error(p, POS(p), 1, "An optional chain cannot be constructed with \"new\"");
    }
    if (KIND(p, base) == NODE_SUPER) return unexpected(p);
    if (p->ts && (TOKEN(p) == TOK_LT || TOKEN(p) == TOK_SHL)) {
        skip_type_args(p);
        if (TOKEN(p) != TOK_LPAREN) return expected(p, "\"(\"");
    }
    switch (TOKEN(p)) {
    case TOK_LPAREN: return parse_call(p, base, pos, NF_OPTIONAL);
    case TOK_LBRACKET: return parse_index(p, base, pos, NF_OPTIONAL);
    case TOK_TEMPLATE:
    case TOK_TEMPLATE_HEAD: return unexpected(p);
    default: return parse_member_name(p, base, pos, NF_OPTIONAL);
    }
}

static NodeId parse_tagged(Parser *p, NodeId tag, u32 pos, bool in_chain)
{
    if (in_chain) {
        early_error(p, POS(p), 1, "A template cannot be the end of an optional chain");
    }
    NodeId template = parse_template(p, true);
    return node(p, NODE_TAGGED, pos, tag, template);
}

static bool can_take_type_args(Parser *p)
{
    return p->ts && (TOKEN(p) == TOK_LT || TOKEN(p) == TOK_SHL) && try_type_args(p);
}

NodeId parse_subscripts(Parser *p, NodeId base, u32 pos, u32 flags)
{
    bool in_chain = false;
    for (;;) {
        switch (TOKEN(p)) {
        case TOK_DOT:
            lex_next(&p->l);
            base = parse_member_name(p, base, pos, 0);
            continue;
        case TOK_QUESTION_DOT:
            lex_next(&p->l);
            base = parse_optional(p, base, pos, flags);
            in_chain = true;
            continue;
        case TOK_LBRACKET:
            if (flags & E_DECORATOR) return base;
            base = parse_index(p, base, pos, 0);
            continue;
        case TOK_LPAREN:
            if (flags & E_NO_CALL) return base;
            base = parse_call(p, base, pos, 0);
            continue;
        case TOK_TEMPLATE:
        case TOK_TEMPLATE_HEAD: base = parse_tagged(p, base, pos, in_chain); continue;
        case TOK_NOT:
            if (!p->ts || p->l.nl) return base;
            erase(p, POS(p), POS(p) + 1);
            lex_next(&p->l);
            continue;
        case TOK_LT:
        case TOK_SHL:
            if (!can_take_type_args(p)) return base;
            continue;
        default: return base;
        }
    }
}
