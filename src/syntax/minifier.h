/* syntax/minifier.h -- what the minify_*.c files share (private to syntax). */
#pragma once

#include "syntax/fold.h"
#include "syntax/minify.h"
#include "syntax/walk.h"

#include "util/map.h"

typedef Vec(u32) NodeVec;

typedef struct {
    Fold f;
    Ast *ast;
    Bindings *bindings;
    Arena *arena; /* scratch of the whole pass */
    IdMap labels; /* atoms that break or continue name */
    u64 *linked;  /* by symbol: see bindings_linked */
    u64 *removed; /* by symbol: its declaration goes, no use is left */
} Minify;

static inline const Node *min_get(const Minify *m, NodeId id)
{
    return ast_node(m->ast, id);
}

static inline bool min_is(const Minify *m, NodeId id, NodeKind kind)
{
    return id && ast_node(m->ast, id)->kind == kind;
}

/* ---- minify_expr.c ---- */
/* After fold_expr. */
void minify_expr(Minify *m, NodeId id);
/* Where only its truth counts. */
void minify_condition(Minify *m, NodeId id);
/* Where its value is not used: what is left of it, or 0.  May change the node. */
NodeId minify_unused(Minify *m, NodeId id);
/* A new expression with the opposite truth. */
NodeId minify_not(Minify *m, NodeId id);
NodeId minify_comma(Minify *m, NodeId x, NodeId y);

/* ---- minify_stmt.c ---- */
/* One statement whose parts were minified. */
void minify_stmt(Minify *m, NodeId id);

/* ---- minify_list.c ---- */
typedef enum { LIST_BLOCK, LIST_FUNCTION, LIST_TOP } ListOwner;
ListId minify_list(Minify *m, ListId list, ListOwner owner);
/* Has it let, const, class or functions, so that it cannot lose its braces? */
bool minify_has_lexical(const Minify *m, ListId list);

/* ---- minify_names.c ---- */
/* Constants with short values take the place of their names. */
void minify_inline_constants(Minify *m);
/* Is the declaration of this name without any use? */
bool minify_is_unused(const Minify *m, NodeId ident);
