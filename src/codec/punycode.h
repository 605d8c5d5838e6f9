/* codec/punycode.h -- Punycode (RFC 3492): code points as letters, digits and hyphens. */
#pragma once

#include "util/arena.h"
#include "util/str.h"

/* Decodes what follows "xn--".  false if it is no Punycode of code points that exist. */
NODISCARD bool punycode_decode(Arena *a, Str text, const u32 **ret, usize *ret_n);
/* What follows "xn--"; false when the numbers do not fit. */
NODISCARD bool punycode_encode(Arena *a, const u32 *points, usize n, Str *ret);
