/* syntax/number.h -- numbers as text. */
#pragma once

#include "util/base.h"

enum { NUMBER_TEXT_MAX = 40 };

/* As Number.prototype.toString writes it; `v` is finite.  Returns the length (no NUL). */
usize number_text(f64 v, char *out);
/* The shortest literal that reads as `v`, which is finite and not negative. */
usize number_text_short(f64 v, char *out);
