/* syntax/jsx_text.h -- the meaning of text in JSX (private to syntax). */
#pragma once

#include "util/buf.h"

/* Text between tags: lines are trimmed and joined by one space, entities are replaced. */
void jsx_text(Str raw, Buf *ret);
/* Nothing but white space that contains a line break. */
bool jsx_text_is_blank(Str raw);
/* The value of a quoted attribute: entities are replaced. */
void jsx_string(Str raw, Buf *ret);
/* The word behind `name` in a comment of `text`, as in: @jsx h */
bool jsx_pragma(Str text, Str name, Str *ret);
