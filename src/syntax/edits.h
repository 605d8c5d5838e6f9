/* syntax/edits.h -- what the fast path changes in the source (private to syntax). */
#pragma once

#include "syntax/parser.h"
#include "syntax/strip.h"

typedef struct {
    u32 from, to;
    const char *text; /* stands at `from`, the rest becomes spaces; NULL: only spaces */
} Edit;

enum {                 /* what is known about a name, by atom */
       NAME_VALUE = 1, /* used as a value */
       NAME_BOUND = 2, /* declared, other than by an import */
       NAME_ASSIGNED = 4,
       NAME_TYPE = 8, /* interface, type alias */
};

typedef struct {
    ListId attributes;
    NodeId node;
} KeptStatement;

typedef struct Strip {
    Arena *arena;
    const StripOptions *opt;
    Vec(Edit) edits;
    Vec(u8) names;            /* by atom */
    Vec(NodeId) module_stmts; /* IMPORT, EXPORT, ...: kept until the end */
    u32 n_nodes_kept, n_extra_kept;
    const char *reason;
    ModuleInfo info;
    bool any_statement; /* something that is not erased was read */
    Atom default_name;  /* of `export default name`, or 0 */
    u64 n_searched;     /* bytes looked through for names in types */
    u32 default_end;    /* end of the word in the latest `export default` */
} Strip;

/* Hooks of the parser; all do nothing unless p->strip is set and no type is being skipped. */
void strip_erase_slow(Parser *p, u32 from, u32 to, const char *text);
void strip_refuse_slow(Parser *p, const char *reason);
void strip_name_slow(Parser *p, Atom name, u8 bits);
/* A statement was read that began at `pos`; `mark` is the number of edits before it. */
void strip_statement(Parser *p, NodeId id, u32 pos, u32 mark);
void strip_top_statement(Parser *p, NodeId id, u32 pos);

static inline void erase(Parser *p, u32 from, u32 to)
{
    if (UNLIKELY(p->strip && !p->type_depth)) strip_erase_slow(p, from, to, NULL);
}

static inline void erase_with(Parser *p, u32 from, u32 to, const char *text)
{
    if (UNLIKELY(p->strip && !p->type_depth)) strip_erase_slow(p, from, to, text);
}

/* The fast path does not do for this file. */
static inline void refuse(Parser *p, const char *reason)
{
    if (UNLIKELY(p->strip && !p->type_depth)) strip_refuse_slow(p, reason);
}

static inline void note_name(Parser *p, Atom name, u8 bits)
{
    if (UNLIKELY(p->strip && !p->type_depth)) strip_name_slow(p, name, bits);
}

/* `<T>` at `pos` was erased and `(` is the current token. */
void keep_paren_on_line(Parser *p, u32 pos);

static inline u32 edit_mark(const Parser *p)
{
    return p->strip ? p->strip->edits.len : 0;
}
