/* syntax/early.h -- which reads may come before the declaration of what they name has run. */
#pragma once

#include "syntax/lower.h"

/* Sets REF_EARLY in the slot c of every IDENT that reads a let, const, class or parameter and is
 * not proved to find it initialised.  `w->bindings` are those of the tree as it is, with its
 * exports marked.  Linear. */
void bindings_mark_early(Lowering *w);
