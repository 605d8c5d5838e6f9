/* syntax/lower_decorators.h -- shared by the files that lower decorators (private to syntax). */
#pragma once

#include "syntax/build.h"

#include "util/map.h"

typedef Vec(u32) NodeVec;

typedef struct {
    Lowering *w;
    Ast *ast;
    Arena *scratch;
    IdMap types; /* names of interfaces and type aliases, once has_types */
    bool has_types;
    NodeVec keys; /* declarations of variables for computed keys */
} DecoratorLower;

/* BASE_1, BASE_2, ...: a name that the file does not use. */
Atom decorator_fresh(DecoratorLower *l, Str base);
/* Standard decorators: appends what the class declaration becomes; returns its name.  `inferred`:
 * the name that an anonymous class gets, or 0. */
Atom es_lower_class(DecoratorLower *l, NodeId decl, Atom inferred, NodeVec *out);
/* `accessor x` to a private field, a getter and a setter; those with decorators only in legacy
 * mode. */
void lower_accessors(DecoratorLower *l, NodeId class);
bool has_decorators(const DecoratorLower *l, NodeId class);
/* Uses of the class inside itself become the alias.  True when there are any. */
bool alias_uses(DecoratorLower *l, NodeId class, NodeId name, Atom alias);
/* static { alias = this; } as the first member */
void set_alias(DecoratorLower *l, NodeId class, Atom alias);
/* emitDecoratorMetadata: appends __cobMetadata(...) calls.  `ctor` may be 0. */
void metadata_of_member(DecoratorLower *l, NodeId member, NodeVec *out);
void metadata_of_class(DecoratorLower *l, NodeId ctor, NodeVec *out);
