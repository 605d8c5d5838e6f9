/* syntax/printer.h -- the state that the print_*.c files share (private to syntax).
 *
 * Parentheses are decided from the tree, never taken over from the source, with one exception: an
 * optional chain that stood in parentheses ends there.  Levels are those of the grammar, loosest
 * first. Left-deep operators and member chains are printed in a loop, so that long ones need no
 * stack. */
#pragma once

#include "syntax/print.h"

#include <string.h>

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
enum { PUT_ROOM = 32 }; /* bytes that may be written behind the end without a check */

static inline void put_room(Printer *p, usize n)
{
    Buf *b = p->out;
    if (UNLIKELY(b->cap - b->len <= n + PUT_ROOM)) (void)buf_reserve(b, n + PUT_ROOM + 1);
}

static inline void put(Printer *p, Str s)
{
    put_room(p, s.n);
    if (s.n) memcpy(p->out->p + p->out->len, s.p, s.n);
    p->out->len += s.n;
}

static inline void put_char(Printer *p, char c)
{
    put_room(p, 1);
    p->out->p[p->out->len++] = c;
}

static inline char last_char(const Printer *p)
{
    return p->out->len ? p->out->p[p->out->len - 1] : 0;
}

static inline void put_name(Printer *p, Atom name)
{
    const AtomText *t = &p->ast->atoms->texts[name];
    put_room(p, t->n);
    char *to = p->out->p + p->out->len;
    u64 head[2] = {t->lo, t->hi}; /* all of most names; what is too much is written over */
    memcpy(to, head, 16);
    if (UNLIKELY(t->n > 16)) memcpy(to + 16, t->p + 16, t->n - 16);
    p->out->len += t->n;
}

/* A word is set off from an identifier character or a regular expression before it. */
static inline void put_gap(Printer *p)
{
    char c = last_char(p);
    bool after_regexp = c == '/' && p->regexp_end == p->out->len;
    if (IS_CLASS(c, CC_ID_PART) || (u8)c >= 0x80 || after_regexp) put_char(p, ' ');
}

static inline void put_word(Printer *p, Str s)
{
    put_gap(p);
    put(p, s);
}

/* An operator of + - < ! kind: set off from what would join it. */
void put_op(Printer *p, Str s);
/* None when minifying. */
static inline void put_space(Printer *p)
{
    if (!p->minify) put_char(p, ' ');
}

static inline void put_newline(Printer *p)
{
    if (!p->minify) put_char(p, '\n');
}

void put_indent(Printer *p);
void put_mark_slow(Printer *p, u32 src);

/* What is printed next stands at `src` in the source. */
static inline void put_mark(Printer *p, u32 src)
{
    if (UNLIKELY(p->opt->marks_arena != NULL)) put_mark_slow(p, src);
}

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
/* The same for the body of a function that begins at `pos`: its calls may be counted. */
void print_function_body(Printer *p, ListId body, u32 pos);
/* "name[i]++" for what stands at `pos`. */
void put_counter(Printer *p, u32 pos, bool is_function);
void print_stmt(Printer *p, NodeId id);
/* A statement of a list, on a line of its own. */
void print_list_item(Printer *p, NodeId id);
void print_stmt_list(Printer *p, ListId list);
void print_var_head(Printer *p, const Node *n, u32 flags);
void print_jsx(Printer *p, NodeId id);
