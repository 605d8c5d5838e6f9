/* runtime/modules_api.c -- ES modules for the rest of the program: by number, as internal/esm names
 * them. */
#include "runtime/modules.h"

#include "syntax/define.h"

#include <string.h>

static VmModule *get(Vm *vm, u32 id)
{
    ASSERT(vm->esm && id < vm->esm->all.len);
    return vm->esm->all.at[id];
}

VmModule *module_usable(Vm *vm, u32 id)
{
    VmModule *m = get(vm, id);
    if (!m->is_released) return m;
    (void)js_throw_error(vm->js, "%.*s was unloaded when its test file had ended",
                         STR_ARG(m->path));
    return NULL;
}

bool vm_esm_load(Vm *vm, Str specifier, Str importer, Str type, u32 *ret)
{
    VmModule *m = module_load(vm, specifier, importer, type);
    if (m) *ret = m->id;
    return m != NULL;
}

bool vm_esm_load_path(Vm *vm, Str path, u32 *ret)
{
    VmModule *m = module_load_path(vm, path);
    if (m) *ret = m->id;
    return m != NULL;
}

JsVal vm_esm_evaluate(Vm *vm, u32 id)
{
    VmModule *m = module_usable(vm, id);
    ModuleList order = {0};
    if (!m || !module_link(m, &order) || !module_evaluate(m)) return NULL;
    return module_promise(m);
}

JsVal vm_esm_namespace(Vm *vm, u32 id)
{
    VmModule *m = module_usable(vm, id);
    return m ? module_namespace(m) : NULL;
}

JsVal vm_esm_request_namespace(Vm *vm, u32 id, u32 request)
{
    VmModule *m = module_usable(vm, id);
    if (!m) return NULL;
    ASSERT(request < m->info.requests.len);
    bool is_deferred = m->info.requests.at[request].phase == PHASE_DEFER;
    return is_deferred ? module_deferred_namespace(m->deps[request])
                       : module_namespace(m->deps[request]);
}

JsVal vm_esm_deferred_namespace(Vm *vm, u32 id)
{
    VmModule *m = module_usable(vm, id);
    return m ? module_deferred_namespace(m) : NULL;
}

bool vm_esm_run_deferred(Vm *vm, u32 id)
{
    VmModule *m = module_usable(vm, id);
    return m && module_run_deferred(m);
}

JsVal vm_esm_async_below(Vm *vm, u32 id)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    ModuleList order = {0}, found = {0};
    VmModule *m = module_usable(vm, id);
    if (!m || !module_link(m, &order)) return NULL;
    module_gather_async(m, s.arena, &found);
    JsVal list = js_array(vm->js, NULL, 0);
    for (u32 i = 0; i < found.len; i++)
        if (!js_set_index(vm->js, list, i, js_number(vm->js, found.at[i]->id))) return NULL;
    return list;
}

void vm_esm_fulfilled(Vm *vm, u32 id)
{
    module_fulfilled(get(vm, id));
}

void vm_esm_rejected(Vm *vm, u32 id, JsVal error)
{
    module_rejected(get(vm, id), error);
}

Str vm_esm_url(Vm *vm, u32 id)
{
    return get(vm, id)->url;
}

Str vm_esm_path(Vm *vm, u32 id)
{
    return get(vm, id)->path;
}

/* Is there an await at the top level of the graph? */
bool vm_esm_is_async(Vm *vm, u32 id)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    ModuleList todo = {0};
    IdMap seen = {0};
    vec_push(s.arena, &todo, get(vm, id));
    while (todo.len) {
        VmModule *m = vec_pop(&todo);
        bool is_new;
        (void)id_map_put(s.arena, &seen, m->id + 1, &is_new);
        if (!is_new || m->kind != MODULE_ESM || m->state == MODULE_EVALUATED) continue;
        if (m->info.has_await) return true;
        for (u32 i = 0; i < m->info.requests.len; i++) vec_push(s.arena, &todo, m->deps[i]);
    }
    return false;
}

bool vm_esm_is_data(Vm *vm, u32 id)
{
    ModuleKind kind = get(vm, id)->kind;
    return kind == MODULE_DATA || kind == MODULE_JSON || kind == MODULE_OBJECT;
}

void vm_esm_keep(Vm *vm)
{
    if (vm->esm) vm->esm->n_kept = vm->esm->all.len;
}

void vm_esm_set_live(Vm *vm, bool is_live)
{
    vm->is_all_live = is_live;
}

JsVal vm_esm_objects(Vm *vm, Str path)
{
    JsVal list = js_array(vm->js, NULL, 0);
    u32 n = 0;
    for (u32 i = 0; list && vm->esm && i < vm->esm->all.len; i++) {
        const VmModule *m = vm->esm->all.at[i];
        const u64 *known = str_map_find(&vm->esm->by_url, m->url);
        if (!known || *known != (u64)(uintptr_t)m) continue;
        if (!str_eq(m->path, path) && !str_eq(m->url, path)) continue;
        JsVal object = js_ref_get(vm->js, &m->object), node = js_ref_get(vm->js, &m->object_node);
        if (object && !js_set_index(vm->js, list, n++, object)) return NULL;
        if (node && !js_set_index(vm->js, list, n++, node)) return NULL;
    }
    return list;
}

/* ---- CommonJS files that are not plain
 * -------------------------------------------------------------- */

static bool has_word(Str text, const char *word)
{
    return memmem(text.p, text.n, word, strlen(word)) != NULL;
}

/* "export" that is not the beginning of "exports". */
static bool has_export(Str text)
{
    for (;;) {
        i64 at = str_find_str(text, S("export"));
        if (at < 0) return false;
        text = str_skip(text, (usize)at + 6);
        if (!text.n || text.p[0] != 's') return true;
    }
}

bool vm_has_defines(const Vm *vm, Str text)
{
    const Defines *d = vm->options->defines;
    u32 pos = 0;
    if (!d) return false;
    for (StrMapSlot *s; (s = str_map_next((StrMap *)(uintptr_t)&d->by_last, &pos));)
        if (str_find_str(text, s->key) >= 0) return true;
    return false;
}

bool vm_needs_transform(const Vm *vm, Str path, Str text)
{
    bool is_js = str_ends(path, S(".js")) || str_ends(path, S(".cjs"));
    if (!is_js && str_find(str_skip(path, (usize)(str_rfind(path, '/') + 1)), '.') >= 0)
        return true;
    if (vm_has_defines(vm, text) || vm_covers(vm, path)) return true;
    if (has_word(text, "import") || has_export(text) || has_word(text, "await") ||
        has_word(text, "using "))
        return true;
    bool is_package = str_find_str(path, S("/node_modules/")) >= 0;
    return !is_package && (has_word(text, "</") || has_word(text, "/>"));
}

static JsVal compile_cjs(VmModule *m)
{
    AUTO(Buf) text = {0};
    if (!module_emit(m, &text)) return NULL;
    bool has_importer = m->info.uses_dynamic_import || m->info.uses_meta;
    JsVal fn = vm_compile_cjs_with(m->vm, buf_str(&text), m->path, has_importer);
    if (fn) module_keep_original(m, m->path);
    return fn;
}

JsVal vm_compile_file(Vm *vm, Str path)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    Str text;
    if (vm_has_module_hooks(vm)) {
        VmModule *hooked = module_open_file(vm, path);
        if (!hooked) return NULL;
        return hooked->kind == MODULE_CJS ? compile_cjs(hooked) : JS_NULL;
    }
    if (!vm_read_text(vm, s.arena, path, &text)) return NULL;
    if (!vm_needs_transform(vm, path, text)) return vm_compile_cjs(vm, text, path);
    vm_give_text(vm, path, text);
    VmModule *m = module_open_file(vm, path);
    vm_give_text(vm, S(""), S(""));
    if (!m) return NULL;
    return m->kind == MODULE_CJS ? compile_cjs(m) : JS_NULL;
}

bool vm_is_esm_file(Vm *vm, Str path, bool *ret)
{
    VmModule *m = module_open_file(vm, path);
    if (m) *ret = m->kind == MODULE_ESM;
    return m != NULL;
}

bool vm_esm_load_text(Vm *vm, Str text, Str path, u32 *ret)
{
    VmModule *m = module_from_text(vm, text, path);
    if (m) *ret = m->id;
    return m != NULL;
}

bool vm_esm_is_module(Vm *vm, u32 id)
{
    return get(vm, id)->kind == MODULE_ESM;
}

Str vm_esm_text(Vm *vm, u32 id)
{
    VmModule *m = get(vm, id);
    Buf text = {0};
    if (!module_emit(m, &text)) return (Str){0};
    Str kept = str_dup(&m->arena, buf_str(&text));
    Buf_deinit(&text);
    return kept;
}

JsVal vm_import(Js *js, JsVal specifier, JsVal attributes, Str referrer)
{
    Vm *vm = vm_of(js);
    bool is_of_vm = str_starts(referrer, S("cob-vm:"));
    JsVal helpers = vm_builtin(vm, is_of_vm ? S("internal/vm_import") : S("internal/esm"));
    JsVal fn = helpers ? js_get(js, helpers, "importFrom") : NULL;
    if (!fn) return NULL;
    if (is_of_vm)
        return js_call(js, fn, JS_UNDEFINED, JS_ARGS(js_str(js, referrer), specifier, attributes));
    Str path = str_starts(referrer, S("/")) ? referrer : vm->main_path;
    return js_call(js, fn, JS_UNDEFINED, JS_ARGS(js_str(js, path), specifier, attributes));
}
