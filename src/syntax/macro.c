/* syntax/macro.c -- see macro.h. */
#include "syntax/macro.h"

#include "syntax/fold.h"
#include "syntax/number.h"
#include "syntax/parse.h"
#include "syntax/walk.h"
#include "util/map.h"
#include "util/vec.h"

#include <math.h>

enum { ARG_DEPTH_MAX = 100 };

typedef struct {
    Str specifier, name; /* name empty: the namespace */
} Macro;

typedef struct {
    Ast *ast;
    const Bindings *bindings;
    const MacroOptions *opt;
    Arena *arena;
    Log *log;
    IdMap by_symbol; /* index + 1 in `all` */
    Vec(Macro) all;
    IdMap constants; /* by symbol: the value's node */
    bool has_constants;
} Macros;

static bool report(const Macros *m, NodeId at, const char *what)
{
    return log_error(m->log, (Span){m->ast->source, ast_node(m->ast, at)->pos, 1}, "%s", what);
}

bool macro_is_import(const Ast *t, const Node *import)
{
    for (u32 i = 0; i < ast_len(t, import->c); i++) {
        const Node *prop = ast_node(t, ast_at(t, import->c, i));
        const Node *key = ast_node(t, prop->a), *value = ast_node(t, prop->b);
        bool is_type = str_eq(atom_str(t->atoms, key->a), S("type"));
        if (is_type && value->kind == NODE_STR && str_eq(atom_str(t->atoms, value->a), S("macro")))
            return true;
    }
    return false;
}

/* ---- Imports ---- */

static Str imported_name(const Ast *t, const Node *spec)
{
    if (spec->op == IMPORT_NAMESPACE) return (Str){0};
    if (spec->op == IMPORT_DEFAULT) return S("default");
    return atom_str(t->atoms, ast_node(t, spec->a)->a);
}

/* Where the export called `name` of `path` is, when it is a macro by the options. */
static Str mapped(const Macros *m, Str path, Str name)
{
    for (u32 i = 0; m->opt && i < m->opt->n_map; i++) {
        const MacroMapping *at = &m->opt->map[i];
        if (str_eq(at->path, path) && str_eq(at->name, name)) return at->target;
    }
    return (Str){0};
}

static bool take_import(Macros *m, NodeId id)
{
    Ast *t = m->ast;
    const Node n = *ast_node(t, id);
    bool all = macro_is_import(t, &n), any = false;
    Str path = atom_str(t->atoms, ast_node(t, n.b)->a);
    Vec(NodeId) kept = {0};
    for (u32 i = 0; i < ast_len(t, n.a); i++) {
        NodeId spec = ast_at(t, n.a, i);
        const Node *s = ast_node(t, spec);
        Macro macro = {all ? path : mapped(m, path, imported_name(t, s)), imported_name(t, s)};
        if (!macro.specifier.n) {
            vec_push(m->arena, &kept, spec);
            continue;
        }
        any = true;
        vec_push(m->arena, &m->all, macro);
        SymbolId symbol = ast_node(t, s->b)->b;
        if (symbol) *id_map_put(m->arena, &m->by_symbol, symbol, NULL) = m->all.len;
    }
    if (!all && !any) return true;
    if (!m->opt) return report(m, id, "not implemented: macros");
    if (m->opt->disabled) return report(m, id, "Macros are disabled");
    ListId list = ast_list(t, kept.at, kept.len);
    if (kept.len)
        ast_node(t, id)->a = list;
    else
        set_nothing(t, id);
    return true;
}

/* ---- Arguments ---- */

static void find_constants(Macros *m)
{
    m->has_constants = true;
    for (NodeId i = 1; i < m->ast->n_nodes; i++) {
        const Node *d = ast_node(m->ast, i);
        if (d->kind != NODE_DECLARATOR || !d->b) continue;
        const Node *name = ast_node(m->ast, d->a);
        if (name->kind != NODE_IDENT || !name->b) continue;
        if (symbol_get(m->bindings, name->b)->kind == SYM_CONST)
            *id_map_put(m->arena, &m->constants, name->b, NULL) = d->b;
    }
}

/* The value that stands for the name of a constant, or 0. */
static NodeId constant_of(Macros *m, NodeId ident)
{
    if (!m->has_constants) find_constants(m);
    SymbolId symbol = ast_node(m->ast, ident)->b;
    const u64 *value = symbol ? id_map_find(&m->constants, symbol) : NULL;
    return value ? (NodeId)*value : 0;
}

static Known value_of(Macros *m, NodeId id, u32 depth);

static bool add_text(Known k, Buf *out)
{
    if (k.kind == KNOWN_STRING) return buf_push(out, k.text);
    char number[NUMBER_TEXT_MAX];
    if (k.kind != KNOWN_NUMBER || !isfinite(k.number)) return false;
    return buf_push(out, (Str){number, number_text(k.number, number)});
}

static Known text_value(Macros *m, const Buf *text)
{
    return (Known){.kind = KNOWN_STRING, .text = str_dup(m->arena, buf_str(text))};
}

static Known sum_of(Macros *m, const Node *n, u32 depth)
{
    AUTO(Buf) text = {0};
    Known x = value_of(m, n->a, depth), y = value_of(m, n->b, depth);
    if (x.kind == KNOWN_NUMBER && y.kind == KNOWN_NUMBER)
        return (Known){.kind = KNOWN_NUMBER, .number = x.number + y.number};
    if (!add_text(x, &text) || !add_text(y, &text)) return (Known){0};
    return text_value(m, &text);
}

static Known template_of(Macros *m, const Node *n, u32 depth)
{
    AUTO(Buf) text = {0};
    for (u32 i = 0;; i++) {
        Str raw = str_slice(m->ast->source->text, ast_at(m->ast, n->b, i * 2),
                            ast_at(m->ast, n->b, i * 2 + 1));
        if (str_find(raw, '\\') >= 0 || str_find(raw, '\r') >= 0) return (Known){0};
        buf_push(&text, raw);
        if (i == ast_len(m->ast, n->a)) return text_value(m, &text);
        if (!add_text(value_of(m, ast_at(m->ast, n->a, i), depth), &text)) return (Known){0};
    }
}

static Known value_of(Macros *m, NodeId id, u32 depth)
{
    if (++depth > ARG_DEPTH_MAX) return (Known){0};
    const Node n = *ast_node(m->ast, id);
    const Fold f = {.ast = m->ast, .bindings = m->bindings, .arena = m->arena};
    if (n.kind == NODE_BINARY && n.op == TOK_PLUS) return sum_of(m, &n, depth);
    if (n.kind == NODE_TEMPLATE) return template_of(m, &n, depth);
    NodeId constant = n.kind == NODE_IDENT ? constant_of(m, id) : 0;
    return constant ? value_of(m, constant, depth) : fold_known(&f, id);
}

static bool write_value(Macros *m, NodeId id, u32 depth, Buf *out);

static bool write_list(Macros *m, ListId list, u32 depth, Buf *out)
{
    buf_push_char(out, '[');
    for (u32 i = 0; i < ast_len(m->ast, list); i++) {
        if (i) buf_push_char(out, ',');
        if (!write_value(m, ast_at(m->ast, list, i), depth, out)) return false;
    }
    return buf_push_char(out, ']');
}

static void write_text(Str text, Buf *out)
{
    buf_push_char(out, '"');
    for (usize i = 0; i < text.n; i++) {
        u8 c = (u8)text.p[i];
        if (c == '"' || c == '\\' || c < 0x20)
            (void)buf_fmt(out, "\\x%02x", c);
        else
            buf_push_char(out, (char)c);
    }
    buf_push_char(out, '"');
}

static bool write_object(Macros *m, ListId list, u32 depth, Buf *out)
{
    buf_push_char(out, '{');
    for (u32 i = 0; i < ast_len(m->ast, list); i++) {
        const Node prop = *ast_node(m->ast, ast_at(m->ast, list, i));
        bool plain = prop.kind == NODE_PROP && !(prop.flags & NF_COMPUTED) &&
                     (prop.op == PROP_INIT || prop.op == PROP_SHORTHAND);
        if (!plain) return false;
        const Node *key = ast_node(m->ast, prop.a);
        buf_push(out, i ? S(",[") : S("["));
        if (key->kind == NODE_NUM)
            (void)buf_fmt(out, "%.17g", ast_num(key));
        else if (key->kind == NODE_IDENT || key->kind == NODE_STR)
            write_text(atom_str(m->ast->atoms, key->a), out);
        else
            return false;
        buf_push(out, S("]:"));
        if (!write_value(m, prop.b, depth, out)) return false;
    }
    return buf_push_char(out, '}');
}

/* Only what is known without running the file. */
static bool write_value(Macros *m, NodeId id, u32 depth, Buf *out)
{
    if (!id || ++depth > ARG_DEPTH_MAX) return false;
    const Node n = *ast_node(m->ast, id);
    NodeId constant = n.kind == NODE_IDENT ? constant_of(m, id) : 0;
    if (constant) return write_value(m, constant, depth, out);
    if (n.kind == NODE_ARRAY) return write_list(m, n.a, depth, out);
    if (n.kind == NODE_OBJECT) return write_object(m, n.a, depth, out);
    Known k = value_of(m, id, depth);
    switch (k.kind) {
    case KNOWN_UNDEFINED: return buf_push(out, S("void 0"));
    case KNOWN_NULL: return buf_push(out, S("null"));
    case KNOWN_BOOL: return buf_push(out, k.number != 0 ? S("true") : S("false"));
    case KNOWN_NUMBER:
        if (isnan(k.number)) return buf_push(out, S("NaN"));
        if (isinf(k.number)) return buf_push(out, k.number > 0 ? S("1/0") : S("-1/0"));
        return buf_fmt(out, "%.17g", k.number);
    case KNOWN_STRING: write_text(k.text, out); return true;
    default: return false;
    }
}

/* ---- Calls ---- */

static const Macro *macro_of(const Macros *m, NodeId id, Str *ret_name)
{
    const Node *n = ast_node(m->ast, id), *base = n;
    if (n->kind == NODE_DOT) base = ast_node(m->ast, n->a);
    if (base->kind != NODE_IDENT || !base->b) return NULL;
    const u64 *at = id_map_find(&m->by_symbol, base->b);
    const Macro *macro = at ? &m->all.at[*at - 1] : NULL;
    if (!macro || (n->kind == NODE_DOT) != !macro->name.n) return NULL;
    *ret_name = macro->name.n ? macro->name : atom_str(m->ast->atoms, n->b);
    return macro;
}

static bool is_literal_node(const Ast *t, const Node *n)
{
    switch (n->kind) {
    case NODE_PROGRAM:
    case NODE_EXPR_STMT:
    case NODE_ARRAY:
    case NODE_OBJECT:
    case NODE_PROP:
    case NODE_STR:
    case NODE_NUM:
    case NODE_TRUE:
    case NODE_FALSE:
    case NODE_NULL:
    case NODE_UNARY: return true;
    case NODE_BINARY: return n->op == TOK_SLASH;
    case NODE_IDENT: return atom_str(t->atoms, n->a).p[0] != '$'; /* a key */
    default: return false;
    }
}

/* The caller promised literals, but programs can change what it uses to make them. */
static bool is_literals(Str text, Arena *a)
{
    AUTO(Scratch) s = scratch_begin(a);
    AUTO(Ast) t = {0};
    Interner atoms;
    Log log;
    Source source = {.text = lex_pad(s.arena, text)};
    const ParseOptions options = {.goal = GOAL_SCRIPT};
    log_init(&log, s.arena);
    interner_init(&atoms, s.arena, 64);
    lex_seed(&atoms);
    ast_init(&t, &source, &atoms);
    if (!parse(&t, s.arena, &options, &log)) return false;
    ListId body = ast_node(&t, t.root)->a;
    if (ast_len(&t, body) != 1 || ast_node(&t, ast_at(&t, body, 0))->kind != NODE_EXPR_STMT)
        return false;
    for (NodeId i = 1; i < t.n_nodes; i++)
        if (!is_literal_node(&t, ast_node(&t, i))) return false;
    return true;
}

static bool run_call(Macros *m, NodeId id)
{
    MacroCall call;
    const Node n = *ast_node(m->ast, id);
    const Macro *macro = macro_of(m, n.a, &call.name);
    if (!macro) return true;
    if (n.kind == NODE_TAGGED)
        return report(m, id, "template literal macro invocations are not supported");
    AUTO(Buf) args = {0};
    if (!write_list(m, n.b, 0, &args))
        return report(m, id, "the arguments of a macro must be known when the file is compiled");
    call.specifier = macro->specifier;
    call.args = str_dup(m->arena, buf_str(&args));
    Str result;
    if (!m->opt->call(m->opt->ctx, m->arena, &call, &result))
        return log_error(m->log, (Span){m->ast->source, n.pos, 1}, "%.*s", STR_ARG(result));
    Str text = str_fmt(m->arena, "(%.*s);", STR_ARG(result));
    if (!is_literals(text, m->arena))
        return report(m, id, "the value of a macro cannot be written");
    ListId list = parse_quoted(m->ast, m->arena, n.pos, text, NULL);
    const Node *stmt = ast_node(m->ast, ast_at(m->ast, list, 0));
    Node value = *ast_node(m->ast, stmt->a);
    value.flags = (u16)(value.flags & ~NF_PAREN);
    *ast_node(m->ast, id) = value;
    return true;
}

bool macros_run(Ast *t, const Bindings *b, const MacroOptions *o, Arena *a, Log *log)
{
    AUTO(Scratch) s = scratch_begin(a);
    Macros m = {.ast = t, .bindings = b, .opt = o, .arena = a, .log = log};
    ListId body = ast_node(t, t->root)->a;
    for (u32 i = 0; i < ast_len(t, body); i++) {
        NodeId id = ast_at(t, body, i);
        bool is_import = ast_node(t, id)->kind == NODE_IMPORT;
        if (is_import && !(ast_node(t, id)->flags & NF_TYPE_ONLY) && !take_import(&m, id))
            return false;
    }
    if (!m.all.len) return true;
    NodeOrder order;
    ast_order(t, t->root, s.arena, &order);
    for (u32 i = order.len; i-- > 0;) {
        NodeKind kind = (NodeKind)ast_node(t, order.at[i])->kind;
        if ((kind == NODE_CALL || kind == NODE_TAGGED) && !run_call(&m, order.at[i])) return false;
    }
    return true;
}
