/* syntax/lower_mocks.c -- what replaces modules comes before the imports of its file, as in Jest
 * and Vitest: jest.mock(), vi.mock() and their like as statements of the top level, and variables
 * made by vi.hoisted().
 *
 * Such a file is loaded without what it imports.  Its function runs those statements first, in
 * their order, then asks for its imports, `[$cob0, $cob1] = await $cob.late(2)`, and goes on.  What
 * it imports from the test runner itself is there from the beginning. */
#include "syntax/lower_mocks.h"
#include "syntax/build.h"

static bool is_one_of(Str s, const char *const *words)
{
    for (; *words; words++)
        if (str_eq(s, str_z(*words))) return true;
    return false;
}

static bool is_runner(Str specifier)
{
    static const char *const names[] = {"vitest", "@jest/globals", "bun:test", "cob:test", NULL};
    return is_one_of(specifier, names);
}

/* vi.mock(...), jest.mock(...).mock(...): the call that the statement is for, or 0. */
static NodeId mocking_call(const Ast *t, NodeId id, const char *const *methods)
{
    static const char *const objects[] = {"jest", "vi", NULL};
    if (id && ast_node(t, id)->kind == NODE_AWAIT) id = ast_node(t, id)->a;
    NodeId call = id;
    while (id && ast_node(t, id)->kind == NODE_CALL) {
        const Node *callee = ast_node(t, ast_node(t, id)->a);
        if (callee->kind != NODE_DOT || !is_one_of(atom_str(t->atoms, callee->b), methods))
            return 0;
        id = callee->a;
    }
    if (!id || id == call || ast_node(t, id)->kind != NODE_IDENT) return 0;
    return is_one_of(atom_str(t->atoms, ast_node(t, id)->a), objects) ? call : 0;
}

bool mocks_is_hoisted(const Ast *t, NodeId stmt)
{
    static const char *const mocking[] = {
        "mock", "unmock", "deepUnmock", "enableAutomock", "disableAutomock", "hoisted", NULL};
    static const char *const hoisting[] = {"hoisted", NULL};
    const Node *n = ast_node(t, stmt);
    if (n->kind == NODE_EXPR_STMT) return mocking_call(t, n->a, mocking) != 0;
    if (n->kind != NODE_VAR) return false;
    for (u32 i = 0; i < ast_len(t, n->a); i++)
        if (!mocking_call(t, ast_node(t, ast_at(t, n->a, i))->b, hoisting)) return false;
    return ast_len(t, n->a) > 0;
}

/* Bun's own test API takes mocks when it comes to them. */
static bool is_of_bun(const ModuleInfo *m)
{
    for (u32 i = 0; i < m->imports.len; i++) {
        const ModuleImport *im = &m->imports.at[i];
        Str from = m->requests.at[im->request].specifier;
        bool is_ours = str_eq(from, S("bun:test")) || str_eq(from, S("cob:test"));
        if (is_ours && (str_eq(im->local, S("jest")) || str_eq(im->local, S("vi")))) return true;
    }
    return false;
}

static bool has_hoisted(const Ast *t)
{
    ListId body = ast_node(t, t->root)->a;
    for (u32 i = 0; i < ast_len(t, body); i++)
        if (mocks_is_hoisted(t, ast_at(t, body, i))) return true;
    return false;
}

void mocks_find(const Lowering *w, ModuleInfo *m)
{
    if (!m->is_module || is_of_bun(m) || !has_hoisted(w->ast)) return;
    for (u32 i = 0; i < m->exports.len; i++)
        if (m->exports.at[i].kind != EXPORT_LOCAL) return;
    for (u32 i = 0; i < m->requests.len; i++) {
        ModuleRequest *r = &m->requests.at[i];
        r->is_late = !is_runner(r->specifier) && r->phase == PHASE_EVALUATION;
        m->has_late |= r->is_late;
    }
    m->has_await |= m->has_late;
}

/* vi.mock(import("./a")): the text is what counts. */
static void take_specifier(Ast *t, NodeId stmt)
{
    const Node *n = ast_node(t, stmt);
    NodeId call = n->kind == NODE_EXPR_STMT ? n->a : 0;
    if (!call || ast_node(t, call)->kind != NODE_CALL) return;
    ListId args = ast_node(t, call)->b;
    if (!ast_len(t, args)) return;
    const Node *first = ast_node(t, ast_at(t, args, 0));
    if (first->kind == NODE_IMPORT_CALL) t->extra[args + 1] = first->a;
}

void mocks_take_specifiers(Ast *t)
{
    ListId body = ast_node(t, t->root)->a;
    for (u32 i = 0; i < ast_len(t, body); i++)
        if (mocks_is_hoisted(t, ast_at(t, body, i))) take_specifier(t, ast_at(t, body, i));
}

static NodeId request_name(Lowering *w, const ModuleNames *names, u32 i)
{
    Str name = str_fmt(w->arena, "%.*s%u", STR_ARG(names->cob), i);
    return mk_ident(w->ast, 0, intern_dup(w->ast->atoms, name));
}

/* $cob.method(n) */
static NodeId call_context(Lowering *w, const ModuleNames *names, const char *method, u32 n)
{
    Ast *t = w->ast;
    NodeId cob = mk_ident(t, 0, intern_dup(t->atoms, names->cob));
    NodeId arg = mk_num(t, 0, n);
    return mk_call(t, 0, mk_dot(t, 0, cob, intern(t->atoms, str_z(method))), &arg, 1);
}

NodeId mocks_late_imports(Lowering *w, const ModuleInfo *m, const ModuleNames *names)
{
    Ast *t = w->ast;
    AUTO(Scratch) s = scratch_begin(w->arena);
    NodeId *targets = ARENA_ARRAY(s.arena, NodeId, m->requests.len + 1);
    for (u32 i = 0; i < m->requests.len; i++) targets[i] = request_name(w, names, i);
    NodeId pattern = mk(t, NODE_ARRAY_PAT, 0, ast_list(t, targets, m->requests.len), 0);
    NodeId waited = mk(t, NODE_AWAIT, 0, call_context(w, names, "late", m->requests.len), 0);
    return mk_stmt(t, mk_assign(t, 0, pattern, waited));
}

NodeId mocks_late_namespace(Lowering *w, const ModuleImport *im, const ModuleNames *names)
{
    return mk_var(w->ast, 0, VAR_CONST, intern_dup(w->ast->atoms, im->local),
                  call_context(w, names, "ns", im->request));
}
