/* syntax/printer.h -- the state that the print_*.c files share (private to syntax).
 *
 * Parentheses are decided from the tree, never taken over from the source, with one exception: an
 * optional chain that stood in parentheses ends there.  Levels are those of the grammar, loosest
 * first. Left-deep operators and member chains are printed in a loop, so that long ones need no
 * stack. */
#pragma once

#include "syntax/print.h"

typedef enum {
    LEVEL_COMMA,
    LEVEL_YIELD,
    LEVEL_ASSIGN,
    LEVEL_COND,
    LEVEL_NULLISH,
    LEVEL_OR,
    LEVEL_AND,
    LEVEL_BIT_OR,
    LEVEL_BIT_XOR,
    LEVEL_BIT_AND,
    LEVEL_EQUAL,
    LEVEL_COMPARE,
    LEVEL_SHIFT,
    LEVEL_ADD,
    LEVEL_MUL,
    LEVEL_POW,
    LEVEL_PREFIX,
    LEVEL_POSTFIX,
    LEVEL_NEW,
    LEVEL_CALL,
    LEVEL_MEMBER,
} Level;

enum {
    P_NO_IN = 1 << 0,   /* inside the head of a for */
    P_NO_CALL = 1 << 1, /* callee of new: no call outside parentheses */
};

typedef struct {
    const Ast *ast;
    const PrintOptions *opt;
    Buf *out;
    PrintResult *res;
    Arena *arena;
    u32 indent;
    u32 depth;
    u32 comment; /* the next one of opt->comments */
    bool minify;
    bool too_deep;
    bool semicolon;      /* minify: owed before the next statement */
    usize stmt_start;    /* where in `out` an expression statement began + 1 */
    usize arrow_start;   /* likewise the body of an arrow function */
    usize default_start; /* likewise the value of export default */
    usize for_of_start;  /* likewise the left side of for-of */
    usize regexp_end;    /* where a regular expression ended: letters behind it would be flags */
    Vec(u32) spine;      /* nodes of a left-deep chain being printed */
} Printer;

/* ---- Output ---- */
void put(Printer *p, Str s);
void put_char(Printer *p, char c);
/* A word: set off from an identifier character before it. */
void put_word(Printer *p, Str s);
/* An operator of + - < ! kind: set off from what would join it. */
void put_op(Printer *p, Str s);
void put_space(Printer *p); /* none when minifying */
void put_newline(Printer *p);
void put_indent(Printer *p);
void put_mark(Printer *p, u32 src);
/* Comments that stand before `pos` and were not printed yet. */
void put_comments(Printer *p, u32 pos);
#define PUT(p, lit)  put(p, S(lit))
#define WORD(p, lit) put_word(p, S(lit))

static inline const Node *get(const Printer *p, NodeId id)
{
    return ast_node(p->ast, id);
}

void print_expr(Printer *p, NodeId id, Level level, u32 flags);
void print_string(Printer *p, const Node *n);
void print_quoted(Printer *p, Str text);
void print_number(Printer *p, const Node *n);
void print_key(Printer *p, NodeId key, bool computed);
void print_binding(Printer *p, NodeId id);
void print_function(Printer *p, const Node *fn, bool keyword);
void print_params(Printer *p, ListId params);
void print_class(Printer *p, const Node *c);
void print_block_body(Printer *p, ListId body);
void print_stmt(Printer *p, NodeId id);
/* A statement of a list, on a line of its own. */
void print_list_item(Printer *p, NodeId id);
void print_stmt_list(Printer *p, ListId list);
void print_var_head(Printer *p, const Node *n, u32 flags);
void print_jsx(Printer *p, NodeId id);
