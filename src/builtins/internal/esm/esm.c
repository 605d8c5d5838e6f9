/* internal/esm/esm.c -- native half of internal/esm. */
#include "builtins/builtins.h"
#include "sys/sys.h"

static u32 id_arg(Js *js, JsArgs args)
{
    return (u32)js_get_i32(js, js_arg(args, 0));
}

JS_NATIVE(esm_namespace)
{
    u32 request = (u32)js_get_i32(js, js_arg(args, 1));
    return vm_esm_request_namespace(vm_of(js), id_arg(js, args), request);
}

JS_NATIVE(esm_late)
{
    return vm_esm_late(vm_of(js), id_arg(js, args), (u32)js_get_i32(js, js_arg(args, 1)));
}

JS_NATIVE(esm_late_object)
{
    return vm_esm_late_object(vm_of(js), id_arg(js, args), (u32)js_get_i32(js, js_arg(args, 1)));
}

JS_NATIVE(esm_namespace_of)
{
    return vm_esm_namespace(vm_of(js), id_arg(js, args));
}

JS_NATIVE(esm_deferred_of)
{
    return vm_esm_deferred_namespace(vm_of(js), id_arg(js, args));
}

JS_NATIVE(esm_run_deferred)
{
    return vm_esm_run_deferred(vm_of(js), id_arg(js, args)) ? JS_UNDEFINED : NULL;
}

JS_NATIVE(esm_async_below)
{
    return vm_esm_async_below(vm_of(js), id_arg(js, args));
}

JS_NATIVE(esm_url)
{
    Vm *vm = vm_of(js);
    u32 id = id_arg(js, args);
    JsVal pair[] = {js_str(js, vm_esm_url(vm, id)), js_str(js, vm_esm_path(vm, id))};
    return js_array(js, pair, COUNT(pair));
}

JS_NATIVE(esm_load)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    Str specifier, importer, type;
    if (!js_to_str(js, s.arena, js_arg(args, 0), &specifier) ||
        !js_to_str(js, s.arena, js_arg(args, 1), &importer) ||
        !js_to_str(js, s.arena, js_arg(args, 2), &type))
        return NULL;
    u32 id;
    if (!vm_esm_load(vm_of(js), specifier, importer, type, &id)) return NULL;
    return js_number(js, id);
}

JS_NATIVE(esm_load_path)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    Str path;
    u32 id;
    if (!js_to_str(js, s.arena, js_arg(args, 0), &path)) return NULL;
    if (!vm_esm_load_path(vm_of(js), path, &id)) return NULL;
    return js_number(js, id);
}

JS_NATIVE(esm_evaluate)
{
    return vm_esm_evaluate(vm_of(js), id_arg(js, args));
}

JS_NATIVE(esm_fulfilled)
{
    vm_esm_fulfilled(vm_of(js), id_arg(js, args));
    return JS_UNDEFINED;
}

JS_NATIVE(esm_rejected)
{
    vm_esm_rejected(vm_of(js), id_arg(js, args), js_arg(args, 1));
    return JS_UNDEFINED;
}

JS_NATIVE(esm_is_async)
{
    return js_boolean(vm_esm_is_async(vm_of(js), id_arg(js, args)));
}

/* What Node calls the format of a file, or undefined when its text decides. */
JS_NATIVE(esm_format_of)
{
    static const char *const names[] = {
        [RESOLVE_FORMAT_DETECT] = NULL,         [RESOLVE_FORMAT_MODULE] = "module",
        [RESOLVE_FORMAT_COMMONJS] = "commonjs", [RESOLVE_FORMAT_JSON] = "json",
        [RESOLVE_FORMAT_ADDON] = "addon",       [RESOLVE_FORMAT_WASM] = "wasm",
        [RESOLVE_FORMAT_OTHER] = NULL};
    AUTO(Scratch) s = scratch_begin(NULL);
    Str path;
    Vm *vm = vm_of(js);
    if (!js_to_str(js, s.arena, js_arg(args, 0), &path) || !vm_need_resolver(vm)) return NULL;
    const char *name = names[resolve_format(vm->resolver, path)];
    if (!name) return JS_UNDEFINED;
    bool is_ts = str_ends(path, S("ts"));
    if (is_ts && (str_eq(str_z(name), S("module")) || str_eq(str_z(name), S("commonjs"))))
        return js_str(js, str_fmt(s.arena, "%s-typescript", name));
    return js_str(js, str_z(name));
}

JS_NATIVE(esm_is_module)
{
    return js_boolean(vm_esm_is_module(vm_of(js), id_arg(js, args)));
}

JS_NATIVE(esm_set_hooks)
{
    vm_set_module_hooks(vm_of(js), js_arg(args, 0));
    return JS_UNDEFINED;
}

JS_NATIVE(esm_is_data)
{
    return js_boolean(vm_esm_is_data(vm_of(js), id_arg(js, args)));
}

JS_NATIVE(esm_read_text)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    Str path, text;
    if (!js_to_str(js, s.arena, js_arg(args, 0), &path)) return NULL;
    if (str_starts(path, S("data:")) && sourcemap_data_url(s.arena, path, &text))
        return js_str(js, text);
    if (!vm_read_text(vm_of(js), s.arena, path, &text)) return NULL;
    return js_str(js, text);
}

JS_NATIVE(esm_read_bytes)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    Str path, bytes;
    if (!js_to_str(js, s.arena, js_arg(args, 0), &path)) return NULL;
    int rc = sys_read_file(s.arena, path, SYS_FILE_MAX, &bytes);
    if (rc < 0) return js_throw_sys(js, rc, "open", path);
    return js_u8array(js, bytes.p, bytes.n);
}

JS_NATIVE(esm_is_main)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    Str path;
    if (!js_to_str(js, s.arena, js_arg(args, 0), &path)) return NULL;
    return js_boolean(str_eq(path, vm_of(js)->main_path));
}

static bool resolve(Js *js, Arena *a, JsArgs args, ResolveResult *ret)
{
    Str specifier, importer;
    return js_to_str(js, a, js_arg(args, 0), &specifier) &&
           js_to_str(js, a, js_arg(args, 1), &importer) &&
           vm_resolve(vm_of(js), specifier, importer, RESOLVE_IMPORT, ret);
}

JS_NATIVE(esm_resolve)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    ResolveResult found;
    if (!resolve(js, s.arena, args, &found)) return NULL;
    return js_str(js, str_concat(s.arena, found.path, found.suffix));
}

/* [path, suffix] */
JS_NATIVE(esm_resolve_parts)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    ResolveResult found;
    if (!resolve(js, s.arena, args, &found)) return NULL;
    JsVal parts[] = {js_str(js, found.path), js_str(js, found.suffix)};
    return js_array(js, parts, COUNT(parts));
}

JS_NATIVE(esm_builtin)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    Str id;
    if (!js_to_str(js, s.arena, js_arg(args, 0), &id)) return NULL;
    return vm_builtin(vm_of(js), id);
}

/* loadText(text, path) -> [id, isModule] */
JS_NATIVE(esm_load_text)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    Str text, path;
    u32 id;
    if (!js_to_str(js, s.arena, js_arg(args, 0), &text) ||
        !js_to_str(js, s.arena, js_arg(args, 1), &path))
        return NULL;
    Vm *vm = vm_of(js);
    if (!vm_esm_load_text(vm, text, path, &id)) return NULL;
    JsVal pair[] = {js_number(js, id), js_boolean(vm_esm_is_module(vm, id))};
    return js_array(js, pair, COUNT(pair));
}

/* textOf(id): the lowered text of a program that is no module. */
JS_NATIVE(esm_text_of)
{
    Str text = vm_esm_text(vm_of(js), id_arg(js, args));
    return text.p ? js_str(js, text) : NULL;
}

JS_NATIVE(esm_objects_of)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    Str path;
    if (!js_to_str(js, s.arena, js_arg(args, 0), &path)) return NULL;
    return vm_esm_objects(vm_of(js), path);
}

static const JsFn fns[] = {
    JS_FN("namespace", esm_namespace),
    JS_FN("late", esm_late),
    JS_FN("lateObject", esm_late_object),
    JS_FN("namespaceOf", esm_namespace_of),
    JS_FN("deferredOf", esm_deferred_of),
    JS_FN("runDeferred", esm_run_deferred),
    JS_FN("asyncBelow", esm_async_below),
    JS_FN("url", esm_url),
    JS_FN("load", esm_load),
    JS_FN("loadPath", esm_load_path),
    JS_FN("loadText", esm_load_text),
    JS_FN("textOf", esm_text_of),
    JS_FN("evaluate", esm_evaluate),
    JS_FN("fulfilled", esm_fulfilled),
    JS_FN("rejected", esm_rejected),
    JS_FN("isAsync", esm_is_async),
    JS_FN("isData", esm_is_data),
    JS_FN("objectsOf", esm_objects_of),
    JS_FN("isModule", esm_is_module),
    JS_FN("formatOf", esm_format_of),
    JS_FN("setHooks", esm_set_hooks),
    JS_FN("readText", esm_read_text),
    JS_FN("readBytes", esm_read_bytes),
    JS_FN("isMain", esm_is_main),
    JS_FN("resolve", esm_resolve),
    JS_FN("resolveParts", esm_resolve_parts),
    JS_FN("builtin", esm_builtin),
};
BUILTIN_NATIVE(internal_esm, fns)
