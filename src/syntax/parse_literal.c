/* syntax/parse_literal.c -- array and object literals, property names. */
#include "syntax/edits.h"
#include "syntax/parser.h"

bool is_key_start(Tok t)
{
    return is_word(t) || t == TOK_STR || t == TOK_NUM || t == TOK_BIGINT || t == TOK_LBRACKET ||
           t == TOK_PRIVATE;
}

NodeId parse_array(Parser *p)
{
    u32 pos = POS(p), mark = list_begin(p);
    u16 flags = 0;
    lex_next(&p->l);
    while (TOKEN(p) != TOK_RBRACKET && TOKEN(p) != TOK_EOF) {
        u32 at = POS(p);
        if (TOKEN(p) == TOK_COMMA) {
            lex_next(&p->l);
            list_push(p, node(p, NODE_HOLE, at, 0, 0));
            continue;
        }
        bool spread = take(p, TOK_ELLIPSIS);
        NodeId item = parse_assign(p, E_COVER);
        list_push(p, spread ? node(p, NODE_SPREAD, at, item, 0) : item);
        if (TOKEN(p) == TOK_RBRACKET) break;
        if (!expect(p, TOK_COMMA)) break;
        if (spread) flags = NF_TRAILING_COMMA;
    }
    expect(p, TOK_RBRACKET);
    NodeId id = node(p, NODE_ARRAY, pos, list_end(p, mark), 0);
    ast_node(p->ast, id)->flags = flags;
    return id;
}

static NodeId parse_number_key(Parser *p)
{
    u64 bits;
    __builtin_memcpy(&bits, &p->l.num, sizeof(bits));
    Node n = {
        .kind = NODE_NUM, .pos = POS(p), .a = (u32)bits, .b = (u32)(bits >> 32), .c = p->l.tok_end};
    if (p->l.num_form >= NUM_LEGACY_OCTAL) {
        n.flags = NF_LEGACY;
        strict_error(p, POS(p), 1, "Legacy octal literals are not allowed in strict mode");
    }
    lex_next(&p->l);
    return ast_add(p->ast, n);
}

NodeId parse_prop_key(Parser *p, bool *ret_computed)
{
    u32 pos = POS(p);
    *ret_computed = false;
    NodeId id;
    switch (TOKEN(p)) {
    case TOK_STR: return parse_string(p);
    case TOK_NUM: return parse_number_key(p);
    case TOK_BIGINT:
        id = node(p, NODE_BIGINT, pos, lex_atom(&p->l), 0);
        lex_next(&p->l);
        return id;
    case TOK_LBRACKET:
        lex_next(&p->l);
        *ret_computed = true;
        id = parse_assign(p, 0);
        expect(p, TOK_RBRACKET);
        return id;
    case TOK_PRIVATE:
        id = node(p, NODE_PRIVATE_NAME, pos, lex_atom(&p->l), 0);
        lex_next(&p->l);
        return id;
    default:
        if (!is_word(TOKEN(p))) return expected(p, "a property name");
        id = node(p, NODE_IDENT, pos, lex_atom(&p->l), 0);
        lex_next(&p->l);
        return id;
    }
}

/* The current token begins a shorthand property. */
static NodeId parse_shorthand(Parser *p, u32 pos, NodeId key, u32 len)
{
    Atom name = ast_node(p->ast, key)->a;
    check_reserved(p, name, pos, len, false);
    if (name == WORD_ATOM(TOK_AWAIT) && !p->await_name_at) p->await_name_at = pos + 1;
    note_name(p, name, NAME_VALUE);
    NodeId value = node(p, NODE_IDENT, pos, name, 0);
    if (TOKEN(p) == TOK_ASSIGN) {
        if (!p->shorthand_err) p->shorthand_err = POS(p) + 1;
        lex_next(&p->l);
        NodeId init = parse_assign(p, 0);
        value = node(p, NODE_ASSIGN, pos, value, init);
        ast_node(p->ast, value)->op = TOK_ASSIGN;
    }
    NodeId id = node(p, NODE_PROP, pos, key, value);
    ast_node(p->ast, id)->op = PROP_SHORTHAND;
    return id;
}

typedef struct {
    bool async, generator, get, set;
} Modifiers;

/* `async`, `*`, `get`, `set` before a property name. */
static Modifiers parse_modifiers(Parser *p)
{
    Modifiers m = {0};
    Tok t = TOKEN(p);
    if (t == TOK_ASYNC || t == TOK_GET || t == TOK_SET) {
        bool nl;
        Tok next = peek(p, &nl);
        bool is_modifier = is_key_start(next) || (t == TOK_ASYNC && next == TOK_STAR);
        if (is_modifier && !(t == TOK_ASYNC && nl)) {
            m.async = t == TOK_ASYNC;
            m.get = t == TOK_GET;
            m.set = t == TOK_SET;
            lex_next(&p->l);
        }
    }
    if (TOKEN(p) == TOK_STAR && !m.get && !m.set) {
        m.generator = true;
        lex_next(&p->l);
    }
    return m;
}

static u32 method_ctx(Parser *p, const Modifiers *m)
{
    u32 ctx = p->ctx & ~(u32)CTX_FUNCTION_MASK;
    ctx |= CTX_FUNCTION | CTX_SUPER_PROP | CTX_NEW_TARGET;
    if (m->async) ctx |= CTX_ASYNC;
    if (m->generator) ctx |= CTX_GENERATOR;
    return ctx;
}

static NodeId finish_prop(Parser *p, u32 pos, NodeId key, NodeId value, PropKind kind,
                          bool computed)
{
    NodeId id = node(p, NODE_PROP, pos, key, value);
    Node *n = ast_node(p->ast, id);
    n->op = (u8)kind;
    if (computed) n->flags = NF_COMPUTED;
    return id;
}

static bool is_proto_key(Parser *p, NodeId key, bool computed)
{
    const Node *n = ast_node(p->ast, key);
    return !computed && (n->kind == NODE_IDENT || n->kind == NODE_STR) &&
           n->a == WORD_ATOM(TOK_PROTO);
}

static NodeId parse_prop_method(Parser *p, u32 pos, NodeId key, bool computed, const Modifiers *m)
{
    u16 flags = (u16)((m->async ? NF_ASYNC : 0) | (m->generator ? NF_GENERATOR : 0) | NF_METHOD);
    PropKind kind = m->get ? PROP_GET : m->set ? PROP_SET : PROP_METHOD;
    NodeId fn = parse_method(p, flags, method_ctx(p, m));
    const Node *f = ast_node(p->ast, fn);
    if (f->flags & NF_DECLARE) refuse(p, "a method without a body");
    u32 n_params = ast_len(p->ast, f->b);
    if (m->get && n_params) early_error(p, pos, 1, "A getter has no parameters");
    if (m->set && (n_params != 1 || KIND(p, ast_at(p->ast, f->b, 0)) == NODE_REST)) {
        early_error(p, pos, 1, "A setter has exactly one parameter");
    }
    return finish_prop(p, pos, key, fn, kind, computed);
}

static NodeId parse_prop(Parser *p, bool *has_proto)
{
    u32 pos = POS(p);
    if (take(p, TOK_ELLIPSIS)) return node(p, NODE_SPREAD, pos, parse_assign(p, E_COVER), 0);
    Modifiers m = parse_modifiers(p);
    Tok word = TOKEN(p);
    u32 key_pos = POS(p), key_len = p->l.tok_end - POS(p);
    if (word == TOK_PRIVATE) return unexpected(p);
    bool computed;
    NodeId key = parse_prop_key(p, &computed);
    bool method = TOKEN(p) == TOK_LPAREN || (p->ts && TOKEN(p) == TOK_LT);
    if (method) return parse_prop_method(p, pos, key, computed, &m);
    if (m.async || m.generator || m.get || m.set) return expected(p, "\"(\"");
    if (take(p, TOK_COLON)) {
        if (is_proto_key(p, key, computed)) {
            if (*has_proto && !p->proto_err) p->proto_err = key_pos + 1;
            *has_proto = true;
        }
        return finish_prop(p, pos, key, parse_assign(p, E_COVER), PROP_INIT, computed);
    }
    if (!is_word(word)) return expected(p, "\":\"");
    return parse_shorthand(p, key_pos, key, key_len);
}

NodeId parse_object(Parser *p)
{
    u32 pos = POS(p), mark = list_begin(p);
    bool has_proto = false;
    u16 flags = 0;
    lex_next(&p->l);
    while (TOKEN(p) != TOK_RBRACE && TOKEN(p) != TOK_EOF) {
        NodeId prop = parse_prop(p, &has_proto);
        list_push(p, prop);
        if (TOKEN(p) == TOK_RBRACE) break;
        if (!expect(p, TOK_COMMA)) break;
        if (KIND(p, prop) == NODE_SPREAD) flags = NF_TRAILING_COMMA;
    }
    expect(p, TOK_RBRACE);
    NodeId id = node(p, NODE_OBJECT, pos, list_end(p, mark), 0);
    ast_node(p->ast, id)->flags = flags;
    return id;
}
