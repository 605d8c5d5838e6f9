/* internal/vm_module/vm_module.c -- the text of a module of node:vm to what runs. */
#include "builtins/builtins.h"

#include "syntax/lex.h"
#include "syntax/lower.h"
#include "syntax/print.h"

#include <string.h>

typedef struct {
    Js *js;
    Source source;
    Interner atoms;
    Ast ast;
    ParseOptions parse;
    LowerOptions lower;
    Bindings bindings;
    Lowering w;
    ModuleInfo info;
    ModuleNames names;
} Module;

static JsVal throw_syntax(Js *js, const Log *log, Str name)
{
    const LogMsg *msg = &log->msgs.at[0];
    JsVal type = js_get(js, js_global(js), "SyntaxError");
    JsVal error = type ? js_construct(js, type, JS_ARGS(js_str(js, msg->text))) : NULL;
    if (!error) return NULL;
    AUTO(Scratch) s = scratch_begin(NULL);
    LinePos at = msg->at.src ? source_line(msg->at.src->text, msg->at.pos) : (LinePos){0};
    Str stack = str_fmt(s.arena, "SyntaxError: %.*s\n    at <parse> (%.*s:%u:%u)",
                        STR_ARG(msg->text), STR_ARG(name), at.line, at.column);
    if (!js_define(js, error, "stack", js_str(js, stack), false)) return NULL;
    return js_throw(js, error);
}

static bool parse_module(Module *m, Arena *a, Log *log)
{
    interner_init(&m->atoms, a, (u32)(m->source.text.n / 256) + 256);
    lex_seed(&m->atoms);
    ast_init(&m->ast, &m->source, &m->atoms);
    m->parse = (ParseOptions){.goal = GOAL_MODULE};
    m->w = (Lowering){.ast = &m->ast,
                      .bindings = &m->bindings,
                      .parse = &m->parse,
                      .opt = &m->lower,
                      .arena = a,
                      .log = log};
    bool ok = parse(&m->ast, a, &m->parse, log) &&
              scope_bind(&m->ast, &m->parse, a, log, &m->bindings) && lower_all(&m->w);
    if (!ok || log->n_errors) return false;
    module_scan(&m->w, &m->info);
    m->names = module_names(&m->w);
    return true;
}

/* As for a module in a cycle: every import is read anew, and the function is a generator, or async
 * if it awaits. */
static JsVal print_module(Module *m)
{
    AUTO(Buf) body = {0}, helpers = {0}, text = {0};
    for (u32 i = 0; i < m->info.imports.len; i++) m->info.imports.at[i].live = true;
    m->info.has_require = m->info.is_handed_last = false;
    module_open(&text, &m->info, &m->names, !m->info.has_await);
    lower_esm(&m->w, &m->info, &m->names);
    helpers_write(&helpers, m->w.helpers);
    PrintOptions options = {.prologue = buf_str(&helpers)};
    if (!print_ast(&m->ast, &options, &body, NULL))
        return js_throw_range_error(m->js, "The module is nested too deeply");
    (void)buf_push(&text, buf_str(&body));
    module_close(&text, &m->info, &m->names);
    return js_str(m->js, buf_str(&text));
}

/* ---- What it says about itself, as arrays
 * ------------------------------------------------------------------------ */

static JsVal text_of(Module *m, Str s)
{
    return s.p ? js_str(m->js, s) : JS_NULL;
}

/* [specifier, [key, value, ...]] */
static JsVal request_of(Module *m, const ModuleRequest *r)
{
    JsVal pairs = js_array(m->js, NULL, 0);
    u32 n = 0;
    for (u32 i = 0; i < ast_len(&m->ast, r->attributes); i++) {
        const Node *pair = ast_node(&m->ast, ast_at(&m->ast, r->attributes, i));
        Str both[] = {atom_str(m->ast.atoms, ast_node(&m->ast, pair->a)->a),
                      atom_str(m->ast.atoms, ast_node(&m->ast, pair->b)->a)};
        for (u32 k = 0; k < COUNT(both); k++)
            if (!js_set_index(m->js, pairs, n++, js_str(m->js, both[k]))) return NULL;
    }
    JsVal both[] = {js_str(m->js, r->specifier), pairs};
    return js_array(m->js, both, COUNT(both));
}

/* [request, imported or null for the namespace] */
static JsVal import_of(Module *m, const ModuleImport *im)
{
    JsVal all[] = {js_int(m->js, (i32)im->request),
                   im->is_namespace ? JS_NULL : js_str(m->js, im->imported)};
    return js_array(m->js, all, COUNT(all));
}

/* [kind, name, name there or of the variable, request]; kinds are those of ExportKind */
static JsVal export_of(Module *m, const ModuleExport *e)
{
    JsVal all[] = {js_int(m->js, (i32)e->kind), text_of(m, e->name), text_of(m, e->local),
                   js_int(m->js, (i32)e->request)};
    return js_array(m->js, all, COUNT(all));
}

/* Is it a `var` at the top, which has a value, undefined, before the module runs? */
static bool is_var(const Module *m, Str local)
{
    for (u32 i = 1; i < m->bindings.symbols.len; i++) {
        const Symbol *s = &m->bindings.symbols.at[i];
        bool is_top = m->bindings.scopes.at[s->scope].kind == SCOPE_TOP;
        if (s->kind == SYM_VAR && is_top && str_eq(atom_str(m->ast.atoms, s->name), local))
            return true;
    }
    return false;
}

/* The names of those that are exported. */
static JsVal vars_of(const Module *m)
{
    JsVal vars = js_array(m->js, NULL, 0);
    u32 n = 0;
    for (u32 i = 0; i < m->info.exports.len; i++) {
        const ModuleExport *e = &m->info.exports.at[i];
        if (e->kind != EXPORT_LOCAL || !is_var(m, e->local)) continue;
        if (!js_set_index(m->js, vars, n++, js_str(m->js, e->name))) return NULL;
    }
    return vars;
}

static bool describe(Module *m, JsVal ret)
{
    Js *js = m->js;
    JsVal requests = js_array(js, NULL, 0), imports = js_array(js, NULL, 0),
          exports = js_array(js, NULL, 0);
    for (u32 i = 0; i < m->info.requests.len; i++) {
        JsVal v = request_of(m, &m->info.requests.at[i]);
        if (!v || !js_set_index(js, requests, i, v)) return false;
    }
    for (u32 i = 0; i < m->info.imports.len; i++)
        if (!js_set_index(js, imports, i, import_of(m, &m->info.imports.at[i]))) return false;
    for (u32 i = 0; i < m->info.exports.len; i++)
        if (!js_set_index(js, exports, i, export_of(m, &m->info.exports.at[i]))) return false;
    JsVal vars = vars_of(m);
    return vars && js_set(js, ret, "vars", vars) && js_set(js, ret, "requests", requests) &&
           js_set(js, ret, "imports", imports) && js_set(js, ret, "exports", exports) &&
           js_set(js, ret, "hasAwait", js_boolean(m->info.has_await));
}

/* compile(text, name) -> { text, requests, imports, exports, vars, hasAwait }; throws a SyntaxError
 */
JS_NATIVE(compile)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    Str text, name;
    if (!js_to_str(js, s.arena, js_arg(args, 0), &text)) return NULL;
    if (!js_to_str(js, s.arena, js_arg(args, 1), &name)) return NULL;
    Module *m = ARENA_NEW(s.arena, Module);
    m->js = js;
    m->source = (Source){.name = name, .text = lex_pad(s.arena, text)};
    Log log;
    log_init(&log, s.arena);
    JsVal ret = NULL;
    if (parse_module(m, s.arena, &log)) {
        JsVal found = js_object(js);
        if (describe(m, found)) {
            JsVal printed = print_module(m);
            if (printed && js_set(js, found, "text", printed)) ret = found;
        }
    } else {
        (void)throw_syntax(js, &log, name);
    }
    Ast_deinit(&m->ast);
    return ret;
}

static const JsFn fns[] = {JS_FN("compile", compile)};
BUILTIN_NATIVE(internal_vm_module, fns)
