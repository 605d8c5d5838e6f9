/* syntax/lower_jsx.c -- JSX elements become calls: the automatic runtime (jsx, jsxs, jsxDEV), or
 * React.createElement and its like. */
#include "syntax/build.h"
#include "syntax/jsx_text.h"

typedef enum {
    HELPER_JSX,
    HELPER_JSXS,
    HELPER_DEV,
    HELPER_FRAGMENT,
    HELPER_CREATE,
    HELPER_COUNT
} Helper;

typedef struct {
    Lowering *w;
    Ast *ast;
    Arena *scratch;
    bool classic, dev;
    Str factory, fragment, import_source;
    Atom helpers[HELPER_COUNT]; /* local names; 0: not used */
} JsxLower;

typedef Vec(u32) NodeVec;

static const Node *node_of(const JsxLower *l, NodeId id)
{
    return ast_node(l->ast, id);
}

/* A local name for an import of the runtime, unlike any name in the file. */
static Atom helper_name(JsxLower *l, Helper h)
{
    static const char *const names[] = {"_jsx", "_jsxs", "_jsxDEV", "_Fragment", "_createElement"};
    if (l->helpers[h]) return l->helpers[h];
    Interner *atoms = l->ast->atoms;
    Str name = str_z(names[h]);
    for (u32 k = 1; intern_find(atoms, name); k++) name = str_fmt(l->w->arena, "%s%u", names[h], k);
    l->helpers[h] = intern_dup(atoms, name);
    return l->helpers[h];
}

/* a.b.c */
static NodeId dotted(JsxLower *l, u32 pos, Str path)
{
    Str head, tail = path;
    (void)str_cut(path, '.', &head, &tail);
    NodeId id = mk_ident(l->ast, pos, intern_dup(l->ast->atoms, head));
    while (tail.n) {
        Str rest = tail;
        (void)str_cut(rest, '.', &head, &tail);
        id = mk_dot(l->ast, pos, id, intern_dup(l->ast->atoms, head));
    }
    return id;
}

static Atom text_atom(JsxLower *l, Str raw, bool is_child)
{
    AUTO(Buf) b = {0};
    if (is_child)
        jsx_text(raw, &b);
    else
        jsx_string(raw, &b);
    return intern_dup(l->ast->atoms, buf_str(&b));
}

static Str source_slice(const JsxLower *l, const Node *n)
{
    return str_slice(l->ast->source->text, n->a, n->b);
}

static NodeId lower_name(JsxLower *l, NodeId id, u32 pos)
{
    if (!id) {
        if (l->classic) return dotted(l, pos, l->fragment);
        return mk_ident(l->ast, pos, helper_name(l, HELPER_FRAGMENT));
    }
    const Node n = *node_of(l, id);
    return n.kind == NODE_JSX_NAME ? mk_str(l->ast, n.pos, n.a) : id;
}

static NodeId lower_value(JsxLower *l, NodeId id, u32 pos)
{
    if (!id) return mk(l->ast, NODE_TRUE, pos, 0, 0);
    const Node n = *node_of(l, id);
    switch (n.kind) {
    case NODE_JSX_STR: return mk_str(l->ast, n.pos, text_atom(l, source_slice(l, &n), false));
    case NODE_JSX_EXPR: return n.a;
    default: return id;
    }
}

static bool is_plain_name(Str s)
{
    for (usize i = 0; i < s.n; i++)
        if (!IS_CLASS(s.p[i], i ? CC_ID_PART : CC_ID_START)) return false;
    return s.n > 0;
}

static NodeId lower_attr(JsxLower *l, NodeId id)
{
    const Node n = *node_of(l, id);
    if (n.kind == NODE_JSX_SPREAD) return mk(l->ast, NODE_SPREAD, n.pos, n.a, 0);
    Atom name = node_of(l, n.a)->a;
    bool plain = is_plain_name(atom_str(l->ast->atoms, name));
    NodeId key = plain ? mk_ident(l->ast, n.pos, name) : mk_str(l->ast, n.pos, name);
    return mk(l->ast, NODE_PROP, n.pos, key, lower_value(l, n.b, n.pos));
}

/* The children that mean something, as expressions. */
static void lower_children(JsxLower *l, ListId list, NodeVec *out)
{
    for (u32 i = 0; i < ast_len(l->ast, list); i++) {
        NodeId id = ast_at(l->ast, list, i);
        const Node n = *node_of(l, id);
        if (n.kind == NODE_JSX_TEXT) {
            Str raw = source_slice(l, &n);
            if (jsx_text_is_blank(raw)) continue;
            id = mk_str(l->ast, n.pos, text_atom(l, raw, true));
        } else if (n.kind == NODE_JSX_EXPR) {
            if (!n.a) continue;
            id = n.a;
        } else if (n.kind == NODE_JSX_SPREAD) {
            id = mk(l->ast, NODE_SPREAD, n.pos, n.a, 0);
        }
        vec_push(l->scratch, out, id);
    }
}

static void set_call(JsxLower *l, NodeId id, NodeId callee, const NodeVec *args)
{
    ListId list = ast_list(l->ast, args->at, args->len);
    Node *n = ast_node(l->ast, id);
    *n = (Node){.kind = NODE_CALL, .flags = NF_PURE, .pos = n->pos, .a = callee, .b = list};
}

/* createElement(type, props or null, ...children) */
static void lower_classic(JsxLower *l, NodeId id, NodeId callee)
{
    const Node n = *node_of(l, id);
    NodeVec args = {0}, props = {0};
    vec_push(l->scratch, &args, lower_name(l, n.a, n.pos));
    for (u32 i = 0; i < ast_len(l->ast, n.b); i++) {
        vec_push(l->scratch, &props, lower_attr(l, ast_at(l->ast, n.b, i)));
    }
    NodeId object = props.len
                        ? mk(l->ast, NODE_OBJECT, n.pos, ast_list(l->ast, props.at, props.len), 0)
                        : mk(l->ast, NODE_NULL, n.pos, 0, 0);
    vec_push(l->scratch, &args, object);
    lower_children(l, n.c, &args);
    set_call(l, id, callee, &args);
}

/* `key` behind a spread: only createElement knows which of the two wins. */
static bool has_key_after_spread(const JsxLower *l, ListId attrs)
{
    bool spread = false;
    for (u32 i = 0; i < ast_len(l->ast, attrs); i++) {
        const Node *n = node_of(l, ast_at(l->ast, attrs, i));
        if (n->kind == NODE_JSX_SPREAD)
            spread = true;
        else if (spread && str_eq(atom_str(l->ast->atoms, node_of(l, n->a)->a), S("key")))
            return true;
    }
    return false;
}

static NodeId undefined(JsxLower *l, u32 pos)
{
    return mk_op(l->ast, NODE_UNARY, TOK_VOID, pos, mk_num(l->ast, pos, 0), 0);
}

static void push_dev_args(JsxLower *l, u32 pos, NodeId key, bool is_static, NodeVec *args)
{
    vec_push(l->scratch, args, key ? key : undefined(l, pos));
    vec_push(l->scratch, args, mk(l->ast, is_static ? NODE_TRUE : NODE_FALSE, pos, 0, 0));
    vec_push(l->scratch, args, undefined(l, pos));
    vec_push(l->scratch, args, mk(l->ast, NODE_THIS, pos, 0, 0));
}

/* The attributes without `key`, which is returned. */
static NodeId take_attrs(JsxLower *l, ListId attrs, NodeVec *props)
{
    NodeId key = 0;
    for (u32 i = 0; i < ast_len(l->ast, attrs); i++) {
        NodeId id = ast_at(l->ast, attrs, i);
        const Node a = *node_of(l, id);
        if (a.kind == NODE_JSX_ATTR &&
            str_eq(atom_str(l->ast->atoms, node_of(l, a.a)->a), S("key"))) {
            key = lower_value(l, a.b, a.pos);
        } else {
            vec_push(l->scratch, props, lower_attr(l, id));
        }
    }
    return key;
}

static void push_children(JsxLower *l, u32 pos, const NodeVec *children, bool array, NodeVec *props)
{
    if (!children->len) return;
    NodeId value = children->at[0];
    if (array)
        value = mk(l->ast, NODE_ARRAY, pos, ast_list(l->ast, children->at, children->len), 0);
    NodeId name = mk_ident(l->ast, pos, intern(l->ast->atoms, S("children")));
    vec_push(l->scratch, props, mk(l->ast, NODE_PROP, pos, name, value));
}

static void lower_automatic(JsxLower *l, NodeId id)
{
    const Node n = *node_of(l, id);
    if (has_key_after_spread(l, n.b)) {
        lower_classic(l, id, mk_ident(l->ast, n.pos, helper_name(l, HELPER_CREATE)));
        return;
    }
    NodeVec args = {0}, props = {0}, children = {0};
    vec_push(l->scratch, &args, lower_name(l, n.a, n.pos));
    NodeId key = take_attrs(l, n.b, &props);
    lower_children(l, n.c, &children);
    bool spread = children.len == 1 && node_of(l, children.at[0])->kind == NODE_SPREAD;
    bool many = children.len > 1 || spread;
    push_children(l, n.pos, &children, many, &props);
    ListId list = ast_list(l->ast, props.at, props.len);
    vec_push(l->scratch, &args, mk(l->ast, NODE_OBJECT, n.pos, list, 0));
    Helper h = l->dev ? HELPER_DEV : many ? HELPER_JSXS : HELPER_JSX;
    if (l->dev)
        push_dev_args(l, n.pos, key, many, &args);
    else if (key)
        vec_push(l->scratch, &args, key);
    set_call(l, id, mk_ident(l->ast, n.pos, helper_name(l, h)), &args);
}

/* ---- Imports of the runtime ---- */

typedef struct {
    Helper helper;
    const char *name;
} HelperImport;

static NodeId import_stmt(JsxLower *l, const HelperImport *items, u32 n, Str module)
{
    Ast *t = l->ast;
    NodeVec specs = {0};
    bool esm = t->has_esm || t->is_module || l->w->opt->jsx_esm;
    for (u32 i = 0; i < n; i++) {
        Atom local = l->helpers[items[i].helper];
        if (!local) continue;
        NodeId imported = mk_ident(t, 0, intern(t->atoms, str_z(items[i].name)));
        NodeId name = mk_ident(t, 0, local);
        NodeId spec = mk(t, esm ? NODE_IMPORT_SPEC : NODE_PROP, 0, imported, name);
        vec_push(l->scratch, &specs, spec);
    }
    if (!specs.len) return 0;
    NodeId source = mk_str(t, 0, intern_dup(t->atoms, module));
    ListId list = ast_list(t, specs.at, specs.len);
    if (esm) return mk(t, NODE_IMPORT, 0, list, source);
    NodeId call = mk_call(t, 0, mk_ident(t, 0, WORD_ATOM(TOK_REQUIRE)), &source, 1);
    NodeId decl = mk(t, NODE_DECLARATOR, 0, mk(t, NODE_OBJECT_PAT, 0, list, 0), call);
    NodeId var = mk(t, NODE_VAR, 0, ast_list(t, &decl, 1), 0);
    ast_node(t, var)->op = VAR_CONST;
    return var;
}

static void add_imports(JsxLower *l)
{
    static const HelperImport runtime[] = {{HELPER_JSX, "jsx"},
                                           {HELPER_JSXS, "jsxs"},
                                           {HELPER_DEV, "jsxDEV"},
                                           {HELPER_FRAGMENT, "Fragment"}};
    static const HelperImport create[] = {{HELPER_CREATE, "createElement"}};
    const char *path = l->dev ? "/jsx-dev-runtime" : "/jsx-runtime";
    Str module = str_concat(l->scratch, l->import_source, str_z(path));
    NodeId stmts[] = {import_stmt(l, runtime, COUNT(runtime), module),
                      import_stmt(l, create, COUNT(create), l->import_source)};
    NodeVec out = {0};
    ListId body = node_of(l, l->ast->root)->a;
    u32 i = 0, len = ast_len(l->ast, body);
    for (; i < len; i++) {
        const Node *s = node_of(l, ast_at(l->ast, body, i));
        if (s->kind != NODE_EXPR_STMT || !(s->flags & NF_DIRECTIVE)) break;
        vec_push(l->scratch, &out, ast_at(l->ast, body, i));
    }
    for (u32 k = 0; k < COUNT(stmts); k++)
        if (stmts[k]) vec_push(l->scratch, &out, stmts[k]);
    for (; i < len; i++) vec_push(l->scratch, &out, ast_at(l->ast, body, i));
    ListId list = ast_list(l->ast, out.at, out.len);
    ast_node(l->ast, l->ast->root)->a = list;
}

static void set_options(JsxLower *l)
{
    const LowerOptions *o = l->w->opt;
    l->classic = o->jsx == JSX_CLASSIC;
    l->dev = o->jsx_dev && !l->classic;
    l->factory = o->jsx_factory.n ? o->jsx_factory : S("React.createElement");
    l->fragment = o->jsx_fragment.n ? o->jsx_fragment : S("React.Fragment");
    l->import_source = o->jsx_import_source.n ? o->jsx_import_source : S("react");
    Str text = l->ast->source->text, value;
    if (jsx_pragma(text, S("@jsxRuntime"), &value)) {
        l->classic = str_eq(value, S("classic"));
        l->dev = l->dev && !l->classic;
    }
    if (jsx_pragma(text, S("@jsxImportSource"), &value)) l->import_source = value;
    if (jsx_pragma(text, S("@jsx"), &value)) l->factory = value;
    if (jsx_pragma(text, S("@jsxFrag"), &value)) l->fragment = value;
}

void jsx_note_factory(Lowering *w)
{
    if (!w->ast->has_jsx || w->opt->jsx == JSX_PRESERVE) return;
    JsxLower l = {.w = w, .ast = w->ast};
    set_options(&l);
    if (!l.classic) return;
    Str head, tail;
    (void)str_cut(l.factory, '.', &head, &tail);
    Atom name = intern_find(w->ast->atoms, head);
    Str frag;
    (void)str_cut(l.fragment, '.', &frag, &tail);
    Atom frag_name = intern_find(w->ast->atoms, frag);
    for (u32 i = 1; i < w->bindings->symbols.len; i++) {
        Symbol *s = symbol_get(w->bindings, i);
        if (s->kind == SYM_IMPORT && (s->name == name || s->name == frag_name)) s->n_refs++;
    }
}

bool lower_jsx(Lowering *w)
{
    if (!w->ast->has_jsx || w->opt->jsx == JSX_PRESERVE) return true;
    AUTO(Scratch) s = scratch_begin(w->arena);
    JsxLower l = {.w = w, .ast = w->ast, .scratch = s.arena};
    set_options(&l);
    u32 n = w->ast->n_nodes;
    for (NodeId i = 1; i < n; i++) {
        const Node *e = node_of(&l, i);
        if (e->kind != NODE_JSX_ELEMENT) continue;
        if (l.classic)
            lower_classic(&l, i, dotted(&l, e->pos, l.factory));
        else
            lower_automatic(&l, i);
    }
    if (!l.classic && !w->opt->jsx_no_import) add_imports(&l);
    return true;
}
