/* syntax/lower_ts_enum.c -- enums: constant members are computed here, the others at run time. */
#include "syntax/lower_ts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { FOLD_DEPTH_MAX = 200 };

typedef struct {
    TsLower *l;
    SymbolId symbol;
    Atom name;
    u32 depth;
} EnumFold;

static u64 member_key(SymbolId symbol, Atom name)
{
    return (u64)symbol << 32 | name;
}

static const EnumValue *find_member(TsLower *l, SymbolId symbol, Atom name)
{
    if (!symbol) return NULL;
    u64 *slot = id_map_find(&l->enums, member_key(symbol, name));
    if (!slot) return NULL;
    ASSERT(*slot <= l->values.len);
    return &l->values.at[*slot - 1];
}

static void put_member(TsLower *l, SymbolId symbol, Atom name, EnumValue v)
{
    EnumValue *added = vec_add(l->scratch, &l->values);
    ASSERT(added);
    *added = v;
    if (symbol) *id_map_put(l->scratch, &l->enums, member_key(symbol, name), NULL) = l->values.len;
}

static EnumValue number_value(f64 v)
{
    return (EnumValue){VALUE_NUMBER, v, 0};
}

static i32 to_int32(f64 v)
{
    if (!isfinite(v)) return 0;
    f64 m = fmod(trunc(v), 4294967296.0);
    if (m < 0) m += 4294967296.0;
    return (i32)(u32)m;
}

/* JavaScript's text of a number, for concatenation: only what needs no exponent is folded. */
static bool number_to_text(f64 v, char *out, usize size)
{
    if (v != floor(v) || fabs(v) >= 1e15) return false;
    (void)snprintf(out, size, "%.0f", v == 0 ? 0.0 : v);
    return true;
}

static bool value_text(EnumFold *f, EnumValue v, Buf *b)
{
    if (v.kind == VALUE_STRING) return buf_push(b, atom_str(f->l->ast->atoms, v.string));
    char text[32];
    return v.kind == VALUE_NUMBER && number_to_text(v.number, text, sizeof(text)) &&
           buf_push(b, str_z(text));
}

static EnumValue fold(EnumFold *f, NodeId id);

static EnumValue fold_concat(EnumFold *f, EnumValue x, EnumValue y)
{
    AUTO(Buf) b = {0};
    if (!value_text(f, x, &b) || !value_text(f, y, &b)) return (EnumValue){0};
    return (EnumValue){VALUE_STRING, 0, intern_dup(f->l->ast->atoms, buf_str(&b))};
}

static EnumValue fold_numbers(Tok op, f64 x, f64 y)
{
    switch (op) {
    case TOK_PLUS: return number_value(x + y);
    case TOK_MINUS: return number_value(x - y);
    case TOK_STAR: return number_value(x * y);
    case TOK_SLASH: return number_value(x / y);
    case TOK_PERCENT: return number_value(fmod(x, y));
    case TOK_STAR_STAR:
        if (isnan(y) || (fabs(x) == 1 && isinf(y))) return number_value((f64)NAN);
        return number_value(pow(x, y));
    case TOK_AND: return number_value(to_int32(x) & to_int32(y));
    case TOK_OR: return number_value(to_int32(x) | to_int32(y));
    case TOK_XOR: return number_value(to_int32(x) ^ to_int32(y));
    case TOK_SHL: return number_value((i32)((u32)to_int32(x) << ((u32)to_int32(y) & 31)));
    case TOK_SHR: return number_value(to_int32(x) >> ((u32)to_int32(y) & 31));
    case TOK_USHR: return number_value((u32)to_int32(x) >> ((u32)to_int32(y) & 31));
    default: return (EnumValue){0};
    }
}

static EnumValue fold_unary(EnumFold *f, const Node *n)
{
    EnumValue v = fold(f, n->a);
    if (v.kind != VALUE_NUMBER) return (EnumValue){0};
    switch (n->op) {
    case TOK_PLUS: return v;
    case TOK_MINUS: return number_value(-v.number);
    case TOK_TILDE: return number_value(~to_int32(v.number));
    default: return (EnumValue){0};
    }
}

static EnumValue fold_ident(EnumFold *f, const Node *n)
{
    const EnumValue *v = find_member(f->l, f->symbol, n->a);
    if (v) return *v;
    if (n->b) return (EnumValue){0};
    Str name = atom_str(f->l->ast->atoms, n->a);
    if (str_eq(name, S("NaN"))) return number_value((f64)NAN);
    if (str_eq(name, S("Infinity"))) return number_value((f64)INFINITY);
    return (EnumValue){0};
}

/* E.A and E["A"], of this or another enum of the file. */
static EnumValue fold_access(EnumFold *f, NodeId object, Atom name)
{
    const EnumValue *v = find_member(f->l, ts_enum_symbol(f->l, object), name);
    return v ? *v : (EnumValue){0};
}

static EnumValue fold_template(EnumFold *f, const Node *n)
{
    Str src = f->l->ast->source->text;
    AUTO(Buf) b = {0};
    u32 len = ast_len(f->l->ast, n->a);
    for (u32 i = 0;; i++) {
        Str raw =
            str_slice(src, ast_at(f->l->ast, n->b, i * 2), ast_at(f->l->ast, n->b, i * 2 + 1));
        if (str_find(raw, '\\') >= 0 || str_find(raw, '\r') >= 0) return (EnumValue){0};
        buf_push(&b, raw);
        if (i == len) break;
        EnumValue v = fold(f, ast_at(f->l->ast, n->a, i));
        if (!value_text(f, v, &b)) return (EnumValue){0};
    }
    return (EnumValue){VALUE_STRING, 0, intern_dup(f->l->ast->atoms, buf_str(&b))};
}

static EnumValue fold_binary(EnumFold *f, const Node *n)
{
    EnumValue x = fold(f, n->a), y = fold(f, n->b);
    if (x.kind == VALUE_NUMBER && y.kind == VALUE_NUMBER)
        return fold_numbers((Tok)n->op, x.number, y.number);
    if (n->op == TOK_PLUS && x.kind && y.kind) return fold_concat(f, x, y);
    return (EnumValue){0};
}

static EnumValue fold(EnumFold *f, NodeId id)
{
    if (++f->depth > FOLD_DEPTH_MAX) {
        f->depth--;
        return (EnumValue){0};
    }
    const Node n = *ts_node(f->l, id);
    EnumValue v = {0};
    switch (n.kind) {
    case NODE_NUM: v = number_value(ast_num(&n)); break;
    case NODE_STR: v = (EnumValue){VALUE_STRING, 0, n.a}; break;
    case NODE_TEMPLATE: v = fold_template(f, &n); break;
    case NODE_UNARY: v = fold_unary(f, &n); break;
    case NODE_BINARY: v = fold_binary(f, &n); break;
    case NODE_IDENT: v = fold_ident(f, &n); break;
    case NODE_DOT: v = fold_access(f, n.a, n.b); break;
    case NODE_INDEX:
        if (ts_node(f->l, n.b)->kind == NODE_STR) v = fold_access(f, n.a, ts_node(f->l, n.b)->a);
        break;
    default: break;
    }
    f->depth--;
    return v;
}

/* Bare uses of members in an initial value become E.A.  Its nodes stand between `from` and `to`. */
static void qualify(EnumFold *f, NodeId from, NodeId to)
{
    Ast *t = f->l->ast;
    for (NodeId i = from; i < to; i++) {
        Node n = *ast_node(t, i);
        /* A member that comes later has no value yet. */
        if ((n.kind == NODE_DOT || n.kind == NODE_INDEX) &&
            ts_node(f->l, n.a)->kind == NODE_IDENT && ts_node(f->l, n.a)->b == f->symbol)
            *id_map_put(f->l->scratch, &f->l->own_uses, i, NULL) = 1;
        if (n.kind != NODE_IDENT || !n.c || !find_member(f->l, f->symbol, n.a)) continue;
        if (n.b) {
            NodeId decl = symbol_get(f->l->w->bindings, n.b)->decl;
            if (decl >= from && decl < to) continue; /* a local of a function in there */
        }
        NodeId object = mk_ident(t, n.pos, f->name);
        *ast_node(t, i) = (Node){.kind = NODE_DOT, .pos = n.pos, .a = object, .b = n.a, .c = n.pos};
    }
}

/* A value that is a string at run time has no reverse mapping. */
static bool is_string_expr(TsLower *l, NodeId id)
{
    const Node *n = ts_node(l, id);
    if (n->kind == NODE_STR || n->kind == NODE_TEMPLATE) return true;
    return n->kind == NODE_BINARY && n->op == TOK_PLUS &&
           (is_string_expr(l, n->b) || ts_node(l, n->a)->kind == NODE_STR ||
            ts_node(l, n->a)->kind == NODE_TEMPLATE);
}

static NodeId value_node(Ast *t, u32 pos, EnumValue v)
{
    if (v.kind == VALUE_STRING) return mk_str(t, pos, v.string);
    return mk_num(t, pos, v.number);
}

/* E["A"] = value, or E[E["A"] = value] = "A". */
static NodeId member_stmt(EnumFold *f, u32 pos, Atom key, NodeId value, bool is_string)
{
    Ast *t = f->l->ast;
    NodeId target = mk(t, NODE_INDEX, pos, mk_ident(t, pos, f->name), mk_str(t, pos, key));
    NodeId assign = mk_assign(t, pos, target, value);
    if (!is_string) {
        NodeId reverse = mk(t, NODE_INDEX, pos, mk_ident(t, pos, f->name), assign);
        assign = mk_assign(t, pos, reverse, mk_str(t, pos, key));
    }
    return mk_stmt(t, assign);
}

static void lower_member(EnumFold *f, NodeId id, EnumValue *last, NodeVec *body)
{
    Ast *t = f->l->ast;
    const Node n = *ast_node(t, id);
    Atom key = ast_node(t, n.a)->a;
    EnumValue v = {0};
    NodeId value;
    bool is_string = false;
    if (n.b) {
        v = fold(f, n.b);
        is_string = v.kind == VALUE_STRING || (!v.kind && is_string_expr(f->l, n.b));
        if (!v.kind) qualify(f, n.a + 1, id);
        value = v.kind ? value_node(t, n.pos, v) : n.b;
    } else if (last->kind == VALUE_NUMBER) {
        v = number_value(last->number + 1);
        value = value_node(t, n.pos, v);
    } else {
        value = mk_op(t, NODE_UNARY, TOK_VOID, n.pos, mk_num(t, n.pos, 0), 0);
    }
    put_member(f->l, f->symbol, key, v);
    *last = v;
    vec_push(f->l->scratch, body, member_stmt(f, n.pos, key, value, is_string));
}

/* The first block of an enum at the top of a file or function:
 * var E = ((E) => { ...; return E })(E || {}), which a bundler can drop. */
static void push_whole(EnumFold *f, u32 pos, NodeVec *body, NodeVec *out, bool exported)
{
    Ast *t = f->l->ast;
    vec_push(f->l->scratch, body, mk(t, NODE_RETURN, pos, mk_ident(t, pos, f->name), 0));
    NodeId arg = mk_op(t, NODE_BINARY, TOK_OR_OR, pos, mk_ident(t, pos, f->name),
                       mk(t, NODE_OBJECT, pos, 0, 0));
    NodeId call = mk_iife(t, pos, f->name, ast_list(t, body->at, body->len), arg);
    NodeId var = mk_var(t, pos, VAR_VAR, f->name, call);
    if (exported) var = mk(t, NODE_EXPORT_DECL, pos, var, 0);
    vec_push(f->l->scratch, out, var);
}

static bool is_declared_by_var(const NodeVec *out, const Ast *t)
{
    const Node *n = ast_node(t, *vec_last(out));
    if (n->kind == NODE_EXPORT_DECL) n = ast_node(t, n->a);
    return n->kind == NODE_VAR && n->op == VAR_VAR;
}

void ts_lower_enum(TsLower *l, NodeId id, NodeVec *out, Atom owner, bool exported)
{
    Ast *t = l->ast;
    const Node n = *ast_node(t, id);
    const Node name = *ast_node(t, n.a);
    EnumFold f = {.l = l, .symbol = name.b, .name = name.a};
    /* Initial values may name members that come later: those are unknown but still members. */
    for (u32 i = 0; i < ast_len(t, n.b); i++) {
        Atom key = ast_node(t, ast_node(t, ast_at(t, n.b, i))->a)->a;
        if (!find_member(l, f.symbol, key)) put_member(l, f.symbol, key, (EnumValue){0});
    }
    NodeVec body = {0};
    EnumValue last = number_value(-1);
    for (u32 i = 0; i < ast_len(t, n.b); i++) lower_member(&f, ast_at(t, n.b, i), &last, &body);
    u32 before = out->len;
    ts_declare(l, n.a, out, owner, exported);
    if (out->len > before && !owner && is_declared_by_var(out, t)) {
        out->len = before;
        push_whole(&f, n.pos, &body, out, exported);
        return;
    }
    NodeId arg = ts_object_arg(l, n.pos, name.a, owner);
    NodeId call = mk_iife(t, n.pos, name.a, ast_list(t, body.at, body.len), arg);
    vec_push(l->scratch, out, mk_stmt(t, call));
}

/* ---- Uses ---- */

static void inline_value(Ast *t, NodeId id, EnumValue v)
{
    u32 pos = ast_node(t, id)->pos;
    bool negative = v.kind == VALUE_NUMBER && signbit(v.number);
    if (negative) v.number = -v.number;
    NodeId value = value_node(t, pos, v);
    if (negative)
        *ast_node(t, id) = (Node){.kind = NODE_UNARY, .op = TOK_MINUS, .pos = pos, .a = value};
    else
        *ast_node(t, id) = *ast_node(t, value);
}

void ts_inline_enums(TsLower *l)
{
    if (!l->values.len) return;
    Ast *t = l->ast;
    u32 n_nodes = t->n_nodes;
    u64 *targets = ARENA_ARRAY(l->scratch, u64, n_nodes / 64 + 1);
    ast_mark_targets(t, targets);
    for (NodeId i = 1; i < n_nodes; i++) {
        const Node *n = ast_node(t, i);
        if (n->kind == NODE_UNARY && n->op == TOK_DELETE) ast_mark(targets, n->a);
    }
    for (NodeId i = 1; i < n_nodes; i++) {
        const Node n = *ast_node(t, i);
        bool dot = n.kind == NODE_DOT;
        bool access = dot || (n.kind == NODE_INDEX && ts_node(l, n.b)->kind == NODE_STR);
        if (l->own_uses.len && id_map_find(&l->own_uses, i)) continue;
        if (!access || (n.flags & NF_OPTIONAL) || (targets[i >> 6] >> (i & 63) & 1)) continue;
        const EnumValue *v = find_member(l, ts_enum_symbol(l, n.a), dot ? n.b : ts_node(l, n.b)->a);
        if (!v || !v->kind || (v->kind == VALUE_NUMBER && !isfinite(v->number))) continue;
        inline_value(t, i, *v);
    }
}
