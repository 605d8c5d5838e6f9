/* syntax/parse_primary.c -- primary expressions: names, literals, new, super, import, parentheses.
 */
#include "syntax/edits.h"
#include "syntax/parser.h"

#include <string.h>

static NodeId parse_number(Parser *p)
{
    u64 bits;
    __builtin_memcpy(&bits, &p->l.num, sizeof(bits));
    Node n = {
        .kind = NODE_NUM, .pos = POS(p), .a = (u32)bits, .b = (u32)(bits >> 32), .c = p->l.tok_end};
    if (p->l.num_form >= NUM_LEGACY_OCTAL) {
        n.flags = NF_LEGACY;
        strict_error(p, POS(p), p->l.tok_end - POS(p),
                     "Legacy octal literals are not allowed in strict mode");
    }
    lex_next(&p->l);
    return ast_add(p->ast, n);
}

NodeId parse_string(Parser *p)
{
    if (TOKEN(p) != TOK_STR) return expected(p, "a string");
    Node n = {.kind = NODE_STR, .pos = POS(p), .a = lex_atom(&p->l), .b = p->l.tok_end};
    if (p->l.escaped) n.flags |= NF_ESCAPED;
    if (p->l.legacy_octal) {
        n.flags |= NF_LEGACY;
        strict_error(p, POS(p), p->l.tok_end - POS(p),
                     "Octal escapes are not allowed in strict mode");
    }
    lex_next(&p->l);
    return ast_add(p->ast, n);
}

static NodeId parse_atom_token(Parser *p, NodeKind kind)
{
    NodeId id = node(p, kind, POS(p), lex_atom(&p->l), 0);
    lex_next(&p->l);
    return id;
}

static NodeId parse_word_literal(Parser *p, NodeKind kind)
{
    NodeId id = node(p, kind, POS(p), 0, 0);
    lex_next(&p->l);
    return id;
}

static NodeId parse_regexp(Parser *p)
{
    lex_regexp(&p->l);
    if (p->l.dead) return 0;
    Str text = {p->l.src + POS(p), p->l.tok_end - POS(p)};
    NodeId id = node(p, NODE_REGEXP, POS(p), intern(p->l.atoms, text), 0);
    lex_next(&p->l);
    return id;
}

/* The raw text of the current template token, without its delimiters. */
static void push_raw(Parser *p, u32 *mark_raw, Tok t)
{
    u32 tail = t == TOK_TEMPLATE || t == TOK_TEMPLATE_TAIL ? 1 : 2;
    mark_raw[0] = POS(p) + 1;
    mark_raw[1] = p->l.tok_end - tail;
}

NodeId parse_template(Parser *p, bool tagged)
{
    u32 pos = POS(p), mark = list_begin(p);
    Vec(u32) raw = {0};
    for (;;) {
        Tok t = TOKEN(p);
        if (p->l.bad_escape_at && !tagged) {
            early_error(p, p->l.bad_escape_at - 1, 2, "Invalid escape in a template literal");
        }
        u32 range[2];
        push_raw(p, range, t);
        vec_push(p->arena, &raw, range[0]);
        vec_push(p->arena, &raw, range[1]);
        lex_next(&p->l);
        if (t == TOK_TEMPLATE || t == TOK_TEMPLATE_TAIL) break;
        list_push(p, parse_expr(p, 0));
        if (TOKEN(p) != TOK_RBRACE) return expected(p, "\"}\"");
        lex_template(&p->l);
        if (p->l.dead) return 0;
    }
    ListId texts = ast_list(p->ast, raw.at, raw.len);
    ListId exprs = list_end(p, mark);
    return node(p, NODE_TEMPLATE, pos, exprs, texts);
}

/* ---- new, super, import ---- */

/* `.name` behind new or import; reports escapes. */
static bool take_meta(Parser *p, Tok name)
{
    if (TOKEN(p) == TOK_IDENT && p->l.escaped && str_eq(p->l.str, str_z(tok_name(name)))) {
        early_error(p, POS(p), 1, "A keyword cannot contain escapes");
        lex_next(&p->l);
        return true;
    }
    return take(p, name);
}

static NodeId parse_new(Parser *p)
{
    u32 pos = POS(p);
    lex_next(&p->l);
    if (take(p, TOK_DOT)) {
        if (!take_meta(p, TOK_TARGET)) return expected(p, "\"target\"");
        if (!has_ctx(p, CTX_NEW_TARGET)) {
            early_error(p, pos, 10, "\"new.target\" is only allowed in functions");
        }
        return node(p, NODE_NEW_TARGET, pos, 0, 0);
    }
    if (!enter(p)) return 0;
    p->arrow_at = 0;
    u32 callee_pos = POS(p);
    if (TOKEN(p) == TOK_SUPER && peek(p, NULL) == TOK_LPAREN) {
        early_error(p, POS(p), 5, "\"super()\" cannot be used with \"new\"");
    }
    NodeId callee = parse_primary(p, E_NO_CALL);
    callee = parse_subscripts(p, callee, callee_pos, E_NO_CALL);
    leave(p);
    ListId args = TOKEN(p) == TOK_LPAREN ? parse_call_args(p) : 0;
    return node(p, NODE_NEW, pos, callee, args);
}

static NodeId parse_super(Parser *p)
{
    u32 pos = POS(p);
    lex_next(&p->l);
    if (TOKEN(p) == TOK_LPAREN) {
        if (!has_ctx(p, CTX_SUPER_CALL)) {
            early_error(p, pos, 5,
                        "\"super()\" is only allowed in the constructor of a derived class");
        }
    } else if (TOKEN(p) == TOK_DOT || TOKEN(p) == TOK_LBRACKET) {
        if (!has_ctx(p, CTX_SUPER_PROP)) {
            early_error(p, pos, 5, "\"super\" is only allowed in methods and class fields");
        }
    } else {
        return expected(p, "\"(\", \".\" or \"[\" after \"super\"");
    }
    return node(p, NODE_SUPER, pos, 0, 0);
}

/* import.meta and import( become properties of the module object. */
static void erase_module_use(Parser *p, u32 from, u32 to, const char *member)
{
    if (!p->strip || p->l.dead) return;
    Str text = str_fmt(p->arena, "%.*s%s%c", STR_ARG(p->strip->opt->names.cob), member, 0);
    if (text.n - 1 > to - from)
        refuse(p, "import()");
    else
        erase_with(p, from, to, text.p);
}

static NodeId parse_import_call(Parser *p, u32 pos, ImportPhase phase)
{
    p->ast->has_dynamic_import = true;
    if (phase != PHASE_EVALUATION) refuse(p, "import.defer");
    erase_module_use(p, pos, p->l.tok_end, ".i(");
    expect(p, TOK_LPAREN);
    if (TOKEN(p) == TOK_ELLIPSIS) return unexpected(p);
    NodeId specifier = parse_assign(p, 0), options = 0;
    if (take(p, TOK_COMMA) && TOKEN(p) != TOK_RPAREN) {
        if (TOKEN(p) == TOK_ELLIPSIS) return unexpected(p);
        options = parse_assign(p, 0);
        take(p, TOK_COMMA);
    }
    expect(p, TOK_RPAREN);
    NodeId id = node(p, NODE_IMPORT_CALL, pos, specifier, options);
    ast_node(p->ast, id)->op = (u8)phase;
    return id;
}

static const char no_new_import[] = "\"import()\" cannot be used with \"new\"";

static NodeId parse_import_expr(Parser *p, u32 flags)
{
    u32 pos = POS(p);
    lex_next(&p->l);
    if (take(p, TOK_DOT)) {
        if (TOKEN(p) == TOK_DEFER || TOKEN(p) == TOK_SOURCE) {
            ImportPhase phase = TOKEN(p) == TOK_DEFER ? PHASE_DEFER : PHASE_SOURCE;
            lex_next(&p->l);
            if (flags & E_NO_CALL) early_error(p, pos, 6, no_new_import);
            return parse_import_call(p, pos, phase);
        }
        if (!take_meta(p, TOK_META)) return expected(p, "\"meta\"");
        if (p->opt->goal == GOAL_SCRIPT || p->opt->goal == GOAL_COMMONJS) {
            early_error(p, pos, 11, "\"import.meta\" is only allowed in modules");
        }
        p->ast->has_esm = true;
        if (!p->ast->is_module) mark_esm(p);
        erase_module_use(p, pos, p->l.prev_end, ".meta");
        p->ast->has_import_meta = true;
        if (p->strip) p->strip->info.uses_meta = true;
        return node(p, NODE_IMPORT_META, pos, 0, 0);
    }
    if (TOKEN(p) != TOK_LPAREN) return expected(p, "\"(\" or \".\" after \"import\"");
    if (flags & E_NO_CALL) early_error(p, pos, 6, no_new_import);
    return parse_import_call(p, pos, PHASE_EVALUATION);
}

/* ---- Parentheses and arrow functions ---- */

typedef struct {
    u32 spread, trailing_comma, typed; /* position + 1 of the first, or 0 */
    u32 n;
} ParenInfo;

/* TypeScript: `?`, `: T` and a default behind a typed parameter. */
static NodeId parse_param_suffix(Parser *p, NodeId item, ParenInfo *info)
{
    u32 pos = POS(p);
    bool typed = false;
    if (TOKEN(p) == TOK_QUESTION) {
        erase(p, POS(p), POS(p) + 1);
        lex_next(&p->l);
        typed = true;
    }
    if (TOKEN(p) == TOK_COLON) {
        u32 colon = POS(p);
        lex_next(&p->l);
        skip_type(p);
        erase(p, colon, p->l.prev_end);
        typed = true;
    }
    if (!typed) return item;
    if (!info->typed) info->typed = pos + 1;
    if (TOKEN(p) != TOK_ASSIGN) return item;
    lex_next(&p->l);
    NodeKind kind = KIND(p, item);
    if (kind == NODE_ARRAY || kind == NODE_OBJECT) item = to_pattern(p, item, true);
    NodeId id = node(p, NODE_ASSIGN, ast_node(p->ast, item)->pos, item, parse_assign(p, 0));
    ast_node(p->ast, id)->op = TOK_ASSIGN;
    return id;
}

static NodeId parse_paren_item(Parser *p, ParenInfo *info)
{
    u32 pos = POS(p);
    if (TOKEN(p) == TOK_ELLIPSIS) {
        if (!info->spread) info->spread = pos + 1;
        lex_next(&p->l);
        NodeId target = parse_assign(p, E_COVER | E_ARROW_ARG);
        if (p->ts) target = parse_param_suffix(p, target, info);
        return node(p, NODE_SPREAD, pos, target, 0);
    }
    NodeId item = parse_assign(p, E_COVER | E_ARROW_ARG);
    return p->ts ? parse_param_suffix(p, item, info) : item;
}

/* From behind `(` to behind `)`; the items are left on the stack. */
static ParenInfo parse_paren_items(Parser *p)
{
    ParenInfo info = {0};
    while (TOKEN(p) != TOK_RPAREN && TOKEN(p) != TOK_EOF) {
        list_push(p, parse_paren_item(p, &info));
        info.n++;
        if (TOKEN(p) == TOK_RPAREN) break;
        u32 comma = POS(p);
        if (!expect(p, TOK_COMMA)) break;
        if (TOKEN(p) == TOK_RPAREN) info.trailing_comma = comma + 1;
    }
    expect(p, TOK_RPAREN);
    return info;
}

/* The items on the stack from `mark` become parameters. */
static ListId to_params(Parser *p, u32 mark, const ParenInfo *info)
{
    u32 n = p->stack.len - mark, kept = 0;
    for (u32 i = 0; i < n; i++) {
        NodeId id = p->stack.at[mark + i];
        /* TypeScript's `this` parameter is no parameter. */
        if (p->ts && i == 0 && KIND(p, id) == NODE_THIS) {
            refuse(p, "this parameter");
            continue;
        }
        bool is_rest = KIND(p, id) == NODE_SPREAD;
        if (is_rest && (i + 1 < n || info->trailing_comma)) {
            node_error(p, id, "A rest parameter must be the last one");
        }
        id = to_pattern(p, id, true);
        p->stack.at[mark + kept++] = id;
    }
    p->stack.len = mark + kept;
    return list_end(p, mark);
}

/* The state around parameters that may belong to an arrow function. */
typedef struct {
    u32 shorthand_err, proto_err, await_at, yield_at, await_name_at;
} CoverState;

static CoverState cover_begin(Parser *p)
{
    CoverState s = {p->shorthand_err, p->proto_err, p->await_at, p->yield_at, p->await_name_at};
    p->shorthand_err = p->proto_err = p->await_at = p->yield_at = p->await_name_at = 0;
    return s;
}

static void cover_end(Parser *p, const CoverState *s, bool is_arrow)
{
    if (is_arrow) {
        p->await_at = p->yield_at = 0;
    } else {
        check_cover(p);
    }
    p->shorthand_err = s->shorthand_err;
    p->proto_err = s->proto_err;
    if (s->await_at) p->await_at = s->await_at;
    if (s->yield_at) p->yield_at = s->yield_at;
    if (s->await_name_at) p->await_name_at = s->await_name_at;
}

static void check_arrow_cover(Parser *p, bool async)
{
    if (p->await_at) early_error(p, p->await_at - 1, 5, "\"await\" cannot be used in parameters");
    if (p->yield_at) early_error(p, p->yield_at - 1, 5, "\"yield\" cannot be used in parameters");
    if (async && p->await_name_at) {
        early_error(p, p->await_name_at - 1, 5, "\"await\" cannot be used as a name here");
    }
    p->shorthand_err = p->proto_err = 0;
}

static bool is_memo(const IdMap *m, u32 pos)
{
    return m->len && id_map_find(m, (u64)pos + 1);
}

/* Behind the `)` of what may be parameters: `=>` or, in TypeScript, `: T =>`? */
static bool is_arrow_behind(Parser *p, bool allowed, u32 pos)
{
    if (!allowed) return false;
    if (TOKEN(p) == TOK_ARROW) return !p->l.nl;
    if (!p->ts || TOKEN(p) != TOK_COLON || is_memo(&p->not_arrow, pos)) return false;
    return is_arrow_return_type(p);
}

/* A line break between `)` and `=>` is an error, so where the type had one the parenthesis moves to
 * its end. */
static void keep_arrow_on_line(Parser *p, u32 paren)
{
    if (!p->strip || p->type_depth || p->l.dead || !lex_has_newline(&p->l, paren, POS(p))) return;
    u32 end = p->l.prev_end;
    if (lex_has_newline(&p->l, end, POS(p))) return; /* an error of its own */
    (void)vec_pop(&p->strip->edits);
    erase(p, paren, end - 1);
    erase_with(p, end - 1, end, ")");
}

/* The parenthesis of an arrow function takes the place of the type parameters before it: behind
 * `return` or `async` it may not begin a line. */
void keep_paren_on_line(Parser *p, u32 pos)
{
    if (!p->strip || p->type_depth || p->l.dead || !lex_has_newline(&p->l, pos, POS(p))) return;
    (void)vec_pop(&p->strip->edits);
    erase_with(p, pos, p->l.tok_end, "(");
}

static NodeId finish_arrow(Parser *p, u32 pos, u32 mark, const ParenInfo *info, u32 flags)
{
    bool async = (flags >> 16) & 1;
    check_arrow_cover(p, async);
    ListId params = to_params(p, mark, info);
    if (TOKEN(p) == TOK_COLON) {
        u32 paren = p->l.prev_end - 1;
        lex_next(&p->l);
        skip_return_type(p);
        keep_arrow_on_line(p, paren);
    }
    return parse_arrow(p, pos, params, async, flags & 0xffff);
}

enum { E_ASYNC_ARROW = 1 << 16 };

/* `x ? (a) : b => c`: an arrow function with a return type only if another colon follows it. Tries;
 * 0, and everything as before, when it was not. */
static NodeId try_cond_arrow(Parser *p, u32 pos, u32 mark, const ParenInfo *info, u32 flags)
{
    Snapshot s = snapshot(p);
    AUTO(Scratch) scratch = scratch_begin(p->arena);
    u32 n = p->stack.len - mark;
    u32 *items = ARENA_ARRAY(scratch.arena, u32, n + 1);
    for (u32 i = 0; i < n; i++) items[i] = p->stack.at[mark + i];
    /* Turning the items into patterns changes nodes in place: keep them. */
    u32 first = n ? ast_node(p->ast, items[0])->pos : pos;
    u32 from = s.n_nodes;
    while (from > 1 && p->ast->nodes[from - 1].pos >= first) from--;
    u32 n_saved = s.n_nodes - from;
    Node *saved = ARENA_ARRAY(scratch.arena, Node, n_saved + 1);
    memcpy(saved, p->ast->nodes + from, n_saved * sizeof(Node));
    p->l.quiet = true;
    NodeId id = finish_arrow(p, pos, mark, info, flags);
    if (!p->l.dead && TOKEN(p) == TOK_COLON) {
        p->l.quiet = s.l.quiet;
        return id;
    }
    rewind_to(p, &s);
    memcpy(p->ast->nodes + from, saved, n_saved * sizeof(Node));
    for (u32 i = 0; i < n; i++) p->stack.at[mark + i] = items[i];
    *id_map_put(p->arena, &p->not_arrow, (u64)pos + 1, NULL) = 1;
    return 0;
}

static NodeId fold_comma(Parser *p, u32 mark)
{
    NodeId left = p->stack.at[mark];
    for (u32 i = mark + 1; i < p->stack.len; i++) {
        u32 pos = ast_node(p->ast, left)->pos;
        left = node(p, NODE_BINARY, pos, left, p->stack.at[i]);
        ast_node(p->ast, left)->op = TOK_COMMA;
    }
    p->stack.len = mark;
    return left;
}

NodeId parse_paren(Parser *p, u32 flags)
{
    u32 pos = POS(p), mark = list_begin(p);
    bool may_arrow = p->arrow_at == pos + 1;
    CoverState state = cover_begin(p);
    lex_next(&p->l);
    ParenInfo info = parse_paren_items(p);
    if (is_arrow_behind(p, may_arrow, pos)) {
        u32 pass = flags & (E_NO_IN | E_COND_MIDDLE);
        bool unsure = (flags & E_COND_MIDDLE) && TOKEN(p) == TOK_COLON;
        NodeId id = unsure ? try_cond_arrow(p, pos, mark, &info, pass)
                           : finish_arrow(p, pos, mark, &info, pass);
        if (id || p->l.dead) {
            cover_end(p, &state, true);
            p->stack.len = mark;
            return id;
        }
    }
    cover_end(p, &state, false);
    if (info.typed)
        lex_error(&p->l, info.typed - 1, 1, "Expected \")\" but found a type annotation");
    if (info.spread) lex_error(&p->l, info.spread - 1, 3, "Unexpected ...");
    if (info.trailing_comma) lex_error(&p->l, info.trailing_comma - 1, 1, "Unexpected ,");
    if (!info.n || p->l.dead) {
        if (TOKEN(p) == TOK_ARROW) return unexpected(p);
        return p->l.dead ? 0 : expected(p, "\"=>\"");
    }
    NodeId id = fold_comma(p, mark);
    ast_node(p->ast, id)->flags |= NF_PAREN;
    return id;
}

/* `async (` ...: a call of async, or an async arrow function. */
static NodeId parse_async_paren(Parser *p, u32 pos, NodeId callee, bool may_arrow, u32 flags)
{
    u32 mark = list_begin(p);
    CoverState state = cover_begin(p);
    bool nl = p->l.nl;
    lex_next(&p->l);
    ParenInfo info = parse_paren_items(p);
    if (is_arrow_behind(p, may_arrow && !nl, pos)) {
        u32 pass = (flags & (E_NO_IN | E_COND_MIDDLE)) | E_ASYNC_ARROW;
        bool unsure = (flags & E_COND_MIDDLE) && TOKEN(p) == TOK_COLON;
        NodeId id = unsure ? try_cond_arrow(p, pos, mark, &info, pass)
                           : finish_arrow(p, pos, mark, &info, pass);
        if (id || p->l.dead) {
            cover_end(p, &state, true);
            p->stack.len = mark;
            return id;
        }
    }
    cover_end(p, &state, false);
    if (info.typed)
        lex_error(&p->l, info.typed - 1, 1, "Expected \")\" but found a type annotation");
    ListId args = list_end(p, mark);
    NodeId call = node(p, NODE_CALL, pos, callee, args);
    return call;
}

/* TypeScript: `async <T>(x) => ...` */
static NodeId try_async_generic(Parser *p, u32 pos, u32 flags)
{
    if (is_memo(&p->not_arrow, POS(p))) return 0;
    Snapshot s = snapshot(p);
    u32 at = POS(p);
    p->l.quiet = true;
    skip_type_params(p);
    bool ok = !p->l.dead && TOKEN(p) == TOK_LPAREN;
    if (ok) keep_paren_on_line(p, at);
    p->l.quiet = s.l.quiet;
    if (ok) {
        NodeId id = parse_async_paren(p, pos, 0, true, flags);
        if (!p->l.dead && id && KIND(p, id) == NODE_ARROW) return id;
        if (p->l.dead) return 0;
    }
    rewind_to(p, &s);
    *id_map_put(p->arena, &p->not_arrow, (u64)at + 1, NULL) = 1;
    return 0;
}

static NodeId parse_async(Parser *p, u32 flags)
{
    u32 pos = POS(p);
    bool may_arrow = p->arrow_at == pos + 1;
    Lexer before = p->l;
    lex_next(&p->l);
    if (!p->l.nl) {
        if (TOKEN(p) == TOK_FUNCTION) return parse_function(p, pos, true, true);
        if (may_arrow && is_name(TOKEN(p))) {
            Tok next = peek(p, NULL);
            if (next == TOK_ARROW) return parse_arrow_ident(p, pos, true, flags);
        }
        if (p->ts && may_arrow && TOKEN(p) == TOK_LT) {
            NodeId id = try_async_generic(p, pos, flags);
            if (id || p->l.dead) return id;
        }
    }
    if (TOKEN(p) == TOK_LPAREN && !(flags & E_NO_CALL)) {
        NodeId callee = node(p, NODE_IDENT, pos, WORD_ATOM(TOK_ASYNC), 0);
        return parse_async_paren(p, pos, callee, may_arrow, flags);
    }
    p->l = before;
    p->arrow_at = may_arrow ? pos + 1 : 0;
    if (may_arrow && peek(p, NULL) == TOK_ARROW) return parse_arrow_ident(p, pos, false, flags);
    return parse_ident_ref(p);
}

static NodeId parse_name(Parser *p, u32 flags)
{
    u32 pos = POS(p);
    if (p->arrow_at == pos + 1) {
        /* Look at the byte behind the name before the costlier look at the token. */
        const char *q = p->l.at;
        while (IS_CLASS(*q, CC_SPACE)) q++;
        bool maybe = (*q == '=' && q[1] == '>') || *q == '/' || *q == '\n' || *q == '\r';
        if (maybe) {
            bool nl;
            if (peek(p, &nl) == TOK_ARROW && !nl) return parse_arrow_ident(p, pos, false, flags);
        }
    }
    if (TOKEN(p) == TOK_AWAIT || (p->l.escaped && str_eq(p->l.str, S("await")))) {
        if (!p->await_name_at) p->await_name_at = pos + 1;
    }
    return parse_ident_ref(p);
}

static NodeId parse_class_expr(Parser *p)
{
    u32 pos = POS(p);
    ListId decorators = TOKEN(p) == TOK_AT ? parse_decorators(p) : 0;
    if (TOKEN(p) != TOK_CLASS) return expected(p, "\"class\"");
    return parse_class(p, pos, true, decorators);
}

NodeId parse_primary(Parser *p, u32 flags)
{
    switch (TOKEN(p)) {
    case TOK_IDENT: return parse_name(p, flags);
    case TOK_STR: return parse_string(p);
    case TOK_NUM: return parse_number(p);
    case TOK_BIGINT: return parse_atom_token(p, NODE_BIGINT);
    case TOK_THIS: return parse_word_literal(p, NODE_THIS);
    case TOK_NULL: return parse_word_literal(p, NODE_NULL);
    case TOK_TRUE: return parse_word_literal(p, NODE_TRUE);
    case TOK_FALSE: return parse_word_literal(p, NODE_FALSE);
    case TOK_LPAREN: return parse_paren(p, flags);
    case TOK_LBRACKET: return parse_array(p);
    case TOK_LBRACE: return parse_object(p);
    case TOK_FUNCTION: return parse_function(p, POS(p), false, true);
    case TOK_AT:
    case TOK_CLASS: return parse_class_expr(p);
    case TOK_NEW: return parse_new(p);
    case TOK_SUPER: return parse_super(p);
    case TOK_IMPORT: return parse_import_expr(p, flags);
    case TOK_TEMPLATE:
    case TOK_TEMPLATE_HEAD: return parse_template(p, false);
    case TOK_SLASH:
    case TOK_ASSIGN_DIV: return parse_regexp(p);
    case TOK_LT:
        if (!p->jsx) return unexpected(p);
        if (p->ts && is_tsx_arrow(p)) return parse_angle(p, flags);
        return parse_jsx(p);
    case TOK_ASYNC: return parse_async(p, flags);
    default:
        if (is_name(TOKEN(p))) return parse_name(p, flags);
        return unexpected(p);
    }
}
