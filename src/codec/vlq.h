/* codec/vlq.h -- the base-64 variable-length numbers of source maps. */
#pragma once

#include "util/buf.h"

void vlq_push(Buf *b, i32 value);
/* Takes one number from *rest; false when there is none or it is malformed. */
bool vlq_next(Str *rest, i32 *ret);
