/* syntax/lower_ts.h -- shared by the lower_ts_*.c files (private to syntax). */
#pragma once

#include "syntax/build.h"

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
    NodeId node;
    u32 next; /* index + 1 of another block of the same namespace */
} TsBlock;

typedef struct {
    Lowering *w;
    Ast *ast;
    Arena *scratch;
    IdMap namespaces; /* symbol of an exported variable: atom of the parameter that holds it */
    IdMap enums;      /* symbol << 32 | member name: index into values + 1 */
    Vec(EnumValue) values;
    Vec(TsBlock) blocks;  /* every namespace block */
    IdMap block_heads;    /* symbol: its first block, index + 1 */
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
/* The parameter name for a namespace's function. */
Atom ts_namespace_param(TsLower *l, NodeId id);
bool ts_class(TsLower *l, NodeId id);
