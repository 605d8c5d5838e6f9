/* syntax/early.c -- the temporal dead zone, as far as the order of the text tells (see early.h).
 *
 * One walk in the order of evaluation.  A name is ready once its declaration has been passed.
 * What stands behind that, in the same function or in functions that are made there, is safe: a
 * block runs from its begin to its end.  Case 1: clauses of `switch` can be skipped, so what one
 * declares is ready until its end only.  Case 2: function declarations exist from the begin of
 * their block, and what they read is safe only when nobody can have called them before the
 * declaration.  For each, the first place in the text is found that names it, or names another of
 * that block that names it ...; what is exported can be called at any time. */
#include "syntax/early.h"

#include "syntax/walk.h"
#include "util/vec.h"

#include <stdlib.h>

typedef enum {
    STEP_VISIT,
    STEP_FUNCTION, /* enters */
    STEP_LEAVE,
    STEP_CASE_END,
} StepKind;

typedef struct {
    u32 id; /* node; STEP_CASE_END: length of `lexical` before the clause */
    StepKind kind;
} Step;

typedef struct {
    SymbolId declared; /* of a function declaration, or 0 */
} Frame;

typedef struct {
    SymbolId from, to; /* the body of one names the other */
    u32 next;          /* of the same `from`; index + 1 */
} Edge;

typedef struct {
    NodeId ref;
    SymbolId name, function;
} Doubt;

typedef struct {
    SymbolId symbol;
    u32 at;
} Root;

typedef struct {
    Lowering *w;
    Ast *ast;
    const Bindings *bindings;
    Arena *arena;
    u32 *depths;     /* by scope: functions around it */
    u32 *ready_at;   /* by symbol: the step that made it ready, 0: not yet */
    u32 *called_at;  /* by symbol of a function: the first step that could call it, or UINT32_MAX */
    u32 *first_edge; /* by symbol: index + 1 */
    u64 *seen;
    u32 n_steps;
    Vec(Step) todo;
    Vec(Frame) frames;
    Vec(SymbolId) lexical; /* as they became ready */
    Vec(Edge) edges;
    Vec(Doubt) doubts;
} Early;

static const Node *get(const Early *e, NodeId id)
{
    return ast_node(e->ast, id);
}

static void push_step(Early *e, StepKind kind, u32 id)
{
    vec_push(e->arena, &e->todo, (Step){id, kind});
}

static void push_node(Early *e, NodeId id)
{
    if (id) push_step(e, STEP_VISIT, id);
}

/* The last is taken first. */
static void push_list(Early *e, ListId list)
{
    for (u32 i = ast_len(e->ast, list); i-- > 0;) push_node(e, ast_at(e->ast, list, i));
}

/* ---- Names ---- */

static bool is_in_switch(const Early *e, const Symbol *s)
{
    NodeId node = e->bindings->scopes.at[s->scope].node;
    return node && get(e, node)->kind == NODE_SWITCH;
}

/* The function declaration of the same block as `s` that stands around this place, or 0. */
static SymbolId hoisted_around(const Early *e, const Symbol *s)
{
    u32 i = e->depths[s->scope] + 1;
    SymbolId f = i < e->frames.len ? e->frames.at[i].declared : 0;
    return f && symbol_get(e->bindings, f)->scope == s->scope ? f : 0;
}

static void note_function(Early *e, SymbolId id, const Symbol *s)
{
    SymbolId around = hoisted_around(e, s);
    if (around) {
        vec_push(e->arena, &e->edges, (Edge){around, id, e->first_edge[around]});
        e->first_edge[around] = e->edges.len;
    } else if (e->n_steps < e->called_at[id]) {
        e->called_at[id] = e->n_steps;
    }
}

static void note_ref(Early *e, NodeId ref)
{
    Node *n = ast_node(e->ast, ref);
    const Symbol *s = symbol_get(e->bindings, n->b);
    switch (s->kind) {
    case SYM_FUNC:
    case SYM_BLOCK_FUNC: note_function(e, n->b, s); return;
    case SYM_LET:
    case SYM_CONST:
    case SYM_CLASS: {
        SymbolId around = hoisted_around(e, s);
        if (around && !is_in_switch(e, s))
            vec_push(e->arena, &e->doubts, (Doubt){ref, n->b, around});
        else if (around || !e->ready_at[n->b])
            n->c |= REF_EARLY;
        return;
    }
    case SYM_SELF:
        if (e->bindings->scopes.at[s->scope].kind != SCOPE_CLASS) return;
        break;
    case SYM_PARAM: break;
    default: return;
    }
    if (!e->ready_at[n->b]) n->c |= REF_EARLY;
}

static void note_ident(Early *e, NodeId id)
{
    const Node *n = get(e, id);
    if (!n->b) return;
    if (n->c) {
        note_ref(e, id);
        return;
    }
    e->ready_at[n->b] = e->n_steps;
    vec_push(e->arena, &e->lexical, n->b);
}

/* ---- The walk: children in the order in which they are evaluated ---- */

static void visit_function(Early *e, NodeId id, SymbolId declared)
{
    const Node n = *get(e, id);
    vec_push(e->arena, &e->frames, (Frame){declared});
    push_step(e, STEP_LEAVE, 0);
    if (n.kind == NODE_ARROW) push_node(e, n.a);
    push_list(e, n.c);
    push_list(e, n.b);
}

static void visit_member(Early *e, const Node *n)
{
    bool own = n->op == PROP_FIELD || n->op == PROP_ACCESSOR || n->op == PROP_STATIC_BLOCK;
    if (own && n->b) {
        push_step(e, STEP_LEAVE, 0);
        push_node(e, n->b);
        push_step(e, STEP_FUNCTION, 0);
    } else {
        push_node(e, n->b);
    }
    if (n->flags & NF_COMPUTED) push_node(e, n->a);
    push_list(e, n->c);
}

static void visit_class(Early *e, const Node *n)
{
    push_node(e, n->a);
    push_list(e, n->c);
    push_node(e, n->b);
    push_list(e, n->d);
}

static void visit_slots(Early *e, const Node *n)
{
    const u32 slots[] = {n->a, n->b, n->c, n->d};
    for (u32 i = 4; i-- > 0;) {
        char c = ast_slot((NodeKind)n->kind, i);
        if (c == 'N')
            push_node(e, slots[i]);
        else if (c == 'L')
            push_list(e, slots[i]);
    }
}

static void visit(Early *e, NodeId id)
{
    const Node n = *get(e, id);
    e->n_steps++;
    if (n.kind == NODE_IDENT) {
        note_ident(e, id);
        return;
    }
    if (e->seen[id >> 6] >> (id & 63) & 1) return;
    ast_mark(e->seen, id);
    switch (n.kind) {
    case NODE_FUNC:
    case NODE_ARROW: visit_function(e, id, 0); return;
    case NODE_FUNC_DECL: {
        NodeId name = get(e, n.a)->a;
        visit_function(e, n.a, name ? get(e, name)->b : 0);
        return;
    }
    case NODE_MEMBER: visit_member(e, &n); return;
    case NODE_CLASS: visit_class(e, &n); return;
    case NODE_PROP:
        push_node(e, n.b);
        if (n.flags & NF_COMPUTED) push_node(e, n.a);
        return;
    case NODE_DECLARATOR:
    case NODE_ASSIGN_PAT:
        push_node(e, n.a);
        push_node(e, n.b);
        return;
    case NODE_FOR_IN:
    case NODE_FOR_OF:
        push_node(e, n.c);
        push_node(e, n.a);
        push_node(e, n.b);
        return;
    case NODE_CASE:
        push_step(e, STEP_CASE_END, e->lexical.len);
        push_list(e, n.b);
        push_node(e, n.a);
        return;
    case NODE_IMPORT: return;
    default: visit_slots(e, &n);
    }
}

/* Case 1. */
static void end_case(Early *e, u32 mark)
{
    for (u32 i = mark; i < e->lexical.len; i++) {
        SymbolId id = e->lexical.at[i];
        if (is_in_switch(e, symbol_get(e->bindings, id))) e->ready_at[id] = 0;
    }
    e->lexical.len = mark;
}

static void walk(Early *e)
{
    vec_push(e->arena, &e->frames, (Frame){0});
    push_node(e, e->ast->root);
    while (e->todo.len) {
        Step s = vec_pop(&e->todo);
        switch (s.kind) {
        case STEP_VISIT: visit(e, s.id); break;
        case STEP_FUNCTION: vec_push(e->arena, &e->frames, (Frame){0}); break;
        case STEP_LEAVE: (void)vec_pop(&e->frames); break;
        case STEP_CASE_END: end_case(e, s.id); break;
        }
    }
}

/* ---- Case 2 ---- */

/* Can other code get hold of the function without naming it here? */
static bool is_open(const Early *e, const Symbol *s)
{
    const Scope *scope = &e->bindings->scopes.at[s->scope];
    if (scope->kind == SCOPE_TOP)
        return s->exported || (!e->ast->is_module && e->w->parse->goal == GOAL_SCRIPT);
    /* Annex B makes a variable of it, which outlives the block. */
    return s->kind == SYM_BLOCK_FUNC && !scope->strict;
}

static int by_place(const void *x, const void *y)
{
    const Root *a = x, *b = y;
    return a->at < b->at ? -1 : a->at > b->at;
}

/* What is named first reaches all that it names, which therefore needs no second visit. */
static void spread(Early *e)
{
    Vec(Root) roots = {0};
    Vec(SymbolId) todo = {0};
    for (SymbolId i = 1; i < e->bindings->symbols.len; i++)
        if (e->called_at[i] != UINT32_MAX) vec_push(e->arena, &roots, (Root){i, e->called_at[i]});
    if (!e->edges.len || !roots.len) return;
    qsort(roots.at, roots.len, sizeof(Root), by_place);
    for (u32 i = 0; i < roots.len; i++) {
        vec_push(e->arena, &todo, roots.at[i].symbol);
        while (todo.len) {
            SymbolId from = vec_pop(&todo);
            u32 edge = e->first_edge[from];
            e->first_edge[from] = 0;
            e->called_at[from] = MIN(e->called_at[from], roots.at[i].at);
            for (; edge; edge = e->edges.at[edge - 1].next) {
                SymbolId to = e->edges.at[edge - 1].to;
                if (e->called_at[to] > roots.at[i].at) e->called_at[to] = roots.at[i].at;
                if (e->first_edge[to]) vec_push(e->arena, &todo, to);
            }
        }
    }
}

static void settle_doubts(Early *e)
{
    for (u32 i = 0; i < e->doubts.len; i++) {
        Doubt d = e->doubts.at[i];
        u32 ready = e->ready_at[d.name];
        if (!ready || e->called_at[d.function] <= ready) ast_node(e->ast, d.ref)->c |= REF_EARLY;
    }
}

static void measure_depths(Early *e)
{
    const Bindings *b = e->bindings;
    for (ScopeId i = 1; i < b->scopes.len; i++) {
        const Scope *s = &b->scopes.at[i];
        if (s->function == i)
            e->depths[i] = s->parent ? e->depths[s->parent] + 1 : 0;
        else
            e->depths[i] = e->depths[s->parent];
    }
}

void bindings_mark_early(Lowering *w)
{
    AUTO(Scratch) s = scratch_begin(w->arena);
    u32 n_symbols = w->bindings->symbols.len;
    Early e = {.w = w, .ast = w->ast, .bindings = w->bindings, .arena = s.arena};
    e.depths = ARENA_ARRAY(s.arena, u32, w->bindings->scopes.len);
    e.ready_at = ARENA_ARRAY(s.arena, u32, n_symbols);
    e.called_at = ARENA_ARRAY(s.arena, u32, n_symbols);
    e.first_edge = ARENA_ARRAY(s.arena, u32, n_symbols);
    e.seen = ARENA_ARRAY(s.arena, u64, w->ast->n_nodes / 64 + 1);
    measure_depths(&e);
    for (SymbolId i = 1; i < n_symbols; i++)
        e.called_at[i] = is_open(&e, symbol_get(w->bindings, i)) ? 0 : UINT32_MAX;
    walk(&e);
    spread(&e);
    settle_doubts(&e);
}
