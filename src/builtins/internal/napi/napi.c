/* internal/napi/napi.c -- native half of internal/napi. */
#include "napi/napi.h"
#include "builtins/builtins.h"

/* (path, url, flags, exports): what module.exports becomes. */
JS_NATIVE(addon_load)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    NapiAddon addon = {.flags = js_get_i32(js, js_arg(args, 2))};
    if (!js_to_str(js, s.arena, js_arg(args, 0), &addon.path)) return NULL;
    if (!js_to_str(js, s.arena, js_arg(args, 1), &addon.url)) return NULL;
    return napi_addon_load(vm_of(js), &addon, js_arg(args, 3));
}

JS_NATIVE(addon_died)
{
    napi_addon_object_died(vm_of(js), js_get_number(js, js_arg(args, 0)));
    return JS_UNDEFINED;
}

static const JsFn fns[] = {JS_FN("load", addon_load), JS_FN("died", addon_died)};
BUILTIN_NATIVE(internal_napi, fns)
