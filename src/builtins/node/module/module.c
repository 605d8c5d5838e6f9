/* node/module/module.c -- native half of node:module. */
#include "builtins/builtins.h"
#include "sys/sys.h"

/* Public names in Node's form: without the "node:" where the bare name works too. */
JS_NATIVE(module_builtin_modules)
{
    const VmBuiltins *b = vm_of(js)->options->builtins;
    JsVal list = js_array(js, NULL, 0);
    u32 n = 0;
    for (u32 i = 0; i < b->n_entries; i++) {
        if (b->entries[i].flags & BUILTIN_INTERNAL) continue;
        Str id = {b->text + b->entries[i].id_off, b->entries[i].id_len};
        if (str_starts(id, S("node:"))) {
            /* The bare name of some is a package's. */
            Str bare = str_skip(id, 5);
            if (vm_builtin_public(vm_of(js), bare).n) id = bare;
        }
        if (!js_set_index(js, list, n++, js_str(js, id))) return NULL;
    }
    return list;
}

JS_NATIVE(module_is_builtin)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    Str name;
    if (!js_to_str(js, s.arena, js_arg(args, 0), &name)) return NULL;
    return js_boolean(vm_builtin_public(vm_of(js), name).n > 0);
}

/* kindOf(path): 1 for a file, 2 for a folder, 0 for anything else. */
JS_NATIVE(module_kind_of)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    Str path;
    SysStat stat;
    if (!js_to_str(js, s.arena, js_arg(args, 0), &path)) return NULL;
    if (sys_stat(path, &stat) < 0) return js_int(js, 0);
    return js_int(js, S_ISREG(stat.mode) ? 1 : S_ISDIR(stat.mode) ? 2 : 0);
}

/* enableCodeCache(dir): a status of node:module; "" is the usual folder. */
JS_NATIVE(module_enable_code_cache)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    Str dir;
    if (!js_to_str(js, s.arena, js_arg(args, 0), &dir)) return NULL;
    return js_int(js, vm_code_enable(vm_of(js), dir));
}

JS_NATIVE(module_code_cache_dir)
{
    return js_str(js, vm_code_dir(vm_of(js)));
}

JS_NATIVE(module_save_code_cache)
{
    vm_code_save(vm_of(js));
    return JS_UNDEFINED;
}

static const JsFn fns[] = {
    JS_FN("enableCodeCache", module_enable_code_cache),
    JS_FN("codeCacheDir", module_code_cache_dir),
    JS_FN("saveCodeCache", module_save_code_cache),
    JS_FN("kindOf", module_kind_of),
    JS_FN("builtinModules", module_builtin_modules),
    JS_FN("isBuiltin", module_is_builtin),
};
BUILTIN_NATIVE(node_module, fns)
