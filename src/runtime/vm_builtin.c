/* runtime/vm_builtin.c -- built-in modules: found by id, evaluated at first use, globals on demand.
 */
#include "runtime/vm.h"

#include "sys/sys.h"

#include <string.h>

static Str text_at(const Vm *vm, u32 off, u32 len)
{
    return (Str){vm->options->builtins->text + off, len};
}

static Str id_of(const Vm *vm, u32 i)
{
    const BuiltinEntry *e = &vm->options->builtins->entries[i];
    return text_at(vm, e->id_off, e->id_len);
}

i32 vm_builtin_find(const Vm *vm, Str id)
{
    u32 low = 0, high = vm->options->builtins->n_entries;
    while (low < high) {
        u32 mid = (low + high) / 2;
        int d = str_cmp(id, id_of(vm, mid));
        if (d == 0) return (i32)mid;
        if (d < 0)
            high = mid;
        else
            low = mid + 1;
    }
    return -1;
}

static bool is_public(const Vm *vm, i32 i)
{
    if (i < 0) return false;
    return vm->options->expose_internals ||
           !(vm->options->builtins->entries[i].flags & BUILTIN_INTERNAL);
}

/* Without "node:" these are packages, as in Node. */
static bool is_prefix_only(Str name)
{
    static const char *const names[] = {"sea", "sqlite", "test", "test/reporters"};
    for (u32 i = 0; i < COUNT(names); i++)
        if (str_eq(name, str_z(names[i]))) return true;
    return false;
}

Str vm_builtin_public(const Vm *vm, Str specifier)
{
    if (!specifier.n || specifier.p[0] == '.' || specifier.p[0] == '/') return (Str){0};
    if (str_eq(specifier, S("bun")) || str_eq(specifier, S("cob"))) return S("bun:bun");
    if (str_eq(specifier, S("cob:test"))) return S("bun:test");
    if (vm->is_testing && (str_eq(specifier, S("@jest/globals")) || str_eq(specifier, S("vitest"))))
        return S("bun:test");
    i32 i = vm_builtin_find(vm, specifier);
    if (i < 0 && !is_prefix_only(specifier)) {
        char name[64];
        static const char prefix[] = "node:";
        if (specifier.n > sizeof(name) - sizeof(prefix)) return (Str){0};
        memcpy(name, prefix, sizeof(prefix) - 1);
        memcpy(name + sizeof(prefix) - 1, specifier.p, specifier.n);
        i = vm_builtin_find(vm, (Str){name, specifier.n + sizeof(prefix) - 1});
    }
    return is_public(vm, i) ? id_of(vm, (u32)i) : (Str){0};
}

/* The code that was made of entry `i` when this was built; empty: there is none. */
static Str code_of(const Vm *vm, u32 i)
{
    const BuiltinCodes *codes = vm->options->builtins->codes;
    if (!codes || i >= codes->n) return S("");
    const BuiltinCode *c = &codes->at[i];
    if (c->src_hash != vm->options->builtins->entries[i].src_hash) return S("");
    return (Str){(const char *)codes + c->off, c->len};
}

/* Debug builds read the JavaScript from disk when COB_BUILTINS names src/builtins: edit, rerun. */
static JsVal compile(Vm *vm, u32 i)
{
    const BuiltinEntry *e = &vm->options->builtins->entries[i];
    Str id = id_of(vm, i);
#ifdef COB_DEBUG
    AUTO(Scratch) s = scratch_begin(NULL);
    Str dir, text;
    if (sys_env_find(s.arena, S("COB_BUILTINS"), &dir)) {
        Str path = str_fmt(s.arena, "%.*s/%.*s", STR_ARG(dir),
                           STR_ARG(text_at(vm, e->path_off, e->path_len)));
        if (sys_read_file(s.arena, path, SYS_FILE_MAX, &text) == 0) {
            text = str_fmt(s.arena, "(function (exports, require, native) {'use strict'; %.*s\n})",
                           STR_ARG(text));
            return js_eval(vm->js, text, id, 1);
        }
    }
#endif
    return js_static_eval(vm->js, text_at(vm, e->src_off, e->src_len), id, code_of(vm, i));
}

static JsVal native_half(Vm *vm, const BuiltinEntry *e)
{
    if (e->native_idx == BUILTIN_NO_NATIVE) return JS_UNDEFINED;
    return js_fn_table(vm->js, vm->options->builtins->natives[e->native_idx]);
}

static JsVal load(Vm *vm, u32 i)
{
    const BuiltinEntry *e = &vm->options->builtins->entries[i];
    Js *js = vm->js;
    JsVal fn = compile(vm, i);
    if (!fn) return NULL;
    JsVal exports = js_object(js);
    /* Cycles among built-ins see what is exported so far. */
    js_ref_set_strong(js, &vm->modules[i], exports);
    JsVal require = js_ref_get(js, &vm->require);
    JsVal r = js_call(js, fn, JS_UNDEFINED, JS_ARGS(exports, require, native_half(vm, e)));
    if (!r) {
        js_ref_clear(js, &vm->modules[i]);
        return NULL;
    }
    if (js_is_undefined(r)) return exports;
    js_ref_set_strong(js, &vm->modules[i], r);
    return r;
}

JsVal vm_builtin(Vm *vm, Str id)
{
    i32 i = vm_builtin_find(vm, id);
    if (i < 0) return js_throw_error(vm->js, "No such built-in module: %.*s", STR_ARG(id));
    JsVal exports = js_ref_get(vm->js, &vm->modules[i]);
    return exports ? exports : load(vm, (u32)i);
}
