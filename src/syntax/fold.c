/* syntax/fold.c -- expressions with a known value, dead branches. */
#include "syntax/fold.h"

#include "syntax/number.h"
#include "syntax/walk.h"

#include <math.h>
#include <string.h>

enum {
    TEXT_MAX = 4096, /* longer strings are not joined: joining them one by one is quadratic */
    /* Functions and names inside dead statements are looked for again when what is around these is
     * dead, too.  No more than so many times the nodes of the file: what is left then stays. */
    SCANS_MAX = 8,
};

/* ---- Replacing ---- */

void set_node(Fold *f, NodeId id, NodeId other)
{
    Node n = *ast_node(f->ast, other);
    /* An optional chain that ended here still does. */
    n.flags |= NF_PAREN;
    *ast_node(f->ast, id) = n;
}

void set_undefined(Fold *f, NodeId id)
{
    u32 pos = fold_get(f, id)->pos;
    NodeId zero = mk_num(f->ast, pos, 0);
    *ast_node(f->ast, id) = (Node){.kind = NODE_UNARY, .op = TOK_VOID, .pos = pos, .a = zero};
}

void set_nothing(Ast *t, NodeId id)
{
    *ast_node(t, id) = (Node){.kind = NODE_TYPE_DECL, .pos = ast_node(t, id)->pos};
}

void set_bool(Fold *f, NodeId id, bool v)
{
    u32 pos = fold_get(f, id)->pos;
    if (!f->minify) {
        *ast_node(f->ast, id) = (Node){.kind = v ? NODE_TRUE : NODE_FALSE, .pos = pos};
        return;
    }
    NodeId num = mk_num(f->ast, pos, v ? 0 : 1);
    *ast_node(f->ast, id) = (Node){.kind = NODE_UNARY, .op = TOK_NOT, .pos = pos, .a = num};
}

void set_number(Fold *f, NodeId id, f64 v)
{
    u32 pos = fold_get(f, id)->pos;
    bool minus = signbit(v) && !isnan(v);
    NodeId num = mk_num(f->ast, pos, minus ? -v : v);
    if (minus)
        *ast_node(f->ast, id) = (Node){.kind = NODE_UNARY, .op = TOK_MINUS, .pos = pos, .a = num};
    else
        *ast_node(f->ast, id) = *ast_node(f->ast, num);
}

void set_text(Fold *f, NodeId id, Str text)
{
    u32 pos = fold_get(f, id)->pos;
    Atom atom = intern_dup(f->ast->atoms, text);
    *ast_node(f->ast, id) = (Node){.kind = NODE_STR, .pos = pos, .a = atom};
}

/* ---- References ---- */

void fold_mark_refs(Fold *f, Arena *a)
{
    f->n_refs = f->ast->n_nodes;
    f->refs = ARENA_ARRAY(a, u64, f->n_refs / 64 + 1);
    ast_mark_targets(f->ast, f->refs);
    for (NodeId i = 1; i < f->n_refs; i++) {
        const Node *n = fold_get(f, i);
        bool unary = n->kind == NODE_UNARY && (n->op == TOK_DELETE || n->op == TOK_TYPEOF);
        if (unary || n->kind == NODE_CALL || n->kind == NODE_TAGGED) ast_mark(f->refs, n->a);
        if (n->kind == NODE_TAGGED) ast_mark(f->refs, n->b);
        if (n->kind == NODE_WITH) f->has_with = true;
    }
}

/* May `other` stand for `id`, where `id` was no reference? */
static bool can_replace(const Fold *f, NodeId id, NodeId other)
{
    if (!fold_is_ref(f, id)) return true;
    switch (fold_get(f, other)->kind) {
    case NODE_IDENT:
    case NODE_DOT:
    case NODE_DOT_PRIVATE:
    case NODE_INDEX: return false;
    default: return true;
    }
}

static void replace(Fold *f, NodeId id, NodeId other)
{
    if (can_replace(f, id, other)) set_node(f, id, other);
}

/* ---- Equality and comparison ---- */

/* 1, 0, or -1. */
static int strict_equal(Known x, Known y)
{
    if (!x.kind || !y.kind) return -1;
    if (x.kind != y.kind) return 0;
    switch (x.kind) {
    case KNOWN_BOOL:
    case KNOWN_NUMBER: return x.number == y.number;
    case KNOWN_STRING: return str_eq(x.text, y.text);
    case KNOWN_BIGINT: return -1;
    default: return 1;
    }
}

static int loose_equal(Known x, Known y)
{
    bool x_null = x.kind == KNOWN_NULL || x.kind == KNOWN_UNDEFINED;
    bool y_null = y.kind == KNOWN_NULL || y.kind == KNOWN_UNDEFINED;
    if (!x.kind || !y.kind) return -1;
    if (x_null || y_null) return x_null && y_null;
    return x.kind == y.kind ? strict_equal(x, y) : -1;
}

static bool is_ascii(Str s)
{
    for (usize i = 0; i < s.n; i++)
        if ((u8)s.p[i] >= 0x80) return false;
    return true;
}

static int compare(Tok op, Known x, Known y)
{
    bool less, equal;
    if (x.kind != y.kind) return -1;
    if (x.kind == KNOWN_NUMBER) {
        if (isnan(x.number) || isnan(y.number)) return 0;
        less = x.number < y.number;
        equal = x.number == y.number;
    } else if (x.kind == KNOWN_STRING && is_ascii(x.text) && is_ascii(y.text)) {
        int c = str_cmp(x.text, y.text);
        less = c < 0;
        equal = !c;
    } else {
        return -1;
    }
    switch (op) {
    case TOK_LT: return less;
    case TOK_LE: return less || equal;
    case TOK_GT: return !less && !equal;
    default: return !less;
    }
}

static int compare_known(const Fold *f, const Node *n)
{
    Known x = fold_known(f, n->a), y = fold_known(f, n->b);
    int r;
    switch (n->op) {
    case TOK_EQ_STRICT: return strict_equal(x, y);
    case TOK_NE_STRICT: r = strict_equal(x, y); return r < 0 ? r : !r;
    case TOK_EQ: return loose_equal(x, y);
    case TOK_NE: r = loose_equal(x, y); return r < 0 ? r : !r;
    case TOK_LT:
    case TOK_LE:
    case TOK_GT:
    case TOK_GE: return compare((Tok)n->op, x, y);
    default: return -1;
    }
}

/* ---- Arithmetic ---- */

static i32 to_int32(f64 v)
{
    if (!isfinite(v)) return 0;
    f64 m = fmod(trunc(v), 4294967296.0);
    return (i32)(u32)(i64)m;
}

static bool bitwise(Tok op, f64 x, f64 y, f64 *ret)
{
    i32 a = to_int32(x), b = to_int32(y);
    u32 shift = (u32)b & 31;
    switch (op) {
    case TOK_AND: *ret = a & b; return true;
    case TOK_OR: *ret = a | b; return true;
    case TOK_XOR: *ret = a ^ b; return true;
    case TOK_SHL: *ret = (i32)((u32)a << shift); return true;
    case TOK_SHR: *ret = a >> shift; return true;
    case TOK_USHR: *ret = (u32)a >> shift; return true;
    default: return false;
    }
}

static bool arithmetic(Tok op, f64 x, f64 y, f64 *ret)
{
    switch (op) {
    case TOK_PLUS: *ret = x + y; return true;
    case TOK_MINUS: *ret = x - y; return true;
    case TOK_STAR: *ret = x * y; return true;
    case TOK_SLASH: *ret = x / y; return true;
    case TOK_PERCENT: *ret = fmod(x, y); return true;
    case TOK_STAR_STAR:
        *ret = pow(x, y);
        /* Where libraries may differ in the last place it is left alone. */
        return x == floor(x) && y == floor(y) && fabs(*ret) < 9007199254740992.0 &&
               *ret == floor(*ret) && y >= 0;
    default: return bitwise(op, x, y, ret);
    }
}

static usize literal_length(f64 v)
{
    char text[NUMBER_TEXT_MAX];
    return number_text_short(fabs(v), text) + (signbit(v) ? 1 : 0);
}

/* Only when the result is not longer than what it stands for. */
static bool fold_arithmetic(Fold *f, NodeId id)
{
    const Node n = *fold_get(f, id);
    Known x = fold_known(f, n.a), y = fold_known(f, n.b);
    f64 v;
    if (x.kind != KNOWN_NUMBER || y.kind != KNOWN_NUMBER) return false;
    if (!isfinite(x.number) || !isfinite(y.number)) return false;
    if (!arithmetic((Tok)n.op, x.number, y.number, &v) || !isfinite(v)) return false;
    if (literal_length(v) > literal_length(x.number) + literal_length(y.number) + 2) return false;
    set_number(f, id, v);
    return true;
}

/* ---- Text ---- */

/* String(v) for what concatenation may be given. */
static bool text_of(Fold *f, Known k, Str *ret)
{
    char buf[NUMBER_TEXT_MAX];
    switch (k.kind) {
    case KNOWN_STRING: *ret = k.text; return true;
    case KNOWN_UNDEFINED: *ret = S("undefined"); return true;
    case KNOWN_NULL: *ret = S("null"); return true;
    case KNOWN_BOOL: *ret = k.number != 0 ? S("true") : S("false"); return true;
    case KNOWN_NUMBER:
        if (!isfinite(k.number)) return false;
        *ret = str_dup(f->arena, (Str){buf, number_text(k.number, buf)});
        return true;
    default: return false;
    }
}

bool fold_text(Fold *f, NodeId id, Str *ret)
{
    return text_of(f, fold_known(f, id), ret);
}

/* A high surrogate at the end of one and a low one at the start of the other would have to join. */
static bool can_join(Str x, Str y)
{
    bool high = x.n >= 3 && (u8)x.p[x.n - 3] == 0xed && ((u8)x.p[x.n - 2] & 0xf0) == 0xa0;
    bool low = y.n >= 3 && (u8)y.p[0] == 0xed && (u8)y.p[1] >= 0xb0;
    return x.n + y.n <= TEXT_MAX && !(high && low);
}

static bool fold_concat(Fold *f, NodeId id)
{
    const Node n = *fold_get(f, id);
    Known x = fold_known(f, n.a), y = fold_known(f, n.b);
    Str xs, ys;
    if (!y.kind || !text_of(f, y, &ys)) return false;
    if (x.kind) {
        if (x.kind != KNOWN_STRING && y.kind != KNOWN_STRING) return false;
        if (!text_of(f, x, &xs) || !can_join(xs, ys)) return false;
        set_text(f, id, str_concat(f->arena, xs, ys));
        return true;
    }
    /* (a + "x") + "y" */
    const Node left = *fold_get(f, n.a);
    if (left.kind != NODE_BINARY || left.op != TOK_PLUS) return false;
    Known mid = fold_known(f, left.b);
    if (mid.kind != KNOWN_STRING || !can_join(mid.text, ys)) return false;
    set_text(f, left.b, str_concat(f->arena, mid.text, ys));
    set_node(f, id, n.a);
    return true;
}

/* ---- Operators ---- */

static void fold_logical(Fold *f, NodeId id)
{
    const Node n = *fold_get(f, id);
    if (n.op == TOK_NULLISH) {
        KnownKind k = fold_known(f, n.a).kind;
        if (k == KNOWN_NULL || k == KNOWN_UNDEFINED)
            replace(f, id, n.b);
        else if (k || fold_type(f, n.a))
            replace(f, id, n.a);
        return;
    }
    int truth = fold_truth(f, n.a);
    if (truth < 0) return;
    bool takes_right = (n.op == TOK_AND_AND) == (truth == 1);
    if (!takes_right)
        replace(f, id, n.a);
    else if (fold_is_pure(f, n.a))
        replace(f, id, n.b);
}

/* `x = (0, function () {})` keeps it from being called x. */
static bool is_anonymous(const Fold *f, NodeId id)
{
    const Node *n = fold_get(f, id);
    return n->kind == NODE_ARROW || ((n->kind == NODE_FUNC || n->kind == NODE_CLASS) && !n->a);
}

static void fold_comma(Fold *f, NodeId id)
{
    const Node n = *fold_get(f, id);
    if (f->minify && !is_anonymous(f, n.b) && fold_is_pure(f, n.a)) replace(f, id, n.b);
}

static void fold_binary(Fold *f, NodeId id)
{
    const Node *n = fold_get(f, id);
    switch (n->op) {
    case TOK_AND_AND:
    case TOK_OR_OR:
    case TOK_NULLISH: fold_logical(f, id); return;
    case TOK_COMMA: fold_comma(f, id); return;
    default: break;
    }
    int r = compare_known(f, n);
    if (r >= 0)
        set_bool(f, id, r);
    else if (f->minify && !(n->op == TOK_PLUS && fold_concat(f, id)))
        (void)fold_arithmetic(f, id);
}

/* The number that + makes of a text, for plain ones. */
static bool plain_number(Str s, f64 *ret)
{
    u64 v;
    if (s.n > 15 || !str_to_u64(s, &v)) return false;
    *ret = (f64)v;
    return true;
}

static void fold_sign(Fold *f, NodeId id, Tok op)
{
    Known k = fold_known(f, fold_get(f, id)->a);
    f64 v = k.number;
    if (op == TOK_TILDE && k.kind == KNOWN_NUMBER) {
        set_number(f, id, ~to_int32(v));
    } else if (op == TOK_PLUS && k.kind == KNOWN_NUMBER) {
        set_node(f, id, fold_get(f, id)->a);
    } else if (op == TOK_PLUS && k.kind == KNOWN_STRING && plain_number(k.text, &v)) {
        set_number(f, id, v);
    } else if (op == TOK_MINUS && k.kind == KNOWN_NUMBER && signbit(v) && !isnan(v)) {
        set_number(f, id, -v);
    }
}

static void fold_unary(Fold *f, NodeId id)
{
    const Node n = *fold_get(f, id);
    switch (n.op) {
    case TOK_NOT: {
        int truth = fold_truth(f, n.a);
        /* `!0` is how booleans are written. */
        bool literal =
            f->minify && fold_get(f, n.a)->kind == NODE_NUM && ast_num(fold_get(f, n.a)) <= 1;
        if (truth >= 0 && !literal && fold_is_pure(f, n.a)) set_bool(f, id, !truth);
        return;
    }
    case TOK_TYPEOF: {
        const char *type = fold_type(f, n.a);
        if (type && fold_is_pure(f, n.a)) set_text(f, id, str_z(type));
        return;
    }
    default:
        if (f->minify) fold_sign(f, id, (Tok)n.op);
    }
}

static void fold_cond(Fold *f, NodeId id)
{
    const Node n = *fold_get(f, id);
    int truth = fold_truth(f, n.a);
    if (truth >= 0 && fold_is_pure(f, n.a)) replace(f, id, truth ? n.b : n.c);
}

void fold_expr(Fold *f, NodeId id)
{
    switch (fold_get(f, id)->kind) {
    case NODE_BINARY: fold_binary(f, id); break;
    case NODE_UNARY: fold_unary(f, id); break;
    case NODE_COND: fold_cond(f, id); break;
    default: break;
    }
}

/* ---- Dead statements ---- */

typedef struct {
    Fold *f;
    Vec(NodeId) todo, names;
    Arena *arena;
    bool has_function;
} Hoisted;

static void hoisted_names(Hoisted *h, NodeId pattern)
{
    u32 from = h->todo.len;
    vec_push(h->arena, &h->todo, pattern);
    while (h->todo.len > from) {
        NodeId id = vec_pop(&h->todo);
        const Node *n = fold_get(h->f, id);
        switch (n->kind) {
        case NODE_IDENT: vec_push(h->arena, &h->names, id); break;
        case NODE_ARRAY_PAT:
        case NODE_OBJECT_PAT:
            for (u32 i = 0; i < ast_len(h->f->ast, n->a); i++)
                vec_push(h->arena, &h->todo, ast_at(h->f->ast, n->a, i));
            break;
        case NODE_PROP: vec_push(h->arena, &h->todo, n->b); break;
        case NODE_ASSIGN_PAT:
        case NODE_REST: vec_push(h->arena, &h->todo, n->a); break;
        default: break;
        }
    }
}

/* Adds the statements inside one. */
static void hoisted_children(Hoisted *h, const Node *n)
{
    const u32 slots[] = {n->a, n->b, n->c, n->d};
    for (u32 i = 0; i < COUNT(slots); i++) {
        char c = ast_slot((NodeKind)n->kind, i);
        if (c == 'N' && slots[i]) vec_push(h->arena, &h->todo, slots[i]);
        if (c != 'L') continue;
        for (u32 k = 0; k < ast_len(h->f->ast, slots[i]); k++)
            vec_push(h->arena, &h->todo, ast_at(h->f->ast, slots[i], k));
    }
}

static void hoisted_visit(Hoisted *h, NodeId id)
{
    const Node n = *fold_get(h->f, id);
    switch (n.kind) {
    case NODE_VAR:
        for (u32 i = 0; i < ast_len(h->f->ast, n.a) && n.op == VAR_VAR; i++)
            hoisted_names(h, fold_get(h->f, ast_at(h->f->ast, n.a, i))->a);
        break;
    case NODE_FUNC_DECL: h->has_function = true; break;
    case NODE_BLOCK:
    case NODE_IF:
    case NODE_FOR:
    case NODE_FOR_IN:
    case NODE_FOR_OF:
    case NODE_WHILE:
    case NODE_DO:
    case NODE_TRY:
    case NODE_SWITCH:
    case NODE_CASE:
    case NODE_LABELED:
    case NODE_WITH: hoisted_children(h, &n); break;
    default: break;
    }
}

bool fold_hoisted(Fold *f, NodeId stmt, NodeId *ret)
{
    AUTO(Scratch) s = scratch_begin(f->arena);
    Hoisted h = {.f = f, .arena = s.arena};
    if (f->n_scanned > (u64)SCANS_MAX * f->n_refs) return false;
    vec_push(s.arena, &h.todo, stmt);
    for (; h.todo.len; f->n_scanned++) hoisted_visit(&h, vec_pop(&h.todo));
    f->n_scanned += h.names.len;
    const Node *root = fold_get(f, f->ast->root);
    bool strict = f->ast->is_module || (root->flags & NF_STRICT);
    *ret = 0;
    if (h.has_function && !strict) return false;
    if (!h.names.len) return true;
    Vec(NodeId) decls = {0};
    u32 pos = fold_get(f, stmt)->pos;
    for (u32 i = 0; i < h.names.len; i++) {
        Node name = *fold_get(f, h.names.at[i]);
        NodeId copy = ast_add(f->ast, name);
        vec_push(s.arena, &decls, mk(f->ast, NODE_DECLARATOR, name.pos, copy, 0));
    }
    *ret = mk(f->ast, NODE_VAR, pos, ast_list(f->ast, decls.at, decls.len), 0);
    return true;
}

/* A string in a branch is no directive where the branch stands now. */
static void not_directive(Fold *f, NodeId stmt)
{
    Node *n = ast_node(f->ast, stmt);
    if (n->kind == NODE_EXPR_STMT) n->flags = (u16)(n->flags & ~NF_DIRECTIVE);
}

/* A branch that is only a declaration needs a block of its own. */
static NodeId in_block(Fold *f, NodeId stmt)
{
    const Node n = *fold_get(f, stmt);
    if (n.kind != NODE_FUNC_DECL && n.kind != NODE_LABELED) return stmt;
    return mk(f->ast, NODE_BLOCK, n.pos, ast_list(f->ast, &stmt, 1), 0);
}

void fold_if(Fold *f, NodeId id)
{
    const Node n = *fold_get(f, id);
    int truth = fold_truth(f, n.a);
    if (truth < 0 || !fold_is_pure(f, n.a)) return;
    NodeId live = truth ? n.b : n.c, dead = truth ? n.c : n.b, vars = 0;
    if (dead && !fold_hoisted(f, dead, &vars)) return;
    if (live) live = in_block(f, live);
    if (live) not_directive(f, live);
    if (vars && live) {
        const u32 both[] = {vars, live};
        *ast_node(f->ast, id) =
            (Node){.kind = NODE_BLOCK, .pos = n.pos, .a = ast_list(f->ast, both, 2)};
    } else if (vars || live) {
        *ast_node(f->ast, id) = *fold_get(f, vars ? vars : live);
    } else {
        set_nothing(f->ast, id);
    }
}

void fold_conditions(Ast *t, const Bindings *bindings, Arena *a)
{
    AUTO(Scratch) s = scratch_begin(a);
    Fold f = {.ast = t, .bindings = bindings, .arena = s.arena};
    NodeOrder order;
    fold_mark_refs(&f, s.arena);
    ast_order(t, t->root, s.arena, &order);
    for (u32 i = order.len; i-- > 0;) {
        NodeId id = order.at[i];
        if (fold_get(&f, id)->kind == NODE_IF)
            fold_if(&f, id);
        else
            fold_expr(&f, id);
    }
}
