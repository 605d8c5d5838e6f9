/* syntax/helpers.h -- functions that lowered code calls.  They are text: the caller puts them
 * before the program (helpers_write), or binds the same names some other way. */
#pragma once

#include "util/buf.h"

enum {
    HELPER_USING = 1 << 0,
    HELPER_DECORATE = 1 << 1,
    HELPER_PARAM = 1 << 2,
    HELPER_METADATA = 1 << 3,
    HELPER_ES_DECORATE = 1 << 4,
};

/* Definitions of the helpers in `set`, on one line without a line end. */
void helpers_write(Buf *b, u32 set);
