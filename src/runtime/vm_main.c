/* runtime/vm_main.c -- the program's first file.
 *
 * Most small programs have one file and never look at their module.  When the text cannot name what
 * a module gets (exports, require, module, __filename, __dirname), not even by an escape or eval,
 * it is run without the loader; should internal/cjs be loaded later all the same, it takes over the
 * main module as if it had made it (mainFile in internal/cjs). */
#include "runtime/vm.h"

#include "sys/sys.h"

#include <string.h>

/* Any of these bytes sends the file to the loader.  "xport" and "import" are also those of ES
 * modules, "\\u" may begin an escaped name. */
static const char *const words[] = {"odule", "equire", "xport",     "import",
                                    "eval",  "__",     "arguments", "\\u"};

static bool can_see_module(Str text)
{
    for (u32 i = 0; i < COUNT(words); i++)
        if (memmem(text.p, text.n, words[i], strlen(words[i]))) return true;
    return false;
}

static bool is_plain_script(const Vm *vm, Str path)
{
    i32 loader = vm_builtin_find(vm, S("internal/cjs"));
    ASSERT(loader >= 0);
    if (vm->modules[loader].state != JS_REF_DEAD) return false;
    return str_ends(path, S(".js")) || str_ends(path, S(".cjs"));
}

/* Runs the text as the body of a module that nobody will ask for. */
static JsVal run_alone(Vm *vm, Str text, Str path)
{
    Js *js = vm->js;
    JsVal fn = vm_compile_cjs(vm, text, path);
    if (!fn) return NULL;
    JsVal exports = js_object(js);
    js_ref_set_strong(js, &vm->main_exports, exports);
    JsVal result = js_call(js, fn, exports, JS_NO_ARGS);
    vm->is_main_loaded = result != NULL;
    return result;
}

/* Hooks may answer later, so this one is always a promise. */
static JsVal run_hooked(Vm *vm, Str path, bool *ret_done)
{
    Js *js = vm->js;
    JsVal esm = vm_builtin(vm, S("internal/esm"));
    JsVal run = esm ? js_get(js, esm, "runMain") : NULL;
    JsVal promise = run ? js_call(js, run, JS_UNDEFINED, JS_ARGS(js_str(js, path))) : NULL;
    *ret_done = true;
    if (promise) js_ref_set_strong(js, &vm->main_promise, promise);
    return promise;
}

/* A first module may export a server: it is started (internal/serve/entry). */
static bool serve_default(Vm *vm, u32 id, JsVal promise)
{
    Js *js = vm->js;
    JsVal namespace = vm_esm_namespace(vm, id);
    JsVal entry = namespace ? vm_builtin(vm, S("internal/serve/entry")) : NULL;
    JsVal run = entry ? js_get(js, entry, "run") : NULL;
    return run && js_call(js, run, JS_UNDEFINED, JS_ARGS(namespace, promise));
}

/* Files that may be ES modules.  *ret_done: it was one. */
static JsVal run_module(Vm *vm, Str text, Str path, bool *ret_done)
{
    bool is_esm = false;
    if (str_ends(path, S(".json")) || !vm_needs_transform(vm, path, text)) return JS_UNDEFINED;
    if (vm_has_module_hooks(vm)) return run_hooked(vm, path, ret_done);
    vm_give_text(vm, path, text);
    if (!vm_is_esm_file(vm, path, &is_esm)) return NULL;
    *ret_done = is_esm;
    if (!is_esm) return JS_UNDEFINED;
    u32 id;
    if (!vm_esm_load_path(vm, path, &id)) return NULL;
    JsVal promise = vm_esm_evaluate(vm, id);
    if (promise && !js_is_undefined(promise)) js_ref_set_strong(vm->js, &vm->main_promise, promise);
    bool may_serve = promise && str_find_str(text, S("export default")) >= 0;
    return may_serve && !serve_default(vm, id, promise) ? NULL : promise;
}

static JsVal run_with_loader(Vm *vm, Str path)
{
    Js *js = vm->js;
    JsVal loader = vm_builtin(vm, S("internal/cjs"));
    JsVal run = loader ? js_get(js, loader, "runMain") : NULL;
    return run ? js_call(js, run, JS_UNDEFINED, JS_ARGS(js_str(js, path))) : NULL;
}

/* A script of the shell. */
static JsVal run_shell(Vm *vm, const char *function, Str text, Str name)
{
    Js *js = vm->js;
    JsVal shell = vm_builtin(vm, S("bun:shell/main"));
    JsVal run = shell ? js_get(js, shell, function) : NULL;
    if (!run) return NULL;
    return js_call(js, run, JS_UNDEFINED, JS_ARGS(js_str(js, text), js_str(js, name)));
}

int vm_run_shell(Vm *vm, Str text, Str name)
{
    if (!run_shell(vm, "runText", text, name)) vm_report_pending(vm);
    vm_exit(vm, vm_finish(vm));
}

/* The file is read once, whoever comes to run it. */
JsVal vm_run_main(Vm *vm, Str path)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    Str text;
    bool is_done = false;
    if (!vm_read_text(vm, s.arena, path, &text)) return NULL;
    if (str_ends(path, S(".sh"))) return run_shell(vm, "runFile", text, path);
    bool is_plain = is_plain_script(vm, path) && !vm_needs_transform(vm, path, text);
    /* What was loaded before may have put something in the place of Module.runMain. */
    bool is_alone = is_plain && vm->options->n_preload == 0;
    if (is_alone && !can_see_module(text)) return run_alone(vm, text, path);
    vm_code_open(vm, path, text);
    JsVal result = run_module(vm, text, path, &is_done);
    if (!result || is_done) return result;
    vm_give_text(vm, path, text);
    result = run_with_loader(vm, path);
    vm_give_text(vm, S(""), S(""));
    return result;
}
