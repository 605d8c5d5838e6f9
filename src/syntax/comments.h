/* syntax/comments.h -- comments that mark calls as free of side effects.
 *
 * The lexer notes whether the file has any; only then they are looked for, before each call. */
#pragma once

#include "syntax/ast.h"

/* Marks calls and `new` behind a @__PURE__ or #__PURE__ comment (NF_PURE). */
void comments_mark_pure(Ast *t);
