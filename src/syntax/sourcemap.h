/* syntax/sourcemap.h -- from the printer's marks to source maps, and from places in the output to
 * places in the source. */
#pragma once

#include "syntax/print.h"

typedef struct {
    Str source_name;
    Str source; /* text */
    Str out;    /* printed text */
    const PrintResult *marks;
    u32 lines_before; /* lines in front of `out` in the file that is written (a module's wrapper) */
    bool with_content; /* sourcesContent */
} SourceMapInput;

/* Appends a version 3 map as JSON. */
void sourcemap_write(Buf *b, const SourceMapInput *in);
/* Line and column (both from 1, columns in UTF-16 units) of the output to those of the source: the
 * last mark at or before the place, on the same line.  False when there is none. */
bool sourcemap_find(const SourceMapInput *in, u32 line, u32 column, LinePos *ret);
