/* syntax/parse_jsx.c -- JSX elements, fragments, attributes and children. */
#include "syntax/edits.h"
#include "syntax/parser.h"

static NodeId parse_element(Parser *p, bool nested);

/* A name in a tag; the token behind it is read as inside a tag. */
static NodeId parse_jsx_name(Parser *p)
{
    u32 pos = POS(p);
    if (TOKEN(p) != TOK_IDENT) return expected(p, "a tag name");
    const char *start = p->l.src + pos;
    Str first = p->l.str;
    Atom name = lex_atom(&p->l);
    lex_jsx_next(&p->l);
    if (TOKEN(p) == TOK_COLON) {
        lex_jsx_next(&p->l);
        if (TOKEN(p) != TOK_IDENT) return expected(p, "a name");
        Str whole = {start, (usize)(p->l.src + p->l.tok_end - start)};
        lex_jsx_next(&p->l);
        return node(p, NODE_JSX_NAME, pos, intern(p->l.atoms, whole), 0);
    }
    bool has_dash = str_find(first, '-') >= 0;
    bool is_tag = first.p[0] >= 'a' && first.p[0] <= 'z';
    bool is_this = name == WORD_ATOM(TOK_THIS);
    if (TOKEN(p) != TOK_DOT && (is_tag || has_dash) && !is_this) {
        return node(p, NODE_JSX_NAME, pos, name, 0);
    }
    if (has_dash) return lex_error(&p->l, pos, 1, "A \"-\" is not allowed in this tag name");
    NodeId id = node(p, is_this ? NODE_THIS : NODE_IDENT, pos, is_this ? 0 : name, 0);
    while (TOKEN(p) == TOK_DOT) {
        lex_jsx_next(&p->l);
        if (TOKEN(p) != TOK_IDENT) return expected(p, "a name");
        if (str_find(p->l.str, '-') >= 0) return unexpected(p);
        Node n = {.kind = NODE_DOT, .pos = pos, .a = id, .b = lex_atom(&p->l), .c = POS(p)};
        lex_jsx_next(&p->l);
        id = ast_add(p->ast, n);
    }
    return id;
}

static NodeId parse_attr_name(Parser *p)
{
    u32 pos = POS(p);
    if (TOKEN(p) != TOK_IDENT) return expected(p, "an attribute name");
    const char *start = p->l.src + pos;
    u32 end = p->l.tok_end;
    lex_jsx_next(&p->l);
    if (TOKEN(p) == TOK_COLON) {
        lex_jsx_next(&p->l);
        if (TOKEN(p) != TOK_IDENT) return expected(p, "a name");
        end = p->l.tok_end;
        lex_jsx_next(&p->l);
    }
    Str whole = {start, (usize)(p->l.src + end - start)};
    return node(p, NODE_JSX_NAME, pos, intern(p->l.atoms, whole), 0);
}

/* `{` is the current token; the one behind `}` is left unread. */
static NodeId parse_braced(Parser *p, bool spread_ok)
{
    u32 pos = POS(p);
    lex_next(&p->l);
    NodeId id;
    if (TOKEN(p) == TOK_ELLIPSIS && spread_ok) {
        lex_next(&p->l);
        id = node(p, NODE_JSX_SPREAD, pos, parse_assign(p, 0), 0);
    } else if (TOKEN(p) == TOK_RBRACE) {
        id = node(p, NODE_JSX_EXPR, pos, 0, 0);
    } else {
        id = node(p, NODE_JSX_EXPR, pos, parse_expr(p, 0), 0);
    }
    if (TOKEN(p) != TOK_RBRACE) return expected(p, "\"}\"");
    return id;
}

static NodeId parse_attr_value(Parser *p)
{
    lex_jsx_value(&p->l);
    u32 pos = POS(p);
    NodeId id;
    switch (TOKEN(p)) {
    case TOK_STR:
        id = node(p, NODE_JSX_STR, pos, pos + 1, p->l.tok_end - 1);
        lex_jsx_next(&p->l);
        return id;
    case TOK_LBRACE:
        id = parse_braced(p, false);
        if (p->l.dead) return 0;
        if (!ast_node(p->ast, id)->a) {
            early_error(p, pos, 1, "A JSX attribute needs a value between the braces");
        }
        lex_jsx_next(&p->l);
        return id;
    case TOK_LT:
        id = parse_element(p, true);
        if (!p->l.dead) lex_jsx_next(&p->l);
        return id;
    default: return expected(p, "a string, \"{\" or \"<\"");
    }
}

static NodeId parse_attr(Parser *p)
{
    u32 pos = POS(p);
    if (TOKEN(p) == TOK_LBRACE) {
        NodeId id = parse_braced(p, true);
        if (p->l.dead) return 0;
        const Node *n = ast_node(p->ast, id);
        if (n->kind == NODE_JSX_EXPR) {
            /* <a {x}/> is short for x={x} */
            if (!n->a || KIND(p, n->a) != NODE_IDENT) return expected(p, "\"...\"");
            NodeId name = node(p, NODE_JSX_NAME, pos, ast_node(p->ast, n->a)->a, 0);
            id = node(p, NODE_JSX_ATTR, pos, name, id);
        }
        lex_jsx_next(&p->l);
        return id;
    }
    NodeId name = parse_attr_name(p), value = 0;
    if (TOKEN(p) == TOK_ASSIGN) value = parse_attr_value(p);
    return node(p, NODE_JSX_ATTR, pos, name, value);
}

static bool same_name(Parser *p, NodeId x, NodeId y)
{
    for (;;) {
        if (!x || !y) return x == y;
        const Node *nx = ast_node(p->ast, x), *ny = ast_node(p->ast, y);
        if (nx->kind != ny->kind) return false;
        if (nx->kind != NODE_DOT) return nx->a == ny->a;
        if (nx->b != ny->b) return false;
        x = nx->a;
        y = ny->a;
    }
}

/* Up to and including `</`; the children are left on the stack. */
static void parse_children(Parser *p)
{
    for (;;) {
        lex_jsx_child(&p->l);
        u32 pos = POS(p);
        switch (TOKEN(p)) {
        case TOK_JSX_TEXT: list_push(p, node(p, NODE_JSX_TEXT, pos, pos, p->l.tok_end)); continue;
        case TOK_LBRACE: list_push(p, parse_braced(p, true)); continue;
        case TOK_LT: {
            Lexer saved = p->l;
            lex_jsx_next(&p->l);
            if (TOKEN(p) == TOK_SLASH) return;
            p->l = saved;
            list_push(p, parse_element(p, true));
            continue;
        }
        default: unexpected(p); return;
        }
    }
}

/* The element's last `>` is the current token. */
static NodeId finish_element(Parser *p, Node n, bool nested)
{
    NodeId id = ast_add(p->ast, n);
    if (TOKEN(p) != TOK_GT) return expected(p, "\">\"");
    if (!nested) lex_next(&p->l);
    leave(p);
    return id;
}

static void skip_jsx_type_args(Parser *p)
{
    skip_type_args(p);
    if (p->l.dead) return;
    /* Read the token behind `>` again, as inside a tag. */
    p->l.at = p->l.src + p->l.prev_end;
    p->l.tok_end = p->l.prev_end;
    lex_jsx_next(&p->l);
}

static NodeId parse_element(Parser *p, bool nested)
{
    if (!enter(p)) return 0;
    p->ast->has_jsx = true;
    refuse(p, "JSX");
    Node n = {.kind = NODE_JSX_ELEMENT, .pos = POS(p)};
    lex_jsx_next(&p->l); /* < */
    if (TOKEN(p) != TOK_GT) {
        n.a = parse_jsx_name(p);
        if (p->ts && (TOKEN(p) == TOK_LT || TOKEN(p) == TOK_SHL)) skip_jsx_type_args(p);
    }
    u32 mark = list_begin(p);
    while (TOKEN(p) != TOK_GT && TOKEN(p) != TOK_SLASH && TOKEN(p) != TOK_EOF && n.a) {
        list_push(p, parse_attr(p));
    }
    n.b = list_end(p, mark);
    if (TOKEN(p) == TOK_SLASH && n.a) {
        lex_jsx_next(&p->l);
        return finish_element(p, n, nested);
    }
    if (TOKEN(p) != TOK_GT) return expected(p, "\">\"");
    parse_children(p);
    n.c = list_end(p, mark);
    if (p->l.dead) return 0;
    lex_jsx_next(&p->l); /* the slash */
    u32 close = POS(p);
    NodeId name = TOKEN(p) == TOK_GT ? 0 : parse_jsx_name(p);
    if (!p->l.dead && !same_name(p, n.a, name)) {
        lex_error(&p->l, close, 1, "This closing tag does not match the opening tag");
    }
    if (p->l.dead) return 0;
    return finish_element(p, n, nested);
}

NodeId parse_jsx(Parser *p)
{
    u32 shorthand = p->shorthand_err, proto = p->proto_err;
    NodeId id = parse_element(p, false);
    p->shorthand_err = shorthand;
    p->proto_err = proto;
    /* `<a/><b/>`: two elements side by side need a parent. */
    if (!p->l.dead && TOKEN(p) == TOK_LT) {
        Tok next = peek(p, NULL);
        if (is_word(next) || next == TOK_GT) {
            return lex_error(&p->l, POS(p), 1,
                             "Elements that stand side by side need a parent, such as <>");
        }
    }
    return id;
}
