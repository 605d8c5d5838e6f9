/* syntax/lower_ts.h -- shared by the lower_ts_*.c files (private to syntax). */
#pragma once

#include "syntax/build.h"

#include "syntax/walk.h"
#include "util/map.h"

typedef Vec(u32) NodeVec;

/* The value of an enum member. */
typedef enum { VALUE_COMPUTED, VALUE_NUMBER, VALUE_STRING } ValueKind;
typedef struct {
    ValueKind kind;
    f64 number;
    Atom string;
} EnumValue;

typedef struct {
    Lowering *w;
    Ast *ast;
    Arena *scratch;
    IdMap namespaces; /* symbol of an exported variable: atom of the parameter that holds it */
    IdMap own_uses;   /* nodes in an enum that name a member of it and are no constant there */
    IdMap enums;      /* symbol << 32 | member name: index into values + 1 */
    Vec(EnumValue) values;
    NodeVec blocks; /* every namespace block, outer ones first */
    IdMap groups;   /* symbol, or owner and name: the group of its blocks */
    u32 n_groups;
    IdMap block_counts;   /* by group */
    IdMap exports;        /* owner's group and name: the symbol of an enum, or 0 */
    NodeId export_assign; /* `module.exports = x`, put at the end */
    IdMap declared;       /* symbols whose `var` was written */
} TsLower;

static inline const Node *ts_node(const TsLower *l, NodeId id)
{
    return ast_node(l->ast, id);
}

/* Appends what the enum or namespace becomes.  `owner`: parameter of the namespace around it when
 * it is exported from there, else 0.  `exported`: from the module. */
void ts_lower_enum(TsLower *l, NodeId id, NodeVec *out, Atom owner, bool exported);
void ts_lower_namespace(TsLower *l, NodeId id, NodeVec *out, Atom owner, bool exported);
/* var/let NAME; unless it exists.  */
void ts_declare(TsLower *l, NodeId name, NodeVec *out, Atom owner, bool exported);
/* NAME || (NAME = {}), or with an owner NAME = OWNER.NAME || (OWNER.NAME = {}). */
NodeId ts_object_arg(TsLower *l, u32 pos, Atom name, Atom owner);
/* Before anything else: exported variables of namespaces become properties wherever they are used.
 */
void ts_rewrite_namespace_vars(TsLower *l);
/* The enum that an expression names, E or N.E; 0 if none. */
SymbolId ts_enum_symbol(TsLower *l, NodeId expr);
/* After all: uses of constant members become their values. */
void ts_inline_enums(TsLower *l);
/* The parameter name for a namespace's function. */
Atom ts_namespace_param(TsLower *l, NodeId id);
bool ts_class(TsLower *l, NodeId id);
