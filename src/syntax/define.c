/* syntax/define.c -- see define.h.
 *
 * One scan over the nodes, children before parents.  A member chain is compared from its end, and
 * only when its last name ends some key at all; a replaced inner chain no longer matches a longer
 * key, so the longest match is looked for first by going over members from the outside in. */
#include "syntax/define.h"

#include "syntax/fold.h"
#include "syntax/walk.h"
#include "util/json.h"

enum { PARTS_MAX = 16 };

typedef struct {
    const Defines *defines;
    Ast *ast;
    Arena *arena;
    bool changed;
} Replace;

/* ---- The table ---- */

static bool is_plain_name(Str s)
{
    for (usize i = 0; i < s.n; i++) {
        bool ok = (u8)s.p[i] >= 0x80 || IS_CLASS(s.p[i], i ? CC_ID_PART : CC_ID_START);
        if (!ok) return false;
    }
    return s.n > 0;
}

static bool is_dotted(Str s)
{
    Str part;
    u32 n = 0;
    if (!s.n) return false;
    while (str_next(&s, '.', &part))
        if (!is_plain_name(part) || ++n > PARTS_MAX) return false;
    return true;
}

static bool is_json(Arena *a, Str s)
{
    JsonNode n;
    JsonError e;
    return json_parse(a, s, 0, &n, &e);
}

void defines_init(Defines *d, Arena *a)
{
    *d = (Defines){.arena = a};
}

static void put(Defines *d, Str key, Define define)
{
    i64 dot = str_rfind(key, '.');
    vec_push(d->arena, &d->list, define);
    *str_map_put(d->arena, &d->by_name, key, NULL) = d->list.len;
    u64 *last = str_map_put(d->arena, &d->by_last, str_skip(key, (usize)(dot + 1)), NULL);
    *last |= dot < 0 ? 1 : 2;
}

/* 'text' as in JavaScript, where it needs no escapes: "text". */
static Str requote(Arena *a, Str value)
{
    bool is_quoted = value.n >= 2 && value.p[0] == '\'' && str_ends(value, S("'"));
    Str inner = is_quoted ? (Str){value.p + 1, value.n - 2} : S("");
    for (usize i = 0; i < inner.n; i++)
        if (inner.p[i] == '"' || inner.p[i] == '\'' || inner.p[i] == '\\') return value;
    return is_quoted ? str_fmt(a, "\"%.*s\"", STR_ARG(inner)) : value;
}

bool defines_add(Defines *d, Str key, Str value, const char **ret_what)
{
    value = requote(d->arena, str_trim(value));
    if (!is_dotted(key)) {
        *ret_what = "the name is neither an identifier nor a dotted name";
        return false;
    }
    static const char *const words[] = {"true", "false", "null"};
    bool word = false;
    for (u32 i = 0; i < COUNT(words); i++) word |= str_eq(value, str_z(words[i]));
    bool name = !word && is_dotted(value);
    if (!name && !is_json(d->arena, value)) {
        *ret_what = "the value is neither JSON nor a name";
        return false;
    }
    put(d, str_dup(d->arena, key),
        (Define){.kind = name ? DEFINE_NAME : DEFINE_VALUE, .value = str_dup(d->arena, value)});
    return true;
}

bool defines_add_text(Defines *d, Str text, const char **ret_what)
{
    i64 colon = str_find(text, ':'), equal = str_find(text, '=');
    i64 at = colon < 0 || (equal >= 0 && equal < colon) ? equal : colon;
    if (at < 0) {
        *ret_what = "it has no value: NAME:VALUE is expected";
        return false;
    }
    return defines_add(d, str_slice(text, 0, (usize)at), str_skip(text, (usize)at + 1), ret_what);
}

bool defines_drop(Defines *d, Str name, const char **ret_what)
{
    if (str_eq(name, S("debugger"))) {
        d->drop_debugger = true;
        return true;
    }
    if (!is_dotted(name)) {
        *ret_what = "the name is neither an identifier nor a dotted name";
        return false;
    }
    put(d, str_dup(d->arena, name), (Define){.kind = DEFINE_DROP});
    return true;
}

/* ---- Values ---- */

static NodeId json_value(Replace *r, const JsonNode *n, u32 pos);

static NodeId json_list(Replace *r, const JsonNode *n, u32 pos)
{
    Vec(u32) items = {0};
    for (u32 i = 0; i < n->len; i++) {
        const JsonNode *item = &n->items[n->kind == JSON_OBJECT ? i * 2 + 1 : i];
        NodeId value = json_value(r, item, pos);
        if (n->kind == JSON_OBJECT) {
            Str key = json_str(r->arena, &n->items[i * 2]);
            NodeId name = mk_str(r->ast, pos, intern_dup(r->ast->atoms, key));
            /* "__proto__" in quotes would set the prototype. */
            bool proto = str_eq(key, S("__proto__"));
            value = mk(r->ast, NODE_PROP, pos, name, value);
            if (proto) ast_node(r->ast, value)->flags = NF_COMPUTED;
        }
        vec_push(r->arena, &items, value);
    }
    NodeKind kind = n->kind == JSON_OBJECT ? NODE_OBJECT : NODE_ARRAY;
    return mk(r->ast, kind, pos, ast_list(r->ast, items.at, items.len), 0);
}

/* Nesting is bounded by the JSON parser. */
static NodeId json_value(Replace *r, const JsonNode *n, u32 pos)
{
    switch (n->kind) {
    case JSON_NULL: return mk(r->ast, NODE_NULL, pos, 0, 0);
    case JSON_TRUE: return mk(r->ast, NODE_TRUE, pos, 0, 0);
    case JSON_FALSE: return mk(r->ast, NODE_FALSE, pos, 0, 0);
    case JSON_STRING: return mk_str(r->ast, pos, intern_dup(r->ast->atoms, json_str(r->arena, n)));
    case JSON_NUMBER: {
        f64 v = json_number(n);
        NodeId num = mk_num(r->ast, pos, v < 0 ? -v : v);
        return v < 0 ? mk_op(r->ast, NODE_UNARY, TOK_MINUS, pos, num, 0) : num;
    }
    default: return json_list(r, n, pos);
    }
}

static NodeId dotted(Replace *r, Str path, u32 pos)
{
    Str part;
    (void)str_next(&path, '.', &part);
    NodeId id = mk_ident(r->ast, pos, intern_dup(r->ast->atoms, part));
    ast_node(r->ast, id)->c = 1;
    while (str_next(&path, '.', &part))
        id = mk_dot(r->ast, pos, id, intern_dup(r->ast->atoms, part));
    return id;
}

static NodeId void_0(Replace *r, u32 pos)
{
    return mk_op(r->ast, NODE_UNARY, TOK_VOID, pos, mk_num(r->ast, pos, 0), 0);
}

static bool value_of(Replace *r, const Define *d, u32 pos, Node *ret)
{
    JsonNode json;
    JsonError e;
    NodeId id = 0;
    if (d->kind == DEFINE_NAME)
        id = dotted(r, d->value, pos);
    else if (d->kind == DEFINE_VALUE && json_parse(r->arena, d->value, 0, &json, &e))
        id = json_value(r, &json, pos);
    if (!id) return false;
    *ret = *ast_node(r->ast, id);
    return true;
}

/* ---- Matching ---- */

static Str atom_text(const Replace *r, Atom a)
{
    return atom_str(r->ast->atoms, a);
}

/* The name of a member: a.b or a["b"]. */
static bool member_name(const Replace *r, const Node *n, Atom *ret)
{
    if (n->kind == NODE_DOT) {
        *ret = n->b;
        return true;
    }
    if (n->kind != NODE_INDEX) return false;
    const Node *key = ast_node(r->ast, n->b);
    *ret = key->a;
    return key->kind == NODE_STR;
}

static bool is_free(const Node *n)
{
    return n->kind == NODE_IDENT && n->c && !n->b;
}

/* The dotted name of a chain that starts at a free name, import.meta or this; empty if it is none.
 */
static Str chain_name(const Replace *r, NodeId id, char *buf, usize size)
{
    usize at = size;
    for (u32 parts = 0; parts < PARTS_MAX; parts++) {
        const Node *n = ast_node(r->ast, id);
        Atom name = 0;
        Str text = {0};
        bool more = member_name(r, n, &name);
        if (more)
            text = atom_text(r, name);
        else if (is_free(n))
            text = atom_text(r, n->a);
        else if (n->kind == NODE_IMPORT_META)
            text = S("import.meta");
        if (!text.n || text.n + 1 > at) break;
        at -= text.n;
        __builtin_memcpy(buf + at, text.p, text.n);
        if (!more) return (Str){buf + at, size - at};
        buf[--at] = '.';
        id = n->a;
    }
    return (Str){0};
}

static const Define *find(const Replace *r, NodeId id)
{
    const Node *n = ast_node(r->ast, id);
    Atom last = n->a;
    if (n->kind != NODE_IDENT && !member_name(r, n, &last)) return NULL;
    u64 *ends = str_map_find(&r->defines->by_last, atom_text(r, last));
    if (!ends || !(*ends & (n->kind == NODE_IDENT ? 1 : 2))) return NULL;
    char buf[256];
    Str name = chain_name(r, id, buf, sizeof(buf));
    u64 *slot = name.n ? str_map_find(&r->defines->by_name, name) : NULL;
    return slot ? &r->defines->list.at[*slot - 1] : NULL;
}

/* ---- Drop ---- */

/* A call whose callee is the dropped name or a member of it. */
static bool is_dropped(const Replace *r, NodeId callee)
{
    for (u32 depth = 0; depth < PARTS_MAX; depth++) {
        const Define *d = find(r, callee);
        if (d && d->kind == DEFINE_DROP) return true;
        Atom name;
        const Node *n = ast_node(r->ast, callee);
        if (!member_name(r, n, &name)) return false;
        callee = n->a;
    }
    return false;
}

static void drop_calls(Replace *r, u32 n_nodes)
{
    bool any = r->defines->drop_debugger;
    for (u32 i = 0; i < r->defines->list.len; i++)
        any |= r->defines->list.at[i].kind == DEFINE_DROP;
    for (NodeId i = 1; i < n_nodes && any; i++) {
        const Node n = *ast_node(r->ast, i);
        if (n.kind == NODE_CALL && is_dropped(r, n.a)) {
            NodeId undefined = void_0(r, n.pos);
            *ast_node(r->ast, i) = *ast_node(r->ast, undefined);
            r->changed = true;
        } else if (n.kind == NODE_DEBUGGER && r->defines->drop_debugger) {
            set_nothing(r->ast, i);
            r->changed = true;
        }
    }
}

/* ---- The scan ---- */

/* `delete X` takes a name, not a value. */
static void mark_deleted(const Ast *t, u64 *kept)
{
    for (NodeId i = 1; i < t->n_nodes; i++) {
        const Node *n = ast_node(t, i);
        if (n->kind == NODE_UNARY && n->op == TOK_DELETE) ast_mark(kept, n->a);
    }
}

bool defines_apply(const Defines *d, Ast *t, Arena *a)
{
    if (!d->list.len && !d->drop_debugger) return false;
    AUTO(Scratch) s = scratch_begin(a);
    Replace r = {.defines = d, .ast = t, .arena = s.arena};
    u32 n_nodes = t->n_nodes;
    u64 *kept = NULL;
    drop_calls(&r, n_nodes);
    /* From the outside in: longer chains first. */
    for (NodeId i = n_nodes; --i > 0;) {
        const Node n = *ast_node(t, i);
        if (n.kind != NODE_DOT && n.kind != NODE_INDEX && !is_free(&n)) continue;
        const Define *found = find(&r, i);
        if (!found || found->kind == DEFINE_DROP) continue;
        if (!kept) {
            kept = ARENA_ARRAY(s.arena, u64, t->n_nodes / 64 + 1);
            ast_mark_targets(t, kept);
            mark_deleted(t, kept);
        }
        bool target = kept[i >> 6] >> (i & 63) & 1;
        Node value;
        if (target && found->kind != DEFINE_NAME) continue;
        if (!value_of(&r, found, n.pos, &value)) continue;
        *ast_node(t, i) = value;
        r.changed = true;
    }
    return r.changed;
}
