/* runtime/modules_load.c -- the module graph: every file below a root is read, parsed and its
 * specifiers resolved before anything runs, so that errors come first. */
#include "runtime/modules.h"

#include "codec/sourcemap.h"
#include "sys/sys.h"
#include "util/mem.h"
#include "util/path.h"

static struct VmModules *modules_of(Vm *vm)
{
    if (!vm->esm) vm->esm = MEM_NEW(struct VmModules);
    return vm->esm;
}

static VmModule *add(Vm *vm, Str url, Str path, ModuleKind kind)
{
    (void)modules_of(vm);
    VmModule *m = ARENA_NEW(&vm->arena, VmModule);
    *m = (VmModule){.vm = vm, .kind = kind};
    m->url = str_dup(&vm->arena, url);
    m->path = str_dup(&vm->arena, path);
    m->cycle_root = m;
    module_register(m);
    return m;
}

void module_register(VmModule *m)
{
    struct VmModules *all = m->vm->esm;
    m->id = all->all.len;
    *str_map_put(&m->vm->arena, &all->by_url, m->url, NULL) = (u64)(uintptr_t)m;
    vec_push(&m->vm->arena, &all->all, m);
}

static VmModule *find(Vm *vm, Str url)
{
    const u64 *slot = str_map_find(&modules_of(vm)->by_url, url);
    return slot ? (VmModule *)(uintptr_t)*slot : NULL;
}

static VmModule *open_file(Vm *vm, Str path, Str suffix, Str type, bool is_required)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    Str url = str_concat(s.arena, path, suffix);
    if (type.n) url = str_fmt(s.arena, "%.*s#type=%.*s", STR_ARG(url), STR_ARG(type));
    VmModule *m = find(vm, url);
    if (m) return m;
    VmModule *spare = module_take_spare(vm, url);
    m = spare ? spare : add(vm, url, path, MODULE_ESM);
    bool is_done, ok = module_hook_load(m, type, is_required, &is_done);
    if (ok && !is_done && !spare)
        ok = module_kind_of(m, type, is_required) &&
             (m->kind != MODULE_ESM || module_parse(m, is_required));
    if (ok) return m;
    /* A file that does not parse may be repaired and imported again. */
    (void)str_map_del(&modules_of(vm)->by_url, m->url);
    return NULL;
}

/* data:text/javascript and data:application/json. */
static VmModule *open_data(Vm *vm, Str url, Str type)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    Str known = type.n ? str_fmt(s.arena, "%.*s#type=%.*s", STR_ARG(url), STR_ARG(type)) : url;
    VmModule *m = find(vm, known);
    if (m) return m;
    Str rest = str_skip(url, 5), text;
    bool is_js =
        str_starts(rest, S("text/javascript")) || str_starts(rest, S("application/javascript"));
    bool is_json = str_starts(rest, S("application/json"));
    if ((!is_js && !is_json) || !sourcemap_data_url(&vm->arena, url, &text)) {
        js_throw_type_error(vm->js, "Cannot import the URL \"%.*s\"", (int)MIN(url.n, 100), url.p);
        return NULL;
    }
    m = add(vm, known, url, is_json ? MODULE_JSON : MODULE_ESM);
    if (is_json || module_parse_text(m, text, false)) return m;
    (void)str_map_del(&modules_of(vm)->by_url, m->url);
    return NULL;
}

static VmModule *open_builtin(Vm *vm, Str id)
{
    VmModule *m = find(vm, id);
    return m ? m : add(vm, id, id, MODULE_BUILTIN);
}

static VmModule *open_specifier(Vm *vm, Str specifier, Str importer, Str type)
{
    ResolveResult found;
    AUTO(Scratch) s = scratch_begin(NULL);
    HookQuestion question = {.specifier = specifier, .importer = importer, .type = type};
    HookTarget target;
    if (!module_hook_resolve(vm, s.arena, question, &target)) return NULL;
    if (target.is_given && vm_builtin_find(vm, target.path) >= 0)
        return open_builtin(vm, target.path);
    if (target.is_given) return open_file(vm, target.path, target.suffix, type, false);
    if (!vm_resolve(vm, specifier, importer, RESOLVE_IMPORT, &found)) return NULL;
    if (found.target == RESOLVE_FILE) return open_file(vm, found.path, found.suffix, type, false);
    if (found.target == RESOLVE_BUILTIN) return open_builtin(vm, found.path);
    if (found.target == RESOLVE_URL && str_starts(found.path, S("data:")))
        return open_data(vm, found.path, type);
    js_throw_error(vm->js, "not implemented: importing \"%.*s\"", STR_ARG(specifier));
    return NULL;
}

static bool open_requests(VmModule *m)
{
    if (m->deps) return true;
    u32 n = m->info.requests.len;
    VmModule **deps = ARENA_ARRAY(&m->link, VmModule *, n + 1);
    for (u32 i = 0; i < n; i++) {
        const ModuleRequest *r = &m->info.requests.at[i];
        if (r->is_late) {
            deps[i] = module_stand_in(m->vm);
            continue;
        }
        deps[i] = open_specifier(m->vm, r->specifier, m->path, r->attr_type);
        if (!deps[i]) return false;
    }
    m->deps = deps;
    return true;
}

/* A walk that ends in an error leaves modules whose dependencies are not all there: they are walked
 * again when somebody asks again. */
static VmModule *load_below(VmModule *root)
{
    if (!root) return NULL;
    AUTO(Scratch) s = scratch_begin(NULL);
    ModuleList todo = {0}, done = {0};
    IdMap seen = {0};
    vec_push(s.arena, &todo, root);
    while (todo.len) {
        VmModule *m = vec_pop(&todo);
        bool is_new;
        if (m->kind != MODULE_ESM || m->is_complete) continue;
        (void)id_map_put(s.arena, &seen, m->id + 1, &is_new);
        if (!is_new) continue;
        if (!open_requests(m)) return NULL;
        vec_push(s.arena, &done, m);
        for (u32 i = 0; i < m->info.requests.len; i++) vec_push(s.arena, &todo, m->deps[i]);
    }
    for (u32 i = 0; i < done.len; i++) done.at[i]->is_complete = true;
    return root;
}

VmModule *module_load(Vm *vm, Str specifier, Str importer, Str type)
{
    return load_below(open_specifier(vm, specifier, importer, type));
}

VmModule *module_open_file(Vm *vm, Str path)
{
    return vm_need_resolver(vm) ? open_file(vm, path, S(""), S(""), true) : NULL;
}

VmModule *module_from_text(Vm *vm, Str text, Str path)
{
    if (!vm_need_resolver(vm)) return NULL;
    VmModule *m = add(vm, path, path, MODULE_ESM);
    return module_parse_text(m, text, true) ? load_below(m) : NULL;
}

VmModule *module_load_path(Vm *vm, Str path)
{
    if (!vm_need_resolver(vm)) return NULL;
    return load_below(open_file(vm, path, S(""), S(""), true));
}
