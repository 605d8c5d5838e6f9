/* syntax/parse_pattern.c -- binding patterns, and expressions that turn out to be patterns. */
#include "syntax/edits.h"
#include "syntax/parser.h"

static const char invalid_target[] = "Invalid assignment target";
static const char invalid_binding[] = "Invalid binding pattern";

/* Does a link of this chain carry `?.` (outside parentheses)? */
static bool is_optional_chain(Parser *p, NodeId id)
{
    for (bool first = true;; first = false) {
        const Node *n = ast_node(p->ast, id);
        if (!first && (n->flags & NF_PAREN)) return false;
        switch (n->kind) {
        case NODE_DOT:
        case NODE_DOT_PRIVATE:
        case NODE_INDEX:
        case NODE_CALL:
            if (n->flags & NF_OPTIONAL) return true;
            id = n->a;
            continue;
        default: return false;
        }
    }
}

/* Web reality: in sloppy code a call may be assigned to, and that fails at run time. */
static bool is_call_target(Parser *p, NodeId id)
{
    const Node *n = ast_node(p->ast, id);
    Tok op = TOKEN(p);
    bool logical = op == TOK_ASSIGN_AND_AND || op == TOK_ASSIGN_OR_OR || op == TOK_ASSIGN_NULLISH;
    if (logical || KIND(p, n->a) == NODE_SUPER || is_optional_chain(p, id)) return false;
    strict_error(p, n->pos, 1, invalid_target);
    return true;
}

bool check_simple_target(Parser *p, NodeId id)
{
    if (p->l.dead) return false;
    const Node *n = ast_node(p->ast, id);
    switch (n->kind) {
    case NODE_IDENT:
        check_strict_target(p, n->a, n->pos);
        note_name(p, n->a, NAME_ASSIGNED);
        return true;
    case NODE_DOT:
    case NODE_DOT_PRIVATE:
    case NODE_INDEX:
        if (!is_optional_chain(p, id)) return true;
        break;
    case NODE_CALL:
        if (is_call_target(p, id)) return true;
        break;
    default: break;
    }
    node_error(p, id, invalid_target);
    return false;
}

static void convert_rest(Parser *p, NodeId id, bool binding, bool simple)
{
    NodeId target = ast_node(p->ast, id)->a;
    ast_node(p->ast, id)->kind = NODE_REST;
    NodeKind kind = KIND(p, target);
    if (kind == NODE_ASSIGN) {
        node_error(p, target, "A rest element cannot have a default");
        return;
    }
    if (simple && (kind == NODE_ARRAY || kind == NODE_OBJECT)) {
        node_error(p, target, "The rest of an object cannot be a pattern");
        return;
    }
    to_pattern(p, target, binding);
}

static void convert_array(Parser *p, NodeId id, bool binding)
{
    Node *n = ast_node(p->ast, id);
    n->kind = NODE_ARRAY_PAT;
    bool comma = n->flags & NF_TRAILING_COMMA;
    ListId list = n->a;
    u32 len = ast_len(p->ast, list);
    for (u32 i = 0; i < len; i++) {
        NodeId item = ast_at(p->ast, list, i);
        NodeKind kind = KIND(p, item);
        if (kind == NODE_HOLE) continue;
        if (kind != NODE_SPREAD) {
            to_pattern(p, item, binding);
            continue;
        }
        if (i + 1 < len || comma) node_error(p, item, "A rest element must be the last one");
        convert_rest(p, item, binding, false);
    }
}

static void convert_object(Parser *p, NodeId id, bool binding)
{
    Node *n = ast_node(p->ast, id);
    n->kind = NODE_OBJECT_PAT;
    bool comma = n->flags & NF_TRAILING_COMMA;
    ListId list = n->a;
    u32 len = ast_len(p->ast, list);
    for (u32 i = 0; i < len; i++) {
        NodeId item = ast_at(p->ast, list, i);
        const Node *prop = ast_node(p->ast, item);
        if (prop->kind == NODE_SPREAD) {
            if (i + 1 < len || comma) node_error(p, item, "A rest element must be the last one");
            convert_rest(p, item, binding, true);
        } else if (prop->op == PROP_INIT || prop->op == PROP_SHORTHAND) {
            const Node *value = ast_node(p->ast, prop->b);
            if (prop->op == PROP_SHORTHAND && value->kind == NODE_ASSIGN) {
                check_strict_target(p, ast_node(p->ast, value->a)->a, value->pos);
            }
            to_pattern(p, prop->b, binding);
        } else {
            node_error(p, item, binding ? invalid_binding : invalid_target);
        }
    }
}

/* A pattern made for an assignment is now wanted as a binding: its targets must be names. */
static void recheck_binding(Parser *p, NodeId id)
{
    const Node *n = ast_node(p->ast, id);
    u32 list = n->a;
    switch (n->kind) {
    case NODE_ARRAY_PAT:
    case NODE_OBJECT_PAT:
        for (u32 i = 0; i < ast_len(p->ast, list); i++) recheck_binding(p, ast_at(p->ast, list, i));
        break;
    case NODE_PROP: recheck_binding(p, n->b); break;
    case NODE_ASSIGN_PAT:
    case NODE_REST: recheck_binding(p, n->a); break;
    case NODE_HOLE: break;
    case NODE_IDENT:
        if (n->flags & NF_PAREN) node_error(p, id, invalid_binding);
        break;
    default: node_error(p, id, invalid_binding);
    }
}

/* a = b: a target with a default.  Literals on its left were converted when `=` was read. */
static void convert_assign(Parser *p, NodeId id, bool binding)
{
    Node *n = ast_node(p->ast, id);
    n->kind = NODE_ASSIGN_PAT;
    n->op = 0;
    if (!binding) return;
    NodeId target = n->a;
    NodeKind kind = KIND(p, target);
    if (kind == NODE_ARRAY_PAT || kind == NODE_OBJECT_PAT)
        recheck_binding(p, target);
    else
        to_pattern(p, target, true);
}

NodeId to_pattern(Parser *p, NodeId id, bool binding)
{
    if (p->l.dead) return id;
    Node *n = ast_node(p->ast, id);
    bool paren = n->flags & NF_PAREN;
    const char *msg = binding ? invalid_binding : invalid_target;
    switch (n->kind) {
    case NODE_IDENT:
        if (paren && binding) node_error(p, id, msg);
        check_reserved(p, n->a, n->pos, 1, true);
        note_name(p, n->a, binding ? NAME_BOUND : NAME_ASSIGNED);
        break;
    case NODE_DOT:
    case NODE_DOT_PRIVATE:
    case NODE_INDEX:
        if (binding || is_optional_chain(p, id)) node_error(p, id, msg);
        break;
    case NODE_ARRAY:
    case NODE_OBJECT:
        if (paren) node_error(p, id, msg);
        if (n->kind == NODE_ARRAY)
            convert_array(p, id, binding);
        else
            convert_object(p, id, binding);
        break;
    case NODE_ASSIGN:
        if (paren || n->op != TOK_ASSIGN)
            node_error(p, id, msg);
        else
            convert_assign(p, id, binding);
        break;
    case NODE_SPREAD: convert_rest(p, id, binding, false); break;
    case NODE_ASSIGN_PAT:
    case NODE_ARRAY_PAT:
    case NODE_OBJECT_PAT:
        if (binding) recheck_binding(p, id);
        break;
    default: node_error(p, id, msg);
    }
    return id;
}

/* ---- Binding patterns ---- */

static NodeId parse_element(Parser *p)
{
    u32 pos = POS(p);
    NodeId target = parse_binding(p);
    if (!take(p, TOK_ASSIGN)) return target;
    return node(p, NODE_ASSIGN_PAT, pos, target, parse_assign(p, 0));
}

static NodeId parse_rest_binding(Parser *p, bool simple)
{
    u32 pos = POS(p);
    lex_next(&p->l);
    NodeId target = simple ? parse_binding_ident(p) : parse_binding(p);
    if (TOKEN(p) == TOK_COMMA) early_error(p, pos, 3, "A rest element must be the last one");
    return node(p, NODE_REST, pos, target, 0);
}

static NodeId parse_array_binding(Parser *p)
{
    u32 pos = POS(p), mark = list_begin(p);
    lex_next(&p->l);
    while (TOKEN(p) != TOK_RBRACKET && TOKEN(p) != TOK_EOF) {
        if (TOKEN(p) == TOK_COMMA) {
            list_push(p, node(p, NODE_HOLE, POS(p), 0, 0));
            lex_next(&p->l);
            continue;
        }
        if (TOKEN(p) == TOK_ELLIPSIS)
            list_push(p, parse_rest_binding(p, false));
        else
            list_push(p, parse_element(p));
        if (TOKEN(p) != TOK_RBRACKET && !expect(p, TOK_COMMA)) break;
    }
    expect(p, TOK_RBRACKET);
    return node(p, NODE_ARRAY_PAT, pos, list_end(p, mark), 0);
}

static NodeId parse_binding_prop(Parser *p)
{
    if (TOKEN(p) == TOK_ELLIPSIS) return parse_rest_binding(p, true);
    u32 pos = POS(p), len = p->l.tok_end - pos;
    Tok word = TOKEN(p);
    bool computed;
    if (word == TOK_PRIVATE) return unexpected(p);
    NodeId key = parse_prop_key(p, &computed), value;
    PropKind kind = PROP_INIT;
    if (take(p, TOK_COLON)) {
        value = parse_element(p);
    } else if (is_word(word)) {
        kind = PROP_SHORTHAND;
        Atom name = ast_node(p->ast, key)->a;
        check_reserved(p, name, pos, len, true);
        note_name(p, name, NAME_BOUND);
        value = node(p, NODE_IDENT, pos, name, 0);
        if (take(p, TOK_ASSIGN)) value = node(p, NODE_ASSIGN_PAT, pos, value, parse_assign(p, 0));
    } else {
        return expected(p, "\":\"");
    }
    NodeId id = node(p, NODE_PROP, pos, key, value);
    Node *n = ast_node(p->ast, id);
    n->op = (u8)kind;
    if (computed) n->flags = NF_COMPUTED;
    return id;
}

static NodeId parse_object_binding(Parser *p)
{
    u32 pos = POS(p), mark = list_begin(p);
    lex_next(&p->l);
    while (TOKEN(p) != TOK_RBRACE && TOKEN(p) != TOK_EOF) {
        list_push(p, parse_binding_prop(p));
        if (TOKEN(p) != TOK_RBRACE && !expect(p, TOK_COMMA)) break;
    }
    expect(p, TOK_RBRACE);
    return node(p, NODE_OBJECT_PAT, pos, list_end(p, mark), 0);
}

NodeId parse_binding(Parser *p)
{
    if (TOKEN(p) != TOK_LBRACKET && TOKEN(p) != TOK_LBRACE) return parse_binding_ident(p);
    if (!enter(p)) return 0;
    NodeId id = TOKEN(p) == TOK_LBRACKET ? parse_array_binding(p) : parse_object_binding(p);
    leave(p);
    return id;
}
