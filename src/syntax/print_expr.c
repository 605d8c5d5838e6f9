/* syntax/print_expr.c -- expressions. */
#include "syntax/printer.h"

static const u8 binary_level[TOK_COUNT] = {
    [TOK_COMMA] = LEVEL_COMMA,     [TOK_NULLISH] = LEVEL_NULLISH,    [TOK_OR_OR] = LEVEL_OR,
    [TOK_AND_AND] = LEVEL_AND,     [TOK_OR] = LEVEL_BIT_OR,          [TOK_XOR] = LEVEL_BIT_XOR,
    [TOK_AND] = LEVEL_BIT_AND,     [TOK_EQ] = LEVEL_EQUAL,           [TOK_NE] = LEVEL_EQUAL,
    [TOK_EQ_STRICT] = LEVEL_EQUAL, [TOK_NE_STRICT] = LEVEL_EQUAL,    [TOK_LT] = LEVEL_COMPARE,
    [TOK_GT] = LEVEL_COMPARE,      [TOK_LE] = LEVEL_COMPARE,         [TOK_GE] = LEVEL_COMPARE,
    [TOK_IN] = LEVEL_COMPARE,      [TOK_INSTANCEOF] = LEVEL_COMPARE, [TOK_SHL] = LEVEL_SHIFT,
    [TOK_SHR] = LEVEL_SHIFT,       [TOK_USHR] = LEVEL_SHIFT,         [TOK_PLUS] = LEVEL_ADD,
    [TOK_MINUS] = LEVEL_ADD,       [TOK_STAR] = LEVEL_MUL,           [TOK_SLASH] = LEVEL_MUL,
    [TOK_PERCENT] = LEVEL_MUL,     [TOK_STAR_STAR] = LEVEL_POW,
};

static void print_ident(Printer *p, Atom name)
{
    put_gap(p);
    put_name(p, name);
}

/* Does the expression that begins here need parentheses because of its first token? */
static bool at_start(const Printer *p, usize start)
{
    return start == p->out->len + 1;
}

/* ---- Lists ---- */

static void print_spread_or(Printer *p, NodeId id)
{
    const Node *n = get(p, id);
    if (n->kind == NODE_SPREAD) {
        PUT(p, "...");
        id = n->a;
    }
    print_expr(p, id, LEVEL_YIELD, 0);
}

static void print_args(Printer *p, ListId args)
{
    put_char(p, '(');
    for (u32 i = 0; i < ast_len(p->ast, args); i++) {
        if (i) {
            put_char(p, ',');
            put_space(p);
        }
        print_spread_or(p, ast_at(p->ast, args, i));
    }
    put_char(p, ')');
}

static void print_array(Printer *p, const Node *n)
{
    u32 len = ast_len(p->ast, n->a);
    put_char(p, '[');
    for (u32 i = 0; i < len; i++) {
        NodeId item = ast_at(p->ast, n->a, i);
        if (i) {
            put_char(p, ',');
            put_space(p);
        }
        if (get(p, item)->kind == NODE_HOLE) {
            if (i + 1 == len) put_char(p, ',');
        } else {
            print_spread_or(p, item);
        }
    }
    put_char(p, ']');
}

void print_key(Printer *p, NodeId key, bool computed)
{
    const Node *n = get(p, key);
    put_mark(p, n->pos);
    if (computed) {
        put_char(p, '[');
        print_expr(p, key, LEVEL_YIELD, 0);
        put_char(p, ']');
        return;
    }
    switch (n->kind) {
    case NODE_IDENT: print_ident(p, n->a); break;
    case NODE_PRIVATE_NAME:
        put_op(p, S("#"));
        put_name(p, n->a);
        break;
    default: print_expr(p, key, LEVEL_MEMBER, 0);
    }
}

static void print_method(Printer *p, PropKind kind, NodeId key, NodeId value, bool computed)
{
    const Node *fn = get(p, value);
    if (kind == PROP_GET) WORD(p, "get");
    if (kind == PROP_SET) WORD(p, "set");
    if (fn->flags & NF_ASYNC) WORD(p, "async");
    if (kind == PROP_GET || kind == PROP_SET || (fn->flags & NF_ASYNC)) {
        if (!p->minify || !computed) put_char(p, ' ');
    }
    if (fn->flags & NF_GENERATOR) put_char(p, '*');
    print_key(p, key, computed);
    print_function(p, fn, false);
}

/* Is `value` still the plain use of the name `key`? */
static bool is_shorthand(const Printer *p, NodeId key, NodeId value)
{
    const Node *k = get(p, key), *v = get(p, value);
    if (v->kind == NODE_ASSIGN_PAT) v = get(p, v->a);
    return k->kind == NODE_IDENT && v->kind == NODE_IDENT && k->a == v->a;
}

static void print_prop(Printer *p, NodeId id)
{
    const Node *n = get(p, id);
    bool computed = n->flags & NF_COMPUTED;
    switch (n->kind) {
    case NODE_SPREAD: print_spread_or(p, id); return;
    case NODE_REST:
        PUT(p, "...");
        print_binding(p, n->a);
        return;
    default: break;
    }
    switch (n->op) {
    case PROP_METHOD:
    case PROP_GET:
    case PROP_SET: print_method(p, (PropKind)n->op, n->a, n->b, computed); return;
    case PROP_SHORTHAND:
        if (is_shorthand(p, n->a, n->b)) {
            print_binding(p, n->b);
            return;
        }
        break;
    default: break;
    }
    print_key(p, n->a, computed);
    put_char(p, ':');
    put_space(p);
    print_binding(p, n->b);
}

static void print_object(Printer *p, const Node *n)
{
    u32 len = ast_len(p->ast, n->a);
    put_char(p, '{');
    bool multi = !p->minify && n->kind == NODE_OBJECT && len > 1;
    if (multi) p->indent++;
    for (u32 i = 0; i < len; i++) {
        if (i) put_char(p, ',');
        if (multi) {
            put_char(p, '\n');
            put_indent(p);
        } else {
            put_space(p);
        }
        print_prop(p, ast_at(p->ast, n->a, i));
    }
    if (multi) {
        p->indent--;
        put_char(p, '\n');
        put_indent(p);
    } else if (len) {
        put_space(p);
    }
    put_char(p, '}');
}

/* A pattern, a target, or (inside object literals) an expression. */
void print_binding(Printer *p, NodeId id)
{
    const Node *n = get(p, id);
    switch (n->kind) {
    case NODE_OBJECT_PAT: print_object(p, n); break;
    case NODE_ARRAY_PAT: {
        u32 len = ast_len(p->ast, n->a);
        put_char(p, '[');
        for (u32 i = 0; i < len; i++) {
            NodeId item = ast_at(p->ast, n->a, i);
            if (i) {
                put_char(p, ',');
                put_space(p);
            }
            if (get(p, item)->kind != NODE_HOLE)
                print_binding(p, item);
            else if (i + 1 == len)
                put_char(p, ',');
        }
        put_char(p, ']');
        break;
    }
    case NODE_ASSIGN_PAT:
        print_binding(p, n->a);
        put_space(p);
        put_char(p, '=');
        put_space(p);
        print_expr(p, n->b, LEVEL_YIELD, 0);
        break;
    case NODE_REST:
        PUT(p, "...");
        print_binding(p, n->a);
        break;
    case NODE_PARAM: print_binding(p, n->a); break;
    default: print_expr(p, id, LEVEL_YIELD, 0);
    }
}

/* ---- Literals ---- */

static void print_template(Printer *p, const Node *n)
{
    Str src = p->ast->source->text;
    u32 len = ast_len(p->ast, n->a);
    put_char(p, '`');
    for (u32 i = 0;; i++) {
        put(p, str_slice(src, ast_at(p->ast, n->b, i * 2), ast_at(p->ast, n->b, i * 2 + 1)));
        if (i == len) break;
        PUT(p, "${");
        print_expr(p, ast_at(p->ast, n->a, i), LEVEL_COMMA, 0);
        put_char(p, '}');
    }
    put_char(p, '`');
}

/* ---- Member chains ---- */

static bool is_link(const Node *n)
{
    switch (n->kind) {
    case NODE_DOT:
    case NODE_DOT_PRIVATE:
    case NODE_INDEX:
    case NODE_CALL:
    case NODE_TAGGED: return true;
    default: return false;
    }
}

static bool has_optional(const Printer *p, NodeId id)
{
    for (;;) {
        const Node *n = get(p, id);
        if (!is_link(n) || n->kind == NODE_TAGGED) return false;
        if (n->flags & NF_OPTIONAL) return true;
        id = n->a;
        if (get(p, id)->flags & NF_PAREN) return false;
    }
}

static bool link_needs_parens(const Printer *p, NodeId id, bool is_inner, u32 flags)
{
    const Node *n = get(p, id);
    if ((flags & P_NO_CALL) && n->kind == NODE_CALL) return true;
    if (is_inner && (n->flags & NF_PAREN) && has_optional(p, id)) return true;
    return (flags & P_NO_CALL) && has_optional(p, id);
}

static void print_link(Printer *p, const Node *n)
{
    bool optional = n->flags & NF_OPTIONAL;
    switch (n->kind) {
    case NODE_DOT:
        if (optional) put_char(p, '?');
        put_char(p, '.');
        put_mark(p, n->c);
        put_name(p, n->b);
        break;
    case NODE_DOT_PRIVATE:
        if (optional) put_char(p, '?');
        PUT(p, ".#");
        put(p, atom_str(p->ast->atoms, n->b));
        break;
    case NODE_INDEX:
        if (optional) PUT(p, "?.");
        put_char(p, '[');
        print_expr(p, n->b, LEVEL_COMMA, 0);
        put_char(p, ']');
        break;
    case NODE_CALL:
        if (optional) PUT(p, "?.");
        print_args(p, n->b);
        break;
    default: print_template(p, get(p, n->b));
    }
}

/* The innermost object of a chain. */
static void print_chain_base(Printer *p, NodeId id, bool before_dot, u32 flags)
{
    const Node *n = get(p, id);
    if (n->kind == NODE_NUM && before_dot) {
        usize from = p->out->len;
        print_number(p, n);
        bool plain = true;
        for (usize i = from; i < p->out->len; i++)
            plain &= IS_CLASS(p->out->p[i], CC_DIGIT) || p->out->p[i] == '_' ||
                     p->out->p[i] == ' ' || p->out->p[i] == '-';
        if (plain) put_char(p, ' ');
        return;
    }
    /* `new a` without arguments would take a call's parentheses for its own; NEW prints them. */
    print_expr(p, id, LEVEL_CALL, flags);
}

static void print_chain(Printer *p, NodeId id, u32 flags)
{
    u32 mark = p->spine.len;
    if ((get(p, id)->flags & NF_PURE) && !p->minify) PUT(p, "/* @__PURE__ */ ");
    put_mark(p, get(p, id)->pos);
    NodeId at = id;
    do {
        vec_push(p->arena, &p->spine, at);
        at = get(p, at)->a;
    } while (is_link(get(p, at)) && !link_needs_parens(p, at, true, flags));
    const Node *first = get(p, p->spine.at[p->spine.len - 1]);
    if (is_link(get(p, at))) {
        put_char(p, '(');
        print_expr(p, at, LEVEL_COMMA, 0);
        put_char(p, ')');
    } else {
        bool dot = first->kind == NODE_DOT || first->kind == NODE_DOT_PRIVATE;
        print_chain_base(p, at, dot, flags & P_NO_CALL);
    }
    while (p->spine.len > mark) {
        NodeId link = vec_pop(&p->spine);
        print_link(p, get(p, link));
    }
}

static void print_new(Printer *p, const Node *n)
{
    WORD(p, "new");
    put_char(p, ' ');
    NodeId callee = n->a;
    if (is_link(get(p, callee)) && link_needs_parens(p, callee, false, P_NO_CALL)) {
        put_char(p, '(');
        print_expr(p, callee, LEVEL_COMMA, 0);
        put_char(p, ')');
    } else if (get(p, callee)->kind == NODE_FUNC && (get(p, callee)->flags & NF_PAREN)) {
        put_char(p, '(');
        print_expr(p, callee, LEVEL_COMMA, 0);
        put_char(p, ')');
    } else {
        print_expr(p, callee, LEVEL_NEW, P_NO_CALL);
    }
    print_args(p, n->b);
}

/* ---- Operators ---- */

static void print_operator(Printer *p, Tok op)
{
    Str text = str_z(tok_name(op));
    if (op == TOK_COMMA) {
        put_char(p, ',');
        put_space(p);
    } else if (op >= TOK_WORD_FIRST) {
        put_space(p);
        put_word(p, text);
        put_space(p);
    } else {
        put_space(p);
        put_op(p, text);
        put_space(p);
    }
}

/* Parentheses that the level alone does not ask for. */
static bool mixes_nullish(Tok outer, const Node *inner)
{
    if (inner->kind != NODE_BINARY) return false;
    return outer == TOK_NULLISH && (inner->op == TOK_OR_OR || inner->op == TOK_AND_AND);
}

static Level left_level(Tok op)
{
    Level own = (Level)binary_level[op];
    return op == TOK_STAR_STAR ? LEVEL_POSTFIX : own;
}

static void print_operand(Printer *p, Tok op, NodeId id, Level level, u32 flags)
{
    if (mixes_nullish(op, get(p, id))) level = LEVEL_PREFIX;
    print_expr(p, id, level, flags);
}

/* Down the left operands while they need no parentheses, then up again. */
static void print_binary(Printer *p, NodeId id, u32 flags)
{
    u32 mark = p->spine.len;
    NodeId at = id;
    for (;;) {
        vec_push(p->arena, &p->spine, at);
        const Node *n = get(p, at);
        Tok op = (Tok)n->op;
        const Node *left = get(p, n->a);
        bool follow = left->kind == NODE_BINARY && binary_level[left->op] >= (u8)left_level(op) &&
                      !mixes_nullish(op, left) && !((flags & P_NO_IN) && left->op == TOK_IN);
        at = n->a;
        if (!follow) break;
    }
    Tok first = (Tok)get(p, p->spine.at[p->spine.len - 1])->op;
    print_operand(p, first, at, left_level(first), flags);
    while (p->spine.len > mark) {
        NodeId link = vec_pop(&p->spine);
        const Node *n = get(p, link);
        Tok op = (Tok)n->op;
        Level own = (Level)binary_level[op];
        print_operator(p, op);
        Level right = op == TOK_STAR_STAR ? own : (Level)(own + 1);
        print_operand(p, op, n->b, right, flags);
    }
}

static void print_unary(Printer *p, const Node *n, u32 flags)
{
    Tok op = (Tok)n->op;
    if (op >= TOK_WORD_FIRST) {
        put_word(p, str_z(tok_name(op)));
        put_space(p);
    } else {
        put_op(p, str_z(tok_name(op)));
    }
    print_expr(p, n->a, LEVEL_PREFIX, flags);
}

static void print_update(Printer *p, const Node *n, u32 flags)
{
    Str op = str_z(tok_name((Tok)n->op));
    if (n->flags & NF_PREFIX) {
        put_op(p, op);
        print_expr(p, n->a, LEVEL_PREFIX, flags);
    } else {
        print_expr(p, n->a, LEVEL_POSTFIX, flags);
        put_op(p, op);
    }
}

static void print_assign(Printer *p, const Node *n, u32 flags)
{
    const Node *left = get(p, n->a);
    if (left->kind == NODE_OBJECT_PAT || left->kind == NODE_ARRAY_PAT)
        print_binding(p, n->a);
    else
        print_expr(p, n->a, LEVEL_POSTFIX, flags);
    print_operator(p, (Tok)n->op);
    print_expr(p, n->b, LEVEL_YIELD, flags);
}

/* Chains in the last operand are a loop. */
static void print_cond(Printer *p, NodeId id, u32 flags)
{
    for (;;) {
        const Node *n = get(p, id);
        print_expr(p, n->a, LEVEL_NULLISH, flags);
        put_space(p);
        put_char(p, '?');
        put_space(p);
        print_expr(p, n->b, LEVEL_YIELD, 0);
        put_space(p);
        put_char(p, ':');
        put_space(p);
        NodeId last = n->c;
        if (get(p, last)->kind != NODE_COND) {
            print_expr(p, last, LEVEL_YIELD, flags);
            return;
        }
        id = last;
    }
}

/* When minifying, a single name needs no parentheses. */
static void print_arrow_params(Printer *p, ListId params)
{
    const Node *only = ast_len(p->ast, params) == 1 ? get(p, ast_at(p->ast, params, 0)) : NULL;
    if (p->minify && only && only->kind == NODE_IDENT) {
        put_mark(p, only->pos);
        print_ident(p, only->a);
    } else {
        print_params(p, params);
    }
}

static void print_arrow(Printer *p, const Node *n, u32 flags)
{
    if (n->flags & NF_ASYNC) {
        WORD(p, "async");
        put_space(p);
    }
    print_arrow_params(p, n->b);
    put_space(p);
    PUT(p, "=>");
    put_space(p);
    if (!n->a) {
        print_function_body(p, n->c, n->pos);
        return;
    }
    if (UNLIKELY(p->opt->counters != NULL)) {
        put_char(p, '(');
        put_counter(p, n->pos, true);
        PUT(p, ", ");
        print_expr(p, n->a, LEVEL_YIELD, 0);
        put_char(p, ')');
        return;
    }
    p->arrow_start = p->out->len + 1;
    print_expr(p, n->a, LEVEL_YIELD, flags & P_NO_IN);
}

static void print_yield(Printer *p, const Node *n, u32 flags)
{
    WORD(p, "yield");
    if (n->flags & NF_DELEGATE) put_char(p, '*');
    if (!n->a) return;
    put_space(p);
    print_expr(p, n->a, LEVEL_YIELD, flags);
}

static void print_import_call(Printer *p, const Node *n)
{
    WORD(p, "import");
    if (n->op == PHASE_DEFER) PUT(p, ".defer");
    if (n->op == PHASE_SOURCE) PUT(p, ".source");
    put_char(p, '(');
    print_expr(p, n->a, LEVEL_YIELD, 0);
    if (n->b) {
        put_char(p, ',');
        put_space(p);
        print_expr(p, n->b, LEVEL_YIELD, 0);
    }
    put_char(p, ')');
}

/* ---- Levels and parentheses ---- */

static Level level_of(const Node *n)
{
    switch (n->kind) {
    case NODE_BINARY: return (Level)binary_level[n->op];
    case NODE_YIELD: return LEVEL_YIELD;
    case NODE_ASSIGN:
    case NODE_ARROW: return LEVEL_ASSIGN;
    case NODE_COND: return LEVEL_COND;
    case NODE_UNARY:
    case NODE_AWAIT: return LEVEL_PREFIX;
    case NODE_UPDATE: return n->flags & NF_PREFIX ? LEVEL_PREFIX : LEVEL_POSTFIX;
    case NODE_PRIVATE_NAME: return LEVEL_SHIFT;
    default: return LEVEL_MEMBER;
    }
}

static bool needs_start_parens(const Printer *p, const Node *n)
{
    bool stmt = at_start(p, p->stmt_start), dflt = at_start(p, p->default_start);
    bool arrow = at_start(p, p->arrow_start);
    switch (n->kind) {
    case NODE_OBJECT: return stmt || arrow;
    case NODE_FUNC:
    case NODE_CLASS: return stmt || dflt;
    case NODE_ASSIGN: return (stmt || arrow) && get(p, n->a)->kind == NODE_OBJECT_PAT;
    case NODE_IDENT:
        /* `let[` would begin a declaration, `async of` a for-await, */
        if (n->a == WORD_ATOM(TOK_LET)) return stmt || at_start(p, p->for_of_start);
        return n->a == WORD_ATOM(TOK_ASYNC) && at_start(p, p->for_of_start);
    case NODE_STR: return stmt;
    default: return false;
    }
}

static void print_keyword(Printer *p, NodeKind kind)
{
    switch (kind) {
    case NODE_NULL: WORD(p, "null"); break;
    case NODE_TRUE: WORD(p, "true"); break;
    case NODE_FALSE: WORD(p, "false"); break;
    case NODE_THIS: WORD(p, "this"); break;
    case NODE_SUPER: WORD(p, "super"); break;
    case NODE_NEW_TARGET: WORD(p, "new.target"); break;
    case NODE_IMPORT_META: WORD(p, "import.meta"); break;
    default: BUG("not an expression");
    }
}

static void print_bare(Printer *p, NodeId id, u32 flags)
{
    const Node *n = get(p, id);
    switch (n->kind) {
    case NODE_IDENT: print_ident(p, n->a); break;
    case NODE_PRIVATE_NAME: print_key(p, id, false); break;
    case NODE_NUM: print_number(p, n); break;
    case NODE_BIGINT:
        put_word(p, atom_str(p->ast->atoms, n->a));
        put_char(p, 'n');
        break;
    case NODE_STR: print_string(p, n); break;
    case NODE_REGEXP:
        put_op(p, atom_str(p->ast->atoms, n->a));
        p->regexp_end = p->out->len;
        break;
    case NODE_TEMPLATE: print_template(p, n); break;
    case NODE_ARRAY: print_array(p, n); break;
    case NODE_OBJECT: print_object(p, n); break;
    case NODE_ARRAY_PAT:
    case NODE_OBJECT_PAT:
    case NODE_ASSIGN_PAT:
    case NODE_REST: print_binding(p, id); break;
    case NODE_FUNC: print_function(p, n, true); break;
    case NODE_ARROW: print_arrow(p, n, flags); break;
    case NODE_CLASS: print_class(p, n); break;
    case NODE_UNARY: print_unary(p, n, flags); break;
    case NODE_UPDATE: print_update(p, n, flags); break;
    case NODE_BINARY: print_binary(p, id, flags); break;
    case NODE_ASSIGN: print_assign(p, n, flags); break;
    case NODE_COND: print_cond(p, id, flags); break;
    case NODE_NEW: print_new(p, n); break;
    case NODE_CALL:
    case NODE_DOT:
    case NODE_DOT_PRIVATE:
    case NODE_INDEX:
    case NODE_TAGGED: print_chain(p, id, flags); break;
    case NODE_IMPORT_CALL: print_import_call(p, n); break;
    case NODE_AWAIT:
        WORD(p, "await");
        put_space(p);
        print_expr(p, n->a, LEVEL_PREFIX, flags);
        break;
    case NODE_YIELD: print_yield(p, n, flags); break;
    case NODE_SPREAD: print_spread_or(p, id); break;
    case NODE_JSX_ELEMENT: print_jsx(p, id); break;
    default: print_keyword(p, (NodeKind)n->kind);
    }
}

void print_expr(Printer *p, NodeId id, Level level, u32 flags)
{
    const Node *n = get(p, id);
    if (n->kind == NODE_IDENT && p->stmt_start != p->out->len + 1 &&
        p->for_of_start != p->out->len + 1) {
        put_mark(p, n->pos);
        print_ident(p, n->a);
        return;
    }
    if (++p->depth > PRINT_DEPTH_MAX) {
        p->too_deep = true;
        p->depth--;
        return;
    }
    bool parens = level_of(n) < level || needs_start_parens(p, n);
    if (n->kind == NODE_BINARY && n->op == TOK_IN && (flags & P_NO_IN)) parens = true;
    if (n->kind == NODE_IMPORT_CALL && (flags & P_NO_CALL)) parens = true;
    if (!parens) {
        if (!is_link(n)) put_mark(p, n->pos);
        print_bare(p, id, flags);
    } else {
        put_char(p, '(');
        put_mark(p, n->pos);
        print_bare(p, id, 0);
        put_char(p, ')');
    }
    p->depth--;
}
