/* syntax/module_info.c -- collecting imports and exports, and writing a module's wrapper. */
#include "syntax/module_info.h"

#include "util/map.h"

static Str name_of(const Ast *t, NodeId id)
{
    return atom_str(t->atoms, ast_node(t, id)->a);
}

static Str attr_type(const Ast *t, ListId attributes)
{
    for (u32 i = 0; i < ast_len(t, attributes); i++) {
        const Node *n = ast_node(t, ast_at(t, attributes, i));
        if (str_eq(name_of(t, n->a), S("type"))) return name_of(t, n->b);
    }
    return (Str){0};
}

u32 module_request(Arena *a, ModuleInfo *m, const Ast *t, NodeId source, ListId attributes,
                   ImportPhase phase)
{
    ModuleRequest r = {.specifier = name_of(t, source), .attr_type = attr_type(t, attributes)};
    r.phase = phase;
    r.attributes = attributes;
    r.pos = ast_node(t, source)->pos;
    for (u32 i = 0; i < m->requests.len; i++) {
        const ModuleRequest *o = &m->requests.at[i];
        if (o->phase == phase && str_eq(o->specifier, r.specifier) &&
            str_eq(o->attr_type, r.attr_type)) {
            return i;
        }
    }
    vec_push(a, &m->requests, r);
    return m->requests.len - 1;
}

void module_add_import(Arena *a, ModuleInfo *m, const Ast *t, NodeId id, ModuleKeeps *is_kept,
                       void *ctx)
{
    const Node *n = ast_node(t, id);
    u32 request = module_request(a, m, t, n->b, n->c, (ImportPhase)n->op);
    for (u32 i = 0; i < ast_len(t, n->a); i++) {
        const Node *s = ast_node(t, ast_at(t, n->a, i));
        if ((s->flags & NF_TYPE_ONLY) || (is_kept && !is_kept(ctx, s->b))) continue;
        ModuleImport im = {.request = request, .local = name_of(t, s->b), .pos = s->pos};
        im.is_namespace = s->op == IMPORT_NAMESPACE;
        im.live = true;
        if (s->op == IMPORT_DEFAULT) im.imported = S("default");
        if (s->op == IMPORT_NAMED) im.imported = name_of(t, s->a);
        vec_push(a, &m->imports, im);
    }
}

void module_add_export_all(Arena *a, ModuleInfo *m, const Ast *t, NodeId id)
{
    const Node *n = ast_node(t, id);
    ModuleExport e = {.kind = EXPORT_STAR, .pos = n->pos};
    e.request = module_request(a, m, t, n->b, n->c, PHASE_EVALUATION);
    if (n->a) {
        e.kind = EXPORT_NAMESPACE;
        e.name = name_of(t, n->a);
    }
    vec_push(a, &m->exports, e);
}

void module_add_local(Arena *a, ModuleInfo *m, Str name, Str local, bool constant, u32 pos)
{
    ModuleExport e = {
        .kind = EXPORT_LOCAL, .name = name, .local = local, .constant = constant, .pos = pos};
    vec_push(a, &m->exports, e);
}

void module_finish(Arena *a, ModuleInfo *m)
{
    if (!m->imports.len || !m->exports.len) return;
    AUTO(Scratch) s = scratch_begin(a);
    StrMap locals = {0};
    for (u32 i = 0; i < m->imports.len; i++) {
        *str_map_put(s.arena, &locals, m->imports.at[i].local, NULL) = i + 1;
    }
    for (u32 i = 0; i < m->exports.len; i++) {
        ModuleExport *e = &m->exports.at[i];
        if (e->kind != EXPORT_LOCAL) continue;
        u64 *slot = str_map_find(&locals, e->local);
        if (!slot) continue;
        const ModuleImport *im = &m->imports.at[*slot - 1];
        e->kind = im->is_namespace ? EXPORT_NAMESPACE : EXPORT_INDIRECT;
        e->request = im->request;
        e->local = im->imported;
    }
}

/* ---- The wrapper ---- */

static bool is_plain_name(Str s)
{
    for (usize i = 0; i < s.n; i++)
        if (!IS_CLASS(s.p[i], i ? CC_ID_PART : CC_ID_START)) return false;
    return s.n > 0;
}

static void put_two(Buf *b, Str x, Str y)
{
    buf_push(b, x);
    buf_push(b, y);
}

static void put_number(Buf *b, u32 n)
{
    char digits[10];
    u32 at = COUNT(digits);
    do {
        digits[--at] = (char)('0' + n % 10);
        n /= 10;
    } while (n);
    buf_push(b, (Str){digits + at, COUNT(digits) - at});
}

static void put_string(Buf *b, Str s)
{
    static const char hex[] = "0123456789abcdef";
    buf_push_char(b, '"');
    for (usize i = 0; i < s.n; i++) {
        u8 c = (u8)s.p[i];
        bool lone = c == 0xed && i + 2 < s.n && (u8)s.p[i + 1] >= 0xa0;
        if (lone) {
            u32 unit = 0xd000 | ((u32)(u8)s.p[i + 1] & 0x3f) << 6 | ((u32)(u8)s.p[i + 2] & 0x3f);
            buf_fmt(b, "\\u%04x", unit);
            i += 2;
        } else if (c < 0x20 || c == '"' || c == '\\' || c == 0x7f) {
            buf_fmt(b, "\\x%c%c", hex[c >> 4], hex[c & 15]);
        } else {
            buf_push_char(b, (char)c);
        }
    }
    buf_push_char(b, '"');
}

static void put_getters(Buf *b, const ModuleInfo *m, const ModuleNames *names)
{
    bool any = false;
    if (m->is_handed_last) return;
    for (u32 i = 0; i < m->exports.len; i++) {
        const ModuleExport *e = &m->exports.at[i];
        if (e->kind != EXPORT_LOCAL) continue;
        if (any)
            buf_push_char(b, ',');
        else
            put_two(b, names->cob, S(".e({"));
        any = true;
        /* `__proto__: f` would set the prototype. */
        if (str_eq(e->name, S("__proto__")))
            buf_push(b, S("[\"__proto__\"]"));
        else if (is_plain_name(e->name))
            buf_push(b, e->name);
        else
            put_string(b, e->name);
        buf_push(b, S(":()=>"));
        buf_push(b, e->local);
    }
    if (any) buf_push(b, S("});"));
}

static void put_member(Buf *b, Str name)
{
    if (is_plain_name(name)) {
        buf_push_char(b, '.');
        buf_push(b, name);
        return;
    }
    buf_push_char(b, '[');
    put_string(b, name);
    buf_push_char(b, ']');
}

static void put_values(Buf *b, const ModuleInfo *m, const ModuleNames *names)
{
    if (!m->is_handed_last) return;
    bool is_context = module_needs_context(m);
    for (u32 i = 0; i < m->exports.len; i++) {
        const ModuleExport *e = &m->exports.at[i];
        if (e->kind != EXPORT_LOCAL) continue;
        put_two(b, S(";"), names->cob);
        if (is_context) buf_push(b, S(".object"));
        put_member(b, e->name);
        put_two(b, S("="), e->local);
    }
}

static void put_bindings(Buf *b, const ModuleInfo *m, const ModuleNames *names, bool namespaces)
{
    for (u32 i = 0; i < m->imports.len; i++) {
        const ModuleImport *im = &m->imports.at[i];
        if (im->is_namespace != namespaces || (im->live && !namespaces)) continue;
        if (m->requests.at[im->request].is_late) continue;
        put_two(b, S("const "), im->local);
        put_two(b, S("="), names->cob);
        if (im->is_namespace) {
            buf_fmt(b, ".ns(%u);", im->request);
            continue;
        }
        put_number(b, im->request);
        put_member(b, im->imported);
        buf_push_char(b, ';');
    }
}

bool module_is_constant(const ModuleInfo *m)
{
    for (u32 i = 0; i < m->exports.len; i++)
        if (m->exports.at[i].kind == EXPORT_LOCAL && !m->exports.at[i].constant) return false;
    return true;
}

bool module_needs_context(const ModuleInfo *m)
{
    if (m->uses_meta || m->uses_dynamic_import || m->names_default || !m->is_handed_last ||
        m->has_late)
        return true;
    for (u32 i = 0; i < m->imports.len; i++)
        if (m->imports.at[i].is_namespace) return true;
    return false;
}

void module_open(Buf *b, const ModuleInfo *m, const ModuleNames *names, bool cycle)
{
    /* The engine takes a function of this name for the top level of a module. */
    buf_push(b, m->has_await ? S("({'module code':async function") : S("({'module code':function"));
    buf_push(b, cycle ? S("*(") : S("("));
    buf_push(b, names->cob);
    for (u32 i = 0; i < m->requests.len; i++) {
        put_two(b, S(","), names->cob);
        put_number(b, i);
    }
    if (m->has_require) buf_push(b, S(",require"));
    if (m->has_filename) buf_push(b, S(",__filename,__dirname"));
    /* In a block functions are declared as in a module: once, and apart from var. */
    buf_push(b, S("){\"use strict\";{"));
    put_bindings(b, m, names, true);
    put_getters(b, m, names);
    /* A function has its name from the start. */
    if (m->names_default)
        buf_fmt(b, "%.*s.n(()=>%.*s);", STR_ARG(names->cob), STR_ARG(names->default_));
    if (cycle) buf_push(b, S("yield;"));
    put_bindings(b, m, names, false);
    buf_push_char(b, '\n');
}

void module_close(Buf *b, const ModuleInfo *m, const ModuleNames *names)
{
    buf_push_char(b, '\n');
    if (m->names_default) {
        buf_fmt(b, "%.*s.n(()=>%.*s);", STR_ARG(names->cob), STR_ARG(names->default_));
    }
    put_values(b, m, names);
    buf_push(b, S("}}})['module code']"));
}
