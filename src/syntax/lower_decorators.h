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
} DecoratorLower;

/* BASE_1, BASE_2, ...: a name that the file does not use. */
Atom decorator_fresh(DecoratorLower *l, Str base);
/* emitDecoratorMetadata: appends __cobMetadata(...) calls.  `ctor` may be 0. */
void metadata_of_member(DecoratorLower *l, NodeId member, NodeVec *out);
void metadata_of_class(DecoratorLower *l, NodeId ctor, NodeVec *out);
