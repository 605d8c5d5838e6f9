/* syntax/minify_expr.c -- expressions in fewer characters. */
#include "syntax/minifier.h"

#include <string.h>

enum { UNUSED_DEPTH_MAX = 64 };

/* ---- Conditions ---- */

static Tok opposite(Tok op)
{
    switch (op) {
    case TOK_EQ: return TOK_NE;
    case TOK_NE: return TOK_EQ;
    case TOK_EQ_STRICT: return TOK_NE_STRICT;
    case TOK_NE_STRICT: return TOK_EQ_STRICT;
    default: return TOK_NOT;
    }
}

static bool is_not(const Minify *m, NodeId id)
{
    const Node *n = min_get(m, id);
    return n->kind == NODE_UNARY && n->op == TOK_NOT;
}

static bool is_boolean(const Minify *m, NodeId id)
{
    const char *type = fold_type(&m->f, id);
    return type && !strcmp(type, "boolean");
}

/* !(a == b) is a != b; comparisons by < cannot be turned, because of NaN. */
static bool turn(Minify *m, NodeId id, NodeId operand)
{
    Node n = *min_get(m, operand);
    Tok op = n.kind == NODE_BINARY ? opposite((Tok)n.op) : TOK_NOT;
    if (op == TOK_NOT) return false;
    n.op = (u8)op;
    *ast_node(m->ast, id) = n;
    return true;
}

NodeId minify_not(Minify *m, NodeId id)
{
    const Node n = *min_get(m, id);
    if (n.kind == NODE_UNARY && n.op == TOK_NOT && is_boolean(m, n.a)) return n.a;
    NodeId not = mk_op(m->ast, NODE_UNARY, TOK_NOT, n.pos, id, 0);
    (void)turn(m, not, id);
    return not ;
}

void minify_condition(Minify *m, NodeId id)
{
    for (u32 depth = 0; depth < UNUSED_DEPTH_MAX; depth++) {
        const Node n = *min_get(m, id);
        if (n.kind == NODE_UNARY && n.op == TOK_NOT && is_not(m, n.a)) {
            set_node(&m->f, id, min_get(m, n.a)->a);
            continue;
        }
        bool logical = n.kind == NODE_BINARY && (n.op == TOK_AND_AND || n.op == TOK_OR_OR);
        if (!logical) return;
        /* a && true, a || false */
        int truth = fold_truth(&m->f, n.b);
        if (truth == (n.op == TOK_AND_AND) && fold_is_pure(&m->f, n.b)) {
            set_node(&m->f, id, n.a);
            continue;
        }
        minify_condition(m, n.b);
        id = n.a;
    }
}

static void minify_unary(Minify *m, NodeId id)
{
    const Node n = *min_get(m, id);
    const Node arg = *min_get(m, n.a);
    switch (n.op) {
    case TOK_NOT:
        if (arg.kind == NODE_UNARY && arg.op == TOK_NOT && is_boolean(m, arg.a)) {
            set_node(&m->f, id, arg.a);
            return;
        }
        minify_condition(m, n.a);
        (void)turn(m, id, n.a);
        return;
    case TOK_MINUS:
    case TOK_PLUS:
    case TOK_TILDE:
        /* -(a, b) */
        if (arg.kind == NODE_BINARY && arg.op == TOK_COMMA) {
            NodeId last = mk_op(m->ast, NODE_UNARY, (Tok)n.op, n.pos, arg.b, 0);
            Node *to = ast_node(m->ast, id);
            *to = (Node){.kind = NODE_BINARY, .op = TOK_COMMA, .pos = n.pos, .a = arg.a, .b = last};
        }
        return;
    default: return;
    }
}

/* ---- Operators ---- */

/* Both sides have one type: the third = says nothing. */
static void loosen(Minify *m, NodeId id)
{
    Node *n = ast_node(m->ast, id);
    if (n->op != TOK_EQ_STRICT && n->op != TOK_NE_STRICT) return;
    const char *x = fold_type(&m->f, n->a), *y = fold_type(&m->f, n->b);
    /* null and undefined are told apart by === only. */
    if (!x || !y || strcmp(x, y) != 0 || !strcmp(x, "object")) return;
    n->op = n->op == TOK_EQ_STRICT ? TOK_EQ : TOK_NE;
}

/* typeof x == "undefined": it is the only such word beyond "u". */
static void shorten_typeof(Minify *m, NodeId id)
{
    Node n = *min_get(m, id);
    const Node *x = min_get(m, n.a);
    Known k = fold_known(&m->f, n.b);
    if (x->kind != NODE_UNARY || x->op != TOK_TYPEOF || k.kind != KNOWN_STRING) return;
    if (!str_eq(k.text, S("undefined"))) return;
    n.op = n.op == TOK_EQ ? TOK_GT : TOK_LT;
    n.b = mk_str(m->ast, n.pos, intern(m->ast->atoms, S("u")));
    *ast_node(m->ast, id) = n;
}

/* x == undefined: null is shorter and means the same. */
static void undefined_to_null(Minify *m, NodeId id)
{
    const Node n = *min_get(m, id);
    if (!fold_is_undefined(&m->f, n.b)) return;
    NodeId null = mk(m->ast, NODE_NULL, min_get(m, n.b)->pos, 0, 0);
    ast_node(m->ast, id)->b = null;
}

static void minify_binary(Minify *m, NodeId id)
{
    loosen(m, id);
    Tok op = (Tok)min_get(m, id)->op;
    if (op != TOK_EQ && op != TOK_NE) return;
    shorten_typeof(m, id);
    op = (Tok)min_get(m, id)->op;
    if (op == TOK_EQ || op == TOK_NE) undefined_to_null(m, id);
}

static bool same_name(const Minify *m, NodeId x, NodeId y)
{
    const Node *a = min_get(m, x), *b = min_get(m, y);
    return a->kind == NODE_IDENT && b->kind == NODE_IDENT && a->a == b->a && a->b && a->b == b->b;
}

static void minify_cond(Minify *m, NodeId id)
{
    minify_condition(m, min_get(m, id)->a);
    Node n = *min_get(m, id);
    if (is_not(m, n.a) && fold_known(&m->f, n.a).kind == KNOWN_NOT) {
        NodeId b = n.b;
        n.a = min_get(m, n.a)->a;
        n.b = n.c;
        n.c = b;
        *ast_node(m->ast, id) = n;
    }
    Known yes = fold_known(&m->f, n.b), no = fold_known(&m->f, n.c);
    bool bools = yes.kind == KNOWN_BOOL && no.kind == KNOWN_BOOL && yes.number != no.number;
    if (bools && !fold_is_ref(&m->f, id)) {
        bool plain = is_boolean(m, n.a);
        if (yes.number != 0 && plain) {
            set_node(&m->f, id, n.a);
        } else {
            NodeId not = minify_not(m, n.a);
            if (yes.number != 0) not = mk_op(m->ast, NODE_UNARY, TOK_NOT, n.pos, not, 0);
            set_node(&m->f, id, not );
        }
    } else if (same_name(m, n.a, n.b)) {
        *ast_node(m->ast, id) =
            (Node){.kind = NODE_BINARY, .op = TOK_OR_OR, .pos = n.pos, .a = n.a, .b = n.c};
    } else if (same_name(m, n.a, n.c)) {
        *ast_node(m->ast, id) =
            (Node){.kind = NODE_BINARY, .op = TOK_AND_AND, .pos = n.pos, .a = n.a, .b = n.b};
    }
}

static Tok assign_operator(Tok op)
{
    switch (op) {
    case TOK_PLUS: return TOK_ASSIGN_ADD;
    case TOK_MINUS: return TOK_ASSIGN_SUB;
    case TOK_STAR: return TOK_ASSIGN_MUL;
    case TOK_SLASH: return TOK_ASSIGN_DIV;
    case TOK_PERCENT: return TOK_ASSIGN_MOD;
    case TOK_STAR_STAR: return TOK_ASSIGN_POW;
    case TOK_SHL: return TOK_ASSIGN_SHL;
    case TOK_SHR: return TOK_ASSIGN_SHR;
    case TOK_USHR: return TOK_ASSIGN_USHR;
    case TOK_AND: return TOK_ASSIGN_AND;
    case TOK_OR: return TOK_ASSIGN_OR;
    case TOK_XOR: return TOK_ASSIGN_XOR;
    default: return TOK_ASSIGN;
    }
}

/* a = a + b */
static void minify_assign(Minify *m, NodeId id)
{
    Node n = *min_get(m, id);
    if (n.op != TOK_ASSIGN || !min_is(m, n.b, NODE_BINARY)) return;
    const Node *value = min_get(m, n.b);
    Tok op = assign_operator((Tok)value->op);
    if (op == TOK_ASSIGN || !same_name(m, n.a, value->a)) return;
    n.op = (u8)op;
    n.b = value->b;
    *ast_node(m->ast, id) = n;
}

/* ---- Members ---- */

/* A decimal number that is written as JavaScript would write it. */
static bool is_index(Str s, u64 *ret)
{
    return str_to_u64(s, ret) && s.n <= 10 && (s.n == 1 || s.p[0] != '0');
}

static bool is_all_ascii(Str s)
{
    for (usize i = 0; i < s.n; i++)
        if ((u8)s.p[i] >= 0x80) return false;
    return true;
}

/* "abc"[1], [a, b][0] */
static bool fold_element(Minify *m, NodeId id, const Node *n)
{
    Known key = fold_known(&m->f, n->b), text = fold_known(&m->f, n->a);
    f64 i = key.number;
    if (key.kind != KNOWN_NUMBER || i < 0 || i != (f64)(u32)i || fold_is_ref(&m->f, id))
        return false;
    if (text.kind == KNOWN_STRING && is_all_ascii(text.text) && i < (f64)text.text.n) {
        set_text(&m->f, id, str_slice(text.text, (usize)i, (usize)i + 1));
        return true;
    }
    const Node *array = min_get(m, n->a);
    if (array->kind != NODE_ARRAY || i >= ast_len(m->ast, array->a)) return false;
    NodeId item = ast_at(m->ast, array->a, (u32)i);
    bool hole = min_is(m, item, NODE_HOLE);
    for (u32 k = 0; k < ast_len(m->ast, array->a); k++) {
        NodeId other = ast_at(m->ast, array->a, k);
        if (min_is(m, other, NODE_SPREAD)) return false;
        if (other != item && !fold_is_pure(&m->f, other)) return false;
    }
    if (hole) return false; /* the prototype may have an element there */
    set_node(&m->f, id, item);
    return true;
}

/* a["b"] */
static void minify_index(Minify *m, NodeId id)
{
    Node n = *min_get(m, id);
    if (!(n.flags & NF_OPTIONAL) && fold_element(m, id, &n)) return;
    const Node *key = min_get(m, n.b);
    if (key->kind != NODE_STR) return;
    Str text = atom_str(m->ast->atoms, key->a);
    u64 v;
    if (fold_is_name(text)) {
        n.kind = NODE_DOT;
        n.c = key->pos;
        n.b = key->a;
        *ast_node(m->ast, id) = n;
    } else if (is_index(text, &v)) {
        NodeId num = mk_num(m->ast, key->pos, (f64)v);
        ast_node(m->ast, id)->b = num;
    }
}

/* "abc".length, ({ a: x }).a */
static void minify_dot(Minify *m, NodeId id)
{
    const Node n = *min_get(m, id);
    Known k = fold_known(&m->f, n.a);
    Str name = atom_str(m->ast->atoms, n.b);
    if (fold_is_ref(&m->f, id) || (n.flags & NF_OPTIONAL)) return;
    if (k.kind == KNOWN_STRING && is_all_ascii(k.text) && str_eq(name, S("length"))) {
        set_number(&m->f, id, (f64)k.text.n);
        return;
    }
    const Node *object = min_get(m, n.a);
    if (object->kind != NODE_OBJECT || ast_len(m->ast, object->a) != 1) return;
    const Node *prop = min_get(m, ast_at(m->ast, object->a, 0));
    bool plain = prop->kind == NODE_PROP && (prop->op == PROP_INIT || prop->op == PROP_SHORTHAND) &&
                 !(prop->flags & NF_COMPUTED) && min_is(m, prop->a, NODE_IDENT);
    if (plain && min_get(m, prop->a)->a == n.b && !str_eq(name, S("__proto__")))
        set_node(&m->f, id, prop->b);
}

static bool is_identifier_key(const Minify *m, const Node *key)
{
    return key->kind == NODE_STR && fold_is_name(atom_str(m->ast->atoms, key->a));
}

/* { a: a }; but { __proto__: x } is no property. */
static void set_shorthand(Minify *m, NodeId id)
{
    Node *n = ast_node(m->ast, id);
    if (n->kind != NODE_PROP || n->op != PROP_INIT) return;
    const Node *key = min_get(m, n->a), *value = min_get(m, n->b);
    if (value->kind == NODE_ASSIGN_PAT) value = min_get(m, value->a);
    bool same = key->kind == NODE_IDENT && value->kind == NODE_IDENT && key->a == value->a;
    if (same && !str_eq(atom_str(m->ast->atoms, key->a), S("__proto__"))) n->op = PROP_SHORTHAND;
}

/* { "a": b }, { ["a"]: b } */
static void minify_key(Minify *m, NodeId id)
{
    Node n = *min_get(m, id);
    const Node *key = min_get(m, n.a);
    Str text;
    if (key->kind == NODE_IDENT && !(n.flags & NF_COMPUTED)) set_shorthand(m, id);
    if (key->kind != NODE_STR) return;
    text = atom_str(m->ast->atoms, key->a);
    bool special = str_eq(text, S("__proto__")) || str_eq(text, S("constructor")) ||
                   str_eq(text, S("prototype")) || str_starts(text, S("#"));
    if (special) return;
    if (n.flags & NF_COMPUTED) ast_node(m->ast, id)->flags = (u16)(n.flags & ~NF_COMPUTED);
    if (!is_identifier_key(m, key)) return;
    NodeId name = mk_ident(m->ast, key->pos, key->a);
    ast_node(m->ast, id)->a = name;
    set_shorthand(m, id);
}

/* ---- Lists and calls ---- */

/* [...[a, b]] */
static ListId flatten_spreads(Minify *m, ListId list)
{
    bool any = false;
    for (u32 i = 0; i < ast_len(m->ast, list); i++) {
        NodeId id = ast_at(m->ast, list, i);
        any |= min_is(m, id, NODE_SPREAD) && min_is(m, min_get(m, id)->a, NODE_ARRAY);
    }
    if (!any) return list;
    NodeVec out = {0};
    for (u32 i = 0; i < ast_len(m->ast, list); i++) {
        NodeId id = ast_at(m->ast, list, i);
        NodeId inner = min_is(m, id, NODE_SPREAD) ? min_get(m, id)->a : 0;
        if (!min_is(m, inner, NODE_ARRAY)) {
            vec_push(m->arena, &out, id);
            continue;
        }
        ListId items = min_get(m, inner)->a;
        for (u32 k = 0; k < ast_len(m->ast, items); k++) {
            NodeId item = ast_at(m->ast, items, k);
            /* Spreading a hole gives undefined. */
            if (min_is(m, item, NODE_HOLE)) set_undefined(&m->f, item);
            vec_push(m->arena, &out, item);
        }
    }
    return ast_list(m->ast, out.at, out.len);
}

/* new Object(), new Array(a, b) */
static bool fold_constructor(Minify *m, NodeId id)
{
    const Node n = *min_get(m, id);
    u32 len = ast_len(m->ast, n.b);
    bool object = fold_is_global(&m->f, n.a, "Object"), array = fold_is_global(&m->f, n.a, "Array");
    if (n.flags & NF_OPTIONAL) return false;
    if (object && len == 1 && min_is(m, ast_at(m->ast, n.b, 0), NODE_OBJECT)) {
        set_node(&m->f, id, ast_at(m->ast, n.b, 0));
        return true;
    }
    bool nothing = !len || (len == 1 && min_is(m, ast_at(m->ast, n.b, 0), NODE_NULL));
    if (object && nothing) {
        *ast_node(m->ast, id) = (Node){.kind = NODE_OBJECT, .pos = n.pos};
        return true;
    }
    for (u32 i = 0; i < len; i++) array &= !min_is(m, ast_at(m->ast, n.b, i), NODE_SPREAD);
    if (!array || len == 1) return false;
    *ast_node(m->ast, id) = (Node){.kind = NODE_ARRAY, .pos = n.pos, .a = n.b};
    return true;
}

/* "abc".charCodeAt(1) */
static void fold_char_code(Minify *m, NodeId id)
{
    const Node n = *min_get(m, id);
    const Node *callee = min_get(m, n.a);
    if (callee->kind != NODE_DOT || ((n.flags | callee->flags) & NF_OPTIONAL)) return;
    if (!str_eq(atom_str(m->ast->atoms, callee->b), S("charCodeAt"))) return;
    Known k = fold_known(&m->f, callee->a);
    if (k.kind != KNOWN_STRING || !is_all_ascii(k.text) || ast_len(m->ast, n.b) != 1) return;
    Known i = fold_known(&m->f, ast_at(m->ast, n.b, 0));
    if (i.kind != KNOWN_NUMBER || !(i.number >= 0 && i.number < (f64)k.text.n)) return;
    set_number(&m->f, id, (f64)(u8)k.text.p[(usize)i.number]);
}

static void minify_call(Minify *m, NodeId id)
{
    ListId args = flatten_spreads(m, min_get(m, id)->b);
    ast_node(m->ast, id)->b = args;
    if (fold_constructor(m, id)) return;
    if (min_get(m, id)->kind == NODE_CALL) fold_char_code(m, id);
}

/* ---- Literals ---- */

static void minify_ident(Minify *m, NodeId id)
{
    const Node n = *min_get(m, id);
    if (fold_is_ref(&m->f, id)) return;
    if (fold_is_global(&m->f, id, "undefined")) {
        set_undefined(&m->f, id);
    } else if (fold_is_global(&m->f, id, "Infinity")) {
        NodeId one = mk_num(m->ast, n.pos, 1), zero = mk_num(m->ast, n.pos, 0);
        *ast_node(m->ast, id) =
            (Node){.kind = NODE_BINARY, .op = TOK_SLASH, .pos = n.pos, .a = one, .b = zero};
    }
}

/* All parts are known: a string.  `a` stays a template when it has line breaks, which strings have
 * to escape. */
static void minify_template(Minify *m, NodeId id)
{
    const Node n = *min_get(m, id);
    AUTO(Buf) text = {0};
    u32 len = ast_len(m->ast, n.a);
    if (fold_is_ref(&m->f, id)) return;
    for (u32 i = 0;; i++) {
        Str raw = str_slice(m->ast->source->text, ast_at(m->ast, n.b, i * 2),
                            ast_at(m->ast, n.b, i * 2 + 1));
        if (memchr(raw.p, '\\', raw.n) || memchr(raw.p, '\r', raw.n)) return;
        if (!len && memchr(raw.p, '\n', raw.n)) return;
        buf_push(&text, raw);
        if (i == len) break;
        Str part;
        NodeId value = ast_at(m->ast, n.a, i);
        if (!fold_text(&m->f, value, &part)) return;
        buf_push(&text, part);
    }
    set_text(&m->f, id, buf_str(&text));
}

void minify_expr(Minify *m, NodeId id)
{
    switch (min_get(m, id)->kind) {
    case NODE_TRUE: set_bool(&m->f, id, true); break;
    case NODE_FALSE: set_bool(&m->f, id, false); break;
    case NODE_IDENT: minify_ident(m, id); break;
    case NODE_TEMPLATE: minify_template(m, id); break;
    case NODE_UNARY: minify_unary(m, id); break;
    case NODE_BINARY: minify_binary(m, id); break;
    case NODE_COND: minify_cond(m, id); break;
    case NODE_ASSIGN: minify_assign(m, id); break;
    case NODE_INDEX: minify_index(m, id); break;
    case NODE_DOT: minify_dot(m, id); break;
    case NODE_PROP:
    case NODE_MEMBER: minify_key(m, id); break;
    case NODE_ARRAY: {
        ListId list = flatten_spreads(m, min_get(m, id)->a);
        ast_node(m->ast, id)->a = list;
        break;
    }
    case NODE_CALL:
    case NODE_NEW: minify_call(m, id); break;
    default: break;
    }
}

/* ---- Values that nobody uses ---- */

NodeId minify_comma(Minify *m, NodeId x, NodeId y)
{
    return mk_op(m->ast, NODE_BINARY, TOK_COMMA, min_get(m, x)->pos, x, y);
}

static NodeId unused(Minify *m, NodeId id, u32 depth);

static NodeId unused_binary(Minify *m, NodeId id, u32 depth)
{
    const Node n = *min_get(m, id);
    NodeId right;
    switch (n.op) {
    case TOK_AND_AND:
    case TOK_OR_OR:
    case TOK_NULLISH:
        right = unused(m, n.b, depth);
        if (!right) return unused(m, n.a, depth);
        ast_node(m->ast, id)->b = right;
        if (n.op != TOK_NULLISH && is_not(m, n.a) && fold_known(&m->f, n.a).kind == KNOWN_NOT) {
            NodeId test = min_get(m, n.a)->a;
            ast_node(m->ast, id)->a = test;
            ast_node(m->ast, id)->op = n.op == TOK_AND_AND ? TOK_OR_OR : TOK_AND_AND;
        }
        return id;
    case TOK_COMMA:
    case TOK_EQ_STRICT:
    case TOK_NE_STRICT: {
        NodeId left = unused(m, n.a, depth);
        right = unused(m, n.b, depth);
        if (!left || !right) return left ? left : right;
        ast_node(m->ast, id)->a = left;
        ast_node(m->ast, id)->b = right;
        ast_node(m->ast, id)->op = TOK_COMMA;
        return id;
    }
    default: return id;
    }
}

static NodeId unused_cond(Minify *m, NodeId id, u32 depth)
{
    const Node n = *min_get(m, id);
    NodeId yes = unused(m, n.b, depth), no = unused(m, n.c, depth);
    if (!yes && !no) return unused(m, n.a, depth);
    if (yes && no) {
        ast_node(m->ast, id)->b = yes;
        ast_node(m->ast, id)->c = no;
        return id;
    }
    Tok op = yes ? TOK_AND_AND : TOK_OR_OR;
    return mk_op(m->ast, NODE_BINARY, op, n.pos, n.a, yes ? yes : no);
}

/* A pure call: only its arguments count. */
static NodeId unused_call(Minify *m, NodeId id, u32 depth)
{
    ListId args = min_get(m, id)->b;
    NodeId all = 0;
    for (u32 i = 0; i < ast_len(m->ast, args); i++)
        if (min_is(m, ast_at(m->ast, args, i), NODE_SPREAD)) return id;
    for (u32 i = 0; i < ast_len(m->ast, args); i++) {
        NodeId arg = unused(m, ast_at(m->ast, args, i), depth);
        if (arg) all = all ? minify_comma(m, all, arg) : arg;
    }
    return all;
}

static NodeId unused(Minify *m, NodeId id, u32 depth)
{
    if (fold_is_pure(&m->f, id)) return 0;
    const Node n = *min_get(m, id);
    if (depth >= UNUSED_DEPTH_MAX) return id;
    switch (n.kind) {
    case NODE_CALL:
    case NODE_NEW: return n.flags & NF_PURE ? unused_call(m, id, depth + 1) : id;
    case NODE_BINARY: return unused_binary(m, id, depth + 1);
    case NODE_COND: return unused_cond(m, id, depth + 1);
    case NODE_UNARY:
        if (n.op == TOK_NOT || n.op == TOK_VOID) return unused(m, n.a, depth + 1);
        if (n.op == TOK_TYPEOF && !min_is(m, n.a, NODE_IDENT)) return unused(m, n.a, depth + 1);
        return id;
    default: return id;
    }
}

NodeId minify_unused(Minify *m, NodeId id)
{
    return unused(m, id, 0);
}
