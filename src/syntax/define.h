/* syntax/define.h -- replacing free names and members by values (--define), and dropping calls and
 * debugger statements (--drop). */
#pragma once

#include "syntax/scope.h"
#include "util/map.h"

typedef enum { DEFINE_VALUE, DEFINE_NAME, DEFINE_DROP } DefineKind;

typedef struct Define {
    DefineKind kind;
    Str value; /* VALUE: JSON text; NAME: a dotted name */
} Define;

/* Built once, then shared by files and threads.  Keys are dotted names ("process.env.NODE_ENV",
 * "import.meta.env.X", "DEBUG"). */
typedef struct Defines {
    Arena *arena;
    StrMap by_name; /* key to index into list + 1 */
    StrMap by_last; /* last part of each key: that a key may match at all */
    Vec(Define) list;
    bool drop_debugger;
} Defines;

void defines_init(Defines *d, Arena *a);
/* Adds one; a later one with the same key wins.  `value` is JSON, a name or a dotted name.  False,
 * with *ret_what (a constant), when either is malformed. */
NODISCARD bool defines_add(Defines *d, Str key, Str value, const char **ret_what);
/* "KEY:VALUE" or "KEY=VALUE". */
NODISCARD bool defines_add_text(Defines *d, Str text, const char **ret_what);
/* "debugger", "console", or a dotted name whose calls go. */
NODISCARD bool defines_drop(Defines *d, Str name, const char **ret_what);

/* Replaces in the whole tree; the names in it are bound.  Returns whether anything changed. */
bool defines_apply(const Defines *d, Ast *t, Arena *a);
