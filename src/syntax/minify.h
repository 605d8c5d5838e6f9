/* syntax/minify.h -- shorter programs that do the same (--minify-syntax).
 *
 * Works on a lowered tree whose names are bound.  What is assumed of a program, as other minifiers
 * do: functions are not turned into text, completion values of statements do not matter. */
#pragma once

#include "syntax/lower.h"

/* `w->bindings` are those of the tree as it is now; they are out of date afterwards. */
void minify_syntax(Lowering *w);
/* Of that only: constants with short values take the place of their names. */
void minify_constants(Lowering *w);
/* Marks the symbols that leave the file through `export` declarations as exported. */
void bindings_mark_exports(const Ast *t, Bindings *b);
/* By symbol, a bit: it shares its variable with another symbol of that name (Annex B: a function in
 * a block and the `var` it makes; `catch (e) { var e = 1; }`).  With `lexical` also what keeps a
 * function in a block from making one.  In `a`. */
u64 *bindings_linked(const Bindings *b, bool lexical, Arena *a);
