/* syntax/lower_es_decorators.c -- standard decorators (the proposal as of 2023-11) and accessor
 * fields.
 *
 * The decorator expressions are evaluated into arrays before the class.  A static block at the
 * start of the class applies those of its members, in the proposal's order: static methods and
 * accessors, those of the prototype, static fields, fields of instances.  A decorated field's value
 * goes through the functions that its decorators returned; what addInitializer collected runs right
 * behind the field, in a private field (or static block) of its own.  Class decorators are applied
 * last.
 *
 * A decorated private method is written as a public one under a symbol, so that `super` in it means
 * what it did; the static block takes it away again, and a private getter hands out what the
 * decorators made of it.
 *
 * Difference: decorators are evaluated before all computed keys. */
#include "syntax/lower_decorators.h"

static const Node *en(const DecoratorLower *l, NodeId id)
{
    return ast_node(l->ast, id);
}

typedef struct {
    DecoratorLower *l;
    NodeId class;
    Str prefix;     /* of every name made for this class */
    u32 n;          /* decorated members so far */
    Buf block[4];   /* code of the static block, by the order of application */
    NodeVec before; /* statements */
    NodeVec members;
    bool has_instance_extra;
} EsClass;

enum { STATIC_METHODS, METHODS, STATIC_FIELDS, FIELDS };

static ListId quote(DecoratorLower *l, u32 pos, const NodeId *args, const char *fmt, ...)
    PRINTF(4, 5);

static ListId quote(DecoratorLower *l, u32 pos, const NodeId *args, const char *fmt, ...)
{
    __builtin_va_list list;
    __builtin_va_start(list, fmt);
    Str text = str_vfmt(l->scratch, fmt, list);
    __builtin_va_end(list);
    return parse_quoted(l->ast, l->w->arena, pos, text, args);
}

static NodeId quote_expr(DecoratorLower *l, u32 pos, const NodeId *args, const char *text)
{
    ListId stmts = quote(l, pos, args, "(%s);", text);
    return en(l, ast_at(l->ast, stmts, 0))->a;
}

/* ---- Accessor fields ---- */

static NodeId member(Ast *t, u32 pos, PropKind kind, u16 flags, NodeId key, NodeId value)
{
    Node n = {
        .kind = NODE_MEMBER, .op = (u8)kind, .flags = flags, .pos = pos, .a = key, .b = value};
    return ast_add(t, n);
}

static NodeId private_name(DecoratorLower *l, u32 pos, Str name)
{
    return mk(l->ast, NODE_PRIVATE_NAME, pos, intern_dup(l->ast->atoms, name), 0);
}

static NodeId method(DecoratorLower *l, u32 pos, const char *text)
{
    ListId stmts = quote(l, pos, NULL, "(function%s);", text);
    NodeId fn = en(l, ast_at(l->ast, stmts, 0))->a;
    ast_node(l->ast, fn)->flags |= NF_METHOD;
    return fn;
}

/* accessor KEY = VALUE: #storage = VALUE; get KEY() {...} set KEY(v) {...}.  Appends three members.
 */
static void split_accessor(DecoratorLower *l, NodeId id, Str storage, NodeVec *out)
{
    const Node m = *en(l, id);
    u16 flags = (u16)(m.flags & (NF_STATIC | NF_COMPUTED));
    NodeId key = m.a, again = ast_add(l->ast, *en(l, key));
    if (m.flags & NF_COMPUTED) {
        Atom name = decorator_fresh(l, S("_key"));
        /* The getter's key is evaluated first and kept. */
        NodeId assign = mk_assign(l->ast, m.pos, mk_ident(l->ast, m.pos, name), key);
        vec_push(l->scratch, &l->keys, mk_var(l->ast, m.pos, VAR_VAR, name, 0));
        key = assign;
        again = mk_ident(l->ast, m.pos, name);
    }
    const char *get = str_fmt(l->scratch, "(){return this.#%.*s}%c", STR_ARG(storage), 0).p;
    const char *set = str_fmt(l->scratch, "(v){this.#%.*s=v}%c", STR_ARG(storage), 0).p;
    u16 field = (u16)(m.flags & NF_STATIC);
    NodeId hidden = private_name(l, m.pos, storage);
    vec_push(l->scratch, out, member(l->ast, m.pos, PROP_FIELD, field, hidden, m.b));
    NodeId getter = member(l->ast, m.pos, PROP_GET, flags, key, method(l, m.pos, get));
    ast_node(l->ast, getter)->c = m.c;
    vec_push(l->scratch, out, getter);
    vec_push(l->scratch, out, member(l->ast, m.pos, PROP_SET, flags, again, method(l, m.pos, set)));
}

void lower_accessors(DecoratorLower *l, NodeId class)
{
    ListId members = en(l, class)->c;
    NodeVec out = {0};
    for (u32 i = 0; i < ast_len(l->ast, members); i++) {
        NodeId id = ast_at(l->ast, members, i);
        const Node *m = en(l, id);
        bool now = m->op == PROP_ACCESSOR && (!m->c || l->w->opt->legacy_decorators);
        if (!now) {
            vec_push(l->scratch, &out, id);
            continue;
        }
        Str storage = atom_str(l->ast->atoms, decorator_fresh(l, S("_accessor")));
        split_accessor(l, id, storage, &out);
    }
    ListId list = ast_list(l->ast, out.at, out.len);
    ast_node(l->ast, class)->c = list;
}

/* ---- Members ---- */

/* The code that stands for the member's key: a literal, or a variable set by the computed key. */
static Str key_code(EsClass *c, NodeId id)
{
    DecoratorLower *l = c->l;
    const Node m = *en(l, id), key = *en(l, m.a);
    if (!(m.flags & NF_COMPUTED)) {
        NodeId value = key.kind == NODE_NUM ? mk_num(l->ast, m.pos, ast_num(&key))
                                            : mk_str(l->ast, m.pos, key.a);
        Str name = str_fmt(l->scratch, "%.*sk%u", STR_ARG(c->prefix), c->n);
        Atom atom = intern_dup(l->ast->atoms, name);
        vec_push(l->scratch, &c->before, mk_var(l->ast, m.pos, VAR_LET, atom, value));
        return name;
    }
    Atom atom = decorator_fresh(l, S("_key"));
    vec_push(l->scratch, &c->before, mk_var(l->ast, m.pos, VAR_LET, atom, 0));
    NodeId assign = mk_assign(l->ast, m.pos, mk_ident(l->ast, m.pos, atom), m.a);
    ast_node(l->ast, id)->a = assign;
    return atom_str(l->ast->atoms, atom);
}

/* let PREFIXdN = [decorators] */
static Str decorator_array(EsClass *c, u32 pos, ListId decorators)
{
    DecoratorLower *l = c->l;
    Str name = str_fmt(l->scratch, "%.*sd%u", STR_ARG(c->prefix), c->n);
    Atom atom = intern_dup(l->ast->atoms, name);
    NodeId array = mk(l->ast, NODE_ARRAY, pos, decorators, 0);
    vec_push(l->scratch, &c->before, mk_var(l->ast, pos, VAR_LET, atom, array));
    return name;
}

static void add_method(EsClass *c, NodeId id, Str decorators)
{
    const Node m = *en(c->l, id);
    bool fixed = m.flags & NF_STATIC;
    const char *kind = m.op == PROP_GET ? "getter" : m.op == PROP_SET ? "setter" : "method";
    Str key = key_code(c, id);
    buf_fmt(&c->block[fixed ? STATIC_METHODS : METHODS],
            "__cobMember(this%s,\"%s\",%.*s,%s,%.*s,%.*sm,%.*s%c);", fixed ? "" : ".prototype",
            kind, STR_ARG(key), fixed ? "true" : "false", STR_ARG(decorators), STR_ARG(c->prefix),
            STR_ARG(c->prefix), fixed ? 's' : 'i');
    c->has_instance_extra |= !fixed;
    vec_push(c->l->scratch, &c->members, id);
}

/* Behind a field: what addInitializer collected. */
static void add_after(EsClass *c, u32 pos, bool fixed, Str state)
{
    DecoratorLower *l = c->l;
    if (fixed) {
        ListId stmts = quote(l, pos, NULL, "__cobRun(this,%.*s[1]);", STR_ARG(state));
        NodeId block = mk(l->ast, NODE_BLOCK, pos, stmts, 0);
        vec_push(l->scratch, &c->members,
                 member(l->ast, pos, PROP_STATIC_BLOCK, NF_STATIC, 0, block));
        return;
    }
    Str text = str_fmt(l->scratch, "__cobRun(this,%.*s[1])%c", STR_ARG(state), 0);
    NodeId value = quote_expr(l, pos, NULL, text.p);
    NodeId name = private_name(l, pos, str_fmt(l->scratch, "%.*sx%u", STR_ARG(c->prefix), c->n));
    vec_push(l->scratch, &c->members, member(l->ast, pos, PROP_FIELD, 0, name, value));
}

/* VALUE through the functions that the decorators returned. */
static NodeId init_value(EsClass *c, u32 pos, NodeId value, Str state)
{
    DecoratorLower *l = c->l;
    NodeId args[] = {value ? value
                           : mk_op(l->ast, NODE_UNARY, TOK_VOID, pos, mk_num(l->ast, pos, 0), 0)};
    Str text = str_fmt(l->scratch, "__cobInit(this,%.*s[0],$0)%c", STR_ARG(state), 0);
    return quote_expr(l, pos, args, text.p);
}

static Str state_variable(EsClass *c, u32 pos)
{
    DecoratorLower *l = c->l;
    Str name = str_fmt(l->scratch, "%.*sf%u", STR_ARG(c->prefix), c->n);
    vec_push(l->scratch, &c->before,
             mk_var(l->ast, pos, VAR_LET, intern_dup(l->ast->atoms, name), 0));
    return name;
}

static void add_field(EsClass *c, NodeId id, Str decorators)
{
    DecoratorLower *l = c->l;
    const Node m = *en(l, id);
    bool fixed = m.flags & NF_STATIC, hidden = en(l, m.a)->kind == NODE_PRIVATE_NAME;
    Str state = state_variable(c, m.pos), key, access = S("null");
    if (hidden) {
        Str name = atom_str(l->ast->atoms, en(l, m.a)->a);
        key = str_fmt(l->scratch, "\"#%.*s\"", STR_ARG(name));
        access = str_fmt(l->scratch, "{has:o=>#%.*s in o,get:o=>o.#%.*s,set:(o,v)=>{o.#%.*s=v}}",
                         STR_ARG(name), STR_ARG(name), STR_ARG(name));
    } else {
        key = key_code(c, id);
    }
    buf_fmt(&c->block[fixed ? STATIC_FIELDS : FIELDS],
            "%.*s=__cobField(%.*s,%s,%s,%.*s,%.*s,%.*sm,[]);", STR_ARG(state), STR_ARG(key),
            fixed ? "true" : "false", hidden ? "true" : "false", STR_ARG(decorators),
            STR_ARG(access), STR_ARG(c->prefix));
    NodeId value = init_value(c, m.pos, m.b, state);
    ast_node(l->ast, id)->b = value;
    vec_push(l->scratch, &c->members, id);
    add_after(c, m.pos, fixed, state);
}

static void add_accessor(EsClass *c, NodeId id, Str decorators)
{
    DecoratorLower *l = c->l;
    const Node m = *en(l, id);
    bool fixed = m.flags & NF_STATIC;
    Str state = state_variable(c, m.pos), key = key_code(c, id);
    buf_fmt(&c->block[fixed ? STATIC_METHODS : METHODS],
            "%.*s=__cobAccessor(this%s,%.*s,%s,%.*s,%.*sm,null,[]);", STR_ARG(state),
            fixed ? "" : ".prototype", STR_ARG(key), fixed ? "true" : "false", STR_ARG(decorators),
            STR_ARG(c->prefix));
    NodeId value = init_value(c, m.pos, m.b, state);
    ast_node(l->ast, id)->b = value;
    Str storage = str_fmt(l->scratch, "%.*sv%u", STR_ARG(c->prefix), c->n);
    split_accessor(l, id, storage, &c->members);
    add_after(c, m.pos, fixed, state);
}

/* ---- Decorated private members ---- */

/* A private getter or setter with the given parameters and body. */
static void add_hidden(EsClass *c, const Node *m, PropKind kind, Str code)
{
    DecoratorLower *l = c->l;
    NodeId key = private_name(l, m->pos, atom_str(l->ast->atoms, en(l, m->a)->a));
    NodeId value = method(l, m->pos, str_dup_z(l->scratch, code));
    vec_push(l->scratch, &c->members,
             member(l->ast, m->pos, kind, (u16)(m->flags & NF_STATIC), key, value));
}

/* {has, get, set} of a private member, as code. */
static Str hidden_access(EsClass *c, Str name, bool get, bool set)
{
    Arena *a = c->l->scratch;
    Str text = str_fmt(a, "{has:o=>#%.*s in o", STR_ARG(name));
    if (get) text = str_fmt(a, "%.*s,get:o=>o.#%.*s", STR_ARG(text), STR_ARG(name));
    if (set) text = str_fmt(a, "%.*s,set:(o,v)=>{o.#%.*s=v}", STR_ARG(text), STR_ARG(name));
    return str_concat(a, text, S("}"));
}

static Str symbol_variable(EsClass *c, u32 pos)
{
    DecoratorLower *l = c->l;
    Str name = str_fmt(l->scratch, "%.*sk%u", STR_ARG(c->prefix), c->n);
    NodeId value = quote_expr(l, pos, NULL, "Symbol()");
    vec_push(l->scratch, &c->before,
             mk_var(l->ast, pos, VAR_LET, intern_dup(l->ast->atoms, name), value));
    return name;
}

static void add_private_method(EsClass *c, NodeId id, Str decorators)
{
    DecoratorLower *l = c->l;
    const Node m = *en(l, id);
    bool fixed = m.flags & NF_STATIC, get = m.op == PROP_GET, set = m.op == PROP_SET;
    const char *kind = get ? "getter" : set ? "setter" : "method";
    Str name = atom_str(l->ast->atoms, en(l, m.a)->a);
    Str key = symbol_variable(c, m.pos), state = state_variable(c, m.pos);
    buf_fmt(&c->block[fixed ? STATIC_METHODS : METHODS],
            "%.*s=__cobPrivate(this%s,\"%s\",%.*s,\"#%.*s\",%s,%.*s,%.*s,%.*sm,%.*s%c);",
            STR_ARG(state), fixed ? "" : ".prototype", kind, STR_ARG(key), STR_ARG(name),
            fixed ? "true" : "false", STR_ARG(decorators),
            STR_ARG(hidden_access(c, name, !set, set)), STR_ARG(c->prefix), STR_ARG(c->prefix),
            fixed ? 's' : 'i');
    c->has_instance_extra |= !fixed;
    Str code =
        set ? str_fmt(l->scratch, "(v){%.*s.call(this,v)}", STR_ARG(state))
            : str_fmt(l->scratch, "(){return %.*s%s}", STR_ARG(state), get ? ".call(this)" : "");
    add_hidden(c, &m, set ? PROP_SET : PROP_GET, code);
    NodeId computed = mk_ident(l->ast, m.pos, intern_dup(l->ast->atoms, key));
    ast_node(l->ast, id)->a = computed;
    ast_node(l->ast, id)->flags |= NF_COMPUTED;
    vec_push(l->scratch, &c->members, id);
}

/* accessor #a = b: a private field, and a getter and setter that call what the decorators made. */
static void add_private_accessor(EsClass *c, NodeId id, Str decorators)
{
    DecoratorLower *l = c->l;
    const Node m = *en(l, id);
    bool fixed = m.flags & NF_STATIC;
    Str name = atom_str(l->ast->atoms, en(l, m.a)->a), state = state_variable(c, m.pos);
    Str storage = str_fmt(l->scratch, "%.*sv%u", STR_ARG(c->prefix), c->n);
    buf_fmt(&c->block[fixed ? STATIC_METHODS : METHODS],
            "%.*s=__cobHidden({get(){return this.#%.*s},set(v){this.#%.*s=v}},\"#%.*s\",%s,%.*s,"
            "%.*s,%.*sm,[]);",
            STR_ARG(state), STR_ARG(storage), STR_ARG(storage), STR_ARG(name),
            fixed ? "true" : "false", STR_ARG(decorators),
            STR_ARG(hidden_access(c, name, true, true)), STR_ARG(c->prefix));
    NodeId value = init_value(c, m.pos, m.b, state);
    NodeId key = private_name(l, m.pos, storage);
    u16 field = (u16)(m.flags & NF_STATIC);
    vec_push(l->scratch, &c->members, member(l->ast, m.pos, PROP_FIELD, field, key, value));
    add_hidden(c, &m, PROP_GET,
               str_fmt(l->scratch, "(){return %.*s[2].get.call(this)}", STR_ARG(state)));
    add_hidden(c, &m, PROP_SET,
               str_fmt(l->scratch, "(v){%.*s[2].set.call(this,v)}", STR_ARG(state)));
    add_after(c, m.pos, fixed, state);
}

static void add_member(EsClass *c, NodeId id)
{
    const Node m = *en(c->l, id);
    if (!m.c) {
        vec_push(c->l->scratch, &c->members, id);
        return;
    }
    ast_node(c->l->ast, id)->c = 0;
    c->n++;
    bool hidden = en(c->l, m.a)->kind == NODE_PRIVATE_NAME;
    Str decorators = decorator_array(c, m.pos, m.c);
    if (m.op == PROP_FIELD)
        add_field(c, id, decorators);
    else if (m.op == PROP_ACCESSOR)
        (hidden ? add_private_accessor : add_accessor)(c, id, decorators);
    else
        (hidden ? add_private_method : add_method)(c, id, decorators);
}

/* ---- Classes ---- */

/* The last thing that the static block does, before static fields get their values. */
static void push_class_code(EsClass *c, Buf *code, Str decorators, Str name, Str alias)
{
    int n = (int)c->prefix.n;
    const char *p = c->prefix.p;
    buf_fmt(code, "%.*sc=__cobClass(this,\"%.*s\",%.*s,%.*sm,%.*se);", n, p, STR_ARG(name),
            STR_ARG(decorators), n, p, n, p);
    if (alias.n) buf_fmt(code, "%.*s=%.*sc;", STR_ARG(alias), n, p);
}

static NodeId static_block(EsClass *c, u32 pos, Buf *code)
{
    DecoratorLower *l = c->l;
    ListId stmts = parse_quoted(l->ast, l->w->arena, pos, buf_str(code), NULL);
    NodeId block = mk(l->ast, NODE_BLOCK, pos, stmts, 0);
    return member(l->ast, pos, PROP_STATIC_BLOCK, NF_STATIC, 0, block);
}

static void push_members_code(EsClass *c, Buf *code)
{
    buf_fmt(code, "%.*sm=__cobMeta(this);", STR_ARG(c->prefix));
    for (u32 i = 0; i < COUNT(c->block); i++) {
        buf_push(code, buf_str(&c->block[i]));
        Buf_deinit(&c->block[i]);
    }
}

static void set_members(EsClass *c, u32 pos, Buf *code)
{
    DecoratorLower *l = c->l;
    NodeVec all = {0};
    vec_push(l->scratch, &all, static_block(c, pos, code));
    if (c->has_instance_extra) {
        Str text = str_fmt(l->scratch, "__cobRun(this,%.*si)%c", STR_ARG(c->prefix), 0);
        NodeId name = private_name(l, pos, str_fmt(l->scratch, "%.*sx0", STR_ARG(c->prefix)));
        NodeId value = quote_expr(l, pos, NULL, text.p);
        vec_push(l->scratch, &all, member(l->ast, pos, PROP_FIELD, 0, name, value));
    }
    for (u32 i = 0; i < c->members.len; i++) vec_push(l->scratch, &all, c->members.at[i]);
    ListId list = ast_list(l->ast, all.at, all.len);
    ast_node(l->ast, c->class)->c = list;
}

static void push_quoted(DecoratorLower *l, u32 pos, Str text, NodeVec *out)
{
    ListId stmts = parse_quoted(l->ast, l->w->arena, pos, text, NULL);
    for (u32 i = 0; i < ast_len(l->ast, stmts); i++) {
        vec_push(l->scratch, out, ast_at(l->ast, stmts, i));
    }
}

static void push_vec(DecoratorLower *l, NodeVec *from, NodeVec *out)
{
    for (u32 i = 0; i < from->len; i++) vec_push(l->scratch, out, from->at[i]);
    from->len = 0;
}

Atom es_lower_class(DecoratorLower *l, NodeId decl, Atom inferred, NodeVec *out)
{
    NodeId class = en(l, decl)->a;
    const Node n = *en(l, class);
    Interner *atoms = l->ast->atoms;
    EsClass c = {.l = l, .class = class};
    c.prefix = atom_str(atoms, decorator_fresh(l, S("_dec")));
    int prefix_n = (int)c.prefix.n;
    const char *prefix = c.prefix.p;
    l->w->helpers |= HELPER_ES_DECORATE;
    Atom name = n.a ? en(l, n.a)->a : inferred ? inferred : decorator_fresh(l, S("_class"));
    Atom alias = decorator_fresh(l, atom_str(atoms, name));
    bool aliased = n.d && alias_uses(l, class, n.a, alias);
    Str decorators = n.d ? decorator_array(&c, n.pos, n.d) : (Str){0};
    ast_node(l->ast, class)->d = 0;
    for (u32 i = 0; i < ast_len(l->ast, n.c); i++) add_member(&c, ast_at(l->ast, n.c, i));
    AUTO(Buf) code = {0};
    push_members_code(&c, &code);
    Str shown = n.a || inferred ? atom_str(atoms, name) : S("");
    if (n.d)
        push_class_code(&c, &code, decorators, shown, aliased ? atom_str(atoms, alias) : S(""));
    buf_fmt(&code, "__cobRun(this,%.*ss);", prefix_n, prefix);
    set_members(&c, n.pos, &code);
    Str vars = str_fmt(l->scratch, "let %.*sm,%.*sc,%.*ss=[],%.*si=[],%.*se=[];", prefix_n, prefix,
                       prefix_n, prefix, prefix_n, prefix, prefix_n, prefix, prefix_n, prefix);
    push_quoted(l, n.pos, vars, out);
    push_vec(l, &l->keys, out);
    push_vec(l, &c.before, out);
    if (aliased) {
        set_alias(l, class, alias);
        vec_push(l->scratch, out, mk_var(l->ast, n.pos, VAR_VAR, alias, 0));
    }
    vec_push(l->scratch, out, mk_var(l->ast, n.pos, VAR_LET, name, class));
    if (n.d) {
        Str text = atom_str(atoms, name);
        push_quoted(l, n.pos,
                    str_fmt(l->scratch, "%.*s=%.*sc;__cobRun(%.*s,%.*se);", STR_ARG(text), prefix_n,
                            prefix, STR_ARG(text), prefix_n, prefix),
                    out);
    }
    return name;
}
