/* syntax/macro.h -- calls of functions that are imported with { type: "macro" }: made while the
 * file is compiled, and replaced by what they return. */
#pragma once

#include "syntax/scope.h"

typedef struct MacroCall {
    Str specifier, name; /* what is called: an export of a module */
    Str args;            /* JavaScript: an array of literals */
} MacroCall;

/* An import of `name` from `path` that means the export of that name of `target`. */
typedef struct {
    Str path, name, target;
} MacroMapping;

typedef struct {
    /* *ret: JavaScript made of literals alone, without names; or, when false, what went wrong. Both
     * in `a`. */
    bool (*call)(void *ctx, Arena *a, const MacroCall *call, Str *ret);
    void *ctx;
    const MacroMapping *map;
    u32 n_map;
    bool disabled; /* such imports are errors */
} MacroOptions;

/* Does the IMPORT have the attribute? */
bool macro_is_import(const Ast *t, const Node *import);
/* After scope_bind.  `o` NULL: such imports are errors.  Calls are made in the order of the text;
 * the imports vanish.  False when errors were reported. */
bool macros_run(Ast *t, const Bindings *b, const MacroOptions *o, Arena *a, Log *log);
