/* syntax/ast.c -- storage, comparison and dump of syntax trees (see ast.h). */
#include "syntax/ast.h"

#include "util/mem.h"

#include <string.h>

enum {
    BYTES_PER_NODE = 5, /* first guess: one node for so many bytes of source */
    DUMP_DEPTH_MAX = 400,
};

static void init(Ast *t, const Source *source, Interner *atoms, u32 cap)
{
    *t = (Ast){.source = source, .atoms = atoms};
    t->nodes_cap = cap;
    t->extra_cap = t->nodes_cap / 2;
    t->nodes = mem_resize(NULL, t->nodes_cap * sizeof(Node));
    t->extra = mem_resize(NULL, t->extra_cap * sizeof(u32));
    t->nodes[0] = (Node){0};
    t->extra[0] = 0;
    t->n_nodes = t->n_extra = 1;
}

void ast_init(Ast *t, const Source *source, Interner *atoms)
{
    init(t, source, atoms, (u32)(source->text.n / BYTES_PER_NODE) + 64);
}

void ast_init_small(Ast *t, const Source *source, Interner *atoms)
{
    init(t, source, atoms, 1024);
}

void Ast_deinit(Ast *t)
{
    mem_free(t->nodes);
    mem_free(t->extra);
    *t = (Ast){0};
}

NodeId ast_grow_add(Ast *t, const Node *n)
{
    u32 cap;
    if (!ADD_OK(t->nodes_cap, t->nodes_cap / 2, &cap)) bug_oom(t->nodes_cap);
    t->nodes = mem_resize(t->nodes, cap * sizeof(Node));
    t->nodes_cap = cap;
    t->nodes[t->n_nodes] = *n;
    return t->n_nodes++;
}

ListId ast_list(Ast *t, const u32 *items, u32 n)
{
    if (!n) return 0;
    u32 need;
    if (!ADD_OK(t->n_extra, n + 1, &need)) bug_oom(n);
    if (need > t->extra_cap) {
        u32 cap = MAX(need, t->extra_cap + t->extra_cap / 2);
        t->extra = mem_resize(t->extra, cap * sizeof(u32));
        t->extra_cap = cap;
    }
    ListId id = t->n_extra;
    t->extra[id] = n;
    u32 *to = &t->extra[id + 1];
    if (n <= 4) {
        for (u32 i = 0; i < n; i++) to[i] = items[i];
    } else {
        memcpy(to, items, n * sizeof(u32));
    }
    t->n_extra = need;
    return id;
}

const char ast_slots[NODE_COUNT][5] = {
#define NODE(kind, a, b, c, d) #a #b #c #d,
#include "syntax/ast.def"
#undef NODE
};

const char *ast_kind_name(NodeKind k)
{
    static const char *const names[] = {
#define NODE(kind, a, b, c, d) #kind,
#include "syntax/ast.def"
#undef NODE
    };
    return names[k];
}

static u32 slot_value(const Node *n, u32 slot)
{
    return slot == 0 ? n->a : slot == 1 ? n->b : slot == 2 ? n->c : n->d;
}

/* ---- Comparison: a work list of pairs, so that depth costs heap and not stack. ---- */

typedef struct {
    NodeId x, y;
} Pair;

typedef struct {
    const Ast *x, *y;
    Arena *arena;
    Vec(Pair) todo;
    bool skip_empty;
} Compare;

enum { FLAGS_IGNORED = NF_PAREN | NF_ESCAPED | NF_LEGACY | NF_TRAILING_COMMA | NF_TYPED };

static u16 flags_compared(const Node *n)
{
    u16 ignored = FLAGS_IGNORED;
    if (n->kind == NODE_ENUM || n->kind == NODE_NAMESPACE || n->kind == NODE_IMPORT_EQUALS) {
        ignored = (u16)(ignored & ~NF_ESCAPED);
    }
    return (u16)(n->flags & ~ignored);
}

static bool raw_equal(const Compare *c, u32 lx, u32 ly)
{
    u32 n = ast_len(c->x, lx);
    if (n != ast_len(c->y, ly)) return false;
    for (u32 i = 0; i + 1 < n; i += 2) {
        u32 x0 = ast_at(c->x, lx, i), x1 = ast_at(c->x, lx, i + 1);
        u32 y0 = ast_at(c->y, ly, i), y1 = ast_at(c->y, ly, i + 1);
        if (!str_eq(str_slice(c->x->source->text, x0, x1), str_slice(c->y->source->text, y0, y1))) {
            return false;
        }
    }
    return true;
}

/* The next member that counts, or 0. */
static NodeId next_member(const Compare *c, const Ast *t, ListId list, u32 *i)
{
    while (*i < ast_len(t, list)) {
        NodeId id = ast_at(t, list, (*i)++);
        if (!c->skip_empty || ast_node(t, id)->kind != NODE_EMPTY) return id;
    }
    return 0;
}

static bool list_equal(Compare *c, ListId x, ListId y)
{
    u32 i = 0, k = 0;
    for (;;) {
        NodeId a = next_member(c, c->x, x, &i), b = next_member(c, c->y, y, &k);
        if (!a || !b) return a == b;
        vec_push(c->arena, &c->todo, (Pair){a, b});
    }
}

static bool slot_equal(Compare *c, const Node *nx, const Node *ny, u32 slot)
{
    u32 x = slot_value(nx, slot), y = slot_value(ny, slot);
    switch (ast_slot((NodeKind)nx->kind, slot)) {
    case 'N':
        if (x || y) vec_push(c->arena, &c->todo, (Pair){x, y});
        return true;
    case 'L': return list_equal(c, x, y);
    case 'A':
        if (!x || !y) return x == y;
        return str_eq(atom_str(c->x->atoms, x), atom_str(c->y->atoms, y));
    case 'V': return x == y;
    case 'P': return raw_equal(c, x, y);
    default: return true;
    }
}

static bool node_equal(Compare *c, const Node *x, const Node *y)
{
    if (x->kind != y->kind || x->op != y->op || flags_compared(x) != flags_compared(y))
        return false;
    if (x->kind == NODE_JSX_TEXT || x->kind == NODE_JSX_STR) {
        return str_eq(str_slice(c->x->source->text, x->a, x->b),
                      str_slice(c->y->source->text, y->a, y->b));
    }
    for (u32 slot = 0; slot < 4; slot++)
        if (!slot_equal(c, x, y, slot)) return false;
    return true;
}

static bool compare(const Ast *x, const Ast *y, bool skip_empty, NodeId *ret_x, NodeId *ret_y)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    Compare c = {.x = x, .y = y, .arena = s.arena, .skip_empty = skip_empty};
    vec_push(s.arena, &c.todo, (Pair){x->root, y->root});
    while (c.todo.len) {
        Pair p = vec_pop(&c.todo);
        if (!node_equal(&c, ast_node(x, p.x), ast_node(y, p.y))) {
            if (ret_x) *ret_x = p.x;
            if (ret_y) *ret_y = p.y;
            return false;
        }
    }
    return true;
}

bool ast_equal(const Ast *x, const Ast *y, NodeId *ret_x, NodeId *ret_y)
{
    return compare(x, y, false, ret_x, ret_y);
}

bool ast_equal_but_empty(const Ast *x, const Ast *y, NodeId *ret_x, NodeId *ret_y)
{
    return compare(x, y, true, ret_x, ret_y);
}

/* ---- Dump ---- */

static void dump(const Ast *t, NodeId id, Buf *b, u32 depth);

static void dump_slot(const Ast *t, const Node *n, u32 slot, Buf *b, u32 depth)
{
    u32 v = slot_value(n, slot);
    switch (ast_slot((NodeKind)n->kind, slot)) {
    case 'N':
        buf_push_char(b, ' ');
        if (v)
            dump(t, v, b, depth + 1);
        else
            buf_push_char(b, '-');
        break;
    case 'L':
        buf_push(b, S(" ["));
        for (u32 i = 0; i < ast_len(t, v); i++) {
            if (i) buf_push_char(b, ' ');
            dump(t, ast_at(t, v, i), b, depth + 1);
        }
        buf_push_char(b, ']');
        break;
    case 'A':
        if (v) buf_fmt(b, " %.*s", STR_ARG(atom_str(t->atoms, v)));
        break;
    default: break;
    }
}

static void dump(const Ast *t, NodeId id, Buf *b, u32 depth)
{
    const Node *n = ast_node(t, id);
    if (depth > DUMP_DEPTH_MAX) {
        buf_push(b, S("..."));
        return;
    }
    buf_fmt(b, "(%s", ast_kind_name((NodeKind)n->kind));
    if (n->op && (n->kind == NODE_BINARY || n->kind == NODE_UNARY || n->kind == NODE_ASSIGN)) {
        buf_fmt(b, " %s", tok_name((Tok)n->op));
    } else if (n->op) {
        buf_fmt(b, " #%u", n->op);
    }
    if (n->flags & NF_OPTIONAL) buf_push(b, S(" ?."));
    if (n->kind == NODE_NUM) buf_fmt(b, " %.17g", ast_num(n));
    for (u32 slot = 0; slot < 4; slot++) dump_slot(t, n, slot, b, depth);
    buf_push_char(b, ')');
}

void ast_dump(const Ast *t, NodeId id, Buf *ret)
{
    dump(t, id, ret, 0);
}
