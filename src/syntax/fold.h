/* syntax/fold.h -- what is known about expressions before they run, and expressions with a known
 * value replaced by it. */
#pragma once

#include "syntax/build.h"

typedef enum {
    KNOWN_NOT,
    KNOWN_UNDEFINED,
    KNOWN_NULL,
    KNOWN_BOOL,
    KNOWN_NUMBER,
    KNOWN_STRING,
    KNOWN_BIGINT, /* value: 0 or 1, for its truth alone */
} KnownKind;

typedef struct {
    KnownKind kind;
    f64 number; /* also BOOL and BIGINT */
    Str text;   /* WTF-8 */
} Known;

typedef struct {
    Ast *ast;
    const Bindings *bindings; /* of names that are not free */
    Arena *arena;
    bool has_with;    /* a `with` somewhere: no free name is what it seems */
    bool knows_early; /* bindings_mark_early was called */
    bool minify;      /* prefer what is short: arithmetic, !0, void 0 */
    u64 *refs;  /* by node: it is called, deleted, assigned to or asked for its type, so that `a.b`
                   is not `(0,   a.b)` */
    u32 n_refs; /* nodes that `refs` covers: all that were there at the beginning */
    u64 n_scanned; /* by fold_hoisted: statements and names */
} Fold;

/* Marks what stands where a reference is not just its value. */
void fold_mark_refs(Fold *f, Arena *a);

/* The value of an expression without side effects. */
Known fold_known(const Fold *f, NodeId id);
/* Is it always true or always false where a condition stands?  It may have side effects.  1, 0, or
 * -1 for unknown. */
int fold_truth(const Fold *f, NodeId id);
/* Evaluating it does nothing that anyone could notice. */
bool fold_is_pure(const Fold *f, NodeId id);
/* "number", "string" ... when typeof must give that, else NULL. */
const char *fold_type(const Fold *f, NodeId id);
/* String(value), when that is known. */
bool fold_text(Fold *f, NodeId id, Str *ret);
bool fold_is_undefined(const Fold *f, NodeId id);

/* Simplifies one expression whose operands were simplified already.  `id` keeps its place. */
void fold_expr(Fold *f, NodeId id);
/* `if` whose condition is known: the statement becomes what is left of it. */
void fold_if(Fold *f, NodeId id);
/* After defines: dead branches and conditions only. */
void fold_conditions(Ast *t, const Bindings *bindings, Arena *a);
/* The names that `var` declares in a statement, as `var a, b`, or 0; false when it cannot be
 * removed (functions in sloppy code). */
bool fold_hoisted(Fold *f, NodeId stmt, NodeId *ret);

/* The node becomes ... */
void set_node(Fold *f, NodeId id, NodeId other);
void set_bool(Fold *f, NodeId id, bool v);
void set_number(Fold *f, NodeId id, f64 v);
void set_text(Fold *f, NodeId id, Str text);
void set_undefined(Fold *f, NodeId id);
/* A statement that does nothing, and that is not even printed in a list. */
void set_nothing(Ast *t, NodeId id);

static inline const Node *fold_get(const Fold *f, NodeId id)
{
    return ast_node(f->ast, id);
}

static inline bool fold_is_ref(const Fold *f, NodeId id)
{
    return id < f->n_refs && f->refs && (f->refs[id >> 6] >> (id & 63) & 1);
}

/* The global `name`, as far as one can know. */
bool fold_is_global(const Fold *f, NodeId id, const char *name);
/* An ASCII identifier that may stand behind a dot. */
bool fold_is_name(Str s);
