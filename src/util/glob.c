/* util/glob.c -- the automaton of a pattern and its simulation (see glob.h). */
#include "util/glob.h"

#include "util/vec.h"

#include <string.h>

enum {
    OPS_MAX = 256 * 1024,
    DEPTH_MAX = 64,      /* of brackets; deeper ones stand for themselves */
    RANGE_MAX = 10000,   /* members of {1..9} */
    NOT_DEPTH_MAX = 100, /* of questions that lead from one !( ) to another while matching */
    BAD_BYTE = 0x110000, /* added to bytes that are not UTF-8 */
};

typedef enum {
    OP_CHAR,  /* x: the code point */
    OP_ANY,   /* any character but "/" */
    OP_ALL,   /* any character */
    OP_CLASS, /* x: index into classes */
    OP_SPLIT, /* to x and y */
    OP_JUMP,  /* to x */
    OP_NOT,   /* x: its number; y: the way on, unless the ops behind it match all of the rest */
    OP_ACCEPT,
} OpKind;

typedef struct {
    u32 kind : 8;
    u32 x : 24;
    u32 y;
} Op;

typedef struct {
    u32 from, to;
} Range;

typedef struct {
    const Range *ranges;
    u32 n_ranges;
    bool is_negated;
} Class;

struct Glob {
    Op *ops;
    u32 n_ops, n_nots;
    const Class *classes;
    bool is_negated, no_dot;
};

/* ---- Characters -------------------------------------------------------------------------------
 */

/* The character at s[at], and how many bytes it has. */
static u32 char_at(Str s, usize at, u32 *ret_size)
{
    u8 c = (u8)s.p[at];
    *ret_size = 1;
    if (c < 0x80) return c;
    u32 n = c >= 0xf0 ? 4 : c >= 0xe0 ? 3 : 2;
    if (c < 0xc2 || c > 0xf4 || s.n - at < n) return BAD_BYTE + c;
    u32 v = c & (0x7fU >> n);
    for (u32 i = 1; i < n; i++) {
        u8 d = (u8)s.p[at + i];
        if ((d & 0xc0) != 0x80) return BAD_BYTE + c;
        v = v << 6 | (d & 0x3f);
    }
    *ret_size = n;
    return v;
}

/* ---- Compiler ---------------------------------------------------------------------------------
 */

typedef struct {
    Arena *a;
    Str text;
    usize at;
    u32 depth;
    u32 n_nots;
    usize first;         /* where the pattern starts behind its leading "!" */
    bool is_brace_start; /* the innermost brace stands at the start of a segment */
    Vec(Op) ops;
    Vec(Class) classes;
    bool is_too_big;
} Compiler;

static void compile_sequence(Compiler *c, const char *stops);

static u32 emit(Compiler *c, OpKind kind, u32 x, u32 y)
{
    if (c->ops.len >= OPS_MAX) {
        c->is_too_big = true;
        return c->ops.len - 1;
    }
    vec_push(c->a, &c->ops, (Op){.kind = (u8)kind, .x = x & 0xffffff, .y = y});
    return c->ops.len - 1;
}

static void set_x(Compiler *c, u32 op, u32 to)
{
    c->ops.at[op].x = to & 0xffffff;
}

static char peek(const Compiler *c, usize ahead)
{
    return c->at + ahead < c->text.n ? c->text.p[c->at + ahead] : 0;
}

static u32 take_char(Compiler *c)
{
    u32 n;
    u32 v = char_at(c->text, c->at, &n);
    c->at += n;
    return v;
}

/* At a backslash: what it stands for together with the next character. */
static u32 take_escape(Compiler *c)
{
    static const char from[] = "bnrt", to[] = "\b\n\r\t";
    if (c->at + 1 >= c->text.n) return take_char(c);
    c->at++;
    u32 ch = take_char(c);
    const char *at = ch && ch < 0x80 ? strchr(from, (int)ch) : NULL;
    return at ? (u8)to[at - from] : ch;
}

/* A loop over one-character op `kind`. */
static void emit_star(Compiler *c, OpKind kind)
{
    u32 start = emit(c, OP_SPLIT, 0, 0);
    set_x(c, start, c->ops.len);
    emit(c, kind, 0, 0);
    emit(c, OP_JUMP, start, 0);
    c->ops.at[start].y = c->ops.len;
}

/* At "**": a run of whole segments when it fills one between slashes, else the same as "*". Several
 * in a row are one; then the last of them decides. */
static void compile_globstar(Compiler *c, const char *stops)
{
    usize start = c->at;
    c->at += 2;
    while (str_starts(str_skip(c->text, c->at), S("/**"))) {
        char next = peek(c, 3);
        if (next != '/' && next && !strchr(stops, next)) break;
        start = c->at + 1;
        c->at += 3;
    }
    char before = start > c->first ? c->text.p[start - 1] : '/';
    char next = peek(c, 0);
    bool is_end = !next || strchr(stops, next);
    bool is_start = before == '/' || ((before == '{' || before == ',') && c->is_brace_start);
    if (!is_start || (next != '/' && !is_end)) {
        emit_star(c, OP_ANY);
        return;
    }
    if (next != '/') {
        emit_star(c, OP_ALL);
        return;
    }
    c->at++;
    u32 skip = emit(c, OP_SPLIT, 0, 0);
    set_x(c, skip, c->ops.len);
    emit_star(c, OP_ALL);
    emit(c, OP_CHAR, '/', 0);
    c->ops.at[skip].y = c->ops.len;
}

/* ---- Classes ----------------------------------------------------------------------------------
 */

static u32 take_class_char(Compiler *c)
{
    return peek(c, 0) == '\\' ? take_escape(c) : take_char(c);
}

/* At "["; false and nothing taken when it is not closed. */
static bool compile_class(Compiler *c)
{
    usize start = c->at++;
    Class class = {0};
    Vec(Range) ranges = {0};
    if (peek(c, 0) == '!' || peek(c, 0) == '^') {
        class.is_negated = true;
        c->at++;
    }
    for (bool is_first = true; is_first || peek(c, 0) != ']'; is_first = false) {
        if (c->at >= c->text.n) {
            c->at = start;
            return false;
        }
        Range r = {0};
        r.from = r.to = take_class_char(c);
        if (peek(c, 0) == '-' && peek(c, 1) && peek(c, 1) != ']') {
            c->at++;
            r.to = take_class_char(c);
        }
        vec_push(c->a, &ranges, r);
    }
    c->at++;
    class.ranges = ranges.at;
    class.n_ranges = ranges.len;
    emit(c, OP_CLASS, c->classes.len, 0);
    vec_push(c->a, &c->classes, class);
    return true;
}

/* ---- Braces and extended patterns -------------------------------------------------------------
 */

/* Whether the bracket at the current place is closed, skipping escapes, classes and inner brackets.
 */
static bool is_closed(const Compiler *c, char open, char close)
{
    u32 depth = 0;
    for (usize i = c->at; i < c->text.n; i++) {
        char ch = c->text.p[i];
        if (ch == '\\') {
            i++;
        } else if (ch == open) {
            depth++;
        } else if (ch == close && --depth == 0) {
            return true;
        }
    }
    return false;
}

/* Alternatives up to `close`, separated by `comma`; the opening bracket has been taken.  Control
 * goes on behind them. */
static void compile_alternatives(Compiler *c, char comma, char close)
{
    char stops[3] = {comma, close, 0};
    Vec(u32) leaves = {0};
    c->depth++;
    for (;;) {
        u32 split = emit(c, OP_SPLIT, 0, 0);
        set_x(c, split, c->ops.len);
        compile_sequence(c, stops);
        bool is_last = peek(c, 0) != comma || c->at >= c->text.n;
        if (c->at < c->text.n) c->at++;
        if (is_last) {
            c->ops.at[split].kind = OP_JUMP;
            break;
        }
        vec_push(c->a, &leaves, emit(c, OP_JUMP, 0, 0));
        c->ops.at[split].y = c->ops.len;
    }
    c->depth--;
    for (u32 i = 0; i < leaves.len; i++) set_x(c, leaves.at[i], c->ops.len);
}

static void emit_text(Compiler *c, Str s)
{
    for (usize i = 0; i < s.n; i++) emit(c, OP_CHAR, (u8)s.p[i], 0);
}

typedef struct {
    i64 from, to, step;
    u32 width; /* zero-padded to */
    bool is_letters;
} Span;

static bool is_padded(Str s)
{
    if (str_starts(s, S("-"))) s = str_skip(s, 1);
    return s.n > 1 && s.p[0] == '0';
}

static bool is_letter(Str s)
{
    return s.n == 1 && (s.p[0] | 0x20) >= 'a' && (s.p[0] | 0x20) <= 'z';
}

/* The text between the braces as a range. */
static bool parse_span(Str s, Span *ret)
{
    i64 dots = str_find_str(s, S(".."));
    if (dots < 0) return false;
    Str from = str_slice(s, 0, (usize)dots), to = str_skip(s, (usize)dots + 2), step = {0};
    dots = str_find_str(to, S(".."));
    if (dots >= 0) {
        step = str_skip(to, (usize)dots + 2);
        to = str_slice(to, 0, (usize)dots);
    }
    *ret = (Span){.step = 1};
    if (step.p && !str_to_i64(step, &ret->step)) return false;
    if (is_letter(from) && is_letter(to)) {
        ret->is_letters = true;
        ret->from = (u8)from.p[0];
        ret->to = (u8)to.p[0];
    } else if (!str_to_i64(from, &ret->from) || !str_to_i64(to, &ret->to)) {
        return false;
    }
    if (!ret->is_letters && (is_padded(from) || is_padded(to))) ret->width = (u32)MAX(from.n, to.n);
    if (ret->step < 0) ret->step = ret->step == INT64_MIN ? 1 : -ret->step;
    if (!ret->step) ret->step = 1;
    return ret->width < 64;
}

static Str span_text(Arena *a, const Span *s, i64 v)
{
    if (s->is_letters) return str_fmt(a, "%c", (int)v);
    return str_fmt(a, "%0*lld", (int)s->width, (long long)v);
}

/* At "{": {1..9}; false and nothing taken when it is something else. */
static bool compile_span(Compiler *c)
{
    Str rest = str_skip(c->text, c->at + 1);
    i64 close = str_find(rest, '}');
    Span s;
    if (close < 0 || !parse_span(str_slice(rest, 0, (usize)close), &s)) return false;
    u64 distance = s.to > s.from ? (u64)s.to - (u64)s.from : (u64)s.from - (u64)s.to;
    u64 count = distance / (u64)s.step + 1;
    c->at += (usize)close + 2;
    if (count > RANGE_MAX) {
        c->is_too_big = true;
        return true;
    }
    Vec(u32) leaves = {0};
    i64 v = s.from;
    for (u64 i = 0; i < count && !c->is_too_big; i++) {
        u32 split = emit(c, i + 1 < count ? OP_SPLIT : OP_JUMP, 0, 0);
        set_x(c, split, c->ops.len);
        AUTO(Scratch) tmp = scratch_begin(c->a);
        emit_text(c, span_text(tmp.arena, &s, v));
        if (i + 1 == count) break;
        vec_push(c->a, &leaves, emit(c, OP_JUMP, 0, 0));
        c->ops.at[split].y = c->ops.len;
        v += s.to > s.from ? s.step : -s.step;
    }
    for (u32 i = 0; i < leaves.len; i++) set_x(c, leaves.at[i], c->ops.len);
    return true;
}

static bool compile_brace(Compiler *c)
{
    if (c->depth >= DEPTH_MAX || !is_closed(c, '{', '}')) return false;
    if (compile_span(c)) return true;
    char before = c->at > c->first ? c->text.p[c->at - 1] : '/';
    bool was_start = c->is_brace_start;
    c->is_brace_start = before == '/' || ((before == '{' || before == ',') && was_start);
    c->at++;
    compile_alternatives(c, ',', '}');
    c->is_brace_start = was_start;
    return true;
}

/* !(a): a "*" whose place is not one where "a" and all that follows match. */
static void compile_not(Compiler *c)
{
    u32 op = emit(c, OP_NOT, c->n_nots++, 0);
    compile_alternatives(c, '|', ')');
    u32 rest = emit(c, OP_JUMP, 0, 0);
    c->ops.at[op].y = c->ops.len;
    emit_star(c, OP_ANY);
    set_x(c, rest, c->ops.len);
}

/* At one of ?*+@! with "(" behind it; false and nothing taken when that is not closed. */
static bool compile_extended(Compiler *c)
{
    char kind = peek(c, 0);
    if (!kind || !strchr("?*+@!", kind) || peek(c, 1) != '(' || c->depth >= DEPTH_MAX) return false;
    c->at++;
    if (!is_closed(c, '(', ')')) {
        c->at--;
        return false;
    }
    c->at++;
    if (kind == '!') {
        compile_not(c);
        return true;
    }
    u32 start = c->ops.len;
    bool can_skip = kind == '?' || kind == '*';
    if (can_skip) set_x(c, emit(c, OP_SPLIT, 0, 0), start + 1);
    compile_alternatives(c, '|', ')');
    if (kind == '*') emit(c, OP_JUMP, start, 0);
    if (kind == '+') emit(c, OP_SPLIT, start, c->ops.len + 1);
    if (can_skip) c->ops.at[start].y = c->ops.len;
    return true;
}

static void compile_one(Compiler *c, const char *stops)
{
    char ch = peek(c, 0);
    if (compile_extended(c)) return;
    if (ch == '*' && peek(c, 1) == '*' && peek(c, 2) != '(') {
        compile_globstar(c, stops);
        return;
    }
    if (ch == '*') {
        c->at++;
        emit_star(c, OP_ANY);
        return;
    }
    if (ch == '[' && compile_class(c)) return;
    if (ch == '{' && compile_brace(c)) return;
    if (ch == '?') {
        c->at++;
        emit(c, OP_ANY, 0, 0);
        return;
    }
    emit(c, OP_CHAR, ch == '\\' ? take_escape(c) : take_char(c), 0);
}

/* Up to one of `stops` or the end.  Recursion is bounded by DEPTH_MAX. */
static void compile_sequence(Compiler *c, const char *stops)
{
    while (c->at < c->text.n && !c->is_too_big) {
        char ch = peek(c, 0);
        if (ch && strchr(stops, ch)) return;
        compile_one(c, stops);
    }
}

Glob *glob_new(Arena *a, Str pattern, GlobFlags flags)
{
    if (pattern.n > GLOB_MAX) return NULL;
    Compiler c = {.a = a, .text = pattern};
    Glob *g = ARENA_NEW(a, Glob);
    while (peek(&c, 0) == '!' && peek(&c, 1) != '(') {
        g->is_negated = !g->is_negated;
        c.at++;
    }
    c.first = c.at;
    compile_sequence(&c, "");
    emit(&c, OP_ACCEPT, 0, 0);
    if (c.is_too_big) return NULL;
    g->ops = c.ops.at;
    g->n_ops = c.ops.len;
    g->n_nots = c.n_nots;
    g->classes = c.classes.at;
    g->no_dot = flags & GLOB_NO_DOT;
    return g;
}

/* ---- Simulation -------------------------------------------------------------------------------
 *
 * `now` holds the ops that wait for the character at the current position.  Ops that take none are
 * followed at once, from a stack; `mark` keeps an op from being entered twice at one position. */

typedef enum { NOT_ASKED, NOT_BUSY, NOT_FREE, NOT_TAKEN } NotState;

typedef struct {
    const Glob *g;
    Str path;
    Arena *tmp;
    u32 *now, *stack;
    u32 n_now, n_stack, depth;
    usize *mark; /* by op: the last position + 1 at which it was entered */
    u8 *nots;    /* NotState by number of !( ) and position, shared with the runs inside */
    bool is_accepted;
} Run;

static void run(Run *r, u32 start, usize at);

static bool in_class(const Class *c, u32 ch)
{
    for (u32 i = 0; i < c->n_ranges; i++)
        if (ch >= c->ranges[i].from && ch <= c->ranges[i].to) return !c->is_negated;
    return c->is_negated;
}

static bool is_segment_start(Str path, usize at)
{
    return !at || path.p[at - 1] == '/';
}

static void enter(Run *r, u32 op, usize at)
{
    if (r->mark[op] == at + 1) return;
    r->mark[op] = at + 1;
    r->stack[r->n_stack++] = op;
}

/* Whether the forbidden pattern and what follows it match the rest of the path. */
static bool is_taken(Run *r, u32 index, usize at)
{
    ASSERT(r->nots);
    u8 *state = &r->nots[r->g->ops[index].x * (r->path.n + 1) + at];
    if (*state == NOT_ASKED && r->depth < NOT_DEPTH_MAX) {
        *state = NOT_BUSY;
        AUTO(Scratch) s = scratch_begin(r->tmp);
        Run sub = {
            .g = r->g, .path = r->path, .tmp = s.arena, .nots = r->nots, .depth = r->depth + 1};
        run(&sub, index + 1, at);
        *state = sub.is_accepted ? NOT_TAKEN : NOT_FREE;
    }
    return *state == NOT_TAKEN;
}

static void follow(Run *r, usize at)
{
    while (r->n_stack) {
        u32 index = r->stack[--r->n_stack];
        const Op *op = &r->g->ops[index];
        switch ((OpKind)op->kind) {
        case OP_SPLIT:
            enter(r, op->x, at);
            enter(r, op->y, at);
            break;
        case OP_JUMP: enter(r, op->x, at); break;
        case OP_NOT:
            if (!is_taken(r, index, at)) enter(r, op->y, at);
            break;
        case OP_ACCEPT: r->is_accepted = true; break;
        default: r->now[r->n_now++] = index; break;
        }
    }
}

static bool takes(const Run *r, const Op *op, u32 ch, bool is_hidden)
{
    switch ((OpKind)op->kind) {
    case OP_CHAR: return op->x == ch;
    case OP_ANY: return ch != '/' && !is_hidden;
    case OP_ALL: return !is_hidden;
    case OP_CLASS: return !is_hidden && in_class(&r->g->classes[op->x], ch);
    default: return false;
    }
}

/* One step: the ops in `now` that take `ch` lead to the ops behind them. */
static void step(Run *r, u32 ch, bool is_hidden, usize next)
{
    u32 n = r->n_now;
    r->n_now = 0;
    for (u32 i = 0; i < n; i++)
        if (takes(r, &r->g->ops[r->now[i]], ch, is_hidden)) enter(r, r->now[i] + 1, next);
}

static void run(Run *r, u32 start, usize at)
{
    const Glob *g = r->g;
    r->now = ARENA_ARRAY(r->tmp, u32, g->n_ops);
    r->stack = ARENA_ARRAY(r->tmp, u32, g->n_ops);
    r->mark = ARENA_ARRAY(r->tmp, usize, g->n_ops);
    enter(r, start, at);
    follow(r, at);
    while (at < r->path.n && r->n_now) {
        u32 size;
        u32 ch = char_at(r->path, at, &size);
        bool is_hidden = g->no_dot && ch == '.' && is_segment_start(r->path, at);
        at += size;
        r->is_accepted = false;
        step(r, ch, is_hidden, at);
        follow(r, at);
    }
    r->is_accepted = r->is_accepted && at == r->path.n;
}

static void run_pattern(Run *r, const Glob *g, Str path, Arena *tmp)
{
    *r = (Run){.g = g, .path = path, .tmp = tmp};
    if (g->n_nots) r->nots = ARENA_ARRAY(tmp, u8, (path.n + 1) * g->n_nots);
    run(r, 0, 0);
}

bool glob_match(const Glob *g, Str path)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    Run r;
    run_pattern(&r, g, path, s.arena);
    return r.is_accepted != g->is_negated;
}

bool glob_can_enter(const Glob *g, Str dir)
{
    if (g->is_negated || !dir.n) return true;
    AUTO(Scratch) s = scratch_begin(NULL);
    Str path = str_concat(s.arena, dir, S("/"));
    Run r;
    run_pattern(&r, g, path, s.arena);
    return r.n_now > 0;
}

bool glob_is_magic(Str pattern)
{
    if (str_starts(pattern, S("!"))) return true;
    for (usize i = 0; i < pattern.n; i++)
        if (strchr("*?[]{}\\", pattern.p[i]) ||
            (pattern.p[i] == '(' && i && strchr("+@!", pattern.p[i - 1])))
            return true;
    return false;
}
