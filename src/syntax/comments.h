/* syntax/comments.h -- the comments that mean something.
 *
 * The lexer drops comments.  The few that matter are looked for in the text afterwards, only when
 * it contains their words at all, and checked against the tree so that nothing inside a string
 * counts.
 */
#pragma once

#include "syntax/ast.h"
#include "util/vec.h"

typedef struct {
    u32 pos, len;
} Comment;

typedef Vec(Comment) Comments;

/* Comments with `!` at their start, @license or @preserve; in source order. */
void comments_legal(const Ast *t, Arena *a, Comments *ret);
/* Marks calls and `new` behind a @__PURE__ or #__PURE__ comment (NF_PURE). */
void comments_mark_pure(Ast *t);
