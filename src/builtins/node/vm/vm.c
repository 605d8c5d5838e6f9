/* node/vm/vm.c -- native half of node:vm. */
#include "builtins/node/vm/vm_limit.h"

#include "syntax/lex.h"
#include "syntax/scope.h"

/* makeContext(sandbox or undefined) -> handle with the property `global` */
JS_NATIVE(vm_make_context)
{
    return js_context_new(js, js_arg(args, 0));
}

static bool is_declared_above(const Bindings *b, const Symbol *symbol)
{
    const Scope *scope = &b->scopes.at[symbol->scope];
    bool is_top = scope->kind == SCOPE_TOP;
    if (symbol->kind == SYM_VAR || symbol->kind == SYM_FUNC) return is_top;
    if (symbol->kind != SYM_BLOCK_FUNC || scope->strict) return false;
    return b->scopes.at[scope->function].kind == SCOPE_TOP;
}

/* declared(text) -> the names that a script declares with var or function; none when it is wrong */
JS_NATIVE(vm_declared)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    Str text;
    if (!js_to_str(js, s.arena, js_arg(args, 0), &text)) return NULL;
    Source source = {.name = S("vm"), .text = lex_pad(s.arena, text)};
    Log log;
    log_init(&log, s.arena);
    Interner atoms;
    interner_init(&atoms, s.arena, 256);
    lex_seed(&atoms);
    AUTO(Ast) tree;
    ast_init(&tree, &source, &atoms);
    const ParseOptions options = {.goal = GOAL_SCRIPT};
    Bindings names;
    JsVal list = js_array(js, NULL, 0);
    if (!parse(&tree, s.arena, &options, &log)) return list;
    if (!scope_bind(&tree, &options, s.arena, &log, &names)) return list;
    u32 n = 0;
    for (u32 i = 1; i < names.symbols.len; i++) {
        const Symbol *symbol = &names.symbols.at[i];
        if (!is_declared_above(&names, symbol)) continue;
        if (!js_set_index(js, list, n++, js_str(js, atom_str(&atoms, symbol->name)))) return NULL;
    }
    return list;
}

static bool declare(Js *js, Arena *a, JsVal handle, JsVal list)
{
    u32 len;
    if (!js_array_len(js, list, &len)) return false;
    Str *names = arena_alloc(a, MAX(len, 1u) * sizeof(Str), 8);
    for (u32 i = 0; i < len; i++) {
        JsVal name = js_get_index(js, list, i);
        if (!name || !js_to_str(js, a, name, &names[i])) return false;
    }
    return js_context_declare(js, handle, names, len);
}

typedef struct {
    JsVal handle; /* null: here */
    JsVal text, names;
    Str url;
    i32 line;
} Run;

static JsVal run(Js *js, Arena *a, const Run *r)
{
    if (js_is_null(r->handle)) return js_eval_value(js, r->text, r->url, (u32)MAX(r->line, 1));
    if (!declare(js, a, r->handle, r->names)) return NULL;
    JsContextScript script = {.url = r->url, .line = r->line};
    return js_context_eval(js, r->handle, r->text, script);
}

/* eval(handle or null, text, names, url, line, timeout_ms, wants_sigint, after) -> value; throws
 * the numbers 1 and 2 when the time was up and when Ctrl-C was pressed.  `after` is called before
 * the limits end; it or undefined. */
JS_NATIVE(vm_eval_script)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    Run r = {.handle = js_arg(args, 0), .text = js_arg(args, 1), .names = js_arg(args, 2)};
    if (!js_to_str(js, s.arena, js_arg(args, 3), &r.url)) return NULL;
    r.line = js_get_i32(js, js_arg(args, 4));
    NodeVmLimit limit;
    u32 timeout_ms = (u32)js_get_number(js, js_arg(args, 5));
    if (!node_vm_limit_begin(&limit, js, timeout_ms, js_truthy(js, js_arg(args, 6)))) return NULL;
    JsVal v = run(js, s.arena, &r), after = js_arg(args, 7);
    if (v && !js_is_undefined(after) && !js_call(js, after, JS_UNDEFINED, JS_NO_ARGS)) v = NULL;
    NodeVmLimitEnd end = node_vm_limit_end(&limit);
    return end == VM_LIMIT_KEPT ? v : js_throw(js, js_int(js, (i32)end));
}

/* within(fn, timeout_ms, wants_sigint, after): the same limits for a call */
JS_NATIVE(vm_within)
{
    NodeVmLimit limit;
    u32 timeout_ms = (u32)js_get_number(js, js_arg(args, 1));
    if (!node_vm_limit_begin(&limit, js, timeout_ms, js_truthy(js, js_arg(args, 2)))) return NULL;
    JsVal v = js_call(js, js_arg(args, 0), JS_UNDEFINED, JS_NO_ARGS), after = js_arg(args, 3);
    if (v && !js_is_undefined(after) && !js_call(js, after, JS_UNDEFINED, JS_NO_ARGS)) v = NULL;
    NodeVmLimitEnd end = node_vm_limit_end(&limit);
    return end == VM_LIMIT_KEPT ? v : js_throw(js, js_int(js, (i32)end));
}

/* check(text, url, line): throws a SyntaxError */
JS_NATIVE(vm_check)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    Str text, url;
    if (!js_to_str(js, s.arena, js_arg(args, 0), &text)) return NULL;
    if (!js_to_str(js, s.arena, js_arg(args, 1), &url)) return NULL;
    u32 line = (u32)MAX(js_get_i32(js, js_arg(args, 2)), 1);
    return js_check_syntax(js, text, url, line) ? JS_UNDEFINED : NULL;
}

/* drain(): microtasks */
JS_NATIVE(vm_drain)
{
    js_drain_microtasks(js);
    return JS_UNDEFINED;
}

static const JsFn fns[] = {
    JS_FN("makeContext", vm_make_context),
    JS_FN("declared", vm_declared),
    JS_FN("eval", vm_eval_script),
    JS_FN("check", vm_check),
    JS_FN("drain", vm_drain),
    JS_FN("within", vm_within),
};
BUILTIN_NATIVE(node_vm, fns)
