/* syntax/parse_type.c -- TypeScript types.  They are checked and skipped: no nodes are made. */
#include "syntax/edits.h"
#include "syntax/parser.h"

static void skip_union(Parser *p);
static void skip_fn_params(Parser *p);

/* Closes type arguments: takes the first `>` of >, >>, >=, ... */
static void expect_gt(Parser *p)
{
    switch (TOKEN(p)) {
    case TOK_SHR:
    case TOK_USHR:
    case TOK_GE:
    case TOK_ASSIGN_SHR:
    case TOK_ASSIGN_USHR: lex_split_gt(&p->l); break;
    default: break;
    }
    expect(p, TOK_GT);
}

/* Leaves the closing `>` as the current token. */
static void skip_type_arg_list(Parser *p)
{
    u32 pos = POS(p);
    p->type_depth++;
    if (p->not_type_args.len && p->l.quiet && id_map_find(&p->not_type_args, (u64)pos + 1)) {
        unexpected(p);
        p->type_depth--;
        return;
    }
    if (TOKEN(p) == TOK_SHL) lex_split_lt(&p->l);
    expect(p, TOK_LT);
    u32 ctx = p->ctx;
    p->ctx &= ~(u32)CTX_NO_CONDITIONAL_TYPE;
    do {
        skip_type(p);
    } while (take(p, TOK_COMMA));
    p->ctx = ctx;
    bool closes = TOKEN(p) == TOK_GT || TOKEN(p) == TOK_SHR || TOKEN(p) == TOK_USHR ||
                  TOKEN(p) == TOK_GE || TOKEN(p) == TOK_ASSIGN_SHR || TOKEN(p) == TOK_ASSIGN_USHR;
    if (!closes) expected(p, "\">\"");
    p->type_depth--;
    if (p->l.dead && p->l.quiet) *id_map_put(p->arena, &p->not_type_args, (u64)pos + 1, NULL) = 1;
}

void skip_type_args(Parser *p)
{
    u32 pos = POS(p);
    skip_type_arg_list(p);
    expect_gt(p);
    erase(p, pos, p->l.prev_end);
}

static bool is_expr_start(Parser *p)
{
    Tok t = TOKEN(p);
    switch (t) {
    case TOK_THIS:
    case TOK_SUPER:
    case TOK_NULL:
    case TOK_TRUE:
    case TOK_FALSE:
    case TOK_NUM:
    case TOK_BIGINT:
    case TOK_STR:
    case TOK_TEMPLATE:
    case TOK_TEMPLATE_HEAD:
    case TOK_LPAREN:
    case TOK_LBRACKET:
    case TOK_LBRACE:
    case TOK_FUNCTION:
    case TOK_CLASS:
    case TOK_NEW:
    case TOK_SLASH:
    case TOK_ASSIGN_DIV:
    case TOK_PLUS:
    case TOK_MINUS:
    case TOK_TILDE:
    case TOK_NOT:
    case TOK_DELETE:
    case TOK_TYPEOF:
    case TOK_VOID:
    case TOK_INC:
    case TOK_DEC:
    case TOK_LT:
    case TOK_PRIVATE:
    case TOK_AT:
    case TOK_IMPORT: return true;
    default: return is_name(t) && t != TOK_AS && t != TOK_SATISFIES;
    }
}

static bool is_binary_operator(Tok t)
{
    return (t >= TOK_LT && t <= TOK_NULLISH) || t == TOK_IN || t == TOK_INSTANCEOF || t == TOK_AS ||
           t == TOK_SATISFIES;
}

/* Behind `>`: were these type arguments? */
static bool can_follow_type_args(Parser *p)
{
    switch (TOKEN(p)) {
    case TOK_LPAREN:
    case TOK_TEMPLATE:
    case TOK_TEMPLATE_HEAD: return true;
    case TOK_LT:
    case TOK_GT:
    case TOK_PLUS:
    case TOK_MINUS: return false;
    default: return p->l.nl || is_binary_operator(TOKEN(p)) || !is_expr_start(p);
    }
}

bool try_type_args(Parser *p)
{
    u32 pos = POS(p);
    if (p->not_type_args.len && id_map_find(&p->not_type_args, (u64)pos + 1)) return false;
    Snapshot s = snapshot(p);
    p->l.quiet = true;
    skip_type_arg_list(p);
    bool ok = !p->l.dead && TOKEN(p) == TOK_GT;
    if (ok) {
        lex_next(&p->l);
        ok = !p->l.dead && can_follow_type_args(p);
    }
    p->l.quiet = s.l.quiet;
    if (ok) {
        erase(p, pos, p->l.prev_end);
        return true;
    }
    rewind_to(p, &s);
    *id_map_put(p->arena, &p->not_type_args, (u64)pos + 1, NULL) = 1;
    return false;
}

void skip_type_params(Parser *p)
{
    if (!enter(p)) return;
    u32 ctx = p->ctx, pos = POS(p);
    p->ctx &= ~(u32)CTX_NO_CONDITIONAL_TYPE;
    p->type_depth++;
    expect(p, TOK_LT);
    do {
        if (TOKEN(p) == TOK_GT) break;
        while (TOKEN(p) == TOK_CONST || TOKEN(p) == TOK_IN || TOKEN(p) == TOK_OUT) {
            if (TOKEN(p) == TOK_OUT) {
                Tok next = peek(p, NULL);
                if (!is_word(next) || next == TOK_EXTENDS) break;
            }
            lex_next(&p->l);
        }
        if (!is_name(TOKEN(p))) {
            expected(p, "a type parameter");
            break;
        }
        lex_next(&p->l);
        if (take(p, TOK_EXTENDS)) skip_type(p);
        if (take(p, TOK_ASSIGN)) skip_type(p);
    } while (take(p, TOK_COMMA));
    if (p->l.prev_end && TOKEN(p) == TOK_GT && p->l.src[p->l.prev_end - 1] == '<') {
        expected(p, "a type parameter");
    }
    p->ctx = ctx;
    expect_gt(p);
    p->type_depth--;
    erase(p, pos, p->l.prev_end);
    leave(p);
}

/* The colon was taken: a type, `x is T`, `asserts x`, `asserts x is T`. */
static void skip_predicate_type(Parser *p);

bool skip_annotation(Parser *p)
{
    if (!take(p, TOK_COLON)) return false;
    u32 ctx = p->ctx;
    p->ctx &= ~(u32)CTX_NO_CONDITIONAL_TYPE;
    skip_return_type(p); /* `this is T` also stands here */
    p->ctx = ctx;
    return true;
}

/* The colon was taken: a type, `x is T`, `asserts x`, `asserts x is T`. */
void skip_return_type(Parser *p)
{
    u32 colon = p->l.prev_end - 1;
    p->type_depth++;
    skip_predicate_type(p);
    p->type_depth--;
    erase(p, colon, p->l.prev_end);
}

static void skip_predicate_type(Parser *p)
{
    if (UNLIKELY(TOKEN(p) == TOK_ASSERTS)) {
        bool nl;
        Tok next = peek(p, &nl);
        if (!nl && ((is_name(next) && next != TOK_IS) || next == TOK_THIS)) {
            lex_next(&p->l);
            lex_next(&p->l);
            if (TOKEN(p) == TOK_IS && !p->l.nl) {
                lex_next(&p->l);
                skip_type(p);
            }
            return;
        }
    }
    if ((is_name(TOKEN(p)) || TOKEN(p) == TOK_THIS) && lex_may_be_word(&p->l, 'i')) {
        bool nl;
        if (peek(p, &nl) == TOK_IS && !nl) {
            lex_next(&p->l);
            lex_next(&p->l);
        }
    }
    skip_type(p);
}

/* ---- Function types ---- */

static void skip_binding_pattern(Parser *p)
{
    u32 n_nodes = p->ast->n_nodes, n_extra = p->ast->n_extra;
    (void)parse_binding(p);
    p->ast->n_nodes = n_nodes;
    p->ast->n_extra = n_extra;
}

static void skip_fn_param(Parser *p)
{
    if (TOKEN(p) == TOK_AT) {
        unexpected(p);
        return;
    }
    while ((TOKEN(p) == TOK_PUBLIC || TOKEN(p) == TOK_PRIVATE_WORD || TOKEN(p) == TOK_PROTECTED ||
            TOKEN(p) == TOK_READONLY) &&
           is_name(peek(p, NULL))) {
        lex_next(&p->l);
    }
    take(p, TOK_ELLIPSIS);
    if (TOKEN(p) == TOK_THIS || is_name(TOKEN(p)))
        lex_next(&p->l);
    else
        skip_binding_pattern(p);
    take(p, TOK_QUESTION);
    skip_annotation(p);
    if (TOKEN(p) == TOK_ASSIGN) unexpected(p);
}

static void skip_fn_params(Parser *p)
{
    expect(p, TOK_LPAREN);
    while (TOKEN(p) != TOK_RPAREN && TOKEN(p) != TOK_EOF) {
        skip_fn_param(p);
        if (TOKEN(p) != TOK_RPAREN && !expect(p, TOK_COMMA)) break;
    }
    expect(p, TOK_RPAREN);
}

static bool is_fn_param_end(Tok t)
{
    return t == TOK_COLON || t == TOK_COMMA || t == TOK_QUESTION || t == TOK_ASSIGN;
}

/* Behind the first parameter of what may be a function type. */
static bool is_fn_type_rest(Parser *p)
{
    if (is_fn_param_end(TOKEN(p))) return true;
    if (TOKEN(p) != TOK_RPAREN) return false;
    lex_next(&p->l);
    return TOKEN(p) == TOK_ARROW;
}

/* At the first token behind `(`, a bracket.  The caller goes back. */
static bool is_fn_type_pattern(Parser *p)
{
    Snapshot s = snapshot(p);
    skip_binding_pattern(p);
    bool is_fn = !p->l.dead && is_fn_type_rest(p);
    rewind_to(p, &s);
    return is_fn;
}

/* At `(`: does a function type start here, or a type in parentheses? */
static bool is_fn_type(Parser *p)
{
    if (lex_near(&p->l) == TOK_RPAREN) return true;
    Lexer saved = p->l;
    p->l.quiet = true;
    lex_next(&p->l);
    Tok t = TOKEN(p);
    bool is_fn = t == TOK_RPAREN || t == TOK_ELLIPSIS;
    if (is_name(t) || t == TOK_THIS) {
        bool modifier =
            t == TOK_PUBLIC || t == TOK_PRIVATE_WORD || t == TOK_PROTECTED || t == TOK_READONLY;
        lex_next(&p->l);
        if (modifier && is_name(TOKEN(p))) lex_next(&p->l);
        is_fn = is_fn_type_rest(p);
    } else if (t == TOK_LBRACE || t == TOK_LBRACKET) {
        is_fn = is_fn_type_pattern(p);
    }
    p->l = saved;
    return is_fn;
}

/* From the type parameters or `(`. */
static void skip_fn_type(Parser *p)
{
    if (TOKEN(p) == TOK_LT) skip_type_params(p);
    skip_fn_params(p);
    if (!expect(p, TOK_ARROW)) return;
    u32 ctx = p->ctx;
    p->ctx &= ~(u32)CTX_NO_CONDITIONAL_TYPE;
    skip_return_type(p);
    p->ctx = ctx;
}

/* ---- Object types ---- */

static void skip_signature(Parser *p)
{
    if (TOKEN(p) == TOK_LT) skip_type_params(p);
    skip_fn_params(p);
    if (take(p, TOK_COLON)) skip_return_type(p);
}

/* `[`: index signature, mapped type or computed name. */
static void skip_bracket_member(Parser *p)
{
    Lexer saved = p->l;
    p->l.quiet = true;
    lex_next(&p->l);
    Tok after = TOK_EOF;
    if (is_name(TOKEN(p))) {
        lex_next(&p->l);
        after = TOKEN(p);
    }
    p->l = saved;
    lex_next(&p->l);
    if (after == TOK_COLON) {
        lex_next(&p->l);
        skip_annotation(p);
    } else if (after == TOK_IN) {
        lex_next(&p->l);
        lex_next(&p->l);
        skip_type(p);
        if (take(p, TOK_AS)) skip_type(p);
    } else {
        u32 n_nodes = p->ast->n_nodes, n_extra = p->ast->n_extra;
        (void)parse_expr(p, 0);
        p->ast->n_nodes = n_nodes;
        p->ast->n_extra = n_extra;
    }
    expect(p, TOK_RBRACKET);
    if (TOKEN(p) == TOK_PLUS || TOKEN(p) == TOK_MINUS) {
        lex_next(&p->l);
        if (TOKEN(p) != TOK_QUESTION) expected(p, "\"?\"");
    }
}

/* TypeScript's parser takes all modifiers here and leaves most of them to its checker. */
static bool is_member_modifier(Tok t)
{
    switch (t) {
    case TOK_GET:
    case TOK_SET:
    case TOK_READONLY:
    case TOK_PUBLIC:
    case TOK_PRIVATE_WORD:
    case TOK_PROTECTED:
    case TOK_STATIC:
    case TOK_ABSTRACT:
    case TOK_OVERRIDE:
    case TOK_DECLARE: return true;
    default: return false;
    }
}

/* get, set, readonly before a name. */
static void skip_member_modifiers(Parser *p)
{
    if (TOKEN(p) == TOK_PLUS || TOKEN(p) == TOK_MINUS) {
        lex_next(&p->l);
        if (TOKEN(p) != TOK_READONLY) expected(p, "\"readonly\"");
        lex_next(&p->l);
        return;
    }
    while (is_member_modifier(TOKEN(p))) {
        bool nl;
        Tok next = peek(p, &nl);
        if (!is_key_start(next) || next == TOK_PRIVATE ||
            (nl && TOKEN(p) != TOK_GET && TOKEN(p) != TOK_SET)) {
            return;
        }
        lex_next(&p->l);
    }
}

static void skip_member(Parser *p)
{
    if (TOKEN(p) == TOK_LPAREN || TOKEN(p) == TOK_LT) {
        skip_signature(p);
        return;
    }
    if (TOKEN(p) == TOK_NEW) {
        Tok next = peek(p, NULL);
        if (next == TOK_LPAREN || next == TOK_LT) {
            lex_next(&p->l);
            skip_signature(p);
            return;
        }
    }
    skip_member_modifiers(p);
    if (TOKEN(p) == TOK_LBRACKET)
        skip_bracket_member(p);
    else if (is_word(TOKEN(p)) || TOKEN(p) == TOK_STR || TOKEN(p) == TOK_NUM ||
             TOKEN(p) == TOK_BIGINT)
        lex_next(&p->l);
    else
        expected(p, "a property name");
    take(p, TOK_QUESTION);
    if (TOKEN(p) == TOK_LPAREN || TOKEN(p) == TOK_LT)
        skip_signature(p);
    else
        skip_annotation(p);
}

/* `{ ... }` of an interface or an object type. */
void skip_type_members(Parser *p)
{
    if (!enter(p)) return;
    p->type_depth++;
    u32 ctx = p->ctx;
    p->ctx &= ~(u32)CTX_NO_CONDITIONAL_TYPE;
    expect(p, TOK_LBRACE);
    while (TOKEN(p) != TOK_RBRACE && TOKEN(p) != TOK_EOF) {
        skip_member(p);
        if (take(p, TOK_COMMA) || take(p, TOK_SEMI)) continue;
        if (TOKEN(p) != TOK_RBRACE && !p->l.nl) expected(p, "\";\"");
    }
    expect(p, TOK_RBRACE);
    p->ctx = ctx;
    p->type_depth--;
    leave(p);
}

static void skip_tuple_member(Parser *p)
{
    bool labeled = false;
    take(p, TOK_ELLIPSIS);
    if (is_word(TOKEN(p))) {
        Lexer saved = p->l;
        p->l.quiet = true;
        lex_next(&p->l);
        take(p, TOK_QUESTION);
        labeled = TOKEN(p) == TOK_COLON;
        p->l = saved;
        if (labeled) {
            lex_next(&p->l);
            take(p, TOK_QUESTION);
            lex_next(&p->l);
        }
    }
    skip_type(p);
    if (labeled && TOKEN(p) == TOK_QUESTION) expected(p, "\"]\"");
    take(p, TOK_QUESTION);
}

static void skip_tuple(Parser *p)
{
    u32 ctx = p->ctx;
    p->ctx &= ~(u32)CTX_NO_CONDITIONAL_TYPE;
    lex_next(&p->l);
    while (TOKEN(p) != TOK_RBRACKET && TOKEN(p) != TOK_EOF) {
        skip_tuple_member(p);
        if (TOKEN(p) != TOK_RBRACKET && !expect(p, TOK_COMMA)) break;
    }
    expect(p, TOK_RBRACKET);
    p->ctx = ctx;
}

/* ---- Primary types ---- */

static void skip_template_type(Parser *p)
{
    for (;;) {
        Tok t = TOKEN(p);
        lex_next(&p->l);
        if (t == TOK_TEMPLATE || t == TOK_TEMPLATE_TAIL || p->l.dead) return;
        skip_type(p);
        if (TOKEN(p) != TOK_RBRACE) {
            expected(p, "\"}\"");
            return;
        }
        lex_template(&p->l);
    }
}

/* .b.c<T> */
static void skip_entity_rest(Parser *p)
{
    while (TOKEN(p) == TOK_DOT) {
        lex_next(&p->l);
        if (!is_word(TOKEN(p)) && TOKEN(p) != TOK_PRIVATE) {
            expected(p, "an identifier");
            return;
        }
        lex_next(&p->l);
    }
    if (!p->l.nl && (TOKEN(p) == TOK_LT || TOKEN(p) == TOK_SHL)) skip_type_args(p);
}

static void skip_import_type(Parser *p)
{
    lex_next(&p->l);
    expect(p, TOK_LPAREN);
    if (TOKEN(p) != TOK_STR) expected(p, "a string");
    skip_type(p);
    if (take(p, TOK_COMMA)) {
        if (TOKEN(p) != TOK_LBRACE) expected(p, "\"{\"");
        u32 n_nodes = p->ast->n_nodes, n_extra = p->ast->n_extra;
        (void)parse_object(p);
        p->ast->n_nodes = n_nodes;
        p->ast->n_extra = n_extra;
        take(p, TOK_COMMA);
    }
    expect(p, TOK_RPAREN);
    skip_entity_rest(p);
}

static void skip_typeof(Parser *p)
{
    lex_next(&p->l);
    if (TOKEN(p) == TOK_IMPORT) {
        skip_import_type(p);
        return;
    }
    if (!is_name(TOKEN(p)) && TOKEN(p) != TOK_THIS) {
        expected(p, "an identifier");
        return;
    }
    lex_next(&p->l);
    skip_entity_rest(p);
}

static void skip_infer(Parser *p)
{
    lex_next(&p->l);
    if (!is_name(TOKEN(p))) {
        expected(p, "an identifier");
        return;
    }
    lex_next(&p->l);
    if (TOKEN(p) != TOK_EXTENDS) return;
    /* A constraint, unless it is the condition of a conditional type after all. */
    Snapshot s = snapshot(p);
    p->l.quiet = true;
    lex_next(&p->l);
    p->ctx |= CTX_NO_CONDITIONAL_TYPE;
    skip_type(p);
    bool ok = !p->l.dead && ((s.ctx & CTX_NO_CONDITIONAL_TYPE) || TOKEN(p) != TOK_QUESTION);
    if (!ok) {
        rewind_to(p, &s);
        return;
    }
    p->ctx = s.ctx;
    p->l.quiet = s.l.quiet;
}

static void skip_paren_type(Parser *p)
{
    u32 ctx = p->ctx;
    p->ctx &= ~(u32)CTX_NO_CONDITIONAL_TYPE;
    lex_next(&p->l);
    skip_type(p);
    expect(p, TOK_RPAREN);
    p->ctx = ctx;
}

static void skip_name_type(Parser *p)
{
    lex_next(&p->l);
    skip_entity_rest(p);
}

static void skip_primary_type(Parser *p)
{
    switch (TOKEN(p)) {
    case TOK_STR:
    case TOK_NUM:
    case TOK_BIGINT:
    case TOK_TRUE:
    case TOK_FALSE:
    case TOK_NULL:
    case TOK_VOID:
    case TOK_THIS: lex_next(&p->l); return;
    case TOK_MINUS:
        lex_next(&p->l);
        if (TOKEN(p) != TOK_NUM && TOKEN(p) != TOK_BIGINT) expected(p, "a number");
        lex_next(&p->l);
        return;
    case TOK_TEMPLATE:
    case TOK_TEMPLATE_HEAD: skip_template_type(p); return;
    case TOK_TYPEOF: skip_typeof(p); return;
    case TOK_IMPORT: skip_import_type(p); return;
    case TOK_LBRACE: skip_type_members(p); return;
    case TOK_LBRACKET: skip_tuple(p); return;
    case TOK_LPAREN: skip_paren_type(p); return;
    default:
        if (is_name(TOKEN(p)))
            skip_name_type(p);
        else
            expected(p, "a type");
    }
}

/* keyof, unique, readonly, infer: operators unless the next token shows that they are names. */
static bool is_type_operator(Parser *p)
{
    bool nl;
    Tok next = peek(p, &nl);
    if (TOKEN(p) == TOK_INFER) return is_name(next) && !nl;
    return is_word(next) || next == TOK_LBRACE || next == TOK_LBRACKET || next == TOK_LPAREN ||
           next == TOK_STR || next == TOK_NUM || next == TOK_TEMPLATE || next == TOK_TEMPLATE_HEAD;
}

/* T[] and T[K] */
static void skip_index_rest(Parser *p)
{
    while (TOKEN(p) == TOK_LBRACKET && !p->l.nl) {
        u32 ctx = p->ctx;
        p->ctx &= ~(u32)CTX_NO_CONDITIONAL_TYPE;
        lex_next(&p->l);
        if (TOKEN(p) != TOK_RBRACKET) skip_type(p);
        expect(p, TOK_RBRACKET);
        p->ctx = ctx;
    }
}

static void skip_postfix_type(Parser *p)
{
    if (!enter(p)) return;
    Tok t = TOKEN(p);
    if ((t == TOK_KEYOF || t == TOK_UNIQUE || t == TOK_READONLY) && is_type_operator(p) &&
        !(peek(p, NULL) == TOK_EXTENDS)) {
        lex_next(&p->l);
        skip_postfix_type(p);
        leave(p);
        return;
    }
    if (t == TOK_INFER && is_type_operator(p)) {
        skip_infer(p);
        leave(p);
        return;
    }
    skip_primary_type(p);
    skip_index_rest(p);
    leave(p);
}

static void skip_union_rest(Parser *p)
{
    while (take(p, TOK_OR) || take(p, TOK_AND)) skip_postfix_type(p);
}

/* A | B & C, with leading operators. */
static void skip_union(Parser *p)
{
    if (TOKEN(p) == TOK_OR || TOKEN(p) == TOK_AND) lex_next(&p->l);
    if (TOKEN(p) == TOK_AND) lex_next(&p->l);
    skip_postfix_type(p);
    skip_union_rest(p);
}

static bool skip_whole_fn_type(Parser *p)
{
    Tok t = TOKEN(p);
    if (t == TOK_ABSTRACT && peek(p, NULL) == TOK_NEW) {
        lex_next(&p->l);
        t = TOKEN(p);
    }
    if (t == TOK_NEW) {
        lex_next(&p->l);
        skip_fn_type(p);
        return true;
    }
    if (t == TOK_LT || (t == TOK_LPAREN && is_fn_type(p))) {
        skip_fn_type(p);
        return true;
    }
    return false;
}

/* May the token continue a type whose first token was a name? */
static bool continues_type(Tok t)
{
    return t == TOK_DOT || t == TOK_LT || t == TOK_SHL || t == TOK_LBRACKET || t == TOK_OR ||
           t == TOK_AND || t == TOK_EXTENDS;
}

/* Chains of conditional types are a loop. */
void skip_type(Parser *p)
{
    bool named = TOKEN(p) == TOK_IDENT;
    bool closed = named && lex_plain_type(&p->l);
    if (named) {
        lex_next(&p->l);
        if (!continues_type(TOKEN(p))) return;
    }
    if (!enter(p)) return;
    p->type_depth++;
    for (;; named = false) {
        if (named) {
            if (!closed) skip_entity_rest(p);
            skip_index_rest(p);
            skip_union_rest(p);
        } else {
            if (skip_whole_fn_type(p)) break;
            skip_union(p);
        }
        if (TOKEN(p) != TOK_EXTENDS || p->l.nl || has_ctx(p, CTX_NO_CONDITIONAL_TYPE)) break;
        lex_next(&p->l);
        u32 ctx = p->ctx;
        p->ctx |= CTX_NO_CONDITIONAL_TYPE;
        skip_type(p);
        p->ctx = ctx;
        if (!expect(p, TOK_QUESTION)) break;
        skip_type(p);
        if (!expect(p, TOK_COLON)) break;
    }
    p->type_depth--;
    leave(p);
}

bool skip_implements(Parser *p)
{
    u32 pos = POS(p);
    lex_next(&p->l);
    p->type_depth++;
    do {
        if (!is_name(TOKEN(p)) && TOKEN(p) != TOK_THIS) {
            expected(p, "a type");
            break;
        }
        skip_name_type(p);
    } while (take(p, TOK_COMMA));
    p->type_depth--;
    erase(p, pos, p->l.prev_end);
    return !p->l.dead;
}

bool is_arrow_return_type(Parser *p)
{
    u32 pos = POS(p);
    if (p->not_arrow.len && id_map_find(&p->not_arrow, (u64)pos + 1)) return false;
    Snapshot s = snapshot(p);
    p->l.quiet = true;
    lex_next(&p->l);
    skip_return_type(p);
    bool ok = !p->l.dead && TOKEN(p) == TOK_ARROW && !p->l.nl;
    rewind_to(p, &s);
    if (!ok) *id_map_put(p->arena, &p->not_arrow, (u64)pos + 1, NULL) = 1;
    return ok;
}
