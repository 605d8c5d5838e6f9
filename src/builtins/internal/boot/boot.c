/* internal/boot/boot.c -- native half of internal/boot. */
#include "builtins/builtins.h"

JS_NATIVE(boot_global_names)
{
    JsVal list = js_array(js, NULL, 0);
    for (u32 i = 0; i < builtin_globals_count; i++) {
        const BuiltinGlobal *g = &builtin_globals[i];
        Str name = {builtin_text + g->name_off, g->name_len};
        if (!js_set_index(js, list, i, js_str(js, name))) return NULL;
    }
    return list;
}

JS_NATIVE(boot_is_enumerable)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    Str name;
    if (!js_to_str(js, s.arena, js_arg(args, 0), &name)) return NULL;
    return js_boolean(vm_global_is_enumerable(name));
}

JS_NATIVE(boot_load_global)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    Str name;
    if (!js_to_str(js, s.arena, js_arg(args, 0), &name)) return NULL;
    i32 i = vm_global_find(vm_of(js), name);
    JS_EXPECT(js, i >= 0);
    return vm_global_load(vm_of(js), (u32)i);
}

static const JsFn fns[] = {
    JS_FN("globalNames", boot_global_names),
    JS_FN("isEnumerable", boot_is_enumerable),
    JS_FN("loadGlobal", boot_load_global),
};
BUILTIN_NATIVE(internal_boot, fns)
