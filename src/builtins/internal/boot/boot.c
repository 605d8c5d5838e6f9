/* internal/boot/boot.c -- native half of internal/boot. */
#include "builtins/builtins.h"

static Str text_at(u32 off, u32 len)
{
    return (Str){builtin_text + off, len};
}

JS_NATIVE(boot_global_names)
{
    JsVal list = js_array(js, NULL, 0);
    for (u32 i = 0; i < builtin_globals_count; i++) {
        const BuiltinGlobal *g = &builtin_globals[i];
        if (!js_set_index(js, list, i, js_str(js, text_at(g->name_off, g->name_len)))) return NULL;
    }
    return list;
}

static const BuiltinGlobal *find_global(Str name)
{
    u32 low = 0, high = builtin_globals_count;
    while (low < high) {
        u32 mid = (low + high) / 2;
        const BuiltinGlobal *g = &builtin_globals[mid];
        int d = str_cmp(name, text_at(g->name_off, g->name_len));
        if (d == 0) return g;
        if (d < 0)
            high = mid;
        else
            low = mid + 1;
    }
    return NULL;
}

JS_NATIVE(boot_load_global)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    Str name;
    if (!js_to_str(js, s.arena, js_arg(args, 0), &name)) return NULL;
    const BuiltinGlobal *g = find_global(name);
    ASSERT(g);
    const BuiltinEntry *e = &builtin_entries[g->entry];
    JsVal exports = vm_builtin(vm_of(js), text_at(e->id_off, e->id_len));
    if (!exports || !g->export_len) return exports;
    return js_get(js, exports, builtin_text + g->export_off);
}

static const JsFn fns[] = {
    JS_FN("globalNames", boot_global_names),
    JS_FN("loadGlobal", boot_load_global),
};
BUILTIN_NATIVE(internal_boot, fns)
