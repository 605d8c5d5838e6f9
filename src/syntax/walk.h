/* syntax/walk.h -- the nodes of a tree in an order in which no pass needs recursion. */
#pragma once

#include "syntax/ast.h"

typedef struct {
    NodeId *at; /* parents before their children; each node once */
    u32 len;
} NodeOrder;

/* All nodes below `root`, which is the first.  Going through it backwards meets every node after
 * all that is below it. */
void ast_order(const Ast *t, NodeId root, Arena *a, NodeOrder *ret);
/* Calls `fn` for each child of a node, in source order. */
typedef void NodeVisit(void *ctx, NodeId child);
void ast_children(const Ast *t, const Node *n, NodeVisit *fn, void *ctx);

/* Sets the bit of every node that something is stored in: targets of assignments, ++, for-in, and
 * the members of assignment patterns.  `bits` covers all nodes. */
void ast_mark_targets(const Ast *t, u64 *bits);
static inline void ast_mark(u64 *bits, NodeId id)
{
    bits[id >> 6] |= 1ULL << (id & 63);
}
