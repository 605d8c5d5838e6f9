/* syntax/rename.h -- new names for symbols: short ones (--minify-identifiers), or ones that do not
 * collide when several files become one.
 *
 * Names inside functions live in slots: a scope's slots begin where those of the scope around it
 * end, so that scopes beside each other share theirs, also across files.  Every slot gets one name,
 * the most used slots the shortest.  Names that must stay (globals, exports, whatever eval or with
 * could see) are never given to anything else. */
#pragma once

#include "syntax/scope.h"
#include "util/map.h"

typedef struct {
    Ast *ast;
    Bindings *bindings; /* of the tree as it is */
    bool keep_top;      /* names at the top level belong to others: a script */
    u32 base;           /* its symbols' first index in Renamer.symbols */
} RenameFile;

typedef struct {
    u32 slot;   /* + 1; 0: keeps its name */
    u32 linked; /* index + 1 of the symbol whose name it shares */
} RenameSymbol;

typedef struct {
    u32 count, order;
    Str name;
} RenameSlot;

typedef struct {
    Arena *arena;
    StrMap reserved;
    Vec(RenameFile) files;
    Vec(RenameSymbol) symbols;
    Vec(RenameSlot) slots;
    u32 n_nested;       /* slots of nested scopes, the first ones */
    u32 histogram[256]; /* characters of the sources */
    bool keep_names;    /* set before renamer_minify: functions and classes keep theirs */
} Renamer;

void renamer_init(Renamer *r, Arena *a);
/* This name is taken. */
void renamer_reserve(Renamer *r, Str name);
/* Returns the file's index. */
u32 renamer_add(Renamer *r, Ast *t, Bindings *b, bool keep_top);
/* An import gets the name of what it imports. */
void renamer_link(Renamer *r, u32 file, SymbolId symbol, u32 to_file, SymbolId to_symbol);
/* Short names by how often they are used. */
void renamer_minify(Renamer *r);
/* Top-level names of all files become different from each other; other names stay. */
void renamer_separate(Renamer *r);
/* Writes the names into the trees. */
void renamer_apply(Renamer *r);
