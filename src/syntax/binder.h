/* syntax/binder.h -- the state of scope_bind (private to syntax).
 *
 * `current[atom]` is the innermost symbol of that name; a scope that closes puts back what its
 * symbols shadowed.  Looking a name up is therefore one load.  Because names are visible before
 * they are declared, entering a scope first declares all it holds (declare_block, declare_vars). */
#pragma once

#include "syntax/scope.h"

typedef struct {
    Ast *ast;
    const ParseOptions *opt;
    Log *log;
    Arena *arena;
    Bindings *out;
    SymbolId *current; /* by atom */
    u32 n_atoms;
    Vec(SymbolId) open; /* symbols of the open scopes, innermost last */
    ScopeId scope;
    u32 *lexical; /* by atom: blocks open around a statement that declare the name; scope_annex.c */
    bool nested_functions; /* the body has functions in blocks */
    bool ok;
} Binder;

static inline const Node *bind_node(const Binder *b, NodeId id)
{
    return ast_node(b->ast, id);
}

typedef struct {
    ScopeId outer;
    u32 mark;
} ScopeMark;

ScopeMark scope_open(Binder *b, ScopeKind kind, NodeId node);
void scope_close(Binder *b, ScopeMark m);
/* Declares the IDENT in the current scope; reports a conflict. */
void declare(Binder *b, NodeId ident, SymbolKind kind);
/* Every name of a pattern. */
void declare_pattern(Binder *b, NodeId pattern, SymbolKind kind);
/* The lexical declarations directly in a statement list. */
void declare_block(Binder *b, ListId list);
/* All that belongs to the scope of a body: the lexical declarations of the list, the `var`s below
 * it, and by Annex B its functions in blocks. */
void declare_body(Binder *b, ListId list);
/* Annex B: in sloppy code a function in a block is also a var, unless that would conflict. */
void annex_functions(Binder *b, ListId list);
void resolve(Binder *b, NodeId ident, bool write);
void bind_error(Binder *b, NodeId at, NodeId other, Atom name);
/* Visiting a `var`: no lexical name may stand between it and its function. */
void check_var(Binder *b, NodeId pattern);
