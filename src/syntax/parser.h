/* syntax/parser.h -- the state that the parse_*.c files share (private to syntax).
 *
 * After a syntax error the lexer is dead and yields EOF, so functions need not look at results:
 * loops end at EOF, and only the statement list at the top level recovers.  Early errors (those of
 * context, not of shape) are reported and parsing goes on.
 *
 * Cover grammars.  Object and array literals become patterns in place once `=`, `=>` or `of` shows
 * what they are; until then `shorthand_err` remembers the first `{a = 1}`, which only a pattern may
 * contain. Arrow functions: `arrow_at` is where one may start.
 *
 * Types leave no nodes.  Where only the end of a construct tells type arguments from comparison, or
 * arrow parameters from parentheses, the parser tries with errors off and goes back (Snapshot).
 * Each failure is remembered by its position, so nothing is tried twice and the cost stays linear.
 */
#pragma once

#include "syntax/parse.h"
#include "util/map.h"

enum {
    CTX_STRICT = 1 << 0,
    CTX_FUNCTION = 1 << 1, /* return is allowed */
    CTX_ASYNC = 1 << 2,    /* await is an operator */
    CTX_GENERATOR = 1 << 3,
    CTX_SUPER_CALL = 1 << 4,
    CTX_SUPER_PROP = 1 << 5,
    CTX_NEW_TARGET = 1 << 6,
    CTX_STATIC_BLOCK = 1 << 7, /* await is no name, arguments is an error */
    CTX_NO_ARGUMENTS = 1 << 8, /* field initialisers */
    CTX_LOOP = 1 << 9,
    CTX_SWITCH = 1 << 10,
    CTX_PARAMS = 1 << 11,  /* formal parameters: no await, no yield expressions */
    CTX_AMBIENT = 1 << 12, /* declare, .d.ts */
    CTX_TOP = 1 << 13,     /* top level of the file, outside functions and classes */
    CTX_NAMESPACE = 1 << 14,
    CTX_NO_CONDITIONAL_TYPE = 1 << 15, /* inside the extends of a conditional type */
    CTX_DERIVED = 1 << 16,             /* class with extends: constructors may call super */
    CTX_FUNCTION_MASK = CTX_FUNCTION | CTX_ASYNC | CTX_GENERATOR | CTX_SUPER_CALL | CTX_SUPER_PROP |
                        CTX_NEW_TARGET | CTX_STATIC_BLOCK | CTX_NO_ARGUMENTS | CTX_LOOP |
                        CTX_SWITCH | CTX_PARAMS | CTX_TOP | CTX_NAMESPACE | CTX_NO_CONDITIONAL_TYPE,
};

/* Flags of the expression functions. */
enum {
    E_NO_IN = 1 << 0,
    E_COVER = 1 << 1, /* an object or array literal may still become a pattern: the caller checks */
    E_ARROW_ARG = 1 << 2,   /* TypeScript: `a?` may mark an optional arrow parameter */
    E_COND_MIDDLE = 1 << 3, /* TypeScript: between ? and :, a colon behind `)` is ambiguous */
    E_NO_CALL = 1 << 4,     /* callee of new */
    E_DECORATOR = 1 << 5,   /* `[` ends a decorator's expression */
};

typedef struct LabelScope {
    const struct LabelScope *outer;
    Atom name;
    bool loop; /* labels a loop */
} LabelScope;

typedef struct {
    Atom name;
    u32 pos;
} PrivateUse;

typedef struct ClassScope {
    struct ClassScope *outer;
    IdMap declared; /* atom of a private name to PropKind + 1, | 16 when static */
    u32 uses_from;
} ClassScope;

typedef struct {
    Lexer l;
    Ast *ast;
    Arena *arena;
    Log *log;
    const ParseOptions *opt;
    struct Strip *strip; /* not NULL: collect edits, keep no tree */
    u32 type_depth;      /* inside a type: nothing is noted */
    bool await_bound;    /* `await` was declared: it is a name, unless this is a module */
    bool in_import;      /* names that are bound are imports */
    bool ts, jsx;
    bool ambient_value; /* a `declare` that counts as a value was seen */
    bool ctor_params;   /* the parameters read next are a constructor's */
    u32 ctx;
    u32 depth;
    u32 arrow_at; /* all four: position + 1, 0: none */
    u32 shorthand_err;
    u32 proto_err;
    u32 arrow_type_at;      /* a type annotation that only arrow parameters may have */
    u32 await_at, yield_at; /* first such expression since they were cleared */
    u32 await_name_at;      /* first use of `await` as a name */
    u32 cast_end;           /* where the last `as T` or `satisfies T` ended: no assignment target */
    u32 sloppy_at;          /* first construct that strict mode forbids */
    Vec(u32) stack;         /* lists under construction */
    Vec(PrivateUse) private_uses;
    ClassScope *classes;
    const LabelScope *labels;
    IdMap not_type_args; /* positions + 1 of `<` that begin no type arguments */
    IdMap not_arrow;     /* positions + 1 of `(` or `)` that cannot be an arrow function's */
    StrMap exports;      /* names exported so far */
} Parser;

typedef struct {
    Lexer l;
    u32 n_nodes, n_extra, n_stack, n_uses, n_edits, type_depth;
    u32 ctx, depth;
    u32 arrow_at, shorthand_err, proto_err, arrow_type_at, await_at, yield_at, sloppy_at;
    bool has_esm, is_module, has_top_await;
    LogMark log;
} Snapshot;

/* ---- parse.c: errors, tokens, lists ---- */
/* Syntax error at the current token: stops parsing up to the next recovery point.  Returns 0. */
NodeId unexpected(Parser *p);
/* `what` is put in quotes when it is a token, not when it is a phrase. */
NodeId expected(Parser *p, const char *what);
bool expect_slow(Parser *p, Tok t);
void expect_semicolon(Parser *p);
/* An early error: parsing goes on. */
void early_error(Parser *p, u32 pos, u32 len, const char *fmt, ...) PRINTF(4, 5);
/* An error in strict code only; noted for files that may turn out to be modules. */
void strict_error(Parser *p, u32 pos, u32 len, const char *fmt, ...) PRINTF(4, 5);
void node_error(Parser *p, NodeId id, const char *what);
bool too_deep(Parser *p);
Snapshot snapshot(Parser *p);
/* Back to the snapshot. */
void rewind_to(Parser *p, const Snapshot *s);
/* Tokens behind the current one; the lexer is left as it was. */
Tok peek(Parser *p, bool *ret_nl);
void mark_esm(Parser *p);
/* `return` at the top level: fine in CommonJS.  False when the file cannot be that.
 */
bool note_commonjs(Parser *p, u32 pos);

#define TOKEN(p)    ((p)->l.tok)
#define POS(p)      ((p)->l.pos)
#define KIND(p, id) ((NodeKind)ast_node((p)->ast, id)->kind)

/* One level deeper, unless that is too deep; leave() undoes it. */
static inline bool enter(Parser *p)
{
    return LIKELY(++p->depth <= PARSE_DEPTH_MAX) || too_deep(p);
}

static inline void leave(Parser *p)
{
    p->depth--;
}

static inline bool take(Parser *p, Tok t)
{
    if (p->l.tok != t) return false;
    lex_next(&p->l);
    return true;
}

/* Takes the token, or reports that it is missing. */
static inline bool expect(Parser *p, Tok t)
{
    if (UNLIKELY(p->l.tok != t)) return expect_slow(p, t);
    lex_next(&p->l);
    return true;
}

static inline bool is_name(Tok t) /* may be an identifier somewhere */
{
    return t == TOK_IDENT || t >= TOK_STRICT_FIRST;
}

static inline bool is_word(Tok t) /* an IdentifierName */
{
    return t == TOK_IDENT || t >= TOK_WORD_FIRST;
}

static inline bool has_ctx(const Parser *p, u32 mask)
{
    return (p->ctx & mask) != 0;
}

static inline NodeId node(Parser *p, NodeKind kind, u32 pos, u32 a, u32 b)
{
    return ast_add(p->ast, (Node){.kind = (u8)kind, .pos = pos, .a = a, .b = b});
}

static inline u32 list_begin(const Parser *p)
{
    return p->stack.len;
}

static inline void list_push(Parser *p, u32 id)
{
    vec_push(p->arena, &p->stack, id);
}

static inline ListId list_end(Parser *p, u32 mark)
{
    ListId id = ast_list(p->ast, p->stack.at + mark, p->stack.len - mark);
    p->stack.len = mark;
    return id;
}

/* ---- Fast path ---- */
struct Strip;
bool parse_strip(Ast *t, Arena *arena, const ParseOptions *opt, Log *log, struct Strip *s);
/* After the last statement. */
void strip_finish(Parser *p);

/* ---- Names ---- */
/* The current name as a reference or a binding, checked and taken. */
NodeId parse_ident_ref(Parser *p);
NodeId parse_binding_ident(Parser *p);
/* Reports when `name` may not be bound or assigned in strict code. */
void check_strict_target(Parser *p, Atom name, u32 pos);
void check_reserved(Parser *p, Atom name, u32 pos, u32 len, bool binding);

/* ---- Expressions ---- */
NodeId parse_expr(Parser *p, u32 flags);
NodeId parse_assign(Parser *p, u32 flags);
NodeId parse_unary(Parser *p, u32 flags);
NodeId parse_subscripts(Parser *p, NodeId base, u32 pos, u32 flags);
NodeId parse_lhs(Parser *p, u32 flags);
NodeId parse_primary(Parser *p, u32 flags);
NodeId parse_string(Parser *p);
NodeId parse_template(Parser *p, bool tagged);
NodeId parse_paren(Parser *p, u32 flags);
ListId parse_call_args(Parser *p);
NodeId parse_array(Parser *p);
NodeId parse_object(Parser *p);
/* Reports `{a = 1}` and double __proto__ that no pattern took in. */
void check_cover(Parser *p);
/* A property name; *ret_computed. */
NodeId parse_prop_key(Parser *p, bool *ret_computed);
bool is_key_start(Tok t);

/* ---- Patterns ---- */
NodeId parse_binding(Parser *p);
/* An expression becomes an assignment target or, with `binding`, parameters of an arrow function.
 */
NodeId to_pattern(Parser *p, NodeId id, bool binding);
/* The target of a compound assignment, ++ or --. */
bool check_simple_target(Parser *p, NodeId id);

/* ---- Functions and classes ---- */
NodeId parse_function(Parser *p, u32 pos, bool async, bool is_expr);
/* From `(` on, with modifiers in `flags` (NF_...); `ctx` is the new context. */
NodeId parse_method(Parser *p, u16 flags, u32 ctx);
NodeId parse_arrow(Parser *p, u32 pos, ListId params, bool async, u32 flags);
NodeId parse_arrow_ident(Parser *p, u32 pos, bool async, u32 flags);
ListId parse_function_body(Parser *p, ListId params, bool simple, bool unique, NodeId name);
NodeId parse_class(Parser *p, u32 pos, bool is_expr, ListId decorators);
ListId parse_decorators(Parser *p);
NodeId parse_member(Parser *p, ClassScope *c);
void use_private(Parser *p, Atom name, u32 pos);
void resolve_private(Parser *p, ClassScope *c);
bool is_simple_params(Parser *p, ListId params);
/* Duplicates and names that strict code forbids. */
void check_params(Parser *p, ListId params, bool unique, bool strict);

/* ---- Statements ---- */
enum { STMT_LIST = 1, STMT_LABEL_OK = 2 };
/* 0 when nothing is left at run time. */
NodeId parse_statement(Parser *p, u32 where);
ListId parse_block_body(Parser *p);
NodeId parse_block(Parser *p);
/* A statement where no declaration may stand; never 0 unless there was an error. */
NodeId parse_substatement(Parser *p);
NodeId parse_var(Parser *p, VarKind kind, u32 pos);
ListId parse_var_list(Parser *p, VarKind kind, u32 flags, bool in_for);
NodeId parse_for(Parser *p);
bool is_let_declaration(Parser *p);
bool is_using_declaration(Parser *p, bool await, bool in_for);
/* May `await using` stand here?  Notes that the file awaits. */
bool take_await_using(Parser *p);
NodeId parse_import(Parser *p);
NodeId parse_export(Parser *p, ListId decorators);
NodeId parse_attributes(Parser *p, bool *ret_any);

/* ---- TypeScript ---- */
void skip_type(Parser *p);
/* `: T`, if there. */
bool skip_annotation(Parser *p);
void skip_return_type(Parser *p);
void skip_type_params(Parser *p);
void skip_type_args(Parser *p);
/* In an expression: true and taken when `<...>` are type arguments. */
bool try_type_args(Parser *p);
void skip_type_members(Parser *p);
bool skip_implements(Parser *p);
/* A statement that begins with a contextual word of TypeScript.  True when it was one. */
bool parse_ts_statement(Parser *p, u32 where, NodeId *ret);
NodeId parse_ts_declare(Parser *p, u32 pos, u32 where);
NodeId parse_enum(Parser *p, u32 pos, bool is_const);
NodeId parse_namespace(Parser *p, u32 pos);
NodeId parse_interface(Parser *p, u32 pos);
NodeId parse_type_alias(Parser *p, u32 pos);
NodeId parse_import_equals(Parser *p, u32 pos, NodeId local, bool type_only);
/* `<` at the start of an expression: assertion or generic arrow function. */
NodeId parse_angle(Parser *p, u32 flags);
/* In .tsx: does `<` begin the type parameters of an arrow function? */
bool is_tsx_arrow(Parser *p);
/* Behind `)`: is `: T =>` there?  Nothing is taken. */
bool is_arrow_return_type(Parser *p);

NodeId parse_jsx(Parser *p);
