/* syntax/scope.h -- scopes, symbols, and which name means which.
 *
 * One walk over a finished tree declares every name, resolves every IDENT that is a reference or a
 * binding (its slot b becomes the SymbolId), and reports the early errors about declarations. */
#pragma once

#include "syntax/parse.h"

/* Slot c of an IDENT that is a reference. */
enum {
    REF_USE = 1,
    REF_EARLY = 2, /* its declaration may not have run yet: see early.h */
};

typedef u32 SymbolId; /* 0: a global, or not resolved */
typedef u32 ScopeId;  /* 0: none */

typedef enum {
    SCOPE_TOP, /* script or module */
    SCOPE_FUNCTION,
    SCOPE_BLOCK,
    SCOPE_CATCH,
    SCOPE_CLASS,
    SCOPE_NAME, /* around a named function or class expression */
    SCOPE_NAMESPACE,
} ScopeKind;

typedef enum {
    SYM_NONE,
    SYM_VAR,
    SYM_FUNC,       /* function declaration directly in a function, script or namespace */
    SYM_BLOCK_FUNC, /* function declaration in a block, or at the top of a module */
    SYM_PARAM,
    SYM_LET,
    SYM_CONST,
    SYM_CLASS,
    SYM_CATCH,         /* catch (name) */
    SYM_CATCH_PATTERN, /* catch ({ name }) */
    SYM_IMPORT,
    SYM_SELF, /* own name of a function or class expression */
    SYM_ENUM,
    SYM_NAMESPACE,
    SYM_TYPE, /* interface, type alias: no value */
} SymbolKind;

typedef struct {
    u8 kind; /* ScopeKind */
    bool strict;
    bool has_eval; /* a direct call of eval in it or below, or a with */
    ScopeId parent;
    ScopeId function; /* nearest SCOPE_FUNCTION, TOP or NAMESPACE; maybe itself */
    NodeId node;
} Scope;

typedef struct {
    Atom name;
    u8 kind;       /* SymbolKind */
    bool assigned; /* written to other than by its declaration */
    bool exported;
    ScopeId scope;
    SymbolId shadowed; /* what the name meant outside, while the scope is open */
    NodeId decl;       /* an IDENT */
    u32 n_refs;        /* value uses, without declarations and writes of declarations */
} Symbol;

typedef struct {
    Arena *arena;
    Vec(Scope) scopes;   /* [0] unused */
    Vec(Symbol) symbols; /* [0] unused */
    u32 n_globals;       /* references that resolved to nothing */
} Bindings;

/* `opt` as given to parse.  False when errors were reported. */
bool scope_bind(Ast *t, const ParseOptions *opt, Arena *arena, Log *log, Bindings *ret);

static inline Symbol *symbol_get(const Bindings *b, SymbolId id)
{
    DASSERT(id < b->symbols.len);
    return &b->symbols.at[id];
}
