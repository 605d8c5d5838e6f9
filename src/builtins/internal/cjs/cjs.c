/* internal/cjs/cjs.c -- native half of internal/cjs: finding, reading and compiling modules. */
#include "builtins/builtins.h"
#include "util/path.h"

static bool take_str(Js *js, Arena *a, JsArgs args, u32 i, Str *ret)
{
    return js_to_str(js, a, js_arg(args, i), ret);
}

/* resolve(request, parentFile, isMain): the file, or the id of a public built-in. */
JS_NATIVE(cjs_resolve)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    Str request, parent, found;
    if (!take_str(js, s.arena, args, 0, &request) || !take_str(js, s.arena, args, 1, &parent))
        return NULL;
    if (!vm_resolve_require(vm_of(js), request, parent, &found)) return NULL;
    return js_str(js, found);
}

/* compile(file): its wrapper, or null when it is an ES module. */
JS_NATIVE(cjs_compile)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    Str path;
    if (!take_str(js, s.arena, args, 0, &path)) return NULL;
    return vm_compile_file(vm_of(js), path);
}

JS_NATIVE(cjs_compile_text)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    Str text, path;
    if (!take_str(js, s.arena, args, 0, &text) || !take_str(js, s.arena, args, 1, &path))
        return NULL;
    return vm_compile_cjs(vm_of(js), text, path);
}

JS_NATIVE(cjs_eval_text)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    Str text, name;
    if (!take_str(js, s.arena, args, 0, &text) || !take_str(js, s.arena, args, 1, &name))
        return NULL;
    return vm_eval(vm_of(js), text, name, 0);
}

JS_NATIVE(cjs_read_text)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    Str path, text;
    if (!take_str(js, s.arena, args, 0, &path)) return NULL;
    if (!vm_read_text(vm_of(js), s.arena, path, &text)) return NULL;
    return js_str(js, text);
}

JS_NATIVE(cjs_builtin)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    Str id;
    if (!take_str(js, s.arena, args, 0, &id)) return NULL;
    return vm_builtin(vm_of(js), id);
}

JS_NATIVE(cjs_is_builtin)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    Str name;
    if (!take_str(js, s.arena, args, 0, &name)) return NULL;
    return js_boolean(vm_builtin_public(vm_of(js), name).n > 0);
}

JS_NATIVE(cjs_dirname)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    Str path;
    if (!take_str(js, s.arena, args, 0, &path)) return NULL;
    return js_str(js, path_dirname(path));
}

JS_NATIVE(cjs_join)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    Str dir, rest;
    if (!take_str(js, s.arena, args, 0, &dir) || !take_str(js, s.arena, args, 1, &rest))
        return NULL;
    if (str_starts(rest, S("/"))) return js_str(js, rest);
    return js_str(js, path_join2(s.arena, dir, rest));
}

/* findPaths(dir): the node_modules folders from there to the root (Node: NODE_MODULES_PATHS). */
JS_NATIVE(cjs_find_paths)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    Str dir;
    if (!take_str(js, s.arena, args, 0, &dir)) return NULL;
    JsVal list = js_array(js, NULL, 0);
    u32 n = 0;
    for (;;) {
        bool is_root = dir.n <= 1;
        if (!str_ends(dir, S("/node_modules"))) {
            Str path = str_fmt(s.arena, "%.*s/node_modules", is_root ? 0 : (int)dir.n, dir.p);
            if (!js_set_index(js, list, n++, js_str(js, path))) return NULL;
        }
        if (is_root) return list;
        dir = path_dirname(dir);
    }
}

/* mainFile(): [file, exports, loaded] of a program that was begun without this module. */
JS_NATIVE(cjs_main_file)
{
    Vm *vm = vm_of(js);
    JsVal exports = js_ref_get(js, &vm->main_exports);
    if (!exports) return JS_UNDEFINED;
    JsVal parts[] = {js_str(js, vm->main_path), exports, js_boolean(vm->is_main_loaded)};
    return js_array(js, parts, COUNT(parts));
}

static const JsFn fns[] = {
    JS_FN("resolve", cjs_resolve),
    JS_FN("compile", cjs_compile),
    JS_FN("compileText", cjs_compile_text),
    JS_FN("evalText", cjs_eval_text),
    JS_FN("readText", cjs_read_text),
    JS_FN("builtin", cjs_builtin),
    JS_FN("isBuiltin", cjs_is_builtin),
    JS_FN("dirname", cjs_dirname),
    JS_FN("join", cjs_join),
    JS_FN("findPaths", cjs_find_paths),
    JS_FN("mainFile", cjs_main_file),
};
BUILTIN_NATIVE(internal_cjs, fns)
