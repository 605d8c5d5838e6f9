/* syntax/ast.h -- the syntax tree: 24-byte nodes in one array, named by 32-bit ids.
 *
 * Node 0 is "none".  A list is a ListId: an offset into `extra`, where the count stands before the
 * members; 0 is the empty list.  A node's slots are described in ast.def.  Adding nodes may move
 * the array: take ids, not pointers, across calls that add. */
#pragma once

#include "syntax/lex.h"

typedef u32 NodeId;
typedef u32 ListId;

typedef enum {
#define NODE(kind, a, b, c, d) NODE_##kind,
#include "syntax/ast.def"
#undef NODE
    NODE_COUNT
} NodeKind;

typedef enum { VAR_VAR, VAR_LET, VAR_CONST, VAR_USING, VAR_AWAIT_USING } VarKind;
typedef enum {
    PROP_INIT,
    PROP_SHORTHAND,
    PROP_METHOD,
    PROP_GET,
    PROP_SET,
    PROP_FIELD,
    PROP_ACCESSOR,
    PROP_STATIC_BLOCK,
} PropKind;
typedef enum { PHASE_EVALUATION, PHASE_DEFER, PHASE_SOURCE } ImportPhase;
typedef enum { IMPORT_NAMED, IMPORT_DEFAULT, IMPORT_NAMESPACE } ImportKind;

enum {
    NF_PAREN = 1 << 0,    /* expression: stood in parentheses */
    NF_OPTIONAL = 1 << 1, /* DOT, INDEX, CALL: with ?. */
    NF_ASYNC = 1 << 2,    /* FUNC, ARROW */
    NF_GENERATOR = 1 << 3,
    NF_STRICT = 1 << 4,          /* FUNC, ARROW, PROGRAM: strict code */
    NF_SIMPLE = 1 << 5,          /* FUNC, ARROW: simple parameter list */
    NF_STATIC = 1 << 6,          /* MEMBER */
    NF_COMPUTED = 1 << 7,        /* PROP, MEMBER */
    NF_PREFIX = 1 << 8,          /* UPDATE */
    NF_DELEGATE = 1 << 8,        /* YIELD */
    NF_DIRECTIVE = 1 << 8,       /* EXPR_STMT */
    NF_AWAIT = 1 << 8,           /* FOR_OF */
    NF_METHOD = 1 << 8,          /* FUNC: method, getter, setter or constructor */
    NF_ESCAPED = 1 << 9,         /* STR: has escapes */
    NF_LEGACY = 1 << 10,         /* STR, NUM: legacy octal */
    NF_TYPE_ONLY = 1 << 11,      /* IMPORT, EXPORT and their specs */
    NF_DECLARE = 1 << 12,        /* MEMBER, VAR, ...: declare or abstract, erased */
    NF_CONST = 1 << 8,           /* ENUM */
    NF_EXPORTED = 1 << 9,        /* ENUM, NAMESPACE, IMPORT_EQUALS, in an EXPORT_DECL */
    NF_PROPERTY = 1 << 8,        /* PARAM */
    NF_TRAILING_COMMA = 1 << 13, /* ARRAY, OBJECT: a comma after the last member, a spread */
    NF_TYPED = 1 << 14,          /* MEMBER, PARAM: has a type annotation */
    NF_PURE = 1 << 15,           /* CALL, NEW: marked as free of side effects */
};

typedef struct {
    u8 kind; /* NodeKind */
    u8 op;
    u16 flags;
    u32 pos; /* first byte in the source */
    u32 a, b, c, d;
} Node;

typedef struct {
    Node *nodes;
    u32 *extra;
    u32 n_nodes, nodes_cap;
    u32 n_extra, extra_cap;
    const Source *source;
    Interner *atoms;
    LexNotes notes;
    NodeId root;    /* PROGRAM */
    bool is_module; /* has import, export, import.meta or top-level await, or was asked for */
    bool has_esm;   /* has import or export declarations or import.meta */
    bool has_top_await;
    bool has_accessors; /* `accessor` fields */
    bool has_jsx, has_decorators, has_using, has_dynamic_import, has_import_meta;
} Ast;

void ast_init(Ast *t, const Source *source, Interner *atoms);
/* For trees that are cut back all the time. */
void ast_init_small(Ast *t, const Source *source, Interner *atoms);
void Ast_deinit(Ast *t);
NodeId ast_grow_add(Ast *t, const Node *n);
ListId ast_list(Ast *t, const u32 *items, u32 n);
extern const char ast_slots[NODE_COUNT][5];
/* The letter of a slot in ast.def: 'N', 'L', 'A', 'V', 'P', 'R' or '_'. */
static inline char ast_slot(NodeKind k, u32 slot)
{
    return ast_slots[k][slot];
}
const char *ast_kind_name(NodeKind k);
/* Same tree?  Positions and parentheses do not count.  On a difference *ret_x, *ret_y (may be NULL)
 * are the first nodes that differ. */
bool ast_equal(const Ast *x, const Ast *y, NodeId *ret_x, NodeId *ret_y);
/* The same, but empty statements in lists do not count. */
bool ast_equal_but_empty(const Ast *x, const Ast *y, NodeId *ret_x, NodeId *ret_y);
/* The tree in a readable form, for tests. */
void ast_dump(const Ast *t, NodeId id, Buf *ret);

static inline NodeId ast_add(Ast *t, Node n)
{
    if (UNLIKELY(t->n_nodes == t->nodes_cap)) return ast_grow_add(t, &n);
    t->nodes[t->n_nodes] = n;
    return t->n_nodes++;
}

static inline Node *ast_node(const Ast *t, NodeId id)
{
    DASSERT(id < t->n_nodes);
    return &t->nodes[id];
}

static inline u32 ast_len(const Ast *t, ListId list)
{
    return list ? t->extra[list] : 0;
}

static inline u32 ast_at(const Ast *t, ListId list, u32 i)
{
    DASSERT(i < ast_len(t, list));
    return t->extra[list + 1 + i];
}

static inline f64 ast_num(const Node *n)
{
    u64 bits = (u64)n->b << 32 | n->a;
    f64 v;
    __builtin_memcpy(&v, &bits, sizeof(v));
    return v;
}
