/* syntax/parse.h -- JavaScript, JSX and TypeScript source to a syntax tree. */
#pragma once

#include "syntax/ast.h"

typedef enum {
    GOAL_AUTO,   /* script, unless it turns out to be a module (import, export, top-level await) */
    GOAL_SCRIPT, /* sloppy until it says "use strict"; HTML-like comments */
    GOAL_COMMONJS, /* as SCRIPT, inside a function: return and new.target at the top level */
    GOAL_MODULE,
} ParseGoal;

typedef struct {
    ParseGoal goal;
    bool ts, jsx;      /* both: .tsx */
    bool ambiguous_lt; /* .mts, .cts: `<T>x` assertions and `<T>() =>` without comma are errors */
    bool declaration;  /* .d.ts: everything is ambient */
    bool keep_param_types; /* PARAM nodes for typed parameters (decorator metadata) */
} ParseOptions;

enum {
    /* Nesting of expressions, statements, types, patterns.  A level takes at most 1 KB of stack in
     * a release build. */
    PARSE_DEPTH_MAX = 1500,
};

/* Parses `source`, whose text is padded (lex_pad).  The tree is complete only when no error was
 * reported.  `t` was initialised by ast_init; `arena` holds cooked strings and lives as long as it.
 */
bool parse(Ast *t, Arena *arena, const ParseOptions *opt, Log *log);

/* For lowering passes: statements from `text`, which must be right, added to a finished tree.  A
 * name
 * `$0` ... `$9` stands for the node args[0] ... args[9].  No templates, no regular expressions. All
 * nodes get the position `pos`. */
ListId parse_quoted(Ast *t, Arena *arena, u32 pos, Str text, const NodeId *args);
