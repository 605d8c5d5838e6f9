/* runtime/vm_globals.c -- the globals of the host: made when the program touches them.
 *
 * The engine asks for a global that it does not have (js_lazy_globals).  An engine that cannot gets
 * accessors instead, which internal/boot defines. */
#include "runtime/vm.h"

/* As in Bun: all are enumerable but these (sorted). */
static const char *const hidden[] = {
    "ByteLengthQueuingStrategy",
    "CountQueuingStrategy",
    "ReadableByteStreamController",
    "ReadableStream",
    "ReadableStreamBYOBReader",
    "ReadableStreamBYOBRequest",
    "ReadableStreamDefaultController",
    "ReadableStreamDefaultReader",
    "Temporal",
    "TransformStream",
    "TransformStreamDefaultController",
    "URL",
    "URLSearchParams",
    "WritableStream",
    "WritableStreamDefaultController",
    "WritableStreamDefaultWriter",
    "console",
};

static Str name_at(const VmBuiltins *all, u32 i)
{
    return (Str){all->text + all->globals[i].name_off, all->globals[i].name_len};
}

i32 vm_global_find(const Vm *vm, Str name)
{
    const VmBuiltins *all = vm->options->builtins;
    u32 low = 0, high = all->n_globals;
    while (low < high) {
        u32 mid = (low + high) / 2;
        int d = str_cmp(name, name_at(all, mid));
        if (d == 0) return (i32)mid;
        if (d < 0)
            high = mid;
        else
            low = mid + 1;
    }
    return -1;
}

bool vm_global_is_enumerable(Str name)
{
    for (u32 i = 0; i < COUNT(hidden); i++)
        if (str_eq(name, str_z(hidden[i]))) return false;
    return true;
}

JsVal vm_global_load(Vm *vm, u32 i)
{
    const VmBuiltins *all = vm->options->builtins;
    ASSERT(i < all->n_globals);
    const BuiltinGlobal *g = &all->globals[i];
    const BuiltinEntry *e = &all->entries[g->entry];
    JsVal exports = vm_builtin(vm, (Str){all->text + e->id_off, e->id_len});
    if (!exports || !g->export_len) return exports;
    return js_get(vm->js, exports, all->text + g->export_off);
}

/* ---- What the engine asks: the table, and `global` behind its last entry
 * ------------------------------ */

static u32 n_globals(Js *js)
{
    return vm_of(js)->options->builtins->n_globals;
}

static i32 find(Js *js, Str name)
{
    if (str_eq(name, S("global"))) return (i32)n_globals(js);
    return vm_global_find(vm_of(js), name);
}

static Str name_of(Js *js, u32 i)
{
    return i == n_globals(js) ? S("global") : name_at(vm_of(js)->options->builtins, i);
}

static bool is_enumerable(Js *js, u32 i)
{
    return vm_global_is_enumerable(name_of(js, i));
}

static JsVal load(Js *js, u32 i)
{
    return i == n_globals(js) ? js_global(js) : vm_global_load(vm_of(js), i);
}

/* ---- WebAssembly of the engine lacks what takes a Response ----------------------------------- */

static JsVal call_streaming(Js *js, const char *name, JsArgs args)
{
    JsVal module = vm_builtin(vm_of(js), S("web/wasm"));
    JsVal fn = module ? js_get(js, module, name) : NULL;
    return fn ? js_call(js, fn, JS_UNDEFINED, args) : NULL;
}

JS_NATIVE(compile_streaming)
{
    return call_streaming(js, "compileStreaming", args);
}

JS_NATIVE(instantiate_streaming)
{
    return call_streaming(js, "instantiateStreaming", args);
}

static bool add_streaming(Js *js)
{
    static const JsFn fns[] = {JS_FN("compileStreaming", compile_streaming),
                               JS_FN("instantiateStreaming", instantiate_streaming)};
    JsVal assembly = js_get(js, js_global(js), "WebAssembly");
    if (!assembly) return false;
    if (!js_is_object(js, assembly)) return true; /* an engine without it */
    for (u32 i = 0; i < COUNT(fns); i++) {
        if (!js_set(js, assembly, fns[i].name, js_function(js, &fns[i]))) return false;
    }
    return true;
}

bool vm_globals_init(Vm *vm)
{
    Js *js = vm->js;
    JsLazyGlobals globals = {.n = n_globals(js) + 1,
                             .find = find,
                             .name = name_of,
                             .is_enumerable = is_enumerable,
                             .load = load};
    /* The engine has a console object of its own, which would hide a lazy one. */
    if (!vm->options->builtins->start_console(js) && !js_delete(js, js_global(js), "console"))
        return false;
    if (!add_streaming(js)) return false;
    return js_lazy_globals(js, &globals) || vm_builtin(vm, S("internal/boot")) != NULL;
}
