/* codec/vlq.h -- the base-64 variable-length numbers of source maps
 * (https://tc39.es/ecma426/#sec-base64-vlq): five bits a digit, lowest first, the sign in bit 0 of
 * the first digit, bit 5 of a digit says that another follows. */
#pragma once

#include "util/base.h"

enum { VLQ_MAX = 7 }; /* characters that one number can take */

/* Writes `value` at `out` (room for VLQ_MAX) and returns how many characters it took. */
u32 vlq_write(char *out, i32 value);
/* Reads one number; *at moves behind it.  False, with *at unmoved, when there is none before `end`,
 * when it does not end, or when it does not fit 32 bits. */
bool vlq_read(const char **at, const char *end, i32 *ret);
