/* syntax/parse.c -- the entry, errors and recovery, and what all parts of the parser use. */
#include "syntax/edits.h"
#include "syntax/parser.h"

#include <stdarg.h>
#include <stdio.h>

static void report(Parser *p, u32 pos, u32 len, const char *fmt, va_list args)
{
    AUTO(Scratch) s = scratch_begin(p->arena);
    Str text = str_vfmt(s.arena, fmt, args);
    log_error(p->log, (Span){p->l.source, pos, len}, "%.*s", STR_ARG(text));
}

void early_error(Parser *p, u32 pos, u32 len, const char *fmt, ...)
{
    if (p->l.dead || p->l.quiet) return;
    va_list args;
    va_start(args, fmt);
    report(p, pos, len, fmt, args);
    va_end(args);
}

void strict_error(Parser *p, u32 pos, u32 len, const char *fmt, ...)
{
    if (p->l.dead) return;
    if (!has_ctx(p, CTX_STRICT)) {
        if (!p->sloppy_at) p->sloppy_at = pos + 1;
        return;
    }
    if (p->l.quiet) return;
    va_list args;
    va_start(args, fmt);
    report(p, pos, len, fmt, args);
    va_end(args);
}

void node_error(Parser *p, NodeId id, const char *what)
{
    early_error(p, ast_node(p->ast, id)->pos, 1, "%s", what);
}

static Str token_text(Parser *p)
{
    u32 n = p->l.tok_end - p->l.pos;
    return (Str){p->l.src + p->l.pos, MIN(n, 40u)};
}

NodeId unexpected(Parser *p)
{
    if (TOKEN(p) == TOK_EOF)
        lex_error(&p->l, POS(p), 0, "Unexpected end of file");
    else
        lex_error(&p->l, POS(p), p->l.tok_end - POS(p), "Unexpected %.*s", STR_ARG(token_text(p)));
    return 0;
}

NodeId expected(Parser *p, const char *what)
{
    if (TOKEN(p) == TOK_EOF) {
        lex_error(&p->l, POS(p), 0, "Expected %s but found end of file", what);
    } else {
        lex_error(&p->l, POS(p), p->l.tok_end - POS(p), "Expected %s but found \"%.*s\"", what,
                  STR_ARG(token_text(p)));
    }
    return 0;
}

COLD bool expect_slow(Parser *p, Tok t)
{
    char what[32];
    (void)snprintf(what, sizeof(what), "\"%s\"", tok_name(t));
    expected(p, what);
    return false;
}

void expect_semicolon(Parser *p)
{
    if (take(p, TOK_SEMI)) return;
    if (TOKEN(p) == TOK_RBRACE || TOKEN(p) == TOK_EOF || p->l.nl) return;
    expected(p, "\";\"");
}

COLD bool too_deep(Parser *p)
{
    return lex_error(&p->l, POS(p), 1, "This is nested too deeply");
}

Snapshot snapshot(Parser *p)
{
    return (Snapshot){
        .l = p->l,
        .n_nodes = p->ast->n_nodes,
        .n_extra = p->ast->n_extra,
        .n_stack = p->stack.len,
        .n_uses = p->private_uses.len,
        .n_edits = edit_mark(p),
        .type_depth = p->type_depth,
        .ctx = p->ctx,
        .depth = p->depth,
        .arrow_at = p->arrow_at,
        .shorthand_err = p->shorthand_err,
        .proto_err = p->proto_err,
        .arrow_type_at = p->arrow_type_at,
        .await_at = p->await_at,
        .yield_at = p->yield_at,
        .sloppy_at = p->sloppy_at,
        .has_esm = p->ast->has_esm,
        .is_module = p->ast->is_module,
        .has_top_await = p->ast->has_top_await,
        .log = log_mark(p->log),
    };
}

void rewind_to(Parser *p, const Snapshot *s)
{
    p->l = s->l;
    p->ast->n_nodes = s->n_nodes;
    p->ast->n_extra = s->n_extra;
    p->stack.len = s->n_stack;
    p->private_uses.len = s->n_uses;
    if (p->strip) p->strip->edits.len = s->n_edits;
    p->type_depth = s->type_depth;
    p->ctx = s->ctx;
    p->depth = s->depth;
    p->arrow_at = s->arrow_at;
    p->shorthand_err = s->shorthand_err;
    p->proto_err = s->proto_err;
    p->arrow_type_at = s->arrow_type_at;
    p->await_at = s->await_at;
    p->yield_at = s->yield_at;
    p->sloppy_at = s->sloppy_at;
    p->ast->has_esm = s->has_esm;
    p->ast->is_module = s->is_module;
    p->ast->has_top_await = s->has_top_await;
    log_rewind(p->log, s->log);
}

Tok peek(Parser *p, bool *ret_nl)
{
    Tok near = lex_near(&p->l);
    if (near != TOK_EOF) {
        if (ret_nl) *ret_nl = false;
        return near;
    }
    Lexer saved = p->l;
    p->l.quiet = true;
    lex_next(&p->l);
    Tok t = p->l.tok;
    if (ret_nl) *ret_nl = p->l.nl;
    p->l = saved;
    return t;
}

/* The file is a module after all.  What came before was parsed as sloppy code; parse() starts over
 * when that made a difference. */
void mark_esm(Parser *p)
{
    p->ast->is_module = true;
    p->ctx |= CTX_STRICT;
    p->l.html_comments = false;
}

bool note_commonjs(Parser *p, u32 pos)
{
    if (!has_ctx(p, CTX_TOP) || p->opt->goal != GOAL_AUTO || p->ast->is_module) return false;
    if (!p->sloppy_at) p->sloppy_at = pos + 1;
    return true;
}

/* ---- Names ---- */

void check_strict_target(Parser *p, Atom name, u32 pos)
{
    if (has_ctx(p, CTX_AMBIENT)) return;
    if (name == WORD_ATOM(TOK_EVAL) || name == WORD_ATOM(TOK_ARGUMENTS)) {
        strict_error(p, pos, 1, "\"%.*s\" cannot be bound or assigned in strict mode",
                     STR_ARG(atom_str(p->l.atoms, name)));
    }
}

void check_reserved(Parser *p, Atom name, u32 pos, u32 len, bool binding)
{
    if (name > ATOM_WORD_LAST || !name) return;
    Tok t = ATOM_WORD(name);
    if (t < TOK_STRICT_FIRST) {
        early_error(p, pos, len, "\"%s\" is a reserved word", tok_name(t));
    } else if (t == TOK_YIELD && has_ctx(p, CTX_GENERATOR)) {
        early_error(p, pos, len, "\"yield\" cannot be used as a name in a generator");
    } else if (t == TOK_AWAIT) {
        if (has_ctx(p, CTX_ASYNC | CTX_STATIC_BLOCK) || p->ast->is_module) {
            if (!has_ctx(p, CTX_AMBIENT))
                early_error(p, pos, len, "\"await\" cannot be used as a name here");
        } else {
            p->await_bound |= binding && has_ctx(p, CTX_TOP);
            if (!p->sloppy_at) p->sloppy_at = pos + 1;
        }
    } else if (t < TOK_CONTEXT_FIRST) {
        if (!has_ctx(p, CTX_AMBIENT))
            strict_error(p, pos, len, "\"%s\" is a reserved word in strict mode", tok_name(t));
    } else if (binding) {
        check_strict_target(p, name, pos);
    } else if (t == TOK_ARGUMENTS && has_ctx(p, CTX_NO_ARGUMENTS | CTX_STATIC_BLOCK)) {
        early_error(p, pos, len, "\"arguments\" cannot be used in a class field or static block");
    }
}

static NodeId take_ident(Parser *p, bool binding)
{
    if (!is_name(TOKEN(p))) {
        if (TOKEN(p) >= TOK_WORD_FIRST && !p->l.quiet) {
            lex_error(&p->l, POS(p), p->l.tok_end - POS(p), "\"%s\" is a reserved word",
                      tok_name(TOKEN(p)));
            return 0;
        }
        return expected(p, "an identifier");
    }
    Atom name = lex_atom(&p->l);
    u32 pos = POS(p);
    if (name <= ATOM_WORD_LAST) check_reserved(p, name, pos, p->l.tok_end - pos, binding);
    if (!p->in_import && !has_ctx(p, CTX_AMBIENT))
        note_name(p, name, binding ? NAME_BOUND : NAME_VALUE);
    NodeId id = node(p, NODE_IDENT, pos, name, 0);
    lex_next(&p->l);
    return id;
}

NodeId parse_ident_ref(Parser *p)
{
    return take_ident(p, false);
}

NodeId parse_binding_ident(Parser *p)
{
    return take_ident(p, true);
}

/* ---- Program ---- */

/* After an error: finds a line that starts in the first column with something like a statement,
 * from which parsing can go on. */
static bool resync(Parser *p, u32 from)
{
    Lexer *l = &p->l;
    for (const char *q = l->src + from; q < l->end; q++) {
        if (*q != '\n' || !IS_CLASS(q[1], CC_ID_START)) continue;
        l->at = q + 1;
        l->dead = false;
        l->tok_end = l->pos = (u32)(l->at - l->src);
        lex_next(l);
        l->nl = true;
        if (l->dead) return false;
        return true;
    }
    return false;
}

static void reset_after_error(Parser *p, u32 ctx)
{
    p->ctx = ctx | (p->ctx & CTX_STRICT);
    p->depth = 0;
    p->classes = NULL;
    p->labels = NULL;
    p->private_uses.len = 0;
    p->shorthand_err = p->proto_err = p->arrow_type_at = 0;
    p->type_depth = 0;
}

/* Position of the error reported last. */
static u32 last_error_pos(const Parser *p)
{
    for (u32 i = p->log->msgs.len; i > 0; i--) {
        const LogMsg *m = &p->log->msgs.at[i - 1];
        if (m->level == LOG_ERROR) return m->at.pos;
    }
    return 0;
}

static ListId parse_program_body(Parser *p)
{
    u32 mark = list_begin(p), ctx = p->ctx;
    u32 errors_max = p->strip ? 1 : 10;
    for (;;) {
        while (TOKEN(p) != TOK_EOF) {
            u32 pos = POS(p);
            NodeId stmt = parse_statement(p, STMT_LIST);
            if (p->strip)
                strip_top_statement(p, stmt, pos);
            else if (stmt)
                list_push(p, stmt);
        }
        if (!p->l.dead || p->log->n_errors >= errors_max) break;
        u32 pos = last_error_pos(p);
        reset_after_error(p, ctx);
        p->stack.len = mark;
        if (!resync(p, pos)) break;
    }
    return list_end(p, mark);
}

/* Directives at the start: marks them, and turns strict mode on. */
static void parse_directives(Parser *p)
{
    Snapshot s = snapshot(p);
    bool strict = false;
    u32 legacy_at = 0;
    while (TOKEN(p) == TOK_STR) {
        bool is_use_strict = p->l.tok_end - POS(p) == 12 && str_eq(p->l.str, S("use strict"));
        if (p->l.legacy_octal && !legacy_at) legacy_at = POS(p) + 1;
        lex_next(&p->l);
        if (TOKEN(p) != TOK_SEMI && TOKEN(p) != TOK_RBRACE && TOKEN(p) != TOK_EOF && !p->l.nl)
            break;
        take(p, TOK_SEMI);
        strict |= is_use_strict;
    }
    rewind_to(p, &s);
    if (!strict) return;
    p->ctx |= CTX_STRICT;
}

static void parse_once(Parser *p, const ParseOptions *opt, ParseGoal goal)
{
    p->ctx = CTX_TOP;
    p->l.html_comments = goal != GOAL_MODULE && !opt->ts;
    p->ast->is_module = goal == GOAL_MODULE;
    if (goal == GOAL_MODULE) p->ctx |= CTX_STRICT;
    if (goal == GOAL_COMMONJS) p->ctx |= CTX_FUNCTION | CTX_NEW_TARGET;
    if (opt->declaration) p->ctx |= CTX_AMBIENT;
    lex_next(&p->l);
    parse_directives(p);
    u32 pos = 0;
    ListId body = parse_program_body(p);
    if (p->strip) strip_finish(p);
    NodeId root = node(p, NODE_PROGRAM, pos, body, 0);
    ast_node(p->ast, root)->flags = has_ctx(p, CTX_STRICT) ? NF_STRICT : 0;
    p->ast->root = root;
    for (u32 i = 0; i < p->private_uses.len; i++) {
        PrivateUse u = p->private_uses.at[i];
        early_error(p, u.pos, 1, "Private name \"#%.*s\" is not declared in an enclosing class",
                    STR_ARG(atom_str(p->l.atoms, u.name)));
    }
}

static void parser_init(Parser *p, Ast *t, Arena *arena, const ParseOptions *opt, Log *log)
{
    *p = (Parser){.ast = t, .arena = arena, .log = log, .opt = opt, .ts = opt->ts, .jsx = opt->jsx};
    vec_reserve(arena, &p->stack, 64);
    lex_init(&p->l, t->source, log, arena, t->atoms);
    t->n_nodes = t->n_extra = 1;
    t->notes = (LexNotes){0};
    t->has_esm = t->has_top_await = t->is_module = false;
}

static bool parse_with(Ast *t, Arena *arena, const ParseOptions *opt, Log *log, Strip *strip)
{
    LogMark mark = log_mark(log);
    Parser p;
    parser_init(&p, t, arena, opt, log);
    p.strip = strip;
    if (!strip) p.l.notes = &t->notes;
    parse_once(&p, opt, opt->goal);
    bool again =
        opt->goal == GOAL_AUTO && t->is_module && (p.sloppy_at || log->n_errors > mark.n_errors);
    if (again) {
        log_rewind(log, mark);
        parser_init(&p, t, arena, opt, log);
        if (strip)
            *strip = (Strip){.arena = strip->arena, .opt = strip->opt, .reason = strip->reason};
        p.strip = strip;
        if (!strip) p.l.notes = &t->notes;
        parse_once(&p, opt, GOAL_MODULE);
    }
    return log->n_errors == mark.n_errors;
}

bool parse(Ast *t, Arena *arena, const ParseOptions *opt, Log *log)
{
    return parse_with(t, arena, opt, log, NULL);
}

/* Placeholders, and text that is not in the tree's source. */
static void adopt_nodes(Ast *t, NodeId first, u32 pos, const NodeId *args)
{
    for (NodeId i = first; i < t->n_nodes; i++) {
        Node *n = ast_node(t, i);
        n->pos = pos;
        if (n->kind == NODE_STR) n->b = 0;
        if (n->kind == NODE_NUM || n->kind == NODE_DOT) n->c = n->kind == NODE_DOT ? pos : 0;
        if (n->kind != NODE_IDENT) continue;
        Str name = atom_str(t->atoms, n->a);
        if (name.n == 2 && name.p[0] == '$' && IS_CLASS(name.p[1], CC_DIGIT)) {
            *n = *ast_node(t, args[name.p[1] - '0']);
        }
    }
}

ListId parse_quoted(Ast *t, Arena *arena, u32 pos, Str text, const NodeId *args)
{
    Source *source = ARENA_NEW(arena, Source);
    *source = (Source){.text = lex_pad(arena, text)};
    Log log;
    log_init(&log, arena);
    ParseOptions opt = {.goal = GOAL_COMMONJS};
    Parser p = {.ast = t, .arena = arena, .log = &log, .opt = &opt};
    vec_reserve(arena, &p.stack, 64);
    lex_init(&p.l, source, &log, arena, t->atoms);
    p.ctx = CTX_STRICT | CTX_FUNCTION | CTX_SUPER_PROP | CTX_NEW_TARGET;
    NodeId first = t->n_nodes;
    lex_next(&p.l);
    while (TOKEN(&p) != TOK_EOF) {
        NodeId stmt = parse_statement(&p, STMT_LIST);
        if (stmt) list_push(&p, stmt);
    }
    ASSERT(!log.n_errors);
    ListId list = list_end(&p, 0);
    adopt_nodes(t, first, pos, args);
    return list;
}

bool parse_strip(Ast *t, Arena *arena, const ParseOptions *opt, Log *log, struct Strip *s)
{
    return parse_with(t, arena, opt, log, s);
}
