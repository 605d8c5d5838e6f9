/* syntax/print.h -- a syntax tree to JavaScript text. */
#pragma once

#include "syntax/ast.h"

/* Where a place of the output came from. */
typedef struct {
    u32 out, src; /* byte offsets */
} PrintMark;

/* What the printed program counts as it runs: a statement, or the call of a function. */
typedef struct {
    u32 pos; /* byte offset in the source */
    bool is_function;
} PrintCounter;

typedef struct PrintCounters {
    Str name; /* of the array: "name[7]++;" stands in front of statement 7 */
    Arena *arena;
    Vec(PrintCounter) at;
} PrintCounters;

typedef struct {
    bool minify_whitespace;
    Arena *marks_arena; /* not NULL: collect marks for a source map */
    const Comments
        *comments;           /* printed in front of the statements that they precede; may be NULL */
    Str prologue;            /* statements to put behind the program's directives: helpers_write */
    PrintCounters *counters; /* filled; NULL: nothing is counted */
} PrintOptions;

typedef struct {
    Vec(PrintMark) marks; /* ascending in `out` */
} PrintResult;

enum { PRINT_DEPTH_MAX = 4000 };

/* Appends to `out`.  `res` may be NULL.  The tree must be free of TypeScript nodes (lower_ts).
 * False when it is nested too deeply to be printed (nothing else fails). */
NODISCARD bool print_ast(const Ast *t, const PrintOptions *opt, Buf *out, PrintResult *res);
