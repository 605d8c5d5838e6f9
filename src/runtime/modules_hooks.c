/* runtime/modules_hooks.c -- programs that take part in resolving and loading (Bun.plugin,
 * module.registerHooks): internal/module_hooks decides, this asks it.
 *
 * Until a program sets hooks nothing is asked and nothing costs. */
#include "runtime/modules.h"

#include "util/mem.h"

void vm_set_module_hooks(Vm *vm, JsVal hooks)
{
    if (!vm->esm) vm->esm = MEM_NEW(struct VmModules);
    js_ref_set_strong(vm->js, &vm->esm->hooks, hooks);
}

bool vm_has_module_hooks(const Vm *vm)
{
    return vm->esm && vm->esm->hooks.state != JS_REF_DEAD;
}

static JsVal ask(Vm *vm, const char *name, JsArgs args)
{
    JsVal hooks = js_ref_get(vm->js, &vm->esm->hooks);
    JsVal fn = js_get(vm->js, hooks, name);
    return fn ? js_call(vm->js, fn, hooks, args) : NULL;
}

/* Element `i` of an answer as text; empty for what is null or absent. */
static bool text_at(Js *js, Arena *a, JsVal answer, u32 i, Str *ret)
{
    JsVal v = js_get_index(js, answer, i);
    *ret = S("");
    if (!v) return false;
    return js_is_nullish(v) || js_to_str(js, a, v, ret);
}

bool module_hook_resolve(Vm *vm, Arena *a, HookQuestion q, HookTarget *ret)
{
    *ret = (HookTarget){0};
    if (!vm_has_module_hooks(vm)) return true;
    Js *js = vm->js;
    JsVal answer = ask(vm, "resolve",
                       JS_ARGS(js_str(js, q.specifier), js_str(js, q.importer), js_str(js, q.type),
                               js_boolean(q.is_required)));
    if (!answer || js_is_undefined(answer)) return answer != NULL;
    if (!text_at(js, a, answer, 0, &ret->path) || !text_at(js, a, answer, 1, &ret->suffix))
        return false;
    ret->is_given = true;
    return true;
}

bool module_hook_load(VmModule *m, Str type, bool is_required, bool *ret_done)
{
    Vm *vm = m->vm;
    Js *js = vm->js;
    *ret_done = false;
    if (!vm_has_module_hooks(vm)) return true;
    AUTO(Scratch) s = scratch_begin(&m->arena);
    JsVal answer = ask(vm, "load",
                       JS_ARGS(js_str(js, m->url), js_str(js, m->path), js_str(js, type),
                               js_boolean(is_required)));
    if (!answer || js_is_undefined(answer)) return answer != NULL;
    Str loader, text;
    if (!text_at(js, s.arena, answer, 0, &loader) || !text_at(js, s.arena, answer, 1, &text))
        return false;
    *ret_done = true;
    if (str_eq(loader, S("object"))) {
        m->kind = MODULE_OBJECT;
        return true;
    }
    m->is_hooked = true;
    return module_parse_as(m, text, str_dup(&m->arena, loader));
}
