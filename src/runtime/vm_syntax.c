/* runtime/vm_syntax.c -- says more about a syntax error than the engine does: our parser knows the
 * column and what it expected. */
#include "runtime/vm.h"

#include "syntax/lex.h"
#include "syntax/scope.h"

static bool find_error(Arena *a, Str text, Str path, LogMsg *ret)
{
    Source *source = ARENA_NEW(a, Source); /* the message points to it */
    *source = (Source){.name = path, .text = lex_pad(a, text)};
    Log log;
    log_init(&log, a);
    Interner atoms;
    interner_init(&atoms, a, 256);
    lex_seed(&atoms);
    AUTO(Ast) tree;
    ast_init(&tree, source, &atoms);
    const ParseOptions options = {.goal = GOAL_COMMONJS};
    Bindings names;
    if (parse(&tree, a, &options, &log)) (void)scope_bind(&tree, &options, a, &log, &names);
    if (!log.msgs.len) return false;
    *ret = log.msgs.at[0];
    return true;
}

/* When our parser finds nothing wrong, the engine's word stays. */
void vm_explain_syntax(Vm *vm, JsVal error, Str text, Str path)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    LogMsg msg;
    if (!find_error(s.arena, text, path, &msg) || !msg.at.src) return;
    LinePos at = source_line(msg.at.src->text, msg.at.pos);
    Str stack = str_fmt(s.arena, "SyntaxError: %.*s\n    at <parse> (%.*s:%u:%u)",
                        STR_ARG(msg.text), STR_ARG(path), at.line, at.column);
    Js *js = vm->js;
    bool ok = js_define(js, error, "message", js_str(js, msg.text), false) &&
              js_define(js, error, "stack", js_str(js, stack), false);
    if (!ok) (void)js_catch(js);
}
