/* syntax/lower.c -- the order of the lowering passes. */
#include "syntax/lower.h"

bool lower_all(Lowering *w)
{
    jsx_note_factory(w);
    metadata_note(w);
    if (!lower_ts(w) || !lower_decorators(w)) return false;
    lower_using(w);
    return lower_jsx(w);
}
