/* syntax/fold_known.c -- what is known about expressions. */
#include "syntax/fold.h"

#include <math.h>
#include <string.h>

enum { PURE_DEPTH_MAX = 40 };

bool fold_is_name(Str s)
{
    for (usize i = 0; i < s.n; i++)
        if (!IS_CLASS(s.p[i], i ? CC_ID_PART : CC_ID_START)) return false;
    return s.n > 0;
}

static bool is_free(const Fold *f, const Node *n, const char *name)
{
    return n->kind == NODE_IDENT && n->c && !n->b && !f->has_with &&
           str_eq(atom_str(f->ast->atoms, n->a), str_z(name));
}

bool fold_is_global(const Fold *f, NodeId id, const char *name)
{
    return is_free(f, fold_get(f, id), name);
}

static Known number(f64 v)
{
    return (Known){.kind = KNOWN_NUMBER, .number = v};
}

static Known known_unary(const Fold *f, const Node *n)
{
    const Node *arg = fold_get(f, n->a);
    f64 v = arg->kind == NODE_NUM ? ast_num(arg) : 0;
    if (n->op == TOK_VOID && arg->kind == NODE_NUM) return (Known){.kind = KNOWN_UNDEFINED};
    if (n->op == TOK_MINUS && arg->kind == NODE_NUM) return number(-v);
    if (n->op == TOK_NOT && arg->kind == NODE_NUM)
        return (Known){.kind = KNOWN_BOOL, .number = v == 0 || isnan(v)};
    return (Known){0};
}

static Known known_template(const Fold *f, const Node *n)
{
    if (n->a) return (Known){0};
    Str raw = str_slice(f->ast->source->text, ast_at(f->ast, n->b, 0), ast_at(f->ast, n->b, 1));
    if (str_find(raw, '\\') >= 0 || str_find(raw, '\r') >= 0) return (Known){0};
    return (Known){.kind = KNOWN_STRING, .text = raw};
}

static bool is_zero_bigint(Str text)
{
    for (usize i = 0; i < text.n; i++)
        if (!strchr("0xXoObB_", text.p[i])) return false;
    return true;
}

Known fold_known(const Fold *f, NodeId id)
{
    const Node *n = fold_get(f, id);
    switch (n->kind) {
    case NODE_NULL: return (Known){.kind = KNOWN_NULL};
    case NODE_TRUE: return (Known){.kind = KNOWN_BOOL, .number = 1};
    case NODE_FALSE: return (Known){.kind = KNOWN_BOOL};
    case NODE_NUM: return number(ast_num(n));
    case NODE_STR: return (Known){.kind = KNOWN_STRING, .text = atom_str(f->ast->atoms, n->a)};
    case NODE_BIGINT:
        return (Known){.kind = KNOWN_BIGINT,
                       .number = !is_zero_bigint(atom_str(f->ast->atoms, n->a))};
    case NODE_TEMPLATE: return known_template(f, n);
    case NODE_UNARY: return known_unary(f, n);
    case NODE_IDENT:
        if (is_free(f, n, "undefined")) return (Known){.kind = KNOWN_UNDEFINED};
        if (is_free(f, n, "NaN")) return number(NAN);
        if (is_free(f, n, "Infinity")) return number(INFINITY);
        return (Known){0};
    default: return (Known){0};
    }
}

bool fold_is_undefined(const Fold *f, NodeId id)
{
    return fold_known(f, id).kind == KNOWN_UNDEFINED;
}

static int truth_of(Known k)
{
    switch (k.kind) {
    case KNOWN_UNDEFINED:
    case KNOWN_NULL: return 0;
    case KNOWN_STRING: return k.text.n > 0;
    case KNOWN_NUMBER: return k.number != 0 && !isnan(k.number);
    case KNOWN_BOOL:
    case KNOWN_BIGINT: return k.number != 0;
    default: return -1;
    }
}

int fold_truth(const Fold *f, NodeId id)
{
    const Node *n = fold_get(f, id);
    switch (n->kind) {
    case NODE_FUNC:
    case NODE_ARROW:
    case NODE_CLASS:
    case NODE_OBJECT:
    case NODE_ARRAY:
    case NODE_REGEXP: return 1;
    case NODE_UNARY:
        if (n->op == TOK_VOID) return 0;
        if (n->op == TOK_TYPEOF) return 1;
        break;
    default: break;
    }
    return truth_of(fold_known(f, id));
}

/* ---- Side effects ---- */

typedef struct {
    const Fold *f;
    u32 depth;
} Pure;

static bool pure(Pure *p, NodeId id);

static bool pure_list(Pure *p, ListId list)
{
    for (u32 i = 0; i < ast_len(p->f->ast, list); i++)
        if (!pure(p, ast_at(p->f->ast, list, i))) return false;
    return true;
}

static bool pure_object(Pure *p, ListId list)
{
    for (u32 i = 0; i < ast_len(p->f->ast, list); i++) {
        const Node *n = fold_get(p->f, ast_at(p->f->ast, list, i));
        if (n->kind != NODE_PROP || (n->flags & NF_COMPUTED) || !pure(p, n->b)) return false;
    }
    return true;
}

static bool pure_binary(Pure *p, const Node *n)
{
    switch (n->op) {
    case TOK_EQ_STRICT:
    case TOK_NE_STRICT:
    case TOK_COMMA:
    case TOK_AND_AND:
    case TOK_OR_OR:
    case TOK_NULLISH: return pure(p, n->a) && pure(p, n->b);
    case TOK_EQ:
    case TOK_NE:
    case TOK_LT:
    case TOK_GT:
    case TOK_LE:
    case TOK_GE:
    case TOK_PLUS: {
        /* Without conversions that could run code, or that fail. */
        const char *x = fold_type(p->f, n->a), *y = fold_type(p->f, n->b);
        return x && y && !strcmp(x, y) && strcmp(x, "object") != 0 && strcmp(x, "function") != 0 &&
               pure(p, n->a) && pure(p, n->b);
    }
    default: return false;
    }
}

static bool pure_unary(Pure *p, const Node *n)
{
    switch (n->op) {
    case TOK_TYPEOF: {
        const Node *arg = fold_get(p->f, n->a);
        return (arg->kind == NODE_IDENT && !arg->b) || pure(p, n->a);
    }
    case TOK_VOID:
    case TOK_NOT: return pure(p, n->a);
    case TOK_MINUS: {
        KnownKind k = fold_known(p->f, n->a).kind;
        return k == KNOWN_NUMBER || k == KNOWN_BIGINT;
    }
    default: return false;
    }
}

static bool pure_ident(const Fold *f, const Node *n)
{
    if (!n->b) return fold_known(f, (NodeId)(n - f->ast->nodes)).kind != KNOWN_NOT;
    const Symbol *s = symbol_get(f->bindings, n->b);
    /* An import may have no such export; where eval or with are near, a name can be anything; and
     * what is read before its declaration has run is an error. */
    bool lexical = s->kind == SYM_LET || s->kind == SYM_CONST || s->kind == SYM_CLASS;
    if ((n->c & REF_EARLY) || (lexical && !f->knows_early)) return false;
    return !f->has_with && s->kind != SYM_IMPORT && !f->bindings->scopes.at[s->scope].has_eval;
}

static bool pure_inner(Pure *p, NodeId id)
{
    const Node *n = fold_get(p->f, id);
    switch (n->kind) {
    case NODE_NULL:
    case NODE_TRUE:
    case NODE_FALSE:
    case NODE_NUM:
    case NODE_STR:
    case NODE_BIGINT:
    case NODE_REGEXP:
    case NODE_FUNC:
    case NODE_ARROW:
    case NODE_HOLE:
    case NODE_NEW_TARGET:
    case NODE_IMPORT_META: return true;
    case NODE_IDENT: return pure_ident(p->f, n);
    case NODE_TEMPLATE: return !n->a;
    case NODE_ARRAY: return pure_list(p, n->a);
    case NODE_OBJECT: return pure_object(p, n->a);
    case NODE_UNARY: return pure_unary(p, n);
    case NODE_BINARY: return pure_binary(p, n);
    case NODE_COND: return pure(p, n->a) && pure(p, n->b) && pure(p, n->c);
    case NODE_CALL:
    case NODE_NEW: return (n->flags & NF_PURE) && pure_list(p, n->b);
    default: return false;
    }
}

static bool pure(Pure *p, NodeId id)
{
    if (p->depth >= PURE_DEPTH_MAX) return false;
    p->depth++;
    bool ok = pure_inner(p, id);
    p->depth--;
    return ok;
}

bool fold_is_pure(const Fold *f, NodeId id)
{
    Pure p = {.f = f};
    return pure(&p, id);
}

/* ---- Types ---- */

static const char *type_of_binary(const Fold *f, const Node *n)
{
    switch (n->op) {
    case TOK_EQ:
    case TOK_NE:
    case TOK_EQ_STRICT:
    case TOK_NE_STRICT:
    case TOK_LT:
    case TOK_GT:
    case TOK_LE:
    case TOK_GE:
    case TOK_IN:
    case TOK_INSTANCEOF: return "boolean";
    case TOK_PLUS: {
        KnownKind x = fold_known(f, n->a).kind, y = fold_known(f, n->b).kind;
        return x == KNOWN_STRING || y == KNOWN_STRING ? "string" : NULL;
    }
    default: return NULL;
    }
}

static const char *type_of_unary(const Node *n)
{
    switch (n->op) {
    case TOK_TYPEOF: return "string";
    case TOK_VOID: return "undefined";
    case TOK_NOT:
    case TOK_DELETE: return "boolean";
    case TOK_PLUS: return "number";
    default: return NULL;
    }
}

const char *fold_type(const Fold *f, NodeId id)
{
    static const char *const known[] = {NULL,     "undefined", "object", "boolean",
                                        "number", "string",    "bigint"};
    const Node *n = fold_get(f, id);
    switch (n->kind) {
    case NODE_FUNC:
    case NODE_ARROW:
    case NODE_CLASS: return "function";
    case NODE_OBJECT:
    case NODE_ARRAY:
    case NODE_REGEXP: return "object";
    case NODE_TEMPLATE: return "string";
    case NODE_UNARY:
        if (fold_known(f, id).kind == KNOWN_NOT) return type_of_unary(n);
        break;
    case NODE_BINARY: return type_of_binary(f, n);
    default: break;
    }
    return known[fold_known(f, id).kind];
}
