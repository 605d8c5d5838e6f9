/* syntax/walk.c -- see walk.h. */
#include "syntax/walk.h"

#include "util/vec.h"

typedef struct {
    const Ast *ast;
    Arena *arena;
    u64 *seen;
    NodeOrder *out;
    Vec(NodeId) todo;
} Order;

void ast_children(const Ast *t, const Node *n, NodeVisit *fn, void *ctx)
{
    const u32 slots[] = {n->a, n->b, n->c, n->d};
    for (u32 i = 0; i < COUNT(slots); i++) {
        char c = ast_slot((NodeKind)n->kind, i);
        if (c == 'N' && slots[i]) {
            fn(ctx, slots[i]);
        } else if (c == 'L') {
            u32 len = ast_len(t, slots[i]);
            for (u32 k = 0; k < len; k++) fn(ctx, ast_at(t, slots[i], k));
        } else if (c == '_') {
            break;
        }
    }
}

static void push(void *ctx, NodeId id)
{
    Order *o = ctx;
    u64 bit = 1ULL << (id & 63);
    if (o->seen[id >> 6] & bit) return;
    o->seen[id >> 6] |= bit;
    vec_push(o->arena, &o->todo, id);
}

void ast_order(const Ast *t, NodeId root, Arena *a, NodeOrder *ret)
{
    AUTO(Scratch) s = scratch_begin(a);
    Order o = {.ast = t, .arena = s.arena, .out = ret};
    o.seen = ARENA_ARRAY(s.arena, u64, t->n_nodes / 64 + 1);
    *ret = (NodeOrder){.at = ARENA_ARRAY(a, NodeId, t->n_nodes)};
    push(&o, root);
    while (o.todo.len) {
        NodeId id = vec_pop(&o.todo);
        ret->at[ret->len++] = id;
        ast_children(t, ast_node(t, id), push, &o);
    }
}

static void mark_list(const Ast *t, u64 *bits, ListId list)
{
    for (u32 i = 0; i < ast_len(t, list); i++) {
        const Node *n = ast_node(t, ast_at(t, list, i));
        ast_mark(bits, n->kind == NODE_PROP ? n->b : ast_at(t, list, i));
    }
}

void ast_mark_targets(const Ast *t, u64 *bits)
{
    for (NodeId i = 1; i < t->n_nodes; i++) {
        const Node *n = ast_node(t, i);
        switch (n->kind) {
        case NODE_ASSIGN:
        case NODE_UPDATE:
        case NODE_FOR_IN:
        case NODE_FOR_OF:
        case NODE_ASSIGN_PAT:
        case NODE_REST: ast_mark(bits, n->a); break;
        case NODE_ARRAY_PAT:
        case NODE_OBJECT_PAT: mark_list(t, bits, n->a); break;
        default: break;
        }
    }
}
