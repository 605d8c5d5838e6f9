/* syntax/build.h -- making nodes in lowering passes (private to syntax). */
#pragma once

#include "syntax/lower.h"

static inline NodeId mk(Ast *t, NodeKind kind, u32 pos, u32 a, u32 b)
{
    return ast_add(t, (Node){.kind = (u8)kind, .pos = pos, .a = a, .b = b});
}

static inline NodeId mk_op(Ast *t, NodeKind kind, Tok op, u32 pos, u32 a, u32 b)
{
    return ast_add(t, (Node){.kind = (u8)kind, .op = (u8)op, .pos = pos, .a = a, .b = b});
}

static inline NodeId mk_ident(Ast *t, u32 pos, Atom name)
{
    return mk(t, NODE_IDENT, pos, name, 0);
}

static inline NodeId mk_str(Ast *t, u32 pos, Atom text)
{
    return mk(t, NODE_STR, pos, text, 0);
}

static inline NodeId mk_num(Ast *t, u32 pos, f64 value)
{
    u64 bits;
    __builtin_memcpy(&bits, &value, sizeof(bits));
    return mk(t, NODE_NUM, pos, (u32)bits, (u32)(bits >> 32));
}

static inline NodeId mk_dot(Ast *t, u32 pos, NodeId object, Atom name)
{
    return ast_add(t, (Node){.kind = NODE_DOT, .pos = pos, .a = object, .b = name, .c = pos});
}

static inline NodeId mk_assign(Ast *t, u32 pos, NodeId target, NodeId value)
{
    return mk_op(t, NODE_ASSIGN, TOK_ASSIGN, pos, target, value);
}

static inline NodeId mk_call(Ast *t, u32 pos, NodeId callee, const u32 *args, u32 n)
{
    return mk(t, NODE_CALL, pos, callee, ast_list(t, args, n));
}

static inline NodeId mk_stmt(Ast *t, NodeId expr)
{
    return mk(t, NODE_EXPR_STMT, ast_node(t, expr)->pos, expr, 0);
}

/* kind name = init; init may be 0. */
static inline NodeId mk_var(Ast *t, u32 pos, VarKind kind, Atom name, NodeId init)
{
    NodeId decl = mk(t, NODE_DECLARATOR, pos, mk_ident(t, pos, name), init);
    NodeId var = mk(t, NODE_VAR, pos, ast_list(t, &decl, 1), 0);
    ast_node(t, var)->op = (u8)kind;
    return var;
}

/* ((param) => { body })(arg) */
static inline NodeId mk_iife(Ast *t, u32 pos, Atom param, ListId body, NodeId arg)
{
    NodeId p = mk_ident(t, pos, param);
    NodeId fn =
        ast_add(t, (Node){.kind = NODE_ARROW, .pos = pos, .b = ast_list(t, &p, 1), .c = body});
    return mk_call(t, pos, fn, &arg, 1);
}

/* name || (name = {}) */
static inline NodeId mk_or_object(Ast *t, u32 pos, NodeId test, NodeId target)
{
    NodeId object = mk(t, NODE_OBJECT, pos, 0, 0);
    return mk_op(t, NODE_BINARY, TOK_OR_OR, pos, test, mk_assign(t, pos, target, object));
}
