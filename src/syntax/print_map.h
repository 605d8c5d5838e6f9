/* syntax/print_map.h -- from the marks of the printer to a source map. */
#pragma once

#include "codec/sourcemap.h"
#include "syntax/print.h"

typedef struct {
    Str name;              /* of the source, as it shall stand in the map */
    const Interner *atoms; /* not NULL: fill `names` with what was renamed */
    u32 lines_before;      /* lines in front of `out` in the file that is written */
    bool content;          /* include the text of the source */
    /* The map of the source itself, if it was generated: positions are followed through it. */
    const SourceMap *input;
} SourceMapOptions;

/* Makes the map of `out`, which was printed from `source` with `marks`.  It is not indexed for
 * lookups (sourcemap_index does that).  Everything is kept in `a` or borrowed. */
void sourcemap_build(Arena *a, const Source *source, Str out, const PrintResult *marks,
                     const SourceMapOptions *opt, SourceMap *ret);

/* ---- Positions ---- */

/* Byte offsets to lines and UTF-16 columns, both from 0, for offsets in any order. */
typedef struct {
    Str text;
    u32 *lines; /* where each line begins */
    u32 n_lines;
    u32 *extra; /* per 64 bytes: bytes before them beyond one a UTF-16 unit; NULL: all ASCII */
    u32 at;     /* the line of the latest answer */
} LineTable;

void line_table_init(Arena *a, Str text, LineTable *ret);
void line_table_find(LineTable *t, u32 pos, u32 *ret_line, u32 *ret_column);
